"""Modules of modules."""

import itertools
import operator
from collections import OrderedDict

from .module import Module, Parameter


class Sequential(Module):
    """Modules one after the other: each is called with the result of the one before."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named = args[0].items()
        else:
            named = ((str(i), module) for i, module in enumerate(args))
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input):
        for module in self:
            input = module(input)
        return input

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return list(self._modules.values())[operator.index(index)]

    def __setitem__(self, index, module):
        self._modules[list(self._modules)[operator.index(index)]] = module

    def __delitem__(self, index):
        gone = list(self._modules)[index]
        for name in gone if isinstance(index, slice) else [gone]:
            del self._modules[name]
        _renumber(self)

    def append(self, module):
        """Adds a module behind the others."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index, module):
        """Adds a module before the one of a number."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._modules.clear()
        self._modules.update((str(i), module) for i, module in enumerate(modules))
        return self

    def pop(self, key):
        """Takes a module out, and gives it."""
        module = self[key]
        del self[key]
        return module

    def extend(self, sequential):
        """Adds modules behind the others."""
        for module in sequential:
            self.append(module)
        return self


def _renumber(holder):
    modules = list(holder._modules.values())
    holder._modules.clear()
    holder._modules.update((str(i), module) for i, module in enumerate(modules))


class ModuleList(Module):
    """A list of modules."""

    def __init__(self, modules=None):
        super().__init__()
        self.extend(modules or ())

    def _texts_below(self):
        """As those of any module, but equal neighbours once with their number."""
        texts = []
        for text, equal in itertools.groupby(super()._texts_below(), key=operator.itemgetter(1)):
            names = [name for name, _ in equal]
            several = len(names) > 1
            texts.append((f"{names[0]}-{names[-1]}", f"{len(names)} x {text}") if several else (names[0], text))
        return texts

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        found = list(self._modules.values())[index]
        return type(self)(found) if isinstance(index, slice) else found

    def __setitem__(self, index, module):
        self._modules[list(self._modules)[operator.index(index)]] = module

    def __delitem__(self, index):
        gone = list(self._modules)[index]
        for name in gone if isinstance(index, slice) else [gone]:
            del self._modules[name]
        _renumber(self)

    def __add__(self, other):
        return type(self)([*self, *other])

    def __iadd__(self, other):
        return self.extend(other)

    def insert(self, index, module):
        """Puts a module before the one at a place."""
        modules = list(self)
        modules.insert(index, module)
        self._modules.clear()
        self.extend(modules)

    def append(self, module):
        """Adds a module behind the others."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        """Adds modules behind the others."""
        for module in modules:
            self.append(module)
        return self


class _ByName(Module):
    """Modules or parameters by name: ``_entries`` says in which dict."""

    _entries = ""

    def __init__(self, entries=None):
        super().__init__()
        self.update(entries or {})

    def _own(self):
        return getattr(self, self._entries)

    def __len__(self):
        return len(self._own())

    def __iter__(self):
        return iter(self._own())

    def __contains__(self, key):
        return key in self._own()

    def __getitem__(self, key):
        return self._own()[key]

    def __delitem__(self, key):
        del self._own()[key]

    def keys(self):
        """The names."""
        return self._own().keys()

    def values(self):
        """What has the names."""
        return self._own().values()

    def items(self):
        """Names, and what has them."""
        return self._own().items()

    def pop(self, key):
        """Takes what has a name out."""
        return self._own().pop(key)

    def update(self, entries):
        """Adds what is given, by name."""
        for name, value in entries.items() if hasattr(entries, "items") else entries:
            self[name] = value


class ModuleDict(_ByName):
    """Modules by name."""

    _entries = "_modules"

    def __init__(self, modules=None):
        super().__init__(modules)

    def __setitem__(self, key, module):
        self.add_module(key, module)


def _told(entries, kind):
    """Parameters as PyTorch's texts have them, each with its kind."""
    lines = [f"  ({name}): Parameter containing: [{kind(value)} of size {'x'.join(map(str, value.shape))}]" for name, value in entries]
    return "\n".join(lines)


class ParameterList(Module):
    """A list of parameters."""

    def __init__(self, values=None):
        super().__init__()
        for value in values or ():
            self.append(value)

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        return list(self._parameters.values())[index]

    def append(self, value):
        """Adds a parameter behind the others."""
        self.register_parameter(str(len(self)), value if isinstance(value, Parameter) else Parameter(value))
        return self

    def extend(self, values):
        """Adds parameters behind the others."""
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return _told(self._parameters.items(), lambda value: f"torch.{value.dtype.name}")


class ParameterDict(_ByName):
    """Parameters by name."""

    _entries = "_parameters"

    def __init__(self, parameters=None):
        super().__init__(parameters)

    def __setitem__(self, key, value):
        self.register_parameter(key, value if isinstance(value, Parameter) else Parameter(value))

    def get(self, key, default=None):
        """The parameter of a name, or something else where there is none."""
        return self._parameters.get(key, default)

    def extra_repr(self):
        return _told(self._parameters.items(), lambda value: value.type())
