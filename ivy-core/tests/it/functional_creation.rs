//! Creation functions: values, dtypes and errors.

use ivy::prelude::*;
use ivy::{Defaults, Device, ErrorKind, Result, Scalar, Shape};
use num_complex::{Complex32, Complex64};
use proptest::prelude::*;

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

fn shape(x: &Array) -> Vec<usize> {
    x.shape().to_vec()
}

#[test]
fn arange_counts_and_infers() -> Result<()> {
    assert_eq!(ivy::arange(4, ())?.to_vec::<i32>()?, [0, 1, 2, 3]);
    assert_eq!(ivy::arange((9, 1, -3), ())?.to_vec::<i32>()?, [9, 6, 3]);
    assert_eq!(ivy::arange((10, 0, 2), ())?.to_vec::<i32>()?, [0i32; 0]);
    assert_eq!(ivy::arange(-3, ())?.size(), 0);
    assert_eq!(ivy::arange((0, 1, 0.25), ())?.to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75]);
    assert_eq!(ivy::arange((0.0, 1.0, 0.3), Dtype::FLOAT64)?.to_vec::<f64>()?, [0.0, 0.3, 0.6, 0.3 * 3.0]);
    assert_eq!(ivy::arange((0.5, 3.0), Dtype::INT16)?.to_vec::<i16>()?, [0, 1, 2]);
    let dtypes = [
        (ivy::arange((1i64 << 31, (1i64 << 31) + 2), ())?, Dtype::INT64),
        (ivy::arange((u64::MAX - 2, u64::MAX), ())?, Dtype::UINT64),
        (ivy::arange((0, 2.0), ())?, Dtype::FLOAT32),
        (ivy::arange((1e300, 2e300, 5e299), ())?, Dtype::FLOAT64),
        (ivy::arange(2, Dtype::COMPLEX64)?, Dtype::COMPLEX64),
    ];
    for (x, dtype) in dtypes {
        assert_eq!((x.dtype(), x.size()), (dtype, 2), "{x:?}");
    }
    assert_eq!(ivy::arange((u64::MAX - 2, u64::MAX), ())?.to_vec::<u64>()?, [u64::MAX - 2, u64::MAX - 1]);
    let defaults = Defaults { int: Some(Dtype::INT16), float: Some(Dtype::FLOAT16), ..Defaults::default() };
    ivy::with(&Context::new().defaults(defaults), || -> Result<()> {
        assert_eq!(ivy::arange(4, ())?.dtype(), Dtype::INT16);
        assert_eq!(ivy::arange(40_000, ())?.dtype(), Dtype::INT64);
        assert_eq!(ivy::arange(4.0, ())?.dtype(), Dtype::FLOAT16);
        assert_eq!(ivy::linspace(0, 1, 2, ())?.dtype(), Dtype::FLOAT16);
        Ok(())
    })
}

#[test]
fn only_the_elements_of_arange_must_fit() -> Result<()> {
    let all = ivy::arange(256, Dtype::UINT8)?.to_vec::<u8>()?;
    assert!(all.iter().zip(0..=255).all(|(&x, i)| x == i) && all.len() == 256);
    assert_eq!(ivy::arange((9, -1, -3), Dtype::UINT8)?.to_vec::<u8>()?, [9, 6, 3, 0]);
    assert_eq!(ivy::arange((500, 500), Dtype::UINT8)?.size(), 0);
    let text = refused(ivy::arange(257, Dtype::UINT8));
    assert_eq!(text, "ScalarOutOfRange function=arange value=256 dtype=uint8 min=0 max=255");
    let text = refused(ivy::arange((-1, 3), Dtype::UINT16));
    assert_eq!(text, "ScalarOutOfRange function=arange value=-1 dtype=uint16 min=0 max=65535");
    Ok(())
}

