//! Random programs of loops, conditionals and switches within each other, on variables of any dtypes: what
//! they give is the reference's, bit by bit, whether they are recorded, run iteration by iteration or compiled, and with
//! any of the engine's switches off.
//!
//! Each variable keeps its dtype and shape. Only functions whose results are exact, or rounded once, or folded
//! in an order of their own, are among the steps: others may differ from the reference within their bounds.

use ivy_tests::engines;

use engines::engines;
use ivy::jit::engine::Settings;
use ivy::prelude::*;
use ivy_conformance::rng::Rng;
use proptest::prelude::*;

/// Part of a program.
#[derive(Clone, Debug)]
enum Part {
    /// A variable becomes something of two others.
    Step(u8, [u8; 3]),
    /// So many iterations at most: of all, or each element until something of a variable holds.
    Loop(u8, Option<u8>, Vec<Part>),
    /// For elements of which something holds, or for all or none; else the other one.
    If(Option<u8>, u8, [Vec<Part>; 2]),
    /// By a variable's elements.
    Switch(u8, Vec<Vec<Part>>),
}

/// A program's variables, of one shape or without axes.
type Vars = Vec<Array>;

const STEPS: u8 = 26;

/// Steps below it are of each element alone.
const PLAIN: u8 = 15;

/// Truth values of a variable, as it is or of all its elements.
fn truth(x: &Array, number: u8) -> ivy::Result<Array> {
    let real = if x.dtype().is_complex() { ivy::real(x)? } else { x.clone() };
    match number % 3 {
        0 => ivy::astype(&real, Dtype::BOOL),
        1 => ivy::less(ivy::astype(&real, Dtype::FLOAT64)?, f64::from(number) / 16.0 - 6.0),
        _ => ivy::greater(ivy::astype(&real, Dtype::FLOAT64)?, f64::from(number) / 16.0 - 6.0),
    }
}

/// Numbers below `n`, of a variable's elements.
fn numbers(x: &Array, n: usize) -> ivy::Result<Array> {
    let real = if x.dtype().is_complex() { ivy::real(x)? } else { x.clone() };
    let wide = ivy::astype(&real, Dtype::FLOAT64)?;
    let near = ivy::where_(ivy::less(ivy::abs(&wide)?, 1e6)?, &wide, 0)?;
    ivy::remainder(ivy::astype(&near, Dtype::INT64)?, n.max(1) as i64)
}

/// Something as a variable: of its dtype and shape.
fn like(x: &Array, y: &Array) -> ivy::Result<Array> {
    let y = match (x.dtype().is_complex(), y.dtype().is_complex()) {
        (false, true) => ivy::real(y)?,
        _ => y.clone(),
    };
    let y = ivy::astype(&y, x.dtype())?;
    match (x.shape() == y.shape(), x.ndim()) {
        (true, _) => Ok(y),
        (_, 0) => ivy::astype(ivy::sum(&y, ())?, x.dtype()),
        _ => ivy::broadcast_to(y, x.shape().clone()),
    }
}

/// A table that no loop changes.
fn table() -> ivy::Result<Array> {
    ivy::subtract(ivy::remainder(ivy::arange((0, 340, 17), Arange::new().dtype(Dtype::INT64))?, 23)?, 11)
}

