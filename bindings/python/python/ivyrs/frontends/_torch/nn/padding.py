"""Padding layers, and the inverses of max pools."""

from ..package import functional as _functional
from .layers import per_axis
from .module import Module


class _Pad(Module):
    """Elements around the last axes: as many on each side as ``padding`` says, for the last axis first."""

    _axes, _mode = 1, "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = per_axis(padding, 2 * self._axes)

    def forward(self, input):
        return _functional("pad")(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ConstantPad(_Pad):
    """Elements of a value around the last axes."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return _functional("pad")(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _MaxUnpool(Module):
    """The elements of a max pool at their places of before, and zeros elsewhere."""

    _axes = 1

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.padding = per_axis(kernel_size, self._axes), per_axis(padding, self._axes)
        self.stride = self.kernel_size if stride is None else per_axis(stride, self._axes)

    def forward(self, input, indices, output_size=None):
        unpool = _functional(f"max_unpool{self._axes}d")
        return unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


def _made(base, name, doc, **own):
    return type(name, (base,), {"__doc__": doc, "__module__": "ivyrs.frontends.torch.nn", **own})


CLASSES = []
for _n in (1, 2, 3):
    CLASSES += [
        _made(_ConstantPad, f"ConstantPad{_n}d", f"{_n}-D padding with a value.", _axes=_n),
        _made(_Pad, f"ZeroPad{_n}d", f"{_n}-D padding with zeros.", _axes=_n),
        _made(_Pad, f"ReflectionPad{_n}d", f"{_n}-D padding with the reflection of the input.", _axes=_n, _mode="reflect"),
        _made(_Pad, f"ReplicationPad{_n}d", f"{_n}-D padding with the elements at the boundary.", _axes=_n, _mode="replicate"),
        _made(_Pad, f"CircularPad{_n}d", f"{_n}-D padding with the other end of the input.", _axes=_n, _mode="circular"),
        _made(_MaxUnpool, f"MaxUnpool{_n}d", f"The inverse of {_n}-D max pooling.", _axes=_n),
    ]
