//! Taichi's functions, by their names.

use super::scope::Scope;
use super::value::{Tensor, Value};
use crate::error::{Misuse, Result};
use crate::ir::{Code, Data};
use ivy_taichi_types::{AtomicOp, BinaryOp, Literal, PrimitiveType, UnaryOp};

/// What a name calls.
#[derive(Clone, Copy, Debug)]
enum Call {
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// Of two or more, from the left.
    Fold(BinaryOp),
    Atomic(AtomicOp),
    Select,
    /// A random number; of a type if one is named.
    Random,
    Grouped,
    Serial,
    Ndrange,
    Range,
    /// A vector of this length, of reals or of integers: filled, or put together of numbers and vectors.
    Vector(usize, bool),
    /// The numbers as one vector.
    Concat,
    /// A function of a node's cells.
    Cells,
}

/// Every function that needs no import in kernels: names, and what they call.
const FUNCTIONS: &[(&str, Call)] = &[
    ("abs", Call::Unary(UnaryOp::Abs)),
    ("acos", Call::Unary(UnaryOp::Acos)),
    ("activate", Call::Cells),
    ("append", Call::Cells),
    ("asin", Call::Unary(UnaryOp::Asin)),
    ("atan2", Call::Binary(BinaryOp::Atan2)),
    ("atomic_add", Call::Atomic(AtomicOp::Add)),
    ("atomic_and", Call::Atomic(AtomicOp::BitAnd)),
    ("atomic_max", Call::Atomic(AtomicOp::Max)),
    ("atomic_min", Call::Atomic(AtomicOp::Min)),
    ("atomic_mul", Call::Atomic(AtomicOp::Mul)),
    ("atomic_or", Call::Atomic(AtomicOp::BitOr)),
    ("atomic_sub", Call::Atomic(AtomicOp::Sub)),
    ("atomic_xor", Call::Atomic(AtomicOp::BitXor)),
    ("bit_not", Call::Unary(UnaryOp::BitNot)),
    ("bit_sar", Call::Binary(BinaryOp::BitSar)),
    ("bit_shr", Call::Binary(BinaryOp::BitShr)),
    ("ceil", Call::Unary(UnaryOp::Ceil)),
    ("clz", Call::Unary(UnaryOp::Clz)),
    ("concat", Call::Concat),
    ("cos", Call::Unary(UnaryOp::Cos)),
    ("deactivate", Call::Cells),
    ("exp", Call::Unary(UnaryOp::Exp)),
    ("floor", Call::Unary(UnaryOp::Floor)),
    ("floordiv", Call::Binary(BinaryOp::FloorDiv)),
    ("grouped", Call::Grouped),
    ("is_active", Call::Cells),
    ("ivec2", Call::Vector(2, false)),
    ("ivec3", Call::Vector(3, false)),
    ("ivec4", Call::Vector(4, false)),
    ("length", Call::Cells),
    ("log", Call::Unary(UnaryOp::Log)),
    ("max", Call::Fold(BinaryOp::Max)),
    ("min", Call::Fold(BinaryOp::Min)),
    ("ndrange", Call::Ndrange),
    ("popcnt", Call::Unary(UnaryOp::Popcnt)),
    ("pow", Call::Binary(BinaryOp::Pow)),
    ("random", Call::Random),
    ("range", Call::Range),
    ("raw_div", Call::Binary(BinaryOp::Div)),
    ("raw_mod", Call::Binary(BinaryOp::RawMod)),
    ("round", Call::Unary(UnaryOp::Round)),
    ("rsqrt", Call::Unary(UnaryOp::Rsqrt)),
    ("select", Call::Select),
    ("serial", Call::Serial),
    ("sgn", Call::Unary(UnaryOp::Sgn)),
    ("sin", Call::Unary(UnaryOp::Sin)),
    ("sqrt", Call::Unary(UnaryOp::Sqrt)),
    ("tan", Call::Unary(UnaryOp::Tan)),
    ("tanh", Call::Unary(UnaryOp::Tanh)),
    ("vec2", Call::Vector(2, true)),
    ("vec3", Call::Vector(3, true)),
    ("vec4", Call::Vector(4, true)),
];

