//! Running the calls.

use crate::cell::{Cell, CellState, Report};
use crate::expect::{Combination, Expectation, expect};
use crate::judge::{Fault, check_refusal, host_values, is_complete, try_case};
use crate::rng::Rng;
use crate::rule_sets::{is_asked, try_rules};
use crate::sample::{cases, combinations};
use ivy_core::backend::BackendRef;
use ivy_core::function::{Bound, functions};
use ivy_core::plan::State;
use ivy_core::{Context, Defaults, Dtype, Function, Rules, Scalar, context};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The backends.
    pub backends: Vec<BackendRef>,
    /// The functions; all if empty.
    pub functions: Vec<String>,
    /// The sets of rules. Of `precise`, which stands for no framework, values are checked; of every other, the dtypes of
    /// results.
    pub rules: Vec<Rules>,
    /// The seed of the values, and of the choice where not all is run.
    pub seed: u64,
    /// The fraction of the combinations that is tried. With the precise rules those of one dtype always are, and one of each
    /// function; with every
    /// other set of rules it is a tenth of the fraction, if that is below one.
    pub fraction: f64,
    /// How many threads; all cores if 0.
    pub threads: usize,
}

impl Options {
    /// Every function with every combination of dtypes and every set of rules.
    pub fn full(backends: Vec<BackendRef>) -> Options {
        let rules = Rules::ALL.to_vec();
        Options { backends, functions: Vec::new(), rules, seed: 20_251_120, fraction: 1.0, threads: 0 }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Functions done, over all backends.
    pub done: usize,
    /// Functions in all.
    pub total: usize,
    /// The function just done.
    pub function: &'static str,
    /// Failed cells so far.
    pub failed: usize,
}

#[derive(Default)]
struct Findings {
    cells: Vec<Cell>,
    outside: u64,
    calls: u64,
}

/// Runs conformance; `progress` is told after each function.
///
/// A function without truth or without calls to try is a failed cell, so that a new function
/// cannot be left out in silence.
pub fn run(options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Report {
    quiet_panics();
    let start = Instant::now();
    let wanted = |f: &&'static Function| {
        options.functions.is_empty() || options.functions.iter().any(|name| name == f.name)
    };
    let all: Vec<&'static Function> = functions().into_iter().filter(wanted).collect();
    let jobs: Vec<(usize, &'static Function)> =
        (0..options.backends.len()).flat_map(|b| all.iter().map(move |&f| (b, f))).collect();
    let (next, done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let found: Mutex<Vec<(usize, Findings)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(b, function)) = jobs.get(i) else { break };
            let findings = try_function(function, &options.backends[b], options);
            let bad = findings.cells.iter().filter(|c| c.state == CellState::Failed).count();
            found.lock().unwrap_or_else(|e| e.into_inner()).push((i, findings));
            progress(Progress {
                done: done.fetch_add(1, Ordering::Relaxed) + 1,
                total: jobs.len(),
                function: function.name,
                failed: failed.fetch_add(bad, Ordering::Relaxed) + bad,
            });
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let threads = if options.threads == 0 { cores } else { options.threads };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut found = found.into_inner().unwrap_or_else(|e| e.into_inner());
    found.sort_by_key(|f| f.0);
    let device = |b: &BackendRef| b.devices().first().map_or_else(|| "cpu".into(), |d| d.to_string());
    let backends =
        options.backends.iter().map(|b| (b.name().to_string(), b.version().to_string(), device(b))).collect();
    let mut report = Report {
        backends,
        seed: options.seed,
        fraction: options.fraction,
        rules: options.rules.iter().map(|r| r.name()).collect(),
        seconds: start.elapsed().as_secs_f64(),
        commit: commit(),
        ..Report::default()
    };
    for (_, findings) in found {
        report.cells.extend(findings.cells);
        report.outside += findings.outside;
        report.calls += findings.calls;
    }
    report
}

/// The commit of the sources, from the environment of CI or from git.
fn commit() -> Option<String> {
    let git = || {
        let out = std::process::Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_string())
    };
    std::env::var("GITHUB_SHA").ok().filter(|s| !s.is_empty()).or_else(git)
}

thread_local! {
    static QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Panics inside tried calls are findings, not messages.
pub(crate) fn quiet_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
}

/// Runs code that may panic; the panic's message is the error.
pub(crate) fn caught<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(false);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
    })
}

/// What is wrong with the calls whose operands all have this dtype; `None` if nothing is.
pub(crate) fn fault_of_dtype(
    function: &'static Function,
    dtype: Dtype,
    backend: &BackendRef,
) -> Option<String> {
    let of_dtype = |c: &Combination| c.operands.iter().flatten().chain(&c.dtype).all(|&d| d == dtype);
    let seed = Options::full(Vec::new()).seed;
    let mut findings = Findings::default();
    combinations(function).into_iter().filter(of_dtype).find_map(|c| {
        let cell = caught(|| try_combination(function, &c, backend, seed, &mut findings));
        match cell {
            Ok(cell) => cell.filter(|c| c.state == CellState::Failed).map(|c| c.reason),
            Err(panic) => Some(format!("panic: {panic}")),
        }
    })
}

