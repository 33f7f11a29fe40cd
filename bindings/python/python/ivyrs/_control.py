"""Control flow on arrays: loops and conditionals of each element, of arrays and numbers in tuples and dicts."""

import operator

from . import _errors, _ivyrs
from ._ivyrs import Array


def _named(error, names):
    """The error of a variable, with the name that it has."""
    number = getattr(error, "variable", None)
    if error.kind != "VariableChanged" or type(number) is not int or number >= len(names):
        return error
    text = str(error).replace(f"variable {number} ", f"variable {names[number]!r} ", 1)
    return _errors.make(error.kind, text, {**error.fields, "variable": names[number]})


class _Vars:
    """Variables as a list of arrays, and the form that they have for the functions."""

    def __init__(self, function, vars, asarray):
        self._kind = dict if isinstance(vars, dict) else tuple if isinstance(vars, (tuple, list)) else None
        self._names = list(vars) if self._kind is dict else []
        values = list(vars.values()) if self._kind is dict else list(vars) if self._kind is tuple else [vars]
        first = next((x for x in values if isinstance(x, Array)), None)
        self._function = function
        self._asarray = asarray if first is None else first.__array_namespace__().asarray
        self.arrays = [self.array(x) for x in values]

    def array(self, value, like=None):
        """A result as an array; a number gets the dtype of what it stands for."""
        if isinstance(value, Array):
            return value
        if isinstance(value, (bool, int, float, complex)):
            return self._asarray(value, dtype=None if like is None else like.dtype)
        raise TypeError(f"{self._function}(): arrays and numbers, also in a tuple, list or dict, not {type(value).__name__}")

    def call(self, f, arrays):
        if self._kind is dict:
            return f(**dict(zip(self._names, arrays)))
        return f(*arrays)

    def results(self, value, like=()):
        """What a function gives, as a list; of a dict in the variables' order."""
        if isinstance(value, dict):
            if set(value) != set(self._names):
                raise TypeError(f"{self._function}(): a dict of {', '.join(map(repr, self._names))}, not of {', '.join(map(repr, value))}")
            value = [value[name] for name in self._names]
        values = list(value) if isinstance(value, (tuple, list)) else [value]
        like = [*like, *[None] * len(values)]
        return [self.array(x, y) for x, y in zip(values, like)]

    def value(self, arrays):
        """Arrays in the form of the variables."""
        if self._kind is dict:
            return dict(zip(self._names, arrays))
        return tuple(arrays) if self._kind is tuple else arrays[0]

    def positions(self, targets):
        """The positions of variables that are named, or numbered."""
        found = []
        for target in targets:
            if self._kind is dict and target in self._names:
                found.append(self._names.index(target))
            elif self._kind is not dict and type(target) is int and 0 <= target < len(self.arrays):
                found.append(target)
            else:
                known = ", ".join(map(repr, self._names if self._kind is dict else range(len(self.arrays))))
                raise ValueError(f"{self._function}(): targets are of the variables {known}, not {target!r}")
        return found

    def run(self, f, *args):
        try:
            return f(*args)
        except _errors.IvyError as error:
            named = _named(error, self._names)
            if named is error:
                raise
            raise named from None


class _Results:
    """What the branches of a conditional give: arrays, and the form that they have."""

    def __init__(self, vars):
        self._vars = vars
        self._form = None

    def take(self, value):
        if isinstance(value, dict):
            self._form = lambda arrays: dict(zip(value, arrays))
            return [self._vars.array(x) for x in value.values()]
        several = isinstance(value, (tuple, list))
        self._form = tuple if several else operator.itemgetter(0)
        return [self._vars.array(x) for x in (value if several else [value])]

    def value(self, arrays):
        return self._form(arrays)


