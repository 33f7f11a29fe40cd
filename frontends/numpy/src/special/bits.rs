//! Bits as elements, and back.

use super::help::{Out, at_least_one, axis_in, cut, flat, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, Flip, Sum};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::Call;

/// The array and the axis: all elements along one axis for `None`.
fn along(call: &Call<'_>, i: usize) -> Result<(Array, usize)> {
    let x = at_least_one(call.array(0)?)?;
    if call.value(i).is_none() {
        return Ok((flat(&x)?, 0));
    }
    let axis = axis_in(call, call.int(i)?, x.ndim())?;
    Ok((x, axis))
}

/// Whether the first bit of a byte is the least one.
fn is_little(call: &Call<'_>, i: usize) -> Result<bool> {
    match call.text(i)? {
        "big" => Ok(false),
        "little" => Ok(true),
        _ => Err(value_error(call, "bitorder", "'order' must be either 'little' or 'big'")),
    }
}

/// The values of the bits of a byte, in their order.
fn weights(of: &Array, little: bool) -> Result<Array> {
    let bits: Vec<u8> = (0..8).map(|i| if little { 1 << i } else { 128 >> i }).collect();
    super::help::beside(of, bits, [8])
}

/// `a axis bitorder`
pub fn packbits(call: &mut Call<'_>) -> Out {
    let (x, axis) = along(call, 1)?;
    if !x.dtype().is_int() && !x.dtype().is_bool() {
        return Err(type_error(call, "a", "Expected an input array of integer or boolean data type"));
    }
    let little = is_little(call, 2)?;
    let ones = f::moveaxis(f::astype(f::not_equal(&x, 0), Dtype::UINT8), axis as i64, -1)?;
    let length = ones.shape()[ones.ndim() - 1];
    let missing = (8 - length % 8) % 8;
    let mut shape = super::help::lengths(ones.shape());
    let last = shape.len() - 1;
    shape[last] = missing as i64;
    let rest = f::zeros(super::help::shape_of(call, &shape)?, f::Filled::new().dtype(Dtype::UINT8))?;
    let whole = f::concat([&ones, &rest], Concat::new().axis(-1))?;
    shape[last] = (length + missing) as i64 / 8;
    shape.push(8);
    let bytes = f::multiply(f::reshape(&whole, shape, ())?, weights(&x, little)?)?;
    let packed = f::sum(bytes, Sum::new().axis(-1).dtype(Dtype::UINT8))?;
    Ok(f::moveaxis(packed, -1, axis as i64)?.into())
}

/// `a axis count bitorder`
pub fn unpackbits(call: &mut Call<'_>) -> Out {
    let (x, axis) = along(call, 1)?;
    if x.dtype() != Dtype::UINT8 {
        return Err(type_error(call, "a", "Expected an input array of unsigned byte data type"));
    }
    let little = is_little(call, 3)?;
    let moved = f::moveaxis(&x, axis as i64, -1)?;
    let bytes = f::expand_dims(&moved, -1)?;
    let bits = f::astype(f::not_equal(f::bitwise_and(bytes, weights(&x, little)?), 0), Dtype::UINT8)?;
    let mut shape = super::help::lengths(moved.shape());
    let last = shape.len() - 1;
    shape[last] *= 8;
    let length = shape[last];
    let mut found = f::reshape(&bits, shape.clone(), ())?;
    if !call.value(2).is_none() {
        let count = call.int(2)?;
        let wanted = if count < 0 { (length + count).max(0) } else { count };
        if wanted > length {
            shape[last] = wanted - length;
            let rest = f::zeros(super::help::shape_of(call, &shape)?, f::Filled::new().dtype(Dtype::UINT8))?;
            found = f::concat([&found, &rest], Concat::new().axis(-1))?;
        } else {
            found = cut(&found, found.ndim() - 1, None, Some(wanted))?;
        }
    }
    Ok(f::moveaxis(found, -1, axis as i64)?.into())
}

/// The elements with their bytes in turned order.
pub(super) fn swapped(x: &Array) -> Result<Array> {
    let width = x.dtype().bytes();
    let bytes: Vec<u8> = {
        let host = f::copy_array(x)?.to_host()?;
        host.view().contiguous_bytes().map(<[u8]>::to_vec).unwrap_or_default()
    };
    // Complex numbers are two floats, each with its own bytes.
    let word = if x.dtype().is_complex() { width / 2 } else { width };
    let turned: Vec<u8> = bytes.chunks(word.max(1)).flat_map(|word| word.iter().rev().copied()).collect();
    let buffer = ivy_core::host::Buffer::from_vec(turned);
    let host = ivy_core::host::HostArray::new(buffer, x.dtype(), x.shape().clone())
        .ok_or_else(|| ivy_core::ErrorKind::no_memory("byteswap", 0))?;
    Array::from_host(x.backend(), host)
}

/// The array with its elements in turned order along an axis.
pub(super) fn flipped(x: &Array, axis: usize) -> Result<Array> {
    f::flip(x, Flip::new().axis(axis as i64))
}
