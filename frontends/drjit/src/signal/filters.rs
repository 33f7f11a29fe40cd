//! Filters and boundaries of `resample` and `convolve`.

use std::f64::consts::PI;
use std::fmt;
use std::sync::Arc;

/// A filter: what an element counts at a distance.
#[derive(Clone, Default)]
pub enum Filter {
    /// Those within half an element.
    Box,
    /// A tent of one element on either side.
    Linear,
    /// A sharper tent: a cardinal sine in R. Hamming's window, for smaller sizes.
    Hamming,
    /// R. Keys's cubic (1981) with `a = -0.5`, of two elements on either side.
    #[default]
    Cubic,
    /// A cardinal sine in C. Lanczos's window, of three elements on either side.
    Lanczos,
    /// A normal distribution with a deviation of half an element, cut after four of them.
    Gaussian,
    /// A function of the distance, and the distance from which on it is 0.
    Custom(Arc<dyn Fn(f64) -> f64 + Send + Sync>, f64),
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Filter::Box => "Box",
            Filter::Linear => "Linear",
            Filter::Hamming => "Hamming",
            Filter::Cubic => "Cubic",
            Filter::Lanczos => "Lanczos",
            Filter::Gaussian => "Gaussian",
            Filter::Custom(_, radius) => return write!(f, "Custom(_, {radius})"),
        })
    }
}

/// The cardinal sine.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

impl Filter {
    /// The distance from which on it is 0.
    pub fn radius(&self) -> f64 {
        match self {
            Filter::Box => 0.5,
            Filter::Linear | Filter::Hamming => 1.0,
            Filter::Cubic | Filter::Gaussian => 2.0,
            Filter::Lanczos => 3.0,
            Filter::Custom(_, radius) => *radius,
        }
    }

    pub(super) fn at(&self, x: f64) -> f64 {
        let far = x.abs();
        if let Filter::Custom(function, _) = self {
            return function(x);
        }
        if far > self.radius() {
            return 0.0;
        }
        match self {
            // Of two at the same distance, the one behind.
            Filter::Box => f64::from(x > -0.5),
            Filter::Linear => 1.0 - far,
            Filter::Hamming => sinc(x) * (0.54 + 0.46 * (PI * x).cos()),
            Filter::Cubic if far < 1.0 => (1.5 * far - 2.5) * far * far + 1.0,
            Filter::Cubic => ((-0.5 * far + 2.5) * far - 4.0) * far + 2.0,
            Filter::Lanczos => sinc(x) * sinc(x / 3.0),
            // Without a step at its end.
            _ => ((-2.0 * x * x).exp() - (-8f64).exp()).max(0.0),
        }
    }
}

/// What stands beyond the ends of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// Nothing.
    #[default]
    Zero,
    /// The element at the end.
    Nearest,
    /// The elements from the other end.
    Wrap,
    /// The elements in the other direction, that at the end twice.
    Reflect,
    /// The elements in the other direction, that at the end once.
    Mirror,
}

impl Boundary {
    /// The element of an axis for a number that may be beyond its ends; `None` for nothing.
    pub(super) fn place(self, number: i64, len: usize) -> Option<usize> {
        let n = len as i64;
        let place = match self {
            Boundary::Zero => Some(number).filter(|number| (0..n).contains(number))?,
            Boundary::Nearest => number.clamp(0, n - 1),
            Boundary::Wrap => number.rem_euclid(n),
            Boundary::Reflect => {
                let turn = number.rem_euclid(2 * n);
                turn.min(2 * n - 1 - turn)
            }
            Boundary::Mirror if n == 1 => 0,
            Boundary::Mirror => {
                let turn = number.rem_euclid(2 * n - 2);
                turn.min(2 * n - 2 - turn)
            }
        };
        usize::try_from(place).ok()
    }
}
