//! Truths of calls, checked by hand and against recorded values.

mod blocks;
mod dense;
mod elementwise;
mod exchange;
mod made;
mod num;
mod rearrange;
mod sampling;
mod scatter;
mod shuffle;
mod updates;
