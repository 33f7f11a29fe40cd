//! Resampling of spatial axes.

use super::pool::averaged;
use super::{PerAxis, downcast, invalid, mismatch, upcast};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs, ParamField, ParamValue};
use crate::functional::{Sum, Take, add, astype, multiply, reshape, sum, take};
use crate::{Dims, Dtype, Result, Shape, params};
use smallvec::smallvec;
use std::f64::consts::PI;

/// How [`interpolate`] finds what stands between elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InterpolateMode {
    /// A line between neighbours, of one spatial axis.
    #[default]
    Linear,
    /// Lines between neighbours, of two spatial axes.
    Bilinear,
    /// Lines between neighbours, of three spatial axes.
    Trilinear,
    /// Lines between neighbours, of any number of spatial axes.
    Nd,
    /// The element at `floor(i * scale)`.
    Nearest,
    /// The element at `floor((i + 0.5) * scale)`.
    NearestExact,
    /// Means of the elements that each one stands for.
    Area,
    /// Cubic convolution of four neighbours along each of two axes, with `a = -0.75` (-0.5 with `antialias`).
    Bicubic,
    /// Means of what each one stands for, in which elements at the border have a part by how far they reach into it, as
    /// TensorFlow's.
    TfArea,
    /// Cubic convolution with `a = -0.5` of the neighbours that are there, normalized, as TensorFlow's.
    TfBicubic,
    /// The cubic filter of Mitchell and Netravali with B = C = 1/3 (1988), normalized.
    MitchellCubic,
    /// The sinc windowed by that of three zero crossings, normalized.
    Lanczos3,
    /// The sinc windowed by that of five zero crossings, normalized.
    Lanczos5,
    /// A Gaussian of standard deviation 0.5, cut off at 1.5 and normalized.
    Gaussian,
}

param_words! {
    InterpolateMode: "linear" => Linear, "bilinear" => Bilinear, "trilinear" => Trilinear, "nd" => Nd,
    "nearest" => Nearest, "nearest_exact" => NearestExact, "area" => Area, "bicubic" => Bicubic,
    "tf_area" => TfArea, "tf_bicubic" => TfBicubic, "mitchellcubic" => MitchellCubic, "lanczos3" => Lanczos3,
    "lanczos5" => Lanczos5, "gaussian" => Gaussian
}

/// A factor for each spatial axis, or one for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors(Dims<f64>);

impl From<f64> for Factors {
    fn from(factor: f64) -> Factors {
        Factors(Dims::from_slice(&[factor]))
    }
}

impl<const N: usize> From<[f64; N]> for Factors {
    fn from(factors: [f64; N]) -> Factors {
        Factors(factors.into_iter().collect())
    }
}

impl ParamField for Factors {
    const TYPE: &'static str = "float | Sequence[float]";
    const RULE: &'static str = "a number, or one for each spatial axis";

    fn from_value(value: ParamValue) -> Option<Factors> {
        Some(Factors(match value {
            ParamValue::Float(x) => smallvec![x],
            ParamValue::Int(i) => smallvec![i as f64],
            ParamValue::Ints(list) => list.into_iter().map(|i| i as f64).collect(),
            ParamValue::Scalars(list) => list.into_iter().map(|s| s.to_f64()).collect(),
            _ => return None,
        }))
    }
}

params! {
    /// Keyword arguments of [`interpolate`].
    pub struct Interpolate {
        /// The lengths of the spatial axes of the result; an argument of the function. Not needed with factors.
        size: Option<PerAxis> = None,
        /// How elements are found.
        mode: InterpolateMode = InterpolateMode::Linear,
        /// By how much the axes become longer, if no lengths are given: they are `floor(length * factor)`.
        scale_factor: Option<Factors> = None,
        /// With factors: positions follow from the lengths, and not from the factors themselves.
        recompute_scale_factor: Option<bool> = None,
        /// The first and last elements of the result are those of `x`; of linear and cubic modes.
        flag align_corners,
        /// Where axes become shorter, all elements have a part in the result; of `Bilinear`, `Bicubic` and the modes that
        /// are filters.
        flag antialias,
    }
}

describe! {
    INTERPOLATE = "interpolate", Layer, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Interpolate::new().size(2usize), example: [&[1, 1, 3]], Body::Compose(compose)
}

/// An axis that is sampled anew.
struct Sampled {
    len: usize,
    /// Elements of `x` for one of the result.
    scale: f64,
    corners: bool,
}

