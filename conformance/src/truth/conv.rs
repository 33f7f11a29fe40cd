//! Convolutions and linear layers by their definition.

use super::dd::Dd;
use super::num::{Num, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, indices, place};
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let spatial = match call.function {
        "conv1d" | "conv1d_transpose" => 1,
        "conv2d" | "conv2d_transpose" | "depthwise_conv2d" => 2,
        "conv3d" | "conv3d_transpose" => 3,
        "conv_general_dilated" | "conv_general_transpose" => call.int("dims").unwrap_or(2) as usize,
        "linear" => return Some(vec![linear(call)?]),
        _ => return None,
    };
    let truth =
        if call.function.ends_with("transpose") { transposed(call, spatial) } else { conv(call, spatial) };
    Some(vec![truth?])
}

/// A sum of products.
#[derive(Clone, Copy)]
struct Sum {
    int: i128,
    re: Dd,
    im: Dd,
    mass: f64,
    count: usize,
}

const ZERO: Dd = Dd { hi: 0.0, lo: 0.0 };
const NOTHING: Sum = Sum { int: 0, re: ZERO, im: ZERO, mass: 0.0, count: 0 };

impl Sum {
    fn add(&mut self, call: &Call<'_>, a: Num, b: Num) {
        self.count += 1;
        if call.compute.is_int() {
            self.int = wrap(self.int.wrapping_add(a.int().wrapping_mul(b.int())), call.compute);
            return;
        }
        let d = Dd::from;
        self.re = self.re + d(a.re()) * d(b.re()) - d(a.im()) * d(b.im());
        self.im = self.im + d(a.re()) * d(b.im()) + d(a.im()) * d(b.re());
        self.mass += a.magnitude() * b.magnitude();
    }

    fn value(self, call: &Call<'_>) -> Value {
        match call.compute.is_int() {
            true => Value::int(self.int),
            false => Value::sum(self.re, self.im, self.mass, self.count + 1),
        }
    }
}

fn finished(call: &Call<'_>, shape: Vec<usize>, sums: &[Sum]) -> Truth {
    Truth { dtype: call.output(0), shape, data: sums.iter().map(|s| s.value(call)).collect() }
}

fn linear(call: &Call<'_>) -> Option<Truth> {
    let (x, w, bias) = (call.operand(0)?, call.operand(1)?, call.operand(2));
    let (outer, outputs) = (w.shape.len() - 2, w.shape[w.shape.len() - 2]);
    let mut shape = x.shape.clone();
    *shape.last_mut()? = outputs;
    let sum = |index: Vec<usize>| {
        let mut sum = NOTHING;
        let o = index[index.len() - 1];
        for i in 0..w.shape[outer + 1] {
            let mut from = index.clone();
            *from.last_mut().expect("an axis") = i;
            let weight = [&index[..outer], &[o, i]].concat();
            sum.add(call, x.data[place(&from, &x.shape)], w.data[place(&weight, &w.shape)]);
        }
        if let Some(bias) = &bias {
            sum.add(call, bias.data[place(&[&index[..outer], &[o]].concat(), &bias.shape)], Num::Int(1));
        }
        sum
    };
    let sums: Vec<Sum> = indices(&shape).map(sum).collect();
    Some(finished(call, shape, &sums))
}

/// A keyword that is one number or several.
pub(super) fn per_axis(call: &Call<'_>, name: &str, spatial: usize) -> Vec<i64> {
    match call.ints(name) {
        Some(list) if list.len() == spatial => list,
        Some(list) => vec![list[0]; spatial],
        None => vec![1; spatial],
    }
}

pub(super) fn word<'a>(call: &'a Call<'_>, name: &str) -> &'a str {
    match call.keyword(name) {
        Some(ParamValue::Text(word)) => word,
        _ => "",
    }
}

