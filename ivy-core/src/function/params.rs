//! Keyword arguments: one struct a function, made by the `params!` macro, and the object-safe
//! view of it that plans, printing and bindings use.

use super::param_field::ParamField;
use crate::{Array, Dims, Dtype, ErrorKind, Result, Scalar, Shape, backend::Device, transform};
use std::{any::Any, fmt};

/// A function's parameters, seen without their type.
pub trait Params: Any + Send + Sync + fmt::Debug {
    /// The parameters as `Any`.
    fn as_any(&self) -> &dyn Any;

    /// The `dtype=` parameter, where there is one and it is given.
    fn dtype(&self) -> Option<Dtype> {
        None
    }

    /// The `device=` parameter, where there is one and it is given.
    fn device(&self) -> Option<Device> {
        None
    }

    /// The function whose rules of dtypes the call follows, where a parameter chooses one.
    fn follows(&self) -> Option<&'static super::Function> {
        None
    }

    /// A small number that differs where the parameters make a composition call other
    /// functions: flags, and which options are given.
    fn variant(&self) -> u64 {
        0
    }

    /// The arrays among the parameters ([`Coefficient`](super::Coefficient)): they are operands in all but their dtypes.
    fn arrays(&self) -> Vec<&Array> {
        Vec::new()
    }

    /// Whether they ask for more than the function's op has, so that the call is one of other functions
    /// ([`Function::extended`](super::Function)): a field that says so is given, or a derivative is taken by a
    /// [`Coefficient`](super::Coefficient), or a function mapped by it.
    fn extends(&self) -> bool {
        self.arrays().into_iter().any(super::is_traced)
    }

    /// Names and printed values, in the order of the signature.
    fn fields(&self) -> Vec<(&'static str, String)>;

    /// Names, the values as Python annotates them, and whether they may be left out as `None`.
    fn types(&self) -> Vec<(&'static str, &'static str, bool)>;

    /// Sets a parameter by name, for bindings.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for an unknown name or a value of another type.
    fn set(&mut self, function: &'static str, name: &str, value: ParamValue) -> Result<()>;
}

/// A parameter's value, as bindings hand it over.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ParamValue {
    /// Not given.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A list of integers.
    Ints(Vec<i64>),
    /// Lists of integers.
    IntLists(Vec<Vec<i64>>),
    /// A list of host scalars, not all of them integers.
    Scalars(Vec<Scalar>),
    /// Lists of host scalars, not all of them integers.
    ScalarLists(Vec<Vec<Scalar>>),
    /// A word.
    Text(String),
    /// A dtype.
    Dtype(Dtype),
    /// A host scalar.
    Scalar(Scalar),
    /// A device.
    Device(Device),
    /// Integers by name.
    Named(Vec<(String, i64)>),
    /// An array, for parameters that a derivative can be taken by.
    Array(Array),
}

impl fmt::Display for ParamValue {
    /// As a program would write it, near enough for errors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::None => f.write_str("none"),
            ParamValue::Bool(b) => b.fmt(f),
            ParamValue::Int(i) => i.fmt(f),
            ParamValue::Float(x) => x.fmt(f),
            ParamValue::Ints(list) => write!(f, "{list:?}"),
            ParamValue::IntLists(lists) => write!(f, "{lists:?}"),
            ParamValue::Scalars(list) => f.write_str(&listed(list)),
            ParamValue::ScalarLists(lists) => {
                write!(f, "[{}]", lists.iter().map(|list| listed(list)).collect::<Vec<_>>().join(", "))
            }
            ParamValue::Text(text) => write!(f, "{text:?}"),
            ParamValue::Dtype(dtype) => dtype.fmt(f),
            ParamValue::Scalar(scalar) => scalar.fmt(f),
            ParamValue::Device(device) => device.fmt(f),
            ParamValue::Named(pairs) => {
                let pair = |(name, value): &(String, i64)| format!("{name}={value}");
                f.write_str(&pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            ParamValue::Array(x) => write!(f, "an array of {} and shape {}", x.dtype(), x.shape()),
        }
    }
}

fn listed(list: &[Scalar]) -> String {
    format!("[{}]", list.iter().map(Scalar::to_string).collect::<Vec<_>>().join(", "))
}

/// One or several axes; negative ones count from the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Axes(pub Dims<i64>);

impl From<i64> for Axes {
    fn from(axis: i64) -> Axes {
        Axes(Dims::from_slice(&[axis]))
    }
}

impl<const N: usize> From<[i64; N]> for Axes {
    fn from(axes: [i64; N]) -> Axes {
        Axes(Dims::from_slice(&axes))
    }
}

