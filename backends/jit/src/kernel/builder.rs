//! Making kernels, statement by statement.

use super::functions::{Declared, linked};
use super::launch::{ArrayKernel, Parameter};
use super::memory::{KernelMemory, Local, Owner, ViewOf};
use super::value::{KernelOperand, KernelValue};
use super::{KernelError, Result, SourceLocation};
use crate::ir::{self, Access, BLOCK, Builder, Code, Effects, Id, OWN, Param, SHARED, Steps, Type, VALUES};
use crate::lower::memory;
use crate::program::{Order, Site, SiteKind};
use ivy_core::{Dtype, Scalar};
use std::cell::RefCell;
use std::panic::Location;
use std::rc::Rc;

/// The name of memory of an element's own.
pub(super) const LOCAL: &str = "a local array";

/// A kernel that is being written, which its values and memories share.
pub(super) type SharedBody = Rc<RefCell<Body>>;

/// What has been written so far.
pub struct Body {
    pub(super) builder: Builder,
    pub(super) error: Option<KernelError>,
    parameters: Vec<Parameter>,
    sites: Vec<Site>,
    /// For sites of indices, the parameter whose memory is meant.
    indexed: Vec<Option<usize>>,
    pub(super) element: Id,
    /// The blocks that are open, from the outermost on.
    pub(super) scopes: Vec<u32>,
    pub(super) next_scope: u32,
    /// The function that is being written, if one is.
    pub(super) function: Option<usize>,
    pub(super) functions: Vec<Declared>,
    pub(super) tables: Vec<Vec<usize>>,
    checked: bool,
    pub(super) loop_limit: Option<i64>,
    order: Order,
    block: u32,
}

impl Body {
    /// Notes an error, unless there is one.
    pub(super) fn note(&mut self, error: impl FnOnce() -> KernelError) {
        self.error.get_or_insert_with(error);
    }

    /// The innermost open block.
    pub(super) fn scope(&self) -> u32 {
        self.scopes.last().copied().unwrap_or(0)
    }

    /// Notes where a value is of another kernel, or of a block that has ended.
    pub(super) fn sees(&mut self, own: &SharedBody, value: &KernelValue, location: SourceLocation) {
        let what = match () {
            () if !value.is_of(own) => "a value of another kernel",
            () if self.scopes.contains(&value.scope) => return,
            () if self.function.is_some() => {
                "a value from outside of a function, which takes it as an argument"
            }
            () => "a value of a block that has ended; a `local` carries values out of blocks",
        };
        self.note(|| KernelError::Scope { what, location });
    }

    /// A value that stands for one that there is none of.
    pub(super) fn any(&mut self, dtype: Dtype) -> Id {
        let ty = memory(dtype).map_or(Type::I64, |(ty, _)| ty);
        self.builder.constant(ty, 0)
    }

    /// A number of a dtype.
    pub(super) fn literal(
        own: &SharedBody,
        value: Scalar,
        dtype: Dtype,
        location: SourceLocation,
    ) -> KernelValue {
        let mut body = own.borrow_mut();
        let bits = bits(value, dtype);
        if bits.is_none() {
            body.note(|| KernelError::Number { value, dtype, location });
        }
        let id = match (bits, memory(dtype)) {
            (Some(bits), Some((ty, 1))) => body.builder.constant(ty, bits),
            _ => body.any(dtype),
        };
        // Constants are known everywhere in their function.
        let scope = body.scopes[0];
        drop(body);
        KernelValue { body: own.clone(), dtype, id, scope }
    }

    /// Writes a record where an index is out of range.
    pub(super) fn check_index(&mut self, view: &KernelMemory, index: Id, location: SourceLocation) {
        if !self.checked || self.error.is_some() {
            return;
        }
        let memory = self.memory_of(view, location);
        let within = self.builder.in_bounds(memory, index);
        let without = self.builder.unary(Code::Not, within);
        let (parameter, text) = match view.place {
            ViewOf::Parameter(n) => (Some(n), format!("{{}} of `{}`", view.name)),
            ViewOf::Local { elements, .. } => {
                (None, format!("{{}} of {}, which has {elements} elements", view.name))
            }
        };
        let site = Site { kind: SiteKind::Index, place: location.to_string(), text, values: vec![Type::I64] };
        self.record(without, site, parameter, &[index]);
    }

    pub(super) fn record(&mut self, condition: Id, site: Site, parameter: Option<usize>, values: &[Id]) {
        let number = self.sites.len() as u32;
        self.sites.push(site);
        self.indexed.push(parameter);
        let element = self.element;
        self.builder.record(condition, number, element, values);
    }
}

