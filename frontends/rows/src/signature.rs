//! Signatures as Python writes them, and what arguments they bind.

use crate::expr::Expr;
use crate::lexer::{Placed, Token, lex};
use crate::parser::parse_default;
use crate::{Fault, UFUNC_KEYWORDS};
use smallvec::SmallVec;
use std::fmt;

/// How an argument may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// By position only.
    ByPosition,
    /// By position or by name.
    Either,
    /// By name only.
    ByName,
    /// All the positions that are left.
    Rest,
    /// All the names that are left.
    RestByName,
}

/// A default.
#[derive(Clone, Debug, PartialEq)]
pub struct Default {
    /// As Python writes it.
    pub text: String,
    /// Its value.
    pub value: Expr,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// How it may be given.
    pub given: Given,
    /// Its default; `None` where it is needed.
    pub default: Option<Default>,
    /// Whether any value is taken, and has no meaning: `order~='K'`.
    pub ignored: bool,
    /// Other names for it: `min|x_min=None`.
    pub aliases: Vec<String>,
}

impl Parameter {
    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }
}

/// A signature.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The parameters, as Python writes them.
    pub text: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

impl Signature {
    /// Reads a signature: names, defaults, `/`, `*`, `*args`, `**kwargs`; `@ufunc` stands for the keywords that
    /// NumPy's element-wise functions have.
    ///
    /// # Errors
    /// What is no signature, two parameters of a name, a needed parameter after one that has a default.
    pub fn parse(text: &str) -> Result<Signature, Fault> {
        let (expanded, cut) = match text.find("@ufunc") {
            Some(at) => (text.replacen("@ufunc", UFUNC_KEYWORDS, 1), at),
            None => (text.to_string(), text.len()),
        };
        let tokens = lex(&expanded)?;
        let mut reader = Reader { text: &expanded, tokens: &tokens, next: 0, parameters: Vec::new() };
        // What stands in the place of `@ufunc` is right.
        reader.read().map_err(|fault| Fault { at: fault.at.min(cut), ..fault })?;
        let parameters = reader.parameters;
        // Marks of the tables, and none of Python.
        let text = without_aliases(&expanded.replace("~=", "=").replace('~', ""));
        Ok(Signature { text, parameters })
    }

    /// The place of a parameter.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|p| p.name == name)
    }

    /// The arguments in the order of the parameters, as Python binds them.
    ///
    /// # Errors
    /// As Python's: too many, unknown, twice, missing.
    pub fn bind<V>(
        &self,
        positional: impl IntoIterator<Item = V>,
        named: impl IntoIterator<Item = (impl AsRef<str>, V)>,
    ) -> Result<Bound<V>, BindError> {
        let mut values: SmallVec<[Option<V>; 6]> = SmallVec::new();
        values.resize_with(self.parameters.len(), || None);
        let mut bound = Bound { values, rest: Vec::new(), rest_by_name: Vec::new() };
        let mut positional = positional.into_iter();
        let mut used = 0;
        for (slot, parameter) in bound.values.iter_mut().zip(&self.parameters) {
            match parameter.given {
                Given::Rest => bound.rest.extend(positional.by_ref()),
                Given::ByPosition | Given::Either => {
                    *slot = positional.next();
                    used += usize::from(slot.is_some());
                }
                Given::ByName | Given::RestByName => {}
            }
        }
        let left = positional.count();
        if left > 0 {
            return Err(BindError::TooMany { takes: used, given: used + left });
        }
        for (name, value) in named {
            self.bind_name(name.as_ref(), value, &mut bound)?;
        }
        for (slot, parameter) in bound.values.iter().zip(&self.parameters) {
            let needed = !matches!(parameter.given, Given::Rest | Given::RestByName);
            if slot.is_none() && parameter.default.is_none() && needed {
                return Err(BindError::Missing(parameter.name.clone()));
            }
        }
        Ok(bound)
    }

    /// The parameter whose name is nearest to one, if that is near.
    fn near(&self, name: &str) -> Option<String> {
        let named = self.parameters.iter().filter(|p| matches!(p.given, Given::Either | Given::ByName));
        let all = named.map(|p| (crate::distance(name, &p.name), &p.name));
        all.min().filter(|(apart, _)| *apart <= 2 && 2 * apart <= name.len()).map(|(_, name)| name.clone())
    }

    fn bind_name<V>(&self, name: &str, value: V, bound: &mut Bound<V>) -> Result<(), BindError> {
        let by_name = |p: &Parameter| p.is_called(name) && matches!(p.given, Given::Either | Given::ByName);
        let Some(at) = self.parameters.iter().position(by_name) else {
            if self.parameters.iter().any(|p| p.given == Given::RestByName) {
                bound.rest_by_name.push((name.into(), value));
                return Ok(());
            }
            return Err(match self.parameters.iter().any(|p| p.name == name) {
                true => BindError::ByPosition(name.into()),
                false => BindError::Unknown { name: name.into(), near: self.near(name) },
            });
        };
        if bound.values[at].is_some() {
            return Err(BindError::Twice(name.into()));
        }
        bound.values[at] = Some(value);
        Ok(())
    }
}

