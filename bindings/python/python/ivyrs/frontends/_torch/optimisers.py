"""``torch.optim``: Adadelta, Adamax, NAdam, RAdam, Rprop and ASGD.

Adadelta: M. Zeiler, 2012. Adamax: D. Kingma and J. Ba, "Adam", 2015, section 7.1. NAdam: T. Dozat, 2016. RAdam: L. Liu et al., 2020.
Rprop: M. Riedmiller and H. Braun, 1993. ASGD: B. Polyak and A. Juditsky, 1992.
"""

from .optim import Optimizer, checked, checked_betas


class Adadelta(Optimizer):
    """Steps by the root of a running mean of the steps' squares, over that of the gradients' squares."""

    _rule = "Adadelta"

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        checked(differentiable, lr, rho=rho, epsilon=eps, weight_decay=weight_decay)
        if rho > 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize))


class Adamax(Optimizer):
    """Adam by the infinity norm."""

    _rule = "Adamax"

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False, capturable=False):
        checked(differentiable, lr, epsilon=eps, weight_decay=weight_decay)
        checked_betas(betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize))


class NAdam(Optimizer):
    """Adam with Nesterov momentum."""

    _rule = "NAdam"

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


class RAdam(Optimizer):
    """Adam whose steps are rectified by how many gradients the second moment has seen."""

    _rule = "RAdam"

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


class Rprop(Optimizer):
    """Resilient backpropagation: steps by the gradient's sign, whose size grows while the sign stays."""

    _rule = "Rprop"

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False, differentiable=False):
        checked(differentiable, lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize))


class ASGD(Optimizer):
    """Averaged stochastic gradient descent; the average is ``state["ax"]``."""

    _rule = "ASGD"

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False,
        capturable=False,
    ):
        checked(differentiable, lr, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, maximize=maximize))


CLASSES = [Adadelta, Adamax, NAdam, RAdam, Rprop, ASGD]
