//! Derivatives on every backend: equal to those of the reference.

use ivy::prelude::*;
use ivy::{Result, Vmap, linalg, s};

const OTHERS: &[&str] = if cfg!(feature = "torch") {
    &["candle", "jit", "jit:interp", "torch"]
} else {
    &["candle", "jit", "jit:interp"]
};

type Loss = fn(&(Array, Array)) -> Result<Array>;

fn network((w, x): &(Array, Array)) -> Result<Array> {
    let hidden = ivy::tanh(ivy::matmul(x, w)?)?;
    let p = ivy::softmax(&hidden, ())?;
    let picked = ivy::take_along_axis(
        &p,
        ivy::argmax(&p, ArgMax::new().axis(1).keepdims())?,
        TakeAlongAxis::new().axis(1),
    )?;
    ivy::negative(ivy::mean(ivy::log(picked)?, ())?)
}

fn moved((w, x): &(Array, Array)) -> Result<Array> {
    let both = ivy::concat([&ivy::roll(w, 1, ())?, &ivy::flip(x.get(s![..3, ..3])?, ())?], ())?;
    let sorted = ivy::sort(&both, Sort::new().axis(0))?;
    let running = ivy::cumulative_prod(sorted, CumulativeProd::new().axis(0))?;
    ivy::sum(ivy::multiply(running, ivy::var(&both, Var::new().axis(0))?)?, ())
}

fn solved((w, x): &(Array, Array)) -> Result<Array> {
    let square = ivy::matmul(w, ivy::matrix_transpose(w)?)?;
    let definite = ivy::add(square, ivy::eye(3, Eye::new().dtype(Dtype::FLOAT64))?)?;
    let y = linalg::solve(&definite, ivy::matrix_transpose(x)?)?;
    ivy::add(ivy::sum(ivy::square(y)?, ())?, linalg::slogdet(definite)?.logabsdet)
}

fn looped((w, x): &(Array, Array)) -> Result<Array> {
    let y = ivy::for_loop(0..3, |_, y: &Array| ivy::sin(ivy::matmul(y, w)?), x.clone())?;
    ivy::max(ivy::abs(y)?, ())
}

fn at() -> (Array, Array) {
    let numbers = |shape: [usize; 2], step: f64| {
        let values = (0..shape[0] * shape[1]).map(|i| ((i as f64 + 1.0) * step).fract() - 0.4).collect();
        Array::from_vec(values, shape).unwrap()
    };
    (numbers([3, 3], 0.618), numbers([4, 3], 0.382))
}

fn derived(loss: Loss) -> Vec<f64> {
    let point = at();
    let (value, (w, x)) = ivy::value_and_grad(loss)(&point).unwrap();
    // Forward over reverse: the Hessian times a direction.
    let (_, (second, _)) = ivy::jvp(ivy::grad(loss), &point, &point).unwrap();
    [value, w, x, second].iter().flat_map(|x| x.to_vec::<f64>().unwrap()).collect()
}

#[test]
fn every_backend_gives_the_derivatives_of_the_reference() {
    for (name, loss) in
        [("network", network as Loss), ("moved", moved), ("solved", solved), ("looped", looped)]
    {
        let wanted = ivy::with_backend("ndarray", || derived(loss)).unwrap();
        for backend in OTHERS {
            let found = ivy::with_backend(backend, || derived(loss)).unwrap();
            assert_eq!(found.len(), wanted.len());
            for (a, b) in found.iter().zip(&wanted) {
                assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{name} on {backend}: {a}, not {b}");
            }
        }
    }
}

#[test]
fn gradients_of_each_example_are_those_of_the_reference() {
    let each = |(w, x): &(Array, Array)| {
        let lines = ivy::reshape(x, [4, 1, 3], ())?;
        ivy::vmap(ivy::grad(network), Vmap::new().in_axes([None, Some(0)]))(&(w.clone(), lines))
    };
    let of = |backend: &str| {
        let (w, x) = ivy::with_backend(backend, || each(&at()).unwrap()).unwrap();
        [w, x].iter().flat_map(|x| x.to_vec::<f64>().unwrap()).collect::<Vec<_>>()
    };
    let wanted = of("ndarray");
    assert_eq!(wanted.len(), 4 * 9 + 4 * 3);
    for backend in OTHERS {
        for (a, b) in of(backend).iter().zip(&wanted) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{backend}: {a}, not {b}");
        }
    }
}

#[test]
fn a_compiled_step_has_the_gradient_of_its_function() {
    for backend in OTHERS {
        ivy::with_backend(backend, || {
            let step = ivy::compile(|[w, x]: &[Array; 2]| {
                let (w, _) = ivy::grad(network)(&(w.clone(), x.clone()))?;
                Ok([w])
            });
            let (w, x) = at();
            let plain = ivy::grad(network)(&(w.clone(), x.clone())).unwrap().0.to_vec::<f64>().unwrap();
            for _ in 0..3 {
                let [found] = step.call(&[w.clone(), x.clone()]).unwrap();
                assert_eq!(found.to_vec::<f64>().unwrap(), plain, "{backend}");
            }
        })
        .unwrap();
    }
}
