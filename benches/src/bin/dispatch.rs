//! What a call costs over the backend's own call, and a promotion look-up.

use ivy::prelude::*;
use ivy_benches::{compare, uniform};
use std::hint::black_box;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:<34} {:>10} {:>10} {:>12}", "", "own, ns", "ours, ns", "difference");
    for n in [1usize, 1000, 1 << 20] {
        let (a, b) = (uniform(n, 1), uniform(n, 2));
        let own_a = ivy::ndarray::ndarray::ArrayD::from_shape_vec(vec![n], a.clone())?;
        let own_b = ivy::ndarray::ndarray::ArrayD::from_shape_vec(vec![n], b.clone())?;
        let (x, y) = ivy::with_backend("ndarray", || {
            Ok::<_, ivy::Error>((Array::from_vec(a.clone(), n)?, Array::from_vec(b.clone(), n)?))
        })??;
        let r = compare(21, || &own_a + &own_b, || ivy::add(&x, &y));
        println!(
            "{:<34} {:>10.1} {:>10.1} {:>12.1}",
            format!("add {n}, ndarray"),
            r.own,
            r.ours,
            r.difference
        );

        let device = ivy::candle::candle_core::Device::Cpu;
        let own_a = ivy::candle::candle_core::Tensor::from_vec(a.clone(), n, &device)?;
        let own_b = ivy::candle::candle_core::Tensor::from_vec(b.clone(), n, &device)?;
        let (x, y) = ivy::with_backend("candle", || {
            Ok::<_, ivy::Error>((Array::from_vec(a, n)?, Array::from_vec(b, n)?))
        })??;
        let r = compare(21, || own_a.add(&own_b), || ivy::add(&x, &y));
        println!(
            "{:<34} {:>10.1} {:>10.1} {:>12.1}",
            format!("add {n}, candle"),
            r.own,
            r.ours,
            r.difference
        );
    }
    rule_sets()?;
    frontends()?;
    #[cfg(feature = "torch")]
    torch()?;
    let (a, b) = (black_box(Dtype::FLOAT32), black_box(Dtype::INT32));
    let r = compare(21, || 0, || black_box(Rules::Precise).lookup(black_box(a), black_box(b)));
    println!("{:<34} {:>10.1} {:>10.1} {:>12.1}", "promotion look-up", r.own, r.ours, r.difference);
    Ok(())
}

/// What a call costs under each set of rules, beside the same under the precise ones.
fn rule_sets() -> ivy::Result<()> {
    let (x, y) = (Array::from_vec(uniform(1, 1), 1)?, Array::from_vec(uniform(1, 2), 1)?);
    for rules in Rules::ALL {
        let under = Context::new().rules(rules);
        let r = ivy::context::with(&under, || {
            // Both inside a scope, so that what differs is the set alone.
            let precise = Context::new().rules(Rules::Precise);
            compare(
                21,
                || ivy::context::with(&precise, || ivy::add(&x, &y)),
                || ivy::context::with(&under, || ivy::add(&x, &y)),
            )
        });
        println!("{:<34} {:>10.1} {:>10.1} {:>12.1}", format!("add 1, {rules}"), r.own, r.ours, r.difference);
    }
    Ok(())
}

/// What a frontend's call costs over the core's.
fn frontends() -> ivy::Result<()> {
    use ivy::frontends::{numpy, torch};
    let (x, y) = (Array::from_vec(uniform(1, 1), 1)?, Array::from_vec(uniform(1, 2), 1)?);
    let print = |name: &str, r: ivy_benches::Paired| {
        println!("{name:<34} {:>10.1} {:>10.1} {:>12.1}", r.own, r.ours, r.difference);
    };
    print("add 1, numpy over core", compare(21, || ivy::add(&x, &y), || numpy::add(&x, &y, ())));
    print("add 1, torch over core", compare(21, || ivy::add(&x, &y), || torch::add(&x, &y, ())));
    let (a, b) = (torch::Tensor::from(x.clone()), torch::Tensor::from(y.clone()));
    print("a + b, torch over core", compare(21, || (&x + &y).ok(), || (&a + &b).ok()));
    // What the graph of `backward` adds: to tensors that require gradients, and to recorded operations.
    let (p, q) = (torch::autograd::require_grad(&x)?, torch::autograd::require_grad(&y)?);
    let unrecorded = || torch::autograd::no_grad(|| torch::add(&p, &q, ()));
    print("add 1, no_grad over torch", compare(21, || torch::add(&x, &y, ()), unrecorded));
    print("add 1, recorded over torch", compare(21, || torch::add(&x, &y, ()), || torch::add(&p, &q, ())));
    print(
        "multiply 1, recorded over torch",
        compare(21, || torch::mul(&x, &y, ()), || torch::mul(&p, &q, ())),
    );
    Ok(())
}

/// libtorch's own calls, small and large.
#[cfg(feature = "torch")]
fn torch() -> ivy::Result<()> {
    use ivy::torch::{from_torch, tch::Tensor};
    let print = |name: &str, r: ivy_benches::Paired| {
        println!("{name:<34} {:>10.1} {:>10.1} {:>12.1}", r.own, r.ours, r.difference);
    };
    let tensor = |n: usize, shape: &[i64], seed| {
        let flat = Tensor::f_from_slice(&uniform(n, seed)).expect("memory for the benchmark");
        let tensor = flat.f_reshape(shape).expect("a shape of as many elements");
        from_torch(tensor.shallow_clone()).map(|array| (tensor, array))
    };
    for n in [1usize, 1000, 1 << 20, 1 << 24] {
        let ((a, x), (b, y)) = (tensor(n, &[n as i64], 1)?, tensor(n, &[n as i64], 2)?);
        print(&format!("add {n}, torch"), compare(21, || a.f_add(&b), || ivy::add(&x, &y)));
    }
    let ((a, x), (b, y)) = (tensor(1 << 24, &[1 << 24], 1)?, tensor(1 << 24, &[1 << 24], 2)?);
    print("multiply 16 Mi, torch", compare(21, || a.f_mul(&b), || ivy::multiply(&x, &y)));
    print("exp 16 Mi, torch", compare(21, || a.f_exp(), || ivy::exp(&x)));
    print("tanh 16 Mi, torch", compare(21, || a.f_tanh(), || ivy::tanh(&x)));
    let ((a, x), (b, y)) = (tensor(1 << 20, &[1024, 1024], 1)?, tensor(1 << 20, &[1024, 1024], 2)?);
    print("matmul 1024 x 1024, torch", compare(21, || a.f_matmul(&b), || ivy::matmul(&x, &y)));
    Ok(())
}
