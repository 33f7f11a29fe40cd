//! Prints and assertions.

use super::scope::Scope;
use super::value::Value;
use crate::error::{Misuse, Result};
use crate::ir::{Code, Data, Id};
use ivy_backend_jit::ir::VALUES;
use ivy_backend_jit::program::{Piece, escaped, pieces};

impl Scope {
    /// `print!`: a text in which each `{}` is the next value, and `{:.3f}` the next one by a conversion of C's; then `end`.
    ///
    /// # Errors
    /// [`Misuse::Arity`] for another number of values than the text has places for.
    pub fn print(&mut self, text: &str, end: &str, values: &[Value]) -> Result<()> {
        let (said, numbers) = self.said(text, values)?;
        // A record has so many values, and those of an element are said one after the other.
        let mut numbers = numbers.into_iter();
        let (mut part, mut own) = (String::new(), Vec::new());
        for piece in pieces(&said) {
            if let Piece::Place(spec) = piece {
                if own.len() == VALUES {
                    self.b.push(
                        Code::Print,
                        None,
                        std::mem::take(&mut own),
                        Data::Text(std::mem::take(&mut part)),
                    );
                }
                own.extend(numbers.next());
                part += &place(&spec);
            } else if let Piece::Text(text) = piece {
                part += &escaped(&text);
            }
        }
        part += &escaped(end);
        self.b.push(Code::Print, None, own, Data::Text(part));
        Ok(())
    }

    /// `assert!`: says a text where a condition does not hold, in debug mode.
    ///
    /// # Errors
    /// As [`print`](Scope::print).
    pub fn assert(&mut self, condition: &Value, text: &str, values: &[Value]) -> Result<()> {
        if !self.debug {
            return Ok(());
        }
        let condition = self.number(condition)?;
        let (text, numbers) = self.said(text, values)?;
        let operands = std::iter::once(condition).chain(numbers).collect();
        self.b.push(Code::Assert, None, operands, Data::Text(text));
        Ok(())
    }

    /// A text with a place for each number: those of vectors and matrices in brackets.
    fn said(&mut self, text: &str, values: &[Value]) -> Result<(String, Vec<Id>)> {
        let pieces = pieces(text);
        let places = pieces.iter().filter(|piece| matches!(piece, Piece::Place(_))).count();
        if places != values.len() {
            let name = "print!".to_owned();
            return Err(self.wrong(Misuse::Arity { name, takes: places, given: values.len() }));
        }
        let (mut said, mut numbers) = (String::new(), Vec::new());
        let mut values = values.iter();
        for piece in pieces {
            let spec = match piece {
                Piece::Text(text) => {
                    said += &escaped(&text);
                    continue;
                }
                Piece::Place(spec) => spec,
            };
            match values.next() {
                Some(Value::Tensor(tensor)) => {
                    let row = |n: usize| vec![place(&spec); n].join(", ");
                    let rows: Vec<String> = match tensor.form {
                        (n, None) => vec![row(n)],
                        (n, Some(m)) => vec![format!("[{}]", row(m)); n],
                    };
                    said += &format!("[{}]", rows.join(", "));
                    for entry in &tensor.entries {
                        numbers.push(self.number(entry)?);
                    }
                }
                Some(other) => {
                    said += &place(&spec);
                    numbers.push(self.number(other)?);
                }
                None => {}
            }
        }
        Ok((said, numbers))
    }
}

/// The place of a value in a text.
fn place(spec: &str) -> String {
    if spec.is_empty() { "{}".to_owned() } else { format!("{{:{spec}}}") }
}
