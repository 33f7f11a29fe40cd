//! An image filter in NumPy's words, on every backend: `frontends/numpy/examples/filter`, with the backends of this crate.
//!
//! `numpy_filter [BACKEND ...] [--out FILE.png]`

use ivy as _;

#[path = "../frontends/numpy/examples/filter/main.rs"]
mod filter;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    filter::main()
}
