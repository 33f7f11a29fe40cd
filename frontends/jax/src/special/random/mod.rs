//! Random numbers as functions of keys.
//!
//! A key is two 32-bit words, the high one first, as `jax.random.PRNGKey` gives them. The words of a draw are those of
//! Philox4x32-10 under the key ([`random_bits`](ivy_core::functional::random_bits)); JAX's own are Threefry's, so the
//! values of a seed differ, and not their distribution. What is drawn is an operation on the key's array: a compiled
//! function draws anew of each key that it is given, and keys can be mapped over.

mod discrete;
mod keys;
mod real;

pub(crate) use discrete::*;
pub(crate) use keys::{fold_in, key, key_data, split_keys};
pub(crate) use real::*;
