//! What launches guarantee: accesses without checks, and rows of the iteration space that are loops of their own.

use super::{ELEMENT, FREE, choice, memory, of_f32, run, targets, task, to_f32};
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::ir::{Builder, Code, Id, Kernel, Type, verify};
use ivy_backend_jit::program::{Bound, Memory, Order, Program, Task};
use ivy_core::ErrorKind;

/// The inner elements of planes of `shape`, by their numbers: each the sum of its neighbours in all directions, and of its indices.
fn stencil(shape: [i64; 3], guaranteed: bool) -> Kernel {
    let [planes, rows, columns] = shape;
    let mut b = Builder::with_effects(vec![ELEMENT, memory(Type::F32), memory(Type::F32)], FREE);
    let (i, from, to) = (b.load(0, 0), b.memory(1), b.memory(2));
    let number = b.convert(i, Type::I32);
    let int = |b: &mut Builder, x: i64| b.constant(Type::I32, x as u64 & u64::from(u32::MAX));
    let (one, width, height) = (int(&mut b, 1), int(&mut b, columns), int(&mut b, rows));
    let column = b.binary(Code::Rem, number, width);
    let row = b.binary(Code::Div, number, width);
    let plane = b.binary(Code::Div, row, height);
    let row = b.binary(Code::Rem, row, height);
    let indices = [plane, row, column].map(|index| b.binary(Code::Add, index, one));
    let at = |b: &mut Builder, indices: [Id; 3]| {
        let [plane, row, column] = indices.map(|index| b.convert(index, Type::I64));
        let (high, wide) =
            (b.constant(Type::I64, rows as u64 + 2), b.constant(Type::I64, columns as u64 + 2));
        let rows = b.binary(Code::Mul, plane, high);
        let row = b.binary(Code::Add, rows, row);
        let start = b.binary(Code::Mul, row, wide);
        b.binary(Code::Add, start, column)
    };
    let mut sum = b.convert(number, Type::F32);
    for axis in 0..3 {
        for code in [Code::Add, Code::Sub] {
            let mut near = indices;
            near[axis] = b.binary(code, near[axis], one);
            let place = at(&mut b, near);
            let x = b.load_at(from, place);
            sum = b.binary(Code::Add, sum, x);
        }
    }
    let place = at(&mut b, indices);
    b.store_at(to, place, sum);
    if guaranteed {
        b.guarantee_elements(0..planes * rows * columns);
        let length = ((planes + 2) * (rows + 2) * (columns + 2)) as u64;
        b.guarantee_length(1, length);
        b.guarantee_length(2, length);
    }
    let kernel = b.finish();
    verify(&kernel).unwrap();
    kernel
}

fn plain([planes, rows, columns]: [i64; 3], elements: std::ops::Range<i64>, from: &[f32]) -> Vec<f32> {
    let mut to = vec![0.0; from.len()];
    let steps = [(rows + 2) * (columns + 2), columns + 2, 1];
    for n in elements {
        let indices = [n / columns / rows, n / columns % rows, n % columns];
        let at: i64 = indices.iter().zip(steps).map(|(i, step)| (i + 1) * step).sum();
        let near = steps.iter().flat_map(|&step| [at + step, at - step]);
        to[at as usize] = near.fold(n as f32, |sum, place| sum + from[place as usize]);
    }
    assert!(planes > 0);
    to
}

