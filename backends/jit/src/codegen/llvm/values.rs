//! Statements as LLVM's instructions, on one value or on all lanes.

use super::names::scalar;
use super::text::Text;
use crate::ir::{Class, Code, Id, Place, Rule, Statement, Type};
use std::collections::HashMap;

impl Text<'_> {
    /// Writes a statement, and gives the name of its value.
    pub(super) fn statement(&mut self, id: Id, values: &HashMap<Id, String>, vector: bool) -> String {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let operand = |i: usize| values.get(&s.operands[i]).cloned().unwrap_or_default();
        let from = s.operands.first().map_or(s.ty, |&o| kernel.statement(o).ty);
        match s.code.rule() {
            Rule::Constant => self.constant(s.ty, s.imm, vector),
            Rule::Load => self.load(Place::of(s.imm)),
            Rule::LoadWhere => {
                let alike = kernel.top().contains(&s.operands[0]);
                self.load_where(Place::of(s.imm), &operand(0), vector, alike)
            }
            Rule::Gather => {
                let distance = operand(0);
                // One distance for a whole row is in the top block.
                let alike = kernel.top().contains(&s.operands[0]);
                self.gather(Place::of(s.imm), &distance, alike)
            }
            Rule::Check => {
                self.check(Place::of(s.imm), &operand(0));
                String::new()
            }
            Rule::Store => {
                let parts: Vec<String> = (0..s.operands.len()).map(operand).collect();
                self.store(s.imm as usize, &parts);
                String::new()
            }
            Rule::LoadAt if self.loads_uniform(s) => {
                let number = self.scalarized(s.operands[1], values);
                self.load_uniform(s, &number)
            }
            Rule::LoadAt => self.load_at(s, &operand(1)),
            Rule::StoreAt => {
                self.store_at(s, &operand(1), &operand(2));
                String::new()
            }
            Rule::Atomic(_) | Rule::Cas => {
                let values: Vec<String> = (2..s.operands.len()).map(operand).collect();
                self.atomic(s, &operand(1), &values)
            }
            Rule::InBounds => self.in_bounds(s.operands[0], &operand(1), vector),
            // What names memory is known by its number, and vectors of a block get to barriers as a whole.
            Rule::Memory | Rule::Alloca | Rule::Shared | Rule::Barrier => String::new(),
            // Written with their blocks; the verifier lets none into the top block.
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
            Rule::Unary(_) => self.unary(s, &operand(0), vector),
            Rule::Binary(_) => self.binary(s, &operand(0), &operand(1), vector),
            Rule::Compare(_) => {
                let word = match (from.class(), s.code) {
                    (Class::Float, Code::Lt) => "fcmp olt",
                    (Class::Float, Code::Le) => "fcmp ole",
                    (Class::Float, Code::Eq) => "fcmp oeq",
                    (Class::Float, _) => "fcmp une",
                    (_, Code::Eq) => "icmp eq",
                    (_, Code::Ne) => "icmp ne",
                    (Class::Signed, Code::Lt) => "icmp slt",
                    (Class::Signed, _) => "icmp sle",
                    (_, Code::Lt) => "icmp ult",
                    _ => "icmp ule",
                };
                let ty = self.shaped(scalar(from), vector);
                self.put(format_args!("{word} {ty} {}, {}", operand(0), operand(1)))
            }
            Rule::Ternary(_) => {
                let ty = self.shaped(scalar(s.ty), vector);
                let function = self.function_of("fma", s.ty, 3, vector);
                let [a, b, c] = [0, 1, 2].map(operand);
                self.put(format_args!("call {ty} @{function}({ty} {a}, {ty} {b}, {ty} {c})"))
            }
            // In the top block there is one value: no block is worth leaving out. The verifier
            // lets none in there.
            Rule::Rare => self.select(s.ty, &operand(0), &operand(2), &operand(1), vector),
            Rule::Select => self.select(s.ty, &operand(0), &operand(1), &operand(2), vector),
            Rule::Convert => self.convert(from, s.ty, &operand(0), vector),
            Rule::Between(..) => self.half(s.code, &operand(0), vector),
            // Signs of integers do not show in LLVM's types.
            Rule::Bitcast if scalar(from) == scalar(s.ty) => operand(0),
            Rule::Bitcast => {
                let (a, b) = (self.shaped(scalar(from), vector), self.shaped(scalar(s.ty), vector));
                self.put(format_args!("bitcast {a} {} to {b}", operand(0)))
            }
        }
    }

    pub(super) fn select(&mut self, ty: Type, c: &str, a: &str, b: &str, vector: bool) -> String {
        let (truth, ty) = (self.shaped("i1", vector), self.shaped(scalar(ty), vector));
        self.put(format_args!("select {truth} {c}, {ty} {a}, {ty} {b}"))
    }

    fn unary(&mut self, s: &Statement, x: &str, vector: bool) -> String {
        let ty = self.shaped(scalar(s.ty), vector);
        let name = match (s.code, s.ty.is_float()) {
            (Code::Neg, true) => return self.put(format_args!("fneg {ty} {x}")),
            (Code::Neg, false) => {
                let zero = self.constant(s.ty, 0, vector);
                return self.put(format_args!("sub {ty} {zero}, {x}"));
            }
            (Code::Not, _) => {
                let ones = self.constant(s.ty, s.ty.mask(), vector);
                return self.put(format_args!("xor {ty} {x}, {ones}"));
            }
            (Code::Sqrt, _) => match self.shares_roots.filter(|_| vector && s.ty == Type::F32) {
                Some(roots) => return self.shared_roots(x, roots),
                None => "sqrt",
            },
            (Code::Floor, _) => "floor",
            (Code::Ceil, _) => "ceil",
            (Code::Trunc, _) => "trunc",
            _ => "roundeven",
        };
        let function = self.function_of(name, s.ty, 1, vector);
        self.put(format_args!("call {ty} @{function}({ty} {x})"))
    }

    /// The name of an intrinsic function of operands and value of one float type.
    fn function_of(&mut self, name: &str, ty: Type, operands: usize, vector: bool) -> String {
        let suffix =
            if vector { format!("v{}f{}", self.lanes, ty.bits()) } else { format!("f{}", ty.bits()) };
        let function = format!("llvm.{name}.{suffix}");
        let ty = self.shaped(scalar(ty), vector);
        let signature = format!("{ty} @{function}({})", vec![ty.as_str(); operands].join(", "));
        self.declared.insert(signature);
        function
    }

    fn binary(&mut self, s: &Statement, a: &str, b: &str, vector: bool) -> String {
        let ty = self.shaped(scalar(s.ty), vector);
        let float = s.ty.is_float();
        let word = match s.code {
            Code::Add if float => "fadd",
            Code::Sub if float => "fsub",
            Code::Mul if float => "fmul",
            Code::Div if float => "fdiv",
            Code::Add => "add",
            Code::Sub => "sub",
            Code::Mul => "mul",
            Code::And => "and",
            Code::Or => "or",
            Code::Xor => "xor",
            Code::Shl | Code::Shr => return self.shift(s, a, b, vector),
            _ => return self.divide(s, a, b, vector),
        };
        self.put(format_args!("{word} {ty} {a}, {b}"))
    }

    fn shift(&mut self, s: &Statement, a: &str, b: &str, vector: bool) -> String {
        let ty = self.shaped(scalar(s.ty), vector);
        let bits = u64::from(s.ty.bits());
        let width = self.constant(s.ty, bits, vector);
        // A negative amount is a large unsigned one.
        let inside = self.put(format_args!("icmp ult {ty} {b}, {width}"));
        let most = if s.code == Code::Shr && s.ty.is_signed() { bits - 1 } else { 0 };
        let amount = self.select(s.ty, &inside, b, &self.constant(s.ty, most, vector), vector);
        let word = match (s.code, s.ty.is_signed()) {
            (Code::Shl, _) => "shl",
            (_, true) => return self.put(format_args!("ashr {ty} {a}, {amount}")),
            _ => "lshr",
        };
        let shifted = self.put(format_args!("{word} {ty} {a}, {amount}"));
        self.select(s.ty, &inside, &shifted, &self.constant(s.ty, 0, vector), vector)
    }

    /// Integers, without the two cases that trap.
    fn divide(&mut self, s: &Statement, a: &str, b: &str, vector: bool) -> String {
        let ty = self.shaped(scalar(s.ty), vector);
        let (zero, one) = (self.constant(s.ty, 0, vector), self.constant(s.ty, 1, vector));
        let by_zero = self.put(format_args!("icmp eq {ty} {b}, {zero}"));
        let mut safe = self.select(s.ty, &by_zero, &one, b, vector);
        let mut by_minus = None;
        if s.ty.is_signed() {
            let minus = self.constant(s.ty, s.ty.mask(), vector);
            let is_minus = self.put(format_args!("icmp eq {ty} {b}, {minus}"));
            safe = self.select(s.ty, &is_minus, &one, &safe, vector);
            by_minus = Some(is_minus);
        }
        let (quotient, word) = (s.code == Code::Div, if s.ty.is_signed() { "s" } else { "u" });
        let word = format!("{word}{}", if quotient { "div" } else { "rem" });
        let mut value = self.put(format_args!("{word} {ty} {a}, {safe}"));
        if !quotient {
            // By 1 in place of 0 and -1, nothing is left: what is asked for.
            return value;
        }
        if let Some(is_minus) = by_minus {
            let negated = self.put(format_args!("sub {ty} {zero}, {a}"));
            value = self.select(s.ty, &is_minus, &negated, &value, vector);
        }
        self.select(s.ty, &by_zero, &zero, &value, vector)
    }

    /// Between float16's bits and float, for processors that convert them: without, LLVM would call
    /// functions that are not there.
    fn half(&mut self, code: Code, x: &str, vector: bool) -> String {
        let [bits, half, float] = ["i16", "half", "float"].map(|name| self.shaped(name, vector));
        if code == Code::Widen {
            let value = self.put(format_args!("bitcast {bits} {x} to {half}"));
            return self.put(format_args!("fpext {half} {value} to {float}"));
        }
        let value = self.put(format_args!("fptrunc {float} {x} to {half}"));
        self.put(format_args!("bitcast {half} {value} to {bits}"))
    }

    fn cast(&mut self, word: &str, from: Type, x: &str, to: Type, vector: bool) -> String {
        let (from, to) = (self.shaped(scalar(from), vector), self.shaped(scalar(to), vector));
        self.put(format_args!("{word} {from} {x} to {to}"))
    }

    fn convert(&mut self, from: Type, to: Type, x: &str, vector: bool) -> String {
        let ty = self.shaped(scalar(from), vector);
        match (from.class(), to.class()) {
            (_, Class::Bool) => {
                let zero = self.constant(from, 0, vector);
                let word = if from.is_float() { "fcmp une" } else { "icmp ne" };
                self.put(format_args!("{word} {ty} {x}, {zero}"))
            }
            (Class::Bool, Class::Float) => self.cast("uitofp", from, x, to, vector),
            (Class::Bool, _) => self.cast("zext", from, x, to, vector),
            (Class::Float, Class::Float) => {
                let word = if from == Type::F32 { "fpext" } else { "fptrunc" };
                self.cast(word, from, x, to, vector)
            }
            (Class::Float, _) => self.saturate(from, to, x, vector),
            (_, Class::Float) if from.bits() < 32 => {
                let wide = self.convert(from, Type::I32, x, vector);
                self.cast("sitofp", Type::I32, &wide, to, vector)
            }
            (Class::Signed, Class::Float) => self.cast("sitofp", from, x, to, vector),
            (_, Class::Float) => self.cast("uitofp", from, x, to, vector),
            _ if from.bits() > to.bits() => self.cast("trunc", from, x, to, vector),
            _ if from.bits() == to.bits() => x.to_string(),
            (Class::Signed, _) => self.cast("sext", from, x, to, vector),
            _ => self.cast("zext", from, x, to, vector),
        }
    }

    /// Float to integer: what is in range is converted, the rest selected.
    fn saturate(&mut self, from: Type, to: Type, x: &str, vector: bool) -> String {
        let ty = self.shaped(scalar(from), vector);
        let bits = to.bits() as i32;
        let (low, high) = match to.is_signed() {
            true => (-2f64.powi(bits - 1), 2f64.powi(bits - 1)),
            false => (0.0, 2f64.powi(bits)),
        };
        let (least, most) = match to.is_signed() {
            true => (1u64 << (bits - 1), (1u64 << (bits - 1)) - 1),
            false => (0, to.mask()),
        };
        let (low, high) = (self.float(from, low, vector), self.float(from, high, vector));
        let above = self.put(format_args!("fcmp oge {ty} {x}, {low}"));
        let below = self.put(format_args!("fcmp olt {ty} {x}, {high}"));
        let truth = self.shaped("i1", vector);
        let inside = self.put(format_args!("and {truth} {above}, {below}"));
        let safe = self.select(from, &inside, x, &self.float(from, 0.0, vector), vector);
        let mut value = match (bits, to.is_signed()) {
            (..32, _) => {
                let wide = self.cast("fptosi", from, &safe, Type::I32, vector);
                self.cast("trunc", Type::I32, &wide, to, vector)
            }
            (_, true) => self.cast("fptosi", from, &safe, to, vector),
            _ => self.cast("fptoui", from, &safe, to, vector),
        };
        let over = self.put(format_args!("fcmp oge {ty} {x}, {high}"));
        value = self.select(to, &over, &self.constant(to, most, vector), &value, vector);
        if to.is_signed() {
            let under = self.put(format_args!("fcmp olt {ty} {x}, {low}"));
            value = self.select(to, &under, &self.constant(to, least, vector), &value, vector);
        }
        value
    }
}
