//! The Rust side of `python.py`: `expression [PLACE] [N]` computes `sqrt(a*b+c)-a` on N float32 and
//! prints the seconds of each run as one line of JSON.

use ivy_benches::chain::{chain, operands};
use std::time::Instant;

/// Runs that are not counted, and those that are.
const RUNS: (usize, usize) = (3, 15);

fn main() -> ivy::Result<()> {
    let mut args = std::env::args().skip(1);
    let place = args.next().unwrap_or_else(|| "jit:llvm".into());
    let n = args.next().and_then(|n| n.parse().ok()).unwrap_or(16 << 20);
    let x = operands(&place, n)?;
    let mut times = Vec::new();
    for _ in 0..RUNS.0 + RUNS.1 {
        let start = Instant::now();
        let result = chain(&x)?;
        times.push(start.elapsed().as_secs_f64());
        drop(result);
    }
    println!("{}", serde_json::json!({"seconds": times[RUNS.0..]}));
    Ok(())
}
