//! The truth of decompositions: results are put into the definition, and what is left over is
//! measured in units of the bound, `16 n eps` of the operands' norm.

use super::dense::Dense;
use super::value::Value;
use super::{Call, Tensor, Truth, broadcast};
use ivy_core::finfo;
use ivy_core::function::ParamValue;
use num_complex::Complex64 as C;

/// What residuals of matrices with sides up to `n` and norm 1 may be.
fn unit(call: &Call<'_>, n: usize) -> f64 {
    16.0 * n.max(1) as f64 * finfo(call.compute.real_part()).expect("a float dtype").eps
}

/// Dtypes and shapes of the results; their elements are judged by [`error`].
pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let [lead @ .., m, n] = &x.shape[..] else { return None };
    let (lead, m, n) = (lead.to_vec(), *m, *n);
    let k = m.min(n);
    let with = |rest: &[usize]| [&lead[..], rest].concat();
    let shapes: Vec<Vec<usize>> = match call.function {
        "cholesky" | "inv" => vec![with(&[n, n])],
        "eigh" | "eig" => vec![with(&[n]), with(&[n, n])],
        "eigvalsh" | "eigvals" => vec![with(&[n])],
        "svdvals" => vec![with(&[k])],
        "pinv" => vec![with(&[n, m])],
        "qr" => {
            let inner = if complete(call) { m } else { k };
            vec![with(&[m, inner]), with(&[inner, n])]
        }
        "svd" => {
            let (rows, columns) = if full(call) { (m, n) } else { (k, k) };
            vec![with(&[m, rows]), with(&[k]), with(&[columns, n])]
        }
        "lu_factor" => vec![with(&[n, n]), with(&[n])],
        "slogdet" => vec![lead.clone(), lead.clone()],
        "det" => vec![lead.clone()],
        "solve" => {
            let b = call.operand(1)?;
            match &b.shape[..] {
                [_] => vec![with(&[n])],
                [own @ .., _, columns] => {
                    let mut shape = broadcast(&[&lead, own])?;
                    shape.extend([n, *columns]);
                    vec![shape]
                }
                [] => return None,
            }
        }
        _ => return None,
    };
    let any = |(i, shape): (usize, Vec<usize>)| {
        let data = vec![Value::Any; shape.iter().product()];
        Truth { dtype: call.output(i), shape, data }
    };
    Some(shapes.into_iter().enumerate().map(any).collect())
}

fn complete(call: &Call<'_>) -> bool {
    matches!(call.keyword("mode"), Some(ParamValue::Text(mode)) if mode == "complete")
}

fn full(call: &Call<'_>) -> bool {
    !matches!(call.keyword("full_matrices"), Some(ParamValue::Bool(false)))
}

