//! Maps of indices.

use ivy_backend_jit::trace::{Affine, Map};
use ivy_core::{AxisSlice, Dims};

#[test]
fn maps_of_shapes() {
    let split = Map::reshape(&[24], &[4, 1, 6]).unwrap();
    assert_eq!(split.order(&[24]), Affine { offset: 0, steps: Dims::from_slice(&[6, 0, 1]) });
    assert!(Map::reshape(&[4, 6], &[24]).is_none() && Map::reshape(&[4, 6], &[8, 3]).is_none());
    let squeezed = Map::reshape(&[1, 4, 1, 6], &[4, 6]).unwrap();
    assert_eq!(squeezed.order(&[1, 4, 1, 6]), Affine { offset: 0, steps: Dims::from_slice(&[6, 1]) });
    assert!(Map::reshape(&[3, 0], &[0, 7]).is_some());
}

#[test]
fn maps_of_maps() {
    let flip =
        Map::slice(&[AxisSlice { start: 0, step: 1, len: 4 }, AxisSlice { start: 5, step: -1, len: 6 }]);
    // A transposed view of the flipped one: coordinates (i, j) are (j, 5 - i).
    let both = flip.after(&Map::permute(&[1, 0]));
    assert_eq!(both.order(&[4, 6]), Affine { offset: 5, steps: Dims::from_slice(&[-1, 6]) });
    let row = Map::broadcast(&[6], &[4, 6]);
    assert!(row.ignores(0) && !row.ignores(1));
    assert_eq!(row.after(&Map::same(2)), row);
}

#[test]
fn maps_that_lead_outside() {
    // Two elements before the first axis, one before the other, which is flipped then.
    let flip =
        Map::slice(&[AxisSlice { start: 0, step: 1, len: 6 }, AxisSlice { start: 7, step: -1, len: 8 }]);
    let map = flip.before([2, 1]);
    let ranges = [[6, 8], [0, 8], [6, 1]].map(|shape| [0, 1].map(|axis| map.rows()[axis].range(&shape)));
    assert_eq!(ranges[0], [Some((-2, 3)), Some((-1, 6))]);
    assert_eq!((ranges[1], ranges[2]), ([None; 2], [Some((-2, 3)), Some((6, 6))]));
}
