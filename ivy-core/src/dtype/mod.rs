//! The dtype registry: small values with a static row of facts each.

mod holds;
mod info;
mod parse;
mod set;
mod typed;

pub(crate) use info::wrong_kind;
pub use info::{FInfo, IInfo, finfo, iinfo};
pub use ivy_dtype_tables::Kind;
pub(crate) use parse::edit_distance;
pub use parse::{DtypeLike, MaybeDtype};
pub use set::DtypeSet;
pub use typed::{ComplexDtype, FloatDtype, IntDtype, UintDtype};

use ivy_dtype_tables::{COUNT, DTYPES, DtypeRow, KNOWN};
use std::fmt;

/// The type of an array's elements: one of the rows of `dtype-tables/dtypes.tsv`; or a type that some framework has
/// and no array here, of `dtypes-unstored.tsv`, about which questions are answered.
///
/// A `Dtype` is one byte; all that is known of it stands in its row. The constants
/// ([`Dtype::FLOAT32`], …) and the lower-case forms of [`crate::dtypes`] are generated from the
/// rows. It parses from its name and aliases (`"float32"`, `"f32"`, `"double"`).
///
/// ```
/// use ivy_core::{Dtype, Kind};
/// let d: Dtype = "double".parse()?;
/// assert_eq!(d, Dtype::FLOAT64);
/// assert_eq!((d.kind(), d.bits(), d.bytes()), (Kind::Float, 64, 8));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dtype(u8);

macro_rules! declare_dtypes {
    ($(($constant:ident, $name:ident, $index:literal))*) => {
        impl Dtype {
            $(
                #[doc = concat!("The dtype `", stringify!($name), "`.")]
                pub const $constant: Dtype = Dtype($index);
            )*
        }
        /// The dtypes under the names that the Array API gives them: `ivy::dtypes::float32`.
        #[allow(non_upper_case_globals)]
        pub mod names {
            use super::Dtype;
            $(
                #[doc = concat!("The dtype `", stringify!($name), "`.")]
                pub const $name: Dtype = Dtype::$constant;
            )*
        }
    };
}
ivy_dtype_tables::for_each_dtype!(declare_dtypes);

impl Dtype {
    /// How many dtypes arrays may have.
    pub const COUNT: usize = COUNT;

    /// Every dtype that arrays may have, in the order of the table (spec I-01).
    pub fn all() -> impl ExactSizeIterator<Item = Dtype> + DoubleEndedIterator + Clone {
        (0..COUNT as u8).map(Dtype)
    }

    /// Every dtype that there is: those of [`Dtype::all`], then those that no array has, such as `float8_e4m3fn`.
    /// They promote under the rules of the frameworks that have them, and every backend's storage of them is none.
    ///
    /// ```
    /// use ivy_core::{Dtype, Rules};
    /// assert!(Dtype::known().len() > Dtype::all().len() && !Dtype::FLOAT8_E4M3FN.is_stored());
    /// assert_eq!(Rules::Jax.lookup(Dtype::INT8, Dtype::FLOAT8_E4M3FN), Some(Dtype::FLOAT8_E4M3FN));
    /// ```
    pub fn known() -> impl ExactSizeIterator<Item = Dtype> + DoubleEndedIterator + Clone {
        (0..KNOWN as u8).map(Dtype)
    }

    /// Whether arrays may have it.
    pub const fn is_stored(self) -> bool {
        (self.0 as usize) < COUNT
    }

    /// The dtype of a row of the table.
    pub(crate) const fn from_index(index: u8) -> Dtype {
        assert!((index as usize) < KNOWN);
        Dtype(index)
    }

    /// The row's number, from 0: an index into tables with one entry a dtype.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn row(self) -> &'static DtypeRow {
        &DTYPES[self.0 as usize]
    }

    /// The name, as the Array API spells it.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The kind of number it holds.
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// The width in bits: 1 for bool, 64 for complex64 (spec I-04).
    pub const fn bits(self) -> usize {
        self.row().bits as usize
    }

    /// The width of an element in memory, in bytes.
    pub const fn bytes(self) -> usize {
        self.row().bytes as usize
    }

    /// NumPy's type string, such as `<f4`.
    pub const fn typestr(self) -> &'static str {
        self.row().typestr
    }

    /// True for bool.
    pub const fn is_bool(self) -> bool {
        matches!(self.kind(), Kind::Bool)
    }

    /// True for signed and unsigned integers.
    pub const fn is_int(self) -> bool {
        matches!(self.kind(), Kind::Int | Kind::Uint)
    }

    /// True for unsigned integers.
    pub const fn is_uint(self) -> bool {
        matches!(self.kind(), Kind::Uint)
    }

    /// True for real floats.
    pub const fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Float)
    }

    /// True for complex dtypes.
    pub const fn is_complex(self) -> bool {
        matches!(self.kind(), Kind::Complex)
    }

    /// The dtype of the real and imaginary parts; a real dtype is its own.
    pub const fn real_part(self) -> Dtype {
        match self.row().part {
            Some(part) => Dtype(part),
            None => self,
        }
    }

    /// The complex dtype that holds this dtype's values as parts: complex128 for float64,
    /// complex64 for narrower floats (decision S14), itself for complex; `None` otherwise.
    pub fn complex_of(self) -> Option<Dtype> {
        match self.kind() {
            Kind::Complex => Some(self),
            Kind::Float if self.bits() > 32 => Some(Dtype::COMPLEX128),
            Kind::Float => Some(Dtype::COMPLEX64),
            _ => None,
        }
    }

    /// The least and greatest value of an integer dtype.
    pub const fn int_range(self) -> Option<(i128, i128)> {
        let bits = self.bits() as u32;
        match self.kind() {
            Kind::Int => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            Kind::Uint => Some((0, (1i128 << bits) - 1)),
            _ => None,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
