//! Kernels with effects: a loop over vectors in which an element is once, and memory that is read and
//! written where they want. The last vector has a mask, which all accesses follow.

use super::names::{scalar, stored};
use super::space::{IterationSpace, is_computed};
use super::text::Text;
use crate::ir::{Code, Id, Kernel, Rule, Statement, Type, varying};
use std::collections::{HashMap, HashSet};

/// The most elements of a block that is a vector.
pub const WIDEST: u32 = 64;

/// What statements are called in the text.
type Values = HashMap<Id, String>;

/// Memory that a kernel names: where it begins, how many elements there are, and whether each lane has its
/// own.
struct Cells {
    base: String,
    length: String,
    own: bool,
}

/// True if a kernel writes single elements of memory mostly, and computes little: the reads of the next vector wait for
/// a scatter, and atomics are done lane by lane, which costs more than vectors save; and an element's atomics follow each other where it
/// is taken by itself, mostly in lines that its thread has. By measured times on processors with AVX-512, in tenths of a load's.
pub(super) fn is_scattered(kernel: &Kernel) -> bool {
    /// What a scatter or an atomic of one lane of many costs an element beyond a store or an atomic.
    const SCATTER: usize = 50;
    /// What an element saves of an operation, which vectors compute for many.
    const COMPUTED: usize = 8;
    let (varies, space) = (varying(kernel), IterationSpace::of(kernel));
    let (mut scattered, mut saved) = (0usize, 0usize);
    // The parameters that are gathered from, and those that are scattered to.
    let (mut from, mut into) = (HashSet::new(), HashSet::new());
    kernel.for_each_run(&mut |id, times| {
        let s = kernel.statement(id);
        let is_apart = || {
            let (memory, index) = (kernel.statement(s.operands[0]), s.operands[1]);
            memory.code == Code::Memory && varies[index.0 as usize] && !space.follows(kernel, index)
        };
        let named = || kernel.statement(s.operands[0]).imm;
        let (to, by) = match s.code.rule() {
            Rule::LoadAt if is_apart() => {
                from.insert(named());
                return;
            }
            Rule::StoreAt if is_apart() => {
                into.insert(named());
                (&mut scattered, SCATTER)
            }
            Rule::Atomic(_) | Rule::Cas if is_apart() => {
                // It reads and writes.
                from.insert(named());
                into.insert(named());
                (&mut scattered, SCATTER)
            }
            Rule::StoreAt => (&mut saved, COMPUTED),
            // Sums and multiples of indices are part of the addresses of single elements.
            Rule::Binary(_) if s.ty == Type::I64 && matches!(s.code, Code::Add | Code::Sub | Code::Mul) => {
                return;
            }
            Rule::Unary(_) | Rule::Binary(_) | Rule::Compare(_) | Rule::Select => (&mut saved, COMPUTED),
            _ => return,
        };
        *to = to.saturating_add(times.saturating_mul(by));
    });
    // Where elements take branches, vectors have them take several at once.
    kernel.blocks.len() == 2 && scattered > saved && !from.is_disjoint(&into)
}

