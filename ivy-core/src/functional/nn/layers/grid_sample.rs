//! Grid sampling and affine grids.

use super::{invalid, mismatch, ordered};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::nn::{downcast, upcast};
use crate::functional::{
    Arange, abs, add, arange, astype, clip, divide, floor, greater_equal, less_equal, logical_and, multiply,
    reshape, round, squeeze, subtract, where_,
};
use crate::{Dims, Dtype, Op, Result, Shape, params, primitive};
use smallvec::smallvec;

/// How [`grid_sample`] computes what is between elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SampleMode {
    /// Linearly along each axis.
    #[default]
    Bilinear,
    /// The nearest element; of two at one distance that with the even number.
    Nearest,
    /// By cubic polynomials (with the parameter -0.75) of four elements along each axis; of two axes only.
    Bicubic,
}

param_words! { SampleMode: "bilinear" => Bilinear, "nearest" => Nearest, "bicubic" => Bicubic }

/// What [`grid_sample`] finds outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SamplePadding {
    /// Zeros.
    #[default]
    Zeros,
    /// The nearest element of the border.
    Border,
    /// The elements mirrored at the border, as often as needed.
    Reflection,
}

param_words! { SamplePadding: "zeros" => Zeros, "border" => Border, "reflection" => Reflection }

params! {
    /// Keyword arguments of [`grid_sample`].
    pub struct GridSample {
        /// What is between elements.
        mode: SampleMode = SampleMode::Bilinear,
        /// What is outside.
        padding_mode: SamplePadding = SamplePadding::Zeros,
        /// -1 and 1 are the centres of the first and the last element, and not their outer edges.
        flag align_corners,
    }
}

params! {
    /// Arguments of [`affine_grid`].
    pub struct AffineGrid {
        /// The shape of the images, `[n, c, ...]`; an argument of the function.
        size: Shape = Shape::from([1, 1, 1, 1]),
        /// -1 and 1 are the centres of the first and the last element, and not their outer edges.
        flag align_corners,
    }
}

