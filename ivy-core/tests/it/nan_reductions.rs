//! Reductions that leave NaN out, and integrals: errors, and results of nothing.

use ivy::prelude::*;
use ivy::{Result, Trapz};

fn refused(result: Result<Array>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

#[test]
fn nothing_but_nan_gives_what_nothing_gives() -> Result<()> {
    let x = ivy::full([2, 2], f64::NAN, ())?;
    let read = |x: Result<Array>| x?.to_vec::<f32>();
    for all in [ivy::nanmax(&x, Max::new().axis(0)), ivy::nanmin(&x, Max::new().axis(0))] {
        assert!(read(all)?.iter().all(|x| x.is_nan()));
    }
    assert!(read(ivy::nanvar(&x, ()))?[0].is_nan() && read(ivy::nanstd(&x, ()))?[0].is_nan());
    assert!(read(ivy::nanvar(ivy::zeros([0], ())?, ()))?[0].is_nan());
    assert_eq!((read(ivy::nansum(&x, ()))?, read(ivy::nanprod(&x, ()))?), (vec![0.0], vec![1.0]));
    assert_eq!(ivy::trapz(ivy::ones([1], ())?, ())?.item::<f32>()?, 0.0);
    assert_eq!(ivy::trapz(ivy::ones([0], ())?, ())?.item::<f32>()?, 0.0);
    Ok(())
}

#[test]
fn bad_arguments_are_refused() -> Result<()> {
    let x = ivy::ones([2, 3], ())?;
    assert_eq!(refused(ivy::nanmax(ivy::ones([0], ())?, ())), "EmptyReduction");
    assert_eq!(refused(ivy::nanmin(&x, Max::new().axis(2))), "AxisOutOfRange");
    assert_eq!(refused(ivy::nanvar(&x, Var::new().axis([0, 0]))), "RepeatedAxis");
    assert_eq!(refused(ivy::nanprod(&x, ivy::NanProd::new().dtype(Dtype::BOOL))), "WrongDtypeKind");
    assert_eq!(refused(ivy::nanstd(ivy::ones([2], Dtype::COMPLEX64)?, ())), "OutsideDomain");
    assert_eq!(refused(ivy::trapz(&x, Trapz::new().axis(2))), "AxisOutOfRange");
    assert_eq!(refused(ivy::trapz(1.0, ())), "AxisOutOfRange");
    assert_eq!(refused(ivy::trapz(&x, Trapz::new().x(&ivy::ones([2], ())?))), "ShapeMismatch");
    assert_eq!(refused(ivy::isposinf(ivy::ones([1], Dtype::COMPLEX64)?)), "OutsideDomain");
    Ok(())
}
