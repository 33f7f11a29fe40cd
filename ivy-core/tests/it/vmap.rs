//! Mapped functions on the reference: equal to the stack of what each entry gives, and with derivatives in any order.

use ivy::prelude::*;
use ivy::{Result, Vmap, linalg, s};

type Function = fn(&Array) -> Result<Array>;

fn numbers(shape: &[usize], low: f64, high: f64) -> Array {
    let size: usize = shape.iter().product();
    let turn = |i: usize| ((i as f64 + 1.0) * 0.618_033_988_749_894_9).fract();
    let values: Vec<f64> = (0..size).map(|i| low + (high - low) * turn(i)).collect();
    Array::from_vec(values, shape).unwrap()
}

fn elements(x: &Array) -> Vec<f64> {
    ivy::astype(x, Dtype::FLOAT64).unwrap().to_vec::<f64>().unwrap()
}

fn close(name: &str, found: &Array, wanted: &Array) {
    assert_eq!((found.dtype(), found.shape()), (wanted.dtype(), wanted.shape()), "{name}");
    for (a, b) in elements(found).iter().zip(elements(wanted)) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{name}: {a}, not {b}");
    }
}

/// What a function gives of each entry along an axis, stacked.
fn looped(f: Function, x: &Array, axis: i64) -> Result<Array> {
    let entries = ivy::unstack(x, Unstack::new().axis(axis))?;
    let results: Vec<Array> = entries.iter().map(f).collect::<Result<_>>()?;
    ivy::stack(&results, ())
}

fn check(name: &str, f: Function, shape: &[usize]) {
    let x = numbers(shape, 0.1, 0.9);
    for axis in [0, -1] {
        let moved = ivy::moveaxis(&x, 0, axis).unwrap();
        let wanted = looped(f, &moved, axis).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mapped = ivy::vmap(f, Vmap::new().in_axes([axis]))(&moved);
        close(name, &mapped.unwrap_or_else(|e| panic!("{name}: {e}")), &wanted);
    }
    // A batch of batches.
    let pair = numbers(&[&[2], shape].concat(), 0.1, 0.9);
    let inner = move |x: &Array| ivy::vmap(f, ())(x);
    let nested = ivy::vmap(inner, ())(&pair).unwrap_or_else(|e| panic!("{name}: {e}"));
    let wanted: Vec<Array> = (0..2).map(|i| looped(f, &pair.get(s![i]).unwrap(), 0).unwrap()).collect();
    close(name, &nested, &ivy::stack(&wanted, ()).unwrap());
}

/// Gradients of each entry, and the gradient of the whole batch.
fn check_gradients(name: &str, f: Function, shape: &[usize]) {
    let x = numbers(shape, 0.1, 0.9);
    let loss = move |x: &Array| ivy::sum(ivy::square(f(x)?)?, ());
    let each = ivy::vmap(ivy::grad(loss), ())(&x).unwrap_or_else(|e| panic!("{name}: {e}"));
    let whole = ivy::grad(move |x: &Array| ivy::sum(ivy::vmap(loss, ())(x)?, ()))(&x)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let entries = ivy::unstack(&x, ()).unwrap();
    let wanted: Vec<Array> = entries.iter().map(|x| ivy::grad(loss)(x).unwrap()).collect();
    let wanted = ivy::stack(&wanted, ()).unwrap();
    let near = |found: &Array| {
        for (a, b) in elements(found).iter().zip(elements(&wanted)) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{name}: {a}, not {b}");
        }
    };
    near(&each);
    near(&whole);
}

macro_rules! all {
    ($($name:literal, $f:expr, $shape:expr;)*) => {
        $(check($name, $f, &$shape);)*
    };
}

macro_rules! smooth {
    ($($name:literal, $f:expr, $shape:expr;)*) => {
        $(check($name, $f, &$shape); check_gradients($name, $f, &$shape);)*
    };
}

fn definite(x: &Array) -> Result<Array> {
    let n = x.shape()[0];
    ivy::add(ivy::matmul(x, ivy::matrix_transpose(x)?)?, ivy::eye(n, Eye::new().dtype(Dtype::FLOAT64))?)
}

