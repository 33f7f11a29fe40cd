//! MLS-MPM: a block of liquid that falls, as particles and a dense grid.

use ivy_taichi::{Field, Matrix, Program, Result, Vector, kernel};

/// A block in the lower left, which moves down.
#[kernel]
fn start(x: &Field<Vector<f32, 2>>, v: &Field<Vector<f32, 2>>, volume: &Field<f32>) {
    for p in x {
        x[p] = [random() * 0.4 + 0.2, random() * 0.4 + 0.2];
        v[p] = [0.0, -1.0];
        volume[p] = 1.0;
    }
}

/// A step: from the particles to the grid, on the grid, and back.
#[kernel]
fn step(
    x: &Field<Vector<f32, 2>>,
    v: &Field<Vector<f32, 2>>,
    c: &Field<Matrix<f32, 2, 2>>,
    volume: &Field<f32>,
    grid_v: &Field<Vector<f32, 2>>,
    grid_m: &Field<f32>,
    #[template] n: i32,
) {
    let dx = 1.0 / n;
    let dt = 2e-4 * 128.0 / n;
    let mass = dx * dx * 0.25;
    for (i, j) in grid_m {
        grid_v[(i, j)] = [0.0, 0.0];
        grid_m[(i, j)] = 0.0;
    }
    for p in x {
        let at = x[p] * n;
        let base = cast(at - 0.5, i32);
        let fx = at - base;
        let w =
            [(1.5 - fx) * (1.5 - fx) * 0.5, 0.75 - (fx - 1.0) * (fx - 1.0), (fx - 0.5) * (fx - 0.5) * 0.5];
        // Of a liquid of stiffness 400.
        let stress = -dt * 4.0 * 400.0 * mass * (volume[p] - 1.0) * n * n;
        let affine = [[stress, 0.0], [0.0, stress]] + c[p] * mass;
        for i in static_range(0..3) {
            for j in static_range(0..3) {
                let apart = ([i, j] - fx) * dx;
                let weight = w[(i, 0)] * w[(j, 1)];
                grid_v[base + [i, j]] += (v[p] * mass + affine.matmul(apart)) * weight;
                grid_m[base + [i, j]] += mass * weight;
            }
        }
    }
    for (i, j) in grid_m {
        if grid_m[(i, j)] > 0 {
            grid_v[(i, j)] /= grid_m[(i, j)];
        }
        grid_v[(i, j)].y -= dt * 9.8;
        // Nothing leaves through the walls.
        if i < 3 && grid_v[(i, j)].x < 0 || i > n - 3 && grid_v[(i, j)].x > 0 {
            grid_v[(i, j)].x = 0.0;
        }
        if j < 3 && grid_v[(i, j)].y < 0 || j > n - 3 && grid_v[(i, j)].y > 0 {
            grid_v[(i, j)].y = 0.0;
        }
    }
    for p in x {
        let at = x[p] * n;
        let base = cast(at - 0.5, i32);
        let fx = at - base;
        let w =
            [(1.5 - fx) * (1.5 - fx) * 0.5, 0.75 - (fx - 1.0) * (fx - 1.0), (fx - 0.5) * (fx - 0.5) * 0.5];
        let mut velocity = [0.0, 0.0];
        let mut gradient = [[0.0, 0.0], [0.0, 0.0]];
        for i in static_range(0..3) {
            for j in static_range(0..3) {
                let apart = ([i, j] - fx) * dx;
                let weight = w[(i, 0)] * w[(j, 1)];
                let there = grid_v[base + [i, j]];
                velocity += there * weight;
                gradient += there.outer_product(apart) * (weight * 4.0 * n * n);
            }
        }
        v[p] = velocity;
        x[p] += velocity * dt;
        volume[p] *= 1.0 + gradient.trace() * dt;
        c[p] = gradient;
    }
}

/// Steps of so many particles in a grid of n by n; gives where these are, in the unit square.
pub fn run(program: &Program, particles: usize, n: usize, steps: usize) -> Result<Vec<Vector<f32, 2>>> {
    let (x, v) = (program.field(&[particles])?, program.field(&[particles])?);
    let (c, volume) = (program.field(&[particles])?, program.field(&[particles])?);
    let (grid_v, grid_m) = (program.field(&[n, n])?, program.field(&[n, n])?);
    start(&x, &v, &volume)?;
    for _ in 0..steps {
        step(&x, &v, &c, &volume, &grid_v, &grid_m, n as i32)?;
    }
    x.to_vec()
}
