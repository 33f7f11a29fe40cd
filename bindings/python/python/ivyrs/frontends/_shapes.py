"""Shapes as the frameworks have them."""

import functools
import math


class Size(tuple):
    """The lengths of a tensor's axes, as PyTorch has them."""

    __slots__ = ()
    __module__ = "ivyrs.frontends.torch"

    def numel(self):
        """How many elements a tensor of this shape has."""
        return math.prod(self)

    def __getitem__(self, key):
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other):
        return Size(tuple(self) + tuple(other))

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"


def sizes(function):
    """A function with a Size in place of a tuple."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        found = function(*args, **kwargs)
        return Size(found) if type(found) is tuple else found

    return wrapped


class TensorShape(tuple):
    """The lengths of a tensor's axes, as TensorFlow has them."""

    __slots__ = ()
    __module__ = "ivyrs.frontends.tensorflow"

    @property
    def rank(self):
        """How many axes there are."""
        return len(self)

    def as_list(self):
        """The lengths as a list."""
        return list(self)

    def num_elements(self):
        """How many elements a tensor of this shape has."""
        return math.prod(self)

    def __getitem__(self, key):
        found = tuple.__getitem__(self, key)
        return TensorShape(found) if isinstance(key, slice) else found

    def __repr__(self):
        return f"TensorShape([{', '.join(map(str, self))}])"

    def __str__(self):
        return tuple.__repr__(self)


CLASSES = {"torch": Size, "tensorflow": TensorShape}
