"""Generators of random numbers: the streams are Dr.Jit's, bit for bit."""

import operator

from . import _native
from ._classes import class_of, type_of
from ._errors import DrjitError
from ivyrs._ivyrs import DrjitGenerator, DrjitPcg32, DrjitPhilox, DrjitType

__all__ = ["Generator", "rng", "shuffle"]

PCG32_DEFAULT_STATE = 0x853C49E6748FEA9B
PCG32_DEFAULT_STREAM = 0xDA3E39CB94B95BDB


def _check_captured(generator) -> None:
    """Refuses a draw in a loop or conditional of which the generator is no variable: it would be left in the middle of it."""
    if _native.is_captured(generator._serial):
        raise DrjitError(
            f"{type(generator).__name__}: a generator is used in a loop or conditional that is no variable of it: give it as a part of the "
            f"state, or of the arguments and results"
        )


class _Pcg32:
    """M. O'Neill's generator PCG32, one for each thread."""

    _package = ""

    def __init__(self, size=1, initstate=PCG32_DEFAULT_STATE, initseq=PCG32_DEFAULT_STREAM):
        self._serial = _native.serial()
        if isinstance(size, _Pcg32):
            self._rng = DrjitPcg32(self._package, 1, 0, 0)
            self._rng.set_parts(*size._rng.parts())
            return
        self._rng = DrjitPcg32(self._package, size, initstate, initseq)

    def _cloned(self):
        return type(self)(self)

    def seed(self, initstate=PCG32_DEFAULT_STATE, initseq=PCG32_DEFAULT_STREAM) -> None:
        """Begins anew."""
        size = max([1] + [len(x) for x in (initstate, initseq) if hasattr(x, "__len__")])
        self._rng = DrjitPcg32(self._package, size, initstate, initseq)

    @property
    def state(self):
        """The state of each thread, UInt64."""
        return self._rng.parts()[0]

    @state.setter
    def state(self, value):
        self._rng.set_parts(value, self._rng.parts()[1])

    @property
    def inc(self):
        """What is added in each step, an odd number that numbers the sequence, UInt64."""
        return self._rng.parts()[1]

    @inc.setter
    def inc(self, value):
        self._rng.set_parts(self._rng.parts()[0], value)

    def _draw(self, name, mask):
        _check_captured(self)
        return self._rng.draw(name, mask)

    def _bounded(self, bits, bound, mask):
        _check_captured(self)
        if not isinstance(bound, int) or not 0 < bound < 1 << bits:
            raise ValueError(f"PCG32.next_uint{bits}_bounded(): the bound is {bound!r}: an integer from 1 to below 2^{bits} is needed")
        return self._rng.draw_bounded(bits, bound, mask)

    def next_uint32_bounded(self, bound: int, mask=True):
        """Integers uniform in [0, ``bound``), UInt32, by rejection sampling."""
        return self._bounded(32, bound, mask)

    def next_uint64_bounded(self, bound: int, mask=True):
        """Integers uniform in [0, ``bound``), UInt64, by rejection sampling."""
        return self._bounded(64, bound, mask)

    def _float(self, direction, dtype, end, mask):
        ty = type_of(dtype)
        name = "Float64" if dtype is float else ty.dtype if ty is not None else ""
        if name not in ("Float16", "Float32", "Float64"):
            raise TypeError(f"PCG32.{direction}_float{end}(): a type of floats is needed, not {dtype!r}")
        made = self._draw(f"{direction}_{name.lower()}{end}", mask)
        return class_of(ty)(made) if ty is not None else made

    def next_float(self, dtype, mask=True):
        """Floats of a type uniform in [0, 1)."""
        return self._float("next", dtype, "", mask)

    def prev_float(self, dtype, mask=True):
        """The floats of ``next_float`` before, and one step back."""
        return self._float("prev", dtype, "", mask)

    def next_float_normal(self, dtype, mask=True):
        """Floats of a type of the standard normal distribution."""
        return self._float("next", dtype, "_normal", mask)

    def prev_float_normal(self, dtype, mask=True):
        """The floats of ``next_float_normal`` before, and one step back."""
        return self._float("prev", dtype, "_normal", mask)

    def advance(self, arg) -> None:
        """Jump-ahead by so many steps, or back; an array has a number for each thread."""
        _check_captured(self)
        self._rng.advance(arg)

    def __iadd__(self, steps):
        self.advance(steps)
        return self

    def __isub__(self, steps):
        self.advance(-steps)
        return self

    def __add__(self, steps):
        made = type(self)(self)
        made.advance(steps)
        return made

    def __sub__(self, other):
        """The generator so many steps back; of two generators, how many steps lead from the second one to the first."""
        if isinstance(other, _Pcg32):
            return self._rng.distance(other._rng)
        return self + -other


