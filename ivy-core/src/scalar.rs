//! Host scalars: the values that a program writes down.

use crate::Dtype;
use num_complex::Complex64;
use std::{fmt, hash};

/// Hands the types of host scalars, all of which are `Into<Scalar>`, to a macro of impls.
macro_rules! for_each_host_scalar {
    ($impls:ident) => {
        $impls! {
            $crate::Scalar,
            bool,
            i8, i16, i32, i64, i128, isize,
            u8, u16, u32, u64, usize,
            f32, f64, half::f16, half::bf16,
            num_complex::Complex32, num_complex::Complex64,
        }
    };
}
pub(crate) use for_each_host_scalar;

/// The kind of a host scalar, weaker than any dtype of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarKind {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
    /// A real number.
    Float,
    /// A complex number.
    Complex,
}

impl fmt::Display for ScalarKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ScalarKind::Bool => "bool",
            ScalarKind::Int => "int",
            ScalarKind::Float => "float",
            ScalarKind::Complex => "complex",
        })
    }
}

/// A host scalar. It has a kind and no width: the array beside it decides the dtype.
///
/// Equality and hashing are by bits, so that a scalar can be part of an [`crate::Op`].
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// An integer of any dtype's range.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number.
    Complex(Complex64),
}

impl Scalar {
    /// The kind.
    pub const fn kind(self) -> ScalarKind {
        match self {
            Scalar::Bool(_) => ScalarKind::Bool,
            Scalar::Int(_) => ScalarKind::Int,
            Scalar::Float(_) => ScalarKind::Float,
            Scalar::Complex(_) => ScalarKind::Complex,
        }
    }

    /// The value as a complex number; integers round to the nearest float64.
    pub fn to_complex(self) -> Complex64 {
        match self {
            Scalar::Complex(z) => z,
            other => Complex64::new(other.to_f64(), 0.0),
        }
    }

    /// The real part as float64; integers round to nearest.
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Int(i) => i as f64,
            Scalar::Float(x) => x,
            Scalar::Complex(z) => z.re,
        }
    }

    /// The value as an integer: a float truncates and saturates, NaN gives 0 (decision S17).
    pub fn to_i128(self) -> i128 {
        match self {
            Scalar::Bool(b) => i128::from(b),
            Scalar::Int(i) => i,
            other => other.to_f64() as i128,
        }
    }

    /// True unless the value is zero; NaN is true (decision S35).
    pub fn to_bool(self) -> bool {
        match self {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::Float(x) => x != 0.0,
            Scalar::Complex(z) => z.re != 0.0 || z.im != 0.0,
        }
    }

    /// True if an integer (or truth) value lies within an integer dtype's range; other kinds
    /// and other dtypes always fit (a float scalar rounds, to infinity if need be: S15).
    pub fn fits(self, dtype: Dtype) -> bool {
        match (self, dtype.int_range()) {
            (Scalar::Int(i), Some((min, max))) => (min..=max).contains(&i),
            _ => true,
        }
    }

    /// An integer modulo the width of an integer dtype; other values, and other dtypes, as they are.
    pub(crate) fn wrapped(self, dtype: crate::Dtype) -> Scalar {
        match (self, dtype.int_range()) {
            (Scalar::Int(i), Some((min, _))) => {
                let width = 1i128 << dtype.bits();
                Scalar::Int((i - min).rem_euclid(width) + min)
            }
            _ => self,
        }
    }

    fn bits(self) -> (ScalarKind, u128) {
        let bits = match self {
            Scalar::Bool(b) => u128::from(b),
            Scalar::Int(i) => i as u128,
            Scalar::Float(x) => u128::from(x.to_bits()),
            Scalar::Complex(z) => u128::from(z.re.to_bits()) << 64 | u128::from(z.im.to_bits()),
        };
        (self.kind(), bits)
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Scalar {}

impl hash::Hash for Scalar {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(b) => write!(f, "{b}"),
            Scalar::Int(i) => write!(f, "{i}"),
            Scalar::Float(x) => write!(f, "{x:?}"),
            Scalar::Complex(z) => write!(f, "{:?}{:+?}j", z.re, z.im),
        }
    }
}

macro_rules! scalar_from {
    ($variant:ident($as:ty): $($t:ty),*) => {
        $(impl From<$t> for Scalar {
            fn from(value: $t) -> Scalar {
                Scalar::$variant(value as $as)
            }
        })*
    };
}
scalar_from!(Int(i128): i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, usize);
scalar_from!(Float(f64): f32, f64);

impl From<bool> for Scalar {
    fn from(value: bool) -> Scalar {
        Scalar::Bool(value)
    }
}

impl From<half::f16> for Scalar {
    fn from(value: half::f16) -> Scalar {
        Scalar::Float(value.to_f64())
    }
}

impl From<half::bf16> for Scalar {
    fn from(value: half::bf16) -> Scalar {
        Scalar::Float(value.to_f64())
    }
}

impl From<Complex64> for Scalar {
    fn from(value: Complex64) -> Scalar {
        Scalar::Complex(value)
    }
}

impl From<num_complex::Complex32> for Scalar {
    fn from(value: num_complex::Complex32) -> Scalar {
        Scalar::Complex(Complex64::new(value.re.into(), value.im.into()))
    }
}
