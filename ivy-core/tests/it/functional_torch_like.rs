//! Updates at indices, samples, windows and distances: errors, derivatives, and what is inverse to each other.

use ivy::prelude::*;
use ivy::{
    Cdist, Columns, GridSample, IndexAdd, Result, SampleMode, ScatterReduce, ScatterReduction, TensorSplit,
};

fn refused_as<T: std::fmt::Debug>(result: Result<T>, parts: &[&str]) {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    let said = format!("{} {}", error.kind().name(), fields.join(" "));
    assert!(parts.iter().all(|part| said.contains(part)), "{said}, not {parts:?}");
}

fn floats(values: &[f64], shape: &[i64]) -> Array {
    ivy::reshape(Array::from_vec(values.to_vec(), values.len()).unwrap(), shape, ()).unwrap()
}

fn ints(values: &[i64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

#[test]
fn updates_at_indices() {
    let (x, two) = (ivy::zeros([2, 3], ()).unwrap(), ints(&[0, 1]));
    let source = ivy::ones([2, 3], ()).unwrap();
    refused_as(ivy::index_add(&x, 2, &two, &source, ()), &["AxisOutOfRange", "index_add"]);
    refused_as(ivy::index_add(&x, 1, &two, &source, ()), &["ShapeMismatch", "source"]);
    refused_as(ivy::index_add(&x, 0, ints(&[0, 2]), &source, ()), &["IndexOutOfRange", "index_add"]);
    let half = IndexAdd::new().alpha(0.5);
    refused_as(ivy::index_add(&two, 0, &two, &two, half), &["InvalidArgument", "alpha"]);
    let far = IndexAdd::new().alpha(1e30);
    refused_as(ivy::index_add(&two, 0, &two, &two, far), &["ScalarOutOfRange"]);
    let yes = ivy::ones(2, Dtype::BOOL).unwrap();
    refused_as(ivy::index_add(&yes, 0, &two, &yes, IndexAdd::new().alpha(2.0)), &["WrongDtypeKind"]);
    refused_as(ivy::index_copy(0.0, 0, &two, 1.0), &["AxisOutOfRange"]);
    refused_as(
        ivy::index_copy(&x, 0, ivy::zeros([1, 2], Dtype::INT64).unwrap(), 1.0),
        &["ShapeMismatch", "index"],
    );
    refused_as(ivy::index_fill(&two, 0, &two, i128::MAX), &["ScalarOutOfRange"]);
    refused_as(ivy::masked_fill(&x, &yes, 1.0), &["BroadcastShapes"]);
    refused_as(ivy::masked_scatter(&two, &yes, 1), &["IndexOutOfRange", "masked_scatter"]);
    refused_as(ivy::masked_scatter(&two, &yes, ints(&[])), &["IndexOutOfRange"]);
    let none = ivy::zeros(2, Dtype::BOOL).unwrap();
    assert_eq!(ivy::masked_scatter(&two, &none, ints(&[])).unwrap().to_vec::<i64>().unwrap(), [0, 1]);
}

#[test]
fn reductions_at_indices() {
    let (x, index) = (ivy::zeros([2, 3], ()).unwrap(), ivy::zeros([2, 2], Dtype::INT64).unwrap());
    let of = |source: &Array, how| ivy::scatter_reduce(&x, 0, &index, source, how, ());
    refused_as(of(&ivy::ones([2, 1], ()).unwrap(), ScatterReduction::Sum), &["ShapeMismatch", "source"]);
    let complex = ivy::ones([2, 2], Dtype::COMPLEX64).unwrap();
    refused_as(of(&complex, ScatterReduction::Amax), &["WrongDtypeKind", "scatter_reduce"]);
    let long = ivy::zeros([2, 4], Dtype::INT64).unwrap();
    refused_as(
        ivy::scatter_reduce(&x, 0, &long, &long, ScatterReduction::Sum, ()),
        &["ShapeMismatch", "index"],
    );
    let yes = ivy::ones(2, Dtype::BOOL).unwrap();
    let mean = ScatterReduction::Mean;
    refused_as(ivy::scatter_reduce(&yes, 0, ints(&[0, 1]), &yes, mean, ()), &["WrongDtypeKind"]);
    refused_as(ivy::tensor_split(&x, 0, ()), &["InvalidArgument", "tensor_split"]);
    refused_as(ivy::tensor_split(&x, i64::MAX, ()), &["InvalidArgument"]);
    refused_as(ivy::tensor_split(&x, 2, TensorSplit::new().axis(2)), &["AxisOutOfRange"]);
    refused_as(ivy::renorm(&x, 0.0, 0, 1.0), &["InvalidArgument", "renorm"]);
    refused_as(ivy::renorm(&x, 2.0, 0, -1.0), &["InvalidArgument", "maxnorm"]);
    refused_as(ivy::logcumsumexp(1.0, 0), &["AxisOutOfRange"]);
}

#[test]
fn images() {
    let x = ivy::ones([1, 3, 2, 2], ()).unwrap();
    refused_as(ivy::pixel_shuffle(&x, 2), &["InvalidArgument", "pixel_shuffle"]);
    refused_as(ivy::pixel_shuffle(&x, 0), &["InvalidArgument"]);
    refused_as(ivy::pixel_shuffle(&x, usize::MAX), &["InvalidArgument"]);
    refused_as(ivy::pixel_unshuffle(&x, 3), &["InvalidArgument"]);
    refused_as(ivy::pixel_unshuffle(ivy::ones([2, 2], ()).unwrap(), 2), &["ShapeMismatch"]);
    refused_as(ivy::channel_shuffle(&x, 2), &["InvalidArgument", "groups"]);
    let grid = ivy::zeros([1, 2, 2, 3], ()).unwrap();
    refused_as(ivy::grid_sample(&x, &grid, ()), &["ShapeMismatch", "grid"]);
    let volume = ivy::ones([1, 1, 2, 2, 2], ()).unwrap();
    let places = ivy::zeros([1, 1, 1, 1, 3], ()).unwrap();
    let cubic = GridSample::new().mode(SampleMode::Bicubic);
    refused_as(ivy::grid_sample(&volume, &places, cubic), &["InvalidArgument", "mode"]);
    let empty = ivy::zeros([1, 1, 0, 2], ()).unwrap();
    refused_as(ivy::grid_sample(&empty, ivy::zeros([1, 1, 1, 2], ()).unwrap(), ()), &["ShapeMismatch"]);
    refused_as(ivy::affine_grid(&x, [1, 1, 2, 2], ()), &["ShapeMismatch", "theta"]);
    refused_as(ivy::affine_grid(&x, [1, 2], ()), &["InvalidArgument", "size"]);
    refused_as(ivy::im2col(&x, 3, ()), &["InvalidArgument", "im2col"]);
    refused_as(ivy::im2col(&x, 0, ()), &["InvalidArgument"]);
    refused_as(ivy::col2im(ivy::ones([1, 5, 4], ()).unwrap(), [3, 3], [2, 2], ()), &["ShapeMismatch", "x"]);
    refused_as(ivy::fold(&x, 0, [5]), &["InvalidArgument", "shape"]);
    refused_as(ivy::unfold(1.0, 0), &["ShapeMismatch"]);
    refused_as(ivy::glu(ivy::ones(3, ()).unwrap(), ()), &["ShapeMismatch", "glu"]);
    refused_as(ivy::cdist(&x, ivy::ones([2, 3], ()).unwrap(), ()), &["ShapeMismatch", "x2"]);
    refused_as(ivy::cdist(&x, &x, Cdist::new().p(-1.0)), &["InvalidArgument", "p"]);
}

#[test]
fn an_affine_grid_of_the_identity_samples_the_image_itself() {
    let x = floats(&(0..12).map(|i| f64::from(i * i)).collect::<Vec<_>>(), &[1, 1, 3, 4]);
    let theta = floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], &[1, 2, 3]);
    let grid = ivy::affine_grid(&theta, [1, 1, 3, 4], ()).unwrap();
    let same = ivy::grid_sample(&x, &grid, ()).unwrap();
    assert!(ivy::allclose(&same, &x, ()).unwrap().item::<bool>().unwrap());
}

