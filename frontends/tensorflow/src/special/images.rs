//! Images: boxes, windows and differences.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::{Out, cut, lengths, need_axes, ordered, wrong};
use ivy_frontend::{Call, Value, compute};

/// An image or a batch of them, and the axis of its rows.
pub(super) fn image(call: &Call<'_>) -> Result<(Array, usize)> {
    let x = call.array(0)?;
    need_axes(call, "image", &x, 3..=4)?;
    let rows = x.ndim() - 3;
    Ok((x, rows))
}

/// Rows and columns from a place on.
fn boxed(call: &Call<'_>, x: &Array, rows: usize, [top, left, height, width]: [i64; 4]) -> Result<Array> {
    let (h, w) = (x.shape()[rows] as i64, x.shape()[rows + 1] as i64);
    if top < 0 || left < 0 || height < 1 || width < 1 || top + height > h || left + width > w {
        return Err(wrong(
            call,
            "target_height",
            format!("the box is beyond an image of {h} rows and {w} columns"),
        ));
    }
    cut(&cut(x, rows, top, top + height, 1)?, rows + 1, left, left + width, 1)
}

/// Zeros around an image.
fn padded(call: &Call<'_>, x: &Array, rows: usize, [top, left, height, width]: [i64; 4]) -> Result<Array> {
    let (below, right) = (height - top - x.shape()[rows] as i64, width - left - x.shape()[rows + 1] as i64);
    if top < 0 || left < 0 || below < 0 || right < 0 {
        return Err(wrong(call, "target_height", format!("an image of shape {} does not fit", x.shape())));
    }
    let mut widths = vec![vec![0i64; 2]; x.ndim()];
    (widths[rows], widths[rows + 1]) = (vec![top, below], vec![left, right]);
    compute!(call, "constant_pad", [x], pad_width = widths)
}

fn four(call: &Call<'_>) -> Result<[i64; 4]> {
    Ok([call.int(1)?, call.int(2)?, call.int(3)?, call.int(4)?])
}

/// `crop(image, offset_height, offset_width, target_height, target_width)`
pub(crate) fn crop(call: &mut Call<'_>) -> Out {
    let (x, rows) = image(call)?;
    Ok(boxed(call, &x, rows, four(call)?)?.into())
}

/// `pad_to(image, offset_height, offset_width, target_height, target_width)`
pub(crate) fn pad_to(call: &mut Call<'_>) -> Out {
    let (x, rows) = image(call)?;
    Ok(padded(call, &x, rows, four(call)?)?.into())
}

/// `central_crop(image, central_fraction)`
pub(crate) fn central_crop(call: &mut Call<'_>) -> Out {
    let ((x, rows), part) = (image(call)?, call.float(1)?);
    if !(part > 0.0 && part <= 1.0) {
        return Err(wrong(call, "central_fraction", "above 0, and 1 at most"));
    }
    let start = |length: usize| ((length as f64 - length as f64 * part) / 2.0) as i64;
    let (h, w) = (x.shape()[rows], x.shape()[rows + 1]);
    let (top, left) = (start(h), start(w));
    Ok(boxed(call, &x, rows, [top, left, h as i64 - 2 * top, w as i64 - 2 * left])?.into())
}

/// `resize_with_crop_or_pad(image, target_height, target_width)`
pub(crate) fn resize_with_crop_or_pad(call: &mut Call<'_>) -> Out {
    let ((x, rows), height, width) = (image(call)?, call.int(1)?, call.int(2)?);
    let (h, w) = (x.shape()[rows] as i64, x.shape()[rows + 1] as i64);
    let cropped = [
        ((h - height).div_euclid(2)).max(0),
        ((w - width).div_euclid(2)).max(0),
        h.min(height),
        w.min(width),
    ];
    let x = boxed(call, &x, rows, cropped)?;
    let around = [((height - h).div_euclid(2)).max(0), ((width - w).div_euclid(2)).max(0), height, width];
    Ok(padded(call, &x, rows, around)?.into())
}

/// `extract_patches(images, sizes, strides, rates, padding)`: each patch's elements as channels.
pub(crate) fn extract_patches(call: &mut Call<'_>) -> Out {
    let mut x = call.array(0)?;
    need_axes(call, "images", &x, 4..=4)?;
    let same = match call.text(4)? {
        "SAME" => true,
        "VALID" => false,
        _ => return Err(wrong(call, "padding", "one of SAME and VALID")),
    };
    let numbers = |i: usize, name: &str| match call.ints(i)?.as_deref() {
        Some(&[1, a, b, 1]) if a > 0 && b > 0 => Ok([a, b]),
        _ => Err(wrong(call, name, "[1, rows, columns, 1]")),
    };
    let (sizes, strides, rates) = (numbers(1, "sizes")?, numbers(2, "strides")?, numbers(3, "rates")?);
    let mut counts = [0i64; 2];
    for k in 0..2 {
        let (length, window) = (x.shape()[1 + k] as i64, (sizes[k] - 1) * rates[k] + 1);
        counts[k] =
            if same { (length + strides[k] - 1) / strides[k] } else { (length - window) / strides[k] + 1 };
        counts[k] = counts[k].max(0);
        let missing = ((counts[k] - 1) * strides[k] + window - length).max(0);
        let mut widths = vec![vec![0i64; 2]; 4];
        widths[1 + k] = vec![missing / 2, missing - missing / 2];
        x = if same { compute!(call, "constant_pad", [&x], pad_width = widths)? } else { x };
        let places = (0..counts[k]).flat_map(|i| (0..sizes[k]).map(move |j| i * strides[k] + j * rates[k]));
        let places = integers(call, places)?;
        x = compute!(call, "take", [&x, &places], axis = 1 + k as i64)?;
    }
    let (n, c) = (x.shape()[0] as i64, x.shape()[3] as i64);
    let x = compute!(call, "reshape", [&x], shape = vec![n, counts[0], sizes[0], counts[1], sizes[1], c])?;
    let x = ordered(call, &x, vec![0, 1, 3, 2, 4, 5])?;
    let shape = vec![n, counts[0], counts[1], sizes[0] * sizes[1] * c];
    Ok(compute!(call, "reshape", [&x], shape = shape)?.into())
}

