//! Messages of the engine, at a level that can be set; they go to standard error or to a
//! function.

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
    /// Each node, too.
    Trace,
}

type Sink = Box<dyn Fn(Level, &str) + Send + Sync>;

static LEVEL: AtomicU8 = AtomicU8::new(Level::Warn as u8);
static SINK: RwLock<Option<Sink>> = RwLock::new(None);

/// Sets the level; gives the one before.
pub fn set_level(level: Level) -> Level {
    match LEVEL.swap(level as u8, Ordering::Relaxed) {
        0 => Level::Off,
        1 => Level::Error,
        2 => Level::Warn,
        3 => Level::Info,
        _ => Level::Trace,
    }
}

/// Sends messages to a function instead of standard error, or back there.
pub fn set_sink(sink: Option<Sink>) {
    *SINK.write().unwrap_or_else(PoisonError::into_inner) = sink;
}

/// True if messages of the level are wanted.
#[inline]
pub(crate) fn wants(level: Level) -> bool {
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
