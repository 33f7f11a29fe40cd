"""What scripts ask of the machine and set for the process: devices, threads, precision, versions, layouts.

Tensors are where their backend keeps them, so a device is there if the backend in force has it.
"""

import os
import re
import warnings

from ... import _ivyrs
from .device import of
from .methods import named
from .package import torch as _torch

_Tensor = _ivyrs.TorchTensor


class _Constant(str):
    """A layout or an order of memory; a ``str``, its name, which functions take as an argument."""

    __slots__ = ()

    def __repr__(self):
        return f"torch.{str.__str__(self)}"

    __str__ = __repr__


class layout(_Constant):
    """How the elements of a tensor stand in memory: all are ``torch.strided`` here."""

    __slots__ = ()


class memory_format(_Constant):
    """An order of axes in memory. It is accepted: no value depends on it."""

    __slots__ = ()


STRIDED = layout("strided")
FORMATS = {name: memory_format(name) for name in ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")}


def get_default_device():
    """Where new tensors are: the device of the backend in force."""
    return of(_torch().empty(0))


def set_default_device(device):
    """Accepts the device of the backend in force; another one is another backend (``ivyrs.set_backend``)."""
    own = get_default_device()
    if device is not None and _torch().device(device).type != own.type:
        raise NotImplementedError(f"set_default_device: tensors are where their backend keeps them, on {own}: ivyrs.set_backend chooses it")


def set_default_tensor_type(t):
    """The dtype of new tensors of floats, by the name of their class: ``"torch.DoubleTensor"``."""
    dtype = named(t) if isinstance(t, str) else t
    if not getattr(dtype, "is_floating_point", False):
        raise TypeError(f"invalid type object: only floating-point types are supported as the default type, not {t}")
    _torch().set_default_dtype(dtype)


def get_num_threads():
    """How many threads compute."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return int(os.environ.get("RAYON_NUM_THREADS") or 0) or there


def set_num_threads(int):
    """Accepts the number of threads there are: it is fixed when the first one starts, by RAYON_NUM_THREADS."""
    if not isinstance(int, type(0)):
        raise TypeError(f"set_num_threads expects an int, but got {type(int).__name__}")
    if int < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    if int != get_num_threads():
        raise NotImplementedError(
            f"set_num_threads: {get_num_threads()} threads compute, which is fixed when the first one starts: set RAYON_NUM_THREADS={int} before"
        )


_settings = {"deterministic": False, "warn_only": False, "precision": "highest"}


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Accepted, and remembered: results depend on nothing but inputs either way."""
    _settings.update(deterministic=bool(mode), warn_only=bool(warn_only))


def are_deterministic_algorithms_enabled():
    """Whether :func:`use_deterministic_algorithms` asked for them."""
    return _settings["deterministic"]


def is_deterministic_algorithms_warn_only_enabled():
    """Whether it asked for warnings only."""
    return _settings["deterministic"] and _settings["warn_only"]


def get_float32_matmul_precision():
    """What :func:`set_float32_matmul_precision` allowed."""
    return _settings["precision"]


def set_float32_matmul_precision(precision):
    """Allows products of float32 to be less precise. It is remembered: they are not."""
    if precision not in ("highest", "high", "medium"):
        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'; the current setFloat32MatmulPrecision call has no effect.", stacklevel=2)
        return
    _settings["precision"] = precision


def typename(obj):
    """The name of an object's class with its module; of a tensor the class by its dtype."""
    if isinstance(obj, _Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) or hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None) or ""
    return kind.__qualname__ if module in ("", "builtins", "__builtin__") else f"{module}.{kind.__qualname__}"


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """The function or module itself: with ivyrs' engine as the backend its operations are recorded and compiled as it runs. Without one, a
    decorator."""
    if model is None:
        return lambda model: compile(model)
    if not callable(model):
        raise RuntimeError(f"torch.compile: a function or a module is needed, not {type(model).__name__}")
    return model


def from_dlpack(ext_tensor):
    """A tensor of an object with ``__dlpack__``, without a copy where that is possible."""
    if not hasattr(ext_tensor, "__dlpack__"):
        raise TypeError(f"from_dlpack: an object with __dlpack__ is needed, not {type(ext_tensor).__name__}")
    return _torch().as_tensor(ext_tensor)


def to_dlpack(tensor):
    """A DLPack capsule of a tensor."""
    return tensor.__dlpack__()


# torch.cuda, torch.backends and their like.


def _has(kind):
    return get_default_device().type == kind


def _is_there(kind):
    def is_available():
        return _has(kind)

    is_available.__doc__ = f"Whether the backend in force computes on `{kind}`."
    return is_available


def _never(name):
    def no():
        return False

    no.__name__ = no.__qualname__ = name
    no.__doc__ = "False: it is no part of ivyrs."
    return no


def _no_version():
    """None: it is no part of ivyrs."""


def device_count():
    """How many devices of the kind there are for tensors: one where the backend in force computes on it."""
    return int(_has("cuda"))


def current_device():
    """The number of the device of the backend in force."""
    if not _has("cuda"):
        raise RuntimeError("torch.cuda.current_device: the backend in force computes on the CPU: ivyrs.set_backend('jit:cuda') chooses a device")
    return get_default_device().index or 0


def manual_seed(seed):
    """Has random numbers follow from a seed: there is one generator for all devices."""
    _torch().manual_seed(seed)


def empty_cache():
    """Accepted: memory is given back by itself."""


