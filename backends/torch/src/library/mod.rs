//! libtorch's files: found, checked and opened at the first call into them, so that a program starts
//! without them, too.
//!
//! The C++ half of `torch-sys` is a shared library that stands as bytes in the program
//! (`build/shim.rs`); it alone is linked against libtorch. The functions of C that `tch` calls are
//! jumps by a table (`build/calls.rs`), which the first of them fills. So nothing of libtorch is
//! there when the program starts, and no path of its files is the system loader's to find.

mod calls;
mod elf;

use crate::VERSION;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The library by whose name libtorch is known.
const MAIN: &str = "libtorch_cpu.so";

/// What is opened, in order; the last two where they are there.
const LIBRARIES: [&str; 4] = ["libc10.so", MAIN, "libc10_cuda.so", "libtorch_cuda.so"];

/// What those need, beside them: looked at, and left to the system's loader to open.
const NEEDED: [&str; 3] = ["libgomp", "libcudart", "libcupti"];

/// Opens libtorch, once in a process; says from where, or what is wrong.
pub(crate) fn open() -> Result<&'static Path, &'static str> {
    static OPENED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let opened = OPENED.get_or_init(|| {
        let folder = folder();
        version_is_right(&folder)?;
        files_are_whole(&folder)?;
        calls::open(&LIBRARIES.map(|name| folder.join(name)))?;
        Ok(folder)
    });
    opened.as_deref().map_err(|problem| problem.as_str())
}

/// Where libtorch is: what the process has of it already, or `lib` in the folder that `LIBTORCH`
/// names, or a folder of `LD_LIBRARY_PATH`, or where it was when the program was built.
fn folder() -> PathBuf {
    let has_it = |folder: &PathBuf| folder.join(MAIN).exists();
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let named = || set("LIBTORCH").map(|root| PathBuf::from(root).join("lib"));
    let searched = || {
        let folders = set("LD_LIBRARY_PATH")?;
        std::env::split_paths(&folders).find(has_it)
    };
    loaded().or_else(named).or_else(searched).unwrap_or_else(|| env!("IVY_LIBTORCH").into())
}

/// The folder of the libtorch that this process has loaded already, as a program in Python may have.
fn loaded() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let path = |line: &str| line.find('/').map(|start| PathBuf::from(&line[start..]));
    let found =
        maps.lines().filter_map(path).find(|path| path.file_name().is_some_and(|name| name == MAIN))?;
    found.parent().map(Path::to_path_buf)
}

/// Nothing if the libtorch in a folder is the version that this crate was measured with, else
/// what is wrong. Beside it stands `../build-version`, or in a Python package `../version.py`.
fn version_is_right(folder: &Path) -> Result<(), String> {
    if !folder.join(MAIN).exists() {
        return Err(format!("there is no {MAIN} in {}", folder.display()));
    }
    let root = folder.parent().unwrap_or(folder);
    let read = |file: &str| std::fs::read_to_string(root.join(file)).ok();
    let version = read("build-version").or_else(|| {
        let text = read("version.py")?;
        let line = text.lines().find(|line| line.starts_with("__version__"))?;
        line.split(['\'', '"']).nth(1).map(str::to_string)
    });
    match version.as_deref().map(|v| v.trim().split('+').next().unwrap_or_default()) {
        Some(VERSION) => Ok(()),
        Some(other) => Err(format!("the libtorch in {} is version {other}, not {VERSION}", folder.display())),
        None => Err(format!("the libtorch in {} does not tell its version", folder.display())),
    }
}

/// Nothing if each file has the length that its own header asks for: the system's loader kills the
/// process at a page that is not there.
fn files_are_whole(folder: &Path) -> Result<(), String> {
    let needed = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let needed = needed.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        NEEDED.iter().any(|start| name.starts_with(start)) && name.contains(".so")
    });
    let opened = LIBRARIES.iter().map(|name| folder.join(name)).filter(|path| path.exists());
    for path in opened.chain(needed) {
        elf::is_whole(&path).map_err(|problem| format!("{} {problem}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(files: &[(&str, &str)]) -> Result<(), String> {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ivy-torch-{}-{number}", std::process::id()));
        std::fs::create_dir_all(root.join("lib")).unwrap();
        for (name, text) in files {
            std::fs::write(root.join(name), text).unwrap();
        }
        let answer = version_is_right(&root.join("lib"));
        std::fs::remove_dir_all(&root).unwrap();
        answer
    }

    #[test]
    fn other_versions_are_refused() {
        let library = ("lib/libtorch_cpu.so", "");
        assert_eq!(told(&[library, ("build-version", "2.13.0\n")]), Ok(()));
        assert_eq!(told(&[library, ("build-version", "2.13.0+cpu")]), Ok(()));
        assert_eq!(told(&[library, ("version.py", "__version__ = '2.13.0+cu130'\ndebug = False\n")]), Ok(()));
        assert!(
            told(&[library, ("build-version", "2.12.1+cpu\n")]).unwrap_err().contains("2.12.1, not 2.13.0")
        );
        assert!(told(&[library, ("version.py", "debug = False\n")]).unwrap_err().contains("does not tell"));
        assert!(told(&[library]).is_err());
        assert!(told(&[("build-version", "2.13.0\n")]).unwrap_err().contains("there is no libtorch_cpu.so"));
    }

    #[test]
    fn what_is_opened_is_what_the_process_has() {
        let folder = open().unwrap();
        assert_eq!(loaded().unwrap().canonicalize().unwrap(), folder.canonicalize().unwrap());
    }
}
