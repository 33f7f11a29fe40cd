//! An image filter in NumPy's words: a blur, the edges of what is left, and a picture of both. It is the twin of
//! `examples/frontends/numpy_filter.py`, line by line.
//!
//! On every backend that is named, or on all of the program's, the filter runs and the results are compared; the picture is
//! that of the last one.
//!
//! ```text
//! cargo run -p ivy-frontend-numpy --example filter -- [--out FILE.png]      (the reference)
//! cargo run --example numpy_filter -- [BACKEND ...] [--out FILE.png]         (the same with every backend)
//! ```

mod inflate;
pub mod png;

use ivy_backend_ndarray as _;
use ivy_core::backend::backends;
use ivy_core::with_backend;
use ivy_frontend_numpy as np;
use np::{Methods, NdArray, kw};
use png::Picture;
use std::error::Error;
use std::path::Path;

/// Below the repository's root.
const ASTRONAUT: &str = "examples/data/astronaut.png";

/// The image under a kernel along an axis, with its edges repeated.
fn filtered(kernel: &[f64], image: &NdArray, axis: usize) -> ivy_core::Result<NdArray> {
    let half = kernel.len() / 2;
    let widths: Vec<(usize, usize)> =
        (0..image.ndim()).map(|a| if a == axis { (half, half) } else { (0, 0) }).collect();
    let wide = np::pad(image, widths, kw! { mode: "edge" })?;
    let length = image.shape()[axis];
    let mut total = np::zeros_like(image, ())?;
    for (i, &weight) in kernel.iter().enumerate() {
        let part = np::take(&wide, np::arange(kw! { start: i, stop: i + length })?, kw! { axis: axis })?;
        total = (&total + &part * weight).ok()?;
    }
    Ok(total)
}

/// A Gaussian blur of both axes.
fn blur(image: &NdArray, sigma: f64) -> ivy_core::Result<NdArray> {
    let reach = (3.0 * sigma) as i64;
    let places = np::arange(kw! { start: -reach, stop: reach + 1 })?;
    let kernel = np::exp((np::square((&places / sigma).ok()?, ())? * -0.5).ok()?, ())?;
    let kernel = (&kernel / kernel.sum(())?).ok()?.to_vec::<f64>()?;
    filtered(&kernel, &filtered(&kernel, image, 0)?, 1)
}

/// The slope of the light, by Sobel's kernels.
fn edges(gray: &NdArray) -> ivy_core::Result<NdArray> {
    let down = filtered(&[1.0, 2.0, 1.0], &filtered(&[-1.0, 0.0, 1.0], gray, 0)?, 1)?;
    let across = filtered(&[1.0, 2.0, 1.0], &filtered(&[-1.0, 0.0, 1.0], gray, 1)?, 0)?;
    np::hypot(down, across, ())
}

/// The blurred image, darker where its light changes: uint8 of shape `[height, width, 3]`, as the image is.
pub fn picture(image: &NdArray) -> ivy_core::Result<NdArray> {
    let smooth = blur(&image.astype("float64", ())?, 2.0)?;
    let slope = edges(&np::matmul(&smooth, np::array([0.299, 0.587, 0.114], ())?, ())?)?;
    let steepness = (&slope / np::percentile(&slope, 98, ())?).ok()?;
    let shade = (1.0f64 - &np::clip(steepness, kw! { a_min: 0.0, a_max: 1.0 })?).ok()?;
    let shaded = (&smooth * np::expand_dims(shade, -1, ())?).ok()?;
    np::round(np::clip(shaded, kw! { a_min: 0, a_max: 255 })?, ())?.astype("uint8", ())
}

/// The filter on a picture's bytes, on the current backend.
pub fn shown(source: &Picture) -> ivy_core::Result<Vec<u8>> {
    let image = np::array(source.pixels.clone(), kw! { dtype: "uint8" })?;
    picture(&image.reshape([source.height, source.width, 3], ())?)?.to_vec::<u8>()
}

/// The backends that are named, or all of the program's that can run, and the file to write.
fn arguments() -> Result<(Vec<String>, String), String> {
    let (mut names, mut out) = (Vec::new(), "numpy_filter.png".to_string());
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--out" => out = given.next().ok_or("--out needs a value")?,
            name if name.starts_with('-') => return Err(format!("there is no option {name}")),
            name => names.push(name.into()),
        }
    }
    if names.is_empty() {
        names = backends().into_iter().filter(|b| b.instance.is_ok()).map(|b| b.name.into()).collect();
    }
    Ok((names, out))
}

/// Runs the filter on each backend, compares, and writes the picture.
#[cfg_attr(test, allow(dead_code, reason = "tests call the parts"))]
pub fn main() -> Result<(), Box<dyn Error>> {
    let (names, out) = arguments()?;
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let file = folders.map(|folder| folder.join(ASTRONAUT)).find(|file| file.is_file());
    let source = png::read(&std::fs::read(file.ok_or(ASTRONAUT.to_string() + " is missing")?)?)?;
    let mut first: Option<Vec<u8>> = None;
    for name in &names {
        let found = with_backend(name, || shown(&source))??;
        let first = first.get_or_insert_with(|| found.clone());
        let apart = first.iter().zip(&found).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        println!("{name}: {} x {}, {apart} apart from {} at most", source.height, source.width, names[0]);
        if apart > 1 {
            return Err(format!("{name} has another picture than {}", names[0]).into());
        }
        std::fs::write(&out, png::write(&Picture { pixels: found, ..source }))?;
    }
    println!("{out} is written");
    Ok(())
}
