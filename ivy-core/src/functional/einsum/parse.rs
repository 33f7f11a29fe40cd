//! The text of an equation.

use crate::Result;
use crate::functional::pattern_text::Text;

/// One axis of an operand or of the result, or all that `...` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// An axis, by its letter.
    Index(char),
    /// All that `...` stands for.
    Rest,
}

/// A term and the character where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The term.
    pub term: Term,
    /// The character.
    pub at: usize,
}

/// The subscripts of each operand, and those of the result where the text has an arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The subscripts of each operand.
    pub operands: Vec<Vec<Placed>>,
    /// Those of the result.
    pub output: Option<Vec<Placed>>,
}

/// Reads `subscripts[,subscripts...][->subscripts]`, in which spaces mean nothing.
pub fn parse(text: Text<'_>) -> Result<Equation> {
    let characters: Vec<(usize, char)> =
        text.text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).collect();
    let mut operands = vec![Vec::new()];
    let mut output: Option<Vec<Placed>> = None;
    let mut left = &characters[..];
    while let Some((&(at, c), after)) = left.split_first() {
        let follows = |word: &str| after.iter().map(|p| p.1).take(word.len()).eq(word.chars());
        let current = output.as_mut().unwrap_or_else(|| operands.last_mut().expect("there is one"));
        let mut taken = 1;
        match c {
            'a'..='z' | 'A'..='Z' => current.push(Placed { term: Term::Index(c), at }),
            '.' if !follows("..") => return Err(text.wrong(at, "dots come in threes, as `...`")),
            '.' if current.iter().any(|p| p.term == Term::Rest) => {
                return Err(text.wrong(at, "one `...` is all that an operand or the result has"));
            }
            '.' => {
                current.push(Placed { term: Term::Rest, at });
                taken = 3;
            }
            ',' if output.is_some() => {
                return Err(text.wrong(at, "there is one result, so no comma after `->`"));
            }
            ',' => operands.push(Vec::new()),
            '-' if !follows(">") => return Err(text.wrong(at, "`-` begins the arrow `->`")),
            '-' if output.is_some() => return Err(text.wrong(at, "there is one arrow at most")),
            '-' => {
                output = Some(Vec::new());
                taken = 2;
            }
            _ => return Err(text.wrong(at, "letters, `...`, commas and one `->` are what an equation has")),
        }
        left = &left[taken..];
    }
    Ok(Equation { operands, output })
}
