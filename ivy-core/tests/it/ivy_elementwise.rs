//! Element-wise functions that Ivy has beyond the standard: exactness over whole dtypes, and errors.

use ivy::host::Element;
use ivy::prelude::*;
use ivy::{Angle, ClipVectorNorm, ErrorKind, IsClose, NanToNum, Result};
use num_complex::Complex64;

fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

/// Every pattern of the small floats and of float32's exponents, as float32.
fn patterns() -> Vec<f32> {
    let small = (0..=u16::MAX).map(|bits| half::f16::from_bits(bits).to_f32());
    let ends = (0..512u32).flat_map(|e| [0, 1, 0x40_0000, 0x7f_ffff].map(|m| f32::from_bits(e << 23 | m)));
    let subnormal = (0..23).map(|bit| f32::from_bits(1 << bit | 1));
    small.chain(ends).chain(subnormal).collect()
}

fn same(a: f64, b: f64) -> bool {
    a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits()
}

fn check_frexp<T: Element + Into<f64>>(values: Vec<T>) -> Result<()> {
    let (mantissa, exponent) = ivy::frexp(&Array::try_from(values.clone())?)?;
    let (mantissa, exponent) = (mantissa.to_vec::<T>()?, exponent.to_vec::<i32>()?);
    for ((x, m), e) in values.into_iter().zip(mantissa).zip(exponent) {
        let (x, m): (f64, f64) = (x.into(), m.into());
        if x == 0.0 || !x.is_finite() {
            assert!(same(x, m) && e == 0, "{x:e}: {m:e} {e}");
            continue;
        }
        assert!((0.5..1.0).contains(&m.abs()), "{x:e}: {m:e}");
        // By two factors, since one alone may be no number.
        assert!(same(m * 2f64.powi(e / 2) * 2f64.powi(e - e / 2), x), "{x:e}: {m:e} * 2^{e}");
    }
    Ok(())
}

#[test]
fn mantissas_and_exponents_are_exact() -> Result<()> {
    let single = patterns();
    check_frexp(single.iter().map(|&x| half::f16::from_f32(x)).collect())?;
    check_frexp((0..=u16::MAX).map(half::bf16::from_bits).collect())?;
    let double: Vec<f64> = (0..4096u64)
        .flat_map(|e| [0, 1, 0x8_0000_0000_0000, 0xf_ffff_ffff_ffff].map(|m| f64::from_bits(e << 52 | m)))
        .collect();
    check_frexp(double)?;
    check_frexp(single)
}

#[test]
fn parts_and_remainders_are_those_of_the_machine() -> Result<()> {
    let values = patterns();
    let x = Array::try_from(values.clone())?;
    let (rest, whole) = ivy::modf(&x)?;
    for ((v, r), w) in values.iter().zip(rest.to_vec::<f32>()?).zip(whole.to_vec::<f32>()?) {
        let want = if v.is_infinite() { 0f32.copysign(*v) } else { v.fract().copysign(*v) };
        assert!(same(r.into(), want.into()) && same(w.into(), v.trunc().into()), "{v:e}: {r:e} {w:e}");
    }
    for by in [3.0f32, -0.7, 1e-40, f32::INFINITY, 0.0, 2.5e30] {
        for (v, r) in values.iter().zip(ivy::fmod(&x, by)?.to_vec::<f32>()?) {
            assert!(same(r.into(), (v % by).into()), "{v:e} % {by:e}: {r:e}");
        }
    }
    let ints: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    let column = ivy::reshape(&Array::try_from(ints.clone())?, [256, 1], ())?;
    let row = Array::try_from(ints.clone())?;
    let rests = ivy::fmod(&column, &row)?.to_vec::<i8>()?;
    let quotients = ivy::trunc_divide(&column, &row)?.to_vec::<i8>()?;
    for (i, &a) in ints.iter().enumerate() {
        for (j, &b) in ints.iter().enumerate() {
            let at = i * ints.len() + j;
            let (rest, quotient) = if b == 0 { (0, 0) } else { (a.wrapping_rem(b), a.wrapping_div(b)) };
            assert_eq!((rests[at], quotients[at]), (rest, quotient), "{a} by {b}");
        }
    }
    Ok(())
}

#[test]
fn integers_are_close_as_integers() -> Result<()> {
    let exact = || IsClose::new().rtol(0.0).atol(0.0);
    let x = Array::try_from([i64::MAX, i64::MIN, 1 << 60])?;
    let y = Array::try_from([i64::MAX - 1, i64::MAX, 1 << 60])?;
    assert_eq!(ivy::isclose(&x, &y, exact())?.to_vec::<bool>()?, [false, false, true]);
    assert_eq!(ivy::isclose(&x, &y, exact().atol(1.0))?.to_vec::<bool>()?, [true, false, true]);
    let huge = Array::try_from([u64::MAX])?;
    assert!(!ivy::allclose(&huge, u64::MAX - 3, exact().atol(2.0))?.item::<bool>()?);
    assert!(ivy::allclose(&huge, u64::MAX - 3, exact().atol(3.0))?.item::<bool>()?);
    Ok(())
}

#[test]
fn parts_that_are_no_numbers_are_replaced_alone() -> Result<()> {
    let (inf, minus_inf) = (f64::INFINITY, f64::NEG_INFINITY);
    let z = Array::try_from([Complex64::new(f64::NAN, -2.0), Complex64::new(1.0, inf)])?;
    let own = NanToNum::new().nan(inf).posinf(minus_inf);
    let want = [Complex64::new(inf, -2.0), Complex64::new(1.0, minus_inf)];
    assert_eq!(ivy::nan_to_num(&z, own)?.to_vec::<Complex64>()?, want);
    let upright = Array::try_from([Complex64::new(0.0, 2.0), Complex64::new(0.0, -1.0)])?;
    assert_eq!(ivy::angle(&upright, Angle::new().deg())?.to_vec::<f64>()?, [90.0, -90.0]);
    Ok(())
}

#[test]
fn bad_arguments_are_refused() -> Result<()> {
    let x = ivy::ones([3], ())?;
    for bad in [-1.0, f64::NAN] {
        assert_eq!(refused(ivy::isclose(&x, &x, IsClose::new().rtol(bad))), "InvalidArgument");
        assert_eq!(refused(ivy::allclose(&x, &x, IsClose::new().atol(bad))), "InvalidArgument");
        assert_eq!(refused(ivy::clip_vector_norm(&x, bad, ())), "InvalidArgument");
    }
    assert_eq!(refused(ivy::clip_vector_norm(&x, 1.0, ClipVectorNorm::new().p(f64::NAN))), "InvalidArgument");
    assert_eq!(refused(ivy::nansum(&x, Sum::new().axis(1))), "AxisOutOfRange");
    assert_eq!(refused(ivy::nansum(&x, Sum::new().dtype(Dtype::BOOL))), "WrongDtypeKind");
    assert_eq!(refused(ivy::fmod(&x, ivy::ones([2], ())?)), "BroadcastShapes");
    assert_eq!(refused(ivy::fmax(&x, Complex64::new(0.0, 1.0))), "OutsideDomain");
    assert_eq!(refused(ivy::frexp(ivy::ones([1], Dtype::COMPLEX64)?)), "OutsideDomain");
    let error = ivy::isclose(&x, &x, IsClose::new().rtol(-1.0)).expect_err("a bad tolerance");
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { function: "isclose", argument: "rtol", .. }));
    Ok(())
}
