"""``torch.func``: ``grad``, ``vjp``, ``jvp``, ``jacrev``, ``vmap`` and their like, of functions of trees of tensors."""

import functools
from contextlib import contextmanager

from ... import _ivyrs
from .. import _flat
from .._trees import flatten_ordered as flatten
from . import random

_Tensor = _ivyrs.TorchTensor


def tensor(value):
    """An array of the core as a tensor."""
    return value if isinstance(value, _Tensor) else _Tensor._of(value)


def _recordable(value):
    """Likewise, as the arguments of transformed functions are."""
    return _ivyrs.torch_recordable(tensor(value))


class Traced(_flat.Flat):
    """A function of trees as one of a list of tensors: what is no tensor in its result is kept as it is."""

    def __init__(self, fun, treedef):
        super().__init__(fun, treedef, tensor)

    def __call__(self, arrays):
        result = self.fun(*self.treedef.unflatten([tensor(x) for x in arrays]))
        leaves, self.out = flatten(result)
        self.others = {n: x for n, x in enumerate(leaves) if not isinstance(x, _Tensor)}
        return [x for x in leaves if isinstance(x, _Tensor)]

    def result(self, arrays):
        given = iter(arrays)
        return self.out.unflatten([self.others[n] if n in self.others else tensor(next(given)) for n in range(self.out.num_leaves)])


@contextmanager
def _watched():
    """A block that runs a transformed function, which writes to no tensor beside its arguments."""
    _ivyrs.watch_writes()
    try:
        yield
    except BaseException:
        _ivyrs.undo_writes()
        raise
    if _ivyrs.undo_writes():
        raise RuntimeError(
            "During a transform (vmap, grad, vjp, jvp, etc.) the function provided wrote to a captured Tensor by an in-place operation. "
            "This is not supported; please rewrite the function being transformed to explicitly accept the mutated Tensor(s) as inputs."
        )


def _tensors(name, args):
    """The leaves of arguments, which are tensors that have derivatives, and their structure."""
    leaves, treedef = flatten(args)
    for leaf in leaves:
        if not isinstance(leaf, _Tensor):
            raise ValueError(f"{name}(f, ...): Expected all inputs to be Tensors, got {type(leaf).__name__}")
        if not (leaf.is_floating_point() or leaf.is_complex()):
            raise RuntimeError(f"{name}(f, ...): only Tensors of floating point dtype can require gradients, got {leaf.dtype}")
    return [_ivyrs.torch_recordable(x) for x in leaves], treedef


def _with_aux(fun, has_aux, name, result):
    """The function with its result, which is looked at, and what comes beside it."""

    def both(*args, **keywords):
        found = fun(*args, **keywords)
        if not has_aux:
            return result(found), ()
        if not (isinstance(found, tuple) and len(found) == 2):
            raise RuntimeError(f"{name}(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is True")
        return result(found[0]), found[1]

    return both


def _all_tensors(name):
    def check(value):
        for leaf in flatten(value)[0]:
            if not isinstance(leaf, _Tensor):
                raise RuntimeError(f"{name}(f, ...): Expected f(*args) to return only tensors, got unsupported type {type(leaf)}")
        return value

    return check


def _scalar(name):
    def check(value):
        if not isinstance(value, _Tensor):
            raise RuntimeError(f"{name}(f)(*args): Expected f(*args) to return a tensor, got unsupported type {type(value)}")
        if value.dim() != 0:
            raise RuntimeError(
                f"{name}(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with {value.dim()} dims. "
                "Maybe you wanted to use the vjp or jacrev APIs instead?"
            )
        return value

    return check


def _places(name, args, argnums):
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    try:
        return _flat.chosen(args, argnums)
    except ValueError:
        raise RuntimeError(f"{name}: got argnums={argnums}, but only {len(args)} positional inputs") from None


