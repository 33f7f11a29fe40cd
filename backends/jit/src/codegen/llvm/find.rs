//! Where a libLLVM may be: what the user names, the Rust toolchain's own, the system's.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names a libLLVM; nothing else is tried then.
pub const VARIABLE: &str = "IVY_LLVM";

/// The versions that are used: older ones abort on legal kernels, newer ones are untested.
pub const VERSIONS: RangeInclusive<u32> = 19..=22;

/// The versions that are used of a library that the user names: newer ones as well.
const NAMED: RangeInclusive<u32> = 19..=u32::MAX;

/// What to do where there is none.
pub const REMEDY: &str = "Install LLVM 19 to 22 (Debian: `apt-get install libllvm19`, Fedora: `dnf install \
    llvm-libs`, macOS: `brew install llvm`), or a Rust toolchain by rustup, or name a libLLVM in IVY_LLVM; \
    `jit:interp` needs none";

/// Places to try, in order, and what was looked at to find them.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Files that exist.
    pub files: Vec<PathBuf>,
    /// Every place that was looked at, in words.
    pub searched: Vec<String>,
    /// True if the user has named it.
    pub named: bool,
}

impl Candidates {
    /// The versions that are used.
    pub fn versions(&self) -> RangeInclusive<u32> {
        if self.named { NAMED } else { VERSIONS }
    }
}

/// Looks for libraries.
pub fn candidates() -> Candidates {
    let mut found = Candidates::default();
    if let Some(named) = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
        found.searched.push(format!("{VARIABLE}={}", named.display()));
        found.files.push(PathBuf::from(named));
        found.named = true;
        return found;
    }
    match sysroot() {
        Some(root) => {
            found.folder(&root.join("lib"));
            if let Some(host) = target() {
                found.folder(&root.join("lib/rustlib").join(host).join("lib"));
            }
        }
        None => found.searched.push("`rustc --print sysroot` (no rustc)".into()),
    }
    let machine = std::env::consts::ARCH;
    let multiarch = format!("/usr/lib/{machine}-linux-gnu");
    for folder in [multiarch.as_str(), "/usr/lib64", "/usr/lib", "/usr/local/lib"] {
        found.folder(Path::new(folder));
    }
    for version in VERSIONS.rev() {
        found.folder(&PathBuf::from(format!("/usr/lib/llvm-{version}/lib")));
    }
    for folder in ["/opt/homebrew/opt/llvm/lib", "/usr/local/opt/llvm/lib"] {
        found.folder(Path::new(folder));
    }
    found
}

/// The libraries of a folder, the newest version first.
pub fn candidates_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Candidates::default();
    found.folder(folder);
    found.files
}

impl Candidates {
    /// Adds the libraries of a folder, the newest version first.
    fn folder(&mut self, folder: &Path) {
        self.searched.push(folder.join("libLLVM*").display().to_string());
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut files: Vec<(u32, PathBuf)> = entries
            .flatten()
            .filter_map(|e| {
                let version = version_of(e.file_name().to_str()?)?;
                VERSIONS.contains(&version).then(|| (version, e.path()))
            })
            .collect();
        files.sort();
        self.files.extend(files.into_iter().rev().map(|f| f.1));
    }
}

/// The version that a library's name tells: `libLLVM.so.22.1-rust-1.95.0-stable`, `libLLVM-19.so`.
///
/// `libLLVM-22-rust-1.95.0-stable.so` is a text for linkers, and no library.
pub fn version_of(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("libLLVM")?;
    let rest = match rest.strip_prefix('-') {
        Some(rest) if !rest.contains("rust") => rest,
        Some(_) => return None,
        None => rest.strip_prefix(".so.")?,
    };
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (name.contains(".so") || name.ends_with(".dylib")).then_some(())?;
    number.parse().ok()
}

/// Where the Rust toolchain is.
fn sysroot() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let path = String::from_utf8(out.stdout).ok()?;
    out.status.success().then(|| PathBuf::from(path.trim()))
}

/// The toolchain's name of this machine.
fn target() -> Option<&'static str> {
    match (std::env::consts::ARCH, std::env::consts::OS) {
        ("x86_64", "linux") => Some("x86_64-unknown-linux-gnu"),
        ("aarch64", "linux") => Some("aarch64-unknown-linux-gnu"),
        ("x86_64", "macos") => Some("x86_64-apple-darwin"),
        ("aarch64", "macos") => Some("aarch64-apple-darwin"),
        _ => None,
    }
}
