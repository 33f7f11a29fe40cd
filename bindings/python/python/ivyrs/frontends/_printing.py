"""Arrays as text, as the frameworks write them."""

import math

from .. import _ivyrs
from ._numpy import print_options

# The dtypes that need not be written.
_PLAIN = {"numpy": ("float64", "int64", "complex128", "bool"), "torch": ("float32", "int64", "complex64", "bool")}
_WIDTH, _EDGE, _MOST = 80, 3, 1000


def representation(frontend, array):
    """``repr`` of an array."""
    return _REPRESENTATIONS[frontend](array)


def text(frontend, array):
    """``str`` of an array."""
    if frontend in ("torch", "paddle"):
        return representation(frontend, array)
    if frontend == "numpy" and not array._is_number:
        return print_options.text(array)
    if frontend == "tensorflow":
        body = _plain(array)
        return f"tf.Tensor({body}, shape={array.shape}, dtype={array.dtype.name})"
    return _plain(array)


def formatted(array, specification):
    """``format`` of an array of PyTorch or Paddle: of one without axes its number's."""
    return format(array.item(), specification) if array.ndim == 0 else object.__format__(array, specification)


def _plain(array):
    """The elements as NumPy's ``str`` writes them."""
    return str(array.ivy_array)


def _numpy(array, name="array", implied=_PLAIN["numpy"]):
    return _ivyrs.array_text(array, {"implied": list(implied)}, name)


def _of_numpy(array):
    if not array._is_number:
        return print_options.representation(array)
    dtype, value = array.dtype.name, array.ivy_array.item()
    if dtype == "bool":
        return f"np.{value}_"
    if dtype in ("float64", "complex128") or dtype.startswith(("int", "uint")):
        return f"np.{dtype}({value!r})"
    return f"np.{dtype}({_plain(array)})"


def _of_jax(array):
    return _numpy(array, "Array", implied=())


def _of_tensorflow(array):
    shape = tuple(array.shape)
    body = _plain(array) if not shape else _numpy(array)
    return f"<tf.Tensor: shape={shape}, dtype={array.dtype.name}, numpy={body}>"


def _leaves(values):
    if isinstance(values, list):
        for value in values:
            yield from _leaves(value)
    else:
        yield values


def _formatter(values):
    """How PyTorch writes numbers: one form for all, with four digits behind the point."""
    if not any(isinstance(v, float) for v in values):
        width = max((len(str(v)) for v in values), default=0)
        return lambda v: str(v).rjust(width)
    finite = [abs(v) for v in values if math.isfinite(v) and v != 0]
    if all(v == math.trunc(v) for v in finite):
        scientific = bool(finite) and max(finite) > 1e8
        form = "{:.4e}" if scientific else "{:.0f}."
    else:
        least, most = min(finite), max(finite)
        scientific = most / least > 1000 or most > 1e8 or least < 1e-4
        form = "{:.4e}" if scientific else "{:.4f}"

    def one(v):
        if not math.isfinite(v):
            return str(v)
        return form.format(v)

    width = max((len(one(v)) for v in values), default=0)
    return lambda v: one(v).rjust(width)


def _complex_formatter(values):
    real, imaginary = _formatter([v.real for v in values]), _formatter([abs(v.imag) for v in values])

    def one(v):
        sign = "-" if math.copysign(1.0, v.imag) < 0 else "+"
        return f"{real(v.real)}{sign}{imaginary(abs(v.imag)).strip()}j"

    return one


def _nested(values, one, indent, summarised):
    """Nested lists in lines of PyTorch's width."""
    if not isinstance(values, list):
        return one(values)
    cut = summarised and len(values) > 2 * _EDGE
    parts = values[:_EDGE] + [...] + values[-_EDGE:] if cut else values
    if not parts or not isinstance(parts[0], list):
        words = ["..." if v is ... else one(v) for v in parts]
        width = max((len(w) for w in words), default=0) + 2
        each = max(1, (_WIDTH - indent) // width)
        rows = [", ".join(words[i : i + each]) for i in range(0, len(words), each)]
        return "[" + (",\n" + " " * (indent + 1)).join(rows) + "]"
    depth, inner = 0, parts[0]
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0] if inner else None
    rows = ["..." if v is ... else _nested(v, one, indent + 1, summarised) for v in parts]
    return "[" + ("," + "\n" * depth + " " * (indent + 1)).join(rows) + "]"


def _body(array, indent):
    values = array.ivy_array.tolist()
    summarised = array.ivy_array.size > _MOST
    leaves = list(_leaves(values))
    if any(isinstance(v, complex) for v in leaves):
        one = _complex_formatter(leaves)
    else:
        one = _formatter(leaves)
    return _nested(values, one, indent, summarised)


def _of_torch(array):
    dtype = array.dtype.name
    indent = len("tensor(")
    found = "tensor(" + (_body(array, indent) if array.ivy_array.size else "[]")
    suffixes = []
    if not array.ivy_array.size and array.ivy_array.ndim != 1:
        suffixes.append(f"size={tuple(array.shape)}")
    if dtype not in _PLAIN["torch"] or not array.ivy_array.size and dtype != "float32":
        suffixes.append(f"dtype=torch.{dtype}")
    if (node := _ivyrs.torch_node(array)) is not None:
        suffixes.append(f"grad_fn={node!r}")
    elif array.requires_grad:
        suffixes.append("requires_grad=True")
    # As PyTorch breaks lines.
    length = len(found) - found.rfind("\n") + 1
    for suffix in suffixes:
        breaks = length + len(suffix) + 2 > _WIDTH
        found += (",\n" + " " * indent if breaks else ", ") + suffix
        length = len(suffix) + (indent if breaks else length + 2)
    return found + ")"


def _of_paddle(array):
    head = f"Tensor(shape={list(array.shape)}, dtype={array.dtype.name}, place=Place(cpu), stop_gradient=True,"
    return f"{head}\n       {_body(array, 7)})"


_REPRESENTATIONS = {
    "numpy": _of_numpy,
    "torch": _of_torch,
    "jax": _of_jax,
    "tensorflow": _of_tensorflow,
    "paddle": _of_paddle,
}

