//! The tests, one program: the truths are not compiled once more for them.

mod drive;
mod truth;
