//! Expressions: each becomes an expression of Rust's that gives a `Value`.

use crate::block::named;
use crate::names::{FUNCTIONS, TYPES, type_name};
use crate::span;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{BinOp, Block, Error, Expr, ExprCall, Lit, Member, RangeLimits, Result, Stmt, UnOp};

/// The operation of an operator, and whether it assigns; `&&` and `||` are no operations.
pub fn binary_of(op: &BinOp) -> Option<(Ident, bool)> {
    let (name, assigns) = match op {
        BinOp::Add(_) => ("Add", false),
        BinOp::Sub(_) => ("Sub", false),
        BinOp::Mul(_) => ("Mul", false),
        BinOp::Div(_) => ("TrueDiv", false),
        BinOp::Rem(_) => ("Mod", false),
        BinOp::BitAnd(_) => ("BitAnd", false),
        BinOp::BitOr(_) => ("BitOr", false),
        BinOp::BitXor(_) => ("BitXor", false),
        BinOp::Shl(_) => ("BitShl", false),
        BinOp::Shr(_) => ("BitSar", false),
        BinOp::Eq(_) => ("CmpEq", false),
        BinOp::Ne(_) => ("CmpNe", false),
        BinOp::Lt(_) => ("CmpLt", false),
        BinOp::Le(_) => ("CmpLe", false),
        BinOp::Gt(_) => ("CmpGt", false),
        BinOp::Ge(_) => ("CmpGe", false),
        BinOp::AddAssign(_) => ("Add", true),
        BinOp::SubAssign(_) => ("Sub", true),
        BinOp::MulAssign(_) => ("Mul", true),
        BinOp::DivAssign(_) => ("TrueDiv", true),
        BinOp::RemAssign(_) => ("Mod", true),
        BinOp::BitAndAssign(_) => ("BitAnd", true),
        BinOp::BitOrAssign(_) => ("BitOr", true),
        BinOp::BitXorAssign(_) => ("BitXor", true),
        BinOp::ShlAssign(_) => ("BitShl", true),
        BinOp::ShrAssign(_) => ("BitSar", true),
        _ => return None,
    };
    Some((format_ident!("{}", name), assigns))
}

