//! Plans in words.

use super::{OperandSpec, Plan, Rule, State};
use crate::array::{Array, Operand};
use crate::backend::{AbstractBackend, BackendRef};
use crate::function::{Bound, ParamValue, Role, find_function};
use crate::{Dtype, ErrorKind, Result, Rules, Scalar, context, plan_call};
use std::{borrow::Cow, fmt};

impl fmt::Display for Plan {
    /// The call, then a line each for the rule, the casts, the dtype computed in, how it runs,
    /// the calls below it, and the results.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.function.name)?;
        list(f, self.operands.iter().filter(|o| o.spec != OperandSpec::Absent).map(|o| o.spec))?;
        writeln!(f, ") on {} {}", self.backend, self.version)?;
        writeln!(f, "  rule      {}", self.rule_text())?;
        if let Some(float) = self.to_float {
            writeln!(f, "            integers and bool compute in the default float dtype, {float}")?;
        }
        let mut casts = self.casts().peekable();
        write!(f, "  casts     ")?;
        if casts.peek().is_none() {
            f.write_str("none")?;
        }
        list(f, casts)?;
        writeln!(f, "\n  computes  {}", self.compute)?;
        writeln!(f, "  runs      {}", self.state_text())?;
        for step in &self.steps {
            let detail = step.state.detail().map_or(String::new(), |d| format!(": {d}"));
            writeln!(f, "            {} in {}, {}{detail}", step.function, step.compute, step.state.name())?;
        }
        for (i, note) in self.notes.iter().enumerate() {
            writeln!(f, "  {:9} {note}", if i == 0 { "table" } else { "" })?;
        }
        if let Some(bound) = self.bound_text() {
            writeln!(f, "  error     {bound}")?;
        }
        write!(f, "  result    ")?;
        list(f, self.outputs.iter())?;
        match self.cast_back {
            Some(asked) => write!(f, " (computed in {}, cast back to dtype={asked})", self.compute),
            None => Ok(()),
        }
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = T>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl Plan {
    /// The casts that the plan puts before the op, as `x1: int32 -> float64`.
    pub fn casts(&self) -> impl Iterator<Item = String> + '_ {
        self.operands.iter().filter_map(|o| match (o.spec, o.cast) {
            (OperandSpec::Weak(kind, _), _) => Some(format!("{}: {kind} scalar -> {}", o.name, o.dtype)),
            (spec, cast) => {
                let by_mode = o.mode.map_or(String::new(), |(mode, to)| format!(" -> {to} ({mode})"));
                let by_rule = cast.map_or(String::new(), |to| format!(" -> {to}"));
                let casts = by_mode + &by_rule;
                if casts.is_empty() { None } else { Some(format!("{}: {}{casts}", o.name, spec.dtype()?)) }
            }
        })
    }

    /// The rule that applied, in words, with its table row where there is one.
    pub fn rule_text(&self) -> String {
        let rules = self.rules;
        match &self.rule {
            Rule::Same => "the operands have one dtype".into(),
            Rule::Table { row, column } => {
                let common = rules.lookup(*row, *column).map_or("-", |d| d.name());
                format!("{rules} table, row {row}, column {column}: {common} ({})", rules.table())
            }
            Rule::Several(dtypes) => {
                let names: Vec<_> = dtypes.iter().map(|d| d.name()).collect();
                format!(
                    "{rules} table, within kinds and then across, of {} ({})",
                    names.join(", "),
                    rules.table()
                )
            }
            Rule::Scalar { dtype, kind } => match rules {
                Rules::Precise => format!("precise rules for a {dtype} array with a {kind} scalar"),
                _ => format!("{rules} rules for a {dtype} array with a {kind} scalar"),
            },
            Rule::Argument => "dtype= was given".into(),
            Rule::Default => "the default dtype".into(),
            Rule::Inferred => "the default dtype of the host values".into(),
            Rule::Operand => "the operand's dtype".into(),
            Rule::Accumulate { from } => format!("sums of {from} widen to the default integer's width"),
            Rule::Truth => "truth values".into(),
        }
    }

