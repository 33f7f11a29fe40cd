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
    assert [name for name, _ in cases.minimisers(torch)] == list(RECORDED["minimisers"])
    assert [name for name, _ in cases.schedules(torch)] == list(RECORDED["schedules"])


@pytest.mark.parametrize("name", RECORDED["optimisers"])
def test_optimisers(name):
    found = cases.optimiser(torch, dict(cases.optimisers(torch))[name])
    assert near(found, RECORDED["optimisers"][name], 1e-5), found


@pytest.mark.parametrize("name", RECORDED["minimisers"])
def test_minimisers(name):
    """Losses, the number of evaluations, and parameters of optimisers that take a closure."""
    found = cases.minimiser(torch, dict(cases.minimisers(torch))[name])
    assert near(found, RECORDED["minimisers"][name], 1e-6), found


def test_a_closure_that_fails_leaves_the_parameters():
    p, calls = nn.Parameter(torch.tensor([3.0, -2.0])), []
    made = optim.LBFGS([p], line_search_fn="strong_wolfe")

    def closure():
        calls.append(1)
        if len(calls) > 1:
            raise ZeroDivisionError("a loss")
        made.zero_grad()
        loss = (p**4).sum()
        loss.backward()
        return loss

    with pytest.raises(ZeroDivisionError):
        made.step(closure)
    assert p.tolist() == [3.0, -2.0]


def test_states_of_optimisers_go_over():
    """After half of the steps, in a new optimiser, as without the change."""
    for name, make in cases.optimisers(torch):
        ends = []
        for change in (False, True):
            p = nn.Parameter(cases.numbers(torch, 5))
            made = make([p])
            for step in range(4):
                if change and step == 2:
                    state = made.state_dict()
                    made = make([p])
                    made.load_state_dict(state)
                made.zero_grad()
                ((p - 0.3) ** 2).sum().backward()
                made.step()
            ends.append(p.tolist())
        assert ends[0] == ends[1], name


