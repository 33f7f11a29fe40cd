//! Calls of distances and similarities of vectors.

use super::{CONTIGUOUS, Maker, ON, int};
use crate::sample::Layout;
use crate::truth::Keywords;
use ivy_core::function::ParamValue;

fn float(name: &'static str, x: f64) -> (&'static str, ParamValue) {
    (name, ParamValue::Float(x))
}

impl Maker<'_> {
    pub(super) fn distances(&mut self, name: &'static str) {
        type Call = (&'static [usize], &'static [usize]);
        let (shapes, keywords): ([Call; 5], [Keywords; 5]) = match name {
            "cosine_similarity" => (
                [
                    (&[3, 4], &[3, 4]),
                    (&[5], &[5]),
                    (&[2, 3, 2], &[3, 1]),
                    (&[2, 1], &[1, 3]),
                    (&[0, 3], &[3]),
                ],
                [vec![], vec![("axis", int(0))], vec![float("eps", 10.0)], vec![("axis", int(-2))], vec![]],
            ),
            "pairwise_distance" => (
                [
                    (&[3, 4], &[3, 4]),
                    (&[5], &[5]),
                    (&[2, 3, 2], &[3, 1]),
                    (&[2, 1], &[1, 3]),
                    (&[0, 3], &[3]),
                ],
                [
                    vec![],
                    vec![float("p", 1.0), float("eps", 0.5)],
                    vec![float("p", f64::INFINITY), ("keepdims", ON)],
                    vec![float("p", 3.0)],
                    vec![("keepdims", ON)],
                ],
            ),
            _ => (
                [
                    (&[3, 4], &[2, 4]),
                    (&[2, 3, 2], &[4, 2]),
                    (&[2, 3], &[2, 3]),
                    (&[3, 0], &[2, 0]),
                    (&[0, 2], &[3, 2]),
                ],
                [
                    vec![],
                    vec![float("p", 1.0)],
                    vec![float("p", 0.0)],
                    vec![float("p", f64::INFINITY)],
                    vec![float("p", 3.0)],
                ],
            ),
        };
        for (k, ((a, b), keywords)) in shapes.into_iter().zip(keywords).enumerate() {
            let operands = vec![self.tame(0, a), self.tame(1, b)];
            self.push(operands, keywords, if k % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }
}
