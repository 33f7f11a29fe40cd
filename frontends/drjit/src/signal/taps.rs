//! Which elements of an axis make an element of the result, and with which weights.

use super::filters::{Boundary, Filter};
use super::{Convolution, refuse};
use crate::Result;
use crate::array::AnyArray;
use crate::types::VarType;

/// For each element of the result the elements and weights of its sum.
pub(super) struct Taps {
    rows: Vec<Vec<(usize, f64)>>,
}

/// Numbers of elements at which a place may be, for which a sum of weights is a number.
const LARGEST: f64 = 1e15;

impl Taps {
    /// Of an axis of `len` elements at `size` places: a smaller size makes the filter wider.
    pub(super) fn resampling(len: usize, size: usize, filter: &Filter, boundary: Boundary) -> Taps {
        let scale = len as f64 / size as f64;
        let wide = scale.max(1.0);
        let support = filter.radius() * wide;
        let row = |place: usize| {
            let centre = (place as f64 + 0.5) * scale;
            let first = (centre - support + 0.5).floor().max(-LARGEST) as i64;
            let end = (centre + support + 0.5).floor().min(LARGEST) as i64;
            let weight = |number: i64| filter.at((number as f64 - centre + 0.5) / wide);
            normalized(taken(first..end, len, boundary, weight)).0
        };
        Taps { rows: (0..size).map(row).collect() }
    }

    /// Of an axis at its own places.
    pub(super) fn convolution(
        len: usize,
        kernel: &Convolution,
        boundary: Boundary,
        normalize: bool,
    ) -> Result<Taps> {
        const NAME: &str = "convolve";
        // Weights from the last element to the first, and where the middle one stands.
        let (weights, origin): (Vec<f64>, i64) = match kernel {
            Convolution::Discrete(numbers) if numbers.is_empty() => {
                return Err(refuse(NAME, "kernel", numbers, "one number at least"));
            }
            Convolution::Discrete(numbers) => {
                let before = numbers.len() / 2;
                (numbers.iter().rev().copied().collect(), before as i64)
            }
            Convolution::Filter(filter, width) => {
                let radius = (filter.radius() * width).floor();
                if !(*width > 0.0 && radius < LARGEST.sqrt()) {
                    return Err(refuse(NAME, "width", width, "a number above 0"));
                }
                let reach = radius as i64;
                ((-reach..=reach).map(|offset| filter.at(offset as f64 / width)).collect(), reach)
            }
        };
        let row = |place: usize| {
            let first = place as i64 - origin;
            let weight = |number: i64| weights.get((number - first) as usize).copied().unwrap_or(0.0);
            let own = taken(first..first + weights.len() as i64, len, boundary, weight);
            match normalize {
                true => {
                    let (row, sum) = normalized(own);
                    let rule = "weights whose sum is not 0, to be normalised";
                    if sum == 0.0 { Err(refuse(NAME, "kernel", kernel, rule)) } else { Ok(row) }
                }
                false => Ok(own),
            }
        };
        Ok(Taps { rows: (0..len).map(row).collect::<Result<_>>()? })
    }

    /// The elements of a shape with the sums along an axis in the place of its elements.
    pub(super) fn apply(
        &self,
        function: &'static str,
        elements: &AnyArray,
        shape: &[usize],
        axis: usize,
    ) -> Result<AnyArray> {
        let ty = elements.ty();
        let (len, size) = (shape[axis], self.rows.len());
        let inner: usize = shape[axis + 1..].iter().product();
        let outer: usize = shape[..axis].iter().product();
        let many = || refuse(function, "shape", shape, "below 2^32 elements");
        let total = outer.checked_mul(size).and_then(|total| total.checked_mul(inner)).ok_or_else(many)?;
        let fits = |count: usize| u32::try_from(count).map_err(|_| many());
        let (all, inner, size) = (fits(total)?, fits(inner)?, fits(size)?);
        let len = fits(len)?;
        let index = ty.with_dtype(VarType::UInt32);
        let lane = index.counter(all as usize)?;
        let (row, beside) = match inner {
            1 => (lane.clone(), None),
            _ => (crate::floor_divide(&lane, inner)?, Some(crate::remainder(&lane, inner)?)),
        };
        let (before, place) = match outer {
            1 => (None, row),
            _ => (Some((crate::floor_divide(&row, size)? * len).ok()?), crate::remainder(&row, size)?),
        };
        // The sums' terms stand one after the other, of each for all places; shorter sums end with nothing.
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let term = |k: usize| self.rows.iter().map(move |row| row.get(k).copied().unwrap_or((0, 0.0)));
        let numbers: Vec<u32> = (0..count).flat_map(|k| term(k).map(|(number, _)| number as u32)).collect();
        let weights: Vec<f64> = (0..count).flat_map(|k| term(k).map(|(_, weight)| weight)).collect();
        let (numbers, weights) = (index.make(numbers)?, crate::detach(&ty.make(weights)?)?);
        let mut sum: Option<AnyArray> = None;
        for k in 0..count as u32 {
            let at = (&place + k * size).ok()?;
            let mut from = crate::gather(index, &numbers, &at, true)?;
            if let Some(before) = &before {
                from = (from + before).ok()?;
            }
            if let Some(beside) = &beside {
                from = (from * inner + beside).ok()?;
            }
            let weight = crate::gather(ty, &weights, &at, true)?;
            let term = (crate::gather(ty, elements, from, true)? * weight).ok()?;
            sum = Some(match sum {
                Some(sum) => (sum + term).ok()?,
                None => term,
            });
        }
        sum.map_or_else(|| ty.zeros(total), Ok)
    }
}

/// The elements of a range of numbers that are there, with their weights; those that count nothing are left out.
fn taken(
    numbers: std::ops::Range<i64>,
    len: usize,
    boundary: Boundary,
    weight: impl Fn(i64) -> f64,
) -> Vec<(usize, f64)> {
    let one = |number: i64| Some((boundary.place(number, len)?, weight(number)));
    numbers.filter_map(one).filter(|(_, weight)| *weight != 0.0).collect()
}

/// The weights over their sum, and that.
fn normalized(row: Vec<(usize, f64)>) -> (Vec<(usize, f64)>, f64) {
    let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
    let one = |(place, weight): (usize, f64)| (place, if sum == 0.0 { weight } else { weight / sum });
    (row.into_iter().map(one).collect(), sum)
}
