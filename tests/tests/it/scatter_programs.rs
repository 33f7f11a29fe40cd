//! Random loops that scatter: the same on the reference and on the engine, as one kernel or step by step.

use ivy_tests::engines;

use engines::engines;
use ivy::jit::engine::Settings;
use ivy::prelude::*;
use ivy::{Reduction, ScatterFlat};
use proptest::prelude::*;

fn ints(values: std::ops::Range<i64>) -> ivy::Result<Array> {
    let n = (values.end - values.start) as usize;
    Array::from_vec(values.collect(), n)
}

/// A step of a random loop: what it does to an element's own variable, and the scatters that follow.
#[derive(Clone, Debug)]
struct Step {
    /// The variable is multiplied by it, and added to.
    factor: i64,
    term: i64,
    scatters: Vec<Put>,
}

#[derive(Clone, Copy, Debug)]
struct Put {
    /// To the first target or the second one.
    second: bool,
    /// Places are the variable times this.
    spread: i64,
    /// Updates are left out where the variable is divisible by it.
    masked: Option<i64>,
    /// In a conditional, of the steps that this divides.
    every: Option<i64>,
    /// In a loop, so often.
    times: Option<i64>,
}

/// One loop: its elements, how often each goes round, and what it does.
#[derive(Clone, Debug)]
struct Program {
    elements: usize,
    /// Whether each element goes round as often as its own number says.
    apart: bool,
    steps: Vec<Step>,
    ops: [Reduction; 2],
}

fn programs() -> impl Strategy<Value = Program> {
    let small = |range: std::ops::Range<i64>| prop::option::weighted(0.3, range);
    let put = (any::<bool>(), 1i64..5, small(2..4), small(2..4), small(0..4));
    let put =
        put.prop_map(|(second, spread, masked, every, times)| Put { second, spread, masked, every, times });
    let step = (-3i64..4, -5i64..6, prop::collection::vec(put, 0..3));
    let step = step.prop_map(|(factor, term, scatters)| Step { factor, term, scatters });
    let op = || prop::sample::select(vec![Reduction::Sum, Reduction::Min, Reduction::Max, Reduction::Or]);
    (1usize..80, any::<bool>(), prop::collection::vec(step, 1..4), op(), op()).prop_map(
        |(elements, apart, steps, first, second)| Program { elements, apart, steps, ops: [first, second] },
    )
}

/// How many places each target has.
const PLACES: [usize; 2] = [7, 80];

const TIMES: i64 = 4;

fn put(program: &Program, put: Put, k: &Array, x: &Array, to: &Array) -> ivy::Result<Array> {
    let op = program.ops[usize::from(put.second)];
    let places = PLACES[usize::from(put.second)] as i64;
    let at = |x: &Array, iteration: &Array, to: &Array| {
        let place = ivy::remainder(ivy::add(ivy::multiply(x, put.spread)?, iteration)?, places)?;
        let keywords = ScatterFlat::new().out(to).reduction(op);
        match put.masked {
            None => ivy::scatter_flat(place, x, keywords),
            Some(divisor) => {
                let mask = ivy::not_equal(ivy::remainder(x, divisor)?, 0)?;
                ivy::scatter_flat(place, x, keywords.mask(&mask))
            }
        }
    };
    let whole = |to: &Array| match put.times {
        None => at(x, k, to),
        Some(times) => ivy::for_loop(0..times, |iteration, to: &Array| at(x, iteration, to), to.clone()),
    };
    match put.every {
        None => whole(to),
        Some(every) => {
            ivy::if_else(|_| ivy::equal(ivy::remainder(k, every)?, 0), whole, |to| Ok(to.clone()), to.clone())
        }
    }
}

fn run(program: &Program) -> ivy::Result<Vec<Vec<i64>>> {
    let n = program.elements as i64;
    let step = |k: &Array, [x, first, second]: &[Array; 3]| {
        let (mut x, mut to) = (x.clone(), [first.clone(), second.clone()]);
        for step in &program.steps {
            x = ivy::remainder(ivy::add(ivy::multiply(&x, step.factor)?, step.term)?, 1000)?;
            for &one in &step.scatters {
                let target = usize::from(one.second);
                to[target] = put(program, one, k, &x, &to[target])?;
            }
        }
        let [first, second] = to;
        Ok([x, first, second])
    };
    let (x, zeros) = (ints(0..n)?, PLACES.map(|places| ivy::zeros(places, Dtype::INT64)));
    let [first, second] = zeros;
    let begin = [x, first?, second?];
    let done = match program.apart {
        false => ivy::for_loop(0..TIMES, step, begin)?.to_vec(),
        true => {
            let times = ivy::remainder(ints(0..n)?, TIMES)?;
            let [x, first, second] = begin;
            // What counts is each element's own; conditionals ask what all have in common.
            let k = ivy::asarray(1i64, ())?;
            let [_, rest @ ..] = ivy::while_loop_with_targets(
                |[iteration, ..]: &[Array; 4]| ivy::less(iteration, &times),
                |[iteration, rest @ ..]| {
                    let [x, first, second] = step(&k, rest)?;
                    Ok([ivy::add(iteration, 1)?, x, first, second])
                },
                [ivy::zeros_like(&times, ())?, x, first, second],
                &[2, 3],
            )?;
            rest.to_vec()
        }
    };
    done.iter().map(|x| x.to_vec::<i64>()).collect()
}

/// Programs to try; more by `IVY_PROGRAMS`.
fn cases() -> u32 {
    std::env::var("IVY_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(24)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn random_loops_give_what_the_reference_does(program in programs()) {
        let want = ivy::with_backend("ndarray", || run(&program)).unwrap().unwrap();
        for (backend, engine) in engines() {
            for settings in [Settings::default(), Settings { loops: false, ..Settings::default() }, Settings::of(0)] {
                engine.set_settings(settings);
                let got = ivy::with(&Context::new().backend(backend.clone()), || run(&program));
                prop_assert_eq!(&got.unwrap(), &want, "{} {:?}", backend.name(), settings);
            }
        }
        if ivy::backend::backend("jit:cuda").is_ok() {
            let got = ivy::with_backend("jit:cuda", || run(&program)).unwrap();
            prop_assert_eq!(&got.unwrap(), &want, "jit:cuda");
        }
    }
}

/// Random programs mostly run as one kernel: else they would say little.
#[test]
fn most_random_loops_are_one_kernel() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let (backend, engine) = engines().remove(0);
    let mut runner = TestRunner::deterministic();
    let (mut recorded, mut all) = (0, 0);
    for _ in 0..40 {
        let program = programs().new_tree(&mut runner).unwrap().current();
        if program.steps.iter().all(|step| step.scatters.is_empty()) {
            continue;
        }
        ivy::with(&Context::new().backend(backend.clone()), || run(&program)).unwrap();
        // The loop itself, numbers that masks need, and constants.
        recorded += usize::from(
            engine.take_history().iter().any(|l| l.outputs > 1 && l.elements == program.elements),
        );
        all += 1;
    }
    assert!(recorded * 5 > all * 3, "{recorded} of {all}");
}
