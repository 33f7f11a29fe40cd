//! The macros that make a function's description.

/// A static [`Function`](crate::Function), registered. The domain is the row of the function's
/// name in `dtype-tables/domains/`; a function without one does not compile.
///
/// ```ignore
/// describe! {
///     SUM = "sum", Statistical, Primary, (x: Promoted), Accumulate -> [Compute],
///     Bound::Sum, params: Sum::default(), example: [&[2, 2]], Body::Op(lower_sum)
/// }
/// ```
macro_rules! describe {
    (
        $static:ident = $name:expr, $category:ident, $kind:ident,
        ($($operand:ident: $role:ident $($optional:ident)?),* $(; $variadic:ident)?),
        $compute:ident -> [$($out:ident),*],
        $bound:expr, params: $params:expr, example: [$($example:expr),*], $body:expr
        $(, extended: $extended:expr)?
    ) => {
        pub(crate) static $static: $crate::Function = $crate::Function {
            name: $name,
            category: $crate::function::Category::$category,
            kind: $crate::function::FunctionKind::$kind,
            operands: &[$($crate::function::OperandInfo {
                name: stringify!($operand),
                role: $crate::function::Role::$role,
                optional: describe!(@optional $($optional)?),
            }),*],
            variadic: describe!(@variadic $($variadic)?),
            domain: match $crate::function::find_domain($name) {
                Some(domain) => domain,
                None => panic!("dtype-tables/domains has no row for this function"),
            },
            compute: $crate::function::ComputeRule::$compute,
            outputs: &[$($crate::function::OutRule::$out),*],
            bound: $bound,
            params: || Box::new($params),
            example: &[$($example),*],
            body: $body,
            extended: describe!(@extended $($extended)?),
        };
        inventory::submit! { $crate::function::Entry(&$static) }
    };
    (@extended) => { None };
    (@extended $extended:expr) => { Some($extended) };
    (@optional) => { false };
    (@optional optional) => { true };
    (@variadic) => { false };
    (@variadic variadic) => { true };
}

/// The words that a keyword argument may be, and what each stands for.
macro_rules! param_words {
    ($name:ident: $first:literal => $one:ident $(, $word:literal => $other:ident)*) => {
        impl $crate::function::ParamField for $name {
            const RULE: &'static str = concat!("one of ", $first $(, ", ", $word)*);
            const TYPE: &'static str = concat!("Literal[\"", $first, "\"" $(, ", \"", $word, "\"")*, "]");

            fn from_value(value: $crate::function::ParamValue) -> Option<$name> {
                let $crate::function::ParamValue::Text(word) = value else { return None };
                match &*word {
                    $first => Some($name::$one),
                    $($word => Some($name::$other),)*
                    _ => None,
                }
            }

            fn variant(&self) -> u64 {
                *self as u64
            }
        }
    };
}

