"""What scripts ask PyTorch of the machine, and what they set for the process."""

import copy
import pickle

import ivyrs
import numpy as np
import pytest
from ivyrs.frontends import torch


def test_devices_are_those_of_the_backend():
    where = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    assert where == "cpu" and torch.cuda.device_count() == 0 and not torch.xpu.is_available() and not torch.mps.is_available()
    x = torch.ones(2, 3)
    assert x.is_cpu and not (x.is_cuda or x.is_meta or x.is_mps or x.is_sparse or x.is_quantized) and x.get_device() == -1
    assert x.cuda() is x and x.pin_memory() is x and x.share_memory_() is x and not x.is_pinned() and x.to_dense() is x
    assert torch.get_default_device() == torch.device("cpu") and torch.set_default_device("cpu") is None
    model = torch.nn.Linear(2, 1)
    assert model.cuda() is model and model.bfloat16().weight.dtype == torch.bfloat16
    torch.cuda.manual_seed_all(4)
    first = torch.rand(3)
    torch.manual_seed(4)
    assert torch.equal(first, torch.rand(3))


def test_settings_are_remembered():
    assert not torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled() and torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False)
    assert torch.get_float32_matmul_precision() == "highest"
    torch.set_float32_matmul_precision("high")
    with pytest.warns(UserWarning, match="has no effect"):
        torch.set_float32_matmul_precision("low")
    assert torch.get_float32_matmul_precision() == "high"
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.benchmark = torch.backends.cudnn.deterministic = True
    assert torch.backends.cudnn.version() is None and not torch.backends.cudnn.is_available()
    torch.set_num_threads(torch.get_num_threads())
    torch.set_default_tensor_type("torch.DoubleTensor")
    assert torch.ones(1).dtype == torch.float64
    torch.set_default_tensor_type(torch.float32)
    assert torch.ones(1).dtype == torch.float32


def test_versions_follow_the_rules_in_force():
    assert torch.__version__ == "2.13.0" and torch.version.cuda is None
    with torch.set_version("2.2"):
        assert torch.__version__ == "2.2.0" and torch.__version__ < "2.13"
    # By numbers, where text would put 2.13 before 2.5.
    found = torch.__version__
    assert "2.5" < found and found >= "2.13" and found <= (2, 13) and found > (2, 9, 1) and not found > "2.13.0"
    with pytest.raises(TypeError):
        found < 3


def test_layouts_and_orders_of_memory():
    x = torch.ones(1, 2, 2, 2)
    assert x.layout is torch.strided and repr(x.layout) == str(x.layout) == "torch.strided"
    assert isinstance(torch.channels_last, torch.memory_format) and isinstance(torch.strided, torch.layout)
    assert x.contiguous(memory_format=torch.channels_last).shape == x.shape
    assert torch.empty(2, layout=torch.strided).shape == (2,)
    assert pickle.loads(pickle.dumps(torch.channels_last)) == copy.deepcopy(torch.channels_last) == torch.channels_last


def test_names_dlpack_and_new_tensors():
    assert torch.typename(torch.ones(1)) == "torch.FloatTensor" and torch.typename(3) == "int"
    assert torch.from_dlpack(np.arange(3.0)).dtype == torch.float64
    assert torch.utils.dlpack.from_dlpack(ivyrs.asarray([1, 2])).tolist() == [1, 2]
    x = torch.ones(2)
    assert x.new(2, 3).shape == x.new(torch.Size([2, 3])).shape == (2, 3) and x.new([1, 2]).tolist() == [1.0, 2.0] and x.new().shape == (0,)
    assert x.name is None and x.output_nr == 0 and not x.is_inference()


def test_compiled_functions_and_modules_give_the_same():
    def f(x):
        return (x * 2).sum()

    x = torch.arange(4.0)
    assert torch.compile(f)(x) == torch.compile(mode="max-autotune")(f)(x) == f(x) == 12
    model = torch.nn.Linear(2, 1)
    assert torch.compile(model) is model


@pytest.mark.parametrize(
    "call, error, said",
    [
        (lambda: torch.set_num_threads(0), RuntimeError, "positive integer"),
        (lambda: torch.set_num_threads("2"), TypeError, "expects an int, but got str"),
        (lambda: torch.set_default_tensor_type(3), TypeError, "only floating-point types"),
        (lambda: torch.sparse_coo, AttributeError, "sparse_coo"),
        (lambda: torch.set_num_threads(1000), NotImplementedError, "RAYON_NUM_THREADS=1000"),
        (lambda: torch.set_default_device("cuda"), NotImplementedError, "ivyrs.set_backend chooses it"),
        (lambda: torch.cuda.current_device(), RuntimeError, "computes on the CPU"),
        (lambda: torch.from_dlpack(3), TypeError, "not int"),
        (lambda: torch.compile(3), RuntimeError, "not int"),
        (lambda: torch.set_default_tensor_type("torch.LongTensor"), TypeError, "only floating-point types"),
        (lambda: torch.cuda.get_device_name(), AttributeError, "torch has no `cuda.get_device_name` here"),
    ],
)
def test_what_is_not_there_is_said(call, error, said):
    with pytest.raises(error, match=said):
        call()


def test_functions_that_change_their_tensor():
    x = torch.tensor([0.25, 4.0])
    row = x[0:1]
    assert torch.sqrt_(x) is x and x.tolist() == [0.5, 2.0] and row.tolist() == [0.5]
    assert torch.clamp_(x, max=1.0).tolist() == [0.5, 1.0] and torch.relu_(torch.neg_(x)).tolist() == [0.0, 0.0]
    leaf = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        torch.exp_(leaf)
    y = leaf * 2
    torch.exp_(y).sum().backward()
    assert torch.allclose(leaf.grad, 2 * torch.exp(torch.tensor(2.0)) * torch.ones(2))
    torch.manual_seed(0)
    drawn = torch.empty(4000).geometric_(0.25)
    assert drawn.min() == 1 and abs(float(drawn.mean()) - 4) < 0.3
    assert abs(float(torch.empty(4001).cauchy_(3.0, 0.5).median()) - 3) < 0.1
    assert abs(float(torch.empty(4000).log_normal_(0.0, 0.5).log().mean())) < 0.1
