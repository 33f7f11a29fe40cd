//! Row D-13: operands that are read where they are, and operands that are taken.

use super::on_both;
use ivy_drjit::llvm::ad;
use ivy_drjit::llvm::{Array2f, Bool, Complex2f, Float, Int, TensorXf, UInt};
use ivy_drjit::{self as dr, AnyArray, Arg, IntoArg, enable_grad};

/// An argument that has to be taken, as those of other crates may.
struct Taken(Arg);

impl IntoArg for Taken {
    fn into_arg(self) -> Arg {
        self.0
    }
}

/// A function of operands that are read where they are, and of taken ones.
type Forms = (&'static str, fn(Arg, Arg) -> dr::Result<AnyArray>, fn(Taken, Taken) -> dr::Result<AnyArray>);

macro_rules! forms {
    ($($name:ident)*) => {
        [$((stringify!($name), |x, y| dr::$name(x, y), |x, y| dr::$name(x, y))),*]
    };
}

const FUNCTIONS: [Forms; 25] = forms! {
    add subtract multiply divide floor_divide remainder left_shift right_shift bitwise_and bitwise_or bitwise_xor
    minimum maximum fmin fmax atan2 copysign hypot mul_hi eq neq lt le gt ge
};

/// The type, the elements and whether there are gradients; or the error.
fn text(result: dr::Result<AnyArray>) -> String {
    match result {
        Ok(x) => format!("{} {} {x}", x.ty(), dr::grad_enabled(&x)),
        Err(error) => error.to_string(),
    }
}

#[test]
fn d_13_operands_by_reference_are_as_taken_ones() {
    on_both(|| {
        let with_gradients = enable_grad(&ad::Float::new([0.5, 2.0])?)?;
        let operands: Vec<Arg> = vec![
            Float::new([1.5, -2.0])?.into_arg(),
            Float::new([3.0])?.into_arg(),
            Float::new([1, 2, 3])?.into_arg(),
            Int::new([7, -7])?.into_arg(),
            UInt::new([7, 2])?.into_arg(),
            Bool::new([true, false])?.into_arg(),
            ad::Float::new([4.0, 0.25])?.into_arg(),
            with_gradients.into_arg(),
            Array2f::new([[1, 2], [3, 4]])?.into_arg(),
            Complex2f::new([1, 2])?.into_arg(),
            TensorXf::TYPE.make_tensor([1, 2, 3, 4], &[2, 2])?.into_arg(),
            TensorXf::new([1, 2, 3])?.into_arg(),
            2.into_arg(),
            0.5.into_arg(),
            true.into_arg(),
            [1, 2].into_arg(),
        ];
        let mut results = 0;
        for left in &operands {
            for right in &operands {
                for (name, read, taken) in FUNCTIONS {
                    let got = text(read(left.clone(), right.clone()));
                    let want = text(taken(Taken(left.clone()), Taken(right.clone())));
                    assert_eq!(got, want, "{name} of {left:?} and {right:?}");
                    results += usize::from(got.starts_with("drjit.llvm"));
                }
            }
        }
        assert!(results > 1000, "{results} calls have results");
        Ok(())
    });
}
