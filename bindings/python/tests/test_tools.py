"""Dtype tools, scopes, inspection and errors."""

import asyncio
import pickle
import threading

import pytest

import ivyrs

KINDS = {
    "bool": 1, "signed integer": 4, "unsigned integer": 4, "integral": 8, "real floating": 2, "complex floating": 2,
    "numeric": 12,
}


def test_inspection(xp):
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert info.default_device() == "cpu" and info.devices() == ("cpu",)
    assert info.default_dtypes() == info.default_dtypes(device="cpu") == {
        "real floating": xp.float32, "complex floating": xp.complex64, "integral": xp.int32, "indexing": xp.int64,
    }
    for kind, count in KINDS.items():
        named = info.dtypes(kind=kind)
        assert len(named) == count and all(getattr(xp, name) == dtype for name, dtype in named.items())
        assert all(xp.isdtype(dtype, kind) for dtype in named.values())
    assert len(info.dtypes()) == 13 and len(info.dtypes(kind=("bool", "integral"))) == 9
    with pytest.raises(ValueError):
        info.dtypes(kind="float")
    with pytest.raises(ValueError):
        info.dtypes(device="cuda:0")
    assert ivyrs.__array_namespace_info__().default_device() == "cpu"


def test_seed():
    def draw():
        return [float(x) for x in ivyrs.random_normal(shape=(3,))]

    ivyrs.seed(seed_value=4)
    first, second = draw(), draw()
    assert first != second
    ivyrs.seed(4)
    with ivyrs.scope(precise=True):
        assert [draw(), draw()] == [first, second]
    with pytest.raises(TypeError):
        ivyrs.seed("4")


def test_promotion():
    assert ivyrs.promote("float32", "int32") == ivyrs.float64
    assert ivyrs.promote(ivyrs.float32, ivyrs.int32, rules="non-precise") == ivyrs.float32
    with pytest.raises(TypeError) as caught:
        ivyrs.promote("float32", "int32", rules="array-api")
    assert (caught.value.left, caught.value.right, caught.value.rules) == ("float32", "int32", "array-api")
    assert ivyrs.result_type(ivyrs.int8, 1) == ivyrs.int8 and ivyrs.result_type(ivyrs.float32, 1j) == ivyrs.complex64
    assert ivyrs.can_cast(ivyrs.int8, ivyrs.int16) and not ivyrs.can_cast(ivyrs.int16, ivyrs.int8)
    assert ivyrs.can_cast(ivyrs.asarray([1]), ivyrs.int64)
    assert ivyrs.isdtype(ivyrs.int8, ("real floating", ivyrs.int8)) and not ivyrs.isdtype(ivyrs.int8, ivyrs.int16)
    with pytest.raises(ValueError):
        ivyrs.isdtype(ivyrs.int8, "number")


@pytest.mark.parametrize(
    ("rules", "common", "of_division", "of_sum"),
    [
        ("torch", "float16", "float32", "int64"),
        ("numpy", "float64", "float64", "int64"),
        ("numpy-1.26", "float64", "float64", "int64"),
        ("jax", "float16", "float64", "int64"),
        ("jax-x32", "float16", "float32", "int32"),
        ("tensorflow", "float64", "float64", "int64"),
        ("tensorflow-all", "float16", "float64", "int64"),
        ("drjit", "float16", None, "int64"),
        ("taichi", "float16", "float32", "int64"),
    ],
)
def test_rules_of_frameworks(rules, common, of_division, of_sum):
    n, x = ivyrs.asarray([1, 2], dtype="int64"), ivyrs.asarray([1.0, 2.0], dtype="float16")
    with ivyrs.scope(rules=rules):
        assert ivyrs.rules() == rules
        assert (n + x).dtype.name == common
        assert ivyrs.sum(n).dtype.name == of_sum
        if of_division is None:
            with pytest.raises(TypeError):
                n / n
        else:
            assert (n / n).dtype.name == of_division
    assert ivyrs.rules() == "precise"


def test_rules_that_do_not_exist():
    with pytest.raises(ValueError, match="did you mean torch"):
        ivyrs.set_rules("troch")


