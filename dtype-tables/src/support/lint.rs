//! Finds what a table says by accident: overlaps, rows that never speak, silent falls.

use super::{
    device::Devices,
    finding::{Finding, FindingKind},
    interval::{Cut, Interval, gaps},
    key::VersionKey,
    table::{Row, Table},
    version::{Phase, Point, Version},
};
use std::fmt;

/// All findings about a table, by line. `known` says which functions exist; `installed` is the
/// version of the backend that runs or was measured, if there is one.
///
/// A row of several functions yields a finding once, with the functions counted in its text.
///
/// ```
/// use ivy_dtype_tables::support::{Level, lint, parse_table};
/// let table = parse_table(
///     "mine.tsv",
///     "functions\tform\tdevices\tversions\tdtypes\toverride\n\
///      expm1\tunsupported\tall\t2.2 and below\tfloat16\t-\n",
/// )
/// .unwrap();
/// let findings = lint(&table, &|name| name == "expm1", None);
/// assert_eq!(
///     findings[0].to_string(),
///     "mine.tsv:2: note: 2.2 and below: no key of expm1 holds versions above `2.2 and below`; they take this, the last key"
/// );
/// assert!(findings.iter().all(|f| f.level() < Level::Error));
/// ```
pub fn lint(table: &Table, known: &dyn Fn(&str) -> bool, installed: Option<&Version>) -> Vec<Finding> {
    let mut found: Vec<(Finding, String)> = Vec::new();
    for function in table.functions() {
        let rows: Vec<&Row> = table.rows_of(function).collect();
        let mut add = |kind, row: &Row, key: &dyn fmt::Display, text: String| {
            let (file, key) = (table.file.clone(), key.to_string());
            found.push((Finding { kind, file, line: row.line, key, text }, function.to_string()));
        };
        if !known(function) {
            add(FindingKind::UnknownFunction, rows[0], &function, "no function has this name".into());
        }
        pairs(&rows, &mut add);
        keys(&rows, installed, &mut add);
    }
    merge(found)
}

type Add<'a> = dyn FnMut(FindingKind, &Row, &dyn fmt::Display, String) + 'a;

/// Findings about two rows of a function and one device.
fn pairs(rows: &[&Row], add: &mut Add) {
    for (j, second) in rows.iter().enumerate() {
        for first in &rows[..j] {
            let both: Devices = first.devices.intersection(second.devices);
            if both.is_empty() {
                continue;
            }
            let (a, b) = (&first.versions, &second.versions);
            if a == b {
                let text = format!("line {} has `{a}` on {both} already", first.line);
                add(FindingKind::DeviceTwice, second, &both, text);
            } else if !a.is_exact() && !b.is_exact() && a.interval().overlaps(&b.interval()) {
                let text = format!("overlaps `{a}` of line {} on {both}; the first is taken", first.line);
                add(FindingKind::Overlap, second, b, text);
            }
        }
    }
}

/// Findings about the keys of a function, whatever the device, since the version comes first.
fn keys(rows: &[&Row], installed: Option<&Version>, add: &mut Add) {
    let mut distinct: Vec<&Row> = Vec::new();
    for row in rows {
        if !distinct.iter().any(|r| r.versions == row.versions) {
            distinct.push(row);
        }
    }
    let Some(last) = distinct.last() else { return };
    for (i, row) in distinct.iter().enumerate() {
        let speaks_first = |(j, r): &(usize, &&Row)| match (r.versions.is_exact(), row.versions.is_exact()) {
            (true, false) => true,
            (false, true) => false,
            _ => *j < i,
        };
        let before: Vec<Interval> =
            distinct.iter().enumerate().filter(speaks_first).map(|(_, r)| r.versions.interval()).collect();
        let whole = row.versions.interval();
        let left = gaps(whole.clone(), &before);
        // Where the key holds releases, pre-releases alone are nothing left.
        if left.is_empty() || whole.holds_release() && !left.iter().any(Interval::holds_release) {
            let only =
                if std::ptr::eq(*row, *last) { ", so only the fall to the last key takes it" } else { "" };
            let text = format!("the keys that speak before it hold all its versions{only}");
            add(FindingKind::Unreachable, row, &row.versions, text);
        }
    }
    let all: Vec<Interval> = distinct.iter().map(|r| r.versions.interval()).collect();
    // No version precedes the pre-releases of 0.
    let lowest = Cut::At(Point::new(Vec::new(), Phase::FLOOR), false);
    for gap in gaps(Interval { low: lowest, high: Cut::High }, &all) {
        if !gap.holds_release() {
            continue;
        }
        let side = |pick: fn(&Interval) -> &Cut, cut: &Cut| {
            distinct.iter().find(|r| pick(&r.versions.interval()) == cut).map(|r| &r.versions)
        };
        let (under, over) = (side(|i| &i.high, &gap.low), side(|i| &i.low, &gap.high));
        let kind = if gap.high == Cut::High { FindingKind::FallAbove } else { FindingKind::Gap };
        let sides = [under.map(|a| format!("above `{a}`")), over.map(|b| format!("below `{b}`"))];
        let place = sides.into_iter().flatten().collect::<Vec<_>>().join(" and ");
        let text = format!("no key of FUNCTION holds versions {place}; they take this, the last key");
        add(kind, last, &last.versions, text);
    }
    if let Some(version) = installed.filter(|v| distinct.iter().all(|r| r.versions.is_older_than(v))) {
        let text = format!("the last key is older than the backend, which is {version}");
        add(FindingKind::OlderThanInstalled, last, &last.versions, text);
    }
}

/// Findings that differ by function only become one.
fn merge(found: Vec<(Finding, String)>) -> Vec<Finding> {
    let mut out: Vec<(Finding, Vec<String>)> = Vec::new();
    for (finding, function) in found {
        match out.iter_mut().find(|(f, _)| *f == finding) {
            Some((_, functions)) => functions.push(function),
            None => out.push((finding, vec![function])),
        }
    }
    let mut findings: Vec<Finding> = out
        .into_iter()
        .map(|(mut finding, functions)| {
            let names = match functions.len() {
                1..4 => functions.join(", "),
                n => format!("{} and {} more", functions[..2].join(", "), n - 2),
            };
            finding.text = finding.text.replace("FUNCTION", &names);
            finding
        })
        .collect();
    findings.sort_by(|a, b| (a.line, a.kind, &a.key).cmp(&(b.line, b.kind, &b.key)));
    findings
}

impl VersionKey {
    /// Whether some version that this key holds is held by the other too.
    ///
    /// ```
    /// use ivy_dtype_tables::support::VersionKey;
    /// let key = |text: &str| text.parse::<VersionKey>().unwrap();
    /// assert!(key("1.12.1 and below").overlaps(&key("1.12.1 and above")));
    /// assert!(!key("2.4.2 and below").overlaps(&key("2.5.0 and above")));
    /// ```
    pub fn overlaps(&self, other: &VersionKey) -> bool {
        self.interval().overlaps(&other.interval())
    }
}
