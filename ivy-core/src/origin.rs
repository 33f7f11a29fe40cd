//! Where in a program a call was made, and of which function, for errors that a lazy backend tells of in a
//! later one.

use crate::Op;
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    /// The function for which this thread runs an op.
    static FUNCTION: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// The function that errors of an op name: the one for which this thread runs it, else the op itself. A lazy
/// backend keeps the name for the errors that it tells of later, of the op and of those that it is made of.
pub fn function(op: &Op) -> &'static str {
    FUNCTION.get().unwrap_or(op.name())
}

/// Calls what runs ops for a function.
///
/// ```
/// use ivy_core::{Op, origin};
/// let take = Op::Take { axis: 0 };
/// assert_eq!(origin::named("searchsorted", || origin::function(&take)), "searchsorted");
/// assert_eq!(origin::function(&take), "take");
/// ```
pub fn named<T>(function: &'static str, f: impl FnOnce() -> T) -> T {
    let _before = Before(FUNCTION.replace(Some(function)));
    f()
}

/// Puts back what was before, in a panic too.
struct Before(Option<&'static str>);

impl Drop for Before {
    fn drop(&mut self) {
        FUNCTION.set(self.0);
    }
}

/// Crates whose frames are no user's, where a frame's name has its crate.
const CRATES: &[&str] = &[
    "alloc",
    "backtrace_rs",
    "core",
    "ivy",
    "ivy_backend_jit",
    "ivy_core",
    "ivy_drjit",
    "ivy_frontend",
    "ivy_frontend_jax",
    "ivy_frontend_numpy",
    "ivy_frontend_paddle",
    "ivy_frontend_tensorflow",
    "ivy_frontend_torch",
    "ivy_nn",
    "ivy_taichi",
    "ivy_taichi_types",
    "std",
];
/// Parts of the paths of their sources, since names in lean tables of lines have no crate: in this project's tree, and as cargo
/// keeps them by their names and versions.
const SOURCES: &[&str] = &[
    "/rustc/",
    "ivy-core/src/",
    "ivy-core-",
    "backends/jit/src/",
    "ivy-backend-jit-",
    "frontends/core/src/",
    "frontends/drjit/src/",
    "frontends/jax/src/",
    "frontends/numpy/src/",
    "frontends/paddle/src/",
    "frontends/taichi/src/",
    "frontends/taichi/types/src/",
    "frontends/tensorflow/src/",
    "frontends/torch/src/",
    "ivy-frontend-",
    "ivy-taichi-types-",
    "ivy-nn-",
];

/// What finds the place of a call in a program of another language, whose frames a backtrace does not name.
static LOCATOR: OnceLock<Locator> = OnceLock::new();

/// The file and line of the innermost call that a program makes of the binding, on the thread that asks; `None` outside of one.
pub type Locator = fn() -> Option<String>;

/// Says how the places of calls are found that programs of another language make: for bindings. The first one counts.
///
/// ```standalone_crate
/// ivy_core::origin::set_locator(|| Some("program.lua:3".into()));
/// assert_eq!(ivy_core::origin::caller().as_deref(), Some("program.lua:3"));
/// ```
pub fn set_locator(locator: Locator) {
    LOCATOR.get_or_init(|| locator);
}

/// The file and line of the innermost call that no crate of this project or of the standard library
/// makes, or the one that a binding's [`set_locator`] finds. `None` where the program has no table of lines, as release builds
/// mostly have none.
///
/// It takes the time of a backtrace, milliseconds: for debugging.
///
/// ```
/// match ivy_core::origin::caller() {
///     Some(line) => assert!(line.contains(".rs:"), "{line}"),
///     None => println!("built without lines: `debug = \"line-tables-only\"` in the profile gives them"),
/// }
/// ```
pub fn caller() -> Option<String> {
    let located = LOCATOR.get().and_then(|locate| locate());
    located.or_else(|| find_caller(&Backtrace::force_capture().to_string()))
}

/// The same in a backtrace's text: lines `N: NAME`, each with a line `at FILE:LINE:COLUMN` after it
/// where that is known.
pub(crate) fn find_caller(trace: &str) -> Option<String> {
    let mut inner = true;
    for line in trace.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            // The C library may have lines where the program has none.
            let is_rust = place.contains(".rs:");
            if !inner && is_rust && !SOURCES.iter().any(|source| place.contains(source)) {
                // Without the column.
                return Some(place.rsplit_once(':').map_or(place, |(line, _)| line).into());
            }
        } else if let Some((_, name)) = line.split_once(": ") {
            inner = is_inner(name);
        }
    }
    None
}

/// True for the names of functions such as `ivy_core::call::call` and `<ivy_core::Array as From>::from`.
pub(crate) fn is_inner(name: &str) -> bool {
    let name = name.trim_start_matches(['<', '&', '[', '(']).trim_start_matches("mut ");
    let first = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    CRATES.contains(&first) || first.starts_with("__")
}
