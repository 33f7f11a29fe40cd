"""PyTorch's hooks, functions of one's own, gradient checks, default dtypes, devices and files."""

import io
import pickle
import zipfile
from pathlib import Path

import ivyrs
import numpy as np
import pytest
from ivyrs.frontends import torch
from ivyrs.frontends.torch.autograd import Function, gradcheck, gradgradcheck
from ivyrs.frontends.torch.autograd.function import once_differentiable

DOUBLE = {"dtype": torch.float64, "requires_grad": True}


@pytest.fixture(params=["ndarray", "jit"])
def backend(request):
    with ivyrs.with_backend(request.param):
        yield request.param


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return gradient * y


class Scaled(Function):
    @staticmethod
    def forward(x, factor, y):
        return x * factor + y, x.detach() > 0

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, gradient, _):
        return gradient * ctx.factor, None, gradient


def test_hooks_see_gradients(backend):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    seen = []
    handle = y.register_hook(seen.append)
    with x.register_hook(lambda g: g * 10) as _:
        y.sum().backward(retain_graph=True)
    assert seen[0].tolist() == [1.0, 1.0] and x.grad.tolist() == [30.0, 30.0]
    handle.remove()
    handle.remove()
    x.grad = None
    y.sum().backward()
    assert len(seen) == 1 and x.grad.tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        torch.ones(2).register_hook(print)
    with pytest.raises(TypeError):
        x.register_hook(3)


def test_what_a_hook_raises_is_raised(backend):
    x = torch.ones(2, requires_grad=True)

    def refuse(gradient):
        raise KeyError("mine")

    with x.register_hook(refuse), pytest.raises(KeyError, match="mine"):
        (x * x).sum().backward()
    assert x.grad is None
    with x.register_hook(lambda g: g.sum()), pytest.raises(RuntimeError, match="shape of the gradient"):
        (x * x).sum().backward()
    with x.register_hook(lambda g: 3), pytest.raises(TypeError, match="a hook gives a Tensor or None"):
        (x * x).sum().backward()
    # Nothing is left behind of them.
    with pytest.raises(RuntimeError, match="scalar outputs"):
        (x * x).backward()
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_graph_is_walked_once(backend):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 12.0
    with pytest.raises(RuntimeError, match="a second time"):
        y.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        torch.autograd.grad(y, x)
    # Sums save nothing.
    z = (x + 1).sum()
    z.backward()
    z.backward()
    assert x.grad.item() == 14.0
    once = torch.autograd.grad(x**3, x, create_graph=True)[0]
    assert torch.autograd.grad(once, x)[0].item() == 18.0


def test_functions_have_backwards_of_their_own(backend):
    x = torch.tensor([0.5, -1.0], **DOUBLE)
    y = Exp.apply(x)
    assert y.requires_grad and not y.is_leaf and y.grad_fn.name() == "ExpBackward"
    y.sum().backward()
    assert np.allclose(x.grad.numpy(), np.exp([0.5, -1.0]))
    assert gradcheck(Exp.apply, x) and gradgradcheck(Exp.apply, x)
    w = torch.tensor(2.0, **DOUBLE)
    z, positive = Scaled.apply(x, 3.0, w * torch.ones(2, dtype=torch.float64))
    assert z.tolist() == [3.5, -1.0] and positive.tolist() == [True, False] and not positive.requires_grad
    x.grad = None
    z.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0] and w.grad.item() == 2.0
    with torch.no_grad():
        assert not Exp.apply(x).requires_grad
    assert not Exp.apply(torch.ones(2)).requires_grad
    assert Exp.apply(torch.ones(())).item() == pytest.approx(np.e)
    with pytest.raises(RuntimeError, match="Exp.apply"):
        Exp()


