//! Keyword arguments that Ivy's functions have beyond the standard's, and that no op has.

use ivy::prelude::*;
use ivy::{ErrorKind, OutOfBounds, linalg};

fn ints(values: &[i32]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

fn floats(values: &[f64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

fn square(values: [f64; 4]) -> Array {
    Array::from_vec(values.to_vec(), [2, 2]).unwrap()
}

fn host(x: ivy::Result<Array>) -> Vec<f64> {
    x.unwrap().to_vec::<f64>().unwrap()
}

#[test]
fn what_is_added_is_multiplied_first() {
    let (a, b) = (ints(&[1, 2]), ints(&[3, 4]));
    let scaled = |alpha: i64| ivy::AddParams::new().alpha(alpha);
    assert_eq!(ivy::add_with(&a, &b, scaled(2)).unwrap().to_vec::<i32>().unwrap(), [7, 10]);
    assert_eq!(ivy::subtract_with(&a, &b, scaled(-1)).unwrap().to_vec::<i32>().unwrap(), [4, 6]);
    let told = ivy::add_with(&a, &b, ivy::AddParams::new().alpha(0.5)).unwrap_err();
    assert!(told.to_string().starts_with("add: alpha = 0.5: "), "{told}");
    // Without it the op is called as ever.
    assert_eq!(ivy::add_with(&a, &b, ()).unwrap().to_vec::<i32>().unwrap(), [4, 6]);
    let x = floats(&[2.0]);
    let slope = ivy::grad(|b: &Array| ivy::sum(ivy::add_with(&x, b, ivy::AddParams::new().alpha(3.0))?, ()));
    assert_eq!(host(slope(&x)), [3.0]);
}

#[test]
fn numbers_are_rounded_to_places() {
    let places = |n: i64| ivy::RoundParams::new().decimals(n);
    let x = floats(&[1.234, -2.5, 0.125, 15.0]);
    assert_eq!(host(ivy::round_with(&x, places(2))), [1.23, -2.5, 0.12, 15.0]);
    assert_eq!(host(ivy::round_with(&x, places(-1))), [0.0, -0.0, 0.0, 20.0]);
    // A power of ten beyond the dtype, and a product that is.
    let odd = floats(&[1.5, -2.5, 1e300, f64::INFINITY, 0.0]);
    assert_eq!(host(ivy::round_with(&odd, places(400))), host(Ok(odd.clone())));
    assert_eq!(host(ivy::round_with(&odd, places(20))), host(Ok(odd.clone())));
    assert_eq!(host(ivy::round_with(&odd, places(-400))), [0.0, -0.0, 0.0, f64::INFINITY, 0.0]);
    for dtype in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32, Dtype::COMPLEX64] {
        let x = ivy::astype(floats(&[1.5, -2.0, 3.0]), dtype).unwrap();
        let same = ivy::round_with(&x, places(40)).unwrap();
        assert_eq!(same.dtype(), dtype);
        assert!(ivy::all(ivy::equal(&same, &x).unwrap(), ()).unwrap().item::<bool>().unwrap(), "{dtype}");
        let none = ivy::round_with(&x, places(-40)).unwrap();
        assert!(!ivy::any(none, ()).unwrap().item::<bool>().unwrap(), "{dtype}");
    }
    let whole = ints(&[15, 25, -15, -25, 149, 151, i32::MAX]);
    let rounded = ivy::round_with(&whole, places(-1)).unwrap().to_vec::<i32>().unwrap();
    assert_eq!(rounded[..6], [20, 20, -20, -20, 150, 150]);
    assert_eq!(ivy::round_with(&whole, places(-30)).unwrap().to_vec::<i32>().unwrap(), [0; 7]);
    assert_eq!(ivy::round_with(&whole, places(3)).unwrap().to_vec::<i32>().unwrap()[0], 15);
}

#[test]
fn element_wise_functions_follow_their_keywords() {
    let x = floats(&[f64::INFINITY, f64::NEG_INFINITY, 1.0]);
    let found = |params: ivy::IsinfParams| ivy::isinf_with(&x, params).unwrap().to_vec::<bool>().unwrap();
    assert_eq!(found(ivy::IsinfParams::new().detect_negative(false)), [true, false, false]);
    assert_eq!(found(ivy::IsinfParams::new().detect_positive(false)), [false, true, false]);
    assert_eq!(found(ivy::IsinfParams::new().detect_positive(false).detect_negative(false)), [false; 3]);
    let (a, b) = (floats(&[5.0, -5.0]), floats(&[3.0, 3.0]));
    assert_eq!(host(ivy::remainder_with(&a, &b, ())), [2.0, 1.0]);
    assert_eq!(host(ivy::remainder_with(&a, &b, ivy::RemainderParams::new().modulus(false))), [2.0, -2.0]);
    for by_where in [true, false] {
        let params = ivy::MaximumParams::new().use_where(by_where);
        assert_eq!(host(ivy::maximum_with(&a, &b, params.clone())), [5.0, 3.0]);
        assert_eq!(host(ivy::minimum_with(&a, &b, params)), [3.0, -5.0]);
    }
}

#[test]
fn matrices_are_transposed_first() {
    let (a, b) = (square([1.0, 2.0, 3.0, 4.0]), square([0.0, 1.0, 1.0, 1.0]));
    let at = ivy::matrix_transpose(&a).unwrap();
    let product = ivy::matmul_with(&a, &b, ivy::MatmulParams::new().transpose_a());
    assert_eq!(host(product), host(ivy::matmul(&at, &b)));
    let both = ivy::MatmulParams::new().transpose_b().adjoint_b();
    assert!(ivy::matmul_with(&a, &b, both).unwrap_err().to_string().contains("adjoint_b"));
    assert_eq!(host(linalg::inv_with(&a, linalg::InvParams::new().adjoint())), host(linalg::inv(&at)));
    let v = floats(&[1.0, 2.0]);
    let solved = linalg::solve_with(&a, &v, linalg::SolveParams::new().adjoint());
    assert_eq!(host(solved), host(linalg::solve(&at, &v)));
    let upper = square([2.0, 1.0, f64::NAN, 2.0]);
    let params = linalg::EigvalshParams::new().uplo(linalg::UpLo::Upper);
    for (found, wanted) in host(linalg::eigvalsh_with(&upper, params)).into_iter().zip([1.0, 3.0]) {
        assert!((found - wanted).abs() < 1e-12);
    }
    let z = ivy::astype(&a, Dtype::COMPLEX128).unwrap();
    let turned = ivy::multiply(&z, num_complex::Complex64::I).unwrap();
    let adjoint = ivy::matrix_transpose_with(&turned, ivy::MatrixTransposeParams::new().conjugate()).unwrap();
    assert_eq!(host(ivy::imag(adjoint)), [-1.0, -3.0, -2.0, -4.0]);
}

#[test]
fn axes_of_matrices_may_be_any_two() {
    let x = ivy::reshape(ivy::arange(8, Dtype::FLOAT64).unwrap(), [2, 2, 2], ()).unwrap();
    let along = linalg::Diagonal::new().axis1(0).axis2(1);
    assert_eq!(host(linalg::diagonal(&x, along)), [0.0, 6.0, 1.0, 7.0]);
    assert_eq!(host(linalg::trace(&x, linalg::Trace::new().axis1(0).axis2(1))), [6.0, 8.0]);
    assert!(linalg::diagonal(&x, linalg::Diagonal::new().axis1(2)).is_err(), "one axis twice");
    let norm = linalg::MatrixNorm::new().axis([0, 1]);
    assert_eq!(host(linalg::matrix_norm(&x, norm.clone())), [56f64.sqrt(), 84f64.sqrt()]);
    let kept = linalg::matrix_norm(&x, norm.keepdims()).unwrap();
    assert_eq!(kept.shape()[..], [1, 1, 2]);
    let x = ivy::astype(x, Dtype::FLOAT32).unwrap();
    let wide = linalg::VectorNorm::new().dtype(Dtype::FLOAT64);
    assert_eq!(linalg::vector_norm(&x, wide).unwrap().dtype(), Dtype::FLOAT64);
    assert_eq!(ivy::mean(&x, ivy::Mean::new().dtype(Dtype::FLOAT64)).unwrap().dtype(), Dtype::FLOAT64);
    let vectors = ivy::reshape(ivy::arange(6, Dtype::FLOAT64).unwrap(), [3, 2], ()).unwrap();
    let crossed = linalg::cross(&vectors, floats(&[1.0, 0.0, 0.0]), linalg::Cross::new().axisa(0).axisb(0));
    assert_eq!(host(crossed), [0.0, 4.0, -2.0, 0.0, 5.0, -3.0]);
}

#[test]
fn positions_have_dtypes_and_sides() {
    let x = ints(&[3, 1, 3]);
    let last = ivy::ArgMax::new().select_last_index();
    assert_eq!(ivy::argmax(&x, last.clone()).unwrap().item::<i64>().unwrap(), 2);
    assert_eq!(ivy::argmax(&x, last.dtype(Dtype::INT32)).unwrap().dtype(), Dtype::INT32);
    let rows = Array::try_from([[1i32, 1], [0, 1]]).unwrap();
    let by_axis = ivy::argmin(&rows, ivy::ArgMin::new().axis(0).select_last_index().keepdims()).unwrap();
    assert_eq!((by_axis.to_vec::<i64>().unwrap(), &by_axis.shape()[..]), (vec![1, 1], &[1, 2][..]));
    assert_eq!(ivy::argmax(&rows, ivy::ArgMax::new().select_last_index()).unwrap().item::<i64>().unwrap(), 3);
    assert_eq!(ivy::argmax(&x, ivy::ArgMax::new().dtype(Dtype::FLOAT32)).unwrap().dtype(), Dtype::FLOAT32);
    let counts = ivy::count_nonzero(&rows, ivy::CountNonzero::new().dtype(Dtype::INT16)).unwrap();
    assert_eq!((counts.dtype(), counts.item::<i16>().unwrap()), (Dtype::INT16, 3));
    let places =
        ivy::searchsorted(ints(&[1, 2]), &x, ivy::SearchSorted::new().ret_dtype(Dtype::INT32)).unwrap();
    assert_eq!((places.dtype(), places.to_vec::<i32>().unwrap()), (Dtype::INT32, vec![2, 0, 2]));
    let fixed = ivy::nonzero_with(&x, ivy::NonzeroParams::new().size(2usize)).unwrap();
    assert_eq!(fixed[0].to_vec::<i64>().unwrap(), [0, 1]);
}

#[test]
fn indices_of_any_shape_and_beyond_the_end() {
    let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]]).unwrap();
    let index = Array::try_from([[0i64, 1], [2, -1]]).unwrap();
    let taken = ivy::take(&x, &index, ivy::Take::new().axis(1)).unwrap();
    assert_eq!(
        (taken.to_vec::<i32>().unwrap(), &taken.shape()[..]),
        (vec![1, 2, 3, 3, 4, 5, 6, 6], &[2, 2, 2][..])
    );
    assert_eq!(
        ivy::take(&x, &index, ()).unwrap().to_vec::<i32>().unwrap(),
        [1, 2, 3, 6],
        "of the flat array"
    );
    assert_eq!(ivy::take(&x, 1, ivy::Take::new().axis(0)).unwrap().to_vec::<i32>().unwrap(), [4, 5, 6]);
    let beyond = Array::try_from([3i64, -5, 1]).unwrap();
    let by = |mode| ivy::take(ints(&[7, 8, 9]), &beyond, ivy::Take::new().mode(mode));
    assert_eq!(by(OutOfBounds::Wrap).unwrap().to_vec::<i32>().unwrap(), [7, 8, 8]);
    assert_eq!(by(OutOfBounds::Clip).unwrap().to_vec::<i32>().unwrap(), [9, 7, 8]);
    assert_eq!(by(OutOfBounds::Fill).unwrap().to_vec::<i32>().unwrap(), [i32::MIN, i32::MIN, 8]);
    assert!(matches!(by(OutOfBounds::Raise).unwrap_err().kind(), ErrorKind::IndexOutOfRange { .. }));
    let filled = ivy::Take::new().axis(1).mode(OutOfBounds::Fill).fill_value(0);
    assert_eq!(ivy::take(&x, &beyond, filled).unwrap().to_vec::<i32>().unwrap(), [0, 0, 2, 0, 0, 5]);
    let along = ivy::TakeAlongAxis::new().mode(OutOfBounds::Clip);
    let rows = ivy::reshape(&beyond, [1, 3], ()).unwrap();
    assert_eq!(ivy::take_along_axis(&x, &rows, along).unwrap().to_vec::<i32>().unwrap(), [3, 1, 2, 6, 4, 5]);
    let outer = linalg::outer(&x, 2).unwrap();
    assert_eq!((outer.to_vec::<i32>().unwrap(), &outer.shape()[..]), (vec![2, 4, 6, 8, 10, 12], &[6, 1][..]));
}

