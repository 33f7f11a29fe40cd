"""Control flow of ``jax.lax`` over trees."""

import functools
import operator

from ... import _ivyrs
from .. import _trees as trees
from .functions import Array, Flat, array, flat

_NO_OPERAND = object()


def _numpy():
    from .. import jax

    return jax.numpy


def _operands(operands, operand):
    return operands if operand is _NO_OPERAND else (operand,)


def _same(name, first, second):
    """Results of two branches have one structure."""
    if first != second:
        raise TypeError(f"{name}: branches must give one structure, got {first} and {second}")


def cond(pred, true_fun, false_fun, *operands, operand=_NO_OPERAND):
    """What one of two functions gives."""
    operands = _operands(operands, operand)
    if not isinstance(pred, _ivyrs.Array):
        return (true_fun if pred else false_fun)(*operands)
    if pred.ndim != 0:
        raise TypeError(f"Pred must be a scalar, got {pred} of shape {tuple(pred.shape)}.")
    if pred.dtype.name != "bool":
        pred = pred != 0
    arrays, treedef = flat(operands)
    first, second = Flat(true_fun, treedef), Flat(false_fun, treedef)
    results = _ivyrs.if_else(pred, first, second, arrays)
    _same("cond", first.out, second.out)
    return first.result(results)


def switch(index, branches, *operands, operand=_NO_OPERAND):
    """What the branch of a number gives; numbers beyond the branches are the first or the last one."""
    operands = _operands(operands, operand)
    if not branches:
        raise ValueError("Empty branch sequence")
    if not isinstance(index, _ivyrs.Array):
        return branches[min(max(operator.index(index), 0), len(branches) - 1)](*operands)
    if index.ndim != 0 or not index.dtype.name.startswith(("int", "uint")):
        raise TypeError(f"Branch index must be an integer scalar, got {index.dtype} of shape {tuple(index.shape)}.")
    arrays, treedef = flat(operands)
    states = [Flat(branch, treedef) for branch in branches]
    results = _ivyrs.switch(_numpy().clip(array(index), 0, len(branches) - 1), states, arrays)
    for state in states[1:]:
        _same("switch", states[0].out, state.out)
    return states[0].result(results)


def _carried(name, before, fun):
    """The function of carried arrays, whose structure stays."""
    treedef = before

    def step(result):
        leaves, own = trees.flatten(result)
        if own != treedef:
            raise TypeError(f"{name}: the carried value must keep its structure {treedef}, got {own}")
        return [array(x) for x in leaves]

    return step


def while_loop(cond_fun, body_fun, init_val):
    """Repeats a function on a value while a condition holds."""
    leaves, treedef = trees.flatten(init_val)
    arrays = [array(x) for x in leaves]
    keep = _carried("while_loop", treedef, body_fun)

    def value(xs):
        return treedef.unflatten([array(x) for x in xs])

    results = _ivyrs.while_loop(
        lambda xs: [array(cond_fun(value(xs)))], lambda xs: keep(body_fun(value(xs))), arrays
    )
    return value(results)


def fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    """Calls a function with each number from ``lower`` to before ``upper`` and a value, which it gives back changed."""
    if isinstance(lower, _ivyrs.Array) or isinstance(upper, _ivyrs.Array):
        start = array(lower)
        last = array(upper).astype(start.dtype)

        def step(state):
            i, value = state
            return i + 1, body_fun(i, value)

        return while_loop(lambda state: state[0] < last, step, (start, init_val))[1]
    lower, upper = operator.index(lower), operator.index(upper)
    leaves, treedef = trees.flatten(init_val)
    keep = _carried("fori_loop", treedef, body_fun)
    numpy = _numpy()
    counter = numpy.asarray(0).dtype

    def step(number, xs):
        at = (array(number) + lower).astype(counter)
        return keep(body_fun(at, treedef.unflatten([array(x) for x in xs])))

    results = _ivyrs.for_loop(max(upper - lower, 0), step, [array(x) for x in leaves])
    return treedef.unflatten([array(x) for x in results])


def scan(f, init, xs=None, length=None, reverse=False, unroll=1, _split_transpose=False):
    """Calls a function with a carried value and each entry along the first axes, and stacks what it gives beside."""
    numpy = _numpy()
    leaves, treedef = trees.flatten(xs)
    leaves = [array(x) for x in leaves]
    lengths = {x.shape[0] if x.ndim else None for x in leaves} | (set() if length is None else {operator.index(length)})
    if None in lengths:
        raise ValueError("scan got value with no leading axis to scan over")
    if len(lengths) != 1:
        raise ValueError(f"scan got values with different leading axis sizes: {sorted(lengths)}" if lengths
                         else "scan got no values to scan over and `length` not provided.")
    (count,) = lengths
    carried, kind = trees.flatten(init)
    carry = kind.unflatten([array(x) for x in carried])
    rows, out = [], None
    order = range(count - 1, -1, -1) if reverse else range(count)
    for i in order:
        carry, row = _turn(f, kind, carry, treedef.unflatten([x[i] for x in leaves]))
        values, out = trees.flatten(row)
        rows.append([array(x) for x in values])
    if count == 0:
        _, row = _turn(f, kind, carry, treedef.unflatten([numpy.zeros(x.shape[1:], x.dtype) for x in leaves]))
        values, out = trees.flatten(row)
        return carry, out.unflatten([numpy.zeros((0, *array(x).shape), array(x).dtype) for x in values])
    if reverse:
        rows.reverse()
    return carry, out.unflatten([numpy.stack(list(column)) for column in zip(*rows)])


