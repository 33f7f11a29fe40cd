//! Where a program is to have the same results.

/// Calls a function on some backends, and on those that are not always there: libtorch's, and the device
/// where `IVY_CUDA` names a driver, such as the stand-in's.
pub fn on_each(always: &[&str], f: impl Fn() -> ivy::Result<()>) {
    let mut places = always.to_vec();
    if cfg!(feature = "torch") {
        places.push("torch");
    }
    if ivy::backend::backend("jit:cuda").is_ok() {
        places.push("jit:cuda");
    }
    for place in places {
        ivy::with_backend(place, || f().unwrap_or_else(|error| panic!("{place}: {error}"))).unwrap();
    }
}
