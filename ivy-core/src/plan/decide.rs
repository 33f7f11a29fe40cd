//! Which dtype a call computes in, and which dtypes come out: dtypes only, no backend.

use super::{OperandSpec, PlannedOperand, Question, Rule};
use crate::array::Operand;
use crate::function::{ComputeRule, OutRule, Role};
use crate::promotion::{no_promotion, promote_all, promote_scalars};
use crate::{Dtype, DtypeSet, ErrorKind, Result, Scalar};
use smallvec::SmallVec;

pub(super) type Specs = SmallVec<[OperandSpec; 4]>;

/// What is decided about: dtypes as they were given, or as a casting mode changed them.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) specs: Specs,
    /// The `dtype=` argument.
    pub(super) dtype: Option<Dtype>,
}

impl Given {
    pub(super) fn of(question: &Question<'_>) -> Given {
        let defaults = &question.settings().defaults;
        let specs = question.operands.iter().map(|o| o.spec(defaults)).collect();
        Given { specs, dtype: question.params.dtype() }
    }
}

/// The dtype part of a plan.
pub(super) struct Decision {
    pub(super) rule: Rule,
    pub(super) to_float: Option<Dtype>,
    pub(super) operands: SmallVec<[PlannedOperand; 4]>,
    pub(super) compute: Dtype,
    pub(super) outputs: SmallVec<[Dtype; 2]>,
}

pub(super) fn decide(question: &Question<'_>, given: &Given) -> Result<Decision> {
    let (function, specs) = (question.function, &given.specs);
    check_own_domains(question, specs)?;
    let (rule, common) = common_dtype(question, given)?;
    let to_float = match function.compute {
        ComputeRule::PromoteFloat | ComputeRule::InferFloat if common.is_int() || common.is_bool() => {
            Some(question.settings().defaults.float())
        }
        _ => None,
    };
    let compute = to_float.unwrap_or(common);
    if matches!(function.compute, ComputeRule::Promote | ComputeRule::PromoteFloat) {
        check_common_domain(question, specs, common)?;
    }
    let mut operands = SmallVec::<[PlannedOperand; 4]>::new();
    for (i, &spec) in specs.iter().enumerate() {
        operands.push(plan_operand(question, i, spec, compute)?);
    }
    let outputs = match function.variadic && function.operand(0).role == Role::Kept {
        // A list of arrays that keep their dtypes gives such a list.
        true => operands.iter().map(|o| o.dtype).collect(),
        false => function.outputs.iter().map(|&out| output_dtype(out, compute)).collect(),
    };
    Ok(Decision { rule, to_float, operands, compute, outputs })
}

fn output_dtype(rule: OutRule, compute: Dtype) -> Dtype {
    match rule {
        OutRule::Compute => compute,
        OutRule::RealPart => compute.real_part(),
        OutRule::Complex => compute.complex_of().unwrap_or(compute),
        OutRule::Bool => Dtype::BOOL,
        OutRule::Index => Dtype::INT64,
        OutRule::Exponent => Dtype::INT32,
    }
}

/// Each array operand by itself lies in the function's domain, and each host scalar that takes
/// no dtype from others.
fn check_own_domains(question: &Question<'_>, specs: &Specs) -> Result<()> {
    for (i, spec) in specs.iter().enumerate() {
        let (role, allowed) = (question.function.operand(i).role, question.function.domain_of(i));
        let dtype = match (spec, role) {
            (_, Role::Condition) | (OperandSpec::Absent, _) | (OperandSpec::Weak(..), Role::Promoted) => {
                continue;
            }
            (OperandSpec::Array(d) | OperandSpec::ZeroD(d) | OperandSpec::Weak(_, d), _) => *d,
        };
        if !allowed.contains(dtype) {
            return Err(outside(question, i, dtype, allowed));
        }
    }
    Ok(())
}

/// What the promoted operands have in common lies in the domain of each.
fn check_common_domain(question: &Question<'_>, specs: &Specs, common: Dtype) -> Result<()> {
    for i in 0..specs.len() {
        let allowed = question.function.domain_of(i);
        if question.function.operand(i).role == Role::Promoted && !allowed.contains(common) {
            return Err(outside(question, i, common, allowed));
        }
    }
    Ok(())
}

fn outside(question: &Question<'_>, operand: usize, dtype: Dtype, allowed: DtypeSet) -> crate::Error {
    let remedy = match dtype.kind() {
        crate::Kind::Complex => "Take `real`, `imag` or `abs` of it first",
        _ => "Cast it with `astype` first",
    };
    let function = question.function;
    ErrorKind::OutsideDomain {
        function: function.name,
        operand: function.operand(operand).name,
        dtype,
        allowed,
        remedy: remedy.into(),
    }
    .into()
}

