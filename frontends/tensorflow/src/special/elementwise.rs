//! Functions of each element by formulas of several steps.

use ivy_core::functional as f;
use ivy_frontend::specials::Out;
use ivy_frontend::{Call, compute};

/// `polygamma(a, x)`: the derivatives of the digamma function of order `a`, by Hurwitz's zeta function; DLMF 25.11.12.
pub(crate) fn polygamma(call: &mut Call<'_>) -> Out {
    let x = call.array(1)?;
    let order = match call.value(0).as_array() {
        Some(order) => order.clone(),
        None => f::astype(call.array(0)?, x.dtype())?,
    };
    let next = f::add(&order, 1)?;
    let sign = f::subtract(f::multiply(f::remainder(&order, 2)?, 2)?, 1)?;
    let factor = f::multiply(sign, f::exp(f::lgamma(&next)?)?)?;
    let derivative = f::multiply(factor, compute!(call, "zeta", [&next, &x])?)?;
    Ok(f::where_(f::equal(&order, 0)?, f::digamma(&x)?, derivative)?.into())
}
