//! Shapes, and the checked arithmetic on them.

use crate::{Dtype, ErrorKind, Result};
use smallvec::SmallVec;
use std::{fmt, ops::Deref};

/// A small list of axis lengths, axis numbers or the like, inline up to four entries.
pub type Dims<T = usize> = SmallVec<[T; 4]>;

/// The lengths of an array's axes, outermost first; empty for a zero-dimensional array.
///
/// ```
/// let shape = ivy_core::Shape::from([2, 3]);
/// assert_eq!((shape.len(), shape.size(), shape.to_string()), (2, 6, "(2, 3)".to_string()));
/// ```
#[derive(PartialEq, Eq, Hash, Default)]
pub struct Shape(Dims);

impl Clone for Shape {
    // By a copy of the words; the derived form goes element by element, on every call.
    #[inline]
    fn clone(&self) -> Shape {
        Shape(SmallVec::from_slice(&self.0))
    }
}

impl Shape {
    /// The product of the lengths. Arrays that exist have a product that fits.
    pub fn size(&self) -> usize {
        self.0.iter().fold(1, |n, &d| n.saturating_mul(d))
    }

    /// The size, checked: elements and bytes must fit in `isize`.
    ///
    /// # Errors
    /// [`ErrorKind::SizeOverflow`].
    pub fn checked_size(&self, function: &'static str, dtype: Dtype) -> Result<usize> {
        if self.0.contains(&0) {
            return Ok(0);
        }
        let size = self.0.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
        size.filter(|n| n.checked_mul(dtype.bytes()).is_some_and(|b| b <= isize::MAX as usize)).ok_or_else(
            || ErrorKind::SizeOverflow { function, shape: self.clone(), dtype: Some(dtype) }.into(),
        )
    }
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Shape {
        Shape(SmallVec::from_slice(dims))
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(dims: [usize; N]) -> Shape {
        Shape::from(dims.as_slice())
    }
}

impl From<Vec<usize>> for Shape {
    fn from(dims: Vec<usize>) -> Shape {
        Shape(SmallVec::from_vec(dims))
    }
}

impl From<Dims> for Shape {
    fn from(dims: Dims) -> Shape {
        Shape(dims)
    }
}

impl From<usize> for Shape {
    fn from(length: usize) -> Shape {
        Shape::from([length])
    }
}

impl From<&Shape> for Shape {
    fn from(shape: &Shape) -> Shape {
        shape.clone()
    }
}

impl From<()> for Shape {
    fn from((): ()) -> Shape {
        Shape::default()
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<I: IntoIterator<Item = usize>>(dims: I) -> Shape {
        Shape(dims.into_iter().collect())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, d) in self.0.iter().enumerate() {
            write!(f, "{}{d}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The shape that all the given shapes broadcast to, by the Array API's rule.
///
/// # Errors
/// [`ErrorKind::BroadcastShapes`] with all the shapes, if they do not broadcast.
pub fn broadcast<S: AsRef<[usize]>>(function: &'static str, shapes: &[S]) -> Result<Shape> {
    let ndim = shapes.iter().map(|s| s.as_ref().len()).max().unwrap_or(0);
    let mut out: Dims = SmallVec::from_elem(1, ndim);
    for shape in shapes {
        let shape = shape.as_ref();
        for (to, &from) in out[ndim - shape.len()..].iter_mut().zip(shape) {
            if *to == 1 {
                *to = from;
            } else if from != 1 && from != *to {
                let shapes = shapes.iter().map(|s| Shape::from(s.as_ref())).collect();
                return Err(ErrorKind::BroadcastShapes { function, shapes }.into());
            }
        }
    }
    Ok(Shape(out))
}

impl AsRef<[usize]> for Shape {
    fn as_ref(&self) -> &[usize] {
        &self.0
    }
}

/// An axis given by a signed number, counted from the end if negative.
///
/// # Errors
/// [`ErrorKind::AxisOutOfRange`].
pub fn normalize_axis(function: &'static str, axis: i64, ndim: usize) -> Result<usize> {
    let n = ndim as i64;
    if (-n..n).contains(&axis) {
        Ok(if axis < 0 { axis + n } else { axis } as usize)
    } else {
        Err(ErrorKind::AxisOutOfRange { function, axis, ndim }.into())
    }
}

/// Several axes, each once.
///
/// # Errors
/// [`ErrorKind::AxisOutOfRange`], or [`ErrorKind::RepeatedAxis`].
pub fn normalize_axes(function: &'static str, axes: &[i64], ndim: usize) -> Result<Dims> {
    let mut out = Dims::new();
    for &axis in axes {
        let a = normalize_axis(function, axis, ndim)?;
        if out.contains(&a) {
            return Err(ErrorKind::RepeatedAxis { function, axis, ndim }.into());
        }
        out.push(a);
    }
    Ok(out)
}
