//! Arrays as text, as NumPy writes them.
//!
//! Two forms: [`format_array`] is NumPy's `str` (`[[1. 2.]\n [3. 4.]]`), [`format_repr`] its
//! `repr` (`array([[1., 2.],\n       [3., 4.]])`). Both equal NumPy 2.4 character by character
//! at its default options and at any precision, threshold, number of edge items, line width,
//! suppression, sign, mode of floats and texts of NaN and infinity, with two rules of our own:
//!
//! - `repr` leaves out the dtypes of [`PrintOptions::implied`], which are our defaults int32,
//!   float32, complex64 and bool (NumPy's are int64, float64, complex128 and bool). As in
//!   NumPy, an empty array always shows its dtype.
//! - bfloat16, which NumPy knows only as an extension, follows the rule of the other floats, with
//!   the 2 decimal digits that it holds for certain.

pub(crate) mod digits;
mod element;
mod float;
mod layout;

use crate::{Dtype, DtypeSet, Scalar, host::HostArray};
use element::Formatter;
use layout::Layout;
use std::borrow::Cow;

/// The sign of numbers that are not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// None: `1.`.
    #[default]
    Minus,
    /// A plus sign: `+1.`.
    Plus,
    /// A space in its place: ` 1.`.
    Space,
}

/// How many digits the floats of an array have after the point: NumPy's `floatmode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FloatMode {
    /// As many as name each value, [`PrintOptions::precision`] at most (`maxprec`).
    #[default]
    MaxPrecision,
    /// Likewise, as many in all elements (`maxprec_equal`).
    MaxPrecisionEqual,
    /// `precision` digits in each (`fixed`).
    Fixed,
    /// As many as name each value, whatever the precision (`unique`).
    Unique,
}

/// How arrays are written; the default is NumPy's default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// Most digits after the point (8).
    pub precision: usize,
    /// Arrays with more elements than this are summarised (1000).
    pub threshold: usize,
    /// How many elements a summary shows at each end of an axis (3).
    pub edge_items: usize,
    /// The width of a line in characters (75).
    pub line_width: usize,
    /// Whether small numbers are written without an exponent, as zero if need be (false).
    pub suppress: bool,
    /// The sign of numbers that are not negative (none).
    pub sign: Sign,
    /// How many digits floats have after the point ([`FloatMode::MaxPrecision`]).
    pub float_mode: FloatMode,
    /// How NaN is written (`nan`).
    pub nan: Cow<'static, str>,
    /// How infinity is written (`inf`).
    pub infinity: Cow<'static, str>,
    /// The dtypes that `repr` does not name (int32, float32, complex64 and bool).
    pub implied: DtypeSet,
}

impl Default for PrintOptions {
    fn default() -> PrintOptions {
        let implied = [Dtype::INT32, Dtype::FLOAT32, Dtype::COMPLEX64, Dtype::BOOL];
        PrintOptions {
            precision: 8,
            threshold: 1000,
            edge_items: 3,
            line_width: 75,
            suppress: false,
            sign: Sign::default(),
            float_mode: FloatMode::default(),
            nan: Cow::Borrowed("nan"),
            infinity: Cow::Borrowed("inf"),
            implied: implied.into_iter().collect(),
        }
    }
}

impl PrintOptions {
    /// The defaults with the digits that are [set](crate::context::set_array_significant_figures).
    pub fn in_force() -> PrintOptions {
        PrintOptions { precision: crate::context::array_significant_figures(), ..PrintOptions::default() }
    }
}

/// The array as NumPy's `str` writes it.
///
/// A zero-dimensional array is written as its scalar, with all the digits that its dtype needs.
///
/// ```
/// use ivy::host::HostArray;
/// use ivy::print::{PrintOptions, format_array};
/// let a = HostArray::from_vec(vec![1.0f32, 2.5, -3.0, 4.0], [2, 2].into()).unwrap();
/// assert_eq!(format_array(&a, &PrintOptions::default()), "[[ 1.   2.5]\n [-3.   4. ]]");
/// ```
pub fn format_array(array: &HostArray, options: &PrintOptions) -> String {
    if array.shape().is_empty() {
        return element::scalar(element::Elements::new(array).at(0), array.dtype());
    }
    format_elements(array, options, " ", [0, 0], None)
}

