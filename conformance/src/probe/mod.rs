//! Measuring what a backend does with every function and dtype, instead of believing it: one
//! process a function, restarted past a crash.

mod drive;
mod measure;

pub use drive::{CRASH, drive, speak};
pub use measure::{cpu_features, measure};

use ivy_core::backend::BackendRef;
use ivy_core::support::tables::{MeasuredRow, MeasuredTable};

/// The measured table of a backend, from rows.
///
/// # Panics
/// If a row is there twice.
pub fn table(backend: &BackendRef, rows: Vec<MeasuredRow>) -> MeasuredTable {
    let (name, version) = (backend.name(), backend.version().to_string());
    let krate = format!("ivy-backend-{name} {}", env!("CARGO_PKG_VERSION"));
    let file = format!("dtype-tables/support/measured/{name}@{version}.tsv");
    MeasuredTable::new(&file, [name, &version, &krate, &cpu_features()], rows)
        .expect("each function and dtype is measured once")
}
