//! Atomics, lane after lane, as the PTX manual has them.

use super::execute::part_mut;
use super::{Lanes, WARP, Warp, lanes, register};
use crate::memory::{Memory, number};
use crate::parse::{Atom, Fault, Instruction, Space, Ty, fault};
use crate::run::Block;

impl Warp {
    /// Changes an element of memory for each lane, and gives what was there before.
    pub(super) fn atomic(
        &mut self,
        i: &Instruction,
        (space, atom, ty): (Space, Atom, Ty),
        mask: u32,
        block: &mut Block<'_>,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        let (address, bytes) = (self.address(&i.operands[1], mask)?, ty.bytes());
        let x = self.value(&i.operands[2], mask, block)?;
        let other: Lanes = match i.operands.get(3) {
            Some(operand) => self.value(operand, mask, block)?,
            None => [0; WARP],
        };
        let mut before = [0; WARP];
        for lane in lanes(mask) {
            let at = address[lane];
            if at % bytes as u64 != 0 {
                return fault(format!("an atomic of {bytes} bytes at {at:#x}"));
            }
            let cell = match space {
                Space::Global => memory.bytes(at, bytes)?,
                _ => part_mut(&mut block.shared, at, bytes)?,
            };
            let old = number(cell);
            let next = left(space, atom, ty, [old, x[lane], other[lane]]);
            before[lane] = old;
            cell.copy_from_slice(&next.to_le_bytes()[..bytes]);
        }
        self.write(register(&i.operands[0])?, mask, &before);
        Ok(())
    }
}

/// What is left of what was there, and of the operands.
fn left(space: Space, atom: Atom, ty: Ty, [old, x, other]: [u64; 3]) -> u64 {
    let signed = |bits: u64| if ty.bytes() == 8 { bits as i64 } else { i64::from(bits as u32 as i32) };
    match (atom, ty) {
        (Atom::Add, Ty::F32) => {
            let [a, b] = [old, x].map(|bits| f32::from_bits(bits as u32));
            // In global memory subnormal numbers are zeros.
            let flushed = |x: f32| match space {
                Space::Global if x.is_subnormal() => 0f32.copysign(x),
                _ => x,
            };
            u64::from(flushed(flushed(a) + flushed(b)).to_bits())
        }
        (Atom::Add, Ty::F64) => (f64::from_bits(old) + f64::from_bits(x)).to_bits(),
        (Atom::Add, _) => old.wrapping_add(x),
        (Atom::Min, _) if ty.is_signed() => {
            if signed(x) < signed(old) {
                x
            } else {
                old
            }
        }
        (Atom::Max, _) if ty.is_signed() => {
            if signed(x) > signed(old) {
                x
            } else {
                old
            }
        }
        (Atom::Min, _) => old.min(x),
        (Atom::Max, _) => old.max(x),
        (Atom::And, _) => old & x,
        (Atom::Or, _) => old | x,
        (Atom::Xor, _) => old ^ x,
        (Atom::Exchange, _) => x,
        // What is compared comes first.
        (Atom::Swap, _) => {
            if old == x {
                other
            } else {
                old
            }
        }
    }
}
