//! Handles of backends behind one type.

use ivy_core::backend::Data;
use std::sync::Arc;

#[test]
fn a_handle_is_found_by_its_type_only_and_counted() {
    let own = Arc::new(7u64);
    let mut data = Data::new(own.clone());
    let copy = data.clone();
    assert_eq!(Arc::strong_count(&own), 3);
    assert_eq!(**copy.get::<Arc<u64>>().unwrap(), 7);
    assert!(copy.get::<Arc<i64>>().is_none() && copy.get::<u64>().is_none());
    drop(copy);
    *data.get_mut::<Arc<u64>>().unwrap() = Arc::new(8);
    assert_eq!(Arc::strong_count(&own), 1);
    assert_eq!(**data.get::<Arc<u64>>().unwrap(), 8);
    assert!(data.get_mut::<Arc<u32>>().is_none());
}

#[test]
fn small_handles_need_no_word() {
    assert!(Data::new(()).get::<()>().is_some());
    assert_eq!(Data::new(3u8).clone().get::<u8>(), Some(&3));
    assert_eq!(format!("{:?}", Data::new(3u8)), "Data(u8)");
}
