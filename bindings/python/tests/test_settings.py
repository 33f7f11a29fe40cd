"""Ivy's setters, functions of dtypes and devices, and what lies between arrays and Python's own values."""

import asyncio
import threading

import ml_dtypes
import numpy as np
import pytest

import ivyrs
from conftest import RUNNING, same


@pytest.fixture(autouse=True)
def as_before():
    """What a test sets is taken back."""
    with ivyrs.scope():
        yield


def test_numpy_takes_the_dtypes(xp):
    for dtype in ivyrs._namespace.dtypes(None):
        native = ml_dtypes.bfloat16 if dtype.name == "bfloat16" else dtype.name
        assert np.dtype(dtype) == np.dtype(native)
        assert ivyrs.Dtype(np.dtype(dtype)) is dtype
        if dtype in xp._backend.dtypes and dtype.name != "bfloat16":
            assert np.zeros(2, dtype=dtype).dtype == xp.zeros(2, dtype=np.dtype(dtype)).__array__().dtype
    assert ivyrs.Dtype("<f4") is ivyrs.float32 and ivyrs.Dtype("|b1") is ivyrs.bool and ivyrs.Dtype(np.int8) is ivyrs.int8
    for wrong in (">f4", "<f3", "<U4", "O"):
        with pytest.raises(ivyrs.UnknownDtype):
            ivyrs.Dtype(wrong)
    for wrong in (np.dtype(">f8"), np.dtype("datetime64[s]"), np.float128, object):
        with pytest.raises(TypeError):
            ivyrs.Dtype(wrong)


def test_backends_are_set_and_taken_back():
    first = ivyrs.current_backend()
    for place in RUNNING:
        ivyrs.set_backend(place)
        assert ivyrs.current_backend() is ivyrs.namespace(place)
        assert ivyrs.zeros(2).__array_namespace__() is ivyrs.namespace(place)
    ivyrs.set_backend(ivyrs.namespace("ndarray"))
    x = ivyrs.zeros(2)
    ivyrs.unset_backend()
    assert ivyrs.current_backend() is ivyrs.namespace(RUNNING[-1])
    assert ivyrs.current_backend(1, x) is ivyrs.namespace("ndarray")
    for _ in RUNNING[1:]:
        ivyrs.previous_backend()
    assert ivyrs.current_backend() is ivyrs.namespace(RUNNING[0])
    for _ in range(3):
        ivyrs.unset_backend()
    assert ivyrs.current_backend() is first
    with pytest.raises(ivyrs.UnknownBackend):
        ivyrs.set_backend("tensorflow")
    assert ivyrs.current_backend() is first


def test_a_scope_ends_what_was_set_in_it():
    with ivyrs.scope(default_float="float64"):
        ivyrs.set_default_float_dtype("float16")
        assert ivyrs.zeros(1).dtype is ivyrs.float16
        ivyrs.unset_default_float_dtype()
        # What the scope itself has is not taken back.
        ivyrs.unset_default_float_dtype()
        assert ivyrs.zeros(1).dtype is ivyrs.float64
        ivyrs.set_default_float_dtype("float16")
    assert ivyrs.zeros(1).dtype is ivyrs.float32


def test_what_is_set_follows_tasks_and_not_threads():
    ivyrs.set_default_int_dtype("int8")
    seen = []

    async def task():
        seen.append(ivyrs.default_int_dtype())
        ivyrs.set_default_int_dtype("int16")
        seen.append(ivyrs.default_int_dtype())

    asyncio.run(task())
    assert seen == [ivyrs.int8, ivyrs.int16] and ivyrs.default_int_dtype() is ivyrs.int8
    thread = threading.Thread(target=lambda: seen.append(ivyrs.default_int_dtype()))
    thread.start()
    thread.join()
    assert seen[-1] is ivyrs.int32


def test_settings():
    assert ivyrs.promote_types("int32", "float32") is ivyrs.float64
    ivyrs.set_precise_mode(False)
    assert ivyrs.promote_types("int32", "float32") is ivyrs.float32 and ivyrs.rules() == "non-precise"
    ivyrs.set_rules("array-api")
    with pytest.raises(ivyrs.NoPromotion):
        ivyrs.promote_types("int32", "float32")
    # Two names of one setting.
    ivyrs.unset_precise_mode()
    assert ivyrs.rules() == "non-precise"
    ivyrs.unset_rules()
    assert ivyrs.rules() == "precise"
    with pytest.raises(ivyrs.NoPromotion):
        ivyrs.promote_types("int32", "float32", array_api_promotion=True)

    ivyrs.set_memory_limit(1000)
    assert ivyrs.memory_limit() == 1000
    with pytest.raises(ivyrs.MemoryLimit):
        ivyrs.zeros(1000)
    ivyrs.unset_memory_limit()
    assert ivyrs.zeros(1000).size == 1000

    ivyrs.set_strict_casts(True)
    with pytest.raises(ivyrs.ImplicitCast):
        ivyrs.zeros(2, dtype="int8") + ivyrs.zeros(2, dtype="float64")
    ivyrs.unset_strict_casts()
    ivyrs.set_casting("upcast")
    assert ivyrs.casting() == "upcast"
    ivyrs.unset_casting()
    assert ivyrs.casting() == "none"
    ivyrs.set_emulation(False)
    assert not ivyrs.emulation()
    ivyrs.unset_emulation()
    assert ivyrs.emulation()
    for setter, wrong in [
        (ivyrs.set_rules, "exact"), (ivyrs.set_casting, "sideways"), (ivyrs.set_default_int_dtype, "float32"),
        (ivyrs.set_default_dtype, "int3"), (ivyrs.set_memory_limit, -1), (ivyrs.set_default_device, "toaster"),
    ]:  # fmt: skip
        with pytest.raises((ivyrs.IvyError, OverflowError)):
            setter(wrong)
    assert ivyrs.rules() == "precise" and ivyrs.default_int_dtype() is ivyrs.int32


