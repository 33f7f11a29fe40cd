//! One call of each function and dtype on the live backend.

use crate::run::{caught, fault_of_dtype, quiet_panics};
use crate::truth::{Num, Tensor};
use ivy_core::backend::{BackendRef, Storage};
use ivy_core::plan::State;
use ivy_core::support::example_call;
use ivy_core::support::tables::{MeasuredRow, State as Word};
use ivy_core::{Array, Context, Dtype, ErrorKind, Function, Operand, context};
use std::borrow::Cow;

/// Measures a function from the dtype of index `from` on; `row` is told before (`None`) and
/// after each dtype, so that a crash is known to be that dtype's.
pub fn measure(
    function: &'static Function,
    backend: &BackendRef,
    from: usize,
    row: &mut dyn FnMut(Dtype, Option<MeasuredRow>),
) {
    quiet_panics();
    let context = Context::new().backend(backend);
    context::with(&context, || {
        for dtype in Dtype::all().skip(from) {
            row(dtype, None);
            let mut found = measure_dtype(function, dtype, backend);
            if found.state.runs()
                && let Some(wrong) = fault_of_dtype(function, dtype, backend)
            {
                found.how = Some(format!("wrong values: {wrong}"));
            }
            row(dtype, Some(found));
        }
    });
}

fn measure_dtype(function: &'static Function, dtype: Dtype, backend: &BackendRef) -> MeasuredRow {
    let row = |state, result: &[&str], how: Option<&str>| {
        MeasuredRow::new(function.name, dtype.name(), state, result, how)
            .expect("registered dtypes have names")
    };
    if backend.storage(dtype) == Storage::None {
        return row(Word::Refused, &[], Some("the backend has no storage for the dtype"));
    }
    let called = || -> ivy_core::Result<(State, Vec<Dtype>)> {
        let (abstract_operands, params) = example_call(function, dtype, &backend.to_abstract());
        let operands: Vec<Operand<'_>> =
            abstract_operands.into_iter().map(|o| with_ones(o, backend)).collect::<Result<_, _>>()?;
        let plan = ivy_core::plan_call(function, &operands, &*params)?;
        let results = ivy_core::call(function, &operands, &*params)?;
        // Read, so that a lazy backend computes.
        results.iter().try_for_each(|r| r.to_host().map(drop))?;
        Ok((plan.state, results.iter().map(Array::dtype).collect()))
    };
    match caught(called) {
        Err(panic) => row(Word::Refused, &[], Some(&format!("panic: {panic}"))),
        Ok(Err(error)) => row(Word::Refused, &[], Some(&reason(error.kind()))),
        Ok(Ok((state, dtypes))) => {
            let names: Vec<_> = dtypes.iter().map(|d| d.name()).collect();
            let word = match state {
                State::Native => Word::Native,
                State::Composed => Word::Composed,
                State::Emulated(_) => Word::Emulated,
                State::Host(_) => Word::Host,
            };
            row(word, &names, state.detail())
        }
    }
}

/// The operand with ones in place of nothing.
fn with_ones(operand: Operand<'static>, backend: &BackendRef) -> ivy_core::Result<Operand<'static>> {
    let Operand::Array(array) = operand else { return Ok(operand) };
    let count = array.shape().iter().product();
    let ones = Tensor::new(array.dtype(), array.shape(), vec![Num::Int(1); count]);
    Ok(Operand::Array(Cow::Owned(Array::from_host(backend, ones.to_host())?)))
}

/// A refusal in few words, without what differs from call to call.
fn reason(error: &ErrorKind) -> String {
    match error {
        ErrorKind::OutsideDomain { operand, .. } => format!("outside the domain of {operand}"),
        ErrorKind::CastRefused { rule, .. } => (*rule).to_string(),
        ErrorKind::UnsupportedDtype { reason, .. } => reason.clone(),
        other => format!("{}: {other}", other.name()),
    }
}

/// The processor's architecture and the features that change values in some backends.
pub fn cpu_features() -> String {
    let mut words = vec![std::env::consts::ARCH];
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! detected {
            ($($name:tt)*) => { $(if std::arch::is_x86_feature_detected!($name) { words.push($name) })* };
        }
        detected!("avx2" "fma" "avx512f" "avx512bw" "avx512bf16" "avx512fp16");
    }
    words.join(" ")
}