fn step(vars: &[Array], op: u8, [a, b, n]: [u8; 3]) -> ivy::Result<Array> {
    let pick = |i: u8| &vars[i as usize % vars.len()];
    let (x, y) = (pick(a), pick(b));
    let far = i64::from(n % 7) - 3;
    let last = x.ndim().saturating_sub(1) as i64;
    let made = match op % STEPS {
        0 | 1 => ivy::add(x, y)?,
        2 => ivy::subtract(x, y)?,
        3 => ivy::multiply(x, y)?,
        4 => ivy::where_(truth(y, n)?, x, like(x, y)?)?,
        5 if !x.dtype().is_complex() && !y.dtype().is_complex() => ivy::maximum(x, y)?,
        6 => ivy::astype(ivy::equal(x, y)?, x.dtype())?,
        7 => ivy::add(x, far)?,
        8 if x.dtype() != Dtype::BOOL => ivy::negative(x)?,
        9 => ivy::square(x)?,
        10 if !x.dtype().is_complex() => ivy::remainder(x, y)?,
        11 => table()?.get(ivy::s![&numbers(y, 20)?])?,
        12 => ivy::astype(ivy::astype(ivy::real(x)?, Dtype::FLOAT16)?, Dtype::FLOAT32)?,
        13 => ivy::logical_xor(truth(x, n)?, truth(y, n)?)?,
        14 => ivy::divide(x, 2)?,
        // Of other places, or of several elements.
        15 => ivy::roll(x, far, ())?,
        16 => ivy::flip(x, ())?,
        17 => ivy::add(x, ivy::sum(y, ())?)?,
        18 if x.ndim() > 0 && x.size() > 0 && !x.dtype().is_complex() => {
            ivy::subtract(x, ivy::max(x, Max::new().axis(last).keepdims())?)?
        }
        19 if x.ndim() == 1 && x.size() > 0 => ivy::take(x, numbers(y, x.size())?, ())?,
        20 if x.ndim() > 0 => ivy::sort(x, ivy::Sort::new().axis(last))?,
        21 if x.ndim() > 0 => ivy::cumulative_sum(x, ivy::CumulativeSum::new().axis(last))?,
        22 if x.ndim() == 1 => {
            let wide = ivy::zero_pad(x, 1)?;
            ivy::add(wide.get(ivy::s![..-2])?, wide.get(ivy::s![2..])?)?
        }
        23 if x.ndim() == 2 => {
            let whole = ivy::astype(&numbers(x, 9)?, Dtype::INT64)?;
            ivy::matmul(&whole, ivy::matmul(ivy::matrix_transpose(&whole)?, numbers(y, 5)?)?)?
        }
        24 if x.ndim() > 0 && x.size() > 0 => {
            let mut written = x.clone();
            written.set(ivy::s![0], &ivy::astype(ivy::any(truth(y, n)?, ())?, x.dtype())?)?;
            written
        }
        25 => ivy::add(x, ivy::any(truth(y, n)?, ())?)?,
        _ => ivy::add(x, x)?,
    };
    like(x, &made)
}

/// The variables of a loop or a conditional that goes by elements: those with elements; others stay.
fn wide(vars: &[Array], by_elements: bool) -> Vec<usize> {
    let most = vars.iter().map(Array::ndim).max().unwrap_or(0);
    (0..vars.len()).filter(|&i| !by_elements || vars[i].ndim() == most).collect()
}

