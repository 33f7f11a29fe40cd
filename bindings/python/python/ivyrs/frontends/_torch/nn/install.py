"""Puts modules, optimisers and datasets into the frontend's namespace."""

import types

from .. import data, lbfgs, optim, optimisers, schedulers, schedulers_cyclic
from . import attention, containers, functions, init, layers, padding, recurrent
from .module import Module, Parameter

CONTAINERS = (containers.Sequential, containers.ModuleList, containers.ModuleDict, containers.ParameterList, containers.ParameterDict)


def install(torch, submodule):
    """Makes ``torch.nn``, ``torch.optim`` and ``torch.utils.data``."""
    classes = [Module, *CONTAINERS, *layers.CLASSES, *functions.CLASSES, *padding.CLASSES, *recurrent.CLASSES, *attention.CLASSES]
    contents = {
        "nn": {cls.__name__: cls for cls in classes} | {"Parameter": Parameter},
        "nn.init": init.FUNCTIONS,
        "nn.parameter": {"Parameter": Parameter},
        "optim": {cls.__name__: cls for cls in (*optim.CLASSES, *optimisers.CLASSES, *lbfgs.CLASSES)},
        "optim.lr_scheduler": {cls.__name__: cls for cls in (*schedulers.CLASSES, *schedulers_cyclic.CLASSES)},
        "utils.data": data.CONTENTS,
    }
    for path, own in contents.items():
        module = submodule(torch, "torch", path.split("."))
        vars(module).update(own)
        for value in own.values():
            if isinstance(value, (type, types.FunctionType)):
                value.__module__ = f"ivyrs.frontends.torch.{path}" if path != "nn.parameter" else value.__module__
