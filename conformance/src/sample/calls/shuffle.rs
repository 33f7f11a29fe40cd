//! Calls of gated linear units, pixel and channel shuffles, and unfolded tensors.

use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::truth::Keywords;

impl Maker<'_> {
    pub(super) fn shuffles(&mut self, name: &'static str) {
        match name {
            "glu" => self.glu(),
            _ => self.moved_channels(name),
        }
    }

    fn glu(&mut self) {
        let calls: [(&[usize], i64, Layout); 5] = [
            (&[6], -1, CONTIGUOUS),
            (&[3, 4], -1, Layout::Transposed),
            (&[4, 3], 0, Layout::Reversed),
            (&[0, 2], 1, CONTIGUOUS),
            (&[2, 0], 1, CONTIGUOUS),
        ];
        for (shape, axis, layout) in calls {
            let x = self.tame(0, shape);
            self.push(vec![x], vec![("axis", int(axis))], layout);
        }
    }

    fn moved_channels(&mut self, name: &'static str) {
        let of = |key: &'static str, n: i64| vec![(key, int(n))];
        let calls: Vec<(&[usize], Keywords)> = match name {
            "pixel_shuffle" => vec![
                (&[1, 4, 2, 3], of("factor", 2)),
                (&[9, 1, 2], of("factor", 3)),
                (&[2, 1, 8, 2, 1], of("factor", 2)),
                (&[0, 4, 2, 2], of("factor", 2)),
                (&[3, 2, 2], of("factor", 1)),
            ],
            "pixel_unshuffle" => vec![
                (&[1, 2, 4, 6], of("factor", 2)),
                (&[1, 3, 6], of("factor", 3)),
                (&[2, 1, 2, 4, 2], of("factor", 2)),
                (&[0, 1, 2, 2], of("factor", 2)),
            ],
            "channel_shuffle" => vec![
                (&[2, 6, 3], of("groups", 2)),
                (&[1, 6], of("groups", 3)),
                (&[2, 4, 2, 2], of("groups", 4)),
                (&[0, 4], of("groups", 2)),
            ],
            "unfold" => vec![
                (&[2, 3, 4], of("mode", 1)),
                (&[2, 3], of("mode", -1)),
                (&[4], of("mode", 0)),
                (&[0, 3], of("mode", 1)),
            ],
            "partial_unfold" => vec![
                (&[2, 3, 4], vec![("mode", int(1)), ("skip_begin", int(1))]),
                (&[2, 3, 4, 2], vec![("mode", int(0)), ("skip_begin", int(1)), ("skip_end", int(1))]),
                (&[2, 3, 2, 2], vec![("mode", int(-1)), ("skip_begin", int(2)), ("ravel_tensors", ON)]),
                (&[3, 2], vec![("mode", int(1)), ("skip_begin", int(0))]),
            ],
            "fold" => vec![
                (&[3, 8], vec![("mode", int(1)), ("shape", ints(&[2, 3, 4]))]),
                (&[3, 2], vec![("mode", int(-1)), ("shape", ints(&[2, 3]))]),
                (&[4, 1], vec![("mode", int(0)), ("shape", ints(&[4]))]),
                (&[3, 0], vec![("mode", int(1)), ("shape", ints(&[0, 3]))]),
            ],
            _ => vec![
                (&[2, 4, 3], vec![("mode", int(1)), ("shape", ints(&[2, 3, 4])), ("skip_begin", int(1))]),
                (&[2, 3, 4], vec![("mode", int(-1)), ("shape", ints(&[2, 2, 2, 3])), ("skip_begin", int(1))]),
                (&[3, 2], vec![("mode", int(0)), ("shape", ints(&[3, 2])), ("skip_begin", int(0))]),
            ],
        };
        for (k, (shape, keywords)) in calls.into_iter().enumerate() {
            let x = self.some(0, shape);
            self.push(vec![x], keywords, if k % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }
}
