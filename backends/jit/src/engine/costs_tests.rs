//! What operations count for where kernels are kept short, and the statements that they are lowered to.

use super::Engine;
use crate::cache::Generator;
use crate::lower::supports;
use crate::trace::Kind;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, Shape, UnaryOp};

/// The statements of a kernel of one operation, without those that read and write.
fn statements(kind: Kind, dtype: Dtype, operands: usize) -> Option<usize> {
    if !supports(kind, dtype, dtype) {
        return None;
    }
    let engine = Engine::new(Generator::Interp);
    let x = match dtype {
        Dtype::FLOAT32 => HostArray::from_vec(vec![0.5f32; 40], [40].into()),
        _ => HostArray::from_vec(vec![0.5f64; 40], [40].into()),
    };
    let x = engine.data(x?).ok()?;
    let y = engine.apply(kind, dtype, Shape::from(40), &vec![&x; operands]).ok()?;
    engine.evaluate(&y).ok()?;
    engine.take_history().first().map(|launch| launch.statements.saturating_sub(3))
}

#[test]
fn costs_are_near_the_statements() {
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        let unary = UnaryOp::ALL.iter().map(|&op| (Kind::Unary(op), 1));
        let binary = BinaryOp::ALL.iter().map(|&op| (Kind::Binary(op), 2));
        for (kind, operands) in unary.chain(binary) {
            let Some(true_cost) = statements(kind, dtype, operands) else { continue };
            let cost = usize::from(kind.cost(dtype));
            let near = true_cost <= 2 * cost + 20 && cost <= 2 * true_cost + 20;
            assert!(near, "{} of {dtype} takes {true_cost} statements, not {cost}", kind.name());
        }
    }
}