/// The bits of a number as an element of a dtype; `None` if it is none.
pub(super) fn bits(value: Scalar, dtype: Dtype) -> Option<u64> {
    match (value, memory(dtype)?.0) {
        (Scalar::Bool(x), Type::Bool) => Some(u64::from(x)),
        (Scalar::Bool(_), _) | (_, Type::Bool) => None,
        (Scalar::Int(x), ty) if dtype.int_range().is_some() => {
            value.fits(dtype).then_some(x as u64 & ty.mask())
        }
        (Scalar::Int(_) | Scalar::Float(_), Type::F32) => Some(u64::from((value.to_f64() as f32).to_bits())),
        (Scalar::Int(_) | Scalar::Float(_), Type::F64) => Some(value.to_f64().to_bits()),
        (Scalar::Int(_) | Scalar::Float(_), _) if dtype == Dtype::FLOAT16 => {
            Some(u64::from(half::f16::from_f64(value.to_f64()).to_bits()))
        }
        (Scalar::Int(_) | Scalar::Float(_), _) if dtype == Dtype::BFLOAT16 => {
            Some(u64::from(half::bf16::from_f64(value.to_f64()).to_bits()))
        }
        _ => None,
    }
}

/// A kernel that is being written: what each element does.
///
/// Parameters, values and statements are methods of it, and of what these give. A mistake is told by
/// [`build`](KernelBuilder::build), with its place in the source.
pub struct KernelBuilder {
    name: String,
    pub(super) body: SharedBody,
}

impl KernelBuilder {
    /// A kernel of this name, which errors tell, without parameters.
    pub fn new(name: &str) -> KernelBuilder {
        let element = Param { ty: Type::I64, parts: 1, access: Access::Counter(Steps::One) };
        let log = Param { ty: Type::I64, parts: 1, access: Access::Log };
        let mut builder = Builder::with_effects(vec![element, log], Effects::FREE);
        let element = builder.load(0, 0);
        let body = Body {
            builder,
            error: None,
            parameters: Vec::new(),
            sites: Vec::new(),
            indexed: Vec::new(),
            element,
            scopes: vec![0],
            next_scope: 1,
            function: None,
            functions: Vec::new(),
            tables: Vec::new(),
            checked: true,
            loop_limit: None,
            order: Order::default(),
            block: 1,
        };
        KernelBuilder { name: name.into(), body: Rc::new(RefCell::new(body)) }
    }

    /// In which order elements run.
    pub fn order(self, order: Order) -> KernelBuilder {
        self.body.borrow_mut().order = order;
        self
    }

    /// How many elements, one after the other, [share memory](KernelBuilder::shared) and meet at
    /// [barriers](KernelBuilder::barrier): a power of two, at most 256. A launch has whole blocks. More than 64 are
    /// interpreted on the processor.
    #[track_caller]
    pub fn block(self, elements: u32) -> KernelBuilder {
        let location = Location::caller();
        let mut body = self.body.borrow_mut();
        body.block = elements;
        if !elements.is_power_of_two() || elements > BLOCK {
            let rule = "a power of two, at most 256";
            let value = elements.to_string();
            body.note(|| KernelError::Declaration { argument: "block", value, rule, location });
        }
        drop(body);
        self
    }

    /// Leaves out bounds checks: an index out of range reads as zero, and writes nothing.
    pub fn unchecked(self) -> KernelBuilder {
        self.body.borrow_mut().checked = false;
        self
    }

    /// A loop that is repeated more often than this by an element ends, and the launch is an error: for finding loops
    /// without an end.
    pub fn loop_limit(self, times: u32) -> KernelBuilder {
        self.body.borrow_mut().loop_limit = Some(i64::from(times));
        self
    }

    #[track_caller]
    fn parameter(&self, name: &str, dtype: Dtype, parameter: Parameter, access: Access) -> (u32, Dtype) {
        let location = Location::caller();
        let mut body = self.body.borrow_mut();
        if body.function.is_some() {
            let what = "a parameter is declared outside of functions";
            body.note(|| KernelError::Scope { what, location });
        }
        let known = memory(dtype).filter(|&(_, parts)| parts == 1);
        if known.is_none() {
            let rule = "a real dtype: kernels have no complex numbers";
            let value = format!("`{name}` of {dtype}");
            body.note(|| KernelError::Declaration { argument: "dtype", value, rule, location });
        }
        if body.parameters.iter().any(|p| p.name() == name) {
            let (value, rule) = (format!("`{name}`"), "each parameter has a name of its own");
            body.note(|| KernelError::Declaration { argument: "name", value, rule, location });
        }
        let ty = known.map_or(Type::I64, |(ty, _)| ty);
        body.parameters.push(parameter);
        let number = body.builder.param(Param { ty, parts: 1, access });
        (number, if known.is_some() { dtype } else { Dtype::INT64 })
    }

