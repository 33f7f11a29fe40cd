//! Rows D-21 to D-39, D-47, D-54, D-55, D-57: what the engine does with what the frontend notes.

use super::{on_both, on_own_engines};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::{Disk, Generator, LIMIT};
use ivy_backend_jit::codegen::llvm::llvm as libllvm;
use ivy_backend_jit::engine::Settings;
use ivy_core::backend::BackendRef;
use ivy_core::host::HostArray;
use ivy_core::{Array, Context};
use ivy_drjit::llvm::{Array2f, Array3f, Bool, Float, Float16, Int, UInt};
use ivy_drjit::{self as dr, AnyArray, Error, Jit, JitFlag, LogLevel, Mode, Package, cuda};
use std::sync::{Arc, Mutex, PoisonError};

/// The log is the process's: one test at a time.
static LOG: Mutex<()> = Mutex::new(());

/// What this thread makes the log say to a callback up to a level.
fn said(level: LogLevel, work: impl FnOnce() -> dr::Result<()>) -> dr::Result<Vec<(LogLevel, String)>> {
    let _alone = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    let said: Arc<Mutex<Vec<(LogLevel, String)>>> = Arc::default();
    let (own, to) = (std::thread::current().id(), said.clone());
    let hear = move |level: LogLevel, text: &str| {
        if std::thread::current().id() == own {
            to.lock().unwrap().push((level, text.to_owned()));
        }
    };
    dr::set_log_callback(Some((level, Arc::new(hear))));
    let done = work();
    dr::set_log_callback(None);
    done.map(|()| std::mem::take(&mut *said.lock().unwrap()))
}

/// As large as Dr.Jit's.
#[test]
fn d_20_nodes_are_of_64_bytes() {
    assert_eq!(Jit::NODE_BYTES, 64);
}

#[test]
fn d_21_the_log_says_each_variable_by_its_name() {
    on_own_engines(|_| {
        let (a, b) = (Array3f::new([[1, 2], [3, 4], [5, 6]])?, Array3f::new([2, 3, 4])?);
        let mut results = Vec::new();
        let said = said(LogLevel::Trace, || {
            for _ in 0..2 {
                results.push(dr::lt(dr::abs(dr::dot(&a, &b)?)?, a.x()?)?);
            }
            results.push((a.x()? * 0.5).ok()?);
            Ok(())
        })?;
        let made = said.iter().filter_map(|(_, text)| text.strip_prefix("jit_var_new(): "));
        let names: Vec<&str> = made
            .clone()
            .filter_map(|text| text.split_once(" = ")?.1.split_once('(').map(|(name, _)| name))
            .collect();
        let once = ["mul", "mul", "mul", "add", "add", "abs", "lt"];
        assert_eq!(names, [&once[..], &once, &["mul"]].concat());
        assert!(made.clone().any(|text| text.ends_with("0x3f000000 [literal]")), "{said:?}");
        assert_eq!(made.filter(|text| text.ends_with("[lvn hit]")).count(), once.len(), "{said:?}");
        assert!(said.iter().all(|(level, _)| *level == LogLevel::Trace));
        let symbolic = self::said(LogLevel::Trace, || {
            let x = Float::new([1, 2])?.into_any();
            dr::while_loop(x, |x| dr::lt(x, 9), |x| (x * 2.0).ok(), Mode::Symbolic).map(drop)
        })?;
        assert!(symbolic.iter().any(|(_, text)| text.ends_with("[symbolic]")), "{symbolic:?}");
        Ok(())
    });
}

#[test]
fn d_22_levels_of_the_log() {
    on_own_engines(|_| {
        let work = || {
            let x = Float::new([1.5, 2.5])?.into_any();
            dr::eval(&(x * 2.0).ok()?)
        };
        assert_eq!(said(LogLevel::Warn, work)?, []);
        assert!(said(LogLevel::Info, work)?.iter().any(|(level, _)| *level == LogLevel::Info));
        let _alone = LOG.lock().unwrap_or_else(PoisonError::into_inner);
        let before = dr::set_log_level(LogLevel::Error);
        assert_eq!(dr::log_level(), LogLevel::Error);
        assert_eq!(dr::set_log_level(before), LogLevel::Error);
        assert_eq!(dr::log_level(), before);
        Ok(())
    });
}

