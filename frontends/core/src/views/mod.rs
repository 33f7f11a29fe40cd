//! Views: arrays that have elements of another one, which writes to them change.
//!
//! Arrays of the core are values. A frontend whose framework has views keeps, for an array that is one, the array it is
//! a view of and a [`View`]: how its elements are read from there, and how what is written to it goes back, as one
//! slice assignment. Which functions give views is a list of the frontend's [definition](crate::Definition::views);
//! which elements a result has is found by calling the function with [tracked](Viewing::track) arguments, whose backend follows
//! strides through what rearranges elements and forgets them at all else. So NumPy's rule when `reshape` copies is that
//! of the strides here.

mod affine;
mod layout;
mod tracking;
mod view_mut;

pub use affine::{AffineAxis, affine, diagonal, tracked_view, windows};
pub use tracking::{Tracked, Viewing};
pub use view_mut::ViewMut;

use crate::{Fault, Frontend, autograd};
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Array, Dtype, Error, ErrorKind, Index, Result, Shape, functional as f};
use layout::Layout;

/// The parts of an element that a view may have instead of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The real part of a complex number.
    Real,
    /// The imaginary part.
    Imag,
    /// The bytes, as elements of another dtype.
    Bytes(Dtype),
}

/// Which elements of an array another one has: a strided layout, or parts of the elements of one, and a layout of those.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// From the array's elements to parts of them.
    parts: Vec<(Layout, Part)>,
    last: Layout,
    dtype: Dtype,
    /// Outside of the graph of derivatives: `detach`.
    detached: bool,
    /// Whether it is of something of which several places are one element: what is broadcast, windows that overlap.
    repeated: bool,
    /// Whether the function that gave it gives views to read from only.
    read_only: bool,
}

impl View {
    /// All of an array, as it is.
    pub fn whole(x: &Array) -> View {
        View {
            parts: Vec::new(),
            last: Layout::whole(x.shape()),
            dtype: x.dtype(),
            detached: false,
            repeated: false,
            read_only: false,
        }
    }

    /// The view's shape.
    pub fn shape(&self) -> &Shape {
        self.last.shape()
    }

    /// The dtype of its elements.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The place of the first element, in elements of its dtype.
    pub fn offset(&self) -> usize {
        self.last.offset()
    }

    /// The distance between neighbours along each axis, in elements.
    pub fn strides(&self) -> &[isize] {
        self.last.strides()
    }

    /// Whether its elements follow each other in memory in row-major order.
    pub fn is_contiguous(&self) -> bool {
        self.last.is_contiguous()
    }

    /// Whether it can be written to: not where several of its places are one element, nor where it is made for reading.
    pub fn is_writable(&self) -> bool {
        !self.repeated && !self.read_only
    }

    /// Whether it is outside of the graph of derivatives.
    pub fn is_detached(&self) -> bool {
        self.detached
    }

    /// The view for reading only, as [`Viewing::ReadOnly`] gives it.
    #[must_use]
    pub fn read_only(mut self) -> View {
        self.read_only = true;
        self
    }

    /// The part of it that an index expression selects; `None` for one with arrays, which is no view.
    ///
    /// # Errors
    /// Those of [`Array::get`](ivy_core::Array::get).
    pub fn select(&self, indices: &[Index]) -> Result<Option<View>> {
        let Some((axes, shape)) = Index::basic(self.shape(), indices)? else { return Ok(None) };
        Ok(self.last.slice(&axes).reshape(&shape).map(|last| self.with(last)))
    }

    /// The view with its axes in reverse order.
    #[must_use]
    pub fn reversed(&self) -> View {
        let axes: Vec<usize> = (0..self.shape().len()).rev().collect();
        self.with(self.last.permute(&axes))
    }

    /// The elements in their order under another shape, in which one length may be -1 and follows from the others; `None`
    /// where strides cannot say that, and for a shape of another number of elements.
    pub fn reshaped(&self, lengths: &[i64]) -> Option<View> {
        let size = self.shape().size();
        let known = lengths.iter().filter(|&&n| n != -1);
        let known =
            known.map(|&n| usize::try_from(n).ok()).try_fold(1, |all: usize, n| all.checked_mul(n?))?;
        let open = lengths.iter().filter(|&&n| n == -1).count();
        let rest = match open {
            0 if known == size => 1,
            1 if known > 0 && size.is_multiple_of(known) => size / known,
            _ => return None,
        };
        let shape: Shape = lengths.iter().map(|&n| usize::try_from(n).unwrap_or(rest)).collect();
        self.last.reshape(&shape).map(|last| self.with(last))
    }

