//! Selection among several arrays by conditions.

use crate::array::{Array, IntoOperand, Operand, common_backend};
use crate::functional::{DtypeArg, astype, full_like, result_type, where_};
use crate::{Dtype, ErrorKind, Result};

const NAME: &str = "select";

/// Selection among several arrays: for each element, that of the first of `choicelist` whose condition is true there,
/// and `default` where none is. All broadcast to one shape. The choices and the default are promoted to one dtype, in
/// which host scalars are weak.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0i32, 1, 2, 3, 4])?;
/// let conditions = [ivy::less(&x, 2)?, ivy::greater(&x, 3)?];
/// let choices = [ivy::negative(&x)?, ivy::square(&x)?];
/// assert_eq!(ivy::select(&conditions, &choices, 42)?.to_vec::<i32>()?, [0, -1, 42, 42, 16]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for no conditions, and for as many choices as there are not
/// conditions; [`OutsideDomain`](ErrorKind::OutsideDomain) for a condition that is not bool;
/// [`BroadcastShapes`](ErrorKind::BroadcastShapes), [`NoPromotion`](ErrorKind::NoPromotion),
/// [`ScalarOutOfRange`](ErrorKind::ScalarOutOfRange).
pub fn select<'a, 'b, 'c, C: IntoOperand<'a>, T: IntoOperand<'b>>(
    condlist: impl IntoIterator<Item = C>,
    choicelist: impl IntoIterator<Item = T>,
    default: impl IntoOperand<'c>,
) -> Result<Array> {
    let conditions: Vec<Operand<'a>> = condlist.into_iter().map(C::into_operand).collect();
    let choices: Vec<Operand<'b>> = choicelist.into_iter().map(T::into_operand).collect();
    let default = default.into_operand();
    let arrays = conditions.iter().filter_map(Operand::as_array);
    let arrays = arrays.chain(choices.iter().chain([&default]).filter_map(Operand::as_array));
    let backend = common_backend(arrays)?;
    let conditions = conditions.into_iter().map(|x| x.on(&backend)).collect::<Result<Vec<_>>>()?;
    let choices = choices.into_iter().map(|x| x.on(&backend)).collect::<Result<Vec<_>>>()?;
    let default = default.on(&backend)?;
    if conditions.is_empty() || conditions.len() != choices.len() {
        let value = format!("{} conditions and {} choices", conditions.len(), choices.len());
        let rule = "as many choices as conditions, and one at least";
        return Err(ErrorKind::InvalidArgument { function: NAME, argument: "choicelist", value, rule }.into());
    }
    let dtype = common(choices.iter().chain([&default]))?;
    let last = conditions[conditions.len() - 1].clone();
    let mut chosen = match default {
        // On the backend of the conditions, which the current one need not be.
        Operand::Scalar(scalar) => full_like(last, scalar, dtype)?,
        array => astype(array, dtype)?,
    };
    for (condition, choice) in conditions.into_iter().zip(choices).rev() {
        chosen = match choice {
            Operand::Scalar(scalar) => where_(condition, scalar, chosen)?,
            array => where_(condition, astype(array, dtype)?, chosen)?,
        };
    }
    Ok(chosen)
}

/// The dtype that operands have in common.
fn common<'o, 'a: 'o>(operands: impl Iterator<Item = &'o Operand<'a>>) -> Result<Dtype> {
    let part = |operand: &Operand<'_>| match operand {
        Operand::Array(array) => Ok(array.as_ref().into()),
        Operand::List(array) => Ok(array.into()),
        Operand::Scalar(scalar) => Ok(DtypeArg::Scalar(*scalar)),
        Operand::Failed(error) => Err(error.clone()),
        Operand::Absent => {
            let (value, rule) = ("nothing".into(), "an array or a number");
            Err(ErrorKind::InvalidArgument { function: NAME, argument: "choicelist", value, rule }.into())
        }
    };
    result_type(operands.map(part).collect::<Result<Vec<DtypeArg>>>()?)
}
