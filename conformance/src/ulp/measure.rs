//! Computing by a backend, and comparing with the truth.

use super::arguments::Arguments;
use crate::truth::dd::{Dd, gamma_mirrored};
use crate::truth::elementwise::{binary, real};
use crate::truth::num::{Num, round_pair, ulp};
use crate::truth::value::Value;
use ivy_core::backend::BackendRef;
use ivy_core::host::HostArray;
use ivy_core::{Dtype, ErrorKind, Op, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A result without a number for its error: NaN for a number, another sign of zero, infinity for
/// what is far from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    /// The operands.
    pub at: Vec<f64>,
    /// What came out.
    pub got: f64,
    /// The truth, rounded to float64.
    pub want: f64,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// How many arguments were tried.
    pub arguments: u64,
    /// The greatest error in units in the last place of the truth.
    pub worst: f64,
    /// The operands there.
    pub at: Vec<f64>,
    /// What came out there.
    pub got: f64,
    /// The truth there, rounded to float64.
    pub want: f64,
    /// Results that are wrong altogether: how many, and the first.
    pub wrong: (u64, Option<Wrong>),
}

impl Measured {
    fn add(&mut self, other: Measured) {
        self.arguments += other.arguments;
        self.wrong.0 += other.wrong.0;
        if self.wrong.1.is_none() {
            self.wrong.1 = other.wrong.1;
        }
        if other.worst > self.worst || self.at.is_empty() {
            (self.worst, self.at, self.got, self.want) = (other.worst, other.at, other.got, other.want);
        }
    }
}

/// The truth of a function, to more than float64.
fn truth(name: &str, x: &[f64], dtype: Dtype) -> Dd {
    match *x {
        // The pairs' own is of normal numbers.
        [x] if name == "sqrt" && x.abs() < 1e-200 => Dd::from(x).scale(400).sqrt().scale(-200),
        [x] if name == "sqrt" => Dd::from(x).sqrt(),
        [x] => real(name, x).unwrap_or(f64::NAN.into()),
        [x, y] => match binary(name, Num::Float(x), Num::Float(y), dtype) {
            Some(Value::Near { re, .. }) => re,
            _ => f64::NAN.into(),
        },
        _ => f64::NAN.into(),
    }
}

/// The machine's float64 function: exact enough for every float32 there is, and fast.
fn machine(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "acos" => f64::acos,
        "acosh" => f64::acosh,
        "asin" => f64::asin,
        "asinh" => |x| match x.abs() {
            // The machine's form cancels.
            a if a < 1e-2 => x - x.powi(3) / 6.0 + x.powi(5) * 3.0 / 40.0 - x.powi(7) * 15.0 / 336.0,
            a => a.asinh().copysign(x),
        },
        "atan" => f64::atan,
        "atanh" => f64::atanh,
        "cos" => f64::cos,
        "cosh" => f64::cosh,
        "digamma" => digamma,
        "erf" => libm::erf,
        "erfc" => libm::erfc,
        "exp" => f64::exp,
        "expm1" => f64::exp_m1,
        "lgamma" => libm::lgamma,
        "log" => f64::ln,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "log2" => f64::log2,
        "sin" => f64::sin,
        "sinh" => f64::sinh,
        "sqrt" => f64::sqrt,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        _ => return None,
    })
}

/// The digamma function by its recurrence up to 10 and the series in `1 / x^2` beyond, and by the cotangent
/// of negative numbers: to about a part in 10^15, but beside zeros.
fn digamma(x: f64) -> f64 {
    if x < 0.0 {
        let beside = -x - (-x).round();
        let cotangent = std::f64::consts::PI / (std::f64::consts::PI * beside).tan();
        return if beside == 0.0 || x.is_infinite() { f64::NAN } else { digamma(1.0 - x) + cotangent };
    }
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    let (mut x, mut inverses) = (x, 0.0);
    while x < 10.0 {
        inverses += 1.0 / x;
        x += 1.0;
    }
    // The Bernoulli numbers over their indices.
    const TERMS: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    let square = 1.0 / (x * x);
    let series = TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) * square);
    x.ln() - 0.5 / x - series - inverses
}

/// True where the machine's function, which has an error of its own, may be far from the truth in units of
/// float32: the gamma functions cancel beside their zeros.
fn is_vague(name: &str, want: f64) -> bool {
    matches!(name, "digamma" | "lgamma") && want.abs() < 1e-4
}

/// More than the error of the float32 nearest to what the machine says.
const NEAREST: f64 = 0.51;

/// What an error's unit is of: the truth, or what it is the difference of.
fn size(name: &str, x: f64, want: Dd, dtype: Dtype) -> f64 {
    match (name, x) {
        ("digamma" | "lgamma", x)
            if x < 0.0 && x.is_finite() && x.fract() != 0.0 && dtype == Dtype::FLOAT64 =>
        {
            gamma_mirrored(x, name == "lgamma").1.max(want.hi.abs())
        }
        _ => want.hi,
    }
}

