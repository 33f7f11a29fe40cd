//! Plans in words.

use super::{OperandSpec, Plan, Rule, State};
use crate::Rules;
use crate::function::Bound;
use std::fmt;

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
        if let Some(bound) = self.bound_text() {
            writeln!(f, "  error     {bound}")?;
        }
        write!(f, "  result    ")?;
        list(f, self.outputs.iter())
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
            (_, Some(to)) => Some(format!("{}: {} -> {to}", o.name, o.spec.dtype()?)),
            _ => None,
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
            Bound::Composed(units) => format!("at most {units} eps, relative"),
        })
    }
}
