"""Functions of trees as functions of lists of arrays, which the core's transformations take."""

from .. import _ivyrs
from . import _trees as trees


class Flat:
    """A function of trees as one of a list of arrays that gives a list of arrays, and notes the structure of its result.

    ``array`` makes a framework's array of a leaf.
    """

    flatten = staticmethod(trees.flatten)

    def __init__(self, fun, treedef, array):
        self.fun, self.treedef, self.array = fun, treedef, array
        self.out = None

    def __call__(self, arrays):
        result = self.fun(*self.treedef.unflatten([self.array(x) for x in arrays]))
        leaves, self.out = self.flatten(result)
        return [self.array(x) for x in leaves]

    def result(self, arrays):
        """The tree of the last result with other arrays."""
        return self.out.unflatten([self.array(x) for x in arrays])


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


def derivatives(mode, fun, treedef, arrays, array, flatten=trees.flatten):
    """The result of a function that gives a pair, what comes beside it, and the derivatives of the result by each array: a tree of the
    arguments in place of each leaf of the result."""
    value, aux = fun(*treedef.unflatten(arrays))
    out = flatten(value)[1]

    def part(argument, result):
        def one(xs):
            whole = list(arrays)
            whole[argument] = xs[0]
            return [array(flatten(fun(*treedef.unflatten([array(x) for x in whole]))[0])[0][result])]

        return array(_ivyrs.jacobian(one, arrays[argument], mode))

    rows = [treedef.unflatten([part(argument, result) for argument in range(len(arrays))]) for result in range(out.num_leaves)]
    return value, aux, out, rows


def spread(axes, tree, what, ordered=False):
    """An axis for each leaf: axes are a prefix of the tree."""
    found = []

    def visit(axes, tree):
        if axes is None or isinstance(axes, int):
            found.extend([axes] * len((trees.flatten_ordered if ordered else trees.flatten)(tree)[0]))
            return
        given, own = trees.children(list(axes) if type(tree) is list else axes), trees.children(tree, ordered)
        if given is None or own is None or given[2] is not own[2] or len(given[0]) != len(own[0]):
            raise ValueError(f"vmap {what} specification must be a tree prefix of the corresponding value: got {axes!r} for {tree!r}")
        parts = given[0]
        if isinstance(tree, dict):
            if set(axes) != set(tree):
                raise ValueError(f"vmap {what} specification must be a tree prefix of the corresponding value: got the keys {list(axes)} for {list(tree)}")
            parts = [axes[key] for key in own[1][0]]
        for axis, part in zip(parts, own[0]):
            visit(axis, part)

    visit(tuple(axes) if isinstance(axes, list) else axes, tree)
    return found
