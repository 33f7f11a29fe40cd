"""Dr.Jit's array types, functions, control flow and differentiation over ivy's engine.

>>> import ivyrs.drjit as dr
>>> from ivyrs.drjit.llvm.ad import Float, Array3f
>>> x = Float(1, 2, 3); dr.enable_grad(x); dr.backward(x * x); x.grad
[2, 4, 6]

Modules ``scalar``, ``llvm``, ``llvm.ad``, ``cuda``, ``cuda.ad`` and ``auto`` hold the types. ``docs/drjit.md`` tells what is the same as in
Dr.Jit, and what is not.
"""

from typing import Any as AnyArray

from . import scalar  # noqa: I001
from . import detail
from . import llvm
from . import cuda
from . import auto
from ._array import ArrayBase
from ._autodiff import *  # noqa: F403
from ._backends import has_backend, set_backend
from ._create import *  # noqa: F403
from ._enums import ADFlag, ADMode, FilterMode, JitBackend, LogLevel, ReduceMode, ReduceOp, VarState, VarType, WrapMode
from ._errors import DrjitError
from ._flow import if_stmt, switch, while_loop
from ._interop import wrap
from ._maths import (
    abs, abs_dot, acos, acosh, allclose, arg, asin, asinh, assert_allclose, atan, atan2, atanh, binary_search, brev, cbrt, ceil,
    clamp, clip, conj, copysign, cos, cosh, cross, deg2rad, det, diag, dot, e, erf, erfinv, euler_to_quat, exp, exp2, floor, fma,
    fmax, fmin, four_pi, frob, hypot, imag, inf, inv_four_pi, inv_log_two, inv_pi, inv_sqrt_four_pi, inv_sqrt_pi, inv_sqrt_two,
    inv_sqrt_two_pi, inv_two_pi, inverse, isfinite, isinf, isnan, lerp, lgamma, linear_srgb_to_oklab, linear_to_srgb, log, log2,
    log2i, log_two, lzcnt, matmul, matrix_to_quat, maximum, minimum, mul_hi, mul_wide, mulsign, nan, normalize,
    oklab_to_linear_srgb, pi, polar_decomp, popcnt, power, quat_apply, quat_to_euler, quat_to_matrix, rad2deg, rcp, real,
    reinterpret_array, relative_grad, rotate, round, rsqrt, safe_acos, safe_asin, safe_sqrt, select, sh_eval, sign, sin, sincos,
    sincosh, sinh, slerp, sphdir, sqr, sqrt, sqrt_four_pi, sqrt_pi, sqrt_two, sqrt_two_pi, square, srgb_to_linear, step, tan,
    tanh, trace, transform_compose, transform_decompose, transpose, trunc, two_pi, tzcnt, unit_angle,
)  # fmt: skip
from ._memory import *  # noqa: F403
from ._observe import (
    JitFlag, KernelType, counters, flag, flush_thread, graphviz, kernel_history, kernel_history_clear, log_level, scoped_set_flag, set_flag,
    set_label, set_log_level, sync_thread, whos,
)  # fmt: skip
from ._print import format, print
from ._random import Generator, rng, shuffle
from ._reduce import *  # noqa: F403
from ._shape import *  # noqa: F403
from ._syntax import hint, syntax
from ._traits import (
    Dynamic, array_t, backend_v, bool_array_t, depth_v, detached_t, diff_array_t, epsilon, expr_t, float16_array_t,
    float32_array_t, float64_array_t, float_array_t, int32_array_t, int64_array_t, int8_array_t, int_array_t, is_arithmetic_v,
    is_array_v, is_complex_v, is_diff_v, is_dynamic_v, is_float_v, is_half_v, is_integral_v, is_jit_v, is_mask_v, is_matrix_v,
    is_quaternion_v, is_same, is_signed_v, is_special_v, is_struct_v, is_tensor_v, is_unsigned_v, is_vector_v, itemsize_v,
    largest, leaf_t, mask_t, matrix_t, one_minus_epsilon, recip_overflow, reinterpret_array_t, replace_shape_t, replace_type_t,
    scalar_t, size_v, smallest, tensor_t, type_v, uint32_array_t, uint64_array_t, uint8_array_t, uint_array_t, value_t,
)  # fmt: skip

ArrayBase.__module__ = __name__
