//! What a program is set up with.

use crate::error::{Error, Result};
use crate::passes::LOOP_LIMIT;
use ivy_backend_jit::cache::{Disk, Generator, LIMIT};
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::program::{Cpu, Cuda, Order, Target};
use ivy_backend_jit::runtime::cuda::Device;
use ivy_core::Rules;
use ivy_taichi_types::PrimitiveType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where kernels run.
#[derive(Clone, Default)]
pub enum Arch {
    /// On the processor: by LLVM where there is one, else interpreted.
    #[default]
    Cpu,
    /// By LLVM.
    Llvm,
    /// Interpreted.
    Interp,
    /// On a device.
    Cuda(Arc<Device>),
}

/// What a program is set up with: the keyword arguments of `ti.init`.
#[derive(Clone)]
pub struct Config {
    pub(crate) arch: Arch,
    pub(crate) default_ip: PrimitiveType,
    pub(crate) default_fp: PrimitiveType,
    pub(crate) rules: Rules,
    pub(crate) debug: bool,
    pub(crate) loop_limit: u64,
    pub(crate) packed: bool,
    pub(crate) fast: bool,
    pub(crate) seed: u64,
    pub(crate) simplify: bool,
    pub(crate) warnings: bool,
    pub(crate) kept: bool,
    pub(crate) cache: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            arch: Arch::Cpu,
            default_ip: PrimitiveType::I32,
            default_fp: PrimitiveType::F32,
            rules: Rules::Taichi,
            debug: false,
            loop_limit: LOOP_LIMIT,
            packed: false,
            fast: false,
            seed: 0,
            simplify: true,
            warnings: true,
            kept: false,
            cache: None,
        }
    }
}

impl Config {
    /// The defaults: the processor, i32 and f32, padded fields, no checks.
    pub fn new() -> Config {
        Config::default()
    }

    /// Where kernels run.
    pub fn arch(self, arch: Arch) -> Config {
        Config { arch, ..self }
    }

    /// The type of integer literals (T-03).
    pub fn default_ip(self, default_ip: PrimitiveType) -> Config {
        Config { default_ip, ..self }
    }

    /// The type of float literals (T-03).
    pub fn default_fp(self, default_fp: PrimitiveType) -> Config {
        Config { default_fp, ..self }
    }

    /// The rules of promotion: `taichi`, by which comparisons give i32, or `taichi-1.7`.
    pub fn rules(self, rules: Rules) -> Config {
        Config { rules, ..self }
    }

    /// Whether indices are checked and assertions hold.
    pub fn debug(self, debug: bool) -> Config {
        Config { debug, ..self }
    }

    /// How many iterations a loop may have in debug mode before it is an error.
    pub fn loop_limit(self, loop_limit: u64) -> Config {
        Config { loop_limit, ..self }
    }

    /// Whether fields have no padding.
    pub fn packed(self, packed: bool) -> Config {
        Config { packed, ..self }
    }

    /// Whether sums of floats may come out otherwise each time, and run on all threads.
    pub fn fast(self, fast: bool) -> Config {
        Config { fast, ..self }
    }

    /// The seed of random numbers.
    pub fn random_seed(self, seed: u64) -> Config {
        Config { seed, ..self }
    }

    /// Whether kernels are simplified before they are compiled.
    pub fn simplify(self, simplify: bool) -> Config {
        Config { simplify, ..self }
    }

    /// Whether stores that may lose precision are noted (T-18).
    pub fn warnings(self, warnings: bool) -> Config {
        Config { warnings, ..self }
    }

    /// Whether what kernels print is kept for [`Program::take_printed`](crate::Program::take_printed) instead of going
    /// to the standard output.
    pub fn keep_printed(self, kept: bool) -> Config {
        Config { kept, ..self }
    }

    /// A folder that keeps the machine code of kernels, for other processes as well (T-53): `offline_cache`. Nobody else
    /// may write to it.
    pub fn offline_cache(self, folder: &Path) -> Config {
        Config { cache: Some(folder.to_owned()), ..self }
    }

    pub(crate) fn disk(&self) -> Result<Option<Disk>> {
        let opened = self.cache.as_ref().map(|folder| Disk::open(folder, LIMIT)).transpose();
        opened.map_err(|error| Error::Target { arch: "offline_cache", why: error.to_string() })
    }

    pub(crate) fn order(&self) -> Order {
        if self.fast { Order::Fast } else { Order::Deterministic }
    }

    pub(crate) fn target(&self) -> Result<Arc<dyn Target>> {
        Ok(match &self.arch {
            Arch::Cpu => Arc::new(Cpu(llvm::llvm().map_or(Generator::Interp, Generator::Llvm))),
            Arch::Llvm => {
                let llvm = llvm::llvm()
                    .map_err(|missing| Error::Target { arch: "llvm", why: missing.to_string() })?;
                Arc::new(Cpu(Generator::Llvm(llvm)))
            }
            Arch::Interp => Arc::new(Cpu(Generator::Interp)),
            Arch::Cuda(device) => Arc::new(Cuda(device.clone())),
        })
    }
}
