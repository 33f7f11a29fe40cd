//! Calls of samples of images, and of windows as columns.

use super::conv::{pairs, text};
use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::Layout;
use crate::truth::{Arg, Keywords, Num};

impl Maker<'_> {
    pub(super) fn sampled(&mut self, name: &'static str) {
        match name {
            "grid_sample" => self.samples(),
            "affine_grid" => self.grids(),
            "istft" => self.spectra(),
            _ => self.columns(name),
        }
    }

    fn samples(&mut self) {
        // Coordinates of few bits, so that which element is the nearest one does not hang on rounding.
        let dyadic = [-1.0, 0.125, -0.25, 0.5, 1.0, -0.875, 0.75, 1.25, -1.5, 0.0, 2.75].map(Num::Float);
        let whole = [0, 1, 1, 0, 1, 0, 0].map(Num::Int);
        let shapes: [(&[usize], &[usize]); 4] = [
            (&[2, 2, 3, 4], &[2, 2, 3, 2]),
            (&[1, 2, 2, 3, 4], &[1, 2, 1, 3, 3]),
            (&[2, 1, 5], &[2, 4, 1]),
            (&[1, 2, 1, 4], &[1, 3, 2, 2]),
        ];
        let mut k = 0;
        for mode in ["bilinear", "nearest", "bicubic"] {
            for padding in ["zeros", "border", "reflection"] {
                for align in [false, true] {
                    let (x, grid) = if mode == "bicubic" { shapes[k % 2 * 3] } else { shapes[k % 4] };
                    k += 1;
                    let mut keywords = vec![("mode", text(mode)), ("padding_mode", text(padding))];
                    if align {
                        keywords.push(("align_corners", ON));
                    }
                    let values = if self.dtype(1).is_float() { &dyadic[..] } else { &whole };
                    let operands = vec![self.tame(0, x), self.array(1, grid, values)];
                    self.push(operands, keywords, if k % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
                }
            }
        }
        let none = vec![self.tame(0, &[0, 2, 3, 3]), self.tame(1, &[0, 2, 2, 2])];
        self.push(none, vec![], CONTIGUOUS);
    }

    fn grids(&mut self) {
        let calls: [(&[usize], &[i64], bool, Layout); 5] = [
            (&[1, 2, 3], &[1, 1, 3, 4], false, CONTIGUOUS),
            (&[2, 2, 3], &[2, 3, 2, 1], true, Layout::Transposed),
            (&[1, 3, 4], &[1, 2, 2, 3, 2], true, Layout::Reversed),
            (&[2, 1, 2], &[2, 1, 5], false, CONTIGUOUS),
            (&[0, 2, 3], &[0, 1, 2, 2], false, CONTIGUOUS),
        ];
        for (shape, size, align, layout) in calls {
            let theta = self.tame(0, shape);
            let mut keywords = vec![("size", ints(size))];
            if align {
                keywords.push(("align_corners", ON));
            }
            self.push(vec![theta], keywords, layout);
        }
    }

    fn spectra(&mut self) {
        let of = |length: i64, step: i64| vec![("frame_length", int(length)), ("frame_step", int(step))];
        let mut longer = of(3, 3);
        longer.extend([("fft_length", int(5)), ("length", int(12))]);
        let mut shorter = of(4, 2);
        shorter.extend([("fft_length", int(2)), ("length", int(5))]);
        let calls: [(&[usize], usize, Keywords, Layout); 6] = [
            (&[3, 2], 2, of(2, 1), CONTIGUOUS),
            (&[2, 4, 3], 4, of(4, 2), Layout::Transposed),
            (&[3, 3], 3, longer, Layout::Reversed),
            (&[2, 2], 4, shorter, CONTIGUOUS),
            (&[0, 2], 2, of(2, 1), CONTIGUOUS),
            (&[2, 2], 2, of(2, 5), CONTIGUOUS),
        ];
        for (shape, size, keywords, layout) in calls {
            let window = if self.c.operands.len() > 1 { self.tame(1, &[size]) } else { Arg::Absent };
            let operands = vec![self.tame(0, shape), window];
            self.push(operands, keywords, layout);
        }
    }

    fn columns(&mut self, name: &'static str) {
        let size = |v: &[i64]| ("kernel_size", ints(v));
        // Images, the columns of their windows, and the windows.
        let calls: Vec<(&[usize], &[usize], Keywords)> = vec![
            (&[2, 2, 3, 4], &[2, 8, 6], vec![size(&[2, 2])]),
            (&[1, 1, 5], &[1, 3, 3], vec![size(&[3])]),
            (&[1, 2, 4, 3], &[1, 12, 9], vec![size(&[2, 3]), ("stride", ints(&[2, 1])), ("padding", int(1))]),
            (
                &[2, 1, 5, 4],
                &[2, 4, 10],
                vec![size(&[2, 2]), ("dilation", ints(&[3, 1])), ("padding", pairs(&[[0, 0], [1, 1]]))],
            ),
            (&[1, 2, 2, 3, 2], &[1, 16, 2], vec![size(&[2, 2, 2])]),
            (&[0, 1, 3, 3], &[0, 4, 4], vec![size(&[2, 2])]),
        ];
        for (k, (image, columns, mut keywords)) in calls.into_iter().enumerate() {
            let layout = if k % 2 == 1 { Layout::Transposed } else { CONTIGUOUS };
            let x = match name {
                "im2col" => self.some(0, image),
                _ => {
                    let lens: Vec<i64> = image[2..].iter().map(|&n| n as i64).collect();
                    keywords.push(("output_size", ints(&lens)));
                    self.mild(0, columns)
                }
            };
            self.push(vec![x], keywords, layout);
        }
    }
}
