//! Evaluations beside the program: what they give, when, to whom, and what becomes of their errors.

use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::engine::{Engine, Settings, Variable};
use ivy_backend_jit::log::{self, Level};
use ivy_backend_jit::trace::Kind;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, ErrorKind, Op, Shape, UnaryOp};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

const ADD: Op = Op::Binary(BinaryOp::Add);
const LENGTH: usize = 300;

/// Both generators, with all evaluations that nobody waits for beside the program.
fn engines() -> Vec<JitBackend> {
    let found = llvm::llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    let backends = [Generator::Interp, Generator::Llvm(found)].map(JitBackend::new);
    backends.iter().for_each(|b| _ = b.engine().set_least_started(0));
    backends.into()
}

fn numbers(b: &JitBackend, first: i64) -> Value {
    let array = HostArray::from_vec((first..first + LENGTH as i64).collect(), [LENGTH].into());
    b.from_host(array.unwrap()).unwrap()
}

fn apply(b: &JitBackend, op: &Op, operands: &[&Value]) -> Value {
    b.execute(op, operands).unwrap().remove(0)
}

fn read(b: &JitBackend, value: &Value) -> Vec<i64> {
    b.to_host(value).unwrap().to_vec().unwrap()
}

fn want(first: i64, step: i64) -> Vec<i64> {
    (0..LENGTH as i64).map(|i| first + i * step).collect()
}

/// An index that is out of range.
fn fault(b: &JitBackend, of: &Value) -> Value {
    let index = HostArray::from_vec(vec![0i64, 7, 1 << 40], [3].into()).unwrap();
    apply(b, &Op::Take { axis: 0 }, &[of, &b.from_host(index).unwrap()])
}

fn is_out_of_range<T>(result: ivy_core::Result<T>) -> bool {
    result.is_err_and(|e| matches!(e.kind(), ErrorKind::IndexOutOfRange { index, .. } if *index == 1 << 40))
}

/// Holds the engine's own thread where an evaluation begins.
struct Hold {
    state: Arc<(Mutex<[usize; 2]>, Condvar)>,
}

/// One test at a time: there is one log, in which the threads of all engines write.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hold {
    fn new() -> Hold {
        // Evaluations that wait, and those that may go on.
        let state: Arc<(Mutex<[usize; 2]>, Condvar)> = Arc::default();
        let of_sink = state.clone();
        let sink = move |_: Level, text: &str| {
            let own = thread::current().name() == Some("ivy-launches");
            if own && text.starts_with("evaluation") {
                let (state, changed) = &*of_sink;
                let mut state = state.lock().unwrap();
                state[0] += 1;
                let number = state[0];
                changed.notify_all();
                drop(changed.wait_while(state, |state| state[1] < number).unwrap());
            }
        };
        log::set_callback(Some((Level::Info, Arc::new(sink))));
        Hold { state }
    }

    /// Waits until so many evaluations have begun there.
    fn until(&self, count: usize) {
        let (state, changed) = &*self.state;
        drop(changed.wait_while(state.lock().unwrap(), |state| state[0] < count).unwrap());
    }

    fn release(&self) {
        self.state.0.lock().unwrap()[1] = usize::MAX;
        self.state.1.notify_all();
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.release();
        log::set_callback(None);
    }
}

#[test]
fn the_program_goes_on_meanwhile() {
    let _alone = alone();
    for b in engines() {
        let hold = Hold::new();
        let (x, y) = (numbers(&b, 0), numbers(&b, 5));
        let sum = apply(&b, &ADD, &[&x, &y]);
        b.evaluate(std::slice::from_ref(&sum)).unwrap();
        hold.until(1);
        let counters = b.engine().counters();
        assert_eq!((counters.started, counters.launches), (1, 0));
        assert!(sum.data::<Variable>().unwrap().is_pending());
        // What does not need it is computed here, what is made of it waits for it; nothing twice.
        let other = apply(&b, &ADD, &[&y, &y]);
        assert_eq!(read(&b, &other), want(10, 2));
        let twice = apply(&b, &ADD, &[&sum, &sum]);
        b.evaluate(std::slice::from_ref(&twice)).unwrap();
        assert_eq!(b.engine().counters().launches, 1);
        // What it reads, and whoever asked, may go.
        drop((x, y, other, sum));
        hold.release();
        assert_eq!(read(&b, &twice), want(10, 4));
        assert_eq!(b.engine().take_history().iter().map(|l| l.operations).collect::<Vec<_>>(), [1, 1, 1]);
        b.synchronize().unwrap();
        assert_eq!(b.engine().counters().live, 1);
    }
}

