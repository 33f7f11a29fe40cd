//! Floats to integers: truncated, out-of-range values saturated, NaN as 0. What `as` does, in a
//! form that becomes vector code: `as` checks every element by itself.

/// An integer that floats convert to, truncating and saturating; NaN gives 0.
pub trait Saturating: Copy {
    /// Of a float32.
    fn from_f32(x: f32) -> Self;
    /// Of a float64.
    fn from_f64(x: f64) -> Self;
}

macro_rules! saturate {
    ($t:ident by $middle:ident: $($name:ident $f:ident, $above:expr, $greatest:expr;)*) => {
        impl Saturating for $t {
            $(
                #[inline(always)]
                fn $name(x: $f) -> $t {
                    const LEAST: $f = $t::MIN as $f;
                    // The greatest float that truncates to a value of the type.
                    const GREATEST: $f = $greatest;
                    let bounded = if x > LEAST { x } else { LEAST };
                    let bounded = if bounded < GREATEST { bounded } else { GREATEST };
                    // SAFETY: a number between the bounds, both of which convert.
                    let inside = unsafe { bounded.to_int_unchecked::<$middle>() } as $t;
                    let y = if $above(x) { $t::MAX } else { inside };
                    if x.is_nan() { 0 } else { y }
                }
            )*
        }
    };
}

/// Types whose bounds the float type holds.
macro_rules! fitting {
    ($($t:ident)*) => {$(
        saturate! { $t by i32:
            from_f32 f32, |_| false, $t::MAX as f32;
            from_f64 f64, |_| false, $t::MAX as f64;
        }
    )*};
}
fitting!(i8 i16 u8 u16);
saturate! { i32 by i32:
    from_f32 f32, |x| x >= 2147483648.0, 2147483520.0;
    from_f64 f64, |_| false, 2147483647.0;
}
saturate! { u32 by u32:
    from_f32 f32, |x| x >= 4294967296.0, 4294967040.0;
    from_f64 f64, |_| false, 4294967295.0;
}
saturate! { i64 by i64:
    from_f32 f32, |x| x >= 9223372036854775808.0, 9223371487098961920.0;
    from_f64 f64, |x| x >= 9223372036854775808.0, 9223372036854774784.0;
}
saturate! { u64 by u64:
    from_f32 f32, |x| x >= 18446744073709551616.0, 18446742974197923840.0;
    from_f64 f64, |x| x >= 18446744073709551616.0, 18446744073709549568.0;
}
