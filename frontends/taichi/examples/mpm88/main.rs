//! Writes a picture of a liquid: `cargo run --example mpm88 -- [FOLDER] [STEPS]`.

#[allow(dead_code)] // other examples use the rest
#[path = "../frames/mod.rs"]
mod frames;
mod mpm88;

use frames::{Frames, dots};
use ivy_taichi::{Config, init};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const N: usize = 512;
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "target/mpm88".into()));
    let steps = arguments.next().map_or(Ok(1500), |steps| steps.parse())?;
    let program = init(Config::new().fast(true))?;
    let at = mpm88::run(&program, 8192, 128, steps)?;
    let colours = dots(N, at.into_iter().map(|at| at.0), [[17, 47, 65], [7, 133, 135]], 1.0);
    Frames::new(&folder, 1)?.write(N, &colours)?;
    Ok(())
}
