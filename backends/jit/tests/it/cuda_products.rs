//! Products on a device: every tile, every way to reach the operands, and parts give the bits of
//! the host's fused product.

use crate::common::device;

use device::device;
use ivy_backend_jit::codegen::ptx::{BLOCK, STEP, Tile, tiles};
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::runtime::cuda::{Chip, DeviceArray, Kept, Sizes, Uses, Way, product, way};
use ivy_backend_suite::{Near, difference};
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Dims, Dtype};

/// An operand: the same elements of the same memory for the host and for the device.
struct Operand {
    host: HostArray,
    there: DeviceArray,
}

/// How a matrix lies in memory.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// Rows, or columns, after each other, which begin at multiples of 16 bytes.
    Rows,
    Columns,
    /// The same with one element between.
    OddRows,
    OddColumns,
    /// Rows from the last to the first, with one element between the elements.
    Backwards,
    /// The same row again and again.
    Repeated,
}

const LAYOUTS: [Layout; 6] =
    [Layout::Rows, Layout::Columns, Layout::OddRows, Layout::OddColumns, Layout::Backwards, Layout::Repeated];

impl Operand {
    /// A stack of matrices, or one.
    fn new(dtype: Dtype, stack: &[usize], (rows, columns): (usize, usize), layout: Layout) -> Operand {
        let (even, odd) = (|n: usize| n.next_multiple_of(4), |n: usize| n / 2 * 2 + 1);
        let (steps, size) = match layout {
            Layout::Rows => ([even(columns), 1], rows * even(columns)),
            Layout::Columns => ([1, even(rows)], even(rows) * columns),
            Layout::OddRows => ([odd(columns), 1], rows * odd(columns)),
            Layout::OddColumns => ([1, odd(rows)], odd(rows) * columns),
            Layout::Backwards => ([2 * columns, 2], 2 * rows * columns),
            Layout::Repeated => ([0, 1], columns),
        };
        let mut steps = steps.map(|step| step as isize);
        let matrices: usize = stack.iter().product();
        let size = size.next_multiple_of(4).max(4);
        let mut offset = 0;
        if let Layout::Backwards = layout {
            offset = (rows.max(1) - 1) * 2 * columns;
            steps[0] = -steps[0];
        }
        let mut strides: Vec<isize> = steps.to_vec();
        let mut step = size as isize;
        for &length in stack.iter().rev() {
            strides.insert(0, step);
            step *= length as isize;
        }
        let shape: Vec<usize> = stack.iter().copied().chain([rows, columns]).collect();
        // Of one sign and of others, and zeros of both.
        let values = (0..matrices.max(1) * size).map(|i| match i % 31 {
            0 => -0.0,
            7 => 0.0,
            _ => ((i * 7919 % 1009) as f64 - 504.0) / 811.0,
        });
        let bytes: Vec<u8> = match dtype {
            Dtype::FLOAT32 => values.flat_map(|x| (x as f32).to_ne_bytes()).collect(),
            _ => values.flat_map(f64::to_ne_bytes).collect(),
        };
        let buffer = Buffer::copy_from(&bytes).unwrap();
        let count = bytes.len() / dtype.bytes();
        let flat =
            HostArray::from_parts(buffer.clone(), dtype, [count].into(), Dims::from_slice(&[1]), 0).unwrap();
        let memory = DeviceArray::upload(&device(), &flat).unwrap().memory().clone();
        let strides = Dims::from_slice(&strides);
        Operand {
            host: HostArray::from_parts(buffer, dtype, shape[..].into(), strides.clone(), offset).unwrap(),
            there: DeviceArray::from_parts(memory, dtype, shape[..].into(), strides, offset).unwrap(),
        }
    }
}

/// Compares a product by some ways with the host's.
fn check(kept: &Kept, a: &Operand, b: &Operand, ways: &[Way], what: &str) {
    let want = ivy_kernels::matmul::matmul(a.host.view(), b.host.view()).unwrap();
    for &way in ways {
        let got = product(&Uses::of(kept), &a.there, &b.there, Some(way)).unwrap().download().unwrap();
        if let Some(difference) = difference(&got, &want, Near::Same) {
            panic!("{what} {way:?}: {difference}");
        }
    }
}

const TYPES: [(Dtype, Type); 2] = [(Dtype::FLOAT32, Type::F32), (Dtype::FLOAT64, Type::F64)];

