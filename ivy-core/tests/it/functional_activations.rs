//! Activations, norms and losses by hand: values, derivatives at corners and far out, and errors.

use ivy::prelude::*;
use ivy::{
    BatchNorm, BinaryCrossEntropy, Celu, ComplexMode, CrossEntropy, Elu, Gelu, GroupNorm, HardTanh,
    HuberLoss, InstanceNorm, KlDiv, LayerNorm, LocalResponseNorm, Logit, LossReduction, LpNormalize, Relu,
    Result, SmoothL1Loss, Softplus, SparseCrossEntropy,
};
use num_complex::Complex64;

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

fn rule(result: Result<Array>) -> String {
    refused(result).split("rule=").nth(1).unwrap_or("no rule").to_string()
}

/// The derivative of each element by its own argument.
fn slopes(f: impl Fn(&Array) -> Result<Array>, at: &[f64]) -> Result<Vec<f64>> {
    ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(&Array::try_from(at)?)?.to_vec::<f64>()
}

#[test]
fn derivatives_at_the_corners_and_far_out() -> Result<()> {
    let far = [-1e4, -800.0, 0.0, 800.0, 1e4];
    assert_eq!(slopes(|x| ivy::relu(x, ()), &far)?, [0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::relu6(x, ()), &[-1.0, 0.0, 3.0, 6.0, 7.0])?, [0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(slopes(|x| ivy::leaky_relu(x, ()), &[-1.0, 0.0, 1.0])?, [0.2, 0.2, 1.0]);
    assert_eq!(slopes(|x| ivy::elu(x, Elu::new().alpha(0.5)), &far)?, [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::celu(x, Celu::new().alpha(2.0)), &[-1e4, 0.0, 800.0])?, [0.0, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::sigmoid(x, ()), &far)?, [0.0, 0.0, 0.25, 0.0, 0.0]);
    assert_eq!(slopes(|x| ivy::logsigmoid(x, ()), &far)?, [1.0, 1.0, 0.5, 0.0, 0.0]);
    assert_eq!(slopes(|x| ivy::softplus(x, ()), &far)?, [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::silu(x), &far)?, [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::mish(x, ()), &far)?[2..], [0.6, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::gelu(x, ()), &far)?, [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::gelu(x, Gelu::new().approximate()), &far)?, [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(slopes(|x| ivy::hardswish(x, ()), &[-3.0, 0.0, 3.0])?, [0.0, 0.5, 1.0]);
    assert_eq!(slopes(|x| ivy::softsign(x), &[-1.0, 0.0])?, [0.25, 1.0]);
    assert_eq!(slopes(|x| ivy::hardtanh(x, ()), &[-1.0, 0.5, 1.0])?, [0.0, 1.0, 0.0]);
    // The square of a distance that is not taken overflows, and has no part in the derivative.
    let huber = |x: &Array| ivy::huber_loss(0.0, x, HuberLoss::new().reduction(LossReduction::Sum));
    assert_eq!(slopes(huber, &[-1e300, -1.0, 0.0, 0.5, 1.0, 1e300])?, [-1.0, -1.0, 0.0, 0.5, 1.0, 1.0]);
    // A vector of zeros has a derivative, and so has a target of zeros.
    assert!(slopes(|x| ivy::l2_normalize(x, ()), &[0.0, 0.0])?.iter().all(|d| d.is_finite()));
    let kl = |t: &Array| ivy::kl_div(Array::try_from([-1.0f64, -2.0])?, t, KlDiv::new());
    assert!(slopes(kl, &[0.0, 1.0])?.iter().all(|d| d.is_finite()));
    Ok(())
}

#[test]
fn derivatives_to_train_with() -> Result<()> {
    // Of a cross entropy by logits: what is predicted less what is true.
    let keywords = || SparseCrossEntropy::new().from_logits().reduction(LossReduction::BatchMean);
    let labels = Array::try_from([1i32])?;
    let loss = |x: &Array| ivy::sparse_cross_entropy(&labels, x, keywords());
    let slope = ivy::grad(loss)(&Array::try_from([[0.0f64, 0.0]])?)?;
    assert_eq!(slope.to_vec::<f64>()?, [0.5, -0.5]);
    let keywords = || BinaryCrossEntropy::new().from_logits().reduction(LossReduction::Sum);
    let targets = Array::try_from([1.0f64, 0.0, 1.0])?;
    let slope = slopes(|x| ivy::binary_cross_entropy(&targets, x, keywords()), &[0.0, 1000.0, -1000.0])?;
    assert_eq!(slope, [-0.5, 1.0, -1.0]);
    // A normalized row does not change where all of it is moved, and a scale's derivative is the normalized row.
    let x = [1.0, 2.0, 4.0];
    let square = |x: &Array| ivy::square(ivy::layer_norm(x, 0, ())?);
    let slope = slopes(square, &x)?;
    assert!(slope.iter().sum::<f64>().abs() < 1e-12 && slope.iter().any(|d| d.abs() > 1e-7), "{slope:?}");
    let x = Array::try_from(x)?;
    let scaled = |s: &Array| ivy::sum(ivy::layer_norm(&x, 0, LayerNorm::new().scale(s))?, ());
    let by_scale = ivy::grad(scaled)(&ivy::ones(3, Dtype::FLOAT64)?)?;
    assert_eq!(by_scale.to_vec::<f64>()?, ivy::layer_norm(&x, 0, ())?.to_vec::<f64>()?);
    Ok(())
}

#[test]
fn small_floats_keep_what_float32_computes() -> Result<()> {
    // In float16 the mean of these would be lost, and the squares would overflow.
    let x = ivy::astype(Array::try_from([[300.0f32, 900.0, 600.0, 600.0]])?, Dtype::FLOAT16)?;
    let y = ivy::astype(ivy::layer_norm(&x, -1, ())?, Dtype::FLOAT32)?.to_vec::<f32>()?;
    assert_eq!(y, [-1.4140625, 1.4140625, 0.0, 0.0]);
    let sums = ivy::astype(Array::try_from([-12.0f32, 300.0])?, Dtype::FLOAT16)?;
    let y = ivy::astype(ivy::gelu(ivy::multiply(&sums, 200)?, ())?, Dtype::FLOAT32)?.to_vec::<f32>()?;
    assert_eq!(y, [-0.0, 60000.0]);
    let zeros = ivy::zeros(3, Dtype::BFLOAT16)?;
    assert_eq!(ivy::l2_normalize(&zeros, ())?.dtype(), Dtype::BFLOAT16);
    assert!(ivy::all(ivy::equal(ivy::l2_normalize(&zeros, ())?, 0)?, ())?.item::<bool>()?);
    Ok(())
}

#[test]
fn complex_numbers_by_each_mode() -> Result<()> {
    let z = |list: &[(f64, f64)]| -> Result<Array> {
        Array::try_from(list.iter().map(|&(a, b)| Complex64::new(a, b)).collect::<Vec<_>>())
    };
    let x = z(&[(3.0, -4.0), (-3.0, 4.0), (0.0, 1.0)])?;
    let of = |mode| ivy::relu(&x, Relu::new().complex_mode(mode))?.to_vec::<Complex64>();
    let c = Complex64::new;
    assert_eq!(of(ComplexMode::Jax)?, [c(3.0, -4.0), c(0.0, 0.0), c(0.0, 1.0)]);
    assert_eq!(of(ComplexMode::Split)?, [c(3.0, 0.0), c(0.0, 4.0), c(0.0, 1.0)]);
    assert_eq!(of(ComplexMode::Magnitude)?, x.to_vec::<Complex64>()?);
    // The principal logarithm, also where the sum leaves its strip.
    let y = ivy::softplus(z(&[(50.0, 4.0)])?, ())?.item::<Complex64>()?;
    assert!((y - c(50.0, 4.0 - std::f64::consts::TAU)).norm() < 1e-13);
    let p = ivy::softmax(z(&[(1000.0, 0.0), (1000.0, 0.0)])?, ())?.to_vec::<Complex64>()?;
    assert_eq!(p, [c(0.5, 0.0); 2]);
    assert_eq!(
        rule(ivy::logit(&x, Logit::new().eps(0.1))),
        "complex numbers are not kept between bounds, but by the modes split and magnitude"
    );
    assert!(refused(ivy::silu(&x)).starts_with("OutsideDomain function=silu"));
    Ok(())
}

#[test]
fn arguments_of_activations_are_checked() -> Result<()> {
    let x = Array::try_from([1.0f32, 2.0])?;
    let n = Array::try_from([1i8, 2])?;
    assert_eq!(rule(ivy::softplus(&x, Softplus::new().beta(0.0))), "a finite number above 0 is needed");
    assert_eq!(rule(ivy::celu(&x, Celu::new().alpha(0.0))), "a finite number other than 0 is needed");
    assert_eq!(rule(ivy::elu(&x, Elu::new().alpha(f64::NAN))), "a finite number is needed");
    assert_eq!(rule(ivy::hardtanh(&x, HardTanh::new().max_val(-2.0))), "not below `min_val`");
    assert_eq!(
        rule(ivy::hardtanh(&n, HardTanh::new().max_val(1.5))),
        "a whole number is needed beside an array of integers"
    );
    assert!(refused(ivy::threshold(&n, 300.0, 0.0)).starts_with("ScalarOutOfRange function=threshold"));
    assert_eq!(ivy::hardtanh(Array::try_from([0u8, 9])?, ())?.to_vec::<u8>()?, [0, 1]);
    assert!(refused(ivy::relu(Array::try_from([true])?, ())).starts_with("OutsideDomain"));
    let slope = Array::try_from([[1.0f32], [2.0], [3.0]])?;
    assert!(refused(ivy::prelu(&x, &slope)).starts_with("ShapeMismatch function=prelu argument=slope"));
    let empty = ivy::zeros([2, 0], Dtype::FLOAT32)?;
    assert!(refused(ivy::log_softmax(&empty, ())).starts_with("EmptyReduction function=log_softmax"));
    assert!(refused(ivy::log_softmax(1.0, ())).starts_with("AxisOutOfRange function=log_softmax"));
    Ok(())
}

#[test]
fn arguments_of_norms_are_checked() -> Result<()> {
    let x = ivy::ones([2, 3, 4], Dtype::FLOAT32)?;
    let (three, four) = (ivy::ones(3, Dtype::FLOAT32)?, ivy::ones(4, Dtype::FLOAT32)?);
    assert!(refused(ivy::layer_norm(&x, 3, ())).starts_with("AxisOutOfRange function=layer_norm"));
    assert!(refused(ivy::layer_norm(&x, [1, -2], ())).starts_with("RepeatedAxis function=layer_norm"));
    let wrong = ivy::layer_norm(&x, -1, LayerNorm::new().eps(-1.0));
    assert_eq!(rule(wrong), "a finite number of 0 or more is needed");
    let larger = ivy::layer_norm(&four, -1, LayerNorm::new().scale(&x));
    assert!(refused(larger).starts_with("ShapeMismatch function=layer_norm argument=scale"));
    let wrong = ivy::batch_norm(&x, &three, &four, ());
    assert_eq!(refused(wrong), "ShapeMismatch function=batch_norm argument=mean expected=(4,) actual=(3,)");
    let wrong = ivy::batch_norm(&x, &four, &four, BatchNorm::new().momentum(2.0));
    assert!(refused(wrong).ends_with("rule=a number from 0 to 1 is needed"));
    let one =
        ivy::instance_norm(ivy::ones([2, 4], Dtype::FLOAT32)?, &four, &four, InstanceNorm::new().training());
    assert!(refused(one).ends_with("rule=a variance needs more than one element"));
    let wrong = ivy::batch_norm(&x, &four, &four, BatchNorm::new().data_format(ivy::DataFormat::Nhwc));
    assert!(refused(wrong).starts_with("InvalidArgument function=batch_norm argument=data_format"));
    assert!(
        refused(ivy::group_norm(&four, 2, ())).starts_with("ShapeMismatch function=group_norm argument=x")
    );
    for groups in [0, 3] {
        let wrong = ivy::group_norm(&x, groups, GroupNorm::new());
        assert_eq!(rule(wrong), "a number that divides that of the channels");
    }
    let wrong = ivy::lp_normalize(&x, LpNormalize::new().p(0.0));
    assert_eq!(rule(wrong), "a number above 0 is needed");
    let wide = LocalResponseNorm::new().data_format(ivy::DataFormat::ChannelLast);
    assert_eq!(rule(ivy::local_response_norm(&x, 0, wide.clone())), "at least one channel");
    // More neighbours than there are numbers, and than there is memory.
    let y = ivy::local_response_norm(&x, usize::MAX, wide.bias(0.0))?;
    assert_eq!(y.to_vec::<f32>()?, [0.5; 24]);
    Ok(())
}

#[test]
fn arguments_of_losses_are_checked() -> Result<()> {
    let x = Array::try_from([[0.5f32, 0.25, 0.25]])?;
    let two = Array::try_from([[0.5f32, 0.5]])?;
    let label = |i: i64| Array::try_from([i]);
    assert!(refused(ivy::l1_loss(&x, &two, ())).starts_with("BroadcastShapes function=l1_loss"));
    let batch = ivy::L1Loss::new().reduction(LossReduction::BatchMean);
    assert_eq!(rule(ivy::l1_loss(&x, &x, batch)), "one of none, sum, mean for this function");
    let wrong = ivy::huber_loss(&x, &x, HuberLoss::new().delta(0.0));
    assert_eq!(rule(wrong), "a finite number above 0 is needed");
    let wrong = ivy::smooth_l1_loss(&x, &x, SmoothL1Loss::new().beta(-1.0));
    assert_eq!(rule(wrong), "a finite number of 0 or more is needed");
    let wrong = ivy::cross_entropy(&x, &x, CrossEntropy::new().epsilon(0.75));
    assert_eq!(rule(wrong), "a number from 0 to 0.5 is needed");
    let wrong = ivy::cross_entropy(&x, &x, CrossEntropy::new().label_smoothing(1.5));
    assert_eq!(rule(wrong), "a number from 0 to 1 is needed");
    let wrong = ivy::cross_entropy(&x, &x, CrossEntropy::new().weight(&two));
    assert!(refused(wrong).starts_with("ShapeMismatch function=cross_entropy argument=weight"));
    let one = ivy::ones([1, 1], Dtype::FLOAT32)?;
    assert!(refused(ivy::cross_entropy(&x, &one, ())).starts_with("ShapeMismatch function=cross_entropy"));
    let wrong = ivy::binary_cross_entropy(&x, &x, BinaryCrossEntropy::new().pos_weight(2.0));
    assert_eq!(rule(wrong), "logits are needed: `from_logits`");
    // Labels that are no class, by number; negative ones do not count from the end.
    for wrong in [3, -1, -3, -4, i64::MIN, i64::MAX] {
        let told = refused(ivy::sparse_cross_entropy(label(wrong)?, &x, ()));
        assert!(told.starts_with("IndexOutOfRange function=sparse_cross_entropy"), "{told}");
        if (-4..=3).contains(&wrong) {
            assert!(told.contains(&format!("index={wrong} ")), "{told}");
        }
    }
    let ignored = SparseCrossEntropy::new().ignore_index(-100).reduction(LossReduction::Sum);
    assert_eq!(ivy::sparse_cross_entropy(label(-100)?, &x, ignored)?.to_vec::<f32>()?, [0.0]);
    let empty = ivy::zeros([1, 0], Dtype::FLOAT32)?;
    let wrong = ivy::sparse_cross_entropy(label(0)?, &empty, ());
    assert!(refused(wrong).starts_with("EmptyReduction function=sparse_cross_entropy"));
    let wrong = ivy::sparse_cross_entropy(Array::try_from([0.0f32])?, &x, ());
    assert!(refused(wrong).starts_with("OutsideDomain function=sparse_cross_entropy"));
    Ok(())
}

#[test]
fn values_that_ivy_documents() -> Result<()> {
    // Ivy computes in float32, and keeps the logistic function from 0 and 1.
    let near = |x: Array, want: f64| -> Result<()> {
        let got = ivy::astype(x, Dtype::FLOAT64)?.item::<f64>()?;
        assert!((got - want).abs() < 2e-6 * want, "{got} {want}");
        Ok(())
    };
    let t = Array::try_from([0i32, 0, 1, 0])?;
    let p = Array::try_from([0.1f32, 0.1, 0.7, 0.1])?;
    near(ivy::cross_entropy(&t, &p, ())?, 0.08916873)?;
    near(ivy::sparse_cross_entropy(Array::try_from([2i32])?, &p, ())?, 0.08916873)?;
    let t = Array::try_from([[0i32, 1, 1, 0]])?;
    let x = Array::try_from([[2.6f32, 6.2, 3.7, 5.3]])?;
    let weighted =
        || BinaryCrossEntropy::new().from_logits().pos_weight(Array::try_from([1.0f32, 2.0, 3.0, 4.0]));
    near(ivy::binary_cross_entropy(&t, &x, weighted())?, 2.01348412)?;
    let rows = ivy::binary_cross_entropy(&t, &x, weighted().reduction(LossReduction::Sum).axis(1))?;
    near(rows, 8.05393649)?;
    let t = Array::try_from([[0i32, 1, 0, 0]])?;
    let p = Array::try_from([[0.6f32, 0.2, 0.7, 0.3]])?;
    near(ivy::binary_cross_entropy(&t, &p, BinaryCrossEntropy::new().epsilon(1e-3))?, 1.02136981)
}
