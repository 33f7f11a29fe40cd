//! Sequences of tasks: ranges from the host and from memory, what one task leaves to the next, and what is
//! refused before anything runs.

use super::{ELEMENT, FREE, choice, memory, targets, task, to_i64, uniform};
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::ir::{Builder, Code, Kernel, Type, verify};
use ivy_backend_jit::program::{Argument, Bound, Memory, Order, Program, Scalar, Target, Task};
use ivy_core::ErrorKind;
use std::sync::Arc;

/// Appends each element that is a multiple of a number to a list, whose length is an i32.
fn appends() -> Kernel {
    let params = vec![ELEMENT, uniform(Type::I64), memory(Type::I32), memory(Type::I64)];
    let mut b = Builder::with_effects(params, FREE);
    let (i, by) = (b.load(0, 0), b.load(1, 0));
    let (length, list) = (b.memory(2), b.memory(3));
    let zero = b.constant(Type::I64, 0);
    let rest = b.binary(Code::Rem, i, by);
    let is_multiple = b.binary(Code::Eq, rest, zero);
    let mut open = b.open_if(is_multiple);
    let one = b.constant(Type::I32, 1);
    let place = b.atomic(Code::AtomicAdd, length, zero, one);
    let place = b.convert(place, Type::I64);
    b.store_at(list, place, i);
    b.otherwise(&mut open, &[]);
    b.close_if(open, &[]);
    b.finish()
}

/// Replaces each element of a list by ten times itself.
fn grows() -> Kernel {
    let mut b = Builder::with_effects(vec![ELEMENT, memory(Type::I64)], FREE);
    let i = b.load(0, 0);
    let list = b.memory(1);
    let ten = b.constant(Type::I64, 10);
    let x = b.load_at(list, i);
    let x = b.binary(Code::Mul, x, ten);
    b.store_at(list, i, x);
    b.finish()
}

fn program(target: &Arc<dyn Target>, all: bool) -> Program {
    let arguments = vec![Argument::Element, Argument::Scalar(0), Argument::Memory(0), Argument::Memory(1)];
    let first = Task {
        kernel: appends(),
        begin: Bound::Fixed(-5),
        end: Bound::Scalar(1),
        arguments,
        order: Order::Deterministic,
    };
    let second = Task {
        kernel: grows(),
        begin: Bound::Fixed(0),
        end: Bound::Memory { memory: 0, element: 0 },
        arguments: vec![Argument::Element, Argument::Memory(1)],
        order: Order::Deterministic,
    };
    // Some of what the second one did, again.
    let third = Task { begin: Bound::Fixed(2), ..second.clone() };
    Program::new(target, vec![first, second, third], vec![], choice(all), None).unwrap()
}

#[test]
fn lists_are_as_long_as_memory_says() {
    for (name, target) in targets() {
        for (all, threads) in [(false, false), (true, true)] {
            let program = program(&target, all).with_threads(threads);
            assert_eq!(program.kernels(), 2, "equal kernels are one");
            assert_eq!([0, 1, 2].map(|n| program.is_serial(n)), [true, false, false]);
            let zeros = |ty, n| Memory::zeros(&*target, ty, n).unwrap();
            let mut memories = [zeros(Type::I32, 1), zeros(Type::I64, 40)];
            program.run(&mut memories, &[Scalar::int(3), Scalar::int(16)]).unwrap();
            assert_eq!(memories[0].bytes().unwrap().bytes(), 7i32.to_ne_bytes(), "{name}");
            let mut want = vec![0; 40];
            want[..7].copy_from_slice(&[-30, 0, 300, 600, 900, 1200, 1500]);
            assert_eq!(to_i64(memories[1].bytes().unwrap().bytes()), want, "{name}");
            // Again, on what is there: the list goes on, and nothing is written beyond its end.
            program.run(&mut memories, &[Scalar::int(1), Scalar::int(60)]).unwrap();
            let list = to_i64(memories[1].bytes().unwrap().bytes());
            assert_eq!(list[..3], [-300, 0, 30000], "{name}");
            assert_eq!((list[7], list[39]), (-500, 2700), "{name}");
            // A range without elements.
            let before = list;
            program.run(&mut memories[..], &[Scalar::int(1), Scalar::int(-9)]).unwrap();
            assert_ne!(to_i64(memories[1].bytes().unwrap().bytes()), before, "{name}");
        }
    }
}

