//! Arrays as text, as NumPy writes them.
//!
//! Two forms: [`format_array`] is NumPy's `str` (`[[1. 2.]\n [3. 4.]]`), [`format_repr`] its
//! `repr` (`array([[1., 2.],\n       [3., 4.]])`). Both equal NumPy 2.4 character by character
//! at its default options and at any precision, threshold, number of edge items, line width and
//! suppression, with two rules of our own:
//!
//! - `repr` leaves out the dtypes of [`PrintOptions::implied`], which are our defaults int32,
//!   float32, complex64 and bool (NumPy's are int64, float64, complex128 and bool). As in
//!   NumPy, an empty array always shows its dtype.
//! - bfloat16, which NumPy knows only as an extension, follows the rule of the other floats, with
//!   the 2 decimal digits that it holds for certain.

mod digits;
mod element;
mod float;
mod layout;

use crate::{Dtype, DtypeSet, host::HostArray};
use element::Formatter;
use layout::Layout;

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
    body(array, options, " ", "", options.line_width)
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
    const PREFIX: &str = "array(";
    let (shape, size) = (array.shape(), array.shape().size());
    let body = body(array, options, ", ", PREFIX, options.line_width.saturating_sub(1));
    let mut extras = Vec::new();
    if (size == 0 && **shape != [0]) || size > options.threshold {
        extras.push(format!("shape={shape}"));
    }
    if size == 0 || !options.implied.contains(array.dtype()) {
        extras.push(format!("dtype={}", array.dtype()));
    }
    if extras.is_empty() {
        return format!("{PREFIX}{body})");
    }
    let (text, extras) = (format!("{PREFIX}{body},"), extras.join(", ") + ")");
    let last_line = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    let fits = last_line + extras.len() < options.line_width;
    let gap = if fits { " ".to_string() } else { format!("\n{}", " ".repeat(PREFIX.len())) };
    text + &gap + &extras
}

fn body(array: &HostArray, options: &PrintOptions, separator: &str, prefix: &str, width: usize) -> String {
    let size = array.shape().size();
    if size == 0 {
        return "[]".into();
    }
    let edge = if size > options.threshold { Some(options.edge_items) } else { None };
    let elements = element::Elements::new(array);
    let offsets = layout::shown(array.shape(), array.strides(), edge);
    let shown: Vec<_> = offsets.into_iter().map(|o| elements.at(o)).collect();
    let formatter = Formatter::new(&shown, array.dtype(), array.shape().is_empty(), options);
    let layout = Layout { array, edge, separator, write: &|offset| formatter.write(elements.at(offset)) };
    layout.text(prefix.len() + 1, width)
}

#[cfg(test)]
mod tests;