def test_wrong_functions_say_so(backend):
    def function(answer, materialize=True):
        class Own(Function):
            @staticmethod
            def forward(ctx, x, y):
                ctx.set_materialize_grads(materialize)
                return x * 1, y * 1

            @staticmethod
            def backward(ctx, *gradients):
                return answer(ctx, *gradients)

        return Own.apply

    x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
    cases = [
        (lambda ctx, a, b: a, RuntimeError, "incorrect number of gradients .expected 2, got 1"),
        (lambda ctx, a, b: (a, a), RuntimeError, r"at index 1 - got \[2\] but expected shape compatible with \[3\]"),
        (lambda ctx, a, b: (a, "b"), TypeError, "backward gives a Tensor or None, not str"),
        (lambda ctx, a, b: {}["mine"], KeyError, "mine"),
    ]
    for answer, error, text in cases:
        a, b = function(answer)(x, y)
        with pytest.raises(error, match=text):
            (a.sum() + b.sum()).backward()
    # Gradients that nobody asked for.
    given = []
    a, b = function(lambda ctx, *g: given.append(g) or g)(x, y)
    a.sum().backward()
    a, b = function(lambda ctx, *g: given.append(g) or g, materialize=False)(x, y)
    a.sum().backward()
    assert given[0][1].tolist() == [0.0] * 3 and given[1][1] is None
    # A gradient with the axes of a broadcast is summed, and more gradients may be None.
    a, b = function(lambda ctx, p, q: (p.expand(4, 2), q, None))(x, y)
    x.grad = None
    (a.sum() + b.sum()).backward()
    assert x.grad.tolist() == [4.0, 4.0]
    with pytest.raises(TypeError, match="can only save tensors"):

        class Saves(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(3)

        Saves.apply(x)
    with pytest.raises(NotImplementedError, match="forward"):
        Function.apply(x)


def test_a_backward_without_gradients_of_its_own():
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, gradient):
            return 2 * ctx.saved_tensors[0] * gradient

    x = torch.tensor(3.0, requires_grad=True)
    (once,) = torch.autograd.grad(Square.apply(x), x, create_graph=True)
    assert once.item() == 6.0 and not once.requires_grad


CHECKED = {
    "mul": (lambda x, y: x * y, 2),
    "matmul": (lambda x, y: x.reshape(2, 2) @ y.reshape(2, 2), 2),
    "softmax": (lambda x: torch.softmax(x, 0), 1),
    "norm": (lambda x: torch.linalg.norm(x), 1),
    "two results": (lambda x: (torch.sin(x), torch.cumsum(x, 0)), 1),
    "indexing": (lambda x: x[torch.tensor([0, 0, 2])], 1),
}


@pytest.mark.parametrize("name", CHECKED)
def test_gradients_are_those_of_differences(backend, name):
    function, count = CHECKED[name]
    torch.manual_seed(3)
    inputs = tuple(torch.randn((4,), dtype=torch.float64).requires_grad_() for _ in range(count))
    assert gradcheck(function, inputs) and gradgradcheck(function, inputs)


def test_checks_find_wrong_gradients():
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    x = torch.tensor([1.0, 2.0], **DOUBLE)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input 0"):
        gradcheck(Wrong.apply, x)
    assert gradcheck(Wrong.apply, x, raise_exception=False) is False
    with pytest.raises(ValueError, match="requires_grad=True"):
        gradcheck(torch.sin, torch.ones(2))
    z = torch.tensor([1 + 2j, -0.5j], dtype=torch.complex128, requires_grad=True)
    assert gradcheck(lambda z: (z * z, torch.abs(z)), z)


def test_the_graph_is_seen():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * 2).sum()
    assert repr(x) == "tensor([1., 2.], requires_grad=True)" and repr(y) == "tensor(6., grad_fn=<SumBackward0>)"
    assert x.grad_fn is None and y.grad_fn.name() == "SumBackward0"
    (node, at), *_ = y.grad_fn.next_functions
    assert node.name() == "MultiplyBackward0" and at == 0
    assert node.next_functions[0][0].name() == "AccumulateGrad" and node.next_functions[1] == (None, 0)
    wide = torch.zeros(12, requires_grad=True) * 1
    assert repr(wide).endswith(",\n       grad_fn=<MultiplyBackward0>)")
    assert repr(torch.ones(1, dtype=torch.float64, requires_grad=True)) == "tensor([1.], dtype=torch.float64, requires_grad=True)"