#[test]
fn what_has_not_begun_is_done_by_whoever_waits() {
    let _alone = alone();
    for b in engines() {
        let hold = Hold::new();
        let (x, y) = (numbers(&b, 0), numbers(&b, 1));
        let [first, second, third] = [&x, &y, &y].map(|v| apply(&b, &ADD, &[v, &x]));
        drop(third);
        b.evaluate(std::slice::from_ref(&first)).unwrap();
        hold.until(1);
        b.evaluate(std::slice::from_ref(&second)).unwrap();
        // The engine's thread has not even done the first.
        assert_eq!(read(&b, &second), want(1, 2));
        assert_eq!(b.engine().counters().launches, 1);
        hold.release();
        assert_eq!(read(&b, &first), want(0, 2));
        assert_eq!(b.engine().counters().launches, 2);
    }
}

#[test]
fn what_is_gone_is_computed_and_forgotten() {
    let _alone = alone();
    for b in engines() {
        let hold = Hold::new();
        let x = numbers(&b, 0);
        b.evaluate(&[apply(&b, &ADD, &[&x, &x])]).unwrap();
        hold.until(1);
        b.evaluate(&[apply(&b, &Op::Unary(UnaryOp::Negative), &[&x])]).unwrap();
        drop(x);
        hold.release();
        b.synchronize().unwrap();
        let counters = b.engine().counters();
        assert_eq!((counters.started, counters.launches, counters.live), (2, 2, 0));
        // So does the engine, whose last array its own thread may have.
        let weak = Arc::downgrade(b.engine());
        let x = numbers(&b, 0);
        b.evaluate(&[apply(&b, &ADD, &[&x, &x])]).unwrap();
        drop((x, b));
        while weak.strong_count() > 0 {
            thread::yield_now();
        }
    }
}

#[test]
fn small_work_and_all_of_it_without_the_switch_is_done_in_the_call() {
    let _alone = alone();
    for b in engines() {
        let x = numbers(&b, 0);
        let done = |b: &JitBackend, n: i64| {
            let sum = apply(b, &ADD, &[&x, &numbers(b, n)]);
            b.evaluate(std::slice::from_ref(&sum)).unwrap();
            let done = sum.data::<Variable>().unwrap().is_evaluated();
            assert_eq!(read(b, &sum), want(n, 2));
            done
        };
        assert_eq!(b.engine().set_least_started(LENGTH + 1), 0);
        assert!(done(&b, 1));
        assert_eq!(b.engine().counters().started, 0);
        b.engine().set_least_started(LENGTH);
        done(&b, 2);
        assert_eq!(b.engine().counters().started, 1);
        b.engine().set_settings(Settings { asynchronous: false, ..Settings::default() });
        assert!(done(&b, 3));
        assert_eq!(b.engine().counters().started, 1);
    }
    // As it is set at first: a large one is started, and no small one.
    let b = JitBackend::new(Generator::Interp);
    let zeros = |n: usize| b.from_host(HostArray::from_vec(vec![0u8; n], [n].into()).unwrap()).unwrap();
    for (length, started) in [(1000, 0), (1 << 21, 1)] {
        let x = zeros(length);
        b.evaluate(&[apply(&b, &ADD, &[&x, &x])]).unwrap();
        assert_eq!(b.engine().counters().started, started);
    }
}

