//! The order of dtypes by promotion.

use super::Rules;
use crate::Dtype;
use std::cmp::Ordering;

impl Rules {
    /// The partial order of dtypes (spec I-05): `a` is greater if `a` and `b` promote to `a`,
    /// less if they promote to `b`. Where they promote to a third dtype, or to none, they are
    /// not ordered: neither of bfloat16 and float16 is greater. (The rules of the standard say
    /// nothing of float16 and complex numbers, so that there the order has this one gap.)
    ///
    /// It is a method of the rules, and [`Dtype`] is not `PartialOrd`, since the order depends
    /// on them.
    ///
    /// ```
    /// use ivy_core::{Dtype, Rules};
    /// use std::cmp::Ordering;
    /// let rules = Rules::Precise;
    /// assert_eq!(rules.promotion_cmp(Dtype::INT8, Dtype::FLOAT16), Some(Ordering::Less));
    /// assert_eq!(rules.promotion_cmp(Dtype::BFLOAT16, Dtype::FLOAT16), None);
    /// ```
    pub fn promotion_cmp(self, a: Dtype, b: Dtype) -> Option<Ordering> {
        match self.lookup(a, b)? {
            _ if a == b => Some(Ordering::Equal),
            common if common == a => Some(Ordering::Greater),
            common if common == b => Some(Ordering::Less),
            _ => None,
        }
    }
}
