//! Making programs, and running them.

use super::memory::refused;
use super::{Argument, Bound, CompiledTask, Memory, Order, Report, Scalar, Site, Target, Task, TaskLaunch};
use crate::cache::Disk;
use crate::ir::{Access, Effects, Kernel, Param, RECORD, Type, verify};
use crate::passes::{Choice, inline};
use ivy_core::Result;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Records of a task that there is room for.
const RECORDS: usize = 1024;

/// A task, and its kernel's code.
struct Step {
    code: Arc<dyn CompiledTask>,
    effects: Effects,
    begin: Bound,
    end: Bound,
    arguments: Vec<Argument>,
    /// Which of the parameters' memories the kernel writes to.
    writes: Vec<bool>,
}

/// A sequence of tasks, ready to run.
pub struct Program {
    target: Arc<dyn Target>,
    steps: Vec<Step>,
    sites: Vec<Site>,
    /// What each memory must be: its type, where a task has a say in that.
    memories: Vec<Option<Type>>,
    scalars: Vec<Option<Type>>,
    threads: bool,
    /// Logs of launches that have ended, without records.
    logs: Mutex<Vec<Memory>>,
}

/// Logs that are kept.
const SPARE: usize = 4;

impl Program {
    /// Makes the tasks' kernels ready, with the passes that are chosen; equal ones are one. Sites are what
    /// records name.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a kernel that breaks a rule or has no
    /// effects, for arguments that are not of its parameters' kinds or name one memory twice, for blocks whose
    /// number memory says or that order would make dependent on it, and for one memory or scalar of two types;
    /// what a device says of its code.
    pub fn new(
        target: &Arc<dyn Target>,
        tasks: Vec<Task>,
        sites: Vec<Site>,
        choice: Choice,
        disk: Option<&Disk>,
    ) -> Result<Program> {
        let (mut memories, mut scalars) = (Vec::new(), Vec::new());
        let mut made: HashMap<Kernel, Arc<dyn CompiledTask>> = HashMap::new();
        let mut steps = Vec::new();
        for task in tasks {
            let Task { mut kernel, begin, end, arguments, order } = task;
            check(&kernel)?;
            // What functions write to counts, and in which order.
            inline(&mut kernel);
            let effects = effects_of(&kernel, order)?;
            fit(&kernel.params, &arguments, &mut memories, &mut scalars)?;
            for bound in [begin, end] {
                match bound {
                    Bound::Fixed(_) => {}
                    Bound::Scalar(n) => note(&mut scalars, n, &[Type::I64])?,
                    Bound::Memory { memory, .. } => note(&mut memories, memory, &[Type::I64, Type::I32])?,
                }
            }
            if matches!(begin, Bound::Memory { .. })
                || effects.block > 1 && matches!(end, Bound::Memory { .. })
            {
                let rule = "memory says where a range ends, of elements that are no blocks";
                return Err(refused("range", format!("{begin:?} to {end:?}"), rule));
            }
            kernel.effects = Some(effects);
            let writes = kernel.written();
            let code = match made.get(&kernel) {
                Some(code) => code.clone(),
                None => {
                    let code: Arc<dyn CompiledTask> = target.compile(kernel.clone(), choice, disk)?.into();
                    made.insert(kernel, code.clone());
                    code
                }
            };
            steps.push(Step { code, effects, begin, end, arguments, writes });
        }
        Ok(Program {
            target: target.clone(),
            steps,
            sites,
            memories,
            scalars,
            threads: true,
            logs: Mutex::default(),
        })
    }

    /// Chooses whether tasks that are long enough, and whose elements are in no order, run on all threads.
    pub fn with_threads(self, threads: bool) -> Program {
        Program { threads, ..self }
    }

    /// How many kernels there are.
    pub fn kernels(&self) -> usize {
        let codes: HashSet<_> = self.steps.iter().map(|s| Arc::as_ptr(&s.code).cast::<()>()).collect();
        codes.len()
    }

