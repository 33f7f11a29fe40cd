//! D1 to D3: constants, numbers of formulas and branches.

use super::{a, close, first, host, second, v};
use ivy::prelude::*;
use ivy::{BatchNorm, CrossEntropy, ErrorKind, HuberLoss, InplaceUpdate, Result, linalg, s};

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
    let functions: [(&str, f64, Function); 29] = [
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
        ("lp_normalize", 2.5, |p| {
            ivy::sum(ivy::lp_normalize(v(&[3.0, 4.0]), ivy::LpNormalize::new().p(p))?, ())
        }),
        ("vector_norm", 2.5, |p| linalg::vector_norm(v(&[3.0, 0.0, 4.0]), linalg::VectorNorm::new().ord(p))),
        ("embedding", 2.5, |p| {
            let table = Array::try_from([[1.0f64, 0.0], [3.0, 4.0]])?;
            let rows = Array::try_from([1i64, 0])?;
            ivy::sum(ivy::embedding(&table, &rows, ivy::Embedding::new().max_norm(p))?, ())
        }),
        ("dropout", 0.3, |p| ivy::sum(ivy::dropout(v(&[1.0; 40]), p, ivy::Dropout::new().seed(3))?, ())),
        ("clip_vector_norm", 2.0, |p| ivy::sum(ivy::clip_vector_norm(v(&[3.0, 4.0]), p, ())?, ())),
        ("var", 1.0, |p| ivy::var(v(&[1.0, 2.0, 6.0]), ivy::Var::new().correction(p))),
        ("std", 0.5, |p| ivy::std(v(&[1.0, 2.0, 6.0]), ivy::Std::new().correction(p))),
        ("nanvar", 1.0, |p| ivy::nanvar(v(&[1.0, f64::NAN, 6.0, 2.0]), ivy::Var::new().correction(p))),
        ("nanstd", 0.5, |p| ivy::nanstd(v(&[1.0, f64::NAN, 6.0, 2.0]), ivy::Std::new().correction(p))),
        ("pad", 0.5, |p| {
            let padded = ivy::pad(v(&[1.0, 2.0]), (1, 2), ivy::Pad::new().constant_values(p))?;
            ivy::sum(ivy::square(padded)?, ())
        }),
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
fn d2_arrays_that_choose_divisors_and_borders() {
    // Whole and constant, they are as the numbers; by columns, and of small floats.
    let cast = |x: &Array, dtype| ivy::astype(x, dtype).unwrap();
    let x = cast(&Array::try_from([[1.0f32, 2.0], [3.0, 6.0]]).unwrap(), Dtype::FLOAT16);
    let along = |correction: ivy::function::Coefficient| {
        ivy::var(&x, ivy::Var::new().axis(0).keepdims().correction(correction))
    };
    let by_number = along(1.0.into()).unwrap();
    let mapped = ivy::vmap(|c: &Array| along(c.into()), ())(&v(&[1.0])).unwrap();
    assert_eq!((mapped.dtype(), &mapped.shape()[..]), (Dtype::FLOAT16, &[1, 1, 2][..]));
    close(host(cast(&mapped, Dtype::FLOAT64)), &host(cast(&by_number, Dtype::FLOAT64)));
    // A divisor of nothing.
    let nothing = |c: &Array| ivy::var(v(&[1.0, 3.0]), ivy::Var::new().correction(c));
    assert_eq!(host(ivy::vmap(nothing, ())(&v(&[2.0, 5.0])).unwrap()), [f64::INFINITY; 2]);
    let empty = |c: &Array| ivy::var(v(&[]), ivy::Var::new().correction(c));
    assert!(host(ivy::vmap(empty, ())(&v(&[0.0, 1.0])).unwrap()).iter().all(|x| x.is_nan()));
    // Constant borders in arrays are checked as numbers are, and keep the dtype.
    let small = Array::try_from([1i8]).unwrap();
    let around = |value: i32| {
        ivy::pad(&small, 1, ivy::Pad::new().constant_values(ivy::asarray(value, Dtype::INT32).unwrap()))
    };
    assert_eq!(around(7).unwrap().to_vec::<i8>().unwrap(), [7, 1, 7]);
    assert!(matches!(around(300).unwrap_err().kind(), ErrorKind::ScalarOutOfRange { .. }));
    let framed = |value: &Array| {
        ivy::pad(ivy::ones([1, 1], Dtype::FLOAT64)?, [(0, 1), (1, 0)], ivy::Pad::new().constant_values(value))
    };
    close(host(ivy::vmap(framed, ())(&v(&[2.0, 3.0])).unwrap()), &[2.0, 1.0, 2.0, 2.0, 3.0, 1.0, 3.0, 3.0]);
    // Nothing stays at probability 1, whatever it would be divided by.
    let dropped = |p: &Array| ivy::sum(ivy::dropout(v(&[1.0; 4]), p, ivy::Dropout::new().seed(1))?, ());
    close(first(dropped, &a(1.0)), &[0.0]);
}

#[test]
fn d2_numbers_in_arrays_are_checked_as_numbers_are() {
    type Function = fn(&Array) -> Result<Array>;
    let functions: [(&str, &str, f64, Function); 7] = [
        ("softplus", "beta", -1.0, |p| ivy::softplus(a(0.5), ivy::Softplus::new().beta(p))),
        ("huber_loss", "delta", 0.0, |p| ivy::huber_loss(a(0.5), a(0.5), HuberLoss::new().delta(p))),
        ("lp_normalize", "p", -2.0, |p| ivy::lp_normalize(v(&[0.5]), ivy::LpNormalize::new().p(p))),
        ("elu", "alpha", f64::INFINITY, |p| ivy::elu(a(0.5), ivy::Elu::new().alpha(p))),
        ("dropout", "prob", 1.5, |p| ivy::dropout(a(0.5), p, ())),
        ("vector_norm", "ord", f64::NAN, |p| linalg::vector_norm(a(0.5), linalg::VectorNorm::new().ord(p))),
        ("softshrink", "lambd", -0.5, |p| ivy::softshrink(a(0.5), ivy::SoftShrink::new().lambd(p))),
    ];
    for (name, parameter, wrong, f) in functions {
        let refused = |found: Result<Array>| {
            let error = found.map(|_| ()).expect_err(name);
            let named = matches!(error.kind(), ErrorKind::InvalidArgument { function, argument, .. }
                if *function == name && *argument == parameter);
            assert!(named, "{name}: {error}");
        };
        refused(f(&a(wrong)));
        refused(ivy::grad(f)(&a(wrong)));
        refused(ivy::vmap(f, ())(&v(&[0.25, wrong])));
        assert!(f(&a(0.25)).is_ok(), "{name}");
    }
    // Integers take whole bounds, in arrays too.
    let x = Array::try_from([-3i32, 0, 9]).unwrap();
    let bounds = ivy::HardTanh::new().max_val(a(4.0));
    assert_eq!(ivy::hardtanh(&x, bounds).unwrap().to_vec::<i32>().unwrap(), [-1, 0, 4]);
    assert!(ivy::hardtanh(&x, ivy::HardTanh::new().max_val(a(4.5))).is_err());
    let order = |p: f64| linalg::vector_norm(v(&[3.0, -4.0]), linalg::VectorNorm::new().ord(a(p))).unwrap();
    close(vec![host(order(f64::INFINITY))[0], host(order(1.0))[0], host(order(0.0))[0]], &[4.0, 7.0, 2.0]);
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
