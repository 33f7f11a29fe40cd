//! Manipulation, taking and products: values against plain index arithmetic, dtypes and errors.

use ivy::prelude::*;
use ivy::{ErrorKind, Result, Shape};
use num_complex::Complex32;
use proptest::prelude::*;

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

fn shape(x: &Array) -> Vec<usize> {
    x.shape().to_vec()
}

/// 0, 1, 2, ... in a shape: an element is its own place.
fn places(shape: &[usize]) -> Array {
    let size: usize = shape.iter().product();
    ivy::reshape(ivy::arange(size, Dtype::INT64), Shape::from(shape), ()).unwrap()
}

/// The array whose element at each index is the place in `from` that `source` names.
fn check(result: &Array, expected: &[usize], from: &[usize], source: impl Fn(&[usize]) -> Vec<usize>) {
    assert_eq!(shape(result), expected);
    let size: usize = expected.iter().product();
    let values: Vec<i64> = (0..size)
        .map(|mut place| {
            let mut index = vec![0; expected.len()];
            for (i, &d) in index.iter_mut().zip(expected).rev() {
                (*i, place) = (place % d, place / d);
            }
            source(&index).iter().zip(from).fold(0, |p, (&i, &d)| p * d as i64 + i as i64)
        })
        .collect();
    assert_eq!(result.to_vec::<i64>().unwrap(), values);
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..4, 0..4)
}

proptest! {
    #[test]
    fn order_of_elements(from in shapes(), bits in 0u8..16, shift in -9i64..9) {
        let x = places(&from);
        let n = from.len();
        let axes: Vec<usize> = (0..n).filter(|a| bits >> a & 1 == 1).collect();
        let signed: Vec<i64> = axes.iter().map(|&a| if a % 2 == 0 { a as i64 } else { a as i64 - n as i64 }).collect();
        check(&ivy::flip(&x, Flip::new().axis(signed.clone())).unwrap(), &from, &from, |index| {
            (0..n).map(|a| if axes.contains(&a) { from[a] - 1 - index[a] } else { index[a] }).collect()
        });
        check(&ivy::roll(&x, shift, Roll::new().axis(signed)).unwrap(), &from, &from, |index| {
            let back = |a: usize| (index[a] as i64 - shift).rem_euclid(from[a] as i64) as usize;
            (0..n).map(|a| if axes.contains(&a) { back(a) } else { index[a] }).collect()
        });
        let flat = ivy::roll(&x, shift, ()).unwrap();
        let mut expected = x.to_vec::<i64>().unwrap();
        if !expected.is_empty() {
            let places = shift.rem_euclid(expected.len() as i64) as usize;
            expected.rotate_right(places);
        }
        prop_assert_eq!(shape(&flat), from);
        prop_assert_eq!(flat.to_vec::<i64>().unwrap(), expected);
    }

    #[test]
    fn several_times(from in shapes(), times in shapes(), count in 0i64..4, axis in 0usize..4) {
        let x = places(&from);
        let ndim = from.len().max(times.len());
        let pad = |v: &[usize]| [vec![1; ndim - v.len()], v.to_vec()].concat();
        let (own, all) = (pad(&from), pad(&times));
        let expected: Vec<usize> = own.iter().zip(&all).map(|(a, b)| a * b).collect();
        check(&ivy::tile(&x, times).unwrap(), &expected, &own, |index| {
            index.iter().zip(&own).map(|(&i, &d)| i % d).collect()
        });
        if axis < from.len() {
            let along = Repeat::new().axis(axis as i64);
            let mut expected = from.clone();
            expected[axis] *= count as usize;
            let result = ivy::repeat(&x, count, along.clone()).unwrap();
            check(&result, &expected, &from, |index| {
                let mut index = index.to_vec();
                index[axis] /= count as usize;
                index
            });
            let counts = ivy::full(from[axis], count, Dtype::UINT8).unwrap();
            let by_array = ivy::repeat(&x, &counts, along).unwrap();
            prop_assert_eq!(by_array.to_vec::<i64>().unwrap(), result.to_vec::<i64>().unwrap());
            prop_assert_eq!(shape(&by_array), expected);
        }
    }

    #[test]
    fn axes_in_another_order(from in prop::collection::vec(1usize..4, 1..4), keys in any::<[u8; 4]>()) {
        let x = places(&from);
        let mut axes: Vec<usize> = (0..from.len()).collect();
        axes.sort_by_key(|&a| keys[a]);
        let expected: Vec<usize> = axes.iter().map(|&a| from[a]).collect();
        let source = |index: &[usize]| {
            let mut own = vec![0; index.len()];
            axes.iter().zip(index).for_each(|(&a, &i)| own[a] = i);
            own
        };
        let signed: Vec<i64> = axes.iter().map(|&a| a as i64).collect();
        check(&ivy::permute_dims(&x, signed.clone()).unwrap(), &expected, &from, source);
        // Moving every axis to its own place is the same permutation.
        let destination: Vec<i64> = (0..axes.len() as i64).map(|d| d - axes.len() as i64).collect();
        check(&ivy::moveaxis(&x, signed, destination).unwrap(), &expected, &from, source);
    }

    #[test]
    fn split_and_join(from in prop::collection::vec(0usize..4, 1..4), axis in 0usize..3, bits in any::<u8>()) {
        let axis = axis % from.len();
        let signed = if bits & 1 == 1 { axis as i64 - from.len() as i64 } else { axis as i64 };
        let x = places(&from);
        let parts = ivy::unstack(&x, Unstack::new().axis(signed)).unwrap();
        prop_assert_eq!(parts.len(), from[axis]);
        if !parts.is_empty() {
            let back = ivy::stack(&parts, Stack::new().axis(signed)).unwrap();
            check(&back, &from, &from, <[usize]>::to_vec);
            let longer = ivy::concat([&x, &x], Concat::new().axis(signed)).unwrap();
            let mut expected = from.clone();
            expected[axis] *= 2;
            check(&longer, &expected, &from, |index| {
                let mut index = index.to_vec();
                index[axis] %= from[axis];
                index
            });
        }
    }
}

