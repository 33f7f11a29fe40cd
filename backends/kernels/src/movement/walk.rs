//! Walking the indices of a shape, and simplifying pairs of layouts.

use ivy_core::Dims;

/// The indices of a shape in row-major order, with an offset for each of `N` layouts.
pub(super) struct Odometer<'a, const N: usize> {
    shape: &'a [usize],
    strides: [&'a [isize]; N],
    pub index: Dims,
    pub offsets: [isize; N],
}

impl<'a, const N: usize> Odometer<'a, N> {
    /// At index number `flat` of a shape without empty axes.
    pub fn at(shape: &'a [usize], strides: [&'a [isize]; N], mut flat: usize) -> Odometer<'a, N> {
        let mut walk = Odometer { shape, strides, index: Dims::from_elem(0, shape.len()), offsets: [0; N] };
        for axis in (0..shape.len()).rev() {
            walk.index[axis] = flat % shape[axis];
            flat /= shape[axis];
            for (offset, strides) in walk.offsets.iter_mut().zip(strides) {
                *offset += strides[axis] * walk.index[axis] as isize;
            }
        }
        walk
    }

    /// On to the next index; after the last comes the first.
    #[inline]
    pub fn step(&mut self) {
        for axis in (0..self.shape.len()).rev() {
            self.index[axis] += 1;
            if self.index[axis] < self.shape[axis] {
                for (offset, strides) in self.offsets.iter_mut().zip(self.strides) {
                    *offset += strides[axis];
                }
                return;
            }
            let back = self.index[axis] as isize - 1;
            for (offset, strides) in self.offsets.iter_mut().zip(self.strides) {
                *offset -= strides[axis] * back;
            }
            self.index[axis] = 0;
        }
    }
}

/// One axis of a copy: its length, and the strides where elements go and come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub len: usize,
    pub to: isize,
    pub from: isize,
}

/// The axes of a copy, the fastest in the target last, and where to start on both sides.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub axes: Dims<Axis>,
    pub to: isize,
    pub from: isize,
}

impl Plan {
    /// Axes of one element go, target strides become positive and descend, and axes that follow
    /// each other on both sides merge: the fewest and longest runs. No axis may be empty.
    pub fn new(shape: &[usize], to: &[isize], from: &[isize]) -> Plan {
        let mut plan = Plan { axes: Dims::new(), to: 0, from: 0 };
        for ((&len, &to), &from) in shape.iter().zip(to).zip(from).filter(|((len, _), _)| **len != 1) {
            let mut axis = Axis { len, to, from };
            if to < 0 {
                plan.to += to * (len as isize - 1);
                plan.from += from * (len as isize - 1);
                axis = Axis { len, to: -to, from: -from };
            }
            plan.axes.push(axis);
        }
        plan.axes.sort_by_key(|axis| std::cmp::Reverse(axis.to));
        let mut merged: Dims<Axis> = Dims::new();
        for &axis in &plan.axes {
            let n = axis.len as isize;
            match merged.last_mut() {
                Some(last) if last.to == axis.to * n && last.from == axis.from.wrapping_mul(n) => {
                    *last = Axis { len: last.len * axis.len, ..axis };
                }
                _ => merged.push(axis),
            }
        }
        plan.axes = merged;
        plan
    }
}

/// True if no two indices of a shape stand at the same place, as far as strides alone tell.
pub(super) fn is_injective(shape: &[usize], strides: &[isize]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut axes: Dims<(usize, usize)> =
        shape.iter().zip(strides).filter(|(n, _)| **n != 1).map(|(&n, s)| (s.unsigned_abs(), n)).collect();
    axes.sort_unstable();
    let mut reach = 0u128;
    axes.iter().all(|&(stride, len)| {
        let clear = stride as u128 > reach;
        reach += stride as u128 * (len as u128 - 1);
        clear
    })
}
