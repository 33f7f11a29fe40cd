"""``torch.optim.lr_scheduler``: learning rates by the number of the step."""

import bisect
import math

from .optim import Optimizer


def _check(scheduler, optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(scheduler).__name__}: optimizer: {type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """Sets the learning rates of an optimiser's groups, at its making and at each ``step``."""

    def __init__(self, optimizer, last_epoch=-1):
        _check(self, optimizer)
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

    def get_last_lr(self):
        """The learning rates in force."""
        return list(self._last_lr)

    def step(self, epoch=None):
        """One step further."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        for group, rate in zip(self.optimizer.param_groups, self.get_lr()):
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
        _check(self, optimizer)
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


class MultiStepLR(LRScheduler):
    """Times gamma at each of some steps."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * self.gamma ** bisect.bisect_right(self.milestones, self.last_epoch) for rate in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times gamma at each step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * self.gamma if self.last_epoch > 0 else rate for rate in self._rates()]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the first rate to ``eta_min`` over ``T_max`` steps: I. Loshchilov and F. Hutter, "SGDR", 2017."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        half = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (rate - self.eta_min) * half for rate in self.base_lrs]


class LinearLR(LRScheduler):
    """A factor that goes from one to another over some steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1, ending between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        share = min(self.last_epoch, self.total_iters) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * share
        return [rate * factor for rate in self.base_lrs]


class OneCycleLR(LRScheduler):
    """One rise to the greatest rate and one fall: L. Smith and N. Topin, "Super-convergence", 2018. Momentum goes the other way."""

    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
        cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False, last_epoch=-1,
    ):
        _check(self, optimizer)
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        self.total_steps = total_steps or epochs * steps_per_epoch
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._linear, rise = anneal_strategy == "linear", pct_start * self.total_steps - 1
        ends = [(rise, "initial", "max", "most", "least")]
        if three_phase:
            ends += [(2 * rise, "max", "initial", "least", "most"), (self.total_steps - 1, "initial", "min", "most", "most")]
        else:
            ends += [(self.total_steps - 1, "max", "min", "least", "most")]
        self._phases = ends
        greatest = max_lr if isinstance(max_lr, (list, tuple)) else [max_lr] * len(optimizer.param_groups)
        self._rates_of = [{"max": rate, "initial": rate / div_factor, "min": rate / div_factor / final_div_factor} for rate in greatest]
        if last_epoch == -1:
            for group, rates in zip(optimizer.param_groups, self._rates_of):
                group["initial_lr"] = rates["initial"]
        self._cycles, self._momenta = cycle_momentum, {"most": max_momentum, "least": base_momentum}
        names = optimizer.param_groups[0]
        if cycle_momentum and "momentum" not in names and "betas" not in names:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        super().__init__(optimizer, last_epoch)

    def _between(self, start, end, share):
        if self._linear:
            return start + (end - start) * share
        return end + (start - end) / 2 * (1 + math.cos(math.pi * share))

    def get_lr(self):
        if self.last_epoch >= self.total_steps:
            raise ValueError(f"Tried to step {self.last_epoch + 1} times. The specified number of total steps is {self.total_steps}")
        begin = 0.0
        for end, low, high, first, last in self._phases:
            if self.last_epoch <= end or end == self._phases[-1][0]:
                share = (self.last_epoch - begin) / (end - begin) if end != begin else 1.0
                break
            begin = end
        if self._cycles:
            momentum = self._between(self._momenta[first], self._momenta[last], share)
            for group in self.optimizer.param_groups:
                if "betas" in group:
                    group["betas"] = (momentum, *group["betas"][1:])
                else:
                    group["momentum"] = momentum
        return [self._between(rates[low], rates[high], share) for rates in self._rates_of]


class ReduceLROnPlateau:
    """Times a factor where a number has not become better for some steps."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8
    ):
        _check(self, optimizer)
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


CLASSES = [
    LRScheduler, LambdaLR, StepLR, MultiStepLR, ExponentialLR, CosineAnnealingLR, LinearLR, OneCycleLR, ReduceLROnPlateau,
]  # fmt: skip
