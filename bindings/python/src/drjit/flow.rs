//! Control flow of Python's functions on lists of arrays: what `ivyrs/drjit/_flow.py` makes Dr.Jit's of.
//!
//! Python's functions may write to arrays that are no part of the state, by scatters above all. Frames note such writes:
//! those of a loop's body make the array a part of the state, those of a branch are done under the mask of its threads.

use super::convert::{arg, array, arrays, here, object};
use super::error::failure;
use super::object::DrjitArray;
use crate::context;
use crate::error::{Failure, Fallible, value_error};
use ivy::ErrorKind;
use ivy_drjit::{AnyArray, Error, Mode, Traverse};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

thread_local! {
    /// What a function raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
    /// The number that the next object gets.
    static SERIAL: Cell<u64> = const { Cell::new(0) };
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// A call of a function whose writes to what was there before are noted.
struct Frame {
    start: u64,
    writes: Vec<Write>,
}

/// A write to an object that is older than the frame.
struct Write {
    object: Py<DrjitArray>,
    before: AnyArray,
    /// Whether scatters only have written.
    scattered: bool,
}

/// The number of a new object, by which frames know what is older.
pub(super) fn serial() -> u64 {
    SERIAL.replace(SERIAL.get() + 1)
}

/// Notes that an object is about to be written to.
pub(super) fn note_write(
    object: &Bound<'_, DrjitArray>,
    serial: u64,
    before: impl FnOnce() -> Fallible<AnyArray>,
    scattered: bool,
) -> Fallible<()> {
    let concerned = |frame: &Frame| frame.start > serial;
    if !FRAMES.with_borrow(|frames| frames.iter().any(concerned)) {
        return Ok(());
    }
    let before = before()?;
    FRAMES.with_borrow_mut(|frames| {
        for frame in frames.iter_mut().filter(|frame| concerned(frame)) {
            match frame.writes.iter_mut().find(|write| write.object.is(object)) {
                Some(write) => write.scattered &= scattered,
                None => frame.writes.push(Write {
                    object: object.clone().unbind(),
                    before: before.clone(),
                    scattered,
                }),
            }
        }
    });
    Ok(())
}

/// Calls something within a frame; gives what it wrote to, too.
fn framed<T>(work: impl FnOnce() -> T) -> (T, Vec<Write>) {
    FRAMES.with_borrow_mut(|frames| frames.push(Frame { start: SERIAL.get(), writes: Vec::new() }));
    let done = work();
    let frame = FRAMES.with_borrow_mut(Vec::pop);
    (done, frame.map_or_else(Vec::new, |frame| frame.writes))
}

/// Takes writes back.
fn undo(py: Python<'_>, writes: &[Write]) -> Fallible<()> {
    writes.iter().try_for_each(|write| DrjitArray::set_unnoted(write.object.bind(py), write.before.clone()))
}

/// Arrays with the names by which errors tell of them.
#[derive(Clone)]
struct Named {
    names: Arc<Vec<String>>,
    arrays: Vec<AnyArray>,
}

impl Traverse for Named {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        self.arrays.iter().for_each(visit);
    }

    fn map(
        &self,
        change: &mut dyn FnMut(&AnyArray) -> ivy_drjit::Result<AnyArray>,
    ) -> ivy_drjit::Result<Named> {
        let arrays = self.arrays.iter().map(change).collect::<ivy_drjit::Result<_>>()?;
        Ok(Named { names: self.names.clone(), arrays })
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        let name = |i: usize| self.names.get(i).cloned().unwrap_or_else(|| format!("{prefix}[{i}]"));
        paths.extend((0..self.arrays.len()).map(name));
    }
}

fn mode(name: &str) -> Fallible<Mode> {
    Ok(match name {
        "auto" => Mode::Auto,
        "symbolic" => Mode::Symbolic,
        "evaluated" => Mode::Evaluated,
        "scalar" => Mode::Scalar,
        _ => return value_error(format!("mode is '{name}': 'scalar', 'symbolic' or 'evaluated' is needed")),
    })
}

/// An exception as an error: what another mode may do is told as such.
fn carried(py: Python<'_>, error: PyErr) -> Error {
    let kind = error.value(py).getattr("kind").and_then(|kind| kind.extract::<String>()).unwrap_or_default();
    RAISED.set(Some(error));
    match kind.as_str() {
        "CapturedGradient" => Error::CapturedGradient { function: "while_loop" },
        "NotTransformable" => {
            let (transformation, reason) = ("a transformation", "has no rule for what the function does");
            let kind = ErrorKind::NotTransformable { function: "drjit", transformation, reason, remedy: "" };
            Error::Core(kind.into())
        }
        _ => Error::InvalidArgument {
            function: "drjit",
            argument: "function",
            value: "one that raises".into(),
            rule: "it must not",
        },
    }
}

