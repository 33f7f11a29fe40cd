//! The examples in the docs and the tests here use the facade, which may have libtorch in it: where
//! to find it then. Nothing of this package itself needs it.

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    let folder = std::env::var_os("LIBTORCH").map(std::path::PathBuf::from);
    if let Some(lib) = folder.and_then(|folder| folder.join("lib").canonicalize().ok()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", lib.display());
    }
}
