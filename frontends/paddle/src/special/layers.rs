//! Convolutions, pools and paddings, as Paddle writes their arguments.

use ivy_core::{Array, Result};
use ivy_frontend::specials::{Out, axis, lengths as own, per_axis, wrong};
use ivy_frontend::{Call, Fault, Value, compute};

/// Whether the channels stand before the spatial axes.
pub(super) fn first(call: &Call<'_>, format: &str) -> Result<bool> {
    match format {
        "NCL" | "NCHW" | "NCDHW" | "NCW" => Ok(true),
        "NLC" | "NHWC" | "NDHWC" | "NWC" => Ok(false),
        _ => Err(wrong(call, "data_format", "one of NCL, NCHW, NCDHW, NLC, NHWC and NDHWC")),
    }
}

fn word(first: bool) -> &'static str {
    if first { "channel_first" } else { "channel_last" }
}

/// How many spatial axes an input with a batch and channels has.
pub(super) fn spatial(call: &Call<'_>, x: &Array) -> Result<usize> {
    match x.ndim() {
        n @ 3..=5 => Ok(n - 2),
        n => Err(wrong(
            call,
            "x",
            format!("a batch, channels and one to three spatial axes are needed, not {n} axes"),
        )),
    }
}

/// A padding: a word, a number, one for each spatial axis or each end of these, or pairs of all axes.
fn padding(call: &Call<'_>, i: usize, spatial: usize, channels_first: bool) -> Result<Value<'static>> {
    if let Some(word) = call.value(i).as_text() {
        return match word {
            "SAME" | "VALID" => Ok(Value::from(word.to_string())),
            _ => Err(call.refuse(Fault::Value, "padding", Some(call.value(i)), "SAME, VALID or numbers")),
        };
    }
    let nested = call.value(i).items().is_some_and(|items| items.iter().any(|item| item.items().is_some()));
    let pairs: Vec<Vec<i64>> = if nested {
        let all = ivy_frontend::specials::pairs(call, i)?;
        let start = if channels_first { 2 } else { 1 };
        let inner = all.get(start..start + spatial).filter(|_| all.len() == spatial + 2);
        let inner = inner.ok_or_else(|| wrong(call, "padding", "a pair for each axis"))?;
        inner.iter().map(|pair| pair.to_vec()).collect()
    } else {
        let given = call.ints(i)?.unwrap_or_default();
        match given.len() {
            1 => vec![vec![given[0]; 2]; spatial],
            n if n == spatial => given.iter().map(|&p| vec![p, p]).collect(),
            n if n == 2 * spatial => given.chunks_exact(2).map(<[i64]>::to_vec).collect(),
            n => return Err(wrong(call, "padding", format!("{n} numbers for {spatial} spatial axes"))),
        }
    };
    Ok(pairs.into())
}

/// The dilations of a convolution: with the padding SAME Paddle has none.
fn dilations(call: &Call<'_>, i: usize, padding: &Value<'_>, spatial: usize) -> Result<Vec<i64>> {
    let given = per_axis(call, i, "dilation", spatial, 1)?;
    Ok(if padding.as_text() == Some("SAME") { vec![1; spatial] } else { given })
}

/// `convolution(x, weight, bias, stride, padding, dilation, groups, data_format)`
pub(crate) fn convolution(call: &mut Call<'_>) -> Out {
    let (x, weight) = (call.array(0)?, call.array(1)?);
    let (n, channels_first) = (spatial(call, &x)?, first(call, call.text(7)?)?);
    let around = padding(call, 4, n, channels_first)?;
    let dilations = dilations(call, 5, &around, n)?;
    let result = compute!(
        call,
        "conv_general_dilated",
        [&x, &weight],
        strides = per_axis(call, 3, "stride", n, 1)?,
        padding = around,
        dims = n,
        data_format = word(channels_first),
        filter_format = "channel_first",
        feature_group_count = call.int(6)?,
        dilations = dilations,
        bias = call.value(2),
    )?;
    Ok(result.into())
}

/// `convolution_transpose(x, weight, bias, stride, padding, output_padding, dilation, groups, output_size, data_format)`
pub(crate) fn convolution_transpose(call: &mut Call<'_>) -> Out {
    let (x, weight) = (call.array(0)?, call.array(1)?);
    let (n, channels_first) = (spatial(call, &x)?, first(call, call.text(9)?)?);
    if weight.ndim() != x.ndim() {
        return Err(wrong(
            call,
            "weight",
            format!("{} axes are needed, there are {}", x.ndim(), weight.ndim()),
        ));
    }
    let (strides, around) = (per_axis(call, 3, "stride", n, 1)?, padding(call, 4, n, channels_first)?);
    let dilations = dilations(call, 6, &around, n)?;
    let extra = per_axis(call, 5, "output_padding", n, 0)?;
    // The lengths of the result, where they are not what is covered less the padding.
    let shape = match (call.value(8).is_none(), &around) {
        (false, _) => Some(per_axis(call, 8, "output_size", n, 0)?),
        (true, Value::List(pairs)) if extra.iter().any(|&p| p != 0) => {
            let place = |k: usize| x.shape()[if channels_first { 2 + k } else { 1 + k }] as i64;
            let taken = |k: usize| -> i64 {
                let pair = pairs[k].items().unwrap_or_default();
                pair.iter().filter_map(Value::as_scalar).map(|s| s.to_i128() as i64).sum()
            };
            let window = |k: usize| dilations[k] * (weight.shape()[2 + k] as i64 - 1) + 1;
            let one = |k: usize| (place(k) - 1) * strides[k] + window(k) - taken(k) + extra[k];
            Some((0..n).map(one).collect())
        }
        _ => None,
    };
    let result = compute!(
        call,
        "conv_general_transpose",
        [&x, &weight],
        strides = strides,
        padding = around,
        dims = n,
        output_shape = shape,
        filter_format = "channel_first",
        data_format = word(channels_first),
        dilations = dilations,
        feature_group_count = call.int(7)?,
        bias = call.value(2),
    )?;
    Ok(result.into())
}

/// `pool(kind, x, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format)`
pub(crate) fn pool(call: &mut Call<'_>) -> Out {
    let x = call.array(1)?;
    let (n, channels_first) = (spatial(call, &x)?, first(call, call.text(8)?)?);
    let kernel = per_axis(call, 2, "kernel_size", n, 1)?;
    let strides = if call.value(3).is_none() { kernel.clone() } else { per_axis(call, 3, "stride", n, 1)? };
    let around = padding(call, 4, n, channels_first)?;
    let ceil = call.flag(5)?;
    let (format, average, greatest) = match (n, channels_first) {
        (1, true) => ("NCW", "avg_pool1d", "max_pool1d"),
        (1, false) => ("NWC", "avg_pool1d", "max_pool1d"),
        (2, true) => ("NCHW", "avg_pool2d", "max_pool2d"),
        (2, false) => ("NHWC", "avg_pool2d", "max_pool2d"),
        (_, true) => ("NCDHW", "avg_pool3d", "max_pool3d"),
        (_, false) => ("NDHWC", "avg_pool3d", "max_pool3d"),
    };
    if call.text(0)? == "max" {
        let keywords = ivy_frontend::kw! {
            kernel: kernel, strides: strides, padding: around, data_format: format, ceil_mode: ceil
        };
        return call.core(greatest, &[(&x).into()], keywords);
    }
    let keywords = ivy_frontend::kw! {
        kernel: kernel, strides: strides, padding: around, data_format: format, ceil_mode: ceil,
        count_include_pad: !call.flag(6)?, divisor_override: call.value(7).borrowed()
    };
    call.core(average, &[(&x).into()], keywords)
}

/// `lengths(x, output_size)`: of rows and columns; `None` is the tensor's own.
pub(crate) fn lengths(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    spatial(call, &x)?;
    let one = |(k, item): (usize, &Value<'_>)| match item {
        Value::None => own(&x).get(2 + k).copied().map(Value::from),
        item => item.as_scalar().map(Value::from),
    };
    match call.value(1).items() {
        None => Ok(Value::from(call.int(1)?)),
        Some(items) => {
            let sizes: Option<Vec<Value<'static>>> = items.iter().enumerate().map(one).collect();
            sizes.map(Value::List).ok_or_else(|| wrong(call, "output_size", "numbers, or None"))
        }
    }
}

/// `maxout(x, groups, axis)`: the greatest of each group of channels.
pub(crate) fn maxout(call: &mut Call<'_>) -> Out {
    let (x, groups) = (call.array(0)?, call.int(1)?);
    let along = axis(call, call.int(2)?, x.ndim())?;
    let channels = x.shape()[along] as i64;
    if groups < 1 || channels % groups != 0 {
        return Err(wrong(call, "groups", format!("{groups} does not divide {channels} channels")));
    }
    let mut shape = own(&x);
    shape.splice(along..=along, [channels / groups, groups]);
    let x = compute!(call, "reshape", [&x], shape = shape)?;
    Ok(compute!(call, "max", [&x], axis = along as i64 + 1)?.into())
}

/// `pad(x, pad, mode, value, data_format, pad_from_left_axis)`: pairs of the spatial axes, the last axis first, or of all.
pub(crate) fn pad(call: &mut Call<'_>) -> Out {
    let (x, given) = (call.array(0)?, call.ints(1)?.unwrap_or_default());
    let (mode, from_left) = (call.text(2)?, call.flag(5)?);
    let mut widths = vec![vec![0i64; 2]; x.ndim()];
    let pairs: Vec<&[i64]> = given.chunks_exact(2).collect();
    let all = given.len() == 2 * x.ndim();
    if given.len() % 2 != 0 || pairs.len() > x.ndim() {
        return Err(wrong(call, "pad", format!("pairs, at most {}", x.ndim())));
    }
    for (k, pair) in pairs.iter().enumerate() {
        let place = if all {
            if from_left { k } else { x.ndim() - 1 - k }
        } else {
            let last = if call.value(4).is_none() || first(call, call.text(4)?)? {
                x.ndim() - 1
            } else {
                x.ndim() - 2
            };
            last.checked_sub(k).ok_or_else(|| wrong(call, "pad", "fewer pairs"))?
        };
        widths[place] = pair.to_vec();
    }
    let mode = match mode {
        "constant" => {
            return Ok(
                compute!(call, "constant_pad", [&x], pad_width = widths, value = call.value(3))?.into()
            );
        }
        "reflect" => "reflect",
        "replicate" => "edge",
        "circular" => "wrap",
        _ => {
            return Err(call.refuse(
                Fault::Value,
                "mode",
                Some(call.value(2)),
                "constant, reflect, replicate or circular",
            ));
        }
    };
    Ok(compute!(call, "pad", [&x], pad_width = widths, mode = mode)?.into())
}
