//! Special functions that are composed: known values, derivatives, and errors.

use ivy::prelude::*;
use ivy::{KaiserBesselDerivedWindow, KaiserWindow, Result};

fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

fn of(values: &[f64]) -> Array {
    Array::try_from(values).expect("host numbers are an array")
}

fn near(found: &Array, wanted: &[f64]) -> Result<()> {
    for (found, wanted) in found.to_vec::<f64>()?.into_iter().zip(wanted) {
        assert!(
            found == *wanted || (found - wanted).abs() <= 1e-13 * wanted.abs(),
            "{found} is not {wanted}"
        );
    }
    Ok(())
}

/// The derivative of the sum of a function's results.
fn slope(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Result<Array> {
    let total = |x: &Array| ivy::sum(f(x)?, ());
    ivy::grad(total)(x)
}

#[test]
fn the_error_function_is_undone() -> Result<()> {
    let x = [-2.0, -0.25, 1e-300, 1e-5, 0.3, 1.0];
    near(&ivy::erfinv(ivy::erf(of(&x))?)?, &x)?;
    let y = of(&[0.0, 0.5, -0.999_999, 1e-6]);
    // sqrt(pi) / 2 exp(root^2).
    let root = ivy::erfinv(&y)?;
    let wanted = ivy::multiply(ivy::exp(ivy::square(&root)?)?, std::f64::consts::PI.sqrt() / 2.0)?;
    near(&slope(|y| ivy::erfinv(y), &y)?, &wanted.to_vec::<f64>()?)?;
    assert_eq!(refused(ivy::erfinv(ivy::ones([1], Dtype::COMPLEX64)?)), "OutsideDomain");
    Ok(())
}

#[test]
fn bessel_and_zeta_have_known_values() -> Result<()> {
    let pi = std::f64::consts::PI;
    near(
        &ivy::i0(of(&[0.0, 1.0, -30.0, 700.0]))?,
        &[1.0, 1.266_065_877_752_008_4, 781672297823.9775, 1.5295933476718735e+302],
    )?;
    near(&slope(|x| ivy::i0(x), &of(&[1.0, 40.0]))?, &[0.5651591039924851, 1.4707396163259354e+16])?;
    near(
        &ivy::zeta(of(&[2.0, 4.0, 2.0]), of(&[1.0, 1.0, 0.5]))?,
        &[pi.powi(2) / 6.0, pi.powi(4) / 90.0, pi.powi(2) / 2.0],
    )?;
    near(&ivy::polygamma(1, of(&[0.5, 1.0]))?, &[pi.powi(2) / 2.0, pi.powi(2) / 6.0])?;
    near(&ivy::polygamma(2, of(&[1.0]))?, &[-2.404_113_806_319_188_6])?;
    near(&slope(|x| ivy::polygamma(1, x), &of(&[1.0]))?, &[-2.404_113_806_319_188_6])?;
    // Below 0, by 40 digits of another implementation.
    let x = of(&[-0.5, -2.25, -10.75, -0.001953125, -100.25]);
    let known = [
        (1, "8.9348022005446793 19.379410511869137 19.650378280099093 262145.64964201981 19.729283325349363"),
        (
            2,
            "-0.82879664423431999 123.89694977406016 -124.03299241970519 268435453.58315510 124.02500820691771",
        ),
        (3, "193.40909103400244 1558.4550231887143 1558.5440573914795 412316860422.54278 1558.5454545884687"),
        (
            4,
            "-3.4742498266672252 24481.479910902562 -24481.575154956733 844424930131942.87 24481.574782764288",
        ),
        (
            7,
            "2580680.2181855981 330352695.39127781 330352695.85548211 2.3800727073663012e25 330352695.85551310",
        ),
    ];
    for (n, wanted) in known {
        let wanted: Vec<f64> = wanted.split(' ').map(|number| number.parse().unwrap()).collect();
        near(&ivy::polygamma(n, &x)?, &wanted)?;
    }
    let poles = of(&[0.0, -3.0, f64::NEG_INFINITY]);
    let found = ivy::polygamma(2, &poles)?.to_vec::<f64>()?;
    assert_eq!(found, [f64::NEG_INFINITY; 3]);
    // So near to a pole that the square of the cotangent has no number.
    assert_eq!(ivy::polygamma(2, of(&[-1e-300, -1e-200]))?.to_vec::<f64>()?, [f64::INFINITY; 2]);
    near(&slope(|x| ivy::polygamma(1, x), &of(&[-2.25]))?, &[123.896_949_774_060_16])?;
    // What neither the factorial nor the sum has by itself in float32.
    assert!(ivy::polygamma(30, Array::try_from([100.0f32])?)?.item::<f32>()? < 0.0);
    assert_eq!(refused(ivy::polygamma(31, 1.0)), "InvalidArgument");
    assert_eq!(refused(ivy::zeta(of(&[2.0, 3.0]), of(&[1.0, 2.0, 3.0]))), "BroadcastShapes");
    Ok(())
}

#[test]
fn windows_of_kaiser() -> Result<()> {
    let wide = KaiserWindow::new().periodic(false).beta(14.0).dtype(Dtype::FLOAT64);
    let found = ivy::kaiser_window(12, wide)?.to_vec::<f64>()?;
    assert!((found[0] - 7.726866835270368e-06).abs() < 1e-18 && found.iter().eq(found.iter().rev()));
    let derived =
        ivy::kaiser_bessel_derived_window(8, KaiserBesselDerivedWindow::new().dtype(Dtype::FLOAT64))?;
    let derived = derived.to_vec::<f64>()?;
    assert!((0..4).all(|i| (derived[i].powi(2) + derived[i + 4].powi(2) - 1.0).abs() < 1e-15));
    assert_eq!(refused(ivy::kaiser_bessel_derived_window(5, ())), "InvalidArgument");
    assert_eq!(refused(ivy::kaiser_window(4, KaiserWindow::new().beta(f64::NAN))), "InvalidArgument");
    assert_eq!(refused(ivy::kaiser_window(4, Dtype::INT32)), "InvalidArgument");
    assert_eq!(refused(ivy::kaiser_window(usize::MAX, ())), "SizeOverflow");
    Ok(())
}
