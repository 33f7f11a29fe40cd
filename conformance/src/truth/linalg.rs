//! Products of matrices and vectors.

use super::dd::Dd;
use super::num::{Num, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, indices, place};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(vec![match call.function {
        "matmul" => matmul(call)?,
        "vecdot" => vecdot(call)?,
        "tensordot" => tensordot(call)?,
        _ => return None,
    }])
}

/// The sum of products of pairs of numbers.
fn dot(pairs: &[(Num, Num)], dtype: Dtype) -> Value {
    if dtype.is_int() {
        let sum =
            pairs.iter().fold(0i128, |s, (a, b)| s.wrapping_add(wrap(a.int().wrapping_mul(b.int()), dtype)));
        return Value::int(wrap(sum, dtype));
    }
    if dtype.is_complex() && pairs.iter().any(|(a, b)| !a.is_finite() || !b.is_finite()) {
        return Value::Any;
    }
    let d = |x: f64| Dd::from(x);
    let (mut re, mut im, mut mass) = (d(0.0), d(0.0), 0.0);
    for (a, b) in pairs {
        re = re + d(a.re()) * d(b.re());
        if dtype.is_complex() {
            re = re - d(a.im()) * d(b.im());
            im = im + d(a.re()) * d(b.im()) + d(a.im()) * d(b.re());
        }
        mass += a.magnitude() * b.magnitude();
    }
    Value::sum(re, im, mass, pairs.len())
}

fn matmul(call: &Call<'_>) -> Option<Truth> {
    let (mut a, mut b) = (call.operand(0)?, call.operand(1)?);
    let (row, column) = (a.shape.len() == 1, b.shape.len() == 1);
    if row {
        a.shape.insert(0, 1);
    }
    if column {
        b.shape.push(1);
    }
    let (na, nb) = (a.shape.len(), b.shape.len());
    let (m, k, n) = (a.shape[na - 2], a.shape[na - 1], b.shape[nb - 1]);
    let lead = broadcast(&[&a.shape[..na - 2], &b.shape[..nb - 2]])?;
    let mut shape = lead.clone();
    shape.extend([m, n]);
    // The index of an operand's matrix: its leading axes broadcast.
    let own = |t: &Tensor, index: &[usize]| -> Vec<usize> {
        let leading = &t.shape[..t.shape.len() - 2];
        let skip = lead.len() - leading.len();
        leading.iter().zip(&index[skip..]).map(|(&n, &i)| if n == 1 { 0 } else { i }).collect()
    };
    let value = |index: Vec<usize>| {
        let (i, j) = (index[lead.len()], index[lead.len() + 1]);
        let at = |t: &Tensor, r: usize, c: usize| {
            let mut index = own(t, &index[..lead.len()]);
            index.extend([r, c]);
            t.data[place(&index, &t.shape)]
        };
        let pairs: Vec<_> = (0..k).map(|l| (at(&a, i, l), at(&b, l, j))).collect();
        dot(&pairs, call.compute)
    };
    let data = indices(&shape).map(value).collect();
    if column {
        shape.pop();
    }
    if row {
        shape.remove(lead.len());
    }
    Some(Truth { dtype: call.output(0), shape, data })
}

fn vecdot(call: &Call<'_>) -> Option<Truth> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let from_end = call.int("axis").unwrap_or(-1);
    let split = |t: &Tensor| {
        let at = axis(from_end, t.shape.len());
        let mut rest = t.shape.clone();
        (at, rest.remove(at), rest)
    };
    let ((at_a, n, rest_a), (at_b, _, rest_b)) = (split(&a), split(&b));
    let shape = broadcast(&[&rest_a, &rest_b])?;
    let pick = |t: &Tensor, at: usize, rest: &[usize], index: &[usize], l: usize| {
        let own = &index[index.len() - rest.len()..];
        let mut own: Vec<usize> = own.iter().zip(rest).map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
        own.insert(at, l);
        t.data[place(&own, &t.shape)]
    };
    let value = |index: Vec<usize>| {
        let pair = |l: usize| {
            let x = pick(&a, at_a, &rest_a, &index, l);
            let conjugate = match x {
                Num::Complex(re, im) => Num::Complex(re, -im),
                real => real,
            };
            (conjugate, pick(&b, at_b, &rest_b, &index, l))
        };
        dot(&(0..n).map(pair).collect::<Vec<_>>(), call.compute)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

/// `axes=n`: the last n axes of the first with the first n of the second; two lists: the axes of
/// the one with those of the other.
fn tensordot(call: &Call<'_>) -> Option<Truth> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let (na, nb) = (a.shape.len(), b.shape.len());
    let (left, right): (Vec<usize>, Vec<usize>) = match call.keyword("axes") {
        Some(ParamValue::IntLists(lists)) => {
            let of = |i: usize, n: usize| lists[i].iter().map(|&x| axis(x, n)).collect();
            (of(0, na), of(1, nb))
        }
        _ => {
            let n = call.int("axes").unwrap_or(2) as usize;
            ((na - n..na).collect(), (0..n).collect())
        }
    };
    let free = |n: usize, used: &[usize]| (0..n).filter(|a| !used.contains(a)).collect::<Vec<_>>();
    let (free_a, free_b) = (free(na, &left), free(nb, &right));
    let inner: Vec<usize> = left.iter().map(|&x| a.shape[x]).collect();
    let shape: Vec<usize> =
        free_a.iter().map(|&x| a.shape[x]).chain(free_b.iter().map(|&x| b.shape[x])).collect();
    let at = |t: &Tensor, free: &[usize], outer: &[usize], used: &[usize], inner: &[usize]| {
        let mut index = vec![0; t.shape.len()];
        free.iter().zip(outer).for_each(|(&a, &i)| index[a] = i);
        used.iter().zip(inner).for_each(|(&a, &i)| index[a] = i);
        t.data[place(&index, &t.shape)]
    };
    let value = |index: Vec<usize>| {
        let (ia, ib) = index.split_at(free_a.len());
        let pairs: Vec<_> = indices(&inner)
            .map(|l| (at(&a, &free_a, ia, &left, &l), at(&b, &free_b, ib, &right, &l)))
            .collect();
        dot(&pairs, call.compute)
    };
    Some(Truth { dtype: call.output(0), shape: shape.clone(), data: indices(&shape).map(value).collect() })
}
