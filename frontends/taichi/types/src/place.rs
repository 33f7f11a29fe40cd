//! Places in a program's text, and what is said of them.

use std::fmt;

/// A place in a program: a file, a line, a column, and the line's text, under which a caret points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// How many characters are meant; at least one caret is drawn.
    pub width: u32,
    /// The text of the line; empty where it is not known.
    pub text: String,
}

impl Place {
    /// The place of a call in Rust, whose text is not known.
    #[track_caller]
    pub fn caller() -> Place {
        let at = std::panic::Location::caller();
        Place {
            file: at.file().to_owned(),
            line: at.line(),
            column: at.column(),
            width: 1,
            text: String::new(),
        }
    }
}

/// The file and line, and below them the text with its carets.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        if self.text.is_empty() {
            return Ok(());
        }
        // Tabs stay as they are, so that the caret stands below its character however wide they are shown.
        let before = self.text.chars().take(self.column.saturating_sub(1) as usize);
        let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        write!(f, "\n{}\n{indent}{}", self.text, "^".repeat(self.width.clamp(1, 1000) as usize))
    }
}

/// An error or a warning with its place.
///
/// ```
/// use ivy_taichi_types::{Place, Placed, PrimitiveType, TypeError};
/// let text = "y = sin(x)".to_owned();
/// let place = Place { file: "wave.py".to_owned(), line: 3, column: 5, width: 6, text };
/// let error = Placed { place, what: TypeError::RealOnly { op: "sin", operand: PrimitiveType::I32.into() } };
/// assert_eq!(
///     error.to_string(),
///     "wave.py:3:5\ny = sin(x)\n    ^^^^^^\n'sin' takes real inputs only, however 'i32' is provided"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Placed<E> {
    /// Where.
    pub place: Place,
    /// What.
    pub what: E,
}

impl<E: fmt::Display> fmt::Display for Placed<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.place, self.what)
    }
}

impl<E: std::error::Error + 'static> std::error::Error for Placed<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.what)
    }
}
