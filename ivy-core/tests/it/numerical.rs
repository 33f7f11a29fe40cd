//! What a NumPy user calls daily: results beside the rules, derivatives, and errors.

use ivy::prelude::*;
use ivy::{Bucketize, Digitize, Ediff1d, Gradient, Interp, Lexsort, Overlap, Result, TrimZeros, Unwrap};
use num_complex::Complex64;

fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

fn of(values: &[f64]) -> Array {
    Array::try_from(values).expect("host numbers are an array")
}

/// The derivative of the sum of a function's results.
fn slope(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Result<Vec<f64>> {
    let total = |x: &Array| ivy::sum(f(x)?, ());
    ivy::grad(total)(x)?.to_vec::<f64>()
}

#[test]
fn lines_between_points_have_derivatives() -> Result<()> {
    let (xp, fp) = (of(&[0.0, 1.0, 3.0]), of(&[1.0, 3.0, 2.0]));
    // Inside, at a point, and outside of them, where the function is constant.
    let x = of(&[0.5, 1.0, 2.0, -1.0, 4.0]);
    assert_eq!(slope(|x| ivy::interp(x, &xp, &fp, ()), &x)?, [2.0, -0.5, -0.5, 0.0, 0.0]);
    assert_eq!(slope(|fp| ivy::interp(&x, &xp, fp, ()), &fp)?, [1.5, 2.0, 1.5]);
    assert_eq!(slope(|xp| ivy::interp(of(&[0.5]), xp, &fp, ()), &xp)?, [-1.0, -1.0, 0.0]);
    let ends = Interp::new().left(0.0).right(f64::NAN);
    let outside = ivy::interp(&x, &xp, &fp, ends)?.to_vec::<f64>()?;
    assert!(outside[3] == 0.0 && outside[4].is_nan());
    let single =
        ivy::interp(of(&[-1.0, 2.0, 5.0, f64::NAN]), of(&[2.0]), of(&[7.0]), Interp::new().left(0.0))?;
    let single = single.to_vec::<f64>()?;
    assert!(single[..3] == [0.0, 7.0, 7.0] && single[3].is_nan());
    assert_eq!(refused(ivy::interp(&x, of(&[]), of(&[]), ())), "ShapeMismatch");
    assert_eq!(refused(ivy::interp(&x, &xp, of(&[1.0]), ())), "ShapeMismatch");
    assert_eq!(refused(ivy::interp(&x, 1.0, 2.0, ())), "ShapeMismatch");
    for period in [0.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(ivy::interp(&x, &xp, &fp, Interp::new().period(period))), "InvalidArgument");
    }
    assert_eq!(refused(ivy::interp(ivy::ones([1], Dtype::COMPLEX64)?, &xp, &fp, ())), "OutsideDomain");
    Ok(())
}

