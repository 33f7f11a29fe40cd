//! D13 to D16: axes of results, printing, draws, and modes of Jacobians.

use super::{a, close, first, host, v};
use ivy::prelude::*;
use ivy::{ErrorKind, Scan, Vmap};

#[test]
fn d13_results_without_a_batch() {
    let f = |x: &Array| Ok((ivy::square(x)?, a(7.0)));
    let mapped = ivy::vmap(f, Vmap::new().out_axes([Some(0), None]));
    let (squares, same) = mapped(&v(&[1.0, 2.0])).unwrap();
    close(host(squares), &[1.0, 4.0]);
    assert_eq!((same.ndim(), same.item::<f64>().unwrap()), (0, 7.0));
    let other = ivy::vmap(|x: &Array| ivy::square(x), Vmap::new().out_axes([None]));
    let told = other(&v(&[1.0, 2.0])).unwrap_err().to_string();
    assert!(told.contains("out_axes") && told.contains("other elements in each entry"), "{told}");
}

#[test]
fn d14_arrays_print_inside_of_transformations() {
    let text = std::cell::RefCell::new(Vec::new());
    let print = |x: &Array| {
        text.borrow_mut().push(format!("{x}|{x:#}"));
        Ok(x.clone())
    };
    ivy::vmap(print, ())(&v(&[1.0, 2.0])).unwrap();
    ivy::vmap(|x: &Array| ivy::vmap(print, ())(x), ())(&Array::try_from([[1.0f64, 2.0]]).unwrap()).unwrap();
    ivy::grad(print)(&a(3.0)).unwrap();
    assert_eq!(
        text.into_inner(),
        [
            "[1. 2.] (all 2 entries of vmap)|array([1., 2.], dtype=float64) (all 2 entries of vmap)",
            "[[1. 2.]] (all 1 entries of vmap) (all 2 entries of vmap)|array([[1., 2.]], dtype=float64) (all 1 entries of vmap) (all 2 entries of vmap)",
            "3.0|array(3., dtype=float64)",
        ]
    );
}

#[test]
fn d15_each_entry_draws_for_itself() {
    let x = ivy::zeros([3], Dtype::FLOAT64).unwrap();
    let draw = |_: &Array| ivy::random_uniform(0.0, 1.0, ivy::RandomUniform::new().dtype(Dtype::FLOAT64));
    let drawn = |x: &Array| ivy::add(x, draw(x)?);
    ivy::seed(7);
    let mapped = host(ivy::vmap(drawn, ())(&x).unwrap());
    ivy::seed(7);
    let one_by_one: Vec<f64> = (0..3).map(|_| draw(&x).unwrap().item::<f64>().unwrap()).collect();
    close(mapped.clone(), &one_by_one);
    assert!(mapped[0] != mapped[1] && mapped[1] != mapped[2]);
    // The generator has moved on by as many draws.
    let next = draw(&x).unwrap().item::<f64>().unwrap();
    ivy::seed(7);
    let fourth: Vec<f64> = (0..4).map(|_| draw(&x).unwrap().item::<f64>().unwrap()).collect();
    assert_eq!(next, fourth[3]);
    // With a seed all have the same.
    let seeded = |x: &Array| {
        let keywords = ivy::RandomUniform::new().dtype(Dtype::FLOAT64).seed(5);
        ivy::add(x, ivy::random_uniform(0.0, 1.0, keywords)?)
    };
    let same = host(ivy::vmap(seeded, ())(&x).unwrap());
    assert!(same[0] == same[1] && same[1] == same[2]);
    // Nests, derivatives and masks of each entry.
    let pairs =
        ivy::vmap(|x: &Array| ivy::vmap(drawn, ())(x), ())(&ivy::zeros([2, 3], Dtype::FLOAT64).unwrap());
    let mut pairs = host(pairs.unwrap());
    pairs.sort_by(f64::total_cmp);
    assert!(pairs.windows(2).all(|pair| pair[0] != pair[1]));
    let dropped =
        ivy::vmap(|x: &Array| ivy::dropout(x, 0.5, ()), ())(&ivy::ones([64, 16], ()).unwrap()).unwrap();
    let rows = dropped.to_vec::<f32>().unwrap();
    assert!(rows.chunks(16).any(|row| row != &rows[..16]));
    let slopes = ivy::vmap(ivy::grad(|x: &Array| ivy::sum(ivy::dropout(x, 0.5, ())?, ())), ())(
        &ivy::ones([64, 16], ()).unwrap(),
    );
    let slopes = slopes.unwrap().to_vec::<f32>().unwrap();
    assert!(
        slopes.iter().all(|&x| x == 0.0 || x == 2.0) && slopes.chunks(16).any(|row| row != &slopes[..16])
    );
}

#[test]
fn uniform_numbers_move_with_their_bounds() {
    let drawn = |low: &Array, high: &Array| {
        ivy::random_uniform(low, high, ivy::RandomUniform::new().shape([4]).dtype(Dtype::FLOAT64).seed(3))
    };
    let unit = host(drawn(&a(0.0), &a(1.0)).unwrap());
    let of_high = host(ivy::jacobian(|high: &Array| drawn(&a(-1.0), high))(&a(2.0)).unwrap());
    let of_low = host(ivy::jacobian(|low: &Array| drawn(low, &a(2.0)))(&a(-1.0)).unwrap());
    close(of_high, &unit);
    close(of_low, &unit.iter().map(|u| 1.0 - u).collect::<Vec<_>>());
}

