"""The exceptions: one class for each kind of error, all of them ``IvyError`` and a class of Python's own."""

__all__ = ["IvyError"]


class IvyError(Exception):
    """What ivy refuses. ``kind`` names the error, ``fields`` has its facts, which are attributes as well."""

    def __init__(self, message="", kind="", fields=None):
        super().__init__(message)
        self.kind = kind
        self.fields = dict(fields or {})
        for name, value in self.fields.items():
            setattr(self, name, value)

    def __reduce__(self):
        return type(self), (str(self), self.kind, self.fields)


# The standard names few exceptions; these are what Python and NumPy raise for the like.
_BASES = {
    "UnknownDtype": (TypeError,),
    "WrongDtypeKind": (TypeError,),
    "UnknownBackend": (ValueError,),
    "BackendUnavailable": (RuntimeError,),
    "UnknownFunction": (AttributeError,),
    "NoPromotion": (TypeError,),
    "OutsideDomain": (TypeError,),
    "UnsupportedDtype": (TypeError,),
    "ImplicitCast": (TypeError,),
    "DtypeNotStored": (TypeError,),
    "BackendMismatch": (ValueError,),
    "CastRefused": (TypeError,),
    "BroadcastShapes": (ValueError,),
    "ShapeMismatch": (ValueError,),
    "VariableChanged": (ValueError,),
    "DtypeMismatch": (TypeError,),
    "AxisOutOfRange": (ValueError, IndexError),
    "RepeatedAxis": (ValueError,),
    "ScalarOutOfRange": (OverflowError,),
    "IndexOutOfRange": (IndexError,),
    "EmptyReduction": (ValueError,),
    "SizeOverflow": (ValueError,),
    "MemoryLimit": (MemoryError,),
    "InvalidArgument": (ValueError,),
    "NotTransformable": (NotImplementedError,),
    "TracedRead": (TypeError,),
    "MalformedTable": (ValueError,),
    "Malformed": (ValueError,),
    "Io": (OSError,),
    "BackendFailure": (RuntimeError,),
    "Interrupted": (RuntimeError,),
    "SingularMatrix": (ValueError,),
    "NotPositiveDefinite": (ValueError,),
    "NotConverged": (ValueError,),
    "FrontendCall": (TypeError,),
    "FrontendName": (AttributeError,),
    "FrontendVersion": (ValueError,),
}


def _declare(kind, bases):
    doc = f"The error {kind}: an IvyError, and {', '.join(b.__name__ for b in bases)}."
    made = type(kind, (IvyError, *bases), {"__module__": __name__, "__doc__": doc})
    globals()[kind] = made
    __all__.append(kind)
    return made


_CLASSES = {kind: _declare(kind, bases) for kind, bases in _BASES.items()}


# Python's own sequences raise IndexError for a wrong index, whatever is wrong with it.
_OF_INDICES = {
    kind: type(name, (_CLASSES[kind], IndexError), {"__module__": __name__, "__doc__": doc})
    for kind, name, doc in (
        ("InvalidArgument", "WrongIndex", "An index that no array of the shape can have: an InvalidArgument."),
        ("ShapeMismatch", "WrongMask", "A mask of another shape than the axes that it indexes: a ShapeMismatch."),
    )
}
for _class in _OF_INDICES.values():
    globals()[_class.__name__] = _class
    __all__.append(_class.__name__)


def make(kind, message, fields):
    """The exception of an error; a kind without a class is a plain ``IvyError``."""
    known = _OF_INDICES.get(kind) if fields.get("function") in ("get_item", "set_item") else None
    return (known or _CLASSES.get(kind, IvyError))(message, kind, fields)
