"""Dr.Jit programs as their users write them, whose types are asserted; the tests run this, too."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_type

import ivyrs.drjit as dr
from ivyrs.drjit import auto, llvm
from ivyrs.drjit.llvm.ad import (
    PCG32,
    Array2f,
    Array3f,
    Array4f,
    Array4u,
    Bool,
    Complex2f,
    Float,
    Float64,
    Int,
    Matrix3f,
    Philox4x32,
    TensorXf,
    Texture2f,
    UInt,
    UInt64,
)

# Sums are of the type to which both promote; a Python number leaves an array's elements unless it is a float beside integers.
x, i = Float(1, 2, 3), Int(1, 2, 3)
assert_type(x + x, Float)
assert_type(x + 1, Float)
assert_type(2.5 * x, Float)
assert_type(i + 1, Int)
assert_type(i + 1.5, Float)
assert_type(i + x, Float)
assert_type(x + Float64(1), Float64)
assert_type(llvm.Float(1) + x, Float)
v = Array3f(x, 1, 2)
assert_type(v * x, Array3f)
assert_type(x + v, Array3f)
assert_type(v.x, Float)
assert_type(v[0], Float)
assert_type(x[0], float)
v.x = 1
v.y += x
assert_type(len(v), int)
assert_type(v.grad, Array3f)
assert_type(x < 2, Bool)
assert_type(v < 2, llvm.ad.Array3b)
assert_type((x < 2) & (x > 0), Bool)
assert_type(x == 2, Bool)
assert_type(i >> 1, Int)
assert_type(Complex2f(1, 2).real, Float)
assert_type(Complex2f(1, 2) * 2, Complex2f)
assert_type(Matrix3f(1)[0], Array3f)
assert_type(TensorXf([1, 2], shape=(2,)) + 1, TensorXf)

# Functions.
assert_type(dr.sqrt(x), Float)
assert_type(dr.sqrt(2.0), float)
assert_type(dr.normalize(v), Array3f)
assert_type(dr.maximum(x, 0), Float)
assert_type(dr.maximum(0, x), Float)
assert_type(dr.select(x > 1, x, 0), Float)
assert_type(dr.dot(v, v), Float)
assert_type(dr.sum(v), Float)
assert_type(dr.sum(x), Float)
assert_type(dr.any(x > 1), Bool)
assert_type(dr.isnan(v), llvm.ad.Array3b)
assert_type(dr.arange(UInt, 3), UInt)
assert_type(dr.zeros(Array2f, 3), Array2f)
assert_type(dr.gather(Float, x, UInt(0, 2)), Float)
assert_type(dr.sincos(x), tuple[Float, Float])
assert_type(dr.is_float_v(x), bool)
assert_type(dr.width(x, v), int)
assert_type(dr.concat([x, x]), Float)

# Derivatives, loops and generators.
dr.enable_grad(x)
dr.backward(dr.sum(x * x))
assert_type(dr.grad(x), Float)
with dr.suspend_grad():
    assert_type(dr.detach(x), Float)
state = dr.while_loop((i, Int(0)), lambda i, n: i > 1, lambda i, n: (i >> 1, n + 1))
assert_type(state, tuple[Int, Int])


def next_one(number: Int) -> Int:
    return number + 1


assert_type(dr.if_stmt((i,), i > 2, next_one, next_one), Int)
assert_type(dr.switch(UInt(0, 1, 0), [next_one, next_one], i), Int)
assert_type(dr.rng(1).normal(Float, 4), Float)
assert_type(PCG32(3).next_float32(), Float)
assert_type(PCG32(3) - PCG32(3), llvm.ad.Int64)
philox = Philox4x32(UInt64(1), UInt(0, 1))
assert_type(philox.next_float32x4(), Array4f)
assert_type(philox.counter, Array4u)
texture = Texture2f(TensorXf(dr.arange(Float, 4), shape=(2, 2, 1)))
assert_type(texture.eval(Array2f(0.5, 0.5)), list[Float])
assert_type(texture.tensor(), TensorXf)
assert_type(dr.scalar.Array3f(1, 2, 3).x, float)
assert_type(auto.Float(1) + 1, llvm.Float)


@dataclass
class Ray:
    origin: Array3f
    time: Float


@dr.syntax
def steps(start: Int) -> Int:
    count = Int(0)
    while start > 1:
        start >>= 1
        count += 1
    return count


assert_type(steps(Int(8)), Int)
ray = Ray(v, x)
assert_type(dr.copy(ray), Ray)
dr.set_label(position=v)
with dr.scoped_set_flag(dr.JitFlag.ValueNumbering, False):
    dr.eval(v, ray)
assert_type(dr.type_v(x), dr.VarType)
assert dr.type_v(x) == dr.VarType.Float32

if TYPE_CHECKING:
    # What the arrays refuse is found before the program runs.
    x + "a"  # type: ignore[operator]
    x & 1  # type: ignore[operator]
    Matrix3f(1) < Matrix3f(2)  # type: ignore[operator]
    v.x = "a"  # type: ignore[assignment]
    dr.sqrt("a")  # type: ignore[call-overload]
    dr.arange(3)  # type: ignore[arg-type]
    dr.rng(method=3)  # type: ignore[arg-type]