def test_detached_tensors_become_leaves(backend):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for leaf in (x.detach().requires_grad_(), x.detach().clone().requires_grad_(), torch.arange(4.0)[1:3].requires_grad_()):
        assert leaf.requires_grad and leaf.is_leaf and leaf.grad is None
        (leaf * leaf).sum().backward()
        assert leaf.grad.tolist() == [2.0, 4.0] and x.grad is None
    with torch.no_grad():
        leaf = x.detach()
        leaf.requires_grad = True
    assert leaf.requires_grad and x.detach().requires_grad_(False).requires_grad is False


def test_tensors_are_formatted():
    x = torch.tensor([1.0, 2.0])
    assert f"{x}" == "tensor([1., 2.])" and f"{x.sum():.2f}" == "3.00" and f"{x[0]}" == "1.0"
    with pytest.raises(TypeError):
        f"{x:.2f}"


def test_the_default_dtype_is_set():
    assert torch.get_default_dtype() == torch.float32
    try:
        torch.set_default_dtype(torch.float64)
        assert torch.get_default_dtype() == torch.float64
        assert torch.tensor([1.0]).dtype == torch.zeros(2).dtype == torch.rand(2).dtype == torch.float64
        assert torch.sin(torch.tensor([1])).dtype == torch.float64 and torch.tensor(1j).dtype == torch.complex128
        assert (torch.tensor([1]) * 1.5).dtype == torch.float64 and torch.ones(2, dtype=torch.float32).add(1.5).dtype == torch.float32
        for wrong in (torch.int64, torch.complex64):
            with pytest.raises(TypeError, match="only floating-point types"):
                torch.set_default_dtype(wrong)
        torch.set_default_dtype(torch.float16)
        assert torch.tensor([1.0]).dtype == torch.float16
    finally:
        torch.set_default_dtype(torch.float32)
    assert torch.tensor([1.0]).dtype == torch.float32


def test_devices_are_objects():
    device = torch.device
    assert repr(device("cuda:1")) == "device(type='cuda', index=1)" and str(device("cuda", 1)) == "cuda:1"
    assert device("cpu") == device(device("cpu")) != device("cuda") and device(2) == device("cuda:2") and {device("cpu"): 1}[device("cpu")] == 1
    assert pickle.loads(pickle.dumps(device("cuda:3"))) == device("cuda:3")
    for wrong, error in [("toaster", RuntimeError), ("cuda:x", RuntimeError), (("cuda:0", 1), RuntimeError), (1.5, TypeError), (("cuda", -1), RuntimeError)]:
        with pytest.raises(error):
            device(*wrong) if isinstance(wrong, tuple) else device(wrong)
    with pytest.raises(AttributeError):
        device("cpu").type = "cuda"
    x = torch.zeros(2, device=device("cpu"))
    assert x.device == device("cpu") and x.to(device("cpu")).tolist() == [0.0, 0.0] and torch.nn.Linear(2, 1).to(device("cpu")) is not None


def test_arrays_of_numpy():
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    y = torch.from_numpy(x.T)
    assert y.dtype == torch.int16 and y.tolist() == x.T.tolist()
    for wrong in ([1, 2], 3, np.float32(1), torch.ones(2)):
        with pytest.raises(TypeError, match="expected np.ndarray"):
            torch.from_numpy(wrong)


DTYPES = ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128"]


def test_what_is_saved_is_loaded(tmp_path):
    torch.manual_seed(0)
    shared = torch.arange(3)
    saved = {name: (torch.randn(2, 3) * 3).to(torch.complex64 if name.startswith("complex") else torch.float32).to(getattr(torch, name)) for name in DTYPES}
    saved |= {"empty": torch.zeros(0, 2), "scalar": torch.tensor(2.5), "view": torch.arange(6).reshape(2, 3).t(), "leaf": torch.ones(1, requires_grad=True)}
    saved |= {"plain": [1, "text", (None, 2.5)], "dtype": torch.float16, "shape": torch.Size([2, 3]), "twice": [shared, shared]}
    path = tmp_path / "all.pt"
    torch.save(saved, path)
    for source in (path, str(path), io.BytesIO(path.read_bytes())):
        loaded = torch.load(source)
        for name in [*DTYPES, "empty", "scalar", "view", "leaf"]:
            assert loaded[name].dtype == saved[name].dtype and tuple(loaded[name].shape) == tuple(saved[name].shape)
            assert loaded[name].tolist() == saved[name].tolist()
        assert loaded["leaf"].requires_grad and loaded["plain"] == saved["plain"] and loaded["dtype"] == torch.float16 and loaded["shape"] == (2, 3)
    with zipfile.ZipFile(path) as file:
        # One entry for a tensor that is there twice.
        assert len([n for n in file.namelist() if "/data/" in n]) == len(DTYPES) + 5 and "all/version" in file.namelist()


