//! Which tiles compute a product.

use super::device::Device;
use crate::codegen::ptx::{BLOCK, Tile, tiles};
use crate::ir::Type;

/// How a product is computed. It changes no bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// In tiles; else a thread computes an element.
    pub tile: Option<Tile>,
    /// Blocks along `k` are computed side by side, and then put together.
    pub parts: bool,
}

impl Way {
    /// A thread computes an element.
    pub const PLAIN: Way = Way { tile: None, parts: false };
}

/// The lengths of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// How many matrices there are.
    pub matrices: usize,
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// What is summed over.
    pub k: usize,
}

impl Sizes {
    /// Blocks along `k`.
    pub fn blocks(self) -> usize {
        self.k.div_ceil(BLOCK).max(1)
    }

    /// The memory of parts stays in proportion to what is read.
    fn may_have_parts(self) -> bool {
        let read = (self.m + self.n) as f64 * self.k as f64;
        let parts = self.m as f64 * self.n as f64 * self.blocks() as f64;
        self.blocks() > 1 && parts <= (4.0 * read).max(PARTS)
    }
}

/// Elements that parts may always have.
const PARTS: f64 = 1e7;
/// Cycles that a multiprocessor's tiles take together before and after their strips.
const BEGIN: f64 = 7000.0;
/// Cycles that a second launch takes.
const LAUNCH: f64 = 3000.0;
/// Bytes that a multiprocessor reads or writes in a cycle where all do.
const BYTES: f64 = 12.0;
/// With so many warps, divided by an element's bytes, a multiprocessor comes to half of its rate.
const WARPS: f64 = 16.0;

/// What tiles are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Multiprocessors.
    pub processors: usize,
    /// Tensor cores multiply float64 in the order that is promised.
    pub tensor: bool,
}

impl Chip {
    /// Of a device. Nothing documents the order in which tensor cores add: capabilities are here that it
    /// was measured on, which is upwards along `k` with fused multiply-add.
    pub fn of(device: &Device) -> Chip {
        Chip { processors: device.processors as usize, tensor: device.capability == (9, 0) }
    }
}

/// What a product costs, in cycles, about.
fn cost(ty: Type, sizes: Sizes, tile: Tile, parts: bool, processors: usize) -> f64 {
    let (width, processors) = (ty.bytes() as f64, processors as f64);
    let [rows, columns] = tile.sides(ty);
    let blocks = if parts { sizes.blocks() } else { 1 };
    let units = sizes.matrices * sizes.m.div_ceil(rows) * sizes.n.div_ceil(columns) * blocks;
    let depth = if parts { BLOCK } else { sizes.k };
    // Waves: how many tiles a multiprocessor has one after the other, and how many warps at a time.
    let waves = (units as f64 / processors).ceil();
    let warps = waves.min(f64::from(tile.resident)) * f64::from(tile.threads() / 32);
    // Pairs that it multiplies in a cycle.
    let rate = 512.0 / width * f64::from(tile.rate) / 100.0 * warps / (warps + WARPS / width);
    let own = (rows * columns * depth) as f64 / rate + BEGIN / f64::from(tile.resident);
    let elements = (sizes.matrices * sizes.m * sizes.n) as f64;
    // Parts are written and read.
    let moved = elements * width * (2 * blocks + 1) as f64 / (BYTES * processors);
    waves * own + if parts { moved + LAUNCH } else { 0.0 }
}

/// The way that takes the least time by that estimate.
pub fn way(ty: Type, sizes: Sizes, chip: Chip) -> Way {
    let mut best = (f64::INFINITY, Way::PLAIN);
    for parts in [false, true] {
        for &tile in tiles(ty, chip.tensor).iter().filter(|_| !parts || sizes.may_have_parts()) {
            let cost = cost(ty, sizes, tile, parts, chip.processors);
            if cost < best.0 {
                best = (cost, Way { tile: Some(tile), parts });
            }
        }
    }
    best.1
}
