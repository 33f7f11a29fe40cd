//! A drawing of the order of dtypes: columns from the least to the greatest, light or dark as the viewer is.

use super::lattice::{Lattice, Place};
use crate::Kind;
use std::fmt::Write as _;

/// Between the boxes of two columns.
const GAP: f64 = 62.0;
const STEP_Y: f64 = 44.0;
const BOX_Y: f64 = 28.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 46.0;

/// A node of the drawing: a place, or a bend of an edge that passes a column.
struct Node {
    place: Option<usize>,
    column: usize,
    row: f64,
}

/// The nodes in their columns, and the edges between neighbouring columns.
struct Drawing {
    nodes: Vec<Node>,
    links: Vec<(usize, usize)>,
    /// The nodes along each edge.
    paths: Vec<Vec<usize>>,
}

impl Lattice {
    /// The drawing as SVG. Places that promote with themselves alone stand in a row below.
    pub fn to_svg(&self) -> String {
        let linked = |p: usize| self.edges.iter().any(|&(a, b)| a == p || b == p);
        let alone: Vec<usize> = (0..self.places.len()).filter(|&p| !linked(p)).collect();
        let mut drawing = self.drawing(&linked);
        drawing.arrange();
        let centres = self.centres(&drawing);
        let rows = drawing.nodes.iter().map(|n| n.row + 1.0).fold(0.0, f64::max);
        let right = centres.last().map_or(0.0, |c| c.0 + c.1);
        // What stands alone has a row of boxes below, as wide as the widest.
        let box_alone = alone.iter().map(|&p| self.half(p)).fold(0.0, f64::max) * 2.0 + 14.0;
        let per_row = ((right.max(600.0) - MARGIN) / box_alone).max(1.0) as usize;
        let rows_alone = alone.len().div_ceil(per_row);
        let top = MARGIN + TITLE;
        let below = top + rows * STEP_Y + if alone.is_empty() { 0.0 } else { 28.0 };
        let wide_alone = MARGIN + alone.len().min(per_row) as f64 * box_alone;
        let width = right.max(wide_alone).max(600.0) + MARGIN;
        let height = below + rows_alone as f64 * STEP_Y + MARGIN;
        let at = |n: usize| {
            let node = &drawing.nodes[n];
            (centres[node.column].0, top + (node.row + 0.5) * STEP_Y)
        };
        let mut svg = header(self, width, height);
        for path in &drawing.paths {
            let points: Vec<(f64, f64)> = path.iter().map(|&n| at(n)).collect();
            write!(svg, "<path class=\"edge\" d=\"{}\"/>", self.curve(&drawing, path, &points))
                .expect("a string takes text");
        }
        for (n, node) in drawing.nodes.iter().enumerate() {
            if let Some(place) = node.place {
                self.draw_place(&mut svg, place, at(n));
            }
        }
        if !alone.is_empty() {
            let y = below - 10.0;
            write!(svg, "<text class=\"note\" x=\"{MARGIN}\" y=\"{y}\">promote with themselves alone</text>")
                .expect("a string takes text");
        }
        for (i, &place) in alone.iter().enumerate() {
            let x = MARGIN + ((i % per_row) as f64 + 0.5) * box_alone;
            self.draw_place(&mut svg, place, (x, below + ((i / per_row) as f64 + 0.5) * STEP_Y));
        }
        svg + "</svg>\n"
    }

    /// Of each column, its middle and half its width.
    fn centres(&self, drawing: &Drawing) -> Vec<(f64, f64)> {
        let columns = drawing.nodes.iter().map(|n| n.column + 1).max().unwrap_or(0);
        let mut left = MARGIN;
        let centre = |c: usize| {
            let places = drawing.nodes.iter().filter(|n| n.column == c).filter_map(|n| n.place);
            let half = places.map(|p| self.half(p)).fold(0.0, f64::max);
            let middle = left + half;
            left = middle + half + GAP;
            (middle, half)
        };
        (0..columns).map(centre).collect()
    }

    /// Half the width of a place's box.
    fn half(&self, place: usize) -> f64 {
        (self.places[place].to_string().len() as f64 * 3.55 + 9.0).max(26.0)
    }

    fn draw_place(&self, svg: &mut String, place: usize, (x, y): (f64, f64)) {
        let class = match self.places[place] {
            Place::Weak(_) => "weak",
            Place::Dtype(d) => match d.kind() {
                Kind::Bool => "bool",
                Kind::Int => "int",
                Kind::Uint => "uint",
                Kind::Float => "float",
                Kind::Complex => "complex",
            },
        };
        let name = self.places[place].to_string();
        let half = self.half(place);
        write!(
            svg,
            "<g class=\"{class}\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BOX_Y}\" rx=\"7\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\">{name}</text></g>",
            x - half,
            y - BOX_Y / 2.0,
            2.0 * half,
            y + 4.5
        )
        .expect("a string takes text");
    }

