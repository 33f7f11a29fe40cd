//! Random programs: what each generator leaves in memory is what plain Rust does, with every pass off and on.

use super::language::{Cells, Machine, PLACES, Program, Random, Statement};
use super::lowering::kernel;
use super::{of_f32, of_i64, run, targets, to_f32, to_i64};
use ivy_backend_jit::ir::{Access, Guarantees, Kernel, Type};
use ivy_backend_jit::passes::Choice;
use ivy_backend_jit::program::Order;
use ivy_backend_suite::share;

/// What is there at first.
fn memories(count: usize, random: &mut Random) -> Vec<Cells> {
    let mut ints = |n: usize| Cells::Ints((0..n).map(|_| random.below(40) as i64 - 12).collect());
    let (input, own, line, sums) = (ints(count + 3), ints(count * 4), ints(count), ints(PLACES));
    let floats = (0..count * 4).map(|_| random.below(64) as f32 / 8.0 - 3.0).collect();
    vec![input, own, line, sums, Cells::Floats(floats)]
}

fn bytes(cells: &Cells) -> (Type, Vec<u8>) {
    match cells {
        Cells::Ints(x) => of_i64(x),
        Cells::Floats(x) => of_f32(x),
    }
}

/// Panics where memory is not what it should be; one NaN is as good as another.
#[track_caller]
fn same(got: &[Vec<u8>], want: &[Cells], what: &dyn Fn() -> String) {
    for (n, (got, want)) in got.iter().zip(want).enumerate() {
        match want {
            Cells::Ints(want) => assert_eq!(&to_i64(got), want, "memory {n}: {}", what()),
            Cells::Floats(want) => {
                let bits = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
                let alike = |x: &[f32]| x.iter().map(|&x| bits(x)).collect::<Vec<_>>();
                assert_eq!(alike(&to_f32(got)), alike(want), "memory {n}: {}", what());
            }
        }
    }
}

/// A kernel whose launches guarantee as many elements and as much memory as there is.
fn guaranteed(kernel: &Kernel, count: i64, given: &[(Type, Vec<u8>)]) -> Kernel {
    let mut given = given.iter().map(|(ty, bytes)| (bytes.len() / ty.bytes()) as u64);
    let lengths = kernel.params.iter().map(|p| match p.access {
        Access::Memory => given.next().unwrap_or(0),
        _ => 0,
    });
    let guarantees = Guarantees { elements: Some(0..count), lengths: lengths.collect() };
    Kernel { guarantees, ..kernel.clone() }
}

fn compare(program: &Program, count: i64, free: bool, choices: &[Choice], random: &mut Random) {
    let kernel = kernel(program.clone());
    let first = memories(count as usize, random);
    let mut want = first.clone();
    Machine::run(program, count, &mut want);
    let given: Vec<_> = first.iter().map(bytes).collect();
    let guaranteed = guaranteed(&kernel, count, &given);
    for (name, target) in targets() {
        for (&choice, kernel) in choices.iter().flat_map(|choice| [(choice, &kernel), (choice, &guaranteed)])
        {
            let orders = if free { &[Order::Fast, Order::Serial][..] } else { &[Order::Serial] };
            for &order in orders {
                let (got, _) = run(&target, kernel, (count, order), choice, &given);
                same(&got, &want, &|| format!("{name}, {order:?}, {choice:?}\n{program:#?}\n{kernel}"));
            }
        }
    }
}

/// Each pass by itself, all of them, and none.
fn choices() -> Vec<Choice> {
    let of = |bits: u32| {
        let [promotion, forwarding, state, hoisting] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
        Choice { promotion, forwarding, state, hoisting, scalar: state, ..Choice::default() }
    };
    [0, 1, 2, 4, 8, 3, 15].map(of).to_vec()
}

/// How many programs of each kind are tried: 12, or a run's share of them; `IVY_PROGRAMS` says more.
fn programs() -> u64 {
    std::env::var("IVY_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or_else(|| share(12).into())
}

/// Elements that write to what is theirs, and add to what is all's: in any order, on vectors with and
/// without elements for all lanes.
#[test]
fn free_elements() {
    for seed in 0..programs() {
        let mut random = Random(seed);
        let program = random.block(3, true).into();
        let count = [1, 16, 37, 70][seed as usize % 4];
        let all = choices();
        let some = if seed % 6 == 0 { &all[..] } else { &[all[0], all[6]] };
        compare(&program, count, true, some, &mut random);
    }
}

/// Elements that write to what others read, in order.
#[test]
fn elements_in_order() {
    for seed in 0..programs() {
        let mut random = Random(1000 + seed);
        let program = random.block(3, false).into();
        let all = choices();
        let some = if seed % 6 == 0 { &all[..] } else { &[all[0], all[6]] };
        compare(&program, [1, 11, 40][seed as usize % 3], false, some, &mut random);
    }
}

/// Programs with functions, which are called by name and by their place in a table: elements in any order, and in order.
#[test]
fn functions() {
    for seed in 0..programs() {
        let mut random = Random(2000 + seed);
        let free = seed % 2 == 0;
        let program = random.program(2, free);
        let all = choices();
        let some = if seed % 6 == 0 { &all[..] } else { &[all[0], all[6]] };
        compare(&program, [1, 16, 37, 40][seed as usize % 4], free, some, &mut random);
    }
}

/// Elements that race: what they leave is nobody's promise, but that what is only read is as before, and that no memory is touched
/// but the program's, of which each is filled up to its end.
#[test]
fn races_touch_nothing_else() {
    for seed in 0..programs() {
        let mut random = Random(3000 + seed);
        let program = random.program(2, false);
        let kernel = kernel(program);
        let count = 1 << 13;
        let given: Vec<_> = memories(count, &mut random).iter().map(bytes).collect();
        for (name, target) in targets() {
            let count = if name == "llvm" { count } else { 300 };
            let (got, _) = run(&target, &kernel, (count as i64, Order::Fast), choices()[6], &given);
            assert_eq!(got[0], given[0].1, "{name}: {kernel}");
            let lengths = |all: &[Vec<u8>]| all.iter().map(Vec::len).collect::<Vec<_>>();
            assert_eq!(lengths(&got), given.iter().map(|g| g.1.len()).collect::<Vec<_>>(), "{name}");
        }
    }
}

/// On all threads, of more elements than one takes at a time.
#[test]
fn many_elements() {
    let mut random = Random(77);
    let count = 3 << 15;
    let statements: Vec<Statement> = (0..4).flat_map(|_| random.block(2, true)).collect();
    let program = Program::from(statements);
    let kernel = kernel(program.clone());
    let first = memories(count, &mut random);
    let mut want = first.clone();
    Machine::run(&program, count as i64, &mut want);
    let given: Vec<_> = first.iter().map(bytes).collect();
    for (name, target) in targets().into_iter().filter(|(name, _)| *name != "cuda") {
        let (got, _) = run(&target, &kernel, (count as i64, Order::Fast), choices()[6], &given);
        same(&got, &want, &|| name.into());
    }
}
