//! What lanes do each by itself: arithmetic, and between registers and memory.

use super::{Lanes, WARP, Warp, lanes, register};
use crate::arithmetic::compute;
use crate::memory::{Memory, number};
use crate::parse::{Fault, Instruction, Op, Operand, Space, Special, Ty, fault};
use crate::run::Block;

impl Warp {
    pub(super) fn value(&self, operand: &Operand, mask: u32, block: &Block<'_>) -> Result<Lanes, Fault> {
        let each = |word: u32| [u64::from(word); WARP];
        Ok(match operand {
            Operand::Register(r) => *self.read(*r, mask)?,
            Operand::Immediate(bits) => [*bits; WARP],
            Operand::Special(special) => match *special {
                Special::Tid(axis) => self.threads[axis],
                Special::Ntid(axis) => each(block.grid.threads[axis]),
                Special::Ctaid(axis) => each(block.number[axis]),
                Special::Nctaid(axis) => each(block.grid.blocks[axis]),
            },
            _ => return fault("an address or a list in place of a value"),
        })
    }

    pub(super) fn address(&self, operand: &Operand, mask: u32) -> Result<Lanes, Fault> {
        match operand {
            Operand::Address(None, offset) => Ok([*offset as u64; WARP]),
            Operand::Address(Some(base), offset) => {
                Ok(self.read(*base, mask)?.map(|base| base.wrapping_add_signed(*offset)))
            }
            _ => fault("no address"),
        }
    }

    /// What lanes do each by itself.
    pub(super) fn execute(
        &mut self,
        i: &Instruction,
        mask: u32,
        block: &mut Block<'_>,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        match i.op {
            Op::Mov(ty) => match (&i.operands[0], &i.operands[1]) {
                (Operand::List(halves), x) => {
                    let (&[low, high], x) = (halves.as_slice(), self.value(x, mask, block)?) else {
                        return fault("a double word has two halves");
                    };
                    self.write(low, mask, &x.map(|x| x & 0xffff_ffff));
                    self.write(high, mask, &x.map(|x| x >> 32));
                }
                (to, Operand::List(halves)) => {
                    let &[low, high] = halves.as_slice() else {
                        return fault("a double word has two halves");
                    };
                    let (low, high) = (self.read(low, mask)?, self.read(high, mask)?);
                    let x = std::array::from_fn(|lane| low[lane] | high[lane] << 32);
                    self.write(register(to)?, mask, &x);
                }
                (to, x) => {
                    let x = self.value(x, mask, block)?;
                    let x = if ty.bytes() == 8 { x } else { x.map(|x| x & 0xffff_ffff) };
                    self.write(register(to)?, mask, &x);
                }
            },
            Op::Red => {
                let address = self.address(&i.operands[0], mask)?;
                let more = self.value(&i.operands[1], mask, block)?;
                for lane in lanes(mask) {
                    let word = part_mut(&mut block.shared, address[lane], 4)?;
                    let sum = (number(word) as u32).wrapping_add(more[lane] as u32);
                    word.copy_from_slice(&sum.to_le_bytes());
                }
            }
            Op::Atom(space, atom, ty) => self.atomic(i, (space, atom, ty), mask, block, memory)?,
            Op::Ld(space, ty, count) => self.load(i, (space, ty, count), mask, block, memory)?,
            Op::St(space, ty, count) => self.store(i, (space, ty, count), mask, block, memory)?,
            op => {
                let mut x = [[0; WARP]; 3];
                for (x, operand) in x.iter_mut().zip(&i.operands[1..]) {
                    *x = self.value(operand, mask, block)?;
                }
                let result = compute(op, &x, mask)?;
                self.write(register(&i.operands[0])?, mask, &result);
            }
        }
        Ok(())
    }

    fn load(
        &mut self,
        i: &Instruction,
        (space, ty, count): (Space, Ty, usize),
        mask: u32,
        block: &Block<'_>,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        let (address, bytes) = (self.address(&i.operands[1], mask)?, ty.bytes());
        let single;
        let to: &[usize] = match &i.operands[0] {
            Operand::List(to) if to.len() == count => to,
            to if count == 1 => {
                single = [register(to)?];
                &single
            }
            _ => return fault(format!("not {count} registers")),
        };
        let all = bytes * count;
        let mut values = [[0; WARP]; 4];
        for lane in lanes(mask) {
            let address = address[lane];
            if address % all as u64 != 0 {
                return fault(format!("{all} bytes at {address:#x} are not aligned"));
            }
            let read = match space {
                Space::Global => &*memory.bytes(address, all)?,
                Space::Param => part(block.argument, address, all)?,
                Space::Shared => part(&block.shared, address, all)?,
                Space::Local => part(&self.local[lane], address, all)?,
            };
            for (values, one) in values.iter_mut().zip(read.chunks_exact(bytes)) {
                let read = number(one);
                values[lane] = match ty {
                    Ty::S8 => u64::from(read as i8 as u32),
                    Ty::S16 => u64::from(read as i16 as u32),
                    _ => read,
                };
            }
        }
        to.iter().zip(&values).for_each(|(&to, values)| self.write(to, mask, values));
        Ok(())
    }

    fn store(
        &mut self,
        i: &Instruction,
        (space, ty, count): (Space, Ty, usize),
        mask: u32,
        block: &mut Block<'_>,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        let (address, bytes) = (self.address(&i.operands[0], mask)?, ty.bytes());
        let mut values = [[0; WARP]; 4];
        let given = match &i.operands[1] {
            Operand::List(from) => {
                for (values, &from) in values.iter_mut().zip(from) {
                    *values = *self.read(from, mask)?;
                }
                from.len()
            }
            x => {
                values[0] = self.value(x, mask, block)?;
                1
            }
        };
        let all = bytes * count;
        for lane in lanes(mask) {
            let address = address[lane];
            if given != count || address % all as u64 != 0 {
                return fault(format!("{given} values of {bytes} bytes at {address:#x}"));
            }
            let to = match space {
                Space::Global => memory.bytes(address, all)?,
                Space::Local => part_mut(&mut self.local[lane], address, all)?,
                _ => part_mut(&mut block.shared, address, all)?,
            };
            for (to, values) in to.chunks_exact_mut(bytes).zip(&values) {
                to.copy_from_slice(&values[lane].to_le_bytes()[..bytes]);
            }
        }
        Ok(())
    }
}

fn outside<T>(count: usize, at: u64, of: usize) -> Result<T, Fault> {
    fault(format!("{count} bytes at {at} of {of}"))
}

fn part(bytes: &[u8], at: u64, count: usize) -> Result<&[u8], Fault> {
    let found = bytes.get(at as usize..).and_then(|rest| rest.get(..count));
    found.map_or_else(|| outside(count, at, bytes.len()), Ok)
}

pub(super) fn part_mut(bytes: &mut [u8], at: u64, count: usize) -> Result<&mut [u8], Fault> {
    let of = bytes.len();
    let found = bytes.get_mut(at as usize..).and_then(|rest| rest.get_mut(..count));
    found.map_or_else(|| outside(count, at, of), Ok)
}
