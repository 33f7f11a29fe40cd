"""Ivy's modes: each is set, goes back, ends with its scope, and does what it says."""

import pytest

import ivyrs
from conftest import RUNNING


@pytest.fixture(autouse=True)
def as_before():
    """What a test sets is taken back."""
    with ivyrs.scope():
        yield


MODES = {
    "min_base": (1e-5, 0.5), "min_denominator": (1e-12, 0.25), "array_significant_figures": (8, 3),
    "soft_device_mode": (False, True), "inplace_mode": ("lenient", "strict"), "nestable_mode": (False, True),
    "exception_trace_mode": ("ivy", "full"), "show_func_wrapper_trace_mode": (False, True),
}  # fmt: skip


@pytest.mark.parametrize("name", MODES)
def test_modes_round_trip(name):
    default, other = MODES[name]
    get, set_it, unset = (getattr(ivyrs, prefix + name) for prefix in ("", "set_", "unset_"))
    assert get() == default
    set_it(other)
    with ivyrs.scope():
        assert get() == other
        set_it(default)
        assert get() == default
    assert get() == other
    unset()
    assert get() == default
    unset()
    assert get() == default
    with ivyrs.scope(**{name: other}):
        assert get() == other
    assert get() == default
    with pytest.raises((TypeError, ValueError, OverflowError)):
        set_it(-1.5)
    assert get() == default


def test_small_numbers_are_added(xp):
    x = xp.asarray([1.0, 2.0])
    ivyrs.set_min_denominator(0.5)
    ivyrs.set_min_base(1.0)
    assert xp.stable_divide(x, xp.zeros(2)).tolist() == [2.0, 4.0]
    assert xp.stable_divide(x, xp.zeros(2), min_denominator=1.0).tolist() == [1.0, 2.0]
    each = xp.asarray([1.0, 0.5], dtype=x.dtype)
    assert xp.stable_divide(x, xp.zeros(2), min_denominator=each).tolist() == [1.0, 4.0]
    assert xp.stable_pow(x, 2).tolist() == [4.0, 9.0]


def test_digits_of_printed_numbers(xp):
    x = xp.asarray([1.0, 2.0]) / 3
    ivyrs.set_array_significant_figures(3)
    assert str(x) == "[0.333 0.667]" and "0.333, 0.667" in repr(x)
    ivyrs.unset_array_significant_figures()
    assert str(x) == "[0.33333334 0.6666667 ]"


def test_soft_devices(xp):
    others = [ivyrs.namespace(place) for place in RUNNING if place.split(":")[0] != xp._backend.name]
    x = xp.asarray([1.0, 2.0])
    for other in others:
        y = other.asarray([10.0, 20.0])
        for call in (lambda: xp.add(y, 1), lambda: xp.add(x, y), lambda: xp.concat([x, y]), lambda: x + y):
            ivyrs.unset_soft_device_mode()
            with pytest.raises(ivyrs.BackendMismatch):
                call()
            ivyrs.set_soft_device_mode(True)
            result = call()
            assert result.__array_namespace__() is xp and result.tolist()[-1] in (21.0, 22.0, 20.0)


def test_functions_take_dicts(xp):
    x = {"a": xp.asarray([1.0, 4.0]), "b": {"c": xp.asarray(9.0)}}
    with pytest.raises(TypeError):
        xp.sqrt(x)
    ivyrs.set_nestable_mode(True)
    assert xp.sqrt(x)["a"].tolist() == [1.0, 2.0] and float(xp.sqrt(x)["b"]["c"]) == 3.0
    sums = xp.add(x, {"a": 1, "b": 2})
    assert sums["a"].tolist() == [2.0, 5.0] and float(sums["b"]["c"]) == 11.0
    assert xp.sum({"a": xp.ones((2, 3))}, axis={"a": 1})["a"].tolist() == [3.0, 3.0]
    with pytest.raises(ivyrs.InvalidArgument, match="same ones"):
        xp.add(x, {"a": 1})
    ivyrs.unset_nestable_mode()
    with pytest.raises(TypeError):
        xp.sqrt(x)


def test_exceptions_say_more_where_they_are_asked_to(xp):
    x, y = xp.zeros(2), xp.zeros(3)

    def notes():
        with pytest.raises(ivyrs.BroadcastShapes) as raised:
            xp.add(x, y)
        return getattr(raised.value, "__notes__", [])

    assert notes() == []
    ivyrs.set_show_func_wrapper_trace_mode(True)
    stages = [note.split()[0] for note in notes()]
    assert stages[:3] == ["operands", "backend", "plan"] and stages[-1] == "execution"
    ivyrs.unset_show_func_wrapper_trace_mode()
    assert notes() == []
    ivyrs.set_exception_trace_mode("full")
    with pytest.raises(ivyrs.InvalidArgument):
        ivyrs.set_exception_trace_mode("frontend")


def test_full_traces_have_causes():
    ivyrs.set_exception_trace_mode("full")
    with pytest.raises(ivyrs.IvyError) as raised:
        ivyrs.namespace("jit:nowhere")
    assert all(note.startswith("caused by: ") for note in getattr(raised.value, "__notes__", []))


def test_live_arrays_move_with_a_dynamic_switch():
    class Holder:
        pass

    first, *others = RUNNING
    ivyrs.set_backend(first)
    x = ivyrs.asarray([1.0, 2.0])
    holder, nest, alone = Holder(), {"a": [ivyrs.zeros(2)], "b": (ivyrs.ones(3),)}, {"only": ivyrs.ones(1)}
    holder.array = ivyrs.asarray(5.0)
    for place in others:
        ivyrs.set_backend(place, dynamic=True)
        xp = ivyrs.namespace(place)
        for array in (x, holder.array, nest["a"][0], nest["b"][0], alone["only"]):
            assert array.__array_namespace__() is xp
        assert (x + 1).tolist() == [2.0, 3.0] and float(holder.array) == 5.0
    # What cannot be is an error, and nothing has moved.
    with pytest.raises(ivyrs.IvyError):
        ivyrs.set_backend("tensorflow", dynamic=True)
    assert ivyrs.current_backend() is ivyrs.namespace(RUNNING[-1]) and x.__array_namespace__() is ivyrs.current_backend()
    ivyrs.set_backend(first)
    assert x.__array_namespace__() is ivyrs.namespace(RUNNING[-1])
    # The arrays of other tests, which have moved too, go back.
    ivyrs.set_backend(first, dynamic=True)
    assert x.__array_namespace__() is ivyrs.namespace(first)


def test_the_stages_of_a_call_are_told():
    lines = ivyrs.explain("add", "float32", "int32", trace=True).splitlines()
    assert [line.split()[0] for line in lines] == "operands backend plan domain promotion support casts execution".split()
    assert "refused: " in ivyrs.explain("argmax", "complex64", trace=True)
