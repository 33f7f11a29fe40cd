"""NumPy's options of printing, and its functions that write arrays and floats."""

import contextlib
import contextvars
import decimal
import operator
import sys

from ... import _ivyrs

_DEFAULTS = {
    "edgeitems": 3,
    "threshold": 1000,
    "floatmode": "maxprec",
    "precision": 8,
    "suppress": False,
    "linewidth": 75,
    "nanstr": "nan",
    "infstr": "inf",
    "sign": "-",
    "formatter": None,
    "legacy": False,
    "override_repr": None,
}
_in_force = contextvars.ContextVar("ivyrs.frontends.numpy.printoptions", default=_DEFAULTS)
_MODES = ("fixed", "unique", "maxprec", "maxprec_equal")
_IMPLIED = ["float64", "int64", "complex128", "bool"]
# The kinds of a formatter's functions, by the kind of the dtype; later ones stand above earlier ones.
_KINDS = {"b": ("all", "bool"), "i": ("all", "int_kind", "int"), "u": ("all", "int_kind", "int"), "f": ("all", "float_kind", "float"), "c": ("all", "complex_kind", "complexfloat")}


def _checked(**given):
    """The options that are given, as NumPy checks them."""
    given = {name: value for name, value in given.items() if value is not None}
    if given.pop("legacy", False) not in (False, None):
        raise NotImplementedError("legacy: the forms of earlier versions are not there")
    if "floatmode" in given and given["floatmode"] not in _MODES:
        raise ValueError(f"floatmode option must be one of {', '.join(map(repr, _MODES))}")
    if "sign" in given and given["sign"] not in ("-", "+", " "):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    if "threshold" in given:
        if not isinstance(given["threshold"], (int, float)):
            raise TypeError("threshold must be numeric")
        if given["threshold"] != given["threshold"]:
            raise ValueError("threshold must be non-NAN, try sys.maxsize for untruncated representation")
        given["threshold"] = int(min(given["threshold"], sys.maxsize))
    if "precision" in given:
        try:
            given["precision"] = operator.index(given["precision"])
        except TypeError as error:
            raise TypeError("precision must be an integer") from error
    if "suppress" in given:
        given["suppress"] = bool(given["suppress"])
    return given


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None,
    formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None,
):
    """How arrays are written from here on. ``formatter=None`` clears the functions that write elements, as in NumPy."""
    given = _checked(
        precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth, suppress=suppress, nanstr=nanstr,
        infstr=infstr, sign=sign, floatmode=floatmode, legacy=legacy,
    )
    _in_force.set({**_in_force.get(), "formatter": formatter, "override_repr": override_repr, **given})


def get_printoptions():
    """The options in force."""
    return dict(_in_force.get())


@contextlib.contextmanager
def printoptions(*args, **kwargs):
    """The options for a ``with`` block."""
    before = _in_force.get()
    set_printoptions(*args, **kwargs)
    try:
        yield get_printoptions()
    finally:
        _in_force.set(before)


def _writer(formatter, array):
    """The function that writes an array's elements, if the formatter has one for its dtype."""
    names = _KINDS[array.dtype.kind] if formatter else ()
    return next((formatter[name] for name in reversed(names) if name in formatter), None)


def _options(**given):
    given = {**_in_force.get(), **_checked(**given)}
    native = {name: value for name, value in given.items() if name not in ("formatter", "legacy", "override_repr")}
    return {**native, "implied": _IMPLIED}, given["formatter"]


def representation(array):
    """``repr`` of an array."""
    own = _in_force.get()["override_repr"]
    return own(array) if own is not None else array_repr(array)


def text(array):
    """``str`` of an array."""
    return array_str(array)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """The text of an array with its dtype, where that is not a default one."""
    options, formatter = _options(linewidth=max_line_width, precision=precision, suppress=suppress_small)
    return _ivyrs.array_text(arr, options, "array", write=_writer(formatter, arr))


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """The text of an array's elements."""
    options, formatter = _options(linewidth=max_line_width, precision=precision, suppress=suppress_small)
    return _ivyrs.array_text(a, options, write=None if not a.ndim else _writer(formatter, a))


