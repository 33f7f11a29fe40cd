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
