//! Functions of a kernel, which are called by name or by their place in a table.

use super::builder::{Body, KernelBuilder, SharedBody};
use super::memory::{KernelMemory, ViewOf};
use super::value::KernelValue;
use super::{KernelError, Result, SourceLocation};
use crate::ir::{self, Access, Builder, Calls, Code, Effects, Id, Type, in_order};
use crate::lower::memory;
use ivy_core::Dtype;
use std::panic::Location;
use std::rc::Rc;

/// A function that a kernel may call.
#[derive(Clone)]
pub struct FunctionHandle {
    body: SharedBody,
    number: usize,
}

/// Functions that take and give the same dtypes, of which each element calls one.
#[derive(Clone)]
pub struct FunctionTable {
    body: SharedBody,
    number: usize,
    /// One of them, for what they take and give.
    first: usize,
}

/// A function as it was declared.
pub struct Declared {
    name: String,
    arguments: Vec<Dtype>,
    results: Vec<Dtype>,
    location: SourceLocation,
    /// What it does, and the number that the log had then.
    defined: Option<(ir::KernelFunction, u64)>,
    /// The functions that it calls.
    calls: Vec<usize>,
}

impl Body {
    /// What names memory, in the function that is being written.
    pub(super) fn memory_of(&mut self, view: &KernelMemory, location: SourceLocation) -> Id {
        match (view.place, self.function) {
            (ViewOf::Parameter(_), None) => view.memory,
            // The first parameter is the element.
            (ViewOf::Parameter(n), Some(_)) => self.builder.memory(n as u32 + 1),
            (ViewOf::Local { function, .. }, now) if function == now => view.memory,
            (ViewOf::Local { .. }, _) => {
                let what = "a function has no locals and no shared memory but its own";
                self.note(|| KernelError::Scope { what, location });
                let ty = memory(view.dtype).map_or(Type::I64, |(ty, _)| ty);
                self.builder.alloca(ty, 1)
            }
        }
    }
}

impl KernelBuilder {
    /// A function that is [defined](KernelBuilder::define) later, so that functions may call each other in any order; none
    /// may call itself, be it by others.
    #[track_caller]
    pub fn declare(&self, name: &str, arguments: &[Dtype], results: &[Dtype]) -> FunctionHandle {
        let location = Location::caller();
        for &dtype in arguments.iter().chain(results) {
            self.element_type(dtype, location);
        }
        let mut body = self.body.borrow_mut();
        let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word || body.functions.iter().any(|f| f.name == name) {
            let (value, rule) = (format!("`{name}`"), "a word of letters, digits and `_`, each once");
            body.note(|| KernelError::Declaration { argument: "name", value, rule, location });
        }
        body.functions.push(Declared {
            name: name.into(),
            arguments: arguments.into(),
            results: results.into(),
            location,
            defined: None,
            calls: Vec::new(),
        });
        FunctionHandle { body: self.body.clone(), number: body.functions.len() - 1 }
    }

