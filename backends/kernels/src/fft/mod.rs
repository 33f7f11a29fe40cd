//! Discrete Fourier transforms along an axis, by `rustfft` and `realfft`.

mod plan;

use crate::{elementwise, lines::map_lines, reduce::refused, small::Value};
use ivy_core::host::{HostArray, HostView, scratch};
use ivy_core::{Dtype, FftOp, FftScale, Op, Result};
use num_complex::{Complex, Complex32, Complex64};
use plan::{Part, Plan};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

/// The transform of each line of `x` along `axis` with `n` points, divided by `scale`; see
/// [`FftOp`] for what comes out. Lines are cut, or zeros put after them, to fit.
///
/// Computed in the precision of `x`, float16 and bfloat16 in float32.
///
/// ```
/// use ivy_core::{FftOp, FftScale, host::HostArray};
/// let x = HostArray::from_vec(vec![1.0f32, 2.0, 3.0, 4.0], [4].into()).unwrap();
/// let half = ivy_kernels::fft::fft(FftOp::Real, 0, 4, FftScale::One, x.view())?;
/// let back = ivy_kernels::fft::fft(FftOp::RealInverse, 0, 4, FftScale::Full, half.view())?;
/// assert_eq!(back.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A dtype that the transform does not take, no points, or no memory.
pub fn fft(op: FftOp, axis: usize, n: usize, scale: FftScale, x: HostView) -> Result<HostArray> {
    let call = Op::Fft { op, axis, n, scale };
    let Some(dtype) = call.result_dtype(&[x.dtype()]).filter(|_| n > 0) else {
        return Err(refused(op.name(), x.dtype()));
    };
    let job = Job { op, axis, n, scale, dtype };
    match x.dtype() {
        Dtype::FLOAT32 => job.run::<f32, f32>(x),
        Dtype::FLOAT64 => job.run::<f64, f64>(x),
        Dtype::COMPLEX64 => job.run::<f32, Complex32>(x),
        Dtype::COMPLEX128 => job.run::<f64, Complex64>(x),
        Dtype::FLOAT16 | Dtype::BFLOAT16 => {
            let wide = elementwise::cast(x, Dtype::FLOAT32)?;
            let result = fft(op, axis, n, scale, wide.view())?;
            if result.dtype() == dtype { Ok(result) } else { elementwise::cast(result.view(), dtype) }
        }
        other => Err(refused(op.name(), other)),
    }
}

/// An element of a line.
trait Point<P>: Value {
    fn complex(self) -> Complex<P>;
    fn real(self) -> P;
}

macro_rules! points {
    ($($t:ty),*) => {$(
        impl Point<$t> for $t {
            fn complex(self) -> Complex<$t> { Complex::new(self, 0.0) }
            fn real(self) -> $t { self }
        }
        impl Point<$t> for Complex<$t> {
            fn complex(self) -> Complex<$t> { self }
            fn real(self) -> $t { self.re }
        }
    )*};
}
points!(f32, f64);

struct Job {
    op: FftOp,
    axis: usize,
    n: usize,
    scale: FftScale,
    dtype: Dtype,
}

impl Job {
    /// Leaves for want of memory where there is none for a plan and a line's work: the libraries have no
    /// way to say so. A length that is a large prime has one of its own, two to four times as long, of which
    /// a plan holds factors, and a line has a copy to be worked on.
    fn room<P>(&self) {
        let bytes = 16 * self.n as u128 * size_of::<Complex<P>>() as u128;
        scratch::probe(bytes).unwrap_or_else(|refused| scratch::refuse(refused));
    }

    fn run<P: Part, T: Point<P>>(&self, x: HostView) -> Result<HostArray>
    where
        Complex<P>: Value,
    {
        // Made by the first line, once the memory for the result is there.
        let plan = OnceLock::new();
        let plan = || {
            plan.get_or_init(|| {
                self.room::<P>();
                Plan::<P>::new(self.op, self.n)
            })
        };
        let divisor = match self.scale {
            FftScale::One => 1.0,
            FftScale::Root => (self.n as f64).sqrt(),
            FftScale::Full => self.n as f64,
        };
        let divisor = P::of(divisor);
        let (name, axis, n) = (self.op.name(), self.axis, self.n);
        match self.op {
            // SAFETY: each line of results is written whole by `put`.
            FftOp::Forward | FftOp::Inverse => unsafe {
                map_lines::<T, Complex<P>>(name, x, axis, n, self.dtype, |from, to| {
                    let mut line = padded(from, n, T::complex);
                    plan().complex(&mut line);
                    put(to, &line, |z| z.unscale(divisor));
                })
            },
            // SAFETY: each line of results is written whole by `put`.
            FftOp::Real => unsafe {
                map_lines::<T, Complex<P>>(name, x, axis, n / 2 + 1, self.dtype, |from, to| {
                    let mut line = padded(from, n, T::real);
                    put(to, &plan().real(&mut line), |z| z.unscale(divisor));
                })
            },
            // SAFETY: each line of results is written whole by `put`.
            FftOp::RealInverse => unsafe {
                map_lines::<T, P>(name, x, axis, n, self.dtype, |from, to| {
                    let mut line = padded(from, n / 2 + 1, T::complex);
                    put(to, &plan().real_inverse(&mut line), |x| x / divisor);
                })
            },
        }
    }
}

/// The first `n` elements, or all and zeros after them.
fn padded<T: Copy, U: Copy + Default>(from: &[T], n: usize, form: impl Fn(T) -> U) -> Vec<U> {
    let mut line: Vec<U> = scratch::vec(n);
    line.extend(from.iter().take(n).map(|&x| form(x)));
    line.resize(n, U::default());
    line
}

/// Writes a line of results.
fn put<T: Copy>(to: &mut [MaybeUninit<T>], line: &[T], scaled: impl Fn(T) -> T) {
    assert_eq!(to.len(), line.len());
    for (to, &x) in to.iter_mut().zip(line) {
        to.write(scaled(x));
    }
}