def _draw_method(name, doc):
    def draw(self, mask=True):
        return self._draw(name, mask)

    draw.__name__, draw.__doc__ = name, doc
    return draw


_PCG32_KINDS = {
    "uint32": "32 random bits.",
    "uint64": "64 random bits: two steps, the lower half first.",
    "float16": "Half-precision floats: those of ``next_float32``, rounded, so that 1 is among them.",
    "float32": "Single-precision floats uniform in [0, 1).",
    "float64": "Double-precision floats uniform in [0, 1), of 32 bits.",
    "float16_normal": "Half-precision floats of the standard normal distribution.",
    "float32_normal": "Single-precision floats of the standard normal distribution.",
    "float64_normal": "Double-precision floats of the standard normal distribution.",
}
for _kind, _doc in _PCG32_KINDS.items():
    setattr(_Pcg32, f"next_{_kind}", _draw_method(f"next_{_kind}", _doc))
    setattr(_Pcg32, f"prev_{_kind}", _draw_method(f"prev_{_kind}", f"What ``next_{_kind}`` gave before, and a step back."))


class _Philox4x32:
    """The counter-based generator Philox4x32 (Salmon et al. 2011)."""

    _package = ""

    def __init__(self, seed, counter_0=None, counter_1=0, counter_2=0, iterations=7):
        self._serial = _native.serial()
        if isinstance(seed, _Philox4x32):
            self._rng = seed._rng.clone()
            return
        if counter_0 is None:
            raise TypeError("Philox4x32: missing argument: 'counter_0'")
        self._rng = DrjitPhilox(self._package, seed, [counter_0, counter_1, counter_2], iterations)

    def _cloned(self):
        return type(self)(self)

    @property
    def seed(self):
        """The key's upper and lower half, Array2u."""
        return self._rng.parts()[0]

    @seed.setter
    def seed(self, value):
        self._rng.set_parts(value, self._rng.parts()[1])

    @property
    def counter(self):
        """The caller's three counters and that of the draws, Array4u."""
        return self._rng.parts()[1]

    @counter.setter
    def counter(self, value):
        self._rng.set_parts(self._rng.parts()[0], value)

    @property
    def iterations(self) -> int:
        """How many rounds the bits are mixed."""
        return self._rng.iterations

    @iterations.setter
    def iterations(self, value: int):
        self._rng.iterations = value

    def _draw(self, name, mask):
        _check_captured(self)
        if mask is True:
            return self._rng.draw(name.removeprefix("next_"))
        before = self.counter
        made = self._rng.draw(name.removeprefix("next_"))
        self.counter = _native.select(mask, self.counter, before)
        return made


_PHILOX_KINDS = {
    "uint32x4": "Four arrays of 32 random bits.",
    "uint64x2": "Two arrays of 64 random bits.",
    "float16x4": "Four arrays of half-precision floats: those of ``next_float32x4``, rounded, so that 1 is among them.",
    "float32x4": "Four arrays of single-precision floats uniform in [0, 1).",
    "float64x2": "Two arrays of double-precision floats uniform in [0, 1).",
    "float16x4_normal": "Four arrays of half-precision floats of the standard normal distribution.",
    "float32x4_normal": "Four arrays of single-precision floats of the standard normal distribution.",
    "float64x2_normal": "Two arrays of double-precision floats of the standard normal distribution.",
}
for _kind, _doc in _PHILOX_KINDS.items():
    setattr(_Philox4x32, f"next_{_kind}", _draw_method(f"next_{_kind}", _doc))


def fill(package: str, names: dict) -> None:
    """Puts the generators of a package into a module."""
    module = {"__module__": f"ivyrs.drjit.{package}", "_package": package}
    fields = {"state": names["UInt64"], "inc": names["UInt64"]}
    names["PCG32"] = type("PCG32", (_Pcg32,), {**module, "DRJIT_STRUCT": fields, "__doc__": _Pcg32.__doc__})
    fields = {"seed": names["Array2u"], "counter": names["Array4u"]}
    names["Philox4x32"] = type("Philox4x32", (_Philox4x32,), {**module, "DRJIT_STRUCT": fields, "__doc__": _Philox4x32.__doc__})


def _shape(ty: DrjitType, shape) -> list[int]:
    try:
        lengths = [operator.index(own) for own in (shape if isinstance(shape, (list, tuple)) else (shape,))]
    except TypeError:
        lengths = [-1]
    if any(own < 0 for own in lengths):
        raise ValueError(f"the shape is {shape!r}: an integer, or several, none of them below 0, are needed")
    if isinstance(shape, (list, tuple)):
        return lengths
    # Of a nested type the length of its vectors.
    return [*ty.sizes[:-1], *lengths] if ty.is_jit and ty.kind != "tensor" else lengths


