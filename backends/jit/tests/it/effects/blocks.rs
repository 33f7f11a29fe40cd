//! Memory that the elements of a block share, and barriers.

use super::{ELEMENT, choice, memory, of_i64, run, targets, task, to_i64};
use ivy_backend_jit::ir::{Builder, Code, Effects, Kernel, Type, verify};
use ivy_backend_jit::program::{Bound, Order, Program, Target};
use std::sync::Arc;

/// Each block turns its elements around, and then sums them: half of the elements add the other half's, in
/// ever smaller halves. The sum goes to a place for each block.
fn turned_and_summed(block: u32) -> Kernel {
    let params = vec![ELEMENT, memory(Type::I64), memory(Type::I64), memory(Type::I64)];
    let mut b = Builder::with_effects(params, Effects { block, serial: false });
    let i = b.load(0, 0);
    let [x, turned, sums] = [1, 2, 3].map(|n| b.memory(n));
    let shared = b.shared(Type::I64, u64::from(block));
    let counts = b.shared(Type::I32, 1);
    let [zero, one, length, last] = [0, 1, block, block - 1].map(|x| b.constant(Type::I64, u64::from(x)));
    let place = b.binary(Code::And, i, last);
    let value = b.load_at(x, i);
    b.store_at(shared, place, value);
    let one32 = b.constant(Type::I32, 1);
    b.atomic(Code::AtomicAdd, counts, zero, one32);
    b.barrier();
    let mirrored = b.binary(Code::Sub, last, place);
    let other = b.load_at(shared, mirrored);
    b.store_at(turned, i, other);
    b.barrier();
    let half = b.binary(Code::Shr, length, one);
    let (open, carried) = b.open_loop(&[half]);
    let more = b.binary(Code::Lt, zero, carried[0]);
    b.while_true(more);
    let adds = b.binary(Code::Lt, place, carried[0]);
    let mut if_adds = b.open_if(adds);
    let from = b.binary(Code::Add, place, carried[0]);
    let (mine, theirs) = (b.load_at(shared, place), b.load_at(shared, from));
    let sum = b.binary(Code::Add, mine, theirs);
    b.store_at(shared, place, sum);
    b.otherwise(&mut if_adds, &[]);
    b.close_if(if_adds, &[]);
    b.barrier();
    let next = b.binary(Code::Shr, carried[0], one);
    b.close_loop(open, &[next]);
    let is_first = b.binary(Code::Eq, place, zero);
    let mut first = b.open_if(is_first);
    let number = b.binary(Code::Div, i, length);
    let (sum, count) = (b.load_at(shared, zero), b.load_at(counts, zero));
    let count = b.convert(count, Type::I64);
    let sum = b.binary(Code::Add, sum, count);
    b.store_at(sums, number, sum);
    b.otherwise(&mut first, &[]);
    b.close_if(first, &[]);
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    kernel
}

#[test]
fn blocks_share_memory() {
    for block in [2usize, 16, 64, 128] {
        let count = block * 5;
        let x: Vec<i64> = (0..count as i64).map(|i| i * i % 91 - 40).collect();
        let turned: Vec<i64> = x.chunks(block).flat_map(|b| b.iter().rev().copied()).collect();
        let sums: Vec<i64> = x.chunks(block).map(|b| b.iter().sum::<i64>() + block as i64).collect();
        let kernel = turned_and_summed(block as u32);
        let given = [of_i64(&x), of_i64(&vec![0; count]), of_i64(&[0; 5])];
        // A vector of LLVM's has at most 64 elements.
        let takes = |(name, _): &(&str, Arc<dyn Target>)| block <= 64 || *name != "llvm";
        for (name, target) in targets().into_iter().filter(takes) {
            for all in [false, true] {
                let order = (count as i64, Order::Fast);
                let (got, _) = run(&target, &kernel, order, choice(all), &given);
                assert_eq!(to_i64(&got[1]), turned, "{name}, blocks of {block}");
                assert_eq!(to_i64(&got[2]), sums, "{name}, blocks of {block}");
            }
        }
    }
}

#[test]
fn blocks_that_do_not_fit() {
    let kernel = turned_and_summed(128);
    for (name, target) in targets() {
        let new = |task| Program::new(&target, vec![task], vec![], choice(true), None);
        let program = new(task(&kernel, 100, Order::Fast)).unwrap();
        // LLVM's vectors are not as long, so that the interpreter runs it.
        assert_eq!(program.fallbacks().count(), usize::from(name == "llvm"));
        let mut memories: Vec<_> = (0..3)
            .map(|_| ivy_backend_jit::program::Memory::zeros(&*target, Type::I64, 200).unwrap())
            .collect();
        // No whole blocks; and as many as memory says, which nobody knows before.
        assert!(program.run(&mut memories, &[]).is_err(), "{name}");
        let end = Bound::Memory { memory: 0, element: 0 };
        assert!(new(ivy_backend_jit::program::Task { end, ..task(&kernel, 0, Order::Fast) }).is_err());
        assert!(new(task(&kernel, 128, Order::Serial)).is_err(), "{name}");
    }
}
