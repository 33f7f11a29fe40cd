//! Convolutions and linear layers.

use super::{CONTIGUOUS, Maker, int, ints};
use crate::sample::{Layout, moderate};
use crate::truth::{Arg, Keywords};
use ivy_core::function::ParamValue;

pub(super) fn text(word: &str) -> ParamValue {
    ParamValue::Text(word.into())
}

pub(super) fn pairs(lists: &[[i64; 2]]) -> ParamValue {
    ParamValue::IntLists(lists.iter().map(|p| p.to_vec()).collect())
}

impl Maker<'_> {
    /// The calls of a layer; false for other functions.
    pub(super) fn layers(&mut self, name: &'static str) -> bool {
        match name {
            "linear" => self.linear(),
            "conv1d"
            | "conv2d"
            | "conv3d"
            | "conv_general_dilated"
            | "depthwise_conv2d"
            | "conv1d_transpose"
            | "conv2d_transpose"
            | "conv3d_transpose"
            | "conv_general_transpose" => self.convolutions(name),
            "max_pool1d"
            | "max_pool2d"
            | "max_pool3d"
            | "avg_pool1d"
            | "avg_pool2d"
            | "avg_pool3d"
            | "adaptive_avg_pool1d"
            | "adaptive_avg_pool2d"
            | "adaptive_max_pool2d" => self.pools(name),
            "sliding_window" => self.sliding(),
            "reduce_window" => self.reduced_windows(),
            "scaled_dot_product_attention" => self.attention(),
            "multi_head_attention" => self.heads(),
            "lstm_update" => self.lstm(),
            "embedding" => self.embeddings(),
            "interpolate" => self.interpolated(),
            "dct" => self.cosines(),
            "stft" => self.frames(),
            _ => return false,
        }
        true
    }

    /// Operand `i` of moderate numbers; left out where the combination leaves it out.
    pub(super) fn mild(&mut self, i: usize, shape: &[usize]) -> Arg {
        let Some(dtype) = self.c.operands[i] else { return Arg::Absent };
        let values = moderate(dtype, &mut self.rng, shape.iter().product::<usize>().max(1));
        self.array(i, shape, &values)
    }

    pub(super) fn linear(&mut self) {
        let calls: [(&[usize], &[usize]); 6] = [
            (&[2, 3], &[4, 3]),
            (&[3], &[2, 3]),
            (&[2, 2, 3], &[1, 3]),
            (&[2, 4, 2, 3], &[2, 5, 3]),
            (&[0, 3], &[2, 3]),
            (&[2, 0], &[2, 0]),
        ];
        for (i, (x, w)) in calls.into_iter().enumerate() {
            let bias = &w[..w.len() - 1];
            let operands = vec![self.mild(0, x), self.mild(1, w), self.mild(2, bias)];
            self.push(operands, vec![], if i % 2 == 1 { Layout::Transposed } else { CONTIGUOUS });
        }
    }

    fn conv(&mut self, x: &[usize], filters: &[usize], outputs: usize, keywords: Keywords) {
        let layout = if self.cases.len() % 2 == 1 { Layout::Transposed } else { CONTIGUOUS };
        let mut operands = vec![self.mild(0, x), self.mild(1, filters)];
        if self.c.operands.len() > 2 {
            operands.push(self.mild(2, &[outputs]));
        }
        self.push(operands, keywords, layout);
    }

    pub(super) fn convolutions(&mut self, name: &'static str) {
        let one = |padding: ParamValue, strides: i64| vec![("padding", padding), ("strides", int(strides))];
        match name {
            "conv1d" => {
                self.conv(&[2, 7, 3], &[3, 3, 2], 2, one(text("VALID"), 1));
                self.conv(&[1, 8, 2], &[3, 2, 3], 3, one(text("SAME"), 3));
                self.conv(&[1, 2, 8], &[2, 2, 3], 3, {
                    let mut k = one(text("SAME_LOWER"), 2);
                    k.extend([("data_format", text("NCW")), ("dilations", int(2))]);
                    k
                });
                self.conv(&[2, 5, 2], &[2, 2, 3], 2, {
                    let mut k = one(pairs(&[[2, -1]]), 2);
                    k.extend([("filter_format", text("channel_first")), ("x_dilations", int(3))]);
                    k
                });
                self.conv(&[0, 4, 1], &[2, 1, 2], 2, one(int(1), 1));
                self.conv(&[1, 4, 0], &[2, 0, 2], 2, one(int(0), 1));
                self.conv(&[1, 0, 1], &[2, 1, 2], 2, one(int(1), 1));
            }
            "conv2d" => {
                self.conv(&[2, 5, 4, 3], &[2, 3, 3, 2], 2, one(text("VALID"), 1));
                self.conv(&[1, 6, 5, 2], &[3, 3, 2, 4], 4, one(text("SAME"), 2));
                let mut k = vec![("padding", pairs(&[[0, 1], [2, 0]])), ("strides", ints(&[2, 1]))];
                k.extend([("data_format", text("NCHW")), ("filter_format", text("channel_first"))]);
                k.push(("dilations", ints(&[1, 2])));
                self.conv(&[2, 3, 4, 5], &[2, 3, 2, 2], 2, k);
                let mut k = one(int(1), 1);
                k.push(("x_dilations", ints(&[2, 1])));
                self.conv(&[1, 3, 3, 1], &[2, 2, 1, 2], 2, k);
            }
            "conv3d" => {
                self.conv(&[1, 3, 4, 3, 2], &[2, 2, 1, 2, 2], 2, one(text("VALID"), 1));
                let mut k = vec![("padding", text("SAME")), ("strides", ints(&[1, 2, 2]))];
                k.extend([("data_format", text("NCDHW")), ("filter_format", text("channel_first"))]);
                self.conv(&[1, 2, 2, 3, 4], &[2, 2, 2, 3, 1], 2, k);
            }
            "conv_general_dilated" => {
                let groups = ("feature_group_count", int(2));
                let mut k = one(text("VALID"), 1);
                k.extend([("dims", int(1)), groups.clone()]);
                self.conv(&[2, 5, 4], &[2, 2, 6], 6, k);
                let mut k = one(text("SAME"), 2);
                k.extend([("data_format", text("channel_first")), groups]);
                self.conv(&[1, 4, 4, 3], &[2, 3, 2, 4], 4, k);
                let mut k = one(int(1), 1);
                k.extend([("dims", int(3)), ("filter_format", text("channel_first"))]);
                self.conv(&[1, 2, 2, 2, 1], &[2, 1, 2, 1, 2], 2, k);
            }
            "depthwise_conv2d" => {
                self.conv(&[2, 4, 5, 3], &[2, 3, 3], 3, one(text("VALID"), 1));
                let mut k = one(text("SAME"), 2);
                k.extend([("data_format", text("NCHW")), ("dilations", int(2))]);
                self.conv(&[1, 2, 5, 4], &[2, 2, 2], 2, k);
            }
            "conv1d_transpose" => {
                self.conv(&[2, 4, 3], &[3, 2, 3], 2, one(text("VALID"), 2));
                self.conv(&[1, 4, 2], &[3, 2, 2], 2, one(text("SAME"), 2));
                self.conv(&[1, 3, 2], &[2, 2, 2], 2, one(text("VALID"), 3));
                let mut k = one(text("SAME"), 3);
                k.push(("output_shape", ints(&[10])));
                self.conv(&[1, 4, 2], &[4, 2, 2], 2, k);
                let mut k = one(pairs(&[[1, 2]]), 2);
                k.extend([("dilations", int(2)), ("filter_format", text("channel_first"))]);
                self.conv(&[1, 4, 2], &[2, 3, 3], 3, k);
            }
            "conv2d_transpose" => {
                self.conv(&[2, 3, 2, 3], &[2, 3, 2, 3], 2, one(text("VALID"), 2));
                let mut k = vec![("padding", text("SAME")), ("strides", ints(&[2, 1]))];
                k.push(("data_format", text("NCHW")));
                k.push(("output_shape", ints(&[1, 2, 5, 3])));
                self.conv(&[1, 2, 3, 3], &[3, 2, 2, 2], 2, k);
            }
            "conv3d_transpose" => {
                self.conv(&[1, 2, 2, 2, 2], &[2, 1, 2, 2, 2], 2, one(text("VALID"), 2));
                let mut k = one(text("SAME"), 2);
                k.push(("data_format", text("NCDHW")));
                self.conv(&[1, 2, 1, 2, 2], &[3, 2, 1, 1, 2], 1, k);
            }
            _ => {
                let groups = ("feature_group_count", int(2));
                let mut k = one(text("VALID"), 2);
                k.extend([("dims", int(1)), groups.clone()]);
                self.conv(&[2, 3, 4], &[3, 3, 4], 6, k);
                let mut k = one(text("SAME"), 2);
                k.extend([groups, ("data_format", text("channel_first"))]);
                self.conv(&[1, 2, 2, 3], &[2, 3, 2, 2], 4, k);
            }
        }
    }
}
