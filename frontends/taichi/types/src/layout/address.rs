//! Addresses: from an index to bytes.

use super::{LayoutError, NodeId};
use crate::Type;

/// How one index takes part in an address: `index / divisor % modulus * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisStep {
    /// The axis.
    pub axis: u8,
    /// Which of the indices.
    pub index: usize,
    /// What it is divided by: the cells below along the axis.
    pub divisor: u64,
    /// What remains of it then; none for the first division of an axis, which an index in range needs not.
    pub modulus: Option<u64>,
    /// What the result counts.
    pub stride: u64,
}

impl AxisStep {
    /// The part of the address; of an index in range it is below the size of the tree.
    pub fn apply(&self, index: u64) -> u64 {
        let quotient = index.checked_div(self.divisor).unwrap_or(0);
        let part = self.modulus.map_or(Some(quotient), |modulus| quotient.checked_rem(modulus));
        part.unwrap_or(0).wrapping_mul(self.stride)
    }

    /// The shift and mask that stand for division and remainder, where both are powers of two.
    pub fn shift_and_mask(&self) -> Option<(u32, u64)> {
        let mask = match self.modulus {
            None => u64::MAX,
            Some(modulus) if modulus.is_power_of_two() => modulus - 1,
            Some(_) => return None,
        };
        self.divisor.is_power_of_two().then(|| (self.divisor.trailing_zeros(), mask))
    }
}

/// One node on the way to a value: how an index makes the number of its cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLevel {
    /// The node.
    pub node: NodeId,
    /// Steps whose strides count cells.
    pub steps: Vec<AxisStep>,
}

impl PathLevel {
    /// The number of the cell of an index that counts from 0.
    pub fn cell_of(&self, index: &[u64]) -> u64 {
        let part = |step: &AxisStep| step.apply(index.get(step.index).copied().unwrap_or(0));
        self.steps.iter().map(part).fold(0, u64::wrapping_add)
    }
}

/// The address of a field's number in a tree all of whose nodes above it are dense or bitmasked: a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearAddress {
    /// The node of the value.
    pub place: NodeId,
    /// The field's node, as messages name it.
    pub name: String,
    /// The type of the number.
    pub dtype: Type,
    /// The field's shape.
    pub shape: Vec<u64>,
    /// The index of the first element.
    pub offset: Vec<i64>,
    /// The bytes before the first element.
    pub base: u64,
    /// Steps whose strides are bytes; of one index they are from the outermost node to the innermost.
    pub steps: Vec<AxisStep>,
    /// The bytes of the whole tree.
    pub root_bytes: u64,
}

impl LinearAddress {
    /// The address of an element, in bytes from the beginning of the tree. Numbers of a word have the word's.
    ///
    /// # Errors
    /// [`LayoutError::Indices`], [`LayoutError::OutOfRange`].
    pub fn offset_of(&self, index: &[i64]) -> Result<u64, LayoutError> {
        let index = checked_index(&self.name, &self.shape, &self.offset, index)?;
        Ok(self.base + self.steps.iter().map(|step| step.apply(index[step.index])).sum::<u64>())
    }

    /// The bytes from one element to the next along each axis, where every axis has equal ones: the strides of an array that is a view of
    /// the field. `None` where the elements stand in blocks.
    pub fn strides(&self) -> Option<Vec<u64>> {
        let mut strides = vec![None; self.shape.len()];
        for step in &self.steps {
            let stride = &mut strides[step.index];
            // An axis of several steps is even where an outer step goes as far as all the inner ones together.
            *stride = match *stride {
                None => Some((step.stride, step.divisor)),
                Some((outer, divisor)) => {
                    let even = step.stride.checked_mul(divisor / step.divisor) == Some(outer);
                    Some(even.then_some((step.stride, step.divisor))?)
                }
            };
        }
        let one = |(stride, &size): (Option<(u64, u64)>, &u64)| match stride {
            Some((stride, 1)) => Some(stride),
            _ if size == 1 => Some(0),
            _ => None,
        };
        strides.into_iter().zip(&self.shape).map(one).collect()
    }
}

/// The index counted from 0.
pub(super) fn checked_index(
    field: &str,
    shape: &[u64],
    offset: &[i64],
    index: &[i64],
) -> Result<Vec<u64>, LayoutError> {
    if index.len() != shape.len() {
        return Err(LayoutError::Indices { field: field.to_owned(), axes: shape.len(), given: index.len() });
    }
    let own: Vec<i64> = index
        .iter()
        .enumerate()
        .map(|(axis, &index)| index.saturating_sub(offset.get(axis).copied().unwrap_or(0)))
        .collect();
    let inside = own.iter().zip(shape).all(|(&index, &size)| u64::try_from(index).is_ok_and(|i| i < size));
    if !inside {
        // Sizes are below 2^63: no tree is larger.
        let shape = shape.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect();
        return Err(LayoutError::OutOfRange { field: field.to_owned(), shape, indices: own });
    }
    Ok(own.into_iter().map(|index| index as u64).collect())
}
