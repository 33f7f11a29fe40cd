//! Compiling kernels for their arguments, and running them.

use super::cache::{Compiled, Key};
use super::program::{Program, current};
use super::store::read;
use super::tree::Described;
use crate::error::{Error, Misuse, Result};
use crate::field::AnyField;
use crate::front::{Parameter, Scope};
use crate::host::{Element, Number};
use crate::ir::{Code, Id, Ir};
use crate::lower::{engine_type, lower_tasks};
use crate::passes;
use crate::span::{Source, Span};
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::passes::Choice;
use ivy_backend_jit::program::{self as engine, Memory, Report, Scalar, SiteKind};
use ivy_taichi_types::{Place, Placed, PrimitiveType};
use std::cell::RefCell;
use std::fmt::Write;
use std::sync::Arc;

/// A kernel's definition, which stands in one place of the program.
#[derive(Debug)]
pub struct Definition {
    /// The name.
    pub name: &'static str,
    /// The source of its body.
    pub source: &'static Source,
}

/// What a kernel is called with.
pub enum Argument<'a> {
    /// A field.
    Field(&'a dyn AnyField),
    /// The numbers of a scalar, a vector or a matrix, by their bits.
    Numbers {
        /// Rows and columns; of a scalar neither.
        form: Option<(usize, Option<usize>)>,
        /// The type of each.
        ty: PrimitiveType,
        /// Their bits, by rows.
        bits: Vec<u64>,
    },
    /// A value that the kernel is compiled for.
    Template(String),
}

/// What kernels can be called with.
pub trait KernelArgument {
    /// As launches have it.
    fn argument(&self) -> Argument<'_>;
}

/// A number, vector or matrix as an argument.
fn numbers<T: Element>(value: &T) -> Argument<'static> {
    let bits = value.numbers().into_iter().map(Number::bits).collect();
    Argument::Numbers { form: T::FORM, ty: <T::Number as Number>::TYPE, bits }
}

macro_rules! arguments {
    ($($t:ty),*) => {
        $(impl KernelArgument for $t {
            fn argument(&self) -> Argument<'_> {
                numbers(self)
            }
        }

        impl Returned for $t {
            const TYPE: Option<PrimitiveType> = Some(<$t as Number>::TYPE);

            fn returned(bits: Option<u64>) -> Option<$t> {
                bits.map(<$t as Number>::of_bits)
            }
        })*
    };
}

/// What kernels can give.
pub trait Returned: Sized {
    /// Its type, if it is anything.
    const TYPE: Option<PrimitiveType>;
    /// The value of the bits that the kernel has left.
    fn returned(bits: Option<u64>) -> Option<Self>;
}

impl Returned for () {
    const TYPE: Option<PrimitiveType> = None;

    fn returned(_: Option<u64>) -> Option<()> {
        Some(())
    }
}

arguments!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl<T: Number, const N: usize> KernelArgument for crate::host::Vector<T, N> {
    fn argument(&self) -> Argument<'_> {
        numbers(self)
    }
}

impl<T: Number, const N: usize, const M: usize> KernelArgument for crate::host::Matrix<T, N, M> {
    fn argument(&self) -> Argument<'_> {
        numbers(self)
    }
}

/// A launch as it was done.
pub struct Launched {
    /// The bits of the kernel's result.
    pub result: Option<u64>,
}

/// What a kernel's arguments are, taken apart.
struct Bound<'a> {
    program: Program,
    /// Each of the fields' memories: tree and store.
    memories: Vec<(usize, usize)>,
    parameters: Vec<Parameter>,
    scalars: Vec<Scalar>,
    types: Vec<PrimitiveType>,
    arguments: &'a [Argument<'a>],
}

fn bind<'a>(definition: &'static Definition, arguments: &'a [Argument<'a>]) -> Result<Bound<'a>> {
    let mut program: Option<Program> = None;
    let mut memories: Vec<(usize, usize)> = Vec::new();
    let (mut parameters, mut scalars, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for argument in arguments {
        match argument {
            Argument::Field(field) => {
                let own = field.program();
                if program.get_or_insert_with(|| own.clone()).is_same(own) {
                    let (number, Described { info, store, .. }) = field.place();
                    let mut named = |store: usize| {
                        let at = (number, store);
                        memories.iter().position(|&other| other == at).unwrap_or_else(|| {
                            memories.push(at);
                            memories.len() - 1
                        })
                    };
                    // Of a tree with sparse nodes all memories, one behind the other.
                    let count = info.sparse.as_ref().map_or(0, |sparse| sparse.stores.len() + 2);
                    let tree = (0..count).map(&mut named).min().unwrap_or(0);
                    let memory = named(*store);
                    parameters.push(Parameter::Field { info: info.clone(), memory, tree });
                } else {
                    let what = "fields of two programs cannot be in one kernel";
                    return Err(Error::Arguments { kernel: definition.name, what });
                }
            }
            Argument::Numbers { form, ty, bits } => {
                parameters.push(Parameter::Numbers { form: *form, first: types.len(), count: bits.len() });
                types.extend(bits.iter().map(|_| *ty));
                scalars.extend(bits.iter().map(|&bits| Scalar { ty: engine_type(*ty), bits }));
            }
            Argument::Template(_) => parameters.push(Parameter::Template),
        }
    }
    let program = match program {
        Some(program) => program,
        None => current()?,
    };
    Ok(Bound { program, memories, parameters, scalars, types, arguments })
}

