//! Kernels as text, and back.

use super::language::Random;
use super::lowering::kernel;
use super::{choice, of_f32, of_i64, run, targets};
use ivy_backend_jit::ir::{Guarantees, Kernel, ParseError, verify};
use ivy_backend_jit::passes;
use ivy_backend_jit::program::Order;

#[track_caller]
fn again(text: &str) -> Kernel {
    let parsed: Kernel = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(parsed.to_string(), text);
    assert_eq!(verify(&parsed), Ok(()), "{text}");
    parsed
}

/// Programs with functions. What passes make of a kernel has numbers without statements, and is read back as well.
#[test]
fn random_programs_come_back_and_do_the_same() {
    for seed in 0..40 {
        let mut random = Random(5000 + seed);
        let mut first = kernel(random.program(3, true));
        again(&first.to_string());
        passes::run(&mut first, passes::pipeline(choice(true)));
        let parsed = again(&first.to_string());
        let ints = |n: usize| of_i64(&(0..n as i64).collect::<Vec<_>>());
        let given = [ints(40), ints(148), ints(37), ints(7), of_f32(&[1.5; 148])];
        let of = |kernel: &Kernel| {
            let (_, target) = &targets()[0];
            run(target, kernel, (37, Order::Serial), choice(false), &given).0
        };
        assert_eq!(of(&parsed), of(&first), "{parsed}");
    }
}

/// Printed kernels of other tests: traced ones, with loops, conditionals, folds and gathers.
#[test]
fn snapshots_are_kernels() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots");
    let mut read = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for kernel in text.split("\n\n").flat_map(|part| part.split("---\n")) {
            if kernel.starts_with("kernel") {
                again(&format!("{}\n", kernel.trim_end()));
                read += 1;
            }
        }
    }
    assert!(read >= 8, "{read}");
}

#[test]
fn every_access_has_its_text() {
    let accesses = [
        "uniform",
        "in",
        "ahead",
        "strided",
        "step -1",
        "step 3 ahead",
        "transposed",
        "gather",
        "gather in",
        "gather strided",
        "guarded uniform",
        "guarded",
        "guarded strided",
        "guarded ahead",
        "count of rows",
        "count",
        "count by steps",
        "out",
        "stream",
        "sum along",
        "max of rows",
        "any across",
        "flag",
        "memory",
        "log",
        "$0 + 1",
        "guarded $3 + 4",
    ];
    for access in accesses {
        for parts in ["", " pair", " in 5 parts"] {
            let text = format!("kernel($0: {access} f32{parts}) {{\n}}\n");
            let parsed: Kernel = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(parsed.to_string(), text);
        }
    }
}

#[test]
fn what_is_no_kernel() {
    let of = |text: &str| -> ParseError { text.parse::<Kernel>().unwrap_err() };
    let body = |line: &str| of(&format!("kernel with effects($0: memory f32) {{\n{line}\n}}\n"));
    let cases = [
        (of(""), "line 1: expected a kernel, found `the end of the text`"),
        (of("kernel {"), "line 1: expected parameters in parentheses, found `kernel {`"),
        (of("kernel() {"), "line 2: expected a statement or `}`, found `the end of the text`"),
        (of("kernel($0: in f33) {\n}"), "line 1: expected a parameter, found `$0: in f33`"),
        (of("kernel($1: in f32) {\n}"), "line 1: expected a parameter, found `$1: in f32`"),
        (of("kernel() {\n}\nmore"), "line 3: expected nothing after the kernel, found `more`"),
        (
            of("kernel with effect() {"),
            "line 1: expected `kernel(` or `kernel with effects`, found `kernel with effect() {`",
        ),
        (
            of("kernel with effects($0: memory f32) where $0 has 0 {\n}"),
            "line 1: expected `where elements in 0..9, $1 has 9 {`, found `kernel with effects($0: memory f32) where $0 has 0 {`",
        ),
        (
            of("kernel with effects() where elements in 5 {\n}"),
            "line 1: expected `where elements in 0..9, $1 has 9 {`, found `kernel with effects() where elements in 5 {`",
        ),
        (body("<f32> %0 = nothing"), "line 2: expected a statement's name, found `nothing`"),
        (body("<f99> %0 = const 1"), "line 2: expected a type, such as `<f32>`, found `<f99>`"),
        (body("<f32> %0 const 1"), "line 2: expected `=` after a value, found `<f32> %0 const 1`"),
        (body("<f32> %0 = const x"), "line 2: expected a number, found `x`"),
        (body("<f32> %0 = memory 0"), "line 2: expected a parameter, such as `$0`, found `0`"),
        (body("<f32> %0 = add %1 2"), "line 2: expected a value, such as `%3`, found `2`"),
        (body("<f32> %4294967295 = const 1"), "line 2: expected a value, such as `%3`, found `%4294967295`"),
        (
            body("elements"),
            "line 2: expected `{` after what holds blocks, and nothing else, found `elements`",
        ),
        (body("%1 = if %0 {\n}"), "line 3: expected `} else {`, found `}`"),
        (
            body("<f32> %1 = const 1\n<f32> %1 = const 1"),
            "line 3: expected each value once, found `<f32> %1 = const 1`",
        ),
        (
            body(&"%1 = loop {\n".repeat(600)),
            "line 501: expected at most 500 blocks within each other, found `{`",
        ),
    ];
    for (error, text) in cases {
        assert_eq!(error.to_string(), text);
    }
}

/// Text with words that changed places is refused, by the parser or the verifier, or is another kernel; nothing panics.
#[test]
fn changed_text_is_refused_or_runs() {
    let (mut refused, mut broken, mut ran) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = Random(9000 + seed);
        let mut first = kernel(random.program(1, true));
        if seed % 2 == 0 {
            first.guarantees = Guarantees { elements: Some(0..37), lengths: vec![0, 40, 148] };
        }
        let text = first.to_string();
        let mut words: Vec<&str> = text.split(' ').collect();
        for _ in 0..=random.below(2) {
            // One of the same kind: a value, a type, a name.
            let a = random.below(words.len() as u64) as usize;
            let alike = |n: &usize| words[*n].chars().next() == words[a].chars().next();
            let others: Vec<usize> = (0..words.len()).filter(alike).collect();
            let b = others[random.below(others.len() as u64) as usize];
            if random.below(2) == 0 { words.swap(a, b) } else { words[a] = words[b] }
        }
        let Ok(mut changed) = words.join(" ").parse::<Kernel>() else {
            refused += 1;
            continue;
        };
        if verify(&changed).is_err() {
            broken += 1;
            continue;
        }
        passes::run(&mut changed, passes::pipeline(choice(true)));
        again(&changed.to_string());
        ran += 1;
    }
    assert!(refused > 20 && broken > 20 && ran > 20, "{refused} {broken} {ran}");
}