@pytest.mark.parametrize(
    "make, error, said",
    [
        (lambda p: optim.Adadelta(p, rho=1.5), ValueError, "Invalid rho value: 1.5"),
        (lambda p: optim.Adadelta(p, eps=-1), ValueError, "Invalid epsilon value: -1"),
        (lambda p: optim.Adamax(p, betas=(1.0, 0.5)), ValueError, "Invalid beta parameter at index 0: 1.0"),
        (lambda p: optim.NAdam(p, momentum_decay=-1), ValueError, "Invalid momentum_decay value: -1"),
        (lambda p: optim.RAdam(p, lr=-0.5), ValueError, "Invalid learning rate: -0.5"),
        (lambda p: optim.Rprop(p, etas=(1.5, 1.2)), ValueError, "Invalid eta values: 1.5, 1.2"),
        (lambda p: optim.ASGD(p, differentiable=True), NotImplementedError, "steps are not recorded"),
        (lambda p: optim.LBFGS(p, line_search_fn="armijo"), RuntimeError, "only 'strong_wolfe' is supported"),
        (lambda p: optim.LBFGS([{"params": p}, {"params": [nn.Parameter(torch.zeros(1))]}]), ValueError, "parameter groups"),
        (lambda p: optim.LBFGS(p).step(), TypeError, "closure is missing"),
        (lambda p: optim.LBFGS(p).step(lambda: None), TypeError, "closure gave None"),
        (lambda p: optim.lr_scheduler.ChainedScheduler([]), ValueError, "at least one scheduler"),
        (lambda p: optim.lr_scheduler.ChainedScheduler([3]), TypeError, "`int`"),
    ],
)
def test_settings_that_no_optimiser_has(make, error, said):
    with pytest.raises(error, match=said):
        make([nn.Parameter(torch.zeros(2))])


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
        (lambda: nn.Threshold(), TypeError, "Threshold: missing a required argument: 'threshold'"),
        (lambda: nn.Embedding(3, 2, sparse=True), NotImplementedError, "sparse = True"),
        (lambda: nn.MultiheadAttention(2, 1)(*[torch.zeros(1, 1, 2)] * 3, is_causal=True), RuntimeError, "needs attn_mask"),
        (lambda: optim.lr_scheduler.StepLR(3, 2), TypeError, "StepLR: optimizer: int is not an Optimizer"),
        (lambda: setattr(layer.weight[0], "data", torch.zeros(3)), ValueError, r"shape \(2,\), and is a view or has views"),
        (lambda: nn.EmbeddingBag(3, 2, padding_idx=1), NotImplementedError, "padding_idx is only None"),
        (lambda: nn.TransformerDecoderLayer(4, 2, activation="tanh"), RuntimeError, "activation should be relu/gelu, not tanh"),
        (lambda: nn.Transformer(4, 2)(torch.zeros(2, 3, 4), torch.zeros(2, 2, 4)), RuntimeError, "batch number of src and tgt"),
        (lambda: nn.LazyConv2d(4, 3)(torch.zeros(3, 4)), RuntimeError, r"Expected 3D or 4D input to LazyConv2d, but got input of size: \[3, 4\]"),
        (lambda: nn.TransformerDecoderLayer(4, 2)(torch.ones(2, 1, 4), torch.ones(2, 3, 4)), RuntimeError, "do not go with the batch of query, 1"),
        (lambda: nn.LazyLinear(4)(torch.tensor(1.0)), RuntimeError, r"Expected 1D or 2D input to LazyLinear, but got input of size: \[\]"),
        (lambda: nn.LazyLinear(4)(3), TypeError, "LazyLinear: input: a Tensor is needed, not int"),
        (
            lambda: nn.MultiheadAttention(4, 2)(*[torch.ones(3, 2, 4)] * 3, torch.zeros(2, 5, dtype=torch.bool)), RuntimeError,
            r"key_padding_mask: shape \(2, 3\) is needed, not \(2, 5\)",
        ),
        (lambda: nn.LazyLinear(4).weight.shape, RuntimeError, "uninitialized parameter"),
        (lambda: nn.LazyLinear(), TypeError, "out_features"),
    ):
        with pytest.raises(error, match=text):
            change()


LAZY = [
    (nn.LazyLinear, nn.Linear, (4,), {}, (2, 3), -1),
    (nn.LazyConv1d, nn.Conv1d, (4, 2), {"groups": 2}, (2, 6, 5), 1),
    (nn.LazyConv2d, nn.Conv2d, (4, 3), {"padding": 1, "bias": False}, (3, 5, 6), 0),
    (nn.LazyConv3d, nn.Conv3d, (2, 2), {}, (1, 2, 3, 3, 3), 1),
    (nn.LazyConvTranspose1d, nn.ConvTranspose1d, (4, 2), {}, (2, 3, 5), 1),
    (nn.LazyConvTranspose2d, nn.ConvTranspose2d, (4, 2), {"stride": 2}, (2, 3, 4, 5), 1),
    (nn.LazyConvTranspose3d, nn.ConvTranspose3d, (2, 2), {}, (1, 3, 2, 2, 2), 1),
    (nn.LazyBatchNorm1d, nn.BatchNorm1d, (), {}, (4, 3), 1),
    (nn.LazyBatchNorm2d, nn.BatchNorm2d, (1e-3,), {"affine": False}, (4, 3, 2, 2), 1),
    (nn.LazyBatchNorm3d, nn.BatchNorm3d, (), {"track_running_stats": False}, (4, 3, 2, 2, 2), 1),
    (nn.LazyInstanceNorm1d, nn.InstanceNorm1d, (), {"affine": True}, (3, 5), 0),
    (nn.LazyInstanceNorm2d, nn.InstanceNorm2d, (), {}, (2, 3, 4, 4), 1),
    (nn.LazyInstanceNorm3d, nn.InstanceNorm3d, (), {"track_running_stats": True}, (2, 3, 2, 2, 2), 1),
]


