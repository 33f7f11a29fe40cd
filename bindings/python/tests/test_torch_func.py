"""Function transforms, modules as functions, checkpoints and states of random numbers: what PyTorch 2.13 gives (`tools/record_torch_func.py`)."""

import builtins
import json
import math
from pathlib import Path

import pytest
from ivyrs.frontends import torch
from ivyrs.frontends.torch import nn

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "torch_func.jsonl").read_text().splitlines()]


def plain(value):
    if isinstance(value, torch.Tensor):
        return {"shape": list(value.shape), "values": value.detach().reshape(-1).tolist()}
    if isinstance(value, dict):
        return {key: plain(x) for key, x in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(x) for x in value]
    return value


def close(got, want):
    if isinstance(want, float) and isinstance(got, float):
        return math.isclose(got, want, rel_tol=2e-5, abs_tol=1e-6) or got == want
    if isinstance(want, dict):
        return isinstance(got, dict) and list(got) == list(want) and all(close(got[key], want[key]) for key in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))
    return got == want and type(got) is type(want)


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["program"].splitlines()[-1][:60])
def test_programs_do_as_recorded(case):
    names = {"torch": torch, "nn": nn, "F": nn.functional}
    program = case["program"].replace("from torch.", "from ivyrs.frontends.torch.")
    if "error" in case:
        with pytest.raises(getattr(builtins, case["error"])):
            exec(program, names)
    else:
        exec(program, names)
        got = plain(names["out"])
        assert close(got, case["out"]), (got, case["out"])


def test_errors_say_what_to_do():
    with pytest.raises(RuntimeError, match="got tensor with 1 dims. Maybe you wanted to use the vjp or jacrev"):
        torch.func.grad(lambda x: x * 2)(torch.ones(2))
    with pytest.raises(ValueError, match="size in the mapped dimension, got sizes \\[2, 3\\]"):
        torch.vmap(lambda x, y: x + y)(torch.arange(2.0), torch.arange(3.0))
    with pytest.raises(NotImplementedError, match="draw what is the same for all entries before"):
        torch.vmap(torch.sin, randomness="same")
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype"):
        torch.func.grad(lambda x: x.sum())(torch.tensor([1, 2]))
    with pytest.raises(AttributeError, match="Linear has no parameter or buffer `scale`"):
        torch.func.functional_call(nn.Linear(1, 1), {"scale": torch.ones(1)}, torch.ones(1))


def test_captured_tensors_are_as_before():
    captured, count, network = torch.zeros(2), torch.zeros(()), torch.nn.BatchNorm1d(2)

    def writes(x):
        count.add_(1)
        captured.mul_(0.5)
        return captured.add_(x).sum()

    whole, rows = torch.ones(2), torch.ones(3, 2)
    for transformed, x in ((torch.func.grad(writes), whole), (torch.vmap(writes), rows), (torch.vmap(torch.func.grad(writes)), rows), (torch.func.jacrev(writes), whole)):
        with pytest.raises(RuntimeError, match="wrote to a captured Tensor"):
            transformed(x)
        assert captured.tolist() == [0.0, 0.0] and count.item() == 0.0
    with pytest.raises(RuntimeError, match="wrote to a captured Tensor"):
        torch.vmap(network)(torch.arange(12.0).reshape(2, 3, 2))
    assert network.running_mean.tolist() == [0.0, 0.0] and network.num_batches_tracked.item() == 0

    # What the function has made itself, and counters of what is not transformed, are its own affair.
    def own(x):
        count.add_(1)
        made = torch.zeros(2)
        made[0] = x.sum()
        made.mul_(x)
        return made.sum()

    assert torch.func.grad(own)(torch.tensor([2.0, 3.0])).tolist() == [7.0, 2.0]
    assert torch.vmap(torch.func.grad(own))(torch.tensor([[2.0, 3.0]])).tolist() == [[7.0, 2.0]]
    assert count.item() == 2.0


def test_random_numbers_of_entries():
    with pytest.raises(RuntimeError, match="randomness error mode"):
        torch.vmap(lambda x: x + torch.randn(2))(torch.zeros(3, 2))
    drawn = torch.vmap(lambda x: x + torch.randn(2), randomness="different")(torch.zeros(3, 2))
    assert len({tuple(row) for row in drawn.tolist()}) == 3
    torch.vmap(lambda x: torch.dropout(x, 0.5, False))(torch.zeros(3, 2))


def test_a_module_is_as_before_after_an_error():
    module = nn.Linear(2, 1)
    weight = module.weight
    with pytest.raises(RuntimeError):
        torch.func.functional_call(module, {"weight": torch.ones(1, 2)}, torch.ones(3))
    assert module.weight is weight


def test_checkpoints_recompute():
    calls = []

    def f(x):
        calls.append(x.shape)
        return x.sin().exp()

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(f, x)
    assert len(calls) == 1
    y.sum().backward()
    assert len(calls) == 2
    assert torch.allclose(x.grad, x.detach().cos() * x.detach().sin().exp())


def test_per_sample_gradients_of_a_network():
    network = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3))
    x, y = torch.randn(5, 1, 4, 4), torch.tensor([0, 1, 2, 0, 1])
    parameters = {name: p.detach() for name, p in network.named_parameters()}

    def loss(parameters, x, y):
        return nn.functional.cross_entropy(torch.func.functional_call(network, parameters, (x.unsqueeze(0),)), y.unsqueeze(0))

    found = torch.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))(parameters, x, y)
    for n in range(5):
        network.zero_grad()
        nn.functional.cross_entropy(network(x[n : n + 1]), y[n : n + 1]).backward()
        for name, p in network.named_parameters():
            assert torch.allclose(found[name][n], p.grad, atol=1e-5), (n, name)


def test_what_is_written_to_gradients_is_the_leafs():
    p = torch.ones(3, requires_grad=True)
    (p * 2).sum().backward()
    held = p.grad
    assert held is p.grad
    p.grad.data.mul_(0.5)
    p.grad.detach().add_(1)
    held.view(-1)[0] = 9.0
    assert p.grad.tolist() == held.tolist() == [9.0, 2.0, 2.0]
    (p * 2).sum().backward()
    assert p.grad is held and held.tolist() == [11.0, 4.0, 4.0]
    # One that is cleared or replaced is nobody's gradient any more.
    p.grad = None
    held.add_(1)
    assert p.grad is None and held.tolist() == [12.0, 5.0, 5.0]
    (p * 3).sum().backward()
    assert p.grad.tolist() == [3.0, 3.0, 3.0]


def test_buffers_of_checkpoints_count_once():
    module = nn.BatchNorm1d(2)
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    torch.utils.checkpoint.checkpoint(module, x).sum().backward()
    assert module.num_batches_tracked.item() == 1
    assert torch.allclose(module.running_mean, torch.tensor([0.2, 0.35]))