#[test]
fn shapes_follow_orders_and_batches() {
    let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]]).unwrap();
    let by_columns = ivy::reshape(&x, [3, 2], ivy::Reshape::new().order(ivy::MemoryOrder::F)).unwrap();
    assert_eq!(by_columns.to_vec::<i32>().unwrap(), [1, 5, 4, 3, 2, 6]);
    let kept = ivy::reshape(&x, [0, -1, 1], ivy::Reshape::new().allowzero(false)).unwrap();
    assert_eq!(kept.shape()[..], [2, 3, 1]);
    let eyes = ivy::eye(2, ivy::Eye::new().batch_shape([3, 1])).unwrap();
    assert_eq!(eyes.shape()[..], [3, 1, 2, 2]);
    let told = ivy::eye(2, ivy::Eye::new().batch_shape([usize::MAX])).unwrap_err();
    assert!(told.to_string().starts_with("eye: "), "{told}");
    let told = ivy::nonzero_with(&x, ivy::NonzeroParams::new().size(usize::MAX)).unwrap_err();
    assert!(told.to_string().starts_with("nonzero: "), "{told}");
    let grids = ivy::meshgrid([ints(&[1, 2, 3]), ints(&[4, 5])], ivy::Meshgrid::new().sparse()).unwrap();
    assert_eq!((&grids[0].shape()[..], &grids[1].shape()[..]), (&[1, 3][..], &[2, 1][..]));
    let parts = ivy::unstack(&x, ivy::Unstack::new().axis(1).keepdims()).unwrap();
    assert_eq!((parts.len(), &parts[0].shape()[..]), (3, &[2, 1][..]));
    let small = square([1.0, 0.0, 0.0, 1e-3]);
    let rank =
        |params: linalg::MatrixRank| linalg::matrix_rank(&small, params).unwrap().item::<i64>().unwrap();
    assert_eq!(rank(linalg::MatrixRank::new()), 2);
    assert_eq!(rank(linalg::MatrixRank::new().atol(1e-2)), 1);
    assert_eq!(rank(linalg::MatrixRank::new().hermitian()), 2);
}