impl From<&[i64]> for Axes {
    fn from(axes: &[i64]) -> Axes {
        Axes(Dims::from_slice(axes))
    }
}

impl From<&Shape> for Axes {
    /// The lengths as numbers, for parameters that also take -1.
    fn from(shape: &Shape) -> Axes {
        Axes(shape.iter().map(|&d| i64::try_from(d).unwrap_or(i64::MAX)).collect())
    }
}

impl From<Shape> for Axes {
    fn from(shape: Shape) -> Axes {
        Axes::from(&shape)
    }
}

impl From<Vec<i64>> for Axes {
    fn from(axes: Vec<i64>) -> Axes {
        Axes(Dims::from_vec(axes))
    }
}

/// The parameters as their own type. The dispatcher pairs them by construction.
pub(super) fn downcast<'a, T: Params>(params: &'a dyn Params, function: &'static str) -> &'a T {
    match params.as_any().downcast_ref() {
        Some(params) => params,
        None => unreachable!("{function} was called with another function's parameters"),
    }
}

/// For functions without keyword arguments.
impl Params for () {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn types(&self) -> Vec<(&'static str, &'static str, bool)> {
        Vec::new()
    }

    fn set(&mut self, function: &'static str, name: &str, _: ParamValue) -> Result<()> {
        Err(unknown_parameter(function, name))
    }
}