/// The paddings of axes with these lengths, windows and strides.
pub(super) fn paddings(call: &Call<'_>, axes: &[(i64, i64, i64)]) -> Vec<(i64, i64)> {
    let same = |&(len, window, stride): &(i64, i64, i64)| {
        let out = (len + stride - 1) / stride;
        ((out - 1) * stride + window - len).max(0)
    };
    match call.keyword("padding") {
        Some(ParamValue::Text(word)) => axes
            .iter()
            .map(|axis| match word.as_str() {
                "SAME" => (same(axis) / 2, same(axis) - same(axis) / 2),
                "SAME_LOWER" => (same(axis) - same(axis) / 2, same(axis) / 2),
                _ => (0, 0),
            })
            .collect(),
        Some(ParamValue::Int(n)) => vec![(*n, *n); axes.len()],
        Some(ParamValue::IntLists(lists)) => {
            (0..axes.len()).map(|i| (lists[i % lists.len()][0], lists[i % lists.len()][1])).collect()
        }
        _ => vec![(0, 0); axes.len()],
    }
}

/// The axes of channels and the first of the spatial ones.
pub(super) fn channels_first(call: &Call<'_>) -> bool {
    word(call, "data_format").starts_with("NC") || word(call, "data_format") == "channel_first"
}

/// An element's index in the order batch, channel, place, as the data format has it.
fn formatted(first: bool, n: usize, c: usize, at: &[usize]) -> Vec<usize> {
    if first { [&[n, c], at].concat() } else { [&[n], at, &[c]].concat() }
}

/// Filters as a function of output channel, input channel of the group, and place.
struct Filters {
    w: Tensor,
    depthwise: bool,
    first: bool,
    outputs: usize,
    inputs: usize,
    window: Vec<usize>,
}

impl Filters {
    fn new(call: &Call<'_>, spatial: usize, transposed: bool) -> Option<Filters> {
        let w = call.operand(1)?;
        let first = word(call, "filter_format") == "channel_first";
        let depthwise = call.function == "depthwise_conv2d";
        let s = w.shape.clone();
        let (window, pair) = match (depthwise, first) {
            (true, _) => (s[..2].to_vec(), [s[2], 1]),
            // Of transposed ones input channels stand where output channels do otherwise.
            (_, true) => (s[2..].to_vec(), [s[0], s[1]]),
            (_, false) => (s[..spatial].to_vec(), [s[spatial + 1], s[spatial]]),
        };
        let [outputs, inputs] = if transposed { [pair[1], pair[0]] } else { pair };
        Some(Filters { w, depthwise, first, outputs, inputs, window })
    }

    fn at(&self, a: usize, b: usize, tap: &[usize]) -> Num {
        let index = match (self.depthwise, self.first) {
            (true, _) => [tap, &[a]].concat(),
            (_, true) => [&[a, b], tap].concat(),
            (_, false) => [tap, &[b, a]].concat(),
        };
        self.w.data[place(&index, &self.w.shape)]
    }
}

fn conv(call: &Call<'_>, spatial: usize) -> Option<Truth> {
    let (x, filters) = (call.operand(0)?, Filters::new(call, spatial, false)?);
    let bias = if call.operands.len() > 2 { call.operand(2) } else { None };
    let first = channels_first(call);
    let start = if first { 2 } else { 1 };
    let lens: Vec<i64> = x.shape[start..start + spatial].iter().map(|&n| n as i64).collect();
    let (strides, between) = (per_axis(call, "strides", spatial), per_axis(call, "x_dilations", spatial));
    let dilations = per_axis(call, "dilations", spatial);
    let spread = |n: i64, d: i64| if n == 0 { 0 } else { (n - 1) * d + 1 };
    let axes: Vec<(i64, i64, i64)> = (0..spatial)
        .map(|i| (spread(lens[i], between[i]), spread(filters.window[i] as i64, dilations[i]), strides[i]))
        .collect();
    let padding = paddings(call, &axes);
    let out: Vec<usize> = (0..spatial)
        .map(|i| ((axes[i].0 + padding[i].0 + padding[i].1 - axes[i].1) / strides[i] + 1) as usize)
        .collect();
    let groups = match call.function {
        "depthwise_conv2d" => filters.outputs,
        _ => call.int("feature_group_count").unwrap_or(1) as usize,
    };
    let shape = formatted(first, x.shape[0], filters.outputs, &out);
    let mut sums = vec![NOTHING; shape.iter().product()];
    for index in indices(&[&[x.shape[0], filters.outputs], &out[..]].concat()) {
        let (n, o, at) = (index[0], index[1], &index[2..]);
        let sum = &mut sums[place(&formatted(first, n, o, at), &shape)];
        for tap in indices(&filters.window) {
            let place_of = |i: usize| {
                let p = at[i] as i64 * strides[i] + tap[i] as i64 * dilations[i] - padding[i].0;
                (p >= 0 && p % between[i] == 0 && p / between[i] < lens[i])
                    .then_some((p / between[i]) as usize)
            };
            let Some(from) = (0..spatial).map(place_of).collect::<Option<Vec<_>>>() else { continue };
            for i in 0..filters.inputs {
                let channel = o / (filters.outputs / groups) * filters.inputs + i;
                let element = x.data[place(&formatted(first, n, channel, &from), &x.shape)];
                sum.add(call, element, filters.at(o, i, &tap));
            }
        }
        if let Some(bias) = &bias {
            sum.add(call, bias.data[o], Num::Int(1));
        }
    }
    Some(finished(call, shape, &sums))
}

