//! Calls of losses.

use super::conv::text;
use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};
use ivy_core::function::ParamValue;

fn float(name: &'static str, x: f64) -> (&'static str, ParamValue) {
    (name, ParamValue::Float(x))
}

/// Keyword arguments of a loss of pairs; none for a name that is no such loss.
fn keywords(name: &str) -> Option<Vec<Keywords>> {
    let off = ParamValue::Bool(false);
    Some(match name {
        "l1_loss" | "soft_margin_loss" => vec![],
        "huber_loss" => vec![vec![float("delta", 0.5)], vec![float("delta", 3.0)]],
        "smooth_l1_loss" => vec![vec![float("beta", 0.5)], vec![float("beta", 0.0)]],
        "hinge_embedding_loss" => vec![vec![float("margin", 2.0)]],
        "kl_div" => vec![vec![("log_target", ON)]],
        "log_poisson_loss" => vec![vec![("compute_full_loss", ON), ("axis", int(0))]],
        "poisson_nll_loss" => vec![
            vec![("full", ON)],
            vec![("log_input", off.clone())],
            vec![("log_input", off), ("full", ON), float("eps", 0.125)],
        ],
        "binary_cross_entropy" => vec![
            vec![float("epsilon", 0.25)],
            vec![("from_logits", ON)],
            vec![("from_logits", ON), float("epsilon", 0.5), ("axis", ints(&[-1]))],
            vec![("axis", ints(&[0, 1]))],
        ],
        _ => return None,
    })
}

/// Shapes of targets and of predictions, the axis of the classes, and what else is given.
type Distributions<'a> = (&'a [usize], &'a [usize], Option<i64>, Keywords);

