//! The report as one HTML page that needs nothing else: data, style and script are inside.

use crate::cell::{CellState, Report};
use ivy_core::Dtype;
use serde_json::{Value, json};
use std::collections::HashMap;

const PAGE: &str = include_str!("page.html");

/// The page: for each backend a grid of function by dtype, failures first.
pub fn html(report: &Report) -> String {
    // `<` would end the script in which the data stand.
    let data = compact(report).to_string().replace('<', "\\u003c");
    PAGE.replacen("{{DATA}}", &data, 1)
}

/// Words as numbers, so that the page stays small.
#[derive(Default)]
struct Words {
    list: Vec<String>,
    known: HashMap<String, usize>,
}

impl Words {
    fn id(&mut self, word: &str) -> usize {
        if let Some(&id) = self.known.get(word) {
            return id;
        }
        self.list.push(word.to_string());
        self.known.insert(word.to_string(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// The report with every word once: a cell is
/// `[function, column, dtypes, state, error, bound, reason, rules]`.
fn compact(report: &Report) -> Value {
    let mut words = Words::default();
    let columns: Vec<&str> = Dtype::all().map(Dtype::name).collect();
    let mut backends = Vec::new();
    for (name, version, device) in &report.backends {
        let cells: Vec<Value> = report
            .cells
            .iter()
            .filter(|c| c.backend == *name)
            .map(|c| {
                let first = c.dtypes.first().map_or("", |d| d.trim_start_matches("dtype="));
                // Calls without any dtype stand in a last column of their own.
                let column = columns.iter().position(|d| *d == first).unwrap_or(columns.len());
                let state = CellState::ALL.iter().position(|s| *s == c.state);
                let error = match c.error {
                    0.0 => json!(0),
                    e if e.is_finite() => json!(format!("{e:.3}").parse::<f64>().unwrap_or(e)),
                    _ => json!(-1),
                };
                let dtypes = c.dtypes.join(", ");
                json!([
                    words.id(c.function),
                    column,
                    words.id(&dtypes),
                    state,
                    error,
                    words.id(&c.bound),
                    words.id(&c.reason),
                    report.rules.iter().position(|r| *r == c.rules)
                ])
            })
            .collect();
        backends.push(json!({"name": name, "version": version, "device": device, "cells": cells}));
    }
    json!({
        "ivy": env!("CARGO_PKG_VERSION"),
        "commit": report.commit,
        "seed": report.seed,
        "fraction": report.fraction,
        "calls": report.calls,
        "outside": report.outside,
        "rules": report.rules,
        "states": CellState::ALL.map(CellState::name),
        "columns": columns,
        "words": words.list,
        "backends": backends,
    })
}
