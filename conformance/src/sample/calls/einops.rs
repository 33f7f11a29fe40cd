//! Calls of patterns of axes.

use super::{CONTIGUOUS, Maker};
use crate::sample::{Layout, moderate, repeated};
use crate::truth::Keywords;
use ivy_core::function::ParamValue;

type Pattern = (&'static str, &'static [usize], &'static [(&'static str, i64)]);

const REARRANGED: &[Pattern] = &[
    ("a b -> b a", &[2, 3], &[]),
    ("b h w c -> b c h w", &[2, 3, 2, 2], &[]),
    ("b h w -> b (h w)", &[2, 3, 2], &[]),
    ("b (h w) -> w b h", &[2, 6], &[("h", 2)]),
    ("(b1 b2) h -> b2 (b1 h)", &[6, 2], &[("b2", 3)]),
    ("(a b) (c d) -> (a c) (b d)", &[4, 6], &[("a", 2), ("d", 3)]),
    ("... c -> c ...", &[2, 3, 4], &[]),
    ("a ... b -> (a ...) b", &[2, 3, 2, 2], &[]),
    ("a ... -> (...) a", &[3], &[]),
    ("... -> ...", &[], &[]),
    (" 1 a(b)  -> () b 1 a", &[1, 2, 3], &[]),
    ("-> 1 1", &[], &[]),
    ("1 () -> ", &[1, 1], &[]),
    ("(a b) -> b a", &[0], &[("a", 2)]),
    ("a b -> (a b)", &[0, 3], &[]),
    ("a (b c) -> a b c", &[2, 0], &[("b", 0), ("c", 3)]),
];

const REDUCED: &[Pattern] = &[
    ("a b -> b", &[3, 2], &[]),
    ("a b -> b a", &[3, 2], &[]),
    ("a b ->", &[3, 2], &[]),
    ("a b c -> c 1 a", &[2, 3, 2], &[]),
    ("b (h 2) (w 2) -> b h w", &[1, 4, 2], &[]),
    ("(h n) c -> n c", &[6, 2], &[("h", 3)]),
    ("... c -> c", &[2, 3, 4], &[]),
    ("... c -> ...", &[2, 3, 4], &[]),
    ("3 (1 a) -> a", &[3, 2], &[]),
    ("a ... -> (...)", &[2, 2, 3], &[]),
    ("->", &[], &[]),
];

/// Sums and means of nothing.
const EMPTY: &[Pattern] = &[("a b -> b", &[0, 2], &[]), ("a b -> a", &[0, 3], &[])];

const REPEATED: &[Pattern] = &[
    ("a -> a b", &[3], &[("b", 2)]),
    ("a -> (a b)", &[3], &[("b", 2)]),
    ("a -> (b a)", &[3], &[("b", 2)]),
    ("a b -> 2 b (3 a) 1", &[2, 3], &[]),
    ("(a b) ... -> b n ... a", &[4, 2, 3], &[("a", 2), ("n", 2)]),
    ("a b -> b a", &[2, 3], &[]),
    ("-> n", &[], &[("n", 3)]),
    ("... -> ... n", &[2, 1], &[("n", 0)]),
    ("a -> 2 a 2", &[0], &[]),
];

impl Maker<'_> {
    pub(super) fn einops(&mut self, name: &'static str) {
        match name {
            "einops_rearrange" => self.patterns(REARRANGED, None),
            "einops_repeat" => self.patterns(REPEATED, None),
            _ => {
                for reduction in ["sum", "prod", "mean", "any", "all", "max", "min"] {
                    // Complex numbers have no order.
                    let ordered = matches!(reduction, "max" | "min");
                    if ordered && self.dtype(0).is_complex() {
                        continue;
                    }
                    self.patterns(REDUCED, Some(reduction));
                    if !ordered {
                        self.patterns(EMPTY, Some(reduction));
                    }
                }
            }
        }
    }

    fn patterns(&mut self, patterns: &[Pattern], reduction: Option<&str>) {
        for &(pattern, shape, lengths) in patterns {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let n = shape.iter().product::<usize>().max(1);
                let values = match reduction {
                    Some("sum" | "prod" | "mean") => moderate(self.dtype(0), &mut self.rng, n),
                    _ => repeated(self.dtype(0), &mut self.rng, n, true),
                };
                let x = self.array(0, shape, &values);
                let mut keywords: Keywords = vec![("pattern", ParamValue::Text(pattern.into()))];
                keywords.extend(reduction.map(|word| ("reduction", ParamValue::Text(word.into()))));
                if !lengths.is_empty() {
                    let pairs = lengths.iter().map(|&(name, n)| (name.to_string(), n)).collect();
                    keywords.push(("axes_lengths", ParamValue::Named(pairs)));
                }
                self.push(vec![x], keywords, layout);
            }
        }
    }
}