def test_default_dtypes(xp):
    assert ivyrs.default_dtype() is ivyrs.float32 and ivyrs.default_dtype(dtype="i8") is ivyrs.int8
    ivyrs.set_default_dtype("int16")
    assert ivyrs.default_dtype() is ivyrs.int16 and ivyrs.default_int_dtype() is ivyrs.int16
    ivyrs.unset_default_dtype()
    x = xp.asarray([1, 2], dtype="int8")
    assert xp.default_dtype(item=x) is ivyrs.int8 and xp.default_dtype(item=[1, 2.5]) is ivyrs.float32
    assert xp.default_dtype(item=np.zeros(2, "int64")) is ivyrs.int64
    assert xp.default_int_dtype(input=2**40) is ivyrs.int64 and xp.default_int_dtype(input=x) is ivyrs.int8
    assert xp.default_uint_dtype() is ivyrs.uint32 and xp.default_uint_dtype(input=2**40) is ivyrs.uint64
    assert xp.default_float_dtype(input=1e300) is ivyrs.float64 and xp.default_float_dtype(input=x) is ivyrs.float32
    assert xp.default_complex_dtype(complex_dtype="complex128") is ivyrs.complex128
    assert xp.infer_default_dtype("float16") is ivyrs.float32 and xp.infer_default_dtype(bool) is ivyrs.bool
    for name in ("uint", "float", "complex"):
        getattr(ivyrs, f"set_default_{name}_dtype")({"uint": "uint8", "float": "float64", "complex": "complex128"}[name])
    assert [d.name for d in (ivyrs.default_uint_dtype(), ivyrs.default_float_dtype(), ivyrs.default_complex_dtype())] == [
        "uint8", "float64", "complex128",
    ]  # fmt: skip
    with pytest.raises(ivyrs.WrongDtypeKind):
        xp.default_int_dtype(int_dtype="float32")


def test_questions_about_dtypes(xp):
    x = xp.asarray([1.0])
    assert xp.is_float_dtype(x) and xp.is_float_dtype("float16") and xp.is_float_dtype([1, (x, "int8")])
    assert xp.is_int_dtype({"a": 3}) and not xp.is_int_dtype("uint8x"[:5] == "uint8") and xp.is_uint_dtype("uint8")
    assert xp.is_bool_dtype(True) and xp.is_complex_dtype(1j) and not xp.is_complex_dtype(x)
    assert xp.check_float(1.5) and xp.check_float(2) and not xp.check_float(True) and not xp.check_float(x)
    assert xp.dtype_bits("float16") == 16 and xp.dtype_bits("bool") == 1 and xp.dtype_bits(x) == 32
    assert xp.is_hashable_dtype("float32") and not xp.is_hashable_dtype("foo") and not xp.is_hashable_dtype([])
    stored = {d for d in ivyrs._namespace.dtypes(None) if xp.valid_dtype(d)}
    assert stored == set(xp._backend.dtypes) and xp.valid_dtype(None) and not xp.invalid_dtype(None)
    for dtype in ivyrs._namespace.dtypes(None):
        assert xp.invalid_dtype(dtype) == (dtype not in stored)
        assert xp.closest_valid_dtype(dtype) in stored
        if dtype in stored:
            native = xp.as_native_dtype(dtype)
            assert xp.is_native_dtype(native) and xp.closest_valid_dtype(dtype) is dtype
        else:
            with pytest.raises(ivyrs.DtypeNotStored):
                xp.as_native_dtype(dtype)
    assert not xp.is_native_dtype("no such type") and not xp.is_native_dtype(x)
    assert xp.as_ivy_dtype("double") is ivyrs.float64 and xp.as_ivy_dtype(x) is ivyrs.float32
    assert xp.as_ivy_dtype(xp.as_native_dtype("float32")) is ivyrs.float32
    assert xp.dtype(x) is ivyrs.float32 and xp.dtype(x, as_native=True) == xp.as_native_dtype("float32")
    for wrong in ("foo", None):
        with pytest.raises(TypeError):
            xp.as_ivy_dtype(wrong)


