//! Calls of what leaves elements out at random.

use super::conv::text;
use super::{CONTIGUOUS, Maker, ints};
use crate::sample::Layout;
use crate::truth::Keywords;
use ivy_core::function::ParamValue;

const OFF: ParamValue = ParamValue::Bool(false);

impl Maker<'_> {
    pub(super) fn dropped(&mut self) {
        let prob = |p: f64| ("prob", ParamValue::Float(p));
        let calls: [(&[usize], Keywords); 7] = [
            (&[40], vec![prob(0.5)]),
            (&[3, 4], vec![prob(0.3), ("scale", OFF)]),
            (&[], vec![prob(0.1)]),
            (&[0, 2], vec![prob(0.7)]),
            (&[2, 3, 4], vec![prob(0.4), ("noise_shape", ints(&[3, 1]))]),
            (&[5], vec![prob(0.0)]),
            (&[2, 2], vec![prob(0.9), ("training", OFF)]),
        ];
        for (shape, keywords) in calls {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let x = self.mild(0, shape);
                self.seeded(vec![x], keywords.clone(), layout);
            }
        }
        let x = self.mild(0, &[4]);
        self.seeded(vec![x], vec![prob(1.0)], CONTIGUOUS);
    }

    /// Whole channels, of so many spatial axes.
    pub(super) fn dropped_channels(&mut self, spatial: usize) {
        let format = [["NCW", "NWC"], ["NCHW", "NHWC"], ["NCDHW", "NDHWC"]][spatial - 1];
        for (k, p) in [0.5, 0.2, 0.8, 0.4].into_iter().enumerate() {
            let mut keywords: Keywords = vec![("prob", ParamValue::Float(p))];
            keywords.extend((k > 0).then(|| ("data_format", text(format[k % 2]))));
            keywords.extend((k == 3).then_some(("training", OFF)));
            let shape = [if k == 2 { 0 } else { 2 }, 5, 2, 3, 6];
            let x = self.mild(0, &shape[usize::from(k == 1)..spatial + 2]);
            self.seeded(vec![x], keywords, if k == 0 { CONTIGUOUS } else { Layout::Transposed });
        }
    }
}
