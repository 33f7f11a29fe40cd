//! What a public function is: one static description, from which dispatch, plans, docs,
//! conformance and the bindings derive.

mod coefficient;
mod mask;
mod param_field;
mod params;
mod registry;

pub use coefficient::Coefficient;
#[doc(hidden)]
pub use coefficient::is_traced;
pub(crate) use coefficient::plain_scalar;
pub use ivy_dtype_tables::{Domain, find_domain};
pub use mask::Mask;
pub use param_field::ParamField;
pub use params::{Axes, ParamValue, Params};
#[doc(hidden)]
pub use params::{field_name, unknown_parameter, wrong_parameter};
pub use registry::{Entry, find_function, functions, register_function};

use crate::array::{Array, Operand};
use crate::{Dtype, Op, Result, Scalar};
use smallvec::SmallVec;

/// Which chapter of the API a function stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Category {
    Creation,
    DataType,
    Elementwise,
    Manipulation,
    Indexing,
    Searching,
    Set,
    Sorting,
    Statistical,
    Utility,
    LinearAlgebra,
    /// What the standard has in its extension `linalg` only.
    Linalg,
    /// The standard's extension `fft`.
    Fft,
    Activation,
    Layer,
    Norm,
    Loss,
    Random,
    Gradient,
    General,
    Device,
    Nest,
}

/// How a function relates to backends (spec I-64).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// One op, run by every backend.
    Primary,
    /// Other functions only.
    Compositional,
    /// A composition that a backend may replace by its own form.
    Mixed,
}

/// What an operand is for, which decides how the plan treats its dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Takes part in promotion and is cast to the dtype computed in.
    Promoted,
    /// Keeps its dtype.
    Kept,
    /// Indices or counts: any integer, cast to int64.
    Index,
    /// A condition: bool.
    Condition,
    /// A host value that is part of the op, such as a fill value.
    Value,
    /// An end of a range: a host value, or an array, which keeps its dtype.
    End,
}

impl Role {
    /// Whether a host scalar stays one, and is no array by the time that the function sees it.
    pub fn keeps_scalars(self) -> bool {
        matches!(self, Role::Value | Role::End)
    }
}

/// An operand of a function.
#[derive(Clone, Copy, Debug)]
pub struct OperandInfo {
    /// Its name in the signature.
    pub name: &'static str,
    /// What it is for.
    pub role: Role,
    /// Whether it may be left out.
    pub optional: bool,
}

/// Which dtype a function computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComputeRule {
    /// The promotion of the promoted operands.
    Promote,
    /// `dtype=`, else the promotion; integers and bool become the default float dtype (decision S26).
    PromoteFloat,
    /// `dtype=`, else the operand's dtype, integers narrower than the default widened
    /// (decision S16).
    Accumulate,
    /// As [`ComputeRule::Accumulate`]; int64, that of counts (decision S33), without promoted operands.
    Count,
    /// Truth values: operands become bool.
    Truth,
    /// `dtype=`, else the first operand's dtype.
    LikeOperand,
    /// `dtype=`, else the default dtype.
    Default,
    /// `dtype=`, else the default dtype of the given host values.
    Infer,
    /// `dtype=`, else as [`ComputeRule::Infer`], but at least a float.
    InferFloat,
}

/// The dtype of one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutRule {
    /// The dtype computed in.
    Compute,
    /// The real dtype of the one computed in.
    RealPart,
    /// The complex dtype whose parts hold the one computed in.
    Complex,
    /// Bool.
    Bool,
    /// `dtype=`, else int64 (decision S33).
    Index,
    /// `dtype=`, which may be an integer one, else the dtype computed in: numbers of things that are computed with floats.
    Counted,
    /// int64, whatever `dtype=` says of the other results.
    Position,
    /// int32: a binary exponent.
    Exponent,
}

/// How far a result may be from the truth, for dtypes that round (DESIGN, "Proof").
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The exact value, rounded once.
    Exact,
    /// This many units in the last place in float32 and narrower; `float64` in float64;
    /// 4 units of the norm for complex.
    Ulp {
        /// Units for float16, bfloat16 and float32.
        float32: f64,
        /// Units for float64.
        float64: f64,
    },
    /// `4 (1 + log2 n) eps sum|x|` on pairwise backends, `n eps sum|x|` elsewhere.
    Sum,
    /// `k eps |A||B|`.
    Matmul,
    /// Relative, in units of eps, for compositions of several roundings.
    Composed(f64),
    /// `16 n eps` of the operands' norm, for what the function's definition leaves over when the
    /// results are put into it; `n` is the greatest side of the matrices.
    Residual,
}

