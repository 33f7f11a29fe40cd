//! The CUDA driver and what goes wrong with it: by the stand-in, which can be made to fail. Each test
//! has a copy of its own, since a library's state belongs to its file.

use crate::common::device;
use crate::common::kernels;

use device::stand_in;
use ivy_backend_jit::codegen::ptx::{self, HEADER};
use ivy_backend_jit::ir::{Code, Type};
use ivy_backend_jit::runtime::Reading;
use ivy_backend_jit::runtime::cuda::{
    Absent, Bare, Device, DeviceArray, Driver, Failure, Input, Kept, LEAST, Memory, Space, Uses, Way, launch,
    product,
};
use ivy_core::host::HostArray;
use ivy_core::{Dims, Dtype, ErrorKind};
use libloading::Library;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A copy of the stand-in, with what is its own.
struct Fake {
    library: Library,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

const MEMORY: u64 = 64 << 20;

impl Fake {
    fn new() -> Fake {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libcuda.so.1");
        std::fs::copy(stand_in(), &path).unwrap();
        // SAFETY: the stand-in, whose initializers do nothing.
        let library = unsafe { Library::new(&path) }.unwrap();
        Fake { library, path, _folder: folder }
    }

    fn set(&self, version: i32, devices: i32, memory: u64, fails: i32) {
        // SAFETY: the function of this name has this type.
        unsafe {
            let set = self.library.get::<extern "C" fn(i32, i32, u64, i32)>(b"ivyMachineSet\0").unwrap();
            set(version, devices, memory, fails);
        }
    }

    fn used(&self) -> u64 {
        // SAFETY: likewise.
        unsafe { self.library.get::<extern "C" fn() -> u64>(b"ivyMachineUsed\0").unwrap()() }
    }

