//! Local variables become values: what a branch sets, its conditional gives; what a loop sets, it carries.

use super::alias::Root;
use crate::ir::{Branches, Carried, Code, Id, Kernel, Statement, Type};
use smallvec::smallvec;
use std::collections::{BTreeSet, HashMap};

/// Takes local variables out of memory: memory of each element's own, of one element. One that a loop sets
/// before its `while` stays, since the loop gives what was carried before that; unless nobody else asks for it, and each
/// iteration sets it first.
pub fn mem2reg(kernel: &mut Kernel) {
    if kernel.effects.is_none() {
        return;
    }
    let locals = locals(kernel);
    if locals.is_empty() {
        return;
    }
    let slots = locals.iter().enumerate().map(|(slot, &id)| (id, slot)).collect();
    let types: Vec<Type> = locals.iter().map(|&id| kernel.statement(id).ty).collect();
    let renamed = (0..kernel.statements.len() as u32).map(Id).collect();
    let totals = count_accesses(kernel, &kernel.blocks[1]);
    let mut pass = Pass { kernel, slots, types, totals, renamed };
    let zeros: Vec<Id> =
        pass.types.clone().into_iter().map(|ty| pass.add(Code::Constant, ty, None, 0)).collect();
    pass.kernel.blocks[0].splice(0..0, zeros.iter().copied());
    pass.block(1, &mut zeros.clone());
    pass.kernel.blocks[1].retain(|id| !locals.contains(id));
}

/// The variables that can be values.
fn locals(kernel: &Kernel) -> Vec<Id> {
    let all = || kernel.blocks.iter().flatten().copied();
    let single = |&id: &Id| kernel.statement(id).code == Code::Alloca && kernel.statement(id).imm == 1;
    let mut found: BTreeSet<Id> = all().filter(single).collect();
    for id in all() {
        let s = kernel.statement(id);
        let Some(memory) = s.memory() else { continue };
        let index = kernel.statement(s.operands[1]);
        if !matches!(s.code, Code::LoadAt | Code::StoreAt) || (index.code, index.imm) != (Code::Constant, 0) {
            found.remove(&memory);
        }
    }
    for id in all().filter(|&id| kernel.statement(id).code == Code::Loop) {
        let inside = &kernel.blocks[kernel.statement(id).imm as usize];
        let head = inside.iter().take_while(|&&one| kernel.statement(one).code != Code::While);
        let mut set = BTreeSet::new();
        head.for_each(|&one| sets(kernel, one, &mut set));
        let count = |ids: &mut dyn Iterator<Item = Id>, local: Id| -> usize {
            ids.map(|id| accesses(kernel, id, local)).sum()
        };
        let is_within = |local: Id| {
            let all = count(&mut kernel.blocks[1].iter().copied(), local);
            let sets_first = sets_first(kernel, kernel.statement(id).imm as usize, local);
            sets_first && all == count(&mut inside.iter().copied(), local)
        };
        found.retain(|&local| !set.contains(&local) || is_within(local));
    }
    found.into_iter().collect()
}

/// True if the first statement of a block that reads or sets a variable sets it: of a conditional in each of its branches, of a loop
/// before it may end.
fn sets_first(kernel: &Kernel, number: usize, local: Id) -> bool {
    let head = kernel.blocks[number].iter().take_while(|&&one| kernel.statement(one).code != Code::While);
    let Some(&first) = head.into_iter().find(|&&one| accesses(kernel, one, local) > 0) else { return false };
    match kernel.statement(first).code {
        Code::StoreAt => true,
        Code::If | Code::Loop => kernel.held(first).into_iter().all(|inner| sets_first(kernel, inner, local)),
        _ => false,
    }
}

/// How often a statement, or those in its blocks, read or set a variable.
fn accesses(kernel: &Kernel, id: Id, local: Id) -> usize {
    let own = kernel.statement(id).memory() == Some(local);
    let held = kernel.held(id).into_iter().flat_map(|held| kernel.blocks[held].iter());
    usize::from(own) + held.map(|&inner| accesses(kernel, inner, local)).sum::<usize>()
}

/// How often statements, and those in their blocks, read or set memory, by what names it.
fn count_accesses(kernel: &Kernel, ids: &[Id]) -> HashMap<Id, usize> {
    let (mut found, mut left) = (HashMap::new(), ids.to_vec());
    while let Some(id) = left.pop() {
        if let Some(memory) = kernel.statement(id).memory() {
            *found.entry(memory).or_default() += 1;
        }
        left.extend(kernel.held(id).into_iter().flat_map(|held| kernel.blocks[held].iter().copied()));
    }
    found
}

/// Notes what a statement sets, or one in its blocks.
fn sets(kernel: &Kernel, id: Id, found: &mut BTreeSet<Id>) {
    let s = kernel.statement(id);
    if let (Code::StoreAt, Some(memory)) = (s.code, s.memory())
        && let Root::Own(local) = Root::of(kernel, memory)
    {
        found.insert(local);
    }
    for held in kernel.held(id) {
        kernel.blocks[held].iter().for_each(|&inner| sets(kernel, inner, found));
    }
}

