//! What a function supports on a backend, and which table row says so.

use crate::ask::backend_or_default;
use crate::output::{Failure, Output, Style};
use ivy::backend::BackendRef;
use ivy::plan::State;
use ivy::support::{DtypeSupport, FrontendSupport, FunctionSupport, frontend_support, function_support};
use ivy::{Device, Dtype, ErrorKind, Place};
use serde_json::{Value, json};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Options {
    /// The function, such as expm1
    function: String,
    /// The backend, as BACKEND[:PLACE][@VERSION]; another version than the installed one answers by the tables
    #[arg(long, value_name = "B")]
    backend: Option<String>,
    /// A frontend, as NAME[@VERSION]: what it declares of its own function, such as nn.functional.softmax
    #[arg(long, value_name = "F", conflicts_with_all = ["backend", "device"])]
    frontend: Option<String>,
    /// The device, such as cpu or cuda:0
    #[arg(long, value_name = "D")]
    device: Option<String>,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
}

pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    if let Some(frontend) = &options.frontend {
        return of_frontend(output, &frontend_support(&options.function, frontend)?);
    }
    let backend = chosen_backend(options)?;
    let support = function_support(&options.function, &backend)?;
    match output.is_json() {
        true => output.json(&support_json(&support))?,
        false => show(output, &support)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn of_frontend(output: &Output, support: &FrontendSupport) -> Result<ExitCode, Failure> {
    let FrontendSupport { frontend, version, function, row, older, .. } = support;
    if output.is_json() {
        let names = |set: ivy::DtypeSet| set.iter().map(Dtype::name).collect::<Vec<_>>();
        output.json(&json!({"function": function, "frontend": frontend, "version": version,
            "supported": names(support.supported), "unsupported": names(support.unsupported), "row": row,
            "older": older}))?;
        return Ok(ExitCode::SUCCESS);
    }
    output.text(&output.paint(Style::Faint, &format!("{function} of the {frontend} frontend, {version}")))?;
    let list = |set: ivy::DtypeSet| if set.is_empty() { "none".to_string() } else { set.to_string() };
    output.text(&format!("supported    {}", list(support.supported)))?;
    output.text(&format!("unsupported  {}", list(support.unsupported)))?;
    let older = if *older { "; the row is older than the version asked about" } else { "" };
    output.text(&format!("table row    {row}{older}"))?;
    Ok(ExitCode::SUCCESS)
}

/// The backend on the device that was named; the two may not contradict each other.
fn chosen_backend(options: &Options) -> Result<BackendRef, ivy::Error> {
    let Some(device) = options.device.as_deref() else {
        return backend_or_default(options.backend.as_deref());
    };
    let name = match &options.backend {
        Some(name) => name.clone(),
        None => backend_or_default(None)?.name().to_string(),
    };
    let mut place: Place = name.parse()?;
    let asked: Device = device.parse()?;
    if let Some(other) = place.place.as_deref()
        && other.parse::<Device>().ok() != Some(asked)
    {
        let rule = "the backend's name has another device";
        let value = format!("{device} with {name}");
        return Err(
            ErrorKind::InvalidArgument { function: "support", argument: "device", value, rule }.into()
        );
    }
    place.place = (asked != Device::CPU).then(|| asked.to_string());
    backend_or_default(Some(&place.to_string()))
}

fn device(support: &FunctionSupport) -> String {
    support.backend.devices().first().unwrap_or(&Device::CPU).to_string()
}

/// How or why, in words.
fn detail(entry: &DtypeSupport) -> String {
    match (&entry.plan, entry.refusal().map(ivy::Error::kind)) {
        (Ok(plan), _) => plan.state.detail().unwrap_or_default().to_string(),
        (_, Some(ErrorKind::UnsupportedDtype { reason, .. })) if Some(reason) == entry.row.as_ref() => {
            "declared".into()
        }
        (_, Some(ErrorKind::UnsupportedDtype { reason, .. })) => reason.clone(),
        (_, Some(ErrorKind::OutsideDomain { .. })) => "outside the function's domain on every backend".into(),
        (_, Some(ErrorKind::DtypeNotStored { .. })) => "the backend has no storage for the dtype".into(),
        (Err(error), _) => error.to_string(),
    }
}

fn results(entry: &DtypeSupport) -> Vec<&'static str> {
    entry.plan.as_ref().map_or(Vec::new(), |plan| plan.outputs.iter().map(|d| d.name()).collect())
}

fn show(output: &Output, support: &FunctionSupport) -> Result<(), Failure> {
    let backend = &support.backend;
    let heading = format!(
        "{} on {} {} ({})",
        support.function.name,
        backend.name(),
        backend.version_text(),
        device(support)
    );
    output.text(&output.paint(Style::Faint, &heading))?;
    let emulated = support.emulated();
    let list = |set: ivy::DtypeSet| if set.is_empty() { "none".to_string() } else { set.to_string() };
    output.text(&format!("supported    {}", list(support.supported() - emulated)))?;
    output.text(&format!("emulated     {}", list(emulated)))?;
    output.text(&format!("unsupported  {}", list(support.unsupported())))?;
    output.text("")?;
    let mut rows = vec![["DTYPE", "STATE", "RESULT", "TABLE ROW", "HOW OR WHY"].map(String::from).to_vec()];
    for entry in &support.dtypes {
        rows.push(vec![
            entry.dtype.name().into(),
            entry.state().map_or("refused", State::name).into(),
            results(entry).join(", "),
            entry.row.clone().unwrap_or_else(|| "-".into()),
            detail(entry),
        ]);
    }
    output.columns(&rows)
}

fn support_json(support: &FunctionSupport) -> Value {
    let names = |set: ivy::DtypeSet| set.iter().map(Dtype::name).collect::<Vec<_>>();
    let dtypes: Vec<Value> = support
        .dtypes
        .iter()
        .map(|entry| {
            json!({"dtype": entry.dtype.name(), "state": entry.state().map_or("refused", State::name),
                "results": results(entry), "row": entry.row, "detail": detail(entry)})
        })
        .collect();
    json!({
        "function": support.function.name,
        "backend": support.backend.name(),
        "version": support.backend.version_text(),
        "device": device(support),
        "supported": names(support.supported() - support.emulated()),
        "emulated": names(support.emulated()),
        "unsupported": names(support.unsupported()),
        "dtypes": dtypes,
    })
}
