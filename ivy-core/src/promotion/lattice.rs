//! The order of dtypes that a set of rules makes, as a graph: what stands directly below what.

use super::{Rules, rules::dtype_of};
use crate::{Dtype, ScalarKind};
use ivy_dtype_tables::cell;
use std::fmt;

/// A place in the order: a dtype, or a weak kind where the rules have weakly typed arrays (JAX's `int*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A dtype.
    Dtype(Dtype),
    /// A weak kind.
    Weak(ScalarKind),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Dtype(dtype) => f.pad(dtype.name()),
            Place::Weak(kind) => f.pad(&format!("{kind}*")),
        }
    }
}

/// The order of a set of rules: its places, and which of them stands directly above which.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// The rules.
    pub rules: Rules,
    /// The places.
    pub places: Vec<Place>,
    /// Pairs of indices, the lower place first: they promote to the second, and to none between.
    pub edges: Vec<(usize, usize)>,
}

impl Lattice {
    /// The order of a set: a place is below another if both promote to the other.
    ///
    /// ```
    /// use ivy_core::{Rules, promotion::Lattice};
    /// let lattice = Lattice::of(Rules::Jax);
    /// let names: Vec<String> = lattice.edges.iter()
    ///     .map(|&(a, b)| format!("{} -> {}", lattice.places[a], lattice.places[b])).collect();
    /// assert!(names.contains(&"bool -> int*".to_string()) && names.contains(&"uint64 -> float*".to_string()));
    /// ```
    pub fn of(rules: Rules) -> Lattice {
        let mut places: Vec<Place> = rules.dtypes().map(Place::Dtype).collect();
        if rules.weak_types() {
            places.extend([ScalarKind::Int, ScalarKind::Float, ScalarKind::Complex].map(Place::Weak));
        }
        let n = places.len();
        let below = |a: usize, b: usize| a != b && is_below(rules, places[a], places[b]);
        let direct = |&(a, b): &(usize, usize)| below(a, b) && !(0..n).any(|c| below(a, c) && below(c, b));
        let edges = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(direct).collect();
        Lattice { rules, places, edges }
    }
}

impl Rules {
    /// Whether the rules know weakly typed arrays (JAX's).
    pub fn weak_types(self) -> bool {
        self.set().weak_arrays
    }
}

fn is_below(rules: Rules, a: Place, b: Place) -> bool {
    let set = rules.set();
    match (a, b) {
        (Place::Dtype(a), Place::Dtype(b)) => {
            let entry = set.pairs[a.index()][b.index()];
            entry & cell::WEAK == 0 && dtype_of(entry) == Some(b)
        }
        (Place::Weak(kind), Place::Dtype(d)) => set.scalars[d.index()][kind as usize] == d.index() as u8,
        (Place::Dtype(d), Place::Weak(kind)) => {
            let entry = set.scalars[d.index()][kind as usize];
            entry < cell::SAME && entry & cell::WEAK != 0
        }
        (Place::Weak(a), Place::Weak(b)) => a < b,
    }
}
