"""Layers."""

import torch

from .operands import b, d, f, grid, i, t

F = "nn.functional."
LOOSE = (4e-6, "sums of float32 in another order")


def record(r):
    convolutions(r)
    pools(r)
    norms(r)
    others(r)
    images(r)


def convolutions(r):
    for n in (1, 2, 3):
        side = (5,) if n == 1 else (4,) * n if n == 2 else (3, 2, 3)
        x, w = grid(1, 2, *side), grid(3, 2, *(2,) * n)
        bias = f(0.5, -1.0, 2.0)
        for path in (F + f"conv{n}d", f"conv{n}d"):
            r.call(path, x[:, :, ..., :], w)
            r.call(path, x, w, bias, stride=2, padding=1)
        r.call(F + f"conv{n}d", x[0], w, bias)
        r.call(F + f"conv{n}d", x, w[:2, :1], groups=2)
        r.call(F + f"conv{n}d", x, w, padding="same")
        r.call(F + f"conv{n}d", x, w, padding="valid")
        r.call(F + f"conv{n}d", x, w, stride=0)
        r.call(F + f"conv{n}d", x, w[:, :1])
        v = grid(2, 2, *(2,) * n)
        for path in (F + f"conv_transpose{n}d", f"conv_transpose{n}d"):
            r.call(path, grid(1, 2, *(2,) * n), v)
            r.call(path, grid(1, 2, *(2,) * n), v, f(0.5, 1.0), stride=2, padding=1)
        r.call(F + f"conv_transpose{n}d", grid(1, 2, *(2,) * n), v[:, :1], groups=2)
    r.call(F + "conv1d", grid(1, 2, 6), grid(2, 2, 2), dilation=2)
    r.call(F + "conv2d", grid(1, 1, 4, 4), grid(1, 1, 2, 2), dilation=(2, 1), stride=(1, 2), padding=(0, 1))
    r.call(F + "conv2d", grid(1, 1, 4, 4).double(), grid(1, 1, 3, 3).double(), padding="same")
    r.call(F + "conv_transpose1d", grid(1, 2, 3), grid(2, 1, 2), stride=2, output_padding=1)
    r.call(F + "conv_transpose1d", grid(1, 2, 3), grid(2, 1, 2), dilation=2)
    r.call(F + "conv_transpose2d", grid(1, 1, 2, 2), grid(1, 1, 2, 2), stride=2, output_padding=(1, 0))
    x = grid(1, 2, 3, 3)
    r.call(F + "unfold", x, 2)
    r.call(F + "unfold", x[:, :1], (2, 3), padding=(0, 1))
    r.call(F + "unfold", x, 2, dilation=2)
    r.call(F + "fold", grid(1, 8, 4), (3, 3), 2)
    r.call(F + "fold", grid(1, 4, 4), (4, 4), 2, stride=2)
    r.call(F + "fold", grid(1, 4, 2), (2, 2), (2, 2), padding=(0, 1), stride=(1, 2))


def pools(r):
    for n, shape in ((1, (2, 2, 6)), (2, (1, 2, 4, 5)), (3, (1, 1, 3, 4, 4))):
        x = grid(*shape)
        for kind in ("avg_pool", "max_pool"):
            path = F + f"{kind}{n}d"
            r.call(path, x, 2)
            r.call(path, x, kernel_size=3, stride=2, padding=1)
            r.call(path, x, 2, ceil_mode=True)
            r.call(path, x[0], 2, 1)
            r.call(path, x, 9)
        r.call(F + f"max_pool{n}d", x, 2, dilation=2)
        r.call(F + f"max_pool{n}d", x, 2, return_indices=True)
        r.call(F + f"avg_pool{n}d", x, 3, 2, 1, count_include_pad=False)
        for kind in ("avg", "max"):
            path = F + f"adaptive_{kind}_pool{n}d"
            r.call(path, x, 2)
            r.call(path, x, 3 if n == 1 else (2, 3)[:n] if n == 2 else (2, 3, 1))
            r.call(path, x[0], 1)
    r.call(F + "adaptive_avg_pool2d", grid(1, 1, 4, 4), (None, 2))
    r.call(F + "avg_pool2d", grid(1, 1, 4, 4), 2, divisor_override=3)
    r.call(F + "lp_pool1d", grid(1, 1, 6).abs(), 2, 2)
    r.call(F + "lp_pool1d", grid(1, 1, 6).abs(), 3.0, 3, stride=1)
    r.call(F + "lp_pool1d", grid(1, 1, 6).double().abs(), 1, 2)
    r.call(F + "lp_pool2d", grid(1, 1, 4, 4).abs(), 2, 2)
    r.call(F + "lp_pool2d", grid(1, 1, 4, 4).abs(), 2, (2, 1), stride=(1, 1))
    r.call(F + "lp_pool2d", grid(1, 1, 3, 3).abs(), 1.0, 2, ceil_mode=True)


