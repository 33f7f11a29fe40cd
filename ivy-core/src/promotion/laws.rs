//! Whether the promotion of a set of rules is commutative and associative.

use super::Rules;
use crate::Dtype;

impl Rules {
    /// True if the order of two arrays decides neither the dtype nor whether they are refused.
    ///
    /// ```
    /// use ivy_core::Rules;
    /// assert!(Rules::Numpy.is_commutative());
    /// ```
    pub fn is_commutative(self) -> bool {
        let dtypes: Vec<Dtype> = self.dtypes().collect();
        dtypes.iter().all(|&a| dtypes.iter().all(|&b| self.lookup(a, b) == self.lookup(b, a)))
    }

    /// True if arrays may be promoted in pairs in any grouping: `(a, b), c` and `a, (b, c)` give the same dtype, or are both
    /// refused.
    ///
    /// ```
    /// use ivy_core::Rules;
    /// // int8 and uint8 have int16 in common, and that has float32 with float16; uint8 and float16 have float16.
    /// assert!(!Rules::Numpy.is_associative() && Rules::Drjit.is_associative());
    /// ```
    pub fn is_associative(self) -> bool {
        let dtypes: Vec<Dtype> = self.dtypes().collect();
        dtypes.iter().all(|&a| {
            dtypes.iter().all(|&b| {
                let left = self.lookup(a, b);
                dtypes.iter().all(|&c| {
                    let right = self.lookup(b, c);
                    left.and_then(|ab| self.lookup(ab, c)) == right.and_then(|bc| self.lookup(a, bc))
                })
            })
        })
    }
}
