//! What is said and asked of cells of sparse nodes becomes accesses to the words of their masks and lengths (T-35, T-49).

use super::cells::Cell;
use super::edit::Edit;
use crate::ir::{Below, Code, Data, FieldInfo, Id, Ir, Level, Sparse};
use ivy_taichi_types::AtomicOp;
use ivy_taichi_types::BinaryOp::{Add, BitXor, CmpLt, Div};
use ivy_taichi_types::PrimitiveType::{I32, I64, U1, U32};

/// True if there was something to lower.
pub fn lower_sparse(ir: &mut Ir) -> bool {
    let mut with = vec![None; ir.statements.len()];
    let mut any = false;
    for block in ir.blocks_in_order() {
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        for id in ids {
            let s = edit.ir.statement(id).clone();
            let lowered = matches!(
                s.code,
                Code::Activate | Code::IsActive | Code::Deactivate | Code::Length | Code::Append
            );
            let Data::Component { field, .. } = s.data else {
                edit.out.push(id);
                continue;
            };
            if !lowered {
                edit.out.push(id);
                continue;
            }
            any = true;
            let info = edit.ir.fields[field].clone();
            let Some(sparse) = &info.sparse else { continue };
            edit.span = s.span;
            let mut node = Node { edit: &mut edit, info: &info, sparse, indices: &s.operands };
            match s.code {
                Code::Activate => node.activate(&sparse.levels),
                Code::Deactivate => node.deactivate(),
                Code::IsActive => with[id.index()] = node.is_active(),
                Code::Length => with[id.index()] = node.length(),
                _ => with[id.index()] = node.append(),
            }
        }
        ir.blocks[block] = edit.out;
    }
    ir.replace(&with);
    any
}

/// A node, or a field, at indices.
struct Node<'a, 'ir> {
    edit: &'a mut Edit<'ir>,
    info: &'a FieldInfo,
    sparse: &'a Sparse,
    indices: &'a [Id],
}

impl Node<'_, '_> {
    fn activate(&mut self, levels: &[Level]) {
        for level in levels {
            let cell = self.edit.cell(self.info, level, self.indices);
            let mark = self.edit.mark(self.sparse, level, cell);
            // Asked first: an atomic on a word that all threads write to is slow.
            let active = self.edit.is_marked(level, &mark);
            let missing = self.edit.not(active);
            self.edit.when(missing, |edit| {
                if level.is_list {
                    let one = edit.constant(U32, 1);
                    let length = edit.binary(Add, U32, mark.bit, one);
                    edit.atomic(AtomicOp::Max, mark.word, length);
                } else {
                    edit.atomic(AtomicOp::BitOr, mark.word, mark.bit);
                }
            });
        }
    }

    /// The innermost level, which is that of a sparse node.
    fn own(&mut self) -> Option<(Level, Cell)> {
        let level = self.sparse.levels.last()?.clone();
        let cell = self.edit.cell(self.info, &level, self.indices);
        Some((level, cell))
    }

    fn is_active(&mut self) -> Option<Id> {
        let (level, cell) = self.own()?;
        let mark = self.edit.mark(self.sparse, &level, cell);
        Some(self.edit.is_marked(&level, &mark))
    }

    fn length(&mut self) -> Option<Id> {
        let (level, cell) = self.own()?;
        let mark = self.edit.mark(self.sparse, &level, cell);
        let length = self.edit.load_element(mark.word);
        Some(self.edit.cast(length, I32))
    }

    fn append(&mut self) -> Option<Id> {
        let above = self.sparse.levels.len().checked_sub(1)?;
        self.activate(&self.sparse.levels[..above]);
        let (level, cell) = self.own()?;
        let mark = self.edit.mark(self.sparse, &level, cell);
        let (one, cells) = (self.edit.constant(U32, 1), self.edit.constant(U32, level.cells as u64));
        let place = self.edit.atomic(AtomicOp::Add, mark.word, one);
        let fits = self.edit.binary(CmpLt, U1, place, cells);
        let full = self.edit.not(fits);
        self.edit.when(full, |edit| {
            edit.atomic(AtomicOp::Min, mark.word, cells);
        });
        let text = format!("{}: a list of all its {} cells is appended to", level.name, level.cells);
        self.edit.push(Code::CheckBounds, None, &[fits], Data::Text(text));
        Some(self.edit.cast(place, I32))
    }

