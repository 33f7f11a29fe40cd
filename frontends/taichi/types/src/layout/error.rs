//! What can be wrong with a layout.

use crate::{Place, Type, TypeError};

/// Everything that can be wrong with a tree of nodes, its fields and their indices.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A type that cannot be stored so.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A letter that is no axis.
    #[error("no axis is called `{letter}`: axes are `i` to `t`")]
    UnknownAxis {
        /// The letter.
        letter: char,
    },
    /// An axis twice in one node.
    #[error("the axis `{letter}` is there twice")]
    RepeatedAxis {
        /// The letter.
        letter: char,
    },
    /// More axes than there are.
    #[error("a field has at most 12 axes, got {count}")]
    TooManyAxes {
        /// How many.
        count: usize,
    },
    /// A node without axes.
    #[error("{kind} takes at least one axis")]
    NoAxes {
        /// The kind of the node.
        kind: &'static str,
    },
    /// Axes and sizes that do not go together.
    #[error("{axes} axes and {sizes} sizes: give as many sizes as axes, or one for all")]
    AxesAndSizes {
        /// How many axes.
        axes: usize,
        /// How many sizes.
        sizes: usize,
    },
    /// A size that is none.
    #[error("Every dimension of a Taichi field should be positive, got {size} in dimension {dimension}")]
    NotPositive {
        /// The size.
        size: i64,
        /// Which it is.
        dimension: usize,
    },
    /// More nodes than a tree has.
    #[error("a tree has at most {max} nodes", max = super::MAX_NODES)]
    TooManyNodes,
    /// A node that a kind of node cannot have below it.
    #[error("a {parent} node has no {child} node below it")]
    NoChild {
        /// The kind of the node.
        parent: &'static str,
        /// The kind of what was to be below.
        child: &'static str,
    },
    /// A hash node elsewhere than below the root.
    #[error("hash nodes stand below the root only")]
    HashBelowRoot,
    /// A dynamic node that shares its axis.
    #[error("Dynamic SNode must have a standalone dimensionality: the axis `{letter}` is divided above it")]
    DynamicAxisShared {
        /// The axis.
        letter: char,
    },
    /// A dynamic node of several axes.
    #[error("Dynamic SNode can have only one index extractor, got {axes}")]
    DynamicAxes {
        /// How many axes.
        axes: usize,
    },
    /// A chunk of no cells.
    #[error("a chunk of a dynamic node has at least one cell, got {chunk}")]
    DynamicChunk {
        /// The cells.
        chunk: i64,
    },
    /// Cells that cannot be numbered.
    #[error("SNode={node}: total_num_bits={bits} exceeded limit={limit}: the shape is too large")]
    TooManyBits {
        /// The node.
        node: String,
        /// The bits of a cell's number.
        bits: u32,
        /// The least number of bits that is too many.
        limit: u32,
    },
    /// More bytes, or elements along an axis, than 64 bits address.
    #[error("{node} is too large to be addressed with 64 bits")]
    TooLarge {
        /// The node.
        node: String,
    },
    /// A change of a tree that is finished.
    #[error("FieldsBuilder finalized")]
    Finalized,
    /// A node or field of another builder.
    #[error("the {what} is of another builder")]
    Foreign {
        /// `node`, `field` or `number`.
        what: &'static str,
    },
    /// Fields that were declared and placed nowhere.
    #[error("These field(s) are not placed:{}", listed(fields))]
    NotPlaced {
        /// Their names, and where they were made.
        fields: Vec<(String, Place)>,
    },
    /// A field that is placed already.
    #[error("the field `{field}` is placed already")]
    PlacedTwice {
        /// Its name.
        field: String,
    },
    /// A node without anything below it.
    #[error("{kind} node must have at least one child.")]
    Empty {
        /// The kind of the node.
        kind: &'static str,
    },
    /// A type that is no value of a field.
    #[error("{ty} is no type of a field")]
    FieldType {
        /// The type.
        ty: Type,
    },
    /// A quantised number in a whole word.
    #[error("{ty} is packed in words: place it by a bit struct or in a quant array")]
    Unpacked {
        /// The type.
        ty: Type,
    },
    /// A quant array of other than one field.
    #[error("a quant array has one field of single numbers below it")]
    QuantArrayFields,
    /// A value whose address is no sum.
    #[error("{node}: the address of what stands below it is no sum")]
    NotLinear {
        /// The node that is in the way.
        node: String,
    },
    /// An operation on cells that are always in use.
    #[error("{operation}: the cells of {node} are always in use")]
    NotSparse {
        /// The operation.
        operation: &'static str,
        /// The node.
        node: String,
    },
    /// An operation on lists at another node.
    #[error("{operation} works on dynamic nodes, and {node} is none")]
    NotList {
        /// The operation.
        operation: &'static str,
        /// The node.
        node: String,
    },
    /// A value appended where none fits.
    #[error("{node}: its cells begin with no whole number that a value could be appended as")]
    NoValue {
        /// The node.
        node: String,
    },
    /// More cells than a node may have.
    #[error("{node} is full: its limit is {limit}")]
    PoolFull {
        /// The node.
        node: String,
        /// The most cells or chunks.
        limit: u64,
    },
    /// Memory that the system does not give.
    #[error("{bytes} bytes cannot be allocated")]
    OutOfMemory {
        /// How many.
        bytes: u64,
    },
    /// Offsets that do not go with the axes.
    #[error("{offsets} offsets for {axes} axes")]
    Offsets {
        /// How many offsets.
        offsets: usize,
        /// How many axes.
        axes: usize,
    },
    /// An order that does not name every axis of the shape.
    #[error("the order `{order}` names not each of the {axes} axes once")]
    Order {
        /// The order.
        order: String,
        /// How many axes the shape has.
        axes: usize,
    },
    /// Indices of another number than the field has axes.
    #[error("{field} has {axes} axes, got {given} indices")]
    Indices {
        /// The field.
        field: String,
        /// How many axes it has.
        axes: usize,
        /// How many indices there were.
        given: usize,
    },
    /// An index out of range.
    #[error("Accessing field ({field}) of size ({}) with indices ({})", joined(shape), joined(indices))]
    OutOfRange {
        /// The node of the field.
        field: String,
        /// The field's shape.
        shape: Vec<i64>,
        /// The indices, without the field's offset.
        indices: Vec<i64>,
    },
}

fn joined(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

fn listed(fields: &[(String, Place)]) -> String {
    fields.iter().map(|(name, place)| format!("\n`{name}`, made at {place}")).collect()
}

/// What may be slow in a layout.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutWarning {
    /// A packed node that divides an axis again, by what is no power of two (T-29).
    #[error(
        "Shape {size} is detected on non-first division of axis {letter}. For best performance, we recommend that you set it to a power of two."
    )]
    SlowDivision {
        /// The node.
        node: String,
        /// The size.
        size: u64,
        /// The axis.
        letter: char,
    },
}
