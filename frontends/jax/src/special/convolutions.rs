//! Convolutions by dimension numbers: the arrays are brought to the core's order of axes, and the result back.

use super::support::{Out, core, dtype, ints, shape};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value, kw};

/// The axes of images, kernels and results, as texts: `NCHW`, `OIHW`, `NCHW`.
struct Numbers {
    lhs: Vec<char>,
    rhs: Vec<char>,
    out: Vec<char>,
}

impl Numbers {
    /// Those given, else the channels before the spatial axes.
    fn new(call: &Call<'_>, given: &Value<'_>, ndim: usize) -> Result<Numbers> {
        let spatial: String = ('0'..='9').take(ndim.saturating_sub(2)).collect();
        let numbers = match given.items() {
            None if given.is_none() => {
                let both: Vec<char> = format!("NC{spatial}").chars().collect();
                Numbers { lhs: both.clone(), rhs: format!("OI{spatial}").chars().collect(), out: both }
            }
            Some([Value::Text(lhs), Value::Text(rhs), Value::Text(out)]) => {
                Numbers { lhs: lhs.chars().collect(), rhs: rhs.chars().collect(), out: out.chars().collect() }
            }
            _ => {
                let rule = "three texts are needed, such as ('NHWC', 'HWIO', 'NHWC')";
                return Err(call.refuse(Fault::Type, "dimension_numbers", Some(given), rule));
            }
        };
        let fits = [&numbers.lhs, &numbers.rhs, &numbers.out].iter().all(|text| text.len() == ndim);
        let holds = |text: &[char], marks: [char; 2]| marks.iter().all(|m| text.contains(m));
        let named = holds(&numbers.lhs, ['N', 'C'])
            && holds(&numbers.rhs, ['O', 'I'])
            && holds(&numbers.out, ['N', 'C']);
        if !fits
            || !named
            || !numbers.spatial().iter().all(|s| numbers.lhs.contains(s) && numbers.out.contains(s))
        {
            let rule = "each text names its axes once";
            return Err(call.refuse(Fault::Value, "dimension_numbers", Some(given), rule));
        }
        Ok(numbers)
    }

    /// The spatial axes, in the order of the kernel.
    fn spatial(&self) -> Vec<char> {
        self.rhs.iter().copied().filter(|c| !matches!(c, 'O' | 'I')).collect()
    }

    /// The axes of a text in the order: the first mark, the spatial axes, the last mark.
    fn order(&self, text: &[char], first: &[char], last: &[char]) -> Vec<usize> {
        let wanted = first.iter().copied().chain(self.spatial()).chain(last.iter().copied());
        wanted.filter_map(|mark| text.iter().position(|&c| c == mark)).collect()
    }
}

/// What is added before and after an axis, by the name of a rule; the smaller part stands before it for `SAME`.
fn padding(
    call: &Call<'_>,
    name: &str,
    lengths: &[i64],
    windows: &[i64],
    strides: &[i64],
) -> Result<Vec<[i64; 2]>> {
    let missing = |i: usize| {
        let count = (lengths[i] + strides[i] - 1) / strides[i];
        ((count - 1) * strides[i] + windows[i] - lengths[i]).max(0)
    };
    let all = 0..lengths.len();
    Ok(match name.to_ascii_uppercase().as_str() {
        "VALID" => all.map(|_| [0, 0]).collect(),
        "SAME" => all.map(|i| [missing(i) / 2, missing(i) - missing(i) / 2]).collect(),
        "SAME_LOWER" => all.map(|i| [missing(i) - missing(i) / 2, missing(i) / 2]).collect(),
        _ => {
            let rule = "'SAME', 'SAME_LOWER', 'VALID' or pairs are needed";
            return Err(call.refuse(Fault::Value, "padding", None, rule));
        }
    })
}