def grad_and_value(func, argnums=0, has_aux=False):
    """The function that gives the gradient of a result without dimensions by the arguments of some positions, and the result."""

    @functools.wraps(func)
    def both(*args, **keywords):
        places, single = _places("grad_and_value", args, argnums)
        arrays, treedef = _tensors("grad_and_value", tuple(args[place] for place in places))
        inner = _with_aux(_flat.holding(func, args, keywords, places), has_aux, "grad_and_value", _scalar("grad_and_value"))
        state = Traced(inner, treedef)
        with _watched():
            results, gradients = _ivyrs.value_and_grad(state, arrays)
        value, aux = state.result(results)
        found = treedef.unflatten([tensor(g) for g in gradients])
        found = found[0] if single else found
        return found, ((value, aux) if has_aux else value)

    return both


def grad(func, argnums=0, has_aux=False):
    """The function that gives the gradient of a result without dimensions by the arguments of some positions."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args, **keywords):
        found, value = both(*args, **keywords)
        return (found, value[1]) if has_aux else found

    return gradient


def vjp(func, *primals, has_aux=False):
    """The result, and the function that takes cotangents of it to those of the arguments."""
    arrays, treedef = _tensors("vjp", primals)
    state = Traced(_with_aux(func, has_aux, "vjp", _all_tensors("vjp")), treedef)
    with _watched():
        results, back = _ivyrs.vjp(state, arrays)
    value, aux = state.result(results)
    beside = [x for x in flatten(aux)[0] if isinstance(x, _Tensor)]
    out = flatten(value)[1]

    def pullback(cotangents, retain_graph=True, create_graph=None):
        given, own = flatten(cotangents)
        if own != out:
            raise RuntimeError(f"Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: {own}, primal output: {out}")
        return treedef.unflatten([tensor(g) for g in back(given + [x * 0 for x in beside])])

    return (value, pullback, aux) if has_aux else (value, pullback)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The result, and its change along that of the arguments."""
    for name, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, tuple):
            raise RuntimeError(f"jvp(f, primals, tangents): Expected {name} to be a tuple. E.g. it should be valid to call f(*primals).")
    arrays, treedef = _tensors("jvp", primals)
    given, own = _tensors("jvp", tangents)
    if own != treedef:
        raise RuntimeError("jvp(f, primals, tangents): Expected primals and tangents to have the same python structure.")
    for x, change in zip(arrays, given):
        if x.shape != change.shape:
            raise RuntimeError(f"jvp(f, primals, tangents): a tangent has the shape {tuple(change.shape)}, its primal {tuple(x.shape)}")
    if strict:
        raise NotImplementedError("jvp: strict=True is not there: results that do not depend on the arguments have tangents of zeros")
    state = Traced(_with_aux(func, has_aux, "jvp", _all_tensors("jvp")), treedef)
    with _watched():
        results, changes = _ivyrs.jvp(state, arrays, given)
    (value, aux), (change, _) = state.result(results), state.result(changes)
    return (value, change, aux) if has_aux else (value, change)


def linearize(func, *primals):
    """The result, and the function that takes tangents of the arguments to those of the result."""

    def pushed(*tangents):
        return jvp(func, primals, tangents)[1]

    return func(*primals), pushed


def _derivatives(name, mode, func, argnums, has_aux):
    @functools.wraps(func)
    def derivatives(*args, **keywords):
        places, single = _places(name, args, argnums)
        arrays, treedef = _tensors(name, tuple(args[place] for place in places))
        inner = _with_aux(_flat.holding(func, args, keywords, places), has_aux, name, _all_tensors(name))
        with _watched():
            _, aux, out, rows = _flat.derivatives(mode, inner, treedef, arrays, _recordable, flatten)
        found = out.unflatten([row[0] for row in rows] if single else rows)
        return (found, aux) if has_aux else found

    return derivatives


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """The function that gives the derivatives of each result by the arguments of some positions, a row of results at a time."""
    return _derivatives("jacrev", "rev", func, argnums, has_aux)


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """Likewise, a column of the arguments' elements at a time."""
    return _derivatives("jacfwd", "fwd", func, argnums, has_aux)


