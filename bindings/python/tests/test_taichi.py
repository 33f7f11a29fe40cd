"""Taichi's kernels from Python: what Python's own loops give, on the interpreter and by LLVM."""

import gc
import importlib.util
import math
import pathlib

import numpy as np
import pytest

import ivyrs.taichi as ti

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples/taichi"


@pytest.fixture(params=["llvm", "interp"], autouse=True)
def program(request):
    ti.init(arch=request.param, debug=True, keep_printed=True)
    yield
    ti.reset()


def test_a_loop_over_a_field():
    x = ti.field(ti.f32, shape=4)

    @ti.kernel
    def step(dt: ti.f32):
        for i in x:
            x[i] += dt * i

    step(0.5)
    step(dt=0.5)
    assert x.to_numpy().tolist() == [0, 1, 2, 3] and x[2] == 2.0
    x[1] = 7
    step(0.0)
    assert x.to_numpy().tolist() == [0, 7, 2, 3]


def test_branches_loops_and_results():
    @ti.func
    def weigh(a, b: ti.template()):
        a *= 2
        return a + b

    @ti.kernel
    def total(n: ti.i32) -> ti.i32:
        found = 0
        for i in range(n):
            if i % 2 == 0 and i > 2:
                found += weigh(i, 1)
            elif i == 3:
                found -= 1
        k = 0
        while True:
            k += 1
            if k == 3:
                continue
            if k > 5:
                break
            found += k * 1000
        return found

    assert total(10) == sum(2 * i + 1 for i in (4, 6, 8)) - 1 + 1000 * (1 + 2 + 4 + 5)


def test_vectors_matrices_and_swizzles():
    v = ti.Vector.field(3, ti.f32, shape=(4, 5))

    @ti.kernel
    def fill():
        for i, j in v:
            v[i, j] = ti.Vector([i, j, i + j]) * 0.5
        for at in ti.grouped(v):
            v[at].xz += ti.Vector([100.0, 10.0]) * at[0]

    fill()
    assert v[1, 2].to_list() == [100.5, 1.0, 11.5]
    v[0, 0].y = 3.0
    v[0, 1] = [1, 2, 3]
    assert v.to_numpy()[0, :2].tolist() == [[0, 3, 0], [1, 2, 3]]

    @ti.kernel
    def product(m: ti.types.matrix(2, 2, ti.f32), u: ti.math.vec2) -> ti.math.vec2:
        return m @ u + m.transpose() @ u

    assert product([[1, 2], [3, 4]], (1.0, 10.0)).to_list() == [21 + 31, 43 + 42]


def test_indices_that_are_known_late():
    @ti.kernel
    def turned(n: ti.i32) -> ti.i32:
        a = ti.Vector([0, 0, 0])
        m = ti.Matrix([[1, 2], [3, 4]])
        ti.loop_config(serialize=True)
        for i in range(n):
            a[i % 3] += i
            m[i % 2, 1] = a[(i + 1) % 3]
        return a[0] * 10000 + a[1] * 100 + a[2] + m[1, 1]

    a, m = [0, 0, 0], [[1, 2], [3, 4]]
    for i in range(11):
        a[i % 3] += i
        m[i % 2][1] = a[(i + 1) % 3]
    assert turned(11) == a[0] * 10000 + a[1] * 100 + a[2] + m[1][1]


def test_static_code_is_python():
    names = ["a", "b", "c"]
    fields = {name: ti.field(ti.i32, shape=()) for name in names}

    @ti.kernel
    def spread(wanted: ti.template()):
        for n, name in ti.static(enumerate(names)):
            if ti.static(name in wanted):
                fields[name][None] += n + len(wanted)

    spread("ac")
    spread("b")
    spread("ac")
    assert [fields[name][None] for name in names] == [4, 2, 8]


def test_arrays_of_numpy():
    @ti.kernel
    def scale(a: ti.types.ndarray(), k: ti.f64):
        for i, j in ti.ndrange(a.shape[0], a.shape[1]):
            a[i, j] = a[i, j] * k + i

    a = np.ones((2, 3))
    scale(a, 2.0)
    assert a.tolist() == [[2, 2, 2], [3, 3, 3]]
    b = np.zeros((3, 4), "float32")
    scale(b.T, 1.0)
    assert b.T.tolist() == [[i] * 3 for i in range(4)]
    own = ti.ndarray(ti.f64, (2, 2))
    scale(own, 1.0)
    assert own.to_numpy().tolist() == [[0, 0], [1, 1]]


