//! Calls of activation functions.

use super::{CONTIGUOUS, Maker, ON, int};
use crate::sample::Layout;
use crate::sample::values::{edges, moderate, random};
use crate::truth::{Keywords, Num};
use ivy_core::function::ParamValue;

fn float(name: &'static str, x: f64) -> (&'static str, ParamValue) {
    (name, ParamValue::Float(x))
}

/// Keyword arguments other than the defaults; none for a name that is no activation function.
fn keywords(name: &str) -> Option<Vec<Keywords>> {
    Some(match name {
        "relu" | "relu6" | "selu" | "silu" | "mish" | "sigmoid" | "logsigmoid" | "hardswish" | "hardsilu"
        | "softsign" | "tanhshrink" => vec![],
        "leaky_relu" => vec![vec![float("alpha", 0.5)], vec![float("alpha", -2.0)]],
        "elu" => vec![vec![float("alpha", 0.5)]],
        "celu" => vec![vec![float("alpha", 2.5)]],
        "gelu" => vec![vec![("approximate", ON)]],
        "softplus" => vec![
            vec![float("beta", 0.75)],
            vec![float("threshold", 1.5)],
            vec![float("beta", 2.0), float("threshold", -0.5)],
        ],
        "logit" => vec![vec![float("eps", 0.25)]],
        "hardtanh" => vec![vec![float("max_val", 3.0), float("min_val", -2.0)], vec![float("min_val", 1.0)]],
        "threshold" => vec![vec![float("threshold", 2.0), float("value", 7.0)]],
        "thresholded_relu" => vec![vec![float("threshold", 1.0)]],
        "hardshrink" | "softshrink" => vec![vec![float("lambd", 1.5)], vec![float("lambd", 0.0)]],
        "scaled_tanh" => vec![vec![float("alpha", -2.0), float("beta", 0.125)]],
        _ => return None,
    })
}

fn mode(word: &str) -> (&'static str, ParamValue) {
    ("complex_mode", ParamValue::Text(word.into()))
}

impl Maker<'_> {
    pub(super) fn activations(&mut self, name: &'static str) -> bool {
        match (name, keywords(name)) {
            ("log_softmax", _) => self.along_axis(name),
            ("prelu", _) => self.slopes(),
            (_, Some(more)) => self.by_element(name, more),
            _ => return false,
        }
        true
    }

    fn by_element(&mut self, name: &'static str, more: Vec<Keywords>) {
        let dtype = self.dtype(0);
        let all: Vec<Keywords> = [vec![]].into_iter().chain(more).collect();
        if dtype.is_complex() {
            let mut values = moderate(dtype, &mut self.rng, 12);
            let modes = [None, Some("split"), Some("magnitude")];
            for (word, keywords) in modes.into_iter().flat_map(|m| all.iter().map(move |k| (m, k))) {
                let mut keywords = keywords.clone();
                // Bounds are no complex numbers'; without them parts outside 0 to 1 have no real logit.
                let bounded = keywords.iter().any(|k| k.0 == "eps");
                if name == "logit" && word != Some("magnitude") && bounded != word.is_some() {
                    continue;
                }
                keywords.extend(word.map(mode));
                self.push(vec![self.array(0, &[3, 4], &values)], keywords, Layout::Transposed);
                values.rotate_left(1);
            }
            // Numbers that are compared by their imaginary parts, and 0, whose angle is 0.
            let level = [(0.0, 1.5), (0.0, -1.5), (0.0, 0.0), (6.0, 0.5), (6.0, -0.5)];
            let level: Vec<Num> = level.map(|(a, b)| Num::Complex(a, b)).to_vec();
            if matches!(name, "relu" | "relu6" | "leaky_relu") {
                self.push(vec![self.array(0, &[5], &level)], vec![], CONTIGUOUS);
            }
            if name == "sigmoid" {
                self.push(vec![self.array(0, &[3], &level)], vec![mode("magnitude")], CONTIGUOUS);
            }
            self.push(vec![self.array(0, &[], &values)], vec![], CONTIGUOUS);
            self.push(vec![self.array(0, &[0, 2], &values)], vec![mode("split")], CONTIGUOUS);
            return;
        }
        let mut values = edges(dtype);
        values.extend(random(dtype, &mut self.rng, 24));
        if dtype.is_float() {
            values.extend((0..24).map(|i| Num::Float(f64::from(i) * 0.75 - 9.0)));
            // On the way to where exponentials vanish.
            values.extend((1..16).map(|i| Num::Float(f64::from(i * i) * -3.3)));
        }
        let n = values.len();
        for keywords in all {
            self.push(vec![self.array(0, &[n], &values)], keywords, CONTIGUOUS);
        }
        for (shape, layout) in [
            (&[3, 4][..], Layout::Transposed),
            (&[12], Layout::Reversed),
            (&[], CONTIGUOUS),
            (&[0, 3], CONTIGUOUS),
        ] {
            self.push(vec![self.array(0, shape, &values)], vec![], layout);
        }
    }

    fn slopes(&mut self) {
        let calls: [(&[usize], &[usize], Layout); 5] = [
            (&[12], &[], CONTIGUOUS),
            (&[3, 4], &[4], Layout::Transposed),
            (&[2, 3, 2], &[3, 1], Layout::Reversed),
            (&[], &[1; 0], CONTIGUOUS),
            (&[0, 3], &[3], CONTIGUOUS),
        ];
        for (shape, slopes, layout) in calls {
            let x = moderate(self.dtype(0), &mut self.rng, 12);
            let slope = moderate(self.dtype(1), &mut self.rng, 4);
            let operands = vec![self.array(0, shape, &x), self.array(1, slopes, &slope)];
            self.push(operands, vec![], layout);
        }
    }

    /// The modes of functions along an axis.
    pub(super) fn modes_along_axis(&mut self) {
        let values = moderate(self.dtype(0), &mut self.rng, 12);
        for (word, axis) in [("split", -1), ("magnitude", 0), ("jax", 1)] {
            let keywords = vec![mode(word), ("axis", int(axis))];
            self.push(vec![self.array(0, &[3, 4], &values)], keywords, CONTIGUOUS);
        }
    }
}
