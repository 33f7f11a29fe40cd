//! Runs a function for every thread of a grid. Threads of a block run by themselves up to a
//! barrier or a shuffle, where they wait for the others.

use crate::arithmetic::compute;
use crate::memory::{Memory, number};
use crate::parse::{Fault, Function, Instruction, Op, Operand, Space, Special, Ty, fault};

/// Threads that exchange values.
const WARP: usize = 32;
/// The mask of all of them.
const WHOLE: u64 = 0xffff_ffff;

/// How many blocks there are, and how many threads in one.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Blocks along each axis.
    pub blocks: [u32; 3],
    /// Threads of a block along each axis.
    pub threads: [u32; 3],
    /// The bytes of memory that threads of a block share, besides what the function says.
    pub shared: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Runs,
    /// At a shuffle: the value it gives, and the lane that it takes one of.
    Shuffles(u64, usize),
    /// At a comparison with the lanes of the warp: the value that it gives.
    Matches(u64),
    /// Where the lanes of the warp wait for each other.
    Meets,
    /// At a product of matrices.
    Multiplies,
    Waits,
    Done,
}

struct Thread {
    registers: Vec<u64>,
    /// Whether each register has been written.
    known: Vec<bool>,
    next: usize,
    state: State,
    number: [u32; 3],
}

struct Block<'r> {
    function: &'r Function,
    grid: Grid,
    number: [u32; 3],
    argument: &'r [u8],
    shared: Vec<u8>,
}

/// Runs a function with an argument.
///
/// # Errors
/// What PTX does not specify, what reads or writes no memory of the device, and what waits for ever.
pub fn launch(function: &Function, grid: Grid, argument: &[u8], memory: &mut Memory) -> Result<(), Fault> {
    let per_block = grid.threads.iter().map(|&n| n as usize).product::<usize>();
    if argument.len() != function.argument
        || per_block == 0
        || per_block > 1024
        || grid.blocks.contains(&0)
        || function.threads.is_some_and(|most| per_block > most as usize)
    {
        return fault("a launch with another argument, or of too many or no threads");
    }
    if grid.shared > 0 && !function.shares {
        return fault("shared memory for a function that has no use for it");
    }
    let mut threads: Vec<Thread> = numbers(grid.threads)
        .map(|number| Thread {
            registers: vec![0; function.registers],
            known: vec![false; function.registers],
            next: 0,
            state: State::Runs,
            number,
        })
        .collect();
    for number in numbers(grid.blocks) {
        let shared = vec![0xa5; function.shared + grid.shared];
        let mut block = Block { function, grid, number, argument, shared };
        for thread in &mut threads {
            thread.known.fill(false);
            (thread.next, thread.state) = (0, State::Runs);
        }
        block.run(&mut threads, memory)?;
    }
    Ok(())
}

/// All numbers below some along each axis, the first axis fastest.
fn numbers([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])))
}