impl Bound<'_> {
    /// What the kernel is compiled for.
    fn key(&self, definition: &'static Definition) -> Key {
        let mut text = String::new();
        for (argument, parameter) in self.arguments.iter().zip(&self.parameters) {
            // A string takes all that is written to it.
            let _ = match (argument, parameter) {
                (Argument::Template(value), _) => write!(text, "{value};"),
                (Argument::Field(field), Parameter::Field { memory, .. }) => {
                    write!(text, "{memory}{};", field.place().1.key)
                }
                (Argument::Numbers { form, ty, .. }, _) => write!(text, "{form:?}{ty};"),
                _ => Ok(()),
            };
        }
        Key { definition: std::ptr::from_ref(definition) as usize, arguments: text }
    }

    fn frontend(
        &self,
        definition: &'static Definition,
        result: Option<PrimitiveType>,
        body: impl FnOnce(&mut Scope) -> Result<()>,
    ) -> Result<(Ir, Scope)> {
        let config = &self.program.0.config;
        let typing = self.program.0.typing;
        let mut scope =
            Scope::new(definition.name, typing, config.debug, &self.parameters, self.types.clone(), result);
        scope.set_warnings(config.warnings);
        body(&mut scope)?;
        let ir = scope.ir().clone();
        let gives = |&id: &Id| ir.statement(id).code == Code::Result;
        if result.is_some() && !ir.in_order().iter().any(gives) {
            let Source { line, column, .. } = *definition.source;
            let place = Span { source: definition.source, line, column, width: 1 }.place();
            let what = format!("the kernel `{}`", definition.name);
            let what = Misuse::Here { what, rule: "it has a result, and returns none" };
            return Err(Error::Kernel(Box::new(Placed { place, what })));
        }
        Ok((ir, scope))
    }
}

thread_local! {
    static STAGES: RefCell<Option<Vec<Stage>>> = const { RefCell::new(None) };
}