    /// A smooth line through the points, from the right side of the first box to the left side of the last.
    fn curve(&self, drawing: &Drawing, path: &[usize], points: &[(f64, f64)]) -> String {
        let half = |n: usize| drawing.nodes[path[n]].place.map_or(0.0, |p| self.half(p));
        let mut points = points.to_vec();
        let last = points.len() - 1;
        points[0].0 += half(0);
        points[last].0 -= half(last) + 5.0;
        let mut d = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            let middle = (x + to_x) / 2.0;
            write!(d, "C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {to_x:.1} {to_y:.1}")
                .expect("a string takes text");
        }
        d
    }

    /// Places in the column of the longest way from below, with bends where an edge passes columns.
    fn drawing(&self, linked: &dyn Fn(usize) -> bool) -> Drawing {
        let n = self.places.len();
        let mut column = vec![0; n];
        // As often as there are places settles every chain, also if the rules' order had a circle.
        for _ in 0..n {
            for &(a, b) in &self.edges {
                if column[b] <= column[a] && column[a] + 1 < n {
                    column[b] = column[a] + 1;
                }
            }
        }
        let mut drawing = Drawing { nodes: Vec::new(), links: Vec::new(), paths: Vec::new() };
        let mut at = vec![0; n];
        for place in (0..n).filter(|&p| linked(p)) {
            at[place] = drawing.nodes.len();
            drawing.nodes.push(Node { place: Some(place), column: column[place], row: 0.0 });
        }
        for &(a, b) in &self.edges {
            let mut path = vec![at[a]];
            for column in column[a] + 1..column[b] {
                path.push(drawing.nodes.len());
                drawing.nodes.push(Node { place: None, column, row: 0.0 });
            }
            path.push(at[b]);
            drawing.links.extend(path.windows(2).map(|w| (w[0], w[1])));
            drawing.paths.push(path);
        }
        drawing
    }
}

impl Drawing {
    /// Rows: ordered in each column by the mean of the neighbours, a few times both ways, then pulled towards them.
    fn arrange(&mut self) {
        let columns = self.nodes.iter().map(|n| n.column + 1).max().unwrap_or(0);
        let mut order: Vec<Vec<usize>> = vec![Vec::new(); columns];
        for (i, node) in self.nodes.iter().enumerate() {
            order[node.column].push(i);
        }
        for column in &order {
            column.iter().enumerate().for_each(|(row, &i)| self.nodes[i].row = row as f64);
        }
        for turn in 0..24 {
            let forward = turn % 2 == 0;
            let sequence: Vec<usize> =
                if forward { (0..columns).collect() } else { (0..columns).rev().collect() };
            for c in sequence {
                let mut wanted: Vec<(f64, usize)> =
                    order[c].iter().map(|&i| (self.mean(i, forward), i)).collect();
                wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
                order[c] = wanted.iter().map(|w| w.1).collect();
                // No two closer than a row; the whole column keeps the mean that its nodes want.
                let mut rows: Vec<f64> = wanted.iter().map(|w| w.0).collect();
                for i in 1..rows.len() {
                    rows[i] = rows[i].max(rows[i - 1] + 1.0);
                }
                let shift =
                    wanted.iter().zip(&rows).map(|(w, r)| w.0 - r).sum::<f64>() / rows.len().max(1) as f64;
                for (&i, row) in order[c].iter().zip(rows) {
                    self.nodes[i].row = row + shift;
                }
            }
        }
        let least = self.nodes.iter().map(|n| n.row).fold(f64::INFINITY, f64::min);
        self.nodes.iter_mut().for_each(|n| n.row -= least);
    }

    /// The mean row of a node's neighbours in the column before (or after); its own where it has none.
    fn mean(&self, node: usize, before: bool) -> f64 {
        let rows: Vec<f64> = self
            .links
            .iter()
            .filter_map(|&(a, b)| match before {
                true if b == node => Some(self.nodes[a].row),
                false if a == node => Some(self.nodes[b].row),
                _ => None,
            })
            .collect();
        if rows.is_empty() { self.nodes[node].row } else { rows.iter().sum::<f64>() / rows.len() as f64 }
    }
}

fn header(lattice: &Lattice, width: f64, height: f64) -> String {
    let rules = lattice.rules;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"Promotion under the {rules} rules\">\
         <style>{STYLE}</style><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\
         <text class=\"title\" x=\"{MARGIN}\" y=\"{:.0}\">{rules}</text>\
         <text class=\"note\" x=\"{MARGIN}\" y=\"{:.0}\">{}. As {}.</text>\n",
        MARGIN + 14.0,
        MARGIN + 34.0,
        rules.about(),
        rules.source()
    )
}

const STYLE: &str = "\
text{font:13px ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;fill:#1b1f24;text-anchor:middle}\
.title{font-size:17px;font-weight:600;text-anchor:start}.note{font-size:12px;fill:#59636e;text-anchor:start}\
.page{fill:#ffffff}rect{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}.page{stroke:none}\
.edge{fill:none;stroke:#8c959f;stroke-width:1.3;marker-end:url(#tip)}.tip{fill:#8c959f}\
.int rect{fill:#ddf0ff;stroke:#2f7fc1}.uint rect{fill:#e2f5ec;stroke:#2f8a63}.float rect{fill:#fff1d6;stroke:#b57a16}\
.complex rect{fill:#fbe3ec;stroke:#b2466f}.weak rect{fill:none;stroke:#6e7781;stroke-dasharray:4 3}\
@media (prefers-color-scheme:dark){\
text{fill:#e6edf3}.note{fill:#9198a1}.page{fill:#0d1117}rect{fill:#21262d;stroke:#7d8590}\
.edge{stroke:#7d8590}.tip{fill:#7d8590}.int rect{fill:#10304d;stroke:#5aa9e6}.uint rect{fill:#123626;stroke:#4fb286}\
.float rect{fill:#3d2d0b;stroke:#d9a33a}.complex rect{fill:#421a2b;stroke:#e07aa2}.weak rect{fill:none;stroke:#9198a1}}";
