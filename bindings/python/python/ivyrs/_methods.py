"""The functions of ``ivyrs`` as methods of its arrays: each whose first argument is an array."""

from . import _ivyrs


def _method(name, function):
    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Array.{name}", function.__doc__
    method.__signature__ = function.__signature__
    return method


def equip(array, contents):
    """Puts the functions into the class of arrays; gives their names."""
    methods = {
        name: _method(name, function)
        for name, function in contents.items()
        if isinstance(function, _ivyrs.Function) and function._takes_array and not hasattr(array, name)
    }
    for name, method in methods.items():
        setattr(array, name, method)
    return frozenset(methods)
