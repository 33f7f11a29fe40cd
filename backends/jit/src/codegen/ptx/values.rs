//! Statements as instructions.

use super::text::{Bank, Text, Values};
use crate::ir::{Class, Code, Kernel, Place, Rule, Statement, Type};

/// The type as instructions have it: what is narrower is computed in 32 bits.
pub(super) fn named(ty: Type) -> &'static str {
    match (ty.class(), ty.bits()) {
        (Class::Bool, _) => "pred",
        (Class::Float, 32) => "f32",
        (Class::Float, _) => "f64",
        (Class::Signed, 64) => "s64",
        (Class::Signed, _) => "s32",
        (_, 64) => "u64",
        _ => "u32",
    }
}

/// A constant as an operand.
pub(super) fn literal(ty: Type, bits: u64) -> String {
    match ty {
        Type::F32 => format!("0f{bits:08X}"),
        Type::F64 => format!("0d{bits:016X}"),
        // Registers hold what is narrower extended.
        Type::I8 => (bits as i8).to_string(),
        Type::I16 => (bits as i16).to_string(),
        Type::I32 => (bits as i32).to_string(),
        Type::I64 => (bits as i64).to_string(),
        _ => bits.to_string(),
    }
}

impl Text<'_> {
    /// Writes a statement, and gives the register of its value.
    pub(super) fn statement(&mut self, kernel: &Kernel, s: &Statement, values: &Values) -> String {
        let operand = |i: usize| values[&s.operands[i]].as_str();
        let from = s.operands.first().map_or(s.ty, |&o| kernel.statement(o).ty);
        let name = named(s.ty);
        match s.code.rule() {
            Rule::Constant => self.constant(s.ty, s.imm),
            Rule::Load => self.load(Place::of(s.imm)),
            Rule::LoadWhere => self.load_where(Place::of(s.imm), operand(0)),
            Rule::Gather => self.gather(Place::of(s.imm), operand(0)),
            Rule::Check => {
                self.check(Place::of(s.imm), operand(0));
                String::new()
            }
            Rule::Store => {
                let parts = s.operands.iter().map(|o| values[o].clone()).collect();
                self.store(s.imm as usize, parts);
                String::new()
            }
            Rule::Memory | Rule::Alloca | Rule::Shared => String::new(),
            Rule::LoadAt => self.load_at(s, operand(1)),
            Rule::StoreAt => {
                self.store_at(s, operand(1), operand(2));
                String::new()
            }
            Rule::Atomic(_) | Rule::Cas => {
                let x: Vec<String> = s.operands[2..].iter().map(|o| values[o].clone()).collect();
                self.atomic(s, operand(1), &x)
            }
            Rule::InBounds => self.in_bounds(s.operands[0], operand(1)),
            Rule::Barrier => {
                self.line(format_args!("bar.sync 0;"));
                String::new()
            }
            // Written with their blocks.
            Rule::Elements
            | Rule::Loop
            | Rule::Carried
            | Rule::While
            | Rule::Next
            | Rule::If
            | Rule::Yield
            | Rule::Argument
            | Rule::Return
            | Rule::Call
            | Rule::CallTable
            | Rule::Result => String::new(),
            Rule::Unary(_) => self.unary(s, operand(0)),
            Rule::Binary(_) => self.binary(s, operand(0), operand(1)),
            Rule::Compare(_) => self.comparison(s.code, from, operand(0), operand(1)),
            Rule::Ternary(_) => {
                self.put(Bank::of(s.ty), &format!("fma.rn.{name}"), &[operand(0), operand(1), operand(2)])
            }
            Rule::Select => self.select(s.ty, operand(0), operand(1), operand(2)),
            // Written by its caller, which has the block.
            Rule::Rare => self.select(s.ty, operand(0), operand(2), operand(1)),
            Rule::Convert => self.convert(from, s.ty, operand(0)),
            // The upper half of the register is not read, and becomes zero.
            Rule::Between(..) if s.code == Code::Widen => self.put(Bank::Word, "cvt.f32.f16", &[operand(0)]),
            Rule::Between(..) => self.put(Bank::Word, "cvt.rn.f16.f32", &[operand(0)]),
            // Registers have no types, but say how narrow values are extended.
            Rule::Bitcast => self.normal(s.ty, operand(0).to_string()),
        }
    }

    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> String {
        let bank = Bank::of(ty);
        match ty {
            Type::F32 | Type::F64 => self.put(bank, &format!("mov.{}", named(ty)), &[&literal(ty, bits)]),
            // Predicates are set by comparisons.
            Type::Bool => self.test("setp.ne.u32", &[&bits.to_string(), "0"]),
            _ => self.copy(bank, &literal(ty, bits)),
        }
    }

    pub(super) fn select(&mut self, ty: Type, c: &str, a: &str, b: &str) -> String {
        let bank = Bank::of(ty);
        if bank != Bank::Truth {
            return self.put(bank, &format!("selp.{}", bank.bits()), &[a, b, c]);
        }
        let yes = self.test("and.pred", &[c, a]);
        let not = self.test("not.pred", &[c]);
        let no = self.test("and.pred", &[&not, b]);
        self.test("or.pred", &[&yes, &no])
    }

    /// The value as registers hold it, of one whose bits above the type's width are any.
    pub(super) fn normal(&mut self, ty: Type, x: String) -> String {
        match (ty.class(), ty.bits()) {
            (Class::Signed, bits @ (8 | 16)) => {
                self.put(Bank::Word, "bfe.s32", &[&x, "0", &bits.to_string()])
            }
            (Class::Unsigned, 8 | 16) => self.put(Bank::Word, "and.b32", &[&x, &ty.mask().to_string()]),
            _ => x,
        }
    }

    fn unary(&mut self, s: &Statement, x: &str) -> String {
        let (bank, name) = (Bank::of(s.ty), named(s.ty));
        match s.code {
            Code::Neg if s.ty.is_float() => self.put(bank, &format!("neg.{name}"), &[x]),
            Code::Neg => {
                let value = self.put(bank, &format!("sub.{name}"), &["0", x]);
                self.normal(s.ty, value)
            }
            Code::Not => {
                let value = self.put(bank, &format!("not.{}", bank.bits()), &[x]);
                self.normal(s.ty, value)
            }
            Code::Sqrt => self.put(bank, &format!("sqrt.rn.{name}"), &[x]),
            code => {
                let how = match code {
                    Code::Floor => "rmi",
                    Code::Ceil => "rpi",
                    Code::Trunc => "rzi",
                    _ => "rni",
                };
                self.put(bank, &format!("cvt.{how}.{name}.{name}"), &[x])
            }
        }
    }

    fn binary(&mut self, s: &Statement, a: &str, b: &str) -> String {
        let (bank, name, float) = (Bank::of(s.ty), named(s.ty), s.ty.is_float());
        let word = match s.code {
            Code::Add => "add",
            Code::Sub => "sub",
            Code::Mul => "mul",
            Code::Div if float => "div",
            Code::And | Code::Or | Code::Xor => {
                // Extended values stay extended.
                return self.put(bank, &format!("{}.{}", s.code.name(), bank.bits()), &[a, b]);
            }
            Code::Shl | Code::Shr => return self.shift(s, a, b),
            _ => return self.divide(s, a, b),
        };
        let instruction = match (float, s.code) {
            (true, _) => format!("{word}.rn.{name}"),
            (_, Code::Mul) => format!("mul.lo.{name}"),
            _ => format!("{word}.{name}"),
        };
        let value = self.put(bank, &instruction, &[a, b]);
        self.normal(s.ty, value)
    }

    /// Amounts are unsigned here, so that negative ones are large, and those from the register's
    /// width on count as the width. Narrow values have lost all their own bits by then.
    fn shift(&mut self, s: &Statement, a: &str, b: &str) -> String {
        let bank = Bank::of(s.ty);
        let mut amount = b.to_string();
        if bank == Bank::Double {
            let least = self.put(bank, "min.u64", &[b, "64"]);
            amount = self.put(Bank::Word, "cvt.u32.u64", &[&least]);
        }
        if s.code == Code::Shr {
            return self.put(bank, &format!("shr.{}", named(s.ty)), &[a, &amount]);
        }
        let value = self.put(bank, &format!("shl.{}", bank.bits()), &[a, &amount]);
        self.normal(s.ty, value)
    }

    /// Integers, without the two cases that PTX leaves open.
    fn divide(&mut self, s: &Statement, a: &str, b: &str) -> String {
        let (bank, name) = (Bank::of(s.ty), named(s.ty));
        let (by_zero, select) = (self.test(&format!("setp.eq.{name}"), &[b, "0"]), bank.bits());
        let mut safe = self.put(bank, &format!("selp.{select}"), &["1", b, &by_zero]);
        let mut by_minus = None;
        if s.ty.is_signed() {
            let is_minus = self.test(&format!("setp.eq.{name}"), &[b, "-1"]);
            safe = self.put(bank, &format!("selp.{select}"), &["1", &safe, &is_minus]);
            by_minus = Some(is_minus);
        }
        let mut quotient = self.put(bank, &format!("div.{name}"), &[a, &safe]);
        if s.code == Code::Rem {
            // By 1 in place of 0 and -1, nothing is left: what is asked for.
            let whole = self.put(bank, &format!("mul.lo.{name}"), &[&quotient, &safe]);
            return self.put(bank, &format!("sub.{name}"), &[a, &whole]);
        }
        if let Some(is_minus) = by_minus {
            let negated = self.put(bank, &format!("sub.{name}"), &["0", a]);
            quotient = self.put(bank, &format!("selp.{select}"), &[&negated, &quotient, &is_minus]);
        }
        let value = self.put(bank, &format!("selp.{select}"), &["0", &quotient, &by_zero]);
        self.normal(s.ty, value)
    }

    fn comparison(&mut self, code: Code, ty: Type, a: &str, b: &str) -> String {
        if ty == Type::Bool {
            let (instruction, a) = match code {
                Code::Lt => ("and.pred", self.test("not.pred", &[a])),
                Code::Le => ("or.pred", self.test("not.pred", &[a])),
                _ => ("xor.pred", a.to_string()),
            };
            let value = self.test(instruction, &[&a, b]);
            return if code == Code::Eq { self.test("not.pred", &[&value]) } else { value };
        }
        let how = match code {
            Code::Lt => "lt",
            Code::Le => "le",
            Code::Eq => "eq",
            // True for NaN.
            _ if ty.is_float() => "neu",
            _ => "ne",
        };
        self.test(&format!("setp.{how}.{}", named(ty)), &[a, b])
    }

    fn convert(&mut self, from: Type, to: Type, x: &str) -> String {
        let (bank, source, goal) = (Bank::of(to), named(from), named(to));
        match (from.class(), to.class()) {
            (Class::Float, Class::Bool) => self.test(&format!("setp.neu.{source}"), &[x, &literal(from, 0)]),
            (_, Class::Bool) => self.test(&format!("setp.ne.{source}"), &[x, "0"]),
            (Class::Bool, _) => {
                let one = match to {
                    Type::F32 => u64::from(1f32.to_bits()),
                    Type::F64 => 1f64.to_bits(),
                    _ => 1,
                };
                let [one, zero] = [one, 0].map(|bits| literal(to, bits));
                self.put(bank, &format!("selp.{goal}"), &[&one, &zero, x])
            }
            (Class::Float, Class::Float) => {
                // What is widened is exact, and takes no rounding.
                let how = if from == Type::F32 { "cvt" } else { "cvt.rn" };
                self.put(bank, &format!("{how}.{goal}.{source}"), &[x])
            }
            (Class::Float, _) => self.saturate(from, to, x),
            (_, Class::Float) => self.put(bank, &format!("cvt.rn.{goal}.{source}"), &[x]),
            _ => {
                let value = match (from.bits() == 64, to.bits() == 64) {
                    (true, false) => self.put(bank, "cvt.u32.u64", &[x]),
                    (false, true) if from.is_signed() => self.put(bank, "cvt.s64.s32", &[x]),
                    (false, true) => self.put(bank, "cvt.u64.u32", &[x]),
                    _ => x.to_string(),
                };
                self.normal(to, value)
            }
        }
    }

    /// Float to integer. PTX clamps to the range of 32 and 64 bits; what NaN becomes depends on
    /// the types there.
    fn saturate(&mut self, from: Type, to: Type, x: &str) -> String {
        let (bank, source, goal) = (Bank::of(to), named(from), named(to));
        let mut value = self.put(bank, &format!("cvt.rzi.{goal}.{source}"), &[x]);
        if to.bits() < 32 {
            let most = to.mask() >> u32::from(to.is_signed());
            value = self.put(bank, &format!("min.{goal}"), &[&value, &most.to_string()]);
            if to.is_signed() {
                value = self.put(bank, "max.s32", &[&value, &(-(most as i64) - 1).to_string()]);
            }
        }
        let is_nan = self.test(&format!("setp.nan.{source}"), &[x, x]);
        self.put(bank, &format!("selp.{}", bank.bits()), &["0", &value, &is_nan])
    }
}
