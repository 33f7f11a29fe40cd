//! The sets of rules, and questions to their tables.

use crate::dtype::edit_distance;
use crate::{Dtype, DtypeSet, Error, ErrorKind, Result};
use ivy_dtype_tables::{self as tables, Category, RuleSet, Scalars, cell};
use std::{fmt, str::FromStr};

macro_rules! declare_rules {
    ($(($variant:ident, $index:literal, $docs:literal))*) => {
        /// A set of promotion rules: a folder of `dtype-tables/rules/`, generated from `sets.tsv` there.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Rules {
            $(#[doc = $docs] $variant = $index,)*
        }

        impl Rules {
            /// Every set of rules.
            pub const ALL: [Rules; tables::RULE_SETS.len()] = [$(Rules::$variant,)*];
        }
    };
}
ivy_dtype_tables::for_each_rules!(declare_rules);

impl Default for Rules {
    /// Ivy's precise rules.
    fn default() -> Rules {
        Rules::Precise
    }
}

impl Rules {
    /// The tables.
    #[inline]
    pub(crate) fn set(self) -> &'static RuleSet {
        &tables::RULE_SETS[self as usize]
    }

    /// Whether what host numbers and arrays without axes hold counts, and not their dtypes alone: NumPy's rules before 2.
    pub fn count_values(self) -> bool {
        self.set().scalars_are == Scalars::ByValue
    }

    /// The name, as the command line spells it.
    pub fn name(self) -> &'static str {
        self.set().name
    }

    /// What the set is, in words.
    pub fn about(self) -> &'static str {
        self.set().about
    }

    /// Whose answers the set gives: a package or a document, with its version.
    pub fn source(self) -> &'static str {
        self.set().source
    }

    /// The file of the pair table.
    pub fn table(self) -> &'static str {
        self.set().files.pairs
    }

    /// The entry of the pair table: one array index.
    ///
    /// ```
    /// use ivy_core::{Dtype, Rules};
    /// assert_eq!(Rules::Torch.lookup(Dtype::INT64, Dtype::FLOAT16), Some(Dtype::FLOAT16));
    /// assert_eq!(Rules::Numpy.lookup(Dtype::INT64, Dtype::FLOAT16), Some(Dtype::FLOAT64));
    /// assert_eq!(Rules::Jax.lookup(Dtype::FLOAT8_E5M2, Dtype::FLOAT32), None);
    /// ```
    #[inline]
    pub fn lookup(self, a: Dtype, b: Dtype) -> Option<Dtype> {
        dtype_of(self.set().pairs[a.index()][b.index()])
    }

    /// The entry for an array with axes and one without, in this order: another one than [`Rules::lookup`] where the
    /// set ranks them, as PyTorch does.
    pub fn lookup_array_zero(self, array: Dtype, zero: Dtype) -> Option<Dtype> {
        dtype_of(self.set().array_zero[array.index()][zero.index()])
    }

    /// The entry for two arrays without axes.
    pub fn lookup_zero(self, a: Dtype, b: Dtype) -> Option<Dtype> {
        dtype_of(self.set().zero[a.index()][b.index()])
    }

    /// The dtypes that the set says something about: those that promote with themselves.
    pub fn dtypes(self) -> impl Iterator<Item = Dtype> + Clone {
        Dtype::known().filter(move |&d| self.lookup(d, d).is_some())
    }

    /// The names of the set's kinds of casting, the framework's default first; none where it has no such question.
    ///
    /// ```
    /// use ivy_core::Rules;
    /// assert_eq!(Rules::Numpy.castings().collect::<Vec<_>>(), ["safe", "no", "equiv", "same_kind", "unsafe"]);
    /// ```
    pub fn castings(self) -> impl Iterator<Item = &'static str> {
        self.set().casting.iter().map(|c| c.name)
    }

    /// Whether a dtype may be cast to another. Without a kind it is the framework's default one; where the set has
    /// none, whether they promote to the other.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for a kind that the set does not have.
    pub fn can_cast(self, from: Dtype, to: Dtype, kind: Option<&str>) -> Result<bool> {
        let casting = self.set().casting;
        let found = match kind {
            None => casting.first(),
            Some(name) => Some(casting.iter().find(|c| c.name == name).ok_or_else(|| self.no_casting(name))?),
        };
        Ok(match found {
            Some(rule) => rule.to[from.index()] >> to.index() & 1 == 1,
            None => self.lookup(from, to) == Some(to),
        })
    }

    fn no_casting(self, name: &str) -> Error {
        let known: Vec<_> = self.castings().collect();
        let rule = if known.is_empty() {
            "the rules have no kinds of casting"
        } else {
            "a kind of casting of the rules"
        };
        let value = match known.is_empty() {
            true => name.to_string(),
            false => format!("{name} ({self} rules have {})", known.join(", ")),
        };
        ErrorKind::InvalidArgument { function: "can_cast", argument: "casting", value, rule }.into()
    }

    /// The dtype that stands for another: a narrower one where the framework's mode has no wide dtypes.
    pub fn canonical(self, dtype: Dtype) -> Dtype {
        Dtype::from_index(self.set().canonical[dtype.index()])
    }

    /// Whether a host integer beyond an integer dtype wraps; elsewhere it is an error (decision S15).
    pub fn wraps(self) -> bool {
        self.set().wraps
    }

    /// The dtype of indices.
    pub fn index_dtype(self) -> Dtype {
        Dtype::from_index(self.set().index)
    }

    /// The dtypes that a category of functions refuses, of those that promotion gives.
    pub fn refused_by(self, category: Category) -> DtypeSet {
        let computes = &self.set().categories[category as usize].computes;
        Dtype::all().filter(|d| computes[d.index()] == cell::REFUSED).collect()
    }
}

/// The dtype of a cell that names one.
#[inline]
pub(super) fn dtype_of(entry: u8) -> Option<Dtype> {
    match entry {
        cell::REFUSED => None,
        entry => Some(Dtype::from_index(entry & !cell::WEAK)),
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules> {
        if let Some(found) = Rules::ALL.into_iter().find(|r| r.name() == text) {
            return Ok(found);
        }
        let near = |r: &Rules| edit_distance(text, r.name());
        let hint = Rules::ALL.into_iter().min_by_key(near).filter(|r| near(r) <= 3);
        let value = hint.map_or_else(|| text.to_string(), |r| format!("{text} (did you mean {r}?)"));
        Err(ErrorKind::InvalidArgument { function: "promote_types", argument: "rules", value, rule: names() }
            .into())
    }
}

/// `one of` and every name, made once.
fn names() -> &'static str {
    static NAMES: once_cell::sync::Lazy<String> =
        once_cell::sync::Lazy::new(|| format!("one of {}", Rules::ALL.map(Rules::name).join(", ")));
    &NAMES
}
