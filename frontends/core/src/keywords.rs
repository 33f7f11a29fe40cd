//! Arguments by name.

use crate::Value;

/// The arguments of a call by name: `kw! { axis: 0, keepdims: true }`, or `()` for none.
#[derive(Clone, Debug, Default)]
pub struct Keywords<'a>(pub(crate) Vec<(&'a str, Value<'a>)>);

impl<'a> Keywords<'a> {
    /// None.
    #[must_use]
    pub const fn new() -> Keywords<'a> {
        Keywords(Vec::new())
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: impl Into<Value<'a>>) -> Keywords<'a> {
        self.0.push((name, value.into()));
        self
    }

    /// True if there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &(&'a str, Value<'a>)> {
        self.0.iter()
    }

    /// Takes the value of a name out.
    pub fn take(&mut self, name: &str) -> Option<Value<'a>> {
        let at = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.remove(at).1)
    }
}

impl From<()> for Keywords<'_> {
    #[inline]
    fn from((): ()) -> Self {
        Keywords::new()
    }
}

impl<'a> From<Vec<(&'a str, Value<'a>)>> for Keywords<'a> {
    fn from(list: Vec<(&'a str, Value<'a>)>) -> Self {
        Keywords(list)
    }
}

impl<'a, const N: usize> From<[(&'a str, Value<'a>); N]> for Keywords<'a> {
    fn from(list: [(&'a str, Value<'a>); N]) -> Self {
        Keywords(list.into())
    }
}

/// Arguments by name, of a frontend's function.
///
/// ```
/// use ivy_frontend::kw;
/// let keywords = kw! { axis: 0, keepdims: true };
/// assert_eq!(keywords.iter().count(), 2);
/// ```
#[macro_export]
macro_rules! kw {
    ($($name:ident: $value:expr),* $(,)?) => {
        $crate::Keywords::from([$(
            (stringify!($name).trim_start_matches("r#"), $crate::Value::from($value)),
        )*])
    };
}