def norms(r):
    x, m, v, w, o = grid(3, 2, 4), f(0.5, -0.5), f(2.0, 0.5), f(1.5, 0.5), f(0.25, -1.0)
    r.record(F + "batch_norm", (x, m, v), tolerance=LOOSE)
    r.record(F + "batch_norm", (x, m, v, w, o), {"eps": 0.01}, tolerance=LOOSE)
    r.record(F + "batch_norm", (x, None, None), {"training": True}, tolerance=LOOSE)
    r.record(F + "batch_norm", (x[:, :, 0], None, None, w, o, True), tolerance=LOOSE)
    r.call(F + "batch_norm", x, f(0.5), f(0.5))
    r.record(F + "instance_norm", (x,), tolerance=LOOSE)
    r.record(F + "instance_norm", (x,), {"weight": w, "bias": o}, tolerance=LOOSE)
    r.record(F + "instance_norm", (x, m, v), {"use_input_stats": False}, tolerance=LOOSE)
    y = grid(2, 4, 3)
    r.record(F + "group_norm", (y, 2), tolerance=LOOSE)
    r.record(F + "group_norm", (y, 4, f(1.0, 2.0, 3.0, 4.0), f(0.0, 1.0, 0.5, 2.0)), tolerance=LOOSE)
    r.call(F + "group_norm", y, 3)
    r.record(F + "layer_norm", (y, (3,)), tolerance=LOOSE)
    r.record(F + "layer_norm", (y, (4, 3)), {"weight": grid(4, 3), "bias": grid(4, 3) + 1}, tolerance=LOOSE)
    r.call(F + "layer_norm", y, (4,))
    r.record(F + "rms_norm", (y, (3,)), tolerance=LOOSE)
    r.record(F + "rms_norm", (y, (3,), f(1.0, 2.0, 3.0)), {"eps": 0.1}, tolerance=LOOSE)
    r.record(F + "rms_norm", (y.double(), (4, 3)))
    r.record(F + "local_response_norm", (y, 2), tolerance=LOOSE)
    r.record(F + "local_response_norm", (y, 3), {"alpha": 0.5, "beta": 0.5, "k": 2.0}, tolerance=LOOSE)
    r.record(F + "local_response_norm", (grid(1, 3, 2, 2), 2), tolerance=LOOSE)


def others(r):
    x, w = grid(2, 3), grid(4, 3)
    r.call(F + "linear", x, w)
    r.call(F + "linear", x, w, f(1.0, 2.0, 3.0, 4.0))
    r.call(F + "linear", x[0], w)
    r.call(F + "linear", x, grid(4, 2))
    for path in (F + "bilinear", "bilinear"):
        r.call(path, x, grid(2, 2), grid(2, 3, 2), f(0.5, 1.0))
    r.call(F + "bilinear", x, grid(2, 2), grid(2, 3, 2))
    q, k, v = grid(1, 3, 4), grid(1, 3, 4, start=-1.0), grid(1, 3, 2)
    a = F + "scaled_dot_product_attention"
    r.record(a, (q, k, v), tolerance=LOOSE)
    r.record(a, (q, k, v), {"is_causal": True}, tolerance=LOOSE)
    r.record(a, (q, k, v), {"attn_mask": t([[True, False, True], [True, True, False], [False, False, True]])}, tolerance=LOOSE)
    r.record(a, (q, k, v), {"attn_mask": grid(3, 3), "scale": 0.5}, tolerance=LOOSE)
    table = grid(5, 3)
    r.call(F + "embedding", i(0, 4, 1), table)
    r.call(F + "embedding", t([[0, 1], [2, 2]]), table)
    r.call(F + "embedding", i(5), table)
    r.call(F + "embedding", i(1), table, padding_idx=1)
    r.call(F + "embedding_bag", t([[0, 1], [2, 2]]), table)
    r.call(F + "embedding_bag", i(0, 1, 2, 2), table, i(0, 3), mode="sum")
    r.call(F + "embedding_bag", i(0, 1, 2, 2), table, i(0, 2), mode="max")
    r.call(F + "one_hot", i(0, 2, 1))
    r.call(F + "one_hot", t([[0], [1]]), num_classes=3)
    r.call(F + "one_hot", i(4), 2)
    for path in (F + "pairwise_distance", "pairwise_distance"):
        r.call(path, x, grid(2, 3, start=0.0))
        r.call(path, x, grid(2, 3, start=0.0), p=1.0, keepdim=True)
    for path in (F + "cosine_similarity", "cosine_similarity"):
        r.call(path, x, grid(2, 3, start=0.0))
        r.call(path, x, grid(2, 3, start=0.0), dim=0)
    for path in (F + "pdist", "pdist"):
        r.call(path, grid(4, 2))
        r.call(path, grid(3, 2), 1.0)
    for name, shape in (("dropout", (2, 3)), ("dropout1d", (1, 2, 3)), ("dropout2d", (1, 2, 2, 2)), ("dropout3d", (1, 2, 2, 2, 2)), ("alpha_dropout", (2, 3))):
        y = grid(*shape)
        r.record(F + name, (y,), {"p": 0.5, "training": True}, compare="shape")
        r.call(F + name, y, training=False)
        r.call(F + name, y, p=1.5)
    r.call(F + "dropout", x, p=0.0)
    r.call(F + "dropout", x, p=1.0)
    r.call("dropout", x, 0.5, False)
    r.call("dropout", x, 0.0, True)
    r.record("dropout", (x, 0.5, True), compare="shape")