    /// What a function does, once: its statements, of which the closure gives the results. It has the kernel's memory of arrays and
    /// its element; values from outside are arguments.
    #[track_caller]
    pub fn define(
        &self,
        function: &FunctionHandle,
        statements: impl FnOnce(&[KernelValue]) -> Vec<KernelValue>,
    ) {
        let location = Location::caller();
        let mut body = self.body.borrow_mut();
        let what = match body.functions.get(function.number) {
            _ if !Rc::ptr_eq(&function.body, &self.body) => "a function of another kernel",
            _ if body.function.is_some() => "a function is defined outside of others",
            Some(declared) if declared.defined.is_some() => "a function is defined once",
            _ => "",
        };
        if !what.is_empty() {
            return body.note(|| KernelError::Scope { what, location });
        }
        let Declared { name, arguments, results, .. } = &body.functions[function.number];
        let (name, arguments, results) = (name.clone(), arguments.clone(), results.clone());
        let params = body.builder.params().to_vec();
        let log = params.len() as u64 - 1;
        let outer = std::mem::replace(&mut body.builder, Builder::with_effects(params, Effects::FREE));
        let scope = body.next_scope;
        body.next_scope += 1;
        let scopes = std::mem::replace(&mut body.scopes, vec![scope]);
        let element = body.builder.load(0, 0);
        let element = std::mem::replace(&mut body.element, element);
        body.function = Some(function.number);
        let types: Vec<Type> = arguments.iter().map(|&d| memory(d).map_or(Type::I64, |(ty, _)| ty)).collect();
        let values: Vec<KernelValue> = (0..)
            .zip(arguments.iter().zip(&types))
            .map(|(n, (&dtype, &ty))| {
                let id = body.builder.argument(ty, n);
                KernelValue { body: self.body.clone(), dtype, id, scope }
            })
            .collect();
        drop(body);
        let given = statements(&values);
        let mut body = self.body.borrow_mut();
        given.iter().for_each(|x| body.sees(&self.body, x, location));
        let dtypes: Vec<Dtype> = given.iter().map(KernelValue::dtype).collect();
        if dtypes != results {
            let (value, rule) = (
                format!("`{name}` gives ({})", listed(&dtypes)),
                "a function gives what it was declared with",
            );
            body.note(|| KernelError::Declaration { argument: "results", value, rule, location });
        }
        let builder = std::mem::replace(&mut body.builder, outer);
        (body.scopes, body.element, body.function) = (scopes, element, None);
        if body.error.is_none() {
            let ids: Vec<Id> = given.iter().map(|x| x.id).collect();
            let made = builder.finish_function(&name, &types, &ids);
            body.functions[function.number].defined = Some((made, log));
        }
    }

    /// A function that is declared and defined at once.
    #[track_caller]
    pub fn function(
        &self,
        name: &str,
        arguments: &[Dtype],
        results: &[Dtype],
        statements: impl FnOnce(&[KernelValue]) -> Vec<KernelValue>,
    ) -> FunctionHandle {
        let function = self.declare(name, arguments, results);
        self.define(&function, statements);
        function
    }

    /// A table of functions that take and give the same dtypes.
    #[track_caller]
    pub fn table(&self, functions: &[&FunctionHandle]) -> FunctionTable {
        let location = Location::caller();
        let mut body = self.body.borrow_mut();
        let numbers: Vec<usize> = functions.iter().map(|f| f.number).collect();
        let types = |n: &usize| body.functions.get(*n).map(|f| (&f.arguments, &f.results));
        let own = functions.iter().all(|f| Rc::ptr_eq(&f.body, &self.body));
        if !own || numbers.is_empty() || numbers.iter().any(|n| types(n) != types(&numbers[0])) {
            let (value, rule) = (
                format!("{} functions", functions.len()),
                "one at least, of this kernel, all of which take and give the same dtypes",
            );
            body.note(|| KernelError::Declaration { argument: "table", value, rule, location });
        }
        let first = numbers.first().copied().unwrap_or(0);
        body.tables.push(numbers);
        FunctionTable { body: self.body.clone(), number: body.tables.len() - 1, first }
    }

    /// Calls a function; gives its results.
    #[track_caller]
    pub fn call(&self, function: &FunctionHandle, arguments: &[&KernelValue]) -> Vec<KernelValue> {
        let location = Location::caller();
        let own = Rc::ptr_eq(&function.body, &self.body);
        self.calls(own, function.number, &[function.number], arguments, location, |b, operands, types| {
            b.call(function.number as u32, operands, types)
        })
    }

    /// Calls the function that stands at an index of a table, an int64: a virtual call, for which diverging elements of a vector take
    /// turns. Where none stands there, results are zeros.
    #[track_caller]
    pub fn call_table(
        &self,
        table: &FunctionTable,
        place: &KernelValue,
        arguments: &[&KernelValue],
    ) -> Vec<KernelValue> {
        let location = Location::caller();
        let own = Rc::ptr_eq(&table.body, &self.body);
        let called = {
            let mut body = self.body.borrow_mut();
            body.sees(&self.body, place, location);
            if place.dtype != Dtype::INT64 {
                let (operation, dtype) = ("the place in a table", place.dtype);
                body.note(|| KernelError::Domain { operation, dtype, location });
            }
            body.tables.get(table.number).cloned().unwrap_or_default()
        };
        self.calls(own, table.first, &called, arguments, location, |b, operands, types| {
            b.call_table(table.number as u32, place.id, operands, types)
        })
    }

