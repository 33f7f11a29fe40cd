//! A scene that is a distance: how far the nearest surface is from each point. Rays go on by that until they are there (J. Hart 1996), and
//! surfaces are lit by their slopes, which are the distance's gradients.

use ivy_drjit::llvm::ad::{Array2f, Array3f, Bool, Float, Int};
use ivy_drjit::{
    AnyArray, Result, abs, backward, detach, dot, enable_grad, floor, floor_divide, grad, lt, maximum,
    minimum, norm, normalize, select, sum, syntax,
};

/// How far rays are followed.
const FAR: f64 = 20.0;
/// What counts as there.
const NEAR: f64 = 1e-3;

/// The distance of points from a ball, half sunk into a ring, above a floor.
///
/// # Errors
/// No memory.
pub fn distance(point: &Array3f) -> Result<Float> {
    let ball = (norm(point)? - 1.0).ok()?;
    let around = (norm(point.xz()?)? - 1.4).ok()?;
    let ring = (norm(Array2f::new((around, (point.y()? + 0.25).ok()?))?)? - 0.25).ok()?;
    let floor = (point.y()? + 1.0).ok()?;
    // The two melt into each other where they are near.
    let blend = maximum(0.2 - abs((&ball - &ring).ok()?)?, 0)?;
    let melted = (minimum(ball, ring)? - &blend * &blend * 1.25).ok()?;
    minimum(melted, floor)?.try_into()
}

/// How far rays go until they meet something, at most a little more than [`FAR`].
#[syntax]
fn march(origin: &Array3f, direction: &Array3f) -> Result<Float> {
    let (mut far, mut steps) = (Float::new(0.02)?, Int::new(0)?);
    let mut near = distance(&(direction * &far + origin).get()?)?;
    while near > NEAR && far < FAR && steps < 100 {
        let point = (direction * &far + origin).get()?;
        near = distance(&point)?;
        far += &near;
        steps += 1;
    }
    Ok(far)
}

/// What is seen of the scene.
pub struct View {
    /// How far the surface is that a pixel shows.
    pub far: Float,
    /// The slopes of surfaces.
    pub normal: Array3f,
    /// Red, green and blue.
    pub colour: AnyArray,
}

/// A square picture of so many pixels a side, by rows.
///
/// # Errors
/// No memory.
pub fn render(size: usize) -> Result<View> {
    let numbers = Int::TYPE.arange(0.0, (size * size) as f64, 1.0)?;
    let along = |number: AnyArray| ((number.cast_to(Float::TYPE)? + 0.5) * (2.0 / size as f64) - 1.0).ok();
    let (x, y) = (along((&numbers % size as i32).ok()?)?, along(floor_divide(&numbers, size as i32)?)?);
    // From above, before the ball: what is in the middle of the picture is the origin.
    let eye = Array3f::new([0.0, 1.5, -4.0])?;
    let (ahead, up) = (normalize(-&eye)?, normalize(Array3f::new([0.0, 4.0, 1.5])?)?);
    let right = Array3f::new([1, 0, 0])?;
    let direction: Array3f = normalize(&ahead + &right * x * 0.6 - &up * y * 0.6)?.try_into()?;
    let far = march(&eye, &direction)?;
    let seen: Bool = lt(&far, FAR)?.try_into()?;
    let point: Array3f = (&direction * &far + &eye).get()?;

    let point = enable_grad(&point)?;
    backward(&sum(distance(&point)?, ())?)?;
    let normal: Array3f = normalize(grad(&point)?)?.try_into()?;
    let point = detach(&point)?;

    let light = normalize(Array3f::new([1.0, 2.0, -1.5])?)?;
    // A little outside of the surface, so that it does not shade itself.
    let start: Array3f = (&normal * 0.02 + &point).get()?;
    let lit =
        select(lt(march(&start, &Array3f::new(&light)?)?, FAR)?, 0.0, maximum(dot(&normal, &light)?, 0)?)?;
    let tiles = (floor(point.x()? * 2.0)? + floor(point.z()? * 2.0)?).ok()?;
    let squares = (tiles.cast_to(Int::TYPE)? & 1).ok()?;
    let floor = lt(point.y()?, -0.99)?;
    let paint =
        select(floor, Array3f::new([0.7, 0.7, 0.7])? - squares * 0.4, Array3f::new([0.9, 0.35, 0.15])?)?;
    let sky = Array3f::new([0.55, 0.7, 0.95])?;
    let colour = select(&seen, paint * (lit * 0.85 + 0.15), sky)?;
    Ok(View { far, normal, colour })
}
