//! Nodes of trees, as the host sees them.

use super::{AnyField, UntypedField};
use crate::error::{Error, Result};
use crate::front::Value;
use crate::runtime::{Argument, Definition, Described, FieldTree, Program, launch};
use crate::span::Source;
use ivy_taichi_types::PrimitiveType;
use ivy_taichi_types::layout::{LayoutError, NodeId, NodeKind};

/// A node that has cells: kernels loop over those in use, and put cells in use and take them out of it. Clones are the same node.
///
/// ```
/// use ivy_taichi::types::PrimitiveType;
/// use ivy_taichi::{Config, FieldNode, Field, init, kernel};
///
/// #[kernel]
/// fn count(block: &FieldNode, total: &Field<i32>) {
///     for i in block {
///         total[()] += 1;
///     }
/// }
///
/// let program = init(Config::new())?;
/// let mut builder = program.fields_builder();
/// let x = builder.field("x", PrimitiveType::F32)?;
/// let block = builder.root().pointer("i", &[8])?.id();
/// builder.at(block)?.dense("i", &[4])?.place(&[x])?;
/// let tree = program.build(builder.finalize()?)?;
/// let (x, block, total) = (tree.field::<f32>(x)?, tree.node(block)?, program.field::<i32>(&[])?);
/// x.set(&[9], 1.0)?;
/// count(&block, &total)?;
/// assert_eq!((block.is_active(&[2])?, total.get(&[])?), (true, 1));
/// block.deactivate_all()?;
/// assert_eq!(x.get(&[9])?, 0.0);
/// # Ok::<(), ivy_taichi::Error>(())
/// ```
#[derive(Clone)]
pub struct FieldNode {
    elements: UntypedField,
    kind: NodeKind,
    /// Of a list, the node that it is a list in each cell of.
    above: Option<Box<FieldNode>>,
}

impl AnyField for FieldNode {
    fn program(&self) -> &Program {
        self.elements.program()
    }

    fn place(&self) -> (usize, &Described) {
        self.elements.place()
    }
}

macro_rules! definitions {
    ($($name:ident $text:literal;)*) => {
        $(static $name: Definition =
            Definition { name: $text, source: &Source { file: file!(), line: line!(), column: 1, text: $text } };)*
    };
}

definitions! {
    ACTIVATE "activate";
    DEACTIVATE "deactivate";
    DEACTIVATE_ALL "deactivate_all";
    IS_ACTIVE "is_active";
    LENGTH "length";
}

impl FieldNode {
    pub(crate) fn new(tree: FieldTree, id: NodeId) -> Result<FieldNode> {
        let (described, kind, above) = {
            let state = tree.program.state();
            let own = state.trees.get(tree.number).and_then(Option::as_ref).ok_or(Error::Destroyed)?;
            let node = own.layout().node(id)?;
            (own.describe_node(id)?, node.kind(), node.parent())
        };
        let above = above.filter(|_| matches!(kind, NodeKind::Dynamic { .. }));
        let above = above.map(|above| FieldNode::new(tree.clone(), above)).transpose()?;
        Ok(FieldNode { elements: UntypedField::described(tree, described), kind, above: above.map(Box::new) })
    }

    /// The node as a field without numbers, as kernels take it.
    pub fn elements(&self) -> &UntypedField {
        &self.elements
    }

    /// The cells along each index, from the root on.
    pub fn shape(&self) -> Vec<usize> {
        self.elements.shape()
    }

    /// Its name in messages and printed IR, such as `S1pointer`.
    pub fn name(&self) -> &str {
        self.elements.name()
    }

    /// What its containers are.
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Whether the cell at indices is in use.
    ///
    /// # Errors
    /// [`LayoutError::NotSparse`], [`LayoutError::Indices`] and [`LayoutError::OutOfRange`] in [`Error::Layout`]; [`Error::Destroyed`].
    pub fn is_active(&self, indices: &[i64]) -> Result<bool> {
        if !self.kind.needs_activation() || self.above.is_some() {
            return Err(
                LayoutError::NotSparse { operation: "is_active", node: self.name().to_owned() }.into()
            );
        }
        self.ask(&IS_ACTIVE, "is_active", indices).map(|bits| bits != 0)
    }

    /// Puts the cell at indices in use, and those above it.
    ///
    /// # Errors
    /// As [`is_active`](FieldNode::is_active).
    pub fn activate(&self, indices: &[i64]) -> Result<()> {
        self.sparse("activate")?;
        self.ask(&ACTIVATE, "activate", indices).map(drop)
    }

    /// Takes the cell at indices out of use, and what is below it: it reads as 0 from then on. Of a dynamic node the indices are those of
    /// its list, which becomes empty.
    ///
    /// # Errors
    /// As [`is_active`](FieldNode::is_active).
    pub fn deactivate(&self, indices: &[i64]) -> Result<()> {
        self.sparse("deactivate")?;
        self.ask(&DEACTIVATE, "deactivate", indices).map(drop)
    }

    /// The cells in use of the list at indices.
    ///
    /// # Errors
    /// [`LayoutError::NotList`] for another kind of node, else as [`is_active`](FieldNode::is_active).
    pub fn length(&self, indices: &[i64]) -> Result<usize> {
        if self.above.is_none() {
            let node = self.name().to_owned();
            return Err(LayoutError::NotList { operation: "length", node }.into());
        }
        self.ask(&LENGTH, "length", indices).map(|bits| bits as usize)
    }

    /// Takes all cells out of use.
    ///
    /// # Errors
    /// [`LayoutError::NotSparse`] in [`Error::Layout`]; [`Error::Destroyed`].
    pub fn deactivate_all(&self) -> Result<()> {
        self.sparse("deactivate_all")?;
        let over = self.above.as_deref().unwrap_or(self);
        let axes = over.shape().len();
        let arguments = [Argument::Field(self), Argument::Field(over)];
        launch(&DEACTIVATE_ALL, &arguments, None, |scope| {
            let (node, over) = (scope.parameter(0)?, scope.parameter(1)?);
            scope.each_of(&over, axes, &mut |scope, indices| {
                let indices = &indices[..axes.min(indices.len())];
                scope.cells("deactivate", &node, indices).map(drop)
            })
        })
        .map(drop)
    }

    fn sparse(&self, operation: &'static str) -> Result<()> {
        match self.kind.needs_activation() {
            true => Ok(()),
            false => Err(LayoutError::NotSparse { operation, node: self.name().to_owned() }.into()),
        }
    }

    /// Does something at indices, and gives the result's bits.
    fn ask(&self, definition: &'static Definition, what: &'static str, indices: &[i64]) -> Result<u64> {
        let mut whole = indices.to_vec();
        if let Some(axis) = self.elements.info().list_axis().filter(|_| what != "activate") {
            whole.insert(axis.min(whole.len()), 0);
        }
        self.elements.checked(&whole)?;
        let bits = indices.iter().map(|&n| n as u64).collect();
        let form = Some((indices.len(), None));
        let numbers = Argument::Numbers { form, ty: PrimitiveType::I32, bits };
        let result = matches!(what, "is_active" | "length").then_some(PrimitiveType::I32);
        let launched = launch(definition, &[Argument::Field(self), numbers], result, |scope| {
            let (node, indices) = (scope.parameter(0)?, scope.parameter(1)?);
            let indices = match indices {
                Value::Tensor(tensor) => tensor.entries,
                other => vec![other],
            };
            let given = scope.cells(what, &node, &indices)?;
            if result.is_some() { scope.give(Some(&given)) } else { Ok(()) }
        })?;
        Ok(launched.result.unwrap_or(0))
    }
}
