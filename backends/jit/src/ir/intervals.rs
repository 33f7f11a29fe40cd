//! Interval analysis: between which numbers the integers of a kernel with effects are, as far as what its launches guarantee says.
//! Sums that might wrap are between none; what loops carry is not followed.

use super::{Access, Branches, Code, Id, Kernel, Place, Rule, Statement, Type};

/// The least and the greatest number that an integer may be; of truth values 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub least: i64,
    /// The greatest.
    pub most: i64,
}

impl Interval {
    const TRUTH: Interval = Interval { least: 0, most: 1 };

    /// One number only.
    pub const fn one(number: i64) -> Interval {
        Interval { least: number, most: number }
    }

    /// The number, if there is one only.
    pub fn number(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    /// True if all numbers are those of elements of memory that has so many.
    pub fn is_below(self, length: u64) -> bool {
        self.least >= 0 && (self.most as u64) < length
    }

    /// The least interval around both.
    pub fn join(self, other: Interval) -> Interval {
        Interval { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Both ends by a function that keeps their order.
    fn map(self, f: impl Fn(i64) -> Option<i64>) -> Option<Interval> {
        Some(Interval { least: f(self.least)?, most: f(self.most)? })
    }
}

/// By statement, between which numbers its value is for every element; `None` where nothing is known.
pub fn intervals(kernel: &Kernel) -> Vec<Option<Interval>> {
    let mut found = vec![None; kernel.statements.len()];
    block(kernel, 0, &mut found);
    found
}

fn block(kernel: &Kernel, number: usize, found: &mut [Option<Interval>]) {
    for &id in &kernel.blocks[number] {
        kernel.held(id).into_iter().for_each(|held| block(kernel, held, found));
        let s = kernel.statement(id);
        let limits = limits(s.ty);
        let fits = |own: &Interval| limits.is_some_and(|l| l.least <= own.least && own.most <= l.most);
        let of = |id: Id| found[id.0 as usize];
        found[id.0 as usize] = value(kernel, s, &of).filter(fits).or(limits.filter(|_| s.ty == Type::Bool));
    }
}

fn value(kernel: &Kernel, s: &Statement, of: &impl Fn(Id) -> Option<Interval>) -> Option<Interval> {
    let operand = |n: usize| of(s.operands[n]);
    match s.code.rule() {
        Rule::Constant => constant(s.ty, s.imm).map(Interval::one),
        Rule::Load if matches!(kernel.params[Place::of(s.imm).param as usize].access, Access::Counter(_)) => {
            let own = kernel.guarantees.elements.as_ref().filter(|own| !own.is_empty())?;
            Some(Interval { least: own.start, most: own.end - 1 })
        }
        // Numbers outside of the new type's are none in it.
        Rule::Convert | Rule::Bitcast if s.ty != Type::Bool => operand(0),
        Rule::InBounds => {
            operand(1)?.is_below(kernel.least_length(s.operands[0])).then_some(Interval::one(1))
        }
        Rule::Unary(_) if s.code == Code::Not && s.ty == Type::Bool => {
            operand(0).map(|x| Interval { least: 1 - x.most, most: 1 - x.least })
        }
        Rule::Binary(_) => binary(s, operand(0)?, operand(1)?),
        Rule::Compare(_) => Some(compare(s.code, operand(0)?, operand(1)?)),
        Rule::Select => select(kernel, s, of),
        Rule::Result => {
            let holder = kernel.statement(s.operands[0]);
            if holder.code != Code::If {
                return None;
            }
            let Branches { then, otherwise } = Branches::of(holder.imm);
            let given = |block: u32| {
                let end = kernel.statement(*kernel.blocks[block as usize].last()?);
                of(*end.operands.get(s.imm as usize)?)
            };
            Some(given(then)?.join(given(otherwise)?))
        }
        _ => None,
    }
}

/// The results of an operation of integers in two intervals, if none of them wraps.
pub fn binary(s: &Statement, a: Interval, b: Interval) -> Option<Interval> {
    let by = b.number();
    let positive = by.filter(|&by| by > 0);
    let both = (a.number(), b.number());
    match s.code {
        Code::Add => {
            Some(Interval { least: a.least.checked_add(b.least)?, most: a.most.checked_add(b.most)? })
        }
        Code::Sub => {
            Some(Interval { least: a.least.checked_sub(b.most)?, most: a.most.checked_sub(b.least)? })
        }
        Code::Mul => {
            let (x, by) = positive.map(|by| (a, by)).or(a.number().filter(|&a| a > 0).map(|by| (b, by)))?;
            x.map(|x| x.checked_mul(by))
        }
        Code::Div if a.least >= 0 => a.map(|x| x.checked_div(positive?)),
        Code::Rem if a.least >= 0 => match positive? {
            by if a.most < by => Some(a),
            by => Some(Interval { least: 0, most: by - 1 }),
        },
        Code::And => match both {
            (Some(a), Some(b)) => Some(Interval::one(a & b)),
            _ if a.least >= 0 && b.least >= 0 => Some(Interval { least: 0, most: a.most.min(b.most) }),
            _ if a.least >= 0 => Some(Interval { least: 0, most: a.most }),
            _ if b.least >= 0 => Some(Interval { least: 0, most: b.most }),
            _ => None,
        },
        Code::Or if s.ty == Type::Bool => {
            Some(Interval { least: a.least.max(b.least), most: a.most.max(b.most) })
        }
        Code::Shr if a.least >= 0 || s.ty.is_signed() => {
            let by = by.filter(|by| (0..i64::from(s.ty.bits())).contains(by))?;
            a.map(|x| Some(x >> by))
        }
        Code::Shl => {
            let by = by.filter(|by| (0..i64::from(s.ty.bits().min(63))).contains(by))?;
            a.map(|x| x.checked_mul(1 << by))
        }
        _ => None,
    }
}

/// The results of a comparison of integers in two intervals.
pub fn compare(code: Code, a: Interval, b: Interval) -> Interval {
    let apart = a.most < b.least || b.most < a.least;
    let equal = a.number().is_some() && a.number() == b.number();
    let (holds, fails) = match code {
        Code::Lt => (a.most < b.least, a.least >= b.most),
        Code::Le => (a.most <= b.least, a.least > b.most),
        Code::Eq => (equal, apart),
        Code::Ne => (apart, equal),
        _ => (false, false),
    };
    match (holds, fails) {
        (true, _) => Interval::one(1),
        (_, true) => Interval::one(0),
        _ => Interval::TRUTH,
    }
}

/// A choice by a condition: one of them where that is known, the lesser or the greater where it compares them.
fn select(kernel: &Kernel, s: &Statement, of: &impl Fn(Id) -> Option<Interval>) -> Option<Interval> {
    let (c, x, y) = (s.operands[0], s.operands[1], s.operands[2]);
    match of(c).and_then(Interval::number) {
        Some(1) => return of(x),
        Some(0) => return of(y),
        _ => {}
    }
    let (a, b) = (of(x)?, of(y)?);
    let condition = kernel.statement(c);
    if matches!(condition.code, Code::Lt | Code::Le) {
        match condition.operands[..] {
            [p, q] if (p, q) == (x, y) => {
                return Some(Interval { least: a.least.min(b.least), most: a.most.min(b.most) });
            }
            [p, q] if (p, q) == (y, x) => {
                return Some(Interval { least: a.least.max(b.least), most: a.most.max(b.most) });
            }
            _ => {}
        }
    }
    Some(a.join(b))
}

/// A constant's number.
fn constant(ty: Type, bits: u64) -> Option<i64> {
    Some(match ty {
        Type::Bool | Type::U8 | Type::U16 | Type::U32 => bits as i64,
        Type::I8 => i64::from(bits as i8),
        Type::I16 => i64::from(bits as i16),
        Type::I32 => i64::from(bits as i32),
        Type::I64 => bits as i64,
        Type::U64 => i64::try_from(bits).ok()?,
        Type::F32 | Type::F64 => return None,
    })
}

/// The bits of a number in a type.
pub fn bits(ty: Type, number: i64) -> u64 {
    number as u64 & ty.mask()
}

/// The numbers of a type, as far as i64 has them.
pub fn limits(ty: Type) -> Option<Interval> {
    let most = |bits: u32| i64::MAX >> (64 - bits);
    Some(match ty {
        Type::Bool => Interval::TRUTH,
        ty if ty.is_float() => return None,
        ty if ty.is_signed() => Interval { least: -most(ty.bits()) - 1, most: most(ty.bits()) },
        Type::U64 => Interval { least: 0, most: i64::MAX },
        ty => Interval { least: 0, most: most(ty.bits() + 1) },
    })
}