/// Each element adds 1 to a place of all elements and to one of its own: for lengths below several vectors, around their
/// multiples, and around what a thread takes at a time, in any order and in order, on one thread and on all.
#[test]
fn every_element_runs_once() {
    let mut b = Builder::with_effects(vec![ELEMENT, memory(Type::I64), memory(Type::I64)], FREE);
    let i = b.load(0, 0);
    let (all, own) = (b.memory(1), b.memory(2));
    let [zero, one] = [0, 1].map(|x| b.constant(Type::I64, x));
    b.atomic(Code::AtomicAdd, all, zero, one);
    b.atomic(Code::AtomicAdd, own, i, one);
    let kernel = b.finish();
    verify(&kernel).unwrap();
    let around = |n: i64| [n - 1, n, n + 1];
    let small = 0..=70;
    let vectors = (5..=16).flat_map(|n| around(16 * n)).chain([512, 1024].into_iter().flat_map(around));
    let chunks = [1 << 15, 1 << 16, 3 << 15, 1 << 18].into_iter().flat_map(around);
    for (name, target) in targets() {
        let is_host = name != "cuda";
        let counts: Vec<i64> = small.clone().chain(vectors.clone()).collect();
        let long: Vec<i64> = chunks.clone().filter(|_| is_host).collect();
        for order in [Order::Fast, Order::Serial] {
            let new =
                |count| Program::new(&target, vec![task(&kernel, count, order)], vec![], choice(true), None);
            for &count in counts.iter().chain(&long) {
                // Every length on one thread, the long ones on all as well.
                for threads in [false, true].into_iter().take(1 + usize::from(count >= 1 << 15)) {
                    let program = new(count).unwrap().with_threads(threads);
                    let zeros = |n| Memory::zeros(&*target, Type::I64, n).unwrap();
                    let mut memories = [zeros(1), zeros(count as usize + 17)];
                    program.run(&mut memories, &[]).unwrap();
                    let got = memories.map(|m| to_i64(m.bytes().unwrap().bytes()));
                    assert_eq!(got[0], [count], "{name}, {order:?}");
                    let want = (0..count + 17).map(|i| i64::from(i < count));
                    assert!(got[1].iter().copied().eq(want), "{name}, {order:?}, {count}");
                }
            }
        }
    }
}

/// Elements that stand six apart are taken one by one, with the same results as by vectors.
#[test]
fn elements_apart_are_taken_one_by_one() {
    let mut b = Builder::with_effects(vec![ELEMENT, memory(Type::F32)], FREE);
    let i = b.load(0, 0);
    let cells = b.memory(1);
    let [six, three] = [6, 3].map(|x| b.constant(Type::I64, x));
    let position = b.binary(Code::Mul, i, six);
    let velocity = b.binary(Code::Add, position, three);
    let [x, v] = [position, velocity].map(|at| b.load_at(cells, at));
    let moved = b.binary(Code::Add, x, v);
    b.store_at(cells, position, moved);
    let kernel = b.finish();
    verify(&kernel).unwrap();
    let text = |scalar| llvm::source(&kernel, llvm::Style { scalar, ..llvm::Style::FAST });
    assert!(text(false).contains("scatter.v16f32") && text(true).contains("scatter.v1f32"));
    for (name, target) in targets() {
        for count in (0..=70).chain([127, 128, 129, 1000]) {
            let values: Vec<f32> = (0..6 * count).map(|n| n as f32 * 0.25).collect();
            let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_ne_bytes()).collect();
            let run = |all| {
                let tasks = vec![task(&kernel, count, Order::Fast)];
                let program = Program::new(&target, tasks, vec![], choice(all), None).unwrap();
                let mut memories = [Memory::new(&*target, Type::F32, &bytes).unwrap()];
                program.run(&mut memories, &[]).unwrap();
                memories[0].bytes().unwrap().bytes().to_vec()
            };
            let got = run(true);
            assert_eq!(got, run(false), "{name}, {count}");
            let one = |(n, &x): (usize, &f32)| if n % 6 == 0 { x + values[n + 3] } else { x };
            let want: Vec<u8> = values.iter().enumerate().map(one).flat_map(f32::to_ne_bytes).collect();
            assert_eq!(got, want, "{name}, {count}");
        }
    }
}

