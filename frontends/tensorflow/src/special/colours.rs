//! Colours, and images in other dtypes.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::{Out, need_axes, wrong};
use ivy_frontend::{Call, Value, compute};

/// The greatest number of an integer dtype.
fn most(dtype: Dtype) -> Option<i128> {
    dtype.int_range().map(|(_, most)| most)
}

/// An image in another dtype: floats are from 0 to 1, integers from 0 to the greatest one.
pub(super) fn converted(call: &Call<'_>, x: &Array, dtype: Dtype, saturate: bool) -> Result<Array> {
    Ok(match (most(x.dtype()), most(dtype)) {
        _ if x.dtype() == dtype => x.clone(),
        (None, None) => f::astype(x, dtype)?,
        (Some(from), None) => compute!(call, "multiply", [&f::astype(x, dtype)?, 1.0 / from as f64])?,
        // Beyond the range a cast saturates, which it may without `saturate` as well.
        (None, Some(to)) => {
            let scaled = compute!(call, "multiply", [x, to as f64 + 0.5])?;
            let scaled = if saturate {
                compute!(call, "clip", [&scaled], min = 0.0, max = to as f64)?
            } else {
                scaled
            };
            f::astype(&scaled, dtype)?
        }
        (Some(from), Some(to)) if from > to => {
            f::astype(&compute!(call, "floor_divide", [x, (from + 1) / (to + 1)])?, dtype)?
        }
        (Some(from), Some(to)) => compute!(call, "multiply", [&f::astype(x, dtype)?, (to + 1) / (from + 1)])?,
    })
}

/// `convert_image_dtype(image, dtype, saturate)`
pub(crate) fn convert_image_dtype(call: &mut Call<'_>) -> Out {
    let dtype = call.dtype(1)?.ok_or_else(|| wrong(call, "dtype", "a dtype is needed"))?;
    Ok(converted(call, &call.array(0)?, dtype, call.flag(2)?)?.into())
}

/// An image in the dtype that it is computed in.
fn float(call: &Call<'_>, x: &Array) -> Result<Array> {
    match x.dtype() {
        Dtype::FLOAT16 | Dtype::FLOAT32 => Ok(x.clone()),
        _ => converted(call, x, Dtype::FLOAT32, false),
    }
}

/// The three channels of an image.
fn split(call: &Call<'_>, x: &Array) -> Result<[Array; 3]> {
    need_axes(call, "images", x, 1..=usize::MAX)?;
    if x.shape().last() != Some(&3) {
        return Err(wrong(call, "images", format!("three channels are needed, the shape is {}", x.shape())));
    }
    let channel = |i: i64| x.get([Index::Ellipsis, Index::Int(i)]);
    Ok([channel(0)?, channel(1)?, channel(2)?])
}

fn joined(call: &Call<'_>, channels: [Array; 3]) -> Result<Array> {
    compute!(call, "stack", [channels.to_vec()], axis = -1)
}

/// Hue, saturation and value.
fn hsv(call: &Call<'_>, x: &Array) -> Result<[Array; 3]> {
    let [r, g, b] = split(call, x)?;
    let value = compute!(call, "max", [x], axis = -1)?;
    let range = compute!(call, "subtract", [&value, &compute!(call, "min", [x], axis = -1)?])?;
    let quotient = |a: &Array, b: &Array| {
        let none = compute!(call, "equal", [b, 0])?;
        let divisor = compute!(call, "where", [&none, 1, b])?;
        compute!(call, "where", [&none, 0, &compute!(call, "divide", [a, &divisor])?])
    };
    let saturation = quotient(&range, &value)?;
    // A sixth of the circle for each pair of channels.
    let sector = |a: &Array, b: &Array, start: f64| {
        let turn = quotient(&compute!(call, "subtract", [a, b])?, &range)?;
        compute!(call, "add", [&compute!(call, "divide", [&turn, 6.0])?, start / 6.0])
    };
    let red = compute!(call, "equal", [&r, &value])?;
    let green = compute!(call, "equal", [&g, &value])?;
    let rest = compute!(call, "where", [&green, &sector(&b, &r, 2.0)?, &sector(&r, &g, 4.0)?])?;
    let hue = compute!(call, "where", [&red, &sector(&g, &b, 0.0)?, &rest])?;
    let hue = compute!(call, "where", [&compute!(call, "equal", [&range, 0])?, 0, &hue])?;
    let below = compute!(call, "less", [&hue, 0])?;
    let hue = compute!(call, "where", [&below, &compute!(call, "add", [&hue, 1])?, &hue])?;
    Ok([hue, saturation, value])
}

