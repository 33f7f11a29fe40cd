//! General functions and devices, by hand.

use ivy::context::{self, DefaultDevice};
use ivy::prelude::*;
use ivy::{Device, InplaceUpdate, NestedList, Result, Scalar};

fn refused<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => panic!("this call has to fail"),
        Err(error) => error.kind().name(),
    }
}

#[test]
fn lists_have_a_level_for_each_axis() -> Result<()> {
    let x = ivy::permute_dims(&ivy::reshape(ivy::arange(6, ())?, [1, 2, 3], ())?, [2, 0, 1])?;
    assert_eq!(ivy::to_list(&x)?.to_string(), "[[[0, 3]], [[1, 4]], [[2, 5]]]");
    assert_eq!(ivy::to_list(&ivy::zeros([2, 0, 3], ())?)?.to_string(), "[[], []]");
    let flags = ivy::to_list(&Array::try_from([true, false])?)?;
    let of = |b: bool| NestedList::Scalar(Scalar::Bool(b));
    assert_eq!(flags, NestedList::List(vec![of(true), of(false)]));
    assert_eq!(ivy::to_list(7)?, NestedList::Scalar(Scalar::Int(7)));
    Ok(())
}

#[test]
fn what_is_asked_of_arrays_and_scalars() -> Result<()> {
    let x = ivy::ones([2, 1], Dtype::UINT8)?;
    assert!(ivy::is_array(&x) && ivy::is_array(&x + 1) && ivy::is_array(ivy::abs(&x)));
    assert!(!ivy::is_array(1) && !ivy::is_array(None::<Array>) && !ivy::is_array(ivy::abs(true)));
    assert_eq!(ivy::shape(&x)?[..], [2, 1]);
    assert_eq!(refused(ivy::shape(None::<Array>)), "InvalidArgument");
    assert_eq!(refused(ivy::to_scalar(&x)), "ShapeMismatch");
    assert_eq!(ivy::to_scalar(2.5)?, Scalar::Float(2.5));
    Ok(())
}

#[test]
fn an_update_leaves_the_array_as_it_was() -> Result<()> {
    let x = Array::try_from([[1i16, 2], [3, 4]])?;
    let row = Array::try_from([5.9f64, -6.9])?;
    let new = ivy::inplace_update(&x, &row, ())?;
    assert_eq!((new.dtype(), new.to_vec::<f64>()?), (Dtype::FLOAT64, vec![5.9, -6.9, 5.9, -6.9]));
    let kept = ivy::inplace_update(&x, &row, InplaceUpdate::new().keep_input_dtype())?;
    assert_eq!(kept.to_vec::<i16>()?, [5, -6, 5, -6]);
    assert_eq!(ivy::inplace_update(&x, 7, ())?.to_vec::<i16>()?, [7; 4]);
    assert_eq!(ivy::inplace_update(&ivy::zeros((), ())?, 7, ())?.item::<f32>()?, 7.0);
    assert_eq!(x.to_vec::<i16>()?, [1, 2, 3, 4]);
    assert_eq!(refused(ivy::inplace_update(&x, ivy::zeros([3], ())?, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::inplace_update(&x, ivy::zeros([1, 2, 2], ())?, ())), "ShapeMismatch");
    assert_eq!(refused(ivy::inplace_update(&x, 0.5, ())), "CastRefused");
    assert_eq!(refused(ivy::inplace_update(&x, None::<Array>, ())), "InvalidArgument");
    Ok(())
}

#[test]
fn a_default_device_is_an_instance_of_the_current_backend() -> Result<()> {
    context::set_backend("ndarray")?;
    let backend = context::current_backend()?;
    ivy::set_default_device("cpu")?;
    assert_eq!(context::current_backend()?, backend);
    assert_eq!(refused(ivy::set_default_device("cuda:0")), "BackendUnavailable");
    assert_eq!(refused(ivy::set_default_device("disk")), "InvalidArgument");
    assert_eq!(refused(DefaultDevice::new("metal")), "BackendUnavailable");
    assert_eq!(refused(ivy::as_native_dev("cuda:0")), "BackendUnavailable");
    ivy::unset_default_device();
    ivy::unset_default_device();
    assert_eq!(context::current_backend()?, backend, "what `set_backend` set is left");
    assert_eq!(ivy::default_device(None::<Device>, ())?, Device::CPU);
    assert_eq!(refused(ivy::default_device("disk", ())), "InvalidArgument");
    assert_eq!(ivy::as_ivy_dev(&backend)?, Device::CPU);
    assert_eq!(ivy::as_ivy_dev(&ivy::as_native_dev("cpu")?)?, Device::CPU);
    assert_eq!(ivy::dev(&ivy::zeros([1], ())?), Device::CPU);
    Ok(())
}
