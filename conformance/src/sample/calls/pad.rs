//! Calls of functions that make arrays longer.

use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::Scalar;
use ivy_core::function::ParamValue;

fn pairs(list: &[[i64; 2]]) -> ParamValue {
    ParamValue::IntLists(list.iter().map(|p| p.to_vec()).collect())
}

/// Shapes and how much longer they become.
fn widths() -> [(&'static [usize], ParamValue); 6] {
    [
        (&[2, 3], int(1)),
        (&[4], ints(&[5, 2])),
        (&[2, 3], pairs(&[[0, 3], [7, 0]])),
        (&[], pairs(&[])),
        (&[1, 2, 3], pairs(&[[2, 1], [0, 0], [1, 0]])),
        (&[0, 2], pairs(&[[2, 1], [0, 1]])),
    ]
}

fn layout(i: usize) -> Layout {
    if i.is_multiple_of(2) { CONTIGUOUS } else { Layout::Transposed }
}

impl Maker<'_> {
    pub(super) fn framed(&mut self, name: &'static str) {
        for (i, (shape, width)) in widths().into_iter().enumerate() {
            let mut operands = vec![self.some(0, shape)];
            // Values that every dtype has.
            match (name, i % 3) {
                ("zero_pad", _) => {}
                (_, 0) => operands.push(Arg::Scalar(Scalar::Int(1))),
                (_, 1) => operands.push(Arg::Scalar(Scalar::Bool(true))),
                _ => operands.push(Arg::Absent),
            }
            self.push(operands, vec![("pad_width", width)], layout(i));
        }
    }

    pub(super) fn padded(&mut self) {
        let mode = |name: &str| ("mode", ParamValue::Text(name.into()));
        for (i, (shape, width)) in widths().into_iter().enumerate() {
            let axes = shape.len();
            // Modes that put values or elements.
            for name in ["constant", "empty", "edge", "reflect", "symmetric", "wrap"] {
                if shape.contains(&0) && !matches!(name, "constant" | "empty") {
                    continue;
                }
                let mut keywords = vec![("pad_width", width.clone()), mode(name)];
                if name == "constant" {
                    let value = |k: usize| Scalar::Int((i + k) as i128 % 2);
                    keywords.push((
                        "constant_values",
                        match i {
                            0 => ParamValue::Scalar(value(1)),
                            1 => ParamValue::Scalars(vec![value(0), value(1)]),
                            _ => ParamValue::ScalarLists(
                                (0..axes).map(|a| vec![value(a), value(a + 1)]).collect(),
                            ),
                        },
                    ));
                }
                let x = self.some(0, shape);
                self.push(vec![x], keywords, layout(i));
            }
            // Modes that compute: of small numbers and by powers of two, so that nothing is rounded.
            if shape.contains(&0) {
                continue;
            }
            let ramp = ParamValue::Scalars(vec![Scalar::Int(1), Scalar::Int(0)]);
            let mut computed: Vec<(ParamValue, Keywords)> = vec![(
                if axes == 0 { pairs(&[]) } else { ints(&[4, 2]) },
                vec![mode("linear_ramp"), ("end_values", ramp)],
            )];
            let odd = || ("reflect_type", ParamValue::Text("odd".into()));
            computed.push((width.clone(), vec![mode("reflect"), odd()]));
            computed.push((width.clone(), vec![mode("symmetric"), odd()]));
            for name in ["mean", "median", "maximum", "minimum"] {
                if name == "mean" || !self.dtype(0).is_complex() {
                    computed.push((
                        width.clone(),
                        vec![mode(name), ("stat_length", ints(&[2, 1 + 8 * (i as i64 % 2)]))],
                    ));
                    computed.push((width.clone(), vec![mode(name)]));
                }
            }
            for (width, mut keywords) in computed {
                let numbers: Vec<Num> = [5, 1, 6, 3, 0, 4, 2]
                    .map(|k| {
                        if self.dtype(0).is_complex() {
                            Num::Complex(k as f64, (k % 3) as f64)
                        } else {
                            Num::Int(k)
                        }
                    })
                    .to_vec();
                keywords.push(("pad_width", width));
                let x = self.array(0, shape, &numbers);
                self.push(vec![x], keywords, layout(i));
            }
        }
    }
}
