//! Tests of the rows of the specification, by their numbers, and of answers that Taichi gave.

mod casts;
mod compound;
mod drawings;
mod layouts;
mod memory;
mod nodes;
mod rules;
mod spec;
mod trees;
mod types;
mod typing;
mod words;

/// The lines of a table, apart at its tabs.
pub fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}