def test_models_are_saved(tmp_path):
    torch.manual_seed(0)
    model, other = (torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)) for _ in range(2))
    path = tmp_path / "model.pth"
    torch.save(model.state_dict(), path)
    other.load_state_dict(torch.load(path))
    assert [p.tolist() for p in other.parameters()] == [p.tolist() for p in model.parameters()]
    parameter = torch.nn.Parameter(torch.ones(2))
    torch.save(parameter, path)
    assert isinstance(torch.load(path), torch.nn.Parameter)


class Code:
    def __reduce__(self):
        return print, ("run",)


def test_files_that_are_wrong(tmp_path):
    path = tmp_path / "wrong.pt"
    path.write_bytes(b"no zip file")
    with pytest.raises(RuntimeError, match="zip files"):
        torch.load(path)
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "nothing.pt")
    torch.save(Code(), path)
    with pytest.raises(pickle.UnpicklingError, match="weights_only=False"):
        torch.load(path)
    torch.save(torch.ones(4), path)
    cut = tmp_path / "cut.pt"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(cut, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name)[:8] if "/data/" in name else old.read(name))
    with pytest.raises(pickle.UnpicklingError, match="8 bytes"):
        torch.load(cut)
    with pytest.raises(TypeError, match="uint16"):
        torch.save(torch.ones(2).to(torch.uint16), path)
    # What failed has not touched the file.
    assert torch.load(path).tolist() == [1.0] * 4


def test_what_pytorch_has_saved():
    """The file is PyTorch's own (tools/record_frontend/torch_saved.py)."""
    loaded = torch.load(Path(__file__).with_name("torch_saved.pt"))
    for name in DTYPES:
        expected = [[0, 1, 2], [3, 5, 7]] if name != "bool" else [[False, True, True], [True] * 3]
        assert loaded[name].dtype == getattr(torch, name) and loaded[name].tolist() == expected
    assert loaded["columns"].tolist() == [[1, 2], [5, 6], [9, 10]] and loaded["transposed"].tolist()[1] == [1, 5, 9]
    assert isinstance(loaded["parameter"], torch.nn.Parameter) and loaded["parameter"].tolist() == [1.0, 2.0]
    assert loaded["leaf"].requires_grad and tuple(loaded["empty"].shape) == (0, 2)
    assert loaded["plain"] == {"step": 3, "rate": 0.5, "name": "run", "shape": (2, 3), "dtype": torch.float16}
    model = torch.nn.Linear(2, 1)
    model.load_state_dict(loaded["state"])
    assert model(torch.tensor([[1.0, 1.0]])).item() == -0.75


def test_values_to_fill_with_have_no_axes():
    x, mask = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([True, False, True])
    value = torch.tensor([5.0, 6.0, 7.0], requires_grad=True)
    for call in (
        lambda: torch.masked_fill(x, mask, value),
        lambda: torch.index_fill(x, 0, torch.tensor([0]), value),
        lambda: x.clone().fill_(value),
    ):
        with pytest.raises(RuntimeError, match="host scalar"):
            call()
    number = torch.tensor(5.0, requires_grad=True)
    torch.masked_fill(x, mask, number).sum().backward()
    assert number.grad.item() == 2
    with pytest.raises(RuntimeError, match="square"):
        torch.linalg.matrix_rank(torch.ones(2, 3), hermitian=True)
    with pytest.raises(TypeError):
        torch.is_conj(3)


def test_gradients_of_another_form_and_cotangents_that_are_none_are_refused():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"\(3,\)"):
        x.grad = torch.ones(3)
    with pytest.raises(RuntimeError, match="float64"):
        x.grad = torch.ones(2, dtype=torch.float64)
    with pytest.raises(TypeError, match="a Tensor or None is needed, not int"):
        (x * 2).backward(3)
    assert x.grad is None
