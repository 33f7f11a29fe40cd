//! Shapes, and the checked arithmetic on them.

use crate::{Dtype, ErrorKind, Result};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::{fmt, ops::Deref};

/// A small list of axis lengths, axis numbers or the like, inline up to four entries.
pub type Dims<T = usize> = SmallVec<[T; 4]>;

/// The lengths of an array's axes, outermost first; empty for a zero-dimensional array.
///
/// ```
/// let shape = ivy_core::Shape::from([2, 3]);
/// assert_eq!((shape.len(), shape.size(), shape.to_string()), (2, 6, "(2, 3)".to_string()));
/// ```
#[derive(Clone)]
pub struct Shape(Repr);

/// Up to this many axes stand in the shape itself.
const INLINE: usize = 4;

/// One form for each shape: few axes inline, with zeros behind them, more on the heap.
#[derive(Clone)]
enum Repr {
    Inline { rank: Rank, dims: [usize; INLINE] },
    Heap(Box<[usize]>),
}

/// How many axes stand in the shape itself: a word that also tells the forms apart, so that a shape has words
/// only. What has bytes beside words is moved in parts that overlap, and a processor waits for each of them.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Rank {
    Zero,
    One,
    Two,
    Three,
    Four,
}

const _: () = assert!(size_of::<Shape>() == (1 + INLINE) * size_of::<usize>());

impl Default for Shape {
    fn default() -> Shape {
        Shape(Repr::Inline { rank: Rank::Zero, dims: [0; INLINE] })
    }
}

impl PartialEq for Shape {
    #[inline]
    fn eq(&self, other: &Shape) -> bool {
        match (&self.0, &other.0) {
            (Repr::Inline { rank: n, dims: a }, Repr::Inline { rank: m, dims: b }) => n == m && a == b,
            (a, b) => matches!((a, b), (Repr::Heap(a), Repr::Heap(b)) if a == b),
        }
    }
}

impl Eq for Shape {}

impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl Shape {
    /// The product of the lengths. Arrays that exist have a product that fits.
    #[inline]
    pub fn size(&self) -> usize {
        self.iter().fold(1, |n, &d| n.saturating_mul(d))
    }

    /// The size, checked: elements and bytes must fit in `isize`.
    ///
    /// # Errors
    /// [`ErrorKind::SizeOverflow`].
    pub fn checked_size(&self, function: &'static str, dtype: Dtype) -> Result<usize> {
        if self.contains(&0) {
            return Ok(0);
        }
        let size = self.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
        size.filter(|n| n.checked_mul(dtype.bytes()).is_some_and(|b| b <= isize::MAX as usize)).ok_or_else(
            || ErrorKind::SizeOverflow { function, shape: self.clone(), dtype: Some(dtype) }.into(),
        )
    }
}

impl Deref for Shape {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        match &self.0 {
            Repr::Inline { rank, dims } => &dims[..*rank as usize],
            Repr::Heap(dims) => dims,
        }
    }
}

impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Shape {
        let rank = match dims.len() {
            0 => Rank::Zero,
            1 => Rank::One,
            2 => Rank::Two,
            3 => Rank::Three,
            4 => Rank::Four,
            _ => return Shape(Repr::Heap(dims.into())),
        };
        let mut inline = [0; INLINE];
        inline[..dims.len()].copy_from_slice(dims);
        Shape(Repr::Inline { rank, dims: inline })
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(dims: [usize; N]) -> Shape {
        Shape::from(dims.as_slice())
    }
}

impl From<Vec<usize>> for Shape {
    fn from(dims: Vec<usize>) -> Shape {
        Shape::from(dims.as_slice())
    }
}

impl From<Dims> for Shape {
    fn from(dims: Dims) -> Shape {
        Shape::from(dims.as_slice())
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
        Shape::from(dims.into_iter().collect::<Dims>())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, d) in self.iter().enumerate() {
            write!(f, "{}{d}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(if self.len() == 1 { ",)" } else { ")" })
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
    Ok(Shape::from(out))
}

impl AsRef<[usize]> for Shape {
    fn as_ref(&self) -> &[usize] {
        self
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

/// Two operands whose vectors lie along one axis: from the front it must be the same one in both.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`].
pub(crate) fn check_common_axis(function: &'static str, axis: i64, ndims: [usize; 2]) -> Result<()> {
    let [first, second] = ndims;
    if axis < 0 || first == second {
        return Ok(());
    }
    Err(ErrorKind::InvalidArgument {
        function,
        argument: "axis",
        value: format!("{axis} for {first} and {second} axes"),
        rule: "with arrays of different numbers of axes it is counted from the end (negative)",
    }
    .into())
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
