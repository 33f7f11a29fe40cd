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
mod trace;

pub use cache::{CacheStats, plan_cache_stats};
pub(crate) use cache::{Key, forget_plans, is_direct, lookup};
pub(crate) use casting::records_casts;
pub use casting::{CastReason, CastRecord, record_casts};
pub(crate) use casting::{note_cast, note_plan_casts, pause_record};
pub use explain::{explain, explain_trace};
pub(crate) use support::note_step;
pub use trace::{Stage, TraceEvent, record_trace};
pub(crate) use trace::{deeper, is_traced, note, paused};

use crate::array::Operand;
use crate::backend::{BackendRef, Support};
use crate::context::{CastMode, Interned, Settings};
use crate::function::Params;
use crate::promotion::Category;
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
    /// A weakly typed array, which promotes as a host scalar of its kind does (JAX's).
    WeakArray(Dtype),
    /// A value that counts by itself, under rules in which values do (NumPy's before 2): a host scalar, or an array
    /// without axes.
    Valued {
        /// The dtype that it has, or would take alone.
        own: Dtype,
        /// The least signed dtype that holds it, for an integer; else as `least`.
        signed: Dtype,
        /// The least dtype that holds it.
        least: Dtype,
        /// Whether it is an array.
        is_array: bool,
    },
}

impl OperandSpec {
    /// The dtype of an array operand.
    pub fn dtype(self) -> Option<Dtype> {
        match self {
            OperandSpec::Array(d) | OperandSpec::ZeroD(d) | OperandSpec::WeakArray(d) => Some(d),
            OperandSpec::Valued { own, is_array: true, .. } => Some(own),
            _ => None,
        }
    }

    /// An array as a weakly typed one.
    #[must_use]
    pub fn weakly(self) -> OperandSpec {
        match self {
            OperandSpec::Array(d) | OperandSpec::ZeroD(d) => OperandSpec::WeakArray(d),
            spec => spec,
        }
    }

    /// The dtype that it has, or would take alone.
    pub(crate) fn own(self) -> Option<Dtype> {
        match self {
            OperandSpec::Absent => None,
            OperandSpec::Weak(_, fit) => Some(fit),
            OperandSpec::Valued { own, .. } => Some(own),
            spec => spec.dtype(),
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
            OperandSpec::WeakArray(d) => write!(f, "{d}*"),
            OperandSpec::Valued { least, is_array: false, .. } => write!(f, "scalar that {least} holds"),
            OperandSpec::Valued { own, least, .. } => write!(f, "{own} (0-d, a value that {least} holds)"),
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
    /// A row and column of the table for an array with axes and one without.
    ArrayZero {
        /// Row.
        row: Dtype,
        /// Column.
        column: Dtype,
    },
    /// A value that counts by itself beside an array.
    Value {
        /// The array's dtype.
        dtype: Dtype,
        /// The least dtype that holds the value.
        least: Dtype,
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

/// What a category of functions makes of a dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CategoryStep {
    /// The category.
    pub category: Category,
    /// What the operands have in common.
    pub from: Dtype,
    /// The dtype of the values that come out.
    pub to: Dtype,
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
    /// What the rules' category of the function then made of the dtype.
    pub category: Option<CategoryStep>,
    /// Whether the result is weakly typed.
    pub weak: bool,
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
    /// Whether results are cast from what the op gives to the rules' dtypes.
    pub cast_results: bool,
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
    /// Which arrays are weakly typed, by bits.
    pub weak: u64,
    /// The parameters, of which `dtype=` and [`Params::variant`] matter.
    pub params: &'a dyn Params,
    /// The settings in force.
    pub settings: &'static Interned,
    /// The backend.
    pub backend: &'a BackendRef,
}

impl Question<'_> {
    /// The function whose rules of dtypes apply: its own, or those that a parameter chooses.
    fn rules_of(&self) -> &'static Function {
        self.params.follows().unwrap_or(self.function)
    }

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
    let name = question.function.name;
    let plan = match plan_given(question, &given) {
        Err(refused) if casting::is_refusal(&refused) && !support::is_following() => {
            note(name, Stage::CastingMode, || {
                format!("refused ({}): {}", refused.kind().name(), casting::asked(question))
            });
            casting::plan_cast(question, &given, refused)
        }
        result => result,
    }?;
    if question.settings().strict_casts {
        note(name, Stage::StrictCasts, || "casts that nobody wrote are errors".into());
    }
    casting::check_strict(question, &plan)?;
    Ok(plan)
}

/// Decides about a call without casting modes.
fn plan_given(question: &Question<'_>, given: &Given) -> Result<Plan> {
    let decision = decide::decide(question, given)?;
    let name = question.function.name;
    note(name, Stage::Support, || {
        format!("asked of {} {}", question.backend.name(), question.backend.version_text())
    });
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
