//! Fits a texture to a picture by gradient descent: `cargo run --release -p ivy-frontend-drjit --example texture_fit [STEPS]`.

mod fit;
// Each example uses a part of it.
#[path = "../picture/mod.rs"]
#[allow(dead_code)]
mod picture;

use ivy_backend_jit as _;
use ivy_backend_ndarray as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steps = std::env::args().nth(1).map_or(Ok(200), |steps| steps.parse())?;
    let mut fit = fit::Fit::new(32)?;
    for step in 0..steps {
        let error = fit.step(4096)?;
        if step % 20 == 0 {
            println!("step {step}: mean square error {error:.2e}");
        }
    }
    let path = std::path::Path::new("texture_fit.png");
    picture::write(path, 256, &fit.colours(256)?)?;
    println!("{}", path.display());
    Ok(())
}
