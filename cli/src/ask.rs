//! The questions that need no computation.

use crate::output::{Failure, Output, Style};
use ivy::backend::{BackendRef, Storage};
use ivy::context::CastModes;
use ivy::plan::{Plan, State, Step, TraceEvent};
use ivy::{Context, Dtype, Rules, context};
use serde_json::{Value, json};
use std::process::ExitCode;

type Answer = Result<ExitCode, Failure>;

pub fn backends(output: &Output) -> Answer {
    let known = ivy::backend::backends();
    if output.is_json() {
        let list: Vec<Value> = known
            .iter()
            .map(|b| match &b.instance {
                Ok(i) => json!({"name": b.name, "available": true, "version": i.version().to_string(),
                    "devices": i.devices().iter().map(ToString::to_string).collect::<Vec<_>>(),
                    "note": i.note()}),
                Err(e) => json!({"name": b.name, "available": false, "reason": e.to_string()}),
            })
            .collect();
        output.json(&json!({ "backends": list }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![["BACKEND", "VERSION", "DEVICES", "STATE"].map(String::from).to_vec()];
    for b in &known {
        rows.push(match &b.instance {
            Ok(i) => {
                let devices: Vec<_> = i.devices().iter().map(ToString::to_string).collect();
                let state = i.note().map_or_else(|| "available".into(), |note| format!("available: {note}"));
                vec![b.name.into(), i.version().to_string(), devices.join(", "), state]
            }
            Err(e) => vec![b.name.into(), "-".into(), "-".into(), e.to_string()],
        });
    }
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The backend to ask about: a named one, which need not be installed in that version, or the current one.
pub fn backend_or_default(name: Option<&str>) -> Result<BackendRef, ivy::Error> {
    name.map_or_else(context::current_backend, ivy::backend::question_backend)
}

pub fn dtypes(output: &Output, backend: Option<&str>) -> Answer {
    let backend = backend_or_default(backend)?;
    let storage = |d: Dtype| match backend.storage(d) {
        Storage::Native { name } => (true, name.to_string(), "native".to_string(), String::new()),
        Storage::Emulated { name, how } => (true, name.to_string(), "emulated".to_string(), how.to_string()),
        Storage::None => (false, "-".into(), "none".into(), String::new()),
    };
    if output.is_json() {
        let list: Vec<Value> = Dtype::known()
            .map(|d| {
                let (valid, name, kind, how) = storage(d);
                json!({"dtype": d.name(), "valid": valid, "native_name": name, "storage": kind,
                    "how": if how.is_empty() { Value::Null } else { how.into() }})
            })
            .collect();
        output
            .json(&json!({"backend": backend.name(), "version": backend.version_text(), "dtypes": list}))?;
        return Ok(ExitCode::SUCCESS);
    }
    output.text(&output.paint(Style::Faint, &format!("{} {}", backend.name(), backend.version_text())))?;
    let mut rows = vec![["DTYPE", "VALID", "NATIVE NAME", "STORAGE", "HOW"].map(String::from).to_vec()];
    for d in Dtype::known() {
        let (valid, name, kind, how) = storage(d);
        let valid = if valid { "yes" } else { "no" };
        rows.push(vec![d.name().into(), valid.into(), name, kind, how]);
    }
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The question of `ivy explain`.
pub struct Explain {
    pub function: String,
    pub operands: Vec<String>,
    pub backend: Option<String>,
    pub rules: Rules,
    pub cast: String,
    pub strict: bool,
    pub dtype: Option<String>,
    pub emulation: bool,
    pub trace: bool,
}

pub fn explain(output: &Output, question: &Explain) -> Answer {
    let backend = backend_or_default(question.backend.as_deref())?;
    let dtype = question.dtype.as_deref().map(str::parse::<Dtype>).transpose()?;
    let context = Context::new()
        .rules(question.rules)
        .emulation(question.emulation)
        .casting(question.cast.parse::<CastModes>()?)
        .strict_casts(question.strict)
        .backend(&backend);
    let operands: Vec<&str> = question.operands.iter().map(String::as_str).collect();
    if question.trace {
        let work = || ivy::plan::explain_trace(&question.function, &operands, dtype, &backend);
        return trace(output, context::with(&context, work)?);
    }
    let plan =
        context::with(&context, || ivy::plan::explain(&question.function, &operands, dtype, &backend))?;
    match output.is_json() {
        true => output.json(&plan_json(&plan))?,
        false => output.text(&plan.to_string())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The stages of a call, and what refused it.
fn trace(output: &Output, (trace, refused): (Vec<TraceEvent>, Option<ivy::Error>)) -> Answer {
    if output.is_json() {
        let event = |e: &TraceEvent| json!({"depth": e.depth, "function": e.function, "stage": e.stage.name(), "detail": e.detail});
        let events: Vec<Value> = trace.iter().map(event).collect();
        output.json(&json!({"trace": events, "refused": refused.as_ref().map(ToString::to_string)}))?;
    } else {
        for event in &trace {
            output.text(&event.to_string())?;
        }
    }
    match refused {
        Some(refused) => Err(refused.into()),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn plan_json(plan: &Plan) -> Value {
    let operands: Vec<Value> = plan
        .operands
        .iter()
        .map(|o| {
            let mode = o.mode.map(|(mode, to)| json!({"mode": mode.name(), "dtype": to.name()}));
            json!({"name": o.name, "given": o.spec.to_string(), "mode": mode, "cast": o.cast.map(Dtype::name),
                "dtype": o.dtype.name()})
        })
        .collect();
    let state = |s: State| json!({"state": s.name(), "detail": s.detail()});
    let step =
        |s: &Step| json!({"function": s.function, "compute": s.compute.name(), "runs": state(s.state)});
    json!({
        "function": plan.function.name,
        "backend": plan.backend,
        "version": plan.version,
        "rules": plan.rules.name(),
        "rule": plan.rule_text(),
        "operands": operands,
        "casts": plan.casts().collect::<Vec<_>>(),
        "compute": plan.compute.name(),
        "category": plan.category.map(|c| json!({"category": c.category.name(), "from": c.from.name(), "to": c.to.name()})),
        "weak": plan.weak,
        "runs": state(plan.state),
        "steps": plan.steps.iter().map(step).collect::<Vec<_>>(),
        "table": plan.notes,
        "cast_back": plan.cast_back.map(Dtype::name),
        "bound": plan.bound_text(),
        "results": plan.outputs.iter().map(|d| d.name()).collect::<Vec<_>>(),
    })
}