/// Each element adds the window to the result.
fn transposed(call: &Call<'_>, spatial: usize) -> Option<Truth> {
    let (x, filters) = (call.operand(0)?, Filters::new(call, spatial, true)?);
    let first = channels_first(call);
    let start = if first { 2 } else { 1 };
    let lens: Vec<i64> = x.shape[start..start + spatial].iter().map(|&n| n as i64).collect();
    let (strides, dilations) = (per_axis(call, "strides", spatial), per_axis(call, "dilations", spatial));
    let windows: Vec<i64> = (0..spatial).map(|i| (filters.window[i] as i64 - 1) * dilations[i] + 1).collect();
    let asked = call.ints("output_shape");
    let explicit = !matches!(call.keyword("padding"), Some(ParamValue::Text(_)));
    let out: Vec<i64> = (0..spatial)
        .map(|i| match (&asked, word(call, "padding")) {
            (Some(asked), _) if asked.len() == spatial => asked[i],
            (Some(asked), _) => asked[start + i],
            _ if explicit => {
                let (low, high) = paddings(call, &vec![(0, 0, 1); spatial])[i];
                (lens[i] - 1) * strides[i] + windows[i] - low - high
            }
            (_, "VALID") => lens[i] * strides[i] + (windows[i] - strides[i]).max(0),
            _ => lens[i] * strides[i],
        })
        .collect();
    let axes: Vec<_> = (0..spatial).map(|i| (out[i], windows[i], strides[i])).collect();
    let padding = paddings(call, &axes);
    let groups = call.int("feature_group_count").unwrap_or(1) as usize;
    let channels = filters.outputs * groups;
    let places: Vec<usize> = out.iter().map(|&n| n as usize).collect();
    let shape = formatted(first, x.shape[0], channels, &places);
    let mut sums = vec![NOTHING; shape.iter().product()];
    let from: Vec<usize> = lens.iter().map(|&n| n as usize).collect();
    for index in indices(&[&[x.shape[0], filters.inputs], &from[..]].concat()) {
        let (n, i, at) = (index[0], index[1], &index[2..]);
        let element = x.data[place(&formatted(first, n, i, at), &x.shape)];
        for tap in indices(&filters.window) {
            let place_of = |axis: usize| {
                let p =
                    at[axis] as i64 * strides[axis] + tap[axis] as i64 * dilations[axis] - padding[axis].0;
                (0..out[axis]).contains(&p).then_some(p as usize)
            };
            let Some(to) = (0..spatial).map(place_of).collect::<Option<Vec<_>>>() else { continue };
            for o in 0..filters.outputs {
                let channel = i / (filters.inputs / groups) * filters.outputs + o;
                let sum = &mut sums[place(&formatted(first, n, channel, &to), &shape)];
                sum.add(call, element, filters.at(i, o, &tap));
            }
        }
    }
    if let Some(bias) = call.operand(2) {
        for (p, index) in indices(&shape).enumerate() {
            let channel = if first { index[1] } else { index[spatial + 1] };
            sums[p].add(call, bias.data[channel], Num::Int(1));
        }
    }
    Some(finished(call, shape, &sums))
}
