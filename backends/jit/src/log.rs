//! Messages of the engine, at a level that can be set, by the program or at first by the environment;
//! they go to standard error or to a function.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{PoisonError, RwLock};

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// Nothing.
    Off,
    /// What went wrong.
    Error,
    /// What works worse than it might: the level at first.
    Warn,
    /// Launches and compilations.
    Info,
    /// Each node, and each kernel's statements, too.
    Trace,
}

/// The environment variable that sets the level at first, by its name in small letters.
pub const VARIABLE: &str = "IVY_JIT_LOG";

const NAMES: [(&str, Level); 5] = [
    ("off", Level::Off),
    ("error", Level::Error),
    ("warn", Level::Warn),
    ("info", Level::Info),
    ("trace", Level::Trace),
];

type Sink = Box<dyn Fn(Level, &str) + Send + Sync>;

/// Above all levels: whoever says something first asks the environment.
const UNSET: u8 = u8::MAX;

static LEVEL: AtomicU8 = AtomicU8::new(UNSET);
static SINK: RwLock<Option<Sink>> = RwLock::new(None);

/// Sets the level; gives the one before.
pub fn set_level(level: Level) -> Level {
    let before = match LEVEL.swap(level as u8, Ordering::Relaxed) {
        UNSET => of_environment().unwrap_or(Level::Warn) as u8,
        before => before,
    };
    NAMES.iter().map(|(_, level)| *level).find(|&level| level as u8 == before).unwrap_or(Level::Warn)
}

/// The level that the environment names; an error for what is none.
fn of_environment() -> Result<Level, String> {
    let Some(named) = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) else { return Ok(Level::Warn) };
    let found = NAMES.iter().find(|(name, _)| named == *name);
    found.map(|(_, level)| *level).ok_or_else(|| {
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        format!("{VARIABLE} = {}: a level is {}", named.display(), names.join(", "))
    })
}

/// Sets the level that the environment names, if none was set.
#[cold]
fn begin() {
    let found = of_environment();
    let level = found.as_ref().map_or(Level::Warn, |level| *level);
    let first = LEVEL.compare_exchange(UNSET, level as u8, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if let (Err(wrong), true) = (found, first) {
        say(Level::Warn, format_args!("{wrong}"));
    }
}

/// Sends messages to a function instead of standard error, or back there.
pub fn set_sink(sink: Option<Sink>) {
    *SINK.write().unwrap_or_else(PoisonError::into_inner) = sink;
}

/// True if messages of the level are wanted.
#[inline]
pub(crate) fn wants(level: Level) -> bool {
    let set = LEVEL.load(Ordering::Relaxed);
    set >= level as u8 && (set != UNSET || is_first_wanted(level))
}

#[cold]
fn is_first_wanted(level: Level) -> bool {
    begin();
    LEVEL.load(Ordering::Relaxed) >= level as u8
}

/// Says something, if it is wanted.
pub(crate) fn say(level: Level, message: fmt::Arguments<'_>) {
    if !wants(level) {
        return;
    }
    let text = message.to_string();
    match &*SINK.read().unwrap_or_else(PoisonError::into_inner) {
        Some(sink) => sink(level, &text),
        None => eprintln!("ivy jit: {text}"),
    }
}
