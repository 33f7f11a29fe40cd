"""Puts modules, optimisers and datasets into the frontend's namespace."""

import types

from .. import data, lbfgs, optim, optimisers, schedulers, schedulers_cyclic
from . import attention, containers, embeddings, functions, init, layers, lazy, padding, recurrent, transformer
from .module import Module, Parameter

CONTAINERS = (containers.Sequential, containers.ModuleList, containers.ModuleDict, containers.ParameterList, containers.ParameterDict)


def install(torch, submodule):
    """Makes ``torch.nn``, ``torch.optim`` and ``torch.utils.data``."""
    files = (layers, embeddings, functions, padding, recurrent, attention, transformer, lazy)
    classes = [Module, *CONTAINERS, *(cls for file in files for cls in file.CLASSES)]
    contents = {
        "nn": {cls.__name__: cls for cls in classes} | {"Parameter": Parameter},
        "nn.init": init.FUNCTIONS,
        "nn.parameter": {
            "Parameter": Parameter, "UninitializedParameter": lazy.UninitializedParameter, "UninitializedBuffer": lazy.UninitializedBuffer,
            "is_lazy": lazy.is_lazy,
        },  # fmt: skip
        "optim": {cls.__name__: cls for cls in (*optim.CLASSES, *optimisers.CLASSES, *lbfgs.CLASSES)},
        "optim.lr_scheduler": {cls.__name__: cls for cls in (*schedulers.CLASSES, *schedulers_cyclic.CLASSES)},
        "utils.data": data.CONTENTS,
    }
    for path, own in contents.items():
        module = submodule(torch, "torch", path.split("."))
        vars(module).update(own)
        for value in own.values():
            # Parameter is at home in torch.nn.
            if isinstance(value, (type, types.FunctionType)) and (path, value) != ("nn.parameter", Parameter):
                value.__module__ = f"ivyrs.frontends.torch.{path}"
