//! Casting modes (spec I-50 to I-57): what to cast to where a dtype is refused, the report of
//! casts, and the error where casts are forbidden.

use super::decide::Given;
use super::{OperandSpec, Plan, Question, Rule, plan_given, support};
use crate::backend::Storage;
use crate::context::{CastMode, CastModes};
use crate::function::Role;
use crate::{Dtype, DtypeSet, Error, ErrorKind, Kind, Op, Result};
use std::cell::{Cell, RefCell};
use std::{fmt, marker::PhantomData};

/// True for errors that a cast can help: the dtype, not the call, is refused.
pub(super) fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::OutsideDomain { .. } | ErrorKind::UnsupportedDtype { .. })
}

/// The plan with casts that the modes in force put in, or the refusal with what would help.
pub(super) fn plan_cast(question: &Question<'_>, given: &Given, refused: Error) -> Result<Plan> {
    let _paused = super::paused();
    let valid: DtypeSet = Dtype::all().filter(|&d| question.backend.storage(d) != Storage::None).collect();
    let supported: DtypeSet = valid.iter().filter(|&d| runs(question, given, d)).collect();
    let sets = Sets { supported, unsupported: valid - supported };
    let modes = question.settings().casting;
    if let Some(plan) = plan_with(question, given, modes, sets) {
        return Ok(plan);
    }
    let helps = CastMode::ALL
        .into_iter()
        .filter_map(|mode| Some((mode, plan_with(question, given, mode.into(), sets)?.compute)));
    Err(explain_refusal(question, &refused, supported, helps.collect()))
}

/// The casting modes that are on, in words.
pub(super) fn asked(question: &Question<'_>) -> String {
    format!("casting modes {}", question.settings().casting)
}

/// What a function supports in a call, of the dtypes that the backend has (spec I-51).
#[derive(Clone, Copy)]
struct Sets {
    supported: DtypeSet,
    unsupported: DtypeSet,
}

/// Whether the call is planned with all its operands of this dtype, and `dtype=` as well.
fn runs(question: &Question<'_>, given: &Given, dtype: Dtype) -> bool {
    let mut given = given.clone();
    for (i, spec) in given.specs.iter_mut().enumerate() {
        if *spec != OperandSpec::Absent && is_cast(question, i) {
            *spec = OperandSpec::Array(dtype);
        }
    }
    given.dtype = given.dtype.map(|_| dtype);
    plan_given(question, &given).map_or_else(|error| !is_refusal(&error), |_| true)
}

/// Indices and conditions have dtypes of their own.
fn is_cast(question: &Question<'_>, operand: usize) -> bool {
    matches!(question.function.operand(operand).role, Role::Promoted | Role::Kept)
}

/// The plan of the call with every unsupported dtype cast; `None` where a dtype has no target.
fn plan_with(question: &Question<'_>, given: &Given, modes: CastModes, sets: Sets) -> Option<Plan> {
    let target = |dtype: Dtype| match sets.unsupported.contains(dtype) {
        true => Some(Some(cast_target(question, modes, dtype, sets)?)),
        false => Some(None),
    };
    let mut cast = given.clone();
    let mut modes_of = vec![None; given.specs.len()];
    for (i, spec) in cast.specs.iter_mut().enumerate() {
        let Some(dtype) = spec.dtype().filter(|_| is_cast(question, i)) else { continue };
        if let Some((mode, to)) = target(dtype)? {
            modes_of[i] = Some((mode, to));
            *spec = OperandSpec::Array(to);
        }
    }
    if let Some(dtype) = given.dtype
        && let Some((_, to)) = target(dtype)?
    {
        cast.dtype = Some(to);
    }
    let mut plan = plan_given(question, &cast).ok()?;
    for ((operand, mode), spec) in plan.operands.iter_mut().zip(modes_of).zip(&given.specs) {
        (operand.mode, operand.spec) = (mode, *spec);
    }
    if cast.dtype != given.dtype {
        let computed = plan.compute;
        plan.cast_back = given.dtype;
        for output in plan.outputs.iter_mut().filter(|d| **d == computed) {
            *output = given.dtype.unwrap_or(computed);
        }
    }
    plan.direct = false;
    // The casts themselves are the backend's work as well.
    let casts: Vec<_> = plan.implicit_casts().filter(|c| c.reason != CastReason::Rule).collect();
    for cast in casts {
        let runs = support::supported(question, &Op::Cast { dtype: cast.to }, &[cast.from]).ok()?;
        plan.state = plan.state.max(runs);
    }
    Some(plan)
}

