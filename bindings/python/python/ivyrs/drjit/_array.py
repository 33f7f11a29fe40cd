"""The base of all array types: what the extension module's class has, and what Python's protocols need beside it."""

from ivyrs._ivyrs import ArrayBase as _Base

from . import _native

__all__ = ["ArrayBase"]


def _in_place(self, result):
    """Keeps a result in the object, if it is of its type."""
    if type(result) is type(self):
        self._assign(result)
        return self
    return result


class ArrayBase(_Base):
    """An array of any of Dr.Jit's types. Objects are changed in place by ``x += y``, ``x[i] = y`` and scatters."""

    __slots__ = ()
    __meta__ = ""

    def __class_getitem__(cls, _key):
        return cls

    def __iadd__(self, other):
        return _in_place(self, self + other)

    def __isub__(self, other):
        return _in_place(self, self - other)

    def __imul__(self, other):
        return _in_place(self, self * other)

    def __itruediv__(self, other):
        return _in_place(self, self / other)

    def __ifloordiv__(self, other):
        return _in_place(self, self // other)

    def __imod__(self, other):
        return _in_place(self, self % other)

    def __ipow__(self, other):
        return _in_place(self, self**other)

    def __imatmul__(self, other):
        return _in_place(self, self @ other)

    def __iand__(self, other):
        return _in_place(self, self & other)

    def __ior__(self, other):
        return _in_place(self, self | other)

    def __ixor__(self, other):
        return _in_place(self, self ^ other)

    def __ilshift__(self, other):
        return _in_place(self, self << other)

    def __irshift__(self, other):
        return _in_place(self, self >> other)

    def __setattr__(self, name, value):
        letters = len(name) > 1 and all(letter in "xyzw" for letter in name)
        if not letters:
            object.__setattr__(self, name, value)
            return
        values = value if isinstance(value, (list, tuple)) or _is_nested(value) else [value] * len(name)
        if len(values) != len(name):
            raise TypeError(f"{type(self).__name__}.{name} takes {len(name)} components, not {len(values)}")
        for letter, component in zip(name, list(values), strict=True):
            setattr(self, letter, component)

    @property
    def T(self):
        """The transpose of a matrix."""
        return _native.transpose(self)

    mT = T

    @property
    def grad(self):
        """The gradient: zeros where none was computed."""
        return _native.grad(self, True)

    @grad.setter
    def grad(self, value):
        _native.set_grad(self, value)

    @property
    def label(self):
        """The name by which ``dr.whos()`` tells of the array."""
        from ._observe import label_of

        return label_of(self)

    @label.setter
    def label(self, value):
        _native.set_label(self, value)

    @property
    def index(self) -> int:
        """The number of the array's variable in the engine; 0 where none computes it."""
        return self._index()

    @property
    def state(self):
        """Whether the array is evaluated."""
        from ._observe import state_of

        return state_of(self)

    def item(self):
        """The one element, as a Python number."""
        numbers = self if self._type.kind == "array" and not self._type.is_jit else _native.ravel(self, "C")
        if not isinstance(numbers, _Base):
            return numbers
        numbers = list(numbers) if numbers._type.kind == "array" else numbers._numbers()
        if len(numbers) != 1:
            raise RuntimeError(f"{type(self).__name__}.item(): can only convert arrays of length 1, not {len(numbers)}")
        return numbers[0]

    def numpy(self):
        """The elements as an array of NumPy; the vectors of elements are its last axis."""
        from ._interop import to_numpy

        return to_numpy(self)

    to_numpy = numpy

    def torch(self):
        """The elements as a tensor of PyTorch, without a copy where there is one array."""
        from ._interop import to_torch

        return to_torch(self)

    def jax(self):
        """The elements as an array of JAX."""
        from ._interop import to_jax

        return to_jax(self)

    def __array__(self, dtype=None, copy=None):
        import numpy

        made = self.numpy()
        return numpy.array(made, dtype=dtype) if copy else numpy.asarray(made, dtype=dtype)

    def __dlpack__(self, **keywords):
        from ._interop import to_core

        return to_core(self).__dlpack__(**keywords)

    def __dlpack_device__(self):
        from ._interop import to_core

        return to_core(self).__dlpack_device__()

    def __format__(self, spec):
        if not spec:
            return str(self)
        return format(self.item(), spec)

    def __copy__(self):
        return self._copied()

    def __deepcopy__(self, _memo):
        return self._copied()

    def __reduce__(self):
        from ._interop import pickled

        return pickled(self)


def _is_nested(value):
    return isinstance(value, _Base) and value._type.kind in ("array", "quaternion")
