//! Programs, and launches of kernels.

use super::error::failure;
use super::field::{TaichiField, bits, number};
use super::scope::{Failed, TaichiScope, Writing};
use crate::error::{Fallible, type_error, value_error};
use ivy::backend::Device;
use ivy_taichi::types::layout::{FieldOptions, Interleaving};
use ivy_taichi::types::{PrimitiveType, Type};
use ivy_taichi::{Arch, Argument, Config, Definition, Program, Source};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The source of a kernel or function. Sources are known to spans for as long as the process lives, so equal ones are one.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct TaichiSource {
    definition: &'static Definition,
}

/// What sources are known by: name, file, line, text.
type Known = HashMap<(String, String, u32, String), &'static Definition>;

static SOURCES: Mutex<Option<Known>> = Mutex::new(None);

impl TaichiSource {
    pub(super) fn source(&self) -> &'static Source {
        self.definition.source
    }
}

#[pymethods]
impl TaichiSource {
    #[new]
    fn new(name: String, file: String, line: u32, text: String) -> TaichiSource {
        let mut sources = SOURCES.lock().unwrap_or_else(PoisonError::into_inner);
        let known = sources.get_or_insert_default();
        let definition =
            *known.entry((name.clone(), file.clone(), line, text.clone())).or_insert_with(|| {
                let source = Source { file: file.leak(), line, column: 1, text: text.leak() };
                Box::leak(Box::new(Definition { name: name.leak(), source: Box::leak(Box::new(source)) }))
            });
        TaichiSource { definition }
    }
}

/// A program: where fields live and kernels run.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct TaichiProgram(Program);

/// A primitive type by its name.
pub(super) fn primitive(name: &str) -> Fallible<PrimitiveType> {
    match name.parse() {
        Ok(ty) => Ok(ty),
        Err(_) => value_error(format!("there is no type `{name}`")),
    }
}

/// The type of elements of a form.
fn element(ty: PrimitiveType, form: Option<(usize, Option<usize>)>) -> Fallible<Type> {
    let made = match form {
        None => Ok(ty.into()),
        Some((n, None)) => Type::vector(n, ty),
        Some((n, Some(m))) => Type::matrix(n, m, ty),
    };
    made.map_err(|error| failure(error.into()))
}

fn arch_of(name: &str) -> Fallible<Arch> {
    Ok(match name {
        "cpu" => Arch::Cpu,
        "llvm" => Arch::Llvm,
        "interp" => Arch::Interp,
        "cuda" => {
            let backend = ivy::backend::backend("jit:cuda")?;
            let own = backend.as_any().downcast_ref::<ivy::jit::JitBackend>();
            match own.and_then(|backend| backend.engine().device().cloned()) {
                Some(device) => Arch::Cuda(device),
                None => return value_error(format!("{:?} is no device for kernels", Device::CPU)),
            }
        }
        other => return value_error(format!("there is no arch `{other}`")),
    })
}

/// A kernel's argument: a field, `(form, type, numbers)`, or the text of a template.
enum Given<'py> {
    Field(PyRef<'py, TaichiField>),
    Numbers { form: Option<(usize, Option<usize>)>, ty: PrimitiveType, bits: Vec<u64> },
    Template(String),
}

impl<'py> Given<'py> {
    fn of(argument: &Bound<'py, PyAny>) -> Fallible<Given<'py>> {
        if let Ok(field) = argument.extract::<PyRef<'py, TaichiField>>() {
            return Ok(Given::Field(field));
        }
        if let Ok(text) = argument.extract::<String>() {
            return Ok(Given::Template(text));
        }
        type Parts<'py> = (Option<(usize, Option<usize>)>, String, Vec<Bound<'py, PyAny>>);
        let Ok((form, ty, numbers)) = argument.extract::<Parts<'py>>() else {
            return type_error("a kernel takes fields, numbers and templates");
        };
        let ty = primitive(&ty)?;
        let bits = numbers.iter().map(|number| bits(number, ty)).collect::<Fallible<_>>()?;
        Ok(Given::Numbers { form, ty, bits })
    }
}

