//! Convolutions and pools: strides, dilations and paddings as TensorFlow writes them.

use ivy_core::{Array, Result};
use ivy_frontend::specials::{Out, channels_first, lengths, pairs, wrong};
use ivy_frontend::{Call, Fault, Value, compute};

/// The arguments of a convolution or pool, as the core takes them.
struct Windows {
    spatial: usize,
    first: bool,
}

impl Windows {
    /// Of an input with a batch, spatial axes and channels, and the data format that is argument `i`.
    fn of(call: &Call<'_>, x: &Array, i: usize) -> Result<Windows> {
        if !(3..=5).contains(&x.ndim()) {
            return Err(wrong(
                call,
                "input",
                format!("a batch, one to three spatial axes and channels are needed, not {} axes", x.ndim()),
            ));
        }
        let first = call.value(i).as_text().is_some_and(channels_first);
        Ok(Windows { spatial: x.ndim() - 2, first })
    }

    fn format(&self) -> &'static str {
        if self.first { "channel_first" } else { "channel_last" }
    }

    /// The spatial entries of a list that has one for the batch and one for the channels as well.
    fn inner<T: Clone>(&self, all: &[T]) -> Vec<T> {
        let start = if self.first { 2 } else { 1 };
        all[start..start + self.spatial].to_vec()
    }

    /// A number for each spatial axis: one, that many, or those of all axes.
    fn numbers(&self, call: &Call<'_>, i: usize, name: &str) -> Result<Vec<i64>> {
        let given = call.ints(i)?.unwrap_or_else(|| vec![1]);
        match given.len() {
            1 => Ok(vec![given[0]; self.spatial]),
            n if n == self.spatial => Ok(given),
            n if n == self.spatial + 2 => Ok(self.inner(&given)),
            n => Err(wrong(call, name, format!("{n} numbers for {} spatial axes", self.spatial))),
        }
    }

    /// The padding: a word, or the pairs of the spatial axes.
    fn padding(&self, call: &Call<'_>, i: usize) -> Result<Value<'static>> {
        match call.value(i) {
            Value::Text(word) if matches!(&**word, "SAME" | "VALID") => Ok(Value::from(word.to_string())),
            Value::List(_) | Value::Tuple(_) => {
                let pairs = pairs(call, i)?;
                if pairs.len() != self.spatial + 2 {
                    return Err(wrong(call, "padding", "a pair for each axis is needed"));
                }
                Ok(self.inner(&pairs).into_iter().map(|pair| pair.to_vec()).collect::<Vec<_>>().into())
            }
            other => {
                Err(call.refuse(Fault::Value, "padding", Some(other), "SAME, VALID, or a pair for each axis"))
            }
        }
    }
}

/// `convolution(input, filters, strides, padding, data_format, dilations)`: filters with fewer input channels than there
/// are convolve groups of them.
pub(crate) fn convolution(call: &mut Call<'_>) -> Out {
    let (x, filters) = (call.array(0)?, call.array(1)?);
    let windows = Windows::of(call, &x, 4)?;
    if filters.ndim() != x.ndim() {
        return Err(wrong(
            call,
            "filters",
            format!("{} axes are needed, there are {}", x.ndim(), filters.ndim()),
        ));
    }
    let channels = x.shape()[if windows.first { 1 } else { x.ndim() - 1 }];
    let within = filters.shape()[filters.ndim() - 2];
    if within == 0 || channels % within != 0 {
        return Err(wrong(call, "filters", format!("{within} input channels do not divide {channels}")));
    }
    grouped(call, &x, &filters, &windows, channels / within)
}

fn grouped(call: &Call<'_>, x: &Array, filters: &Array, windows: &Windows, groups: usize) -> Out {
    Ok(compute!(
        call,
        "conv_general_dilated",
        [x, filters],
        strides = windows.numbers(call, 2, "strides")?,
        padding = windows.padding(call, 3)?,
        dims = windows.spatial,
        data_format = windows.format(),
        feature_group_count = groups,
        dilations = windows.numbers(call, 5, "dilations")?,
    )?
    .into())
}

/// `depthwise_convolution(input, filter, strides, padding, data_format, dilations)`: several filters for each channel.
pub(crate) fn depthwise_convolution(call: &mut Call<'_>) -> Out {
    let (x, filters) = (call.array(0)?, call.array(1)?);
    let windows = Windows::of(call, &x, 4)?;
    let &[height, width, channels, count] = &lengths(&filters)[..] else {
        return Err(wrong(call, "filter", "four axes are needed"));
    };
    let filters = compute!(call, "reshape", [&filters], shape = vec![height, width, 1, channels * count])?;
    grouped(call, &x, &filters, &windows, channels as usize)
}

/// `convolution_transpose(input, filters, output_shape, strides, padding, data_format, dilations)`
pub(crate) fn convolution_transpose(call: &mut Call<'_>) -> Out {
    let (x, filters) = (call.array(0)?, call.array(1)?);
    let windows = Windows::of(call, &x, 5)?;
    Ok(compute!(
        call,
        "conv_general_transpose",
        [&x, &filters],
        output_shape = call.ints(2)?,
        strides = windows.numbers(call, 3, "strides")?,
        padding = windows.padding(call, 4)?,
        dims = windows.spatial,
        data_format = windows.format(),
        dilations = windows.numbers(call, 6, "dilations")?,
    )?
    .into())
}

/// `pool(kind, input, ksize, strides, padding, data_format, dilations)`: what stands around the input is no element.
pub(crate) fn pool(call: &mut Call<'_>) -> Out {
    let x = call.array(1)?;
    let windows = Windows::of(call, &x, 5)?;
    let (kernel, strides) = (windows.numbers(call, 2, "ksize")?, windows.numbers(call, 3, "strides")?);
    let (padding, dilation) = (windows.padding(call, 4)?, windows.numbers(call, 6, "dilations")?);
    let average = match call.text(0)? {
        "AVG" => true,
        "MAX" => false,
        _ => return Err(wrong(call, "pooling_type", "one of AVG and MAX")),
    };
    let name = match (average, windows.spatial) {
        (true, 1) => "avg_pool1d",
        (true, 2) => "avg_pool2d",
        (true, _) => "avg_pool3d",
        (false, 1) => "max_pool1d",
        (false, 2) => "max_pool2d",
        (false, _) => "max_pool3d",
    };
    let format = match (windows.spatial, windows.first) {
        (1, true) => "NCW",
        (1, false) => "NWC",
        (2, true) => "NCHW",
        (2, false) => "NHWC",
        (_, true) => "NCDHW",
        (_, false) => "NDHWC",
    };
    if average {
        if dilation.iter().any(|&d| d != 1) {
            return Err(call.refuse(Fault::Missing, "dilations", Some(call.value(6)), "only 1 of averages"));
        }
        let result = compute!(
            call,
            name,
            [&x],
            kernel = kernel,
            strides = strides,
            padding = padding,
            data_format = format
        )?;
        return Ok(result.into());
    }
    let result = compute!(
        call,
        name,
        [&x],
        kernel = kernel,
        strides = strides,
        padding = padding,
        data_format = format,
        dilation = dilation,
    )?;
    Ok(result.into())
}
