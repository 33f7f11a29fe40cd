"""Records what PyTorch's function transforms give: python tools/record_torch_func.py FILE, in an environment with PyTorch 2.13.

Each line of FILE is JSON: a program over `torch`, `nn` and `F`, and what its `out` is, nested lists with tensors as {"shape", "values"}; or,
of one that is refused, the error's class.
"""

import json
import sys

import torch
import torch.nn.functional as F
from torch import nn

PROGRAMS = r"""
out = torch.func.grad(lambda x: torch.sin(x).sum())(torch.tensor([0.5, -1.0]))
out = torch.func.grad(torch.func.grad(torch.sin))(torch.tensor(0.7))
out = torch.func.grad(lambda x, y: (x * y ** 2).sum(), argnums=(0, 1))(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
out = torch.func.grad(lambda x, y: (x * y ** 2).sum(), argnums=-1)(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
out = torch.func.grad(lambda x: (x.sum(), x * 2), has_aux=True)(torch.tensor([1.0, 2.0]))
out = torch.func.grad_and_value(lambda x: (x ** 3).sum())(torch.tensor([1.0, 2.0]))
out = torch.func.grad_and_value(lambda x: ((x ** 3).sum(), {"n": x + 1}), has_aux=True)(torch.tensor([1.0, 2.0]))
out = torch.func.grad(lambda p: (p["w"] @ p["b"]).sum())({"w": torch.tensor([[1.0, 2.0]]), "b": torch.tensor([3.0, 4.0])})
out = torch.func.grad(lambda x, scale: (x * scale).sum())(torch.tensor([1.0]), 3)
out = torch.func.grad(lambda x: x * 2)(torch.tensor([1.0, 2.0]))
out = torch.func.grad(lambda x: 2.0)(torch.tensor(1.0))
out = torch.func.grad(lambda x: x.sum(), argnums=1)(torch.tensor(1.0))
out = torch.func.grad(lambda x: x.sum())(3.0)
value, back = torch.func.vjp(lambda x: (torch.exp(x), x * 3), torch.tensor([0.0, 1.0])); out = value, back((torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0])))
value, back, aux = torch.func.vjp(lambda x: (x ** 2, x + 1), torch.tensor([1.0, 3.0]), has_aux=True); out = value, back(torch.tensor([1.0, 1.0])), aux
value, back = torch.func.vjp(lambda x: x * 2, torch.tensor([1.0])); out = back((torch.tensor([1.0]), torch.tensor([1.0])))
out = torch.func.jvp(lambda x, y: x * torch.tanh(y), (torch.tensor([1.0, 2.0]), torch.tensor([0.1, 0.2])), (torch.ones(2), torch.tensor([1.0, -1.0])))
out = torch.func.jvp(torch.sin, torch.tensor(1.0), (torch.tensor(1.0),))
out = torch.func.jvp(lambda x: (x ** 2, x + 1), (torch.tensor(3.0),), (torch.tensor(1.0),), has_aux=True)
value, f = torch.func.linearize(lambda x: x ** 3, torch.tensor([1.0, 2.0])); out = value, f(torch.tensor([1.0, 0.5]))
out = torch.func.jacrev(lambda x: torch.stack([x[0] * x[1], x[1] ** 2, x.sum()]))(torch.tensor([2.0, 3.0]))
out = torch.func.jacfwd(lambda x: torch.stack([x[0] * x[1], x[1] ** 2, x.sum()]))(torch.tensor([2.0, 3.0]))
out = torch.func.jacrev(lambda x, y: (x * y, x.sum()), argnums=(0, 1))(torch.tensor([2.0, 3.0]), torch.tensor([1.0, 4.0]))
out = torch.func.jacrev(lambda x: {"a": x ** 2, "b": x[:1]})(torch.tensor([2.0, 3.0]))
out = torch.func.jacrev(lambda x: (x ** 2, x), has_aux=True)(torch.tensor([2.0, 3.0]))
out = torch.func.hessian(lambda x: (x ** 3).sum() + x[0] * x[1])(torch.tensor([1.0, 2.0]))
out = torch.func.hessian(lambda x, y: (x * y).sum(), argnums=(0, 1))(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
out = torch.vmap(torch.dot)(torch.arange(6.0).reshape(3, 2), torch.ones(3, 2))
out = torch.vmap(torch.dot, in_dims=(1, None))(torch.arange(6.0).reshape(2, 3), torch.tensor([1.0, 2.0]))
out = torch.vmap(lambda x: (x, x.sum()), out_dims=(1, 0))(torch.arange(6.0).reshape(3, 2))
out = torch.vmap(lambda x: x * 2, in_dims=-1, out_dims=-1)(torch.arange(6.0).reshape(2, 3))
out = torch.vmap(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))({"a": torch.arange(3.0), "b": torch.tensor(10.0)})
out = torch.vmap(torch.vmap(lambda x, y: x * y, in_dims=(None, 0)), in_dims=(0, None))(torch.arange(2.0), torch.arange(3.0))
out = torch.vmap(lambda x: torch.softmax(x, 0), chunk_size=2)(torch.arange(10.0).reshape(5, 2))
out = torch.vmap(lambda x, k: x * k, in_dims=(0, None))(torch.arange(3.0), 5)
out = torch.vmap(torch.func.grad(lambda w, x: torch.tanh(w @ x).sum()), in_dims=(None, 0))(torch.tensor([[0.1, 0.2]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
out = torch.vmap(lambda x: x.sort().values)(torch.tensor([[3.0, 1.0], [2.0, 5.0]]))
out = torch.vmap(lambda x: x.clone().mul_(2).add_(1))(torch.arange(3.0))
def f(x):\n    y = x.clone()\n    y[0] = 5.0\n    return y * x\nout = torch.vmap(f)(torch.arange(6.0).reshape(3, 2)), torch.vmap(torch.func.jacrev(f))(torch.arange(6.0).reshape(3, 2))
out = torch.vmap(torch.sin)(3)
out = torch.vmap(lambda x: 3)(torch.arange(2.0))
out = torch.vmap(lambda x, y: x + y)(torch.arange(2.0), torch.arange(3.0))
out = torch.vmap(lambda x: x, in_dims=1)(torch.arange(2.0))
out = torch.vmap(lambda x: x, in_dims=(0, 0))(torch.arange(2.0))
out = torch.vmap(lambda: 3)()
out = torch.vmap(torch.sin, randomness="none")(torch.arange(2.0))
out = torch.vmap(torch.sin, chunk_size=0)(torch.arange(2.0))
w = torch.tensor([1.0, 2.0], requires_grad=True)\ny = torch.vmap(lambda x: (x * w).sum())(torch.arange(6.0).reshape(3, 2))\ny.sum().backward()\nout = y.requires_grad, w.grad
w = torch.tensor(2.0, requires_grad=True)\ng = torch.func.grad(lambda x: w * x ** 2)(torch.tensor(3.0))\ng.backward()\nout = g.requires_grad, w.grad
x = torch.tensor([1.0, 2.0], requires_grad=True)\ntorch.func.jvp(lambda x: x ** 3, (x,), (torch.ones(2),))[1].sum().backward()\nout = x.grad
m = nn.Linear(2, 1)\nout = torch.func.functional_call(m, {"weight": torch.tensor([[1.0, 2.0]]), "bias": torch.tensor([3.0])}, torch.tensor([1.0, 1.0])), m.weight.shape
m = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))\np = {k: torch.full(v.shape, 0.1) for k, v in m.named_parameters()}\nloss = lambda p, x, y: F.mse_loss(torch.func.functional_call(m, p, (x,)), y)\nx, y = torch.arange(6.0).reshape(3, 2) / 6, torch.ones(3, 1)\nout = torch.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))(p, x, y)
m = nn.Linear(2, 1)\nout = torch.func.functional_call(m, {"weight": torch.zeros(1, 2)}, (torch.zeros(2),), strict=True)
m = nn.Linear(2, 1)\nout = torch.func.functional_call(m, ({"weight": torch.zeros(1, 2)}, {"weight": torch.zeros(1, 2)}), (torch.zeros(2),))
ms = [nn.Linear(2, 1) for _ in range(3)]\n[nn.init.constant_(m.weight, n + 1.0) for n, m in enumerate(ms)]\n[nn.init.constant_(m.bias, 0.5 * n) for n, m in enumerate(ms)]\np, b = torch.func.stack_module_state(ms)\nout = torch.vmap(lambda p, b, x: torch.func.functional_call(ms[0], (p, b), (x,)), in_dims=(0, 0, None))(p, b, torch.tensor([1.0, 2.0])), sorted(p), b, p["weight"].requires_grad
out = torch.func.stack_module_state([])
out = torch.autograd.functional.jacobian(lambda x: torch.exp(x).sum(1), torch.tensor([[0.0, 1.0], [2.0, 0.5]]))
out = torch.autograd.functional.jacobian(lambda x, y: (2 * x + 3 * y, x * y), (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])))
out = torch.autograd.functional.jacobian(lambda x: x ** 2, torch.tensor([1.0, 2.0]), strategy="forward-mode", vectorize=True)
x = torch.tensor([1.0, 2.0], requires_grad=True)\nj = torch.autograd.functional.jacobian(lambda x: x ** 3, x, create_graph=True)\nj.sum().backward()\nout = j.requires_grad, x.grad
x = torch.tensor([1.0, 2.0], requires_grad=True)\nout = torch.autograd.functional.jacobian(lambda x: x ** 3, x).requires_grad
out = torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]))
out = torch.autograd.functional.hessian(lambda x, y: (x * y ** 2).sum(), (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])))
out = torch.autograd.functional.hessian(lambda x: x ** 2, torch.tensor([1.0, 2.0]))
out = torch.autograd.functional.vjp(lambda x: x ** 2, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
out = torch.autograd.functional.vjp(lambda x, y: (x * y).sum(), (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])))
out = torch.autograd.functional.vjp(lambda x: x ** 2, torch.tensor([1.0, 2.0]))
out = torch.autograd.functional.vjp(lambda x: x ** 2, torch.tensor([1.0, 2.0]), torch.tensor([1.0]))
out = torch.autograd.functional.jvp(lambda x: x ** 2, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
out = torch.autograd.functional.jvp(lambda x, y: (x * y, x), (torch.tensor([1.0]), torch.tensor([3.0])), (torch.tensor([1.0]), torch.tensor([2.0])))
out = torch.autograd.functional.vhp(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, -1.0]))
out = torch.autograd.functional.hvp(lambda x, y: (x * y ** 2).sum(), (torch.tensor([1.0]), torch.tensor([3.0])), (torch.tensor([1.0]), torch.tensor([2.0])))
out = torch.autograd.functional.jacobian(lambda x: x, [1.0])
p = [torch.tensor([3.0, 4.0], requires_grad=True), torch.tensor([12.0], requires_grad=True)]\nsum((x ** 2).sum() / 2 for x in p).backward()\nn = nn.utils.clip_grad_norm_(p, 1.0)\nout = n, [x.grad for x in p]
p = [torch.tensor([3.0, -4.0], requires_grad=True)]\n(p[0] ** 2).sum().backward()\nn = nn.utils.clip_grad_norm_(p, 100.0, norm_type=float("inf"))\nout = n, p[0].grad
p = torch.tensor([3.0, -4.0], requires_grad=True)\n(p ** 2).sum().backward()\nnn.utils.clip_grad_value_(p, 7.0)\nout = p.grad
p = torch.tensor([1.0], requires_grad=True)\n(p * float("inf")).sum().backward()\nnn.utils.clip_grad_norm_(p, 1.0, error_if_nonfinite=True)
out = nn.utils.clip_grad_norm_([torch.tensor([1.0], requires_grad=True)], 1.0)
m = nn.Linear(2, 1)\nnn.utils.vector_to_parameters(torch.tensor([1.0, 2.0, 3.0]), m.parameters())\nout = m.weight, m.bias, nn.utils.parameters_to_vector(m.parameters())
from torch.utils.checkpoint import checkpoint\nm = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))\n[nn.init.constant_(p, 0.3) for p in m.parameters()]\nx = torch.tensor([[1.0, 2.0]], requires_grad=True)\ny = checkpoint(m, x, use_reentrant=False)\ny.sum().backward()\nout = y, x.grad, [p.grad for p in m.parameters()]
from torch.utils.checkpoint import checkpoint\nx = torch.tensor([1.0, 2.0], requires_grad=True)\ny, k = checkpoint(lambda a, n, s: (torch.sin(a) * n, s), x, 3, "k", use_reentrant=False)\ny.sum().backward()\nout = y, k, x.grad
from torch.utils.checkpoint import checkpoint\nm = nn.BatchNorm1d(2)\nx = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)\ny = checkpoint(m, x, use_reentrant=False)\n(y ** 2).sum().backward()\nout = y, x.grad
from torch.utils.checkpoint import checkpoint_sequential\nm = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2), nn.Tanh())\n[nn.init.constant_(p, 0.5) for p in m.parameters()]\nx = torch.tensor([[1.0, 2.0]], requires_grad=True)\ny = checkpoint_sequential(m, 2, x, use_reentrant=False)\ny.sum().backward()\nout = y, x.grad, m[0].weight.grad
g = torch.manual_seed(3)\na = torch.rand(2)\ng.manual_seed(3)\nout = torch.equal(a, torch.rand(2)), torch.initial_seed(), g is torch.default_generator
torch.manual_seed(5)\ns = torch.get_rng_state()\na = torch.randn(3)\ntorch.set_rng_state(s)\nout = torch.equal(a, torch.randn(3, generator=torch.default_generator))
torch.manual_seed(5)\na = torch.rand(1)\ntorch.manual_seed(5)\nwith torch.random.fork_rng():\n    b = torch.rand(1)\nout = torch.equal(a, b), torch.equal(a, torch.rand(1))
out = torch.func.jacrev(lambda x: (torch.ones(2), x))(torch.tensor([1.0, 2.0, 3.0])), torch.func.jacfwd(lambda x: torch.ones(2))(torch.tensor([1.0]))
out = torch.autograd.functional.jacobian(lambda x: torch.ones(2), torch.tensor([1.0, 2.0]))
out = torch.func.jvp(lambda x: x, (torch.ones(2),), (torch.ones(3),))
out = nn.ReflectionPad1d(3)(torch.ones(1, 3))
out = nn.CircularPad1d(4)(torch.ones(1, 3))
out = torch.multinomial(torch.tensor([1.0, -1.0]), 1)
out = torch.multinomial(torch.tensor([0.0, 0.0]), 1)
out = torch.multinomial(torch.tensor([1.0, float("inf")]), 1)
out = F.max_unpool2d(torch.tensor([[[5.0, 6.0]]]), torch.tensor([[[3, 6]]]), 2, output_size=(2, 5))
x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()\ny, i = F.max_pool2d(x, 2, return_indices=True)\nz = F.max_unpool2d(y, i, 2)\nz.pow(2).sum().backward()\nout = z, x.grad
out = F.max_unpool2d(torch.ones(1, 1, 2), torch.tensor([[[3, 9]]]), 2)
out = F.max_unpool2d(torch.ones(1, 1, 2), torch.tensor([[[0, 1]]]), 2, output_size=(9, 9))
out = F.max_unpool1d(torch.ones(1, 2), torch.tensor([[0, 2]], dtype=torch.int32), 2)
out = nn.utils.rnn.pad_sequence([torch.arange(3.0), torch.ones(1), torch.arange(2.0)], batch_first=True, padding_value=-1.0)
out = nn.utils.rnn.pad_sequence([torch.ones(2, 2), torch.zeros(1, 2)], padding_side="left")
out = nn.utils.rnn.unpad_sequence(torch.arange(6.0).reshape(3, 2), torch.tensor([2, 3]))
out = repr(nn.ParameterDict({"a": torch.ones(2), "b": nn.Parameter(torch.zeros(2, 3))})), repr(nn.ParameterList([torch.ones(2), torch.ones(1, 2)]))
p = nn.ParameterDict({"a": torch.ones(2)})\np["b"] = torch.zeros(1)\nout = list(p.keys()), "a" in p, len(p), p.get("c"), [k for k, _ in p.named_parameters()], list(p.state_dict())
d = torch.utils.data\nout = list(d.BatchSampler(d.SequentialSampler(range(5)), 2, False)), list(d.BatchSampler(d.SequentialSampler(range(5)), 2, True)), len(d.RandomSampler(range(5))), sorted(d.RandomSampler(range(5))), sorted(d.SubsetRandomSampler([4, 2, 9])), len(list(d.RandomSampler(range(3), num_samples=7)))
d = torch.utils.data\nout = list(d.WeightedRandomSampler([0.0, 0.0, 1.0], 4)), sorted(d.WeightedRandomSampler([1.0, 0.0, 2.0], 2, replacement=False))
d = torch.utils.data\nout = d.WeightedRandomSampler([1.0], 0)
d = torch.utils.data\nc = d.ConcatDataset([[1, 2], [3], [4, 5]])\nout = len(c), [c[i] for i in range(5)], c[-1], c.cumulative_sizes
d = torch.utils.data\nout = [b.tolist() for b in d.DataLoader([1.0, 2.0, 3.0], batch_sampler=d.BatchSampler(d.SequentialSampler(range(3)), 2, False))]
o = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)\ns = torch.optim.lr_scheduler\nout = s.SequentialLR(o, [s.ConstantLR(o)], [3])
from torch.utils.checkpoint import checkpoint\nx = torch.ones(100, requires_grad=True)\ny = checkpoint(nn.Dropout(0.5), x, use_reentrant=False)\ny.sum().backward()\nout = torch.equal(y, x.grad)
"""


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, torch.Tensor):
        return {"shape": list(value.shape), "values": value.detach().reshape(-1).tolist()}
    if isinstance(value, dict):
        return {key: plain(x) for key, x in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(x) for x in value]
    return value


def result(program):
    names = {"torch": torch, "nn": nn, "F": F}
    try:
        exec(program, names)
    except Exception as error:
        return {"error": type(error).__name__}
    return {"out": plain(names["out"])}


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        for text in PROGRAMS.strip().splitlines():
            program = text.replace("\\n", "\n")
            file.write(json.dumps({"program": program, **result(program)}) + "\n")
