//! The order of the pipeline, as traces of calls have it (spec I-63).

use ivy::backend::question_backend;
use ivy::context::{CastMode, CastModes};
use ivy::plan::{Stage, TraceEvent, explain_trace, record_trace};
use ivy::prelude::*;
use ivy::{ErrorKind, Result, StablePow};

fn stages(trace: &[TraceEvent], depth: usize) -> Vec<Stage> {
    trace.iter().filter(|event| event.depth == depth).map(|event| event.stage).collect()
}

/// Each call's stages, those below compositions between the ones above, are in the pipeline's order.
fn check_order(trace: &[TraceEvent]) {
    let mut open: Vec<Option<Stage>> = Vec::new();
    for event in trace {
        open.truncate(event.depth + 1);
        open.resize(event.depth + 1, None);
        let last = &mut open[event.depth];
        // A new call begins with its operands.
        if event.stage != Stage::Operands {
            assert!(*last < Some(event.stage), "{event} after {last:?}");
        }
        *last = Some(event.stage);
    }
}

#[test]
fn every_function_goes_through_the_stages_in_order() -> Result<()> {
    let backend = ivy::context::current_backend()?;
    let mut traced = 0;
    for function in ivy::function::functions() {
        let count =
            if function.variadic { 2 } else { function.operands.iter().filter(|o| !o.optional).count() };
        let operand = |i: usize| match function.operand(i).role {
            ivy::function::Role::Index => "int64",
            ivy::function::Role::Condition => "bool",
            ivy::function::Role::Value | ivy::function::Role::End => "1",
            _ => "float32",
        };
        let operands: Vec<&str> = (0..count).map(operand).collect();
        let (trace, refused) = explain_trace(function.name, &operands, None, &backend)?;
        check_order(&trace);
        assert_eq!(trace[0].stage, Stage::Operands, "{}", function.name);
        traced += usize::from(refused.is_none());
    }
    assert!(traced > 250, "{traced} calls went through");
    Ok(())
}

#[test]
fn stages_are_those_that_the_call_needs() -> Result<()> {
    use Stage::*;
    let backend = ivy::context::current_backend()?;
    let (trace, refused) = explain_trace("add", &["float32", "int32"], None, &backend)?;
    assert!(refused.is_none());
    assert_eq!(stages(&trace, 0), [Operands, Backend, Plan, Domain, Promotion, Support, Casts, Execution]);
    let (trace, _) = explain_trace("add", &["float32", "2"], None, &backend)?;
    assert_eq!(stages(&trace, 0), [Operands, Backend, Plan, Domain, Promotion, Support, Scalars, Execution]);
    let (trace, _) = explain_trace("sum", &["int8"], None, &backend)?;
    assert_eq!(
        stages(&trace, 0),
        [Operands, Backend, Plan, Domain, Promotion, Support, Casts, Lowering, Execution]
    );
    let (trace, _) = explain_trace("softmax", &["float32"], None, &backend)?;
    assert_eq!(stages(&trace, 0), [Operands, Backend, Plan, Domain, Promotion, Support, Composition]);
    assert!(
        trace.iter().any(|event| event.depth == 1 && event.function == "exp" && event.stage == Execution)
    );
    // A refusal ends the call where it is found: no casting mode is on that would help.
    let (trace, refused) = explain_trace("argmax", &["complex64"], None, &backend)?;
    assert!(matches!(refused.unwrap().kind(), ErrorKind::OutsideDomain { .. }));
    assert_eq!(stages(&trace, 0), [Operands, Backend, Plan, Domain, CastingMode]);
    Ok(())
}

#[test]
fn casting_modes_act_between_the_refusal_and_the_casts() -> Result<()> {
    let old = question_backend("torch@2.0.1")?;
    let modes: CastModes = CastMode::Upcast.into();
    let (trace, refused) = ivy::context::with(&Context::new().casting(modes).backend(&old), || {
        explain_trace("expm1", &["float16"], None, &old)
    })?;
    assert!(refused.is_none(), "{refused:?}");
    let own = stages(&trace, 0);
    let at =
        |stage| own.iter().position(|s| *s == stage).unwrap_or_else(|| panic!("no {stage:?} in {own:?}"));
    assert!(at(Stage::Support) < at(Stage::CastingMode) && at(Stage::CastingMode) < at(Stage::Casts));
    let cast = trace.iter().find(|event| event.stage == Stage::Casts).unwrap();
    assert_eq!(cast.detail, "x: float16 -> float32 (upcast)");
    Ok(())
}

#[test]
fn traces_of_real_calls_end_with_them() -> Result<()> {
    let x = Array::try_from([1.0f32, 2.0])?;
    let (result, outer) = record_trace(|| {
        let (inner, trace) = record_trace(|| ivy::stable_pow(&x, 2, StablePow::new()));
        check_order(&trace);
        assert!(trace.iter().any(|event| event.depth == 1 && event.function == "pow"));
        inner
    });
    assert_eq!(result?.shape().to_string(), "(2,)");
    // Each record is its own.
    assert!(outer.is_empty());
    ivy::sum(&x, ())?;
    assert!(record_trace(|| ()).1.is_empty());
    Ok(())
}