/// A kernel's IR after a pass of a name; the first is `frontend`, what the kernel was written as.
pub type Stage = (&'static str, Ir);

/// The IR of the kernels that are called meanwhile, after each pass (T-46): they are compiled, and not run.
///
/// # Errors
/// What is wrong with a kernel, as [`launch`]; kernels with a result give zero.
pub fn stages<R>(call: impl FnOnce() -> Result<R>) -> Result<Vec<Stage>> {
    let before = STAGES.replace(Some(Vec::new()));
    let called = call();
    let found = STAGES.replace(before).unwrap_or_default();
    called.map(|_| found)
}

fn optimise(program: &Program, ir: &mut Ir, after: impl FnMut(&'static str, &Ir)) -> Result<()> {
    let config = &program.0.config;
    let choice = passes::Choice {
        debug: config.debug,
        loop_limit: config.loop_limit,
        simplify: config.simplify,
        demote_atomics: true,
    };
    passes::run(ir, choice, after).map_err(|(pass, broken)| {
        let broken: Vec<String> = broken.iter().map(ToString::to_string).collect();
        Misuse::Broken { pass, broken: broken.join("; ") }.into()
    })
}

/// Runs a kernel on its arguments, compiled before or now.
///
/// # Errors
/// [`Error::TypeAt`] and [`Error::Kernel`] for what is wrong in it, with the place; [`Error::Fault`] for an assertion
/// that does not hold or an index out of range, in debug mode; [`Error::Arguments`] for fields of two programs, or none
/// and no program; [`Error::Destroyed`].
pub fn launch(
    definition: &'static Definition,
    arguments: &[Argument<'_>],
    result: Option<PrimitiveType>,
    body: impl FnOnce(&mut Scope) -> Result<()>,
) -> Result<Launched> {
    let bound = bind(definition, arguments)?;
    if STAGES.with_borrow(Option::is_some) {
        let (mut ir, _) = bound.frontend(definition, result, body)?;
        let mut found = Vec::new();
        optimise(&bound.program, &mut ir, |name, ir| found.push((name, ir.clone())))?;
        STAGES.with_borrow_mut(|stages| stages.iter_mut().for_each(|stages| stages.append(&mut found)));
        return Ok(Launched { result: Some(0) });
    }
    let key = bound.key(definition);
    let found = bound.program.state().cache.get(&key).cloned();
    let compiled = match found {
        Some(compiled) => compiled,
        None => {
            let compiled = Arc::new(compile(&bound, definition, result, body)?);
            bound.program.state().cache.insert(key, compiled.clone());
            compiled
        }
    };
    run(&bound, &compiled)
}

fn compile(
    bound: &Bound<'_>,
    definition: &'static Definition,
    result: Option<PrimitiveType>,
    body: impl FnOnce(&mut Scope) -> Result<()>,
) -> Result<Compiled> {
    let program = &bound.program;
    let (mut ir, scope) = bound.frontend(definition, result, body)?;
    optimise(program, &mut ir, |_, _| {})?;
    let mut lowered = lower_tasks(&ir, program.0.config.order())?;
    let (tasks, sites) = (std::mem::take(&mut lowered.tasks), lowered.sites.clone());
    let choice = Choice::EFFECTS;
    let count = tasks.len() as u64;
    let ready = engine::Program::new(&program.0.target, tasks, sites, choice, program.0.disk.as_ref())?;
    let mut state = program.state();
    state.counters.compiled_kernels += 1;
    state.counters.codegen_offloaded_tasks += count;
    state.counters.codegen_statements += ir.in_order().len() as u64;
    state.warnings.extend(scope.warnings().iter().cloned());
    Ok(Compiled::new(ready, lowered, ir.result))
}

fn run(bound: &Bound<'_>, compiled: &Compiled) -> Result<Launched> {
    let inner = &bound.program.0;
    let mut state = bound.program.state();
    let state = &mut *state;
    state.launches += 1;
    state.counters.launches += 1;
    let mut scalars = bound.scalars.clone();
    scalars.push(Scalar { ty: Type::U64, bits: mixed(inner.config.seed, state.launches) });
    let mut memories: Vec<Memory> = Vec::new();
    let mut taken = Ok(());
    for &(tree, store) in &bound.memories {
        let store = state.trees.get_mut(tree).and_then(Option::as_mut).map(|tree| &mut tree.stores[store]);
        match store.ok_or(Error::Destroyed).and_then(|store| store.take(&*inner.target)) {
            Ok(memory) => memories.push(memory),
            Err(error) => {
                taken = Err(error);
                break;
            }
        }
    }
    let ran = taken.and_then(|()| {
        for &(ty, length) in &compiled.shared {
            memories.push(Memory::zeros(&*inner.target, ty, length)?);
        }
        Ok(compiled.program.run(&mut memories, &scalars)?)
    });
    let result: Option<ivy_core::Result<u64>> = compiled.result.filter(|_| ran.is_ok()).map(|ty| {
        let memory = memories.get(bound.memories.len()).map(Memory::bytes);
        let bytes = memory.transpose()?;
        Ok(bytes.and_then(|bytes| read(bytes.bytes(), engine_type(ty).bytes(), 0)).unwrap_or(0))
    });
    for (&(tree, store), memory) in bound.memories.iter().zip(memories) {
        if let Some(tree) = state.trees.get_mut(tree).and_then(Option::as_mut) {
            tree.stores[store].give(memory);
        }
    }
    report(state, inner.config.kept, compiled, ran?)?;
    Ok(Launched { result: result.transpose()? })
}

/// A key of random numbers: the seed, and which launch it is.
fn mixed(seed: u64, launch: u64) -> u64 {
    let mut x = seed ^ launch.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// What the kernel had to say.
fn report(state: &mut super::program::State, kept: bool, compiled: &Compiled, report: Report) -> Result<()> {
    let said = report.printed.concat();
    if kept {
        state.printed += &said;
    } else if !said.is_empty() {
        print!("{said}");
        // What has no end of line is seen as well.
        let _ = std::io::Write::flush(&mut std::io::stdout());
    }
    let Some(fault) = report.fault else { return Ok(()) };
    let site: Option<usize> = fault.place.parse().ok();
    let span = site.and_then(|site| compiled.spans.get(site).copied().flatten());
    let place = span.map_or_else(
        || Place { file: fault.place.clone(), line: 0, column: 0, width: 1, text: String::new() },
        |span| span.place(),
    );
    Err(Error::Fault { text: fault.text, place, index: fault.kind == SiteKind::Index })
}
