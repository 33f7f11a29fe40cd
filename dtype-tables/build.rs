//! Turns the tables of this folder into constant arrays. A malformed line stops the build
//! with the file, the line and the cell.

#[path = "build/domains.rs"]
mod domains;
#[path = "build/dtypes.rs"]
mod dtypes;
#[path = "build/rules/mod.rs"]
mod rules;
#[path = "build/support.rs"]
mod support;
#[path = "build/tsv.rs"]
mod tsv;

use std::{env, fs, path::Path};

fn main() {
    let extra = env::var_os("CARGO_FEATURE_EXTRA_DTYPE").is_some();
    let dtypes = dtypes::Dtypes::read(extra);
    let categories = domains::Categories::read();
    let mut out = String::new();
    dtypes::write(&mut out, &dtypes);
    domains::write(&mut out, &dtypes, &categories);
    rules::write(&mut out, &dtypes, &categories, extra);
    let dir = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&dir).join("tables.rs"), out).expect("OUT_DIR is writable");
    fs::write(Path::new(&dir).join("support.rs"), support::lists()).expect("OUT_DIR is writable");
}
