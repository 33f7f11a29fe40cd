//! Parts of the engine by themselves.

mod costs;
mod effect;
mod effects_of_kernels;
mod estimates;
mod find;
mod format;
mod intervals;
mod known;
mod lock;
mod maps;
mod notes;
mod packed;
mod queue;
mod settings;
mod stretches;
mod values;
mod varying;
