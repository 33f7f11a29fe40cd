"""Dr.Jit's arrays from Python: what Dr.Jit answers, what NumPy gives, and what is refused."""

import copy
import dataclasses
import importlib.util
import math
import pathlib
import pickle
import sys

import numpy as np
import pytest

import ivyrs
import ivyrs.drjit as dr
import ivyrs.drjit.llvm as L
import ivyrs.drjit.llvm.ad as A
import ivyrs.drjit.scalar as S
from ivyrs.drjit.llvm.ad import Array2f, Array3f, Bool, Float, Int, Matrix2f, TensorXf, UInt

DATA = pathlib.Path(__file__).resolve().parents[3] / "frontends/drjit/tests/data"
MODES = ["symbolic", "evaluated"]


@pytest.fixture(params=["jit:llvm", "jit:interp"])
def engine(request):
    """Arrays are made on this instance of the engine."""
    ivyrs.set_backend(request.param)
    yield request.param
    ivyrs.unset_backend()


def rows(name):
    lines = (DATA / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def text(expression):
    try:
        value = eval(expression, {"dr": dr, "L": L, "A": A, "S": S})
        made = str(value) if isinstance(value, (dr.ArrayBase, str)) else repr(value)
    except Exception:
        return "!"
    return made.replace("\n", "\\n")


def wrong(answers):
    return [f"{expression}: {text(expression)} instead of {expected}" for expression, expected in answers if text(expression) != expected]


def test_printing_is_that_of_drjit():
    assert wrong(rows("printing.tsv")) == []


def test_constructors_are_those_of_drjit():
    # Neither nothing nor a complex number is a truth value here.
    given = [(f"L.{name}({value})", expected) for name, value, expected in rows("construct.tsv") if value not in ("None", "1j")]
    assert wrong(given) == [] and len(given) > 50


def test_recorded_answers_are_those_of_drjit():
    assert wrong((expression, expected) for _, expression, expected in rows("answers.tsv")) == []


def test_traits_are_those_of_drjit():
    def answer(name, trait):
        try:
            value = getattr(dr, trait)(getattr(L, name))
        except Exception:
            return "!"
        if isinstance(value, type):
            package = {L: "L.", A: "A."}.get(sys.modules[value.__module__], "") if dr.is_array_v(value) else ""
            return package + value.__name__
        return str(value)

    assert [(row, answer(*row[:2])) for row in rows("traits.tsv") if answer(*row[:2]) != row[2]] == []


def test_names_are_those_of_drjit():
    for package, names in rows("names.tsv"):
        module = {"scalar": S, "llvm": L, "llvm.ad": A}.get(package)
        assert module is None or [name for name in names.split() if not hasattr(module, name)] == []


def test_components_are_objects_that_the_whole_sees():
    v = Array3f(1, 2, 3)
    y = v.y
    y += [10, 20]
    assert v.y is y and str(v) == "[[1, 12, 3],\n [1, 22, 3]]"
    v.x = Float(7)
    v[2] = 5
    assert str(v.zyx) == "[[5, 12, 7],\n [5, 22, 7]]"
    v.xy = v.yx
    assert str(v) == "[[12, 7, 5],\n [22, 7, 5]]"
    with pytest.raises(dr.DrjitError, match="'w' component"):
        v.w
    with pytest.raises(AttributeError, match="no attribute 'q'"):
        v.q
    with pytest.raises(AttributeError):
        v.q = 1


def test_assignment_keeps_the_object_where_the_type_stays():
    a = b = Int(1, 2)
    a += 1
    assert a is b and list(b) == [2, 3]
    a *= 1.5
    assert a is not b and type(a) is Float and list(b) == [2, 3]
    x = Float(1, 2, 3)
    x[x > 1] *= 10
    assert list(x) == [1, 20, 30]
    x[1:] = [5, 6]
    x[-3] = 4
    assert list(x) == [4, 5, 6] and x[2] == 6.0
    assert list(x[UInt(2, 0)]) == [6, 4]


def test_copies_are_values():
    x = Array2f([1, 2], 3)
    for made in (copy.copy(x), copy.deepcopy(x), dr.copy(x), Array2f(x), pickle.loads(pickle.dumps(x))):
        made += 1
        assert str(x) == "[[1, 3],\n [2, 3]]" and str(made) == "[[2, 4],\n [3, 4]]"
    t = TensorXf([1, 2, 3, 4], shape=(2, 2))
    assert str(pickle.loads(pickle.dumps(t))) == str(t)
    m = S.Matrix2f(1, 2, 3, 4)
    m[0, 1] = 9
    assert m[0, 1] == 9.0 and str(pickle.loads(pickle.dumps(m))) == str(m)


@pytest.mark.parametrize("package", [S, L, A], ids=["scalar", "llvm", "llvm.ad"])
def test_results_are_of_their_types_classes(package):
    classes = [c for c in vars(package).values() if isinstance(c, type) and issubclass(c, dr.ArrayBase)]
    arrays = [c(1) for c in classes if "Tensor" not in c.__name__ and "Matrix" not in c.__name__]
    assert len(arrays) > 40
    # Types one after the other, and twice: the classes asked for last are kept.
    assert [type(dr.select(True, x, x)) for x in arrays * 2] == [type(x) for x in arrays * 2]
    assert [type(x == x) for x in arrays] == [dr.mask_t(x) for x in arrays]


def test_functions_of_arrays_are_as_operators_in_every_scope():
    x, mask = Array3f([-1, 2, 3], [4, 5, 6], 7), Bool([True, False, True])
    for settings in ({"backend": "ndarray"}, {"precise": False}, {"rules": "torch"}, {"default_dtype": "float64"}, {"memory_limit": 1 << 20}):
        with ivyrs.scope(**settings):
            for function in (lambda: dr.abs(x), lambda: dr.maximum(x, 2), lambda: dr.fma(x, 2, [1, 2, 3]), lambda: dr.select(mask, x, 0), lambda: x + 1):
                made = function()
                assert type(made) is Array3f
            assert dr.all(dr.maximum(x, 2) == Array3f([2, 2, 3], [4, 5, 6], 7), axis=None)


def test_single_values_are_numbers_of_python():
    assert S.Float is float and S.Bool is bool and S.Int8 is int
    v = S.Array3f(1, 2, 3)
    assert type(v.x) is float and dr.dot(v, v) == 14.0 and dr.sqrt(4) == 2.0 and dr.sum([1, 2, 3]) == 6
    x = S.ArrayXf(3, 1, 2)
    assert list(dr.sort(x)) == [1, 2, 3] and list(dr.cumsum(x)) == [3, 4, 6]
    dr.scatter(x, 9, [1])
    assert list(x) == [3, 9, 2]


@pytest.mark.parametrize("name", "sin cos exp log sqrt tanh floor abs".split())
def test_functions_are_those_of_numpy(name, engine):
    x = np.linspace(0.1, 3, 40, dtype=np.float32)
    np.testing.assert_allclose(getattr(dr, name)(L.Float(x)).numpy(), getattr(np, name)(x), rtol=2e-6)


def test_arrays_of_numpy():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    t = TensorXf(a)
    assert t.shape == (2, 3) and np.array_equal(t.numpy(), a) and np.array_equal(np.asarray(t), a)
    assert str(Array2f(a)) == "[[0, 3],\n [1, 4],\n [2, 5]]" and np.array_equal(Array2f(a).numpy(), a)
    assert list(Float(a[0])) == [0, 1, 2] and list(Int(np.array([1, 2]))) == [1, 2]
    z = np.array([1 + 2j, 3 - 1j], dtype=np.complex64)
    assert np.array_equal(L.Complex2f(z).numpy(), z) and str(L.Complex2f(1 + 2j)) == "[1+2j]"
    a[0, 0] = 50
    assert t[0, 0].item() == 0
    assert ivyrs.asarray([1.0, 2.0]).shape == (2,) and list(Float(ivyrs.asarray([1.0, 2.0]))) == [1, 2]
    assert np.array_equal(np.from_dlpack(Float(1, 2)), [1, 2])


def test_slices_and_forms_of_tensors():
    a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    t = L.TensorXf(a)
    for key in [1, (0, 2), (slice(None), 1), (..., slice(1, 3)), (None, 0), (slice(None, None, -1), ..., 2), (1, slice(0, 2), None)]:
        np.testing.assert_array_equal(t[key].numpy(), a[key])
    np.testing.assert_array_equal(t[:, L.UInt(2, 0)].numpy(), a[:, [2, 0]])
    np.testing.assert_array_equal(dr.transpose(t, (2, 0, 1)).numpy(), a.transpose(2, 0, 1))
    np.testing.assert_array_equal(dr.moveaxis(t, 0, -1).numpy(), np.moveaxis(a, 0, -1))
    np.testing.assert_array_equal(dr.concat([t, t], 1).numpy(), np.concatenate([a, a], 1))
    np.testing.assert_array_equal(dr.stack([t, t], 1).numpy(), np.stack([a, a], 1))
    np.testing.assert_array_equal(dr.reverse(t, 1).numpy(), a[:, ::-1])
    np.testing.assert_array_equal(dr.tile(t, (2, 1, 2)).numpy(), np.tile(a, (2, 1, 2)))
    np.testing.assert_array_equal(dr.repeat(t, 2, 1).numpy(), np.repeat(a, 2, 1))
    np.testing.assert_array_equal(dr.squeeze(dr.expand_dims(t, 1)).numpy(), a)
    np.testing.assert_array_equal(dr.reshape(L.TensorXf, t, (4, -1)).numpy(), a.reshape(4, -1))
    for own, other in zip(dr.split(t, [1], 1), np.split(a, [1], 1), strict=True):
        np.testing.assert_array_equal(own.numpy(), other)
    for axis in (0, 1, -1, (0, 2), None):
        np.testing.assert_array_equal(dr.sum(t, axis).numpy(), a.sum(axis))
        np.testing.assert_array_equal(dr.max(t, axis, keepdims=True).numpy(), a.max(axis, keepdims=True))
    np.testing.assert_array_equal(dr.sort(t, 1, descending=True).numpy(), np.sort(a, 1)[:, ::-1])
    np.testing.assert_array_equal(dr.argmin(t, 2).numpy(), a.argmin(2))
    np.testing.assert_array_equal(dr.prefix_sum(t, 1).numpy(), a.cumsum(1) - a)
    t[0, :, 1] = 5
    a[0, :, 1] = 5
    np.testing.assert_array_equal(t.numpy(), a)


def test_gathers_and_scatters(engine):
    x = L.Float(10, 20, 30)
    assert list(dr.gather(L.Float, x, L.UInt(2, 0), [True, False])) == [30, 0]
    assert str(dr.gather(L.Array2f, L.Float(1, 2, 3, 4), L.UInt(1, 0))) == "[[3, 4],\n [1, 2]]"
    dr.scatter(x, 7, [1])
    dr.scatter_add(x, L.Float(1, 2), L.UInt(0, 0))
    dr.scatter_reduce(dr.ReduceOp.Max, x, 50, 2)
    assert list(x) == [13, 7, 50]
    counts = L.UInt(0, 5)
    assert list(dr.scatter_inc(counts, L.UInt(1, 1, 0))) == [5, 6, 0] and list(counts) == [1, 7]
    old, swapped = dr.scatter_cas(counts, 7, 9, [1])
    assert (old.item(), swapped.item(), list(counts)) == (7, True, [1, 9])
    assert dr.scatter_exch(counts, 3, [0]).item() == 1 and list(counts) == [3, 9]


@dataclasses.dataclass
class Ray:
    origin: Array2f
    time: Float
    bounces: int = 0


class Pair:
    DRJIT_STRUCT = {"a": Float, "b": Array2f}


def test_values_that_hold_arrays():
    ray = dr.zeros(Ray, 2)
    assert type(ray.origin) is Array2f and dr.width(ray) == 2
    dr.scatter(ray, Ray(Array2f(1, 2), Float(3)), UInt(1))
    assert str(ray.origin) == "[[0, 0],\n [1, 2]]" and list(ray.time) == [0, 3]
    dr.enable_grad(ray)
    dr.backward(ray.time * dr.squared_norm(ray.origin))
    assert list(dr.grad(ray).time) == [0, 5]
    pair = dr.ones(Pair)
    chosen = dr.select(Bool(True, False), pair, dr.zeros(Pair))
    assert list(chosen.a) == [1, 0] and "Pair[" in dr.format(chosen)
    assert dr.is_struct_v(Ray) and not dr.is_struct_v(Float)


@pytest.mark.parametrize("mode", MODES)
def test_loops(mode, engine):
    i, n = dr.while_loop((L.Int(8, 3, 12), L.Int(0)), lambda i, n: (i & 1) == 0, lambda i, n: (i >> 1, n + 1), mode=mode)
    assert list(i) == [1, 3, 3] and list(n) == [3, 0, 2]


@pytest.mark.parametrize("mode", MODES)
def test_loops_write_to_arrays_around_them(mode, engine):
    counts, seen = L.UInt(0, 0), L.UInt(0, 0, 0)

    def body(i, place):
        dr.scatter_add(counts, 1, place)
        dr.scatter_add(seen, i, 0)
        return i - 1, place

    dr.while_loop((L.UInt(3, 0, 2), L.UInt(0, 1, 1)), lambda i, place: i > 0, body, mode=mode)
    assert list(counts) == [3, 2] and list(seen) == [9, 0, 0]


@pytest.mark.parametrize("mode", MODES)
def test_conditions_change_the_state(mode, engine):
    counts, rng = dr.while_loop((L.UInt(0, 0, 0, 0), L.PCG32(4)), lambda n, rng: rng.next_float32() < 0.7, lambda n, rng: (n + 1, rng), mode=mode)
    assert list(counts) == [1, 2, 11, 5]
    # A thread that ends keeps what it had before, as in Dr.Jit 1.5.0, whose numbers these are: it draws once more ahead of the loop.
    assert dr.allclose(rng.next_float32(), [0.90696, 0.783377, 0.968785, 0.975656], atol=1e-6)

    def positive(x):
        x -= 1
        return x > 0

    x = L.UInt(5, 3, 2)
    (y,) = dr.while_loop((x,), positive, lambda x: (x,), mode=mode)
    assert list(x) == list(y) == [1, 1, 1]

    @dr.syntax
    def drawn(rng):
        n, sums = L.UInt(0, 0, 0, 0), L.Float(0)
        while dr.hint(rng.next_float32() < 0.7, mode=mode):
            n += 1
            sums += rng.next_float32()
        return n, sums, rng.next_float32()

    n, sums, last = drawn(L.PCG32(4))
    rng = L.PCG32(4)
    draws = [list(rng.next_float32()) for _ in range(40)]
    for thread in range(4):
        # Of each pair of draws the first one decides.
        ends = next(i for i in range(20) if draws[2 * i][thread] >= 0.7)
        assert list(n)[thread] == ends and list(last)[thread] == draws[2 * ends][thread]
        assert abs(list(sums)[thread] - sum(draws[2 * i + 1][thread] for i in range(ends))) < 1e-5


@pytest.mark.parametrize("mode", MODES)
def test_conditions_change_captured_arrays(mode, engine):
    left = L.UInt(5, 1, 3)

    def some():
        nonlocal left
        left -= 1
        return left > 0

    (n,) = dr.while_loop((L.Int(0),), lambda n: some(), lambda n: (n + 1,), mode=mode)
    assert list(n) == [4, 0, 2] and list(left) == [1, 1, 1]


def test_conditions_are_called_for_the_first_step_and_to_record_the_loop():
    calls = []

    def test(i):
        calls.append(i)
        return i < 3

    dr.while_loop((L.Int(0),), test, lambda i: (i + 1,), mode="symbolic")
    assert len(calls) == 2


@pytest.mark.parametrize("mode", MODES)
def test_branches_write_to_arrays_around_them(mode, engine):
    counts, x = L.UInt(0, 0), L.Int(1, 2, 3)

    def yes(y):
        nonlocal x
        dr.scatter_add(counts, 1, 0)
        x += 10
        return y

    def no(y):
        dr.scatter_add(counts, 1, 1)
        return -y

    y = dr.if_stmt((L.Int(5, 6, 7),), L.Bool(True, False, True), yes, no, mode=mode)
    assert list(y) == [5, -6, 7] and list(counts) == [2, 1] and list(x) == [11, 2, 13]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_changed_in_place_is_the_states_own(mode):
    x, y = UInt(1), UInt(1)

    def body(x, y):
        x += 1
        return x, y + 1

    a, b = dr.while_loop((x, y), lambda x, y: x < 5, body, mode=mode)
    assert a is x and x.item() == 5 and b is not y and (y.item(), b.item()) == (1, 5)


@pytest.mark.parametrize("mode", MODES)
def test_switch(mode, engine):
    functions = [lambda x, active=True: x, lambda x, active=True: -x, lambda x, active=True: x * 10]
    assert list(dr.switch(L.UInt(2, 0, 1), functions, L.Float(1, 2, 3), mode=mode)) == [10, 2, -3]
    assert list(dr.switch(L.UInt(2, 0, 1), functions, L.Float(1, 2, 3), L.Bool(False, True, True), mode=mode)) == [0, 2, -3]
    assert dr.switch(1, functions, 5) == -5
    with pytest.raises(IndexError, match="no function 3"):
        dr.switch(3, functions, 5)


@dr.syntax
def collatz(x, mode):
    steps = L.Int(0)
    while dr.hint(x > 1, mode=mode):
        half = x >> 1
        if (x & 1) == 0:
            x = half
        else:
            x = 3 * x + 1
        steps += 1
    return steps


@dr.syntax
def first_power(limit):
    power, found = 1, None
    while dr.hint(power < limit, mode="scalar"):
        power *= 2
        if dr.hint(power > 100, mode="scalar"):
            found = power
            break
    return power, found


@pytest.mark.parametrize("mode", MODES)
def test_plain_loops_and_conditionals(mode, engine):
    assert list(collatz(L.Int(6, 1, 27), mode)) == [8, 0, 111]


def test_loops_of_python_stay_loops_of_python():
    @dr.syntax
    def halves(x):
        n = 0
        while x > 1:
            x //= 2
            n += 1
        return n

    assert halves(9) == 3
    assert first_power(50) == (64, None) and first_power(1000) == (128, 128)


def test_plain_functions_see_the_variables_around_them():
    factor = 2

    @dr.syntax
    def power(x, n):
        if n == 0:
            return L.Int(1)
        y = power(x, n - 1)
        if x > 1:
            y *= x * factor
        return y

    factor = 3
    assert list(power(L.Int(1, 2), 2)) == [1, 36]


@pytest.mark.parametrize("mode", MODES)
def test_generators_are_variables_of_plain_loops(mode):
    @dr.syntax
    def total(rng, count, scale):
        i, sums = L.UInt(0), L.Float(0)
        while dr.hint(i < count, mode=mode):
            if dr.hint(i > 0, mode=mode):
                sums += rng.next_float32() * scale
            i += 1
        return sums, rng

    rng, again, expected = L.PCG32(2), L.PCG32(2), L.Float(0)
    sums, after = total(rng, L.UInt(3, 4), 2)
    for draw in range(3):
        expected += dr.select(L.Bool(draw < 2, True), again.next_float32() * 2, 0)
    assert dr.allclose(sums, expected) and list(after.state)[1] == list(again.state)[1]
    assert list(rng.state) == list(L.PCG32(2).state)
    with pytest.raises(dr.DrjitError, match="no variable of it"):
        dr.while_loop((L.UInt(0),), lambda i: i < 3, lambda i: (i + rng.next_uint32(),), mode=mode)
    assert list(rng.state) == list(L.PCG32(2).state)


@pytest.mark.parametrize("mode", MODES)
def test_philox_draws_are_state(mode):
    @dr.syntax
    def total(rng, count):
        i, sums = L.UInt(0), L.UInt(0)
        while dr.hint(i < count, mode=mode):
            sums ^= rng.next_uint32x4().x
            i += 1
        return sums, rng

    sums, after = total(L.Philox4x32(1, L.UInt(0, 1)), L.UInt(2, 1))
    rng = L.Philox4x32(1, L.UInt(0, 1))
    first, second = rng.next_uint32x4(), rng.next_uint32x4(L.Bool(True, False))
    assert list(sums) == [first.x[0] ^ second.x[0], first.x[1]]
    assert str(after.counter) == str(rng.counter) == "[[0, 0, 0, 2],\n [1, 0, 0, 1]]"


def test_philox_keeps_the_counters_of_masked_threads():
    rng = L.Philox4x32(1, L.UInt(0, 1))
    rng.next_float32x4(L.Bool(False, True))
    assert str(rng.counter) == "[[0, 0, 0, 0],\n [1, 0, 0, 1]]"
    rng.next_uint64x2(False)
    assert str(rng.counter) == "[[0, 0, 0, 0],\n [1, 0, 0, 1]]"
    again = L.Philox4x32(rng)
    rng.counter = [5, 6, 7, 8]
    rng.seed = [0, 3]
    assert str(rng.counter) == "[[5, 6, 7, 8]]" and str(rng.seed) == "[[0, 3]]" and str(again.seed) == "[[0, 1]]"
    assert again.iterations == 7 and str(again.counter) == "[[0, 0, 0, 0],\n [1, 0, 0, 1]]"
    scalar = dr.scalar.Philox4x32(1, 2)
    scalar.next_uint32x4(False)
    scalar.next_uint32x4(True)
    scalar.seed = [0, 4]
    assert list(scalar.counter) == [2, 0, 0, 1] and list(scalar.seed) == [0, 4]
    pcg = dr.scalar.PCG32()
    state = pcg.state
    pcg.next_uint32(False)
    assert pcg.state == state
    with pytest.raises(TypeError, match="counter_0"):
        L.Philox4x32(1)


def test_what_leaves_a_loop_is_refused_when_the_function_is_made():
    with pytest.raises(SyntaxError, match="`break` in a loop of each thread") as raised:

        @dr.syntax
        def endless(x):
            while x < 1:
                break

    assert raised.value.filename == __file__


def test_recorded_functions_are_one_launch():
    dr.kernel_history_clear()
    x = dr.opaque(L.Float, 1.5, 1000)
    dr.kernel_history_clear()
    y = dr.while_loop((x, L.Int(0)), lambda x, i: i < 10, lambda x, i: (x * 0.5 + dr.sin(x), i + 1))[0]
    dr.eval(y)
    # Single values are computed at once, beside it.
    assert [row["size"] for row in dr.kernel_history() if row["size"] > 1] == [1000]


def test_gradients():
    x = Float(1, 2, 3)
    dr.enable_grad(x)
    y = dr.sum(x * dr.sin(x))
    dr.backward(y)
    np.testing.assert_allclose(x.grad.numpy(), np.sin(x.numpy()) + x.numpy() * np.cos(x.numpy()), rtol=1e-5)
    v = Array2f([1, 2], 3)
    dr.enable_grad(v)
    w = dr.norm(v)
    dr.set_grad(v, Array2f(1, 0))
    np.testing.assert_allclose(dr.forward_to(w).numpy(), v.x.numpy() / w.numpy(), rtol=1e-6)
    with dr.suspend_grad():
        assert not dr.grad_enabled(x * 2)
    assert type(dr.detach(x, preserve_type=False)) is L.Float and not dr.grad_enabled(dr.detach(x))
    with pytest.raises(TypeError, match="package `.ad`"):
        dr.backward(L.Float(1))
    with pytest.raises(dr.DrjitError, match="enable_grad"):
        dr.backward(Float(1))
    dr.backward(Float(1), flags=dr.ADFlag.AllowNoGrad)


def test_custom_operations_of_several_results():
    calls = []

    class Polar(dr.CustomOp):
        def eval(self, x, *, y):
            calls.append("eval")
            self.x, self.y = x, y
            return {"r": dr.hypot(x, y), "angle": dr.atan2(y, x)}

        def backward(self):
            calls.append("backward")
            r = dr.hypot(self.x, self.y)
            given = self.grad_out()
            self.set_grad_in("x", given["r"] * self.x / r - given["angle"] * self.y / (r * r))
            self.set_grad_in("y", given["r"] * self.y / r + given["angle"] * self.x / (r * r))

        def forward(self):
            r = dr.hypot(self.x, self.y)
            dx, dy = self.grad_in("x"), self.grad_in("y")
            self.set_grad_out({"r": (self.x * dx + self.y * dy) / r, "angle": (self.x * dy - self.y * dx) / (r * r)})

    x, y = Float(3, 1), Float(4, 2)
    dr.enable_grad(x, y)
    made = dr.custom(Polar, x, y=y)
    dr.backward(made["r"] + 2 * made["angle"])
    plain_x, plain_y = Float(3, 1), Float(4, 2)
    dr.enable_grad(plain_x, plain_y)
    dr.backward(dr.hypot(plain_x, plain_y) + 2 * dr.atan2(plain_y, plain_x))
    assert dr.allclose(x.grad, plain_x.grad) and dr.allclose(y.grad, plain_y.grad)
    assert calls == ["eval", "backward"]
    dr.clear_grad(x, y)
    dr.set_grad(x, 1)
    assert dr.allclose(dr.forward_to(dr.custom(Polar, x, y=y)["r"]), x / dr.hypot(x, y))


def test_functions_of_pytorch():
    torch = pytest.importorskip("torch")

    @dr.wrap("drjit", "torch")
    def product(x, y):
        return x * torch.sin(y)

    x, y = TensorXf([1, 2], shape=(2,)), TensorXf([3, 4], shape=(2,))
    dr.enable_grad(x, y)
    made = product(x, y)
    dr.backward(made)
    np.testing.assert_allclose(y.grad.numpy(), x.numpy() * np.cos(y.numpy()), rtol=1e-6)

    @dr.wrap("torch", "drjit")
    def square(x):
        return x * x

    t = torch.tensor([1.0, 2.0], requires_grad=True)
    square(t).sum().backward()
    assert t.grad.tolist() == [2, 4] and Float(1, 2).torch().tolist() == [1, 2]


def test_textures():
    elements = ((7 * np.arange(24)) % 11) / 2 - 1
    recorded = {tuple(row[:5]): row[5] for row in rows("textures.tsv")}
    texture = L.Texture2f(L.TensorXf(elements.reshape(3, 4, 2).astype(np.float32)), wrap_mode=dr.WrapMode.Mirror)
    assert texture.shape == (3, 4, 2) and texture.channel_count() == 2 and texture.wrap_mode() == dr.WrapMode.Mirror
    assert ("2", "eval", "Linear", "Mirror", "0") in recorded
    # An element stands in the middle of its part.
    place = L.Array2f(L.Float(0.5, 1.5) / 4, L.Float(1.5, 2.5) / 3)
    assert dr.allclose(texture.eval(place), [[elements[8], elements[18]], [elements[9], elements[19]]])
    assert len(texture.eval_fetch(place)) == 4 and type(texture.eval_cubic(place)) is L.Array2f
    value, slopes, curves = texture.eval_cubic_hessian(place)
    assert type(slopes[1]) is L.Array2f and type(curves[0]) is L.Matrix2f and dr.allclose(value, texture.eval_cubic(place))
    one = A.Texture1f([4], 1)
    dr.enable_grad(one.value())
    dr.backward(one.eval(A.Array1f(0.5)))
    assert list(one.value().grad) == [0, 0.5, 0.5, 0]
    one = S.Texture1f(S.TensorXf([1, 2, 3], (3, 1)))
    one.write(S.Array1u(1), [5])
    assert one.eval(S.Array1f(0.5)).x == 5 and list(one.value()) == [1, 5, 3]
    with pytest.raises(TypeError, match="3 axes; 1 and one of channels"):
        S.Texture1f(S.TensorXf([1, 2], (2, 1, 1)))
    with pytest.raises(TypeError, match="2 elements instead of 4"):
        A.Texture1f([4], 1).set_value([1, 2])


def test_the_elements_of_a_tensor_are_an_object_that_it_sees():
    t = dr.zeros(L.TensorXf, (2, 2))
    flat = t.array
    dr.scatter(flat, 5, L.UInt(3))
    t[0, 1] = 7
    assert t.array is flat and list(flat) == [0, 7, 0, 5] and str(t) == "[[0, 7],\n [0, 5]]"
    g = dr.zeros(TensorXf, (2,))
    dr.enable_grad(g)
    dr.backward(g.array * 3)
    assert list(g.grad.array) == [3, 3]


def test_matrices_of_other_sizes():
    m = L.Matrix2f(1, 2, 3, 4)
    assert str(L.Matrix3f(m)) == "[[[1, 2, 0],\n  [3, 4, 0],\n  [0, 0, 1]]]" and str(L.Matrix2f(L.Matrix3f(m))) == str(m)
    v = L.Array3f(1, 2, 3)
    v[1:] = [5, 6]
    assert str(v) == "[[1, 5, 6]]" and str(v[:-1]) == "[[1, 5]]"
    with pytest.raises(ValueError, match="2 entries are set to 3 values"):
        v[1:] = [1, 2, 3]


def test_medians():
    a = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]], dtype=np.float32)
    t = L.TensorXf(a)
    for axis in (0, 1, -1, (0, 1), None):
        expected = np.quantile(a, 0.5, axis=axis, method="lower")
        np.testing.assert_array_equal(dr.median(t, axis).numpy(), expected)
    value, index = dr.median(t, 1, return_index=True)
    np.testing.assert_array_equal(np.take_along_axis(a, index.numpy()[:, None].astype(int), 1)[:, 0], value.numpy())
    assert dr.median([3, 1, 2]) == 2


