"""Calls of jax.lax on windows: convolutions, gathering and scattering by dimension numbers is in the Rust tests."""


def calls(jax, v):
    l = jax.lax
    image = v.f([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]])
    kernel = v.f([[[[1.0, 0.5], [-1.0, 2.0]]]])
    l.conv(image, kernel, (1, 1), "VALID")
    l.conv(image, kernel, (1, 1), "SAME")
    l.conv(image, kernel, (2, 2), "SAME")
    l.conv(image, v.f([[[1.0]]]), (1, 1), "SAME")
    l.conv_with_general_padding(image, kernel, (1, 1), ((1, 0), (0, 2)), None, None)
    l.conv_with_general_padding(image, kernel, (1, 1), ((0, 0), (0, 0)), (2, 1), (1, 2))
    l.conv_with_general_padding(image, kernel, (2, 1), "SAME", None, None)
    l.conv_general_dilated(image, kernel, (1, 1), "VALID")
    l.conv_general_dilated(image, kernel, window_strides=(1, 1), padding=[(1, 1), (0, 1)])
    l.conv_general_dilated(image, kernel, (1, 1), "SAME", lhs_dilation=(2, 2), rhs_dilation=(1, 2))
    l.conv_general_dilated(
        image.reshape(1, 3, 3, 1), kernel.reshape(2, 2, 1, 1), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    l.conv_general_dilated(
        image.reshape(1, 3, 3, 1), kernel, (2, 1), "VALID", dimension_numbers=("NHWC", "OIHW", "NCHW")
    )
    two = v.f([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]])
    l.conv_general_dilated(two, v.f([[[1.0, -1.0]], [[0.5, 2.0]]]), (1,), "VALID", feature_group_count=2)
    l.conv_general_dilated(two, v.f([[[1.0, -1.0], [0.0, 1.0]]]), (1,), [(1, 0)])
    l.conv_general_dilated(two, v.f([[[1.0, -1.0], [0.0, 1.0]]]), (1,), "SAME_LOWER")
    l.conv_general_dilated(two, v.f([[[1.0, -1.0]]]), (1,), "VALID")
    l.conv_general_dilated(two, v.i([[[1, -1], [0, 1]]]), (1,), "VALID")
    l.conv_transpose(two.reshape(1, 3, 2), v.f([[[1.0], [2.0]], [[0.5], [-1.0]]]), (2,), "VALID")
    l.conv_transpose(two.reshape(1, 3, 2), v.f([[[1.0], [2.0]], [[0.5], [-1.0]]]), (2,), "SAME")
    l.conv_transpose(two.reshape(1, 3, 2), v.f([[[1.0], [2.0]], [[0.5], [-1.0]]]), (1,), [(1, 1)])
