"""Quantised fields of Taichi from Python, and fields of single numbers of vectors."""

import numpy as np
import pytest

import ivyrs.taichi as ti


@pytest.fixture(params=["llvm", "interp"], autouse=True)
def program(request):
    ti.init(arch=request.param, debug=True)
    yield request.param
    ti.reset()


def test_quantised_fields():
    quant = ti.types.quant
    x, y = ti.field(quant.int(13)), ti.field(quant.fixed(10, signed=False, max_value=2.0))
    v = ti.Vector.field(2, quant.float(exp=6, frac=10))
    word = ti.BitpackedFields(max_num_bits=64)
    word.place(x, y)
    word.place(v)
    ti.root.dense(ti.i, 8).place(word)
    flags = ti.field(quant.int(1))
    ti.root.dense(ti.i, 4).quant_array(ti.i, 32, max_num_bits=32).place(flags)

    @ti.kernel
    def fill():
        for i in x:
            x[i] = i * 1000
            y[i] = i * 0.3
            v[i] = ti.Vector([i * 0.25, -i])
        for i in flags:
            flags[i] = -(i % 3 == 0)

    @ti.kernel
    def total() -> ti.i32:
        found = 0
        for i in range(128):
            x[i % 8] += 1
            found += flags[i]
        return found

    fill()
    assert total() == -43
    # 13 bits with a sign: from -4096 to 4095, which wrap.
    assert x.to_numpy().tolist() == [(i * 1000 + 16 + 4096) % 8192 - 4096 for i in range(8)]
    steps = np.round(np.arange(8, dtype=np.float32) * np.float32(0.3) * 512).astype(int)
    assert np.array_equal(y.to_numpy() * 512, steps % 1024)
    assert np.array_equal(v.to_numpy(), np.stack([np.arange(8) * 0.25, -np.arange(8)], 1))
    x[3] = 4097
    assert (x[3], x[2], y[3]) == (-4095, 2016, steps[3] / 512)
    assert repr(x.dtype) == "qi13" and quant.int(13) == x.dtype
    with pytest.raises(ti.TaichiCompilationError, match="ti.BitpackedFields"):
        ti.field(quant.int(4), shape=3)
    with pytest.raises(ti.TaichiCompilationError, match="At least 2 fields"):
        ti.BitpackedFields(32).place(ti.field(quant.float(5, 10)), shared_exponent=True)


def test_scalar_fields_are_views():
    m = ti.Matrix.field(2, 3, ti.f32, shape=4)
    part = m.get_scalar_field(1, 2)

    @ti.kernel
    def run():
        for i in part:
            part[i] = i + 0.5
            m[i][0, 1] += part[i]

    run()
    assert part.to_numpy().tolist() == [0.5, 1.5, 2.5, 3.5]
    assert np.array_equal(m.to_numpy()[:, 1, 2], part.to_numpy()) and np.array_equal(m.to_numpy()[:, 0, 1], part.to_numpy())
    with pytest.raises(ti.TaichiIndexError, match="of shape \\(2, 3\\)"):
        m.get_scalar_field(2, 0)
    with pytest.raises(AttributeError, match="no member `z`"):
        ti.Vector([1, 2]).z = 3
