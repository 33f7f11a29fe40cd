//! From a kernel to steps on registers: where each value is, and where blocks begin and end.

use super::{Memory, Step};
use crate::ir::{Branches, Code, Id, Kernel, Place, Rule, Type};
use smallvec::SmallVec;
use std::collections::HashMap;

/// What a register holds.
#[derive(Clone, Copy)]
pub(super) enum Room {
    /// A value of each element at hand.
    Value,
    /// So many elements of each one's own.
    Own(usize),
    /// So many elements of all.
    Shared(usize),
}

/// The steps of a kernel, and the registers that they need.
pub(super) struct Plan<'k> {
    kernel: &'k Kernel,
    pub(super) registers: Vec<(Type, Room)>,
    pub(super) once: Vec<Step>,
    pub(super) each: Vec<Step>,
    places: HashMap<Id, u32>,
    /// What names memory.
    memories: HashMap<Id, Memory>,
    /// The values that have their last use in a statement.
    ends: HashMap<Id, Vec<Id>>,
    free: HashMap<Type, Vec<u32>>,
    /// How many loops are around, and the checks in them, which go on behind all of them.
    depth: usize,
    leaving: Vec<usize>,
}

/// Where values are used for the last time.
struct Uses<'k> {
    kernel: &'k Kernel,
    /// For each value, the statement after which it is not needed.
    last: HashMap<Id, Id>,
    /// The loops around the statement at hand.
    loops: Vec<Id>,
    /// In how many loops each value is made.
    depths: HashMap<Id, usize>,
}

impl Uses<'_> {
    fn block(&mut self, number: usize) {
        let kernel = self.kernel;
        for &id in &kernel.blocks[number] {
            let s = kernel.statement(id);
            // The last operand of a `rare` is made in its block.
            let before = if s.code == Code::Rare { 2 } else { s.operands.len() };
            s.operands.iter().take(before).for_each(|&o| self.uses(o, id));
            let is_loop = s.code == Code::Loop;
            if is_loop {
                self.loops.push(id);
            }
            s.blocks().into_iter().for_each(|held| self.block(held));
            if is_loop {
                self.loops.pop();
            }
            // What is asked of elements is asked again for the second branch.
            s.operands.iter().for_each(|&o| self.uses(o, id));
            self.depths.insert(id, self.loops.len());
        }
    }

    /// What was there before a loop is needed until its end.
    fn uses(&mut self, value: Id, by: Id) {
        let depth = self.depths.get(&value).copied().unwrap_or(0);
        self.last.insert(value, self.loops.get(depth).copied().unwrap_or(by));
    }
}

