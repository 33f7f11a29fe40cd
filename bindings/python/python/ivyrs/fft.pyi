"""The Fourier transform extension of the standard.

Written by bindings/python/make_stubs.py; a test compares.
"""

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import Array, DtypeLike

