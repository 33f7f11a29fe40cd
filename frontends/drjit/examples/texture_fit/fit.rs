//! A texture that learns a picture from single points of it.

use ivy_drjit::llvm::ad::{Array2f, Array3f, Float, Texture2f};
use ivy_drjit::opt::{Adam, Optimizer};
use ivy_drjit::{AnyArray, Generator, Result, backward, cos, detach, mean, norm, rng, square};

/// The picture: waves around a point, in three colours.
///
/// # Errors
/// No memory.
pub fn picture(place: &AnyArray) -> Result<AnyArray> {
    let far = norm((place - Array2f::new([0.4, 0.6])?).ok()?)?;
    let wave = |turns: f64| (cos(&far * turns)? * 0.5 + 0.5).ok();
    Ok(Array3f::new((wave(9.0)?, wave(12.0)?, wave(15.0)?))?.into_any())
}

/// A texture under way.
pub struct Fit {
    texture: Texture2f,
    optimizer: Optimizer<Adam>,
    places: Generator,
}

impl Fit {
    /// A grey texture of so many elements a side.
    ///
    /// # Errors
    /// No memory.
    pub fn new(size: usize) -> Result<Fit> {
        let mut texture = Texture2f::new([size, size], 3)?;
        texture.set_value((texture.value() + 0.5).ok()?)?;
        let mut optimizer = Optimizer::new(Adam::new(), 0.05);
        optimizer.insert("texels", texture.value())?;
        Ok(Fit { texture, optimizer, places: rng(1)? })
    }

    /// One step by so many random points; the mean square error before it.
    ///
    /// # Errors
    /// No memory.
    pub fn step(&mut self, points: usize) -> Result<f64> {
        self.texture.set_value(self.optimizer.get("texels")?)?;
        let place = self.places.random(Array2f::TYPE, &[2, points])?;
        let found = Array3f::new(self.texture.eval_cubic(&place, true)?)?;
        let error = mean(square(found - picture(&place)?)?, ivy_drjit::Axis::All)?;
        backward(&error)?;
        self.optimizer.step()?;
        Ok(error.item(0)?.to_f64())
    }

    /// The texture as a picture of so many pixels a side.
    ///
    /// # Errors
    /// No memory.
    pub fn colours(&self, size: usize) -> Result<AnyArray> {
        let along = ((Float::TYPE.arange(0.0, size as f64, 1.0)? + 0.5) / size as f64).ok()?;
        let place = Array2f::new(ivy_drjit::meshgrid([&along, &along], false)?)?;
        Ok(detach(&Array3f::new(self.texture.eval_cubic(&place, true)?)?)?.into_any())
    }
}
