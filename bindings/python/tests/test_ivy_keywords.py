"""Keyword arguments that Ivy's functions have beyond the standard's, on every backend; declared dtypes; devices and defaults."""

import ivyrs
import pytest

BACKENDS = [name for name, version, _ in ivyrs.backends() if version and not name.startswith("jit:cuda")]


@pytest.fixture(params=BACKENDS)
def xp(request):
    return ivyrs.namespace(request.param)


def test_element_wise_keywords(xp):
    x, y = xp.asarray([1, 2]), xp.asarray([3, 4])
    assert xp.add(x, y, alpha=2).tolist() == [7, 10] and xp.subtract(x, y, alpha=2).tolist() == [-5, -6] and x.add(y, alpha=3).tolist() == [10, 14]
    assert xp.add(x, y, alpha=xp.asarray(2)).tolist() == [7, 10]
    with pytest.raises(ivyrs.InvalidArgument, match="alpha = 0.5"):
        xp.add(x, y, alpha=0.5)
    with pytest.raises(ivyrs.ShapeMismatch, match="matmul: x1 has shape"):
        xp.matmul(x, x, transpose_a=True)
    assert xp.round(xp.asarray([1.25, 2.35], dtype="float64"), decimals=1).tolist() == [1.2, 2.4]
    assert xp.round(xp.asarray([15, 25]), decimals=-1).tolist() == [20, 20]
    infinite = xp.asarray([float("inf"), -float("inf")])
    assert xp.isinf(infinite, detect_negative=False).tolist() == [True, False]
    assert xp.remainder(xp.asarray([-5.0]), xp.asarray([3.0]), modulus=False).tolist() == [-2.0]
    assert xp.maximum(x, 2, use_where=False).tolist() == [2, 2] and xp.sign(xp.asarray([-2 + 1j]), np_variant=True).tolist() == [-1 + 0j]
    assert xp.tanh(xp.asarray([0.0 + 0j]), complex_mode="split").tolist() == [0j]


