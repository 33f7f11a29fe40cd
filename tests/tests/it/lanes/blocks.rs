//! Reductions and running sums of blocks, and what is kept put side by side.

use super::*;

/// Blocks along an axis by hand.
fn blocks(how: Reduction, dtype: Dtype, values: &[i64], size: usize) -> Vec<i64> {
    let element = |x: &i64| if dtype.is_bool() { x & 1 } else { *x };
    let one = |block: &[i64]| block.iter().map(element).reduce(|a, b| combined(how, dtype, a, b)).unwrap();
    values.chunks(size).map(one).collect()
}

/// Running ones, with each element.
fn prefixes(how: Reduction, dtype: Dtype, values: &[i64], size: usize, reverse: bool) -> Vec<i64> {
    let of_block = |block: &[i64]| {
        let turned: Vec<i64> = if reverse { block.iter().rev().copied().collect() } else { block.to_vec() };
        let all = (1..=turned.len()).map(|n| blocks(how, dtype, &turned[..n], n)[0]);
        let mut all: Vec<i64> = all.collect();
        if reverse {
            all.reverse();
        }
        all
    };
    values.chunks(size).flat_map(of_block).collect()
}

#[test]
fn blocks_of_every_size() {
    everywhere(|| {
        let values = [1i64, 2, 1, 3, 0, 2, 1];
        for dtype in Dtype::all() {
            let x = of(dtype, &values, &[7])?;
            let column = of(dtype, &values, &[7, 1])?;
            for how in ALL.into_iter().filter(|&how| takes(how, dtype) && how != Reduction::Replace) {
                for size in [1, 2, 3, 7, 9, usize::MAX] {
                    let what = format!("{how:?} of {dtype} by {size}");
                    let got = ivy::block_reduce(&x, size, BlockReduce::new().reduction(how))?;
                    let want = blocks(how, dtype, &values, size);
                    assert_eq!((got.dtype(), numbers(&got)?), (dtype, want.clone()), "{what}");
                    let along = BlockReduce::new().reduction(how).axis(0);
                    let got = ivy::block_reduce(&column, size, along)?;
                    assert_eq!((got.shape().to_vec(), numbers(&got)?), (vec![want.len(), 1], want), "{what}");
                    for reverse in [false, true] {
                        let params = || {
                            let params = BlockPrefixReduce::new().reduction(how);
                            if reverse { params.reverse() } else { params }
                        };
                        let got = ivy::block_prefix_reduce(&x, size, params().exclusive(false))?;
                        let with = prefixes(how, dtype, &values, size, reverse);
                        assert_eq!((got.dtype(), numbers(&got)?), (dtype, with.clone()), "{what} {reverse}");
                        // Without each element: the result before, and first what changes no element.
                        let got = ivy::block_prefix_reduce(&column, size, params().axis(0))?;
                        let got = numbers(&ivy::squeeze(&got, 1)?)?;
                        for (i, &x) in got.iter().enumerate() {
                            let at = i % size.min(7);
                            let last = (i - at + size.min(7)).min(7) - 1;
                            let before =
                                if reverse { (i < last).then(|| i + 1) } else { (at > 0).then(|| i - 1) };
                            match before {
                                Some(before) => assert_eq!(x, with[before], "{what} {reverse}"),
                                None if dtype.is_float() || dtype == Dtype::UINT64 => {}
                                None => assert_eq!(combined(how, dtype, x, 1), 1, "{what} {reverse}"),
                            }
                        }
                    }
                }
            }
            let none = of(dtype, &[], &[2, 0])?;
            assert_eq!(ivy::block_reduce(&none, 3, ())?.shape().to_vec(), [2, 0]);
            assert_eq!(ivy::block_prefix_reduce(&none, 3, ())?.shape().to_vec(), [2, 0]);
        }
        Ok(())
    });
}

/// The values that Dr.Jit's own functions give.
#[test]
fn as_dr_jit_has_them() {
    everywhere(|| {
        let params = ScatterFlat::new().out(&ivy::zeros(2, Dtype::INT32)?).reduction(Reduction::Max);
        let greatest = ivy::scatter_flat(ints(&[0, 0, 1]), Array::try_from([3i32, 5, 4])?, params)?;
        assert_eq!(greatest.to_vec::<i32>()?, [5, 4]);
        let counted = ivy::scatter_inc(ivy::zeros(3, Dtype::UINT32)?, ints(&[1, 1, 1]), ())?;
        assert_eq!(counted.target.to_vec::<u32>()?, [0, 3, 0]);
        assert_eq!(counted.old.to_vec::<u32>()?, [0, 1, 2]);
        let x = Array::try_from([1i64, 2, 3])?;
        assert_eq!(ivy::cumsum(&x, ivy::Cumsum::new().exclusive())?.to_vec::<i64>()?, [0, 1, 3]);
        assert_eq!(ivy::cumsum(&x, ())?.to_vec::<i64>()?, [1, 3, 6]);
        let x = Array::try_from([1.0f32, 2.0, 3.0, 4.0])?;
        assert_eq!(ivy::block_reduce(&x, 2, ())?.to_vec::<f32>()?, [3.0, 7.0]);
        assert_eq!(ivy::block_prefix_reduce(&x, 2, ())?.to_vec::<f32>()?, [0.0, 1.0, 0.0, 3.0]);
        assert_eq!(ivy::nonzero(bools(&[true, false, true]))?[0].to_vec::<i64>()?, [0, 2]);
        // 4096 ones in float16 (decision S18).
        let ones = ivy::ones(8192, Dtype::FLOAT16)?;
        let sums = ivy::astype(ivy::block_reduce(&ones, 4096, ())?, Dtype::FLOAT32)?;
        assert_eq!(sums.to_vec::<f32>()?, [4096.0, 4096.0]);
        Ok(())
    });
}

/// Places handed out by [`ivy::scatter_inc`] are where [`ivy::nonzero`] says.
#[test]
fn what_is_kept_is_put_side_by_side() {
    everywhere(|| {
        let data = ivy::arange(1000, Dtype::INT64)?;
        let kept = ivy::equal(ivy::remainder(&data, 3)?, 1)?;
        let counter = ivy::zeros(1, Dtype::INT64)?;
        let places =
            ivy::scatter_inc(&counter, ivy::zeros(1000, Dtype::INT64)?, ScatterInc::new().mask(&kept))?;
        let count = places.target.item::<i64>()? as usize;
        let put = ScatterFlat::new().size(count).reduction(Reduction::Replace).mask(&kept);
        let together = ivy::scatter_flat(&places.old, &data, put)?.to_vec::<i64>()?;
        assert_eq!(together, ivy::nonzero(&kept)?[0].to_vec::<i64>()?);
        Ok(())
    });
}
