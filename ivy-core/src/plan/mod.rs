//! Deciding, before doing: what a call on operands of some dtypes computes in, which casts it
//! needs, how the backend runs it and what comes out — or the typed error.
//!
//! Planning is pure ([`crate::plan_call`], [`explain`]). A plan holds no shapes, axes or values: those are checked when the op is
//! made for the call, and value rules are [`Plan::scalars_checked`].

mod cache;
mod casting;
mod decide;
mod explain;
mod support;

pub use cache::{CacheStats, plan_cache_stats};
pub(crate) use cache::{Key, forget_plans, is_direct, lookup};
pub(crate) use casting::records_casts;
pub use casting::{CastReason, CastRecord, record_casts};
pub(crate) use casting::{note_cast, note_plan_casts, pause_record};
pub use explain::explain;
pub(crate) use support::note_step;

use crate::array::Operand;
use crate::backend::{BackendRef, Support};
use crate::context::{CastMode, Interned, Settings};
use crate::function::Params;
use crate::{Dtype, Function, Result, Rules, ScalarKind};
use decide::Given;
use smallvec::SmallVec;
use std::fmt;

/// An operand as the plan sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandSpec {
    /// Left out.
    Absent,
    /// An array with at least one axis.
    Array(Dtype),
    /// An array without axes. The rules here treat it as any array; frontends may not.
    ZeroD(Dtype),
    /// A host scalar of a kind, and the default dtype that its value would take alone.
    Weak(ScalarKind, Dtype),
}

impl OperandSpec {
    /// The dtype of an array operand.
    pub fn dtype(self) -> Option<Dtype> {
        match self {
            OperandSpec::Array(d) | OperandSpec::ZeroD(d) => Some(d),
            _ => None,
        }
    }
}

impl fmt::Display for OperandSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperandSpec::Absent => f.write_str("-"),
            OperandSpec::Array(d) => write!(f, "{d}"),
            OperandSpec::ZeroD(d) => write!(f, "{d} (0-d)"),
            OperandSpec::Weak(kind, _) => write!(f, "{kind} scalar"),
        }
    }
}

/// The rule that gave the dtype computed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All operands have the dtype already.
    Same,
    /// A row and column of a pair table.
    Table {
        /// Row.
        row: Dtype,
        /// Column.
        column: Dtype,
    },
    /// Promotion of several dtypes, within kinds and then across (decision S12).
    Several(SmallVec<[Dtype; 4]>),
    /// An array and a host scalar (decisions S13, S14).
    Scalar {
        /// The array's dtype.
        dtype: Dtype,
        /// The scalar's kind.
        kind: ScalarKind,
    },
    /// `dtype=` was given.
    Argument,
    /// The default dtype, since nothing else says one.
    Default,
    /// The default dtype of the host values.
    Inferred,
    /// The operand's own dtype.
    Operand,
    /// Sums of small integers widen (decision S16).
    Accumulate {
        /// The operand's dtype.
        from: Dtype,
    },
    /// Truth values.
    Truth,
}

/// How a call is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// By the backend's own op, or its own form of the function.
    Native,
    /// As calls of other functions.
    Composed,
    /// By the backend's ops on other dtypes, exactly.
    Emulated(&'static str),
    /// By the reference kernels on the host.
    Host(&'static str),
}

impl State {
    /// The state's name: native, composed, emulated or host.
    pub const fn name(self) -> &'static str {
        match self {
            State::Native => "native",
            State::Composed => "composed",
            State::Emulated(_) => "emulated",
            State::Host(_) => "host",
        }
    }

    /// How or why, for emulated and host.
    pub const fn detail(self) -> Option<&'static str> {
        match self {
            State::Emulated(how) | State::Host(how) => Some(how),
            _ => None,
        }
    }
}

/// One call below a composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The function that was called.
    pub function: &'static str,
    /// The dtype that it computes in.
    pub compute: Dtype,
    /// How it runs.
    pub state: State,
}

/// What a call does to one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedOperand {
    /// Its name.
    pub name: &'static str,
    /// What was given.
    pub spec: OperandSpec,
    /// The casting mode that acts on it, and the dtype that it gives, before any other cast.
    pub mode: Option<(CastMode, Dtype)>,
    /// The dtype that it is cast to, if it needs a cast.
    pub cast: Option<Dtype>,
    /// The dtype that the op sees.
    pub dtype: Dtype,
}

/// The decision about a call.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The function.
    pub function: &'static Function,
    /// The backend's name.
    pub backend: String,
    /// Its version.
    pub version: String,
    /// The promotion rules in force.
    pub rules: Rules,
    /// The rule that applied.
    pub rule: Rule,
    /// Whether integers then became the default float (decision S26).
    pub to_float: Option<Dtype>,
    /// The operands and their casts.
    pub operands: SmallVec<[PlannedOperand; 4]>,
    /// The dtype computed in.
    pub compute: Dtype,
    /// How it is carried out.
    pub state: State,
    /// Whether the backend's own form of the function runs.
    pub overridden: bool,
    /// The calls below a composition, each once.
    pub steps: Vec<Step>,
    /// What the support tables say of the call, where they say anything.
    pub notes: Vec<String>,
    /// The dtypes of the results.
    pub outputs: SmallVec<[Dtype; 2]>,
    /// The `dtype=` to which results are cast back after a casting mode computed in another.
    pub cast_back: Option<Dtype>,
    /// Whether integer scalars must fit the dtype computed in (decision S15).
    pub scalars_checked: bool,
    /// Whether nothing stands between the operands and the op.
    pub direct: bool,
    /// Whether the backend is an abstract one.
    pub is_abstract: bool,
}

/// Everything that a plan depends on.
pub(crate) struct Question<'a> {
    /// The function.
    pub function: &'static Function,
    /// The operands: dtypes decide, shapes serve to follow a composition.
    pub operands: &'a [Operand<'a>],
    /// The parameters, of which `dtype=` and [`Params::variant`] matter.
    pub params: &'a dyn Params,
    /// The settings in force.
    pub settings: &'static Interned,
    /// The backend.
    pub backend: &'a BackendRef,
}

impl Question<'_> {
    fn settings(&self) -> &'static Settings {
        &self.settings.settings
    }
}

/// Decides about a call. Nothing is computed and no array is touched.
///
/// # Errors
/// The typed error that the call would give for its dtypes, or, for a composition, for its shapes.
pub(crate) fn plan(question: &Question<'_>) -> Result<Plan> {
    let given = Given::of(question);
    let plan = match plan_given(question, &given) {
        Err(refused) if casting::is_refusal(&refused) && !support::is_following() => {
            casting::plan_cast(question, &given, refused)
        }
        result => result,
    }?;
    casting::check_strict(question, &plan)?;
    Ok(plan)
}

/// Decides about a call without casting modes.
fn plan_given(question: &Question<'_>, given: &Given) -> Result<Plan> {
    let decision = decide::decide(question, given)?;
    support::complete(question, given, decision)
}

impl From<Support> for Option<State> {
    fn from(support: Support) -> Option<State> {
        match support {
            Support::Native => Some(State::Native),
            Support::Emulated(how) => Some(State::Emulated(how)),
            Support::Host(why) => Some(State::Host(why)),
            Support::Unsupported(_) => None,
        }
    }
}
