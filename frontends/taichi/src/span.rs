//! Spans of a kernel's source, which errors point at.

use ivy_taichi_types::Place;

/// The source of the body of a kernel or function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The file.
    pub file: &'static str,
    /// The line on which the text begins, from 1 on.
    pub line: u32,
    /// The column at which it begins, from 1 on.
    pub column: u32,
    /// The text.
    pub text: &'static str,
}

impl Source {
    /// A line of the file; empty where the text has it not.
    fn line(&self, line: u32) -> String {
        let below = line.checked_sub(self.line).map(|n| n as usize);
        let Some(text) = below.and_then(|n| self.text.lines().nth(n)) else { return String::new() };
        let missing = if line == self.line { self.column.saturating_sub(1) as usize } else { 0 };
        format!("{:missing$}{text}", "")
    }
}

/// Some characters of a line of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The source that it is in.
    pub source: &'static Source,
    /// The line, from 1 on.
    pub line: u32,
    /// The column, from 1 on.
    pub column: u32,
    /// How many characters.
    pub width: u32,
}

impl Span {
    /// As errors have it.
    pub fn place(&self) -> Place {
        let text = self.source.line(self.line);
        let rest = (text.chars().count() as u32).saturating_sub(self.column.saturating_sub(1)).max(1);
        let (file, width) = (self.source.file.to_owned(), self.width.clamp(1, rest));
        Place { file, line: self.line, column: self.column, width, text }
    }
}
