//! Single elements: reading them from memory, and writing them in the format of their array.

use super::{
    PrintOptions, Sign,
    digits::Trim,
    float::{self, FloatFormat},
};
use crate::{Dtype, Kind, Scalar, host::HostArray};
use num_complex::Complex64;

/// An element of any dtype; floats are exact in float64.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl Number {
    /// The element as a host number.
    pub fn scalar(self) -> Scalar {
        match self {
            Number::Bool(b) => Scalar::Bool(b),
            Number::Int(i) => Scalar::Int(i),
            Number::Float(x) => Scalar::Float(x),
            Number::Complex(x, y) => Scalar::Complex(Complex64::new(x, y)),
        }
    }
}

/// The elements of an array by their offset from the first.
pub(super) struct Elements<'a> {
    bytes: &'a [u8],
    first: isize,
    dtype: Dtype,
}

impl<'a> Elements<'a> {
    pub fn new(array: &'a HostArray) -> Elements<'a> {
        Elements { bytes: array.buffer().bytes(), first: array.offset() as isize, dtype: array.dtype() }
    }

    pub fn at(&self, offset: isize) -> Number {
        let width = self.dtype.bytes();
        let at = (self.first + offset) as usize * width;
        let bytes = &self.bytes[at..at + width];
        let real = self.dtype.real_part();
        match self.dtype.kind() {
            Kind::Bool => Number::Bool(bytes[0] != 0),
            Kind::Int | Kind::Uint => Number::Int(int(bytes, self.dtype)),
            Kind::Float => Number::Float(float(bytes, real)),
            Kind::Complex => {
                let (re, im) = bytes.split_at(width / 2);
                Number::Complex(float(re, real), float(im, real))
            }
        }
    }
}

fn native<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(bytes);
    out
}

fn int(bytes: &[u8], dtype: Dtype) -> i128 {
    match (dtype.is_uint(), bytes.len()) {
        (false, 1) => i8::from_ne_bytes(native(bytes)).into(),
        (false, 2) => i16::from_ne_bytes(native(bytes)).into(),
        (false, 4) => i32::from_ne_bytes(native(bytes)).into(),
        (false, _) => i64::from_ne_bytes(native(bytes)).into(),
        (true, 1) => bytes[0].into(),
        (true, 2) => u16::from_ne_bytes(native(bytes)).into(),
        (true, 4) => u32::from_ne_bytes(native(bytes)).into(),
        (true, _) => u64::from_ne_bytes(native(bytes)).into(),
    }
}

fn float(bytes: &[u8], dtype: Dtype) -> f64 {
    match bytes.len() {
        8 => f64::from_ne_bytes(native(bytes)),
        4 => f32::from_ne_bytes(native(bytes)).into(),
        2 => narrow(u16::from_ne_bytes(native(bytes)), dtype),
        _ => narrow(bytes[0].into(), dtype),
    }
}

/// The value of a float of at most 16 bits, by the fields of its dtype's row.
fn narrow(bits: u16, dtype: Dtype) -> f64 {
    let row = dtype.row();
    let (exponent_bits, mantissa_bits) = (u32::from(row.exponent_bits), u32::from(row.mantissa_bits));
    let mantissa = i32::from(bits) & ((1 << mantissa_bits) - 1);
    let highest = (1 << exponent_bits) - 1;
    let exponent = i32::from(bits >> mantissa_bits) & highest;
    let magnitude = if exponent == highest {
        if mantissa == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let hidden = if exponent > 0 { 1 << mantissa_bits } else { 0 };
        f64::from(hidden + mantissa) * 2f64.powi(exponent.max(1) - highest / 2 - mantissa_bits as i32)
    };
    if bits >> (exponent_bits + mantissa_bits) & 1 == 1 { -magnitude } else { magnitude }
}

/// How the elements of one array are written, all of one width.
pub(super) enum Formatter {
    /// Bools.
    Plain {
        dtype: Dtype,
        width: usize,
    },
    Int {
        sign: Sign,
        width: usize,
    },
    Float(FloatFormat),
    Complex(FloatFormat, FloatFormat),
}

impl Formatter {
    /// The format for all the elements that will be shown.
    pub fn new(shown: &[Number], dtype: Dtype, zero_d: bool, options: &PrintOptions) -> Formatter {
        let real = dtype.real_part();
        let parts = |part: fn(&Number) -> f64| shown.iter().map(part).collect::<Vec<_>>();
        match dtype.kind() {
            Kind::Bool => Formatter::Plain { dtype, width: if zero_d { 0 } else { "False".len() } },
            Kind::Int | Kind::Uint => {
                let ints: Vec<i128> = shown.iter().map(|&n| n.scalar().to_i128()).collect();
                let (least, most) = (ints.iter().min().unwrap_or(&0), ints.iter().max().unwrap_or(&0));
                let sign = if options.sign == Sign::Space && *least < 0 { Sign::Minus } else { options.sign };
                let signed = usize::from(*most >= 0 && sign != Sign::Minus);
                let width = (most.to_string().len() + signed).max(least.to_string().len());
                Formatter::Int { sign, width }
            }
            Kind::Float => Formatter::Float(FloatFormat::new(&parts(re), real, options.sign, options)),
            Kind::Complex => Formatter::Complex(
                FloatFormat::new(&parts(re), real, options.sign, options),
                FloatFormat::new(&parts(im), real, Sign::Plus, options),
            ),
        }
    }

    /// An element, padded.
    pub fn write(&self, number: Number) -> String {
        match self {
            Formatter::Plain { dtype, width } => format!("{:>width$}", scalar(number, *dtype)),
            Formatter::Int { sign, width } => {
                let value = number.scalar().to_i128();
                let text = match sign {
                    Sign::Plus => format!("{value:+}"),
                    Sign::Space if value >= 0 => format!(" {value}"),
                    _ => value.to_string(),
                };
                format!("{text:>width$}")
            }
            Formatter::Float(format) => format.write(re(&number)),
            Formatter::Complex(real, imaginary) => {
                let text = imaginary.write(im(&number));
                let digits = text.trim_end();
                format!("{}{digits}j{}", real.write(re(&number)), &text[digits.len()..])
            }
        }
    }
}

/// An element by itself, as Python writes such a number.
pub(super) fn scalar(number: Number, dtype: Dtype) -> String {
    let real = dtype.real_part();
    match number {
        Number::Bool(b) => (if b { "True" } else { "False" }).into(),
        Number::Int(i) => i.to_string(),
        Number::Float(x) => float::scalar(x, real, Trim::Zero, false),
        Number::Complex(x, y) if x == 0.0 && x.is_sign_positive() => {
            float::scalar(y, real, Trim::All, false) + "j"
        }
        Number::Complex(x, y) => {
            let (x, y) = (float::scalar(x, real, Trim::All, false), float::scalar(y, real, Trim::All, true));
            format!("({x}{y}j)")
        }
    }
}

fn re(number: &Number) -> f64 {
    match *number {
        Number::Float(x) | Number::Complex(x, _) => x,
        Number::Bool(b) => f64::from(u8::from(b)),
        Number::Int(i) => i as f64,
    }
}

fn im(number: &Number) -> f64 {
    if let Number::Complex(_, y) = *number { y } else { 0.0 }
}
