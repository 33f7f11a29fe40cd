//! Each decomposition against its definition, on matrices of every small shape.

use half::f16;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, ErrorKind, LinalgOp};
use ivy_kernels::linalg::linalg;
use num_complex::{Complex, Complex32, Complex64 as C};
use proptest::prelude::*;

/// A matrix in row-major order.
#[derive(Clone, Debug)]
struct Matrix {
    m: usize,
    n: usize,
    data: Vec<C>,
}

impl Matrix {
    fn new(m: usize, n: usize, at: impl Fn(usize, usize) -> C) -> Matrix {
        let data = (0..m * n).map(|k| at(k / n, k % n)).collect();
        Matrix { m, n, data }
    }
    fn at(&self, i: usize, j: usize) -> C {
        self.data[i * self.n + j]
    }
    fn eye(n: usize) -> Matrix {
        Matrix::new(n, n, |i, j| C::from(f64::from(u8::from(i == j))))
    }
    fn diagonal(values: &[C]) -> Matrix {
        Matrix::new(values.len(), values.len(), |i, j| if i == j { values[i] } else { C::ZERO })
    }
    fn adjoint(&self) -> Matrix {
        Matrix::new(self.n, self.m, |i, j| self.at(j, i).conj())
    }
    fn times(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.n, other.m);
        Matrix::new(self.m, other.n, |i, j| (0..self.n).map(|k| self.at(i, k) * other.at(k, j)).sum())
    }
    fn norm(&self) -> f64 {
        self.data.iter().map(C::norm_sqr).sum::<f64>().sqrt()
    }
    fn host(&self, dtype: Dtype) -> HostArray {
        let shape = [self.m, self.n].into();
        let parts = self.data.iter();
        match dtype {
            Dtype::FLOAT32 => HostArray::from_vec(parts.map(|z| z.re as f32).collect(), shape),
            Dtype::FLOAT64 => HostArray::from_vec(parts.map(|z| z.re).collect(), shape),
            Dtype::COMPLEX64 => {
                HostArray::from_vec(parts.map(|z| Complex32::new(z.re as f32, z.im as f32)).collect(), shape)
            }
            _ => HostArray::from_vec(self.data.clone(), shape),
        }
        .unwrap()
    }
}

fn values(x: &HostArray) -> Vec<C> {
    match x.dtype() {
        Dtype::FLOAT32 => x.to_vec::<f32>().unwrap().into_iter().map(|v| f64::from(v).into()).collect(),
        Dtype::FLOAT64 => x.to_vec::<f64>().unwrap().into_iter().map(C::from).collect(),
        Dtype::COMPLEX64 => x
            .to_vec::<Complex32>()
            .unwrap()
            .into_iter()
            .map(|z| Complex::new(z.re.into(), z.im.into()))
            .collect(),
        _ => x.to_vec::<C>().unwrap(),
    }
}

fn matrix(x: &HostArray) -> Matrix {
    let [m, n] = x.shape()[..] else { panic!("a matrix") };
    Matrix { m, n, data: values(x) }
}

fn run(op: LinalgOp, x: &Matrix, dtype: Dtype) -> Vec<HostArray> {
    linalg(op, &[x.host(dtype).view()]).expect("a decomposition").into_vec()
}

fn close(what: &str, a: &Matrix, b: &Matrix, scale: f64, dtype: Dtype) {
    assert_eq!((a.m, a.n), (b.m, b.n), "{what}");
    let eps = if dtype.bits() / (1 + usize::from(dtype.is_complex())) == 32 { 1.2e-7 } else { 2.3e-16 };
    let difference = Matrix::new(a.m, a.n, |i, j| a.at(i, j) - b.at(i, j)).norm();
    let side = a.m.max(a.n).max(2) as f64;
    assert!(difference <= 16.0 * side * eps * scale.max(1.0), "{what}: {difference} of {scale} on {dtype}");
}

