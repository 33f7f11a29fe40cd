//! Which primitive types a target has.

use super::PrimitiveType;
use crate::TypeError;
use std::fmt;

/// The table: targets by row, types by column.
const TABLE: &str = include_str!("targets.tsv");

/// Whether a target has a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// It has.
    Yes,
    /// Where the device has an extension for it.
    Extension,
    /// It has not.
    No,
}

/// The marks of Taichi's documents.
impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Support::Yes => "✅",
            Support::Extension => "⭕",
            Support::No => "❌",
        })
    }
}

/// A target: one of Taichi's (`cpu`, `cuda`, `opengl`, `metal`, `vulkan`) or of the engine's (`interp`, `llvm`, `ptx`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target(&'static str);

impl Target {
    /// Every target, in the order of the table.
    pub fn all() -> impl Iterator<Item = Target> {
        rows().skip(1).filter_map(|mut cells| cells.next()).map(Target)
    }

    /// The target of a name.
    ///
    /// # Errors
    /// [`TypeError::UnknownTarget`].
    pub fn of(name: &str) -> Result<Target, TypeError> {
        let found = Target::all().find(|target| target.0 == name);
        found.ok_or_else(|| TypeError::UnknownTarget { name: name.to_owned() })
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Whether the target has a type.
    ///
    /// ```
    /// use ivy_taichi_types::{PrimitiveType, Support, Target};
    /// assert_eq!(Target::of("opengl")?.support(PrimitiveType::I64), Support::Extension);
    /// # Ok::<(), ivy_taichi_types::TypeError>(())
    /// ```
    pub fn support(self, ty: PrimitiveType) -> Support {
        let column = rows().next().and_then(|mut head| head.position(|cell| cell == ty.name()));
        let row = rows().find(|cells| cells.clone().next() == Some(self.0));
        let cell = row.zip(column).and_then(|(mut cells, column)| cells.nth(column));
        match cell {
            Some("yes") => Support::Yes,
            Some("extension") => Support::Extension,
            _ => Support::No,
        }
    }
}

fn rows() -> impl Iterator<Item = std::str::Split<'static, char>> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'))
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}
