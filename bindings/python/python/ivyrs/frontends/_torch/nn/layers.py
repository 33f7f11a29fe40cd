"""Linear and convolutional layers, normalisations, pools, dropout, and what changes shapes."""

import math

from ..package import functional as _functional, torch as _torch
from . import init
from .module import Module, Parameter


def per_axis(value, n):
    """A value for each of so many axes: those given, or one for all."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class Identity(Module):
    """Gives what it is given."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    """An affine map: x W^T + b, with W of shape (outputs, inputs)."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        torch = _torch()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(torch.empty((out_features, in_features), dtype=dtype))
        self.register_parameter("bias", Parameter(torch.empty(out_features, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """First values: uniform, up to 1 / sqrt(inputs)."""
        _reset(self)

    def forward(self, input):
        return _functional("linear")(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


def _reset(module):
    init.kaiming_uniform_(module.weight, a=math.sqrt(5))
    if module.bias is not None:
        inputs = init.fans(module.weight)[0]
        bound = 1 / math.sqrt(inputs) if inputs else 0
        init.uniform_(module.bias, -bound, bound)


class Bilinear(Module):
    """A bilinear map of two inputs: x1^T W x2 + b."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        torch = _torch()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(torch.empty((out_features, in1_features, in2_features), dtype=dtype))
        self.register_parameter("bias", Parameter(torch.empty(out_features, dtype=dtype)) if bias else None)
        bound = 1 / math.sqrt(in1_features)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def forward(self, input1, input2):
        return _functional("bilinear")(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        names = ("in1_features", "in2_features", "out_features")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names) + f", bias={self.bias is not None}"


class _Conv(Module):
    _axes, _transposed = 0, False

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
        device=None, dtype=None,
    ):
        super().__init__()
        self._make(in_channels, out_channels, kernel_size, stride, padding, 0, dilation, groups, bias, padding_mode, dtype)

    def _make(
        self, in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation, groups, bias, padding_mode, dtype
    ):
        torch, n = _torch(), self._axes
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(f"padding_mode must be one of ('zeros', 'reflect', 'replicate', 'circular'), but got padding_mode='{padding_mode}'")
        self.in_channels, self.out_channels, self.groups, self.padding_mode = in_channels, out_channels, groups, padding_mode
        self.kernel_size, self.stride, self.dilation = per_axis(kernel_size, n), per_axis(stride, n), per_axis(dilation, n)
        self.padding = padding if isinstance(padding, str) else per_axis(padding, n)
        self.output_padding = per_axis(output_padding, n)
        channels = (in_channels, out_channels // groups) if self._transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(torch.empty((*channels, *self.kernel_size), dtype=dtype))
        self.register_parameter("bias", Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """First values: uniform, up to 1 / sqrt(inputs of an output)."""
        _reset(self)

    def forward(self, input):
        padding = self.padding
        if self.padding_mode != "zeros" and not isinstance(padding, str):
            around = [side for length in reversed(padding) for side in (length, length)]
            input, padding = _functional("pad")(input, around, mode=self.padding_mode), 0
        return _functional(f"conv{self._axes}d")(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self):
        n = self._axes
        parts = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"]
        if self.padding != (0,) * n:
            parts.append(f"padding={self.padding}")
        if self.dilation != (1,) * n:
            parts.append(f"dilation={self.dilation}")
        if self.output_padding != (0,) * n:
            parts.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)


class _ConvTranspose(_Conv):
    _transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
        padding_mode="zeros", device=None, dtype=None,
    ):
        Module.__init__(self)
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._make(in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation, groups, bias, padding_mode, dtype)

    def forward(self, input):
        return _functional(f"conv_transpose{self._axes}d")(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


class _BatchNorm(Module):
    _ndims = ()

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        torch = _torch()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.register_parameter("weight", Parameter(torch.ones(num_features, dtype=dtype)) if affine else None)
        self.register_parameter("bias", Parameter(torch.zeros(num_features, dtype=dtype)) if affine and bias else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", torch.zeros(num_features, dtype=dtype) if tracked else None)
        self.register_buffer("running_var", torch.ones(num_features, dtype=dtype) if tracked else None)
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.int64) if tracked else None)

    def _check(self, input):
        if input.ndim not in self._ndims:
            wanted = " or ".join(f"{n}D" for n in self._ndims)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def forward(self, input):
        self._check(input)
        training = self.training or self.running_mean is None
        if self.training and self.track_running_stats:
            self._track(input)
        return _functional("batch_norm")(
            input, None if training else self.running_mean, None if training else self.running_var, self.weight, self.bias, training,
            0.0, self.eps,
        )

    def _track(self, input):
        """Running means and unbiased variances, by the momentum, or without one over all batches."""
        torch = _torch()
        with torch.no_grad():
            self.num_batches_tracked.add_(1)
            share = 1.0 / self.num_batches_tracked.item() if self.momentum is None else self.momentum
            axes = [axis for axis in range(input.ndim) if axis != 1]
            values = input.detach()
            self.running_mean.mul_(1 - share).add_(values.mean(dim=axes), alpha=share)
            self.running_var.mul_(1 - share).add_(values.var(dim=axes, unbiased=True), alpha=share)

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, bias={self.bias is not None}, "
            f"track_running_stats={self.track_running_stats}"
        )


class _InstanceNorm(_BatchNorm):
    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias=True
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        self._check(input)
        whole = input.ndim == min(self._ndims)
        x = input[None] if whole else input
        own = self.training or not self.track_running_stats
        if own and self.track_running_stats:
            torch = _torch()
            with torch.no_grad():
                axes = list(range(2, x.ndim))
                self.running_mean.mul_(1 - self.momentum).add_(x.detach().mean(dim=axes).mean(dim=0), alpha=self.momentum)
                self.running_var.mul_(1 - self.momentum).add_(x.detach().var(dim=axes).mean(dim=0), alpha=self.momentum)
        found = _functional("instance_norm")(
            x, None if own else self.running_mean, None if own else self.running_var, self.weight, self.bias, own, 0.0, self.eps
        )
        return found[0] if whole else found


class LayerNorm(Module):
    """Layer normalisation over the last axes."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        torch = _torch()
        self.normalized_shape = per_axis(normalized_shape, 1)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.register_parameter("weight", Parameter(torch.ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None)
        both = elementwise_affine and bias
        self.register_parameter("bias", Parameter(torch.zeros(self.normalized_shape, dtype=dtype)) if both else None)

    def forward(self, input):
        return _functional("layer_norm")(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        bias = f", bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}{bias}"


class RMSNorm(Module):
    """Normalisation by the root mean square over the last axes."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        torch = _torch()
        self.normalized_shape = per_axis(normalized_shape, 1)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.register_parameter("weight", Parameter(torch.ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None)

    def forward(self, input):
        return _functional("rms_norm")(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Normalisation over groups of channels."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        torch = _torch()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.register_parameter("weight", Parameter(torch.ones(num_channels, dtype=dtype)) if affine else None)
        self.register_parameter("bias", Parameter(torch.zeros(num_channels, dtype=dtype)) if affine and bias else None)

    def forward(self, input):
        return _functional("group_norm")(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"


class _Dropout(Module):
    _name = "dropout"

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return _functional(self._name)(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Dropout of elements, while training."""


class _MaxPool(Module):
    _axes = 0

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation, self.return_indices, self.ceil_mode = padding, dilation, return_indices, ceil_mode

    def forward(self, input):
        pool = _functional(f"max_pool{self._axes}d")
        return pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode, return_indices=self.return_indices
        )

    def extra_repr(self):
        names = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)


class _AvgPool(Module):
    _axes = 0

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        n = self._axes
        of = (lambda value: per_axis(value, 1)) if n == 1 else (lambda value: value)
        self.kernel_size, self.stride, self.padding = of(kernel_size), of(kernel_size if stride is None else stride), of(padding)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input):
        pool = _functional(f"avg_pool{self._axes}d")
        return pool(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AdaptivePool(Module):
    _name = ""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return _functional(self._name)(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class Flatten(Module):
    """Several axes as one."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """One axis as several."""

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class Upsample(Module):
    """Resampling to a size, or by a factor."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        several = isinstance(scale_factor, (tuple, list))
        self.scale_factor = tuple(map(float, scale_factor)) if several else float(scale_factor) if scale_factor else None
        self.size, self.mode, self.align_corners, self.recompute_scale_factor = size, mode, align_corners, recompute_scale_factor

    def forward(self, input):
        interpolate = _functional("interpolate")
        return interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)

    def extra_repr(self):
        of = f"scale_factor={self.scale_factor}" if self.scale_factor is not None else f"size={self.size}"
        return f"{of}, mode='{self.mode}'"


class UpsamplingNearest2d(Upsample):
    """Resampling of images by the nearest pixel."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Resampling of images by bilinear interpolation between their corners."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along an axis."""

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1, x2):
        return _functional("cosine_similarity")(x1, x2, self.dim, self.eps)


def _of_axes(base, name, doc, **own):
    return type(name, (base,), {"__doc__": doc, "__module__": "ivyrs.frontends.torch.nn", **own})


CLASSES = [
    Identity, Linear, Bilinear, LayerNorm, RMSNorm, GroupNorm, Flatten, Unflatten, Upsample, UpsamplingNearest2d,
    UpsamplingBilinear2d, CosineSimilarity,
]  # fmt: skip
for _n in (1, 2, 3):
    CLASSES += [
        _of_axes(_Conv, f"Conv{_n}d", f"Convolution over {_n} axes.", _axes=_n),
        _of_axes(_ConvTranspose, f"ConvTranspose{_n}d", f"Transposed convolution over {_n} axes.", _axes=_n),
        _of_axes(_BatchNorm, f"BatchNorm{_n}d", "Batch normalisation of channels.", _ndims=(2, 3) if _n == 1 else (_n + 2,)),
        _of_axes(_InstanceNorm, f"InstanceNorm{_n}d", "Normalisation of each channel of each example.", _ndims=(_n + 1, _n + 2)),
        _of_axes(_MaxPool, f"MaxPool{_n}d", f"Max pooling over {_n} axes.", _axes=_n),
        _of_axes(_AvgPool, f"AvgPool{_n}d", f"Average pooling over {_n} axes.", _axes=_n),
        _of_axes(_AdaptivePool, f"AdaptiveAvgPool{_n}d", "Average pooling to a size.", _name=f"adaptive_avg_pool{_n}d"),
        _of_axes(_AdaptivePool, f"AdaptiveMaxPool{_n}d", "Max pooling to a size.", _name=f"adaptive_max_pool{_n}d"),
        _of_axes(_Dropout, f"Dropout{_n}d", "Dropout of whole channels.", _name=f"dropout{_n}d"),
    ]
CLASSES += [
    Dropout,
    _of_axes(_Dropout, "AlphaDropout", "Dropout that keeps mean and variance of what SELU gives.", _name="alpha_dropout"),
]
