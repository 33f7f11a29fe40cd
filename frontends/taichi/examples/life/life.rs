//! The game of life, on a grid whose ends meet.

use ivy_taichi::{Field, Program, Result, func, kernel};

#[kernel]
fn scatter(cells: &Field<i32>, share: f32) {
    for (i, j) in cells {
        cells[(i, j)] = random() < share;
    }
}

#[func]
fn neighbours(cells: &Field<i32>, i: i32, j: i32) -> i32 {
    let mut count = 0;
    for k in static_range(-1..2) {
        for l in static_range(-1..2) {
            if static_if(k != 0 || l != 0) {
                count += cells[((i + k) % cells.shape[0], (j + l) % cells.shape[1])];
            }
        }
    }
    count
}

#[kernel]
fn step(cells: &Field<i32>, next: &Field<i32>) {
    for (i, j) in cells {
        let count = neighbours(cells, i, j);
        next[(i, j)] = if cells[(i, j)] == 1 { count == 2 || count == 3 } else { count == 3 };
    }
    for p in grouped(cells) {
        cells[p] = next[p];
    }
}

/// Shows so many generations of n by n cells, of which the first is random, or given by rows.
pub fn run(
    program: &Program,
    n: usize,
    first: Option<&[i32]>,
    generations: usize,
    mut show: impl FnMut(&[i32]),
) -> Result<()> {
    let (cells, next) = (program.field::<i32>(&[n, n])?, program.field::<i32>(&[n, n])?);
    match first {
        Some(first) => cells.from_slice(first)?,
        None => scatter(&cells, 0.3)?,
    }
    for _ in 0..generations {
        show(&cells.to_vec()?);
        step(&cells, &next)?;
    }
    Ok(())
}
