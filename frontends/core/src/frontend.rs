//! A frontend: its rows, and calls of them.

use crate::bind::bind;
use crate::call::Special;
use crate::direct::call_direct;
use crate::entry::Entry;
use crate::eval::Evaluation;
use crate::specialised::{self, Argument};
use crate::tensor::Operator;
use crate::{Keywords, Value, Version, Viewing, autograd, casting, names, ufunc, version};
use ivy_core::context::enter_layer;
use ivy_core::{Array, Error, ErrorKind, Result};
use ivy_frontend_rows::{Given, Kind, Table, distance};
use once_cell::sync::OnceCell;
use std::collections::HashMap;

/// Which host values a frontend takes where an array stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLikes {
    /// Numbers and nested lists.
    All,
    /// Numbers; a list is an error.
    Numbers,
}

/// What a frontend's crate says of it.
#[derive(Debug)]
pub struct Definition {
    /// The name: `torch`.
    pub name: &'static str,
    /// The type of its arrays: `Tensor`.
    pub class: &'static str,
    /// Which host values stand for arrays.
    pub array_likes: ArrayLikes,
    /// Whether slices may have negative steps.
    pub steps_back: bool,
    /// The functions that give views, by their paths; an alias is as what it stands for.
    pub views: &'static [(&'static str, Viewing)],
    /// Whether what is written to a tensor changes the elements alone of those that share them, and not where they come from in the
    /// graph of derivatives, as in Paddle; else a view and its base are one in the graph, as in PyTorch.
    pub views_keep_graph: bool,
    /// The functions whose results the framework keeps for their gradients, by the last part of their paths: to change one in
    /// place is an error of the gradient.
    pub saved_results: &'static [&'static str],
    /// The files of its rows: names and texts.
    pub files: &'static [(&'static str, &'static str)],
    /// The code that rows call, by name.
    pub specials: &'static [(&'static str, Special)],
}

/// Another framework's namespace over ivy's functions.
pub struct Frontend {
    definition: Definition,
    immutable: bool,
    state: OnceCell<State>,
}

/// An array, and whether it is weakly typed: it promotes as a host number of its kind does then (JAX's).
#[derive(Debug)]
pub struct TypedArray {
    /// The array.
    pub array: Array,
    /// Whether it is weakly typed.
    pub weak: bool,
}

struct State {
    slot: usize,
    versions: Vec<Version>,
    table: Table,
    entries: Vec<OnceCell<Entry>>,
    operators: [Option<usize>; Operator::ALL.len()],
    /// Of `x[key]`, and of `x[key] = value`.
    items: [Option<usize>; 2],
    /// What rows call as `special.NAME`.
    specials: HashMap<&'static str, Special>,
}

impl std::fmt::Debug for Frontend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Frontend({})", self.definition.name)
    }
}

impl Frontend {
    /// A frontend by its definition. Its tables are read when it is first used.
    pub const fn new(definition: Definition) -> Frontend {
        Frontend { definition, immutable: false, state: OnceCell::new() }
    }

    /// The same frontend, whose framework writes to no array: a parameter `out` is one that is not there.
    #[must_use]
    pub const fn immutable(mut self) -> Frontend {
        self.immutable = true;
        self
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// The name of the type of its arrays.
    pub fn class(&self) -> &'static str {
        self.definition.class
    }

    /// Which host values stand for arrays.
    pub fn array_likes(&self) -> ArrayLikes {
        self.definition.array_likes
    }

    /// Whether slices may have negative steps.
    pub fn steps_back(&self) -> bool {
        self.definition.steps_back
    }

    /// Whether tensors that share elements keep their places in the graph of derivatives when one of them is written to.
    pub fn views_keep_graph(&self) -> bool {
        self.definition.views_keep_graph
    }

    /// Whether results can be written to arrays that are there.
    pub(crate) fn writes(&self) -> bool {
        !self.immutable
    }

