"""``torch.device``: where tensors are. Here they are where their backend keeps them."""

import re

_KINDS = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")


class device(str):
    """A kind of device and a number: ``device("cuda:1")``, ``device("cuda", 1)``, of another one, or of a number.

    It is a ``str``, its name, which functions take as an argument; PyTorch's is none.
    """

    __slots__ = ("type", "index")

    def __new__(cls, type, index=None):
        if isinstance(type, int) and not isinstance(type, bool):
            kind, number = "cuda", type
        elif isinstance(type, str):
            found = re.fullmatch(r"([a-z]+)(?::(\d+))?", type)
            if found is None or found[1] not in _KINDS:
                raise RuntimeError(f"Expected one of {', '.join(_KINDS)} device type at start of device string: {type}")
            kind, number = found[1], None if found[2] is None else int(found[2])
        else:
            raise TypeError(f"device(): a device, a text or a number is needed, not {type!r}")
        if index is not None:
            if number is not None:
                raise RuntimeError(f"type (string) must not include an index because index was passed explicitly: {type}")
            number = index
        if number is not None and number < 0:
            raise RuntimeError("Device index must not be negative")
        self = str.__new__(cls, kind if number is None else f"{kind}:{number}")
        object.__setattr__(self, "type", kind)
        object.__setattr__(self, "index", number)
        return self

    def __setattr__(self, name, value):
        raise AttributeError(f"attribute '{name}' of 'torch.device' objects is not writable")

    def __repr__(self):
        return f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"

    def __reduce__(self):
        return device, (str(self),)


device.__module__ = "ivyrs.frontends.torch"


def of(tensor):
    """The device of a tensor."""
    kind, _, number = str(tensor.ivy_array.device).partition(":")
    return device("mps" if kind == "metal" else kind, int(number) if number and kind != "cpu" else None)
