//! What kernels with effects must keep: their parameters, what names memory and what reads and writes it.

use super::{BODY, Broken, Place, TOP, Walk};
use crate::ir::{Access, BLOCK, Code, Id, Kernel, OWN, Param, Rule, SHARED, Steps, Type};

/// The parameters of a kernel with effects, and how it runs.
pub(super) fn effects(kernel: &Kernel) -> Result<(), Broken> {
    let broken = |what| Err(Broken { rule: 17, statement: None, what });
    let Some(effects) = kernel.effects else {
        return match kernel.params.iter().any(|p| p.access.is_memory()) || !kernel.guarantees.is_empty() {
            true => broken("memory and guarantees are for kernels with effects"),
            false => Ok(()),
        };
    };
    let fits = |(n, p): (usize, &Param)| match p.access {
        Access::Uniform | Access::Counter(Steps::One) | Access::Memory => true,
        Access::Log => p.ty == Type::I64 && n + 1 == kernel.params.len(),
        _ => false,
    };
    if !kernel.params.iter().enumerate().all(fits) || kernel.params.iter().any(|p| p.parts != 1) {
        return broken("parameters are uniform, counted, memory, or the log at the end, of one part");
    }
    let block = effects.block;
    if !block.is_power_of_two() || block > BLOCK || effects.serial && block > 1 {
        return broken("a block is a power of two, and one element where these run in order");
    }
    let is_memory = |n: usize| kernel.params.get(n).is_some_and(|p| p.access.is_memory());
    let lengths = &kernel.guarantees.lengths;
    if lengths.iter().enumerate().any(|(n, &length)| length > 0 && !is_memory(n))
        || lengths.len() > kernel.params.len()
    {
        return broken("lengths are guaranteed of memory");
    }
    Ok(())
}

/// Barriers in a block that all elements get to.
pub(super) fn barriers(kernel: &Kernel, number: usize, varies: &[bool]) -> Result<(), Broken> {
    for &id in &kernel.blocks[number] {
        let together = kernel.statement(id).code == Code::Loop
            && kernel.end_of(id).is_some_and(|end| !varies[end.0 as usize]);
        for held in kernel.held(id) {
            if together {
                barriers(kernel, held, varies)?;
            } else if let Some(statement) = barrier_within(kernel, held) {
                let what = "a barrier stands where all elements of a block get";
                return Err(Broken { rule: 20, statement: Some(statement), what });
            }
        }
    }
    Ok(())
}

fn barrier_within(kernel: &Kernel, number: usize) -> Option<Id> {
    kernel.blocks[number].iter().copied().find_map(|id| {
        let own = (kernel.statement(id).code == Code::Barrier).then_some(id);
        own.or_else(|| kernel.held(id).into_iter().find_map(|held| barrier_within(kernel, held)))
    })
}

impl Walk<'_> {
    /// A statement that names memory.
    pub(super) fn names(&mut self, id: Id, block: usize) -> Result<(), Broken> {
        let (kernel, s) = (self.kernel, self.kernel.statement(id));
        let broken = |what| Err(Broken { rule: 18, statement: Some(id), what });
        if kernel.effects.is_none() {
            return broken("memory is for kernels with effects");
        }
        if block != if s.code == Code::Alloca { BODY } else { TOP } {
            return broken(
                "what an element has of its own is in the second block, all other memory in the top one",
            );
        }
        let param = || kernel.params.get(s.imm as usize);
        match s.code {
            Code::Memory if !param().is_some_and(|p| p.access.is_memory() && p.ty == s.ty) => {
                return broken("not memory of a parameter of that type");
            }
            Code::Alloca if !(1..=OWN).contains(&s.imm) => return broken("an element's own memory is small"),
            Code::Shared => {
                let bytes = (s.imm.min(SHARED + 1) * s.ty.bytes() as u64).next_multiple_of(8);
                self.shared = self.shared.saturating_add(bytes);
                if s.imm == 0 || self.shared > SHARED {
                    return broken("the memory of a block is as large as a device has it");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A statement that reads or writes memory, or asks of it.
    pub(super) fn access(&self, id: Id, block: usize) -> Result<(), Broken> {
        let (kernel, s) = (self.kernel, self.kernel.statement(id));
        let broken = |what| Err(Broken { rule: 19, statement: Some(id), what });
        let memory = s.operands[0];
        if self.places.get(memory.0 as usize) != Some(&Place::Visible)
            || !kernel.statement(memory).names_memory()
        {
            return broken("it names memory, which stands before it");
        }
        if block == TOP && s.code != Code::InBounds {
            return broken("memory is read and written for each element");
        }
        let own = kernel.statement(memory).code == Code::Alloca;
        if own && matches!(s.code.rule(), Rule::Atomic(_) | Rule::Cas) {
            return broken("atomics are for memory that others see");
        }
        s.operands.iter().skip(1).try_for_each(|&o| self.operand(id, o))
    }
}