/// The matrix as one of the dtype.
fn of_dtype(x: &Matrix, dtype: Dtype) -> Matrix {
    matrix(&x.host(dtype))
}

fn check(x: &Matrix, dtype: Dtype) {
    let x = &of_dtype(x, dtype);
    let (m, n, k, norm) = (x.m, x.n, x.m.min(x.n), x.norm());
    for complete in [false, true] {
        let [q, r] = &run(LinalgOp::Qr { complete }, x, dtype)[..] else { panic!() };
        let (q, r) = (matrix(q), matrix(r));
        close("q r", &q.times(&r), x, norm, dtype);
        close("q orthonormal", &q.adjoint().times(&q), &Matrix::eye(q.n), 1.0, dtype);
        assert!((0..r.m).all(|i| (0..r.n.min(i)).all(|j| r.at(i, j) == C::ZERO)), "r is triangular");
    }
    for full in [false, true] {
        let [u, s, vh] = &run(LinalgOp::Svd { full }, x, dtype)[..] else { panic!() };
        let (u, s, vh) = (matrix(u), values(s), matrix(vh));
        assert_eq!((u.n, vh.m), if full { (m, n) } else { (k, k) });
        let middle = Matrix::new(u.n, vh.m, |i, j| if i == j && i < k { s[i] } else { C::ZERO });
        close("u s vh", &u.times(&middle).times(&vh), x, norm, dtype);
        close("u orthonormal", &u.adjoint().times(&u), &Matrix::eye(u.n), 1.0, dtype);
        close("vh orthonormal", &vh.times(&vh.adjoint()), &Matrix::eye(vh.m), 1.0, dtype);
        assert!(s.windows(2).all(|w| w[0].re >= w[1].re) && s.iter().all(|s| s.re >= 0.0), "{s:?}");
        let only = values(&run(LinalgOp::Svdvals, x, dtype)[0]);
        close("svdvals", &Matrix::diagonal(&only), &Matrix::diagonal(&s), norm, dtype);
    }
    if m != n {
        return;
    }
    let lower = Matrix::new(n, n, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Equal => x.at(i, i).re.into(),
        std::cmp::Ordering::Greater => x.at(i, j),
        std::cmp::Ordering::Less => x.at(j, i).conj(),
    });
    let [w, v] = &run(LinalgOp::Eigh, x, dtype)[..] else { panic!() };
    let (w, v) = (values(w), matrix(v));
    close("eigh", &lower.times(&v), &v.times(&Matrix::diagonal(&w)), norm, dtype);
    close("eigh orthonormal", &v.adjoint().times(&v), &Matrix::eye(n), 1.0, dtype);
    assert!(w.windows(2).all(|w| w[0].re <= w[1].re), "{w:?}");
    let only = values(&run(LinalgOp::Eigvalsh, x, dtype)[0]);
    close("eigvalsh", &Matrix::diagonal(&only), &Matrix::diagonal(&w), norm, dtype);
    let [w, v] = &run(LinalgOp::Eig, x, dtype)[..] else { panic!() };
    let (w, v) = (values(w), matrix(v));
    close("eig", &x.times(&v), &v.times(&Matrix::diagonal(&w)), norm, dtype);
    let only = values(&run(LinalgOp::Eigvals, x, dtype)[0]);
    let trace = |w: &[C]| Matrix { m: 1, n: 1, data: vec![w.iter().sum()] };
    close("eigvals", &trace(&only), &trace(&w), norm * n as f64, dtype);
    let definite = Matrix::new(n, n, |i, j| {
        (0..n).map(|k| x.at(i, k) * x.at(j, k).conj()).sum::<C>() + f64::from(u8::from(i == j))
    });
    let definite = of_dtype(&definite, dtype);
    let l = matrix(&run(LinalgOp::Cholesky { upper: false }, &definite, dtype)[0]);
    close("cholesky", &l.times(&l.adjoint()), &definite, definite.norm(), dtype);
    let u = matrix(&run(LinalgOp::Cholesky { upper: true }, &definite, dtype)[0]);
    close("cholesky upper", &u, &l.adjoint(), 0.0, dtype);
    let inverse = matrix(&run(LinalgOp::Inv, &definite, dtype)[0]);
    let scale = definite.norm() * inverse.norm();
    close("inv", &definite.times(&inverse), &Matrix::eye(n), scale, dtype);
    let b = Matrix::new(n, 2, |i, j| C::from((i + j) as f64 - 1.0));
    let solved = linalg(LinalgOp::Solve, &[definite.host(dtype).view(), b.host(dtype).view()]).unwrap();
    let solved = matrix(&solved[0]);
    close("solve", &definite.times(&solved), &b, definite.norm() * solved.norm() + b.norm(), dtype);
    let det = values(&run(LinalgOp::Det, &definite, dtype)[0])[0];
    let [sign, log] = &run(LinalgOp::Slogdet, &definite, dtype)[..] else { panic!() };
    let (sign, log) = (values(sign)[0], values(log)[0]);
    let pivots: f64 = (0..n).map(|i| l.at(i, i).re * l.at(i, i).re).product();
    let one = |z: C| Matrix { m: 1, n: 1, data: vec![z] };
    let size: f64 = (0..n).map(|i| (0..n).map(|j| definite.at(i, j).norm()).sum::<f64>()).product();
    close("det", &one(det), &one(pivots.into()), size, dtype);
    close("slogdet", &one(sign * log.re.exp()), &one(det), size * 4.0, dtype);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_shape_and_dtype(
        m in 0usize..7,
        n in 0usize..7,
        parts in prop::collection::vec((-2.0..2.0f64, -2.0..2.0f64), 36),
        zeros in 0usize..4,
    ) {
        // Some rows of zeros, so that the rank is not always full.
        let at = |i: usize, j: usize| {
            let (re, im) = parts[i * 6 + j];
            if zeros > 0 && i % 4 == zeros { C::ZERO } else { C::new(re, im) }
        };
        let x = Matrix::new(m, n, at);
        for dtype in [Dtype::FLOAT32, Dtype::FLOAT64, Dtype::COMPLEX64, Dtype::COMPLEX128] {
            check(&x, dtype);
        }
        let square = Matrix::new(m.min(n), m.min(n), at);
        check(&square, Dtype::FLOAT64);
        check(&square, Dtype::COMPLEX128);
    }
}

