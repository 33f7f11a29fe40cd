"""``torch.nn.utils``: norms of gradients, and parameters as one vector."""

from .... import _ivyrs

_Tensor = _ivyrs.TorchTensor


def _gradients(parameters):
    found = [parameters] if isinstance(parameters, _Tensor) else list(parameters)
    return [p for p in found if p.grad is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of several tensors as if they were one vector."""
    from ... import torch

    tensors = [tensors] if isinstance(tensors, _Tensor) else list(tensors)
    if not tensors:
        return torch.tensor(0.0)
    norm_type = float(norm_type)
    total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(x.detach(), norm_type) for x in tensors]), norm_type)
    if error_if_nonfinite and not torch.isfinite(total).item():
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales the gradients of parameters so that their norm, which is given, is at most another one."""
    from ... import torch

    scale = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    with torch.no_grad():
        for p in _gradients(parameters):
            p.grad.mul_(scale.to(p.grad.dtype))


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales the gradients of parameters so that their norm is at most ``max_norm``; gives the norm that it was."""
    parameters = [parameters] if isinstance(parameters, _Tensor) else list(parameters)
    total = get_total_norm([p.grad for p in _gradients(parameters)], norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Brings each element of the gradients of parameters between ``-clip_value`` and ``clip_value``."""
    from ... import torch

    with torch.no_grad():
        for p in _gradients(parameters):
            p.grad.clamp_(min=-float(clip_value), max=float(clip_value))


def parameters_to_vector(parameters):
    """The elements of parameters, one behind the other."""
    from ... import torch

    return torch.cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Writes the elements of a vector to parameters, as :func:`parameters_to_vector` has them."""
    from ... import torch

    if not isinstance(vec, _Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    at = 0
    with torch.no_grad():
        for p in parameters:
            count = p.numel()
            p.copy_(vec[at : at + count].reshape(p.shape))
            at += count


ALL = dict(
    get_total_norm=get_total_norm, clip_grads_with_norm_=clip_grads_with_norm_, clip_grad_norm_=clip_grad_norm_,
    clip_grad_value_=clip_grad_value_, parameters_to_vector=parameters_to_vector, vector_to_parameters=vector_to_parameters,
)  # fmt: skip
