//! Arrays made longer at both ends of their axes: values, dtypes and errors. Where a mode repeats
//! elements, NumPy 2.3's `pad` gives the same.

use ivy::prelude::*;
use ivy::{ConstantPad, Pad, PadMode, PadWidth, ReflectType, Result, StatLength};
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
fn values_of_each_end() -> Result<()> {
    let x = Array::try_from([[5i8]])?;
    let framed = ivy::pad(&x, 1, Pad::new().constant_values([(1, 2), (3, 4)]))?;
    assert_eq!(framed.to_vec::<i8>()?, [3, 1, 4, 3, 5, 4, 3, 2, 4]);
    let pair = ivy::pad(&x, [(0, 0), (1, 2)], Pad::new().constant_values((1, 2)))?;
    assert_eq!(pair.to_vec::<i8>()?, [1, 5, 2, 2]);
    let empty = ivy::pad(ivy::zeros([0], Dtype::BOOL)?, (1, 2), Pad::new().mode(PadMode::Empty))?;
    assert_eq!(empty.shape().to_string(), "(3,)");
    Ok(())
}

#[test]
fn ramps() -> Result<()> {
    let of = |x: Array, width: (usize, usize), ends: (f64, f64)| {
        ivy::pad(x, width, Pad::new().mode(PadMode::LinearRamp).end_values(ends))
    };
    let x = Array::try_from([1i32, 2, 3, 4, 5])?;
    assert_eq!(of(x.clone(), (2, 3), (5.0, -4.0))?.to_vec::<i32>()?, [5, 3, 1, 2, 3, 4, 5, 2, -1, -4]);
    // Integers are rounded down.
    assert_eq!(of(x, (3, 0), (-0.5, 0.0))?.to_vec::<i32>()?[..3], [-1, 0, 0]);
    let halves = of(Array::try_from([1.0f32])?, (4, 2), (0.0, 2.0))?;
    assert_eq!(halves.to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0]);
    // A step that is too small for float64 is none that is lost.
    let least = f64::from_bits(1);
    let tiny = of(Array::try_from([3.0 * least])?, (6, 0), (0.0, 0.0))?;
    let steps: Vec<u64> = tiny.to_vec::<f64>()?.into_iter().map(f64::to_bits).collect();
    assert_eq!(steps, [0, 0, 1, 2, 2, 3, 3]);
    Ok(())
}

#[test]
fn statistics() -> Result<()> {
    let x = Array::try_from([[4i32, 1, 2], [6, 0, 9]])?;
    let of = |mode: PadMode, length: StatLength| -> Result<Vec<i32>> {
        ivy::pad(&x, [(0, 0), (1, 1)], Pad::new().mode(mode).stat_length(length))?.to_vec()
    };
    assert_eq!(of(PadMode::Maximum, 2.into())?, [4, 4, 1, 2, 2, 6, 6, 0, 9, 9]);
    assert_eq!(of(PadMode::Minimum, StatLength::WHOLE)?, [1, 4, 1, 2, 1, 0, 6, 0, 9, 0]);
    // Halves are rounded to even.
    assert_eq!(of(PadMode::Mean, 2.into())?, [2, 4, 1, 2, 2, 3, 6, 0, 9, 4]);
    assert_eq!(of(PadMode::Median, (3, 9).into())?, [2, 4, 1, 2, 2, 6, 6, 0, 9, 6]);
    // One element, as Ivy has it, if nothing is said.
    let nearest = ivy::pad(&x, [(0, 0), (1, 1)], Pad::new().mode(PadMode::Mean))?;
    assert_eq!(nearest.to_vec::<i32>()?, [4, 4, 1, 2, 2, 6, 6, 0, 9, 9]);
    let gap = Array::try_from([1.0f32, f32::NAN, 2.0])?;
    for mode in [PadMode::Maximum, PadMode::Mean, PadMode::Median, PadMode::Minimum] {
        let padded = ivy::pad(&gap, 1, Pad::new().mode(mode).stat_length((2, 1)))?.to_vec::<f32>()?;
        assert!(padded[0].is_nan() && padded[4] == 2.0, "{mode:?}");
    }
    // The mean of no floats is NaN; of no integers there is none.
    let nothing = Pad::new().mode(PadMode::Mean).stat_length((0, 1));
    for mode in [PadMode::Mean, PadMode::Median] {
        for length in [(0, 1), (1, 0), (0, 0)] {
            let padded = ivy::pad(&gap, 1, Pad::new().mode(mode).stat_length(length))?.to_vec::<f32>()?;
            let is_nan = [padded[0].is_nan(), padded[4].is_nan()];
            assert_eq!(is_nan, [length.0 == 0, length.1 == 0], "{mode:?} {length:?}");
        }
    }
    let rule = "rule=not 0, unless for a mean or median of floats, which are NaN";
    assert_eq!(
        refused(ivy::pad(&x, 1, nothing)),
        format!("InvalidArgument function=pad argument=stat_length value=(0, 1) {rule}")
    );
    let least = Pad::new().mode(PadMode::Minimum);
    assert!(refused(ivy::pad(&gap, 1, least.clone().stat_length(0))).ends_with(rule));
    // Complex numbers have a mean and no order, which is said in the function's own name.
    let complex = ivy::ones(2, Dtype::COMPLEX64)?;
    for mode in [PadMode::Maximum, PadMode::Median, PadMode::Minimum] {
        let error = refused(ivy::pad(&complex, 1, Pad::new().mode(mode)));
        assert!(error.starts_with("OutsideDomain function=pad operand=input dtype=complex64"), "{error}");
    }
    assert!(refused(ivy::pad(&complex, 1, Pad::new().mode(PadMode::Median).stat_length(0))).contains("pad"));
    Ok(())
}

#[test]
fn mirrored_and_turned() -> Result<()> {
    let odd = |mode: PadMode| Pad::new().mode(mode).reflect_type(ReflectType::Odd);
    let x = Array::try_from([1u8, 2, 4])?;
    let of = |mode: PadMode| -> Result<Vec<u8>> { ivy::pad(&x, (3, 5), odd(mode))?.to_vec() };
    assert_eq!(of(PadMode::Reflect)?, [252, 254, 0, 1, 2, 4, 6, 7, 8, 10, 12]);
    assert_eq!(of(PadMode::Symmetric)?, [254, 0, 1, 1, 2, 4, 4, 6, 7, 7, 8]);
    // What repeats elements has no use for it, and one element has no other to mirror.
    assert_eq!(ivy::pad(&x, (0, 1), odd(PadMode::Wrap))?.to_vec::<u8>()?, [1, 2, 4, 1]);
    let one = ivy::pad(Array::try_from([9u8])?, 2, odd(PadMode::Symmetric))?;
    assert_eq!(one.to_vec::<u8>()?, [9; 5]);
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
