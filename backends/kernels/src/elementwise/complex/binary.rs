//! The kernel of each binary operation on complex dtypes.

use super::super::kernel::{Kernel, Map2, run2};
use super::{Cplx, power};
use crate::isa::Isa;
use crate::types::match_dtype;
use ivy_core::BinaryOp;
use ivy_core::Dtype;
use std::marker::PhantomData;

/// The kernel, or `None` if the operation does not take the dtype.
pub(in super::super) fn kernel(op: BinaryOp, dtype: Dtype) -> Option<Kernel<2>> {
    match_dtype!(dtype, complex, T => Some(match op {
        BinaryOp::Add => run2::<Add<T>>,
        BinaryOp::Subtract => run2::<Subtract<T>>,
        BinaryOp::Multiply => run2::<Multiply<T>>,
        BinaryOp::Divide => run2::<Divide<T>>,
        BinaryOp::Pow => run2::<Power<T>>,
        BinaryOp::Equal => run2::<Equal<T>>,
        BinaryOp::NotEqual => run2::<NotEqual<T>>,
        _ => return None,
    }), else => None)
}

macro_rules! ops {
    ($($level:ident $name:ident -> $out:ty: |$a:ident, $b:ident| $body:expr;)*) => {$(
        struct $name<T>(PhantomData<T>);
        impl<T: Cplx> Map2 for $name<T> {
            type In = T;
            type Out = $out;
            const TOP: Isa = Isa::$level;
            #[inline(always)]
            fn apply(a: T, b: T) -> $out {
                let ($a, $b) = (a.wide(), b.wide());
                $body
            }
        }
    )*};
}

ops! {
    Avx2 Add -> T: |a, b| T::narrow(a + b);
    Avx2 Subtract -> T: |a, b| T::narrow(a - b);
    Avx2 Multiply -> T: |a, b| T::narrow(power::multiply(a, b));
    Baseline Divide -> T: |a, b| T::narrow(power::divide(a, b));
    Baseline Power -> T: |a, b| T::narrow(power::pow(a, b));
    Avx2 Equal -> u8: |a, b| u8::from(a == b);
    Avx2 NotEqual -> u8: |a, b| u8::from(a != b);
}
