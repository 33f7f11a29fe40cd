//! Resampling, convolution, optimisers and random arrays: answers of Dr.Jit.

use super::{assert_close, on_both, rows};
use ivy_drjit::llvm::{self, Float, TensorXf};
use ivy_drjit::opt::{Adam, AdamW, Optimizer, RmsProp, Rule, Sgd};
use ivy_drjit::{
    self as dr, AnyArray, ArrayType, Boundary, Convolution, Error, Filter, enable_grad, grad, llvm::ad,
};

fn recorded(kind: &'static str) -> impl Iterator<Item = [&'static str; 4]> {
    let all = rows(include_str!("../data/signals.tsv"));
    all.filter(move |row| row[0] == kind).map(|row| [row[1], row[2], row[3], row[4]])
}

fn signal() -> dr::Result<Float> {
    Float::new([0.5, -1.0, 2.0, 3.5, -0.25, 1.0, 0.0, 4.0])
}

fn boundary(name: &str) -> Boundary {
    match name {
        "zero" => Boundary::Zero,
        "nearest" => Boundary::Nearest,
        "wrap" => Boundary::Wrap,
        "reflect" => Boundary::Reflect,
        "mirror" => Boundary::Mirror,
        other => panic!("{other}"),
    }
}

fn filter(name: &str) -> Option<Filter> {
    Some(match name {
        "box" => Filter::Box,
        "linear" => Filter::Linear,
        "hamming" => Filter::Hamming,
        "cubic" => Filter::Cubic,
        "lanczos" => Filter::Lanczos,
        "gaussian" => Filter::Gaussian,
        _ => return None,
    })
}

#[test]
fn arrays_are_resampled_as_drjit_does() {
    on_both(|| {
        for [name, beyond, size, numbers] in recorded("resample") {
            let own = filter(name).unwrap();
            let y = dr::resample(signal()?, &[size.parse().unwrap()], &own, boundary(beyond))?;
            assert_close(&format!("resample {name} {beyond} {size}"), &y, numbers, 2e-6)?;
        }
        Ok(())
    });
}

#[test]
fn arrays_are_convolved_as_drjit_does() {
    on_both(|| {
        for [name, beyond, how, numbers] in recorded("convolve") {
            let (radius, normalize) = how.split_once(' ').unwrap();
            let kernel = match filter(name) {
                Some(own) => Convolution::Filter(own, radius.parse().unwrap_or(1.0)),
                None => Convolution::Discrete(name.split(' ').map(|x| x.parse().unwrap()).collect()),
            };
            let y = dr::convolve(signal()?, &kernel, &[], boundary(beyond), normalize == "True")?;
            assert_close(&format!("convolve {name} {beyond} {how}"), &y, numbers, 2e-6)?;
        }
        Ok(())
    });
}

#[test]
fn axes_are_resampled_one_by_one_with_gradients() {
    on_both(|| {
        let image =
            ad::TensorXf64::TYPE.make_tensor((0..24).map(f64::from).collect::<Vec<_>>(), &[2, 4, 3])?;
        let small = dr::resample(&image, &[2, 2, 3], &Filter::Box, Boundary::Zero)?;
        assert_eq!(small.shape(), Some(vec![2, 2, 3]));
        assert_eq!(
            dr::ravel(&small, dr::Order::C)?.to_string(),
            "[1.5, 2.5, 3.5, 7.5, 8.5, 9.5, 13.5, 14.5, 15.5, 19.5, 20.5, 21.5]"
        );
        let x = enable_grad(&image)?;
        let kernel = Convolution::Discrete(vec![1.0, 2.0, 4.0]);
        dr::backward(&dr::sum(dr::convolve(&x, &kernel, &[1], Boundary::Wrap, false)?, ())?)?;
        assert_close(
            "each element counts for all three",
            &dr::ravel(grad(&x)?, dr::Order::C)?,
            &["7"; 24].join(" "),
            1e-12,
        )?;
        let custom = Filter::Custom(std::sync::Arc::new(|x| if x.abs() <= 2.0 { 1.0 } else { 0.0 }), 2.0);
        let y = dr::convolve(
            Float::new([1, 1, 1, 1, 1])?,
            &Convolution::Filter(custom, 1.0),
            &[0],
            Boundary::Zero,
            false,
        )?;
        assert_eq!(y.to_string(), "[3, 4, 5, 4, 3]");
        Ok(())
    });
}

