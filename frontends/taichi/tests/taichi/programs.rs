//! Programs: the current one, results, counters, the folder that keeps code.

use crate::errors::gathers;
use crate::kernels::step;
use crate::support::on_all;
use ivy_taichi::{Config, Error, Program, init, kernel};

#[kernel]
fn without_fields(n: i32) -> i64 {
    let mut k = 1i64;
    for i in 0..n {
        k *= i + 1;
    }
    k
}

#[kernel]
fn returns_nothing(x: i32) -> i32 {
    if x > 0 {
        return x;
    }
    return -x;
}

#[test]
fn t_39_results_and_the_current_program() {
    std::thread::spawn(|| {
        assert!(matches!(without_fields(3), Err(Error::Arguments { .. })), "there is no program yet");
        init(Config::new()).unwrap();
        assert_eq!(without_fields(5).unwrap(), 120);
        assert_eq!((returns_nothing(4).unwrap(), returns_nothing(-4).unwrap()), (4, 4));
    })
    .join()
    .unwrap();
    let programs = [(); 2].map(|()| Program::new(Config::new()).unwrap());
    let fields = programs.each_ref().map(|program| program.field::<f32>(&[2]).unwrap());
    assert!(matches!(gathers(&fields[0], &fields[1], 0), Err(Error::Arguments { .. })));
}

/// The macros and the frontend know the same functions.
#[test]
fn t_39_functions_are_known_to_the_macros() {
    let names = include_str!("../../macros/src/names.rs");
    let list = names.split("pub const TYPES").next().unwrap();
    let written: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let known: Vec<&str> = ivy_taichi::front::Scope::functions().collect();
    assert_eq!(written, known);
    assert!(known.is_sorted(), "{known:?}");
}

#[kernel]
fn sums_of_a_range(first: i64, end: i64) -> i64 {
    let mut sum = 0i64;
    for i in first..end {
        sum += i;
    }
    sum
}

/// Bounds that are known when the kernel runs, and a variable that all iterations add to.
#[test]
fn t_39_ranges_of_arguments() {
    on_all(Config::new(), |program| {
        init_on(program, || {
            assert_eq!(sums_of_a_range(-5, 1000)?, (-5..1000).sum());
            assert_eq!(sums_of_a_range(10, 3)?, 0);
            assert_eq!(sums_of_a_range(1 << 33, (1 << 33) + 2)?, (1 << 34) + 1);
            Ok(())
        })
    });
}

/// Runs a check with a program as the current one.
fn init_on(program: &Program, check: impl FnOnce() -> ivy_taichi::Result<()>) -> ivy_taichi::Result<()> {
    program.make_current();
    check()
}

#[test]
fn t_54_counters_equal_hand_counts() {
    let program = Program::new(Config::new()).unwrap();
    let x = program.field::<f32>(&[5]).unwrap();
    step(&x, 1.0).unwrap();
    step(&x, 2.0).unwrap();
    let stages = ivy_taichi::stages(|| step(&x, 1.0)).unwrap();
    let statements = stages.last().unwrap().1.in_order().len() as u64;
    let counters = program.counters();
    assert_eq!((counters.compiled_kernels, counters.codegen_offloaded_tasks, counters.launches), (1, 1, 2));
    assert_eq!(counters.codegen_statements, statements);
    step(&program.field::<f32>(&[6]).unwrap(), 1.0).unwrap();
    assert_eq!(program.counters().compiled_kernels, 2, "another shape is another kernel");
}

/// Another program finds the code of the first one; another layout is compiled anew.
#[test]
fn t_53_code_is_kept_in_a_folder() {
    let folder = std::env::temp_dir().join(format!("ivy-taichi-cache-{}", std::process::id()));
    let kept = || std::fs::read_dir(&folder).unwrap().count();
    let run = |length: usize| {
        let program =
            Program::new(Config::new().arch(ivy_taichi::Arch::Llvm).offline_cache(&folder)).unwrap();
        let x = program.field::<f32>(&[length]).unwrap();
        step(&x, 1.0).unwrap();
        assert_eq!(x.get(&[3]).unwrap(), 3.0);
        kept()
    };
    let first = run(5);
    assert!(first > 0);
    assert_eq!(run(5), first);
    assert!(run(100) > first);
    std::fs::remove_dir_all(&folder).unwrap();
    let file = folder.with_extension("file");
    std::fs::write(&file, "").unwrap();
    let refused = Program::new(Config::new().offline_cache(&file));
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(refused.map(drop), Err(Error::Target { .. })));
}
