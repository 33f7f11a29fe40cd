//! Draws the Mandelbrot set: `cargo run --release -p ivy-frontend-drjit --example mandelbrot [WIDTH [symbolic|evaluated]]`.

// Each example uses a part of it.
#[path = "../picture/mod.rs"]
#[allow(dead_code)]
mod picture;
mod render;

use ivy_backend_jit as _;
use ivy_backend_ndarray as _;
use ivy_drjit::{Mode, Package};

const MOST: i32 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let width = arguments.next().map_or(Ok(768), |width| width.parse())?;
    let mode = match arguments.next().as_deref() {
        Some("evaluated") => Mode::Evaluated,
        _ => Mode::Symbolic,
    };
    let iterations = render::escape(&render::plane(Package::LLVM, width)?, MOST, mode)?;
    let path = std::path::Path::new("mandelbrot.png");
    picture::write(path, width, &render::colours(&iterations, MOST)?)?;
    println!("{}", path.display());
    Ok(())
}