    /// The same elements outside of the graph of derivatives.
    #[must_use]
    pub fn detach(mut self) -> View {
        self.detached = true;
        self
    }

    fn with(&self, last: Layout) -> View {
        View { repeated: self.repeated || last.overlaps_itself(), last, ..self.clone() }
    }

    /// The parts of the elements, of this dtype and shape.
    fn part_of(mut self, part: Part, shape: &Shape, dtype: Dtype) -> View {
        self.parts.push((self.last, part));
        View { last: Layout::whole(shape), dtype, ..self }
    }

    /// The elements: of the array it is a view of, as that is now.
    ///
    /// # Errors
    /// What the core's functions give that take it apart.
    pub fn read(&self, base: &Array) -> Result<Array> {
        let mut x = match self.detached {
            true => autograd::detached(base),
            false => base.clone(),
        };
        for (layout, part) in &self.parts {
            x = part.read(&layout.read(&x)?)?;
        }
        self.last.read(&x)
    }

    /// Replaces the array's elements in the view by those of an array of its shape and dtype. Storage that nobody else
    /// holds is written in place; after an error the array is as before.
    ///
    /// # Errors
    /// In the name of a frontend, for a view that cannot be written to, and for one of a leaf of the graph of derivatives
    /// while ops are noted; what the core's functions give.
    pub fn write(&self, frontend: &Frontend, base: &mut Array, value: Array) -> Result<()> {
        if !self.is_writable() {
            let rule = match self.repeated {
                true => "assignment destination is read-only: several of its places are one element",
                false => "assignment destination is read-only",
            };
            return Err(self.refused(frontend, Fault::Runtime, rule));
        }
        let is_recorded = autograd::requires_grad(base);
        let outside = self.detached || is_recorded && !autograd::is_grad_enabled();
        if is_recorded && autograd::is_leaf(base) && !outside {
            let rule = "a view of a leaf Variable that requires grad is being used in an in-place operation.";
            return Err(self.refused(frontend, Fault::Runtime, rule));
        }
        if !outside {
            let before = is_recorded.then(|| base.clone());
            self.write_from(0, base, value)?;
            if let Some(before) = before {
                *base = autograd::in_place_of(&before, base.clone())?;
            }
            return Ok(());
        }
        if !is_recorded {
            return self.write_from(0, base, autograd::detached(&value));
        }
        let mut elements = autograd::detached(base);
        self.write_from(0, &mut elements, autograd::detached(&value))?;
        *base = autograd::updated(base, &elements)?;
        Ok(())
    }

    fn refused(&self, frontend: &Frontend, fault: Fault, rule: &str) -> Error {
        ErrorKind::FrontendCall {
            function: frontend.name(),
            frontend: frontend.name(),
            argument: "self".into(),
            value: format!("a view of shape {}", self.shape()),
            rule: rule.into(),
            remedy: String::new(),
            fault: fault.name(),
        }
        .into()
    }

    fn write_from(&self, at: usize, x: &mut Array, value: Array) -> Result<()> {
        let Some((layout, part)) = self.parts.get(at) else { return self.last.write(x, value) };
        let whole = layout.read(x)?;
        let mut parts = part.read(&whole)?;
        self.write_from(at + 1, &mut parts, value)?;
        layout.write(x, part.write(&whole, &parts)?)
    }

    /// Whether two views of one array have an element in common; of parts of elements, whether they may.
    pub fn overlaps(&self, other: &View) -> bool {
        let (a, b) = (self.first(), other.first());
        let (Some((a_least, a_most)), Some((b_least, b_most))) = (a.bounds(), b.bounds()) else {
            return false;
        };
        if a_most < b_least || b_most < a_least {
            return false;
        }
        if let ([(_, p), ..], [(_, q), ..]) = (&self.parts[..], &other.parts[..])
            && matches!((p, q), (Part::Real, Part::Imag) | (Part::Imag, Part::Real))
        {
            return false;
        }
        if a.is_contiguous() && b.is_contiguous() {
            return true;
        }
        let (mut a, mut b) = (a.positions(), b.positions());
        a.sort_unstable();
        b.sort_unstable();
        let mut of_b = b.iter().peekable();
        a.iter().any(|x| {
            while of_b.next_if(|&y| y < x).is_some() {}
            of_b.peek() == Some(&x)
        })
    }

