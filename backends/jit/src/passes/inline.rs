//! Inlining. A virtual call, by an index of a table, becomes a conditional for each function of the table; then every call
//! is replaced by the function's statements. Lanes that diverge so take turns, each function once; generators see no
//! calls.

use crate::ir::{
    Branches, Calls, Carried, Code, Id, Kernel, KernelFunction, Operands, Rule, Statement, Type,
};
use smallvec::smallvec;
use std::collections::HashMap;

/// Replaces calls by what functions do. Functions that do the same are one.
pub fn inline(kernel: &mut Kernel) {
    let Calls { mut functions, tables } = std::mem::take(&mut kernel.calls);
    if functions.is_empty() {
        return;
    }
    let mut known: HashMap<(Vec<Type>, Kernel), u32> = HashMap::new();
    let mut merged = Vec::with_capacity(functions.len());
    for number in 0..functions.len() {
        let (before, rest) = functions.split_at_mut(number);
        let Some(f) = rest.first_mut() else { break };
        Inlining::run(&mut f.body, before, &tables, &merged);
        let first = known.entry((f.results.clone(), f.body.clone())).or_insert(number as u32);
        merged.push(*first);
    }
    Inlining::run(kernel, &functions, &tables, &merged);
}

struct Inlining<'k> {
    kernel: &'k mut Kernel,
    functions: &'k [KernelFunction],
    tables: &'k [Vec<u32>],
    /// By function, the first one that does the same.
    merged: &'k [u32],
    renamed: Vec<Id>,
    /// Memory of each element's own that functions have, which goes to the front of the second block.
    own: Vec<Id>,
}

impl<'k> Inlining<'k> {
    fn run(
        kernel: &'k mut Kernel,
        functions: &'k [KernelFunction],
        tables: &'k [Vec<u32>],
        merged: &'k [u32],
    ) {
        let renamed = (0..kernel.statements.len() as u32).map(Id).collect();
        let mut pass = Inlining { kernel, functions, tables, merged, renamed, own: Vec::new() };
        pass.block(1);
        let Inlining { kernel, mut renamed, own, .. } = pass;
        kernel.blocks[1].splice(0..0, own);
        // What a call gives may be what another one gives.
        for i in 0..renamed.len() {
            let mut last = renamed[i];
            while renamed[last.0 as usize] != last {
                last = renamed[last.0 as usize];
            }
            renamed[i] = last;
        }
        for s in &mut kernel.statements {
            s.operands.iter_mut().for_each(|o| *o = renamed[o.0 as usize]);
        }
    }

    fn add(&mut self, code: Code, ty: Type, operands: Operands, imm: u64) -> Id {
        let id = Id(self.kernel.statements.len() as u32);
        self.kernel.statements.push(Statement { code, ty, operands, imm });
        self.renamed.push(id);
        id
    }

    /// Writes a statement at the end of a block.
    fn put(&mut self, block: usize, code: Code, ty: Type, operands: Operands, imm: u64) -> Id {
        let id = self.add(code, ty, operands, imm);
        self.kernel.blocks[block].push(id);
        id
    }

    /// Writes a statement of the top block, whose last one is `elements`.
    fn put_first(&mut self, code: Code, ty: Type, operands: Operands, imm: u64) -> Id {
        let id = self.add(code, ty, operands, imm);
        let last = self.kernel.blocks[0].len() - 1;
        self.kernel.blocks[0].insert(last, id);
        id
    }

    fn new_block(&mut self) -> usize {
        self.kernel.blocks.push(Vec::new());
        self.kernel.blocks.len() - 1
    }

    fn block(&mut self, number: usize) {
        // By call, what it gives.
        let mut given: HashMap<Id, Vec<Id>> = HashMap::new();
        for id in std::mem::take(&mut self.kernel.blocks[number]) {
            for held in self.kernel.held(id) {
                self.block(held);
            }
            let s = self.kernel.statement(id).clone();
            match s.code {
                Code::Call => {
                    let function = self.merged[s.imm as usize];
                    let results = self.inline(number, function, &s.operands);
                    given.insert(id, results);
                }
                Code::CallTable => {
                    let results = self.choose(number, &s);
                    given.insert(id, results);
                }
                Code::Result if given.contains_key(&s.operands[0]) => {
                    self.renamed[id.0 as usize] = given[&s.operands[0]][s.imm as usize];
                }
                _ => self.kernel.blocks[number].push(id),
            }
        }
    }