    #[track_caller]
    fn array(&self, name: &str, dtype: Dtype, owner: Owner) -> KernelMemory {
        let written = owner == Owner::InOut;
        let parameter = Parameter::Array { name: name.into(), dtype, written };
        let (number, dtype) = self.parameter(name, dtype, parameter, Access::Memory);
        let mut body = self.body.borrow_mut();
        let memory = body.builder.memory(number);
        let place = ViewOf::Parameter(body.parameters.len() - 1);
        drop(body);
        KernelMemory { body: self.body.clone(), name: name.into(), dtype, memory, owner, place }
    }

    /// The next parameter: an array that is read.
    #[track_caller]
    pub fn input(&self, name: &str, dtype: Dtype) -> KernelMemory {
        self.array(name, dtype, Owner::Input)
    }

    /// The next parameter: an array that is read and written, in its own memory where nobody else has it.
    #[track_caller]
    pub fn inout(&self, name: &str, dtype: Dtype) -> KernelMemory {
        self.array(name, dtype, Owner::InOut)
    }

    /// The next parameter: a number.
    #[track_caller]
    pub fn scalar(&self, name: &str, dtype: Dtype) -> KernelValue {
        let parameter = Parameter::Scalar { name: name.into(), dtype };
        let (number, dtype) = self.parameter(name, dtype, parameter, Access::Uniform);
        let id = self.body.borrow_mut().builder.load(number, 0);
        KernelValue { body: self.body.clone(), dtype, id, scope: 0 }
    }

    /// The number of the element, an int64: of the range that the kernel is launched over.
    pub fn element(&self) -> KernelValue {
        let body = self.body.borrow();
        KernelValue { body: self.body.clone(), dtype: Dtype::INT64, id: body.element, scope: body.scopes[0] }
    }

    /// A number of a dtype.
    #[track_caller]
    pub fn constant(&self, dtype: Dtype, value: impl KernelOperand) -> KernelValue {
        value.value(&self.body, dtype, Location::caller())
    }

    /// A variable of each element, which begins with a value.
    #[track_caller]
    pub fn local(&self, first: &KernelValue) -> Local {
        let ty = memory(first.dtype).map_or(Type::I64, |(ty, _)| ty);
        let local = self.body.borrow_mut().builder.alloca(ty, 1);
        let local = Local { view: self.own(first.dtype, local, 1) };
        local.set(first);
        local
    }

    /// An array of each element's own, at first of zeros: at most 4096 elements.
    #[track_caller]
    pub fn local_array(&self, dtype: Dtype, elements: u64) -> KernelMemory {
        let location = Location::caller();
        let ty = self.element_type(dtype, location);
        let fits = (1..=OWN).contains(&elements);
        if !fits {
            let (value, rule) = (elements.to_string(), "a local array has 1 to 4096 elements");
            let error = || KernelError::Declaration { argument: "elements", value, rule, location };
            self.body.borrow_mut().note(error);
        }
        let memory = self.body.borrow_mut().builder.alloca(ty, if fits { elements } else { 1 });
        self.own(dtype, memory, elements)
    }

    /// An array that the elements of a [block](KernelBuilder::block) share, of zeros when the block begins: at most 48
    /// KiB, all together.
    #[track_caller]
    pub fn shared(&self, dtype: Dtype, elements: u64) -> KernelMemory {
        let location = Location::caller();
        let ty = self.element_type(dtype, location);
        let fits = elements > 0 && elements <= SHARED / ty.bytes() as u64;
        if !fits {
            let (value, rule) = (elements.to_string(), "memory of a block has 1 element to 48 KiB");
            let error = || KernelError::Declaration { argument: "elements", value, rule, location };
            self.body.borrow_mut().note(error);
        }
        let memory = self.body.borrow_mut().builder.shared(ty, if fits { elements } else { 1 });
        KernelMemory { name: "shared memory".into(), ..self.own(dtype, memory, elements) }
    }

    fn own(&self, dtype: Dtype, memory: Id, elements: u64) -> KernelMemory {
        let function = self.body.borrow().function;
        let (body, owner, place) = (self.body.clone(), Owner::Kernel, ViewOf::Local { elements, function });
        KernelMemory { body, name: LOCAL.into(), dtype, memory, owner, place }
    }

