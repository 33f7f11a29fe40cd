//! Dtypes that PyTorch's functions do not take: refused by the rows, and no hindrance to those that are taken.

use ivy_core::{Array, Result};
use ivy_frontend_torch::{Methods, TORCH, Tensor, kw, nn::functional as F};
use num_complex::Complex32;

/// Whether a function of one tensor goes the short way, without the evaluation of its row.
fn is_short(path: &str, x: &Array) -> Result<bool> {
    Ok(TORCH.call_arrays(TORCH.find(path)?, [x]).is_some())
}

#[test]
fn integers_have_no_activation() -> Result<()> {
    let (floats, integers) = (Tensor::new([1.5, -2.0])?, Tensor::new([1, -2])?);
    assert_eq!(F::relu(&integers, ())?.to_vec::<i64>()?, [1, 0]);
    assert_eq!(F::relu(&floats, ())?.to_vec::<f32>()?, [1.5, 0.0]);
    let error = F::silu(&integers, ()).unwrap_err();
    assert_eq!(ivy_frontend::error_class("torch", error.kind()), "NotImplementedError");
    assert!(error.to_string().contains("torch.nn.functional.silu: real floats are needed"), "{error}");
    Ok(())
}

#[test]
fn dtypes_that_are_taken_go_the_short_way() -> Result<()> {
    let floats = Array::from_vec(vec![1.5f32, -2.0], [2])?;
    let integers = Array::from_vec(vec![1i64, -2], [2])?;
    let complex = Array::from_vec(vec![Complex32::new(1.0, 2.0)], [1])?;
    for path in ["nn.functional.silu", "nn.functional.gelu", "nn.functional.leaky_relu", "selu"] {
        assert!(is_short(path, &floats)?, "{path}");
        assert!(!is_short(path, &integers)? && !is_short(path, &complex)?, "{path}");
    }
    assert!(is_short("relu", &floats)? && is_short("relu", &integers)? && !is_short("relu", &complex)?);
    assert!(is_short("exp", &floats)? && is_short("exp", &integers)? && is_short("exp", &complex)?);
    Ok(())
}

#[test]
fn activations_in_place_write_what_the_others_give() -> Result<()> {
    type InPlace = fn(&mut Tensor) -> Result<()>;
    type Plain = fn(&Tensor) -> Result<Tensor>;
    let all: [(InPlace, Plain); 7] = [
        (|x| F::relu_(x, ()), |x| F::relu(x, ())),
        (|x| F::hardtanh_(x, ()), |x| F::hardtanh(x, ())),
        (|x| F::elu_(x, ()), |x| F::elu(x, ())),
        (|x| F::selu_(x, ()), |x| F::selu(x, ())),
        (|x| F::celu_(x, ()), |x| F::celu(x, ())),
        (|x| F::leaky_relu_(x, ()), |x| F::leaky_relu(x, ())),
        (|x| F::threshold_(x, 0.5, 3.0, ()), |x| F::threshold(x, 0.5, 3.0, ())),
    ];
    for (in_place, plain) in all {
        let mut x = Tensor::new([1.5, -2.0, 0.25])?;
        let wanted = plain(&x)?.to_vec::<f32>()?;
        in_place(&mut x)?;
        assert_eq!(x.to_vec::<f32>()?, wanted);
    }
    let mut x = Tensor::new([2.0, 3.0])?;
    x.true_divide_(4, ())?;
    assert_eq!(x.to_vec::<f32>()?, [0.5, 0.75]);
    assert!(Tensor::new([1, 2])?.true_divide_(2, ()).is_err());
    let image = Tensor::new([[[[0.0, 1.0]]]])?;
    let near = F::upsample_nearest(&image, kw! { scale_factor: 2 })?;
    assert_eq!(near.to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    let lines = F::upsample_bilinear(&image, kw! { size: (1, 3) })?;
    assert_eq!(lines.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    Ok(())
}
