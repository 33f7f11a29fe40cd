//! The library that stands between the crate and libtorch.

use crate::{calls, place, source};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where this is `skip`, nothing is compiled, which takes a minute: lints and docs link nothing.
const SHIM: &str = "IVY_TORCH_SHIM";

/// Compiles it, unless the target is one where `torch-sys` links libtorch to the program as ever.
pub fn build() -> Result<(), String> {
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if (target("OS").as_str(), target("ARCH").as_str()) != ("linux", "x86_64") {
        return Ok(());
    }
    let root = env::var_os("LIBTORCH").map(PathBuf::from);
    if let Some(root) = &root {
        println!("cargo::rerun-if-changed={}", root.join("build-version").display());
    }
    let (root, lib) = place::checked(root)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo gives no OUT_DIR")?);
    println!("cargo::rustc-env=IVY_LIBTORCH={}", lib.display());
    println!("cargo::rerun-if-env-changed={SHIM}");
    let library = out.join("libivy_torch.so");
    if env::var(SHIM).is_ok_and(|how| how == "skip") {
        std::fs::write(library, []).map_err(|error| error.to_string())?;
        return write(&out, &[]);
    }
    let mut compiler = cc::Build::new();
    let debug = env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    if debug {
        // 20 000 lines that only hand calls on.
        compiler.opt_level(0);
    }
    let sources = source::folder()?;
    // One unit of both files: libtorch's headers take as long as all else.
    let unit = out.join("shim.cpp");
    let files = ["torch_api.cpp", "torch_api_generated.cpp"]
        .map(|name| format!("#include {:?}\n", sources.join(name)));
    std::fs::write(&unit, files.concat()).map_err(|error| error.to_string())?;
    let archive = compiler
        .cpp(true)
        .std("c++17")
        .pic(true)
        .debug(false)
        .warnings(false)
        .cargo_metadata(false)
        .includes([root.join("include"), root.join("include/torch/csrc/api/include"), sources.clone()])
        .file(unit)
        .file("build/streams.cpp");
    archive.try_compile("ivy_torch").map_err(|error| format!("the C++ half of torch-sys: {error}"))?;
    link(&compiler.get_compiler(), &out, &lib, &library)?;
    write(&out, &calls::names(&library)?)
}

/// Writes the functions that the library has.
fn write(out: &Path, names: &[String]) -> Result<(), String> {
    std::fs::write(out.join("calls.s"), calls::text(names)).map_err(|error| error.to_string())
}

/// Links the compiled objects to a shared library, and sees to it that libtorch has all it needs.
fn link(compiler: &cc::Tool, out: &Path, lib: &Path, library: &Path) -> Result<(), String> {
    let mut search = OsString::from("-L");
    search.push(lib);
    let mut command = Command::new(compiler.path());
    command.args(["-shared", "-s", "-Wl,-z,defs", "-Wl,-Bsymbolic-functions", "-o"]).arg(library);
    command.arg("-Wl,--whole-archive").arg(out.join("libivy_torch.a")).arg("-Wl,--no-whole-archive");
    command.arg(search).args(["-ltorch_cpu", "-lc10"]);
    let output = command.output().map_err(|error| format!("the C++ linker: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(format!("the C++ linker: {}", text.lines().next().unwrap_or("it failed")))
}
