"""Derivatives and batches of functions of arrays, in lists, tuples and dicts of them."""

import functools
import operator

from . import _errors, _ivyrs
from ._ivyrs import Array
from ._trees import ARRAY, check_nest, flatten, like, spread, unflatten


def _maker(asarray, *values):
    """What makes arrays of numbers: on the backend of the arrays there are, else in the namespace."""
    arrays = []
    flatten(values, arrays)
    return arrays[0].__array_namespace__().asarray if arrays else asarray


def _check_function(name, f):
    if not callable(f):
        raise TypeError(f"{name}() needs a function, not {type(f).__name__}")


class _Call:
    """A function and the arguments of a call, some of which are a list of arrays."""

    def __init__(self, name, f, args, kwargs, argnums, asarray, has_aux=False):
        self.name, self._f, self._args, self._kwargs = name, f, args, kwargs
        numbers = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int) or not -len(args) <= number < len(args):
                text = f"{name}: argnums = {argnums}: positions of arguments, of which there are {len(args)}"
                fields = {"function": name, "argument": "argnums", "value": str(argnums)}
                raise _errors.make("InvalidArgument", text, fields)
        self._numbers = [number % len(args) for number in numbers]
        self._single = not isinstance(argnums, (tuple, list))
        self.number = _maker(asarray, args, kwargs)
        self.arrays = []
        self._forms = [flatten(args[number], self.arrays, self.number) for number in self._numbers]
        # Functions with rules of their own also take what says how, as it is.
        if not name.startswith(("custom_", "checkpoint")):
            for number, form in zip(self._numbers, self._forms):
                check_nest(form, f"{name}(): argument {number}")
        self.form = None
        self._has_aux = has_aux

    def value(self, arrays):
        """Arrays in the form of the chosen arguments."""
        arrays = iter(arrays)
        values = tuple(unflatten(form, arrays) for form in self._forms)
        return values[0] if self._single else values

    def run(self, arrays):
        """What the function gives, with other arrays in the arguments."""
        args, arrays = list(self._args), iter(arrays)
        for number, form in zip(self._numbers, self._forms):
            args[number] = unflatten(form, arrays)
        return self._f(*args, **self._kwargs)

    def __call__(self, arrays):
        """The arrays of what the function gives, whose form is kept."""
        results = []
        given = self.run(arrays)
        if self._has_aux and not (isinstance(given, tuple) and len(given) == 2):
            raise TypeError(f"{self.name}(): with has_aux the function gives a pair, the results and anything else")
        self.form = flatten(given, results, self.number)
        return results

    @property
    def aux_form(self):
        """The form of what the function gives besides its results."""
        return self.form[1][1] if self._has_aux else None

    def count(self, arrays):
        """How many of the arrays are results, which come before what the function gives besides."""
        return _places(self.form[1][0]) if self._has_aux else len(arrays)

    def values(self, entries):
        """Entries in the form of the results alone."""
        return unflatten(self.form[1][0] if self._has_aux else self.form, iter(entries))

    def cotangents(self, results, value):
        """The arrays of cotangents of the results; of what the function gives besides, none."""
        arrays = []
        like(self.form[1][0] if self._has_aux else self.form, value, arrays, self.number, f"{self.name}(): cotangents")
        zeros = [x.__array_namespace__().zeros_like(x) for x in results[len(arrays) :]]
        return arrays + zeros

    def with_aux(self, results, more):
        """What comes out: the results, more, and last what the function gives besides."""
        return (results[0], *more, results[1]) if self._has_aux else (results, *more)

    def results(self, arrays):
        return unflatten(self.form, iter(arrays))

    def like_results(self, value, what):
        arrays = []
        like(self.form, value, arrays, self.number, f"{self.name}(): {what}")
        return arrays


def _places(form):
    """How many arrays a form has."""
    if form is ARRAY:
        return 1
    kind, content = form
    return 0 if kind is None else sum(map(_places, content.values() if kind is dict else content))


def _all(name, f, args, kwargs, asarray, has_aux=False):
    """A call of which every positional argument is among the arrays."""
    return _Call(name, f, args, kwargs, tuple(range(len(args))), asarray, has_aux)


