"""``torch.nn.utils``: parameters that are made of others before each call, weight normalisation and spectral normalisation.

T. Salimans and D. Kingma, "Weight normalization", 2016; T. Miyato et al., "Spectral normalization for generative adversarial
networks", 2018.
"""

from ..package import torch as _torch
from .module import Parameter


class _Reparametrized:
    """A hook that computes a parameter before each call of its module."""

    def __init__(self, name):
        self.name = name

    @classmethod
    def _of(cls, module, name):
        """The key of the hook of a module's parameter; ``None`` without one."""
        hooks = module._forward_pre_hooks.items()
        return next((key for key, hook in hooks if isinstance(hook, cls) and hook.name == name), None)

    @classmethod
    def _remove(cls, module, name):
        key = cls._of(module, name)
        if key is None:
            raise ValueError(f"{cls.function} of '{name}' not found in {module}")
        hook = module._forward_pre_hooks.pop(key)
        weight = hook.compute(module, in_training=False).detach()
        delattr(module, name)
        hook.forget(module)
        module.register_parameter(name, Parameter(weight))
        return module

    def _register(self, module):
        if self._of(module, self.name) is not None:
            raise RuntimeError(f"Cannot register two {self.function} hooks on the same parameter {self.name}")
        weight = getattr(module, self.name)
        del module._parameters[self.name]
        self.divide(module, weight)
        module.register_forward_pre_hook(self)
        return module

    def __call__(self, module, args):
        setattr(module, self.name, self.compute(module, module.training))


class _WeightNorm(_Reparametrized):
    function = "weight_norm"

    def __init__(self, name, dim):
        super().__init__(name)
        self.dim = -1 if dim is None else dim

    def _norm(self, v):
        if self.dim == -1:
            return v.norm(2)
        others = [axis for axis in range(v.ndim) if axis != self.dim % v.ndim]
        return v.norm(2, dim=others, keepdim=True) if others else v.abs()

    def divide(self, module, weight):
        module.register_parameter(f"{self.name}_g", Parameter(self._norm(weight.detach())))
        module.register_parameter(f"{self.name}_v", Parameter(weight.detach()))
        setattr(module, self.name, self.compute(module))

    def compute(self, module, in_training=False):
        g, v = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        return v * (g / self._norm(v))

    def forget(self, module):
        del module._parameters[f"{self.name}_g"], module._parameters[f"{self.name}_v"]


class _SpectralNorm(_Reparametrized):
    function = "spectral_norm"

    def __init__(self, name, n_power_iterations, dim, eps):
        super().__init__(name)
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
        self.n_power_iterations, self.dim, self.eps = n_power_iterations, dim, eps

    def _matrix(self, weight):
        """The weight with the axis of the outputs first, the others as one."""
        return weight.movedim(self.dim, 0).reshape(weight.shape[self.dim], -1)

    def divide(self, module, weight):
        torch = _torch()
        rows, columns = self._matrix(weight).shape
        normalize = torch.nn.functional.normalize
        module.register_parameter(f"{self.name}_orig", weight)
        setattr(module, self.name, weight.detach())
        for suffix, count in (("u", rows), ("v", columns)):
            drawn = torch.randn(count, dtype=weight.dtype)
            module.register_buffer(f"{self.name}_{suffix}", normalize(drawn, dim=0, eps=self.eps))

    def compute(self, module, in_training=False):
        torch = _torch()
        normalize = torch.nn.functional.normalize
        weight, u, v = (getattr(module, f"{self.name}_{suffix}") for suffix in ("orig", "u", "v"))
        matrix = self._matrix(weight)
        if in_training:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(normalize(torch.mv(matrix, v), dim=0, eps=self.eps))
            # A later call changes the buffers, which this one's derivative needs.
            u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    def forget(self, module):
        del module._buffers[f"{self.name}_u"], module._buffers[f"{self.name}_v"], module._parameters[f"{self.name}_orig"]


def weight_norm(module, name="weight", dim=0):
    """Divides a parameter into its norms and its direction, ``name_g`` and ``name_v``, of which it is computed before each call:
    a norm for each place of axis ``dim``, one of all for ``None``."""
    return _WeightNorm(name, dim)._register(module)


def remove_weight_norm(module, name="weight"):
    """Makes a parameter of what :func:`weight_norm` divided."""
    return _WeightNorm._remove(module, name)


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a parameter by an estimate of its greatest singular value before each call, which steps of power iteration make
    better in training. ``dim`` is the axis of the outputs, the second one of transposed convolutions and the first one else."""
    if dim is None:
        dim = 1 if type(module).__name__ in ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d") else 0
    return _SpectralNorm(name, n_power_iterations, dim, eps)._register(module)


def remove_spectral_norm(module, name="weight"):
    """Makes a parameter of what :func:`spectral_norm` computes."""
    return _SpectralNorm._remove(module, name)


ALL = {f.__name__: f for f in (weight_norm, remove_weight_norm, spectral_norm, remove_spectral_norm)}
