//! Between which numbers the integers of a task lie, as far as that is known when it is compiled: an index within its field
//! needs no check.

use crate::ir::{Code, Data, Id, Ir, Limit, TaskKind};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

/// How deep expressions are followed.
const DEPTH: usize = 16;

/// The least and the greatest number that a value may be; `None` where nothing is known. Sums that might wrap are not.
pub(super) fn range(ir: &Ir, task: Id, id: Id) -> Option<(i64, i64)> {
    bounded(ir, task, id, DEPTH)
}

fn bounded(ir: &Ir, task: Id, id: Id, depth: usize) -> Option<(i64, i64)> {
    let depth = depth.checked_sub(1)?;
    let s = ir.statement(id);
    let of = |n: usize| bounded(ir, task, s.operands[n], depth);
    let (least, most) = match (s.code, &s.data) {
        (Code::Constant, &Data::Bits(bits)) => {
            let number = number(s.ty?, bits)?;
            (number, number)
        }
        (Code::LoopIndex, _) if s.operands[0] == task => match ir.statement(task).data {
            Data::Task(TaskKind::RangeFor { begin, end: Limit::Known(end) }) if begin < end => {
                (begin, end - 1)
            }
            _ => return None,
        },
        (Code::Cast, _) => of(0)?,
        (Code::Select, _) => {
            let (a, b) = (of(1)?, of(2)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        (Code::Binary, &Data::Binary(op)) => {
            let (a, b) = (of(0)?, of(1)?);
            let by = (b.0 == b.1 && b.0 > 0).then_some(b.0);
            match op {
                BinaryOp::Add => (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?),
                BinaryOp::Sub => (a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?),
                BinaryOp::Mul => (a.0.checked_mul(by?)?, a.1.checked_mul(by?)?),
                BinaryOp::Div | BinaryOp::FloorDiv if a.0 >= 0 => (a.0 / by?, a.1 / by?),
                BinaryOp::Mod | BinaryOp::RawMod if a.0 >= 0 => (0, a.1.min(by? - 1)),
                BinaryOp::BitAnd if b.0 >= 0 => (0, b.1),
                BinaryOp::Max => (a.0.max(b.0), a.1.max(b.1)),
                BinaryOp::Min => (a.0.min(b.0), a.1.min(b.1)),
                _ => return None,
            }
        }
        _ => return None,
    };
    let (first, last) = limits(s.ty?)?;
    (first <= least && most <= last).then_some((least, most))
}

/// A constant of an integer type.
fn number(ty: PrimitiveType, bits: u64) -> Option<i64> {
    Some(match ty {
        PrimitiveType::I8 => i64::from(bits as i8),
        PrimitiveType::I16 => i64::from(bits as i16),
        PrimitiveType::I32 => i64::from(bits as i32),
        PrimitiveType::I64 => bits as i64,
        PrimitiveType::U8 => i64::from(bits as u8),
        PrimitiveType::U16 => i64::from(bits as u16),
        PrimitiveType::U32 => i64::from(bits as u32),
        PrimitiveType::U64 => i64::try_from(bits).ok()?,
        _ => return None,
    })
}

/// The least and the greatest number of an integer type, as far as i64 has them.
fn limits(ty: PrimitiveType) -> Option<(i64, i64)> {
    Some(match ty {
        PrimitiveType::I8 => (i8::MIN.into(), i8::MAX.into()),
        PrimitiveType::I16 => (i16::MIN.into(), i16::MAX.into()),
        PrimitiveType::I32 => (i32::MIN.into(), i32::MAX.into()),
        PrimitiveType::I64 => (i64::MIN, i64::MAX),
        PrimitiveType::U8 => (0, u8::MAX.into()),
        PrimitiveType::U16 => (0, u16::MAX.into()),
        PrimitiveType::U32 => (0, u32::MAX.into()),
        PrimitiveType::U64 => (0, i64::MAX),
        _ => return None,
    })
}
