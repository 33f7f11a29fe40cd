//! The printed form.

use super::{Code, Data, Gives, Id, Ir, Limit, Statement, TOP, TaskKind};
use crate::number::shown;
use std::fmt;

struct Printer<'ir> {
    ir: &'ir Ir,
    /// The number that each statement is printed by.
    numbers: Vec<usize>,
}

impl fmt::Display for Ir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = vec![usize::MAX; self.statements.len()];
        let numbered = |&id: &Id| self.statement(id).code.gives() != Gives::Nothing || self.is_named(id);
        for (number, id) in self.in_order().into_iter().filter(numbered).enumerate() {
            numbers[id.index()] = number;
        }
        writeln!(f, "kernel {{")?;
        Printer { ir: self, numbers }.block(f, TOP, 1)?;
        writeln!(f, "}}")
    }
}

impl Ir {
    /// True for statements that have a number without a value: those with blocks.
    fn is_named(&self, id: Id) -> bool {
        self.statement(id).code.blocks() > 0
    }
}

impl Printer<'_> {
    fn block(&self, f: &mut fmt::Formatter<'_>, block: usize, depth: usize) -> fmt::Result {
        self.ir.blocks[block].iter().try_for_each(|&id| self.statement(f, id, depth))
    }

    fn statement(&self, f: &mut fmt::Formatter<'_>, id: Id, depth: usize) -> fmt::Result {
        let s = self.ir.statement(id);
        write!(f, "{:1$}", "", 2 * depth)?;
        match (s.ty, s.code.gives()) {
            (Some(ty), Gives::Value) => write!(f, "<{ty}> ${} = ", self.number(id))?,
            (Some(ty), Gives::Pointer) => write!(f, "<*{ty}> ${} = ", self.number(id))?,
            _ if s.code == Code::Offloaded => write!(f, "${} = ", self.number(id))?,
            _ if self.ir.is_named(id) => write!(f, "${} : ", self.number(id))?,
            _ => {}
        }
        self.words(f, s)?;
        for (n, &block) in s.blocks.iter().enumerate() {
            if n > 0 && self.ir.blocks[block].is_empty() {
                continue;
            }
            write!(f, "{}", if n == 0 { " {\n" } else { " else {\n" })?;
            self.block(f, block, depth + 1)?;
            write!(f, "{:1$}}}", "", 2 * depth)?;
        }
        writeln!(f)
    }

    fn number(&self, id: Id) -> usize {
        self.numbers[id.index()]
    }

    fn words(&self, f: &mut fmt::Formatter<'_>, s: &Statement) -> fmt::Result {
        let operands = |f: &mut fmt::Formatter<'_>, between: &str| {
            let names: Vec<String> = s.operands.iter().map(|&o| format!("${}", self.number(o))).collect();
            write!(f, "{}", names.join(between))
        };
        let name = s.code.name();
        match (&s.data, s.code) {
            (Data::Bits(bits), _) => {
                return write!(f, "{name} [{}]", s.ty.map_or(String::new(), |ty| shown(ty, *bits)));
            }
            (Data::Number(n), Code::LoopIndex) => {
                write!(f, "{name} ")?;
                operands(f, " ")?;
                return write!(f, " index {n}");
            }
            (Data::Number(n), _) => return write!(f, "{name}[{n}]"),
            (Data::Component { field, .. }, Code::StructFor) => {
                return write!(f, "{name}({})", self.field(*field));
            }
            (Data::Component { field, component }, _) => {
                write!(f, "{name} {}", self.field(*field))?;
                if self.ir.fields.get(*field).is_some_and(|field| field.matrix.is_some()) {
                    write!(f, ".{component}")?;
                }
                write!(f, " [")?;
                operands(f, ", ")?;
                return write!(f, "]");
            }
            (Data::Unary(op), _) => write!(f, "{} ", op.name())?,
            (Data::Binary(op), _) => write!(f, "{} ", op.name())?,
            (Data::Atomic(op), _) => write!(f, "{} ", op.name())?,
            (Data::Text(text), code) => {
                // Of a print without the end of a line the text is a part of one.
                let line = text.strip_suffix('\n').filter(|_| code == Code::Print);
                let name = if code == Code::Print && line.is_none() { "print_part" } else { name };
                let text = line.unwrap_or(text);
                write!(f, "{name} {text:?}{}", if s.operands.is_empty() { "" } else { ", " })?
            }
            (Data::Task(kind), _) => {
                write!(f, "{name} ")?;
                return match kind {
                    TaskKind::Serial => write!(f, "serial"),
                    TaskKind::RangeFor { begin, end: Limit::Known(end) } => {
                        write!(f, "range_for({begin}, {end})")
                    }
                    TaskKind::RangeFor { begin, end: Limit::Temporary(n) } => {
                        write!(f, "range_for({begin}, global_tmp[{n}])")
                    }
                    TaskKind::StructFor { field } => write!(f, "struct_for({})", self.field(*field)),
                    TaskKind::ListGen { field, level, .. } => {
                        let levels = self.ir.fields.get(*field).map_or(&[][..], |field| field.levels());
                        let name = |level: usize| levels.get(level).map_or("S0root", |level| &level.name);
                        let above = level.checked_sub(1).map_or("S0root", name);
                        write!(f, "listgen {above}->{}", name(*level))
                    }
                };
            }
            (Data::None | Data::Serial, Code::RangeFor) => {
                let order = if s.data == Data::Serial { "serial " } else { "" };
                write!(f, "{order}{name} in range(")?;
                operands(f, ", ")?;
                return write!(f, ")");
            }
            (Data::None | Data::Serial, _) => {
                write!(f, "{name}{}", if s.operands.is_empty() { "" } else { " " })?
            }
        }
        operands(f, if matches!(s.data, Data::Text(_)) { ", " } else { " " })
    }

    fn field(&self, field: usize) -> &str {
        self.ir.fields.get(field).map_or("?", |field| &field.name)
    }
}
