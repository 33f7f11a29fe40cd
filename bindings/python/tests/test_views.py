"""Views of frontends: writes go through, in NumPy's and PyTorch's ways."""

import gc
import os
import random
import threading

import ivyrs
import numpy
import pytest
from ivyrs import _ivyrs
from ivyrs.frontends import numpy as np
from ivyrs.frontends import torch

SEED = int(os.environ.get("IVY_TEST_SEED", "1"))
BACKENDS = [name for name, version, _ in ivyrs.backends() if version and not name.startswith("jit:cuda")]


def index(choose, shape):
    """A basic index expression of a shape, as text."""
    entries = []
    for length in shape:
        kind = choose.randrange(6)
        if kind == 0 and length:
            entries.append(str(choose.randrange(-length, length)))
        elif kind < 3:
            bounds = [choose.choice(["", str(choose.randrange(-length - 1, length + 2))]) for _ in range(2)]
            entries.append(f"{bounds[0]}:{bounds[1]}:{choose.choice(['', '1', '2', '-1', '-2', '3'])}")
        else:
            entries.append(":")
    if choose.random() < 0.2:
        entries.insert(choose.randrange(len(entries) + 1), "None")
    if choose.random() < 0.2:
        entries = entries[: choose.randrange(len(entries) + 1)] + ["..."]
    return f"v[{', '.join(entries) or '...'}]"


def step(choose, v):
    """A function that may give a view, as text."""
    shape = v.shape
    n = v.ndim
    kinds = ["v.T", "v.reshape(-1)", "np.ravel(v)", "np.squeeze(v)", "np.atleast_2d(v)", "np.asarray(v)", "v.real"]
    kinds.append(f"np.expand_dims(v, {choose.randrange(-n - 1, n + 1)})")
    kinds += [index(choose, shape)] * 8
    if n:
        a, b = choose.randrange(n), choose.randrange(n)
        kinds += [f"v.swapaxes({a}, {b})", f"np.moveaxis(v, {a}, {b})", f"np.flip(v, {a})"]
        kinds.append(f"np.array_split(v, 2, {a})[{choose.randrange(2)}]")
        kinds.append(f"v.reshape({tuple(reversed(shape))})")
        kinds.append(f"v.reshape({(*shape[:-1], -1, 1)})" if v.size else "v.T")
    if n >= 2:
        kinds.append(f"np.rot90(v, {choose.randrange(4)})")
        a, b = choose.sample(range(n), 2)
        kinds.append(f"np.diagonal(v, {choose.randrange(-2, 3)}, {a}, {b})")
    if n and all(shape):
        a = choose.randrange(n)
        windows = "np.lib.stride_tricks.sliding_window_view"
        kinds.append(f"{windows}(v, {choose.randint(1, shape[a])}, {a})")
    return choose.choice(kinds)


def write(choose, v):
    """A statement that writes to v, as text."""
    kinds = ["v += 10", "v[...] = -1", "v *= v", "v.fill(3)", "np.add(v, 1, out=v)", "v -= v[...]"]
    if v.ndim:
        kinds += [f"{index(choose, v.shape)} = {choose.randrange(100)}", "v[::-1] += v", "v[1:] += v[:-1]"]
    if v.ndim == 1 and v.size:
        kinds.append(f"v[[{choose.randrange(v.size)}]] = 5")
    if v.ndim == 2:
        kinds.append("v[v > 20] = 7")
    return choose.choice(kinds)


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_programs_give_what_numpy_gives(backend):
    choose = random.Random(SEED)
    ivyrs.set_backend(backend)
    try:
        for _ in range(60):
            shape = choose.choice([(24,), (4, 6), (2, 3, 4), (5,), (3, 1, 4), (0, 3), (6, 4)])
            size = int(numpy.prod(shape))
            theirs = [numpy.arange(size).reshape(shape).copy()]
            ours = [np.array(theirs[0])]
            program = [f"shape {shape}"]
            for _ in range(8):
                at = choose.randrange(len(theirs))
                v = theirs[at]
                make = choose.random() < 0.6 or v.ndim == 0 or not v.flags.writeable
                assert ours[at].flags.writeable == v.flags.writeable, program
                text = step(choose, v) if make else write(choose, v)
                program.append(f"v{at}: {text}")
                if make:
                    new = eval(text, {"np": numpy, "v": v})
                    if not isinstance(new, numpy.ndarray):
                        continue
                    theirs.append(new)
                    ours.append(eval(text, {"np": np, "v": ours[at]}))
                else:
                    exec(text, {"np": numpy, "v": v})
                    exec(text, {"np": np, "v": ours[at]})
                for their, our in zip(theirs, ours, strict=True):
                    assert our.tolist() == their.tolist(), program
                    assert our.shape == their.shape, program
            for their, our in zip(theirs, ours, strict=True):
                assert np.shares_memory(our, ours[0]) == numpy.shares_memory(their, theirs[0]), program
                if their.size > 1:
                    assert our.flags.c_contiguous == their.flags.c_contiguous, program
                    assert [s for s, d in zip(our.strides, our.shape, strict=True) if d > 1] == [
                        s for s, d in zip(their.strides, their.shape, strict=True) if d > 1
                    ], program
    finally:
        ivyrs.previous_backend()