@pytest.mark.parametrize("mode", MODES)
def test_targets_are_arguments_of_branches(mode):
    counts = L.UInt(0, 0)

    def yes(counts, x):
        dr.scatter_add(counts, 1, 0)
        return counts, x

    def no(counts, x):
        dr.scatter_add(counts, x, 1)
        return counts, x * 2

    made, x = dr.if_stmt((counts, L.UInt(5, 6, 7)), L.Bool(True, False, False), yes, no, mode=mode)
    assert made is counts and list(counts) == [1, 13] and list(x) == [5, 12, 14]


def test_captured_variables_keep_their_gradients():
    value = Float(4)
    dr.enable_grad(value)
    twice = 2 * value
    chosen = dr.switch(UInt(0, 1, 0), [lambda a: twice, lambda a: 4 * a], Float(1, 2, 3))
    dr.backward(chosen)
    assert list(chosen) == [8, 8, 8] and value.grad.item() == 4


EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples/drjit"


def example(name, *options):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main([str(option) for option in options])


def test_examples(tmp_path):
    made = [example("mandelbrot", tmp_path / f"{mode}.png", "--width", 36, "--mode", mode) for mode in (*MODES, "scalar")]
    assert list(made[0]) == list(made[1]) and dr.mean(L.Float(dr.abs(made[0] - made[2]))).item() < 1
    picture = example("signed_distance", tmp_path / "scene.png", "--size", 24)
    assert picture.shape == (3, 24, 24) and np.isfinite(picture).all() and len(np.unique(picture)) > 100
    for path in tmp_path.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_random_numbers_are_those_of_drjit():
    # The first numbers of the streams are tested in Rust; here the interface.
    rng = L.PCG32(2)
    assert list(rng.next_uint32()) == [465482994, 2293120725]
    state = rng.state
    rng += 3
    rng -= 3
    assert dr.all(rng.state == state)
    assert str(dr.rng(5).random(L.Float, 4)) == "[0.0853155, 0.94187, 0.835392, 0.313272]"
    a = dr.rng(1).normal(L.Float, 10000)
    assert abs(dr.mean(a).item()) < 0.05 and abs(dr.std(a).item() - 1) < 0.05
    assert sorted(dr.rng(3).permutation(L.UInt, 20)) == list(range(20))
    moved = dr.while_loop((L.PCG32(2), L.UInt(0), L.Float(0)), lambda r, i, s: i < 3, lambda r, i, s: (r, i + 1, s + r.next_float32()))
    again, total = L.PCG32(2), L.Float(0)
    for _ in range(3):
        total += again.next_float32()
    assert dr.allclose(moved[2], total) and dr.all(moved[0].state == again.state)


