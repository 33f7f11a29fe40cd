//! Gathers and scatters of which a mask leaves lanes out, scatters that say what stood before, and reductions of
//! blocks: on every backend as one element after the other has it, for every dtype (Dr.Jit's memory operations).

use ivy_tests::places;

use ivy::plan::explain;
use ivy::prelude::*;
use ivy::{
    BlockPrefixReduce, BlockReduce, ErrorKind, Gather, GatherNd, Reduction, Result, Scalar, ScatterCas,
    ScatterExch, ScatterFlat, ScatterInc, ScatterMode, ScatterNd, Shape,
};
use proptest::prelude::*;

fn everywhere(f: impl Fn() -> Result<()>) {
    places::on_each(&["ndarray", "candle", "jit:interp", "jit:llvm"], f);
}

const MODES: [ScatterMode; 6] = [
    ScatterMode::Auto,
    ScatterMode::Direct,
    ScatterMode::Local,
    ScatterMode::NoConflicts,
    ScatterMode::Expand,
    ScatterMode::Permute,
];

/// Small numbers as elements of a dtype; of bool, whether they are odd.
fn of(dtype: Dtype, values: &[i64], shape: &[usize]) -> Result<Array> {
    let odd = |&x: &i64| if dtype.is_bool() { x & 1 } else { x };
    let values: Vec<i64> = values.iter().map(odd).collect();
    ivy::astype(&Array::from_vec(values, shape)?, dtype)
}

/// Elements as numbers.
fn numbers(x: &Array) -> Result<Vec<i64>> {
    let x = if x.dtype().is_complex() { ivy::real(x)? } else { x.clone() };
    ivy::astype(&x, Dtype::INT64)?.to_vec()
}

