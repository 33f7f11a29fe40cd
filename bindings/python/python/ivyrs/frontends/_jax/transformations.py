"""``grad``, ``vjp``, ``jvp``, ``vmap``, ``jit`` and their like, of functions of trees."""

import functools
import inspect

from ... import _ivyrs
from .. import _trees as trees
from .._flat import spread
from .._flat import derivatives as derivatives_of
from .functions import Array, Flat, array, chosen, flat, holding


def _differentiable(name, arrays, allow_int=False, holomorphic=False):
    for x in arrays:
        kind = x.dtype.name
        if holomorphic:
            raise NotImplementedError(f"{name}: holomorphic differentiation is not there")
        if not kind.startswith(("float", "bfloat", "complex")) and not allow_int:
            raise TypeError(f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got {kind}.")


def _with_aux(fun, has_aux):
    """The function with its result and what comes beside it, which has no part in derivatives."""

    def both(*args, **keywords):
        result = fun(*args, **keywords)
        if not has_aux:
            return result, ()
        if not (isinstance(result, tuple) and len(result) == 2):
            raise TypeError("with has_aux=True a function gives a pair, the result and what comes beside it")
        return result

    return both


def value_and_grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    """The function that gives the result, and its gradient by the arguments of some positions."""

    @functools.wraps(fun)
    def both(*args, **keywords):
        places, single = chosen(args, argnums)
        arrays, treedef = flat([args[place] for place in places])
        _differentiable("grad", arrays, allow_int, holomorphic)
        state = Flat(_with_aux(holding(fun, args, keywords, places), has_aux), treedef)
        results, gradients = _ivyrs.value_and_grad(state, arrays)
        value, aux = state.result(results)
        found = treedef.unflatten([array(g) for g in gradients])
        found = found[0] if single else found
        return ((value, aux) if has_aux else value), found

    return both


def grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    """The function that gives the gradient of a result without axes, by the arguments of some positions."""
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int, reduce_axes)

    @functools.wraps(fun)
    def gradient(*args, **keywords):
        value, found = both(*args, **keywords)
        return (found, value[1]) if has_aux else found

    return gradient


def vjp(fun, *primals, has_aux=False, reduce_axes=()):
    """The result, and the function that takes cotangents of it to those of the arguments."""
    arrays, treedef = flat(primals)
    state = Flat(_with_aux(fun, has_aux), treedef)
    results, back = _ivyrs.vjp(state, arrays)
    value, aux = state.result(results)
    out = trees.structure(value)
    beside = [_ivyrs.stop_gradient(x) for x in trees.leaves(aux)]

    def pullback(cotangents):
        given, own = trees.flatten(cotangents)
        if own != out:
            raise TypeError(f"Tree structure of cotangent input {own}, does not match structure of primal output {out}")
        zeros = [array(x) * 0 for x in beside]
        return treedef.unflatten([array(g) for g in back([array(x) for x in given] + zeros)])

    return (value, pullback, aux) if has_aux else (value, pullback)


def jvp(fun, primals, tangents, has_aux=False):
    """The result, and its change along that of the arguments."""
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError("primal and tangent arguments to jax.jvp must be tuples or lists")
    arrays, treedef = flat(primals)
    given, own = flat(tangents)
    if own != treedef:
        raise TypeError(f"primal and tangent arguments to jax.jvp must have the same tree structure; got {treedef} and {own}")
    state = Flat(_with_aux(fun, has_aux), treedef)
    results, changes = _ivyrs.jvp(state, arrays, given)
    (value, aux), (change, _) = state.result(results), state.result(changes)
    return (value, change, aux) if has_aux else (value, change)


def linearize(fun, *primals, has_aux=False):
    """The result, and the function that takes tangents of the arguments to those of the result."""
    value = fun(*primals)
    inner = (lambda *args: fun(*args)[0]) if has_aux else fun

    def pushed(*tangents):
        return jvp(inner, primals, tangents)[1]

    return (value[0], pushed, value[1]) if has_aux else (value, pushed)


def jacrev(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False):
    """The function that gives the derivatives of each result by each argument of some positions."""
    return _derivatives("rev", fun, argnums, has_aux, holomorphic, allow_int)


def _derivatives(mode, fun, argnums, has_aux, holomorphic, allow_int):

    @functools.wraps(fun)
    def derivatives(*args, **keywords):
        places, single = chosen(args, argnums)
        arrays, treedef = flat([args[place] for place in places])
        _differentiable("jacrev", arrays, allow_int, holomorphic)
        inner = _with_aux(holding(fun, args, keywords, places), has_aux)
        _, aux, out, rows = derivatives_of(mode, inner, treedef, arrays, array)
        rows = [row[0] for row in rows] if single else rows
        found = out.unflatten(rows)
        return (found, aux) if has_aux else found

    return derivatives


