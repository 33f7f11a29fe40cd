//! Derivatives on the reference: forward against reverse, both against central differences in float64, and by hand.

use ivy::prelude::*;
use ivy::{Result, s};

type Function = fn(&Array) -> Result<Array>;

/// Numbers in a range, without a pattern.
fn numbers(shape: &[usize], low: f64, high: f64) -> Array {
    let size: usize = shape.iter().product();
    let values: Vec<f64> = (0..size)
        .map(|i| {
            let turn = (i as f64 + 1.0) * 0.618_033_988_749_894_9;
            low + (high - low) * turn.fract()
        })
        .collect();
    Array::from_vec(values, shape).unwrap()
}

/// An array without axes.
fn scalar<T: ivy::host::Element>(value: T) -> Array {
    Array::from_vec(vec![value], []).unwrap()
}

fn host(x: &Array) -> Vec<f64> {
    x.to_vec::<f64>().unwrap()
}

/// Compares the three derivatives of a function at a point, along a direction and back from weights.
fn check(name: &str, f: Function, x: &Array) {
    let direction = numbers(x.shape(), -1.0, 1.0);
    let (y, change) = ivy::jvp(f, x, &direction).unwrap_or_else(|e| panic!("{name}: jvp: {e}"));
    let (again, back) = ivy::vjp(f, x).unwrap_or_else(|e| panic!("{name}: vjp: {e}"));
    assert_eq!(host(&y), host(&again), "{name}");
    let weights = numbers(y.shape(), 0.25, 1.0);
    let gradient = back.call(&weights).unwrap_or_else(|e| panic!("{name}: pullback: {e}"));
    assert_eq!(gradient.shape(), x.shape(), "{name}");
    let dot = |a: &Array, b: &Array| host(a).iter().zip(host(b)).map(|(a, b)| a * b).sum::<f64>();
    let (forward, reverse) = (dot(&weights, &change), dot(&gradient, &direction));
    let step = 1e-6;
    let at = |by: f64| {
        let moved = ivy::add(x, ivy::multiply(&direction, by).unwrap()).unwrap();
        f(&moved).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    let (above, below) = (dot(&weights, &at(step)), dot(&weights, &at(-step)));
    let central = (above - below) / (2.0 * step);
    let size = 1.0 + central.abs();
    assert!((forward - reverse).abs() < 1e-9 * size, "{name}: forward {forward}, reverse {reverse}");
    assert!((forward - central).abs() < 1e-6 * size, "{name}: forward {forward}, central {central}");
}

macro_rules! all {
    ($($name:literal, $f:expr, $shape:expr, $low:expr, $high:expr;)*) => {
        $(check($name, $f, &numbers(&$shape, $low, $high));)*
    };
}

#[test]
fn element_wise_functions() {
    all! {
        "abs", |x| ivy::abs(x), [5], -2.0, 2.0;
        "acos", |x| ivy::acos(x), [5], -0.9, 0.9;
        "acosh", |x| ivy::acosh(x), [5], 1.1, 4.0;
        "asin", |x| ivy::asin(x), [5], -0.9, 0.9;
        "asinh", |x| ivy::asinh(x), [5], -3.0, 3.0;
        "atan", |x| ivy::atan(x), [5], -3.0, 3.0;
        "atanh", |x| ivy::atanh(x), [5], -0.9, 0.9;
        "cos", |x| ivy::cos(x), [5], -3.0, 3.0;
        "cosh", |x| ivy::cosh(x), [5], -3.0, 3.0;
        "digamma", |x| ivy::digamma(x), [7], 0.2, 4.0;
        "digamma below", |x| ivy::digamma(x), [7], -2.8, -2.2;
        "erf", |x| ivy::erf(x), [5], -2.0, 2.0;
        "erfc", |x| ivy::erfc(x), [5], -2.0, 2.0;
        "exp", |x| ivy::exp(x), [5], -2.0, 2.0;
        "expm1", |x| ivy::expm1(x), [5], -2.0, 2.0;
        "lgamma", |x| ivy::lgamma(x), [5], 0.3, 4.0;
        "log", |x| ivy::log(x), [5], 0.3, 4.0;
        "log1p", |x| ivy::log1p(x), [5], -0.5, 4.0;
        "log2", |x| ivy::log2(x), [5], 0.3, 4.0;
        "log10", |x| ivy::log10(x), [5], 0.3, 4.0;
        "negative", |x| ivy::negative(x), [5], -2.0, 2.0;
        "reciprocal", |x| ivy::reciprocal(x), [5], 0.5, 2.0;
        "sin", |x| ivy::sin(x), [5], -3.0, 3.0;
        "sinh", |x| ivy::sinh(x), [5], -3.0, 3.0;
        "sqrt", |x| ivy::sqrt(x), [5], 0.3, 4.0;
        "square", |x| ivy::square(x), [5], -2.0, 2.0;
        "tan", |x| ivy::tan(x), [5], -1.2, 1.2;
        "tanh", |x| ivy::tanh(x), [5], -3.0, 3.0;
        "floor", |x| ivy::floor(x), [5], 0.1, 0.9;
        "add", |x| ivy::add(x, x.get(s![0])?), [2, 3], -2.0, 2.0;
        "subtract", |x| ivy::subtract(x.get(s![0])?, x), [2, 3], -2.0, 2.0;
        "multiply", |x| ivy::multiply(x, x.get(s![.., ..1])?), [2, 3], -2.0, 2.0;
        "divide", |x| ivy::divide(x.get(s![0])?, x), [2, 3], 0.5, 2.0;
        "pow", |x| ivy::pow(x, x.get(s![1])?), [2, 3], 0.5, 2.0;
        "pow of a number", |x| ivy::pow(x, 3.0), [4], -2.0, 2.0;
        "atan2", |x| ivy::atan2(x, x.get(s![1])?), [2, 3], 0.5, 2.0;
        "hypot", |x| ivy::hypot(x, x.get(s![1])?), [2, 3], 0.5, 2.0;
        "logaddexp", |x| ivy::logaddexp(x, x.get(s![1])?), [2, 3], -3.0, 3.0;
        "maximum", |x| ivy::maximum(x, 0.1), [5], -2.0, 2.0;
        "minimum", |x| ivy::minimum(x.get(s![0])?, x.get(s![1])?), [2, 3], -2.0, 2.0;
        "remainder", |x| ivy::remainder(x, x.get(s![..1])?), [3], 0.8, 3.0;
        "copysign", |x| ivy::copysign(x, ivy::negative(x)?), [4], -2.0, 2.0;
        "where", |x| ivy::where_(ivy::greater(x, 0.0)?, ivy::square(x)?, ivy::exp(x)?), [6], -2.0, 2.0;
        "clip", |x| ivy::clip(x, -1.0, 1.0), [6], -2.0, 2.0;
        "softmax", |x| ivy::softmax(x, ()), [2, 4], -2.0, 2.0;
    }
}

#[test]
fn movements() {
    all! {
        "reshape", |x| ivy::reshape(ivy::square(x)?, [3, 2], ()), [2, 3], -2.0, 2.0;
        "broadcast", |x| ivy::broadcast_to(x, [4, 2, 3]), [2, 1], -2.0, 2.0;
        "permute", |x| ivy::permute_dims(x, [2, 0, 1]), [2, 3, 4], -2.0, 2.0;
        "slices", |x| x.get(s![..;-2, 1..]), [5, 3], -2.0, 2.0;
        "pad", |x| ivy::constant_pad(x, [(1, 2), (0, 1)], ()), [2, 2], -2.0, 2.0;
        "roll", |x| ivy::roll(x, 2, ()), [5], -2.0, 2.0;
        "concat", |x| ivy::concat([x, &ivy::square(x)?, x], ()), [3, 2], -2.0, 2.0;
        "stack", |x| ivy::stack([x, &ivy::exp(x)?], ()), [3], -2.0, 2.0;
        "tile", |x| ivy::tile(x, [2, 2]), [2, 3], -2.0, 2.0;
        "flip", |x| ivy::flip(x, ()), [2, 3], -2.0, 2.0;
        "take", |x| ivy::take(x, Array::try_from([2i64, 0, 2, -1])?, Take::new().axis(1)), [2, 3], -2.0, 2.0;
        "take_along_axis", |x| {
            ivy::take_along_axis(x, Array::try_from([[2i64, 0], [-1, -1]])?, TakeAlongAxis::new().axis(1))
        }, [2, 3], -2.0, 2.0;
        "gather_nd", |x| ivy::gather_nd(x, Array::try_from([[1i64, 0], [0, 2], [1, 0]])?, ()), [2, 3], -2.0, 2.0;
        "scatter_nd", |x| {
            ivy::scatter_nd(Array::try_from([[0i64], [2], [0]])?, x, ivy::ScatterNd::new().shape([4, 2]))
        }, [3, 2], -2.0, 2.0;
        "sort", |x| ivy::sort(x, ()), [2, 4], -2.0, 2.0;
        "tril", |x| ivy::tril(x, ()), [3, 3], -2.0, 2.0;
    }
}

#[test]
fn reductions_and_scans() {
    all! {
        "sum", |x| ivy::sum(x, Sum::new().axis(1)), [2, 3], -2.0, 2.0;
        "mean", |x| ivy::mean(x, Mean::new().axis(0).keepdims()), [2, 3], -2.0, 2.0;
        "prod", |x| ivy::prod(x, Prod::new().axis([0, 2])), [2, 3, 2], -2.0, 2.0;
        "max", |x| ivy::max(x, Max::new().axis(0)), [4, 3], -2.0, 2.0;
        "min", |x| ivy::min(x, ()), [4, 3], -2.0, 2.0;
        "var", |x| ivy::var(x, Var::new().axis(1).correction(1.0)), [2, 4], -2.0, 2.0;
        "std", |x| ivy::std(x, ()), [2, 4], -2.0, 2.0;
        "cumulative_sum", |x| ivy::cumulative_sum(x, CumulativeSum::new().axis(1).include_initial()), [2, 4], -2.0, 2.0;
        "cumulative_prod", |x| ivy::cumulative_prod(x, CumulativeProd::new().axis(0)), [5, 2], -2.0, 2.0;
    }
    // A factor that is zero leaves the product of the others.
    let x = Array::try_from([2.0f64, 0.0, 5.0]).unwrap();
    assert_eq!(host(&ivy::grad(|x: &Array| ivy::prod(x, ()))(&x).unwrap()), [0.0, 10.0, 0.0]);
    let running = |x: &Array| ivy::sum(ivy::cumulative_prod(x, ())?, ());
    assert_eq!(host(&ivy::grad(running)(&x).unwrap()), [1.0, 12.0, 0.0]);
    running_products_of_every_length();
    // Equally great elements share it.
    let x = Array::try_from([3.0f64, 1.0, 3.0]).unwrap();
    assert_eq!(host(&ivy::grad(|x: &Array| ivy::max(x, ()))(&x).unwrap()), [0.5, 0.0, 0.5]);
}

/// The derivatives of running products by their definition, of lengths that halve in every way, with zeros.
fn running_products_of_every_length() {
    for length in 0..=19usize {
        let x: Vec<f64> = (0..length).map(|i| if i % 7 == 3 { 0.0 } else { 0.5 + i as f64 / 16.0 }).collect();
        let weights: Vec<f64> = (0..length).map(|i| 1.0 - i as f64 / 8.0).collect();
        // Of the products up to each element, without the elements in `left_out`, the weighted sum of those that have them.
        let sum_without = |left_out: &[usize]| -> f64 {
            let first = left_out.iter().copied().max().unwrap_or(0);
            let product = |i: usize| (0..=i).filter(|k| !left_out.contains(k)).map(|k| x[k]).product::<f64>();
            (first..length).map(|i| weights[i] * product(i)).sum()
        };
        let near = |found: Array, wanted: Vec<f64>| {
            let found = host(&found);
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
            assert!(
                found.len() == wanted.len() && found.iter().zip(&wanted).all(is_near),
                "{length}: {found:?}, not {wanted:?}"
            );
        };
        let array = |values: &[f64]| Array::from_vec(values.to_vec(), [values.len()]).unwrap();
        let (at, by) = (array(&x), array(&weights));
        let f = |x: &Array| {
            let running = ivy::cumulative_prod(ivy::expand_dims(x, 0)?, CumulativeProd::new().axis(1))?;
            ivy::sum(ivy::multiply(running, &by)?, ())
        };
        near(ivy::grad(f)(&at).unwrap(), (0..length).map(|j| sum_without(&[j])).collect());
        if (1..9).contains(&length) {
            let pair = |j: usize, k: usize| if j == k { 0.0 } else { sum_without(&[j, k]) };
            let wanted = (0..length).flat_map(|j| (0..length).map(move |k| (j, k))).map(|(j, k)| pair(j, k));
            near(ivy::hessian(f)(&at).unwrap(), wanted.collect());
        }
    }
}

/// A symmetric positive definite matrix that changes with all of `x`.
fn definite(x: &Array) -> Result<Array> {
    let n = x.shape()[0];
    ivy::add(ivy::matmul(x, ivy::matrix_transpose(x)?)?, ivy::eye(n, Eye::new().dtype(Dtype::FLOAT64))?)
}

#[test]
fn linear_algebra() {
    use ivy::linalg;
    all! {
        "matmul", |x| ivy::matmul(x, ivy::matrix_transpose(x)?), [2, 3], -2.0, 2.0;
        "matmul of stacks", |x| ivy::matmul(x, x.get(s![0])?), [2, 3, 3], -2.0, 2.0;
        "matmul of lines", |x| ivy::matmul(x.get(s![0])?, x), [3, 3], -2.0, 2.0;
        "matmul with a line", |x| ivy::matmul(x, x.get(s![0, 0])?), [2, 3, 3], -2.0, 2.0;
        "dot", |x| ivy::matmul(x, ivy::exp(x)?), [3], -2.0, 2.0;
        "inv", |x| linalg::inv(definite(x)?), [3, 3], -1.0, 1.0;
        "det", |x| linalg::det(x), [3, 3], -1.0, 1.0;
        "slogdet", |x| Ok(linalg::slogdet(definite(x)?)?.logabsdet), [3, 3], -1.0, 1.0;
        "solve", |x| linalg::solve(definite(x)?, ivy::exp(x)?), [3, 3], -1.0, 1.0;
        "solve a line", |x| linalg::solve(definite(x)?, x.get(s![0])?), [3, 3], -1.0, 1.0;
        "cholesky", |x| linalg::cholesky(definite(x)?, ()), [3, 3], -1.0, 1.0;
        "eigvalsh", |x| linalg::eigvalsh(definite(x)?), [3, 3], -1.0, 1.0;
        "eigh", |x| ivy::square(linalg::eigh(definite(x)?)?.eigenvectors), [3, 3], -1.0, 1.0;
        "svdvals", |x| linalg::svdvals(x), [2, 3], -1.0, 1.0;
        "svd", |x| ivy::square(linalg::svd(x, linalg::SvdParams::new().full_matrices(false))?.u), [3, 2], -1.0, 1.0;
        "qr", |x| Ok(linalg::qr(x, ())?.r), [3, 2], -1.0, 1.0;
    }
}

#[test]
fn transforms() {
    use ivy::fft;
    all! {
        "fft", |x| ivy::real(fft::fft(x, ())?), [5], -1.0, 1.0;
        "fft, imaginary", |x| ivy::imag(fft::fft(x, ())?), [5], -1.0, 1.0;
        "rfft and back", |x| fft::irfft(ivy::square(fft::rfft(x, ())?)?, ()), [6], -1.0, 1.0;
        "magnitudes", |x| ivy::abs(fft::rfft(x, ())?), [5], -1.0, 1.0;
    }
}

#[test]
fn convolutions() {
    all! {
        "filter", |x| {
            let input = numbers(&[1, 5, 5, 2], -1.0, 1.0);
            ivy::conv2d(input, x, 2, ivy::Padding::Same, ())
        }, [3, 3, 2, 3], -1.0, 1.0;
        "input", |x| {
            let filter = numbers(&[2, 2, 2, 3], -1.0, 1.0);
            ivy::conv2d(x, filter, 1, ivy::Padding::Valid, ())
        }, [2, 4, 3, 2], -1.0, 1.0;
    }
}

#[test]
fn derivatives_nest() {
    let x = scalar(0.7f64);
    let first = ivy::grad(|x: &Array| ivy::sin(x));
    let second = ivy::grad(&first);
    let third = ivy::grad(&second);
    assert!((third(&x).unwrap().item::<f64>().unwrap() + 0.7f64.cos()).abs() < 1e-14);
    // The inner derivative is of its own argument alone.
    let outer = ivy::grad(|x: &Array| {
        let inner = ivy::grad(|y: &Array| ivy::add(x, y))(&scalar(1.0f64))?;
        ivy::multiply(x, inner)
    });
    assert_eq!(outer(&x).unwrap().item::<f64>().unwrap(), 1.0);
    let forward_of_reverse = ivy::jvp(ivy::grad(|x: &Array| ivy::exp(x)), &x, &x).unwrap().1;
    assert!((forward_of_reverse.item::<f64>().unwrap() - 0.7 * 0.7f64.exp()).abs() < 1e-14);
    let points = numbers(&[3], 0.5, 1.5);
    let hessian = ivy::hessian(|x: &Array| ivy::sum(ivy::pow(x, 3.0)?, ()))(&points).unwrap();
    let diagonal: Vec<f64> = host(&points).iter().map(|x| 6.0 * x).collect();
    for (i, value) in host(&hessian).into_iter().enumerate() {
        let wanted = if i % 4 == 0 { diagonal[i / 4] } else { 0.0 };
        assert!((value - wanted).abs() < 1e-12);
    }
}

#[test]
fn control_flow() {
    let x = Array::try_from([1.5f64, 0.5]).unwrap();
    let power = |x: &Array| {
        let one = ivy::ones_like(x, ())?;
        let y = ivy::for_loop(0..3, |_, y: &Array| ivy::multiply(y, x), one)?;
        ivy::sum(y, ())
    };
    assert_eq!(host(&ivy::grad(power)(&x).unwrap()), [6.75, 0.75]);
    let halved = |x: &Array| {
        let y = ivy::while_loop(|y: &Array| ivy::greater(y, 0.6), |y| ivy::multiply(y, 0.5), x.clone())?;
        ivy::sum(y, ())
    };
    assert_eq!(host(&ivy::grad(halved)(&x).unwrap()), [0.25, 1.0]);
    let chosen = |x: &Array| {
        let y = ivy::if_else(|x| ivy::greater(x, 1.0), |x| ivy::square(x), |x| ivy::negative(x), x.clone())?;
        ivy::sum(y, ())
    };
    assert_eq!(host(&ivy::grad(chosen)(&x).unwrap()), [3.0, -1.0]);
}

#[test]
fn complex_numbers_follow_jax() {
    use num_complex::Complex64;
    let z = Array::try_from([Complex64::new(3.0, 4.0), Complex64::new(-1.0, 0.5)]).unwrap();
    let gradient = |f: Function| {
        let f = move |z: &Array| ivy::sum(f(z)?, ());
        ivy::grad(f)(&z).unwrap().to_vec::<Complex64>().unwrap()
    };
    // Of |z|^2 it is twice the conjugate, of the real part 1, of the imaginary part -i.
    assert_eq!(gradient(|z| ivy::square(ivy::abs(z)?))[0], Complex64::new(6.0, -8.0));
    assert_eq!(gradient(|z| ivy::real(z))[1], Complex64::new(1.0, 0.0));
    assert_eq!(gradient(|z| ivy::imag(z))[1], Complex64::new(0.0, -1.0));
    assert_eq!(gradient(|z| ivy::real(ivy::square(z)?))[0], Complex64::new(6.0, 8.0));
}

#[test]
fn empty_arrays_and_arrays_without_axes() {
    let none = ivy::zeros([0, 3], Filled::new().dtype(Dtype::FLOAT64)).unwrap();
    let gradient = ivy::grad(|x: &Array| ivy::sum(ivy::exp(x)?, ()))(&none).unwrap();
    assert_eq!(gradient.shape(), none.shape());
    let small = scalar(2.0f32);
    assert_eq!(ivy::grad(|x: &Array| ivy::square(x))(&small).unwrap().item::<f32>().unwrap(), 4.0);
    // Casts have the derivative of what they keep.
    let wide =
        ivy::grad(|x: &Array| ivy::astype(ivy::square(ivy::astype(x, Dtype::FLOAT64)?)?, Dtype::FLOAT32));
    assert_eq!(wide(&small).unwrap().dtype(), Dtype::FLOAT32);
}

#[test]
fn what_has_no_derivative_is_an_error() {
    let x = Array::try_from([1.0f64, 2.0]).unwrap();
    let text = |error: ivy::Error| error.to_string();
    let whole = Array::try_from([1i32, 2]).unwrap();
    let of = |f: Function, x: &Array| text(ivy::grad(f)(x).unwrap_err());
    assert_eq!(of(|x| ivy::sum(x, ()), &whole), "vjp: int32 is not a float or complex dtype");
    let wide = of(|x| ivy::square(x), &x);
    assert!(wide.starts_with("grad: ") && wide.contains("without axes"), "{wide}");
    let stepped = of(|x| ivy::sum(ivy::nextafter(x, 3.0)?, ()), &x);
    assert!(stepped.contains("nextafter") && stepped.contains("has no derivative"), "{stepped}");
    let none = ivy::jvp(|x: &Array| ivy::square(x), &x, &scalar(1.0f64));
    assert!(none.is_err());
    // An array that is kept from one call is none of another's.
    let kept = std::cell::RefCell::new(None);
    let keep = |x: &Array| {
        *kept.borrow_mut() = Some(x.clone());
        ivy::sum(x, ())
    };
    ivy::grad(keep)(&x).unwrap();
    let used = |x: &Array| match kept.borrow().as_ref() {
        Some(old) => ivy::sum(ivy::multiply(x, old)?, ()),
        None => ivy::sum(x, ()),
    };
    let escaped = text(ivy::grad(used)(&x).unwrap_err());
    assert!(escaped.contains("another call"), "{escaped}");
}

#[test]
fn products_quantiles_and_triangles() {
    fn regular(x: &Array) -> Result<Array> {
        ivy::add(x, ivy::multiply(ivy::eye(3, Dtype::FLOAT64)?, 4.0)?)
    }
    all! {
        "einsum", |x| ivy::einsum("ij,kj,k->i", [x, x, &ivy::sum(x, Sum::new().axis(1))?]), [3, 4], -1.0, 1.0;
        "einsum diagonal", |x| ivy::einsum("ii,ij->j", [x, x]), [3, 3], -1.0, 1.0;
        "median", |x| ivy::median(x, ()), [6], -2.0, 2.0;
        "quantile", |x| ivy::quantile(x, &Array::try_from([0.3f64, 0.5])?, ()), [6], -2.0, 2.0;
        "cummax", |x| Ok(ivy::cummax(x, ())?.values), [6], -2.0, 2.0;
        "cov", |x| ivy::cov(x, ()), [2, 5], -2.0, 2.0;
        "kron", |x| ivy::kron(x, ivy::sin(x)?), [2, 2], -2.0, 2.0;
        "matrix_exp", |x| ivy::matrix_exp(x), [3, 3], -1.0, 1.0;
        "matrix_exp squared", |x| ivy::matrix_exp(ivy::multiply(x, 5.0)?), [2, 2], -1.0, 1.0;
        "solve_triangular", |x| ivy::solve_triangular(regular(x)?, x, ()), [3, 3], -1.0, 1.0;
        "solve_triangular adjoint",
            |x| ivy::solve_triangular(regular(x)?, x, ivy::SolveTriangular::new().upper(false).adjoint()),
            [3, 3], -1.0, 1.0;
        "solve_triangular unit",
            |x| ivy::solve_triangular(regular(x)?, x, ivy::SolveTriangular::new().unit_diagonal()),
            [3, 3], -1.0, 1.0;
    }
}
