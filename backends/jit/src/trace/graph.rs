//! A trace as text: Graphviz, and the list of what lives.

use super::{Kind, NodeId, Trace};
use std::fmt::Write;

impl Trace {
    /// What the given nodes are made of, as a Graphviz digraph.
    pub(crate) fn graphviz(&self, roots: &[NodeId]) -> String {
        let mut out = String::from("digraph trace {\n  rankdir=BT;\n  node [shape=record];\n");
        let mut seen = std::collections::BTreeSet::new();
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                stack.extend(self.node(id).operands());
            }
        }
        for id in seen {
            let node = self.node(id);
            let style = if node.kind == Kind::Data { ", style=filled" } else { "" };
            let (mut name, dtype, shape) = (node.kind.name().to_string(), node.dtype, &node.shape);
            if let Some(at) = node.scalar() {
                let words = node.literal[0];
                name = if at == 0 { format!("{words:#x} {name}") } else { format!("{name} {words:#x}") };
            }
            let label = self.label(id).map_or_else(String::new, |label| format!("|{}", escaped(label)));
            let _ = writeln!(out, "  r{id} [label=\"{{{name}|{dtype} {shape}|r{id}{label}}}\"{style}];");
            for operand in node.operands() {
                let _ = writeln!(out, "  r{operand} -> r{id};");
            }
        }
        out.push_str("}\n");
        out
    }
}

/// A text as a part of a record's label, in which some characters have a meaning.
fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '"' | '\\' | '{' | '}' | '|' | '<' | '>' => format!("\\{c}"),
        c if c.is_control() => " ".into(),
        c => c.into(),
    };
    text.chars().map(one).collect()
}
