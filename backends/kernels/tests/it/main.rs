//! The tests, one program: the kernels are not compiled once more for them.

mod conv;
mod elementwise;
mod exchange;
mod fft;
mod linalg;
mod matmul;
mod movement;
mod parallel;
mod partition;
mod random;
mod reduce;
mod saturate;
mod scan;
mod search;
mod small_floats;
mod sort;
mod sort_keys;
mod support;
