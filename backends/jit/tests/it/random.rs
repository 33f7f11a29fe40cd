//! Random bits: those of the reference kernels, computed in the kernels of what they are for.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, reference, run, same};
use both::{ADD, Both, Side, permute, slice};
use ivy_backend_jit::engine::Settings;
use ivy_backend_suite::edges;
use ivy_core::backend::{Backend, Support};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, Op, ReduceOp, Shape, philox};

fn bits(shape: impl Into<Shape>, dtype: Dtype) -> Op {
    Op::RandomBits { shape: shape.into(), dtype }
}

fn states(words: &[u32], lead: &[usize]) -> HostArray {
    let shape: Shape = lead.iter().copied().chain([4]).collect();
    HostArray::from_vec(words.to_vec(), shape).unwrap()
}

/// States with all bits, carries in each sum of the key, and nothing.
const WORDS: [[u32; 4]; 3] = [[0; 4], [u32::MAX; 4], [0xa409_3822, 0x299f_31d0, 0x0000_0001, 0x8000_0000]];

#[test]
fn the_bits_of_the_reference_kernels() {
    for (name, b) in backends() {
        for settings in
            [Settings::of(0), Settings::default(), Settings { draws: false, ..Settings::default() }]
        {
            b.engine().set_settings(settings);
            for dtype in [Dtype::UINT32, Dtype::UINT64] {
                assert_eq!(b.support(&bits([4], dtype), &[Dtype::UINT32]), Support::Native);
                for shape in [&[][..], &[1], &[7], &[128], &[3, 5, 4], &[2, 0], &[70, 66]] {
                    for words in WORDS {
                        let (op, state) = (bits(shape, dtype), states(&words, &[]));
                        let what = || format!("{op:?} of {words:?} by {name}");
                        same(&run(&b, &op, &[&state]), &reference(&op, &[&state]).remove(0), &what);
                    }
                }
                let (op, many) = (bits([6, 5], dtype), states(&WORDS.concat(), &[3, 1]));
                same(&run(&b, &op, &[&many]), &reference(&op, &[&many]).remove(0), &|| {
                    format!("{name}, many")
                });
                let (op, none) = (bits([6, 5], dtype), states(&[], &[0]));
                same(&run(&b, &op, &[&none]), &reference(&op, &[&none]).remove(0), &|| {
                    format!("{name}, none")
                });
            }
        }
    }
}

/// Long rows, by vectors and on all threads, whose length is a multiple of that of blocks or not.
#[test]
fn long_draws() {
    for (name, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        for draws in [true, false] {
            b.engine().set_settings(Settings { draws, ..Settings::default() });
            for dtype in [Dtype::UINT32, Dtype::UINT64] {
                for shape in [&[1 << 20][..], &[(1 << 19) + 3], &[1000, 333], &[70, 3, 2, 1100], &[30_000, 6]]
                {
                    let (op, state) = (bits(shape, dtype), states(&WORDS[2], &[]));
                    let what = || format!("{op:?} by {name}");
                    same(&run(&b, &op, &[&state]), &reference(&op, &[&state]).remove(0), &what);
                }
            }
        }
    }
}

/// Numbers of blocks go on beyond 32 bits.
#[test]
fn far_into_a_draw() {
    let [k, l, c, d] = WORDS[2];
    for (name, b) in backends().into_iter().filter(|(name, _)| *name != "interp") {
        let state = b.from_host(states(&WORDS[2], &[])).unwrap();
        for (dtype, of_block) in [(Dtype::UINT32, 4), (Dtype::UINT64, 2)] {
            let first = of_block * u32::MAX as usize - 5;
            let all = b.execute(&bits([1 << 40], dtype), &[&state]).unwrap().remove(0);
            let some = b.execute(&slice(&[(first, 1, 40)]), &[&all]).unwrap().remove(0);
            let some = b.to_host(&some).unwrap();
            for i in 0..40 {
                let (block, word) = ((first + i) / of_block, (first + i) % of_block);
                let words = philox([block as u32, (block >> 32) as u32, c, d], [k, l]);
                let got = some.scalar_at(i).unwrap().to_i128();
                let expected = match of_block {
                    4 => i128::from(words[word]),
                    _ => i128::from(words[2 * word]) | i128::from(words[2 * word + 1]) << 32,
                };
                assert_eq!(got, expected, "{dtype} {i} by {name}");
            }
        }
    }
}

#[test]
fn computed_in_the_kernel_of_what_it_is_for() {
    for (name, b) in backends() {
        let b = Side(&b);
        let (rows, columns) = (40, 100);
        let state = b.input(states(&WORDS[2], &[]));
        let draw = |dtype| b.apply(&bits([rows, columns], dtype), &[&state]);
        let x = b.input(edges(Dtype::FLOAT32, [rows, columns], 0));
        let float = |words: &Both| b.apply(&Op::Cast { dtype: Dtype::FLOAT32 }, &[words]);
        b.check(&b.apply(&ADD, &[&x, &float(&draw(Dtype::UINT32))]), 1);
        b.check(&b.apply(&ADD, &[&float(&draw(Dtype::UINT64)), &float(&draw(Dtype::UINT32))]), 1);
        let transposed = b.apply(&permute(&[1, 0]), &[&draw(Dtype::UINT32)]);
        b.check(&b.negative(&b.apply(&slice(&[(90, -3, 30), (1, 2, 15)]), &[&transposed])), 1);
        for op in [ReduceOp::Sum, ReduceOp::Max] {
            let all = Op::Reduce { op, axes: Dims::from_slice(&[1]), keepdims: false };
            // A device reads the state in its memory: with that it is too much to be done twice, of what is still held.
            let kernels = if name == "cuda" { 2 } else { 1 };
            b.check(&b.apply(&all, &[&b.negative(&draw(Dtype::UINT32))]), kernels);
        }
        // A state that is pending is a part of the kernel.
        let next = b.apply(&ADD, &[&state, &state]);
        b.check(&b.negative(&b.apply(&bits([50], Dtype::UINT64), &[&next])), 1);
        // Another state is no other kernel.
        let compiled = b.0.engine().counters().compiled;
        for key in 1..4 {
            let state = b.input(states(&[key, 0, 5 * key, 9], &[]));
            let draw = b.apply(&bits([rows, columns], Dtype::UINT32), &[&state]);
            b.check(&b.apply(&Op::Binary(BinaryOp::BitwiseXor), &[&draw, &draw]), 1);
        }
        assert_eq!(b.0.engine().counters().compiled, compiled + 1, "{name}");
    }
}
