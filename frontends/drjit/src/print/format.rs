//! Format strings.

use super::{LIMIT, to_text};
use crate::array::AnyArray;
use crate::{Error, Result};

/// What a format string refers to.
#[derive(Clone, Debug)]
pub enum FormatArg {
    /// An array.
    Array(AnyArray),
    /// Text, or a host value as text.
    Text(String),
    /// A list, an entry a line.
    List(Vec<FormatArg>),
    /// Values by name, one a line.
    Map(Vec<(String, FormatArg)>),
}

impl From<AnyArray> for FormatArg {
    fn from(x: AnyArray) -> FormatArg {
        FormatArg::Array(x)
    }
}

impl From<&AnyArray> for FormatArg {
    fn from(x: &AnyArray) -> FormatArg {
        FormatArg::Array(x.clone())
    }
}

impl<M: crate::Mark> From<crate::Typed<M>> for FormatArg {
    fn from(x: crate::Typed<M>) -> FormatArg {
        FormatArg::Array(x.into_any())
    }
}

impl From<&str> for FormatArg {
    fn from(text: &str) -> FormatArg {
        FormatArg::Text(text.into())
    }
}

impl From<i64> for FormatArg {
    fn from(value: i64) -> FormatArg {
        FormatArg::Text(value.to_string())
    }
}

impl FormatArg {
    fn write(&self, indent: usize, limit: usize, out: &mut String) -> Result<()> {
        let inner = " ".repeat(indent + 2);
        match self {
            FormatArg::Array(x) => {
                // Rows of an array stand below each other.
                out.push_str(&to_text(x, limit)?.replace('\n', &format!("\n{}", " ".repeat(indent))));
            }
            FormatArg::Text(text) => out.push_str(text),
            FormatArg::List(list) => {
                out.push('[');
                for (i, value) in list.iter().enumerate() {
                    out.push_str(if i == 0 { "\n" } else { ",\n" });
                    out.push_str(&inner);
                    value.write(indent + 2, limit, out)?;
                }
                out.push_str(&format!("\n{}]", " ".repeat(indent)));
            }
            FormatArg::Map(entries) => {
                out.push('{');
                for (i, (name, value)) in entries.iter().enumerate() {
                    out.push_str(if i == 0 { "\n" } else { ",\n" });
                    out.push_str(&format!("{inner}'{name}': "));
                    value.write(indent + 2, limit, out)?;
                }
                out.push_str(&format!("\n{}}}", " ".repeat(indent)));
            }
        }
        Ok(())
    }
}

/// A text in which references in braces are replaced: `{}` by the next argument without a name, `{name}` by that of the name. `{{` and
/// `}}` are braces.
///
/// ```
/// use ivy_drjit::{format, llvm::{Array2f, Float}};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = Float::new([1, 2])?;
/// assert_eq!(format("x = {}, y = {y}", &[("", x.into()), ("y", "none".into())])?, "x = [1, 2], y = none");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// [`Error::MissingFormatArgument`], [`Error::UnmatchedBrace`]; what a pending evaluation gives.
pub fn format(text: &str, args: &[(&str, FormatArg)]) -> Result<String> {
    format_with_limit(text, args, Some(LIMIT))
}

/// [`format()`], with another number of entries of a dimension that are written in full; all if none is given.
///
/// # Errors
/// As [`format()`].
pub fn format_with_limit(text: &str, args: &[(&str, FormatArg)], limit: Option<usize>) -> Result<String> {
    let limit = limit.unwrap_or(usize::MAX);
    let mut positional = args.iter().filter(|(name, _)| name.is_empty());
    let mut used = 0;
    let mut out = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((position, c)) = chars.next() {
        match c {
            '{' | '}' if chars.peek().is_some_and(|&(_, next)| next == c) => {
                chars.next();
                out.push(c);
            }
            '{' => {
                let rest = &text[position + 1..];
                let end = rest.find('}').ok_or(Error::UnmatchedBrace { position })?;
                let name = &rest[..end];
                while chars.next_if(|&(at, _)| at <= position + 1 + end).is_some() {}
                let found = match name {
                    "" => {
                        used += 1;
                        positional.next()
                    }
                    name => args.iter().find(|(own, _)| *own == name),
                };
                let missing = || match name {
                    "" => ("positional", (used - 1).to_string()),
                    name => ("keyword", name.to_owned()),
                };
                let (_, value) = found.ok_or_else(|| {
                    let (what, name) = missing();
                    Error::MissingFormatArgument { what, name, position }
                })?;
                value.write(0, limit, &mut out)?;
            }
            '}' => return Err(Error::UnmatchedBrace { position }),
            c => out.push(c),
        }
    }
    Ok(out)
}
