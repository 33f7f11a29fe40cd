//! Where the C++ half of `torch-sys` stands.

use std::env;
use std::path::{Path, PathBuf};

/// The version that the workspace pins.
const PACKAGE: &str = "torch-sys-0.26.0";

/// The folder of C++ sources in the package that this build uses.
///
/// Cargo tells no build script where another package is (and `cargo metadata` wants packages there
/// that no build has needed): this looks beside its own package, which a registry's or a vendored
/// one is, then among those that cargo has unpacked from registries.
pub fn folder() -> Result<PathBuf, String> {
    let own = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let beside = [PACKAGE, "torch-sys"].map(|name| own.with_file_name(name));
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let unpacked = home.join("registry/src");
    let registries =
        unpacked.read_dir().into_iter().flatten().flatten().map(|entry| entry.path().join(PACKAGE));
    let is_it = |folder: &Path| folder.join("torch_api_generated.cpp").exists();
    let mut found = beside.into_iter().chain(registries).map(|package| package.join("libtch"));
    found.find(|folder| is_it(folder)).ok_or_else(|| {
        format!("the sources of {PACKAGE} are neither beside {} nor in {}", own.display(), unpacked.display())
    })
}
