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
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Measured::default(), None)));
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
                    let result = batch(backend, op, dtype, &given, arguments == Arguments::All);
                    let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
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

fn batch(backend: &BackendRef, op: &Op, dtype: Dtype, given: &[Vec<f64>], fast: bool) -> Result<Measured> {
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
    let mut measured = Measured { arguments: got.len() as u64, ..Measured::default() };
    let machine = machine(op.name()).filter(|_| fast);
    for (i, &got) in got.iter().enumerate() {
        let want = match (machine, given) {
            (Some(f), [x]) => f(x[i]).into(),
            (_, [x]) => truth(op.name(), &[x[i]], dtype),
            (_, all) => truth(op.name(), &[all[0][i], all[1][i]], dtype),
        };
        let at = || given.iter().map(|x| x[i]).collect::<Vec<f64>>();
        let size = match given {
            [x] => size(op.name(), x[i], want, dtype),
            _ => want.hi,
        };
        match error(got, want, size, dtype) {
            Some(error) if error > measured.worst || measured.at.is_empty() => {
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