fn common_dtype(question: &Question<'_>, given: &Given) -> Result<(Rule, Dtype)> {
    let (function, defaults) = (question.function, &question.settings().defaults);
    let (specs, argument) = (&given.specs, given.dtype.map(|d| (Rule::Argument, d)));
    match function.compute {
        ComputeRule::Promote => promote_operands(question, specs),
        ComputeRule::PromoteFloat => {
            let promoted = promote_operands(question, specs)?;
            Ok(argument.unwrap_or(promoted))
        }
        ComputeRule::Truth => Ok((Rule::Truth, Dtype::BOOL)),
        ComputeRule::Count if promoted_specs(question, specs).all(|s| s == OperandSpec::Absent) => {
            Ok((Rule::Inferred, Dtype::INT64))
        }
        ComputeRule::Accumulate | ComputeRule::Count => {
            let (_, from) = promote_operands(question, specs)?;
            Ok(argument.unwrap_or_else(|| match accumulate(from, defaults.int()) {
                same if same == from => (Rule::Operand, from),
                wide => (Rule::Accumulate { from }, wide),
            }))
        }
        ComputeRule::LikeOperand => match argument {
            Some(argument) => Ok(argument),
            None => match specs[0] {
                OperandSpec::Weak(_, fit) => Ok((Rule::Inferred, fit)),
                spec => Ok((Rule::Operand, spec.dtype().unwrap_or_else(|| defaults.dtype()))),
            },
        },
        ComputeRule::Default => Ok(argument.unwrap_or((Rule::Default, defaults.dtype()))),
        ComputeRule::Infer | ComputeRule::InferFloat => {
            let values: SmallVec<[Scalar; 4]> = question
                .operands
                .iter()
                .enumerate()
                .filter_map(|(i, o)| match o {
                    Operand::Scalar(s) if function.operand(i).role == Role::Value => Some(*s),
                    _ => None,
                })
                .collect();
            Ok(argument.unwrap_or((Rule::Inferred, defaults.of_values(&values))))
        }
    }
}

/// The dtype that a sum of `dtype` accumulates in and gives (decision S16): integers below the
/// default's width widen to it and keep their sign, also where the default is unsigned.
fn accumulate(dtype: Dtype, int: Dtype) -> Dtype {
    match dtype.kind() {
        crate::Kind::Bool => int,
        kind @ (crate::Kind::Int | crate::Kind::Uint) if dtype.bits() < int.bits() => {
            Dtype::all().find(|d| d.kind() == kind && d.bits() == int.bits()).unwrap_or(dtype)
        }
        _ => dtype,
    }
}

/// The operands that take part in promotion.
fn promoted_specs(question: &Question<'_>, specs: &Specs) -> impl Iterator<Item = OperandSpec> + Clone {
    let role = move |(i, _): &(usize, &OperandSpec)| question.function.operand(*i).role == Role::Promoted;
    specs.iter().enumerate().filter(role).map(|(_, spec)| *spec)
}

fn promote_operands(question: &Question<'_>, specs: &Specs) -> Result<(Rule, Dtype)> {
    let (function, rules) = (question.function.name, question.settings().rules);
    let defaults = &question.settings().defaults;
    let promoted = promoted_specs(question, specs);
    let arrays: SmallVec<[Dtype; 4]> = promoted.clone().filter_map(OperandSpec::dtype).collect();
    let weak: SmallVec<[_; 4]> = promoted
        .filter_map(|s| match s {
            OperandSpec::Weak(kind, fit) => Some((kind, fit)),
            _ => None,
        })
        .collect();
    if arrays.is_empty() {
        // Host scalars only: each as an array of its own dtype (spec I-35).
        let fits: SmallVec<[Dtype; 4]> = weak.iter().map(|w| w.1).collect();
        let common = promote_all(function, rules, &fits)?.unwrap_or_else(|| defaults.dtype());
        return Ok((Rule::Inferred, common));
    }
    let (mut rule, mut common) = match arrays[..] {
        [a] => (Rule::Same, a),
        [a, b] if a == b => {
            (Rule::Same, rules.lookup(a, b).ok_or_else(|| no_promotion(function, rules, a, b))?)
        }
        [row, column] => {
            let common =
                rules.lookup(row, column).ok_or_else(|| no_promotion(function, rules, row, column))?;
            (Rule::Table { row, column }, common)
        }
        _ => {
            let common = promote_all(function, rules, &arrays)?.expect("there are arrays");
            let rule = if arrays.iter().all(|&d| d == common) { Rule::Same } else { Rule::Several(arrays) };
            (rule, common)
        }
    };
    if let Some(kind) = weak.iter().map(|w| w.0).max() {
        rule = Rule::Scalar { dtype: common, kind };
        common = promote_scalars(function, rules, defaults, common, &weak)?;
    }
    Ok((rule, common))
}

fn plan_operand(
    question: &Question<'_>,
    i: usize,
    spec: OperandSpec,
    compute: Dtype,
) -> Result<PlannedOperand> {
    let function = question.function;
    let info = function.operand(i);
    let kept = spec.dtype().unwrap_or(match spec {
        OperandSpec::Weak(_, fit) => fit,
        _ => compute,
    });
    let dtype = match info.role {
        Role::Promoted => compute,
        Role::Kept | Role::Value => kept,
        Role::Index => Dtype::INT64,
        Role::Condition => {
            if spec != OperandSpec::Absent && !kept.is_bool() {
                return Err(outside(question, i, kept, DtypeSet::BOOL));
            }
            Dtype::BOOL
        }
    };
    let cast = spec.dtype().filter(|&from| from != dtype).map(|_| dtype);
    // A host value becomes an element of the result.
    let to = if info.role == Role::Value { compute } else { dtype };
    if spec != OperandSpec::Absent && kept.is_complex() && !to.is_complex() && !to.is_bool() {
        return Err(ErrorKind::CastRefused {
            function: function.name,
            from: kept,
            to,
            rule: "a complex number has no real value",
            remedy: "Take `real`, `imag` or `abs` of it",
        }
        .into());
    }
    Ok(PlannedOperand { name: info.name, spec, mode: None, cast, dtype })
}
