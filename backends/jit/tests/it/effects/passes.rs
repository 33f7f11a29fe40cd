//! What passes make of kernels with effects. That they change no result, random programs show.

use super::{ELEMENT, FREE, choice, memory, uniform};
use ivy_backend_jit::ir::{Builder, Code, Id, Kernel, Type, verify};
use ivy_backend_jit::passes;

fn optimized(b: Builder) -> Kernel {
    let mut kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    passes::run(&mut kernel, passes::pipeline(choice(true)));
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    kernel
}

fn count(kernel: &Kernel, code: Code) -> usize {
    kernel.blocks.iter().flatten().filter(|&&id| kernel.statement(id).code == code).count()
}

fn two() -> (Builder, Id, [Id; 2]) {
    let params = vec![ELEMENT, memory(Type::I64), memory(Type::I64), uniform(Type::I64)];
    let mut b = Builder::with_effects(params, FREE);
    let i = b.load(0, 0);
    let memories = [1, 2].map(|n| b.memory(n));
    (b, i, memories)
}

/// A variable that each iteration sets before its test is a value, unless somebody asks for it after the loop, or an iteration reads
/// what the one before has set.
#[test]
fn variables_of_tests_become_values() {
    let kernel = |read_after: bool, read_first: bool| {
        let (mut b, i, [x, out]) = two();
        let (flag, count) = (b.alloca(Type::I64, 1), b.alloca(Type::I64, 1));
        let [zero, one] = [0, 1].map(|n| b.constant(Type::I64, n));
        let (open, carried) = b.open_loop(&[zero]);
        if read_first {
            let before = b.get(flag);
            b.set(count, before);
        }
        let value = b.load_at(x, carried[0]);
        b.set(flag, value);
        let more = b.binary(Code::Lt, zero, value);
        let mut inside = b.open_if(more);
        let less = b.binary(Code::Sub, value, one);
        b.set(flag, less);
        b.otherwise(&mut inside, &[]);
        b.close_if(inside, &[]);
        let test = b.get(flag);
        let goes_on = b.binary(Code::Lt, zero, test);
        b.while_true(goes_on);
        let next = b.binary(Code::Add, carried[0], one);
        b.close_loop(open, &[next]);
        let last = if read_after { b.get(flag) } else { zero };
        let sum = b.get(count);
        let last = b.binary(Code::Add, last, sum);
        b.store_at(out, i, last);
        optimized(b)
    };
    assert_eq!(count(&kernel(false, false), Code::Alloca), 0);
    assert!(count(&kernel(true, false), Code::Alloca) > 0);
    assert!(count(&kernel(false, true), Code::Alloca) > 0);
}

/// Sums places until one is negative, by variables.
#[test]
fn variables_become_values() {
    let (mut b, i, [x, out]) = two();
    let (sum, at) = (b.alloca(Type::I64, 1), b.alloca(Type::I64, 1));
    let [zero, one] = [0, 1].map(|n| b.constant(Type::I64, n));
    b.set(at, i);
    let (open, _) = b.open_loop(&[]);
    let place = b.get(at);
    let value = b.load_at(x, place);
    let more = b.binary(Code::Le, zero, value);
    b.while_true(more);
    let odd = b.binary(Code::And, value, one);
    let odd = b.convert(odd, Type::Bool);
    let mut open_if = b.open_if(odd);
    let before = b.get(sum);
    let after = b.binary(Code::Add, before, value);
    b.set(sum, after);
    b.otherwise(&mut open_if, &[]);
    b.close_if(open_if, &[]);
    let next = b.binary(Code::Add, place, one);
    b.set(at, next);
    b.close_loop(open, &[]);
    let sum = b.get(sum);
    b.store_at(out, i, sum);
    let kernel = optimized(b);
    assert_eq!(count(&kernel, Code::Alloca), 0, "{kernel}");
    assert_eq!((count(&kernel, Code::LoadAt), count(&kernel, Code::StoreAt)), (1, 1), "{kernel}");
    assert_eq!(count(&kernel, Code::Carried), 2, "{kernel}");
}

/// A variable that is set before the test of a loop is not what the loop carries.
#[test]
fn what_a_test_sets_stays_in_memory() {
    let (mut b, i, [_, out]) = two();
    let at = b.alloca(Type::I64, 1);
    let [one, ten] = [1, 10].map(|n| b.constant(Type::I64, n));
    let (open, _) = b.open_loop(&[]);
    let before = b.get(at);
    let next = b.binary(Code::Add, before, one);
    b.set(at, next);
    let more = b.binary(Code::Lt, next, ten);
    b.while_true(more);
    b.close_loop(open, &[]);
    let last = b.get(at);
    b.store_at(out, i, last);
    let kernel = optimized(b);
    assert_eq!(count(&kernel, Code::Alloca), 1, "{kernel}");
}