#[test]
fn reshape_finds_what_is_left() -> Result<()> {
    let x = places(&[2, 6]);
    for (asked, expected) in [
        (vec![-1], vec![12]),
        (vec![3, -1], vec![3, 4]),
        (vec![2, 1, -1, 2], vec![2, 1, 3, 2]),
        (vec![12, -1], vec![12, 1]),
    ] {
        check(&ivy::reshape(&x, asked, ())?, &expected, &[12], |index| {
            vec![index.iter().zip(&expected).fold(0, |p, (&i, &d)| p * d + i)]
        });
    }
    assert_eq!(shape(&ivy::reshape(places(&[0, 3]), [5, 0], ())?), [5, 0]);
    assert_eq!(shape(&ivy::reshape(places(&[0, 3]), [-1, 3], ())?), [0, 3]);
    assert_eq!(shape(&ivy::reshape(places(&[]), [1, 1], ())?), [1, 1]);
    assert_eq!(shape(&ivy::reshape(places(&[1]), [], Reshape::new().copy(true))?), [0usize; 0]);
    assert_eq!(ivy::reshape(5, [1], ())?.to_vec::<i32>()?, [5]);
    let text = refused(ivy::reshape(&x, [5, -1], ()));
    assert_eq!(
        text,
        "ShapeMismatch function=reshape argument=x expected=a size that [5, -1] divides actual=(2, 6)"
    );
    let text = refused(ivy::reshape(&x, [5, 3], ()));
    assert!(text.ends_with("expected=a shape of as many elements as (5, 3) actual=(2, 6)"), "{text}");
    for bad in [[-1, -1], [-2, 6], [0, -1]] {
        let text = refused(ivy::reshape(&x, bad, ()));
        assert!(text.starts_with("InvalidArgument function=reshape argument=shape"), "{text}");
    }
    assert!(refused(ivy::reshape(&x, [i64::MAX, i64::MAX], ())).starts_with("ShapeMismatch"));
    Ok(())
}