def test_supported_dtypes(xp):
    every = set(ivyrs._namespace.dtypes(None))
    for function in (xp.sqrt, "sqrt", "softmax", "bitwise_and"):
        supported, refused = xp.function_supported_dtypes(function), xp.function_unsupported_dtypes(function)
        assert set(supported) | set(refused) == every and not set(supported) & set(refused)
        assert set(xp.function_supported_dtypes(function, recurse=False)) <= set(supported)
    assert ivyrs.float32 not in xp.function_supported_dtypes("bitwise_and")
    with pytest.raises(ivyrs.UnknownFunction):
        xp.function_supported_dtypes("no_such_function")


def test_arrays_and_values(xp):
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    assert xp.is_array(x) and xp.is_array(x, exclusive=True) and not xp.is_array([1]) and not xp.is_array(np.zeros(1))
    assert xp.shape(x) == (2, 3)
    as_array = xp.shape(x, as_array=True)
    assert as_array.dtype is ivyrs.int64 and as_array.tolist() == [2, 3] and as_array.__array_namespace__() is xp
    assert xp.shape(xp.asarray(1), as_array=True).shape == (0,)
    assert xp.to_list(x) == [[1, 2, 3], [4, 5, 6]] and xp.to_list(xp.asarray(2.5)) == 2.5
    assert xp.to_scalar(xp.asarray([[7]])) == 7
    with pytest.raises((ValueError, TypeError)):
        xp.to_scalar(x)
    copied = xp.to_numpy(x)
    copied[0, 0] = 99
    same(xp.to_numpy(x, copy=False), np.asarray([[1, 2, 3], [4, 5, 6]], "int32"))
    assert xp.get_item(x, (0, slice(1, 3))).tolist() == [2, 3]
    changed = xp.set_item(x, (0, 0), 50, copy=True)
    assert changed.tolist()[0] == [50, 2, 3] and x.tolist()[0] == [1, 2, 3]
    assert xp.set_item(x, (0, 0), 50) is x and x.tolist()[0] == [50, 2, 3]
    with pytest.raises(ValueError):
        xp.get_item(x, 0, copy=False)


def test_choices_by_conditions(xp):
    x = xp.asarray([0, 1, 2, 3, 4])
    assert xp.select([x < 2, x > 3], [-x, x**2], 42).tolist() == [0, -1, 42, 42, 16]
    assert xp.select((x < 2,), (2.5,), default=x).dtype is ivyrs.float64
    with pytest.raises(ValueError):
        xp.select([x < 2], [x, x])
    with pytest.raises(TypeError):
        xp.select([[True]], [x])


def test_updates_in_place(xp):
    x = xp.asarray([1, 2])
    assert xp.inplace_update(x, xp.asarray([2.5, 3.5])) is x
    assert x.dtype is ivyrs.float32 and x.tolist() == [2.5, 3.5]
    y = xp.asarray([1, 2])
    assert xp.inplace_update(y, x, keep_input_dtype=True).tolist() == [2, 3] and y.dtype is ivyrs.int32
    assert xp.inplace_update(y, 7).tolist() == [7, 7]
    with pytest.raises(ivyrs.ShapeMismatch):
        xp.inplace_update(y, xp.asarray([1, 2, 3]))
    assert y.tolist() == [7, 7]
    assert xp.inplace_update(y, y).tolist() == [7, 7]


def test_devices(xp):
    x = xp.zeros(2)
    assert xp.dev(x) == x.device == xp.default_device() == xp.default_device(item=x)
    assert xp.default_device("gpu:1", item=x) == "cuda:1" and xp.as_ivy_dev("gpu:0") == "cuda:0"
    native = xp.as_native_dev(x.device)
    assert native.startswith(x.backend) and xp.as_ivy_dev(native) == x.device == xp.as_ivy_dev(x)
    assert xp.dev(x, as_native=True) == native
    assert xp.num_cpu_cores() >= 1 and xp.gpu_is_available() == (xp.num_gpus() > 0)
    for wrong in ("toaster", None, 3):
        with pytest.raises((ValueError, TypeError)):
            xp.as_ivy_dev(wrong)


def test_default_devices():
    ivyrs.set_backend("jit:llvm")
    ivyrs.set_default_device("cpu")
    assert ivyrs.default_device() == "cpu" and ivyrs.zeros(1).device == "cpu" and ivyrs.zeros(1).backend == "jit"
    ivyrs.unset_default_device()
    ivyrs.unset_default_device()
    assert ivyrs.current_backend() is ivyrs.namespace("jit:llvm")


def test_seeds(xp):
    draws = []
    for value in (7, 7, 8):
        xp.seed(seed_value=value)
        draws.append((xp.random_uniform(shape=(4,)).tolist(), xp.random_uniform(shape=(4,)).tolist()))
    assert draws[0] == draws[1] != draws[2] and draws[0][0] != draws[0][1]