/// The elements that one of the result is made of, and how much of each.
type Taps = Vec<(usize, f64)>;

/// A filter of samples: what an element at a distance weighs, and from which distance on that is 0.
#[derive(Clone, Copy)]
enum Filter {
    /// Cubic convolution (Keys, 1981) with `a = -0.5`.
    Keys,
    Mitchell,
    /// A sinc under the middle lobe of one that is as many times longer.
    Lanczos(f64),
    Gaussian,
}

impl Filter {
    fn of(mode: InterpolateMode) -> Option<Filter> {
        Some(match mode {
            InterpolateMode::TfBicubic => Filter::Keys,
            InterpolateMode::MitchellCubic => Filter::Mitchell,
            InterpolateMode::Lanczos3 => Filter::Lanczos(3.0),
            InterpolateMode::Lanczos5 => Filter::Lanczos(5.0),
            InterpolateMode::Gaussian => Filter::Gaussian,
            _ => return None,
        })
    }

    fn radius(self) -> f64 {
        match self {
            Filter::Keys | Filter::Mitchell => 2.0,
            Filter::Lanczos(radius) => radius,
            Filter::Gaussian => 1.5,
        }
    }

    fn weight(self, x: f64) -> f64 {
        let x = x.abs();
        let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
        match self {
            _ if x >= self.radius() => 0.0,
            Filter::Keys => cubic(x, -0.5),
            Filter::Mitchell if x < 1.0 => ((7.0 * x - 12.0) * x * x + 16.0 / 3.0) / 6.0,
            Filter::Mitchell => (((12.0 - 7.0 / 3.0 * x) * x - 20.0) * x + 32.0 / 3.0) / 6.0,
            Filter::Lanczos(radius) => sinc(x) * sinc(x / radius),
            Filter::Gaussian => (-2.0 * x * x).exp(),
        }
    }
}

/// Cubic convolution at a distance.
fn cubic(x: f64, a: f64) -> f64 {
    let x = x.abs();
    match x {
        _ if x < 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
        _ if x < 2.0 => ((x - 5.0) * x + 8.0) * x * a - 4.0 * a,
        _ => 0.0,
    }
}

impl Sampled {
    /// Where element `i` of the result stands among those of `x`.
    fn position(&self, i: usize) -> f64 {
        if self.corners { i as f64 * self.scale } else { (i as f64 + 0.5) * self.scale - 0.5 }
    }

    fn element(&self, i: i64) -> usize {
        i.clamp(0, self.len as i64 - 1) as usize
    }

    fn taps(&self, mode: InterpolateMode, antialias: bool, i: usize) -> Taps {
        use InterpolateMode::*;
        if let Some(filter) = Filter::of(mode) {
            return self.filtered(filter, antialias, i);
        }
        match mode {
            Nearest => vec![(self.element((i as f64 * self.scale).floor() as i64), 1.0)],
            NearestExact => vec![(self.element(((i as f64 + 0.5) * self.scale).floor() as i64), 1.0)],
            TfArea => self.overlaps(i),
            _ if antialias => self.smooth(mode == Bicubic, i),
            Bicubic => {
                let at = self.position(i);
                let first = at.floor();
                let tap = |k: i64| (self.element(first as i64 + k), cubic(at - first - k as f64, -0.75));
                (-1..3).map(tap).collect()
            }
            _ => {
                let at = self.position(i).max(0.0);
                let first = self.element(at.floor() as i64);
                let part = (at - first as f64).clamp(0.0, 1.0);
                vec![(first, 1.0 - part), (self.element(first as i64 + 1), part)]
            }
        }
    }

    /// How much of each element lies in what one of the result stands for.
    fn overlaps(&self, i: usize) -> Taps {
        let (start, end) = (i as f64 * self.scale, (i + 1) as f64 * self.scale);
        let (first, last) = (start.floor() as usize, (end.ceil() as usize).min(self.len));
        let part = |j: usize| ((j + 1) as f64).min(end) - (j as f64).max(start);
        (first.min(self.len - 1)..last.max(first + 1).min(self.len))
            .map(|j| (j, part(j) / self.scale))
            .collect()
    }

    /// The elements within the radius of a filter, whose weights are made to sum to 1.
    fn filtered(&self, filter: Filter, antialias: bool, i: usize) -> Taps {
        let stretch = if antialias { self.scale.max(1.0) } else { 1.0 };
        let (center, reach) = (self.position(i), filter.radius() * stretch);
        let first = (center - reach).ceil().max(0.0) as usize;
        let last = ((center + reach).floor().max(0.0) as usize).min(self.len - 1);
        let weight = |j: usize| filter.weight((j as f64 - center) / stretch);
        let total: f64 = (first..=last).map(weight).sum();
        (first..=last).map(|j| (j, if total == 0.0 { 0.0 } else { weight(j) / total })).collect()
    }

