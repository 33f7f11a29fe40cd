"""``torch.optim.LBFGS``: limited-memory BFGS.

The two-loop recursion: J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980. The line search ends where the strong Wolfe
conditions hold; it brackets such a step and narrows the bracket by cubic interpolation (J. Nocedal and S. Wright, "Numerical
optimization", 2006, algorithms 3.5 and 3.6), with the constants of PyTorch's.
"""

import dataclasses
import math

from .optim import Optimizer, Tensor, _torch

#: Sufficient decrease, and curvature, of the Wolfe conditions.
_DECREASE, _CURVATURE = 1e-4, 0.9
#: A pair of differences whose product is below is left out of the history.
_LEAST_CURVATURE = 1e-10


@dataclasses.dataclass
class _Point:
    """A step along the search direction, with the loss there, its gradient, and the slope along the direction."""

    step: float
    loss: float
    gradient: Tensor
    slope: float


def _cubic_minimum(a, b, least, greatest):
    """Where the cubic through two points with slopes is least, within bounds; their middle where it has no minimum."""
    if a.step > b.step:
        a, b = b, a
    inner = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.step - b.step) if a.step != b.step else math.nan
    square = inner * inner - a.slope * b.slope
    if not square >= 0:
        return (least + greatest) / 2
    root = math.sqrt(square)
    below = b.slope - a.slope + 2 * root
    if below == 0:
        return (least + greatest) / 2
    return min(max(b.step - (b.step - a.step) * (b.slope + root - inner) / below, least), greatest)


def _strong_wolfe(at, start, step, longest, tolerance, most):
    """A point that keeps the strong Wolfe conditions, or the best one after so many evaluations, and how many there were.

    ``at`` evaluates a step; ``longest`` is the greatest element of the direction by size.
    """

    def decreases(point):
        return point.loss <= start.loss + _DECREASE * point.step * start.slope

    def is_flat(point):
        return abs(point.slope) <= -_CURVATURE * start.slope

    before, point, evaluations, extended = start, at(step), 1, 0
    while True:
        if extended >= most:
            bracket = [start, point]
            break
        if not decreases(point) or extended > 1 and point.loss >= before.loss:
            bracket = [before, point]
            break
        if is_flat(point):
            return point, evaluations
        if point.slope >= 0:
            bracket = [before, point]
            break
        further = _cubic_minimum(before, point, point.step + 0.01 * (point.step - before.step), point.step * 10)
        before, point = point, at(further)
        evaluations, extended = evaluations + 1, extended + 1

    low, high = sorted(bracket, key=lambda point: point.loss)
    was_close = False
    while extended < most:
        least, greatest = sorted((low.step, high.step))
        if (greatest - least) * longest < tolerance:
            break
        step = _cubic_minimum(low, high, least, greatest)
        # A step close to an end of the bracket is taken once; after that, one tenth of the bracket inside.
        margin = 0.1 * (greatest - least)
        is_close = min(greatest - step, step - least) < margin
        if is_close and (was_close or step >= greatest or step <= least):
            step = greatest - margin if abs(step - greatest) < abs(step - least) else least + margin
            is_close = False
        was_close = is_close
        point = at(step)
        evaluations, extended = evaluations + 1, extended + 1
        if not decreases(point) or point.loss >= low.loss:
            low, high = sorted((low, point), key=lambda point: point.loss)
        else:
            done = is_flat(point)
            if not done and point.slope * (high.step - low.step) >= 0:
                high = low
            low = point
            if done:
                break
    return low, evaluations