struct Pass<'k> {
    kernel: &'k mut Kernel,
    /// The number of each variable.
    slots: HashMap<Id, usize>,
    types: Vec<Type>,
    /// How often each is read or set.
    totals: HashMap<Id, usize>,
    /// Values by the names that they had.
    renamed: Vec<Id>,
}

impl Pass<'_> {
    fn add(&mut self, code: Code, ty: Type, operand: Option<Id>, imm: u64) -> Id {
        let id = Id(self.kernel.statements.len() as u32);
        let operands = operand.map_or_else(|| smallvec![], |o| smallvec![o]);
        self.kernel.statements.push(Statement { code, ty, operands, imm });
        self.renamed.push(id);
        id
    }

    /// The variables that a statement's blocks set, by their numbers.
    fn set_in(&self, id: Id) -> Vec<usize> {
        let mut found = BTreeSet::new();
        sets(self.kernel, id, &mut found);
        found.iter().filter_map(|local| self.slots.get(local).copied()).collect()
    }

    fn slot(&self, s: &Statement) -> Option<usize> {
        self.slots.get(&s.memory()?).copied()
    }

    /// Goes through a block with the variables' values, which it changes.
    fn block(&mut self, number: usize, values: &mut Vec<Id>) {
        for id in std::mem::take(&mut self.kernel.blocks[number]) {
            let renamed = &self.renamed;
            let operands = &mut self.kernel.statements[id.0 as usize].operands;
            operands.iter_mut().for_each(|o| *o = renamed[o.0 as usize]);
            let s = self.kernel.statement(id).clone();
            match (s.code, self.slot(&s)) {
                (Code::LoadAt, Some(slot)) => {
                    self.renamed[id.0 as usize] = values[slot];
                    continue;
                }
                (Code::StoreAt, Some(slot)) => {
                    values[slot] = s.operands[2];
                    continue;
                }
                _ => self.kernel.blocks[number].push(id),
            }
            let given = match s.code {
                Code::Loop => self.repeated(id, s.imm as usize, values),
                Code::If => self.branches(id, Branches::of(s.imm), values),
                Code::Rare => {
                    // Nothing is set in there; its last operand is made there.
                    self.block(s.imm as usize, values);
                    let renamed = &self.renamed;
                    let last = self.kernel.statements[id.0 as usize].operands.last_mut();
                    last.into_iter().for_each(|o| *o = renamed[o.0 as usize]);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            self.kernel.blocks[number].extend(given);
        }
    }

    /// A loop carries what it sets: gives what it leaves.
    fn repeated(&mut self, id: Id, inner: usize, values: &mut [Id]) -> Vec<Id> {
        let slots = self.set_in(id);
        let first = self.kernel.statement(id).operands.len();
        let mut carried = Vec::new();
        for (i, &slot) in slots.iter().enumerate() {
            self.kernel.statements[id.0 as usize].operands.push(values[slot]);
            let imm = Carried { block: inner as u32, index: (first + i) as u32 }.imm();
            carried.push(self.add(Code::Carried, self.types[slot], None, imm));
        }
        self.kernel.blocks[inner].splice(first..first, carried.iter().copied());
        let mut inside = values.to_vec();
        slots.iter().zip(&carried).for_each(|(&slot, &value)| inside[slot] = value);
        self.block(inner, &mut inside);
        self.end(inner, &slots, &inside);
        self.results(id, first, &slots, values)
    }

    /// A conditional gives what its branches set and others ask for.
    fn branches(&mut self, id: Id, branches: Branches, values: &mut [Id]) -> Vec<Id> {
        let within = count_accesses(self.kernel, &[id]);
        let mut slots = self.set_in(id);
        // Of what nobody reads elsewhere, and that is set first each time, nothing is left.
        let is_own = |(local, count): &(&Id, &usize)| {
            self.totals.get(*local) == Some(*count)
                && [branches.then, branches.otherwise].map(|b| b as usize).iter().all(|&b| {
                    let asks = |&id: &Id| accesses(self.kernel, id, **local) > 0;
                    sets_first(self.kernel, b, **local) || !self.kernel.blocks[b].iter().any(asks)
                })
        };
        let own: Vec<usize> =
            within.iter().filter(is_own).filter_map(|(local, _)| self.slots.get(local).copied()).collect();
        slots.retain(|slot| !own.contains(slot));
        let mut first = 0;
        for block in [branches.then, branches.otherwise].map(|b| b as usize) {
            let mut inside = values.to_vec();
            self.block(block, &mut inside);
            first = self.end(block, &slots, &inside);
        }
        self.results(id, first, &slots, values)
    }

    /// The last statement of a block gives variables as well; gives how many operands it had.
    fn end(&mut self, block: usize, slots: &[usize], values: &[Id]) -> usize {
        let Some(&end) = self.kernel.blocks[block].last() else { return 0 };
        let operands = &mut self.kernel.statements[end.0 as usize].operands;
        let first = operands.len();
        operands.extend(slots.iter().map(|&slot| values[slot]));
        first
    }

    fn results(&mut self, of: Id, first: usize, slots: &[usize], values: &mut [Id]) -> Vec<Id> {
        let mut results = Vec::new();
        for (i, &slot) in slots.iter().enumerate() {
            values[slot] = self.add(Code::Result, self.types[slot], Some(of), (first + i) as u64);
            results.push(values[slot]);
        }
        results
    }
}
