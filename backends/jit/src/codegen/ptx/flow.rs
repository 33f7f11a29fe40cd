//! Blocks within blocks: a thread goes its own way through loops and conditionals.

use super::text::{Bank, Text, Values};
use crate::ir::{Branches, Code, Id, Kernel};

impl Text<'_> {
    /// A block that a thread goes round if its element does not need it.
    pub(super) fn rare(&mut self, kernel: &Kernel, id: Id, values: &mut Values) -> String {
        let s = kernel.statement(id);
        let bank = Bank::of(s.ty);
        let value = self.copy(bank, &values[&s.operands[1]]);
        let after = self.label("after");
        let condition = &values[&s.operands[0]];
        self.line(format_args!("@!{condition} bra {after};"));
        self.block(&kernel.blocks[s.imm as usize], values);
        self.assign(bank, &value, &values[&s.operands[2]].clone());
        self.place(&after);
        value
    }

    /// A loop of several elements: a thread goes round all of their blocks at once, if none needs its own.
    pub(super) fn rare_abreast(&mut self, kernel: &Kernel, id: Id, elements: &mut [Values]) {
        let [some @ .., last] = &*elements else { return };
        let s = kernel.statement(id);
        let condition = s.operands[0];
        let mut any = last[&condition].clone();
        for values in some {
            any = self.test("or.pred", &[&any, &values[&condition]]);
        }
        let bank = Bank::of(s.ty);
        let usual: Vec<String> =
            elements.iter().map(|values| self.copy(bank, &values[&s.operands[1]])).collect();
        let after = self.label("after");
        self.line(format_args!("@!{any} bra {after};"));
        for (lane, (values, value)) in elements.iter_mut().zip(&usual).enumerate() {
            self.lane = lane;
            let next = self.label("after");
            self.line(format_args!("@!{} bra {next};", values[&condition]));
            self.block(&kernel.blocks[s.imm as usize], values);
            self.assign(bank, value, &values[&s.operands[2]].clone());
            self.place(&next);
        }
        self.lane = 0;
        self.place(&after);
        for (values, value) in elements.iter_mut().zip(usual) {
            values.insert(id, value);
        }
    }

    /// A loop: what it carries is in registers that are written anew.
    pub(super) fn repeated(&mut self, kernel: &Kernel, id: Id, values: &mut Values) {
        let s = kernel.statement(id);
        let bank = |o: &Id| Bank::of(kernel.statement(*o).ty);
        let carried: Vec<String> = s.operands.iter().map(|o| self.copy(bank(o), &values[o])).collect();
        let (head, done) = (self.label("loop"), self.label("ended"));
        let outermost = self.escape.is_none();
        self.escape.get_or_insert_with(|| done.clone());
        self.place(&head);
        for &one in &kernel.blocks[s.imm as usize] {
            let part = kernel.statement(one);
            match part.code {
                Code::Carried => {
                    values.insert(one, carried[part.imm as u32 as usize].clone());
                }
                Code::While => {
                    let condition = &values[&part.operands[0]];
                    self.line(format_args!("@!{condition} bra {done};"));
                }
                Code::Next => {
                    // All of them before any changes: one may be what another was.
                    let next: Vec<String> =
                        part.operands.iter().map(|o| self.copy(bank(o), &values[o])).collect();
                    for ((register, next), o) in carried.iter().zip(&next).zip(&part.operands) {
                        self.assign(bank(o), register, next);
                    }
                    self.line(format_args!("bra {head};"));
                }
                _ => self.one(kernel, one, values),
            }
        }
        self.place(&done);
        if outermost {
            self.escape = None;
        }
        self.given.insert(id, carried);
    }

    /// Two blocks, of which a thread takes one.
    pub(super) fn branches(&mut self, kernel: &Kernel, id: Id, values: &mut Values) {
        let s = kernel.statement(id);
        let Branches { then, otherwise } = Branches::of(s.imm);
        let (other, after) = (self.label("else"), self.label("joined"));
        let condition = &values[&s.operands[0]];
        self.line(format_args!("@!{condition} bra {other};"));
        let mut given: Vec<String> = Vec::new();
        for (block, end) in [(then, &other), (otherwise, &after)] {
            let ids = &kernel.blocks[block as usize];
            self.block(ids, values);
            let operands = ids.last().map(|&end| kernel.statement(end).operands.as_slice());
            for (i, o) in operands.into_iter().flatten().enumerate() {
                let bank = Bank::of(kernel.statement(*o).ty);
                if given.len() == i {
                    given.push(self.register(bank));
                }
                self.assign(bank, &given[i].clone(), &values[o].clone());
            }
            if block == then {
                self.line(format_args!("bra {after};"));
            }
            self.place(end);
        }
        self.given.insert(id, given);
    }
}
