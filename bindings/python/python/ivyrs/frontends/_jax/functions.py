"""What transformations share: Python's functions of trees as functions of lists of arrays."""

import numbers

from ... import _ivyrs
from .. import _flat
from .. import _trees as trees
from .._flat import chosen, holding

Array = _ivyrs.JaxArray
__all__ = ["Array", "Flat", "array", "chosen", "flat", "holding", "is_arraylike"]


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


def Flat(fun, treedef):
    """A function of trees as one of a list of arrays."""
    return _flat.Flat(fun, treedef, array)


def flat(args):
    """The leaves of arguments as arrays, and their structure."""
    leaves, treedef = trees.flatten(tuple(args))
    for leaf in leaves:
        if not is_arraylike(leaf):
            raise TypeError(f"{leaf!r} of type {type(leaf)} is not a valid JAX type.")
    return [array(leaf) for leaf in leaves], treedef
