//! What code of a frontend's crate sees of a call that a row makes of it.

use crate::arrays;
use crate::core_call::call_core;
use crate::eval::truth;
use crate::{ArrayLikes, Entry, Fault, Frontend, Keywords, Value, dtypes, names, refuse};
use ivy_core::{Array, Dtype, Error, Result, Scalar};
use ivy_frontend_rows as rows;

/// Code that a row calls as `special.NAME(...)`.
pub type Special = fn(&mut Call<'_>) -> Result<Value<'static>>;

/// A call of a [`Special`]: the arguments that the row gives it. It runs in the frontend's rules.
#[derive(Debug)]
pub struct Call<'a> {
    /// The row that calls.
    pub entry: &'static Entry,
    names: Names,
    /// The arguments by position.
    pub positional: Vec<Value<'a>>,
    /// The arguments by name.
    pub named: Vec<(&'a str, Value<'a>)>,
}

/// Where the names of a call's arguments are.
#[derive(Clone, Copy, Debug)]
enum Names {
    /// In the row's body.
    Body(&'static rows::Call),
    /// By place.
    Listed(&'static [&'static str]),
}

static NOTHING: Value<'static> = Value::None;

impl<'a> Call<'a> {
    pub(crate) fn new(
        entry: &'static Entry,
        call: &'static rows::Call,
        positional: Vec<Value<'a>>,
        named: Vec<(&'a str, Value<'a>)>,
    ) -> Call<'a> {
        Call { entry, names: Names::Body(call), positional, named }
    }

    /// A call of other code for the same row: the row's names of its arguments, and those.
    pub fn inner<'b>(&self, names: &'static [&'static str], positional: Vec<Value<'b>>) -> Call<'b> {
        Call { entry: self.entry, names: Names::Listed(names), positional, named: Vec::new() }
    }

    /// The row's name of argument `i`; nothing where it has none.
    pub fn name(&self, i: usize) -> &'static str {
        match self.names {
            Names::Body(call) => names::at(self.entry, call, i).unwrap_or_default(),
            Names::Listed(names) => names.get(i).copied().unwrap_or_default(),
        }
    }

    /// The row's name of the argument that a value is, or is an entry of; nothing where it is none.
    pub fn name_of(&self, value: &Value<'_>) -> &'static str {
        let is_it = |one: &Value<'_>| std::ptr::addr_eq(one, value);
        let has_it = |one: &Value<'_>| is_it(one) || one.items().is_some_and(|items| items.iter().any(is_it));
        self.positional.iter().position(has_it).map_or("", |i| self.name(i))
    }

    /// The frontend.
    pub fn frontend(&self) -> &'static Frontend {
        self.entry.frontend
    }

    /// How many arguments are given by position.
    pub fn len(&self) -> usize {
        self.positional.len()
    }

    /// True without arguments by position.
    pub fn is_empty(&self) -> bool {
        self.positional.is_empty()
    }

    /// Argument `i`; [`Value::None`] where there is none.
    pub fn value(&self, i: usize) -> &Value<'a> {
        self.positional.get(i).unwrap_or(&NOTHING)
    }

    /// The argument of a name; [`Value::None`] where there is none.
    pub fn named(&self, name: &str) -> &Value<'a> {
        self.named.iter().find(|(known, _)| *known == name).map_or(&NOTHING, |(_, value)| value)
    }

    /// The error of an argument, in the name of the row's function.
    pub fn refuse(
        &self,
        fault: Fault,
        argument: &str,
        value: Option<&Value<'_>>,
        rule: impl Into<String>,
    ) -> Error {
        refuse(self.entry, fault, argument, value, rule)
    }

    fn wrong(&self, i: usize, rule: &str) -> Error {
        refuse(self.entry, Fault::Type, self.name(i), Some(self.value(i)), rule)
    }

    /// Argument `i` as an array: host numbers, and lists where the frontend takes them, become one.
    ///
    /// # Errors
    /// For all else.
    pub fn array(&self, i: usize) -> Result<Array> {
        self.to_array(self.value(i))
    }

    /// A value as an array: host numbers, and lists where the frontend takes them, become one.
    ///
    /// # Errors
    /// For all else.
    pub fn to_array(&self, value: &Value<'_>) -> Result<Array> {
        arrays::array(self.entry, self.name_of(value), value, None, self.frontend().array_likes())
    }

    /// A value as an array, weakly typed where the rules have that of it: of host numbers, and of arrays that are so.
    ///
    /// # Errors
    /// As [`Call::to_array`].
    pub fn typed(&self, value: &Value<'_>) -> Result<Value<'static>> {
        arrays::typed(self.entry, self.name_of(value), value, self.frontend().array_likes())
    }

    /// A value as an array of a dtype, or of the frontend's default for it; lists are taken.
    ///
    /// # Errors
    /// For what is no number, array or nested list of them.
    pub fn make_array(&self, value: &Value<'_>, dtype: Option<Dtype>) -> Result<Array> {
        arrays::array(self.entry, self.name_of(value), value, dtype, ArrayLikes::All)
    }

    /// Argument `i` as several arrays: the entries of a tuple or list.
    ///
    /// # Errors
    /// For what is no tuple or list of arrays.
    pub fn arrays(&self, i: usize) -> Result<Vec<Array>> {
        let items =
            self.value(i).items().ok_or_else(|| self.wrong(i, "a tuple or list of arrays is needed"))?;
        items.iter().map(|item| self.to_array(item)).collect()
    }

    /// Argument `i` as an integer: of a host integer, or an array with one.
    ///
    /// # Errors
    /// For all else.
    pub fn int(&self, i: usize) -> Result<i64> {
        let found = arrays::integer(self.value(i))?;
        found.ok_or_else(|| self.wrong(i, "a whole number is needed"))
    }

    /// Argument `i` as integers: one, or those of a tuple, a list or an array of one axis; nothing for `None`.
    ///
    /// # Errors
    /// For all else.
    pub fn ints(&self, i: usize) -> Result<Option<Vec<i64>>> {
        self.to_ints(self.value(i))
    }

    /// A value as integers, as [`Call::ints`] takes them.
    ///
    /// # Errors
    /// For all else.
    pub fn to_ints(&self, value: &Value<'_>) -> Result<Option<Vec<i64>>> {
        if value.is_none() {
            return Ok(None);
        }
        let found = arrays::integers(value)?;
        let rule = "whole numbers are needed";
        found.map(Some).ok_or_else(|| self.refuse(Fault::Type, self.name_of(value), Some(value), rule))
    }

    /// Argument `i` as a real number.
    ///
    /// # Errors
    /// For what is no number.
    pub fn float(&self, i: usize) -> Result<f64> {
        match self.value(i) {
            Value::Array(array) | Value::Weak(array) if array.size() == 1 => Ok(array.to_scalar()?.to_f64()),
            other => match other.as_scalar() {
                Some(Scalar::Complex(_)) | None => Err(self.wrong(i, "a real number is needed")),
                Some(scalar) => Ok(scalar.to_f64()),
            },
        }
    }

    /// Whether argument `i` holds: Python's truth of it.
    ///
    /// # Errors
    /// For an array of several elements.
    pub fn flag(&self, i: usize) -> Result<bool> {
        truth(self.entry, || self.name(i), self.value(i))
    }

    /// Argument `i` as a text.
    ///
    /// # Errors
    /// For all else.
    pub fn text(&self, i: usize) -> Result<&str> {
        self.value(i).as_text().ok_or_else(|| self.wrong(i, "a text is needed"))
    }

    /// Argument `i` as a dtype, by its name too; nothing for `None`.
    ///
    /// # Errors
    /// For what is none.
    pub fn dtype(&self, i: usize) -> Result<Option<Dtype>> {
        self.to_dtype(self.value(i))
    }

    /// A value as a dtype, as [`Call::dtype`] takes it.
    ///
    /// # Errors
    /// For what is none.
    pub fn to_dtype(&self, value: &Value<'_>) -> Result<Option<Dtype>> {
        match value {
            Value::None => Ok(None),
            value => dtypes::dtype_of(self.entry, self.name_of(value), value).map(Some),
        }
    }

    /// Calls a function of the core: operands by position, parameters by name.
    ///
    /// # Errors
    /// Whatever it refuses.
    pub fn core(
        &self,
        name: &str,
        positional: &[Value<'_>],
        keywords: Keywords<'_>,
    ) -> Result<Value<'static>> {
        call_core(self.entry, name, positional, &keywords.0)
    }

    /// Calls another row of the frontend.
    ///
    /// # Errors
    /// Whatever it refuses.
    pub fn row(
        &self,
        path: &str,
        positional: &[Value<'_>],
        keywords: Keywords<'_>,
    ) -> Result<Value<'static>> {
        let entry = self.frontend().find(path)?;
        self.frontend().evaluate(entry, positional.iter().map(Value::borrowed).collect(), keywords)
    }
}
