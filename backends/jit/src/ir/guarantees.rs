//! What launches of a kernel with effects guarantee: with it, an index may be known to be in bounds when code is made.

use super::{Builder, Kernel};
use ivy_core::{ErrorKind, Result};
use std::fmt;
use std::ops::Range;

/// What holds at every launch of a kernel with effects; a launch of which it does not hold is refused.
///
/// ```
/// use ivy_backend_jit::ir::Guarantees;
///
/// let own = Guarantees { elements: Some(0..100), lengths: vec![0, 400] };
/// assert!(own.allows(&(0..50)) && own.allows(&(7..7)) && !own.allows(&(90..110)));
/// assert_eq!((own.length(1), own.length(5)), (400, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guarantees {
    /// A range that its elements' numbers are in; `None` where they may be any.
    pub elements: Option<Range<i64>>,
    /// By parameter, the fewest elements that its memory has; parameters beyond have 0.
    pub lengths: Vec<u64>,
}

impl Guarantees {
    /// True if nothing is guaranteed.
    pub fn is_empty(&self) -> bool {
        self.elements.is_none() && self.lengths.is_empty()
    }

    /// The fewest elements that a parameter's memory has.
    pub fn length(&self, param: usize) -> u64 {
        self.lengths.get(param).copied().unwrap_or(0)
    }

    /// True if the elements of a launch are in the range.
    pub fn allows(&self, range: &Range<i64>) -> bool {
        let within = |own: &Range<i64>| own.start <= range.start && range.end <= own.end;
        range.is_empty() || self.elements.as_ref().is_none_or(within)
    }

    /// Looks at a launch: its range, `None` where only the device knows it, and how many elements each parameter's memory has.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] where it is not as guaranteed.
    pub(crate) fn check(&self, range: Option<&Range<i64>>, length: impl Fn(usize) -> u64) -> Result<()> {
        let in_range = range.map_or(self.elements.is_none(), |range| self.allows(range));
        let long_enough = self.lengths.iter().enumerate().all(|(n, &least)| least == 0 || length(n) >= least);
        if in_range && long_enough {
            return Ok(());
        }
        let (function, argument) = ("launch", "guarantees");
        let given =
            range.map_or("elements to where memory says".into(), |range| format!("elements {range:?}"));
        let rule = "the range and the memories of a launch are as the kernel has them guaranteed";
        Err(ErrorKind::InvalidArgument { function, argument, value: given, rule }.into())
    }
}

/// As a kernel's header has it: ` where elements in 0..100, $1 has 400`.
impl fmt::Display for Guarantees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements = self.elements.iter().map(|own| format!("elements in {}..{}", own.start, own.end));
        let lengths = self.lengths.iter().enumerate().filter(|(_, length)| **length > 0);
        let all: Vec<String> =
            elements.chain(lengths.map(|(n, length)| format!("${n} has {length}"))).collect();
        if all.is_empty() { Ok(()) } else { write!(f, " where {}", all.join(", ")) }
    }
}

/// What stands behind `where`.
pub(super) fn parse(text: &str) -> Option<Guarantees> {
    let mut found = Guarantees::default();
    for part in text.split(", ") {
        match part.strip_prefix("elements in ") {
            Some(range) => {
                let (start, end) = range.split_once("..")?;
                found.elements = Some(start.parse().ok()?..end.parse().ok()?);
            }
            None => {
                let (param, length) = part.strip_prefix('$')?.split_once(" has ")?;
                let length = length.parse().ok().filter(|&length| length > 0)?;
                found.note(param.parse::<u8>().ok()?.into(), length);
            }
        }
    }
    Some(found)
}

impl Guarantees {
    fn note(&mut self, param: usize, length: u64) {
        if self.lengths.len() <= param {
            self.lengths.resize(param + 1, 0);
        }
        self.lengths[param] = length;
    }
}

impl Builder {
    /// Has launches guarantee a range that elements' numbers are in.
    pub fn guarantee_elements(&mut self, range: Range<i64>) {
        self.guarantees().elements = Some(range);
    }

    /// Has launches guarantee that a parameter's memory has so many elements at least.
    pub fn guarantee_length(&mut self, param: u32, length: u64) {
        if length > 0 {
            self.guarantees().note(param as usize, length);
        }
    }
}

impl Kernel {
    /// How many elements memory has at least that a statement names.
    pub(crate) fn least_length(&self, memory: super::Id) -> u64 {
        let s = self.statement(memory);
        match s.code {
            super::Code::Memory => self.guarantees.length(s.imm as usize),
            super::Code::Alloca | super::Code::Shared => s.imm,
            _ => 0,
        }
    }
}
