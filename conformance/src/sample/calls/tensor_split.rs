//! Calls of splits, flips, expanded shapes and filled diagonals.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords};
use ivy_core::Scalar;

impl Maker<'_> {
    pub(super) fn splits_and_flips(&mut self, name: &'static str) {
        let at = |value| vec![("indices_or_sections", value)];
        let calls: Vec<(&[usize], Keywords)> = match name {
            "vsplit" => vec![
                (&[4, 3], at(int(2))),
                (&[5, 2], at(ints(&[1, 3]))),
                (&[3, 2], at(ints(&[2, 1, -1, 9]))),
                (&[0, 2], at(int(1))),
            ],
            "hsplit" => vec![
                (&[6], at(int(3))),
                (&[2, 4], at(int(4))),
                (&[2, 5], at(ints(&[-2]))),
                (&[2, 0], at(ints(&[]))),
            ],
            "dsplit" => vec![(&[2, 2, 4], at(int(2))), (&[1, 2, 3], at(ints(&[1, 1])))],
            "expand" => vec![
                (&[2, 1], vec![("shape", ints(&[-1, 3]))]),
                (&[3], vec![("shape", ints(&[2, 1, -1]))]),
                (&[], vec![("shape", ints(&[2]))]),
                (&[1, 2], vec![("shape", ints(&[0, -1]))]),
            ],
            "fill_diagonal" => vec![
                (&[3, 4], vec![]),
                (&[7, 3], vec![]),
                (&[7, 3], vec![("wrap", ON)]),
                (&[2, 5], vec![("wrap", ON)]),
                (&[3, 3, 3], vec![]),
                (&[0, 3], vec![]),
            ],
            _ => vec![(&[3, 2], vec![]), (&[2, 3, 2], vec![]), (&[0, 2], vec![])],
        };
        for (shape, keywords) in calls {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let mut operands = vec![self.some(0, shape)];
                if name == "fill_diagonal" {
                    operands.push(Arg::Scalar(Scalar::Int(1)));
                }
                self.push(operands, keywords.clone(), layout);
            }
        }
    }
}
