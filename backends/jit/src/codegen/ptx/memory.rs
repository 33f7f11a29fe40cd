//! Memory that kernels with effects read and write at numbers that they compute: what is out of bounds is
//! neither read nor written.

use super::effects::EffectWords;
use super::places::stored;
use super::text::{Bank, Text};
use super::values::named;
use crate::ir::{Code, Id, Kernel, Statement, Type};

/// Memory that a kernel names.
#[derive(Clone)]
pub(super) struct Cells {
    space: &'static str,
    /// The register of its address.
    base: String,
    /// How many elements there are: a register or a number.
    length: String,
}

impl Text<'_> {
    /// A value of a launch's argument.
    pub(super) fn value(&mut self, ty: Type, word: usize) -> String {
        let value = self.argument(Bank::of(ty).memory(), stored(ty), word);
        if ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value }
    }

    /// What a statement names, if it names memory.
    pub(super) fn name(&mut self, kernel: &Kernel, id: Id) {
        let s = kernel.statement(id);
        let bytes = s.imm.saturating_mul(s.ty.bytes() as u64);
        let cells = match s.code {
            Code::Memory => {
                let word = EffectWords::of(&kernel.params, s.imm as usize);
                Cells { space: "global", base: self.address(word), length: self.word(word + 1) }
            }
            Code::Alloca | Code::Shared => {
                let space = if s.code == Code::Alloca { "local" } else { "shared" };
                let name = format!("{space}{}", id.0);
                self.outside.push_str(&format!("  .{space} .align 8 .b8 {name}[{bytes}];\n"));
                let base = self.put(Bank::Double, "mov.b64", &[&name]);
                Cells { space, base, length: s.imm.to_string() }
            }
            _ => return,
        };
        self.memories.insert(id, cells);
    }

    /// Sets an element's own memory to zero.
    pub(super) fn clear_own(&mut self, kernel: &Kernel) {
        self.clear(kernel, Code::Alloca, ("0", "1"));
    }

    /// Sets the memory of a block to zero: the threads take turns.
    pub(super) fn clear_shared(&mut self, kernel: &Kernel) {
        let [thread, threads] = ["%tid.x", "%ntid.x"].map(|special| {
            let word = self.put(Bank::Word, "mov.u32", &[special]);
            self.widened(&word)
        });
        self.clear(kernel, Code::Shared, (&thread, &threads));
        self.line(format_args!("bar.sync 0;"));
    }

    fn clear(&mut self, kernel: &Kernel, code: Code, (first, step): (&str, &str)) {
        for &id in kernel.blocks.iter().flatten().filter(|&&id| kernel.statement(id).code == code) {
            let (ty, cells) = (kernel.statement(id).ty, self.memories[&id].clone());
            let each = self.open("clear", first, &cells.length, step);
            let at = self.element(&cells.base, &each.i, ty.bytes());
            let zero = self.copy(Bank::of(ty).memory(), "0");
            let name = stored(ty).replace('s', "u");
            self.line(format_args!("st.{}.{name} [{at}], {zero};", cells.space));
            self.close(each);
        }
    }

    /// True where a number is that of an element of memory.
    pub(super) fn in_bounds(&mut self, memory: Id, index: &str) -> String {
        let length = self.memories[&memory].length.clone();
        self.test("setp.lt.u64", &[index, &length])
    }

    pub(super) fn load_at(&mut self, s: &Statement, index: &str) -> String {
        let cells = self.memories[&s.operands[0]].clone();
        let valid = self.in_bounds(s.operands[0], index);
        let at = self.element(&cells.base, index, s.ty.bytes());
        let value = self.copy(Bank::of(s.ty).memory(), "0");
        self.line(format_args!("@{valid} ld.{}.{} {value}, [{at}];", cells.space, stored(s.ty)));
        if s.ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value }
    }

    pub(super) fn store_at(&mut self, s: &Statement, index: &str, x: &str) {
        let ty = self.kernel.map_or(s.ty, |kernel| kernel.statement(s.operands[0]).ty);
        let cells = self.memories[&s.operands[0]].clone();
        let valid = self.in_bounds(s.operands[0], index);
        let at = self.element(&cells.base, index, ty.bytes());
        self.inside = Some(valid);
        self.keep(ty, cells.space, &at, &[x.to_string()]);
        self.inside = None;
    }

    /// An atomic; gives what was there before.
    pub(super) fn atomic(&mut self, s: &Statement, index: &str, values: &[String]) -> String {
        let cells = self.memories[&s.operands[0]].clone();
        let (bank, ty) = (Bank::of(s.ty), s.ty);
        let valid = self.in_bounds(s.operands[0], index);
        let old = self.copy(bank, "0");
        let after = self.label("atomic");
        self.line(format_args!("@!{valid} bra {after};"));
        let at = self.element(&cells.base, index, ty.bytes());
        let (space, bits) = (cells.space, bank.bits());
        let mut x = values[values.len() - 1].clone();
        let negates = s.code == Code::AtomicSub;
        if negates && ty.is_float() {
            x = self.put(bank, &format!("neg.{}", named(ty)), &[&x]);
        } else if negates {
            x = self.put(bank, &format!("sub.{}", named(ty)), &["0", &x]);
        }
        let serial = self.kernel.and_then(|kernel| kernel.effects).is_some_and(|effects| effects.serial);
        let word = match s.code {
            Code::AtomicCas => {
                self.line(format_args!("atom.{space}.cas.{bits} {old}, [{at}], {}, {x};", values[0]));
                String::new()
            }
            Code::AtomicMin | Code::AtomicMax if ty.is_float() => {
                self.extreme(s, &cells, &at, (&old, &x));
                String::new()
            }
            // In global memory atomics make zeros of the least numbers, and one thread needs none.
            Code::AtomicAdd | Code::AtomicSub if serial => {
                self.set(&old, &format!("ld.{space}.{bits}"), &[&format!("[{at}]")]);
                let rounds = if ty.is_float() { ".rn" } else { "" };
                let sum = self.put(bank, &format!("add{rounds}.{}", named(ty)), &[&old, &x]);
                self.line(format_args!("st.{space}.{bits} [{at}], {sum};"));
                String::new()
            }
            Code::AtomicAdd | Code::AtomicSub if ty.is_float() => format!("add.{}", named(ty)),
            Code::AtomicAdd | Code::AtomicSub => format!("add.u{}", ty.bits()),
            Code::AtomicMin => format!("min.{}", named(ty)),
            Code::AtomicMax => format!("max.{}", named(ty)),
            Code::AtomicAnd => format!("and.{bits}"),
            Code::AtomicOr => format!("or.{bits}"),
            Code::AtomicXor => format!("xor.{bits}"),
            _ => format!("exch.{bits}"),
        };
        if !word.is_empty() {
            self.line(format_args!("atom.{space}.{word} {old}, [{at}], {x};"));
        }
        self.place(&after);
        old
    }

    /// The less or the greater of floats stays: tried again where another thread was faster.
    fn extreme(&mut self, s: &Statement, cells: &Cells, at: &str, (old, x): (&str, &str)) {
        let (bank, name, space) = (Bank::of(s.ty), named(s.ty), cells.space);
        let bits = bank.bits();
        let (order, sign) = if s.code == Code::AtomicMin { ("lt", "lt") } else { ("gt", "ge") };
        let again = self.label("again");
        let seen = self.put(bank, &format!("ld.{space}.{bits}"), &[&format!("[{at}]")]);
        self.place(&again);
        self.assign(bank, old, &seen);
        let first = self.test(&format!("setp.{order}.{name}"), &[old, x]);
        let nan = self.test(&format!("setp.nan.{name}"), &[old, old]);
        let equal = self.test(&format!("setp.eq.{name}"), &[old, x]);
        // Of zeros the sign decides.
        let signed = self.test(&format!("setp.{sign}.s{}", s.ty.bits()), &[old, "0"]);
        let kept = self.test("and.pred", &[&equal, &signed]);
        let kept = self.test("or.pred", &[&kept, &first]);
        let kept = self.test("or.pred", &[&kept, &nan]);
        let next = self.put(bank, &format!("selp.{bits}"), &[old, x, &kept]);
        self.line(format_args!("atom.{space}.cas.{bits} {seen}, [{at}], {old}, {next};"));
        let missed = self.test(&format!("setp.ne.u{}", s.ty.bits()), &[&seen, old]);
        self.line(format_args!("@{missed} bra {again};"));
    }
}
