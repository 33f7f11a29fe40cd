//! Kernels as text: one statement a line, `<type> %value = name operands`; loops and conditionals
//! have a number and no type, since what they give comes out by `result`s. `parse.rs` reads it back.

use super::{Access, Carried, Effects, Id, Kernel, Place, Rule, Steps};
use std::fmt;

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for function in &self.calls.functions {
            let types =
                |types: &[super::Type]| types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ");
            let (takes, gives) = (types(&function.arguments), types(&function.results));
            writeln!(f, "function {}({takes}) -> ({gives}) {{", function.name)?;
            block((&function.body, self), f, function.body.top(), 1)?;
            f.write_str("}\n")?;
        }
        for (number, table) in self.calls.tables.iter().enumerate() {
            let names: Vec<&str> = table.iter().map(|&n| self.calls.name(n)).collect();
            writeln!(f, "table {number} = {}", names.join(", "))?;
        }
        f.write_str("kernel")?;
        if let Some(Effects { block, serial }) = self.effects {
            f.write_str(" with effects")?;
            f.write_str(if serial { ", in order" } else { "" })?;
            if block > 1 {
                write!(f, ", by blocks of {block}")?;
            }
        }
        f.write_str("(")?;
        for (i, p) in self.params.iter().enumerate() {
            let parts = match p.parts {
                1 => String::new(),
                2 => " pair".into(),
                count => format!(" in {count} parts"),
            };
            write!(f, "{}${i}: {} {}{parts}", if i == 0 { "" } else { ", " }, p.access.name(), p.ty)?;
        }
        writeln!(f, "){} {{", self.guarantees)?;
        block((self, self), f, self.top(), 1)?;
        f.write_str("}\n")
    }
}

/// The statements of a block of a kernel, or of a function of the second one.
fn block(
    (kernel, root): (&Kernel, &Kernel),
    f: &mut fmt::Formatter<'_>,
    ids: &[Id],
    depth: usize,
) -> fmt::Result {
    for &id in ids {
        let s = kernel.statement(id);
        write!(f, "{:1$}", "", depth * 2)?;
        if s.has_value() || s.names_memory() {
            write!(f, "<{}> %{} = ", s.ty, id.0)?;
        } else if matches!(s.code.rule(), Rule::Loop | Rule::If | Rule::Call | Rule::CallTable) {
            write!(f, "%{} = ", id.0)?;
        }
        f.write_str(s.code.name())?;
        match s.code.rule() {
            Rule::Constant if s.ty.is_float() => write!(f, " {:#x}", s.imm)?,
            Rule::Constant => write!(f, " {}", s.imm)?,
            Rule::Load | Rule::LoadWhere | Rule::Gather | Rule::Check => {
                let place = Place::of(s.imm);
                write!(f, " ${}", place.param)?;
                match (place.part, kernel.params.get(place.param as usize).map(|p| p.parts)) {
                    (part, Some(3..)) => write!(f, ".{part}")?,
                    (1, _) => f.write_str(".im")?,
                    _ => {}
                }
            }
            Rule::Store | Rule::Memory => write!(f, " ${}", s.imm)?,
            Rule::Alloca | Rule::Shared | Rule::Argument | Rule::CallTable => write!(f, " {}", s.imm)?,
            Rule::Call => write!(f, " {}", root.calls.name(s.imm as u32))?,
            Rule::Carried => write!(f, " {}", Carried::of(s.imm).index)?,
            _ => {}
        }
        for o in &s.operands {
            write!(f, " %{}", o.0)?;
        }
        if s.code.rule() == Rule::Result {
            write!(f, " {}", s.imm)?;
        }
        for (i, held) in s.blocks().into_iter().enumerate() {
            match i {
                0 => f.write_str(" {\n")?,
                _ => writeln!(f, "{:1$}}} else {{", "", depth * 2)?,
            }
            block((kernel, root), f, kernel.blocks.get(held).map_or(&[], Vec::as_slice), depth + 1)?;
        }
        match s.blocks().is_empty() {
            true => f.write_str("\n")?,
            false => writeln!(f, "{:1$}}}", "", depth * 2)?,
        }
    }
    Ok(())
}

impl Access {
    /// The name in printed kernels.
    pub(super) fn name(self) -> std::borrow::Cow<'static, str> {
        match self {
            Access::Uniform => "uniform".into(),
            Access::Linear => "in".into(),
            Access::Ahead => "ahead".into(),
            Access::Beside { leader, by } => format!("${leader} + {by}").into(),
            Access::Strided => "strided".into(),
            Access::Step(step) => format!("step {step}").into(),
            Access::StepAhead(step) => format!("step {step} ahead").into(),
            Access::Transposed => "transposed".into(),
            Access::Gather(Steps::None) => "gather".into(),
            Access::Gather(Steps::One) => "gather in".into(),
            Access::Gather(Steps::Any) => "gather strided".into(),
            Access::Guarded(Steps::None) => "guarded uniform".into(),
            Access::Guarded(Steps::One) => "guarded".into(),
            Access::Guarded(Steps::Any) => "guarded strided".into(),
            Access::GuardedAhead => "guarded ahead".into(),
            Access::GuardedBeside { leader, by } => format!("guarded ${leader} + {by}").into(),
            Access::Counter(Steps::None) => "count of rows".into(),
            Access::Counter(Steps::One) => "count".into(),
            Access::Counter(Steps::Any) => "count by steps".into(),
            Access::Out => "out".into(),
            Access::Stream => "stream".into(),
            Access::Along(join) => format!("{} along", join.name()).into(),
            Access::Row(join) => format!("{} of rows", join.name()).into(),
            Access::Across(join) => format!("{} across", join.name()).into(),
            Access::Flag => "flag".into(),
            Access::Memory => "memory".into(),
            Access::Log => "log".into(),
        }
    }
}
