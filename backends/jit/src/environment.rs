//! Switches that the environment sets.

use crate::log::{Level, say};

/// What a variable says, `on` or `off`; without it, or where it says something else, as it is at first.
pub(crate) fn switch(variable: &str, first: bool) -> bool {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty());
    match value.as_ref().map(|value| value.to_string_lossy()).as_deref() {
        None => first,
        Some("on") => true,
        Some("off") => false,
        Some(value) => {
            say(Level::Warn, format_args!("{variable} = {value}: `on` or `off`"));
            first
        }
    }
}
