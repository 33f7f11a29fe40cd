//! Optimisers and schedules of learning rates.

use super::{RECORD, close, x, y};
use ivy_core::Result;
use ivy_frontend_torch::nn::{self, Module};
use ivy_frontend_torch::optim::{self, Optimizer, Rule, lr_scheduler as schedules};
use ivy_frontend_torch::{self as torch, autograd};

/// Two parameters as a module.
struct Pair {
    first: nn::Parameter,
    second: nn::Parameter,
}
nn::module!(Pair: first, second);

fn steps<R: Rule>(name: &str, settings: R) -> Result<()> {
    let mut optimizer = Optimizer::new(settings);
    let mut pair = Pair { first: nn::Parameter::new(x(&[2, 3]))?, second: nn::Parameter::new(y(&[4], 1.0))? };
    let recorded = RECORD["optimisers"][name].as_array().expect("steps of the optimiser");
    assert_eq!(recorded.len(), 6, "{name}");
    for (step, recorded) in recorded.iter().enumerate() {
        pair.zero_grad()?;
        let loss = |p: &nn::Parameter, factor: f64| {
            let difference = (&**p - &y(p.shape(), 2.0 + step as f64)).ok()?;
            (torch::sum(&torch::square(&difference, ())?, ())? * factor).ok()
        };
        let loss = (loss(&pair.first, 1.0)? + loss(&pair.second, 2.0)?).ok()?;
        autograd::backward(&[loss.into_ivy_array()], &[], autograd::Graph::Freed, None)?;
        optimizer.step(&mut pair)?;
        for (parameter, recorded) in
            pair.parameters().into_iter().zip(recorded.as_array().expect("parameters"))
        {
            close(&format!("{name}, step {step}"), parameter, recorded);
        }
    }
    Ok(())
}

#[test]
fn optimisers() -> Result<()> {
    let sgd = optim::SGD { lr: 0.1, ..optim::SGD::default() };
    steps("SGD", sgd.clone())?;
    let dampened = optim::SGD { momentum: 0.9, dampening: 0.1, weight_decay: 0.01, ..sgd.clone() };
    steps("SGD with momentum", dampened)?;
    steps("SGD as Nesterov has it", optim::SGD { momentum: 0.9, nesterov: true, ..sgd.clone() })?;
    steps("SGD that maximises", optim::SGD { maximize: true, ..sgd })?;
    let adam = optim::Adam { lr: 0.05, ..optim::Adam::default() };
    steps("Adam", adam.clone())?;
    steps("Adam, amsgrad", optim::Adam { betas: (0.8, 0.9), weight_decay: 0.1, amsgrad: true, ..adam })?;
    steps("AdamW", optim::AdamW { lr: 0.05, weight_decay: 0.2, ..optim::AdamW::default() })?;
    let rms = optim::RMSprop { lr: 0.05, ..optim::RMSprop::default() };
    steps("RMSprop", rms.clone())?;
    steps("RMSprop, centred", optim::RMSprop { momentum: 0.5, centered: true, weight_decay: 0.1, ..rms })?;
    let (lr_decay, weight_decay, initial_accumulator_value) = (0.1, 0.1, 0.2);
    let adagrad = optim::Adagrad {
        lr: 0.1,
        lr_decay,
        weight_decay,
        initial_accumulator_value,
        ..optim::Adagrad::default()
    };
    steps("Adagrad", adagrad)
}

#[test]
fn optimisers_by_sizes_and_signs() -> Result<()> {
    let adadelta = optim::Adadelta::default();
    steps("Adadelta by its defaults", adadelta.clone())?;
    steps("Adadelta", optim::Adadelta { lr: 0.5, rho: 0.8, eps: 1e-3, weight_decay: 0.1, ..adadelta })?;
    let betas = (0.8, 0.9);
    steps("Adamax", optim::Adamax { lr: 0.05, betas, weight_decay: 0.1, ..optim::Adamax::default() })?;
    let nadam = optim::NAdam { lr: 0.05, ..optim::NAdam::default() };
    steps("NAdam", nadam.clone())?;
    let decayed = optim::NAdam { betas, weight_decay: 0.2, momentum_decay: 0.1, ..nadam };
    steps("NAdam, decayed", decayed)?;
    let decoupled = optim::NAdam { weight_decay: 0.2, decoupled_weight_decay: true, maximize: true, ..nadam };
    steps("NAdam, decoupled decay", decoupled)?;
    let radam = optim::RAdam { lr: 0.05, weight_decay: 0.1, ..optim::RAdam::default() };
    steps("RAdam", radam.clone())?;
    steps("RAdam, decoupled decay", optim::RAdam { betas, decoupled_weight_decay: true, ..radam })?;
    let rprop = optim::Rprop { lr: 0.1, ..optim::Rprop::default() };
    steps("Rprop", rprop.clone())?;
    steps(
        "Rprop within bounds",
        optim::Rprop { lr: 0.5, etas: (0.3, 1.5), step_sizes: (0.2, 0.9), ..rprop },
    )?;
    let asgd = optim::ASGD { lr: 0.1, lambd: 0.1, ..optim::ASGD::default() };
    steps("ASGD", optim::ASGD { weight_decay: 0.1, ..asgd.clone() })?;
    steps("ASGD, averaged", optim::ASGD { alpha: 0.5, t0: 2.0, maximize: true, ..asgd })
}

