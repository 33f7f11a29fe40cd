//! The tables of the project as constant arrays: dtypes, promotion rules and the dtype domain
//! of every function. The data are the `.tsv` files of this folder; `build.rs` turns them into
//! the arrays below, so that a promotion is one array index. The types that people use are
//! those of `ivy-core`; here are rows and small numbers only.
//!
//! What functions support by backend version and device is in [`support`].

/// What kind of number a dtype holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
    /// Real floats.
    Float,
    /// Complex numbers, two floats.
    Complex,
    /// Truth values.
    Bool,
}

/// One row of `dtypes.tsv` or `dtypes-unstored.tsv`.
#[derive(Debug)]
pub struct DtypeRow {
    /// The name, as the Array API spells it.
    pub name: &'static str,
    /// The kind of number.
    pub kind: Kind,
    /// Width in bits as `dtype_bits` reports it; 1 for bool.
    pub bits: u16,
    /// Width in memory, in bytes.
    pub bytes: u8,
    /// Exponent bits of the float (of each part); 0 for other kinds.
    pub exponent_bits: u8,
    /// Stored mantissa bits of the float (of each part); 0 for other kinds.
    pub mantissa_bits: u8,
    /// Row of the dtype of the real and imaginary parts, for complex.
    pub part: Option<u8>,
    /// NumPy's type string.
    pub typestr: &'static str,
    /// Other names that parse.
    pub aliases: &'static [&'static str],
    /// The greatest and least finite value and the least normal one, of a float whose codes are not IEEE's.
    pub limits: Option<[f64; 3]>,
}

/// One row of `domains/`: which dtypes a function takes (decision S32).
#[derive(Debug)]
pub struct Domain {
    /// The function's name.
    pub function: &'static str,
    /// File and line of the row.
    pub place: &'static str,
    /// The category that rule sets may have a rule about; `None` where how the function computes says it.
    pub category: Option<Category>,
    /// Each operand's name and its set of dtypes, bit `i` for row `i` of [`DTYPES`].
    pub operands: &'static [(&'static str, u32)],
}

mod rules;
pub mod support;

pub use rules::{CastingRule, CategoryRule, Files, Pairs, RuleSet, Scalars, Several, cell};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The domain row of a function, or `None` if the tables have none.
pub const fn find_domain(function: &str) -> Option<&'static Domain> {
    let mut i = 0;
    while i < DOMAINS.len() {
        if same(DOMAINS[i].function, function) {
            return Some(&DOMAINS[i]);
        }
        i += 1;
    }
    None
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
