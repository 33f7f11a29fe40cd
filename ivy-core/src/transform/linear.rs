//! The tape of linear ops: the second half of reverse mode.

use super::dual::{Lists, jvp_on};
use super::level::{Below, Wrapper, as_below, base_of};
use super::{jvp as rules, ops, refused, transpose};
use crate::backend::{Backend, BackendRef, Data, Value, Values};
use crate::host::HostArray;
use crate::{Array, Dtype, Op, Result, Shape, origin};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::{Arc, Mutex, PoisonError};

/// A backend that notes linear ops.
pub(super) struct LinearBackend {
    pub(super) below: Below,
}

/// An operand of a noted op.
#[derive(Clone)]
pub(super) enum Operand {
    /// An array that is known.
    Known(Array),
    /// What a place of the tape stands for.
    Noted {
        /// The place.
        at: usize,
        /// Its dtype.
        dtype: Dtype,
        /// Its shape.
        shape: Shape,
    },
}

impl Operand {
    pub(super) fn dtype(&self) -> Dtype {
        match self {
            Operand::Known(x) => x.dtype(),
            Operand::Noted { dtype, .. } => *dtype,
        }
    }

    pub(super) fn shape(&self) -> &Shape {
        match self {
            Operand::Known(x) => x.shape(),
            Operand::Noted { shape, .. } => shape,
        }
    }

    pub(super) fn is_noted(&self) -> bool {
        matches!(self, Operand::Noted { .. })
    }
}

/// A linear op and what it was applied to.
struct Applied {
    op: Op,
    operands: SmallVec<[Operand; 3]>,
}

/// What makes cotangents of arguments of those of results.
pub(super) type Transpose = Arc<dyn Fn(&[Array]) -> Result<Vec<Option<Array>>> + Send + Sync>;

/// A function with a transpose of its own. Its results are the places that follow, of these dtypes and shapes.
struct Custom {
    arguments: Vec<Option<(usize, Dtype, Shape)>>,
    results: Vec<(Dtype, Shape)>,
    transpose: Transpose,
}

/// What made a place of the tape.
enum Node {
    /// Nothing: an argument, or a result of the function before it.
    Given,
    Applied(Box<Applied>),
    Custom(Box<Custom>),
}

/// What a differentiated function has done to tangents, in order.
struct Tape {
    nodes: Mutex<Vec<Node>>,
}

impl Tape {
    fn push(&self, node: Node) -> usize {
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        nodes.push(node);
        nodes.len() - 1
    }
}

/// An array of the backend.
#[derive(Clone)]
enum Entry {
    Known(Array),
    Noted { tape: Arc<Tape>, at: usize },
}

fn entry(value: &Value) -> &Entry {
    match value.data::<Arc<Entry>>() {
        Some(entry) => entry,
        None => unreachable!("a value of another backend"),
    }
}

/// What a tangent is on a tape; `None` of one that a rule has made of no tangent, which is another backend's.
fn on_tape(tangent: &Array) -> Option<(&Arc<Tape>, usize)> {
    match &**tangent.value().data::<Arc<Entry>>()? {
        Entry::Noted { tape, at } => Some((tape, *at)),
        Entry::Known(_) => None,
    }
}

fn noted(tape: &Arc<Tape>, at: usize, dtype: Dtype, shape: Shape) -> Value {
    Value { dtype, shape, data: Data::new(Arc::new(Entry::Noted { tape: tape.clone(), at })) }
}

impl Backend for LinearBackend {
    as_below!();

