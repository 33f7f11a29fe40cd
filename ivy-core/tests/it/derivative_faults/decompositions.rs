//! First and second derivatives of linear algebra where singular values are equal or zero, where rows are exchanged, and
//! at the identity.

use super::formulas::{cell, same, square, vector};
use super::{a, close, first, host, v};
use ivy::prelude::*;
use ivy::{Result, linalg};

fn matrix(rows: &[&[f64]]) -> Array {
    Array::from_vec(rows.concat(), [rows.len(), rows[0].len()]).unwrap()
}

/// The determinant by its expansion along the first row.
fn expanded(x: &Array) -> Result<Array> {
    let n = x.shape()[0];
    if n == 1 {
        return cell(x, 0, 0);
    }
    let mut total = a(0.0);
    for j in 0..n {
        let columns: Vec<i64> = (0..n).filter(|&k| k != j).map(|k| k as i64).collect();
        let columns = Array::from_vec(columns, n - 1)?;
        let minor = ivy::take(x.get(ivy::s![1..])?, columns, ivy::Take::new().axis(1))?;
        let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
        let term = ivy::multiply(ivy::multiply(cell(x, 0, j as i64)?, expanded(&minor)?)?, sign)?;
        total = ivy::add(total, term)?;
    }
    Ok(total)
}