    fn deactivate(&mut self) {
        let Some((level, cell)) = self.own() else { return };
        let (sparse, info) = (self.sparse, self.info);
        let Some(Below::Node { at, cell: bytes, below, .. }) = sparse.below.first() else { return };
        // The strides of a node's digits are bytes.
        let mut base = self.edit.int(*at);
        for (n, digit) in info.digits.iter().enumerate() {
            let mut part = self.edit.cast(self.indices[digit.axis], I64);
            if digit.below > 1 {
                part = self.edit.divided(part, digit.below).0;
            }
            if !info.is_outermost(n) {
                part = self.edit.divided(part, digit.count).1;
            }
            base = self.edit.scaled(part, digit.stride, base);
        }
        let mark = self.edit.mark(sparse, &level, cell);
        if level.is_list {
            let length = self.edit.load_element(mark.word);
            let length = self.edit.cast(length, I64);
            self.edit.each(length, |edit, n| {
                let at = edit.scaled(n, *bytes, base);
                let cell = edit.binary(Add, I64, cell.number, n);
                clear(edit, sparse, below, at, cell);
            });
            let zero = self.edit.constant(U32, 0);
            self.edit.store_element(mark.word, zero);
            return;
        }
        let active = self.edit.is_marked(&level, &mark);
        self.edit.when(active, |edit| {
            unmark(edit, mark.word, mark.bit);
            clear(edit, sparse, below, base, cell.number);
        });
    }
}

/// Takes a bit out of a word.
fn unmark(edit: &mut Edit<'_>, word: Id, bit: Id) {
    let all = edit.constant(U32, u64::from(u32::MAX));
    let others = edit.binary(BitXor, U32, bit, all);
    edit.atomic(AtomicOp::BitAnd, word, others);
}

/// Makes a cell zero, which begins at a byte and has a number among its node's.
fn clear(edit: &mut Edit<'_>, sparse: &Sparse, below: &[Below], at: Id, cell: Id) {
    for part in below {
        match part {
            Below::Numbers { at: first, store, width, count } => {
                let (first, width) = (edit.int(*first), edit.int(*width));
                let first = edit.binary(Add, I64, at, first);
                let first = edit.binary(Div, I64, first, width);
                let (memory, count) = (sparse.first + store, edit.int(*count));
                edit.each(count, |edit, n| {
                    let place = edit.binary(Add, I64, first, n);
                    let number = edit.element(memory, place);
                    let zero = edit.constant(edit.ir.fields[memory].ty, 0);
                    edit.store_element(number, zero);
                });
            }
            Below::Node { at: first, cells, cell: bytes, word, below } => {
                let first = edit.int(*first);
                let first = edit.binary(Add, I64, at, first);
                let inner = |edit: &mut Edit<'_>, n: Id| {
                    let at = edit.scaled(n, *bytes, first);
                    (at, edit.scaled(cell, *cells, n))
                };
                match word {
                    None => {
                        let cells = edit.int(*cells);
                        edit.each(cells, |edit, n| {
                            let (at, cell) = inner(edit, n);
                            clear(edit, sparse, below, at, cell);
                        });
                    }
                    Some((word, true)) => {
                        let place = edit.int(*word);
                        let place = edit.binary(Add, I64, place, cell);
                        let word = edit.element(sparse.words(), place);
                        let length = edit.load_element(word);
                        let length = edit.cast(length, I64);
                        edit.each(length, |edit, n| {
                            let (at, cell) = inner(edit, n);
                            clear(edit, sparse, below, at, cell);
                        });
                        let zero = edit.constant(U32, 0);
                        edit.store_element(word, zero);
                    }
                    Some((word, false)) => {
                        let level = Level {
                            name: String::new(),
                            is_list: false,
                            cells: *cells,
                            total: 0,
                            digits: 0,
                            word: *word,
                            entry: 0,
                        };
                        let cells = edit.int(*cells);
                        edit.each(cells, |edit, n| {
                            let (at, number) = inner(edit, n);
                            let mark = edit.mark(sparse, &level, Cell { number, inside: None });
                            let active = edit.is_marked(&level, &mark);
                            edit.when(active, |edit| {
                                unmark(edit, mark.word, mark.bit);
                                clear(edit, sparse, below, at, number);
                            });
                        });
                    }
                }
            }
        }
    }
}