def test_arrays_of_numpy_are_operands_by_their_axes():
    # A vector beside nested arrays is one of entries, a table one of entries and elements.
    row, table = np.array([10, 20, 30]), np.array([[1, 2], [3, 4], [5, 6]])
    for module, value in ((L, "[[11, 22, 33]]"), (dr.scalar, "[11, 22, 33]")):
        v = module.Array3f(1, 2, 3)
        assert str(v + row) == str(module.Array3f(row) + v) == str(dr.fma(v, 1, row)) == value
        assert type(v + row) is module.Array3f and type(module.Array3i(1, 2, 3) + row.astype(float)) is module.Array3f64
        assert dr.all(dr.all(v == np.array([1, 2, 3]))) and dr.allclose(np.array([1, 2, 3]), v) and not dr.allclose(row, v)
        assert dr.dot(v, row) == 140
    assert str(L.Array3f(1, 2, 3) * table) == "[[1, 6, 15],\n [2, 8, 18]]" == str(L.Array3f(table) * L.Array3f(1, 2, 3))
    assert str(dr.maximum(L.Array3f(1, 25, 3), row)) == "[[10, 25, 30]]" and list(L.Float(1, 2, 3) + row) == [11, 22, 33]
    assert str(L.Quaternion4f(np.array([1, 2, 3, 4]))) == "[1i+2j+3k+4]" and str(L.ArrayXf(row)) == "[[10, 20, 30]]"
    assert str(L.Complex2f(1, 2) + np.array([1, 2])) == "[2+2j,\n 3+2j]"
    assert str(L.Array3f(np.array([1, 2, 3]), 1, 2)) == "[[1, 1, 2],\n [2, 1, 2],\n [3, 1, 2]]"
    for wrong in (np.array([1, 2]), np.array([3]), table.T):
        with pytest.raises(TypeError, match="axis 0 has size 3"):
            L.Array3f(1, 2, 3) + wrong
    assert str(L.Array3f(1, 2, 3) + np.array(3)) == "[[4, 5, 6]]"


