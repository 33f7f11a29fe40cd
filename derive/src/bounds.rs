//! What the type parameters must be.

use crate::fields::Variant;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, Path, parse_quote};

/// The generics with a bound on each type parameter: `Tree` where a field that is a tree names it, `Clone` where one does
/// that is cloned. Bounds on the fields' types themselves would never end for types that contain themselves.
pub(crate) fn bounded(generics: &Generics, variants: &[Variant<'_>], ivy: &Path) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        let named = |skipped: bool| {
            let mut fields = variants.iter().flat_map(|v| &v.fields).filter(|f| f.skipped == skipped);
            fields.any(|f| names(f.ty.to_token_stream(), &parameter.ident))
        };
        let (tree, cloned) = (named(false), named(true));
        if tree {
            parameter.bounds.push(parse_quote!(#ivy::nest::Tree));
        }
        if cloned {
            parameter.bounds.push(parse_quote!(::core::clone::Clone));
        }
    }
    generics
}

/// True if the tokens of a type name a parameter.
fn names(tokens: TokenStream, parameter: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *parameter,
        TokenTree::Group(group) => names(group.stream(), parameter),
        _ => false,
    })
}
