//! The stack of masks: which threads have a part in what is done.

use crate::Result;
use crate::array::{AnyArray, IntoArg};
use crate::ops::array;
use std::cell::RefCell;

thread_local! {
    /// How many threads the recorded code stands for that is running, the innermost last.
    static WIDTHS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    static MASKS: RefCell<Vec<AnyArray>> = const { RefCell::new(Vec::new()) };
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        MASKS.with_borrow_mut(|masks| drop(masks.pop()));
    }
}

/// Calls a function in which gathers and scatters are done by the threads of a mask only, within those of the masks around it.
///
/// ```
/// use ivy_drjit::{llvm::{Bool, Int, UInt}, masked, scatter};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let (target, index) = (Int::new([0, 0])?, UInt::new([0, 1])?);
/// let y = masked(&Bool::new([false, true])?, || scatter(&target, 7, &index, true))??;
/// assert_eq!(y.to_string(), "[0, 7]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// Those of joining masks of different sizes.
pub fn masked<T>(mask: impl IntoArg, f: impl FnOnce() -> T) -> Result<T> {
    let mask = array("masked", mask.into_arg())?;
    let around = MASKS.with_borrow(|masks| masks.last().cloned());
    let mask = match around {
        Some(around) => crate::bitwise_and(around, mask)?,
        None => mask,
    };
    MASKS.with_borrow_mut(|masks| masks.push(mask));
    let _guard = Guard;
    Ok(f())
}

/// Calls a function as code that stands for so many threads: a gather or scatter at one place is one of each of them.
pub(super) fn of_threads<T>(width: usize, f: impl FnOnce() -> T) -> T {
    struct Width;
    impl Drop for Width {
        fn drop(&mut self) {
            WIDTHS.with_borrow_mut(|widths| _ = widths.pop());
        }
    }
    WIDTHS.with_borrow_mut(|widths| widths.push(width));
    let _width = Width;
    f()
}

/// How many threads a gather or scatter is done by, whose index has so many elements and whose mask has so many.
pub(crate) fn threads(index: usize, active: usize) -> usize {
    if index != 1 {
        return index;
    }
    let masked = MASKS.with_borrow(|masks| masks.last().map_or(1, AnyArray::len));
    let recorded = WIDTHS.with_borrow(|widths| widths.last().copied().unwrap_or(1));
    active.max(masked).max(recorded)
}

/// The mask in force for so many threads: one of another size is not of them.
pub(crate) fn active_mask(size: usize) -> Result<Option<AnyArray>> {
    let mask = MASKS.with_borrow(|masks| masks.last().cloned());
    Ok(mask.filter(|mask| mask.len() == 1 || size == 1 || mask.len() == size))
}
