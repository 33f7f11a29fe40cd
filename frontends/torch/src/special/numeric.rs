//! Element by element, and special functions.

use super::support::{Out, axis, cast, floating, runtime, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Fault, Value, compute, kw};

/// A second operand times a factor, which is whole where both are integers.
pub(crate) fn scaled(call: &mut Call<'_>) -> Out {
    let first = call.value(0).as_array().map(|x| x.dtype());
    let second = call.value(1).as_array().map(|x| x.dtype());
    let whole = [first, second].iter().flatten().all(|d| d.is_int() || d.is_bool());
    let integer = !matches!(call.value(1), Value::Float(_) | Value::Complex(_));
    if whole && integer && matches!(call.value(2), Value::Float(_)) {
        return Err(runtime(
            call,
            "alpha",
            "For integral input tensors, argument alpha must not be a floating point number.",
        ));
    }
    call.core("multiply", &[call.value(1).borrowed(), call.value(2).borrowed()], kw! {})
}

/// Slopes along axes, by one distance, or for each axis a distance or the coordinates of its samples.
pub(crate) fn gradient(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let spacing = match call.value(1).items() {
        None => call.value(1).borrowed(),
        Some([Value::Array(coordinates)]) => Value::from(&**coordinates),
        Some(items) if items.iter().all(|item| matches!(item, Value::Array(_))) => {
            // The core has the coordinates of several axes one after the other.
            Value::from(compute!(call, "concat", [call.value(1).borrowed()])?)
        }
        Some(_) => Value::from(call.make_array(call.value(1), None)?),
    };
    call.core(
        "gradient",
        &[(&x).into()],
        kw! { spacing: spacing, axis: call.ints(2)?, edge_order: call.int(3)? },
    )
}

/// `beta input + alpha product`; with a `beta` of 0 the input is not looked at.
pub(crate) fn weighted(call: &mut Call<'_>) -> Out {
    let (input, product) = (tensor(call, 0)?, tensor(call, 1)?);
    if input.dtype() != product.dtype() {
        return Err(runtime(call, "input", "expected all tensors to have the same dtype"));
    }
    let factor = |x: &Array, i: usize| match call.value(i) {
        Value::Int(1) => Ok(x.clone()),
        by => compute!(call, "multiply", [x, by.borrowed()]),
    };
    let input = compute!(call, "broadcast_to", [&input, product.shape()])?;
    match call.value(2).as_scalar().is_some_and(|beta| beta.to_f64() == 0.0) {
        true => Ok(factor(&product, 3)?.into()),
        false => Ok(cast(&f::add(factor(&input, 2)?, factor(&product, 3)?)?, Some(input.dtype()))?.into()),
    }
}

/// Rounded to places after the decimal point, or before it.
pub(crate) fn rounded(call: &mut Call<'_>) -> Out {
    let (x, decimals) = (tensor(call, 0)?, call.int(1)?);
    floating(call, &x)?;
    let scale = 10f64.powi(decimals.unsigned_abs().min(400) as i32);
    Ok(match decimals < 0 {
        true => f::multiply(f::round(f::divide(&x, scale)?)?, scale)?,
        false => f::divide(f::round(f::multiply(&x, scale)?)?, scale)?,
    }
    .into())
}

fn shares(call: &mut Call<'_>, name: &str) -> Out {
    let x = cast(&tensor(call, 0)?, call.dtype(2)?)?;
    let dim = match call.value(1) {
        // What older programs rely on.
        Value::None if matches!(x.ndim(), 0 | 1 | 3) => 0,
        Value::None => 1,
        _ => call.int(1)?,
    };
    let dim = axis(call, dim, x.ndim())? as i64;
    floating(call, &x)?;
    match x.ndim() {
        0 => {
            let line = super::support::reshaped(&x, [1])?;
            let result = compute!(call, name, [&line], axis = 0)?;
            Ok(super::support::reshaped(&result, ivy_core::Shape::default())?.into())
        }
        _ if x.size() == 0 => Ok(x.into()),
        _ => Ok(compute!(call, name, [&x], axis = dim)?.into()),
    }
}

/// The softmax along an axis, of floats.
pub(crate) fn softmax_along(call: &mut Call<'_>) -> Out {
    shares(call, "softmax")
}

/// Its logarithm.
pub(crate) fn log_softmax_along(call: &mut Call<'_>) -> Out {
    shares(call, "log_softmax")
}