@pytest.mark.parametrize("lazy, cls, args, kwargs, shape, axis", LAZY)
def test_lazy_modules(lazy, cls, args, kwargs, shape, axis):
    """After the first call they are modules of the class that they are named after, and the parameters are the ones of before."""
    x = cases.numbers(torch, *shape)
    torch.manual_seed(5)
    made = lazy(*args, **kwargs)
    assert type(made).__name__ == lazy.__name__ and isinstance(made, cls)
    parameters, is_lazy = list(made.parameters()), made.has_uninitialized_params()
    assert is_lazy == any(nn.parameter.is_lazy(p) for p in made.state_dict(keep_vars=True).values())
    assert all(repr(p) == "<UninitializedParameter>" for p in parameters)
    torch.manual_seed(5)
    first = made(x)
    torch.manual_seed(5)
    other = cls(shape[axis], *args, **kwargs)
    assert type(made) is cls and repr(made) == repr(other)
    assert [id(p) for p in made.parameters()] == [id(p) for p in parameters]
    assert torch.equal(first, other(x)) and list(made.state_dict()) == list(other.state_dict())
    first.sum().backward() if parameters else None
    assert all(p.grad is not None for p in parameters)


def test_lazy_modules_load_states():
    whole = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    whole(cases.numbers(torch, 5, 3))
    lazy = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d())
    optimiser = optim.SGD(lazy.parameters(), lr=0.1)
    lazy.load_state_dict(whole.state_dict())
    x = cases.numbers(torch, 2, 3)
    assert torch.equal(lazy.eval()(x), whole.eval()(x)) and type(lazy[0]) is nn.Linear and lazy[0].in_features == 3
    lazy(x).sum().backward()
    optimiser.step()
    assert not torch.equal(lazy[1].bias, whole[1].bias)


def test_data_takes_another_shape():
    p = nn.Parameter(torch.zeros(2))
    (p * 2).sum().backward()
    p.data = torch.ones(2, 3)
    assert p.shape == (2, 3) and p.requires_grad and p.grad is None
    (p * 3).sum().backward()
    assert p.grad.tolist() == [[3.0] * 3] * 2


def test_modules_and_buffers_by_path():
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    assert net.get_buffer("1.running_mean") is net[1].running_mean
    net.set_submodule("1", nn.Tanh(), strict=True)
    assert isinstance(net[1], nn.Tanh)
    assert net.insert(1, nn.ReLU()) is net and [type(m).__name__ for m in net] == ["Linear", "ReLU", "Tanh"]
    assert type(net.pop(-1)) is nn.Tanh and list(net._modules) == ["0", "1"]
    assert net.type(torch.float64)[0].weight.dtype == torch.float64 and net.type("torch.FloatTensor")[0].bias.dtype == torch.float32
    assert net.share_memory() is net and net.compile() is None
    for change, error, text in (
        (lambda: net.get_buffer("0.weight"), AttributeError, "Linear has no buffer `weight`"),
        (lambda: net.set_submodule("7", nn.Tanh(), strict=True), AttributeError, "`7`"),
        (lambda: net.set_submodule("", nn.Tanh()), ValueError, "without a target name"),
        (lambda: net.set_submodule("0", 3), ValueError, "not int"),
        (lambda: net.insert(5, nn.Tanh()), IndexError, "out of range: 5"),
        (lambda: net.insert(0, 5), AssertionError, "should be of type"),
    ):
        with pytest.raises(error, match=text):
            change()


