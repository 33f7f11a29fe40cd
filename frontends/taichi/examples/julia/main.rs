//! Writes frames of Julia sets: `cargo run --example julia -- [FOLDER] [FRAMES]`.

#[allow(dead_code)] // other examples use the rest
#[path = "../frames/mod.rs"]
mod frames;
mod julia;

use frames::{Frames, colour};
use ivy_taichi::{Config, init};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const N: usize = 320;
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "target/julia".into()));
    let count = arguments.next().map_or(Ok(100), |count| count.parse())?;
    let program = init(Config::new().packed(true))?;
    let mut frames = Frames::new(&folder, count)?;
    let mut written = Ok(());
    julia::run(&program, N, count, |pixels| {
        let colours: Vec<[u8; 3]> =
            (0..2 * N * N).map(|n| colour(pixels[n % (2 * N) * N + n / (2 * N)])).collect();
        let next = frames.write(2 * N, &colours);
        written = std::mem::replace(&mut written, Ok(())).and(next);
    })?;
    Ok(written?)
}
