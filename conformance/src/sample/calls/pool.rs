//! Pools and other windows.

use super::conv::{pairs, text};
use super::{CONTIGUOUS, Maker, ON, int, ints};
use crate::sample::{Layout, edges, repeated};
use crate::truth::{Arg, Keywords};
use ivy_core::Scalar;
use ivy_core::function::ParamValue;

impl Maker<'_> {
    fn layout(&self) -> Layout {
        if self.cases.len() % 2 == 1 { Layout::Transposed } else { CONTIGUOUS }
    }

    fn pool(&mut self, shape: &[usize], keywords: Keywords, exact: bool) {
        let layout = self.layout();
        let x = match exact {
            true => {
                let n = shape.iter().product::<usize>();
                let values = repeated(self.dtype(0), &mut self.rng, n.max(1), true);
                self.array(0, shape, &values)
            }
            false => self.mild(0, shape),
        };
        self.push(vec![x], keywords, layout);
    }

    pub(super) fn pools(&mut self, name: &'static str) {
        let spatial = if name.contains("1d") {
            1
        } else if name.contains("2d") {
            2
        } else {
            3
        };
        let exact = name.contains("max");
        let last = |lens: &[usize], n: usize, c: usize| [&[n], lens, &[c]].concat();
        let first = |lens: &[usize], n: usize, c: usize| [&[n, c], lens].concat();
        let format = ["NCW", "NCHW", "NCDHW"][spatial - 1];
        if name.starts_with("adaptive") {
            let lens: &[usize] = if spatial == 1 { &[7] } else { &[7, 4] };
            for size in [1, 2, 3, 4, 7, 9] {
                let shape = if name == "adaptive_avg_pool2d" { last(lens, 2, 3) } else { first(lens, 2, 3) };
                self.pool(&shape, vec![("output_size", int(size))], exact);
            }
            let channels_last = text(["NWC", "NHWC", "NDHWC"][spatial - 1]);
            self.pool(
                &last(lens, 2, 3),
                vec![("output_size", int(3)), ("data_format", channels_last)],
                exact,
            );
            let keywords = vec![("output_size", int(2)), ("data_format", text(format))];
            self.pool(&first(lens, 1, 2), keywords.clone(), exact);
            self.pool(&first(lens, 1, 2)[1..], keywords.clone(), exact);
            self.pool(&first(lens, 0, 2), keywords, exact);
            return;
        }
        let lens: &[usize] = &[7, 4, 3][..spatial];
        let base = |kernel: ParamValue, strides: i64, padding: ParamValue| {
            vec![("kernel", kernel), ("strides", int(strides)), ("padding", padding)]
        };
        let each: Vec<i64> = [3, 2, 2][..spatial].to_vec();
        let mut calls = vec![
            base(int(2), 1, text("VALID")),
            base(int(2), 2, text("SAME")),
            base(ints(&each), 1, text("SAME_LOWER")),
            base(int(3), 2, int(1)),
            base(int(3), 3, text("VALID")),
            base(int(2), 3, pairs(&[[1, 0]])),
            base(int(1), 2, text("VALID")),
        ];
        let mut up = base(int(3), 2, int(1));
        up.push(("ceil_mode", ON));
        calls.push(up.clone());
        let mut up2 = base(int(2), 3, pairs(&[[0, 1]]));
        up2.push(("ceil_mode", ON));
        calls.push(up2);
        if exact {
            let mut apart = base(int(2), 1, text("SAME"));
            apart.push(("dilation", int(2)));
            calls.push(apart);
        } else {
            up.push(("count_include_pad", ON));
            calls.push(up);
            let mut by = base(int(2), 1, text("SAME"));
            by.push(("divisor_override", int(3)));
            calls.push(by);
        }
        for (i, mut keywords) in calls.into_iter().enumerate() {
            if i % 3 == 2 {
                keywords.push(("data_format", text(format)));
                self.pool(&first(lens, 2, 3), keywords, exact);
            } else {
                self.pool(&last(lens, 2, 3), keywords, exact);
            }
        }
        self.pool(&last(lens, 0, 2), base(int(2), 1, text("VALID")), exact);
    }

    pub(super) fn sliding(&mut self) {
        let size = |v: &[i64]| ("kernel_size", ints(v));
        let calls: Vec<(&[usize], Keywords)> = vec![
            (&[5], vec![size(&[2])]),
            (&[3, 4], vec![size(&[2, 2]), ("stride", ints(&[1, 2]))]),
            (&[4, 3], vec![size(&[3]), ("padding", text("SAME"))]),
            (
                &[5, 4],
                vec![size(&[2, 2]), ("dilation", ints(&[3, 1])), ("padding", pairs(&[[0, 0], [1, 2]]))],
            ),
            (&[2, 3, 2], vec![size(&[1, 2, 2])]),
            (&[0, 3], vec![size(&[1, 2]), ("padding", pairs(&[[1, 0], [0, 0]]))]),
        ];
        for (shape, keywords) in calls {
            let (layout, x) = (self.layout(), self.some(0, shape));
            self.push(vec![x], keywords, layout);
        }
    }

    pub(super) fn reduced_windows(&mut self) {
        let dtype = self.dtype(0);
        for computation in ["add", "multiply", "max", "min"] {
            let ordered = matches!(computation, "max" | "min");
            if ordered && dtype.is_complex() {
                continue;
            }
            let size = |v: &[i64]| vec![("computation", text(computation)), ("window_dimensions", ints(v))];
            let mut calls: Vec<(&[usize], Keywords)> =
                vec![(&[5], size(&[2])), (&[3, 4], size(&[2, 2])), (&[0, 2], size(&[1]))];
            calls[2].1.push(("padding", pairs(&[[1, 0], [0, 0]])));
            let mut strided = size(&[2, 2]);
            strided.extend([("window_strides", ints(&[1, 2])), ("padding", text("SAME"))]);
            calls.push((&[3, 4], strided));
            let mut dilated = size(&[2, 3]);
            dilated.extend([("base_dilation", ints(&[2, 1])), ("window_dilation", ints(&[1, 2]))]);
            dilated.push(("padding", pairs(&[[0, 1], [1, 1]])));
            calls.push((&[3, 4], dilated));
            for (i, (shape, keywords)) in calls.into_iter().enumerate() {
                let initial = Arg::Scalar(Scalar::Int(i as i128 % 2));
                let (layout, x) = (self.layout(), self.mild(0, shape));
                self.push(vec![x, initial], keywords, layout);
            }
        }
        // Each special value in a line of its own.
        for special in edges(dtype).into_iter().filter(|x| x.is_nan()).take(1) {
            let x = self.array(0, &[2], &[special, special]);
            let keywords = vec![("window_dimensions", int(2)), ("computation", text("add"))];
            self.push(vec![x, Arg::Scalar(Scalar::Int(0))], keywords, CONTIGUOUS);
        }
    }
}
