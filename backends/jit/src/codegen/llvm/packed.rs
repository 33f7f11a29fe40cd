//! Loops that some elements go round much longer than others. A vector leaves such a loop when few of its
//! lanes go on. What these carry is put into a queue on the stack, from which whole vectors of lanes are
//! taken that stand anywhere in the range at hand: they go on until few of them are left, and so on. What
//! the body does after the loop follows for each lane that has ended, and is written where it belongs.
//!
//! The first vectors write all of their lanes, those that go on as well: later code writes them again.

use super::names::{scalar, stored};
use super::text::{LONG, Text};
use crate::ir::{Access, Code, Id, Kernel, Place, Rule, Steps, Type, varying};
use std::collections::HashMap;

/// Vectors that the queue holds. It is emptied where the lanes of another one may not fit.
const QUEUE: usize = 4;

/// A loop, of which the lanes that go on are put together.
pub(crate) struct Packing {
    /// The loop, which stands in the body.
    pub(super) id: Id,
    /// What of the body depends on it, in order.
    pub(crate) late: Vec<Id>,
    /// What the loop and these use that the body, or its row, has computed.
    kept: Vec<Id>,
    /// Whether lanes of several rows are put together.
    across: bool,
}

impl Packing {
    /// Of a kernel; `None` where no loop's lanes end at different times, and where what stands in it or
    /// after it is read where the walk leads to.
    pub(crate) fn of(kernel: &Kernel) -> Option<Packing> {
        let is_loop = |id: &&Id| kernel.statement(**id).code == Code::Loop;
        let plain = |a: Access| matches!(a, Access::Out | Access::Stream | Access::Flag) || !a.is_written();
        let mut loops = kernel.body().iter().filter(is_loop);
        let (&id, None) = (loops.next()?, loops.next()) else { return None };
        let differs = varying(kernel)[kernel.end_of(id)?.0 as usize];
        let walks = kernel.params.iter().any(|p| !plain(p.access) || p.access == Access::Transposed);
        if !differs || walks || kernel.len() >= LONG {
            return None;
        }
        let mut depends = vec![false; kernel.statements.len()];
        depends[id.0 as usize] = true;
        let mut late = Vec::new();
        for &one in kernel.body().iter().skip_while(|&&one| one != id).skip(1) {
            if uses(kernel, one).iter().any(|o| depends[o.0 as usize]) {
                depends[one.0 as usize] = true;
                late.push(one);
            }
        }
        let mut across = true;
        for one in late.iter().chain([&id]).flat_map(|&one| inside(kernel, one)) {
            let s = kernel.statement(one);
            let access = || kernel.params[Place::of(s.imm).param as usize].access;
            match s.code.rule() {
                Rule::Load | Rule::LoadWhere => return None,
                Rule::Gather if access() != Access::Gather(Steps::None) => return None,
                Rule::Gather => across = false,
                _ => {}
            }
        }
        let mut kept = Vec::new();
        let from_loop =
            inside(kernel, id).into_iter().skip(1).flat_map(|one| &kernel.statement(one).operands);
        let from_late = late.iter().flat_map(|&one| uses(kernel, one));
        let own: Vec<Id> = late.iter().chain([&id]).flat_map(|&one| inside(kernel, one)).collect();
        for one in from_loop.copied().chain(from_late) {
            let known = kernel.statement(one).code == Code::Constant
                || !across && kernel.top().contains(&one)
                || own.contains(&one);
            if !known && !kept.contains(&one) {
                kept.push(one);
            }
        }
        Some(Packing { id, late, kept, across })
    }

    /// The types of what the queue holds of a lane: what the loop carries, what is kept, and where the lane
    /// stands, in its row and, of several, in which.
    pub(crate) fn types(&self, kernel: &Kernel) -> Vec<Type> {
        let carried = &kernel.statement(self.id).operands;
        let values = carried.iter().chain(&self.kept).map(|&id| kernel.statement(id).ty);
        values.chain([Type::I64, Type::I64].into_iter().take(1 + usize::from(self.across))).collect()
    }
}

/// A statement and those in the blocks that it holds.
fn inside(kernel: &Kernel, id: Id) -> Vec<Id> {
    let held = kernel.held(id).into_iter().flat_map(|block| &kernel.blocks[block]);
    std::iter::once(id).chain(held.flat_map(|&one| inside(kernel, one))).collect()
}

/// What a statement and those in the blocks that it holds use.
fn uses(kernel: &Kernel, id: Id) -> Vec<Id> {
    inside(kernel, id).iter().flat_map(|&one| kernel.statement(one).operands.iter().copied()).collect()
}

/// Where lanes stand that are not side by side, and which of them count.
pub(super) struct Spread {
    /// The numbers of their elements, and those of their rows, if they are of several.
    index: String,
    row: Option<String>,
    pub(super) wanted: String,
}

