//! The arrays of a plan, from operands to the result.

use super::plan::{Index, Plan};
use crate::functional::manipulation::slice_axes;
use crate::functional::{Sum, matmul, multiply, permute_dims, reshape, squeeze, sum};
use crate::{Array, AxisSlice, Dims, Result, Shape};

/// An array and the index of each of its axes.
struct Indexed {
    array: Array,
    axes: Vec<Index>,
}

pub(super) fn run(function: &'static str, plan: &Plan, arrays: Vec<Array>) -> Result<Array> {
    let mut left = Vec::new();
    for (array, axes) in arrays.into_iter().zip(&plan.operands) {
        let x = Indexed { array, axes: axes.clone() }.without_ones(plan)?;
        left.push(x.without_repeats(function)?);
    }
    for i in 0..left.len() {
        let needed = |index: Index| {
            plan.output.contains(&index)
                || left.iter().enumerate().any(|(k, x)| k != i && x.axes.contains(&index))
        };
        left[i] = left[i].summed(needed)?;
    }
    for &(i, j) in &plan.pairs {
        let (b, a) = (left.remove(j), left.remove(i));
        let target: Vec<Index> = match left.is_empty() {
            true => plan.output.clone(),
            false => {
                let all = a.axes.iter().chain(b.axes.iter().filter(|index| !a.axes.contains(index)));
                let needed = |i: &&Index| plan.output.contains(i) || left.iter().any(|x| x.axes.contains(i));
                all.filter(needed).copied().collect()
            }
        };
        left.push(product(plan, &a, &b, &target)?);
    }
    left.remove(0).ordered(&plan.output)
}

impl Indexed {
    /// Axes of length 1 whose index is longer elsewhere are the same for all of it: they are left out.
    fn without_ones(self, plan: &Plan) -> Result<Indexed> {
        let one = |a: &usize| self.array.shape()[*a] == 1 && plan.len(self.axes[*a]) != 1;
        let ones: Vec<usize> = (0..self.axes.len()).filter(one).collect();
        if ones.is_empty() {
            return Ok(self);
        }
        let axes = (0..self.axes.len()).filter(|a| !ones.contains(a)).map(|a| self.axes[a]).collect();
        let dropped: Vec<i64> = ones.iter().map(|&a| a as i64).collect();
        Ok(Indexed { array: squeeze(&self.array, dropped)?, axes })
    }

    /// The diagonal of axes of one index.
    fn without_repeats(mut self, function: &'static str) -> Result<Indexed> {
        let repeated = |axes: &[Index]| {
            (0..axes.len()).find_map(|p| Some((p, p + 1 + axes[p + 1..].iter().position(|i| *i == axes[p])?)))
        };
        while let Some((p, q)) = repeated(&self.axes) {
            let n = self.array.shape()[p];
            let others: Vec<usize> = (0..self.axes.len()).filter(|&a| a != p && a != q).collect();
            let order: Vec<i64> = others.iter().chain([&p, &q]).map(|&a| a as i64).collect();
            let mut shape: Dims = others.iter().map(|&a| self.array.shape()[a]).collect();
            shape.push(n.saturating_mul(n));
            let rows = reshape(permuted(&self.array, &order)?, Shape::from(shape.clone()), ())?;
            let mut slices: Dims<AxisSlice> =
                shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
            // The elements of a diagonal are a row and one more apart.
            slices[others.len()] = AxisSlice { start: 0, step: n as isize + 1, len: n };
            let index = self.axes[p];
            let axes = others.iter().map(|&a| self.axes[a]).chain([index]).collect();
            self = Indexed { array: slice_axes(function, &rows, slices)?, axes };
        }
        Ok(self)
    }

