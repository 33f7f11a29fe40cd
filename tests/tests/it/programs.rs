//! Random programs, whose steps are noted and done late, fused in whatever ways the engine finds:
//! their arrays are those of the reference, bit by bit, and so are their errors.
//!
//! Only functions whose results are exact, or rounded once, or folded in an order of their own, are
//! among the steps: others may differ from the reference within their bounds.

use ivy::array::Index;
use ivy::prelude::*;
use ivy_conformance::rng::Rng;
use proptest::prelude::*;

/// A step: what it does, on which arrays, and numbers that it may need.
type Step = (u8, u8, u8, u16);

const STEPS: u8 = 72;

fn index(start: Option<i64>, stop: Option<i64>, step: i64) -> Index {
    Index::Slice { start, stop, step }
}

/// Does a step on a program's arrays. What comes out does not depend on the backend.
fn run(arrays: &[Array], (op, a, b, n): Step) -> ivy::Result<Array> {
    let pick = |i: u8| &arrays[i as usize % arrays.len()];
    let (x, y) = (pick(a), pick(b));
    let n = i64::from(n);
    let rank = x.ndim() as i64;
    let axis = if rank == 0 { 0 } else { n % rank };
    let dtype = Dtype::all().nth(n as usize % Dtype::COUNT).expect("below the count");
    let flat = |x: &Array| ivy::reshape(x, [-1], ());
    // Places in the axis of an array, made of any numbers.
    let places = |x: &Array, many: usize| -> ivy::Result<Array> {
        let wide = ivy::astype(&flat(x)?, Dtype::FLOAT64)?;
        let near = ivy::where_(&ivy::less(&ivy::abs(&wide)?, 1e6)?, &wide, 0)?;
        ivy::remainder(&ivy::astype(&near, Dtype::INT64)?, many.max(1) as i64)
    };
    match op % STEPS {
        0 | 1 => ivy::add(x, y),
        2 | 3 => ivy::multiply(x, y),
        4 => ivy::subtract(x, y),
        5 => ivy::divide(x, y),
        6 => ivy::maximum(x, y),
        7 => ivy::minimum(x, y),
        8 => ivy::less(x, y),
        9 => ivy::equal(x, y),
        10 => ivy::where_(&ivy::astype(x, Dtype::BOOL)?, y, pick(n as u8)),
        11 => ivy::negative(x),
        12 => ivy::abs(x),
        13 => ivy::square(x),
        // Of complex numbers, it is within a bound.
        14 if !x.dtype().is_complex() => ivy::sqrt(x),
        15 => ivy::floor(x),
        16 => ivy::sign(x),
        17 => ivy::bitwise_invert(x),
        18 | 19 => ivy::astype(x, dtype),
        20 => ivy::permute_dims(x, (0..rank).rev().collect::<Vec<_>>()),
        21 => ivy::flip(x, ivy::Flip::new().axis(axis)),
        22 => x.get([index(Some(n % 5), None, 1 + n % 3)]),
        23 => x.get([Index::Ellipsis, index(None, Some(n % 9 - 4), if n % 2 == 0 { -1 } else { 2 })]),
        24 => flat(x),
        25 => ivy::reshape(x, [-1, 1 + n % 4], ()),
        26 => ivy::expand_dims(x, axis),
        27 => ivy::squeeze(x, axis),
        28 => {
            ivy::broadcast_to(x, [2, 3].into_iter().chain(x.shape().iter().copied()).collect::<Vec<usize>>())
        }
        29 => ivy::roll(x, n % 11 - 5, ()),
        30 => ivy::concat([&flat(x)?, &flat(y)?], ()),
        31 => ivy::stack([x, y], ()),
        32 | 33 => ivy::sum(x, ivy::Sum::new().axis(axis)),
        34 => ivy::sum(x, ()),
        35 => ivy::max(x, ivy::Max::new().axis(axis).keepdims()),
        36 => ivy::min(x, ivy::Min::new().axis(axis)),
        37 => ivy::prod(x, ivy::Prod::new().axis(axis)),
        38 => ivy::any(x, ivy::Any::new().axis(axis)),
        39 => ivy::all(x, ()),
        40 => ivy::argmax(x, ivy::ArgMax::new().axis(axis)),
        41 => ivy::argmin(x, ()),
        42 | 43 => ivy::take(
            x,
            &places(y, *x.shape().get(axis as usize).unwrap_or(&1))?,
            ivy::Take::new().axis(axis),
        ),
        44 => ivy::cumulative_sum(x, ivy::CumulativeSum::new().axis(axis)),
        45 => ivy::sort(x, ivy::Sort::new().axis(axis)),
        46 => ivy::argsort(x, ivy::ArgSort::new().axis(axis)),
        47 => {
            let mut written = x.clone();
            written.set([index(Some(n % 4), None, 2)], &ivy::astype(&ivy::sum(y, ())?, x.dtype())?)?;
            Ok(written)
        }
        48 => ivy::mean(x, ivy::Mean::new().axis(axis).keepdims()),
        49 => ivy::var(x, ivy::Var::new().axis(axis)),
        50 => ivy::clip(x, -3, 3),
        51 => ivy::count_nonzero(x, ivy::CountNonzero::new().axis(axis)),
        52 => ivy::tril(x, ()),
        53 => ivy::remainder(x, y),
        54 => ivy::floor_divide(x, y),
        55 => ivy::bitwise_xor(x, y),
        56 => ivy::add(x, n % 7 - 3),
        57 => ivy::multiply(x, (n % 64) as f64 / 8.0 - 4.0),
        58 => ivy::tile(x, [2]),
        59 => ivy::real(x),
        // Numbers of rows or columns beside their elements: what a normalization is made of.
        60 | 61 => ivy::subtract(x, ivy::max(x, ivy::Max::new().axis(axis).keepdims())?),
        62 | 63 => ivy::zero_pad(x, (n as usize % 3, n as usize / 3 % 4)),
        64 => {
            let widths: Vec<_> =
                (0..x.ndim()).map(|a| (n as usize >> a & 1, n as usize >> (a + 3) & 3)).collect();
            ivy::constant_pad(x, widths, ivy::ConstantPad::new().value(1))
        }
        // Neighbours along an axis, which are missing at its ends.
        65 => {
            let wide = ivy::zero_pad(x, 1)?;
            let part = |along: Index| {
                let others = |a| if a == axis { along.clone() } else { index(Some(1), Some(-1), 1) };
                wide.get((0..rank).map(others).collect::<Vec<_>>())
            };
            ivy::add(&part(index(None, Some(-2), 1))?, &part(index(Some(2), None, 1))?)
        }
        // Numbers along the last axis, or down another one; masks of them, and elements at them.
        66 | 67 => {
            let length = if n % 2 == 0 { x.shape().last() } else { x.shape().first() };
            let (first, length) = (n % 9 - 4, *length.unwrap_or(&3) as i64);
            let numbers = match n % 5 {
                0 => ivy::arange((0, length, 1), ivy::Arange::new().dtype(dtype))?,
                1 => {
                    ivy::linspace(first, n % 7, length as usize, ivy::Linspace::new().dtype(Dtype::FLOAT64))?
                }
                _ => ivy::arange((first, first + 2 * length, 2), ())?,
            };
            let ones = vec![1; if n % 2 == 0 { 0 } else { (rank - 1).max(0) as usize }];
            ivy::add(x, ivy::reshape(numbers, [length].into_iter().chain(ones).collect::<Vec<i64>>(), ())?)
        }
        68 => {
            let columns = *x.shape().last().unwrap_or(&4);
            let rows = if rank < 2 { 5 } else { x.shape()[rank as usize - 2] };
            ivy::multiply(x, ivy::eye(rows, ivy::Eye::new().n_cols(columns).k(n % 7 - 3))?)
        }
        69 => ivy::triu(x, ivy::Triangle::new().k(n % 5 - 2)),
        70 => ivy::take(
            x,
            ivy::arange((0, *x.shape().get(axis as usize).unwrap_or(&1) as i64, 1 + n % 2), ())?,
            ivy::Take::new().axis(axis),
        ),
        // Of floats, the engine's products are fused.
        _ => ivy::matmul(&ivy::astype(x, Dtype::INT64)?, &ivy::astype(y, Dtype::INT64)?),
    }
}

