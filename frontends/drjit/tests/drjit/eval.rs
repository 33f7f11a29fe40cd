//! Values of Python's expressions, computed by the crate.

use super::parse::{Expr, parse};
use ivy_core::Scalar;
use ivy_drjit::{
    self as dr, AnyArray, Arg, ArrayType, Error, FormatArg, IntoArg, Order, Package, ReduceOp, Slice,
};

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    Array(AnyArray),
    Scalar(Scalar),
    Type(ArrayType),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Text(String),
    Function(String),
    Reduce(ReduceOp),
    None,
}

pub type Out = Result<Value, Error>;

/// The value of a text, in which some names stand for values.
pub fn eval(text: &str, names: &[(&str, Value)]) -> Out {
    of(&parse(text), names)
}

/// What Python writes of a value.
pub fn text_of(value: &Value) -> String {
    let list = |list: &[Value]| list.iter().map(text_of).collect::<Vec<_>>().join(", ");
    match value {
        Value::Array(x) => x.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(values) => format!("[{}]", list(values)),
        Value::Tuple(values) if values.len() == 1 => format!("({},)", list(values)),
        Value::Tuple(values) => format!("({})", list(values)),
        Value::Scalar(x) => match x {
            Scalar::Bool(true) => "True".into(),
            Scalar::Bool(false) => "False".into(),
            other => other.to_string(),
        },
        Value::Type(ty) => ty.to_string(),
        other => format!("{other:?}"),
    }
}

/// The name of a value's type, as the tables write it.
pub fn type_of(value: &Value) -> String {
    let named = |ty: ArrayType| {
        let package = match (ty.package().is_jit(), ty.package().ad) {
            (false, _) => "S",
            (true, false) => "L",
            (true, true) => "A",
        };
        format!("{package}.{}", ty.short_name())
    };
    match value {
        Value::Array(x) => named(x.ty()),
        Value::Type(ty) => named(*ty),
        Value::Scalar(x) => x.kind().to_string(),
        Value::Tuple(values) => values.iter().map(type_of).collect::<Vec<_>>().join(","),
        other => format!("{other:?}"),
    }
}

fn refused(function: &'static str, value: &Value) -> Error {
    let (argument, rule) = ("value", "one that Dr.Jit takes");
    Error::InvalidArgument { function, argument, value: format!("{value:?}"), rule }
}

fn arg(value: &Value) -> Result<Arg, Error> {
    Ok(match value {
        Value::Array(x) => x.into_arg(),
        Value::Scalar(x) => Arg::Scalar(*x),
        Value::List(list) | Value::Tuple(list) => Arg::List(list.iter().map(arg).collect::<Result<_, _>>()?),
        other => return Err(refused("arg", other)),
    })
}

fn array(value: &Value) -> Result<AnyArray, Error> {
    match value {
        Value::Array(x) => Ok(x.clone()),
        other => Err(refused("array", other)),
    }
}

fn integer(value: &Value) -> i64 {
    match value {
        Value::Scalar(x) => x.to_i128() as i64,
        other => panic!("{other:?} is no integer"),
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Scalar(x) => x.to_f64(),
        other => panic!("{other:?} is no number"),
    }
}

fn shape(value: &Value) -> Vec<usize> {
    match value {
        Value::Tuple(list) | Value::List(list) => list.iter().map(|x| integer(x) as usize).collect(),
        other => vec![integer(other) as usize],
    }
}

fn package_type(package: &str, name: &str) -> Value {
    let package = match package {
        "L" => Package::LLVM,
        "A" => Package::LLVM_AD,
        _ => Package::SCALAR,
    };
    let ty = ArrayType::of_short_name(package, name);
    Value::Type(ty.unwrap_or_else(|| panic!("no type is called {name}")))
}