    /// The elements of the array that it has something of.
    fn first(&self) -> &Layout {
        self.parts.first().map_or(&self.last, |(layout, _)| layout)
    }
}

impl Part {
    fn read(self, x: &Array) -> Result<Array> {
        match self {
            Part::Real => f::real(x),
            Part::Imag => f::imag(x),
            Part::Bytes(dtype) if x.ndim() == 0 => as_dtype(&f::reshape(x, [1], ())?, dtype),
            Part::Bytes(dtype) => as_dtype(x, dtype),
        }
    }

    /// The elements with these parts.
    fn write(self, whole: &Array, parts: &Array) -> Result<Array> {
        match self {
            Part::Bytes(_) => f::reshape(as_dtype(parts, whole.dtype())?, layout::lengths(whole.shape()), ()),
            Part::Real | Part::Imag => {
                // A complex number is two real ones in memory.
                let pairs = f::expand_dims(whole, -1)?;
                let mut pairs = as_dtype(&pairs, whole.dtype().real_part())?;
                pairs.set([Index::Ellipsis, Index::Int(i64::from(self == Part::Imag))], parts)?;
                f::reshape(as_dtype(&pairs, whole.dtype())?, layout::lengths(whole.shape()), ())
            }
        }
    }
}

/// The bytes of an array as elements of another dtype, which makes the last axis longer or shorter; `None` where they
/// are not a whole number of those.
///
/// # Errors
/// Out of memory, and what an evaluation gives.
pub fn reinterpreted(x: &Array, dtype: Dtype) -> Result<Option<Array>> {
    let (from, to) = (x.dtype().bytes(), dtype.bytes());
    let mut shape: Vec<usize> = x.shape().to_vec();
    if from != to {
        let Some(last) = shape.last_mut() else { return Ok(None) };
        if *last * from % to != 0 {
            return Ok(None);
        }
        *last = *last * from / to;
    }
    let host = f::copy_array(x)?.to_host()?;
    let host = HostArray::new(Buffer::from_vec(host.row_major_bytes()?.into_owned()), dtype, shape.into());
    let host = host.ok_or_else(|| ErrorKind::no_memory("view", 0))?;
    Array::from_host(x.backend(), host).map(Some)
}

/// Pairs of real numbers as complex ones or the other way round, of arrays with a graph of derivatives, which bytes lack.
fn differentiable_pairs(x: &Array, dtype: Dtype) -> Result<Option<Array>> {
    let mut shape = layout::lengths(x.shape());
    let last = shape.last_mut();
    match last {
        Some(last) if x.dtype().is_complex() && dtype == x.dtype().real_part() => {
            *last *= 2;
            let pairs = f::stack([&f::real(x)?, &f::imag(x)?], f::Stack::new().axis(-1))?;
            f::reshape(pairs, shape, ()).map(Some)
        }
        Some(last) if dtype.is_complex() && x.dtype() == dtype.real_part() && *last % 2 == 0 => {
            let every_second = |start| {
                let slice = Index::Slice { start: Some(start), stop: None, step: 2 };
                f::astype(x.get([Index::Ellipsis, slice])?, dtype)
            };
            let i = ivy_core::Scalar::Complex(num_complex::Complex64::i());
            f::add(every_second(0)?, f::multiply(every_second(1)?, i)?).map(Some)
        }
        _ => Ok(None),
    }
}

fn as_dtype(x: &Array, dtype: Dtype) -> Result<Array> {
    if autograd::requires_grad(x)
        && let Some(pairs) = differentiable_pairs(x, dtype)?
    {
        return Ok(pairs);
    }
    reinterpreted(x, dtype)?.ok_or_else(|| {
        let rule = "the bytes of the last axis are a whole number of elements";
        let value = format!("a last axis of {}", x.shape());
        ErrorKind::InvalidArgument { function: "view", argument: "dtype", value, rule }.into()
    })
}
