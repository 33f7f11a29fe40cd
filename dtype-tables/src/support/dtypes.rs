//! Sets of dtypes, and the classes that tables name.

use crate::{COUNT, DTYPES, Kind};

/// The classes of decision S2 that stand for several dtypes.
pub const CLASSES: [&str; 6] = ["valid", "numeric", "float", "integer", "unsigned", "complex"];

/// The set of all dtypes that arrays may have: bit `i` is row `i` of [`DTYPES`].
pub const ALL_DTYPES: u32 = (1 << COUNT) - 1;

/// The set that a dtype or class name stands for, or `None` for another word.
///
/// `valid` means whatever the backend has: all bits here, which whoever asks intersects with
/// [`valid_dtypes`](super::valid_dtypes) of the backend, as with every other class.
///
/// ```
/// use ivy_dtype_tables::support::{dtype_names, dtype_set};
/// assert_eq!(dtype_names(dtype_set("unsigned").unwrap()), ["uint8", "uint16", "uint32", "uint64"]);
/// assert_eq!(dtype_names(dtype_set("bool").unwrap()), ["bool"]);
/// assert_eq!(dtype_set("bflaot16"), None);
/// ```
pub fn dtype_set(name: &str) -> Option<u32> {
    let kinds: &[Kind] = match name {
        "valid" => return Some(ALL_DTYPES),
        "numeric" => &[Kind::Int, Kind::Uint, Kind::Float, Kind::Complex],
        "float" => &[Kind::Float],
        "integer" => &[Kind::Int, Kind::Uint],
        "unsigned" => &[Kind::Uint],
        "complex" => &[Kind::Complex],
        _ => return DTYPES[..COUNT].iter().position(|d| d.name == name).map(|i| 1 << i),
    };
    let of_kind = DTYPES[..COUNT].iter().enumerate().filter(|(_, d)| kinds.contains(&d.kind));
    Some(of_kind.fold(0, |set, (i, _)| set | 1 << i))
}

/// The names of the dtypes of a set, in the order of [`DTYPES`].
pub fn dtype_names(set: u32) -> Vec<&'static str> {
    DTYPES.iter().enumerate().filter(|(i, _)| set & 1 << i != 0).map(|(_, d)| d.name).collect()
}