fn of(expr: &Expr, names: &[(&str, Value)]) -> Out {
    let all = |list: &[Expr]| list.iter().map(|x| of(x, names)).collect::<Result<Vec<Value>, Error>>();
    match expr {
        Expr::Int(i) => Ok(Value::Scalar(Scalar::Int(*i))),
        Expr::Float(x) => Ok(Value::Scalar(Scalar::Float(*x))),
        Expr::Text(text) => Ok(Value::Text(text.clone())),
        Expr::List(list) => Ok(Value::List(all(list)?)),
        Expr::Tuple(list) => Ok(Value::Tuple(all(list)?)),
        Expr::Map(entries) => {
            let one = |(k, v): &(Expr, Expr)| Ok((of(k, names)?, of(v, names)?));
            Ok(Value::Map(entries.iter().map(one).collect::<Result<_, Error>>()?))
        }
        Expr::Name(name) => Ok(match name.as_str() {
            "True" => Value::Scalar(true.into()),
            "False" => Value::Scalar(false.into()),
            "None" => Value::None,
            name => match names.iter().find(|(own, _)| *own == name) {
                Some((_, value)) => value.clone(),
                None => Value::Function(name.to_owned()),
            },
        }),
        Expr::Attribute(inner, name) => match (&**inner, name.as_str()) {
            (Expr::Name(package), name) if matches!(package.as_str(), "L" | "A" | "S") => {
                Ok(package_type(package, name))
            }
            (Expr::Name(own), name) if own == "dr" => Ok(match name {
                "pi" => Value::Scalar(std::f64::consts::PI.into()),
                "nan" => Value::Scalar(f64::NAN.into()),
                "inf" => Value::Scalar(f64::INFINITY.into()),
                name => Value::Function(name.to_owned()),
            }),
            (Expr::Attribute(_, reduce), name) if reduce == "ReduceOp" => Ok(Value::Reduce(match name {
                "Add" => ReduceOp::Add,
                "Mul" => ReduceOp::Mul,
                "Min" => ReduceOp::Min,
                "Max" => ReduceOp::Max,
                "And" => ReduceOp::And,
                _ => ReduceOp::Or,
            })),
            (_, "shape") => Ok(Value::Tuple(
                array(&of(inner, names)?)?
                    .shape()
                    .unwrap()
                    .iter()
                    .map(|&n| Value::Scalar(n.into()))
                    .collect(),
            )),
            (_, "T") => dr::transpose(array(&of(inner, names)?)?).map(Value::Array),
            (_, "real") => array(&of(inner, names)?)?.real().map(Value::Array),
            (_, "imag") => array(&of(inner, names)?)?.imag().map(Value::Array),
            (_, name) => {
                let x = array(&of(inner, names)?)?;
                let one = match name {
                    "x" => x.x(),
                    "y" => x.y(),
                    "z" => x.z(),
                    "w" => x.w(),
                    names => x.swizzle(names),
                };
                one.map(Value::Array)
            }
        },
        Expr::Item(inner, indices) => item(&of(inner, names)?, all(indices)?),
        Expr::Unary(op, inner) => {
            let value = of(inner, names)?;
            match (*op, &value) {
                ("-", Value::Scalar(Scalar::Int(i))) => Ok(Value::Scalar(Scalar::Int(-i))),
                ("-", Value::Scalar(x)) => Ok(Value::Scalar((-x.to_f64()).into())),
                ("-", x) => dr::negative(array(x)?).map(Value::Array),
                ("~", x) => dr::invert(array(x)?).map(Value::Array),
                (_, x) => Ok(x.clone()),
            }
        }
        Expr::Binary(op, left, right) => binary(op, of(left, names)?, of(right, names)?),
        Expr::Call(function, args, named) => {
            let one = |(name, value): &(String, Expr)| Ok((name.clone(), of(value, names)?));
            let named = named.iter().map(one).collect::<Result<Vec<_>, Error>>()?;
            let (function, args) = (of(function, names)?, all(args)?);
            match function {
                Value::Type(ty) => construct(ty, &args).map(Value::Array),
                Value::Function(name) => super::answers::call(&name, &args, &named),
                other => panic!("{other:?} is called"),
            }
        }
    }
}

fn item(value: &Value, indices: Vec<Value>) -> Out {
    let x = array(value)?;
    if x.ty().kind() == dr::Kind::Tensor {
        let one = |value: &Value| match value {
            Value::Array(x) => Slice::Entries(x.clone()),
            Value::None => Slice::NewAxis,
            Value::Text(_) => Slice::Ellipsis,
            other => Slice::Entry(integer(other)),
        };
        return dr::slice(&x, &indices.iter().map(one).collect::<Vec<_>>()).map(Value::Array);
    }
    x.get_at(&indices.iter().map(integer).collect::<Vec<_>>()).map(Value::Array)
}

fn construct(ty: ArrayType, args: &[Value]) -> Result<AnyArray, Error> {
    if let (dr::Kind::Tensor, [elements, form @ Value::Tuple(_)]) = (ty.kind(), args) {
        return ty.make_tensor(arg(elements)?, &shape(form));
    }
    match args {
        [Value::None] if ty.is_mask_v() => ty.make(false),
        [one @ (Value::Array(_) | Value::Scalar(_))] => ty.make(arg(one)?),
        many => ty.make(Arg::List(many.iter().map(arg).collect::<Result<_, _>>()?)),
    }
}

fn host_power(op: &str, a: Scalar, b: Scalar) -> Option<Scalar> {
    match (op, a, b) {
        ("**", Scalar::Int(a), Scalar::Int(b)) => Some(Scalar::Int(a.pow(b as u32))),
        ("/", a, b) => Some((a.to_f64() / b.to_f64()).into()),
        _ => None,
    }
}

