"""The base of all modules: parameters, buffers and submodules by their attributes' names."""

from collections import OrderedDict, namedtuple

from .... import _ivyrs

Tensor = _ivyrs.TorchTensor
IncompatibleKeys = namedtuple("_IncompatibleKeys", ("missing_keys", "unexpected_keys"))


class Parameter(Tensor):
    """A tensor that is a parameter of the module whose attribute it is."""

    def __new__(cls, data=None, requires_grad=True):
        from ... import torch

        self = Tensor.__new__(cls, torch.empty(0) if data is None else data.detach() if isinstance(data, Tensor) else data)
        if requires_grad:
            self.requires_grad_(True)
        return self

    def __repr__(self):
        return f"Parameter containing:\n{Tensor.__repr__(self)}"

    __str__ = __repr__

    def __deepcopy__(self, memo):
        return memo.setdefault(id(self), type(self)(self.detach().clone(), self.requires_grad))


class Module:
    """A module: it is called with tensors, and has its parameters, buffers and submodules by name."""

    def __init__(self):
        for name in ("_parameters", "_buffers", "_modules", "_forward_hooks", "_forward_pre_hooks"):
            object.__setattr__(self, name, OrderedDict())
        object.__setattr__(self, "_non_persistent", set())
        object.__setattr__(self, "_hooks_with_kwargs", set())
        object.__setattr__(self, "_hooks_always_called", set())
        object.__setattr__(self, "training", True)

    # Attributes.
    def __setattr__(self, name, value):
        own = vars(self)
        if "_parameters" not in own:
            raise AttributeError("cannot assign parameters or modules before Module.__init__() call")
        kinds = {"_parameters": Parameter, "_modules": Module}
        for kind, cls in kinds.items():
            if isinstance(value, cls) or value is None and name in own[kind]:
                for other in ("_parameters", "_buffers", "_modules"):
                    if other != kind:
                        own[other].pop(name, None)
                own.pop(name, None)
                own[kind][name] = value
                return
        if name in self._parameters:
            raise TypeError(f"cannot assign '{type(value).__name__}' as parameter '{name}' (torch.nn.Parameter or None expected)")
        if name in self._modules:
            raise TypeError(f"cannot assign '{type(value).__name__}' as child module '{name}' (torch.nn.Module or None expected)")
        if name in self._buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{type(value).__name__}' object to buffer '{name}' (torch.Tensor or None required)")
            self._buffers[name] = value
            return
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        own = vars(self)
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in own.get(kind, ()):
                return own[kind][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in vars(self)[kind]:
                del vars(self)[kind][name]
                return
        object.__delattr__(self, name)

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a tensor that is no parameter; one that is not persistent is not in ``state_dict``."""
        if not isinstance(tensor, (Tensor, type(None))):
            raise TypeError(f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' (torch Tensor or None required)")
        self._check_name(name, self._buffers, "buffer")
        self._buffers[name] = tensor
        (self._non_persistent.discard if persistent else self._non_persistent.add)(name)

    def register_parameter(self, name, param):
        """Adds a parameter, or the place of one."""
        if not isinstance(param, (Parameter, type(None))):
            raise TypeError(f"cannot assign '{type(param).__name__}' object to parameter '{name}' (torch.nn.Parameter or None required)")
        self._check_name(name, self._parameters, "parameter")
        self._parameters[name] = param

    def add_module(self, name, module):
        """Adds a submodule."""
        if not isinstance(module, (Module, type(None))):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._check_name(name, self._modules, "module")
        self._modules[name] = module

    register_module = add_module

    def _check_name(self, name, kind, what):
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type(name).__name__}")
        if "." in name or name == "":
            raise KeyError(f"{what} name can't " + ("contain '.'" if name else "be empty string ''"))
        if hasattr(self, name) and name not in kind:
            raise KeyError(f"attribute '{name}' already exists")

    # Calls.
    def forward(self, *args, **kwargs):
        """What a call computes."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        for key, hook in list(self._forward_pre_hooks.items()):
            if key in self._hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not (isinstance(changed, tuple) and len(changed) == 2):
                        raise RuntimeError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}.")
                    args, kwargs = changed
                continue
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        called, result = set(), None
        try:
            result = self.forward(*args, **kwargs)
            for key, hook in list(self._forward_hooks.items()):
                called.add(key)
                changed = hook(self, args, kwargs, result) if key in self._hooks_with_kwargs else hook(self, args, result)
                result = result if changed is None else changed
        except Exception:
            for key, hook in list(self._forward_hooks.items()):
                if key in self._hooks_always_called and key not in called:
                    _ = hook(self, args, kwargs, result) if key in self._hooks_with_kwargs else hook(self, args, result)
            raise
        return result

    def _hooked(self, hooks, hook, prepend, with_kwargs):
        handle = Handle(hooks, hook)
        if with_kwargs:
            self._hooks_with_kwargs.add(handle._key)
        if prepend:
            hooks.move_to_end(handle._key, last=False)
        return handle

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """A function of the module, the arguments and the result, called after each call; what it gives replaces the result. With
        ``prepend`` it comes before those that there are, with ``with_kwargs`` the keyword arguments follow those by position, with
        ``always_call`` it is called where the call fails, too."""
        handle = self._hooked(self._forward_hooks, hook, prepend, with_kwargs)
        if always_call:
            self._hooks_always_called.add(handle._key)
        return handle

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """A function of the module and the arguments, called before each call; what it gives replaces the arguments: those by
        position, with ``with_kwargs`` both."""
        return self._hooked(self._forward_pre_hooks, hook, prepend, with_kwargs)

    # What there is.
    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """This module and all below it, by path."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self):
        """This module and all below it."""
        return (module for _, module in self.named_modules())

    def named_children(self):
        """The submodules, by name."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        """The submodules."""
        return (module for _, module in self.named_children())

    def _named(self, kind, prefix, recurse, remove_duplicate):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in vars(module)[kind].items():
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield f"{path}.{name}" if path else name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """The parameters, by path."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """The parameters."""
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """The buffers, by path."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """The buffers."""
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target):
        """The module of a path."""
        module = self
        for name in filter(None, target.split(".")):
            if name not in module._modules:
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = module._modules[name]
        return module

    def get_parameter(self, target):
        """The parameter of a path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if module._parameters.get(name) is None:
            raise AttributeError(f"{type(module).__name__} has no parameter `{name}`")
        return module._parameters[name]

    def get_buffer(self, target):
        """The buffer of a path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if module._buffers.get(name) is None:
            raise AttributeError(f"{type(module).__name__} has no buffer `{name}`")
        return module._buffers[name]

    def set_submodule(self, target, module, strict=False):
        """Puts a module at a path; if strict only in the place of one."""
        if not isinstance(module, Module):
            raise ValueError(f"set_submodule: a Module is needed, not {type(module).__name__}")
        path, _, name = target.rpartition(".")
        if not name:
            raise ValueError("Cannot set the submodule without a target name!")
        holder = self.get_submodule(path)
        if strict and name not in holder._modules:
            raise AttributeError(f"{type(holder).__name__} has no attribute `{name}`")
        holder._modules[name] = module

    # States.
    def state_dict(self, *, prefix="", keep_vars=False):
        """Parameters and persistent buffers by path; they share their elements with the module."""
        found = OrderedDict()
        for path, module in self.named_modules(prefix=prefix.removesuffix("."), remove_duplicate=False):
            for name, value in [*module._parameters.items(), *module._buffers.items()]:
                if value is not None and name not in module._non_persistent:
                    found[f"{path}.{name}" if path else name] = value if keep_vars else value.detach()
        return found

    def load_state_dict(self, state_dict, strict=True):
        """Writes values by path into the parameters and buffers. Nothing is written where a shape does not fit, or, if strict,
        where a path is missing or unknown."""
        from ... import torch

        for path, module in self.named_modules():
            start = f"{path}." if path else ""
            module._prepare({name.removeprefix(start): value for name, value in state_dict.items() if name.startswith(start)})
        own = self.state_dict(keep_vars=True)
        missing = [name for name in own if name not in state_dict]
        unknown = [name for name in state_dict if name not in own]
        errors = []
        if strict and unknown:
            errors.append("Unexpected key(s) in state_dict: " + ", ".join(f'"{name}"' for name in unknown) + ". ")
        if strict and missing:
            errors.append("Missing key(s) in state_dict: " + ", ".join(f'"{name}"' for name in missing) + ". ")
        for name, target in own.items():
            given = state_dict.get(name)
            if given is not None and tuple(given.shape) != tuple(target.shape):
                errors.append(
                    f"size mismatch for {name}: copying a param with shape {given.shape} from checkpoint, "
                    f"the shape in current model is {target.shape}."
                )
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        with torch.no_grad():
            for name, target in own.items():
                if name in state_dict:
                    target.copy_(state_dict[name] if isinstance(state_dict[name], Tensor) else torch.as_tensor(state_dict[name]))
        return IncompatibleKeys(missing, unknown)

    def _prepare(self, state):
        """What a module does with a state before it is loaded."""

    def train(self, mode=True):
        """Sets the mode of training, or of evaluation, here and below."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self):
        """Sets the mode of evaluation."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Sets whether derivatives by the parameters are wanted."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Forgets the derivatives, or makes them 0."""
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else parameter.grad * 0

    def apply(self, fn):
        """Calls a function with each submodule, and then with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, change):
        for module in self.modules():
            for value in module._parameters.values():
                if value is not None:
                    value.data = change(value.detach())
            for name, value in module._buffers.items():
                if value is not None:
                    module._buffers[name] = change(value)
        return self

    def to(self, *args, dtype=None, **kwargs):
        """The parameters and buffers of floats in another dtype; a device is accepted."""
        from ... import torch

        given = [arg for arg in args if isinstance(arg, torch.dtype)]
        like = [arg.dtype for arg in args if isinstance(arg, Tensor)]
        dtype = dtype or next(iter(given + like), None)
        if dtype is None:
            return self
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")
        return self._apply(lambda x: x.to(dtype) if x.is_floating_point() or x.is_complex() else x)

    def float(self):
        """Parameters and buffers of floats in float32."""
        from ... import torch

        return self.to(torch.float32)

    def double(self):
        """Parameters and buffers of floats in float64."""
        from ... import torch

        return self.to(torch.float64)

    def half(self):
        """Parameters and buffers of floats in float16."""
        from ... import torch

        return self.to(torch.float16)

    def bfloat16(self):
        """Parameters and buffers of floats in bfloat16."""
        from ... import torch

        return self.to(torch.bfloat16)

    def cpu(self):
        """The module itself: a backend has one device."""
        return self

    def cuda(self, device=None):
        """The module itself: a backend has one device."""
        return self

    def share_memory(self):
        """The module itself: memory is of one process."""
        return self

    def to_empty(self, *, device, recurse=True):
        """The parameters and buffers, with no values that matter."""
        return self

    def type(self, dst_type):
        """Parameters and buffers in a dtype, of which the names of tensors' classes are some."""
        return self._apply(lambda x: x.type(dst_type))

    def compile(self, *args, **kwargs):
        """Accepted: with ivyrs' engine as the backend what a module does is recorded and compiled as it runs."""

    # Text.
    def extra_repr(self):
        """What stands between the parentheses of the text."""
        return ""

    def _get_name(self):
        return type(self).__name__

    def _texts_below(self):
        """Names and texts of the submodules."""
        return [(name, repr(module)) for name, module in self._modules.items()]

    def __repr__(self):
        told = self.extra_repr()
        extra = told.split("\n") if told else []
        below = []
        for name, text in self._texts_below():
            first, *rest = text.split("\n")
            below.append(f"({name}): " + "\n".join([first, *("  " + line for line in rest)]))
        if len(extra) == 1 and not below:
            return f"{self._get_name()}({extra[0]})"
        lines = extra + below
        return f"{self._get_name()}(" + ("\n  " + "\n  ".join(lines) + "\n" if lines else "") + ")"


class Handle:
    """A hook that can be taken out again."""

    _next = 0

    def __init__(self, hooks, hook):
        self._hooks, self._key = hooks, Handle._next
        Handle._next += 1
        hooks[self._key] = hook

    def remove(self):
        """Takes the hook out."""
        self._hooks.pop(self._key, None)
