"""PyTorch beside ivyrs: memory that both see, nothing that leaks, and one libtorch in the process."""

import gc
import subprocess
import sys

import numpy as np
import pytest

import ivyrs

torch = pytest.importorskip("torch", reason="PyTorch is not installed: python -m pip install torch==2.13.0")

EAGER = [place for place in ("ndarray", "candle", "torch") if any(b[0] == place and b[1] for b in ivyrs.backends())]
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128".split()


def tensor(name):
    return torch.tensor([[0, 1, 1], [1, 0, 1]]).to(getattr(torch, name))


@pytest.mark.parametrize("name", NAMES)
def test_values_both_ways(xp, name):
    t = tensor(name)
    for x in (xp.asarray(t), xp.from_dlpack(t)):
        assert x.dtype == getattr(xp, name) and x.tolist() == t.tolist()
        back = torch.from_dlpack(x)
        assert back.dtype == t.dtype and back.tolist() == t.tolist()
    view = t[:, ::2].T
    assert xp.asarray(view).tolist() == view.tolist()
    assert xp.asarray(t[0:0]).shape == (0, 3) and xp.asarray(t[0, 0]).shape == ()


def test_nothing_is_copied():
    xp = ivyrs.namespace("ndarray")
    t = torch.arange(1000.0)
    for x in (xp.asarray(t), xp.from_dlpack(t), xp.from_dlpack(t, copy=False)):
        assert np.asarray(x).__array_interface__["data"][0] == t.data_ptr()
        assert torch.from_dlpack(x).data_ptr() == t.data_ptr()
    assert np.asarray(xp.from_dlpack(t, copy=True)).__array_interface__["data"][0] != t.data_ptr()
    own = xp.arange(1000.0)
    assert torch.from_dlpack(own).data_ptr() == np.asarray(own).__array_interface__["data"][0]
    # A write copies first: the tensor stays as it is.
    x = xp.asarray(t)
    x[0] = 5.0
    assert t[0] == 0.0 and float(x[0]) == 5.0


def test_tensors_that_cannot_be_given(xp):
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        xp.from_dlpack(torch.ones(2, requires_grad=True))
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        xp.from_dlpack(torch.ones(2, dtype=torch.complex64).conj())
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        xp.from_dlpack(torch.eye(2).to_sparse())
    with pytest.raises((BufferError, RuntimeError, TypeError, ValueError)):
        xp.from_dlpack(torch.ones(2, device="meta"))


def resident():
    """The process's own memory, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.leaks
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_leaks(xp):
    def round_trip():
        t = torch.zeros(1 << 20)
        x = xp.asarray(t)
        back = torch.from_dlpack(x + 1.0)
        capsule = x.__dlpack__(max_version=(1, 0))
        legacy = x.__dlpack__()
        assert back[0] == 1.0
        with pytest.raises(BufferError):
            xp.from_dlpack(torch.ones(2, requires_grad=True))
        del capsule, legacy

    for _ in range(5):
        round_trip()
    gc.collect()
    before = resident()
    for _ in range(60):
        round_trip()
    gc.collect()
    # Sixty rounds that kept one array of 4 MiB each would be 240 MiB.
    assert resident() - before < 64 << 20


ORDERS = {
    "PyTorch first": "import torch; import ivyrs",
    "ivyrs first": "import ivyrs; x = ivyrs.namespace('torch').ones(3) + 1.0; assert x.tolist() == [2.0] * 3; import torch",
}


@pytest.mark.skipif("torch" not in EAGER, reason="this build has no torch backend")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("order", ORDERS)
def test_one_libtorch(order):
    program = f"""
{ORDERS[order]}
xp = ivyrs.namespace("torch")
t = torch.ones(4)
assert (xp.asarray(t) + 1.0).tolist() == (t + 1.0).tolist() == [2.0] * 4
with open("/proc/self/maps") as file:
    mapped = {{line.split()[-1] for line in file if line.rstrip().endswith("/libtorch_cpu.so")}}
assert len(mapped) == 1, mapped
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr


def test_a_view_of_another_dtype_shares_memory():
    x = torch.tensor([[1.0, -2.0], [0.5, 0.0]])
    bits = x.view(torch.int32)
    assert bits.tolist() == [[0x3F800000, -0x40000000], [0x3F000000, 0]]
    bits[0, 0] = 0x40000000
    assert x.tolist() == [[2.0, -2.0], [0.5, 0.0]]
    assert x.view(torch.int16).shape == (2, 4)
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1 to view float32 as int16"):
        x.t().view(torch.int16)
    with pytest.raises(RuntimeError, match="use .reshape|Use .reshape"):
        x.t().view(4)
