//! Which dtypes a call must compute in and give, or which refusal must come: the rules of the
//! decisions applied to a descriptor, without the library's planner.

use ivy_core::function::{ComputeRule, OutRule, Role};
use ivy_core::promotion::promote_all;
use ivy_core::{Defaults, Dtype, ErrorKind, Function, Kind, Rules, Scalar};

/// The dtypes of one call: of each operand (`None` where it is left out or a host scalar), the
/// host scalars, and `dtype=`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Combination {
    /// The dtype of each array operand.
    pub operands: Vec<Option<Dtype>>,
    /// The `dtype=` argument.
    pub dtype: Option<Dtype>,
}

impl Combination {
    /// What a cell is called: the dtypes in order, `-` for an operand without one.
    pub fn names(&self) -> Vec<String> {
        let name = |d: &Option<Dtype>| d.map_or("-".to_string(), |d| d.name().to_string());
        let mut names: Vec<String> = self.operands.iter().map(name).collect();
        while names.last().is_some_and(|n| n == "-") {
            names.pop();
        }
        names.extend(self.dtype.map(|d| format!("dtype={d}")));
        names
    }
}

/// What a call must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Compute in a dtype and give results of dtypes; the last also stands for those that follow.
    Compute {
        /// The dtype computed in.
        compute: Dtype,
        /// The results' dtypes.
        outputs: Vec<Dtype>,
    },
    /// Be refused on every backend.
    Refuse(Refusal),
}

/// Why a call lies outside a function's domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A dtype that the function does not take.
    OutsideDomain,
    /// No common dtype.
    NoPromotion,
    /// A conversion from complex to real.
    Cast,
}

impl Refusal {
    /// Whether an error says this.
    pub fn matches(self, error: &ErrorKind) -> bool {
        match self {
            // Complex numbers that a cast would drop may be met by either rule first.
            Refusal::OutsideDomain => {
                matches!(error, ErrorKind::OutsideDomain { .. } | ErrorKind::CastRefused { .. })
            }
            Refusal::NoPromotion => matches!(error, ErrorKind::NoPromotion { .. }),
            Refusal::Cast => matches!(error, ErrorKind::CastRefused { .. } | ErrorKind::OutsideDomain { .. }),
        }
    }
}

/// What a call of a function with these dtypes (and host values, for functions that infer from
/// them) must do under the precise rules and default dtypes.
pub fn expect(function: &'static Function, c: &Combination, values: &[Scalar]) -> Expectation {
    let refuse = Expectation::Refuse;
    for (i, dtype) in c.operands.iter().enumerate() {
        let Some(dtype) = *dtype else { continue };
        if !function.domain_of(i).contains(dtype) {
            return refuse(Refusal::OutsideDomain);
        }
    }
    let defaults = Defaults::default();
    let compute = match function.compute {
        ComputeRule::Promote | ComputeRule::PromoteFloat | ComputeRule::Accumulate | ComputeRule::Count => {
            let promoted: Vec<Dtype> = (0..c.operands.len())
                .filter(|&i| function.operand(i).role == Role::Promoted)
                .filter_map(|i| c.operands[i])
                .collect();
            let common = match promote_all(function.name, Rules::Precise, &promoted) {
                Ok(Some(common)) => common,
                Ok(None) if function.compute == ComputeRule::Count => Dtype::INT64,
                Ok(None) => defaults.of_values(values),
                Err(_) => return refuse(Refusal::NoPromotion),
            };
            match function.compute {
                ComputeRule::PromoteFloat => match c.dtype.unwrap_or(common) {
                    d if d.is_int() || d.is_bool() => defaults.float(),
                    d => d,
                },
                ComputeRule::Accumulate | ComputeRule::Count => {
                    c.dtype.unwrap_or_else(|| accumulator(common, &defaults))
                }
                _ => common,
            }
        }
        ComputeRule::Truth => Dtype::BOOL,
        ComputeRule::LikeOperand => {
            let promoted = |i: &usize| function.operand(*i).role == Role::Promoted;
            let outside =
                |d: Dtype| (0..c.operands.len()).filter(promoted).any(|i| !function.domain_of(i).contains(d));
            if c.dtype.is_some_and(outside) {
                return refuse(Refusal::OutsideDomain);
            }
            c.dtype.or(c.operands.first().copied().flatten()).unwrap_or_else(|| defaults.dtype())
        }
        ComputeRule::Default => c.dtype.unwrap_or_else(|| defaults.dtype()),
        ComputeRule::Infer => c.dtype.unwrap_or_else(|| defaults.of_values(values)),
        ComputeRule::InferFloat => c.dtype.unwrap_or_else(|| match defaults.of_values(values) {
            d if d.is_int() || d.is_bool() => defaults.float(),
            d => d,
        }),
    };
    for (i, dtype) in c.operands.iter().enumerate() {
        let Some(dtype) = *dtype else { continue };
        if function.operand(i).role != Role::Promoted {
            continue;
        }
        let rule = function.compute;
        if matches!(rule, ComputeRule::Promote | ComputeRule::PromoteFloat)
            && !function.domain_of(i).contains(promoted_only(function, c, compute))
        {
            return refuse(Refusal::OutsideDomain);
        }
        if dtype.is_complex() && !compute.is_complex() && !compute.is_bool() {
            return refuse(Refusal::Cast);
        }
    }
    if function.variadic && function.operand(0).role == Role::Kept {
        return Expectation::Compute { compute, outputs: c.operands.iter().flatten().copied().collect() };
    }
    let output = |rule: &OutRule| match rule {
        OutRule::Compute => compute,
        OutRule::RealPart => compute.real_part(),
        OutRule::Complex if compute == Dtype::FLOAT64 || compute == Dtype::COMPLEX128 => Dtype::COMPLEX128,
        OutRule::Complex => Dtype::COMPLEX64,
        OutRule::Bool => Dtype::BOOL,
        OutRule::Index => c.dtype.unwrap_or(Dtype::INT64),
        OutRule::Position => Dtype::INT64,
        OutRule::Counted => c.dtype.unwrap_or(compute),
        OutRule::Exponent => Dtype::INT32,
    };
    Expectation::Compute { compute, outputs: function.outputs.iter().map(output).collect() }
}

/// The operands' common dtype before integers become floats.
fn promoted_only(function: &'static Function, c: &Combination, compute: Dtype) -> Dtype {
    let promoted: Vec<Dtype> = (0..c.operands.len())
        .filter(|&i| function.operand(i).role == Role::Promoted)
        .filter_map(|i| c.operands[i])
        .collect();
    promote_all(function.name, Rules::Precise, &promoted).ok().flatten().unwrap_or(compute)
}

/// Sums widen small integers to the default width (decision S16); bool counts as integer.
fn accumulator(dtype: Dtype, defaults: &Defaults) -> Dtype {
    let int = defaults.int();
    match dtype.kind() {
        Kind::Bool => int,
        Kind::Int if dtype.bits() < int.bits() => int,
        Kind::Uint if dtype.bits() < int.bits() => {
            Dtype::all().find(|d| d.is_uint() && d.bits() == int.bits()).unwrap_or(dtype)
        }
        _ => dtype,
    }
}