fn try_function(function: &'static Function, backend: &BackendRef, options: &Options) -> Findings {
    let mut findings = Findings::default();
    let all = combinations(function);
    let draws: Vec<Rng> = all.iter().map(|c| draw(function, c, options.seed)).collect();
    // No function is left out.
    let always = draws.iter().enumerate().min_by_key(|(_, draw)| (*draw).clone().bits()).map(|(i, _)| i);
    for &rules in &options.rules {
        let context = Context::new().backend(backend).rules(rules).defaults(Defaults::of(rules));
        context::with(&context, || {
            for (i, (c, draw)) in all.iter().zip(&draws).enumerate() {
                let tried = || match rules {
                    Rules::Precise => try_combination(function, c, backend, options.seed, &mut findings),
                    _ => try_dtypes(function, c, backend, rules, &mut findings),
                };
                let is_first = rules == Rules::Precise && always == Some(i);
                if !is_first && !chosen(function, c, rules, options.fraction, draw) {
                    continue;
                }
                let cell = caught(tried).unwrap_or_else(|panic| {
                    let failed = (CellState::Failed, format!("panic: {panic}"));
                    Some(cell_of(function, c, backend, failed))
                });
                findings.cells.extend(cell.map(|c| Cell { rules: rules.name(), ..c }));
            }
        });
    }
    findings
}

/// The cell of a call under a framework's rules, whose results' dtypes are checked.
fn try_dtypes(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
    rules: Rules,
    findings: &mut Findings,
) -> Option<Cell> {
    findings.calls += 1;
    let found = match try_rules(function, c, backend, rules) {
        Ok(Some(state)) => state_of(state),
        Ok(None) => {
            findings.outside += 1;
            return None;
        }
        Err(Fault::Refused(reason)) => (CellState::Refused, reason),
        Err(Fault::Failed { reason, .. }) => (CellState::Failed, reason),
    };
    Some(cell_of(function, c, backend, found))
}

/// The state of a right cell, with what is to be said of it.
fn state_of(state: State) -> (CellState, String) {
    let (state, reason) = match state {
        State::Native => (CellState::Native, ""),
        State::Composed => (CellState::Composed, ""),
        State::Emulated(how) => (CellState::Emulated, how),
        State::Host(why) => (CellState::Host, why),
    };
    (state, reason.to_string())
}

/// What a combination's choice is drawn from.
fn draw(function: &'static Function, c: &Combination, seed: u64) -> Rng {
    let names = c.names();
    let words: Vec<&str> =
        ["choice", function.name].into_iter().chain(names.iter().map(String::as_str)).collect();
    Rng::new(seed, &words)
}

fn chosen(function: &'static Function, c: &Combination, rules: Rules, fraction: f64, draw: &Rng) -> bool {
    let mut given = c.operands.iter().flatten().chain(c.dtype.iter());
    let first = given.next();
    let drawn = |fraction: f64| fraction >= 1.0 || draw.for_word(rules.name()).unit() < fraction;
    match rules {
        Rules::Precise => given.all(|d| Some(d) == first) || drawn(fraction),
        // What is seldom is asked first.
        _ => drawn(if fraction < 1.0 { fraction / 10.0 } else { 1.0 }) && is_asked(function, c, rules),
    }
}

fn cell_of(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
    (state, reason): (CellState, String),
) -> Cell {
    Cell {
        function: function.name,
        rules: Rules::Precise.name(),
        backend: backend.name().to_string(),
        device: backend.devices().first().map_or_else(|| "cpu".into(), |d| d.to_string()),
        dtypes: c.names(),
        state,
        error: 0.0,
        bound: bound_text(function.bound),
        reason,
    }
}

fn bound_text(bound: Bound) -> String {
    match bound {
        Bound::Exact => "exact".into(),
        Bound::Ulp { float32, float64 } => {
            format!("{float32} ulp (float64 {float64}, complex 4 of the norm)")
        }
        Bound::Sum => "eps sum|x| times n, or 4(1+log2 n) on pairwise backends".into(),
        Bound::Matmul => "k eps |A||B|".into(),
        Bound::Residual => "a residual of 16 n eps of the norm".into(),
        Bound::Composed(units) => format!("{units} eps"),
    }
}

fn try_combination(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
    seed: u64,
    findings: &mut Findings,
) -> Option<Cell> {
    let cell = |state, reason| Some(cell_of(function, c, backend, (state, reason)));
    let tried = cases(function, c, seed);
    let values: Vec<Scalar> = tried.first().map(host_values).unwrap_or_default();
    if let Expectation::Refuse(refusal) = expect(function, c, &values) {
        findings.calls += 1;
        return match check_refusal(function, c, backend, refusal) {
            Ok(()) => {
                findings.outside += 1;
                None
            }
            Err(reason) => cell(CellState::Failed, reason),
        };
    }
    if tried.is_empty() {
        return cell(CellState::Failed, "no truth: nothing says which calls to try".into());
    }
    let mut state = None;
    let mut worst = 0.0f64;
    for case in &tried {
        findings.calls += 1;
        match try_case(function, c, backend, case) {
            Ok((found, error)) => {
                worst = worst.max(error);
                state.get_or_insert(found);
            }
            Err(Fault::Refused(reason)) if !is_complete(backend) => {
                return cell(CellState::Refused, reason);
            }
            Err(Fault::Refused(reason)) => {
                return cell(CellState::Failed, format!("refused inside the domain: {reason}"));
            }
            Err(Fault::Failed { reason, error }) => {
                let failed = cell_of(function, c, backend, (CellState::Failed, reason));
                return Some(Cell { error, ..failed });
            }
        }
    }
    let state = state.expect("a case was tried");
    Some(Cell { error: worst, ..cell_of(function, c, backend, state_of(state)) })
}
