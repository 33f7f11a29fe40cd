"""Sparse nodes from Python: what is in use, lists, loops over nodes. The numbers are those of Taichi 1.7.4, but where it says so."""

import numpy as np
import pytest

import ivyrs.taichi as ti


@pytest.fixture(autouse=True)
def program():
    ti.init(arch=ti.cpu, rules="taichi-1.7", keep_printed=True)


def blocks():
    x = ti.field(ti.f32)
    block = ti.root.pointer(ti.ij, 4)
    block.dense(ti.ij, 2).place(x)
    return x, block


def test_what_is_written_is_in_use():
    x, block = blocks()
    x[3, 5] = 1.0

    @ti.kernel
    def visit():
        for i, j in block:
            print("block", i, j)
        for i, j in x:
            print("x", i, j, x[i, j])

    visit()
    cells = [(2, 4), (2, 5), (3, 4), (3, 5)]
    elements = [f"x {i} {j} {1.0 if (i, j) == (3, 5) else 0.0:f}" for i, j in cells]
    assert sorted(ti.printed()) == ["block 1 2", *elements]

    @ti.kernel
    def ask() -> ti.types.vector(3, ti.i32):
        own = ti.rescale_index(x, block, ti.Vector([3, 5]))
        return ti.Vector([ti.is_active(block, [1, 2]), ti.is_active(block, [3, 3]), ti.is_active(block, own)])

    assert ask().to_list() == [1, 0, 1]
    # Elements that are not in use stay so.
    x.fill(7)
    assert x.to_numpy().sum() == 28
    x.from_numpy(np.ones((8, 8), np.float32))
    assert x.to_numpy().sum() == 4
    assert (x.shape, block.shape, block.parent().shape) == ((8, 8), (4, 4), ())
    assert repr(x.parent()) == "ti.root => pointer [4, 4] => dense [8, 8]"
    block.deactivate_all()
    assert x.to_numpy().sum() == 0
    assert ask().to_list() == [0, 0, 0]


def test_lists_grow_and_become_empty():
    x = ti.field(ti.i32)
    rows = ti.root.dense(ti.i, 3)
    lists = rows.dynamic(ti.j, 8, chunk_size=4)
    lists.place(x)

    @ti.kernel
    def append() -> ti.types.vector(5, ti.i32):
        a = ti.append(lists, [1], 10)
        b = x[1].append(11)
        c = x[2].append(5)
        return ti.Vector([a, b, c, ti.length(lists, [1]), x[0].length()])

    assert append().to_list() == [0, 1, 0, 2, 0]
    assert x.to_numpy()[:, :2].tolist() == [[0, 0], [10, 11], [5, 0]]
    x[0, 3] = 9

    @ti.kernel
    def clear() -> ti.types.vector(3, ti.i32):
        x[2].deactivate()
        ti.deactivate(lists, [1])
        return ti.Vector([x[0].length(), x[1].length(), x[2].length()])

    assert clear().to_list() == [4, 0, 0]
    assert x.to_numpy().sum() == 9
    ti.deactivate_all_snodes()
    assert x.to_numpy().sum() == 0


def test_lists_of_structs_and_vectors():
    line = ti.types.struct(p=ti.math.vec2, n=ti.i32)
    lines = line.field()
    node = ti.root.dynamic(ti.i, 16)
    node.place(lines)
    points = ti.Vector.field(2, ti.f32)
    ti.root.dynamic(ti.i, 16).place(points)

    @ti.kernel
    def fill(count: ti.i32) -> ti.i32:
        lines.deactivate()
        for k in range(count):
            lines.append(line(p=[k, k + 0.5], n=k))
            points.append(ti.Vector([1.0, k]))
        return lines.length() * 100 + points.length()

    assert fill(3) == 303
    assert fill(2) == 205
    assert sorted(lines[i].n for i in range(3)) == [0, 0, 1]
    total = lines.p.to_numpy().sum(0)
    assert total.tolist() == [1, 2]