def test_copies_are_copies():
    a = np.arange(6)
    for copy in (a.flatten(), a.copy(), a[[0, 1]], a[a > 0], np.array(a), np.asarray(a, copy=True), a.take([0]), a + 0):
        copy[0] = 99
        assert copy.base is None
    assert a.tolist() == [0, 1, 2, 3, 4, 5]
    assert np.asarray(a) is a and a[:].base is a and a[1:][1:].base is a


def test_rows_of_a_loop_write_through():
    a = np.zeros((3, 2))
    for i, row in enumerate(a):
        row += i
    a[0] += 5
    assert a.tolist() == [[5, 5], [1, 1], [2, 2]]


def test_parts_of_complex_numbers_and_bytes():
    z = np.zeros(3, dtype=np.complex128)
    z.real = [1, 2, 3]
    z.imag[1] = float("inf")
    assert z.tolist() == [1, complex(2, float("inf")), 3]
    words = np.zeros(2).view(np.int64)
    words[0] = 0x3FF0000000000000
    assert words.view(np.float64).tolist() == [1.0, 0.0]
    x = np.arange(4, dtype=np.int32)
    x[1:3].view(np.int16)[0] = 9
    assert x.tolist() == [0, 9, 2, 3]
    with pytest.raises(TypeError, match="imaginary"):
        x.imag = 1


def test_flat_and_shape():
    a = np.arange(6).reshape(2, 3)
    a.T.flat[1] = 9
    assert a.tolist() == [[0, 1, 2], [9, 4, 5]]
    a.flat = [1, 2]
    assert a.tolist() == [[1, 2, 1], [2, 1, 2]]
    assert list(a.flat) == [1, 2, 1, 2, 1, 2] and len(a.flat) == 6
    view = a[0]
    a.shape = 6
    view[1] = 70
    assert a.tolist() == [1, 70, 1, 2, 1, 2]
    with pytest.raises(AttributeError):
        a.reshape(2, 3).T.shape = 6


def test_what_is_broadcast_cannot_be_written_to():
    wide = np.broadcast_to(np.arange(3), (2, 3))
    assert not wide.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        wide[0] = 1


def test_a_failed_write_leaves_all_as_it_was():
    a = np.arange(4)
    view = a[1:]
    for wrong in ([1, 2], [[1], [2]]):
        with pytest.raises(ValueError):
            view[:] = wrong
    with pytest.raises(TypeError):
        view += 0.5
    assert a.tolist() == [0, 1, 2, 3] and view.tolist() == [1, 2, 3]


def test_views_keep_their_owner_and_owners_forget_their_views():
    gc.collect()
    before = _ivyrs.live_arrays()
    row = np.zeros((2, 2))[0]
    for _ in range(100):
        row[:][0] = 1
        row = row[:]
    assert row.base.tolist() == [[1, 0], [0, 0]]
    del row
    gc.collect()
    assert _ivyrs.live_arrays() == before


def test_torch_views():
    x = torch.zeros(2, 3)
    x.t()[0] = 1
    x.view(-1)[5] = 7
    x.unsqueeze(0).select(1, 1).add_(2)
    first, second = x.chunk(2)
    second.narrow(1, 0, 1).mul_(10)
    assert x.tolist() == [[1, 0, 0], [30, 2, 9]]
    assert x.t().stride() == (1, 3) and x[1].storage_offset() == 3 and not x.t().is_contiguous()
    assert x.contiguous() is x and x.t().contiguous()._base is None
    assert x[0, 0].add_(1).item() == 2 and x[0, 0] == 2