jacobian = jacrev


def jacfwd(fun, argnums=0, has_aux=False, holomorphic=False):
    """Likewise, with the derivatives of each argument's elements at once."""
    return _derivatives("fwd", fun, argnums, has_aux, holomorphic, False)


def hessian(fun, argnums=0, has_aux=False, holomorphic=False):
    """The function that gives the second derivatives."""
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


def vmap(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, spmd_axis_name=None, sum_match=False):
    """The function that does with batches what a function does with their entries."""
    if axis_name is not None:
        raise NotImplementedError("vmap: named axes are not there")

    @functools.wraps(fun)
    def batched(*args, **keywords):
        arrays, treedef = flat(args)
        axes = spread(in_axes, args, "in_axes")
        names, values = tuple(keywords), tuple(keywords.values())
        extra, extra_def = flat(values)

        def of(*given):
            return fun(*given[: len(args)], **dict(zip(names, given[len(args) :])))

        whole = treedef, extra_def

        def run(xs):
            xs = [array(x) for x in xs]
            result = of(*whole[0].unflatten(xs[: len(arrays)]), *whole[1].unflatten(xs[len(arrays) :]))
            leaves, run.out = trees.flatten(result)
            return [array(x) for x in leaves]

        if not any(axis is not None for axis in axes) and not extra:
            raise ValueError("vmap must have at least one non-None value in in_axes")
        def places():
            return spread(out_axes, run.out.unflatten(range(run.out.num_leaves)), "out_axes")

        results = _ivyrs.vmap(run, arrays + extra, axes + [0] * len(extra), places)
        return run.out.unflatten([array(x) for x in results])

    return batched


def _names(fun):
    """The names of a function's arguments by position."""
    try:
        parameters = inspect.signature(fun).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))


def _listed(value):
    return () if value is None else (value,) if isinstance(value, (int, str)) else tuple(value)


def jit(fun=None, /, *, static_argnums=None, static_argnames=None, donate_argnums=None, donate_argnames=None,
        keep_unused=False, device=None, backend=None, inline=False, in_shardings=None, out_shardings=None,
        compiler_options=None):
    """The function without the cost of its calls: run once for each kind of arguments, and replayed after that."""
    if fun is None:
        return functools.partial(jit, static_argnums=static_argnums, static_argnames=static_argnames)
    numbers, names = _listed(static_argnums), _listed(static_argnames)
    known = _names(fun)
    numbers = {*numbers, *(known.index(name) for name in names if name in known)}
    names = {*names, *(known[place] for place in numbers if 0 <= place < len(known))}
    recorded = {}

    @functools.wraps(fun)
    def compiled(*args, **keywords):
        fixed = {place % len(args) for place in numbers if -len(args) <= place < len(args)}
        held = {name: value for name, value in keywords.items() if name in names}
        free = [value for place, value in enumerate(args) if place not in fixed]
        named = {name: value for name, value in keywords.items() if name not in names}
        arrays, treedef = flat([free, named])
        statics = tuple((place, args[place]) for place in sorted(fixed)), tuple(sorted(held.items()))
        try:
            key = treedef, statics
            found = recorded.get(key)
        except TypeError as error:
            raise ValueError(f"Non-hashable static arguments are used in a jit function: {error}") from None
        if found is None:

            def of(given, given_named):
                given = list(given)
                whole = [args[place] if place in fixed else given.pop(0) for place in range(len(args))]
                return fun(*whole, **given_named, **held)

            found = recorded[key] = Recording(of, treedef)
        return found(arrays)

    compiled.clear_cache = recorded.clear
    return compiled


class Recording:
    """A function of arrays of one structure, and what its results are by the kinds of its arguments."""

    def __init__(self, fun, treedef):
        self.state, self.outs = Flat(fun, treedef), {}
        self.run = _ivyrs.Recorded(self.called)

    def called(self, arrays):
        results = self.state(arrays)
        self.outs[_kinds(arrays)] = self.state.out
        return results

    def __call__(self, arrays):
        results = self.run(arrays)
        return self.outs[_kinds(arrays)].unflatten([array(x) for x in results])


def _kinds(arrays):
    return tuple((x.dtype.name, tuple(x.shape)) for x in arrays)


def checkpoint(fun=None, *, prevent_cse=True, policy=None, static_argnums=(), static_argnames=()):
    """The function with its inner values computed again for derivatives, and not kept."""
    if fun is None:
        return checkpoint

    @functools.wraps(fun)
    def lean(*args, **keywords):
        arrays, treedef = flat([args, keywords])
        state = Flat(lambda given, named: fun(*given, **named), treedef)
        return state.result(_ivyrs.checkpoint(state, arrays))

    return lean


