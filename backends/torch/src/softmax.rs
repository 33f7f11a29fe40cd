//! libtorch's own form of softmax: one pass, without a plan for each step.

use crate::error::failed;
use crate::memory::{tensor_of, value_of};
use ivy_core::backend::{Support, Value};
use ivy_core::function::Params;
use ivy_core::functional::Softmax;
use ivy_core::shape::normalize_axis;
use ivy_core::{Dtype, ErrorKind, Function, Result};

const NAME: &str = "softmax";

/// Native on the floats in which libtorch adds up exactly enough; the others are composed.
pub(crate) fn support(function: &Function, operands: &[Dtype]) -> Option<Support> {
    let own = function.name == NAME && matches!(operands, [Dtype::FLOAT32 | Dtype::FLOAT64]);
    own.then_some(Support::Native)
}

/// `exp(x - max) / sum(exp(x - max))` along an axis, the last if none is given.
pub(crate) fn run(params: &dyn Params, operands: &[&Value]) -> Result<Option<Value>> {
    let (Some(params), [x]) = (params.as_any().downcast_ref::<Softmax>(), operands) else {
        return Ok(None);
    };
    let axis = normalize_axis(NAME, params.axis.unwrap_or(-1), x.shape.len())?;
    if x.shape[axis] == 0 {
        return Err(ErrorKind::EmptyReduction { function: NAME, shape: x.shape.clone() }.into());
    }
    let tensor = tensor_of(NAME, x)?;
    let out = tensor.f_softmax(axis as i64, None).map_err(|e| failed(NAME, &[x.dtype], e.into()))?;
    Ok(Some(value_of(x.dtype, x.shape.clone(), out, false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TorchBackend;
    use ivy_core::backend::Backend;
    use ivy_core::host::HostArray;

    fn along(values: Vec<f64>, shape: &[usize], axis: i64) -> Result<Vec<f64>> {
        let backend = TorchBackend::new().unwrap();
        let x = backend.from_host(HostArray::from_vec(values, shape.into()).unwrap())?;
        let out = run(&Softmax::new().axis(axis), &[&x])?.unwrap();
        assert_eq!((out.dtype, &out.shape[..]), (Dtype::FLOAT64, shape));
        backend.to_host(&out)?.to_vec()
    }

    #[test]
    fn each_line_sums_to_one() {
        let values: Vec<f64> = (0..24).map(|i| f64::from(i * 7 % 11) - 5.0).collect();
        for (axis, length, step) in [(0, 2, 12), (1, 3, 4), (-1, 4, 1)] {
            let out = along(values.clone(), &[2, 3, 4], axis).unwrap();
            let at = |i: usize| {
                let start = i / (step * length) * step * length + i % step;
                let line = (0..length).map(|j| values[start + j * step].exp());
                values[i].exp() / line.sum::<f64>()
            };
            for (i, got) in out.iter().enumerate() {
                assert!((got - at(i)).abs() < 1e-15, "axis {axis}, element {i}: {got}");
            }
        }
    }

    #[test]
    fn large_values_do_not_overflow_and_nan_spreads_along_its_line() {
        assert_eq!(along(vec![1e300, 1e300], &[2], 0).unwrap(), [0.5, 0.5]);
        let out = along(vec![1.0, f64::NAN, 0.0, 0.0], &[2, 2], 1).unwrap();
        assert!(out[0].is_nan() && out[1].is_nan() && out[2..] == [0.5, 0.5]);
    }

    #[test]
    fn empty_lines_and_wrong_axes_are_errors() {
        assert!(along(vec![], &[0, 3], 1).unwrap().is_empty());
        let kind = |r: Result<Vec<f64>>| format!("{:?}", r.unwrap_err().kind());
        assert!(kind(along(vec![], &[0, 3], 0)).starts_with("EmptyReduction"));
        assert!(kind(along(vec![], &[0, 3], 2)).starts_with("AxisOutOfRange"));
    }
}