/// Element-wise functions of one operand: description and function in one. A row with a static, a second function,
/// its parameters and a composition is of a function with keyword arguments, which its op does not have.
macro_rules! elementwise_unary {
    ($($(#[$doc:meta])* $name:ident = $op:ident: $compute:ident -> $out:ident, $bound:expr
        $(, $static:ident: $with:ident($params:ident) = $extended:path)?;)*) => {
        $(elementwise_unary! {
            @row [$(#[$doc])*] $name = $op: $compute -> $out, $bound $(, $static: $with($params) = $extended)?
        })*
    };
    (@row [$(#[$doc:meta])*] $name:ident = $op:ident: $compute:ident -> $out:ident, $bound:expr) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a dtype that the function does
        /// not take, and the backend's refusal of one that it cannot compute.
        pub fn $name<'a>(x: impl $crate::IntoOperand<'a>) -> $crate::Result<$crate::Array> {
            describe! {
                FUNCTION = stringify!($name), Elementwise, Primary, (x: Promoted), $compute -> [$out],
                $bound, params: (), example: [&[2]],
                $crate::function::Body::Fixed(&$crate::Op::Unary($crate::UnaryOp::$op))
            }
            $crate::call::unary(&FUNCTION, x)
        }
    };
    (@row [$(#[$doc:meta])*] $name:ident = $op:ident: $compute:ident -> $out:ident, $bound:expr,
        $static:ident: $with:ident($params:ident) = $extended:path) => {
        describe! {
            $static = stringify!($name), Elementwise, Primary, (x: Promoted), $compute -> [$out],
            $bound, params: $params::new(), example: [&[2]],
            $crate::function::Body::Fixed(&$crate::Op::Unary($crate::UnaryOp::$op)), extended: $extended
        }

        $(#[$doc])*
        ///
        /// # Errors
        /// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a dtype that the function does
        /// not take, and the backend's refusal of one that it cannot compute.
        pub fn $name<'a>(x: impl $crate::IntoOperand<'a>) -> $crate::Result<$crate::Array> {
            $crate::call::unary(&$static, x)
        }

        #[doc = concat!("[`", stringify!($name), "`] with keyword arguments.")]
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($name), "`], and of values that a keyword argument cannot have.")]
        pub fn $with<'a>(
            x: impl $crate::IntoOperand<'a>,
            params: impl Into<$params>,
        ) -> $crate::Result<$crate::Array> {
            $crate::call::call_one(&$static, &[x.into_operand()], &params.into())
        }
    };
}

/// Element-wise functions of two operands: description and function in one; rows as of [`elementwise_unary`].
macro_rules! elementwise_binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident: $compute:ident -> $out:ident, $bound:expr
        $(, $static:ident: $with:ident($params:ident) = $extended:path)?;)*) => {
        $(elementwise_binary! {
            @row [$(#[$doc])*] $name = $op: $compute -> $out, $bound $(, $static: $with($params) = $extended)?
        })*
    };
    (@row [$(#[$doc:meta])*] $name:ident = $op:ident: $compute:ident -> $out:ident, $bound:expr) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a dtype that the function does
        /// not take, [`NoPromotion`](crate::ErrorKind::NoPromotion) where the rules mix no such
        /// kinds, [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes),
        /// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange), and the backend's refusal.
        #[inline]
        pub fn $name<'a, 'b>(
            x1: impl $crate::IntoOperand<'a>,
            x2: impl $crate::IntoOperand<'b>,
        ) -> $crate::Result<$crate::Array> {
            describe! {
                FUNCTION = stringify!($name), Elementwise, Primary, (x1: Promoted, x2: Promoted),
                $compute -> [$out], $bound, params: (), example: [&[2], &[2]],
                $crate::function::Body::Fixed(&$crate::Op::Binary($crate::BinaryOp::$op))
            }
            $crate::call::binary(&FUNCTION, x1, x2)
        }
    };
    (@row [$(#[$doc:meta])*] $name:ident = $op:ident: $compute:ident -> $out:ident, $bound:expr,
        $static:ident: $with:ident($params:ident) = $extended:path) => {
        describe! {
            $static = stringify!($name), Elementwise, Primary, (x1: Promoted, x2: Promoted),
            $compute -> [$out], $bound, params: $params::new(), example: [&[2], &[2]],
            $crate::function::Body::Fixed(&$crate::Op::Binary($crate::BinaryOp::$op)), extended: $extended
        }

        $(#[$doc])*
        ///
        /// # Errors
        /// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for a dtype that the function does
        /// not take, [`NoPromotion`](crate::ErrorKind::NoPromotion) where the rules mix no such
        /// kinds, [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes),
        /// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange), and the backend's refusal.
        #[inline]
        pub fn $name<'a, 'b>(
            x1: impl $crate::IntoOperand<'a>,
            x2: impl $crate::IntoOperand<'b>,
        ) -> $crate::Result<$crate::Array> {
            $crate::call::binary(&$static, x1, x2)
        }

        #[doc = concat!("[`", stringify!($name), "`] with keyword arguments.")]
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($name), "`], and of values that a keyword argument cannot have.")]
        pub fn $with<'a, 'b>(
            x1: impl $crate::IntoOperand<'a>,
            x2: impl $crate::IntoOperand<'b>,
            params: impl Into<$params>,
        ) -> $crate::Result<$crate::Array> {
            $crate::call::call_one(&$static, &[x1.into_operand(), x2.into_operand()], &params.into())
        }
    };
}
