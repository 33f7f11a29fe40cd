//! Replacing an array's value: `out=`, and moving live arrays to another backend.

use super::{Array, IntoOperand, Operand, common_backend};
use crate::backend::backend;
use crate::{ErrorKind, Result, context};

/// `out=`: puts the result of a call into an existing handle, which must have its dtype, shape
/// and backend. Other handles of the old value keep it (decision S29).
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0])?;
/// let mut y = ivy::zeros([2], ())?;
/// ivy::out(&mut y, ivy::exp(&x))?;
/// assert_eq!(y.to_vec::<f32>()?[0], std::f32::consts::E);
/// assert!(ivy::out(&mut y, ivy::sum(&x, ())).is_err()); // another shape
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The call's own error; [`ErrorKind::DtypeMismatch`], [`ErrorKind::ShapeMismatch`],
/// [`ErrorKind::BackendMismatch`]; [`ErrorKind::InvalidArgument`] where
/// [the strict in-place mode](context::set_inplace_mode) forbids it. The handle is then as before.
pub fn out<'a>(target: &mut Array, value: impl IntoOperand<'a>) -> Result<()> {
    const OUT: &str = "out";
    let value = match value.into_operand() {
        Operand::Array(array) => array.into_owned(),
        Operand::List(array) => array,
        Operand::Failed(error) => return Err(error),
        Operand::Scalar(_) | Operand::Absent => {
            let (value, rule) = ("no array".into(), "the result of a call is needed");
            return Err(ErrorKind::InvalidArgument { function: OUT, argument: "value", value, rule }.into());
        }
    };
    if value.dtype() != target.dtype() {
        let (expected, actual) = (value.dtype(), target.dtype());
        return Err(
            ErrorKind::DtypeMismatch { function: OUT, argument: "the target", expected, actual }.into()
        );
    }
    if value.shape() != target.shape() {
        let (expected, actual) = (value.shape().to_string(), target.shape().clone());
        return Err(
            ErrorKind::ShapeMismatch { function: OUT, argument: "the target", expected, actual }.into()
        );
    }
    context::check_inplace(OUT, target)?;
    let backend = common_backend([&*target, &value])?;
    *target = value.lift_to(OUT, &backend)?.into_owned();
    Ok(())
}

/// Makes a backend the current one, and moves live arrays to it (Ivy's dynamic switch). Either
/// all of them move, or after an error none has and the backend is as before.
///
/// # Errors
/// As [`context::set_backend`] and [`Array::to_backend`].
pub fn set_backend_dynamic(name: &str, arrays: &mut [&mut Array]) -> Result<()> {
    let to = backend(name)?;
    let moved: Vec<Array> = arrays.iter().map(|array| array.to_backend(&to)).collect::<Result<_>>()?;
    context::set_backend(name)?;
    for (array, moved) in arrays.iter_mut().zip(moved) {
        **array = moved;
    }
    Ok(())
}
