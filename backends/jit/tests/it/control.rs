//! Loops and conditionals in kernels, by each generator and with each choice of passes: what
//! Rust's own loops give for each element.

use crate::common;
use crate::common::flow;

use common::run_both;
use flow::{collatz, fibonacci, guarded, nested};
use ivy_backend_jit::ir::{Kernel, verify};
use ivy_backend_jit::passes::{self, Choice};

const CHOICES: [Choice; 4] =
    [choice(false, false), choice(true, false), choice(false, true), choice(true, true)];

/// Passes over loops: which of them, beside those of every choice here.
const fn choice(state: bool, hoisting: bool) -> Choice {
    Choice {
        promotion: false,
        selects: state,
        forwarding: false,
        state,
        hoisting,
        quick: false,
        tiered: false,
        abreast: true,
        notes: true,
        halves: true,
        short: false,
        apart: false,
        packing: true,
        twins: false,
        scalar: false,
        roots: false,
        pipelined: false,
    }
}

/// Compares a kernel with a function, for lengths that fill vectors and blocks, and do not.
fn check(kernel: &Kernel, values: impl Fn(u64) -> u64, want: impl Fn(u64) -> u64) {
    verify(kernel).unwrap();
    let whole = std::iter::once(kernel.clone());
    let passed = CHOICES.iter().map(|&choice| {
        let mut kernel = kernel.clone();
        passes::run(&mut kernel, passes::pipeline(choice));
        verify(&kernel).unwrap();
        kernel
    });
    for kernel in whole.chain(passed) {
        for length in [1, 63, 64, 256, 700] {
            let input: Vec<u64> = (0..length).map(&values).collect();
            let got = run_both(&kernel, std::slice::from_ref(&input));
            for (i, &x) in input.iter().enumerate() {
                assert_eq!(got[i], want(x), "element {i} of {length}: {x}\n{kernel}");
            }
        }
    }
}

#[test]
fn elements_end_when_they_like() {
    let count = |x: u64| {
        let (mut x, mut n) = (x as u32, 0);
        while x > 1 {
            x = if x % 2 == 1 { x * 3 + 1 } else { x >> 1 };
            n += 1;
        }
        n
    };
    check(&collatz(), |i| i * 7 % 1000, count);
    let mut kernel = collatz();
    insta::assert_snapshot!("collatz", kernel.to_string());
    passes::run(&mut kernel, passes::pipeline(CHOICES[3]));
    insta::assert_snapshot!("collatz_after_the_pipeline", kernel.to_string());
}

#[test]
fn what_is_carried_changes_at_once() {
    check(&fibonacci(), |i| i % 50, |x| (0..x).fold((0, 1), |(a, b), _| (b, a + b)).0);
}

#[test]
fn a_loop_in_a_block_is_for_those_who_get_there() {
    check(&guarded(), |i| i % 256, |x| if x % 2 == 1 { 10 } else { x / 2 });
}

#[test]
fn nested_loops_and_what_does_not_change() {
    let nested = nested();
    let want = |bits: u64| {
        let x = f64::from_bits(bits);
        let root = if x.sqrt() > 9.0 { x.sqrt() + 9.0 } else { x.sqrt() };
        let (mut sum, mut i) = (0.0, 0.0);
        while i < x - (x / 9.0).floor() * 9.0 {
            let mut y = 0.0;
            while y < i {
                sum = sum + root + y;
                y += 1.0;
            }
            i += 1.0;
        }
        f64::to_bits(sum)
    };
    check(&nested, |i| f64::to_bits(i as f64), want);
    for (name, choice) in [("plain", CHOICES[0]), ("trimmed", CHOICES[1]), ("hoisted", CHOICES[3])] {
        let mut kernel = nested.clone();
        passes::run(&mut kernel, passes::pipeline(choice));
        insta::assert_snapshot!(format!("nested_{name}"), kernel.to_string());
    }
}
