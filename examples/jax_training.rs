//! A training loop in JAX's words, on every backend: `frontends/jax/examples/training.rs`, with the backends of this crate.

use ivy as _;

#[path = "../frontends/jax/examples/training.rs"]
mod training;

fn main() -> ivy::Result<()> {
    training::main()
}
