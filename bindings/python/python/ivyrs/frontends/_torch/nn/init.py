"""``torch.nn.init``: first values of parameters, written in place.

X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010; K. He et al., "Delving
deep into rectifiers", 2015; A. Saxe et al., "Exact solutions to the nonlinear dynamics of learning", 2013.
"""

import math

from ..package import torch as _torch

def _filled(tensor, fill):
    torch = _torch()
    with torch.no_grad():
        fill(tensor)
    return tensor


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Numbers from a to b, equally likely."""
    return _filled(tensor, lambda x: x.uniform_(a, b, generator=generator))


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Numbers of a normal distribution."""
    return _filled(tensor, lambda x: x.normal_(mean, std, generator=generator))


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Numbers of a normal distribution within bounds: by the inverse of its distribution function."""
    torch = _torch()
    low, high = ((1 + math.erf((bound - mean) / std / math.sqrt(2))) / 2 for bound in (a, b))

    def fill(x):
        x.uniform_(2 * low - 1, 2 * high - 1, generator=generator)
        x.copy_((torch.special.erfinv(x) * (std * math.sqrt(2)) + mean).clamp(a, b))

    return _filled(tensor, fill)


def constant_(tensor, val):
    """One number."""
    return _filled(tensor, lambda x: x.fill_(val))


def zeros_(tensor):
    """Zeros."""
    return constant_(tensor, 0.0)


def ones_(tensor):
    """Ones."""
    return constant_(tensor, 1.0)


def eye_(tensor):
    """The identity."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _filled(tensor, lambda x: x.copy_(_torch().eye(*x.shape)))


def dirac_(tensor, groups=1):
    """Filters that give their inputs: a 1 in the midst of each."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")

    def fill(x):
        x.zero_()
        each = x.shape[0] // groups
        middle = tuple(n // 2 for n in x.shape[2:])
        for group in range(groups):
            for i in range(min(each, x.shape[1])):
                x[(group * each + i, i, *middle)] = 1

    return _filled(tensor, fill)


def calculate_gain(nonlinearity, param=None):
    """The factor by which an activation is to be made up for."""
    linear = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid")
    if nonlinearity in linear:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def fans(tensor):
    """How many inputs and outputs an element has to do with."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Glorot's uniform distribution: up to gain sqrt(6 / (inputs + outputs))."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Glorot's normal distribution: of the deviation gain sqrt(2 / (inputs + outputs))."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))), generator)


def _deviation(tensor, a, mode, nonlinearity):
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """He's uniform distribution: up to gain sqrt(3 / fan)."""
    bound = math.sqrt(3.0) * _deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """He's normal distribution: of the deviation gain / sqrt(fan)."""
    return normal_(tensor, 0.0, _deviation(tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor, gain=1, generator=None):
    """Orthonormal rows or columns: those of the QR decomposition of normal numbers."""
    torch = _torch()
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    flat = torch.randn(max(rows, columns), min(rows, columns), generator=generator)
    q, r = torch.linalg.qr(flat)
    q = q * torch.diagonal(r).sign()
    return _filled(tensor, lambda x: x.copy_(((q.T if rows < columns else q) * gain).reshape(tensor.shape)))


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal numbers, of which a share in each column is 0."""
    torch = _torch()
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    none = math.ceil(sparsity * rows)

    def fill(x):
        x.normal_(0, std, generator=generator)
        for column in range(columns):
            x[torch.randperm(rows, generator=generator)[:none], column] = 0

    return _filled(tensor, fill)


FUNCTIONS = {name: value for name, value in dict(vars()).items() if name.endswith("_") and not name.startswith("_")}
FUNCTIONS["calculate_gain"] = calculate_gain