#[test]
fn bins_go_either_way() -> Result<()> {
    let (x, up, down) = (of(&[0.2, 6.4, 3.0, 1.6]), of(&[0.0, 1.6, 2.5, 4.0]), of(&[4.0, 2.5, 1.6, 0.0]));
    let right = || Digitize::new().right();
    assert_eq!(ivy::digitize(&x, &up, ())?.to_vec::<i64>()?, [1, 4, 3, 2]);
    assert_eq!(ivy::digitize(&x, &up, right())?.to_vec::<i64>()?, [1, 4, 3, 1]);
    assert_eq!(ivy::digitize(&x, &down, ())?.to_vec::<i64>()?, [3, 0, 1, 2]);
    assert_eq!(ivy::digitize(&x, &down, right())?.to_vec::<i64>()?, [3, 0, 1, 3]);
    assert_eq!(ivy::bucketize(&x, &up, Bucketize::new().right())?.to_vec::<i64>()?, [1, 4, 3, 2]);
    assert_eq!(refused(ivy::digitize(&x, 1.0, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::bucketize(&x, ivy::ones([1, 2], ())?, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::digitize(&x, ivy::ones([2], Dtype::BOOL)?, ())), "OutsideDomain");
    Ok(())
}

#[test]
fn polynomials_have_derivatives() -> Result<()> {
    let coeffs = of(&[2.0, 0.0, -1.0]);
    assert_eq!(slope(|x| ivy::polyval(&coeffs, x), &of(&[3.0, -1.0]))?, [12.0, -4.0]);
    assert_eq!(slope(|c| ivy::polyval(c, of(&[3.0])), &coeffs)?, [9.0, 3.0, 1.0]);
    // A constant is one everywhere.
    assert_eq!(ivy::polyval(of(&[5.0]), of(&[f64::INFINITY]))?.to_vec::<f64>()?, [5.0]);
    assert_eq!(refused(ivy::polyval(1.0, 2.0)), "ShapeMismatch");
    assert_eq!(refused(ivy::polyval(ivy::ones([2], Dtype::BOOL)?, true)), "OutsideDomain");
    Ok(())
}

#[test]
fn slopes_are_exact_for_parabolas() -> Result<()> {
    let places = of(&[0.0, 1.0, 3.0, 3.5, 7.0]);
    let squares = ivy::square(&places)?;
    let found = ivy::gradient(&squares, Gradient::new().spacing(&places).edge_order(2))?;
    let wanted = [0.0, 2.0, 6.0, 7.0, 14.0];
    assert!(found[0].to_vec::<f64>()?.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12));
    let both = ivy::gradient(ivy::ones([3, 4], ())?, ())?;
    assert!(both.len() == 2 && both[1].shape()[..] == [3, 4]);
    assert!(ivy::gradient(&squares, Gradient::new().axis([]))?.is_empty());
    let first = |x: &Array| Ok(ivy::gradient(x, Gradient::new().spacing(2.0))?.remove(0));
    assert_eq!(slope(first, &squares)?, [-0.75, 0.25, 0.0, -0.25, 0.75]);
    assert_eq!(refused(ivy::gradient(1.0, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::gradient(of(&[1.0]), ())), "ShapeMismatch");
    assert_eq!(refused(ivy::gradient(of(&[1.0, 2.0]), Gradient::new().edge_order(2))), "ShapeMismatch");
    assert_eq!(refused(ivy::gradient(&squares, Gradient::new().edge_order(3))), "InvalidArgument");
    assert_eq!(refused(ivy::gradient(&squares, Gradient::new().axis(1))), "AxisOutOfRange");
    assert_eq!(refused(ivy::gradient(&squares, Gradient::new().axis([0, -1]))), "RepeatedAxis");
    assert_eq!(refused(ivy::gradient(&squares, Gradient::new().spacing(of(&[1.0, 2.0])))), "ShapeMismatch");
    Ok(())
}

#[test]
fn differences_and_jumps() -> Result<()> {
    assert_eq!(ivy::ediff1d(3.0, Ediff1d::new().to_end(1.5))?.to_vec::<f32>()?, [1.5]);
    assert_eq!(slope(|x| ivy::ediff1d(x, ()), &of(&[1.0, 5.0, 2.0]))?, [-1.0, 0.0, 1.0]);
    assert_eq!(refused(ivy::ediff1d(ivy::ones([2], Dtype::BOOL)?, ())), "OutsideDomain");
    // Jumps of half a period stay, in both directions; larger ones below `discont` as well.
    let x = of(&[0.0, 2.0, 0.0, 3.0, 0.0]);
    assert_eq!(ivy::unwrap(&x, Unwrap::new().period(4.0))?.to_vec::<f64>()?, [0.0, 2.0, 0.0, -1.0, 0.0]);
    let kept = ivy::unwrap(&x, Unwrap::new().period(4.0).discont(3.5))?;
    assert_eq!(kept.to_vec::<f64>()?, x.to_vec::<f64>()?);
    assert_eq!(slope(|x| ivy::unwrap(x, Unwrap::new().period(4.0)), &x)?, [1.0; 5]);
    assert_eq!(refused(ivy::unwrap(1.0, ())), "AxisOutOfRange");
    for period in [0.0, -1.0, f64::NAN] {
        assert_eq!(refused(ivy::unwrap(&x, Unwrap::new().period(period))), "InvalidArgument");
    }
    Ok(())
}

#[test]
fn sequences_are_convolved_and_correlated() -> Result<()> {
    let (a, v) = (of(&[1.0, 2.0, 3.0]), of(&[0.0, 1.0, 0.5, 4.0]));
    let same = |f: fn(&Array, &Array, Overlap) -> Result<Array>, a: &Array, v: &Array| {
        f(a, v, Overlap::Same)?.to_vec::<f64>()
    };
    let convolve = |a: &Array, v: &Array, mode| ivy::convolve(a, v, mode);
    let correlate = |a: &Array, v: &Array, mode| ivy::correlate(a, v, mode);
    // As NumPy has them, where the shorter one is even or comes first.
    assert_eq!(same(convolve, &a, &v)?, [1.0, 2.5, 8.0, 9.5]);
    assert_eq!(same(convolve, &v, &a)?, [1.0, 2.5, 8.0, 9.5]);
    assert_eq!(same(correlate, &a, &v)?, [8.5, 14.0, 3.5, 3.0]);
    assert_eq!(same(correlate, &v, &a)?, [3.0, 3.5, 14.0, 8.5]);
    assert_eq!(slope(|a| ivy::convolve(a, &v, Overlap::Full), &a)?, [5.5; 3]);
    let (z, w) = (Complex64::new(0.0, 1.0), Complex64::new(2.0, 0.0));
    let turned = ivy::correlate(&Array::try_from([w, w])?, &Array::try_from([z])?, Overlap::Full)?;
    assert_eq!(turned.to_vec::<Complex64>()?, [Complex64::new(0.0, -2.0); 2]);
    for wrong in [of(&[]), ivy::ones([2, 2], ())?] {
        assert_eq!(refused(ivy::convolve(&wrong, &a, Overlap::Full)), "ShapeMismatch");
        assert_eq!(refused(ivy::correlate(&a, &wrong, Overlap::Full)), "ShapeMismatch");
    }
    let long = ivy::broadcast_to(1.0f32, [usize::MAX >> 3])?;
    assert_eq!(refused(ivy::convolve(&long, &long, Overlap::Full)), "SizeOverflow");
    Ok(())
}

#[test]
fn choices_have_one_dtype_whatever_their_order() -> Result<()> {
    let x = Array::try_from([1.0f32, -2.0, 3.0])?;
    let (low, high) = (ivy::less(&x, 0)?, ivy::greater(&x, 2)?);
    let chosen = ivy::select([&low, &high], [ivy::abs(&x)?, ivy::square(&x)?], f64::NAN)?;
    let chosen = chosen.to_vec::<f32>()?;
    assert!(chosen[0].is_nan() && chosen[1..] == [2.0, 9.0]);
    // Host scalars are weak, and arrays decide.
    let some = [x.clone().into_operand(), 7.into_operand()];
    assert_eq!(ivy::select([&low, &high], some, 0)?.to_vec::<f32>()?, [0.0, -2.0, 7.0]);
    // By themselves they are arrays of their own dtypes.
    let numbers = [1.into_operand(), 2.5.into_operand()];
    assert_eq!(ivy::select([&low, &high], numbers, 0)?.to_vec::<f64>()?, [0.0, 1.0, 2.5]);
    // int16, uint16 and float16 have float64 in common, which two of them do not.
    let (a, b, c) =
        (ivy::ones([3], Dtype::INT16)?, ivy::ones([3], Dtype::UINT16)?, ivy::ones([], Dtype::FLOAT16)?);
    for (first, second, default) in [(&a, &b, &c), (&c, &b, &a), (&a, &c, &b)] {
        assert_eq!(ivy::select([&low, &high], [first, second], default)?.dtype(), Dtype::FLOAT64);
    }
    assert_eq!(
        slope(|x| ivy::select([ivy::less(x, 0)?], [ivy::square(x)?], x), &of(&[2.0, -3.0]))?,
        [1.0, -6.0]
    );
    assert_eq!(refused(ivy::select([&low], [&x, &x], 0)), "InvalidArgument");
    assert_eq!(refused(ivy::select(Vec::<Array>::new(), Vec::<Array>::new(), 0)), "InvalidArgument");
    assert_eq!(refused(ivy::select([&x], [&x], 0)), "OutsideDomain");
    assert_eq!(refused(ivy::select([&low], [of(&[1.0, 2.0])], 0)), "BroadcastShapes");
    Ok(())
}

#[test]
fn blocks_ends_and_orders() -> Result<()> {
    let square = ivy::ones([2, 2], Dtype::INT32)?;
    assert_eq!(refused(ivy::block_diag([&ivy::ones([1, 1, 1], ())?])), "ShapeMismatch");
    assert_eq!(refused(ivy::block_diag(Vec::<Array>::new())), "InvalidArgument");
    let wide = ivy::broadcast_to(1.0f32, [1 << 33, 1])?;
    assert_eq!(refused(ivy::block_diag([&wide, &ivy::matrix_transpose(&wide)?])), "SizeOverflow");
    assert_eq!(slope(|x| ivy::block_diag([x, x]), &of(&[1.0, 2.0]))?, [2.0, 2.0]);
    assert_eq!(refused(ivy::trim_zeros(&square, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::trim_zeros(of(&[0.0]), TrimZeros::new().trim("front"))), "InvalidArgument");
    assert_eq!(slope(|x| ivy::trim_zeros(x, ()), &of(&[0.0, 2.0, 0.0]))?, [0.0, 1.0, 0.0]);
    assert_eq!(refused(ivy::lexsort([&square, &ivy::ones([2], ())?], ())), "ShapeMismatch");
    assert_eq!(refused(ivy::lexsort([1.0, 2.0], ())), "AxisOutOfRange");
    assert_eq!(refused(ivy::lexsort([&square], Lexsort::new().axis(2))), "AxisOutOfRange");
    assert_eq!(refused(ivy::lexsort(Vec::<Array>::new(), ())), "InvalidArgument");
    Ok(())
}