CUDA = {
    "is_available": _is_there("cuda"), "device_count": device_count, "current_device": current_device, "is_initialized": _is_there("cuda"),
    "manual_seed": manual_seed, "manual_seed_all": manual_seed, "empty_cache": empty_cache,
}  # fmt: skip
BACKENDS = {
    "cudnn": {"is_available": _never("is_available"), "version": _no_version, "enabled": True, "benchmark": False, "deterministic": False, "allow_tf32": False},
    "cuda": {"is_built": _is_there("cuda")},
    "mps": {"is_available": _is_there("mps"), "is_built": _is_there("mps")},
    "mkl": {"is_available": _never("is_available")},
    "mkldnn": {"is_available": _never("is_available")},
    "openmp": {"is_available": _never("is_available")},
}


class _Version(str):
    """The version of PyTorch whose rules are in force, as text that is ordered by its numbers, beside text and tuples."""

    __slots__ = ()

    def _numbers(self, other):
        """The numbers of both, as many of each; None where the other has none."""
        found = [re.match(r"\d+(\.\d+)*", one) if isinstance(one, str) else None for one in (self, other)]
        numbers = [[int(part) for part in match[0].split(".")] if match else None for match in found]
        if isinstance(other, tuple) and all(isinstance(part, int) for part in other):
            numbers[1] = list(other)
        if numbers[1] is None:
            return None
        longest = max(map(len, numbers))
        return [part + [0] * (longest - len(part)) for part in numbers]

    def __lt__(self, other):
        both = self._numbers(other)
        return NotImplemented if both is None else both[0] < both[1]

    def __le__(self, other):
        both = self._numbers(other)
        return NotImplemented if both is None else both[0] <= both[1]

    def __gt__(self, other):
        both = self._numbers(other)
        return NotImplemented if both is None else both[0] > both[1]

    def __ge__(self, other):
        both = self._numbers(other)
        return NotImplemented if both is None else both[0] >= both[1]


def version():
    """`torch.__version__`: the version whose rules are in force."""
    found = _torch().ivy_version()
    return _Version(found if found.count(".") > 1 else f"{found}.0")


# Tensors.


def _fixed(value, doc):
    return property(lambda self: value, doc=doc)


def _is_on(kind):
    return property(lambda self: of(self).type == kind, doc=f"Whether the tensor is on `{kind}`.")


def get_device(self):
    """The number of the device of the tensor; -1 on the CPU."""
    own = of(self)
    return -1 if own.type == "cpu" else own.index or 0


def _itself(name, doc):
    def itself(self, *args, **kwargs):
        return self

    itself.__name__, itself.__qualname__, itself.__doc__ = name, f"Tensor.{name}", doc
    return itself


def _says(name, value, doc):
    def says(self):
        return value

    says.__name__, says.__qualname__, says.__doc__ = name, f"Tensor.{name}", doc
    return says


def cuda(self, device=None, non_blocking=False, memory_format=None):
    """The tensor itself: it is where its backend keeps it."""
    return self


def new(self, *args, device=None):
    """A tensor of the dtype: of sizes, or of a list's elements."""
    if len(args) == 1 and isinstance(args[0], (list, tuple, _Tensor)) and not isinstance(args[0], _torch().Size):
        return self.new_tensor(args[0])
    return self.new_empty(args[0] if args and isinstance(args[0], tuple) else args or (0,))


METHODS = [
    cuda, new, get_device,
    _itself("pin_memory", "The tensor itself: a backend has one kind of memory."),
    _itself("share_memory_", "The tensor itself: memory is of one process."),
    _itself("to_dense", "The tensor itself: all tensors are dense."),
    _says("is_pinned", False, "False: a backend has one kind of memory."),
    _says("is_shared", False, "False: memory is of one process."),
    _says("is_inference", False, "False: tensors keep what derivatives need."),
    _says("is_distributed", False, "False: memory is of one process."),
]  # fmt: skip
PROPERTIES = {
    **{f"is_{kind}": _is_on(kind) for kind in ("cpu", "cuda", "mps", "meta", "xla", "xpu", "ipu", "maia", "mtia", "vulkan")},
    **{f"is_{kind}": _fixed(False, "False: all tensors are dense.") for kind in ("sparse", "sparse_csr", "nested", "mkldnn")},
    "is_quantized": _fixed(False, "False: there are no quantised dtypes."),
    "layout": _fixed(STRIDED, "``torch.strided``."),
    "name": _fixed(None, "None: tensors have no names."),
    "output_nr": _fixed(0, "0."),
}

FUNCTIONS = [
    get_default_device, set_default_device, set_default_tensor_type, get_num_threads, set_num_threads, use_deterministic_algorithms,
    are_deterministic_algorithms_enabled, is_deterministic_algorithms_warn_only_enabled, get_float32_matmul_precision,
    set_float32_matmul_precision, typename, compile, from_dlpack, to_dlpack, layout, memory_format,
]  # fmt: skip


def install(torch, submodule):
    """Puts all of it into the namespace and the class of tensors."""
    for one in FUNCTIONS:
        vars(torch)[one.__name__] = one
        one.__module__ = "ivyrs.frontends.torch"
    vars(torch).update(FORMATS, strided=STRIDED)
    contents = {"cuda": CUDA, "mps": {"is_available": _is_there("mps")}, "xpu": {"is_available": _is_there("xpu")}, "version": {"cuda": None, "hip": None}}
    contents |= {f"backends.{name}": own for name, own in BACKENDS.items()}
    contents["utils.dlpack"] = {"from_dlpack": from_dlpack, "to_dlpack": to_dlpack}
    for path, own in contents.items():
        vars(submodule(torch, "torch", path.split("."))).update(own)
    for method in METHODS:
        method.__qualname__ = f"Tensor.{method.__name__}"
        setattr(_Tensor, method.__name__, method)
    for name, own in PROPERTIES.items():
        setattr(_Tensor, name, own)
    missing = vars(torch)["__getattr__"]
    vars(torch)["__getattr__"] = lambda name: version() if name == "__version__" else missing(name)
