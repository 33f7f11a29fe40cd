"""Vectors and matrices in Python's scope."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

from ._types import TO_NUMPY, CompoundType, DataType, number_type

_SWIZZLES = ("xyzw", "rgba", "stpq")


def flattened(values: Any) -> list[Any]:
    """The numbers of values, one after the other."""
    numbers: list[Any] = []
    for value in values:
        if isinstance(value, Matrix):
            numbers += value.entries
        elif isinstance(value, (list, tuple)):
            numbers += flattened(value)
        elif getattr(value, "shape", ()) != ():
            numbers += flattened(value.tolist())
        else:
            numbers.append(value)
    return numbers


def uniform(numbers: list[Any]) -> list[Any]:
    """Numbers of one kind: all real where one is, else integers where one is."""
    own = [number.item() if hasattr(number, "item") else number for number in numbers]
    for number in own:
        if not isinstance(number, (bool, int, float)):
            raise TypeError(f"vectors and matrices are of numbers, not of {type(number).__name__}")
    if any(isinstance(number, float) for number in own):
        return [float(number) for number in own]
    if any(isinstance(number, int) and not isinstance(number, bool) for number in own):
        return [int(number) for number in own]
    return own


class Matrix:
    """A matrix of numbers; a vector is one without columns."""

    #: Attributes that are no numbers.
    _OWN = ("_form", "entries", "dtype", "_field", "_indices")
    #: Operators of NumPy's numbers leave it to a matrix's own.
    __array_ufunc__ = None

    def __init__(self, arr: Any, dt: Any = None) -> None:
        rows = arr.tolist() if hasattr(arr, "tolist") else list(arr)
        if rows and isinstance(rows[0], (list, tuple, Matrix)):
            inner = [list(row) for row in rows]
            if any(len(row) != len(inner[0]) for row in inner):
                raise ValueError("the rows of a matrix have one length")
            self._form: tuple[int, int | None] = (len(rows), len(inner[0]))
        else:
            self._form = (len(rows), None)
        self.entries: list[Any] = uniform(flattened(rows))
        self.dtype: DataType | None = None if dt is None else number_type(dt)
        if self.dtype is not None:
            self.entries = [self.dtype(x) for x in self.entries]

    @staticmethod
    def of(form: tuple[int, int | None], entries: list[Any], dtype: DataType | None = None) -> Matrix:
        """A matrix of numbers by rows."""
        made = Matrix.__new__(Matrix)
        made._form, made.entries, made.dtype = form, uniform(entries), dtype
        return made

    @property
    def n(self) -> int:
        return self._form[0]

    @property
    def m(self) -> int:
        return self._form[1] or 1

    @property
    def form(self) -> tuple[int, int | None]:
        return self._form

    def get_shape(self) -> tuple[int, ...]:
        return (self.n,) if self._form[1] is None else (self.n, self.m)

    def _places(self, index: Any) -> tuple[list[int], tuple[int, int | None] | None]:
        """The places of numbers that an index means, and of several their form."""
        own = index if isinstance(index, tuple) else (index,)
        extents = self.get_shape()
        if len(own) != len(extents):
            raise IndexError(f"{len(own)} indices of a tensor of shape {extents}")
        along = []
        for at, extent in zip(own, extents):
            if isinstance(at, slice):
                along.append(list(range(*at.indices(extent))))
                continue
            at = operator.index(at)
            if not -extent <= at < extent:
                raise IndexError(f"index {index} of a tensor of shape {extents}")
            along.append([at % extent])
        form = [len(places) for places, at in zip(along, own) if isinstance(at, slice)]
        columns = along[1] if len(along) == 2 else [0]
        places = [row * self.m + column for row in along[0] for column in columns]
        return places, (form[0], form[1] if len(form) == 2 else None) if form else None

    def __getitem__(self, index: Any) -> Any:
        if self._form[1] is not None and not isinstance(index, tuple):
            index = (index, slice(None))
        places, form = self._places(index)
        return self.entries[places[0]] if form is None else Matrix.of(form, [self.entries[place] for place in places], self.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._form[1] is not None and not isinstance(index, tuple):
            index = (index, slice(None))
        places, form = self._places(index)
        numbers = [value] if form is None else flattened((value,))
        for place, number in zip(places, numbers * len(places) if len(numbers) == 1 else numbers, strict=True):
            self.entries[place] = number
        self._changed()

    def _changed(self) -> None:
        """Tells whoever has the numbers that they are others."""

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self.n))

    def __getattr__(self, name: str) -> Any:
        places = _places(name, self)
        if places is None:
            raise AttributeError(f"there is no member `{name}` of a tensor of shape {self.get_shape()}")
        if len(places) == 1:
            return self.entries[places[0]]
        return Matrix.of((len(places), None), [self.entries[place] for place in places], self.dtype)

    def __setattr__(self, name: str, value: Any) -> None:
        places = _places(name, self) if name not in self._OWN and "_form" in self.__dict__ else None
        if places is None:
            if name not in self._OWN:
                raise AttributeError(f"there is no member `{name}` of a tensor of shape {self.get_shape()}")
            return object.__setattr__(self, name, value)
        numbers = [value] if len(places) == 1 else list(value)
        for place, number in zip(places, numbers):
            self.entries[place] = number
        self._changed()

    def __repr__(self) -> str:
        return str(self.to_numpy())

    def to_list(self) -> list[Any]:
        if self._form[1] is None:
            return list(self.entries)
        return [self.entries[row * self.m : row * self.m + self.m] for row in range(self.n)]

    def to_numpy(self) -> Any:
        import numpy as np

        return np.asarray(self.to_list(), dtype=None if self.dtype is None else TO_NUMPY[self.dtype.name])

    def cast(self, dtype: Any) -> Matrix:
        ty = number_type(dtype)
        return Matrix.of(self._form, [ty(x) for x in self.entries], ty)

    def map(self, f: Callable[..., Any], *others: Any) -> Matrix:
        """A function of its numbers, and of those at the same places of others, or of numbers that all share."""
        lists = []
        for other in others:
            if isinstance(other, (list, tuple)) or getattr(other, "shape", ()) != () and not isinstance(other, Matrix):
                other = Matrix(other)
            if isinstance(other, Matrix):
                if other.form != self.form:
                    raise TypeError(f"tensors of shapes {self.get_shape()} and {other.get_shape()}")
                lists.append(other.entries)
            else:
                lists.append([other] * len(self.entries))
        return Matrix.of(self._form, [f(*numbers) for numbers in zip(self.entries, *lists)])

    def __neg__(self) -> Matrix:
        return self.map(operator.neg)

    def __abs__(self) -> Matrix:
        return self.map(operator.abs)

    def __invert__(self) -> Matrix:
        return self.map(operator.invert)

    def __eq__(self, other: object) -> Any:
        return self.map(lambda a, b: bool(a == b), other) if isinstance(other, (Matrix, list, tuple, int, float)) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return self.map(lambda a, b: bool(a != b), other) if isinstance(other, (Matrix, list, tuple, int, float)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def fill(self, value: Any) -> None:
        """Sets every number."""
        self.entries = [value] * len(self.entries)
        self._changed()

    def outer_product(self, other: Matrix) -> Matrix:
        """The product of each number with each of another vector."""
        return Matrix.of((self.n, other.n), [x * y for x in self.entries for y in other.entries])

    def determinant(self) -> Any:
        """The determinant of a square matrix, by its first row."""
        if self.n != self.m:
            raise TypeError(f"a matrix of shape {self.get_shape()} has no determinant: it is not square")
        if self.n == 1:
            return self.entries[0]
        return sum((-1) ** column * self.entries[column] * self._minor(0, column).determinant() for column in range(self.n))

    def _minor(self, row: int, column: int) -> Matrix:
        entries = [self.entries[i * self.m + j] for i in range(self.n) for j in range(self.m) if i != row and j != column]
        return Matrix.of((self.n - 1, self.m - 1), entries)

    def inverse(self) -> Matrix:
        """The inverse of a square matrix: the adjugate by the determinant."""
        whole = self.determinant()
        if self.n == 1:
            return Matrix.of(self._form, [1 / whole])
        places = [(row, column) for row in range(self.n) for column in range(self.n)]
        return Matrix.of(self._form, [(-1) ** (i + j) * self._minor(j, i).determinant() / whole for i, j in places])

    def sum(self) -> Any:
        return sum(self.entries)

    def max(self) -> Any:
        return max(self.entries)

    def min(self) -> Any:
        return min(self.entries)

    def all(self) -> bool:
        return all(self.entries)

    def any(self) -> bool:
        return any(self.entries)

    def dot(self, other: Any) -> Any:
        return (self * other).sum()

    def norm_sqr(self) -> Any:
        return self.dot(self)

    def norm(self, eps: float = 0) -> float:
        return math.sqrt(self.norm_sqr() + eps)

    def norm_inv(self, eps: float = 0) -> float:
        return 1 / self.norm(eps)

    def normalized(self, eps: float = 0) -> Matrix:
        return self / (self.norm() + eps)

    def cross(self, other: Matrix) -> Any:
        if self.n == 2:
            return self.entries[0] * other.entries[1] - self.entries[1] * other.entries[0]
        (a, b, c), (x, y, z) = self.entries, other.entries
        return Matrix([b * z - c * y, c * x - a * z, a * y - b * x])

    def transpose(self) -> Matrix:
        return Matrix.of((self.m, self.n), [self.entries[row * self.m + column] for column in range(self.m) for row in range(self.n)])

    def trace(self) -> Any:
        return sum(self.entries[i * self.m + i] for i in range(min(self.n, self.m)))

    def __matmul__(self, other: Matrix) -> Any:
        if self.form[1] is None and other.form[1] is None:
            return self.dot(other)
        if self.m != other.n:
            raise TypeError(f"a product of tensors of shapes {self.get_shape()} and {other.get_shape()}")
        sums = [
            sum(self.entries[i * self.m + k] * other.entries[k * other.m + j] for k in range(self.m))
            for i in range(self.n)
            for j in range(other.m)
        ]
        return Matrix.of((self.n, other.form[1]), sums)

    @classmethod
    def field(cls, n: int, m: int, dtype: Any, shape: Any = None, **options: Any) -> Any:
        """A field of matrices of ``n`` rows and ``m`` columns."""
        from ._fields import field_type, make

        return make(field_type(dtype), (n, m), shape, **options)

    @classmethod
    def ndarray(cls, n: int, m: int, dtype: Any, shape: Any) -> Any:
        """An array of matrices."""
        from ._ndarray import ndarray

        return ndarray(CompoundType(n, m, dtype), shape)

    @staticmethod
    def _filled(dt: Any, n: int, m: int | None, entry: Callable[[int, int], Any]) -> Matrix:
        ty = number_type(dt)
        if not all(isinstance(extent, int) and extent > 0 for extent in (n, 1 if m is None else m)):
            raise ValueError(f"a vector or matrix has at least one element along each axis, not {n} and {m}")
        return Matrix.of((n, m), [ty(entry(i, j)) for i in range(n) for j in range(m or 1)], ty)

    @staticmethod
    def zero(dt: Any, n: int, m: int | None = None) -> Matrix:
        return Matrix._filled(dt, n, m, lambda i, j: 0)

    @staticmethod
    def one(dt: Any, n: int, m: int | None = None) -> Matrix:
        return Matrix._filled(dt, n, m, lambda i, j: 1)

    @staticmethod
    def unit(n: int, i: int, dt: Any = int) -> Matrix:
        if not 0 <= i < n:
            raise IndexError(f"unit: the vector has {n} numbers, and {i} is the place of none")
        return Matrix._filled(dt, n, None, lambda row, _: int(row == i))

    @staticmethod
    def identity(dt: Any, n: int) -> Matrix:
        return Matrix._filled(dt, n, n, lambda i, j: int(i == j))

    @staticmethod
    def diag(dim: int, val: Any) -> Matrix:
        """A diagonal matrix of one number."""
        return Matrix.of((dim, dim), [val if i == j else 0 for i in range(dim) for j in range(dim)])

    @staticmethod
    def rows(rows: Any) -> Matrix:
        return Matrix([list(row) for row in rows])

    @staticmethod
    def cols(columns: Any) -> Matrix:
        return Matrix.rows(columns).transpose()


def _places(name: str, of: Matrix) -> list[int] | None:
    """The places of numbers by their letters; ``None`` for other names."""
    if of.form[1] is not None:
        return None
    for letters in _SWIZZLES:
        known = letters[: of.n]
        if name and all(letter in known for letter in name):
            return [known.index(letter) for letter in name]
    return None


def _operators() -> None:
    names = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift", "lt", "le", "gt", "ge")
    for name in names:
        op = getattr(operator, f"{name}_" if name in ("and", "or") else name)
        compares = name in ("lt", "le", "gt", "ge")

        def forward(self: Matrix, other: Any, op: Any = op, compares: bool = compares) -> Matrix:
            return self.map(lambda a, b: bool(op(a, b)) if compares else op(a, b), other)

        setattr(Matrix, f"__{name}__", forward)
        if not compares:
            setattr(Matrix, f"__r{name}__", lambda self, other, op=op: self.map(lambda a, b: op(b, a), other))


_operators()


class Vector(Matrix):
    """A vector; made by ``ti.Vector([1, 2, 3])``."""

    @classmethod
    def field(cls, n: int, dtype: Any, shape: Any = None, **options: Any) -> Any:  # type: ignore[override]
        """A field of vectors of ``n`` numbers."""
        from ._fields import field_type, make

        return make(field_type(dtype), (n, None), shape, **options)

    @classmethod
    def ndarray(cls, n: int, dtype: Any, shape: Any) -> Any:  # type: ignore[override]
        """An array of vectors."""
        from ._ndarray import ndarray

        return ndarray(CompoundType(n, None, dtype), shape)
