//! Functions, which kernels with effects call by name or by a number in a table.
//!
//! A function is a kernel of the same parameters, whose second block has `argument`s and ends with `return`. It calls
//! functions before it only, so that nothing is recursive.

use super::{Builder, Code, Id, Kernel, Statement, Type};
use smallvec::smallvec;
use std::fmt;

/// What a kernel calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Calls {
    /// Functions, each of which calls those before it only.
    pub functions: Vec<KernelFunction>,
    /// Tables of functions, by their numbers.
    pub tables: Vec<Vec<u32>>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelFunction {
    /// Its name.
    pub name: String,
    /// The types of what it is called with.
    pub arguments: Vec<Type>,
    /// The types of what it gives.
    pub results: Vec<Type>,
    /// What it does: a kernel with the caller's parameters, which has no functions of its own.
    pub body: Kernel,
}

impl Calls {
    /// The functions that a call may mean, by their numbers; `None` where one is missing.
    pub fn of(&self, call: &Statement) -> Option<Vec<u32>> {
        let called = match call.code {
            Code::Call => vec![u32::try_from(call.imm).ok()?],
            _ => self.tables.get(usize::try_from(call.imm).ok()?)?.clone(),
        };
        called.iter().all(|&n| (n as usize) < self.functions.len()).then_some(called)
    }

    /// A function's name.
    pub(super) fn name(&self, number: u32) -> &str {
        self.functions.get(number as usize).map_or("?", |f| &f.name)
    }

    /// How many statements a kernel or a function has with its calls inlined, by those of the functions before.
    pub(super) fn inlined(&self, kernel: &Kernel, sizes: &[usize]) -> usize {
        let calls = kernel.blocks.iter().flatten().map(|&id| kernel.statement(id)).filter(|s| s.is_call());
        calls.fold(kernel.len(), |sum, call| {
            let mut called = self.of(call).unwrap_or_default();
            // Each function of a table is there once, and its places are compared one by one.
            let places = called.len() * 2;
            called.sort_unstable();
            called.dedup();
            let size = |n: &u32| sizes.get(*n as usize).copied().unwrap_or(0);
            called.iter().map(size).fold(sum.saturating_add(places), usize::saturating_add)
        })
    }

    /// What a call gives.
    pub fn results(&self, call: &Statement) -> Option<&[Type]> {
        let first = *self.of(call)?.first()?;
        Some(&self.functions[first as usize].results)
    }
}

/// The most statements of a kernel with its calls inlined.
pub const INLINED: usize = 1 << 18;

/// Functions that call each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Their names, in the order of their calls; the first one is the last one, too.
    pub names: Vec<String>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "functions that call each other: {}", self.names.join(" -> "))
    }
}

impl std::error::Error for Cycle {}

/// The numbers of functions, by their names and what each calls, in an order in which each stands behind those that it
/// calls.
///
/// # Errors
/// The first cycle.
pub fn in_order(names: &[String], calls: &[Vec<usize>]) -> Result<Vec<usize>, Cycle> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; names.len()];
    let mut order = Vec::with_capacity(names.len());
    // The functions that are open, each with how many of its calls were looked at.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for first in 0..names.len() {
        if states[first] == State::New {
            states[first] = State::Open;
            open.push((first, 0));
        }
        while let Some((function, seen)) = open.last_mut() {
            let function = *function;
            let Some(&called) = calls[function].get(*seen) else {
                states[function] = State::Done;
                order.push(function);
                open.pop();
                continue;
            };
            *seen += 1;
            match states[called] {
                State::Done => {}
                State::New => {
                    states[called] = State::Open;
                    open.push((called, 0));
                }
                State::Open => {
                    let cycle = open.iter().map(|&(f, _)| f).skip_while(|&f| f != called);
                    return Err(Cycle { names: cycle.chain([called]).map(|f| names[f].clone()).collect() });
                }
            }
        }
    }
    Ok(order)
}

impl Builder {
    /// What a function is called with, in the function that is being built.
    pub fn argument(&mut self, ty: Type, number: u32) -> Id {
        self.push(Code::Argument, ty, smallvec![], u64::from(number), true)
    }

    /// Calls a function by its number; gives what it gives.
    pub fn call(&mut self, function: u32, operands: &[Id], results: &[Type]) -> Vec<Id> {
        let call = self.push(Code::Call, Type::Bool, operands.into(), u64::from(function), true);
        self.results(call, results)
    }

    /// Calls the function of a table that stands at an index, an i64; gives what it gives, zeros where none does.
    pub fn call_table(&mut self, table: u32, index: Id, operands: &[Id], results: &[Type]) -> Vec<Id> {
        let operands = std::iter::once(index).chain(operands.iter().copied()).collect();
        let call = self.push(Code::CallTable, Type::Bool, operands, u64::from(table), true);
        self.results(call, results)
    }

    /// Ends a function with what it gives.
    pub fn finish_function(mut self, name: &str, arguments: &[Type], results: &[Id]) -> KernelFunction {
        let types = results.iter().map(|&x| self.ty(x)).collect();
        self.push(Code::Return, Type::Bool, results.into(), 0, true);
        KernelFunction { name: name.into(), arguments: arguments.into(), results: types, body: self.finish() }
    }
}
