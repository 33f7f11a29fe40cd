//! The lengths of a pattern's axes, by name.

use super::parse::is_name;
use crate::function::{ParamField, ParamValue};

/// The lengths of axes that a pattern names, where they do not follow from the operand's shape.
///
/// ```
/// use ivy::AxesLengths;
/// let lengths = AxesLengths::from([("h", 2), ("w", 3)]);
/// assert_eq!((lengths.get("w"), lengths.get("c")), (Some(3), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AxesLengths(Vec<(String, usize)>);

impl AxesLengths {
    /// The length of an axis, if it is given.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.0.iter().find(|pair| pair.0 == name).map(|pair| pair.1)
    }

    pub(super) fn pairs(&self) -> &[(String, usize)] {
        &self.0
    }
}

impl From<()> for AxesLengths {
    fn from((): ()) -> AxesLengths {
        AxesLengths::default()
    }
}

impl From<&[(&str, usize)]> for AxesLengths {
    fn from(pairs: &[(&str, usize)]) -> AxesLengths {
        AxesLengths(pairs.iter().map(|&(name, len)| (name.into(), len)).collect())
    }
}

impl<const N: usize> From<[(&str, usize); N]> for AxesLengths {
    fn from(pairs: [(&str, usize); N]) -> AxesLengths {
        AxesLengths::from(&pairs[..])
    }
}

impl From<Vec<(String, usize)>> for AxesLengths {
    fn from(pairs: Vec<(String, usize)>) -> AxesLengths {
        AxesLengths(pairs)
    }
}

impl ParamField for AxesLengths {
    const TYPE: &'static str = "int";
    const RULE: &'static str = "names of axes with whole numbers that are not negative";

    fn from_value(value: ParamValue) -> Option<AxesLengths> {
        let ParamValue::Named(pairs) = value else { return None };
        let pair = |(name, len): (String, i64)| Some((name, usize::try_from(len).ok()?));
        let pairs: Vec<(String, usize)> = pairs.into_iter().map(pair).collect::<Option<_>>()?;
        pairs.iter().all(|pair| is_name(&pair.0)).then_some(AxesLengths(pairs))
    }
}
