//! Tensors that an operation in place has changed since a gradient was to need them: PyTorch's version counters.
//!
//! A node keeps its operands as they were, so a gradient is right whatever is written later. PyTorch keeps no copy, and refuses
//! the walk instead; a binding of it marks what an operation in place replaces, and the walk refuses what PyTorch would
//! have saved. What it saves is by op for operands ([`saves_operand`]), and by function for results
//! ([`Definition::saved_results`](crate::Definition::saved_results)).

use super::backend;
use super::graph::{Edge, Node, Operand, Rule, next_number, node_name};
use super::kept::KeptOp;
use super::origin::Origin;
use crate::wrapper::{self, Noted};
use ivy_core::{Array, BinaryOp, ErrorKind, Op, ReduceOp, Result, UnaryOp};
use std::sync::{Arc, Weak};

/// When an operation in place began. The nodes that it makes itself keep what they need.
#[derive(Clone, Copy, Debug)]
pub struct Began(u64);

impl Began {
    /// This moment.
    #[must_use]
    pub fn now() -> Began {
        Began(next_number())
    }
}

/// A tensor of the graph, without keeping it.
///
/// ```
/// use ivy_core::{Array, functional as f};
/// use ivy_frontend::autograd::{self, Began, Graph, WeakTensor};
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([1.0f64, 2.0])?)?;
/// let y = f::sum(f::multiply(&x, &x)?, ())?;
/// // An operation in place, by which a program sees other elements under the name of `x`.
/// let (began, before) = (Began::now(), WeakTensor::of(&x).unwrap());
/// let _next = autograd::updated(&x, &Array::try_from([3.0f64, 4.0])?)?;
/// before.overwritten(began);
/// let refused = autograd::backward(&[y], &[], Graph::Freed, None).unwrap_err();
/// assert!(refused.to_string().contains("modified by an inplace operation"));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone)]
pub struct WeakTensor(Weak<Noted<Origin>>);

impl WeakTensor {
    /// Of a tensor that requires a gradient; `None` of others.
    pub fn of(x: &Array) -> Option<WeakTensor> {
        let noted = wrapper::shared::<Origin>(x).filter(|noted| noted.note.is_recorded())?;
        Some(WeakTensor(Arc::downgrade(noted)))
    }

    /// Whether anything still holds the tensor.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Notes that an operation in place has replaced the elements.
    pub fn overwritten(&self, began: Began) {
        if let Some(noted) = self.0.upgrade() {
            noted.note.overwrite(began.0);
        }
    }
}

/// Notes that a tensor has been put in the place of a result that its node needs.
pub(super) fn note_result(x: &Array) {
    if let Some(origin) = backend::origin(x) {
        origin.save_result();
        origin.overwrite(next_number());
    }
}

/// Refuses to walk over an op of a number whose operands PyTorch would have saved, and that were overwritten after it.
pub(super) fn check(number: u64, op: &KeptOp, operands: &[Operand], active: &[bool]) -> Result<()> {
    for (at, operand) in operands.iter().enumerate() {
        let note = &operand.note;
        if active[at] && note.overwritten().is_some() && (note.is_saved_result() || is_power(operand)) {
            return Err(refused(operand, None));
        }
        if op.with(|op| saves_operand(op, at, active)) && is_overwritten_after(operand, number) {
            return Err(refused(operand, Some(op.name())));
        }
    }
    Ok(())
}

/// Whether a tensor is a power whose exponent has a gradient, for which PyTorch keeps it.
fn is_power(x: &Operand) -> bool {
    let is_one = |rule: &Rule| match rule {
        Rule::Op { op: KeptOp::Binary(BinaryOp::Pow), operands } => operands[1].note.is_recorded(),
        _ => false,
    };
    x.note.with_rule(is_one).unwrap_or_default()
}

/// Whether a tensor was overwritten after the node of a number, or the one that it is a view of inside of a function: with
/// axes permuted, or in another shape. Permuted elements in another shape are a copy.
fn is_overwritten_after(operand: &Operand, number: u64) -> bool {
    let (mut operand, mut is_reshaped) = (operand.clone(), false);
    loop {
        if operand.note.overwritten().is_some_and(|since| number < since) {
            return true;
        }
        let source = operand.note.with_rule(|rule| match rule {
            Rule::Op { op: KeptOp::Other(op), operands } => match **op {
                Op::Reshape { .. } => Some((operands.first()?.clone(), true)),
                Op::PermuteDims { .. } if !is_reshaped => Some((operands.first()?.clone(), false)),
                _ => None,
            },
            _ => None,
        });
        let Some((source, by_reshape)) = source.flatten() else { return false };
        (operand, is_reshaped) = (source, is_reshaped || by_reshape);
    }
}

/// Whether PyTorch saves an operand of an op for the gradient of those that have one (tools/autograd/derivatives.yaml of
/// PyTorch 2.13). An op may be a part of a function that saves less: where such are, this says no.
fn saves_operand(op: &Op, at: usize, active: &[bool]) -> bool {
    let other = || active.iter().enumerate().any(|(i, is_active)| i != at && *is_active);
    match op {
        Op::Binary(BinaryOp::Multiply | BinaryOp::Divide) | Op::Matmul | Op::Conv(_) => other(),
        Op::Binary(BinaryOp::Pow) => at == 0 || active[0],
        Op::Binary(
            BinaryOp::Atan2 | BinaryOp::Hypot | BinaryOp::Logaddexp | BinaryOp::Maximum | BinaryOp::Minimum,
        ) => true,
        Op::Binary(BinaryOp::Copysign) => at == 0,
        Op::Reduce { op: ReduceOp::Prod | ReduceOp::Max | ReduceOp::Min | ReduceOp::Var { .. }, .. } => true,
        Op::Unary(op) => matches!(
            op,
            UnaryOp::Abs
                | UnaryOp::Acos
                | UnaryOp::Acosh
                | UnaryOp::Asin
                | UnaryOp::Asinh
                | UnaryOp::Atan
                | UnaryOp::Atanh
                | UnaryOp::Cos
                | UnaryOp::Cosh
                | UnaryOp::Digamma
                | UnaryOp::Erf
                | UnaryOp::Erfc
                | UnaryOp::Lgamma
                | UnaryOp::Log
                | UnaryOp::Log1p
                | UnaryOp::Log2
                | UnaryOp::Log10
                | UnaryOp::Sin
                | UnaryOp::Sinh
                | UnaryOp::Square
        ),
        _ => false,
    }
}

/// The error of a tensor that an op needs, or else the node that gave it.
fn refused(operand: &Operand, op: Option<&str>) -> ivy_core::Error {
    let (dtype, shape) = (operand.inner.dtype, &operand.inner.shape);
    let source = operand.note.edge().map(Node);
    let (name, origin) = match &source {
        Some(node @ Node(Edge::Made(..))) => (node.name(), format!("that {} gave", node.name())),
        Some(node @ Node(Edge::Leaf(_))) => (node.name(), "that is a leaf".to_string()),
        None => (String::new(), "that is a constant".to_string()),
    };
    let by = op.map_or(name, node_name);
    let value = format!("a tensor of {dtype} and shape {shape} {origin}, and that {by} needs");
    let rule =
        "one of the variables needed for gradient computation has been modified by an inplace operation";
    ErrorKind::InvalidArgument { function: "autograd", argument: "saved", value, rule }.into()
}