/// The differences of neighbours along an axis.
fn steps(call: &Call<'_>, x: &Array, along: usize) -> Result<Array> {
    let n = x.shape()[along] as i64;
    compute!(call, "subtract", [&cut(x, along, 1, n, 1)?, &cut(x, along, 0, n - 1, 1)?])
}

/// `image_gradients(image)`: differences of rows and of columns, 0 at the ends.
pub(crate) fn image_gradients(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    need_axes(call, "image", &x, 4..=4)?;
    let one = |along: usize| -> Result<Array> {
        let mut widths = vec![vec![0i64; 2]; 4];
        widths[along][1] = 1;
        compute!(call, "constant_pad", [&steps(call, &x, along)?], pad_width = widths)
    };
    Ok(ivy_frontend::specials::tuple([one(1)?, one(2)?]))
}

/// `total_variation(images)`: the sum of the magnitudes of differences.
pub(crate) fn total_variation(call: &mut Call<'_>) -> Out {
    let (x, rows) = image(call)?;
    let part = |along: usize| {
        let size = compute!(call, "abs", [&steps(call, &x, along)?])?;
        compute!(call, "sum", [&size], axis = vec![-3i64, -2, -1], dtype = x.dtype())
    };
    Ok(compute!(call, "add", [&part(rows)?, &part(rows + 1)?])?.into())
}

/// `sobel_edges(image)`: the edges along rows and along columns, as a last axis.
pub(crate) fn sobel_edges(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    need_axes(call, "image", &x, 4..=4)?;
    let widths = vec![vec![0i64, 0], vec![1, 1], vec![1, 1], vec![0, 0]];
    let x = compute!(call, "pad", [&x], pad_width = widths, mode = "reflect")?;
    let shifted = |x: &Array, along: usize, start: i64| {
        let n = x.shape()[along] as i64 - 2;
        cut(x, along, start, start + n, 1)
    };
    let edge = |across: usize, along: usize| -> Result<Array> {
        let step = compute!(call, "subtract", [&shifted(&x, across, 2)?, &shifted(&x, across, 0)?])?;
        let middle = compute!(call, "multiply", [&shifted(&step, along, 1)?, 2])?;
        let sides = compute!(call, "add", [&shifted(&step, along, 0)?, &shifted(&step, along, 2)?])?;
        compute!(call, "add", [&middle, &sides])
    };
    Ok(compute!(call, "stack", [vec![edge(1, 2)?, edge(2, 1)?]], axis = -1)?.into())
}

/// `per_image_standardization(image)`: mean 0 and variance 1, in float32.
pub(crate) fn per_image_standardization(call: &mut Call<'_>) -> Out {
    let (x, _) = image(call)?;
    let x = if x.dtype() == Dtype::FLOAT16 { x } else { f::astype(&x, Dtype::FLOAT32)? };
    let axes = || vec![-3i64, -2, -1];
    let size = lengths(&x)[x.ndim() - 3..].iter().product::<i64>() as f64;
    let mean = compute!(call, "mean", [&x], axis = axes(), keepdims = true)?;
    let std = compute!(call, "std", [&x], axis = axes(), keepdims = true)?;
    // No less than that of a single brighter element.
    let std = compute!(call, "maximum", [&std, 1.0 / size.sqrt()])?;
    Ok(compute!(call, "divide", [&compute!(call, "subtract", [&x, &mean])?, &std])?.into())
}

/// `psnr(a, b, max_val)`: `10 log10(max^2 / mean square difference)`.
pub(crate) fn psnr(call: &mut Call<'_>) -> Out {
    let float = |i: usize| super::colours::converted(call, &call.array(i)?, Dtype::FLOAT32, false);
    let most = f::astype(call.array(2)?, call.array(0)?.dtype())?;
    let most = super::colours::converted(call, &most, Dtype::FLOAT32, false)?;
    let apart = compute!(call, "square", [&compute!(call, "subtract", [&float(0)?, &float(1)?])?])?;
    let mean = compute!(call, "mean", [&apart], axis = vec![-3i64, -2, -1])?;
    let top = compute!(call, "multiply", [&compute!(call, "log10", [&most])?, 20.0])?;
    let bottom = compute!(call, "multiply", [&compute!(call, "log10", [&mean])?, 10.0])?;
    Ok(compute!(call, "subtract", [&top, &bottom])?.into())
}

/// Whole numbers as an array.
pub(super) fn integers(call: &Call<'_>, numbers: impl Iterator<Item = i64>) -> Result<Array> {
    call.make_array(&Value::from(numbers.collect::<Vec<i64>>()), Some(Dtype::INT64))
}
