//! Sizes and offsets of cells and containers, as C has them.

use super::node::Sizes;
use super::{LayoutError, NodeKind, SNode};

/// A lock of a pointer's cell, and its pointer.
const LOCK: u64 = 8;
const POINTER: u64 = 8;
/// Lock and length of a list, 4 bytes each, and its chunks; lock and table of a hash node.
const LIST_HEADER: u64 = 8;
const LIST: u64 = LIST_HEADER + POINTER;
/// A word of a mask.
const MASK_BYTES: u64 = 4;
const MASK_BITS: u64 = 32;

/// Computes the sizes of all nodes; those above stand before those below.
pub(super) fn lay_out(nodes: &mut [SNode]) -> Result<(), LayoutError> {
    for node in (0..nodes.len()).rev() {
        let sizes = of_node(nodes, node);
        let refuse = || LayoutError::TooLarge { node: nodes[node].to_string() };
        nodes[node].sizes =
            sizes.filter(|sizes| i64::try_from(sizes.container).is_ok()).ok_or_else(refuse)?;
    }
    Ok(())
}

/// The sizes of one node, whose children have theirs; `None` beyond 64 bits.
fn of_node(nodes: &mut [SNode], node: usize) -> Option<Sizes> {
    let word = |bytes: usize| {
        let bytes = bytes as u64;
        Some(Sizes { cell: 0, align: bytes, header: 0, container: bytes, in_parent: 0 })
    };
    let own = &nodes[node];
    match own.kind {
        NodeKind::BitStruct | NodeKind::QuantArray => return word(own.word()?.bytes()),
        NodeKind::Place => {
            // A number of a word has no bytes of its own.
            return word(own.dtype?.primitive().map_or(0, |primitive| primitive.bytes()));
        }
        _ => {}
    }
    let (cell, align) = components(nodes, node)?;
    let (kind, cells) = (nodes[node].kind, nodes[node].cells);
    let inline = |header: u64, align: u64| {
        let body = cells.checked_mul(cell)?;
        let container = round_up(header.checked_add(body)?, align)?;
        Some(Sizes { cell, align, header, container, in_parent: 0 })
    };
    let elsewhere =
        |header: u64, container: u64| Some(Sizes { cell, align: POINTER, header, container, in_parent: 0 });
    match kind {
        NodeKind::Bitmasked => {
            let mask = cells.div_ceil(MASK_BITS).checked_mul(MASK_BYTES)?;
            inline(round_up(mask, align)?, align.max(MASK_BYTES))
        }
        NodeKind::Pointer => elsewhere(cells.checked_mul(LOCK)?, cells.checked_mul(LOCK + POINTER)?),
        NodeKind::Dynamic { .. } | NodeKind::Hash => elsewhere(LIST_HEADER, LIST),
        _ => inline(0, align),
    }
}

/// Puts the containers of the nodes below into a cell, in order, each at a multiple of its alignment; the cell's size and alignment.
fn components(nodes: &mut [SNode], node: usize) -> Option<(u64, u64)> {
    let (mut end, mut align) = (0u64, 1);
    for child in nodes[node].children.clone() {
        let sizes = &mut nodes[child.number()].sizes;
        sizes.in_parent = round_up(end, sizes.align)?;
        end = sizes.in_parent.checked_add(sizes.container)?;
        align = align.max(sizes.align);
    }
    Some((round_up(end, align)?, align))
}

fn round_up(bytes: u64, align: u64) -> Option<u64> {
    bytes.checked_next_multiple_of(align.max(1))
}
