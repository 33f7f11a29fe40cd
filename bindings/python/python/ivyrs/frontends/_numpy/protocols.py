"""NumPy's own functions on the frontend's arrays: ``numpy.sin(x)`` and ``numpy_array + x`` give arrays of the frontend."""

from ... import _ivyrs


def _found(module, path):
    for part in path:
        module = vars(module).get(part)
        if module is None:
            return None
    return module


def equip(module, array):
    """Puts NumPy's protocols into the array class of a frontend whose functions have NumPy's names."""
    functions = {path: function for path, _, function in _ivyrs.frontend_functions("numpy") if "." not in path}

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        function = functions.get(ufunc.__name__)
        targets = kwargs.get("out", ())
        if function is None or any(not isinstance(target, array) for target in targets if target is not None):
            return NotImplemented
        return function(*inputs, **kwargs) if method == "__call__" else getattr(function, method)(*inputs, **kwargs)

    def __array_function__(self, func, types, args, kwargs):
        # The module is that of the public name: `numpy`, `numpy.linalg`.
        owner = func.__module__.split(".")[1:]
        function = _found(module, [*owner, func.__name__])
        return NotImplemented if function is None else function(*args, **kwargs)

    def __round__(self, ndigits=None):
        if not self._is_number:
            raise TypeError("type numpy.ndarray doesn't define __round__ method")
        return round(self.item()) if ndigits is None else functions["round"](self, ndigits)

    array.__round__ = __round__
    array.__array_ufunc__, array.__array_function__ = __array_ufunc__, __array_function__
