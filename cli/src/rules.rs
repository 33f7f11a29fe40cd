//! Questions about promotion rules: pairs, tables, differences, drawings.

use crate::output::{Failure, Output};
use clap::Args;
use ivy::promotion::Lattice;
use ivy::{Dtype, Rules};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Answer = Result<ExitCode, Failure>;

/// What `ivy table` asks.
#[derive(Args)]
pub struct Table {
    /// A set of rules: precise, numpy, torch, jax, tensorflow, ... (`ivy rules` has them all)
    #[arg(long, default_value = "precise")]
    rules: String,
    /// Print the pairs in which two sets differ
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["rules", "svg"])]
    compare: Option<Vec<String>>,
    /// Draw the order of the dtypes as SVG, into a file or on standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    svg: Option<PathBuf>,
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
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

pub fn table(output: &Output, question: &Table) -> Answer {
    if let Some([a, b]) = question.compare.as_deref() {
        return compare(output, a.parse()?, b.parse()?);
    }
    let rules: Rules = question.rules.parse()?;
    if let Some(file) = &question.svg {
        return draw(output, rules, file);
    }
    let dtypes: Vec<Dtype> = rules.dtypes().collect();
    let entry = |a: Dtype, b: Dtype| rules.lookup(a, b).map(Dtype::name);
    if output.is_json() {
        let names: Vec<_> = dtypes.iter().map(|d| d.name()).collect();
        let table: Vec<Vec<Option<&str>>> =
            dtypes.iter().map(|&a| dtypes.iter().map(|&b| entry(a, b)).collect()).collect();
        output.json(&json!({"rules": rules.name(), "dtypes": names, "table": table}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows =
        vec![std::iter::once(String::new()).chain(dtypes.iter().map(|d| short(d.name()))).collect()];
    for &a in &dtypes {
        let cells = dtypes.iter().map(|&b| entry(a, b).map_or("-".into(), short));
        rows.push(std::iter::once(a.name().to_string()).chain(cells).collect::<Vec<_>>());
    }
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

/// A name of a column: `f32`, `bf16`, `f8e4m3fn`.
fn short(name: &str) -> String {
    let (word, rest) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
    let letter = match word {
        "bool" => "b",
        "bfloat" => "bf",
        other => &other[..1],
    };
    format!("{letter}{}", rest.replacen('_', "", 1))
}

/// The drawing of a set, into a file or, for `-`, on standard output.
fn draw(output: &Output, rules: Rules, file: &Path) -> Answer {
    let svg = Lattice::of(rules).to_svg();
    let printed = file == Path::new("-");
    if !printed {
        std::fs::write(file, &svg).map_err(|error| Failure::File(file.into(), error))?;
    }
    match output.is_json() {
        true if printed => output.json(&json!({"rules": rules.name(), "svg": svg}))?,
        true => output.json(&json!({"rules": rules.name(), "file": file.display().to_string()}))?,
        false if printed => output.text(svg.trim_end())?,
        false => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// A source's name and its version: `PyTorch` and `2.13.0`.
fn versioned(source: &str) -> (&str, &str) {
    let first =
        source.match_indices(' ').find(|(at, _)| source[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    first.map_or((source, ""), |(at, _)| (&source[..at], &source[at + 1..]))
}

/// The sets: whose answers they give, how many dtypes they have, and which laws their promotion follows.
pub fn list(output: &Output) -> Answer {
    if output.is_json() {
        let set = |r: &Rules| {
            let (source, version) = versioned(r.source());
            json!({
                "name": r.name(), "about": r.about(), "source": source, "version": version, "dtypes": r.dtypes().count(),
                "commutative": r.is_commutative(), "associative": r.is_associative(),
                "casting": r.castings().collect::<Vec<_>>(),
            })
        };
        output.json(&json!({ "rules": Rules::ALL.iter().map(set).collect::<Vec<Value>>() }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let heads = ["RULES", "SOURCE", "VERSION", "DTYPES", "COMMUTATIVE", "ASSOCIATIVE", "WHAT"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    let law = |holds: bool| if holds { "yes" } else { "no" }.to_string();
    rows.extend(Rules::ALL.iter().map(|r| {
        let ((source, version), count) = (versioned(r.source()), r.dtypes().count().to_string());
        let (commutative, associative) = (law(r.is_commutative()), law(r.is_associative()));
        vec![
            r.name().into(),
            source.into(),
            version.into(),
            count,
            commutative,
            associative,
            r.about().into(),
        ]
    }));
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The pairs of dtypes in which two sets differ; a pair once where neither set minds its order.
fn compare(output: &Output, a: Rules, b: Rules) -> Answer {
    let dtypes: Vec<Dtype> =
        Dtype::known().filter(|&d| a.lookup(d, d).is_some() || b.lookup(d, d).is_some()).collect();
    let mut differ = Vec::new();
    for (i, &x) in dtypes.iter().enumerate() {
        for (j, &y) in dtypes.iter().enumerate() {
            let entries = [a.lookup(x, y), b.lookup(x, y)];
            let seen = j < i && entries == [a.lookup(y, x), b.lookup(y, x)];
            if entries[0] != entries[1] && !seen {
                differ.push((x, y, entries));
            }
        }
    }
    if output.is_json() {
        let pairs: Vec<Value> = differ
            .iter()
            .map(|(x, y, [in_a, in_b])| {
                json!({"dtypes": [x.name(), y.name()], a.name(): in_a.map(Dtype::name), b.name(): in_b.map(Dtype::name)})
            })
            .collect();
        output.json(&json!({"rules": [a.name(), b.name()], "pairs": pairs}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![vec!["x1".to_string(), "x2".into(), a.name().into(), b.name().into()]];
    let name = |d: Option<Dtype>| d.map_or("-", Dtype::name).to_string();
    rows.extend(
        differ
            .iter()
            .map(|(x, y, [in_a, in_b])| vec![x.name().into(), y.name().into(), name(*in_a), name(*in_b)]),
    );
    output.columns(&rows)?;
    Ok(ExitCode::SUCCESS)
}