def test_objects_that_hold_fields():
    @ti.data_oriented
    class Counter:
        def __init__(self, n):
            self.n, self.x = n, ti.field(ti.i32, shape=n)

        @ti.func
        def times(self, i):
            return i * self.n

        @ti.kernel
        def run(self, k: ti.i32):
            for i in range(self.n):
                self.x[i] = self.times(i) + k

    first, second = Counter(3), Counter(4)
    first.run(1)
    second.run(2)
    first.run(5)
    assert first.x.to_numpy().tolist() == [5, 8, 11] and second.x.to_numpy().tolist() == [2, 6, 10, 14]


@pytest.mark.parametrize("layout", [ti.Layout.AOS, ti.Layout.SOA])
def test_structs(layout):
    @ti.dataclass
    class Particle:
        at: ti.math.vec2
        mass: ti.f32

        @ti.func
        def energy(self, g: ti.f32):
            return self.mass * self.at.norm() * g

        @ti.func
        def move(self, by):
            self.at += by

    particles, total = Particle.field(shape=4, layout=layout), ti.field(ti.f64, shape=())

    @ti.kernel
    def start():
        for i in particles:
            particle = Particle(at=[i, 1.0], mass=2.0)
            particle.move(ti.Vector([1.0, 0.0]))
            particles[i] = particle
            total[None] += particles[i].energy(0.5)

    start()
    assert particles.at.to_numpy().tolist() == [[i + 1, 1] for i in range(4)]
    assert total[None] == pytest.approx(sum(math.hypot(i + 1, 1) for i in range(4)), rel=1e-6)
    particles[1].mass = 7.0
    particles[2] = Particle(at=(3.0, 4.0), mass=9.0)
    assert particles.mass.to_numpy().tolist() == [2, 7, 9, 2] and particles[2].at.norm() == 5.0


def test_trees():
    x, y = ti.field(ti.i32), ti.field(ti.f32)
    ti.root.dense(ti.ij, (2, 3)).place(x)
    ti.root.dense(ti.j, 4).dense(ti.i, 2).place(y)

    @ti.kernel
    def number():
        for i, j in x:
            x[i, j] = i * 10 + j
        for i, j in y:
            y[i, j] = i * 0.5 + j

    number()
    assert x.to_numpy().tolist() == [[0, 1, 2], [10, 11, 12]]
    assert y.shape == (2, 4) and y[1, 3] == 3.5
    builder = ti.FieldsBuilder()
    z = ti.field(ti.i32)
    builder.dense(ti.i, 3).place(z, offset=-1)
    tree = builder.finalize()
    z[-1] = 5
    assert z[-1] == 5
    tree.destroy()
    with pytest.raises(ti.TaichiRuntimeError, match="destroyed"):
        z[0]
    assert x[1, 2] == 12


def test_what_kernels_print():
    @ti.kernel
    def tell(n: ti.i32):
        for i in range(2):
            print("i =", i, f"and {i * n}!", ti.Vector([i, n]))

    tell(3)
    assert ti.printed() == ["i = 0 and 0! [0, 3]", "i = 1 and 3! [1, 3]"]


def test_default_types_and_casts():
    @ti.kernel
    def types(x: float) -> ti.f64:
        whole = 7
        whole = x
        return whole + ti.cast(x, ti.i32) * 100 + int(x) * 10000 + ti.f64(0.5)

    assert types(3.75) == 3 + 300 + 30000 + 0.5
    ti.init(default_ip=ti.i64)

    @ti.kernel
    def long() -> ti.i64:
        return 1 << 40

    assert long() == 1 << 40


