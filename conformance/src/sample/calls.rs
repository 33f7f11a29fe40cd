//! The calls of each function.

mod activations;
mod averages;
mod blocks;
mod conv;
mod distributions;
mod dropout;
mod einops;
mod einsum;
mod elementwise_more;
mod layers;
mod layers_more;
mod linalg_more;
mod losses;
mod matrices;
mod norms;
mod numerical;
mod pad;
mod planes;
mod pool;
mod random;
mod rearrange;
mod sampling;
mod scatter;
mod special;
mod stable;
mod statistics;
mod updates;

use super::values::{edges, goldens, moderate, random, repeated};
use super::{Case, Layout};
use crate::expect::Combination;
use crate::rng::Rng;
use crate::truth::{Arg, Keywords, Num, Tensor};
use ivy_core::function::{Category, ParamValue};
use ivy_core::{Dtype, Function, Scalar};

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
                self.elementwise_more(name)
            }
            "einsum" => self.einsum(),
            "stable_divide" | "stable_pow" => self.stable(name),
            "einops_rearrange" | "einops_reduce" | "einops_repeat" => self.einops(name),
            "inner" | "kron" | "multi_dot" | "diag" | "vander" | "matrix_exp" | "solve_triangular"
            | "lu_factor" | "lu_solve" => self.linear_algebra_more(name),
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
                self.planes(name);
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
            "cosine_similarity" | "pairwise_distance" | "cdist" | "rms_norm" | "glu" | "pixel_shuffle"
            | "pixel_unshuffle" | "channel_shuffle" | "unfold" | "fold" | "partial_unfold"
            | "partial_fold" => {
                self.layers_more(name);
            }
            "grid_sample" | "affine_grid" | "im2col" | "col2im" | "istft" => self.sampled(name),
            "one_hot" | "logspace" | "tril_indices" | "triu_indices" | "copy_array" | "native_array"
            | "hann_window" | "hamming_window" | "blackman_window" | "vorbis_window" => self.made(name),
            _ if self.numerical(name) || self.averages_and_places(name) || self.special(name) => {}
            _ if self.layers(name) || self.activations(name) || self.norms(name) || self.losses(name) => {}
            _ => return self.random_numbers(name) || self.linear_algebra(name) || self.transforms(name),
        }
        true
    }

    fn creation(&mut self, name: &'static str) {
        let real = self.c.dtype.is_none_or(|d| !d.is_complex());
        let scalar = |x: f64| Arg::Scalar(Scalar::Float(x));
        let whole = |i: i128| Arg::Scalar(Scalar::Int(i));
        match name {
            "zeros" | "ones" | "empty" | "full" => {
                let shapes: [&[i64]; 4] = [&[], &[3], &[2, 3], &[0, 2]];
                for shape in shapes {
                    let operands = if name == "full" { vec![whole(7)] } else { vec![] };
                    self.push(operands, vec![("shape", ints(shape))], CONTIGUOUS);
                }
                if name == "full" {
                    let mut values = vec![Scalar::Bool(true)];
                    if self.c.dtype.is_none_or(|d| d.is_float() || d.is_complex()) {
                        values.extend([Scalar::Float(-2.5), Scalar::Float(f64::NAN), Scalar::Float(-0.0)]);
                    }
                    if self.c.dtype.is_none_or(|d| d.is_complex()) {
                        values.push(Scalar::Complex(num_complex::Complex64::new(1.5, -2.0)));
                    }
                    if let Some((min, max)) = self.c.dtype.and_then(|d| d.int_range()) {
                        values.extend([Scalar::Int(min), Scalar::Int(max)]);
                    }
                    for value in values {
                        self.push(vec![Arg::Scalar(value)], vec![("shape", ints(&[2, 2]))], CONTIGUOUS);
                    }
                }
            }
            "eye" => {
                for (n, m, k) in
                    [(3, None, 0), (3, Some(5), 1), (4, Some(2), -1), (0, None, 0), (2, Some(2), 9)]
                {
                    let mut keywords = vec![("n_rows", int(n)), ("k", int(k))];
                    keywords.extend(m.map(|m| ("n_cols", int(m))));
                    self.push(vec![], keywords, CONTIGUOUS);
                }
            }
            "arange" => {
                let calls =
                    [(0, Some(7), 1), (5, None, 1), (2, Some(20), 3), (10, Some(0), 2), (9, Some(1), -2)];
                for (start, stop, step) in calls {
                    let descends = step < 0 && self.c.dtype.is_some_and(|d| d.is_uint());
                    if !descends {
                        let operands = vec![whole(start), stop.map_or(Arg::Absent, whole), whole(step)];
                        self.push(operands, vec![], CONTIGUOUS);
                    }
                }
                if self.c.dtype.is_none_or(|d| d.is_float()) {
                    self.push(vec![scalar(0.5), scalar(3.0), scalar(0.25)], vec![], CONTIGUOUS);
                }
            }
            _ => {
                let calls =
                    [(0.0, 1.0, 5, true), (-2.0, 2.0, 4, false), (3.0, 3.0, 3, true), (1.0, 9.0, 1, true)];
                for (start, stop, num, endpoint) in calls {
                    let keywords = vec![("num", int(num)), ("endpoint", ParamValue::Bool(endpoint))];
                    self.push(vec![scalar(start), scalar(stop)], keywords, CONTIGUOUS);
                }
                self.push(vec![whole(0), whole(10)], vec![("num", int(0))], CONTIGUOUS);
                if !real {
                    let z = |re, im| Arg::Scalar(Scalar::Complex(num_complex::Complex64::new(re, im)));
                    self.push(vec![z(0.0, 1.0), z(2.0, -1.0)], vec![("num", int(5))], CONTIGUOUS);
                }
            }
        }
    }

    fn like_array(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let mut values = edges(dtype);
        values.extend(random(dtype, &mut self.rng, 24));
        let shapes: [(&[usize], Layout); 5] = [
            (&[3, 5], Layout::Transposed),
            (&[values.len() - values.len() % 2], Layout::Reversed),
            (&[2, 3, 2], CONTIGUOUS),
            (&[], CONTIGUOUS),
            (&[0, 2], CONTIGUOUS),
        ];
        for (shape, layout) in shapes {
            let x = self.array(0, shape, &values);
            match name {
                "tril" | "triu" => {
                    for k in [0, 1, -1, 5] {
                        if shape.len() >= 2 {
                            self.push(vec![x.clone()], vec![("k", int(k))], layout);
                        }
                    }
                }
                "full_like" => self.push(vec![x, Arg::Scalar(Scalar::Int(1))], vec![], layout),
                _ => self.push(vec![x], vec![], layout),
            }
        }
    }

    fn manipulation(&mut self, name: &'static str) {
        let calls: Vec<(&[usize], Keywords)> = match name {
            "broadcast_to" => vec![
                (&[3], vec![("shape", ints(&[2, 3]))]),
                (&[2, 1], vec![("shape", ints(&[4, 2, 3]))]),
                (&[], vec![("shape", ints(&[2]))]),
                (&[1], vec![("shape", ints(&[0]))]),
            ],
            "expand_dims" => vec![
                (&[2, 3], vec![("axis", int(0))]),
                (&[2, 3], vec![("axis", int(-1))]),
                (&[], vec![("axis", int(0))]),
            ],
            "flip" => vec![
                (&[2, 3], vec![]),
                (&[2, 3], vec![("axis", int(0))]),
                (&[2, 3, 2], vec![("axis", ints(&[0, -1]))]),
                (&[], vec![]),
                (&[0, 2], vec![]),
            ],
            "moveaxis" => vec![
                (&[2, 3, 4], vec![("source", int(0)), ("destination", int(-1))]),
                (&[2, 3, 4], vec![("source", ints(&[0, 2])), ("destination", ints(&[2, 0]))]),
            ],
            "permute_dims" => vec![
                (&[2, 3, 4], vec![("axes", ints(&[2, 0, 1]))]),
                (&[2, 3], vec![("axes", ints(&[1, 0]))]),
                (&[], vec![("axes", ints(&[]))]),
            ],
            "reshape" => vec![
                (&[2, 3], vec![("shape", ints(&[3, 2]))]),
                (&[2, 6], vec![("shape", ints(&[-1, 4]))]),
                (&[], vec![("shape", ints(&[1, 1]))]),
                (&[0, 3], vec![("shape", ints(&[5, 0]))]),
            ],
            "roll" => vec![
                (&[5], vec![("shift", int(2))]),
                (&[2, 3], vec![("shift", int(-1))]),
                (&[2, 3], vec![("shift", int(1)), ("axis", int(1))]),
                (&[2, 3], vec![("shift", ints(&[1, -7])), ("axis", ints(&[0, 1]))]),
                (&[0, 2], vec![("shift", int(1))]),
            ],
            "squeeze" => {
                vec![(&[1, 3, 1], vec![("axis", int(0))]), (&[1, 3, 1], vec![("axis", ints(&[0, -1]))])]
            }
            "tile" => vec![
                (&[2, 3], vec![("repetitions", ints(&[2]))]),
                (&[2], vec![("repetitions", ints(&[3, 2]))]),
                (&[2, 3], vec![("repetitions", ints(&[2, 0]))]),
                (&[], vec![("repetitions", ints(&[3]))]),
            ],
            "unstack" => vec![(&[3, 2], vec![]), (&[3, 2], vec![("axis", int(-1))]), (&[2, 0], vec![])],
            "repeat" => return self.repeat(),
            _ => vec![(&[2, 3], vec![]), (&[2, 3, 4], vec![]), (&[0, 3], vec![])],
        };
        for (shape, keywords) in calls {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let x = self.some(0, shape);
                self.push(vec![x], keywords.clone(), layout);
            }
        }
    }

    fn repeat(&mut self) {
        let count = |maker: &Maker<'_>, shape: &[usize], v: &[i128]| {
            let values: Vec<Num> = v.iter().map(|&i| Num::Int(i)).collect();
            maker.array(1, shape, &values)
        };
        type Call<'a> = (&'a [usize], &'a [usize], &'a [i128], Option<i64>);
        let calls: [Call<'_>; 4] = [
            (&[3], &[3], &[2, 0, 1], None),
            (&[2, 3], &[3], &[1, 2, 3], Some(1)),
            (&[2, 2], &[4], &[1, 0, 3, 1], None),
            (&[3, 2], &[1], &[2], Some(0)),
        ];
        for (shape, counts, values, axis) in calls {
            let x = self.some(0, shape);
            let keywords = axis.map(|a| ("axis", int(a))).into_iter().collect();
            self.push(vec![x, count(self, counts, values)], keywords, CONTIGUOUS);
        }
    }

    fn lists(&mut self, name: &'static str) {
        let shapes: Vec<(&[usize], &[usize], Keywords)> = match name {
            "broadcast_arrays" => {
                vec![(&[2, 1], &[3], vec![]), (&[], &[2], vec![]), (&[0, 1], &[1, 2], vec![])]
            }
            "meshgrid" => {
                vec![(&[2], &[3], vec![]), (&[2], &[3], vec![("indexing", ParamValue::Text("ij".into()))])]
            }
            "promote_types_of_inputs" | "type_promote_arrays" => {
                vec![(&[2, 3], &[3], vec![]), (&[], &[12], vec![])]
            }
            "stack" => vec![
                (&[2, 3], &[2, 3], vec![]),
                (&[2, 3], &[2, 3], vec![("axis", int(-1))]),
                (&[], &[], vec![]),
            ],
            _ => vec![
                (&[2, 3], &[1, 3], vec![]),
                (&[2, 3], &[2, 1], vec![("axis", int(-1))]),
                (&[2], &[0], vec![]),
                (&[2, 2], &[3], vec![("axis", ParamValue::None)]),
            ],
        };
        for (a, b, keywords) in shapes {
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let mut operands = vec![self.some(0, a), self.some(1, b)];
                if name == "concat" && a == [2] {
                    operands.push(self.some(0, &[3]));
                }
                self.push(operands, keywords.clone(), layout);
            }
        }
    }

    fn choice(&mut self, name: &'static str) {
        let shapes: [[&[usize]; 3]; 4] =
            [[&[3, 1], &[4], &[3, 4]], [&[], &[2], &[]], [&[5], &[5], &[5]], [&[0], &[1], &[0]]];
        for (k, shapes) in shapes.into_iter().enumerate() {
            let mut operands = Vec::new();
            for (i, shape) in shapes.into_iter().enumerate() {
                if self.c.operands[i].is_none() {
                    operands.push(Arg::Absent);
                    continue;
                }
                let dtype = self.dtype(i);
                let mut values = if k == 0 { edges(dtype) } else { vec![] };
                values.extend(random(dtype, &mut self.rng, 12));
                let turn = self.rng.below(values.len());
                values.rotate_left(turn);
                operands.push(self.array(i, shape, &values));
            }
            // A lower bound above the upper one has no answer: the bounds are kept apart.
            if name == "clip" && self.c.operands[1].is_some() && self.c.operands[2].is_some() {
                let bound = |i: usize, x: i128| match &operands[i] {
                    Arg::Array(t) => {
                        Arg::Array(Tensor::new(t.dtype, &t.shape, vec![Num::Int(x); t.data.len()]))
                    }
                    other => other.clone(),
                };
                operands = vec![operands[0].clone(), bound(1, 2), bound(2, 90)];
            }
            let layout = if k == 2 { Layout::Reversed } else { CONTIGUOUS };
            self.push(operands, vec![], layout);
        }
    }

    fn indexing(&mut self, name: &'static str) {
        if name == "take" {
            let calls: [(&[usize], i64, usize, Layout); 4] = [
                (&[5], 0, 7, CONTIGUOUS),
                (&[3, 4], 1, 3, Layout::Transposed),
                (&[3, 4], -2, 2, CONTIGUOUS),
                (&[4, 2], 0, 0, CONTIGUOUS),
            ];
            for (shape, axis, count, layout) in calls {
                let n = shape[if axis < 0 { (axis + shape.len() as i64) as usize } else { axis as usize }];
                let operands = vec![self.some(0, shape), self.indices(1, &[count], n)];
                self.push(operands, vec![("axis", int(axis))], layout);
            }
            return;
        }
        let calls: [(&[usize], &[usize], i64, usize); 3] =
            [(&[3, 4], &[3, 2], -1, 4), (&[3, 4], &[5, 4], 0, 3), (&[4], &[6], 0, 4)];
        for (shape, which, axis, n) in calls {
            let operands = vec![self.some(0, shape), self.indices(1, which, n)];
            self.push(operands, vec![("axis", int(axis))], Layout::Transposed);
        }
    }

    fn reduction(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let one_axis = matches!(name, "argmax" | "argmin");
        let needs_elements = matches!(name, "argmax" | "argmin" | "max" | "min");
        let mut calls: Vec<(Vec<usize>, Keywords)> = vec![
            (vec![], vec![]),
            (vec![5], vec![]),
            (vec![3, 4], vec![]),
            (vec![3, 4], vec![("axis", int(0))]),
            (vec![3, 4], vec![("axis", int(-1)), ("keepdims", ON)]),
            (vec![2, 3, 4], vec![("axis", int(1))]),
            (vec![300], vec![]),
            (vec![0, 3], vec![("axis", int(1))]),
        ];
        if !one_axis {
            calls.push((vec![2, 3, 4], vec![("axis", ints(&[0, -1]))]));
            calls.push((vec![2, 3, 4], vec![("axis", ints(&[2, 0])), ("keepdims", ON)]));
            calls.push((vec![2, 3], vec![("axis", ints(&[]))]));
        }
        if needs_elements {
            calls.pop_if(|c| c.0.contains(&0));
            calls.retain(|c| !c.0.contains(&0));
        } else {
            calls.push((vec![0, 3], vec![("axis", int(0))]));
            calls.push((vec![0], vec![]));
        }
        if matches!(name, "var" | "std") {
            calls.push((vec![3, 4], vec![("axis", int(0)), ("correction", ParamValue::Float(1.0))]));
            calls.push((vec![2], vec![("correction", ParamValue::Float(2.0))]));
        }
        let exact = !matches!(name, "sum" | "prod" | "mean" | "var" | "std");
        for (shape, keywords) in calls {
            let n: usize = shape.iter().product();
            let values = match exact {
                true => repeated(dtype, &mut self.rng, n.max(1), true),
                // Products of large integers overflow a float, and then their order matters.
                false if name == "prod" && dtype.is_int() && self.c.dtype.is_some_and(|d| !d.is_int()) => {
                    (0..n.max(1)).map(|_| Num::Int([1, 2, 1][self.rng.below(3)])).collect()
                }
                false => moderate(dtype, &mut self.rng, n.max(1)),
            };
            for layout in [CONTIGUOUS, Layout::Transposed] {
                self.push(vec![self.array(0, &shape, &values)], keywords.clone(), layout);
            }
        }
        // Each special value in a line of its own.
        for special in edges(dtype).into_iter().filter(|x| !x.is_finite()) {
            let mut values = moderate(dtype, &mut self.rng, 6);
            values[3] = special;
            self.push(vec![self.array(0, &[2, 3], &values)], vec![("axis", int(1))], CONTIGUOUS);
        }
    }

    fn along_axis(&mut self, name: &'static str) {
        let calls: Vec<(&[usize], Keywords)> = match name {
            "softmax" | "log_softmax" => vec![
                (&[4], vec![]),
                (&[3, 4], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[2, 3, 2], vec![("axis", int(1))]),
                (&[0, 3], vec![]),
            ],
            "cumsum" | "cumprod" => vec![
                (&[6], vec![]),
                (&[3, 4], vec![("axis", int(1)), ("exclusive", ON)]),
                (&[3, 4], vec![("axis", int(-2)), ("reverse", ON)]),
                (&[5], vec![("exclusive", ON), ("reverse", ON)]),
                (&[0, 2], vec![("exclusive", ON)]),
            ],
            "diff" => vec![
                (&[6], vec![]),
                (&[3, 4], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[5], vec![("n", int(2))]),
                (&[3], vec![("n", int(0))]),
            ],
            _ => vec![
                (&[6], vec![]),
                (&[3, 4], vec![("axis", int(0))]),
                (&[3, 4], vec![("axis", int(-1)), ("include_initial", ON)]),
                (&[0], vec![]),
                (&[0, 2], vec![("axis", int(0)), ("include_initial", ON)]),
            ],
        };
        let dtype = self.dtype(0);
        for (shape, keywords) in calls {
            let n: usize = shape.iter().product();
            for layout in [CONTIGUOUS, Layout::Transposed] {
                let values = moderate(dtype, &mut self.rng, n.max(1));
                let mut operands = vec![self.array(0, shape, &values)];
                if name == "diff" {
                    // What goes before and after has length 1 along the axis.
                    let axis = if keywords.iter().any(|k| k.0 == "axis" && matches!(k.1, ParamValue::Int(0)))
                    {
                        0
                    } else {
                        shape.len() - 1
                    };
                    let mut end = shape.to_vec();
                    end[axis] = 1;
                    for i in [1, 2] {
                        operands.push(match self.c.operands[i] {
                            Some(d) => {
                                let values = moderate(d, &mut self.rng, end.iter().product());
                                self.array(i, &end, &values)
                            }
                            None => Arg::Absent,
                        });
                    }
                }
                self.push(operands, keywords.clone(), layout);
            }
        }
        if name.ends_with("softmax") && dtype.is_complex() {
            self.modes_along_axis();
        }
        if name.ends_with("softmax") && dtype.is_float() {
            let of = |v: &[f64]| v.iter().map(|&x| Num::Float(x)).collect::<Vec<_>>();
            let (inf, nan) = (f64::INFINITY, f64::NAN);
            for line in [
                [1000.0, 1000.0, -1000.0],
                [inf, 1.0, 2.0],
                [-inf, 0.5, 0.0],
                [nan, 0.0, 1.0],
                [-inf, -inf, -inf],
            ] {
                self.push(vec![self.array(0, &[3], &of(&line))], vec![], CONTIGUOUS);
            }
        }
    }

    fn sorting(&mut self) {
        let dtype = self.dtype(0);
        let shapes: [(&[usize], Option<i64>); 5] =
            [(&[12], None), (&[4, 5], Some(0)), (&[4, 5], Some(-1)), (&[0], None), (&[100], None)];
        for (shape, axis) in shapes {
            for descending in [false, true] {
                let n: usize = shape.iter().product();
                let values = repeated(dtype, &mut self.rng, n.max(1), true);
                let mut keywords: Keywords = axis.map(|a| ("axis", int(a))).into_iter().collect();
                keywords.push(("descending", ParamValue::Bool(descending)));
                let layout = if descending { Layout::Transposed } else { CONTIGUOUS };
                self.push(vec![self.array(0, shape, &values)], keywords, layout);
            }
        }
    }

    fn searchsorted(&mut self) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        for side in ["left", "right"] {
            for n in [7, 0] {
                let mut sorted = repeated(a, &mut self.rng, 7, true);
                // Sorted in the dtype that both promote to, where rounding keeps the order.
                sorted.retain(|x| !x.is_nan());
                sorted.sort_by(|x, y| match (x, y) {
                    (Num::Int(i), Num::Int(j)) => i.cmp(j),
                    _ => x.re().total_cmp(&y.re()),
                });
                sorted.truncate(n);
                let n = sorted.len();
                let wanted = repeated(b, &mut self.rng, 6, true);
                let mut operands = vec![self.array(0, &[n], &sorted), self.array(1, &[2, 3], &wanted)];
                let sorter = match self.c.operands[2] {
                    None => Arg::Absent,
                    Some(_) => {
                        // The array reversed, and the order that undoes it.
                        let mut reversed = sorted.clone();
                        reversed.reverse();
                        operands[0] = self.array(0, &[n], &reversed);
                        let back: Vec<Num> = (0..n as i128).rev().map(Num::Int).collect();
                        self.array(2, &[n], &back)
                    }
                };
                operands.push(sorter);
                self.push(operands, vec![("side", ParamValue::Text(side.into()))], CONTIGUOUS);
            }
        }
    }

    fn whole(&mut self, name: &'static str) {
        let dtype = self.dtype(0);
        let shapes: [(&[usize], Layout); 4] = [
            (&[12], CONTIGUOUS),
            (&[3, 4], Layout::Transposed),
            (&[2, 2, 5], CONTIGUOUS),
            (&[0], CONTIGUOUS),
        ];
        for (shape, layout) in shapes {
            let n: usize = shape.iter().product();
            let values = repeated(dtype, &mut self.rng, n.max(1), true);
            self.push(vec![self.array(0, shape, &values)], vec![], layout);
        }
        if name != "nonzero" {
            let x = self.some(0, &[]);
            self.push(vec![x], vec![], CONTIGUOUS);
        }
    }

    fn isin(&mut self) {
        let (a, b) = (self.dtype(0), self.dtype(1));
        for (shape, other, invert) in
            [(&[4, 3][..], &[6][..], false), (&[5], &[2, 3], true), (&[3], &[0], false)]
        {
            let x = repeated(a, &mut self.rng, 12, true);
            let y = repeated(b, &mut self.rng, 6, true);
            let operands = vec![self.array(0, shape, &x), self.array(1, other, &y)];
            self.push(operands, vec![("invert", ParamValue::Bool(invert))], CONTIGUOUS);
        }
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
