//! `#[dispatch]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Attribute, Error, FnArg, Ident, ItemTrait, Pat, ReceiverKind, Result, ReturnType, TraitItem, TraitItemFn,
    Type, parse_quote,
};

/// A method of an array of instances.
fn method(item: &TraitItemFn, getter: bool) -> Result<TokenStream> {
    let signature = &item.sig;
    let refuse = |message: &str| Err(Error::new_spanned(signature, message));
    if !signature.generics.params.is_empty() {
        return refuse("a virtual call has no parameters for types");
    }
    let ReturnType::Type(_, result) = &signature.output else {
        return refuse("a virtual call gives a `Result` of a value that holds arrays");
    };
    let mut inputs = signature.inputs.iter();
    match inputs.next() {
        Some(FnArg::Receiver(own)) if matches!(own.kind, ReceiverKind::Reference(_, _, None)) => (),
        _ => return refuse("a virtual call is of `&self`"),
    }
    let mut names: Vec<&Ident> = Vec::new();
    let mut arguments = Vec::new();
    for input in inputs {
        let FnArg::Typed(argument) = input else { continue };
        match (&*argument.pat, &*argument.ty) {
            (Pat::Ident(name), Type::Reference(ty)) if ty.mutability.is_none() => names.push(&name.ident),
            _ => {
                let message = "arguments of a virtual call are references to values that hold arrays";
                return Err(Error::new_spanned(argument, message));
            }
        }
        arguments.push(argument);
    }
    let name = &signature.ident;
    let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
    let docs = item.attrs.iter().filter(is_doc);
    if getter {
        if !names.is_empty() {
            return refuse("a getter has no arguments");
        }
        return Ok(quote! {
            #(#docs)*
            pub fn #name(&self) -> #result {
                self.0.getter(|instance| instance.#name())
            }
        });
    }
    Ok(quote! {
        #(#docs)*
        pub fn #name(&self, #(#arguments),*) -> #result {
            self.0.call(
                |instance, arguments| {
                    let (#(#names,)*) = arguments;
                    instance.#name(#(#names),*)
                },
                (#(::core::clone::Clone::clone(#names),)*),
            )
        }
    })
}

/// The trait, and the type of arrays of its instances.
pub fn expand(arguments: TokenStream, mut item: ItemTrait) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "`dispatch` has no arguments"));
    }
    if !item.generics.params.is_empty() {
        return Err(Error::new_spanned(&item.generics, "a trait of instances has no parameters"));
    }
    let mut methods = Vec::new();
    for part in &mut item.items {
        let TraitItem::Fn(function) = part else {
            return Err(Error::new_spanned(part, "a trait of instances has methods only"));
        };
        let before = function.attrs.len();
        function.attrs.retain(|attribute| !attribute.path().is_ident("getter"));
        methods.push(method(function, function.attrs.len() < before)?);
    }
    // Instances are called wherever a recorded function is differentiated.
    item.supertraits.push(parse_quote!(::core::marker::Send));
    item.supertraits.push(parse_quote!(::core::marker::Sync));
    let (visibility, name) = (&item.vis, &item.ident);
    let array = format_ident!("{name}Ptr");
    let about =
        format!("Instances of [`{name}`], one for each thread: its methods call those of the instances.");
    Ok(quote! {
        #item

        #[doc = #about]
        #[derive(Clone)]
        #visibility struct #array(::ivy_drjit::Instances<dyn #name>);

        #[allow(dead_code)]
        impl #array {
            /// The instances of these numbers in a registry; 0 is none.
            ///
            /// # Errors
            /// `WrongType` for what is no flat array of integers.
            pub fn new(
                registry: &::std::sync::Arc<::ivy_drjit::Registry<dyn #name>>,
                index: impl ::ivy_drjit::IntoArg,
            ) -> ::ivy_drjit::Result<#array> {
                ::core::result::Result::Ok(#array(::ivy_drjit::Instances::new(registry, index)?))
            }

            /// The same, with calls done in a mode.
            #[must_use]
            pub fn with_mode(self, mode: ::ivy_drjit::Mode) -> #array {
                #array(self.0.with_mode(mode))
            }

            /// The numbers of the instances.
            pub fn index(&self) -> &::ivy_drjit::AnyArray {
                self.0.index()
            }

            #(#methods)*
        }

        impl ::ivy_drjit::Traverse for #array {
            fn visit(&self, visit: &mut dyn ::core::ops::FnMut(&::ivy_drjit::AnyArray)) {
                ::ivy_drjit::Traverse::visit(&self.0, visit);
            }

            fn map(
                &self,
                change: &mut dyn ::core::ops::FnMut(
                    &::ivy_drjit::AnyArray,
                ) -> ::ivy_drjit::Result<::ivy_drjit::AnyArray>,
            ) -> ::ivy_drjit::Result<Self> {
                ::core::result::Result::Ok(#array(::ivy_drjit::Traverse::map(&self.0, change)?))
            }
        }
    })
}
