"""Functions that call a function of the user for parts of arrays: ``apply_along_axis``, ``vectorize`` and their like."""

import inspect
import itertools
import math
import numbers
import re

_DIMENSION = r"\w+"
_ARGUMENT = rf"\((?:{_DIMENSION}(?:,{_DIMENSION})*)?\)"
_SIGNATURE = re.compile(rf"^{_ARGUMENT}(?:,{_ARGUMENT})*->{_ARGUMENT}(?:,{_ARGUMENT})*$")


def _parsed(signature):
    """The dimensions' names of each input and each output: ``(n),(m)->(n,m)``."""
    text = re.sub(r"\s+", "", signature)
    if not _SIGNATURE.match(text):
        raise ValueError(f"Not a valid gufunc signature: {signature}")
    return [
        [tuple(re.findall(_DIMENSION, argument)) for argument in re.findall(_ARGUMENT, side)]
        for side in text.split("->")
    ]


def _callable(function, argument, given):
    if not callable(given):
        raise TypeError(f"{function}: {argument} = {given!r}: a function is needed")


def _only_none(function, like):
    if like is not None:
        raise TypeError(f"{function}: like: only the default, None, is there")


def functions(numpy):
    """What the module of the frontend gets."""

    def apply_along_axis(func1d, axis, arr, *args, **kwargs):
        """Calls a function for each part along an axis; its results stand in the place of that axis."""
        _callable("apply_along_axis", "func1d", func1d)
        arr = numpy.asarray(arr)
        if not -arr.ndim <= axis < arr.ndim:
            raise numpy.exceptions.AxisError(
                f"axis {axis} is out of bounds for array of dimension {arr.ndim}", "axis", {"axis": axis, "ndim": arr.ndim}
            )
        axis %= arr.ndim
        moved = numpy.moveaxis(arr, axis, -1)
        outer = moved.shape[:-1]
        if 0 in outer:
            raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
        parts = moved.reshape(math.prod(outer), arr.shape[axis])
        results = [numpy.asarray(func1d(part, *args, **kwargs)) for part in parts]
        inner = results[0].ndim
        joined = numpy.stack([r.astype(results[0].dtype) for r in results]).reshape(outer + results[0].shape)
        return numpy.moveaxis(joined, range(len(outer), len(outer) + inner), range(axis, axis + inner))

    def apply_over_axes(func, a, axes):
        """Calls a reduction for one axis after the other, each of which stays as one of length 1."""
        _callable("apply_over_axes", "func", func)
        value = numpy.asarray(a)
        count = value.ndim
        for axis in numpy.atleast_1d(axes).tolist():
            result = numpy.asarray(func(value, axis + count if axis < 0 else axis))
            if result.ndim != count:
                result = numpy.expand_dims(result, axis)
                if result.ndim != count:
                    raise ValueError("function is not returning an array of the correct shape")
            value = result
        return value

    def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
        """The result of a function for the positions of an array: one array of positions for each axis."""
        _only_none("fromfunction", like)
        _callable("fromfunction", "function", function)
        return function(*numpy.indices(shape, dtype=dtype), **kwargs)

    class vectorize:
        """A function of numbers as one of arrays, which are broadcast. It is called once for each element, with ``cache`` or without.

        With a ``signature`` it is one of parts of arrays: ``(n),(n)->()``.
        """

        def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
            self._pyfunc, self._cache, self.signature = pyfunc, cache, signature
            self._excluded = set(excluded or ())
            self._core = _parsed(signature) if signature is not None else None
            if isinstance(otypes, str):
                otypes = [_LETTERS.get(letter, letter) for letter in otypes]
            self.otypes = otypes
            if not isinstance(otypes, (list, tuple, type(None))):
                raise ValueError("Invalid otype specification")
            if pyfunc is not None:
                _callable("vectorize", "pyfunc", pyfunc)
                self._name(pyfunc, doc)
            self._doc = doc

        def _name(self, pyfunc, doc):
            self.pyfunc = pyfunc
            self.__name__ = getattr(pyfunc, "__name__", type(pyfunc).__name__)
            self.__doc__ = pyfunc.__doc__ if doc is None else doc

        def __call__(self, *args, **kwargs):
            if self._pyfunc is None:
                # As a decorator with options.
                (pyfunc,) = args
                return type(self)(pyfunc, self.otypes, self._doc, self._excluded, self._cache, self.signature)
            given = {i: value for i, value in enumerate(args) if i not in self._excluded}
            given.update({name: value for name, value in kwargs.items() if name not in self._excluded})

            def call(*values):
                all_args, all_kwargs = list(args), dict(kwargs)
                for name, value in zip(given, values):
                    (all_args if isinstance(name, int) else all_kwargs)[name] = value
                return self._pyfunc(*all_args, **all_kwargs)

            if not given:
                return call()
            if self._core is not None:
                return self._of_parts(call, list(given.values()))
            arrays = numpy.broadcast_arrays(*given.values())
            shape = arrays[0].shape
            if 0 in shape and self.otypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            # The first call has numbers with their dtypes, so that its result says which dtype the others have.
            flat = [array.ravel() for array in arrays]
            rows = [call(*(array[0] for array in flat))] if flat[0].size else []
            dtype = [numpy.asarray(value).dtype for value in (rows[0] if isinstance(rows[0], tuple) else rows)] if rows else []
            rows += [call(*values) for values in zip(*(array[1:].tolist() for array in flat))]
            several = bool(rows) and isinstance(rows[0], tuple) or not rows and len(self.otypes or ()) > 1
            count = len(rows[0]) if rows and several else len(self.otypes or (0,))
            columns = (list(zip(*rows)) or [()] * count) if several else [rows]
            dtypes = self.otypes or dtype
            results = [numpy.array(list(column), dtype=dtypes[i]).reshape(shape) for i, column in enumerate(columns)]
            return tuple(results) if several else results[0]

        def _of_parts(self, call, values):
            inputs, outputs = self._core
            if len(values) != len(inputs):
                raise TypeError(f"wrong number of positional arguments: expected {len(inputs)}, got {len(values)}")
            arrays, sizes, outer = [numpy.asarray(value) for value in values], {}, []
            for array, names in zip(arrays, inputs):
                if array.ndim < len(names):
                    raise ValueError(f"{array.ndim}-dimensional argument does not have enough dimensions for all core dimensions {names!r}")
                split = array.ndim - len(names)
                for name, length in zip(names, array.shape[split:]):
                    if sizes.setdefault(name, length) != length:
                        raise ValueError(f"inconsistent size for core dimension {name!r}: {length} vs {sizes[name]}")
                outer.append(array.shape[:split])
            loop = numpy.broadcast_shapes(*outer)
            parts = []
            for array, names in zip(arrays, inputs):
                inner = array.shape[array.ndim - len(names) :]
                parts.append(numpy.broadcast_to(array, loop + inner).reshape((math.prod(loop),) + inner))
            rows = [call(*row) for row in zip(*parts)]
            if not rows and self.otypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            if not rows and any(name not in sizes for names in outputs for name in names):
                raise ValueError("cannot call `vectorize` with a signature including new output dimensions on size 0 inputs")
            rows = [row if isinstance(row, tuple) else (row,) for row in rows]
            if rows and len(rows[0]) != len(outputs):
                raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outputs)}, got {len(rows[0])}")
            results = []
            for i, names in enumerate(outputs):
                column = [numpy.asarray(row[i]) for row in rows]
                for part in column:
                    if part.ndim < len(names):
                        raise ValueError(f"{part.ndim}-dimensional argument does not have enough dimensions for all core dimensions {names!r}")
                    for name, length in zip(names, part.shape[part.ndim - len(names) :]):
                        if sizes.setdefault(name, length) != length:
                            raise ValueError(f"inconsistent size for core dimension {name!r}: {length} vs {sizes[name]}")
                inner = column[0].shape if column else tuple(sizes[name] for name in names)
                dtype = self.otypes[i] if self.otypes else column[0].dtype
                joined = numpy.stack([part.astype(dtype) for part in column]) if column else numpy.zeros((0,) + inner, dtype=dtype)
                results.append(joined.reshape(loop + inner))
            return results[0] if len(results) == 1 else tuple(results)

    vectorize.__module__ = numpy.__name__
    vectorize.__signature__ = inspect.signature(vectorize.__init__).replace(
        parameters=list(inspect.signature(vectorize.__init__).parameters.values())[1:]
    )
    def piecewise(x, condlist, funclist, *args, **kw):
        """For each element what the function, or number, of the last condition gives that holds for it; of one function more, the last
        one where none holds, and else 0."""
        x = numpy.asarray(x)
        if not isinstance(funclist, (list, tuple)):
            raise TypeError(f"piecewise: funclist = {funclist!r}: a list of functions and numbers is needed")
        # One condition may stand by itself, unless there is no more than one element.
        first = condlist[0] if isinstance(condlist, (list, tuple)) and condlist else condlist
        if isscalar(condlist) or isinstance(condlist, numpy.ndarray) and condlist.ndim <= x.ndim:
            condlist = [condlist]
        elif not isinstance(first, (list, tuple)) and not getattr(first, "ndim", 0) and x.ndim:
            condlist = [condlist]
        conditions = [numpy.broadcast_to(numpy.asarray(condition, dtype=bool), x.shape) for condition in condlist]
        n, m = len(conditions), len(funclist)
        if m == n + 1:
            none = numpy.ones(x.shape, dtype=bool)
            for condition in conditions:
                none = none & ~condition
            conditions.append(none)
        elif m != n:
            raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
        y = numpy.zeros_like(x)
        for condition, function in zip(conditions, funclist):
            if not callable(function):
                y[condition] = function
            elif numpy.any(condition):
                y[condition] = function(x[condition], *args, **kw)
        return y

    rows = {"fromiter": numpy.fromiter}

    def fromiter(iter, dtype, count=-1, *, like=None):
        """An array of one axis of what an iterator gives: all of it, or so many entries."""
        entries = list(iter if count < 0 else itertools.islice(iter, count))
        if 0 <= len(entries) < count:
            raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(entries)} items.")
        return rows["fromiter"](entries, dtype, like=like)

    def mask_indices(n, mask_func, k=0):
        """The positions of a square array at which a function of it, such as ``triu``, is not 0."""
        _callable("mask_indices", "mask_func", mask_func)
        return numpy.nonzero(mask_func(numpy.ones((n, n), dtype=int), k) != 0)

    def isscalar(element):
        """Whether something is a number or a text, of Python or of the frontend."""
        return isinstance(element, (numbers.Number, str, bytes)) or bool(getattr(element, "_is_number", False))

    made = (apply_along_axis, apply_over_axes, fromfunction, fromiter, isscalar, mask_indices, piecewise, vectorize)
    return {function.__name__: function for function in made}


# NumPy's letters of dtypes.
_LETTERS = {
    "?": "bool", "b": "int8", "h": "int16", "i": "int32", "l": "int64", "q": "int64", "B": "uint8", "H": "uint16", "I": "uint32",
    "L": "uint64", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64", "F": "complex64", "D": "complex128",
}  # fmt: skip
