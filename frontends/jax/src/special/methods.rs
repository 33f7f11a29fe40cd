//! Methods of arrays that give host values.

use super::support::{Out, array, core};
use ivy_core::Result;
use ivy_core::host::HostArray;
use ivy_frontend::{Call, Fault, Value, kw};

/// `itemsize(x)`
pub(crate) fn itemsize(call: &mut Call<'_>) -> Out {
    Ok(call.array(0)?.dtype().bits().div_ceil(8).into())
}

/// `method_reshape(x, args, order)`: the shape as one argument, or as several.
pub(crate) fn method_reshape(call: &mut Call<'_>) -> Out {
    let to = match call.value(1).items() {
        Some([one]) if one.items().is_some() => one.clone().into_owned(),
        Some(all) => Value::Tuple(all.iter().map(|v| v.clone().into_owned()).collect()),
        None => call.value(1).clone().into_owned(),
    };
    call.row("numpy.reshape", &[call.value(0).borrowed(), to], kw! { order: call.value(2) })
}

/// `item(x, args)`: the only element, or that of an index.
pub(crate) fn item(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let one = match call.value(1).items().unwrap_or_default() {
        [] => x,
        [Value::Int(at)] => {
            super::support::get(call, &core!(call, "reshape", &x, [-1i64])?, Value::Int(*at))?
        }
        key => {
            super::support::get(call, &x, Value::Tuple(key.iter().map(|v| v.clone().into_owned()).collect()))?
        }
    };
    let one = array(call, &one)?;
    if one.size() != 1 {
        return Err(call.refuse(
            Fault::Value,
            "",
            Some(call.value(0)),
            "only arrays of one element are scalars",
        ));
    }
    Ok(one.to_scalar()?.into())
}

/// `tolist(x)`: nested lists of numbers; a number without axes.
pub(crate) fn tolist(call: &mut Call<'_>) -> Out {
    fn level(host: &HostArray, lengths: &[usize], next: &mut usize) -> Out {
        let Some((&length, rest)) = lengths.split_first() else {
            *next += 1;
            return Ok(host.scalar_at(*next - 1)?.into());
        };
        (0..length).map(|_| level(host, rest, next)).collect::<Result<_>>().map(Value::List)
    }
    let x = call.array(0)?;
    level(&x.to_host()?, x.shape(), &mut 0)
}

/// `wait(x)`: the array, when it is computed.
pub(crate) fn wait(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    ivy_core::functional::wait([&x])?;
    Ok(x.into())
}
