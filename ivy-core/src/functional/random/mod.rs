//! Random numbers: pure functions of a key and a counter, by Philox4x32-10 (decision S37).
//!
//! Every function takes the keyword argument `seed`: a number, or `&mut` a [`Generator`], whose next draw it is.
//! Without it the generator of the context has the next draw ([`seed`]). The bits of a draw are the same on every
//! backend, and so are uniform numbers and integers, between which and the bits there are exact operations only.

pub(super) mod bits;
mod choice;
mod discrete;
mod gamma;
mod generator;
mod integers;
mod normal;
mod orthogonal;
mod poisson;
mod truncated;
mod uniform;

pub use bits::{RandomBits, random_bits};
pub use choice::{Choice, choice};
pub use discrete::{Bernoulli, Multinomial, bernoulli, multinomial};
pub use gamma::{Dirichlet, GammaParams, beta, dirichlet, exponential, gamma};
pub use generator::{Generator, Seed, generator_state, seed};
pub use integers::{Permutation, RandInt, Shuffle, permutation, randint, shuffle};
pub use normal::{RandomNormal, random_normal};
pub use orthogonal::{Orthogonal, orthogonal};
pub use poisson::{Poisson, poisson};
pub use truncated::truncated_normal;
pub use uniform::{RandomUniform, random_uniform};
