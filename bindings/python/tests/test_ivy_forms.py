"""What Ivy's users write beyond the standard: lists as operands, methods, names of the main namespace, dtypes as texts, setters."""

import inspect
import pickle

import ivyrs
import numpy as np
import pytest
from ivyrs.frontends import jax, numpy as frontend, torch

FRAMEWORKS = [frontend, torch, jax.numpy]

BACKENDS = [name for name, version, _ in ivyrs.backends() if version and not name.startswith("jit:cuda")]


@pytest.fixture(params=BACKENDS)
def xp(request):
    return ivyrs.namespace(request.param)


def test_lists_are_operands(xp):
    x = xp.asarray([1.0, 2.0])
    assert xp.sum([1, 2, 3]).tolist() == 6 and xp.add([1, 2], x).tolist() == [2.0, 4.0]
    assert xp.exp2([5, 6]).tolist() == [32.0, 64.0] and xp.diag((1, 2)).tolist() == [[1, 0], [0, 2]]
    assert xp.concat([[1.0], x]).tolist() == [1.0, 1.0, 2.0] and xp.matmul([[1, 2]], [[1], [2]]).tolist() == [[5]]
    assert xp.where([True, False], x, [5.0, 6.0]).tolist() == [1.0, 6.0]
    assert xp.add(np.asarray([1.0, 2.0], dtype="float32"), x).tolist() == [2.0, 4.0] and xp.sin(np.float32(0.0)).tolist() == 0.0
    # They are where the arrays beside them are.
    assert ivyrs.add([1], x).backend == x.backend
    for call in (lambda: xp.sum(["a"]), lambda: xp.add(x, [[1], [2, 3]]), lambda: xp.concat([x, None])):
        with pytest.raises((TypeError, ValueError), match=r"sum\(\): x|add\(\): x2|concat"):
            call()


def test_arrays_without_axes_are_numbers_where_numbers_are_needed(xp):
    three = xp.asarray(3)
    assert xp.arange(three).tolist() == [0, 1, 2] and xp.full((2,), three).tolist() == [3, 3]
    assert xp.full_like(xp.asarray([1, 2]), three).tolist() == [3, 3]
    with pytest.raises(ivyrs.InvalidArgument, match="a host scalar is needed"):
        xp.arange(xp.asarray([3]))


def test_one_namespace(xp):
    a = xp.asarray([[2.0, 0.0], [0.0, 4.0]])
    assert xp.inv(a).tolist() == xp.linalg.inv(a).tolist() and xp.trace(a).tolist() == 6.0
    x = xp.asarray([1.0, 2.0, 4.0], dtype="float64")
    found, wanted = np.asarray(xp.fft(x)), np.fft.fft([1, 2, 4])
    assert np.allclose(found, wanted) and np.allclose(np.asarray(xp.fft.fft(x)), wanted)
    assert np.allclose(np.asarray(xp.ifft(xp.fft(x, 0), 0)), [1, 2, 4]) and np.allclose(np.asarray(xp.fft(x, n=2)), np.fft.fft([1, 2]))
    both = xp.asarray([[1.0, 2.0], [3.0, 5.0]], dtype="float64")
    assert np.allclose(np.asarray(xp.rfftn(both)), np.fft.rfftn(np.asarray(both)))
    assert np.allclose(np.asarray(xp.ifftn(both, None, (0,))), np.fft.ifftn(np.asarray(both), axes=(0,)))
    assert xp.array([1]).tolist() == [1]
    with pytest.raises(TypeError, match=r"fft\(\) got an unexpected keyword argument 'axs'"):
        xp.fft(x, axs=0)
    with pytest.raises(TypeError, match="not called"):
        xp.linalg(x)


def test_every_function_of_an_array_is_a_method(xp):
    x = xp.asarray([[1.0, -2.0], [3.0, 4.0]])
    assert x.sum().tolist() == 6.0 and x.sum(axis=0).tolist() == [4.0, 2.0] and x.abs().max().tolist() == 4.0
    assert x.reshape((4,)).tolist() == [1.0, -2.0, 3.0, 4.0] and x.astype("int32").dtype == "int32" and x.inv().shape == (2, 2)
    assert x.add([1.0, 1.0]).tolist() == [[2.0, -1.0], [4.0, 5.0]] and np.sum(x) == 6.0
    assert len(ivyrs.METHODS) > 300
    for name in ivyrs.METHODS:
        method = getattr(ivyrs.Array, name)
        assert method.__name__ == name and method.__doc__ and list(inspect.signature(method).parameters)


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda module: module.__name__)
def test_arrays_of_frontends_have_their_frameworks_methods_only(framework):
    x = framework.ones(2)
    for name in ("linear_interpolation_of_nothing", "scatter_flat", "one_hot"):
        assert not hasattr(x, name)
    with pytest.raises(AttributeError, match="scatter_flat"):
        x.scatter_flat


