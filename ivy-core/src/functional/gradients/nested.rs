//! Values and gradients of nests, as Ivy has them.

use crate::functional::gradients::transforms::vjp;
use crate::functional::{astype, full_like, stop_gradient};
use crate::nest::{Nest, Path, Step, Tree};
use crate::{Array, Dtype, ErrorKind, Result, context};

const NAME: &str = "execute_with_gradients";

/// Of what [`execute_with_gradients`] gives gradients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecuteWithGradients {
    /// Whether results and gradients may be differentiated further; else they are constants.
    pub retain_grads: bool,
    /// Where in the argument the arrays are by which gradients are taken: all of it with `None`.
    pub xs_grad_idxs: Option<Vec<Path>>,
    /// Where in the result the arrays are of which gradients are taken: all of it with `None`.
    pub ret_grad_idxs: Option<Vec<Path>>,
}

impl Default for ExecuteWithGradients {
    fn default() -> ExecuteWithGradients {
        let first = || Some(vec![Path::from([Step::Index(0)])]);
        ExecuteWithGradients { retain_grads: false, xs_grad_idxs: first(), ret_grad_idxs: first() }
    }
}

impl From<()> for ExecuteWithGradients {
    fn from((): ()) -> ExecuteWithGradients {
        ExecuteWithGradients::default()
    }
}

impl ExecuteWithGradients {
    /// Gradients of the first entry of the result by the first one of the argument.
    #[must_use]
    pub fn new() -> ExecuteWithGradients {
        ExecuteWithGradients::default()
    }

    /// Results and gradients may be differentiated further.
    #[must_use]
    pub fn retain_grads(mut self) -> ExecuteWithGradients {
        self.retain_grads = true;
        self
    }

    /// Where in the argument the arrays are by which gradients are taken: all of it with `None`.
    #[must_use]
    pub fn xs_grad_idxs(mut self, indices: impl Into<Option<Vec<Path>>>) -> ExecuteWithGradients {
        self.xs_grad_idxs = indices.into();
        self
    }

    /// Where in the result the arrays are of which gradients are taken: all of it with `None`.
    #[must_use]
    pub fn ret_grad_idxs(mut self, indices: impl Into<Option<Vec<Path>>>) -> ExecuteWithGradients {
        self.ret_grad_idxs = indices.into();
        self
    }
}

/// Value and gradients of nests: what a function gives, and the gradients of one or several of the numbers that it
/// gives.
///
/// The argument and the result are trees, of which indices choose arrays; an index of what is no array stands for all
/// arrays in it. By default it is `[0]`, the first entry of a list, and stands for all of a value that is no list.
///
/// The gradients of one array of the result are a nest: the argument without the arrays that are not chosen. Those of
/// several are a dict of such nests, with a key for each array, which is its index joined by `_`: `0`, or `loss_1`.
/// Integers of the argument that are chosen become numbers of the default float dtype.
///
/// ```
/// use ivy::{ExecuteWithGradients, nest::Nest, prelude::*};
/// let x = Array::try_from([[1i32, 4, 6], [2, 6, 9]])?;
/// let (value, gradient) = ivy::execute_with_gradients(|x: &Array| ivy::mean(ivy::square(x)?, ()), &x, ())?;
/// assert_eq!(value.item::<f32>()?, 29.0);
/// let Nest::Leaf(gradient) = gradient else { panic!("of an array by an array it is an array") };
/// assert_eq!(gradient.get(ivy::s![.., 1])?.to_vec::<f32>()?, [4.0 / 3.0, 2.0]);
///
/// // Two results, by both entries of a pair.
/// let pair = (Array::from_vec(vec![2.0f64], [])?, Array::from_vec(vec![3.0f64], [])?);
/// let both = |(a, b): &(Array, Array)| Ok((ivy::multiply(a, b)?, ivy::square(a)?));
/// let all = ExecuteWithGradients::new().xs_grad_idxs(None).ret_grad_idxs(None);
/// let (_, gradients) = ivy::execute_with_gradients(both, &pair, all)?;
/// let numbers = gradients.map(|x| x.item::<f64>().unwrap());
/// let of = |a, b| Nest::list([Nest::Leaf(a), Nest::Leaf(b)]);
/// assert_eq!(numbers, Nest::dict([("0", of(3.0, 2.0)), ("1", of(4.0, 0.0))]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an index where nothing is;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a chosen result of other than one element, and
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for one that is no float, and for a chosen argument of bools;
/// [`NotTransformable`](crate::ErrorKind::NotTransformable) for an op that has no derivative.
pub fn execute_with_gradients<T: Tree, R: Tree>(
    f: impl Fn(&T) -> Result<R>,
    xs: &T,
    params: impl Into<ExecuteWithGradients>,
) -> Result<(R, Nest<Array>)> {
    let ExecuteWithGradients { retain_grads, xs_grad_idxs, ret_grad_idxs } = params.into();
    let (paths, arrays) = (xs.paths()?, xs.arrays()?);
    let chosen = chosen("xs_grad_idxs", &paths, xs_grad_idxs.as_deref())?;
    let float = context::current().settings.defaults.float();
    let by: Vec<Array> =
        chosen.iter().map(|&i| as_variable(&arrays[i], float)).collect::<Result<Vec<Array>>>()?;
    let call = |variables: &Vec<Array>| {
        let mut all = arrays.clone();
        for (&i, variable) in chosen.iter().zip(variables) {
            all[i] = variable.clone();
        }
        f(&xs.with_arrays(all)?)
    };
    let (results, back) = vjp(call, &by)?;
    let (ret_paths, outputs) = (results.paths()?, results.arrays()?);
    let of = self::chosen("ret_grad_idxs", &ret_paths, ret_grad_idxs.as_deref())?;
    let mut gradients: Vec<(String, Nest<Array>)> = Vec::new();
    for &k in &of {
        check_number(&outputs[k])?;
        let weight = |(i, y): (usize, &Array)| match i == k {
            true => full_like(y, 1.0, ()),
            false => full_like(y, false, ()),
        };
        let weights = outputs.iter().enumerate().map(weight).collect::<Result<Vec<Array>>>()?;
        let mut found = back.call(&results.with_arrays(weights)?)?;
        if !retain_grads {
            found = found.iter().map(stop_gradient).collect::<Result<_>>()?;
        }
        let entries: Entries<'_> = chosen.iter().zip(found).map(|(&i, x)| (paths[i].steps(), x)).collect();
        gradients.push((joined(&ret_paths[k]), nest_of(entries)));
    }
    let results = match retain_grads {
        true => results,
        false => results.map_arrays(&mut |_, x| stop_gradient(x))?,
    };
    let gradients = match gradients.len() {
        1 => gradients.remove(0).1,
        _ => Nest::dict(gradients),
    };
    Ok((results, gradients))
}

