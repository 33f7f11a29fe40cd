//! The device that tests run on: the stand-in that reads PTX on the host, or the machine's own
//! where `IVY_TEST_CUDA=device` asks for it.
#![allow(dead_code)]

use ivy_backend_jit::runtime::cuda::{Device, Driver, driver};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The stand-in's driver, which cargo builds beside the tests.
pub fn stand_in() -> PathBuf {
    let tests = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let name = format!("{}ivy_ptx_machine{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let found = [tests.join(&name), tests.join("..").join(&name)].into_iter().find(|p| p.exists());
    found.unwrap_or_else(|| panic!("cargo builds {name} beside {}", tests.display()))
}

pub fn is_real() -> bool {
    std::env::var("IVY_TEST_CUDA").is_ok_and(|v| v == "device")
}

/// The device, which all tests of a process share.
pub fn device() -> Arc<Device> {
    static DEVICE: OnceLock<Arc<Device>> = OnceLock::new();
    let open = || {
        let driver = if is_real() {
            driver().unwrap_or_else(|absent| panic!("{absent}"))
        } else {
            Driver::open(&stand_in()).unwrap_or_else(|absent| panic!("{absent}"))
        };
        Device::open(driver, 0).unwrap_or_else(|absent| panic!("{absent}"))
    };
    DEVICE.get_or_init(open).clone()
}