@pytest.mark.parametrize("make", [lambda p: optim.SGD(p, lr=0.5), lambda p: optim.LBFGS(p, lr=0.5, max_iter=1)])
def test_hooks_of_steps(make):
    p, seen = nn.Parameter(torch.tensor([1.0])), []
    made = make([p])

    def closure():
        made.zero_grad()
        loss = (p * p).sum()
        loss.backward()
        return loss

    before = made.register_step_pre_hook(lambda optimiser, args, kwargs: seen.append(("before", p.item())))
    after = made.register_step_post_hook(lambda optimiser, args, kwargs: seen.append(("after", p.item())))
    assert made.step(closure) == 1.0 and seen == [("before", 1.0), ("after", p.item())] and p.item() < 1
    before.remove()
    made.step(closure)
    assert [name for name, _ in seen] == ["before", "after", "after"]
    after.remove()
    made.register_step_pre_hook(lambda *given: 3)
    with pytest.raises(RuntimeError, match="a hook before steps"):
        made.step(closure)


def test_hooks_stand_around_a_step_that_is_overridden():
    class Halved(optim.SGD):
        def step(self, closure=None):
            for group in self.param_groups:
                group["lr"] /= 2
            return super().step(closure)

    p, seen = nn.Parameter(torch.ones(1)), []
    made = Halved([p], lr=1.0)
    made.register_step_pre_hook(lambda *given: seen.append("before"))
    made.register_step_post_hook(lambda *given: seen.append("after"))
    (p * 1).sum().backward()
    made.step()
    assert seen == ["before", "after"] and p.tolist() == [0.5]


def test_schedules_of_no_steps():
    for schedule, rate in ((optim.lr_scheduler.LinearLR, 0.05), (optim.lr_scheduler.PolynomialLR, 0.1)):
        optimiser = optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)
        made = schedule(optimiser, *([0.5] if rate == 0.05 else []), total_iters=0)
        made.step()
        assert made.get_last_lr() == [rate]


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


def test_numbers_of_steps_may_be_tensors():
    """As in the states that PyTorch saves."""
    ends = []
    for of in (int, lambda step: torch.tensor(float(step))):
        p = nn.Parameter(torch.tensor([1.0, -2.0]))
        made = optim.NAdam([p], lr=0.1)
        for _ in range(3):
            for state in made.state.values():
                state["step"] = of(state["step"])
            made.zero_grad()
            (p**2).sum().backward()
            made.step()
        ends.append((p.tolist(), next(iter(made.state.values()))["step"]))
    assert ends[0] == ends[1] and ends[0][1] == 3


def test_a_step_that_is_refused_changes_nothing():
    p = nn.Parameter(torch.tensor([1.0, -2.0]))
    made = optim.SGD([p], lr=0.1, momentum=0.5)
    (p**2).sum().backward()
    made.param_groups[0]["lr"] = "fast"
    with pytest.raises(TypeError, match="SGD.step: lr: a number is needed, not 'fast'"):
        made.step()
    assert p.tolist() == [1.0, -2.0] and not any(made.state.values())
    made.param_groups[0]["lr"] = (0.1, 0.2)
    with pytest.raises(RuntimeError, match=r"lr = \(0.1, 0.2\): a number is needed"):
        made.step()
    adam = optim.Adam([p], lr=0.1)
    adam.step()
    kept, before = adam.state[id(p)], p.tolist()
    for setting, wanted in (("amsgrad", True), ("amsgrad", False)):
        adam.param_groups[0]["amsgrad"] = wanted
        lost = {} if wanted else {"exp_avg_sq": kept.pop("exp_avg_sq")}
        with pytest.raises(RuntimeError, match="state"):
            adam.step()
        kept.update(lost)
    assert p.tolist() == before and kept["step"] == 1
    with pytest.raises(NotImplementedError, match="Optimizer has no step"):
        optim.Optimizer([p], {}).step()


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


INPLACE = [nn.ReLU, nn.ReLU6, nn.ELU, nn.SELU, nn.CELU, nn.LeakyReLU, nn.Hardtanh, nn.Hardswish, nn.Hardsigmoid, nn.SiLU, nn.Mish]