def stop_gradient(x):
    """The tree as constants: nothing before it has a part in derivatives."""
    return trees.map(lambda leaf: array(_ivyrs.stop_gradient(array(leaf))), x)


class custom_vjp:
    """A function with a backward rule of its own."""

    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        functools.update_wrapper(self, fun)
        self.fun, self.nondiff = fun, tuple(nondiff_argnums)

    def defvjp(self, fwd, bwd, symbolic_zeros=False, optimize_remat=False):
        """Says the rule: ``fwd`` gives the result and what ``bwd`` needs, which gives a cotangent for each argument."""
        self.fwd, self.bwd = fwd, bwd

    def __call__(self, *args, **keywords):
        if not hasattr(self, "fwd"):
            raise AttributeError(f"No VJP defined for custom_vjp function {self.__name__} using defvjp.")
        places = [place for place in range(len(args)) if place not in self.nondiff]
        held = [args[place] for place in self.nondiff]
        arrays, treedef = flat([args[place] for place in places])
        state = Flat(holding(self.fun, args, keywords, places), treedef)
        kept = {}

        def forward(xs):
            given = treedef.unflatten([array(x) for x in xs])
            result, residuals = holding(self.fwd, args, keywords, places)(*given)
            leaves, state.out = trees.flatten(result)
            saved, kept["structure"] = trees.flatten(residuals)
            return [array(x) for x in leaves], [array(x) for x in saved]

        def backward(saved, cotangents):
            residuals = kept["structure"].unflatten([array(x) for x in saved])
            given = self.bwd(*held, residuals, state.result(cotangents))
            return _cotangents(tuple(given), treedef, arrays)

        return state.result(_ivyrs.custom_vjp(state, forward, backward, arrays))


def _cotangents(given, treedef, arrays):
    """A cotangent for each array; nothing counts as zeros."""
    from .. import jax

    parts = treedef.children()
    if len(given) != len(parts):
        raise TypeError(f"Custom VJP bwd rule must produce a tuple of {len(parts)} cotangents, got {len(given)}")
    found, at = [], 0
    for part, value in zip(parts, given):
        own = arrays[at : at + part.num_leaves]
        at += part.num_leaves
        if value is None:
            found += [jax.numpy.zeros_like(x) for x in own]
        else:
            found += [array(x) for x in part.flatten_up_to(value)]
    return found


class custom_jvp:
    """A function with a forward rule of its own."""

    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        functools.update_wrapper(self, fun)
        self.fun, self.nondiff = fun, tuple(nondiff_argnums)

    def defjvp(self, jvp, symbolic_zeros=False):
        """Says the rule, which takes arguments and their tangents, and gives the result and its own."""
        self.rule = jvp
        return jvp

    def defjvps(self, *jvps):
        """Says a rule for each argument, whose tangents add up."""

        def rule(primals, tangents):
            result = self(*primals)
            parts = [f(t, result, *primals) for f, t in zip(jvps, tangents) if f is not None]
            total = functools.reduce(lambda a, b: trees.map(lambda x, y: x + y, a, b), parts)
            return result, total

        self.rule = rule

    def __call__(self, *args, **keywords):
        if not hasattr(self, "rule"):
            raise AttributeError(f"No JVP defined for custom_jvp function {self.__name__} using defjvp.")
        places = [place for place in range(len(args)) if place not in self.nondiff]
        held = [args[place] for place in self.nondiff]
        arrays, treedef = flat([args[place] for place in places])
        state = Flat(holding(self.fun, args, keywords, places), treedef)

        def both(xs, changes):
            primals = treedef.unflatten([array(x) for x in xs])
            tangents = treedef.unflatten([array(x) for x in changes])
            value, change = self.rule(*held, primals, tangents)
            leaves, state.out = trees.flatten(value)
            return [array(x) for x in leaves], [array(x) for x in state.out.flatten_up_to(change)]

        return state.result(_ivyrs.custom_jvp(state, both, arrays))


def block_until_ready(x):
    """The tree, when its arrays are computed."""
    for leaf in trees.leaves(x):
        if isinstance(leaf, Array):
            leaf.block_until_ready()
    return x


ALL = dict(
    grad=grad, value_and_grad=value_and_grad, vjp=vjp, jvp=jvp, linearize=linearize, jacobian=jacobian, jacrev=jacrev,
    jacfwd=jacfwd, hessian=hessian, vmap=vmap, jit=jit, checkpoint=checkpoint, remat=checkpoint, custom_vjp=custom_vjp,
    custom_jvp=custom_jvp, block_until_ready=block_until_ready,
)
