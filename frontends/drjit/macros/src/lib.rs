//! The macros of ivy's Dr.Jit frontend: structs that hold arrays, virtual calls on instances, and plain loops and conditionals that
//! become recorded ones. `ivy_drjit` exports them with examples.

mod dispatch;
mod structure;
mod syntax;
mod variables;

use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Makes a struct a `Traverse`: all its fields hold arrays, but those marked `#[drjit(skip)]`, which are cloned, and are part of what a
/// frozen function depends on by their `Debug` text.
#[proc_macro_derive(DrjitStruct, attributes(drjit))]
pub fn drjit_struct(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    structure::expand(input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Gives a trait `Name` a type `NamePtr`, an array of instances with the trait's methods: each calls the methods of the instances, for
/// each thread that of its own. Methods take `&self` and references to values that hold arrays, and give a `Result` of such a value.
/// One marked `#[getter]` has no arguments, and is called once an instance: its values are gathered from a table.
#[proc_macro_attribute]
pub fn dispatch(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::ItemTrait);
    dispatch::expand(arguments.into(), item).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes the `while` and `if` of a function `while_loop` and `if_stmt` on the variables that they assign to. In their conditions, and
/// in these only, comparisons and `&&`, `||`, `!` are those of arrays. `#[host]` before one of them leaves it as it is; `mode = ...`
/// after the attribute's name says how they are done.
#[proc_macro_attribute]
pub fn syntax(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::ItemFn);
    syntax::expand(arguments.into(), item).unwrap_or_else(syn::Error::into_compile_error).into()
}
