//! Tests of the element-wise kernels.

mod dense;
mod digamma;
mod double;
mod functions;
mod goldens;
mod levels;
mod shapes;
mod truth;

use ivy_core::host::{Element, HostArray};

/// A one-dimensional array of the values.
fn array<T: Element>(values: &[T]) -> HostArray {
    HostArray::from_vec(values.to_vec(), values.len().into()).expect("the length is the shape's")
}

/// The bits of the 16-bit float nearest to `x`, ties to even, found by search over the values:
/// `infinity` is the bits of infinity and `beyond` the value that would stand there.
fn nearest16(x: f64, value: impl Fn(u16) -> f64, infinity: u16, beyond: f64) -> u16 {
    if x.is_nan() {
        return infinity + 1;
    }
    let at = |bits: u16| if bits == infinity { beyond } else { value(bits) };
    let (size, sign) = (x.abs(), u16::from(x.is_sign_negative()) << 15);
    let (mut low, mut high) = (0, infinity);
    if size >= beyond {
        return sign | infinity;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if at(middle) <= size { low = middle } else { high = middle }
    }
    let (below, above) = (size - at(low), at(high) - size);
    sign | if below < above || below == above && low % 2 == 0 { low } else { high }
}

fn nearest_f16(x: f64) -> u16 {
    nearest16(x, |b| half::f16::from_bits(b).to_f64(), 0x7c00, 65536.0)
}

fn nearest_bf16(x: f64) -> u16 {
    nearest16(x, |b| half::bf16::from_bits(b).to_f64(), 0x7f80, 2f64.powi(128))
}
