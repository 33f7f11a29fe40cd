//! Between memory and a thread's registers: elements side by side in as few accesses as there can be.

use super::{WIDEST, Way, Writer};
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

    /// Elements of an input: registers by step, of all parts of all elements.
    pub(super) fn outside(
        &mut self,
        input: usize,
        p: Param,
        first: &str,
        there: &[String],
    ) -> Vec<Vec<String>> {
        let abreast = self.form.abreast as usize;
        let aligned = self.form.ways[input] == Way::Aligned;
        if p.access == Access::Linear {
            let row = self.rows[input].clone();
            let base = self.text.element(&row, first, p.bytes());
            let mut steps = Vec::new();
            for (step, there) in there.iter().enumerate() {
                let offset = step * LANES * p.bytes();
                if aligned {
                    steps.push(self.vector(p, abreast, "global.nc", (&base, offset), there));
                    continue;
                }
                let each = (0..abreast).flat_map(|e| self.singles(p, (&base, offset + e * p.bytes()), there));
                steps.push(each.collect());
            }
            return steps;
        }
        let mut steps = Vec::new();
        for (step, there) in there.iter().enumerate() {
            let mut registers = Vec::new();
            for e in 0..abreast {
                let element = self.text.put(Bank::Word, "add.u32", &[first, &(step * LANES + e).to_string()]);
                let address = self.walked(input, &element);
                registers.extend(self.singles(p, (&address, 0), there));
            }
            steps.push(registers);
        }
        steps
    }

    /// The parts of one element, each by itself.
    fn singles(&mut self, p: Param, (base, offset): (&str, usize), there: &str) -> Vec<String> {
        (0..p.parts as usize)
            .map(|part| {
                let to = self.text.register(bank(p.ty));
                let (ty, offset) = (stored(p.ty), offset + part * p.ty.bytes());
                self.text.line(format_args!("@{there} ld.global.nc.{ty} {to}, [{base}+{offset}];"));
                to
            })
            .collect()
    }

    /// Elements side by side, in accesses of [`WIDEST`] bytes.
    pub(super) fn vector(
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

    /// Writes values side by side, likewise, where there is an element.
    pub(super) fn write(
        &mut self,
        ty: Type,
        space: &str,
        (base, offset): (&str, usize),
        parts: &[String],
        there: Option<&String>,
    ) {
        let each = parts.len().min(WIDEST / ty.bytes()).min(4);
        let name = stored(ty).replace('s', "u");
        let guard = there.map_or_else(String::new, |there| format!("@{there} "));
        for (k, some) in parts.chunks(each).enumerate() {
            let at = format!("[{base}+{}]", offset + k * each * ty.bytes());
            let (vector, from) = grouped(some);
            self.text.line(format_args!("{guard}st.{space}{vector}.{name} {at}, {from};"));
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
