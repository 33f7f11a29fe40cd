//! Views that strides say: diagonals, windows, and strides that are given.

use super::help::{Out, axis_in, value_error};
use ivy_core::functional as f;
use ivy_core::{Array, Dims};
use ivy_frontend::views::{self, AffineAxis};
use ivy_frontend::{Call, View};

/// `diagonal(a, offset, axis1, axis2)`: a diagonal of two axes as the last one.
pub fn diagonal(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.ndim() < 2 {
        return Err(value_error(call, "a", "diag requires an array of at least two dimensions"));
    }
    let axes = [axis_in(call, call.int(2)?, x.ndim())?, axis_in(call, call.int(3)?, x.ndim())?];
    if axes[0] == axes[1] {
        return Err(value_error(call, "axis1", "axis1 and axis2 cannot be the same"));
    }
    Ok(views::diagonal(&x, call.int(1)?, axes)?.into())
}

/// `sliding_window_view(x, window_shape, axis, writeable)`: windows along axes, with their elements along new last ones.
pub fn sliding_window_view(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let sizes = call.ints(1)?.unwrap_or_default();
    if call.flag(3)? {
        return Err(value_error(call, "writeable", "windows overlap: they are views for reading only"));
    }
    let axes: Vec<usize> = match call.ints(2)? {
        None if sizes.len() != x.ndim() => {
            let rule = format!(
                "Since axis is None, must provide window_shape for all dimensions of `x`; got {} window_shape elements and `x.ndim` is {}.",
                sizes.len(),
                x.ndim()
            );
            return Err(value_error(call, "window_shape", rule));
        }
        None => (0..x.ndim()).collect(),
        Some(axes) => axes.iter().map(|&axis| axis_in(call, axis, x.ndim())).collect::<Result<_, _>>()?,
    };
    if axes.len() != sizes.len() {
        let rule = format!(
            "Must provide matching length window_shape and axis; got {} window_shape elements and {} axes elements.",
            sizes.len(),
            axes.len()
        );
        return Err(value_error(call, "axis", rule));
    }
    let mut found = x;
    for (axis, size) in axes.into_iter().zip(sizes) {
        let Ok(size) = usize::try_from(size) else {
            return Err(value_error(call, "window_shape", "`window_shape` cannot contain negative values"));
        };
        if size > found.shape()[axis] {
            let rule = "window shape cannot be larger than input array shape";
            return Err(value_error(call, "window_shape", rule));
        }
        found = views::windows(&found, axis, size, 1)?;
    }
    Ok(found.into())
}

/// `as_strided(x, shape, strides)`: elements at distances in bytes, from the first one on.
pub fn as_strided(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let width = x.dtype().bytes() as i64;
    let shape = call.ints(1)?.unwrap_or_else(|| x.shape().iter().map(|&n| n as i64).collect());
    let own = || {
        let view = views::tracked_view(&x).cloned().unwrap_or_else(|| View::whole(&x));
        view.strides().iter().map(|&stride| stride as i64 * width).collect()
    };
    let strides = call.ints(2)?.unwrap_or_else(own);
    if shape.len() != strides.len() {
        return Err(value_error(call, "strides", "strides must have the length of shape"));
    }
    let (mut axes, mut needed): (Vec<AffineAxis>, i64) = (Vec::new(), 1);
    for (&n, &stride) in shape.iter().zip(&strides) {
        let Ok(len) = usize::try_from(n) else {
            return Err(value_error(call, "shape", "negative dimensions are not allowed"));
        };
        if stride % width != 0 || stride < 0 {
            let rule = format!(
                "a stride of {stride} bytes: a multiple of {width}, which is not negative, is needed"
            );
            return Err(value_error(call, "strides", rule));
        }
        needed = needed.saturating_add(n.saturating_sub(1).saturating_mul(stride / width));
        axes.push((len, Dims::from_slice(&[(stride / width) as isize])));
    }
    if axes.iter().all(|(n, _)| *n > 0) && needed > x.size() as i64 {
        let rule = format!("{needed} elements are needed, the array has {}", x.size());
        return Err(value_error(call, "shape", rule));
    }
    let flat: Array = f::reshape(&x, [-1], ())?;
    if views::tracked_view(&x).is_some() && views::tracked_view(&flat).is_none() {
        let rule = "the elements of this view do not follow each other in memory: take the strides of the array that it is a view of";
        return Err(value_error(call, "x", rule));
    }
    Ok(views::affine(&flat, &[0], &axes)?.into())
}
