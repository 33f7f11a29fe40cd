//! How long the axes of a pattern are, and what is to be done with an array of a shape.

use super::lengths::AxesLengths;
use super::parse::{Axis, Group, Pattern, Placed, elementary};
use crate::functional::pattern_text::Text;
use crate::{Error, ErrorKind, Result, Shape};

/// Which axes may stand on one side only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Rearrange,
    /// Those of the operand are reduced.
    Reduce,
    /// Those of the result are new.
    Repeat,
}

/// What is to be done, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The lengths of the operand's elementary axes.
    pub(super) elementary: Vec<usize>,
    /// The elementary axes that are reduced.
    pub(super) reduced: Vec<usize>,
    /// The order of those that are left.
    pub(super) order: Vec<usize>,
    /// The shape of those with an axis of length 1 in the place of each new one.
    pub(super) spread: Vec<usize>,
    /// The shape with new axes in their lengths.
    pub(super) repeated: Vec<usize>,
    /// The shape of the result.
    pub(super) result: Vec<usize>,
}

/// An elementary axis of the operand, one for each that `...` stands for.
struct Known {
    axis: Axis,
    /// Where among the axes of `...` it is.
    rest: usize,
    len: usize,
}

impl Plan {
    pub(super) fn new(
        text: Text<'_>,
        task: Task,
        pattern: &Pattern,
        lengths: &AxesLengths,
        shape: &Shape,
    ) -> Result<Plan> {
        check_sides(text, task, pattern, lengths)?;
        check_lengths(text, pattern, lengths)?;
        let known = operand_axes(text, pattern, lengths, shape)?;
        let rest = known.iter().filter(|k| k.axis == Axis::Rest).count();
        let (mut order, mut spread, mut repeated, mut result) = (vec![], vec![], vec![], vec![]);
        for group in &pattern.right {
            let first = repeated.len();
            for placed in &group.axes {
                let count = if placed.axis == Axis::Rest { rest } else { 1 };
                for k in 0..count {
                    let own = |x: &Known| x.axis == placed.axis && x.rest == k;
                    // Lengths are axes of their own, each of them new.
                    let found = match placed.axis {
                        Axis::Length(_) => None,
                        _ => known.iter().position(own),
                    };
                    let (one, len) = match found {
                        Some(axis) => {
                            order.push(axis);
                            (known[axis].len, known[axis].len)
                        }
                        None => (1, given(&placed.axis, lengths).unwrap_or(1)),
                    };
                    spread.push(one);
                    repeated.push(len);
                }
            }
            match group.is_rest() {
                true => result.extend_from_slice(&repeated[first..]),
                // A result without elements has a shape all the same.
                false => result.push(
                    repeated[first..]
                        .iter()
                        .try_fold(1usize, |n, &len| n.checked_mul(len))
                        .unwrap_or_else(|| if repeated.contains(&0) { 0 } else { usize::MAX }),
                ),
            }
        }
        let elementary = known.iter().map(|k| k.len).collect();
        let reduced = (0..known.len()).filter(|axis| !order.contains(axis)).collect();
        Ok(Plan { elementary, reduced, order, spread, repeated, result })
    }
}

/// The length that a pattern or its lengths say of an axis.
fn given(axis: &Axis, lengths: &AxesLengths) -> Option<usize> {
    match axis {
        Axis::Named(name) => lengths.get(name),
        Axis::Length(n) => Some(*n),
        Axis::Rest => None,
    }
}

fn on(side: &[Group], placed: &Placed) -> bool {
    !matches!(placed.axis, Axis::Length(_)) && elementary(side).any(|p| p.axis == placed.axis)
}

/// Refuses axes on one side that the task does not allow there.
fn check_sides(text: Text<'_>, task: Task, pattern: &Pattern, lengths: &AxesLengths) -> Result<()> {
    let wrong = |placed: &Placed, rule| Err(text.wrong(placed.at, rule));
    for group in pattern.left.iter().filter(|group| group.composed) {
        if let Some(rest) = group.axes.iter().find(|p| p.axis == Axis::Rest) {
            return wrong(rest, "before the arrow `...` stands outside of parentheses");
        }
    }
    for placed in elementary(&pattern.left).filter(|p| !on(&pattern.right, p)) {
        match task {
            Task::Reduce => {}
            Task::Rearrange => return wrong(placed, "the axis stands on both sides, unless its length is 1"),
            Task::Repeat => return wrong(placed, "the axis stands in the result as well"),
        }
    }
    for placed in elementary(&pattern.right).filter(|p| !on(&pattern.left, p)) {
        match (task, &placed.axis) {
            (_, Axis::Rest) => return wrong(placed, "`...` stands before the arrow as well"),
            (Task::Rearrange, _) => {
                return wrong(placed, "the axis stands on both sides, unless its length is 1");
            }
            (Task::Reduce, _) => return wrong(placed, "the operand has no such axis"),
            (Task::Repeat, axis) if given(axis, lengths).is_none() => {
                return wrong(placed, "the length of a new axis is given");
            }
            (Task::Repeat, _) => {}
        }
    }
    Ok(())
}