@pytest.mark.parametrize("layer", INPLACE, ids=lambda layer: layer.__name__)
def test_layers_in_place_write_to_what_they_are_given(layer):
    x = torch.linspace(-4, 4, 9)
    wanted = layer()(x).tolist()
    part = torch.zeros(2, 9)
    part[1] = x
    given = part[1]
    assert layer(inplace=True)(given) is given and part[1].tolist() == wanted and not part[0].any()
    leaf = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        layer(inplace=True)(leaf)
    made = leaf * -0.5
    layer(inplace=True)(made)
    again = torch.ones(2, requires_grad=True)
    (made.sum()).backward()
    layer()(again * -0.5).sum().backward()
    assert leaf.grad.tolist() == again.grad.tolist()


def test_dropout_in_place():
    with pytest.raises(TypeError, match="twice"):
        nn.functional.relu(torch.ones(1), True, inplace=True)
    x = torch.ones(4)
    assert nn.Dropout(1.0, inplace=True)(x) is x and x.tolist() == [0.0] * 4
    assert nn.functional.threshold(input=x, threshold=1.0, value=7.0, inplace=True) is x and x.tolist() == [7.0] * 4


def test_another_dtype_leaves_the_parameters_those_of_the_optimiser():
    layer = nn.Linear(2, 1, bias=False)
    weight, optimiser = layer.weight, optim.SGD(layer.parameters(), lr=0.5)
    layer(torch.ones(1, 2)).sum().backward()
    layer.double()
    assert layer.weight is weight and weight.dtype == weight.grad.dtype == torch.float64
    before = weight.tolist()
    optimiser.step()
    assert near(weight.tolist(), [[number - 0.5 for number in before[0]]])


