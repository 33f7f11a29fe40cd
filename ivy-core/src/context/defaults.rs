//! Default dtypes, and the dtype of host values (spec I-38 to I-40b).

use crate::{Dtype, Rules, Scalar, ScalarKind};

/// The default dtypes in force.
///
/// A kind's own default wins; else the general default, if it is of that kind; else the default of the promotion
/// rules: int32, uint32, float32 and complex64 under Ivy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Defaults {
    /// The general default dtype, if set.
    pub dtype: Option<Dtype>,
    /// The default integer dtype, if set.
    pub int: Option<Dtype>,
    /// The default unsigned dtype, if set.
    pub uint: Option<Dtype>,
    /// The default float dtype, if set.
    pub float: Option<Dtype>,
    /// The default complex dtype, if set.
    pub complex: Option<Dtype>,
    /// The rules whose defaults hold where none is set. In a context they are the context's.
    pub rules: Rules,
}

impl Defaults {
    /// Those of a set of rules.
    ///
    /// ```
    /// use ivy_core::{Defaults, Dtype, Rules};
    /// assert_eq!(Defaults::of(Rules::Torch).int(), Dtype::INT64);
    /// assert_eq!(Defaults::of(Rules::Numpy).float(), Dtype::FLOAT64);
    /// ```
    pub fn of(rules: Rules) -> Defaults {
        Defaults { rules, ..Defaults::default() }
    }

    #[inline]
    fn pick(&self, own: Option<Dtype>, is_kind: fn(Dtype) -> bool, last: u8) -> Dtype {
        own.or(self.dtype.filter(|&d| is_kind(d))).unwrap_or_else(|| Dtype::from_index(last))
    }

    /// The default integer dtype.
    pub fn int(&self) -> Dtype {
        self.pick(self.int, Dtype::is_int, self.rules.set().int)
    }

    /// The default unsigned dtype.
    pub fn uint(&self) -> Dtype {
        self.pick(self.uint, Dtype::is_uint, self.rules.set().uint)
    }

    /// The default float dtype.
    pub fn float(&self) -> Dtype {
        self.pick(self.float, Dtype::is_float, self.rules.set().float)
    }

    /// The default complex dtype.
    pub fn complex(&self) -> Dtype {
        self.pick(self.complex, Dtype::is_complex, self.rules.set().complex)
    }

    /// The general default dtype: the one set, else the default float dtype.
    pub fn dtype(&self) -> Dtype {
        self.dtype.unwrap_or_else(|| self.float())
    }

    /// The default dtype of a scalar of a kind, whatever its value.
    pub fn of_scalar(&self, kind: ScalarKind) -> Dtype {
        match kind {
            ScalarKind::Bool => Dtype::from_index(self.rules.set().truth),
            ScalarKind::Int => self.int(),
            ScalarKind::Float => self.float(),
            ScalarKind::Complex => self.complex(),
        }
    }

    /// The dtype of host values: complex if one is complex, else float, else integer, else
    /// bool; wider than the default where a value needs it (an integer above the range of
    /// int32, a float beyond float32), where the rules widen. No values: the general default.
    #[inline]
    pub fn of_values(&self, values: &[Scalar]) -> Dtype {
        let Some(kind) = values.iter().map(|v| v.kind()).max() else { return self.dtype() };
        if !self.rules.set().widens {
            return self.of_scalar(kind);
        }
        match kind {
            ScalarKind::Bool => Dtype::BOOL,
            ScalarKind::Int => widen_int(self.int(), values),
            ScalarKind::Float => match self.float() {
                d if d.bits() < 64 && values.iter().any(|v| beyond_float32(v.to_f64())) => Dtype::FLOAT64,
                d => d,
            },
            ScalarKind::Complex => {
                let beyond = |v: &Scalar| {
                    let z = v.to_complex();
                    beyond_float32(z.re) || beyond_float32(z.im)
                };
                match self.complex() {
                    d if d.bits() < 128 && values.iter().any(beyond) => Dtype::COMPLEX128,
                    d => d,
                }
            }
        }
    }

    /// The dtype of host integers as unsigned: the default unsigned dtype, or uint64 where a
    /// value is above its range.
    pub fn uint_of_values(&self, values: &[Scalar]) -> Dtype {
        let beyond = |v: &Scalar| v.to_i128() > self.uint().int_range().map_or(0, |r| r.1);
        if values.iter().any(beyond) { Dtype::UINT64 } else { self.uint() }
    }

    /// The default dtype of the kind of a dtype; bool for bool (spec I-23b).
    pub fn of_dtype(&self, dtype: Dtype) -> Dtype {
        match dtype.kind() {
            crate::Kind::Int => self.int(),
            crate::Kind::Uint => self.uint(),
            crate::Kind::Float => self.float(),
            crate::Kind::Complex => self.complex(),
            crate::Kind::Bool => Dtype::BOOL,
        }
    }
}

/// The default, unless a value is outside its range: then int64, or uint64 above that. Where
/// no dtype holds every value, the widest one on the side of the values, which then refuses them.
fn widen_int(default: Dtype, values: &[Scalar]) -> Dtype {
    let fits = |d: &Dtype| values.iter().all(|v| Scalar::Int(v.to_i128()).fits(*d));
    let above = values.iter().any(|v| v.to_i128() > i128::from(i64::MAX));
    let last = if above { Dtype::UINT64 } else { Dtype::INT64 };
    [default, Dtype::INT64, Dtype::UINT64].into_iter().find(fits).unwrap_or(last)
}

/// Too large for float32, or below half its least normal value. Infinity and NaN are as good in
/// float32.
fn beyond_float32(x: f64) -> bool {
    x.is_finite() && x != 0.0 && (x.abs() > 3.4028235e38 || x.abs() < f64::from(f32::MIN_POSITIVE) / 2.0)
}
