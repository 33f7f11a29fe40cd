//! Files: what is written is read again, and what is no such file is an error.

use ivy::nn::{self, Activation, Linear, Sequential};
use ivy::prelude::*;
use ivy::{ErrorKind, Generator};

fn model(seed: u64) -> Sequential {
    let mut generator = Generator::new(seed);
    Sequential::new([
        Linear::new(3, 4, &mut generator).unwrap().into(),
        Activation::Tanh.into(),
        Linear::new(4, 2, &mut generator).unwrap().into(),
    ])
}

#[test]
fn every_dtype_comes_back() {
    for dtype in Dtype::all().filter(|d| *d != Dtype::COMPLEX128) {
        let x = ivy::astype(Array::try_from([[0i32, 1], [1, 1]]).unwrap(), dtype).unwrap();
        let value = vec![x.clone(), ivy::matrix_transpose(&x).unwrap()];
        let bytes = nn::to_bytes(&value).unwrap();
        let blank = vec![ivy::zeros_like(&x, ()).unwrap(), ivy::zeros_like(&x, ()).unwrap()];
        for (found, wanted) in nn::from_bytes(&blank, &bytes).unwrap().iter().zip(&value) {
            assert_eq!(found.dtype(), dtype);
            assert!(
                ivy::all(ivy::equal(found, wanted).unwrap(), ()).unwrap().item::<bool>().unwrap(),
                "{dtype}"
            );
        }
    }
    let wide = ivy::zeros(2, Dtype::COMPLEX128).unwrap();
    assert!(nn::to_bytes(&wide).unwrap_err().to_string().contains("complex128"));
}

#[test]
fn names_are_paths() {
    let bytes = nn::to_bytes(&model(0)).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for name in ["layers.0.0.weight", "layers.0.0.bias", "layers.2.0.weight", "layers.2.0.bias"] {
        assert!(text.contains(&format!("\"{name}\"")), "{text}");
    }
}

#[test]
fn what_does_not_fit_is_refused_and_loads_nothing() {
    let (own, other) = (model(0), model(1));
    let bytes = nn::to_bytes(&other).unwrap();
    let loaded = nn::from_bytes(&own, &bytes).unwrap();
    let weights = |m: &Sequential| ivy::Tree::arrays(m).unwrap()[0].to_vec::<f32>().unwrap();
    assert_eq!(weights(&loaded), weights(&other));
    // Cut anywhere, or with bytes of another kind, it is an error.
    for end in (0..bytes.len()).step_by(7) {
        assert!(nn::from_bytes(&own, &bytes[..end]).is_err(), "{end}");
    }
    for at in 0..8 {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        assert!(nn::from_bytes(&own, &wrong).is_err(), "{at}");
    }
    let mut generator = Generator::new(0);
    let narrow = Sequential::new([Linear::new(3, 4, &mut generator).unwrap().into()]);
    let extra = nn::from_bytes(&narrow, &bytes).unwrap_err();
    assert!(extra.to_string().contains("the value has no such array"), "{extra}");
    let missing = nn::from_bytes(&own, &nn::to_bytes(&narrow).unwrap()).unwrap_err();
    assert!(missing.to_string().contains("the file has no such entry"), "{missing}");
    let turned = Linear { weight: ivy::zeros([4, 3], ()).unwrap(), bias: None };
    let shape = nn::from_bytes(
        &Linear { weight: ivy::zeros([3, 4], ()).unwrap(), bias: None },
        &nn::to_bytes(&turned).unwrap(),
    );
    assert!(matches!(shape.unwrap_err().kind(), ErrorKind::ShapeMismatch { .. }));
    let wide = Linear { weight: ivy::zeros([4, 3], Dtype::FLOAT64).unwrap(), bias: None };
    assert!(
        nn::from_bytes(&wide, &nn::to_bytes(&turned).unwrap()).unwrap_err().to_string().contains("dtype")
    );
    let gone = nn::load(&own, "no/such/file.safetensors").unwrap_err();
    assert!(matches!(gone.kind(), ErrorKind::Io { .. }));
    // A bool that is neither.
    let flags = Array::try_from([true, false]).unwrap();
    let mut wrong = nn::to_bytes(&flags).unwrap();
    *wrong.last_mut().unwrap() = 7;
    assert!(nn::from_bytes(&flags, &wrong).unwrap_err().to_string().contains("neither 0 nor 1"));
}