fn binary(op: &str, left: Value, right: Value) -> Out {
    if let (Value::Scalar(a), Value::Scalar(b)) = (&left, &right)
        && let Some(value) = host_power(op, *a, *b)
    {
        return Ok(Value::Scalar(value));
    }
    let (a, b) = (arg(&left)?, arg(&right)?);
    let result = match op {
        "+" => dr::add(a, b),
        "-" => dr::subtract(a, b),
        "*" => dr::multiply(a, b),
        "/" => dr::divide(a, b),
        "//" => dr::floor_divide(a, b),
        "%" => dr::remainder(a, b),
        "**" => dr::power(a, b),
        "<<" => dr::left_shift(a, b),
        ">>" => dr::right_shift(a, b),
        "&" => dr::bitwise_and(a, b),
        "|" => dr::bitwise_or(a, b),
        "^" => dr::bitwise_xor(a, b),
        "@" => dr::matmul(a, b),
        "==" => dr::eq(a, b),
        "!=" => dr::neq(a, b),
        "<" => dr::lt(a, b),
        "<=" => dr::le(a, b),
        ">" => dr::gt(a, b),
        _ => dr::ge(a, b),
    };
    result.map(Value::Array)
}

/// Arguments of a call by position and by name.
pub struct Args<'a> {
    pub list: &'a [Value],
    pub named: &'a [(String, Value)],
}

impl Args<'_> {
    fn named(&self, name: &str) -> Option<&Value> {
        self.named.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub fn arg(&self, i: usize) -> Result<Arg, Error> {
        arg(self.list.get(i).unwrap_or_else(|| panic!("argument {i} is missing")))
    }

    pub fn array(&self, i: usize) -> Result<AnyArray, Error> {
        array(&self.list[i])
    }

    pub fn ty(&self, i: usize) -> ArrayType {
        match &self.list[i] {
            Value::Type(ty) => *ty,
            Value::Array(x) => x.ty(),
            Value::Function(name) => panic!("{name} is no array type"),
            other => panic!("{other:?} is no type"),
        }
    }

    pub fn integer(&self, i: usize, name: &str, default: i64) -> i64 {
        self.list.get(i).or(self.named(name)).map_or(default, integer)
    }

    pub fn float(&self, i: usize) -> f64 {
        float(&self.list[i])
    }

    pub fn reduce(&self, i: usize) -> ReduceOp {
        match self.list[i] {
            Value::Reduce(op) => op,
            ref other => panic!("{other:?} is no operation"),
        }
    }

    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.named(name).map_or(default, |value| matches!(value, Value::Scalar(x) if x.to_bool()))
    }

    pub fn axis(&self) -> dr::Axis {
        match self.named("axis") {
            None => dr::Axis::Default,
            Some(Value::None) => dr::Axis::All,
            Some(Value::Tuple(list)) => dr::Axis::Of(list.iter().map(integer).collect()),
            Some(one) => dr::Axis::Of(vec![integer(one)]),
        }
    }

    pub fn order(&self) -> Order {
        match self.named("order") {
            Some(Value::Text(text)) if text == "C" => Order::C,
            Some(Value::Text(text)) if text == "F" => Order::F,
            _ => Order::Auto,
        }
    }

    pub fn shape(&self, i: usize) -> Vec<usize> {
        shape(&self.list[i])
    }

    pub fn shape_named(&self) -> Option<Vec<usize>> {
        self.list.get(1).or(self.named("shape")).map(shape)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.named(name) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A text with references and what they refer to.
    pub fn format(&self) -> Out {
        fn of(value: &Value) -> FormatArg {
            match value {
                Value::Array(x) => x.into(),
                Value::List(list) => FormatArg::List(list.iter().map(of).collect()),
                Value::Map(entries) => {
                    FormatArg::Map(entries.iter().map(|(k, v)| (text_of(k), of(v))).collect())
                }
                other => FormatArg::Text(text_of(other)),
            }
        }
        let (text, list) = match self.list.split_first() {
            Some((Value::Text(text), rest)) => (text.clone(), rest),
            _ => (vec!["{}"; self.list.len()].join(" "), self.list),
        };
        let positional = list.iter().map(|value| ("", of(value)));
        let named = self.named.iter().filter(|(name, _)| name != "limit");
        let args: Vec<(&str, FormatArg)> =
            positional.chain(named.map(|(name, value)| (name.as_str(), of(value)))).collect();
        let limit = self.named("limit").map(integer);
        let text = match limit {
            None => dr::format(&text, &args)?,
            Some(limit) => dr::format_with_limit(&text, &args, usize::try_from(limit).ok())?,
        };
        Ok(Value::Text(text))
    }
}
