//! What each function supports, by backend version and device: declared as data.
//!
//! A **support table** has rows `functions form devices versions dtypes override`, read by
//! [`parse_table`] or given in code by [`support_block!`](crate::support_block). A row's
//! [`VersionKey`] is one of four forms; [`resolve`] chooses among the keys of a function, and
//! [`Table::lookup`] answers a question. [`lint_file`] finds what is written but cannot mean what
//! its author wants, [`lint_embedded`] does so for all tables of the project. The embedded data answer through [`declared`], [`valid_dtypes`],
//! [`default_version`] and [`known_function`]: Ivy's own lists, for versions of backends that are
//! not installed, and [`frontend_table`] for its frontends. What the installed ones do is measured: [`measured`] and [`bugs`].

mod blocks;
mod bugs;
mod compare;
mod data;
mod device;
mod dtypes;
mod error;
mod finding;
mod frontends;
mod interval;
mod key;
mod lint;
mod lint_files;
mod measured;
mod parse;
mod resolve;
mod table;
mod tsv;
mod version;

pub use blocks::{SupportBlock, one_form_each};
pub use bugs::{Bug, bugs, bugs_file, parse_bugs};
pub use compare::Difference;
pub use data::{
    DECLARED, Place, SurfaceRow, VALID_FILE, ValidRow, declared, declared_backends, default_version,
    known_function, known_functions, parse_valid, surface, valid_dtypes,
};
pub use device::{Device, Devices};
pub use dtypes::{ALL_DTYPES, CLASSES, dtype_names, dtype_set};
pub use error::{Part, TableError};
pub use finding::{Finding, FindingKind, Level};
pub use frontends::{FRONTENDS, frontend_functions, frontend_table};
pub use key::{KeyError, VersionKey};
pub use lint::lint;
pub use lint_files::{lint_embedded, lint_file};
pub use measured::{MeasuredRow, MeasuredTable, State, measured, measured_files};
pub use parse::{COLUMNS, parse_table};
pub use resolve::{How, Resolved, resolve};
pub use table::{Answer, Form, Row, Table};
pub use version::{Version, VersionError};
