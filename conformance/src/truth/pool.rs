//! Windows of elements, by their definition.

use super::conv::{channels_first, paddings, per_axis, word};
use super::dd::Dd;
use super::num::{Num, cast, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, indices, place};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let spatial = match call.function {
        "max_pool1d" | "avg_pool1d" | "adaptive_avg_pool1d" => 1,
        "max_pool2d" | "avg_pool2d" | "adaptive_avg_pool2d" | "adaptive_max_pool2d" => 2,
        "max_pool3d" | "avg_pool3d" => 3,
        "sliding_window" => return Some(vec![sliding(call)?]),
        "reduce_window" => return Some(vec![reduced(call)?]),
        _ => return None,
    };
    let truth =
        if call.function.starts_with("adaptive") { adaptive(call, spatial) } else { pooled(call, spatial) };
    Some(vec![truth?])
}

/// The mean of numbers, or their sum by another divisor.
fn mean(g: &[Num], divisor: f64) -> Value {
    let (mut re, mut im, mut mass) = (Dd::from(0.0), Dd::from(0.0), 0.0);
    for x in g {
        (re, im, mass) = (re + x.re().into(), im + x.im().into(), mass + x.magnitude());
    }
    if divisor == 0.0 {
        return Value::real(f64::NAN);
    }
    let d = Dd::from(divisor);
    Value::sum(re / d, im / d, mass / divisor.abs(), g.len() + 1)
}

/// The greatest number, NaN if there is one.
fn greatest(g: &[Num], least: Num) -> Num {
    if let Some(nan) = g.iter().find(|x| x.is_nan()) {
        return *nan;
    }
    g.iter().fold(least, |best, &x| match (best, x) {
        (Num::Int(a), Num::Int(b)) => Num::Int(a.max(b)),
        _ if x.re() > best.re() => x,
        _ => best,
    })
}

