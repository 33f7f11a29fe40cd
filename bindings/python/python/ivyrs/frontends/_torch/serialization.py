"""``torch.save`` and ``torch.load``: PyTorch's own zip files, which PyTorch reads and writes as well."""

import importlib
import io
import os
import pickle
import struct
import zipfile
from collections import OrderedDict

from ... import _ivyrs
from .package import torch as _torch

_Tensor = _ivyrs.TorchTensor
# PyTorch's names of storages, by dtype, with the format of their elements in memory.
_STORAGES = {
    "float64": ("DoubleStorage", "d"), "float32": ("FloatStorage", "f"), "float16": ("HalfStorage", "e"),
    "bfloat16": ("BFloat16Storage", "f"), "int64": ("LongStorage", "q"), "int32": ("IntStorage", "i"),
    "int16": ("ShortStorage", "h"), "int8": ("CharStorage", "b"), "uint8": ("ByteStorage", "B"),
    "bool": ("BoolStorage", "B"), "complex64": ("ComplexFloatStorage", "f"), "complex128": ("ComplexDoubleStorage", "d"),
}  # fmt: skip
_DTYPES = {name: dtype for dtype, (name, _) in _STORAGES.items()}
_WIDTHS = {"float64": 8, "int64": 8, "complex64": 8, "complex128": 16, "float32": 4, "int32": 4, "int8": 1, "uint8": 1, "bool": 1}


class _Global:
    """A name of a PyTorch module, which need not be installed."""

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self, *args):
        raise TypeError(f"{self.module}.{self.name} is a name in a file")


class _Storage:
    """The elements of a tensor, as an entry of the file."""

    def __init__(self, key, dtype, count):
        self.key, self.dtype, self.count = key, dtype, count


