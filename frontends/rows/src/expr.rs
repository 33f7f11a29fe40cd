//! Bodies as trees.

/// A comparison of host values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// An operator of arithmetic: on host numbers by host arithmetic, on arrays by the core's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ArithmeticOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Remainder,
    Power,
}

macro_rules! builtins {
    ($($(#[$doc:meta])* $variant:ident $name:literal $least:literal ..= $most:literal;)*) => {
        /// A function of the machine, which no table has to define.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Builtin {
            $($(#[$doc])* $variant,)*
        }

        impl Builtin {
            /// All of them, with the least and the greatest number of arguments.
            pub const ALL: &'static [(Builtin, &'static str, usize, usize)] =
                &[$((Builtin::$variant, $name, $least, $most),)*];
        }
    };
}
builtins! {
    /// The lengths of an array's axes, as a tuple.
    Shape "shape" 1..=1;
    /// How many axes an array has.
    Ndim "ndim" 1..=1;
    /// How many elements an array has.
    Size "size" 1..=1;
    /// An array's dtype; that of a host number is the default of its kind.
    Dtype "dtype" 1..=1;
    /// How many entries a tuple, list or text has, or an array along its first axis.
    Len "len" 1..=1;
    /// The arguments as a tuple; a single one that is a tuple, a list or integers of one axis gives its entries.
    Tuple "tuple" 0..=16;
    /// Likewise, as a list.
    List "list" 0..=16;
    /// An operand as an array, by the frontend's rules for host values and lists.
    AsArray "asarray" 1..=2;
    /// An operand as an array, where the frontend does not take lists otherwise.
    Array "array" 1..=2;
    /// A host number as one, an array without axes as the number that it holds.
    Weak "weak" 1..=1;
    /// The integers below a number, or between two, as a tuple.
    Range "range" 1..=3;
    /// The product of host integers; of an array the core's function.
    Prod "prod" 1..=1;
    /// Whether a value is an array.
    IsArray "is_array" 1..=1;
    /// Whether a value is a host number or truth value.
    IsNumber "is_number" 1..=1;
    /// Whether a value is a host integer.
    IsInt "is_int" 1..=1;
    /// Whether a value is a host real number.
    IsFloat "is_float" 1..=1;
    /// Whether a value is a host truth value.
    IsBool "is_bool" 1..=1;
    /// Whether a value is a text.
    IsText "is_text" 1..=1;
    /// Whether a value is a dtype.
    IsDtype "is_dtype" 1..=1;
    /// Whether a value is a tuple or list.
    IsList "is_list" 1..=1;
    /// Whether a value is a tuple or list of host integers.
    IsInts "is_ints" 1..=1;
    /// Whether a value is a tuple or list of arrays, one at least.
    IsArrays "is_arrays" 1..=1;
    /// The default float dtype in force.
    DefaultFloat "default_float" 0..=0;
    /// The default integer dtype in force.
    DefaultInt "default_int" 0..=0;
    /// The default complex dtype in force.
    DefaultComplex "default_complex" 0..=0;
    /// The distance from 1 to the next number of a float dtype.
    FinfoEps "finfo_eps" 1..=1;
    /// The greatest number of a float dtype.
    FinfoMax "finfo_max" 1..=1;
    /// The least number of a float dtype.
    FinfoMin "finfo_min" 1..=1;
    /// The least normal number of a float dtype.
    FinfoTiny "finfo_tiny" 1..=1;
    /// The greatest number of an integer dtype.
    IinfoMax "iinfo_max" 1..=1;
    /// The least number of an integer dtype.
    IinfoMin "iinfo_min" 1..=1;
    /// A value as a host integer: of a number, a text or an array of one element.
    Int "int" 1..=1;
    /// A value as a host real number.
    Float "float" 1..=1;
    /// A value as a host real number that float32 holds, as a framework's attribute of an operation is kept.
    Float32 "float32" 1..=1;
    /// A value as a host truth value.
    Bool "bool" 1..=1;
    /// The elements at an index expression: integers, `slice(...)`, None, arrays, or a tuple of them.
    GetItem "getitem" 2..=2;
    /// An array with other elements at an index expression.
    SetItem "setitem" 3..=3;
    /// A slice of an index expression.
    Slice "slice" 1..=3;
    /// All the axes that the other entries of an index expression leave over.
    Ellipsis "ellipsis" 0..=0;
    /// The least of host numbers.
    Least "least" 1..=16;
    /// The greatest of host numbers.
    Greatest "greatest" 1..=16;
    /// Entries in turned order.
    Reversed "reversed" 1..=1;
    /// The places of sorted entries: `sorted((2, 0))` is `(0, 2)`.
    Sorted "sorted" 1..=1;
    /// The first call, or the second one where the first is not defined for a dtype of its operands.
    OrElse "or_else" 2..=2;
    /// A row's refusal: the frontend's error with a class and a text.
    Refuse "refuse" 2..=2;
}

impl Builtin {
    /// The function of a name, with the least and the greatest number of arguments.
    pub fn find(name: &str) -> Option<(Builtin, usize, usize)> {
        let found = Builtin::ALL.iter().find(|(_, known, ..)| *known == name)?;
        Some((found.0, found.2, found.3))
    }
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function of the machine.
    Builtin(Builtin),
    /// A function of the core, by its name.
    Core(String),
    /// Another row of the same frontend, by its path.
    Row(String),
    /// Code of the frontend's crate.
    Special(String),
}

/// A named argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Expr,
    /// Where it stands in the body.
    pub at: usize,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// The arguments by position; [`Expr::Spread`] stands for several.
    pub positional: Vec<Expr>,
    /// The arguments by name.
    pub named: Vec<Named>,
    /// Where it stands in the body.
    pub at: usize,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A parameter of the row, by its place in the signature.
    Parameter(usize),
    /// A word of a default that is no literal, such as `float`.
    Word(String),
    /// Nothing.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Float(f64),
    /// An imaginary number.
    Imaginary(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Expr>),
    /// A tuple.
    Tuple(Vec<Expr>),
    /// The entries of a tuple or list, among those of a call, list or tuple.
    Spread(Box<Expr>),
    /// A call.
    Call(Box<Call>),
    /// `then if condition else otherwise`
    If {
        /// The condition.
        condition: Box<Expr>,
        /// The value where it holds.
        then: Box<Expr>,
        /// The value where it does not.
        otherwise: Box<Expr>,
    },
    /// `x is None`, or `is not None` where the flag is false.
    IsNone(Box<Expr>, bool),
    /// A comparison.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `x in y`, or `not in` where the flag is false.
    In(Box<Expr>, Box<Expr>, bool),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `-a`
    Negate(Box<Expr>),
    /// Arithmetic.
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    /// `a[i]`
    Item(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Calls `visit` with this expression and each one in it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        match self {
            Expr::List(all) | Expr::Tuple(all) => all.iter().for_each(|e| e.walk(visit)),
            Expr::Spread(e) | Expr::IsNone(e, _) | Expr::Not(e) | Expr::Negate(e) => e.walk(visit),
            Expr::Call(call) => {
                call.positional.iter().for_each(|e| e.walk(visit));
                call.named.iter().for_each(|n| n.value.walk(visit));
            }
            Expr::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|e| e.walk(visit));
            }
            Expr::Compare(_, a, b)
            | Expr::In(a, b, _)
            | Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Arithmetic(_, a, b)
            | Expr::Item(a, b) => [a, b].into_iter().for_each(|e| e.walk(visit)),
            Expr::Parameter(_)
            | Expr::Word(_)
            | Expr::None
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Float(_)
            | Expr::Imaginary(_)
            | Expr::Text(_) => {}
        }
    }
}
