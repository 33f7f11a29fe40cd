//! The training of the example, in small: `vmap`, `grad` and `jit` of one network.

use ivy_core::Index;
use ivy_frontend_jax::{jit, nn, random};

#[path = "../../examples/training/network.rs"]
mod network;
use network::{Digits, batched_predict, init_network_params, loss, predict, train, update};

#[test]
fn a_network_learns() {
    let digits = Digits::load().unwrap().rows(0, 320).unwrap();
    let outcome = train(&digits, 256, 64, 4).unwrap();
    assert!(outcome.losses.windows(2).all(|pair| pair[1] < pair[0]), "losses {:?} fall", outcome.losses);
    assert!(outcome.losses[3] < std::f64::consts::LN_10 / 10.0, "a guess costs a tenth of ln 10");
    assert!(outcome.right >= 24, "{} of {} are right", outcome.right, digits.count() - 256);
}

#[test]
fn transformations_agree() {
    let digits = Digits::load().unwrap().rows(0, 8).unwrap();
    let params = init_network_params(&[64, 16, 10], &random::key(1, ()).unwrap()).unwrap();
    let whole = batched_predict(&params, &digits.images).unwrap();
    for i in 0..digits.count() {
        let one = predict(&params, &digits.images.get([Index::Int(i as i64)]).unwrap()).unwrap();
        let row = whole.get([Index::Int(i as i64)]).unwrap();
        let pairs = one.to_vec::<f32>().unwrap().into_iter().zip(row.to_vec::<f32>().unwrap());
        assert!(
            pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5),
            "row {i} is the prediction of image {i}"
        );
    }
    let targets = nn::one_hot(&digits.labels, 10, ()).unwrap();
    let argument = (params.clone(), digits.images.clone(), targets.clone());
    let (value, next) = update(&argument).unwrap();
    let (compiled, same) = jit(update)(&argument).unwrap();
    assert_eq!(value.to_vec::<f32>().unwrap(), compiled.to_vec::<f32>().unwrap());
    for ((w, b), (v, c)) in next.iter().zip(&same) {
        assert_eq!(w.to_vec::<f32>().unwrap(), v.to_vec::<f32>().unwrap());
        assert_eq!(b.to_vec::<f32>().unwrap(), c.to_vec::<f32>().unwrap());
    }
    // The step goes down.
    let scalar = |x: &ivy_frontend_jax::Array| f64::from(x.to_vec::<f32>().unwrap()[0]);
    let after = loss(&next, &digits.images, &targets).unwrap();
    assert!(scalar(&after) < scalar(&value), "{} is below {}", scalar(&after), scalar(&value));
}
