//! Kernels that may write: how their elements run, and the statements that read and write memory.
//!
//! Whatever number a kernel computes for an element of memory, none is touched that is not there: what is
//! out of bounds reads as zero, and is not written. A kernel that wants to tell of it asks
//! ([`Builder::in_bounds`]) and writes a record ([`Builder::record`]).

use super::{Access, Builder, Carried, Code, Id, Kernel, Rule, Type};
use smallvec::smallvec;

/// How the elements of a kernel run that may write to memory: each exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effects {
    /// How many elements, one after the other, share memory and meet at barriers: a power of two, at most
    /// [`BLOCK`]. A launch has whole blocks.
    pub block: u32,
    /// Whether an element runs when the one before has ended; else they run in any order, or together.
    pub serial: bool,
}

impl Effects {
    /// Elements in any order, each by itself.
    pub const FREE: Effects = Effects { block: 1, serial: false };
}

/// The most elements of a block.
pub const BLOCK: u32 = 256;

/// The most elements of memory that an element has of its own, in one piece.
pub const OWN: u64 = 1 << 12;

/// The most bytes that the elements of a block share: what a device has without asking.
pub const SHARED: u64 = 48 << 10;

/// The most values of a record.
pub const VALUES: usize = 6;

/// The words of a record: its site, the element's number, and the values.
pub const RECORD: usize = 2 + VALUES;

impl Builder {
    /// The memory of a parameter.
    pub fn memory(&mut self, param: u32) -> Id {
        let ty = self.params()[param as usize].ty;
        self.push(Code::Memory, ty, smallvec![], u64::from(param), false)
    }

    /// Memory of each element's own, of so many elements, zeros at first: one is a local variable, which the
    /// pass `mem2reg` takes out of memory.
    pub fn alloca(&mut self, ty: Type, count: u64) -> Id {
        self.push_first(Code::Alloca, ty, count)
    }

    /// Memory that the elements of a block share, of so many elements, zeros at first.
    pub fn shared(&mut self, ty: Type, count: u64) -> Id {
        self.push(Code::Shared, ty, smallvec![], count, false)
    }

    /// The element of memory with a number, an i64.
    pub fn load_at(&mut self, memory: Id, index: Id) -> Id {
        self.push(Code::LoadAt, self.ty(memory), smallvec![memory, index], 0, true)
    }

    /// Writes the element of memory with a number, an i64.
    pub fn store_at(&mut self, memory: Id, index: Id, value: Id) {
        self.push(Code::StoreAt, Type::Bool, smallvec![memory, index, value], 0, true);
    }

    /// The value of a local variable.
    pub fn get(&mut self, local: Id) -> Id {
        let zero = self.constant(Type::I64, 0);
        self.load_at(local, zero)
    }

    /// Sets a local variable.
    pub fn set(&mut self, local: Id, value: Id) {
        let zero = self.constant(Type::I64, 0);
        self.store_at(local, zero, value);
    }

    /// An atomic of one operand on the element of memory with a number, an i64; gives what was there before.
    pub fn atomic(&mut self, code: Code, memory: Id, index: Id, value: Id) -> Id {
        self.push(code, self.ty(memory), smallvec![memory, index, value], 0, true)
    }

    /// Replaces the element of memory with a number, an i64, if its bits are those of `expected`; gives what
    /// was there before.
    pub fn compare_and_swap(&mut self, memory: Id, index: Id, expected: Id, value: Id) -> Id {
        self.push(Code::AtomicCas, self.ty(memory), smallvec![memory, index, expected, value], 0, true)
    }

    /// True where a number, an i64, is that of an element of memory.
    pub fn in_bounds(&mut self, memory: Id, index: Id) -> Id {
        self.apply(Code::InBounds, Type::Bool, smallvec![memory, index])
    }

    /// Waits for the other elements of the block.
    pub fn barrier(&mut self) {
        self.push(Code::Barrier, Type::Bool, smallvec![], 0, true);
    }

    /// Writes a record to the log, the last parameter, where the condition is true: the number of its site,
    /// the number of the element, and at most [`VALUES`] values, as words. The log's first word counts the
    /// records that there would be; those beyond its end are lost.
    pub fn record(&mut self, condition: Id, site: u32, element: Id, values: &[Id]) {
        let log = self.memory(self.params().len() as u32 - 1);
        let [zero, one, words] = [0, 1, RECORD as u64].map(|x| self.constant(Type::I64, x));
        let mut open = self.open_if(condition);
        let number = self.atomic(Code::AtomicAdd, log, zero, one);
        let first = self.binary(Code::Mul, number, words);
        let site = self.constant(Type::I64, u64::from(site));
        for (i, &value) in [site, element].iter().chain(values).take(RECORD).enumerate() {
            let word = self.word(value);
            let by = self.constant(Type::I64, 1 + i as u64);
            let at = self.binary(Code::Add, first, by);
            self.store_at(log, at, word);
        }
        self.otherwise(&mut open, &[]);
        self.close_if(open, &[]);
    }

