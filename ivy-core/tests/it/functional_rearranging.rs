//! What divides, stacks and turns arrays, picks elements, and makes arrays of numbers: keywords and errors.

use ivy::prelude::*;
use ivy::{
    AssociativeScan, Flatten, Logspace, OneHot, PutAlongAxis, Reduction, Result, Rot90, Shape, Split, Splits,
    TopKParams, TriangleIndices, UniqueConsecutiveParams, Window,
};

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

fn refused_as<T: std::fmt::Debug>(result: Result<T>, parts: &[&str]) {
    let said = refused(result);
    assert!(parts.iter().all(|part| said.contains(part)), "{said}, not {parts:?}");
}

fn ints(values: &[i64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

#[test]
fn parts() {
    let x = ints(&[1, 2, 3, 4, 5]);
    let lens = |splits: Splits, rest: bool| -> Result<Vec<usize>> {
        let params = Split::new().num_or_size_splits(splits);
        let parts = ivy::split(&x, if rest { params.with_remainder() } else { params })?;
        Ok(parts.iter().map(Array::size).collect())
    };
    assert_eq!(lens(2.into(), true).unwrap(), [2, 2, 1]);
    assert_eq!(lens(5.into(), true).unwrap(), [1; 5]);
    assert_eq!(lens([3, -1, 2].into(), false).unwrap(), [3, 0, 2]);
    assert_eq!(lens([1, 1].into(), true).unwrap(), [1, 1, 3]);
    assert_eq!(lens(Splits::from(vec![]), true).unwrap(), [5]);
    assert_eq!(ivy::split(&x, ()).unwrap().len(), 5);
    refused_as(lens(2.into(), false), &["InvalidArgument", "split", "2 for 5 elements"]);
    refused_as(lens(0.into(), true), &["InvalidArgument", "at least one part"]);
    refused_as(lens((-3).into(), false), &["InvalidArgument"]);
    refused_as(lens([1, 1].into(), false), &["InvalidArgument", "with_remainder"]);
    refused_as(lens([9, -1].into(), false), &["InvalidArgument", "no more than"]);
    refused_as(lens([-1, -1].into(), false), &["InvalidArgument", "-1 once"]);
    refused_as(lens([i64::MAX, i64::MAX, i64::MAX].into(), true), &["InvalidArgument"]);
    refused_as(ivy::split(ints(&[]), Split::new().num_or_size_splits(i64::MAX)), &["SizeOverflow", "split"]);
    refused_as(ivy::split(&x, Split::new().axis(1)), &["AxisOutOfRange", "split"]);
    refused_as(ivy::split(7, ()), &["AxisOutOfRange"]);
    refused_as(
        Splits::try_from(&ivy::ones([2, 2], Dtype::INT8).unwrap()),
        &["ShapeMismatch", "num_or_size_splits"],
    );
    refused_as(Splits::try_from(&ivy::ones(2, ()).unwrap()), &["WrongDtypeKind"]);
    assert_eq!(Splits::try_from(&ivy::asarray(3u8, ()).unwrap()).unwrap(), Splits::Number(3));
}

#[test]
fn axes_and_stacks() {
    let x = ivy::zeros([2, 3], ()).unwrap();
    refused_as(ivy::swapaxes(&x, 0, 2), &["AxisOutOfRange", "swapaxes"]);
    refused_as(ivy::flatten(&x, Flatten::new().start_dim(1).end_dim(0)), &["InvalidArgument", "start_dim"]);
    refused_as(ivy::flatten(&x, Flatten::new().end_dim(2)), &["AxisOutOfRange", "flatten"]);
    refused_as(ivy::flatten(1.5, Flatten::new().start_dim(1)), &["AxisOutOfRange"]);
    refused_as(ivy::rot90(&x, Rot90::new().axes([0, -2])), &["RepeatedAxis", "rot90"]);
    refused_as(ivy::rot90(&x, Rot90::new().axes(0)), &["InvalidArgument", "two axes"]);
    refused_as(ivy::rot90(ints(&[1]), ()), &["AxisOutOfRange"]);
    refused_as(ivy::vstack([&x, &ints(&[1, 2])]), &["ShapeMismatch", "function=vstack"]);
    refused_as(ivy::hstack([&x, &ivy::zeros([3, 3], ()).unwrap()]), &["ShapeMismatch", "function=hstack"]);
    refused_as(ivy::dstack([&x, &ints(&[1, 2])]), &["ShapeMismatch", "function=dstack"]);
    refused_as(ivy::column_stack([&x, &ints(&[1])]), &["ShapeMismatch", "function=column_stack"]);
    refused_as(ivy::vstack([] as [&Array; 0]), &["InvalidArgument", "vstack"]);
    assert!(ivy::atleast_2d([] as [&Array; 0]).unwrap().is_empty());
}

#[test]
fn picks() {
    let x = Array::try_from([[3.0f32, f32::NAN, 1.0], [2.0, 2.0, 9.0]]).unwrap();
    let top = ivy::top_k(&x, 3, ()).unwrap();
    assert_eq!(top.indices.to_vec::<i64>().unwrap(), [0, 2, 1, 2, 0, 1]);
    refused_as(ivy::top_k(&x, 4, ()), &["InvalidArgument", "top_k", "4 for 3 elements"]);
    refused_as(ivy::top_k(&x, usize::MAX, TopKParams::new().axis(0)), &["InvalidArgument"]);
    refused_as(ivy::top_k(1.0, 1, ()), &["AxisOutOfRange"]);
    refused_as(ivy::top_k(ivy::ones(2, Dtype::COMPLEX64).unwrap(), 1, ()), &["OutsideDomain"]);

    let x = Array::try_from([[1i32, 2], [3, 4]]).unwrap();
    let put = |at: i64, axis: i64| ivy::put_along_axis(&x, Array::try_from([[at]]).unwrap(), 9, axis, ());
    assert_eq!(put(-2, 0).unwrap().to_vec::<i32>().unwrap(), [9, 9, 3, 4]);
    refused_as(put(2, 0), &["IndexOutOfRange", "put_along_axis", "axis=0"]);
    refused_as(put(-3, 1), &["IndexOutOfRange", "axis=1"]);
    refused_as(put(0, 2), &["AxisOutOfRange"]);
    refused_as(ivy::put_along_axis(&x, ints(&[0]), 9, 0, ()), &["ShapeMismatch", "indices"]);
    let rows = Array::try_from([[0i64], [0], [1]]).unwrap();
    refused_as(ivy::put_along_axis(&x, &rows, 9, 1, ()), &["ShapeMismatch", "indices"]);
    refused_as(ivy::put_along_axis(&x, &rows, ints(&[1, 2, 3]), 0, ()), &["ShapeMismatch", "values"]);
    let z = ivy::ones(2, Dtype::COMPLEX64).unwrap();
    let least = PutAlongAxis::new().mode(Reduction::Min);
    refused_as(ivy::put_along_axis(&z, ints(&[0]), 1, 0, least), &["WrongDtypeKind"]);
    // The sum of many small numbers is rounded once.
    let halves = ivy::put_along_axis(
        ivy::zeros(1, Dtype::FLOAT16),
        ivy::zeros(4096, Dtype::INT64),
        1,
        0,
        PutAlongAxis::new().mode(Reduction::Sum),
    );
    assert_eq!(halves.unwrap().item::<half::f16>().unwrap().to_f32(), 4096.0);

    refused_as(ivy::unique_consecutive(&x, UniqueConsecutiveParams::new().axis(2)), &["AxisOutOfRange"]);
    let of = |shape: [usize; 1], strides: [i64; 1]| ivy::as_strided(&x, shape, strides);
    refused_as(of([2], [3]), &["InvalidArgument", "as_strided", "multiples"]);
    refused_as(of([2], [-4]), &["InvalidArgument", "within"]);
    refused_as(of([5], [4]), &["InvalidArgument", "within"]);
    refused_as(of([2], [i64::MAX - 3]), &["InvalidArgument", "within"]);
    refused_as(ivy::as_strided(&x, [2, 2], [4]), &["InvalidArgument", "one for each axis"]);
    refused_as(ivy::as_strided(&x, [usize::MAX], [0]), &["SizeOverflow"]);
    assert_eq!(of([1], [-4]).unwrap().to_vec::<i32>().unwrap(), [1]);
    refused_as(ivy::as_strided(ivy::zeros(0, ()).unwrap(), Shape::default(), []), &["InvalidArgument"]);
}

#[test]
fn scans() {
    // A function that does not commute: the later operand of an affine map is applied last.
    let n = 37;
    let maps: Vec<i64> = (0..n).flat_map(|i| [i % 3 + 1, i % 5]).collect();
    let x = Array::from_vec(maps, [n as usize, 2]).unwrap();
    let column = |x: &Array, k: i64| ivy::take(x, ints(&[k]), Take::new().axis(1));
    let mut calls = 0;
    let compose = |a: &Array, b: &Array| {
        let (scale, shift) = (column(b, 0)?, column(b, 1)?);
        let scaled = ivy::multiply(column(a, 0)?, &scale)?;
        ivy::concat(
            [&scaled, &ivy::add(ivy::multiply(column(a, 1)?, &scale)?, &shift)?],
            Concat::new().axis(1),
        )
    };
    for reverse in [false, true] {
        let params = AssociativeScan::new().axis(-2);
        let params = if reverse { params.reverse() } else { params };
        let counted = |a: &Array, b: &Array| {
            calls += 1;
            compose(a, b)
        };
        let found = ivy::associative_scan(&x, counted, params).unwrap().to_vec::<i64>().unwrap();
        let (mut scale, mut shift) = (1i64, 0i64);
        for k in 0..n {
            let i = if reverse { n - 1 - k } else { k };
            let (a, b) = (i % 3 + 1, i % 5);
            (scale, shift) = (scale.wrapping_mul(a), shift.wrapping_mul(a).wrapping_add(b));
            assert_eq!(found[2 * i as usize..][..2], [scale, shift], "{i}");
        }
    }
    assert!(calls <= 2 * 2 * 6, "{calls}");
    for len in 0..9 {
        let sums = ivy::associative_scan(&ivy::arange(len, ()).unwrap(), |a, b| ivy::add(a, b), ()).unwrap();
        let plain = ivy::cumulative_sum(ivy::arange(len, ()), ()).unwrap();
        assert_eq!(sums.to_vec::<i32>().unwrap(), plain.to_vec::<i32>().unwrap());
    }
    refused_as(ivy::associative_scan(&x, |a, _| ivy::astype(a, Dtype::INT8), ()), &["DtypeMismatch"]);
    refused_as(ivy::associative_scan(&x, |a, _| ivy::sum(a, ()), ()), &["ShapeMismatch", "associative_scan"]);
    refused_as(
        ivy::associative_scan(&x, |a, _| Ok(a.clone()), AssociativeScan::new().axis(2)),
        &["AxisOutOfRange"],
    );
}

#[test]
fn creation() {
    let labels = ints(&[1, -1, 3]);
    let hot = ivy::one_hot(&labels, 3, OneHot::new().dtype(Dtype::BOOL)).unwrap();
    assert_eq!(hot.to_vec::<bool>().unwrap().iter().filter(|x| **x).count(), 1);
    assert_eq!(ivy::one_hot(2, 3, ()).unwrap().to_vec::<f32>().unwrap(), [0.0, 0.0, 1.0]);
    assert_eq!(ivy::one_hot(&labels, 2, OneHot::new().on_value(0.5)).unwrap().dtype(), Dtype::FLOAT32);
    refused_as(ivy::one_hot(&labels, 3, OneHot::new().axis(2)), &["AxisOutOfRange", "one_hot"]);
    refused_as(ivy::one_hot(&labels, usize::MAX, ()), &["SizeOverflow"]);
    let wide = OneHot::new().on_value(300).dtype(Dtype::INT8);
    refused_as(ivy::one_hot(&labels, 3, wide), &["ScalarOutOfRange"]);
    refused_as(ivy::one_hot(ivy::ones(2, ()).unwrap(), 3, ()), &["OutsideDomain"]);

    assert_eq!(ivy::logspace(0, 1, 2, Dtype::FLOAT64).unwrap().to_vec::<f64>().unwrap(), [1.0, 10.0]);
    refused_as(ivy::logspace(0, 1, 2, Dtype::INT32), &["InvalidArgument", "logspace"]);
    refused_as(ivy::logspace(0, 1, 2, Logspace::new().axis(1)), &["AxisOutOfRange"]);
    refused_as(ivy::logspace(&labels, ints(&[1, 2]), 2, ()), &["BroadcastShapes"]);
    refused_as(ivy::logspace(0, 1, usize::MAX, ()), &["SizeOverflow"]);

    let many = |rows: usize, cols: usize| ivy::tril_indices(rows, TriangleIndices::new().n_cols(cols));
    refused_as(many(usize::MAX, 2), &["SizeOverflow", "tril_indices"]);
    refused_as(many(1 << 40, 1 << 40), &["SizeOverflow"]);
    for k in [i64::MIN, i64::MAX] {
        let bounded = || TriangleIndices::new().n_cols(3usize).k(k);
        let counts = [ivy::tril_indices(2, bounded()), ivy::triu_indices(2, bounded())];
        let counts = counts.map(|pair| pair.unwrap().0.size());
        assert_eq!(counts, if k < 0 { [0, 6] } else { [6, 0] });
    }
    refused_as(ivy::hann_window(4, Dtype::INT32), &["InvalidArgument", "hann_window"]);
    refused_as(ivy::hann_window(usize::MAX, ()), &["SizeOverflow"]);
    assert_eq!(ivy::hann_window(1, Window::new().periodic(false)).unwrap().to_vec::<f32>().unwrap(), [1.0]);

    let data = ivy::ones([3, 2], ()).unwrap();
    refused_as(ivy::unsorted_segment_sum(&data, &labels, 3), &["IndexOutOfRange"]);
    refused_as(ivy::unsorted_segment_sum(&data, ints(&[0, 1]), 3), &["ShapeMismatch", "segment_ids"]);
    refused_as(ivy::unsorted_segment_sum(1.0, ints(&[0]), 3), &["ShapeMismatch"]);
    refused_as(ivy::unsorted_segment_mean(&data, ints(&[0, 0, 0]), usize::MAX), &["SizeOverflow"]);
    assert_eq!(ivy::unsorted_segment_sum(&data, ints(&[-1, -2, -9]), 0).unwrap().size(), 0);
    assert_eq!(ivy::native_array([1, 2], Dtype::INT8).unwrap().dtype(), Dtype::INT8);
    assert_eq!(ivy::copy_array(&labels).unwrap().to_vec::<i64>().unwrap(), [1, -1, 3]);
}

#[test]
fn planes() {
    let x = ivy::zeros([2, 3], ()).unwrap();
    refused_as(ivy::vsplit(ints(&[1]), 1), &["ShapeMismatch", "vsplit", "at least 2 axes"]);
    refused_as(ivy::dsplit(&x, 1), &["ShapeMismatch"]);
    refused_as(ivy::hsplit(1.0, 1), &["ShapeMismatch"]);
    for number in [2, 0, -1, i64::MAX] {
        refused_as(ivy::hsplit(&x, number), &["InvalidArgument", "indices_or_sections"]);
    }
    let ends = ivy::hsplit(&x, [i64::MIN, i64::MAX]).unwrap();
    assert_eq!(ends.iter().map(Array::size).collect::<Vec<_>>(), [0, 6, 0]);
    refused_as(ivy::fliplr(ints(&[1])), &["ShapeMismatch", "fliplr"]);
    refused_as(ivy::flipud(1), &["ShapeMismatch", "flipud"]);
    refused_as(ivy::expand(&x, [-1, 2, 3]), &["InvalidArgument", "expand"]);
    refused_as(ivy::expand(&x, [-2, 3]), &["InvalidArgument", "expand"]);
    refused_as(ivy::expand(&x, [3]), &["broadcast_to"]);
    refused_as(ivy::fill_diagonal(ints(&[1]), 1, ()), &["ShapeMismatch", "fill_diagonal"]);
    refused_as(
        ivy::fill_diagonal(ivy::zeros([2, 2, 3], ()).unwrap(), 1, ()),
        &["ShapeMismatch", "one length"],
    );
    refused_as(ivy::fill_diagonal(ivy::zeros([2, 2], Dtype::INT8).unwrap(), 300, ()), &["ScalarOutOfRange"]);
}
