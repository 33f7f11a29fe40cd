//! Host numbers and the conversions between dtypes, as the decisions state them: one rounding
//! (S21), saturation (S17), wrapping. Slow, and independent of the library's own casts.

use half::{bf16, f16};
use ivy_core::host::{Element, HostArray};
use ivy_core::{Dtype, Kind, Shape, finfo};
use num_complex::{Complex, Complex64};

/// One element, held exactly whatever its dtype.
#[derive(Clone, Copy, Debug)]
pub enum Num {
    /// A truth value.
    Bool(bool),
    /// An integer of any width.
    Int(i128),
    /// A real float of any width.
    Float(f64),
    /// A complex number of any width.
    Complex(f64, f64),
}

impl Num {
    /// The real part, rounded to float64.
    pub fn re(self) -> f64 {
        match self {
            Num::Bool(b) => f64::from(u8::from(b)),
            Num::Int(i) => i as f64,
            Num::Float(x) | Num::Complex(x, _) => x,
        }
    }

    /// The imaginary part.
    pub fn im(self) -> f64 {
        match self {
            Num::Complex(_, y) => y,
            _ => 0.0,
        }
    }

    /// The absolute value, by which rounding errors are measured; of a complex number with a part that is NaN, that of the other part: it is
    /// computed by itself in sums.
    pub fn magnitude(self) -> f64 {
        let norm = self.re().hypot(self.im());
        if norm.is_nan() { self.re().abs().max(self.im().abs()) } else { norm }
    }

    /// The integer value; floats truncate and saturate, NaN is 0.
    pub fn int(self) -> i128 {
        match self {
            Num::Bool(b) => i128::from(b),
            Num::Int(i) => i,
            Num::Float(x) | Num::Complex(x, _) => x as i128,
        }
    }

    /// True unless zero.
    pub fn truth(self) -> bool {
        match self {
            Num::Bool(b) => b,
            Num::Int(i) => i != 0,
            Num::Float(x) => x != 0.0,
            Num::Complex(x, y) => x != 0.0 || y != 0.0,
        }
    }

    /// True if a part is NaN.
    pub fn is_nan(self) -> bool {
        self.re().is_nan() || self.im().is_nan()
    }

    /// True if both parts are finite.
    pub fn is_finite(self) -> bool {
        self.re().is_finite() && self.im().is_finite()
    }
}

/// A float64 rounded once to a narrower float dtype: to nearest, ties to even, subnormals kept.
pub fn round_float(x: f64, dtype: Dtype) -> f64 {
    let info = finfo(dtype).expect("a float dtype");
    if info.bits == 64 || x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let least = info.smallest_normal.log2() as i32;
    // The spacing of the dtype's values around x; scaling by a power of two is exact.
    let digits = -(info.eps.log2() as i32);
    let shift = digits - exponent.max(least);
    // x is no float64 subnormal where it matters: those are zero in every narrower dtype.
    let scaled =
        if shift > 1000 { x * 2f64.powi(1000) * 2f64.powi(shift - 1000) } else { x * 2f64.powi(shift) };
    let rounded = scaled.round_ties_even() * 2f64.powi(-shift);
    if rounded.abs() > info.max { f64::INFINITY.copysign(x) } else { rounded }
}

/// `hi + lo`, where `lo` is less than half a unit of `hi`, rounded once.
pub fn round_pair(hi: f64, lo: f64, dtype: Dtype) -> f64 {
    let odd = hi.to_bits() & 1 == 1;
    if dtype.real_part() == Dtype::FLOAT64 || lo == 0.0 || odd || !hi.is_finite() || hi == 0.0 {
        return round_float(hi, dtype.real_part());
    }
    // Rounding to odd first makes the second rounding see that there is something left.
    let outwards = (lo > 0.0) == (hi > 0.0);
    let bits = if outwards { hi.to_bits() + 1 } else { hi.to_bits() - 1 };
    round_float(f64::from_bits(bits), dtype.real_part())
}

/// An integer rounded once to a float dtype.
pub fn round_int(i: i128, dtype: Dtype) -> f64 {
    let hi = i as f64;
    round_pair(hi, (i - hi as i128) as f64, dtype)
}

/// An integer wrapped to a dtype's range.
pub fn wrap(i: i128, dtype: Dtype) -> i128 {
    let bits = dtype.bits() as u32;
    let low = i & ((1i128 << bits) - 1);
    if dtype.kind() == Kind::Int && low >> (bits - 1) == 1 { low - (1i128 << bits) } else { low }
}

/// A conversion between dtypes (decisions S17, S21, S35).
pub fn cast(x: Num, to: Dtype) -> Num {
    match to.kind() {
        Kind::Bool => Num::Bool(x.truth()),
        Kind::Int | Kind::Uint => match x {
            Num::Bool(_) | Num::Int(_) => Num::Int(wrap(x.int(), to)),
            Num::Float(_) | Num::Complex(..) => {
                let (min, max) = to.int_range().expect("an integer dtype");
                Num::Int(x.int().clamp(min, max))
            }
        },
        Kind::Float => Num::Float(cast_real(x, to)),
        Kind::Complex => Num::Complex(cast_real(x, to.real_part()), round_float(x.im(), to.real_part())),
    }
}

