"""Other frameworks' namespaces over ivyrs' arrays: ``import ivyrs.frontends.torch as torch``.

Names, arguments, defaults, dtype rules and errors are the framework's; the functions are rows of the tables in
``frontends/`` of the sources. ``numpy``, ``torch``, ``jax``, ``tensorflow`` and ``paddle`` are there.
"""

from .. import _ivyrs

NAMES = "numpy", "torch", "jax", "tensorflow", "paddle"
dtype = type(_ivyrs.frontend_dtype("numpy", "float64"))
Function = type(_ivyrs.frontend_functions("numpy")[0][2])
