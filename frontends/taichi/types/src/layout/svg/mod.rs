//! A tree as a drawing.

mod memory;

use super::print::{axes, bytes};
use super::{NodeId, NodeKind, SNode, SNodeTree};
use crate::TypeKind;
use std::fmt::{Arguments, Write as _};

const MARGIN: f64 = 24.0;
const TITLE: f64 = 40.0;
const INDENT: f64 = 22.0;
const ROW: f64 = 34.0;
const BOX: f64 = 22.0;
/// Where text stands in a box.
const BASELINE: f64 = 15.0;
/// Where cells are drawn, beside the names, and what is said of them.
const CELLS: f64 = 340.0;
const CELL: f64 = 400.0;
const SAID: f64 = CELLS + CELL + 10.0;
const WIDTH: f64 = SAID + 190.0;
/// The colours of values, taken in turn.
const COLOURS: [&str; 6] = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2"];

/// A node in its row, and the row of the node above.
struct Row {
    id: NodeId,
    depth: usize,
    above: Option<usize>,
}

impl SNodeTree {
    /// The drawing as SVG, light or dark as the viewer is: the nodes by level with their axes and what each is padded to; what a cell of
    /// each consists of, components by their bytes, padding hatched, and the members of a word by their bits; the addresses of the first
    /// elements; and the first lines of the memory that hold elements.
    pub fn to_svg(&self) -> String {
        let mut rows = Vec::new();
        self.rows(NodeId::ROOT, 0, None, &mut rows);
        let top = MARGIN + TITLE;
        let below = top + rows.len() as f64 * ROW + 40.0;
        let (memory, height) = self.draw_memory(below);
        let mut svg = header(WIDTH, height + MARGIN, &format!("Layout of {}", bytes(self.root_bytes())));
        for (row, own) in rows.iter().enumerate() {
            let y = |row: usize| top + row as f64 * ROW;
            self.draw_node(&mut svg, own, y(row), own.above.map(y));
        }
        svg + &memory + "</svg>\n"
    }

    fn rows(&self, id: NodeId, depth: usize, above: Option<usize>, rows: &mut Vec<Row>) {
        let own = rows.len();
        rows.push(Row { id, depth, above });
        for &child in self.nodes()[id.number()].children() {
            self.rows(child, depth + 1, Some(own), rows);
        }
    }

    fn draw_node(&self, svg: &mut String, row: &Row, y: f64, above: Option<f64>) {
        let node = &self.nodes()[row.id.number()];
        let x = MARGIN + row.depth as f64 * INDENT;
        if let Some(above) = above {
            let (left, from, middle) = (x - INDENT / 2.0, above + BOX, y + BOX / 2.0);
            draw(svg, format_args!("<path class=\"edge\" d=\"M{left} {from}V{middle}H{x}\"/>"));
        }
        let y_text = y + BASELINE;
        if node.kind() == NodeKind::Place {
            let said = self.describe(node);
            let (what, first) = said.split_once("; ").unwrap_or((&said, ""));
            text(svg, "name", x + 4.0, y_text, &format!("{node}{what}"));
            text(svg, "note", CELLS, y_text, first);
            return;
        }
        text(svg, "name", x + 4.0, y_text, &format!("{node}{}", axes(node)));
        let said = match node.element_bits() {
            Some(bits) => {
                self.draw_elements(svg, node, bits, y);
                format!("{} x {bits} bits", node.num_cells_per_container())
            }
            None if node.kind() == NodeKind::BitStruct => {
                self.draw_members(svg, node, y);
                bytes(node.container_bytes())
            }
            None => {
                self.draw_cell(svg, node, y);
                format!("{} x {}", node.num_cells_per_container(), bytes(node.cell_bytes()))
            }
        };
        text(svg, "note", SAID, y_text, &said);
    }

    /// A cell: its components, each as wide as its share of the bytes.
    fn draw_cell(&self, svg: &mut String, node: &SNode, y: f64) {
        let scale = CELL / node.cell_bytes().max(1) as f64;
        rect(svg, "padding", (CELLS, y), CELL, None);
        for child in node.children() {
            let child = &self.nodes()[child.number()];
            let x = CELLS + child.offset_bytes_in_parent_cell() as f64 * scale;
            let class = if child.kind().is_inline() { "component" } else { "elsewhere" };
            rect(svg, class, (x, y), child.container_bytes() as f64 * scale, self.colour(child.id()));
        }
    }