def hessian(func, argnums=0):
    """The function that gives the second derivatives."""
    return jacfwd(jacrev(func, argnums), argnums)


def functionalize(func, *, remove="mutations"):
    """The function itself: what writes to tensors is transformed as all else is."""
    return func


def _batch_dims(name, in_dims, args):
    """The mapped dimension of each leaf of the arguments, and how long these are."""
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}."
        )
    leaves, treedef = flatten(args)
    if not args:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with no inputs. The latter is unsupported."
        )
    try:
        dims = _flat.spread(in_dims, args, "in_dims", ordered=True)
    except ValueError:
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of `inputs`. in_dims has structure {flatten(in_dims)[1]} but inputs has structure {treedef}."
        ) from None
    sizes = []
    for place, (leaf, dim) in enumerate(zip(leaves, dims)):
        if dim is None:
            continue
        if not isinstance(leaf, _Tensor):
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input but the input is of type {type(leaf)}. "
                "We cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {leaf.dim()} "
                f"so expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}."
            )
        dims[place] = dim % leaf.dim()
        sizes.append(leaf.shape[dims[place]])
    if not sizes:
        raise ValueError(f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): at least one input has a mapped dimension")
    if len(set(sizes)) > 1:
        raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension")
    return leaves, treedef, dims, sizes[0]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function that does with batches what a function does with their entries, each with random numbers of its own where
    ``randomness`` is "different"."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if randomness == "same":
        raise NotImplementedError("vmap: randomness='same' is not there: draw what is the same for all entries before, and give it as an argument")
    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    def mapped(leaves, treedef, dims, keywords):
        places = [place for place, dim in enumerate(dims) if dim is not None]

        def run(xs):
            whole = list(leaves)
            for place, x in zip(places, xs):
                whole[place] = tensor(x)
            state = random.default_generator.get_state() if randomness == "error" else None
            found, run.out = flatten(func(*treedef.unflatten(whole), **keywords))
            if state is not None and state.tolist() != random.default_generator.get_state().tolist():
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'different' randomness flag on vmap "
                    "or perform the randomness operation out of vmap"
                )
            for leaf in found:
                if not isinstance(leaf, _Tensor):
                    raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did you mean to set out_dims= to None for output?")
            return found

        def dims_of_results():
            try:
                return _flat.spread(out_dims, run.out.unflatten(range(run.out.num_leaves)), "out_dims", ordered=True)
            except ValueError:
                raise ValueError(
                    f"vmap({name}, ..., out_dims={out_dims}): out_dims is not compatible with the structure of `outputs`. out_dims has structure {flatten(out_dims)[1]} but outputs has structure {run.out}."
                ) from None

        given = [_ivyrs.torch_recordable(leaves[place]) for place in places]
        with _watched():
            results = _ivyrs.vmap(run, given, [dims[place] for place in places], dims_of_results)
        return [tensor(x) for x in results], run.out, dims_of_results()

    @functools.wraps(func)
    def batched(*args, **keywords):
        leaves, treedef, dims, size = _batch_dims(name, in_dims, args)
        if chunk_size is None or chunk_size >= size:
            results, out, _ = mapped(leaves, treedef, dims, keywords)
            return out.unflatten(results)
        from .. import torch

        parts = []
        for start in range(0, size, chunk_size):
            length = min(chunk_size, size - start)
            part = [x if dim is None else x.narrow(dim, start, length) for x, dim in zip(leaves, dims)]
            results, out, places = mapped(part, treedef, dims, keywords)
            parts.append(results)
        joined = [column[0] if dim is None else torch.cat(column, dim) for column, dim in zip(zip(*parts), places)]
        return out.unflatten(joined)

    return batched


ALL = dict(
    grad=grad, grad_and_value=grad_and_value, vjp=vjp, jvp=jvp, linearize=linearize, jacrev=jacrev, jacfwd=jacfwd, hessian=hessian,
    functionalize=functionalize, vmap=vmap,
)  # fmt: skip
