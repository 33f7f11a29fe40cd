"""Modules of modules."""

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


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def keys(self):
        """The names."""
        return self._modules.keys()

    def values(self):
        """The modules."""
        return self._modules.values()

    def items(self):
        """Names and modules."""
        return self._modules.items()

    def pop(self, key):
        """Takes a module out."""
        return self._modules.pop(key)

    def update(self, modules):
        """Adds modules by name."""
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module


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


class ParameterDict(Module):
    """Parameters by name."""

    def __init__(self, parameters=None):
        super().__init__()
        self.update(parameters or {})

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters)

    def __contains__(self, key):
        return key in self._parameters

    def __getitem__(self, key):
        return self._parameters[key]

    def __setitem__(self, key, value):
        self.register_parameter(key, value if isinstance(value, Parameter) else Parameter(value))

    def __delitem__(self, key):
        del self._parameters[key]

    def keys(self):
        """The names."""
        return self._parameters.keys()

    def values(self):
        """The parameters."""
        return self._parameters.values()

    def items(self):
        """Names and parameters."""
        return self._parameters.items()

    def get(self, key, default=None):
        """The parameter of a name, or something else where there is none."""
        return self._parameters.get(key, default)

    def pop(self, key):
        """Takes a parameter out."""
        return self._parameters.pop(key)

    def update(self, parameters):
        """Adds parameters by name."""
        for name, value in parameters.items() if hasattr(parameters, "items") else parameters:
            self[name] = value

    def extra_repr(self):
        return _told(self._parameters.items(), lambda value: value.type())
