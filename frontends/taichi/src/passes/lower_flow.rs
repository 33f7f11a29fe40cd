//! Breaks, continues, early returns and inlined bodies become conditions: what comes after one of them is done where a
//! variable says that nothing has ended yet, and loops end by it.

use super::edit::Edit;
use crate::ir::{Code, Data, Id, Ir, Statement, TOP};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

/// What can be ended: an inlined body or the kernel, or a loop.
struct Scope {
    is_loop: bool,
    /// True while what is left of the body, or of the iteration, is done.
    live: Id,
    /// Of a loop: true while there are more iterations.
    go: Option<Id>,
}

/// What the statements of a block may end, of what is around it.
#[derive(Clone, Copy, Default)]
struct Exits {
    iteration: bool,
    repeats: bool,
    body: bool,
}

/// True if there was something to lower.
pub fn lower_flow(ir: &mut Ir) -> bool {
    let has =
        |id: Id| matches!(ir.statement(id).code, Code::Break | Code::Continue | Code::Return | Code::Inline);
    let any = ir.in_order().into_iter().any(has);
    if any {
        let exits = exits(ir, TOP);
        let ids = std::mem::take(&mut ir.blocks[TOP]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        let mut scopes = Vec::new();
        if exits.body && !ends_only(edit.ir, &ids) {
            scopes.push(Scope { is_loop: false, live: edit.flag(), go: None });
        }
        rest(&mut edit, &ids, &mut scopes);
        ir.blocks[TOP] = edit.out;
    }
    any
}

/// True if the only return is the last statement.
fn ends_only(ir: &Ir, ids: &[Id]) -> bool {
    let Some((last, before)) = ids.split_last() else { return true };
    let none = |&id: &Id| !of(ir, id).body;
    ir.statement(*last).code == Code::Return && before.iter().all(none)
}

fn exits(ir: &Ir, block: usize) -> Exits {
    let mut found = Exits::default();
    for &id in &ir.blocks[block] {
        let here = of(ir, id);
        found.iteration |= here.iteration;
        found.repeats |= here.repeats;
        found.body |= here.body;
    }
    found
}

/// What a statement may end.
fn of(ir: &Ir, id: Id) -> Exits {
    let s = ir.statement(id);
    match s.code {
        Code::Break => Exits { iteration: true, repeats: true, body: false },
        Code::Continue => Exits { iteration: true, repeats: false, body: false },
        Code::Return => Exits { iteration: true, repeats: true, body: true },
        Code::Inline => Exits::default(),
        Code::If => {
            let [a, b] = [exits(ir, s.blocks[0]), exits(ir, s.blocks[1])];
            Exits {
                iteration: a.iteration || b.iteration,
                repeats: a.repeats || b.repeats,
                body: a.body || b.body,
            }
        }
        Code::RangeFor | Code::StructFor | Code::While => {
            let body = exits(ir, s.blocks[0]).body;
            Exits { iteration: body, repeats: body, body }
        }
        _ => Exits::default(),
    }
}

/// Rewrites statements of a block into what is being written.
fn rest(edit: &mut Edit<'_>, ids: &[Id], scopes: &mut Vec<Scope>) {
    for (n, &id) in ids.iter().enumerate() {
        let s = edit.ir.statement(id).clone();
        edit.span = s.span;
        let mut ended = of(edit.ir, id).iteration;
        match s.code {
            Code::Break | Code::Continue => {
                if let Some(scope) = scopes.iter().rev().find(|scope| scope.is_loop) {
                    let (live, go) = (scope.live, scope.go.filter(|_| s.code == Code::Break));
                    [Some(live), go].into_iter().flatten().for_each(|flag| edit.set_flag(flag, false));
                }
                return;
            }
            Code::Return => {
                let body = scopes.iter().rposition(|scope| !scope.is_loop).unwrap_or(0);
                let flags: Vec<Id> =
                    scopes[body..].iter().flat_map(|s| [Some(s.live), s.go]).flatten().collect();
                flags.into_iter().for_each(|flag| edit.set_flag(flag, false));
                return;
            }
            Code::WhileControl if scopes.last().is_some_and(|scope| scope.go.is_some()) => {
                // A break where the condition is false.
                let (live, go) = scopes.last().map_or((id, None), |scope| (scope.live, scope.go));
                let choice = edit.push(Code::If, None, &s.operands, Data::None);
                let otherwise = edit.ir.statement(choice).blocks[1];
                inner(edit, otherwise, |edit| {
                    [Some(live), go].into_iter().flatten().for_each(|flag| edit.set_flag(flag, false));
                });
                ended = true;
            }
            Code::Inline => {
                let exits = exits(edit.ir, s.blocks[0]);
                let body = std::mem::take(&mut edit.ir.blocks[s.blocks[0]]);
                let single = !exits.body || ends_only(edit.ir, &body);
                if single {
                    let kept =
                        body.split_last().filter(|_| exits.body).map_or(&body[..], |(_, before)| before);
                    rest(edit, kept, scopes);
                } else {
                    scopes.push(Scope { is_loop: false, live: edit.flag(), go: None });
                    rest(edit, &body, scopes);
                    scopes.pop();
                }
            }
            Code::RangeFor | Code::While => repeated(edit, id, scopes),
            Code::StructFor => {
                edit.out.push(id);
                iteration(edit, s.blocks[0], None, scopes);
            }
            _ => {
                edit.out.push(id);
                for &block in &s.blocks {
                    let ids = std::mem::take(&mut edit.ir.blocks[block]);
                    inner(edit, block, |edit| rest(edit, &ids, scopes));
                }
            }
        }
        let after = &ids[n + 1..];
        if let Some(live) = scopes.last().map(|scope| scope.live).filter(|_| ended && !after.is_empty()) {
            let still = edit.load(live);
            let choice = edit.push(Code::If, None, &[still], Data::None);
            let then = edit.ir.statement(choice).blocks[0];
            inner(edit, then, |edit| rest(edit, after, scopes));
            return;
        }
    }
}

/// Writes into another block.
fn inner(edit: &mut Edit<'_>, block: usize, write: impl FnOnce(&mut Edit<'_>)) {
    let outer = std::mem::take(&mut edit.out);
    write(edit);
    let written = std::mem::replace(&mut edit.out, outer);
    edit.ir.blocks[block].extend(written);
}

