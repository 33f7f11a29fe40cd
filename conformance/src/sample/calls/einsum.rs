//! Calls of sums of products.

use super::{CONTIGUOUS, Maker};
use crate::sample::{Layout, moderate};
use crate::truth::Arg;
use ivy_core::function::ParamValue;

/// Equations of two operands or more, and the operands' shapes.
const SEVERAL: &[(&str, &[&[usize]])] = &[
    ("ij,jk->ik", &[&[2, 3], &[3, 4]]),
    ("ij,jk", &[&[2, 3], &[3, 4]]),
    ("bij,bjk->bik", &[&[2, 2, 3], &[2, 3, 2]]),
    ("ij,kj->ki", &[&[2, 3], &[4, 3]]),
    ("jbi,kjb->bik", &[&[3, 2, 2], &[4, 3, 2]]),
    ("ijk,jil->kl", &[&[2, 3, 2], &[3, 2, 2]]),
    ("i,i", &[&[3], &[3]]),
    ("ij,j", &[&[2, 3], &[3]]),
    ("i,j->ji", &[&[2], &[3]]),
    ("...ij,...jk->...ik", &[&[2, 1, 2, 3], &[4, 3, 2]]),
    ("...,...", &[&[2, 3], &[3]]),
    ("i...,i...->...", &[&[2, 3], &[2, 1]]),
    ("...i,j->...ij", &[&[2, 3], &[2]]),
    ("iij,j->i", &[&[2, 2, 3], &[3]]),
    ("ii,ij", &[&[2, 2], &[2, 3]]),
    (" Ab , bc -> cA ", &[&[2, 3], &[3, 2]]),
    ("ab,bA", &[&[2, 3], &[3, 2]]),
    ("ij,jk->ik", &[&[2, 1], &[3, 2]]),
    ("ij,j->i", &[&[2, 3], &[1]]),
    ("ij,k->k", &[&[2, 3], &[2]]),
    ("ij,ij->", &[&[3, 2], &[3, 2]]),
    ("i,i->", &[&[0], &[0]]),
    ("ij,jk->ik", &[&[2, 0], &[0, 3]]),
    (",", &[&[], &[]]),
    (",i", &[&[], &[3]]),
    ("ij,jk,kl->il", &[&[2, 3], &[3, 2], &[2, 4]]),
    ("ij,kl,jk->li", &[&[2, 3], &[2, 2], &[3, 2]]),
    ("i,i,i->", &[&[3], &[3], &[3]]),
    ("i,j,k->kji", &[&[2], &[3], &[2]]),
    ("bi,ij,bj->b", &[&[2, 3], &[3, 3], &[2, 3]]),
];

/// Equations of one operand.
const SINGLE: &[(&str, &[usize])] = &[
    ("ij->ji", &[2, 3]),
    ("ba", &[2, 3]),
    ("ii", &[3, 3]),
    ("ii->i", &[3, 3]),
    ("iji->j", &[2, 3, 2]),
    ("iii->i", &[2, 2, 2]),
    ("ii->i", &[0, 0]),
    ("ii->", &[3, 3]),
    ("ij->", &[2, 3]),
    ("ij->j", &[2, 3]),
    ("...i->...", &[2, 2, 3]),
    ("i...->...i", &[2, 2, 3]),
    ("...", &[2, 3]),
    ("", &[]),
];

impl Maker<'_> {
    pub(super) fn einsum(&mut self) {
        for &(equation, shapes) in SEVERAL {
            self.sum_of_products(equation, shapes);
        }
        if self.dtype(0) == self.dtype(1) {
            for &(equation, shape) in SINGLE {
                self.sum_of_products(equation, &[shape]);
            }
        }
    }

    fn sum_of_products(&mut self, equation: &str, shapes: &[&[usize]]) {
        for layout in [CONTIGUOUS, Layout::Transposed] {
            let operand = |(i, shape): (usize, &&[usize])| -> Arg {
                let values =
                    moderate(self.dtype(i % 2), &mut self.rng, shape.iter().product::<usize>().max(1));
                self.array(i % 2, shape, &values)
            };
            let operands = shapes.iter().enumerate().map(operand).collect();
            self.push(operands, vec![("equation", ParamValue::Text(equation.into()))], layout);
        }
    }
}