def test_dtypes_are_as_their_names():
    dtype = ivyrs.asarray([1]).dtype
    assert dtype == "int32" and "int32" == dtype and dtype != "int64" and dtype in ("int32", "int64") and {"int32": 1}[dtype] == 1
    assert "int" in dtype and "uint" not in dtype and dtype.startswith("in") and len(dtype) == 5 and dtype.upper() == "INT32"
    assert hash(dtype) == hash("int32") and dtype == ivyrs.int32 and dtype is pickle.loads(pickle.dumps(dtype))
    assert np.dtype(dtype) == np.int32 and not dtype == 3 and repr(dtype) == "ivyrs.int32"
    with pytest.raises(AttributeError, match="nothing"):
        dtype.nothing
    # The official suite of the Array API refuses dtypes that are texts.
    assert not isinstance(dtype, str) and type(dtype) is ivyrs.Dtype and f"{dtype}" == str(dtype) == "int32"
    with pytest.raises(ivyrs.UnknownDtype):
        ivyrs.Dtype("int33")


def test_dtypes_have_the_order_of_promotion():
    assert ivyrs.int8 < ivyrs.int32 <= "int32" and ivyrs.float64 > ivyrs.float32 >= ivyrs.float32 and not ivyrs.int8 < ivyrs.int8
    assert ivyrs.uint8 < ivyrs.int16 and not ivyrs.int64 < ivyrs.uint8 and ivyrs.bool <= ivyrs.bool and "int8" < ivyrs.int16
    # Neither holds the other, whatever they promote to.
    assert not ivyrs.int8 < ivyrs.uint8 and not ivyrs.int8 > ivyrs.uint8
    with pytest.raises(TypeError):
        ivyrs.int8 < 3
    with pytest.raises(ivyrs.UnknownDtype):
        ivyrs.int8 < "int33"


def test_dtypes_answer_questions_of_themselves():
    dtype = ivyrs.uint16
    assert dtype.is_int_dtype and dtype.is_uint_dtype and not dtype.is_float_dtype and not dtype.is_bool_dtype and not dtype.is_complex_dtype
    assert dtype.dtype_bits == 16 and dtype.itemsize == 2 and dtype.info.max == 65535 and ivyrs.float16.info.bits == 16
    assert dtype.can_cast("int32") and not ivyrs.float32.can_cast(ivyrs.int32)
    assert dtype.as_native_dtype == ivyrs.as_native_dtype(dtype) and isinstance(dtype.as_native_dtype, str)
    with pytest.raises(TypeError):
        ivyrs.bool.info


def test_dtypes_are_dtypes_to_frontends():
    assert torch.zeros(2, dtype=ivyrs.int64).dtype == torch.int64 == ivyrs.int64 and torch.float32 != ivyrs.int64
    assert frontend.zeros(2, dtype=ivyrs.float32).dtype == frontend.float32 == ivyrs.float32


def test_tuples_and_classes_of_dtypes():
    assert ivyrs.all_int_dtypes[:1] == ("int8",) and "uint8" in ivyrs.all_int_dtypes and "bool" not in ivyrs.all_numeric_dtypes
    assert set(ivyrs.all_float_dtypes) == {"float16", "bfloat16", "float32", "float64"}
    candle = ivyrs.namespace("candle")
    assert set(candle.valid_dtypes) | set(candle.invalid_dtypes) == set(ivyrs.all_dtypes)
    assert isinstance(ivyrs.int8, ivyrs.IntDtype) and not isinstance(ivyrs.float32, ivyrs.IntDtype) and ivyrs.FloatDtype("float32") is ivyrs.float32
    with pytest.raises(ValueError, match="UintDtype: int8"):
        ivyrs.UintDtype("int8")
    assert isinstance(ivyrs.native_float32, ivyrs.NativeDtype) and candle.native_float32 == candle.as_native_dtype("float32")
    assert ivyrs.float64 in ivyrs.sin.supported_dtypes and ivyrs.complex64 in ivyrs.namespace("ndarray").floor.unsupported_dtypes
    shape = ivyrs.Shape(ivyrs.ones((2, 3)))
    assert shape == (2, 3) and shape.rank == 2 and shape.num_elements() == 6 and shape.dims == [2, 3] and repr(shape) == "ivyrs.Shape(2, 3)"


def test_casting_modes_are_set_by_a_call():
    assert ivyrs.casting() == "none"
    with ivyrs.scope():
        ivyrs.upcast_data_types()
        assert ivyrs.casting() == "upcast"
        ivyrs.crosscast_data_types()
        assert set(ivyrs.casting().split(",")) == {"upcast", "crosscast"}
        ivyrs.upcast_data_types(val=False)
        assert ivyrs.casting() == "crosscast"
        with ivyrs.cast_data_types():
            assert len(ivyrs.casting().split(",")) == 3
        assert ivyrs.casting() == "crosscast"
        ivyrs.cast_data_types(False)
        assert ivyrs.casting() == "none"
    # What is set inside of a block ends with it, and a block can be opened again.
    with ivyrs.upcast_data_types() as modes:
        ivyrs.crosscast_data_types()
        assert set(ivyrs.casting().split(",")) == {"upcast", "crosscast"}
    assert ivyrs.casting() == "none"
    with modes:
        assert ivyrs.casting() == "upcast"
    assert ivyrs.casting() == "none"
    with ivyrs.crosscast_data_types():
        assert ivyrs.lcm(ivyrs.asarray([4.0], dtype="float16"), ivyrs.asarray([6.0], dtype="float16")).tolist() == [12]
    assert ivyrs.casting() == "none"


