//! Julia sets that change in time.

use ivy_taichi::{Field, Program, Result, func, kernel};

#[func]
fn squared(z: impl Copy) -> impl Copy {
    [z.x * z.x - z.y * z.y, z.x * z.y * 2]
}

/// How soon each point leaves, as 1 less a fiftieth of the steps.
#[kernel]
fn paint(pixels: &Field<f32>, n: i32, time: f32) {
    for (i, j) in pixels {
        let c = [-0.8, cos(time) * 0.2];
        let mut z = [i / n - 1, j / n - 0.5] * 2;
        let mut steps = 0;
        while z.norm() < 20 && steps < 50 {
            z = squared(z) + c;
            steps += 1;
        }
        pixels[(i, j)] = 1 - steps * 0.02;
    }
}

/// Paints frames of 2n by n pixels, each a function of its number's share of a second; the first index of a frame's
/// pixels is across.
pub fn run(program: &Program, n: usize, frames: usize, mut show: impl FnMut(&[f32])) -> Result<()> {
    let pixels = program.field::<f32>(&[2 * n, n])?;
    for frame in 0..frames {
        paint(&pixels, n as i32, frame as f32 * 0.03)?;
        show(&pixels.to_vec()?);
    }
    Ok(())
}
