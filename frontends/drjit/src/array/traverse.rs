//! Values that hold arrays: the state of loops, arguments of differentiation.

use super::{AnyArray, Mark, Typed};
use crate::{Error, Result};

/// A value that holds arrays: arrays of any type, options, vectors, arrays and tuples of such values, and structs that derive it by
/// [`DrjitStruct`](crate::DrjitStruct).
pub trait Traverse: Sized {
    /// Calls a function with each array, in order.
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray));

    /// The same value with what a function makes of each array, in order.
    ///
    /// # Errors
    /// The function's first one; [`Error::WrongType`] for an array of another type where the compiler knows it.
    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Self>;

    /// The names of the arrays, in order, as errors tell of them.
    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        self.visit(&mut |_| paths.push(prefix.to_owned()));
    }

    /// What a recording depends on besides the arrays ([`freeze`](crate::freeze)), as text: the fields that a struct skips.
    fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
        _ = (prefix, values);
    }

    /// The arrays in order.
    fn arrays(&self) -> Vec<AnyArray> {
        let mut arrays = Vec::new();
        self.visit(&mut |x| arrays.push(x.clone()));
        arrays
    }

    /// The same value with other arrays, in order.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for too few; those of [`map`](Self::map).
    fn with_arrays(&self, arrays: Vec<AnyArray>) -> Result<Self> {
        let mut arrays = arrays.into_iter();
        let few = || Error::InvalidArgument {
            function: "with_arrays",
            argument: "arrays",
            value: "too few".into(),
            rule: "one for each array of the value",
        };
        self.map(&mut |_| arrays.next().ok_or_else(few))
    }
}

impl Traverse for AnyArray {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        visit(self);
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<AnyArray> {
        change(self)
    }
}

impl<M: Mark> Traverse for Typed<M> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        visit(self.any());
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Typed<M>> {
        Typed::try_from(change(self.any())?)
    }
}

/// No arrays.
impl Traverse for () {
    fn visit(&self, _: &mut dyn FnMut(&AnyArray)) {}

    fn map(&self, _: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<()> {
        Ok(())
    }
}

impl<T: Traverse> Traverse for Option<T> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        self.iter().for_each(|x| x.visit(visit));
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Option<T>> {
        self.as_ref().map(|x| x.map(change)).transpose()
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        self.iter().for_each(|x| x.paths(prefix, paths));
    }

    fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
        self.iter().for_each(|x| x.host_values(prefix, values));
    }
}

impl<T: Traverse> Traverse for Vec<T> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        self.iter().for_each(|x| x.visit(visit));
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Vec<T>> {
        self.iter().map(|x| x.map(change)).collect()
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        self.iter().enumerate().for_each(|(i, x)| x.paths(&format!("{prefix}[{i}]"), paths));
    }

    fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
        self.iter().enumerate().for_each(|(i, x)| x.host_values(&format!("{prefix}[{i}]"), values));
    }
}

impl<T: Traverse, const N: usize> Traverse for [T; N] {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        self.iter().for_each(|x| x.visit(visit));
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<[T; N]> {
        let made = self.iter().map(|x| x.map(change)).collect::<Result<Vec<T>>>()?;
        made.try_into().map_err(|_| Error::InvalidArgument {
            function: "map",
            argument: "arrays",
            value: "another number".into(),
            rule: "as many as there are",
        })
    }

    fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
        self.iter().enumerate().for_each(|(i, x)| x.paths(&format!("{prefix}[{i}]"), paths));
    }

    fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
        self.iter().enumerate().for_each(|(i, x)| x.host_values(&format!("{prefix}[{i}]"), values));
    }
}

macro_rules! tuples {
    ($(($($t:ident $n:tt)*))*) => {
        $(impl<$($t: Traverse),*> Traverse for ($($t,)*) {
            fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
                $(self.$n.visit(visit);)*
            }

            fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Self> {
                Ok(($(self.$n.map(change)?,)*))
            }

            fn paths(&self, prefix: &str, paths: &mut Vec<String>) {
                $(self.$n.paths(&format!("{prefix}[{}]", $n), paths);)*
            }

            fn host_values(&self, prefix: &str, values: &mut Vec<String>) {
                $(self.$n.host_values(&format!("{prefix}[{}]", $n), values);)*
            }
        })*
    };
}
tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
}
