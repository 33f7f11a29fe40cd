"""The form of recorded rules, and what every recorder does: `ivy-core/tests/data/rules/NAME.tsv`.

A line is KIND, OP, ROW, CELLS, separated by tabs; CELLS are separated by blanks, in the order of the header line
`order`. Kinds: `binary` (ROW: the first operand's dtype; cells: by the second's), `unary` (ROW `-`), `scalar` and
`scalar-left` (cells: by the host scalars of the header line `scalars`), `zero` (ROW: an array with axes, cells: by an
array without), `zeros` (neither has axes), `cast` (ROW: from; cells: 1 or 0 by to), `several` (ROW: two dtypes joined
by a comma; cells: by the third), `literal` (ROW: a host value; one cell), `weak` (ROW: dtype, cells: by weakly typed
int, float and complex arrays). `-` is an error, `*` after a dtype: weakly typed.
"""
import os
import pathlib

DTYPES = ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 float16 float32 float64 complex64 complex128 "
          "bool").split()
SHORT = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
         "uint32": "u32", "uint64": "u64", "bfloat16": "bf", "float16": "f16", "float32": "f32", "float64": "f64",
         "complex64": "c64", "complex128": "c128", "bool": "b"}
SCALARS = {"True": True, "1": 1, "1.5": 1.5, "1j": 1j}
RECORDED = pathlib.Path(__file__).resolve().parents[3] / "ivy-core/tests/data/rules"
# Where records are written; `record.py` names another folder.
FOLDER = pathlib.Path(os.environ.get("IVY_RECORDS", RECORDED))


def short(answer):
    """A cell: the short name of a dtype, `-` for an error, `.` where nothing was asked."""
    if answer is None:
        return "."
    text = str(answer)
    if text.startswith("err"):
        return "-"
    text = text.removeprefix("<dtype: '").removesuffix("'>").split(".")[-1]
    weak = "*" if text.endswith("*") else ""
    name = text.rstrip("*")
    return SHORT.get(name, name) + weak


def ask(question):
    """The answer, or `err` where the package refuses."""
    try:
        return short(question())
    except Exception:  # whatever the package raises is its refusal
        return "-"


class Record:
    def __init__(self, package, version, licence, source, order=DTYPES):
        self.lines = [f"# {package} {version}, {licence}. {source}",
                      "# The form: dtype-tables/tools/rules/common.py.",
                      "order\t\t\t" + " ".join(order)]
        self.order = list(order)

    def scalars(self, names):
        self.lines.append("scalars\t\t\t" + " ".join(names))

    def add(self, kind, op, row, cells):
        row = SHORT.get(row, row)
        self.lines.append("\t".join([kind, op, row, " ".join(cells)]))

    def matrix(self, kind, op, rows, matrix):
        for row, cells in zip(rows, matrix):
            self.add(kind, op, row, [short(cell) for cell in cells])

    def write(self, name):
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{name}.tsv").write_text("\n".join(self.lines) + "\n")
        print(f"{name}: {len(self.lines)} lines")
