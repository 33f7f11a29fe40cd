//! Which views a function gives: its arguments carry their layouts through the ops that rearrange elements.

use super::{Part, View};
use crate::wrapper::{self, Note, Noted, Wrappers};
use ivy_core::backend::Value;
use ivy_core::{Array, Op, UnaryOp};
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, RwLock};

/// A view of an argument of a call.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The place of the argument among those that are tracked.
    pub argument: usize,
    /// Which of its elements.
    pub view: View,
}

/// An argument, or a part of one; `None` for all that is computed.
pub(super) type Source = Option<Tracked>;

impl Note for Source {
    fn after(op: &Op, operands: &[&Arc<Noted<Source>>], results: &[Value]) -> SmallVec<[Source; 1]> {
        let ([operand], [result]) = (operands, results) else { return SmallVec::new() };
        let Some(Tracked { argument, view }) = &operand.note else { return SmallVec::new() };
        let view = view.after(op, result);
        smallvec![view.map(|view| Tracked { argument: *argument, view })]
    }

    fn wrappers() -> &'static Wrappers {
        static KNOWN: Wrappers = RwLock::new(Vec::new());
        &KNOWN
    }
}

impl View {
    /// The view that an op of this one gives, if it gives one.
    fn after(&self, op: &Op, result: &Value) -> Option<View> {
        Some(match op {
            Op::Reshape { shape } => self.with(self.last.reshape(shape)?),
            Op::PermuteDims { axes } => self.with(self.last.permute(axes)),
            Op::Slice { axes } => self.with(self.last.slice(axes)),
            Op::BroadcastTo { shape } => self.with(self.last.broadcast(shape)),
            Op::Unary(UnaryOp::Real) if !self.dtype.is_complex() => self.clone(),
            Op::Unary(UnaryOp::Real) => self.clone().part_of(Part::Real, &result.shape, result.dtype),
            Op::Unary(UnaryOp::Imag) => self.clone().part_of(Part::Imag, &result.shape, result.dtype),
            _ => return None,
        })
    }

    /// The view's bytes as elements of another dtype, in the shape that this gives them.
    #[must_use]
    pub fn reinterpreted(&self, as_read: &Array) -> View {
        self.clone().part_of(Part::Bytes(as_read.dtype()), as_read.shape(), as_read.dtype())
    }
}

/// Which views a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewing {
    /// None.
    None,
    /// Those that rearranging an argument gives.
    Rearranged,
    /// Likewise: of one argument alone its axes in reverse order.
    Reversed,
    /// Likewise: of an argument and lengths it in another shape.
    Reshaped,
    /// Likewise; the argument itself where nothing is rearranged.
    Unchanged,
    /// Those that rearranging gives; what strides cannot say is refused.
    Strict,
    /// Those that rearranging gives, where their elements follow each other in memory; else a copy. Of one argument alone
    /// it along one axis.
    Adjacent,
    /// The argument itself where its elements follow each other in memory, else a copy.
    Contiguous,
    /// The bytes of the first argument as elements of another dtype.
    Bytes,
    /// The first argument, outside of the graph of derivatives.
    Detached,
    /// Those that rearranging gives, for reading only.
    ReadOnly,
}

impl Viewing {
    /// Whether what is given may be the argument itself, and no view of it: where there is nothing to convert.
    pub(crate) fn may_be_argument(self) -> bool {
        matches!(self, Viewing::Unchanged | Viewing::Contiguous | Viewing::Detached)
    }

    /// An argument for a call: a view, of a place among the arguments that have one.
    pub fn track(self, x: &Array, argument: usize, view: View) -> Array {
        match self {
            Viewing::None | Viewing::Detached => x.clone(),
            _ => wrapper::with_note(x, Some(Tracked { argument, view })),
        }
    }

    /// An array of the result of such a call as it is, and which part of an argument it is a view of, if it is one. The
    /// first argument's view is the one of the method's own array.
    pub fn untrack(self, x: &Array, first: Option<&View>) -> (Array, Option<Tracked>) {
        let (array, found) = match wrapper::noted::<Source>(x) {
            Some(noted) => (noted.below(), noted.note.clone()),
            None => (x.clone(), None),
        };
        let of_first = |view: View| Tracked { argument: 0, view };
        let found = match (self, first) {
            (Viewing::Adjacent | Viewing::Contiguous, _) => {
                found.filter(|tracked| tracked.view.is_contiguous())
            }
            (Viewing::Bytes, Some(first)) if found.is_none() => Some(of_first(first.reinterpreted(&array))),
            // Of another dtype, which rearranging does not give.
            (Viewing::Strict, Some(first)) if found.is_none() && array.dtype() != first.dtype() => {
                Some(of_first(first.reinterpreted(&array)))
            }
            (Viewing::Detached, Some(first)) => Some(of_first(first.clone().detach())),
            (Viewing::ReadOnly, _) => {
                found.map(|tracked| Tracked { view: tracked.view.read_only(), ..tracked })
            }
            _ => found,
        };
        (array, found)
    }
}
