//! Patterns of axes: errors with their places, dtypes that a reduction chooses, derivatives.

use ivy::prelude::*;
use ivy::{AxesLengths, EinopsReduction, Result};

fn told<T>(result: Result<T>) -> (&'static str, String) {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => (error.kind().name(), error.to_string()),
    }
}

#[test]
fn a_wrong_pattern_is_told_with_its_place() -> Result<()> {
    let x = ivy::ones([2, 6], ())?;
    let h: AxesLengths = [("h", 2)].into();
    for (pattern, place) in [
        ("a b", "at its end"),
        ("a b -> a", "at character 2, `b`"),
        ("a b -> b a c", "at character 11, `c`"),
        ("a 6 -> a", "at character 2, `6`"),
        ("a b c -> c b a", "at character 4, `c`"),
        ("a -> a", "at character 2, `-`"),
        ("a b c ... -> c b a ...", "at character 4, `c`"),
        ("(...) a b -> b a (...)", "at character 1, `.`"),
        ("a b -> ... b a", "at character 7, `.`"),
        ("a (b c) -> a b c", "at character 5, `c`"),
        ("a b a -> b a", "at character 4, `a`"),
        ("a b? -> b a", "at character 3, `?`"),
    ] {
        let (kind, text) = told(ivy::einops_rearrange(&x, pattern, ()));
        assert!(kind == "InvalidArgument" && text.contains(place), "{pattern}: {text}");
    }
    let (_, text) = told(ivy::einops_reduce(&x, "a b -> c", EinopsReduction::Sum, ()));
    assert!(text.contains("at character 7, `c`"), "{text}");
    let (_, text) = told(ivy::einops_repeat(&x, "a b -> a b c", ()));
    assert!(text.contains("at character 11, `c`"), "{text}");
    let (_, text) = told(ivy::einops_repeat(&x, "a b -> b 2", ()));
    assert!(text.contains("at character 0, `a`"), "{text}");
    let (kind, text) = told(ivy::einops_rearrange(&x, "a b -> b a", h));
    assert!(kind == "InvalidArgument" && text.contains("axes_lengths = \"h\""), "{text}");
    Ok(())
}

#[test]
fn lengths_go_with_the_shape() -> Result<()> {
    let x = ivy::ones([2, 6], ())?;
    for (pattern, lengths) in [
        ("a (b c) -> a b c", vec![("c", 4)]),
        ("a (b c) -> a b c", vec![("b", 2), ("c", 4)]),
        ("a b -> b a", vec![("b", 5)]),
        ("1 b -> b", vec![]),
        ("a (b c) -> a b c", vec![("b", usize::MAX), ("c", 2)]),
    ] {
        let (kind, text) = told(ivy::einops_rearrange(&x, pattern, &lengths[..]));
        assert!(kind == "ShapeMismatch" && text.contains("of the pattern"), "{pattern}: {text}");
    }
    // Of an axis of no elements nothing follows.
    let none = ivy::zeros([0], ())?;
    let (kind, _) = told(ivy::einops_rearrange(&none, "(a b) -> a b", [("b", 0)]));
    assert_eq!(kind, "InvalidArgument");
    assert_eq!(ivy::einops_rearrange(&none, "(a b) -> a b", [("b", 3)])?.shape().to_string(), "(0, 3)");
    assert_eq!(told(ivy::einops_rearrange(&x, "a b -> b a", [("b", 6), ("b", 6)])).0, "InvalidArgument");
    let many = [("n", 1 << 40), ("m", 1 << 40)];
    assert_eq!(told(ivy::einops_repeat(&x, "a b -> a n (b m)", many)).0, "SizeOverflow");
    Ok(())
}

#[test]
fn a_reduction_has_the_dtypes_of_its_function() -> Result<()> {
    let x = ivy::ones([2, 3], Dtype::UINT8)?;
    for (reduction, dtype) in [
        (EinopsReduction::Sum, Dtype::UINT32),
        (EinopsReduction::Prod, Dtype::UINT32),
        (EinopsReduction::Max, Dtype::UINT8),
        (EinopsReduction::Min, Dtype::UINT8),
        (EinopsReduction::Mean, Dtype::FLOAT32),
        (EinopsReduction::Any, Dtype::BOOL),
        (EinopsReduction::All, Dtype::BOOL),
    ] {
        for pattern in ["a b -> b", "a b -> b a", "a b ->"] {
            let y = ivy::einops_reduce(&x, pattern, reduction, ())?;
            assert_eq!(y.dtype(), dtype, "{reduction:?} {pattern}");
        }
    }
    let complex = ivy::ones([2, 3], Dtype::COMPLEX64)?;
    assert_eq!(told(ivy::einops_reduce(&complex, "a b -> b", EinopsReduction::Max, ())).0, "OutsideDomain");
    assert_eq!(ivy::einops_reduce(&complex, "a b -> b", EinopsReduction::Sum, ())?.dtype(), Dtype::COMPLEX64);
    let none = ivy::zeros([0, 3], ())?;
    assert_eq!(told(ivy::einops_reduce(&none, "a b -> b", EinopsReduction::Min, ())).0, "EmptyReduction");
    assert_eq!(ivy::einops_reduce(&none, "a b -> a", EinopsReduction::Min, ())?.size(), 0);
    Ok(())
}

#[test]
fn derivatives_and_batches_go_through_patterns() -> Result<()> {
    let x = Array::try_from([[1.0f64, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])?;
    let loss = |x: &Array| {
        let pooled = ivy::einops_reduce(x, "h (w 2) -> w h", EinopsReduction::Mean, ())?;
        let spread = ivy::einops_repeat(&pooled, "w h -> (h n) w", [("n", 3)])?;
        ivy::sum(ivy::square(ivy::einops_rearrange(&spread, "a b -> (a b)", ())?)?, ())
    };
    assert_eq!(ivy::grad(loss)(&x)?.to_vec::<f64>()?, [4.5, 4.5, 10.5, 10.5, 16.5, 16.5, 22.5, 22.5]);
    let each = ivy::vmap(|row: &Array| ivy::einops_rearrange(row, "(a b) -> b a", [("a", 2)]), ())(&x)?;
    assert_eq!(each.to_vec::<f64>()?, [1.0, 3.0, 2.0, 4.0, 5.0, 7.0, 6.0, 8.0]);
    Ok(())
}