/// What a lowering sees of a call.
pub struct Request<'a> {
    /// The function.
    pub function: &'static Function,
    /// The operands as given: arrays (not yet cast) and host values.
    pub operands: &'a [Operand<'a>],
    /// The parameters.
    pub params: &'a dyn Params,
    /// The dtype computed in.
    pub compute: Dtype,
}

/// The results of a function.
pub type Outputs = SmallVec<[Array; 1]>;

/// What a composition sees of a call: operands already cast as the plan says.
pub struct Composition<'a> {
    /// The function.
    pub function: &'static Function,
    /// The array operands, in order; one that was left out is absent from the end.
    pub arrays: &'a [Option<Array>],
    /// The operands as given, for the host scalars among them.
    pub operands: &'a [Operand<'a>],
    /// The parameters.
    pub params: &'a dyn Params,
    /// The dtype computed in.
    pub compute: Dtype,
}

/// How a function is carried out.
#[derive(Clone, Copy)]
pub enum Body {
    /// One element-wise op, the same for all calls.
    Fixed(&'static Op),
    /// Nothing: the first operand, after its cast, is the result.
    Identity,
    /// One op, made for the call: axes normalized, shapes resolved and checked.
    Op(fn(&Request<'_>) -> Result<Op>),
    /// Calls of other functions, in a fixed context.
    Compose(fn(&Composition<'_>) -> Result<Outputs>),
}

/// The description of a public function.
pub struct Function {
    /// The name, as the Array API or Ivy spells it.
    pub name: &'static str,
    /// Its chapter.
    pub category: Category,
    /// Its kind.
    pub kind: FunctionKind,
    /// Its operands.
    pub operands: &'static [OperandInfo],
    /// Whether the first operand is a list of arrays.
    pub variadic: bool,
    /// Which dtypes it takes.
    pub domain: &'static Domain,
    /// Which dtype it computes in.
    pub compute: ComputeRule,
    /// The dtypes of its results; a single rule also stands for a list of results.
    pub outputs: &'static [OutRule],
    /// The bound on its error.
    pub bound: Bound,
    /// Its parameters: the defaults, and for required ones values that go with `example`.
    pub params: fn() -> Box<dyn Params>,
    /// Shapes of operands for an example call: for `explain` on dtypes alone.
    pub example: &'static [&'static [usize]],
    /// How it is carried out.
    pub body: Body,
    /// How it is carried out where parameters ask for more than the op has ([`Params::extends`]).
    pub extended: Option<fn(&Composition<'_>) -> Result<Outputs>>,
}

impl Function {
    /// How a call with these parameters is carried out.
    pub(crate) fn body_with(&self, params: &dyn Params) -> Body {
        match self.extended {
            Some(compose) if params.extends() => Body::Compose(compose),
            _ => self.body,
        }
    }

    /// The set of dtypes that operand `i` takes.
    pub fn domain_of(&self, operand: usize) -> crate::DtypeSet {
        let i = if self.variadic { 0 } else { operand };
        self.domain.operands.get(i).map_or(crate::DtypeSet::ALL, |o| crate::DtypeSet::from_bits(o.1))
    }

    /// The description of operand `i`; all of a variadic function's are the first.
    pub fn operand(&self, i: usize) -> &'static OperandInfo {
        let i = if self.variadic { 0 } else { i };
        &self.operands[i]
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

impl<'a> Request<'a> {
    /// The parameters as their own type.
    pub fn params<T: Params>(&self) -> &'a T {
        params::downcast(self.params, self.function.name)
    }

    /// The shape of operand `i`; scalars have the empty shape.
    pub fn shape(&self, i: usize) -> &'a [usize] {
        match &self.operands[i] {
            Operand::Array(array) => array.shape(),
            _ => &[],
        }
    }

    /// Operand `i`, if it was given as a host scalar.
    pub fn scalar(&self, i: usize) -> Option<Scalar> {
        self.operands[i].scalar()
    }
}

impl<'a> Composition<'a> {
    /// The parameters as their own type.
    pub fn params<T: Params>(&self) -> &'a T {
        params::downcast(self.params, self.function.name)
    }

    /// Operand `i`, which the signature requires.
    pub fn array(&self, i: usize) -> &'a Array {
        self.arrays[i].as_ref().expect("the plan has checked that required operands are there")
    }

    /// Operand `i`, if it was given as a host scalar.
    pub fn scalar(&self, i: usize) -> Option<Scalar> {
        self.operands[i].scalar()
    }
}
