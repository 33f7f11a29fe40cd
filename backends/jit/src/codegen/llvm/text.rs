//! Kernels as LLVM's text. Only forms that LLVM 19 to 22 all read, and only operations that
//! they lower on every processor: vectors of integers, float and double.

use crate::ir::{Access, Class, Code, Id, Kernel, Place, Rule, Statement, Type};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// Elements that are computed at a time. LLVM splits vectors that are wider than the machine's.
pub const LANES: usize = 16;

/// The name of the only function of a module.
pub const FUNCTION: &str = "ivy_kernel";

/// The module of a kernel that [`crate::ir::verify`] accepts, with one function of a name:
/// `void (ptr arguments, i64 begin, i64 end)`.
pub fn module(kernel: &Kernel, function: &str) -> String {
    let mut text = Text {
        kernel,
        out: String::new(),
        declared: BTreeSet::new(),
        next: 0,
        label: String::new(),
        wide: HashMap::new(),
    };
    text.function(function);
    let mut out = text.out;
    for signature in &text.declared {
        let _ = writeln!(out, "declare {signature}");
    }
    out
}

struct Text<'k> {
    kernel: &'k Kernel,
    out: String,
    declared: BTreeSet<String>,
    next: u32,
    /// The label of the block that is being written.
    label: String,
    /// Whole elements of two parts that the body has loaded, by parameter.
    wide: HashMap<u32, String>,
}

fn scalar(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "i1",
        Type::I8 | Type::U8 => "i8",
        Type::I16 | Type::U16 => "i16",
        Type::I32 | Type::U32 => "i32",
        Type::I64 | Type::U64 => "i64",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

/// The type in memory: truth values are bytes.
fn stored(ty: Type) -> &'static str {
    if ty == Type::Bool { "i8" } else { scalar(ty) }
}

/// A type's name, of one value or of all lanes.
fn shaped(name: &str, vector: bool) -> String {
    if vector { format!("<{LANES} x {name}>") } else { name.to_string() }
}

