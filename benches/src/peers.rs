//! The protocol of the side-by-side benchmark of array systems: inputs and references are files
//! in `PEERS_DATA`, results are lines of JSON.

use std::collections::HashMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

/// A workload: id, unit, work of a call, relative and absolute tolerance.
pub type Workload = (&'static str, &'static str, f64, f64, f64);

/// Those that are here, as the benchmark lists them.
pub const WORKLOADS: &[Workload] = &[
    ("W1.add1", "ns", 1.0, 1e-6, 1e-6),
    ("W1.add1000", "ns", 1.0, 1e-6, 1e-6),
    ("W1.chain10", "ns", 1.0, 1e-5, 1e-5),
    ("W2.100k", "GB/s", 1_200_000.0, 1e-5, 1e-6),
    ("W2.16M", "GB/s", 201_326_592.0, 1e-5, 1e-6),
    ("W2.64M", "GB/s", 805_306_368.0, 1e-5, 1e-6),
    ("W3.fused", "GB/s", 201_326_592.0, 2e-5, 2e-5),
    ("W3.exp", "GB/s", 134_217_728.0, 1e-5, 1e-6),
    ("W3.log", "GB/s", 134_217_728.0, 1e-5, 1e-5),
    ("W3.tanh", "GB/s", 134_217_728.0, 1e-5, 1e-5),
    ("W3.erf", "GB/s", 134_217_728.0, 1e-5, 1e-5),
    ("W3.pow", "GB/s", 201_326_592.0, 3e-5, 1e-5),
    ("W4.sumhypot", "GB/s", 134_217_728.0, 1e-4, 0.0),
    ("W4.rowsum", "GB/s", 67_108_864.0, 1e-4, 2e-2),
    ("W4.colsum", "GB/s", 67_108_864.0, 1e-4, 2e-2),
    ("W4.sumf16", "GB/s", 33_554_432.0, 2e-3, 0.0),
    ("W5.pairs", "GB/s", 100_663_296.0, 1e-6, 1e-5),
    ("W5.stencil3", "GB/s", 134_217_728.0, 1e-5, 1e-5),
    ("W5.transadd", "GB/s", 134_217_728.0, 1e-6, 1e-5),
    ("W5.outer", "GB/s", 67_108_864.0, 1e-6, 1e-6),
    ("W6.mandel", "ms", 1.0, 0.0, 0.0),
    ("W7.first97", "ms", 1.0, 1e-4, 1e-4),
    ("W7.first1000", "ms", 1.0, 1e-4, 1e-4),
    ("W7.node", "ns", 1.0, 0.0, 0.0),
    ("W7.launch97", "us", 1.0, 1e-4, 1e-4),
    ("W8.512", "GFLOP/s", 268_435_456.0, 1e-4, 1e-3),
    ("W8.1024", "GFLOP/s", 2_147_483_648.0, 1e-4, 2e-3),
    ("W8.2048", "GFLOP/s", 17_179_869_184.0, 1e-4, 4e-3),
    ("W8.1024d", "GFLOP/s", 2_147_483_648.0, 1e-9, 1e-9),
    ("W7.launch3", "us", 1.0, 1e-5, 1e-5),
    ("W9.softmax", "GB/s", 33_554_432.0, 1e-4, 1e-7),
    ("W9.layernorm", "GB/s", 33_554_432.0, 1e-4, 1e-4),
    ("W10.step", "us", 1.0, 2e-3, 2e-3),
    ("W11.laplace", "GB/s", 33_554_432.0, 1e-5, 1e-5),
    ("W11.aos", "GB/s", 201_326_592.0, 1e-5, 1e-5),
    ("W11.soa", "GB/s", 201_326_592.0, 1e-5, 1e-5),
    ("W12.i32f16", "GB/s", 100_663_296.0, 1e-3, 1e-3),
    ("W12.f32bf16", "GB/s", 100_663_296.0, 8e-3, 1e-3),
    ("W12.u8f32", "GB/s", 83_886_080.0, 0.0, 0.0),
    ("W12.f64i32", "GB/s", 201_326_592.0, 0.0, 0.0),
];