/// The single name that is called.
pub fn call_name(call: &ExprCall) -> Option<String> {
    match &*call.func {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// A literal by its digits; `negative` if a minus is before it.
fn literal(lit: &Lit, negative: bool) -> Result<TokenStream> {
    let sign = |x: i128| if negative { -x } else { x };
    let (literal, suffix) = match lit {
        Lit::Bool(x) if !negative => {
            let value = x.value;
            (quote!(Bool(#value)), "")
        }
        Lit::Int(x) => {
            let value = sign(x.base10_parse::<i128>()?);
            (quote!(Int(#value)), x.suffix())
        }
        Lit::Float(x) => {
            let value = x.base10_parse::<f64>()? * if negative { -1.0 } else { 1.0 };
            (quote!(Float(#value)), x.suffix())
        }
        other => return Err(Error::new_spanned(other, "literals of kernels are numbers")),
    };
    let (at, literal) = (span::of(lit), quote!(::ivy_taichi::types::Literal::#literal));
    Ok(match suffix {
        "" => quote!(__b.spanned(#at, |__b| __b.literal(#literal))?),
        suffix => {
            let name = type_name(suffix)
                .ok_or_else(|| Error::new_spanned(lit, "there is no such type of numbers"))?;
            quote!(__b.spanned(#at, |__b| __b.suffixed(#literal, #name))?)
        }
    })
}

/// The expression that a block is.
fn single(block: &Block) -> Result<&Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(expr, None)] => Ok(expr),
        _ => Err(Error::new_spanned(block, "a block that gives a value has one expression here")),
    }
}

/// Writes an expression.
pub fn value(expr: &Expr) -> Result<TokenStream> {
    let at = span::of(expr);
    Ok(match expr {
        Expr::Lit(lit) => literal(&lit.lit, false)?,
        Expr::Path(path) if path.path.is_ident("None") => quote!(::ivy_taichi::front::Value::Nothing),
        Expr::Path(path) => quote!(__b.spanned(#at, |__b| __b.value(&#path))?),
        Expr::Paren(inner) => value(&inner.expr)?,
        Expr::Group(inner) => value(&inner.expr)?,
        Expr::Reference(inner) => value(&inner.expr)?,
        Expr::Block(block) => value(single(&block.block)?)?,
        Expr::Unary(unary) => match (&unary.op, &*unary.expr) {
            (UnOp::Neg(_), Expr::Lit(lit)) => literal(&lit.lit, true)?,
            (UnOp::Deref(_), inner) => value(inner)?,
            (op, inner) => {
                let op = format_ident!("{}", if matches!(op, UnOp::Neg(_)) { "Neg" } else { "LogicNot" });
                let inner = value(inner)?;
                quote!({
                    let __x = #inner;
                    __b.spanned(#at, |__b| __b.unary(::ivy_taichi::types::UnaryOp::#op, &__x))?
                })
            }
        },
        Expr::Binary(binary) => {
            let (x, y) = (value(&binary.left)?, value(&binary.right)?);
            match (binary_of(&binary.op), &binary.op) {
                (Some((op, false)), _) => quote!({
                    let __x = #x;
                    let __y = #y;
                    __b.spanned(#at, |__b| __b.binary(::ivy_taichi::types::BinaryOp::#op, &__x, &__y))?
                }),
                (None, BinOp::And(_) | BinOp::Or(_)) => {
                    let and = matches!(binary.op, BinOp::And(_));
                    quote!({
                        let __x = #x;
                        __b.spanned(#at, |__b| __b.logical(#and, &__x, |__b| ::core::result::Result::Ok(#y)))?
                    })
                }
                _ => return Err(Error::new_spanned(expr, "an assignment gives no value")),
            }
        }
        Expr::Cast(cast) => {
            let (x, ty) = (value(&cast.expr)?, named(&cast.ty)?);
            quote!({
                let __x = #x;
                __b.spanned(#at, |__b| __b.cast(&__x, #ty))?
            })
        }
        Expr::Index(index) => {
            let base = value(&index.expr)?;
            let indices: Vec<&Expr> = match &*index.index {
                Expr::Tuple(tuple) => tuple.elems.iter().collect(),
                other => vec![other],
            };
            let indices = indices.into_iter().map(value).collect::<Result<Vec<_>>>()?;
            quote!({
                let __base = #base;
                let __indices: ::std::vec::Vec<::ivy_taichi::front::Value> = ::std::vec![#(#indices),*];
                __b.spanned(#at, |__b| __b.index(&__base, &__indices))?
            })
        }
        Expr::Field(field) => {
            let Member::Named(name) = &field.member else {
                return Err(Error::new_spanned(expr, "members have names"));
            };
            let (base, name) = (value(&field.base)?, name.to_string());
            quote!({
                let __base = #base;
                __b.spanned(#at, |__b| __b.member(&__base, #name))?
            })
        }
        Expr::MethodCall(call) => {
            let (base, name) = (value(&call.receiver)?, call.method.to_string());
            let arguments = call.args.iter().map(value).collect::<Result<Vec<_>>>()?;
            quote!({
                let __base = #base;
                let __arguments: ::std::vec::Vec<::ivy_taichi::front::Value> = ::std::vec![#(#arguments),*];
                __b.spanned(#at, |__b| __b.method(&__base, #name, &__arguments))?
            })
        }
        Expr::Array(array) => {
            let entries = array.elems.iter().map(value).collect::<Result<Vec<_>>>()?;
            quote!({
                let __entries: ::std::vec::Vec<::ivy_taichi::front::Value> = ::std::vec![#(#entries),*];
                __b.spanned(#at, |__b| __b.vector(&__entries))?
            })
        }
        Expr::Repeat(repeat) => {
            let (entry, count) = (value(&repeat.expr)?, &repeat.len);
            quote!({
                let __entry = #entry;
                __b.spanned(#at, |__b| __b.vector(&::std::vec![__entry; #count]))?
            })
        }
        Expr::Range(range) => {
            let (Some(begin), Some(end), RangeLimits::HalfOpen(_)) =
                (&range.start, &range.end, &range.limits)
            else {
                return Err(Error::new_spanned(expr, "a range is `first..end`"));
            };
            let (begin, end) = (value(begin)?, value(end)?);
            quote!({
                let __begin = #begin;
                let __end = #end;
                __b.spanned(#at, |__b| __b.range(&__begin, &__end))?
            })
        }
        Expr::If(choice) => {
            let Some((_, otherwise)) = &choice.else_branch else {
                return Err(Error::new_spanned(expr, "an `if` that gives a value has an `else`"));
            };
            let (condition, x, y) =
                (value(&choice.cond)?, value(single(&choice.then_branch)?)?, value(otherwise)?);
            quote!({
                let __condition = #condition;
                let __x = #x;
                let __y = #y;
                __b.spanned(#at, |__b| __b.select(&__condition, &__x, &__y))?
            })
        }
        Expr::Call(call) => called(call)?,
        other => return Err(Error::new_spanned(other, "kernels have no such expressions")),
    })
}

/// A call of one of Taichi's functions, of a type, or of a `#[func]`.
fn called(call: &ExprCall) -> Result<TokenStream> {
    let at = span::of(call);
    let name = call_name(call).unwrap_or_default();
    let arguments: Vec<&Expr> = call.args.iter().collect();
    if let (Some(ty), [x]) = (TYPES.iter().find(|&&ty| ty == name), &arguments[..]) {
        let x = value(x)?;
        return Ok(quote!({
            let __x = #x;
            __b.spanned(#at, |__b| __b.cast(&__x, #ty))?
        }));
    }
    if let ("cast" | "bit_cast", [x, ty]) = (name.as_str(), &arguments[..]) {
        let (x, ty, name) = (value(x)?, expr_type(ty)?, format_ident!("{}", name));
        return Ok(quote!({
            let __x = #x;
            __b.spanned(#at, |__b| __b.#name(&__x, #ty))?
        }));
    }
    let (ty, given) = match (name.as_str(), &arguments[..]) {
        ("random", [ty]) => {
            let ty = expr_type(ty)?;
            (quote!(::core::option::Option::Some(#ty)), Vec::new())
        }
        _ => (quote!(::core::option::Option::None), arguments),
    };
    let values = given.into_iter().map(value).collect::<Result<Vec<_>>>()?;
    if FUNCTIONS.contains(&name.as_str()) {
        return Ok(quote!({
            let __arguments: ::std::vec::Vec<::ivy_taichi::front::Value> = ::std::vec![#(#values),*];
            __b.spanned(#at, |__b| __b.call(#name, &__arguments, #ty))?
        }));
    }
    let (function, names) =
        (&call.func, (0..values.len()).map(|n| format_ident!("__x{}", n)).collect::<Vec<_>>());
    Ok(quote!({
        #(let #names = #values;)*
        #function(__b, #(&#names),*)?
    }))
}

/// A type where an expression stands.
fn expr_type(ty: &Expr) -> Result<String> {
    let ident = match ty {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    let name = ident.as_deref().and_then(type_name);
    name.map(str::to_owned).ok_or_else(|| Error::new_spanned(ty, "a type of numbers stands here"))
}
