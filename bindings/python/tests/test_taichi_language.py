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


def test_fields_are_made_outside_of_kernels():
    v = ti.Vector.field(2, ti.f32, shape=3)

    @ti.kernel
    def part():
        y = v.get_scalar_field(1)
        for i in y:
            y[i] = i + 0.5

    @ti.kernel
    def makes():
        y = ti.field(ti.i32, 3)
        y[0] = 1

    @ti.kernel
    def makes_array():
        y = ti.Vector.ndarray(2, ti.i32, 3)
        y[0] = [1, 2]

    part()
    assert v.to_numpy().tolist() == [[0, 0.5], [0, 1.5], [0, 2.5]] and v.get_scalar_field(1) is v.get_scalar_field(1)
    for kernel in (makes, makes_array):
        with pytest.raises(ti.TaichiCompilationError, match="made outside of kernels"):
            kernel()
    assert ti.field(ti.i32, 3).shape == (3,)


def test_functions_that_call_themselves_are_refused():
    @ti.real_func
    def down(n: ti.i32) -> ti.i32:
        if n == 0:
            return 0
        return down(n - 1) + 1

    @ti.kernel
    def run() -> ti.i32:
        return down(3)

    with pytest.raises(ti.TaichiSyntaxError, match="must not call themselves"):
        run()


def test_methods_take_their_own_keywords():
    @ti.kernel
    def named() -> ti.f32:
        return ti.Vector([3.0, 4.0]).norm(eps=11.0)

    @ti.kernel
    def unknown() -> ti.f32:
        return ti.Vector([3.0, 4.0]).norm(other=11.0)

    @ti.kernel
    def diagonal() -> ti.f32:
        return ti.Matrix.diag(2, ti.math.inf)[0, 1]

    assert (named(), diagonal()) == (6.0, 0.0)
    with pytest.raises(ti.TaichiSyntaxError, match="no free parameter `other`"):
        unknown()
