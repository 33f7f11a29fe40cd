//! The questions that need no computation.

use crate::output::{Failure, Output, Style};
use ivy::backend::{BackendRef, Storage};
use ivy::context::CastModes;
use ivy::plan::{Plan, State, Step};
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
        let list: Vec<Value> = Dtype::all()
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
    for d in Dtype::all() {
        let (valid, name, kind, how) = storage(d);
        let valid = if valid { "yes" } else { "no" };
        rows.push(vec![d.name().into(), valid.into(), name, kind, how]);
    }
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

pub fn promote(output: &Output, names: &[String], rules: &str) -> Answer {
    let rules: Rules = rules.parse()?;
    let dtypes: Vec<Dtype> = names.iter().map(|n| n.parse()).collect::<Result<_, _>>()?;
    let common = ivy::promotion::promote_all("promote_types", rules, &dtypes)?;
    let common = common.map_or("-", Dtype::name);
    match output.is_json() {
        true => {
            let names: Vec<_> = dtypes.iter().map(|d| d.name()).collect();
            output.json(&json!({"rules": rules.name(), "dtypes": names, "result": common}))?;
        }
        false => output.text(common)?,
    }
    Ok(ExitCode::SUCCESS)
}

pub fn table(output: &Output, rules: &str) -> Answer {
    let rules: Rules = rules.parse()?;
    let entry = |a: Dtype, b: Dtype| rules.lookup(a, b).map(Dtype::name);
    if output.is_json() {
        let names: Vec<_> = Dtype::all().map(Dtype::name).collect();
        let table: Vec<Vec<Option<&str>>> =
            Dtype::all().map(|a| Dtype::all().map(|b| entry(a, b)).collect()).collect();
        output.json(&json!({"rules": rules.name(), "dtypes": names, "table": table}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let short = |name: &str| {
        let (word, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
        let letter = match word {
            "bool" => "b",
            "bfloat" => "bf",
            other => &other[..1],
        };
        format!("{letter}{digits}")
    };
    let mut rows =
        vec![std::iter::once(String::new()).chain(Dtype::all().map(|d| short(d.name()))).collect()];
    for a in Dtype::all() {
        let cells = Dtype::all().map(|b| entry(a, b).map_or("-".into(), short));
        rows.push(std::iter::once(a.name().to_string()).chain(cells).collect::<Vec<_>>());
    }
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The question of `ivy explain`.
pub struct Explain {
    pub function: String,
    pub operands: Vec<String>,
    pub backend: Option<String>,
    pub rules: String,
    pub cast: String,
    pub strict: bool,
    pub dtype: Option<String>,
    pub emulation: bool,
}

pub fn explain(output: &Output, question: &Explain) -> Answer {
    let backend = backend_or_default(question.backend.as_deref())?;
    let dtype = question.dtype.as_deref().map(str::parse::<Dtype>).transpose()?;
    let context = Context::new()
        .rules(question.rules.parse()?)
        .emulation(question.emulation)
        .casting(question.cast.parse::<CastModes>()?)
        .strict_casts(question.strict)
        .backend(&backend);
    let operands: Vec<&str> = question.operands.iter().map(String::as_str).collect();
    let plan =
        context::with(&context, || ivy::plan::explain(&question.function, &operands, dtype, &backend))?;
    match output.is_json() {
        true => output.json(&plan_json(&plan))?,
        false => output.text(&plan.to_string())?,
    }
    Ok(ExitCode::SUCCESS)
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
        "runs": state(plan.state),
        "steps": plan.steps.iter().map(step).collect::<Vec<_>>(),
        "table": plan.notes,
        "cast_back": plan.cast_back.map(Dtype::name),
        "bound": plan.bound_text(),
        "results": plan.outputs.iter().map(|d| d.name()).collect::<Vec<_>>(),
    })
}
