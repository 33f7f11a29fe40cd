//! Plans in words.

use super::{CategoryStep, OperandSpec, Plan, PlannedOperand, Rule, State, TraceEvent, record_trace};
use crate::array::{Array, Operand};
use crate::backend::{AbstractBackend, BackendRef};
use crate::function::{Bound, Function, ParamValue, Params, Role, find_function};
use crate::{Dtype, ErrorKind, Result, Scalar, call_weak, context, plan_weak};
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
        if let Some(CategoryStep { category, from, to }) = self.category {
            let (about, table) = (category.about().to_lowercase(), self.rules.category_table());
            writeln!(f, "            {about}: {from} gives {to} ({table})")?;
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
        if self.weak {
            f.write_str(", weakly typed")?;
        }
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

impl PlannedOperand {
    /// The casts of an array by a mode and by the rules, if there are any.
    fn array_cast(&self) -> Option<String> {
        let by_mode = self.mode.map_or(String::new(), |(mode, to)| format!(" -> {to} ({mode})"));
        let by_rule = self.cast.map_or(String::new(), |to| format!(" -> {to}"));
        let casts = by_mode + &by_rule;
        if casts.is_empty() { None } else { Some(format!("{}: {}{casts}", self.name, self.spec.dtype()?)) }
    }
}

impl Plan {
    /// The casts that the plan puts before the op, as `x1: int32 -> float64`.
    pub fn casts(&self) -> impl Iterator<Item = String> + '_ {
        self.operands.iter().filter_map(|o| match o.spec {
            OperandSpec::Weak(kind, _) => Some(format!("{}: {kind} scalar -> {}", o.name, o.dtype)),
            _ => o.array_cast(),
        })
    }

    /// Those of them that are of arrays.
    pub(crate) fn array_casts(&self) -> impl Iterator<Item = String> + '_ {
        self.operands.iter().filter_map(PlannedOperand::array_cast)
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
            Rule::Scalar { dtype, kind } => format!("{rules} rules for a {dtype} array with a {kind} scalar"),
            Rule::ArrayZero { row, column } => {
                let common = rules.lookup_array_zero(*row, *column).map_or("-", |d| d.name());
                format!("{rules} table for an array with axes, {row}, and one without, {column}: {common}")
            }
            Rule::Value { dtype, least } => {
                format!("{rules} rules for a {dtype} array with a value that {least} holds")
            }
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
/// function's example shape, `int32[]` for one without axes, `int32*` for a weakly typed one, a number or truth value
/// for a host scalar.
///
/// # Errors
/// Unknown names, a wrong number of operands, and the error that the call would give.
pub fn explain(
    function: &str,
    operands: &[&str],
    dtype: Option<Dtype>,
    backend: &BackendRef,
) -> Result<Plan> {
    let Written { function, operands, weak, params } = written_call(function, operands, dtype, backend)?;
    let context = context::current().backend(backend.to_abstract());
    context::with(&context, || plan_weak(function, &operands, &*params, weak))
}

/// The stages that such a call goes through, in order, and the error that ends it if one does. It is made on arrays
/// without elements.
///
/// ```
/// use ivy::plan::{Stage, explain_trace};
/// let (trace, refused) = explain_trace("softmax", &["float32"], None, &ivy::context::current_backend()?)?;
/// assert!(refused.is_none() && trace[0].stage == Stage::Operands);
/// assert!(trace.iter().any(|event| event.depth == 1 && event.function == "exp"));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Unknown names, and a wrong number of operands.
pub fn explain_trace(
    function: &str,
    operands: &[&str],
    dtype: Option<Dtype>,
    backend: &BackendRef,
) -> Result<(Vec<TraceEvent>, Option<crate::Error>)> {
    let Written { function, operands, weak, params } = written_call(function, operands, dtype, backend)?;
    let context = context::current().backend(backend.to_abstract());
    let (done, trace) =
        context::with(&context, || record_trace(|| call_weak(function, &operands, &*params, weak)));
    Ok((trace, done.err()))
}

struct Written {
    function: &'static Function,
    operands: Vec<Operand<'static>>,
    weak: u64,
    params: Box<dyn Params>,
}

/// A call on operands written down, as arrays without elements.
fn written_call(
    function: &str,
    operands: &[&str],
    dtype: Option<Dtype>,
    backend: &BackendRef,
) -> Result<Written> {
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
    let (mut parsed, mut weak) = (Vec::new(), 0);
    for (i, text) in operands.iter().enumerate() {
        parsed.push(match parse_scalar(text) {
            Some(scalar) => Operand::Scalar(scalar),
            None => {
                let (name, is_weak) = text.strip_suffix('*').map_or((*text, false), |name| (name, true));
                let (name, is_zero) = name.strip_suffix("[]").map_or((name, false), |name| (name, true));
                let dtype: Dtype = name.parse()?;
                weak |= u64::from(is_weak) << i.min(63);
                let last = function.example.len().saturating_sub(1);
                let shape = match function.operand(i).role {
                    // A mask that the example does not show is one for all.
                    _ if is_zero => &[],
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
    Ok(Written { function, operands: parsed, weak, params })
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
