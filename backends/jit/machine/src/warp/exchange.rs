//! What the lanes of a warp do together.

use super::{WARP, WHOLE, Warp, register};
use crate::parse::{Fault, Instruction, Op, Operand, fault};

impl Warp {
    /// Runs an instruction that all lanes are at.
    ///
    /// # Errors
    /// A warp of fewer lanes, and an instruction for a part of one.
    pub(super) fn exchange(&mut self, i: &Instruction) -> Result<(), Fault> {
        if self.all != WHOLE {
            return fault("a warp that is not whole exchanges values or meets");
        }
        let word = |warp: &Warp, n: usize| match &i.operands[n] {
            Operand::Immediate(bits) => Ok([*bits; WARP]),
            other => Ok(*warp.read(register(other)?, WHOLE)?),
        };
        let whole = |n: usize| match word(self, n)?.iter().all(|mask| *mask == u64::from(WHOLE)) {
            true => Ok(()),
            false => fault("only a part of a warp is meant"),
        };
        match i.op {
            Op::Meet => whole(0),
            Op::Match => {
                whole(2)?;
                let x = word(self, 1)?;
                let alike = |lane: usize| (0..WARP).fold(0, |mask, o| mask | u64::from(x[o] == x[lane]) << o);
                self.write(register(&i.operands[0])?, WHOLE, &std::array::from_fn(alike));
                Ok(())
            }
            Op::ShuffleDown | Op::ShuffleFrom => {
                whole(4)?;
                let (x, by, clamp) = (word(self, 1)?, word(self, 2)?, word(self, 3)?);
                if clamp != [31; WARP] {
                    return fault("a shuffle of another kind");
                }
                let from = |lane: usize| by[lane] as usize + if i.op == Op::ShuffleDown { lane } else { 0 };
                // Beyond the last lane, a thread gets its own.
                let moved = |lane: usize| *x.get(from(lane)).unwrap_or(&x[lane]);
                self.write(register(&i.operands[0])?, WHOLE, &std::array::from_fn(moved));
                Ok(())
            }
            _ => self.multiply(i),
        }
    }

    /// Multiplies 16 by 4 elements by 4 by 8 and adds them to 16 by 8: upwards with fused multiply-add, as
    /// devices were seen to do.
    fn multiply(&mut self, i: &Instruction) -> Result<(), Fault> {
        let [to, a, b, sums] = i.operands.as_slice() else { return fault("operands") };
        let parts = |operand: &Operand, count: usize| match operand {
            Operand::List(all) if all.len() == count => all
                .iter()
                .map(|&r| Ok(self.read(r, WHOLE)?.map(f64::from_bits)))
                .collect::<Result<Vec<_>, _>>(),
            _ => fault("a product of other parts"),
        };
        let (a, b, mut sums) = (parts(a, 2)?, parts(b, 1)?, parts(sums, 4)?);
        for (n, sums) in sums.iter_mut().enumerate() {
            for (lane, sum) in sums.iter_mut().enumerate() {
                // A lane has pairs of two rows, 8 apart.
                let (row, half, column) = (lane / 4, n / 2, lane % 4 * 2 + n % 2);
                *sum = (0..4).fold(*sum, |sum, k| a[half][row * 4 + k].mul_add(b[0][column * 4 + k], sum));
            }
        }
        let Operand::List(to) = to else { return fault("the destination is no register") };
        for (&to, sums) in to.iter().zip(sums) {
            self.write(to, WHOLE, &sums.map(f64::to_bits));
        }
        Ok(())
    }
}
