//! A training loop in JAX's words: hand-written digits, a network of two layers, `jit`, `vmap` and `grad`. It runs on every
//! backend that the program is linked with, and compares losses and answers.
//!
//! ```text
//! cargo run -p ivy-frontend-jax --example training
//! ```

use ivy_backend_ndarray as _;
use ivy_core::backend::{BackendRef, backends};
use ivy_core::{Context, Result, context};

#[path = "training/network.rs"]
mod network;
use network::{Digits, Outcome};

const TRAIN: usize = 1438;

fn trained(backend: &BackendRef) -> Result<Outcome> {
    context::with(&Context::new().backend(backend), || network::train(&Digits::load()?, TRAIN, 64, 5))
}

/// Trains on each backend, and compares.
pub fn main() -> Result<()> {
    let mut first: Option<Outcome> = None;
    for info in backends() {
        let Ok(backend) = info.instance else { continue };
        let outcome = trained(&backend)?;
        let losses: Vec<String> = outcome.losses.iter().map(|loss| format!("{loss:.4}")).collect();
        println!("{}: losses {}; {} digits are right", info.name, losses.join(", "), outcome.right);
        if let Some(first) = &first {
            let apart = first.losses.iter().zip(&outcome.losses).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-4, "the losses are those of the first backend");
            assert!(first.right.abs_diff(outcome.right) <= 1, "the answers are those of the first backend");
        }
        first = first.or(Some(outcome));
    }
    Ok(())
}
