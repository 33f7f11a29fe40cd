"""Generators of random numbers: the streams are Dr.Jit's, bit for bit."""

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


def _advanced(mask, after, before):
    """The state after a draw under a mask: masked threads keep theirs. A mask of Python's chooses as a whole, so that 64 bits stay exact."""
    return before if mask is False else _native.select(mask, after, before)


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
        if mask is True:
            return self._rng.draw(name)
        before = self._rng.parts()[0]
        made = self._rng.draw(name)
        self.state = _advanced(mask, self.state, before)
        return made

    def next_uint32(self, mask=True):
        """32 random bits."""
        return self._draw("uint32", mask)

    def next_uint64(self, mask=True):
        """64 random bits."""
        return self._draw("uint64", mask)

    def next_float32(self, mask=True):
        """A single-precision number from 0 to below 1."""
        return self._draw("float32", mask)

    def next_float64(self, mask=True):
        """A double-precision number from 0 to below 1."""
        return self._draw("float64", mask)

    def prev_uint32(self, mask=True):
        """The bits before, and one step back."""
        return self._draw("prev_uint32", mask)

    def next_uint32_bounded(self, bound: int, mask=True):
        """A whole number from 0 to below a bound, with the small bias of a product's upper half."""
        return _native.mul_hi(self.next_uint32(mask), bound)

    def next_float(self, dtype, mask=True):
        """A number from 0 to below 1 of a type."""
        ty = type_of(dtype)
        double = dtype is float or (ty is not None and ty.dtype == "Float64")
        made = self._draw("float64" if double else "float32", mask)
        return class_of(ty)(made) if ty is not None else made

    def advance(self, arg) -> None:
        """So many steps on, or back."""
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

    def __sub__(self, steps):
        return self + -steps


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
        """The key, UInt64."""
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

    def _draw(self, name, mask):
        _check_captured(self)
        if mask is True:
            return self._rng.draw(name)
        before = self.counter
        made = self._rng.draw(name)
        self.counter = _advanced(mask, self.counter, before)
        return made

    def next_uint32x4(self, mask=True):
        """Four arrays of 32 random bits."""
        return self._draw("uint32x4", mask)

    def next_uint64x2(self, mask=True):
        """Two arrays of 64 random bits."""
        return self._draw("uint64x2", mask)

    def next_float32x4(self, mask=True):
        """Four arrays of numbers from 0 to below 1."""
        return self._draw("float32x4", mask)

    def next_float64x2(self, mask=True):
        """Two arrays of numbers from 0 to below 1."""
        return self._draw("float64x2", mask)

    def next_float32x4_normal(self, mask=True):
        """Four arrays of normal numbers."""
        return self._draw("float32x4_normal", mask)

    def next_float64x2_normal(self, mask=True):
        """Two arrays of normal numbers."""
        return self._draw("float64x2_normal", mask)


def fill(package: str, names: dict) -> None:
    """Puts the generators of a package into a module."""
    module = {"__module__": f"ivyrs.drjit.{package}", "_package": package}
    fields = {"state": names["UInt64"], "inc": names["UInt64"]}
    names["PCG32"] = type("PCG32", (_Pcg32,), {**module, "DRJIT_STRUCT": fields, "__doc__": _Pcg32.__doc__})
    fields = {"seed": names["UInt64"], "counter": names["Array4u"]}
    names["Philox4x32"] = type("Philox4x32", (_Philox4x32,), {**module, "DRJIT_STRUCT": fields, "__doc__": _Philox4x32.__doc__})


def _shape(ty: DrjitType, shape) -> list[int]:
    if not isinstance(shape, int):
        return list(shape)
    # Of a nested type the length of its vectors.
    return [*ty.sizes[:-1], shape] if ty.is_jit and ty.kind != "tensor" else [shape]


class Generator:
    """Random arrays of any type, draw after draw."""

    def __init__(self, seed: int = 0):
        self._rng = DrjitGenerator(int(seed))

    def clone(self) -> "Generator":
        """A generator that gives the same numbers from here on."""
        made = Generator()
        made._rng = self._rng.clone()
        return made

    def random(self, dtype, shape):
        """Numbers from 0 to below 1."""
        ty = _type(dtype)
        return self._rng.random(ty, _shape(ty, shape))

    def uniform(self, dtype, shape, low=0.0, high=1.0):
        """Numbers from ``low`` to below ``high``."""
        ty = _type(dtype)
        return self._rng.uniform(ty, _shape(ty, shape), low, high)

    def normal(self, dtype, shape, loc=0.0, scale=1.0):
        """Numbers of a normal distribution."""
        ty = _type(dtype)
        return self._rng.normal(ty, _shape(ty, shape), loc, scale)

    def integers(self, dtype, shape, low, high=None, endpoint=False):
        """Integers from ``low`` to below ``high``; from 0, if one bound is given."""
        ty = _type(dtype)
        low, high = (0, low) if high is None else (low, high)
        return self._rng.integers(ty, _shape(ty, shape), low, high + int(endpoint))

    def permutation(self, value, count: int | None = None, axis: int = 0):
        """The numbers from 0 to below ``count`` of a type in a random order; or the entries of an array along an axis."""
        if isinstance(value, type):
            return self._rng.permutation(_type(value), count)
        from ._shape import take
        from ._traits import uint32_array_t

        ty = _type(value)
        length = value.shape[axis] if ty.kind == "tensor" else len(value)
        index_t = uint32_array_t(type(value.array))
        return take(value, self._rng.permutation(type_of(index_t), length), axis)


def _type(dtype) -> DrjitType:
    ty = type_of(dtype)
    if ty is None:
        raise TypeError(f"a type of arrays is needed, not {dtype!r}")
    return ty


def rng(seed: int = 0, method: str = "philox4x32", symbolic: bool = False) -> Generator:
    """A generator of a seed, by the streams of Philox4x32."""
    if method != "philox4x32":
        raise ValueError(f"rng(): the method is {method!r}: 'philox4x32' is the one there is")
    return Generator(seed)


def shuffle(value, seed: int = 0):
    """The elements of a flat array in a random order."""
    return _native.shuffle(value, seed)
