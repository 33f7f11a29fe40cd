"""``torch.utils.checkpoint``: what a function computes is not kept for the backward pass, but computed again."""

from contextlib import ExitStack

from ... import _ivyrs
from .._trees import flatten_ordered as flatten
from . import random
from .functional_call import with_values
from .nn.containers import Sequential
from .nn.module import Module
from .transformations import Traced

_Tensor = _ivyrs.TorchTensor


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, determinism_check="default", debug=False, context_fn=None, early_stop=True, **kwargs):
    """Calls a function whose inner values are computed again when gradients are taken, and not kept.

    The function is a module, a method of one, or a function whose arguments are all that it has gradients by. Random numbers are the
    same in both passes with ``preserve_rng_state``; what a module writes to its buffers counts once.
    """
    if context_fn is not None:
        raise NotImplementedError("checkpoint: context_fn is not there: both passes run in the same context")
    module = function if isinstance(function, Module) else getattr(function, "__self__", None)
    parameters = dict(module.named_parameters()) if isinstance(module, Module) else {}
    leaves, treedef = flatten((args, kwargs))
    places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, _Tensor)]
    state = random.get_rng_state() if preserve_rng_state else None
    calls = []

    def of(*tensors):
        whole = list(leaves)
        for place, x in zip(places, tensors):
            whole[place] = x
        given, named = treedef.unflatten(whole)
        values = dict(zip(parameters, tensors[len(places) :]))
        with ExitStack() as stack:
            if calls and state is not None:
                stack.enter_context(random.fork_rng())
                random.set_rng_state(state)
            if parameters:
                buffers = {name: x.clone() for name, x in module.named_buffers()} if calls else {}
                stack.enter_context(with_values(module, {**values, **buffers}, keeps_buffers=not calls))
            calls.append(True)
            return function(*given, **named)

    arrays = [*(leaves[place] for place in places), *parameters.values()]
    traced = Traced(of, flatten(tuple(arrays))[1])
    return traced.result(_ivyrs.checkpoint(traced, arrays))


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Calls modules one after the other, in segments that are checkpointed but for the last."""
    functions = list(functions.children()) if isinstance(functions, Module) else list(functions)
    size = len(functions) // segments
    starts = [n * size for n in range(segments)]
    for first, last in zip(starts, starts[1:]):
        input = checkpoint(Sequential(*functions[first:last]), input, use_reentrant=use_reentrant, **kwargs)
    return Sequential(*functions[starts[-1] :])(input)


ALL = dict(checkpoint=checkpoint, checkpoint_sequential=checkpoint_sequential)
