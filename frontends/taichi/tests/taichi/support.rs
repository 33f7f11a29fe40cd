//! Where the tests run.

use ivy_backend_jit::runtime::cuda::{Device, Driver};
use ivy_taichi::{Arch, Config, Program};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The stand-in for a device that cargo builds beside the tests, if the whole workspace was built.
fn stand_in() -> Option<PathBuf> {
    let tests = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let name = format!("{}ivy_ptx_machine{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    [tests.join(&name), tests.join("..").join(&name)].into_iter().find(|p| p.exists())
}

/// The device, which all tests of a process share.
fn device() -> Option<Arc<Device>> {
    static DEVICE: OnceLock<Option<Arc<Device>>> = OnceLock::new();
    let open = || {
        let driver = Driver::open(&stand_in()?).unwrap_or_else(|absent| panic!("{absent}"));
        Some(Device::open(driver, 0).unwrap_or_else(|absent| panic!("{absent}")))
    };
    DEVICE.get_or_init(open).clone()
}

/// Every place where kernels run: interpreted, by LLVM, and on the stand-in for a device.
pub fn arches() -> Vec<(&'static str, Arch)> {
    let mut arches = vec![("interp", Arch::Interp), ("llvm", Arch::Llvm)];
    arches.extend(device().map(|device| ("cuda", Arch::Cuda(device))));
    arches
}

/// Runs a check on each of them, by a program of its own.
pub fn on_all(config: Config, check: impl Fn(&Program) -> ivy_taichi::Result<()>) {
    for (name, arch) in arches() {
        let program =
            Program::new(config.clone().arch(arch)).unwrap_or_else(|error| panic!("{name}: {error}"));
        check(&program).unwrap_or_else(|error| panic!("on {name}: {error}"));
    }
}

/// Compares a text with a file of `tests/data`; `IVY_UPDATE_GOLDEN` writes it.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    if std::env::var_os("IVY_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(text, want, "{name}");
}
