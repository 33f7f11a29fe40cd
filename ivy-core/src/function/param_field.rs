//! The types that keyword arguments can have, and how they are made of the values that bindings hand over.

use super::params::{Axes, ParamValue};
use crate::{Array, Dtype, Scalar, Shape, backend::Device};
use std::fmt;

/// A type that parameters can have.
pub trait ParamField: Clone + fmt::Debug + Send + Sync + 'static {
    /// What its values are, for the error of another one.
    const RULE: &'static str = "not a value of this keyword argument's type";

    /// The values, as Python annotates them.
    const TYPE: &'static str;

    /// Whether it may be left out, which Python writes as `None`.
    const OPTIONAL: bool = false;

    /// The value, if it is of this type.
    fn from_value(value: ParamValue) -> Option<Self>;

    /// The error for a name that nothing has, if the value is one.
    fn unknown(_: &ParamValue) -> Option<crate::Error> {
        None
    }

    /// See [`Params::variant`](super::Params::variant).
    fn variant(&self) -> u64 {
        0
    }

    /// The dtype, for fields that are one.
    fn as_dtype(&self) -> Option<Dtype> {
        None
    }

    /// The function whose rules of dtypes a call follows, for fields that name one. Such a field's `variant` differs
    /// for each.
    fn as_function(&self) -> Option<&'static super::Function> {
        None
    }

    /// The device, for fields that are one.
    fn as_device(&self) -> Option<Device> {
        None
    }

    /// The array, for fields that hold one.
    fn as_array(&self) -> Option<&Array> {
        None
    }
}

macro_rules! param_fields {
    ($($t:ty = $type:literal, $rule:literal: $pattern:pat => $value:expr;)*) => {
        $(impl ParamField for $t {
            const RULE: &'static str = $rule;
            const TYPE: &'static str = $type;

            fn from_value(value: ParamValue) -> Option<Self> {
                match value { $pattern => $value, _ => None }
            }
        })*
    };
}
param_fields! {
    i64 = "int", "a whole number is needed": ParamValue::Int(i) => Some(i);
    usize = "int", "a whole number is needed, not a negative one": ParamValue::Int(i) => usize::try_from(i).ok();
    String = "str", "a word is needed": ParamValue::Text(s) => Some(s);
}

impl ParamField for Scalar {
    const TYPE: &'static str = "complex";
    const RULE: &'static str = "a number or a truth value is needed";

    fn from_value(value: ParamValue) -> Option<Scalar> {
        match value {
            ParamValue::Scalar(s) => Some(s),
            ParamValue::Bool(b) => Some(b.into()),
            ParamValue::Int(i) => Some(i.into()),
            ParamValue::Float(x) => Some(x.into()),
            // As for `f64`.
            ParamValue::Array(x) if x.size() == 1 => x.to_scalar().ok(),
            _ => None,
        }
    }
}

impl ParamField for Device {
    const TYPE: &'static str = "str";
    const RULE: &'static str = "a device is needed: cpu, cuda or metal, with an optional `:NUMBER`";

    fn from_value(value: ParamValue) -> Option<Device> {
        match value {
            ParamValue::Device(d) => Some(d),
            ParamValue::Text(name) => name.parse().ok(),
            _ => None,
        }
    }

    fn as_device(&self) -> Option<Device> {
        Some(*self)
    }
}

impl ParamField for f64 {
    const TYPE: &'static str = "float | Array";
    const RULE: &'static str = "a number is needed";

    fn from_value(value: ParamValue) -> Option<f64> {
        match value {
            ParamValue::Float(x) => Some(x),
            ParamValue::Int(i) => Some(i as f64),
            // Of an array the element is read; one that is transformed has none, and is refused by name.
            ParamValue::Array(x) if x.size() == 1 && !x.dtype().is_complex() => {
                x.to_scalar().ok().map(|scalar| scalar.to_f64())
            }
            _ => None,
        }
    }
}

impl ParamField for bool {
    const TYPE: &'static str = "bool";
    const RULE: &'static str = "a truth value is needed";

    fn from_value(value: ParamValue) -> Option<bool> {
        match value {
            ParamValue::Bool(b) => Some(b),
            _ => None,
        }
    }

    fn variant(&self) -> u64 {
        u64::from(*self)
    }
}

impl ParamField for Dtype {
    const TYPE: &'static str = "DtypeLike";
    const RULE: &'static str = "a dtype is needed";

    fn from_value(value: ParamValue) -> Option<Dtype> {
        match value {
            ParamValue::Dtype(d) => Some(d),
            ParamValue::Text(name) => name.parse().ok(),
            _ => None,
        }
    }

    fn unknown(value: &ParamValue) -> Option<crate::Error> {
        match value {
            ParamValue::Text(name) => name.parse::<Dtype>().err(),
            _ => None,
        }
    }

    fn as_dtype(&self) -> Option<Dtype> {
        Some(*self)
    }
}

impl ParamField for Axes {
    const TYPE: &'static str = "int | Sequence[int]";
    const RULE: &'static str = "a whole number, or several, is needed";

    fn from_value(value: ParamValue) -> Option<Axes> {
        match value {
            ParamValue::Int(i) => Some(i.into()),
            ParamValue::Ints(v) => Some(v.into()),
            _ => None,
        }
    }
}

impl ParamField for Shape {
    const TYPE: &'static str = "int | Sequence[int]";
    const RULE: &'static str = "lengths are needed, none of them negative";

    fn from_value(value: ParamValue) -> Option<Shape> {
        let of = |i: i64| usize::try_from(i).ok();
        match value {
            ParamValue::Int(i) => of(i).map(Shape::from),
            ParamValue::Ints(v) => v.into_iter().map(of).collect(),
            _ => None,
        }
    }
}

impl<T: ParamField> ParamField for Option<T> {
    const RULE: &'static str = T::RULE;
    const TYPE: &'static str = T::TYPE;
    const OPTIONAL: bool = true;

    fn from_value(value: ParamValue) -> Option<Option<T>> {
        match value {
            ParamValue::None => Some(None),
            other => T::from_value(other).map(Some),
        }
    }

    fn unknown(value: &ParamValue) -> Option<crate::Error> {
        T::unknown(value)
    }

    fn variant(&self) -> u64 {
        self.as_ref().map_or(0, |v| 1 + v.variant())
    }

    fn as_dtype(&self) -> Option<Dtype> {
        self.as_ref().and_then(T::as_dtype)
    }

    fn as_device(&self) -> Option<Device> {
        self.as_ref().and_then(T::as_device)
    }

    fn as_array(&self) -> Option<&Array> {
        self.as_ref().and_then(T::as_array)
    }
}