    fn lift(&self, array: Array) -> Result<Value> {
        let (dtype, shape) = (array.dtype(), array.shape().clone());
        Ok(Value { dtype, shape, data: Data::new(Arc::new(Entry::Known(array))) })
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let entries: SmallVec<[&Entry; 4]> = operands.iter().map(|v| entry(v)).collect();
        let tape = entries.iter().find_map(|e| match e {
            Entry::Noted { tape, .. } => Some(tape),
            Entry::Known(_) => None,
        });
        let Some(tape) = tape else {
            let base = self.below.require()?;
            let known: SmallVec<[&Value; 4]> = entries
                .iter()
                .filter_map(|e| match e {
                    Entry::Known(x) => Some(x.value()),
                    Entry::Noted { .. } => None,
                })
                .collect();
            let results = base.execute(op, &known)?;
            return results.into_iter().map(|v| self.lift(Array::from_value(base.clone(), v))).collect();
        };
        let described: SmallVec<[_; 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        let mut signature = op.result(origin::function(op), &described)?;
        let is_noted: SmallVec<[bool; 4]> =
            entries.iter().map(|e| matches!(e, Entry::Noted { .. })).collect();
        if !transpose::is_linear(op, &is_noted) {
            return Err(refused(
                op.name(),
                "vjp",
                "has met an op on a tangent that is not linear",
                "Give a rule of `custom_jvp` linear functions of the tangents only",
            ));
        }
        let operands = entries.iter().zip(operands).map(|(entry, value)| match entry {
            Entry::Known(x) => Operand::Known(x.clone()),
            Entry::Noted { at, .. } => {
                Operand::Noted { at: *at, dtype: value.dtype, shape: value.shape.clone() }
            }
        });
        let at = tape.push(Node::Applied(Box::new(Applied { op: op.clone(), operands: operands.collect() })));
        let Some((dtype, shape)) = signature.pop() else { unreachable!("a linear op has one result") };
        Ok(std::iter::once(noted(tape, at, dtype, shape)).collect())
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        match entry(value) {
            Entry::Known(x) => x.to_host(),
            Entry::Noted { .. } => Err(refused(
                "to_host",
                "vjp",
                "knows no elements of a tangent",
                "Compute with the arguments of a rule instead of its tangents",
            )),
        }
    }
}

/// True for a tangent that depends on those of a tape.
pub(super) fn is_noted(x: &Array) -> bool {
    on_tape(x).is_some()
}

/// True for an array of a tape.
pub(super) fn is_linear(x: &Array) -> bool {
    x.backend().as_any().is::<LinearBackend>()
}

/// Notes a function with a transpose of its own, of tangents on a tape, and gives the tangents of its results.
pub(super) fn custom(
    tangents: &[Option<Array>],
    results: &[Array],
    transpose: Transpose,
) -> Result<Vec<Option<Array>>> {
    let place = |x: &Option<Array>| {
        let x = x.as_ref()?;
        on_tape(x).map(|(_, at)| (at, x.dtype(), x.shape().clone()))
    };
    let on = tangents.iter().flatten().find_map(|x| on_tape(x).map(|(tape, _)| (x.backend(), tape)));
    let Some((backend, tape)) = on else { return Ok(vec![None; results.len()]) };
    let arguments = tangents.iter().map(place).collect();
    let described = results.iter().map(|x| (x.dtype(), x.shape().clone())).collect();
    tape.push(Node::Custom(Box::new(Custom { arguments, results: described, transpose })));
    let outputs = results.iter().map(|x| {
        let at = tape.push(Node::Given);
        let changes = x.dtype().is_float() || x.dtype().is_complex();
        changes.then(|| {
            let value = noted(tape, at, x.dtype(), x.shape().clone());
            Array::from_value(backend.clone(), value)
        })
    });
    Ok(outputs.collect())
}

/// What takes cotangents of a function's results back to its arguments.
#[derive(Clone)]
pub(crate) struct Pullback {
    base: BackendRef,
    nodes: Arc<Vec<Node>>,
    /// The arguments: their places, dtypes and shapes.
    arguments: Vec<(usize, Dtype, Shape)>,
    /// Of each result the place, if it depends on an argument.
    results: Vec<Option<usize>>,
}

/// Calls a function, and gives besides its results what takes their cotangents back to the arguments, which are
/// floats or complex numbers.
pub(crate) fn vjp(f: Lists<'_>, primals: &[Array]) -> Result<(Vec<Array>, Pullback)> {
    let base = base_of(primals)?;
    let linear = base.wrapped(Wrapper::Linear);
    let tape = Arc::new(Tape { nodes: Mutex::default() });
    let mut arguments = Vec::with_capacity(primals.len());
    let tangents: Vec<Option<Array>> = primals
        .iter()
        .map(|x| {
            let at = tape.push(Node::Given);
            arguments.push((at, x.dtype(), x.shape().clone()));
            let value = noted(&tape, at, x.dtype(), x.shape().clone());
            Some(Array::from_value(linear.clone(), value))
        })
        .collect();
    let (outputs, changes) = jvp_on(&base, f, primals, &tangents)?;
    let results = changes.iter().map(|tangent| on_tape(tangent.as_ref()?).map(|(_, at)| at)).collect();
    let nodes = std::mem::take(&mut *tape.nodes.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((outputs, Pullback { base, nodes: Arc::new(nodes), arguments, results }))
}

/// What takes cotangents of an op's results back to those of its operands that are `wanted`, which are floats or complex
/// numbers. The op is computed where its rule needs elements of the results, and only there.
pub(crate) fn vjp_of_op(op: &Op, operands: &[Array], wanted: &[bool]) -> Result<Pullback> {
    let base = base_of(operands)?;
    let operands: SmallVec<[Cow<'_, Array>; 2]> =
        operands.iter().map(|x| x.lift_to(op.name(), &base)).collect::<Result<_>>()?;
    let operands: SmallVec<[&Array; 2]> = operands.iter().map(|x| &**x).collect();
    let linear = base.wrapped(Wrapper::Linear);
    let tape = Arc::new(Tape { nodes: Mutex::default() });
    let mut arguments = Vec::with_capacity(operands.len());
    let mut tangents = SmallVec::<[Option<Array>; 2]>::new();
    for (&x, wanted) in operands.iter().zip(wanted) {
        tangents.push(wanted.then(|| {
            let at = tape.push(Node::Given);
            arguments.push((at, x.dtype(), x.shape().clone()));
            Array::from_value(linear.clone(), noted(&tape, at, x.dtype(), x.shape().clone()))
        }));
    }
    let compute = || -> Result<SmallVec<[Array; 1]>> {
        let values: SmallVec<[&Value; 4]> = operands.iter().map(|x| x.value()).collect();
        let results = base.execute(op, &values)?;
        Ok(results.into_iter().map(|v| Array::from_value(base.clone(), v)).collect())
    };
    let described: SmallVec<[_; 4]> = operands.iter().map(|x| (x.dtype(), x.shape())).collect();
    let known;
    let results = match op.result(origin::function(op), &described) {
        Ok(kinds) => rules::Results::Computed { kinds, arrays: OnceCell::new(), compute: &compute },
        // Shapes that only the elements say.
        Err(_) => {
            known = compute()?;
            rules::Results::Known(&known)
        }
    };
    let given: SmallVec<[Option<&Array>; 2]> = tangents.iter().map(Option::as_ref).collect();
    let changes = rules::jvp(op, &operands, &given, &results)?;
    let results = changes.iter().map(|tangent| on_tape(tangent.as_ref()?).map(|(_, at)| at)).collect();
    let nodes = std::mem::take(&mut *tape.nodes.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Pullback { base, nodes: Arc::new(nodes), arguments, results })
}

impl Pullback {
    /// The arguments' cotangents, of the results' ones; `None` of a result counts as zeros.
    pub(crate) fn pull(&self, cotangents: &[Option<Array>]) -> Result<Vec<Array>> {
        let nodes = &self.nodes;
        let mut gathered: Vec<Option<Array>> = vec![None; nodes.len()];
        for (at, cotangent) in self.results.iter().zip(cotangents) {
            if let (Some(at), Some(cotangent)) = (at, cotangent) {
                put(&mut gathered, *at, cotangent.clone())?;
            }
        }
        for at in (0..nodes.len()).rev() {
            match &nodes[at] {
                Node::Given => {}
                Node::Applied(applied) => {
                    let Some(cotangent) = gathered[at].take() else { continue };
                    let parts = transpose::transpose(&applied.op, &applied.operands, &cotangent)?;
                    for (operand, part) in applied.operands.iter().zip(parts) {
                        if let (Operand::Noted { at, .. }, Some(part)) = (operand, part) {
                            put(&mut gathered, *at, part)?;
                        }
                    }
                }
                Node::Custom(custom) => self.pull_custom(custom, at, &mut gathered)?,
            }
        }
        let own = self.arguments.iter().map(|(at, dtype, shape)| match gathered[*at].take() {
            Some(cotangent) => Ok(cotangent),
            None => self.zeros(*dtype, shape.clone()),
        });
        own.collect()
    }

    /// How the results change with the arguments: the linear ops, once more on these tangents. `None` of a result that
    /// does not change, and of all where a function has a transpose alone.
    pub(crate) fn push(&self, tangents: &[Array]) -> Result<Option<Vec<Option<Array>>>> {
        let mut known: Vec<Option<Array>> = vec![None; self.nodes.len()];
        for ((at, ..), tangent) in self.arguments.iter().zip(tangents) {
            known[*at] = Some(tangent.clone());
        }
        for at in 0..self.nodes.len() {
            match &self.nodes[at] {
                Node::Given => {}
                Node::Custom(_) => return Ok(None),
                Node::Applied(applied) => {
                    let operand = |operand: &Operand| match operand {
                        Operand::Known(x) => x.clone(),
                        Operand::Noted { at, .. } => match &known[*at] {
                            Some(x) => x.clone(),
                            None => unreachable!("a place is made of places before it"),
                        },
                    };
                    let operands: SmallVec<[Array; 3]> = applied.operands.iter().map(operand).collect();
                    known[at] = Some(ops::run(&applied.op, &operands.iter().collect::<SmallVec<[_; 3]>>())?);
                }
            }
        }
        Ok(Some(self.results.iter().map(|at| at.and_then(|at| known[at].clone())).collect()))
    }

    fn pull_custom(&self, custom: &Custom, at: usize, gathered: &mut [Option<Array>]) -> Result<()> {
        let Custom { arguments, results, transpose } = custom;
        let own: Vec<Option<Array>> =
            gathered[at + 1..=at + results.len()].iter_mut().map(Option::take).collect();
        if own.iter().all(Option::is_none) {
            return Ok(());
        }
        let own = own.into_iter().zip(results).map(|(cotangent, (dtype, shape))| match cotangent {
            Some(cotangent) => Ok(cotangent),
            None => self.zeros(*dtype, shape.clone()),
        });
        let parts = transpose(&own.collect::<Result<Vec<_>>>()?)?;
        if parts.len() != arguments.len() {
            return Err(refused(
                "custom_vjp",
                "vjp",
                "got another number of cotangents than there are arguments from the reverse rule",
                "Give one cotangent for each argument",
            ));
        }
        for (argument, part) in arguments.iter().zip(parts) {
            let (Some((at, dtype, shape)), Some(part)) = (argument, part) else { continue };
            if part.dtype() != *dtype || part.shape() != shape {
                return Err(refused(
                    "custom_vjp",
                    "vjp",
                    "got a cotangent whose dtype or shape is not its argument's from the reverse rule",
                    "Give each cotangent the dtype and the shape of its argument",
                ));
            }
            put(gathered, *at, part)?;
        }
        Ok(())
    }

    fn zeros(&self, dtype: Dtype, shape: Shape) -> Result<Array> {
        let op = Op::Full { shape, dtype, value: ops::scalar_of(0.0, dtype) };
        Ok(Array::from_value(self.base.clone(), self.base.execute_one(&op, &[])?))
    }
}

fn put(gathered: &mut [Option<Array>], at: usize, part: Array) -> Result<()> {
    gathered[at] = ops::add_some(gathered[at].take(), Some(part))?;
    Ok(())
}