/// Refuses lengths of axes that are none of the pattern's, and two for one.
fn check_lengths(text: Text<'_>, pattern: &Pattern, lengths: &AxesLengths) -> Result<()> {
    for (i, (name, _)) in lengths.pairs().iter().enumerate() {
        let named = |placed: &Placed| matches!(&placed.axis, Axis::Named(own) if own == name);
        let known = elementary(&pattern.left).chain(elementary(&pattern.right)).any(named);
        let rule = match known {
            false => "the pattern has an axis of this name",
            true if lengths.pairs()[..i].iter().any(|pair| pair.0 == *name) => "an axis has one length",
            true => continue,
        };
        let (function, argument, value) = (text.function, "axes_lengths", format!("{name:?}"));
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    Ok(())
}

/// The elementary axes of the operand, with their lengths.
fn operand_axes(
    text: Text<'_>,
    pattern: &Pattern,
    lengths: &AxesLengths,
    shape: &Shape,
) -> Result<Vec<Known>> {
    let left = &pattern.left;
    let has_rest = left.iter().any(Group::is_rest);
    let groups = left.len() - usize::from(has_rest);
    if shape.len() < groups || shape.len() > groups && !has_rest {
        // The first axis that the operand lacks, or where more of them would stand.
        let at = left.iter().filter(|group| !group.is_rest()).nth(shape.len()).map(|group| group.at);
        let arrow = || text.text.find("->").map_or(0, |byte| text.text[..byte].chars().count());
        let rule = "the operand has as many axes as stand before the arrow; `...` stands for any others";
        return Err(text.wrong(at.unwrap_or_else(arrow), rule));
    }
    let mut lens = shape.iter().copied();
    let mut known = Vec::new();
    for group in left {
        if group.is_rest() {
            let own = lens.by_ref().take(shape.len() - groups).enumerate();
            known.extend(own.map(|(rest, len)| Known { axis: Axis::Rest, rest, len }));
        } else if let Some(len) = lens.next() {
            let parts = parts(text, group, lengths, len, shape)?;
            let axes = group.axes.iter().zip(parts);
            known.extend(axes.map(|(placed, len)| Known { axis: placed.axis.clone(), rest: 0, len }));
        }
    }
    Ok(known)
}

/// The lengths of the axes that one of the operand is made of. One of them may be unknown.
fn parts(
    text: Text<'_>,
    group: &Group,
    lengths: &AxesLengths,
    len: usize,
    shape: &Shape,
) -> Result<Vec<usize>> {
    let mismatch = |expected: String| -> Error {
        let expected = format!("{expected} for the axis at character {} of the pattern", group.at);
        ErrorKind::ShapeMismatch { function: text.function, argument: "x", expected, actual: shape.clone() }
            .into()
    };
    let said: Vec<Option<usize>> = group.axes.iter().map(|p| given(&p.axis, lengths)).collect();
    let mut unknown = group.axes.iter().zip(&said).filter(|(_, said)| said.is_none());
    let (first, second) = (unknown.next(), unknown.next());
    if let Some((second, _)) = second {
        return Err(text.wrong(second.at, "all lengths but one in parentheses are given"));
    }
    let product = said.iter().flatten().try_fold(1usize, |n, &part| n.checked_mul(part));
    let left = match (first, product) {
        (None, Some(product)) if product == len => 1,
        (Some(_), Some(product)) if product > 0 && len.is_multiple_of(product) => len / product,
        (None, product) => {
            let wanted = product.map_or_else(|| "more than there can be".into(), |n| n.to_string());
            return Err(mismatch(format!("length {wanted}")));
        }
        (Some((placed, _)), Some(0)) => {
            return Err(text.wrong(placed.at, "beside a length of 0 all are given"));
        }
        (Some(_), product) => {
            let wanted = product.map_or_else(|| "more than there can be".into(), |n| n.to_string());
            return Err(mismatch(format!("a multiple of {wanted}")));
        }
    };
    Ok(said.into_iter().map(|part| part.unwrap_or(left)).collect())
}
