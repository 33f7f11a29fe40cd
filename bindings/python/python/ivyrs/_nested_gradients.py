"""Ivy's values and gradients of functions of nests."""

from . import _errors, _ivyrs
from ._gradients import _check_function, _maker
from ._trees import ARRAY, flatten, unflatten

NAME = "execute_with_gradients"
FIRST = ((0,),)


def _places(form, path=()):
    """The path of each array of a form, in order."""
    if form is ARRAY:
        yield path
        return
    kind, content = form
    entries = () if kind is None else content.items() if kind is dict else enumerate(content)
    for key, entry in entries:
        yield from _places(entry, (*path, key))


def _chosen(form, indices, argument):
    """The numbers of the arrays at indices, ascending; an index of what is no array stands for all in it."""
    places = list(_places(form))
    if indices is not None:
        indices = tuple(tuple(index) if isinstance(index, (list, tuple)) else (index,) for index in indices)
    is_list = form is not ARRAY and isinstance(form[1], list)
    if indices is None or (indices == FIRST and not is_list):
        return list(range(len(places)))
    found = set()
    for index in indices:
        below = [i for i, place in enumerate(places) if place[: len(index)] == index]
        if not below:
            text = f"{NAME}: {argument} = {index!r}: an array stands there, or what holds some"
            raise _errors.make("InvalidArgument", text, {"function": NAME, "argument": argument, "value": repr(index)})
        found.update(below)
    return sorted(found)


def _pruned(form, keep):
    """The form without the arrays that are not kept, and all that is then empty; None where nothing is left."""
    if form is ARRAY:
        return ARRAY if next(keep) else None
    kind, content = form
    if kind is None:
        return None
    if kind is dict:
        entries = {key: _pruned(entry, keep) for key, entry in content.items()}
        left = {key: entry for key, entry in entries.items() if entry is not None}
    else:
        left = [entry for entry in (_pruned(entry, keep) for entry in content) if entry is not None]
    # A named tuple that lacks entries is none.
    same = len(left) == len(content) or kind in (list, dict)
    return (kind if same else tuple, left) if left else None


def _variable(x):
    """What can be differentiated by: integers as the default float dtype."""
    xp = x.__array_namespace__()
    return xp.astype(x, _ivyrs.default_of("float", None, None)) if xp.isdtype(x.dtype, "integral") else x


def _check_number(y):
    if y.size != 1:
        text = f"{NAME}: func: a result of one element is needed, this one has shape {y.shape}"
        raise _errors.make("ShapeMismatch", text, {"function": NAME, "argument": "func", "actual": str(y.shape)})
    if not y.__array_namespace__().isdtype(y.dtype, "real floating"):
        text = f"{NAME}: func: a float result is needed, not {y.dtype}"
        raise _errors.make("WrongDtypeKind", text, {"function": NAME, "dtype": str(y.dtype), "expected": "float"})


def functions(asarray):
    """The function of a namespace, whose ``asarray`` makes arrays of numbers where the argument has no array."""

    def execute_with_gradients(func, xs, /, *, retain_grads=False, xs_grad_idxs=FIRST, ret_grad_idxs=FIRST):
        """What ``func(xs)`` gives, and the gradients of one or several of the numbers that it gives.

        ``xs_grad_idxs`` and ``ret_grad_idxs`` are the places of arrays in ``xs`` and in what the function gives, as paths of
        keys; a path to what is no array stands for all arrays in it, and ``None`` for all there are. By default they are the
        first entry of a list or tuple, and all of a dict or an array. The gradients of one array have the form of ``xs``,
        without what is not chosen; those of several are in a dict, by their paths joined by ``_``. Integers in ``xs`` that are
        chosen become floats. Without ``retain_grads`` nothing that is given can be differentiated further.
        """
        _check_function(NAME, func)
        number = _maker(asarray, xs)
        arrays, results, made = [], [], []
        form = flatten(xs, arrays, number)
        by = _chosen(form, xs_grad_idxs, "xs_grad_idxs")

        def called(variables):
            changed = list(arrays)
            for i, variable in zip(by, variables):
                changed[i] = variable
            given = []
            made[:] = [flatten(func(unflatten(form, iter(changed))), given, number)]
            return given

        results, back = _ivyrs.vjp(called, [_variable(arrays[i]) for i in by])
        left = _pruned(form, iter([i in by for i in range(len(arrays))]))

        def constants(arrays):
            return arrays if retain_grads else map(_ivyrs.stop_gradient, arrays)

        def gradient(k):
            _check_number(results[k])
            xp = results[k].__array_namespace__()
            weights = [xp.ones_like(y) if i == k else xp.zeros_like(y) for i, y in enumerate(results)]
            found = constants(back(weights))
            return None if left is None else unflatten(left, iter(found))

        of = _chosen(made[0], ret_grad_idxs, "ret_grad_idxs")
        names = ["_".join(map(str, place)) for place in _places(made[0])]
        gradients = gradient(of[0]) if len(of) == 1 else {names[k]: gradient(k) for k in of}
        return unflatten(made[0], iter(constants(results))), gradients

    return {NAME: execute_with_gradients}
