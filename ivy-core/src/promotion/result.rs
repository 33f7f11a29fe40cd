//! The dtype that a function gives, as a set of rules has it.

use super::{Rules, resolve};
use crate::function::OutRule;
use crate::plan::OperandSpec;
use crate::{Defaults, Dtype, Function, Result};

/// The dtype of a function's first result on operands, and whether it is weakly typed, by the tables of a set of rules
/// alone: no backend is asked, and no domain.
///
/// `None` where the category of the function refuses the dtype that the operands have in common, or the function has none,
/// because its dtype is that of an operand or an argument.
///
/// ```
/// use ivy_core::{Dtype, Rules, function::find_function, plan::OperandSpec, promotion::result_of};
/// let divide = find_function("divide")?;
/// let int32 = OperandSpec::Array(Dtype::INT32);
/// let of = |rules| result_of(divide, rules, &[int32, int32]);
/// assert_eq!(of(Rules::Torch)?, Some((Dtype::FLOAT32, false)));
/// assert_eq!(of(Rules::Numpy)?, Some((Dtype::FLOAT64, false)));
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`crate::ErrorKind::NoPromotion`] where the operands have no dtype in common.
pub fn result_of(
    function: &'static Function,
    rules: Rules,
    operands: &[OperandSpec],
) -> Result<Option<(Dtype, bool)>> {
    let Some(category) = function.rule_category() else { return Ok(None) };
    let Some(found) = resolve(function.name, rules, &Defaults::of(rules), category, operands)? else {
        return Ok(None);
    };
    let own = match function.outputs[0] {
        OutRule::Compute | OutRule::Counted => Some(found.compute),
        OutRule::RealPart => Some(found.compute.real_part()),
        OutRule::Complex => found.compute.complex_of(),
        OutRule::Bool => Some(Dtype::BOOL),
        OutRule::Index | OutRule::Position => Some(rules.index_dtype()),
        OutRule::Exponent => Some(Dtype::INT32),
    };
    let given = found.gives.or(own);
    let has_values = !matches!(function.outputs[0], OutRule::Index);
    Ok(given.map(|dtype| (dtype, found.weak && has_values && dtype != Dtype::BOOL)))
}