fn pooled(call: &Call<'_>, spatial: usize) -> Option<Truth> {
    let x = call.operand(0)?;
    let start = if channels_first(call) { 2 } else { 1 };
    let (kernel, strides) = (per_axis(call, "kernel", spatial), per_axis(call, "strides", spatial));
    let dilations = per_axis(call, "dilation", spatial);
    let lens: Vec<i64> = x.shape[start..start + spatial].iter().map(|&n| n as i64).collect();
    let windows: Vec<i64> = (0..spatial).map(|i| (kernel[i] - 1) * dilations[i] + 1).collect();
    let axes: Vec<_> = (0..spatial).map(|i| (lens[i], windows[i], strides[i])).collect();
    let padding = paddings(call, &axes);
    let mut shape = x.shape.clone();
    for i in 0..spatial {
        let room = lens[i] + padding[i].0 + padding[i].1 - windows[i];
        let mut out = room / strides[i] + 1;
        if call.flag("ceil_mode") && room % strides[i] != 0 && out * strides[i] < lens[i] + padding[i].0 {
            out += 1;
        }
        shape[start + i] = out as usize;
    }
    let least = match call.compute.int_range() {
        Some((least, _)) => Num::Int(least),
        None => Num::Float(f64::NEG_INFINITY),
    };
    let value = |index: Vec<usize>| {
        let (mut inside, mut counted) = (Vec::new(), 0);
        let sizes: Vec<usize> = kernel.iter().map(|&n| n as usize).collect();
        for tap in indices(&sizes) {
            let at =
                |i: usize| index[start + i] as i64 * strides[i] + tap[i] as i64 * dilations[i] - padding[i].0;
            if (0..spatial).all(|i| at(i) < lens[i] + padding[i].1) {
                counted += 1;
            }
            if (0..spatial).all(|i| (0..lens[i]).contains(&at(i))) {
                let mut from = index.clone();
                (0..spatial).for_each(|i| from[start + i] = at(i) as usize);
                inside.push(x.data[place(&from, &x.shape)]);
            }
        }
        if call.function.starts_with("max") {
            return Value::Exact(greatest(&inside, least));
        }
        let count = if call.flag("count_include_pad") { counted } else { inside.len() };
        mean(&inside, call.int("divisor_override").map_or(count as f64, |n| n as f64))
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn adaptive(call: &Call<'_>, spatial: usize) -> Option<Truth> {
    let x = call.operand(0)?;
    let batch = x.shape.len() - spatial - 1;
    // Ivy's defaults: channels last for means over two axes alone.
    let first = match call.word("data_format") {
        Some(_) => channels_first(call),
        None => call.function != "adaptive_avg_pool2d",
    };
    let start = if first { batch + 1 } else { batch };
    let sizes = per_axis(call, "output_size", spatial);
    let mut shape = x.shape.clone();
    (0..spatial).for_each(|i| shape[start + i] = sizes[i] as usize);
    let value = |index: Vec<usize>| {
        let bounds: Vec<(usize, usize)> = (0..spatial)
            .map(|i| {
                let (n, out, at) = (x.shape[start + i], shape[start + i], index[start + i]);
                (at * n / out, ((at + 1) * n).div_ceil(out))
            })
            .collect();
        let lens: Vec<usize> = bounds.iter().map(|b| b.1 - b.0).collect();
        let element = |tap: Vec<usize>| {
            let mut from = index.clone();
            (0..spatial).for_each(|i| from[start + i] = bounds[i].0 + tap[i]);
            x.data[place(&from, &x.shape)]
        };
        let inside: Vec<Num> = indices(&lens).map(element).collect();
        match call.function.starts_with("adaptive_max") {
            true => Value::Exact(greatest(&inside, inside[0])),
            false => mean(&inside, inside.len() as f64),
        }
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

/// What stands at a place that counts from an axis' first element, with `dilation` between neighbours.
fn element(x: &Tensor, at: &[i64], dilations: &[i64]) -> Option<Num> {
    let index: Option<Vec<usize>> = (0..at.len())
        .map(|i| {
            let (p, d) = (at[i], dilations[i]);
            (p >= 0 && p % d == 0 && p / d < x.shape[i] as i64).then_some((p / d) as usize)
        })
        .collect();
    index.map(|index| x.data[place(&index, &x.shape)])
}

/// The shape of all windows, and the elements of each; `None` for what stands around and between them.
fn windows(call: &Call<'_>, x: &Tensor, names: [&str; 3]) -> (Vec<usize>, Vec<Vec<Option<Num>>>) {
    let n = x.shape.len();
    let [sizes, strides, dilations] = names.map(|name| per_axis(call, name, n));
    let between = per_axis(call, "base_dilation", n);
    let spread = |n: i64, d: i64| if n == 0 { 0 } else { (n - 1) * d + 1 };
    let axes: Vec<(i64, i64, i64)> = (0..n)
        .map(|i| (spread(x.shape[i] as i64, between[i]), spread(sizes[i], dilations[i]), strides[i]))
        .collect();
    let padding = paddings(call, &axes);
    let out: Vec<usize> = (0..n)
        .map(|i| ((axes[i].0 + padding[i].0 + padding[i].1 - axes[i].1) / strides[i] + 1) as usize)
        .collect();
    let taps: Vec<usize> = sizes.iter().map(|&n| n as usize).collect();
    let of = |index: Vec<usize>| {
        let one = |tap: Vec<usize>| {
            let at: Vec<i64> = (0..n)
                .map(|i| index[i] as i64 * strides[i] + tap[i] as i64 * dilations[i] - padding[i].0)
                .collect();
            element(x, &at, &between)
        };
        indices(&taps).map(one).collect()
    };
    let all = indices(&out).map(of).collect();
    (out, all)
}

fn sliding(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let (mut shape, all) = windows(call, &x, ["kernel_size", "stride", "dilation"]);
    shape.push(per_axis(call, "kernel_size", x.shape.len()).iter().product::<i64>() as usize);
    let zero = cast(Num::Int(0), call.compute);
    Some(call.exact(shape, all.into_iter().flatten().map(|x| x.unwrap_or(zero)).collect()))
}

fn reduced(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let initial = cast(call.given(1)?.data[0], call.compute);
    let (shape, all) = windows(call, &x, ["window_dimensions", "window_strides", "window_dilation"]);
    let value = |window: Vec<Option<Num>>| {
        let g: Vec<Num> = window.into_iter().map(|x| x.unwrap_or(initial)).chain([initial]).collect();
        let dtype = call.compute;
        match (word(call, "computation"), dtype) {
            ("max" | "add", d) if d.is_bool() => Value::truth(g.iter().any(|x| x.truth())),
            (_, d) if d.is_bool() => Value::truth(g.iter().all(|x| x.truth())),
            ("max", _) => Value::Exact(greatest(&g, g[0])),
            ("min", _) => Value::Exact(g.iter().fold(g[0], |a, &b| match (a, b) {
                (Num::Int(a), Num::Int(b)) => Num::Int(a.min(b)),
                _ if b.re() < a.re() => b,
                _ => a,
            })),
            ("multiply", d) if d.is_int() => {
                Value::int(g.iter().fold(1, |p, x| wrap(p.wrapping_mul(x.int()), d)))
            }
            (_, d) if d.is_int() => Value::int(wrap(g.iter().map(|x| x.int()).sum(), d)),
            ("multiply", _) => {
                let one = (Dd::from(1.0), Dd::from(0.0));
                let (re, im) = g.iter().fold(one, |(re, im), x| {
                    let (a, b) = (Dd::from(x.re()), Dd::from(x.im()));
                    (re * a - im * b, re * b + im * a)
                });
                Value::sum(re, im, re.hi.hypot(im.hi), g.len())
            }
            _ => mean(&g, 1.0),
        }
    };
    let data = all.into_iter().map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}