#[test]
fn arange_refuses() {
    let rule = "rule=the step is not 0, and the number of steps is finite";
    for bounds in [(1.0, 2.0, 0.0), (0.0, f64::NAN, 1.0), (0.0, f64::INFINITY, 1.0)] {
        let text = refused(ivy::arange(bounds, ()));
        assert!(text.starts_with("InvalidArgument function=arange") && text.ends_with(rule), "{text}");
    }
    assert!(refused(ivy::arange((1, 5, 0), ())).ends_with(rule));
    for (i, bad) in [Scalar::Bool(true), Scalar::Complex(Complex64::new(1.0, 0.0))].into_iter().enumerate() {
        let text = refused(ivy::arange((0, 3, bad), ()));
        let dtype = ["bool", "complex64"][i];
        assert!(
            text.starts_with(&format!("OutsideDomain function=arange operand=step dtype={dtype}")),
            "{text}"
        );
    }
    assert!(refused(ivy::arange(i64::MAX, ())).starts_with("SizeOverflow function=arange"));
    assert!(refused(ivy::arange((i128::MIN, i128::MAX), Dtype::FLOAT32)).starts_with("SizeOverflow"));
    assert!(refused(ivy::arange(1e30, ())).starts_with("SizeOverflow"));
    let limited = Context::new().memory_limit(1000);
    let text = ivy::with(&limited, || refused(ivy::arange(251, ())));
    assert_eq!(text, "MemoryLimit function=arange bytes=1004 limit=1000");
    assert!(ivy::with(&limited, || ivy::arange(250, ())).is_ok());
}

proptest! {
    #[test]
    fn arange_of_integers_is_a_loop(start in -50i64..50, stop in -50i64..50, step in -9i64..9) {
        prop_assume!(step != 0);
        let mut expected = Vec::new();
        let mut at = start;
        while if step > 0 { at < stop } else { at > stop } {
            expected.push(at);
            at += step;
        }
        let x = ivy::arange((start, stop, step), Dtype::INT64).unwrap();
        prop_assert_eq!(x.to_vec::<i64>().unwrap(), expected);
    }
}

