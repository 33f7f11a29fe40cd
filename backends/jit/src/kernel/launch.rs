//! Kernels that are ready, and launches of them on the memory of arrays.

use super::value::for_numbers;
use super::{KernelError, Result};
use crate::adapter::JitBackend;
use crate::engine::Engine;
use crate::engine::memory::{elements_of, memory_of};
use crate::ir;
use crate::lower::memory;
use crate::passes::{Choice, inline};
use crate::program::{Argument, Bound, Memory, Order, Program, Scalar as Bits, Site, SiteKind, Task};
use crate::runtime::Elements;
use ivy_core::{Array, Dtype, ErrorKind, Scalar, Shape};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a parameter is.
#[derive(Clone)]
pub(super) enum Parameter {
    Array { name: String, dtype: Dtype, written: bool },
    Scalar { name: String, dtype: Dtype },
}

impl Parameter {
    pub(super) fn name(&self) -> &str {
        match self {
            Parameter::Array { name, .. } | Parameter::Scalar { name, .. } => name,
        }
    }

    /// As errors tell it.
    fn expected(&self) -> String {
        match self {
            Parameter::Array { dtype, written: false, .. } => format!("an array of {dtype}"),
            Parameter::Array { dtype, .. } => format!("an array of {dtype} that is written to, `&mut`"),
            Parameter::Scalar { dtype, .. } => format!("a number of {dtype}"),
        }
    }
}

/// What a launch gives to a parameter.
pub enum LaunchArgument<'a> {
    /// An array that is read.
    Input(&'a Array),
    /// An array that is written to: the handle has its new value afterwards. Whoever else has the array keeps the old
    /// one; nothing is copied where nobody does.
    InOut(&'a mut Array),
    /// A number.
    Number(Scalar),
}

impl<'a> From<&'a Array> for LaunchArgument<'a> {
    fn from(array: &'a Array) -> LaunchArgument<'a> {
        LaunchArgument::Input(array)
    }
}

impl<'a> From<&'a mut Array> for LaunchArgument<'a> {
    fn from(array: &'a mut Array) -> LaunchArgument<'a> {
        LaunchArgument::InOut(array)
    }
}

macro_rules! arguments {
    ($($t:ty)*) => {$(
        impl From<$t> for LaunchArgument<'_> {
            fn from(number: $t) -> Self {
                LaunchArgument::Number(Scalar::from(number))
            }
        }
    )*};
}
for_numbers!(arguments);

impl LaunchArgument<'_> {
    fn array(&self) -> Option<&Array> {
        match self {
            LaunchArgument::Input(array) => Some(array),
            LaunchArgument::InOut(array) => Some(array),
            LaunchArgument::Number(_) => None,
        }
    }

    /// As errors tell it.
    fn given(&self) -> String {
        match self {
            LaunchArgument::Input(array) => format!("an array of {} to read", array.dtype()),
            LaunchArgument::InOut(array) => format!("an array of {}", array.dtype()),
            LaunchArgument::Number(number) => format!("the number {number}"),
        }
    }
}

/// A program for a target.
struct Prepared {
    /// The engine that it was made for: others have other caches on disk.
    engine: Weak<Engine>,
    program: Arc<Program>,
}

/// Kernels for so many engines are kept.
const KEPT: usize = 8;

/// A kernel that writes to the memory of arrays. It is compiled for an engine when it is launched there for the first
/// time.
pub struct ArrayKernel {
    name: String,
    kernel: ir::Kernel,
    parameters: Vec<Parameter>,
    sites: Vec<Site>,
    /// For sites of indices, the parameter whose memory is meant.
    indexed: Vec<Option<usize>>,
    order: Order,
    is_serial: bool,
    ready: Mutex<Vec<Prepared>>,
}

impl std::fmt::Debug for ArrayKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.kernel)
    }
}

