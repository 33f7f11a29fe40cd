//! The attribute macros of ivy's Taichi frontend: functions in Rust's syntax become functions that build the
//! frontend's IR. What they write calls `ivy_taichi::front`; its docs say what each piece of syntax means.

mod block;
mod expr;
mod item;
mod names;
mod span;

use proc_macro::TokenStream;

/// Makes a function a kernel: calling it compiles it for its arguments' layouts, once, and runs it.
///
/// Parameters are numbers, vectors and matrices by value, fields by reference (`&Field<f32>`, `&impl AnyField`), and,
/// with `#[template]` before them, values of Rust's that it is compiled for. It gives a `Result` of what it declares:
/// nothing, or a number.
///
/// In its body, an outermost `for` is parallel: over a field (`for (i, j) in x`), its indices as one vector
/// (`for i in grouped(x)`), a range, or `ndrange(3, 0..n)`. Elements are `x[i]`, `x[(i, j)]`, or `x[None]` of a field of one;
/// `+=` and its like on them are atomic. Locals, `if`, `while`, `loop`, `break`, `continue`, `return`, `as`, arrays as vectors
/// and matrices, their methods and swizzles, `print!`, `assert!`, `for k in static_range(0..3)` for loops that are
/// unrolled, and `if static_if(c)` for conditions of Rust's are there as well. Names of Rust's numbers are literals.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    item::expand(attribute.into(), item.into(), item::Kind::Kernel).into()
}

/// Makes a function one that kernels call: it is inlined. Its arguments are copies, but for fields; a number's type
/// that it names is what the argument is cast to. `impl Copy` and the like stand for any type.
#[proc_macro_attribute]
pub fn func(attribute: TokenStream, item: TokenStream) -> TokenStream {
    item::expand(attribute.into(), item.into(), item::Kind::Func).into()
}
