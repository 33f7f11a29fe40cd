//! What differs between two measured tables.

use super::measured::{MeasuredRow, MeasuredTable, dtype_index};
use std::fmt;

/// A row that two measured tables do not share. Printed as
/// `FUNCTION DTYPE: first -> second`, with `absent` where a table has no such row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The function.
    pub function: String,
    /// The dtype.
    pub dtype: &'static str,
    /// What the first table says, if it has the row.
    pub first: Option<String>,
    /// What the second table says, if it has the row.
    pub second: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |s: &Option<String>| s.clone().unwrap_or_else(|| "absent".into());
        write!(f, "{} {}: {} -> {}", self.function, self.dtype, side(&self.first), side(&self.second))
    }
}

impl MeasuredRow {
    /// Without the line: state, result, how.
    fn outcome(&self, how: bool) -> String {
        let result = if self.result.is_empty() { "-".to_string() } else { self.result.join(",") };
        match self.how.as_deref().filter(|_| how) {
            Some(h) => format!("{} {result} ({h})", self.state),
            None => format!("{} {result}", self.state),
        }
    }
}

impl MeasuredTable {
    /// The rows that differ. Whether a call runs and its result dtypes are compared always; how
    /// it runs only between equal CPU features, since values decide about that.
    pub fn compare(&self, other: &MeasuredTable) -> Vec<Difference> {
        let exact = self.cpu == other.cpu;
        let same = |a: &MeasuredRow, b: &MeasuredRow| {
            a.state.runs() == b.state.runs()
                && a.result == b.result
                && (!exact || a.state == b.state && a.how == b.how)
        };
        let mut out = Vec::new();
        let mut differ = |row: &MeasuredRow, first: Option<&MeasuredRow>, second: Option<&MeasuredRow>| {
            let text = |r: Option<&MeasuredRow>| r.map(|r| r.outcome(exact));
            let (first, second) = (text(first), text(second));
            out.push(Difference { function: row.function.clone(), dtype: row.dtype, first, second });
        };
        for a in self.rows() {
            match other.lookup(&a.function, a.dtype) {
                Some(b) if same(a, b) => {}
                b => differ(a, Some(a), b),
            }
        }
        for b in other.rows().iter().filter(|b| self.lookup(&b.function, b.dtype).is_none()) {
            differ(b, None, Some(b));
        }
        out.sort_by(|a, b| (&a.function, dtype_index(a.dtype)).cmp(&(&b.function, dtype_index(b.dtype))));
        out
    }
}