def _turn(f, kind, carry, x):
    """One call; the carried value keeps structure, dtypes and shapes."""
    given = f(carry, x)
    if not (isinstance(given, tuple) and len(given) == 2):
        raise TypeError("scan body output must be a pair")
    before, (leaves, own) = trees.leaves(carry), trees.flatten(given[0])
    if own != kind:
        raise TypeError(f"scan: the carried value must keep its structure {kind}, got {own}")
    after = [array(x) for x in leaves]
    for old, new in zip(before, after):
        if old.dtype != new.dtype or tuple(old.shape) != tuple(new.shape):
            raise TypeError(
                f"scan body function carry input and carry output must have equal types, but {old.dtype}{tuple(old.shape)}"
                f" became {new.dtype}{tuple(new.shape)}"
            )
    return own.unflatten(after), given[1]


def map(f, xs, *, batch_size=None):
    """Calls a function with each entry along the first axes, and stacks the results."""
    return scan(lambda _, x: ((), f(x)), (), xs)[1]


def associative_scan(fn, elems, reverse=False, axis=0):
    """The running results of an associative function along an axis."""
    leaves, treedef = trees.flatten(elems)
    leaves = [array(x) for x in leaves]
    if len(leaves) == 1:
        both = lambda a, b: [array(x) for x in trees.leaves(fn(*(treedef.unflatten([array(x)]) for x in (a, b))))]  # noqa: E731
        (result,) = _ivyrs.associative_scan(leaves[0], lambda pair: both(*pair), reverse, axis)
        return treedef.unflatten([array(result)])
    numpy = _numpy()
    moved = [numpy.flip(x, axis) if reverse else x for x in leaves]
    count = moved[0].shape[axis]
    reach = 1
    while reach < count:
        part = lambda x, a, b: numpy.take(x, numpy.arange(a, b), axis=axis)  # noqa: E731
        early = treedef.unflatten([part(x, 0, count - reach) for x in moved])
        late = treedef.unflatten([part(x, reach, count) for x in moved])
        joined = [array(x) for x in trees.leaves(fn(early, late))]
        moved = [numpy.concatenate([part(x, 0, reach), y], axis=axis) for x, y in zip(moved, joined)]
        reach *= 2
    return treedef.unflatten([numpy.flip(x, axis) if reverse else x for x in moved])


def reduce(operands, init_values, computation, dimensions, out_sharding=None):
    """All elements along axes, combined by an associative function from a first value on."""
    leaves, treedef = trees.flatten(operands)
    starts = [array(x) for x in trees.leaves(init_values)]
    arrays = [array(x) for x in leaves]
    numpy = _numpy()
    single = treedef.num_leaves == 1

    def join(first, second):
        given = [treedef.unflatten(x) for x in (first, second)]
        return [array(x) for x in trees.leaves(computation(*given))]

    axes = sorted((d % arrays[0].ndim for d in dimensions), reverse=True)
    for axis in axes:
        while arrays[0].shape[axis] > 1:
            count = arrays[0].shape[axis]
            half = count // 2
            part = lambda x, a, b: numpy.take(x, numpy.arange(a, b), axis=axis)  # noqa: B023, E731
            joined = join([part(x, 0, half) for x in arrays], [part(x, half, 2 * half) for x in arrays])
            rest = [part(x, 2 * half, count) for x in arrays]
            arrays = [numpy.concatenate([x, y], axis=axis) for x, y in zip(joined, rest)]
        if arrays[0].shape[axis] == 0:
            shapes = [tuple(d for i, d in enumerate(x.shape) if i != axis) for x in arrays]
            arrays = [numpy.broadcast_to(s, shape) for s, shape in zip(starts, shapes)]
        else:
            arrays = [numpy.squeeze(x, axis) for x in arrays]
    result = join([numpy.broadcast_to(s, x.shape) for s, x in zip(starts, arrays)], arrays)
    return result[0] if single and not isinstance(operands, (tuple, list, dict)) else treedef.unflatten(result)


ALL = dict(
    cond=cond, switch=switch, while_loop=while_loop, fori_loop=fori_loop, scan=scan, map=map,
    associative_scan=associative_scan, reduce=reduce,
)
