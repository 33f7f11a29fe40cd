//! Which elements of a field below sparse nodes are in use, as the host sees it.

use super::UntypedField;
use crate::error::Result;
use crate::ir::{FieldInfo, Level};
use crate::runtime::{read, write};

/// The bytes of a word.
const WORD: usize = 4;

/// The words of a tree's masks and lengths, as they were; none for a field whose elements are all in use.
pub struct InUse(Option<Vec<u8>>);

impl InUse {
    /// All elements, whether they are in use or not.
    pub const ALL: InUse = InUse(None);

    /// The sparse node whose cells say what is in use: the innermost one, since cells are in use where those above them are.
    pub fn level<'a>(&self, info: &'a FieldInfo) -> Option<&'a Level> {
        info.levels().last().filter(|_| self.0.is_some())
    }

    /// Whether a cell of it is in use.
    pub fn has_cell(&self, level: &Level, cell: i64) -> bool {
        let (word, bit) = level.mark(cell);
        let word = self.0.as_ref().and_then(|words| read(words, WORD, word)).unwrap_or(0);
        if level.is_list { bit < word } else { word >> bit & 1 == 1 }
    }
}

impl Level {
    /// The place of a word, and the bit in it or the place in the list.
    fn mark(&self, cell: i64) -> (usize, u64) {
        let per_word = if self.is_list { self.cells } else { 32 };
        let word = usize::try_from(self.word + cell / per_word).unwrap_or(usize::MAX);
        (word, (cell % per_word) as u64)
    }

    fn activate(&self, words: &mut [u8], info: &FieldInfo, indices: &[i64]) {
        let (place, bit) = self.mark(info.cell(self.digits, indices));
        let word = read(words, WORD, place).unwrap_or(0);
        let more = if self.is_list { word.max(bit + 1) } else { word | 1 << bit };
        write(words, WORD, place, more);
    }
}

impl UntypedField {
    /// What is in use now.
    pub(super) fn in_use(&self) -> Result<InUse> {
        match self.words() {
            None => Ok(InUse::ALL),
            Some(store) => self.with_store(store, |bytes| InUse(Some(bytes.to_vec()))),
        }
    }

    /// Puts the cells of an element in use.
    pub(super) fn activate(&self, indices: &[i64]) -> Result<()> {
        let Some(store) = self.words() else { return Ok(()) };
        self.with_store_mut(store, |bytes| {
            let info = self.info();
            info.levels().iter().for_each(|level| level.activate(bytes, info, indices));
        })
    }

    /// The tree's store of masks and lengths, where it has such for this field.
    fn words(&self) -> Option<usize> {
        let sparse = self.info().sparse.as_ref();
        sparse.filter(|sparse| !sparse.levels.is_empty()).map(|sparse| sparse.stores.len())
    }
}
