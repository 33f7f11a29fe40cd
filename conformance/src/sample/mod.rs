//! The calls that a function is tried with: shapes, keyword arguments and values for each
//! combination of dtypes. Everything depends on the seed only.

mod calls;
mod values;

pub use calls::cases;
pub use values::{edges, goldens, moderate, random, repeated};

use crate::expect::Combination;
use crate::truth::{Arg, Keywords};
use ivy_core::function::{Category, ComputeRule, Role};
use ivy_core::{Dtype, Function};

/// How an operand lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In row-major order.
    Contiguous,
    /// In column-major order: a view of its transpose.
    Transposed,
    /// With each axis from its end: negative strides.
    Reversed,
}

/// One call.
#[derive(Clone, Debug)]
pub struct Case {
    /// The operands.
    pub operands: Vec<Arg>,
    /// The keyword arguments.
    pub keywords: Keywords,
    /// How array operands lie in memory.
    pub layout: Layout,
}

/// Whether the function has a `dtype=` keyword argument.
pub fn takes_dtype(function: &'static Function) -> bool {
    (function.params)().fields().iter().any(|f| f.0 == "dtype")
}

/// Every combination of dtypes that a function is tried with, inside its domain and outside.
pub fn combinations(function: &'static Function) -> Vec<Combination> {
    let slots: Vec<Vec<Option<Dtype>>> = match function.variadic {
        true => vec![all(), all()],
        false => function.operands.iter().map(|o| slot(o.role, o.optional)).collect(),
    };
    if matches!(function.category, Category::Layer | Category::Norm | Category::Loss) && slots.len() > 1 {
        return of_layer(function);
    }
    let mut product: Vec<Vec<Option<Dtype>>> = vec![vec![]];
    for slot in &slots {
        product = product
            .iter()
            .flat_map(|head| {
                slot.iter().map(move |&d| {
                    let mut list = head.clone();
                    list.push(d);
                    list
                })
            })
            .collect();
    }
    let dtypes: Vec<Option<Dtype>> = match takes_dtype(function) {
        false => vec![None],
        true if function.name == "astype" => all(),
        true => std::iter::once(None).chain(results_asked(function)).collect(),
    };
    let with = |operands: Vec<Option<Dtype>>| {
        dtypes.iter().map(move |&dtype| Combination { operands: operands.clone(), dtype })
    };
    product.into_iter().flat_map(with).filter(|c| tried(function, c)).collect()
}

/// Layers, norms and losses have many operands, of which mostly one dtype is given: all of each dtype, with and without those that
/// may be left out, and float32 with each dtype in each one's place.
fn of_layer(function: &'static Function) -> Vec<Combination> {
    let own = |i: usize, dtype: Dtype| match function.operand(i).role {
        Role::Value | Role::End => None,
        Role::Index => Some(Dtype::INT64),
        Role::Condition => Some(Dtype::BOOL),
        _ => Some(dtype),
    };
    let n = function.operands.len();
    let full = |dtype: Dtype| -> Vec<Option<Dtype>> { (0..n).map(|i| own(i, dtype)).collect() };
    let mut lists: Vec<Vec<Option<Dtype>>> = Vec::new();
    for dtype in Dtype::all() {
        lists.push(full(dtype));
        let without = (0..n).map(|i| own(i, dtype).filter(|_| !function.operand(i).optional));
        lists.push(without.collect());
        for i in (0..n).filter(|&i| !function.operand(i).role.keeps_scalars()) {
            let mut list = full(Dtype::FLOAT32);
            list[i] = Some(dtype);
            lists.push(list);
        }
    }
    let mut distinct: Vec<Combination> = Vec::new();
    for operands in lists {
        let c = Combination { operands, dtype: None };
        if !distinct.contains(&c) {
            distinct.push(c);
        }
    }
    distinct
}

fn all() -> Vec<Option<Dtype>> {
    Dtype::all().map(Some).collect()
}

fn slot(role: Role, optional: bool) -> Vec<Option<Dtype>> {
    match role {
        Role::Value | Role::End => vec![None],
        _ if optional => std::iter::once(None).chain(all()).collect(),
        _ => all(),
    }
}

/// Functions that draw floats, of any float dtype.
const RANDOM_FLOATS: &[&str] = &[
    "random_uniform",
    "orthogonal",
    "truncated_normal",
    "random_normal",
    "dropout",
    "gamma",
    "beta",
    "dirichlet",
    "exponential",
    "poisson",
];