    /// A conditional for each function of a table; gives what the one gives that an element calls.
    fn choose(&mut self, number: usize, s: &Statement) -> Vec<Id> {
        let (index, operands) = (s.operands[0], Operands::from_slice(&s.operands[1..]));
        let table = &self.tables[s.imm as usize];
        // The places of each function, in the order of the first.
        let mut places: Vec<(u32, Vec<u64>)> = Vec::new();
        for (place, &function) in (0..).zip(table) {
            let function = self.merged[function as usize];
            match places.iter_mut().find(|(f, _)| *f == function) {
                Some((_, places)) => places.push(place),
                None => places.push((function, vec![place])),
            }
        }
        let types = places.first().map_or(&[][..], |&(f, _)| &self.functions[f as usize].results).to_vec();
        let zero = |ty: &Type| self.put_first(Code::Constant, *ty, smallvec![], 0);
        let mut results: Vec<Id> = types.iter().map(zero).collect();
        for (function, places) in places {
            let mut is = None;
            for place in places {
                let place = self.put_first(Code::Constant, Type::I64, smallvec![], place);
                let here = self.put(number, Code::Eq, Type::Bool, smallvec![index, place], 0);
                is = Some(match is {
                    None => here,
                    Some(before) => self.put(number, Code::Or, Type::Bool, smallvec![before, here], 0),
                });
            }
            let Some(condition) = is else { continue };
            let (then, otherwise) = (self.new_block(), self.new_block());
            let values = self.inline(then, function, &operands);
            self.put(then, Code::Yield, Type::Bool, values.into(), 0);
            self.put(otherwise, Code::Yield, Type::Bool, results.as_slice().into(), 0);
            let imm = Branches { then: then as u32, otherwise: otherwise as u32 }.imm();
            let branch = self.put(number, Code::If, Type::Bool, smallvec![condition], imm);
            let result =
                |(i, ty): (usize, &Type)| self.put(number, Code::Result, *ty, smallvec![branch], i as u64);
            results = types.iter().enumerate().map(result).collect();
        }
        results
    }

    /// Writes what a function does at the end of a block; gives what it gives.
    fn inline(&mut self, number: usize, function: u32, operands: &[Id]) -> Vec<Id> {
        let body = &self.functions[function as usize].body;
        let mut names: HashMap<Id, Id> = HashMap::new();
        for &id in body.top() {
            let s = body.statement(id);
            if s.code != Code::Elements {
                let own = s.operands.iter().map(|o| names[o]).collect();
                let new = self.put_first(s.code, s.ty, own, s.imm);
                names.insert(id, new);
            }
        }
        self.copy(body, 1, number, operands, &mut names)
    }

    /// Copies a block of a function to the end of a block; gives what the function gives, if it ends there.
    fn copy(
        &mut self,
        body: &Kernel,
        from: usize,
        to: usize,
        arguments: &[Id],
        names: &mut HashMap<Id, Id>,
    ) -> Vec<Id> {
        let mut given = Vec::new();
        for &id in &body.blocks[from] {
            let s = body.statement(id);
            // The last operand of a `rare` is made in its block.
            if s.code == Code::Rare {
                let block = self.new_block();
                self.copy(body, s.imm as usize, block, arguments, names);
                let own = s.operands.iter().map(|o| names[o]).collect();
                let new = self.put(to, s.code, s.ty, own, block as u64);
                names.insert(id, new);
                continue;
            }
            let own: Operands = match s.code {
                Code::Argument => smallvec![],
                _ => s.operands.iter().map(|o| names[o]).collect(),
            };
            let new = match s.code.rule() {
                Rule::Argument => arguments[s.imm as usize],
                Rule::Return => {
                    given = own.to_vec();
                    continue;
                }
                Rule::Alloca => self.cleared(to, s),
                Rule::Loop => {
                    let block = self.new_block();
                    let new = self.put(to, s.code, s.ty, own, block as u64);
                    self.copy(body, s.imm as usize, block, arguments, names);
                    new
                }
                Rule::Carried => {
                    let imm = Carried { block: to as u32, index: Carried::of(s.imm).index }.imm();
                    self.put(to, s.code, s.ty, own, imm)
                }
                Rule::If => {
                    let branches = Branches::of(s.imm);
                    let [then, otherwise] = [branches.then, branches.otherwise].map(|from| {
                        let block = self.new_block();
                        self.copy(body, from as usize, block, arguments, names);
                        block as u32
                    });
                    self.put(to, s.code, s.ty, own, Branches { then, otherwise }.imm())
                }
                _ => self.put(to, s.code, s.ty, own, s.imm),
            };
            names.insert(id, new);
        }
        given
    }

    /// Memory of an element's own, which is all zeros for each call.
    fn cleared(&mut self, number: usize, s: &Statement) -> Id {
        let memory = self.add(Code::Alloca, s.ty, smallvec![], s.imm);
        self.own.push(memory);
        let zero = self.put_first(Code::Constant, s.ty, smallvec![], 0);
        let [first, one, end] =
            [0, 1, s.imm].map(|n| self.put_first(Code::Constant, Type::I64, smallvec![], n));
        if s.imm == 1 {
            self.put(number, Code::StoreAt, Type::Bool, smallvec![memory, first, zero], 0);
            return memory;
        }
        let block = self.new_block();
        self.put(number, Code::Loop, Type::Bool, smallvec![first], block as u64);
        let imm = Carried { block: block as u32, index: 0 }.imm();
        let place = self.put(block, Code::Carried, Type::I64, smallvec![], imm);
        let more = self.put(block, Code::Lt, Type::Bool, smallvec![place, end], 0);
        self.put(block, Code::While, Type::Bool, smallvec![more], 0);
        self.put(block, Code::StoreAt, Type::Bool, smallvec![memory, place, zero], 0);
        let next = self.put(block, Code::Add, Type::I64, smallvec![place, one], 0);
        self.put(block, Code::Next, Type::Bool, smallvec![next], 0);
        memory
    }
}
