#!/usr/bin/env python3
"""Runs Taichi's own tests, as they are, on `ivyrs.taichi`: taichi_suite.py FOLDER [FILE ...] [-- PYTEST OPTIONS].

FOLDER is a checkout of Taichi's sources (Apache-2.0), of which the files are taken; without FILE, those of the parts that are here: types,
fields, kernels over dense fields and arrays. Taichi's `tests.test_utils`, which asks its compiled core for targets, is another one here:
each test runs on the processor. What needs names of the core that are not here fails, and counts as such.

Prints how many pass, by file.
"""

import functools
import sys
import types

import framework_suite
import pytest

FILES = (
    "cast field fields_builder indices loops type_check type_promotion packed_size snode_layout_inspection matrix ndrange "
    "struct_for while return atomic static"
).split()


def modules():
    """Taichi's modules by their names."""
    import ivyrs.taichi as ti

    def module(name, **names):
        made = sys.modules[name] = types.ModuleType(name)
        made.__dict__.update(names)
        return made

    sys.modules["taichi"] = ti
    sys.modules["taichi.math"] = ti.math
    errors = {name: getattr(ti, name) for name in dir(ti) if name.startswith("Taichi")}

    def runtime():
        program = ti._program.current()
        return types.SimpleNamespace(default_ip=program.default_ip, default_fp=program.default_fp)

    def configuration():
        own = vars(runtime()) if ti._program._current is not None else {}
        return types.SimpleNamespace(arch=ti.cpu, debug=False, **own)

    ti.lang = lang = module("taichi.lang", cpu=ti.cpu, cuda=ti.cuda, __path__=[])
    lang.impl = module("taichi.lang.impl", current_cfg=configuration, get_runtime=runtime)
    lang.exception = module("taichi.lang.exception", **errors)
    lang.misc = module("taichi.lang.misc", get_host_arch_list=lambda: [ti.cpu])
    lang.util = module("taichi.lang.util", has_pytorch=lambda: False, has_paddle=lambda: False)

    def test(arch=None, exclude=None, require=None, **options):
        """A test on the processor, unless it is for devices only or needs what only these have."""

        def decorate(f):
            archs = arch if isinstance(arch, (list, tuple)) else [arch]
            if arch is not None and ti.cpu not in archs:
                return pytest.mark.skip(reason="for other targets")(f)

            @functools.wraps(f)
            def run(*args, **keywords):
                ti.init(arch=ti.cpu, **options)
                try:
                    return f(*args, **keywords)
                finally:
                    ti.reset()

            return run

        return decorate

    def approx(expected, **keywords):
        return pytest.approx(expected, **{"rel": 1e-6, **keywords})

    module("tests").test_utils = module(
        "tests.test_utils", test=test, approx=approx, allclose=lambda x, y, **k: x == approx(y, **k), get_rel_eps=lambda: 1e-6
    )


if __name__ == "__main__":
    framework_suite.run(__doc__, list(FILES), "tests/python", modules, "--noconftest")
