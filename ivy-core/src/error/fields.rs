//! An error's variant and fields as text, for programs that read `--json` and for bindings.

use crate::{Dtype, DtypeSet, Dtypes, ErrorKind, Rules, Scalar, Shape};

/// A field of an error, as text.
trait FieldText {
    fn text(&self) -> Option<String>;
}

macro_rules! displayed {
    ($($t:ty),*) => {
        $(impl FieldText for $t {
            fn text(&self) -> Option<String> {
                Some(self.to_string())
            }
        })*
    };
}
displayed!(
    String,
    &'static str,
    Dtype,
    DtypeSet,
    Rules,
    Scalar,
    Shape,
    i64,
    i128,
    u64,
    u128,
    usize,
    std::io::Error,
    Box<dyn std::error::Error + Send + Sync>
);

impl<T: FieldText> FieldText for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref().and_then(T::text)
    }
}

impl<T: std::fmt::Display> FieldText for Vec<T> {
    fn text(&self) -> Option<String> {
        Some(self.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
    }
}

impl FieldText for Dtypes {
    fn text(&self) -> Option<String> {
        Some(self.iter().map(|d| d.name()).collect::<Vec<_>>().join(", "))
    }
}

/// The field `function` of a variant whose first field that is.
macro_rules! function_field {
    ($field:ident, function) => {
        Some($field)
    };
    ($field:ident, $name:ident) => {{
        let _ = $field;
        None
    }};
}

macro_rules! describe_variants {
    ($($variant:ident { $first:ident $(, $field:ident)* },)*) => {
        impl ErrorKind {
            /// The variant's name, such as `UnknownDtype`.
            pub fn name(&self) -> &'static str {
                match self { $(ErrorKind::$variant { .. } => stringify!($variant),)* }
            }

            /// The fields that are there, by name, as text.
            pub fn fields(&self) -> Vec<(&'static str, String)> {
                let all: Vec<(&'static str, Option<String>)> = match self {
                    $(ErrorKind::$variant { $first $(, $field)* } => {
                        vec![(stringify!($first), $first.text()) $(, (stringify!($field), $field.text()))*]
                    })*
                };
                all.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
            }

            /// The name of the function called, in the variants that have it.
            pub(crate) fn function_mut(&mut self) -> Option<&mut &'static str> {
                match self {
                    $(ErrorKind::$variant { $first, .. } => function_field!($first, $first),)*
                }
            }
        }
    };
}
impl ErrorKind {
    /// Names the argument or operand that is to blame anew, in the variants that have it.
    pub(crate) fn rename_argument(&mut self, name: impl FnOnce(&str) -> Option<&'static str>) {
        match self {
            ErrorKind::ShapeMismatch { argument, .. }
            | ErrorKind::DtypeMismatch { argument, .. }
            | ErrorKind::InvalidArgument { argument, .. }
            | ErrorKind::TracedRead { argument, .. } => *argument = name(argument).unwrap_or(argument),
            ErrorKind::OutsideDomain { operand, .. } | ErrorKind::ImplicitCast { operand, .. } => {
                *operand = name(operand).unwrap_or(operand);
            }
            ErrorKind::FrontendCall { argument, .. } => {
                if let Some(name) = name(argument) {
                    *argument = name.into();
                }
            }
            _ => {}
        }
    }
}

describe_variants! {
    UnknownDtype { name, hint, backend },
    WrongDtypeKind { function, dtype, expected },
    UnknownBackend { name, known, remedy },
    BackendUnavailable { name, reason, remedy },
    UnknownFunction { name, hint },
    NoPromotion { function, left, right, rules, remedy },
    OutsideDomain { function, operand, dtype, allowed, remedy },
    UnsupportedDtype { function, dtypes, backend, version, reason, supported, remedy },
    ImplicitCast { function, operand, from, to, rule, remedy },
    DtypeNotStored { function, dtype, backend, version, remedy },
    BackendMismatch { function, left, right },
    CastRefused { function, from, to, rule, remedy },
    BroadcastShapes { function, shapes },
    ShapeMismatch { function, argument, expected, actual },
    DtypeMismatch { function, argument, expected, actual },
    VariableChanged { function, variable, before, before_shape, after, after_shape },
    AxisOutOfRange { function, axis, ndim },
    RepeatedAxis { function, axis, ndim },
    ScalarOutOfRange { function, value, dtype, min, max },
    IndexOutOfRange { function, index, axis, length, position },
    EmptyReduction { function, shape },
    SizeOverflow { function, shape, dtype },
    MemoryLimit { function, bytes, limit },
    InvalidArgument { function, argument, value, rule },
    TracedRead { function, argument },
    NotTransformable { function, transformation, reason, remedy },
    MalformedTable { file, line, key, rule },
    Malformed { path, offset, rule },
    Io { path, source },
    Interrupted { function },
    SingularMatrix { function, batch },
    NotPositiveDefinite { function, batch },
    NotConverged { function, batch, reason },
    FrontendCall { function, frontend, argument, value, rule, remedy, fault },
    FrontendName { frontend, name, nearest, remedy },
    FrontendVersion { frontend, version, known },
    BackendFailure { function, backend, version, dtypes, source },
}
