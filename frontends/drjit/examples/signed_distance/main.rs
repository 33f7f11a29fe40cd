//! Draws a scene given by its distances: `cargo run --release -p ivy-frontend-drjit --example signed_distance [SIZE]`.

// Each example uses a part of it.
#[path = "../picture/mod.rs"]
#[allow(dead_code)]
mod picture;
// The tests look at more of a view than its colours.
#[allow(dead_code)]
mod render;

use ivy_backend_jit as _;
use ivy_backend_ndarray as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = std::env::args().nth(1).map_or(Ok(512), |size| size.parse())?;
    let view = render::render(size)?;
    let path = std::path::Path::new("signed_distance.png");
    picture::write(path, size, &view.colour)?;
    println!("{}", path.display());
    Ok(())
}