/// Red, green and blue.
fn rgb(call: &Call<'_>, [hue, saturation, value]: &[Array; 3]) -> Result<Array> {
    let turn = compute!(call, "multiply", [hue, 6.0])?;
    let share = |start: f64, sign: f64, offset: f64| {
        let away = compute!(call, "abs", [&compute!(call, "subtract", [&turn, start])?])?;
        let line = compute!(call, "add", [&compute!(call, "multiply", [&away, sign])?, offset])?;
        let part = compute!(call, "clip", [&line], min = 0.0, max = 1.0)?;
        let pale = compute!(call, "subtract", [1.0, saturation])?;
        let colour = compute!(call, "add", [&pale, &compute!(call, "multiply", [saturation, &part])?])?;
        compute!(call, "multiply", [&colour, value])
    };
    joined(call, [share(3.0, 1.0, -1.0)?, share(2.0, -1.0, 2.0)?, share(4.0, -1.0, 2.0)?])
}

/// `rgb_to_hsv(images)`
pub(crate) fn rgb_to_hsv(call: &mut Call<'_>) -> Out {
    Ok(joined(call, hsv(call, &call.array(0)?)?)?.into())
}

/// `hsv_to_rgb(images)`
pub(crate) fn hsv_to_rgb(call: &mut Call<'_>) -> Out {
    Ok(rgb(call, &split(call, &call.array(0)?)?)?.into())
}

/// `adjusted(kind, image, amount, gain)`: computed in floats, and given in the image's dtype.
pub(crate) fn adjusted(call: &mut Call<'_>) -> Out {
    let (image, amount) = (call.array(1)?, call.value(2));
    let x = float(call, &image)?;
    let number = call.float(2)?;
    let changed = match call.text(0)? {
        "brightness" => compute!(call, "add", [&x, amount])?,
        "contrast" => {
            need_axes(call, "images", &x, 3..=usize::MAX)?;
            let mean = compute!(call, "mean", [&x], axis = vec![-3i64, -2], keepdims = true)?;
            let apart = compute!(call, "multiply", [&compute!(call, "subtract", [&x, &mean])?, amount])?;
            compute!(call, "add", [&apart, &mean])?
        }
        "gamma" if number < 0.0 => return Err(wrong(call, "gamma", "not below 0")),
        "gamma" => compute!(call, "multiply", [&compute!(call, "pow", [&x, number])?, call.value(3)])?,
        "hue" => {
            let [hue, saturation, value] = hsv(call, &x)?;
            let hue = compute!(call, "remainder", [&compute!(call, "add", [&hue, number])?, 1.0])?;
            rgb(call, &[hue, saturation, value])?
        }
        _ => {
            let [hue, saturation, value] = hsv(call, &x)?;
            let scaled = compute!(call, "multiply", [&saturation, number])?;
            rgb(call, &[hue, compute!(call, "clip", [&scaled], min = 0.0, max = 1.0)?, value])?
        }
    };
    Ok(converted(call, &changed, image.dtype(), true)?.into())
}

/// What the channels of one form are multiplied with for those of another: a row a channel. Source: the documentation
/// and source of TensorFlow 2.21's tf.image.
const MATRICES: [(&str, [[f64; 3]; 3]); 4] = [
    (
        "rgb_to_yiq",
        [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]],
    ),
    (
        "yiq_to_rgb",
        [[1.0, 1.0, 1.0], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]],
    ),
    (
        "rgb_to_yuv",
        [
            [0.299, -0.14714119, 0.61497538],
            [0.587, -0.28886916, -0.51496512],
            [0.114, 0.43601035, -0.10001026],
        ],
    ),
    ("yuv_to_rgb", [[1.0, 1.0, 1.0], [0.0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0.0]]),
];

/// `channels(images, name)`
pub(crate) fn channels(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    split(call, &x)?;
    let name = call.text(1)?;
    let rows = MATRICES.iter().find(|(known, _)| *known == name).map_or(&MATRICES[0].1, |(_, rows)| rows);
    let rows: Vec<Value<'static>> = rows.iter().map(|row| Value::from(row.to_vec())).collect();
    let matrix = call.make_array(&Value::List(rows), Some(x.dtype()))?;
    Ok(compute!(call, "tensordot", [&x, &matrix], axes = 1)?.into())
}

/// `rgb_to_grayscale(images)`
pub(crate) fn rgb_to_grayscale(call: &mut Call<'_>) -> Out {
    let image = call.array(0)?;
    let x = float(call, &image)?;
    split(call, &x)?;
    let weights = call.make_array(&Value::from(vec![0.2989, 0.587, 0.114]), Some(x.dtype()))?;
    let grey = compute!(call, "tensordot", [&x, &weights], axes = 1)?;
    let grey = compute!(call, "expand_dims", [&grey], axis = -1)?;
    Ok(converted(call, &grey, image.dtype(), false)?.into())
}