def test_diagonals_and_windows_are_views():
    x = torch.ones(3, 3)
    x.diagonal().zero_()
    torch.diagonal(x, 1).fill_(7)
    x.t().diagonal(1)[1] = -1
    assert x.tolist() == [[0, 7, 1], [1, 0, 7], [1, -1, 0]]
    cube = torch.zeros(2, 3, 3)
    torch.linalg.diagonal(cube, offset=-1).add_(torch.tensor([[1.0], [2.0]]))
    assert cube.sum(dim=(1, 2)).tolist() == [2, 4] and cube[:, 2, 1].tolist() == [1, 2]
    y = torch.arange(6.0)
    torch.as_strided(y, (2, 2), (3, 1))[1] = 0
    y.unfold(0, 2, 2)[0, 1] = 9
    y[2:].as_strided((2,), (2,), 2)[0] = 5
    assert y.tolist() == [0, 9, 5, 0, 0, 5]
    assert y.unfold(0, 3, 2).stride() == (2, 1) and torch.tensor(4.0).unfold(0, 1, 1).tolist() == [4]
    with pytest.raises(RuntimeError, match="several of its places are one element"):
        y.unfold(0, 3, 1).zero_()
    with pytest.raises(RuntimeError, match="7 elements are needed, the tensor has 6"):
        y.as_strided((4,), (2,))
    with pytest.raises(RuntimeError, match="do not follow each other"):
        x.t().as_strided((2,), (1,))
    with pytest.raises(RuntimeError, match="identical"):
        x.diagonal(0, 1, -1)
    # The pairs of real numbers of complex ones, and back.
    z = torch.zeros(2, dtype=torch.complex64)
    torch.view_as_real(z)[0, 1] = 3
    torch.view_as_complex(torch.view_as_real(z)[1:]).fill_(1 - 2j)
    assert z.tolist() == [3j, 1 - 2j]


