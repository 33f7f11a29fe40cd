"""The class of dtypes: strings, as Ivy's are."""


def _functions():
    # The extension module makes its dtypes of this class while it is loaded, so it cannot be imported above.
    from . import _ivyrs

    return _ivyrs


class Dtype(str):
    """The type of an array's elements: a string, its name. ``Dtype("float32")`` is the one object of a name.

    The order of dtypes is that of promotion by the rules in force: ``a <= b`` where the two promote to ``b``. It is a partial
    order: of ``int64`` and ``uint64`` neither is less.
    """

    __slots__ = ("bits", "itemsize")
    __module__ = "ivyrs"
    __hash__ = str.__hash__

    bits: int
    itemsize: int

    def __new__(cls, name, /):
        return _functions().dtype_object(name)

    @classmethod
    def _of(cls, name, bits, itemsize):
        self = str.__new__(cls, name)
        object.__setattr__(self, "bits", bits)
        object.__setattr__(self, "itemsize", itemsize)
        return self

    def __setattr__(self, name, value):
        raise AttributeError(f"a dtype is read only: {name}")

    def __delattr__(self, name):
        raise AttributeError(f"a dtype is read only: {name}")

    @property
    def name(self):
        """The name, as the standard spells it."""
        return str(self)

    def __le__(self, other):
        """Whether both promote to ``other``."""
        return self._compared(other, (-1, 0))

    def __lt__(self, other):
        """Whether both promote to ``other``, another dtype."""
        return self._compared(other, (-1,))

    def __ge__(self, other):
        """Whether both promote to this one."""
        return self._compared(other, (1, 0))

    def __gt__(self, other):
        """Whether both promote to this one, and ``other`` is another dtype."""
        return self._compared(other, (1,))

    def _compared(self, other, signs):
        return _functions().dtype_order(self, other) in signs if isinstance(other, str) else NotImplemented

    @property
    def dtype_bits(self):
        """The width of an element in bits; 1 for bool."""
        return self.bits

    @property
    def is_bool_dtype(self):
        """Whether it is bool."""
        return _functions().is_kind("bool", self)

    @property
    def is_int_dtype(self):
        """Whether it is an integer one."""
        return _functions().is_kind("int", self)

    @property
    def is_uint_dtype(self):
        """Whether it is an unsigned integer one."""
        return _functions().is_kind("uint", self)

    @property
    def is_float_dtype(self):
        """Whether it is a float one."""
        return _functions().is_kind("float", self)

    @property
    def is_complex_dtype(self):
        """Whether it is a complex one."""
        return _functions().is_kind("complex", self)

    @property
    def as_native_dtype(self):
        """The name under which the current backend stores it."""
        return _functions().as_native_dtype(self, None)

    @property
    def info(self):
        """What ``finfo`` or ``iinfo`` says of it; bool is refused."""
        import ivyrs

        return ivyrs.iinfo(self) if self.is_int_dtype else ivyrs.finfo(self)

    def can_cast(self, to):
        """Whether it may be cast to a dtype by the rules in force, as ``can_cast`` says."""
        import ivyrs

        return ivyrs.can_cast(self, to)

    def __repr__(self):
        return f"ivyrs.{self}"

    def __reduce__(self):
        return (Dtype, (str(self),))
