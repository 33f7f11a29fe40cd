//! Functions with derivative rules of their own keep these in the graph of a program that runs.

use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend_torch::autograd::{self, Graph, Unused};

/// A function of an array.
type Function = Box<dyn Fn(&Array) -> Result<Array>>;

fn weighted(y: &Array) -> Result<Array> {
    let weights = Array::from_vec((1..=y.size()).map(|i| i as f64).collect(), y.shape().clone())?;
    f::sum(f::multiply(y, weights)?, ())
}

fn eager(function: &Function, x: &Array) -> Result<Vec<f64>> {
    let leaf = autograd::require_grad(x)?;
    let y = weighted(&function(&leaf)?)?;
    let [Some(gradient)] = &autograd::grad(&[y], &[leaf], &[], Graph::Freed, Unused::Zeros)?[..] else {
        panic!("a gradient for each input");
    };
    gradient.to_vec()
}

/// The gradient of the weighted gradient.
fn eager_twice(function: &Function, x: &Array) -> Result<Vec<f64>> {
    let leaf = autograd::require_grad(x)?;
    let y = weighted(&function(&leaf)?)?;
    let first =
        autograd::grad(&[y], std::slice::from_ref(&leaf), &[], Graph::Created, Unused::Zeros)?.remove(0);
    let first = weighted(&first.expect("a gradient"))?;
    if !autograd::requires_grad(&first) {
        return Ok(vec![0.0; x.size()]);
    }
    let second = autograd::grad(&[first], &[leaf], &[], Graph::Freed, Unused::Zeros)?.remove(0);
    second.expect("a gradient").to_vec()
}

fn functions() -> Vec<(&'static str, Function, Array)> {
    let straight = f::custom_jvp(
        |x: &Array| f::round(x),
        |x: &Array, t: &Array| Ok((f::round(x)?, f::multiply(t, f::multiply(x, 3)?)?)),
    );
    let clipped = f::custom_vjp(
        |x: &Array| f::square(x),
        |x: &Array| Ok((f::square(x)?, x.clone())),
        |x: &Array, c: &Array| f::multiply(f::minimum(c, 1.5)?, f::multiply(x, x)?),
    );
    let checkpoint = f::checkpoint(|x: &Array| f::sin(f::exp(x)?));
    let ties = || Array::from_vec(vec![2.0, 2.0, 0.0, 0.0, 5.0, 5.0, 5.0, 1.0], [1, 8, 1]).unwrap();
    let planes = Array::from_vec(vec![0.0f64; 16], [1, 4, 4, 1]).unwrap();
    let line = || Array::from_vec(vec![0.4f64, 1.6, -2.3], [3]).unwrap();
    vec![
        ("custom_jvp", Box::new(straight), line()),
        ("custom_vjp", Box::new(clipped), line()),
        ("checkpoint", Box::new(checkpoint), line()),
        ("stop_gradient", Box::new(|x| f::multiply(x, f::stop_gradient(&f::exp(x)?)?)), line()),
        ("max_pool1d", Box::new(|x| f::max_pool1d(x, 3, 1, f::Padding::Same, ())), ties()),
        ("max_pool1d, apart", Box::new(|x| f::max_pool1d(x, 2, 2, f::Padding::Valid, ())), ties()),
        ("max_pool2d", Box::new(|x| f::max_pool2d(x, 2, 1, f::Padding::Valid, ())), planes),
        (
            "pinv",
            Box::new(|x| f::linalg::pinv(x, ())),
            f::eye(3, f::Eye::new().dtype(ivy_core::Dtype::FLOAT64)).unwrap(),
        ),
        (
            "if_else",
            Box::new(|x| {
                let (positive, root) = (f::greater(x, 0)?, |x: &Array| f::sqrt(x));
                f::if_else(|_: &Array| Ok(positive.clone()), root, |x: &Array| f::multiply(x, 2), x.clone())
            }),
            Array::from_vec(vec![4.0f64, 0.0, -1.0], [3]).unwrap(),
        ),
    ]
}

#[test]
fn gradients_are_those_of_transformed_functions() {
    for (name, function, x) in functions() {
        let expected = f::grad(|x: &Array| weighted(&function(x)?))(&x).and_then(|x| x.to_vec::<f64>());
        assert_eq!(eager(&function, &x).unwrap(), expected.unwrap(), "{name}");
    }
}

#[test]
fn second_derivatives_go_through_rules() {
    for (name, function, x) in functions() {
        let first = |x: &Array| weighted(&f::grad(|x: &Array| weighted(&function(x)?))(x)?);
        let expected = f::grad(first)(&x).and_then(|x| x.to_vec::<f64>()).unwrap();
        let found = eager_twice(&function, &x).unwrap();
        let near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0));
        assert!(near, "{name}: {found:?} {expected:?}");
    }
}

#[test]
fn the_first_of_equal_elements_of_a_window_has_the_gradient() {
    let (.., function, x) = functions().remove(5);
    assert_eq!(eager(&function, &x).unwrap(), [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0]);
}

#[test]
fn what_is_used_beside_the_arguments_is_refused() {
    let other = autograd::require_grad(&Array::try_from([1.0f64]).unwrap()).unwrap();
    let captured = other.clone();
    let product = f::custom_jvp(
        move |x: &Array| f::multiply(x, &captured),
        |x: &Array, t: &Array| Ok((x.clone(), t.clone())),
    );
    let x = autograd::require_grad(&Array::try_from([2.0f64]).unwrap()).unwrap();
    let error = product(&x).unwrap_err().to_string();
    assert!(error.contains("Give them as arguments"), "{error}");
    // Without a graph there is nothing that could be lost.
    assert_eq!(
        autograd::no_grad(|| product(&autograd::detached(&x))).unwrap().to_vec::<f64>().unwrap(),
        [2.0]
    );
}
