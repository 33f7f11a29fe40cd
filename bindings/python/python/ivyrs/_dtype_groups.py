"""Ivy's tuples of dtypes, its classes of a kind of dtypes, and shapes."""

from . import _ivyrs
from ._ivyrs import Dtype

_KINDS = {"int": ("int", "uint"), "uint": ("uint",), "float": ("float",), "complex": ("complex",)}
EVERY = tuple(value for value in vars(_ivyrs).values() if isinstance(value, Dtype))


def _is(dtype, kinds):
    return any(_ivyrs.is_kind(kind, dtype) for kind in kinds)


def groups(backend):
    """The tuples of all dtypes, of those that a backend stores and of those that it does not, by kind."""
    stored = EVERY if backend is None else tuple(backend.dtypes)
    sets = {"all": EVERY, "valid": stored, "invalid": tuple(dtype for dtype in EVERY if dtype not in stored)}
    found = {}
    for name, dtypes in sets.items():
        found[f"{name}_dtypes"] = dtypes
        found[f"{name}_numeric_dtypes"] = tuple(dtype for dtype in dtypes if not _is(dtype, ("bool",)))
        for kind, kinds in _KINDS.items():
            found[f"{name}_{kind}_dtypes"] = tuple(dtype for dtype in dtypes if _is(dtype, kinds))
    return found


class _OfKind(type):
    """The class of the dtypes of a kind."""

    def __new__(mcs, name, kinds, doc):
        return super().__new__(mcs, name, (), {"__doc__": doc, "__module__": "ivyrs", "_kinds": kinds})

    def __init__(cls, name, kinds, doc):
        super().__init__(name, (), {})

    def __call__(cls, name):
        dtype = Dtype(name)
        if not _is(dtype, cls._kinds):
            raise ValueError(f"{cls.__name__}: {dtype} is none")
        return dtype

    def __instancecheck__(cls, value):
        return isinstance(value, Dtype) and _is(value, cls._kinds)


CLASSES = {
    f"{kind.title()}Dtype": _OfKind(f"{kind.title()}Dtype", kinds, f"The dtypes of {what}: of a name its dtype, if it is one.")
    for (kind, kinds), what in zip(_KINDS.items(), ("integers", "unsigned integers", "floats", "complex numbers"))
}


class Shape(tuple):
    """The lengths of an array's axes: a tuple with Ivy's questions."""

    __slots__ = ()

    def __new__(cls, shape=()):
        lengths = getattr(shape, "shape", shape)
        return super().__new__(cls, (lengths,) if isinstance(lengths, int) else lengths)

    def __repr__(self):
        return f"ivyrs.Shape({', '.join(map(str, self))})"

    @property
    def rank(self):
        """How many axes there are."""
        return len(self)

    ndims = rank

    @property
    def dims(self):
        """The lengths, as a list."""
        return list(self)

    def num_elements(self):
        """How many elements there are."""
        count = 1
        for length in self:
            count *= length
        return count

    def as_list(self):
        """The lengths, as a list."""
        return list(self)