fn index(values: &[i64]) -> Array {
    Array::try_from(values).unwrap()
}

#[test]
fn each_op_is_the_stack_of_its_entries() {
    smooth! {
        "exp", |x| ivy::exp(x), [3, 4];
        "add a line", |x| ivy::add(x, x.get(s![0])?), [3, 2, 4];
        "a number for each", |x| ivy::multiply(numbers(&[2, 3], 0.0, 1.0), x), [4];
        "where", |x| ivy::where_(ivy::greater(x, 0.5)?, x, ivy::square(x)?), [3, 4];
        "reshape", |x| ivy::reshape(x, [2, -1], ()), [3, 4];
        "broadcast", |x| ivy::broadcast_to(x, [5, 2, 4]), [3, 2, 1];
        "permute", |x| ivy::permute_dims(x, [1, 0]), [3, 2, 4];
        "slice", |x| x.get(s![..;-1, 1..3]), [3, 2, 4];
        "pad", |x| ivy::constant_pad(x, [(1, 2)], ()), [3, 4];
        "roll", |x| ivy::roll(x, 1, ()), [3, 4];
        "concat", |x| ivy::concat([x, &numbers(&[2, 4], 0.0, 1.0)], ()), [3, 2, 4];
        "tril", |x| ivy::tril(x, ()), [3, 3, 3];
        "take", |x| ivy::take(x, index(&[1, -1, 1]), Take::new().axis(1)), [3, 2, 4];
        "take_along_axis", |x| {
            let order = ivy::argsort(x, ArgSort::new().axis(0))?;
            ivy::take_along_axis(x, order, TakeAlongAxis::new().axis(0))
        }, [3, 4, 2];
        "gather_nd", |x| ivy::gather_nd(x, Array::try_from([[1i64, 0], [0, 2]])?, ()), [3, 2, 4];
        "scatter_nd", |x| {
            ivy::scatter_nd(Array::try_from([[0i64], [2], [0]])?, x, ivy::ScatterNd::new().shape([4, 2]))
        }, [2, 3, 2];
        "sum", |x| ivy::sum(x, Sum::new().axis(1)), [3, 2, 4];
        "mean of all", |x| ivy::mean(x, ()), [3, 2, 4];
        "max", |x| ivy::max(x, Max::new().axis(0).keepdims()), [3, 2, 4];
        "var", |x| ivy::var(x, ()), [3, 4];
        "cumulative_sum", |x| ivy::cumulative_sum(x, ()), [3, 4];
        "sort", |x| ivy::sort(x, ()), [3, 4];
        "softmax", |x| ivy::softmax(x, ()), [3, 4];
        "matmul", |x| ivy::matmul(x, ivy::matrix_transpose(x)?), [3, 2, 4];
        "matrix times line", |x| ivy::matmul(x, x.get(s![0])?), [3, 4, 4];
        "line times matrix", |x| ivy::matmul(x.get(s![0])?, x), [3, 4, 4];
        "lines", |x| ivy::matmul(x, ivy::exp(x)?), [3, 4];
        "same matrix for all", |x| ivy::matmul(numbers(&[2, 4], 0.0, 1.0), x), [3, 4];
        "same stack for all", |x| ivy::matmul(numbers(&[5, 2, 4], 0.0, 1.0), x), [3, 4];
        "inv", |x| linalg::inv(definite(x)?), [3, 2, 2];
        "solve", |x| linalg::solve(definite(x)?, x), [3, 2, 2];
        "solve a line", |x| linalg::solve(definite(x)?, x.get(s![0])?), [3, 2, 2];
        "same matrix solved", |x| linalg::solve(numbers(&[2, 2], 0.0, 1.0), x), [3, 2];
        "cholesky", |x| linalg::cholesky(definite(x)?, ()), [3, 2, 2];
        "rfft", |x| ivy::abs(ivy::fft::rfft(x, ())?), [3, 5];
        "convolution of inputs", |x| {
            ivy::conv2d(x, numbers(&[2, 2, 2, 3], 0.0, 1.0), 1, ivy::Padding::Same, ())
        }, [2, 1, 3, 3, 2];
        "convolution of filters", |x| {
            ivy::conv2d(numbers(&[2, 3, 3, 2], 0.0, 1.0), x, 1, ivy::Padding::Valid, ())
        }, [2, 2, 2, 2, 3];
        "convolution of both", |x| {
            ivy::conv2d(ivy::exp(x)?, x.get(s![0, ..2, ..2, ivy::New, ..])?, 1, ivy::Padding::Valid, ())
        }, [2, 1, 3, 3, 1];
    }
    all! {
        "argmax", |x| ivy::argmax(x, ()), [3, 2, 4];
        "argmax with axes", |x| ivy::argmax(x, ArgMax::new().keepdims()), [3, 2, 4];
        "argmin along", |x| ivy::argmin(x, ArgMin::new().axis(1)), [3, 2, 4];
        "all", |x| ivy::all(ivy::greater(x, 0.2)?, ()), [3, 4];
        "searchsorted, lines", |x| ivy::searchsorted(ivy::sort(x, ())?, numbers(&[3], 0.0, 1.0), ()), [3, 4];
        "searchsorted, keys", |x| ivy::searchsorted(ivy::sort(numbers(&[6], 0.0, 1.0), ())?, x, ()), [3, 4];
        "take by entry", |x| ivy::take(numbers(&[4, 2], 0.0, 1.0), ivy::argsort(x, ())?, Take::new().axis(0)), [3, 4];
        "take from entry", |x| ivy::take(x, ivy::argsort(x.get(s![.., 0])?, ())?, Take::new().axis(0)), [3, 4, 2];
    }
}

