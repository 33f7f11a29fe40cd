//! Calls of what reduces blocks.

use super::{CONTIGUOUS, Maker, ON, int};
use crate::sample::Layout;
use crate::sample::values::{moderate, repeated};
use ivy_core::ScatterOp;
use ivy_core::function::ParamValue;

impl Maker<'_> {
    pub(super) fn blocks(&mut self, name: &'static str) {
        // Shapes, the axis, and the size of a block: whole ones, a shorter last one, one for all, and none.
        let calls: [(&[usize], i64, i64, Layout); 5] = [
            (&[6], -1, 2, CONTIGUOUS),
            (&[4, 7], 1, 3, Layout::Transposed),
            (&[5, 3], 0, 2, Layout::Reversed),
            (&[3], 0, 5, CONTIGUOUS),
            (&[0, 2], 0, 4, CONTIGUOUS),
        ];
        let dtype = self.dtype(0);
        let words = [
            ("sum", ScatterOp::Add),
            ("min", ScatterOp::Min),
            ("max", ScatterOp::Max),
            ("mul", ScatterOp::Mul),
            ("and", ScatterOp::And),
            ("or", ScatterOp::Or),
        ];
        for (k, (word, op)) in words.into_iter().enumerate() {
            if !op.takes(dtype) {
                continue;
            }
            for (i, &(shape, axis, size, layout)) in calls.iter().enumerate() {
                let count = shape.iter().product::<usize>();
                let values = match op {
                    ScatterOp::Min | ScatterOp::Max => repeated(dtype, &mut self.rng, count, count > 4),
                    _ => moderate(dtype, &mut self.rng, count.max(1)),
                };
                let x = self.array(0, shape, &values);
                let word = ParamValue::Text(word.into());
                let mut keywords = vec![("block_size", int(size)), ("axis", int(axis)), ("reduction", word)];
                if name == "block_prefix_reduce" {
                    if (i + k) % 2 > 0 {
                        keywords.push(("exclusive", ParamValue::Bool(false)));
                    }
                    if (i + k) % 4 > 1 {
                        keywords.push(("reverse", ON));
                    }
                }
                self.push(vec![x], keywords, layout);
            }
        }
    }
}
