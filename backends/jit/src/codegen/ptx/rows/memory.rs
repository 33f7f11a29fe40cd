//! Between memory and a thread's registers: elements side by side in as few accesses as there can be.

use super::{Stand, WIDEST, Way, Writer};
use crate::codegen::ptx::places::stored;
use crate::codegen::ptx::text::Bank;
use crate::ir::fold::LANES;
use crate::ir::{Access, Param, Type};

impl Writer<'_> {
    /// Where an element is in a slot.
    pub(super) fn slot(&mut self, slot: usize, element: &str, p: Param) -> String {
        let base = self.slots[slot].clone();
        self.text.put(Bank::Word, "mad.lo.u32", &[element, &p.bytes().to_string(), &base])
    }

    /// The address of an element of an input's row.
    pub(super) fn walked(&mut self, input: usize, element: &str) -> String {
        let step = self.text.word(self.words.input(input) + 1 + self.form.outer);
        let row = self.rows[input].clone();
        self.text.put(Bank::Double, "mad.wide.s32", &[element, &step, &row])
    }

    /// Elements of a slot: registers by step, of all parts of all elements.
    pub(super) fn kept(
        &mut self,
        slot: usize,
        p: Param,
        first: &str,
        there: &[Vec<String>],
    ) -> Vec<Vec<String>> {
        if self.form.is_held() {
            return self.held.get(&slot).cloned().unwrap_or_default();
        }
        let base = self.slot(slot, first, p);
        let step = |(step, there): (usize, &Vec<String>)| {
            self.read(p, "shared", (base.as_str(), step * LANES * p.bytes()), there, true)
        };
        there.iter().enumerate().map(step).collect()
    }

    /// Keeps elements of a step in a slot, where they are there if that is not known.
    pub(super) fn keep(
        &mut self,
        slot: usize,
        p: Param,
        (first, step): (&str, usize),
        parts: &[String],
        there: Option<&Vec<String>>,
    ) {
        if self.form.is_held() {
            self.held.insert(slot, vec![parts.to_vec()]);
            return;
        }
        let base = self.slot(slot, first, p);
        self.write(p, "shared", (&base, step * LANES * p.bytes()), parts, there);
    }

    /// Elements of an input: registers by step, of all parts of all elements.
    pub(super) fn outside(
        &mut self,
        input: usize,
        p: Param,
        first: &str,
        there: &[Vec<String>],
    ) -> Vec<Vec<String>> {
        let aligned = self.form.ways[input] == Way::Aligned;
        if p.access == Access::Linear {
            let row = self.rows[input].clone();
            let base = self.text.element(&row, first, p.bytes());
            let step = |(step, there): (usize, &Vec<String>)| {
                self.read(p, "global.nc", (base.as_str(), step * LANES * p.bytes()), there, aligned)
            };
            return there.iter().enumerate().map(step).collect();
        }
        let mut steps = Vec::new();
        for (step, there) in there.iter().enumerate() {
            let mut registers = Vec::new();
            for (e, there) in there.iter().enumerate() {
                let beyond = (step * LANES + e * self.form.distance()).to_string();
                let element = self.text.put(Bank::Word, "add.u32", &[first, &beyond]);
                let address = self.walked(input, &element);
                registers.extend(self.singles(p, "global.nc", (&address, 0), there));
            }
            steps.push(registers);
        }
        steps
    }

    /// A thread's elements of a step, of an address on: side by side in few accesses, if they may be.
    fn read(
        &mut self,
        p: Param,
        space: &str,
        (base, offset): (&str, usize),
        there: &[String],
        aligned: bool,
    ) -> Vec<String> {
        let distance = self.form.distance();
        if aligned && distance == 1 {
            return self.vector(p, there.len(), space, (base, offset), &there[0]);
        }
        let each = there.iter().enumerate();
        each.flat_map(|(e, there)| self.singles(p, space, (base, offset + e * distance * p.bytes()), there))
            .collect()
    }

    /// The parts of one element, each by itself; nothing of one that is not there, but what is computed with where
    /// elements are apart.
    fn singles(&mut self, p: Param, space: &str, (base, offset): (&str, usize), there: &str) -> Vec<String> {
        (0..p.parts as usize)
            .map(|part| {
                let to = match self.form.stand {
                    Stand::Beside => self.text.register(bank(p.ty)),
                    Stand::Apart => self.text.copy(bank(p.ty), "0"),
                };
                let (ty, offset) = (stored(p.ty), offset + part * p.ty.bytes());
                self.text.line(format_args!("@{there} ld.{space}.{ty} {to}, [{base}+{offset}];"));
                to
            })
            .collect()
    }

    /// Elements side by side, in accesses of [`WIDEST`] bytes.
    fn vector(
        &mut self,
        p: Param,
        elements: usize,
        space: &str,
        (base, offset): (&str, usize),
        there: &str,
    ) -> Vec<String> {
        let (count, ty) = (elements * p.parts as usize, stored(p.ty));
        let each = count.min(WIDEST / p.ty.bytes()).min(4);
        let all: Vec<String> = (0..count).map(|_| self.text.register(bank(p.ty))).collect();
        for (k, some) in all.chunks(each).enumerate() {
            let at = format!("[{base}+{}]", offset + k * each * p.ty.bytes());
            let (vector, to) = grouped(some);
            self.text.line(format_args!("@{there} ld.{space}{vector}.{ty} {to}, {at};"));
        }
        all
    }

    /// Writes the elements of a step likewise, where they are there if that is not known.
    pub(super) fn write(
        &mut self,
        p: Param,
        space: &str,
        (base, offset): (&str, usize),
        parts: &[String],
        there: Option<&Vec<String>>,
    ) {
        let (ty, distance) = (p.ty, self.form.distance());
        let name = stored(ty).replace('s', "u");
        let guard = |e: usize| there.map_or_else(String::new, |there| format!("@{} ", there[e]));
        if distance == 1 {
            let each = parts.len().min(WIDEST / ty.bytes()).min(4);
            for (k, some) in parts.chunks(each).enumerate() {
                let at = format!("[{base}+{}]", offset + k * each * ty.bytes());
                let (vector, from) = grouped(some);
                self.text.line(format_args!("{}st.{space}{vector}.{name} {at}, {from};", guard(0)));
            }
            return;
        }
        for (i, x) in parts.iter().enumerate() {
            let (e, part) = (i / p.parts as usize, i % p.parts as usize);
            let at = offset + e * distance * p.bytes() + part * ty.bytes();
            self.text.line(format_args!("{}st.{space}.{name} [{base}+{at}], {x};", guard(e)));
        }
    }
}

/// The bank of what memory has of a type.
fn bank(ty: Type) -> Bank {
    if ty == Type::Bool { Bank::Word } else { Bank::of(ty) }
}

/// Registers as an operand, and how many there are.
fn grouped(registers: &[String]) -> (String, String) {
    match registers {
        [one] => (String::new(), one.clone()),
        all => (format!(".v{}", all.len()), format!("{{{}}}", all.join(", "))),
    }
}
