"""Taichi's fields and kernels: ``import ivyrs.taichi as ti``.

A kernel is a function of Python's whose syntax tree is compiled: outermost loops are parallel, ``+=`` on an element of a field is
atomic, and a variable keeps its first type.

>>> import ivyrs.taichi as ti
>>> ti.init()
>>> x = ti.field(ti.f32, shape=4)
>>> @ti.kernel
... def step(dt: ti.f32):
...     for i in x:
...         x[i] += dt * i
>>> step(0.5)
>>> x.to_numpy().tolist()
[0.0, 0.5, 1.0, 1.5]
"""

from . import algorithms as algorithms
from . import math as math  # noqa: A004
from . import tools as tools
from ._errors import (
    TaichiAssertionError,
    TaichiCompilationError,
    TaichiIndexError,
    TaichiNameError,
    TaichiRuntimeError,
    TaichiRuntimeTypeError,
    TaichiShapeError,
    TaichiSyntaxError,
    TaichiTypeError,
)
from ._fields import Field, Layout, field
from ._kernel import Func, Kernel, data_oriented, func, kernel, pyfunc, real_func
from ._linalg import eig, polar_decompose, randn, solve, svd, sym_eig
from ._matrix import Matrix, Vector
from ._ndarray import MatrixNdarray, Ndarray, ScalarNdarray, VectorNdarray, ndarray
from ._ops import (
    abs,  # noqa: A004
    acos,
    activate,
    append,
    asin,
    assume_in_range,
    atan2,
    atomic_add,
    atomic_and,
    atomic_max,
    atomic_min,
    atomic_mul,
    atomic_or,
    atomic_sub,
    atomic_xor,
    bit_cast,
    bit_shr,
    block_local,
    cache_read_only,
    cast,
    ceil,
    cos,
    deactivate,
    exp,
    floor,
    grouped,
    is_active,
    length,
    log,
    loop_config,
    max,  # noqa: A004
    min,  # noqa: A004
    ndrange,
    no_activate,
    one,
    pow,  # noqa: A004
    random,
    raw_div,
    raw_mod,
    rescale_index,
    round,  # noqa: A004
    rsqrt,
    select,
    sin,
    sqrt,
    static,
    static_assert,
    static_print,
    tan,
    tanh,
    zero,
)
from ._program import (
    amdgpu,
    arm64,
    cpu,
    cuda,
    dx11,
    dx12,
    extension,
    gles,
    gpu,
    init,
    interp,
    llvm,
    metal,
    opengl,
    printed,
    reset,
    sync,
    vulkan,
    x64,
    x86_64,
)
from ._snodes import (
    BitpackedFields,
    FieldsBuilder,
    SNode,
    SNodeTree,
    axes,
    deactivate_all_snodes,
    i,
    ij,
    ijk,
    ijkl,
    ijl,
    ik,
    ikl,
    il,
    j,
    jk,
    jkl,
    jl,
    k,
    kl,
    l,  # noqa: E741
    root,
)
from ._struct import Struct, StructField, dataclass
from ._types import Reference as ref
from ._types import (
    f16,
    f32,
    f64,
    float16,
    float32,
    float64,
    i8,
    i16,
    i32,
    i64,
    int8,
    int16,
    int32,
    int64,
    template,
    types,
    u1,
    u8,
    u16,
    u32,
    u64,
    uint1,
    uint8,
    uint16,
    uint32,
    uint64,
)

from .tools import hex_to_rgb, rgb_to_hex

__all__ = [name for name in dir() if not name.startswith("_") and name != "annotations"]