    fn calls(
        &self,
        own: bool,
        first: usize,
        called: &[usize],
        arguments: &[&KernelValue],
        location: SourceLocation,
        call: impl FnOnce(&mut Builder, &[Id], &[Type]) -> Vec<Id>,
    ) -> Vec<KernelValue> {
        let mut body = self.body.borrow_mut();
        let Some(declared) = body.functions.get(first).filter(|_| own) else {
            let what = "a function of another kernel";
            body.note(|| KernelError::Scope { what, location });
            return Vec::new();
        };
        let (name, takes, results) =
            (declared.name.clone(), declared.arguments.clone(), declared.results.clone());
        arguments.iter().for_each(|x| body.sees(&self.body, x, location));
        let given: Vec<Dtype> = arguments.iter().map(|x| x.dtype).collect();
        if given != takes {
            let value = format!("`{name}` of ({})", listed(&given));
            let rule = "a function is called with the dtypes that it was declared with";
            body.note(|| KernelError::Declaration { argument: "arguments", value, rule, location });
        }
        if let Some(caller) = body.function {
            body.functions[caller].calls.extend(called);
        }
        let types: Vec<Type> = results.iter().map(|&d| memory(d).map_or(Type::I64, |(ty, _)| ty)).collect();
        let operands: Vec<Id> = arguments.iter().map(|x| x.id).collect();
        let ids = call(&mut body.builder, &operands, &types);
        let scope = body.scope();
        drop(body);
        let value = |(id, dtype)| KernelValue { body: self.body.clone(), dtype, id, scope };
        ids.into_iter().zip(results).map(value).collect()
    }
}

fn listed(dtypes: &[Dtype]) -> String {
    dtypes.iter().map(Dtype::to_string).collect::<Vec<_>>().join(", ")
}

/// Gives a kernel its functions, each behind those that it calls.
pub(super) fn linked(
    name: &str,
    kernel: &mut ir::Kernel,
    functions: Vec<Declared>,
    tables: Vec<Vec<usize>>,
) -> Result<()> {
    let names: Vec<String> = functions.iter().map(|f| f.name.clone()).collect();
    let calls: Vec<Vec<usize>> = functions.iter().map(|f| f.calls.clone()).collect();
    let order = in_order(&names, &calls);
    let order = order.map_err(|cycle| KernelError::Recursion { kernel: name.into(), cycle })?;
    let mut places = vec![0u32; functions.len()];
    (0..).zip(&order).for_each(|(place, &number)| places[number] = place);
    let renumber = |kernel: &mut ir::Kernel| {
        let calls = kernel.statements.iter_mut().filter(|s| s.code == Code::Call);
        calls.for_each(|s| s.imm = u64::from(places[s.imm as usize]));
    };
    renumber(kernel);
    let log = kernel.params.iter().position(|p| p.access == Access::Log);
    let mut functions: Vec<Option<Declared>> = functions.into_iter().map(Some).collect();
    let mut linked = Calls::default();
    for number in order {
        let Some(Declared { defined, location, .. }) = functions[number].take() else { continue };
        let Some((mut function, old)) = defined else {
            let what = "a function that is declared, and defined nowhere";
            return Err(KernelError::Scope { what, location });
        };
        renumber(&mut function.body);
        (function.body.params, function.body.effects) = (kernel.params.clone(), kernel.effects);
        // Parameters that were declared since stand before the log.
        let names_log = |s: &&mut ir::Statement| s.code == Code::Memory && s.imm == old;
        let log = log.unwrap_or(0) as u64;
        function.body.statements.iter_mut().filter(names_log).for_each(|s| s.imm = log);
        linked.functions.push(function);
    }
    linked.tables = tables.iter().map(|table| table.iter().map(|&n| places[n]).collect()).collect();
    kernel.calls = linked;
    Ok(())
}
