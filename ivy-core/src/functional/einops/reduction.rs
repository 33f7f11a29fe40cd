//! How elements are combined.

use crate::array::Array;
use crate::function::{Axes, Composition, Function, ParamField, ParamValue};
use crate::functional::statistical;
use crate::functional::statistical::max_min::{self, check_not_empty};
use crate::functional::utility;
use crate::functional::{Reduce, Sum, all, any, max, mean, min, prod, sum};
use crate::{Result, Shape};

/// How [`einops_reduce`](super::einops_reduce) combines elements: as the function of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EinopsReduction {
    /// The least one.
    Min,
    /// The greatest one.
    Max,
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// Their product.
    Prod,
    /// Whether any is not zero.
    Any,
    /// Whether all are not zero.
    All,
}

impl EinopsReduction {
    /// The elements over axes, in the call's dtype.
    pub(super) fn of(self, call: &Composition<'_>, x: &Array, axes: &[usize]) -> Result<Array> {
        let shape: &Shape = x.shape();
        if matches!(self, EinopsReduction::Min | EinopsReduction::Max) {
            check_not_empty(call.function.name, shape, axes)?;
        }
        if axes.is_empty() {
            return Ok(x.clone());
        }
        let axis: Axes = axes.iter().map(|&a| a as i64).collect::<Vec<i64>>().into();
        let over = || Reduce::new().axis(axis.clone());
        let total = || Sum::new().axis(axis.clone()).dtype(call.compute);
        match self {
            EinopsReduction::Min => min(x, over()),
            EinopsReduction::Max => max(x, over()),
            EinopsReduction::Sum => sum(x, total()),
            EinopsReduction::Mean => mean(x, over()),
            EinopsReduction::Prod => prod(x, total()),
            EinopsReduction::Any => any(x, over()),
            EinopsReduction::All => all(x, over()),
        }
    }
}

impl ParamField for EinopsReduction {
    const TYPE: &'static str = "Literal[\"min\", \"max\", \"sum\", \"mean\", \"prod\", \"any\", \"all\"]";
    const RULE: &'static str = "one of min, max, sum, mean, prod, any, all";

    fn from_value(value: ParamValue) -> Option<EinopsReduction> {
        let ParamValue::Text(word) = value else { return None };
        Some(match &*word {
            "min" => EinopsReduction::Min,
            "max" => EinopsReduction::Max,
            "sum" => EinopsReduction::Sum,
            "mean" => EinopsReduction::Mean,
            "prod" => EinopsReduction::Prod,
            "any" => EinopsReduction::Any,
            "all" => EinopsReduction::All,
            _ => return None,
        })
    }

    fn variant(&self) -> u64 {
        *self as u64
    }

    fn as_function(&self) -> Option<&'static Function> {
        Some(match self {
            EinopsReduction::Min => &max_min::MIN,
            EinopsReduction::Max => &max_min::MAX,
            EinopsReduction::Sum => &statistical::SUM,
            EinopsReduction::Mean => &statistical::MEAN,
            EinopsReduction::Prod => &statistical::PROD,
            EinopsReduction::Any => &utility::ANY,
            EinopsReduction::All => &utility::ALL,
        })
    }
}
