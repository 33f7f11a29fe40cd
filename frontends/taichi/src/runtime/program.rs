//! Programs: where fields live and kernels run.

use super::cache::Cache;
use super::config::Config;
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::field::{Field, FieldNode, UntypedField};
use crate::host::Element;
use ivy_backend_jit::cache::Disk;
use ivy_backend_jit::program::Target;
use ivy_taichi_types::layout::{FieldId, FieldOptions, FieldsBuilder, NodeId, Packing, SNode, SNodeTree};
use ivy_taichi_types::{Placed, Type, TypeWarning, Typing};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a program has: fields, and kernels that were compiled for them. Clones are the same program; it can be shared
/// between threads, whose launches follow each other.
///
/// ```
/// let program = ivy_taichi::init(ivy_taichi::Config::new())?;
/// let x = program.field::<f32>(&[4, 4])?;
/// x.set(&[1, 2], 0.5)?;
/// assert_eq!(x.get(&[1, 2])?, 0.5);
/// # Ok::<(), ivy_taichi::Error>(())
/// ```
#[derive(Clone)]
pub struct Program(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) config: Config,
    pub(crate) typing: Typing,
    pub(crate) target: Arc<dyn Target>,
    pub(crate) disk: Option<Disk>,
    state: Mutex<State>,
}

/// What changes.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) trees: Vec<Option<Tree>>,
    pub(crate) printed: String,
    pub(crate) warnings: Vec<Placed<TypeWarning>>,
    pub(crate) launches: u64,
    pub(crate) counters: Counters,
    pub(crate) cache: Cache,
}

/// What was done so far (T-54).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Kernels that were compiled: one for each layout of its arguments.
    pub compiled_kernels: u64,
    /// The tasks of these (`codegen_offloaded_tasks`).
    pub codegen_offloaded_tasks: u64,
    /// The statements of the frontend's IR that they were made of (`codegen_statements`).
    pub codegen_statements: u64,
    /// Kernels that were launched.
    pub launches: u64,
}

thread_local! {
    static CURRENT: RefCell<Option<Program>> = const { RefCell::new(None) };
}

/// Sets a program up, which is the thread's current one from here on: `ti.init`.
///
/// # Errors
/// [`Error::Target`] for an arch that is not there and a cache's folder that cannot be used, [`Error::Type`] for default types that are none.
pub fn init(config: Config) -> Result<Program> {
    let program = Program::new(config)?;
    program.make_current();
    Ok(program)
}

/// The thread's current program.
///
/// # Errors
/// [`Error::Arguments`] before [`init`].
pub fn current() -> Result<Program> {
    let none = Error::Arguments { kernel: "ti.init", what: "there is no program yet: call `init` first" };
    CURRENT.with_borrow(Clone::clone).ok_or(none)
}

impl Program {
    /// A program that is not the current one.
    ///
    /// # Errors
    /// As [`init`].
    pub fn new(config: Config) -> Result<Program> {
        let typing = Typing::new(config.rules, config.default_ip, config.default_fp)?;
        let (target, disk) = (config.target()?, config.disk()?);
        Ok(Program(Arc::new(Inner { config, typing, target, disk, state: Mutex::default() })))
    }

    /// Makes it the thread's current program, in which kernels without fields run.
    pub fn make_current(&self) {
        CURRENT.with_borrow_mut(|current| *current = Some(self.clone()));
    }

    /// A dense field of a shape, zeros at first: `ti.field`, `ti.Vector.field`, `ti.Matrix.field`.
    ///
    /// # Errors
    /// [`Error::Layout`] for shapes that are none; no memory.
    #[track_caller]
    pub fn field<T: Element>(&self, shape: &[usize]) -> Result<Field<T>> {
        self.field_with(shape, FieldOptions::new())
    }

    /// A dense field with a layout, an order of axes, or an index of its first element.
    ///
    /// # Errors
    /// As [`field`](Program::field), and for options that do not fit.
    #[track_caller]
    pub fn field_with<T: Element>(&self, shape: &[usize], options: FieldOptions) -> Result<Field<T>> {
        let sizes: Vec<i64> = shape.iter().map(|&n| i64::try_from(n).unwrap_or(i64::MAX)).collect();
        let mut builder = self.fields_builder();
        let id = builder.dense_field("x", T::ty()?, &sizes, options)?;
        self.build(builder.finalize()?)?.field(id)
    }

