#!/usr/bin/env python3
"""Writes the list of client calls in docs/python.md from the tests: python3 bindings/python/list_clients.py"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs/python.md"


def text():
    """A list with a row for each library."""
    sys.path.insert(0, str(HERE / "tests"))
    import sk_clients  # noqa: F401
    from clients import CALLS

    rows = {}
    for name in CALLS:
        rows.setdefault(name.split(".")[0], []).append(f"`{name}`")
    return "".join(f"- {', '.join(sorted(names))}\n" for names in rows.values())


if __name__ == "__main__":
    head, _, _ = DOCS.read_text().partition("<!-- calls -->\n")
    DOCS.write_text(head + "<!-- calls -->\n" + text())
