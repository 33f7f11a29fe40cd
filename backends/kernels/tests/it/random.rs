use ivy_core::host::HostArray;
use ivy_core::philox;
use ivy_core::{Dtype, Op, Shape};
use ivy_kernels::random::random_bits;

/// The known answers of the Random123 distribution for philox4x32 of ten rounds: counter, key, block.
const KNOWN: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    ([0; 4], [0; 2], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
    ([u32::MAX; 4], [u32::MAX; 2], [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]),
    (
        [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
        [0xa4093822, 0x299f31d0],
        [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ),
];

fn draw(states: &[[u32; 4]], lead: &[usize], shape: &[usize], dtype: Dtype) -> HostArray {
    let dims: Vec<usize> = lead.iter().copied().chain([4]).collect();
    let state = HostArray::from_vec(states.concat(), Shape::from(&dims[..])).unwrap();
    let op = Op::RandomBits { shape: shape.into(), dtype };
    ivy_kernels::execute(&op, &[&state]).unwrap().remove(0)
}

#[test]
fn blocks_are_the_known_ones() {
    for (counter, key, block) in KNOWN {
        assert_eq!(philox(counter, key), block);
    }
}

#[test]
fn elements_are_words_of_blocks_in_order() {
    // Lengths around the groups of lanes and the tasks of threads, and of several of both.
    for n in [0usize, 1, 3, 4, 63, 64, 65, 127, 16_383, 16_384, 16_385, 70_001] {
        let state = [7u32, 8, 9, 10];
        let words: Vec<u32> = (0..n.div_ceil(4) as u32).flat_map(|i| philox([i, 0, 9, 10], [7, 8])).collect();
        let got = draw(&[state], &[], &[n], Dtype::UINT32);
        assert_eq!(got.to_vec::<u32>().unwrap(), words[..n], "{n}");
        let m = n / 2;
        let pairs: Vec<u64> =
            words.chunks_exact(2).map(|w| u64::from(w[0]) | u64::from(w[1]) << 32).take(m).collect();
        assert_eq!(draw(&[state], &[], &[m], Dtype::UINT64).to_vec::<u64>().unwrap(), pairs, "{n}");
    }
}

#[test]
fn each_state_has_a_draw_of_its_own() {
    for each in [0, 1, 6, 5_000, 20_000] {
        let states: Vec<[u32; 4]> = (0..6).map(|i| [i, 1, 2, i * i]).collect();
        let got = draw(&states, &[2, 3], &[each, 2], Dtype::UINT32);
        assert_eq!(got.shape(), &Shape::from([2, 3, each, 2]));
        let one_by_one: Vec<u32> = states
            .iter()
            .flat_map(|&s| draw(&[s], &[], &[each, 2], Dtype::UINT32).to_vec::<u32>().unwrap())
            .collect();
        assert_eq!(got.to_vec::<u32>().unwrap(), one_by_one);
    }
    assert_eq!(draw(&[], &[0], &[3], Dtype::UINT64).shape(), &Shape::from([0, 3]));
    assert_eq!(draw(&[[0; 4]], &[], &[], Dtype::UINT32).to_vec::<u32>().unwrap(), [0x6627e8d5]);
}

#[test]
fn other_operands_are_refused() {
    let short = HostArray::from_vec(vec![1u32, 2, 3], [3].into()).unwrap();
    let signed = HostArray::from_vec(vec![1i32, 2, 3, 4], [4].into()).unwrap();
    let state = HostArray::from_vec(vec![1u32, 2, 3, 4], [4].into()).unwrap();
    let shape = Shape::from([2]);
    assert!(random_bits(&shape, Dtype::UINT32, short.view()).is_err());
    assert!(random_bits(&shape, Dtype::UINT32, signed.view()).is_err());
    assert!(random_bits(&shape, Dtype::INT32, state.view()).is_err());
}