impl Block<'_> {
    fn run(&mut self, threads: &mut [Thread], memory: &mut Memory) -> Result<(), Fault> {
        loop {
            for thread in threads.iter_mut() {
                while thread.state == State::Runs {
                    self.step(thread, memory)?;
                }
            }
            if threads.iter().all(|t| t.state == State::Done) {
                return Ok(());
            }
            let mut moved = false;
            for warp in threads.chunks_mut(WARP) {
                moved |= shuffle(warp, &self.function.code)?
                    || meet(warp, &self.function.code)?
                    || multiply(warp, &self.function.code)?;
            }
            // A barrier is for every thread of the block.
            if !moved && threads.iter().all(|t| t.state == State::Waits) {
                let at = threads[0].next;
                if threads.iter().any(|t| t.next != at) {
                    return fault("threads wait at different barriers");
                }
                threads.iter_mut().for_each(|t| t.state = State::Runs);
                moved = true;
            }
            if !moved {
                return fault("threads wait for each other, or for one that is done");
            }
        }
    }

    fn step(&mut self, thread: &mut Thread, memory: &mut Memory) -> Result<(), Fault> {
        let Some(instruction) = self.function.code.get(thread.next) else {
            return fault("the function runs past its end");
        };
        thread.next += 1;
        let done = self.execute(instruction, thread, memory);
        done.map_err(|f| Fault(format!("line {}: {}", instruction.line, f.0)))
    }

    fn execute(&mut self, i: &Instruction, thread: &mut Thread, memory: &mut Memory) -> Result<(), Fault> {
        if let Some((predicate, when)) = i.guard
            && (thread.read(predicate)? == 1) != when
        {
            return Ok(());
        }
        let value = |thread: &Thread, operand: &Operand| self.value(thread, operand);
        match i.op {
            Op::Branch(to) => thread.next = to,
            Op::Return => thread.state = State::Done,
            Op::Barrier => thread.state = State::Waits,
            Op::Meet => {
                if value(thread, &i.operands[0])? != WHOLE {
                    return fault("a part of a warp meets");
                }
                thread.state = State::Meets;
            }
            Op::Match => {
                if value(thread, &i.operands[2])? != WHOLE {
                    return fault("a part of a warp is compared");
                }
                thread.state = State::Matches(value(thread, &i.operands[1])?);
            }
            Op::Red => {
                let (address, more) = (address(thread, &i.operands[0])?, value(thread, &i.operands[1])?);
                let word = number(part(&self.shared, address, 4)?) as u32;
                let word = word.wrapping_add(more as u32).to_le_bytes();
                self.shared[address as usize..][..4].copy_from_slice(&word);
            }
            Op::Multiply => thread.state = State::Multiplies,
            Op::ShuffleDown | Op::ShuffleFrom => {
                let [_, x, lane, clamp, mask] = i.operands.as_slice() else { return fault("operands") };
                if (value(thread, clamp)?, value(thread, mask)?) != (31, WHOLE) {
                    return fault("a shuffle of another kind");
                }
                let own = if i.op == Op::ShuffleDown { thread.lane(self.grid) } else { 0 };
                thread.state = State::Shuffles(value(thread, x)?, own + value(thread, lane)? as usize);
            }
            Op::Mov(ty) => match (&i.operands[0], &i.operands[1]) {
                (Operand::List(halves), x) => {
                    let (&[low, high], x) = (halves.as_slice(), value(thread, x)?) else {
                        return fault("a double word has two halves");
                    };
                    thread.write(low, x & 0xffff_ffff);
                    thread.write(high, x >> 32);
                }
                (to, Operand::List(halves)) => {
                    let &[low, high] = halves.as_slice() else {
                        return fault("a double word has two halves");
                    };
                    let x = thread.read(low)? | thread.read(high)? << 32;
                    thread.write(register(to)?, x);
                }
                (to, x) => {
                    let x = value(thread, x)?;
                    let x = if ty.bytes() == 8 { x } else { x & 0xffff_ffff };
                    thread.write(register(to)?, x);
                }
            },
            Op::Ld(space, ty, count) => {
                let (address, bytes) = (address(thread, &i.operands[1])?, ty.bytes());
                let all = bytes * count;
                if address % all as u64 != 0 {
                    return fault(format!("{all} bytes at {address:#x} are not aligned"));
                }
                let read = match space {
                    Space::Global => &*memory.bytes(address, all)?,
                    Space::Param => part(self.argument, address, all)?,
                    Space::Shared => part(&self.shared, address, all)?,
                };
                let extended = |read: u64| match ty {
                    Ty::S8 => read as i8 as u32 as u64,
                    Ty::S16 => read as i16 as u32 as u64,
                    _ => read,
                };
                let values = read.chunks(bytes).map(|one| extended(number(one)));
                match &i.operands[0] {
                    Operand::List(to) if to.len() == count => {
                        to.iter().zip(values).for_each(|(&to, value)| thread.write(to, value));
                    }
                    to if count == 1 => {
                        let to = register(to)?;
                        values.for_each(|value| thread.write(to, value));
                    }
                    _ => return fault(format!("not {count} registers")),
                }
            }
            Op::St(space, ty, count) => {
                let (address, bytes) = (address(thread, &i.operands[0])?, ty.bytes());
                let mut all = [0; 16];
                let mut put = |at: usize, value: u64| {
                    all[at * bytes..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
                };
                let given = match &i.operands[1] {
                    Operand::List(from) if from.len() == count => {
                        for (at, &from) in from.iter().enumerate() {
                            put(at, thread.read(from)?);
                        }
                        count
                    }
                    Operand::List(from) => from.len(),
                    x => {
                        put(0, value(thread, x)?);
                        1
                    }
                };
                if given != count || address % (bytes * count) as u64 != 0 {
                    return fault(format!("{count} values of {bytes} bytes at {address:#x}"));
                }
                let all = &all[..bytes * count];
                match space {
                    Space::Global => memory.bytes(address, all.len())?.copy_from_slice(all),
                    _ => {
                        let at = address as usize;
                        let to = self.shared.get_mut(at..at + all.len());
                        to.ok_or(Fault("shared memory is too small".into()))?.copy_from_slice(all);
                    }
                }
            }
            op => {
                let mut x = [0; 4];
                for (x, operand) in x.iter_mut().zip(&i.operands[1..]) {
                    *x = value(thread, operand)?;
                }
                let result = compute(op, &x)?;
                thread.write(register(&i.operands[0])?, result);
            }
        }
        Ok(())
    }

    fn value(&self, thread: &Thread, operand: &Operand) -> Result<u64, Fault> {
        Ok(match operand {
            Operand::Register(r) => thread.read(*r)?,
            Operand::Immediate(bits) => *bits,
            Operand::Special(special) => u64::from(match *special {
                Special::Tid(axis) => thread.number[axis],
                Special::Ntid(axis) => self.grid.threads[axis],
                Special::Ctaid(axis) => self.number[axis],
                Special::Nctaid(axis) => self.grid.blocks[axis],
            }),
            _ => return fault("an address or a list in place of a value"),
        })
    }
}