impl<'k> Plan<'k> {
    /// Values get registers, which are used again when their value has had its last use.
    pub(super) fn of(kernel: &'k Kernel) -> Plan<'k> {
        let mut plan = Plan {
            kernel,
            registers: Vec::new(),
            once: Vec::new(),
            each: Vec::new(),
            places: HashMap::new(),
            memories: HashMap::new(),
            ends: HashMap::new(),
            free: HashMap::new(),
            depth: 0,
            leaving: Vec::new(),
        };
        for &id in kernel.top() {
            let s = kernel.statement(id);
            if s.names_memory() {
                plan.name(id);
                continue;
            }
            let out = plan.register(s.ty);
            plan.places.insert(id, out);
            let step = plan.step(id, out, None);
            plan.once.push(step);
        }
        let Some(body) = kernel.top().last().and_then(|&id| kernel.held(id).first().copied()) else {
            return plan;
        };
        let mut uses = Uses { kernel, last: HashMap::new(), loops: Vec::new(), depths: HashMap::new() };
        uses.block(body);
        for (value, by) in uses.last {
            // Those of the top block stay.
            if !plan.places.contains_key(&value) {
                plan.ends.entry(by).or_default().push(value);
            }
        }
        let first = kernel.effects.map(|_| plan.register(Type::Bool));
        if let Some(mask) = first {
            plan.each.push(Step::First { mask });
        }
        plan.block(body, first);
        plan
    }

    fn register(&mut self, ty: Type) -> u32 {
        self.room(ty, Room::Value)
    }

    fn room(&mut self, ty: Type, room: Room) -> u32 {
        self.registers.push((ty, room));
        self.registers.len() as u32 - 1
    }

    /// What a statement names, which is all zeros for each block of elements, unless a launch gives it.
    fn name(&mut self, id: Id) {
        let s = self.kernel.statement(id);
        let count = s.imm as usize;
        let memory = match s.code {
            Code::Memory => Memory::Param(count),
            Code::Alloca => Memory::Own(self.room(s.ty, Room::Own(count))),
            _ => Memory::Shared(self.room(s.ty, Room::Shared(count))),
        };
        if let Memory::Own(register) | Memory::Shared(register) = memory {
            self.each.push(Step::Clear(register));
        }
        self.memories.insert(id, memory);
    }

    fn step(&self, id: Id, out: u32, within: Option<u32>) -> Step {
        let s = self.kernel.statement(id);
        let values = &s.operands[usize::from(s.memory().is_some())..];
        let operands: SmallVec<[u32; 3]> = values.iter().map(|o| self.places[o]).collect();
        if let Some(memory) = s.memory() {
            return Step::Access { code: s.code, memory: self.memories[&memory], operands, within, out };
        }
        Step::Do { code: s.code, imm: s.imm, operands, out }
    }

    /// Makes the last steps go on after themselves.
    fn land(&mut self, steps: &[usize]) {
        let here = self.each.len();
        for &at in steps {
            if let Step::Test { to, .. } | Step::Check { to, .. } = &mut self.each[at] {
                *to = here;
            }
        }
    }

    /// Writes a test that goes on at a place that is not known yet; gives its number and its mask.
    fn test(&mut self, condition: u32, wanted: bool, within: Option<u32>) -> (usize, u32) {
        let mask = self.register(Type::Bool);
        self.each.push(Step::Test { condition, wanted, within, mask, to: 0 });
        (self.each.len() - 1, mask)
    }

    /// The steps of a block, of which the elements of `mask` have need.
    fn block(&mut self, number: usize, mask: Option<u32>) {
        let kernel = self.kernel;
        kernel.blocks[number].iter().for_each(|&id| self.one(id, number, mask));
    }

    fn one(&mut self, id: Id, number: usize, mask: Option<u32>) {
        let s = self.kernel.statement(id);
        match s.code.rule() {
            Rule::Loop => self.repeated(id, number, mask),
            Rule::If => self.branches(id, number, mask),
            Rule::Check => {
                let (at, condition) = (self.each.len(), self.places[&s.operands[0]]);
                self.each.push(Step::Check { flag: Place::of(s.imm), condition, within: mask, to: at + 1 });
                if self.depth > 0 {
                    self.leaving.push(at);
                }
            }
            Rule::Alloca => self.name(id),
            // All elements at hand get there together.
            Rule::Barrier => {}
            // With their loops and conditionals.
            Rule::Carried | Rule::While | Rule::Next | Rule::Yield | Rule::Result => {}
            rule => {
                if rule == Rule::Rare {
                    let (test, inner) = self.test(self.places[&s.operands[0]], true, mask);
                    self.block(s.imm as usize, Some(inner));
                    self.land(&[test]);
                }
                // Taken before the operands are given back: a step never reads what it writes.
                let mut out = 0;
                if s.has_value() {
                    let old = self.free.get_mut(&s.ty).and_then(Vec::pop);
                    out = old.unwrap_or_else(|| self.register(s.ty));
                    self.places.insert(id, out);
                }
                let step = self.step(id, out, mask);
                self.each.push(step);
            }
        }
        self.give_back(id);
    }

    /// The registers of what has its last use in a statement can be used again.
    fn give_back(&mut self, id: Id) {
        for value in self.ends.remove(&id).unwrap_or_default() {
            // What comes out of blocks keeps its register.
            let s = self.kernel.statement(value);
            let kept = matches!(s.code.rule(), Rule::Carried | Rule::Result | Rule::Loop | Rule::If)
                || s.names_memory();
            if let (false, Some(&place)) = (kept, self.places.get(&value)) {
                self.free.entry(s.ty).or_default().push(place);
            }
        }
    }

    /// Registers of their own for what a loop carries or a conditional gives, which are those of
    /// its results as well.
    fn own(&mut self, id: Id, number: usize, types: &[Type]) -> Vec<u32> {
        let own: Vec<u32> = types.iter().map(|&ty| self.register(ty)).collect();
        for &result in &self.kernel.blocks[number] {
            let s = self.kernel.statement(result);
            if s.code.rule() == Rule::Result && s.operands[0] == id {
                self.places.insert(result, own[s.imm as usize]);
            }
        }
        own
    }

    fn repeated(&mut self, id: Id, number: usize, mask: Option<u32>) {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let types: Vec<Type> = s.operands.iter().map(|&o| kernel.statement(o).ty).collect();
        let own = self.own(id, number, &types);
        let first = s.operands.iter().map(|o| self.places[o]);
        let pairs = own.iter().copied().zip(first).collect();
        self.each.push(Step::Copy(pairs));
        // What comes before the test counts as well, where it may have an effect.
        let going = mask.filter(|_| kernel.effects.is_some()).map(|mask| {
            let going = self.register(Type::Bool);
            self.each.push(Step::Copy(vec![(going, mask)]));
            going
        });
        let ids = &kernel.blocks[s.imm as usize];
        ids.iter().zip(&own).for_each(|(&carried, &place)| {
            self.places.insert(carried, place);
        });
        let begin = self.each.len();
        self.depth += 1;
        // The block in two parts, before and after the test.
        let head = going.or(mask);
        let (mut at, mut inner) = (None, head);
        for &one in ids {
            let part = kernel.statement(one);
            match part.code {
                Code::While => {
                    let (test, mask) = self.test(self.places[&part.operands[0]], true, head);
                    (at, inner) = (Some(test), Some(mask));
                }
                Code::Next => {
                    let mut pairs = Vec::new();
                    let mut copies = Vec::new();
                    for (i, o) in part.operands.iter().enumerate() {
                        let mut from = self.places[o];
                        if own.contains(&from) && from != own[i] {
                            // It changes as well: what it was before counts.
                            let copy = self.register(types[i]);
                            copies.push((copy, from));
                            from = copy;
                        }
                        if from != own[i] {
                            pairs.push((own[i], from));
                        }
                    }
                    self.each.push(Step::Copy(copies));
                    if let Some(mask) = inner {
                        self.each.push(Step::Merge { mask, pairs });
                    }
                    if let (Some(going), Some(inner)) = (going, inner) {
                        self.each.push(Step::Copy(vec![(going, inner)]));
                    }
                    self.each.push(Step::Go(begin));
                }
                _ => {
                    self.one(one, s.imm as usize, inner);
                    continue;
                }
            }
            self.give_back(one);
        }
        self.land(at.as_slice());
        self.depth -= 1;
        if self.depth == 0 {
            let leaving = std::mem::take(&mut self.leaving);
            self.land(&leaving);
        }
    }

    fn branches(&mut self, id: Id, number: usize, mask: Option<u32>) {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let Branches { then, otherwise } = Branches::of(s.imm);
        let given =
            |block: u32| kernel.blocks[block as usize].last().map(|&end| &kernel.statement(end).operands);
        let types: Vec<Type> = given(then).into_iter().flatten().map(|&o| kernel.statement(o).ty).collect();
        let own = self.own(id, number, &types);
        for (block, wanted) in [(then, true), (otherwise, false)] {
            let (test, inner) = self.test(self.places[&s.operands[0]], wanted, mask);
            self.block(block as usize, Some(inner));
            let values = given(block).into_iter().flatten().map(|o| self.places[o]);
            let pairs = own.iter().copied().zip(values).collect();
            self.each.push(Step::Merge { mask: inner, pairs });
            self.land(&[test]);
        }
    }
}