def array2string(
    a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *, formatter=None, threshold=None,
    edgeitems=None, sign=None, floatmode=None, suffix="", legacy=None,
):
    """The text of an array's elements between brackets, with room for what stands before and behind it."""
    options, own = _options(
        linewidth=max_line_width, precision=precision, suppress=suppress_small, threshold=threshold, edgeitems=edgeitems,
        sign=sign, floatmode=floatmode, legacy=legacy,
    )
    around = (separator, len(prefix), len(suffix))
    return _ivyrs.array_text(a, options, around=around, write=_writer(own if formatter is None else formatter, a))


def _decimal(x):
    """The shortest decimal that names a number in its own dtype."""
    return decimal.Decimal(str(x.ivy_array) if hasattr(x, "ivy_array") else repr(float(x)))


def _trimmed(digits, trim):
    whole, _, fraction = digits.partition(".")
    if trim != "k":
        fraction = fraction.rstrip("0")
    if trim == "0" and not fraction:
        fraction = "0"
    return whole if trim == "-" and not fraction else f"{whole}.{fraction}"


def _padded(digits, pad_left, pad_right):
    whole, point, fraction = digits.partition(".")
    if pad_right is not None:
        fraction = fraction.ljust(pad_right)
    return whole.rjust(pad_left or 0) + point + fraction


def _not_finite(x, sign):
    text = str(float(x))
    # NumPy pads neither NaN nor infinity.
    return "+" + text if sign and text == "inf" else text


def _exact(x):
    return decimal.Decimal(float(x))


def format_float_positional(
    x, precision=None, unique=True, fractional=True, trim="k", sign=False, pad_left=None, pad_right=None, min_digits=None
):
    """A float without exponent: its shortest digits, or those of the exact value."""
    value = _decimal(x)
    if not value.is_finite():
        return _not_finite(x, sign)
    if not unique and precision is None:
        raise ValueError("precision must be given where digits are not unique")
    with decimal.localcontext() as context:
        context.prec = 1100
        if not unique:
            value = _exact(x)
        places, cut = -value.as_tuple().exponent, not unique
        if precision is not None:
            most = precision if fractional else precision - value.adjusted() - 1
            if places > most or not unique:
                cut = True
                value = _exact(x) if places > most else value
                value = value.quantize(decimal.Decimal(1).scaleb(-most), decimal.ROUND_HALF_EVEN)
        if min_digits is not None:
            least = min_digits if fractional else min_digits - value.adjusted() - 1
            if -value.as_tuple().exponent < least:
                value = value.quantize(decimal.Decimal(1).scaleb(-least))
        digits = f"{value:f}"
    if not cut and min_digits is None:
        # Zeros behind the shortest digits are not among them.
        digits = _trimmed(digits, ".")
    digits = _trimmed(digits if "." in digits else digits + ".", trim)
    return _padded(("+" if sign and not digits.startswith("-") else "") + digits, pad_left, pad_right)


def format_float_scientific(x, precision=None, unique=True, trim="k", sign=False, pad_left=None, exp_digits=None, min_digits=None):
    """A float with an exponent: its shortest digits, or those of the exact value."""
    value = _decimal(x)
    if not value.is_finite():
        return _not_finite(x, sign)
    if not unique and precision is None:
        raise ValueError("precision must be given where digits are not unique")
    with decimal.localcontext() as context:
        context.prec = 1100
        if unique:
            value = value.normalize()
        count = len(value.as_tuple().digits) - 1
        if not unique or precision is not None and count > precision:
            mantissa, _, exponent = f"{_exact(x):.{precision}e}".partition("e")
        else:
            mantissa, _, exponent = f"{value:.{max(count, min_digits or 0)}e}".partition("e")
    mantissa = _trimmed(mantissa if "." in mantissa else mantissa + ".", trim)
    power = int(exponent)
    mantissa = ("+" if sign and not mantissa.startswith("-") else "") + mantissa
    return _padded(mantissa, pad_left, None) + f"e{'-' if power < 0 else '+'}{abs(power):0{exp_digits or 2}d}"


FUNCTIONS = {
    function.__name__: function
    for function in (
        set_printoptions, get_printoptions, printoptions, array_repr, array_str, array2string, format_float_positional,
        format_float_scientific,
    )
}
