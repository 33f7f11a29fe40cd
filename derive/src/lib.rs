//! The derive macro of the trait `Tree` of ivy: structs and enums that hold arrays.

mod bounds;
mod fields;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Path, Result, parse_macro_input, parse_quote};

/// Implements `ivy::Tree`: the arrays of each field in order, by the field's name, or its number where it has none. Enums
/// have the fields of the variant that is there.
///
/// A field with `#[tree(skip)]` is plain data, which is cloned. `#[tree(crate = path)]` on the type says where ivy is, if
/// it is not `::ivy`.
#[proc_macro_derive(Tree, attributes(tree))]
pub fn derive_tree(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<Tokens> {
    let ivy = crate_path(&input.attrs)?;
    let variants = match &input.data {
        Data::Struct(data) => vec![fields::Variant::new(None, &data.fields)?],
        Data::Enum(data) => {
            let variants = data.variants.iter();
            variants.map(|v| fields::Variant::new(Some(&v.ident), &v.fields)).collect::<Result<_>>()?
        }
        Data::Union(data) => {
            return Err(Error::new(data.union_token.span, "a union does not say what it holds"));
        }
    };
    let generics = bounds::bounded(&input.generics, &variants, &ivy);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = &input.ident;
    let flatten = variants.iter().map(|v| v.flatten_arm(&ivy));
    let map = variants.iter().map(|v| v.map_arm(&ivy));
    // A reference to an enum without variants is matched as what it refers to.
    let (flatten, map) = match variants.is_empty() {
        true => (quote!(match *self {}), quote!(match *self {})),
        false => (quote!(match self { #(#flatten)* }), quote!(match self { #(#map)* })),
    };
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #ivy::nest::Tree for #name #ty_generics #where_clause {
            #[allow(unused_variables)]
            fn flatten_at(
                &self,
                path: &mut #ivy::nest::Path,
                visit: #ivy::nest::Visit<'_>,
            ) -> #ivy::Result<()> {
                #flatten
            }

            #[allow(unused_variables)]
            fn map_arrays_at(
                &self,
                path: &mut #ivy::nest::Path,
                change: #ivy::nest::Change<'_>,
            ) -> #ivy::Result<Self> {
                #map
            }
        }
    })
}

/// Where ivy is.
fn crate_path(attributes: &[Attribute]) -> Result<Path> {
    let mut path: Path = parse_quote!(::ivy);
    for attribute in attributes.iter().filter(|a| a.path().is_ident("tree")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("`crate = path` is what a type may have"));
            }
            path = meta.value()?.parse()?;
            Ok(())
        })?;
    }
    Ok(path)
}
