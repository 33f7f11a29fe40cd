//! Measuring in child processes that crash and hang.

use ivy_conformance::probe::drive;
use ivy_core::Dtype;
use std::process::Command;
use std::time::Duration;

/// A child that answers for three dtypes, then dies while it works on the fourth.
fn script(from: usize) -> String {
    let names: Vec<_> = Dtype::all().map(Dtype::name).collect();
    let row = |i: usize| format!("printf 'begin\\t{0}\\nrow\\t{0}\\tnative\\t{0}\\t\\n'; ", names[i]);
    match from {
        0 => (0..3).map(row).collect::<String>() + &format!("printf 'begin\\t{}\\n'; kill -8 $$", names[3]),
        4 => (4..6).map(row).collect::<String>() + "exec sleep 60",
        from => (from..names.len()).map(row).collect(),
    }
}

#[test]
fn a_crash_and_a_hang_are_findings_and_not_the_end() {
    let child = |_: &str, from: usize| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &script(from)]);
        shell
    };
    let rows = drive(&["lcm"], &child, Duration::from_secs(2), &|_| {}).unwrap();
    assert_eq!(rows.len(), Dtype::COUNT);
    let how: Vec<_> = rows.iter().enumerate().filter_map(|(i, r)| Some((i, r.how.clone()?))).collect();
    assert_eq!(how, [(3, "crash: signal 8".into()), (6, "crash: no answer in 2 s".into())]);
    assert!(rows.iter().enumerate().all(|(i, r)| r.state.runs() != [3, 6].contains(&i)));
}
