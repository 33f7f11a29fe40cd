//! Whole programs as a user writes them, on each place: what an iteration costs at first and later, the kernels that are made,
//! and the memory that is taken. Each program runs in a process of its own, with an empty cache of kernels.
//!
//! `programs [PLACE ...] [--only TEXT] [--json]`; places are ndarray, candle and jit:llvm if none is named.
//! `benches/programs.py` is the same from Python, with NumPy and others beside it.

use ivy::backend::{Backend, BackendRef, backend};
use ivy::jit::JitBackend;
use ivy_benches::median;
use ivy_benches::programs::{ALL, Program};
use serde_json::{Value, json};
use std::process::{Command, ExitCode};
use std::time::Instant;

const PLACES: [&str; 3] = ["ndarray", "candle", "jit:llvm"];

/// Iterations whose costs are told, where there are as many.
const TOLD: [usize; 3] = [10, 100, 1000];

fn main() -> ExitCode {
    let (mut places, mut only, mut json) = (Vec::new(), None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = true,
            "--only" => only = arguments.next(),
            "--one" => {
                let (name, place) =
                    (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
                return one(&name, &place);
            }
            place => places.push(place.to_string()),
        }
    }
    if places.is_empty() {
        places = PLACES.map(String::from).into();
    }
    if !json {
        println!(
            "| program | place | all, s | iteration 10, us | iteration 100, us | iteration 1000, us | kernels | after iteration 20 | MB more after iteration 100 | of ndarray's time |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
    }
    for program in ALL.iter().filter(|p| only.as_ref().is_none_or(|only| p.name.contains(only.as_str()))) {
        let mut first = None;
        for place in &places {
            let Some(found) = apart(program.name, place) else {
                eprintln!("{} on {place}: it ended with an error", program.name);
                return ExitCode::FAILURE;
            };
            if json {
                println!("{found}");
                continue;
            }
            let seconds = found["seconds"].as_f64().unwrap_or(f64::NAN);
            let ratio = seconds / *first.get_or_insert(seconds);
            let number = |value: &Value, digits: usize| match value.as_f64() {
                Some(x) => format!("{x:.digits$}"),
                None => String::new(),
            };
            let iterations: Vec<String> =
                (0..TOLD.len()).map(|i| number(&found["iterations"][i], 0)).collect();
            println!(
                "| {} | {place} | {seconds:.3} | {} | {} | {} | {} | {ratio:.2} |",
                program.name,
                iterations.join(" | "),
                number(&found["kernels"], 0),
                number(&found["later"], 0),
                number(&found["megabytes"], 1),
            );
        }
    }
    ExitCode::SUCCESS
}

/// A program in a process of its own, with a cache of its own for kernels.
fn apart(name: &str, place: &str) -> Option<Value> {
    let cache = std::env::temp_dir().join(format!("ivy-programs-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&cache);
    let done = Command::new(std::env::current_exe().ok()?)
        .args(["--one", name, place])
        .env("IVY_JIT_CACHE", &cache)
        .output()
        .ok()?;
    let _ = std::fs::remove_dir_all(&cache);
    eprint!("{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).ok()
}

fn one(name: &str, place: &str) -> ExitCode {
    let Some(program) = ALL.iter().find(|p| p.name == name) else {
        eprintln!("there is no program {name:?}");
        return ExitCode::FAILURE;
    };
    match backend(place).and_then(|place| run(program, &place)) {
        Ok(found) => {
            println!("{found}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{name} on {place}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: &Program, place: &BackendRef) -> ivy::Result<Value> {
    let compiled = || {
        let jit = Backend::as_any(&**place).downcast_ref::<JitBackend>();
        jit.map(|jit| jit.engine().counters().compiled)
    };
    ivy::with(&ivy::Context::new().backend(place), || {
        let begin = Instant::now();
        let mut iteration = (program.begin)()?;
        let mut times = Vec::with_capacity(program.iterations);
        let (mut early, mut memory) = (None, None);
        for number in 1..=program.iterations {
            let start = Instant::now();
            iteration(number)?;
            times.push(start.elapsed().as_secs_f64() * 1e6);
            if number == 20 {
                early = compiled();
            }
            if number == 100 {
                memory = resident();
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        // The middle one of the iterations around.
        let near = |at: usize| {
            (at <= times.len()).then(|| median(times[at * 8 / 10..times.len().min(at * 12 / 10)].to_vec()))
        };
        let grown = memory.zip(resident()).map(|(before, after)| (after as f64 - before as f64) / 1e6);
        let kernels = compiled();
        Ok(json!({
            "program": program.name,
            "place": place.name(),
            "seconds": seconds,
            "iterations": TOLD.map(near),
            "kernels": kernels,
            "later": kernels.zip(early).map(|(all, early)| all - early),
            "megabytes": grown,
        }))
    })
}

/// The bytes of the process's memory that are there, where the system says so.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}
