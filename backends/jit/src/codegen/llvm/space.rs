//! The iteration space of a kernel with effects: rows, where its elements' numbers are taken apart by division, and which values are
//! the same all along a row or go up by one. So rows are loops of their own, over vectors whose elements are neighbours in memory.

use super::names::scalar;
use super::text::{LANES, Text};
use crate::ir::{
    Access, Code, Effects, Id, Interval, Kernel, Place, Rule, Statement, Steps, Type, intervals,
};
use std::collections::HashMap;

/// What is known of a kernel's elements when code is made.
#[derive(Clone, Default)]
pub(super) struct IterationSpace {
    /// The elements of a row, of those that are rows.
    pub(super) row: Option<i64>,
    intervals: Vec<Option<Interval>>,
    /// By statement, whether the value is the same all along a row, which is computed before it.
    uniform: Vec<bool>,
}

impl IterationSpace {
    pub(super) fn of(kernel: &Kernel) -> IterationSpace {
        let mut space = IterationSpace {
            row: None,
            intervals: intervals(kernel),
            uniform: vec![false; kernel.statements.len()],
        };
        kernel.top().iter().for_each(|id| space.uniform[id.0 as usize] = true);
        space.row = space.rows(kernel);
        if space.row.is_some() {
            for &id in kernel.body() {
                space.uniform[id.0 as usize] |= space.is_along(kernel, id);
            }
        }
        space
    }

    /// Takes all elements one after the other, whatever row they are in.
    pub(super) fn leave_rows(&mut self, kernel: &Kernel) {
        self.row = None;
        kernel.body().iter().for_each(|id| self.uniform[id.0 as usize] = false);
    }

    /// The number of elements of a row: the least that elements' numbers are divided by, if vectors are mostly full then.
    fn rows(&self, kernel: &Kernel) -> Option<i64> {
        let is_free = kernel.effects.is_some_and(|own| matches!(own, Effects { block: 1, serial: false }));
        // Divisions round towards zero.
        kernel.guarantees.elements.as_ref().filter(|own| is_free && own.start >= 0)?;
        let bodies = || kernel.blocks.iter().skip(1).flatten();
        let row = bodies().filter_map(|&id| self.divisor(kernel, id)).min()?;
        let lanes = row.unsigned_abs().checked_next_multiple_of(LANES as u64)?;
        (lanes / 4 * 3 <= row.unsigned_abs()).then_some(row)
    }

    /// What a statement divides the element's number by, if it is a constant.
    fn divisor(&self, kernel: &Kernel, id: Id) -> Option<i64> {
        let s = kernel.statement(id);
        let divides = matches!(s.code, Code::Div | Code::Rem) && self.is_number(kernel, s.operands[0]);
        let by = divides.then(|| self.intervals[s.operands[1].0 as usize]).flatten()?.number()?;
        (by > 0).then_some(by)
    }

    /// True if a value is the element's number, in whatever type has it.
    fn is_number(&self, kernel: &Kernel, id: Id) -> bool {
        let s = kernel.statement(id);
        match s.code {
            Code::Load => {
                kernel.params[Place::of(s.imm).param as usize].access == Access::Counter(Steps::One)
            }
            Code::Convert => self.is_known(id) && self.is_number(kernel, s.operands[0]),
            _ => false,
        }
    }

    /// True if a conversion keeps the number, since it is within the limits of both types.
    fn is_known(&self, id: Id) -> bool {
        self.intervals[id.0 as usize].is_some()
    }

    /// True if a statement of the body is the same all along a row.
    fn is_along(&self, kernel: &Kernel, id: Id) -> bool {
        let s = kernel.statement(id);
        let (Some(row), true) = (self.row, is_computed(s)) else { return false };
        let by_rows = s.code == Code::Div && self.divisor(kernel, id).is_some_and(|by| by % row == 0);
        by_rows || s.operands.iter().all(|o| self.uniform[o.0 as usize])
    }