fn literal(ty: Type, bits: u64) -> String {
    match ty {
        Type::Bool => (if bits & 1 == 1 { "true" } else { "false" }).to_string(),
        // Floats are written as the double of the same value.
        Type::F32 => format!("0x{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits()),
        Type::F64 => format!("0x{bits:016X}"),
        _ => bits.to_string(),
    }
}

fn constant(ty: Type, bits: u64, vector: bool) -> String {
    let one = literal(ty, bits);
    if !vector {
        return one;
    }
    let lane = format!("{} {one}", scalar(ty));
    format!("<{}>", vec![lane; LANES].join(", "))
}

/// A float type's constant of a value.
fn float(ty: Type, value: f64, vector: bool) -> String {
    let bits = if ty == Type::F32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    constant(ty, bits, vector)
}

fn mask(lanes: impl Iterator<Item = usize>) -> String {
    let list: Vec<String> = lanes.map(|i| format!("i32 {i}")).collect();
    format!("<{} x i32> <{}>", list.len(), list.join(", "))
}

impl Text<'_> {
    /// Writes an instruction with a new name for its value.
    fn put(&mut self, instruction: std::fmt::Arguments<'_>) -> String {
        self.next += 1;
        let _ = writeln!(self.out, "  %t{} = {instruction}", self.next);
        format!("%t{}", self.next)
    }

    fn function(&mut self, name: &str) {
        let kernel = self.kernel;
        let _ = writeln!(
            self.out,
            "define void @{name}(ptr %arguments, i64 %begin, i64 %end) nounwind {{\nentry:"
        );
        for (i, p) in kernel.params.iter().enumerate() {
            let _ = writeln!(self.out, "  %a{i} = getelementptr i8, ptr %arguments, i64 {}", i * 16);
            let _ = writeln!(self.out, "  %p{i} = load ptr, ptr %a{i}, align 8");
            if p.access == Access::Strided {
                let _ = writeln!(self.out, "  %b{i} = getelementptr i8, ptr %a{i}, i64 8");
                let _ = writeln!(self.out, "  %c{i} = load i64, ptr %b{i}, align 8");
                let _ = writeln!(self.out, "  %d{i} = mul i64 %c{i}, {}", p.parts);
            }
        }
        let mut values: HashMap<Id, String> = HashMap::new();
        for &id in kernel.top() {
            if kernel.statement(id).has_value() {
                let value = self.statement(id, &values, false);
                values.insert(id, value);
            }
        }
        // What the body reads of it goes to all lanes.
        let inner = kernel.blocks.iter().skip(1).flatten();
        let used: BTreeSet<Id> =
            inner.flat_map(|&id| kernel.statement(id).operands.iter().copied()).collect();
        for id in used {
            let Some(one) = values.get(&id) else { continue };
            let s = kernel.statement(id);
            let all = if s.code == Code::Constant {
                constant(s.ty, s.imm, true)
            } else {
                self.splat(s.ty, &one.clone())
            };
            values.insert(id, all);
        }
        // The body comes first: its last label is known then.
        let before = std::mem::take(&mut self.out);
        self.label = "body".into();
        self.block(kernel.body(), &mut values);
        let body = std::mem::replace(&mut self.out, before);
        let last = &self.label;
        let _ = writeln!(
            self.out,
            "  br label %head\nhead:\n  %i = phi i64 [ %begin, %entry ], [ %next, %{last} ]"
        );
        self.out
            .push_str("  %more = icmp ult i64 %i, %end\n  br i1 %more, label %body, label %done\nbody:\n");
        self.out.push_str(&body);
        let _ = writeln!(self.out, "  %next = add i64 %i, {LANES}\n  br label %head\ndone:\n  ret void\n}}");
    }

    /// Writes the statements of a block, for all lanes.
    fn block(&mut self, ids: &[Id], values: &mut HashMap<Id, String>) {
        for &id in ids {
            let value = match self.kernel.statement(id).code {
                Code::Rare => self.rare(id, values),
                _ => self.statement(id, values, true),
            };
            values.insert(id, value);
        }
    }

    /// A block that is left out where no lane needs it.
    fn rare(&mut self, id: Id, values: &mut HashMap<Id, String>) -> String {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let (condition, usual) = (values[&s.operands[0]].clone(), values[&s.operands[1]].clone());
        let truth = shaped("i1", true);
        let word = format!("i{LANES}");
        let bits = self.put(format_args!("bitcast {truth} {condition} to {word}"));
        let any = self.put(format_args!("icmp ne {word} {bits}, 0"));
        let (inside, after, before) =
            (format!("rare{}", id.0), format!("after{}", id.0), std::mem::take(&mut self.label));
        let _ = writeln!(self.out, "  br i1 {any}, label %{inside}, label %{after}\n{inside}:");
        self.label = inside;
        let wide = self.wide.clone();
        self.block(kernel.held(id).map_or(&[], |b| kernel.blocks[b].as_slice()), values);
        let seldom = values[&s.operands[2]].clone();
        let chosen = self.select(s.ty, &condition, &seldom, &usual, true);
        // What is loaded in there is not there afterwards.
        self.wide = wide;
        let end = std::mem::replace(&mut self.label, after.clone());
        let _ = writeln!(self.out, "  br label %{after}\n{after}:");
        let ty = shaped(scalar(s.ty), true);
        self.put(format_args!("phi {ty} [ {usual}, %{before} ], [ {chosen}, %{end} ]"))
    }

    fn splat(&mut self, ty: Type, one: &str) -> String {
        let (all, name) = (shaped(scalar(ty), true), scalar(ty));
        let first = self.put(format_args!("insertelement {all} poison, {name} {one}, i64 0"));
        self.put(format_args!("shufflevector {all} {first}, {all} poison, <{LANES} x i32> zeroinitializer"))
    }

    /// Writes a statement, and gives the name of its value.
    fn statement(&mut self, id: Id, values: &HashMap<Id, String>, vector: bool) -> String {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let operand = |i: usize| values.get(&s.operands[i]).cloned().unwrap_or_default();
        let from = s.operands.first().map_or(s.ty, |&o| kernel.statement(o).ty);
        match s.code.rule() {
            Rule::Constant => constant(s.ty, s.imm, vector),
            Rule::Load => self.load(Place::of(s.imm)),
            Rule::Store => {
                let parts: Vec<String> = (0..s.operands.len()).map(operand).collect();
                self.store(s.imm as usize, &parts);
                String::new()
            }
            Rule::Elements => String::new(),
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
                let ty = shaped(scalar(from), vector);
                self.put(format_args!("{word} {ty} {}, {}", operand(0), operand(1)))
            }
            Rule::Ternary(_) => {
                let ty = shaped(scalar(s.ty), vector);
                let function = self.function_of("fma", s.ty, 3, vector);
                let [a, b, c] = [0, 1, 2].map(operand);
                self.put(format_args!("call {ty} @{function}({ty} {a}, {ty} {b}, {ty} {c})"))
            }
            // In the top block there is one value: no block is worth leaving out. The verifier
            // lets none in there.
            Rule::Rare => self.select(s.ty, &operand(0), &operand(2), &operand(1), vector),
            Rule::Select => self.select(s.ty, &operand(0), &operand(1), &operand(2), vector),
            Rule::Convert => self.convert(from, s.ty, &operand(0), vector),
            // Signs of integers do not show in LLVM's types.
            Rule::Bitcast if scalar(from) == scalar(s.ty) => operand(0),
            Rule::Bitcast => {
                let (a, b) = (shaped(scalar(from), vector), shaped(scalar(s.ty), vector));
                self.put(format_args!("bitcast {a} {} to {b}", operand(0)))
            }
        }
    }

    fn select(&mut self, ty: Type, c: &str, a: &str, b: &str, vector: bool) -> String {
        let (truth, ty) = (shaped("i1", vector), shaped(scalar(ty), vector));
        self.put(format_args!("select {truth} {c}, {ty} {a}, {ty} {b}"))
    }

    /// From memory: truth values are bytes that are not 0.
    fn loaded(&mut self, ty: Type, value: String, vector: bool) -> String {
        if ty != Type::Bool {
            return value;
        }
        let zero = constant(Type::U8, 0, vector);
        self.put(format_args!("icmp ne {} {value}, {zero}", shaped("i8", vector)))
    }

    fn load(&mut self, place: Place) -> String {
        let (n, part) = (place.param, place.part);
        let p = self.kernel.params[n as usize];
        let (name, align) = (stored(p.ty), p.ty.bytes());
        match (p.access, p.parts) {
            (Access::Uniform, _) => {
                let at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 {part}"));
                let value = self.put(format_args!("load {name}, ptr {at}, align {align}"));
                self.loaded(p.ty, value, false)
            }
            (Access::Strided, parts) => {
                let all = shaped(name, true);
                let mut offset = self.put(format_args!("mul i64 %i, %d{n}"));
                let mut value = "poison".to_string();
                for lane in 0..LANES {
                    if lane > 0 {
                        offset = self.put(format_args!("add i64 {offset}, %d{n}"));
                    }
                    let mut at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 {offset}"));
                    if parts == 2 {
                        at = self.put(format_args!("getelementptr {name}, ptr {at}, i64 {part}"));
                    }
                    let one = self.put(format_args!("load {name}, ptr {at}, align {align}"));
                    value = self.put(format_args!("insertelement {all} {value}, {name} {one}, i64 {lane}"));
                }
                self.loaded(p.ty, value, true)
            }
            (_, 1) => {
                let at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 %i"));
                let all = shaped(name, true);
                let value = self.put(format_args!("load {all}, ptr {at}, align {align}"));
                self.loaded(p.ty, value, true)
            }
            (_, parts) => {
                let wide = format!("<{} x {name}>", LANES * 2);
                let value = match self.wide.get(&n) {
                    Some(value) => value.clone(),
                    None => {
                        let first = self.put(format_args!("mul i64 %i, {parts}"));
                        let at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 {first}"));
                        let value = self.put(format_args!("load {wide}, ptr {at}, align {align}"));
                        self.wide.insert(n, value.clone());
                        value
                    }
                };
                let lanes = mask((0..LANES).map(|i| 2 * i + part as usize));
                self.put(format_args!("shufflevector {wide} {value}, {wide} poison, {lanes}"))
            }
        }
    }

    fn store(&mut self, n: usize, parts: &[String]) {
        let p = self.kernel.params[n];
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let (mut value, mut ty, mut first) = (parts[0].clone(), shaped(name, true), "%i".to_string());
        if let [re, im] = parts {
            let lanes = mask((0..LANES).flat_map(|i| [i, LANES + i]));
            value = self.put(format_args!("shufflevector {ty} {re}, {ty} {im}, {lanes}"));
            ty = format!("<{} x {name}>", LANES * 2);
            first = self.put(format_args!("mul i64 %i, 2"));
        } else if p.ty == Type::Bool {
            value = self.put(format_args!("zext {} {value} to {ty}", shaped("i1", true)));
        }
        let at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 {first}"));
        let _ = writeln!(self.out, "  store {ty} {value}, ptr {at}, align {align}");
    }

    fn unary(&mut self, s: &Statement, x: &str, vector: bool) -> String {
        let ty = shaped(scalar(s.ty), vector);
        let name = match (s.code, s.ty.is_float()) {
            (Code::Neg, true) => return self.put(format_args!("fneg {ty} {x}")),
            (Code::Neg, false) => {
                let zero = constant(s.ty, 0, vector);
                return self.put(format_args!("sub {ty} {zero}, {x}"));
            }
            (Code::Not, _) => {
                let ones = constant(s.ty, s.ty.mask(), vector);
                return self.put(format_args!("xor {ty} {x}, {ones}"));
            }
            (Code::Sqrt, _) => "sqrt",
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
        let suffix = if vector { format!("v{LANES}f{}", ty.bits()) } else { format!("f{}", ty.bits()) };
        let function = format!("llvm.{name}.{suffix}");
        let ty = shaped(scalar(ty), vector);
        let signature = format!("{ty} @{function}({})", vec![ty.as_str(); operands].join(", "));
        self.declared.insert(signature);
        function
    }

    fn binary(&mut self, s: &Statement, a: &str, b: &str, vector: bool) -> String {
        let ty = shaped(scalar(s.ty), vector);
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
        let ty = shaped(scalar(s.ty), vector);
        let bits = u64::from(s.ty.bits());
        let width = constant(s.ty, bits, vector);
        // A negative amount is a large unsigned one.
        let inside = self.put(format_args!("icmp ult {ty} {b}, {width}"));
        let most = if s.code == Code::Shr && s.ty.is_signed() { bits - 1 } else { 0 };
        let amount = self.select(s.ty, &inside, b, &constant(s.ty, most, vector), vector);
        let word = match (s.code, s.ty.is_signed()) {
            (Code::Shl, _) => "shl",
            (_, true) => return self.put(format_args!("ashr {ty} {a}, {amount}")),
            _ => "lshr",
        };
        let shifted = self.put(format_args!("{word} {ty} {a}, {amount}"));
        self.select(s.ty, &inside, &shifted, &constant(s.ty, 0, vector), vector)
    }

    /// Integers, without the two cases that trap.
    fn divide(&mut self, s: &Statement, a: &str, b: &str, vector: bool) -> String {
        let ty = shaped(scalar(s.ty), vector);
        let (zero, one) = (constant(s.ty, 0, vector), constant(s.ty, 1, vector));
        let by_zero = self.put(format_args!("icmp eq {ty} {b}, {zero}"));
        let mut safe = self.select(s.ty, &by_zero, &one, b, vector);
        let mut by_minus = None;
        if s.ty.is_signed() {
            let minus = constant(s.ty, s.ty.mask(), vector);
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

    fn cast(&mut self, word: &str, from: Type, x: &str, to: Type, vector: bool) -> String {
        let (from, to) = (shaped(scalar(from), vector), shaped(scalar(to), vector));
        self.put(format_args!("{word} {from} {x} to {to}"))
    }

    fn convert(&mut self, from: Type, to: Type, x: &str, vector: bool) -> String {
        let ty = shaped(scalar(from), vector);
        match (from.class(), to.class()) {
            (_, Class::Bool) => {
                let zero = constant(from, 0, vector);
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
        let ty = shaped(scalar(from), vector);
        let bits = to.bits() as i32;
        let (low, high) = match to.is_signed() {
            true => (-2f64.powi(bits - 1), 2f64.powi(bits - 1)),
            false => (0.0, 2f64.powi(bits)),
        };
        let (least, most) = match to.is_signed() {
            true => (1u64 << (bits - 1), (1u64 << (bits - 1)) - 1),
            false => (0, to.mask()),
        };
        let (low, high) = (float(from, low, vector), float(from, high, vector));
        let above = self.put(format_args!("fcmp oge {ty} {x}, {low}"));
        let below = self.put(format_args!("fcmp olt {ty} {x}, {high}"));
        let truth = shaped("i1", vector);
        let inside = self.put(format_args!("and {truth} {above}, {below}"));
        let safe = self.select(from, &inside, x, &float(from, 0.0, vector), vector);
        let mut value = match (bits, to.is_signed()) {
            (..32, _) => {
                let wide = self.cast("fptosi", from, &safe, Type::I32, vector);
                self.cast("trunc", Type::I32, &wide, to, vector)
            }
            (_, true) => self.cast("fptosi", from, &safe, to, vector),
            _ => self.cast("fptoui", from, &safe, to, vector),
        };
        let over = self.put(format_args!("fcmp oge {ty} {x}, {high}"));
        value = self.select(to, &over, &constant(to, most, vector), &value, vector);
        if to.is_signed() {
            let under = self.put(format_args!("fcmp olt {ty} {x}, {low}"));
            value = self.select(to, &under, &constant(to, least, vector), &value, vector);
        }
        value
    }
}
