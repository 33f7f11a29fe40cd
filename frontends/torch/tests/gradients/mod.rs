//! Derivatives: those that PyTorch recorded, and how graphs behave.

mod custom_rules;
mod gradcheck;

use ivy_backend_ndarray as _;
use ivy_core::{Array, ErrorKind, Result, functional as f};
use ivy_frontend_suite::{Tolerance, difference, value};
use ivy_frontend_torch::{Keywords, Operator, TORCH, Tensor, Value, autograd, kw};
use serde_json::Value as Json;

fn array(value: Value<'static>) -> Array {
    match value {
        Value::Array(array) => array.into_owned(),
        Value::Tuple(mut list) => array(list.swap_remove(0)),
        other => panic!("an array is expected, not {}", other.told()),
    }
}

/// The gradients by some arguments of the sum of a call's elements, weighted by 1, 2, 3, ...
fn gradients(line: &Json) -> Result<Value<'static>> {
    let backend = ivy_core::backend::backend("ndarray")?;
    let read = |json: &Json| value(json, Some(&backend)).expect("a record can be read");
    let mut arguments: Vec<Value<'static>> =
        line["a"].as_array().expect("a call has arguments").iter().map(read).collect();
    let wanted: Vec<usize> = line["grad"]
        .as_array()
        .expect("places")
        .iter()
        .map(|i| i.as_u64().expect("a place") as usize)
        .collect();
    let mut leaves = Vec::new();
    for &i in &wanted {
        let leaf = autograd::require_grad(&array(arguments[i].clone()))?;
        arguments[i] = Value::from(leaf.clone());
        leaves.push(leaf);
    }
    let mut keywords = Keywords::new();
    for (name, given) in line["k"].as_object().into_iter().flatten() {
        keywords = keywords.with(name, read(given));
    }
    let y = array(TORCH.call(line["f"].as_str().expect("a function"), &arguments, keywords)?);
    let weights = Array::from_vec((1..=y.size()).map(|i| i as f64).collect(), y.shape().clone())?;
    let total = f::sum(f::multiply(&y, &weights)?, ())?;
    let found = autograd::grad(&[total], &leaves, &[], autograd::Graph::Freed, autograd::Unused::Refused)?;
    Ok(Value::List(found.into_iter().map(Value::from).collect()))
}

/// What a function gives is no leaf, also where it gives its argument as it is.
#[test]
fn results_that_are_an_argument_are_tensors_of_their_own() -> Result<()> {
    let x: Tensor = Tensor::from(autograd::require_grad(&Array::try_from([1.0f64, 2.0])?)?);
    let call = |name: &str, x: &Tensor| TORCH.call(name, &[x.ivy_array().into()], Keywords::new()).map(array);
    for name in ["clone", "Tensor.clone", "atleast_1d", "squeeze", "reshape"] {
        let arguments: Vec<Value<'_>> = match name {
            "reshape" => vec![x.ivy_array().into(), Value::Tuple(vec![Value::Int(2)])],
            _ => vec![x.ivy_array().into()],
        };
        let y = array(TORCH.call(name, &arguments, Keywords::new())?);
        // `atleast_1d` gives the argument itself where there is nothing to do.
        assert_eq!(autograd::is_leaf(&y), name == "atleast_1d", "{name}");
        assert!(autograd::requires_grad(&y), "{name}");
    }
    let y = call("clone", &x)?;
    assert_eq!(autograd::node_of(&y).map(|node| node.name()), Some("CloneBackward0".into()));
    let z = f::sum(f::multiply(f::square(x.ivy_array())?, &y)?, ())?;
    let leaves = [x.ivy_array().clone(), y.clone()];
    let found = autograd::grad(&[z], &leaves, &[], autograd::Graph::Retained, autograd::Unused::Refused)?;
    let found: Vec<Vec<f64>> = found.iter().flatten().map(Array::to_vec).collect::<Result<_>>()?;
    assert_eq!(found, [[3.0, 12.0], [1.0, 4.0]]);
    // A second walk needs nothing that the first one freed.
    let sum = f::sum(&y, ())?;
    for graph in [autograd::Graph::Freed, autograd::Graph::Freed] {
        autograd::grad(&[f::sum(&y, ())?], &leaves[..1], &[], graph, autograd::Unused::Refused)?;
    }
    autograd::backward(&[sum], &[], autograd::Graph::Freed, None)?;
    assert!(!autograd::requires_grad(&autograd::no_grad(|| call("clone", &x))?));
    // Of constants nothing is recorded.
    assert!(!autograd::requires_grad(&call("clone", &Tensor::from(Array::try_from([1.0f64])?))?));
    Ok(())
}

