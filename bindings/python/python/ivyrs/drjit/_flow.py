"""Control flow of each thread: loops, conditionals, choices of functions."""

from . import _native
from ._array import ArrayBase
from ._classes import type_of
from ._create import copy
from ._errors import DrjitError
from ._traits import is_array_v, is_mask_v
from ._trees import flatten, leaves, like, map_tree, rebuild

__all__ = ["if_stmt", "switch", "while_loop"]

_MODES = (None, "scalar", "symbolic", "evaluated")


def parts(x) -> list:
    """The flat arrays of an array."""
    ty = type_of(x)
    if ty.entry is None:
        return [x]
    if not ty.is_jit:
        return [x]
    return [own for part in x for own in parts(part)]


def _checked(mode, function: str) -> str:
    if mode not in _MODES:
        raise ValueError(f"{function}(): the mode is {mode!r}: 'scalar', 'symbolic' or 'evaluated' is needed")
    return mode or "auto"


class _OwnCondition(Exception):
    """A loop's condition is a truth value of Python's."""


def _condition(value, function: str):
    """Whether a condition is Python's own; an array must be a mask."""
    if isinstance(value, (bool, int)) and not is_array_v(value):
        return True
    if not is_array_v(value) or not is_mask_v(value) or type_of(value).kind not in ("flat",):
        raise TypeError(f"{function}(): the condition is {type(value).__name__}: a flat mask, or a truth value of Python's is needed")
    return False


def _paths(values, labels) -> list[str]:
    names = []
    for i, value in enumerate(values):
        name = labels[i] if i < len(labels) else f"state[{i}]"
        names += flatten(value, name)[1]
    return names


def while_loop(state, cond, body, labels=(), label=None, mode=None, strict: bool = True, compress=None, max_iterations=None):
    """Repeats a function on a state while a condition is true, for each thread by itself.

    ``state`` is a tuple of values that hold arrays; ``cond(*state)`` gives a mask, ``body(*state)`` the next state. Recorded loops
    (``"symbolic"``) run the functions once and become one kernel; ``"evaluated"`` goes step by step; a condition of Python's own is
    a loop of Python's. Captured arrays that the functions write to are part of the state. What the condition changes, as a draw of a
    generator does, holds for the step that follows: a thread that ends keeps what it had before.

    >>> while_loop((Int(8, 3),), lambda x: x > 4, lambda x: (x - 1,))
    ([4, 3],)
    """
    chosen = _checked(mode, "while_loop")
    if not isinstance(state, tuple):
        raise TypeError(f"while_loop(): the state is {type(state).__name__}: a tuple is needed")
    if not callable(cond) or not callable(body):
        raise TypeError("while_loop(): the condition and the body have to be functions")
    if labels and len(labels) != len(state):
        raise RuntimeError(f"while_loop(): {len(labels)} labels for {len(state)} variables")

    variables = [labels[i] if i < len(labels) else f"state[{i}]" for i in range(len(state))]
    is_flat = type(state) is tuple and all(isinstance(x, ArrayBase) for x in state)
    arrays, names = (list(state), variables) if is_flat else (flatten(state)[0], _paths(state, labels))
    _assigned(arrays, names, "while_loop")
    if chosen == "scalar":
        return _scalar_loop(state, cond, body)

    def whole(given):
        return tuple(given) if is_flat else rebuild(state, given)

    # Whether the condition changes what is no array of its own, as a draw of a generator does.
    changes = None

    def tested(given):
        nonlocal changes
        own = whole(given)
        before = None if is_flat or changes is not None else copy(given)
        value = cond(*own)
        if changes is None:
            if _condition(value, "while_loop"):
                raise _OwnCondition
            changes = before is not None and not all(map(_native.is_same, before, leaves(own)))
        return value

    # Whether the body gives the very object that it was called with: then the state's own object is the result.
    kept = [True] * len(arrays)

    def stepped(given, again):
        own = whole(given)
        if again or changes:
            cond(*own)
        made = _next(state, body(*own), variables, strict)
        _assigned(made, names, "while_loop")
        for i, (x, old) in enumerate(zip(made, given, strict=True)):
            kept[i] = kept[i] and x is old
        return made

    try:
        done = _native.while_loop(arrays, names, tested, stepped, chosen)
    except _OwnCondition:
        return _scalar_loop(state, cond, body)
    return whole([_keep(x, new) if same else new for x, new, same in zip(arrays, done, kept, strict=True)])


def _keep(x, new):
    """An object that holds what was made of it."""
    if not _native.is_same(x, new):
        x._assign(new)
    return x


def _assigned(arrays, names, function: str) -> None:
    """Refuses arrays without elements beside others: variables that were never assigned to."""
    place = _native.unassigned(arrays)
    if place is not None:
        raise DrjitError(f"{function}(): state variable '{names[place]}' of type {type(arrays[place]).__name__} is uninitialized")


def _next(state, new, variables, strict: bool) -> list:
    """The arrays of a body's result, in the form of the state."""
    if not isinstance(new, tuple):
        raise TypeError(f"while_loop(): the body gives {type(new).__name__}: a tuple is needed")
    if len(new) != len(state):
        raise RuntimeError(f"while_loop(): the body gives {len(new)} values for a state of {len(state)}")
    made = []
    for name, old, own in zip(variables, state, new, strict=True):
        made += like(old, own, name, "while_loop", strict)
    return made


