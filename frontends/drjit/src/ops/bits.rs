//! Functions of bits: counts, reversal, reinterpretation.

use super::{Domain, array, zip};
use crate::ad::Kernel;
use crate::array::{AnyArray, IntoArg, Leaf};
use crate::types::{ArrayType, VarType};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::host::Element;
use ivy_core::{Array, Dtype, Scalar};

type Core = ivy_core::Result<Array>;

/// A pattern of bits, cut to a width.
fn pattern(bits: u128, x: &Array) -> Scalar {
    Scalar::Int((bits & ((1u128 << x.dtype().bits()) - 1)) as i128)
}

fn shifted(x: &Array, by: usize) -> Core {
    f::bitwise_right_shift(x, by)
}

/// How many bits of unsigned integers are set, by sums in growing groups of bits.
fn count_ones(x: &Array) -> Core {
    let width = x.dtype().bits();
    let pairs = pattern(0x5555_5555_5555_5555, x);
    let fours = pattern(0x3333_3333_3333_3333, x);
    let eights = pattern(0x0f0f_0f0f_0f0f_0f0f, x);
    let x = f::subtract(x, f::bitwise_and(shifted(x, 1)?, pairs)?)?;
    let x = f::add(f::bitwise_and(&x, fours)?, f::bitwise_and(shifted(&x, 2)?, fours)?)?;
    let mut x = f::bitwise_and(f::add(&x, shifted(&x, 4)?)?, eights)?;
    let mut group = 8;
    while group < width {
        x = f::add(&x, shifted(&x, group)?)?;
        group *= 2;
    }
    f::bitwise_and(x, 0x7f)
}

/// All bits below the highest one that is set.
fn smeared(x: &Array) -> Core {
    let (mut x, mut by) = (x.clone(), 1);
    while by < x.dtype().bits() {
        x = f::bitwise_or(&x, shifted(&x, by)?)?;
        by *= 2;
    }
    Ok(x)
}

fn leading_zeros(x: &Array) -> Core {
    f::subtract(x.dtype().bits(), count_ones(&smeared(x)?)?)
}

fn trailing_zeros(x: &Array) -> Core {
    let below = f::bitwise_and(f::bitwise_invert(x)?, f::subtract(x, 1)?)?;
    count_ones(&below)
}

fn reversed(x: &Array) -> Core {
    let (width, mut x) = (x.dtype().bits(), x.clone());
    let mut by = width / 2;
    while by > 0 {
        // Ones where the lower half of each group stands.
        let lower = (0..width).filter(|i| i / by % 2 == 0).fold(0u128, |bits, i| bits | 1 << i);
        let lower = pattern(lower, &x);
        let up = f::bitwise_left_shift(f::bitwise_and(&x, lower)?, by)?;
        x = f::bitwise_or(up, f::bitwise_and(shifted(&x, by)?, lower)?)?;
        by /= 2;
    }
    Ok(x)
}

/// Does something with integers as unsigned ones, whose shifts bring zeros.
fn unsigned(function: &'static str, x: AnyArray, f: fn(&Array) -> Core) -> Result<AnyArray> {
    Domain::Ints.check(function, x.ty())?;
    let uint = VarType::int_of(x.ty().itemsize_v(), false).dtype();
    let kernel = Kernel::one(move |x| {
        let own = x[0].dtype();
        f::astype(f(&f::astype(&x[0], uint)?)?, own)
    });
    zip(function, x.ty(), &kernel, &[&x])
}

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident $f:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`Error::NotSupported`] for what are no integers.
            pub fn $name(x: impl IntoArg) -> Result<AnyArray> {
                unsigned(stringify!($name), array(stringify!($name), x.into_arg())?, $f)
            }
        )*
    };
}
bits! {
    /// How many bits are set.
    popcnt count_ones;
    /// How many bits above the highest one that is set; all of 0.
    lzcnt leading_zeros;
    /// How many bits below the lowest one that is set; all of 0.
    tzcnt trailing_zeros;
    /// The bits in the other order.
    brev reversed;
    /// The whole part of the logarithm to base 2: the number of the highest bit that is set.
    log2i |x| f::subtract(x.dtype().bits() - 1, leading_zeros(x)?);
}

/// The bits of a vector as elements of another type of the same width.
fn reinterpreted(x: &Array, to: Dtype) -> Core {
    macro_rules! from {
        ($($t:ty => $bits:expr;)*) => {
            match x.dtype() {
                $(d if d == <$t as Element>::DTYPE => x.to_vec::<$t>()?.into_iter().map($bits).collect::<Vec<u64>>(),)*
                _ => Vec::new(),
            }
        };
    }
    let bits = from! {
        i8 => |v| u64::from(v as u8); u8 => u64::from; i16 => |v| u64::from(v as u16); u16 => u64::from;
        i32 => |v| u64::from(v as u32); u32 => u64::from; i64 => |v| v as u64; u64 => |v| v;
        half::f16 => |v| u64::from(v.to_bits()); f32 => |v| u64::from(v.to_bits()); f64 => f64::to_bits;
    };
    macro_rules! to {
        ($($t:ty => $of:expr;)*) => {
            match to {
                $(d if d == <$t as Element>::DTYPE => {
                    Array::from_vec(bits.into_iter().map($of).collect::<Vec<$t>>(), x.shape().clone())
                })*
                _ => f::astype(x, to),
            }
        };
    }
    to! {
        i8 => |b| b as i8; u8 => |b| b as u8; i16 => |b| b as i16; u16 => |b| b as u16;
        i32 => |b| b as i32; u32 => |b| b as u32; i64 => |b| b as i64; u64 => |b| b;
        half::f16 => |b| half::f16::from_bits(b as u16); f32 => |b| f32::from_bits(b as u32); f64 => f64::from_bits;
    }
}

/// The same bits as elements of another type of the same width. The array is evaluated.
///
/// # Errors
/// [`Error::WrongType`] for elements of another width, or masks.
pub fn reinterpret_array(ty: ArrayType, x: impl IntoArg) -> Result<AnyArray> {
    let x = array("reinterpret_array", x.into_arg())?;
    let own = x.ty();
    if own.itemsize_v() != ty.itemsize_v() || own.is_mask_v() || ty.is_mask_v() {
        let (function, argument) = ("reinterpret_array", "the array");
        let expected = format!("an array of numbers of {} bytes", ty.itemsize_v());
        return Err(Error::WrongType { function, argument, expected, actual: own });
    }
    let target = own.with_dtype(ty.dtype());
    x.map_leaves_to(target, &mut |leaf| {
        let array = target.on(|| reinterpreted(&leaf.array, ty.dtype().dtype()))?;
        Ok(Leaf::new(array))
    })
}