class Generator:
    """Random arrays of any type, draw after draw: what ``rng`` gives. Seed and counter are numbers of Python's, or arrays that are
    variables of loops and conditionals. What is recorded runs once: numbers cannot count there, and draws by them are refused."""

    DRJIT_STRUCT = {"seed": object, "counter": object}

    def __init__(self, seed=0, counter=0, symbolic: bool = False):
        self._serial = _native.serial()
        self._rng = DrjitGenerator(seed, symbolic)
        self.counter = counter

    def _cloned(self):
        made = object.__new__(type(self))
        made._serial = _native.serial()
        made._rng = self._rng.clone()
        return made

    def clone(self) -> "Generator":
        """A generator that gives the same numbers from here on."""
        return self._cloned()

    @property
    def seed(self):
        """The seed, a number or UInt64."""
        return self._rng.parts()[0]

    @seed.setter
    def seed(self, value):
        self._rng.set_parts(value, self._rng.parts()[1])

    @property
    def counter(self):
        """How many blocks of draws were taken, a number or UInt32."""
        return self._rng.parts()[1]

    @counter.setter
    def counter(self, value):
        self._rng.set_parts(self._rng.parts()[0], value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}[seed={self.seed}, counter={self.counter}]"

    def _drawn(self):
        if _native.is_recording():
            _check_captured(self)
        return self._rng

    def random(self, dtype, shape):
        """Floats uniform in [0, 1)."""
        ty = _type(dtype)
        return self._drawn().random(ty, _shape(ty, shape))

    def uniform(self, dtype, shape, low=0.0, high=1.0):
        """Floats uniform in [``low``, ``high``), which may be arrays."""
        ty = _type(dtype)
        return self._drawn().uniform(ty, _shape(ty, shape), low, high)

    def normal(self, dtype, shape, loc=0.0, scale=1.0):
        """Floats of a normal distribution, whose mean and standard deviation may be arrays."""
        ty = _type(dtype)
        return self._drawn().normal(ty, _shape(ty, shape), loc, scale)

    def integers(self, dtype, shape, low=0, high=None, endpoint: bool = False):
        """Integers uniform in [``low``, ``high``); from 0, if one bound is given; with the upper one, if it is the ``endpoint``."""
        ty = _type(dtype)
        low, high = (0, low) if high is None else (low, high)
        return self._drawn().integers(ty, _shape(ty, shape), low, high + 1 if endpoint else high)

    def permutation(self, x, n: int | None = None, axis: int = 0):
        """The integers from 0 to below ``n`` in a random order, UInt32 of the package of a type; or the entries of an array along an axis."""
        from ._shape import take
        from ._traits import uint32_array_t

        if isinstance(x, type):
            if not isinstance(n, int) or n < 0:
                raise ValueError(f"Generator.permutation(): `n` is {n!r}: the number of integers is needed beside a type")
            _type(x)
            return self._drawn().permutation(type_of(uint32_array_t(x)), n)
        ty = type_of(x)
        if ty is None or ty.kind not in ("flat", "tensor"):
            raise TypeError(f"Generator.permutation(): a type of arrays, a flat array or a tensor is needed, not {type(x).__name__}")
        # The axis is the second argument beside an array.
        axis = axis if n is None else n
        lengths = x.shape if ty.kind == "tensor" else (len(x),)
        if not -len(lengths) <= axis < len(lengths):
            raise IndexError(f"Generator.permutation(): the axis {axis} is none of an array with {len(lengths)} axes")
        index_t = uint32_array_t(type(x.array) if ty.kind == "tensor" else type(x))
        return take(x, self._drawn().permutation(type_of(index_t), lengths[axis]), axis)


def _type(dtype) -> DrjitType:
    if dtype is float:
        return DrjitType("drjit.scalar.Float64")
    ty = type_of(dtype)
    if ty is None:
        raise TypeError(f"a type of arrays is needed, not {dtype!r}")
    return ty


def rng(seed=0, method: str = "philox4x32", symbolic: bool = False) -> Generator:
    """A generator of a seed, a number or an array of integers, by the streams of Philox4x32. The counter of a symbolic generator, whose
    seed must be an array, is never evaluated."""
    if method != "philox4x32":
        raise ValueError(f"rng(): the method is {method!r}: 'philox4x32' is the one there is")
    return Generator(seed, symbolic=symbolic)


def shuffle(value, seed: int = 0):
    """The elements of a flat array in a random order."""
    return _native.shuffle(value, seed)
