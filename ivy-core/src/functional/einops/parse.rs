//! The text of a pattern.

use crate::Result;
use crate::functional::pattern_text::Text;

/// An elementary axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Named(String),
    /// One that is written as its length, which is not 1.
    Length(usize),
    /// All that `...` stands for.
    Rest,
}

/// An elementary axis and the character where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) axis: Axis,
    pub(super) at: usize,
}

/// An axis of an array: elementary ones in row-major order. None make an axis of length 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) axes: Vec<Placed>,
    /// The character where it begins.
    pub(super) at: usize,
    /// Whether it stands in parentheses.
    pub(super) composed: bool,
}

impl Group {
    /// Whether it is `...` by itself, which stands for any number of axes.
    pub(super) fn is_rest(&self) -> bool {
        !self.composed && self.axes.iter().any(|p| p.axis == Axis::Rest)
    }
}

/// The axes of an array, as one side of a pattern has them.
pub(super) type Side = Vec<Group>;

/// The elementary axes of a side, in order.
pub(super) fn elementary(side: &[Group]) -> impl Iterator<Item = &Placed> {
    side.iter().flat_map(|group| &group.axes)
}

/// The axes of the operand, and those of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) left: Side,
    pub(super) right: Side,
}

/// Reads `axes -> axes`, where axes are names, `1`, other lengths, `...`, and such in parentheses.
pub(super) fn parse(text: Text<'_>) -> Result<Pattern> {
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
pub(super) fn is_name(word: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Pattern> {
        parse(Text { function: "einops_rearrange", argument: "pattern", text })
    }

    #[test]
    fn axes_know_their_places() {
        let pattern = read("b (h1 w) ... 1 -> () b(w 3)").unwrap();
        let named = |name: &str, at| Placed { axis: Axis::Named(name.into()), at };
        let group = |axes: &[Placed], at, composed| Group { axes: axes.to_vec(), at, composed };
        let left = [
            group(&[named("b", 0)], 0, false),
            group(&[named("h1", 3), named("w", 6)], 2, true),
            group(&[Placed { axis: Axis::Rest, at: 9 }], 9, false),
            group(&[], 13, true),
        ];
        assert_eq!(pattern.left, left);
        let right = [
            group(&[], 18, true),
            group(&[named("b", 21)], 21, false),
            group(&[named("w", 23), Placed { axis: Axis::Length(3), at: 25 }], 22, true),
        ];
        assert_eq!(pattern.right, right);
        assert_eq!(read("->").unwrap(), Pattern { left: vec![], right: vec![] });
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, place) in [
            ("a b", "at its end"),
            ("a -> a -> a", "at character 7, `-`"),
            ("a - b", "at character 2, `-`"),
            ("(a -> b", "at character 3, `-`"),
            ("a -> (b", "at character 5, `(`"),
            ("a) -> b", "at character 1, `)`"),
            ("((a) b) -> a", "at character 1, `(`"),
            ("a .. -> a", "at character 2, `.`"),
            ("... a ... -> a", "at character 6, `.`"),
            ("a b a -> b", "at character 4, `a`"),
            ("_a -> _a", "at character 0, `_`"),
            ("a_ -> a_", "at character 0, `a`"),
            ("_ -> _", "at character 0, `_`"),
            ("2a -> a", "at character 0, `2`"),
            ("a 0 -> a", "at character 2, `0`"),
            ("a 99999999999999999999999 -> a", "at character 2, `9`"),
            ("a, b -> a", "at character 1, `,`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(place), "{text}: {error}");
        }
    }
}