#[test]
fn derivatives_of_derivatives_are_mapped() {
    let x = numbers(&[3], 0.1, 0.9);
    let f = |x: &Array| ivy::sum(ivy::exp(ivy::multiply(x, x)?)?, ());
    let second = ivy::vmap(ivy::grad(ivy::grad(f)), ())(&x).unwrap();
    for (found, x) in elements(&second).iter().zip(elements(&x)) {
        let wanted = (2.0 + 4.0 * x * x) * (x * x).exp();
        assert!((found - wanted).abs() < 1e-12 * wanted);
    }
    let hessian = ivy::hessian(|x: &Array| ivy::prod(x, ()))(&x).unwrap();
    let e = elements(&x);
    let wanted = [0.0, e[2], e[1], e[2], 0.0, e[0], e[1], e[0], 0.0];
    elements(&hessian).iter().zip(wanted).for_each(|(a, b)| assert!((a - b).abs() < 1e-14));
}

#[test]
fn loops_and_branches_decide_for_each_entry() {
    let x = Array::try_from([8.0f64, 3.0, 12.0]).unwrap();
    let halved: Function =
        |x| ivy::while_loop(|x: &Array| ivy::greater(x, 2.5), |x| ivy::multiply(x, 0.5), x.clone());
    close("while_loop", &ivy::vmap(halved, ())(&x).unwrap(), &looped(halved, &x, 0).unwrap());
    let chosen: Function =
        |x| ivy::if_else(|x| ivy::less(x, 5.0), |x| ivy::negative(x), |x| ivy::sqrt(x), x.clone());
    close("if_else", &ivy::vmap(chosen, ())(&x).unwrap(), &looped(chosen, &x, 0).unwrap());
    let summed: Function =
        |x| ivy::for_loop(0..4, |_, y: &Array| ivy::add(ivy::multiply(y, 0.5)?, 1.0), x.clone());
    close("for_loop", &ivy::vmap(summed, ())(&x).unwrap(), &looped(summed, &x, 0).unwrap());
}

