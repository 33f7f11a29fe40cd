//! Text of arrays, as Dr.Jit writes it.

mod format;
mod number;

pub use format::{FormatArg, format, format_with_limit};
pub(crate) use number::{complex, element, quaternion};

use crate::Result;
use crate::array::{AnyArray, Leaf};
use crate::types::Kind;
use ivy_core::host::HostArray;

/// How many entries of a dimension are written in full.
pub(crate) const LIMIT: usize = 20;
/// How many stand at each end of a dimension that is not.
const ENDS: usize = 3;

/// The elements, one dimension within the other, as text.
///
/// Arrays that stand for threads are transposed, so that what belongs to one thread stands on one line; tensors and single values are not.
pub(crate) fn to_text(x: &AnyArray, limit: usize) -> Result<String> {
    let Some(shape) = x.shape() else { return Ok("[ragged array]".into()) };
    let numbers = matches!(x.ty().kind(), Kind::Complex | Kind::Quaternion);
    let transposed = x.ty().is_jit_v() && x.ty().depth() > 0;
    let mut axes: Vec<usize> = shape;
    if transposed && axes.len() == x.ty().depth() + 1 {
        axes.rotate_right(1);
    }
    if numbers {
        axes.pop();
    }
    let mut leaves = Vec::new();
    let mut failed = None;
    x.for_each_leaf(&mut |leaf: &Leaf| match leaf.array.to_host() {
        Ok(host) => leaves.push(host),
        Err(error) => failed = Some(error),
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let text = Text { x, leaves, transposed, limit };
    let mut out = String::new();
    text.write(&axes, &mut Vec::new(), usize::from(numbers), &mut out)?;
    Ok(out)
}

struct Text<'a> {
    x: &'a AnyArray,
    leaves: Vec<HostArray>,
    transposed: bool,
    limit: usize,
}

impl Text<'_> {
    /// Writes what stands at a place along the first axes. The last axis stands on one line, unless its entries are numbers of several
    /// parts (`inner`).
    fn write(&self, axes: &[usize], place: &mut Vec<usize>, inner: usize, out: &mut String) -> Result<()> {
        let Some(&len) = axes.get(place.len()) else {
            out.push_str(&self.element(place)?);
            return Ok(());
        };
        let line = place.len() + 1 == axes.len() && inner == 0;
        let separator = match line {
            true => ", ".to_owned(),
            false => format!(",\n{}", " ".repeat(place.len() + 1)),
        };
        out.push('[');
        let skipped = if len > self.limit { len.saturating_sub(2 * ENDS) } else { 0 };
        for index in (0..len).filter(|&index| skipped == 0 || index <= ENDS || index >= len - ENDS) {
            if index > 0 {
                out.push_str(&separator);
            }
            if skipped > 0 && index == ENDS {
                out.push_str(&format!(".. {skipped} skipped .."));
                continue;
            }
            place.push(index);
            self.write(axes, place, inner, out)?;
            place.pop();
        }
        out.push(']');
        Ok(())
    }

    fn element(&self, place: &[usize]) -> Result<String> {
        let (thread, entry) = match (self.transposed, self.x.ty().depth()) {
            (true, _) => (place[0], &place[1..]),
            (false, 0) => (self.flat(place), &place[..0]),
            (false, _) => (0, place),
        };
        let parts = match self.x.ty().kind() {
            Kind::Complex => 2,
            Kind::Quaternion => 4,
            _ => 1,
        };
        let first = self.leaf_number(entry) * parts;
        let value = |part: usize| {
            let leaf = &self.leaves[first + part];
            let at = if leaf.shape().iter().product::<usize>() == 1 { 0 } else { thread };
            Ok(leaf.scalar_at(at)?)
        };
        match parts {
            2 => Ok(complex(value(0)?.to_f64(), value(1)?.to_f64())),
            4 => Ok(quaternion([value(0)?, value(1)?, value(2)?, value(3)?].map(|x| x.to_f64()))),
            _ => value(0).map(element),
        }
    }

    /// The number of an element of a tensor in row-major order.
    fn flat(&self, place: &[usize]) -> usize {
        let shape = self.leaves[0].shape();
        place.iter().zip(shape.iter()).fold(0, |flat, (&index, &len)| flat * len + index)
    }

    /// The number of the flat array at a place of the levels.
    fn leaf_number(&self, entry: &[usize]) -> usize {
        let mut level = self.x;
        let mut number = 0;
        for &index in entry {
            let size = |x: &AnyArray| {
                let mut count = 0;
                x.for_each_leaf(&mut |_| count += 1);
                count
            };
            let Some(next) = level.entries().get(index) else { break };
            number += level.entries()[..index].iter().map(size).sum::<usize>();
            level = next;
        }
        number
    }
}
