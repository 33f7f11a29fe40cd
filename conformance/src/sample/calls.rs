//! The calls of each function.

mod activations;
mod averages;
mod blocks;
mod conv;
mod creation;
mod distances;
mod distributions;
mod dropout;
mod einops;
mod einsum;
mod indexing;
mod ivy_elementwise;
mod ivy_linalg;
mod layers;
mod losses;
mod manipulation;
mod matrices;
mod norms;
mod numerical;
mod pad;
mod pool;
mod random;
mod rearrange;
mod reductions;
mod sampling;
mod scatter;
mod shuffle;
mod special;
mod stable;
mod statistics;
mod tensor_split;
mod updates;

use super::values::{edges, goldens, moderate, random};
use super::{Case, Layout};
use crate::expect::Combination;
use crate::rng::Rng;
use crate::truth::{Arg, Keywords, Num, Tensor};
use ivy_core::function::{Category, ParamValue};
use ivy_core::{Dtype, Function};

struct Maker<'a> {
    c: &'a Combination,
    rng: Rng,
    cases: Vec<Case>,
}

/// The calls that a combination of dtypes of a function is tried with; none if this page does
/// not know the function.
pub fn cases(function: &'static Function, c: &Combination, seed: u64) -> Vec<Case> {
    let names = c.names();
    let mut words = vec![function.name];
    words.extend(names.iter().map(String::as_str));
    let mut maker = Maker { c, rng: Rng::new(seed, &words), cases: Vec::new() };
    let operands = function.operands.len();
    match (function.category, operands) {
        _ if maker.by_name(function.name) => {}
        (Category::Elementwise, 1) => maker.unary(function.name),
        (Category::Elementwise, 2) => maker.binary(function.name),
        _ => {}
    }
    if let Some(dtype) = c.dtype {
        maker.cases.iter_mut().for_each(|case| case.keywords.push(("dtype", ParamValue::Dtype(dtype))));
    }
    maker.cases
}

fn int(i: i64) -> ParamValue {
    ParamValue::Int(i)
}

fn ints(v: &[i64]) -> ParamValue {
    ParamValue::Ints(v.to_vec())
}

const ON: ParamValue = ParamValue::Bool(true);
const CONTIGUOUS: Layout = Layout::Contiguous;

