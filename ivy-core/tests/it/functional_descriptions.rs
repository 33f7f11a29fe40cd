//! Every function by its description alone, as bindings and tools call it: on its example shapes,
//! with its own parameters, on a backend and on the backend's abstract form.

use ivy::function::{Role, functions};
use ivy::prelude::*;
use ivy::{Function, Operand, Result, Shape, call};

/// Operands of a function's example shapes: ones, which every dtype has and every index takes.
fn operands(function: &'static Function, dtype: Dtype) -> Result<Vec<Operand<'static>>> {
    let count = if function.variadic { function.example.len() } else { function.operands.len() };
    (0..count)
        .map(|i| {
            let info = function.operand(i);
            let dtype = match info.role {
                // Ascending: some are the ends of a range.
                Role::Value | Role::End => return Ok(Operand::Scalar((i + 1).into())),
                Role::Condition => Dtype::BOOL,
                Role::Index => Dtype::INT64,
                _ => dtype,
            };
            match function.example.get(i) {
                Some(&shape) => Ok(Operand::Array(std::borrow::Cow::Owned(ivy::ones(shape, dtype)?))),
                None => Ok(Operand::Absent),
            }
        })
        .collect()
}

fn signature(arrays: &[Array]) -> Vec<(Dtype, Shape)> {
    arrays.iter().map(|x| (x.dtype(), x.shape().clone())).collect()
}

#[test]
fn examples_run_and_agree_with_the_abstract_backend() -> Result<()> {
    // How long these results are depends on values, so the abstract ones have upper bounds.
    let by_value = |f: &Function| matches!(f.name, "nonzero" | "bincount") || f.name.starts_with("unique");
    let mut tried = 0;
    for function in functions() {
        // Arrays of any rank, that the example does not show, stand for optional operands.
        let preferred = [Dtype::FLOAT32, Dtype::BOOL, Dtype::INT32, Dtype::COMPLEX64, Dtype::UINT32];
        let takes = |d: &Dtype| {
            (0..function.operands.len()).all(|i| {
                let own = matches!(function.operand(i).role, Role::Promoted | Role::Kept);
                !own || function.domain_of(i).contains(*d)
            })
        };
        let dtype = preferred.into_iter().find(takes).expect("a dtype for each function");
        let given = operands(function, dtype)?;
        let params = (function.params)();
        let results = call(function, &given, &*params).unwrap_or_else(|e| panic!("{}: {e}", function.name));
        let backend = ivy::context::current_backend()?.to_abstract();
        let abstracted: Vec<Operand<'_>> = given
            .iter()
            .map(|o| match o {
                Operand::Array(x) => {
                    let value = ivy::backend::AbstractBackend::value(x.dtype(), x.shape().clone());
                    Operand::Array(std::borrow::Cow::Owned(Array::from_value(backend.clone(), value)))
                }
                other => other.clone(),
            })
            .collect();
        let planned = ivy::with(&Context::new().backend(&backend), || call(function, &abstracted, &*params))
            .unwrap_or_else(|e| panic!("{} on the abstract backend: {e}", function.name));
        let (results, planned) = (signature(&results), signature(&planned));
        match by_value(function) {
            true => assert!(results.iter().map(|r| r.0).eq(planned.iter().map(|r| r.0)), "{}", function.name),
            false => assert_eq!(results, planned, "{}", function.name),
        }
        tried += 1;
    }
    assert!(tried > 100, "{tried} functions");
    Ok(())
}
