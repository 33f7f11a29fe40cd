//! Arrays made longer at both ends of their axes: values, dtypes and errors. Where a mode repeats
//! elements, NumPy 2.3's `pad` gives the same.

use ivy::prelude::*;
use ivy::{ConstantPad, Pad, PadMode, PadWidth, Result};
use num_complex::Complex64;

fn refused(result: Result<Array>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

#[test]
fn one_value_around() -> Result<()> {
    let x = Array::try_from([[1i16, 2], [3, 4]])?;
    let zeros = ivy::zero_pad(&x, [(1, 0), (0, 2)])?;
    assert_eq!((zeros.dtype(), zeros.shape().to_string()), (Dtype::INT16, "(3, 4)".into()));
    assert_eq!(zeros.to_vec::<i16>()?, [0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0]);
    let sevens = ivy::constant_pad(&x, (0, 1), ConstantPad::new().value(7))?;
    assert_eq!(sevens.to_vec::<i16>()?, [1, 2, 7, 3, 4, 7, 7, 7, 7]);
    // Of views, of nothing, and of one number.
    let turned = ivy::zero_pad(ivy::permute_dims(&x, [1, 0])?, [(0, 0), (1, 0)])?;
    assert_eq!(turned.to_vec::<i16>()?, [0, 1, 3, 0, 2, 4]);
    let nothing = ivy::zeros([0, 2], Dtype::FLOAT32)?;
    let border = ivy::constant_pad(&nothing, [(1, 1), (0, 0)], ConstantPad::new().value(0.5))?;
    assert_eq!(border.to_vec::<f32>()?, [0.5; 4]);
    assert_eq!(ivy::zero_pad(3, 4)?.item::<i32>()?, 3);
    assert_eq!(ivy::zero_pad(&x, 0)?.to_vec::<i16>()?, [1, 2, 3, 4]);
    // The value converts as that of `full`.
    let truth = ivy::constant_pad(Array::try_from([false])?, 1, ConstantPad::new().value(2))?;
    assert_eq!(truth.to_vec::<bool>()?, [true, false, true]);
    let complex = ivy::constant_pad(
        ivy::ones(1, Dtype::COMPLEX128)?,
        (0, 1),
        ConstantPad::new().value(Complex64::new(1.0, -2.0)),
    )?;
    assert_eq!(complex.to_vec::<Complex64>()?[1], Complex64::new(1.0, -2.0));
    Ok(())
}

#[test]
fn elements_repeated() -> Result<()> {
    let x = Array::try_from([1i32, 2, 3])?;
    let of = |mode: PadMode| -> Result<Vec<i32>> { ivy::pad(&x, (5, 4), Pad::new().mode(mode))?.to_vec() };
    assert_eq!(of(PadMode::Constant)?, [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0]);
    assert_eq!(of(PadMode::Edge)?, [1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3]);
    assert_eq!(of(PadMode::Reflect)?, [2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3]);
    assert_eq!(of(PadMode::Symmetric)?, [2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 1]);
    assert_eq!(of(PadMode::Wrap)?, [2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    let square = Array::try_from([[1i32, 2], [3, 4]])?;
    let mirrored = ivy::pad(&square, 1, Pad::new().mode(PadMode::Reflect))?;
    assert_eq!(mirrored.to_vec::<i32>()?, [4, 3, 4, 3, 2, 1, 2, 1, 4, 3, 4, 3, 2, 1, 2, 1]);
    // One element has no other to mirror.
    let one = ivy::pad(Array::try_from([9u8])?, 2, Pad::new().mode(PadMode::Reflect))?;
    assert_eq!(one.to_vec::<u8>()?, [9; 5]);
    let value = ivy::pad(&x, (0, 1), Pad::new().constant_values(-1))?;
    assert_eq!(value.to_vec::<i32>()?, [1, 2, 3, -1]);
    // An axis of nothing is not made longer, and needs no element for that.
    let nothing = ivy::zeros([0, 1], Dtype::INT8)?;
    let edges = Pad::new().mode(PadMode::Edge);
    let longer = ivy::pad(&nothing, [(0, 0), (2, 0)], edges.clone())?;
    assert_eq!(longer.shape().to_string(), "(0, 3)");
    assert_eq!(
        refused(ivy::pad(&nothing, 1, edges)),
        "InvalidArgument function=pad argument=input value=(0, 1) rule=there is no element to repeat along an empty axis"
    );
    Ok(())
}

#[test]
fn bad_widths_and_values() -> Result<()> {
    let x = ivy::zeros([2, 2], Dtype::INT8)?;
    assert_eq!(
        refused(ivy::zero_pad(&x, [(1, 1), (0, 0), (2, 0)])),
        "InvalidArgument function=zero_pad argument=pad_width value=((1, 1), (0, 0), (2, 0)) with ndim 2 \
         rule=one pair (before, after), or one for each axis"
    );
    assert!(refused(ivy::zero_pad(&x, usize::MAX)).starts_with("SizeOverflow function=zero_pad"));
    assert!(
        refused(ivy::zero_pad(ivy::zeros([0, 1], ())?, usize::MAX))
            .starts_with("SizeOverflow function=zero_pad")
    );
    let value = |v: i32| ConstantPad::new().value(v);
    assert_eq!(
        refused(ivy::constant_pad(&x, 1, value(128))),
        "ScalarOutOfRange function=constant_pad value=128 dtype=int8 min=-128 max=127"
    );
    assert!(
        refused(ivy::pad(&x, 1, Pad::new().constant_values(-129)))
            .starts_with("ScalarOutOfRange function=pad")
    );
    let complex = ConstantPad::new().value(Complex64::new(0.0, 1.0));
    assert!(refused(ivy::constant_pad(&x, 1, complex)).starts_with("CastRefused function=constant_pad"));
    assert!(refused(ivy::constant_pad(&x, 1, ConstantPad::new().value(&x))).starts_with("InvalidArgument"));
    let none: [(usize, usize); 0] = [];
    assert_eq!(PadWidth::from(none).to_string(), "()");
    Ok(())
}