def test_arrays_of_numbers_choose_together():
    # As NumPy has it, but that the common axis stays where the first of them stands.
    a = np.arange(24.0).reshape(2, 3, 4)
    t, i, j = L.TensorXf(a), [0, 1], [1, 2]
    own = [L.UInt(own) for own in (i, j)]
    for key, there in (
        ((own[0], own[1]), a[i, j]),
        ((own[0], slice(None), own[1]), a[i, :, j]),
        ((slice(None), *own), a[:, i, j]),
        ((own[0], 1, own[1]), a[i, 1, j]),
        ((1, *own), a[1, i, j]),
        ((own[0], L.UInt(1)), a[i, 1]),
        ((own[0], None, own[1]), a[i, j][:, None]),
        ((own[0], own[1], slice(1, 3)), a[i, j, 1:3]),
        ((L.Int(-1, 0), L.Int(-1, -2)), a[[-1, 0], [-1, -2]]),
    ):
        assert t[key].numpy().tolist() == there.tolist()
    changed = a.copy()
    changed[i, :, j] = 7
    t[own[0], :, own[1]] = 7
    assert t.numpy().tolist() == changed.tolist()
    with pytest.raises(RuntimeError, match="2, 3"):
        t[own[0], L.UInt(0, 1, 2)]


def test_slices_of_nested_arrays_have_their_size():
    v = L.Array4f(1, 2, 3, 4)
    assert type(v[1:]) is L.Array3f and type(v[:1]) is L.Array1f and type(v[::-1]) is L.Array4f and type(v[2:2]) is L.Array0f
    assert str(v[1::2]) == "[[2, 4]]" and type(dr.scalar.ArrayXf(1, 2, 3)[1:]) is dr.scalar.Array2f
    assert type(dr.scalar.ArrayXf(*range(8))[1:]) is dr.scalar.ArrayXf