def test_gradients_go_through_diagonals_and_pairs():
    w = torch.ones(2, 2, requires_grad=True)
    y = w * 2
    y.diagonal().mul_(5)
    y.unfold(1, 1, 1)[0, 1, 0] = 0
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert w.grad.tolist() == [[10, 0], [6, 40]]
    u = torch.tensor([1.0, 2.0], requires_grad=True)
    z = torch.complex(u, u * 3)
    pairs = torch.view_as_real(z)
    z.mul_(2)
    (pairs * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum().backward()
    assert u.grad.tolist() == [2 + 60, 200 + 6000]


def test_windows_are_for_reading():
    a = np.arange(12).reshape(3, 4).copy()
    windows = np.lib.stride_tricks.sliding_window_view(a, (2, 2))
    assert windows.shape == (2, 3, 2, 2) and windows.base is a and not windows.flags.writeable
    a[0, 1] = 50
    assert windows[0, :2].tolist() == [[[0, 50], [4, 5]], [[50, 2], [5, 6]]]
    for view in (windows, np.diagonal(a), a.diagonal(1)[1:], np.linalg.diagonal(a)):
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 0
    strided = np.lib.stride_tricks.as_strided(a, (3, 2), (32, 16))
    strided[:, 1] = -1
    assert a.tolist() == [[0, 50, -1, 3], [4, 5, -1, 7], [8, 9, -1, 11]]
    for call, words in [
        (lambda: np.lib.stride_tricks.sliding_window_view(a, 2), "must provide window_shape for all dimensions"),
        (lambda: np.lib.stride_tricks.sliding_window_view(a, 5, 1), "cannot be larger"),
        (lambda: np.lib.stride_tricks.sliding_window_view(a, -1, 1), "negative values"),
        (lambda: np.lib.stride_tricks.sliding_window_view(a, (2, 2), 1), "matching length"),
        (lambda: np.lib.stride_tricks.as_strided(a, (13,), (8,)), "13 elements are needed, the array has 12"),
        (lambda: np.lib.stride_tricks.as_strided(a, (3,), (4,)), "a multiple of 8"),
        (lambda: np.lib.stride_tricks.as_strided(a.T, (3,), (8,)), "do not follow each other"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


def test_torch_views_and_gradients():
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    y[0] = 5
    y[1:].mul_(3)
    y.sum().backward()
    assert w.grad.tolist() == [0, 6, 6]
    with torch.no_grad():
        w[0] = 9
    w.data[1] = 8
    w.detach()[2] = 7
    assert w.tolist() == [9, 8, 7] and w.requires_grad and w.is_leaf
    with pytest.raises(RuntimeError, match="leaf"):
        w[0] += 1


def test_arrays_of_numpy_itself_are_copied_by_what_makes_arrays_and_shared_by_asarray():
    theirs = numpy.zeros(3)
    made = [np.array(theirs), np.copy(theirs), torch.tensor(theirs), np.asarray(theirs, copy=True)]
    shared = np.asarray(theirs)
    theirs[0] = 1
    assert all(x.tolist() == [0, 0, 0] for x in made)
    assert shared.tolist() == [1, 0, 0]
    shared[1] = 2
    assert theirs.tolist() == [1, 0, 0]


def test_numbers_of_numpy_keep_their_dtype():
    for number in (numpy.uint8(9), numpy.array(9, numpy.uint8)):
        assert np.array(number).dtype == np.uint8
        assert (np.array([1], np.int8) + number).dtype == np.int16
    assert (np.array([1], np.float32) * numpy.float64(2)).dtype == np.float64
    assert (torch.ones(1) * numpy.float64(2)).dtype == torch.float32


def test_an_array_by_name_is_viewed_as_one_by_position():
    a = np.arange(6).reshape(2, 3)
    np.transpose(a=a)[0] = 9
    assert a.tolist() == [[9, 1, 2], [9, 4, 5]]


def test_views_are_read_when_they_are_used():
    a = np.zeros(4)
    v = a[1:]
    w = v[::2]
    a[:] = [1, 2, 3, 4]
    assert w.tolist() == [2, 4] and w.base is a and w.strides == (16,)
    w[0] = 9
    assert a.tolist() == [1, 9, 3, 4] and v.tolist() == [9, 3, 4]
    del a
    assert v[-1] == 4 and v.sum() == 16
    v += v[::-1]
    assert v.tolist() == [13, 6, 13]


@pytest.mark.parametrize("key", ("a[5]", "a[0, 0, 0]", "a[..., ...]", "a[::0]", "a[1.0]", "a['x']", "a[:, 9]"))
def test_index_expressions_are_refused_as_numpy_refuses_them(key):
    for text in (key, f"{key[:-1]}] + 1"):
        with pytest.raises(Exception) as wanted:
            eval(text, {"a": numpy.zeros((3, 4))})
        with pytest.raises(Exception) as found:
            eval(text, {"a": np.zeros((3, 4))})
        assert type(found.value).__name__ == type(wanted.value).__name__ and "__getitem__" in str(found.value), found.value
    with pytest.raises(type(found.value)):
        exec(f"{key} = 1", {"a": np.zeros((3, 4))})


def test_flags_cannot_be_set():
    a = np.arange(2)
    with pytest.raises(AttributeError, match="cannot be set"):
        a.flags.writeable = False
    with pytest.raises(KeyError, match="Unknown flag"):
        a.flags["Q"]


def test_torch_refuses_a_view_that_strides_cannot_say():
    x = torch.arange(6).reshape(2, 3)
    with pytest.raises(RuntimeError, match="reshape"):
        x.t().view(-1)
    assert x.t().view(3, 1, 2)._base is not None and x.t().reshape(-1)._base is None
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.stride(2)


def test_writes_while_another_thread_reads_leave_no_view_behind():
    owner = np.zeros(1 << 20)
    views = [owner[:], owner[1:], owner[::2]]
    done = threading.Event()

    def read():
        while not done.is_set():
            for view in views:
                view + view

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for i in range(100):
            owner[0] = i
            assert views[0][0] == i and views[2][0] == i
    finally:
        done.set()
        reader.join()


def test_methods_that_change_a_tensors_own_shape():
    x = torch.arange(6.0).reshape(2, 3).clone()
    assert x.t_() is x and x.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert x.unsqueeze_(0).shape == (1, 3, 2) and x.squeeze_().shape == (3, 2) and x.transpose_(0, 1).shape == (2, 3)
    base = torch.arange(6.0).reshape(2, 3).clone()
    view = base[:, 1:]
    view.t_()
    view[0, 1] = 9
    assert base.tolist() == [[0, 1, 2], [3, 9, 5]] and view.shape == (2, 2) and view._base is base
    with pytest.raises(RuntimeError, match="t_: the tensor has views"):
        base.t_()
    y = torch.arange(4.0)
    assert y.resize_(2, 3).tolist() == [[0, 1, 2], [3, 0, 0]] and y.resize_(2).tolist() == [0, 1]
    with pytest.raises(RuntimeError, match="one of which is negative"):
        y.resize_(-1)
    with pytest.raises(TypeError, match="integers are needed"):
        y.resize_("a")
    assert y.apply_(lambda v: v + 1).tolist() == [1, 2] and y.map_(y, lambda a, b: a * b).tolist() == [1, 4]
    assert y.put_(torch.tensor([-1]), torch.tensor([7.0])).tolist() == [1, 7]
    assert torch.put(y, torch.tensor([0, 0]), torch.tensor([1.0, 2.0]), accumulate=True).tolist() == [4, 7]
    assert y.type() == "torch.FloatTensor" and y.type(torch.int32).type() == "torch.IntTensor"
    w = torch.ones(2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        w.t_()
    z = w * 2
    z.t_()[0].mul_(5)
    z.sum().backward()
    assert w.grad.tolist() == [[10, 2, 2], [10, 2, 2]]
    with pytest.raises(RuntimeError, match="ambiguous"):
        bool(y)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(np.arange(2))
