"""``torch.optim``: Adadelta, Adamax, NAdam, RAdam, Rprop and ASGD.

Adadelta: M. Zeiler, 2012. Adamax: D. Kingma and J. Ba, "Adam", 2015, section 7.1. NAdam: T. Dozat, 2016. RAdam: L. Liu et al., 2020.
Rprop: M. Riedmiller and H. Braun, 1993. ASGD: B. Polyak and A. Juditsky, 1992.
"""

import math

from .optim import Optimizer, _torch, checked, checked_betas


def _zeros(p):
    return _torch().zeros_like(p.detach())


class Adadelta(Optimizer):
    """Steps by the root of a running mean of the steps' squares, over that of the gradients' squares."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        checked(differentiable, lr, rho=rho, epsilon=eps, weight_decay=weight_decay)
        if rho > 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def _update(self, p, g, group, state):
        if not state:
            state.update(step=0, square_avg=_zeros(p), acc_delta=_zeros(p))
        state["step"] += 1
        rho, eps = group["rho"], group["eps"]
        g = self._with_decay(p, g, group)
        state["square_avg"].mul_(rho).addcmul_(g, g, value=1 - rho)
        delta = (state["acc_delta"] + eps).sqrt() / (state["square_avg"] + eps).sqrt() * g
        state["acc_delta"].mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-group["lr"])


class Adamax(Optimizer):
    """Adam by the infinity norm."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False, capturable=False):
        checked(differentiable, lr, epsilon=eps, weight_decay=weight_decay)
        checked_betas(betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def _update(self, p, g, group, state):
        if not state:
            state.update(step=0, exp_avg=_zeros(p), exp_inf=_zeros(p))
        state["step"] += 1
        first, second = group["betas"]
        g = self._with_decay(p, g, group)
        state["exp_avg"].mul_(first).add_(g, alpha=1 - first)
        state["exp_inf"].copy_(_torch().maximum(state["exp_inf"] * second, g.abs() + group["eps"]))
        p.addcdiv_(state["exp_avg"], state["exp_inf"], value=-group["lr"] / (1 - first ** state["step"]))


class _Moments(Optimizer):
    """The moments of Adam, and weight decay that is decoupled if wanted."""

    def _moments(self, p, g, group, state, **more):
        if not state:
            state.update(step=0, **more, exp_avg=_zeros(p), exp_avg_sq=_zeros(p))
        state["step"] += 1
        first, second = group["betas"]
        if not group["decoupled_weight_decay"]:
            g = self._with_decay(p, g, group)
        elif group["weight_decay"]:
            p.mul_(1 - group["lr"] * group["weight_decay"])
        state["exp_avg"].mul_(first).add_(g, alpha=1 - first)
        state["exp_avg_sq"].mul_(second).addcmul_(g, g, value=1 - second)
        return g, 1 - first ** state["step"], 1 - second ** state["step"]


class NAdam(_Moments):
    """Adam with Nesterov momentum."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        checked(differentiable, lr, epsilon=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        checked_betas(betas)
        given = dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay, maximize=maximize,
        )
        super().__init__(params, given)

    def _update(self, p, g, group, state):
        g, _, second = self._moments(p, g, group, state, mu_product=1.0)
        now, then = (
            group["betas"][0] * (1 - 0.5 * 0.96 ** (step * group["momentum_decay"])) for step in (state["step"], state["step"] + 1)
        )
        state["mu_product"] *= now
        product, divisor = state["mu_product"], (state["exp_avg_sq"] / second).sqrt() + group["eps"]
        p.addcdiv_(g, divisor, value=-group["lr"] * (1 - now) / (1 - product))
        p.addcdiv_(state["exp_avg"], divisor, value=-group["lr"] * then / (1 - product * then))


class RAdam(_Moments):
    """Adam whose steps are rectified by how many gradients the second moment has seen."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        checked(differentiable, lr, epsilon=eps, weight_decay=weight_decay)
        checked_betas(betas)
        given = dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, decoupled_weight_decay=decoupled_weight_decay, maximize=maximize,
        )
        super().__init__(params, given)

    def _update(self, p, g, group, state):
        _, first, second = self._moments(p, g, group, state)
        longest = 2 / (1 - group["betas"][1]) - 1
        length = longest - 2 * state["step"] * (1 - second) / second
        size = group["lr"] / first
        if length <= 5:
            p.add_(state["exp_avg"], alpha=-size)
            return
        rectified = math.sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length))
        divisor = state["exp_avg_sq"].sqrt() + group["eps"]
        p.addcdiv_(state["exp_avg"], divisor, value=-size * rectified * math.sqrt(second))


class Rprop(Optimizer):
    """Resilient backpropagation: steps by the gradient's sign, whose size grows while the sign stays."""

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False, differentiable=False):
        checked(differentiable, lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize))

    def _update(self, p, g, group, state):
        torch = _torch()
        if not state:
            state.update(step=0, prev=_zeros(p), step_size=torch.full_like(p.detach(), group["lr"]))
        state["step"] += 1
        agreement, sizes = g * state["prev"], state["step_size"]
        factors = torch.where(agreement > 0, group["etas"][1], torch.where(agreement < 0, group["etas"][0], 1.0))
        sizes.copy_(torch.clamp(sizes * factors, *group["step_sizes"]))
        g = torch.where(agreement < 0, torch.zeros_like(g), g)
        p.addcmul_(g.sign(), sizes, value=-1)
        state["prev"].copy_(g)


class ASGD(Optimizer):
    """Averaged stochastic gradient descent; the average is ``state["ax"]``."""

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False,
        capturable=False,
    ):
        checked(differentiable, lr, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, maximize=maximize))

    def _update(self, p, g, group, state):
        if not state:
            state.update(step=0, eta=group["lr"], mu=1.0, ax=_zeros(p))
        state["step"] += 1
        g = self._with_decay(p, g, group)
        p.mul_(1 - group["lambd"] * state["eta"]).add_(g, alpha=-state["eta"])
        if state["mu"] == 1:
            state["ax"].copy_(p.detach())
        else:
            state["ax"].add_(p.detach() - state["ax"], alpha=state["mu"])
        state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * state["step"]) ** group["alpha"]
        state["mu"] = 1 / max(1, state["step"] - group["t0"])


CLASSES = [Adadelta, Adamax, NAdam, RAdam, Rprop, ASGD]
