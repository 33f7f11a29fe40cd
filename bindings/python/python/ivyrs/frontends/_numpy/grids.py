"""Index expressions that make arrays, and iteration over positions: ``mgrid``, ``ogrid``, ``r_``, ``c_``, ``ndindex``, ``ndenumerate``."""

import itertools
import math
import operator


class Expression:
    """The index expression itself: ``s_[2:, 0]`` is what stands between the brackets."""

    def __init__(self, always_tuple):
        self._always_tuple = always_tuple

    def __getitem__(self, key):
        return (key,) if self._always_tuple and not isinstance(key, tuple) else key


def _ticks(numpy, key):
    """The numbers of a slice: with an imaginary step that many of them, the end among them."""
    start, step = 0 if key.start is None else key.start, 1 if key.step is None else key.step
    if isinstance(step, complex):
        return numpy.linspace(start, key.stop, int(abs(step)))
    return numpy.arange(start, key.stop, step)


class Grid:
    """The grid of the numbers of several slices: filled (``mgrid``), or one axis of each to be broadcast (``ogrid``)."""

    def __init__(self, numpy, sparse):
        self._numpy, self._sparse = numpy, sparse

    def __getitem__(self, key):
        numpy = self._numpy
        if isinstance(key, slice):
            return _ticks(numpy, key)
        entries = key if isinstance(key, tuple) else (key,)
        for entry in entries:
            if not isinstance(entry, slice):
                name = "ogrid" if self._sparse else "mgrid"
                raise TypeError(f"{name}[{entry!r}]: a slice is needed for each axis, as in {name}[0:2, 0:3]")
        axes = [_ticks(numpy, one) for one in key]
        if not axes:
            return () if self._sparse else numpy.zeros((0,))
        dtype = numpy.result_type(*axes)
        axes = numpy.meshgrid(*(axis.astype(dtype) for axis in axes), indexing="ij", sparse=self._sparse)
        return tuple(axes) if self._sparse else numpy.stack(axes)


class Joined:
    """Arrays, numbers and ranges joined along an axis: ``r_[1:4, 0, x]``.

    A first text of integers says along which axis, with how many axes at least, and where the given axes go among those.
    """

    def __init__(self, numpy, name, axis=0, least=1, place=-1):
        self._numpy, self._name, self._defaults = numpy, name, (axis, least, place)

    def __getitem__(self, key):
        numpy = self._numpy
        axis, least, place = self._defaults
        entries = list(key) if isinstance(key, tuple) else [key]
        if not entries:
            raise ValueError(f"{self._name}[()]: at least one array, number or slice is needed")
        if isinstance(entries[0], str):
            word = entries.pop(0)
            if word in ("r", "c"):
                raise ValueError(f"r_[{word!r}, ...] makes a matrix, which is not there: arrays of two axes are")
            try:
                given = [int(part) for part in word.split(",")]
            except ValueError as error:
                raise ValueError(f"unknown special directive {word!r}: integers between commas are one") from error
            axis, least, place = (*given, *(axis, least, place)[len(given) :])
        parts = []
        for entry in entries:
            part = _ticks(numpy, entry) if isinstance(entry, slice) else numpy.asarray(entry)
            is_number, missing = not isinstance(entry, slice) and part.ndim == 0, least - part.ndim
            if missing > 0:
                # The axes that are added stand before the ones at `place`, counted among all.
                before = missing if is_number or isinstance(entry, str) else (place if place >= 0 else least + place + 1 - part.ndim)
                before = min(max(before, 0), missing)
                part = part.reshape((1,) * before + part.shape + (1,) * (missing - before))
            parts.append((part, is_number))
        arrays = [part for part, is_number in parts if not is_number]
        numbers = [entry for entry, (_, is_number) in zip(entries, parts) if is_number]
        dtype = numpy.result_type(*arrays, *numbers)
        return numpy.concatenate([part.astype(dtype) for part, _ in parts], axis=axis)


class ndindex:
    """The positions of an array of a shape, in row-major order."""

    def __init__(self, *shape):
        given = shape[0] if len(shape) == 1 and hasattr(shape[0], "__iter__") else shape
        try:
            self._shape = tuple(operator.index(length) for length in given)
        except TypeError:
            raise TypeError(f"ndindex: shape = {tuple(given)!r}: lengths are integers") from None
        if min(self._shape, default=0) < 0:
            raise ValueError("negative dimensions are not allowed")
        self._positions = itertools.product(*map(range, self._shape))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._positions)


class ndenumerate:
    """The positions of an array's elements, and the elements."""

    def __init__(self, numpy, arr):
        array = numpy.asarray(arr)
        self._pairs = zip(ndindex(array.shape), array.flat)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._pairs)


class broadcast:
    """Arrays broadcast together: the common shape, and the elements at each position of it."""

    def __init__(self, numpy, args):
        arrays = [x for arg in args for x in (arg._arrays if isinstance(arg, broadcast) else [numpy.asarray(arg)])]
        self._arrays, self._whole = arrays, numpy.broadcast_arrays(*arrays)
        self.shape = numpy.broadcast_shapes(*(x.shape for x in arrays))
        self.ndim = self.nd = len(self.shape)
        self.size, self.numiter = math.prod(self.shape), len(arrays)
        self.reset()

    def reset(self):
        """Begins again at the first position."""
        self.index = 0
        self.iters = tuple(x.flat for x in self._arrays)
        self._elements = tuple(x.flat for x in self._whole)

    def __iter__(self):
        return self

    def __next__(self):
        if self.index >= self.size:
            raise StopIteration
        self.index += 1
        return tuple(next(elements) for elements in self._elements)


def functions(numpy):
    """What the module of the frontend gets."""

    class _broadcast(broadcast):
        __doc__ = broadcast.__doc__

        def __init__(self, *args):
            super().__init__(numpy, args)

    _broadcast.__name__ = _broadcast.__qualname__ = "broadcast"

    class _ndenumerate(ndenumerate):
        __doc__ = ndenumerate.__doc__

        def __init__(self, arr):
            super().__init__(numpy, arr)

    _ndenumerate.__name__ = _ndenumerate.__qualname__ = "ndenumerate"
    return {
        "broadcast": _broadcast,
        "mgrid": Grid(numpy, sparse=False),
        "ogrid": Grid(numpy, sparse=True),
        "r_": Joined(numpy, "r_"),
        "c_": Joined(numpy, "c_", axis=-1, least=2, place=0),
        "s_": Expression(always_tuple=False),
        "index_exp": Expression(always_tuple=True),
        "ndindex": ndindex,
        "ndenumerate": _ndenumerate,
    }
