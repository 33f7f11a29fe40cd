//! Orthogonal polynomials by their three-term recurrences (DLMF 18.9).

use super::Out;
use crate::{Call, Fault, Value};
use ivy_core::functional as f;
use ivy_core::{Array, Result};

/// Beyond this degree a recurrence is not computed.
const MOST: i64 = 4096;

/// `a_k`, `b_k` and `c_k` of `k`.
type Step = fn(f64) -> (f64, f64, f64);

/// `p_0 = 1`, `p_1 = a x + b`, `p_(k + 1) = (a_k x + b_k) p_k - c_k p_(k - 1)`.
struct Family {
    first: (f64, f64),
    step: Step,
}

/// The family of a name, and whether its variable is `2 x - 1`.
fn family(name: &str) -> Option<(Family, bool)> {
    let (name, is_shifted) = match name.strip_prefix("shifted_") {
        Some(rest) => (rest, true),
        None => (name, false),
    };
    let (first, step): ((f64, f64), Step) = match name {
        "chebyshev_t" => ((1.0, 0.0), |_| (2.0, 0.0, 1.0)),
        "chebyshev_u" => ((2.0, 0.0), |_| (2.0, 0.0, 1.0)),
        "chebyshev_v" => ((2.0, -1.0), |_| (2.0, 0.0, 1.0)),
        "chebyshev_w" => ((2.0, 1.0), |_| (2.0, 0.0, 1.0)),
        "hermite_h" => ((2.0, 0.0), |k| (2.0, 0.0, 2.0 * k)),
        "hermite_he" => ((1.0, 0.0), |k| (1.0, 0.0, k)),
        "laguerre_l" => ((-1.0, 1.0), |k| (-1.0 / (k + 1.0), (2.0 * k + 1.0) / (k + 1.0), k / (k + 1.0))),
        "legendre_p" => ((1.0, 0.0), |k| ((2.0 * k + 1.0) / (k + 1.0), 0.0, k / (k + 1.0))),
        _ => return None,
    };
    Some((Family { first, step }, is_shifted))
}

/// `a x + b`.
fn linear(x: &Array, a: f64, b: f64) -> Result<Array> {
    let scaled = f::multiply(x, a)?;
    if b == 0.0 { Ok(scaled) } else { f::add(scaled, b) }
}

impl Family {
    /// The polynomials of `x` of the degrees 0 to `most`, one after the other.
    fn each(&self, x: &Array, most: i64, mut take: impl FnMut(i64, &Array) -> Result<()>) -> Result<()> {
        let mut before = f::add(f::multiply(x, 0.0)?, 1.0)?;
        take(0, &before)?;
        let mut last = linear(x, self.first.0, self.first.1)?;
        for degree in 1..=most {
            take(degree, &last)?;
            if degree < most {
                let (a, b, c) = (self.step)(degree as f64);
                let next = f::subtract(f::multiply(linear(x, a, b)?, &last)?, f::multiply(&before, c)?)?;
                before = std::mem::replace(&mut last, next);
            }
        }
        Ok(())
    }
}

/// `orthogonal_polynomial(name, x, n)`: the polynomial of each `n`th degree, cut to an integer, at each `x`; 0 of negative
/// degrees. The largest degree is read on the host.
///
/// # Errors
/// For an unknown name, for complex numbers, for degrees above 4096, and for shapes that do not broadcast.
pub fn orthogonal_polynomial(call: &mut Call<'_>) -> Out {
    let Some((family, is_shifted)) = family(call.text(0)?) else {
        return Err(call.refuse(Fault::Value, "name", Some(call.value(0)), "there is no such polynomial"));
    };
    let (x, dtype) = super::float64_operand(call, 1)?;
    let x = if is_shifted { linear(&x, 2.0, -1.0)? } else { x };
    let too_high = |call: &Call<'_>| {
        Err(call.refuse(Fault::Value, "n", Some(call.value(2)), format!("degrees are at most {MOST}")))
    };
    let found = match call.value(2) {
        Value::Array(n) => {
            let n = f::trunc(f::astype(n.as_ref(), ivy_core::Dtype::FLOAT64)?)?;
            let most = if n.size() == 0 { -1.0 } else { f::max(&n, ())?.to_scalar()?.to_f64() };
            if most > MOST as f64 {
                return too_high(call);
            }
            let mut found = f::multiply(f::add(&x, &n)?, 0.0)?;
            family.each(&x, most as i64, |degree, p| {
                found = f::where_(f::equal(&n, degree)?, p, &found)?;
                Ok(())
            })?;
            found
        }
        given => {
            let most = given.as_scalar().map_or(0.0, |n| n.to_f64().trunc());
            if most > MOST as f64 {
                return too_high(call);
            }
            let mut found = f::multiply(&x, 0.0)?;
            family.each(&x, most as i64, |degree, p| {
                if degree as f64 == most {
                    found = p.clone();
                }
                Ok(())
            })?;
            found
        }
    };
    Ok(f::astype(&found, dtype)?.into())
}
