//! Lists the files of `support/` that grow by themselves: measured tables and known bugs.

use std::{fmt::Write as _, fs};

/// The text of `support.rs`: `MEASURED` and `BUGS`, whose files may be absent.
pub fn lists() -> String {
    println!("cargo:rerun-if-changed=support");
    let mut files: Vec<String> = fs::read_dir("support/measured")
        .map(|entries| entries.map(|e| e.expect("a readable folder").file_name()))
        .into_iter()
        .flatten()
        .filter_map(|name| name.into_string().ok().filter(|n| n.ends_with(".tsv")))
        .collect();
    files.sort();
    let text = |path: &str| format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{path}\"))");
    let mut out = String::from("static MEASURED: &[(&str, &str, &str, &str)] = &[\n");
    for file in files {
        let name = file.trim_end_matches(".tsv");
        let (backend, version) = name
            .split_once('@')
            .unwrap_or_else(|| panic!("support/measured/{file}: the name is not BACKEND@VERSION.tsv"));
        let path = format!("support/measured/{file}");
        writeln!(out, "    ({backend:?}, {version:?}, \"dtype-tables/{path}\", {}),", text(&path)).unwrap();
    }
    out.push_str("];\n");
    let bugs = if fs::exists("support/bugs.tsv").unwrap_or(false) {
        format!("Some((\"dtype-tables/support/bugs.tsv\", {}))", text("support/bugs.tsv"))
    } else {
        "None".to_string()
    };
    writeln!(out, "static BUGS: Option<(&str, &str)> = {bugs};").unwrap();
    out
}
