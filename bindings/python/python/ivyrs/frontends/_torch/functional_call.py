"""Modules as functions of their parameters: ``functional_call`` and ``stack_module_state``."""

from contextlib import contextmanager

from .nn.module import Module


@contextmanager
def with_values(module, values, tie_weights=True, strict=False, keeps_buffers=False):
    """The module with other parameters and buffers, by their names, while the block runs; buffers may stay as the block leaves them."""
    own = {name: (owner, kind, last) for name, owner, kind, last in _places(module)}
    missing = [name for name in own if name not in values]
    unexpected = [name for name in values if name not in own]
    if strict and (missing or unexpected):
        said = [f"Unexpected key(s): {', '.join(map(repr, unexpected))}."] * bool(unexpected) + [f"Missing key(s): {', '.join(map(repr, missing))}."] * bool(missing)
        raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:\n\t" + "\n\t".join(said))
    if unexpected:
        raise AttributeError(f"{type(module).__name__} has no parameter or buffer `{unexpected[0]}`")
    before = {name: getattr(owner, kind)[last] for name, (owner, kind, last) in own.items()}
    given = dict(values)
    if tie_weights:
        tied = {id(before[name]): value for name, value in values.items()}
        given = {name: given.get(name, tied.get(id(before[name]), before[name])) for name in own}
    try:
        for name, value in given.items():
            owner, kind, last = own[name]
            getattr(owner, kind)[last] = value
        yield
    finally:
        for name, value in before.items():
            owner, kind, last = own[name]
            if kind == "_parameters" or not keeps_buffers:
                getattr(owner, kind)[last] = value


def _places(module):
    """The places of parameters and buffers: full name, module, which of its dicts, and the name there."""
    for path, owner in module.named_modules(remove_duplicate=False):
        for kind in ("_parameters", "_buffers"):
            for last, value in getattr(owner, kind).items():
                if value is not None:
                    yield f"{path}.{last}" if path else last, owner, kind, last


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Calls a module with other parameters and buffers, which a dict or several have by name; the module itself stays as it is.

    With ``tie_weights`` parameters that are one tensor in the module stay one; with ``strict`` each has to be given.
    """
    if isinstance(parameter_and_buffer_dicts, dict):
        values = parameter_and_buffer_dicts
    elif isinstance(parameter_and_buffer_dicts, (list, tuple)):
        if not all(isinstance(part, dict) for part in parameter_and_buffer_dicts):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [name for part in parameter_and_buffer_dicts for name in part]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        values = {name: value for part in parameter_and_buffer_dicts for name, value in part.items()}
    else:
        raise ValueError(f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(parameter_and_buffer_dicts)}")
    if not isinstance(module, Module):
        raise TypeError(f"functional_call: the module is a {type(module).__name__}, not a torch.nn.Module")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with with_values(module, values, tie_weights, strict):
        return module(*args, **(kwargs or {}))


def stack_module_state(models):
    """The parameters and the buffers of models of one class, those of a name in one tensor each: what ``vmap`` takes."""
    from .. import torch

    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if any(m.training != models[0].training for m in models):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(named, leaf):
        found = {}
        for name, first in named(models[0]):
            together = torch.stack([dict(named(model))[name] for model in models]).detach()
            found[name] = together.requires_grad_(first.requires_grad) if leaf else together
        return found

    return stacked(lambda m: m.named_parameters(), True), stacked(lambda m: m.named_buffers(), False)


ALL = dict(functional_call=functional_call, stack_module_state=stack_module_state)