def test_explain_and_support():
    text = ivyrs.explain("add", ivyrs.float32, "int32")
    assert "x1: float32 -> float64" in text and "float64" in text.splitlines()[-1]
    assert "2.5" not in ivyrs.explain("multiply", "int8", 2.5, backend="jit")
    with pytest.raises(AttributeError, match="did you mean add") as caught:
        ivyrs.explain("ad", "int8")
    assert (caught.value.name, caught.value.hint) == ("ad", "add")
    answers = ivyrs.support("expm1", backend="torch@2.0.1")
    assert answers[ivyrs.float32] != answers[ivyrs.float16]
    assert ivyrs.support("add")[ivyrs.int8] == "native"
    assert {"ndarray", "jit", "candle", "torch"} <= {name for name, _, _ in ivyrs.backends()}


def test_scopes():
    x, n = ivyrs.asarray([1.0, 2.0]), ivyrs.asarray([1, 2])
    assert (x + n).dtype == ivyrs.float64
    with ivyrs.precise_mode(False):
        assert (x + n).dtype == ivyrs.float32 and ivyrs.add(x, n).dtype == ivyrs.float32
        with ivyrs.scope(rules="array-api"), pytest.raises(TypeError):
            x + n
        assert ivyrs.result_type(x, n) == ivyrs.float32
    assert (x + n).dtype == ivyrs.float64
    with ivyrs.default_dtypes(float=ivyrs.float64, int="int64"):
        assert ivyrs.zeros(2).dtype == ivyrs.float64 and ivyrs.asarray([1]).dtype == ivyrs.int64
        assert ivyrs.__array_namespace_info__().default_dtypes()["integral"] == ivyrs.int64
        assert ivyrs.Dtype(float) == ivyrs.float64
    with ivyrs.with_backend("jit"):
        assert ivyrs.zeros(2).backend == "jit"
        assert ivyrs.namespace("ndarray").zeros(2).backend == "ndarray"
    assert ivyrs.zeros(2).backend == "ndarray"
    with pytest.raises(TypeError):
        ivyrs.lcm(x, x)
    with ivyrs.crosscast_data_types():
        assert ivyrs.lcm(x, x).dtype == ivyrs.int32
    with ivyrs.strict_casts(), pytest.raises(TypeError):
        x + n
    with ivyrs.scope(memory_limit=100), pytest.raises(MemoryError):
        ivyrs.zeros(1000)
    for wrong in ({"backend": "abacus"}, {"rules": "none"}, {"nothing": 1}, {"default_int": "float32"}, {"cast": "up"}):
        with pytest.raises((TypeError, ValueError)):
            ivyrs.scope(**wrong)


def test_scopes_end_with_errors_and_may_be_entered_again():
    mode = ivyrs.precise_mode(False)
    for _ in range(2):
        with pytest.raises(KeyError), mode:
            assert ivyrs.promote("float32", "int32") == ivyrs.float32
            raise KeyError
        assert ivyrs.promote("float32", "int32") == ivyrs.float64
    with mode, mode:
        pass
    assert ivyrs.promote("float32", "int32") == ivyrs.float64


def test_scopes_follow_tasks_and_not_threads():
    async def task(precise, expected):
        with ivyrs.precise_mode(precise):
            await asyncio.sleep(0.01)
            return ivyrs.promote("float32", "int32") == expected

    async def both():
        return await asyncio.gather(task(True, ivyrs.float64), task(False, ivyrs.float32))

    assert asyncio.run(both()) == [True, True]
    seen = []
    with ivyrs.precise_mode(False):
        thread = threading.Thread(target=lambda: seen.append(ivyrs.promote("float32", "int32")))
        thread.start()
        thread.join()
    assert seen == [ivyrs.float64]