#[test]
fn what_was_read_or_written_is_not_read_again() {
    let (mut b, i, [x, out]) = two();
    let one = b.constant(Type::I64, 1);
    let first = b.load_at(x, i);
    let again = b.load_at(x, i);
    // Another place of the same memory, known to be another, does not change it.
    let next = b.binary(Code::Add, i, one);
    b.store_at(x, next, first);
    let third = b.load_at(x, i);
    let written = b.load_at(x, next);
    let sum = b.binary(Code::Add, again, third);
    let sum = b.binary(Code::Add, sum, written);
    b.store_at(out, i, sum);
    let kernel = optimized(b);
    assert_eq!(count(&kernel, Code::LoadAt), 1, "{kernel}");
    // What was written is zero where it is out of bounds.
    assert_eq!(count(&kernel, Code::InBounds), 1, "{kernel}");
}

#[test]
fn reads_do_not_move_over_writes() {
    let (mut b, i, [x, out]) = two();
    let other = b.load(3, 0);
    let first = b.load_at(x, i);
    // A place that may be the same.
    b.store_at(x, other, i);
    let second = b.load_at(x, i);
    // A lock: what others have written may be seen after it.
    let one = b.constant(Type::I64, 1);
    b.atomic(Code::AtomicExchange, out, other, one);
    let third = b.load_at(x, i);
    let sum = b.binary(Code::Add, first, second);
    let sum = b.binary(Code::Add, sum, third);
    b.store_at(out, i, sum);
    assert_eq!(count(&optimized(b), Code::LoadAt), 3);
}

#[test]
fn loops_keep_what_they_change() {
    let (mut b, i, [x, out]) = two();
    let other = b.load(3, 0);
    let [zero, one] = [0, 1].map(|n| b.constant(Type::I64, n));
    let (open, iteration) = b.open_loop(&[zero]);
    let more = b.binary(Code::Lt, iteration[0], i);
    b.while_true(more);
    let (fixed, changing) = (b.load_at(x, other), b.load_at(out, other));
    let sum = b.binary(Code::Add, fixed, changing);
    b.store_at(out, i, sum);
    let next = b.binary(Code::Add, iteration[0], one);
    b.close_loop(open, &[next]);
    let kernel = optimized(b);
    let inside = kernel.body().iter().find(|&&id| kernel.statement(id).code == Code::Loop).unwrap();
    let block = &kernel.blocks[kernel.statement(*inside).imm as usize];
    let loads = block.iter().filter(|&&id| kernel.statement(id).code == Code::LoadAt).count();
    assert_eq!((loads, count(&kernel, Code::LoadAt)), (1, 2), "{kernel}");
}

#[test]
fn what_is_written_over_goes() {
    let (mut b, i, [x, out]) = two();
    let own = b.alloca(Type::I64, 4);
    let other = b.load(3, 0);
    b.store_at(x, i, other);
    b.store_at(own, other, i);
    b.store_at(x, i, i);
    // Read between: it stays.
    b.store_at(out, i, other);
    let read = b.load_at(out, other);
    b.store_at(out, i, read);
    let kernel = optimized(b);
    assert_eq!(count(&kernel, Code::StoreAt), 3, "{kernel}");
    assert_eq!(count(&kernel, Code::Alloca), 0, "{kernel}");
}

/// A loop that gives nothing goes only where it changes nothing.
#[test]
fn effects_stay() {
    for writes in [false, true] {
        let (mut b, i, [x, out]) = two();
        let [zero, one] = [0, 1].map(|n| b.constant(Type::I64, n));
        let (open, iteration) = b.open_loop(&[zero]);
        let more = b.binary(Code::Lt, iteration[0], i);
        b.while_true(more);
        let value = b.load_at(x, iteration[0]);
        let mut open_if = b.open_if(more);
        if writes {
            b.atomic(Code::AtomicAdd, out, zero, value);
        }
        b.otherwise(&mut open_if, &[]);
        b.close_if(open_if, &[]);
        let next = b.binary(Code::Add, iteration[0], one);
        b.close_loop(open, &[next]);
        b.store_at(out, i, one);
        let kernel = optimized(b);
        assert_eq!(count(&kernel, Code::Loop), usize::from(writes), "{kernel}");
        assert_eq!(count(&kernel, Code::AtomicAdd), usize::from(writes), "{kernel}");
    }
}