#[test]
fn d_23_literals_are_folded() {
    on_own_engines(|jit| {
        let (x, i) = (Float::new([1.5, -0.0])?.into_any(), Int::new([3, -4])?.into_any());
        let stays = |x: &AnyArray, y: dr::Expr| Ok::<bool, Error>(dr::is_same(x, &y.ok()?));
        assert!(stays(&x, &x * 1.0)? && stays(&x, &x - 0.0)? && stays(&i, &i + 0)? && stays(&i, &i * 1)?);
        assert!(!stays(&x, &x + 0.0)?, "-0 + 0 is 0");
        assert!(dr::is_same(&x, &dr::select(Bool::new(true)?, &x, &x)?));
        assert!(dr::is_same(&x, &x.cast_to(Float::TYPE)?));
        assert!(stays(&i, &i << 0)? && stays(&i, &i | 0)? && stays(&i, &i & -1)?);
        let _scope = jit.scoped_set_flag(JitFlag::ConstantPropagation, false);
        assert!(!stays(&x, &x * 1.0)?);
        assert_eq!((&x * 1.0).ok()?.to_string(), x.to_string());
        Ok(())
    });
}

#[test]
fn d_24_equal_work_is_one_variable() {
    on_own_engines(|jit| {
        let (a, b) = (Float::new([1, 2])?, Float::new([3, 4])?);
        let product = || (&a * &b).ok();
        let (first, second) = (product()?, product()?);
        assert!(dr::is_same(&first, &second) && !dr::is_same(&first, &(&b * &b).ok()?));
        let _scope = jit.scoped_set_flag(JitFlag::ValueNumbering, false);
        let (third, fourth) = (product()?, product()?);
        assert!(!dr::is_same(&third, &fourth));
        assert_eq!(first.to_string(), fourth.to_string());
        Ok(())
    });
}

#[test]
fn d_27_single_values_are_read_once() {
    on_own_engines(|jit| {
        let (one, many) = (Float::new([2])?, Float::TYPE.arange(0.0, 1000.0, 1.0)?);
        dr::eval(&(one.clone(), many.clone()))?;
        let sum = (&one + &many).ok()?;
        jit.kernel_history_clear();
        dr::eval(&sum)?;
        let [launch] = &jit.kernel_history()[..] else { panic!("one launch") };
        assert_eq!((launch.elements, launch.inputs, launch.outputs), (1000, 2, 1));
        assert_eq!(sum.item(999)?.to_f64(), 1001.0);
        assert_eq!(one.len(), 1, "it is as it was");
        Ok(())
    });
}

#[test]
fn d_28_half_precision_is_rounded_once() {
    on_both(|| {
        let half = |x: f64| Float16::new([x, -x]);
        let (a, b) = (half(1.0009765625)?, half(1.001953125)?);
        // The product has a bit more than half precision holds, which the sum brings within reach.
        let sum = dr::fma(&a, &b, -1.0)?;
        assert_eq!(sum.item(0)?.to_f64(), 0.0029315948486328125);
        assert_eq!(((&a * &b) - 1.0).ok()?.item(0)?.to_f64(), 0.0029296875);
        assert_eq!(dr::minimum(&a, &b)?.to_scalars()?[1].to_f64(), -1.001953125);
        assert_eq!(dr::maximum(&a, &b)?.to_scalars()?[1].to_f64(), -1.0009765625);
        Ok(())
    });
}

#[test]
fn d_29_what_has_things_computed() {
    on_own_engines(|jit| {
        let x = Float::new([1.0, 4.0])?.into_any();
        dr::eval(&x)?;
        let fresh = |by: f64| dr::sqrt(&x * by);
        let launched = |work: &dyn Fn(&AnyArray) -> dr::Result<()>, by: f64| {
            let (root, before) = (fresh(by)?, jit.counters().launches);
            assert_eq!((dr::pending(&root), jit.counters().launches), (1, before), "nothing yet");
            work(&root)?;
            let launches = jit.counters().launches - before;
            work(&root)?;
            assert_eq!(jit.counters().launches - before, launches, "once");
            Ok::<u64, Error>(launches)
        };
        let printed = |root: &AnyArray| {
            let _text = root.to_string();
            Ok(())
        };
        assert_eq!(launched(&printed, 2.0)?, 1);
        assert_eq!(launched(&|root| root.item(1).map(drop), 3.0)?, 1);
        assert_eq!(launched(&|root| root.to_scalars().map(drop), 4.0)?, 1);
        assert_eq!(launched(&|root| dr::eval(root), 5.0)?, 1);
        let (mask, before) = (dr::lt(dr::max(fresh(6.0)?, ())?, 9.0)?, jit.counters().launches);
        assert!(mask.to_bool()? && jit.counters().launches > before);
        let gathered = dr::gather(Float::TYPE, fresh(7.0)?, UInt::new([1])?, true)?;
        assert_eq!(dr::pending(&gathered), 1, "reading at indices waits, too");
        Ok(())
    });
}