/// The dtype that the first mode with an answer casts to.
fn cast_target(
    question: &Question<'_>,
    modes: CastModes,
    dtype: Dtype,
    sets: Sets,
) -> Option<(CastMode, Dtype)> {
    let supported = sets.supported;
    modes.in_force().iter().find_map(|&mode| {
        let to = match mode {
            CastMode::Upcast => higher(dtype, supported),
            CastMode::Downcast => lower(dtype, supported),
            CastMode::Crosscast => crossed(question, dtype, supported),
        };
        Some((mode, to?))
    })
}

/// The narrowest supported dtype of the same kind that holds every value (decision S22).
fn higher(dtype: Dtype, supported: DtypeSet) -> Option<Dtype> {
    let of_kind = supported.iter().filter(|d| d.kind() == dtype.kind() && d.holds(dtype));
    of_kind.min_by_key(|d| d.bits())
}

/// Widest first; float16 stands above bfloat16 (decision S22).
fn rank(dtype: Dtype) -> (usize, u8) {
    (dtype.bits(), dtype.real_part().row().mantissa_bits)
}

/// The next lower supported dtype of the same kind.
fn lower(dtype: Dtype, supported: DtypeSet) -> Option<Dtype> {
    let of_kind = supported.iter().filter(|d| d.kind() == dtype.kind() && rank(*d) < rank(dtype));
    of_kind.max_by_key(|&d| rank(d))
}

/// The default dtype of the other kind, where the dtype's own kind is refused whole (spec I-55).
fn crossed(question: &Question<'_>, dtype: Dtype, supported: DtypeSet) -> Option<Dtype> {
    let defaults = &question.settings().defaults;
    let (own, to) = match dtype.kind() {
        Kind::Int | Kind::Uint => (DtypeSet::INTEGER, defaults.float()),
        Kind::Float => (DtypeSet::FLOAT, defaults.int()),
        Kind::Bool => (DtypeSet::BOOL, defaults.int()),
        _ => return None,
    };
    ((supported & own).is_empty() && supported.contains(to)).then_some(to)
}

/// The refusal of the outermost call: what is supported, and which casting mode would help.
fn explain_refusal(
    question: &Question<'_>,
    refused: &Error,
    supported: DtypeSet,
    helps: Vec<(CastMode, Dtype)>,
) -> Error {
    let outer = question.function.name;
    let help = |first: &str| {
        let modes: Vec<_> = helps.iter().map(|(m, to)| format!("`{}` ({to})", m.setter())).collect();
        match modes.is_empty() {
            true => first.to_string(),
            false => format!("{first}, or turn on {}", modes.join(" or ")),
        }
    };
    match refused.kind() {
        ErrorKind::OutsideDomain { function, operand, dtype, allowed, remedy } => ErrorKind::OutsideDomain {
            function,
            operand,
            dtype: *dtype,
            allowed: *allowed,
            remedy: help(remedy),
        },
        ErrorKind::UnsupportedDtype { function, dtypes, backend, version, reason, remedy, .. } => {
            let below = *function != outer;
            ErrorKind::UnsupportedDtype {
                function: outer,
                dtypes: dtypes.clone(),
                backend: backend.clone(),
                version: version.clone(),
                reason: if below { format!("in `{function}`, {reason}") } else { reason.clone() },
                supported,
                remedy: help(remedy),
            }
        }
        _ => return refused.clone(),
    }
    .into()
}

/// Why a cast was put in that nobody wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastReason {
    /// The rule that gives the dtype computed in: promotion, floats of integers, indices.
    Rule,
    /// A casting mode.
    Mode(CastMode),
    /// The `dtype=` that was asked for, after a casting mode computed in another.
    Asked,
}

impl fmt::Display for CastReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CastReason::Rule => f.write_str("promotion"),
            CastReason::Mode(mode) => mode.fmt(f),
            CastReason::Asked => f.write_str("the dtype asked for"),
        }
    }
}

/// A cast that a call made by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastRecord {
    /// The function that was called.
    pub function: &'static str,
    /// The operand, or `result`.
    pub operand: &'static str,
    /// The dtype before.
    pub from: Dtype,
    /// The dtype after.
    pub to: Dtype,
    /// Why.
    pub reason: CastReason,
}

impl fmt::Display for CastRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {} -> {} ({})", self.function, self.operand, self.from, self.to, self.reason)
    }
}