#[test]
fn printed() {
    let (mut b, i, [x, _]) = two();
    let own = b.alloca(Type::I64, 1);
    b.set(own, i);
    let value = b.get(own);
    b.atomic(Code::AtomicMax, x, value, i);
    let text = b.finish().to_string();
    let lines = [
        "kernel with effects($0: count i64, $1: memory i64, $2: memory i64, $3: uniform i64) {",
        "<i64> %1 = memory $1",
        "<i64> %3 = alloca 1",
        "store_at %3 %4 %0",
        "<i64> %7 = load_at %3 %6",
        "<i64> %8 = atomic_max %1 %7 %0",
    ];
    lines.into_iter().for_each(|line| assert!(text.contains(line), "{line}:\n{text}"));
}

/// Short branches are computed and selected of; what divides, reads or writes stays in a branch.
#[test]
fn short_branches_become_selects() {
    let kernel = |code: Code, writes: bool| {
        let (mut b, i, [x, out]) = two();
        let (value, by) = (b.load_at(x, i), b.load(3, 0));
        let at = b.alloca(Type::I64, 1);
        let less = b.binary(Code::Lt, value, by);
        let mut open = b.open_if(less);
        let sum = b.binary(code, value, by);
        b.set(at, sum);
        b.otherwise(&mut open, &[]);
        b.set(at, by);
        if writes {
            b.store_at(x, i, by);
        }
        b.close_if(open, &[]);
        let last = b.get(at);
        b.store_at(out, i, last);
        let kernel = optimized(b);
        [Code::If, Code::Select].map(|code| count(&kernel, code))
    };
    assert_eq!(kernel(Code::Mul, false), [0, 1]);
    assert_eq!(kernel(Code::Rem, false), [1, 0]);
    assert_eq!(kernel(Code::Mul, true), [1, 0]);
}

/// A variable of a branch is nobody else's: its loop and its conditional give nothing for it, unless its value stays for the next time.
#[test]
fn variables_of_branches_are_not_given() {
    let kernel = |reads_first: bool| {
        let (mut b, i, [x, out]) = two();
        let (zero, one) = (b.constant(Type::I64, 0), b.constant(Type::I64, 1));
        let at = b.alloca(Type::I64, 1);
        let (open, carried) = b.open_loop(&[zero]);
        let value = b.load_at(x, carried[0]);
        let more = b.binary(Code::Lt, zero, value);
        b.while_true(more);
        let some = b.binary(Code::Lt, one, value);
        let mut inside = b.open_if(some);
        let before = if reads_first { b.get(at) } else { zero };
        let sum = b.binary(Code::Div, value, before);
        b.set(at, sum);
        let last = b.get(at);
        b.store_at(out, last, i);
        b.otherwise(&mut inside, &[]);
        b.close_if(inside, &[]);
        let next = b.binary(Code::Add, carried[0], one);
        b.close_loop(open, &[next]);
        optimized(b)
    };
    assert_eq!([false, true].map(|first| count(&kernel(first), Code::Carried)), [1, 2]);
    assert_eq!([false, true].map(|first| count(&kernel(first), Code::Alloca)), [0, 0]);
}

/// Truth values that were integers in between are themselves, and choices by them are conjunctions.
#[test]
fn truth_values_are_not_converted() {
    let (mut b, i, [x, out]) = two();
    let (value, by) = (b.load_at(x, i), b.load(3, 0));
    let (zero, one) = (b.constant(Type::I64, 0), b.constant(Type::I64, 1));
    let [less, more] = [Code::Lt, Code::Le].map(|code| b.binary(code, value, by));
    let [a, c] = [less, more].map(|truth| b.convert(truth, Type::I64));
    let is = b.binary(Code::Ne, a, zero);
    let both = b.select(is, c, a);
    let both = b.convert(both, Type::Bool);
    let chosen = b.select(both, one, by);
    b.store_at(out, i, chosen);
    let kernel = optimized(b);
    let codes = [Code::Convert, Code::Ne, Code::And, Code::Select].map(|code| count(&kernel, code));
    assert_eq!(codes, [0, 0, 1, 1], "{kernel}");
}

/// What launches guarantee decides comparisons, and with them what is chosen.
#[test]
fn guarantees_decide_comparisons() {
    let (mut b, i, [x, out]) = two();
    let (end, nowhere) = (b.constant(Type::I64, 100), b.constant(Type::I64, u64::MAX));
    let inside = b.binary(Code::Lt, i, end);
    let at = b.select(inside, i, nowhere);
    let rest = b.binary(Code::Rem, at, end);
    let there = b.in_bounds(x, rest);
    let value = b.load_at(x, rest);
    let value = b.select(there, value, nowhere);
    b.store_at(out, at, value);
    b.guarantee_elements(0..100);
    b.guarantee_length(1, 100);
    let kernel = optimized(b);
    let codes = [Code::Lt, Code::Select, Code::Rem, Code::InBounds].map(|code| count(&kernel, code));
    assert_eq!(codes, [0, 0, 0, 0], "{kernel}");
}