#[test]
fn d_30_one_kernel_a_size() {
    on_own_engines(|jit| {
        let (x, y) = (Float::TYPE.arange(0.0, 100.0, 1.0)?, Float::TYPE.arange(0.0, 50.0, 1.0)?);
        dr::eval(&(x.clone(), y.clone()))?;
        let roots = [dr::sqrt(&x)?, dr::exp(&y)?, (&x * 2.0).ok()?];
        jit.kernel_history_clear();
        dr::eval(&roots.to_vec())?;
        let mut launches: Vec<_> =
            jit.kernel_history().iter().map(|launch| (launch.elements, launch.outputs)).collect();
        launches.sort_unstable();
        assert_eq!(launches, [(50, 1), (100, 2)]);
        Ok(())
    });
}

#[test]
fn d_31_what_nobody_reads_is_not_done() {
    on_own_engines(|jit| {
        let x = Float::new([1, 2])?;
        dr::eval(&x)?;
        let before = jit.counters().launches;
        drop(dr::exp(&x)?);
        drop(dr::scatter_add(Float::new([0, 0])?, &x, UInt::new([1, 0])?, true)?);
        dr::eval(&x)?;
        assert_eq!(jit.counters().launches, before);
        Ok(())
    });
}

#[test]
fn d_32_equal_kernels_have_one_number_and_are_made_once() {
    let numbers = Mutex::new(Vec::new());
    for _ in 0..2 {
        on_own_engines(|jit| {
            let launched = |values: [f64; 3]| {
                let x = Float::new(values)?;
                jit.kernel_history_clear();
                dr::eval(&dr::sin(&x * &x)?)?;
                let [launch] = &jit.kernel_history()[..] else { panic!("one launch") };
                Ok::<_, Error>((launch.hash, launch.compile.is_some()))
            };
            let ((first, made), (second, again)) = (launched([1.0, 2.0, 3.0])?, launched([4.0, 5.0, 6.0])?);
            assert_eq!((first, made, again), (second, true, false));
            numbers.lock().unwrap().push(first);
            Ok(())
        });
    }
    let numbers = numbers.into_inner().unwrap();
    let (first, second) = numbers.split_at(numbers.len() / 2);
    assert_eq!(first, second, "the same in every engine");
}

