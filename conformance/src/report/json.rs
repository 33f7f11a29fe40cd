//! The report as JSON.

use crate::cell::{Cell, CellState, Report};
use serde_json::{Map, Value, json as value};

/// The whole report: what ran, totals by backend and state, and one object for each cell.
pub fn json(report: &Report) -> Value {
    let counts = |backend: Option<&str>| -> Value {
        CellState::ALL
            .iter()
            .map(|&s| (s.name().to_string(), report.count(backend, s).into()))
            .collect::<Map<_, _>>()
            .into()
    };
    let backends: Vec<Value> = report
        .backends
        .iter()
        .map(|(name, version, device)| {
            value!({"name": name, "version": version, "device": device, "totals": counts(Some(name))})
        })
        .collect();
    let rules: Vec<Value> = report
        .rules
        .iter()
        .map(|rules| {
            let count = |&s: &CellState| (s.name().to_string(), report.count_of_rules(rules, s).into());
            value!({"name": rules, "totals": CellState::ALL.iter().map(count).collect::<Map<_, _>>()})
        })
        .collect();
    value!({
        "ivy": env!("CARGO_PKG_VERSION"),
        "commit": report.commit,
        "seed": report.seed,
        "fraction": report.fraction,
        "seconds": report.seconds,
        "passed": report.passed(),
        "calls": report.calls,
        "refused_outside_the_domain": report.outside,
        "backends": backends,
        "totals": counts(None),
        "rules": rules,
        "cells": report.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

fn cell(cell: &Cell) -> Value {
    // JSON has no infinity: a wrong value has no finite error.
    let error = if cell.error.is_finite() { cell.error.into() } else { Value::from("inf") };
    value!({
        "function": cell.function,
        "rules": cell.rules,
        "backend": cell.backend,
        "device": cell.device,
        "dtypes": cell.dtypes,
        "state": cell.state.name(),
        "error": error,
        "bound": cell.bound,
        "reason": cell.reason,
    })
}