    /// Why tasks' kernels are interpreted that LLVM was to make.
    pub fn fallbacks(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| step.code.fallback())
    }

    /// True if a task's elements run one after the other.
    pub fn is_serial(&self, task: usize) -> bool {
        self.steps.get(task).is_some_and(|step| step.effects.serial)
    }

    /// Runs the tasks one after the other. A fault ends none of them: see [`Report::fault`].
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) where memories or scalars are missing, of
    /// another type or of another target, before anything runs; where a range has no whole blocks, or memory
    /// has no element that says how long it is; no memory, and what a launch on the device ends with.
    pub fn run(&self, memories: &mut [Memory], scalars: &[Scalar]) -> Result<Report> {
        let of =
            |all: &[Option<Type>], n: usize, ty: Type| all.get(n).is_none_or(|t| t.is_none_or(|t| t == ty));
        let fits = memories.len() >= self.memories.len()
            && scalars.len() >= self.scalars.len()
            && memories
                .iter()
                .enumerate()
                .all(|(n, m)| of(&self.memories, n, m.ty()) && self.target.owns(m.place()))
            && scalars.iter().enumerate().all(|(n, s)| of(&self.scalars, n, s.ty));
        if !fits {
            let given = format!("{} memories and {} scalars", memories.len(), scalars.len());
            return Err(refused(
                "memories",
                given,
                "a program runs on memory and scalars of its tasks' types",
            ));
        }
        let mut report = Report::default();
        let mut logs = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            let mut log = match step.arguments.contains(&Argument::Log) {
                true => Some(self.log()?),
                false => None,
            };
            step.code.launch(TaskLaunch {
                effects: step.effects,
                range: [step.begin, step.end],
                arguments: &step.arguments,
                writes: &step.writes,
                memories,
                scalars,
                log: log.as_mut(),
                threads: self.threads,
            })?;
            logs.extend(log.map(|log| (n, log)));
        }
        for (n, log) in logs {
            log.with_bytes(|bytes| report.read(n, bytes, &self.sites))?;
            let mut spare = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
            if spare.len() < SPARE {
                spare.extend(log.emptied());
            }
        }
        Ok(report)
    }

    /// A log without records: those of launches before are used again, since only their first word counts.
    fn log(&self) -> Result<Memory> {
        let spare = self.logs.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.map_or_else(|| Memory::zeros(&*self.target, Type::I64, 1 + RECORDS * RECORD), Ok)
    }
}

const WELL_FORMED: &str = "a kernel with effects that keeps the rules of `ir::verify`";

fn check(kernel: &Kernel) -> Result<()> {
    verify(kernel).map_err(|broken| refused("kernel", format!("{broken:?}"), WELL_FORMED))
}

/// How the elements of a kernel without calls run, if it has effects.
fn effects_of(kernel: &Kernel, order: Order) -> Result<Effects> {
    let effects = kernel.effects.ok_or_else(|| refused("kernel", "no effects".into(), WELL_FORMED))?;
    let serial = match order {
        Order::Serial => true,
        Order::Fast => false,
        Order::Deterministic => kernel.order_matters(),
    };
    if serial && effects.block > 1 {
        let rule =
            "elements of blocks run together: where their order matters, a task asks for `Order::Fast`";
        return Err(refused("order", format!("{order:?}"), rule));
    }
    Ok(Effects { serial: effects.serial || serial, ..effects })
}

/// Notes the types of memories and scalars that a task's parameters ask for.
fn fit(
    params: &[Param],
    arguments: &[Argument],
    memories: &mut Vec<Option<Type>>,
    scalars: &mut Vec<Option<Type>>,
) -> Result<()> {
    let wrong = |rule| refused("arguments", format!("{arguments:?}"), rule);
    if params.len() != arguments.len() {
        return Err(wrong("one for each parameter"));
    }
    for (n, (p, argument)) in params.iter().zip(arguments).enumerate() {
        match (p.access, *argument) {
            (Access::Memory, Argument::Memory(memory)) => {
                if arguments[..n].contains(argument) {
                    return Err(wrong("memory is that of one parameter of a kernel"));
                }
                note(memories, memory, &[p.ty])?;
            }
            (Access::Uniform, Argument::Scalar(scalar)) => note(scalars, scalar, &[p.ty])?,
            (Access::Counter(_), Argument::Element) | (Access::Log, Argument::Log) => {}
            _ => return Err(wrong("of the parameters' kinds")),
        }
    }
    Ok(())
}

/// Notes that one of some values has one of some types, the first unless it is known.
fn note(all: &mut Vec<Option<Type>>, n: usize, types: &[Type]) -> Result<()> {
    const MOST: usize = 1 << 16;
    if n >= MOST {
        return Err(refused("arguments", n.to_string(), "at most 65536 memories and scalars"));
    }
    if all.len() <= n {
        all.resize(n + 1, None);
    }
    match (all[n], types) {
        (Some(ty), types) if !types.contains(&ty) => {
            Err(refused("arguments", format!("number {n} is {ty}"), "memories and scalars have one type"))
        }
        (None, [ty]) => {
            all[n] = Some(*ty);
            Ok(())
        }
        _ => Ok(()),
    }
}
