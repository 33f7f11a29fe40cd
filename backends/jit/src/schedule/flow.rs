//! Steps as statements: operations one after the other, loops and conditionals as blocks.

use super::{Do, STEP, Step, formless, gather, pad};
use crate::ir::{Builder, Code, Conditional, Id, Loop, Type};
use crate::lower::{Effect, Parts, effect, lower, memory};
use crate::trace::NONE;
use ivy_core::{Dtype, Result};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// What has been written so far: the values of inputs and steps.
pub(super) struct Written {
    pub(super) inputs: Vec<(Dtype, Parts)>,
    pub(super) values: Vec<(Dtype, Parts)>,
    /// The memory of a kernel that has effects.
    pub(super) effects: Option<Memories>,
}

/// The memory that a kernel with effects names.
pub(super) struct Memories {
    /// By input, what is gathered from, and the place from which distances count.
    pub(super) gathered: Vec<Option<(Id, Id)>>,
    pub(super) targets: Vec<Id>,
    /// The number of the element.
    pub(super) element: Id,
    pub(super) log: Id,
    /// Whether indices may be recorded that are out of range, which end the loops.
    pub(super) checked: bool,
}

impl Memories {
    /// The place that an index means along an axis; one that is out of range is recorded, and means the first place.
    fn index(&self, b: &mut Builder, index: Id, length: Id) -> Id {
        let (place, inside) = gather::place(b, index, length);
        let outside = b.unary(Code::Not, inside);
        b.record(outside, 0, self.element, &[]);
        place
    }

    /// Whether a loop goes on: no index was out of range by now.
    fn goes_on(&self, b: &mut Builder, test: Id) -> Id {
        if !self.checked {
            return test;
        }
        let zero = b.constant(Type::I64, 0);
        let records = b.load_at(self.log, zero);
        let none = b.binary(Code::Eq, records, zero);
        b.binary(Code::And, test, none)
    }

    /// Puts an update at a distance in a target.
    fn scatter(&self, b: &mut Builder, target: u8, effect: Effect, distance: Id, update: Id) {
        let memory = self.targets[usize::from(target)];
        match effect {
            Effect::Atomic(code) => {
                b.atomic(code, memory, distance, update);
            }
            Effect::Mark(value) => {
                let marks = if value { update } else { b.unary(Code::Not, update) };
                let mut open = b.open_if(marks);
                let value = b.constant(Type::Bool, u64::from(value));
                b.store_at(memory, distance, value);
                b.otherwise(&mut open, &[]);
                b.close_if(open, &[]);
            }
        }
    }
}

/// A block that is being written.
enum Open {
    Loop(Loop),
    If(Conditional),
}

/// A loop or conditional that is being written: the parts of each thing that comes out of it, and
/// those that its block gives so far.
struct Around {
    open: Open,
    counts: Vec<usize>,
    given: Vec<Id>,
    /// Of a loop that is to stop: how often it has gone round, and may.
    iterations: Option<[Id; 2]>,
}

/// The part of the flag that a loop sets which has gone round as often as it may.
const ITERATIONS: u32 = 1;

impl Written {
    /// The value of a number.
    pub(super) fn of(&self, number: u32) -> &(Dtype, Parts) {
        match number & STEP {
            0 => &self.inputs[number as usize],
            _ => &self.values[(number ^ STEP) as usize],
        }
    }

