"""What transformations share: Python's functions of trees as functions of lists of arrays."""

import numbers

from ... import _ivyrs
from . import trees

Array = _ivyrs.JaxArray


def array(value):
    """A leaf as an array of JAX's: arrays of the engine share their elements."""
    if isinstance(value, Array):
        return value
    if isinstance(value, _ivyrs.Array):
        return Array._of(value)
    from .. import jax

    return jax.numpy.asarray(value)


def is_arraylike(value):
    return isinstance(value, (_ivyrs.Array, numbers.Number)) or hasattr(value, "__array__")


class Flat:
    """A function of trees as one of a list of arrays that gives a list of arrays, and notes the structure of its result."""

    def __init__(self, fun, treedef):
        self.fun, self.treedef = fun, treedef
        self.out = None

    def __call__(self, arrays):
        result = self.fun(*self.treedef.unflatten([array(x) for x in arrays]))
        leaves, self.out = trees.flatten(result)
        return [array(x) for x in leaves]

    def result(self, arrays):
        """The tree of the last result with other arrays."""
        return self.out.unflatten([array(x) for x in arrays])


def flat(args):
    """The leaves of arguments as arrays, and their structure."""
    leaves, treedef = trees.flatten(tuple(args))
    for leaf in leaves:
        if not is_arraylike(leaf):
            raise TypeError(f"{leaf!r} of type {type(leaf)} is not a valid JAX type.")
    return [array(leaf) for leaf in leaves], treedef


def chosen(args, argnums):
    """The positions that are differentiated, counted from the front, and whether there is only one."""
    single = isinstance(argnums, int)
    places = (argnums,) if single else tuple(argnums)
    count = len(args)
    if any(not -count <= place < count for place in places):
        raise ValueError(f"argnums {argnums} is beyond the {count} positional arguments")
    return tuple(place % count for place in places), single


def holding(fun, args, keywords, places):
    """The function of some arguments, with the others as they are."""

    def of(*given):
        whole = list(args)
        for place, value in zip(places, given):
            whole[place] = value
        return fun(*whole, **keywords)

    return of