def images(r):
    for path in (F + "pixel_shuffle", "pixel_shuffle"):
        r.call(path, grid(1, 4, 2, 1), 2)
        r.call(path, grid(1, 3, 2, 1), 2)
    for path in (F + "pixel_unshuffle", "pixel_unshuffle"):
        r.call(path, grid(1, 1, 2, 4), 2)
        r.call(path, grid(1, 1, 3, 4), 2)
    for path in (F + "channel_shuffle", "channel_shuffle"):
        r.call(path, grid(1, 4, 2, 2), 2)
        r.call(path, grid(1, 4, 2, 2), 3)
    x = grid(1, 2, 3, 3)
    r.call(F + "pad", f(1.0, 2.0, 3.0), (1, 2))
    r.call(F + "pad", grid(2, 3), (1, 1, 0, 2), value=9.0)
    r.call(F + "pad", grid(2, 3), (-1, 1))
    for mode in ("reflect", "replicate", "circular"):
        r.call(F + "pad", x[:, :1], (1, 2, 2, 1), mode=mode)
        r.call(F + "pad", grid(1, 2, 4), (1, 2), mode=mode)
    r.call(F + "pad", i(1, 2), (1, 0))
    for mode in ("nearest", "bilinear", "bicubic", "area", "nearest-exact"):
        r.record(F + "interpolate", (x,), {"size": (2, 5), "mode": mode}, tolerance=LOOSE)
        r.record(F + "interpolate", (x,), {"scale_factor": 1.5, "mode": mode}, tolerance=LOOSE)
    r.record(F + "interpolate", (x,), {"size": 4, "mode": "bilinear", "align_corners": True}, tolerance=LOOSE)
    r.record(F + "interpolate", (grid(1, 2, 4),), {"scale_factor": 2.0, "mode": "linear"}, tolerance=LOOSE)
    r.record(F + "interpolate", (grid(1, 1, 2, 2, 2),), {"size": 3, "mode": "trilinear"}, tolerance=LOOSE)
    r.call(F + "interpolate", x)
    r.call(F + "upsample", x[:, :1], scale_factor=2)
    r.record(F + "upsample", (x,), {"size": (2, 2), "mode": "bilinear"}, tolerance=LOOSE)
    r.call(F + "upsample", grid(1, 2, 3), size=5)
    g = torch.tensor([[[[-1.0, -1.0], [0.5, 0.25]], [[0.0, 0.0], [1.5, 1.0]]]])
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            r.record(F + "grid_sample", (x, g), {"mode": mode, "padding_mode": padding, "align_corners": False}, tolerance=(1e-5, "cubic weights of float32"))
    r.call(F + "grid_sample", x, g, align_corners=True)
    theta = torch.tensor([[[1.0, 0.5, 0.25], [0.0, 1.0, -0.5]]])
    r.call(F + "affine_grid", theta, (1, 1, 2, 3), align_corners=False)
    r.call(F + "affine_grid", theta, (1, 1, 2, 2), align_corners=True)
    r.call(F + "affine_grid", theta.double(), [1, 1, 3, 2])
    planes, mean, variance = grid(2, 3, 4), f(0.5, -0.5, 0.0), f(1.0, 2.0, 0.5)
    r.record("batch_norm", (planes, None, None, mean, variance, False, 0.1, 1e-5, False), tolerance=LOOSE)
    r.record("batch_norm", (planes, f(1.0, 2.0, 3.0), mean, None, None, True, 0.1, 1e-3, True), tolerance=LOOSE)
    r.record("instance_norm", (planes, None, None, None, None, True, 0.1, 1e-5, False), tolerance=LOOSE)
    r.record("instance_norm", (planes, f(1.0, 2.0, 3.0), mean, mean, variance, False, 0.1, 1e-5, False), tolerance=LOOSE)
    r.record("rms_norm", (planes, [4]), tolerance=LOOSE)
    r.record("rms_norm", (planes, (3, 4)), {"eps": 0.5}, tolerance=LOOSE)
    for name, values in (("max_pool2d", grid(1, 2, 4, 3)), ("max_pool3d", grid(1, 1, 2, 3, 3))):
        r.call(name, values, 2)
        r.call(name, values, 2, stride=1, padding=1)
        r.call(name, values, 2, ceil_mode=True)
    r.call("constant_pad_nd", grid(2, 3), (1, 2))
    r.call("constant_pad_nd", grid(2, 3), (1, -1, 0, 2), 9.0)
    r.call("constant_pad_nd", i(1, 2), [1, 0], value=3)
    r.call("alpha_dropout", f(0.5, 2.0), 0.5, False)
    r.call("alpha_dropout", d(0.5, 2.0), 0.0, True)
