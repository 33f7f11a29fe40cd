//! A fit under TensorFlow's tape, on every backend: `frontends/tensorflow/examples/gradient_tape.rs`, with the backends of
//! this crate.
//!
//! `tensorflow_tape [BACKEND ...]`

use ivy as _;

#[path = "../frontends/tensorflow/examples/gradient_tape.rs"]
mod gradient_tape;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    gradient_tape::main()
}
