//! Weighted means, quantiles without NaN, powers of floats and flat indices: derivatives, and errors.

use ivy::prelude::*;
use ivy::{
    Average, Diagflat, Geomspace, IndexMode, Interpolation, MemoryOrder, NanQuantile, RavelMultiIndex,
    Result, Tri, UnravelIndex,
};

fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

fn of(values: &[f64]) -> Array {
    Array::try_from(values).expect("host numbers are an array")
}

fn ints(values: &[i64]) -> Array {
    Array::try_from(values).expect("host numbers are an array")
}

/// The derivative of the sum of a function's results.
fn slope(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Result<Vec<f64>> {
    let total = |x: &Array| ivy::sum(f(x)?, ());
    ivy::grad(total)(x)?.to_vec::<f64>()
}

#[test]
fn averages_have_weights_of_their_axes() -> Result<()> {
    let (x, weights) = (of(&[1.0, 2.0, 4.0]), of(&[1.0, 3.0, 0.0]));
    let weighted = || Average::new().weights(&weights);
    assert_eq!(ivy::average(&x, weighted())?.item::<f64>()?, 1.75);
    assert_eq!(slope(|x| ivy::average(x, weighted()), &x)?, [0.25, 0.75, 0.0]);
    assert!(ivy::average(&x, Average::new().weights(of(&[1.0, -1.0, 0.0])))?.item::<f64>()?.is_infinite());
    let square = ivy::ones([3, 2], ())?;
    assert_eq!(refused(ivy::average(&square, weighted())), "ShapeMismatch");
    assert_eq!(refused(ivy::average(&square, weighted().axis(1))), "ShapeMismatch");
    assert_eq!(refused(ivy::average(&square, weighted().axis(2))), "AxisOutOfRange");
    assert_eq!(refused(ivy::average(&square, weighted().axis([0, 0]))), "RepeatedAxis");
    assert_eq!(slope(|x| ivy::ptp(x, ()), &x)?, [-1.0, 0.0, 1.0]);
    assert_eq!(ivy::ptp(Array::try_from([-100i8, 100])?, ())?.item::<i8>()?, -56);
    assert_eq!(refused(ivy::ptp(of(&[]), ())), "EmptyReduction");
    assert_eq!(refused(ivy::ptp(ivy::ones([2], Dtype::BOOL)?, ())), "OutsideDomain");
    Ok(())
}

#[test]
fn quantiles_leave_nan_out() -> Result<()> {
    let x = of(&[1.0, f64::NAN, 3.0, 4.0]);
    let nearest = NanQuantile::new().interpolation(Interpolation::Nearest);
    let q = of(&[0.0, 0.3, 1.0, 1.5]);
    let found = ivy::nanquantile(&x, &q, nearest)?.to_vec::<f64>()?;
    assert!(found[..3] == [1.0, 3.0, 4.0] && found[3].is_nan());
    assert_eq!(slope(|x| ivy::nanquantile(x, 0.75, ()), &x)?, [0.0, 0.0, 0.5, 0.5]);
    assert_eq!(ivy::nanpercentile(&x, 25, ())?.item::<f64>()?, 2.0);
    assert_eq!(refused(ivy::nanquantile(&x, 1.5, ())), "InvalidArgument");
    assert_eq!(refused(ivy::nanpercentile(&x, -1, ())), "InvalidArgument");
    assert_eq!(refused(ivy::nanquantile(&x, 0.5, NanQuantile::new().axis(1))), "AxisOutOfRange");
    Ok(())
}

#[test]
fn floats_and_their_powers() -> Result<()> {
    assert_eq!(ivy::float_power(ints(&[2]), -1)?.to_vec::<f32>()?, [0.5]);
    // From the least number to the greatest power, and back.
    let least = f64::from_bits(1);
    assert_eq!(
        ivy::ldexp(of(&[least, f64::MAX]), ints(&[2097, -2097]))?.to_vec::<f64>()?,
        [2f64.powi(1023), least * 2.0]
    );
    assert_eq!(
        ivy::ldexp(of(&[1.0, -0.0]), ints(&[i64::MAX, i64::MIN]))?.to_vec::<f64>()?,
        [f64::INFINITY, -0.0]
    );
    assert_eq!(slope(|x| ivy::ldexp(x, ints(&[3, -1])), &of(&[1.0, 5.0]))?, [8.0, 0.5]);
    assert_eq!(refused(ivy::ldexp(of(&[1.0]), of(&[1.0]))), "OutsideDomain");
    assert_eq!(refused(ivy::ldexp(of(&[1.0, 2.0]), ints(&[1, 2, 3]))), "BroadcastShapes");
    Ok(())
}

#[test]
fn numbers_at_equal_quotients() -> Result<()> {
    assert_eq!(
        ivy::geomspace(1e-300, 1e300, 3, Geomspace::new().dtype(Dtype::FLOAT64))?.to_vec::<f64>()?[2],
        1e300
    );
    assert!(ivy::geomspace(of(&[-1.0]), of(&[1.0]), 2, ())?.to_vec::<f64>()?.iter().all(|x| x.is_nan()));
    for (start, stop) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (1e-300, -1e-300)] {
        assert_eq!(refused(ivy::geomspace(start, stop, 3, ())), "InvalidArgument");
    }
    assert_eq!(refused(ivy::geomspace(1, 2, 3, Dtype::INT32)), "InvalidArgument");
    assert_eq!(refused(ivy::geomspace(1, 2, 3, Geomspace::new().axis(1))), "AxisOutOfRange");
    assert_eq!(refused(ivy::geomspace(1, 2, usize::MAX, ())), "SizeOverflow");
    assert_eq!(refused(ivy::tri(usize::MAX, Tri::new())), "SizeOverflow");
    assert_eq!(ivy::tri(2, Dtype::INT8)?.dtype(), Dtype::INT8);
    Ok(())
}

