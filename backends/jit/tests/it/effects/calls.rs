//! Functions: what they do where they are called, what passes make of them, and what the verifier refuses.

use super::{choice, of_f32, of_i64, run, targets, to_f32, to_i64};
use ivy_backend_jit::ir::{Code, Cycle, Kernel, in_order, verify};
use ivy_backend_jit::passes;
use ivy_backend_jit::program::Order;

const SHAPES: &str = "\
function square(f32) -> (f32) {
  elements {
    <f32> %0 = argument 0
    <f32> %1 = mul %0 %0
    return %1
  }
}
function circle(f32) -> (f32) {
  <f32> %0 = const 0x40490fdb
  elements {
    <f32> %1 = argument 0
    %2 = call square %1
    <f32> %3 = result %2 0
    <f32> %4 = mul %0 %3
    return %4
  }
}
function also_square(f32) -> (f32) {
  elements {
    <f32> %0 = argument 0
    <f32> %1 = mul %0 %0
    return %1
  }
}
table 0 = square, circle, also_square
kernel with effects($0: count i64, $1: memory i64, $2: memory f32) {
  <i64> %0 = memory $1
  <f32> %1 = memory $2
  elements {
    <i64> %2 = load $0
    <i64> %3 = load_at %0 %2
    <f32> %4 = load_at %1 %2
    %5 = call_table 0 %3 %4
    <f32> %6 = result %5 0
    store_at %1 %2 %6
  }
}
";

fn shapes() -> Kernel {
    let kernel: Kernel = SHAPES.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&kernel), Ok(()));
    assert_eq!(kernel.to_string(), SHAPES);
    kernel
}

/// Each element calls another function; where its number is none's, the result is zero.
#[test]
fn functions_of_a_table() {
    let kinds: Vec<i64> = (0..40).map(|i| [0, 1, 2, 3, -1, 1 << 40][i % 6]).collect();
    let sizes: Vec<f32> = (0..40).map(|i| i as f32 / 4.0).collect();
    let area = |(&kind, &x): (&i64, &f32)| match kind {
        0 | 2 => x * x,
        1 => std::f32::consts::PI * (x * x),
        _ => 0.0,
    };
    let want: Vec<f32> = kinds.iter().zip(&sizes).map(area).collect();
    for (name, target) in targets() {
        for all in [false, true] {
            let given = [of_i64(&kinds), of_f32(&sizes)];
            let (got, _) = run(&target, &shapes(), (40, Order::Fast), choice(all), &given);
            assert_eq!(to_f32(&got[1]), want, "{name}");
        }
    }
}

#[test]
fn functions_that_do_the_same_are_one() {
    let mut kernel = shapes();
    passes::inline(&mut kernel);
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    assert!(kernel.calls.functions.is_empty() && !kernel.has(Code::CallTable), "{kernel}");
    let count =
        |code| kernel.blocks.iter().flatten().filter(|&&id| kernel.statement(id).code == code).count();
    // One conditional for both squares, and one for the circle.
    assert_eq!((count(Code::If), count(Code::Mul)), (2, 3), "{kernel}");
}

/// A function with memory of its own, which is all zeros in each call, and with effects, called in a loop.
#[test]
fn functions_with_effects() {
    let text = "\
function note(i64, i64) -> (i64) {
  <i64> %0 = memory $1
  <i64> %1 = const 1
  elements {
    <i64> %2 = alloca 3
    <i64> %3 = alloca 1
    <i64> %4 = argument 0
    <i64> %5 = argument 1
    <i64> %6 = load_at %2 %4
    <i64> %7 = add %6 %5
    store_at %2 %4 %7
    <i64> %8 = atomic_add %0 %4 %7
    <i64> %9 = load_at %2 %4
    return %9
  }
}
kernel with effects, in order($0: count i64, $1: memory i64) {
  <i64> %0 = const 0
  <i64> %1 = const 1
  <i64> %2 = const 3
  elements {
    <i64> %3 = load $0
    %4 = loop %0 {
      <i64> %5 = carried 0
      <bool> %6 = lt %5 %2
      while %6
      %7 = call note %5 %3
      <i64> %8 = result %7 0
      %9 = call note %5 %8
      <i64> %10 = add %5 %1
      next %10
    }
  }
}
";
    let kernel: Kernel = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&kernel), Ok(()));
    for (name, target) in targets() {
        for all in [false, true] {
            let (got, _) = run(&target, &kernel, (10, Order::Serial), choice(all), &[of_i64(&[0; 3])]);
            assert_eq!(to_i64(&got[0]), [90; 3], "{name}");
        }
    }
}

