//! A warp: the registers of its threads, which are its lanes, and what an instruction does to them. Lanes at one
//! instruction do it together, so that it is read once for all of them.

use crate::arithmetic::compute;
use crate::memory::{Memory, number};
use crate::parse::{Fault, Instruction, Op, Operand, Space, Special, Ty, fault};
use crate::run::Block;

/// Lanes of a warp.
pub(crate) const WARP: usize = 32;
/// A value for each.
pub(crate) type Lanes = [u64; WARP];
/// A bit for each.
const WHOLE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Runs,
    /// At what all lanes of the warp do together.
    Meets,
    /// At a barrier.
    Waits,
    Done,
}

/// The lanes of a mask.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let rest = |mask: &u32| Some(mask & mask.wrapping_sub(1)).filter(|rest| *rest != 0);
    std::iter::successors(Some(mask).filter(|mask| *mask != 0), rest)
        .map(|mask| mask.trailing_zeros() as usize)
}

pub(crate) struct Warp {
    registers: Vec<Lanes>,
    /// For each register, the lanes that have written it.
    known: Vec<u32>,
    /// Where each lane goes on.
    next: [usize; WARP],
    state: [State; WARP],
    /// The lanes that there are.
    all: u32,
    /// The threads' numbers along each axis.
    threads: [Lanes; 3],
}

/// Lanes that go on together.
struct Group {
    lanes: u32,
    /// Where they are.
    at: usize,
    /// Where others are, behind that, which they may meet.
    limit: usize,
}

impl Warp {
    /// A warp of threads with these numbers.
    pub(crate) fn new(registers: usize, numbers: &[[u32; 3]]) -> Warp {
        let number = |axis: usize, lane: usize| numbers.get(lane).map_or(0, |n| u64::from(n[axis]));
        Warp {
            registers: vec![[0; WARP]; registers],
            known: vec![0; registers],
            next: [0; WARP],
            state: [State::Done; WARP],
            all: WHOLE >> (WARP - numbers.len()),
            threads: std::array::from_fn(|axis| std::array::from_fn(|lane| number(axis, lane))),
        }
    }

    /// All of it at the beginning, in a new block.
    pub(crate) fn restart(&mut self) {
        self.known.fill(0);
        self.next = [0; WARP];
        lanes(self.all).for_each(|lane| self.state[lane] = State::Runs);
    }

    fn is_all(&self, state: State) -> bool {
        lanes(self.all).all(|lane| self.state[lane] == state)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.is_all(State::Done)
    }

    /// The barrier at which all lanes wait: the instruction after it.
    ///
    /// # Errors
    /// Lanes that wait for others of the warp, or at several barriers.
    pub(crate) fn barrier(&self) -> Result<usize, Fault> {
        if !self.is_all(State::Waits) {
            return fault("threads wait for each other, or for one that is done");
        }
        match lanes(self.all).all(|lane| self.next[lane] == self.next[0]) {
            true => Ok(self.next[0]),
            false => fault("threads wait at different barriers"),
        }
    }

    /// Lets the lanes go on after a barrier.
    pub(crate) fn pass(&mut self) {
        lanes(self.all).for_each(|lane| self.state[lane] = State::Runs);
    }

    /// Runs the lanes to where none goes on without the other warps.
    ///
    /// # Errors
    /// What PTX does not specify, and what reads or writes no memory of the device.
    pub(crate) fn advance(&mut self, block: &mut Block<'_>, memory: &mut Memory) -> Result<(), Fault> {
        loop {
            if let Some(group) = self.group() {
                self.go(group, block, memory)?;
            } else if self.is_all(State::Meets) && lanes(self.all).all(|lane| self.next[lane] == self.next[0])
            {
                let i = &block.function.code[self.next[0] - 1];
                self.exchange(i).map_err(|f| f.at(i.line))?;
                self.pass();
            } else {
                return Ok(());
            }
        }
    }

    /// The lanes that are behind all others, so that these are met again.
    fn group(&self) -> Option<Group> {
        let (mut group, mut limit) = (Group { lanes: 0, at: usize::MAX, limit: 0 }, usize::MAX);
        for lane in lanes(self.all).filter(|&lane| self.state[lane] == State::Runs) {
            let at = self.next[lane];
            if at < group.at {
                limit = group.at;
                (group.lanes, group.at) = (0, at);
            }
            match at == group.at {
                true => group.lanes |= 1 << lane,
                false => limit = limit.min(at),
            }
        }
        group.limit = limit;
        (group.lanes != 0).then_some(group)
    }

