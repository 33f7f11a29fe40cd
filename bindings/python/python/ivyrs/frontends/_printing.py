"""Arrays as text, as the frameworks write them."""

import math

from .. import NotTransformable, TracedRead, _ivyrs
from ._numpy import print_options

# The dtypes that need not be written.
_PLAIN = {"numpy": ("float64", "int64", "complex128", "bool"), "torch": ("float32", "int64", "complex64", "bool")}


class _Options:
    """How tensors are written: digits behind the point, from how many elements on only the first and last along each axis
    are, how many of these, how long lines are, and whether powers of ten are written; None leaves that to the elements."""

    precision, threshold, edgeitems, linewidth, sci_mode = 4, 1000, 3, 80, None


_PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Sets how tensors are written, by a profile (``default``, ``short``, ``full``) or one by one."""
    if profile is not None and profile not in _PROFILES:
        raise ValueError(f"set_printoptions(): profile is {profile!r}: {', '.join(map(repr, _PROFILES))} are there")
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in given.items():
        if value is not None and not (isinstance(value, int) or name == "threshold" and isinstance(value, float)):
            raise TypeError(f"set_printoptions(): {name} is {value!r}: a number is needed")
    for name, value in {**_PROFILES.get(profile, {}), **{k: v for k, v in given.items() if v is not None}}.items():
        setattr(_Options, name, value)
    _Options.sci_mode = sci_mode


def representation(frontend, array):
    """``repr`` of an array; within a transformation, which has other elements for each entry, that of the core."""
    try:
        return _REPRESENTATIONS[frontend](array)
    except (NotTransformable, TracedRead):
        return f"{type(array).__name__}({array.ivy_array!r})"


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
    """How PyTorch writes numbers: one form for all, and the width of those that are finite and not 0."""
    digits = _Options.precision
    if not any(isinstance(v, float) for v in values):
        width = max((len(str(v)) for v in values), default=0)
        return (lambda v: str(v).rjust(width)), width
    finite = [abs(v) for v in values if math.isfinite(v) and v != 0]
    whole = all(v == math.trunc(v) for v in finite)
    least, most = min(finite, default=1), max(finite, default=1)
    scientific = most / least > 1000 or most > 1e8 or not whole and least < 1e-4
    if _Options.sci_mode is not None:
        scientific = _Options.sci_mode
    form = f"{{:.{digits}e}}" if scientific else "{:.0f}." if whole else f"{{:.{digits}f}}"

    def one(v):
        return form.format(v) if math.isfinite(v) else str(v)

    width = max((len(one(v)) for v in values if math.isfinite(v) and v != 0), default=1)
    return (lambda v: one(v).rjust(width)), width


def _complex_formatter(values):
    real, width = _formatter([v.real for v in values])
    imaginary, more = _formatter([v.imag for v in values])

    def one(v):
        text = imaginary(v.imag).strip()
        return f"{real(v.real)}{'' if text[0] in '+-' else '+'}{text}j"

    return one, width + more + 1


def _shown(values):
    """Nested lists without what stands between the first and the last ones along each axis."""
    if not isinstance(values, list):
        return values
    edge = _Options.edgeitems
    cut = values[:edge] + [...] + values[-edge:] if len(values) > 2 * edge else values
    return [v if v is ... else _shown(v) for v in cut]


def _nested(values, one, width, indent):
    """Nested lists in lines of PyTorch's width."""
    if not isinstance(values, list):
        return one(values)
    if not values or not any(isinstance(v, list) for v in values):
        words = [" ..." if v is ... else one(v) for v in values]
        each = max(1, (_Options.linewidth - indent) // (width + 2))
        rows = [", ".join(words[i : i + each]) for i in range(0, len(words), each)]
        return "[" + (",\n" + " " * (indent + 1)).join(rows) + "]"
    depth, inner = 0, values[0]
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0] if inner else None
    rows = ["..." if v is ... else _nested(v, one, width, indent + 1) for v in values]
    return "[" + ("," + "\n" * depth + " " * (indent + 1)).join(rows) + "]"


def _body(array, indent):
    values = array.ivy_array.tolist()
    if array.ivy_array.size > _Options.threshold:
        values = _shown(values)
    leaves = [v for v in _leaves(values) if v is not ...]
    one, width = (_complex_formatter if any(isinstance(v, complex) for v in leaves) else _formatter)(leaves)
    return _nested(values, one, width, indent)


def _of_torch(array):
    dtype = array.dtype.name
    indent = len("tensor(")
    found = "tensor(" + (_body(array, indent) if array.ivy_array.size else "[]")
    suffixes = []
    if not array.ivy_array.size and array.ivy_array.ndim != 1:
        suffixes.append(f"size={tuple(array.shape)}")
    if dtype not in _PLAIN["torch"] or not array.ivy_array.size and dtype != "float32":
        suffixes.append(f"dtype=torch.{dtype}")
    if (node := _ivyrs.graph_node(array)) is not None:
        suffixes.append(f"grad_fn={node!r}")
    elif array.requires_grad:
        suffixes.append("requires_grad=True")
    # As PyTorch breaks lines.
    length = len(found) - found.rfind("\n") + 1
    for suffix in suffixes:
        breaks = length + len(suffix) + 2 > _Options.linewidth
        found += (",\n" + " " * indent if breaks else ", ") + suffix
        length = len(suffix) + (indent if breaks else length + 2)
    return found + ")"


def _of_paddle(array):
    head = f"Tensor(shape={list(array.shape)}, dtype={array.dtype.name}, place=Place(cpu), stop_gradient={array.stop_gradient},"
    return f"{head}\n       {_body(array, 7)})"


_REPRESENTATIONS = {
    "numpy": _of_numpy,
    "torch": _of_torch,
    "jax": _of_jax,
    "tensorflow": _of_tensorflow,
    "paddle": _of_paddle,
}

