//! Linear algebra and transforms: shapes, keyword arguments, bad input, and small exact values.

use ivy::fft::{self, FftParams, FftnParams, Frequencies, Norm};
use ivy::linalg::{self, Diagonal, MatrixNorm, MatrixOrder, QrMode, QrParams, Rtol, SvdParams, VectorNorm};
use ivy::prelude::*;
use ivy::{ErrorKind, Result};
use num_complex::Complex64;

fn array<T: ivy::Nested>(values: &[T]) -> Array {
    Array::try_from(values).expect("valid data")
}

fn kind<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => "accepted",
        Err(e) => e.kind().name(),
    }
}

fn shape(x: &Array) -> Vec<usize> {
    x.shape().to_vec()
}

#[test]
fn matrices_that_do_not_fit_are_refused() -> Result<()> {
    let (row, wide, square) = (array(&[1.0f32, 2.0]), ivy::ones([2, 3], ())?, ivy::eye(2, ())?);
    for x in [&row, &wide] {
        assert_eq!(kind(linalg::inv(x)), "ShapeMismatch");
        assert_eq!(kind(linalg::det(x)), "ShapeMismatch");
        assert_eq!(kind(linalg::slogdet(x)), "ShapeMismatch");
        assert_eq!(kind(linalg::cholesky(x, ())), "ShapeMismatch");
        assert_eq!(kind(linalg::eigh(x)), "ShapeMismatch");
        assert_eq!(kind(linalg::eigvals(x)), "ShapeMismatch");
        assert_eq!(kind(linalg::matrix_power(x, 2)), "ShapeMismatch");
        assert_eq!(kind(linalg::solve(x, &row)), "ShapeMismatch");
    }
    assert_eq!(kind(linalg::svd(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::qr(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::matrix_norm(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::matrix_rank(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::pinv(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::diagonal(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::trace(&row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::cross(&row, &row, ())), "ShapeMismatch");
    assert_eq!(kind(linalg::solve(&square, array(&[1.0f32, 2.0, 3.0]))), "ShapeMismatch");
    assert_eq!(kind(linalg::solve(&square, 1.0)), "ShapeMismatch");
    let stacks = (ivy::ones([2, 1, 1], ())?, ivy::ones([3, 1, 4], ())?);
    assert_eq!(kind(linalg::solve(&stacks.0, &stacks.1)), "BroadcastShapes");
    let tolerances = Rtol::new().rtol(array(&[0.1f32, 0.1, 0.1]));
    assert_eq!(kind(linalg::matrix_rank(&ivy::ones([2, 2, 2], ())?, tolerances)), "BroadcastShapes");
    Ok(())
}

#[test]
fn matrices_without_a_decomposition_are_named() -> Result<()> {
    let stack = ivy::stack([&ivy::eye(2, ())?, &ivy::ones([2, 2], ())?], ())?;
    let singular = linalg::inv(&stack).unwrap_err();
    match singular.kind() {
        ErrorKind::SingularMatrix { function: "inv", batch: Some(batch) } => assert_eq!(batch[..], [1]),
        other => panic!("{other}"),
    }
    assert_eq!(kind(linalg::matrix_power(ivy::ones([2, 2], ())?, -1)), "SingularMatrix");
    assert_eq!(kind(linalg::cholesky(ivy::negative(ivy::eye(2, ())?)?, ())), "NotPositiveDefinite");
    let nan = array(&[[1.0f32, f32::NAN], [0.0, 1.0]]);
    assert_eq!(kind(linalg::svd(&nan, ())), "NotConverged");
    assert_eq!(kind(linalg::eig(&nan)), "NotConverged");
    // Only the lower triangle counts.
    assert_eq!(linalg::eigvalsh(&nan)?.to_vec::<f32>()?, [1.0, 1.0]);
    assert!(linalg::inv(&nan)?.to_vec::<f32>()?.iter().any(|x| x.is_nan()));
    assert_eq!(kind(linalg::matrix_power(array(&[[1i32, 2], [3, 4]]), -1)), "InvalidArgument");
    Ok(())
}

#[test]
fn empty_matrices() -> Result<()> {
    let none = ivy::zeros([0, 0], ())?;
    assert_eq!(linalg::det(&none)?.item::<f32>()?, 1.0);
    let parts = linalg::slogdet(&none)?;
    assert_eq!((parts.sign.item::<f32>()?, parts.logabsdet.item::<f32>()?), (1.0, 0.0));
    assert_eq!(shape(&linalg::eigh(&none)?.eigenvectors), [0, 0]);
    assert_eq!(shape(&linalg::inv(ivy::zeros([3, 0, 0], ())?)?), [3, 0, 0]);
    let flat = ivy::zeros([0, 3], ())?;
    assert_eq!(linalg::svd(&flat, ())?.vh.to_vec::<f32>()?, ivy::eye(3, ())?.to_vec::<f32>()?);
    assert_eq!(shape(&linalg::svd(&flat, SvdParams::new().full_matrices(false))?.vh), [0, 3]);
    assert_eq!(shape(&linalg::pinv(&flat, ())?), [3, 0]);
    assert_eq!(linalg::matrix_rank(&flat, ())?.item::<i64>()?, 0);
    assert_eq!(linalg::matrix_norm(&flat, ())?.item::<f32>()?, 0.0);
    assert_eq!(kind(linalg::matrix_norm(&flat, MatrixNorm::new().ord(MatrixOrder::Two))), "EmptyReduction");
    let tall = linalg::qr(ivy::zeros([3, 0], ())?, QrParams::new().mode(QrMode::Complete))?;
    assert_eq!((shape(&tall.q), shape(&tall.r)), (vec![3, 3], vec![3, 0]));
    assert_eq!(linalg::trace(&flat, ())?.item::<f32>()?, 0.0);
    Ok(())
}

#[test]
fn determinants_of_singular_matrices_are_zero() -> Result<()> {
    let early = array(&[[0.0f32, 1.0, 2.0], [0.0, 3.0, 4.0], [0.0, 5.0, 7.0]]);
    assert_eq!(linalg::det(&early)?.item::<f32>()?, 0.0);
    let parts = linalg::slogdet(&early)?;
    assert_eq!((parts.sign.item::<f32>()?, parts.logabsdet.item::<f32>()?), (0.0, f32::NEG_INFINITY));
    assert_eq!(kind(linalg::inv(&early)), "SingularMatrix");
    assert_eq!(kind(linalg::solve(&early, array(&[1.0f32, 2.0, 3.0]))), "SingularMatrix");
    Ok(())
}

#[test]
fn diagonals_beyond_the_matrix_are_empty() -> Result<()> {
    let x = ivy::reshape(ivy::arange(6, Dtype::INT64)?, [2, 3], ())?;
    for (offset, want) in [(0, vec![0i64, 4]), (2, vec![2]), (-1, vec![3]), (3, vec![]), (-2, vec![])] {
        let got = linalg::diagonal(&x, Diagonal::new().offset(offset))?;
        assert_eq!(got.to_vec::<i64>()?, want, "{offset}");
    }
    for offset in [i64::MIN, i64::MAX] {
        assert_eq!(shape(&linalg::diagonal(&x, Diagonal::new().offset(offset))?), [0]);
    }
    assert_eq!(linalg::trace(array(&[[200u8, 0], [0, 100]]), ())?.dtype(), Dtype::UINT32);
    Ok(())
}

#[test]
fn norms_of_small_floats_do_not_overflow_between() -> Result<()> {
    let x = ivy::astype(array(&[[300.0f32, 400.0]]), Dtype::FLOAT16)?;
    assert_eq!(ivy::astype(linalg::matrix_norm(&x, ())?, Dtype::FLOAT32)?.item::<f32>()?, 500.0);
    let norm = linalg::vector_norm(&x, VectorNorm::new().axis(-1).keepdims())?;
    assert_eq!((norm.dtype(), shape(&norm)), (Dtype::FLOAT16, vec![1, 1]));
    let complex = array(&[Complex64::new(3.0, 4.0), Complex64::new(0.0, 0.0)]);
    for (order, want) in [(0.0, 1.0), (1.0, 5.0), (2.0, 5.0), (f64::INFINITY, 5.0), (f64::NEG_INFINITY, 0.0)]
    {
        let norm = linalg::vector_norm(&complex, VectorNorm::new().ord(order))?;
        assert_eq!((norm.dtype(), norm.item::<f64>()?), (Dtype::FLOAT64, want), "{order}");
    }
    Ok(())
}

#[test]
fn tolerances_are_numbers_or_arrays() -> Result<()> {
    let x = ivy::stack([&array(&[[1.0f64, 0.0], [0.0, 0.1]]), &ivy::eye(2, Dtype::FLOAT64)?], ())?;
    assert_eq!(linalg::matrix_rank(&x, ())?.to_vec::<i64>()?, [2, 2]);
    assert_eq!(linalg::matrix_rank(&x, Rtol::new().rtol(0.5))?.to_vec::<i64>()?, [1, 2]);
    let each = Rtol::new().rtol(array(&[0.01f32, 1.0]));
    assert_eq!(linalg::matrix_rank(&x, each)?.to_vec::<i64>()?, [2, 0]);
    assert_eq!(
        linalg::pinv(&x, Rtol::new().rtol(0.5))?.to_vec::<f64>()?,
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(kind(linalg::pinv(&x, Rtol::new().rtol(true))), "OutsideDomain");
    Ok(())
}

#[test]
fn crossed_axes_and_dtypes() -> Result<()> {
    let (x, y) = (array(&[[1i32, 0], [0, 1], [0, 0]]), array(&[[0i32, 0], [1, 0], [0, 1]]));
    let z = linalg::cross(&x, &y, linalg::Cross::new().axis(0))?;
    assert_eq!(z.to_vec::<i32>()?, [0, 1, 0, 0, 1, 0]);
    let flat = array(&[1i32, 2, 3]);
    assert_eq!(kind(linalg::cross(&x, &flat, linalg::Cross::new().axis(0))), "InvalidArgument");
    assert_eq!(kind(linalg::cross(&flat, &flat, linalg::Cross::new().axis(1))), "AxisOutOfRange");
    assert_eq!(linalg::inv(array(&[[2i32]]))?.dtype(), Dtype::FLOAT32);
    assert_eq!(linalg::solve(array(&[[2i8]]), array(&[1.0f64]))?.dtype(), Dtype::FLOAT64);
    assert_eq!(linalg::eigvals(array(&[[2.0f64]]))?.dtype(), Dtype::COMPLEX128);
    Ok(())
}

#[test]
fn transforms_of_wrong_length_or_axis() -> Result<()> {
    let x = array(&[1.0f32, 2.0, 3.0]);
    for n in [0, -1] {
        assert_eq!(kind(fft::fft(&x, FftParams::new().n(n))), "InvalidArgument");
        assert_eq!(kind(fft::fftfreq(n, ())), "InvalidArgument");
    }
    assert_eq!(kind(fft::ifft(&x, FftParams::new().axis(1))), "AxisOutOfRange");
    assert_eq!(kind(fft::fft(ivy::zeros([0], ())?, ())), "InvalidArgument");
    assert_eq!(kind(fft::irfft(array(&[1.0f32]), ())), "InvalidArgument");
    assert_eq!(kind(fft::fft(1.0, ())), "AxisOutOfRange");
    assert_eq!(kind(fft::rfft(array(&[Complex64::new(1.0, 0.0)]), ())), "OutsideDomain");
    assert_eq!(kind(fft::fftn(&x, FftnParams::new().axes([0, -1]))), "RepeatedAxis");
    assert_eq!(kind(fft::fftn(&x, FftnParams::new().s([2, 3]).axes([0]))), "InvalidArgument");
    assert_eq!(kind(fft::rfftn(&x, FftnParams::new().axes(Vec::<i64>::new()))), "InvalidArgument");
    assert_eq!(kind(fft::rfftfreq(4, Frequencies::new().dtype(Dtype::INT32))), "InvalidArgument");
    Ok(())
}

#[test]
fn transforms_scale_and_go_back() -> Result<()> {
    let x = array(&[[1.0f64, -2.0, 3.0], [0.5, 4.0, -1.0]]);
    for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
        let one = || FftParams::new().norm(norm);
        let back = ivy::real(fft::ifft(fft::fft(&x, one())?, one())?)?;
        let same = |y: &Array| -> Result<bool> {
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-14;
            Ok(y.to_vec::<f64>()?.iter().zip(&x.to_vec::<f64>()?).all(close))
        };
        assert!(same(&back)?);
        assert!(same(&fft::irfft(fft::rfft(&x, one())?, one().n(3))?)?);
        assert!(same(&fft::hfft(fft::ihfft(&x, one())?, one().n(3))?)?);
        let all = || FftnParams::new().norm(norm);
        assert!(same(&ivy::real(fft::ifftn(fft::fftn(&x, all())?, all())?)?)?);
        assert!(same(&fft::irfftn(fft::rfftn(&x, all())?, all().s([2, 3]))?)?);
    }
    assert_eq!(fft::fft(array(&[1i8, 2]), ())?.dtype(), Dtype::COMPLEX64);
    assert_eq!(shape(&fft::rfft(&x, FftParams::new().n(5))?), [2, 3]);
    assert_eq!(fft::fftn(&x, FftnParams::new().axes(Vec::<i64>::new()))?.dtype(), Dtype::COMPLEX128);
    Ok(())
}
