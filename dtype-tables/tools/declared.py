#!/usr/bin/env python3
"""Writes the tables of dtype-tables/support/ that hold what Ivy 1.0.0.5 declares.

Usage: declared.py DIR ORACLES API_LISTS
  DIR        where to write: dtype-tables/support
  ORACLES    folder with ivy_backend_decorators.json, ivy_frontend_decorators.json, ivy_functional_decorators.json,
             ivy_backend_dtypes.json and ivy_version_keys.json, read off the released package
  API_LISTS  the page that lists the names of Ivy's functions and of the Array API standard

What is committed is its output; run it again only where its rules change. The rules:

* A row is one version key of one decorator, for one device or all; classes stay as written.
* A name like `conv1d_v_1p9p0_and_above` is a second body of conv1d for newer versions: the
  suffix is cut. A row that then equals one of the function is written once.
* A function that both the core and the experimental modules of a backend define is that of
  the experimental one, which the backend imports last; the other rows stay as comments.
* A bare string where a list is meant has no effect in Ivy (it is read letter by letter). It is
  the list of that one dtype here, as its author meant.
* Names that are no dtype or class (SPELLING) have no effect in Ivy either, and are the ones
  meant here. A dtype listed twice is written once. All of these carry a comment.
* Attributes that a function itself carries (einops_reduce and others), for all backends or by
  backend, have no version: their key is `0 and above`.
* A frontend's function has the path of the framework: modules by FOLDERS, methods under their type. Where the version
  of another frontend selects the key (a copied decorator) the row stays as a comment.
* The dtypes of mxnet contradict each other; those count that its lists by kind name.
"""

import json
import re
import sys
from pathlib import Path

SPELLING = {
    "unit8": ["uint8"],
    "bflaot16": ["bfloat16"],
    "blfoat16": ["bfloat16"],
    "int": ["integer"],
    "complex32": [],
    "complex128float32": ["complex128", "float32"],
}
LICENCE = "# Source: ivy 1.0.0.5 (Apache-2.0), facts read off the released package; written by tools/declared.py."
KINDS = ["int", "float", "complex"]


def spell(given):
    """The dtypes meant by a list of the source, and what was changed."""
    notes, out = [], []
    if isinstance(given, str):
        notes.append(f'the source has the bare string "{given}"')
        given = [given]
    for name in given:
        if name in SPELLING:
            meant = ", ".join(SPELLING[name]) or "no dtype"
            notes.append(f'the source has "{name}", read as {meant}')
        for meant in SPELLING.get(name, [name]):
            if meant in out:
                notes.append(f'the source lists "{meant}" twice')
            else:
                out.append(meant)
    return ",".join(out) or "-", notes


def rows_of(decorator, versions):
    """Rows (form, devices, versions, dtypes, notes) of one decorator."""
    form = re.fullmatch(r"with_((?:un)?supported)_(?:device_and_)?dtypes", decorator).group(1)
    for key, value in versions.items():
        for device, dtypes in value.items() if isinstance(value, dict) else [("all", value)]:
            cell, notes = spell(dtypes)
            yield form, device, key, cell, notes


def declared(backend, functions, attributes):
    experimental = {f.split(":")[1] for f in functions if f.startswith("experimental/")}
    lines = [
        f"# backend: {backend}",
        f"# What Ivy's {backend} backend declares of its functions, for the versions of its time.",
        LICENCE,
        "functions\tform\tdevices\tversions\tdtypes\toverride",
    ]
    written, file = set(), None
    for place, decorators in functions.items():
        where, name = place.split(":")
        if where != file:
            file = where
            lines.append(f"# {file}")
        function = re.sub(r"_v_\d+(p\d+)*_and_(above|below)$", "", name)
        replaced = not where.startswith("experimental/") and name in experimental
        for decorator in decorators:
            for *cells, notes in rows_of(decorator["d"], decorator["v"]):
                row = "\t".join([function, *cells, "-"])
                if row in written:
                    continue
                lines += [f"# {function}: {note}" for note in notes]
                if replaced:
                    lines.append(f"# {function}: experimental/{where} replaces {row!r}".replace("\\t", " "))
                    continue
                written.add(row)
                lines.append(row)
    lines.append("# Attributes of the functions themselves, at any version")
    for place, entries in attributes.items():
        function = place.split(":")[1]
        for entry in entries:
            form = entry["d"].removeprefix("attr ").removesuffix("_dtypes")
            value = entry["v"].get(backend) if isinstance(entry["v"], dict) else entry["v"]
            if value:
                assert not any(row.startswith(function + "\t") for row in written), function
                lines.append("\t".join([function, form, "all", "0 and above", spell(value)[0], "-"]))
    return lines