impl Text<'_> {
    /// Room for lanes that go on, on the stack: the queue, and a vector of each thing in it.
    pub(super) fn queue(&mut self, packing: &Packing) {
        let (lanes, kernel) = (self.lanes, self.kernel);
        for (k, ty) in packing.types(kernel).into_iter().enumerate() {
            let name = stored(ty);
            self.lines(format_args!(
                "  %queue{k} = alloca [{} x {name}], align 64\n  %vector{k} = alloca [{lanes} x {name}], align 64",
                QUEUE * lanes
            ));
        }
        self.lines(format_args!("  %queued = alloca i64, align 8\n  store i64 0, ptr %queued, align 8"));
    }

    /// The body, for a vector side by side; and where the queue is full, or this is the last one, for those
    /// in the queue.
    pub(super) fn packed(&mut self, ids: &[Id], packing: &Packing, values: &mut HashMap<Id, String>) {
        let mut left = String::new();
        for &id in ids {
            if id == packing.id {
                let first = self.kernel.statement(id).operands.iter().map(|o| values[o].clone()).collect();
                left = self.repeat(id, first, Some("true"), values);
                let truth = self.shaped("i1", true);
                let ones = self.constant(Type::Bool, 1, true);
                self.mask = Some(self.put(format_args!("xor {truth} {left}, {ones}")));
            } else {
                self.one(id, values);
            }
        }
        self.mask = None;
        let (lanes, index) = (self.lanes, self.index.clone());
        let words = self.shaped("i64", true);
        let numbers: Vec<String> = (0..lanes).map(|i| format!("i64 {i}")).collect();
        let first = self.splat("i64", &index);
        let places = self.put(format_args!("add {words} {first}, <{}>", numbers.join(", ")));
        let mut all = self.given[&packing.id].clone();
        all.extend(packing.kept.iter().map(|id| values[id].clone()));
        all.push(places);
        if packing.across {
            all.push(self.splat("i64", "%r"));
        }
        self.enqueue(packing, &all, &left);
        let after = self.put(format_args!("add i64 {index}, {lanes}"));
        let mut last = self.put(format_args!("icmp uge i64 {after}, %end"));
        if packing.across {
            let next = self.put(format_args!("add i64 %r, 1"));
            let ends = self.put(format_args!("icmp uge i64 {next}, %rows"));
            last = self.put(format_args!("and i1 {last}, {ends}"));
        }
        let full = self.put(format_args!("select i1 {last}, i64 0, i64 {}", (QUEUE - 1) * lanes));
        let rest = self.put(format_args!("select i1 {last}, i64 0, i64 {}", lanes - 1));
        let count = self.put(format_args!("load i64, ptr %queued, align 8"));
        let begins = self.put(format_args!("icmp ugt i64 {count}, {full}"));
        let number = self.next;
        let [take, taken, done] = ["take", "taken", "done"].map(|name| format!("{name}{number}"));
        self.label(&format!("br i1 {begins}, label %{take}, label %{done}"), &take);
        self.dequeue(packing, values);
        let count = self.put(format_args!("load i64, ptr %queued, align 8"));
        let more = self.put(format_args!("icmp ugt i64 {count}, {rest}"));
        self.label(&format!("br label %{taken}"), &taken);
        self.label(&format!("br i1 {more}, label %{take}, label %{done}"), &done);
    }

    /// Puts lanes at the end of the queue, one after the other: they are few.
    fn enqueue(&mut self, packing: &Packing, all: &[String], left: &str) {
        let (kernel, lanes) = (self.kernel, self.lanes);
        let (truth, word) = (self.shaped("i1", true), format!("i{lanes}"));
        let types = packing.types(kernel);
        let bits = self.put(format_args!("bitcast {truth} {left} to {word}"));
        let some = self.put(format_args!("icmp ne {word} {bits}, 0"));
        let number = self.next;
        let [keep, each, kept] = ["keep", "kept_one", "kept"].map(|name| format!("{name}{number}"));
        self.label(&format!("br i1 {some}, label %{keep}, label %{kept}"), &keep);
        for (k, (&ty, value)) in types.iter().zip(all).enumerate() {
            let vector = self.shaped(stored(ty), true);
            let value = self.as_stored(ty, value);
            self.lines(format_args!("  store {vector} {value}, ptr %vector{k}, align 64"));
        }
        let count = self.put(format_args!("load i64, ptr %queued, align 8"));
        self.label(&format!("br label %{each}"), &each);
        let (rest, to) = (format!("%{each}b"), format!("%{each}n"));
        self.lines(format_args!(
            "  {rest} = phi {word} [ {bits}, %{keep} ], [ {rest}2, %{each} ]\n  \
             {to} = phi i64 [ {count}, %{keep} ], [ {to}2, %{each} ]"
        ));
        self.declared.insert(format!("{word} @llvm.cttz.{word}({word}, i1)"));
        let lane = self.put(format_args!("call {word} @llvm.cttz.{word}({word} {rest}, i1 true)"));
        let lane = if lanes == 64 { lane } else { self.put(format_args!("zext {word} {lane} to i64")) };
        for (k, &ty) in types.iter().enumerate() {
            let (name, align) = (stored(ty), ty.bytes());
            let from = self.put(format_args!("getelementptr {name}, ptr %vector{k}, i64 {lane}"));
            let one = self.put(format_args!("load {name}, ptr {from}, align {align}"));
            let at = self.put(format_args!("getelementptr {name}, ptr %queue{k}, i64 {to}"));
            self.lines(format_args!("  store {name} {one}, ptr {at}, align {align}"));
        }
        let less = self.put(format_args!("sub {word} {rest}, 1"));
        self.lines(format_args!("  {rest}2 = and {word} {rest}, {less}\n  {to}2 = add i64 {to}, 1"));
        let more = self.put(format_args!("icmp ne {word} {rest}2, 0"));
        let last = format!("last{number}");
        self.label(&format!("br i1 {more}, label %{each}, label %{last}"), &last);
        self.lines(format_args!("  store i64 {to}2, ptr %queued, align 8"));
        self.label(&format!("br label %{kept}"), &kept);
    }

    /// Takes a vector from the end of the queue, or what is left of one; goes on with its lanes, until few are
    /// left while there are others; does for those that have ended what follows, and puts the others back.
    fn dequeue(&mut self, packing: &Packing, values: &HashMap<Id, String>) {
        let (kernel, lanes) = (self.kernel, self.lanes);
        let truth = self.shaped("i1", true);
        let types = packing.types(kernel);
        let count = self.put(format_args!("load i64, ptr %queued, align 8"));
        let few = self.put(format_args!("icmp ult i64 {count}, {lanes}"));
        let some = self.put(format_args!("select i1 {few}, i64 {count}, i64 {lanes}"));
        let from = self.put(format_args!("sub i64 {count}, {some}"));
        self.lines(format_args!("  store i64 {from}, ptr %queued, align 8"));
        let others = self.put(format_args!("icmp ne i64 {from}, 0"));
        let valid = self.first_lanes(&some, lanes);
        let mut all = Vec::new();
        for (k, &ty) in types.iter().enumerate() {
            let (name, vector) = (stored(ty), self.shaped(stored(ty), true));
            let at = self.put(format_args!("getelementptr {name}, ptr %queue{k}, i64 {from}"));
            let value = self.put(format_args!("load {vector}, ptr {at}, align {}", ty.bytes()));
            // Beyond the last lane the queue may never have been written.
            let value = self.put(format_args!("freeze {vector} {value}"));
            all.push(self.loaded(ty, value, true));
        }
        let carried = kernel.statement(packing.id).operands.len();
        let mut values = values.clone();
        for (&id, value) in packing.kept.iter().zip(&all[carried..]) {
            values.insert(id, value.clone());
        }
        self.mask = Some(valid.clone());
        let left = self.repeat(packing.id, all[..carried].to_vec(), Some(&others), &mut values);
        let ones = self.constant(Type::Bool, 1, true);
        let ended = self.put(format_args!("xor {truth} {left}, {ones}"));
        let wanted = self.put(format_args!("and {truth} {ended}, {valid}"));
        let at = carried + packing.kept.len();
        self.mask = Some(wanted.clone());
        self.spread = Some(Spread { index: all[at].clone(), row: all.get(at + 1).cloned(), wanted });
        for &id in &packing.late {
            self.one(id, &mut values);
        }
        (self.mask, self.spread) = (None, None);
        let carried = self.given[&packing.id].clone();
        all.splice(..carried.len(), carried);
        self.enqueue(packing, &all, &left);
    }

    /// As memory has it: truth values are bytes.
    fn as_stored(&mut self, ty: Type, value: &str) -> String {
        if ty != Type::Bool {
            return value.into();
        }
        let (truth, bytes) = (self.shaped(scalar(ty), true), self.shaped("i8", true));
        self.put(format_args!("zext {truth} {value} to {bytes}"))
    }

    /// Writes the parts of elements that stand anywhere.
    pub(super) fn write_spread(&mut self, n: usize, parts: &[String], spread: &Spread) {
        let (p, lanes, words) = (self.kernel.params[n], self.lanes, self.shaped("i64", true));
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let mut number = spread.index.clone();
        if p.parts > 1 {
            let parts = self.constant(Type::I64, u64::from(p.parts), true);
            number = self.put(format_args!("mul {words} {number}, {parts}"));
        }
        let row = match &spread.row {
            None => self.rows[n].clone(),
            Some(row) => {
                let distance = self.splat("i64", &format!("%g{n}"));
                let first = self.put(format_args!("mul {words} {row}, {distance}"));
                number = self.put(format_args!("add {words} {number}, {first}"));
                format!("%p{n}")
            }
        };
        let letter = if p.ty.is_float() { "f" } else { "i" };
        let function = format!("llvm.masked.scatter.v{lanes}{letter}{}.v{lanes}p0", align * 8);
        let [all, places, truth] = [name, "ptr", "i1"].map(|name| self.shaped(name, true));
        self.declared.insert(format!("void @{function}({all}, {places}, i32, {truth})"));
        for (part, value) in parts.iter().enumerate() {
            let value = self.as_stored(p.ty, value);
            let first = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {part}"));
            let at = self.put(format_args!("getelementptr {name}, ptr {first}, {words} {number}"));
            self.lines(format_args!(
                "  call void @{function}({all} {value}, {places} {at}, i32 {align}, {truth} {})",
                spread.wanted
            ));
        }
    }
}