impl ArrayKernel {
    pub(super) fn new(
        name: String,
        kernel: ir::Kernel,
        parameters: Vec<Parameter>,
        sites: Vec<Site>,
        indexed: Vec<Option<usize>>,
        order: Order,
    ) -> ArrayKernel {
        let is_serial = match order {
            Order::Serial => true,
            Order::Fast => false,
            Order::Deterministic => {
                let mut whole = kernel.clone();
                inline(&mut whole);
                whole.order_matters()
            }
        };
        ArrayKernel { name, kernel, parameters, sites, indexed, order, is_serial, ready: Mutex::default() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does, in the engine's IR: its text is that of a kernel.
    pub fn ir(&self) -> &ir::Kernel {
        &self.kernel
    }

    /// True if its elements run one after the other on one thread, since what it leaves in memory depends on their order
    /// ([`Order`]).
    pub fn is_serial(&self) -> bool {
        self.is_serial
    }

    /// Runs the kernel once for each number of a range, with an argument for each parameter, in the order of their
    /// declaration: `&array` for an input, `&mut array` for an array that is written to, and a number. Gives the lines
    /// that were printed.
    ///
    /// Where an assertion does not hold or an index is out of range, all other elements have run, and arrays that are
    /// written to have what these left.
    ///
    /// # Errors
    /// [`KernelError::Fault`] for the first of those, of the 1024 that are kept, where there are more. Before anything
    /// runs, and with no array changed: [`KernelError::Count`], [`KernelError::Argument`] and [`KernelError::Range`] for
    /// arguments that do not fit; [`KernelError::Core`] for arrays that are not of one `jit` backend, and where there is no memory.
    pub fn launch<const N: usize>(
        &self,
        range: Range<i64>,
        mut arguments: [LaunchArgument<'_>; N],
    ) -> Result<Vec<String>> {
        let scalars = self.checked(&range, &arguments)?;
        let engine = self.engine(&arguments)?;
        let program = self.program(&engine)?;
        let mut arrays = Vec::new();
        for argument in &arguments {
            if let Some(array) = argument.array() {
                arrays.push(elements(engine_of(array).unwrap_or(&engine), array)?);
            }
        }
        // Handles that are written to let go of their memory, which is unshared then if nobody else has it. Nothing between
        // here and where they have it again returns early.
        let nothing = engine.literal(Dtype::BOOL, Shape::from([0]), Scalar::Bool(false))?;
        let mut owners = Vec::new();
        for argument in &mut arguments {
            if let LaunchArgument::InOut(array) = argument {
                owners.push(engine_of(array).unwrap_or(&engine).clone());
                let nothing = of_variable(array, nothing.clone());
                drop(std::mem::replace(*array, nothing));
            }
        }
        let mut owners = owners.into_iter();
        let mut memories = Vec::with_capacity(arrays.len());
        let mut failed = None;
        let written: Vec<bool> = arguments.iter().filter_map(LaunchArgument::writes).collect();
        let mut shapes = Vec::with_capacity(arrays.len());
        for (array, &written) in arrays.into_iter().zip(&written) {
            shapes.push((array.dtype(), array.shape().clone()));
            match memory_of(array, written) {
                Ok(memory) => memories.push(memory),
                Err((error, memory)) => {
                    failed.get_or_insert(error);
                    memories.push(memory);
                }
            }
        }
        let lengths: Vec<usize> = memories.iter().map(Memory::len).collect();
        let report = match failed.take() {
            Some(error) => Err(error),
            None => program.run(&mut memories, &scalars),
        };
        let arrays = arguments.iter_mut().filter(|a| a.array().is_some());
        for ((argument, memory), (dtype, shape)) in arrays.zip(memories).zip(shapes) {
            if let LaunchArgument::InOut(array) = argument {
                match elements_of(memory, dtype, shape) {
                    Ok(elements) => {
                        let owner = owners.next().unwrap_or_else(|| engine.clone());
                        let value = of_variable(array, owner.place(elements));
                        **array = value;
                    }
                    Err(error) => failed = Some(error),
                }
            }
        }
        let report = failed.map_or(report, Err)?;
        match report.fault {
            None => Ok(report.printed),
            Some(mut fault) => {
                if fault.kind == SiteKind::Index
                    && let Some(parameter) = self.indexed.get(fault.site).copied().flatten()
                {
                    let number =
                        self.parameters[..parameter].iter().filter(|p| matches!(p, Parameter::Array { .. }));
                    let length = lengths.get(number.count()).copied().unwrap_or(0);
                    fault.text = format!("{}, which has {length} elements", fault.text);
                }
                Err(KernelError::Fault { kernel: self.name.clone(), fault })
            }
        }
    }

    /// Looks at a launch's range and arguments; gives the program's scalars.
    fn checked(&self, range: &Range<i64>, arguments: &[LaunchArgument<'_>]) -> Result<Vec<Bits>> {
        let kernel = || self.name.clone();
        let block = i64::from(self.kernel.effects.map_or(1, |e| e.block));
        let (begin, end) = (range.start, range.end);
        let rule = match end.checked_sub(begin) {
            None | Some(i64::MIN..0) => "a range ends where it begins, or later",
            Some(count) if count % block != 0 => "a range has whole blocks of elements",
            Some(_) => "",
        };
        if !rule.is_empty() {
            return Err(KernelError::Range { kernel: kernel(), begin, end, rule });
        }
        if arguments.len() != self.parameters.len() {
            let parameters = self.parameters.iter().map(|p| format!("`{}`", p.name())).collect();
            return Err(KernelError::Count { kernel: kernel(), parameters, given: arguments.len() });
        }
        let mut scalars = vec![Bits::int(begin), Bits::int(end)];
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            let fits = match (parameter, argument) {
                (Parameter::Array { dtype, written: false, .. }, LaunchArgument::Input(array)) => {
                    array.dtype() == *dtype
                }
                (Parameter::Array { dtype, written: true, .. }, LaunchArgument::InOut(array)) => {
                    array.dtype() == *dtype
                }
                (Parameter::Scalar { dtype, .. }, LaunchArgument::Number(number)) => {
                    match (super::builder::bits(*number, *dtype), memory(*dtype)) {
                        (Some(bits), Some((ty, _))) => {
                            scalars.push(Bits { ty, bits });
                            true
                        }
                        _ => false,
                    }
                }
                _ => false,
            };
            if !fits {
                return Err(KernelError::Argument {
                    kernel: kernel(),
                    parameter: parameter.name().into(),
                    expected: parameter.expected(),
                    given: argument.given(),
                });
            }
        }
        Ok(scalars)
    }

    /// The engine of the first array; those of all others have their arrays in the same place (ruling S38).
    fn engine(&self, arguments: &[LaunchArgument<'_>]) -> Result<Arc<Engine>> {
        let mut found: Option<(&Array, &Arc<Engine>)> = None;
        for array in arguments.iter().filter_map(LaunchArgument::array) {
            let own = engine_of(array);
            let device = |engine: &Arc<Engine>| engine.device().map(Arc::as_ptr);
            let left = match (own, found) {
                (None, _) => "jit".into(),
                (Some(own), Some((first, engine))) if device(own) != device(engine) => place(first),
                (Some(own), None) => {
                    found = Some((array, own));
                    continue;
                }
                _ => continue,
            };
            let mismatch = ErrorKind::BackendMismatch { function: "kernel", left, right: place(array) };
            return Err(ivy_core::Error::from(mismatch).into());
        }
        let none = || KernelError::Argument {
            kernel: self.name.clone(),
            parameter: "arguments".into(),
            expected: "at least one array, which says where the kernel runs".into(),
            given: "none".into(),
        };
        found.map(|(_, engine)| engine.clone()).ok_or_else(none)
    }

    /// The program for an engine.
    fn program(&self, engine: &Arc<Engine>) -> Result<Arc<Program>> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.retain(|one| one.engine.strong_count() > 0);
        let own = |one: &&Prepared| std::ptr::eq(one.engine.as_ptr(), Arc::as_ptr(engine));
        if let Some(found) = ready.iter().find(own) {
            return Ok(found.program.clone());
        }
        let (mut arrays, mut scalars) = (0, 2);
        let of = |p: &Parameter| match p {
            Parameter::Array { .. } => {
                arrays += 1;
                Argument::Memory(arrays - 1)
            }
            Parameter::Scalar { .. } => {
                scalars += 1;
                Argument::Scalar(scalars - 1)
            }
        };
        let mut arguments = vec![Argument::Element];
        arguments.extend(self.parameters.iter().map(of));
        if !self.sites.is_empty() {
            arguments.push(Argument::Log);
        }
        let (begin, end) = (Bound::Scalar(0), Bound::Scalar(1));
        let task = Task { kernel: self.kernel.clone(), begin, end, arguments, order: self.order };
        let (target, sites) = (engine.target(), self.sites.clone());
        let program = Program::new(&target, vec![task], sites, Choice::EFFECTS, engine.disk())?;
        let program = Arc::new(program);
        if ready.len() == KEPT {
            ready.remove(0);
        }
        ready.push(Prepared { engine: Arc::downgrade(engine), program: program.clone() });
        Ok(program)
    }
}

impl LaunchArgument<'_> {
    /// Of an array, whether it is written to.
    fn writes(&self) -> Option<bool> {
        self.array().map(|_| matches!(self, LaunchArgument::InOut(_)))
    }
}

/// The engine of an array that is a variable of one.
fn engine_of(array: &Array) -> Option<&Arc<Engine>> {
    let backend = array.backend().as_any().downcast_ref::<JitBackend>();
    backend.filter(|_| JitBackend::variable(array).is_some()).map(JitBackend::engine)
}

/// Where an array is, as errors tell it.
fn place(array: &Array) -> String {
    let (name, device) = (array.backend().name(), array.backend().devices().into_iter().next());
    device.map_or_else(|| name.to_string(), |device| format!("{name}:{device}"))
}

/// An array of a variable of an engine, on the backend of another array.
fn of_variable(like: &Array, variable: crate::engine::Variable) -> Array {
    let value = crate::adapter::value(variable);
    Array::from_value(like.backend().clone(), value)
}

/// An array's elements where the engine has them, in row-major order from the beginning of their memory on.
fn elements(engine: &Arc<Engine>, array: &Array) -> Result<Elements> {
    let none = || ErrorKind::no_memory("kernel", array.size() as u128 * array.dtype().bytes() as u128);
    let variable = JitBackend::variable(array).ok_or_else(none).map_err(ivy_core::Error::from)?;
    Ok(engine.in_order(engine.compute(variable)?)?)
}
