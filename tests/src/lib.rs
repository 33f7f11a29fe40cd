//! What the tests that need all backends share.

pub mod counted;
pub mod engines;
pub mod places;
