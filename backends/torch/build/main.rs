//! With the feature `libtorch`: compiles the C++ half of `torch-sys` to a library of its own, which the
//! crate opens at its first call, and says in one line what to do where that cannot be.

#[cfg(feature = "libtorch")]
mod calls;
#[cfg(feature = "libtorch")]
mod place;
#[cfg(feature = "libtorch")]
mod shim;
#[cfg(feature = "libtorch")]
mod source;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    #[cfg(feature = "libtorch")]
    if let Err(problem) = shim::build() {
        println!("cargo::error={problem}");
    }
}
