//! A warp: the registers of its threads, which are its lanes, and which of them go on. Lanes at one instruction do it
//! together, so that it is read once for all of them: each by itself (`execute`), or with the others (`exchange`).

mod atomic;
mod exchange;
mod execute;

use crate::memory::Memory;
use crate::parse::{Fault, Function, Op, Operand, fault};
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
    /// The memory of each thread's own.
    local: Vec<Vec<u8>>,
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
    pub(crate) fn new(function: &Function, numbers: &[[u32; 3]]) -> Warp {
        let registers = function.registers;
        let number = |axis: usize, lane: usize| numbers.get(lane).map_or(0, |n| u64::from(n[axis]));
        Warp {
            registers: vec![[0; WARP]; registers],
            known: vec![0; registers],
            next: [0; WARP],
            state: [State::Done; WARP],
            all: WHOLE >> (WARP - numbers.len()),
            threads: std::array::from_fn(|axis| std::array::from_fn(|lane| number(axis, lane))),
            local: vec![vec![0xa5; function.local]; numbers.len()],
        }
    }

    /// All of it at the beginning, in a new block.
    pub(crate) fn restart(&mut self) {
        self.known.fill(0);
        self.next = [0; WARP];
        self.local.iter_mut().for_each(|own| own.fill(0xa5));
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
}

fn register(operand: &Operand) -> Result<usize, Fault> {
    match operand {
        Operand::Register(r) => Ok(*r),
        _ => fault("the destination is no register"),
    }
}
