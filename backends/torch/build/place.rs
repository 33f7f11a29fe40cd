//! Whether there is a libtorch to build with.

use std::path::PathBuf;

/// The version of libtorch that `torch-sys` is written for.
const VERSION: &str = "2.13.0";

/// The folder that `LIBTORCH` names and the one of its libraries, or one line that says what to run.
pub fn checked(root: Option<PathBuf>) -> Result<(PathBuf, PathBuf), String> {
    let Some(root) = root.filter(|root| !root.as_os_str().is_empty()) else {
        return Err(
            "LIBTORCH is not set: run ivy's ./setup-libtorch.sh FOLDER and set LIBTORCH to the folder".into(),
        );
    };
    let problem = |what: String| {
        format!("{what} in {}: run ./setup-libtorch.sh, or build without the feature `torch`", root.display())
    };
    let lib = root.join("lib").canonicalize().ok().filter(|lib| lib.join("libtorch_cpu.so").exists());
    let lib = lib.ok_or_else(|| problem("no libtorch".into()))?;
    match std::fs::read_to_string(root.join("build-version")) {
        Ok(text) if text.trim().split('+').next() != Some(VERSION) => {
            Err(problem(format!("libtorch {}, not {VERSION},", text.trim())))
        }
        _ => Ok((root, lib)),
    }
}
