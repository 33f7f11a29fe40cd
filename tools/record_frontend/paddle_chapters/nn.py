"""Layers as functions: activations, normalization, convolutions and pools."""

import paddle

from . import b1, f4, f8, i4, i8, ramp

ACTIVATIONS = (
    "relu relu6 elu celu selu gelu silu swish mish hardswish hardsigmoid hardtanh hardshrink softshrink tanhshrink "
    "softplus softsign leaky_relu thresholded_relu log_sigmoid sigmoid tanh softmax log_softmax"
).split()


def record(r):
    for name in ACTIVATIONS:
        r.call(f"nn.functional.{name}", f8([-3.5, -0.5, 0.0, 0.25, 7.0]))
        r.call(f"nn.functional.{name}", f4([[1.5, -0.25], [0.75, 2.0]]))
    for name, keywords in (
        ("elu", {"alpha": 0.5}), ("celu", {"alpha": 2.0}), ("selu", {"scale": 2.0, "alpha": 0.5}),
        ("gelu", {"approximate": True}), ("hardtanh", {"min": -0.5, "max": 0.25}), ("hardshrink", {"threshold": 1.0}),
        ("hardsigmoid", {"slope": 0.2, "offset": 0.25}), ("softplus", {"beta": 2, "threshold": 1}),
        ("leaky_relu", {"negative_slope": 0.2}), ("thresholded_relu", {"threshold": 0.5, "value": -1.0}),
        ("softmax", {"axis": 0, "dtype": "float64"}), ("log_softmax", {"axis": 0}),
    ):
        r.call(f"nn.functional.{name}", f4([[1.5, -0.25], [0.75, 2.0]]), **keywords)
    r.call("nn.functional.glu", ramp((2, 4)))
    r.call("nn.functional.glu", ramp((2, 4)), axis=0)
    r.call("nn.functional.maxout", ramp((1, 4, 1, 2)), 2)
    r.call("nn.functional.prelu", ramp((1, 2, 2)), f4([0.25, 0.5]), "NCL")
    r.call("nn.functional.prelu", ramp((2, 2)), f4([0.25]))
    r.call("nn.functional.swiglu", ramp((2, 4)))
    r.call("nn.functional.swiglu", ramp((2, 2)), ramp((2, 2)))
    layers(r)
    normalization(r)
    convolutions(r)
    pools(r)
    images(r)


def layers(r):
    r.call("nn.functional.linear", ramp((2, 3)), ramp((3, 2)))
    r.call("nn.functional.linear", ramp((2, 3)), ramp((3, 2)), f4([1.0, -1.0]))
    r.call("nn.functional.embedding", i4([[0, 2]]), ramp((3, 2)))
    r.call("nn.functional.embedding", i8([1, 2]), ramp((3, 2)), padding_idx=1)
    r.call("nn.functional.one_hot", i4([0, 2]), 3)
    r.call("nn.functional.one_hot", i8([0, 1]))
    r.call("nn.functional.cosine_similarity", ramp((2, 3)), ramp((2, 3), start=0.5))
    r.call("nn.functional.cosine_similarity", f8([1.0, 2.0]), f8([2.0, 1.0]), axis=0)
    r.call("nn.functional.pairwise_distance", ramp((2, 3)), ramp((2, 3), start=0.5))
    r.call("nn.functional.pairwise_distance", f8([[1.0, 2.0]]), f8([[2.0, 4.0]]), 1.0, keepdim=True)
    r.call("nn.functional.bilinear", ramp((2, 2)), ramp((2, 3)), ramp((1, 2, 3)))
    r.call("nn.functional.sequence_mask", i8([1, 3, 2]))
    r.call("nn.functional.sequence_mask", i4([1, 2]), 4, "float32")
    q = ramp((1, 2, 1, 4))
    r.call("nn.functional.scaled_dot_product_attention", q, q, q)
    r.call("nn.functional.scaled_dot_product_attention", q, q, q, is_causal=True)
    r.call("nn.functional.dropout", ramp((2, 2)), 0.0)
    r.call("nn.functional.dropout", ramp((2, 2)), 0.5, training=False)
    r.call("nn.functional.dropout", ramp((2, 2)), 0.5, training=False, mode="downscale_in_infer")
    r.record("nn.functional.dropout", [ramp((2, 2)), 0.5], compare="shape")
    r.call("nn.functional.dropout", ramp((2, 2)), 1.5)