def _to_bytes(tensor, dtype):
    if dtype == "bfloat16":
        # The upper halves of float32, which holds it exactly.
        raw = bytes(memoryview(tensor.float().ivy_array))
        half = bytearray(len(raw) // 2)
        half[0::2], half[1::2] = raw[2::4], raw[3::4]
        return bytes(half)
    return bytes(memoryview(tensor.ivy_array))


def _from_bytes(raw, dtype):
    torch = _torch()
    if dtype == "bfloat16":
        whole = bytearray(2 * len(raw))
        whole[2::4], whole[3::4] = raw[0::2], raw[1::2]
        raw = whole
    if dtype == "float16":
        # Views of memory know no such format.
        return torch.tensor(struct.unpack(f"<{len(raw) // 2}e", raw), dtype=torch.float16)
    made = torch.as_tensor(memoryview(bytearray(raw)).cast(_STORAGES[dtype][1]))
    if dtype.startswith("complex"):
        pairs = made.reshape(-1, 2)
        made = torch.complex(pairs[:, 0].contiguous(), pairs[:, 1].contiguous())
    return made.to(getattr(torch, dtype))


class _Pickler(pickle._Pickler):
    """Writes tensors as PyTorch does: a call of one of its functions on an entry of the file."""

    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.storages = []
        self._known = {}

    def save(self, obj, save_persistent_id=True):
        torch = _torch()
        if isinstance(obj, torch.dtype):
            obj = _Global("torch", obj.name.rpartition(".")[2])
        if isinstance(obj, _Global):
            self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
            return None
        return super().save(obj, save_persistent_id)

    def persistent_id(self, obj):
        if not isinstance(obj, _Storage):
            return None
        return ("storage", _Global("torch", _STORAGES[obj.dtype][0]), obj.key, "cpu", obj.count)

    def reducer_override(self, obj):
        torch = _torch()
        if isinstance(obj, torch.Size):
            return _Global("torch", "Size"), (tuple(obj),)
        if isinstance(obj, torch.nn.Parameter):
            return _Global("torch._utils", "_rebuild_parameter"), (obj.detach(), bool(obj.requires_grad), OrderedDict())
        if not isinstance(obj, _Tensor):
            return NotImplemented
        if obj.requires_grad and not obj.is_leaf:
            obj = obj.detach().requires_grad_()
        dtype = obj.dtype.name.rpartition(".")[2]
        if dtype not in _STORAGES:
            raise TypeError(f"torch.save: PyTorch's files have no storage of {dtype}")
        number = self._known.get(id(obj))
        if number is None:
            number = self._known[id(obj)] = len(self.storages)
            plain = obj.detach().contiguous()
            # The object is kept, so that its identity stays its own.
            self.storages.append((_to_bytes(plain, dtype), obj))
        shape, strides, step = tuple(obj.shape), [], 1
        for length in reversed(shape):
            strides.insert(0, step)
            step *= max(length, 1)
        storage = _Storage(str(number), dtype, obj.numel())
        return _Global("torch._utils", "_rebuild_tensor_v2"), (storage, 0, shape, tuple(strides), bool(obj.requires_grad), OrderedDict())


def save(obj, f, pickle_module=pickle, pickle_protocol=2, _use_new_zipfile_serialization=True, _disable_byteorder_record=False):
    """Writes an object with its tensors into a file or a file-like object, in PyTorch's format."""
    if not _use_new_zipfile_serialization:
        raise ValueError("torch.save: only PyTorch's zip files are written")
    data = io.BytesIO()
    pickler = _Pickler(data, pickle_protocol)
    pickler.dump(obj)
    name = os.path.splitext(os.path.basename(f))[0] if isinstance(f, (str, os.PathLike)) else "archive"
    # All is there before the file is touched.
    with zipfile.ZipFile(f, "w", zipfile.ZIP_STORED) as file:
        file.writestr(f"{name}/data.pkl", data.getvalue())
        file.writestr(f"{name}/byteorder", "little")
        for number, (raw, _) in enumerate(pickler.storages):
            file.writestr(f"{name}/data/{number}", raw)
        file.writestr(f"{name}/version", "3\n")


def _rebuild_tensor(storage, offset, size, stride, requires_grad, hooks, metadata=None):
    tensor = _from_bytes(*storage).as_strided(tuple(size), tuple(stride), offset) if len(storage[0]) else _torch().zeros(tuple(size)).to(getattr(_torch(), storage[1]))
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_parameter(data, requires_grad, hooks):
    return _torch().nn.Parameter(data, requires_grad)


class _Unpickler(pickle.Unpickler):
    """Reads what PyTorch and :func:`save` write; with ``weights_only`` nothing else."""

    def __init__(self, file, archive, prefix, weights_only):
        super().__init__(file)
        self._archive, self._prefix, self._weights_only = archive, prefix, weights_only

    def find_class(self, module, name):
        torch = _torch()
        if module == "torch._utils" and name in ("_rebuild_tensor_v2", "_rebuild_parameter"):
            return _rebuild_tensor if name == "_rebuild_tensor_v2" else _rebuild_parameter
        if module in ("torch", "torch.storage") and name in _DTYPES:
            return _DTYPES[name]
        if module == "torch" and name == "Size":
            return torch.Size
        if module == "torch" and isinstance(vars(torch).get(name), torch.dtype):
            return getattr(torch, name)
        if (module, name) == ("torch", "device"):
            return torch.device
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if self._weights_only:
            raise pickle.UnpicklingError(
                f"Weights only load failed: GLOBAL {module}.{name} is not a tensor, a dtype, a shape or one of Python's containers. "
                "With weights_only=False it is read, and may run any code: do that only with files that you trust."
            )
        if module == "torch" or module.startswith("torch.nn"):
            module = module.replace("torch", "ivyrs.frontends.torch", 1)
            module = "ivyrs.frontends.torch.nn" if ".nn.modules" in module else module
        return getattr(importlib.import_module(module), name)

    def persistent_load(self, pid):
        kind, dtype, key, _place, count = pid
        if kind != "storage" or dtype not in _STORAGES:
            raise pickle.UnpicklingError(f"torch.load: an entry of kind {kind!r} is not known")
        raw = self._archive.read(f"{self._prefix}/data/{key}")
        if len(raw) != count * _WIDTHS.get(dtype, 2):
            raise pickle.UnpicklingError(f"torch.load: entry {key} has {len(raw)} bytes, not those of {count} elements of {dtype}")
        return raw, dtype


def load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None):
    """Reads what ``save``, PyTorch's or this one, has written. ``map_location`` and ``mmap`` have no meaning here."""
    try:
        archive = zipfile.ZipFile(f)
    except zipfile.BadZipFile:
        raise RuntimeError("torch.load: the file is none of PyTorch's zip files (those of versions before 1.6 are not read)") from None
    with archive:
        names = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(names) != 1:
            raise RuntimeError("torch.load: the file has no entry data.pkl")
        prefix = names[0].rpartition("/")[0]
        if f"{prefix}/byteorder" in archive.namelist() and archive.read(f"{prefix}/byteorder") != b"little":
            raise RuntimeError("torch.load: the elements are in the other byte order")
        return _Unpickler(io.BytesIO(archive.read(names[0])), archive, prefix, weights_only).load()