/// Calls Python within a call of Dr.Jit's.
pub(super) fn called<T>(python: impl FnOnce(Python<'_>) -> Fallible<T>) -> ivy_drjit::Result<T> {
    // An error that nobody minds, as of a loop that is not recorded after all, is forgotten.
    RAISED.take();
    Python::attach(|py| python(py).map_err(|error| carried(py, error.into())))
}

/// A call of Dr.Jit's that calls Python.
pub(super) fn run<T>(py: Python<'_>, work: impl FnOnce() -> ivy_drjit::Result<T>) -> Fallible<T> {
    let scope = context::enter(py, None)?;
    RAISED.take();
    let done = work();
    drop(scope);
    done.map_err(|error| match RAISED.take() {
        Some(raised) => Failure::from(raised),
        None => failure(error),
    })
}

fn list<'py>(py: Python<'py>, arrays: &[AnyArray]) -> Fallible<Bound<'py, PyList>> {
    let objects = arrays.iter().map(|x| object(py, x.clone())).collect::<Fallible<Vec<_>>>()?;
    Ok(PyList::new(py, objects)?)
}

/// A condition of Python as an array.
fn condition(py: Python<'_>, x: &Bound<'_, PyAny>) -> Fallible<AnyArray> {
    let x = arg(x)?;
    here(py, || ivy_drjit::as_condition(x))
}

/// A loop, and what its functions write to that is no part of the state.
struct WhileLoop<'a> {
    cond: &'a Py<PyAny>,
    body: &'a Py<PyAny>,
    count: usize,
    captured: Vec<Py<DrjitArray>>,
    /// Which of them have been written to by scatters only.
    scattered: Vec<bool>,
    /// Whether the condition writes to arrays, of the state or captured: the body begins with it, then.
    cond_writes: Cell<bool>,
}

impl WhileLoop<'_> {
    /// Calls one of the functions on a state, in which captured arrays stand last; says whether it writes to arrays of either.
    fn call<T>(
        &self,
        py: Python<'_>,
        state: &Named,
        found: &RefCell<Vec<Write>>,
        wrote: &Cell<bool>,
        function: impl FnOnce(Bound<'_, PyList>) -> Fallible<T>,
    ) -> Fallible<(T, Vec<AnyArray>)> {
        let before = self.captured.iter().map(|own| own.bind(py).borrow().value(py));
        let before = before.collect::<Fallible<Vec<_>>>()?;
        let (own, captured) = state.arrays.split_at(self.count);
        for (object, now) in self.captured.iter().zip(captured) {
            DrjitArray::set_unnoted(object.bind(py), now.clone())?;
        }
        let given = list(py, own)?;
        let (result, mut writes) = framed(|| function(given.clone()));
        wrote.set(wrote.get() || !writes.is_empty());
        // The arguments are the function's own.
        writes.retain(|write| !given.iter().any(|x| x.is(&write.object)));
        let after = self.captured.iter().map(|own| own.bind(py).borrow().value(py));
        let after = after.collect::<Fallible<Vec<_>>>()?;
        let known = |write: &Write| self.captured.iter().any(|own| own.is(&write.object));
        let (_, new): (Vec<Write>, Vec<Write>) = writes.into_iter().partition(known);
        undo(py, &new)?;
        for (object, before) in self.captured.iter().zip(before) {
            DrjitArray::set_unnoted(object.bind(py), before)?;
        }
        let result = result?;
        if !new.is_empty() {
            found.borrow_mut().extend(new);
            return super::error::again();
        }
        Ok((result, after))
    }

    fn run(&self, py: Python<'_>, state: Named, mode: Mode, found: &RefCell<Vec<Write>>) -> Fallible<Named> {
        let targets = (self.count..).zip(&self.scattered).filter(|(_, own)| **own).map(|(i, _)| i);
        let targets: Vec<usize> = targets.collect();
        let cond = |state: &Named| {
            called(|py| {
                let tested = |state: Bound<'_, PyList>| condition(py, &self.cond.bind(py).call1((state,))?);
                Ok(self.call(py, state, found, &self.cond_writes, tested)?.0)
            })
        };
        let body = |state: &Named| {
            called(|py| {
                let again = self.cond_writes.get();
                let step = |list: Bound<'_, PyList>| {
                    arrays(self.body.bind(py).call1((list, again))?.cast::<PyList>()?)
                };
                let (mut own, captured) = self.call(py, state, found, &Cell::new(false), step)?;
                own.extend(captured);
                Ok(Named { names: state.names.clone(), arrays: own })
            })
        };
        run(py, || ivy_drjit::while_loop_with_targets(state, &targets, cond, body, mode))
    }
}