#[test]
fn groups_have_settings_of_their_own() -> Result<()> {
    let mut pair = Pair { first: nn::Parameter::new(x(&[2]))?, second: nn::Parameter::new(x(&[2]))? };
    let still = optim::SGD { lr: 0.0, ..optim::SGD::default() };
    let mut optimizer =
        Optimizer::new(optim::SGD { lr: 1.0, ..still.clone() }).group(|name| name == "first", still);
    let loss = torch::sum(&(&*pair.first + &*pair.second).ok()?, ())?;
    autograd::backward(&[loss.into_ivy_array()], &[], autograd::Graph::Freed, None)?;
    optimizer.step(&mut pair)?;
    assert_eq!(pair.first.to_vec::<f32>()?, x(&[2]).to_vec::<f32>()?);
    let moved: Vec<f32> = x(&[2]).to_vec::<f32>()?.into_iter().map(|x| x - 1.0).collect();
    assert_eq!(pair.second.to_vec::<f32>()?, moved);
    Ok(())
}

#[test]
fn learning_rates() -> Result<()> {
    type Make = fn(&mut Optimizer<optim::SGD>) -> Result<schedules::LRScheduler>;
    let all: [(&str, Make); 16] = [
        ("LambdaLR", |o| Ok(schedules::LambdaLR(o, |step| 0.9f64.powi(step as i32)))),
        ("StepLR", |o| Ok(schedules::StepLR(o, 3, 0.5))),
        ("MultiStepLR", |o| Ok(schedules::MultiStepLR(o, &[2, 5], 0.3))),
        ("ExponentialLR", |o| Ok(schedules::ExponentialLR(o, 0.8))),
        ("CosineAnnealingLR", |o| Ok(schedules::CosineAnnealingLR(o, 6, 0.01))),
        ("LinearLR", |o| Ok(schedules::LinearLR(o, 0.25, 1.0, 4))),
        ("ConstantLR", |o| Ok(schedules::ConstantLR(o, 0.5, 3))),
        ("PolynomialLR", |o| Ok(schedules::PolynomialLR(o, 5, 2.0))),
        ("MultiplicativeLR", |o| Ok(schedules::MultiplicativeLR(o, |step| 1.0 - 0.1 * step as f64 / 4.0))),
        ("CosineAnnealingWarmRestarts", |o| Ok(schedules::CosineAnnealingWarmRestarts(o, 2, 2, 0.01))),
        ("CyclicLR", |o| {
            let cycle = schedules::Cyclic::new(0.01, 0.1);
            schedules::CyclicLR(o, schedules::Cyclic { step_size_up: 2, step_size_down: Some(1), ..cycle })
        }),
        ("CyclicLR, triangular2", |o| {
            let (cycle, mode) = (schedules::Cyclic::new(0.01, 0.1), schedules::CyclicMode::Triangular2);
            schedules::CyclicLR(
                o,
                schedules::Cyclic { step_size_up: 2, mode, cycle_momentum: false, ..cycle },
            )
        }),
        ("CyclicLR, exp_range", |o| {
            let (cycle, mode) = (schedules::Cyclic::new(0.01, 0.1), schedules::CyclicMode::ExpRange(0.9));
            schedules::CyclicLR(o, schedules::Cyclic { step_size_up: 2, mode, ..cycle })
        }),
        ("SequentialLR", |o| {
            let first = schedules::ConstantLR(o, 0.1, 9);
            let parts = vec![first, schedules::ExponentialLR(o, 0.9), schedules::StepLR(o, 2, 0.1)];
            schedules::SequentialLR(o, parts, &[2, 5])
        }),
        ("OneCycleLR", |o| schedules::OneCycleLR(o, schedules::OneCycle::new(0.5, 9))),
        ("OneCycleLR, linear, of three phases", |o| {
            let cycle =
                schedules::OneCycle { linear: true, three_phase: true, ..schedules::OneCycle::new(0.5, 9) };
            schedules::OneCycleLR(o, cycle)
        }),
    ];
    for (name, make) in all {
        let mut optimizer = Optimizer::new(optim::SGD { lr: 0.1, momentum: 0.9, ..optim::SGD::default() });
        let mut scheduler = make(&mut optimizer)?;
        for recorded in RECORD["schedules"][name].as_array().expect("learning rates") {
            let settings = optimizer.settings().next().expect("settings");
            let found = [settings.lr, settings.momentum];
            for (found, recorded) in found.into_iter().zip(recorded.as_array().expect("rate and momentum")) {
                let recorded = recorded.as_f64().expect("a number");
                assert!((found - recorded).abs() < 1e-9, "{name}: {found} and not {recorded}");
            }
            scheduler.step(&mut optimizer)?;
        }
    }
    let mut optimizer = Optimizer::new(optim::SGD { lr: 0.1, ..optim::SGD::default() });
    let settings = schedules::Plateau {
        factor: 0.5,
        patience: 1,
        cooldown: 1,
        min_lr: 0.02,
        ..schedules::Plateau::default()
    };
    let mut plateau = schedules::ReduceLROnPlateau::new(settings);
    let losses = [1.0, 0.9, 0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8];
    for (loss, recorded) in losses.into_iter().zip(RECORD["plateau"].as_array().expect("learning rates")) {
        plateau.step(&mut optimizer, loss);
        assert!((optimizer.lrs()[0] - recorded.as_f64().expect("a number")).abs() < 1e-12);
    }
    Ok(())
}