#[pymethods]
impl TaichiProgram {
    #[new]
    #[pyo3(signature = (arch, default_ip, default_fp, rules, debug, packed, fast, seed, warnings, kept, folder))]
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of ti.init")]
    fn new(
        arch: &str,
        default_ip: &str,
        default_fp: &str,
        rules: &str,
        debug: bool,
        packed: bool,
        fast: bool,
        seed: u64,
        warnings: bool,
        kept: bool,
        folder: Option<std::path::PathBuf>,
    ) -> Fallible<TaichiProgram> {
        let rules = match rules {
            "taichi" => ivy::Rules::Taichi,
            "taichi-1.7" => ivy::Rules::Taichi17,
            other => return value_error(format!("there are no rules `{other}` of Taichi's")),
        };
        let mut config = Config::new()
            .arch(arch_of(arch)?)
            .default_ip(primitive(default_ip)?)
            .default_fp(primitive(default_fp)?)
            .rules(rules)
            .debug(debug)
            .packed(packed)
            .fast(fast)
            .random_seed(seed)
            .warnings(warnings)
            .keep_printed(kept);
        if let Some(folder) = &folder {
            config = config.offline_cache(folder);
        }
        Ok(TaichiProgram(ivy_taichi::init(config).map_err(failure)?))
    }

    /// A field of elements of a type, with an order of axes, whether the numbers of an element stand apart, and the index
    /// of the first element.
    fn field(
        &self,
        ty: &str,
        form: Option<(usize, Option<usize>)>,
        shape: Vec<usize>,
        order: Option<&str>,
        apart: bool,
        offset: Vec<i64>,
    ) -> Fallible<TaichiField> {
        let interleaving = if apart { Interleaving::Soa } else { Interleaving::Aos };
        let mut options = FieldOptions::new().interleaving(interleaving).offset(&offset);
        if let Some(order) = order {
            options = options.order(order);
        }
        let ty = element(primitive(ty)?, form)?;
        self.0.untyped_field(ty, &shape, options).map(TaichiField).map_err(failure)
    }

    /// Runs a kernel on arguments; where it is not compiled for them, `write` is called with the scope to write it to. Gives
    /// its result, of a type if it has one.
    fn launch(
        &self,
        py: Python<'_>,
        source: &TaichiSource,
        arguments: Vec<Bound<'_, PyAny>>,
        result: Option<&str>,
        write: Py<PyAny>,
    ) -> Fallible<Option<Py<PyAny>>> {
        self.0.make_current();
        let ty = result.map(primitive).transpose()?;
        let given: Vec<Given<'_>> = arguments.iter().map(Given::of).collect::<Fallible<_>>()?;
        let arguments: Vec<Argument<'_>> = given
            .iter()
            .map(|given| match given {
                Given::Field(field) => Argument::Field(&field.0),
                Given::Numbers { form, ty, bits } => {
                    Argument::Numbers { form: *form, ty: *ty, bits: bits.clone() }
                }
                Given::Template(text) => Argument::Template(text.clone()),
            })
            .collect();
        let failed = Failed::default();
        let launched = ivy_taichi::launch(source.definition, &arguments, ty, |scope| {
            let writing = Writing::new(failed.clone());
            let python =
                Py::new(py, TaichiScope::new(writing.clone())).map_err(|error| failed.keep(error))?;
            writing.lend(scope, || write.call1(py, (python,)).map(drop))
        });
        let launched = launched.map_err(|error| failed.take().unwrap_or_else(|| failure(error)))?;
        let result = ty.zip(launched.result);
        Ok(result.map(|(ty, bits)| number(py, bits, ty)).transpose()?)
    }

    /// What kernels printed since the last call, if the program keeps it.
    fn take_printed(&self) -> Vec<String> {
        self.0.take_printed()
    }

    /// Stores that may lose precision, in all kernels that were compiled.
    fn warnings(&self) -> Vec<String> {
        self.0.warnings().iter().map(ToString::to_string).collect()
    }

    /// Compiled kernels and launches.
    fn counters(&self) -> (u64, u64) {
        let counters = self.0.counters();
        (counters.compiled_kernels, counters.launches)
    }
}
