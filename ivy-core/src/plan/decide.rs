//! Which dtype a call computes in, and which dtypes come out: dtypes only, no backend.

use super::{CategoryStep, OperandSpec, PlannedOperand, Question, Rule, Stage, note};
use crate::array::Operand;
use crate::function::{ComputeRule, OutRule, Role};
use crate::promotion::{Category, Common, Rules, becomes, promote_specs};
use crate::{Dtype, DtypeSet, ErrorKind, Result, Scalar};
use ivy_dtype_tables::cell;
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
        let rules = question.settings().rules;
        let spec = |(i, o): (usize, &Operand<'_>)| match question.weak >> i.min(63) & 1 {
            0 => o.spec(defaults),
            _ => o.spec(defaults).weakly(),
        };
        let specs = question.operands.iter().enumerate().map(spec).collect();
        Given { specs, dtype: question.params.dtype().map(|d| rules.canonical(d)) }
    }
}

/// The dtype part of a plan.
pub(super) struct Decision {
    pub(super) rule: Rule,
    pub(super) to_float: Option<Dtype>,
    pub(super) category: Option<CategoryStep>,
    pub(super) weak: bool,
    pub(super) operands: SmallVec<[PlannedOperand; 4]>,
    pub(super) compute: Dtype,
    pub(super) outputs: SmallVec<[Dtype; 2]>,
    /// Whether results are then cast to these.
    pub(super) cast_results: bool,
}