/// The name of a field: without the mark of those whose name is also a word of Rust.
pub fn field_name(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// The error for a keyword argument that a function does not have.
pub fn unknown_parameter(function: &'static str, name: &str) -> crate::Error {
    let rule = "the function has no such keyword argument";
    ErrorKind::InvalidArgument { function, argument: "keyword", value: name.into(), rule }.into()
}

/// The error for a value that a keyword argument, a `T`, cannot have.
pub fn wrong_parameter<T: ParamField>(
    function: &'static str,
    argument: &'static str,
    value: &ParamValue,
) -> crate::Error {
    if let ParamValue::Array(x) = value
        && let Err(error) = transform::check_constant(function, argument, x)
    {
        return error;
    }
    let unfit = || ErrorKind::InvalidArgument { function, argument, value: value.to_string(), rule: T::RULE };
    T::unknown(value).unwrap_or_else(|| unfit().into())
}

/// Declares a parameter struct: `new`, `Default`, a setter for each field and [`Params`].
///
/// A field is `flag name` (false, set without argument), `name: Type = default` with `Type` or
/// `Option<Type>` (setters of options take the inner type), or `operand name`: an optional
/// operand that users give as a keyword. The function moves that one among its operands; it is
/// no parameter of the description, and [`Params`] does not show it. `extended` before a flag or an
/// option says that the function's op does not have it ([`Params::extends`]).
///
/// ```ignore
/// params! {
///     /// Keyword arguments of [`sum`].
///     pub struct Sum {
///         /// Axes to reduce; all if not given.
///         axis: Option<Axes> = None,
///         /// Keep reduced axes with length 1.
///         flag keepdims,
///     }
/// }
/// ```
#[macro_export]
macro_rules! params {
    ($(#[$meta:meta])* pub struct $name:ident { $($body:tt)* }) => {
        $crate::params!(@munch [$(#[$meta])*] $name [] [] [] $($body)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$($fields:tt)*] [$($operands:tt)*] [$($setters:tt)*]
        $(#[$doc:meta])* operand $field:ident, $($rest:tt)*) => {
        $crate::params!(@munch [$($meta)*] $name [$($fields)*]
            [$($operands)* ([$(#[$doc])*] $field)]
            [$($setters)*
                $(#[$doc])*
                #[must_use]
                pub fn $field<'a>(mut self, $field: impl $crate::IntoOperand<'a>) -> Self {
                    self.$field = $crate::IntoOperand::into_operand($field).into_owned();
                    self
                }
            ] $($rest)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$($fields:tt)*] [$($operands:tt)*] [$($setters:tt)*]
        $(#[$doc:meta])* extended flag $field:ident, $($rest:tt)*) => {
        $crate::params!(@munch [$($meta)*] $name
            [$($fields)* ([$(#[$doc])*] $field, bool, false, true)] [$($operands)*]
            [$($setters)*
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self) -> Self { self.$field = true; self }
            ] $($rest)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$($fields:tt)*] [$($operands:tt)*] [$($setters:tt)*]
        $(#[$doc:meta])* extended $field:ident: Option<$t:ty> = None, $($rest:tt)*) => {
        $crate::params!(@munch [$($meta)*] $name
            [$($fields)* ([$(#[$doc])*] $field, Option<$t>, None, true)] [$($operands)*]
            [$($setters)*
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$t>) -> Self { self.$field = Some($field.into()); self }
            ] $($rest)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$($fields:tt)*] [$($operands:tt)*] [$($setters:tt)*]
        $(#[$doc:meta])* flag $field:ident, $($rest:tt)*) => {
        $crate::params!(@munch [$($meta)*] $name
            [$($fields)* ([$(#[$doc])*] $field, bool, false, false)] [$($operands)*]
            [$($setters)*
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self) -> Self { self.$field = true; self }
            ] $($rest)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$($fields:tt)*] [$($operands:tt)*] [$($setters:tt)*]
        $(#[$doc:meta])* $field:ident: Option<$t:ty> = None, $($rest:tt)*) => {
        $crate::params!(@munch [$($meta)*] $name
            [$($fields)* ([$(#[$doc])*] $field, Option<$t>, None, false)] [$($operands)*]
            [$($setters)*
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$t>) -> Self { self.$field = Some($field.into()); self }
            ] $($rest)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$($fields:tt)*] [$($operands:tt)*] [$($setters:tt)*]
        $(#[$doc:meta])* $field:ident: $t:ty = $default:expr, $($rest:tt)*) => {
        $crate::params!(@munch [$($meta)*] $name
            [$($fields)* ([$(#[$doc])*] $field, $t, $default, false)] [$($operands)*]
            [$($setters)*
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$t>) -> Self { self.$field = $field.into(); self }
            ] $($rest)*);
    };
    (@munch [$($meta:tt)*] $name:ident [$(([$($doc:tt)*] $field:ident, $t:ty, $default:expr, $extended:expr))*]
        [$(([$($operand_doc:tt)*] $operand:ident))*] [$($setters:tt)*]) => {
        $($meta)*
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $name {
            $($($doc)* pub $field: $t,)*
            $($($operand_doc)* pub $operand: $crate::Operand<'static>,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* $($operand: $crate::Operand::Absent,)* }
            }
        }

        impl From<()> for $name {
            fn from((): ()) -> Self { Self::default() }
        }

        impl $name {
            /// The defaults.
            #[must_use]
            pub fn new() -> Self { Self::default() }
            $($setters)*
        }

        impl $crate::function::Params for $name {
            fn as_any(&self) -> &dyn std::any::Any { self }

            fn dtype(&self) -> Option<$crate::Dtype> {
                None $(.or_else(|| $crate::function::ParamField::as_dtype(&self.$field)))*
            }

            fn device(&self) -> Option<$crate::Device> {
                None $(.or_else(|| $crate::function::ParamField::as_device(&self.$field)))*
            }

            fn follows(&self) -> Option<&'static $crate::Function> {
                None $(.or_else(|| $crate::function::ParamField::as_function(&self.$field)))*
            }

            fn arrays(&self) -> Vec<&$crate::Array> {
                #[allow(unused_mut)]
                let mut arrays = Vec::new();
                $(arrays.extend($crate::function::ParamField::as_array(&self.$field));)*
                arrays
            }

            fn extends(&self) -> bool {
                false
                    $(|| $extended && $crate::function::ParamField::variant(&self.$field) != 0)*
                    || $crate::function::Params::arrays(self).into_iter().any($crate::function::is_traced)
            }

            fn variant(&self) -> u64 {
                let variant = 0u64;
                $(let variant = variant.wrapping_mul(31).wrapping_add($crate::function::ParamField::variant(&self.$field));)*
                variant
            }

            fn fields(&self) -> Vec<(&'static str, String)> {
                vec![$(($crate::function::field_name(stringify!($field)), format!("{:?}", self.$field)),)*]
            }

            fn types(&self) -> Vec<(&'static str, &'static str, bool)> {
                vec![$((
                    $crate::function::field_name(stringify!($field)),
                    <$t as $crate::function::ParamField>::TYPE,
                    <$t as $crate::function::ParamField>::OPTIONAL,
                ),)*]
            }

            fn set(&mut self, function: &'static str, name: &str, value: $crate::function::ParamValue) -> $crate::Result<()> {
                match (name, value) {
                    $((name, value) if name == $crate::function::field_name(stringify!($field)) => {
                        let given = value.clone();
                        self.$field = $crate::function::ParamField::from_value(value)
                            .ok_or_else(|| $crate::function::wrong_parameter::<$t>(function, $crate::function::field_name(stringify!($field)), &given))?;
                        Ok(())
                    })*
                    _ => Err($crate::function::unknown_parameter(function, name)),
                }
            }
        }
    };
}
