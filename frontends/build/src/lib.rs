//! The build script of a frontend's crate: reads `functions/*.tsv`, refuses tables with mistakes, and writes a function
//! for each row.
//!
//! `functions.rs` in the build's folder has `FILES` (the tables), `SPECIALS` (the code that rows call: functions of the
//! crate's module `special`), a function a row in modules by path, and the trait `Methods` of the array type.

mod write;

use ivy_frontend_rows::Table;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What the written code names.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The constant of the frontend in the crate: `NUMPY`.
    pub frontend: &'a str,
    /// The array type as the framework calls it, and rows do: `ndarray`.
    pub class: &'a str,
    /// The array type as Rust does: `NdArray`.
    pub array: &'a str,
}

/// Does all that a build script has to; it ends the build where a table has mistakes, and tells of each.
pub fn run(names: Names<'_>) {
    println!("cargo::rerun-if-changed=functions");
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(failures) = try_run(names) {
        for failure in failures {
            println!("cargo::error={failure}");
        }
    }
}

fn try_run(names: Names<'_>) -> Result<(), Vec<String>> {
    let told = |error: io::Error| vec![error.to_string()];
    let variable =
        |name: &str| env::var_os(name).map(PathBuf::from).ok_or_else(|| vec![format!("no {name}")]);
    let (root, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
    let files = read(&root).map_err(told)?;
    let borrowed: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let table = Table::parse(&borrowed)
        .map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let text = write::write(&table, &borrowed, names);
    fs::write(out.join("functions.rs"), text).map_err(told)
}

/// The tables of a crate, sorted by name: names and texts.
fn read(root: &Path) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("functions"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "tsv") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((format!("functions/{name}"), fs::read_to_string(&path)?));
        }
    }
    files.sort();
    Ok(files)
}
