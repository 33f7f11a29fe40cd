//! The example's fit in small: on every backend of the program the losses are TensorFlow's.

use crate::gradient_tape::{apart, fit};
use ivy_core::backend::backends;
use ivy_core::{Result, with_backend};
use serde_json::Value as Json;

#[test]
fn a_curve_is_fitted_as_tensorflow_fits_it() -> Result<()> {
    let record: Json = serde_json::from_str(include_str!("losses.json")).expect("the record is JSON");
    let number = |name: &str| record[name].as_u64().expect("a number") as usize;
    let losses = record["losses"].as_array().expect("a list of numbers");
    let expected: Vec<f32> = losses.iter().map(|x| x.as_f64().expect("a number") as f32).collect();
    for backend in backends().iter().filter(|backend| backend.instance.is_ok()) {
        let own = with_backend(backend.name, || fit(number("units"), number("count"), number("steps")))??;
        assert_eq!(own.len(), expected.len(), "{}", backend.name);
        assert!(apart(&expected, &own) <= 1e-5, "{}: {own:?} is not {expected:?}", backend.name);
    }
    Ok(())
}