/// The numbers of the arrays that indices choose, ascending.
fn chosen(argument: &'static str, paths: &[Path], indices: Option<&[Path]>) -> Result<Vec<usize>> {
    let all = || Ok((0..paths.len()).collect());
    let Some(indices) = indices else { return all() };
    let is_list = paths.iter().any(|path| matches!(path.steps().first(), Some(Step::Index(_))));
    if !is_list && *indices == [Path::from([Step::Index(0)])] {
        return all();
    }
    let mut chosen = Vec::new();
    for index in indices {
        let before = chosen.len();
        chosen.extend((0..paths.len()).filter(|&i| paths[i].steps().starts_with(index.steps())));
        if chosen.len() == before {
            let (value, rule) = (index.to_string(), "an array stands there, or what holds some");
            return Err(ErrorKind::InvalidArgument { function: NAME, argument, value, rule }.into());
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// An array that can be differentiated by: integers as the default float dtype.
fn as_variable(x: &Array, float: Dtype) -> Result<Array> {
    match x.dtype() {
        dtype if dtype.is_int() => astype(x, float),
        dtype if dtype.is_bool() => {
            Err(ErrorKind::WrongDtypeKind { function: NAME, dtype, expected: "float or complex" }.into())
        }
        _ => Ok(x.clone()),
    }
}

/// Refuses a result that is not one real number.
fn check_number(y: &Array) -> Result<()> {
    let (dtype, expected) = (y.dtype(), "float");
    if y.size() != 1 {
        let (function, expected, actual) = (NAME, "a result of one element".into(), y.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "func", expected, actual }.into());
    }
    match dtype.is_float() {
        true => Ok(()),
        false => Err(ErrorKind::WrongDtypeKind { function: NAME, dtype, expected }.into()),
    }
}

/// The key of a result among several.
fn joined(path: &Path) -> String {
    let step = |step: &Step| match step {
        Step::Index(index) => index.to_string(),
        Step::Key(key) => key.clone(),
    };
    path.steps().iter().map(step).collect::<Vec<_>>().join("_")
}

/// Arrays and the steps to them.
type Entries<'a> = Vec<(&'a [Step], Array)>;

/// Arrays at paths, in order, as a nest.
fn nest_of(entries: Entries<'_>) -> Nest<Array> {
    let mut parts: Vec<(&Step, Entries<'_>)> = Vec::new();
    for (path, x) in entries {
        let Some((step, rest)) = path.split_first() else { return Nest::Leaf(x) };
        match parts.last_mut().filter(|part| part.0 == step) {
            Some(part) => part.1.push((rest, x)),
            None => parts.push((step, vec![(rest, x)])),
        }
    }
    let keyed = matches!(parts.first(), Some((Step::Key(_), _)));
    let named = |(step, part): (&Step, _)| match step {
        Step::Key(key) => (key.clone(), nest_of(part)),
        Step::Index(index) => (index.to_string(), nest_of(part)),
    };
    match keyed {
        true => Nest::dict(parts.into_iter().map(named)),
        false => Nest::list(parts.into_iter().map(|(_, part)| nest_of(part))),
    }
}