fn run(mut vars: Vars, parts: &[Part]) -> ivy::Result<Vars> {
    for part in parts {
        // What is done to some of the variables.
        let within = |own: &[Array], which: &[usize], parts: &[Part], vars: &Vars| -> ivy::Result<Vars> {
            let mut all = vars.clone();
            which.iter().zip(own).for_each(|(&i, x)| all[i] = x.clone());
            let done = run(all, parts)?;
            Ok(which.iter().map(|&i| done[i].clone()).collect())
        };
        let (which, done) = match part {
            Part::Step(op, numbers) => {
                let to = numbers[0] as usize % vars.len();
                // What a function refuses is refused everywhere; but where nobody gets there, only loops that are
                // recorded would say so.
                (vec![to], vec![step(&vars, *op, *numbers).unwrap_or_else(|_| vars[to].clone())])
            }
            Part::Loop(iterations, until, parts) => {
                let which = wide(&vars, until.is_some());
                let mut carried: Vars = which.iter().map(|&i| vars[i].clone()).collect();
                let counter = match until {
                    Some(_) => ivy::zeros_like(&carried[0], Dtype::UINT8)?,
                    None => ivy::asarray(0i16, ())?,
                };
                carried.push(counter);
                let test = |v: &Vars| {
                    let (counter, own) = v.split_last().expect("there is a counter");
                    let goes_on = ivy::less(counter, i64::from(*iterations))?;
                    match until {
                        Some(n) => ivy::logical_and(goes_on, truth(&own[*n as usize % own.len()], *n)?),
                        None => Ok(goes_on),
                    }
                };
                let body = |v: &Vars| {
                    let (counter, own) = v.split_last().expect("there is a counter");
                    let mut next = within(own, &which, parts, &vars)?;
                    next.push(ivy::add(counter, 1)?);
                    Ok(next)
                };
                let mut done = ivy::while_loop(test, body, carried)?;
                done.pop();
                (which, done)
            }
            Part::If(by, number, [then, otherwise]) => {
                let which = wide(&vars, by.is_some());
                let own: Vars = which.iter().map(|&i| vars[i].clone()).collect();
                let decides = |own: &Vars| match by {
                    Some(i) => truth(&own[*i as usize % own.len()], *number),
                    None => ivy::asarray(number % 2 == 0, ()),
                };
                let branch = |parts| {
                    let (which, vars, within) = (&which, &vars, &within);
                    move |own: &Vars| within(own, which, parts, vars)
                };
                let done = ivy::if_else(decides, branch(then), branch(otherwise), own)?;
                (which, done)
            }
            Part::Switch(by, branches) => {
                let which = wide(&vars, true);
                let own: Vars = which.iter().map(|&i| vars[i].clone()).collect();
                let index = numbers(&own[*by as usize % own.len()], branches.len())?;
                let branch = |parts: &'_ Vec<Part>| {
                    let (parts, which, vars) = (parts.clone(), which.clone(), vars.clone());
                    move |own: &Vars| within(own, &which, &parts, &vars)
                };
                let branches: Vec<_> = branches.iter().map(branch).collect();
                let branches: Vec<ivy::Branch<'_, Vars, Vars>> = branches.iter().map(|f| f as _).collect();
                let done = ivy::switch(&index, &branches, own)?;
                (which, done)
            }
        };
        which.into_iter().zip(done).for_each(|(i, x)| vars[i] = x);
    }
    Ok(vars)
}

/// Variables of many dtypes, with edges.
fn first(seed: u64, values: u64) -> ivy::Result<Vars> {
    let (mut dtypes, mut rng) = (Rng::new(seed, &["dtypes"]), Rng::new(values, &["values"]));
    let shapes: [&[usize]; 7] = [&[], &[0], &[5], &[33], &[300], &[6, 7], &[3, 40]];
    let shape = shapes[dtypes.below(shapes.len())];
    let one = |i: usize| {
        let shape = if i == 1 { &[] } else { shape };
        let count = shape.iter().product::<usize>();
        let values: Vec<f64> = (0..count)
            .map(|_| match rng.bits() % 24 {
                0 => [f64::NAN, f64::INFINITY, -0.0, 1e30, -1e-40, 0.5][rng.below(6)],
                _ => rng.below(41) as f64 / 4.0 - 5.0,
            })
            .collect();
        let dtype = Dtype::all().nth(dtypes.below(Dtype::COUNT)).expect("below the count");
        let dtype = if i == 0 { Dtype::FLOAT32 } else { dtype };
        ivy::astype(&Array::from_vec(values, shape.to_vec())?, dtype)
    };
    (0..4).map(one).collect()
}

