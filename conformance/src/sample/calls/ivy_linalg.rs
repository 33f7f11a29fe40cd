//! Calls of Ivy's linear algebra beyond the standard.

use super::{CONTIGUOUS, Maker, ON, int};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;

const OFF: ParamValue = ParamValue::Bool(false);

impl Maker<'_> {
    pub(super) fn ivy_linalg(&mut self, name: &'static str) {
        match name {
            "inner" => self.pairs(&[
                (&[3], &[3], vec![]),
                (&[2, 3], &[3], vec![]),
                (&[2, 3], &[4, 3], vec![]),
                (&[2, 2, 3], &[2, 3], vec![]),
                (&[], &[2], vec![]),
                (&[], &[], vec![]),
                (&[0], &[0], vec![]),
                (&[2, 0], &[3, 0], vec![]),
            ]),
            "kron" => self.pairs(&[
                (&[2], &[3], vec![]),
                (&[2, 3], &[3, 2], vec![]),
                (&[2], &[2, 3], vec![]),
                (&[2, 1, 2], &[2], vec![]),
                (&[], &[2], vec![]),
                (&[0, 2], &[3, 2], vec![]),
            ]),
            "multi_dot" => self.chains(),
            "diag" => {
                for k in [0, 1, -1, 4] {
                    for shape in [&[3][..], &[0], &[3, 3], &[2, 4], &[1]] {
                        let x = self.small_array(0, shape);
                        self.push(vec![x], vec![("k", int(k))], Layout::Reversed);
                    }
                }
            }
            "vander" => {
                for n in [None, Some(0), Some(1), Some(5)] {
                    for shape in [&[3][..], &[0], &[1]] {
                        for increasing in [ON, OFF] {
                            let x = self.small_array(0, shape);
                            let mut keywords: Keywords = vec![("increasing", increasing)];
                            keywords.extend(n.map(|n| ("N", int(n))));
                            self.push(vec![x], keywords, Layout::Reversed);
                        }
                    }
                }
            }
            "matrix_exp" => {
                for shape in [&[3, 3][..], &[1, 1], &[2, 2, 2], &[0, 0], &[0, 2, 2], &[5, 5]] {
                    let x = self.small_array(0, shape);
                    self.push(vec![x], vec![], Layout::Transposed);
                }
                let zeros = self.array(0, &[2, 2], &[Num::Int(0)]);
                self.push(vec![zeros], vec![], CONTIGUOUS);
            }
            "lu_factor" => {
                for shape in [&[3, 3][..], &[1, 1], &[2, 2, 2], &[0, 0], &[0, 2, 2], &[4, 4]] {
                    let x = self.regular(0, shape);
                    self.push(vec![x], vec![], Layout::Transposed);
                }
                // Rows that are exchanged.
                let rows = self.array(0, &[3, 3], &[0, 1, 0, 0, 0, 1, 1, 0, 0].map(Num::Int));
                self.push(vec![rows], vec![], CONTIGUOUS);
            }
            _ => self.triangles(name),
        }
    }

    fn chains(&mut self) {
        let chains: [&[&[usize]]; 5] = [
            &[&[2, 3], &[3, 2]],
            &[&[2, 3], &[3, 4], &[4, 2]],
            &[&[3], &[3, 2], &[2, 2], &[2]],
            &[&[3], &[3]],
            &[&[2, 0], &[0, 3], &[3, 1]],
        ];
        for shapes in chains {
            let operands: Vec<Arg> =
                shapes.iter().enumerate().map(|(i, shape)| self.small_array(i % 2, shape)).collect();
            self.push(operands, vec![], Layout::Transposed);
        }
    }

    fn triangles(&mut self, name: &str) {
        let shapes: [(&[usize], &[usize]); 6] = [
            (&[3, 3], &[3]),
            (&[3, 3], &[3, 2]),
            (&[2, 3, 3], &[3, 2]),
            (&[2, 1, 2, 2], &[3, 2, 4]),
            (&[0, 0], &[0, 2]),
            (&[2, 2], &[2, 0]),
        ];
        for (s, t) in shapes {
            if name == "lu_solve" {
                let backwards: Vec<Num> = (0..s[s.len() - 1] as i128).rev().map(Num::Int).collect();
                let order = self.array(1, &s[..s.len() - 1], &backwards);
                let operands = vec![self.regular(0, s), order, self.small_array(2, t)];
                self.push(operands, vec![], Layout::Transposed);
                continue;
            }
            for flags in 0..8 {
                let flag = |bit: i32| if flags & bit == 0 { OFF } else { ON };
                let keywords: Keywords =
                    vec![("upper", flag(1)), ("adjoint", flag(2)), ("unit_diagonal", flag(4))];
                let operands = vec![self.regular(0, s), self.small_array(1, t)];
                self.push(operands, keywords, Layout::Transposed);
            }
        }
    }
}
