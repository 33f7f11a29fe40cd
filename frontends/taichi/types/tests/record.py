"""Records what Taichi reads back from quantised fields, what casts give, and the sizes of nodes: record.py FOLDER-OF-TABLES."""

import sys
from pathlib import Path

import numpy as np
import taichi as ti

ti.init(arch=ti.cpu, offline_cache=False, log_level=ti.ERROR)
LICENCE = "Apache-2.0"
VALUES = [0.0, 0.1, -0.1, 0.25, 0.4999, 0.5, -0.5, 0.75, 0.99, 1.0, -1.0, 1.2345, 1.5, 1.75, -1.75, 1.999, 2.0, 3.14159, -3.7]
VALUES += [7.5, 10.0, 15.9, 31.0, 31.7, 100.0, -100.0, 1234.5, 1e-3, 1e-5, -1e-5, 65504.0]
INTEGERS = [0, 1, -1, 5, 7, 8, -8, 15, 16, -16, 17, -17, 31, 63, 64, 100, -100, 127, 128, 255, 256, 1000, -1000]


def write(path, about, rows):
    head = f"# taichi {'.'.join(map(str, ti.__version__))}, {LICENCE}, run on x86_64: {about}."
    path.write_text("\n".join([head] + ["\t".join(row) for row in rows]) + "\n")


def stored(types, values, bits=32, shared=False):
    """What is read after tuples of values were written to the fields of one word."""
    fields = [ti.field(ty) for ty in types]
    pack = ti.BitpackedFields(max_num_bits=bits)
    pack.place(*fields, shared_exponent=shared)
    builder = ti.FieldsBuilder()
    builder.dense(ti.i, len(values)).place(pack)
    tree = builder.finalize()
    real = isinstance(values[0][0], float)
    given = np.array(values, np.float32 if real else np.int32)

    @ti.kernel
    def put(given: ti.types.ndarray()):
        for i in range(given.shape[0]):
            for k in ti.static(range(len(fields))):
                fields[k][i] = given[i, k]

    @ti.kernel
    def get(taken: ti.types.ndarray()):
        for i in range(taken.shape[0]):
            for k in ti.static(range(len(fields))):
                taken[i, k] = fields[k][i]

    put(given)
    taken = np.zeros_like(given)
    get(taken)
    tree.destroy()
    return given.tolist(), taken.tolist()


def quant():
    one = lambda values: [(value,) for value in values]
    join = lambda values: " ".join(",".join(repr(own) for own in row) for row in values)
    for bits in (1, 4, 5, 8, 13, 31):
        for signed in (True, False):
            if bits == 1 and signed:
                continue
            given, taken = stored([ti.types.quant.int(bits, signed)], one(INTEGERS))
            yield ["int", f"{bits} {signed}", join(given), join(taken)]
    for bits, signed, top in [(8, True, 1.0), (10, True, 2.0), (6, False, 4.0), (16, True, 100.0)]:
        inside = [value for value in VALUES if (-top if signed else 0) <= value <= top * (1 - 2.0 ** (1 - bits))]
        given, taken = stored([ti.types.quant.fixed(bits, signed, max_value=top)], one(inside))
        yield ["fixed", f"{bits} {signed} {top}", join(given), join(taken)]
    for exponent, digits, signed in [(5, 11, True), (6, 13, True), (8, 24, True), (5, 6, False), (4, 9, True)]:
        # The greatest number below the next power of two that the exponent has.
        top = 2.0 ** (2 ** (exponent - 1) - 1)
        inside = [value for value in VALUES if abs(value) < top and (signed or value >= 0)]
        given, taken = stored([ti.types.quant.float(exponent, digits, signed)], one(inside))
        yield ["float", f"{exponent} {digits} {signed}", join(given), join(taken)]
    pairs = [(1.0, 0.5), (1.0, 0.1), (3.7, -0.2), (100.0, 0.3), (0.0, 0.7), (0.0, 0.0), (-2.5, 2.4), (1.99, 0.01), (0.001, 0.002)]
    for exponent, digits in [(6, 13), (8, 10)]:
        ty = ti.types.quant.float(exponent, digits, True)
        given, taken = stored([ty, ty], pairs, shared=True)
        yield ["shared", f"{exponent} {digits} True", join(given), join(taken)]


def nodes():
    kinds = {
        "dense": lambda root: root.dense(ti.i, 5),
        "bitmasked": lambda root: root.bitmasked(ti.i, 70),
        "pointer": lambda root: root.pointer(ti.ij, (3, 5)),
        "dynamic": lambda root: root.dynamic(ti.i, 100, 8),
    }
    for name, make in kinds.items():
        for types in [("f32",), ("f32", "i8", "f64"), ("u8",), ("i8", "i16")]:
            builder = ti.FieldsBuilder()
            node = make(builder)
            fields = [ti.field(getattr(ti, ty)) for ty in types]
            node.place(*fields)
            after = builder.dense(ti.i, 1)
            after.place(ti.field(ti.i8))
            tree = builder.finalize()
            offsets = [str(own.snode._offset_bytes_in_parent_cell) for own in fields]
            yield [name, " ".join(types), " ".join(offsets), str(node._cell_size_bytes), str(after._offset_bytes_in_parent_cell)]
            tree.destroy()


def casts():
    reals = [3.99, -3.99, 0.5, -0.5, 2.5, 300.0, -300.0, 1e5, 255.5, 65504.0]
    integers = [300, -1, 128, -129, 65536 + 7, -32769, 2147483647, -2147483648, 0, 1]
    names = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"]
    for source, values in [("f64", reals), ("f32", reals), ("i32", integers), ("i64", integers)]:
        for name in names:
            to, out = getattr(ti, name), getattr(ti, "f64" if name[0] == "f" else "i64")
            x = ti.field(getattr(ti, source), len(values))
            y = ti.field(out, len(values))
            for i, value in enumerate(values):
                x[i] = value

            @ti.kernel
            def run():
                for i in x:
                    y[i] = ti.cast(ti.cast(x[i], to), out)

            run()
            yield [source, name, " ".join(map(repr, values)), " ".join(repr(own) for own in y.to_numpy().tolist())]


target = Path(sys.argv[1])
write(target / "quant-1.7.4.tsv", "quantised types in words, what was written, what was read", quant())
write(target / "nodes-1.7.4.tsv", "a node, the fields placed in it, their offsets in its cell, the cell's bytes, the offset behind its container", nodes())
write(target / "casts-1.7.4.tsv", "casts from, to, of values, their results", casts())