# Where a frontend's functions stand that are in these files; those of other files are in the main namespace.
FOLDERS = {
    "torch": {"nn/functional/": "nn.functional.", "linalg.py": "linalg.", "special/": "special."},
    "numpy": {"fft/": "fft.", "linalg/": "linalg.", "random/": "random."},
    "jax": {"lax/linalg.py": "lax.linalg.", "lax/": "lax.", "nn/": "nn.", "numpy/fft.py": "numpy.fft.",
            "numpy/linalg.py": "numpy.linalg.", "numpy/": "numpy.", "random.py": "random."},
    "tensorflow": {"compat/v1/nn.py": "compat.v1.nn.", "image/": "image.", "keras/activations.py": "keras.activations.",
                   "linalg.py": "linalg.", "math.py": "math.", "nn.py": "nn.", "random.py": "random.",
                   "raw_ops.py": "raw_ops.", "signal.py": "signal."},
    "paddle": {"nn/functional/": "nn.functional.", "fft.py": "fft.", "linalg.py": "linalg.",
               "vision/transforms.py": "vision.transforms."},
}


def frontend(name, functions):
    lines = [
        f"# What Ivy's {name} frontend declares of its functions, for the versions of its time.",
        LICENCE,
        "functions\tform\tdevices\tversions\tdtypes\toverride",
    ]
    written, forms, file = set(), {}, None
    for place, decorators in functions.items():
        where, function = place.rsplit(":", 1)
        if where != file:
            file = where
            lines.append(f"# {file}")
        prefix = next((to for start, to in FOLDERS[name].items() if where.startswith(start)), "")
        path = function if "." in function else prefix + function
        for decorator in decorators:
            if decorator["d"].startswith("attr"):
                lines.append(f"# {path}: an attribute of one backend, {decorator['d']}")
                continue
            for form, devices, key, dtypes, notes in rows_of(decorator["d"], decorator["v"]):
                row = "\t".join([path, form, devices, key, dtypes, "-"])
                if row in written:
                    continue
                lines += [f"# {path}: {note}" for note in notes]
                other = decorator.get("of") != name
                if other or forms.setdefault(path, form) != form or (path, devices, key) in forms:
                    why = f"the version of {decorator.get('of')} selects" if other else "a second definition has"
                    lines.append(f"# {path}: {why} {row!r}".replace("\\t", " "))
                    continue
                forms[path, devices, key] = True
                written.add(row)
                lines.append(row)
    return lines


def valid(backends):
    lines = [
        "# The dtypes that each backend has, by version (spec I-08b).",
        LICENCE,
        "backend\tversions\tdtypes",
    ]
    for name, lists in backends.items():
        for key, dtypes in lists["valid_dtypes"].items():
            if name == "mxnet":
                lines.append("# mxnet: valid_dtypes lists bfloat16 and valid_float_dtypes does not")
                dtypes = [d for k in KINDS for d in lists[f"valid_{k}_dtypes"][key]] + ["bool"]
            lines.append(f"{name}\t{key}\t{','.join(dtypes)}")
    return lines


def versions(frontends):
    lines = ["# The version that a frontend stands for where none is given (spec I-42).", LICENCE]
    return lines + ["frontend\tversion"] + [f"{name}\t{version}" for name, version in frontends.items()]


def names(page):
    """Function -> (module, in the standard) of sections 1 and 2 of the page."""
    standard, ivy = re.findall(r"^## [12]\..*?(?=^## )", page, re.M | re.S)
    functions = {}
    for module, text in re.findall(r"^- \*\*(\S+)\*\* \(\d+\): (.*)$", ivy, re.M):
        for name in text.split():
            functions.setdefault(name, [module, "-"])
    for section in re.split(r"^### ", standard, flags=re.M)[1:]:
        if section.startswith(("Constants", "Array object", "Promotion", "Inspection")):
            continue
        found = re.findall(r"^- (?:other: )?`(\w+)\(", section, re.M)
        for text in re.findall(r"^- (?:unary|binary) `.*?\(\d+\): (.*)$", section, re.M):
            found += text.split()
        for name in found:
            functions.setdefault(name, ["-", "-"])[1] = "yes"
    return functions


def main():
    out, oracles, page = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    load = lambda name: json.loads((oracles / name).read_text())
    write = lambda path, lines: (out / path).write_text("\n".join(lines) + "\n")
    attributes = load("ivy_functional_decorators.json")["functions"]
    for backend, functions in load("ivy_backend_decorators.json")["backends"].items():
        write(f"declared/{backend}.tsv", declared(backend, functions, attributes))
    for name, functions in load("ivy_frontend_decorators.json")["frontends"].items():
        if name in FOLDERS:
            write(f"declared/frontends/{name}.tsv", frontend(name, functions))
    write("valid.tsv", valid(load("ivy_backend_dtypes.json")["backends"]))
    write("versions.tsv", versions(load("ivy_version_keys.json")["frontends_versions"]))
    rows = [f"{name}\t{module}\t{array_api}" for name, (module, array_api) in sorted(names(page.read_text()).items())]
    head = [
        "# The functions of Ivy's API, with the module, and of the Array API 2025.12 standard.",
        LICENCE,
        "function\tmodule\tstandard",
    ]
    write("functions.tsv", head + rows)


if __name__ == "__main__":
    main()
