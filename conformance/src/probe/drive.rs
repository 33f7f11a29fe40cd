//! The parent's side: a guarded child process for each function, and the lines that they speak.

use ivy_core::Dtype;
use ivy_core::support::tables::{MeasuredRow, State};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How a crash is told in a row.
pub const CRASH: &str = "crash";

/// Tells the parent that a dtype begins (`None`), or what was found.
///
/// # Errors
/// As writing to `out`.
pub fn speak(out: &mut dyn Write, dtype: Dtype, row: Option<&MeasuredRow>) -> std::io::Result<()> {
    match row {
        None => writeln!(out, "begin\t{dtype}")?,
        Some(row) => {
            let result = row.result.join(",");
            let how = row.how.as_deref().unwrap_or("");
            writeln!(out, "row\t{dtype}\t{}\t{result}\t{how}", row.state)?;
        }
    }
    out.flush()
}

/// Measures functions, each in child processes that `command` makes for a function and the
/// index of the dtype to begin with. A child that dies, or says nothing for `patience`, is a
/// finding about the dtype that it had begun, and another one goes on behind it.
///
/// # Errors
/// As starting a child.
pub fn drive(
    functions: &[&'static str],
    command: &(dyn Fn(&str, usize) -> Command + Sync),
    patience: Duration,
    progress: &(dyn Fn(&str) + Sync),
) -> std::io::Result<Vec<MeasuredRow>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<std::io::Result<Vec<MeasuredRow>>> = Mutex::new(Ok(Vec::new()));
    let work = || {
        while let Some(function) = functions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let rows = drive_function(function, command, patience);
            let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
            match (&mut *found, rows) {
                (Ok(all), Ok(rows)) => all.extend(rows),
                (Ok(_), Err(error)) => *found = Err(error),
                (Err(_), _) => return,
            }
            progress(function);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap_or_else(|e| e.into_inner())
}

fn drive_function(
    function: &str,
    command: &dyn Fn(&str, usize) -> Command,
    patience: Duration,
) -> std::io::Result<Vec<MeasuredRow>> {
    let dtypes: Vec<Dtype> = Dtype::all().collect();
    let mut rows = Vec::new();
    while rows.len() < dtypes.len() {
        let from = rows.len();
        let ended = listen(command(function, from), function, patience, &mut rows)?;
        if rows.len() < dtypes.len() {
            let how = format!("{CRASH}: {ended}");
            let dtype = dtypes[rows.len()].name();
            let row = MeasuredRow::new(function, dtype, State::Refused, &[], Some(&how));
            rows.push(row.expect("registered dtypes have names"));
        }
    }
    Ok(rows)
}

/// Reads a child's rows until it ends; says how it ended.
fn listen(
    mut command: Command,
    function: &str,
    patience: Duration,
    rows: &mut Vec<MeasuredRow>,
) -> std::io::Result<String> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let lines = BufReader::new(child.stdout.take().expect("standard output is piped")).lines();
    let (send, receive) = channel();
    let reader = std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    let ended = loop {
        match receive.recv_timeout(patience) {
            Ok(line) => rows.extend(parse_row(function, &line)),
            Err(RecvTimeoutError::Disconnected) => break told(child.wait()?),
            Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                child.wait()?;
                break format!("no answer in {} s", patience.as_secs());
            }
        }
    };
    // The pipe is closed, so the thread ends.
    let _ = reader.join();
    Ok(ended)
}

fn parse_row(function: &str, line: &str) -> Option<MeasuredRow> {
    let mut cells = line.strip_prefix("row\t")?.split('\t');
    let (dtype, state) = (cells.next()?, State::from_name(cells.next()?)?);
    let result: Vec<&str> = cells.next()?.split(',').filter(|name| !name.is_empty()).collect();
    MeasuredRow::new(function, dtype, state, &result, cells.next())
}

fn told(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| "unknown end".into(), |code| format!("exit status {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A child that answers for three dtypes, then dies while it works on the fourth.
    fn script(from: usize) -> String {
        let names: Vec<_> = Dtype::all().map(Dtype::name).collect();
        let row = |i: usize| format!("printf 'begin\\t{0}\\nrow\\t{0}\\tnative\\t{0}\\t\\n'; ", names[i]);
        match from {
            0 => {
                (0..3).map(row).collect::<String>() + &format!("printf 'begin\\t{}\\n'; kill -8 $$", names[3])
            }
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
}
