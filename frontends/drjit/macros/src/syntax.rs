//! `#[syntax]`.

use crate::variables::{changed, has_value, is_compound, root};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, BinOp, Block, Error, Expr, ExprBinary, ExprIf, ExprWhile, Ident, ItemFn, Result, UnOp,
    parse_quote,
};

/// As many variables as a tuple can hold.
const MOST: usize = 12;

/// The mode that `mode = ...` names, or the default.
fn mode_of(arguments: TokenStream) -> Result<TokenStream> {
    if arguments.is_empty() {
        return Ok(quote!(::ivy_drjit::Mode::Auto));
    }
    let pair: syn::MetaNameValue = syn::parse2(arguments)?;
    match pair.path.is_ident("mode") {
        true => Ok(pair.value.into_token_stream()),
        false => Err(Error::new_spanned(pair, "`mode = ...` is all that can be said here")),
    }
}

/// The function with its loops and conditionals rewritten.
pub fn expand(arguments: TokenStream, mut item: ItemFn) -> Result<TokenStream> {
    let mut rewriter = Rewriter { mode: mode_of(arguments)?, recorded: Vec::new(), errors: Vec::new() };
    rewriter.visit_block_mut(&mut item.block);
    let mut errors = rewriter.errors.into_iter();
    match errors.next() {
        Some(first) => Err(errors.fold(first, |mut all, error| {
            all.combine(error);
            all
        })),
        None => Ok(item.into_token_stream()),
    }
}

struct Rewriter {
    mode: TokenStream,
    /// The variables of the recorded code around, from outside to inside.
    recorded: Vec<Vec<Ident>>,
    errors: Vec<Error>,
}

/// Takes `#[host]` from the attributes; true if it was there.
fn take_host(attributes: &mut Vec<Attribute>) -> bool {
    let before = attributes.len();
    attributes.retain(|attribute| !attribute.path().is_ident("host"));
    attributes.len() < before
}