#[test]
fn columns_of_windows_that_share_no_element_are_the_image() {
    let x = floats(&(0..16).map(f64::from).collect::<Vec<_>>(), &[1, 1, 4, 4]);
    let columns = ivy::im2col(&x, [2, 2], Columns::new().stride(2)).unwrap();
    let back = ivy::col2im(&columns, [4, 4], [2, 2], Columns::new().stride(2)).unwrap();
    assert!(ivy::array_equal(&x, &back).unwrap().item::<bool>().unwrap());
}

#[test]
fn derivatives() {
    let of = |f: &dyn Fn(&Array) -> Result<Array>, x: &Array| {
        ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(x).unwrap().to_vec::<f64>().unwrap()
    };
    let x = floats(&[1.0, 2.0, 3.0], &[3]);
    let index = ints(&[0, 0, 2]);
    let twice = |x: &Array| ivy::index_add(x.clone(), 0, &index, x, IndexAdd::new().alpha(2.0));
    assert_eq!(of(&twice, &x), [3.0, 3.0, 3.0]);
    let alone = ScatterReduce::new().include_self(false);
    let mean = |x: &Array| ivy::scatter_reduce(x, 0, &index, x, ScatterReduction::Mean, alone.clone());
    assert_eq!(of(&mean, &x), [0.5, 1.5, 1.0]);
    let masked = |x: &Array| ivy::masked_scatter(x, Array::try_from([false, true, true])?, x);
    assert_eq!(of(&masked, &x), [2.0, 1.0, 0.0]);
    // Equal rows have no NaN as derivative.
    let rows = floats(&[1.0, 2.0, 1.0, 2.0], &[2, 2]);
    assert_eq!(of(&|x| ivy::cdist(x, x, ()), &rows), [0.0; 4]);
    let line = floats(&[1.0, 3.0, 7.0], &[1, 1, 3]);
    let place = floats(&[0.5], &[1, 1, 1]);
    let sample = |grid: &Array| ivy::grid_sample(&line, grid, GridSample::new().align_corners());
    assert_eq!(of(&sample, &place), [4.0]);
    let logs = of(&|x| ivy::logcumsumexp(x, 0), &floats(&[0.0, 0.0], &[2]));
    assert!((logs[0] - 1.5).abs() < 1e-12 && (logs[1] - 0.5).abs() < 1e-12);
}
