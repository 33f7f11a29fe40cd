//! Whether the libtorch that the program found is one to compute with.

use crate::backend::TorchBackend;
use crate::error::Message;
use crate::{VERSION, raw};
use ivy_core::backend::{BackendRef, DeviceKind};
use ivy_core::{Device, ErrorKind, Result};
use std::path::{Path, PathBuf};
use tch::Tensor;

const SET_UP: &str = "Run ./setup-libtorch.sh, which sets libtorch 2.13.0 up, and build again";

pub(crate) fn create(place: Option<&str>) -> Result<BackendRef> {
    let device = place.map_or(Ok(Device::CPU), str::parse)?;
    let unavailable = |reason: String, remedy: &str| -> ivy_core::Error {
        let name = place.map_or_else(|| "torch".into(), |place| format!("torch:{place}"));
        ErrorKind::BackendUnavailable { name, reason, remedy: remedy.into() }.into()
    };
    let library = loaded().map(|path| path.parent().map(Path::to_path_buf).unwrap_or_default());
    version_is_right(library.as_deref()).map_err(|reason| unavailable(reason, SET_UP))?;
    let chosen = match device.kind {
        DeviceKind::Cpu if device.index == 0 => tch::Device::Cpu,
        DeviceKind::Cuda => {
            let count = raw::cuda_devices();
            if device.index >= count {
                let reason = match count {
                    0 => "libtorch finds no CUDA device".to_string(),
                    n => format!("libtorch finds {n} CUDA devices, counted from 0"),
                };
                return Err(unavailable(reason, "Use `torch`, or a libtorch built for CUDA and a GPU"));
            }
            tch::Device::Cuda(device.index)
        }
        _ => {
            let reason = "it runs on the processor and on CUDA devices".to_string();
            return Err(unavailable(reason, "Use `torch` or `torch:cuda:0`"));
        }
    };
    match first_sum(chosen).and_then(|sum| first_calls().map(|()| sum)) {
        Ok(2) => Ok(BackendRef::new(TorchBackend::on(chosen))),
        Ok(sum) => Err(unavailable(format!("libtorch says that 1 + 1 is {sum}"), SET_UP)),
        Err(message) => Err(unavailable(format!("libtorch fails at its first sum: {message}"), SET_UP)),
    }
}

/// One and one, by libtorch.
fn first_sum(device: tch::Device) -> Result<i64, Message> {
    let one = Tensor::f_from_slice(&[1i32])?.f_to(device)?;
    let sum = one.f_add(&one)?;
    raw::check()?;
    Ok(sum.f_int64_value(&[0])?)
}

/// Calls each elementary function once, on this thread alone: MKL, by which libtorch computes
/// them, may choose an inaccurate form where several threads at once call it first (see
/// `dtype-tables/support/bugs.tsv`).
fn first_calls() -> Result<(), Message> {
    for kind in [tch::Kind::Float, tch::Kind::Double] {
        let x = Tensor::f_from_slice(&[0.5f32; 64])?.f_to_dtype(kind, false, false)?;
        let f = [
            Tensor::f_acos,
            Tensor::f_asin,
            Tensor::f_atan,
            Tensor::f_cos,
            Tensor::f_exp,
            Tensor::f_expm1,
            Tensor::f_log,
            Tensor::f_log1p,
            Tensor::f_log2,
            Tensor::f_log10,
            Tensor::f_sin,
            Tensor::f_sqrt,
            Tensor::f_tan,
            Tensor::f_tanh,
            Tensor::f_cosh,
            Tensor::f_sinh,
        ];
        for call in f {
            drop(call(&x)?);
        }
        drop(x.f_pow(&x)?);
    }
    Ok(())
}

/// The file of libtorch that this process has loaded, where the system tells.
fn loaded() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let path = |line: &str| line.find('/').map(|start| line[start..].to_string());
    let found = maps.lines().filter_map(path).find(|p| p.contains("/libtorch_cpu.so"))?;
    Some(found.into())
}

/// Nothing if the libtorch in a folder is the version that this crate was measured with, else
/// what is wrong. Beside it stands `../build-version`, or in a Python package `../version.py`.
fn version_is_right(folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else {
        // Linked statically, or a system without /proc: the build has checked the version.
        return Ok(());
    };
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
        let answer = version_is_right(Some(&root.join("lib")));
        std::fs::remove_dir_all(&root).unwrap();
        answer
    }

    #[test]
    fn other_versions_are_refused() {
        assert_eq!(told(&[("build-version", "2.13.0\n")]), Ok(()));
        assert_eq!(told(&[("build-version", "2.13.0+cpu")]), Ok(()));
        assert_eq!(told(&[("version.py", "__version__ = '2.13.0+cu130'\ndebug = False\n")]), Ok(()));
        assert!(told(&[("build-version", "2.12.1+cpu\n")]).unwrap_err().contains("2.12.1, not 2.13.0"));
        assert!(told(&[("version.py", "debug = False\n")]).unwrap_err().contains("does not tell"));
        assert!(told(&[]).is_err());
    }

    #[test]
    fn the_loaded_library_is_found() {
        assert_eq!(first_sum(tch::Device::Cpu).unwrap(), 2);
        assert!(loaded().unwrap().ends_with("libtorch_cpu.so"));
    }
}