#[test]
fn axes_of_length_one() -> Result<()> {
    let x = places(&[2, 3]);
    for (axes, expected) in [
        (vec![0], vec![1, 2, 3]),
        (vec![-1], vec![2, 3, 1]),
        (vec![0, -1], vec![1, 2, 3, 1]),
        (vec![2, 0], vec![1, 2, 1, 3]),
        (vec![], vec![2, 3]),
    ] {
        let wide = ivy::expand_dims(&x, axes.clone())?;
        assert_eq!(shape(&wide), expected);
        assert_eq!(shape(&ivy::squeeze(&wide, axes)?), [2, 3]);
    }
    assert_eq!(shape(&ivy::expand_dims(places(&[]), -1)?), [1]);
    assert_eq!(refused(ivy::expand_dims(&x, 3)), "AxisOutOfRange function=expand_dims axis=3 ndim=3");
    assert_eq!(refused(ivy::expand_dims(&x, -4)), "AxisOutOfRange function=expand_dims axis=-4 ndim=3");
    assert_eq!(refused(ivy::expand_dims(&x, [0, -4])), "RepeatedAxis function=expand_dims axis=-4 ndim=4");
    let text = refused(ivy::squeeze(&x, 1));
    assert_eq!(text, "ShapeMismatch function=squeeze argument=x expected=length 1 on axis 1 actual=(2, 3)");
    assert_eq!(refused(ivy::squeeze(&x, 2)), "AxisOutOfRange function=squeeze axis=2 ndim=2");
    // Without axes all of length 1 go: the default of the description.
    let squeeze = ivy::function::find_function("squeeze")?;
    let all =
        ivy::call(squeeze, &[ivy::expand_dims(&x, [0, 2])?.into_operand()], (squeeze.params)().as_ref())?;
    assert_eq!(shape(&all[0]), [2, 3]);
    Ok(())
}

#[test]
fn permutations_refuse() -> Result<()> {
    let x = places(&[2, 3, 4]);
    check(&ivy::moveaxis(&x, 0, -1)?, &[3, 4, 2], &[2, 3, 4], |i| vec![i[2], i[0], i[1]]);
    check(&ivy::moveaxis(&x, [0, 2], [2, 0])?, &[4, 3, 2], &[2, 3, 4], |i| vec![i[2], i[1], i[0]]);
    check(&ivy::matrix_transpose(&x)?, &[2, 4, 3], &[2, 3, 4], |i| vec![i[0], i[2], i[1]]);
    assert_eq!(shape(&ivy::permute_dims(places(&[]), [])?), [0usize; 0]);
    assert!(refused(ivy::permute_dims(&x, [0, 1])).starts_with("InvalidArgument function=permute_dims"));
    assert_eq!(refused(ivy::permute_dims(&x, [0, 1, 1])), "RepeatedAxis function=permute_dims axis=1 ndim=3");
    assert_eq!(
        refused(ivy::permute_dims(&x, [0, 1, 3])),
        "AxisOutOfRange function=permute_dims axis=3 ndim=3"
    );
    assert!(refused(ivy::moveaxis(&x, [0, 1], 0)).starts_with("InvalidArgument function=moveaxis"));
    assert_eq!(refused(ivy::moveaxis(&x, [0, -3], [0, 1])), "RepeatedAxis function=moveaxis axis=-3 ndim=3");
    assert!(
        refused(ivy::matrix_transpose(places(&[2]))).starts_with("ShapeMismatch function=matrix_transpose")
    );
    assert_eq!(refused(ivy::flip(&x, Flip::new().axis(3))), "AxisOutOfRange function=flip axis=3 ndim=3");
    Ok(())
}

#[test]
fn broadcasting() -> Result<()> {
    let x = places(&[2, 1]);
    check(&ivy::broadcast_to(&x, [3, 2, 2])?, &[3, 2, 2], &[2, 1], |i| vec![i[1], 0]);
    assert_eq!(shape(&ivy::broadcast_to(places(&[1]), 0)?), [0]);
    assert_eq!(
        refused(ivy::broadcast_to(&x, [2])),
        "BroadcastShapes function=broadcast_to shapes=(2, 1), (2,)"
    );
    assert!(refused(ivy::broadcast_to(&x, [1, 1])).starts_with("BroadcastShapes"));
    assert!(
        refused(ivy::broadcast_to(&x, [usize::MAX, 2, 1])).starts_with("SizeOverflow function=broadcast_to")
    );
    let both = ivy::broadcast_arrays([&x, &ivy::zeros(3, Dtype::BOOL)?])?;
    assert_eq!((shape(&both[0]), shape(&both[1])), (vec![2, 3], vec![2, 3]));
    assert_eq!((both[0].dtype(), both[1].dtype()), (Dtype::INT64, Dtype::BOOL));
    assert!(ivy::broadcast_arrays([] as [&Array; 0])?.is_empty());
    let text = refused(ivy::broadcast_arrays([&x, &places(&[3, 1])]));
    assert_eq!(text, "BroadcastShapes function=broadcast_arrays shapes=(2, 1), (3, 1)");
    assert_eq!(ivy::broadcast_shapes(&[[0, 1].into(), [3].into(), ().into()])?, Shape::from([0, 3]));
    assert_eq!(ivy::broadcast_shapes(&[])?, Shape::default());
    assert!(refused(ivy::broadcast_shapes(&[[2].into(), [3].into()])).starts_with("BroadcastShapes"));
    Ok(())
}