/// The array as NumPy's `repr` writes it, with the dtype unless it is implied.
///
/// ```
/// use ivy::host::HostArray;
/// use ivy::print::{PrintOptions, format_repr};
/// let a = HostArray::from_vec(vec![1i8, 2], [2].into()).unwrap();
/// assert_eq!(format_repr(&a, &PrintOptions::default()), "array([1, 2], dtype=int8)");
/// ```
pub fn format_repr(array: &HostArray, options: &PrintOptions) -> String {
    format_repr_as("array", array, options, None)
}

/// Likewise, of a type of this name, and with elements that a function writes, if one is given.
///
/// ```
/// use ivy::host::HostArray;
/// use ivy::print::{PrintOptions, format_repr_as};
/// let a = HostArray::from_vec(vec![1i8, 2], [2].into()).unwrap();
/// assert_eq!(format_repr_as("Array", &a, &PrintOptions::default(), None), "Array([1, 2], dtype=int8)");
/// ```
pub fn format_repr_as(
    name: &str,
    array: &HostArray,
    options: &PrintOptions,
    write: Option<&WriteElement<'_>>,
) -> String {
    let prefix = format!("{name}(");
    let (shape, size) = (array.shape(), array.shape().size());
    let body = format_elements(array, options, ", ", [prefix.len(), 1], write);
    let mut extras = Vec::new();
    if (size == 0 && **shape != [0]) || size > options.threshold {
        extras.push(format!("shape={shape}"));
    }
    if size == 0 || !options.implied.contains(array.dtype()) {
        extras.push(format!("dtype={}", array.dtype()));
    }
    if extras.is_empty() {
        return format!("{prefix}{body})");
    }
    let (text, extras) = (format!("{prefix}{body},"), extras.join(", ") + ")");
    let last_line = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    let fits = last_line + extras.len() < options.line_width;
    let gap = if fits { " ".to_string() } else { format!("\n{}", " ".repeat(prefix.len())) };
    text + &gap + &extras
}

/// How an element is written where the options do not say it.
pub type WriteElement<'a> = dyn Fn(Scalar) -> String + 'a;

/// The elements with brackets and separators, as NumPy's `array2string` writes them: lines are as long as what stands
/// before the first bracket and behind the last one leaves room for.
///
/// ```
/// use ivy::host::HostArray;
/// use ivy::print::{FloatMode, PrintOptions, Sign, format_elements};
/// let a = HostArray::from_vec(vec![1.0f32, 2.25], [2].into()).unwrap();
/// let options = PrintOptions { sign: Sign::Plus, float_mode: FloatMode::MaxPrecisionEqual, ..PrintOptions::default() };
/// assert_eq!(format_elements(&a, &options, "|", [0, 0], None), "[+1.00|+2.25]");
/// assert_eq!(format_elements(&a, &options, ", ", [0, 0], Some(&|x| format!("<{x}>"))), "[<1.0>, <2.25>]");
/// ```
pub fn format_elements(
    array: &HostArray,
    options: &PrintOptions,
    separator: &str,
    [before, behind]: [usize; 2],
    write: Option<&WriteElement<'_>>,
) -> String {
    let size = array.shape().size();
    if size == 0 {
        return "[]".into();
    }
    let edge = if size > options.threshold { Some(options.edge_items) } else { None };
    let elements = element::Elements::new(array);
    let offsets = layout::shown(array.shape(), array.strides(), edge);
    let shown: Vec<_> = offsets.into_iter().map(|o| elements.at(o)).collect();
    let formatter = Formatter::new(&shown, array.dtype(), array.shape().is_empty(), options);
    let element = |offset| match write {
        Some(write) => write(elements.at(offset).scalar()),
        None => formatter.write(elements.at(offset)),
    };
    let layout = Layout { array, edge, separator, write: &element };
    layout.text(before + 1, options.line_width.saturating_sub(behind))
}