def test_errors_speak_of_the_arguments():
    with pytest.raises(RuntimeError, match=r"stack\(\): the arrays have the shapes \[\(2, 3\), \(3, 4\)\]"):
        dr.stack([dr.zeros(L.TensorXf, (2, 3)), dr.zeros(L.TensorXf, (3, 4))])
    for x in (dr.scalar.TensorXi64([1, 2], (2,)), dr.scalar.ArrayXi64(1, 2), L.Float(1, 2), L.Array2f(1, 2)):
        with pytest.raises(RuntimeError, match="length 1, not 2"):
            x.item()
    assert [dr.scalar.TensorXi64([1], (1,)).item(), L.Float(2).item(), L.Array1f(3).item(), dr.scalar.ArrayXf(4).item()] == [1, 2, 3, 4]


def test_sums_of_everything_count_what_single_elements_stand_for():
    v = A.Array3f([1, 2], 2, 3)
    assert dr.sum(v, axis=None) == 13 and dr.prod(v, axis=None) == 72 and dr.allclose(dr.mean(v, axis=None), 13 / 6)
    assert dr.count(L.Array2b([True, False], True), axis=None) == 3 and list(dr.sum(v)) == [6, 7]
    x = A.Float(2)
    dr.enable_grad(x)
    dr.backward(dr.sum(A.Array2f(x, [1, 2, 3]), axis=None))
    assert x.grad == 3


