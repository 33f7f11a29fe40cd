"""``paddle.autograd.PyLayer``: functions with a backward of the program's own."""

from ... import _ivyrs
from .._custom_functions import Context, as_list, record
from .._grad_modes import no_grad

_Tensor = _ivyrs.PaddleTensor


class PyLayerContext(Context):
    """What a layer's forward keeps for its backward."""

    def saved_tensor(self):
        """The tensors that were kept; outputs come back with their graph."""
        return self._restored()

    def mark_not_inplace(self, *args):
        """Taken, and without a meaning: tensors are values here, and no forward writes to its inputs' elements."""


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
        outputs = as_list(result)
        if not any(isinstance(x, _Tensor) for x in outputs):
            raise TypeError(f"{cls.__name__}.forward: at least one output is a Tensor, of {len(outputs)} none is")
        inputs = [x for x in (*args, *kwargs.values()) if isinstance(x, _Tensor)]
        from .. import paddle

        made = record(paddle, cls.__name__, ctx, inputs, outputs, cls._gradients(ctx, inputs))
        return type(result)(made) if isinstance(result, (tuple, list)) else made[0]

    @classmethod
    def _gradients(cls, ctx, inputs):
        """The gradients of the inputs that are tensors, of those of the outputs."""
        shapes = [tuple(x.shape) for x in inputs]

        def gradients(of_outputs):
            found = as_list(cls.backward(ctx, *of_outputs))
            if len(found) != len(inputs):
                raise ValueError(f"{cls.__name__}.backward gives {len(found)} gradients; forward took {len(inputs)} tensors")
            for at, (gradient, shape) in enumerate(zip(found, shapes, strict=True)):
                if isinstance(gradient, _Tensor) and tuple(gradient.shape) != shape:
                    raise ValueError(f"{cls.__name__}.backward: gradient {at} has shape {list(gradient.shape)}, its tensor {list(shape)}")
            return found

        return gradients