#[test]
fn signals_refuse_what_they_cannot_do() {
    on_both(|| {
        let x = signal()?;
        let refused = |error: dr::Result<AnyArray>| matches!(error, Err(Error::InvalidArgument { .. }));
        assert!(refused(dr::resample(&x, &[2, 2], &Filter::Box, Boundary::Zero)));
        assert!(refused(dr::resample(&x, &[0], &Filter::Box, Boundary::Zero)));
        let convolve = |numbers: &[f64], axis: i64, normalize| {
            dr::convolve(&x, &Convolution::Discrete(numbers.to_vec()), &[axis], Boundary::Wrap, normalize)
        };
        assert!(refused(convolve(&[], 0, false)));
        assert!(refused(convolve(&[1.0], 1, false)));
        assert!(refused(convolve(&[1.0, -1.0], 0, true)));
        for width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let kernel = Convolution::Filter(Filter::Box, width);
            assert!(refused(dr::convolve(&x, &kernel, &[], Boundary::Zero, false)), "{width}");
        }
        let nested = llvm::Array2f::new([1, 2])?;
        assert!(matches!(
            dr::resample(&nested, &[2, 1], &Filter::Box, Boundary::Zero),
            Err(Error::NotSupported { .. })
        ));
        Ok(())
    });
}

/// Six steps down a function of four numbers.
fn descend<R: Rule>(mut optimizer: Optimizer<R>) -> dr::Result<AnyArray> {
    optimizer.insert("x", &ad::Float::new([1.0, -2.0, 0.5, 3.0])?)?;
    for _ in 0..6 {
        let x = optimizer.get("x")?;
        let far = (dr::maximum(&x, 0.25)? - ad::Float::new([0.0, 1.0, 2.0, -1.0])?).ok()?;
        dr::backward(&dr::sum(dr::square(far)? * &x, ())?)?;
        optimizer.step()?;
    }
    optimizer.get("x")
}

#[test]
fn optimisers_go_where_drjits_do() {
    on_both(|| {
        for [name, _, _, numbers] in recorded("opt") {
            let adam = |adam: Adam| descend(Optimizer::new(adam, 0.1));
            let found = match name {
                "SGD" => descend(Optimizer::new(Sgd::new(), 0.1)),
                "SGD momentum" => descend(Optimizer::new(Sgd { momentum: 0.9, nesterov: false }, 0.1)),
                "SGD nesterov" => descend(Optimizer::new(Sgd { momentum: 0.9, nesterov: true }, 0.1)),
                "RMSProp" => descend(Optimizer::new(RmsProp::new(), 0.1)),
                "RMSProp epsilon" => descend(Optimizer::new(RmsProp { alpha: 0.9, epsilon: 1e-2 }, 0.1)),
                "Adam" => adam(Adam::new()),
                "Adam epsilon" => adam(Adam { beta_1: 0.8, beta_2: 0.9, epsilon: 1e-2, ..Adam::new() }),
                "Adam uniform" => adam(Adam { uniform: true, ..Adam::new() }),
                "Adam amsgrad" => adam(Adam { amsgrad: true, ..Adam::new() }),
                "Adam masked" => descend(Optimizer::new(Adam::new(), 0.1).mask_updates()),
                "AdamW" => descend(Optimizer::new(AdamW::new(0.05), 0.1)),
                other => panic!("{other}"),
            };
            assert_close(name, &found?, numbers, 1e-4)?;
        }
        Ok(())
    });
}