#[test]
fn d16_jacobians_choose_by_the_rules_that_there_are() {
    let cube = ivy::custom_vjp(
        |x: &Array| ivy::pow(x, 3.0),
        |x: &Array| Ok((ivy::pow(x, 3.0)?, x.clone())),
        |x: &Array, c: &Array| ivy::multiply(c, ivy::multiply(ivy::square(x)?, 3.0)?),
    );
    let twice = |x: &Array| ivy::stack([&cube(x)?, &cube(x)?], ());
    let x = v(&[1.0, 2.0]);
    let wanted = [3.0, 0.0, 0.0, 12.0, 3.0, 0.0, 0.0, 12.0];
    close(host(ivy::jacobian(twice)(&x).unwrap()), &wanted);
    close(host(ivy::jacrev(twice)(&x).unwrap()), &wanted);
    assert!(matches!(ivy::jacfwd(twice)(&x).unwrap_err().kind(), ErrorKind::NotTransformable { .. }));
    let f = |x: &Array| ivy::multiply(x, ivy::flip(x, ())?);
    close(host(ivy::jacfwd(f)(&x).unwrap()), &[2.0, 1.0, 2.0, 1.0]);
    close(host(ivy::jacrev(f)(&x).unwrap()), &[2.0, 1.0, 2.0, 1.0]);
    let (y, along) = ivy::linearize(f, &x).unwrap();
    close(host(y), &[2.0, 2.0]);
    close(host(along.call(&v(&[1.0, 0.0])).unwrap()), &[2.0, 2.0]);
    let again = ivy::checkpoint(move |x: &Array| ivy::multiply(x, ivy::flip(x, ())?));
    close(host(ivy::linearize(again, &x).unwrap().1.call(&v(&[0.0, 1.0])).unwrap()), &[1.0, 1.0]);
    let (value, back, aux) = ivy::vjp_with_aux(|x: &Array| Ok((f(x)?, ivy::sum(x, ())?)), &x).unwrap();
    close(host(value), &[2.0, 2.0]);
    close(host(aux), &[3.0]);
    close(host(back.call(&v(&[1.0, 0.0])).unwrap()), &[2.0, 1.0]);
}

#[test]
fn d16_scans_stack_and_differentiate() {
    let step = |sum: &Array, x: &Array| {
        let next = ivy::multiply(sum, x)?;
        Ok((next.clone(), ivy::square(next)?))
    };
    let (last, all) = ivy::scan(step, a(1.0), &v(&[2.0, 3.0]), ()).unwrap();
    close(host(last), &[6.0]);
    close(host(all), &[4.0, 36.0]);
    let total = |x: &Array| ivy::sum(ivy::scan(step, a(1.0), x, ())?.1, ());
    close(first(total, &v(&[2.0, 3.0])), &[4.0 + 36.0, 24.0]);
    let none = ivy::scan(step, a(1.0), &ivy::zeros([0], Dtype::FLOAT64).unwrap(), ()).unwrap();
    assert_eq!((none.0.item::<f64>().unwrap(), none.1.shape().to_vec()), (1.0, vec![0]));
    let counted = |n: &Array, (): &()| Ok((ivy::add(n, 1.0)?, n.clone()));
    let (_, numbers) = ivy::scan(counted, a(0.0), &(), Scan::new().length(3)).unwrap();
    close(host(numbers), &[0.0, 1.0, 2.0]);
    let told = ivy::scan(counted, a(0.0), &(), ()).map(|_| ()).unwrap_err().to_string();
    assert!(told.contains("length"), "{told}");
    let grows = |sum: &Array, x: &Array| Ok((ivy::stack([sum, x], ())?, x.clone()));
    let told = ivy::scan(grows, a(0.0), &v(&[1.0]), ()).map(|_| ()).unwrap_err();
    assert!(matches!(told.kind(), ErrorKind::VariableChanged { .. }), "{told}");
}

#[test]
fn rules_that_make_nothing_of_tangents_have_the_derivative_zero() {
    let steps = ivy::custom_jvp(
        |x: &Array| ivy::floor(x),
        |x: &Array, _: &Array| Ok((ivy::floor(x)?, ivy::zeros_like(x, ())?)),
    );
    let x = v(&[1.5, -0.5]);
    close(host(ivy::jvp(&steps, &x, &v(&[1.0, 1.0])).unwrap().1), &[0.0, 0.0]);
    close(first(&steps, &x), &[0.0, 0.0]);
    let within = |x: &Array| ivy::multiply(steps(x)?, ivy::square(x)?);
    close(first(within, &x), &[3.0, 1.0]);
    // Of a pseudoinverse by its tolerance.
    let matrix = Array::try_from([[2.0f64, 0.0], [0.0, 1.0]]).unwrap();
    let by_tolerance = |rtol: &Array| ivy::linalg::pinv(&matrix, ivy::linalg::Rtol::new().rtol(rtol));
    close(first(by_tolerance, &a(1e-3)), &[0.0]);
}