/// A tensor is a value in Rust: what is written to one leaves the graph of what it was as it is.
#[test]
fn operations_in_place_leave_graphs_of_values() -> Result<()> {
    let x = autograd::require_grad(&Array::try_from([1.0f64, 2.0])?)?;
    let mut y: Tensor = Tensor::from(f::multiply(&x, 2.0)?);
    let z = f::multiply(y.ivy_array(), y.ivy_array())?;
    y.operate_in_place(Operator::Add, 1.0)?;
    autograd::backward(&[f::sum(z, ())?], &[], autograd::Graph::Freed, None)?;
    assert_eq!(autograd::grad_of(&x).map(|g| g.to_vec::<f64>()).transpose()?, Some(vec![8.0, 16.0]));
    Ok(())
}

#[test]
fn recorded_gradients() {
    let tolerance = Tolerance { float64: 1e-9, ..Tolerance::default() };
    let mut failures = Vec::new();
    for text in include_str!("gradients.jsonl").lines().skip(1) {
        let line: Json = serde_json::from_str(text).expect("a record is JSON");
        let found = match gradients(&line) {
            Ok(found) => difference(&line["r"], &found, tolerance),
            Err(error) => Some(error.to_string()),
        };
        failures.extend(found.map(|why| format!("{}: {why}", line["f"])));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn leaf(numbers: &[f64]) -> Result<Array> {
    autograd::require_grad(&Array::from_vec(numbers.to_vec(), [numbers.len()])?)
}

#[test]
fn backward_adds_to_leaves() -> Result<()> {
    let x = leaf(&[1.0, 2.0])?;
    for expected in [[2.0, 4.0], [4.0, 8.0]] {
        autograd::backward(&[f::sum(f::square(&x)?, ())?], &[], autograd::Graph::Freed, None)?;
        assert_eq!(autograd::grad_of(&x).expect("a gradient").to_vec::<f64>()?, expected);
    }
    autograd::set_grad(&x, None)?;
    assert!(autograd::grad_of(&x).is_none());
    Ok(())
}

#[test]
fn a_tensor_that_is_used_twice_gets_both_parts() -> Result<()> {
    let x = leaf(&[3.0])?;
    let y = f::multiply(&x, &x)?;
    let z = f::add(f::multiply(&y, &x)?, &y)?;
    let found = autograd::grad(&[z], &[x, y], &[], autograd::Graph::Freed, autograd::Unused::Refused)?;
    // d(x^3 + x^2) = 3 x^2 + 2 x, and by y of y x + y it is x + 1.
    assert_eq!(found[0].as_ref().expect("used").to_vec::<f64>()?, [33.0]);
    assert_eq!(found[1].as_ref().expect("used").to_vec::<f64>()?, [4.0]);
    Ok(())
}

#[test]
fn gradients_have_gradients() -> Result<()> {
    let x = leaf(&[2.0])?;
    let cube = f::multiply(f::square(&x)?, &x)?;
    let grad = |y: &Array| -> Result<Array> {
        let found = autograd::grad(
            std::slice::from_ref(y),
            std::slice::from_ref(&x),
            &[],
            autograd::Graph::Created,
            autograd::Unused::Refused,
        )?;
        Ok(found.into_iter().flatten().next().expect("used"))
    };
    let (once, twice) = (grad(&cube)?, grad(&grad(&cube)?)?);
    assert_eq!((once.to_vec::<f64>()?, twice.to_vec::<f64>()?), (vec![12.0], vec![12.0]));
    assert_eq!(grad(&twice)?.to_vec::<f64>()?, [6.0]);
    Ok(())
}

#[test]
fn without_notes_there_is_no_graph() -> Result<()> {
    let x = leaf(&[1.0])?;
    assert!(!autograd::requires_grad(&autograd::no_grad(|| f::square(&x))?));
    assert!(autograd::no_grad(
        || autograd::enable_grad(|| f::square(&x)).map(|y| autograd::requires_grad(&y))
    )?);
    assert!(!autograd::requires_grad(&autograd::detached(&x)));
    let y = f::square(&x)?;
    assert!(autograd::is_leaf(&x) && !autograd::is_leaf(&y) && autograd::requires_grad(&y));
    Ok(())
}

/// A chain of operations; every third node, or none, is referred to by more than its tensor.
fn chain(x: &Array, length: usize, are_asked_for: bool) -> Result<Array> {
    let mut y = x.clone();
    for i in 0..length {
        y = f::negative(&y)?;
        assert!(!are_asked_for || i % 3 != 0 || autograd::node_of(&y).is_some());
    }
    Ok(y)
}

/// On a stack that a call a node would overflow.
#[test]
fn long_chains_are_taken_apart() {
    use autograd::Graph;
    let chains = || -> Result<()> {
        let x = leaf(&[1.0])?;
        drop(chain(&x, 1_000_000, false)?);
        drop(chain(&x, 30_000, true)?);
        for (graph, are_asked_for) in [(Graph::Freed, false), (Graph::Freed, true), (Graph::Retained, true)] {
            let y = chain(&x, 30_000, are_asked_for)?;
            autograd::backward(&[y], &[], graph, None)?;
        }
        assert_eq!(autograd::grad_of(&x).expect("a gradient").to_vec::<f64>()?, [3.0]);
        Ok(())
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(chains).expect("a thread");
    thread.join().expect("no overflow").expect("no error");
}

#[test]
fn an_optimiser_changes_leaves() -> Result<()> {
    let mut w = Tensor::from(leaf(&[4.0])?);
    for _ in 0..3 {
        let loss = f::sum(f::square(w.ivy_array())?, ())?;
        autograd::backward(&[loss], &[], autograd::Graph::Freed, None)?;
        let step = Tensor::from(autograd::grad_of(w.ivy_array()).expect("a gradient"));
        let changed =
            autograd::no_grad(|| w.method("sub_", &[step.ivy_array().into()], kw! { alpha: 0.25 }))?;
        w = Tensor::from(array(changed));
        assert!(autograd::requires_grad(w.ivy_array()) && autograd::is_leaf(w.ivy_array()));
        autograd::set_grad(w.ivy_array(), None)?;
    }
    assert_eq!(w.to_vec::<f64>()?, [0.5]);
    for name in ["mul_", "__imul__"] {
        let refused = w.method(name, &[Value::from(2.0)], kw! {});
        assert!(refused.unwrap_err().to_string().contains("a leaf Variable that requires grad"));
    }
    autograd::no_grad(|| w.operate_in_place(Operator::Subtract, 0.25))?;
    assert!(autograd::requires_grad(w.ivy_array()) && autograd::is_leaf(w.ivy_array()));
    assert_eq!(w.to_vec::<f64>()?, [0.25]);
    Ok(())
}

#[test]
fn bad_input_is_told() -> Result<()> {
    let x = leaf(&[1.0, 2.0])?;
    let told = |result: Result<()>| result.unwrap_err().to_string();
    let plain = Array::from_vec(vec![1.0f64], [1])?;
    assert!(
        told(autograd::backward(&[plain], &[], autograd::Graph::Freed, None))
            .contains("does not require grad")
    );
    assert!(
        told(autograd::backward(&[f::square(&x)?], &[], autograd::Graph::Freed, None))
            .contains("scalar outputs")
    );
    let other = leaf(&[1.0])?;
    let y = f::sum(&x, ())?;
    let unused = |how| {
        autograd::grad(
            std::slice::from_ref(&y),
            std::slice::from_ref(&other),
            &[],
            autograd::Graph::Retained,
            how,
        )
    };
    assert!(unused(autograd::Unused::Refused).unwrap_err().to_string().contains("do not depend on it"));
    assert!(unused(autograd::Unused::Absent)?[0].is_none());
    assert_eq!(unused(autograd::Unused::Zeros)?[0].as_ref().expect("zeros").to_vec::<f64>()?, [0.0]);
    let whole = autograd::require_grad(&Array::from_vec(vec![1i64], [1])?);
    assert!(whole.unwrap_err().to_string().contains("float or complex"));
    let plain = ivy_core::with_backend("jit:interp", || Array::from_vec(vec![1.0f64, 2.0], [2]))??;
    let elsewhere = autograd::require_grad(&plain)?;
    for (left, right) in [(&x, &elsewhere), (&elsewhere, &x), (&x, &plain), (&plain, &x)] {
        let error = f::multiply(left, right).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BackendMismatch { .. }), "{error}");
    }
    let weighted = autograd::backward(&[f::square(&x)?], &[Some(plain)], autograd::Graph::Freed, None);
    let error = weighted.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BackendMismatch { .. }), "{error}");
    Ok(())
}

