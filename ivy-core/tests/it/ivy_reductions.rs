//! Sums of products, quantiles, histograms and Ivy's linear algebra: errors, and results beside the rules.

use ivy::prelude::*;
use ivy::{
    Bincount, Corrcoef, Cov, Cummax, Diag, Histogram, Interpolation, Quantile, Result, SolveTriangular,
    Vander,
};

fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

fn told<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_wrong_equation_is_told_with_its_place() -> Result<()> {
    let (x, y) = (ivy::ones([2, 3], ())?, ivy::ones([3, 2], ())?);
    for (equation, place) in [
        ("ij,jk->iz", "at character 8, `z`"),
        ("ij,jk->ii", "at character 8, `i`"),
        ("ij,j?->i", "at character 4, `?`"),
        ("ijk,jk", "at character 2, `k`"),
        ("i,jk->", "at character 1, `,`"),
        ("...,jk->", "at its end"),
    ] {
        let error = told(ivy::einsum(equation, [&x, &y]));
        assert!(error.contains(place), "{equation}: {error}");
    }
    assert_eq!(refused(ivy::einsum("ij->ij", [&x, &y])), "InvalidArgument");
    // An index of one operand has one length: a diagonal does not broadcast.
    let diagonal = told(ivy::einsum("ii", [ivy::ones([3, 1], ())?]));
    assert!(
        diagonal.contains("length 3 for the index at character 1 of the equation, which it has twice"),
        "{diagonal}"
    );
    let lengths = told(ivy::einsum("ij,ij->", [&x, &y]));
    assert!(lengths.contains("length 2 or 1 for the index at character 3"), "{lengths}");
    assert_eq!(refused(ivy::einsum("i->i", [&ivy::ones([2], Dtype::BOOL)?])), "OutsideDomain");
    let long = ivy::broadcast_to(1.0f32, [1 << 40])?;
    assert_eq!(refused(ivy::einsum("i,j->ij", [&long, &long])), "SizeOverflow");
    Ok(())
}

#[test]
fn quantiles_refuse_what_is_no_fraction() -> Result<()> {
    let x = Array::try_from([1.0f32, 2.0, 4.0])?;
    assert_eq!(refused(ivy::quantile(&x, 1.5, ())), "InvalidArgument");
    assert_eq!(refused(ivy::quantile(&x, f64::NAN, ())), "InvalidArgument");
    assert_eq!(refused(ivy::percentile(&x, -1, ())), "InvalidArgument");
    assert_eq!(refused(ivy::median(&x, ivy::Reduce::new().axis(1))), "AxisOutOfRange");
    assert_eq!(refused(ivy::median(ivy::ones([1], Dtype::COMPLEX64)?, ())), "OutsideDomain");
    assert_eq!(refused(ivy::cummax(1.0, ())), "AxisOutOfRange");
    assert_eq!(refused(ivy::cummax(&x, Cummax::new().axis(-2))), "AxisOutOfRange");
    let outside = ivy::quantile(&x, &Array::try_from([-0.5f64, 2.0])?, ())?;
    assert!(outside.to_vec::<f32>()?.iter().all(|x| x.is_nan()));
    for (interpolation, wanted) in [
        (Interpolation::Linear, 1.5),
        (Interpolation::Lower, 1.0),
        (Interpolation::Higher, 2.0),
        (Interpolation::Midpoint, 1.5),
        (Interpolation::Nearest, 1.0),
    ] {
        let params = Quantile::new().interpolation(interpolation);
        assert_eq!(ivy::quantile(&x, 0.25, params)?.item::<f32>()?, wanted, "{interpolation:?}");
    }
    assert!(ivy::nanmedian(ivy::full([2], f64::NAN, ())?, ())?.item::<f32>()?.is_nan());
    Ok(())
}

