//! Writes generations of the game of life: `cargo run --example life -- [FOLDER] [GENERATIONS]`.

#[allow(dead_code)] // other examples use the rest
#[path = "../frames/mod.rs"]
mod frames;
mod life;

use frames::{Frames, colour};
use ivy_taichi::{Config, init};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const N: usize = 128;
    const SIZE: usize = 4;
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "target/life".into()));
    let count = arguments.next().map_or(Ok(200), |count| count.parse())?;
    let program = init(Config::new().random_seed(1))?;
    let mut frames = Frames::new(&folder, count)?;
    // How long each cell has been dead, which fades.
    let mut light = vec![0.0f32; N * N];
    let mut written = Ok(());
    life::run(&program, N, None, count, |cells| {
        for (light, &cell) in light.iter_mut().zip(cells) {
            *light = if cell == 1 { 1.0 } else { *light * 0.85 };
        }
        let at = |n: usize| n / (N * SIZE) / SIZE * N + n % (N * SIZE) / SIZE;
        let colours: Vec<[u8; 3]> = (0..N * N * SIZE * SIZE).map(|n| colour(light[at(n)])).collect();
        let next = frames.write(N * SIZE, &colours);
        written = std::mem::replace(&mut written, Ok(())).and(next);
    })?;
    Ok(written?)
}
