//! What a program over rows keeps of the rows at hand in the memory that a block's threads share.

use super::rows::Piece;
use crate::codegen::From;
use crate::ir::{Access, Code, Place};

/// Room for elements of a row, which several values take in turn. A thread reads only what it has
/// written itself, since all that share a slot have elements of as many bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slots {
    /// For each input that is kept when it is first read: its slot.
    pub inputs: Vec<Option<usize>>,
    /// For each value that is elements, but for the result: its slot.
    pub values: Vec<Option<usize>>,
    /// The bytes of an element in each slot.
    pub bytes: Vec<usize>,
}

/// From which piece to which one something is needed, and the bytes of an element.
#[derive(Clone, Copy)]
struct Life {
    first: usize,
    last: usize,
    bytes: usize,
}

impl Piece<'_> {
    /// True if elements of a row are read for an input.
    pub(super) fn reads(&self, input: usize) -> bool {
        let kernel = self.kernel;
        let walked = matches!(kernel.params[input].access, Access::Linear | Access::Strided);
        let loads =
            |s: &crate::ir::Statement| s.code == Code::Load && Place::of(s.imm).param as usize == input;
        walked && kernel.body().iter().any(|&id| loads(kernel.statement(id)))
    }
}

impl Slots {
    /// Those of a program with so many inputs and values, the last of which is its result. Inputs that
    /// several pieces read are kept if that is wanted.
    pub fn of(pieces: &[Piece<'_>], inputs: usize, values: usize, staged: bool) -> Slots {
        let (mut read, mut made): (Vec<Option<Life>>, _) = (vec![None; inputs], vec![None::<Life>; values]);
        for (number, piece) in pieces.iter().enumerate() {
            for (i, from) in piece.from.iter().enumerate() {
                match *from {
                    From::Outside(n) if piece.reads(i) => {
                        let bytes = piece.kernel.params[i].bytes();
                        read[n].get_or_insert(Life { first: number, last: number, bytes }).last = number;
                    }
                    From::Outside(_) => {}
                    From::Value(n) => made[n].iter_mut().for_each(|life| life.last = number),
                }
            }
            for (i, &value) in piece.gives.iter().enumerate() {
                let param = piece.kernel.params[piece.from.len() + i];
                if param.access == Access::Out && value + 1 < values {
                    made[value] = Some(Life { first: number, last: number, bytes: param.bytes() });
                }
            }
        }
        let again = |life: &mut Option<Life>| *life = life.filter(|l| staged && l.first < l.last);
        read.iter_mut().for_each(again);
        let mut slots = Slots { inputs: vec![None; inputs], values: vec![None; values], bytes: Vec::new() };
        let mut busy: Vec<usize> = Vec::new();
        for number in 0..pieces.len() {
            for (lives, places) in [(&read, &mut slots.inputs), (&made, &mut slots.values)] {
                let begins = |l: &Option<Life>| l.filter(|l| l.first == number);
                for (life, place) in lives.iter().zip(places) {
                    let Some(life) = begins(life) else { continue };
                    // What a piece reads for the last time makes room for what it writes.
                    let free = |&s: &usize| slots.bytes[s] == life.bytes && busy[s] <= number;
                    let slot = (0..busy.len()).find(free).unwrap_or(busy.len());
                    if slot == busy.len() {
                        slots.bytes.push(life.bytes);
                        busy.push(0);
                    }
                    // Of what nobody reads, too, only one value is written by a piece.
                    busy[slot] = life.last.max(number + usize::from(life.first == life.last));
                    *place = Some(slot);
                }
            }
        }
        slots
    }
}