#[test]
fn errors_come_from_what_waits() {
    let _alone = alone();
    for b in engines() {
        let x = numbers(&b, 0);
        let good = apply(&b, &ADD, &[&x, &x]);
        let bad = fault(&b, &x);
        let made = apply(&b, &ADD, &[&bad, &bad]);
        b.evaluate(&[bad.clone(), good.clone()]).unwrap();
        b.evaluate(std::slice::from_ref(&made)).unwrap();
        // Each read has it, and so has what is made of it; others live on.
        for _ in 0..2 {
            assert!(is_out_of_range(b.to_host(&bad)) && is_out_of_range(b.to_host(&made)));
            assert!(is_out_of_range(b.wait(&[good.clone(), bad.clone()])));
        }
        assert_eq!(read(&b, &good), want(0, 2));
        assert!(is_out_of_range(b.synchronize()));
        b.synchronize().unwrap();
        let again = apply(&b, &ADD, &[&good, &x]);
        b.wait(std::slice::from_ref(&again)).unwrap();
        assert!(again.data::<Variable>().unwrap().is_evaluated());
        assert_eq!(read(&b, &again), want(0, 3));
    }
}

#[test]
fn long_chains_are_computed_once_each() {
    let _alone = alone();
    for b in engines() {
        let one = HostArray::from_vec(vec![1i64; LENGTH], [LENGTH].into()).unwrap();
        let one = b.from_host(one).unwrap();
        let mut x = numbers(&b, 0);
        for _ in 0..200 {
            x = apply(&b, &ADD, &[&x, &one]);
            b.evaluate(std::slice::from_ref(&x)).unwrap();
        }
        assert_eq!(read(&b, &x), want(200, 1));
        // Whoever computes one keeps it until it has ended.
        b.synchronize().unwrap();
        let counters = b.engine().counters();
        assert_eq!((counters.launches, counters.started, counters.live), (200, 200, 2));
    }
}

#[test]
fn without_fusion_each_operation_is_started() {
    let _alone = alone();
    for b in engines() {
        b.engine().set_settings(Settings { fusion: false, ..Settings::default() });
        let x = numbers(&b, 0);
        let sum = (0..20).fold(x.clone(), |sum, _| apply(&b, &ADD, &[&sum, &x]));
        assert_eq!(read(&b, &sum), want(0, 21));
        let counters = b.engine().counters();
        assert_eq!((counters.launches, counters.started), (20, 20));
    }
}

#[test]
fn a_pending_graph_above_its_size_is_started() {
    let _alone = alone();
    for b in engines() {
        b.engine().set_settings(Settings { numbering: false, ..Settings::default() });
        let x = numbers(&b, 0);
        let sum = (0..3000).fold(x.clone(), |sum, _| apply(&b, &ADD, &[&sum, &x]));
        let started = b.engine().counters().started;
        assert!((1..6).contains(&started), "{started}");
        assert_eq!(read(&b, &sum), want(0, 3001));
    }
}

#[test]
fn a_recorded_function_is_computed_where_it_is_recorded() {
    let _alone = alone();
    for b in engines() {
        let input = numbers(&b, 0).data::<Variable>().unwrap().clone();
        let engine: Arc<Engine> = b.engine().clone();
        let mut f = |x: &[Variable]| {
            let y = engine.apply(
                Kind::Binary(BinaryOp::Add),
                Dtype::INT64,
                Shape::from([LENGTH]),
                &[&x[0], &x[0]],
            )?;
            engine.settle_all(&[&y])?;
            Ok(vec![y])
        };
        let (results, replay) = b.engine().record(std::slice::from_ref(&input), &mut f).unwrap();
        assert_eq!(b.engine().counters().started, 0);
        let replayed = replay.unwrap().run(&[&results[0]]).unwrap().unwrap();
        assert_eq!(b.engine().evaluate(&replayed[0]).unwrap().to_vec::<i64>().unwrap(), want(0, 4));
    }
}