/// The arguments of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound<V> {
    /// In the order of the parameters; `None` where the default stands, and for those that take what is left.
    pub values: SmallVec<[Option<V>; 6]>,
    /// What `*args` takes.
    pub rest: Vec<V>,
    /// What `**kwargs` takes.
    pub rest_by_name: Vec<(String, V)>,
}

/// Why arguments do not fit a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindError {
    /// More by position than there are places.
    TooMany {
        /// How many places there are.
        takes: usize,
        /// How many were given.
        given: usize,
    },
    /// By name, what is taken by position only.
    ByPosition(String),
    /// A name that no parameter has.
    Unknown {
        /// The name.
        name: String,
        /// The parameter whose name is near, if one is.
        near: Option<String>,
    },
    /// By position and by name.
    Twice(String),
    /// Needed, and not given.
    Missing(String),
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindError::TooMany { takes, given } => {
                write!(f, "takes {takes} positional arguments, {given} were given")
            }
            BindError::ByPosition(name) => write!(f, "got '{name}', which it takes by position only"),
            BindError::Unknown { name, near } => {
                write!(f, "got '{name}', which it does not have")?;
                near.iter().try_for_each(|near| write!(f, "; the nearest is '{near}'"))
            }
            BindError::Twice(name) => write!(f, "got '{name}' twice"),
            BindError::Missing(name) => write!(f, "needs the argument '{name}'"),
        }
    }
}

/// A signature without other names of its parameters.
fn without_aliases(text: &str) -> String {
    let mut parts = text.split('|');
    let first = parts.next().unwrap_or_default().to_string();
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    parts.fold(first, |read, part| read + part.trim_start_matches(is_of_name))
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Placed],
    next: usize,
    parameters: Vec<Parameter>,
}

impl Reader<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> usize {
        self.tokens[self.next].1
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(s) if *s == sign);
        self.next += usize::from(found);
        found
    }

    fn read(&mut self) -> Result<(), Fault> {
        let mut given = Given::Either;
        while *self.peek() != Token::End {
            if self.take("/") {
                self.parameters.iter_mut().for_each(|p| p.given = Given::ByPosition);
            } else if self.take("**") {
                self.parameter(Given::RestByName)?;
            } else if self.take("*") {
                if matches!(self.peek(), Token::Name(_)) {
                    self.parameter(Given::Rest)?;
                }
                given = Given::ByName;
            } else {
                self.parameter(given)?;
            }
            if !self.take(",") && *self.peek() != Token::End {
                return Err(Fault::new(self.at(), "a comma is missing"));
            }
        }
        Ok(())
    }

    fn parameter(&mut self, given: Given) -> Result<(), Fault> {
        let at = self.at();
        let Token::Name(name) = self.peek().clone() else {
            return Err(Fault::new(at, "the name of an argument is missing"));
        };
        self.next += 1;
        if self.parameters.iter().any(|p| p.name == name) {
            return Err(Fault::new(at, format!("two arguments are called `{name}`")));
        }
        let mut aliases = Vec::new();
        while self.take("|") {
            let Token::Name(alias) = self.peek().clone() else {
                return Err(Fault::new(self.at(), "another name of the argument is missing"));
            };
            self.next += 1;
            aliases.push(alias);
        }
        let ignored = self.take("~");
        let mut default = None;
        if self.take("=") {
            let start = self.at();
            let (value, taken) = parse_default(&self.tokens[self.next..])?;
            self.next += taken;
            let text = self.text[start..self.at()].trim_end().to_string();
            default = Some(Default { text, value });
        }
        let by_position = matches!(given, Given::Either);
        if by_position && default.is_none() && self.parameters.iter().any(|p| p.default.is_some()) {
            return Err(Fault::new(at, format!("`{name}` needs a default, as one before it has")));
        }
        self.parameters.push(Parameter { name, given, default, ignored, aliases });
        Ok(())
    }
}
