//! Support given in code, for backends that live outside of this project.

use super::{
    error::TableError,
    parse::{devices, dtypes, functions, key},
    table::{Form, Row, Table},
    tsv::Errors,
};

/// The rows of several functions, as [`support_block!`](crate::support_block) makes them.
///
/// A block has one form, so that both forms on one function cannot be written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportBlock {
    /// The backend.
    pub backend: &'static str,
    /// The functions that all rows are about.
    pub functions: &'static [&'static str],
    /// Whether the rows list what works or what does not.
    pub form: Form,
    /// Device (`cpu`, `gpu`, `tpu`, joined by commas, or `all`), version key, dtypes and classes.
    pub rows: &'static [(&'static str, &'static str, &'static [&'static str])],
    /// Whether they replace what following a composition finds.
    pub overrides: bool,
}

impl Table {
    /// The table of a backend's blocks; its file is `code of BACKEND` and a row's line the number
    /// of its block, from 1. Errors: all that [`parse_table`](super::parse_table) refuses, both
    /// forms on one function, and a block of another backend.
    ///
    /// ```
    /// use ivy_dtype_tables::{support::Table, support_block};
    /// let lists = support_block!("mine": lcm, gcd; supported { "all", "1.0 and above": ["integer"] });
    /// let again = support_block!("mine": lcm; unsupported { "all", "1.0 and above": ["float"] });
    /// let errors = Table::from_blocks("mine", &[lists, again]).unwrap_err();
    /// assert_eq!(
    ///     errors[0].to_string(),
    ///     "code of mine:2: lcm: unsupported here and supported at code of mine:1; a function has one form"
    /// );
    /// ```
    pub fn from_blocks(backend: &str, blocks: &[SupportBlock]) -> Result<Table, Vec<TableError>> {
        let file = format!("code of {backend}");
        let mut errors = Errors::new(&file);
        let mut rows = Vec::new();
        for (line, block) in (1..).zip(blocks) {
            if block.backend != backend {
                errors.add(line, super::Part::Cell, block.backend, format!("is not `{backend}`"));
            }
            let names = functions(line, &block.functions.join(","), &mut errors);
            for (device, version, list) in block.rows {
                let devices = devices(line, device, &mut errors);
                let dtypes = dtypes(line, list.iter().copied(), &mut errors);
                let written = if list.is_empty() { "-".to_string() } else { list.join(",") };
                if let Some(versions) = key(line, version, &mut errors) {
                    let (functions, form, overrides) = (names.clone(), block.form, block.overrides);
                    rows.push(Row { line, functions, form, devices, versions, dtypes, written, overrides });
                }
            }
        }
        match Table::new(&file, backend, rows) {
            Ok(table) if errors.list.is_empty() => Ok(table),
            Ok(_) => Err(errors.list),
            Err(more) => Err(errors.list.into_iter().chain(more).collect()),
        }
    }
}

/// Whether no function is supported in one block and unsupported in another; the check of
/// [`support_blocks!`](crate::support_blocks) while compiling.
pub const fn one_form_each(blocks: &[SupportBlock]) -> bool {
    let mut i = 0;
    while i < blocks.len() {
        let mut j = 0;
        while j < i {
            let different = !matches!(
                (blocks[i].form, blocks[j].form),
                (Form::Supported, Form::Supported) | (Form::Unsupported, Form::Unsupported)
            );
            if different && share(blocks[i].functions, blocks[j].functions) {
                return false;
            }
            j += 1;
        }
        i += 1;
    }
    true
}