def test_numbers_of_python_are_those_of_drjit():
    assert [dr.lzcnt(100), dr.tzcnt(0), dr.brev(1), dr.log2i(0), dr.popcnt(7), dr.lzcnt(True)] == [25, 32, 1 << 31, -1, 3, 31]
    assert [dr.mul_hi(2**31, 4), dr.mul_wide(2**31, 4), dr.mul_hi(-1, 2)] == [2, 1 << 33, -1]
    for call in (lambda: dr.popcnt(-1), lambda: dr.lzcnt(2**32), lambda: dr.mul_hi(2**32, 1)):
        with pytest.raises(TypeError, match="32 bits"):
            call()
    for mask, kinds in ((L.Bool(True, False), (L.Bool, L.Int, L.Float)), (L.Array2b(True, False), (L.Array2b, L.Array2i, L.Array2f))):
        made = [dr.select(mask, *pair) for pair in ((True, False), (1, 2), (1, 2.5))]
        assert tuple(type(x) for x in made) == kinds
    with pytest.raises(TypeError, match="2147483648"):
        dr.select(L.Bool(True), 2**31, 1)
    assert dr.clip(4, 5, 3) == 3 and list(dr.clip(L.Float(1, 9), 5, 3)) == [3, 3]
    assert dr.count([[True, False], [True, True]], axis=None) == 3 and list(dr.count((L.Bool(True, False), True))) == [2, 1]
    assert dr.cumsum(L.TensorXf([[1, 2, 3], [4, 5, 6]]), axis=(0, 1)).numpy().tolist() == [[1, 3, 6], [5, 12, 21]]
    assert bool(dr.scalar.ArrayXb(True)) and not dr.scalar.Array1b(False)
    assert type(dr.compress(dr.scalar.ArrayXb(True))) is dr.scalar.ArrayXu and type(dr.sort(dr.scalar.ArrayXf(2))) is dr.scalar.ArrayXf
    # The sign of an imaginary zero says on which side of the branch cut a number is, as in C99.
    assert dr.atanh(L.Complex2f(2, 0)).imag[0] > 0 > dr.atanh(L.Complex2f(2, -0.0)).imag[0] and dr.atan(L.Complex2f(0, -5)).real[0] > 0


@pytest.mark.parametrize("flag", [False, True])
def test_a_variable_of_an_inner_branch_may_be_missing(flag):
    @dr.syntax
    def halved(x):
        n = L.Int(0)
        while x > 1:
            if flag:
                step = L.Int(2)
                n += step
            else:
                n += 1
            x >>= 1
        return n

    assert list(halved(L.Int(8, 1, 5))) == ([6, 0, 4] if flag else [3, 0, 2])


def test_inner_functions_see_the_variables_around_them():
    @dr.syntax(recursive=True)
    def signs(t, y):
        def sign():
            if y < 2:
                z = t(-1)
            else:
                z = t(1)
            return z

        return sign()

    assert list(signs(L.Int, L.Int(1, 2, 3))) == [-1, 1, 1]


def _three_draws(rng, mode, draw=lambda rng: rng.random(L.Float, 2)):
    def step(i, total, rng):
        return i + 1, total + draw(rng), rng

    return dr.while_loop((L.UInt(0, 0), L.Float(0, 0), rng), lambda i, _total, _rng: i < 3, step, mode=mode)


@pytest.mark.parametrize("seed", [L.UInt64, L.UInt])
@pytest.mark.parametrize("mode", MODES)
def test_generators_of_arrays_are_variables_of_loops(seed, mode):
    _, total, rng = _three_draws(dr.rng(seed(1)), mode)
    assert str(total) == "[1.84057, 1.72527]"
    again = dr.rng(1)
    for _ in range(3):
        again.random(L.Float, 2)
    assert list(rng.counter) == [3, 3] and again.counter == 3
    assert list(rng.random(L.Float, 2)) == list(again.random(L.Float, 2))
    _, total, _ = _three_draws(dr.rng(seed(1)), mode, lambda rng: L.Float(rng.integers(L.UInt, 2, 5)))
    assert list(total) == [7, 8]


