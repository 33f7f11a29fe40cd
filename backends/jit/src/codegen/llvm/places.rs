//! Between memory and vectors.

use super::names::{mask, scalar, stored};
use super::text::{Text, is_row};
use crate::ir::{Access, Param, Place, Steps, Type};
use std::fmt::Write;

impl Text<'_> {
    /// From memory: truth values are bytes that are not 0.
    pub(super) fn loaded(&mut self, ty: Type, value: String, vector: bool) -> String {
        if ty != Type::Bool {
            return value;
        }
        let zero = self.constant(Type::U8, 0, vector);
        self.put(format_args!("icmp ne {} {value}, {zero}", self.shaped("i8", vector)))
    }

    pub(super) fn load(&mut self, place: Place) -> String {
        let row = self.rows[place.param as usize].clone();
        let (n, part) = (place.param, place.part);
        let p = self.kernel.params[n as usize];
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let (all, index) = (self.shaped(name, true), self.index.clone());
        match (p.access, p.parts) {
            (Access::Uniform, _) => {
                let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {part}"));
                let value = self.put(format_args!("load {name}, ptr {at}, align {align}"));
                self.loaded(p.ty, value, false)
            }
            (Access::Counter(steps), _) => self.count(n, steps),
            (Access::Transposed, _) if self.transposed.contains_key(&n) => {
                let value = self.transposed[&n].clone();
                self.loaded(p.ty, value, true)
            }
            (Access::Transposed, _) => {
                let at = self.put(format_args!("getelementptr {all}, ptr %tile{n}, i64 %k"));
                let value =
                    self.put(format_args!("load {all}, ptr {at}, align {}", (align * self.lanes).min(64)));
                self.loaded(p.ty, value, true)
            }
            (Access::Linear | Access::Ahead | Access::Beside { .. }, 1) => {
                let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {index}"));
                if self.asks(&p) && self.limit.is_none() {
                    let far = match self.far.get(&n).cloned() {
                        Some(first) => {
                            self.put(format_args!("getelementptr {name}, ptr {first}, i64 {index}"))
                        }
                        None => self.put(format_args!("getelementptr {name}, ptr {at}, i64 %c{n}")),
                    };
                    self.ask_for(&far, 0, align * self.lanes, 3);
                }
                let value = match (self.limit.clone(), self.beside(n)) {
                    (None, Some(value)) => value,
                    (None, None) => self.put(format_args!("load {all}, ptr {at}, align {align}")),
                    (Some((_, lanes)), _) => self.masked_load(p.ty, &at, &lanes, self.lanes),
                };
                self.loaded(p.ty, value, true)
            }
            (Access::Step(step) | Access::StepAhead(step), 1) if self.limit.is_none() => {
                let value = self.stepped(n, step as isize, name, align);
                self.loaded(p.ty, value, true)
            }
            (Access::Linear | Access::Ahead, _) if self.limit.is_none() => {
                if !self.parts.contains_key(&n) {
                    let parts = self.load_parts(n);
                    self.parts.insert(n, parts);
                }
                let value = self.parts[&n][part as usize].clone();
                self.loaded(p.ty, value, true)
            }
            (access, parts) => {
                let step = match access {
                    Access::Linear | Access::Ahead => parts.to_string(),
                    Access::Step(step) | Access::StepAhead(step) => {
                        (i64::from(step) * i64::from(parts)).to_string()
                    }
                    _ => format!("%d{n}"),
                };
                self.one_by_one(n, part, &step, name, align)
            }
        }
    }

    /// An input's vector at hand, if it is one that goes from vector to vector, or beside such a one.
    fn beside(&mut self, n: u32) -> Option<String> {
        let p = self.kernel.params[n as usize];
        if let Some([here, _]) = self.carried.get(&n) {
            return Some(here.clone());
        }
        let (leader, by) = p.access.beside()?;
        let [here, later] = self.carried.get(&u32::from(leader))?.clone();
        let all = self.shaped(stored(p.ty), true);
        let lanes = mask((0..self.lanes).map(|i| i + usize::from(by)));
        Some(self.put(format_args!("shufflevector {all} {here}, {all} {later}, {lanes}")))
    }

    /// How far from the beginning of a row the lanes of a parameter stand, in elements.
    fn walked(&mut self, n: u32, steps: Steps) -> String {
        let (words, index) = (self.shaped("i64", true), self.index.clone());
        let first = self.splat("i64", &index);
        let lanes: Vec<String> = (0..self.lanes).map(|i| format!("i64 {i}")).collect();
        let walked = self.put(format_args!("add {words} {first}, <{}>", lanes.join(", ")));
        if steps == Steps::One {
            return walked;
        }
        let stride = self.splat("i64", &format!("%c{n}"));
        self.put(format_args!("mul {words} {walked}, {stride}"))
    }

    /// What is counted: the number that an address would be.
    fn count(&mut self, n: u32, steps: Steps) -> String {
        let row = self.rows[n as usize].clone();
        let first = self.put(format_args!("ptrtoint ptr {row} to i64"));
        if steps == Steps::None {
            return first;
        }
        let (words, first) = (self.shaped("i64", true), self.splat("i64", &first));
        let walked = self.walked(n, steps);
        self.put(format_args!("add {words} {first}, {walked}"))
    }

    /// Elements that are read where the lanes say so, and are zero elsewhere; `alike` if they all say
    /// the same.
    pub(super) fn load_where(&mut self, place: Place, wanted: &str, vector: bool, alike: bool) -> String {
        let row = self.rows[place.param as usize].clone();
        let (n, part) = (place.param, place.part);
        let p = self.kernel.params[n as usize];
        let (name, align, truth) = (stored(p.ty), p.ty.bytes(), self.shaped("i1", true));
        let (all, index, lanes) = (self.shaped(name, true), self.index.clone(), self.lanes);
        let whole = vector && self.limit.is_none() && wanted == self.constant(Type::Bool, 1, true);
        // Where all lanes want the same, and have an element.
        let one = self.alike.get(wanted).filter(|_| vector && self.limit.is_none()).cloned();
        // Lanes beyond the last element may lead anywhere.
        let mut valid = wanted.to_string();
        if let (Some((_, few)), true) = (self.limit.clone(), vector) {
            valid = self.put(format_args!("and {truth} {valid}, {few}"));
        }
        let Some(steps) = p.access.guarded() else { return String::new() };
        let value = match steps {
            Steps::None => {
                let mut at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {part}"));
                if !whole {
                    // Else zero, from a place of the function's own.
                    let any = match vector {
                        false => valid.clone(),
                        true if alike => self.put(format_args!("extractelement {truth} {valid}, i64 0")),
                        true => {
                            let bits = self.put(format_args!("bitcast {truth} {valid} to i{lanes}"));
                            self.put(format_args!("icmp ne i{lanes} {bits}, 0"))
                        }
                    };
                    at = self.put(format_args!("select i1 {any}, ptr {at}, ptr %nothing"));
                }
                let one = self.put(format_args!("load {name}, ptr {at}, align {align}"));
                if !vector {
                    return self.loaded(p.ty, one, false);
                }
                let one = self.splat(name, &one);
                self.put(format_args!("select {truth} {valid}, {all} {one}, {all} zeroinitializer"))
            }
            Steps::One => {
                let parts = p.parts as usize;
                let first = self.put(format_args!("mul i64 {index}, {parts}"));
                let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {first}"));
                let wide = format!("<{} x {name}>", lanes * parts);
                if parts > 1 && !whole && one.is_none() {
                    let twice = mask((0..lanes * parts).map(|i| i / parts));
                    valid = self.put(format_args!("shufflevector {truth} {valid}, {truth} poison, {twice}"));
                }
                if p.access == Access::GuardedAhead && self.limit.is_none() {
                    let far = self.put(format_args!("getelementptr {name}, ptr {at}, i64 %c{n}"));
                    self.ask_for(&far, 0, align * lanes, 3);
                }
                let value = match self.beside(n).filter(|_| whole) {
                    Some(value) => value,
                    None if whole => self.put(format_args!("load {wide}, ptr {at}, align {align}")),
                    None if one.is_some() => {
                        self.load_if(&wide, &at, align, one.as_deref().unwrap_or_default())
                    }
                    None => self.load_valid(p.ty, &at, &valid, lanes * parts),
                };
                let chosen = mask((0..lanes).map(|i| parts * i + part as usize));
                match parts {
                    1 => value,
                    _ => self.put(format_args!("shufflevector {wide} {value}, {wide} poison, {chosen}")),
                }
            }
            Steps::Any => {
                let words = self.shaped("i64", true);
                let mut number = self.walked(n, steps);
                if p.parts > 1 {
                    let [parts, part] = [p.parts, part].map(|x| self.constant(Type::I64, u64::from(x), true));
                    number = self.put(format_args!("mul {words} {number}, {parts}"));
                    number = self.put(format_args!("add {words} {number}, {part}"));
                }
                let at = self.put(format_args!("getelementptr {name}, ptr {row}, {words} {number}"));
                self.masked_gather(p.ty, &at, &valid)
            }
        };
        self.loaded(p.ty, value, true)
    }

    /// Elements at distances that lanes have.
    pub(super) fn gather(&mut self, place: Place, distance: &str, alike: bool) -> String {
        let row = self.rows[place.param as usize].clone();
        let (n, part) = (place.param, place.part);
        let p = self.kernel.params[n as usize];
        let (name, align, lanes, index) = (stored(p.ty), p.ty.bytes(), self.lanes, self.index.clone());
        let all = self.shaped(name, true);
        if alike && p.access == Access::Gather(Steps::One) && p.parts == 1 && self.limit.is_none() {
            // A row from another place on.
            let first = self.put(format_args!("extractelement <{lanes} x i64> {distance}, i64 0"));
            let first = self.put(format_args!("add i64 {index}, {first}"));
            let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {first}"));
            let value = self.put(format_args!("load {all}, ptr {at}, align {align}"));
            return self.loaded(p.ty, value, true);
        }
        let (words, mut number) = (self.shaped("i64", true), distance.to_string());
        if let Access::Gather(steps @ (Steps::One | Steps::Any)) = p.access {
            let walked = self.walked(n, steps);
            number = self.put(format_args!("add {words} {number}, {walked}"));
        }
        if p.parts > 1 {
            let parts = self.constant(Type::I64, u64::from(p.parts), true);
            number = self.put(format_args!("mul {words} {number}, {parts}"));
        }
        if part > 0 {
            let part = self.constant(Type::I64, u64::from(part), true);
            number = self.put(format_args!("add {words} {number}, {part}"));
        }
        let at = self.put(format_args!("getelementptr {name}, ptr {row}, {words} {number}"));
        // Lanes beyond the last element may lead anywhere, and those that are not at work need nothing.
        let valid = match (&self.mask, &self.limit) {
            (Some(mask), _) => mask.clone(),
            (None, Some((_, valid))) => valid.clone(),
            (None, None) => self.constant(Type::Bool, 1, true),
        };
        let value = self.masked_gather(p.ty, &at, &valid);
        self.loaded(p.ty, value, true)
    }

    /// Elements at any distance, each by itself; beyond the last one, that one again.
    fn one_by_one(&mut self, n: u32, part: u32, step: &str, name: &str, align: usize) -> String {
        let row = self.rows[n as usize].clone();
        let (all, index) = (self.shaped(name, true), self.index.clone());
        let mut value = "poison".to_string();
        for lane in 0..self.lanes {
            let mut number = self.put(format_args!("add i64 {index}, {lane}"));
            if let Some((last, _)) = self.limit.clone() {
                let beyond = self.put(format_args!("icmp ugt i64 {number}, {last}"));
                number = self.put(format_args!("select i1 {beyond}, i64 {last}, i64 {number}"));
            }
            let offset = self.put(format_args!("mul i64 {number}, {step}"));
            let mut at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {offset}"));
            if part > 0 {
                at = self.put(format_args!("getelementptr {name}, ptr {at}, i64 {part}"));
            }
            let one = self.put(format_args!("load {name}, ptr {at}, align {align}"));
            value = self.put(format_args!("insertelement {all} {value}, {name} {one}, i64 {lane}"));
        }
        self.loaded(self.kernel.params[n as usize].ty, value, true)
    }

    /// Elements a small step apart: whole vectors, of which every `step`-th lane is taken. The
    /// last one is moved back so that it ends with the last element that is asked for.
    fn stepped(&mut self, n: u32, step: isize, name: &str, align: usize) -> String {
        let row = self.rows[n as usize].clone();
        let (lanes, all, index) = (self.lanes, self.shaped(name, true), self.index.clone());
        let first = self.put(format_args!("mul i64 {index}, {step}"));
        let count = step.unsigned_abs();
        // From the lowest address: backwards, that is the last lane's.
        let low = if step < 0 { -((lanes - 1) as isize) * count as isize } else { 0 };
        let mut value = String::new();
        if matches!(self.kernel.params[n as usize].access, Access::StepAhead(_)) {
            let begin = self.put(format_args!("add i64 {first}, {low}"));
            let begin = self.put(format_args!("add i64 {begin}, %c{n}"));
            let far = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {begin}"));
            self.ask_for(&far, 0, align * lanes * count, 3);
        }
        for v in 0..count {
            let from = (v * lanes).min((lanes - 1) * count + 1 - lanes);
            let offset = self.put(format_args!("add i64 {first}, {}", low + from as isize));
            let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {offset}"));
            let part = self.put(format_args!("load {all}, ptr {at}, align {align}"));
            // Which lanes this vector gives; the others stay as they are.
            let lane = |i: usize| {
                let at = if step < 0 { lanes - 1 - i } else { i } * count;
                let here = at / lanes == v;
                if here { lanes + at - from } else { i }
            };
            let chosen = mask((0..lanes).map(lane));
            let before = if v == 0 { "poison" } else { &value };
            value = self.put(format_args!("shufflevector {all} {before}, {all} {part}, {chosen}"));
        }
        value
    }

    /// True if memory is asked for ahead: not where two rows are read at a time, which is in the way of that.
    pub(super) fn asks(&self, p: &Param) -> bool {
        p.access == Access::Ahead && !self.twins
    }

    /// Asks for the lines of so many bytes at a distance from an address; any address may be asked
    /// for. How near they shall come counts to 3, the nearest cache.
    pub(super) fn ask_for(&mut self, at: &str, distance: usize, bytes: usize, near: u8) {
        self.declared.insert("void @llvm.prefetch.p0(ptr, i32, i32, i32)".into());
        for line in (0..bytes).step_by(64) {
            let later = self.put(format_args!("getelementptr i8, ptr {at}, i64 {}", distance + line));
            let _ =
                writeln!(self.out, "  call void @llvm.prefetch.p0(ptr {later}, i32 0, i32 {near}, i32 1)");
        }
    }

    /// Elements at addresses that lanes have, of the lanes that are valid; the others are zero.
    pub(super) fn masked_gather(&mut self, ty: Type, at: &str, valid: &str) -> String {
        let (name, align, lanes) = (stored(ty), ty.bytes(), self.lanes);
        let letter = if ty.is_float() { "f" } else { "i" };
        let function = format!("llvm.masked.gather.v{lanes}{letter}{}.v{lanes}p0", align * 8);
        let [all, places, truth] = [name, "ptr", "i1"].map(|name| self.shaped(name, true));
        self.declared.insert(format!("{all} @{function}({places}, i32, {truth}, {all})"));
        self.put(format_args!(
            "call {all} @{function}({places} {at}, i32 {align}, {truth} {valid}, {all} zeroinitializer)"
        ))
    }

    /// Elements side by side where one truth value says so; else zeros.
    fn load_if(&mut self, all: &str, at: &str, align: usize, wanted: &str) -> String {
        let [here, read] = ["here", "read"].map(|name| format!("{name}{}", self.next));
        let before = self.label(&format!("br i1 {wanted}, label %{here}, label %{read}"), &here);
        let value = self.put(format_args!("load {all}, ptr {at}, align {align}"));
        self.label(&format!("br label %{read}"), &read);
        self.put(format_args!("phi {all} [ {value}, %{here} ], [ zeroinitializer, %{before} ]"))
    }

    /// Elements side by side, of the lanes that are valid; the others are zero. Where all are, as nearly
    /// everywhere, it is a load as any other: a processor waits for what has a mask.
    pub(super) fn load_valid(&mut self, ty: Type, at: &str, valid: &str, count: usize) -> String {
        let (all, truth, align) =
            (format!("<{count} x {}>", stored(ty)), format!("<{count} x i1>"), ty.bytes());
        let bits = self.put(format_args!("bitcast {truth} {valid} to i{count}"));
        let whole = self.put(format_args!("icmp eq i{count} {bits}, -1"));
        let [plain, masked, read] = ["plain", "some", "read"].map(|name| format!("{name}{}", self.next));
        self.label(&format!("br i1 {whole}, label %{plain}, label %{masked}"), &plain);
        let full = self.put(format_args!("load {all}, ptr {at}, align {align}"));
        self.label(&format!("br label %{read}"), &masked);
        let some = self.masked_load(ty, at, valid, count);
        self.label(&format!("br label %{read}"), &read);
        self.put(format_args!("phi {all} [ {full}, %{plain} ], [ {some}, %{masked} ]"))
    }

    fn masked_load(&mut self, ty: Type, at: &str, lanes: &str, count: usize) -> String {
        let (name, align) = (stored(ty), ty.bytes());
        let (all, truth) = (format!("<{count} x {name}>"), format!("<{count} x i1>"));
        let letter = if ty.is_float() { "f" } else { "i" };
        let function = format!("llvm.masked.load.v{count}{letter}{}.p0", ty.bytes() * 8);
        self.declared.insert(format!("{all} @{function}(ptr, i32, {truth}, {all})"));
        self.put(format_args!(
            "call {all} @{function}(ptr {at}, i32 {align}, {truth} {lanes}, {all} zeroinitializer)"
        ))
    }

    pub(super) fn store(&mut self, n: usize, parts: &[String]) {
        let p = self.kernel.params[n];
        if p.access.along().is_some() || matches!(p.access, Access::Across(_)) {
            self.folded.push((n, parts.to_vec()));
            return;
        }
        if let Some(spread) = self.spread.take() {
            self.write_spread(n, parts, &spread);
            self.spread = Some(spread);
            return;
        }
        let index = self.index.clone();
        self.write(n, parts, &index, self.lanes);
    }

    /// Writes the parts of `count` elements, to the place `index` and those after it.
    pub(super) fn write(&mut self, n: usize, parts: &[String], index: &str, count: usize) {
        let p = self.kernel.params[n];
        // What folds across rows has no rows of its own.
        let row = match p.access {
            Access::Across(_) => format!("%p{n}"),
            _ => self.rows[n].clone(),
        };
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let of = |name: &str, count: usize| format!("<{count} x {name}>");
        if is_row(&p) {
            return self.write_parts(n, parts, index);
        }
        let (mut value, mut ty, mut first) = (parts[0].clone(), of(name, count), index.to_string());
        if let [re, im] = parts {
            let lanes = mask((0..count).flat_map(|i| [i, count + i]));
            value = self.put(format_args!("shufflevector {ty} {re}, {ty} {im}, {lanes}"));
            ty = of(name, count * 2);
            first = self.put(format_args!("mul i64 {index}, 2"));
        } else if p.ty == Type::Bool {
            value = self.put(format_args!("zext {} {value} to {ty}", of(scalar(p.ty), count)));
        }
        let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {first}"));
        if self.in_lines {
            return self.write_lines(n, &ty, &value, &at);
        }
        if let (Access::Out | Access::Stream, Some((_, valid))) = (p.access, self.limit.clone()) {
            return self.write_some(n, &value, &at, &valid);
        }
        if p.access == Access::Stream {
            return self.write_past(n, &ty, &value, &at);
        }
        self.lines(format_args!("  store {ty} {value}, ptr {at}, align {align}"));
    }

    /// Writes past the caches what is a whole line of them, or as much of one as a vector has; what a
    /// row has before and after that as usual, and of it no more, so that no line is written both ways.
    fn write_past(&mut self, n: usize, ty: &str, value: &str, at: &str) {
        let p = self.kernel.params[n];
        let (align, whole) = (p.ty.bytes(), (p.bytes() * self.lanes).min(64));
        let address = self.put(format_args!("ptrtoint ptr {at} to i64"));
        let low = self.put(format_args!("and i64 {address}, {}", whole - 1));
        let fits = self.put(format_args!("icmp eq i64 {low}, 0"));
        let (past, usual, after) =
            (format!("past{}", self.next), format!("usual{}", self.next), format!("written{}", self.next));
        self.label(&format!("br i1 {fits}, label %{past}, label %{usual}"), &past);
        self.lines(format_args!("  store {ty} {value}, ptr {at}, align {whole}, !nontemporal !{{i32 1}}"));
        self.label(&format!("br label %{after}"), &usual);
        match self.edged() == Some(n) {
            true => self.write_edge(n, ty, value, at),
            false => self.lines(format_args!("  store {ty} {value}, ptr {at}, align {align}")),
        }
        self.label(&format!("br label %{after}"), &after);
    }

    /// Writes those elements of a vector that stand before `%from`, or from `%to` on.
    fn write_edge(&mut self, n: usize, ty: &str, value: &str, at: &str) {
        let (p, lanes, index) = (self.kernel.params[n], self.lanes, self.index.clone());
        let (name, all, truth) = (stored(p.ty), self.shaped("i64", true), self.shaped("i1", true));
        let numbers: Vec<String> = (0..lanes).map(|i| format!("i64 {i}")).collect();
        let numbers = format!("<{}>", numbers.join(", "));
        let last = self.put(format_args!("icmp uge i64 {index}, %from"));
        let [end, both, written] = ["end", "both", "edged"].map(|name| format!("{name}{}", self.next));
        self.label(&format!("br i1 {last}, label %{end}, label %{both}"), &end);
        // The last vector of a row overlaps a line that has just gone past the caches. To touch it again
        // waits for it, even where nothing is written: what stands from `%to` on is moved to the front.
        let done = self.put(format_args!("sub i64 %to, {index}"));
        let left = self.put(format_args!("sub i64 {lanes}, {done}"));
        let left = self.splat("i64", &left);
        let wanted = self.put(format_args!("icmp ult {all} {numbers}, {left}"));
        let skipped = self.put(format_args!("mul i64 {done}, {}", p.parts));
        self.lines(format_args!("  store {ty} {value}, ptr %edge, align {}", p.ty.bytes()));
        let from = self.put(format_args!("getelementptr {name}, ptr %edge, i64 {skipped}"));
        let moved = self.put(format_args!("load {ty}, ptr {from}, align {}", p.ty.bytes()));
        let to = self.put(format_args!("getelementptr {name}, ptr {at}, i64 {skipped}"));
        self.write_some(n, &moved, &to, &wanted);
        self.label(&format!("br label %{written}"), &both);
        let first = self.splat("i64", &index);
        let number = self.put(format_args!("add {all} {first}, {numbers}"));
        let (from, to) = (self.splat("i64", "%from"), self.splat("i64", "%to"));
        let before = self.put(format_args!("icmp ult {all} {number}, {from}"));
        let behind = self.put(format_args!("icmp uge {all} {number}, {to}"));
        let wanted = self.put(format_args!("or {truth} {before}, {behind}"));
        self.write_some(n, value, at, &wanted);
        self.label(&format!("br label %{written}"), &written);
    }

    /// Writes those elements of a vector that are wanted.
    fn write_some(&mut self, n: usize, value: &str, at: &str, wanted: &str) {
        let (p, truth, mut wanted) = (self.kernel.params[n], self.shaped("i1", true), wanted.to_string());
        let parts = p.parts as usize;
        let count = self.lanes * parts;
        if parts > 1 {
            let twice = mask((0..count).map(|i| i / parts));
            wanted = self.put(format_args!("shufflevector {truth} {wanted}, {truth} poison, {twice}"));
        }
        self.masked_store(p.ty, count, value, at, &wanted);
    }

    /// Writes those of so many values of a type that are wanted.
    pub(super) fn masked_store(&mut self, ty: Type, count: usize, value: &str, at: &str, wanted: &str) {
        let (letter, align) = (if ty.is_float() { "f" } else { "i" }, ty.bytes());
        let all = format!("<{count} x {}>", stored(ty));
        let function = format!("llvm.masked.store.v{count}{letter}{}.p0", align * 8);
        self.declared.insert(format!("void @{function}({all}, ptr, i32, <{count} x i1>)"));
        self.lines(format_args!(
            "  call void @{function}({all} {value}, ptr {at}, i32 {align}, <{count} x i1> {wanted})"
        ));
    }
}
