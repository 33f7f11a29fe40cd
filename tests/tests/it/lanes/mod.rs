//! Gathers and scatters of which a mask leaves lanes out, scatters that say what stood before, and reductions of
//! blocks: on every backend as one element after the other has it, for every dtype (Dr.Jit's memory operations).

mod blocks;
mod refused;

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
