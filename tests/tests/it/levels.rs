//! Operands of different levels: each public function with one operand inside a transformation, and the others constant.
//!
//! What a function gives of constants it gives of such operands, under derivatives and mapped over a batch, or it says
//! that it cannot be transformed. Its operands never count as those of two backends.

use ivy::function::{Category, ParamValue, Role, functions};
use ivy::prelude::*;
use ivy::{Error, ErrorKind, Function, Operand, Result, Vmap};
use ivy_conformance::expect::Combination;
use ivy_conformance::sample::cases;
use ivy_conformance::truth::Arg;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Calls of a function that are tried.
const CALLS: usize = 6;

/// Float64 wherever a function takes it, with all operands that there are and with those that are needed.
fn combinations(function: &'static Function) -> Vec<Combination> {
    let dtype = |role: Role| match role {
        Role::Value => None,
        Role::Index => Some(Dtype::INT64),
        Role::Condition => Some(Dtype::BOOL),
        _ => Some(Dtype::FLOAT64),
    };
    if function.variadic {
        return vec![Combination { operands: vec![Some(Dtype::FLOAT64); 2], dtype: None }];
    }
    let all = function.operands.iter().map(|o| dtype(o.role)).collect();
    let needed = function.operands.iter().map(|o| dtype(o.role).filter(|_| !o.optional)).collect();
    vec![Combination { operands: all, dtype: None }, Combination { operands: needed, dtype: None }]
}

/// A call of which operands can be replaced.
struct Call {
    function: &'static Function,
    operands: Vec<Operand<'static>>,
    keywords: Vec<(&'static str, ParamValue)>,
}

impl Call {
    fn run(&self, at: usize, with: &Array) -> Result<Vec<Array>> {
        let mut operands = self.operands.clone();
        operands[at] = Operand::Array(Cow::Owned(with.clone()));
        let mut params = (self.function.params)();
        for (name, value) in &self.keywords {
            params.set(self.function.name, name, value.clone())?;
        }
        Ok(ivy::call(self.function, &operands, &*params)?.into_vec())
    }

    /// Whether what it gives is the same each time.
    fn is_fixed(&self) -> bool {
        self.function.category != Category::Random
            && !self.keywords.iter().any(|(name, _)| name.starts_with("dropout") || *name == "prob")
    }
}

/// The same dtypes, shapes and elements, but for rounding.
fn same(a: &[Array], b: &[Array]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            (a.dtype(), a.shape()) == (b.dtype(), b.shape()) && {
                let near = ivy::isclose(a, b, ivy::IsClose::new().rtol(1e-9).atol(1e-9).equal_nan());
                ivy::all(near.unwrap(), ()).unwrap().item::<bool>().unwrap()
            }
        })
}

/// Whether a function may say so of an operand that is transformed.
fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotTransformable { .. } | ErrorKind::TracedRead { .. })
}

#[test]
fn every_function_takes_one_operand_of_an_inner_level() {
    ivy::with_backend("ndarray", walk).unwrap();
}

fn walk() {
    let (mut done, mut refused, mut faults) = (0, BTreeSet::new(), BTreeSet::new());
    for function in functions() {
        for c in combinations(function) {
            for case in cases(function, &c, 1).into_iter().take(CALLS) {
                let operand = |arg: &Arg| match arg {
                    Arg::Array(tensor) => {
                        let backend = ivy::backend::backend("ndarray").unwrap();
                        Operand::Array(Cow::Owned(Array::from_host(&backend, tensor.to_host()).unwrap()))
                    }
                    Arg::Scalar(scalar) => Operand::Scalar(*scalar),
                    Arg::Absent => Operand::Absent,
                };
                let operands: Vec<Operand<'static>> = case.operands.iter().map(operand).collect();
                let call = Call { function, operands, keywords: case.keywords.clone() };
                for at in 0..call.operands.len() {
                    let Operand::Array(x) = &call.operands[at] else { continue };
                    let x = x.as_ref().clone();
                    let Ok(plain) = call.run(at, &x) else { continue };
                    let batch = ivy::expand_dims(&x, 0).unwrap();
                    let batches: Vec<Array> = plain.iter().map(|y| ivy::expand_dims(y, 0).unwrap()).collect();
                    let mut found =
                        vec![("vmap", ivy::vmap(|x: &Array| call.run(at, x), Vmap::new())(&batch), &batches)];
                    if x.dtype().is_float() {
                        let zeros = ivy::zeros_like(&x, ()).unwrap();
                        let forward = ivy::jvp(|x: &Array| call.run(at, x), &x, &zeros).map(|(y, _)| y);
                        let reverse = ivy::vjp(|x: &Array| call.run(at, x), &x).map(|(y, _)| y);
                        found.extend([("jvp", forward, &plain), ("vjp", reverse, &plain)]);
                    }
                    for (how, found, wanted) in found {
                        let name = format!("{} by operand {at} under {how}", function.name);
                        match found {
                            Ok(found) if !call.is_fixed() || same(&found, wanted) => done += 1,
                            Ok(_) => {
                                faults.insert(format!("{name}: other elements ({:?})", call.keywords));
                            }
                            Err(error) if is_refusal(&error) => {
                                refused.insert(name);
                            }
                            Err(error) => {
                                faults.insert(format!("{name}: {error}"));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
    assert!(done > 15000, "{done} done");
    insta::assert_snapshot!(refused.into_iter().collect::<Vec<_>>().join("\n"));
}
