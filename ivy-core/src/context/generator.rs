//! The generator of random numbers in force.

use super::frame::{frame_generator, set_frame_generator};
use crate::functional::{Generator, Seed};
use once_cell::sync::Lazy;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A generator that several threads draw from: no two draws are the same, and which thread has which one is left to
/// chance.
#[derive(Clone)]
pub struct SharedGenerator(Arc<Stream>);

struct Stream {
    key: u64,
    counter: AtomicU64,
}

/// The generator of threads that none was given.
static PROCESS: Lazy<SharedGenerator> = Lazy::new(|| Generator::from_entropy().into());

impl SharedGenerator {
    /// The next draw.
    pub fn draw(&self) -> Seed {
        // Only the numbers count: nothing else is published by it.
        Seed { key: self.0.key, counter: self.0.counter.fetch_add(1, Ordering::Relaxed) }
    }

    /// As a value, whose draws are those that come next here.
    pub fn state(&self) -> Generator {
        Generator { key: self.0.key, counter: self.0.counter.load(Ordering::Relaxed) }
    }
}

impl From<Generator> for SharedGenerator {
    fn from(Generator { key, counter }: Generator) -> SharedGenerator {
        SharedGenerator(Arc::new(Stream { key, counter: AtomicU64::new(counter) }))
    }
}

/// Equal if they are one: draws from either are draws from both.
impl PartialEq for SharedGenerator {
    fn eq(&self, other: &SharedGenerator) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedGenerator {}

impl fmt::Debug for SharedGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counter = self.0.counter.load(Ordering::Relaxed);
        f.debug_struct("SharedGenerator").field("key", &self.0.key).field("counter", &counter).finish()
    }
}

/// The generator in force: that of the innermost frame which has one, else that of the process.
pub(crate) fn generator() -> SharedGenerator {
    frame_generator().unwrap_or_else(|| PROCESS.clone())
}

/// Puts a generator in force in the current frame, in place of the one that it has.
pub(crate) fn set_generator(generator: Generator) {
    set_frame_generator(generator.into());
}