fn cast_real(x: Num, to: Dtype) -> f64 {
    match x {
        Num::Int(i) => round_int(i, to),
        other => round_float(other.re(), to),
    }
}

/// The distance between neighbouring values of a float dtype around `x` (of each part).
pub fn ulp(x: f64, dtype: Dtype) -> f64 {
    let info = finfo(dtype).expect("a float dtype");
    let x = x.abs().min(info.max);
    if x < info.smallest_normal {
        return info.smallest_normal * info.eps;
    }
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    2f64.powi(exponent) * info.eps
}

/// An array of host numbers, in row-major order.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The dtype that the numbers belong to.
    pub dtype: Dtype,
    /// The lengths of the axes.
    pub shape: Vec<usize>,
    /// The elements.
    pub data: Vec<Num>,
}

impl Tensor {
    /// An array; the values are cast to the dtype.
    pub fn new(dtype: Dtype, shape: &[usize], data: impl IntoIterator<Item = Num>) -> Tensor {
        let data: Vec<Num> = data.into_iter().map(|x| cast(x, dtype)).collect();
        assert_eq!(data.len(), shape.iter().product::<usize>());
        Tensor { dtype, shape: shape.to_vec(), data }
    }

    /// The same with every element cast.
    pub fn cast(&self, to: Dtype) -> Tensor {
        if self.dtype == to {
            return self.clone();
        }
        Tensor::new(to, &self.shape, self.data.iter().copied())
    }

    /// Contiguous host memory with the elements.
    pub fn to_host(&self) -> HostArray {
        fn of<T: Element>(t: &Tensor, f: impl Fn(Num) -> T) -> HostArray {
            let values: Vec<T> = t.data.iter().map(|&x| f(x)).collect();
            HostArray::from_vec(values, Shape::from(t.shape.as_slice()))
                .expect("as many values as the shape has")
        }
        match self.dtype {
            Dtype::BOOL => of(self, Num::truth),
            Dtype::INT8 => of(self, |x| x.int() as i8),
            Dtype::INT16 => of(self, |x| x.int() as i16),
            Dtype::INT32 => of(self, |x| x.int() as i32),
            Dtype::INT64 => of(self, |x| x.int() as i64),
            Dtype::UINT8 => of(self, |x| x.int() as u8),
            Dtype::UINT16 => of(self, |x| x.int() as u16),
            Dtype::UINT32 => of(self, |x| x.int() as u32),
            Dtype::UINT64 => of(self, |x| x.int() as u64),
            Dtype::BFLOAT16 => of(self, |x| bf16::from_f64(x.re())),
            Dtype::FLOAT16 => of(self, |x| f16::from_f64(x.re())),
            Dtype::FLOAT32 => of(self, |x| x.re() as f32),
            Dtype::FLOAT64 => of(self, Num::re),
            Dtype::COMPLEX64 => of(self, |x| Complex::new(x.re() as f32, x.im() as f32)),
            Dtype::COMPLEX128 => of(self, |x| Complex64::new(x.re(), x.im())),
            other => unreachable!("no host numbers of {other}"),
        }
    }

    /// The elements of host memory, or `None` for a dtype without host numbers.
    pub fn from_host(host: &HostArray) -> Option<Tensor> {
        macro_rules! numbers {
            ($t:ty, $x:ident => $num:expr) => {
                host.to_vec::<$t>().ok()?.into_iter().map(|$x| $num).collect()
            };
        }
        let data: Vec<Num> = match host.dtype() {
            Dtype::BOOL => numbers!(bool, x => Num::Bool(x)),
            Dtype::INT8 => numbers!(i8, x => Num::Int(x.into())),
            Dtype::INT16 => numbers!(i16, x => Num::Int(x.into())),
            Dtype::INT32 => numbers!(i32, x => Num::Int(x.into())),
            Dtype::INT64 => numbers!(i64, x => Num::Int(x.into())),
            Dtype::UINT8 => numbers!(u8, x => Num::Int(x.into())),
            Dtype::UINT16 => numbers!(u16, x => Num::Int(x.into())),
            Dtype::UINT32 => numbers!(u32, x => Num::Int(x.into())),
            Dtype::UINT64 => numbers!(u64, x => Num::Int(x.into())),
            Dtype::BFLOAT16 => numbers!(bf16, x => Num::Float(x.to_f64())),
            Dtype::FLOAT16 => numbers!(f16, x => Num::Float(x.to_f64())),
            Dtype::FLOAT32 => numbers!(f32, x => Num::Float(x.into())),
            Dtype::FLOAT64 => numbers!(f64, x => Num::Float(x)),
            Dtype::COMPLEX64 => numbers!(Complex<f32>, x => Num::Complex(x.re.into(), x.im.into())),
            Dtype::COMPLEX128 => numbers!(Complex64, x => Num::Complex(x.re, x.im)),
            _ => return None,
        };
        Some(Tensor { dtype: host.dtype(), shape: host.shape().to_vec(), data })
    }
}