def normalization(r):
    x = ramp((2, 3, 2))
    r.call("nn.functional.normalize", ramp((2, 3)))
    r.call("nn.functional.normalize", ramp((2, 3)), p=1, axis=0)
    r.call("nn.functional.layer_norm", ramp((2, 3)), [3])
    r.call("nn.functional.layer_norm", x, [3, 2], epsilon=1e-3)
    r.call("nn.functional.layer_norm", ramp((2, 3)), 3, f4([1.0, 2.0, 0.5]), f4([0.0, 1.0, -1.0]))
    mean, var = f4([0.5, 0.0, -0.5]), f4([1.0, 2.0, 0.5])
    r.call("nn.functional.batch_norm", x, mean, var, data_format="NCL")
    r.call("nn.functional.batch_norm", ramp((2, 3)), mean, var, f4([1.0, 2.0, 0.5]), f4([0.0, 1.0, -1.0]), data_format="NC")
    r.call("nn.functional.batch_norm", x, mean, var, training=True, data_format="NCL")
    r.call("nn.functional.instance_norm", x)
    r.call("nn.functional.instance_norm", x, weight=f4([1.0, 2.0, 0.5]), bias=f4([0.0, 1.0, -1.0]))
    r.call("nn.functional.group_norm", ramp((1, 4, 2)), 2, data_format="NCL")
    r.call("nn.functional.group_norm", ramp((1, 2, 1, 2)), 1, 1e-3, f4([1.0, 2.0]), f4([0.5, 0.0]))
    r.call("nn.functional.local_response_norm", ramp((1, 4, 2)), 3, data_format="NCL")
    r.call("nn.functional.local_response_norm", ramp((1, 3, 1, 2)), 2, alpha=0.5, beta=0.5, k=2.0)


def convolutions(r):
    x, w = ramp((1, 1, 3, 3)), ramp((2, 1, 2, 2), start=-0.5)
    r.call("nn.functional.conv2d", x, w)
    r.call("nn.functional.conv2d", x, w, f4([1.0, 2.0]), stride=2, padding=1)
    r.call("nn.functional.conv2d", x, w, padding="SAME", dilation=[1, 2])
    r.call("nn.functional.conv2d", x, w, padding=[1, 0, 0, 1])
    r.call("nn.functional.conv2d", ramp((1, 2, 3, 3)), ramp((2, 1, 2, 2)), groups=2)
    r.call("nn.functional.conv2d", ramp((1, 3, 3, 1)), w, data_format="NHWC")
    r.call("nn.functional.conv2d", f4([1.0]), w)
    r.call("nn.functional.conv1d", ramp((1, 2, 4)), ramp((3, 2, 2)))
    r.call("nn.functional.conv1d", ramp((1, 1, 5)), ramp((1, 1, 3)), stride=2, padding="VALID")
    r.call("nn.functional.conv3d", ramp((1, 1, 2, 2, 3)), ramp((1, 1, 1, 2, 2)), padding=[0, 1, 0])
    r.call("nn.functional.conv2d_transpose", ramp((1, 1, 2, 2)), ramp((1, 1, 2, 2)), stride=2)
    r.call("nn.functional.conv2d_transpose", ramp((1, 2, 2, 2)), ramp((2, 1, 3, 3)), f4([1.0]), padding=1, output_padding=0)
    r.call("nn.functional.conv2d_transpose", ramp((1, 1, 2, 2)), ramp((1, 1, 2, 2)), stride=2, output_size=[5, 5])
    r.call("nn.functional.conv1d_transpose", ramp((1, 1, 3)), ramp((1, 2, 2)), stride=2, output_padding=1)
    r.call("nn.functional.unfold", ramp((1, 1, 3, 3)), 2)
    r.call("nn.functional.unfold", ramp((1, 1, 3, 3)), [2, 2], strides=2, paddings=1)
    r.call("nn.functional.fold", ramp((1, 4, 4)), [3, 3], 2)
    r.call("nn.functional.fold", ramp((1, 4, 1)), output_sizes=[2, 2], kernel_sizes=[2, 2], strides=2)


