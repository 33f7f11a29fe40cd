"""Methods of tensors that change a tensor's own shape, and those that call a function of Python for each element."""

import inspect

from ... import _ivyrs
from .._shapes import Size

_Tensor = _ivyrs.TorchTensor
# The classes that PyTorch's `type()` names, by dtype.
_TYPES = {
    "float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor", "bfloat16": "BFloat16Tensor", "uint8": "ByteTensor",
    "int8": "CharTensor", "int16": "ShortTensor", "int32": "IntTensor", "int64": "LongTensor", "bool": "BoolTensor",
    "complex64": "ComplexFloatTensor", "complex128": "ComplexDoubleTensor",
}  # fmt: skip


def named(text):
    """The dtype of the name of a class of tensors."""
    from .. import torch

    for dtype, name in _TYPES.items():
        if text == f"torch.{name}":
            return getattr(torch, dtype)
    raise ValueError(f"invalid type: '{text}'")


def _rearranged(name, method):
    def write(self, *args, **keywords):
        if _Tensor.requires_grad.fget(self) and self.is_leaf and _is_grad_enabled():
            raise RuntimeError(f"{name}: a leaf Variable that requires grad is being used in an in-place operation.")
        if not _ivyrs.view_rearrange(self, method(self, *args, **keywords)):
            raise RuntimeError(f"{name}: the tensor has views, which would not see its new shape: use {name[:-1]} instead")
        return self

    write.__name__, write.__qualname__ = name, f"Tensor.{name}"
    write.__signature__ = inspect.signature(method)
    write.__doc__ = f"As ``{name[:-1]}``, of the tensor itself."
    return write


def _is_grad_enabled():
    from .. import torch

    return torch.is_grad_enabled()


def resize_(self, *sizes, memory_format=None):
    """Gives the tensor another shape: the first elements stay, new ones are 0."""
    given = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else sizes
    if not all(isinstance(size, int) for size in given):
        raise TypeError(f"resize_(): the sizes are {tuple(given)}: integers are needed")
    if any(size < 0 for size in given):
        raise RuntimeError(f"Trying to resize a tensor to sizes {tuple(given)}, one of which is negative")
    shape = Size(given)
    if _Tensor.requires_grad.fget(self):
        raise RuntimeError("cannot resize variables that require grad")
    flat, wanted = self.clone().reshape(-1), shape.numel()
    more = self.new_zeros(max(0, wanted - flat.numel()))
    from .. import torch

    if not _ivyrs.replace_elements(self, torch.cat([flat[:wanted], more]).reshape(shape)):
        raise RuntimeError("resize_: the tensor is a view, or has views, which would not see its new elements")
    return self


def resize_as_(self, the_template, memory_format=None):
    """As ``resize_``, to the shape of another tensor."""
    return resize_(self, the_template.shape)


def apply_(self, callable):
    """Replaces each element by what a function of Python gives for it."""
    return _replaced(self, [callable(value) for value in self.reshape(-1).tolist()])


def map_(self, tensor, callable):
    """Replaces each element by what a function of Python gives for it and the one of another tensor."""
    other = tensor.expand(self.shape).reshape(-1).tolist()
    return _replaced(self, [callable(*pair) for pair in zip(self.reshape(-1).tolist(), other)])


def _replaced(self, values):
    if _Tensor.requires_grad.fget(self):
        raise TypeError("can't call apply_() or map_() on Variable that requires grad. Use var.detach().apply_()")
    return self.copy_(self.new_tensor(values).reshape(self.shape))


def install():
    """Puts the methods into the class of tensors."""
    for name in ("t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_"):
        setattr(_Tensor, name, _rearranged(name, getattr(_Tensor, name[:-1])))
    for method in (resize_, resize_as_, apply_, map_):
        method.__qualname__ = f"Tensor.{method.__name__}"
        setattr(_Tensor, method.__name__, method)
    cast = _Tensor.type

    def type(self, dtype=None, non_blocking=False):
        """The name of the tensor's class by its dtype; with a dtype, or such a name, the tensor in that."""
        if dtype is None:
            return f"torch.{_TYPES[self.dtype.name]}"
        return cast(self, named(dtype) if isinstance(dtype, str) else dtype, non_blocking)

    type.__qualname__ = "Tensor.type"
    _Tensor.type = type