    /// A filter as wide as what an element of the result stands for.
    fn smooth(&self, is_cubic: bool, i: usize) -> Taps {
        let stretch = self.scale.max(1.0);
        let reach = if is_cubic { 2.0 } else { 1.0 } * stretch;
        let center = (i as f64 + 0.5) * self.scale;
        let first = (center - reach + 0.5).max(0.0) as usize;
        let end = ((center + reach + 0.5) as usize).min(self.len).max(first + 1).min(self.len);
        let first = first.min(end - 1);
        let weight = |j: usize| {
            let x = (j as f64 - center + 0.5) / stretch;
            if is_cubic { cubic(x, -0.5) } else { (1.0 - x.abs()).max(0.0) }
        };
        let total: f64 = (first..end).map(weight).sum();
        (first..end).map(|j| (j, if total == 0.0 { 1.0 } else { weight(j) / total })).collect()
    }
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    use InterpolateMode::*;
    let (function, p) = (call.function.name, call.params::<Interpolate>());
    let mut x = upcast(call.array(0))?;
    let spatial = x.ndim().saturating_sub(2);
    let right = match p.mode {
        Linear => spatial == 1,
        Bilinear | Bicubic => spatial == 2,
        Trilinear => spatial == 3,
        _ => spatial > 0,
    };
    if !right {
        return Err(mismatch(function, "x", format!("as many spatial axes as {:?} has", p.mode), &x));
    }
    if p.align_corners && matches!(p.mode, Nearest | NearestExact | Area | TfArea) {
        let rule = "only linear and cubic modes have corners";
        return Err(invalid(function, "align_corners", "true".into(), rule));
    }
    if p.antialias && !matches!(p.mode, Bilinear | Bicubic) && Filter::of(p.mode).is_none() {
        let rule = "only for bilinear, bicubic and the modes that are filters";
        return Err(invalid(function, "antialias", "true".into(), rule));
    }
    let lengths = Dims::from_slice(&x.shape()[2..]);
    let factors = match &p.scale_factor {
        None => None,
        Some(Factors(list)) => {
            let all: Dims<f64> = match list[..] {
                [one] => Dims::from_elem(one, spatial),
                ref each if each.len() == spatial => list.clone(),
                ref other => {
                    let rule = "one factor, or one for each spatial axis";
                    return Err(invalid(function, "scale_factor", format!("{other:?}"), rule));
                }
            };
            if let Some(bad) = all.iter().find(|f| !(f.is_finite() && **f > 0.0)) {
                return Err(invalid(function, "scale_factor", bad.to_string(), "a factor is above 0"));
            }
            Some(all)
        }
    };
    let sizes: Dims = match (&p.size, &factors) {
        (Some(size), _) => size.of(function, "size", spatial, 1)?,
        (None, Some(factors)) => {
            lengths.iter().zip(factors).map(|(&n, f)| (n as f64 * f).floor() as usize).collect()
        }
        (None, None) => {
            return Err(invalid(function, "size", "none".into(), "lengths or factors are needed"));
        }
    };
    let all: Shape = x.shape()[..2].iter().chain(&sizes).copied().collect();
    all.checked_size(function, Dtype::FLOAT64)?;
    if sizes.contains(&0) || lengths.contains(&0) {
        let value = format!("{lengths:?} to {sizes:?}");
        return Err(invalid(function, "size", value, "no spatial axis is empty, before and after"));
    }
    let by_factor = p.size.is_none() && p.recompute_scale_factor != Some(true);
    for i in 0..spatial {
        let (len, out) = (lengths[i], sizes[i]);
        if p.mode == Area {
            x = averaged(function, &x, i + 2, out)?;
            continue;
        }
        let scale = match (&factors, p.align_corners) {
            (_, true) if out > 1 => (len as f64 - 1.0) / (out as f64 - 1.0),
            (_, true) => 0.0,
            (Some(factors), false) if by_factor => 1.0 / factors[i],
            _ => len as f64 / out as f64,
        };
        if len == out && scale == 1.0 {
            continue;
        }
        let sampled = Sampled { len, scale, corners: p.align_corners };
        let taps: Vec<Taps> = (0..out).map(|o| sampled.taps(p.mode, p.antialias, o)).collect();
        x = combined(&x, i + 2, &taps)?;
    }
    Ok(smallvec![downcast(x, call.compute)?])
}

