"""Ivy's functions between arrays and Python's own values, and of devices."""

import copy as copies

from . import _ivyrs
from ._ivyrs import Array


class Device(str):
    """The name of a device, ``cpu`` or ``cuda:0`` (``gpu`` is ``cuda``): a text, which has been checked."""

    __slots__ = ()

    def __new__(cls, dev):
        return super().__new__(cls, _ivyrs.as_ivy_dev(dev, None))


def is_array(x, /, *, exclusive=False):
    """Whether the argument is an array. ``exclusive`` is Ivy's, and changes nothing: there are no other arrays here."""
    return isinstance(x, Array)


def to_list(x, /):
    """The elements in lists, one in the other for each axis; of an array without axes, the number."""
    return x.tolist()


def to_scalar(x, /):
    """The only element, as a number of Python's."""
    return x.item()


def to_numpy(x, /, *, copy=True):
    """The elements as an array of NumPy's; without ``copy`` its memory is the array's where that can be, and is read-only."""
    import numpy

    return numpy.array(x) if copy else numpy.asarray(x)


def to_device(x, device, /, *, stream=None):
    """The array on a device of its backend: ``x.to_device(device)``."""
    return x.to_device(device, stream=stream)


def inplace_update(x, val, /, *, ensure_in_backend=False, keep_input_dtype=False):
    """Puts ``val``, broadcast to the shape of ``x``, in the place of its elements, and gives ``x``.

    The dtype becomes that of ``val``, or with ``keep_input_dtype`` stays; a number takes that of ``x``.
    ``ensure_in_backend`` is Ivy's, and changes nothing: an array of another backend is an error.
    """
    _ivyrs.inplace_update(x, val, keep_input_dtype)
    return x


def get_item(x, /, query, *, copy=None):
    """What is at an index: ``x[query]``. It is a value of its own; with ``copy=False``, which cannot be, it is an error."""
    if copy is False:
        raise ValueError("get_item(): copy=False, but an index gives a value of its own")
    return x[query]


def set_item(x, query, val, /, *, copy=False):
    """Writes at an index, ``x[query] = val``, and gives ``x``; with ``copy`` another array, and ``x`` stays."""
    target = copies.copy(x) if copy else x
    target[query] = val
    return target


def select(condlist, choicelist, default=0):
    """For each element, that of the first of ``choicelist`` whose condition is true there, and ``default`` where none is.

    All broadcast to one shape, and the choices and the default are promoted to one dtype.
    """
    return _ivyrs.select(list(condlist), list(choicelist), default)


def num_gpus():
    """How many NVIDIA GPUs the backends compute on."""
    return _ivyrs.counts()[0]


def gpu_is_available():
    """Whether a backend computes on an NVIDIA GPU."""
    return num_gpus() > 0


def num_cpu_cores(*, logical=True):
    """How many threads the processor runs at once, or how many cores it has."""
    return _ivyrs.counts()[1 if logical else 2]


def functions(backend):
    """The functions of a namespace on a backend; ``ivyrs`` itself asks the current one."""

    def shape(x, /, *, as_array=False):
        """The lengths of the axes as a tuple, or as an array of integers on the backend of ``x``."""
        return x.__array_namespace__().asarray(x.shape, dtype="int64") if as_array else x.shape

    def native(device, as_native):
        return as_native_dev(device) if as_native else device

    def dev(x, /, *, as_native=False):
        """The device that an array lies on; with ``as_native`` the backend's form of it."""
        return native(x.device, as_native)

    def default_device(device=None, /, *, item=None, as_native=False):
        """The device that is named, else that of the array ``item``, else the one that arrays are created on."""
        if isinstance(item, (list, tuple, dict)):
            # What holds no array of its own lies where arrays are created.
            item = None
        return native(_ivyrs.as_ivy_dev(item if device is None else device, backend), as_native)

    def as_ivy_dev(device, /):
        """The name of a device (``cpu``, ``cuda:0``; ``gpu`` is ``cuda``), of a backend's form of it, or of an array's."""
        if device is None:
            raise TypeError("as_ivy_dev(): a device is a string, not None")
        return _ivyrs.as_ivy_dev(device, backend)

    def as_native_dev(device, /):
        """The backend's form of a device: the name by which its instance there is found."""
        return _ivyrs.as_native_dev(device, backend)

    public = (
        is_array, to_list, to_scalar, to_numpy, to_device, inplace_update, get_item, set_item, select, _ivyrs.seed, num_gpus,
        gpu_is_available, num_cpu_cores, shape, dev, default_device, as_ivy_dev, as_native_dev,
    )  # fmt: skip
    return {f.__name__: f for f in public}
