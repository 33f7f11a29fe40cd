//! Binary search.

use crate::Result;
use crate::array::{AnyArray, IntoArg};
use crate::ops::{cast_all, promote};

/// The first number from `start` on, below `end`, for which a question is false, for each element by itself; `end` if there is none. The
/// question has to be true of all numbers before.
///
/// The number of steps is that of the widest range, which is evaluated for that.
///
/// ```
/// use ivy_drjit::{binary_search, llvm::UInt, lt};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let limit = UInt::new([7, 3])?;
/// let found = binary_search(&UInt::new([0, 0])?, 10, |i| lt(i, &limit))?;
/// assert_eq!(found.to_string(), "[7, 3]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// Those of the question; [`NotSupported`](crate::Error::NotSupported) for what are no integers.
pub fn binary_search(
    start: impl IntoArg,
    end: impl IntoArg,
    question: impl Fn(&AnyArray) -> Result<AnyArray>,
) -> Result<AnyArray> {
    let args = vec![start.into_arg(), end.into_arg()];
    let ty = promote("binary_search", &args)?;
    crate::ops::Domain::Ints.check("binary_search", ty)?;
    let args = cast_all(ty, args)?;
    let (mut start, mut end) = (args[0].clone(), args[1].clone());
    let widest = crate::max((&end - &start).ok()?, ())?;
    let widest = widest.to_scalars()?.first().map_or(0, |value| value.to_i128());
    let steps = i128::BITS - widest.max(0).leading_zeros();
    for _ in 0..steps {
        let middle = (&start + ((&end - &start) >> 1)).ok()?;
        let open = crate::lt(&start, &end)?;
        let yes = (question(&middle)? & &open).ok()?;
        let no = (!&yes & &open).ok()?;
        let next = (&middle + 1).ok()?;
        start = crate::select(yes, next, &start)?;
        end = crate::select(no, &middle, &end)?;
    }
    Ok(start)
}
