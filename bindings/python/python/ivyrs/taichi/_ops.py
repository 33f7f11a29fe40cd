"""Taichi's functions: what kernels call by name, and what they give in Python's scope."""

from __future__ import annotations

import builtins
import math
import operator
import random as _random
from collections.abc import Callable, Iterator
from typing import Any

from ._errors import TaichiSyntaxError
from ._fields import grid
from ._matrix import Matrix
from ._types import DataType, number_type


class Operation:
    """A function that kernels know by its name."""

    def __init__(self, name: str, host: Callable[..., Any] | None = None) -> None:
        self.name, self.host = name, host

    def __repr__(self) -> str:
        return f"<ti.{self.name}>"

    def __call__(self, *arguments: Any) -> Any:
        if self.host is None:
            raise TaichiSyntaxError(f"ti.{self.name} is for kernels")
        first = next((x for x in arguments if isinstance(x, Matrix)), None)
        if first is None:
            return self.host(*arguments)
        if not isinstance(arguments[0], Matrix):
            return first.map(lambda a, b: self.host(b, a), arguments[0])  # type: ignore[misc]
        return arguments[0].map(self.host, *arguments[1:])


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)


abs = Operation("abs", operator.abs)
acos = Operation("acos", math.acos)
asin = Operation("asin", math.asin)
atan2 = Operation("atan2", math.atan2)
ceil = Operation("ceil", lambda x: float(math.ceil(x)))
cos = Operation("cos", math.cos)
exp = Operation("exp", math.exp)
floor = Operation("floor", lambda x: float(math.floor(x)))
log = Operation("log", math.log)
pow = Operation("pow", operator.pow)
round = Operation("round", lambda x: float(builtins.round(x)))
rsqrt = Operation("rsqrt", lambda x: 1 / math.sqrt(x))
sin = Operation("sin", math.sin)
sgn = Operation("sgn", _sign)
sqrt = Operation("sqrt", math.sqrt)
tan = Operation("tan", math.tan)
tanh = Operation("tanh", math.tanh)
bit_shr = Operation("bit_shr")
raw_div = Operation("raw_div")
raw_mod = Operation("raw_mod")
popcnt = Operation("popcnt", lambda x: bin(x).count("1"))
clz = Operation("clz", lambda x: 32 - (x & 0xFFFFFFFF).bit_length())
atomic_add = Operation("atomic_add")
atomic_sub = Operation("atomic_sub")
atomic_mul = Operation("atomic_mul")
atomic_min = Operation("atomic_min")
atomic_max = Operation("atomic_max")
atomic_and = Operation("atomic_and")
atomic_or = Operation("atomic_or")
atomic_xor = Operation("atomic_xor")


class _Extremum(Operation):
    def __call__(self, *arguments: Any) -> Any:
        value = arguments[0]
        for other in arguments[1:]:
            value = super().__call__(value, other)
        return value


max = _Extremum("max", lambda a, b: a if a >= b else b)
min = _Extremum("min", lambda a, b: a if a <= b else b)


class Special:
    """A function that the writer of kernels has a rule for."""

    def __init__(self, name: str, host: Callable[..., Any] | None = None) -> None:
        self.name, self.host = name, host

    def __repr__(self) -> str:
        return f"<ti.{self.name}>"

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if self.host is None:
            raise TaichiSyntaxError(f"ti.{self.name} is for kernels")
        return self.host(*arguments, **keywords)


def _static(*values: Any) -> Any:
    return values[0] if len(values) == 1 else values


def _grouped(x: Any) -> Iterator[Matrix]:
    indices = grid(*x.shape) if hasattr(x, "shape") else iter(x)
    return (Matrix(list(index) if isinstance(index, tuple) else [index]) for index in indices)


def _cast(x: Any, dtype: Any) -> Any:
    ty = number_type(dtype)
    return x.cast(ty) if isinstance(x, Matrix) else ty(x)


def _drawn(dtype: DataType | type = float) -> Any:
    return _random.random() if number_type(dtype).is_real else _random.getrandbits(31)


static = Special("static", _static)
grouped = Special("grouped", _grouped)
ndrange = Special("ndrange", grid)
cast = Special("cast", _cast)
bit_cast = Special("bit_cast")
random = Special("random", _drawn)
select = Special("select", lambda condition, x, y: x if condition else y)
static_assert = Special("static_assert")
static_print = Special("static_print", print)
activate = Special("activate")
append = Special("append")
deactivate = Special("deactivate")
is_active = Special("is_active")
length = Special("length")
no_activate = Special("no_activate")
rescale_index = Special("rescale_index")
loop_config = Special("loop_config")
assume_in_range = Special("assume_in_range", lambda value, base, low, high: value)
block_local = Special("block_local", lambda *fields: None)
cache_read_only = Special("cache_read_only", lambda *fields: None)
zero = Special("zero", lambda x: x.map(lambda _: 0) if isinstance(x, Matrix) else 0)
one = Special("one", lambda x: x.map(lambda _: 1) if isinstance(x, Matrix) else 1)
