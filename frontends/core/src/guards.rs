//! Dtypes for which an operand is an argument as it is: `x if isdtype(dtype(x), 'numeric') else refuse(...)`.

use crate::{Frontend, Value, dtypes};
use ivy_core::Dtype;
use ivy_core::functional::isdtype;
use ivy_frontend_rows::{Builtin, Callee, CompareOp, Expr};

/// The dtypes of argument `at`, a bit each, for which an expression is that argument and nothing else; `None` where this
/// hangs on more than its dtype.
pub(crate) fn taken(frontend: &Frontend, expr: &Expr, at: usize) -> Option<u64> {
    match expr {
        Expr::Parameter(place) => (*place == at).then_some(u64::MAX),
        Expr::If { condition, then, .. } => Some(held(frontend, condition, at)? & taken(frontend, then, at)?),
        _ => None,
    }
}

/// The dtypes of argument `at`, a bit each, for which a condition holds; `None` where this hangs on more than its dtype.
pub(crate) fn held(frontend: &Frontend, condition: &Expr, at: usize) -> Option<u64> {
    let guard = Guard { frontend, at };
    Dtype::all()
        .try_fold(0, |all, dtype| Some(all | u64::from(guard.holds(condition, dtype)?) << dtype.index()))
}

/// A condition on the dtype of an argument.
struct Guard<'a> {
    frontend: &'a Frontend,
    at: usize,
}

impl Guard<'_> {
    fn holds(&self, condition: &Expr, dtype: Dtype) -> Option<bool> {
        Some(match condition {
            Expr::Bool(known) => *known,
            Expr::Not(e) => !self.holds(e, dtype)?,
            Expr::And(a, b) => self.holds(a, dtype)? & self.holds(b, dtype)?,
            Expr::Or(a, b) => self.holds(a, dtype)? | self.holds(b, dtype)?,
            Expr::Compare(CompareOp::Equal, own, word) => self.is_own(own)? & self.names(word, dtype)?,
            Expr::Compare(CompareOp::NotEqual, own, word) => self.is_own(own)? & !self.names(word, dtype)?,
            Expr::In(own, words, positive) => {
                self.is_own(own)?;
                let (Expr::Tuple(words) | Expr::List(words)) = &**words else { return None };
                let named = words.iter().map(|word| self.names(word, dtype)).collect::<Option<Vec<_>>>()?;
                named.contains(&true) == *positive
            }
            Expr::Call(call) if matches!(&call.callee, Callee::Core(name) if name == "isdtype") => {
                let [own, kinds] = &call.positional[..] else { return None };
                self.is_own(own)?;
                let kinds = match kinds {
                    Expr::Tuple(kinds) => kinds,
                    one => std::slice::from_ref(one),
                };
                let is = |kind: &Expr| match kind {
                    Expr::Text(kind) => isdtype(dtype, kind.as_str()).ok(),
                    _ => None,
                };
                kinds.iter().map(is).collect::<Option<Vec<_>>>()?.contains(&true)
            }
            _ => return None,
        })
    }

    /// True for the dtype of the argument; `None` for all else.
    fn is_own(&self, expr: &Expr) -> Option<bool> {
        let Expr::Call(call) = expr else { return None };
        let own = call.callee == Callee::Builtin(Builtin::Dtype)
            && matches!(&call.positional[..], [Expr::Parameter(place)] if *place == self.at);
        own.then_some(true)
    }

    /// Whether a text names a dtype.
    fn names(&self, word: &Expr, dtype: Dtype) -> Option<bool> {
        match word {
            Expr::Text(name) => {
                Some(dtypes::equal(self.frontend, &Value::Dtype(dtype), &Value::from(name.as_str())))
            }
            _ => None,
        }
    }
}
