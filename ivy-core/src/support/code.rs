//! Support that crates declare in code, for their own backends.

use super::tables::{SupportBlock, Table, TableError};
use crate::{Error, ErrorKind, Result};
use once_cell::sync::Lazy;
use std::sync::{Arc, PoisonError, RwLock};

/// Blocks on their way into the registry: `inventory::submit! { SupportEntry(&BLOCKS) }`, with
/// blocks made by [`support_blocks!`](super::support_blocks). All of an entry are of one backend.
///
/// ```
/// use ivy_core::support::{SupportEntry, support_blocks};
/// support_blocks! {
///     pub static BLOCKS for "mine" = [
///         (gcd, lcm; supported { "all", "1.0 and above": ["integer"] }),
///     ];
/// }
/// inventory::submit! { SupportEntry(&BLOCKS) }
/// let tables = ivy_core::support::code_tables();
/// assert!(tables.iter().any(|table| table.as_ref().is_ok_and(|t| t.backend == "mine")));
/// ```
pub struct SupportEntry(pub &'static [SupportBlock]);

inventory::collect!(SupportEntry);

struct Known {
    backend: &'static str,
    blocks: Vec<SupportBlock>,
    table: Result<Arc<Table>>,
}

impl Known {
    fn add(all: &mut Vec<Known>, blocks: &[SupportBlock]) {
        for block in blocks {
            match all.iter_mut().find(|k| k.backend == block.backend) {
                Some(known) => known.blocks.push(*block),
                None => {
                    let table = Err(ErrorKind::UnknownBackend {
                        name: block.backend.into(),
                        known: Vec::new(),
                        remedy: String::new(),
                    }
                    .into());
                    all.push(Known { backend: block.backend, blocks: vec![*block], table });
                }
            }
        }
        for known in all {
            let table = Table::from_blocks(known.backend, &known.blocks);
            known.table = table.map(Arc::new).map_err(|errors| malformed(&errors));
        }
    }
}

/// The first of a table's errors.
pub(super) fn malformed(errors: &[TableError]) -> Error {
    let (file, line, key, rule) = match errors.first() {
        Some(e) => (e.file.clone(), e.line, e.key.clone(), e.rule.clone()),
        None => (String::new(), 0, String::new(), "the table cannot be read".into()),
    };
    ErrorKind::MalformedTable { file, line, key, rule }.into()
}

static KNOWN: Lazy<RwLock<Vec<Known>>> = Lazy::new(|| {
    let mut all = Vec::new();
    inventory::iter::<SupportEntry>.into_iter().for_each(|entry| Known::add(&mut all, entry.0));
    RwLock::new(all)
});

/// Adds blocks by hand, for crates that are linked without being named. Plans that were made before are made anew.
///
/// # Errors
/// [`ErrorKind::MalformedTable`] for a range, dtype or device that cannot be read, and for both
/// forms on one function (spec I-45); nothing is then added.
pub fn register_support(blocks: &[SupportBlock]) -> Result<()> {
    let mut all = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let mut backends: Vec<_> = blocks.iter().map(|b| b.backend).collect();
    backends.dedup();
    for backend in backends {
        let old = all.iter().find(|k| k.backend == backend).map_or(&[][..], |k| &k.blocks);
        let of_backend = blocks.iter().filter(|b| b.backend == backend);
        let both: Vec<SupportBlock> = old.iter().chain(of_backend).copied().collect();
        Table::from_blocks(backend, &both).map_err(|errors| malformed(&errors))?;
    }
    Known::add(&mut all, blocks);
    drop(all);
    crate::plan::forget_plans();
    Ok(())
}

/// The table that code declares for each backend, or why it cannot be read.
pub fn code_tables() -> Vec<Result<Arc<Table>>> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).iter().map(|k| k.table.clone()).collect()
}

/// The table that code declares for a backend.
pub(super) fn code_table(backend: &str) -> Result<Option<Arc<Table>>> {
    let all = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    all.iter().find(|k| k.backend == backend).map(|k| k.table.clone()).transpose()
}
