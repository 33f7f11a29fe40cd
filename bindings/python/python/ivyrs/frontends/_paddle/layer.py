"""``paddle.autograd.PyLayer``: functions with a backward of the program's own."""

from ... import _ivyrs
from .gradients import no_grad

_Tensor = _ivyrs.PaddleTensor


class PyLayerContext:
    """What a layer's forward keeps for its backward."""

    def __init__(self):
        self._saved, self._outputs, self._stopped = (), (), ()
        self._materialize, self._node = True, None

    def save_for_backward(self, *tensors):
        """Keeps tensors, of the inputs and the outputs or others, for ``saved_tensor``."""
        self._saved = tensors

    def saved_tensor(self):
        """The tensors that were kept; outputs come back with their graph."""
        return tuple(self._restored(tensor) for tensor in self._saved)

    def _restored(self, tensor):
        if self._node is not None:
            for at, output in enumerate(self._outputs):
                if tensor is output:
                    return self._node._output(at, tensor)
        return tensor

    def mark_non_differentiable(self, *tensors):
        """Declares outputs that have no gradient."""
        self._stopped = tensors

    def mark_not_inplace(self, *args):
        """Taken, and without a meaning: tensors are values here, and no forward writes to its inputs' elements."""

    def set_materialize_grads(self, value):
        """Whether gradients that nobody asked for are tensors of zeros, as by default, or ``None``."""
        self._materialize = bool(value)


class PyLayer:
    """A function with a backward of the program's own: static methods ``forward`` and ``backward``, called by ``apply``."""

    @staticmethod
    def forward(ctx, *args, **kwargs):
        """Computes the outputs of the inputs."""
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx, *args):
        """The gradients of the inputs that are tensors, of those of the outputs that are."""
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, *args, **kwargs):
        """Calls the function and records it."""
        ctx = PyLayerContext()
        with no_grad():
            result = cls.forward(ctx, *args, **kwargs)
        outputs = list(result) if isinstance(result, (tuple, list)) else [result]
        places = [i for i, x in enumerate(outputs) if isinstance(x, _Tensor)]
        if not places:
            raise TypeError(f"{cls.__name__}.forward: at least one output is a Tensor, of {len(outputs)} none is")
        ctx._outputs = tuple(outputs[i] for i in places)
        records = [not any(x is other for other in ctx._stopped) for x in ctx._outputs]
        inputs = [x for x in (*args, *kwargs.values()) if isinstance(x, _Tensor)]
        made = _ivyrs.graph_custom("paddle", cls.__name__, inputs, list(ctx._outputs), records, cls._pullback(ctx, inputs))
        for i, tensor in zip(places, made, strict=True):
            outputs[i] = tensor
        return type(result)(outputs) if isinstance(result, (tuple, list)) else outputs[0]

    @classmethod
    def _pullback(cls, ctx, inputs):
        shapes = [tuple(x.shape) for x in inputs]
        outputs = [(tuple(x.shape), x.dtype) for x in ctx._outputs]

        def pullback(node, gradients):
            from .. import paddle

            ctx._node = node
            if ctx._materialize:
                gradients = [paddle.zeros(shape, dtype=dtype) if g is None else g for g, (shape, dtype) in zip(gradients, outputs, strict=True)]
            found = cls.backward(ctx, *gradients)
            found = list(found) if isinstance(found, (tuple, list)) else [found]
            if len(found) != len(inputs):
                raise ValueError(f"{cls.__name__}.backward gives {len(found)} gradients; forward took {len(inputs)} tensors")
            for at, (gradient, shape) in enumerate(zip(found, shapes, strict=True)):
                if isinstance(gradient, _Tensor) and tuple(gradient.shape) != shape:
                    raise ValueError(f"{cls.__name__}.backward: gradient {at} has shape {list(gradient.shape)}, its tensor {list(shape)}")
            return found

        return pullback