    fn device(&self) -> Arc<Device> {
        Device::open(Driver::open(&self.path).unwrap_or_else(|e| panic!("{e}")), 0)
            .unwrap_or_else(|e| panic!("{e}"))
    }
}

fn absent(path: &Path) -> Absent {
    match Driver::open(path) {
        Err(absent) => absent,
        Ok(_) => panic!("{} is a driver", path.display()),
    }
}

#[test]
fn no_driver() {
    let missing = absent(Path::new("/nowhere/libcuda.so.1"));
    assert!(matches!(missing, Absent::Driver { .. }));
    assert!(missing.to_string().contains("/nowhere/libcuda.so.1"), "{missing}");
    // A library that is none of CUDA's.
    let other = absent(Path::new("libc.so.6"));
    assert!(matches!(&other, Absent::Driver { searched } if searched[0].contains("cuInit")), "{other}");
}

#[test]
fn an_old_driver_and_none_with_a_device() {
    let fake = Fake::new();
    fake.set(9_020, 1, MEMORY, 0);
    assert_eq!(absent(&fake.path), Absent::TooOld { version: (9, 2) });
    assert!(absent(&fake.path).to_string().contains(&format!("{}.{}", LEAST.0, LEAST.1)));
    fake.set(12_040, 0, MEMORY, 0);
    assert_eq!(absent(&fake.path), Absent::Devices);
    fake.set(12_040, 2, MEMORY, 0);
    let driver = Driver::open(&fake.path).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((driver.version, driver.devices), ((12, 4), 2));
    assert!(matches!(Device::open(driver, 2), Err(Absent::Number { number: 2, devices: 2 })));
    let second = Device::open(driver, 1).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((second.number, second.capability, second.name.as_str()), (1, (9, 0), "PTX machine"));
}

#[test]
fn memory_is_kept_and_given_back() {
    let fake = Fake::new();
    fake.set(12_040, 1, MEMORY, 0);
    let device = fake.device();
    let first = Memory::new(&device, 1000).unwrap().address();
    // The same block again: it was given back, and not to the driver.
    let again = Memory::new(&device, 900).unwrap();
    assert_eq!((again.address(), fake.used()), (first, 1024));
    let most = Memory::new(&device, 40 << 20).unwrap();
    let error = Memory::new(&device, 30 << 20).unwrap_err();
    assert!(matches!(error, Failure::Memory { bytes, .. } if bytes == 30 << 20), "{error}");
    let error = ivy_core::Error::from(error);
    assert!(matches!(error.kind(), ErrorKind::MemoryLimit { .. }));
    assert!(!error.to_string().contains("set_memory_limit"), "no setting gives a device more: {error}");
    assert!(Memory::new(&device, usize::MAX).is_err());
    drop(most);
    // What the pool keeps makes room for what has no block there.
    let other = Memory::new(&device, 50 << 20).unwrap();
    assert_eq!(fake.used(), (50 << 20) + 1024);
    drop((other, again));
    drop(device);
    assert_eq!(fake.used(), 0);
}

/// `-x` of 1000 numbers.
fn negative(device: &Arc<Device>, of: &Memory) -> ivy_core::Result<Memory> {
    let kernel = kernels::single(Code::Neg, Type::F32, Type::F32).unwrap();
    let input = Input { address: of.address(), reading: Reading::Walked, steps: Dims::from_slice(&[1]) };
    let space = Space::new(&[1000], &[input]).unwrap();
    let code = device.kernel(&ptx::module(&kernel, space.form(false)))?;
    launch(&code, &kernel.params, &space).map(|mut results| results.remove(0))
}

const LAUNCH_FAILED: i32 = 719;

#[test]
fn a_bare_launch_is_one_and_touches_no_memory() {
    let fake = Fake::new();
    fake.set(12_040, 1, MEMORY, 0);
    let device = fake.device();
    let bare = Bare::new(&device).unwrap();
    let used = fake.used();
    (0..3).for_each(|_| bare.start(1024).unwrap());
    device.wait().unwrap();
    assert_eq!(fake.used(), used);
    fake.set(12_040, 1, MEMORY, LAUNCH_FAILED);
    bare.start(1024).unwrap();
    assert!(matches!(device.wait(), Err(Failure::Call { code: LAUNCH_FAILED, .. })));
}

#[test]
fn a_launch_that_fails_is_told_by_what_waits_for_it() {
    let fake = Fake::new();
    fake.set(12_040, 1, MEMORY, LAUNCH_FAILED);
    let device = fake.device();
    let of = device.upload(&[0; 4000]).unwrap();
    let result = negative(&device, &of).unwrap();
    let failure = device.wait().unwrap_err();
    assert!(matches!(failure, Failure::Call { code: LAUNCH_FAILED, .. }), "{failure}");
    assert!(failure.to_string().contains("CUDA_ERROR_LAUNCH_FAILED"), "{failure}");
    let error = ivy_core::Error::from(failure);
    assert!(matches!(error.kind(), ErrorKind::BackendFailure { .. }), "{error}");
    drop(result);
    // A space that leads outside of what there is: the device tells, and the process lives.
    fake.set(12_040, 1, MEMORY, 0);
    let small = device.upload(&[0; 400]).unwrap();
    let small = Input { address: small.address(), reading: Reading::Walked, steps: Dims::from_slice(&[1]) };
    let kernel = kernels::single(Code::Neg, Type::F32, Type::F32).unwrap();
    let space = Space::new(&[1000], &[small]).unwrap();
    let code = device.kernel(&ptx::module(&kernel, space.form(false))).unwrap();
    let result = launch(&code, &kernel.params, &space);
    let failure = device.wait().unwrap_err();
    assert!(failure.to_string().contains("illegal memory access"), "{failure}");
    drop(result);
}

#[test]
fn what_is_not_assembled_says_why() {
    let fake = Fake::new();
    let device = fake.device();
    let text =
        format!("{HEADER}\n.visible .entry k(\n.param .align 8 .b8 arguments[8]\n)\n{{\n  nonsense;\n}}\n");
    let Err(Failure::Assembly { log }) = device.kernel(&text) else { panic!("it is no kernel") };
    assert!(log.contains("nonsense"), "{log}");
    assert!(matches!(device.kernel("\0"), Err(Failure::Assembly { .. })));
    // A module without the kernel.
    let other = text.replace("nonsense", "ret");
    assert!(matches!(device.kernel(&other), Err(Failure::Call { call: "cuModuleGetFunction", .. })));
}

#[test]
fn a_kernel_and_a_space_that_do_not_fit() {
    let fake = Fake::new();
    let device = fake.device();
    let kernel = kernels::single(Code::Add, Type::F32, Type::F32).unwrap();
    let input = Input { address: 0, reading: Reading::Walked, steps: Dims::from_slice(&[1]) };
    let space = Space::new(&[8], &[input]).unwrap();
    let code = device.kernel(&ptx::module(&kernel, space.form(false))).unwrap();
    let error = launch(&code, &kernel.params, &space).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
    let none = Input { address: 0, reading: Reading::Walked, steps: Dims::new() };
    assert!(Space::new(&[8], &[none]).is_none());
}

#[test]
fn copies_within_the_device() {
    let fake = Fake::new();
    let device = fake.device();
    let (from, to) = (device.upload(&[7; 1000]).unwrap(), device.upload(&[1; 1000]).unwrap());
    device.copy(&from, &to, 600).unwrap();
    let kept = Arc::new(to);
    let array =
        DeviceArray::from_parts(kept, Dtype::UINT8, [1000].into(), Dims::from_slice(&[1]), 0).unwrap();
    let host = array.download().unwrap();
    let bytes = host.view().contiguous_bytes().unwrap().to_vec();
    assert!(bytes[..600].iter().all(|&b| b == 7) && bytes[600..].iter().all(|&b| b == 1));
}

#[test]
fn products_do_without_parts_where_there_is_no_memory_for_them() {
    let fake = Fake::new();
    fake.set(12_040, 1, MEMORY, 0);
    let device = fake.device();
    let kept = Kept::new(device.clone());
    let values: Vec<f32> = (0..64 * 600).map(|i| (i % 1009) as f32 / 811.0).collect();
    let matrix = |rows: usize, columns: usize| {
        let host = HostArray::from_vec(values.clone(), [rows, columns].into()).unwrap();
        DeviceArray::upload(&device, &host).unwrap()
    };
    let (a, b) = (matrix(64, 600), matrix(600, 64));
    let way = |parts| Some(Way { tile: ptx::tiles(Type::F32, false).last().copied(), parts });
    let want = product(&Uses::of(&kept), &a, &b, way(true)).unwrap().download().unwrap();
    device.trim().unwrap();
    // Enough for the result, and not for three of them.
    fake.set(12_040, 1, fake.used() + 20_000, 0);
    let got = product(&Uses::of(&kept), &a, &b, way(true)).unwrap().download().unwrap();
    assert!(got.view().contiguous_bytes().is_some_and(|got| Some(got) == want.view().contiguous_bytes()));
    fake.set(12_040, 1, MEMORY, 0);
}

#[test]
fn moments_tell_time_on_the_device() {
    let fake = Fake::new();
    let device = fake.device();
    let of = device.upload(&[0; 4000]).unwrap();
    let before = device.now().unwrap();
    let _result = negative(&device, &of).unwrap();
    let after = device.now().unwrap();
    assert!(after.since(&before).unwrap() > std::time::Duration::ZERO);
}
