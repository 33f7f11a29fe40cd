"""PyTorch's modules, optimisers and schedules over the frontend, against what PyTorch gave, and what no record can say."""

import json
import math
from pathlib import Path

import ivyrs
import module_cases as cases
import pytest
from ivyrs.frontends import torch
from ivyrs.frontends.torch import nn, optim
from ivyrs.frontends.torch.utils import data

RECORDED = json.loads((Path(__file__).parent / "torch_modules.json").read_text())
MODULES = {name: (made, inputs) for name, made, inputs in cases.modules(torch)}
BACKENDS = [name for name, version, _ in ivyrs.backends() if version and not name.startswith("jit:cuda")]


def near(found, wanted, bound=2e-5):
    """Whether numbers are as near as single precision lets them be, in lists of lists."""
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(near(a, b, bound) for a, b in zip(found, wanted))
    if wanted is None or isinstance(wanted, str):
        return found == wanted
    return abs(found - wanted) <= bound * (1 + abs(wanted)) or math.isnan(found) and math.isnan(wanted)


@pytest.mark.parametrize("name", RECORDED["modules"])
def test_modules(name):
    found, wanted = cases.module(torch, *MODULES[name]), RECORDED["modules"][name]
    assert (found["text"], found["state"]) == (wanted["text"], wanted["state"])
    for part in ("result", "input", "parameters"):
        assert near(found[part], wanted[part]), (part, found[part], wanted[part])
    for buffer, value in wanted["buffers"].items():
        assert near(found["buffers"][buffer], value), buffer


def test_every_case_is_recorded():
    assert list(MODULES) == list(RECORDED["modules"])
    assert [name for name, _ in cases.optimisers(torch)] == list(RECORDED["optimisers"])
    assert [name for name, _ in cases.schedules(torch)] == list(RECORDED["schedules"])


@pytest.mark.parametrize("name", RECORDED["optimisers"])
def test_optimisers(name):
    found = cases.optimiser(torch, dict(cases.optimisers(torch))[name])
    assert near(found, RECORDED["optimisers"][name], 1e-5), found


@pytest.mark.parametrize("name", RECORDED["schedules"])
def test_schedules(name):
    found = cases.schedule(torch, dict(cases.schedules(torch))[name])
    assert near(found, RECORDED["schedules"][name], 1e-8), found


def test_rates_fall_where_a_loss_stays():
    assert near(cases.plateau(torch), RECORDED["plateau"], 1e-8)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Dropout(0.0), nn.Linear(16, 2))
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        self.seen += len(x)
        return self.layers(x)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_network_learns(backend):
    """Points within a circle from those outside."""
    with ivyrs.with_backend(backend):
        torch.manual_seed(3)
        points = torch.rand(256, 2) * 2 - 1
        labels = ((points * points).sum(dim=1) < 0.6).to(torch.int64)
        network, loss = Network(), nn.CrossEntropyLoss()
        optimiser = optim.Adam(network.parameters(), lr=0.03)
        loader = data.DataLoader(data.TensorDataset(points, labels), batch_size=64, shuffle=True)
        assert len(loader) == 4
        first = float(loss(network(points), labels))
        for _ in range(25):
            for x, y in loader:
                optimiser.zero_grad()
                loss(network(x), y).backward()
                optimiser.step()
        network.eval()
        right = (network(points).argmax(dim=1) == labels).to(torch.float32).mean()
        assert float(loss(network(points), labels)) < first / 2 and float(right) > 0.9
        assert float(network.seen) == 256 * 28


def test_names_and_states():
    network = Network()
    names = ["layers.0.weight", "layers.0.bias", "layers.3.weight", "layers.3.bias"]
    assert [name for name, _ in network.named_parameters()] == names
    assert list(network.state_dict()) == ["seen", *names]
    assert [name for name, _ in network.named_children()] == ["layers"] and len(list(network.modules())) == 6
    other = Network()
    assert other.load_state_dict(network.state_dict()) == ([], [])
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), other.parameters()))
    with pytest.raises(RuntimeError, match="Missing key.*layers.0.bias"):
        other.load_state_dict({name: value for name, value in network.state_dict().items() if name != "layers.0.bias"})
    before = other.layers[0].weight.tolist()
    with pytest.raises(RuntimeError, match="size mismatch for layers.3.bias"):
        other.load_state_dict({**network.state_dict(), "layers.0.weight": torch.zeros(16, 2), "layers.3.bias": torch.zeros(5)})
    assert other.layers[0].weight.tolist() == before
    assert other.load_state_dict({"more": torch.zeros(1)}, strict=False).unexpected_keys == ["more"]
    assert network.double().layers[0].weight.dtype == torch.float64 and network.layers[0].weight.requires_grad
    network.layers.append(nn.ReLU())
    del network.layers[1]
    assert [name for name, _ in network.layers.named_children()] == ["0", "1", "2", "3"]