    /// The sum over the indices that nothing needs.
    fn summed(&self, needed: impl Fn(Index) -> bool) -> Result<Indexed> {
        let (kept, gone): (Vec<usize>, Vec<usize>) =
            (0..self.axes.len()).partition(|&a| needed(self.axes[a]));
        let axes = kept.iter().map(|&a| self.axes[a]).collect();
        if gone.is_empty() {
            return Ok(Indexed { array: self.array.clone(), axes });
        }
        let gone: Vec<i64> = gone.iter().map(|&a| a as i64).collect();
        let total = sum(&self.array, Sum::new().axis(gone).dtype(self.array.dtype()))?;
        Ok(Indexed { array: total, axes })
    }

    /// The array with its axes in another order.
    fn ordered(&self, to: &[Index]) -> Result<Array> {
        permuted(&self.array, &self.places(to))
    }

    /// The axes that indices have.
    fn places(&self, of: &[Index]) -> Vec<i64> {
        let place = |index: &Index| self.axes.iter().position(|own| own == index);
        of.iter().filter_map(place).map(|a| a as i64).collect()
    }
}

fn permuted(x: &Array, order: &[i64]) -> Result<Array> {
    match order.is_sorted() {
        true => Ok(x.clone()),
        false => permute_dims(x, order.to_vec()),
    }
}

fn reshaped(x: Array, shape: &[usize]) -> Result<Array> {
    match x.shape()[..] == *shape {
        true => Ok(x),
        false => reshape(x, Shape::from(shape), ()),
    }
}

/// Two arrays multiplied and added over the indices that the target lacks, which both have.
fn product(plan: &Plan, a: &Indexed, b: &Indexed, target: &[Index]) -> Result<Indexed> {
    let both: Vec<Index> = a.axes.iter().copied().filter(|i| b.axes.contains(i)).collect();
    let contracted: Vec<Index> = both.iter().copied().filter(|i| !target.contains(i)).collect();
    if contracted.is_empty() {
        return Ok(Indexed { array: spread_product(a, b, target)?, axes: target.to_vec() });
    }
    let of_target = |condition: &dyn Fn(&Index) -> bool| -> Vec<Index> {
        target.iter().copied().filter(|i| condition(i)).collect()
    };
    let batch = of_target(&|i| both.contains(i));
    let rows = of_target(&|i| a.axes.contains(i) && !both.contains(i));
    let columns = of_target(&|i| b.axes.contains(i) && !both.contains(i));
    let lens = |axes: &[Index]| -> Vec<usize> { axes.iter().map(|&i| plan.len(i)).collect() };
    let size = |axes: &[Index]| lens(axes).into_iter().fold(1usize, usize::saturating_mul);
    // Without a batch a vector needs no second axis.
    let side = |axes: &[Index]| -> Vec<usize> {
        if axes.is_empty() && batch.is_empty() { vec![] } else { vec![size(axes)] }
    };
    let (lead, inner) = (lens(&batch), vec![size(&contracted)]);
    let left = a.ordered(&[&batch[..], &rows, &contracted].concat())?;
    let left = reshaped(left, &[&lead[..], &side(&rows), &inner].concat())?;
    let right = b.ordered(&[&batch[..], &contracted, &columns].concat())?;
    let right = reshaped(right, &[&lead[..], &inner, &side(&columns)].concat())?;
    let axes = [batch, rows, columns].concat();
    let array = reshaped(matmul(left, right)?, &lens(&axes))?;
    let found = Indexed { array, axes };
    Ok(Indexed { array: found.ordered(target)?, axes: target.to_vec() })
}

/// The products of all pairs of elements that share the indices of both.
fn spread_product(a: &Indexed, b: &Indexed, target: &[Index]) -> Result<Array> {
    let spread = |x: &Indexed| {
        let shape: Vec<usize> = target
            .iter()
            .map(|index| x.axes.iter().position(|own| own == index).map_or(1, |axis| x.array.shape()[axis]))
            // Leading axes come by broadcasting.
            .skip(target.iter().position(|index| x.axes.contains(index)).unwrap_or(target.len()))
            .collect();
        reshaped(x.ordered(target)?, &shape)
    };
    multiply(spread(a)?, spread(b)?)
}