#[test]
fn complex_gradients_have_pytorchs_sign() -> Result<()> {
    // Of |z|^2 the gradient is 2 z, the direction of steepest ascent.
    let z = autograd::require_grad(&Array::from_vec(vec![num_complex::Complex64::new(1.0, -2.0)], [1])?)?;
    autograd::backward(&[f::sum(f::square(f::abs(&z)?)?, ())?], &[], autograd::Graph::Freed, None)?;
    let found = autograd::grad_of(&z).expect("a gradient").to_vec::<num_complex::Complex64>()?;
    assert!((found[0] - num_complex::Complex64::new(2.0, -4.0)).norm() < 1e-12);
    Ok(())
}

#[test]
fn a_graph_is_walked_once_unless_it_is_retained() -> Result<()> {
    use autograd::Graph;
    let x = leaf(&[3.0])?;
    let y = f::square(&x)?;
    let walk = |graph| autograd::backward(std::slice::from_ref(&y), &[], graph, None);
    walk(Graph::Retained)?;
    walk(Graph::Freed)?;
    assert_eq!(autograd::grad_of(&x).expect("two walks").to_vec::<f64>()?, [12.0]);
    assert!(walk(Graph::Freed).unwrap_err().to_string().contains("a second time"));
    // The gradient of before is still there.
    assert_eq!(autograd::grad_of(&x).expect("two walks").to_vec::<f64>()?, [12.0]);
    // Nothing is saved for sums and reshapes, as in PyTorch.
    let z = f::sum(f::reshape(f::add(&x, 1.0)?, [1, 1], ())?, ())?;
    for _ in 0..2 {
        autograd::backward(std::slice::from_ref(&z), &[], Graph::Freed, None)?;
    }
    assert_eq!(autograd::grad_of(&x).expect("four walks").to_vec::<f64>()?, [14.0]);
    Ok(())
}

