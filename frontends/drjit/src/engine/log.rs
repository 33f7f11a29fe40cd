//! The engine's log by Dr.Jit's levels, and with its names of operations.

use ivy_backend_jit::log::{self, Level};
use std::sync::Arc;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Nothing.
    Disable,
    /// What went wrong.
    Error,
    /// What works worse than it might: the level at first.
    Warn,
    /// Launches and compilations.
    Info,
    /// Which loops and conditionals are recorded, too.
    InfoSym,
    /// Kernels' statements, too.
    Debug,
    /// Each variable, too.
    Trace,
}

/// A function that hears the log.
pub type LogCallback = Arc<dyn Fn(LogLevel, &str) + Send + Sync>;

const LEVELS: [(LogLevel, Level); 7] = [
    (LogLevel::Disable, Level::Off),
    (LogLevel::Error, Level::Error),
    (LogLevel::Warn, Level::Warn),
    (LogLevel::Info, Level::Info),
    (LogLevel::InfoSym, Level::Symbolic),
    (LogLevel::Debug, Level::Debug),
    (LogLevel::Trace, Level::Trace),
];

/// Names of operations, here and in Dr.Jit.
const NAMES: &str = include_str!("operations.tsv");

impl LogLevel {
    fn level(self) -> Level {
        LEVELS.iter().find(|(own, _)| *own == self).map_or(Level::Off, |(_, level)| *level)
    }

    fn of(level: Level) -> LogLevel {
        LEVELS.iter().find(|(_, own)| *own == level).map_or(LogLevel::Disable, |(own, _)| *own)
    }
}

/// Sets the level up to which standard error hears the log; gives the one before.
pub fn set_log_level(level: LogLevel) -> LogLevel {
    LogLevel::of(log::set_level(level.level()))
}

/// The level up to which standard error hears the log.
pub fn log_level() -> LogLevel {
    let level = set_log_level(LogLevel::Warn);
    set_log_level(level);
    level
}

/// Lets a function hear the log up to a level, whatever standard error does, with Dr.Jit's names of operations; `None` ends that.
pub fn set_log_callback(callback: Option<(LogLevel, LogCallback)>) {
    let callback = callback.map(|(most, hear)| {
        let told: log::Callback = Arc::new(move |level, text| hear(LogLevel::of(level), &renamed(text)));
        (most.level(), told)
    });
    drop(log::set_callback(callback));
}

/// A line about a variable with Dr.Jit's name for its operation; other lines as they are.
fn renamed(text: &str) -> String {
    let parts = || {
        let (start, made) = text.strip_prefix("jit_var_new()").and_then(|_| text.split_once(" = "))?;
        let (own, operands) = made.split_once('(')?;
        let mut rows =
            NAMES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
        let (_, name) = rows.find(|(here, _)| *here == own)?;
        Some(format!("{start} = {name}({operands}"))
    };
    parts().unwrap_or_else(|| text.to_owned())
}