    /// How the call runs, in words.
    pub fn state_text(&self) -> String {
        let own = if self.overridden { " (the backend's own form of the function)" } else { "" };
        match self.state {
            State::Native => format!("native{own}"),
            State::Composed => "composed of other functions".into(),
            State::Emulated(how) => format!("emulated: {how}{own}"),
            State::Host(why) => format!("host: {why}{own}"),
        }
    }

    /// The bound on the error of a result that rounds, in words.
    pub fn bound_text(&self) -> Option<String> {
        let compute = self.compute;
        if !compute.is_float() && !compute.is_complex() {
            return None;
        }
        Some(match self.function.bound {
            Bound::Exact => return None,
            Bound::Ulp { .. } if compute.is_complex() => "at most 4 ULP of the norm".into(),
            Bound::Ulp { float64, .. } if compute.bits() == 64 => format!("at most {float64} ULP"),
            Bound::Ulp { float32, .. } => format!("at most {float32} ULP"),
            Bound::Sum => {
                "at most 4 (1 + log2 n) eps sum|x|, or n eps sum|x| where the backend adds in order".into()
            }
            Bound::Matmul => "at most k eps |A||B|".into(),
            Bound::Residual => "a residual of at most 16 n eps of the norm".into(),
            Bound::Composed(units) => format!("at most {units} eps, relative"),
        })
    }
}

/// The plan of a function on operands written down: a dtype stands for an array of the
/// function's example shape, a number or truth value for a host scalar.
///
/// # Errors
/// Unknown names, a wrong number of operands, and the error that the call would give.
pub fn explain(
    function: &str,
    operands: &[&str],
    dtype: Option<Dtype>,
    backend: &BackendRef,
) -> Result<Plan> {
    let function = find_function(function)?;
    let required = function.operands.iter().filter(|o| !o.optional).count();
    let most = if function.variadic { usize::MAX } else { function.operands.len() };
    if operands.len() < required || operands.len() > most {
        let names: Vec<_> = function.operands.iter().map(|o| o.name).collect();
        return Err(ErrorKind::InvalidArgument {
            function: function.name,
            argument: "operands",
            value: format!("{} given ({})", operands.len(), operands.join(", ")),
            rule: match names.len() {
                0 => "the function takes no arrays; give its dtype with --dtype",
                1 if function.variadic => "the function takes one or more arrays",
                1 => "the function takes one operand",
                2 => "the function takes two operands",
                _ => "the function takes three operands",
            },
        }
        .into());
    }
    let abstracted = backend.to_abstract();
    let mut parsed = Vec::new();
    for (i, text) in operands.iter().enumerate() {
        parsed.push(match parse_scalar(text) {
            Some(scalar) => Operand::Scalar(scalar),
            None => {
                let dtype: Dtype = text.parse()?;
                let last = function.example.len().saturating_sub(1);
                let shape = match function.operand(i).role {
                    // A mask that the example does not show is one for all.
                    Role::Condition if i > last => &[],
                    _ => function.example.get(i.min(last)).copied().unwrap_or(&[2]),
                };
                let value = AbstractBackend::value(dtype, shape.into());
                Operand::Array(Cow::Owned(Array::from_value(abstracted.clone(), value)))
            }
        });
    }
    if !function.variadic {
        parsed.resize_with(function.operands.len(), || Operand::Absent);
    }
    let mut params = (function.params)();
    if let Some(dtype) = dtype {
        params.set(function.name, "dtype", ParamValue::Dtype(dtype))?;
    }
    let context = context::current().backend(&abstracted);
    context::with(&context, || plan_call(function, &parsed, &*params))
}

/// A host scalar as people write it: `true`, `3`, `2.5`, `1j`.
fn parse_scalar(text: &str) -> Option<Scalar> {
    if let Ok(b) = text.parse::<bool>() {
        return Some(Scalar::Bool(b));
    }
    if let Ok(i) = text.parse::<i128>() {
        return Some(Scalar::Int(i));
    }
    if let Some(Ok(im)) = text.strip_suffix('j').map(str::parse::<f64>) {
        return Some(Scalar::Complex(num_complex::Complex64::new(0.0, im)));
    }
    // `inf` and `nan` parse, but names of dtypes do not.
    text.parse::<f64>().ok().map(Scalar::Float)
}