class LBFGS(Optimizer):
    """Limited-memory BFGS. ``step`` takes a function that computes the derivatives and gives the loss, which it calls several times."""

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100, line_search_fn=None,
    ):
        if not lr >= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        given = dict(
            lr=lr, max_iter=max_iter, max_eval=max_iter * 5 // 4 if max_eval is None else max_eval, tolerance_grad=tolerance_grad,
            tolerance_change=tolerance_change, history_size=history_size, line_search_fn=line_search_fn,
        )
        super().__init__(params, given)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        if any(p.is_complex() for p in self.param_groups[0]["params"]):
            raise NotImplementedError("LBFGS: parameters are real numbers")

    def _gradient(self):
        torch = _torch()
        params = self.param_groups[0]["params"]
        return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).detach().reshape(-1) for p in params])

    def _move(self, origin, step, direction):
        """Sets the parameters to those of the origin and so much of the direction."""
        first = 0
        for p, values in zip(self.param_groups[0]["params"], origin):
            p.copy_(values + step * direction[first : first + p.numel()].reshape(p.shape))
            first += p.numel()

    def _evaluated(self, closure):
        torch = _torch()
        with torch.enable_grad():
            loss = closure()
        if loss is None:
            raise TypeError("LBFGS.step: closure gave None: it gives the loss")
        return loss, self._gradient()

    @staticmethod
    def _direction(gradient, state):
        """Minus the approximate inverse Hessian times the gradient, by the history (the two-loop recursion)."""
        d, weights = -gradient, []
        for y, s, ro in zip(reversed(state["old_dirs"]), reversed(state["old_stps"]), reversed(state["ro"])):
            weights.append((s * d).sum().item() * ro)
            d = d - weights[-1] * y
        d = d * state["H_diag"]
        for y, s, ro in zip(state["old_dirs"], state["old_stps"], state["ro"]):
            d = d + s * (weights.pop() - (y * d).sum().item() * ro)
        return d

    def _remember(self, gradient, state, history_size):
        """Adds the differences of gradients and parameters to the history, where the curvature between is positive."""
        y, s = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = (y * s).sum().item()
        if curvature > _LEAST_CURVATURE:
            if len(state["ro"]) == history_size:
                for name in ("old_dirs", "old_stps", "ro"):
                    state[name].pop(0)
            state["old_dirs"].append(y)
            state["old_stps"].append(s)
            state["ro"].append(1 / curvature)
            state["H_diag"] = curvature / (y * y).sum().item()

    def step(self, closure=None):
        """Up to ``max_iter`` iterations; gives the first loss."""
        if closure is None:
            raise TypeError("LBFGS.step: closure is missing: it computes the derivatives and gives the loss")
        with _torch().no_grad():
            return self._step(closure)

    def _step(self, closure):
        group = self.param_groups[0]
        params, lr, tolerance = group["params"], group["lr"], group["tolerance_change"]
        state = self.state[id(params[0])]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first, gradient = self._evaluated(closure)
        loss, evaluations = float(first), 1
        state["func_evals"] += 1
        if gradient.abs().max() <= group["tolerance_grad"]:
            return first
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
                direction, step = -gradient, min(1.0, 1.0 / gradient.abs().sum().item()) * lr
            else:
                self._remember(gradient, state, group["history_size"])
                direction, step = self._direction(gradient, state), lr
            state.update(d=direction, prev_flat_grad=gradient, prev_loss=loss)
            slope = (gradient * direction).sum().item()
            if slope > -tolerance:
                state["t"] = step
                break
            origin, before = [p.detach().clone() for p in params], loss
            if group["line_search_fn"] == "strong_wolfe":

                def at(step):
                    self._move(origin, step, direction)
                    loss, gradient = self._evaluated(closure)
                    return _Point(step, float(loss), gradient, (gradient * direction).sum().item())

                longest = direction.abs().max().item()
                start = _Point(0, loss, gradient, slope)
                try:
                    point, evaluated = _strong_wolfe(at, start, step, longest, 1e-9, group["max_eval"] - evaluations)
                except BaseException:
                    self._move(origin, 0, direction)
                    raise
                loss, gradient, step = point.loss, point.gradient, point.step
                self._move(origin, step, direction)
            else:
                self._move(origin, step, direction)
                evaluated = 0
                if iteration != group["max_iter"]:
                    # The last iteration of a step needs no new derivatives.
                    value, gradient = self._evaluated(closure)
                    loss, evaluated = float(value), 1
            state["t"] = step
            evaluations += evaluated
            state["func_evals"] += evaluated
            if iteration == group["max_iter"] or evaluations >= group["max_eval"]:
                break
            if gradient.abs().max() <= group["tolerance_grad"] or (direction * step).abs().max() <= tolerance:
                break
            if abs(loss - before) < tolerance:
                break
        return first


CLASSES = [LBFGS]