#[test]
fn d_33_kernels_are_kept_on_disk() {
    let found = libllvm().unwrap_or_else(|missing| panic!("this test needs a libLLVM: {missing}"));
    let folder = std::env::temp_dir().join(format!("ivy-drjit-{}", std::process::id()));
    let run = || {
        let disk = Disk::open(&folder, LIMIT).unwrap();
        let backend = JitBackend::with_disk(Generator::Llvm(found), Some(disk));
        // What is interpreted first, as such a kernel is, has nothing to keep.
        backend.engine().set_settings(Settings { tiered: false, ..Settings::default() });
        let backend = BackendRef::new(backend);
        ivy_core::context::with(&Context::new().backend(backend), || {
            let x = Float::new([1.0, 2.0, 3.0])?;
            assert_eq!((&x * &x + 1).ok()?.to_string(), "[2, 5, 10]");
            let counters = Jit::of(Package::LLVM)?.counters();
            Ok::<_, Error>((counters.compiled, counters.loaded))
        })
    };
    let (first, second) = (run().unwrap(), run().unwrap());
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    for file in &files {
        let mut bytes = std::fs::read(file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(file, bytes).unwrap();
    }
    let third = run().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((first.1, second.1, third.1), (0, second.0, 0), "from the disk, unless a byte is another one");
    assert!(first.0 > 0 && !files.is_empty());
}

#[test]
fn d_35_labels_are_in_no_kernel() {
    on_own_engines(|jit| {
        let compiled = |label: &str| {
            let x = Float::new([1.0, 2.0])?;
            dr::set_label(&x, label);
            let root = dr::sqrt(&x * &x)?;
            dr::set_label(&root, label);
            dr::eval(&root)?;
            Ok::<u64, Error>(jit.counters().compiled)
        };
        assert_eq!(compiled("one")?, compiled("other")?);
        Ok(())
    });
}

/// A program with folding, equal work, a loop and a conditional.
fn program() -> dr::Result<String> {
    let x = Float::TYPE.linspace(-2.0, 2.0, 37, true)?;
    let (z, n) = dr::while_loop(
        (dr::zeros_like(&x)?, Int::TYPE.zeros(37)?),
        |(z, n)| dr::bitwise_and(dr::lt(dr::abs(z)?, 2.0)?, dr::lt(n, 20)?),
        |(z, n)| Ok(((z * z + &x * 1.0 * dr::sin(&x)?).ok()?, (n + 1).ok()?)),
        Mode::Auto,
    )?;
    let y = dr::if_stmt(z, dr::gt(&n, 10)?, |z| dr::sqrt(dr::abs(z)?), |z| (z + 1.0).ok(), Mode::Auto)?;
    let half = dr::freeze(|y: &AnyArray| (y * 0.5 + y * 0.5).ok());
    let bits: Vec<u64> = half.call(&y)?.to_scalars()?.iter().map(|x| x.to_f64().to_bits()).collect();
    Ok(format!("{bits:?} {}", dr::sum(&n, ())?))
}

#[test]
fn d_36_flags_change_no_number() {
    on_own_engines(|jit| {
        let expected = program()?;
        for &flag in JitFlag::ALL {
            let before = jit.flag(flag);
            {
                let _scope = jit.scoped_set_flag(flag, !before);
                assert_eq!(jit.flag(flag), !before, "{flag}");
                assert_eq!(program()?, expected, "{flag}");
            }
            assert_eq!(jit.flag(flag), before, "{flag} is as it was");
            assert_eq!(flag.name().parse::<JitFlag>()?, flag);
        }
        assert!(matches!("RayTracing".parse::<JitFlag>(), Err(Error::InvalidArgument { .. })));
        assert!(matches!(Jit::of(Package::SCALAR), Err(Error::NotSupported { .. })));
        Ok(())
    });
}

#[test]
fn d_37_the_history_of_kernels() {
    on_own_engines(|jit| {
        let x = Float::TYPE.arange(0.0, 100.0, 1.0)?;
        dr::eval(&x)?;
        jit.kernel_history_clear();
        dr::eval(&(dr::sqrt(&x)?, dr::exp(&x)?))?;
        dr::eval(&dr::sum(&x, ())?)?;
        let [both, sum] = &jit.kernel_history()[..] else { panic!("two launches") };
        assert_eq!((both.elements, both.inputs, both.outputs, both.operations), (100, 1, 2, 2));
        assert!(both.statements > 2 && both.compile.is_some() && !both.loaded && both.fold.is_none());
        assert_eq!((sum.elements, sum.fold), (100, Some("sum")));
        assert!(jit.kernel_history().is_empty(), "it was taken");
        Ok(())
    });
}

#[test]
fn d_38_what_does_not_run_here_says_why() {
    on_both(|| {
        assert!(dr::has_backend(dr::JitBackend::None) && dr::has_backend(dr::JitBackend::Llvm));
        match cuda::Float::new([1.0]) {
            Ok(x) => assert!(dr::has_backend(dr::JitBackend::Cuda) && x.to_string() == "[1]"),
            Err(Error::Core(error)) => {
                assert!(!dr::has_backend(dr::JitBackend::Cuda));
                let ivy_core::ErrorKind::BackendUnavailable { name, reason, remedy } = error.kind() else {
                    panic!("{error}")
                };
                assert!(name == "jit:cuda" && !reason.is_empty() && !remedy.is_empty(), "{error}");
            }
            Err(error) => panic!("{error}"),
        }
        Ok(())
    });
}

#[test]
fn d_39_two_generators_agree_bit_for_bit() {
    let found = Mutex::new(Vec::new());
    on_both(|| {
        let x = Float::TYPE.linspace(0.01, 3.0, 333, true)?;
        let own = [
            dr::sin(&x)?,
            dr::exp(&x)?,
            dr::log(&x)?,
            dr::atan(&x)?,
            dr::rsqrt(&x)?,
            dr::fma(&x, &x, &x)?,
            dr::sum(&x, ())?,
            dr::cumsum(&x)?,
            dr::erf(&x)?,
        ];
        let own = own.iter().map(AnyArray::to_scalars).collect::<dr::Result<Vec<_>>>()?.concat();
        let mut bits: Vec<u64> = own.iter().map(|x| x.to_f64().to_bits()).collect();
        let mut rng = dr::rng(3)?;
        bits.extend(
            rng.normal(Float::TYPE, &[50], 0.0, 1.0)?.to_scalars()?.iter().map(|x| x.to_f64().to_bits()),
        );
        found.lock().unwrap().push((program()?, bits));
        Ok(())
    });
    let found = found.into_inner().unwrap();
    assert_eq!(found[0], found[1]);
}

#[test]
fn d_47_loops_carry_and_do_what_is_needed() {
    on_own_engines(|jit| {
        let statements = |more: bool| -> dr::Result<usize> {
            let x = Float::TYPE.linspace(0.1, 1.0, 64, true)?;
            dr::eval(&x)?;
            let begin = (dr::zeros_like(&x)?, x.clone(), Int::TYPE.zeros(64)?, x.clone());
            let (sum, dead, _, _) = dr::while_loop(
                begin,
                |(_, _, n, _)| dr::lt(n, 10),
                |(sum, dead, n, same)| {
                    // The root is the same in each iteration, and nobody asks for `dead`.
                    let root = dr::sqrt(same * 3.0)?;
                    Ok(((sum + root).ok()?, dr::sin(dead)?, (n + 1).ok()?, same.clone()))
                },
                Mode::Symbolic,
            )?;
            if more {
                return dr::eval(&(sum, dead)).map(|()| statements_of(jit));
            }
            drop(dead);
            dr::eval(&sum).map(|()| statements_of(jit))
        };
        let (less, more) = (statements(false)?, statements(true)?);
        assert!(less < more, "{less} statements without the variable that nobody reads, {more} with it");
        let _scope = jit.scoped_set_flag(JitFlag::OptimizeLoops, false);
        let all = statements(false)?;
        assert!(less < all, "{less} statements, {all} without the passes");
        Ok(())
    });
}

/// The statements of the last launch.
fn statements_of(jit: &Jit) -> usize {
    jit.kernel_history().last().map_or(0, |launch| launch.statements)
}

#[test]
fn d_54_graphs_lists_and_labels() {
    on_own_engines(|jit| {
        let (x, v) = (Float::new([1.0, 2.0])?, Array2f::new([[1.5, 2.5], [3.5, 4.5]])?);
        dr::set_label(&x, "weight");
        dr::set_label(&v, "place");
        let y = (&x * v.x()?).ok()?;
        dr::set_label(&y, "product");
        let graph = dr::graphviz(&y);
        assert!(graph.starts_with("digraph"), "{graph}");
        for label in ["weight", "place[0]", "product"] {
            assert!(graph.contains(label), "{label} in {graph}");
        }
        assert!(!graph.contains("place[1]"), "it is no part of the product");
        let list = jit.whos();
        for line in ["data \"weight\"", "data \"place[1]\"", "multiply \"product\""] {
            assert!(list.contains(line), "{line} in {list}");
        }
        assert_eq!(dr::graphviz(&dr::scalar::Float::new(1)?), "", "no engine computes it");
        Ok(())
    });
}

#[test]
fn d_55_arrays_are_taken_in_and_given_without_copies() {
    on_own_engines(|_| {
        let values: Vec<f32> = (0..64).map(|i| i as f32).collect();
        let host = HostArray::from_vec(values, [64].into()).unwrap();
        let pointer = host.view().as_ptr();
        let backend = ivy_core::context::current_backend()?;
        let array = Array::from_value(backend.clone(), backend.from_host(host)?);
        let x: Float = AnyArray::from_core(Package::LLVM, array)?.try_into()?;
        let back = x.to_core().unwrap().to_host()?;
        assert_eq!(back.view().as_ptr(), pointer);
        assert_eq!(x.item(63)?.to_f64(), 63.0);
        let strange = Array::from_vec(vec![num(1.0)], [1])?;
        assert!(matches!(AnyArray::from_core(Package::LLVM, strange), Err(Error::InvalidArgument { .. })));
        Ok(())
    });
}

/// An element of a dtype that Dr.Jit has not.
fn num(x: f32) -> half::bf16 {
    half::bf16::from_f32(x)
}

#[test]
fn d_57_what_is_dropped_is_gone() {
    on_own_engines(|jit| {
        {
            let x = dr::enable_grad(&dr::llvm::ad::Float::new([1.0, 2.0])?)?;
            let y = dr::sum(dr::square(dr::sin(&x)?)?, ())?;
            dr::backward(&y)?;
            dr::eval(&y)?;
            program()?;
            assert!(jit.leaks() > 0, "while it is in use");
        }
        assert_eq!(jit.leaks(), 0, "{}", jit.whos());
        Ok(())
    });
}
