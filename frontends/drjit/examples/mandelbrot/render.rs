//! The Mandelbrot set: how often numbers can be squared and added to until they are far away.

use ivy_drjit::{AnyArray, ArrayType, Mode, Package, Result, VarType, cos, gt, select, syntax};

/// How often each of complex numbers goes round until it is beyond 2, at most `most` times.
///
/// # Errors
/// No memory.
#[syntax(mode = mode)]
pub fn escape(c: &AnyArray, most: i32, mode: Mode) -> Result<AnyArray> {
    let whole = c.real()?.ty().int32_array_t()?;
    let (mut z, mut iterations) = (c.clone(), whole.make(0)?);
    let four = 4.0;
    while ivy_drjit::squared_norm(&z)? < four && iterations < most {
        z = (&z * &z + c).ok()?;
        iterations += 1;
    }
    Ok(iterations)
}

/// The numbers of a picture of so many pixels, three by two, by rows.
///
/// # Errors
/// No memory.
pub fn plane(package: Package, width: usize) -> Result<AnyArray> {
    let height = width * 2 / 3;
    let flat = ArrayType::flat(package, VarType::Float32);
    let x = flat.linspace(-2.0, 1.0, width, false)?;
    let y = flat.linspace(-1.0, 1.0, height, false)?;
    let grid = ivy_drjit::meshgrid([&x, &y], false)?;
    let ty: ArrayType = format!("drjit.{package}.Complex2f").parse()?;
    ty.make((grid[0].clone(), grid[1].clone()))
}

/// Colours of how often numbers went round: black for those that never ended.
///
/// # Errors
/// No memory.
pub fn colours(iterations: &AnyArray, most: i32) -> Result<AnyArray> {
    let part = (iterations.cast_to(iterations.ty().float32_array_t()?)? / f64::from(most)).ok()?;
    let wave = |phase: f64| (cos(&part * 18.0 + phase)? * 0.5 + 0.5).ok();
    let ty: ArrayType = format!("drjit.{}.Array3f", iterations.ty().package()).parse()?;
    let bright = ty.make((wave(3.0)?, wave(3.6)?, wave(4.2)?))?;
    select(gt(&part, 0.999)?, 0.0, bright)
}