/// Pairs of numbers.
fn pairs(call: &Call<'_>, value: &Value<'_>) -> Result<Vec<[i64; 2]>> {
    let wrong = || {
        call.refuse(Fault::Type, "padding", Some(value), "a pair of numbers for each spatial axis is needed")
    };
    let pair = |v: &Value<'_>| {
        let numbers: Vec<i64> =
            v.items()?.iter().filter_map(Value::as_scalar).map(|s| s.to_i128() as i64).collect();
        <[i64; 2]>::try_from(numbers).ok()
    };
    value.items().ok_or_else(wrong)?.iter().map(|v| pair(v).ok_or_else(wrong)).collect()
}

fn ones_or(call: &Call<'_>, i: usize, count: usize) -> Result<Vec<i64>> {
    let given = call.ints(i)?.unwrap_or_else(|| vec![1; count]);
    let fits = given.len() == count && given.iter().all(|n| (1..=i64::from(i32::MAX)).contains(n));
    if !fits {
        let rule = "a positive number for each spatial axis is needed";
        return Err(call.refuse(Fault::Type, call.name(i), Some(call.value(i)), rule));
    }
    Ok(given)
}

/// The operands, in the dtype that is asked for.
fn operands(call: &Call<'_>, preferred: usize) -> Result<(Value<'static>, Value<'static>)> {
    let (lhs, rhs) = (call.array(0)?, call.array(1)?);
    if lhs.dtype() != rhs.dtype() {
        let rule = format!("arguments of one dtype are needed, got {}, {}", lhs.dtype(), rhs.dtype());
        return Err(call.refuse(Fault::Type, "rhs", None, rule));
    }
    if lhs.ndim() != rhs.ndim() || lhs.ndim() < 2 {
        return Err(call.refuse(Fault::Type, "rhs", None, "operands of one rank are needed"));
    }
    match call.dtype(preferred)? {
        None => Ok((lhs.into(), rhs.into())),
        Some(to) => Ok((core!(call, "astype", &lhs, to)?, core!(call, "astype", &rhs, to)?)),
    }
}

/// `convolution(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count,
/// batch_group_count, preferred_element_type)`
pub(crate) fn convolution(call: &mut Call<'_>) -> Out {
    let (lhs, rhs) = operands(call, 9)?;
    let ndim = shape(call, &lhs)?.len();
    let numbers = Numbers::new(call, call.value(6), ndim)?;
    if call.int(8)? != 1 {
        return Err(call.refuse(Fault::Missing, "batch_group_count", Some(call.value(8)), "only 1 is there"));
    }
    let (strides, widened) = (ones_or(call, 2, ndim - 2)?, ones_or(call, 4, ndim - 2)?);
    let dilations = ones_or(call, 5, ndim - 2)?;
    let lhs = core!(call, "permute_dims", &lhs, ints(numbers.order(&numbers.lhs, &['N'], &['C'])))?;
    let rhs = core!(call, "permute_dims", &rhs, ints(numbers.order(&numbers.rhs, &[], &['I', 'O'])))?;
    let (lengths, kernel) = (shape(call, &lhs)?, shape(call, &rhs)?);
    let windows: Vec<i64> = (0..ndim - 2).map(|i| (kernel[i] - 1) * dilations[i] + 1).collect();
    let pads = match call.value(3) {
        Value::Text(_) if widened.iter().any(|&d| d > 1) => {
            let rule =
                "a text is not there for transposed convolutions: give the pairs, or call conv_transpose";
            return Err(call.refuse(Fault::Value, "padding", Some(call.value(3)), rule));
        }
        Value::Text(name) => padding(call, name, &lengths[1..ndim - 1], &windows, &strides)?,
        given => pairs(call, given)?,
    };
    let groups = call.int(7)?;
    if lengths[ndim - 1] != kernel[ndim - 2] * groups {
        let rule = format!(
            "{} features are not {groups} times the kernel's {}",
            lengths[ndim - 1],
            kernel[ndim - 2]
        );
        return Err(call.refuse(Fault::Value, "rhs", Some(&rhs), rule));
    }
    let out = run(call, lhs, &rhs, &Shifts { strides, pads, widened, dilations, groups })?;
    back(call, &numbers, &out)
}

