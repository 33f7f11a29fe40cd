//! Sets of promotion rules: what a folder of `rules/` holds, as constant arrays.

use crate::{CATEGORIES, KNOWN};

/// Cells of rules. Below [`WEAK`](cell::WEAK) a cell is the number of a dtype's row.
pub mod cell {
    /// Set beside a dtype: the result is weakly typed.
    pub const WEAK: u8 = 32;
    /// The dtype that is there already.
    pub const SAME: u8 = 64;
    /// A host scalar's own dtype; of a result: the one that the function itself gives.
    pub const OWN: u8 = 65;
    /// The default dtypes in force.
    pub const DEFAULT_INT: u8 = 66;
    /// The default unsigned dtype.
    pub const DEFAULT_UINT: u8 = 67;
    /// The default float dtype.
    pub const DEFAULT_FLOAT: u8 = 68;
    /// The default complex dtype.
    pub const DEFAULT_COMPLEX: u8 = 69;
    /// The default integer's width, with the sign kept, where that is wider (decision S16).
    pub const ACCUMULATE: u8 = 70;
    /// No rule: an error.
    pub const REFUSED: u8 = u8::MAX;
}

/// A table of pairs: row the first operand's dtype, column the second's.
pub type Pairs = [[u8; KNOWN]; KNOWN];

/// How several dtypes are promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Several {
    /// Within each kind first, from bool to complex, then across (decision S12).
    ByKind,
    /// From the highest kind down, which is free of the order as well.
    HighestFirst,
    /// From left to right.
    InOrder,
}

/// What host scalars are beside arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalars {
    /// A kind, whatever the value.
    Weak,
    /// The least dtype that holds the value, where their kind is not above the arrays'; so are arrays without axes.
    ByValue,
    /// Arrays of the default dtype of their kind.
    Strong,
}

/// The rule of a category.
#[derive(Debug)]
pub struct CategoryRule {
    /// The table of pairs, where it is not the set's.
    pub pairs: Option<&'static Pairs>,
    /// Whether results are never weakly typed.
    pub strong: bool,
    /// What becomes of each operand's dtype, before promotion.
    pub each: [u8; KNOWN],
    /// The dtype computed in, by the dtype that the operands have in common.
    pub computes: [u8; KNOWN],
    /// The dtype of a result that is no value of the computation (a truth value, an index), by the dtype computed in.
    pub gives: [u8; KNOWN],
}

/// A kind of casting.
#[derive(Debug)]
pub struct CastingRule {
    /// Its name in the framework.
    pub name: &'static str,
    /// The set of dtypes that each dtype may be cast to.
    pub to: [u32; KNOWN],
}

/// Where the parts of a set stand, for messages.
#[derive(Debug)]
pub struct Files {
    /// The table of pairs.
    pub pairs: &'static str,
    /// The rules of host scalars.
    pub scalars: &'static str,
    /// The rules of categories.
    pub categories: &'static str,
}

/// A set of rules.
#[derive(Debug)]
pub struct RuleSet {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The package and version that answer the same, or the document.
    pub source: &'static str,
    /// Its files.
    pub files: Files,
    /// Promotion of arrays.
    pub pairs: &'static Pairs,
    /// An array with axes, and one without.
    pub array_zero: &'static Pairs,
    /// Two arrays without axes.
    pub zero: &'static Pairs,
    /// The dtype of an array with a host scalar: bool, int, float, complex.
    pub scalars: &'static [[u8; 4]; KNOWN],
    /// The categories' rules.
    pub categories: &'static [CategoryRule; CATEGORIES],
    /// The kinds of casting; the first one is the framework's default.
    pub casting: &'static [CastingRule],
    /// The dtype of a truth value of the host.
    pub truth: u8,
    /// The default integer.
    pub int: u8,
    /// The default unsigned integer.
    pub uint: u8,
    /// The default float.
    pub float: u8,
    /// The default complex dtype.
    pub complex: u8,
    /// The dtype of indices.
    pub index: u8,
    /// How several dtypes are promoted.
    pub several: Several,
    /// What host scalars are.
    pub scalars_are: Scalars,
    /// Whether arrays may be weakly typed.
    pub weak_arrays: bool,
    /// Whether a host integer beyond the dtype wraps; it is an error otherwise.
    pub wraps: bool,
    /// Whether a host value beyond its kind's default dtype takes a wider one.
    pub widens: bool,
    /// The dtype that stands for each: another one where a mode has no wide dtypes.
    pub canonical: [u8; KNOWN],
}