/// `x` where it is above 0, else a learned slope times `x`: one slope, or one for each channel.
pub(crate) fn prelu(call: &mut Call<'_>) -> Out {
    let (x, mut slope) = (tensor(call, 0)?, tensor(call, 1)?);
    if slope.dtype() != x.dtype() {
        return Err(runtime(call, "weight", "expected the dtype of the input"));
    }
    if slope.size() > 1 {
        let channels = if x.ndim() > 1 { x.shape()[1] } else { 1 };
        if slope.ndim() != 1 || slope.size() != channels {
            let rule = format!(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and channel size = {channels}.",
                slope.size()
            );
            return Err(runtime(call, "weight", rule));
        }
        let mut shape = vec![1; x.ndim()];
        shape[1] = channels;
        slope = super::support::reshaped(&slope, shape)?;
    }
    Ok(f::where_(f::greater(&x, 0.0)?, &x, f::multiply(&x, &slope)?)?.into())
}

/// `input log1p(other)`, 0 where the input is 0 and `other` is not NaN.
pub(crate) fn x_log1p(call: &mut Call<'_>) -> Out {
    let product = compute!(
        call,
        "multiply",
        [call.value(0).borrowed(), &compute!(call, "log1p", [call.value(1).borrowed()])?]
    )?;
    let zero = compute!(
        call,
        "logical_and",
        [
            &compute!(call, "equal", [call.value(0).borrowed(), 0])?,
            &compute!(call, "logical_not", [&compute!(call, "isnan", [call.value(1).borrowed()])?])?,
        ]
    )?;
    Ok(f::where_(&zero, 0.0, &product)?.into())
}

/// `-x log(x)`, 0 at 0, and minus infinity below.
pub(crate) fn entropy(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    if x.dtype().is_complex() {
        return Err(call.refuse(Fault::Dtype, "input", None, "real numbers are needed"));
    }
    let inner = f::negative(f::xlogy(&x, &x)?)?;
    Ok(f::where_(f::less(&x, 0)?, f64::NEG_INFINITY, &inner)?.into())
}

/// A loss weighted and reduced; the mean is over the weights.
pub(crate) fn reduced(call: &mut Call<'_>) -> Out {
    let loss = tensor(call, 0)?;
    let weight = super::support::optional(call, 1)?;
    let how = checked(call, 2)?.to_string();
    match weight {
        Some(weight) if weight.shape() != loss.shape() => Err(call.refuse(
            ivy_frontend::Fault::Value,
            "weight",
            None,
            "Weights and input must have the same size.",
        )),
        Some(weight) if how == "mean" => {
            Ok(f::divide(f::sum(f::multiply(&loss, &weight)?, ())?, f::sum(&weight, ())?)?.into())
        }
        weight => finish(call, &loss, weight.as_ref(), &how),
    }
}

/// The mean, the sum, or all of the losses, each times its weight.
pub(crate) fn finish(call: &Call<'_>, loss: &Array, weight: Option<&Array>, how: &str) -> Out {
    let weighted = match weight {
        Some(weight) => f::multiply(loss, weight)?,
        None => loss.clone(),
    };
    Ok(match how {
        "none" => weighted,
        "sum" => f::sum(&weighted, ())?,
        "mean" => f::mean(&weighted, ())?,
        _ => {
            return Err(call.refuse(
                ivy_frontend::Fault::Value,
                "reduction",
                Some(&Value::from(how)),
                format!("{how} is not a valid value for reduction"),
            ));
        }
    }
    .into())
}

/// The reduction that a text names.
pub(crate) fn checked<'a>(call: &'a Call<'_>, i: usize) -> Result<&'a str> {
    match call.text(i)? {
        how @ ("none" | "sum" | "mean") => Ok(how),
        how => Err(call.refuse(
            ivy_frontend::Fault::Value,
            "reduction",
            Some(&Value::from(how)),
            format!("{how} is not a valid value for reduction"),
        )),
    }
}

/// An operand in double precision: a number stays one.
pub(crate) fn double(call: &mut Call<'_>) -> Out {
    Ok(match call.value(0).as_array() {
        Some(x) if x.dtype().is_complex() => cast(x, Some(Dtype::COMPLEX128))?.into(),
        Some(x) => cast(x, Some(Dtype::FLOAT64))?.into(),
        None => call.value(0).borrowed().into_owned(),
    })
}

/// `sin(pi z) / (pi z)`, and 1 at 0.
pub(crate) fn complex_sinc(call: &mut Call<'_>) -> Out {
    let z = f::multiply(&tensor(call, 0)?, std::f64::consts::PI)?;
    let zero = f::equal(&z, 0.0)?;
    let inner = f::where_(&zero, 1.0, &z)?;
    Ok(f::where_(&zero, 1.0, f::divide(f::sin(&inner)?, &inner)?)?.into())
}
