//! Conformance with a framework's rules: the dtypes that calls give on a backend under each set of rules, against the
//! set's own tables.

use crate::expect::Combination;
use crate::judge::{Fault, is_complete, ones};
use crate::run::caught;
use ivy_core::backend::BackendRef;
use ivy_core::function::{ComputeRule, ParamValue, Role};
use ivy_core::plan::{OperandSpec, State};
use ivy_core::promotion::{promote_all, result_of};
use ivy_core::{Dtype, ErrorKind, Function, Rules};

/// The keyword argument without which a function cannot be called, where it has one.
fn needed(function: &'static Function) -> Option<(&'static str, ParamValue)> {
    match function.name {
        "scatter_flat" => Some(("size", ParamValue::Int(4))),
        "scatter_nd" => Some(("shape", ParamValue::Ints(vec![4]))),
        _ => None,
    }
}

/// What a set of rules says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// The first result has this dtype.
    Gives(Dtype),
    /// The dtypes are refused.
    Refused,
}

/// Whether a set of rules has something to say of a call: each operand is an array of a dtype that the set knows, a host
/// value, or optional and left out, and the function computes in what they have in common.
pub(crate) fn is_asked(function: &'static Function, c: &Combination, rules: Rules) -> bool {
    let knows = |d: Dtype| rules.dtypes().any(|known| known == d);
    let asked = |(i, d): (usize, &Option<Dtype>)| match function.operand(i) {
        o if o.optional || o.role.keeps_scalars() => d.is_none(),
        _ => d.is_some_and(knows),
    };
    function.rule_category().is_some() && c.dtype.is_none() && c.operands.iter().enumerate().all(asked)
}

/// The dtypes of the operands that take part in promotion.
fn promoted(function: &'static Function, c: &Combination) -> Vec<Dtype> {
    let takes_part = |i: &usize| function.operand(*i).role == Role::Promoted;
    (0..c.operands.len()).filter(takes_part).filter_map(|i| c.operands[i]).collect()
}

fn said(function: &'static Function, c: &Combination, rules: Rules) -> Said {
    if promoted(function, c).is_empty() {
        // What is counted without weights is counted in the dtype of indices.
        return Said::Gives(rules.index_dtype());
    }
    let specs: Vec<OperandSpec> = promoted(function, c).into_iter().map(OperandSpec::Array).collect();
    let sums = matches!(function.compute, ComputeRule::Accumulate | ComputeRule::Count);
    match result_of(function, rules, &specs) {
        // Nothing adds up in bool.
        Ok(Some((Dtype::BOOL, _))) if sums => Said::Refused,
        Ok(Some((dtype, _))) => Said::Gives(dtype),
        _ => Said::Refused,
    }
}

/// Whether the function itself, whatever the rules, may not take these dtypes or the one that they have in common.
fn is_outside(function: &'static Function, c: &Combination, rules: Rules) -> bool {
    let common = promote_all(function.name, rules, &promoted(function, c)).ok().flatten();
    (0..c.operands.len()).any(|i| {
        let (operand, allowed) = (function.operand(i), function.domain_of(i));
        let common = common.filter(|_| operand.role == Role::Promoted);
        c.operands[i].into_iter().chain(common).any(|d| !allowed.contains(d))
    })
}

/// Calls a function with arrays of ones under a set of rules: the state of its cell, or what is wrong; `None` where the
/// call is refused as it must be.
pub(crate) fn try_rules(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
    rules: Rules,
) -> Result<Option<State>, Fault> {
    let wrong = |what: String| Fault::failed(format!("under the {rules} rules: {what}"));
    let (operands, params) = match ones(function, c, backend) {
        // A dtype that the backend does not store cannot even be asked about here.
        Err(e) if matches!(e.kind(), ErrorKind::DtypeNotStored { .. }) => return Ok(None),
        made => made.map_err(|e| wrong(e.to_string()))?,
    };
    let mut params = params;
    if let Some((keyword, value)) = needed(function) {
        params.set(function.name, keyword, value).map_err(|e| wrong(e.to_string()))?;
    }
    let called = caught(|| {
        let state = ivy_core::plan_call(function, &operands, &*params)?.state;
        Ok::<_, ivy_core::Error>((state, ivy_core::call(function, &operands, &*params)?))
    });
    let said = said(function, c, rules);
    let error = match called.map_err(|panic| wrong(format!("panic: {panic}")))? {
        Ok((state, results)) => {
            let found = results[0].dtype();
            return match said {
                Said::Gives(dtype) if dtype == found => Ok(Some(state)),
                Said::Gives(dtype) => Err(wrong(format!("dtype {found} instead of {dtype}"))),
                Said::Refused => Err(wrong(format!("dtype {found}, but the rules refuse the operands"))),
            };
        }
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::UnsupportedDtype { .. } if !is_complete(backend) => Err(Fault::Refused(error.to_string())),
        ErrorKind::NoPromotion { .. } | ErrorKind::OutsideDomain { .. } | ErrorKind::CastRefused { .. }
            if said == Said::Refused || is_outside(function, c, rules) =>
        {
            Ok(None)
        }
        _ => match said {
            Said::Gives(dtype) => Err(wrong(format!("instead of {dtype}: {error}"))),
            Said::Refused => Err(wrong(format!("a refusal of another kind: {error}"))),
        },
    }
}
