//! Compiled kernels in memory, found by what they mean, and their object code on disk.

mod disk;

pub use disk::{Disk, Key, LIMIT, SIZE, VARIABLE};

use crate::codegen::{Code, Ready, Tiered, interp, llvm};
use crate::ir::Kernel;
use crate::log::{Level, say};
use crate::passes;
use crate::schedule::Meaning;
use ivy_core::hash::WordHash;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

/// Kernels that are kept; the oldest go first.
const KEPT: usize = 4096;

/// Which generator makes code.
#[derive(Clone, Copy)]
pub enum Generator {
    /// The interpreter.
    Interp,
    /// A libLLVM.
    Llvm(&'static llvm::Llvm),
}

impl Generator {
    /// True if it has code for float16's conversions.
    pub fn has_halves(self) -> bool {
        match self {
            Generator::Interp => true,
            Generator::Llvm(llvm) => llvm.halves,
        }
    }

    /// True if lanes that are left out cost nothing.
    pub(crate) fn has_masks(self) -> bool {
        match self {
            Generator::Interp => true,
            Generator::Llvm(llvm) => llvm.masks,
        }
    }

    /// True if memory is read faster in two places at a time than in one that is asked for ahead: measured of an
    /// x86-64 processor without AVX-512 (Zen 3), and of no other.
    pub(crate) fn looks_twice(self) -> bool {
        cfg!(target_arch = "x86_64") && matches!(self, Generator::Llvm(llvm) if !llvm.masks)
    }

    /// How some square roots are sooner multiplied than divided for, if any are.
    pub(crate) fn roots(self) -> Option<llvm::Roots> {
        match self {
            Generator::Interp => None,
            Generator::Llvm(llvm) => llvm.roots,
        }
    }

    /// Its name, as places have it.
    pub const fn name(self) -> &'static str {
        match self {
            Generator::Interp => "interp",
            Generator::Llvm(_) => "llvm",
        }
    }
}

/// How machine code is made of a kernel, and where it is kept.
#[derive(Clone)]
struct Maker {
    llvm: &'static llvm::Llvm,
    effort: llvm::Effort,
    style: llvm::Style,
    disk: Option<Disk>,
}

impl Maker {
    fn key(&self, text: &str) -> Key {
        Key::of(&[&llvm::conditions(self.llvm, self.effort), text])
    }

    /// Machine code that is on disk.
    fn find(&self, kernel: &Kernel) -> Option<llvm::Machine> {
        let disk = self.disk.as_ref()?;
        let object = disk.get(self.key(&llvm::source(kernel, self.style)))?;
        llvm::link(self.llvm, kernel, self.style, object).ok()
    }

    /// Makes machine code, and keeps it.
    fn make(&self, kernel: &Kernel) -> Result<llvm::Machine, String> {
        let text = llvm::source(kernel, self.style);
        let object = llvm::object(self.llvm, &text, self.effort)?;
        if let Some(disk) = &self.disk {
            disk.put(self.key(&text), &object);
        }
        llvm::link(self.llvm, kernel, self.style, object)
    }
}

/// Makes a kernel ready; one that LLVM cannot compile, or has not become worth it yet, is interpreted.
pub fn prepare(
    generator: Generator,
    mut kernel: Kernel,
    choice: passes::Choice,
    disk: Option<&Disk>,
) -> Ready {
    let start = Instant::now();
    passes::run(&mut kernel, passes::pipeline(choice));
    let (mut fallback, mut loaded, mut is_tiered) = (None, false, false);
    let style = llvm::Style {
        abreast: choice.abreast,
        notes: choice.notes,
        short: choice.short,
        apart: choice.apart,
        packed: choice.packing,
        twins: choice.twins,
        scalar: choice.scalar,
        roots: generator.roots().filter(|_| choice.roots),
        pipelined: choice.pipelined,
    };
    // A block is one vector, which masks of a machine word are enough for.
    let wide = kernel.effects.is_some_and(|effects| effects.block > llvm::WIDEST);
    let effort = if choice.quick { llvm::effort(&kernel) } else { llvm::Effort::Usual };
    let hash = number(&kernel);
    let (params, guarantees, statements) = (kernel.params.clone(), kernel.guarantees.clone(), kernel.len());
    let code: Box<dyn Code> = match generator {
        Generator::Llvm(_) if wide => {
            fallback = Some(format!("blocks of more than {} elements", llvm::WIDEST));
            Box::new(interp::Program::new(&kernel))
        }
        Generator::Llvm(llvm) => {
            let maker = Maker { llvm, effort, style, disk: disk.cloned() };
            let limits = llvm::Limits::of(&kernel, style);
            if let Some(machine) = maker.find(&kernel) {
                loaded = true;
                Box::new(machine)
            } else if choice.tiered && Tiered::fits(&kernel) {
                is_tiered = true;
                Box::new(Tiered::new(kernel, hash, limits, Box::new(move |kernel| maker.make(kernel))))
            } else {
                match maker.make(&kernel) {
                    Ok(machine) => Box::new(machine),
                    Err(reason) => {
                        fallback = Some(reason);
                        Box::new(interp::Program::new(&kernel))
                    }
                }
            }
        }
        Generator::Interp => Box::new(interp::Program::new(&kernel)),
    };
    let is_machine = matches!(generator, Generator::Llvm(_)) && fallback.is_none();
    let time = start.elapsed();
    Ready { code, params, guarantees, statements, hash, is_machine, is_tiered, fallback, time, loaded }
}

/// A kernel's number: the same for the same statements, which are said where all is.
pub(crate) fn number(kernel: &Kernel) -> u64 {
    let text = kernel.to_string();
    let hash = digest(text.as_bytes(), 0);
    say(Level::Debug, format_args!("kernel {hash:016x}:\n{text}"));
    hash
}

/// A hash of bytes, of eight at a time: both halves of products with an odd constant. Another seed makes another one.
pub(crate) fn digest(bytes: &[u8], seed: u64) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let with = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    };
    let (words, rest) = bytes.as_chunks();
    let hash = words.iter().fold(seed ^ FACTOR, |hash, &word| with(hash, u64::from_le_bytes(word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    with(with(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}

/// Kernels by their meaning, or programs of several by what they do.
pub struct Cache<R, K = Meaning> {
    kernels: HashMap<K, Arc<R>, WordHash>,
    oldest: VecDeque<K>,
}

impl<R, K> Default for Cache<R, K> {
    fn default() -> Cache<R, K> {
        Cache { kernels: HashMap::default(), oldest: VecDeque::new() }
    }
}

impl<R, K: Clone + Eq + Hash> Cache<R, K> {
    /// The kernel of this meaning.
    pub fn find(&self, meaning: &K) -> Option<Arc<R>> {
        self.kernels.get(meaning).cloned()
    }

    /// Adds a kernel; if another thread was faster, its kernel is given back.
    pub fn insert(&mut self, meaning: K, ready: Arc<R>) -> Arc<R> {
        if let Some(found) = self.kernels.get(&meaning) {
            return found.clone();
        }
        if self.oldest.len() >= KEPT
            && let Some(old) = self.oldest.pop_front()
        {
            self.kernels.remove(&old);
        }
        self.oldest.push_back(meaning.clone());
        self.kernels.insert(meaning, ready.clone());
        ready
    }

    /// How many kernels are kept.
    pub fn len(&self) -> usize {
        self.kernels.len()
    }

    /// True if none is.
    pub fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }
}