/// The arrays that a program begins with: small and larger ones of many dtypes, which `seed` says, with
/// edges.
fn first(seed: u64, values: u64) -> ivy::Result<Vec<Array>> {
    let (mut dtypes, mut rng) = (Rng::new(seed, &["dtypes"]), Rng::new(values, &["values"]));
    let mut arrays = Vec::new();
    for (i, shape) in
        [vec![], vec![7], vec![5, 4], vec![3, 1, 6], vec![37, 33], vec![300]].into_iter().enumerate()
    {
        let count = shape.iter().product::<usize>();
        let values: Vec<f64> = (0..count)
            .map(|_| match rng.bits() % 16 {
                0 => [f64::NAN, f64::INFINITY, -0.0, 1e30, -1e-40, 0.5][rng.bits() as usize % 6],
                _ => (rng.bits() % 41) as f64 / 4.0 - 5.0,
            })
            .collect();
        let dtype = Dtype::all().nth(dtypes.bits() as usize % Dtype::COUNT).expect("below the count");
        let dtype = if i % 2 == 0 { dtype } else { Dtype::FLOAT32 };
        arrays.push(ivy::astype(&Array::from_vec(values, shape)?, dtype)?);
    }
    Ok(arrays)
}

/// Does a program's steps, on these arrays and what it makes of them; gives all, and the kinds of its
/// errors. `read` says after which steps the newest array is read.
fn play(mut arrays: Vec<Array>, steps: &[Step], read: impl Fn(usize) -> bool) -> (Vec<Array>, Vec<String>) {
    let mut errors = Vec::new();
    for (i, &step) in steps.iter().enumerate() {
        match run(&arrays, step) {
            Ok(array) if array.size() > 1 << 15 => errors.push(format!("{i}: too large")),
            Ok(array) => {
                if read(i) {
                    array.to_host().expect("the result is computed");
                }
                arrays.push(array);
            }
            Err(error) => errors.push(format!("{i}: {:?}", error.kind())),
        }
    }
    (arrays, errors)
}

