"""NumPy's kinds of dtypes: the classes that ``issubdtype`` asks about."""

import builtins

_PARENTS = {
    "generic": None, "number": "generic", "integer": "number", "signedinteger": "integer", "unsignedinteger": "integer",
    "inexact": "number", "floating": "inexact", "complexfloating": "inexact",
}  # fmt: skip
_OF_LETTERS = {"b": "generic", "i": "signedinteger", "u": "unsignedinteger", "f": "floating", "c": "complexfloating"}


# NumPy's letters of the dtypes that there are, by kind.
TYPECODES = {
    "Character": "", "Integer": "bhilq", "UnsignedInteger": "BHILQ", "Float": "efd", "Complex": "FD", "AllInteger": "bBhHiIlLqQ",
    "AllFloat": "efdFD", "Datetime": "", "All": "?bhilqBHILQefdFD",
}  # fmt: skip


class _Kind(type):
    """The class of the kinds. A number of the frontend is an instance of its dtype's kinds."""

    def __instancecheck__(cls, value):
        return builtins.bool(getattr(value, "_is_number", False)) and issubclass(CLASSES[_OF_LETTERS[value.dtype.kind]], cls)

    def __repr__(cls):
        return f"<class 'numpy.{cls.__name__}'>"


CLASSES = {}
for _name, _parent in _PARENTS.items():
    _bases = (CLASSES[_parent],) if _parent else ()
    CLASSES[_name] = _Kind(_name, _bases, {"__module__": "ivyrs.frontends.numpy", "__doc__": "A kind of NumPy's dtypes."})


def functions(dtype):
    """What the module of the frontend gets; ``dtype`` is its function of that name."""

    def issubdtype(arg1, arg2):
        """Whether a dtype, or kind of dtypes, is one of a kind, or the same dtype."""
        upper = arg2 if isinstance(arg2, _Kind) else None
        if isinstance(arg1, _Kind):
            return upper is not None and issubclass(arg1, upper)
        lower = dtype(arg1)
        return issubclass(CLASSES[_OF_LETTERS[lower.kind]], upper) if upper is not None else lower == dtype(arg2)

    return {**CLASSES, "issubdtype": issubdtype, "typecodes": TYPECODES}