/// Rewrites the block of a loop, each iteration of which may end.
fn iteration(edit: &mut Edit<'_>, block: usize, go: Option<Id>, scopes: &mut Vec<Scope>) {
    let exits = exits(edit.ir, block);
    let ids = std::mem::take(&mut edit.ir.blocks[block]);
    inner(edit, block, |edit| {
        let scope = (exits.iteration || go.is_some()).then(|| Scope { is_loop: true, live: edit.flag(), go });
        let has_scope = scope.is_some();
        scopes.extend(scope);
        rest(edit, &ids, scopes);
        if has_scope {
            scopes.pop();
        }
    });
}

/// A loop whose repeating may end becomes one that asks a variable.
fn repeated(edit: &mut Edit<'_>, id: Id, scopes: &mut Vec<Scope>) {
    let s = edit.ir.statement(id).clone();
    let body = s.blocks[0];
    if !exits(edit.ir, body).repeats {
        edit.out.push(id);
        iteration(edit, body, None, scopes);
        return;
    }
    let go = edit.flag();
    if s.code == Code::While {
        edit.out.push(id);
        iteration(edit, body, Some(go), scopes);
        ask(edit, body, |edit| edit.load(go));
        return;
    }
    counting(edit, id, go, scopes);
}

/// A range becomes a loop that counts by itself.
fn counting(edit: &mut Edit<'_>, id: Id, go: Id, scopes: &mut Vec<Scope>) {
    let s = edit.ir.statement(id).clone();
    let (body, begin, end) = (s.blocks[0], s.operands[0], s.operands[1]);
    let Some(ty) = edit.ir.statement(begin).ty else { return };
    let counter = edit.push(Code::Alloca, Some(ty), &[], Data::None);
    edit.store(counter, begin);
    let (code, operands, blocks, data) = (Code::LocalLoad, vec![counter], Vec::new(), Data::None);
    let index = edit.ir.add(Statement { code, ty: Some(ty), operands, blocks, data, span: s.span });
    let whole = edit.ir.statement_mut(id);
    (whole.code, whole.operands, whole.data) = (Code::While, Vec::new(), Data::None);
    edit.out.push(id);
    rename_index(edit.ir, id, body, index);
    iteration(edit, body, Some(go), scopes);
    ask(edit, body, |edit| {
        edit.out.push(index);
        let more = edit.binary(BinaryOp::CmpLt, PrimitiveType::U1, index, end);
        let still = edit.load(go);
        edit.binary(BinaryOp::BitAnd, PrimitiveType::U1, more, still)
    });
    inner(edit, body, |edit| {
        let one = edit.constant(ty, 1);
        let next = edit.binary(BinaryOp::Add, ty, index, one);
        edit.store(counter, next);
    });
}

/// Puts a value in the place of a loop's indices in its block, which is in no other one while it is rewritten.
fn rename_index(ir: &mut Ir, of: Id, body: usize, index: Id) {
    let within = ir.within(body);
    let is_index = |s: &Statement| s.code == Code::LoopIndex && s.operands[0] == of;
    let old: Vec<Id> = within.iter().copied().filter(|&id| is_index(ir.statement(id))).collect();
    for &id in &within {
        let operands = &mut ir.statement_mut(id).operands;
        operands.iter_mut().filter(|o| old.contains(o)).for_each(|o| *o = index);
    }
    let inner = within.iter().flat_map(|&id| ir.statement(id).blocks.clone());
    for block in std::iter::once(body).chain(inner).collect::<Vec<_>>() {
        ir.blocks[block].retain(|id| !old.contains(id));
    }
}

/// Puts a question before a loop's block: whether there is another iteration.
fn ask(edit: &mut Edit<'_>, body: usize, question: impl FnOnce(&mut Edit<'_>) -> Id) {
    let after = std::mem::take(&mut edit.ir.blocks[body]);
    inner(edit, body, |edit| {
        let condition = question(edit);
        edit.push(Code::WhileControl, None, &[condition], Data::None);
    });
    edit.ir.blocks[body].extend(after);
}