#[test]
fn extremes_have_initial_values_and_masks() {
    let x = Array::try_from([[5i32, 1, 3], [2, 7, 4]]).unwrap();
    let mask = Array::try_from([[true, false, true], [false, false, false]]).unwrap();
    let of = |params: ivy::Max| ivy::max(&x, params).unwrap().to_vec::<i32>().unwrap();
    assert_eq!(of(ivy::Max::new().axis(1).initial(6)), [6, 7]);
    assert_eq!(of(ivy::Max::new().axis(1).initial(-1).r#where(&mask)), [5, -1]);
    let least = ivy::min(&x, ivy::Min::new().axis(1).keepdims().initial(9).r#where(&mask)).unwrap();
    assert_eq!((least.to_vec::<i32>().unwrap(), &least.shape()[..]), (vec![3, 9], &[2, 1][..]));
    let none = ivy::zeros([2, 0], Dtype::FLOAT64).unwrap();
    assert_eq!(host(ivy::min(&none, ivy::Min::new().axis(1).initial(2.5))), [2.5, 2.5]);
    for told in [
        ivy::max(&x, ivy::Max::new().r#where(&mask)).unwrap_err(),
        ivy::max(&x, ivy::Max::new().initial(0.5)).unwrap_err(),
        ivy::max(&x, ivy::Max::new().initial(i64::MAX)).unwrap_err(),
    ] {
        assert!(told.to_string().starts_with("max: initial = "), "{told}");
    }
    let long = Array::try_from([[[true]]]).unwrap();
    let told = ivy::max(&x, ivy::Max::new().initial(0).r#where(&long)).unwrap_err();
    assert!(matches!(told.kind(), ErrorKind::ShapeMismatch { argument: "where", .. }), "{told}");
    let truths = Array::try_from([true, false]).unwrap();
    assert!(ivy::max(&truths, ivy::Max::new().initial(false)).unwrap().item::<bool>().unwrap());
    assert!(!ivy::nanmin(&truths, ivy::Min::new().initial(true)).unwrap().item::<bool>().unwrap());
    // Those that the build has.
    let backends = ivy::backend::backends().into_iter().filter(|b| ["ndarray", "candle"].contains(&b.name));
    for backend in backends {
        let there = x.to_backend(&backend.instance.unwrap()).unwrap();
        let kept = ivy::Max::new().axis(1).initial(0).r#where([false, true, false]);
        assert_eq!(ivy::max(&there, kept).unwrap().to_vec::<i32>().unwrap(), [1, 7]);
    }
    let gaps = floats(&[f64::NAN, 2.0, f64::NAN, 4.0]);
    let kept = Array::try_from([true, true, true, false]).unwrap();
    assert_eq!(host(ivy::nanmax(&gaps, ivy::Max::new().initial(-3.0).r#where(&kept))), [2.0]);
    assert_eq!(host(ivy::nanmin(floats(&[f64::NAN]), ivy::Min::new().initial(1.0))), [1.0]);
    assert_eq!(host(ivy::nanprod(&gaps, ivy::NanProd::new().initial(0.5).r#where(&kept))), [1.0]);
    let slope = ivy::grad(|x: &Array| ivy::max(x, ivy::Max::new().initial(1.0).r#where(&kept)));
    assert_eq!(host(slope(&floats(&[0.5, 3.0, 2.0, 9.0]))), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn slices_are_distinct_along_an_axis() {
    let x = Array::try_from([[1i32, 0, 2], [1, 0, 2], [0, 9, 9], [1, 0, 0]]).unwrap();
    let rows = ivy::unique_all_with(&x, ivy::UniqueAllParams::new().axis(0)).unwrap();
    assert_eq!(rows.values.to_vec::<i32>().unwrap(), [0, 9, 9, 1, 0, 0, 1, 0, 2]);
    assert_eq!(rows.indices.to_vec::<i64>().unwrap(), [2, 3, 0]);
    assert_eq!(rows.inverse_indices.to_vec::<i64>().unwrap(), [2, 2, 0, 1]);
    assert_eq!(rows.counts.to_vec::<i64>().unwrap(), [1, 1, 2]);
    let kept = ivy::unique_all_with(&x, ivy::UniqueAllParams::new().axis(0).by_value(false)).unwrap();
    assert_eq!(kept.values.to_vec::<i32>().unwrap(), [1, 0, 2, 0, 9, 9, 1, 0, 0]);
    assert_eq!(kept.inverse_indices.to_vec::<i64>().unwrap(), [0, 0, 1, 2]);
    assert_eq!(kept.counts.to_vec::<i64>().unwrap(), [2, 1, 1]);
    let columns = ivy::unique_inverse_with(&x, ivy::UniqueInverseParams::new().axis(-1)).unwrap();
    assert_eq!(columns.values.shape()[..], [4, 3]);
    assert_eq!(columns.inverse_indices.to_vec::<i64>().unwrap(), [1, 0, 2]);
    let z = ivy::multiply(ivy::astype(&x, Dtype::COMPLEX128).unwrap(), num_complex::Complex64::I).unwrap();
    let complex = ivy::unique_all_with(&z, ivy::UniqueAllParams::new().axis(0)).unwrap();
    assert_eq!(complex.indices.to_vec::<i64>().unwrap(), [2, 3, 0]);
    for shape in [[0, 3], [2, 0]] {
        let empty = ivy::zeros(shape, Dtype::INT32).unwrap();
        let found = ivy::unique_all_with(&empty, ivy::UniqueAllParams::new().axis(0)).unwrap();
        assert_eq!(found.values.shape()[..], [usize::from(shape[0] > 0), shape[1]]);
        assert_eq!(found.inverse_indices.to_vec::<i64>().unwrap(), vec![0; shape[0]]);
    }
    assert!(ivy::unique_all_with(&x, ivy::UniqueAllParams::new().axis(2)).is_err());
}

#[test]
fn ranges_lie_between_arrays() {
    let (low, high) = (Array::try_from([0.0f32, 1.0]).unwrap(), Array::try_from([1.0f32, 2.0]).unwrap());
    let rows = ivy::linspace(&low, &high, 3, ()).unwrap();
    assert_eq!((rows.dtype(), &rows.shape()[..]), (Dtype::FLOAT32, &[2, 3][..]));
    assert_eq!(rows.to_vec::<f32>().unwrap(), [0.0, 0.5, 1.0, 1.0, 1.5, 2.0]);
    let first = ivy::linspace(&low, 4, 2, ivy::Linspace::new().axis(0).endpoint(false)).unwrap();
    assert_eq!(first.to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 2.5]);
    assert_eq!(ivy::linspace(1, 10, 4, Dtype::INT32).unwrap().to_vec::<i32>().unwrap(), [1, 4, 7, 10]);
    assert_eq!(ivy::linspace(0, -1, 3, Dtype::INT8).unwrap().to_vec::<i8>().unwrap(), [0, -1, -1]);
    assert_eq!(ivy::linspace(ints(&[0]), ints(&[3]), 2, ()).unwrap().dtype(), Dtype::FLOAT32);
    let slope = ivy::grad(|stop: &Array| ivy::sum(ivy::linspace(0.0, stop, 3, ())?, ()));
    assert_eq!(host(slope(&floats(&[2.0]))), [1.5]);
    assert!(
        ivy::linspace(0, 1, 3, Dtype::BOOL).unwrap_err().to_string().starts_with("linspace: dtype = bool")
    );
    assert!(ivy::linspace(&low, floats(&[1.0, 2.0, 3.0]), 2, ()).is_err());
    let told = ivy::randint(ints(&[0]), 1i64 << 40, ()).unwrap_err();
    assert!(told.to_string().starts_with("randint: 1099511627776 is out of range"), "{told}");
    let (low, high) = (ints(&[0, 10, -5]), ints(&[1, 12, i32::MAX]));
    let draws = ivy::randint(&low, &high, ivy::RandInt::new().shape([1000, 3]).seed(3)).unwrap();
    assert_eq!((draws.dtype(), &draws.shape()[..]), (Dtype::INT32, &[1000, 3][..]));
    assert!(ivy::all(ivy::greater_equal(&draws, &low).unwrap(), ()).unwrap().item::<bool>().unwrap());
    assert!(ivy::all(ivy::less(&draws, &high).unwrap(), ()).unwrap().item::<bool>().unwrap());
    let columns = ivy::mean(&draws, ivy::Mean::new().axis(0)).unwrap().to_vec::<f32>().unwrap();
    assert!(columns[0] == 0.0 && (columns[1] - 10.5).abs() < 0.1 && (columns[2] / 1.07e9 - 1.0).abs() < 0.1);
    assert_eq!(ivy::randint(&low, 100, ivy::RandInt::new().seed(1)).unwrap().shape()[..], [3]);
    assert!(ivy::randint(&low, 0, ()).unwrap_err().to_string().starts_with("randint: low, high"));
}

#[test]
fn running_extremes_and_means_have_dtypes() {
    let x = floats(&[1.5, 0.5, 2.5]);
    let running = ivy::cummax(&x, ivy::Cummax::new().dtype(Dtype::INT64)).unwrap();
    assert_eq!(running.values.to_vec::<i64>().unwrap(), [1, 1, 2]);
    assert!(ivy::cummin(&x, ivy::Cummin::new().dtype(Dtype::COMPLEX64)).is_err());
    let told = ivy::mean(&x, ivy::Mean::new().dtype(Dtype::INT32)).unwrap_err();
    assert!(told.to_string().starts_with("mean: dtype = int32: "), "{told}");
}

#[test]
fn lists_are_operands() {
    assert_eq!(ivy::sum([[1, 2], [3, 4]], ()).unwrap().item::<i32>().unwrap(), 10);
    let x = floats(&[1.0, 2.0]);
    assert_eq!(host(ivy::add(&x, vec![0.5, 1.5])), [1.5, 3.5]);
    assert_eq!(host((&x * [2.0, 3.0]).ok()), [2.0, 6.0]);
    assert_eq!(ivy::take(&x, [1i64, 1, 0], ()).unwrap().shape()[..], [3]);
    let told = ivy::sum(vec![vec![1, 2], vec![3]], ()).unwrap_err();
    assert!(matches!(told.kind(), ErrorKind::InvalidArgument { .. }), "{told}");
    assert!(ivy::add(&x, [1.0, 2.0, 3.0]).unwrap_err().to_string().contains("(2,), (3,)"));
}