def test_a_full_list_names_its_node():
    x = ti.field(ti.i32)
    ti.root.dynamic(ti.i, 4).place(x)

    @ti.kernel
    def fill():
        for i in range(5):
            x.append(i)

    with pytest.raises(Exception, match="S1dynamic: a list of all its 4 cells"):
        fill()
    assert sorted(x.to_numpy().tolist())[0] >= 0


def test_activation_by_hand_and_nested_nodes():
    x, y = ti.field(ti.i32), ti.field(ti.i32)
    outer = ti.root.pointer(ti.i, 4)
    inner = outer.bitmasked(ti.i, 4)
    inner.place(x)
    outer.dense(ti.i, 4).place(y)

    @ti.kernel
    def write():
        x[5] = 1
        y[9] = 2
        ti.activate(inner, [6])

    @ti.kernel
    def visit():
        for i in x:
            print("x", i)
        for i in y:
            print("y", i)

    @ti.kernel
    def drop(i: ti.i32):
        ti.deactivate(outer, [i])

    write()
    visit()
    assert sorted(ti.printed()) == ["x 5", "x 6", *sorted(f"y {i}" for i in range(4, 12))]
    drop(1)
    visit()
    assert sorted(ti.printed()) == sorted(f"y {i}" for i in range(8, 12))
    # In Taichi a bitmasked cell out of use keeps its number.
    assert (x[5], y[9]) == (0, 2)


def test_serial_loops_visit_what_is_in_use():
    x = ti.field(ti.i32)
    ti.root.bitmasked(ti.i, 16).place(x)
    x[9] = 1
    x[2] = 4

    @ti.kernel
    def total() -> ti.i32:
        order = 0
        ti.loop_config(serialize=True)
        for i in x:
            order = order * 100 + i
        return order

    assert total() == 209


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("ti.is_active(cells, [0])", "it works on pointer, hash, bitmasked and dynamic nodes"),
        ("ti.activate(x, [0])", "it works on pointer, hash, bitmasked and dynamic nodes"),
        ("ti.length(block, [0])", "it works on dynamic nodes"),
        ("ti.activate(block, [0, 0])", "takes 1"),
        ("ti.deactivate(block, [0.5])", "indices are integers"),
        ("block[0] = 1", "is not subscriptable"),
        ("ti.append(x, [0], 1)", "works on nodes"),
        ("ti.activate(block)", "takes 2 arguments, got 1"),
        ("ti.rescale_index(x, 3, [1])", "two fields or nodes"),
        ("block.deactivate_all()", "is for Python's scope"),
        ("ti.deactivate_all_snodes()", "is for Python's scope"),
        ("x.copy_from(x)", "is for Python's scope"),
        ("x.to_numpy()", "is for Python's scope"),
    ],
)
def test_mistakes_have_places(tmp_path, body, said):
    path = tmp_path / "wrong.py"
    path.write_text(
        "import ivyrs.taichi as ti\nx = ti.field(ti.f32)\nblock = ti.root.pointer(ti.i, 4)\ncells = block.dense(ti.i, 2)\ncells.place(x)\n"
        f"@ti.kernel\ndef f():\n    {body}\n"
    )
    names: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), names)  # noqa: S102
    with pytest.raises(ti.TaichiCompilationError, match=said) as error:
        names["f"]()
    assert "wrong.py:8" in str(error.value)


def test_host_and_kernel_share_what_is_in_use():
    x = ti.field(ti.f64)
    ti.root.pointer(ti.i, 8).bitmasked(ti.i, 64).place(x)

    @ti.kernel
    def count() -> ti.i32:
        n = 0
        for i in x:
            n += 1
        return n

    assert count() == 0
    for i in (0, 63, 64, 511):
        x[i] = i + 0.5
    assert count() == 4
    assert x.to_numpy().sum() == 640
    assert [x[i] for i in (0, 1, 511)] == [0.5, 0, 511.5]
    ti.root.deactivate_all()
    assert (count(), x[511]) == (0, 0)