/// What a program gives, as text: dtypes, shapes and elements, or the kind of its error.
fn told(done: ivy::Result<Vars>) -> Vec<String> {
    let text = |x: &Array| {
        let host = x.to_host().expect("it is computed");
        let elements = (0..x.size()).map(|i| host.scalar_at(i).expect("in bounds").to_string());
        format!("{} {}: {}", x.dtype(), x.shape(), elements.collect::<Vec<_>>().join(" "))
    };
    match done {
        Ok(vars) => vars.iter().map(text).collect(),
        Err(error) => vec![format!("{:?}", error.kind())],
    }
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    // Mostly few iterations; now and then so many that elements which go on are put together.
    let iterations = prop_oneof![8 => 0u8..6, 1 => 20u8..50];
    // Half of the programs are of steps that are recorded.
    let part = move |plain: bool| {
        let steps = if plain { PLAIN } else { STEPS };
        let step = (0..steps, any::<[u8; 3]>()).prop_map(|(op, numbers)| Part::Step(op, numbers));
        let iterations = iterations.clone();
        step.boxed().prop_recursive(3, 24, 5, move |part| {
            let parts = prop::collection::vec(part, 1..4);
            prop_oneof![
                2 => (iterations.clone(), any::<Option<u8>>(), parts.clone()).prop_map(|(n, u, p)| Part::Loop(n, u, p)),
                1 => (any::<Option<u8>>(), any::<u8>(), parts.clone(), parts.clone())
                    .prop_map(|(by, n, a, b)| Part::If(by, n, [a, b])),
                1 => (any::<u8>(), prop::collection::vec(parts, 1..4)).prop_map(|(by, b)| Part::Switch(by, b)),
            ]
        })
    };
    any::<bool>().prop_flat_map(move |plain| prop::collection::vec(part(plain), 1..6))
}

/// Programs to try; more by `IVY_PROGRAMS`.
fn cases() -> u32 {
    std::env::var("IVY_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(24)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn loops_give_the_bits_of_the_reference(seed in any::<u64>(), off in 0u32..64, parts in parts()) {
        let run = |values| told(first(seed, values).and_then(|vars| run(vars, &parts)));
        let want = ivy::with_backend("ndarray", || run(seed)).expect("the reference is there");
        for (backend, engine) in engines() {
            for settings in [Settings::default(), Settings::of(!(1 << off)), Settings::of(0)] {
                engine.set_settings(settings);
                let got = ivy::with(&Context::new().backend(backend.clone()), || run(seed));
                prop_assert_eq!(&got, &want, "{} {:?}", backend.name(), settings);
            }
        }
        if ivy::backend::backend("jit:cuda").is_ok() {
            let got = ivy::with_backend("jit:cuda", || run(seed)).expect("it is there");
            prop_assert_eq!(&got, &want, "jit:cuda");
        }
    }

    #[test]
    fn compiled_loops_do_too(seed in any::<u64>(), parts in parts()) {
        let want = [1, 2, 3].map(|values| {
            ivy::with_backend("ndarray", || told(first(seed, values).and_then(|vars| run(vars, &parts))))
                .expect("the reference is there")
        });
        for (backend, _) in engines() {
            let got = ivy::with(&Context::new().backend(backend.clone()), || {
                let program = ivy::compile(|vars: &Vars| run(vars.clone(), &parts));
                [1, 2, 3].map(|values| told(first(seed, values).and_then(|vars| program.call(&vars))))
            });
            prop_assert_eq!(&got, &want, "{}", backend.name());
        }
    }
}

/// Programs of which most steps are refused would say little.
#[test]
fn most_steps_are_done() {
    let mut rng = Rng::new(1, &["steps"]);
    let (mut done, mut all) = (0, 0);
    for seed in 0..30 {
        let made = ivy::with_backend("ndarray", || {
            let vars = first(seed, seed).expect("valid arrays");
            let steps = (0..40).map(|_| rng.bits().to_le_bytes());
            steps.filter(|&[op, a, b, n, ..]| step(&vars, op, [a, b, n]).is_ok()).count()
        });
        (done, all) = (done + made.expect("the reference is there"), all + 40);
    }
    assert!(done * 4 > all * 3, "{done} of {all}");
}

/// So do programs of which most fail.
#[test]
fn programs_run() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut errors = Vec::new();
    for seed in 0..40 {
        let parts = parts().new_tree(&mut runner).expect("a program").current();
        let made = ivy::with_backend("ndarray", || first(seed, seed).and_then(|vars| run(vars, &parts)));
        errors.extend(made.expect("the reference is there").err().map(|error| error.to_string()));
    }
    assert!(errors.len() <= 2, "{errors:#?}");
}
