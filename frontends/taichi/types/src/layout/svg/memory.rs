//! The memory of a tree, drawn by lines of bytes.

use super::{BASELINE, MARGIN, ROW, rect, text};
use crate::layout::{FieldId, NodeId, SNodeTree};

const LINE_BYTES: u64 = 32;
const BYTE: f64 = 26.0;
const LEFT: f64 = MARGIN + 60.0;
/// The most lines that are drawn, and that are looked at to find them.
const MOST_LINES: usize = 8;
const MOST_LOOKED_AT: u64 = 1024;
/// About how wide a character is.
const CHARACTER: f64 = 6.2;

/// Some bytes of a line: an element, or what is none.
struct Part {
    column: u64,
    size: u64,
    /// The value's node, and the element as it is written.
    what: Option<(NodeId, String)>,
}

impl SNodeTree {
    /// The first lines that hold elements, from a height on; and how far down they go.
    pub(super) fn draw_memory(&self, top: f64) -> (String, f64) {
        let mut svg = String::new();
        let lines = self.root_bytes().div_ceil(LINE_BYTES).min(MOST_LOOKED_AT);
        let holds = |parts: &Vec<Part>| parts.iter().any(|part| part.what.is_some());
        let drawn: Vec<(u64, Vec<Part>)> = (0..lines)
            .map(|line| (line * LINE_BYTES, self.line(line * LINE_BYTES)))
            .filter(|(_, parts)| holds(parts))
            .take(MOST_LINES)
            .collect();
        if !drawn.is_empty() {
            text(&mut svg, "note", MARGIN, top - 12.0, "memory, by addresses");
        }
        for (row, (address, parts)) in drawn.iter().enumerate() {
            let y = top + row as f64 * ROW;
            text(&mut svg, "note", MARGIN, y + BASELINE, &address.to_string());
            parts.iter().for_each(|part| self.draw_part(&mut svg, part, y));
        }
        (svg, top + drawn.len() as f64 * ROW)
    }

    fn draw_part(&self, svg: &mut String, part: &Part, y: f64) {
        let (x, width) = (LEFT + part.column as f64 * BYTE, part.size as f64 * BYTE);
        let Some((place, label)) = &part.what else { return rect(svg, "padding", (x, y), width, None) };
        rect(svg, "component", (x, y), width, self.colour(*place));
        // A label that is wider than its box is left out.
        if label.chars().count() as f64 * CHARACTER < width {
            text(svg, "element", x + width / 2.0, y + BASELINE, label);
        }
    }

    /// The elements of a line, and between them what is none.
    fn line(&self, address: u64) -> Vec<Part> {
        let end = self.root_bytes().min(address + LINE_BYTES);
        let begins = |at: u64| self.locate(at).filter(|located| located.byte == 0);
        let (mut parts, mut at) = (Vec::new(), address);
        while at < end {
            let (size, what) = match begins(at) {
                Some(located) => {
                    let place = self.place_of(located.field, located.number);
                    (self.stored_bytes(&self.nodes()[place.number()]), Some((place, self.label(&located))))
                }
                None => {
                    let next = (at + 1..end).find(|&next| begins(next).is_some());
                    (next.unwrap_or(end) - at, None)
                }
            };
            let size = size.clamp(1, end - at);
            parts.push(Part { column: at - address, size, what });
            at += size;
        }
        parts
    }

    /// Such as `x[0,1]`, and `t` for a value without axes.
    fn label(&self, located: &crate::layout::Located) -> String {
        let index: Vec<String> = located.index.iter().map(i64::to_string).collect();
        let name = self.name(located.field, located.number);
        if index.is_empty() { name } else { format!("{name}[{}]", index.join(",")) }
    }

    fn place_of(&self, field: FieldId, number: usize) -> NodeId {
        let place = self.field(field).ok().and_then(|field| field.places().get(number).copied());
        place.unwrap_or(NodeId::ROOT)
    }
}
