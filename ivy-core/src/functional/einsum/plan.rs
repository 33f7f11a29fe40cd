//! Which indices the axes have, how long those are, and in which order operands are contracted.

use super::parse::{Equation, Placed, Term};
use crate::functional::pattern_text::Text;
use crate::{ErrorKind, Result, Shape};

/// An index: one of the axes that `...` stands for, counted from the first, or a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Index {
    Rest(usize),
    Letter(char),
}

/// What is to be done.
pub(super) struct Plan {
    /// Each index and its length.
    lengths: Vec<(Index, usize)>,
    /// The index of each axis of each operand.
    pub(super) operands: Vec<Vec<Index>>,
    /// The index of each axis of the result.
    pub(super) output: Vec<Index>,
    /// Which two of the arrays that are left are contracted next; the result comes after the others.
    pub(super) pairs: Vec<(usize, usize)>,
}

/// Refuses an index that one operand has twice with different lengths: a diagonal does not broadcast.
fn one_length(text: Text<'_>, axes: &[Index], shape: &Shape, places: &[usize]) -> Result<()> {
    for (i, (index, &len)) in axes.iter().zip(shape.iter()).enumerate() {
        let before = axes[..i].iter().position(|known| known == index);
        if let Some(known) = before.map(|at| shape[at]).filter(|&known| known != len) {
            let expected = format!(
                "length {known} for the index at character {} of the equation, which it has twice",
                places[i]
            );
            let (function, argument, actual) = (text.function, "one of the operands", shape.clone());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
    }
    Ok(())
}

impl Plan {
    /// The length of an index.
    pub(super) fn len(&self, index: Index) -> usize {
        self.lengths.iter().find(|l| l.0 == index).map_or(1, |l| l.1)
    }

    pub(super) fn new(text: Text<'_>, equation: &Equation, shapes: &[&Shape]) -> Result<Plan> {
        check_count(text, equation, shapes.len())?;
        let rest = rest_axes(text, equation, shapes)?;
        let mut lengths: Vec<(Index, usize)> = Vec::new();
        let mut operands = Vec::new();
        for ((terms, shape), own) in equation.operands.iter().zip(shapes).zip(&rest.each) {
            let (axes, places) = expanded(terms, rest.most - own..rest.most);
            one_length(text, &axes, shape, &places)?;
            for ((&index, &len), at) in axes.iter().zip(shape.iter()).zip(places) {
                match lengths.iter_mut().find(|l| l.0 == index) {
                    None => lengths.push((index, len)),
                    Some(known) if known.1 == 1 => known.1 = len,
                    Some(known) if len == 1 || known.1 == len => {}
                    Some(known) => {
                        let expected = format!(
                            "length {} or 1 for the index at character {at} of the equation",
                            known.1
                        );
                        let (function, argument) = (text.function, "one of the operands");
                        let actual = (*shape).clone();
                        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
                    }
                }
            }
            operands.push(axes);
        }
        let output = match &equation.output {
            Some(terms) => explicit(text, terms, &lengths, rest.most)?,
            None => implicit(&operands),
        };
        let mut plan = Plan { lengths, operands, output, pairs: Vec::new() };
        plan.pairs = plan.order();
        Ok(plan)
    }

    /// Whether no more than one step of it rounds: a product or the sum of one operand.
    pub(super) fn is_one_step(&self) -> bool {
        let sums = (0..self.operands.len()).filter(|&i| {
            let elsewhere = |index: &Index| {
                self.operands.iter().enumerate().any(|(k, axes)| k != i && axes.contains(index))
            };
            self.operands[i].iter().any(|index| !self.output.contains(index) && !elsewhere(index))
        });
        self.pairs.len() + sums.count() <= 1
    }

    /// Greedy: of the pairs that share an index, if any do, the one whose result takes the least memory in
    /// comparison with what it replaces.
    fn order(&self) -> Vec<(usize, usize)> {
        let mut left: Vec<Vec<Index>> = self.operands.clone();
        let size = |axes: &[Index]| {
            axes.iter().fold(1i128, |n, &i| n.saturating_mul(self.len(i).try_into().unwrap_or(i128::MAX)))
        };
        let mut pairs = Vec::new();
        while left.len() > 1 {
            let candidates = (0..left.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
            let cost = |&(i, j): &(usize, usize)| {
                let shared = left[i].iter().any(|index| left[j].contains(index));
                let result = size(&self.kept(&left, i, j));
                (!shared, result.saturating_sub(size(&left[i])).saturating_sub(size(&left[j])))
            };
            let (i, j) = candidates.min_by_key(cost).expect("there are two");
            let result = self.kept(&left, i, j);
            left.remove(j);
            left.remove(i);
            left.push(result);
            pairs.push((i, j));
        }
        pairs
    }

    /// The indices of two arrays that the result or another array needs.
    fn kept(&self, left: &[Vec<Index>], i: usize, j: usize) -> Vec<Index> {
        let others = || left.iter().enumerate().filter(|&(k, _)| k != i && k != j).map(|(_, axes)| axes);
        let mut kept: Vec<Index> = Vec::new();
        for &index in left[i].iter().chain(&left[j]) {
            let needed = self.output.contains(&index) || others().any(|axes| axes.contains(&index));
            if needed && !kept.contains(&index) {
                kept.push(index);
            }
        }
        kept
    }
}

fn check_count(text: Text<'_>, equation: &Equation, given: usize) -> Result<()> {
    if equation.operands.len() == given {
        return Ok(());
    }
    let value = format!("{:?} of {} operands, with {given}", text.text, equation.operands.len());
    let rule = "the operands are as many as the equation has subscripts between commas";
    Err(ErrorKind::InvalidArgument { function: text.function, argument: text.argument, value, rule }.into())
}

/// How many axes `...` stands for, in each operand and at most.
struct RestAxes {
    each: Vec<usize>,
    most: usize,
}

fn rest_axes(text: Text<'_>, equation: &Equation, shapes: &[&Shape]) -> Result<RestAxes> {
    let count = |(terms, shape): (&Vec<Placed>, &&Shape)| {
        let letters = terms.iter().filter(|p| p.term != Term::Rest).count();
        let has_rest = letters < terms.len();
        if shape.len() < letters || shape.len() > letters && !has_rest {
            // The first letter without an axis, or where more of them would stand.
            let last = terms.last().map_or(0, |p| p.at + 1);
            let at = terms.get(shape.len()).map_or(last, |p| p.at);
            let rule = "an operand has as many axes as its subscripts; `...` stands for any others";
            return Err(text.wrong(at, rule));
        }
        Ok(shape.len() - letters)
    };
    let each: Vec<usize> = equation.operands.iter().zip(shapes).map(count).collect::<Result<_>>()?;
    let most = each.iter().copied().max().unwrap_or(0);
    Ok(RestAxes { each, most })
}

/// The index of each axis, and where in the text it stands.
fn expanded(terms: &[Placed], rest: std::ops::Range<usize>) -> (Vec<Index>, Vec<usize>) {
    let mut all = Vec::new();
    for placed in terms {
        match placed.term {
            Term::Index(c) => all.push((Index::Letter(c), placed.at)),
            Term::Rest => all.extend(rest.clone().map(|k| (Index::Rest(k), placed.at))),
        }
    }
    all.into_iter().unzip()
}

fn explicit(text: Text<'_>, terms: &[Placed], lengths: &[(Index, usize)], rest: usize) -> Result<Vec<Index>> {
    if rest > 0 && terms.iter().all(|p| p.term != Term::Rest) {
        let end = text.text.chars().count();
        return Err(
            text.wrong(end, "the result needs `...` as well, for the axes that it stands for in operands")
        );
    }
    for (i, placed) in terms.iter().enumerate() {
        let Term::Index(c) = placed.term else { continue };
        if terms[..i].iter().any(|p| p.term == placed.term) {
            return Err(text.wrong(placed.at, "an index stands in the result once"));
        }
        if lengths.iter().all(|l| l.0 != Index::Letter(c)) {
            return Err(text.wrong(placed.at, "no operand has this index"));
        }
    }
    Ok(expanded(terms, 0..rest).0)
}

/// What `...` stands for, and then the letters that occur once, in alphabetical order.
fn implicit(operands: &[Vec<Index>]) -> Vec<Index> {
    let all: Vec<Index> = operands.iter().flatten().copied().collect();
    let once = |&i: &Index| matches!(i, Index::Rest(_)) || all.iter().filter(|&&j| j == i).count() == 1;
    let mut output: Vec<Index> = all.iter().copied().filter(once).collect();
    output.sort_unstable();
    output.dedup();
    output
}
