//! The shapes of tiles.

use crate::ir::Type;

/// Length of a strip along `k`, of which a thread copies a vector at least.
pub const STEP: usize = 8;
/// Bytes of a vector.
pub(super) const VECTOR: usize = 16;
/// Rows and columns of a warp's threads, where each multiplies by itself.
pub(super) const WARP: [u32; 2] = [4, 8];
/// Rows and columns of what a warp's tensor cores multiply, twice as many rows at once, and places along `k`.
pub(super) const FRAGMENT: usize = 8;
pub(super) const DEEP: usize = 4;

/// A tile of the result, which a block of threads computes. Each thread has some rows and columns of
/// it, in groups of neighbours that are as far apart as all threads' groups take, so that threads
/// that read together read side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Rows and columns of a thread, in elements.
    pub each: [u32; 2],
    /// Warps along the rows and along the columns.
    pub warps: [u32; 2],
    /// Blocks that a multiprocessor is to hold at once, by which registers are given out.
    pub resident: u32,
    /// Warps multiply by their tensor cores: float64 only.
    pub tensor: bool,
    /// Strips that are on their way while one is multiplied, 1 or 2: far memory takes as long as a strip, and what
    /// has come has registers.
    pub ahead: usize,
    /// What it was seen to reach of a multiprocessor's rate without tensor cores, in percent, with more
    /// warps than there can be.
    pub rate: u32,
}

/// The tiles for a type, on a device with or without tensor cores for it, the largest first.
pub fn tiles(ty: Type, tensor: bool) -> &'static [Tile] {
    match (ty, tensor) {
        (Type::F64, true) => &TENSOR,
        (Type::F64, false) => &DOUBLE,
        _ => &SINGLE,
    }
}

const fn tile(each: [u32; 2], warps: [u32; 2], resident: u32, rate: u32) -> Tile {
    Tile { each, warps, resident, tensor: false, ahead: 1, rate }
}

const SINGLE: [Tile; 4] = [
    tile([8, 8], [4, 2], 2, 100),
    tile([8, 8], [2, 1], 8, 97),
    tile([4, 8], [2, 1], 8, 84),
    tile([4, 4], [1, 1], 16, 58),
];

const DOUBLE: [Tile; 3] =
    [tile([8, 8], [4, 2], 1, 100), tile([8, 8], [2, 1], 4, 98), tile([4, 4], [1, 1], 16, 63)];

const TENSOR: [Tile; 5] = [
    Tile { tensor: true, ahead: 2, ..tile([4, 16], [4, 2], 1, 240) },
    Tile { tensor: true, ..tile([4, 8], [4, 2], 2, 180) },
    Tile { tensor: true, ..tile([4, 8], [2, 2], 4, 180) },
    Tile { tensor: true, ..tile([2, 8], [2, 1], 8, 170) },
    Tile { tensor: true, ..tile([2, 8], [1, 1], 16, 150) },
];

impl Tile {
    /// Threads of a block.
    pub fn threads(self) -> u32 {
        self.warps[0] * self.warps[1] * 32
    }

    /// Elements of a group.
    pub(super) fn group(self, axis: usize, ty: Type) -> usize {
        if self.tensor { 1 + axis } else { VECTOR / ty.bytes() }
    }

    /// Elements from a thread's group to the next.
    pub(super) fn apart(self, axis: usize, ty: Type) -> usize {
        let warps = self.warps[axis] as usize;
        warps * if self.tensor { FRAGMENT } else { WARP[axis] as usize * self.group(axis, ty) }
    }

    /// Rows, and columns.
    pub fn sides(self, ty: Type) -> [usize; 2] {
        [0, 1].map(|axis| self.each[axis] as usize / self.group(axis, ty) * self.apart(axis, ty))
    }
}
