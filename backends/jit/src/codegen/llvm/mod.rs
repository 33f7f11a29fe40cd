//! Machine code by a libLLVM that is opened at run time, if there is one.

mod api;
mod atomics;
mod blocks;
mod effects;
mod ends;
pub(crate) mod estimates;
pub(crate) mod find;
mod flow;
mod folds;
mod names;
pub(crate) mod packed;
mod parts;
mod pipelined;
mod places;
pub(crate) mod roots;
mod space;
mod text;
mod tiles;
mod values;
mod whole;
mod windows;

pub use api::Llvm;
pub use effects::WIDEST;
pub use estimates::Roots;
pub use find::{REMEDY, VARIABLE, VERSIONS, candidates_in};
pub use roots::SHARED as ROOTS;
pub use text::{FUNCTION, LANES, SIDE_BY_SIDE, module};

use super::Argument;
use crate::ir::{self, Access, Builder, Kernel, Param, Type};
use crate::log::{Level, say};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What LLVM does with a module: kernels come without what other passes would find.
const PASSES: &str = "function(early-cse,dce)";

/// Why there is no LLVM.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Where libraries were looked for, and why those that were found are of no use.
    pub searched: Vec<String>,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no libLLVM 19 to 22 was found; searched: {}", self.searched.join(", "))
    }
}

/// The process's LLVM: looked for once.
///
/// # Errors
/// [`Missing`], with every place that was searched.
pub fn llvm() -> Result<&'static Llvm, &'static Missing> {
    static FOUND: OnceLock<Result<&'static Llvm, Missing>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let mut candidates = find::candidates();
        for path in &candidates.files {
            match Llvm::open(path, candidates.versions()) {
                Ok(llvm) => {
                    let version = llvm.version.0;
                    if !VERSIONS.contains(&version) {
                        say(Level::Warn, format_args!("LLVM {version} is untested with this engine"));
                    }
                    return Ok(llvm);
                }
                Err(reason) => candidates.searched.push(format!("{}: {reason}", path.display())),
            }
        }
        Err(Missing { searched: candidates.searched })
    });
    found.as_ref().copied()
}

/// The libraries that [`llvm`] tries, in order.
pub fn candidates() -> Vec<std::path::PathBuf> {
    find::candidates().files
}

/// A kernel as machine code.
pub struct Machine {
    code: api::Compiled,
    limits: Limits,
}

/// What a kernel's machine code asks of those who run it, and says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Fewest elements of a range.
    pub least: usize,
    /// Fewest rows.
    pub rows: usize,
    /// Whether rows are folded two at a time.
    pub twins: bool,
    /// Statements.
    pub cost: usize,
}

impl Limits {
    /// Those of a kernel's code in a style.
    pub fn of(kernel: &Kernel, style: Style) -> Limits {
        let has = |access: fn(&Access) -> bool| kernel.params.iter().any(|p| access(&p.access));
        let across = has(|a| matches!(a, Access::Across(_)));
        let least = match has(|a| a.along().is_some()) || style.short && !across || kernel.effects.is_some() {
            true => 1,
            false => text::lanes(kernel, style),
        };
        let rows = if has(|a| *a == Access::Transposed) { LANES } else { 1 };
        let cost = if kernel.effects.is_some() { kernel.work() } else { kernel.len() };
        Limits { least, rows, twins: text::twins(kernel, style), cost }
    }
}

/// The name of the function in texts and objects. As many digits as a number has: another name
/// of the same length takes its place when an object is linked, since symbols of one JIT must
/// differ.
const NAME: &str = "ivy_kernel_0000000000000000";

/// How a kernel's text is written. It changes no bit of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Several vectors side by side, where what waits for the step before makes that pay.
    pub abreast: bool,
    /// Whether a greatest or least element is to be NaN is noted beside it, and not asked of each join.
    pub notes: bool,
    /// For rows that have fewer elements than a vector.
    pub short: bool,
    /// For rows that are no whole lines of the caches: what goes past these has its ends written apart.
    pub apart: bool,
    /// Lanes that go on in a loop when most have ended are put together.
    pub packed: bool,
    /// Rows that are folded with little to do are so two at a time.
    pub twins: bool,
    /// Elements of kernels with effects are taken one by one where vectors would mostly be put together of single elements.
    pub scalar: bool,
    /// How some square roots of the processor's vectors are multiplied, beside those that are divided for; `None`
    /// where all are divided for.
    pub roots: Option<Roots>,
    /// What the next vector's roots are taken of is computed before those of the one at hand, where roots are shared.
    pub pipelined: bool,
}

impl Style {
    /// All that makes code faster on any processor.
    pub const FAST: Style = Style {
        abreast: true,
        notes: true,
        short: false,
        apart: true,
        packed: true,
        twins: false,
        scalar: true,
        roots: None,
        pipelined: true,
    };
}

