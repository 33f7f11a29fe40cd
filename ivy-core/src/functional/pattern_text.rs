//! Small languages in arguments: where in the text something is wrong.

use crate::{Error, ErrorKind};

/// An argument that is read character by character.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// The function that is called.
    pub function: &'static str,
    /// The argument's name.
    pub argument: &'static str,
    /// What the user wrote.
    pub text: &'a str,
}

impl Text<'_> {
    /// The error of what stands at a character, counted from 0; past the last one, of the end.
    pub fn wrong(&self, at: usize, rule: &'static str) -> Error {
        let place = match self.text.chars().nth(at) {
            Some(c) => format!("at character {at}, `{c}`"),
            None => "at its end".into(),
        };
        let value = format!("{:?} ({place})", self.text);
        ErrorKind::InvalidArgument { function: self.function, argument: self.argument, value, rule }.into()
    }
}
