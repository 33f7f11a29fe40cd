//! What conformance finds: one cell for each function, backend, set of rules and combination of dtypes.

use std::fmt;

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellState {
    /// Right, by the backend's own op.
    Native,
    /// Right, as calls of other functions.
    Composed,
    /// Right, by the backend's ops on other dtypes.
    Emulated,
    /// Right, by the reference kernels on the host.
    Host,
    /// Refused inside the domain, with the backend's explanation.
    Refused,
    /// Wrong: a value, a dtype, an unexplained error, a panic, or nothing to judge it by.
    Failed,
}

impl CellState {
    /// Every state, in the order of reports.
    pub const ALL: [CellState; 6] = [
        CellState::Native,
        CellState::Composed,
        CellState::Emulated,
        CellState::Host,
        CellState::Refused,
        CellState::Failed,
    ];

    /// The name, as reports spell it.
    pub const fn name(self) -> &'static str {
        match self {
            CellState::Native => "native",
            CellState::Composed => "composed",
            CellState::Emulated => "emulated",
            CellState::Host => "host",
            CellState::Refused => "refused",
            CellState::Failed => "failed",
        }
    }
}

impl fmt::Display for CellState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The function.
    pub function: &'static str,
    /// The set of rules.
    pub rules: &'static str,
    /// The backend.
    pub backend: String,
    /// Its device.
    pub device: String,
    /// The operands' dtypes in order, `-` for one left out, and `dtype=...` where it was given.
    pub dtypes: Vec<String>,
    /// The state.
    pub state: CellState,
    /// The largest error of a value, in units of the bound; infinite for a wrong value.
    pub error: f64,
    /// The bound, in words.
    pub bound: String,
    /// How it is emulated, why it was refused, or what failed; empty for what needs no words.
    pub reason: String,
}

/// All findings of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The cells, by backend, function and dtypes.
    pub cells: Vec<Cell>,
    /// Name, version and device of each backend.
    pub backends: Vec<(String, String, String)>,
    /// How many calls outside the domains were refused as they must be.
    pub outside: u64,
    /// The sets of rules under which the dtypes of results were checked.
    pub rules: Vec<&'static str>,
    /// How many calls were made.
    pub calls: u64,
    /// The seed.
    pub seed: u64,
    /// The fraction of the combinations that was tried.
    pub fraction: f64,
    /// The commit, where it is known.
    pub commit: Option<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl Report {
    /// How many cells of a backend (of all, for `None`) have a state.
    pub fn count(&self, backend: Option<&str>, state: CellState) -> usize {
        let own = |c: &&Cell| backend.is_none_or(|b| c.backend == b) && c.state == state;
        self.cells.iter().filter(own).count()
    }

    /// How many cells of a set of rules have a state.
    pub fn count_of_rules(&self, rules: &str, state: CellState) -> usize {
        self.cells.iter().filter(|c| c.rules == rules && c.state == state).count()
    }

    /// The cells that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|c| c.state == CellState::Failed)
    }

    /// True if nothing failed.
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }
}