#[test]
fn linspace_ends_where_it_should() -> Result<()> {
    assert_eq!(ivy::linspace(0, 1, 5, ())?.to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    let open = Linspace::new().endpoint(false).dtype(Dtype::FLOAT64);
    assert_eq!(ivy::linspace(3, -1, 4, open)?.to_vec::<f64>()?, [3.0, 2.0, 1.0, 0.0]);
    assert_eq!(ivy::linspace(2.5, 9, 1, ())?.to_vec::<f32>()?, [2.5]);
    assert_eq!(shape(&ivy::linspace(0, 1, 0, ())?), [0]);
    let last = ivy::linspace(0.0, 0.1, 7, Dtype::FLOAT64)?.to_vec::<f64>()?[6];
    assert_eq!(last.to_bits(), 0.1f64.to_bits());
    let z = ivy::linspace(0, Complex64::new(2.0, -2.0), 3, ())?.to_vec::<Complex32>()?;
    assert_eq!(z, [Complex32::new(0.0, 0.0), Complex32::new(1.0, -1.0), Complex32::new(2.0, -2.0)]);
    assert_eq!(ivy::linspace(0, 1, 2, Dtype::COMPLEX128)?.dtype(), Dtype::COMPLEX128);
    assert_eq!(ivy::linspace(0, 1, 2, Dtype::BFLOAT16)?.dtype(), Dtype::BFLOAT16);
    Ok(())
}

#[test]
fn linspace_refuses() {
    let text = refused(ivy::linspace(0, 1, 2, Dtype::BOOL));
    assert!(text.starts_with("InvalidArgument function=linspace argument=dtype value=bool"), "{text}");
    let text = refused(ivy::linspace(0, Complex64::new(0.0, 1.0), 2, Dtype::FLOAT32));
    assert!(text.starts_with("CastRefused function=linspace from=complex64 to=float32"), "{text}");
    let text = refused(ivy::linspace(false, 1, 2, ()));
    assert!(text.starts_with("OutsideDomain function=linspace operand=start dtype=bool"), "{text}");
    assert!(refused(ivy::linspace(0, 1, usize::MAX, ())).starts_with("SizeOverflow"));
}

#[test]
fn filled_arrays() -> Result<()> {
    assert_eq!(ivy::zeros([2, 0], ())?.dtype(), Dtype::FLOAT32);
    assert_eq!(ivy::ones((), Dtype::INT8)?.item::<i8>()?, 1);
    assert_eq!(ivy::empty(3, Dtype::COMPLEX64)?.size(), 3);
    let infers = [
        (Scalar::Bool(true), Dtype::BOOL),
        (Scalar::Int(-5), Dtype::INT32),
        (Scalar::Int(1 << 31), Dtype::INT64),
        (Scalar::Int(1 << 63), Dtype::UINT64),
        (Scalar::Float(0.5), Dtype::FLOAT32),
        (Scalar::Float(1e200), Dtype::FLOAT64),
        (Scalar::Complex(Complex64::new(0.0, 1.0)), Dtype::COMPLEX64),
    ];
    for (value, dtype) in infers {
        let x = ivy::full((), value, ())?;
        assert_eq!((x.dtype(), x.to_scalar()?), (dtype, value));
    }
    assert_eq!(ivy::full(2, -1.75, Dtype::INT8)?.to_vec::<i8>()?, [-1, -1]);
    assert_eq!(ivy::full(2, 1e9, Dtype::UINT8)?.to_vec::<u8>()?, [255, 255]);
    assert_eq!(ivy::full(1, 3, Dtype::BOOL)?.to_vec::<bool>()?, [true]);
    Ok(())
}

#[test]
fn filled_arrays_refuse() {
    let text = refused(ivy::full(2, 300, Dtype::UINT8));
    assert_eq!(text, "ScalarOutOfRange function=full value=300 dtype=uint8 min=0 max=255");
    let text = refused(ivy::full(2, Complex64::new(0.0, 1.0), Dtype::FLOAT64));
    assert!(text.starts_with("CastRefused function=full from=complex64 to=float64"), "{text}");
    let x = ivy::zeros(2, ()).unwrap();
    assert!(refused(ivy::full(2, &x, ())).starts_with("InvalidArgument function=full argument=fill_value"));
    assert!(refused(ivy::zeros([usize::MAX, 2], ())).starts_with("SizeOverflow function=zeros"));
    assert!(ivy::zeros([usize::MAX, 0], ()).is_ok());
    let text = ivy::with(&Context::new().memory_limit(7), || refused(ivy::ones(2, ())));
    assert_eq!(text, "MemoryLimit function=ones bytes=8 limit=7");
    let like = refused(ivy::full_like(ivy::zeros(2, Dtype::INT8).unwrap(), 128, ()));
    assert_eq!(like, "ScalarOutOfRange function=full value=128 dtype=int8 min=-128 max=127");
}

#[test]
fn like_another_array() -> Result<()> {
    for dtype in Dtype::all().take(15) {
        let x = ivy::ones([2, 3], dtype)?;
        for made in [ivy::zeros_like(&x, ())?, ivy::ones_like(&x, ())?, ivy::empty_like(&x, ())?] {
            assert_eq!((made.dtype(), shape(&made)), (dtype, vec![2, 3]));
        }
        let full = ivy::full_like(&x, 1, ())?;
        assert_eq!(full.dtype(), dtype);
        assert!(ivy::all(&ivy::equal(&full, &x)?, ())?.item::<bool>()?);
        assert_eq!(ivy::zeros_like(&x, Dtype::INT16)?.to_vec::<i16>()?, [0; 6]);
    }
    // The operand decides, not the defaults in force.
    let defaults = Defaults { dtype: Some(Dtype::FLOAT64), ..Defaults::default() };
    let x = ivy::zeros((), Dtype::INT8)?;
    let made = ivy::with(&Context::new().defaults(defaults), || ivy::ones_like(&x, ()))?;
    assert_eq!((made.dtype(), made.item::<i8>()?), (Dtype::INT8, 1));
    Ok(())
}

#[test]
fn eye_has_one_diagonal() -> Result<()> {
    for rows in 0..4usize {
        for cols in 0..4usize {
            for k in [i64::MIN, -5, -2, -1, 0, 1, 2, 5, i64::MAX] {
                let x = ivy::eye(rows, Eye::new().n_cols(cols).k(k).dtype(Dtype::INT32))?;
                let one = |i: usize| (i % cols) as i64 == ((i / cols) as i64).saturating_add(k);
                let expected: Vec<i32> = (0..rows * cols).map(|i| i32::from(one(i))).collect();
                assert_eq!((shape(&x), x.to_vec::<i32>()?), (vec![rows, cols], expected), "k {k}");
            }
        }
    }
    assert_eq!(ivy::eye(3, ())?.dtype(), Dtype::FLOAT32);
    assert!(refused(ivy::eye(1 << 40, ())).starts_with("SizeOverflow function=eye"));
    Ok(())
}

#[test]
fn triangles_of_matrices() -> Result<()> {
    for (rows, cols) in [(0, 3), (3, 0), (1, 1), (2, 4), (4, 2), (3, 3)] {
        let x = ivy::ones([2, rows, cols], Dtype::INT32)?;
        for k in [i64::MIN, -4, -1, 0, 1, 2, 6, i64::MAX] {
            let params = Triangle::new().k(k);
            let (lower, upper) = (ivy::tril(&x, params.clone())?, ivy::triu(&x, params)?);
            let off = |i: usize| (i % cols) as i64 - (i / cols % rows) as i64;
            let expected = |kept: &dyn Fn(i64) -> bool| -> Vec<i32> {
                (0..2 * rows * cols).map(|i| i32::from(kept(off(i)))).collect()
            };
            assert_eq!(lower.to_vec::<i32>()?, expected(&|off| off <= k), "tril {rows} {cols} {k}");
            assert_eq!(upper.to_vec::<i32>()?, expected(&|off| off >= k), "triu {rows} {cols} {k}");
        }
    }
    for dtype in Dtype::all().take(15) {
        let x = ivy::tril(&ivy::ones([2, 2], dtype)?, ())?;
        assert_eq!(
            (x.dtype(), ivy::astype(&x, Dtype::BOOL)?.to_vec::<bool>()?),
            (dtype, vec![true, false, true, true])
        );
    }
    let nan = Array::try_from([[f32::NAN, f32::NAN], [f32::NAN, 1.0]])?;
    assert_eq!(ivy::triu(&nan, ())?.to_vec::<f32>()?[2], 0.0);
    let text = refused(ivy::tril(&ivy::zeros(3, ())?, ()));
    assert_eq!(text, "ShapeMismatch function=tril argument=x expected=at least two axes actual=(3,)");
    Ok(())
}

#[test]
fn meshgrids() -> Result<()> {
    let x = Array::try_from([1i32, 2])?;
    let y = Array::try_from([5.0f64, 6.0, 7.0])?;
    let z = ivy::zeros(4, Dtype::BOOL)?;
    let xy = ivy::meshgrid([&x, &y, &z], ())?;
    let shapes: Vec<Shape> = xy.iter().map(|g| g.shape().clone()).collect();
    assert_eq!(shapes, vec![Shape::from([3, 2, 4]); 3]);
    let dtypes: Vec<Dtype> = xy.iter().map(Array::dtype).collect();
    assert_eq!(dtypes, [Dtype::INT32, Dtype::FLOAT64, Dtype::BOOL]);
    let grids = ivy::meshgrid([&x, &y], Meshgrid::new().indexing(Indexing::Ij))?;
    assert_eq!(grids[0].to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
    assert_eq!(grids[1].to_vec::<f64>()?, [5.0, 6.0, 7.0, 5.0, 6.0, 7.0]);
    assert_eq!(ivy::meshgrid([&x], ())?[0].to_vec::<i32>()?, [1, 2]);
    assert!(ivy::meshgrid([] as [&Array; 0], ())?.is_empty());
    assert_eq!(shape(&ivy::meshgrid([&ivy::zeros(0, ())?, &x], ())?[1]), [2, 0]);
    let text = refused(ivy::meshgrid([&x, &ivy::zeros([1, 2], ())?], ()));
    assert_eq!(text, "ShapeMismatch function=meshgrid argument=arrays expected=one axis actual=(1, 2)");
    Ok(())
}

#[test]
fn asarray_without_a_copy() -> Result<()> {
    let x = Array::try_from([1i32])?;
    let same = AsArrayParams::new().copy(false).dtype(Dtype::INT32);
    assert_eq!(ivy::asarray(&x, same)?.to_vec::<i32>()?, [1]);
    let error = ivy::asarray(&x, AsArrayParams::new().copy(false).dtype(Dtype::INT8)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { argument: "copy", .. }), "{error}");
    Ok(())
}

#[test]
fn devices_are_the_backends_own() -> Result<()> {
    assert_eq!(ivy::zeros(2, Filled::new().device(Device::CPU))?.size(), 2);
    let gpu: Device = "cuda:3".parse()?;
    let text = refused(ivy::eye(2, Eye::new().device(gpu)));
    assert!(text.starts_with("InvalidArgument function=eye argument=device value=cuda:3"), "{text}");
    let x = ivy::zeros(2, ())?;
    assert!(refused(ivy::ones_like(&x, Like::new().device(gpu))).contains("argument=device"));
    Ok(())
}