#[test]
fn joining() -> Result<()> {
    let (a, b) = (Array::try_from([[1u8, 2]])?, Array::try_from([3i8])?);
    let flat = ivy::concat([&a, &b], Concat::new().axis(None))?;
    assert_eq!((flat.dtype(), flat.to_vec::<i16>()?), (Dtype::INT16, vec![1, 2, 3]));
    assert_eq!(ivy::concat([&ivy::zeros((), ())?; 2], Concat::new().axis(None))?.size(), 2);
    assert_eq!(shape(&ivy::concat([&a], ())?), [1, 2]);
    let many: Vec<Array> = (0..20).map(|_| places(&[2])).collect();
    assert_eq!(ivy::concat(&many, ())?.size(), 40);
    assert_eq!(shape(&ivy::stack(&many, ())?), [20, 2]);
    let text = refused(ivy::concat([&a, &ivy::zeros([1, 3], Dtype::UINT8)?], ()));
    assert_eq!(
        text,
        "ShapeMismatch function=concat argument=one of the arrays expected=(1, 2) but for axis 0 actual=(1, 3)"
    );
    assert_eq!(
        refused(ivy::concat([&b], Concat::new().axis(1))),
        "AxisOutOfRange function=concat axis=1 ndim=1"
    );
    assert!(refused(ivy::concat([&ivy::zeros((), ())?], ())).starts_with("AxisOutOfRange"));
    assert!(refused(ivy::concat([] as [&Array; 0], ())).starts_with("InvalidArgument function=concat"));
    let text = refused(ivy::stack([&a, &ivy::zeros(1, Dtype::UINT8)?], ()));
    assert_eq!(text, "ShapeMismatch function=stack argument=one of the arrays expected=(1, 2) actual=(1,)");
    assert_eq!(
        refused(ivy::stack([&b], Stack::new().axis(2))),
        "AxisOutOfRange function=stack axis=2 ndim=2"
    );
    assert_eq!(
        refused(ivy::unstack(ivy::zeros((), ()), ())),
        "AxisOutOfRange function=unstack axis=0 ndim=0"
    );
    let huge = ivy::broadcast_to(&ivy::zeros((), Dtype::INT8)?, 1 << 62)?;
    assert!(refused(ivy::concat([&huge, &huge], ())).starts_with("SizeOverflow function=concat"));
    Ok(())
}

#[test]
fn rolling_refuses_and_adds_up() -> Result<()> {
    let x = places(&[2, 3]);
    let twice = ivy::roll(&x, [1, 1], Roll::new().axis([1, -1]))?;
    assert_eq!(twice.to_vec::<i64>()?, ivy::roll(&x, 2, Roll::new().axis(1))?.to_vec::<i64>()?);
    assert_eq!(ivy::roll(&x, i64::MIN, ())?.size(), 6);
    assert!(refused(ivy::roll(&x, [1, 2], ())).starts_with("InvalidArgument function=roll argument=shift"));
    assert!(refused(ivy::roll(&x, [1, 2, 3], Roll::new().axis([0, 1]))).starts_with("InvalidArgument"));
    assert_eq!(refused(ivy::roll(&x, 1, Roll::new().axis(2))), "AxisOutOfRange function=roll axis=2 ndim=2");
    Ok(())
}