impl Maker<'_> {
    pub(super) fn losses(&mut self, name: &'static str) -> bool {
        match (name, keywords(name)) {
            ("cross_entropy", _) => self.distributions(),
            ("sparse_cross_entropy", _) => self.labels(),
            ("wasserstein_loss_discriminator" | "wasserstein_loss_generator", _) => self.judged(),
            (_, Some(more)) => self.loss_of_pairs(name, more),
            _ => return false,
        }
        true
    }

    /// Operand `i` of numbers from 0 to 1; left out where the combination leaves it out.
    fn shares(&mut self, i: usize, shape: &[usize]) -> Arg {
        let Some(dtype) = self.c.operands[i] else { return Arg::Absent };
        let one = |maker: &mut Self| match dtype.is_int() || dtype.is_bool() {
            true => Num::Int((maker.rng.bits() & 1).into()),
            false => Num::Float(0.05 + 0.9 * maker.rng.unit()),
        };
        let mut values: Vec<Num> = (0..11).map(|_| one(self)).collect();
        values.extend([Num::Int(0), Num::Int(1)]);
        self.array(i, shape, &values)
    }

    fn loss_of_pairs(&mut self, name: &'static str, more: Vec<Keywords>) {
        let words = match name {
            "kl_div" => vec!["none", "sum", "batchmean"],
            _ => vec!["none", "sum"],
        };
        let mut all: Vec<Keywords> = [vec![]].into_iter().chain(more).collect();
        let plain = all.len();
        for (k, word) in words.iter().cycle().take(plain + 1).enumerate() {
            let mut keywords = all[k % plain].clone();
            keywords.push(("reduction", text(word)));
            all.push(keywords);
        }
        let shapes: [(&[usize], &[usize], Layout); 4] = [
            (&[3, 5], &[3, 5], CONTIGUOUS),
            (&[4, 3], &[3], Layout::Transposed),
            (&[2, 3, 2], &[3, 1], Layout::Reversed),
            (&[1, 4], &[4, 1], CONTIGUOUS),
        ];
        for (i, keywords) in all.into_iter().enumerate() {
            let (a, b, layout) = shapes[i % shapes.len()];
            self.loss_of_pair(name, a, b, keywords, layout);
        }
        let none = vec![("reduction", text("none"))];
        self.loss_of_pair(name, &[], &[3], none.clone(), CONTIGUOUS);
        self.loss_of_pair(name, &[0, 3], &[3], none, CONTIGUOUS);
        if name != "log_poisson_loss" {
            self.loss_of_pair(name, &[], &[], vec![], CONTIGUOUS);
            self.loss_of_pair(name, &[0], &[0], vec![("reduction", text("sum"))], CONTIGUOUS);
        }
    }

    fn loss_of_pair(
        &mut self,
        name: &'static str,
        a: &[usize],
        b: &[usize],
        keywords: Keywords,
        layout: Layout,
    ) {
        let has = |k: &str| keywords.iter().any(|(name, _)| *name == k);
        let logits = has("from_logits");
        let operands = match name {
            "hinge_embedding_loss" => {
                let low = self.dtype(1).int_range().map_or(-1, |r| r.0.max(-1));
                let signs = [Num::Int(1), Num::Int(low), Num::Int(low), Num::Int(0), Num::Int(1)];
                vec![self.tame(0, a), self.array(1, b, &signs)]
            }
            "kl_div" if has("log_target") => vec![self.tame(0, a), self.tame(1, b)],
            "kl_div" => vec![self.tame(0, a), self.shares(1, b)],
            "poisson_nll_loss" if has("log_input") => vec![self.shares(0, a), self.tame(1, b)],
            "binary_cross_entropy" => {
                let pred = if logits { self.tame(1, b) } else { self.shares(1, b) };
                // Weights go with logits only.
                let weight = if logits { self.tame(2, b) } else { Arg::Absent };
                vec![self.shares(0, a), pred, weight]
            }
            _ => vec![self.tame(0, a), self.tame(1, b)],
        };
        if name == "binary_cross_entropy" && !logits && self.c.operands[2].is_some() {
            let mut keywords = keywords;
            keywords.push(("from_logits", ON));
            let operands = vec![self.shares(0, a), self.tame(1, b), self.tame(2, b)];
            return self.push(operands, keywords, layout);
        }
        self.push(operands, keywords, layout);
    }

    fn judged(&mut self) {
        for (a, b) in [(&[4][..], &[3, 2][..]), (&[], &[5]), (&[2, 3], &[2, 3])] {
            let mut operands = vec![self.tame(0, a)];
            if self.c.operands.len() > 1 {
                operands.push(self.tame(1, b));
            }
            self.push(operands, vec![], Layout::Transposed);
        }
    }

    fn distributions(&mut self) {
        let word = |w: &str| ("reduction", text(w));
        let logits = ("from_logits", ON);
        let smooth = float("label_smoothing", 0.25);
        let calls: Vec<Distributions<'_>> = vec![
            (&[3, 4], &[3, 4], Some(-1), vec![]),
            (&[3, 4], &[3, 4], Some(0), vec![word("sum"), float("epsilon", 0.25)]),
            (&[4], &[2, 4], Some(-1), vec![word("none"), smooth.clone()]),
            (&[2, 3, 2], &[3, 2], Some(-2), vec![logits.clone(), word("sum")]),
            (&[2, 3, 2], &[2, 3, 2], Some(1), vec![logits.clone(), word("batchmean"), smooth]),
            (&[5], &[5], Some(0), vec![logits.clone()]),
            (&[3, 4], &[3, 4], Some(1), vec![word("batchmean")]),
            (&[0, 4], &[4], Some(-1), vec![logits.clone()]),
            (&[3, 4], &[3, 4], None, vec![]),
            (&[2, 3, 2], &[3, 2], None, vec![logits, word("sum")]),
            (&[2, 4], &[2, 4], None, vec![word("none")]),
        ];
        for (i, (t, pred, axis, keywords)) in calls.into_iter().enumerate() {
            let own = axis.unwrap_or(-1);
            let classes = pred[if own < 0 { (own + pred.len() as i64) as usize } else { own as usize }];
            let logits = keywords.iter().any(|k| k.0 == "from_logits");
            let pred = if logits { self.tame(1, pred) } else { self.shares(1, pred) };
            let operands = vec![self.shares(0, t), pred, self.tame(2, &[classes])];
            let axis = axis.map(|axis| ("axis", int(axis)));
            let keywords = keywords.into_iter().chain(axis).collect();
            self.push(operands, keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    fn labels(&mut self) {
        let word = |w: &str| ("reduction", text(w));
        let logits = ("from_logits", ON);
        let smooth = float("label_smoothing", 0.5);
        let ignore = ("ignore_index", int(1));
        let calls: Vec<(&[usize], &[usize], i64, Keywords)> = vec![
            (&[3], &[3, 4], -1, vec![]),
            (&[1], &[4], -1, vec![word("sum")]),
            (&[2, 2], &[2, 3, 2], 1, vec![word("none"), logits.clone(), ignore.clone()]),
            (&[3], &[2, 4, 3], -2, vec![logits.clone(), word("sum"), smooth.clone()]),
            (&[2, 3], &[3, 4], -1, vec![word("none"), smooth.clone()]),
            (&[6], &[6, 3], -1, vec![logits.clone(), word("batchmean"), ignore, smooth]),
            (&[], &[4], 0, vec![logits.clone(), word("batchmean")]),
            (&[4], &[4, 3], -1, vec![word("batchmean")]),
            (&[0], &[0, 3], -1, vec![logits]),
        ];
        for (i, (labels, pred, axis, keywords)) in calls.into_iter().enumerate() {
            let classes = pred[if axis < 0 { (axis + pred.len() as i64) as usize } else { axis as usize }];
            let numbers: Vec<Num> = (0..labels.iter().product::<usize>().max(1))
                .map(|k| Num::Int((k * 2 % classes) as i128))
                .collect();
            let logits = keywords.iter().any(|k| k.0 == "from_logits");
            let pred = if logits { self.tame(1, pred) } else { self.shares(1, pred) };
            // Weights whose sum is not 0.
            let weights = match self.c.operands[2] {
                Some(_) => self.array(2, &[classes], &[1.0, 0.5, 1.0, 2.0].map(Num::Float)),
                None => Arg::Absent,
            };
            let operands = vec![self.array(0, labels, &numbers), pred, weights];
            let keywords = [keywords, vec![("axis", int(axis))]].concat();
            self.push(operands, keywords, if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }
}
