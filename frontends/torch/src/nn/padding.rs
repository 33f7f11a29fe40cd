//! Padding layers.

use super::functions::stored_module;
use super::stored::Stored;
use super::{Forward, Module, Part, PartMut};
use crate::{Keywords, Tensor, Value};
use ivy_core::Result;

/// As many elements on each side of so many axes as a number or a tuple says.
fn sides(padding: Value<'_>, axes: usize) -> Value<'_> {
    match padding {
        Value::Int(n) => Value::Tuple(vec![Value::Int(n); 2 * axes]),
        other => other,
    }
}

macro_rules! paddings {
    ($($(#[$doc:meta])* $name:ident $axes:literal $mode:literal ($($value:ident)?);)*) => {$(
        $(#[$doc])*
        ///
        /// The padding is a number of elements, or a tuple of two for each axis, the last axis first.
        #[derive(Clone, Debug)]
        pub struct $name(Stored);
        stored_module!($name);

        impl $name {
            /// The module.
            ///
            /// # Errors
            /// None; what no padding is is refused when the module is called.
            pub fn new<'a>(padding: impl Into<Value<'a>> $(, $value: impl Into<Value<'static>>)?) -> Result<$name> {
                let class = concat!("nn.", stringify!($name));
                let usual = [("mode", Value::from($mode)) $(, (stringify!($value), $value.into()))?];
                let padding = sides(padding.into(), $axes);
                Stored::new(class, "nn.functional.pad", vec![padding], Keywords::new(), &usual).map($name)
            }
        }

        impl Forward for $name {
            fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
                self.0.call([input])
            }
        }
    )*};
}
paddings! {
    /// 1-D padding with a value.
    ConstantPad1d 1 "constant" (value);
    /// 2-D padding with a value.
    ConstantPad2d 2 "constant" (value);
    /// 3-D padding with a value.
    ConstantPad3d 3 "constant" (value);
    /// 1-D padding with zeros.
    ZeroPad1d 1 "constant" ();
    /// 2-D padding with zeros.
    ZeroPad2d 2 "constant" ();
    /// 3-D padding with zeros.
    ZeroPad3d 3 "constant" ();
    /// 1-D padding with the reflection of the input.
    ReflectionPad1d 1 "reflect" ();
    /// 2-D padding with the reflection of the input.
    ReflectionPad2d 2 "reflect" ();
    /// 3-D padding with the reflection of the input.
    ReflectionPad3d 3 "reflect" ();
    /// 1-D padding with the elements at the boundary.
    ReplicationPad1d 1 "replicate" ();
    /// 2-D padding with the elements at the boundary.
    ReplicationPad2d 2 "replicate" ();
    /// 3-D padding with the elements at the boundary.
    ReplicationPad3d 3 "replicate" ();
    /// 1-D padding with the other end of the input.
    CircularPad1d 1 "circular" ();
    /// 2-D padding with the other end of the input.
    CircularPad2d 2 "circular" ();
    /// 3-D padding with the other end of the input.
    CircularPad3d 3 "circular" ();
}