def pools(r):
    x = ramp((1, 2, 4, 3))
    for name in ("avg_pool2d", "max_pool2d"):
        r.call(f"nn.functional.{name}", x, 2)
        r.call(f"nn.functional.{name}", x, kernel_size=[2, 2], stride=1, padding=1)
        r.call(f"nn.functional.{name}", x, 2, 2, ceil_mode=True)
        r.call(f"nn.functional.{name}", ramp((1, 4, 3, 1)), 2, 1, data_format="NHWC")
    r.call("nn.functional.avg_pool2d", x, 2, 1, 1, exclusive=False)
    r.call("nn.functional.avg_pool2d", x, 2, 1, divisor_override=3)
    for name in ("avg_pool1d", "max_pool1d"):
        r.call(f"nn.functional.{name}", ramp((1, 2, 5)), 2)
        r.call(f"nn.functional.{name}", ramp((1, 1, 4)), 3, 1, 1)
    for name in ("avg_pool3d", "max_pool3d"):
        r.call(f"nn.functional.{name}", ramp((1, 1, 2, 2, 3)), 2, 1)
    r.call("nn.functional.adaptive_avg_pool1d", ramp((1, 2, 5)), 3)
    r.call("nn.functional.adaptive_avg_pool2d", x, 2)
    r.call("nn.functional.adaptive_avg_pool2d", x, [1, None])
    r.call("nn.functional.adaptive_max_pool2d", x, [2, 2])


def images(r):
    x = ramp((1, 1, 2, 3))
    r.call("nn.functional.pad", x, [1, 2, 0, 1])
    r.call("nn.functional.pad", x, [1, 1, 1, 1], mode="reflect")
    r.call("nn.functional.pad", x, [1, 1, 1, 1], "replicate")
    r.call("nn.functional.pad", x, [1, 0, 0, 1], "circular")
    r.call("nn.functional.pad", ramp((2, 2)), [1, 0, 0, 1], value=7.0)
    r.call("nn.functional.pad", ramp((1, 2, 3, 1)), [1, 0, 0, 1], data_format="NHWC")
    r.call("nn.functional.zeropad2d", x, [1, 0, 0, 1])
    r.call("nn.functional.interpolate", x, size=[4, 4])
    r.call("nn.functional.interpolate", x, scale_factor=2, mode="bilinear")
    r.call("nn.functional.interpolate", x, size=[3, 5], mode="bilinear", align_corners=True)
    r.call("nn.functional.interpolate", x, size=[3, 5], mode="bilinear", align_mode=1)
    r.call("nn.functional.interpolate", x, size=[4, 4], mode="bicubic")
    r.call("nn.functional.interpolate", ramp((1, 2, 3)), size=[5], mode="linear", data_format="NCW")
    r.call("nn.functional.interpolate", ramp((1, 2, 4)), scale_factor=0.6, mode="linear", data_format="NCW")
    r.call("nn.functional.interpolate", ramp((1, 2, 4)), scale_factor=1.3, mode="linear", align_mode=1, data_format="NCW")
    r.call("nn.functional.interpolate", ramp((1, 1, 3, 4)), scale_factor=[1.5, 0.6], mode="bilinear", align_mode=1)
    r.call("nn.functional.interpolate", ramp((1, 2, 2, 2)), size=[3, 3], mode="bilinear", data_format="NHWC")
    r.call("nn.functional.interpolate", ramp((1, 1, 2, 2, 2)), size=[3, 2, 4], mode="trilinear", align_mode=1, data_format="NCDHW")
    r.call("nn.functional.upsample", x, scale_factor=[2, 1])
    r.call("nn.functional.pixel_shuffle", ramp((1, 4, 1, 2)), 2)
    r.call("nn.functional.pixel_unshuffle", ramp((1, 1, 2, 4)), 2)
    r.call("nn.functional.channel_shuffle", ramp((1, 4, 1, 2)), 2)
    theta = f4([[[1.0, 0.5, 0.0], [0.0, 1.0, 0.25]]])
    r.call("nn.functional.affine_grid", theta, [1, 1, 2, 2])
    grid = paddle.nn.functional.affine_grid(theta, [1, 1, 2, 2])
    r.call("nn.functional.grid_sample", x, grid)
    r.call("nn.functional.grid_sample", x, grid, mode="nearest", padding_mode="border", align_corners=False)
    r.call("nn.functional.logsigmoid", f4([-1.0, 2.0]))
    r.call("nn.functional.rrelu", f4([-1.0, 2.0]), training=False)
    r.call("nn.functional.rrelu", f8([-1.0, 2.0]), 0.25, 0.5, training=False)
    r.record("nn.functional.rrelu", [f4([-1.0, 2.0])], compare="shape")
    r.record("nn.functional.gumbel_softmax", [ramp((2, 3))], compare="shape")
    r.record("nn.functional.gumbel_softmax", [ramp((2, 3)), 0.5, True, 0], compare="shape")