    /// A dense field of elements of a type that is known at run time.
    ///
    /// # Errors
    /// As [`field_with`](Program::field_with).
    #[track_caller]
    pub fn untyped_field(&self, ty: Type, shape: &[usize], options: FieldOptions) -> Result<UntypedField> {
        let sizes: Vec<i64> = shape.iter().map(|&n| i64::try_from(n).unwrap_or(i64::MAX)).collect();
        let mut builder = self.fields_builder();
        let id = builder.dense_field("x", ty, &sizes, options)?;
        self.build(builder.finalize()?)?.untyped_field(id)
    }

    /// A builder of fields, padded or packed as the program is set up: `ti.FieldsBuilder`.
    pub fn fields_builder(&self) -> FieldsBuilder {
        FieldsBuilder::new(if self.0.config.packed { Packing::Packed } else { Packing::Padded })
    }

    /// A finished tree with memory of its own.
    ///
    /// # Errors
    /// [`Error::Layout`] for a tree beyond 63 bits of bytes; no memory.
    pub fn build(&self, tree: SNodeTree) -> Result<FieldTree> {
        let tree = Tree::new(&*self.0.target, tree)?;
        let mut state = self.state();
        state.trees.push(Some(tree));
        Ok(FieldTree { program: self.clone(), number: state.trees.len() - 1 })
    }

    /// Takes all cells of the sparse nodes of all trees out of use.
    ///
    /// # Errors
    /// What launches end with.
    pub fn deactivate_all(&self) -> Result<()> {
        let trees = self.state().trees.len();
        (0..trees).try_for_each(|number| {
            let tree = FieldTree { program: self.clone(), number };
            match tree.deactivate_all() {
                Err(Error::Destroyed) => Ok(()),
                other => other,
            }
        })
    }

    /// The lines that kernels printed since the last call, if the program keeps them.
    pub fn take_printed(&self) -> Vec<String> {
        std::mem::take(&mut self.state().printed).lines().map(str::to_owned).collect()
    }

    /// Stores that may lose precision, in all kernels that were compiled.
    pub fn warnings(&self) -> Vec<Placed<TypeWarning>> {
        self.state().warnings.clone()
    }

    /// What was done so far.
    pub fn counters(&self) -> Counters {
        self.state().counters
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_same(&self, other: &Program) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A tree of fields that has memory: what a builder's finalised tree becomes.
#[derive(Clone)]
pub struct FieldTree {
    pub(crate) program: Program,
    pub(crate) number: usize,
}

impl FieldTree {
    /// A field of the tree.
    ///
    /// # Errors
    /// [`Error::Layout`] for a field of another tree, or of another type than `T`; [`Error::Destroyed`].
    pub fn field<T: Element>(&self, id: FieldId) -> Result<Field<T>> {
        Field::new(self.clone(), id)
    }

    /// A field of the tree, of any type.
    ///
    /// # Errors
    /// [`Error::Layout`] for a field of another tree, and for elements that are no numbers, vectors or matrices;
    /// [`Error::Destroyed`].
    pub fn untyped_field(&self, id: FieldId) -> Result<UntypedField> {
        UntypedField::new(self.clone(), id)
    }

    /// A node of the tree.
    ///
    /// # Errors
    /// [`Error::Layout`] for values and nodes of another tree; [`Error::Destroyed`].
    pub fn node(&self, id: NodeId) -> Result<FieldNode> {
        FieldNode::new(self.clone(), id)
    }

    /// Takes all cells of the tree's sparse nodes out of use.
    ///
    /// # Errors
    /// [`Error::Destroyed`].
    pub fn deactivate_all(&self) -> Result<()> {
        let sparse: Vec<NodeId> = {
            let state = self.program.state();
            let own = state.trees.get(self.number).and_then(Option::as_ref).ok_or(Error::Destroyed)?;
            let sparse = own.layout().nodes().iter().filter(|node| node.kind().needs_activation());
            sparse.map(SNode::id).collect()
        };
        sparse.into_iter().try_for_each(|id| self.node(id)?.deactivate_all())
    }

    /// Gives the memory back: `SNodeTree.destroy`. What its fields are asked for from then on is an error.
    pub fn destroy(&self) {
        if let Some(tree) = self.program.state().trees.get_mut(self.number) {
            *tree = None;
        }
    }
}