/// Rows of all lengths, from anywhere in a row to anywhere, give what single elements do.
#[test]
fn rows_are_loops_of_their_own() {
    for columns in [1, 2, 3, 12, 15, 16, 17, 24, 31, 32, 33, 48, 100] {
        let shape = [3, 4, columns];
        let [with, without] = [true, false].map(|guaranteed| stencil(shape, guaranteed));
        let cells = (5 * 6 * (columns + 2)) as usize;
        let from: Vec<f32> = (0..cells).map(|n| (n % 23) as f32).collect();
        let given = [of_f32(&from), of_f32(&vec![0.0; cells])];
        let count = 12 * columns;
        for (begin, end) in [(0, count), (1, count - 1), (columns / 2, count), (0, 1), (columns, 2 * columns)]
        {
            let (begin, end) = (begin.min(end), end.max(begin));
            let want = plain(shape, begin..end, &from);
            for (name, target) in targets() {
                for (kernel, all) in [(&with, true), (&with, false), (&without, true)] {
                    let bounds = [begin, end].map(Bound::Fixed);
                    let task = Task { begin: bounds[0], end: bounds[1], ..task(kernel, 0, Order::Fast) };
                    let program = Program::new(&target, vec![task], vec![], choice(all), None).unwrap();
                    let mut memories =
                        given.clone().map(|(ty, bytes)| Memory::new(&*target, ty, &bytes).unwrap());
                    program.run(&mut memories, &[]).unwrap();
                    let got = to_f32(memories[1].bytes().unwrap().bytes());
                    assert_eq!(got, want, "{name}, rows of {columns}, {begin}..{end}");
                }
            }
        }
    }
}

/// What a kernel is compiled as after all passes.
fn text(mut kernel: Kernel) -> String {
    let choice = choice(true);
    ivy_backend_jit::passes::run(&mut kernel, ivy_backend_jit::passes::pipeline(choice));
    llvm::source(&kernel, llvm::Style::FAST)
}

#[test]
fn guaranteed_accesses_are_neither_checked_nor_gathered() {
    let with = text(stencil([3, 4, 100], true));
    // Its length is loaded, and used once, for a distance that kernels with effects have no rows for.
    let checks = |text: &str| text.matches("%c1").count() > 2;
    assert!(!with.contains("gather") && !with.contains("scatter") && !checks(&with), "{with}");
    // One division for each row, none for each vector.
    let body = with.split_once("\nbody:").unwrap().1;
    assert!(!body.contains("div ") && !body.contains("rem "), "{with}");
    let without = text(stencil([3, 4, 100], false));
    assert!(without.contains("gather") && checks(&without), "{without}");
    // Of rows that are no vectors, elements are taken one after the other.
    let short = text(stencil([3, 4, 9], true));
    assert!(!short.contains("rowend") && !checks(&short), "{short}");
}

/// Whatever a launch is not as guaranteed in is refused before an element runs.
#[test]
fn launches_are_as_guaranteed() {
    let shape = [2, 3, 16];
    let kernel = stencil(shape, true);
    let cells = 4 * 5 * 18;
    for (name, target) in targets() {
        for (begin, end, lengths) in [
            (0, 97, [cells, cells]),
            (-1, 96, [cells, cells]),
            (0, 96, [cells - 1, cells]),
            (0, 1, [cells, 0]),
        ] {
            let bounds = [begin, end].map(Bound::Fixed);
            let task = Task { begin: bounds[0], end: bounds[1], ..task(&kernel, 0, Order::Fast) };
            let program = Program::new(&target, vec![task], vec![], choice(true), None).unwrap();
            let mut memories = lengths.map(|n| Memory::zeros(&*target, Type::F32, n).unwrap());
            let error = program.run(&mut memories, &[]).unwrap_err();
            let ErrorKind::InvalidArgument { argument, .. } = error.kind() else { panic!("{error}") };
            assert_eq!(*argument, "guarantees", "{name}: {begin}..{end} on {lengths:?}");
            assert!(to_f32(memories[1].bytes().unwrap().bytes()).iter().all(|&x| x == 0.0), "{name}");
        }
        let more = [of_f32(&vec![1.0; cells + 5]), of_f32(&vec![0.0; cells + 5])];
        run(&target, &kernel, (96, Order::Fast), choice(true), &more);
    }
    // A kernel whose guarantees are of no memory is refused when it is made.
    let mut wrong = kernel.clone();
    wrong.guarantees.lengths[0] = 3;
    assert_eq!(verify(&wrong).unwrap_err().rule, 17);
}