fn workload(id: &str) -> Workload {
    WORKLOADS.iter().find(|w| w.0 == id).copied().unwrap_or_else(|| panic!("{id} is listed"))
}

/// One run of the benchmark.
pub struct Bench {
    peer: String,
    version: String,
    threads: usize,
    root: PathBuf,
    only: Vec<String>,
    quick: bool,
    references: HashMap<String, (usize, usize, f64, f64)>,
}

/// Values that are read from a file byte by byte.
pub trait Plain: Copy {
    /// From its bytes.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! plain {
    ($($t:ty)*) => {$(
        impl Plain for $t {
            fn of(bytes: &[u8]) -> $t {
                <$t>::from_le_bytes(bytes.try_into().expect("whole elements"))
            }
        }
    )*};
}
plain!(f32 f64 i32 u8 u16);

impl Bench {
    /// The run that the environment asks for; `None` without inputs.
    pub fn new(peer: &str, version: &str) -> Option<Bench> {
        let set = |name| std::env::var(name).unwrap_or_default();
        let root = std::env::var_os("PEERS_DATA")
            .map_or_else(|| std::env::temp_dir().join("peers-data"), PathBuf::from);
        let mut references = HashMap::new();
        for line in
            std::fs::read_to_string(root.join("ref.txt")).ok()?.lines().filter(|l| !l.starts_with('#'))
        {
            if let [id, n, stride, sum, all] = *line.split_whitespace().collect::<Vec<_>>() {
                let entry = (n.parse().ok()?, stride.parse().ok()?, sum.parse().ok()?, all.parse().ok()?);
                references.insert(id.to_string(), entry);
            }
        }
        Some(Bench {
            peer: peer.into(),
            version: version.into(),
            threads: set("PEERS_THREADS").parse().unwrap_or(1),
            root,
            only: set("PEERS_ONLY").split(',').filter(|s| !s.is_empty()).map(String::from).collect(),
            quick: !set("PEERS_QUICK").is_empty(),
            references,
        })
    }

    /// The first values of an input file.
    ///
    /// # Panics
    /// Without the file.
    pub fn load<T: Plain>(&self, name: &str, count: usize) -> Vec<T> {
        use std::io::Read;
        let file = std::fs::File::open(self.root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut bytes = Vec::new();
        let most = count.saturating_mul(size_of::<T>()) as u64;
        file.take(most).read_to_end(&mut bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        bytes.chunks_exact(size_of::<T>()).map(T::of).collect()
    }

    /// True if the workload is asked for.
    pub fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|o| id == o || id.starts_with(&format!("{o}.")))
    }

    /// Checks and times a call; `get` makes numbers of its result.
    ///
    /// # Panics
    /// For a workload that is not known.
    pub fn run<R>(&self, id: &str, mut call: impl FnMut() -> R, get: impl FnOnce(R) -> Vec<f64>) {
        if !self.wants(id) {
            return;
        }
        let begin = Instant::now();
        let first = call();
        let first_seconds = begin.elapsed().as_secs_f64();
        let checked = self.check(id, &get(first));
        let (times, inner) = self.times(&mut call);
        self.report(id, checked, times, inner, first_seconds, "");
    }

    /// Likewise, with what the same takes in another way noted beside it.
    ///
    /// # Panics
    /// As [`Bench::run`].
    pub fn run_beside<R>(
        &self,
        id: &str,
        mut call: impl FnMut() -> R,
        (way, mut other): (&str, impl FnMut() -> R),
        get: impl FnOnce(R) -> Vec<f64>,
    ) {
        if !self.wants(id) {
            return;
        }
        other();
        let (times, _) = self.times(&mut other);
        let note = format!("{way}: {:.3} us", crate::median(times) * 1e6);
        let begin = Instant::now();
        let first = call();
        let first_seconds = begin.elapsed().as_secs_f64();
        let checked = self.check(id, &get(first));
        let (times, inner) = self.times(&mut call);
        self.report(id, checked, times, inner, first_seconds, &note);
    }

