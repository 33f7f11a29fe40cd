//! The kernel that is being written.

use super::value::{AsValue, Known, Tensor, Value};
use crate::error::{Error, Misuse, Result};
use crate::ir::{Builder, FieldInfo, Id, Ir};
use crate::number;
use ivy_taichi_types::{
    Literal, Place, Placed, PrimitiveType, Type, TypeError, TypeWarning, Typing, Warnings, type_of_literal,
};
use std::collections::HashMap;
use std::sync::Arc;

/// What a kernel has as a parameter.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// A field.
    Field {
        /// What is known of it, but for the number of its memory.
        info: Arc<FieldInfo>,
        /// The number of its memory in the kernel.
        memory: usize,
        /// Of a tree with sparse nodes, the number of the first of its memories in the kernel.
        tree: usize,
    },
    /// The numbers of a scalar, a vector or a matrix.
    Numbers {
        /// Rows and columns; of a scalar neither.
        form: Option<(usize, Option<usize>)>,
        /// The number of the first among the kernel's scalars.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// A value that the kernel is compiled for, which Rust has.
    Template,
}

/// A kernel that is being written.
pub struct Scope {
    pub(super) b: Builder,
    pub(super) typing: Typing,
    pub(super) debug: bool,
    parameters: Vec<Parameter>,
    /// The field's number of each parameter.
    fields: Vec<Option<usize>>,
    pub(super) result: Option<PrimitiveType>,
    /// How many blocks are open; in none of them, a `for` is parallel.
    pub(super) depth: usize,
    /// The loops around, the innermost last: true for parallel ones.
    pub(super) loops: Vec<bool>,
    /// The functions around, each with the variables that its result goes to.
    pub(super) functions: Vec<Option<Value>>,
    warnings: Warnings,
}

/// A kernel without a name that does nothing.
impl Default for Scope {
    fn default() -> Scope {
        Scope::new("", Typing::default(), false, &[], Vec::new(), None)
    }
}

impl Scope {
    /// A kernel of these parameters, and of scalar arguments of these types.
    pub fn new(
        name: &str,
        typing: Typing,
        debug: bool,
        parameters: &[Parameter],
        types: Vec<PrimitiveType>,
        result: Option<PrimitiveType>,
    ) -> Scope {
        let (mut infos, mut fields) = (Vec::new(), Vec::new());
        // Of each tree with sparse nodes the field that is the first of its memories.
        let mut trees: HashMap<usize, usize> = HashMap::new();
        for parameter in parameters {
            fields.push(match parameter {
                Parameter::Field { info, memory, tree } => {
                    let mut info = FieldInfo { memory: *memory, ..FieldInfo::clone(info) };
                    if let Some(sparse) = &mut info.sparse {
                        sparse.first = *trees.entry(*tree).or_insert_with(|| {
                            infos.extend(sparse.memories(*tree));
                            infos.len() - sparse.stores.len() - 2
                        });
                    }
                    infos.push(info);
                    Some(infos.len() - 1)
                }
                _ => None,
            });
        }
        let mut b = Builder::new(name, infos, types);
        if let Some(ty) = result {
            b.set_result(ty);
        }
        Scope {
            b,
            typing,
            debug,
            parameters: parameters.to_vec(),
            fields,
            result,
            depth: 0,
            loops: Vec::new(),
            functions: Vec::new(),
            warnings: Warnings::default(),
        }
    }

    /// Chooses whether stores that may lose precision are noted.
    pub fn set_warnings(&mut self, enabled: bool) {
        self.warnings = Warnings::new(enabled);
    }

    /// What was noted.
    pub fn warnings(&self) -> &[Placed<TypeWarning>] {
        self.warnings.given()
    }

    /// What there is so far.
    pub fn ir(&self) -> &Ir {
        self.b.ir()
    }

    fn place(&self) -> Place {
        let nowhere = || Place { file: String::new(), line: 0, column: 0, width: 1, text: String::new() };
        self.b.span().map_or_else(nowhere, |span| span.place())
    }

    /// An error here.
    pub(super) fn wrong(&self, what: Misuse) -> Error {
        Error::Kernel(Box::new(Placed { place: self.place(), what }))
    }

    /// An error about what stands where it has no meaning.
    pub(super) fn not_here(&self, what: &str, rule: &'static str) -> Error {
        self.wrong(Misuse::Here { what: what.to_owned(), rule })
    }

    /// A typing's answer, with the place.
    pub(super) fn typed<T>(&self, answer: Result<T, TypeError>) -> Result<T> {
        answer.map_err(|what| Error::TypeAt(Box::new(Placed { place: self.place(), what })))
    }

    pub(super) fn warn(&mut self, warning: Option<TypeWarning>) {
        if warning.is_some() {
            let place = self.place();
            self.warnings.note(warning, &place);
        }
    }

    /// A parameter, as the body has it. Numbers are variables of their own.
    ///
    /// # Errors
    /// [`Misuse::Here`] for a template, which has none.
    pub fn parameter(&mut self, number: usize) -> Result<Value> {
        match (self.parameters.get(number).cloned(), self.fields.get(number)) {
            (_, Some(&Some(field))) => Ok(Value::Field(field)),
            (Some(Parameter::Numbers { form, first, count }), _) => {
                let entries: Vec<Value> =
                    (first..first + count).map(|n| Value::Number(self.b.argument(n))).collect();
                let value = match form {
                    Some(form) => Value::Tensor(Tensor { form, entries }),
                    None => entries.into_iter().next().unwrap_or(Value::Nothing),
                };
                self.declare(&value)
            }
            _ => Err(self.not_here("a template", "it is a value of Rust's, and no kernel's")),
        }
    }