    pub(super) fn element_type(&self, dtype: Dtype, location: SourceLocation) -> Type {
        let known = memory(dtype).filter(|&(_, parts)| parts == 1);
        if known.is_none() {
            let (value, rule) = (dtype.to_string(), "a real dtype: kernels have no complex numbers");
            let error = || KernelError::Declaration { argument: "dtype", value, rule, location };
            self.body.borrow_mut().note(error);
        }
        known.map_or(Type::I64, |(ty, _)| ty)
    }

    /// All elements of a block get here before any goes on, and see what the others have written. It stands where
    /// all of them get: in no conditional.
    pub fn barrier(&self) {
        self.body.borrow_mut().builder.barrier();
    }

    pub(super) fn truth(
        &self,
        condition: &KernelValue,
        operation: &'static str,
        location: SourceLocation,
    ) -> Id {
        let mut body = self.body.borrow_mut();
        body.sees(&self.body, condition, location);
        if condition.dtype != Dtype::BOOL {
            let dtype = condition.dtype;
            body.note(|| KernelError::Domain { operation, dtype, location });
        }
        if body.error.is_some() { body.any(Dtype::BOOL) } else { condition.id }
    }

    /// Prints a line for each element that gets here, in which each `{}` is the next of at most six values, and `{:.3f}`
    /// the next one by a conversion of C's; `{{` and `}}` are braces. A launch gives the lines, by elements in order.
    #[track_caller]
    pub fn print(&self, text: &str, values: &[&KernelValue]) {
        let always = self.body.borrow_mut().builder.constant(Type::Bool, 1);
        self.told(SiteKind::Print, always, text, values, Location::caller());
    }

    /// Where a condition is false, the launch is an error with this text, in which each `{}` is the next of at most six
    /// values.
    #[track_caller]
    pub fn assert(&self, condition: &KernelValue, text: &str, values: &[&KernelValue]) {
        let location = Location::caller();
        let holds = self.truth(condition, "assert", location);
        let fails = self.body.borrow_mut().builder.unary(Code::Not, holds);
        self.told(SiteKind::Assertion, fails, text, values, location);
    }

    fn told(
        &self,
        kind: SiteKind,
        condition: Id,
        text: &str,
        values: &[&KernelValue],
        location: SourceLocation,
    ) {
        let mut body = self.body.borrow_mut();
        values.iter().for_each(|x| body.sees(&self.body, x, location));
        // Another kernel's values have no place in this one.
        if body.error.is_some() {
            return;
        }
        if values.len() > VALUES {
            let (value, rule) = (values.len().to_string(), "a line has at most six values");
            body.note(|| KernelError::Declaration { argument: "values", value, rule, location });
            return;
        }
        let small = |d: Dtype| matches!(d, Dtype::FLOAT16 | Dtype::BFLOAT16);
        if let Some(x) = values.iter().find(|x| small(x.dtype)) {
            let (operation, dtype) = ("a line of text", x.dtype);
            body.note(|| KernelError::Domain { operation, dtype, location });
            return;
        }
        let types = values.iter().map(|x| memory(x.dtype).map_or(Type::I64, |(ty, _)| ty)).collect();
        let ids: Vec<Id> = values.iter().map(|x| x.id).collect();
        body.record(
            condition,
            Site { kind, place: location.to_string(), text: text.into(), values: types },
            None,
            &ids,
        );
    }

    /// The kernel.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn build(self) -> Result<ArrayKernel> {
        let log = Param { ty: Type::I64, parts: 1, access: Access::Log };
        let mut body = self.body.borrow_mut();
        if let Some(error) = body.error.take() {
            return Err(error);
        }
        // Values and memories that are still around write to a kernel that nobody builds.
        let builder = std::mem::replace(&mut body.builder, Builder::with_effects(vec![log], Effects::FREE));
        let mut kernel = builder.finish();
        kernel.effects = Some(Effects { block: body.block, serial: false });
        let sites = std::mem::take(&mut body.sites);
        if sites.is_empty() {
            kernel.params.pop();
        }
        let (functions, tables) = (std::mem::take(&mut body.functions), std::mem::take(&mut body.tables));
        linked(&self.name, &mut kernel, functions, tables)?;
        if let Err(ir::Broken { rule, what, .. }) = ir::verify(&kernel) {
            return Err(KernelError::Malformed { kernel: self.name.clone(), rule, what });
        }
        let (parameters, indexed) = (std::mem::take(&mut body.parameters), std::mem::take(&mut body.indexed));
        Ok(ArrayKernel::new(self.name.clone(), kernel, parameters, sites, indexed, body.order))
    }
}
