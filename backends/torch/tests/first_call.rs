//! The first call of a process opens libtorch, and keeps the call's arguments: one test, so that it is the first.
#![cfg(feature = "libtorch")]

use ivy_backend_torch::tch::Scalar;

#[test]
fn a_float_goes_through_the_first_call() {
    assert_eq!(f64::from(Scalar::from(-2.5)), -2.5);
}