/// Each op whose pullback reads no elements: its operands are freed, and what they were is enough for another walk.
#[test]
fn what_saves_nothing_is_walked_again() -> Result<()> {
    use autograd::{Graph, Unused};
    let x = leaf(&[1.0, 2.0, 3.0])?;
    let rows = Array::from_vec(vec![10.0f64, 20.0], [2, 1])?;
    let y = f::subtract(f::add(&x, &rows)?, f::astype(f::astype(&x, ivy_core::Dtype::FLOAT32)?, x.dtype())?)?;
    let y = f::add(
        f::negative(f::matrix_transpose(&y)?)?,
        f::broadcast_to(f::reshape(&x, [3, 1], ())?, [3, 2])?,
    )?;
    let y = f::concat([&y, &f::flip(&y, ())?], ())?;
    let y = f::constant_pad(&y, [(1, 0), (0, 1)], ())?;
    let z = f::add(f::sum(&y, ())?, f::mean(&y, ())?)?;
    let walk = |graph| {
        let (outputs, inputs) = (std::slice::from_ref(&z), std::slice::from_ref(&x));
        let found = autograd::grad(outputs, inputs, &[None], graph, Unused::Refused)?;
        found[0].as_ref().expect("a gradient").to_vec::<f64>()
    };
    let first = walk(Graph::Freed)?;
    assert!(first.iter().all(|x| (x - (4.0 + 4.0 / 21.0)).abs() < 1e-6), "{first:?}");
    for graph in [Graph::Freed, Graph::Created, Graph::Freed] {
        assert_eq!(walk(graph)?, first);
    }
    Ok(())
}

