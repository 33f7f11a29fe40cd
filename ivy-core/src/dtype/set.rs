//! Sets of dtypes, as bits.

use super::{Dtype, Kind};
use std::{fmt, ops};

/// A set of dtypes: bit `i` stands for the dtype with index `i`. Constants and iteration are of the dtypes that arrays
/// may have.
///
/// ```
/// use ivy_core::{Dtype, DtypeSet};
/// let floats = DtypeSet::FLOAT - Dtype::BFLOAT16;
/// assert_eq!(floats.to_string(), "float16, float32, float64");
/// assert!(floats.contains(Dtype::FLOAT16));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DtypeSet(u32);

const fn of_kinds(kinds: &[Kind]) -> DtypeSet {
    let (mut bits, mut i) = (0, 0);
    while i < Dtype::COUNT {
        let mut k = 0;
        while k < kinds.len() {
            if Dtype::from_index(i as u8).kind() as u8 == kinds[k] as u8 {
                bits |= 1 << i;
            }
            k += 1;
        }
        i += 1;
    }
    DtypeSet(bits)
}

impl DtypeSet {
    /// No dtype.
    pub const EMPTY: DtypeSet = DtypeSet(0);
    /// Every dtype.
    pub const ALL: DtypeSet = of_kinds(&[Kind::Int, Kind::Uint, Kind::Float, Kind::Complex, Kind::Bool]);
    /// Every dtype but bool.
    pub const NUMERIC: DtypeSet = of_kinds(&[Kind::Int, Kind::Uint, Kind::Float, Kind::Complex]);
    /// Signed and unsigned integers.
    pub const INTEGER: DtypeSet = of_kinds(&[Kind::Int, Kind::Uint]);
    /// Signed integers.
    pub const SIGNED: DtypeSet = of_kinds(&[Kind::Int]);
    /// Unsigned integers.
    pub const UNSIGNED: DtypeSet = of_kinds(&[Kind::Uint]);
    /// Real floats.
    pub const FLOAT: DtypeSet = of_kinds(&[Kind::Float]);
    /// Complex dtypes.
    pub const COMPLEX: DtypeSet = of_kinds(&[Kind::Complex]);
    /// Bool alone.
    pub const BOOL: DtypeSet = of_kinds(&[Kind::Bool]);

    /// The set with these bits, as the domain tables hold it.
    pub const fn from_bits(bits: u32) -> DtypeSet {
        DtypeSet(bits)
    }

    /// True if the dtype is in the set.
    pub const fn contains(self, dtype: Dtype) -> bool {
        self.0 >> dtype.index() & 1 == 1
    }

    /// True if no dtype is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many dtypes are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The dtypes of the set, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Dtype> + Clone {
        Dtype::all().filter(move |&d| self.contains(d))
    }
}

impl From<Dtype> for DtypeSet {
    fn from(dtype: Dtype) -> DtypeSet {
        DtypeSet(1 << dtype.index())
    }
}

impl FromIterator<Dtype> for DtypeSet {
    fn from_iter<I: IntoIterator<Item = Dtype>>(dtypes: I) -> DtypeSet {
        dtypes.into_iter().fold(DtypeSet::EMPTY, |set, d| set | d)
    }
}

impl<T: Into<DtypeSet>> ops::BitOr<T> for DtypeSet {
    type Output = DtypeSet;
    fn bitor(self, other: T) -> DtypeSet {
        DtypeSet(self.0 | other.into().0)
    }
}

impl<T: Into<DtypeSet>> ops::BitAnd<T> for DtypeSet {
    type Output = DtypeSet;
    fn bitand(self, other: T) -> DtypeSet {
        DtypeSet(self.0 & other.into().0)
    }
}

impl<T: Into<DtypeSet>> ops::Sub<T> for DtypeSet {
    type Output = DtypeSet;
    fn sub(self, other: T) -> DtypeSet {
        DtypeSet(self.0 & !other.into().0)
    }
}

impl fmt::Display for DtypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, dtype) in self.iter().enumerate() {
            write!(f, "{}{dtype}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for DtypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