/// The error of a result, or `None` if it is wrong altogether.
fn error(got: f64, want: Dd, size: f64, dtype: Dtype) -> Option<f64> {
    if got == want.hi && want.lo == 0.0 && got != 0.0 {
        return Some(0.0);
    }
    if got.is_nan() || want.hi.is_nan() {
        return (got.is_nan() && want.hi.is_nan()).then_some(0.0);
    }
    if want.hi.is_infinite() || want.hi == 0.0 {
        let same = got == want.hi && got.is_sign_negative() == want.hi.is_sign_negative();
        return same.then_some(0.0);
    }
    let unit = ulp(size, dtype);
    if got.is_infinite() {
        // Right where the truth rounds to it.
        let rounded = round_pair(want.hi, want.lo, dtype);
        return (got == rounded).then_some(0.5);
    }
    if got == 0.0 && got.is_sign_negative() != want.hi.is_sign_negative() {
        return None;
    }
    Some((((got - want.hi) - want.lo) / unit).abs())
}

/// Runs a function of one operand or two on a backend, on many arguments of a float dtype, and
/// compares with the truth. `progress` is told the batches done, and all.
///
/// # Errors
/// Those of the backend; an op that is no elementary function of float32 or float64.
pub fn measure(
    backend: &BackendRef,
    op: &Op,
    dtype: Dtype,
    arguments: Arguments,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Measured> {
    let (name, operands) = (op.name(), if matches!(op, Op::Binary(_)) { 2 } else { 1 });
    let known = super::op(name).as_ref() == Some(op);
    if !known || !matches!(dtype, Dtype::FLOAT32 | Dtype::FLOAT64) {
        return Err(refused("function", format!("{name} of {dtype}")));
    }
    if arguments == Arguments::All && dtype != Dtype::FLOAT32 {
        return Err(refused("exhaustive", dtype.to_string()));
    }
    let batches = arguments.batches(operands);
    // What the samples say of all arguments is what the others are held against.
    let first = match (arguments, operands) {
        (Arguments::All, 1) => {
            let samples = measure(backend, op, dtype, Arguments::Samples { seed: 1 }, &|_, _| {})?;
            Measured { arguments: 0, wrong: (0, None), ..samples }
        }
        _ => Measured::default(),
    };
    let (next, found) = (AtomicUsize::new(0), Mutex::new((first, None)));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(batches);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= batches {
                        return;
                    }
                    let given = arguments.batch(number, name, operands, dtype);
                    let found = || found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    let worst = found().0.worst;
                    let result =
                        batch(backend, op, dtype, &given, (arguments == Arguments::All).then_some(worst));
                    let mut found = found();
                    match result {
                        Ok(measured) => found.0.add(measured),
                        Err(error) => {
                            found.1 = Some(error);
                            return;
                        }
                    }
                    progress(number + 1, batches);
                }
            });
        }
    });
    match found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        (_, Some(error)) => Err(error),
        (measured, None) => Ok(measured),
    }
}

fn refused(argument: &'static str, value: String) -> ivy_core::Error {
    let rule = "an elementary function of float32 or float64; every argument of float32 only";
    ErrorKind::InvalidArgument { function: "ulp", argument, value, rule }.into()
}

/// Measures some arguments. With the worst error that is known, the machine's function says which of them the
/// truth is asked about: those that may be worse.
fn batch(
    backend: &BackendRef,
    op: &Op,
    dtype: Dtype,
    given: &[Vec<f64>],
    known: Option<f64>,
) -> Result<Measured> {
    let host = |x: &Vec<f64>| match dtype {
        Dtype::FLOAT32 => HostArray::from_vec(x.iter().map(|&x| x as f32).collect(), [x.len()].into()),
        _ => HostArray::from_vec(x.clone(), [x.len()].into()),
    };
    let host = |x| host(x).expect("as many values as the shape has");
    let values = given.iter().map(|x| backend.from_host(host(x))).collect::<Result<Vec<_>>>()?;
    let operands: Vec<_> = values.iter().collect();
    let result = backend.to_host(&backend.execute(op, &operands)?[0])?;
    let got: Vec<f64> = match dtype {
        Dtype::FLOAT32 => result.to_vec::<f32>()?.into_iter().map(f64::from).collect(),
        _ => result.to_vec::<f64>()?,
    };
    let worst = known.unwrap_or_default();
    let mut measured = Measured { arguments: got.len() as u64, worst, ..Measured::default() };
    let machine = machine(op.name()).filter(|_| known.is_some());
    for (i, &got) in got.iter().enumerate() {
        if let (Some(machine), [x]) = (machine, given) {
            let want = machine(x[i]);
            let near = got == f64::from(want as f32) && got != 0.0;
            let passes = || error(got, want.into(), want, dtype).is_some_and(|error| error <= measured.worst);
            if !is_vague(op.name(), want) && (near && measured.worst > NEAREST || passes()) {
                continue;
            }
        }
        let at = || given.iter().map(|x| x[i]).collect::<Vec<f64>>();
        let want = truth(op.name(), &at(), dtype);
        let size = match given {
            [x] => size(op.name(), x[i], want, dtype),
            _ => want.hi,
        };
        match error(got, want, size, dtype) {
            Some(error) if error > measured.worst || measured.at.is_empty() && known.is_none() => {
                (measured.worst, measured.at) = (error, at());
                (measured.got, measured.want) = (got, want.hi);
            }
            Some(_) => {}
            None => {
                measured.wrong.0 += 1;
                measured.wrong.1.get_or_insert_with(|| Wrong { at: at(), got, want: want.hi });
            }
        }
    }
    Ok(measured)
}
