//! The errors of elementary functions: a progress bar, and a table.

use crate::output::{Failure, Output, Style};
use indicatif::{ProgressBar, ProgressStyle};
use ivy::backend::BackendRef;
use ivy::function::{Bound, find_function};
use ivy::{Dtype, ErrorKind, Op};
use ivy_conformance::ulp::{self, Arguments, Measured};
use serde_json::json;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Options {
    /// The functions, such as exp or pow; all elementary ones if none is named
    #[arg(value_name = "FUNCTION")]
    functions: Vec<String>,
    /// Try every float32; of functions of two operands, 2^28 pairs
    #[arg(long)]
    exhaustive: bool,
    /// The backend, as BACKEND[:PLACE]
    #[arg(long, value_name = "B", default_value = "jit")]
    backend: String,
    /// float32 or float64
    #[arg(long, value_name = "DTYPE", default_value = "float32")]
    dtype: String,
    /// The seed of the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
}

pub fn run(output: &Output, options: &Options) -> Result<ExitCode, Failure> {
    let backend = ivy::backend::backend(&options.backend)?;
    let dtype: Dtype = options.dtype.parse()?;
    let all = || ulp::UNARY.iter().map(|o| o.name()).chain(ulp::BINARY.iter().map(|o| o.name()));
    let names: Vec<String> = match options.functions.is_empty() {
        true => all().map(String::from).collect(),
        false => options.functions.clone(),
    };
    let ops = names.iter().map(|name| op(name)).collect::<Result<Vec<Op>, ivy::Error>>()?;
    let arguments = match options.exhaustive {
        true => Arguments::All,
        false => Arguments::Samples { seed: options.seed },
    };
    let mut rows = Vec::new();
    for op in ops {
        let measured = measure(&backend, &op, dtype, arguments)?;
        rows.push((op.name(), bound(op.name(), dtype)?, measured));
    }
    let passed = rows.iter().all(|(_, bound, m)| m.wrong.0 == 0 && m.worst <= *bound);
    match options.json {
        true => output.json(&serde_json::Value::from_iter(rows.iter().map(|row| as_json(row, options))))?,
        false => table(output, &rows)?,
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn op(name: &str) -> Result<Op, ivy::Error> {
    ulp::op(name).ok_or_else(|| {
        ErrorKind::InvalidArgument {
            function: "ulp",
            argument: "FUNCTION",
            value: name.into(),
            rule: "an elementary function, such as exp",
        }
        .into()
    })
}

fn measure(
    backend: &BackendRef,
    op: &Op,
    dtype: Dtype,
    arguments: Arguments,
) -> Result<Measured, ivy::Error> {
    let style = ProgressStyle::with_template("{bar:40} {pos:>5}/{len} {elapsed} {eta} {msg}")
        .expect("a valid template");
    let bar = ProgressBar::new(1).with_style(style).with_message(op.name());
    let measured = ulp::measure(backend, op, dtype, arguments, &|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    measured
}

/// The units that the function's description allows.
fn bound(name: &str, dtype: Dtype) -> Result<f64, ivy::Error> {
    Ok(match find_function(name)?.bound {
        Bound::Ulp { float32, float64 } => {
            if dtype == Dtype::FLOAT64 {
                float64
            } else {
                float32
            }
        }
        _ => 0.5,
    })
}

type Row = (&'static str, f64, Measured);

fn list(at: &[f64]) -> String {
    at.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ")
}

fn table(output: &Output, rows: &[Row]) -> Result<(), Failure> {
    let heading = ["FUNCTION", "BOUND", "WORST", "AT", "GOT", "TRUTH", "WRONG", "ARGUMENTS"];
    let mut columns = vec![heading.map(String::from).to_vec()];
    for (name, bound, m) in rows {
        columns.push(vec![
            (*name).to_string(),
            bound.to_string(),
            format!("{:.4}", m.worst),
            list(&m.at),
            format!("{:e}", m.got),
            format!("{:e}", m.want),
            m.wrong.0.to_string(),
            m.arguments.to_string(),
        ]);
    }
    output.columns(&columns)?;
    for (name, bound, m) in rows {
        let bad = output.paint(Style::Bad, "failed");
        if let Some(wrong) = &m.wrong.1 {
            let (at, got, want) = (list(&wrong.at), wrong.got, wrong.want);
            output.text(&format!("{bad} {name}({at}) is {got:e} and must be {want:e}"))?;
        } else if m.worst > *bound {
            output.text(&format!("{bad} {name}: more than {bound} ULP"))?;
        }
    }
    Ok(())
}

fn as_json((name, bound, m): &Row, options: &Options) -> serde_json::Value {
    // Numbers that JSON lacks are text, as the others are beside them.
    let text = |x: f64| format!("{x:e}");
    json!({
        "function": name,
        "backend": options.backend,
        "dtype": options.dtype,
        "bound": bound,
        "worst": m.worst,
        "at": m.at.iter().map(|&x| text(x)).collect::<Vec<_>>(),
        "got": text(m.got),
        "truth": text(m.want),
        "wrong": m.wrong.0,
        "first_wrong": m.wrong.1.as_ref().map(|w| json!({
            "at": w.at.iter().map(|&x| text(x)).collect::<Vec<_>>(), "got": text(w.got), "truth": text(w.want),
        })),
        "arguments": m.arguments,
        "exhaustive": options.exhaustive,
    })
}