    /// Writes all steps.
    ///
    /// # Errors
    /// An operation without a form.
    pub(super) fn steps(&mut self, b: &mut Builder, steps: &[Step]) -> Result<()> {
        let mut around: Vec<Around> = Vec::new();
        let mut carried: VecDeque<Parts> = VecDeque::new();
        let nothing = || formless("a block that is not one".into());
        for (at, step) in steps.iter().enumerate() {
            let first = || &self.of(step.operands[0]).1;
            let mut value = Parts::new();
            match step.what {
                Do::Apply(kind) => {
                    let operands: SmallVec<[(Dtype, &Parts); 3]> = (step.operands.iter())
                        .filter(|&&o| o != NONE)
                        .map(|&o| {
                            let (dtype, parts) = self.of(o);
                            (*dtype, parts)
                        })
                        .collect();
                    let made = lower(b, kind, step.dtype, &operands);
                    value = made.ok_or_else(|| formless(format!("{kind:?} of {}", step.dtype)))?;
                }
                Do::Constant([low, high]) => {
                    let (ty, _) = memory(step.dtype).ok_or_else(nothing)?;
                    value.push(b.constant(ty, u64::from(high) << 32 | u64::from(low)));
                }
                Do::Index => {
                    let (index, length) = (first()[0], self.of(step.operands[1]).1[0]);
                    value.push(match &self.effects {
                        Some(memories) => memories.index(b, index, length),
                        None => gather::index(b, index, length),
                    });
                }
                Do::Scatter(op, target) => {
                    let (distance, (dtype, update)) = (first()[0], self.of(step.operands[1]));
                    let effect = effect(op, *dtype).ok_or_else(|| formless(format!("{op:?} of {dtype}")))?;
                    let memories = self.effects.as_ref().ok_or_else(nothing)?;
                    memories.scatter(b, target, effect, distance, update[0]);
                }
                Do::Inside => {
                    let length = self.of(step.operands[1]).1[0];
                    value.push(pad::inside(b, first()[0], length));
                }
                Do::Read => {
                    let [input, wanted, _] = step.operands;
                    let (wanted, parts) = (self.of(wanted).1[0], b.params()[input as usize].parts);
                    value = (0..parts).map(|part| b.load_where(input, part, wanted)).collect();
                }
                Do::Column(column) => {
                    let (all, each) = (first(), memory(step.dtype).map_or(1, |(_, parts)| parts as usize));
                    let begin = usize::from(column) * each;
                    value.extend_from_slice(all.get(begin..begin + each).ok_or_else(nothing)?);
                }
                Do::Append => {
                    value.extend_from_slice(first());
                    value.extend_from_slice(&self.of(step.operands[1]).1);
                }
                Do::Gather => {
                    let [input, distance, further] = step.operands;
                    let mut distance = self.of(distance).1[0];
                    if further != NONE {
                        distance = b.binary(Code::Add, distance, self.of(further).1[0]);
                    }
                    if let Some(memories) = &self.effects {
                        let (memory, from) = memories.gathered[input as usize].ok_or_else(nothing)?;
                        let at = b.binary(Code::Add, from, distance);
                        value.push(b.load_at(memory, at));
                    } else {
                        let parts = b.params()[input as usize].parts;
                        value = (0..parts).map(|part| b.gather(input, part, distance)).collect();
                    }
                }
                Do::Loop => {
                    let all = steps[at + 1..].iter().take_while(|s| s.what == Do::Carry);
                    let parts: Vec<&Parts> = all.map(|s| &self.of(s.operands[0]).1).collect();
                    let counts: Vec<usize> = parts.iter().map(|p| p.len()).collect();
                    let mut flat: Vec<Id> = parts.into_iter().flatten().copied().collect();
                    let most = (step.operands[0] != NONE).then(|| first()[0]);
                    // The last thing that it carries.
                    flat.extend(most.map(|_| b.constant(Type::I64, 0)));
                    let (open, ids) = b.open_loop(&flat);
                    carried = split(&ids, &counts);
                    let iterations = most.zip(ids.last()).map(|(most, &iteration)| [iteration, most]);
                    around.push(Around { open: Open::Loop(open), counts, given: Vec::new(), iterations });
                }
                Do::Carry | Do::Result => value = carried.pop_front().ok_or_else(nothing)?,
                Do::While => {
                    let test = first()[0];
                    let test = self.effects.as_ref().map_or(test, |memories| memories.goes_on(b, test));
                    b.while_true(test);
                    if let Some([iteration, most]) = around.last().and_then(|a| a.iterations) {
                        let may = b.binary(Code::Lt, iteration, most);
                        b.check(ITERATIONS, may);
                    }
                }
                Do::If => {
                    let open = Open::If(b.open_if(first()[0]));
                    around.push(Around { open, counts: Vec::new(), given: Vec::new(), iterations: None });
                }
                Do::Next | Do::Give => {
                    let inner = around.last_mut().ok_or_else(nothing)?;
                    inner.given.extend_from_slice(first());
                    if step.what == Do::Give {
                        inner.counts.push(first().len());
                    }
                }
                Do::Else => {
                    let inner = around.last_mut().ok_or_else(nothing)?;
                    let given = std::mem::take(&mut inner.given);
                    // Both branches count the same.
                    inner.counts.clear();
                    if let Open::If(open) = &mut inner.open {
                        b.otherwise(open, &given);
                    }
                }
                Do::End => {
                    let Around { open, counts, mut given, iterations } = around.pop().ok_or_else(nothing)?;
                    if let Some([iteration, _]) = iterations {
                        let one = b.constant(Type::I64, 1);
                        given.push(b.binary(Code::Add, iteration, one));
                    }
                    let ids = match open {
                        Open::Loop(open) => b.close_loop(open, &given),
                        Open::If(open) => b.close_if(open, &given),
                    };
                    carried = split(&ids, &counts);
                }
            }
            self.values.push((step.dtype, value));
        }
        Ok(())
    }
}

/// Values in the parts of each thing.
fn split(ids: &[Id], counts: &[usize]) -> VecDeque<Parts> {
    let mut rest = ids;
    let take = |&count: &usize| {
        let (first, others) = rest.split_at(count);
        rest = others;
        Parts::from_slice(first)
    };
    counts.iter().map(take).collect()
}