#[test]
fn large_matrices() {
    let x = Matrix::new(70, 70, |i, j| {
        let k = (i * 7919 + j * 104_729) % 1009;
        C::new(k as f64 / 504.5 - 1.0, ((k * k) % 977) as f64 / 488.5 - 1.0)
    });
    check(&x, Dtype::FLOAT64);
    check(&x, Dtype::COMPLEX128);
}

fn kind(op: LinalgOp, operands: &[HostView<'_>]) -> String {
    match linalg(op, operands).expect_err("no such decomposition").kind() {
        ErrorKind::SingularMatrix { batch, .. } => format!("singular {batch:?}"),
        ErrorKind::NotPositiveDefinite { batch, .. } => format!("not positive {batch:?}"),
        ErrorKind::NotConverged { batch, .. } => format!("not converged {batch:?}"),
        other => other.name().to_string(),
    }
}

#[test]
fn faults_name_the_matrix() {
    let stack =
        HostArray::from_vec(vec![1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 4.0], [2, 1, 2, 2].into()).unwrap();
    let one = HostArray::from_vec(vec![1.0, 2.0, 2.0, 4.0], [2, 2].into()).unwrap();
    let b = HostArray::from_vec(vec![1.0, 1.0], [2].into()).unwrap();
    assert_eq!(kind(LinalgOp::Inv, &[stack.view()]), "singular Some((1, 0))");
    assert_eq!(kind(LinalgOp::Inv, &[one.view()]), "singular None");
    assert_eq!(kind(LinalgOp::Solve, &[stack.view(), b.view()]), "singular Some((1, 0))");
    let negative = HostArray::from_vec(vec![-1.0f32], [1, 1, 1].into()).unwrap();
    assert_eq!(kind(LinalgOp::Cholesky { upper: false }, &[negative.view()]), "not positive Some((0,))");
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let x = HostArray::from_vec(vec![1.0, bad, bad, 1.0], [2, 2].into()).unwrap();
        for op in [LinalgOp::Eigh, LinalgOp::Eigvalsh, LinalgOp::Eig, LinalgOp::Eigvals, LinalgOp::Svdvals] {
            assert_eq!(kind(op, &[x.view()]), "not converged None");
        }
        assert_eq!(kind(LinalgOp::Svd { full: true }, &[x.view()]), "not converged None");
        // These end by themselves, with whatever NaN makes of them.
        linalg(LinalgOp::Qr { complete: false }, &[x.view()]).unwrap();
        linalg(LinalgOp::Det, &[x.view()]).unwrap();
        linalg(LinalgOp::Slogdet, &[x.view()]).unwrap();
        let solved = linalg(LinalgOp::Solve, &[x.view(), b.view()]);
        assert!(solved.is_ok() || kind(LinalgOp::Solve, &[x.view(), b.view()]).starts_with("singular"));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = HostArray::from_vec(vec![1.0, 2.0], [1, 2].into()).unwrap();
    let row = HostArray::from_vec(vec![1.0, 2.0], [2].into()).unwrap();
    let int = HostArray::from_vec(vec![1i32], [1, 1].into()).unwrap();
    for (op, operands) in [
        (LinalgOp::Inv, vec![x.view()]),
        (LinalgOp::Svdvals, vec![row.view()]),
        (LinalgOp::Det, vec![int.view()]),
        (LinalgOp::Det, vec![]),
        (LinalgOp::Solve, vec![x.view(), row.view()]),
    ] {
        assert_eq!(kind(op, &operands), "InvalidArgument");
    }
}

#[test]
fn singular_determinants_and_small_floats() {
    let x = HostArray::from_vec([1.0, 2.0, 2.0, 4.0].map(f16::from_f32).to_vec(), [2, 2].into()).unwrap();
    let [sign, log] = &linalg(LinalgOp::Slogdet, &[x.view()]).unwrap()[..] else { panic!() };
    assert_eq!(sign.to_vec::<f16>().unwrap(), [f16::ZERO]);
    assert_eq!(log.to_vec::<f16>().unwrap(), [f16::NEG_INFINITY]);
    let [w, v] = &linalg(LinalgOp::Eig, &[x.view()]).unwrap()[..] else { panic!() };
    assert_eq!((w.dtype(), v.dtype()), (Dtype::COMPLEX64, Dtype::COMPLEX64));
    // A zero pivot that is not the last one.
    let early =
        HostArray::from_vec(vec![0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 5.0, 7.0], [3, 3].into()).unwrap();
    assert_eq!(linalg(LinalgOp::Det, &[early.view()]).unwrap()[0].to_vec::<f64>().unwrap(), [0.0]);
    let swapped = HostArray::from_vec(vec![0.0, 1.0, 1.0, 0.0], [2, 2].into()).unwrap();
    assert_eq!(linalg(LinalgOp::Det, &[swapped.view()]).unwrap()[0].to_vec::<f64>().unwrap(), [-1.0]);
}

#[test]
fn stacks_broadcast_and_may_be_views() {
    // Right-hand sides of one column for two matrices, the second of them with swapped rows.
    let a = HostArray::from_vec(vec![2.0, 0.0, 0.0, 4.0, 0.0, 4.0, 2.0, 0.0], [2, 2, 2].into()).unwrap();
    let b = HostArray::from_vec(vec![2.0, 4.0], [2].into()).unwrap();
    let x = &linalg(LinalgOp::Solve, &[a.view(), b.view()]).unwrap()[0];
    assert_eq!((&x.shape()[..], x.to_vec::<f64>().unwrap()), (&[2, 2][..], vec![1.0, 1.0, 2.0, 0.5]));
    // The transposed view of a matrix that is not symmetric.
    let strides = [1isize, 2].into_iter().collect();
    let c = HostArray::from_vec(vec![1.0, 2.0, 0.0, 1.0], [2, 2].into()).unwrap();
    let view = HostArray::from_parts(c.buffer().clone(), c.dtype(), [2, 2].into(), strides, 0).unwrap();
    let inverse = &linalg(LinalgOp::Inv, &[view.view()]).unwrap()[0];
    assert_eq!(inverse.to_vec::<f64>().unwrap(), [1.0, 0.0, -2.0, 1.0]);
}

#[test]
fn many_matrices_are_the_same_as_each_alone() {
    let count = 3000;
    let all: Vec<f64> = (0..count * 9).map(|k| ((k * 7919) % 1009) as f64 / 504.5 - 1.0).collect();
    let stack = HostArray::from_vec(all.clone(), [count, 3, 3].into()).unwrap();
    let values = linalg(LinalgOp::Svdvals, &[stack.view()]).unwrap()[0].to_vec::<f64>().unwrap();
    for i in (0..count).step_by(211) {
        let one = HostArray::from_vec(all[i * 9..i * 9 + 9].to_vec(), [3, 3].into()).unwrap();
        let alone = linalg(LinalgOp::Svdvals, &[one.view()]).unwrap()[0].to_vec::<f64>().unwrap();
        assert_eq!(values[i * 3..i * 3 + 3], alone);
    }
}

/// Elements whose squares overflow or vanish: what is found is scaled as they are, to the bit.
#[test]
fn magnitude_is_no_hindrance() {
    let ops = [
        LinalgOp::Svd { full: true },
        LinalgOp::Svdvals,
        LinalgOp::Eigh,
        LinalgOp::Eigvalsh,
        LinalgOp::Eig,
        LinalgOp::Eigvals,
    ];
    let base = Matrix::new(3, 3, |i, j| C::new(1.5 - 0.25 * (i * j) as f64 - 0.375 * i as f64, 0.0));
    for (dtype, powers) in [
        (Dtype::FLOAT32, [-120, 100, 126]),
        (Dtype::FLOAT64, [-1000, 700, 1022]),
        (Dtype::COMPLEX64, [-120, 100, 126]),
        (Dtype::COMPLEX128, [-1000, 700, 1022]),
    ] {
        for power in powers {
            let factor = 2f64.powi(power);
            let scaled = Matrix::new(3, 3, |i, j| base.at(i, j) * factor);
            for op in ops {
                let [plain, found] = [&base, &scaled].map(|m| linalg(op, &[m.host(dtype).view()]).unwrap());
                for (i, (plain, found)) in plain.iter().zip(&found).enumerate() {
                    let is_values = !matches!(op, LinalgOp::Svd { .. } if i != 1)
                        && !matches!(op, LinalgOp::Eigh | LinalgOp::Eig if i != 0);
                    for (a, b) in values(plain).into_iter().zip(values(found)) {
                        let expected = if is_values { a * factor } else { a };
                        // The greatest values may be beyond the dtype, and the least ones below it.
                        let most = if dtype.bytes() < 8 || dtype == Dtype::COMPLEX64 {
                            f32::MAX.into()
                        } else {
                            f64::MAX
                        };
                        if expected.re.abs() < most && expected.im.abs() < most {
                            assert!(
                                (b - expected).norm() <= 2f64.powi(-149),
                                "{} {dtype} 2^{power}",
                                op.name()
                            );
                        } else {
                            assert!(b.re.is_infinite() || b.im.is_infinite());
                        }
                    }
                }
            }
        }
    }
}
