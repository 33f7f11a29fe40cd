//! Blocks within blocks: loops, conditionals, and what few lanes need. All lanes go the same way,
//! which is left out where no lane at work wants it.

use super::names::scalar;
use super::text::Text;
use crate::ir::{Branches, Code, Id, Place, Type};
use std::collections::HashMap;
use std::fmt::Write;

type Values = HashMap<Id, String>;

/// How many iterations lie between those in which the lanes that go on are counted; a power of two.
const ITERATIONS: usize = 16;

impl Text<'_> {
    /// The lanes at work for which a condition holds.
    pub(super) fn active(&mut self, condition: &str) -> String {
        let truth = self.shaped("i1", true);
        match self.mask.clone() {
            Some(mask) => self.put(format_args!("and {truth} {condition}, {mask}")),
            None => condition.to_string(),
        }
    }

    /// Whether any lane of a mask is set.
    fn any(&mut self, mask: &str) -> String {
        let (truth, word) = (self.shaped("i1", true), format!("i{}", self.lanes));
        let bits = self.put(format_args!("bitcast {truth} {mask} to {word}"));
        self.put(format_args!("icmp ne {word} {bits}, 0"))
    }

    /// Ends the block that is being written, and begins the next one; gives the old one's label.
    pub(super) fn label(&mut self, end: &str, next: &str) -> String {
        let _ = writeln!(self.out, "  {end}\n{next}:");
        std::mem::replace(&mut self.label, next.into())
    }

    /// True if a value may differ between lanes that are at work.
    pub(super) fn differs(&self, id: Id) -> bool {
        self.varies.get(id.0 as usize).copied().unwrap_or(true)
    }

    /// Writes a block for some lanes. What is loaded in there is not there afterwards.
    fn inner(&mut self, block: usize, mask: Option<String>, values: &mut Values) {
        let (kernel, parts) = (self.kernel, self.parts.clone());
        let outer = std::mem::replace(&mut self.mask, mask);
        self.block(&kernel.blocks[block], values);
        (self.mask, self.parts) = (outer, parts);
    }

    /// A block that is left out where no lane needs it.
    pub(super) fn rare(&mut self, id: Id, values: &mut Values) -> String {
        let s = self.kernel.statement(id);
        let (condition, usual) = (values[&s.operands[0]].clone(), values[&s.operands[1]].clone());
        let active = self.active(&condition);
        let any = self.any(&active);
        // A body may be written twice: the number of the value before makes the labels' names new.
        let (inside, after) = (format!("rare{}", self.next), format!("after{}", self.next));
        let before = self.label(&format!("br i1 {any}, label %{inside}, label %{after}"), &inside);
        self.inner(s.imm as usize, self.mask.clone(), values);
        let seldom = values[&s.operands[2]].clone();
        let chosen = self.select(s.ty, &condition, &seldom, &usual, true);
        let end = self.label(&format!("br label %{after}"), &after);
        let ty = self.shaped(scalar(s.ty), true);
        self.put(format_args!("phi {ty} [ {usual}, %{before} ], [ {chosen}, %{end} ]"))
    }

    /// Sets a part of the flag if a condition is false for a lane at work.
    pub(super) fn check(&mut self, Place { param, part }: Place, condition: &str) {
        let truth = self.shaped("i1", true);
        let ones = self.constant(Type::Bool, 1, true);
        let wrong = self.put(format_args!("xor {truth} {condition}, {ones}"));
        let wrong = self.active(&wrong);
        let any = self.any(&wrong);
        let (inside, after) = (format!("wrong{}", self.next), format!("right{}", self.next));
        self.label(&format!("br i1 {any}, label %{inside}, label %{after}"), &inside);
        let at = self.put(format_args!("getelementptr i8, ptr %p{param}, i64 {part}"));
        let _ = writeln!(self.out, "  store atomic i8 1, ptr {at} monotonic, align 1");
        // What a loop carries is known wherever it is left.
        let to = self.escape.clone().unwrap_or_else(|| after.clone());
        self.label(&format!("br label %{to}"), &after);
    }

    /// A loop that ends when no lane goes on; lanes that have ended keep what they carry.
    pub(super) fn repeated(&mut self, id: Id, values: &mut Values) {
        let first = self.kernel.statement(id).operands.iter().map(|o| values[o].clone()).collect();
        self.repeat(id, first, None, values);
    }

    /// A loop that ends when no lane goes on, from what lanes carry first. Where `leave` is given and true, it is left as well when lanes
    /// that have ended have waited for as many iterations as it costs to put the others together; gives these.
    /// They are counted every so many iterations.
    pub(super) fn repeat(
        &mut self,
        id: Id,
        first: Vec<String>,
        leave: Option<&str>,
        values: &mut Values,
    ) -> String {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let types: Vec<Type> = s.operands.iter().map(|&o| kernel.statement(o).ty).collect();
        self.next += 1;
        let number = self.next;
        let [head, inside, wrong, after] =
            ["loop", "each", "escape", "end"].map(|name| format!("{name}{number}"));
        let before = self.label(&format!("br label %{head}"), &head);
        let outermost = self.escape.is_none();
        let escape = if leave.is_some() { &wrong } else { &after };
        self.escape.get_or_insert_with(|| escape.clone());
        // What is carried is written first, and known last.
        let text = std::mem::take(&mut self.out);
        let carried: Vec<String> = (0..types.len()).map(|i| format!("%{head}x{i}")).collect();
        let (parts, mask, works) = (self.parts.clone(), self.mask.clone(), self.lane_0_active);
        self.lane_0_active &= !kernel.end_of(id).is_some_and(|end| self.differs(end));
        // What comes before the test counts as well, where it may have an effect.
        let going = kernel.effects.is_some().then(|| format!("%{head}going"));
        if going.is_some() {
            self.mask = going.clone();
        }
        let mut goes_on = String::new();
        let mut next: Vec<String> = Vec::new();
        let mut left: Vec<[String; 2]> = Vec::new();
        for &one in &kernel.blocks[s.imm as usize] {
            let part = kernel.statement(one);
            match part.code {
                Code::Carried => {
                    values.insert(one, carried[part.imm as u32 as usize].clone());
                }
                Code::While => {
                    let active = self.active(&values[&part.operands[0]].clone());
                    let any = self.any(&active);
                    match leave {
                        None => {
                            self.label(&format!("br i1 {any}, label %{inside}, label %{after}"), &inside);
                        }
                        Some(leave) => {
                            left = self.leave((&head, leave), [&active, &any], [&inside, &after]);
                        }
                    }
                    self.mask = Some(active);
                }
                Code::Next => {
                    let active = self.mask.clone().unwrap_or_default();
                    goes_on.clone_from(&active);
                    for (i, o) in part.operands.iter().enumerate() {
                        next.push(self.select(types[i], &active, &values[o].clone(), &carried[i], true));
                    }
                }
                _ => self.one(one, values),
            }
        }
        if leave.is_some() {
            self.lines(format_args!("  %{head}then = add i64 %{head}iteration, 1"));
        }
        let last = self.label(&format!("br label %{head}"), if leave.is_some() { &wrong } else { &after });
        if outermost {
            self.escape = None;
        }
        (self.parts, self.mask, self.lane_0_active) = (parts, mask, works);
        let mut given = String::new();
        if leave.is_some() {
            self.label(&format!("br label %{after}"), &after);
            // Where an index is wrong, nothing of it is of use.
            left.push([self.constant(Type::Bool, 0, true), wrong]);
            let truth = self.shaped("i1", true);
            let ways: Vec<String> = left.iter().map(|[mask, from]| format!("[ {mask}, %{from} ]")).collect();
            given = self.put(format_args!("phi {truth} {}", ways.join(", ")));
        }
        let block = std::mem::replace(&mut self.out, text);
        if let Some(going) = going {
            let (truth, ones) = (self.shaped("i1", true), self.constant(Type::Bool, 1, true));
            let first = self.mask.as_ref().unwrap_or(&ones);
            let phi = format!("phi {truth} [ {first}, %{before} ], [ {goes_on}, %{last} ]");
            let _ = writeln!(self.out, "  {going} = {phi}");
        }
        for (i, ty) in types.iter().enumerate() {
            let (ty, x) = (self.shaped(scalar(*ty), true), &carried[i]);
            let (first, next) = (&first[i], &next[i]);
            let _ = writeln!(self.out, "  {x} = phi {ty} [ {first}, %{before} ], [ {next}, %{last} ]");
        }
        if leave.is_some() {
            let _ = writeln!(
                self.out,
                "  %{head}iteration = phi i64 [ 0, %{before} ], [ %{head}then, %{last} ]\n  \
                 %{head}waited = phi i64 [ 0, %{before} ], [ %{head}waits, %{last} ]"
            );
        }
        self.out.push_str(&block);
        self.given.insert(id, carried);
        given
    }

    /// Goes on inside of a loop if any lane does, unless those that have ended have waited for long enough, which
    /// is asked in some iterations; else the loop has ended: gives for each way there which lanes go on.
    fn leave(
        &mut self,
        (head, leave): (&str, &str),
        [active, any]: [&str; 2],
        [inside, after]: [&str; 2],
    ) -> Vec<[String; 2]> {
        let (lanes, truth, number) = (self.lanes, self.shaped("i1", true), self.next);
        let [some, count] = ["some", "count"].map(|name| format!("{name}{number}"));
        let none = self.label(&format!("br i1 {any}, label %{some}, label %{after}"), &some);
        let iterations = self.put(format_args!("and i64 %{head}iteration, {}", ITERATIONS - 1));
        let due = self.put(format_args!("icmp eq i64 {iterations}, {}", ITERATIONS - 1));
        let asks = self.put(format_args!("and i1 {due}, {leave}"));
        self.label(&format!("br i1 {asks}, label %{count}, label %{inside}"), &count);
        let bits = self.put(format_args!("bitcast {truth} {active} to i{lanes}"));
        self.declared.insert(format!("i{lanes} @llvm.ctpop.i{lanes}(i{lanes})"));
        let mut ones = self.put(format_args!("call i{lanes} @llvm.ctpop.i{lanes}(i{lanes} {bits})"));
        if lanes != 64 {
            ones = self.put(format_args!("zext i{lanes} {ones} to i64"));
        }
        let ended = self.put(format_args!("sub i64 {lanes}, {ones}"));
        let waited = self.put(format_args!("add i64 %{head}waited, {ended}"));
        let enough = self.put(format_args!("icmp uge i64 {waited}, {}", lanes / 2));
        let left = self.label(&format!("br i1 {enough}, label %{after}, label %{inside}"), inside);
        self.lines(format_args!(
            "  %{head}waits = phi i64 [ %{head}waited, %{some} ], [ {waited}, %{count} ]"
        ));
        vec![[active.to_string(), none], [active.to_string(), left]]
    }

    /// Two blocks, each left out where no lane takes it.
    pub(super) fn branches(&mut self, id: Id, values: &mut Values) {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let Branches { then, otherwise } = Branches::of(s.imm);
        let given = |block: u32| {
            let end = kernel.blocks[block as usize].last();
            end.map_or(&[][..], |&end| kernel.statement(end).operands.as_slice())
        };
        let types: Vec<Type> = given(then).iter().map(|&o| kernel.statement(o).ty).collect();
        let condition = values[&s.operands[0]].clone();
        self.next += 1;
        let number = self.next;
        let [first, second, middle, after] =
            ["then", "else", "between", "joined"].map(|name| format!("{name}{number}"));
        let works = self.lane_0_active;
        self.lane_0_active &= !self.differs(s.operands[0]);
        let active = self.active(&condition);
        let any = self.any(&active);
        let before = self.label(&format!("br i1 {any}, label %{first}, label %{middle}"), &first);
        self.inner(then as usize, Some(active), values);
        let end = self.label(&format!("br label %{middle}"), &middle);
        let joined = |text: &mut Self, ways: [(&[String], &str); 2]| -> Vec<String> {
            let both = ways[0].0.iter().zip(ways[1].0).zip(&types);
            let phi = both.map(|((a, b), &ty)| {
                let ty = text.shaped(scalar(ty), true);
                text.put(format_args!("phi {ty} [ {a}, %{} ], [ {b}, %{} ]", ways[0].1, ways[1].1))
            });
            phi.collect()
        };
        // Not poison: what lanes that are not at work have may decide where to go.
        let none: Vec<String> = types.iter().map(|&ty| self.constant(ty, 0, true)).collect();
        let values_then: Vec<String> = given(then).iter().map(|o| values[o].clone()).collect();
        let chosen = joined(self, [(&none, &before), (&values_then, &end)]);
        let truth = self.shaped("i1", true);
        let ones = self.constant(Type::Bool, 1, true);
        let negated = self.put(format_args!("xor {truth} {condition}, {ones}"));
        let active = self.active(&negated);
        let any = self.any(&active);
        let before = self.label(&format!("br i1 {any}, label %{second}, label %{after}"), &second);
        self.inner(otherwise as usize, Some(active), values);
        self.lane_0_active = works;
        let mut both: Vec<String> = Vec::new();
        for (i, o) in given(otherwise).iter().enumerate() {
            both.push(self.select(types[i], &condition, &chosen[i], &values[o].clone(), true));
        }
        let end = self.label(&format!("br label %{after}"), &after);
        let given = joined(self, [(&chosen, &before), (&both, &end)]);
        self.given.insert(id, given);
    }
}
