//! What constructors make of their arguments.

use super::convert::{here, maybe_arg, vector};
use crate::error::{Fallible, type_error};
use ivy_drjit::{AnyArray, Arg, ArrayType, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// What a constructor makes of its arguments.
pub(super) fn construct(
    py: Python<'_>,
    ty: ArrayType,
    args: &Bound<'_, PyTuple>,
    shape: Option<Vec<usize>>,
) -> Fallible<AnyArray> {
    let unsupported = |x: &Bound<'_, PyAny>| {
        let name = x.get_type().name()?;
        type_error(format!("{ty}.__init__(): Could not initialize element with a value of type '{name}'."))
    };
    let mut given = Vec::with_capacity(args.len());
    for x in args.iter() {
        match maybe_arg(&x)? {
            Some(arg) => given.push(arg),
            None if args.len() == 1 && (x.is_instance_of::<PyString>() || x.try_iter().is_err()) => {
                return unsupported(&x);
            }
            None => {
                return type_error(format!(
                    "{ty}.__init__(): Could not construct from sequence (invalid type in input). Numbers and arrays are \
                     needed, not '{}'.",
                    x.get_type().name()?
                ));
            }
        }
    }
    if ty.kind() == Kind::Tensor {
        let elements = match (given.len(), given.pop()) {
            (1, Some(Arg::Array(x) | Arg::Foreign(x))) => Arg::Array(vector(x)?),
            (1, Some(one)) => one,
            (_, last) => Arg::List(given.into_iter().chain(last).collect()),
        };
        return here(py, || match shape {
            Some(shape) => ty.make_tensor(elements, &shape),
            None => ty.make(nested_list(ty, elements)?),
        });
    }
    if given.len() == 1 {
        return here(py, || ty.make(given.swap_remove(0)));
    }
    if given.is_empty() && ty.is_jit_v() && ty.depth() > 0 {
        return here(py, || match ty.size() {
            Some(ivy_drjit::Size::Dynamic) => ty.make(Arg::List(given)),
            _ => ty.zeros(0),
        });
    }
    here(py, || ty.make(Arg::List(given)))
}

/// Lists of lists as a tensor of their shape.
fn nested_list(ty: ArrayType, elements: Arg) -> ivy_drjit::Result<Arg> {
    fn flatten(list: Vec<Arg>, axis: usize, shape: &mut Vec<usize>, out: &mut Vec<Arg>) -> bool {
        match shape.get(axis) {
            Some(&len) if len != list.len() => return false,
            Some(_) => (),
            None => shape.push(list.len()),
        }
        list.into_iter().all(|entry| match entry {
            Arg::List(inner) => flatten(inner, axis + 1, shape, out),
            other => {
                out.push(other);
                shape.len() == axis + 1
            }
        })
    }
    match elements {
        Arg::List(list) if list.iter().any(|entry| matches!(entry, Arg::List(_))) => {
            let (mut shape, mut out) = (Vec::new(), Vec::new());
            match flatten(list, 0, &mut shape, &mut out) {
                true => Ok(Arg::Array(ty.make_tensor(Arg::List(out), &shape)?)),
                false => {
                    Err(ivy_drjit::Error::CannotBroadcast { ty, from: "lists of several lengths".into() })
                }
            }
        }
        Arg::List(list) => {
            let count = list.len();
            Ok(Arg::Array(ty.make_tensor(Arg::List(list), &[count])?))
        }
        other => Ok(other),
    }
}