#[test]
fn hooks_see_gradients_and_replace_them() -> Result<()> {
    use autograd::Graph;
    use std::sync::{Arc, Mutex};
    let x = leaf(&[1.0, 2.0])?;
    let y = f::multiply(&x, 3.0)?;
    autograd::retain_grad(&y);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let look = autograd::register_hook(
        &y,
        Arc::new(move |g: &Array| {
            noted.lock().unwrap().push(g.to_vec::<f64>()?);
            Ok(None)
        }),
    )?;
    let twice = autograd::register_hook(&y, Arc::new(|g: &Array| f::multiply(g, 2.0).map(Some)))?;
    let negative = autograd::register_hook(&x, Arc::new(|g: &Array| f::negative(g).map(Some)))?;
    let walk = || autograd::backward(&[f::sum(&y, ())?], &[], Graph::Retained, None);
    walk()?;
    assert_eq!(*seen.lock().unwrap(), [[1.0, 1.0]]);
    assert_eq!(autograd::grad_of(&y).expect("retained").to_vec::<f64>()?, [2.0, 2.0]);
    assert_eq!(autograd::grad_of(&x).expect("a leaf").to_vec::<f64>()?, [-6.0, -6.0]);
    look.remove();
    twice.remove();
    twice.remove();
    negative.remove();
    autograd::set_grad(&x, None)?;
    walk()?;
    assert_eq!(
        (seen.lock().unwrap().len(), autograd::grad_of(&x).expect("a leaf").to_vec::<f64>()?),
        (1, vec![3.0; 2])
    );
    // A hook that changes the shape, one that fails, and a tensor without a gradient.
    let wrong = autograd::register_hook(&x, Arc::new(|g: &Array| f::sum(g, ()).map(Some)))?;
    assert!(walk().unwrap_err().to_string().contains("shape of the gradient"));
    wrong.remove();
    let failing =
        autograd::register_hook(&y, Arc::new(|g: &Array| f::matmul(g, f::zeros([3, 3], ())?).map(Some)))?;
    assert!(walk().is_err());
    failing.remove();
    let constant = Array::try_from([1.0f64])?;
    assert!(autograd::register_hook(&constant, Arc::new(|_: &Array| Ok(None))).is_err());
    drop(y);
    negative.remove();
    Ok(())
}

#[test]
fn functions_of_the_program_have_pullbacks_of_their_own() -> Result<()> {
    use autograd::{Graph, Unused};
    use std::sync::Arc;
    // An exponential that saves its result, and so has gradients of gradients.
    let x = leaf(&[0.5, -1.0])?;
    let result = f::exp(autograd::detached(&x))?;
    let saved = result.clone();
    let pullback = move |node: &autograd::Node, g: &[Option<Array>]| -> Result<Vec<Option<Array>>> {
        let y = node.output(0, &saved);
        Ok(vec![g[0].as_ref().map(|g| f::multiply(g, &y)).transpose()?])
    };
    let y =
        autograd::custom("Exp", std::slice::from_ref(&x), vec![result.clone()], &[true], Arc::new(pullback))
            .remove(0);
    let grad = |y: &Array, graph| -> Result<Array> {
        let total = f::sum(y, ())?;
        let found = autograd::grad(&[total], std::slice::from_ref(&x), &[], graph, Unused::Refused)?;
        Ok(found.into_iter().flatten().next().expect("used"))
    };
    let once = grad(&y, Graph::Created)?;
    let twice = grad(&once, Graph::Created)?;
    let expected = result.to_vec::<f64>()?;
    assert_eq!((once.to_vec::<f64>()?, twice.to_vec::<f64>()?), (expected.clone(), expected));
    // Wrong pullbacks.
    let of = |found: Vec<Option<Array>>| {
        let rule = Arc::new(move |_: &autograd::Node, _: &[Option<Array>]| Ok(found.clone()));
        autograd::custom("Wrong", std::slice::from_ref(&x), vec![result.clone()], &[true], rule).remove(0)
    };
    let told = |y: Array| grad(&y, Graph::Freed).unwrap_err().to_string();
    assert!(told(of(vec![])).contains("0 gradients for 1 tensors"));
    assert!(told(of(vec![Some(f::ones([3], ())?)])).contains("shape (3,) for an input of shape (2,)"));
    // Under `no_grad`, and where no gradient is asked for, the results are constants.
    let rule: autograd::Pullback = Arc::new(|_, g| Ok(g.to_vec()));
    let plain = autograd::no_grad(|| {
        autograd::custom("Id", std::slice::from_ref(&x), vec![result.clone()], &[true], rule.clone())
    });
    assert!(!autograd::requires_grad(&plain[0]));
    assert!(!autograd::requires_grad(
        &autograd::custom("Id", std::slice::from_ref(&x), vec![result], &[false], rule)[0]
    ));
    Ok(())
}
