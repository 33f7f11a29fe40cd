"""Learning rates that rise and fall: cycles, one cycle, and warm restarts."""

import math

from .schedulers import LRScheduler, check


def _check_momentum(optimizer):
    names = optimizer.param_groups[0]
    if "momentum" not in names and "betas" not in names:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")


def _set_momentum(group, momentum):
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine from the first rate to ``eta_min`` again and again, each ``T_mult`` times as long: I. Loshchilov and F. Hutter, "SGDR", 2017."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        self.T_i, self.T_cur = T_0, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self.T_i, self.T_cur = self.T_0, self.last_epoch
        if self.T_mult == 1:
            self.T_cur %= self.T_0
        while self.T_cur >= self.T_i:
            self.T_cur, self.T_i = self.T_cur - self.T_i, self.T_i * self.T_mult
        half = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (rate - self.eta_min) * half for rate in self.base_lrs]


class CyclicLR(LRScheduler):
    """Triangles between two rates: L. Smith, "Cyclical learning rates", 2017. Momentum goes the other way."""

    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None,
        scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1,
    ):
        check(self, optimizer)
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        groups = optimizer.param_groups

        def of_groups(name, given):
            several = isinstance(given, (list, tuple))
            if several and len(given) != len(groups):
                raise ValueError(f"{name} must have the same length as optimizer.param_groups. {name} has {len(given)} values, param_groups has {len(groups)}.")
            return list(given) if several else [given] * len(groups)

        least = of_groups("base_lr", base_lr)
        if last_epoch == -1:
            for group, rate in zip(groups, least):
                group["lr"] = group["initial_lr"] = rate
        self.max_lrs, self.mode, self.gamma, self.cycle_momentum = of_groups("max_lr", max_lr), mode, gamma, cycle_momentum
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size, self.step_ratio = float(step_size_up + down), step_size_up / (step_size_up + down)
        self._scale, self.scale_mode = scale_fn, scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        if cycle_momentum:
            _check_momentum(optimizer)
            self.base_momentums, self.max_momentums = of_groups("base_momentum", base_momentum), of_groups("max_momentum", max_momentum)
        super().__init__(optimizer, last_epoch)

    def scale_fn(self, x):
        """How high a cycle is, or an iteration."""
        if self._scale is not None:
            return self._scale(x)
        return {"triangular": lambda: 1.0, "triangular2": lambda: 1 / 2.0 ** (x - 1), "exp_range": lambda: self.gamma**x}[self.mode]()

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        share = 1.0 + self.last_epoch / self.total_size - cycle
        height = share / self.step_ratio if share <= self.step_ratio else (share - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, least, most in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                _set_momentum(group, most - (most - least) * height)
        return [least + (most - least) * height for least, most in zip(self.base_lrs, self.max_lrs)]


class OneCycleLR(LRScheduler):
    """One rise to the greatest rate and one fall: L. Smith and N. Topin, "Super-convergence", 2018. Momentum goes the other way."""

    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
        cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False, last_epoch=-1,
    ):
        check(self, optimizer)
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
        if cycle_momentum:
            _check_momentum(optimizer)
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
                _set_momentum(group, momentum)
        return [self._between(rates[low], rates[high], share) for rates in self._rates_of]


CLASSES = [CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR]
