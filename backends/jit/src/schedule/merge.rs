//! Pieces of programs over rows that become one kernel, so that the rows at hand are read once for
//! all of them.
//!
//! - A fold is computed beside an earlier piece if all that it needs from others is there by then, or is
//!   an element that this piece computes.
//! - The last piece is computed beside the one that computes most, of the rows that follow: what it
//!   writes goes to memory meanwhile, at a steady pace.

use super::rows::{Piece, Program, is_elementary, is_long};
use super::{Do, Input, Job, Output, STEP, Source, Step};
use crate::trace::NONE;
use smallvec::SmallVec;

/// Operations of a kernel that takes in no more: its values have the registers.
const FULL: usize = 48;

/// Pieces in the same order, but for folds that are computed beside earlier ones.
pub(super) fn merged(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match place(&all, &piece) {
            Some(at) => all[at] = beside(&all[at], &piece),
            None => all.push(piece),
        }
    }
    all
}

/// Which of the pieces a fold may be computed beside.
fn place(all: &[Piece], piece: &Piece) -> Option<usize> {
    if !piece.folds() || !piece.job.is_plain() {
        return None;
    }
    let mut from = 0;
    for value in piece.job.values() {
        let at = all.iter().position(|p| p.gives.iter().any(|g| g.value == value))?;
        let folded = all[at].gives.iter().any(|g| g.value == value && g.fold.is_some());
        from = from.max(if folded { at + 1 } else { at });
    }
    let fits = |other: &Piece| {
        other.job.is_plain()
            && other.job.space == piece.job.space
            && other.job.len() + piece.job.len() <= FULL
    };
    (from..all.len()).find(|&at| fits(&all[at]))
}

/// Both pieces as one; the second one has elements of the first one's at hand.
fn beside(first: &Piece, second: &Piece) -> Piece {
    let known = |input: &Input| {
        let Source::Piece(value) = input.source else { return None };
        let at = first.gives.iter().position(|g| g.value == value)?;
        Some(first.job.outputs[at].number)
    };
    let job = first.job.and(&second.job, |input| {
        let same = || first.job.inputs.iter().position(|i| i.is(input)).map(|at| at as u32);
        known(input).or_else(same)
    });
    let gives = first.gives.iter().chain(&second.gives).cloned().collect();
    Piece { job, gives, behind: [0; 2] }
}

impl Program {
    /// The same program, in which the last piece is done beside the one that computes most, of the rows
    /// that follow; `None` if there is none that it can be beside. Where it is written `apart`, in a block of
    /// its own, it waits for elementary functions, and these for it.
    pub(crate) fn overlapping(&self, apart: bool) -> Option<Program> {
        let (last, others) = self.pieces.split_last()?;
        let [given] = &last.gives[..] else { return None };
        if given.fold.is_some() || !last.job.is_plain() {
            return None;
        }
        // What is kept of the rows before is there until it is made for those at hand.
        let kept =
            |p: &Piece| p.gives.iter().any(|g| g.fold.is_none() && last.job.values().any(|v| v == g.value));
        let from = others.iter().position(kept).unwrap_or(others.len());
        let fits = |p: &Piece| {
            let folds = p.gives.iter().any(|g| g.fold.is_some());
            folds && p.job.is_plain() && p.job.len() + last.job.len() <= FULL
        };
        let beside = others.iter().enumerate().take(from + 1).filter(|(_, p)| fits(p));
        let (at, most) = beside.rev().max_by_key(|(_, p)| p.job.weight())?;
        if apart && most.job.is_elementary() {
            return None;
        }
        let mut pieces = others.to_vec();
        let job = last.job.and(&others[at].job, |_| None);
        let gives = last.gives.iter().chain(&others[at].gives).cloned().collect();
        pieces[at] = Piece { job, gives, behind: [last.job.inputs.len(), 1] };
        Some(Program { space: self.space.clone(), split: self.split, pieces })
    }
}

impl Job {
    /// True if it does operations on elements, and nothing else.
    pub(super) fn is_plain(&self) -> bool {
        self.steps.iter().all(|s| matches!(s.what, Do::Apply(_)))
            && self.checks.is_empty()
            && self.pads.is_empty()
    }

    /// True if it has elementary functions.
    fn is_elementary(&self) -> bool {
        self.steps.iter().any(|s| matches!(s.what, Do::Apply(kind) if is_elementary(kind)))
    }

    /// About how long it takes.
    fn weight(&self) -> usize {
        let of = |s: &Step| if matches!(s.what, Do::Apply(kind) if is_long(kind)) { 8 } else { 1 };
        self.steps.iter().map(of).sum()
    }

    /// The pieces' values that it needs.
    fn values(&self) -> impl Iterator<Item = u32> + '_ {
        self.inputs.iter().filter_map(|input| match input.source {
            Source::Piece(value) => Some(value),
            _ => None,
        })
    }

    /// This job and another one on the same space, which has no results but those of both. An input of
    /// the other one may be `known` here, as an input or a step.
    fn and(&self, other: &Job, known: impl Fn(&Input) -> Option<u32>) -> Job {
        let mut job = self.unfolded();
        let steps = job.steps.len() as u32;
        let numbers: SmallVec<[u32; 8]> = other
            .inputs
            .iter()
            .map(|input| {
                known(input).unwrap_or_else(|| {
                    job.inputs.push(input.clone());
                    job.inputs.len() as u32 - 1
                })
            })
            .collect();
        let here = |number: u32| match number {
            NONE => NONE,
            step if step & STEP != 0 => step + steps,
            input => numbers[input as usize],
        };
        job.steps.extend(other.steps.iter().map(|s| Step { operands: s.operands.map(here), ..*s }));
        job.outputs.extend(other.outputs.iter().map(|o| Output { number: here(o.number), ..o.clone() }));
        job
    }
}