const fn share(a: &[&str], b: &[&str]) -> bool {
    let mut i = 0;
    while i < a.len() {
        let mut j = 0;
        while j < b.len() {
            if crate::same(a[i], b[j]) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

/// Declares what several functions of a backend support:
/// `support_block!(BACKEND: FUNCTIONS; FORM { DEVICES, VERSIONS: [DTYPES]; ... })`, with
/// `override` before the form where the rows replace what a composition would give.
///
/// ```
/// use ivy_dtype_tables::{support::Table, support_block};
/// const BLOCK: ivy_dtype_tables::support::SupportBlock = support_block!("mine": expm1, log1p; unsupported {
///     "cpu", "1.0 to 1.9": ["float16", "complex"];
///     "all", "2.0 and above": ["complex"];
/// });
/// let table = Table::from_blocks("mine", &[BLOCK]).unwrap();
/// assert_eq!(table.functions().collect::<Vec<_>>(), ["expm1", "log1p"]);
/// assert_eq!(table.rows().len(), 2);
/// ```
///
/// A function is described by what works or by what does not; both do not compile:
///
/// ```compile_fail
/// ivy_dtype_tables::support_block!("mine": expm1;
///     supported { "all", "1.0 and above": ["float32"] }
///     unsupported { "all", "1.0 and above": ["float16"] }
/// );
/// ```
#[macro_export]
macro_rules! support_block {
    ($backend:literal : $($function:ident),+ $(,)? ; override $form:ident { $($rows:tt)* }) => {
        $crate::support_block!(@one $backend, true, $form, [$($function)+] $($rows)*)
    };
    ($backend:literal : $($function:ident),+ $(,)? ; $form:ident { $($rows:tt)* }) => {
        $crate::support_block!(@one $backend, false, $form, [$($function)+] $($rows)*)
    };
    ($backend:literal : $($function:ident),+ $(,)? ; $form:ident { $($a:tt)* } $other:ident $($b:tt)*) => {
        ::core::compile_error!("a function is `supported` or `unsupported`, not both")
    };
    (@one $backend:literal, $overrides:literal, $form:ident, [$($function:ident)+]
        $($devices:literal, $versions:literal : [$($dtype:literal),* $(,)?]);+ $(;)?) => {
        $crate::support::SupportBlock {
            backend: $backend,
            functions: &[$(::core::stringify!($function)),+],
            form: $crate::support_block!(@form $form),
            rows: &[$(($devices, $versions, &[$($dtype),*])),+],
            overrides: $overrides,
        }
    };
    (@form supported) => { $crate::support::Form::Supported };
    (@form unsupported) => { $crate::support::Form::Unsupported };
    (@form $other:ident) => { ::core::compile_error!("a form is `supported` or `unsupported`") };
}

/// Declares a static list of blocks of one backend, and checks while compiling that no function
/// is supported in one and unsupported in another.
///
/// ```
/// ivy_dtype_tables::support_blocks! {
///     /// What the functions of this backend take.
///     pub static SUPPORT for "mine" = [
///         (lcm, gcd; supported { "all", "1.0 and above": ["integer"] }),
///         (expm1; unsupported { "all", "1.0 and above": ["float16"] }),
///     ];
/// }
/// let table = ivy_dtype_tables::support::Table::from_blocks("mine", SUPPORT).unwrap();
/// assert_eq!(table.functions().collect::<Vec<_>>(), ["expm1", "gcd", "lcm"]);
/// ```
///
/// ```compile_fail
/// ivy_dtype_tables::support_blocks! {
///     static SUPPORT for "mine" = [
///         (lcm; supported { "all", "1.0 and above": ["integer"] }),
///         (lcm; unsupported { "all", "1.0 and above": ["float"] }),
///     ];
/// }
/// ```
#[macro_export]
macro_rules! support_blocks {
    ($(#[$meta:meta])* $visible:vis static $name:ident for $backend:literal = [
        $(($($block:tt)*)),* $(,)?
    ];) => {
        $(#[$meta])*
        $visible static $name: &[$crate::support::SupportBlock] = {
            const BLOCKS: &[$crate::support::SupportBlock] =
                &[$($crate::support_block!($backend : $($block)*)),*];
            const _: () = ::core::assert!(
                $crate::support::one_form_each(BLOCKS),
                "a function is supported in one block and unsupported in another"
            );
            BLOCKS
        };
    };
}
