"""Functions that are recorded and replayed, and results that are asked for together."""

import threading

import pytest

import ivyrs

NAMES = [name for name, version, _ in ivyrs.backends() if version is not None]


@pytest.fixture(params=NAMES)
def space(request):
    return ivyrs.namespace(request.param)


def test_results_are_those_of_the_function(space):
    calls = []

    def f(x, pair, *, scale=1.0, names=None):
        calls.append(scale)
        y = x * scale + pair[0]
        return {"sum": y, "parts": (y, [space.sum(y), x])}, 3

    compiled = ivyrs.compile(f)
    assert compiled.__name__ == "f"
    for i in range(4):
        x = space.asarray([1.0 + i, 2.0, 3.0])
        for scale in (2.0, 0.5):
            got, three = compiled(x, [x], scale=scale, names={"a": x})
            want, _ = f(x, [x], scale=scale)
            assert three == 3 and set(got) == {"sum", "parts"} and type(got["parts"]) is tuple
            assert got["sum"].tolist() == want["sum"].tolist()
            assert got["parts"][1][0].tolist() == want["parts"][1][0].tolist()
            assert got["parts"][1][1].tolist() == x.tolist()
    if space.asarray(0).backend == "jit":
        # 8 calls that compare, and one for each number.
        assert compiled.recordings == 2 and len(calls) == 10
    else:
        assert compiled.recordings == 0 and len(calls) == 16


def test_each_kind_has_a_recording_of_its_own():
    xp = ivyrs.namespace("jit")
    compiled = ivyrs.compile(lambda x, n: x * n if x.ndim else (x, n))
    for n in (2, 2.0, -0.0, 0.0, float("nan"), float("nan"), True, 1):
        got = compiled(xp.asarray([1.0]), n)
        assert repr(got) == repr(xp.asarray([1.0]) * n), n
    assert compiled(xp.asarray(5.0), 7)[1] == 7
    assert compiled(xp.asarray([1, 2]), 7).dtype == xp.int32
    many = ivyrs.compile(lambda x: x + 1)
    for n in range(40):
        assert many(xp.zeros((n,))).shape == (n,)
    assert many.recordings <= 32


def test_what_reads_elements_is_called_each_time():
    xp = ivyrs.namespace("jit")
    compiled = ivyrs.compile(lambda x: x + 1 if float(x[0]) > 0 else (x, x))
    for _ in range(3):
        assert compiled(xp.asarray([1.0])).tolist() == [2.0]
        assert type(compiled(xp.asarray([-1.0]))) is tuple
    assert compiled.recordings == 0


def test_errors_are_the_functions_own(space):
    class Own(Exception):
        pass

    def f(x, what):
        if what == "raise":
            raise Own("mine")
        return space.reshape(x, (7,)) if what == "shape" else what if what == "set" and {1} else x

    compiled = ivyrs.compile(f)
    x = space.asarray([1.0, 2.0])
    for _ in range(2):
        with pytest.raises(Own, match="mine"):
            compiled(x, "raise")
        with pytest.raises(ivyrs.IvyError, match="reshape"):
            compiled(x, "shape")
        assert compiled(x, "").tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="not set"):
        compiled(x, {1})
    with pytest.raises(TypeError, match="not object"):
        ivyrs.compile(lambda x: object())(x)
    with pytest.raises(TypeError, match="needs a function, not int"):
        ivyrs.compile(3)
    with pytest.raises(TypeError, match="missing"):
        compiled(x)


def test_threads():
    xp = ivyrs.namespace("jit")
    compiled = ivyrs.compile(lambda x: {"y": xp.exp(x) - x})
    wrong = []

    def work(n):
        for i in range(20):
            x = xp.asarray([float(i)] * (1 + n % 2))
            if compiled(x)["y"].tolist() != (xp.exp(x) - x).tolist():
                wrong.append((n, i))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_methods_are_called():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        @ivyrs.compile
        def step(self, x):
            return x * self.scale

    x = ivyrs.namespace("jit").asarray([1.0])
    assert [Model(s).step(x).tolist() for s in (2, 3)] == [[2.0], [3.0]]


def test_evaluate(space):
    x = space.asarray([1.0, 4.0])
    root, double = space.sqrt(x), x + x
    assert ivyrs.evaluate(root, double, x) is None and ivyrs.evaluate() is None
    assert (root.tolist(), double.tolist()) == ([1.0, 2.0], [2.0, 8.0])
    other = ivyrs.namespace("ndarray").asarray([1])
    ivyrs.evaluate(root, other)
    with pytest.raises(TypeError, match="take arrays"):
        ivyrs.evaluate([root])
    with pytest.raises(IndexError):
        ivyrs.evaluate(space.take(x, space.asarray([5])))