describe! {
    GRID_SAMPLE = "grid_sample", Layer, Mixed, (x: Promoted, grid: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(32.0), params: GridSample::new(), example: [&[1, 1, 2, 3], &[1, 2, 2, 2]],
    Body::Compose(compose_sample)
}

/// An element that a sample is made of, along one axis: the number of each one, what it counts, and whether it is there.
struct Tap {
    index: Array,
    weight: Option<Array>,
    there: Option<Array>,
}

impl GridSample {
    /// Places within an axis of `n` elements, where they are mirrored or moved to.
    fn padded(&self, place: Array, n: usize) -> Result<Array> {
        let (end, edge) = (n as f64 - 1.0, if self.align_corners { 0.0 } else { -0.5 });
        let within = |x: Array| clip(x, 0.0, end);
        match self.padding_mode {
            SamplePadding::Zeros => Ok(place),
            SamplePadding::Border => within(place),
            SamplePadding::Reflection if end - 2.0 * edge == 0.0 => multiply(place, 0.0),
            SamplePadding::Reflection => {
                // Of two mirrors one after the other, the image is repeated.
                let period = 2.0 * (end - 2.0 * edge);
                let from = subtract(place, edge)?;
                let turns = floor(divide(&from, period)?)?;
                let once = subtract(from, multiply(turns, period)?)?;
                let mirrored = subtract(period / 2.0, abs(subtract(once, period / 2.0)?)?)?;
                within(add(mirrored, edge)?)
            }
        }
    }

    /// The element at whole places.
    fn tap(&self, place: Array, weight: Option<Array>, n: usize) -> Result<Tap> {
        let end = n as f64 - 1.0;
        let there = logical_and(greater_equal(&place, 0.0)?, less_equal(&place, end)?)?;
        let index = astype(clip(place, 0.0, end)?, Dtype::INT64)?;
        Ok(Tap { index, weight, there: Some(there) })
    }

    /// The elements along an axis of `n` elements at coordinates from -1 to 1.
    fn taps(&self, grid: &Array, n: usize) -> Result<Vec<Tap>> {
        let size = n as f64;
        let place = match self.align_corners {
            true => multiply(add(grid, 1.0)?, (size - 1.0) / 2.0)?,
            false => divide(subtract(multiply(add(grid, 1.0)?, size)?, 1.0)?, 2.0)?,
        };
        match self.mode {
            SampleMode::Nearest => Ok(vec![self.tap(round(self.padded(place, n)?)?, None, n)?]),
            SampleMode::Bilinear => {
                let place = self.padded(place, n)?;
                let first = floor(&place)?;
                let part = subtract(&place, &first)?;
                let before = self.tap(first.clone(), Some(subtract(1.0, &part)?), n)?;
                Ok(vec![before, self.tap(add(first, 1.0)?, Some(part), n)?])
            }
            SampleMode::Bicubic => {
                let first = floor(&place)?;
                let part = subtract(&place, &first)?;
                let tap = |k: i32| {
                    let weight = cubic(&abs(subtract(&part, f64::from(k))?)?, !(0..=1).contains(&k))?;
                    // Whole places stay whole: those of mirrors are whole or halves.
                    self.tap(self.padded(add(&first, f64::from(k))?, n)?, Some(weight), n)
                };
                (-1..=2).map(tap).collect()
            }
        }
    }
}

/// What an element at a distance counts: up to 1, or from 1 to 2.
fn cubic(distance: &Array, far: bool) -> Result<Array> {
    const A: f64 = -0.75;
    let factors = if far { [A, -5.0 * A, 8.0 * A, -4.0 * A] } else { [A + 2.0, -(A + 3.0), 0.0, 1.0] };
    let start = add(multiply(distance, factors[0])?, factors[1])?;
    factors[2..].iter().try_fold(start, |y, &f| add(multiply(y, distance)?, f))
}

/// Numbers along one of some axes.
fn column(values: Array, axis: usize, axes: usize) -> Result<Array> {
    let mut shape = Dims::from_elem(1, axes);
    shape[axis] = values.size();
    reshape(values, Shape::from(shape), ())
}

fn compose_sample(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<GridSample>());
    let (x, grid) = (call.array(0), call.array(1));
    let n = x.ndim();
    if !(3..=5).contains(&n) {
        return Err(mismatch(function, "x", "a batch, channels and one to three spatial axes".into(), x));
    }
    let axes = n - 2;
    let lens = &x.shape()[2..];
    if grid.ndim() != n || grid.shape()[n - 1] != axes || grid.shape()[0] != x.shape()[0] {
        let expected = format!("{n} axes, from the batch of {} to {axes} coordinates,", x.shape()[0]);
        return Err(mismatch(function, "grid", expected, grid));
    }
    if p.mode == SampleMode::Bicubic && axes != 2 {
        let value = format!("bicubic for {axes} spatial axes");
        return Err(invalid(
            function,
            "mode",
            value,
            "one that there is for so many axes: bilinear, nearest",
        ));
    }
    let out = &grid.shape()[1..n - 1];
    if lens.contains(&0) && grid.size() > 0 {
        return Err(mismatch(function, "x", "spatial axes with elements".into(), x));
    }
    let (count, channels) = (x.shape()[0], x.shape()[1]);
    let result: Shape = [count].iter().chain(out).chain(&[channels]).copied().collect();
    result.checked_size(function, call.compute)?;
    let (x, grid) = (upcast(x)?, upcast(grid)?);
    // The last axis has the first coordinate.
    let mut taps = Vec::new();
    for (axis, &len) in lens.iter().enumerate() {
        let one =
            crate::functional::manipulation::slice_along(function, &grid, n - 1, axes - 1 - axis, 1, 1)?;
        taps.push(p.taps(&squeeze(one, -1)?, len)?);
    }
    let last: Dims = [0].into_iter().chain(2..n).chain([1]).collect();
    let pixels: usize = lens.iter().product();
    let flat = reshape(ordered(&x, &last)?, [count * pixels, channels].map(|n| n as i64), ())?;
    let batch = multiply(arange(count, Arange::new().dtype(Dtype::INT64))?, pixels as i64)?;
    let batch = column(batch, 0, n - 1)?;
    let behind: Shape = [count].iter().chain(out).chain(&[1]).copied().collect();
    let mut total: Option<Array> = None;
    for choice in 0..taps.iter().map(Vec::len).product::<usize>() {
        let (mut index, mut weight, mut there, mut left) =
            (None::<Array>, None::<Array>, None::<Array>, choice);
        for (taps, &len) in taps.iter().zip(lens) {
            let tap = &taps[left % taps.len()];
            left /= taps.len();
            index = Some(match index {
                Some(index) => add(multiply(index, len as i64)?, &tap.index)?,
                None => tap.index.clone(),
            });
            let both =
                |all: Option<Array>, own: &Option<Array>, join: fn(Array, &Array) -> Result<Array>| match (
                    all, own,
                ) {
                    (Some(all), Some(own)) => join(all, own).map(Some),
                    (all, own) => Ok(all.or_else(|| own.clone())),
                };
            weight = both(weight, &tap.weight, |a, b| multiply(a, b))?;
            there = both(there, &tap.there, |a, b| logical_and(a, b))?;
        }
        let Some(index) = index else { continue };
        let index = add(index, &batch)?;
        let mut part = primitive::run(function, &Op::Gather { axes: 1 }, &[&flat, &index])?;
        if let Some(there) = there {
            part = where_(reshape(there, &behind, ())?, part, 0.0)?;
        }
        if let Some(weight) = weight {
            part = multiply(part, reshape(weight, &behind, ())?)?;
        }
        total = Some(match total {
            Some(total) => add(total, part)?,
            None => part,
        });
    }
    let first: Dims = [0, n - 1].into_iter().chain(1..n - 1).collect();
    let sums = total.as_ref().unwrap_or(&flat);
    Ok(smallvec![downcast(ordered(sums, &first)?, call.compute)?])
}

