//! The text of a pattern.

use crate::Result;
use crate::functional::pattern_text::Text;

/// An elementary axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    /// One with a name.
    Named(String),
    /// One that is written as its length, which is not 1.
    Length(usize),
    /// All that `...` stands for.
    Rest,
}

/// An elementary axis and the character where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The axis.
    pub axis: Axis,
    /// The character.
    pub at: usize,
}

/// An axis of an array: elementary ones in row-major order. None make an axis of length 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The elementary axes.
    pub axes: Vec<Placed>,
    /// The character where it begins.
    pub at: usize,
    /// Whether it stands in parentheses.
    pub composed: bool,
}

impl Group {
    /// Whether it is `...` by itself, which stands for any number of axes.
    pub fn is_rest(&self) -> bool {
        !self.composed && self.axes.iter().any(|p| p.axis == Axis::Rest)
    }
}

/// The axes of an array, as one side of a pattern has them.
pub type Side = Vec<Group>;

/// The elementary axes of a side, in order.
pub fn elementary(side: &[Group]) -> impl Iterator<Item = &Placed> {
    side.iter().flat_map(|group| &group.axes)
}

/// The axes of the operand, and those of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Those of the operand.
    pub left: Side,
    /// Those of the result.
    pub right: Side,
}

/// Reads `axes -> axes`, where axes are names, `1`, other lengths, `...`, and such in parentheses.
pub fn parse(text: Text<'_>) -> Result<Pattern> {
    let characters: Vec<char> = text.text.chars().collect();
    let (mut sides, mut current, mut open) = (Vec::new(), Side::new(), None);
    let mut at = 0;
    while let Some(&c) = characters.get(at) {
        let start = at;
        let follows = |word: &str| characters[start..].iter().take(word.len()).copied().eq(word.chars());
        at += 1;
        match c {
            _ if c.is_whitespace() => {}
            '(' if open.is_some() => return Err(text.wrong(start, "parentheses are not put in parentheses")),
            '(' => {
                current.push(Group { axes: Vec::new(), at: start, composed: true });
                open = Some(start);
            }
            ')' if open.take().is_none() => return Err(text.wrong(start, "no parenthesis is open here")),
            ')' => {}
            '-' if !follows("->") => return Err(text.wrong(start, "`-` begins the arrow `->`")),
            '-' if open.is_some() => return Err(text.wrong(start, "a parenthesis is open here")),
            '-' if !sides.is_empty() => return Err(text.wrong(start, "there is one arrow")),
            '-' => {
                at = start + 2;
                sides.push(std::mem::take(&mut current));
            }
            '.' if !follows("...") => return Err(text.wrong(start, "dots come in threes, as `...`")),
            '.' => {
                at = start + 3;
                push(text, &mut current, Placed { axis: Axis::Rest, at: start }, open.is_some())?;
            }
            _ if c.is_alphanumeric() || c == '_' => {
                let word: String =
                    characters[start..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
                at = start + word.chars().count();
                match axis(text, &word, start)? {
                    Some(axis) => push(text, &mut current, Placed { axis, at: start }, open.is_some())?,
                    // Of length 1: in a group it changes nothing, by itself it is an empty group.
                    None if open.is_some() => {}
                    None => current.push(Group { axes: Vec::new(), at: start, composed: true }),
                }
            }
            _ => {
                let rule = "names, lengths, `...`, parentheses, spaces and one `->` are what a pattern has";
                return Err(text.wrong(start, rule));
            }
        }
    }
    if let Some(open) = open {
        return Err(text.wrong(open, "this parenthesis is not closed"));
    }
    match sides.pop() {
        Some(left) => Ok(Pattern { left, right: current }),
        None => Err(text.wrong(characters.len(), "the arrow `->` is missing")),
    }
}

/// Whether a word may name an axis: a letter, then letters, digits and underscores, of which the last is none.
pub fn is_name(word: &str) -> bool {
    let first = word.chars().next();
    first.is_some_and(char::is_alphabetic)
        && !word.ends_with('_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The axis that a word stands for; none for a length of 1.
fn axis(text: Text<'_>, word: &str, at: usize) -> Result<Option<Axis>> {
    if is_name(word) {
        return Ok(Some(Axis::Named(word.into())));
    }
    let length: usize = match word.bytes().all(|b| b.is_ascii_digit()) {
        true => word.parse().map_err(|_| text.wrong(at, "no axis is so long"))?,
        false => {
            let rule = "a name begins with a letter, and neither begins nor ends with an underscore";
            return Err(text.wrong(at, rule));
        }
    };
    match length {
        0 => Err(text.wrong(at, "a length in a pattern is positive")),
        1 => Ok(None),
        n => Ok(Some(Axis::Length(n))),
    }
}

/// Puts an axis into the open group, or makes one of it.
fn push(text: Text<'_>, side: &mut Side, placed: Placed, open: bool) -> Result<()> {
    let length = matches!(placed.axis, Axis::Length(_));
    if !length && elementary(side).any(|p| p.axis == placed.axis) {
        let rule = match placed.axis {
            Axis::Rest => "one `...` is all that a side of the pattern has",
            _ => "an axis stands on a side of the pattern once",
        };
        return Err(text.wrong(placed.at, rule));
    }
    match side.last_mut().filter(|_| open) {
        Some(group) => group.axes.push(placed),
        None => side.push(Group { at: placed.at, axes: vec![placed], composed: false }),
    }
    Ok(())
}