/// The text of a kernel that [`crate::ir::verify`] accepts, from which [`object`] makes code.
pub fn source(kernel: &Kernel, style: Style) -> String {
    module(kernel, style, NAME)
}

/// All that an object depends on but the text: LLVM's version, the processor, its features, and
/// what LLVM is told to do.
pub fn conditions(llvm: &Llvm, effort: Effort) -> String {
    format!("LLVM {:?}; {}; {}; {PASSES}; {effort:?}", llvm.version, llvm.cpu, llvm.features)
}

/// How much LLVM does for the code that it makes. It changes no bit of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What it does where speed matters.
    Usual,
    /// As little as it can: a quarter of the time, and for long blocks without branches code that is
    /// as good, since what is left to do there has been done to the kernel.
    Quick,
}

/// Statements of a block that is worth less effort.
const LONG: usize = 96;

/// The effort that a kernel is worth. Elementary functions, of which several vectors stand side by
/// side, are worth the order that LLVM finds for them.
pub fn effort(kernel: &Kernel) -> Effort {
    let plain = |a: Access| matches!(a, Access::Uniform | Access::Linear | Access::Out | Access::Stream);
    let is_one_block =
        kernel.blocks.len() == 2 && kernel.params.iter().all(|p| plain(p.access) && !text::is_row(p));
    if is_one_block && kernel.body().len() >= LONG && !kernel.has(ir::Code::Fma) {
        Effort::Quick
    } else {
        Effort::Usual
    }
}

/// Object code of a text that [`source`] has made.
///
/// # Errors
/// LLVM's message.
pub fn object(llvm: &'static Llvm, text: &str, effort: Effort) -> Result<Vec<u8>, String> {
    llvm.object_code(text, PASSES, effort)
}

/// An object of a kernel's source, made ready to run.
///
/// # Errors
/// LLVM's message; an object without the function.
pub fn link(
    llvm: &'static Llvm,
    kernel: &Kernel,
    style: Style,
    mut object: Vec<u8>,
) -> Result<Machine, String> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let name = format!("{FUNCTION}_{:016x}", NEXT.fetch_add(1, Ordering::Relaxed));
    let places: Vec<usize> = (0..object.len().saturating_sub(NAME.len() - 1))
        .filter(|&i| object[i] == NAME.as_bytes()[0] && object[i..].starts_with(NAME.as_bytes()))
        .collect();
    for &at in &places {
        object[at..at + NAME.len()].copy_from_slice(name.as_bytes());
    }
    if places.is_empty() {
        return Err("the object has no kernel".into());
    }
    let limits = Limits::of(kernel, style);
    llvm.link(&object, &name).map(|code| Machine { code, limits })
}

/// Compiles a kernel that [`crate::ir::verify`] accepts.
///
/// # Errors
/// LLVM's message.
pub fn compile(llvm: &'static Llvm, kernel: &Kernel, effort: Effort) -> Result<Machine, String> {
    link(llvm, kernel, Style::FAST, object(llvm, &source(kernel, Style::FAST), effort)?)
}

/// Compiles a small kernel, once, with each effort: what LLVM keeps from its first use to the end of
/// the process is there afterwards.
pub fn warm_up(llvm: &'static Llvm) {
    llvm.first_use(|| {
        let param = |access| Param { ty: Type::F32, parts: 1, access };
        let mut b = Builder::new(vec![param(Access::Linear), param(Access::Linear), param(Access::Out)]);
        let (x, y) = (b.load(0, 0), b.load(1, 0));
        let (looping, carried) = b.open_loop(&[x]);
        let less = b.binary(ir::Code::Lt, carried[0], y);
        b.while_true(less);
        let sum = b.binary(ir::Code::Add, carried[0], y);
        let sum = b.close_loop(looping, &[sum])[0];
        let root = b.unary(ir::Code::Sqrt, sum);
        b.store(2, &[root]);
        let kernel = b.finish();
        for effort in [Effort::Usual, Effort::Quick] {
            // What does not compile here is interpreted later, and says so.
            let _ = compile(llvm, &kernel, effort);
        }
    });
}

impl super::Code for Machine {
    fn least(&self) -> usize {
        self.limits.least
    }

    fn least_rows(&self) -> usize {
        self.limits.rows
    }

    fn twins(&self) -> bool {
        self.limits.twins
    }

    fn cost(&self) -> usize {
        self.limits.cost
    }

    unsafe fn run(&self, arguments: &[Argument], begin: usize, end: usize, rows: usize) {
        // SAFETY: the caller's promise is what the generated text needs: the same accesses, in
        // rows of at least as many elements as it has lanes, if it neither folds along them nor is
        // for short ones.
        unsafe { self.code.call(arguments.as_ptr().cast(), begin as i64, end as i64, rows as i64) };
    }
}
