//! The docs of the functions, from their descriptions.

use crate::signature::{Callee, Signature};
use ivy::function::{Bound, ComputeRule, Function, Role};

/// The docs of a function.
pub(crate) fn of(signature: &Signature) -> String {
    let head = format!("{}({})", signature.name, signature.text());
    match signature.callee {
        Callee::Special(_) if signature.name == "native_array" => format!("{head}\n\nAs `asarray`."),
        Callee::Special(_) => format!("{head}\n\nAs the Array API standard 2025.12 has it."),
        Callee::Described(function) => format!("{head}\n\n{}", described(function)),
    }
}

fn described(function: &'static Function) -> String {
    let mut lines = Vec::new();
    for (i, operand) in function.operands.iter().enumerate() {
        let role = match operand.role {
            Role::Promoted => "",
            Role::Kept => ", which keeps its dtype",
            Role::Index => ", indices or counts",
            Role::Condition => ", a condition",
            Role::Value => ", a Python number",
            Role::End => ", a Python number or an array",
        };
        let list = if function.variadic { " (each of the arrays)" } else { "" };
        lines.push(format!("{}{list}: {}{role}", operand.name, function.domain_of(i)));
    }
    lines.push(format!("Computes in {}; {}.", rule(function.compute), bound(function.bound)));
    lines.join("\n")
}

fn rule(rule: ComputeRule) -> &'static str {
    match rule {
        ComputeRule::Promote => "the dtype that the operands promote to",
        ComputeRule::PromoteFloat => {
            "the dtype that the operands promote to, integers and bool in the default float dtype"
        }
        ComputeRule::Accumulate => {
            "dtype, else the operand's own with narrow integers widened to the default one"
        }
        ComputeRule::Count => "the dtype of the operands' sum; int64 without any that has a dtype of its own",
        ComputeRule::Truth => "bool",
        ComputeRule::LikeOperand => "dtype where there is one, else the operand's own",
        ComputeRule::Default => "dtype, else the default dtype",
        ComputeRule::Infer => "dtype, else the default dtype of the numbers",
        ComputeRule::InferFloat => "dtype, else the default dtype of the numbers, at least a float",
    }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Exact => "exact, rounded once".into(),
        Bound::Ulp { float32, float64 } => format!("within {float32} ULP, in float64 {float64}"),
        Bound::Sum => "within 4 (1 + log2 n) eps sum|x|".into(),
        Bound::Composed(units) => format!("within {units} eps"),
        _ => "within n eps of the norms of the operands".into(),
    }
}
