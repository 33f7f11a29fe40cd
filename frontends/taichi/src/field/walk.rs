//! All elements of a field, one after the other, as the host goes through them.

use super::in_use::InUse;
use crate::ir::{Digit, FieldInfo};

/// An element.
pub struct At<'a> {
    /// Its number in row-major order.
    pub number: usize,
    /// Its indices, counted from 0.
    pub indices: &'a [i64],
    /// Where it is, in elements of memory from the first of the field's.
    pub place: i64,
}

/// What each index of an axis adds to a sum over the digits of all axes, of which each has a weight.
fn tables(info: &FieldInfo, weight: impl Fn(usize, &Digit) -> i64) -> Vec<Vec<i64>> {
    let of = |axis: usize, index: i64| {
        let own = info.digits.iter().enumerate().filter(|(_, digit)| digit.axis == axis);
        own.map(|(n, digit)| index / digit.below % digit.count * weight(n, digit)).sum()
    };
    let axes = info.shape.iter().enumerate();
    axes.map(|(axis, &extent)| (0..extent).map(|index| of(axis, index)).collect()).collect()
}

/// Calls a function with each element that is in use, in row-major order.
pub fn each(info: &FieldInfo, in_use: &InUse, mut f: impl FnMut(At<'_>)) {
    let places = tables(info, |_, digit| digit.stride);
    let level = in_use.level(info);
    // A cell's number is the sum of its digits by the cells behind them.
    let cells = level.map(|level| {
        let behind = |n: usize| info.digits[n + 1..level.digits.max(n + 1)].iter().map(|d| d.count).product();
        tables(info, |n, _| if n < level.digits { behind(n) } else { 0 })
    });
    let axes = info.shape.len();
    let count = info.shape.iter().product::<i64>() as usize;
    let (mut indices, mut sums) = (vec![0i64; axes], vec![(0i64, 0i64); axes + 1]);
    let mut first = 0;
    for number in 0..count {
        for axis in first..axes {
            let index = indices[axis] as usize;
            let cell = cells.as_ref().map_or(0, |cells| cells[axis][index]);
            sums[axis + 1] = (sums[axis].0 + places[axis][index], sums[axis].1 + cell);
        }
        let (place, cell) = sums[axes];
        if level.is_none_or(|level| in_use.has_cell(level, cell)) {
            f(At { number, indices: &indices, place });
        }
        first = axes;
        while first > 0 {
            first -= 1;
            indices[first] += 1;
            if indices[first] < info.shape[first] {
                break;
            }
            indices[first] = 0;
        }
    }
}