/// True for `let` in a condition, which is the host's.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// An operand of a comparison: variables are not moved out of the code around.
fn operand(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => quote!(&#expr),
        Expr::Paren(inner) => operand(&inner.expr),
        other => quote!(#other),
    }
}

/// A condition with the comparisons and connections of arrays.
fn condition(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Paren(inner) => condition(&inner.expr),
        Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => {
            let inner = condition(&not.expr);
            quote!(::ivy_drjit::invert(#inner))
        }
        Expr::Binary(ExprBinary { left, op, right, .. }) => {
            let function = match op {
                BinOp::Lt(_) => "lt",
                BinOp::Le(_) => "le",
                BinOp::Gt(_) => "gt",
                BinOp::Ge(_) => "ge",
                BinOp::Eq(_) => "eq",
                BinOp::Ne(_) => "neq",
                BinOp::And(_) => "bitwise_and",
                BinOp::Or(_) => "bitwise_or",
                _ => return quote!(#expr),
            };
            let function = Ident::new(function, Span::call_site());
            let (left, right) = match op {
                BinOp::And(_) | BinOp::Or(_) => (condition(left), condition(right)),
                _ => (operand(left), operand(right)),
            };
            quote!(::ivy_drjit::#function(#left, #right))
        }
        other => operand(other),
    }
}

impl Rewriter {
    /// The variables that blocks change, if they can be recorded.
    fn variables(&mut self, whole: &impl ToTokens, blocks: &[&Block]) -> Option<Vec<Ident>> {
        match changed(blocks) {
            Ok(names) if names.len() <= MOST => return Some(names),
            Ok(_) => {
                let message = format!("more than {MOST} variables are changed: hold some in a struct");
                self.errors.push(Error::new_spanned(whole, message));
            }
            Err(error) => self.errors.push(error),
        }
        None
    }

    fn in_recorded(&mut self, names: &[Ident], walk: impl FnOnce(&mut Rewriter)) {
        self.recorded.push(names.to_vec());
        walk(self);
        self.recorded.pop();
    }

    fn loop_of(&mut self, turns: &mut ExprWhile) -> Option<Expr> {
        let names = self.variables(turns, &[&turns.body])?;
        if names.is_empty() {
            let message = "a recorded loop changes a variable: mark it `#[host]` if it is the host's";
            self.errors.push(Error::new_spanned(&turns.cond, message));
            return None;
        }
        self.in_recorded(&names, |rewriter| rewriter.visit_block_mut(&mut turns.body));
        let (mode, body, test) = (&self.mode, &turns.body, condition(&turns.cond));
        let (state, texts) = (Ident::new("state", Span::mixed_site()), texts(&names));
        Some(parse_quote!({
            let #state = ::ivy_drjit::while_loop(
                ::ivy_drjit::Variables::new(&[#(#texts),*], (#(::core::clone::Clone::clone(&#names),)*)),
                |#state| {
                    #[allow(unused_variables)]
                    let (#(#names,)*) = ::core::clone::Clone::clone(#state.values());
                    ::ivy_drjit::as_condition(#test)
                },
                |#state| {
                    #[allow(unused_mut, unused_variables, unused_assignments)]
                    let (#(mut #names,)*) = ::core::clone::Clone::clone(#state.values());
                    #body
                    ::core::result::Result::Ok(::ivy_drjit::Variables::new(&[#(#texts),*], (#(#names,)*)))
                },
                #mode,
            )?;
            #[allow(unused_assignments)]
            {
                (#(#names,)*) = #state.into_values();
            }
        }))
    }

    fn branch_of(&mut self, branch: &mut ExprIf) -> Option<Expr> {
        let mut otherwise: Block = match branch.else_branch.take() {
            None => parse_quote!({}),
            Some((_, other)) => match *other {
                Expr::Block(block) => block.block,
                other => parse_quote!({ #other }),
            },
        };
        let valued = has_value(&branch.then_branch) && has_value(&otherwise);
        let names = self.variables(&branch.cond, &[&branch.then_branch, &otherwise])?;
        if names.is_empty() && !valued {
            let message = "a recorded conditional changes a variable, or has a value: mark it `#[host]` if it is the host's";
            self.errors.push(Error::new_spanned(&branch.cond, message));
            return None;
        }
        self.in_recorded(&names, |rewriter| {
            rewriter.visit_block_mut(&mut branch.then_branch);
            rewriter.visit_block_mut(&mut otherwise);
        });
        let [state, value] = ["state", "value"].map(|name| Ident::new(name, Span::mixed_site()));
        let (mode, test, texts) = (&self.mode, condition(&branch.cond), texts(&names));
        let [yes, no] = [&branch.then_branch, &otherwise].map(|block| {
            let (end, results) = match valued {
                true => {
                    (quote!(let #value = #block;), quote!(&["value", #(#texts),*], (#value, #(#names,)*)))
                }
                false => (quote!(#block), quote!(&[#(#texts),*], (#(#names,)*))),
            };
            quote!(|#state| {
                #[allow(unused_mut, unused_variables, unused_assignments)]
                let (#(mut #names,)*) = ::core::clone::Clone::clone(#state.values());
                #end
                ::core::result::Result::Ok(::ivy_drjit::Variables::new(#results))
            })
        });
        let end = match valued {
            true => quote! {
                let #value;
                #[allow(unused_assignments)]
                {
                    (#value, #(#names,)*) = #state.into_values();
                }
                #value
            },
            false => quote! {
                #[allow(unused_assignments)]
                {
                    (#(#names,)*) = #state.into_values();
                }
            },
        };
        Some(parse_quote!({
            let #state = ::ivy_drjit::if_stmt(
                ::ivy_drjit::Variables::new(&[#(#texts),*], (#(::core::clone::Clone::clone(&#names),)*)),
                #test,
                #yes,
                #no,
                #mode,
            )?;
            #end
        }))
    }

    /// `x = x + y` for `x += y`, where `x` is a variable of recorded code.
    fn sum_of(&self, binary: &ExprBinary) -> Option<Expr> {
        let name = root(&binary.left).filter(|_| is_compound(&binary.op))?;
        if !self.recorded.iter().any(|names| names.contains(name)) {
            return None;
        }
        let (place, right) = (&binary.left, &binary.right);
        let op = match binary.op {
            BinOp::AddAssign(_) => quote!(+),
            BinOp::SubAssign(_) => quote!(-),
            BinOp::MulAssign(_) => quote!(*),
            BinOp::DivAssign(_) => quote!(/),
            BinOp::RemAssign(_) => quote!(%),
            BinOp::BitAndAssign(_) => quote!(&),
            BinOp::BitOrAssign(_) => quote!(|),
            BinOp::BitXorAssign(_) => quote!(^),
            BinOp::ShlAssign(_) => quote!(<<),
            _ => quote!(>>),
        };
        Some(parse_quote!(#place = ::core::convert::TryInto::try_into((&#place #op (#right)).ok()?)?))
    }
}

/// The names of variables, for errors.
fn texts(names: &[Ident]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

impl VisitMut for Rewriter {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let made = match expr {
            Expr::While(turns) => match take_host(&mut turns.attrs) || has_let(&turns.cond) {
                true => None,
                false => self.loop_of(turns),
            },
            Expr::If(branch) => match take_host(&mut branch.attrs) || has_let(&branch.cond) {
                true => None,
                false => self.branch_of(branch),
            },
            Expr::Binary(binary) => self.sum_of(binary),
            _ => None,
        };
        match made {
            Some(Expr::Assign(mut made)) => {
                visit_mut::visit_expr_mut(self, &mut made.right);
                *expr = Expr::Assign(made);
            }
            // Its parts are rewritten already.
            Some(made) => *expr = made,
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }

    /// Functions within are their own.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