def test_generators_are_not_drawn_from_once_for_all_iterations():
    def captured(rng, mode):
        loop = (lambda i, _total: i < 3, lambda i, total: (i + 1, total + rng.random(L.Float, 2)))
        return dr.while_loop((L.UInt(0), L.Float(0, 0)), *loop, mode=mode)[1]

    def branch(mode):
        rng = dr.rng(1)
        return dr.if_stmt((), L.Bool(True, False), lambda: rng.random(L.Float, 2), lambda: rng.random(L.Float, 2), mode=mode)

    for seed in (1, L.UInt64(1)):
        assert str(captured(dr.rng(seed), "evaluated")) == "[1.84057, 1.72527]"
        with pytest.raises(dr.DrjitError, match="no variable of it"):
            captured(dr.rng(seed), "symbolic")
    with pytest.raises(dr.DrjitError, match="no variable of it"):
        branch("symbolic")
    assert len(branch("evaluated")) == 2
    with pytest.raises(ValueError, match="the seed must be an array"):
        _three_draws(dr.rng(1), "symbolic")
    with pytest.raises(RuntimeError, match=r"`state\[2\].counter`"):
        _three_draws(dr.rng(1), "evaluated")
    with pytest.raises(ValueError, match="the seed must be an array"):
        dr.rng(1, symbolic=True).random(L.Float, 2)
    for symbolic, state in ((True, dr.VarState.Unevaluated), (False, dr.VarState.Evaluated)):
        rng = dr.Generator(L.UInt64(1), dr.opaque(L.UInt, 0), symbolic=symbolic)
        assert str(rng.random(L.Float, 2)) == "[0.517474, 0.413664]" and rng.counter.state == state


def test_draws_of_generators_are_those_of_drjit():
    assert str(dr.rng(1).uniform(L.Float, 3, L.Float(1, 2, 3), 5)) == "[3.0699, 3.24099, 4.98262]"
    assert str(dr.rng(1).normal(L.Float, 3, L.Float(1, 2, 3), 5)) == "[6.80848, -1.40318, -12.1878]"
    assert list(dr.rng(1).integers(L.UInt, 3, L.UInt(1, 2, 3), 5)) == [3, 3, 4]
    assert str(dr.rng(1).random(L.Float16, 3)) == "[0.517578, 0.413574, 0.991211]"
    assert dr.rng(1).random(float, ()) == 0.5174740472885289
    assert list(dr.rng(3).permutation(L.Float(1, 2, 3), -1)) == [3, 1, 2]
    assert dr.rng(3).permutation(L.TensorXf([1, 2, 3, 4, 5, 6], (2, 3)), -1).numpy().tolist() == [[3, 1, 2], [6, 4, 5]]
    order = dr.rng(3).permutation(L.Float, 4)
    assert list(order) == [2, 0, 3, 1] and type(order) is L.UInt
    assert repr(dr.rng(3)) == "Generator[seed=3, counter=0]"

    rng = L.PCG32(3)
    assert str(rng.next_float16()) == "[0.108398, 0.533691, 0.00684357]"
    assert np.allclose(rng.next_float32_normal().numpy(), [1.32227, -0.451615, -0.0519326], atol=4e-6)
    assert np.allclose(rng.next_float_normal(L.Float64).numpy(), [-0.236062, 0.783649, -0.0876496], atol=4e-6)
    assert str(rng.prev_float64()) == "[0.406692, 0.783377, 0.465078]"
    assert list(rng.prev_uint64()) == [16730461300013839602, 6009457872796008149, 8841362424213835781]
    rng.next_float16_normal()
    assert list(rng.next_uint32_bounded(2**31 + 1)) == [1747880424, 1217094685, 216766385]
    assert list(rng.next_uint64_bounded(2**63 + 1)) == [6921930288534453738, 3710045025050595697, 2083114977754841376]
    assert list(rng - L.PCG32(3)) == [4, 7, 6] and list(L.PCG32(3) - rng) == [-4, -7, -6]
    kept = rng.state
    rng.next_uint32_bounded(7, L.Bool(True, False, True))
    assert list(rng.state == kept) == [False, True, False]
    ahead = L.PCG32(3) + L.Int64(1, 2, 3)
    assert list(ahead.state) == [14888532371852292740, 4192181582880221688, 317325258866656924]

    rng = L.Philox4x32(5 << 33 | 3, 1)
    assert str(rng.seed) == "[[10, 3]]"
    assert str(rng.next_float16x4()) == "[[0.668457, 0.827637, 0.491943, 0.555176]]"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: L.Philox4x32(1, 2).__setattr__("iterations", 99), "iterations is 99: 4 to 10"),
        (lambda: dr.rng(1).integers(L.Int, 3, 2.5, 7), "low is float"),
        (lambda: dr.rng(1).integers(L.Int, 3, 2, L.Float(7)), "high is Float"),
        (lambda: dr.Generator(L.UInt64(1), 1.5), "counter is float"),
        (lambda: L.PCG32(2).next_uint32(5), "mask is int"),
        (lambda: L.PCG32(2).next_uint32(L.Bool(True, False, True)), "sizes: 3, 2"),
        (lambda: L.PCG32(2).next_uint32_bounded(5, L.Bool(True, False, True)), "sizes: 3, 2"),
        (lambda: L.PCG32(2).next_uint32_bounded(-1), "bound is -1"),
        (lambda: L.PCG32(2).next_uint64_bounded(2**64), "from 1 to below 2"),
        (lambda: dr.rng(L.UInt64(1, 2)).random(L.Float, 3), "random: operands have incompatible sizes .sizes: 2, 3"),
        (lambda: dr.rng(1).random(L.Float, 2**62), "fewer than 2"),
        (lambda: dr.rng(1).random(L.Float, -1), "shape is -1"),
        (lambda: dr.rng(1).random(L.Float, "a"), "shape is 'a'"),
    ],
)
def test_errors_of_generators_speak_of_their_arguments(call, words):
    with pytest.raises((ValueError, RuntimeError), match=words):
        call()
    assert len(dr.rng(1).random(L.Float, np.int64(2))) == 2 and len(L.PCG32(2).next_uint32()) == 2


def test_kernels_of_a_type():
    for types, there in (((), True), ((dr.KernelType.JIT,), True), (dr.KernelType.JIT, True)):
        dr.kernel_history_clear()
        dr.eval(dr.opaque(L.Float, 2, 3) * 3)
        assert bool(dr.kernel_history(types)) == there
    with pytest.raises(TypeError, match="members of KernelType"):
        dr.kernel_history("a")


def test_literals_that_are_compiled_in(engine):
    x = L.Float(1, 2)
    dr.eval(x)
    dr.kernel_history_clear()
    for _ in range(2):
        for by in (2, 3):
            y = x * dr.literal(L.Float, by)
            dr.eval(y)
            assert list(y) == [by, 2 * by]
    hashes = [launch["hash"] for launch in dr.kernel_history()]
    assert hashes[:2] == hashes[2:] and hashes[0] != hashes[1]
    assert str(dr.literal(L.Array2f, 3, 2) + L.Array2f(1, 2)) == str(L.Array2f([4, 4], [5, 5]))
    for arguments, told in [((L.Float, [1, 2]), "literal.*one value"), ((L.Float, x), "literal.*one value"), ((3,), "literal.*a type of arrays")]:
        with pytest.raises(TypeError, match=told):
            dr.literal(*arguments)
    assert dr.literal(S.Float64, 1) == 1.0 and str(dr.literal(S.Array2f, 3)) == str(S.Array2f(3))