fn arrays_of(
    place: &str,
    seed: u64,
    steps: &[Step],
    read: impl Fn(usize) -> bool,
) -> (Vec<Array>, Vec<String>) {
    ivy::with_backend(place, || play(first(seed, seed).expect("valid arrays"), steps, read))
        .expect("the backend is there")
}

/// Where two arrays differ in dtype, shape or an element; NaN equals NaN, and zeros have signs.
fn difference(ours: &Array, theirs: &Array) -> Option<String> {
    let (x, y) = (ours.to_host().expect("computed"), theirs.to_host().expect("computed"));
    if (x.dtype(), x.shape()) != (y.dtype(), y.shape()) {
        return Some(format!("{} {:?}, not {} {:?}", x.dtype(), x.shape(), y.dtype(), y.shape()));
    }
    (0..x.shape().size()).find_map(|i| {
        let (a, b) =
            (x.scalar_at(i).expect("in bounds").to_string(), y.scalar_at(i).expect("in bounds").to_string());
        (a != b).then(|| format!("{} at {i}: {a}, not {b}", x.dtype()))
    })
}

/// From the last array: what is between is fused away where nobody has read it.
fn compare(place: &str, ours: &[Array], theirs: &[Array]) -> Result<(), TestCaseError> {
    prop_assert_eq!(ours.len(), theirs.len());
    for (i, (x, y)) in ours.iter().zip(theirs).enumerate().rev() {
        if let Some(text) = difference(x, y) {
            prop_assert!(false, "array {i} on {place}: {text}");
        }
    }
    Ok(())
}

/// The engine's places: a device where `IVY_CUDA` names a driver, such as the stand-in's.
fn places() -> Vec<&'static str> {
    let device = ivy::backend::backend("jit:cuda").is_ok().then_some("jit:cuda");
    ["jit:llvm", "jit:interp"].into_iter().chain(device).collect()
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..STEPS, any::<u8>(), any::<u8>(), any::<u16>()), 1..30)
}

/// Programs to try; more by `IVY_PROGRAMS`.
fn cases() -> u32 {
    std::env::var("IVY_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn the_engine_gives_the_bits_of_the_reference(seed in any::<u64>(), steps in steps()) {
        let (theirs, refused) = arrays_of("ndarray", seed, &steps, |_| false);
        for place in places() {
            let (ours, errors) = arrays_of(place, seed, &steps, |i| i as u64 % 11 == seed % 11);
            prop_assert_eq!(&errors, &refused, "{}", place);
            compare(place, &ours, &theirs)?;
        }
    }

    #[test]
    fn compiled_programs_do_too(seed in any::<u64>(), steps in steps()) {
        for place in places() {
            let results = ivy::with_backend(place, || {
                let program = ivy::compile(|arrays: &Vec<Array>| Ok(play(arrays.clone(), &steps, |_| false).0));
                [1, 2, 3].map(|values| program.call(&first(seed, values).expect("valid arrays")))
            });
            for (values, ours) in (1..).zip(results.expect("the backend is there")) {
                let reference = || play(first(seed, values).expect("valid arrays"), &steps, |_| false).0;
                let theirs = ivy::with_backend("ndarray", reference).expect("the reference is there");
                compare(place, &ours.expect("errors are not results"), &theirs)?;
            }
        }
    }
}

/// Programs of which most steps are refused would say little.
#[test]
fn most_steps_are_done() {
    let mut rng = Rng::new(1, &["steps"]);
    let (mut done, mut all) = (0, 0);
    for seed in 0..20 {
        let steps: Vec<Step> = (0..25)
            .map(|_| (rng.bits() as u8 % STEPS, rng.bits() as u8, rng.bits() as u8, rng.bits() as u16))
            .collect();
        let (_, refused) = arrays_of("jit:interp", seed, &steps, |_| false);
        (done, all) = (done + steps.len() - refused.len(), all + steps.len());
    }
    assert!(done * 2 > all, "{done} of {all}");
}
