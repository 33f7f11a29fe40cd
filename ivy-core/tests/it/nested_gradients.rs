//! `execute_with_gradients`: which gradients there are, in which form, and what is refused.

use ivy::nest::{Path, Step};
use ivy::prelude::*;
use ivy::{ExecuteWithGradients, Nest, Result};
use std::collections::BTreeMap;

fn number(value: f64) -> Array {
    Array::from_vec(vec![value], []).unwrap()
}

fn numbers(gradients: &Nest<Array>) -> Nest<f64> {
    gradients.map(|x| x.item::<f64>().unwrap())
}

fn kind<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

/// `[a b, [b c, a]]` of `[a, [b, c]]`.
fn products(x: &(Array, Vec<Array>)) -> Result<(Array, Vec<Array>)> {
    let (a, b, c) = (&x.0, &x.1[0], &x.1[1]);
    Ok((ivy::multiply(a, b)?, vec![ivy::multiply(b, c)?, a.clone()]))
}

#[test]
fn indices_choose_arrays_and_all_that_is_in_others() -> Result<()> {
    let xs = (number(2.0), vec![number(3.0), number(5.0)]);
    let leaf = Nest::Leaf::<f64>;
    // The first of the result by the first of the argument.
    let ((first, _), gradients) = ivy::execute_with_gradients(products, &xs, ())?;
    assert_eq!((first.item::<f64>()?, numbers(&gradients)), (6.0, Nest::list([leaf(3.0)])));
    // By what is in a list, without what is not chosen.
    let at = |steps: &[usize]| steps.iter().copied().collect::<Path>();
    let inner = ExecuteWithGradients::new().xs_grad_idxs(vec![at(&[1])]).ret_grad_idxs(vec![at(&[1, 0])]);
    let (_, gradients) = ivy::execute_with_gradients(products, &xs, inner)?;
    assert_eq!(numbers(&gradients), Nest::list([Nest::list([leaf(5.0), leaf(3.0)])]));
    // Of several there is a dict; what has no part has zeros.
    let several = ExecuteWithGradients::new().xs_grad_idxs(vec![at(&[1, 1]), at(&[0])]).ret_grad_idxs(None);
    let (_, gradients) = ivy::execute_with_gradients(products, &xs, several)?;
    let of = |a, c| Nest::list([leaf(a), Nest::list([leaf(c)])]);
    let wanted = Nest::dict([("0", of(3.0, 0.0)), ("1_0", of(0.0, 3.0)), ("1_1", of(1.0, 0.0))]);
    assert_eq!(numbers(&gradients), wanted);
    Ok(())
}

#[test]
fn of_a_dict_the_first_entry_is_all_of_it() -> Result<()> {
    let xs: BTreeMap<String, Array> = [("a".into(), number(2.0)), ("b".into(), number(3.0))].into();
    let f = |x: &BTreeMap<String, Array>| ivy::multiply(ivy::square(&x["a"])?, &x["b"]);
    let (_, gradients) = ivy::execute_with_gradients(f, &xs, ())?;
    assert_eq!(numbers(&gradients), Nest::dict([("a", Nest::Leaf(12.0)), ("b", Nest::Leaf(4.0))]));
    let only = ExecuteWithGradients::new().xs_grad_idxs(vec![Path::from([Step::from("b")])]);
    let (_, gradients) = ivy::execute_with_gradients(f, &xs, only)?;
    assert_eq!(numbers(&gradients), Nest::dict([("b", Nest::Leaf(4.0))]));
    Ok(())
}

#[test]
fn integers_become_floats_and_other_kinds_are_refused() -> Result<()> {
    let whole = Array::try_from([1i32, 2])?;
    let f = |x: &Array| ivy::sum(ivy::square(x)?, ());
    let (_, gradient) = ivy::execute_with_gradients(f, &whole, ())?;
    let Nest::Leaf(gradient) = gradient else { panic!("an array's is an array") };
    assert_eq!((gradient.dtype(), gradient.to_vec::<f32>()?), (Dtype::FLOAT32, vec![2.0, 4.0]));
    assert_eq!(kind(ivy::execute_with_gradients(f, &ivy::ones([2], Dtype::BOOL)?, ())), "WrongDtypeKind");
    let x = ivy::ones([2], ())?;
    assert_eq!(kind(ivy::execute_with_gradients(|x: &Array| ivy::square(x), &x, ())), "ShapeMismatch");
    assert_eq!(kind(ivy::execute_with_gradients(|x: &Array| ivy::any(x, ()), &x, ())), "WrongDtypeKind");
    let outside = ExecuteWithGradients::new().xs_grad_idxs(vec![Path::from([Step::Index(1)])]);
    assert_eq!(kind(ivy::execute_with_gradients(f, &x, outside)), "InvalidArgument");
    Ok(())
}

#[test]
fn gradients_that_are_retained_can_be_differentiated() -> Result<()> {
    let cube = |x: &Array| ivy::pow(x, 3.0);
    let slope = |x: &Array, params: ExecuteWithGradients| match ivy::execute_with_gradients(cube, x, params)?
    {
        (_, Nest::Leaf(gradient)) => Ok(gradient),
        _ => panic!("an array's is an array"),
    };
    let x = number(2.0);
    let kept = ivy::grad(|x: &Array| slope(x, ExecuteWithGradients::new().retain_grads()))(&x)?;
    assert_eq!(kept.item::<f64>()?, 12.0);
    let stopped = ivy::grad(|x: &Array| slope(x, ExecuteWithGradients::new()))(&x)?;
    assert_eq!(stopped.item::<f64>()?, 0.0);
    Ok(())
}