    /// A value as a word of a record: integers extended, floats by the bits of the double.
    fn word(&mut self, value: Id) -> Id {
        match self.ty(value) {
            ty if ty.is_float() => {
                let wide = self.convert(value, Type::F64);
                self.bitcast(wide, Type::I64)
            }
            Type::U64 => self.bitcast(value, Type::I64),
            _ => self.convert(value, Type::I64),
        }
    }
}

/// The statements that an atomic takes the time of: it is done for one element after the other, where those are for vectors.
/// Measured, of float32 in memory that the nearest cache has: 9 cycles.
pub const ATOMIC: usize = 64;

/// The trip count that is taken for a loop whose bounds are not constants.
const TRIP_COUNT: usize = 16;

impl Kernel {
    /// About how many statements an element runs: those of a loop times its trip count, which is 16 where its bounds are no
    /// constants, and atomics as 64.
    pub fn work(&self) -> usize {
        let mut work = 0usize;
        self.for_each_run(&mut |id, times| {
            let is_atomic = matches!(self.statement(id).code.rule(), Rule::Atomic(_) | Rule::Cas);
            let each = if is_atomic { ATOMIC } else { 1 };
            work = work.saturating_add(times.saturating_mul(each));
        });
        work
    }

    /// Calls a function with each statement of an element, and about how often the element runs it.
    pub fn for_each_run(&self, f: &mut impl FnMut(Id, usize)) {
        self.for_each_run_of(1, 1, f);
    }

    fn for_each_run_of(&self, block: usize, times: usize, f: &mut impl FnMut(Id, usize)) {
        for &id in &self.blocks[block] {
            f(id, times);
            let trips = if self.statement(id).code == Code::Loop { self.trip_count(id) } else { 1 };
            for held in self.held(id) {
                self.for_each_run_of(held, times.saturating_mul(trips), f);
            }
        }
    }

    fn trip_count(&self, id: Id) -> usize {
        let constant = |id: Id| {
            let s = self.statement(id);
            match s.ty {
                Type::I32 if s.code == Code::Constant => Some(i64::from(s.imm as i32)),
                Type::I64 if s.code == Code::Constant => Some(s.imm as i64),
                _ => None,
            }
        };
        let known = || {
            let test = self.statement(self.end_of(id)?);
            let counted = self.statement(*test.operands.first()?);
            if test.code != Code::Lt || counted.code != Code::Carried {
                return None;
            }
            let first = self.statement(id).operands.get(Carried::of(counted.imm).index as usize)?;
            let (begin, end) = (constant(*first)?, constant(test.operands[1])?);
            usize::try_from(end.checked_sub(begin)?).ok()
        };
        known().unwrap_or(TRIP_COUNT).clamp(1, 1 << 16)
    }

    /// True if a statement changes memory, or one in the blocks that it holds does.
    pub fn has_effect(&self, id: Id) -> bool {
        let inside = |block: usize| self.blocks.get(block).is_some_and(|ids| self.any_effect(ids));
        self.statement(id).is_effect() || self.effects.is_some() && self.held(id).into_iter().any(inside)
    }

    /// By parameter, whether a statement may write to its memory; functions are not looked at.
    pub fn written(&self) -> Vec<bool> {
        let mut written = vec![false; self.params.len()];
        for s in self.blocks.iter().flatten().map(|&id| self.statement(id)) {
            let Some(memory) = s.memory().filter(|_| s.is_effect()) else { continue };
            let named = self.statement(memory);
            if let (Code::Memory, Some(param)) = (named.code, written.get_mut(named.imm as usize)) {
                *param = true;
            }
        }
        written
    }

    fn any_effect(&self, ids: &[Id]) -> bool {
        ids.iter().any(|&id| self.has_effect(id))
    }

    /// True if, functions aside, what its elements leave in memory may depend on their order, where no two of them write to
    /// the same element but by atomics: floats that are summed, elements that are exchanged, atomics of
    /// several kinds on one memory, and those whose value is used. Of the log the order is nobody's concern.
    pub fn order_matters(&self) -> bool {
        let mut used = vec![false; self.statements.len()];
        let statements = || self.blocks.iter().flatten().map(|&id| (id, self.statement(id)));
        let mut kinds: Vec<Option<Code>> = vec![None; self.statements.len()];
        statements().flat_map(|(_, s)| &s.operands).for_each(|o| used[o.0 as usize] = true);
        statements().any(|(id, s)| {
            let Some(memory) = s.memory().filter(|_| matches!(s.code.rule(), Rule::Atomic(_) | Rule::Cas))
            else {
                return false;
            };
            let named = self.statement(memory);
            let param = || self.params.get(named.imm as usize);
            if named.code == Code::Memory && param().is_some_and(|p| p.access == Access::Log) {
                return false;
            }
            // Sums and differences may change places.
            let kind = if s.code == Code::AtomicSub { Code::AtomicAdd } else { s.code };
            let root = match named.code {
                Code::Memory => self.statements.iter().position(|s| s == named).unwrap_or_default(),
                _ => memory.0 as usize,
            };
            let other = kinds[root].replace(kind).is_some_and(|other| other != kind);
            let ordered = matches!(kind, Code::AtomicExchange | Code::AtomicCas)
                || kind == Code::AtomicAdd && s.ty.is_float();
            other || ordered || used[id.0 as usize]
        })
    }
}
