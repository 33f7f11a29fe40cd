//! Between memory and registers.

use super::text::{Bank, Text};
use super::{Shape, Walk};
use crate::ir::{Access, Param, Place, Steps, Type};

/// What memory holds of a type: truth values are bytes.
pub(super) fn stored(ty: Type) -> &'static str {
    match ty {
        Type::Bool | Type::U8 => "u8",
        Type::I8 => "s8",
        Type::U16 => "u16",
        Type::I16 => "s16",
        _ if ty.bits() == 64 => "b64",
        _ => "b32",
    }
}

/// The elements that a step along a row moves, where the text knows them.
pub(super) fn known(access: Access) -> Option<i8> {
    match access {
        Access::Step(step) | Access::StepAhead(step) => Some(step),
        Access::Linear | Access::Ahead | Access::Beside { .. } => Some(1),
        Access::Gather(Steps::One) | Access::Counter(Steps::One) => Some(1),
        access if access.guarded() == Some(Steps::One) => Some(1),
        access if access.is_uniform() || access == Access::Gather(Steps::None) => Some(0),
        _ => None,
    }
}

/// The memory that a result is written to, as stores have it.
pub(super) fn written(p: Param) -> &'static str {
    if p.access == Access::Stream { "global.cs" } else { "global" }
}

