//! Updates that say what stood before them: one after the other.

use super::num::{Num, cast, wrap};
use super::scatter::{from_end, is_left_out};
use super::value::Value;
use super::{Call, Truth, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    // The operands: compared ones, values, and then indices.
    let at = match call.function {
        "scatter_inc" => 1,
        "scatter_exch" => 2,
        "scatter_cas" => 3,
        _ => return None,
    };
    let (mut target, indices) = (call.operand(0)?, call.given(at)?);
    let given = |i: usize| {
        let x = call.operand(i)?;
        let places = spread(&x.shape, &indices.shape);
        Some(places.into_iter().map(|p| x.data[p]).collect::<Vec<Num>>())
    };
    let zero = cast(Num::Int(0), call.compute);
    let (mut old, mut swapped) = (Vec::new(), Vec::new());
    for (i, &index) in indices.data.iter().enumerate() {
        if is_left_out(call, at + 1, &indices.shape, i) {
            old.push(zero);
            swapped.push(false);
            continue;
        }
        let place = from_end(index, target.data.len());
        let before = target.data[place];
        let equal = at < 3 || same(before, given(1)?[i]);
        old.push(before);
        swapped.push(equal);
        match at {
            1 => target.data[place] = Num::Int(wrap(before.int() + 1, call.compute)),
            _ if equal => target.data[place] = given(at - 1)?[i],
            _ => {}
        }
    }
    let exact = |data: Vec<Num>| data.into_iter().map(Value::Exact).collect();
    let shape = indices.shape;
    let mut all = vec![Truth { dtype: call.output(0), shape: shape.clone(), data: exact(old) }];
    if at == 3 {
        let data = swapped.into_iter().map(Value::truth).collect();
        all.push(Truth { dtype: call.output(1), shape, data });
    }
    let dtype = call.output(all.len());
    all.push(Truth { dtype, shape: target.shape, data: exact(target.data) });
    Some(all)
}

/// Equal, as numbers are: zeros of either sign, and no NaN.
fn same(a: Num, b: Num) -> bool {
    match (a, b) {
        (Num::Int(a), Num::Int(b)) => a == b,
        (Num::Bool(a), Num::Bool(b)) => a == b,
        _ => a.re() == b.re() && a.im() == b.im(),
    }
}
