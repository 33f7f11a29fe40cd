//! What operations count for where kernels are kept short, and the statements that they are lowered to.

use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::engine::{Engine, Variable};
use ivy_backend_jit::internals::{cost, weigh, weight};
use ivy_backend_jit::lower::supports;
use ivy_backend_jit::trace::Kind;
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
            let cost = cost(kind, dtype);
            let near = true_cost <= 2 * cost + 20 && cost <= 2 * true_cost + 20;
            assert!(near, "{} of {dtype} takes {true_cost} statements, not {cost}", kind.name());
        }
    }
}

#[test]
fn what_is_shared_weighs_once() -> ivy_core::Result<()> {
    let engine = Engine::new(Generator::Interp);
    let ones = HostArray::from_vec(vec![1f32; 8], [8].into()).expect("as many as the shape has");
    let x = engine.data(ones)?;
    let apply = |op, x: &Variable, y: &Variable| {
        engine.apply(Kind::Binary(op), Dtype::FLOAT32, Shape::from(8), &[x, y])
    };
    // An operand that stands twice; then a lattice, whose paths double with each of its rows.
    let square = apply(BinaryOp::Multiply, &x, &x)?;
    let quartic = apply(BinaryOp::Multiply, &square, &square)?;
    assert_eq!((weight(&square), weight(&quartic)), (1, 2));
    let (mut a, mut b) = (quartic, square);
    for _ in 0..200 {
        (a, b) = (apply(BinaryOp::Add, &a, &b)?, apply(BinaryOp::Maximum, &a, &b)?);
    }
    let end = apply(BinaryOp::Subtract, &a, &b)?;
    assert_eq!(engine.counters().launches, 0, "nothing is evaluated that one kernel computes");
    assert!(weight(&end) <= 1024);
    let counted = weigh(&end);
    assert_eq!((counted, weight(&end)), (false, 2 + 2 * 200 + 1));
    Ok(())
}