def test_settings_are_their_values_and_functions():
    assert ivyrs.soft_device_mode == False and not ivyrs.soft_device_mode and repr(ivyrs.soft_device_mode) == "False"  # noqa: E712
    with ivyrs.scope():
        ivyrs.set_min_base(0.25)
        assert ivyrs.min_base == 0.25 == ivyrs.min_base() == float(ivyrs.min_base) and str(ivyrs.min_base) == "0.25"
        ivyrs.set_precise_mode(False)
        assert not ivyrs.precise_mode
    assert ivyrs.precise_mode == True and ivyrs.min_base == 1e-05  # noqa: E712
    with ivyrs.precise_mode(False):
        assert str(ivyrs.precise_mode) == "False"


def test_arguments_by_ivys_names_and_places(xp):
    x = xp.asarray([[1.0, 2.0, 6.0]])
    assert xp.mean(x, 1).tolist() == [3.0] and xp.mean(x, 1, True).shape == (1, 1) and xp.squeeze(x).shape == (3,)
    assert xp.expand_dims(x).shape == (1, 1, 3) and xp.clip(x, x_min=2.0, x_max=3.0).tolist() == [[2.0, 2.0, 3.0]]
    assert xp.tile([1, 2], repeats=(2,)).tolist() == [1, 2, 1, 2] and xp.repeat([1, 2], repeats=2).tolist() == [1, 1, 2, 2]
    assert xp.take_along_axis(x, xp.asarray([[2]]), 1).tolist() == [[6.0]]
    assert xp.multi_head_attention(xp.asarray([[[1.0, 2.0]]]), num_heads=1).tolist() == [[[1.0, 2.0]]]
    assert xp.asarray([[1, 2], [3, 4]])[range(2), range(1, -1, -1)].tolist() == [2, 3] and xp.asarray([1, 2])[range(0)].shape == (0,)
    assert ivyrs.index_nest([1, [2, 3]], iter([1, 0])) == 2 and xp.randint(0, 10, shape=None).shape == ()
    with pytest.raises(TypeError, match="clip.. got 'x_min' twice"):
        xp.clip(x, 1.0, x_min=2.0)


def test_a_misspelt_name_is_told_the_nearest():
    with pytest.raises(AttributeError, match=r"no attribute 'snu'; the nearest are .*sum"):
        ivyrs.snu
    with pytest.raises(AttributeError, match="the nearest are .*argsort"):
        ivyrs.namespace("ndarray").argsrt
    with pytest.raises(TypeError, match="got 'axs', which it does not have; the nearest is 'axis'"):
        ivyrs.sum([1], axs=0)


def test_diagonals_do_not_broadcast(xp):
    with pytest.raises(ivyrs.ShapeMismatch, match="length 3 for the index at character 1 of the equation, which it has twice"):
        xp.einsum("ii", xp.ones((3, 1)))
    assert xp.einsum("ii->i", xp.ones((3, 3))).shape == (3,) and xp.einsum("ij,ij->i", xp.ones((3, 1)), xp.ones((3, 2))).tolist() == [2.0] * 3


def test_results_have_ivys_forms(xp):
    true, pred = xp.asarray([[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0]]), xp.asarray([[0.1, 0.2, 0.6, 0.1]] * 2)
    assert float(xp.cross_entropy(true, pred)) == pytest.approx(0.26503, abs=1e-5)
    assert float(xp.cross_entropy(true, pred, reduction="sum")) == pytest.approx(2.12026, abs=1e-5)
    assert xp.cross_entropy(true, pred, axis=-1).tolist() == pytest.approx([0.1277064, 0.4023595], abs=1e-6)
    assert xp.multinomial(10, 5, probs=xp.ones(10)).shape == (5,) and xp.multinomial(10, 5, batch_size=2).shape == (2, 5)
    x = xp.reshape(xp.arange(8.0), (1, 2, 4))
    assert xp.adaptive_avg_pool1d(x, 2).tolist() == [[[0.5, 2.5], [4.5, 6.5]]]
    assert xp.adaptive_max_pool2d(xp.reshape(xp.arange(16.0), (1, 1, 4, 4)), 2).tolist() == [[[[5.0, 7.0], [13.0, 15.0]]]]
    assert xp.adaptive_avg_pool1d(x, 2, data_format="NWC").shape == (1, 2, 4) and xp.adaptive_avg_pool2d(xp.ones((1, 4, 4, 3)), 2).shape == (1, 2, 2, 3)