    /// A literal.
    ///
    /// # Errors
    /// [`TypeError::Literal`] for an integer that the default type does not hold.
    pub fn literal(&mut self, literal: Literal) -> Result<Value> {
        let ty = self.typed(type_of_literal(literal, &self.typing))?;
        Ok(Value::Number(self.constant(ty, literal)))
    }

    /// A literal of a type of its own, as in `1u8`.
    ///
    /// # Errors
    /// [`TypeError::UnknownType`].
    pub fn suffixed(&mut self, literal: Literal, suffix: &str) -> Result<Value> {
        let ty = self.typed(self.typing.named(suffix))?;
        Ok(Value::Number(self.constant(ty, literal)))
    }

    pub(super) fn constant(&mut self, ty: PrimitiveType, literal: Literal) -> Id {
        let (from, bits) = match literal {
            Literal::Bool(x) => (PrimitiveType::U1, u64::from(x)),
            Literal::Int(x) if ty.is_integral() => (ty, number::wrapped(ty, x)),
            Literal::Int(x) => (PrimitiveType::F64, (x as f64).to_bits()),
            Literal::Float(x) => (PrimitiveType::F64, x.to_bits()),
        };
        match number::cast(from, bits, ty) {
            Some(bits) => self.b.constant(ty, bits),
            None if from == ty => self.b.constant(ty, bits),
            // Of f16 only running code knows the bits.
            None => {
                let wide = self.b.constant(from, bits);
                self.b.cast(wide, ty)
            }
        }
    }

    /// What Rust has in an expression's place: a value, or a number that is a literal.
    ///
    /// # Errors
    /// As [`literal`](Scope::literal).
    pub fn value(&mut self, of: &impl AsValue) -> Result<Value> {
        match of.as_value() {
            Known::Value(value) => Ok(value),
            Known::Literal(literal) => self.literal(literal),
            Known::Literals(literals) => {
                let entries = literals.into_iter().map(|l| self.literal(l)).collect::<Result<_>>()?;
                Ok(Value::Tensor(Tensor::vector(entries)))
            }
        }
    }

    /// A number, loaded if it is in a place.
    ///
    /// # Errors
    /// [`Misuse::Here`] for what is none.
    pub(super) fn number(&mut self, value: &Value) -> Result<Id> {
        match value {
            Value::Number(id) => Ok(*id),
            Value::Place(pointer) => Ok(self.b.load(*pointer)),
            // A field of one element stands for it in arithmetic no more than another one does.
            Value::Field(_) => {
                Err(self.not_here("a field", "its elements are numbers, it is none: index it"))
            }
            Value::Tensor(_) => Err(self.not_here("a vector or matrix", "a single number stands here")),
            _ => Err(self.not_here("no value", "a number stands here")),
        }
    }

    /// A number of a type.
    pub(super) fn number_of(&mut self, value: &Value, ty: PrimitiveType) -> Result<Id> {
        let id = self.number(value)?;
        Ok(self.b.cast(id, ty))
    }

    /// The primitive type of a number.
    pub(super) fn primitive(&self, id: Id) -> PrimitiveType {
        self.b.ty(id).unwrap_or(PrimitiveType::I32)
    }

    /// The type of a value.
    ///
    /// # Errors
    /// [`Misuse::Here`] for what has none.
    pub(super) fn type_of(&mut self, value: &Value) -> Result<Type> {
        match value {
            Value::Number(id) | Value::Place(id) => Ok(self.primitive(*id).into()),
            Value::Tensor(tensor) => {
                let first = tensor.entries.first().map(|entry| self.type_of(entry)).transpose()?;
                let of = first.unwrap_or_else(|| PrimitiveType::I32.into());
                let ty = tensor.ty(of);
                self.typed(ty)
            }
            Value::Field(_) => {
                Err(self.not_here("a field", "its elements are numbers, it is none: index it"))
            }
            _ => Err(self.not_here("no value", "a number, vector or matrix stands here")),
        }
    }

    /// The type of a number, or of the numbers of a vector or matrix.
    ///
    /// # Errors
    /// [`Misuse::Here`] for what has none.
    pub fn element_type(&mut self, value: &Value) -> Result<PrimitiveType> {
        let ty = self.type_of(value)?.element();
        Ok(ty.primitive().unwrap_or(PrimitiveType::I32))
    }

    /// A new variable with a value: what `let` makes.
    ///
    /// # Errors
    /// [`Misuse::Here`] for what is no value.
    pub fn declare(&mut self, value: &Value) -> Result<Value> {
        match value {
            Value::Tensor(tensor) => {
                let entries =
                    tensor.entries.iter().map(|entry| self.declare(entry)).collect::<Result<_>>()?;
                Ok(Value::Tensor(Tensor { form: tensor.form, entries }))
            }
            Value::Field(_) => Ok(value.clone()),
            _ => {
                let x = self.number(value)?;
                let variable = self.b.alloca(self.primitive(x));
                self.b.store(variable, x);
                Ok(Value::Place(variable))
            }
        }
    }
}