#[test]
fn determinants_of_every_rank() {
    let points: [&[&[f64]]; 14] = [
        &[&[3.0]],
        &[&[0.0]],
        &[&[2.0, 1.0], &[5.0, 3.0]],
        &[&[1.0, 0.0], &[0.0, 1.0]],
        &[&[0.0, 1.0], &[1.0, 0.0]],
        &[&[1.0, 2.0], &[2.0, 4.0]],
        &[&[0.0, 1.0], &[0.0, 0.0]],
        &[&[0.0, 0.0], &[0.0, 0.0]],
        &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]],
        &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &[7.0, 8.0, 9.0]],
        &[&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0]],
        &[&[0.0; 3], &[0.0; 3], &[0.0; 3]],
        &[&[2.0, 0.0, 0.0], &[0.0, 2.0, 0.0], &[0.0, 0.0, 0.0]],
        &[&[1e-8, 0.0, 0.0], &[0.0, -3e4, 0.0], &[0.0, 0.0, 2.0]],
    ];
    for point in points {
        same("det", &|x| linalg::det(x), &expanded, &matrix(point));
    }
    // Of nullity 2, 3 and 4: the first derivative that is not zero is of as many orders.
    let ones = |n: usize| ivy::eye(n, Dtype::FLOAT64).unwrap();
    for (n, rank) in [(4, 2), (3, 0), (4, 0)] {
        let kept = ivy::less(ivy::arange(n as i64, Dtype::INT64).unwrap(), rank).unwrap();
        let x = ivy::multiply(ones(n), ivy::astype(kept, Dtype::FLOAT64).unwrap()).unwrap();
        same("det", &|x| linalg::det(x), &expanded, &x);
        let step = |f: fn(&Array) -> Result<Array>| {
            let along = |t: &Array| f(&ivy::add(&x, ivy::multiply(ones(n), t)?)?);
            let d1 = |t: &Array| Ok(ivy::jvp(along, t, &a(1.0))?.1);
            let d2 = |t: &Array| Ok(ivy::jvp(d1, t, &a(1.0))?.1);
            let d3 = |t: &Array| Ok(ivy::jvp(d2, t, &a(1.0))?.1);
            let d4 = ivy::jvp(d3, &a(0.0), &a(1.0)).unwrap();
            [host(d4.0)[0], host(d4.1)[0]]
        };
        close(step(|x| linalg::det(x)).to_vec(), &step(expanded));
    }
    // Each matrix of a stack by its own rank, and complex ones.
    let stack = ivy::stack(&[ones(2), ivy::zeros([2, 2], Dtype::FLOAT64).unwrap()], ()).unwrap();
    let gradient = ivy::grad(|x: &Array| ivy::sum(linalg::det(x)?, ()));
    let total = host(ivy::grad(|x: &Array| ivy::sum(ivy::square(gradient(x)?)?, ()))(&stack).unwrap());
    close(total, &[2.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    let turned = |x: &Array| {
        let x = ivy::multiply(ivy::astype(x, Dtype::COMPLEX128)?, num_complex::Complex64::I)?;
        ivy::real(linalg::det(x)?)
    };
    let negative = |x: &Array| ivy::negative(linalg::det(x)?);
    for x in [ones(2), ivy::zeros([2, 2], Dtype::FLOAT64).unwrap()] {
        same("det of i x", &turned, &negative, &x);
    }
    let empty = ivy::zeros([0, 0], Dtype::FLOAT64).unwrap();
    assert_eq!(ivy::grad(|x: &Array| linalg::det(x))(&empty).unwrap().shape()[..], [0, 0]);
}

fn det2(x: &Array) -> Result<Array> {
    ivy::subtract(
        ivy::multiply(cell(x, 0, 0)?, cell(x, 1, 1)?)?,
        ivy::multiply(cell(x, 0, 1)?, cell(x, 1, 0)?)?,
    )
}

fn inv2(x: &Array) -> Result<Array> {
    let negative = |i, j| ivy::negative(cell(x, i, j)?);
    let cofactors = square([cell(x, 1, 1), negative(0, 1), negative(1, 0), cell(x, 0, 0)])?;
    ivy::divide(cofactors, det2(x)?)
}

const IDENTITY: [&[f64]; 2] = [&[1.0, 0.0], &[0.0, 1.0]];
const EXCHANGE: [&[f64]; 2] = [&[0.0, 1.0], &[1.0, 0.0]];

#[test]
fn inverses_and_solutions() {
    let b = v(&[1.0, -2.0]);
    for point in [IDENTITY, EXCHANGE, [&[-2.0, 1.0], &[5.0, 3.0]]] {
        let x = matrix(&point);
        same("inv", &|x| linalg::inv(x), &inv2, &x);
        same("pinv", &|x| linalg::pinv(x, ()), &inv2, &x);
        same("matrix_power", &|x| linalg::matrix_power(x, -1), &inv2, &x);
        same("solve", &|x| linalg::solve(x, &b), &|x| ivy::matmul(inv2(x)?, &b), &x);
        let size = |x: &Array| ivy::log(ivy::abs(det2(x)?)?);
        same("slogdet", &|x| Ok(linalg::slogdet(x)?.logabsdet), &size, &x);
        same("solve by b", &|b| linalg::solve(&x, b), &|b| ivy::matmul(inv2(&x)?, b), &v(&[0.0, 0.0]));
    }
    for point in [[&[0.0, 0.0][..], &[0.0, 0.0]], IDENTITY, [&[0.0, 1.0], &[0.0, 0.0]]] {
        let x = matrix(&point);
        let cube = |x: &Array| ivy::matmul(ivy::matmul(x, x)?, x);
        same("matrix_power", &|x| linalg::matrix_power(x, 3), &cube, &x);
    }
    // At a constant rank: of a vector as a matrix, x / |x|^2.
    let of_vector = |x: &Array| {
        let squares = ivy::sum(ivy::square(x)?, ())?;
        ivy::matrix_transpose(ivy::divide(x, squares)?)
    };
    for point in [&[&[2.0, 0.0][..]][..], &[&[1.0], &[-2.0]], &[&[1.0, 1.0, 0.0]]] {
        same("pinv", &|x| linalg::pinv(x, ()), &of_vector, &matrix(point));
    }
    let nothing = ivy::grad(|x: &Array| ivy::sum(linalg::pinv(x, ())?, ()));
    close(host(nothing(&ivy::zeros([2, 3], Dtype::FLOAT64).unwrap()).unwrap()), &[0.0; 6]);
}

fn symmetric(x: &Array) -> Result<Array> {
    ivy::multiply(ivy::add(x, ivy::matrix_transpose(x)?)?, 0.5)
}

#[test]
fn factors() {
    let lower = |x: &Array| {
        let x = symmetric(x)?;
        let first = ivy::sqrt(cell(&x, 0, 0)?)?;
        let below = ivy::divide(cell(&x, 1, 0)?, &first)?;
        let last = ivy::sqrt(ivy::subtract(cell(&x, 1, 1)?, ivy::square(&below)?)?);
        square([Ok(first), Ok(a(0.0)), Ok(below), last])
    };
    for point in [IDENTITY, [&[4.0, 2.0], &[2.0, 3.0]]] {
        let x = matrix(&point);
        same("cholesky", &|x| linalg::cholesky(x, ()), &lower, &x);
        let upper = |x: &Array| linalg::cholesky(x, linalg::Cholesky::new().upper());
        same("cholesky", &upper, &|x| ivy::matrix_transpose(lower(x)?), &x);
    }
    // Without and with rows exchanged.
    for (point, exchanged) in [
        (IDENTITY, false),
        (EXCHANGE, true),
        ([&[5.0, 3.0], &[2.0, 1.0]], false),
        ([&[2.0, 1.0], &[5.0, 3.0]], true),
    ] {
        let by_rows = move |x: &Array| {
            let (top, low) = if exchanged { (1, 0) } else { (0, 1) };
            let factor = ivy::divide(cell(x, low, 0)?, cell(x, top, 0)?)?;
            let last = ivy::subtract(cell(x, low, 1)?, ivy::multiply(&factor, cell(x, top, 1)?)?);
            square([cell(x, top, 0), cell(x, top, 1), Ok(factor), last])
        };
        same("lu_factor", &|x| Ok(ivy::lu_factor(x)?.lu), &by_rows, &matrix(&point));
    }
    // The columns made orthonormal one after the other; signs are the decomposition's own, which is linear in the columns.
    for point in [IDENTITY, EXCHANGE, [&[2.0, 1.0], &[5.0, 3.0]]] {
        let x = matrix(&point);
        let signs = ivy::sign(linalg::diagonal(linalg::qr(&x, ()).unwrap().r, ()).unwrap()).unwrap();
        let orthonormal = |x: &Array| {
            let column = |j: i64| ivy::take(x, Array::from_vec(vec![j], 1)?, ivy::Take::new().axis(1));
            let unit = |c: &Array| ivy::divide(c, ivy::sqrt(ivy::sum(ivy::square(c)?, ())?)?);
            let (q0, c1) = (unit(&column(0)?)?, column(1)?);
            let along = ivy::multiply(&q0, ivy::sum(ivy::multiply(&q0, &c1)?, ())?)?;
            let q1 = unit(&ivy::subtract(c1, along)?)?;
            ivy::multiply(ivy::concat(&[q0, q1], ivy::Concat::new().axis(1))?, &signs)
        };
        same("qr", &|x| Ok(linalg::qr(x, ())?.q), &orthonormal, &x);
        let triangle = |x: &Array| ivy::matmul(ivy::matrix_transpose(orthonormal(x)?)?, x);
        same("qr", &|x| ivy::triu(linalg::qr(x, ())?.r, ()), &triangle, &x);
    }
}

/// The eigenvalues of the symmetric part of a matrix, ascending.
fn eigenvalues(x: &Array) -> Result<Array> {
    let x = symmetric(x)?;
    let mean = ivy::multiply(ivy::add(cell(&x, 0, 0)?, cell(&x, 1, 1)?)?, 0.5)?;
    let half = ivy::multiply(ivy::subtract(cell(&x, 0, 0)?, cell(&x, 1, 1)?)?, 0.5)?;
    let root = ivy::sqrt(ivy::add(ivy::square(half)?, ivy::square(cell(&x, 0, 1)?)?)?)?;
    vector([ivy::subtract(&mean, &root), ivy::add(&mean, &root)])
}

#[test]
fn eigenvalues_and_singular_values() {
    for point in
        [[&[1.0, 0.0][..], &[0.0, 3.0]], [&[3.0, 0.0], &[0.0, 1.0]], EXCHANGE, [&[0.0, 0.0], &[0.0, 1.0]]]
    {
        let x = matrix(&point);
        same("eigvalsh", &|x| linalg::eigvalsh(x), &eigenvalues, &x);
        same("eigh", &|x| Ok(linalg::eigh(x)?.eigenvalues), &eigenvalues, &x);
        // The projection upon the last eigenvector, which has no sign.
        let projection = |x: &Array| {
            let last = linalg::eigh(x)?.eigenvectors.get(ivy::s![.., 1..])?;
            ivy::matmul(&last, ivy::matrix_transpose(&last)?)
        };
        let by_values = |x: &Array| {
            let values = eigenvalues(x)?;
            let (low, high) = (values.get(ivy::s![0])?, values.get(ivy::s![1])?);
            let unit = ivy::multiply(ivy::eye(2, Dtype::FLOAT64)?, &low)?;
            ivy::divide(ivy::subtract(symmetric(x)?, unit)?, ivy::subtract(high, low)?)
        };
        same("eigh", &projection, &by_values, &x);
    }
    let values = |x: &Array| {
        let (squares, twice) = (ivy::sum(ivy::square(x)?, ())?, ivy::multiply(det2(x)?, 2.0)?);
        let (sum, difference) =
            (ivy::sqrt(ivy::add(&squares, &twice)?)?, ivy::sqrt(ivy::subtract(&squares, &twice)?)?);
        let low = ivy::abs(ivy::subtract(&sum, &difference)?)?;
        ivy::multiply(vector([ivy::add(&sum, &difference), Ok(low)])?, 0.5)
    };
    for point in [[&[3.0, 0.0][..], &[0.0, 1.0]], [&[0.0, 2.0], &[1.0, 0.0]], [&[1.0, 2.0], &[3.0, -4.0]]] {
        let x = matrix(&point);
        same("svdvals", &|x| linalg::svdvals(x), &values, &x);
        let norm = |ord| move |x: &Array| linalg::matrix_norm(x, linalg::MatrixNorm::new().ord(ord));
        same("matrix_norm", &norm(linalg::MatrixOrder::Two), &|x| values(x)?.get(ivy::s![0]), &x);
        same("matrix_norm", &norm(linalg::MatrixOrder::Nuclear), &|x| ivy::sum(values(x)?, ()), &x);
        let rebuilt = |x: &Array| {
            let parts = linalg::svd(x, linalg::SvdParams::new().full_matrices(false))?;
            ivy::matmul(ivy::multiply(parts.u, parts.s)?, parts.vh)
        };
        same("svd", &rebuilt, &|x| ivy::positive(x), &x);
    }
    // Where values are equal they are not differentiable twice; once, their sum is.
    close(first(|x| linalg::eigvalsh(x), &matrix(&IDENTITY)), &[1.0, 0.0, 0.0, 1.0]);
    close(first(|x| ivy::square(linalg::svdvals(x)?), &matrix(&IDENTITY)), &[2.0, 0.0, 0.0, 2.0]);
}

#[test]
fn norms_of_vectors_with_zeros() {
    let length = |x: &Array| ivy::sqrt(ivy::sum(ivy::square(x)?, ())?);
    let x = v(&[2.0, 0.0]);
    same("vector_norm", &|x| linalg::vector_norm(x, ()), &length, &x);
    same("l2_normalize", &|x| ivy::l2_normalize(x, ()), &|x| ivy::divide(x, length(x)?), &x);
    let limited = |x: &Array| ivy::clip_vector_norm(x, 1.0, ());
    same("clip_vector_norm", &limited, &|x| ivy::divide(x, length(x)?), &x);
    same(
        "renorm",
        &|x| ivy::renorm(x, 2.0, 0, 1.0),
        &|x| ivy::divide(x, length(x)?),
        &matrix(&[&[2.0, 0.0]]),
    );
    let frobenius = |x: &Array| linalg::matrix_norm(x, ());
    same("matrix_norm", &frobenius, &length, &matrix(&[&[2.0, 0.0], &[0.0, -1.0]]));
    let rotated = |x: &Array| {
        let x = ivy::multiply(ivy::astype(x, Dtype::COMPLEX128)?, num_complex::Complex64::new(0.6, 0.8))?;
        linalg::vector_norm(x, ())
    };
    same("vector_norm", &rotated, &length, &x);
}
