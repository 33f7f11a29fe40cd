//! Statements.

use crate::expr::{binary_of, call_name, value};
use crate::names::type_name;
use crate::span;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Block, Error, Expr, ExprForLoop, Local, Macro, Pat, Result, Stmt, Token, Type};

/// Writes a body.
#[derive(Clone, Copy)]
pub struct Writer {
    func: bool,
    has_result: bool,
}

impl Writer {
    /// The body of a kernel.
    pub fn kernel(has_result: bool) -> Writer {
        Writer { func: false, has_result }
    }

    /// The body of a function.
    pub fn func(has_result: bool) -> Writer {
        Writer { func: true, has_result }
    }

    /// True if a body has a `return` that is not its last statement.
    pub fn returns_early(block: &Block) -> bool {
        fn has(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Group(group) => has(group.stream()),
                TokenTree::Ident(ident) => ident == "return",
                _ => false,
            })
        }
        let Some((last, before)) = block.stmts.split_last() else { return false };
        let last = match last {
            Stmt::Expr(Expr::Return(last), _) => last.expr.as_ref().is_some_and(|e| has(e.to_token_stream())),
            other => has(other.to_token_stream()),
        };
        last || before.iter().any(|s| has(s.to_token_stream()))
    }

    /// A whole body: its end is its result.
    pub fn body(self, block: &Block) -> Result<TokenStream> {
        let (before, last) = match block.stmts.split_last() {
            Some((Stmt::Expr(Expr::Return(last), _), before)) => (before, last.expr.as_deref()),
            Some((Stmt::Expr(last, None), before)) if self.has_result => (before, Some(last)),
            _ => (&block.stmts[..], None),
        };
        let before = self.statements(before)?;
        let end = match (self.func, last) {
            (true, Some(last)) => {
                let last = value(last)?;
                quote!(let __end = #last; ::core::result::Result::Ok(::core::option::Option::Some(__end)))
            }
            (true, None) => quote!(::core::result::Result::Ok(::core::option::Option::None)),
            (false, Some(last)) => {
                let (at, last) = (span::of(last), value(last)?);
                quote!(let __end = #last; __b.spanned(#at, |__b| __b.give(::core::option::Option::Some(&__end)))?;)
            }
            (false, None) => quote!(),
        };
        Ok(quote!(#before #end))
    }

    fn statements(self, statements: &[Stmt]) -> Result<TokenStream> {
        statements.iter().map(|s| self.statement(s)).collect()
    }

    /// A block as a closure's body.
    fn closure(self, block: &Block) -> Result<TokenStream> {
        let written = self.statements(&block.stmts)?;
        Ok(quote! {
            |__b: &mut ::ivy_taichi::front::Scope| -> ::ivy_taichi::Result<()> {
                #written
                ::core::result::Result::Ok(())
            }
        })
    }

    fn statement(self, statement: &Stmt) -> Result<TokenStream> {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, _) => self.expr(expr),
            Stmt::Macro(called) => said(&called.mac),
            Stmt::Item(item) => Err(Error::new_spanned(item, "kernels have no items")),
        }
    }

    fn local(self, local: &Local) -> Result<TokenStream> {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        let Pat::Ident(name) = pattern else {
            return Err(Error::new_spanned(pattern, "`let` declares one name"));
        };
        let name = &name.ident;
        let Some(init) = &local.init else {
            return Err(Error::new_spanned(local, "a variable begins with a value, whose type it keeps"));
        };
        let ty = match ty {
            None => quote!(::core::option::Option::None),
            Some(ty) => {
                let of = named(ty)?;
                quote!(::core::option::Option::Some(#of))
            }
        };
        let (at, init) = (span::of(&init.expr), value(&init.expr)?);
        Ok(quote! {
            let #name = #init;
            let #name = __b.spanned(#at, |__b| __b.take(&#name, #ty))?;
        })
    }

    fn expr(self, expr: &Expr) -> Result<TokenStream> {
        let at = span::of(expr);
        Ok(match expr {
            Expr::Assign(assign) => {
                let (to, x) = (value(&assign.left)?, value(&assign.right)?);
                quote!({
                    let __to = #to;
                    let __x = #x;
                    __b.spanned(#at, |__b| __b.assign(&__to, &__x))?;
                })
            }
            Expr::Binary(binary) if binary_of(&binary.op).is_some_and(|(_, assigns)| assigns) => {
                let Some((op, _)) = binary_of(&binary.op) else { return value(expr) };
                let (to, x) = (value(&binary.left)?, value(&binary.right)?);
                quote!({
                    let __to = #to;
                    let __x = #x;
                    __b.spanned(#at, |__b| __b.assign_op(::ivy_taichi::types::BinaryOp::#op, &__to, &__x))?;
                })
            }
            Expr::If(choice) => self.branches(choice)?,
            Expr::While(repeat) => {
                let (condition, body) = (value(&repeat.cond)?, self.closure(&repeat.body)?);
                let at = span::of(&repeat.cond);
                quote! {
                    __b.spanned(#at, |__b| __b.repeat(
                        &mut |__b: &mut ::ivy_taichi::front::Scope| ::core::result::Result::Ok(#condition),
                        &mut #body,
                    ))?;
                }
            }
            Expr::Loop(repeat) => {
                let body = self.closure(&repeat.body)?;
                quote! {
                    __b.repeat(
                        &mut |__b: &mut ::ivy_taichi::front::Scope| __b.value(&true),
                        &mut #body,
                    )?;
                }
            }
            Expr::ForLoop(each) => self.each(each)?,
            Expr::Break(end) if end.expr.is_none() && end.label.is_none() => {
                quote!(__b.spanned(#at, |__b| __b.break_loop())?;)
            }
            Expr::Continue(end) if end.label.is_none() => {
                quote!(__b.spanned(#at, |__b| __b.continue_loop())?;)
            }
            Expr::Return(end) => match &end.expr {
                None => quote!(__b.spanned(#at, |__b| __b.give(::core::option::Option::None))?;),
                Some(given) => {
                    let given = value(given)?;
                    quote!({
                        let __end = #given;
                        __b.spanned(#at, |__b| __b.give(::core::option::Option::Some(&__end)))?;
                    })
                }
            },
            Expr::Block(block) => {
                let written = self.statements(&block.block.stmts)?;
                quote!({ #written })
            }
            Expr::Macro(called) => said(&called.mac)?,
            other => {
                let written = value(other)?;
                quote!(let _ = #written;)
            }
        })
    }

    fn branches(self, choice: &syn::ExprIf) -> Result<TokenStream> {
        let otherwise = match &choice.else_branch {
            None => quote!(),
            Some((_, other)) => self.expr(other)?,
        };
        if let Some(condition) = known(&choice.cond) {
            let then = self.statements(&choice.then_branch.stmts)?;
            return Ok(quote!(if #condition { #then } else { #otherwise }));
        }
        let (condition, then) = (value(&choice.cond)?, self.closure(&choice.then_branch)?);
        let at = span::of(&choice.cond);
        Ok(quote!({
            let __condition = #condition;
            __b.spanned(#at, |__b| __b.branch(
                &__condition,
                &mut #then,
                &mut |__b: &mut ::ivy_taichi::front::Scope| -> ::ivy_taichi::Result<()> {
                    #otherwise
                    ::core::result::Result::Ok(())
                },
            ))?;
        }))
    }

    fn each(self, each: &ExprForLoop) -> Result<TokenStream> {
        let targets: Vec<&Pat> = match &*each.pat {
            Pat::Tuple(tuple) => tuple.elems.iter().collect(),
            other => vec![other],
        };
        let body = self.statements(&each.body.stmts)?;
        if let Expr::Call(call) = &*each.expr
            && call_name(call).is_some_and(|name| name == "static_range")
        {
            let [Some(range), None] = [call.args.first(), call.args.iter().nth(1)] else {
                return Err(Error::new_spanned(call, "`static_range` takes a range of Rust's"));
            };
            let pattern = &each.pat;
            return Ok(quote!(for #pattern in #range { #body }));
        }
        let mut bindings = Vec::new();
        for (n, target) in targets.iter().enumerate() {
            match target {
                Pat::Ident(name) => {
                    let name = &name.ident;
                    bindings.push(quote!(let #name = __indices[#n].clone();));
                }
                Pat::Wild(_) => {}
                other => return Err(Error::new_spanned(other, "what a loop counts is a name")),
            }
        }
        let (count, over, at) = (targets.len(), value(&each.expr)?, span::of(&each.expr));
        Ok(quote!({
            let __over = #over;
            __b.spanned(#at, |__b| __b.each_of(
                &__over,
                #count,
                &mut |__b: &mut ::ivy_taichi::front::Scope, __indices: &[::ivy_taichi::front::Value]| {
                    #(#bindings)*
                    #body
                    ::core::result::Result::Ok(())
                },
            ))?;
        }))
    }
}

/// The condition of Rust's in `static_if(condition)`.
fn known(condition: &Expr) -> Option<&Expr> {
    match condition {
        Expr::Call(call) if call.args.len() == 1 && call_name(call)? == "static_if" => call.args.first(),
        _ => None,
    }
}

/// The name of a type.
pub fn named(ty: &Type) -> Result<String> {
    let ident = match ty {
        Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    let name = ident.as_deref().and_then(type_name);
    name.map(str::to_owned)
        .ok_or_else(|| Error::new_spanned(ty, "the types of numbers are u1, i8 to u64, f16, f32 and f64"))
}

/// `print!` and `assert!`.
fn said(called: &Macro) -> Result<TokenStream> {
    let name = called.path.get_ident().map(ToString::to_string).unwrap_or_default();
    let (print, assert) = (name == "print" || name == "println", name == "assert");
    if !print && !assert {
        return Err(Error::new_spanned(called, "the macros of kernels are `print!` and `assert!`"));
    }
    let arguments = called.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    let mut arguments = arguments.iter();
    let condition = match assert {
        true => match arguments.next() {
            Some(condition) => Some(condition),
            None => return Err(Error::new_spanned(called, "`assert!` takes a condition")),
        },
        false => None,
    };
    let text = match arguments.next() {
        None => condition.map_or(String::new(), |c| format!("`{}`", c.to_token_stream())),
        Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => text.value(),
        Some(other) => return Err(Error::new_spanned(other, "a text stands here, with `{}` for each value")),
    };
    let values = arguments.map(value).collect::<Result<Vec<_>>>()?;
    let at = span::of(called);
    let call = match condition {
        None => quote!(__b.print(#text, "\n", &__values)),
        Some(condition) => {
            let condition = value(condition)?;
            return Ok(quote!({
                let __condition = #condition;
                let __values: ::std::vec::Vec<::ivy_taichi::front::Value> = ::std::vec![#(#values),*];
                __b.spanned(#at, |__b| __b.assert(&__condition, #text, &__values))?;
            }));
        }
    };
    Ok(quote!({
        let __values: ::std::vec::Vec<::ivy_taichi::front::Value> = ::std::vec![#(#values),*];
        __b.spanned(#at, |__b| #call)?;
    }))
}