def test_mistakes_have_places():
    x = ti.field(ti.f32, shape=(4, 4))

    @ti.kernel
    def one_index():
        for i in x:
            x[i, 0] = 1.0

    @ti.kernel
    def unknown():
        x[0, 0] = nowhere  # noqa: F821

    @ti.kernel
    def bits():
        x[0, 0] = 1.5 & 2

    @ti.kernel
    def beyond(i: ti.i32):
        x[i, 0] = 1.0

    @ti.kernel
    def untyped(a):
        pass

    @ti.kernel
    def leaves():
        for i in range(3):
            break

    for f, error, text in [
        (one_index, ti.TaichiCompilationError, r"test_taichi.py:\d+:18\n.*for i in x:\n +\^"),
        (unknown, ti.TaichiNameError, r"test_taichi.py:\d+:19\n.*nowhere.*\n +\^+\nName .nowhere. is not defined"),
        (bits, ti.TaichiTypeError, r"unsupported operand type\(s\) for '&'"),
        (untyped, ti.TaichiSyntaxError, "Parameter `a` missing"),
        (leaves, ti.TaichiCompilationError, "a parallel loop cannot be left"),
    ]:
        with pytest.raises(error, match=text):
            f()
    with pytest.raises(ti.TaichiSyntaxError, match="has no type"):
        untyped(1)
    with pytest.raises(ti.TaichiAssertionError, match=r"of size \(4, 4\) with indices \(9, 0\)"):
        beyond(9)
    with pytest.raises(ti.TaichiRuntimeTypeError, match="Argument 0 `i` .* cannot be converted into required type i32"):
        beyond("x")
    with pytest.raises(ti.TaichiRuntimeTypeError, match="cannot be converted into required type i32"):
        beyond(1.5)
    with pytest.raises(ti.TaichiIndexError, match="indices"):
        x[9, 0]
    with pytest.raises(ti.TaichiIndexError, match="2 axes"):
        x[1]
    with pytest.raises(ti.TaichiShapeError):
        x.from_numpy(np.zeros(3))
    beyond(2)
    assert x.to_numpy().sum() == 1.0


def test_programs_and_objects_are_told_apart():
    """A kernel knows the fields of each program and object, though one may stand in memory where another one stood."""

    @ti.data_oriented
    class Holder:
        def __init__(self, k):
            self.k, self.x = k, ti.field(ti.i32, shape=2)

        @ti.kernel
        def run(self):
            for i in self.x:
                self.x[i] += self.k

    for k in range(20):
        if k % 5 == 4:
            ti.init()
        holder = Holder(k)
        holder.run()
        assert holder.x.to_numpy().tolist() == [k, k]


def test_tuples_of_fields_are_told_apart():
    @ti.kernel
    def add(pair: ti.template()):
        for i in range(2):
            pair[0][i] += 1
            pair[1][i] += 2

    x = [ti.field(ti.i32, shape=2) for _ in range(4)]
    add((x[0], x[1]))
    add((x[2], x[3]))
    add((x[0], x[3]))
    assert [field[0] for field in x] == [2, 2, 1, 4]


def test_a_field_that_is_gone_is_not_mixed_up_with_another():
    class Fields:
        a, b = ti.field(ti.i32, shape=2), ti.field(ti.i32, shape=2)

    @ti.kernel
    def run(on: ti.template()):
        for i in range(2):
            Fields.a[i] = 1
            Fields.b[i] = 2

    run(True)
    Fields.a = ti.field(ti.i32, shape=2)
    gc.collect()
    run(True)
    assert Fields.a.to_numpy().tolist() == [1, 1] and Fields.b.to_numpy().tolist() == [2, 2]


def test_the_module_can_be_looked_into_before_a_program():
    ti.reset()
    assert not hasattr(ti.root, "__wrapped__")
    with pytest.raises(ti.TaichiRuntimeError, match="ti.init"):
        ti.root.dense(ti.i, 2)


def test_loops_over_fields_in_functions():
    x = ti.field(ti.i32, shape=(2, 3))

    @ti.func
    def number(to: ti.template()):
        for at in ti.grouped(to):
            to[at] = at[0] * 10 + at[1]

    @ti.kernel
    def run():
        number(x)

    run()
    assert x.to_numpy().tolist() == [[0, 1, 2], [10, 11, 12]]


def test_kernels_are_compiled_once_for_their_types():
    from ivyrs.taichi._program import current

    x = ti.field(ti.i32, shape=3)

    @ti.kernel
    def add(k: ti.i32, to: ti.template()):
        for i in to:
            to[i] += k

    y = ti.field(ti.i32, shape=3)
    for k in range(4):
        add(k, x)
    compiled, launched = current().native.counters()
    add(1, y)
    assert (compiled, launched) == (1, 4) and current().native.counters() == (1, 5)
    assert x.to_numpy().tolist() == [6] * 3 and y.to_numpy().tolist() == [1] * 3


@pytest.mark.parametrize(
    "name, options",
    [("julia", "--size 16"), ("mpm88", "--particles 64 --grid 16 --steps 4"), ("nbody", "--bodies 32 --steps 2"), ("nbody", "--bodies 32 --steps 2 --layout soa")],
)
def test_examples(name, options, tmp_path):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main([str(tmp_path / "picture.png"), *options.split()])
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
