//! Programs, and launches of kernels.

use super::error::failure;
use super::field::{TaichiField, all_bits, bits, number};
use super::scope::{Failed, TaichiScope, Writing};
use crate::error::{Fallible, type_error, value_error};
use ivy::backend::Device;
use ivy_taichi::types::layout::{FieldOptions, FieldsBuilder, Interleaving};
use ivy_taichi::types::{PrimitiveType, Type};
use ivy_taichi::{Arch, Argument, Config, Definition, Program, Source};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;
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
pub(super) fn element(ty: impl Into<Type>, form: Form) -> Fallible<Type> {
    let ty = ty.into();
    let made = match form {
        None => Ok(ty),
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

impl TaichiProgram {
    pub(super) fn program(&self) -> &Program {
        &self.0
    }

    pub(super) fn builder(&self) -> FieldsBuilder {
        self.0.fields_builder()
    }
}

/// What a kernel takes: for each parameter the form and type of its numbers, or nothing for a field; and the type of its
/// result.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct TaichiSignature {
    parameters: Vec<Option<(Form, PrimitiveType)>>,
    result: Option<PrimitiveType>,
}

/// Rows and columns; of a scalar neither.
type Form = Option<(usize, Option<usize>)>;

#[pymethods]
impl TaichiSignature {
    #[new]
    fn new(parameters: Vec<Option<(Form, String)>>, result: Option<&str>) -> Fallible<TaichiSignature> {
        let one = |parameter: Option<(Form, String)>| -> Fallible<Option<(Form, PrimitiveType)>> {
            parameter.map(|(form, ty)| Ok((form, primitive(&ty)?))).transpose()
        };
        let parameters = parameters.into_iter().map(one).collect::<Fallible<_>>()?;
        Ok(TaichiSignature { parameters, result: result.map(primitive).transpose()? })
    }
}

/// A kernel's argument: a field, or the bits of numbers.
enum Given<'py> {
    Field(PyRef<'py, TaichiField>),
    Numbers { form: Form, ty: PrimitiveType, bits: Vec<u64> },
}

impl<'py> Given<'py> {
    fn of(argument: &Bound<'py, PyAny>, parameter: Option<(Form, PrimitiveType)>) -> Fallible<Given<'py>> {
        let Some((form, ty)) = parameter else {
            return match argument.extract::<PyRef<'py, TaichiField>>() {
                Ok(field) => Ok(Given::Field(field)),
                Err(_) => type_error("a field stands here"),
            };
        };
        let bits = match form {
            None => vec![bits(argument, ty)?],
            Some(_) => all_bits(argument, ty)?,
        };
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
        self.0.untyped_field(ty, &shape, options).map(TaichiField::alone).map_err(failure)
    }

    /// Runs a kernel on the arguments of its signature, then fields that it names, then a text of what else it is compiled
    /// for; where it is not compiled for them, `write` is called with the scope to write it to. Gives its result.
    fn launch(
        &self,
        py: Python<'_>,
        source: &TaichiSource,
        signature: &TaichiSignature,
        arguments: &Bound<'_, PyTuple>,
        text: String,
        write: &Bound<'_, PyAny>,
    ) -> Fallible<Option<Py<PyAny>>> {
        self.0.make_current();
        let parameters = signature.parameters.iter().copied().chain(std::iter::repeat(None));
        let given: SmallVec<[Given<'_>; 8]> =
            arguments.iter().zip(parameters).map(|(x, p)| Given::of(&x, p)).collect::<Fallible<_>>()?;
        let mut arguments: SmallVec<[Argument<'_>; 8]> = given
            .iter()
            .map(|given| match given {
                Given::Field(field) => Argument::Field(&field.field),
                Given::Numbers { form, ty, bits } => {
                    Argument::Numbers { form: *form, ty: *ty, bits: bits.clone() }
                }
            })
            .collect();
        // Last, so that the numbers of all others are those of the parameters.
        arguments.push(Argument::Template(text));
        let failed = Failed::default();
        let launched = ivy_taichi::launch(source.definition, &arguments, signature.result, |scope| {
            let writing = Writing::new(failed.clone());
            let python =
                Py::new(py, TaichiScope::new(writing.clone())).map_err(|error| failed.keep(error))?;
            writing.lend(scope, || write.call1((python,)).map(drop))
        });
        let launched = launched.map_err(|error| failed.take().unwrap_or_else(|| failure(error)))?;
        let result = signature.result.zip(launched.result);
        Ok(result.map(|(ty, bits)| number(py, bits, ty)).transpose()?)
    }

    /// Takes all cells of the sparse nodes of all trees out of use.
    fn deactivate_all(&self) -> Fallible<()> {
        self.0.deactivate_all().map_err(failure)
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
