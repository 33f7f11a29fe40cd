//! Bodies that attract each other, their places and speeds side by side in a cell, or in cells of their own.

use ivy_taichi::types::PrimitiveType;
use ivy_taichi::{Field, Program, Result, Vector, kernel, types};

/// A disc that turns.
#[kernel]
fn start(at: &Field<Vector<f32, 3>>, speed: &Field<Vector<f32, 3>>) {
    for i in at {
        let angle = random() * 6.2831853;
        let radius = sqrt(random()) * 0.8 + 0.1;
        let across = cos(angle);
        let up = sin(angle);
        at[i] = [across * radius, up * radius, (random() - 0.5) * 0.05];
        speed[i] = [-up, across, 0.0] * sqrt(radius);
    }
}

#[kernel]
fn step(at: &Field<Vector<f32, 3>>, speed: &Field<Vector<f32, 3>>, n: i32, dt: f32) {
    for i in at {
        let own = at[i];
        let mut pull = [0.0, 0.0, 0.0];
        for j in 0..n {
            let apart = at[j] - own;
            let square = apart.norm_sqr() + 1e-3;
            pull += apart / (square * sqrt(square) * n);
        }
        speed[i] += pull * dt;
    }
    for i in at {
        at[i] += speed[i] * dt;
    }
}

/// How bodies stand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Place and speed of a body side by side.
    Aos,
    /// All places, then all speeds.
    Soa,
}

/// Steps of so many bodies; gives where these are.
pub fn run(program: &Program, layout: Layout, n: usize, steps: usize) -> Result<Vec<Vector<f32, 3>>> {
    let mut builder = program.fields_builder();
    let three = types::Type::vector(3, PrimitiveType::F32)?;
    let fields = [builder.field("at", three)?, builder.field("speed", three)?];
    let cells: &[&[_]] = match layout {
        Layout::Aos => &[&fields],
        Layout::Soa => &[&fields[..1], &fields[1..]],
    };
    for fields in cells {
        builder.root().dense("i", &[n as i64])?.place(fields)?;
    }
    let tree = program.build(builder.finalize()?)?;
    let (at, speed) = (tree.field(fields[0])?, tree.field(fields[1])?);
    start(&at, &speed)?;
    for _ in 0..steps {
        step(&at, &speed, n as i32, 0.02)?;
    }
    at.to_vec()
}