    pub(crate) fn viewing(&self, path: &str) -> Viewing {
        let found = self.definition.views.iter().find(|(known, _)| *known == path);
        found.map_or(Viewing::None, |(_, viewing)| *viewing)
    }

    pub(crate) fn special(&self, name: &str) -> Option<Special> {
        self.state().specials.get(name).copied()
    }

    #[inline]
    fn state(&self) -> &State {
        self.state.get_or_init(|| {
            // The crate's build refuses tables with mistakes.
            let table = Table::parse(self.definition.files).unwrap_or_default();
            let entries = table.rows.iter().map(|_| OnceCell::new()).collect();
            let method = |name: &str| table.position(&format!("{}.{name}", self.definition.class));
            let operators = Operator::ALL.map(|op| method(op.method()));
            let items = ["__getitem__", "__setitem__"].map(method);
            let versions = version::versions(self.definition.name);
            let specials = self.definition.specials.iter().rev().copied().collect();
            State { slot: version::next_slot(), versions, table, entries, operators, items, specials }
        })
    }

    pub(crate) fn slot(&self) -> usize {
        self.state().slot
    }

    /// The versions that it knows, the default first.
    pub fn versions(&self) -> &[Version] {
        &self.state().versions
    }

    /// The rows.
    pub fn table(&self) -> &Table {
        &self.state().table
    }

    /// The row of a place in the table, ready to be called; an alias is the row that it stands for.
    #[inline]
    pub fn entry(&'static self, place: usize) -> &'static Entry {
        let state = self.state();
        state.entries[place].get_or_init(|| Entry::new(self, &state.table, place))
    }

    pub(crate) fn operator(&'static self, operator: Operator) -> Option<&'static Entry> {
        self.state().operators[operator as usize].map(|place| self.entry(place))
    }

    /// The row of `x[key]`.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendName`] where the array type has none.
    pub fn get_item(&'static self) -> Result<&'static Entry> {
        self.item(0, "__getitem__")
    }

    /// The row of `x[key] = value`.
    ///
    /// # Errors
    /// As [`Frontend::get_item`].
    pub fn set_item(&'static self) -> Result<&'static Entry> {
        self.item(1, "__setitem__")
    }

    fn item(&'static self, at: usize, method: &str) -> Result<&'static Entry> {
        match self.state().items[at] {
            Some(place) => Ok(self.entry(place)),
            None => Err(self.unknown(&format!("{}.{method}", self.class()))),
        }
    }

    /// The row of a path.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendName`], with the names that are like it.
    pub fn find(&'static self, path: &str) -> Result<&'static Entry> {
        match self.table().position(path) {
            Some(place) => Ok(self.entry(place)),
            None => Err(self.unknown(path)),
        }
    }

    /// The error for a name that no row has.
    pub fn unknown(&self, path: &str) -> Error {
        let rows = self.table().rows.iter();
        let mut close: Vec<(usize, &str)> =
            rows.map(|row| (distance(path, &row.path), row.path.as_str())).collect();
        close.sort_unstable();
        let nearest = close.iter().take_while(|(d, _)| *d <= 1 + path.len() / 3).take(3);
        let nearest = nearest.map(|(_, name)| (*name).to_string()).collect();
        let remedy = format!("`ivy functions --frontend {}` lists what there is", self.name());
        ErrorKind::FrontendName { frontend: self.name(), name: path.into(), nearest, remedy }.into()
    }

    /// Whether the framework keeps the result of a row for its gradient.
    pub(crate) fn saves_result(&self, path: &str) -> bool {
        let name = path.rsplit('.').next().unwrap_or_default();
        self.definition.saved_results.contains(&name)
    }

    /// Calls the function of a path. Methods take the array first; `add.reduce` is a method of a ufunc. Results are
    /// weakly typed where the framework's are.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendName`] for an unknown path; [`ErrorKind::FrontendCall`] for arguments that the signature or
    /// the framework refuses; whatever the core's functions refuse, in the name of this one.
    pub fn call(
        &'static self,
        path: &str,
        arguments: &[Value<'_>],
        keywords: Keywords<'_>,
    ) -> Result<Value<'static>> {
        if let Some((owner, method)) = ufunc::method(self, path) {
            let positional: Vec<Value<'_>> = arguments.iter().map(Value::borrowed).collect();
            return ufunc::call_method(owner, method, positional, keywords);
        }
        let entry = self.find(path)?;
        let positional: Vec<Value<'_>> = arguments.iter().map(Value::borrowed).collect();
        self.call_typed(entry, positional, keywords)
    }

    /// Calls a row. No array of the result is weakly typed.
    ///
    /// # Errors
    /// As [`Frontend::call`].
    pub fn call_entry<'a>(
        &'static self,
        entry: &'static Entry,
        positional: Vec<Value<'a>>,
        keywords: Keywords<'a>,
    ) -> Result<Value<'static>> {
        self.call_typed(entry, positional, keywords).map(Value::strong)
    }

    /// Calls a row, whose results may be weakly typed.
    pub(crate) fn call_typed<'a>(
        &'static self,
        entry: &'static Entry,
        positional: Vec<Value<'a>>,
        keywords: Keywords<'a>,
    ) -> Result<Value<'static>> {
        entry.check_version()?;
        let _scope = enter_layer(self.layer());
        self.evaluate(entry, positional, keywords)
    }

    /// Calls a row in the layer that is in force.
    pub(crate) fn evaluate<'a>(
        &'static self,
        entry: &'static Entry,
        positional: Vec<Value<'a>>,
        keywords: Keywords<'a>,
    ) -> Result<Value<'static>> {
        let mut arguments = bind(entry, positional, keywords)?;
        let told = |error: Error| error.with_function(entry.function);
        if entry.row.kind == Kind::Ufunc {
            let result = ufunc::call(entry, &mut arguments);
            return result.map_err(|error| names::own(entry, &arguments, told(error)));
        }
        let own = |error: Error| names::own(entry, &arguments, told(error));
        let value = Evaluation::new(entry, &arguments).run().map_err(own)?;
        let value = entry.results(value);
        let value = match entry.row.kind {
            Kind::Inplace => {
                let target = arguments.first().and_then(|first| first.as_ref()?.as_array());
                let is_target = target.zip(value.as_array()).is_some_and(|(x, y)| autograd::is_same(x, y));
                // `requires_grad_` gives the tensor itself.
                let value = match value {
                    Value::Array(x) if !is_target => Value::from(autograd::as_result(x.into_owned())),
                    other => other,
                };
                entry.results(casting::into_first(entry, &arguments, value)?)
            }
            _ => value,
        };
        casting::into_out(entry, &arguments, value)
    }