#[test]
fn optimisers_keep_their_parameters() {
    on_both(|| {
        let mut optimizer = Optimizer::new(Adam::new(), 0.5);
        let x = ad::Float16::new([1.0, 2.0])?;
        optimizer.insert("half", &x)?;
        assert_eq!(optimizer.get("half")?.ty(), ad::Float16::TYPE);
        optimizer.insert("matrix", &ad::Matrix2f::new([1, 2, 3, 4])?)?;
        optimizer.set_learning_rate_of("matrix", Some(0.0))?;
        dr::backward(&dr::sum(optimizer.get("half")? * 2.0, ())?)?;
        dr::backward(&dr::sum(dr::ravel(dr::square(optimizer.get("matrix")?)?, dr::Order::C)?, ())?)?;
        optimizer.remove("matrix")?;
        dr::backward(&dr::sum(optimizer.get("half")? * 2.0, ())?)?;
        optimizer.step_where(llvm::ad::Bool::new([true, false])?)?;
        assert_close("the second stays", &optimizer.get("half")?, "0.5 2", 1e-2)?;
        assert_eq!(optimizer.names().collect::<Vec<_>>(), ["half"]);
        let refused = |error: dr::Result<()>| matches!(error, Err(Error::Parameter { .. }));
        assert!(refused(optimizer.insert("plain", &Float::new([1])?)));
        assert!(refused(optimizer.insert("whole", &ad::Int::new([1])?)));
        assert!(refused(optimizer.get("nobody").map(drop)));
        optimizer.reset()
    });
}

#[test]
fn generators_draw_what_drjits_do() {
    on_both(|| {
        let mut rng = dr::rng(5)?;
        let mut last = String::new();
        for [draw, kind, turn, numbers] in recorded("rng") {
            // A generator for all turns of a kind; those of integers go on after the uniform numbers.
            let name = format!("{draw} {kind}");
            let before = ["integers", "random Array3f", "random TensorXf"];
            let goes_on = draw == "integers" || before.iter().any(|own| last.starts_with(own));
            if name != last && !goes_on {
                rng = dr::rng(5)?;
            }
            last = name.clone();
            let ty: ArrayType = format!("drjit.llvm.{kind}").parse()?;
            let y = match (draw, kind) {
                ("random", "Array3f") => dr::ravel(rng.random(ty, &[3, 2])?, dr::Order::Auto)?,
                ("random", "TensorXf") => dr::ravel(rng.random(ty, &[2, 2])?, dr::Order::C)?,
                ("random", _) => rng.random(ty, &[4])?,
                ("normal", _) => rng.normal(ty, &[4], 0.0, 1.0)?,
                ("uniform", _) => rng.uniform(ty, &[4], -2.0, 3.0)?,
                _ => rng.integers(ty, &[4], -5, 1000)?,
            };
            let bound = if kind == "Float16" { 2e-3 } else { 4e-6 };
            assert_close(&format!("{name} {turn}"), &y, numbers, bound)?;
        }
        Ok(())
    });
}

#[test]
fn generators_keep_to_their_bounds() {
    on_both(|| {
        let mut rng = dr::rng(1)?;
        let again = rng.clone();
        let wide = rng.integers(llvm::Int::TYPE, &[64], i64::from(i32::MIN), i64::from(i32::MAX))?;
        let numbers: Vec<i128> = wide.to_scalars()?.iter().map(|x| x.to_i128()).collect();
        assert!(numbers.iter().any(|&x| x < -1_000_000_000) && numbers.iter().any(|&x| x > 1_000_000_000));
        // Half of all draws are done again.
        let many = rng.integers(llvm::UInt::TYPE, &[64], 0, (1u32 << 31) + 1)?;
        assert!(many.to_scalars()?.iter().all(|x| x.to_i128() <= 1 << 31));
        let order = rng.permutation(llvm::UInt::TYPE, 30)?;
        assert!(dr::allclose(dr::sort(&order)?, llvm::UInt::TYPE.arange(0.0, 30.0, 1.0)?, 0.0, 0.0)?);
        let same =
            again.clone().integers(llvm::Int::TYPE, &[64], i64::from(i32::MIN), i64::from(i32::MAX))?;
        assert!(dr::allclose(same, &wide, 0.0, 0.0)?, "a clone draws the same");
        for (low, high) in [(3, 3), (5, -5), (0, 1 << 40), (i64::MIN, i64::MAX)] {
            assert!(rng.integers(llvm::Int::TYPE, &[2], low, high).is_err(), "{low} {high}");
        }
        assert!(rng.random(llvm::Int::TYPE, &[2]).is_err());
        assert!(rng.random(llvm::Array3f::TYPE, &[2, 2]).is_err());
        assert!(rng.random(TensorXf::TYPE, &[usize::MAX, 2]).is_err());
        Ok(())
    });
}
