//! Vectorizing map.

use crate::nest::Tree;
use crate::{Array, ErrorKind, Result, transform};

/// Along which axes [`vmap`] maps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vmap {
    /// The axis of each array of the argument, or one for all; `None` for one that is the same in each call.
    pub in_axes: Vec<Option<i64>>,
    /// Where the batch is in each array of the result, or one axis for all; `None` for one that is the same in each call.
    pub out_axes: Vec<Option<i64>>,
}

impl Default for Vmap {
    fn default() -> Vmap {
        Vmap { in_axes: vec![Some(0)], out_axes: vec![Some(0)] }
    }
}

impl From<()> for Vmap {
    fn from((): ()) -> Vmap {
        Vmap::default()
    }
}

impl Vmap {
    /// The first axis of all arguments and results.
    #[must_use]
    pub fn new() -> Vmap {
        Vmap::default()
    }

    /// The axis of each array of the argument, in order, or one for all.
    #[must_use]
    pub fn in_axes(mut self, axes: impl IntoIterator<Item = impl Into<Option<i64>>>) -> Vmap {
        self.in_axes = axes.into_iter().map(Into::into).collect();
        self
    }

    /// Where the batch is in each array of the result, in order, or one axis for all; `None` for one without a batch.
    #[must_use]
    pub fn out_axes(mut self, axes: impl IntoIterator<Item = impl Into<Option<i64>>>) -> Vmap {
        self.out_axes = axes.into_iter().map(Into::into).collect();
        self
    }
}

/// Vectorizing map: the function that does with a batch what a function does with one entry of it: as if it was called
/// with each entry and the results were stacked, but called once, on arrays that hide the batch axis, so that each op
/// is done for all entries at once. It composes with [`grad`](super::grad) and [`jvp`](super::jvp) in any order, and
/// with itself.
///
/// Elements cannot be read in the function, since there are as many as entries, and results whose shape depends on
/// elements (`nonzero`, `unique_values`) have none. A draw of random numbers without a seed is another one for each entry.
/// Loops go on while one entry does, and each entry keeps what it has when
/// its own condition is false.
///
/// ```
/// use ivy::{Vmap, prelude::*};
/// // One vector for each matrix of a stack.
/// let matrices = Array::try_from([[[1.0f32, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]])?;
/// let vectors = Array::try_from([[1.0f32, 1.0], [5.0, 6.0]])?;
/// let product = |(m, v): &(Array, Array)| ivy::matmul(m, v);
/// let products = ivy::vmap(product, ())(&(matrices, vectors.clone()))?;
/// assert_eq!(products.to_vec::<f32>()?, [3.0, 7.0, 6.0, 5.0]);
/// // The gradient of each entry's loss.
/// let loss = |(w, v): &(Array, Array)| ivy::sum(ivy::square(ivy::multiply(w, v)?)?, ());
/// let each = ivy::vmap(ivy::grad(loss), Vmap::new().in_axes([None, Some(0)]));
/// let (of_w, _) = each(&(Array::try_from([1.0f32, 2.0])?, vectors))?;
/// assert_eq!(of_w.to_vec::<f32>()?, [2.0, 4.0, 50.0, 144.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Of the function that it gives: those of the function; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for batches
/// of different lengths; [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange);
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another number of axes than of arrays, and where nothing has a
/// batch, and for a result that has one where
/// `out_axes` has none; [`NotTransformable`](crate::ErrorKind::NotTransformable) for what reads elements.
pub fn vmap<T: Tree, R: Tree>(
    f: impl Fn(&T) -> Result<R>,
    params: impl Into<Vmap>,
) -> impl Fn(&T) -> Result<R> {
    let Vmap { in_axes, out_axes } = params.into();
    move |argument| {
        let arrays = argument.arrays()?;
        let axes: Vec<Option<i64>> = match &in_axes[..] {
            [one] => vec![*one; arrays.len()],
            all if all.len() == arrays.len() => all.to_vec(),
            all => {
                let value = format!("{} axes for {} arrays", all.len(), arrays.len());
                let rule = "one axis for all arrays of the argument, or one for each";
                return Err(ErrorKind::InvalidArgument {
                    function: "vmap",
                    argument: "in_axes",
                    value,
                    rule,
                }
                .into());
            }
        };
        let mut made = None;
        let mut listed = |entry: Vec<Array>| -> Result<Vec<Array>> {
            let results = f(&argument.with_arrays(entry)?)?;
            let arrays = results.arrays()?;
            made = Some(results);
            Ok(arrays)
        };
        let mut places = |count: usize| match &out_axes[..] {
            [one] => Ok(vec![*one; count]),
            all => Ok(all.to_vec()),
        };
        let results = transform::vmap(&mut listed, &arrays, &axes, &mut places)?;
        match made {
            Some(made) => made.with_arrays(results),
            None => unreachable!("the function was called"),
        }
    }
}

/// [`vmap`] of a function of lists, for bindings: the axes of the results are asked when it has been called.
///
/// # Errors
/// As [`vmap`].
#[doc(hidden)]
pub fn vmap_lists(
    mut f: impl FnMut(Vec<Array>) -> Result<Vec<Array>>,
    arguments: &[Array],
    in_axes: &[Option<i64>],
    mut out_axes: impl FnMut(usize) -> Result<Vec<Option<i64>>>,
) -> Result<Vec<Array>> {
    transform::vmap(&mut f, arguments, in_axes, &mut out_axes)
}
