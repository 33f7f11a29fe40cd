"""Activations and losses: modules that are one function with settings."""

import inspect

from ..package import torch as _torch
from .module import Module, Parameter


def _parameters(settings):
    return [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value) for name, value in settings.items()]


def _init(cls):
    def __init__(self, *args, **kwargs):
        super(cls, self).__init__(*args, **kwargs)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([own, *_parameters(cls._settings)])
    __init__.__qualname__ = f"{cls.__name__}.__init__"
    return __init__


class Function(Module):
    """A module that is a function of the table: ``_function`` by name, with the settings in ``_settings`` as keywords."""

    _function, _settings, _shown = "", {}, ()

    def __init_subclass__(cls):
        # What help and type checkers see of the settings.
        if cls._settings and "__init__" not in vars(cls):
            cls.__init__ = _init(cls)

    def __init__(self, *args, **kwargs):
        super().__init__()
        try:
            bound = inspect.Signature(_parameters(self._settings)).bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            setattr(self, name, value)

    def forward(self, *inputs):
        torch = _torch()
        function = getattr(torch.nn.functional, self._function, None) if self._function else None
        return function(*inputs, **{name: getattr(self, name) for name in self._settings})

    def extra_repr(self):
        if self._shown == ("lambd",):
            return str(self.lambd)
        # PyTorch says nothing of the two that are piecewise linear by a sigmoid's name.
        inplace = ("inplace",) if getattr(self, "inplace", False) and self._function not in ("hardswish", "hardsigmoid") else ()
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in (*self._shown, *inplace))


class Loss(Function):
    """A loss: weights are buffers."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("weight", "pos_weight"):
            if name in self._settings:
                value = vars(self).pop(name, None)
                self.register_buffer(name, value)


class PReLU(Module):
    """A rectifier whose slope below 0 is a parameter."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(_torch().full((num_parameters,), init, dtype=dtype))

    def forward(self, input):
        return _torch().nn.functional.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class Softmax2d(Module):
    """The softmax over the channels at each place."""

    def forward(self, input):
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return _torch().nn.functional.softmax(input, -3)


