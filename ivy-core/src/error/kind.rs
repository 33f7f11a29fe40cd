//! The ways in which a call can fail, and their sentences.

use super::Dtypes;
use super::text::{
    At, Listed, argued, article, kept, nearest_names, no_entry, no_room, operand_named, sentence, wider,
};
use crate::{Dtype, DtypeSet, Rules, Scalar, Shape};

/// Every way in which a call can fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name that no dtype has.
    #[error(
        "{name} is not supported by ivy{}{}",
        backend.as_ref().map_or(String::new(), |b| format!(", and {b} has no dtype of this name")),
        hint.map_or(String::new(), |d| format!("; did you mean {d}?"))
    )]
    UnknownDtype {
        /// The name that was given.
        name: String,
        /// A dtype with a similar name.
        hint: Option<Dtype>,
        /// The backend whose own names were asked as well.
        backend: Option<String>,
    },
    /// A dtype of another kind than a function or type wants.
    #[error("{function}: {dtype} is not {} {expected} dtype", article(expected))]
    WrongDtypeKind {
        /// The function or type that was asked.
        function: &'static str,
        /// The dtype given.
        dtype: Dtype,
        /// The kind wanted.
        expected: &'static str,
    },
    /// A name that no registered backend has.
    #[error("no backend is called `{name}`; there are: {}. {remedy}", known.join(", "))]
    UnknownBackend {
        /// The name that was given.
        name: String,
        /// The names that are registered.
        known: Vec<String>,
        /// What to do.
        remedy: String,
    },
    /// A backend that is known but cannot run here, or not at this version or place.
    #[error("backend {name} is not available: {reason}. {remedy}")]
    BackendUnavailable {
        /// The backend asked for.
        name: String,
        /// Why it is not available.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// A name that no function has.
    #[error("no function is called `{name}`{}", hint.map_or(String::new(), |n| format!("; did you mean {n}?")))]
    UnknownFunction {
        /// The name that was given.
        name: String,
        /// A function with a similar name.
        hint: Option<&'static str>,
    },
    /// Two dtypes without a common one under the rules in force.
    #[error("{function}: {left} and {right} have no common dtype under the {rules} rules{}. {remedy}", no_entry(*rules, *left, *right))]
    NoPromotion {
        /// The function called.
        function: &'static str,
        /// The first dtype.
        left: Dtype,
        /// The second dtype.
        right: Dtype,
        /// The rules that were asked.
        rules: Rules,
        /// What to do.
        remedy: &'static str,
    },
    /// A dtype outside the function's domain: refused on every backend, unless a casting mode is on.
    #[error("{function}: {} cannot be {dtype}; it takes {allowed}. {remedy}", operand_named(operand))]
    OutsideDomain {
        /// The function called.
        function: &'static str,
        /// The operand's name.
        operand: &'static str,
        /// Its dtype, after promotion.
        dtype: Dtype,
        /// The dtypes that the function takes there.
        allowed: DtypeSet,
        /// What to do, casting modes that would help among it.
        remedy: String,
    },
    /// A dtype inside the domain that this backend cannot compute (decision S1).
    #[error(
        "{function}: {backend} {version} does not support {}: {reason}. It supports {}. {remedy}",
        Listed(dtypes), if supported.is_empty() { "no dtype here".to_string() } else { supported.to_string() }
    )]
    UnsupportedDtype {
        /// The function called.
        function: &'static str,
        /// The operand dtypes, after promotion.
        dtypes: Dtypes,
        /// The backend's name.
        backend: String,
        /// The backend's version.
        version: String,
        /// Why not.
        reason: String,
        /// The dtypes that it supports in this call.
        supported: DtypeSet,
        /// What to do, casting modes that would help among it.
        remedy: String,
    },
    /// A cast that nobody wrote, where only written ones are allowed (`set_strict_casts`).
    #[error(
        "{function}: {operand} would be cast from {from} to {to} ({rule}), and implicit casts are errors here. {remedy}"
    )]
    ImplicitCast {
        /// The function called.
        function: &'static str,
        /// The operand's name.
        operand: &'static str,
        /// Its dtype.
        from: Dtype,
        /// The dtype that it would be cast to.
        to: Dtype,
        /// What asks for the cast.
        rule: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A dtype for which the backend has no storage (decision S25).
    #[error("{function}: {backend} {version} has no storage for {dtype}. {remedy}")]
    DtypeNotStored {
        /// The function called.
        function: &'static str,
        /// The dtype.
        dtype: Dtype,
        /// The backend's name.
        backend: String,
        /// The backend's version.
        version: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Operands of two backends or devices.
    #[error("{function}: operands of {left} and {right}; move one with `to_backend`")]
    BackendMismatch {
        /// The function called.
        function: &'static str,
        /// Place of the first array.
        left: String,
        /// Place of the other.
        right: String,
    },
    /// A conversion that is refused for what it loses (decision S35).
    #[error("{function}: {from} does not convert to {to}: {rule}. {remedy}")]
    CastRefused {
        /// The function called.
        function: &'static str,
        /// The dtype of the array.
        from: Dtype,
        /// The dtype asked for.
        to: Dtype,
        /// The rule that was broken.
        rule: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// Shapes that do not broadcast.
    #[error("{function}: shapes {} do not broadcast", Listed(shapes))]
    BroadcastShapes {
        /// The function called.
        function: &'static str,
        /// All the shapes.
        shapes: Vec<Shape>,
    },
    /// A shape other than the one demanded.
    #[error("{function}: {argument} has shape {actual}, {expected} is needed")]
    ShapeMismatch {
        /// The function called.
        function: &'static str,
        /// The argument.
        argument: &'static str,
        /// What is needed, in words or numbers.
        expected: String,
        /// The shape given.
        actual: Shape,
    },
    /// A dtype other than the one demanded.
    #[error("{function}: {argument} is {actual}, {expected} is needed")]
    DtypeMismatch {
        /// The function called.
        function: &'static str,
        /// The argument.
        argument: &'static str,
        /// The dtype needed.
        expected: Dtype,
        /// The dtype given.
        actual: Dtype,
    },
    /// A variable of a loop, or a result of a conditional, that does not keep its dtype and shape.
    #[error(
        "{function}: variable {variable} is {before} {before_shape} and becomes {after} {after_shape}; its dtype and shape stay the same: {}",
        kept(*before, *after, before_shape, after_shape)
    )]
    VariableChanged {
        /// The function called.
        function: &'static str,
        /// The variable's number among those given, from 0 on.
        variable: usize,
        /// Its dtype.
        before: Dtype,
        /// Its shape.
        before_shape: Shape,
        /// The dtype that it gets.
        after: Dtype,
        /// The shape that it gets.
        after_shape: Shape,
    },
    /// An axis that the array does not have.
    #[error("{function}: axis {axis} is out of range for {ndim} dimensions")]
    AxisOutOfRange {
        /// The function called.
        function: &'static str,
        /// The axis given.
        axis: i64,
        /// How many the array has.
        ndim: usize,
    },
    /// An axis given twice.
    #[error("{function}: axis {axis} is given twice (of {ndim} dimensions)")]
    RepeatedAxis {
        /// The function called.
        function: &'static str,
        /// The axis.
        axis: i64,
        /// How many the array has.
        ndim: usize,
    },
    /// A host scalar outside the integer dtype that it must take (decision S15).
    #[error("{function}: {value} is out of range for {dtype} ({min} to {max}). {}", wider(value))]
    ScalarOutOfRange {
        /// The function called.
        function: &'static str,
        /// The scalar.
        value: Scalar,
        /// The dtype that it must take.
        dtype: Dtype,
        /// The dtype's least value.
        min: i128,
        /// The dtype's greatest value.
        max: i128,
    },
    /// An index that the axis does not have.
    #[error("{function}: index {index} is out of range for axis {axis} of length {length}{}", position.map_or(String::new(), |p| format!(" (at position {p} of the index array)")))]
    IndexOutOfRange {
        /// The function called.
        function: &'static str,
        /// The first index that is out of range: of any integer dtype.
        index: i128,
        /// The axis that it indexes.
        axis: usize,
        /// The axis' length.
        length: usize,
        /// Where in a flat index array it stands.
        position: Option<usize>,
    },
    /// A reduction without identity over no elements (decision S36).
    #[error("{function}: no elements to reduce in shape {shape}, and {function} of nothing has no value")]
    EmptyReduction {
        /// The function called.
        function: &'static str,
        /// The array's shape.
        shape: Shape,
    },
    /// A size that no memory can have.
    #[error("{function}: shape {shape}{} is too large for this machine's addresses", dtype.map_or(String::new(), |d| format!(" of {d}")))]
    SizeOverflow {
        /// The function called.
        function: &'static str,
        /// The shape asked for.
        shape: Shape,
        /// The dtype, if it matters.
        dtype: Option<Dtype>,
    },
    /// A result above the memory limit, or memory that the system refused.
    #[error(
        "{function}: the result needs {bytes} bytes, {}", no_room(*limit)
    )]
    MemoryLimit {
        /// The function called.
        function: &'static str,
        /// The bytes that the result needs.
        bytes: u128,
        /// The limit in bytes.
        limit: u128,
    },
    /// An argument that breaks a rule of its function.
    #[error("{function}: {argument} = {value}: {rule}")]
    InvalidArgument {
        /// The function called.
        function: &'static str,
        /// The argument's name.
        argument: &'static str,
        /// What was given.
        value: String,
        /// The rule.
        rule: &'static str,
    },
    /// An array that a derivative is taken by, where its elements are to be read as numbers: they would have no part in
    /// the derivative.
    #[error(
        "{function}: a derivative is taken by {argument}, whose elements would be constants in it. Compute with the array \
         (`stack` puts several together), or use `stop_gradient` on it where a constant is meant"
    )]
    TracedRead {
        /// The function that reads.
        function: &'static str,
        /// Which of its arguments.
        argument: &'static str,
    },
    /// An op that a transformation has no rule for, or an array of which it knows no elements.
    #[error("{function}: {transformation} {reason}. {remedy}")]
    NotTransformable {
        /// The function or op that was called.
        function: &'static str,
        /// The transformation: jvp, vjp or vmap.
        transformation: &'static str,
        /// What stands against it.
        reason: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A support table that cannot be read.
    #[error("{file}:{line}: {key}: {rule}")]
    MalformedTable {
        /// The file, or `code of BACKEND`.
        file: String,
        /// The line, or the number of the block.
        line: usize,
        /// The cell or name that is wrong.
        key: String,
        /// The rule that was broken.
        rule: String,
    },
    /// A file that is not what it should be.
    #[error("{path}: {rule} (at byte {offset})")]
    Malformed {
        /// The file, or what the bytes came from.
        path: String,
        /// Where in it.
        offset: u64,
        /// The rule that was broken.
        rule: String,
    },
    /// A file that cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// A call that was interrupted ([`interrupt`](crate::interrupt)); what it was to compute was not changed.
    #[error("{function}: interrupted")]
    Interrupted {
        /// The function at work.
        function: &'static str,
    },
    /// A matrix without inverse (decision S30).
    #[error("{function}: the matrix{} is singular", At(batch))]
    SingularMatrix {
        /// The function called.
        function: &'static str,
        /// Which matrix of a stack, by its index; `None` where there is one matrix.
        batch: Option<Shape>,
    },
    /// A matrix that is not positive definite.
    #[error("{function}: the matrix{} is not positive definite", At(batch))]
    NotPositiveDefinite {
        /// The function called.
        function: &'static str,
        /// Which matrix of a stack, by its index; `None` where there is one matrix.
        batch: Option<Shape>,
    },
    /// A decomposition whose iteration found no end: a matrix with NaN or infinite elements,
    /// mostly.
    #[error("{function}: the iteration does not converge for the matrix{}: {reason}", At(batch))]
    NotConverged {
        /// The function called.
        function: &'static str,
        /// Which matrix of a stack, by its index; `None` where there is one matrix.
        batch: Option<Shape>,
        /// What is known of the matrix.
        reason: &'static str,
    },
    /// A call that a frontend refuses: by its signature, by its framework's rules, or for what is not there yet.
    #[error("{function}: {}{rule}{}", argued(argument, value), sentence(remedy))]
    FrontendCall {
        /// The function called, with the frontend before it: `torch.add`.
        function: &'static str,
        /// The frontend.
        frontend: &'static str,
        /// The argument, or nothing where it is about all of them.
        argument: String,
        /// What was given there, or nothing.
        value: String,
        /// The rule that was broken.
        rule: String,
        /// What to do.
        remedy: String,
        /// What kind of fault it is: `type`, `value`, `index`, `axis`, `runtime`, `casting`, `missing`.
        fault: &'static str,
    },
    /// A name that a frontend does not have.
    #[error("{frontend} has no `{name}` here{}{}", nearest_names(nearest), sentence(remedy))]
    FrontendName {
        /// The frontend.
        frontend: &'static str,
        /// The name that was given.
        name: String,
        /// Names that are like it, the nearest first.
        nearest: Vec<String>,
        /// What to do.
        remedy: String,
    },
    /// A version that a frontend does not know.
    #[error("{frontend} has no version `{version}` here; there are: {}", known.join(", "))]
    FrontendVersion {
        /// The frontend.
        frontend: &'static str,
        /// The version that was given.
        version: String,
        /// The versions that it knows.
        known: Vec<String>,
    },
    /// A failure below a backend that no rule foresaw.
    #[error("{function}: {backend} {version} failed on {}: {source}", Listed(dtypes))]
    BackendFailure {
        /// The function called.
        function: &'static str,
        /// The backend's name.
        backend: String,
        /// The backend's version.
        version: String,
        /// The operand dtypes.
        dtypes: Dtypes,
        /// What the backend said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ErrorKind {
    /// Memory that the system has not given.
    #[cold]
    pub fn no_memory(function: &'static str, bytes: u128) -> ErrorKind {
        ErrorKind::MemoryLimit { function, bytes, limit: isize::MAX as u128 }
    }

    /// A nested list whose rows have different shapes.
    pub fn ragged(first: &Shape, other: &Shape) -> ErrorKind {
        ErrorKind::InvalidArgument {
            function: "asarray",
            argument: "obj",
            value: format!("rows of shapes {first} and {other}"),
            rule: "all rows of a nested list have one shape",
        }
    }
}
