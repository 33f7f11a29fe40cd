//! `#[derive(DrjitStruct)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Member, Result, parse_quote};

/// True for a field that holds no arrays.
fn is_skipped(field: &Field) -> Result<bool> {
    let mut skipped = false;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("drjit")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("skip") {
                return Err(meta.error("a field can be `skip`, nothing else"));
            }
            skipped = true;
            Ok(())
        })?;
    }
    Ok(skipped)
}

/// The implementation of `Traverse`.
pub fn expand(input: DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "`DrjitStruct` is for structs"));
    };
    let (name, mut generics) = (&input.ident, input.generics.clone());
    let depends = generics.type_params().next().is_some();
    let (mut visits, mut maps, mut paths, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (field, member) in data.fields.iter().zip(data.fields.members()) {
        let text = match &member {
            Member::Named(ident) => ident.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let text = text.trim_start_matches("r#");
        let ty = &field.ty;
        let place = quote!(&::std::format!("{}.{}", prefix, #text));
        if is_skipped(field)? {
            maps.push(quote!(#member: ::core::clone::Clone::clone(&self.#member)));
            values.push(quote!(values.push(::std::format!("{}.{} = {:?}", prefix, #text, &self.#member));));
            if depends {
                let bound = parse_quote!(#ty: ::core::clone::Clone + ::core::fmt::Debug);
                generics.make_where_clause().predicates.push(bound);
            }
            continue;
        }
        visits.push(quote!(::ivy_drjit::Traverse::visit(&self.#member, visit);));
        maps.push(quote!(#member: ::ivy_drjit::Traverse::map(&self.#member, change)?));
        paths.push(quote!(::ivy_drjit::Traverse::paths(&self.#member, #place, paths);));
        values.push(quote!(::ivy_drjit::Traverse::host_values(&self.#member, #place, values);));
        if depends {
            generics.make_where_clause().predicates.push(parse_quote!(#ty: ::ivy_drjit::Traverse));
        }
    }
    let (own, types, bounds) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #own ::ivy_drjit::Traverse for #name #types #bounds {
            fn visit(&self, visit: &mut dyn ::core::ops::FnMut(&::ivy_drjit::AnyArray)) {
                #(#visits)*
            }

            fn map(
                &self,
                change: &mut dyn ::core::ops::FnMut(
                    &::ivy_drjit::AnyArray,
                ) -> ::ivy_drjit::Result<::ivy_drjit::AnyArray>,
            ) -> ::ivy_drjit::Result<Self> {
                ::core::result::Result::Ok(#name { #(#maps),* })
            }

            fn paths(&self, prefix: &str, paths: &mut ::std::vec::Vec<::std::string::String>) {
                #(#paths)*
            }

            fn host_values(&self, prefix: &str, values: &mut ::std::vec::Vec<::std::string::String>) {
                #(#values)*
            }
        }
    })
}