/// The number of a new object of Python's, by which [`is_captured`] knows it.
#[pyfunction]
#[pyo3(name = "serial")]
fn new_serial() -> u64 {
    serial()
}

/// Whether an object of such a number is older than a function of a loop or conditional that is running.
#[pyfunction]
fn is_captured(serial: u64) -> bool {
    FRAMES.with_borrow(|frames| frames.iter().any(|frame| frame.start > serial))
}

/// Whether a function is being recorded once for all rounds of a loop or all threads of a branch.
#[pyfunction]
fn is_recording() -> bool {
    ivy_drjit::is_recording()
}

/// while_loop(arrays, names, cond, body, mode): `body(arrays, again)` begins with the condition where it has to run again, since it writes to
/// arrays.
#[pyfunction]
fn while_loop<'py>(
    py: Python<'py>,
    state: &Bound<'py, PyList>,
    names: Vec<String>,
    cond: Py<PyAny>,
    body: Py<PyAny>,
    mode: &str,
) -> Fallible<Bound<'py, PyList>> {
    let mode = self::mode(mode)?;
    let state = arrays(state)?;
    let count = state.len();
    let mut own = WhileLoop {
        cond: &cond,
        body: &body,
        count,
        captured: Vec::new(),
        scattered: Vec::new(),
        cond_writes: Cell::new(false),
    };
    loop {
        let mut all = state.clone();
        for captured in &own.captured {
            all.push(captured.bind(py).borrow().value(py)?);
        }
        let found = RefCell::new(Vec::new());
        let named = Named { names: Arc::new(names.clone()), arrays: all };
        let done = own.run(py, named, mode, &found);
        let found = found.into_inner();
        if found.is_empty() {
            let done = done?;
            let (results, captured) = done.arrays.split_at(count);
            for (object, now) in own.captured.iter().zip(captured) {
                DrjitArray::set(object.bind(py), now.clone())?;
            }
            return list(py, results);
        }
        for write in found {
            if !own.captured.iter().any(|known| known.is(&write.object)) {
                own.captured.push(write.object);
                own.scattered.push(write.scattered);
            }
        }
    }
}

/// A function of a branch, called with its arrays.
fn branch(py: Python<'_>, function: &Py<PyAny>, arguments: &Named) -> Fallible<Named> {
    let made = function.bind(py).call1((list(py, &arguments.arrays)?,))?;
    let (arrays, names): (Bound<'_, PyList>, Vec<String>) = made.extract()?;
    Ok(Named { names: Arc::new(names), arrays: self::arrays(&arrays)? })
}

/// Ends a branch under a mask: what was written to other than by scatters is so for the threads of the mask.
fn select_writes(py: Python<'_>, writes: Vec<Write>, mask: &AnyArray) -> Fallible<()> {
    for write in writes.into_iter().filter(|write| !write.scattered) {
        let now = write.object.bind(py).borrow().value(py)?;
        let chosen = here(py, || ivy_drjit::select(mask, now, &write.before)?.cast_to(write.before.ty()))?;
        DrjitArray::set(write.object.bind(py), chosen)?;
    }
    Ok(())
}

/// Runs branches recorded; if they write to what is no part of their arguments, once more under masks.
fn branches(
    py: Python<'_>,
    mode: Mode,
    host: bool,
    work: impl Fn(Mode, bool) -> ivy_drjit::Result<Named>,
) -> Fallible<Named> {
    if host || mode == Mode::Evaluated {
        return run(py, || work(mode, !host));
    }
    let (done, writes) = framed(|| run(py, || work(mode, false)));
    if writes.is_empty() {
        return done;
    }
    undo(py, &writes)?;
    run(py, || work(Mode::Evaluated, true))
}

/// if_stmt(arrays, names, cond, true_fn, false_fn, mode)
#[pyfunction]
fn if_stmt<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyList>,
    names: Vec<String>,
    cond: &Bound<'py, PyAny>,
    yes: Py<PyAny>,
    no: Py<PyAny>,
    mode: &str,
) -> Fallible<Bound<'py, PyList>> {
    let mode = self::mode(mode)?;
    let arguments = Named { names: Arc::new(names), arrays: arrays(arguments)? };
    let cond = condition(py, cond)?;
    let host = mode == Mode::Scalar || cond.ty().backend_v() == ivy_drjit::JitBackend::None;
    let work = |mode: Mode, masked: bool| {
        let one = |function: &Py<PyAny>, taken: bool| {
            let (cond, function) = (cond.clone(), function.clone_ref(py));
            move |arguments: &Named| {
                called(|py| {
                    if !masked {
                        return branch(py, &function, arguments);
                    }
                    let (made, writes) = framed(|| branch(py, &function, arguments));
                    let mask = if taken { Ok(cond.clone()) } else { ivy_drjit::invert(&cond) };
                    select_writes(py, writes, &mask.map_err(failure)?)?;
                    made
                })
            }
        };
        ivy_drjit::if_stmt(arguments.clone(), &cond, one(&yes, true), one(&no, false), mode)
    };
    let made = branches(py, mode, host, work)?;
    list(py, &made.arrays)
}