/// Grid sampling: images `[n, c, ...]` with one to three spatial axes, sampled at the places of a grid `[n, ..., k]`:
/// the result is `[n, c, ...]` with the grid's spatial axes. A place has a coordinate for each spatial axis, that of
/// the last axis first, where -1 is the beginning of the axis and 1 its end.
///
/// ```
/// use ivy::{GridSample, SampleMode, SamplePadding, prelude::*};
/// let x = Array::try_from([[[[1.0f32, 2.0], [3.0, 4.0]]]])?;
/// let grid = Array::try_from([[[[0.0f32, 0.0], [-1.0, -1.0]]]])?;
/// assert_eq!(ivy::grid_sample(&x, &grid, ())?.to_vec::<f32>()?, [2.5, 0.25]);
/// let border = GridSample::new().padding_mode(SamplePadding::Border);
/// assert_eq!(ivy::grid_sample(&x, &grid, border)?.to_vec::<f32>()?, [2.5, 1.0]);
/// let nearest = GridSample::new().mode(SampleMode::Nearest).align_corners();
/// assert_eq!(ivy::grid_sample(&x, &grid, nearest)?.to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for another number of axes, a grid that does not fit, and images
/// without elements; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for `bicubic` unless there are two spatial
/// axes; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn grid_sample<'a, 'b>(
    x: impl IntoOperand<'a>,
    grid: impl IntoOperand<'b>,
    params: impl Into<GridSample>,
) -> Result<Array> {
    call_one(&GRID_SAMPLE, &[x.into_operand(), grid.into_operand()], &params.into())
}

describe! {
    AFFINE_GRID = "affine_grid", Layer, Mixed, (theta: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: AffineGrid::new().size([1, 1, 2, 3]), example: [&[1, 2, 3]],
    Body::Compose(compose_grid)
}

fn compose_grid(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p, theta) = (call.function.name, call.params::<AffineGrid>(), call.array(0));
    let n = p.size.len();
    if !(3..=5).contains(&n) {
        let rule = "a batch, channels and one to three spatial axes";
        return Err(invalid(function, "size", p.size.to_string(), rule));
    }
    let (axes, count) = (n - 2, p.size[0]);
    if theta.shape()[..] != [count, axes, axes + 1] {
        return Err(mismatch(function, "theta", format!("({count}, {axes}, {})", axes + 1), theta));
    }
    let lens = &p.size[2..];
    let shape: Shape = [count].iter().chain(lens).chain(&[axes]).copied().collect();
    shape.checked_size(function, Dtype::FLOAT64)?;
    let theta = upcast(theta)?;
    // Each column of the matrices, for all places.
    let of = |k: usize| {
        let one = crate::functional::manipulation::slice_along(function, &theta, 2, k, 1, 1)?;
        let mut to = Dims::from_elem(1, n);
        (to[0], to[n - 1]) = (count, axes);
        reshape(one, Shape::from(to), ())
    };
    let mut grid = of(axes)?;
    for k in 0..axes {
        let axis = axes - 1 - k;
        let len = lens[axis];
        Shape::from([len]).checked_size(function, Dtype::FLOAT64)?;
        let place = |i: usize| match p.align_corners {
            true if len == 1 => 0.0,
            true => 2.0 * i as f64 / (len as f64 - 1.0) - 1.0,
            false => (2.0 * i as f64 + 1.0) / len as f64 - 1.0,
        };
        let places = Array::from_vec((0..len).map(place).collect::<Vec<f64>>(), len)?;
        let places = if theta.dtype() == Dtype::FLOAT64 { places } else { astype(places, theta.dtype())? };
        grid = add(grid, multiply(of(k)?, column(places, axis + 1, n)?)?)?;
    }
    Ok(smallvec![downcast(grid, call.compute)?])
}

/// Affine sampling grid: the places at which [`grid_sample`] turns, moves and stretches images of a size `[n, c, ...]`:
/// `[n, ..., k]`, each place of the images, with its coordinates from -1 to 1 and a 1 behind them, multiplied by the
/// image's matrix of `theta`, `[n, k, k + 1]`.
///
/// ```
/// use ivy::{AffineGrid, prelude::*};
/// let theta = Array::try_from([[[1.0f32, 0.0, 0.5], [0.0, 2.0, 0.0]]])?;
/// let grid = ivy::affine_grid(&theta, [1, 1, 2, 2], AffineGrid::new().align_corners())?;
/// assert_eq!(grid.to_vec::<f32>()?, [-0.5, -2.0, 1.5, -2.0, -0.5, 2.0, 1.5, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a size without one to three spatial axes,
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that do not fit,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex
/// numbers.
pub fn affine_grid<'a>(
    theta: impl IntoOperand<'a>,
    size: impl Into<Shape>,
    params: impl Into<AffineGrid>,
) -> Result<Array> {
    call_one(&AFFINE_GRID, &[theta.into_operand()], &params.into().size(size))
}