#[test]
fn repeating_by_numbers() -> Result<()> {
    let x = Array::try_from([[1i32, 2], [3, 4]])?;
    let counts = Array::try_from([2i8, 0, 1, 3])?;
    assert_eq!(ivy::repeat(&x, &counts, ())?.to_vec::<i32>()?, [1, 1, 3, 4, 4, 4]);
    let columns = ivy::repeat(&x, &Array::try_from([1u64, 2])?, Repeat::new().axis(-1))?;
    assert_eq!((shape(&columns), columns.to_vec::<i32>()?), (vec![2, 3], vec![1, 2, 2, 3, 4, 4]));
    assert_eq!(shape(&ivy::repeat(&x, &Array::try_from([3i64])?, Repeat::new().axis(0))?), [6, 2]);
    assert_eq!(ivy::repeat(&x, 0, ())?.size(), 0);
    let text = refused(ivy::repeat(&x, -2, ()));
    assert!(text.contains("argument=repeats value=-2 at position 0"), "{text}");
    let text = refused(ivy::repeat(&x, &Array::try_from([1i32, -1, 0, 0])?, ()));
    assert!(text.contains("argument=repeats value=-1 at position 1"), "{text}");
    let text = refused(ivy::repeat(&x, &counts, Repeat::new().axis(0)));
    assert!(text.starts_with("ShapeMismatch function=repeat argument=repeats"), "{text}");
    assert!(refused(ivy::repeat(&x, 1.5, ())).starts_with("OutsideDomain function=repeat operand=repeats"));
    assert!(refused(ivy::repeat(&x, true, ())).starts_with("OutsideDomain function=repeat operand=repeats"));
    let float = Array::try_from([1.0f32])?;
    assert!(
        refused(ivy::repeat(&x, &float, ())).starts_with("OutsideDomain function=repeat operand=repeats")
    );
    assert!(refused(ivy::repeat(&x, i64::MAX, ())).starts_with("SizeOverflow function=repeat"));
    assert!(refused(ivy::tile(&x, [usize::MAX, 2])).starts_with("SizeOverflow function=tile"));
    assert!(refused(ivy::tile(&x, [usize::MAX, 0])).starts_with("SizeOverflow function=tile"));
    Ok(())
}

#[test]
fn the_memory_limit_holds_below_compositions() -> Result<()> {
    let x = places(&[100]);
    let limited = Context::new().memory_limit(1000);
    let refused_bytes = |result: Result<Array>| match result.unwrap_err().kind() {
        ErrorKind::MemoryLimit { bytes, limit: 1000, .. } => *bytes,
        other => panic!("{other}"),
    };
    ivy::with(&limited, || {
        assert_eq!(refused_bytes(ivy::tile(&x, 2)), 1600);
        assert_eq!(refused_bytes(ivy::concat([&x, &x], ())), 1600);
        assert_eq!(refused_bytes(ivy::repeat(&x, 3, ())), 2400);
    });
    Ok(())
}

#[test]
fn taking() -> Result<()> {
    let x = places(&[3, 4]);
    let which = Array::try_from([[3u8, 0], [1, 1], [2, 3]])?;
    let along = ivy::take_along_axis(&x, &which, ())?;
    assert_eq!((shape(&along), along.to_vec::<i64>()?), (vec![3, 2], vec![3, 0, 5, 5, 10, 11]));
    let rows = ivy::take_along_axis(&x, &Array::try_from([[-1i64]])?, TakeAlongAxis::new().axis(0))?;
    assert_eq!((shape(&rows), rows.to_vec::<i64>()?), (vec![1, 4], vec![8, 9, 10, 11]));
    let text = refused(ivy::take_along_axis(&x, &Array::try_from([0i64])?, ()));
    assert!(text.starts_with("ShapeMismatch function=take_along_axis argument=indices"), "{text}");
    let text = refused(ivy::take_along_axis(&x, places(&[2, 1]), ()));
    assert!(text.starts_with("ShapeMismatch function=take_along_axis argument=indices"), "{text}");
    let text = refused(ivy::take_along_axis(&x, &Array::try_from([[0i64, 4]])?, ()));
    assert!(text.starts_with("IndexOutOfRange"), "{text}");
    assert!(text.contains("index=4 axis=1 length=4"), "{text}");
    let text = refused(ivy::take_along_axis(&x, &ivy::zeros([3, 1], ())?, ()));
    assert!(
        text.starts_with("OutsideDomain function=take_along_axis operand=indices dtype=float32"),
        "{text}"
    );
    assert!(refused(ivy::take_along_axis(ivy::zeros((), ()), 0, ())).starts_with("AxisOutOfRange"));
    Ok(())
}

