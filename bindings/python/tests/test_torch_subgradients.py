"""Gradients at kinks and ties: those that PyTorch 2.13 gives, of ``(y * torch.arange(1, n + 1)).sum()`` at w = (0, 1, -1, 2, 2, -2)."""

import pytest

import ivyrs
import ivyrs.frontends.torch as torch

RECORDED = [
    ("torch.clamp(w, 0, 2)", [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    ("torch.clamp(w, min=0)", [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    ("torch.clamp(w, torch.tensor(0.), torch.tensor(2.))", [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    ("torch.clip(w, -1, 2)", [1.0, 2.0, 3.0, 4.0, 5.0, 0.0]),
    ("w.clamp_min(0)", [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    ("w.clamp_max(2)", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    ("torch.nn.functional.hardtanh(w)", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.nn.functional.relu(w)", [0.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    ("torch.nn.functional.threshold(w, 1, 5)", [0.0, 0.0, 0.0, 4.0, 5.0, 0.0]),
    ("torch.maximum(w, torch.tensor(1.))", [0.0, 1.0, 0.0, 4.0, 5.0, 0.0]),
    ("torch.max(w)", [0.0, 0.0, 0.0, 0.5, 0.5, 0.0]),
    ("torch.max(w, 0)[0]", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
    ("torch.amax(w)", [0.0, 0.0, 0.0, 0.5, 0.5, 0.0]),
    ("torch.mode(w)[0]", [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
    ("torch.cummax(w, 0)[0]", [1.0, 5.0, 0.0, 4.0, 11.0, 0.0]),
    ("torch.cummin(w, 0)[0]", [3.0, 0.0, 12.0, 0.0, 0.0, 6.0]),
    ("torch.norm(w*0)", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.norm(w, p=3)", [0.0, 0.1139, -0.1139, 0.4558, 0.4558, -0.4558]),
    ("torch.linalg.vector_norm(w*0)", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.atan2(w, w*0)", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.nn.functional.normalize(w*0, dim=0)", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.nn.functional.smooth_l1_loss(w, w*0+1)", [-0.1667, 0.0, -0.1667, 0.1667, 0.1667, -0.1667]),
    ("torch.nn.functional.hinge_embedding_loss(w, torch.tensor([1., -1., 1., -1., 1., -1.]))", [0.1667, -0.1667, 0.1667, 0.0, 0.1667, -0.1667]),
    ("torch.nn.functional.margin_ranking_loss(w, w.detach()*0, torch.tensor([1., -1., 1., -1., 1., -1.]))", [-0.1667, 0.1667, -0.1667, 0.1667, 0.0, 0.0]),
    ("torch.nn.functional.multi_margin_loss(w.reshape(2, 3), torch.tensor([0, 2]))", [-0.1667, 0.1667, 0.0, 0.1667, 0.1667, -0.3333]),
    ("torch.std(w*0)", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.dist(w, w.detach())", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.nn.functional.binary_cross_entropy(w.abs()/2.5, torch.tensor([0., 1., 0., 1., 0., 1.]))", [0.0, -0.1667, -0.1111, -0.0833, 0.3333, 0.0833]),
    ("torch.nn.functional.max_pool1d(w.reshape(1, 1, 6), 3, 1)", [0.0, 1.0, 0.0, 9.0, 0.0, 0.0]),
    ("torch.nn.functional.max_pool2d((w - w.detach()).reshape(1, 1, 2, 3), 2, 1)", [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]),
    ("torch.nn.functional.adaptive_max_pool1d(w.reshape(1, 1, 6), 2)", [0.0, 1.0, 0.0, 2.0, 0.0, 0.0]),
    ("torch.clamp(w, min=w.detach())", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
]


@pytest.mark.parametrize("backend", ["ndarray", "jit"])
@pytest.mark.parametrize(("text", "gradient"), RECORDED)
def test_gradients_are_those_of_pytorch(backend, text, gradient):
    with ivyrs.with_backend(backend):
        w = torch.tensor([0.0, 1.0, -1.0, 2.0, 2.0, -2.0], requires_grad=True)
        y = eval(text, {"torch": torch, "w": w})  # noqa: S307
        (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
        assert [round(x, 4) for x in w.grad.tolist()] == gradient


def test_clamped_values_without_gradients():
    x = torch.tensor([-2.0, 0.5, 3.0, float("nan")])
    for lower, upper in [(-1, 1), (None, 1.5), (0.25, None), (2, -2), (torch.tensor(-1.0), torch.tensor([0.0, 0.0, float("nan"), 1.0]))]:
        plain = torch.clamp(x, lower, upper)
        noted = torch.clamp(x.clone().requires_grad_(), lower, upper)
        assert plain.dtype == noted.dtype
        assert repr(plain.tolist()) == repr(noted.tolist())
    assert torch.clamp(torch.tensor([1, 5]), max=2.5).tolist() == [1.0, 2.5]


def test_second_derivatives_at_a_norm_of_0():
    w = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(torch.linalg.vector_norm(w), w, create_graph=True)
    first.sum().backward()
    assert w.grad.tolist() == [0, 0, 0]
