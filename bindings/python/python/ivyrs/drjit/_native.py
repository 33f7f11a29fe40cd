"""The functions of the extension module."""

import sys

from ivyrs._ivyrs import drjit_functions

drjit_functions(sys.modules[__name__])