    /// The word of a bit struct: exponents and digits, each as wide as its share of the bits.
    fn draw_members(&self, svg: &mut String, node: &SNode, y: f64) {
        let Some(TypeKind::BitStruct(word)) = node.dtype().map(|ty| ty.kind()) else { return };
        let scale = CELL / f64::from(word.physical().bits());
        rect(svg, "padding", (CELLS, y), CELL, None);
        for (member, &place) in word.members().iter().zip(node.children()) {
            let part = |svg: &mut String, class: &str, from: u32, bits: u32| {
                let (x, width) = (CELLS + f64::from(from) * scale, f64::from(bits) * scale);
                rect(svg, class, (x, y), width, self.colour(place));
            };
            let digits = match member.ty.kind() {
                TypeKind::QuantInt(int) => int.bits(),
                TypeKind::QuantFixed(fixed) => fixed.digits().bits(),
                TypeKind::QuantFloat(float) => {
                    if let Some(exponent) = member.exponent {
                        part(svg, "exponent", exponent, float.exponent_bits());
                    }
                    float.digits().bits()
                }
                _ => continue,
            };
            part(svg, "component", member.offset, digits);
        }
    }

    /// The word of a quant array: its elements.
    fn draw_elements(&self, svg: &mut String, node: &SNode, bits: u32, y: f64) {
        let scale = CELL / node.word().map_or(1.0, |word| f64::from(word.bits()));
        let (width, place) = (f64::from(bits) * scale, node.children().first());
        rect(svg, "padding", (CELLS, y), CELL, None);
        for element in 0..node.num_cells_per_container() {
            let x = CELLS + element as f64 * width;
            rect(svg, "component", (x, y), width, place.and_then(|&place| self.colour(place)));
        }
    }

    /// The colour of a value; none for other nodes.
    fn colour(&self, id: NodeId) -> Option<&'static str> {
        let is_value = |node: &&SNode| node.kind() == NodeKind::Place;
        let number = self.nodes().iter().filter(is_value).position(|node| node.id() == id)?;
        Some(COLOURS[number % COLOURS.len()])
    }
}

fn draw(svg: &mut String, what: Arguments<'_>) {
    svg.write_fmt(what).expect("a string takes text");
}

fn rect(svg: &mut String, class: &str, (x, y): (f64, f64), width: f64, colour: Option<&str>) {
    let fill = colour.map_or_else(String::new, |colour| format!(" style=\"fill:{colour}\""));
    draw(
        svg,
        format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BOX}\"{fill}/>"
        ),
    );
}

/// Text, in which names of the user's stand.
fn text(svg: &mut String, class: &str, x: f64, y: f64, what: &str) {
    let escaped = what.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    draw(svg, format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{escaped}</text>"));
}

fn header(width: f64, height: f64, title: &str) -> String {
    let y = MARGIN + 12.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\"><style>\
         svg{{--ink:#1c2733;--soft:#5b6b7a;--page:#fff;--line:#b8c2cc}}\
         @media(prefers-color-scheme:dark){{svg{{--ink:#e6edf3;--soft:#9aa7b4;--page:#0d1117;--line:#3d4752}}}}\
         text{{font:12px ui-monospace,monospace;fill:var(--ink)}}.title{{font-size:15px}}.note{{fill:var(--soft)}}\
         .element{{text-anchor:middle;font-size:10px;fill:#fff}}.edge{{fill:none;stroke:var(--line)}}\
         rect{{rx:3px}}.component,.exponent{{fill:var(--line);stroke:var(--page)}}.exponent{{fill-opacity:.55}}\
         .elsewhere{{fill:var(--page);stroke:var(--soft);stroke-dasharray:4 3}}\
         .padding{{fill:url(#hatch);stroke:var(--line)}}\
         </style><defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"2\" height=\"6\" fill=\"#8a97a4\" fill-opacity=\".35\"/></pattern></defs>\
         <rect width=\"100%\" height=\"100%\" fill=\"var(--page)\"/>\
         <text class=\"title\" x=\"{MARGIN}\" y=\"{y}\">{title}</text>"
    )
}