def test_hooks_and_modes():
    layer, seen = nn.Dropout(0.9), []
    handle = layer.register_forward_hook(lambda module, args, result: seen.append(result))
    assert layer.train() is layer and layer.training and not layer.eval().training
    x = torch.ones(3)
    assert torch.equal(layer(x), x) and len(seen) == 1
    handle.remove()
    layer(x)
    assert len(seen) == 1
    pre = layer.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    assert layer(x).tolist() == [2, 2, 2]
    pre.remove()


def test_bad_input_is_told():
    class Unmade(nn.Module):
        def __init__(self):
            self.layer = nn.Linear(1, 1)

    with pytest.raises(AttributeError, match="before Module.__init__"):
        Unmade()
    layer = nn.Linear(2, 3)
    for change, error, text in (
        (lambda: setattr(layer, "weight", torch.zeros(1)), TypeError, "as parameter 'weight'"),
        (lambda: layer.register_buffer("a.b", torch.zeros(1)), KeyError, "can't contain"),
        (lambda: layer.nothing, AttributeError, "'Linear' object has no attribute 'nothing'"),
        (lambda: nn.Module()(1), NotImplementedError, "forward"),
        (lambda: nn.Conv2d(3, 4, 2, groups=2), ValueError, "divisible by groups"),
        (lambda: nn.Dropout(1.5), ValueError, "between 0 and 1"),
        (lambda: optim.SGD(layer.parameters(), lr=-1), ValueError, "Invalid"),
        (lambda: optim.SGD([], lr=1), ValueError, "empty parameter list"),
        (lambda: optim.SGD(torch.zeros(1), lr=1), TypeError, "iterable"),
        (lambda: data.DataLoader(data.TensorDataset(torch.zeros(2)), num_workers=2), NotImplementedError, "num_workers"),
        (lambda: data.TensorDataset(torch.zeros(2), torch.zeros(3)), AssertionError, "Size mismatch"),
        (lambda: layer(torch.zeros(4, 5)), RuntimeError, "linear"),
    ):
        with pytest.raises(error, match=text):
            change()


def test_states_of_optimisers_go_on():
    def stepped(parameter, optimiser):
        optimiser.zero_grad()
        (parameter**2).sum().backward()
        optimiser.step()
        return parameter.tolist()

    first = nn.Parameter(torch.tensor([1.0, -2.0]))
    adam = optim.Adam([first], lr=0.1)
    stepped(first, adam)
    second = nn.Parameter(first)
    other = optim.Adam([second], lr=0.5)
    other.load_state_dict(adam.state_dict())
    assert stepped(first, adam) == stepped(second, other)


def test_first_values():
    torch.manual_seed(1)
    x = torch.empty(40, 50)
    assert nn.init.constant_(x, 2.5).unique().tolist() == [2.5]
    bound = math.sqrt(6 / 90)
    assert float(nn.init.xavier_uniform_(x).abs().max()) <= bound and abs(float(x.std()) - bound / math.sqrt(3)) < 0.01
    assert abs(float(nn.init.kaiming_normal_(x, nonlinearity="relu").std()) - math.sqrt(2 / 50)) < 0.01
    q = nn.init.orthogonal_(x)
    assert torch.allclose(q @ q.T, torch.eye(40), atol=1e-5)
    assert float(nn.init.trunc_normal_(x, std=3.0, a=-1, b=2).max()) <= 2 and float(x.min()) >= -1
    y = nn.init.dirac_(torch.empty(2, 2, 3))
    assert torch.equal(torch.nn.functional.conv1d(torch.ones(1, 2, 4), y, padding=1), torch.ones(1, 2, 4))
    assert nn.init.eye_(torch.empty(2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