#[test]
fn counts_refuse_bins_and_weights_that_do_not_fit() -> Result<()> {
    let x = Array::try_from([1i64, 3])?;
    let three = ivy::ones([3], ())?;
    assert_eq!(refused(ivy::bincount(&Array::try_from([1i64, -3])?, ())), "InvalidArgument");
    assert_eq!(refused(ivy::bincount(ivy::zeros([1, 2], Dtype::INT32)?, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::bincount(&x, Bincount::new().weights(&three))), "ShapeMismatch");
    assert_eq!(refused(ivy::bincount(&Array::try_from([i64::MAX])?, ())), "SizeOverflow");
    assert_eq!(refused(ivy::bincount(&three, ())), "OutsideDomain");
    assert_eq!(refused(ivy::histogram(&x, Histogram::new().bins(0))), "InvalidArgument");
    assert_eq!(refused(ivy::histogram(&x, Histogram::new().bins(2.5))), "InvalidArgument");
    assert_eq!(refused(ivy::histogram(&x, Histogram::new().range((2.0, 1.0)))), "InvalidArgument");
    assert_eq!(refused(ivy::histogram(&x, Histogram::new().weights(&three))), "ShapeMismatch");
    assert_eq!(refused(ivy::histogram(&x, Histogram::new().bins(&ivy::ones([2, 2], ())?))), "ShapeMismatch");
    assert_eq!(refused(ivy::cov(ivy::ones([2, 2, 2], ())?, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::cov(&x, Cov::new().x2(&three))), "ShapeMismatch");
    assert_eq!(refused(ivy::cov(&x, Cov::new().aweights(&three))), "ShapeMismatch");
    assert_eq!(refused(ivy::corrcoef(&x, Corrcoef::new().y(&three))), "ShapeMismatch");
    Ok(())
}

#[test]
fn matrices_that_do_not_fit_are_refused() -> Result<()> {
    let (wide, square) = (ivy::ones([2, 3], ())?, ivy::ones([2, 2], ())?);
    assert_eq!(refused(ivy::inner(&wide, &square)), "ShapeMismatch");
    assert_eq!(refused(ivy::multi_dot([&wide])), "InvalidArgument");
    assert_eq!(refused(ivy::multi_dot([&wide, &square])), "ShapeMismatch");
    assert_eq!(refused(ivy::diag(ivy::ones([1, 1, 1], ())?, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::diag(ivy::ones([1], ())?, Diag::new().k(i64::MIN))), "SizeOverflow");
    assert_eq!(refused(ivy::vander(&wide, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::vander(ivy::ones([2], ())?, Vander::new().N(usize::MAX))), "SizeOverflow");
    assert_eq!(refused(ivy::matrix_exp(&wide)), "ShapeMismatch");
    assert_eq!(refused(ivy::lu_factor(&wide)), "ShapeMismatch");
    assert_eq!(refused(ivy::lu_factor(&square)), "SingularMatrix");
    assert_eq!(refused(ivy::solve_triangular(&wide, &square, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::solve_triangular(&square, ivy::ones([3], ())?, ())), "ShapeMismatch");
    let zero = ivy::zeros([2, 2], ())?;
    assert_eq!(refused(ivy::solve_triangular(&zero, &square, ())), "SingularMatrix");
    let unit = SolveTriangular::new().unit_diagonal();
    assert_eq!(ivy::solve_triangular(&zero, &square, unit)?.to_vec::<f32>()?, [1.0; 4]);
    let order = ivy::zeros([3], Dtype::INT64)?;
    assert_eq!(refused(ivy::lu_solve(&square, &order, &square)), "ShapeMismatch");
    assert!(ivy::matrix_exp(ivy::full([1, 1], f64::INFINITY, ())?)?.item::<f32>()?.is_nan());
    let large = ivy::matrix_exp(ivy::full([1, 1], -80.0, Dtype::FLOAT64)?)?.item::<f64>()?;
    assert!((large / (-80f64).exp() - 1.0).abs() < 1e-12, "{large:e}");
    Ok(())
}