/// switch(index, functions, arrays, names, mode)
#[pyfunction]
fn switch<'py>(
    py: Python<'py>,
    index: &Bound<'py, PyAny>,
    functions: Vec<Py<PyAny>>,
    arguments: &Bound<'py, PyList>,
    names: Vec<String>,
    mode: &str,
) -> Fallible<Bound<'py, PyList>> {
    let mode = self::mode(mode)?;
    let arguments = Named { names: Arc::new(names), arrays: arrays(arguments)? };
    let index = array(index)?;
    let work = |mode: Mode, masked: bool| {
        let one = |(number, function): (u32, &Py<PyAny>)| {
            let (index, function) = (index.clone(), function.clone_ref(py));
            move |arguments: &Named| {
                called(|py| {
                    if !masked {
                        return branch(py, &function, arguments);
                    }
                    let (made, writes) = framed(|| branch(py, &function, arguments));
                    select_writes(py, writes, &ivy_drjit::eq(&index, number).map_err(failure)?)?;
                    made
                })
            }
        };
        let calls: Vec<_> = (0..).zip(&functions).map(one).collect();
        let calls: Vec<ivy_drjit::Branch<'_, Named, Named>> = calls.iter().map(|call| call as _).collect();
        ivy_drjit::switch(&index, &calls, arguments.clone(), mode)
    };
    let made = branches(py, mode, mode == Mode::Scalar, work)?;
    list(py, &made.arrays)
}

/// Calls a function in which gathers and scatters are those of the threads of a mask.
#[pyfunction]
fn masked(py: Python<'_>, mask: &Bound<'_, PyAny>, function: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
    let mask = arg(mask)?;
    let made = here(py, || ivy_drjit::masked(mask, || function.call0()))?;
    Ok(made?.unbind())
}

/// Evaluates what is pending of arrays, in one kernel where it can be; whether anything was.
#[pyfunction]
fn eval(py: Python<'_>, list: &Bound<'_, PyList>) -> Fallible<bool> {
    let arrays = arrays(list)?;
    let waits = ivy_drjit::pending(&arrays) > 0;
    if waits {
        super::convert::evaluated(py, || ivy_drjit::eval(&arrays))?;
    }
    Ok(waits)
}

/// Makes arrays data: no literal of theirs is a constant of what is computed with them.
#[pyfunction]
fn make_opaque(py: Python<'_>, list: &Bound<'_, PyList>) -> Fallible<()> {
    let opaque = arrays(list)?;
    let opaque = super::convert::evaluated(py, || ivy_drjit::make_opaque(&opaque))?;
    for (x, now) in list.iter().zip(opaque) {
        DrjitArray::set(x.cast::<DrjitArray>()?, now)?;
    }
    Ok(())
}

/// Makes literals constants that are compiled into kernels.
#[pyfunction]
fn make_literal(list: &Bound<'_, PyList>) -> Fallible<()> {
    let literals = ivy_drjit::make_literal(&arrays(list)?).map_err(super::error::failure)?;
    for (x, now) in list.iter().zip(literals) {
        DrjitArray::set(x.cast::<DrjitArray>()?, now)?;
    }
    Ok(())
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for function in [
        wrap_pyfunction!(new_serial, module)?,
        wrap_pyfunction!(is_captured, module)?,
        wrap_pyfunction!(is_recording, module)?,
        wrap_pyfunction!(while_loop, module)?,
        wrap_pyfunction!(if_stmt, module)?,
        wrap_pyfunction!(switch, module)?,
        wrap_pyfunction!(masked, module)?,
        wrap_pyfunction!(eval, module)?,
        wrap_pyfunction!(make_opaque, module)?,
        wrap_pyfunction!(make_literal, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