/// Sums of weighted elements along an axis.
fn combined(x: &Array, axis: usize, taps: &[Taps]) -> Result<Array> {
    let (out, most) = (taps.len(), taps.iter().map(Vec::len).max().unwrap_or(1));
    let tap = |o: usize, k: usize| taps[o].get(k).copied().unwrap_or((taps[o][0].0, 0.0));
    let pick = |places: Vec<i64>| {
        let count = places.len();
        take(x, Array::from_vec(places, count)?, Take::new().axis(axis as i64))
    };
    let weights = |values: Vec<f64>, shape: Dims| {
        let count = values.len();
        let values = reshape(Array::from_vec(values, count)?, Shape::from(shape), ())?;
        if values.dtype() == x.dtype() { Ok(values) } else { astype(values, x.dtype()) }
    };
    if most == 1 {
        return pick((0..out).map(|o| tap(o, 0).0 as i64).collect());
    }
    if most <= 4 {
        let part = |k: usize| {
            let mut shape = Dims::from_elem(1, x.ndim());
            shape[axis] = out;
            let own = weights((0..out).map(|o| tap(o, k).1).collect(), shape)?;
            multiply(pick((0..out).map(|o| tap(o, k).0 as i64).collect())?, &own)
        };
        return (1..most).try_fold(part(0)?, |all, k| add(&all, &part(k)?));
    }
    let each = || (0..out).flat_map(|o| (0..most).map(move |k| (o, k)));
    let apart = pick(each().map(|(o, k)| tap(o, k).0 as i64).collect())?;
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = out;
    shape.insert(axis + 1, most);
    let mut own = Dims::from_elem(1, x.ndim() + 1);
    (own[axis], own[axis + 1]) = (out, most);
    let own = weights(each().map(|(o, k)| tap(o, k).1).collect(), own)?;
    sum(multiply(reshape(&apart, Shape::from(shape), ())?, &own)?, Sum::new().axis(axis as i64 + 1))
}

/// Resampling of spatial axes: `x: [n, c, spatial...]` with spatial axes of other lengths, along each of which elements
/// are found at the positions `(i + 0.5) * scale - 0.5`, where `scale` is the quotient of the lengths (or the inverse
/// of a factor); with `align_corners` at `i * (length - 1) / (size - 1)`. Beyond the ends are the first and the last
/// element. Integers compute in the default float dtype, float16 and bfloat16 in float32.
///
/// ```
/// use ivy::{Interpolate, InterpolateMode, prelude::*};
/// let x = Array::try_from([[[1.0f32, 3.0]]])?;
/// assert_eq!(ivy::interpolate(&x, 4, ())?.to_vec::<f32>()?, [1.0, 1.5, 2.5, 3.0]);
/// let corners = Interpolate::new().align_corners();
/// assert_eq!(ivy::interpolate(&x, 3, corners)?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
/// let nearest = Interpolate::new().mode(InterpolateMode::Nearest).scale_factor(2.0);
/// assert_eq!(ivy::interpolate(&x, None, nearest)?.to_vec::<f32>()?, [1.0, 1.0, 3.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a number of spatial axes that the mode does not have;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) without lengths and factors, for a length of 0, a factor that
/// is not above 0, numbers of them that are not that of the spatial axes, and corners or filters of modes that have
/// none; [`SizeOverflow`](crate::ErrorKind::SizeOverflow);
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn interpolate<'a>(
    x: impl IntoOperand<'a>,
    size: impl IntoSizes,
    params: impl Into<Interpolate>,
) -> Result<Array> {
    let params = Interpolate { size: size.into_sizes(), ..params.into() };
    call_one(&INTERPOLATE, &[x.into_operand()], &params)
}

/// Lengths, or `None` where factors say them.
pub trait IntoSizes {
    /// The lengths.
    fn into_sizes(self) -> Option<PerAxis>;
}

impl IntoSizes for Option<PerAxis> {
    fn into_sizes(self) -> Option<PerAxis> {
        self
    }
}

impl IntoSizes for usize {
    fn into_sizes(self) -> Option<PerAxis> {
        Some(self.into())
    }
}

impl<const N: usize> IntoSizes for [usize; N] {
    fn into_sizes(self) -> Option<PerAxis> {
        Some(self.into())
    }
}
