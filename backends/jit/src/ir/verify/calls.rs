//! What functions must keep, and calls of them.

use super::{BODY, Broken, one};
use crate::ir::{Code, INLINED, Id, Kernel, Statement, Type};

/// What a kernel may call: the kernel that has the functions, how many of them it may, and the function that it is the body of.
#[derive(Clone, Copy)]
pub(super) struct Callable<'k> {
    pub(super) root: &'k Kernel,
    pub(super) count: usize,
    pub(super) function: Option<usize>,
}

/// The functions of a kernel, and its tables.
pub(super) fn functions(root: &Kernel) -> Result<(), Broken> {
    let broken = |what| Err(Broken { rule: 21, statement: None, what });
    let calls = &root.calls;
    if root.effects.is_none() && *calls != crate::ir::Calls::default() {
        return broken("functions are for kernels with effects");
    }
    for (number, f) in calls.functions.iter().enumerate() {
        if f.body.calls != crate::ir::Calls::default() {
            return broken("a function has no functions of its own");
        }
        if f.body.params != root.params || f.body.effects != root.effects {
            return broken("a function has the kernel's parameters, and runs as it does");
        }
        if calls.functions[..number].iter().any(|other| other.name == f.name) {
            return broken("each function has a name of its own");
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if f.name.is_empty() || !f.name.chars().all(is_word) {
            return broken("a function's name is a word of letters, digits and `_`");
        }
        one(&f.body, Callable { root, count: number, function: Some(number) })?;
        if f.body.has(Code::Shared) || f.body.has(Code::Barrier) {
            return broken("a function has no memory of a block, and no barrier");
        }
        let body = f.body.blocks.get(BODY).and_then(|ids| ids.last()).map(|&id| f.body.statement(id));
        let given: Option<Vec<Type>> = body.filter(|s| s.code == Code::Return).map(|s| types(&f.body, s));
        if given.as_deref() != Some(&f.results[..]) {
            return broken("a function ends with what it gives");
        }
    }
    for table in &calls.tables {
        let mut functions = table.iter().map(|&n| calls.functions.get(n as usize));
        let first = functions.next().flatten();
        let alike = |f: Option<&crate::ir::KernelFunction>| {
            f.zip(first)
                .is_some_and(|(f, first)| (&f.arguments, &f.results) == (&first.arguments, &first.results))
        };
        if first.is_none() || !functions.all(alike) {
            return broken("a table has functions, which take and give the same types");
        }
    }
    Ok(())
}

/// How much there is once calls are inlined: calls that double in each function are soon more than any memory holds.
pub(super) fn size(root: &Kernel) -> Result<(), Broken> {
    let mut sizes = Vec::with_capacity(root.calls.functions.len());
    for f in &root.calls.functions {
        let size = root.calls.inlined(&f.body, &sizes);
        sizes.push(size);
    }
    match root.calls.inlined(root, &sizes) <= INLINED && sizes.iter().all(|&n| n <= INLINED) {
        true => Ok(()),
        false => {
            Err(Broken { rule: 22, statement: None, what: "with its calls inlined, a kernel is too large" })
        }
    }
}

fn types(kernel: &Kernel, s: &Statement) -> Vec<Type> {
    s.operands.iter().map(|&o| kernel.statement(o).ty).collect()
}

/// A statement of functions, in a block; its operands were looked at.
pub(super) fn check(
    kernel: &Kernel,
    id: Id,
    block: usize,
    callable: Callable<'_>,
) -> Result<(), (u32, &'static str)> {
    let s = kernel.statement(id);
    let calls = &callable.root.calls;
    match s.code {
        Code::Argument => {
            let function = callable.function.and_then(|n| calls.functions.get(n));
            let ty = function.and_then(|f| f.arguments.get(s.imm as usize));
            match ty == Some(&s.ty) && block == BODY {
                true => Ok(()),
                false => Err((21, "an argument is one of the function's, in its second block itself")),
            }
        }
        Code::Return => {
            let is_last = kernel.blocks[BODY].last() == Some(&id);
            match callable.function.is_some() && block == BODY && is_last {
                true => Ok(()),
                false => Err((21, "a function ends with what it gives")),
            }
        }
        Code::Call | Code::CallTable if block == super::TOP => {
            Err((22, "functions are called for each element"))
        }
        Code::Call | Code::CallTable => {
            let Some(called) = calls.of(s).filter(|called| !called.is_empty()) else {
                return Err((22, "no such function"));
            };
            if called.iter().any(|&n| n as usize >= callable.count) {
                return Err((22, "a function calls those before it only"));
            }
            let mut given = types(kernel, s);
            if s.code == Code::CallTable && (given.is_empty() || given.remove(0) != Type::I64) {
                return Err((22, "the place in a table is an i64"));
            }
            match called.iter().all(|&n| calls.functions[n as usize].arguments == given) {
                true => Ok(()),
                false => Err((22, "what a function is called with is of its arguments' types")),
            }
        }
        _ => Ok(()),
    }
}