/// A small generator of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Makes, evaluates, drops, reads and waits, with arrays of this thread and of others.
fn at_random(b: &JitBackend, shared: &Mutex<Vec<(Value, [i64; 2])>>, seed: u64) {
    let mut choices = Choices(seed);
    let mut own: Vec<(Value, [i64; 2])> = vec![(numbers(b, seed as i64), [seed as i64, 1])];
    for _ in 0..120 {
        let pick = |choices: &mut Choices, own: &[(Value, [i64; 2])]| {
            let shared = shared.lock().unwrap();
            match choices.below(3) {
                0 if !shared.is_empty() => shared[choices.below(shared.len())].clone(),
                _ => own[choices.below(own.len())].clone(),
            }
        };
        let (x, of_x) = pick(&mut choices, &own);
        let (y, of_y) = pick(&mut choices, &own);
        match choices.below(10) {
            0..4 => {
                let sum = [of_x[0].wrapping_add(of_y[0]), of_x[1].wrapping_add(of_y[1])];
                own.push((apply(b, &ADD, &[&x, &y]), sum));
            }
            4 | 5 => b.evaluate(&[x, y]).unwrap(),
            6 => {
                let got = read(b, &x);
                let at = |i: i64| of_x[0].wrapping_add(of_x[1].wrapping_mul(i));
                assert!(got.iter().zip(0..).all(|(&got, i)| got == at(i)));
            }
            7 => shared.lock().unwrap().push((x, of_x)),
            8 if own.len() > 4 => drop(own.swap_remove(choices.below(own.len()))),
            8 => b.synchronize().unwrap(),
            _ => {
                let mut shared = shared.lock().unwrap();
                if shared.len() > 6 {
                    shared.swap_remove(0);
                }
            }
        }
    }
}

#[test]
fn threads_share_what_is_started() {
    let _alone = alone();
    for b in engines() {
        for round in 0..6 {
            let shared = Mutex::new(vec![(numbers(&b, 3), [3, 1])]);
            thread::scope(|scope| {
                for t in 1..=4u64 {
                    let (b, shared) = (&b, &shared);
                    scope.spawn(move || at_random(b, shared, round * 8 + t));
                }
            });
        }
        b.synchronize().unwrap();
        assert_eq!(b.engine().counters().live, 0);
        assert!(b.engine().counters().started > 100);
    }
}

#[test]
fn the_threads_of_kernels_may_wait() {
    let _alone = alone();
    for b in engines() {
        let length = 1 << 20;
        let x = HostArray::from_vec((0..length).collect::<Vec<i64>>(), [length as usize].into()).unwrap();
        let x = b.from_host(x).unwrap();
        for _ in 0..4 {
            let sums: Vec<Value> = (0..4)
                .scan(x.clone(), |sum, _| {
                    *sum = apply(&b, &ADD, &[sum, &x]);
                    Some(sum.clone())
                })
                .collect();
            sums.iter().for_each(|sum| b.evaluate(std::slice::from_ref(sum)).unwrap());
            rayon::scope(|scope| {
                for (sum, times) in sums.iter().zip(2..) {
                    let b = &b;
                    scope.spawn(move |_| {
                        assert_eq!(read(b, sum)[1000], 1000 * times);
                        b.synchronize().unwrap();
                    });
                }
            });
        }
    }
}

/// The child of the test below.
#[test]
fn ends_with_work_at_hand() {
    if std::env::var_os("IVY_TEST_ENDS").is_none() {
        return;
    }
    for b in engines() {
        for n in 0..40 {
            let x = numbers(&b, n);
            // Each is a kernel of its own.
            let sum = (0..n % 10).fold(x.clone(), |sum, _| apply(&b, &ADD, &[&sum, &x]));
            b.evaluate(&[apply(&b, &Op::Unary(UnaryOp::Negative), &[&sum])]).unwrap();
        }
        assert!(b.engine().counters().started >= 40);
        std::mem::forget(b);
    }
    std::process::exit(7);
}

#[test]
fn the_process_ends_with_work_at_hand() {
    for _ in 0..4 {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "asynchronous::ends_with_work_at_hand", "--nocapture"])
            .env("IVY_TEST_ENDS", "1");
        let output = child.output().unwrap();
        assert_eq!(output.status.code(), Some(7), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
