//! Small languages in arguments: where in the text something is wrong.

use crate::{Error, ErrorKind};

/// An argument that is read character by character.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) function: &'static str,
    pub(super) argument: &'static str,
    pub(super) text: &'a str,
}

impl Text<'_> {
    /// The error of what stands at a character, counted from 0; past the last one, of the end.
    pub(super) fn wrong(&self, at: usize, rule: &'static str) -> Error {
        let place = match self.text.chars().nth(at) {
            Some(c) => format!("at character {at}, `{c}`"),
            None => "at its end".into(),
        };
        let value = format!("{:?} ({place})", self.text);
        ErrorKind::InvalidArgument { function: self.function, argument: self.argument, value, rule }.into()
    }
}