impl Text<'_> {
    /// The function, from behind its parameters on.
    pub(super) fn with_effects(&mut self) {
        let (kernel, lanes) = (self.kernel, self.lanes);
        (self.varies, self.lane_0_active) = (varying(kernel), lanes > 1);
        self.space = IterationSpace::of(kernel);
        let row = self.space.row.filter(|_| lanes > 1);
        if row.is_none() {
            self.space.leave_rows(kernel);
        }
        for (n, varies) in self.varies.iter_mut().enumerate() {
            *varies &= !self.space.is_uniform(Id(n as u32));
        }
        let mut statements = kernel.blocks.iter().flatten().map(|&id| kernel.statement(id));
        if statements.any(|s| s.code == Code::LoadAt && self.is_uniform_load(s)) {
            // What is read where there is no element.
            self.lines(format_args!(
                "  %nothing = alloca i64, align 8\n  store i64 0, ptr %nothing, align 8"
            ));
        }
        let mut clear = Vec::new();
        for &id in kernel.blocks.iter().flatten() {
            let s = kernel.statement(id);
            let count = match s.code {
                Code::Alloca => s.imm as usize * lanes,
                Code::Shared => s.imm as usize,
                _ => continue,
            };
            let (cells, name) = (self.cells(id), stored(s.ty));
            self.lines(format_args!("  {} = alloca [{count} x {name}], align 64", cells.base));
            clear.push((cells.base, name, count));
        }
        let mut values = self.row_of("0");
        if let Some(row) = row {
            self.lines(format_args!(
                "  br label %row\nrow:\n  %start = phi i64 [ %begin, %entry ], [ %stop, %rowend ]"
            ));
            self.enter_row(row, &mut values);
        }
        let end = if row.is_some() { "%stop" } else { "%end" };
        self.inside = None;
        self.index = "%i".into();
        let before = std::mem::take(&mut self.out);
        self.label = "body".into();
        if lanes > 1 {
            let left = self.put(format_args!("sub i64 {end}, %i"));
            let left = self.splat("i64", &left);
            let (words, numbers) = (self.shaped("i64", true), self.numbers());
            let valid = self.put(format_args!("icmp ult {words} {numbers}, {left}"));
            self.mask = Some(valid);
        }
        for (base, name, count) in clear {
            self.clear(&base, name, count);
        }
        let (label, head) = (self.label.clone(), std::mem::replace(&mut self.out, before));
        let (body, last) = self.body(&label, &values);
        // Without a mask an element that is not there must not begin.
        let into = match lanes {
            1 => "  %some = icmp ult i64 %begin, %end\n  br i1 %some, label %body, label %done",
            _ => "  br label %body",
        };
        let (first, behind, rows) = match row {
            None => ("%begin, %entry", "done", ""),
            Some(_) => (
                "%start, %row",
                "rowend",
                "rowend:\n  %again = icmp ult i64 %stop, %end\n  br i1 %again, label %row, label %done\n",
            ),
        };
        self.lines(format_args!(
            "{into}\nbody:\n  %i = phi i64 [ {first} ], [ %next, %{last} ]\n{head}{body}  \
             %next = add i64 %i, {lanes}\n  %more = icmp ult i64 %next, {end}\n  \
             br i1 %more, label %body, label %{behind}\n{rows}done:\n  ret void\n}}"
        ));
    }

    /// The lanes' numbers.
    fn numbers(&self) -> String {
        let numbers: Vec<String> = (0..self.lanes).map(|i| format!("i64 {i}")).collect();
        format!("<{}>", numbers.join(", "))
    }

    /// Sets so many elements to zero.
    fn clear(&mut self, base: &str, name: &str, count: usize) {
        let (lanes, number) = (self.lanes, self.next);
        // As many at a time as divide them.
        let each = if count.is_multiple_of(lanes) { lanes } else { 1 };
        if count == each {
            return self
                .lines(format_args!("  store <{each} x {name}> zeroinitializer, ptr {base}, align 8"));
        }
        let [head, after] = ["clear", "cleared"].map(|name| format!("{name}{number}"));
        let before = self.label(&format!("br label %{head}"), &head);
        self.lines(format_args!(
            "  %{head}k = phi i64 [ 0, %{before} ], [ %{head}n, %{head} ]\n  \
             %{head}p = getelementptr {name}, ptr {base}, i64 %{head}k\n  \
             store <{each} x {name}> zeroinitializer, ptr %{head}p, align 1\n  \
             %{head}n = add i64 %{head}k, {each}\n  %{head}m = icmp ult i64 %{head}n, {count}"
        ));
        self.next += 1;
        self.label(&format!("br i1 %{head}m, label %{head}, label %{after}"), &after);
    }

    fn cells(&self, id: Id) -> Cells {
        let s = self.kernel.statement(id);
        let length = s.imm.to_string();
        match s.code {
            Code::Memory => {
                Cells { base: format!("%p{}", s.imm), length: format!("%c{}", s.imm), own: false }
            }
            Code::Alloca => Cells { base: format!("%own{}", id.0), length, own: true },
            _ => Cells { base: format!("%shared{}", id.0), length, own: false },
        }
    }

    /// Whether numbers, one or those of all lanes, are those of elements of memory.
    pub(super) fn in_bounds(&mut self, memory: Id, index: &str, vector: bool) -> String {
        let cells = self.cells(memory);
        let length = if vector { self.splat("i64", &cells.length) } else { cells.length };
        self.put(format_args!("icmp ult {} {index}, {length}", self.shaped("i64", vector)))
    }

    /// The lanes at work whose numbers, which are a statement's value, are those of elements.
    pub(super) fn valid(&mut self, memory: Id, number: Id, index: &str) -> String {
        if self.space.is_in_bounds(self.kernel, memory, number) {
            return self.mask.clone().unwrap_or_else(|| self.constant(Type::Bool, 1, true));
        }
        let inside = self.in_bounds(memory, index, true);
        self.active(&inside)
    }

    /// Where the lanes' elements are.
    fn addresses(&mut self, cells: &Cells, name: &str, index: &str) -> String {
        let (words, lanes) = (self.shaped("i64", true), self.lanes);
        let mut number = index.to_string();
        if cells.own && lanes > 1 {
            let (by, lane) = (self.constant(Type::I64, lanes as u64, true), self.numbers());
            number = self.put(format_args!("mul {words} {number}, {by}"));
            number = self.put(format_args!("add {words} {number}, {lane}"));
        }
        self.put(format_args!("getelementptr {name}, ptr {}, {words} {number}", cells.base))
    }

    /// Where lane 0's element is, if those of the others follow it: of an element's own memory by a constant
    /// number that is there, of other memory by numbers that go up by one.
    fn in_line(&mut self, s: &Statement, cells: &Cells, name: &str, index: &str) -> Option<String> {
        let (kernel, lanes) = (self.kernel, self.lanes);
        let number = kernel.statement(s.operands[1]);
        if cells.own {
            let there = number.imm < kernel.statement(s.operands[0]).imm;
            return (number.code == Code::Constant && there).then(|| {
                let at = number.imm as usize * lanes;
                self.put(format_args!("getelementptr {name}, ptr {}, i64 {at}", cells.base))
            });
        }
        if lanes == 1 || !self.space.follows(kernel, s.operands[1]) {
            return None;
        }
        let first = self.put(format_args!("extractelement <{lanes} x i64> {index}, i64 0"));
        Some(self.put(format_args!("getelementptr {name}, ptr {}, i64 {first}", cells.base)))
    }

    /// True if all lanes read the same element, of memory that is not each one's own.
    fn is_uniform_load(&self, s: &Statement) -> bool {
        self.lanes > 1 && !self.cells(s.operands[0]).own && !self.differs(s.operands[1])
    }

    /// A uniform load of which lane 0 is active.
    pub(super) fn loads_uniform(&self, s: &Statement) -> bool {
        self.lane_0_active && self.is_uniform_load(s)
    }

    /// A uniform value as a scalar: computed as one, from carried and known values that are scalars too.
    pub(super) fn scalarized(&mut self, id: Id, values: &Values) -> String {
        let kernel = self.kernel;
        // Each after its operands.
        let (mut known, mut stack) = (Values::new(), vec![(id, false)]);
        while let Some((next, ready)) = stack.pop() {
            if known.contains_key(&next) {
                continue;
            }
            let s = kernel.statement(next);
            let value = if let Some(one) = self.once.get(&next) {
                one.clone()
            } else if !is_computed(s) {
                let (lanes, all) = (self.lanes, values.get(&next).cloned().unwrap_or_default());
                self.put(format_args!("extractelement <{lanes} x {}> {all}, i64 0", scalar(s.ty)))
            } else if ready {
                self.statement(next, &known, false)
            } else {
                stack.push((next, true));
                stack.extend(s.operands.iter().map(|&operand| (operand, false)));
                continue;
            };
            known.insert(next, value);
        }
        known.remove(&id).unwrap_or_default()
    }

    /// The element that all lanes read, once; zero where there is none.
    pub(super) fn load_uniform(&mut self, s: &Statement, number: &str) -> String {
        let (cells, ty, name) = (self.cells(s.operands[0]), s.ty, stored(s.ty));
        let mut at = self.put(format_args!("getelementptr {name}, ptr {}, i64 {number}", cells.base));
        if !self.space.is_in_bounds(self.kernel, s.operands[0], s.operands[1]) {
            let inside = self.put(format_args!("icmp ult i64 {number}, {}", cells.length));
            at = self.put(format_args!("select i1 {inside}, ptr {at}, ptr %nothing"));
        }
        let value = self.put(format_args!("load {name}, ptr {at}, align {}", ty.bytes()));
        let value = self.splat(name, &value);
        self.loaded(ty, value, true)
    }

    pub(super) fn load_at(&mut self, s: &Statement, index: &str) -> String {
        let (cells, name, lanes) = (self.cells(s.operands[0]), stored(s.ty), self.lanes);
        let line = self.in_line(s, &cells, name, index);
        let value = match line {
            Some(at) if cells.own => {
                let all = self.shaped(name, true);
                self.put(format_args!("load {all}, ptr {at}, align {}", s.ty.bytes()))
            }
            line => {
                let valid = self.valid(s.operands[0], s.operands[1], index);
                match line {
                    Some(at) => self.load_valid(s.ty, &at, &valid, lanes),
                    None => {
                        let at = self.addresses(&cells, name, index);
                        self.masked_gather(s.ty, &at, &valid)
                    }
                }
            }
        };
        self.loaded(s.ty, value, true)
    }

    pub(super) fn store_at(&mut self, s: &Statement, index: &str, x: &str) {
        let ty = self.kernel.statement(s.operands[0]).ty;
        let (cells, name, lanes) = (self.cells(s.operands[0]), stored(ty), self.lanes);
        let (all, align) = (self.shaped(name, true), ty.bytes());
        let mut x = x.to_string();
        if ty == Type::Bool {
            x = self.put(format_args!("zext {} {x} to {all}", self.shaped(scalar(ty), true)));
        }
        let line = self.in_line(s, &cells, name, index);
        if let (Some(at), true) = (&line, cells.own) {
            // Its other lanes are nobody else's.
            if let Some(mask) = self.mask.clone() {
                let old = self.put(format_args!("load {all}, ptr {at}, align {align}"));
                let truth = self.shaped("i1", true);
                x = self.put(format_args!("select {truth} {mask}, {all} {x}, {all} {old}"));
            }
            return self.lines(format_args!("  store {all} {x}, ptr {at}, align {align}"));
        }
        let valid = self.valid(s.operands[0], s.operands[1], index);
        match line {
            Some(at) => self.store_valid(ty, &x, &at, &valid),
            None => {
                let at = self.addresses(&cells, name, index);
                let letter = if ty.is_float() { "f" } else { "i" };
                let function = format!("llvm.masked.scatter.v{lanes}{letter}{}.v{lanes}p0", align * 8);
                let [places, truth] = ["ptr", "i1"].map(|name| self.shaped(name, true));
                self.declared.insert(format!("void @{function}({all}, {places}, i32, {truth})"));
                self.lines(format_args!(
                    "  call void @{function}({all} {x}, {places} {at}, i32 {align}, {truth} {valid})"
                ));
            }
        }
    }

    /// Writes elements side by side, of the lanes that are valid. Where all are, as nearly everywhere, it is
    /// a store as any other.
    fn store_valid(&mut self, ty: Type, x: &str, at: &str, valid: &str) {
        let (lanes, truth, all) = (self.lanes, self.shaped("i1", true), self.shaped(stored(ty), true));
        let bits = self.put(format_args!("bitcast {truth} {valid} to i{lanes}"));
        let whole = self.put(format_args!("icmp eq i{lanes} {bits}, -1"));
        let [plain, masked, after] = ["full", "part", "stored"].map(|name| format!("{name}{}", self.next));
        self.label(&format!("br i1 {whole}, label %{plain}, label %{masked}"), &plain);
        self.lines(format_args!("  store {all} {x}, ptr {at}, align {}", ty.bytes()));
        self.label(&format!("br label %{after}"), &masked);
        self.masked_store(ty, lanes, x, at, valid);
        self.label(&format!("br label %{after}"), &after);
    }

    /// The base of memory that others see, for atomics.
    pub(super) fn base(&self, memory: Id) -> String {
        self.cells(memory).base
    }
}