/// Every tile, with tensor cores and without.
fn all(ty: Type) -> Vec<Tile> {
    let mut all = tiles(ty, false).to_vec();
    all.extend(tiles(ty, true).iter().filter(|tile| tile.tensor));
    all
}

fn both(tile: Tile) -> [Way; 2] {
    [false, true].map(|parts| Way { tile: Some(tile), parts })
}

#[test]
fn edges_of_tiles_in_every_layout() {
    let kept = Kept::new(device());
    for (dtype, ty) in TYPES {
        for tile in all(ty) {
            let [rows, columns] = tile.sides(ty);
            // Every pair of layouts, with sizes that take turns.
            for (i, left) in LAYOUTS.into_iter().enumerate() {
                for (j, right) in LAYOUTS.into_iter().enumerate() {
                    let m = [rows, rows - 1, rows + 1, 1, rows - 4, 3][(i + j) % 6];
                    let n = [columns + 4, columns, columns - 1, columns + 1, 2, 1][(i + 2 * j) % 6];
                    let k = [STEP, 1, STEP + 1, 2 * STEP - 1, 2 * STEP + 4, STEP - 1, 3][(2 * i + j) % 7];
                    let (a, b) =
                        (Operand::new(dtype, &[], (m, k), left), Operand::new(dtype, &[], (k, n), right));
                    check(
                        &kept,
                        &a,
                        &b,
                        &[both(tile)[0]],
                        &format!("{dtype} {m} {k} {n} {left:?} {right:?}"),
                    );
                }
            }
        }
    }
}

#[test]
fn blocks_along_k_and_parts() {
    let kept = Kept::new(device());
    for (dtype, ty) in TYPES {
        for tile in all(ty) {
            let [rows, columns] = tile.sides(ty);
            // The larger the tile, the fewer the lengths: the stand-in is slow.
            let lengths: &[usize] = match rows * columns {
                0..=1024 => &[0, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 5, 3 * BLOCK + 9],
                _ => &[0, BLOCK, 2 * BLOCK + 5],
            };
            for &k in lengths {
                let (m, n) = (rows / 2 + 1, columns / 2 + 3);
                for (left, right) in [(Layout::Rows, Layout::Rows), (Layout::OddColumns, Layout::Columns)] {
                    let (a, b) =
                        (Operand::new(dtype, &[], (m, k), left), Operand::new(dtype, &[], (k, n), right));
                    check(&kept, &a, &b, &both(tile), &format!("{dtype} {m} {k} {n}"));
                }
            }
        }
    }
}

#[test]
fn stacks() {
    let kept = Kept::new(device());
    for (dtype, ty) in TYPES {
        let tile = *all(ty).last().unwrap();
        let ways = [both(tile)[0], both(tile)[1], Way::PLAIN];
        for (left, right) in [(&[2, 3][..], &[2, 3][..]), (&[2, 1], &[3]), (&[3], &[2, 1]), (&[], &[2])] {
            for layout in LAYOUTS {
                let (a, b) = (
                    Operand::new(dtype, left, (9, 300), layout),
                    Operand::new(dtype, right, (300, 20), layout),
                );
                check(&kept, &a, &b, &ways, &format!("{dtype} {left:?} {right:?} {layout:?}"));
            }
        }
    }
}

#[test]
fn ways() {
    for (ty, tensor) in [(Type::F32, true), (Type::F64, true), (Type::F64, false)] {
        let of = |matrices, m, n, k| {
            let found = way(ty, Sizes { matrices, m, n, k }, Chip { processors: 132, tensor });
            let tile = found.tile.unwrap();
            assert_eq!(tile.tensor, tensor && ty == Type::F64);
            (tile.sides(ty), found.parts)
        };
        let ([rows, columns], parts) = of(1, 4096, 4096, 4096);
        assert!(rows * columns >= 128 * 64 && !parts);
        // Many small matrices get small tiles, and few tiles with a long way parts.
        let [rows, columns] = of(4096, 32, 32, 32).0;
        assert!(rows <= 32 && columns <= 64);
        assert!(of(1, 128, 128, 1 << 16).1);
        assert!(!of(1, 128, 128, BLOCK).1);
        // Whose memory is in proportion.
        assert!(!of(1, 1 << 15, 1 << 15, 1 << 20).1);
    }
}
