//! From what was written to tasks that can be lowered. A pass is a function from kernel to kernel that keeps what
//! [`verify`] checks, and changes nothing when it runs again on what it gave; the pipeline is data.

mod alg_simp;
mod cells;
mod check_bounds;
mod constant_fold;
mod demote_atomics;
mod demote_struct_for;
mod die;
mod edit;
mod forward;
mod insert_activation;
mod limit_loops;
mod lists;
mod lower_access;
mod lower_flow;
mod lower_quant;
mod lower_sparse;
mod offload;
mod powers;
mod quant_codes;
mod unreachable;

pub use alg_simp::alg_simp;
pub use check_bounds::check_bounds;
pub use constant_fold::constant_fold;
pub use demote_atomics::{demote_atomics, plain};
pub use demote_struct_for::demote_struct_for;
pub use die::die;
pub use forward::forward;
pub use insert_activation::insert_activation;
pub use limit_loops::limit_loops;
pub use lower_access::lower_access;
pub use lower_flow::lower_flow;
pub use lower_quant::lower_quant;
pub use lower_sparse::lower_sparse;
pub use offload::offload;
pub use powers::demote_powers;
pub use unreachable::unreachable_code;

use crate::ir::{Broken, Ir, verify};

/// How many iterations a loop may have in debug mode, unless another limit is set.
pub const LOOP_LIMIT: u64 = 1 << 24;

/// What can be chosen of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Indices are checked, and assertions said.
    pub debug: bool,
    /// How many iterations a loop may have in debug mode.
    pub loop_limit: u64,
    /// What is known before the kernel runs is computed then.
    pub simplify: bool,
    /// Atomics on what is each iteration's own are none.
    pub demote_atomics: bool,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { debug: false, loop_limit: LOOP_LIMIT, simplify: true, demote_atomics: true }
    }
}

/// A named pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name, for logs and tests.
    pub name: &'static str,
    /// What it does; true if it changed something.
    pub run: fn(&mut Ir) -> bool,
    /// Whether it runs, if that can be chosen.
    wanted: fn(Choice) -> bool,
}

/// The passes, in the order in which they run.
pub const PIPELINE: &[Pass] = &[
    Pass { name: "lower_flow", run: lower_flow, wanted: |_| true },
    Pass { name: "limit_loops", run: limit_loops, wanted: |choice| choice.debug },
    Pass { name: "full_simplify_1", run: full_simplify, wanted: |choice| choice.simplify },
    Pass { name: "check_out_of_bound", run: check_bounds, wanted: |choice| choice.debug },
    Pass { name: "offload", run: offload, wanted: |_| true },
    Pass { name: "demote_powers", run: demote_powers, wanted: |choice| choice.simplify },
    Pass { name: "full_simplify_2", run: full_simplify, wanted: |choice| choice.simplify },
    Pass { name: "demote_atomics", run: demote_atomics, wanted: |choice| choice.demote_atomics },
    Pass { name: "insert_activation", run: insert_activation, wanted: |_| true },
    Pass { name: "lower_quant", run: lower_quant, wanted: |_| true },
    Pass { name: "demote_dense_struct_fors", run: demote_struct_for, wanted: |_| true },
    Pass { name: "lower_sparse", run: lower_sparse, wanted: |_| true },
    Pass { name: "lower_access", run: lower_access, wanted: |_| true },
    Pass { name: "full_simplify_3", run: full_simplify, wanted: |choice| choice.simplify },
    Pass { name: "die", run: die, wanted: |_| true },
];

/// What simplifies, until nothing changes.
pub fn full_simplify(ir: &mut Ir) -> bool {
    const PARTS: [fn(&mut Ir) -> bool; 5] = [constant_fold, alg_simp, unreachable_code, forward, die];
    let mut changed = false;
    while PARTS.iter().fold(false, |any, part| part(ir) | any) {
        changed = true;
    }
    changed
}

/// Runs the pipeline; `after` sees what each pass leaves.
///
/// # Errors
/// The pass, and the rules that what it left breaks, which is a mistake of the pass; the kernel as it was given breaks
/// them under the name `frontend`.
pub fn run(
    ir: &mut Ir,
    choice: Choice,
    mut after: impl FnMut(&'static str, &Ir),
) -> Result<(), (&'static str, Vec<Broken>)> {
    verify(ir).map_err(|broken| ("frontend", broken))?;
    after("frontend", ir);
    ir.loop_limit = choice.debug.then_some(choice.loop_limit);
    for pass in PIPELINE.iter().filter(|pass| (pass.wanted)(choice)) {
        (pass.run)(ir);
        verify(ir).map_err(|broken| (pass.name, broken))?;
        after(pass.name, ir);
    }
    Ok(())
}
