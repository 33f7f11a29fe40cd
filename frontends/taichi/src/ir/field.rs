//! What a kernel knows of its fields: how indices lead to elements in memory.

use super::{Level, Sparse};
use ivy_taichi_types::{Constant, PrimitiveType, Type, TypeKind};

/// A part of an index, as a level of a field's tree takes it: `index[axis] / below % count`, the outermost of an axis
/// without the remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The axis.
    pub axis: usize,
    /// How many indices one step of this digit is.
    pub below: i64,
    /// How many values it has.
    pub count: i64,
    /// How far apart, in elements of memory, two neighbours are.
    pub stride: i64,
}

/// A field, as kernels see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldInfo {
    /// The name in messages.
    pub name: String,
    /// The type of its components.
    pub ty: PrimitiveType,
    /// The number of rows and columns of an element; `None` of scalars. Vectors have one column.
    pub matrix: Option<(usize, usize)>,
    /// The extents of its indices; none if it has one element.
    pub shape: Vec<i64>,
    /// The index of the first element; empty for 0 everywhere. Indices in the IR count from 0.
    pub offset: Vec<i64>,
    /// The parts of indices, in the order of memory, the outermost first.
    pub digits: Vec<Digit>,
    /// Where in memory the first element's components are.
    pub components: Vec<i64>,
    /// Whether an index beyond the extents may lead to elements of other fields, so that it is checked.
    pub guarded: bool,
    /// The number of the kernel's memory that it is in.
    pub memory: usize,
    /// How many elements that memory has; 0 where that is not known.
    pub length: u64,
    /// Of quantised numbers, how they stand in the words at their addresses; `ty` is the type that they are computed in.
    pub packed: Option<Packed>,
    /// In trees with sparse nodes, those above it.
    pub sparse: Option<Sparse>,
}

/// How the numbers of a field are packed in words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    /// Of each component the type of its word, a bit struct or a quant array, and which of the struct's members it is.
    pub words: Vec<(Type, usize)>,
    /// Of quant arrays the parts of indices that say which of a word's numbers an element is: strides count numbers.
    pub within: Vec<Digit>,
}

impl Packed {
    /// The unsigned type of the words in memory: of words of less than 32 bits each has 32.
    pub fn word(&self) -> PrimitiveType {
        let physical = match self.words.first().map(|(ty, _)| ty.kind()) {
            Some(TypeKind::BitStruct(bits)) => bits.physical(),
            Some(TypeKind::QuantArray(array)) => array.physical(),
            _ => PrimitiveType::U32,
        };
        if physical.bits() == 64 { PrimitiveType::U64 } else { PrimitiveType::U32 }
    }

    /// The number of a component in a word; `None` for one that is not there.
    pub fn load(&self, word: u64, component: usize, indices: &[i64]) -> Option<Constant> {
        let &(ty, member) = self.words.get(component)?;
        match ty.kind() {
            TypeKind::BitStruct(bits) => bits.load(word, member),
            TypeKind::QuantArray(array) => array.load(word, self.place(indices)?),
            _ => None,
        }
    }

    /// The word with another number of a component.
    pub fn store(&self, word: u64, component: usize, indices: &[i64], value: Constant) -> Option<u64> {
        let &(ty, member) = self.words.get(component)?;
        match ty.kind() {
            TypeKind::BitStruct(bits) => bits.store(word, member, value),
            TypeKind::QuantArray(array) => array.store(word, self.place(indices)?, value),
            _ => None,
        }
    }

    /// Which of a quant array's numbers an element is.
    fn place(&self, indices: &[i64]) -> Option<u32> {
        let part = |d: &Digit| indices[d.axis] / d.below % d.count * d.stride;
        u32::try_from(self.within.iter().map(part).sum::<i64>()).ok()
    }
}

impl FieldInfo {
    /// True if a digit is the outermost of its axis.
    pub fn is_outermost(&self, digit: usize) -> bool {
        let axis = self.digits[digit].axis;
        self.digits[..digit].iter().all(|d| d.axis != axis)
    }

    /// How many cells there are, those beyond the extents as well.
    pub fn cells(&self) -> i64 {
        self.digits.iter().map(|d| d.count).product()
    }

    /// How many values of an index there are room for.
    pub fn room(&self, axis: usize) -> i64 {
        self.digits.iter().filter(|d| d.axis == axis).map(|d| d.count).product()
    }

    /// The number of the cell that the first digits make, of indices in bounds.
    pub fn cell(&self, digits: usize, indices: &[i64]) -> i64 {
        self.digits[..digits].iter().fold(0, |cell, d| cell * d.count + indices[d.axis] / d.below % d.count)
    }

    /// The sparse nodes above it.
    pub fn levels(&self) -> &[Level] {
        self.sparse.as_ref().map_or(&[], |sparse| &sparse.levels)
    }

    /// Where in memory an element is from the first one on, of indices in bounds.
    pub fn place(&self, indices: &[i64]) -> i64 {
        // The outermost digit of an index in bounds is below its count as well.
        let part = |d: &Digit| indices[d.axis] / d.below % d.count * d.stride;
        self.digits.iter().map(part).sum()
    }
}
