//! Where in a Python program a call was made, for errors that are told later.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::cell::Cell;

thread_local! {
    /// Whether this thread has given the interpreter's lock away.
    static DETACHED: Cell<bool> = const { Cell::new(false) };
}

/// Does work without the interpreter's lock: all that gives it away goes through here.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    /// Puts back what was before, in a panic too.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            DETACHED.set(self.0);
        }
    }
    py.detach(|| {
        let _before = Before(DETACHED.replace(true));
        work()
    })
}

/// The file and line of the innermost frame that is not this package's: `program.py:12`. `None` on a thread that does not have
/// the interpreter's lock, since whoever waits for that may be waited for.
pub(crate) fn line() -> Option<String> {
    // SAFETY: it may be called on any thread, and gives null on those that Python does not know.
    let is_pythons = unsafe { !ffi::PyGILState_GetThisThreadState().is_null() };
    if !is_pythons || DETACHED.get() {
        return None;
    }
    Python::attach(|py| frame(py).ok().flatten())
}

fn frame(py: Python<'_>) -> PyResult<Option<String>> {
    static PACKAGE: PyOnceLock<String> = PyOnceLock::new();
    let package = PACKAGE.get_or_try_init(py, || -> PyResult<String> {
        let file: String = py.import("ivyrs")?.getattr("__file__")?.extract()?;
        Ok(file.trim_end_matches("__init__.py").to_owned())
    })?;
    let mut frame = py.import("sys")?.call_method0("_getframe")?;
    while !frame.is_none() {
        let file: String = frame.getattr("f_code")?.getattr("co_filename")?.extract()?;
        if !file.starts_with(package.as_str()) {
            return Ok(Some(format!("{file}:{}", frame.getattr("f_lineno")?)));
        }
        frame = frame.getattr("f_back")?;
    }
    Ok(None)
}