/// How far results are from what the definition says, in units of the bound: at most 1 is right.
/// `None` for functions whose results are judged one by one.
pub fn error(call: &Call<'_>, results: &[Tensor]) -> Option<f64> {
    evaluate(call)?;
    let x = call.operand(0)?;
    let matrices = Dense::stack(&x);
    let of = |i: usize| results.get(i);
    let stack = |i: usize| of(i).map(Dense::stack);
    let columns = |i: usize| of(i).map(Dense::columns);
    let scalars = |i: usize| of(i).map(|t| t.data.iter().map(|v| C::new(v.re(), v.im())).collect::<Vec<C>>());
    let mut worst = 0.0f64;
    let mut judge = |residual: f64, allowed: f64| {
        // A comparison that NaN does not pass.
        let units = if residual <= 0.0 { 0.0 } else { residual / allowed };
        worst = if units.is_nan() { f64::INFINITY } else { worst.max(units) };
    };
    let size = |a: &Dense| unit(call, a.m.max(a.n));
    if call.function == "solve" {
        solved(call, &x, of(0)?, &mut judge)?;
        return Some(worst);
    }
    for (i, a) in matrices.iter().enumerate() {
        let (u, norm) = (size(a), a.norm());
        match call.function {
            "cholesky" => {
                let l = &stack(0)?[i];
                let upper = matches!(call.keyword("upper"), Some(ParamValue::Bool(true)));
                let l = if upper { l.adjoint() } else { l.clone() };
                let h = a.hermitian();
                judge(l.times(&l.adjoint()).minus(&h).norm(), u * h.norm());
                judge(above(&l), 0.0);
            }
            "lu_factor" => {
                let (packed, order) = (&stack(0)?[i], &columns(1)?[i]);
                let (lower, upper) = (triangle(packed, false), triangle(packed, true));
                let row = |i: usize| order.data[i].re as usize;
                let ordered = Dense::new(a.m, a.n, |i, j| a.at(row(i), j));
                judge(lower.times(&upper).minus(&ordered).norm(), u * norm);
                let mut rows: Vec<usize> = (0..a.m).map(row).collect();
                rows.sort_unstable();
                judge(f64::from(u8::from(rows != (0..a.m).collect::<Vec<_>>())), 0.0);
                judge((lower.data.iter().fold(1.0f64, |m, x| m.max(x.norm())) - 1.0).max(0.0), u);
            }
            "inv" => {
                let y = &stack(0)?[i];
                judge(a.times(y).minus(&Dense::eye(a.n)).norm(), u * norm * y.norm());
            }
            "pinv" => {
                let y = &stack(0)?[i];
                let (xy, yx, other) = (a.times(y), y.times(a), y.norm());
                judge(xy.times(a).minus(a).norm(), u * norm * norm * other);
                judge(yx.times(y).minus(y).norm(), u * norm * other * other);
                judge(xy.minus(&xy.adjoint()).norm(), u * norm * other);
                judge(yx.minus(&yx.adjoint()).norm(), u * norm * other);
            }
            "eigh" => {
                let (w, v, h) = (&columns(0)?[i], &stack(1)?[i], a.hermitian());
                let scaled = v.times(&Dense::diagonal(a.n, a.n, w));
                judge(h.times(v).minus(&scaled).norm(), u * h.norm());
                judge(v.adjoint().times(v).minus(&Dense::eye(a.n)).norm(), u);
                judge(disorder(w, 1.0), 0.0);
            }
            "eigvalsh" => {
                let (w, truth) = (&columns(0)?[i], a.eigenvalues());
                truth.iter().zip(&w.data).for_each(|(t, w)| judge((w - t).norm(), u * a.hermitian().norm()));
                judge(disorder(w, 1.0), 0.0);
            }
            "eig" => {
                let (w, v) = (&columns(0)?[i], &stack(1)?[i]);
                let scaled = v.times(&Dense::diagonal(a.n, a.n, w));
                judge(a.times(v).minus(&scaled).norm(), u * norm * (a.n as f64).sqrt());
                for j in 0..a.n {
                    let length = (0..a.n).map(|i| v.at(i, j).norm_sqr()).sum::<f64>().sqrt();
                    judge((length - 1.0).abs(), u);
                }
            }
            "eigvals" => {
                let w = &columns(0)?[i];
                for value in &w.data {
                    let shifted =
                        Dense::new(a.n, a.n, |i, j| a.at(i, j) - if i == j { *value } else { C::ZERO });
                    judge(shifted.singular_values().last().copied().unwrap_or(0.0), u * norm);
                }
                let trace: C = (0..a.n).map(|i| a.at(i, i)).sum();
                judge((w.data.iter().sum::<C>() - trace).norm(), u * norm * a.n as f64);
            }
            "svdvals" => {
                let (s, truth) = (&columns(0)?[i], a.singular_values());
                truth.iter().zip(&s.data).for_each(|(t, s)| judge((s - t).norm(), u * norm));
                judge(disorder(s, -1.0), 0.0);
            }
            "qr" => {
                let (q, r) = (&stack(0)?[i], &stack(1)?[i]);
                judge(q.times(r).minus(a).norm(), u * norm);
                judge(q.adjoint().times(q).minus(&Dense::eye(q.n)).norm(), u);
                judge(above(&r.adjoint()), 0.0);
            }
            "svd" => {
                let (left, s, vh) = (&stack(0)?[i], &columns(1)?[i], &stack(2)?[i]);
                let middle =
                    Dense::new(left.n, vh.m, |i, j| if i == j && i < s.m { s.data[i] } else { C::ZERO });
                judge(left.times(&middle).times(vh).minus(a).norm(), u * norm);
                judge(left.adjoint().times(left).minus(&Dense::eye(left.n)).norm(), u);
                judge(vh.times(&vh.adjoint()).minus(&Dense::eye(vh.m)).norm(), u);
                judge(disorder(s, -1.0), 0.0);
            }
            "det" => judge((scalars(0)?[i] - a.det()).norm(), u * rows(a)),
            "slogdet" => {
                let (sign, log, det) = (scalars(0)?[i], scalars(1)?[i].re, a.det());
                judge((sign * log.exp() - det).norm(), u * rows(a) * (1.0 + log.abs().min(1e3)));
            }
            _ => return None,
        }
    }
    Some(worst)
}

/// What a product of the rows' norms bounds: the determinant.
fn rows(a: &Dense) -> f64 {
    let norm = |i: usize| (0..a.n).map(|j| a.at(i, j).norm_sqr()).sum::<f64>().sqrt().max(1e-3);
    (0..a.m).map(norm).product()
}

/// A factor of a matrix that holds both: the upper triangle, or the lower one with ones on the diagonal.
fn triangle(packed: &Dense, upper: bool) -> Dense {
    Dense::new(packed.m, packed.n, |i, j| match (i.cmp(&j), upper) {
        (std::cmp::Ordering::Equal, false) => C::ONE,
        (std::cmp::Ordering::Equal | std::cmp::Ordering::Less, true) => packed.at(i, j),
        (std::cmp::Ordering::Greater, false) => packed.at(i, j),
        _ => C::ZERO,
    })
}

/// The elements above the diagonal, which are to be zero.
fn above(a: &Dense) -> f64 {
    Dense::new(a.m, a.n, |i, j| if j > i { a.at(i, j) } else { C::ZERO }).norm()
}

/// By how much values are out of order; `direction` is 1 for ascending ones.
fn disorder(values: &Dense, direction: f64) -> f64 {
    let step = |w: &[C]| ((w[0].re - w[1].re) * direction).max(0.0);
    values.data.windows(2).map(step).sum()
}

fn solved(call: &Call<'_>, a: &Tensor, got: &Tensor, judge: &mut dyn FnMut(f64, f64)) -> Option<()> {
    let b = call.operand(1)?;
    let is_column = b.shape.len() == 1;
    let (stack, right, found) = match is_column {
        true => (Dense::stack(a), Dense::columns(&b), Dense::columns(got)),
        false => (Dense::stack(a), Dense::stack(&b), Dense::stack(got)),
    };
    let lead = &got.shape[..got.shape.len() - if is_column { 1 } else { 2 }];
    let own = |x: &Tensor| x.shape[..x.shape.len().saturating_sub(2)].to_vec();
    let (of_a, of_b) = (super::spread(&own(a), lead), super::spread(&own(&b), lead));
    for (i, x) in found.iter().enumerate() {
        let (a, b) = (&stack[of_a[i]], &right[of_b[i]]);
        judge(a.times(x).minus(b).norm(), unit(call, a.n) * (a.norm() * x.norm() + b.norm()));
    }
    Some(())
}
