#!/usr/bin/env python3
"""Writes dtype-tables/tests/data/: what the tests compare the support tables with.

Usage: test_data.py DIR ORACLES, with DIR = dtype-tables/tests/data and ORACLES as declared.py.
The parts of torch and numpy only, one entry a line.
"""

import json
import sys
from pathlib import Path

SOURCE = "ivy 1.0.0.5 (Apache-2.0), facts read off the released package"


def main():
    out, oracles = Path(sys.argv[1]), Path(sys.argv[2])
    load = lambda name: json.loads((oracles / name).read_text())
    row = lambda value: json.dumps(value, separators=(",", ":"))

    def write(name, entries):
        text = ",\n ".join(f"{row(key)}: {value}" for key, value in entries)
        (out / name).write_text(f'{{"source": {row(SOURCE)},\n {text}\n}}\n')

    listed = lambda values: "[\n  " + ",\n  ".join(map(row, values)) + "\n ]"
    keys = load("ivy_version_keys.json")
    # A list of pairs keeps the order of the keys, which counts.
    cases = [[list(map(list, table.items())), version, chosen] for table, version, chosen in keys["cases"]]
    write("version_keys.json", [("frontends", row(keys["frontends_versions"])), ("cases", listed(cases))])

    pairs = lambda v: [[k, list(map(list, x.items())) if isinstance(x, dict) else x] for k, x in v.items()]
    backends = load("ivy_backend_decorators.json")["backends"]
    entries = []
    for backend in ["torch", "numpy"]:
        rows = [[place, d["d"], pairs(d["v"])] for place, ds in backends[backend].items() for d in ds]
        entries.append((backend, listed(rows)))
    functional = load("ivy_functional_decorators.json")["functions"]
    entries.append(("functional", row(functional)))
    dtypes = load("ivy_backend_dtypes.json")["backends"]
    entries.append(("valid", row({b: dtypes[b]["valid_dtypes"] for b in ["torch", "numpy"]})))
    write("declared.json", entries)


if __name__ == "__main__":
    main()
