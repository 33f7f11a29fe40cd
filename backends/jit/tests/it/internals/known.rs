//! The table of nodes by their hash.

use ivy_backend_jit::internals::{Known, NodeId};
use std::collections::HashMap;

/// Few hashes, near each other and at the table's end, so that most nodes are not in their places.
#[test]
fn nodes_are_found_until_they_are_taken_out() {
    let mut known = Known::with_room(4);
    let mut there: HashMap<NodeId, u32> = HashMap::new();
    let mut state = 1u32;
    for _ in 0..20_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (id, hash) = (state >> 26, (state >> 16 & 7).wrapping_sub(4));
        match there.remove(&id) {
            Some(hash) => known.remove(hash, id),
            None => {
                known.insert(hash, id);
                there.insert(id, hash);
            }
        }
        // What is not there is not taken out.
        known.remove(hash, 1000);
        assert_eq!(known.count, there.len());
        for id in 0..64 {
            let found = |hash| known.find(hash, |other| other == id);
            assert_eq!(there.get(&id).and_then(|&hash| found(hash)), there.get(&id).map(|_| id));
            assert_eq!(found(99), None);
        }
    }
}
