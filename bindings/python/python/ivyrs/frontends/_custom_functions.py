"""Functions with a backward of the program's own, as PyTorch's ``Function`` and Paddle's ``PyLayer`` are: their contexts and their nodes."""

from .. import _ivyrs


class Context:
    """What a function's forward keeps for its backward."""

    def __init__(self):
        self._saved, self._outputs, self._non_differentiable = (), (), ()
        self._materialize, self._node = True, None

    def save_for_backward(self, *tensors):
        """Keeps tensors, of the inputs and the outputs or others, for the backward."""
        self._saved = tensors

    def mark_non_differentiable(self, *tensors):
        """Declares outputs that have no gradient."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value):
        """Whether gradients that nobody asked for are tensors of zeros, as by default, or ``None``."""
        self._materialize = bool(value)

    def _restored(self):
        """The tensors that were kept; outputs come back with their graph."""
        return tuple(map(self._with_graph, self._saved))

    def _with_graph(self, tensor):
        if self._node is not None:
            for at, output in enumerate(self._outputs):
                if tensor is output:
                    return self._node._output(at, tensor)
        return tensor


def record(module, name, ctx, inputs, outputs, backward):
    """Records the tensors among the outputs as the results of one node of a framework's graph; gives all outputs as a list.

    ``backward`` is called in the walk: with the gradients of those tensors, for a list of those of the inputs, tensors all of them.
    """
    places = [i for i, x in enumerate(outputs) if isinstance(x, module.Tensor)]
    ctx._outputs = tuple(outputs[i] for i in places)
    forms = [(tuple(x.shape), x.dtype) for x in ctx._outputs]
    records = [not any(x is other for other in ctx._non_differentiable) for x in ctx._outputs]

    def pullback(node, gradients):
        ctx._node = node
        if ctx._materialize:
            gradients = [module.zeros(shape, dtype=dtype) if g is None else g for g, (shape, dtype) in zip(gradients, forms, strict=True)]
        return backward(gradients)

    frontend = module.__name__.rpartition(".")[2]
    made = _ivyrs.graph_custom(frontend, name, inputs, list(ctx._outputs), records, pullback)
    given = list(outputs)
    for i, tensor in zip(places, made, strict=True):
        given[i] = tensor
    return given


def as_list(found):
    """The gradients that a backward gave: a tuple or a list of them, or one."""
    return list(found) if isinstance(found, (tuple, list)) else [found]