impl Scope {
    /// The names of the functions that [`Scope::call`] knows.
    pub fn functions() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|&(name, _)| name)
    }

    /// A function of Taichi's by its name; a named type is that of a random number.
    ///
    /// # Errors
    /// [`Misuse::NoSuch`], [`Misuse::Arity`], and what the operation refuses.
    pub fn call(&mut self, name: &str, arguments: &[Value], ty: Option<&str>) -> Result<Value> {
        let Some(&(_, call)) = FUNCTIONS.iter().find(|&&(other, _)| other == name) else {
            return Err(self.wrong(Misuse::NoSuch { what: "function", name: name.to_owned() }));
        };
        let arity = |scope: &Scope, takes: usize| match arguments.len() == takes {
            true => Ok(()),
            false => {
                let given = arguments.len();
                Err(scope.wrong(Misuse::Arity { name: name.to_owned(), takes, given }))
            }
        };
        match call {
            Call::Unary(op) => {
                arity(self, 1)?;
                self.unary(op, &arguments[0])
            }
            Call::Binary(op) => {
                arity(self, 2)?;
                self.binary(op, &arguments[0], &arguments[1])
            }
            Call::Fold(op) => {
                if arguments.len() < 2 {
                    arity(self, 2)?;
                }
                let mut value = arguments[0].clone();
                for other in &arguments[1..] {
                    value = self.binary(op, &value, other)?;
                }
                Ok(value)
            }
            Call::Atomic(op) => {
                arity(self, 2)?;
                self.atomic(op, &arguments[0], &arguments[1])
            }
            Call::Select => {
                arity(self, 3)?;
                self.select(&arguments[0], &arguments[1], &arguments[2])
            }
            Call::Random => {
                arity(self, 0)?;
                let ty = match ty {
                    Some(name) => self.typed(self.typing.named(name))?,
                    None => self.typing.default_fp(),
                };
                Ok(Value::Number(self.b.push(Code::Random, Some(ty), Vec::new(), Data::None)))
            }
            Call::Grouped => {
                arity(self, 1)?;
                Ok(Value::Grouped(Box::new(arguments[0].clone())))
            }
            Call::Serial => {
                arity(self, 1)?;
                Ok(Value::Serial(Box::new(arguments[0].clone())))
            }
            Call::Ndrange => {
                let mut ranges = Vec::new();
                for argument in arguments {
                    ranges.push(match argument {
                        Value::Range(begin, end) => {
                            let [begin, end] = [*begin, *end].map(|id| self.b.cast(id, PrimitiveType::I32));
                            (begin, end)
                        }
                        end => {
                            let begin = self.b.constant(PrimitiveType::I32, 0);
                            (begin, self.number_of(end, PrimitiveType::I32)?)
                        }
                    });
                }
                Ok(Value::Ranges(ranges))
            }
            Call::Range => match arguments {
                [end] => {
                    let zero = self.literal(Literal::Int(0))?;
                    self.range(&zero, end)
                }
                [begin, end] => self.range(begin, end),
                _ => arity(self, 2).map(|()| Value::Nothing),
            },
            Call::Vector(length, real) => self.compound(name, length, real, arguments),
            Call::Cells => match arguments {
                [node, indices @ ..] => self.cells(name, node, indices),
                [] => arity(self, 2).map(|()| Value::Nothing),
            },
            Call::Concat => {
                let entries = flattened(arguments);
                self.vector(&entries)
            }
        }
    }

    /// `begin..end`, of i32 or, where one is, of i64.
    ///
    /// # Errors
    /// [`Misuse::Here`] for reals.
    pub fn range(&mut self, begin: &Value, end: &Value) -> Result<Value> {
        let [begin, end] = [self.number(begin)?, self.number(end)?];
        let types = [self.primitive(begin), self.primitive(end)];
        if types.iter().any(|ty| ty.is_real()) {
            return Err(self.not_here("a range of reals", "ranges are of integers"));
        }
        let wide = types.iter().any(|ty| ty.bits() == 64);
        let ty = if wide { PrimitiveType::I64 } else { PrimitiveType::I32 };
        Ok(Value::Range(self.b.cast(begin, ty), self.b.cast(end, ty)))
    }

    /// A vector of one type, which its numbers promote to; of vectors, a matrix of these as rows.
    ///
    /// # Errors
    /// [`Misuse::Here`] for rows of several lengths.
    pub fn vector(&mut self, entries: &[Value]) -> Result<Value> {
        let rows: Vec<&Tensor> = entries
            .iter()
            .filter_map(|entry| match entry {
                Value::Tensor(row) if row.form.1.is_none() => Some(row),
                _ => None,
            })
            .collect();
        if rows.is_empty() {
            return self.promoted(Tensor::vector(entries.to_vec()));
        }
        let columns = rows[0].entries.len();
        if rows.len() != entries.len() || rows.iter().any(|row| row.entries.len() != columns) {
            return Err(self.not_here("a matrix", "its rows are vectors of one length"));
        }
        let numbers = rows.iter().flat_map(|row| row.entries.clone()).collect();
        self.promoted(Tensor { form: (rows.len(), Some(columns)), entries: numbers })
    }

    /// The numbers in the type that all of them promote to.
    fn promoted(&mut self, tensor: Tensor) -> Result<Value> {
        let mut numbers = Vec::new();
        for entry in &tensor.entries {
            numbers.push(self.number(entry)?);
        }
        let types = numbers.iter().map(|&id| self.primitive(id));
        let ty = types.reduce(|a, b| self.typing.promote(a, b).unwrap_or(a)).unwrap_or(PrimitiveType::I32);
        let entries = numbers.into_iter().map(|id| Value::Number(self.b.cast(id, ty))).collect();
        Ok(Value::Tensor(Tensor { entries, ..tensor }))
    }

    /// `vec3(...)`: one number for all, or as many as it has, of numbers and vectors (T-21).
    fn compound(&mut self, name: &str, length: usize, real: bool, arguments: &[Value]) -> Result<Value> {
        let ty = if real { self.typing.default_fp() } else { self.typing.default_ip() };
        let mut entries = flattened(arguments);
        if let [one] = &entries[..] {
            entries = vec![one.clone(); length];
        }
        if entries.len() != length {
            let given = entries.len();
            return Err(self.wrong(Misuse::Arity { name: name.to_owned(), takes: length, given }));
        }
        let entries = entries.iter().map(|entry| Ok(Value::Number(self.number_of(entry, ty)?)));
        Ok(Value::Tensor(Tensor::vector(entries.collect::<Result<_>>()?)))
    }
}

/// The numbers of values, one after the other.
fn flattened(values: &[Value]) -> Vec<Value> {
    let numbers = |value: &Value| match value {
        Value::Tensor(tensor) => tensor.entries.clone(),
        other => vec![other.clone()],
    };
    values.iter().flat_map(numbers).collect()
}