#[test]
fn vector_products() -> Result<()> {
    let z = Array::try_from([Complex32::new(0.0, 1.0), Complex32::new(2.0, 0.0)])?;
    assert_eq!(ivy::vecdot(&z, &z, ())?.item::<Complex32>()?, Complex32::new(5.0, 0.0));
    let w = Array::try_from([1.0f32, 1.0])?;
    assert_eq!(ivy::vecdot(&z, &w, ())?.item::<Complex32>()?, Complex32::new(2.0, -1.0));
    let x = places(&[2, 3]);
    assert_eq!(ivy::vecdot(&x, &x, Vecdot::new().axis(0))?.to_vec::<i64>()?, [9, 17, 29]);
    assert_eq!(ivy::vecdot(&x, places(&[4, 1, 3]), ())?.shape(), &Shape::from([4, 2]));
    assert_eq!(ivy::vecdot(places(&[0]), places(&[0]), ())?.item::<i64>()?, 0);
    // Integers wrap in the promoted dtype, small floats round once.
    let big = Array::try_from([100i8, 100])?;
    assert_eq!(ivy::vecdot(&big, &big, ())?.item::<i8>()?, 20_000i32 as i8);
    let ones = ivy::ones(4096, Dtype::FLOAT16)?;
    assert_eq!(ivy::vecdot(&ones, &ones, ())?.item::<half::f16>()?.to_f32(), 4096.0);
    let text = refused(ivy::vecdot(&x, places(&[2]), ()));
    assert_eq!(text, "ShapeMismatch function=vecdot argument=x2 expected=length 3 on axis 0 actual=(2,)");
    assert!(refused(ivy::vecdot(&x, places(&[3]), Vecdot::new().axis(0))).starts_with("InvalidArgument"));
    let text = refused(ivy::vecdot(&x, places(&[4, 3]), ()));
    assert_eq!(text, "BroadcastShapes function=vecdot shapes=(2,), (4,)");
    assert!(refused(ivy::vecdot(places(&[]), &x, ())).starts_with("AxisOutOfRange"));
    let truth = ivy::ones(2, Dtype::BOOL)?;
    assert!(refused(ivy::vecdot(&truth, &truth, ())).starts_with("OutsideDomain function=vecdot"));
    Ok(())
}

#[test]
fn tensor_products() -> Result<()> {
    let (x, y) = (places(&[2, 3, 4]), places(&[4, 3, 5]));
    let at = |i: usize, j: usize, k: usize| (i * 12 + j * 4 + k) as i64;
    let swapped = ivy::tensordot(&x, &y, Tensordot::new().axes(([2, 1], [0, -2])))?;
    let expected: Vec<i64> = (0..2)
        .flat_map(|i| (0..5).map(move |l| (i, l)))
        .map(|(i, l)| (0..12).map(|n| at(i, n / 4, n % 4) * (n % 4 * 15 + n / 4 * 5 + l) as i64).sum())
        .collect();
    assert_eq!((shape(&swapped), swapped.to_vec::<i64>()?), (vec![2, 5], expected));
    assert_eq!(shape(&ivy::tensordot(&x, &y, Tensordot::new().axes(1))?), [2, 3, 3, 5]);
    let outer = ivy::tensordot(places(&[2]), places(&[3]), Tensordot::new().axes(0))?;
    assert_eq!((shape(&outer), outer.to_vec::<i64>()?), (vec![2, 3], vec![0, 0, 0, 0, 1, 2]));
    assert_eq!(ivy::tensordot(places(&[]), places(&[]), Tensordot::new().axes(0))?.item::<i64>()?, 0);
    let empty = ivy::tensordot(places(&[2, 0]), places(&[0, 3]), Tensordot::new().axes(1))?;
    assert_eq!((shape(&empty), empty.to_vec::<i64>()?), (vec![2, 3], vec![0; 6]));
    let mixed = ivy::tensordot(&x, &ivy::ones([3, 4], Dtype::FLOAT32)?, ())?;
    assert_eq!((mixed.dtype(), shape(&mixed)), (Dtype::FLOAT64, vec![2]));
    let text = refused(ivy::tensordot(&x, &y, ()));
    assert_eq!(
        text,
        "ShapeMismatch function=tensordot argument=x2 expected=length 3 on axis 0, as the first operand has on axis 1 actual=(4, 3, 5)"
    );
    assert!(refused(ivy::tensordot(&x, &y, Tensordot::new().axes(4))).starts_with("InvalidArgument"));
    assert!(
        refused(ivy::tensordot(&x, &y, Tensordot::new().axes(([0, 1], [0])))).starts_with("InvalidArgument")
    );
    let text = refused(ivy::tensordot(&x, &y, Tensordot::new().axes(([0, 0], [0, 1]))));
    assert_eq!(text, "RepeatedAxis function=tensordot axis=0 ndim=3");
    Ok(())
}