/// The `dtype=` arguments that have a meaning for a function.
fn results_asked(function: &'static Function) -> Vec<Option<Dtype>> {
    let has = |d: &Dtype| match (function.compute, function.name) {
        (ComputeRule::Accumulate, _) => !d.is_bool(),
        (_, "arange") => !d.is_bool() && !d.is_complex(),
        (_, "logspace" | "geomspace") => d.is_float(),
        (_, "hann_window" | "hamming_window" | "blackman_window" | "vorbis_window") => d.is_float(),
        (_, "kaiser_window" | "kaiser_bessel_derived_window") => d.is_float(),
        (_, "linspace") => d.is_float() || d.is_complex(),
        (_, "histogram" | "cov") => !d.is_complex(),
        (_, "fftfreq" | "rfftfreq") => d.is_float(),
        (_, name) if RANDOM_FLOATS.contains(&name) => d.is_float(),
        (_, "randint") => d.is_int(),
        (_, "random_bits") => matches!(*d, Dtype::UINT32 | Dtype::UINT64),
        _ => true,
    };
    Dtype::all().filter(has).map(Some).collect()
}

/// Optional operands multiply the combinations; of three or more dtypes, those with all
/// operands there are tried where two of them are equal.
fn tried(function: &'static Function, c: &Combination) -> bool {
    let given: Vec<Dtype> = c.operands.iter().flatten().copied().collect();
    if function.operands.last().is_some_and(|o| o.name == "mask") {
        return tried_with_mask(function, c);
    }
    // Refused before anything else is looked at.
    if function.compute == ComputeRule::PromoteFloat && c.dtype.is_some_and(|d| d.is_int() || d.is_bool()) {
        return false;
    }
    match function.name {
        "clip" | "diff" | "lerp" | "interp" | "ediff1d" | "stable_divide" | "stable_pow"
            if given.len() == 3 =>
        {
            given[0] == given[1] || given[1] == given[2] || given[0] == given[2]
        }
        "choice" if given.len() == 2 => given[0].index() % 3 == given[1].index() % 3,
        "gamma" | "beta" | "truncated_normal" if given.len() == 2 => {
            given[0] == given[1] || c.dtype.is_none() && given[0].index() % 3 == given[1].index() % 3
        }
        // Probabilities or logits.
        "bernoulli" => given.len() == 1,
        "searchsorted" if given.len() == 3 => given[0] == given[1],
        "put_along_axis" => {
            given[0] == given[2] || given[1] == Dtype::INT64 && given[0].index() % 3 == given[2].index() % 3
        }
        "lu_solve" => given[1] == Dtype::INT64 || given[0] == given[2] && given[0].is_float(),
        "histogram" => {
            let other = |i: usize, usual: &[Option<Dtype>]| !usual.contains(&c.operands[i]);
            let usual = [None, Some(Dtype::FLOAT32)];
            let others = [other(0, &usual), other(1, &usual), other(2, &usual)];
            others.iter().filter(|o| **o).count() < 2 && (c.dtype.is_none() || given.len() == 1)
        }
        // More variables of each dtype without weights, and weights of each beside usual operands.
        "cov" => {
            let weights = c.operands[2].is_some() || c.operands[3].is_some();
            let usual =
                c.operands[0] == Some(Dtype::FLOAT32) && matches!(c.operands[1], None | Some(Dtype::FLOAT32));
            let plain = matches!(c.operands[2], None | Some(Dtype::INT64))
                && matches!(c.operands[3], None | Some(Dtype::FLOAT32));
            let one = c.operands[2].is_none() || c.operands[3].is_none();
            (c.dtype.is_none() || given.len() == 1)
                && (!weights || usual && one || plain && c.operands[1].is_none())
        }
        // A condition of another dtype is refused whatever stands beside it.
        "where" => given[0].is_bool() || given[1] == given[2],
        _ => true,
    }
}

/// The same, of what has a mask as its last operand. It is tried where all others but the indices are of one dtype
/// and the indices are int64, and one that is no bool where all of them are. Without a mask, indices of each dtype
/// are tried where the others are equal, and int64 with some of those where they are not.
fn tried_with_mask(function: &'static Function, c: &Combination) -> bool {
    let Some((mask, rest)) = c.operands.split_last() else { return true };
    let index = |i: &usize| function.operand(*i).role == Role::Index;
    let of = |indices: bool| (0..rest.len()).filter(move |i| index(i) == indices).filter_map(|i| rest[i]);
    let elements: Vec<Dtype> = of(false).collect();
    let (equal, wide) = (elements.iter().all(|&d| d == elements[0]), of(true).all(|d| d == Dtype::INT64));
    match *mask {
        Some(mask) if mask.is_bool() => equal && wide,
        Some(_) => wide && elements.iter().all(|&d| d == Dtype::INT64),
        None if elements.len() < 2 => true,
        None if function.name == "scatter_cas" => {
            equal
                || wide
                    && (elements[0] == elements[1] || elements[1] == elements[2])
                    && elements[0].index().is_multiple_of(3)
        }
        None => equal || wide && elements[0].index() % 3 == elements[1].index() % 3,
    }
}