def functions(asarray):
    """The functions of a namespace, whose ``asarray`` makes arrays of numbers where no variable is one."""

    def while_loop(test_fn, body_fn, vars, *, targets=()):
        """Repeats ``body_fn`` on the variables while ``test_fn`` is true, for each element by itself where that is an array.

        ``vars`` is an array, or a tuple, list or dict of arrays and numbers; the functions take them by position, those of a
        dict by name. ``body_fn`` gives them changed, with the same dtypes and shapes, in the same form or as a tuple, and so does
        the loop. Variables begin with the shapes to which they and the condition broadcast.

        ``targets`` are variables, by position or name, that all elements share and scatter to: they keep their shape, are what
        ``body_fn`` makes of them, and scatters in it are those of the elements that go on.

        On ``jit`` a loop of which each element is made of the same element is one kernel, and others are recorded iteration by iteration
        until two iterations have done the same, and replayed then: the functions must make arrays and do nothing else. One that reads
        elements (``float(x)``, ``if x > 0``) is called in each iteration, as everywhere else.
        """
        state = _Vars("while_loop", vars, asarray)

        def test(arrays):
            return [state.array(state.call(test_fn, arrays))]

        def body(arrays):
            return state.results(state.call(body_fn, arrays), arrays)

        return state.value(state.run(_ivyrs.while_loop, test, body, state.arrays, state.positions(targets)))

    def for_loop(iterable, body_fn, vars):
        """Calls ``body_fn(k, vars)`` for each entry of an iterable, with the variables, which it gives back changed.

        The numbers of a ``range`` are int64 arrays without axes, and the loop is one of ``while_loop``; entries of anything else are
        given as they are, one after the other.
        """
        state = _Vars("for_loop", vars, asarray)

        def changed(entry, arrays):
            given = body_fn(entry, state.value(arrays))
            return state.results(given, arrays)

        if not isinstance(iterable, range):
            arrays = state.arrays
            for entry in iterable:
                arrays = changed(entry, arrays)
            return state.value(arrays)

        def body(number, arrays):
            entry = number if iterable.step == 1 else number * iterable.step
            return changed(entry + iterable.start if iterable.start else entry, arrays)

        return state.value(state.run(_ivyrs.for_loop, len(iterable), body, state.arrays))

    def if_else(cond, body_fn, orelse_fn, vars):
        """What ``body_fn`` gives where the condition is true, and what ``orelse_fn`` gives elsewhere, for each element by itself.

        ``cond`` is an array or truth value, or a function of the variables that gives one. Where it is an array, both functions are called, on
        all elements, and give as many arrays of the same dtypes and shapes.
        """
        state = _Vars("if_else", vars, asarray)
        condition = state.call(cond, state.arrays) if callable(cond) else cond
        if isinstance(condition, bool):
            return state.call(body_fn if condition else orelse_fn, state.arrays)
        results = _Results(state)
        branches = [lambda arrays, f=f: results.take(state.call(f, arrays)) for f in (body_fn, orelse_fn)]
        return results.value(state.run(_ivyrs.if_else, state.array(condition), *branches, state.arrays))

    def switch(index, branches, vars):
        """What the branch of a number gives, for each element by itself where the index is an array of them.

        Numbers below 0 count from the end; one out of range is an ``IndexError``, as an index of an array is. All branches are
        called, on all elements, and give as many arrays of the same dtypes and shapes; of an ``int`` the one branch is.
        """
        state = _Vars("switch", vars, asarray)
        branches = list(branches)
        # Without branches, what there is to say does not depend on the index.
        if branches and isinstance(index, int) and not isinstance(index, bool):
            if not -len(branches) <= index < len(branches):
                fields = {"function": "switch", "index": index, "axis": 0, "length": len(branches)}
                text = f"switch: index {index} is out of range for {len(branches)} branches"
                raise _errors.make("IndexOutOfRange", text, fields)
            return state.call(branches[index], state.arrays)
        results = _Results(state)
        called = [lambda arrays, f=f: results.take(state.call(f, arrays)) for f in branches]
        return results.value(state.run(_ivyrs.switch, state.array(index), called, state.arrays))

    def try_except(body1, body2, vars):
        """What ``body1`` gives, or ``body2``, which is given the exception after the variables, where it raises one.

        What ``body1`` gives is computed before: an index out of range is an exception of it on every backend.
        """
        state = _Vars("try_except", vars, asarray)
        try:
            given = state.call(body1, state.arrays)
            values = given.values() if isinstance(given, dict) else given if isinstance(given, (tuple, list)) else [given]
            for x in values:
                if isinstance(x, Array):
                    x.wait()
            return given
        except Exception as error:
            if isinstance(vars, dict):
                return state.call(lambda **named: body2(**named, error=error), state.arrays)
            return body2(*state.arrays, error)

    def associative_scan(x, fn, /, *, reverse=False, axis=0):
        """All prefixes along an axis, combined by an associative function: ``x[0]``, ``fn(x[0], x[1])`` and so on.

        ``fn`` takes two arrays, of which it combines the parts along the axis that stand at one place, and gives an array of
        their shape and dtype. With ``reverse`` the prefixes begin at the end of the axis.
        """
        state = _Vars("associative_scan", x, asarray)

        def combined(arrays):
            given = fn(*arrays)
            if not isinstance(given, Array):
                raise TypeError(f"associative_scan(): the function gives an array, not {type(given).__name__}")
            return [given]

        return state.value(state.run(_ivyrs.associative_scan, state.array(x), combined, reverse, axis))

    every = (while_loop, for_loop, if_else, switch, try_except, associative_scan, cmp_is, cmp_isnot)
    return {f.__name__: f for f in every}


def cmp_is(left, right):
    """Whether both are the same object."""
    return left is right


def cmp_isnot(left, right):
    """Whether they are two objects."""
    return left is not right
