//! Whether the libtorch that the program found is one to compute with.

use crate::backend::TorchBackend;
use crate::error::Message;
use crate::{library, raw};
use ivy_core::backend::{BackendRef, DeviceKind};
use ivy_core::{Device, ErrorKind, Result};
use tch::Tensor;

/// What to do without a libtorch.
pub(crate) const SET_UP: &str = "Run ./setup-libtorch.sh, or set LIBTORCH to a folder of libtorch 2.13.0";

pub(crate) fn create(place: Option<&str>) -> Result<BackendRef> {
    let device = place.map_or(Ok(Device::CPU), str::parse)?;
    let name = place.map_or_else(|| "torch".into(), |place| format!("torch:{place}"));
    on(device, &name).map(BackendRef::new)
}

/// Nothing, once libtorch is open, else what is wrong with it: to be asked before the first call.
pub(crate) fn opened() -> Result<()> {
    library::open().map(|_| ()).map_err(|reason| unavailable("torch", reason.into(), SET_UP))
}

/// A backend on the device, known to the user by a name.
pub(crate) fn on(device: Device, name: &str) -> Result<TorchBackend> {
    library::open().map_err(|reason| unavailable(name, reason.into(), SET_UP))?;
    let chosen = match device.kind {
        DeviceKind::Cpu if device.index == 0 => tch::Device::Cpu,
        DeviceKind::Cuda => {
            let count = raw::cuda_devices();
            if device.index >= count {
                let reason = match count {
                    0 => "libtorch finds no CUDA device".to_string(),
                    n => format!("libtorch finds {n} CUDA devices, counted from 0"),
                };
                return Err(unavailable(name, reason, "Use `torch`, or a libtorch built for CUDA and a GPU"));
            }
            tch::Device::Cuda(device.index)
        }
        _ => {
            let reason = "it runs on the processor and on CUDA devices".to_string();
            return Err(unavailable(name, reason, "Use `torch` or `torch:cuda:0`"));
        }
    };
    match first_sum(chosen).and_then(|sum| first_calls().map(|()| sum)) {
        Ok(2) => Ok(TorchBackend::on(chosen)),
        Ok(sum) => Err(unavailable(name, format!("libtorch says that 1 + 1 is {sum}"), SET_UP)),
        Err(message) => Err(unavailable(name, format!("libtorch fails at its first sum: {message}"), SET_UP)),
    }
}

fn unavailable(name: &str, reason: String, remedy: &str) -> ivy_core::Error {
    ErrorKind::BackendUnavailable { name: name.into(), reason, remedy: remedy.into() }.into()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtorch_adds() {
        assert_eq!(first_sum(tch::Device::Cpu).unwrap(), 2);
    }
}