    /// The result of a row on arrays alone by the short way, for bindings; `None` where it has none:
    /// [`Frontend::call_entry`] has it then, or the error.
    #[inline]
    pub fn call_arrays<const N: usize>(
        &'static self,
        entry: &'static Entry,
        arrays: [&Array; N],
    ) -> Option<Array> {
        call_direct(entry, &arrays.map(Value::from))
    }

    /// The result of a row by what it comes to for such arguments, each with the place of its parameter; `None` where it is
    /// no one call of the core for them, and of errors. For bindings: [`Frontend::call_entry`] gives the same, and has them.
    #[inline]
    pub fn call_specialised(
        &'static self,
        entry: &'static Entry,
        arguments: &[(usize, Argument<'_>)],
    ) -> Option<Array> {
        specialised::call(entry, arguments)
    }

    /// A number, nested lists of numbers, or an array, as an array with the frontend's dtype for it.
    ///
    /// # Errors
    /// For what is none of these, and for lists that are not of one shape.
    pub fn make(&'static self, value: &Value<'_>) -> Result<Array> {
        let _scope = enter_layer(self.layer());
        crate::arrays::made(value, None)?.ok_or_else(|| {
            let (function, argument, value) = (self.name(), "value", value.told());
            let rule = "a number, an array or nested lists of them are needed";
            ErrorKind::InvalidArgument { function, argument, value, rule }.into()
        })
    }

    /// Likewise, weakly typed where the framework has that of it.
    pub(crate) fn make_typed(&'static self, value: &Value<'_>) -> Result<TypedArray> {
        let _scope = enter_layer(self.layer());
        Ok(TypedArray { array: self.make(value)?, weak: crate::arrays::is_weak(self, value) })
    }

    /// Calls the row of a place: one or two arguments by position, one array as the result. What is one call of the
    /// core on arrays goes the short way.
    ///
    /// # Errors
    /// As [`Frontend::call`].
    #[inline]
    pub fn one<const N: usize>(
        &'static self,
        place: usize,
        arguments: [Value<'_>; N],
        keywords: Keywords<'_>,
    ) -> Result<TypedArray> {
        self.one_of(self.entry(place), arguments, keywords)
    }

    #[inline]
    pub(crate) fn one_of<const N: usize>(
        &'static self,
        entry: &'static Entry,
        arguments: [Value<'_>; N],
        keywords: Keywords<'_>,
    ) -> Result<TypedArray> {
        if keywords.is_empty()
            && let Some(array) = call_direct(entry, &arguments)
        {
            return Ok(TypedArray { array, weak: false });
        }
        array_of(entry, self.call_by_place(entry, arguments.into(), keywords)?)
    }

    /// Likewise, of any number of arguments.
    ///
    /// # Errors
    /// As [`Frontend::call`].
    pub fn array(
        &'static self,
        place: usize,
        arguments: Vec<Value<'_>>,
        keywords: Keywords<'_>,
    ) -> Result<TypedArray> {
        let entry = self.entry(place);
        array_of(entry, self.call_by_place(entry, arguments, keywords)?)
    }

    /// Calls a row from Rust, where what Python takes by position only may be left out, and so has a name.
    fn call_by_place<'a>(
        &'static self,
        entry: &'static Entry,
        mut arguments: Vec<Value<'a>>,
        mut keywords: Keywords<'a>,
    ) -> Result<Value<'static>> {
        while let Some(next) = entry.row.signature.parameters.get(arguments.len())
            && next.given == Given::ByPosition
            && let Some(value) = keywords.take(&next.name)
        {
            arguments.push(value);
        }
        self.call_typed(entry, arguments, keywords)
    }

    /// Likewise, with several arrays as the result.
    ///
    /// # Errors
    /// As [`Frontend::call`].
    pub fn several(
        &'static self,
        place: usize,
        arguments: Vec<Value<'_>>,
        keywords: Keywords<'_>,
    ) -> Result<Vec<TypedArray>> {
        let entry = self.entry(place);
        match self.call_by_place(entry, arguments, keywords)? {
            Value::Tuple(list) | Value::List(list) => list.into_iter().map(|v| array_of(entry, v)).collect(),
            one => Ok(vec![array_of(entry, one)?]),
        }
    }

    /// Likewise, with whatever the function gives.
    ///
    /// # Errors
    /// As [`Frontend::call`].
    pub fn value(
        &'static self,
        place: usize,
        arguments: Vec<Value<'_>>,
        keywords: Keywords<'_>,
    ) -> Result<Value<'static>> {
        self.call_by_place(self.entry(place), arguments, keywords)
    }
}

/// The array that a value is; a host number becomes one.
pub(crate) fn array_of(entry: &'static Entry, value: Value<'static>) -> Result<TypedArray> {
    match value {
        Value::Array(array) => Ok(TypedArray { array: array.into_owned(), weak: false }),
        Value::Weak(array) => Ok(TypedArray { array: array.into_owned(), weak: true }),
        other => {
            let _scope = enter_layer(entry.frontend.layer());
            let array = crate::arrays::array(entry, "result", &other, None, ArrayLikes::All)?;
            Ok(TypedArray { array, weak: crate::arrays::is_weak(entry.frontend, &other) })
        }
    }
}
