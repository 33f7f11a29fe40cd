//! How a backend carries out what was decided.

use super::decide::{Decision, Given};
use super::{OperandSpec, Plan, PlannedOperand, Question, State, Step};
use crate::array::{Array, Operand};
use crate::backend::{AbstractBackend, Support, declared_of};
use crate::function::{Body, Composition, Request, Role};
use crate::{Dtype, DtypeSet, Dtypes, ErrorKind, Op, Result, Shape, context, support};
use smallvec::SmallVec;
use std::cell::RefCell;

thread_local! {
    /// The steps of the compositions being followed on this thread, innermost last.
    static FOLLOWED: RefCell<Vec<Vec<Step>>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn complete(question: &Question<'_>, given: &Given, decision: Decision) -> Result<Plan> {
    let Decision { rule, to_float, category, weak: weak_result, operands, compute, outputs, cast_results } =
        decision;
    let function = question.function;
    let dtypes: Dtypes = operands.iter().filter(|o| sent_to_op(question, o)).map(|o| o.dtype).collect();
    let mut state = State::Native;
    check_storage(question, given, &operands, compute)?;
    for operand in &operands {
        if let (Some(from), Some(to)) = (operand.spec.dtype(), operand.cast) {
            state = state.max(supported(question, &Op::Cast { dtype: to }, &[from])?);
        }
    }
    let listed = check_tables(question, given, &operands, compute)?;
    let overrides = question.settings().overrides;
    let own = overrides.then(|| question.backend.support_function(function, &dtypes)).flatten();
    let mut overridden = false;
    let mut steps = Vec::new();
    match (own.and_then(Option::<State>::from), function.body_with(question.params)) {
        // What the tables say of a backend that is not here is all that is known of it.
        (_, body) if listed.as_ref().is_some_and(|l| l.is_answer_for(question, &body)) => {
            overridden = matches!(body, Body::Compose(_));
            state = state.max(listed.as_ref().map_or(State::Native, |l| l.state));
        }
        (Some(own), _) if allowed(question, own) => {
            overridden = true;
            state = state.max(own);
        }
        (_, Body::Fixed(op)) => state = state.max(supported(question, op, &dtypes)?),
        (_, Body::Identity) => {}
        (_, Body::Op(lower)) => {
            let request = Request { function, operands: question.operands, params: question.params, compute };
            state = state.max(supported(question, &lower(&request)?, &dtypes)?);
        }
        (_, Body::Compose(compose)) => {
            steps = follow(question, &operands, compute, compose)?;
            let below = steps.iter().map(|s| s.state).max().unwrap_or(State::Native);
            state = state.max(below).max(State::Composed);
        }
    }
    note_step(Step { function: function.name, compute, state });
    // A scalar takes the array's dtype, if it has no cast either.
    let plain = |o: &PlannedOperand| {
        let weak = matches!(o.spec, OperandSpec::Weak(..)) && operands.len() == 2 && o.dtype == compute;
        o.cast.is_none() && (weak || o.spec.dtype().is_some())
    };
    let direct = matches!(function.body_with(question.params), Body::Fixed(_))
        && !overridden
        && !cast_results
        && operands.iter().all(plain);
    let comparison = matches!(function.body, Body::Fixed(Op::Binary(op)) if op.is_comparison());
    Ok(Plan {
        function,
        backend: question.backend.name().into(),
        version: question.backend.version_text(),
        rules: question.settings().rules,
        rule,
        to_float,
        category,
        weak: weak_result,
        operands,
        compute,
        state,
        overridden,
        steps,
        notes: listed.map_or(Vec::new(), |l| l.notes),
        outputs,
        cast_back: None,
        cast_results,
        scalars_checked: !comparison,
        direct,
        is_abstract: question.backend.is_abstract(),
    })
}

/// Host values are part of the op, and operands that were left out are not there.
fn sent_to_op(question: &Question<'_>, operand: &PlannedOperand) -> bool {
    let info = question.function.operands.iter().find(|o| o.name == operand.name);
    operand.spec != OperandSpec::Absent && info.is_some_and(|o| !o.role.keeps_scalars())
}

fn check_storage(
    question: &Question<'_>,
    given: &Given,
    operands: &[PlannedOperand],
    compute: Dtype,
) -> Result<()> {
    let stored = |d: Dtype| question.backend.storage(d) != crate::backend::Storage::None;
    let arrays = given.specs.iter().filter_map(|s| s.dtype());
    let missing = arrays.chain(operands.iter().map(|o| o.dtype)).chain([compute]).find(|&d| !stored(d));
    match missing {
        None => Ok(()),
        Some(dtype) => Err(ErrorKind::DtypeNotStored {
            function: question.function.name,
            dtype,
            backend: question.backend.name().into(),
            version: question.backend.version_text(),
            remedy: "Use another dtype, or a backend that stores this one (`ivy dtypes` lists them)",
        }
        .into()),
    }
}

/// Refuses what the support tables list as unsupported: a dtype as it was given, or the one
/// computed in. `None` where no table is about the function on this backend.
fn check_tables(
    question: &Question<'_>,
    given: &Given,
    operands: &[PlannedOperand],
    compute: Dtype,
) -> Result<Option<Listing>> {
    let function = question.function;
    let Some(listed) = support::listed(question.backend, function.name)? else { return Ok(None) };
    let mut dtypes = Dtypes::new();
    for (i, operand) in operands.iter().enumerate() {
        if matches!(function.operand(i).role, Role::Promoted | Role::Kept) {
            dtypes.extend(given.specs[i].dtype());
            dtypes.extend((operand.spec != OperandSpec::Absent).then_some(operand.dtype));
        }
    }
    if dtypes.is_empty() || given.dtype.is_some() {
        dtypes.push(compute);
    }
    let mut listing = Listing { state: State::Native, notes: Vec::new(), whole: listed.is_whole() };
    for dtype in dtypes {
        let answer = listed.answer(dtype);
        let Some(state) = answer.state else {
            return Err(ErrorKind::UnsupportedDtype {
                function: function.name,
                dtypes: std::iter::once(dtype).collect(),
                backend: question.backend.name().into(),
                version: question.backend.version_text(),
                reason: answer.row,
                supported: listed.supported(),
                remedy: "Cast with `astype` to a dtype that it supports, or use another backend".into(),
            }
            .into());
        };
        listing.state = listing.state.max(state);
        if !listing.notes.contains(&answer.row) {
            listing.notes.push(answer.row);
        }
    }
    listing.notes.extend(listed.older());
    Ok(Some(listing))
}

/// What the tables say of a call that they allow.
struct Listing {
    state: State,
    notes: Vec<String>,
    whole: bool,
}

impl Listing {
    /// Whether nothing else is asked: the backend is not here, and the tables answer for the
    /// function's composition as well, if it is one.
    fn is_answer_for(&self, question: &Question<'_>, body: &Body) -> bool {
        let composed = matches!(body, Body::Compose(_));
        declared_of(question.backend).is_some() && (!composed || self.whole && question.settings().overrides)
    }
}

fn allowed(question: &Question<'_>, state: State) -> bool {
    question.settings().emulation || matches!(state, State::Native | State::Composed)
}

pub(super) fn supported(question: &Question<'_>, op: &Op, dtypes: &[Dtype]) -> Result<State> {
    let refuse = |reason: String, remedy: &'static str| -> crate::Error {
        ErrorKind::UnsupportedDtype {
            function: question.function.name,
            dtypes: dtypes.iter().copied().collect(),
            backend: question.backend.name().into(),
            version: question.backend.version_text(),
            reason,
            supported: DtypeSet::EMPTY,
            remedy: remedy.into(),
        }
        .into()
    };
    match question.backend.support(op, dtypes) {
        Support::Unsupported(reason) => Err(refuse(
            reason.into(),
            "Cast with `astype` to a dtype that it supports, or use another backend",
        )),
        support => {
            let state = Option::<State>::from(support).expect("supported");
            if allowed(question, state) {
                return Ok(state);
            }
            let detail = state.detail().unwrap_or_default();
            Err(refuse(
                format!("`{}` would be {} ({detail}), and emulation is off", op.name(), state.name()),
                "Turn emulation on with `set_emulation(true)`",
            ))
        }
    }
}