class RReLU(Function):
    """A rectifier whose slope below 0 is drawn anew for each element in training, and the mean of its bounds otherwise."""

    _function, _settings, _shown = "rrelu", {"lower": 1.0 / 8, "upper": 1.0 / 3, "inplace": False}, ("lower", "upper")

    def forward(self, input):
        return _torch().nn.functional.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class LocalResponseNorm(Function):
    """Normalisation by the squares of neighbouring channels."""

    _function, _settings = "local_response_norm", {"size": inspect.Parameter.empty, "alpha": 1e-4, "beta": 0.75, "k": 1.0}

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class TripletMarginWithDistanceLoss(Module):
    """How much nearer an anchor is to a positive than to a negative, by a distance of the program's own."""

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__()
        if margin <= 0:
            raise ValueError(f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead")
        self.distance_function = _torch().nn.functional.pairwise_distance if distance_function is None else distance_function
        self.margin, self.swap, self.reduction = margin, swap, reduction

    def forward(self, anchor, positive, negative):
        torch = _torch()
        near, far = self.distance_function(anchor, positive), self.distance_function(anchor, negative)
        if self.swap:
            far = torch.minimum(far, self.distance_function(positive, negative))
        loss = torch.clamp(near - far + self.margin, min=0)
        if self.reduction not in ("none", "mean", "sum"):
            raise ValueError(f"{self.reduction} is not a valid value for reduction")
        return loss if self.reduction == "none" else getattr(loss, self.reduction)()


_NEEDED = inspect.Parameter.empty
# Class, function, settings with their defaults, those that the text shows.
_ACTIVATIONS = [
    ("ReLU", "relu", {"inplace": False}, ()), ("ReLU6", "relu6", {"inplace": False}, ()),
    ("ELU", "elu", {"alpha": 1.0, "inplace": False}, ("alpha",)), ("SELU", "selu", {"inplace": False}, ()),
    ("CELU", "celu", {"alpha": 1.0, "inplace": False}, ("alpha",)),
    ("LeakyReLU", "leaky_relu", {"negative_slope": 0.01, "inplace": False}, ("negative_slope",)),
    ("Hardtanh", "hardtanh", {"min_val": -1.0, "max_val": 1.0, "inplace": False}, ("min_val", "max_val")),
    ("Hardswish", "hardswish", {"inplace": False}, ()), ("Hardsigmoid", "hardsigmoid", {"inplace": False}, ()),
    ("Hardshrink", "hardshrink", {"lambd": 0.5}, ("lambd",)), ("Softshrink", "softshrink", {"lambd": 0.5}, ("lambd",)),
    ("Tanhshrink", "tanhshrink", {}, ()), ("Threshold", "threshold", {"threshold": _NEEDED, "value": _NEEDED, "inplace": False}, ("threshold", "value")),
    ("GELU", "gelu", {"approximate": "none"}, ("approximate",)), ("SiLU", "silu", {"inplace": False}, ()),
    ("Mish", "mish", {"inplace": False}, ()), ("Softplus", "softplus", {"beta": 1.0, "threshold": 20.0}, ("beta", "threshold")),
    ("Softsign", "softsign", {}, ()), ("Sigmoid", "sigmoid", {}, ()), ("Tanh", "tanh", {}, ()), ("LogSigmoid", "logsigmoid", {}, ()),
    ("GLU", "glu", {"dim": -1}, ("dim",)), ("Softmax", "softmax", {"dim": None}, ("dim",)), ("Softmin", "softmin", {"dim": None}, ("dim",)),
    ("LogSoftmax", "log_softmax", {"dim": None}, ("dim",)),
]  # fmt: skip
# Layers that are functions, likewise.
_WINDOWS = {"kernel_size": _NEEDED, "dilation": 1, "padding": 0, "stride": 1}
_LAYERS = [
    ("Fold", "fold", {"output_size": _NEEDED, **_WINDOWS}, ("output_size", *_WINDOWS)), ("Unfold", "unfold", _WINDOWS, tuple(_WINDOWS)),
    ("PixelShuffle", "pixel_shuffle", {"upscale_factor": _NEEDED}, ("upscale_factor",)),
    ("PixelUnshuffle", "pixel_unshuffle", {"downscale_factor": _NEEDED}, ("downscale_factor",)),
    ("ChannelShuffle", "channel_shuffle", {"groups": _NEEDED}, ("groups",)),
    ("PairwiseDistance", "pairwise_distance", {"p": 2.0, "eps": 1e-6, "keepdim": False}, ()),
]  # fmt: skip
_POOL = {"norm_type": _NEEDED, "kernel_size": _NEEDED, "stride": None, "ceil_mode": False}
_LAYERS += [(f"LPPool{n}d", f"lp_pool{n}d", _POOL, tuple(_POOL)) for n in (1, 2, 3)]
_OLD = {"size_average": None, "reduce": None}
_LOSSES = [
    ("L1Loss", "l1_loss", {**_OLD, "reduction": "mean"}), ("MSELoss", "mse_loss", {**_OLD, "reduction": "mean"}),
    ("HuberLoss", "huber_loss", {"reduction": "mean", "delta": 1.0}),
    ("SmoothL1Loss", "smooth_l1_loss", {**_OLD, "reduction": "mean", "beta": 1.0}),
    (
        "CrossEntropyLoss", "cross_entropy",
        {"weight": None, "size_average": None, "ignore_index": -100, "reduce": None, "reduction": "mean", "label_smoothing": 0.0},
    ),
    ("NLLLoss", "nll_loss", {"weight": None, "size_average": None, "ignore_index": -100, "reduce": None, "reduction": "mean"}),
    ("BCELoss", "binary_cross_entropy", {"weight": None, **_OLD, "reduction": "mean"}),
    ("BCEWithLogitsLoss", "binary_cross_entropy_with_logits", {"weight": None, **_OLD, "reduction": "mean", "pos_weight": None}),
    ("KLDivLoss", "kl_div", {**_OLD, "reduction": "mean", "log_target": False}),
    ("PoissonNLLLoss", "poisson_nll_loss", {"log_input": True, "full": False, "size_average": None, "eps": 1e-8, "reduce": None, "reduction": "mean"}),
    ("GaussianNLLLoss", "gaussian_nll_loss", {"full": False, "eps": 1e-6, "reduction": "mean"}),
    ("HingeEmbeddingLoss", "hinge_embedding_loss", {"margin": 1.0, **_OLD, "reduction": "mean"}),
    ("CosineEmbeddingLoss", "cosine_embedding_loss", {"margin": 0.0, **_OLD, "reduction": "mean"}),
    ("MarginRankingLoss", "margin_ranking_loss", {"margin": 0.0, **_OLD, "reduction": "mean"}),
    ("MultiLabelMarginLoss", "multilabel_margin_loss", {**_OLD, "reduction": "mean"}),
    ("MultiLabelSoftMarginLoss", "multilabel_soft_margin_loss", {"weight": None, **_OLD, "reduction": "mean"}),
    ("MultiMarginLoss", "multi_margin_loss", {"p": 1, "margin": 1.0, "weight": None, **_OLD, "reduction": "mean"}),
    ("SoftMarginLoss", "soft_margin_loss", {**_OLD, "reduction": "mean"}),
    ("TripletMarginLoss", "triplet_margin_loss", {"margin": 1.0, "p": 2.0, "eps": 1e-6, "swap": False, **_OLD, "reduction": "mean"}),
    ("CTCLoss", "ctc_loss", {"blank": 0, "reduction": "mean", "zero_infinity": False}),
]  # fmt: skip


def _made(base, name, function, settings, shown=()):
    doc = f"The function ``torch.nn.functional.{function}`` as a module."
    own = {"_function": function, "_settings": settings, "_shown": shown, "__doc__": doc, "__module__": "ivyrs.frontends.torch.nn"}
    return type(name, (base,), own)


CLASSES = [PReLU, Softmax2d, RReLU, LocalResponseNorm, TripletMarginWithDistanceLoss]
CLASSES += [_made(Function, *row) for row in _ACTIVATIONS + _LAYERS] + [_made(Loss, *row) for row in _LOSSES]