fn bools(values: &[bool]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

fn ints(values: &[i64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

/// One element and another one, of small numbers that no dtype rounds.
fn combined(how: Reduction, dtype: Dtype, a: i64, b: i64) -> i64 {
    match how {
        Reduction::Replace => b,
        Reduction::Sum | Reduction::Max | Reduction::Or if dtype.is_bool() => a | b,
        _ if dtype.is_bool() => a & b,
        Reduction::Sum => a + b,
        Reduction::Min => a.min(b),
        Reduction::Max => a.max(b),
        Reduction::Mul => a * b,
        Reduction::And => a & b,
        Reduction::Or => a | b,
    }
}

const ALL: [Reduction; 7] = [
    Reduction::Sum,
    Reduction::Replace,
    Reduction::Min,
    Reduction::Max,
    Reduction::Mul,
    Reduction::And,
    Reduction::Or,
];

fn takes(how: Reduction, dtype: Dtype) -> bool {
    match how {
        Reduction::Min | Reduction::Max => !dtype.is_complex(),
        Reduction::And | Reduction::Or => dtype.is_int() || dtype.is_bool(),
        _ => true,
    }
}

#[test]
fn what_a_mask_leaves_out_is_zero_and_not_looked_at() {
    everywhere(|| {
        for dtype in Dtype::all() {
            let x = of(dtype, &[1, 2, 3, 4, 5, 6], &[2, 3])?;
            let mask = bools(&[true, false, true]);
            let columns = ivy::gather(&x, ints(&[2, 99, -3]), Gather::new().mask(&mask))?;
            assert_eq!((columns.dtype(), columns.shape().to_vec()), (dtype, vec![2, 3]));
            assert_eq!(numbers(&columns)?, numbers(&of(dtype, &[3, 0, 1, 6, 0, 4], &[6])?)?, "{dtype}");
            let rows = ivy::gather(&x, ints(&[1, -7, 0]), Gather::new().axis(0).mask(&mask))?;
            assert_eq!(numbers(&rows)?, numbers(&of(dtype, &[4, 5, 6, 0, 0, 0, 1, 2, 3], &[9])?)?, "{dtype}");
            // Of each row its own, and a mask that broadcasts.
            let which = Array::try_from([[2i64, 99], [0, 99]])?;
            let params = Gather::new().batch_dims(1usize).mask(bools(&[true, false]));
            let own = ivy::gather(&x, &which, params)?;
            assert_eq!(numbers(&own)?, numbers(&of(dtype, &[3, 0, 4, 0], &[4])?)?, "{dtype}");
            let places = Array::try_from([[1i64, 99], [-1, 0], [99, 0]])?;
            let params = GatherNd::new().mask(bools(&[false, true, false]));
            let some = ivy::gather_nd(&x, &places, params)?;
            assert_eq!(numbers(&some)?, numbers(&of(dtype, &[0, 4, 0], &[3])?)?, "{dtype}");
            // All of them, of an array that has none.
            let none = of(dtype, &[], &[0, 2])?;
            let off = bools(&[false, false]);
            let nothing = ivy::gather(&none, ints(&[5, 0]), Gather::new().axis(0).mask(&off))?;
            assert_eq!((nothing.shape().to_vec(), numbers(&nothing)?), (vec![2, 2], vec![0; 4]));
            let nothing =
                ivy::gather_nd(&none, Array::try_from([[5i64], [0]])?, GatherNd::new().mask(false))?;
            assert_eq!((nothing.shape().to_vec(), numbers(&nothing)?), (vec![2, 2], vec![0; 4]));
        }
        Ok(())
    });
}

/// Updates of which some are left out, in every mode.
#[test]
fn updates_that_are_left_out_do_nothing_in_every_mode() {
    everywhere(|| {
        for dtype in Dtype::all() {
            let (places, far) = ([2i64, 0, -1, 0, 0], [2i64, 99, -1, 0, -99]);
            let on = [true, false, true, true, false];
            let values = [3i64, 5, 6, 2, 4];
            for how in ALL.into_iter().filter(|&how| takes(how, dtype)) {
                let onto = [1i64, 2, 3];
                let with = |out: bool, on: &[bool]| -> Vec<i64> {
                    let element = |x: i64| if dtype.is_bool() { x & 1 } else { x };
                    let mut all: Vec<Option<i64>> = onto.iter().map(|&x| out.then_some(element(x))).collect();
                    for ((&place, &value), _) in places.iter().zip(&values).zip(on).filter(|(_, on)| **on) {
                        let to = &mut all[place.rem_euclid(3) as usize];
                        *to = Some(to.map_or(element(value), |x| combined(how, dtype, x, element(value))));
                    }
                    all.into_iter().map(Option::unwrap_or_default).collect()
                };
                let (updates, out) = (of(dtype, &values, &[5])?, of(dtype, &onto, &[3])?);
                for mode in MODES {
                    let flat = || ScatterFlat::new().reduction(how).mode(mode);
                    let what = format!("{how:?} of {dtype}, {mode:?}");
                    let got = ivy::scatter_flat(ints(&far), &updates, flat().size(3usize).mask(bools(&on)))?;
                    assert_eq!((got.dtype(), numbers(&got)?), (dtype, with(false, &on)), "{what}");
                    let got = ivy::scatter_flat(ints(&far), &updates, flat().out(&out).mask(bools(&on)))?;
                    assert_eq!((got.dtype(), numbers(&got)?), (dtype, with(true, &on)), "{what}");
                    let got = ivy::scatter_flat(ints(&places), &updates, flat().out(&out))?;
                    assert_eq!(numbers(&got)?, with(true, &[true; 5]), "{what}");
                    assert_eq!(numbers(&out)?, numbers(&of(dtype, &onto, &[3])?)?, "the target stays");
                }
                // All and none.
                for mask in [true, false] {
                    let params = ScatterFlat::new().reduction(how).out(&out).mask(mask);
                    let got = ivy::scatter_flat(ints(&places), &updates, params)?;
                    assert_eq!(numbers(&got)?, with(true, &[mask; 5]), "{how:?} of {dtype}");
                }
            }
            // Blocks, at places along two axes.
            let at = Array::try_from([[1i64, 0], [99, 99], [0, -2]])?;
            let rows = of(dtype, &[1, 0, 9, 9, 1, 1], &[3, 2])?;
            let params = ScatterNd::new().shape([2, 2, 2]).mask(bools(&[true, false, true]));
            let got = ivy::scatter_nd(&at, &rows, params)?;
            assert_eq!(numbers(&got)?, [1, 1, 0, 0, 1, 0, 0, 0], "{dtype}");
            // None, where there is no place.
            let none = of(dtype, &[], &[0])?;
            let off = || ScatterFlat::new().out(&none).mask(false);
            assert_eq!(ivy::scatter_flat(ints(&[4]), 1, off())?.shape().to_vec(), [0]);
        }
        Ok(())
    });
}

#[test]
fn what_stood_before_each_update() {
    everywhere(|| {
        let (places, on) = ([1i64, -2, 99, 0, 1], [true, true, false, true, true]);
        for dtype in Dtype::all() {
            let what = format!("{dtype}");
            let target = of(dtype, &[2, 0, 1], &[3])?;
            let mask = || bools(&on);
            if dtype.is_int() {
                let got = ivy::scatter_inc(&target, ints(&places), ScatterInc::new().mask(mask()))?;
                assert_eq!((got.old.dtype(), got.target.dtype()), (dtype, dtype));
                assert_eq!(
                    (numbers(&got.old)?, numbers(&got.target)?),
                    (vec![0, 1, 0, 2, 2], vec![3, 3, 1]),
                    "{what}"
                );
                // Around the end.
                let most = ivy::iinfo(dtype)?.max;
                let end = ivy::full(1, Scalar::Int(most), ivy::Filled::new().dtype(dtype))?;
                let got = ivy::scatter_inc(&end, ints(&[0, 0]), ())?;
                let least = ivy::iinfo(dtype)?.min;
                let wrapped = ivy::full(1, Scalar::Int(least), ivy::Filled::new().dtype(dtype))?;
                assert!(ivy::all(ivy::equal(&got.target - 1, &wrapped)?, ())?.item::<bool>()?, "{what}");
                assert!(
                    ivy::all(ivy::equal(got.old.get(ivy::s![1])?, &wrapped)?, ())?.item::<bool>()?,
                    "{what}"
                );
            } else {
                let error = ivy::scatter_inc(&target, ints(&[0]), ()).expect_err("no integers");
                assert!(
                    matches!(error.kind(), ErrorKind::OutsideDomain { function: "scatter_inc", .. }),
                    "{error}"
                );
            }
            let values = [3i64, 0, 1, 1, 5];
            let element = |x: i64| if dtype.is_bool() { x & 1 } else { x };
            let got = ivy::scatter_exch(
                &target,
                of(dtype, &values, &[5])?,
                ints(&places),
                ScatterExch::new().mask(mask()),
            )?;
            assert_eq!((got.old.dtype(), got.target.dtype()), (dtype, dtype));
            assert_eq!(numbers(&got.old)?, [0, 3, 0, 2, 0].map(element), "{what}");
            assert_eq!(numbers(&got.target)?, [1, 5, 1].map(element), "{what}");
            // Two axes of places, one value.
            let got =
                ivy::scatter_exch(&target, of(dtype, &[7], &[])?, Array::try_from([[0i64, 2], [0, 0]])?, ())?;
            assert_eq!(
                (got.old.shape().to_vec(), numbers(&got.old)?),
                (vec![2, 2], [2, 1, 7, 7].map(element).to_vec())
            );
            // Where 0 stands, 1 is put, and 0 where 1 does.
            let compare = of(dtype, &[0, 1, 0, 1, 1], &[5])?;
            let value = of(dtype, &[1, 0, 1, 1, 1], &[5])?;
            let got =
                ivy::scatter_cas(&target, &compare, &value, ints(&places), ScatterCas::new().mask(mask()))?;
            assert_eq!(
                (got.old.dtype(), got.swapped.dtype(), got.target.dtype()),
                (dtype, Dtype::BOOL, dtype)
            );
            assert_eq!(numbers(&got.old)?, [0, 1, 0, 2, 0].map(element), "{what}");
            assert_eq!(got.swapped.to_vec::<bool>()?, [true, true, false, false, false], "{what}");
            assert_eq!(numbers(&got.target)?, [2, 0, 1].map(element), "{what}");
            // Nothing, and none to put it.
            let none = of(dtype, &[], &[0])?;
            let got = ivy::scatter_exch(&target, of(dtype, &[1], &[])?, ints(&[]), ())?;
            assert_eq!(
                (numbers(&got.old)?, numbers(&got.target)?),
                (vec![], [2, 0, 1].map(element).to_vec())
            );
            let got =
                ivy::scatter_exch(&none, of(dtype, &[1], &[])?, ints(&[3]), ScatterExch::new().mask(false))?;
            assert_eq!((numbers(&got.old)?, got.target.shape().to_vec()), (vec![0], vec![0]));
            assert_eq!(numbers(&target)?, [2, 0, 1].map(element), "the target stays");
        }
        // Zeros are equal, NaN equals nothing.
        let target = Array::try_from([-0.0f32, f32::NAN])?;
        let compare = Array::try_from([0.0f32, f32::NAN])?;
        let got = ivy::scatter_cas(&target, &compare, 1.0, ints(&[0, 1]), ())?;
        assert_eq!(got.swapped.to_vec::<bool>()?, [true, false]);
        assert_eq!(got.target.to_vec::<f32>()?[0], 1.0);
        // What all promote to.
        let got = ivy::scatter_exch(Array::try_from([1i8, 2])?, Array::try_from([300i32])?, ints(&[0]), ())?;
        assert_eq!((got.old.dtype(), got.target.to_vec::<i32>()?), (Dtype::INT32, vec![300, 2]));
        Ok(())
    });
}

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

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

#[test]
fn what_does_not_fit_is_refused() {
    everywhere(|| {
        let (x, one) = (ivy::ones([2, 3], Dtype::FLOAT32)?, ivy::ones(3, Dtype::FLOAT32)?);
        let read = |result: Result<Array>| refused(result.and_then(|x| x.to_vec::<f32>()));
        let starts = |text: String, with: &str| assert!(text.starts_with(with), "{text}\n{with}");
        let on = || bools(&[true, false, true]);
        // The first lane that is not left out.
        let far = ints(&[0, 9, -7]);
        let gathered = |x: &Array, axis: i64| ivy::gather(x, &far, Gather::new().axis(axis).mask(on()));
        let error = read(gathered(&x, 1));
        starts(error.clone(), "IndexOutOfRange");
        assert!(error.contains("index=-7 axis=1 length=3 position=2"), "{error}");
        let put = |out: &Array| ivy::scatter_flat(&far, &one, ScatterFlat::new().out(out).mask(on()));
        let error = read(put(&one));
        assert!(error.contains("index=-7 axis=0 length=3 position=2"), "{error}");
        let incremented = ivy::scatter_inc(ivy::zeros(3, Dtype::INT32)?, &far, ScatterInc::new().mask(on()));
        let error = refused(incremented.and_then(|done| done.target.to_vec::<i32>()));
        assert!(error.contains("index=-7 axis=0 length=3 position=2"), "{error}");
        for bad in [ints(&[3, 0, 0]), ints(&[-4, 0, 0])] {
            let exchanged = ivy::scatter_exch(&one, &one, &bad, ());
            let error = refused(exchanged.and_then(|done| done.old.to_vec::<f32>()));
            assert!(error.contains("axis=0 length=3 position=0"), "{error}");
            let error = read(ivy::scatter_flat(&bad, &one, ScatterFlat::new().size(3usize).mask(on())));
            assert!(error.contains("axis=0 length=3 position=0"), "{error}");
        }
        // No place is one, where there is none.
        let none = ivy::zeros(0, Dtype::FLOAT32)?;
        let some = bools(&[false, true, true]);
        let error = read(ivy::gather(&none, &far, Gather::new().mask(&some)));
        starts(error, "IndexOutOfRange function=gather index=9 axis=0 length=0 position=1");
        let error = read(ivy::scatter_flat(&far, &one, ScatterFlat::new().out(&none).mask(&some)));
        starts(error, "IndexOutOfRange function=scatter_flat index=9 axis=0 length=0 position=1");
        // Shapes.
        let wide = bools(&[true; 4]);
        starts(
            read(ivy::gather(&x, &far, Gather::new().mask(&wide))),
            "ShapeMismatch function=gather argument=mask",
        );
        let deep = ivy::ones([2, 3], Dtype::BOOL)?;
        let flat = |mask: &Array| ScatterFlat::new().size(3usize).mask(mask);
        starts(
            read(ivy::scatter_flat(&far, &one, flat(&deep))),
            "ShapeMismatch function=scatter_flat argument=mask",
        );
        let exch = |target: &Array, value: &Array| ivy::scatter_exch(target, value, ints(&[0, 1, 2]), ());
        starts(refused(exch(&x, &one)), "ShapeMismatch function=scatter_exch argument=target");
        starts(refused(exch(&one, &x)), "ShapeMismatch function=scatter_exch argument=value");
        let cas = ivy::scatter_cas(&one, &x, &one, ints(&[0, 1, 2]), ());
        starts(refused(cas), "ShapeMismatch function=scatter_cas argument=compare");
        let cas = ivy::scatter_cas(&one, &one, &one, ints(&[0, 1, 2]), ScatterCas::new().mask(&wide));
        starts(refused(cas), "ShapeMismatch function=scatter_cas argument=mask");
        // Dtypes.
        let halves = Array::try_from([0.5f32, 1.0, 2.0])?;
        starts(
            read(ivy::gather(&x, &far, Gather::new().mask(&halves))),
            "OutsideDomain function=gather operand=mask",
        );
        starts(
            refused(ivy::scatter_exch(&one, &one, &halves, ())),
            "OutsideDomain function=scatter_exch operand=indices",
        );
        // Blocks.
        let by = |size, params: BlockReduce| read(ivy::block_reduce(&one, size, params));
        starts(by(0, BlockReduce::new()), "InvalidArgument function=block_reduce argument=block_size");
        let replace = BlockReduce::new().reduction(Reduction::Replace);
        starts(by(2, replace), "InvalidArgument function=block_reduce argument=reduction");
        starts(by(2, BlockReduce::new().axis(1)), "AxisOutOfRange function=block_reduce");
        starts(by(2, BlockReduce::new().reduction(Reduction::And)), "WrongDtypeKind function=block_reduce");
        let least = BlockPrefixReduce::new().reduction(Reduction::Min);
        let complex = ivy::ones(3, Dtype::COMPLEX64)?;
        starts(
            refused(ivy::block_prefix_reduce(&complex, 2, least)),
            "WrongDtypeKind function=block_prefix_reduce",
        );
        starts(
            refused(ivy::block_prefix_reduce(&one, 0, ())),
            "InvalidArgument function=block_prefix_reduce",
        );
        let scalar = ivy::ones(Shape::default(), Dtype::INT32)?;
        starts(refused(ivy::block_reduce(&scalar, 1, ())), "AxisOutOfRange function=block_reduce");
        Ok(())
    });
}

/// Where a program reads or writes at an index, errors name the function that it called, whatever op does it.
#[test]
fn errors_name_the_function() {
    type Call<'f> = (&'static str, &'f dyn Fn(&Array) -> Result<Array>);
    everywhere(|| {
        let x = ivy::reshape(ivy::arange(12, Dtype::FLOAT32)?, [3, 4], ())?;
        let (line, ones) = (ivy::arange(3, Dtype::FLOAT32)?, ivy::ones(3, Dtype::FLOAT32)?);
        let counters = ivy::zeros(3, Dtype::INT32)?;
        let on = || bools(&[true, false, true]);
        let column = |i: &Array| ivy::reshape(i, [3, 1], ());
        let flat = || ScatterFlat::new().out(&line);
        let nd = || ScatterNd::new().out(&line);
        let set = |x: &Array, i: &Array| -> Result<Array> {
            let mut x = x.clone();
            x.set(ivy::s![i], 0)?;
            Ok(x)
        };
        let same = |x: &Array| Ok(x.clone());
        let calls: &[Call<'_>] = &[
            ("take", &|i| ivy::take(&line, i, ())),
            ("take_along_axis", &|i| ivy::take_along_axis(&line, i, ())),
            ("gather", &|i| ivy::gather(&line, i, ())),
            ("gather", &|i| ivy::gather(&x, column(i)?, Gather::new().axis(0))),
            ("gather", &|i| ivy::gather(&x, column(i)?, Gather::new().batch_dims(1usize))),
            ("gather", &|i| ivy::gather(&line, i, Gather::new().mask(on()))),
            ("gather_nd", &|i| ivy::gather_nd(&x, column(i)?, ())),
            ("gather_nd", &|i| ivy::gather_nd(&x, column(i)?, GatherNd::new().mask(on()))),
            ("get_item", &|i| line.get(ivy::s![i])),
            ("get_item", &|i| x.get(ivy::s![.., i])),
            ("set_item", &|i| set(&line, i)),
            ("scatter_flat", &|i| ivy::scatter_flat(i, &ones, flat())),
            ("scatter_flat", &|i| ivy::scatter_flat(i, &ones, flat().mask(on()))),
            ("scatter_nd", &|i| ivy::scatter_nd(column(i)?, &ones, nd())),
            ("scatter_nd", &|i| ivy::scatter_nd(column(i)?, &ones, nd().mask(on()))),
            ("scatter_inc", &|i| Ok(ivy::scatter_inc(&counters, i, ())?.old)),
            ("scatter_inc", &|i| Ok(ivy::scatter_inc(&counters, i, ScatterInc::new().mask(on()))?.old)),
            ("scatter_exch", &|i| Ok(ivy::scatter_exch(&line, &ones, i, ())?.target)),
            ("scatter_exch", &|i| Ok(ivy::scatter_exch(&line, &ones, i, ScatterExch::new().mask(on()))?.old)),
            ("scatter_cas", &|i| Ok(ivy::scatter_cas(&line, 0, &ones, i, ())?.old)),
            ("scatter_cas", &|i| Ok(ivy::scatter_cas(&line, 0, &ones, i, ScatterCas::new().mask(on()))?.old)),
            ("searchsorted", &|i| ivy::searchsorted(&line, &line, ivy::SearchSorted::new().sorter(i))),
            ("switch", &|i| ivy::switch(i, &[&same, &same, &same], line.clone())),
        ];
        for (name, call) in calls {
            // Evaluated before the error is told, or while it is.
            for pending in [false, true] {
                let index = ints(&[0, 0, -9]);
                let index = if pending { ivy::subtract(ivy::abs(&index)?, 18)? } else { index };
                let error = call(&index).and_then(|done| done.to_host()).unwrap_err();
                let text = error.to_string();
                assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { .. }), "{name}: {text}");
                assert!(text.starts_with(&format!("{name}: index ")), "{name}: {text}");
            }
        }
        Ok(())
    });
}

/// Of work that waits, an error is that of the function which it is of: not of the one that asks for it.
#[test]
fn errors_of_what_is_pending_keep_their_names() {
    everywhere(|| {
        let (x, far) = (ivy::arange(3, Dtype::FLOAT32)?, ints(&[0, 7, 1]));
        let first = |line: &Array| ivy::scatter_flat(ints(&[0, 1, 2]), line, ScatterFlat::new().size(3usize));
        let done = ivy::take(&x, &far, ()).and_then(|line| first(&line)).and_then(|x| x.to_host());
        let text = done.unwrap_err().to_string();
        assert!(text.starts_with("take: index 7"), "{text}");
        let done = ivy::gather(&x, &far, ()).and_then(|line| ivy::take(line, ints(&[2, 0]), ()));
        let text = done.and_then(|x| x.to_host()).unwrap_err().to_string();
        assert!(text.starts_with("gather: index 7"), "{text}");
        Ok(())
    });
}

/// Recorded as a step, and as part of what is pending.
#[test]
fn in_functions_that_are_compiled() {
    everywhere(|| {
        let f = |[target, places]: &[Array; 2]| -> Result<[Array; 3]> {
            let places = (places + 1).ok()?;
            let mask = ivy::less(&places, 3)?;
            let done = ivy::scatter_exch(
                target,
                ivy::astype(&places, Dtype::FLOAT32)?,
                &places,
                ScatterExch::new().mask(&mask),
            )?;
            let sums = ivy::block_reduce(&done.old, 2, ())?;
            let put = ivy::scatter_flat(&places, 1.0f32, ScatterFlat::new().out(&done.target).mask(&mask))?;
            let taken = ivy::gather(&put, &places, Gather::new().mask(&mask))?;
            Ok([sums, put, taken])
        };
        let g = ivy::compile(f);
        for seed in 0..3i64 {
            let target = Array::try_from([seed as f32, 5.0, 6.0])?;
            let places = ints(&[-1, 9, 1, seed - 1, 7]);
            let inputs = [target, places];
            let (got, want) = (g.call(&inputs)?, f(&inputs)?);
            for (got, want) in got.iter().zip(&want) {
                assert_eq!(got.to_vec::<f32>()?, want.to_vec::<f32>()?, "{seed}");
            }
            assert_eq!(want[0].to_vec::<f32>()?.len(), 3);
        }
        Ok(())
    });
}

fn at_random(length: usize, places: &[i64], on: &[bool], values: &[i64], expected: &[i64]) -> Result<()> {
    let target: Vec<i64> = (0..length as i64).map(|i| i % 3).collect();
    let (mut inc, mut exch, mut cas) = (target.clone(), target.clone(), target.clone());
    let (mut counts, mut before, mut found, mut swapped) = (vec![], vec![], vec![], vec![]);
    let mut gathered = vec![];
    for (i, (&place, &on)) in places.iter().zip(on).enumerate() {
        if !on {
            for list in [&mut counts, &mut before, &mut found, &mut gathered] {
                list.push(0);
            }
            swapped.push(false);
            continue;
        }
        let at = place.rem_euclid(length as i64) as usize;
        gathered.push(target[at]);
        counts.push(inc[at]);
        inc[at] += 1;
        before.push(exch[at]);
        exch[at] = values[i];
        found.push(cas[at]);
        swapped.push(cas[at] == expected[i]);
        if cas[at] == expected[i] {
            cas[at] = values[i];
        }
    }
    let [x, values, expected] = [&target, values, expected].map(ints);
    let mask = bools(on);
    let safe: Vec<i64> =
        places.iter().zip(on).map(|(&place, &on)| if on { place } else { i64::MAX - place.abs() }).collect();
    let indices = ints(&safe);
    let got = ivy::gather(&x, &indices, Gather::new().mask(&mask))?;
    assert_eq!(got.to_vec::<i64>()?, gathered);
    let got = ivy::scatter_inc(&x, &indices, ScatterInc::new().mask(&mask))?;
    assert_eq!((got.old.to_vec::<i64>()?, got.target.to_vec::<i64>()?), (counts, inc));
    let got = ivy::scatter_exch(&x, &values, &indices, ScatterExch::new().mask(&mask))?;
    assert_eq!((got.old.to_vec::<i64>()?, got.target.to_vec::<i64>()?), (before, exch.clone()));
    // What is there in the end is what a scatter puts there.
    let put = ScatterFlat::new().out(&x).reduction(Reduction::Replace).mask(&mask);
    assert_eq!(ivy::scatter_flat(&indices, &values, put)?.to_vec::<i64>()?, exch);
    let got = ivy::scatter_cas(&x, &expected, &values, &indices, ScatterCas::new().mask(&mask))?;
    assert_eq!((got.old.to_vec::<i64>()?, got.swapped.to_vec::<bool>()?), (found, swapped));
    assert_eq!(got.target.to_vec::<i64>()?, cas);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_updates(
        length in 1usize..12,
        lanes in prop::collection::vec((0i64..24, any::<bool>(), 0i64..3, 0i64..3), 0..30),
    ) {
        let n = length as i64;
        let places: Vec<i64> = lanes.iter().map(|lane| lane.0 % (2 * n) - n).collect();
        let on: Vec<bool> = lanes.iter().map(|lane| lane.1).collect();
        let values: Vec<i64> = lanes.iter().map(|lane| lane.2).collect();
        let expected: Vec<i64> = lanes.iter().map(|lane| lane.3).collect();
        everywhere(|| at_random(length, &places, &on, &values, &expected));
    }
}

/// What `explain` says: compositions, whose parts it names.
#[test]
fn plans() {
    let backend = ivy::backend::backend("jit:llvm").unwrap();
    for (name, dtypes) in [
        ("scatter_inc", &["int32", "int64", "bool"][..]),
        ("scatter_exch", &["float32", "float32", "int64"]),
        ("scatter_cas", &["complex64", "complex64", "complex64", "int64", "bool"]),
        ("scatter_nd", &["int64", "float32", "float32", "bool"]),
        ("gather_nd", &["float32", "int64", "bool"]),
        ("block_reduce", &["uint8"]),
        ("block_prefix_reduce", &["bool"]),
    ] {
        let text = explain(name, dtypes, None, &backend).unwrap().to_string();
        assert!(text.contains(name), "{text}");
        if ["scatter_inc", "scatter_exch", "scatter_cas"].contains(&name) {
            assert_eq!(text.matches(name).count(), 2, "{text}");
        }
    }
    let refused = explain("scatter_inc", &["float32", "int64"], None, &backend).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::OutsideDomain { .. }), "{refused}");
}
