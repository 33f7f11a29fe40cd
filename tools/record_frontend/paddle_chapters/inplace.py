"""The forms that write to their first argument."""

import paddle

from . import b1, f4, f8, i4, i8, nan, ramp

UNARY = "abs cos exp floor ceil frac log1p log neg reciprocal round rsqrt sigmoid sin sqrt square tan tanh trunc".split()


def record(r):
    for name in UNARY:
        r.record(f"Tensor.{name}_", [f8([1.5, 0.25])], inplace=0)
        r.record(f"Tensor.{name}_", [f4([[0.75]])], inplace=0)
    for name in ("erf", "expm1"):
        r.record(f"{name}_", [f8([1.5, 0.25])], inplace=0)
    for name in ("add", "subtract", "multiply", "divide", "remainder", "floor_divide", "pow", "hypot", "copysign"):
        if name != "pow":
            r.record(f"Tensor.{name}_", [f4([[1.5, 2.0]]), f4([2.0, -1.0])], inplace=0)
            r.record(f"Tensor.{name}_", [f4([1.5]), f4([[2.0], [1.0]])], inplace=0)
        r.record(f"Tensor.{name}_", [f8([1.5, 3.0]), f8([2.0, 2.0]) if name != "pow" else 2.0], inplace=0)
    r.record("Tensor.add_", [i4([1, 2]), i4([3, 4])], {"alpha": 2}, inplace=0)
    r.record("Tensor.clip_", [f4([-2.0, 0.5, 3.0]), -1.0, 1.0], inplace=0)
    r.record("Tensor.scale_", [f4([1.0, 2.0]), 3.0, 0.5], inplace=0)
    r.record("Tensor.fill_", [f4([1.0, 2.0]), 7.5], inplace=0)
    r.record("Tensor.zero_", [i4([1, 2])], inplace=0)
    r.record("Tensor.lerp_", [f4([1.0, 2.0]), f4([3.0, 6.0]), 0.5], inplace=0)
    r.record("Tensor.masked_fill_", [f4([1.0, 2.0]), b1([True, False]), 9.0], inplace=0)
    r.record("Tensor.index_add_", [f4([1.0, 2.0, 3.0]), i4([0, 2]), 0, f4([10.0, 20.0])], inplace=0)
    r.record("Tensor.index_fill_", [f4([1.0, 2.0, 3.0]), i4([0, 2]), 0, 5.0], inplace=0)
    r.record("Tensor.cumsum_", [f8([1.0, 2.0, 3.0]), 0], inplace=0)
    r.record("Tensor.cumprod_", [f8([1.0, 2.0, 3.0]), 0], inplace=0)
    r.record("Tensor.tril_", [ramp((2, 2))], inplace=0)
    r.record("Tensor.triu_", [ramp((2, 3)), 1], inplace=0)
    r.record("Tensor.nan_to_num_", [f4([nan, 1.0])], inplace=0)
    r.record("Tensor.bitwise_and_", [i4([12]), i4([10])], inplace=0)
    r.record("Tensor.bitwise_not_", [i4([12])], inplace=0)
    r.record("Tensor.gcd_", [i4([12]), i4([8])], inplace=0)
    r.record("Tensor.lcm_", [i8([4]), i8([6])], inplace=0)
    r.record("nn.functional.relu_", [f4([-1.0, 2.0])], inplace=0)
    r.record("nn.functional.elu_", [f4([-1.0, 2.0]), 0.5], inplace=0)
    r.record("nn.functional.leaky_relu_", [f4([-1.0, 2.0])], inplace=0)
    r.record("nn.functional.tanh_", [f8([-1.0, 2.0])], inplace=0)
    r.record("nn.functional.softmax_", [f4([1.0, 2.0])], inplace=0)
    r.record("renorm_", [ramp((2, 2)), 2.0, 0, 0.5], inplace=0)
    for name, x in {"atanh": 0.25, "erfinv": 0.5, "gammaln": 2.5, "sinc": 0.5}.items():
        r.record(f"Tensor.{name}_", [f8([x, x / 2])], inplace=0)
        r.record(f"Tensor.{name}_", [f4([[x]])], inplace=0)
    for name in "gammainc gammaincc".split():
        r.record(f"Tensor.{name}_", [f8([0.5, 2.0]), f8([1.5, 1.0])], inplace=0)
        r.record(f"{name}_", [f4([0.5]), f4([1.5])], inplace=0)
    r.record("Tensor.multigammaln_", [f8([3.0, 4.5]), 2], inplace=0)
    r.record("Tensor.polygamma_", [f8([3.0, 4.5]), 1], inplace=0)
    r.record("Tensor.ldexp_", [f4([1.5, 2.0]), i4([2, -1])], inplace=0)
    for name in "addmm baddbmm".split():
        shape = (2, 2) if name == "addmm" else (1, 2, 2)
        r.record(f"Tensor.{name}_", [ramp(shape), ramp(shape), ramp(shape)], inplace=0)
        r.record(f"{name}_", [ramp(shape), ramp(shape), ramp(shape), 0.5, 2.0], inplace=0)
    r.record("Tensor.bitwise_invert_", [i4([12])], inplace=0)
    r.record("Tensor.bitwise_left_shift_", [i4([3, 5]), i4([1, 2])], inplace=0)
    r.record("Tensor.bitwise_right_shift_", [i4([12, -5]), i4([1, 2])], inplace=0)
    r.record("Tensor.masked_scatter_", [f4([1.0, 2.0, 3.0]), b1([True, False, True]), f4([9.0, 8.0])], inplace=0)
    r.record("Tensor.index_put_", [f4([1.0, 2.0, 3.0]), [i8([0, 2])], f4([9.0, 8.0])], inplace=0)
    r.record("Tensor.index_put_", [f4([1.0, 2.0, 3.0]), [i8([0, 0])], f4([9.0, 8.0]), True], inplace=0)
    r.record("Tensor.scatter_", [ramp((3, 2)), i8([2, 0]), ramp((2, 2))], inplace=0)
    r.record("Tensor.put_along_axis_", [ramp((2, 3)), i8([[0], [2]]), 9.0, 1], inplace=0)
    r.record("Tensor.div_", [f4([1.5, 2.0]), f4([2.0, -1.0])], inplace=0)
    r.record("Tensor.div_", [f4([1.5, 2.0]), f4([2.0, -1.0])], {"rounding_mode": "floor"}, inplace=0)
    r.record("Tensor.sub_", [f4([1.5, 2.0]), f4([2.0, -1.0])], {"alpha": 2}, inplace=0)
    r.record("Tensor.mul_", [f4([1.5, 2.0]), f4([2.0, -1.0])], inplace=0)
    r.record("Tensor.clamp_", [f4([-2.0, 0.5, 3.0]), -1.0, 1.0], inplace=0)
    r.record("nn.functional.hardtanh_", [f4([-2.0, 0.5, 3.0])], inplace=0)
    r.record("nn.functional.thresholded_relu_", [f4([-2.0, 0.5, 3.0])], inplace=0)