def stop_gradient(x, /, *, preserve_type=True):
    """The arrays as constants: nothing before them has a part in derivatives. Of an array, or a list, tuple or dict of them.

    ``preserve_type`` is Ivy's, and changes nothing: an array is an array.
    """
    arrays = []
    form = flatten(x, arrays)
    return unflatten(form, map(_ivyrs.stop_gradient, arrays))


def functions(asarray):
    """The functions of a namespace, whose ``asarray`` makes arrays of numbers where no argument is one."""

    def value_and_grad(func, argnums=0, has_aux=False):
        """The function that gives what ``func`` gives, one real number, and its gradient.

        The gradient is by the argument at ``argnums``, and has its form: an array, or a list, tuple or dict of arrays, all of
        them floats or complex numbers. For a tuple of positions it is a tuple. With ``has_aux`` the function gives a pair, the
        number and anything else, and so does the new one in place of the number. The gradient of a real function of complex
        numbers ``x + i y`` is ``df/dx - i df/dy``, as in JAX.
        """
        _check_function("value_and_grad", func)

        @functools.wraps(func)
        def with_gradient(*args, **kwargs):
            state = _Call("grad", func, args, kwargs, argnums, asarray)

            def called(arrays):
                given = state.run(arrays)
                if has_aux and not (isinstance(given, tuple) and len(given) == 2):
                    raise TypeError("grad(): with has_aux the function gives a pair, the value and anything else")
                value = given[0] if has_aux else given
                if isinstance(value, (bool, int, float, complex)):
                    value = state.number(value)
                if not isinstance(value, Array):
                    raise TypeError(f"grad(): the function gives an array without axes, not {type(value).__name__}")
                results = []
                state.form = flatten((value, given[1]) if has_aux else value, results)
                return results

            results, gradients = _ivyrs.value_and_grad(called, state.arrays)
            return state.results(results), state.value(gradients)

        return with_gradient

    def grad(func, argnums=0, has_aux=False):
        """The function that gives the gradient of ``func``, which gives one real number, as ``value_and_grad`` does.

        With ``has_aux`` it gives the gradient, and what the function gives besides its value.
        """
        both = value_and_grad(func, argnums, has_aux)

        @functools.wraps(func)
        def gradient(*args, **kwargs):
            value, gradient = both(*args, **kwargs)
            return (gradient, value[1]) if has_aux else gradient

        return gradient

    def vjp(func, *primals, has_aux=False):
        """What a function gives, and the function that takes cotangents of that back to the arguments: reverse mode.

        It gives a tuple, of one entry for each argument, and may be called again, with other cotangents. With ``has_aux`` the
        function gives a pair, of which the second part has no part in derivatives, and comes out third.
        """
        _check_function("vjp", func)
        state = _all("vjp", func, primals, {}, asarray, has_aux)
        results, back = _ivyrs.vjp(state, state.arrays)

        def pullback(cotangents):
            return state.value(back(state.cotangents(results, cotangents)))

        return state.with_aux(state.results(results), (pullback,))

    def jvp(func, primals, tangents, has_aux=False):
        """What a function gives, and how it changes where the arguments change by the tangents: forward mode.

        Arguments and tangents are tuples, of one entry for each argument of the function. With ``has_aux`` the function gives
        a pair, of which the second part comes out third.
        """
        _check_function("jvp", func)
        if not isinstance(primals, (tuple, list)):
            raise TypeError("jvp(): the arguments and the tangents are tuples")
        state = _all("jvp", func, tuple(primals), {}, asarray, has_aux)
        given = []
        like(flatten(tuple(primals), [], state.number), tangents, given, state.number, "jvp(): tangents")
        results, changes = _ivyrs.jvp(state, state.arrays, given)
        changes = state.results(changes)
        return state.with_aux(state.results(results), (changes[0] if has_aux else changes,))

    def linearize(func, *primals):
        """What a function gives, and its linear approximation there, which takes tangents of the arguments to those of that.

        As ``jvp``, with the function computed once for many tangents.
        """
        _check_function("linearize", func)
        state = _all("linearize", func, primals, {}, asarray)
        form = flatten(primals, [], state.number)
        results, along = _ivyrs.linearize(state, state.arrays)

        def pushforward(*tangents):
            given = []
            like(form, tangents, given, state.number, "linearize(): tangents")
            return state.results(along(given))

        return state.results(results), pushforward

    def derivatives_of(name, mode, func, argnums, has_aux):
        """The function that gives all derivatives, by a mode of ``_ivyrs.jacobian``."""
        _check_function(name, func)

        @functools.wraps(func)
        def derivatives(*args, **kwargs):
            state = _Call(name, func, args, kwargs, argnums, asarray, has_aux)
            given = state(state.arrays)
            count = state.count(given)
            aux = state.results(given)[1] if has_aux else None

            def pair(result, argument):
                def part(arrays):
                    return [state([*state.arrays[:argument], *arrays, *state.arrays[argument + 1 :]])[result]]

                return _ivyrs.jacobian(part, state.arrays[argument], mode)

            arguments = range(len(state.arrays))
            rows = [state.value([pair(result, argument) for argument in arguments]) for result in range(count)]
            found = state.values(rows)
            return (found, aux) if has_aux else found

        return derivatives

    def jacobian(func, argnums=0, has_aux=False):
        """The function that gives the derivatives of each element of what ``func`` gives by each element of an argument.

        Each has the axes of the result and then those of the argument. Where the function gives a list, tuple or dict, so does
        the new one, and where the argument is one, it is in place of each array of the results; ``func`` is then called for
        each pair. By reverse mode where the result is the smaller one, else by forward mode; where the one has no rule for
        what the function does, by the other. ``jacrev`` and ``jacfwd`` are one of them alone. With ``has_aux`` the function
        gives a pair, of which the second part is given back beside the derivatives.
        """
        return derivatives_of("jacobian", "any", func, argnums, has_aux)

    def jacrev(func, argnums=0, has_aux=False):
        """``jacobian`` by reverse mode: a row for each element of the result."""
        return derivatives_of("jacrev", "rev", func, argnums, has_aux)

    def jacfwd(func, argnums=0, has_aux=False):
        """``jacobian`` by forward mode: a column for each element of the argument."""
        return derivatives_of("jacfwd", "fwd", func, argnums, has_aux)

    def hessian(func, argnums=0, has_aux=False):
        """The function that gives the second derivatives of ``func``: ``jacobian`` of ``grad``, or of ``jacobian`` where it
        gives more than one real number.
        """

        @functools.wraps(func)
        def derivatives(*args, **kwargs):
            given = _Call("hessian", func, args, kwargs, argnums, asarray, has_aux)
            first = given(given.arrays)
            single = given.count(first) == 1 and given.form in (ARRAY, (tuple, [ARRAY, given.aux_form])) and first[0].ndim == 0
            inner = grad if single else jacobian
            return jacobian(inner(func, argnums, has_aux), argnums, has_aux)(*args, **kwargs)

        return derivatives

    def vmap(func, in_axes=0, out_axes=0):
        """The function that does with a batch what ``func`` does with one entry of it, each operation for all entries at once.

        ``in_axes`` is the axis of the batch in every argument, or a tuple with an entry for each: an axis, ``None`` for an
        argument that is the same for all, or a list, tuple or dict of those in the argument's form; ``out_axes`` is where the
        batch is in the results, or ``None`` for one that is the same for all entries. Numbers, and all else that is no array, are the same for all. Elements cannot be read in it.
        """
        _check_function("vmap", func)

        @functools.wraps(func)
        def mapped(*args, **kwargs):
            state = _Call("vmap", func, args, kwargs, (), asarray)
            arrays = []
            form = flatten(args, arrays)
            axes = spread(form, tuple(in_axes) if isinstance(in_axes, list) else in_axes, "vmap(): in_axes")

            def called(entry):
                results = []
                state.form = flatten(func(*unflatten(form, iter(entry)), **kwargs), results, state.number)
                return results

            places = lambda: spread(state.form, out_axes, "vmap(): out_axes")  # noqa: E731
            return state.results(_ivyrs.vmap(called, arrays, axes, places))

        return mapped

    def custom_vjp(func, forward, backward):
        """A function with a rule of its own for reverse mode.

        Under ``vjp`` and ``grad``, ``forward`` is called in its place, with the same arguments, and gives a pair: what the
        function gives, and what is kept. On the way back ``backward(kept, cotangents)`` gives the cotangents of the
        arguments: a tuple, or of one argument that alone.
        """
        for f in (func, forward, backward):
            _check_function("custom_vjp", f)

        @functools.wraps(func)
        def with_rule(*args):
            state = _all("custom_vjp", func, args, {}, asarray)
            kept_form = []

            def first(arrays):
                pair = forward(*state.value(arrays))
                if not (isinstance(pair, tuple) and len(pair) == 2):
                    raise TypeError("custom_vjp(): forward gives a pair, the results and what is kept")
                results, kept = [], []
                state.form = flatten(pair[0], results, state.number)
                kept_form[:] = [flatten(pair[1], kept)]
                return results, kept

            def back(kept, cotangents):
                given = backward(unflatten(kept_form[0], iter(kept)), state.results(cotangents))
                return _cotangents(state, args, given)

            return state.results(_ivyrs.custom_vjp(state, first, back, state.arrays))

        return with_rule

    def custom_jvp(func, rule):
        """A function with a rule of its own for forward mode, and so for reverse mode.

        ``rule(primals, tangents)`` takes two tuples with an entry for each argument, and gives a pair: what the function gives,
        and its tangents, which are linear in those of the arguments.
        """
        for f in (func, rule):
            _check_function("custom_jvp", f)

        @functools.wraps(func)
        def with_rule(*args):
            state = _all("custom_jvp", func, args, {}, asarray)

            def both(arrays, changes):
                pair = rule(state.value(arrays), state.value(changes))
                if not (isinstance(pair, tuple) and len(pair) == 2):
                    raise TypeError("custom_jvp(): the rule gives a pair, the results and their tangents")
                results = []
                state.form = flatten(pair[0], results, state.number)
                return results, state.like_results(pair[1], "tangents of the rule")

            return state.results(_ivyrs.custom_jvp(state, both, state.arrays))

        return with_rule

    def checkpoint(func):
        """The function, of which reverse mode keeps nothing but the arguments: the rest is computed again on the way back."""
        _check_function("checkpoint", func)

        @functools.wraps(func)
        def again(*args, **kwargs):
            state = _all("checkpoint", func, args, kwargs, asarray)
            return state.results(_ivyrs.checkpoint(state, state.arrays))

        return again

    def scan(f, init, xs=None, length=None, reverse=False):
        """Calls ``f`` with a carry and each entry of ``xs`` along the first axis of its arrays, one after the other.

        ``f(carry, x)`` gives a pair, the next carry, of the same dtypes and shapes, and a result. What comes out is the last
        carry and the stacked results. ``length`` is needed where there is no ``xs``; with ``reverse`` the last entry comes
        first, and results stand where their entries do.
        """
        _check_function("scan", f)
        if length is not None:
            try:
                length = operator.index(length)
            except TypeError:
                raise TypeError(f"scan(): length is a whole number, not {length!r}") from None
            if not 0 <= length < 2**63:
                raise ValueError(f"scan(): length is from 0 to 2**63 - 1, not {length}")
        number = _maker(asarray, init, xs)
        carries, entries = [], []
        carry_form, entry_form = flatten(init, carries, number), flatten(xs, entries)
        check_nest(carry_form, "scan(): init")
        result_form = []

        def step(carry, x):
            given = f(unflatten(carry_form, iter(carry)), unflatten(entry_form, iter(x)))
            if not (isinstance(given, tuple) and len(given) == 2):
                raise TypeError("scan(): the function gives a pair, the next carry and a result")
            following, results = [], []
            like(carry_form, given[0], following, number, "scan(): the carry")
            result_form[:] = [flatten(given[1], results, number)]
            return following, results

        carry, results = _ivyrs.scan(step, carries, entries, length, bool(reverse))
        return unflatten(carry_form, iter(carry)), unflatten(result_form[0], iter(results))

    every = (
        value_and_grad, grad, vjp, jvp, linearize, jacobian, jacrev, jacfwd, hessian, vmap, scan, custom_vjp, custom_jvp,
        checkpoint, stop_gradient,
    )  # fmt: skip
    return {f.__name__: f for f in every}


def _cotangents(state, args, given):
    """The arrays of an answer of a backward rule."""
    arrays = []
    if len(args) == 1 and not (isinstance(given, tuple) and len(given) == 1):
        given = (given,)
    form = tuple, [flatten(arg, [], state.number) for arg in args]
    like(form, given, arrays, state.number, "custom_vjp(): what backward gives")
    return arrays
