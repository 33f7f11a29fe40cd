"""Writes the recorded answers of Taichi as tables: convert.py FOLDER-OF-JSON FOLDER-OF-TABLES."""

import ast
import json
import sys
from pathlib import Path

LICENCE = "Apache-2.0"


def tables(source, target):
    for name, file in [("types-1.6.0", "taichi_160_types.json"), ("types-1.7.4", "taichi_types.json")]:
        data = json.loads((source / file).read_text())
        write(target / f"{name}.tsv", data["header"], types(data), "kind, operation, left operand, results")
    about = "declaration as steps, number, byte offset of every element, chain of nodes (kind, cell bytes, offset in parent cell), shape"
    for name, file in [
        ("layout-1.3.0-padded", "taichi_130_unpacked_layout.json"),
        ("layout-1.3.0-packed", "taichi_130_packed_layout.json"),
        ("layout-1.7.4-packed", "taichi_layout.json"),
    ]:
        data = json.loads((source / file).read_text())
        write(target / f"{name}.tsv", data["header"], layouts(data), about)


def write(path, header, rows, about):
    lines = [f"# {header['package']} {header['version']}, {LICENCE}, run on {header['machine']}: {about}."]
    path.write_text("\n".join(lines + ["\t".join(row) for row in rows]) + "\n")


def result(text):
    return "-" if text is None or text.startswith("err:") else text


def types(data):
    names = data["types"]
    yield ["types", "-", "-"] + names
    for op, matrix in data["binary"].items():
        for left, row in zip(names, matrix):
            yield ["binary", op, left] + [result(cell) for cell in row]
    for op, row in data["unary"].items():
        yield ["unary", op, "-"] + [result(cell) for cell in row]
    literals = list(next(iter(next(iter(data["literal"].values())).values())))
    yield ["literals", "-", "-"] + literals
    for left, ops in data["literal"].items():
        for op, row in ops.items():
            yield ["literal", op, left] + [result(row[key]) for key in literals]
    yield ["alone", "-", "-"] + [result(data["literal_alone"][key]) for key in literals]
    for left, row in data["cast"].items():
        yield ["cast", "-", left] + [result(row[name]) for name in names]


def value(node):
    """A literal, the name of what comes from the package, or a dictionary of them."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Dict):
        return {key.value: value(own) for key, own in zip(node.keys, node.values)}
    if isinstance(node, ast.Tuple):
        return [value(own) for own in node.elts]
    return ast.literal_eval(node)


def sizes(own):
    return ",".join(str(size) for size in (own if isinstance(own, list) else [own])) or "()"


def declared(name, call):
    """`field NAME TYPE [SHAPE] [OPTION=...]`; a type is f32, vector:3:f32, matrix:2:3:f32 or struct:a=i32:b=f64."""
    path = ast.unparse(call.func)
    given = [value(own) for own in call.args]
    options = {own.arg: value(own.value) for own in call.keywords}
    if path == "ti.field":
        ty = given[0]
    elif path == "ti.Vector.field":
        ty = f"vector:{given[0]}:{given[1]}"
    elif path == "ti.Matrix.field":
        ty = f"matrix:{given[0]}:{given[1]}:{given[2]}"
    else:
        ty = "struct:" + ":".join(f"{key}={own}" for key, own in given[0].items())
    words = ["field", name, ty]
    if "shape" in options:
        words.append("shape=" + sizes(options["shape"]))
    if "order" in options:
        words.append("order=" + options["order"])
    if "offset" in options:
        words.append("offset=" + sizes(options["offset"]))
    if options.get("layout") == "SOA":
        words.append("soa")
    return " ".join(words)


def steps(code):
    made, count = [], 0

    def node(expression):
        nonlocal count
        if ast.unparse(expression) == "ti.root":
            return "root"
        if isinstance(expression, ast.Name):
            return expression.id
        above, kind = node(expression.func.value), expression.func.attr
        if kind == "place":
            made.append(f"place {above} " + " ".join(own.id for own in expression.args))
            return above
        axes, size = [value(own) for own in expression.args]
        count += 1
        made.append(f"{kind} n{count} {above} {axes} {sizes(size)}")
        return f"n{count}"

    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Expr):
            node(statement.value)
            continue
        name, call = statement.targets[0].id, statement.value
        if ast.unparse(call.func).endswith(".field") and not ast.unparse(call.func).startswith("ti.root"):
            made.append(declared(name, call))
        else:
            made.append(f"alias {name} {node(call)}")
    return "; ".join(made)


def layouts(data):
    for layout in data["layouts"]:
        code = steps(layout["code"])
        for number, offsets in layout["offsets"].items():
            chain = [
                f"{node['type'].removeprefix('SNodeType.')}:{node['cell_bytes']}:{node['offset_in_parent_cell']}"
                for node in layout["snodes"].get(number, [])
            ]
            yield [
                "layout",
                layout["name"],
                code,
                number,
                ",".join(map(str, offsets)),
                " ".join(chain) or "-",
                sizes(layout["index_shape"]),
            ]
    for name, code, order in data["struct_for_order"]:
        yield ["order", name, steps(code), "-", " ".join(",".join(map(str, index)) for index in order), "-", "-"]


tables(Path(sys.argv[1]), Path(sys.argv[2]))
