//! Between memory and registers.

use super::Shape;
use super::text::{Bank, Text};
use crate::ir::{Access, Place, Steps, Type};

/// What memory holds of a type: truth values are bytes.
fn stored(ty: Type) -> &'static str {
    match ty {
        Type::Bool | Type::U8 => "u8",
        Type::I8 => "s8",
        Type::U16 => "u16",
        Type::I16 => "s16",
        _ if ty.bits() == 64 => "b64",
        _ => "b32",
    }
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
        // In a row, elements that are one for it do not move.
        let row = self.form.outer;
        for (n, p) in self.params.iter().enumerate() {
            if p.access.is_written() || p.access.is_uniform() != uniform {
                continue;
            }
            let first = self.words.base(self.params, n);
            let base = match p.access {
                Access::Counter(_) => self.counter(first),
                _ => self.address(first),
            };
            let mut distance: Option<String> = None;
            for (axis, x) in at.iter().enumerate() {
                let term = match p.access {
                    Access::Uniform
                    | Access::Gather(Steps::None)
                    | Access::Guarded(Steps::None)
                    | Access::Counter(Steps::None)
                        if axis == row =>
                    {
                        continue;
                    }
                    Access::Linear
                    | Access::Ahead
                    | Access::Beside { .. }
                    | Access::Gather(Steps::One)
                    | Access::Guarded(Steps::One)
                    | Access::Counter(Steps::One)
                        if axis == row =>
                    {
                        x.clone()
                    }
                    Access::Step(step) | Access::StepAhead(step) if axis == row => {
                        self.number("mul.lo", 's', &[x, &step.to_string()])
                    }
                    _ => {
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
            self.at.insert(n, address);
        }
    }

    pub(super) fn load(&mut self, place: Place) -> String {
        let p = self.params[place.param as usize];
        let address = self.at.get(&(place.param as usize)).cloned().unwrap_or_default();
        // What is counted is the number itself.
        if let Access::Counter(_) = p.access {
            return address;
        }
        let offset = place.part as usize * p.ty.bytes();
        self.fetch(p.ty, "global.nc", &format!("[{address}+{offset}]"))
    }

    /// An element where the condition is true, else zero.
    pub(super) fn load_where(&mut self, place: Place, condition: &str) -> String {
        let p = self.params[place.param as usize];
        let address = self.at.get(&(place.param as usize)).cloned().unwrap_or_default();
        let offset = place.part as usize * p.ty.bytes();
        let bank = if p.ty == Type::Bool { Bank::Word } else { Bank::of(p.ty) };
        let value = self.copy(bank, "0");
        self.line(format_args!("@{condition} ld.global.nc.{} {value}, [{address}+{offset}];", stored(p.ty)));
        if p.ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value }
    }

    /// An element at a distance from where the walk leads to.
    pub(super) fn gather(&mut self, place: Place, distance: &str) -> String {
        let p = self.params[place.param as usize];
        let base = self.at.get(&(place.param as usize)).cloned().unwrap_or_default();
        let bytes = p.bytes().to_string();
        let address = self.put(Bank::Double, "mad.lo.s64", &[distance, &bytes, &base]);
        let offset = place.part as usize * p.ty.bytes();
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
        let bank = if ty == Type::Bool { Bank::Word } else { Bank::of(ty) };
        let value = self.put(bank, &format!("ld.{space}.{}", stored(ty)), &[from]);
        if ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value }
    }

    pub(super) fn store(&mut self, n: usize, parts: Vec<String>) {
        if Shape::of(self.params) != Shape::Elements {
            self.folded.push((n, parts));
            return;
        }
        let index = self.index.clone();
        self.write(n, &parts, &index);
    }

    /// Writes the parts of the element of a result with a number.
    pub(super) fn write(&mut self, n: usize, parts: &[String], index: &str) {
        let p = self.params[n];
        let base = self.address(self.words.base(self.params, n));
        let to = self.element(&base, index, p.bytes());
        let space = if p.access == Access::Stream { "global.cs" } else { "global" };
        self.keep(p.ty, space, &to, parts);
    }

    /// Writes one value, or two side by side.
    pub(super) fn keep(&mut self, ty: Type, space: &str, to: &str, parts: &[String]) {
        let name = stored(ty).replace('s', "u");
        match parts {
            [re, im] => self.line(format_args!("st.{space}.v2.{name} [{to}], {{{re}, {im}}};")),
            [x] if ty == Type::Bool => {
                let byte = self.put(Bank::Word, "selp.u32", &["1", "0", x]);
                self.line(format_args!("st.{space}.{name} [{to}], {byte};"));
            }
            parts => {
                let x = parts.first().map_or("", String::as_str);
                self.line(format_args!("st.{space}.{name} [{to}], {x};"));
            }
        }
    }
}