impl Plan {
    /// The casts of arrays that the plan puts in unasked, in order. Those that `dtype=` or
    /// `astype` ask for are not among them, and host scalars have no dtype to be cast from.
    pub fn implicit_casts(&self) -> impl Iterator<Item = CastRecord> + '_ {
        let record = move |operand, from, to, reason| CastRecord {
            function: self.function.name,
            operand,
            from,
            to,
            reason,
        };
        let asked = self.rule == Rule::Argument;
        let operands = self.operands.iter().flat_map(move |o| {
            let mut from = o.spec.dtype();
            let by_mode = o.mode.zip(from).map(|((mode, to), before)| {
                from = Some(to);
                record(o.name, before, to, CastReason::Mode(mode))
            });
            let by_rule = o.cast.zip(from).filter(|_| !asked);
            by_mode.into_iter().chain(by_rule.map(|(to, from)| record(o.name, from, to, CastReason::Rule)))
        });
        let back = self.cast_back.map(|to| record("result", self.compute, to, CastReason::Asked));
        operands.chain(back)
    }
}

/// Refuses a plan with implicit casts where they are errors.
pub(super) fn check_strict(question: &Question<'_>, plan: &Plan) -> Result<()> {
    if !question.settings().strict_casts {
        return Ok(());
    }
    plan.implicit_casts().next().map_or(Ok(()), |cast| Err(refuse_implicit(cast, plan.rule_text())))
}

fn refuse_implicit(cast: CastRecord, rule: String) -> Error {
    let CastRecord { function, operand, from, to, reason } = cast;
    let rule = if reason == CastReason::Rule { rule } else { reason.to_string() };
    let remedy = "Write it with `astype`";
    ErrorKind::ImplicitCast { function, operand, from, to, rule, remedy }.into()
}

thread_local! {
    /// What [`record_casts`] gathers, innermost last.
    static RECORDS: RefCell<Vec<Vec<CastRecord>>> = const { RefCell::new(Vec::new()) };
    /// Above 0 inside compositions, whose casts are not the caller's.
    static PAUSED: Cell<u32> = const { Cell::new(0) };
}

/// True within [`record_casts`].
pub(crate) fn records_casts() -> bool {
    RECORDS.with_borrow(|records| !records.is_empty())
}

/// Runs `f` and reports every implicit cast that its calls made on this thread, in order.
/// Casts inside compositions are theirs, and not reported.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::plan::record_casts;
/// let (x, y) = (ivy::zeros([2], Dtype::INT8)?, ivy::zeros([2], Dtype::FLOAT32)?);
/// let (sum, casts) = record_casts(|| ivy::add(&x, &y));
/// assert_eq!(sum?.dtype(), Dtype::FLOAT32);
/// assert_eq!(casts[0].to_string(), "add: x1: int8 -> float32 (promotion)");
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn record_casts<T>(f: impl FnOnce() -> T) -> (T, Vec<CastRecord>) {
    /// Takes the record away also when `f` panics.
    struct Recording;
    impl Recording {
        fn end() -> Vec<CastRecord> {
            RECORDS.with_borrow_mut(|records| records.pop().unwrap_or_default())
        }
    }
    impl Drop for Recording {
        fn drop(&mut self) {
            Recording::end();
        }
    }
    RECORDS.with_borrow_mut(|records| records.push(Vec::new()));
    let recording = Recording;
    let result = f();
    std::mem::forget(recording);
    let casts = Recording::end();
    RECORDS.with_borrow_mut(|records| {
        if let Some(outer) = records.last_mut() {
            outer.extend(&casts);
        }
    });
    (result, casts)
}

/// Casts are not reported until this is dropped.
pub(crate) struct PausedRecord(PhantomData<*const ()>);

pub(crate) fn pause_record() -> PausedRecord {
    PAUSED.set(PAUSED.get() + 1);
    PausedRecord(PhantomData)
}

impl Drop for PausedRecord {
    fn drop(&mut self) {
        PAUSED.set(PAUSED.get() - 1);
    }
}

fn note(casts: impl Iterator<Item = CastRecord>) {
    if PAUSED.get() == 0 {
        RECORDS.with_borrow_mut(|records| {
            if let Some(record) = records.last_mut() {
                record.extend(casts);
            }
        });
    }
}

/// Reports the casts of a plan that is carried out.
pub(crate) fn note_plan_casts(plan: &Plan) {
    note(plan.implicit_casts());
}

/// Reports, or refuses where casts are errors, a cast outside any plan.
pub(crate) fn note_cast(cast: CastRecord, strict: bool) -> Result<()> {
    if strict {
        return Err(refuse_implicit(cast, "the array's dtype stays".into()));
    }
    note(std::iter::once(cast));
    Ok(())
}
