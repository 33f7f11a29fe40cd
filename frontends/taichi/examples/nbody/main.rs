//! Writes a picture of bodies: `cargo run --example nbody -- [FOLDER] [STEPS] [aos|soa]`.

#[allow(dead_code)] // other examples use the rest
#[path = "../frames/mod.rs"]
mod frames;
mod nbody;

use frames::{Frames, dots};
use ivy_taichi::{Config, init};
use nbody::Layout;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const N: usize = 512;
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "target/nbody".into()));
    let steps = arguments.next().map_or(Ok(60), |steps| steps.parse())?;
    let layout = if arguments.next().as_deref() == Some("soa") { Layout::Soa } else { Layout::Aos };
    let program = init(Config::new())?;
    let at = nbody::run(&program, layout, 4096, steps)?;
    let points = at.into_iter().map(|at| [at.0[0], at.0[1]].map(|z| z * 0.4 + 0.5));
    let colours = dots(N, points, [[0, 0, 0], [255, 230, 150]], 0.3);
    Frames::new(&folder, 1)?.write(N, &colours)?;
    Ok(())
}