#[test]
fn diagonals_have_room() -> Result<()> {
    let x = of(&[1.0, 2.0]);
    assert_eq!(refused(ivy::diagflat(&x, Diagflat::new().num_rows(1usize))), "InvalidArgument");
    assert_eq!(refused(ivy::diagflat(&x, Diagflat::new().offset(1).num_cols(2usize))), "InvalidArgument");
    assert_eq!(refused(ivy::diagflat(&x, Diagflat::new().offset(i64::MIN))), "SizeOverflow");
    assert_eq!(slope(|x| ivy::diagflat(x, Diagflat::new().padding_value(2.0)), &x)?, [1.0, 1.0]);
    Ok(())
}

#[test]
fn flat_indices_go_there_and_back() -> Result<()> {
    let places = ints(&[0, 7, -1, 23]);
    for order in [MemoryOrder::C, MemoryOrder::F] {
        let along = ivy::unravel_index(&places, [2, 3, 4], UnravelIndex::new().order(order))?;
        let back = ivy::ravel_multi_index(&along, [2, 3, 4], RavelMultiIndex::new().order(order))?;
        assert_eq!(back.to_vec::<i64>()?, [0, 7, 23, 23]);
    }
    assert!(ivy::unravel_index(0, (), ())?.is_empty());
    for outside in [24, -25] {
        assert_eq!(refused(ivy::unravel_index(ints(&[0, outside]), [2, 3, 4], ())), "IndexOutOfRange");
    }
    assert_eq!(refused(ivy::unravel_index(ints(&[0]), [0, 3], ())), "IndexOutOfRange");
    assert!(ivy::unravel_index(ints(&[]), [0, 3], ())?[1].size() == 0);
    let (low, high) = (ints(&[1, 0]), ints(&[3, 2]));
    assert_eq!(refused(ivy::ravel_multi_index([&low, &high], [2, 3], ())), "IndexOutOfRange");
    assert_eq!(refused(ivy::ravel_multi_index([&low], [2, 3], ())), "InvalidArgument");
    assert_eq!(refused(ivy::ravel_multi_index([&low, &ints(&[1, 1, 1])], [2, 3], ())), "BroadcastShapes");
    let wrapped = RavelMultiIndex::new().mode(IndexMode::Wrap);
    assert_eq!(ivy::ravel_multi_index([&low, &high], [2, 3], wrapped.clone())?.to_vec::<i64>()?, [3, 2]);
    assert_eq!(refused(ivy::ravel_multi_index([&low, &high], [2, 0], wrapped)), "InvalidArgument");
    assert_eq!(refused(ivy::ravel_multi_index([&low, &high], [1 << 40, 1 << 40], ())), "SizeOverflow");
    assert_eq!(refused(ivy::ravel_multi_index([of(&[1.0])], [2], ())), "OutsideDomain");
    Ok(())
}