/// Runs a composition on abstract arrays of the call's dtypes and shapes, which plans every
/// call below it on this backend, and gives those calls.
fn follow(
    question: &Question<'_>,
    operands: &[PlannedOperand],
    compute: Dtype,
    compose: fn(&Composition<'_>) -> Result<crate::function::Outputs>,
) -> Result<Vec<Step>> {
    let backend = question.backend.to_abstract();
    let arrays: SmallVec<[Option<Array>; 4]> = question
        .operands
        .iter()
        .zip(operands)
        .enumerate()
        .map(|(i, (given, planned))| {
            let shape = match given {
                Operand::Array(array) => array.shape().clone(),
                Operand::Scalar(_) if !question.function.operand(i).role.keeps_scalars() => Shape::default(),
                _ => return None,
            };
            Some(Array::from_value(backend.clone(), AbstractBackend::value(planned.dtype, shape)))
        })
        .collect();
    let composition = Composition {
        function: question.function,
        arrays: &arrays,
        operands: question.operands,
        params: question.params,
        compute,
    };
    let _scope = context::enter_internal(&backend, question.settings);
    let _paused = (super::pause_record(), super::paused());
    FOLLOWED.with_borrow_mut(|f| f.push(Vec::new()));
    let result = compose(&composition);
    let steps = FOLLOWED.with_borrow_mut(|f| f.pop().unwrap_or_default());
    result.map(|_| steps)
}

/// True while a composition is followed on this thread: calls below it are planned as they are.
pub(super) fn is_following() -> bool {
    FOLLOWED.with_borrow(|followed| !followed.is_empty())
}

/// Notes a call for the composition being followed, if there is one.
pub(crate) fn note_step(step: Step) {
    FOLLOWED.with_borrow_mut(|followed| {
        if let Some(steps) = followed.last_mut()
            && !steps.contains(&step)
        {
            steps.push(step);
        }
    });
}

/// Notes a call whose plan was known already.
pub(super) fn note_plan(plan: &Plan) {
    note_step(Step { function: plan.function.name, compute: plan.compute, state: plan.state });
}
