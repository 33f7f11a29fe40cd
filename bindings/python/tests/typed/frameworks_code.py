"""Typical code of the other frameworks over their frontends: a type checker must accept it and find these types, and it runs."""

import io
from typing import Any, assert_type

import ivyrs.frontends.jax as jax
import ivyrs.frontends.jax.numpy as jnp
import ivyrs.frontends.paddle as paddle
import ivyrs.frontends.tensorflow as tf
import ivyrs.frontends.torch as torch
import ivyrs.frontends.torch.nn.functional as F
from ivyrs.frontends.torch import nn, optim
from ivyrs.frontends.torch.utils.data import DataLoader, TensorDataset

x = torch.randn(2, 3, requires_grad=True)
y = F.relu(torch.matmul(x, x.T) + 1).sum(dim=0)
y.sum().backward()
assert_type(x.grad, torch.Tensor | None)
with torch.no_grad():
    x.add_(1)
assert_type(x.shape, torch.Size)
assert_type(torch.manual_seed(0), torch.Generator)
assert_type(torch.get_rng_state(), torch.Tensor)
square = torch.vmap(torch.func.grad(lambda v: (v * v).sum()))(x.detach())
assert_type(nn.utils.clip_grad_norm_([x], 1.0), torch.Tensor)
assert_type(x.size(0), int)
assert_type(torch.topk(x, 2).values, torch.Tensor)
assert_type(torch.max(x), torch.Tensor)
assert_type(torch.max(x, x), torch.Tensor)
assert_type(torch.min(x, 1, keepdim=True).indices, torch.Tensor)
assert_type(x.median(dim=0).values, torch.Tensor)
assert_type(x.max(), torch.Tensor)
assert_type(x.numel(), int)
assert_type(x.dtype, torch.dtype)
assert_type(torch.allclose(x, x), bool)
assert_type(F.max_pool2d(x[None], 2), torch.Tensor)
assert_type(F.max_pool2d(x[None], 2, return_indices=True), tuple[torch.Tensor, torch.Tensor])
assert_type(x.to(torch.float64).float(), torch.Tensor)
assert_type(x.stride(), tuple[int, ...])
assert_type(torch.finfo(torch.float32).eps, float)
assert_type(torch.nonzero(x, as_tuple=True), tuple[torch.Tensor, ...])


class Network(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.LayerNorm(8), nn.Linear(8, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(self.layers(x), dim=-1)


network = Network(3, 2)
optimizer = optim.AdamW(network.parameters(), lr=1e-2, betas=(0.9, 0.99))
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2)
examples = DataLoader(TensorDataset(torch.randn(6, 3), torch.randint(0, 2, (6,))), batch_size=2, shuffle=True)
for inputs, labels in examples:
    optimizer.zero_grad()
    nn.NLLLoss()(network(inputs), labels).backward()
    optimizer.step()
    scheduler.step()
assert_type(scheduler.get_last_lr(), list[float])
for path, parameter in network.named_parameters():
    assert_type(path, str)
    assert_type(parameter, nn.Parameter)
nn.init.xavier_uniform_(network.layers[0].weight, gain=2)


@torch.no_grad()
def evaluate(model: torch.Tensor) -> torch.Tensor:
    return model * 2


assert_type(evaluate(x), torch.Tensor)


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, v: torch.Tensor) -> torch.Tensor:
        return torch.round(v)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient


with x.register_hook(lambda g: g * 2):
    rounded: torch.Tensor = Straight.apply(x)
    rounded.sum().backward()
assert_type(torch.autograd.gradcheck(torch.sin, torch.ones(2, dtype=torch.float64, requires_grad=True)), bool)
assert_type(x.to(torch.device("cpu")).device, torch.device)
saved = io.BytesIO()
torch.save({"x": x}, saved)
assert_type(torch.load(saved)["x"], Any)
assert_type(torch.get_default_dtype(), torch.dtype)

gradient = jax.grad(lambda v: jnp.sum(v**2))
slope: Any = gradient(jnp.arange(3.0))
a = jnp.zeros((2, 3)).at[0].set(1)
assert_type(a, jax.Array)
assert_type(jax.random.normal(jax.random.PRNGKey(0), (2,)), jax.Array)
assert_type(jax.tree.leaves({"a": a}), list[Any])
assert_type(jnp.linalg.svd(a, compute_uv=False), jax.Array)
assert_type(jnp.broadcast_shapes((2, 1), (3,)), tuple[int, ...])

v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    z = tf.reduce_sum(v * v)
slope = tape.gradient(z, v)
assert_type(z, tf.Tensor)
assert_type(v.assign_add([1.0, 1.0]), tf.Variable)
assert_type(tf.constant([1, 2]).shape, tf.TensorShape)

p = paddle.to_tensor([1.0, 2.0])
assert_type(paddle.nn.functional.relu(p), paddle.Tensor)
assert_type(p.shape, list[int])
assert_type(paddle.topk(p, 1), tuple[paddle.Tensor, ...])
w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
(w * 2).sum().backward()
assert_type(w.grad, paddle.Tensor | None)
assert_type(paddle.grad(w * 2, w), list[paddle.Tensor | None])
with paddle.no_grad():
    w.clear_grad()
hook = w.register_hook(lambda gradient: gradient * 2)
assert_type(hook.remove(), bool)


class Doubled(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: paddle.autograd.PyLayerContext, x: paddle.Tensor) -> paddle.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: paddle.autograd.PyLayerContext, dy: paddle.Tensor) -> paddle.Tensor:
        return dy * 2


Doubled.apply(w)