    fn leave(&mut self, mask: u32, at: usize, state: State) {
        for lane in lanes(mask) {
            (self.next[lane], self.state[lane]) = (at, state);
        }
    }

    /// Runs lanes up to where they part, wait, or may meet others.
    fn go(&mut self, group: Group, block: &mut Block<'_>, memory: &mut Memory) -> Result<(), Fault> {
        let Group { lanes: active, mut at, limit } = group;
        let function = block.function;
        while at < limit {
            let Some(i) = function.code.get(at) else { return fault("the function runs past its end") };
            let mask = match i.guard {
                None => active,
                Some((predicate, when)) => {
                    let bits = self.predicate(predicate, active).map_err(|f| f.at(i.line))?;
                    active & if when { bits } else { !bits }
                }
            };
            at += 1;
            if mask == 0 {
                continue;
            }
            let together =
                matches!(i.op, Op::Meet | Op::Match | Op::Multiply | Op::ShuffleDown | Op::ShuffleFrom);
            let state = match i.op {
                Op::Branch(to) if mask == active => {
                    at = to;
                    continue;
                }
                Op::Branch(to) => {
                    self.leave(mask, to, State::Runs);
                    self.leave(active & !mask, at, State::Runs);
                    return Ok(());
                }
                Op::Return => State::Done,
                Op::Barrier => State::Waits,
                _ if together && mask != WHOLE => State::Meets,
                _ => {
                    let done = if together { self.exchange(i) } else { self.execute(i, mask, block, memory) };
                    done.map_err(|f| f.at(i.line))?;
                    continue;
                }
            };
            self.leave(mask, at, state);
            self.leave(active & !mask, at, State::Runs);
            return Ok(());
        }
        self.leave(active, at, State::Runs);
        Ok(())
    }

    fn read(&self, register: usize, mask: u32) -> Result<&Lanes, Fault> {
        match self.known[register] & mask == mask {
            true => Ok(&self.registers[register]),
            false => fault("a register is read that was not written"),
        }
    }

    fn write(&mut self, register: usize, mask: u32, values: &Lanes) {
        self.known[register] |= mask;
        match mask {
            WHOLE => self.registers[register] = *values,
            _ => lanes(mask).for_each(|lane| self.registers[register][lane] = values[lane]),
        }
    }

    /// The lanes where a predicate is true.
    fn predicate(&self, register: usize, mask: u32) -> Result<u32, Fault> {
        let values = self.read(register, mask)?;
        Ok(values.iter().enumerate().fold(0, |bits, (lane, value)| bits | ((*value as u32) & 1) << lane))
    }

    fn value(&self, operand: &Operand, mask: u32, block: &Block<'_>) -> Result<Lanes, Fault> {
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

    fn address(&self, operand: &Operand, mask: u32) -> Result<Lanes, Fault> {
        match operand {
            Operand::Address(None, offset) => Ok([*offset as u64; WARP]),
            Operand::Address(Some(base), offset) => {
                Ok(self.read(*base, mask)?.map(|base| base.wrapping_add_signed(*offset)))
            }
            _ => fault("no address"),
        }
    }

    /// What lanes do each by itself.
    fn execute(
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
        &self,
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
                _ => part_mut(&mut block.shared, address, all)?,
            };
            for (to, values) in to.chunks_exact_mut(bytes).zip(&values) {
                to.copy_from_slice(&values[lane].to_le_bytes()[..bytes]);
            }
        }
        Ok(())
    }

    /// What all lanes do together.
    fn exchange(&mut self, i: &Instruction) -> Result<(), Fault> {
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

fn register(operand: &Operand) -> Result<usize, Fault> {
    match operand {
        Operand::Register(r) => Ok(*r),
        _ => fault("the destination is no register"),
    }
}

fn outside<T>(count: usize, at: u64, of: usize) -> Result<T, Fault> {
    fault(format!("{count} bytes at {at} of {of}"))
}

fn part(bytes: &[u8], at: u64, count: usize) -> Result<&[u8], Fault> {
    let found = bytes.get(at as usize..).and_then(|rest| rest.get(..count));
    found.map_or_else(|| outside(count, at, bytes.len()), Ok)
}

fn part_mut(bytes: &mut [u8], at: u64, count: usize) -> Result<&mut [u8], Fault> {
    let of = bytes.len();
    let found = bytes.get_mut(at as usize..).and_then(|rest| rest.get_mut(..count));
    found.map_or_else(|| outside(count, at, of), Ok)
}