#[test]
fn rules_of_functions_are_mapped() {
    let x = numbers(&[3, 2], 0.1, 0.9);
    let tripled = || {
        ivy::custom_vjp(
            |x: &Array| ivy::square(x),
            |x: &Array| Ok((ivy::square(x)?, x.clone())),
            |_: &Array, c: &Array| ivy::multiply(c, 3.0),
        )
    };
    let f = tripled();
    let loss = |x: &Array| ivy::sum(f(x)?, ());
    assert_eq!(elements(&ivy::grad(loss)(&x).unwrap()), [3.0; 6]);
    assert_eq!(elements(&ivy::vmap(ivy::grad(loss), ())(&x).unwrap()), [3.0; 6]);
    let mapped = |x: &Array| ivy::sum(ivy::vmap(tripled(), ())(x)?, ());
    assert_eq!(elements(&ivy::grad(mapped)(&x).unwrap()), [3.0; 6]);
    close("plain", &ivy::vmap(tripled(), ())(&x).unwrap(), &ivy::square(&x).unwrap());
    let forward = ivy::jvp(tripled(), &x, &x).unwrap_err().to_string();
    assert!(forward.contains("custom_jvp"), "{forward}");

    let doubled = ivy::custom_jvp(
        |x: &Array| ivy::square(x),
        |x: &Array, t: &Array| Ok((ivy::square(x)?, ivy::multiply(t, 2.0)?)),
    );
    let loss = |x: &Array| ivy::sum(doubled(x)?, ());
    assert_eq!(elements(&ivy::grad(loss)(&x).unwrap()), [2.0; 6]);
    assert_eq!(elements(&ivy::vmap(ivy::grad(loss), ())(&x).unwrap()), [2.0; 6]);

    let block = ivy::checkpoint(|x: &Array| ivy::sin(ivy::exp(x)?));
    let plain = |x: &Array| ivy::sum(ivy::sin(ivy::exp(x)?)?, ());
    let again = |x: &Array| ivy::sum(block(x)?, ());
    let wanted = ivy::grad(plain)(&x).unwrap();
    close("checkpoint", &ivy::grad(again)(&x).unwrap(), &wanted);
    close("checkpoint, mapped", &ivy::vmap(ivy::grad(again), ())(&x).unwrap(), &wanted);
    close("checkpoint, forward", &ivy::jvp(again, &x, &x).unwrap().1, &ivy::jvp(plain, &x, &x).unwrap().1);
    let second = |f: &dyn Fn(&Array) -> Result<Array>| {
        ivy::grad(|x: &Array| ivy::sum(ivy::grad(|x: &Array| f(x))(x)?, ()))(&x).unwrap()
    };
    close("checkpoint, twice", &second(&again), &second(&plain));
}

#[test]
fn what_cannot_be_mapped_is_an_error() {
    let x = numbers(&[3, 2], 0.1, 0.9);
    let text = |f: Function, params: Vmap| ivy::vmap(f, params)(&x).unwrap_err().to_string();
    let read = text(|x| ivy::asarray(x.get(s![0])?.item::<f64>()?, ()), Vmap::new());
    assert!(read.starts_with("to_host: vmap has other elements"), "{read}");
    let unknown = text(|x| Ok(ivy::nonzero(x)?.remove(0)), Vmap::new());
    assert!(unknown.contains("nonzero: vmap"), "{unknown}");
    assert!(text(|x| Ok(x.clone()), Vmap::new().in_axes([None])).contains("has a batch"));
    assert!(text(|x| Ok(x.clone()), Vmap::new().in_axes([2])).contains("axis 2"));
    assert!(text(|x| Ok(x.clone()), Vmap::new().in_axes([Some(0), None])).contains("2 axes for 1 arrays"));
    assert!(text(|x| Ok(x.clone()), Vmap::new().out_axes([0, 1])).contains("out_axes"));
    let pair = (x.clone(), numbers(&[4], 0.0, 1.0));
    let lengths = ivy::vmap(|(a, b): &(Array, Array)| ivy::add(a, b), ())(&pair).unwrap_err().to_string();
    assert!(lengths.contains("3 entries"), "{lengths}");
    let none = ivy::zeros([0, 2], ()).unwrap();
    assert_eq!(ivy::vmap(|x: &Array| ivy::sum(x, ()), ())(&none).unwrap().shape()[..], [0]);
}