#[test]
fn cycles_are_named() {
    let names = ["main", "a", "b", "c"].map(String::from);
    assert_eq!(in_order(&names, &[vec![1, 2], vec![2], vec![3], vec![]]), Ok(vec![3, 2, 1, 0]));
    let cycle = in_order(&names, &[vec![1], vec![2], vec![3], vec![1]]).unwrap_err();
    assert_eq!(cycle, Cycle { names: ["a", "b", "c", "a"].map(String::from).to_vec() });
    assert_eq!(cycle.to_string(), "functions that call each other: a -> b -> c -> a");
    let cycle = in_order(&names, &[vec![0], vec![], vec![], vec![]]).unwrap_err();
    assert_eq!(cycle.names, ["main", "main"]);
    // Long chains need no deep stack.
    let many: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    let calls: Vec<Vec<usize>> =
        (0..100_000).map(|n| if n == 99_999 { vec![] } else { vec![n + 1] }).collect();
    assert_eq!(in_order(&many, &calls).unwrap()[0], 99_999);
}

#[test]
fn what_the_verifier_refuses() {
    let rule = |from: &str, to: &str| {
        let text = SHAPES.replacen(from, to, 1);
        assert_ne!(text, SHAPES);
        let kernel: Kernel = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&kernel).unwrap_err().rule
    };
    assert_eq!(rule("kernel with effects", "kernel"), 21, "functions are for kernels with effects");
    assert_eq!(rule("return %1", "<f32> %2 = add %1 %1"), 21, "a function gives its results");
    assert_eq!(rule("-> (f32)", "-> (f64)"), 21, "of their types");
    assert_eq!(rule("argument 0", "argument 1"), 21, "no such argument");
    assert_eq!(rule("store_at %1 %2 %6", "return %6"), 21, "a kernel gives nothing");
    assert_eq!(rule("result %5 0", "result %5 1"), 13, "no such result");
    assert_eq!(rule("call_table 0 %3 %4", "call_table 1 %3 %4"), 22, "no such table");
    assert_eq!(rule("call_table 0 %3 %4", "call_table 0 %3 %3"), 22, "another type");
    assert_eq!(rule("call_table 0 %3 %4", "call_table 0 %4 %4"), 22, "the place is an i64");
    assert_eq!(rule("call_table 0 %3 %4", "call circle %4 %4"), 22, "one operand too many");
    // Names that are another one's, and that are no words.
    let mut kernel = shapes();
    for name in ["circle", "", "two words"] {
        kernel.calls.functions[2].name = name.into();
        assert_eq!(verify(&kernel).unwrap_err().rule, 21);
    }
    // A function that calls itself, or one behind it.
    let mut kernel = shapes();
    let calls = |kernel: &mut Kernel, number| {
        let body = &mut kernel.calls.functions[1].body;
        body.statements.iter_mut().filter(|s| s.code == Code::Call).for_each(|s| s.imm = number);
    };
    for number in [1, 2, 9] {
        calls(&mut kernel, number);
        assert_eq!(verify(&kernel).unwrap_err().rule, 22);
    }
    // Calls that double in each function.
    let mut text = "function f0() -> () {\n  elements {\n    return\n  }\n}\n".to_string();
    for n in 1..40 {
        let before = n - 1;
        text += &format!("function f{n}() -> () {{\n  elements {{\n");
        text += &format!("    %0 = call f{before}\n    %1 = call f{before}\n    return\n  }}\n}}\n");
    }
    text += "kernel with effects() {\n  elements {\n    %0 = call f39\n  }\n}\n";
    let kernel: Kernel = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let broken = verify(&kernel).unwrap_err();
    assert_eq!((broken.rule, broken.what), (22, "with its calls inlined, a kernel is too large"));
    let error = SHAPES.replacen("call square", "call circle", 1).parse::<Kernel>().unwrap_err();
    assert_eq!(error.to_string(), "line 12: expected a function that stands before, found `circle`");
}
