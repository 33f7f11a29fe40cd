//! Listings of dtypes.
use ivy_core::Device;
use ivy_core::functional::inspection::{Dtypes, dtypes};

#[test]
fn a_device_of_another_backend_is_refused() {
    let far: Device = "cuda:7".parse().expect("a device");
    assert!(matches!(
        dtypes(Dtypes::new().device(far)).map_err(|e| e.kind().name()),
        Err("InvalidArgument" | "BackendUnavailable" | "UnknownBackend")
    ));
    assert!(Dtypes::new().kind("floating").is_err());
}