def _scalar_loop(state, cond, body):
    while _truth(cond(*state)):
        new = body(*state)
        if not isinstance(new, tuple) or len(new) != len(state):
            raise TypeError(f"while_loop(): the body must give a tuple of {len(state)} values")
        state = new
    return state


def _truth(value) -> bool:
    _condition(value, "while_loop")
    return bool(value)


def if_stmt(args, cond, true_fn, false_fn, arg_labels=(), rv_labels=(), label=None, mode=None, strict: bool = True):
    """What one of two functions gives, for each thread by its condition.

    Both are called with ``args``, each with its threads as the mask of gathers and scatters, unless the condition is Python's own.

    >>> if_stmt((Int(1, -1),), Bool(True, False), lambda x: x, lambda x: -x)
    [1, 1]
    """
    chosen = _checked(mode, "if_stmt")
    if not isinstance(args, tuple):
        raise TypeError(f"if_stmt(): the arguments are {type(args).__name__}: a tuple is needed")
    if _condition(cond, "if_stmt"):
        return true_fn(*args) if cond else false_fn(*args)
    if chosen == "scalar":
        return true_fn(*args) if bool(cond) else false_fn(*args)
    arrays, _ = flatten(args)
    names = _paths(args, arg_labels)
    _assigned(arrays, names, "if_stmt")
    # Arrays of another size than the condition are those that the functions scatter to: the objects themselves.
    targets = [x for x in arrays if _native.width([cond, x]) is None]
    branch, finish = _branches(args, {}, "if_stmt", rv_labels, targets)
    done = _native.if_stmt([x for x in arrays if not _is_one(x, targets)], names, cond, branch(true_fn), branch(false_fn), chosen)
    return finish(done, arrays)


def _is_one(x, objects) -> bool:
    return any(x is own for own in objects)


def _branches(args, kwargs, function: str, labels=(), targets=()):
    """How functions of the arguments become functions of lists, and how lists become what they give. Targets stand for themselves."""
    form: dict = {}

    def filled(value, given):
        given = iter(given)
        return map_tree(lambda x: x if _is_one(x, targets) else next(given), value)

    def own(arrays):
        return [x for x in arrays if not _is_one(x, targets)]

    def branch(f):
        def called(arrays):
            own_args, own_kwargs = filled((args, kwargs), arrays)
            made = f(*own_args, **own_kwargs)
            if "result" not in form:
                form["result"] = made
                results, paths = flatten(made)
                names = [name for x, name in zip(results, _named(paths, labels), strict=True) if not _is_one(x, targets)]
                form["names"] = names
                note(own(results), arrays)
                return own(results), names
            if _is_more(made, form["result"]):
                # Numbers beside the arrays of another function: these say the types.
                raise TypeError(f"{function}(): the functions give values of different types, {type(form['result']).__name__} and {type(made).__name__}")
            results = own(like(form["result"], made, "result", function))
            note(results, arrays)
            return results, form["names"]

        return called

    def note(results, given):
        """Which results are the very objects that the functions were called with."""
        places = [next((i for i, x in enumerate(given) if x is result), None) for result in results]
        before = form.setdefault("kept", places)
        form["kept"] = [a if a == b else None for a, b in zip(before, places, strict=True)]

    def finish(results, given=None):
        if given is not None:
            given = own(given)
            results = [new if place is None else _keep(given[place], new) for new, place in zip(results, form["kept"], strict=True)]
        return filled(form["result"], results)

    return branch, finish


def _is_more(made, first) -> bool:
    return isinstance(made, ArrayBase) and not isinstance(first, ArrayBase)


def _named(paths, labels) -> list[str]:
    def named(path):
        for i, label in enumerate(labels):
            if path.startswith(f"[{i}]"):
                return label + path[len(f"[{i}]") :]
        return "result" + path

    return [named(path) for path in paths]


def switch(index, targets, *args, mode=None, label=None, **kwargs):
    """What the function of a number gives, for each thread by its index; zeros where a last argument ``active`` is false.

    >>> switch(UInt(0, 1), [lambda x: x, lambda x: -x], Float(1, 2))
    [1, -2]
    """
    chosen = _checked(mode, "switch")
    targets = list(targets)
    if not targets:
        raise RuntimeError("switch(): one function at least is needed")
    if isinstance(index, int):
        if not 0 <= index < len(targets):
            raise IndexError(f"switch(): there is no function {index} among {len(targets)}")
        return targets[index](*args, **kwargs)
    if not is_array_v(index):
        raise TypeError(f"switch(): the index is {type(index).__name__}: an array of integers is needed")
    active = kwargs.get("active", args[-1] if args and (isinstance(args[-1], bool) or is_mask_v(args[-1])) else True)
    arrays, _ = flatten((args, kwargs))
    branch, finish = _branches(args, kwargs, "switch")
    calls = [branch(target) for target in targets]

    def called():
        return _native.switch(index if active is True else _native.select(active, index, 0), calls, arrays, [], chosen)

    done = called() if active is True else _native.masked(active, called)
    if active is not True:
        done = [_native.select(active, x, _native.zeros_like(x)) for x in done]
    return finish(done)