def test_an_index_out_of_range_says_the_line(engine):
    def read(index):
        return dr.gather(Float, Float(1, 2), index), sys._getframe().f_lineno

    with dr.scoped_set_flag(dr.JitFlag.Debug, True):
        x, line = read(UInt(0, 1, 5))
        with pytest.raises(IndexError, match="index 5 is out of range .* position 2 ") as told:
            dr.eval(x)
    assert str(told.value).endswith(f"{__file__}:{line}")
    x, _ = read(UInt(7))
    with pytest.raises(IndexError) as told:
        dr.eval(x)
    assert ".py" not in str(told.value) and read(UInt(1))[0].item() == 2


def test_flags_logs_and_lists(capfd):
    assert dr.flag(dr.JitFlag.SymbolicLoops)
    with dr.scoped_set_flag(dr.JitFlag.SymbolicLoops, False):
        assert not dr.flag(dr.JitFlag.SymbolicLoops)
        assert dr.while_loop((L.Int(3),), lambda x: x > 0, lambda x: (x - 1,))[0].item() == 0
    assert dr.flag(dr.JitFlag.SymbolicLoops)
    seen = []

    def body(x):
        seen.append(dr.flag(dr.JitFlag.SymbolicScope))
        return (x - 1,)

    dr.while_loop((L.Int(3),), lambda x: x > 0, body, mode="symbolic")
    assert seen == [True] and not dr.flag(dr.JitFlag.SymbolicScope)
    with pytest.raises(ValueError, match="cannot be set"):
        dr.set_flag(dr.JitFlag.SymbolicScope, True)
    x = dr.opaque(L.Float, 2, 3)
    dr.set_label(speed=x)
    assert "speed" in dr.whos(as_string=True)
    y = x * 3
    assert y.state == dr.VarState.Unevaluated and "mul" in dr.graphviz(y, as_string=True).lower()
    assert dr.eval(y) and not dr.eval(y) and y.state == dr.VarState.Evaluated
    level = dr.log_level()
    dr.set_log_level(dr.LogLevel.Trace)
    dr.eval(x + 5)
    dr.set_log_level(level)
    assert "jit_var_new()" in capfd.readouterr().err


def test_what_is_dropped_is_gone():
    before = dr.counters()["live"]
    x = L.Array3f(1, 2, 3)
    y = dr.norm(x * 2)
    parts = [x.x, x.y]
    del x, y, parts
    assert dr.counters()["live"] == before


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Array3f(1, 2), TypeError, "wrong size (expected 3 elements, got 2)"),
        (lambda: Float(1, 2)[5], IndexError, "entry 5 is out of bounds (the array is of size 2)"),
        (lambda: Int(1) / Int(1), TypeError, "for /: 'Int' and 'Int'"),
        (lambda: dr.sqrt(Int(1)), RuntimeError, "drjit.sqrt(<drjit.llvm.ad.Int>)"),
        (lambda: Float(1, 2) + Float(1, 2, 3), RuntimeError, "incompatible sizes (sizes: 2, 3)"),
        (lambda: bool(Bool(True, False)), RuntimeError, "has 2 elements"),
        (lambda: Float("a"), TypeError, "type 'str'"),
        (lambda: Float(x=1), TypeError, "`x`"),
        (lambda: Float(1) + "a", TypeError, "'Float' and 'str'"),
        (lambda: Array3f(1) + A.Array4f(1), RuntimeError, "Array3f and drjit.llvm.ad.Array4f"),
        (lambda: TensorXf([1, 2], (2,)) + TensorXf([1, 2, 3], (3,)), RuntimeError, "(2,) and (3,)"),
        (lambda: TensorXf([1, 2], (3,)), TypeError, "got 2, expected 3"),
        (lambda: TensorXf([[1, 2], [3]]), TypeError, "lists of several lengths"),
        (lambda: dr.sum(Array2f([1, 2], [1, 2, 3])), RuntimeError, "drjit.sum"),
        (lambda: dr.sum(TensorXf(1), axis=3), IndexError, "the axis 3"),
        (lambda: dr.gather(Float, Float(1, 2), UInt(7)).numpy(), IndexError, "index 7"),
        (lambda: dr.gather(str, Float(1), UInt(0)), TypeError, "unsupported dtype"),
        (lambda: dr.while_loop([Int(1)], lambda x: x > 0, lambda x: (x,)), TypeError, "a tuple is needed"),
        (lambda: dr.while_loop((Int(1),), lambda x: x, lambda x: (x,)), TypeError, "a flat mask"),
        (lambda: dr.while_loop((Int(1),), lambda x: x > 0, lambda x: x), TypeError, "the body gives Int"),
        (lambda: dr.while_loop((Int(1),), lambda x: x > 0, lambda x: (x, x)), RuntimeError, "2 values for a state of 1"),
        (lambda: dr.while_loop((Int(1), 2), lambda x, n: x > 0, lambda x, n: (x - 1, n + 1)), RuntimeError, "`state[1]`"),
        (lambda: dr.while_loop((Int(1),), lambda x: x > 0, lambda x: (x - 0.5,), labels=["i"]), RuntimeError, "`i`"),
        (lambda: dr.while_loop((Int(1),), lambda x: x > 0, lambda x: (x,), mode="fast"), ValueError, "'fast'"),
        (lambda: dr.if_stmt((Int(1),), Bool(True, False), lambda x: x, lambda x: x * 0.5), RuntimeError, "result"),
        (lambda: dr.if_stmt((Int(1),), Bool(True, False), lambda x: x, lambda x: (x, x)), TypeError, "result"),
        (lambda: dr.format("{}"), RuntimeError, 'missing positional argument "0"'),
        (lambda: dr.zeros(Array3f, (4, 2)), TypeError, "(4, 2)"),
        (lambda: dr.zeros("x"), TypeError, "'x'"),
        (lambda: dr.set_backend("metal"), ValueError, "'metal'"),
        (lambda: dr.mask_t(Float)(3.5, "x"), TypeError, "'str'"),
        (lambda: Matrix2f(1, 2, 3), TypeError, "got 3"),
        (lambda: dr.reshape(TensorXf, Float(1, 2, 3), (2, -1)), ValueError, "shape"),
        (lambda: dr.custom(dr.CustomOp, Float(1)), NotImplementedError, "eval"),
    ],
)
def test_errors_tell_what_is_wrong(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert words in str(raised.value)
    # What comes after works.
    assert (Float(1, 2) + 1)[1] == 3


def test_what_a_function_raises_goes_on():
    def body(x):
        raise KeyError("mine")

    for mode in MODES:
        with pytest.raises(KeyError, match="mine"):
            dr.while_loop((Int(1),), lambda x: x > 0, body, mode=mode)
        with pytest.raises(KeyError, match="mine"):
            dr.if_stmt((Int(1),), Bool(True, False), body, lambda x: x, mode=mode)


def test_constants():
    assert dr.pi == math.pi and dr.epsilon(Float) == 2**-24 and dr.largest(Int) == 2**31 - 1 and dr.smallest(A.Float64) == 2.0**-1022
    assert dr.isinf(1 / L.Float(dr.recip_overflow(L.Float))).item()