/// How a kernel moves.
struct Shifts {
    strides: Vec<i64>,
    pads: Vec<[i64; 2]>,
    widened: Vec<i64>,
    dilations: Vec<i64>,
    groups: i64,
}

/// The convolution of arrays in the core's order: the image is widened and padded first, with zeros.
fn run(call: &Call<'_>, lhs: Value<'static>, rhs: &Value<'_>, by: &Shifts) -> Out {
    let count = by.pads.len();
    let config = |i: usize| match i.checked_sub(1).filter(|&s| s < count) {
        Some(s) => ints([by.pads[s][0], by.pads[s][1], by.widened[s] - 1]),
        None => ints([0i64, 0, 0]),
    };
    let own: Dtype = dtype(call, &lhs)?;
    let zero = core!(call, "zeros", Value::Tuple(Vec::new()); dtype: own)?;
    let config = Value::Tuple((0..count + 2).map(config).collect());
    let padded = call.row("lax.pad", &[lhs, zero, config], kw! {})?;
    let keywords = kw! {
        dims: count,
        feature_group_count: by.groups,
        dilations: ints(by.dilations.clone()),
    };
    let strides = ints(by.strides.clone());
    call.core("conv_general_dilated", &[padded, rhs.borrowed(), strides, Value::from("VALID")], keywords)
}

/// A result of the core's order with its axes where the numbers have them.
fn back(call: &Call<'_>, numbers: &Numbers, out: &Value<'_>) -> Out {
    let order = numbers.order(&numbers.out, &['N'], &['C']);
    let mut places = vec![0usize; order.len()];
    for (from, &to) in order.iter().enumerate() {
        places[to] = from;
    }
    core!(call, "permute_dims", out, ints(places))
}

/// `conv_transpose(lhs, rhs, strides, padding, rhs_dilation, dimension_numbers, transpose_kernel,
/// preferred_element_type)`: the convolution of an image that is widened by the strides.
pub(crate) fn conv_transpose(call: &mut Call<'_>) -> Out {
    let (lhs, rhs) = operands(call, 7)?;
    let ndim = shape(call, &lhs)?.len();
    let spatial: String = ('0'..='9').take(ndim - 2).collect();
    let default = Value::from((format!("N{spatial}C"), format!("{spatial}IO"), format!("N{spatial}C")));
    let given = if call.value(5).is_none() { default } else { call.value(5).clone().into_owned() };
    let numbers = Numbers::new(call, &given, ndim)?;
    let (strides, dilations) = (ones_or(call, 2, ndim - 2)?, ones_or(call, 4, ndim - 2)?);
    let lhs = core!(call, "permute_dims", &lhs, ints(numbers.order(&numbers.lhs, &['N'], &['C'])))?;
    let mut rhs = core!(call, "permute_dims", &rhs, ints(numbers.order(&numbers.rhs, &[], &['I', 'O'])))?;
    if call.flag(6)? {
        rhs = core!(call, "flip", &rhs; axis: ints(0..ndim - 2))?;
        rhs = core!(call, "swapaxes", &rhs, -1, -2)?;
    }
    let kernel = shape(call, &rhs)?;
    let rule = |i: usize, same: bool| {
        let (k, s) = ((kernel[i] - 1) * dilations[i] + 1, strides[i]);
        let total = if same { k + s - 2 } else { k + s - 2 + (k - s).max(0) };
        let before = if same && s < k { (total + 1) / 2 } else { k - 1 };
        [before, total - before]
    };
    let pads = match call.value(3).as_text() {
        Some("SAME") => (0..ndim - 2).map(|i| rule(i, true)).collect(),
        Some("VALID") => (0..ndim - 2).map(|i| rule(i, false)).collect(),
        _ => pairs(call, call.value(3))?,
    };
    let by = Shifts { strides: vec![1; ndim - 2], pads, widened: strides, dilations, groups: 1 };
    let out = run(call, lhs, &rhs, &by)?;
    back(call, &numbers, &out)
}
