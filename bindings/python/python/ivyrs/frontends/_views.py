"""What arrays say of the elements that they share with others, and the attributes that write to those."""

from .. import _ivyrs


_LETTERS = {"C": "c_contiguous", "F": "f_contiguous", "O": "owndata", "W": "writeable", "A": "aligned"}


class Flags:
    """How the elements of an array lie: ``array.flags``. They follow from the array and cannot be set."""

    def __init__(self, array):
        _, _, writeable, c_contiguous = _ivyrs.view_layout(array)
        f_contiguous = _ivyrs.view_layout(array.T)[3]
        vars(self).update(
            c_contiguous=c_contiguous, f_contiguous=f_contiguous, owndata=_ivyrs.view_base(array) is None, writeable=writeable,
            aligned=True, contiguous=c_contiguous, forc=c_contiguous or f_contiguous, fnc=f_contiguous and not c_contiguous,
        )

    def __setattr__(self, name, value):
        raise AttributeError(f"flags.{name} cannot be set here: it follows from the array")

    def __getitem__(self, name):
        key = _LETTERS.get(name, str(name).lower())
        if key not in vars(self):
            raise KeyError(f"Unknown flag: {name!r}; there are {', '.join(vars(self)).upper()}")
        return vars(self)[key]

    def __eq__(self, other):
        return isinstance(other, Flags) and vars(self) == vars(other)

    __hash__ = None

    def __repr__(self):
        names = ("c_contiguous", "f_contiguous", "owndata", "writeable", "aligned")
        return "\n".join(f"  {name.upper()} : {getattr(self, name)}" for name in names)


class Flat:
    """The elements of an array one after the other, in row-major order: ``array.flat``."""

    def __init__(self, array, numpy):
        self.base, self._numpy = array, numpy
        self._next = 0

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return iter(self.base.ravel())

    def __next__(self):
        if self._next >= len(self):
            raise StopIteration
        self._next += 1
        return self.base.ravel()[self._next - 1]

    def _places(self, key):
        """An index expression of one axis, which is all that an iterator takes."""
        if isinstance(key, tuple):
            if len(key) > 1:
                raise IndexError(f"too many indices for flat iterator: flat iterator is 1-dimensional, but {len(key)} were indexed")
            key = key[0] if key else ...
        if isinstance(key, bool):
            return 0 if key else slice(0, 0)
        kinds = "iub" if isinstance(key, self._numpy.ndarray) else "iu" if isinstance(key, list) and key else None
        if key is None or kinds and self._numpy.asarray(key).dtype.kind not in kinds:
            raise IndexError("only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid indices")
        return key

    def __getitem__(self, key):
        found = self.base.ravel()[self._places(key)]
        return found if found._is_number else found.copy()

    def __setitem__(self, key, value):
        places = self._numpy.arange(len(self))[self._places(key)]
        self._numpy.put(self.base, places, value)

    def __array__(self, dtype=None, copy=None):
        return self.base.flatten().__array__(dtype)

    def __eq__(self, other):
        return self.base.ravel() == other

    __hash__ = None

    def copy(self):
        """The elements as an array of one axis."""
        return self.base.flatten()


def _written(name):
    """A property that is written to through the view that it gives."""

    def write(self, value):
        part = getattr(type(self), name).fget(self)
        if part is not self and _ivyrs.view_base(part) is None:
            raise TypeError("array does not have imaginary part to set")
        part[...] = value

    return write


def _set_shape(self, shape):
    if not _ivyrs.view_reshape(self, self.reshape(shape)):
        raise AttributeError("Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape.")


def _set_flat(self, value):
    self.flat[:] = value


def _same(a, b):
    return _ivyrs.views_overlap(a, b)


def equip_numpy(module, array):
    """Puts NumPy's attributes of views into its module and into its array class."""

    def shares_memory(a, b, /, max_work=None):
        """Whether two arrays have an element in common."""
        return _same(a, b)

    # Both are exact: where elements lie is known of each view.
    module.shares_memory = module.may_share_memory = shares_memory
    array.base = property(_ivyrs.view_base, doc="The array that this is a view of; None where it has elements of its own.")
    array.flags = property(Flags, doc="How the elements lie.")
    array.flat = property(lambda self: Flat(self, module), _set_flat, doc="The elements one after the other.")
    array.strides = property(
        lambda self: tuple(stride * self.itemsize for stride in _ivyrs.view_layout(self)[1]),
        doc="The distance between neighbours along each axis, in bytes.",
    )
    for name in ("real", "imag"):
        getter = getattr(array, name).fget
        setattr(array, name, property(getter, _written(name)))
    array.shape = property(array.shape.__get__, _set_shape, doc="The lengths of the axes.")


def equip_torch(array):
    """Puts PyTorch's methods of views into its class of tensors."""

    def stride(self, dim=None):
        """The distance between neighbours along each axis, or along one, in elements."""
        strides = tuple(_ivyrs.view_layout(self)[1])
        if dim is None:
            return strides
        if not -len(strides) <= dim < len(strides):
            raise IndexError(f"Dimension out of range (expected to be in range of [{-len(strides)}, {len(strides) - 1}], but got {dim})")
        return strides[dim]

    def storage_offset(self):
        """The place of the first element in the storage."""
        return _ivyrs.view_layout(self)[0]

    def is_contiguous(self, memory_format=None):
        """Whether the elements follow each other in memory in row-major order."""
        return _ivyrs.view_layout(self)[3]

    for method in (stride, storage_offset, is_contiguous):
        method.__qualname__ = f"Tensor.{method.__name__}"
        setattr(array, method.__name__, method)
    array._base = property(_ivyrs.view_base, doc="The tensor that this is a view of; None where it has elements of its own.")
    array._version = property(_ivyrs.view_version, doc="How often operations in place have changed the elements, by any of their views.")
    array._is_view = lambda self: _ivyrs.view_base(self) is not None
    array.data = property(array.data.fget, _ivyrs.torch_set_data, doc="The elements, without a graph of derivatives.")
    for name in ("real", "imag"):
        getter = getattr(array, name).fget
        setattr(array, name, property(getter, _written(name)))
