//! The content of errors: which function, which type, which sizes.

use super::on_both;
use ivy_drjit::llvm::{Array2f, Array3f, Float, Int8, Matrix2f, TensorXf};
use ivy_drjit::{self as dr, Error, FormatArg};

#[test]
fn d_03_errors_of_constructors() {
    on_both(|| {
        let text = |error: Error| error.to_string();
        assert_eq!(
            text(Array3f::new([1, 2]).unwrap_err()),
            "drjit.llvm.Array3f: input has the wrong size (expected 3 elements, got 2)"
        );
        assert_eq!(
            text(Matrix2f::new(&Array2f::new([1, 2])?).unwrap_err()),
            "drjit.llvm.Matrix2f: broadcast from type 'drjit.llvm.Array2f' failed; convert element by element if that is meant"
        );
        assert!(matches!(Int8::new(300).unwrap_err(), Error::CannotInitialize { .. }));
        assert!(matches!(Int8::new(f64::NAN).unwrap_err(), Error::CannotInitialize { .. }));
        Ok(())
    });
}

#[test]
fn d_06_sizes_that_do_not_go_together() {
    on_both(|| {
        let error = dr::eq(Float::new([1, 2, 3])?, Float::new([2, 3])?).unwrap_err();
        assert_eq!(error.to_string(), "eq: operands have incompatible sizes (sizes: 3, 2)");
        let chained = (Float::new([1, 2, 3])? + Float::new([2, 3])? * 2.0 + 1).ok().unwrap_err();
        assert!(matches!(chained, Error::IncompatibleSizes { function: "add", .. }), "{chained}");
        Ok(())
    });
}

#[test]
fn d_07_ragged_arrays_fail_when_used() {
    on_both(|| {
        let ragged = Array2f::new((Float::new([1, 2, 3])?, Float::new([1, 2])?))?;
        assert_eq!((ragged.to_string().as_str(), ragged.shape()), ("[ragged array]", None));
        let error = dr::sum(&ragged, ()).unwrap_err();
        let text =
            "drjit.sum(<drjit.llvm.Array2f>): failed: sum: operands have incompatible sizes (sizes: 3, 2)";
        assert_eq!(error.to_string(), text);
        assert!(matches!(dr::ravel(&ragged, dr::Order::C), Err(Error::Ragged { .. })));
        Ok(())
    });
}

#[test]
fn d_11_shapes_that_do_not_go_together() {
    on_both(|| {
        let (a, b) = (TensorXf::TYPE.make_tensor([1, 2, 3, 4], &[2, 2])?, TensorXf::new([1, 2, 3])?);
        let error = (&a + &b).ok().unwrap_err().to_string();
        assert_eq!(error, "add: operands have incompatible shapes: (2, 2) and (3,)");
        assert!(matches!(
            TensorXf::TYPE.make_tensor([1, 2, 3, 4], &[2, 3]),
            Err(Error::WrongEntries { expected: 6, got: 4, .. })
        ));
        let wrong = Array3f::new(&a).unwrap_err();
        assert!(matches!(wrong, Error::MismatchedShape { axis: 0, expected: 3, got: 2, .. }), "{wrong}");
        Ok(())
    });
}

#[test]
fn d_17_format_strings() {
    on_both(|| {
        let x: FormatArg = Float::new([1, 2])?.into();
        assert_eq!(dr::format("{{{}}} {y}", &[("", x.clone()), ("y", 3.into())])?, "{[1, 2]} 3");
        assert!(matches!(
            dr::format("{} {}", &[("", x.clone())]),
            Err(Error::MissingFormatArgument { position: 3, .. })
        ));
        assert!(matches!(dr::format("{", &[("", x.clone())]), Err(Error::UnmatchedBrace { position: 0 })));
        assert!(matches!(dr::format("a}", &[]), Err(Error::UnmatchedBrace { position: 1 })));
        Ok(())
    });
}
