"""What Taichi's kernels print, and what debug mode checks."""

import pytest

import ivyrs.taichi as ti


@pytest.fixture(params=["llvm", "interp"], autouse=True)
def program(request):
    ti.init(arch=request.param, debug=True)
    yield request.param
    ti.reset()


@pytest.mark.parametrize("dtype", [ti.i8, ti.u8, ti.i16, ti.u16, ti.i32, ti.u32, ti.i64, ti.u64])
def test_debug_mode_tells_of_overflow(program, dtype):
    ti.init(arch=program, debug=True, keep_printed=True)

    @ti.kernel
    def run(x: dtype, y: dtype, op: ti.template()) -> dtype:
        a, b = x, y
        return op(a, b)

    @ti.func
    def add(a, b):
        return a + b

    @ti.func
    def sub(a, b):
        return a - b

    @ti.func
    def mul(a, b):
        return a * b

    @ti.func
    def shl(a, b):
        return a << b

    ends = dtype.range
    least, most = ends.start, ends.stop - 1
    for f, name, exact in [(add, "Addition", lambda a, b: a + b), (sub, "Subtraction", lambda a, b: a - b), (mul, "Multiplication", lambda a, b: a * b)]:
        for a in (least, least + 1, 0, 1, 7, most - 1, most):
            for b in (least + 1, 0, 1, 2, most):
                value = run(a, b, f)
                printed = ti.printed()
                assert (exact(a, b) not in ends) == bool(printed), (name, a, b, value)
                assert not printed or f"{name} overflow detected in " in printed[0] and "return a" in printed[1]
    assert run(1, 3, shl) == 8 and ti.printed() == []
    run(most, 1, shl)
    assert "Shift left overflow detected" in ti.printed()[0]
    with pytest.raises(ti.TaichiAssertionError, match=f"a shift of {dtype!r} by {int(dtype.name[1:])} bits"):
        run(1, int(dtype.name[1:]), shl)


def test_debug_mode_checks_indices_of_vectors():
    @ti.kernel
    def run(i: ti.i32) -> ti.i32:
        v = ti.Vector([1, 2, 3])
        v[i] += 1
        return v[i]

    assert run(2) == 4
    with pytest.raises(ti.TaichiAssertionError, match="Out of bound access: the index 3"):
        run(3)


def test_prints_are_those_of_taichi(program):
    ti.init(arch=program, keep_printed=True)

    @ti.kernel
    def tell(x: ti.f32, n: ti.i32, d: ti.f64, u: ti.u32, v: ti.math.vec2):
        print(n, 2.5, "a", x, d)
        print(n > 1, True, u)
        print(v, ti.Matrix([[1, 2], [3, 4]]), (1, 2.5))
        print("a", "b", sep="-", end="!")
        print("c")
        print(f"x = {x:.3f} {x:.2e} {n:5d}|{n:05d} {u:x}")
        print("{} {:.2f} {{}}".format(n, x), "%d%% %.1f" % (n, x))
        print(f"{v:.2f} {n = }")
        print("a{b}c", "{}", "100%")
        print(n, n, n, n, n, n, n, x)
        print()

    tell(0.512345, 42, 0.1, 43, ti.Vector([1.0, 2.0]))
    # What the package prints, but for `%` with values, which it refuses.
    assert ti.printed() == [
        "42 2.500000 a 0.512345 0.100000000000",
        "1 1 43",
        "[1.000000, 2.000000] [[1, 2], [3, 4]] [1, 2.500000]",
        "a-b!c",
        "x = 0.512 5.12e-01    42|00042 2b",
        "42 0.51 {} 42% 0.5",
        "[1.00, 2.00] n = 42",
        "a{b}c {} 100%",
        "42 42 42 42 42 42 42 0.512345",
        "",
    ]

    @ti.kernel
    def wrong(n: ti.i32):
        print(f"{n:.2f}")

    @ti.kernel
    def few(n: ti.i32):
        print("{} {}".format(n))

    with pytest.raises(ti.TaichiTypeError, match=r'print\(f"\{n:.2f\}"\)\n +\^+\nthe format .\.2f. doesn.t match .i32.'):
        wrong(1)
    with pytest.raises(ti.TaichiSyntaxError, match="more places than the 1 values"):
        few(1)
