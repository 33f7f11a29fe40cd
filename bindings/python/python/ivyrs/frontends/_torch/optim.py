"""``torch.optim``: optimisers, each step written in place into the parameters.

Momentum: I. Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013. Adam: D. Kingma and J. Ba,
2015. AdamW: I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", 2019. RMSprop: G. Hinton, lecture 6e, 2012.
Adagrad: J. Duchi et al., 2011.

``foreach``, ``fused`` and ``capturable`` choose between implementations in PyTorch, and have no meaning here; ``differentiable``, which has
steps recorded, is refused.
"""

import functools
from collections import defaultdict

from ... import _ivyrs
from .nn.module import Handle
from .package import torch as _torch

Tensor = _ivyrs.TorchTensor


def _hooked(step):
    """A step with the optimiser's hooks around it."""

    @functools.wraps(step)
    def hooked(self, *args, **kwargs):
        if self._is_stepping:
            # A class that overrides `step` calls this one: the hooks stand around its own.
            return step(self, *args, **kwargs)
        for hook in list(self._before_step.values()):
            given = hook(self, args, kwargs)
            if given is not None:
                if not (isinstance(given, tuple) and len(given) == 2):
                    raise RuntimeError(f"{type(self).__name__}: a hook before steps gives None or (arguments, keywords), not {given!r}")
                args, kwargs = given
        self._is_stepping = True
        try:
            result = step(self, *args, **kwargs)
        finally:
            self._is_stepping = False
        for hook in list(self._after_step.values()):
            hook(self, args, kwargs)
        return result

    return hooked


class Optimizer:
    """Parameters in groups, each with settings, and a state for each parameter."""

    # The rule of steps, by its name in Rust.
    _rule = None
    _is_stepping = False

    def __init__(self, params, defaults):
        if isinstance(params, Tensor):
            raise TypeError(f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {type(params).__name__}")
        self.defaults, self.state, self.param_groups = defaults, defaultdict(dict), []
        self._before_step, self._after_step = {}, {}
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        """Adds parameters with settings of their own; what is not given is as for the others."""
        params = param_group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        known = {id(p) for group in self.param_groups for p in group["params"]}
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if not (p.is_leaf or p.requires_grad is False):
                raise ValueError("can't optimize a non-leaf Tensor")
            if id(p) in known:
                raise ValueError("some parameters appear in more than one parameter group")
            known.add(id(p))
        self.param_groups.append({**self.defaults, **param_group, "params": params})

    def zero_grad(self, set_to_none=True):
        """Forgets the derivatives, or makes them 0."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad = None if set_to_none else p.grad * 0

    @_hooked
    def step(self, closure=None):
        """Changes the parameters by their derivatives. The closure computes these again and gives the loss."""
        torch = _torch()
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        if self._rule is None:
            raise NotImplementedError(f"{type(self).__name__} has no step")
        with torch.no_grad():
            for group in self.param_groups:
                _ivyrs.torch_optimizer_update(self._rule, group, group["params"], self.state)
        return loss

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "step" in vars(cls):
            cls.step = _hooked(cls.step)

    def register_step_pre_hook(self, hook):
        """Calls a function before each step with the optimiser, the step's arguments and its keywords; it may give other ones."""
        return Handle(self._before_step, hook)

    def register_step_post_hook(self, hook):
        """Calls a function after each step with the optimiser, the step's arguments and its keywords."""
        return Handle(self._after_step, hook)

    def state_dict(self):
        """Settings and states: parameters by their numbers."""
        order = [id(p) for group in self.param_groups for p in group["params"]]
        numbers = {key: i for i, key in enumerate(order)}
        groups = [{**group, "params": [numbers[id(p)] for p in group["params"]]} for group in self.param_groups]
        return {"state": {numbers[key]: dict(state) for key, state in self.state.items() if key in numbers}, "param_groups": groups}

    def load_state_dict(self, state_dict):
        """Takes settings and states over."""
        groups = state_dict["param_groups"]
        if [len(group["params"]) for group in groups] != [len(group["params"]) for group in self.param_groups]:
            raise ValueError("loaded state dict has a different number of parameter groups or parameters")
        order = [p for group in self.param_groups for p in group["params"]]
        for own, group in zip(self.param_groups, groups):
            own.update({name: value for name, value in group.items() if name != "params"})
        own = {id(order[i]): {name: _copied(value) for name, value in state.items()} for i, state in state_dict["state"].items()}
        self.state = defaultdict(dict, own)

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def _copied(value):
    if isinstance(value, list):
        return [_copied(one) for one in value]
    return value.clone() if isinstance(value, Tensor) else value


def checked(differentiable, lr, **least):
    """Refuses negative settings and steps that are to be recorded."""
    if differentiable:
        raise NotImplementedError("differentiable=True: steps are not recorded")
    if not lr >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    for name, value in least.items():
        if not value >= 0.0:
            raise ValueError(f"Invalid {name} value: {value}")


def checked_betas(betas):
    """Refuses decays of moving averages outside [0, 1)."""
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum, Nesterov's if wanted."""

    _rule = "SGD"

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None):
        checked(differentiable, lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        given = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov, maximize=maximize)
        super().__init__(params, given)


class Adam(Optimizer):
    """Adam; with ``amsgrad`` by the greatest second moment so far."""

    _rule = "Adam"

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None):
        checked(differentiable, lr, epsilon=eps, weight_decay=weight_decay)
        checked_betas(betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))


class AdamW(Adam):
    """Adam with decoupled weight decay."""

    _rule = "AdamW"

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, differentiable=differentiable)


class RMSprop(Optimizer):
    """Steps by the root of a running mean of squares."""

    _rule = "RMSprop"

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False):
        checked(differentiable, lr, epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        given = dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay, maximize=maximize)
        super().__init__(params, given)


class Adagrad(Optimizer):
    """Steps by the root of the sum of all squares."""

    _rule = "Adagrad"

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None):
        checked(differentiable, lr, lr_decay=lr_decay, weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value, epsilon=eps)
        given = dict(
            lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value,
            maximize=maximize,
        )
        super().__init__(params, given)


CLASSES = [Optimizer, SGD, Adam, AdamW, RMSprop, Adagrad]
