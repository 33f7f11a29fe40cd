//! Notes of the schedule.

use ivy_backend_jit::internals::{NONE, Notes};

#[test]
fn steps_are_found_under_each_map_until_they_are_forgotten() {
    let mut notes = Notes::default();
    notes.begin(3);
    assert_eq!(notes.step((1, 0)), None);
    for at in 0..3 {
        notes.set_step((1, at), 10 + at);
    }
    assert_eq!([0, 1, 2, 3].map(|at| notes.step((1, at))), [Some(10), Some(11), Some(12), None]);
    notes.forget((1, 0));
    assert_eq!([0, 1, 2].map(|at| notes.step((1, at))), [None, Some(11), Some(12)]);
    notes.forget((1, 2));
    notes.forget((1, 1));
    assert_eq!([0, 1, 2].map(|at| notes.step((1, at))), [None; 3]);
    notes.set_step((2, 5), 7);
    notes.of(2).input = 4;
    notes.begin(9);
    assert_eq!((notes.step((2, 5)), notes.of(2).input), (None, NONE));
    assert_eq!(notes.step((8, 0)), None);
}
