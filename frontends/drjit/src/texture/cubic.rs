//! Lookups by cubic B-splines, and their slopes.

use super::AnyTexture;
use super::lookup::Along;
use crate::Result;
use crate::array::{AnyArray, IntoArg};
use crate::ops::array;
use crate::types::{ArrayType, Kind, Size};

/// How often a spline is differentiated along each of three axes.
type Orders = [usize; 3];

/// Coefficients of `1, t, t^2, t^3` of the four pieces of the uniform cubic B-spline that a place sees, of its slope and of its second
/// derivative.
const PIECES: [[[f64; 4]; 4]; 3] = [
    [
        [1.0 / 6.0, -0.5, 0.5, -1.0 / 6.0],
        [2.0 / 3.0, 0.0, -1.0, 0.5],
        [1.0 / 6.0, 0.5, 0.5, -0.5],
        [0.0, 0.0, 0.0, 1.0 / 6.0],
    ],
    [[-0.5, 1.0, -0.5, 0.0], [0.0, -2.0, 1.5, 0.0], [0.5, 1.0, -1.5, 0.0], [0.0, 0.0, 0.5, 0.0]],
    [[1.0, -1.0, 0.0, 0.0], [-2.0, 3.0, 0.0, 0.0], [1.0, -3.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
];

fn polynomial(coefficients: &[f64; 4], t: &AnyArray) -> Result<AnyArray> {
    let [rest @ .., last] = coefficients;
    let start = crate::full_like(t, *last)?;
    rest.iter().rev().try_fold(start, |sum, &c| if c == 0.0 { (sum * t).ok() } else { (sum * t + c).ok() })
}

/// What a lookup along an axis needs: the numbers of four elements, and their weights for each order of derivative.
struct Axis {
    index: Vec<AnyArray>,
    weights: Vec<Vec<AnyArray>>,
}

impl AnyTexture {
    /// Each of the derivatives that are asked for, an array for each channel.
    fn splines(
        &self,
        function: &'static str,
        place: crate::Arg,
        active: crate::Arg,
        asked: &[Orders],
    ) -> Result<Vec<Vec<AnyArray>>> {
        let (place, ty) = self.place(function, place)?;
        let active = array(function, active)?;
        let highest = asked.iter().flatten().copied().max().unwrap_or(0);
        let axis = |(i, component): (usize, &AnyArray)| {
            let len = self.len_of(i);
            let along = Along::new(component, len)?;
            let index = (-1..3).map(|offset| self.wrap.wrapped((&along.first + offset).ok()?, len));
            let weights = PIECES[..=highest].iter().enumerate().map(|(order, pieces)| {
                // A step along the axis is a part of the unit.
                let scale = (len as f64).powi(order as i32);
                pieces.iter().map(|piece| polynomial(&piece.map(|c| c * scale), &along.way)).collect()
            });
            Ok(Axis { index: index.collect::<Result<_>>()?, weights: weights.collect::<Result<_>>()? })
        };
        let axes = place.iter().enumerate().map(axis).collect::<Result<Vec<_>>>()?;
        let mut sums: Vec<Vec<AnyArray>> = vec![Vec::new(); asked.len()];
        for corner in 0..4usize.pow(self.axes() as u32) {
            let digit = |i: usize| corner >> (2 * i) & 3;
            let index: Vec<&AnyArray> =
                axes.iter().enumerate().map(|(i, axis)| &axis.index[digit(i)]).collect();
            let texel = self.texel(place[0].ty(), &index, &active)?;
            for (orders, sum) in asked.iter().zip(&mut sums) {
                let weight = |i: usize| &axes[i].weights[orders[i]][digit(i)];
                let product =
                    (1..self.axes()).try_fold(weight(0).clone(), |product, i| (product * weight(i)).ok())?;
                let terms =
                    texel.iter().map(|channel| (channel * &product).ok()).collect::<Result<Vec<_>>>()?;
                *sum = match sum.is_empty() {
                    true => terms,
                    false => {
                        sum.iter().zip(terms).map(|(sum, term)| (sum + term).ok()).collect::<Result<_>>()?
                    }
                };
            }
        }
        sums.into_iter().map(|sum| sum.into_iter().map(|channel| channel.cast_to(ty)).collect()).collect()
    }

    /// What stands at a place by cubic B-splines of the four elements around it along each axis: an array for each channel. It is
    /// smoother than [`eval`](Self::eval), and does not go through the elements; the texture's filter has no part in it.
    ///
    /// # Errors
    /// As [`eval`](Self::eval).
    pub fn eval_cubic(&self, place: impl IntoArg, active: impl IntoArg) -> Result<Vec<AnyArray>> {
        let mut found = self.splines("Texture.eval_cubic", place.into_arg(), active.into_arg(), &[[0; 3]])?;
        Ok(found.pop().unwrap_or_default())
    }

    /// [`eval_cubic`](Self::eval_cubic), and how it changes with the place: an array of as many as there are axes for each channel.
    ///
    /// # Errors
    /// As [`eval`](Self::eval).
    pub fn eval_cubic_grad(
        &self,
        place: impl IntoArg,
        active: impl IntoArg,
    ) -> Result<(Vec<AnyArray>, Vec<AnyArray>)> {
        let axes = self.axes();
        let mut asked = vec![[0; 3]];
        asked.extend((0..axes).map(|i| orders([i])));
        let found = self.splines("Texture.eval_cubic_grad", place.into_arg(), active.into_arg(), &asked)?;
        let slopes = together(&found[1..])?;
        Ok((found.into_iter().next().unwrap_or_default(), slopes))
    }

    /// [`eval_cubic_grad`](Self::eval_cubic_grad), and the second derivatives: an array of rows for each channel.
    ///
    /// # Errors
    /// As [`eval`](Self::eval).
    pub fn eval_cubic_hessian(
        &self,
        place: impl IntoArg,
        active: impl IntoArg,
    ) -> Result<(Vec<AnyArray>, Vec<AnyArray>, Vec<AnyArray>)> {
        let axes = self.axes();
        let mut asked = vec![[0; 3]];
        asked.extend((0..axes).map(|i| orders([i])));
        asked.extend((0..axes).flat_map(|i| (0..axes).map(move |j| orders([i, j]))));
        let found =
            self.splines("Texture.eval_cubic_hessian", place.into_arg(), active.into_arg(), &asked)?;
        let slopes = together(&found[1..=axes])?;
        let rows = found[axes + 1..].chunks(axes).map(together).collect::<Result<Vec<_>>>()?;
        Ok((found.into_iter().next().unwrap_or_default(), slopes, together(&rows)?))
    }
}

/// Differentiated once along each of these axes.
fn orders<const N: usize>(axes: [usize; N]) -> Orders {
    let mut orders = [0; 3];
    axes.into_iter().for_each(|axis| orders[axis] += 1);
    orders
}

/// For each channel the array whose entries are the channel of each of these.
fn together(parts: &[Vec<AnyArray>]) -> Result<Vec<AnyArray>> {
    let Some(first) = parts.first() else { return Ok(Vec::new()) };
    let one = |(channel, like): (usize, &AnyArray)| {
        let ty = like.ty();
        let sizes: Vec<Size> =
            std::iter::once(Size::Fixed(parts.len() as u8)).chain(ty.sizes().iter().copied()).collect();
        let ty = ArrayType::nested(ty.package(), Kind::Array, &sizes, ty.dtype())
            .ok_or(crate::Error::NotSupported { function: "Texture", ty })?;
        ty.make(parts.iter().map(|part| part[channel].clone()).collect::<Vec<_>>())
    };
    first.iter().enumerate().map(one).collect()
}
