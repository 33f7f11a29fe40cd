//! A row, ready to be called.

use crate::direct::{Direct, is_one, may_be_direct};
use crate::lifetime::{self, Lifetime};
use crate::specialised::Specialised;
use crate::{Frontend, Value, Viewing, autograd, dtypes};
use ivy_core::Array;
use ivy_frontend_rows::{Callee, Expr, Given, Kind, Row, Table};
use std::borrow::Cow;

/// What a parameter that the body does not mention may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unused {
    /// The body mentions it, or the machine handles it.
    No,
    /// Anything: it has no meaning here.
    Ignored,
    /// Its default only.
    DefaultOnly,
}

/// A row, ready to be called.
#[derive(Debug)]
pub struct Entry {
    /// The frontend.
    pub frontend: &'static Frontend,
    /// The row; for an alias the one that it stands for.
    pub row: Row,
    /// The path that was asked for.
    pub path: String,
    /// The name with the frontend before it: `torch.add`.
    pub function: &'static str,
    pub(crate) body: Expr,
    pub(crate) defaults: Vec<Option<Value<'static>>>,
    pub(crate) unused: Vec<Unused>,
    pub(crate) out: Option<usize>,
    pub(crate) direct: Option<Direct>,
    /// What it has been specialised for, if it can be.
    pub(crate) specialised: Option<Specialised>,
    viewing: Viewing,
    /// Whether what it gives is never an argument itself: not a conversion that may have nothing to do, nor a property.
    pub(crate) gives_results: bool,
    /// Whether the framework keeps the result for the gradient.
    saves_result: bool,
    /// The versions that have the name, if not all do.
    pub(crate) lifetime: Option<Lifetime>,
}

impl Entry {
    pub(crate) fn new(frontend: &'static Frontend, table: &Table, place: usize) -> Entry {
        let path = table.rows[place].path.clone();
        // The check of the tables has followed every alias.
        let row = table.resolve(&path).unwrap_or(&table.rows[place]).clone();
        // Rows are made once and live as long as the program.
        let function: &'static str = Box::leak(format!("{}.{path}", frontend.name()).into_boxed_str());
        let parameters = &row.signature.parameters;
        let defaults = parameters
            .iter()
            .map(|p| p.default.as_ref().map(|default| dtypes::literal(frontend, &default.value)))
            .collect();
        let out = row.signature.position("out").filter(|&at| !row.mentions[at] && frontend.writes());
        let by_machine = |name: &str| {
            row.kind == Kind::Ufunc && matches!(name, "where" | "casting" | "order" | "dtype" | "subok")
        };
        let unused = parameters.iter().enumerate().map(|(at, p)| match () {
            () if p.ignored => Unused::Ignored,
            () if row.mentions[at] || out == Some(at) || by_machine(&p.name) => Unused::No,
            () => Unused::DefaultOnly,
        });
        let unused = unused.collect();
        let body = row.body.clone().unwrap_or(Expr::None);
        let direct = Direct::of(frontend, table, &row, &body);
        let viewing = frontend.viewing(&row.path);
        let is_kind = is_one(&row) && matches!(row.kind, Kind::Function | Kind::Method | Kind::Ufunc);
        let may = is_kind && viewing == Viewing::None && may_be_direct(table, &body);
        let specialised = may.then(Specialised::default);
        let gives_results =
            matches!(row.kind, Kind::Function | Kind::Method | Kind::Ufunc) && !viewing.may_be_argument();
        let changes = row.kind == Kind::Inplace;
        let saves_result =
            (gives_results || changes) && frontend.saves_result(row.path.trim_end_matches('_'));
        let lifetime = lifetime::of(frontend.name(), &path);
        Entry {
            frontend,
            row,
            path,
            function,
            body,
            defaults,
            unused,
            out,
            direct,
            specialised,
            viewing,
            gives_results,
            saves_result,
            lifetime,
        }
    }

    /// Which views it gives.
    #[inline]
    pub fn viewing(&self) -> Viewing {
        self.viewing
    }

    /// An array that it gives: one that is an argument is a tensor of its own.
    #[inline]
    pub(crate) fn result(&self, x: Array) -> Array {
        let x = if self.gives_results { autograd::as_result(x) } else { x };
        if self.saves_result {
            autograd::save_result(&x);
        }
        x
    }

    /// Likewise, of each array among what it gives.
    pub(crate) fn results(&self, value: Value<'static>) -> Value<'static> {
        match value {
            Value::Array(x) => Value::Array(Cow::Owned(self.result(x.into_owned()))),
            Value::Weak(x) => Value::Weak(Cow::Owned(self.result(x.into_owned()))),
            Value::Tuple(items) => Value::Tuple(items.into_iter().map(|item| self.results(item)).collect()),
            Value::List(items) => Value::List(items.into_iter().map(|item| self.results(item)).collect()),
            other => other,
        }
    }

    /// Whether calls of some arguments are one call of the core: [`Frontend::call_specialised`] may have a result.
    #[inline]
    pub fn is_specialised(&self) -> bool {
        self.specialised.is_some()
    }

    /// The function of the core that the row comes to where its parameters have their defaults, if it is one.
    pub fn core_function(&self) -> Option<&'static str> {
        let called = match &self.body {
            Expr::Call(call) => match &call.callee {
                Callee::Core(name) => crate::core_signature(name)?.function.map(|function| function.name),
                Callee::Row(path) => self.frontend.find(path).ok()?.core_function(),
                _ => None,
            },
            _ => None,
        };
        called.or_else(|| self.direct.as_ref().map(Direct::function))
    }

    /// The parameter that takes what is left by position, or by name.
    pub(crate) fn taking(&self, given: Given) -> Option<usize> {
        self.row.signature.parameters.iter().position(|p| p.given == given)
    }

    /// The place of a parameter by its name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.row.signature.position(name)
    }
}
