//! Faults of derivatives and of `vmap` that comparing with JAX and PyTorch found, by their numbers (docs/derivatives.md),
//! with the right values: first and second derivatives at kinks, zeros and edges.

use ivy::prelude::*;
use ivy::{
    BatchNorm, CrossEntropy, ErrorKind, HuberLoss, InplaceUpdate, Reduction, Result, Scan, ScatterFlat, Vmap,
    linalg, s,
};
use std::f64::consts::PI;

fn a(value: f64) -> Array {
    Array::from_vec(vec![value], []).unwrap()
}

fn v(values: &[f64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

fn host(x: Array) -> Vec<f64> {
    x.to_vec::<f64>().unwrap()
}

#[track_caller]
fn close(found: Vec<f64>, wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{found:?}, not {wanted:?}");
    for (x, y) in found.iter().zip(wanted) {
        let same = (x - y).abs() <= 1e-9 * (1.0 + y.abs()) || x == y || x.is_nan() && y.is_nan();
        assert!(same, "{found:?}, not {wanted:?}");
    }
}

/// The first derivative of a function of numbers, summed.
fn first(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Vec<f64> {
    host(ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(x).unwrap())
}

fn second(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Vec<f64> {
    let once = ivy::grad(|x: &Array| ivy::sum(f(x)?, ()));
    let twice = host(ivy::grad(|x: &Array| ivy::sum(once(x)?, ()))(x).unwrap());
    // Forward over reverse says the same.
    let ones = ivy::ones_like(x, ()).unwrap();
    let along = host(ivy::jvp(&once, x, &ones).unwrap().1);
    close(vec![along.iter().sum()], &[twice.iter().sum()]);
    twice
}

#[test]
fn d1_constants_meet_traced_arrays_in_indices() {
    let table = v(&[1.0, 2.0, 4.0]);
    let at = |i: &Array| table.get(s![i]);
    let found = ivy::vmap(at, ())(&Array::try_from([2i64, 0]).unwrap()).unwrap();
    close(host(found), &[4.0, 1.0]);
    // A traced array by a constant index, and a constant by an index that was made of a traced one.
    let index = Array::try_from([2i64, 2]).unwrap();
    close(first(|x| x.get(s![&index]), &table), &[0.0, 0.0, 2.0]);
    let by_order = |w: &Array| ivy::multiply(table.get(s![ivy::argsort(w, ())?])?, w);
    close(first(by_order, &v(&[3.0, 1.0, 2.0])), &[2.0, 4.0, 1.0]);
}

#[test]
fn d1_constants_take_traced_values() {
    let written = |value: &Array| {
        let mut y = ivy::zeros([3], Dtype::FLOAT64)?;
        y.set(s![1], value)?;
        Ok(y)
    };
    close(first(written, &a(2.0)), &[1.0]);
    close(host(ivy::jacobian(written)(&a(2.0)).unwrap()), &[0.0, 1.0, 0.0]);
    let each = ivy::vmap(written, ())(&v(&[5.0, 6.0])).unwrap();
    close(host(each), &[0.0, 5.0, 0.0, 0.0, 6.0, 0.0]);
    let mask = Array::try_from([true, false, true]).unwrap();
    let masked = |value: &Array| {
        let mut y = v(&[1.0, 2.0, 3.0]);
        y.set(s![&mask], value)?;
        Ok(y)
    };
    close(first(masked, &a(7.0)), &[2.0]);
    close(host(ivy::vmap(masked, ())(&v(&[8.0, 9.0])).unwrap()), &[8.0, 2.0, 8.0, 9.0, 2.0, 9.0]);
    // A mask of each entry.
    let by_mask = |x: &Array| {
        let mut y = v(&[1.0, 2.0]);
        y.set(s![ivy::greater(x, 0.0)?], -1.0)?;
        Ok(y)
    };
    let x = Array::try_from([[1.0f64, -1.0], [-1.0, 1.0]]).unwrap();
    close(host(ivy::vmap(by_mask, ())(&x).unwrap()), &[-1.0, 2.0, 1.0, -1.0]);
    let updated = |x: &Array| ivy::inplace_update(&ivy::zeros([], Dtype::FLOAT64)?, x, InplaceUpdate::new());
    close(first(updated, &a(2.0)), &[1.0]);
    let out = |x: &Array| {
        let mut y = ivy::zeros([], Dtype::FLOAT64)?;
        ivy::out(&mut y, ivy::multiply(x, 3.0))?;
        Ok(y)
    };
    close(first(out, &a(2.0)), &[3.0]);
}

#[test]
fn d1_constants_begin_loops_and_choose_branches() {
    let power = |x: &Array| ivy::for_loop(0..3, |_, y: &Array| ivy::multiply(y, x), a(1.0));
    close(first(power, &a(2.0)), &[12.0]);
    close(second(power, &a(2.0)), &[12.0]);
    close(host(ivy::jvp(power, &a(2.0), &a(1.0)).unwrap().1), &[12.0]);
    close(host(ivy::vmap(power, ())(&v(&[2.0, 3.0])).unwrap()), &[8.0, 27.0]);
    let doubled = |x: &Array| {
        let all = ivy::while_loop(
            |[y, _]: &[Array; 2]| ivy::less(y, 100.0),
            |[y, n]| Ok([ivy::multiply(y, x)?, ivy::add(n, 1.0)?]),
            [a(1.0), a(0.0)],
        )?;
        let [y, n] = all;
        ivy::add(y, n)
    };
    close(host(ivy::vmap(doubled, ())(&v(&[2.0, 10.0])).unwrap()), &[135.0, 102.0]);
    close(first(doubled, &a(2.0)), &[7.0 * 64.0]);
    let chosen = |x: &Array| {
        let index = ivy::asarray(0i64, ())?;
        ivy::switch(&index, &[&|x: &Array| ivy::sin(x), &|x: &Array| ivy::cos(x)], x.clone())
    };
    close(first(chosen, &a(0.0)), &[1.0]);
    let captured =
        |x: &Array| ivy::if_else(|c| ivy::greater(c, 0.0), |_| ivy::square(x), |_| Ok(x.clone()), a(1.0));
    close(first(captured, &a(3.0)), &[6.0]);
    // Nests.
    let each = ivy::vmap(|x: &Array| ivy::grad(power)(x), ());
    close(host(each(&v(&[1.0, 2.0])).unwrap()), &[3.0, 12.0]);
    let of_sum =
        |x: &Array| ivy::sum(ivy::vmap(|i: &Array| x.get(s![i]), ())(&Array::try_from([1i64, 1])?)?, ());
    close(first(of_sum, &v(&[1.0, 2.0])), &[0.0, 2.0]);
}

#[test]
fn d1_an_array_that_was_kept_is_named_as_one() {
    let kept = std::cell::RefCell::new(None);
    ivy::grad(|x: &Array| {
        *kept.borrow_mut() = Some(x.clone());
        ivy::square(x)
    })(&a(1.0))
    .unwrap();
    let kept = kept.into_inner().unwrap();
    let mapped = ivy::vmap(|x: &Array| ivy::add(x, &kept), ())(&v(&[1.0, 2.0]));
    let told = mapped.unwrap_err().to_string();
    assert!(
        told.contains("another call of a transformed function")
            || told.contains("another call of a differentiated"),
        "{told}"
    );
}

#[test]
fn d2_what_is_read_is_no_silent_constant() {
    type Reads = fn(&Array) -> Result<Array>;
    let reads: [(&str, Reads); 4] = [
        ("item", |x| ivy::asarray(x.item::<f64>()?, ())),
        ("to_vec", |x| Array::from_vec(x.to_vec::<f64>()?, 1)),
        ("to_scalar", |x| ivy::asarray(x.to_scalar()?, ())),
        ("to_host", |x| Array::from_host(x.backend(), x.to_host()?)),
    ];
    for (name, f) in reads {
        let error = ivy::grad(f)(&a(1.0)).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::TracedRead { function, .. } if *function == name),
            "{name}: {error}"
        );
        assert!(error.to_string().contains("stop_gradient"), "{error}");
        assert!(ivy::jvp(f, &a(1.0), &a(1.0)).is_err(), "{name}");
        let constant = |x: &Array| ivy::multiply(x, f(&ivy::stop_gradient(x)?)?);
        assert!(ivy::grad(|x: &Array| ivy::sum(constant(x)?, ()))(&a(1.0)).is_ok(), "{name}");
    }
    // Decisions on values are no part of a derivative.
    let absolute =
        |x: &Array| if ivy::less(x, 0.0)?.item::<bool>()? { ivy::negative(x) } else { Ok(x.clone()) };
    close(first(absolute, &a(-2.0)), &[-1.0]);
}

#[test]
fn d2_numbers_of_formulas_have_derivatives() {
    type Function = fn(&Array) -> Result<Array>;
    let functions: [(&str, f64, Function); 20] = [
        ("leaky_relu", 0.5, |p| ivy::leaky_relu(a(-2.0), ivy::LeakyRelu::new().alpha(p))),
        ("elu", 0.7, |p| ivy::elu(a(-0.5), ivy::Elu::new().alpha(p))),
        ("celu", 0.7, |p| ivy::celu(a(-0.5), ivy::Celu::new().alpha(p))),
        ("softplus", 1.5, |p| ivy::softplus(a(0.4), ivy::Softplus::new().beta(p))),
        ("scaled_tanh", 1.2, |p| ivy::scaled_tanh(a(0.3), ivy::ScaledTanh::new().alpha(p).beta(p))),
        ("hardtanh", 1.5, |p| ivy::hardtanh(a(2.0), ivy::HardTanh::new().max_val(p))),
        ("threshold", 0.25, |p| ivy::threshold(a(-1.0), 0.0, p)),
        ("softshrink", 0.5, |p| ivy::softshrink(a(2.0), ivy::SoftShrink::new().lambd(p))),
        ("logit", 0.1, |p| ivy::logit(a(0.01), ivy::Logit::new().eps(p))),
        ("nan_to_num", 3.0, |p| ivy::nan_to_num(a(f64::NAN), ivy::NanToNum::new().nan(p))),
        ("huber_loss", 0.5, |p| ivy::huber_loss(a(0.0), a(2.0), HuberLoss::new().delta(p))),
        ("smooth_l1_loss", 0.5, |p| ivy::smooth_l1_loss(a(0.0), a(0.2), ivy::SmoothL1Loss::new().beta(p))),
        ("cross_entropy", 0.1, |p| {
            let keywords = CrossEntropy::new().from_logits().label_smoothing(p);
            ivy::cross_entropy(v(&[0.0, 1.0]), v(&[0.3, -0.6]), keywords)
        }),
        ("binary_cross_entropy", 0.1, |p| {
            ivy::binary_cross_entropy(a(1.0), a(0.3), ivy::BinaryCrossEntropy::new().from_logits().epsilon(p))
        }),
        ("poisson_nll_loss", 0.1, |p| {
            let keywords = ivy::PoissonNllLoss::new().log_input(false).eps(p);
            ivy::poisson_nll_loss(a(0.4), a(2.0), keywords)
        }),
        ("hinge_embedding_loss", 1.5, |p| {
            ivy::hinge_embedding_loss(a(0.25), a(-1.0), ivy::HingeEmbeddingLoss::new().margin(p))
        }),
        ("batch_norm", 0.3, |p| {
            let x = Array::try_from([[1.0f64], [4.0]])?;
            let y = ivy::batch_norm(&x, v(&[1.0]), v(&[2.0]), BatchNorm::new().training().momentum(p))?;
            ivy::sum(ivy::add(y.running_mean, y.running_var)?, ())
        }),
        ("local_response_norm", 0.6, |p| {
            let x = Array::try_from([[1.0f64, 2.0, 3.0]])?;
            let format = ivy::DataFormat::ChannelLast;
            let keywords = ivy::LocalResponseNorm::new().alpha(p).beta(p).bias(p).data_format(format);
            ivy::sum(ivy::local_response_norm(&x, 2, keywords)?, ())
        }),
        ("clip_vector_norm", 2.0, |p| ivy::sum(ivy::clip_vector_norm(v(&[3.0, 4.0]), p, ())?, ())),
        ("scaled_dot_product_attention", 0.5, |p| {
            let q = Array::try_from([[1.0f64, 0.5], [-0.3, 2.0]])?;
            ivy::sum(
                ivy::square(ivy::scaled_dot_product_attention(&q, &q, &q, ivy::Attention::new().scale(p))?)?,
                (),
            )
        }),
    ];
    for (name, at, f) in functions {
        let (low, high, step) = (f(&a(at - 1e-5)), f(&a(at + 1e-5)), 2e-5);
        let value = |x: Result<Array>| x.unwrap_or_else(|e| panic!("{name}: {e}")).item::<f64>().unwrap();
        let wanted = (value(high) - value(low)) / step;
        let found = first(f, &a(at))[0];
        assert!((found - wanted).abs() < 1e-5 * (1.0 + wanted.abs()), "{name}: {found}, not {wanted}");
        assert!(found != 0.0, "{name}");
        // Each entry of a batch has its own.
        let each = host(ivy::vmap(f, ())(&v(&[at, at * 1.1])).unwrap_or_else(|e| panic!("{name}: {e}")));
        close(each, &[value(f(&a(at))), value(f(&a(at * 1.1)))]);
    }
}

#[test]
fn d3_branches_that_are_not_taken_leak_nothing() {
    let root =
        |x: &Array| ivy::if_else(|x| ivy::less(x, 0.0), |x| ivy::negative(x), |x| ivy::sqrt(x), x.clone());
    close(first(root, &a(-1.2)), &[-1.0]);
    close(first(root, &v(&[-1.2, 4.0])), &[-1.0, 0.25]);
    close(second(root, &v(&[-1.2, 4.0])), &[0.0, -0.25 / 8.0]);
    close(host(ivy::jvp(root, &v(&[-1.2, 4.0]), &v(&[1.0, 1.0])).unwrap().1), &[-1.0, 0.25]);
    let each = ivy::vmap(|x: &Array| ivy::grad(root)(x), ());
    close(host(each(&v(&[-1.2, 4.0])).unwrap()), &[-1.0, 0.25]);
    let stepped = |x: &Array| {
        let body = |x: &Array| ivy::subtract(ivy::sqrt(x)?, 0.3);
        ivy::while_loop(|x| ivy::greater(x, 0.1), body, x.clone())
    };
    let found = first(stepped, &v(&[-1.0, 2.0]));
    assert!(found[0] == 1.0 && (found[1] - 0.047).abs() < 1e-3, "{found:?}");
    let chosen = |x: &Array| {
        let index = Array::try_from([0i64, 1])?;
        ivy::switch(&index, &[&|x: &Array| ivy::negative(x), &|x: &Array| ivy::log(x)], x.clone())
    };
    close(first(chosen, &v(&[-2.0, 4.0])), &[-1.0, 0.25]);
    // The pattern of docs/derivatives.md for `where`; without it, as in JAX.
    let safe = |x: &Array| {
        let positive = ivy::greater(x, 0.0)?;
        ivy::where_(&positive, ivy::log(ivy::where_(&positive, x, 1.0)?)?, 0.0)
    };
    close(first(safe, &v(&[0.0, 2.0])), &[0.0, 0.5]);
    let unsafe_ = |x: &Array| ivy::where_(ivy::greater(x, 0.0)?, ivy::log(x)?, 0.0);
    close(first(unsafe_, &a(0.0)), &[f64::NAN]);
    close(first(|x| ivy::maximum(ivy::sqrt(x)?, 1e-3), &a(0.0)), &[f64::NAN]);
}

#[test]
fn d4_what_is_nan_has_no_part_in_a_variance() {
    let x = v(&[1.0, f64::NAN, 3.0]);
    close(first(|x| ivy::nanvar(x, ()), &x), &[-1.0, 0.0, 1.0]);
    close(second(|x| ivy::nanvar(x, ()), &x), &[0.0, 0.0, 0.0]);
    close(first(|x| ivy::nanstd(x, ()), &x), &[-0.5, 0.0, 0.5]);
    let hessian = ivy::hessian(|x: &Array| ivy::nanvar(x, ()))(&x).unwrap();
    close(host(hessian), &[0.5, 0.0, -0.5, 0.0, 0.0, 0.0, -0.5, 0.0, 0.5]);
}

fn scattered(places: &[i64], updates: &Array, out: Option<&Array>, how: Reduction) -> Result<Array> {
    let indices = Array::from_vec(places.to_vec(), places.len())?;
    let keywords = ScatterFlat::new().reduction(how);
    match out {
        Some(out) => ivy::scatter_flat(&indices, updates, keywords.out(out)),
        None => ivy::scatter_flat(&indices, updates, keywords.size(1usize)),
    }
}

#[test]
fn d5_scatters_of_extremes_differentiate_by_one_operand() {
    let greatest = |u: &Array| scattered(&[0, 0], u, None, Reduction::Max);
    close(first(greatest, &v(&[1.0, 2.0])), &[0.0, 1.0]);
    close(second(greatest, &v(&[1.0, 2.0])), &[0.0, 0.0]);
    let into = |x: &Array| scattered(&[0, 0], &v(&[1.0, 2.0]), Some(x), Reduction::Min);
    close(first(into, &v(&[0.5])), &[1.0]);
    close(first(into, &v(&[5.0])), &[0.0]);
    let segments = |x: &Array| ivy::unsorted_segment_min(x, Array::try_from([0i64, 0, 1])?, 2);
    close(first(segments, &v(&[3.0, 1.0, 7.0])), &[0.0, 1.0, 1.0]);
}

#[test]
fn d6_a_product_with_an_update_of_zero_has_its_derivatives() {
    let times = |u: &Array| scattered(&[0], u, Some(&v(&[3.0])), Reduction::Mul);
    close(first(times, &v(&[0.0])), &[3.0]);
    let several = |u: &Array| scattered(&[0, 0, 0], u, Some(&v(&[3.0])), Reduction::Mul);
    close(first(several, &v(&[0.0, 2.0, 5.0])), &[30.0, 0.0, 0.0]);
    close(first(several, &v(&[0.0, 0.0, 5.0])), &[0.0, 0.0, 0.0]);
    // 3 u v w: the mixed second derivatives.
    let hessian = |x: &[f64]| host(ivy::hessian(|u: &Array| ivy::sum(several(u)?, ()))(&v(x)).unwrap());
    close(hessian(&[0.0, 2.0, 5.0]), &[0.0, 15.0, 6.0, 15.0, 0.0, 0.0, 6.0, 0.0, 0.0]);
    close(hessian(&[0.0, 0.0, 5.0]), &[0.0, 15.0, 0.0, 15.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    close(hessian(&[1.0, 2.0, 5.0]), &[0.0, 15.0, 6.0, 15.0, 0.0, 3.0, 6.0, 3.0, 0.0]);
    let of_x = |x: &Array| scattered(&[0], &v(&[0.0]), Some(x), Reduction::Mul);
    close(first(of_x, &v(&[3.0])), &[0.0]);
}

#[test]
fn d7_a_power_at_exponent_zero_has_a_symmetric_hessian() {
    let f = |x: &Array| ivy::pow(x.get(s![0])?, x.get(s![1])?);
    let hessian = |base: f64, exponent: f64| host(ivy::hessian(f)(&v(&[base, exponent])).unwrap());
    let l = 2f64.ln();
    close(hessian(2.0, 0.0), &[0.0, 0.5, 0.5, l * l]);
    close(hessian(2.0, 1.0), &[0.0, 1.0 + l, 1.0 + l, 2.0 * l * l]);
    let of_base = |exponent: f64| move |x: &Array| ivy::pow(x, exponent);
    close(first(of_base(0.0), &a(0.0)), &[0.0]);
    close(first(of_base(2.0), &a(0.0)), &[0.0]);
    close(second(of_base(2.0), &a(0.0)), &[2.0]);
    close(first(of_base(0.0), &a(1e-310)), &[0.0]);
}

#[test]
fn d8_a_perfect_fit_has_curvature() {
    let huber = |x: &Array| ivy::huber_loss(a(0.0), x, ());
    close(first(huber, &a(0.0)), &[0.0]);
    close(second(huber, &a(0.0)), &[1.0]);
    close(first(huber, &a(f64::INFINITY)), &[1.0]);
    close(first(huber, &a(-3.0)), &[-1.0]);
    close(second(huber, &a(3.0)), &[0.0]);
    let smooth = |x: &Array| ivy::smooth_l1_loss(x, a(0.0), ivy::SmoothL1Loss::new().beta(0.5));
    close(second(smooth, &a(0.0)), &[2.0]);
    close(first(smooth, &a(0.25)), &[0.5]);
    close(first(smooth, &a(f64::NEG_INFINITY)), &[-1.0]);
    assert_eq!(huber(&a(1e300)).unwrap().item::<f64>().unwrap(), 1e300);
}

#[test]
fn d9_sinc_at_zero() {
    close(first(|x| ivy::sinc(x), &a(0.0)), &[0.0]);
    close(second(|x| ivy::sinc(x), &a(0.0)), &[-PI * PI / 3.0]);
    // Where the series ends both forms agree.
    let edge = 1.0 / 1024.0;
    for x in [edge * (1.0 - 1e-12), edge] {
        let z = PI * x;
        let wanted = (z.cos() - z.sin() / z) / x;
        assert!((first(|x| ivy::sinc(x), &a(x))[0] - wanted).abs() < 1e-10, "{x}");
        assert!((second(|x| ivy::sinc(x), &a(x))[0] + PI * PI / 3.0).abs() < 1e-4, "{x}");
    }
}

#[test]
fn d10_fmod_at_zero() {
    let rest = |x: &Array| ivy::fmod(x, 2.0);
    close(first(rest, &v(&[0.0, -0.0, 1.0, -3.0])), &[1.0, 1.0, 1.0, 1.0]);
    close(second(rest, &a(0.0)), &[0.0]);
    let divisor = |x: &Array| ivy::fmod(a(5.0), x);
    close(first(divisor, &a(2.0)), &[-2.0]);
    let zero = ivy::fmod(v(&[-0.0, 0.0]), 2.0).unwrap().to_vec::<f64>().unwrap();
    assert!(zero[0].is_sign_negative() && zero[1].is_sign_positive());
    assert!(ivy::fmod(a(0.0), 0.0).unwrap().item::<f64>().unwrap().is_nan());
}

#[test]
fn d11_edges() {
    close(first(|x| ivy::logit(x, ()), &v(&[0.0, 0.5, 1.0])), &[f64::INFINITY, 4.0, f64::INFINITY]);
    let values = host(ivy::logit(v(&[0.0, 0.5, 1.0, 2.0]), ()).unwrap());
    close(values, &[f64::NEG_INFINITY, 0.0, f64::INFINITY, f64::NAN]);
    close(first(|x| ivy::softshrink(x, ()), &v(&[0.5, -0.5, 0.0, 0.6])), &[0.0, 0.0, 0.0, 1.0]);
    let by = |x: f64| move |b: &Array| ivy::remainder(a(x), b);
    close(first(by(1.0), &a(f64::NEG_INFINITY)), &[1.0]);
    close(first(by(1.0), &a(f64::INFINITY)), &[0.0]);
    close(first(by(-1.0), &a(f64::INFINITY)), &[1.0]);
    close(first(by(5.0), &a(3.0)), &[-1.0]);
}

#[test]
fn d12_decompositions_of_other_shapes() {
    let wide = Array::try_from([[2.0f64, 1.0, 0.5], [-1.0, 3.0, 4.0]]).unwrap();
    let direction = Array::try_from([[0.3f64, -0.2, 0.1], [0.5, 0.7, -0.4]]).unwrap();
    type Function = fn(&Array) -> Result<Array>;
    let functions: [(&str, Function, &Array); 3] = [
        ("q", |x| Ok(linalg::qr(x, ())?.q), &wide),
        ("r", |x| Ok(linalg::qr(x, ())?.r), &wide),
        (
            "lu",
            |x| {
                let square = ivy::matmul(x, ivy::matrix_transpose(x)?)?;
                Ok(ivy::lu_factor(square)?.lu)
            },
            &wide,
        ),
    ];
    for (name, f, x) in functions {
        let at =
            |step: f64| host(f(&ivy::add(x, ivy::multiply(&direction, step).unwrap()).unwrap()).unwrap());
        let (before, after, step) = (at(-1e-6), at(1e-6), 2e-6);
        let wanted: Vec<f64> = after.iter().zip(&before).map(|(b, a)| (b - a) / step).collect();
        let found = host(ivy::jvp(f, x, &direction).unwrap().1);
        for (x, y) in found.iter().zip(&wanted) {
            assert!((x - y).abs() < 1e-7, "{name}: {found:?}, not {wanted:?}");
        }
        let total = |x: &Array| ivy::sum(ivy::square(f(x)?)?, ());
        let gradient = ivy::grad(total)(x).unwrap();
        let along: f64 = host(ivy::multiply(gradient, &direction).unwrap()).iter().sum();
        let forward = host(ivy::jvp(total, x, &direction).unwrap().1)[0];
        assert!((along - forward).abs() < 1e-9, "{name}");
    }
    let solved = |x: &Array| {
        let b = v(&[1.0, -2.0]);
        let factors = ivy::lu_factor(x)?;
        ivy::sum(ivy::lu_solve(&factors.lu, &factors.p, &b)?, ())
    };
    let square = Array::try_from([[2.0f64, 1.0], [5.0, 3.0]]).unwrap();
    let wanted = ivy::grad(|x: &Array| ivy::sum(linalg::solve(x, v(&[1.0, -2.0]))?, ()))(&square).unwrap();
    close(host(ivy::grad(solved)(&square).unwrap()), &host(wanted));
}

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
fn conventions_are_those_of_the_page() {
    // Gradients of what reads one triangle are Hermitian.
    let definite = Array::try_from([[4.0f64, 1.0], [1.0, 3.0]]).unwrap();
    let of =
        |f: fn(&Array) -> Result<Array>| host(ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(&definite).unwrap());
    for gradient in [
        of(|x| linalg::cholesky(x, ())),
        of(|x| linalg::eigvalsh(x)),
        of(|x| Ok(linalg::eigh(x)?.eigenvectors)),
    ] {
        assert!((gradient[1] - gradient[2]).abs() < 1e-12, "{gradient:?}");
    }
    // The first of equal elements of a window, in row-major order.
    let zeros = ivy::zeros([1, 2, 2, 1], Dtype::FLOAT64).unwrap();
    for strides in [1, 2] {
        let pooled = |x: &Array| ivy::max_pool2d(x, 2, strides, ivy::Padding::Valid, ());
        close(first(pooled, &zeros), &[1.0, 0.0, 0.0, 0.0]);
    }
    let tied = Array::from_vec(vec![0.0f64, 1.0, 1.0, 0.0], [1, 2, 2, 1]).unwrap();
    close(first(|x| ivy::max_pool2d(x, 2, 1, ivy::Padding::Valid, ()), &tied), &[0.0, 1.0, 0.0, 0.0]);
    // The first of equal elements so far, which the indices name.
    close(first(|x| Ok(ivy::cummax(x, ())?.values), &v(&[1.0, 1.0, 0.0])), &[3.0, 0.0, 0.0]);
    // A query that sees no key.
    let q = Array::try_from([[1.0f64, 0.0], [0.0, 1.0]]).unwrap();
    let mask = Array::try_from([[false, false], [true, false]]).unwrap();
    let attended =
        |x: &Array| ivy::scaled_dot_product_attention(x, &q, &q, ivy::Attention::new().mask(&mask));
    close(host(attended(&q).unwrap()), &[0.0, 0.0, 1.0, 0.0]);
    close(first(attended, &q), &[0.0; 4]);
    let hidden = ivy::logical_not(&mask).unwrap();
    let heads = |x: &Array| {
        let keywords =
            ivy::MultiHeadAttention::new().num_heads(1usize).key(&q).value(&q).attention_mask(&hidden);
        Ok(ivy::multi_head_attention(x, keywords)?.output)
    };
    close(host(heads(&q).unwrap()), &[0.0, 0.0, 1.0, 0.0]);
    close(first(heads, &q), &[0.0; 4]);
}
