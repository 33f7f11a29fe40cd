//! An array that carries a frontend's rules in its operators.

use crate::specialised;
use crate::{Entry, Frontend, Keywords, TensorExpr, TypedArray, Value, ViewMut, Viewing};
use ivy_core::host::Element;
use ivy_core::{Array, Dtype, ErrorKind, Index, IntoOperand, Operand, Result, Shape};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A framework, as a type: it names its frontend.
pub trait Framework: 'static {
    /// The frontend.
    fn frontend() -> &'static Frontend;
}

macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident $method:literal $inplace:literal;)*) => {
        /// An operator of arrays: a method of the array type, in the frontend's tables.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operator {
            $($(#[$doc])* $variant,)*
        }

        impl Operator {
            /// All of them.
            pub const ALL: [Operator; [$($method),*].len()] = [$(Operator::$variant),*];

            /// The method's name, as Python has it.
            pub const fn method(self) -> &'static str {
                match self { $(Operator::$variant => $method,)* }
            }

            /// The name of the method that writes to its first operand; empty where there is none.
            pub const fn inplace(self) -> &'static str {
                match self { $(Operator::$variant => $inplace,)* }
            }
        }
    };
}
operators! {
    /// `a + b`
    Add "__add__" "__iadd__";
    /// `a - b`
    Subtract "__sub__" "__isub__";
    /// `a * b`
    Multiply "__mul__" "__imul__";
    /// `a / b`
    Divide "__truediv__" "__itruediv__";
    /// `a // b`
    FloorDivide "__floordiv__" "__ifloordiv__";
    /// `a % b`
    Remainder "__mod__" "__imod__";
    /// `a ** b`
    Power "__pow__" "__ipow__";
    /// `a @ b`
    MatMul "__matmul__" "__imatmul__";
    /// `a & b`
    And "__and__" "__iand__";
    /// `a | b`
    Or "__or__" "__ior__";
    /// `a ^ b`
    Xor "__xor__" "__ixor__";
    /// `a << b`
    LeftShift "__lshift__" "__ilshift__";
    /// `a >> b`
    RightShift "__rshift__" "__irshift__";
    /// `a < b`
    Less "__lt__" "";
    /// `a <= b`
    LessEqual "__le__" "";
    /// `a > b`
    Greater "__gt__" "";
    /// `a >= b`
    GreaterEqual "__ge__" "";
    /// `a == b`
    Equal "__eq__" "";
    /// `a != b`
    NotEqual "__ne__" "";
    /// `-a`
    Negate "__neg__" "";
    /// `+a`
    Positive "__pos__" "";
    /// `abs(a)`
    Abs "__abs__" "";
    /// `~a`
    Invert "__invert__" "";
}

impl Frontend {
    /// The result of an operator; a unary one has one operand.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendName`] where the array type has no such operator; whatever its row refuses.
    #[inline]
    pub fn operate<const N: usize>(
        &'static self,
        operator: Operator,
        operands: [Value<'_>; N],
    ) -> Result<Array> {
        // Arrays alone have a shorter way yet.
        if operands.iter().any(|operand| operand.as_array().is_none())
            && let Some(entry) = self.operator(operator)
            && let Some(arguments) = specialised::by_position(&operands)
            && let Some(result) = specialised::call(entry, &arguments)
        {
            return Ok(result);
        }
        self.operate_typed(operator, operands).map(|made| made.array)
    }

    /// The result of an operator, which may be weakly typed.
    pub(crate) fn operate_typed<const N: usize>(
        &'static self,
        operator: Operator,
        operands: [Value<'_>; N],
    ) -> Result<TypedArray> {
        match self.operator(operator) {
            Some(entry) => self.one_of(entry, operands, Keywords::new()),
            None => Err(self.unknown(&format!("{}.{}", self.class(), operator.method()))),
        }
    }

    /// Whether an operator gives its operand itself, as `+x` does in some frameworks.
    pub fn gives_operand(&'static self, operator: Operator) -> bool {
        self.operator(operator).is_some_and(|entry| entry.viewing() == Viewing::Unchanged)
    }

    /// The row of an operator that writes to its first operand, if the array type has one.
    pub fn inplace_operator(&'static self, operator: Operator) -> Option<&'static Entry> {
        let path = format!("{}.{}", self.class(), operator.inplace());
        self.table().position(&path).map(|place| self.entry(place))
    }
}

/// An array with the rules of a frontend: its operators and methods are those of the framework.
///
/// It is an ivy [`Array`], and whether that is weakly typed (JAX's); [`Tensor::ivy_array`] and `from` cost nothing.
pub struct Tensor<F> {
    array: Array,
    weak: bool,
    framework: PhantomData<fn() -> F>,
}

impl<F: Framework> Tensor<F> {
    /// A number, nested lists of numbers, or an array, as an array with the frontend's dtype for it.
    ///
    /// # Errors
    /// For what is none of these, and for lists that are not of one shape.
    pub fn new<'a>(value: impl Into<Value<'a>>) -> Result<Tensor<F>> {
        F::frontend().make_typed(&value.into()).map(Tensor::from)
    }

    /// The array by itself, with the rules of the context.
    #[inline]
    pub fn ivy_array(&self) -> &Array {
        &self.array
    }

    /// The array by itself, given up by this handle.
    #[inline]
    pub fn into_ivy_array(self) -> Array {
        self.array
    }

    /// All of the tensor as a view, which methods and indices make parts of, and which is written through.
    ///
    /// ```
    /// use ivy_core::{Result, s};
    /// use ivy_frontend::{Framework, Operator, Tensor};
    /// fn add_ten_to_the_first_column<F: Framework>(a: &mut Tensor<F>) -> Result<()> {
    ///     a.view_mut().by("T", &[], ())?.index(s![0])?.operate_in_place(Operator::Add, 10)
    /// }
    /// ```
    pub fn view_mut(&mut self) -> ViewMut<'_, F> {
        ViewMut::new(self)
    }

    pub(crate) fn array_mut(&mut self) -> &mut Array {
        &mut self.array
    }

    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        self.array.dtype()
    }