impl Text<'_> {
    /// The address of an element: a parameter's first one, and a distance in elements.
    pub(super) fn element(&mut self, base: &str, distance: &str, bytes: usize) -> String {
        let instruction = if self.form.wide { "mad.lo.s64" } else { "mad.wide.s32" };
        self.put(Bank::Double, instruction, &[distance, &bytes.to_string(), base])
    }

    /// Finds the inputs' elements at some coordinates: those that are one for a whole row, or the
    /// others. The last coordinates are missing where there is no row around.
    pub(super) fn addresses(&mut self, at: &[String], uniform: bool) {
        self.addresses_of(at, |_, p| !p.access.is_written() && p.access.is_uniform() == uniform);
    }

    /// Finds some inputs' elements, for the lane at hand.
    pub(super) fn addresses_of(&mut self, at: &[String], chosen: impl Fn(usize, &Param) -> bool) {
        let row = self.form.outer;
        for (n, p) in self.params.iter().enumerate().filter(|(n, p)| chosen(*n, p)) {
            let first = self.words.base(self.params, n);
            let base = match p.access {
                Access::Counter(_) => self.counter(first),
                _ => self.address(first),
            };
            let mut distance: Option<String> = None;
            for (axis, x) in at.iter().enumerate() {
                let term = match known(p.access).filter(|_| axis == row) {
                    // Elements that are one for a row do not move in it.
                    Some(0) => continue,
                    Some(1) => x.clone(),
                    Some(step) => self.number("mul.lo", 's', &[x, &step.to_string()]),
                    None => {
                        let step = self.word(first + 1 + axis);
                        self.number("mul.lo", 's', &[x, &step])
                    }
                };
                distance = Some(match distance {
                    None => term,
                    Some(before) => self.number("add", 's', &[&before, &term]),
                });
            }
            let address = match distance {
                None => base,
                Some(distance) => self.element(&base, &distance, p.bytes()),
            };
            self.at.insert((n, self.lane), (address, 0));
        }
    }

    /// The address of the element at hand: a register, and what is added to it.
    pub(super) fn at(&self, param: usize) -> (String, i64) {
        let own = self.at.get(&(param, self.lane)).or_else(|| self.at.get(&(param, 0)));
        own.cloned().unwrap_or_default()
    }

    pub(super) fn load(&mut self, place: Place) -> String {
        let (n, part) = (place.param as usize, place.part as usize);
        if let Some(parts) = self.held.get(n).or_else(|| self.read.get(&(n, self.lane))) {
            return parts[part].clone();
        }
        let p = self.params[n];
        let (address, by) = self.at(n);
        // What is counted is the number itself.
        if let Access::Counter(_) = p.access {
            return if by == 0 {
                address
            } else {
                self.put(Bank::Double, "add.s64", &[&address, &by.to_string()])
            };
        }
        let offset = by + (part * p.ty.bytes()) as i64;
        self.fetch(p.ty, "global.nc", &format!("[{address}+{offset}]"))
    }

    /// An element where the condition is true, else zero.
    pub(super) fn load_where(&mut self, place: Place, condition: &str) -> String {
        let p = self.params[place.param as usize];
        let (address, by) = self.at(place.param as usize);
        let offset = by + (place.part as usize * p.ty.bytes()) as i64;
        let value = self.copy(Bank::of(p.ty).memory(), "0");
        self.line(format_args!("@{condition} ld.global.nc.{} {value}, [{address}+{offset}];", stored(p.ty)));
        if p.ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value }
    }

    /// An element at a distance from where the walk leads to.
    pub(super) fn gather(&mut self, place: Place, distance: &str) -> String {
        let p = self.params[place.param as usize];
        let (base, by) = self.at(place.param as usize);
        let bytes = p.bytes().to_string();
        let address = self.put(Bank::Double, "mad.lo.s64", &[distance, &bytes, &base]);
        let offset = by + (place.part as usize * p.ty.bytes()) as i64;
        self.fetch(p.ty, "global.nc", &format!("[{address}+{offset}]"))
    }

    /// Sets a part of the flag if the condition is false. Threads that do so write the same.
    pub(super) fn check(&mut self, flag: Place, condition: &str) {
        let after = self.label("right");
        self.line(format_args!("@{condition} bra {after};"));
        let at = self.address(self.words.base(self.params, flag.param as usize));
        let one = self.copy(Bank::Word, "1");
        self.line(format_args!("st.volatile.global.u8 [{at}+{}], {one};", flag.part));
        if let Some(end) = self.escape.clone() {
            self.line(format_args!("bra {end};"));
        }
        self.place(&after);
    }

    /// Reads a value of a type.
    pub(super) fn fetch(&mut self, ty: Type, space: &str, from: &str) -> String {
        let value = self.raw(ty, space, from);
        if ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value }
    }

    /// Reads a value of a type; a truth value as its byte.
    pub(super) fn raw(&mut self, ty: Type, space: &str, from: &str) -> String {
        self.put(Bank::of(ty).memory(), &format!("ld.{space}.{}", stored(ty)), &[from])
    }

    pub(super) fn store(&mut self, n: usize, parts: Vec<String>) {
        if Shape::of(self.params) != Shape::Elements || !self.held.is_empty() {
            self.folded.push((n, parts));
            return;
        }
        if let Walk::Abreast { each: each @ 2.., .. } = self.form.walk {
            return self.store_abreast(n, parts, each);
        }
        let Some((inside, index)) = self.places.get(self.lane).cloned() else {
            let index = self.index.clone();
            return self.write(n, &parts, &index);
        };
        self.inside = Some(inside);
        self.write(n, &parts, &index);
        self.inside = None;
    }

    /// Writes the parts of the element of a result with a number.
    pub(super) fn write(&mut self, n: usize, parts: &[String], index: &str) {
        let p = self.params[n];
        let to = self.result(n, index);
        self.keep(p.ty, written(p), &to, parts);
    }

    /// The address of the element of a result with a number.
    pub(super) fn result(&mut self, n: usize, index: &str) -> String {
        let base = self.address(self.words.base(self.params, n));
        self.element(&base, index, self.params[n].bytes())
    }

    /// Writes one value, or two side by side.
    pub(super) fn keep(&mut self, ty: Type, space: &str, to: &str, parts: &[String]) {
        let name = stored(ty).replace('s', "u");
        let inside = self.inside.as_ref().map_or(String::new(), |inside| format!("@{inside} "));
        match parts {
            [re, im] => self.line(format_args!("{inside}st.{space}.v2.{name} [{to}], {{{re}, {im}}};")),
            [x] if ty == Type::Bool => {
                let byte = self.put(Bank::Word, "selp.u32", &["1", "0", x]);
                self.line(format_args!("{inside}st.{space}.{name} [{to}], {byte};"));
            }
            parts => {
                let x = parts.first().map_or("", String::as_str);
                self.line(format_args!("{inside}st.{space}.{name} [{to}], {x};"));
            }
        }
    }
}