pub(super) fn decide(question: &Question<'_>, given: &Given) -> Result<Decision> {
    let (function, specs) = (question.rules_of(), &given.specs);
    let name = question.function.name;
    note(name, Stage::Domain, || specs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    check_own_domains(question, specs)?;
    check_truth(question, specs)?;
    note(name, Stage::Promotion, || format!("{} rules", question.settings().rules));
    let Chosen { rule, common, weak } = common_dtype(question, given)?;
    let Computed { rule, compute, values, to_float, category } = computed(question, rule, common)?;
    let named = function.compute == ComputeRule::LikeOperand && given.dtype.is_some();
    if named || matches!(function.compute, ComputeRule::Promote | ComputeRule::PromoteFloat) {
        check_common_domain(question, specs, common, compute)?;
    }
    let mut operands = SmallVec::<[PlannedOperand; 4]>::new();
    for (i, &spec) in specs.iter().enumerate() {
        operands.push(plan_operand(question, i, spec, compute)?);
    }
    let mut cast_results = false;
    let outputs = match function.variadic && function.operand(0).role == Role::Kept {
        // A list of arrays that keep their dtypes gives such a list.
        true => operands.iter().map(|o| o.dtype).collect(),
        false => {
            let given = given_dtype(question, specs, values);
            let out = |&rule: &OutRule| {
                let (made, wanted) = output_dtype(question, rule, compute, values, given);
                cast_results |= made != wanted;
                wanted
            };
            function.outputs.iter().map(out).collect()
        }
    };
    // A truth value or an index has a dtype of its own.
    let weak = weak && !matches!(function.outputs[..], [OutRule::Bool | OutRule::Index | OutRule::Exponent]);
    Ok(Decision { rule, to_float, category, weak, operands, compute, outputs, cast_results })
}

/// What a call computes in, and what its values are then.
struct Computed {
    rule: Rule,
    compute: Dtype,
    /// The dtype of the values that come out: another one than computed in where a framework gives integers of a
    /// function that computes in floats.
    values: Dtype,
    to_float: Option<Dtype>,
    category: Option<CategoryStep>,
}

/// What the rules' category of the function makes of the dtype that the operands have in common.
fn computed(question: &Question<'_>, rule: Rule, common: Dtype) -> Result<Computed> {
    let (function, settings) = (question.rules_of(), question.settings());
    let (rules, defaults) = (settings.rules, &settings.defaults);
    // Between ends there are whole numbers as well, where they are asked for.
    let whole = rule == Rule::Argument && function.operands.iter().any(|o| o.role == Role::End);
    let mut computed = Computed { rule, compute: common, values: common, to_float: None, category: None };
    let is_integer = |d: Dtype| d.is_int() || d.is_bool();
    let float = matches!(function.compute, ComputeRule::PromoteFloat);
    if function.compute == ComputeRule::InferFloat && is_integer(common) && !whole {
        computed.compute = defaults.float();
        (computed.values, computed.to_float) = (computed.compute, Some(computed.compute));
    }
    let sums = matches!(function.compute, ComputeRule::Accumulate | ComputeRule::Count);
    let chosen = sums && matches!(computed.rule, Rule::Argument | Rule::Inferred);
    let applies = float || sums && !chosen || function.compute == ComputeRule::Promote;
    let Some(category) = function.rule_category().filter(|_| applies) else { return Ok(computed) };
    let entry = rules.category(category).computes[common.index()];
    let Some(to) = becomes(rules, defaults, entry, common) else {
        return Err(refused(question, category, common));
    };
    if sums && to.is_bool() {
        return Err(uncounted(question, category, common));
    }
    match entry {
        cell::ACCUMULATE if to != common => computed.rule = Rule::Accumulate { from: common },
        cell::ACCUMULATE => computed.rule = Rule::Operand,
        cell::DEFAULT_FLOAT if float && is_integer(common) => computed.to_float = Some(to),
        _ if to != common => computed.category = Some(CategoryStep { category, from: common, to }),
        _ => {}
    }
    (computed.compute, computed.values) = (to, to);
    if float && is_integer(to) {
        // The function itself is one of floats; float64 holds what it has of most integers.
        computed.compute = rules.canonical(Dtype::FLOAT64);
    }
    Ok(computed)
}

/// The dtype that the rules give results, if they say one: by the values', of truth by the operand's.
fn given_dtype(question: &Question<'_>, specs: &Specs, values: Dtype) -> Option<Dtype> {
    let settings = question.settings();
    let function = question.rules_of();
    let of = match function.compute {
        ComputeRule::Truth => specs.first().and_then(|s| s.own()).unwrap_or(values),
        _ => values,
    };
    let entry = settings.rules.category(function.rule_category()?).gives[of.index()];
    if entry == cell::OWN { None } else { becomes(settings.rules, &settings.defaults, entry, of) }
}

/// The dtype of a result as the function makes it, and as the rules have it.
fn output_dtype(
    question: &Question<'_>,
    rule: OutRule,
    compute: Dtype,
    values: Dtype,
    given: Option<Dtype>,
) -> (Dtype, Dtype) {
    let of = |compute: Dtype| match rule {
        OutRule::Compute => compute,
        OutRule::RealPart => compute.real_part(),
        OutRule::Complex => compute.complex_of().unwrap_or(compute),
        OutRule::Bool => Dtype::BOOL,
        OutRule::Index => question.params.dtype().unwrap_or(Dtype::INT64),
        OutRule::Position => Dtype::INT64,
        OutRule::Counted => question.params.dtype().unwrap_or(compute),
        OutRule::Exponent => Dtype::INT32,
    };
    let own = match rule {
        OutRule::Index => question.params.dtype().unwrap_or(question.settings().rules.index_dtype()),
        OutRule::Position => question.settings().rules.index_dtype(),
        _ => of(values),
    };
    (of(compute), given.unwrap_or(own))
}

/// A dtype that the rules' category of the function has no answer for.
fn refused(question: &Question<'_>, category: Category, dtype: Dtype) -> crate::Error {
    let rules = question.settings().rules;
    let why = format!("So the {rules} rules have it ({})", rules.category_table());
    outside_category(question, dtype, rules.refused_by(category), &why)
}

/// A dtype that the rules keep in a sum or product: bool, in which nothing is counted.
fn uncounted(question: &Question<'_>, category: Category, dtype: Dtype) -> crate::Error {
    let rules = question.settings().rules;
    let why =
        format!("The {rules} rules keep {dtype}, in which nothing adds up ({})", rules.category_table());
    let refused = rules.refused_by(category) | dtype;
    outside_category(question, dtype, refused, &why)
}

fn outside_category(question: &Question<'_>, dtype: Dtype, refused: DtypeSet, why: &str) -> crate::Error {
    let function = question.function;
    let operand =
        (0..function.operands.len()).find(|&i| function.operand(i).role == Role::Promoted).unwrap_or(0);
    ErrorKind::OutsideDomain {
        function: function.name,
        operand: function.operand(operand).name,
        dtype,
        allowed: question.rules_of().domain_of(operand) - refused,
        remedy: format!("{why}. Cast it with `astype` first"),
    }
    .into()
}

/// Each array operand by itself lies in the function's domain, and each host scalar that takes
/// no dtype from others.
fn check_own_domains(question: &Question<'_>, specs: &Specs) -> Result<()> {
    let settings = question.settings();
    // Under the library's own rules domains stand as they are.
    let category = question.rules_of().rule_category().filter(|_| is_framework(question));
    let row = category.map(|c| settings.rules.category(c));
    for (i, spec) in specs.iter().enumerate() {
        let (role, allowed) = (question.function.operand(i).role, question.rules_of().domain_of(i));
        let dtype = match (spec, role) {
            (_, Role::Condition)
            | (OperandSpec::Absent, _)
            | (OperandSpec::Weak(..) | OperandSpec::Valued { is_array: false, .. }, Role::Promoted) => {
                continue;
            }
            (spec, Role::Promoted) => {
                let own = spec.own().unwrap_or(Dtype::BOOL);
                // What the rules make another dtype of is one that the function takes, if the other is.
                let entry = row.map_or(cell::SAME, |r| r.computes[settings.rules.canonical(own).index()]);
                match becomes(settings.rules, &settings.defaults, entry, own) {
                    Some(to) if !allowed.contains(own) && allowed.contains(to) => to,
                    _ => own,
                }
            }
            (spec, _) => spec.own().unwrap_or(Dtype::BOOL),
        };
        if !allowed.contains(dtype) {
            return Err(outside(question, i, dtype, allowed));
        }
    }
    Ok(())
}

/// A reduction of truth values (`all`, `any`, `count_nonzero`) takes any dtype but those that the rules refuse it.
fn check_truth(question: &Question<'_>, specs: &Specs) -> Result<()> {
    let (function, settings) = (question.rules_of(), question.settings());
    let category = function.rule_category().filter(|_| function.compute == ComputeRule::Truth);
    let (Some(category), Some(own)) = (category, specs.first().and_then(|s| s.own())) else { return Ok(()) };
    let entry = settings.rules.category(category).computes[settings.rules.canonical(own).index()];
    match becomes(settings.rules, &settings.defaults, entry, own) {
        Some(_) => Ok(()),
        None => Err(refused(question, category, own)),
    }
}

/// What the promoted operands have in common lies in the domain of each.
fn check_common_domain(question: &Question<'_>, specs: &Specs, common: Dtype, compute: Dtype) -> Result<()> {
    for i in 0..specs.len() {
        let allowed = question.rules_of().domain_of(i);
        if question.function.operand(i).role == Role::Promoted
            && !allowed.contains(common)
            && !allowed.contains(compute)
        {
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

/// The dtype that decides, with its rule.
struct Chosen {
    rule: Rule,
    common: Dtype,
    weak: bool,
}

impl From<(Rule, Dtype)> for Chosen {
    fn from((rule, common): (Rule, Dtype)) -> Chosen {
        Chosen { rule, common, weak: false }
    }
}

fn common_dtype(question: &Question<'_>, given: &Given) -> Result<Chosen> {
    let (function, defaults) = (question.rules_of(), &question.settings().defaults);
    let (specs, argument) = (&given.specs, given.dtype.map(|d| (Rule::Argument, d)));
    let strong =
        question.rules_of().rule_category().is_none_or(|c| question.settings().rules.category(c).strong);
    let promoted = |keeps_rule: bool| -> Result<Chosen> {
        let Common { rule, dtype, weak } = promote_operands(question, specs)?;
        let rule = if keeps_rule { rule } else { Rule::Operand };
        Ok(Chosen { rule, common: dtype, weak: weak && !strong })
    };
    let chosen = match function.compute {
        ComputeRule::Promote => return promoted(true),
        ComputeRule::PromoteFloat => {
            let promoted = promoted(true)?;
            check_float_argument(question, given.dtype)?;
            return Ok(argument.map_or(promoted, Chosen::from));
        }
        ComputeRule::Truth => (Rule::Truth, Dtype::BOOL),
        ComputeRule::Count if promoted_specs(question, specs).all(|s| s == OperandSpec::Absent) => {
            (Rule::Inferred, question.settings().rules.index_dtype())
        }
        ComputeRule::Accumulate | ComputeRule::Count => {
            let promoted = promoted(false)?;
            return Ok(argument.map_or(promoted, Chosen::from));
        }
        ComputeRule::LikeOperand => match argument {
            Some(argument) => argument,
            None => match specs[0] {
                OperandSpec::Weak(_, own) | OperandSpec::Valued { own, is_array: false, .. } => {
                    (Rule::Inferred, own)
                }
                OperandSpec::WeakArray(dtype) => {
                    return Ok(Chosen { rule: Rule::Operand, common: dtype, weak: true });
                }
                spec => (Rule::Operand, spec.dtype().unwrap_or_else(|| defaults.dtype())),
            },
        },
        ComputeRule::Default => argument.unwrap_or((Rule::Default, defaults.dtype())),
        ComputeRule::Infer | ComputeRule::InferFloat => {
            let values: SmallVec<[Scalar; 4]> = question
                .operands
                .iter()
                .enumerate()
                .filter_map(|(i, o)| match o {
                    Operand::Scalar(s) if function.operand(i).role.keeps_scalars() => Some(*s),
                    _ => None,
                })
                .collect();
            match (argument, bounds_dtype(question, specs)?) {
                (Some(argument), _) => argument,
                (None, Some(dtype)) => (Rule::Operand, dtype),
                (None, None) => (Rule::Inferred, defaults.of_values(&values)),
            }
        }
    };
    Ok(chosen.into())
}

/// Refuses an integer `dtype=` of a function that computes in floats, unless a framework's rules give it a meaning.
fn check_float_argument(question: &Question<'_>, argument: Option<Dtype>) -> Result<()> {
    let counts = question.rules_of().outputs.contains(&OutRule::Counted);
    match argument {
        Some(dtype) if !dtype.is_float() && !dtype.is_complex() && !is_framework(question) && !counts => {
            let (function, argument, value) = (question.function.name, "dtype", dtype.to_string());
            let rule = "a float or complex dtype is needed, since the function computes in floats";
            Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into())
        }
        _ => Ok(()),
    }
}

/// Whether the rules in force are a framework's, which may make of a dtype one that the function takes.
fn is_framework(question: &Question<'_>) -> bool {
    question.settings().rules.category_table() != Rules::Precise.category_table()
}

/// What the ends of a range promote to, if one of them is an array.
fn bounds_dtype(question: &Question<'_>, specs: &Specs) -> Result<Option<Dtype>> {
    let is_end = |i: usize| question.function.operand(i).role == Role::End;
    let is_array = |(i, o): (usize, &Operand<'_>)| is_end(i) && matches!(o, Operand::Array(_));
    if !question.operands.iter().enumerate().any(is_array) {
        return Ok(None);
    }
    let settings = question.settings();
    let bounds = specs.iter().enumerate().filter(|(i, _)| is_end(*i)).map(|(_, spec)| *spec);
    let common = promote_specs(question.function.name, settings.rules, &settings.defaults, None, bounds)?;
    Ok(Some(common.dtype))
}

/// The operands that take part in promotion.
fn promoted_specs(question: &Question<'_>, specs: &Specs) -> impl Iterator<Item = OperandSpec> + Clone {
    let role = move |(i, _): &(usize, &OperandSpec)| question.function.operand(*i).role == Role::Promoted;
    specs.iter().enumerate().filter(role).map(|(_, spec)| *spec)
}

fn promote_operands(question: &Question<'_>, specs: &Specs) -> Result<Common> {
    let settings = question.settings();
    let row = question.rules_of().rule_category().map(|c| settings.rules.category(c));
    promote_specs(
        question.function.name,
        settings.rules,
        &settings.defaults,
        row,
        promoted_specs(question, specs),
    )
}

fn plan_operand(
    question: &Question<'_>,
    i: usize,
    spec: OperandSpec,
    compute: Dtype,
) -> Result<PlannedOperand> {
    let function = question.function;
    let info = function.operand(i);
    let kept = spec.own().unwrap_or(compute);
    let dtype = match info.role {
        Role::Promoted => compute,
        Role::Kept | Role::Value | Role::End => kept,
        Role::Index => Dtype::INT64,
        Role::Condition => {
            // Numbers that a function takes as a condition hold where they are not zero.
            let allowed = if spec.dtype().is_some() { function.domain_of(i) } else { DtypeSet::BOOL };
            if spec != OperandSpec::Absent && !allowed.contains(kept) {
                return Err(outside(question, i, kept, allowed));
            }
            Dtype::BOOL
        }
    };
    let cast = spec.dtype().filter(|&from| from != dtype).map(|_| dtype);
    // A host value becomes an element of the result.
    let to = if info.role.keeps_scalars() { compute } else { dtype };
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
