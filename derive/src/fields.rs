//! The fields of a struct or variant, and what is done with each.

use proc_macro2::{Ident, Span, TokenStream as Tokens};
use quote::quote;
use syn::{Field, Fields, Index, Member, Path, Result, Type};

/// A struct, or a variant of an enum.
pub(crate) struct Variant<'a> {
    name: Option<&'a Ident>,
    pub(crate) fields: Vec<Own<'a>>,
}

/// A field.
pub(crate) struct Own<'a> {
    member: Member,
    /// What it is called in the arm of its variant.
    bound: Ident,
    pub(crate) ty: &'a Type,
    pub(crate) skipped: bool,
}

impl<'a> Own<'a> {
    fn new(number: usize, field: &'a Field) -> Result<Own<'a>> {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index::from(number)),
        };
        // Its own name might be that of an argument.
        let bound = Ident::new(&format!("field_{number}"), Span::mixed_site());
        let mut skipped = false;
        for attribute in field.attrs.iter().filter(|a| a.path().is_ident("tree")) {
            attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("skip") {
                    return Err(meta.error("`skip` is what a field may have"));
                }
                skipped = true;
                Ok(())
            })?;
        }
        Ok(Own { member, bound, ty: &field.ty, skipped })
    }

    /// The field's step.
    fn step(&self) -> Tokens {
        match &self.member {
            Member::Named(name) => {
                let text = name.to_string();
                let text = text.strip_prefix("r#").unwrap_or(&text);
                quote!(#text)
            }
            Member::Unnamed(index) => {
                let number = index.index as usize;
                quote!(#number)
            }
        }
    }
}

impl<'a> Variant<'a> {
    pub(crate) fn new(name: Option<&'a Ident>, fields: &'a Fields) -> Result<Variant<'a>> {
        let fields = fields.iter().enumerate().map(|(i, f)| Own::new(i, f)).collect::<Result<_>>()?;
        Ok(Variant { name, fields })
    }

    fn constructor(&self) -> Tokens {
        match self.name {
            Some(name) => quote!(Self::#name),
            None => quote!(Self),
        }
    }

    fn pattern(&self) -> Tokens {
        let constructor = self.constructor();
        let bound = self.fields.iter().map(|Own { member, bound, .. }| quote!(#member: #bound));
        quote!(#constructor { #(#bound,)* })
    }

    /// The arm that visits each field's arrays.
    pub(crate) fn flatten_arm(&self, ivy: &Path) -> Tokens {
        let pattern = self.pattern();
        let visits = self.fields.iter().filter(|f| !f.skipped).map(|field| {
            let (step, bound) = (field.step(), &field.bound);
            quote!(path.within(#step, |path| #ivy::nest::Tree::flatten_at(#bound, path, &mut *visit))?;)
        });
        quote!(#pattern => { #(#visits)* ::core::result::Result::Ok(()) })
    }

    /// The arm that makes the value anew.
    pub(crate) fn map_arm(&self, ivy: &Path) -> Tokens {
        let (pattern, constructor) = (self.pattern(), self.constructor());
        let made = self.fields.iter().map(|field| {
            let (step, bound, member) = (field.step(), &field.bound, &field.member);
            match field.skipped {
                true => quote!(#member: ::core::clone::Clone::clone(#bound)),
                false => quote! {
                    #member: path.within(#step, |path| #ivy::nest::Tree::map_arrays_at(#bound, path, &mut *change))?
                },
            }
        });
        quote!(#pattern => ::core::result::Result::Ok(#constructor { #(#made,)* }),)
    }
}