impl Thread {
    fn read(&self, register: usize) -> Result<u64, Fault> {
        match self.known[register] {
            true => Ok(self.registers[register]),
            false => fault("a register is read that was not written"),
        }
    }

    /// Its number in its warp.
    fn lane(&self, grid: Grid) -> usize {
        let [x, y, z] = self.number.map(|n| n as usize);
        let [width, height, _] = grid.threads.map(|n| n as usize);
        (x + width * (y + height * z)) % WARP
    }

    fn write(&mut self, register: usize, bits: u64) {
        self.registers[register] = bits;
        self.known[register] = true;
    }
}

fn register(operand: &Operand) -> Result<usize, Fault> {
    match operand {
        Operand::Register(r) => Ok(*r),
        _ => fault("the destination is no register"),
    }
}

fn address(thread: &Thread, operand: &Operand) -> Result<u64, Fault> {
    match operand {
        Operand::Address(None, offset) => Ok(*offset as u64),
        Operand::Address(Some(base), offset) => Ok(thread.read(*base)?.wrapping_add_signed(*offset)),
        _ => fault("no address"),
    }
}

fn part(bytes: &[u8], at: u64, count: usize) -> Result<&[u8], Fault> {
    let range = at as usize..at as usize + count;
    bytes.get(range).ok_or_else(|| Fault(format!("{count} bytes at {at} of {}", bytes.len())))
}

/// Exchanges values where all threads of a warp are at the same shuffle.
fn shuffle(warp: &mut [Thread], code: &[Instruction]) -> Result<bool, Fault> {
    let at = warp[0].next;
    let mut given = Vec::with_capacity(WARP);
    for thread in warp.iter() {
        match thread.state {
            State::Shuffles(x, lane) if thread.next == at => given.push((x, lane)),
            _ => return Ok(false),
        }
    }
    if given.len() != WARP {
        return fault("a shuffle in a warp that is not whole");
    }
    let to = register(&code[at - 1].operands[0])?;
    for (lane, thread) in warp.iter_mut().enumerate() {
        // Beyond the last lane, a thread gets its own.
        let value = given.get(given[lane].1).unwrap_or(&given[lane]).0;
        thread.write(to, value);
        thread.state = State::Runs;
    }
    Ok(true)
}

/// Lets the threads of a warp go on where all of them wait for each other, with the lanes of the same
/// value where they compare theirs.
fn meet(warp: &mut [Thread], code: &[Instruction]) -> Result<bool, Fault> {
    let (at, meets) = (warp[0].next, warp[0].state == State::Meets);
    let mut given = Vec::with_capacity(WARP);
    for thread in warp.iter() {
        match thread.state {
            State::Meets if meets && thread.next == at => given.push(0),
            State::Matches(value) if !meets && thread.next == at => given.push(value),
            _ => return Ok(false),
        }
    }
    if given.len() != WARP {
        return fault("a warp that is not whole meets");
    }
    for (lane, thread) in warp.iter_mut().enumerate() {
        if !meets {
            let alike = given.iter().enumerate().filter(|(_, v)| **v == given[lane]);
            let mask = alike.fold(0, |mask, (other, _)| mask | 1 << other);
            thread.write(register(&code[at - 1].operands[0])?, mask);
        }
        thread.state = State::Runs;
    }
    Ok(true)
}

/// Multiplies 16 by 4 elements by 4 by 8 and adds them to 16 by 8, where all threads of a warp are at the
/// same such instruction: upwards with fused multiply-add, as devices were seen to do.
fn multiply(warp: &mut [Thread], code: &[Instruction]) -> Result<bool, Fault> {
    let at = warp[0].next;
    if warp.iter().any(|t| t.state != State::Multiplies || t.next != at) {
        return Ok(false);
    }
    if warp.len() != WARP {
        return fault("a product in a warp that is not whole");
    }
    let [to, a, b, sums] = code[at - 1].operands.as_slice() else { return fault("operands") };
    let part = |thread: &Thread, operand: &Operand, i: usize, count: usize| match operand {
        Operand::List(all) if all.len() == count => thread.read(all[i]).map(f64::from_bits),
        _ => fault("a product of other parts"),
    };
    let mut results = [[0.0; 4]; WARP];
    for (lane, results) in results.iter_mut().enumerate() {
        for (i, result) in results.iter_mut().enumerate() {
            // A lane has pairs of two rows, 8 apart.
            let (row, half, column) = (lane / 4, i / 2, lane % 4 * 2 + i % 2);
            *result = part(&warp[lane], sums, i, 4)?;
            for k in 0..4 {
                let a = part(&warp[row * 4 + k], a, half, 2)?;
                let b = part(&warp[column * 4 + k], b, 0, 1)?;
                *result = a.mul_add(b, *result);
            }
        }
    }
    let Operand::List(to) = to else { return fault("the destination is no register") };
    for (thread, results) in warp.iter_mut().zip(results) {
        to.iter().zip(results).for_each(|(&to, result)| thread.write(to, result.to_bits()));
        thread.state = State::Runs;
    }
    Ok(true)
}
