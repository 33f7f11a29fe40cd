"""Images."""

import tensorflow as tf

from . import f4, f8, i4, ramp, u1

COLOURS = [[[0.5, 0.25, 0.75], [1.0, 0.0, 0.0]], [[0.125, 0.5, 0.5], [0.25, 0.25, 0.25]]]
BYTES = [[[10, 200, 30], [255, 0, 128]], [[64, 64, 64], [1, 2, 3]]]


def record(r):
    x, y = f4(COLOURS), u1(BYTES)
    for image in (x, y, f8(COLOURS)):
        r.call("image.adjust_brightness", image, 0.25)
        r.call("image.adjust_contrast", image, 2.0)
        r.call("image.adjust_gamma", image, 2.0, 0.5)
    for image in (x, y):
        r.call("image.adjust_hue", image, 0.25)
        r.call("image.adjust_saturation", image, 0.5)
    r.call("image.adjust_hue", x, -0.5)
    r.call("image.adjust_saturation", x, 2.0)
    for name in ("rgb_to_hsv", "hsv_to_rgb", "rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb"):
        r.call(f"image.{name}", x)
        r.call(f"image.{name}", f8([COLOURS]))
        r.call(f"image.{name}", f4([[0.5, 0.5]]))
    for dtype in (tf.uint8, tf.int16, tf.float64, tf.float32):
        r.call("image.convert_image_dtype", x, dtype)
        r.call("image.convert_image_dtype", y, dtype)
    r.call("image.convert_image_dtype", f4([-0.5, 2.0]), tf.uint8, saturate=True)
    for name in ("flip_left_right", "flip_up_down", "transpose", "rgb_to_grayscale", "per_image_standardization"):
        r.call(f"image.{name}", x)
        r.call(f"image.{name}", y)
        r.call(f"image.{name}", f4([COLOURS]))
    r.call("image.rot90", ramp((2, 3, 1)))
    r.call("image.rot90", x, k=2)
    r.call("image.rot90", ramp((1, 2, 2, 1)), 3)
    r.call("image.grayscale_to_rgb", ramp((2, 2, 1)))
    r.call("image.grayscale_to_rgb", u1([[[7]]]))
    r.call("image.grayscale_to_rgb", ramp((1, 1, 2, 1)))
    boxes(r)
    filters(r)


def boxes(r):
    x = ramp((4, 4, 1))
    r.call("image.central_crop", x, 0.5)
    r.call("image.central_crop", ramp((5, 3, 1)), 0.6)
    r.call("image.central_crop", x, 1.0)
    r.call("image.central_crop", x, 1.5)
    r.call("image.crop_to_bounding_box", x, 1, 0, 2, 3)
    r.call("image.crop_to_bounding_box", ramp((1, 3, 3, 1)), 0, 1, 2, 2)
    r.call("image.crop_to_bounding_box", x, 3, 0, 2, 3)
    r.call("image.pad_to_bounding_box", ramp((2, 2, 1)), 1, 0, 3, 4)
    r.call("image.pad_to_bounding_box", u1([[[[1]], [[2]]]]), 0, 1, 2, 2)
    r.call("image.pad_to_bounding_box", ramp((2, 2, 1)), 1, 0, 2, 4)
    r.call("image.resize_with_crop_or_pad", x, 2, 6)
    r.call("image.resize_with_crop_or_pad", ramp((3, 3, 1)), 5, 2)
    r.call("image.resize_with_crop_or_pad", ramp((1, 2, 3, 1)), 3, 3)
    r.call("image.extract_patches", ramp((1, 4, 4, 1)), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
    r.call("image.extract_patches", ramp((1, 3, 3, 2)), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME")
    r.call("image.extract_patches", ramp((1, 4, 4, 1)), [1, 2, 2, 1], [1, 1, 1, 1], [1, 2, 2, 1], "VALID")


def filters(r):
    x = ramp((3, 4, 1))
    for method in ("bilinear", "nearest", "bicubic", "area"):
        r.call("image.resize", x, [2, 2], method)
        r.call("image.resize", ramp((1, 2, 2, 1)), (4, 3), method=method)
    r.call("image.resize", u1([[[10], [20]], [[30], [40]]]), [1, 4])
    r.call("image.resize", u1([[[10], [20]], [[30], [40]]]), [4, 1], "nearest")
    r.call("image.resize", ramp((8, 1, 1)), [2, 1], antialias=True)
    r.call("image.resize", x, [2, 2], "lanczos")
    for method in ("bicubic", "area"):
        r.call("image.resize", ramp((1, 8, 2, 1)), [3, 5], method)
        r.call("image.resize", ramp((5, 1, 2)), [4, 1], method)
    r.call("image.image_gradients", ramp((1, 3, 3, 1)))
    r.call("image.image_gradients", f4([[[[1.0, 5.0], [2.0, 0.0]], [[3.0, 1.0], [7.0, 2.0]]]]))
    r.call("image.image_gradients", x)
    r.call("image.sobel_edges", ramp((1, 3, 3, 1)))
    r.call("image.sobel_edges", f4([[[[1.0], [5.0]], [[2.0], [0.0]], [[3.0], [1.0]]]]))
    r.call("image.psnr", f4([COLOURS]), f4([COLOURS]) * 0.5, 1.0)
    r.call("image.psnr", u1(BYTES), u1(BYTES) - 1, max_val=255)
    r.call("image.psnr", f8(COLOURS), f8(COLOURS) + 0.25, 1.0)
    r.call("image.total_variation", f4(COLOURS))
    r.call("image.total_variation", ramp((2, 3, 3, 1)))
    r.call("image.total_variation", i4([[[1], [5]], [[2], [9]]]))