DRAWS = {
    "rand": lambda g: torch.rand(6, generator=g),
    "randn": lambda g: torch.randn(6, generator=g),
    "rand_like": lambda g: torch.rand_like(torch.zeros(6), generator=g),
    "randn_like": lambda g: torch.randn_like(torch.zeros(6), generator=g),
    "randint": lambda g: torch.randint(0, 1000, (6,), generator=g),
    "randint_like": lambda g: torch.randint_like(torch.zeros(6), 1000, generator=g),
    "randperm": lambda g: torch.randperm(30, generator=g),
    "normal": lambda g: torch.normal(torch.zeros(6), 1.0, generator=g),
    "bernoulli": lambda g: torch.bernoulli(torch.full((60,), 0.5), generator=g),
    "multinomial": lambda g: torch.multinomial(torch.ones(30), 20, generator=g),
    "multinomial again": lambda g: torch.multinomial(torch.ones(30), 20, True, generator=g),
    "poisson": lambda g: torch.poisson(torch.full((20,), 40.0), generator=g),
    "uniform_": lambda g: torch.empty(6).uniform_(generator=g),
    "normal_": lambda g: torch.empty(6).normal_(generator=g),
    "exponential_": lambda g: torch.empty(6).exponential_(generator=g),
    "random_": lambda g: torch.empty(6).random_(generator=g),
    "bernoulli_": lambda g: torch.empty(60).bernoulli_(0.5, generator=g),
    "init.uniform_": lambda g: nn.init.uniform_(torch.empty(6), generator=g),
    "init.normal_": lambda g: nn.init.normal_(torch.empty(6), generator=g),
    "init.trunc_normal_": lambda g: nn.init.trunc_normal_(torch.empty(6), generator=g),
    "init.xavier_uniform_": lambda g: nn.init.xavier_uniform_(torch.empty(2, 3), generator=g),
    "init.xavier_normal_": lambda g: nn.init.xavier_normal_(torch.empty(2, 3), generator=g),
    "init.kaiming_uniform_": lambda g: nn.init.kaiming_uniform_(torch.empty(2, 3), generator=g),
    "init.kaiming_normal_": lambda g: nn.init.kaiming_normal_(torch.empty(2, 3), generator=g),
    "init.orthogonal_": lambda g: nn.init.orthogonal_(torch.empty(3, 3), generator=g),
    "init.sparse_": lambda g: nn.init.sparse_(torch.empty(9, 3), 0.5, generator=g),
    "random_split": lambda g: torch.tensor(data.random_split(range(30), [20, 10], g)[0].indices),
    "DataLoader": lambda g: next(iter(data.DataLoader(torch.arange(30), 20, shuffle=True, generator=g))),
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws_follow_from_their_generator(name):
    draw = DRAWS[name]
    generator = torch.Generator().manual_seed(5)
    first, second = draw(generator), draw(generator)
    torch.manual_seed(1)
    assert draw(torch.Generator().manual_seed(5)).tolist() == first.tolist() != second.tolist()
    assert draw(torch.Generator().manual_seed(6)).tolist() != first.tolist()


def test_generators():
    generator = torch.Generator()
    assert generator.initial_seed() == 67280421310721 and generator.manual_seed(-1) is generator
    state = generator.get_state()
    first = torch.rand(3, generator=generator).tolist()
    assert generator.set_state(state) is generator and torch.rand(3, generator=generator).tolist() == first
    assert generator.seed() == generator.initial_seed()
    for call, error, text in (
        (lambda: torch.Generator("cuda"), ValueError, "device = 'cuda'"),
        (lambda: generator.manual_seed(2**64), ValueError, "a seed has 64 bits"),
        (lambda: generator.set_state(torch.zeros(3)), ValueError, "16 bytes"),
        (lambda: torch.rand(2, generator="a"), TypeError, "generator = 'a'"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_packed_sequences():
    """Steps one behind the other, the longest sequence first; and back."""
    rnn = nn.utils.rnn
    sequences = [torch.tensor([[1.0], [2.0]]), torch.tensor([[3.0], [4.0], [5.0]]), torch.tensor([[6.0]])]
    packed = rnn.pack_sequence(sequences, enforce_sorted=False)
    assert packed.data.tolist() == [[3.0], [1.0], [6.0], [4.0], [2.0], [5.0]] and packed.batch_sizes.tolist() == [3, 2, 1]
    assert packed.sorted_indices.tolist() == [1, 0, 2] and packed.unsorted_indices.tolist() == [1, 0, 2]
    assert [x.tolist() for x in rnn.unpack_sequence(packed)] == [x.tolist() for x in sequences]
    padded, lengths = rnn.pad_packed_sequence(packed, padding_value=-1.0, total_length=4)
    assert padded.shape == (4, 3, 1) and lengths.tolist() == [2, 3, 1] and padded[:, 2, 0].tolist() == [6.0, -1.0, -1.0, -1.0]
    assert packed.double().data.dtype == torch.float64 and packed.to(torch.float16).batch_sizes.dtype == torch.int64
    data, sizes, order, places = packed
    assert data is packed.data and sizes is packed.batch_sizes and order is packed.sorted_indices and places is packed.unsorted_indices
    assert rnn.pack_sequence(sorted(sequences, key=len, reverse=True)).sorted_indices is None
    assert rnn.invert_permutation(torch.tensor([2, 0, 1])).tolist() == [1, 2, 0] and rnn.invert_permutation(None) is None


@pytest.mark.parametrize(
    "lengths, batch_first, enforce_sorted, error, text",
    [
        ([2, 3], False, True, RuntimeError, "must be sorted in decreasing order"),
        ([3, 2, 1], False, True, RuntimeError, "got 3 \\(batch_size=2\\)"),
        ([3, 0], False, True, RuntimeError, "greater than 0"),
        ([4, 2], False, True, RuntimeError, "up to 3"),
        ([3, 2], True, False, RuntimeError, "batch_size=3"),
    ],
)
def test_lengths_that_are_refused(lengths, batch_first, enforce_sorted, error, text):
    with pytest.raises(error, match=text):
        nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 2, 1), lengths, batch_first, enforce_sorted)


def test_packed_sequences_that_are_refused():
    rnn = nn.utils.rnn
    packed = rnn.pack_padded_sequence(torch.zeros(3, 2, 1), [3, 1])
    with pytest.raises(ValueError, match="total_length=2 and max sequence length being 3"):
        rnn.pad_packed_sequence(packed, total_length=2)
    with pytest.raises(RuntimeError, match="Expected 2, got 1"):
        nn.GRU(2, 3)(packed)
    with pytest.raises(RuntimeError, match="Expected hidden size"):
        nn.GRU(1, 3)(packed, torch.zeros(1, 3, 3))
    with pytest.raises(RuntimeError, match="empty"):
        rnn.pack_padded_sequence(torch.zeros(0, 2, 1), [1, 1])


def test_reparametrized_modules():
    """Parameters are others, in their order, and come back with the values that calls have had."""
    utils = nn.utils
    for divide, undo, names in (
        (utils.weight_norm, utils.remove_weight_norm, ["bias", "weight_g", "weight_v"]),
        (utils.spectral_norm, utils.remove_spectral_norm, ["bias", "weight_orig", "weight_u", "weight_v"]),
    ):
        name = divide.__name__
        layer = divide(nn.Linear(3, 4)).eval()
        assert list(layer.state_dict()) == names and not isinstance(layer.weight, nn.Parameter) and "weight" not in layer._parameters
        x = torch.ones(2, 3)
        before = layer(x)
        with pytest.raises(RuntimeError, match=f"Cannot register two {name} hooks on the same parameter weight"):
            divide(layer)
        assert undo(layer) is layer and list(layer.state_dict()) == ["bias", "weight"]
        assert torch.allclose(layer(x), before) and isinstance(layer.weight, nn.Parameter)
        with pytest.raises(ValueError, match=f"{name} of 'weight' not found in Linear"):
            undo(layer)
    with pytest.raises(ValueError, match="n_power_iterations=0"):
        utils.spectral_norm(nn.Linear(2, 2), n_power_iterations=0)
    with pytest.raises(AttributeError, match="no attribute 'w'"):
        utils.weight_norm(nn.Linear(2, 2), "w")
    # Two calls before one derivative: the second changes what the estimate begins with.
    layer = utils.spectral_norm(nn.Linear(3, 3))
    (layer(torch.ones(1, 3)) + layer(torch.ones(1, 3))).sum().backward()
    assert layer.weight_orig.grad is not None and layer.weight_u.grad is None


def test_hooks_of_keywords_and_of_failures():
    class Scaled(nn.Module):
        def forward(self, x, by=1.0):
            if by == 0:
                raise ValueError("by 0")
            return x * by

    scaled, seen = Scaled(), []
    scaled.register_forward_pre_hook(lambda module, args, kwargs: (args, {"by": kwargs.get("by", 1.0) * 2}), with_kwargs=True)
    scaled.register_forward_hook(lambda module, args, kwargs, result: seen.append(("second", kwargs)), with_kwargs=True)
    handle = scaled.register_forward_hook(lambda module, args, result: seen.append(("first", result)), prepend=True, always_call=True)
    assert scaled(torch.tensor(1.0), by=3.0).item() == 6.0
    assert [name for name, _ in seen] == ["first", "second"] and seen[1][1] == {"by": 6.0}
    with pytest.raises(ValueError, match="by 0"):
        scaled(torch.tensor(1.0), by=0.0)
    assert seen[2:] == [("first", None)]
    handle.remove()
    assert scaled(torch.tensor(1.0)).item() == 2.0 and [name for name, _ in seen[3:]] == ["second"]
    scaled.register_forward_pre_hook(lambda module, args, kwargs: args, with_kwargs=True)
    with pytest.raises(RuntimeError, match="new_args, new_kwargs"):
        scaled(torch.tensor(1.0))


@pytest.mark.parametrize("both", [False, True])
def test_sequences_of_no_steps_are_refused(both):
    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        with pytest.raises(RuntimeError, match="Expected sequence length to be larger than 0"):
            layer(2, 3, bidirectional=both)(torch.zeros(0, 2, 2))
