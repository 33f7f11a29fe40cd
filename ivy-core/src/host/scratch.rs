//! Memory that is needed for a while beside a result.
//!
//! A `Vec` that gets none ends the process. What is as large as somebody's array comes from here instead:
//! [`try_vec`] tells the caller; [`vec()`] is for the closures of loops over several threads, which write and
//! return nothing, and unwinds to the [`guard`] around them, where it becomes the error. No panic is
//! reported on the way, and nobody has seen the result yet.

use super::UniqueBuffer;
use crate::{Error, ErrorKind, Result, interrupt};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    ptr::NonNull,
};

/// Bytes that the system has not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub u128);

impl Refused {
    /// The error of a function that needed them.
    #[cold]
    pub fn by(self, function: &'static str) -> Error {
        ErrorKind::no_memory(function, self.0).into()
    }
}

/// An empty vector with room for `len` elements.
///
/// # Errors
/// [`Refused`] where there is no memory for them.
pub fn try_vec<T>(len: usize) -> Result<Vec<T>, Refused> {
    let mut vec = Vec::new();
    try_reserve(&mut vec, len)?;
    Ok(vec)
}

/// Makes room for `more` elements in a vector.
///
/// # Errors
/// [`Refused`] where there is no memory for them.
pub fn try_reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<(), Refused> {
    let bytes = (vec.len() as u128 + more as u128) * size_of::<T>() as u128;
    vec.try_reserve(more).map_err(|_| Refused(bytes))
}

/// As [`try_vec`], for work within a [`guard`].
pub fn vec<T>(len: usize) -> Vec<T> {
    try_vec(len).unwrap_or_else(|refused| refuse(refused))
}

/// As [`try_reserve`], for work within a [`guard`].
#[inline]
pub fn reserve<T>(vec: &mut Vec<T>, more: usize) {
    if vec.capacity() - vec.len() < more {
        try_reserve(vec, more).unwrap_or_else(|refused| refuse(refused));
    }
}

/// `len` equal elements, for work within a [`guard`].
pub fn filled<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut filled = vec(len);
    filled.resize(len, value);
    filled
}

/// All that an iterator gives, which says how many these are, for work within a [`guard`].
pub fn collected<T>(from: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let mut all = vec(from.len());
    all.extend(from);
    all
}

/// Recycled memory of so many bytes, for work within a [`guard`].
pub fn buffer(len: usize) -> UniqueBuffer {
    UniqueBuffer::allocate(len).unwrap_or_else(|| refuse(Refused(len as u128)))
}

/// Leaves the work within a [`guard`].
#[cold]
pub fn refuse(refused: Refused) -> ! {
    resume_unwind(Box::new(refused))
}

/// So many bytes are not asked for beforehand: a process that has not got them cannot go on anyway.
const AT_HAND: u128 = 1 << 20;

/// Asks the system whether it has so many bytes, for a library that asks for memory without a way to
/// be told that there is none. Another thread may take it before the library does.
///
/// # Errors
/// [`Refused`] where there are none.
pub fn probe(bytes: u128) -> Result<(), Refused> {
    if bytes <= AT_HAND {
        return Ok(());
    }
    let len = usize::try_from(bytes).map_err(|_| Refused(bytes))?;
    try_vec::<u8>(len).map(|room| {
        // What is not looked at need not be asked for.
        std::hint::black_box(NonNull::from(room.as_slice()));
    })
}

/// What `work` gives, or the error where it was refused memory or [interrupted](crate::interrupt); other panics go on.
///
/// # Errors
/// [`ErrorKind::MemoryLimit`], [`ErrorKind::Interrupted`].
#[inline]
pub fn guard<R>(function: &'static str, work: impl FnOnce() -> R) -> Result<R> {
    let (mut work, mut result) = (Some(work), None);
    caught(function, &mut || result = work.take().map(|work| work()))?;
    Ok(result.expect("the work was done, or left with an error"))
}

/// As [`guard`], compiled once for all kinds of work.
fn caught(function: &'static str, work: &mut dyn FnMut()) -> Result<()> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => Ok(()),
        Err(payload) => match payload.downcast::<Refused>() {
            Ok(refused) => Err(refused.by(function)),
            Err(other) => match interrupt::left(&*other, function) {
                Some(interrupted) => Err(interrupted),
                None => resume_unwind(other),
            },
        },
    }
}
