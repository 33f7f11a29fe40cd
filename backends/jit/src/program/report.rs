//! What the elements of a program had to say.

use super::format::{Piece, pieces, shown};
use crate::ir::{RECORD, Type};
use std::fmt;

/// What a record is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SiteKind {
    /// Something to print.
    Print,
    /// A condition that did not hold.
    Assertion,
    /// A number that is out of bounds.
    Index,
}

/// A statement of the user's that writes records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// What its records are for.
    pub kind: SiteKind,
    /// Where it stands in the user's source.
    pub place: String,
    /// What they say: each `{}` is the next value, and `{:.3f}` the next one by a conversion of C's; `{{` and `}}` are braces.
    pub text: String,
    /// The types of the values that it gives.
    pub values: Vec<Type>,
}

/// The first fault of a run: of the first task, in it of the first element, and of that the first statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of its site.
    pub site: usize,
    /// What it is.
    pub kind: SiteKind,
    /// Where the statement stands in the user's source.
    pub place: String,
    /// What it says.
    pub text: String,
    /// The number of the task.
    pub task: usize,
    /// The number of the element.
    pub element: i64,
}

impl Fault {
    /// What and where, of a program that is one task.
    pub fn in_element(&self) -> String {
        let what = match self.kind {
            SiteKind::Index => "index out of range",
            _ => "assertion failed",
        };
        format!("{}: {what}: {}, in element {}", self.place, self.text, self.element)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of task {}", self.in_element(), self.task)
    }
}

impl std::error::Error for Fault {}

/// What a run had to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What was printed: by task, by element, and in the order of each element's statements.
    pub printed: Vec<String>,
    /// The first fault, if there is one.
    pub fault: Option<Fault>,
    /// How many records there was no room for.
    pub lost: u64,
}

impl Report {
    /// Takes in what a task has written to its log.
    pub(super) fn read(&mut self, task: usize, log: &[u8], sites: &[Site]) {
        let (words, _) = log.as_chunks::<8>();
        let Some((wanted, records)) = words.split_first() else { return };
        let wanted = usize::try_from(i64::from_ne_bytes(*wanted)).unwrap_or(0);
        let (all, _) = records.as_chunks::<RECORD>();
        let kept = all[..wanted.min(all.len())].iter();
        let mut found: Vec<[i64; RECORD]> = kept.map(|words| words.map(i64::from_ne_bytes)).collect();
        self.lost += wanted.saturating_sub(all.len()) as u64;
        // Those of an element are in order already.
        found.sort_by_key(|record| record[1]);
        for record in found {
            let Ok(number) = usize::try_from(record[0]) else { continue };
            let Some(site) = sites.get(number) else {
                continue;
            };
            let text = site.said(&record[2..]);
            match site.kind {
                SiteKind::Print => self.printed.push(text),
                kind if self.fault.is_none() => {
                    let place = site.place.clone();
                    self.fault = Some(Fault { site: number, kind, place, text, task, element: record[1] });
                }
                _ => {}
            }
        }
    }
}

impl Site {
    /// Its text with values.
    fn said(&self, words: &[i64]) -> String {
        let mut values = self.values.iter().zip(words);
        let said = |piece: Piece| match piece {
            Piece::Text(text) => text,
            Piece::Place(spec) => {
                values.next().map_or_else(String::new, |(&ty, &word)| shown(ty, word, &spec))
            }
        };
        pieces(&self.text).into_iter().map(said).collect()
    }
}
