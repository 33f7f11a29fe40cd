"""Functions that are recorded once for each kind of arguments, and replayed after that."""

import functools
import inspect
import threading

from ._ivyrs import Array, Dtype, Recorded

# Kinds that one function is recorded for; for others it is called.
_MOST = 32


class _Place:
    """Stands where an array is, in the form of arguments or results."""

    __slots__ = ()

    def __repr__(self):
        return "array"


_ARRAY = _Place()


def _form(value, arrays):
    """What a value is besides its arrays, which go to the list; equal for values of one kind."""
    if isinstance(value, Array):
        arrays.append(value)
        return _ARRAY
    kind = type(value)
    if kind in (tuple, list):
        return kind, tuple(_form(entry, arrays) for entry in value)
    if kind is dict:
        return dict, tuple((key, _form(entry, arrays)) for key, entry in value.items())
    if isinstance(value, (float, complex)):
        # As text: 0.0 equals -0.0, and nan not itself.
        plain = float if isinstance(value, float) else complex
        return plain, repr(plain(value))
    if value is None or value is ... or isinstance(value, (bool, int, str, bytes, type, Dtype)):
        return kind, value
    raise TypeError(f"compile(): arrays, numbers, strings, dtypes, tuples, lists and dicts of them, not {kind.__name__}")


def _value(form, arrays):
    """The value of a form, with arrays from an iterator in the places of its own."""
    if form is _ARRAY:
        return next(arrays)
    kind, content = form
    if kind in (tuple, list):
        return kind(_value(entry, arrays) for entry in content)
    if kind is dict:
        return {key: _value(entry, arrays) for key, entry in content}
    return kind(content) if kind in (float, complex) else content


class _Kind:
    """One kind of arguments: the recording, and the form of what comes out."""

    def __init__(self, function, form):
        self.results = None
        self.own = threading.local()

        def called(arrays):
            args, kwargs = _value(form, iter(arrays))
            given = []
            self.own.results = self.results = _form(function(*args, **kwargs), given)
            return given

        self.recorded = Recorded(called)

    def __call__(self, arrays):
        # A function that is called each time may give another form each time.
        self.own.results = None
        results = iter(self.recorded(arrays))
        return _value(self.own.results or self.results, results)


class Compiled:
    """What ``compile`` gives."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self._function = function
        self._kinds = {}

    def __call__(self, *args, **kwargs):
        arrays = []
        form = _form((args, kwargs), arrays)
        if not arrays:
            return self._function(*args, **kwargs)
        key = form, tuple((x.backend, x.dtype, x.shape) for x in arrays)
        kind = self._kinds.get(key)
        if kind is None:
            if len(self._kinds) >= _MOST:
                return self._function(*args, **kwargs)
            kind = self._kinds.setdefault(key, _Kind(self._function, form))
        return kind(arrays)

    def __get__(self, instance, owner=None):
        # A method: the object is the first argument, which no recording can depend on.
        return self if instance is None else functools.partial(self._function, instance)

    @property
    def recordings(self):
        """How many kinds of arguments it has been recorded for."""
        return sum(kind.recorded.recordings for kind in list(self._kinds.values()))

    def __repr__(self):
        return f"<compiled {getattr(self._function, '__qualname__', self._function)!s}>"


def compile(f, /):
    """A function that is called once for each kind of arguments and replayed after that, on a backend that records.

    ``jit`` is one: later calls launch the same kernels on the new arrays, and neither run the function nor plan or
    trace anything. On every other backend, and where the function reads elements (``float(x)``, ``x.tolist()``,
    ``nonzero``) or runs a kernel of the host, it is called each time, with the same results.

    Arguments are arrays, also in tuples, lists and dicts, by position or by name. All else (numbers, strings, dtypes)
    is part of the kind, as the arrays' dtypes, shapes and backend are: for another number the function is called, and
    recorded, again. Of more than 32 kinds it is called for the others. What it returns is an array, or a tuple, list
    or dict of such. It must depend on its arguments alone: what it reads elsewhere is read once.
    """
    if not callable(f):
        raise TypeError(f"compile() needs a function, not {type(f).__name__}")
    if inspect.iscoroutinefunction(f) or inspect.isgeneratorfunction(f):
        raise TypeError("compile(): a plain function, and no coroutine or generator")
    return Compiled(f)