    /// Reports calls that are not repeated as they are, whose results the caller has checked: the
    /// worst relative error is `error`.
    pub fn once(&self, id: &str, error: f64, seconds: Vec<f64>) {
        let check = if error <= 1e-4 { "ok".into() } else { format!("wrong: {error:.3e}") };
        self.report(id, (check, error), seconds, 1, 0.0, "");
    }

    fn report(
        &self,
        id: &str,
        checked: (String, f64),
        mut times: Vec<f64>,
        inner: usize,
        first: f64,
        note: &str,
    ) {
        let (_, unit, work, ..) = workload(id);
        times.sort_by(f64::total_cmp);
        let median = crate::median(times.clone());
        let value = match unit {
            "ns" => median * 1e9 / work,
            "us" => median * 1e6 / work,
            "ms" => median * 1e3 / work,
            _ => work / median / 1e9,
        };
        let (check, error) = checked;
        println!(
            "{{\"peer\":\"{}\",\"version\":\"{}\",\"threads\":{},\"workload\":\"{id}\",\"unit\":\"{unit}\",\
             \"value\":{value:e},\"median_s\":{median:e},\"min_s\":{:e},\"max_s\":{:e},\"reps\":{},\
             \"inner\":{inner},\"check\":\"{check}\",\"err\":{error:e},\"first_s\":{first:e},\"note\":\"{note}\"}}",
            self.peer,
            self.version,
            self.threads,
            times[0],
            times[times.len() - 1],
            times.len(),
        );
    }

    fn check(&self, id: &str, got: &[f64]) -> (String, f64) {
        let (.., rtol, atol) = workload(id);
        let Some(&(n, stride, sum, all)) = self.references.get(id) else {
            return ("no reference".into(), 0.0);
        };
        if got.len() != n {
            return (format!("size {}, expected {n}", got.len()), 0.0);
        }
        let want: Vec<f64> = self.load(&format!("ref/{id}.f64"), usize::MAX);
        if id == "W6.mandel" {
            // Points at the border are chaotic in float32.
            let off = got.iter().step_by(stride).zip(&want).filter(|(a, b)| a != b).count();
            let (off, drift) = (off as f64 / want.len() as f64, (got.iter().sum::<f64>() - sum).abs() / sum);
            let fine = off < 0.02 && drift < 5e-3;
            return (
                if fine { "ok".into() } else { format!("{off:.4} of points differ, drift {drift:.2e}") },
                off,
            );
        }
        let (mut off, mut worst) = (0, 0f64);
        for (a, b) in got.iter().step_by(stride).zip(&want) {
            let error = (a - b).abs();
            // NaN is within nothing.
            let within = error <= atol + rtol * b.abs();
            off += usize::from(!within);
            worst = worst.max(error / b.abs().max(if atol > 0.0 { atol } else { 1e-30 }));
        }
        if off > 0 {
            return (
                format!("wrong: {off} of {} samples off, worst relative {worst:.3e}", want.len()),
                worst,
            );
        }
        let total: f64 = got.iter().sum();
        let many = (n as f64).sqrt().max(1.0);
        let limit = (2.0 * rtol).max(1e-3) * all / many + 2.0 * rtol * sum.abs() + atol * many + 1e-6 * all;
        match (total - sum).abs() > limit {
            true => (format!("wrong sum {total}, expected {sum}"), worst),
            false => ("ok".into(), worst),
        }
    }

    fn times<R>(&self, call: &mut impl FnMut() -> R) -> (Vec<f64>, usize) {
        let mut time = |calls: usize| {
            let start = Instant::now();
            (0..calls).for_each(|_| drop(black_box(call())));
            start.elapsed().as_secs_f64() / calls as f64
        };
        if self.quick {
            return (vec![time(1)], 1);
        }
        let start = Instant::now();
        let mut calls = 0;
        while calls < 2 || start.elapsed().as_secs_f64() < 0.3 && calls < 1000 {
            time(1);
            calls += 1;
        }
        let one = start.elapsed().as_secs_f64() / f64::from(calls);
        let inner = ((0.02 / one.max(1e-9)) as usize).clamp(1, 10_000_000);
        ((0..if one > 0.3 { 7 } else { 11 }).map(|_| time(inner)).collect(), inner)
    }
}
