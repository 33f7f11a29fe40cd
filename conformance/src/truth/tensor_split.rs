//! Splits, flips, expanded shapes and filled diagonals.

use super::num::{Num, cast};
use super::{Call, Tensor, Truth, axis, indices, place, spread};
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "tensor_split" => {
            let ndim = call.operand(0)?.shape.len();
            split(call, axis(call.int("axis").unwrap_or(0), ndim))?
        }
        "vsplit" => split(call, 0)?,
        "hsplit" if call.operand(0)?.shape.len() == 1 => split(call, 0)?,
        "hsplit" => split(call, 1)?,
        "dsplit" => split(call, 2)?,
        "flipud" => vec![flip(call, 0)?],
        "fliplr" => vec![flip(call, 1)?],
        "expand" => vec![expand(call)?],
        "fill_diagonal" => vec![fill_diagonal(call)?],
        _ => return None,
    })
}

fn picked(call: &Call<'_>, x: &Tensor, shape: Vec<usize>, from: impl Fn(Vec<usize>) -> Vec<usize>) -> Truth {
    let data = indices(&shape).map(|index| x.data[place(&from(index), &x.shape)]).collect();
    call.exact(shape, data)
}

fn split(call: &Call<'_>, at: usize) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let len = x.shape[at] as i64;
    let mut bounds = vec![0];
    match call.keyword("indices_or_sections")? {
        ParamValue::Int(n) => bounds.extend((1..*n).map(|k| k * (len / n) + k.min(len % n))),
        ParamValue::Ints(list) => {
            bounds.extend(list.iter().map(|&p| if p < 0 { (p + len).max(0) } else { p.min(len) }));
        }
        _ => return None,
    }
    bounds.push(len);
    let part = |pair: &[i64]| {
        let mut shape = x.shape.clone();
        shape[at] = (pair[1] - pair[0]).max(0) as usize;
        picked(call, &x, shape, |mut index| {
            index[at] += pair[0] as usize;
            index
        })
    };
    Some(bounds.windows(2).map(part).collect())
}

fn flip(call: &Call<'_>, at: i64) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(at, x.shape.len());
    Some(picked(call, &x, x.shape.clone(), |mut index| {
        index[at] = x.shape[at] - 1 - index[at];
        index
    }))
}

fn expand(call: &Call<'_>) -> Option<Truth> {
    let (x, asked) = (call.operand(0)?, call.ints("shape")?);
    let more = asked.len() - x.shape.len();
    let shape: Vec<usize> =
        asked.iter().enumerate().map(|(a, &d)| if d < 0 { x.shape[a - more] } else { d as usize }).collect();
    let data = spread(&x.shape, &shape).into_iter().map(|p| x.data[p]).collect();
    Some(call.exact(shape, data))
}

fn fill_diagonal(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let value = cast(call.given(1)?.data[0], call.compute);
    let wrap = call.flag("wrap") && x.shape.len() == 2;
    let on = |index: &[usize]| match wrap {
        // Blocks of as many rows as there are columns, and one row between them.
        true => index[0] % (x.shape[1] + 1) == index[1],
        false => index.iter().all(|i| *i == index[0]),
    };
    let data: Vec<Num> =
        indices(&x.shape).zip(&x.data).map(|(index, &x)| if on(&index) { value } else { x }).collect();
    Some(call.exact(x.shape.clone(), data))
}
