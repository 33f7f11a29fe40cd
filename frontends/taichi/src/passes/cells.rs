//! Cells of sparse nodes, by statements: their numbers, and whether they are in use.

use super::edit::Edit;
use crate::ir::{Code, Data, FieldInfo, Id, Level, Sparse};
use ivy_taichi_types::BinaryOp::{Add, BitAnd, BitShl, CmpEq, CmpGe, CmpLe, CmpLt, CmpNe, Div, Mul, RawMod};
use ivy_taichi_types::PrimitiveType::{self, I32, I64, U1, U32};

/// A cell of a sparse node: its number among those of all containers, and whether its indices are in range, where that is asked.
#[derive(Clone, Copy)]
pub struct Cell {
    pub number: Id,
    pub inside: Option<Id>,
}

/// Where it is said that a cell is in use.
pub struct Mark {
    /// The word of its mask, or the length of its list.
    pub word: Id,
    /// Its bit in the word, or its place in the list, of the word's type.
    pub bit: Id,
}

impl Edit<'_> {
    pub fn int(&mut self, value: i64) -> Id {
        self.constant(I64, value as u64)
    }

    /// Statements in a block of another one.
    pub fn within<R>(&mut self, block: usize, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::take(&mut self.out);
        let written = write(self);
        let own = std::mem::replace(&mut self.out, outer);
        self.ir.blocks[block].extend(own);
        written
    }

    /// Statements that run where a condition holds.
    pub fn when(&mut self, condition: Id, write: impl FnOnce(&mut Self)) {
        let choice = self.push(Code::If, None, &[condition], Data::None);
        let block = self.ir.statement(choice).blocks[0];
        self.within(block, write);
    }

    /// Statements for each number from 0 to below another, in order.
    pub fn each(&mut self, end: Id, write: impl FnOnce(&mut Self, Id)) {
        let zero = self.int(0);
        let whole = self.push(Code::RangeFor, None, &[zero, end], Data::Serial);
        let block = self.ir.statement(whole).blocks[0];
        self.within(block, |edit| {
            let index = edit.push(Code::LoopIndex, Some(I64), &[whole], Data::Number(0));
            write(edit, index);
        });
    }

    /// A place of a memory.
    pub fn element(&mut self, memory: usize, place: Id) -> Id {
        let ty = self.ir.fields[memory].ty;
        self.push(Code::ElementPtr, Some(ty), &[place], Data::Component { field: memory, component: 0 })
    }

    /// What a place of a memory holds.
    pub fn load_element(&mut self, pointer: Id) -> Id {
        let ty = self.ir.statement(pointer).ty;
        self.push(Code::GlobalLoad, ty, &[pointer], Data::None)
    }

    /// Sets what a place of a memory holds.
    pub fn store_element(&mut self, pointer: Id, value: Id) {
        self.push(Code::GlobalStore, None, &[pointer, value], Data::None);
    }

    /// `x * by + y`.
    pub fn scaled(&mut self, x: Id, by: i64, y: Id) -> Id {
        let by = self.int(by);
        let product = self.binary(Mul, I64, x, by);
        self.binary(Add, I64, product, y)
    }

    /// The quotient and the remainder by a number.
    pub fn divided(&mut self, x: Id, by: i64) -> (Id, Id) {
        let by = self.int(by);
        (self.binary(Div, I64, x, by), self.binary(RawMod, I64, x, by))
    }

    /// The cell of a level that indices are of.
    pub fn cell(&mut self, info: &FieldInfo, level: &Level, indices: &[Id]) -> Cell {
        let mut number = self.int(0);
        for (n, digit) in info.digits[..level.digits].iter().enumerate() {
            let mut part = self.cast(indices[digit.axis], I64);
            if digit.below > 1 {
                part = self.divided(part, digit.below).0;
            }
            if !info.is_outermost(n) {
                part = self.divided(part, digit.count).1;
            }
            number = self.scaled(number, digit.count, part);
        }
        Cell { number, inside: self.inside(info, indices) }
    }

    /// Whether indices are in range; `None` where there are none.
    fn inside(&mut self, info: &FieldInfo, indices: &[Id]) -> Option<Id> {
        let mut inside = None;
        for (&index, &extent) in indices.iter().zip(&info.shape) {
            // An axis may be longer than the indices reach.
            let last = (extent - 1).min(i64::from(i32::MAX));
            let [least, last] = [0, last].map(|bound| self.constant(I32, bound as u64));
            for (op, bound) in [(CmpGe, least), (CmpLe, last)] {
                let holds = self.binary(op, U1, index, bound);
                inside = Some(match inside {
                    None => holds,
                    Some(before) => self.binary(BitAnd, U1, before, holds),
                });
            }
        }
        inside
    }

    /// Where it is said that a cell of a level is in use. Of a cell out of range there is no such place: it reads as 0, and nothing is
    /// written.
    pub fn mark(&mut self, sparse: &Sparse, level: &Level, cell: Cell) -> Mark {
        let (place, bit) = if level.is_list {
            let (list, place) = self.divided(cell.number, level.cells);
            (list, self.cast(place, U32))
        } else {
            let (word, bit) = self.divided(cell.number, 32);
            let (one, bit) = (self.constant(U32, 1), self.cast(bit, U32));
            (word, self.binary(BitShl, U32, one, bit))
        };
        let first = self.int(level.word);
        let mut place = self.binary(Add, I64, first, place);
        if let Some(inside) = cell.inside {
            let nowhere = self.int(-1);
            place = self.push(Code::Select, Some(I64), &[inside, place, nowhere], Data::None);
        }
        Mark { word: self.element(sparse.words(), place), bit }
    }

    /// Whether a cell is in use, a truth value.
    pub fn is_marked(&mut self, level: &Level, mark: &Mark) -> Id {
        let word = self.load_element(mark.word);
        if level.is_list {
            return self.binary(CmpLt, U1, mark.bit, word);
        }
        let bit = self.binary(BitAnd, U32, word, mark.bit);
        let zero = self.constant(U32, 0);
        self.binary(CmpNe, U1, bit, zero)
    }

    /// Whether a truth value is false.
    pub fn not(&mut self, x: Id) -> Id {
        let no = self.constant(U1, 0);
        self.binary(CmpEq, U1, x, no)
    }

    /// An atomic on a place of a memory.
    pub fn atomic(&mut self, op: ivy_taichi_types::AtomicOp, pointer: Id, value: Id) -> Id {
        let ty: Option<PrimitiveType> = self.ir.statement(pointer).ty;
        self.push(Code::Atomic, ty, &[pointer, value], Data::Atomic(op))
    }
}
