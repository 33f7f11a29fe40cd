"""``gradcheck`` and ``gradgradcheck``: gradients beside central differences."""

from ... import _ivyrs
from .package import torch as _torch

_Tensor = _ivyrs.TorchTensor


class GradcheckError(RuntimeError):
    """Gradients that are not those of central differences."""


def _outputs(found):
    found = (found,) if isinstance(found, _Tensor) else tuple(found)
    return [y for y in found if isinstance(y, _Tensor) and (y.is_floating_point() or y.is_complex())]


def _perturbed(x, number, step):
    """A tensor with another element at a place in row-major order."""
    torch = _torch()
    with torch.no_grad():
        flat = x.detach().clone().reshape(-1)
        flat[number] = flat[number] + step
        return flat.reshape(x.shape)


def _numerical(function, inputs, i, weights, eps):
    """The gradient of the weighted sum of the outputs by input ``i``, by central differences."""
    torch = _torch()

    def total(x):
        given = [x if k == i else other for k, other in enumerate(inputs)]
        with torch.no_grad():
            found = _outputs(function(*given))
            return sum((torch.sum(torch.real(torch.conj(w) * y) if y.is_complex() else w * y) for w, y in zip(weights, found)), torch.zeros((), dtype=torch.float64)).item()

    x, gradient = inputs[i], []
    for number in range(x.numel()):
        parts = [(total(_perturbed(x, number, step)) - total(_perturbed(x, number, -step))) / (2 * eps) for step in ((eps, eps * 1j) if x.is_complex() else (eps,))]
        gradient.append(complex(*parts) if x.is_complex() else parts[0])
    return torch.tensor(gradient, dtype=x.dtype).reshape(x.shape)


def _weights(y, number, unit):
    torch = _torch()
    flat = torch.zeros(y.numel(), dtype=y.dtype)
    flat[number] = unit
    return flat.reshape(y.shape)


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True):
    """Compares the gradients of a function, of each element of its outputs by each of its inputs, with central differences.

    Complex numbers are checked by their real and imaginary parts. ``check_undefined_grad`` has no meaning here. Raises
    :class:`GradcheckError`, or gives ``False`` without ``raise_exception``.
    """
    torch = _torch()
    inputs = (inputs,) if isinstance(inputs, _Tensor) else tuple(inputs)
    chosen = [i for i, x in enumerate(inputs) if isinstance(x, _Tensor) and x.requires_grad]
    try:
        if not chosen:
            raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True.")
        found = _outputs(func(*inputs))
        for j, y in enumerate(found):
            if not y.requires_grad:
                continue
            for number in range(y.numel()):
                for unit in (1.0, 1j) if y.is_complex() else (1.0,):
                    weights = [_weights(z, number, unit) if k == j else torch.zeros_like(z) for k, z in enumerate(found)]
                    sources = [inputs[i] for i in chosen]

                    def analytical():
                        gradients = torch.autograd.grad(y, sources, weights[j], retain_graph=True, allow_unused=True)
                        return [torch.zeros_like(x) if g is None else g for x, g in zip(sources, gradients)]

                    first, again = analytical(), analytical()
                    for i, own, other in zip(chosen, first, again):
                        if (own - other).abs().max().item() > nondet_tol if own.numel() else False:
                            raise GradcheckError(f"Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, for output {j} with respect to input {i}")
                        expected = _numerical(func, inputs, i, weights, eps)
                        if not torch.allclose(own.detach(), expected, rtol, atol):
                            raise GradcheckError(
                                f"Jacobian mismatch for output {j} with respect to input {i}, at element {number} of the output,\nnumerical:{expected}\nanalytical:{own.detach()}\n"
                            )
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True):
    """:func:`gradcheck` of the gradients of a function, weighted by ``grad_outputs``; by random numbers if not given."""
    torch = _torch()
    inputs = (inputs,) if isinstance(inputs, _Tensor) else tuple(inputs)
    count = len(inputs)
    if grad_outputs is None:
        outputs = [y for y in _outputs(func(*inputs)) if y.requires_grad]
        grad_outputs = tuple(torch.randn(tuple(y.shape), dtype=y.dtype).requires_grad_() for y in outputs)
    grad_outputs = (grad_outputs,) if isinstance(grad_outputs, _Tensor) else tuple(grad_outputs)

    def gradients(*given):
        own, weights = given[:count], given[count:]
        own = tuple(x.detach().requires_grad_() if isinstance(x, _Tensor) and start.requires_grad and not x.requires_grad else x for x, start in zip(own, inputs))
        with torch.enable_grad():
            outputs = [y for y in _outputs(func(*own)) if y.requires_grad]
            sources = [x for x in own if isinstance(x, _Tensor) and x.requires_grad]
            found = torch.autograd.grad(outputs, sources, weights, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(gradients, inputs + grad_outputs, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol)