def test_errors_have_fields():
    x = ivyrs.zeros((2, 3))
    with pytest.raises(ivyrs.AxisOutOfRange) as caught:
        ivyrs.sum(x, axis=5)
    error = caught.value
    assert isinstance(error, (ValueError, IndexError)) and isinstance(error, ivyrs.IvyError)
    assert (error.kind, error.function, error.axis, error.ndim) == ("AxisOutOfRange", "sum", 5, 2)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.fields == error.fields
    with pytest.raises(ivyrs.BroadcastShapes, match=r"\(2, 3\), \(4,\) do not broadcast"):
        x + ivyrs.zeros(4)
    with pytest.raises(ivyrs.ScalarOutOfRange) as caught:
        ivyrs.asarray([1], dtype=ivyrs.int8) + 1000
    assert isinstance(caught.value, OverflowError) and caught.value.value == 1000
    with pytest.raises(ivyrs.OutsideDomain):
        ivyrs.bitwise_and(x, x)
    with pytest.raises(ivyrs.EmptyReduction):
        ivyrs.max(ivyrs.zeros(0))
    with pytest.raises(ivyrs.SizeOverflow):
        ivyrs.broadcast_to(ivyrs.zeros(()), (2**40, 2**40))
    with pytest.raises(ivyrs.BackendUnavailable):
        ivyrs.namespace("jit:tape")


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x: xp.sum(x, axis="a"),
        lambda xp, x: xp.sum(x, keepdims=2.5),
        lambda xp, x: xp.sum(x, dtype=3),
        lambda xp, x: xp.sum(None),
        lambda xp, x: xp.sum(["a", 2]),
        lambda xp, x: xp.add(x, "a"),
        lambda xp, x: xp.concat(x, 0),
        lambda xp, x: xp.concat([x, None]),
        lambda xp, x: xp.concat([]),
        lambda xp, x: xp.concat(3),
        lambda xp, x: xp.reshape(x, (-1, -1)),
        lambda xp, x: xp.reshape(x, "a"),
        lambda xp, x: xp.zeros(-1),
        lambda xp, x: xp.zeros("a"),
        lambda xp, x: xp.zeros((2, 2.5)),
        lambda xp, x: xp.zeros(2, dtype="flaot32"),
        lambda xp, x: xp.zeros(2, device="cuda:0"),
        lambda xp, x: xp.zeros(2, device=3),
        lambda xp, x: xp.astype(x, None),
        lambda xp, x: xp.astype(1, xp.float32),
        lambda xp, x: xp.searchsorted(x, x, side="middle"),
        lambda xp, x: xp.meshgrid(x, indexing="ab"),
        lambda xp, x: xp.tensordot(x, x, axes=((0,), (0, 1))),
        lambda xp, x: xp.full((2,), None),
        lambda xp, x: xp.arange(0, 10, 0),
        lambda xp, x: xp.linspace(0, 1, -1),
        lambda xp, x: xp.permute_dims(x, (0, 1)),
        lambda xp, x: xp.broadcast_shapes((2,), (3,)),
        lambda xp, x: xp.broadcast_shapes(2),
        lambda xp, x: xp.broadcast_shapes((-2,)),
        lambda xp, x: xp.take(x, xp.asarray([9])).tolist(),
        lambda xp, x: xp.result_type(),
        lambda xp, x: xp.expand_dims(x, axis=7),
        lambda xp, x: xp.cumulative_sum(xp.zeros((2, 2))),
        lambda xp, x: xp.clip(x, "a"),
        lambda xp, x: xp.where(x, x, x),
    ],
)
def test_wrong_arguments(xp, call):
    with pytest.raises((TypeError, ValueError, IndexError)):
        call(xp, xp.asarray([1.0, 2.0, 3.0]))


def test_threads_run_at_once():
    x = ivyrs.ones(1 << 20)
    done = []

    def work():
        for _ in range(20):
            y = ivyrs.sum(x * 2.0 + 1.0)
        done.append(float(y))

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert done == [3.0 * (1 << 20)] * 4


def test_other_libtorch_is_refused(monkeypatch):
    import sys
    import types

    from ivyrs import _libtorch

    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(__version__="1.0.0+cpu"))
    with pytest.raises(ImportError, match=r"install torch==2\.13\.0"):
        _libtorch.guard("2.13.0")
    finder = _libtorch.Finder("2.13.0")
    assert finder.find_spec("numpy") is None
    monkeypatch.setattr(_libtorch.metadata, "version", lambda name: "1.0.0")
    with pytest.raises(ImportError):
        finder.find_spec("torch")
    monkeypatch.setattr(_libtorch.metadata, "version", lambda name: "2.13.0+cu130")
    assert finder.find_spec("torch") is None
