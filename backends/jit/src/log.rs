//! Messages of the engine: to standard error, up to a level that the program sets, or at first the
//! environment; and to a function, up to a level of its own.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

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
    /// Which loops and conditionals are recorded, too.
    Symbolic,
    /// Kernels' statements, before and after each pass, too.
    Debug,
    /// Each node, too.
    Trace,
}

/// The environment variable that sets the level at first, by its name in small letters.
pub const VARIABLE: &str = "IVY_JIT_LOG";

const NAMES: [(&str, Level); 7] = [
    ("off", Level::Off),
    ("error", Level::Error),
    ("warn", Level::Warn),
    ("info", Level::Info),
    ("symbolic", Level::Symbolic),
    ("debug", Level::Debug),
    ("trace", Level::Trace),
];

/// A function that hears messages.
pub type Callback = Arc<dyn Fn(Level, &str) + Send + Sync>;

/// Who hears what.
struct Listeners {
    /// Up to which level standard error does; `None` before the environment was asked.
    stderr: Option<Level>,
    callback: Option<(Level, Callback)>,
}

/// Above all levels: whoever says something first asks the environment.
const UNSET: u8 = u8::MAX;

/// The greatest level that anyone hears.
static HEARD: AtomicU8 = AtomicU8::new(UNSET);
static LISTENERS: RwLock<Listeners> = RwLock::new(Listeners { stderr: None, callback: None });

/// Changes who hears what.
fn change<R>(to: impl FnOnce(&mut Listeners) -> R) -> R {
    let mut listeners: RwLockWriteGuard<'_, Listeners> =
        LISTENERS.write().unwrap_or_else(PoisonError::into_inner);
    let result = to(&mut listeners);
    if let Some(stderr) = listeners.stderr {
        let callback = listeners.callback.as_ref().map_or(Level::Off, |(level, _)| *level);
        HEARD.store(stderr.max(callback) as u8, Ordering::Relaxed);
    }
    result
}

/// Sets the level of standard error; gives the one before.
pub fn set_level(level: Level) -> Level {
    let before = change(|listeners| listeners.stderr.replace(level));
    before.unwrap_or_else(|| of_environment().unwrap_or(Level::Warn))
}

/// Lets a function hear all messages up to a level, whatever standard error does, or none hear them;
/// gives the function before.
pub fn set_callback(callback: Option<(Level, Callback)>) -> Option<(Level, Callback)> {
    begin();
    change(|listeners| std::mem::replace(&mut listeners.callback, callback))
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
    let first = change(|listeners| {
        let first = listeners.stderr.is_none();
        listeners.stderr.get_or_insert(level);
        first
    });
    if let (Err(wrong), true) = (found, first) {
        say(Level::Warn, format_args!("{wrong}"));
    }
}

/// True if messages of the level are wanted.
#[inline]
pub(crate) fn wants(level: Level) -> bool {
    let set = HEARD.load(Ordering::Relaxed);
    set >= level as u8 && (set != UNSET || is_first_wanted(level))
}

#[cold]
fn is_first_wanted(level: Level) -> bool {
    begin();
    HEARD.load(Ordering::Relaxed) >= level as u8
}

/// Says something, if it is wanted.
pub(crate) fn say(level: Level, message: fmt::Arguments<'_>) {
    if !wants(level) {
        return;
    }
    // Without the lock, so that who hears it may set levels.
    let (stderr, callback) = {
        let listeners = LISTENERS.read().unwrap_or_else(PoisonError::into_inner);
        (listeners.stderr >= Some(level), listeners.callback.clone().filter(|(most, _)| *most >= level))
    };
    let text = message.to_string();
    if stderr {
        eprintln!("ivy jit: {text}");
    }
    if let Some((_, callback)) = callback {
        callback(level, &text);
    }
}
