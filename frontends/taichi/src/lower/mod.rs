//! From tasks of the frontend's IR to tasks of the engine: kernels with effects over fields' memory.

mod kernel;
mod ops;

pub use ops::engine_type;

use crate::error::{Error, Misuse};
use crate::ir::{Code, Data, Id, Ir, Limit, TaskKind};
use crate::span::Span;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::{Bound, Order, Site, Task};
use ivy_taichi_types::Placed;

/// The tasks of a kernel, and what they need beside its fields' memories and its arguments.
#[derive(Debug)]
pub struct Lowered {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// What records name.
    pub sites: Vec<Site>,
    /// Where in the source each site is.
    pub spans: Vec<Option<Span>>,
    /// The types of the memories that tasks share, which follow the fields', and how many elements each has.
    pub shared: Vec<(Type, usize)>,
}

/// Where a temporary is: which of the shared memories, and which element.
type Slot = (usize, usize);

/// The places of the temporaries, and the shared memories with their numbers of elements.
fn slots(ir: &Ir) -> (Vec<Slot>, Vec<(Type, usize)>) {
    let mut places: Vec<Slot> = Vec::new();
    let mut shared: Vec<(Type, usize)> = Vec::new();
    for &ty in &ir.temporaries {
        let ty = engine_type(ty);
        let memory = shared.iter().position(|&(other, _)| other == ty).unwrap_or_else(|| {
            shared.push((ty, 0));
            shared.len() - 1
        });
        places.push((memory, shared[memory].1));
        shared[memory].1 += 1;
    }
    (places, shared)
}

/// How many memories a kernel's fields have.
pub fn memories(ir: &Ir) -> usize {
    ir.fields.iter().map(|field| field.memory + 1).max().unwrap_or(0)
}

/// Lowers a kernel that consists of tasks.
///
/// # Errors
/// [`Error::Kernel`] for what the engine has no statements for, with its place.
pub fn lower_tasks(ir: &Ir, order: Order) -> Result<Lowered, Error> {
    let (places, shared) = slots(ir);
    let mut lowered = Lowered { tasks: Vec::new(), sites: Vec::new(), spans: Vec::new(), shared };
    let first = memories(ir);
    for (id, kind) in ir.tasks() {
        let (begin, end) = match kind {
            TaskKind::Serial => (0, Bound::Fixed(1)),
            TaskKind::RangeFor { begin, end: Limit::Known(end) } => (begin, Bound::Fixed(end)),
            TaskKind::ListGen { end: Limit::Known(end), .. } => (0, Bound::Fixed(end)),
            TaskKind::RangeFor { end: Limit::Temporary(n), .. }
            | TaskKind::ListGen { end: Limit::Temporary(n), .. } => {
                let (memory, element) = places[n];
                let begin = if let TaskKind::RangeFor { begin, .. } = kind { begin } else { 0 };
                (begin, Bound::Memory { memory: first + memory, element })
            }
            TaskKind::StructFor { .. } => return Err(unlowered(ir, id)),
        };
        let (kernel, arguments) = kernel::kernel(ir, id, &places, &mut lowered)?;
        let order = if carries(ir, id) { Order::Serial } else { order };
        lowered.tasks.push(Task { kernel, begin: Bound::Fixed(begin), end, arguments, order });
    }
    Ok(lowered)
}

/// Whether iterations of a task read a variable from outside of the loop that other iterations assign, other than by atomics: in any order
/// but that of the loop they would read whatever is there.
fn carries(ir: &Ir, task: Id) -> bool {
    let within = ir.within(ir.statement(task).blocks[0]);
    let of = |code: Code| {
        let used = within.iter().map(|&id| ir.statement(id)).filter(move |s| s.code == code);
        used.filter_map(|s| match ir.statement(s.operands[0]).data {
            Data::Number(variable) if ir.statement(s.operands[0]).code == Code::Temporary => Some(variable),
            _ => None,
        })
        .collect::<Vec<usize>>()
    };
    let assigned = of(Code::LocalStore);
    of(Code::LocalLoad).iter().any(|variable| assigned.contains(variable))
}

fn unlowered(ir: &Ir, id: Id) -> Error {
    misuse(ir, id, Misuse::NoForm { what: format!("`{}`", ir.statement(id).code.name()) })
}

/// An error about a statement.
fn misuse(ir: &Ir, id: Id, what: Misuse) -> Error {
    match ir.statement(id).span {
        Some(span) => Error::Kernel(Box::new(Placed { place: span.place(), what })),
        None => Error::Misuse(what),
    }
}
