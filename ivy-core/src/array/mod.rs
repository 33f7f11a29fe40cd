//! Arrays: values that know their dtype, shape and backend.

mod convert;
mod expr;
mod file;
mod index;
mod index_macro;
pub(crate) mod index_plan;
mod item;
mod levels;
mod operand;
mod update;

pub use convert::{AsArray, Nested};
pub use expr::Expr;
pub use file::{load, load_npz, save, save_npz};
pub use index::{Ellipsis, Index, IndexInt, IndexRange, New};
pub(crate) use levels::{common_backend, lift_all};
pub use operand::{IntoOperand, Operand};
pub use update::{out, set_backend_dynamic};

use crate::backend::{BackendRef, Value};
use crate::plan::OperandSpec;
use crate::print::{PrintOptions, format_array, format_repr};
use crate::{Dtype, Result, Shape, transform};
use std::fmt;

/// An n-dimensional array of one dtype on one backend: an immutable value.
///
/// A clone is cheap and shares the elements; no write is ever visible through another handle
/// (decision S29). Functions take arrays by reference.
#[derive(Clone)]
pub struct Array {
    backend: BackendRef,
    value: Value,
}

impl Array {
    /// An array of a backend's value.
    #[inline]
    pub fn from_value(backend: BackendRef, value: Value) -> Array {
        Array { backend, value }
    }

    /// The dtype.
    #[inline]
    pub fn dtype(&self) -> Dtype {
        self.value.dtype
    }

    /// The lengths of the axes.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.value.shape
    }

    /// How many axes there are.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.value.shape.len()
    }

    /// How many elements there are.
    pub fn size(&self) -> usize {
        self.value.shape.size()
    }

    /// The backend that holds the array.
    #[inline]
    pub fn backend(&self) -> &BackendRef {
        &self.backend
    }

    /// The backend's value, for backend crates.
    #[inline]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The backend's value, given up by this handle.
    pub fn into_value(self) -> Value {
        self.value
    }

    #[inline]
    pub(crate) fn spec(&self) -> OperandSpec {
        match self.value.shape.is_empty() {
            true => OperandSpec::ZeroD(self.value.dtype),
            false => OperandSpec::Array(self.value.dtype),
        }
    }
}

impl Array {
    /// True if any element is true, whatever a function that asks is transformed by: in any entry of the batch of
    /// [`vmap`](crate::functional::vmap), and without a part in derivatives. What an argument is checked by, before it
    /// is refused.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([1.0f32, -2.0])?;
    /// let is_refused = |x: &Array| ivy::less(x, 0.0)?.is_any_true();
    /// assert!(is_refused(&x)?);
    /// // All entries take the branch that one of them has to take.
    /// let each = |x: &Array| if is_refused(x)? { ivy::abs(x) } else { Ok(x.clone()) };
    /// assert_eq!(ivy::vmap(each, ())(&x)?.to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// For other elements than truth values; what an evaluation that was pending gives.
    pub fn is_any_true(&self) -> Result<bool> {
        transform::any_true(self)
    }

    /// The elements as NumPy's `str` writes them, or as its `repr` does. Evaluates what is pending. Inside a function
    /// that is mapped, those of all entries of the batch, with a note of that.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// use ivy::print::PrintOptions;
    /// let x = Array::try_from([1i32, 2])?;
    /// assert_eq!(x.to_text(true, &PrintOptions::default())?, "array([1, 2])");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// What an evaluation that was pending gives.
    pub fn to_text(&self, repr: bool, options: &PrintOptions) -> Result<String> {
        let (shown, batches) = transform::shown(self);
        let host = shown.to_host()?;
        let mut text = if repr { format_repr(&host, options) } else { format_array(&host, options) };
        for length in batches {
            text += &format!(" (all {length} entries of vmap)");
        }
        Ok(text)
    }
}

/// The elements as [`Array::to_text`] has them, `{:#}` as NumPy's `repr`; an error in evaluating them is written in
/// their place.
impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_text(f.alternate(), &PrintOptions::in_force()) {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

/// The elements as NumPy's `repr` writes them; dtype, shape and backend alone on a lazy backend,
/// so that nothing pending is evaluated.
impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.backend.is_lazy() {
            return write!(f, "Array({} {} on {})", self.dtype(), self.shape(), self.backend.name());
        }
        write!(f, "{self:#}")
    }
}
