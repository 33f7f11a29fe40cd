//! A tree as text.

use super::axes::letter;
use super::{FieldId, NodeId, NodeKind, SNode, SNodeTree};
use std::fmt;

/// The elements whose addresses are shown.
const SHOWN: usize = 4;

/// One line a node, those below it behind it: the axes with their sizes (and what they are padded to), the cells and their bytes, where
/// the container stands in a cell of the node above, and of a value the addresses of the first elements in memory.
///
/// ```
/// use ivy_taichi_types::layout::{FieldOptions, FieldsBuilder, Packing};
/// use ivy_taichi_types::PrimitiveType;
/// let mut builder = FieldsBuilder::new(Packing::Padded);
/// builder.dense_field("x", PrimitiveType::F32, &[3, 5], FieldOptions::new())?;
/// assert_eq!(builder.finalize()?.to_string(), "\
/// S0root: 128 bytes
///   S1dense i 3 of 4, j 5 of 8: 32 cells of 4 bytes, 128 bytes at 0
///     S2place<f32> x: 4 bytes at 0; [0, 0] at 0, [0, 1] at 4, [0, 2] at 8, [0, 3] at 12
/// ");
/// # Ok::<(), ivy_taichi_types::layout::LayoutError>(())
/// ```
impl fmt::Display for SNodeTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, NodeId::ROOT, 0)
    }
}

impl SNodeTree {
    fn write(&self, f: &mut fmt::Formatter<'_>, id: NodeId, depth: usize) -> fmt::Result {
        let node = &self.nodes()[id.number()];
        writeln!(f, "{:indent$}{node}{}", "", self.describe(node), indent = 2 * depth)?;
        node.children().iter().try_for_each(|&child| self.write(f, child, depth + 1))
    }

    /// What is said of a node behind its name.
    pub(super) fn describe(&self, node: &SNode) -> String {
        let (container, at) = (node.container_bytes(), node.offset_bytes_in_parent_cell());
        match node.kind() {
            NodeKind::Root => format!(": {}", bytes(container)),
            NodeKind::Place => {
                let name =
                    node.value_of().map_or_else(String::new, |(field, number)| self.name(field, number));
                match node.bit_member() {
                    Some(member) => format!(" {name}: bit {}", member.offset),
                    None if container == 0 => format!(" {name}: elements of a word"),
                    None => format!(" {name}: {} at {at}{}", bytes(container), self.first_elements(node)),
                }
            }
            NodeKind::BitStruct => format!(": {} at {at}", bytes(container)),
            _ => {
                let cells = node.num_cells_per_container();
                let each = match node.element_bits() {
                    Some(bits) => format!("{bits} bits"),
                    None => bytes(node.cell_bytes()),
                };
                let unused = match self.unused(node) {
                    0 => String::new(),
                    unused => format!(" ({unused} of padding)"),
                };
                format!("{}: {cells} cells of {each}{unused}, {} at {at}", axes(node), bytes(container))
            }
        }
    }

    /// The field of a value, and its number where the field has several.
    pub(super) fn name(&self, field: FieldId, number: usize) -> String {
        self.field(field).map_or_else(
            |_| String::new(),
            |field| match field.places().len() {
                1 => field.name().to_owned(),
                _ => format!("{}.{number}", field.name()),
            },
        )
    }

    /// The bytes of a cell that no component takes.
    pub(super) fn unused(&self, node: &SNode) -> u64 {
        let taken = node.children().iter().map(|child| self.nodes()[child.number()].container_bytes());
        node.cell_bytes().saturating_sub(taken.sum())
    }

    /// The addresses of the first elements along the last axis; nothing where they stand elsewhere.
    fn first_elements(&self, node: &SNode) -> String {
        let Some(linear) = node.value_of().and_then(|(field, number)| self.linear(field, number).ok()) else {
            return String::new();
        };
        let Some(&last) = linear.shape.last() else { return String::new() };
        let first: Vec<i64> =
            (0..linear.shape.len()).map(|axis| linear.offset.get(axis).copied().unwrap_or(0)).collect();
        let one = |n: u64| {
            let mut index = first.clone();
            if let Some(last) = index.last_mut() {
                *last += n as i64;
            }
            let address = linear.offset_of(&index).ok()?;
            let index: Vec<String> = index.iter().map(i64::to_string).collect();
            Some(format!("[{}] at {address}", index.join(", ")))
        };
        let shown: Vec<String> = (0..last.min(SHOWN as u64)).filter_map(one).collect();
        format!("; {}", shown.join(", "))
    }
}

/// ` i 3 of 4, j 5 of 8`.
pub(super) fn axes(node: &SNode) -> String {
    let one = |axis: u8| {
        let own = &node.extractors()[usize::from(axis)];
        match own.size == own.shape {
            true => format!(" {} {}", letter(axis), own.size),
            false => format!(" {} {} of {}", letter(axis), own.size, own.shape),
        }
    };
    node.active_axes().map(one).collect::<Vec<_>>().join(",")
}

pub(super) fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        count => format!("{count} bytes"),
    }
}