impl Maker<'_> {
    fn dtype(&self, i: usize) -> Dtype {
        self.c.operands[i].unwrap_or(Dtype::FLOAT32)
    }

    fn push(&mut self, operands: Vec<Arg>, keywords: Keywords, layout: Layout) {
        self.cases.push(Case { operands, keywords, layout });
    }

    /// An array of operand `i`'s dtype with values in turn.
    fn array(&self, i: usize, shape: &[usize], values: &[Num]) -> Arg {
        let n = shape.iter().product();
        Arg::Array(Tensor::new(self.dtype(i), shape, values.iter().copied().cycle().take(n)))
    }

    fn some(&mut self, i: usize, shape: &[usize]) -> Arg {
        let n = shape.iter().product();
        let dtype = self.dtype(i);
        let values = random(dtype, &mut self.rng, n);
        self.array(i, shape, &values)
    }

    /// Indices into an axis of length `n`, as operand `i`.
    fn indices(&mut self, i: usize, shape: &[usize], n: usize) -> Arg {
        let signed = self.dtype(i).int_range().is_some_and(|r| r.0 < 0);
        let count: usize = shape.iter().product();
        let values: Vec<Num> = (0..count)
            .map(|_| {
                let k = self.rng.below(n) as i128;
                Num::Int(if signed && self.rng.bits() & 1 == 1 { k - n as i128 } else { k })
            })
            .collect();
        self.array(i, shape, &values)
    }

    fn unary(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let known = goldens(name, &[dtype]).remove(0);
        let mut values = edges(dtype);
        if dtype.is_complex() && !known.is_empty() {
            // Finite points of complex functions come from the goldens.
            values.retain(|x| !x.is_finite());
        } else {
            values.extend(random(dtype, &mut self.rng, 24));
        }
        values.extend(known);
        let n = values.len();
        self.push(vec![self.array(0, &[n], &values)], vec![], CONTIGUOUS);
        let some: Vec<Num> = (0..12).map(|_| values[self.rng.below(n)]).collect();
        for (shape, layout) in [
            (&[3, 4][..], Layout::Transposed),
            (&[12], Layout::Reversed),
            (&[], CONTIGUOUS),
            (&[0, 3], CONTIGUOUS),
        ] {
            self.push(vec![self.array(0, shape, &some)], vec![], layout);
        }
    }

    fn binary(&mut self, name: &'static str) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        let known = goldens(name, &[a, b]);
        if !known[0].is_empty() {
            let n = known[0].len();
            self.push(
                vec![self.array(0, &[n], &known[0]), self.array(1, &[n], &known[1])],
                vec![],
                CONTIGUOUS,
            );
        }
        if name == "pow" && (a.is_complex() || b.is_complex()) {
            // Finite points of complex powers come from the goldens.
            if let (Some(x), Some(y)) = (known[0].first(), known[1].first()) {
                let (x, y) = ([*x], [*y]);
                let shapes: [(&[usize], &[usize]); 3] = [(&[2, 3], &[3]), (&[], &[2]), (&[0], &[1])];
                for (s, t) in shapes {
                    self.push(vec![self.array(0, s, &x), self.array(1, t, &y)], vec![], Layout::Transposed);
                }
            }
            return;
        }
        let pool = |d: Dtype, rng: &mut Rng| {
            let mut values = edges(d);
            values.extend(random(d, rng, 6));
            values
        };
        let (x, y) = (pool(a, &mut self.rng), pool(b, &mut self.rng));
        let (n, m) = (x.len(), y.len());
        self.push(vec![self.array(0, &[n, 1], &x), self.array(1, &[1, m], &y)], vec![], CONTIGUOUS);
        let shapes: [(&[usize], &[usize], Layout); 5] = [
            (&[3, 4], &[3, 4], Layout::Transposed),
            (&[7], &[7], Layout::Reversed),
            (&[], &[5], CONTIGUOUS),
            (&[], &[], CONTIGUOUS),
            (&[0, 3], &[3], CONTIGUOUS),
        ];
        for (s, t, layout) in shapes {
            let operands = vec![self.some(0, s), self.some(1, t)];
            self.push(operands, vec![], layout);
        }
    }

    fn by_name(&mut self, name: &'static str) -> bool {
        match name {
            "zeros" | "ones" | "empty" | "full" | "eye" | "arange" | "linspace" => self.creation(name),
            "zeros_like" | "ones_like" | "empty_like" | "full_like" | "asarray" | "astype" | "tril"
            | "triu" => {
                self.like_array(name);
            }
            "broadcast_to" | "expand_dims" | "flip" | "moveaxis" | "permute_dims" | "reshape" | "roll"
            | "squeeze" | "tile" | "unstack" | "matrix_transpose" | "repeat" => self.manipulation(name),
            "constant_pad" | "zero_pad" => self.framed(name),
            "pad" => self.padded(),
            "broadcast_arrays"
            | "meshgrid"
            | "concat"
            | "stack"
            | "promote_types_of_inputs"
            | "type_promote_arrays" => self.lists(name),
            "where" | "clip" => self.choice(name),
            "take" | "take_along_axis" => self.indexing(name),
            "gather" | "gather_nd" => self.gathering(name),
            "scatter_nd" | "scatter_flat" => self.scattering(name),
            "scatter_inc" | "scatter_exch" | "scatter_cas" => self.exchanging(name),
            "block_reduce" | "block_prefix_reduce" => self.blocks(name),
            "argmax" | "argmin" | "max" | "min" | "sum" | "prod" | "mean" | "var" | "std" | "all" | "any"
            | "count_nonzero" => self.reduction(name),
            "cumulative_sum" | "cumulative_prod" | "cumsum" | "cumprod" | "diff" | "softmax" => {
                self.along_axis(name)
            }
            "isclose" | "allclose" | "array_equal" | "nan_to_num" | "lerp" | "angle" | "nansum"
            | "nanprod" | "nanmax" | "nanmin" | "nanvar" | "nanstd" | "clip_vector_norm" | "trapz" => {
                self.ivy_elementwise(name)
            }
            "einsum" => self.einsum(),
            "stable_divide" | "stable_pow" => self.stable(name),
            "einops_rearrange" | "einops_reduce" | "einops_repeat" => self.einops(name),
            "inner" | "kron" | "multi_dot" | "diag" | "vander" | "matrix_exp" | "solve_triangular"
            | "lu_factor" | "lu_solve" => self.ivy_linalg(name),
            "median" | "nanmedian" | "quantile" | "percentile" | "nanquantile" | "nanpercentile"
            | "nanmean" | "cummax" | "cummin" | "histogram" | "bincount" | "cov" | "corrcoef" => {
                self.statistics(name)
            }
            "sort" | "argsort" => self.sorting(),
            "searchsorted" => self.searchsorted(),
            "nonzero" | "unique_all" | "unique_counts" | "unique_inverse" | "unique_values" => {
                self.whole(name)
            }
            "isin" => self.isin(),
            "matmul" | "vecdot" | "tensordot" => self.products(name),
            "split" | "swapaxes" | "flatten" | "rot90" | "as_strided" => self.rearranged(name),
            "vstack" | "hstack" | "dstack" | "column_stack" | "atleast_1d" | "atleast_2d" | "atleast_3d" => {
                self.stacks(name);
            }
            "vsplit" | "hsplit" | "dsplit" | "flipud" | "fliplr" | "expand" | "fill_diagonal" => {
                self.splits_and_flips(name);
            }
            "top_k" => self.greatest(),
            "unique_consecutive" => self.runs(),
            "put_along_axis" => self.putting(),
            "unsorted_segment_sum"
            | "unsorted_segment_min"
            | "unsorted_segment_mean"
            | "unsorted_segment_max"
            | "unsorted_segment_prod" => self.segments(name),
            "index_add" | "index_copy" | "index_fill" | "scatter_reduce" | "masked_fill"
            | "masked_scatter" | "tensor_split" | "logcumsumexp" | "renorm" => self.updates(name),
            "cosine_similarity" | "pairwise_distance" | "cdist" => self.distances(name),
            "glu" | "pixel_shuffle" | "pixel_unshuffle" | "channel_shuffle" | "unfold" | "fold"
            | "partial_unfold" | "partial_fold" => self.shuffles(name),
            "grid_sample" | "affine_grid" | "im2col" | "col2im" | "istft" => self.sampled(name),
            "one_hot" | "logspace" | "tril_indices" | "triu_indices" | "copy_array" | "native_array"
            | "hann_window" | "hamming_window" | "blackman_window" | "vorbis_window" => self.made(name),
            _ if self.numerical(name) || self.averages_and_places(name) || self.special(name) => {}
            _ if self.layers(name) || self.activations(name) || self.norms(name) || self.losses(name) => {}
            _ => return self.random_numbers(name) || self.linear_algebra(name) || self.transforms(name),
        }
        true
    }

    fn products(&mut self, name: &'static str) {
        let calls: Vec<(&[usize], &[usize], Keywords)> = match name {
            "matmul" => vec![
                (&[2, 3], &[3, 4], vec![]),
                (&[3], &[3], vec![]),
                (&[2, 3], &[3], vec![]),
                (&[3], &[3, 2], vec![]),
                (&[2, 1, 2, 3], &[4, 3, 2], vec![]),
                (&[2, 0], &[0, 3], vec![]),
                (&[5, 40], &[40, 3], vec![]),
            ],
            "vecdot" => vec![
                (&[3], &[3], vec![]),
                (&[2, 3], &[3], vec![]),
                (&[2, 3], &[2, 3], vec![("axis", int(-2))]),
                (&[0], &[0], vec![]),
            ],
            _ => vec![
                (&[2, 3, 4], &[3, 4, 2], vec![]),
                (&[2, 3], &[3, 2], vec![("axes", int(1))]),
                (&[2], &[3], vec![("axes", int(0))]),
                (&[2, 3, 4], &[4, 5, 2], vec![("axes", ParamValue::IntLists(vec![vec![0, -1], vec![2, 0]]))]),
            ],
        };
        for (s, t, keywords) in calls {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let (a, b) = (self.dtype(0), self.dtype(1));
                let x = moderate(a, &mut self.rng, s.iter().product::<usize>().max(1));
                let y = moderate(b, &mut self.rng, t.iter().product::<usize>().max(1));
                let operands = vec![self.array(0, s, &x), self.array(1, t, &y)];
                self.push(operands, keywords.clone(), layout);
            }
        }
    }
}