def test_linear_algebra_keywords(xp):
    a = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert xp.matmul(a, a, transpose_b=True).tolist() == [[5.0, 11.0], [11.0, 25.0]]
    assert xp.matrix_transpose(xp.asarray([[1j]]), conjugate=True).tolist() == [[-1j]]
    upper = xp.asarray([[2.0, 1.0], [7.0, 2.0]])
    assert [round(value, 4) for value in xp.eigvalsh(upper, UPLO="U").tolist()] == [1.0, 3.0] == [round(v, 4) for v in xp.eigh(upper, UPLO="U")[0].tolist()]
    assert xp.inv(a, adjoint=True).tolist() == xp.inv(xp.matrix_transpose(a)).tolist()
    x = xp.asarray([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    assert xp.diagonal(x, offset=0, axis1=0, axis2=1).tolist() == [[1, 7], [2, 8]] and xp.trace(x, axis1=0, axis2=1).tolist() == [8, 10]
    assert xp.matrix_norm(xp.astype(x, "float32"), ord=float("inf"), axis=(2, 1)).tolist() == [6.0, 14.0]
    assert xp.vector_norm(a, dtype="float64").dtype == "float64" == xp.mean(a, dtype="float64").dtype
    assert xp.cross(xp.asarray([[1], [0], [0]]), xp.asarray([0, 1, 0]), axisa=0).tolist() == [[0, 0, 1]]
    assert xp.matrix_rank(xp.asarray([[1.0, 0.0], [0.0, 0.001]]), atol=0.01).item() == 1
    assert xp.outer(a, xp.asarray([1.0, 0.0])).shape == (4, 2)


def test_positions_and_shapes(xp):
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    assert xp.argmax(xp.asarray([3, 1, 3]), select_last_index=True).item() == 2 and xp.argmax(x, axis=1, dtype="int32").dtype == "int32"
    assert xp.take(x, xp.asarray([[0, 1]]), axis=1).tolist() == [[[1, 2]], [[4, 5]]] and xp.take(x, xp.asarray([5])).tolist() == [6]
    assert xp.take(x, xp.asarray([0, 7]), axis=1, mode="clip").tolist() == [[1, 3], [4, 6]]
    assert xp.take(x, xp.asarray([0, 7]), axis=1, mode="fill", fill_value=-1).tolist() == [[1, -1], [4, -1]]
    assert xp.take_along_axis(x, xp.asarray([[4]]), 1, mode="wrap").tolist() == [[2], [5]]
    with pytest.raises(ivyrs.InvalidArgument, match="take: fill_value = 300"):
        xp.take(xp.asarray([1], dtype="uint8"), xp.asarray([7]), mode="fill", fill_value=300)
    with pytest.raises(IndexError):
        xp.take(x, xp.asarray([7]), axis=1).tolist()
    assert [part.tolist() for part in xp.nonzero(xp.asarray([0, 2, 3]), size=3, fill_value=-1)] == [[1, 2, -1]]
    assert xp.reshape(x, (3, 2), order="F").tolist() == [[1, 5], [4, 3], [2, 6]] and xp.reshape(x, (0, -1), allowzero=False).shape == (2, 3)
    assert xp.eye(2, batch_shape=[3]).shape == (3, 2, 2) and [part.shape for part in xp.unstack(x, axis=1, keepdims=True)] == [(2, 1)] * 3
    assert [grid.shape for grid in xp.meshgrid(xp.asarray([1, 2, 3]), xp.asarray([4, 5]), sparse=True)] == [(1, 3), (2, 1)]
    assert xp.searchsorted(xp.asarray([1, 2]), xp.asarray([2]), ret_dtype="int32").dtype == "int32"
    assert xp.count_nonzero(x, dtype="int16").dtype == "int16" and xp.isin(x, xp.asarray([1]), assume_unique=True).tolist()[0] == [True, False, False]


def test_copies_cannot_be_told_from_views(xp):
    x = xp.asarray([[1, 2, 3]])
    for copy in (None, False, True):
        assert xp.flip(x, copy=copy).tolist() == [[3, 2, 1]] and xp.squeeze(x, axis=0, copy=copy).tolist() == [1, 2, 3]
        assert xp.expand_dims(x, axis=0, copy=copy).shape == (1, 1, 3) and len(xp.split(x, num_or_size_splits=3, axis=1, copy=copy)) == 3
        assert xp.atleast_1d(x, copy=copy).shape == (1, 3)
    with pytest.raises(TypeError, match="got 'kopy', which it does not have"):
        xp.flip(x, kopy=True)


def test_declared_dtypes_are_checked():
    @ivyrs.with_unsupported_dtypes({"2.0.1 and below": ("float16", "complex"), "2.1 and above": ()}, "2.0.1")
    def double(x):
        return x * 2

    half = ivyrs.asarray([1.0], dtype="float16")
    assert double(ivyrs.asarray([1.0])).tolist() == [2.0] and "float16" in double.unsupported_dtypes and "complex64" not in double.supported_dtypes
    with pytest.raises(ivyrs.UnsupportedDtype, match="double: float16 is not supported in version 2.0.1"):
        double(half)
    with pytest.raises(TypeError):
        double(x=[half])
    newer = ivyrs.with_unsupported_dtypes({"2.0.1 and below": ("float16",), "2.1 and above": ()}, {"version": "2.3"})(lambda x: x)
    assert newer(half).dtype == "float16" and newer.unsupported_dtypes == ()
    only = ivyrs.with_supported_dtypes({"1.0 to 2.9": ("unsigned", "bool")}, "2.0")(lambda x: x)
    assert [str(dtype) for dtype in only.supported_dtypes] == ["uint8", "uint16", "uint32", "uint64", "bool"]
    framework = ivyrs.with_unsupported_dtypes({"1.0 and above": ("bfloat16",)}, "torch")(lambda x: x)
    assert framework.unsupported_dtypes == (ivyrs.bfloat16,)
    by_device = ivyrs.with_unsupported_device_and_dtypes({"2.6.0 and below": {"cpu": ("int8",)}}, "2.5")(lambda x: x)
    assert by_device.unsupported_device_and_dtypes == {"cpu": (ivyrs.int8,)}
    with pytest.raises(TypeError):
        by_device(ivyrs.asarray([1], dtype="int8"))
    with pytest.raises(ValueError, match="2.0 or so"):
        ivyrs.with_supported_dtypes({"2.0 or so": ("float",)}, "2.0")
    alone = ivyrs.with_supported_dtypes({"2.0 and below": "float"}, "2.0")(lambda x: x)
    assert "float16" in alone.supported_dtypes and "int8" not in alone.supported_dtypes
    with pytest.raises(TypeError, match="with_supported_dtypes.*: version_dict: a dict"):
        ivyrs.with_supported_dtypes([("a",)], "2.0")
    with pytest.raises(TypeError, match="version: a version"):
        ivyrs.with_supported_dtypes({}, 3)
    with pytest.raises(TypeError, match="a function is decorated"):
        ivyrs.with_supported_dtypes({"2.0 and below": ("float",)}, "2.0")(3)
    with pytest.raises(TypeError, match='"flaot" is no dtype'):
        ivyrs.with_supported_dtypes({"2.0 and below": ("flaot",)}, "2.0")


def test_a_function_has_one_kind_of_declaration():
    supported = ivyrs.with_supported_dtypes({"2.0 and below": ("float", "int8")}, "2.0")
    unsupported = {"2.0 and below": ("int8",)}
    function = supported(lambda x: x)
    with pytest.raises(TypeError, match="declared by with_supported_dtypes already"):
        ivyrs.with_unsupported_dtypes(unsupported, "2.0")(function)
    both = ivyrs.with_unsupported_dtypes(unsupported, "2.0", exclusive=False)(function)
    assert both(ivyrs.asarray([1.0])).tolist() == [1.0]
    for dtype in "int8", "int16":
        with pytest.raises(ivyrs.UnsupportedDtype):
            both(ivyrs.asarray([1], dtype=dtype))
    assert supported(function)(ivyrs.asarray([1.0])).tolist() == [1.0]


def declared_in_a_block():
    names = {"ivyrs": ivyrs}
    exec(
        "with ivyrs.with_unsupported_dtypes({'0.4.11 and below': ('complex',)}, '0.4.10'):\n"
        "    def first(x):\n        return x\n\ndef second(x):\n    return x\n",
        names,
    )
    return names["first"], names["second"]


def test_a_block_declares_for_its_functions():
    first, second = declared_in_a_block()
    number = ivyrs.asarray([1j])
    assert second(number) is number and not hasattr(second, "unsupported_dtypes")
    with pytest.raises(ivyrs.UnsupportedDtype):
        first(number)


def test_devices_and_stacks_of_defaults():
    assert ivyrs.Device("cpu") == "cpu" and ivyrs.Device("gpu:0") == "cuda:0" and isinstance(ivyrs.Device("cpu"), str)
    assert ivyrs.eye(2, device=ivyrs.Device("cpu")).shape == (2, 2) and ivyrs.full(ivyrs.NativeShape((1, 2)), 3).tolist() == [[3, 3]]
    assert ivyrs.to_device(ivyrs.asarray([1]), "cpu").tolist() == [1] and ivyrs.default_device(item=[]) == "cpu"
    with ivyrs.scope():
        assert ivyrs.default_dtype_stack == []
        ivyrs.set_default_dtype("bool")
        ivyrs.set_default_dtype("float64")
        assert ivyrs.default_dtype_stack == ["bool", "float64"] and repr(ivyrs.default_dtype_stack) == "['bool', 'float64']"
        ivyrs.unset_default_dtype()
        ivyrs.set_default_float_dtype("float64")
        assert ivyrs.default_dtype_stack == ["bool"] and ivyrs.default_float_dtype_stack == ["float64"]


def test_limits_of_dtypes_print_as_ivys():
    assert repr(ivyrs.finfo("float32")) == "finfo(resolution=1e-06, min=-3.4028235e+38, max=3.4028235e+38, dtype=float32)"
    assert repr(ivyrs.finfo("float64")) == "finfo(resolution=1e-15, min=-1.7976931348623157e+308, max=1.7976931348623157e+308, dtype=float64)"
    assert repr(ivyrs.finfo("float16")) == "finfo(resolution=0.001, min=-65504, max=65504, dtype=float16)"
    assert repr(ivyrs.iinfo("int8")) == "iinfo(min=-128, max=127, dtype=int8)"


def test_values_and_forms():
    a = ivyrs.asarray
    x = a([[5, 1, 3], [2, 7, 4]])
    assert ivyrs.max(x, axis=1, initial=6).tolist() == [6, 7] and ivyrs.min(x, axis=1, initial=9, where=[False, False, True]).tolist() == [3, 4]
    assert ivyrs.nanprod(a([2.0, float("nan"), 3.0]), initial=2, where=a([True, True, False])).tolist() == 4.0
    with pytest.raises(ValueError, match="needed with `where`"):
        ivyrs.min(x, where=True)
    with pytest.raises(ValueError, match="an array of truth values is needed"):
        ivyrs.min(x, where=[1, 0, 1], initial=9)
    assert ivyrs.unique_all(x, axis=0, by_value=False).values.tolist() == [[5, 1, 3], [2, 7, 4]]
    assert ivyrs.unique_inverse(x, axis=1).inverse_indices.tolist() == [2, 0, 1]
    assert len(ivyrs.nonzero(x, as_tuple=True)) == 2 and len(ivyrs.svd(a([[1.0, 2.0]]), compute_uv=True)) == 3
    for call, other in ((lambda: ivyrs.nonzero(x, as_tuple=False), "argwhere"), (lambda: ivyrs.svd(x, compute_uv=False), "svdvals")):
        with pytest.raises(TypeError, match=other):
            call()
    assert ivyrs.linspace(a([0.0, 1.0]), [1.0, 2.0], 3, axis=0).tolist() == [[0.0, 1.0], [0.5, 1.5], [1.0, 2.0]]
    assert ivyrs.linspace(1, 10, 4, dtype="int32").tolist() == [1, 4, 7, 10]
    assert ivyrs.randint(a([0, 5]), a([1, 6])).tolist() == [0, 5]
    assert ivyrs.cummax(a([1.5, 0.5]), dtype="int64").values.tolist() == [1, 1]
    assert [g.tolist() for g in ivyrs.gradient(a([[1.0, 2.0], [4.0, 8.0]]), spacing=[3.0, 2.0])] == [[[1.0, 2.0]] * 2, [[0.5, 0.5], [2.0, 2.0]]]
    assert ivyrs.reduce_window(a([[1, 2, 3], [4, 5, 6]]), 0, ivyrs.add, (2, 2)).tolist() == [[12, 16]]
    assert ivyrs.reduce_window([[1, 2, 3]], 0, ivyrs.maximum, (1, 2)).tolist() == [[2, 3]]
    assert ivyrs.pad(a([1, 2, 3]), [(1, -1, 1)], mode="dilated", constant_values=9).tolist() == [9, 1, 9, 2, 9]
    q = a([[[1.0, 2.0]]])
    assert ivyrs.scaled_dot_product_attention(q, q, q, mask=a([[[2.0]]])).tolist() == q.tolist()
    assert ivyrs.scaled_dot_product_attention(q, q, q, mask=a([[[0]]])).tolist() == [[[0.0, 0.0]]]
    assert ivyrs.num_cpu_cores() >= ivyrs.num_cpu_cores(logical=False) >= 1 and ivyrs.all_nested_indices(a([1])) == [[]]
    for dtype in "int32", "bool":
        with pytest.raises(ValueError, match="mean: dtype"):
            ivyrs.mean(x, dtype=dtype)


def test_resizing_filters_keep_what_they_are_made_for():
    ramp = ivyrs.reshape(ivyrs.arange(12.0), (1, 1, 12))
    for mode in "tf_area", "tf_bicubic", "mitchellcubic", "lanczos3", "lanczos5", "gaussian":
        same = ivyrs.interpolate(ivyrs.ones((1, 2, 3, 4)), (5, 7), mode=mode)
        assert same.shape == (1, 2, 5, 7) and ivyrs.all(ivyrs.abs(same - 1) < 1e-6), mode
        # Away from the border, a line stays one.
        longer = ivyrs.interpolate(ramp, 24, mode=mode)[0, 0, 10:14].tolist()
        assert all(abs(b - a - 0.5) < (0.5001 if mode == "tf_area" else 0.2) for a, b in zip(longer, longer[1:])), (mode, longer)
    assert ivyrs.interpolate(ramp, 4, mode="tf_area").tolist() == [[[1.0, 4.0, 7.0, 10.0]]]
    assert ivyrs.interpolate([[[1.0, 2.0, 3.0, 4.0]]], 3, mode="tf_area").tolist() == [[[1.25, 2.5, 3.75]]]
    keys = ivyrs.interpolate(ramp, 24, mode="tf_bicubic")[0, 0, 10:12].tolist()
    assert [round(x, 5) for x in keys] == [4.75, 5.25]


def test_masks_of_the_host_go_where_the_operand_is(xp):
    x = xp.asarray([[5, 1, 3], [2, 7, 4]])
    assert xp.max(x, axis=1, initial=0, where=[False, True, False]).tolist() == [1, 7]
    assert xp.min(x, initial=9, where=False).tolist() == 9 and xp.max(x > 4, initial=False).tolist() is True
    counts = xp.histogram(xp.asarray([0.5, 1.5, 1.7]), bins=2, range=(0.0, 2.0), dtype="int32").histogram
    assert counts.tolist() == [1, 2] and counts.dtype == "int32"
    with pytest.raises(ValueError, match=r"pad: constant_values = \(1, 2\): one number in the mode `dilated`"):
        xp.pad(x, 1, mode="dilated", constant_values=[1, 2])
