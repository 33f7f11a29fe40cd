"""``torch.optim.lr_scheduler``: learning rates by the number of the step.

As in PyTorch, a step goes on from the rates in force, so that several schedulers of one optimiser multiply; a step that is named gives
the rates by the first ones.
"""

import bisect
import math

from .optim import Optimizer


def check(scheduler, optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(scheduler).__name__}: optimizer: {type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """Sets the learning rates of an optimiser's groups, at its making and at each ``step``."""

    def __init__(self, optimizer, last_epoch=-1):
        check(self, optimizer)
        self.optimizer, self.last_epoch = optimizer, last_epoch
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError("param 'initial_lr' is not specified in the param groups when resuming an optimizer")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def get_lr(self):
        """The learning rates of this step."""
        raise NotImplementedError

    def _lr_of_epoch(self):
        """Those of a step that is named, which do not go on from those in force."""
        return self.get_lr()

    def get_last_lr(self):
        """The learning rates in force."""
        return list(self._last_lr)

    def step(self, epoch=None):
        """One step further, or to a step of a number."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        rates = self.get_lr() if epoch is None else self._lr_of_epoch()
        for group, rate in zip(self.optimizer.param_groups, rates):
            group["lr"] = rate
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        """All but the optimiser."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        """Takes a state over."""
        vars(self).update(state_dict)

    def _rates(self):
        return [group["lr"] for group in self.optimizer.param_groups]


class LambdaLR(LRScheduler):
    """The first rate times a function of the number of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        check(self, optimizer)
        several = isinstance(lr_lambda, (list, tuple))
        if several and len(lr_lambda) != len(optimizer.param_groups):
            raise ValueError(f"Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * function(self.last_epoch) for rate, function in zip(self.base_lrs, self.lr_lambdas)]


class StepLR(LRScheduler):
    """Times gamma after each so many steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        change = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return [rate * self.gamma if change else rate for rate in self._rates()]

    def _lr_of_epoch(self):
        return [rate * self.gamma ** (self.last_epoch // self.step_size) for rate in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times gamma at each of some steps."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * self.gamma ** self.milestones.count(self.last_epoch) for rate in self._rates()]

    def _lr_of_epoch(self):
        return [rate * self.gamma ** bisect.bisect_right(self.milestones, self.last_epoch) for rate in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times gamma at each step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * self.gamma if self.last_epoch > 0 else rate for rate in self._rates()]

    def _lr_of_epoch(self):
        return [rate * self.gamma**self.last_epoch for rate in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the first rate to ``eta_min`` over ``T_max`` steps: I. Loshchilov and F. Hutter, "SGDR", 2017."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _height(self, epoch):
        return (1 + math.cos(math.pi * epoch / self.T_max)) / 2

    def get_lr(self):
        if self.last_epoch == 0:
            return self._rates()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # The rate is the least one: nothing to multiply.
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [rate + (base - self.eta_min) * rise for rate, base in zip(self._rates(), self.base_lrs)]
        ratio = self._height(self.last_epoch) / self._height(self.last_epoch - 1)
        return [self.eta_min + (rate - self.eta_min) * ratio for rate in self._rates()]

    def _lr_of_epoch(self):
        return [self.eta_min + (rate - self.eta_min) * self._height(self.last_epoch) for rate in self.base_lrs]


class LinearLR(LRScheduler):
    """A factor that goes from one to another over some steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1, ending between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        share = min(epoch, self.total_iters) / self.total_iters if self.total_iters else 0
        return self.start_factor + (self.end_factor - self.start_factor) * share

    def get_lr(self):
        if self.last_epoch > self.total_iters:
            return self._rates()
        change = self._factor(self.last_epoch) / (self._factor(self.last_epoch - 1) if self.last_epoch else 1)
        return [rate * change for rate in self._rates()]

    def _lr_of_epoch(self):
        return [rate * self._factor(self.last_epoch) for rate in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times a factor for the first steps."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.factor == 0:
            # Nothing to go on from.
            return self._lr_of_epoch()
        change = self.factor if self.last_epoch == 0 else 1 / self.factor if self.last_epoch == self.total_iters else 1
        return [rate * change for rate in self._rates()]

    def _lr_of_epoch(self):
        return [rate * (self.factor if self.last_epoch < self.total_iters else 1.0) for rate in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Polynomial decay to 0 over some steps."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _left(self, epoch):
        return (1.0 - min(epoch, self.total_iters) / self.total_iters) ** self.power if self.total_iters else 1.0

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch > self.total_iters:
            return self._rates()
        return [rate * self._left(self.last_epoch) / self._left(self.last_epoch - 1) for rate in self._rates()]

    def _lr_of_epoch(self):
        return [rate * self._left(self.last_epoch) for rate in self.base_lrs]


class MultiplicativeLR(LambdaLR):
    """Times what a function gives of each step's number."""

    def get_lr(self):
        if self.last_epoch == 0:
            return self._rates()
        return [rate * function(self.last_epoch) for rate, function in zip(self._rates(), self.lr_lambdas)]


class _Several:
    """Several schedulers of one optimiser."""

    def __init__(self, optimizer, schedulers):
        name, schedulers = type(self).__name__, list(schedulers)
        if not schedulers:
            raise ValueError(f"{name} expects at least one scheduler to be chained, but got no scheduler.")
        optimizer = getattr(schedulers[0], "optimizer", None) if optimizer is None else optimizer
        for number, scheduler in enumerate(schedulers):
            if not isinstance(scheduler, (LRScheduler, _Several)):
                raise TypeError(f"{name} does not support `{type(scheduler).__name__}` as it requires additional kwargs to be specified when calling `step`, but got one at index {number} in the given schedulers sequence.")
            if scheduler.optimizer is not optimizer:
                raise ValueError(f"{name} expects all schedulers to belong to the same optimizer, but got scheduler {type(scheduler).__name__} at index {number} of another one.")
        self.optimizer, self._schedulers = optimizer, schedulers

    def get_last_lr(self):
        """The learning rates in force."""
        return list(self._last_lr)

    def state_dict(self):
        """All but the optimiser."""
        own = {name: value for name, value in vars(self).items() if name not in ("optimizer", "_schedulers")}
        return {**own, "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict):
        """Takes a state over."""
        own = dict(state_dict)
        for scheduler, state in zip(self._schedulers, own.pop("_schedulers")):
            scheduler.load_state_dict(state)
        vars(self).update(own)


class ChainedScheduler(_Several):
    """Several schedulers at each step, each of which goes on from the rates of the one before."""

    def __init__(self, schedulers, optimizer=None):
        super().__init__(optimizer, schedulers)
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def step(self):
        """One step further."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


class SequentialLR(_Several):
    """Several schedules one after the other, each from one of some steps on."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        super().__init__(optimizer, schedulers)
        schedulers, milestones = self._schedulers, list(milestones)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, "
                f"but got number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._milestones, self.last_epoch = milestones, last_epoch + 1
        # As if only the first had been made.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        schedulers[0].step(0)
        self._last_lr = schedulers[0].get_last_lr()

    def step(self):
        """One step further."""
        self.last_epoch += 1
        number = bisect.bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        scheduler.step(*([0] if number > 0 and self._milestones[number - 1] == self.last_epoch else []))
        self._last_lr = scheduler.get_last_lr()


class ReduceLROnPlateau:
    """Times a factor where a number has not become better for some steps."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8
    ):
        check(self, optimizer)
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError(f"mode {mode} or threshold mode {threshold_mode} is unknown!")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.min_lrs = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * len(optimizer.param_groups)
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0

    def is_better(self, a, best):
        """Whether a number is better than the best one by more than the threshold."""
        if self.threshold_mode == "rel":
            bound = best * (1 - self.threshold if self.mode == "min" else 1 + self.threshold)
        else:
            bound = best - self.threshold if self.mode == "min" else best + self.threshold
        return a < bound if self.mode == "min" else a > bound

    def step(self, metrics):
        """Notes a number, and reduces the rates where it is time to."""
        number = float(metrics)
        self.last_epoch += 1
        if self.is_better(number, self.best):
            self.best, self.num_bad_epochs = number, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs):
                rate = max(group["lr"] * self.factor, least)
                if group["lr"] - rate > self.eps:
                    group["lr"] = rate
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0

    def get_last_lr(self):
        """The learning rates in force."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        """All but the optimiser."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        """Takes a state over."""
        vars(self).update(state_dict)


CLASSES = [
    LRScheduler, LambdaLR, MultiplicativeLR, StepLR, MultiStepLR, ConstantLR, LinearLR, ExponentialLR, PolynomialLR, CosineAnnealingLR,
    ChainedScheduler, SequentialLR, ReduceLROnPlateau,
]  # fmt: skip