    /// Whether it promotes as a host number of its kind does, as JAX's weakly typed arrays do; false in other frameworks.
    pub fn weak_type(&self) -> bool {
        self.weak
    }

    /// The lengths of the axes.
    pub fn shape(&self) -> &Shape {
        self.array.shape()
    }

    /// How many axes there are.
    pub fn ndim(&self) -> usize {
        self.array.ndim()
    }

    /// How many elements there are.
    pub fn numel(&self) -> usize {
        self.array.size()
    }

    /// The elements that an index expression selects, as [`Array::get`].
    ///
    /// # Errors
    /// Those of [`Array::get`].
    pub fn get(&self, indices: impl AsRef<[Index]>) -> Result<Tensor<F>> {
        let array = self.array.get(indices)?;
        Ok(Tensor::from(TypedArray { array, weak: self.weak }))
    }

    /// Replaces the elements that an index expression selects; values are cast to the array's dtype, as the frameworks
    /// do.
    ///
    /// # Errors
    /// Those of [`Array::set`].
    pub fn set<'a>(&mut self, indices: impl AsRef<[Index]>, value: impl Into<Value<'a>>) -> Result<()> {
        let value = ivy_core::functional::astype(F::frontend().make(&value.into())?, self.dtype())?;
        self.array.set(indices, value)
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeMismatch`] if the array holds another dtype than `T`'s.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.array.to_vec()
    }

    /// Calls a method of the array type by its name.
    ///
    /// # Errors
    /// As [`Frontend::call`].
    pub fn method(
        &self,
        name: &str,
        arguments: &[Value<'_>],
        keywords: Keywords<'_>,
    ) -> Result<Value<'static>> {
        let frontend = F::frontend();
        let all: Vec<Value<'_>> =
            std::iter::once(Value::from(self)).chain(arguments.iter().map(Value::borrowed)).collect();
        frontend.call(&format!("{}.{name}", frontend.class()), &all, keywords)
    }

    /// `self + other` and so on, written to this array: its dtype stays, or the framework refuses.
    ///
    /// # Errors
    /// [`ErrorKind::FrontendName`] where the framework's arrays do not change; [`ErrorKind::FrontendCall`] for a result
    /// of another shape or of a dtype that is not cast to this one.
    pub fn operate_in_place<'a>(&mut self, operator: Operator, other: impl Into<Value<'a>>) -> Result<()> {
        let frontend = F::frontend();
        let Some(entry) = frontend.inplace_operator(operator) else {
            return Err(frontend.unknown(&format!("{}.{}", frontend.class(), operator.inplace())));
        };
        let result = frontend.call_entry(entry, vec![Value::from(&*self), other.into()], Keywords::new())?;
        self.replace(result)
    }

    /// Replaces the array by the result of a function that writes to it.
    #[doc(hidden)]
    pub fn replace(&mut self, result: Value<'static>) -> Result<()> {
        match result {
            Value::Array(array) | Value::Weak(array) => self.array = array.into_owned(),
            other => {
                let (function, argument, value) = ("replace", "result", other.told());
                let rule = "an array is needed";
                return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
            }
        }
        Ok(())
    }

    pub(crate) fn of(result: Result<TypedArray>) -> TensorExpr<F> {
        TensorExpr::from(result.map(Tensor::from))
    }
}

impl<F> Clone for Tensor<F> {
    fn clone(&self) -> Tensor<F> {
        Tensor { array: self.array.clone(), weak: self.weak, framework: PhantomData }
    }
}

impl<F> From<Array> for Tensor<F> {
    #[inline]
    fn from(array: Array) -> Tensor<F> {
        Tensor { array, weak: false, framework: PhantomData }
    }
}

impl<F> From<TypedArray> for Tensor<F> {
    #[inline]
    fn from(TypedArray { array, weak }: TypedArray) -> Tensor<F> {
        Tensor { array, weak, framework: PhantomData }
    }
}

impl<F> From<Tensor<F>> for Array {
    #[inline]
    fn from(tensor: Tensor<F>) -> Array {
        tensor.array
    }
}

impl<'a, F> From<&'a Tensor<F>> for Value<'a> {
    #[inline]
    fn from(tensor: &'a Tensor<F>) -> Value<'a> {
        let array = Cow::Borrowed(&tensor.array);
        if tensor.weak { Value::Weak(array) } else { Value::Array(array) }
    }
}

impl<F> From<Tensor<F>> for Value<'_> {
    #[inline]
    fn from(tensor: Tensor<F>) -> Self {
        let array = Cow::Owned(tensor.array);
        if tensor.weak { Value::Weak(array) } else { Value::Array(array) }
    }
}

impl<'a, F> IntoOperand<'a> for &'a Tensor<F> {
    fn into_operand(self) -> Operand<'a> {
        (&self.array).into_operand()
    }

    fn as_array(&self) -> Option<&Array> {
        Some(&self.array)
    }
}

impl<F> fmt::Display for Tensor<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.array.fmt(f)
    }
}

impl<F> fmt::Debug for Tensor<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.array, f)
    }
}
