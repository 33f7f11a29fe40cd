//! Which accesses may be to the same element of memory. Different parameters are different memory, which
//! launches see to.

use crate::ir::{Code, Id, Kernel};
use std::collections::HashSet;

/// Memory, whoever names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    /// A parameter's.
    Param(u64),
    /// An element's own, by what names it.
    Own(Id),
    /// What a block shares, by what names it.
    Shared(Id),
}

impl Root {
    /// Of what names memory.
    pub(super) fn of(kernel: &Kernel, id: Id) -> Root {
        let s = kernel.statement(id);
        match s.code {
            Code::Memory => Root::Param(s.imm),
            Code::Alloca => Root::Own(id),
            _ => Root::Shared(id),
        }
    }

    /// True if other elements see it.
    fn is_seen(self) -> bool {
        !matches!(self, Root::Own(_))
    }
}

/// An element of memory: its number is that of a value, if it is not constant, and so many more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) root: Root,
    base: Option<Id>,
    offset: u64,
}

impl Place {
    /// What a statement reads or writes.
    pub(super) fn of(kernel: &Kernel, id: Id) -> Option<Place> {
        let s = kernel.statement(id);
        let root = Root::of(kernel, s.memory()?);
        let constant =
            |id: Id| Some(kernel.statement(id)).filter(|s| s.code == Code::Constant).map(|s| s.imm);
        let &index = s.operands.get(1)?;
        if let Some(offset) = constant(index) {
            return Some(Place { root, base: None, offset });
        }
        let number = kernel.statement(index);
        let (base, offset) = match (number.code, number.operands.as_slice()) {
            (Code::Add, &[a, b]) => match (constant(a), constant(b)) {
                (_, Some(offset)) => (a, offset),
                (Some(offset), _) => (b, offset),
                _ => (index, 0),
            },
            (Code::Sub, &[a, b]) => constant(b).map_or((index, 0), |offset| (a, offset.wrapping_neg())),
            _ => (index, 0),
        };
        Some(Place { root, base: Some(base), offset })
    }

    /// True if it may be the same element as another one.
    pub(super) fn may_be(&self, other: &Place) -> bool {
        self.root == other.root && (self.base != other.base || self.offset == other.offset)
    }

    /// True if it is known to be there.
    pub(super) fn is_there(&self, kernel: &Kernel) -> bool {
        match self.root {
            Root::Param(_) => false,
            Root::Own(id) | Root::Shared(id) => self.base.is_none() && self.offset < kernel.statement(id).imm,
        }
    }
}

/// What statements may change.
#[derive(Default)]
pub(super) struct Changes {
    places: HashSet<Place>,
    /// All that other elements see: these may have written to it before what was waited for.
    seen: bool,
}

impl Changes {
    /// By a statement, and what is in its blocks.
    pub(super) fn of(kernel: &Kernel, id: Id) -> Changes {
        let mut changes = Changes::default();
        changes.note(kernel, id);
        changes
    }

    /// By all of a block.
    pub(super) fn within(kernel: &Kernel, block: usize) -> Changes {
        let mut changes = Changes::default();
        kernel.blocks[block].iter().for_each(|&id| changes.note(kernel, id));
        changes
    }

    fn note(&mut self, kernel: &Kernel, id: Id) {
        let s = kernel.statement(id);
        self.seen |= waits(kernel, id);
        if let (true, Some(place)) = (s.is_effect(), Place::of(kernel, id)) {
            self.places.insert(place);
        }
        for held in kernel.held(id) {
            kernel.blocks[held].iter().for_each(|&inner| self.note(kernel, inner));
        }
    }

    /// True if what stands at a place may be something else afterwards.
    pub(super) fn touch(&self, place: &Place) -> bool {
        self.seen && place.root.is_seen() || self.places.iter().any(|p| p.may_be(place))
    }

    /// True if what stands at a place may be something else afterwards, where the number may be another one as well.
    pub(super) fn touch_any(&self, root: Root) -> bool {
        self.seen && root.is_seen() || self.places.iter().any(|p| p.root == root)
    }
}

/// True if all memory that others see may be something else after it: barriers, the atomics that locks are made
/// of, and calls. Sums and their like order nothing but themselves.
pub(super) fn waits(kernel: &Kernel, id: Id) -> bool {
    let s = kernel.statement(id);
    s.is_call() || matches!(s.code, Code::Barrier | Code::AtomicExchange | Code::AtomicCas)
}
