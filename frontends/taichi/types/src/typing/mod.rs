//! Static typing: what the operations of kernels compute in and give.

mod assign;
mod atomic;
mod binary;
mod literal;
mod ops;
mod ternary;
mod unary;

pub use assign::{TypeWarning, Warnings, check_assign};
pub use atomic::{AtomicTyped, type_of_atomic};
pub use binary::type_of_binary;
pub use literal::{Literal, type_of_literal};
pub use ops::{AtomicOp, BinaryOp, TernaryOp, UnaryOp};
pub use ternary::type_of_ternary;
pub use unary::{type_of_bit_cast, type_of_cast, type_of_unary};

use crate::{PrimitiveType, Result, Type, TypeError};
use ivy_core::plan::OperandSpec;
use ivy_core::promotion::{Category, Resolved, resolve};
use ivy_core::{Defaults, Dtype, Rules};

/// What typing goes by: a set of rules, and the types of literals.
///
/// ```
/// use ivy_taichi_types::{BinaryOp, PrimitiveType, Typing, type_of_binary};
/// let typing = Typing::default();
/// let typed = type_of_binary(BinaryOp::Add, PrimitiveType::U8.into(), PrimitiveType::I16.into(), &typing)?;
/// assert_eq!(typed.result, PrimitiveType::I16.into());
/// # Ok::<(), ivy_taichi_types::TypeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Typing {
    defaults: Defaults,
    ip: PrimitiveType,
    fp: PrimitiveType,
}

/// The rules `taichi`, i32 and f32.
impl Default for Typing {
    fn default() -> Typing {
        let defaults = Defaults::of(Rules::Taichi);
        let typing = Typing { defaults, ip: PrimitiveType::I32, fp: PrimitiveType::F32 };
        typing.with(PrimitiveType::I32, PrimitiveType::F32)
    }
}

impl Typing {
    /// Typing by a set of rules, with the default types of integers and floats.
    ///
    /// # Errors
    /// [`TypeError::Rules`] for rules that are none of Taichi's, [`TypeError::Default`] for a default integer type that is none of i32,
    /// i64, u32 and u64, or a default float type that is no float.
    pub fn new(rules: Rules, default_ip: PrimitiveType, default_fp: PrimitiveType) -> Result<Typing> {
        if !matches!(rules, Rules::Taichi | Rules::Taichi17) {
            return Err(TypeError::Rules { rules });
        }
        if !default_ip.is_integral() || default_ip.bits() < 32 {
            let rule = "an integer type of 32 or 64 bits";
            return Err(TypeError::Default { setting: "default_ip", rule, ty: default_ip });
        }
        if !default_fp.is_real() {
            return Err(TypeError::Default { setting: "default_fp", rule: "a float type", ty: default_fp });
        }
        let defaults = Defaults::of(rules);
        Ok(Typing { defaults, ip: default_ip, fp: default_fp }.with(default_ip, default_fp))
    }

    fn with(self, ip: PrimitiveType, fp: PrimitiveType) -> Typing {
        let mut defaults = self.defaults;
        match ip.is_signed() {
            true => defaults.int = Some(ip.dtype()),
            false => defaults.uint = Some(ip.dtype()),
        }
        defaults.float = Some(fp.dtype());
        Typing { defaults, ip, fp }
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.defaults.rules
    }

    /// The type of integer literals, and of `int`.
    pub fn default_ip(&self) -> PrimitiveType {
        self.ip
    }

    /// The type of float literals, and of `float`.
    pub fn default_fp(&self) -> PrimitiveType {
        self.fp
    }

    /// The type of a name, `int` and `float` among them.
    ///
    /// # Errors
    /// [`TypeError::UnknownType`].
    pub fn named(&self, name: &str) -> Result<PrimitiveType> {
        match name {
            "int" => Ok(self.ip),
            "float" => Ok(self.fp),
            name => name.parse(),
        }
    }

    /// The type that two types promote to (T-04); u1 is the least.
    pub fn promote(&self, a: PrimitiveType, b: PrimitiveType) -> Option<PrimitiveType> {
        PrimitiveType::of_dtype(self.rules().lookup(a.dtype(), b.dtype())?)
    }

    /// What a category of operations computes in and gives; `None` where the rules refuse the operands.
    fn resolve(&self, category: Category, operands: &[PrimitiveType]) -> Option<Found> {
        let specs: Vec<OperandSpec> = operands.iter().map(|ty| OperandSpec::Array(ty.dtype())).collect();
        let found = resolve("taichi", self.rules(), &self.defaults, category, &specs).ok()??;
        let Resolved { compute, gives, .. } = found;
        Some(Found { compute: own(compute)?, result: own(gives.unwrap_or(compute))? })
    }

    /// The type of truth values: of comparisons and predicates.
    pub fn truth(&self) -> PrimitiveType {
        let found = self.resolve(Category::Equal, &[self.ip, self.ip]);
        found.map_or(PrimitiveType::U1, |found| found.result)
    }
}

fn own(dtype: Dtype) -> Option<PrimitiveType> {
    PrimitiveType::of_dtype(dtype)
}

/// What the rules say.
#[derive(Clone, Copy)]
struct Found {
    compute: PrimitiveType,
    result: PrimitiveType,
}

/// The typing of an operation: the types that its operands are cast to first, and that of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typed<const N: usize> {
    /// What the operands are cast to.
    pub operands: [Type; N],
    /// What it gives.
    pub result: Type,
}

/// A number or a tensor of numbers as operands have it: loaded, so in its compute type. `None` for structs and addresses.
fn loaded(ty: Type) -> Option<(Type, PrimitiveType)> {
    let ty = ty.compute_type();
    ty.element().primitive().map(|element| (ty, element))
}

/// The shape that operands have together: equal shapes, or one beside single numbers (T-20). `None` where they differ.
fn common_shape(types: &[Type]) -> Option<Type> {
    let mut common: Option<Type> = None;
    for &ty in types {
        common = match common {
            Some(own) if !own.shape().is_empty() && !ty.shape().is_empty() => {
                (own.shape() == ty.shape()).then_some(own)?.into()
            }
            Some(own) if !own.shape().is_empty() => Some(own),
            _ => Some(ty),
        };
    }
    common
}

/// Whether a value has the shape of its destination, or is a single number, which goes into every element.
fn fits(dest: Type, value: Type) -> bool {
    value.shape().is_empty() || value.shape() == dest.shape()
}