fn invalid<T>(result: ivy_core::Result<T>) -> &'static str {
    match result.map(|_| ()).unwrap_err().kind() {
        ErrorKind::InvalidArgument { argument, .. } => argument,
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_refused() {
    for (name, target) in targets() {
        let new = |task: Task| Program::new(&target, vec![task], vec![], choice(true), None);
        let good = task(&grows(), 3, Order::Fast);
        // A kernel that breaks a rule, and one without effects.
        let mut broken = good.clone();
        broken.kernel.params[1].access = ivy_backend_jit::ir::Access::Out;
        assert_eq!(invalid(new(broken)), "kernel");
        // Arguments that are missing, of another kind, one memory twice, and of two types.
        assert_eq!(invalid(new(Task { arguments: vec![], ..good.clone() })), "arguments");
        let swapped = vec![Argument::Memory(0), Argument::Element];
        assert_eq!(invalid(new(Task { arguments: swapped, ..good.clone() })), "arguments");
        let twice = vec![Argument::Element, Argument::Scalar(0), Argument::Memory(0), Argument::Memory(0)];
        assert_eq!(invalid(new(Task { arguments: twice, ..task(&appends(), 3, Order::Fast) })), "arguments");
        let counted = Task { end: Bound::Scalar(0), ..task(&appends(), 3, Order::Fast) };
        let typed = vec![Argument::Element, Argument::Scalar(0), Argument::Memory(1), Argument::Memory(0)];
        let both = vec![Task { arguments: typed, ..counted }, good.clone()];
        assert!(Program::new(&target, both, vec![], choice(true), None).is_ok());
        let other = Task { arguments: vec![Argument::Element, Argument::Memory(1)], ..good.clone() };
        let typed = vec![Argument::Element, Argument::Scalar(0), Argument::Memory(1), Argument::Memory(0)];
        let both = vec![Task { arguments: typed, ..task(&appends(), 3, Order::Fast) }, other];
        assert_eq!(invalid(Program::new(&target, both, vec![], choice(true), None)), "arguments");
        // Memory says where a range ends, not where it begins.
        let begin = Bound::Memory { memory: 0, element: 0 };
        assert_eq!(invalid(new(Task { begin, ..good.clone() })), "range");
        // Memory that is missing, of another type, or elsewhere; an element that is not there.
        let program = new(good.clone()).unwrap();
        assert_eq!(invalid(program.run(&mut [], &[])), "memories");
        let zeros = |target: &Arc<dyn Target>, ty| Memory::zeros(&**target, ty, 4).unwrap();
        assert_eq!(invalid(program.run(&mut [zeros(&target, Type::F64)], &[])), "memories");
        for (_, other) in targets().into_iter().filter(|(other, _)| (*other == "cuda") != (name == "cuda")) {
            assert_eq!(invalid(program.run(&mut [zeros(&other, Type::I64)], &[])), "memories");
        }
        let end = Bound::Memory { memory: 0, element: 4 };
        let program = new(Task { end, ..good.clone() }).unwrap();
        assert_eq!(invalid(program.run(&mut [zeros(&target, Type::I64)], &[])), "range");
        assert_eq!(invalid(Memory::new(&*target, Type::I64, &[0; 9])), "bytes");
        assert_eq!(invalid(Memory::new(&*target, Type::Bool, &[2])), "bytes");
    }
}
