#!/usr/bin/env python3
"""Runs Dr.Jit's own tests, as they are, on `ivyrs.drjit`: drjit_suite.py FOLDER [FILE ...] [-- PYTEST OPTIONS].

FOLDER is a checkout of Dr.Jit's sources (BSD-3-Clause), of which the files are taken; without FILE, those of the parts that are here: types,
arithmetic, memory operations, printing, straight-line derivatives, loops and conditionals without derivatives. Types of a GPU are tested
where one runs.

Prints how many pass, by file.
"""

import sys
import types

import framework_suite

FILES = (
    "arithmetic init indexing conversion promote traits reduction memop complex quaternion matrix tensor format autodiff while_loop "
    "if_stmt switch texture sh_eval rand"
).split()


def modules():
    """Dr.Jit's modules by their names."""
    import ivyrs.drjit as dr

    dr.metal = types.ModuleType("drjit.metal")
    if not dr.has_backend(dr.JitBackend.CUDA):
        dr.cuda = types.ModuleType("drjit.cuda")
        dr.cuda.ad = types.ModuleType("drjit.cuda.ad")
    # What their tests skip by: they ask for the version of LLVM, of which the engine knows no more than that it does.
    dr.detail.llvm_version = lambda: (18, 0, 0)
    sys.modules["drjit"] = dr
    for name in ("scalar", "llvm", "llvm.ad", "cuda", "cuda.ad", "auto", "auto.ad", "metal"):
        module = dr
        for part in name.split("."):
            module = getattr(module, part)
        sys.modules[f"drjit.{name}"] = module


if __name__ == "__main__":
    framework_suite.run(__doc__, list(FILES), "tests", modules)