    /// True if a value is the same in all lanes, also in those that are not at work.
    pub(super) fn is_uniform(&self, id: Id) -> bool {
        self.uniform.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// The divisor of a statement that numbers the elements of a row: a remainder of the element's number.
    fn column(&self, kernel: &Kernel, id: Id) -> Option<i64> {
        let row = self.row?;
        let by = self.divisor(kernel, id).filter(|by| by % row == 0)?;
        (kernel.statement(id).code == Code::Rem).then_some(by)
    }

    /// True if a value goes up by one from lane to lane: what counts elements, and as much more for all.
    pub(super) fn follows(&self, kernel: &Kernel, id: Id) -> bool {
        let s = kernel.statement(id);
        match (s.code, s.operands.as_slice()) {
            (Code::Load, _) => self.is_number(kernel, id),
            (Code::Convert, [x]) => self.is_known(*x) && self.is_known(id) && self.follows(kernel, *x),
            (Code::Rem, _) => self.column(kernel, id).is_some(),
            (Code::Add, [a, b]) => {
                let either = |a: Id, b: Id| self.is_uniform(b) && self.follows(kernel, a);
                s.ty.is_int() && (either(*a, *b) || either(*b, *a))
            }
            (Code::Sub, [a, b]) => s.ty.is_int() && self.is_uniform(*b) && self.follows(kernel, *a),
            _ => false,
        }
    }

    /// True if an index is that of an element of memory, for every element.
    pub(super) fn is_in_bounds(&self, kernel: &Kernel, memory: Id, index: Id) -> bool {
        let own = self.intervals.get(index.0 as usize).copied().flatten();
        own.is_some_and(|own| own.is_below(kernel.least_length(memory)))
    }
}

/// True if a value is computed of operands alone.
pub(super) fn is_computed(s: &Statement) -> bool {
    use Rule::{Binary, Bitcast, Compare, Convert, Select, Unary};
    matches!(s.code.rule(), Unary(_) | Binary(_) | Compare(_) | Select | Convert | Bitcast)
}

impl Text<'_> {
    /// What begins a row whose first element is `%start` of the launch: where it stops, and what is the same all along it.
    pub(super) fn enter_row(&mut self, row: i64, values: &mut HashMap<Id, String>) {
        let kernel = self.kernel;
        let counter = kernel.params.iter().position(|p| matches!(p.access, Access::Counter(_)));
        let first = self.rows[counter.unwrap_or_default()].clone();
        self.lines(format_args!(
            "  %zero = ptrtoint ptr {first} to i64\n  %number = add i64 %zero, %start\n  \
             %within = urem i64 %number, {row}\n  %head = sub i64 %number, %within\n  %tail = add i64 %head, {row}\n  \
             %after = sub i64 %tail, %zero\n  %short = icmp ult i64 %after, %end\n  \
             %stop = select i1 %short, i64 %after, i64 %end"
        ));
        for &id in kernel.body() {
            if !self.space.is_uniform(id) {
                continue;
            }
            let s = kernel.statement(id);
            let one = match self.space.divisor(kernel, id) {
                Some(by) if s.code == Code::Div => {
                    let one = self.put(format_args!("udiv i64 %number, {by}"));
                    self.narrowed(s.ty, one)
                }
                _ => {
                    let known = std::mem::take(&mut self.once);
                    let one = self.statement(id, &known, false);
                    self.once = known;
                    one
                }
            };
            let all = self.splat(scalar(s.ty), &one);
            self.once.insert(id, one);
            values.insert(id, all);
        }
    }

    /// A number that fits a type, as i64, in that type.
    fn narrowed(&mut self, ty: Type, number: String) -> String {
        match ty.bits() {
            64 => number,
            _ => self.put(format_args!("trunc i64 {number} to {}", scalar(ty))),
        }
    }

    /// The remainders of the numbers of elements of a row, if a statement is that.
    pub(super) fn column(&mut self, id: Id) -> Option<String> {
        let by = self.space.column(self.kernel, id)?;
        let ty = self.kernel.statement(id).ty;
        let index = self.index.clone();
        let number = self.put(format_args!("add i64 %zero, {index}"));
        let mut one = self.put(format_args!("sub i64 {number}, %head"));
        if self.space.row != Some(by) {
            let first = self.put(format_args!("urem i64 %head, {by}"));
            one = self.put(format_args!("add i64 {first}, {one}"));
        }
        let one = self.narrowed(ty, one);
        let all = self.splat(scalar(ty), &one);
        let numbers: Vec<String> = (0..self.lanes).map(|i| format!("{} {i}", scalar(ty))).collect();
        let words = self.shaped(scalar(ty), true);
        Some(self.put(format_args!("add {words} {all}, <{}>", numbers.join(", "))))
    }
}
