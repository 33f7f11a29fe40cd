"""The language of Taichi's kernels from Python: expressions against the package's recorded answers, and what statements mean."""

import ast
import builtins
import importlib.util
import pathlib

import numpy as np
import pytest

import ivyrs.taichi as ti

ROOT = pathlib.Path(__file__).resolve().parents[3]


def recorder():
    """The script that records the package's answers, which also writes kernels here."""
    spec = importlib.util.spec_from_file_location("record_taichi", ROOT / "tools/record_taichi.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["llvm", "interp"], autouse=True)
def program(request):
    ti.init(arch=request.param, debug=True)
    yield request.param
    ti.reset()


def test_recorded_answers_are_those_of_taichi(program, tmp_path):
    ti.init(arch=program, rules="taichi-1.7")
    record, wrong = recorder(), []
    for number, row in enumerate(record.rows()):
        answer, expected = record.answer(ti, "ivyrs.taichi", str(tmp_path), number, row), row[4]
        if expected.startswith("!"):
            # TaichiSyntaxError and its like are kinds of TaichiCompilationError.
            given = getattr(ti, answer[1:], None) or getattr(builtins, answer[1:], None)
            kinds = [kind.__name__ for kind in given.__mro__] if isinstance(given, type) else [answer[1:]]
            same = answer.startswith("!") and expected[1:] in kinds
        elif answer.startswith("!"):
            same = False
        else:
            found, known = ast.literal_eval(answer), ast.literal_eval(expected)
            same = found == known or np.shape(found) == np.shape(known) and np.allclose(found, known, rtol=1e-4, atol=2e-6)
        if not same:
            wrong.append((*row, answer))
    assert wrong == []


def test_and_and_or_give_the_operand_that_decides():
    @ti.kernel
    def both(x: ti.i32, y: ti.i64) -> ti.i64:
        return x and y

    @ti.kernel
    def either(x: ti.i32, y: ti.i64) -> ti.i64:
        return x or y

    counted = ti.field(ti.i32, shape=())

    @ti.func
    def seen(x):
        counted[None] += 1
        return x

    @ti.kernel
    def lazily(x: ti.i32) -> ti.i32:
        return x and seen(3)

    @ti.kernel
    def by_element() -> ti.types.vector(4, ti.i32):
        return ti.Vector([2, 2, 0, 0]) and ti.Vector([1, 0, 1, 0])

    assert [both(2, 2**40), both(0, 5), either(2, 5), either(0, 2**40)] == [2**40, 0, 2, 2**40]
    assert (lazily(0), counted[None], lazily(2), counted[None]) == (0, 0, 3, 1)
    assert by_element().to_list() == [1, 0, 0, 0]


def test_real_functions_return_from_anywhere():
    pair = ti.types.struct(at=ti.math.vec2, n=ti.i16)

    @ti.real_func
    def first_above(limit: ti.i32) -> ti.i32:
        for i in range(100):
            if i * i > limit:
                return i
        return -1

    @ti.real_func
    def several(n: ti.i32) -> (ti.f32, pair):
        if n < 0:
            return 0.5, pair(ti.math.vec2(1, 2), n)
        return 1.5, pair(ti.math.vec2(3, 4), 65537)

    @ti.real_func
    def doubled(x: ti.ref(ti.i32)):
        x *= 2

    @ti.kernel
    def run(n: ti.i32) -> (ti.i32, ti.f32, pair):
        a, b = several(n)
        n2 = n
        doubled(n2)
        return first_above(n2), a, b

    index, number, struct = run(-3)
    assert (index, number, struct.at.to_list(), struct.n) == (0, 0.5, [1, 2], -3)
    index, number, struct = run(50)
    assert (index, number, struct.at.to_list(), struct.n) == (11, 1.5, [3, 4], 1)

    with pytest.raises(ti.TaichiSyntaxError, match="`b` must be type annotated"):

        @ti.real_func
        def untyped(a: ti.i32, b) -> ti.i32:
            return a + b


def test_structs_are_arguments_and_results():
    @ti.dataclass
    class Ball:
        centre: ti.math.vec3
        radius: ti.f32

        @ti.func
        def grown(self, by):
            return Ball(self.centre + by, self.radius + by)

        def area(self):
            return 4 * np.pi * self.radius**2

    @ti.kernel
    def grow(ball: Ball, by: ti.f32) -> Ball:
        return ball.grown(by)

    ball = grow(Ball([1, 2, 3], 0.5), 1.5)
    assert (ball.centre.to_list(), ball.radius) == ([2.5, 3.5, 4.5], 2) and np.isclose(ball.area(), 16 * np.pi)
    with pytest.raises(ti.TaichiRuntimeTypeError, match="Invalid type for argument ball"):
        grow(3, 1.0)

    fields = Ball.field()
    ti.root.dense(ti.i, 3).place(fields)

    @ti.kernel
    def fill():
        for i in fields:
            fields[i] = Ball(i, i + 0.5)

    fill()
    assert fields[2].centre.to_list() == [2, 2, 2] and fields[2].radius == 2.5


def test_slices_read_and_write():
    @ti.kernel
    def columns(i: ti.i32) -> ti.types.matrix(3, 3, ti.i32):
        m = ti.Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
        m[:, 0] = m[:, 2]
        m[i, 1:] += 10
        return m

    @ti.kernel
    def every(i: ti.i32) -> ti.types.vector(2, ti.i32):
        return ti.Vector([0, 1, 2, 3])[1::2] + ti.Matrix([[1, 2], [3, 4]])[:, i]

    @ti.kernel
    def late(i: ti.i32) -> ti.i32:
        return ti.Vector([1, 2, 3])[i:].sum()

    assert columns(1).to_list() == [[3, 2, 3], [6, 15, 16], [9, 8, 9]]
    assert every(1).to_list() == [3, 7]
    with pytest.raises(ti.TaichiSyntaxError, match="variables in slice"):
        late(1)
    m = ti.Matrix([[1, 2], [3, 4]])
    m[:, 1] = [7, 8]
    assert m.to_list() == [[1, 7], [3, 8]] and m[1, :].to_list() == [3, 8] and m.determinant() == -13


def test_what_python_knows_is_pythons():
    x = ti.field(ti.i32, shape=8)
    x.from_numpy(np.arange(8, dtype=np.int32))

    @ti.kernel
    def comprehensions() -> ti.i32:
        kept = [x[i] for i in range(8) if i > 2 if i < 5]
        named = {i: x[i] + i for i in range(8) if i % 2}
        return sum(kept) * 1000 + sum(named.values())

    @ti.kernel
    def unknown() -> ti.i32:
        return sum([x[i] for i in range(8) if x[i] > 2])

    assert comprehensions() == 7 * 1000 + 32
    with pytest.raises(ti.TaichiSyntaxError, match="compile-time constant"):
        unknown()

    @ti.kernel
    def sized(m: ti.template()) -> ti.i32:
        n = ti.static(m.n)
        total = 0
        for i in ti.static(range(n)):
            total += m[i]
        return total

    assert sized(ti.Vector([1, 2, 3])) == 6


def test_serial_loops_over_fields():
    x = ti.field(ti.i32, shape=(3, 4), offset=(-1, 2))
    last = ti.field(ti.i32, shape=())

    @ti.kernel
    def run():
        ti.loop_config(serialize=True)
        for i, j in x:
            x[i, j] = last[None] + 1
            last[None] += i * 10 + j

    expected, before = [], 0
    for i in range(-1, 2):
        for j in range(2, 6):
            expected.append(before + 1)
            before += i * 10 + j
    run()
    assert x.to_numpy().ravel().tolist() == expected


def test_kernels_fill_fields():
    x, v = ti.field(ti.f32, shape=(2, 3)), ti.Vector.field(2, ti.i32, shape=4)

    @ti.kernel
    def run():
        x.fill(1.5)
        v.fill(ti.Vector([3, 4]))

    run()
    assert np.all(x.to_numpy() == 1.5) and np.all(v.to_numpy() == [3, 4])


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("dtype", [ti.f32, ti.f64])
def test_decompositions(rows, dtype):
    count = 64
    a = ti.Matrix.field(rows, rows, dtype, shape=count)
    out = [ti.Matrix.field(rows, rows, dtype, shape=count) for _ in range(6)]
    values = ti.Vector.field(rows, dtype, shape=count)
    rng = np.random.default_rng(5)
    given = rng.normal(size=(count, rows, rows))
    # Singular, diagonal and zero matrices among them, and repeated values.
    given[0], given[1], given[2, 0] = 0, np.eye(rows), 0
    given[3] = np.diag(np.arange(rows)[::-1] * 1e-3)
    given[4] = np.outer(np.arange(rows) + 1, np.arange(rows) - 0.5)
    a.from_numpy(given)
    given = a.to_numpy().astype(np.float64)

    @ti.kernel
    def run():
        for i in a:
            out[0][i], out[1][i], out[2][i] = ti.svd(a[i], dtype)
            out[3][i], out[4][i] = ti.polar_decompose(a[i], dtype)
            values[i], out[5][i] = ti.sym_eig(a[i] + a[i].transpose(), dtype)

    run()
    u, s, v, q, p, e = (part.to_numpy().astype(np.float64) for part in out)
    tolerance = {"rtol": 0, "atol": 3e-6 if dtype is ti.f32 else 1e-13}
    transposed = lambda m: m.swapaxes(1, 2)  # noqa: E731
    identity = np.broadcast_to(np.eye(rows), given.shape)
    assert np.allclose(u @ s @ transposed(v), given, **tolerance)
    assert np.allclose(u @ transposed(u), identity, **tolerance) and np.allclose(v @ transposed(v), identity, **tolerance)
    assert np.allclose(np.linalg.det(u), 1, **tolerance) and np.allclose(np.linalg.det(v), 1, **tolerance)
    singular = np.linalg.svd(given, compute_uv=False)
    assert np.allclose(np.abs(np.diagonal(s, axis1=1, axis2=2)), singular, **tolerance)
    assert np.allclose(q @ p, given, **tolerance) and np.allclose(q @ transposed(q), identity, **tolerance)
    assert np.allclose(p, transposed(p), **tolerance)
    symmetric = given + transposed(given)
    order = slice(None, None, -1) if rows == 2 else slice(None)
    assert np.allclose(values.to_numpy(), np.linalg.eigvalsh(symmetric)[:, order], rtol=0, atol=2 * tolerance["atol"])
    assert np.allclose(symmetric @ e, e * values.to_numpy()[:, None, :], rtol=0, atol=2 * tolerance["atol"])
    assert np.allclose(np.linalg.det(e), 1, **tolerance)


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_systems_of_equations(rows):
    count = 16
    rng = np.random.default_rng(7)
    given, right = rng.normal(size=(count, rows, rows)), rng.normal(size=(count, rows))
    # A pivot that has to be exchanged.
    given[0, 0, 0] = 0
    a, b, x = ti.Matrix.field(rows, rows, ti.f64, count), ti.Vector.field(rows, ti.f64, count), ti.Vector.field(rows, ti.f64, count)
    a.from_numpy(given)
    b.from_numpy(right)

    @ti.kernel
    def run():
        for i in a:
            x[i] = ti.solve(a[i], b[i], ti.f64)

    run()
    assert np.allclose(x.to_numpy(), np.linalg.solve(given, right[..., None])[..., 0], rtol=1e-9, atol=1e-12)


def test_normal_numbers():
    x = ti.field(ti.f64, shape=40000)

    @ti.kernel
    def draw():
        for i in x:
            x[i] = ti.randn(ti.f64)

    draw()
    values = x.to_numpy()
    assert abs(values.mean()) < 0.02 and abs(values.std() - 1) < 0.02 and abs((values**3).mean()) < 0.06
    assert np.isfinite(values).all()


def test_sorting_and_prefix_sums():
    keys, values = ti.field(ti.f32, shape=1000, offset=-3), ti.field(ti.i32, shape=1000, offset=7)
    numbers = np.random.default_rng(1).integers(0, 50, 1000).astype(np.float32)
    keys.from_numpy(numbers)
    values.from_numpy(np.arange(1000, dtype=np.int32))
    ti.algorithms.parallel_sort(keys, values)
    assert np.array_equal(keys.to_numpy(), np.sort(numbers))
    assert np.array_equal(values.to_numpy(), np.argsort(numbers, kind="stable"))
    ti.algorithms.PrefixSumExecutor(1000).run(values)
    assert np.array_equal(values.to_numpy(), np.cumsum(np.argsort(numbers, kind="stable")).astype(np.int32))
    with pytest.raises(ti.TaichiTypeError, match="1000 numbers"):
        ti.algorithms.PrefixSumExecutor(1000).run(ti.field(ti.i32, shape=4))


def test_arrays_are_checked_against_their_annotations():
    @ti.kernel
    def vectors(a: ti.types.ndarray(dtype=ti.types.vector(), ndim=1)) -> ti.f32:
        return a[1][0]

    @ti.kernel
    def clamped(a: ti.types.ndarray(boundary="clamp"), i: ti.i32) -> ti.f32:
        return a[i]

    a = ti.Vector.ndarray(3, ti.f32, 4)
    a[1] = [5, 6, 7]
    assert vectors(a) == 5 and vectors(np.full((2, 2), 3, np.float32)) == 3
    assert (a.element_shape, a.element_type.shape(), a.shape, isinstance(a, ti.VectorNdarray)) == ((3,), [3], (4,), True)
    with pytest.raises(ValueError, match="required ndim=1, but 2d"):
        vectors(ti.Vector.ndarray(3, ti.f32, (4, 4)))
    with pytest.raises(ValueError, match="element_shape"):
        vectors(ti.ndarray(ti.f32, 4))
    line = np.arange(5, dtype=np.float32)
    assert [clamped(line, i) for i in (-7, 2, 4, 100)] == [0, 2, 4, 4]
    for shape in (0, (1, 0), 1.5, 2**31):
        with pytest.raises(ti.TaichiRuntimeError, match="not a valid shape"):
            ti.ndarray(ti.f32, shape)


def test_a_kernel_finds_the_fields_of_a_tree_that_was_made_anew():
    @ti.data_oriented
    class Holder:
        def build(self, n):
            self.x = ti.field(ti.i32)
            builder = ti.FieldsBuilder()
            builder.dense(ti.i, n).place(self.x)
            self.tree = builder.finalize()

        @ti.kernel
        def fill(self, value: ti.i32):
            for i in self.x:
                self.x[i] = value + i

    holder = Holder()
    for n in (4, 9):
        holder.build(n)
        holder.fill(2)
        holder.fill(3)
        assert holder.x.to_numpy().tolist() == [3 + i for i in range(n)]
        holder.tree.destroy()


def test_errors_name_the_line():
    @ti.kernel
    def assigns(a: ti.i32):
        a += 1

    @ti.kernel
    def nested():
        def inner():
            pass

    @ti.func
    def returns(x):
        if x > 0:
            return 1
        return 2

    @ti.kernel
    def calls():
        returns(3)

    @ti.kernel
    def divides() -> ti.i32:
        return 1 // 0

    for kernel, given, text in [
        (assigns, (1,), r'        a \+= 1\n        \^\nKernel argument "a" is immutable'),
        (nested, (), "Function definition is not allowed in 'ti.kernel'"),
        (calls, (), r"            return 1\n            \^\^\^\^\^\^\^\^\nReturn inside non-static if/for is not supported"),
        (divides, (), r"return 1 // 0\n +\^\^\^\^\^\^\n"),
    ]:
        with pytest.raises(ti.TaichiSyntaxError, match=text):
            kernel(*given)





def test_vectors_of_pythons_scope():
    a, b = ti.Vector([1, 2, 3]), ti.Vector([4.0, 5, 6])
    assert (str(a), str(a + b), str(a > 1), str(ti.Matrix([[1, 2], [3, 4]]))) == ("[1 2 3]", "[5. 7. 9.]", "[False  True  True]", "[[1 2]\n [3 4]]")
    assert (b.entries, a @ b, abs(-a).to_list(), (~a).to_list()) == ([4.0, 5.0, 6.0], 32.0, [1, 2, 3], [-2, -3, -4])
    assert (a + np.array([1, 1, 2])).to_list() == (np.array([1, 1, 2]) + a).to_list() == [2, 3, 5]
    assert ti.Vector([1, 2], dt=ti.f32).to_numpy().dtype == np.float32
    for wrong, error in [
        (lambda: ti.Vector("ab"), TypeError),
        (lambda: ti.Vector.unit(3, 7), IndexError),
        (lambda: ti.Matrix.identity(ti.f32, -1), ValueError),
        (lambda: ti.Vector.field(-1, ti.i32, shape=3), ti.TaichiTypeError),
        (lambda: ti.Vector([1, 2]) + ti.Vector([1, 2, 3]), TypeError),
    ]:
        with pytest.raises(error):
            wrong()


@pytest.mark.parametrize(
    "body, text",
    [
        ("a = ti.Vector([1, 2])[0.5]", "indexed by integers"),
        ("a = ti.Vector([1, 2])[x * 0.5]", "indexed by integers"),
        ("a = ti.Vector([])", "a vector is made of numbers"),
        ("a = [i for i in x]", "a comprehension is over"),
        ("ti.atomic_add(x, 1)", "immutable in the kernel"),
        ("a = ti.Vector([1, 2]).dot(3)", "of one shape"),
        ("a = ti.Vector([1, 2]).norm(1, 2, 3)", "takes one number"),
        ("a = ti.Vector([1, 2]).norm\nb = a", "norm"),
    ],
)
def test_what_is_refused_in_kernels(body, text, tmp_path):
    record = recorder()
    lines = body.replace("\n", "\\n")
    path = tmp_path / "kernel.py"
    path.write_text("import ivyrs.taichi as ti\n@ti.kernel\ndef f(x: ti.i32):\n" + "".join(f"    {line}\n" for line in body.split("\n")))
    assert record.answer(ti, "ivyrs.taichi", str(tmp_path), 0, ["x: ti.i32", "", "1", lines]).startswith("!")
    spec = importlib.util.spec_from_file_location("kernel", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(ti.TaichiCompilationError, match=text):
        module.f(1)
