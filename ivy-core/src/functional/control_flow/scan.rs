//! Scans: loops that carry a value and stack the result of each step.

use crate::functional::control_flow::vars::{check_same, values_of};
use crate::functional::{Stack, stack};
use crate::nest::Tree;
use crate::{Array, ErrorKind, Index, Result, Shape};

/// How [`scan`] runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scan {
    /// How many steps there are; needed where there are no arrays to walk along.
    pub length: Option<usize>,
    /// From the last entry to the first; results stand where their entries do.
    pub reverse: bool,
}

impl From<()> for Scan {
    fn from((): ()) -> Scan {
        Scan::default()
    }
}

impl Scan {
    /// From the first entry on.
    #[must_use]
    pub fn new() -> Scan {
        Scan::default()
    }

    /// How many steps there are.
    #[must_use]
    pub fn length(mut self, length: usize) -> Scan {
        self.length = Some(length);
        self
    }

    /// From the last entry to the first.
    #[must_use]
    pub fn reverse(mut self) -> Scan {
        self.reverse = true;
        self
    }
}

/// The number of steps: that of the entries along the first axes.
fn steps(arrays: &[Array], length: Option<usize>) -> Result<usize> {
    let function = "scan";
    let mut found = length;
    for x in arrays {
        let Some(&own) = x.shape().first() else {
            let (expected, actual) = ("at least one axis".into(), Shape::default());
            return Err(ErrorKind::ShapeMismatch { function, argument: "xs", expected, actual }.into());
        };
        match found {
            Some(steps) if steps != own => {
                let (expected, actual) = (format!("{steps} entries along the first axis"), x.shape().clone());
                return Err(ErrorKind::ShapeMismatch { function, argument: "xs", expected, actual }.into());
            }
            _ => found = Some(own),
        }
    }
    found.ok_or_else(|| {
        let (argument, value, rule) =
            ("length", "none".into(), "a number of steps, where there are no arrays");
        ErrorKind::InvalidArgument { function, argument, value, rule }.into()
    })
}

/// Scan: calls `f` with a carry and each entry of `xs` along the first axis of its arrays, one after the other; it
/// gives the next carry, of the same dtypes and shapes, and a result. What comes out is the last carry and the stacked
/// results. It is differentiated and mapped as the steps are. Without a step the results have no entries, and `f` is
/// called once with zeros for their shapes.
///
/// ```
/// use ivy::{Scan, prelude::*};
/// let x = Array::try_from([1.0f64, 2.0, 3.0])?;
/// let step = |sum: &Array, x: &Array| {
///     let next = ivy::add(sum, x)?;
///     Ok((next.clone(), ivy::square(next)?))
/// };
/// let (sum, squares) = ivy::scan(step, ivy::asarray(0.0, Dtype::FLOAT64)?, &x, ())?;
/// assert_eq!((sum.item::<f64>()?, squares.to_vec::<f64>()?), (6.0, vec![1.0, 9.0, 36.0]));
/// let (_, back) = ivy::scan(step, ivy::asarray(0.0, Dtype::FLOAT64)?, &x, Scan::new().reverse())?;
/// assert_eq!(back.to_vec::<f64>()?, [36.0, 25.0, 9.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for arrays of different lengths or without
/// axes; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a missing length;
/// [`VariableChanged`](crate::ErrorKind::VariableChanged) for a carry whose dtype or shape the function changes.
pub fn scan<C: Tree, X: Tree, Y: Tree>(
    mut f: impl FnMut(&C, &X) -> Result<(C, Y)>,
    init: C,
    xs: &X,
    params: impl Into<Scan>,
) -> Result<(C, Y)> {
    let params = params.into();
    let arrays = xs.arrays()?;
    let count = steps(&arrays, params.length)?;
    let (mut carry, mut results): (C, Vec<(Y, Vec<Array>)>) = (init, Vec::with_capacity(count));
    for step in 0..count {
        let at = if params.reverse { count - 1 - step } else { step } as i64;
        let entry = arrays.iter().map(|x| x.get([Index::Int(at)])).collect::<Result<Vec<_>>>()?;
        let (next, result) = f(&carry, &xs.with_arrays(entry)?)?;
        let (carried, made) = (next.arrays()?, result.arrays()?);
        check_same("scan", &carry.arrays()?, &carried)?;
        // Step by step, or what waits would grow with the steps.
        for x in carried.iter().chain(&made) {
            x.backend().evaluate(&values_of(std::slice::from_ref(x)))?;
        }
        carry = next;
        results.push((result, made));
    }
    if params.reverse {
        results.reverse();
    }
    let Some(places) = results.first().map(|(_, made)| made.len()) else {
        let zeros = |x: &Array| crate::functional::zeros(Shape::from(&x.shape()[1..]), x.dtype());
        let entry = arrays.iter().map(zeros).collect::<Result<Vec<_>>>()?;
        let (_, result) = f(&carry, &xs.with_arrays(entry)?)?;
        let none = |x: &Array| {
            let shape: Shape = std::iter::once(0).chain(x.shape().iter().copied()).collect();
            crate::functional::zeros(shape, x.dtype())
        };
        let made = result.arrays()?.iter().map(none).collect::<Result<Vec<_>>>()?;
        return Ok((carry, result.with_arrays(made)?));
    };
    let stacked = (0..places).map(|place| {
        let column: Vec<&Array> = results.iter().filter_map(|(_, made)| made.get(place)).collect();
        if column.len() != count {
            let value = format!("{} results in one step and {places} in another", column.len());
            let rule = "as many results in each step";
            return Err(ErrorKind::InvalidArgument { function: "scan", argument: "f", value, rule }.into());
        }
        stack(column, Stack::new())
    });
    let stacked = stacked.collect::<Result<Vec<_>>>()?;
    match results.into_iter().next() {
        Some((result, _)) => Ok((carry, result.with_arrays(stacked)?)),
        None => unreachable!("there was a step"),
    }
}
