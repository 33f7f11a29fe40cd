//! Kernels and functions.

use crate::block::Writer;
use crate::names::type_name;
use crate::span;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, FnArg, Ident, ItemFn, Pat, Result, ReturnType, Type};

/// What a function becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something to call.
    Kernel,
    /// Something for kernels to call.
    Func,
}

/// A parameter.
struct Parameter {
    name: Ident,
    ty: Type,
    template: bool,
}

/// The function that is written for one.
pub fn expand(attribute: TokenStream, item: TokenStream, kind: Kind) -> TokenStream {
    let checked = || {
        if !attribute.is_empty() {
            return Err(Error::new_spanned(&attribute, "the attribute takes no arguments"));
        }
        let item: ItemFn = syn::parse2(item)?;
        if kind == Kind::Kernel { kernel(&item) } else { func(&item) }
    };
    checked().unwrap_or_else(|error| error.to_compile_error())
}

fn parameters(item: &ItemFn) -> Result<Vec<Parameter>> {
    let parameter = |argument: &FnArg| {
        let FnArg::Typed(typed) = argument else {
            return Err(Error::new_spanned(argument, "kernels are no methods"));
        };
        let Pat::Ident(name) = &*typed.pat else {
            return Err(Error::new_spanned(&typed.pat, "a parameter is a name"));
        };
        let mut template = false;
        for attribute in &typed.attrs {
            if !attribute.path().is_ident("template") {
                return Err(Error::new_spanned(attribute, "a parameter's only attribute is `template`"));
            }
            template = true;
        }
        Ok(Parameter { name: name.ident.clone(), ty: (*typed.ty).clone(), template })
    };
    item.sig.inputs.iter().map(parameter).collect()
}

/// The name of a number's type.
fn named(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let ident = path.path.get_ident()?.to_string();
    type_name(&ident).map(str::to_owned)
}

fn kernel(item: &ItemFn) -> Result<TokenStream> {
    let ItemFn { attrs, vis, sig, block, .. } = item;
    let (name, generics) = (&sig.ident, &sig.generics);
    let parameters = parameters(item)?;
    let mut inputs = Vec::new();
    let (mut arguments, mut bindings) = (Vec::new(), Vec::new());
    for (n, Parameter { name, ty, template }) in parameters.iter().enumerate() {
        inputs.push(quote!(#name: #ty));
        arguments.push(match (template, ty) {
            (true, _) => quote!(::ivy_taichi::Argument::Template(::std::format!("{:?}", #name))),
            (false, Type::Reference(_)) => quote!(::ivy_taichi::Argument::Field(#name)),
            (false, _) => quote!(::ivy_taichi::KernelArgument::argument(&#name)),
        });
        if !template {
            bindings.push(quote!(let #name = __b.parameter(#n)?;));
        }
    }
    let result = match &sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => quote!(#ty),
    };
    let has_result = matches!(sig.output, ReturnType::Type(..));
    let body = Writer::kernel(has_result).body(block)?;
    let (source, text) = (span::source(block), name.to_string());
    Ok(quote! {
        #(#attrs)*
        #[allow(clippy::all)]
        #vis fn #name #generics (#(#inputs),*) -> ::ivy_taichi::Result<#result> {
            #source
            static __KERNEL: ::ivy_taichi::Definition =
                ::ivy_taichi::Definition { name: #text, source: &__SOURCE };
            let __launched = ::ivy_taichi::launch(
                &__KERNEL,
                &[#(#arguments),*],
                <#result as ::ivy_taichi::Returned>::TYPE,
                |__b: &mut ::ivy_taichi::front::Scope| -> ::ivy_taichi::Result<()> {
                    #(#bindings)*
                    #body
                    ::core::result::Result::Ok(())
                },
            )?;
            <#result as ::ivy_taichi::Returned>::returned(__launched.result).ok_or(::ivy_taichi::Error::Arguments {
                kernel: #text,
                what: "it has a result, and returns none",
            })
        }
    })
}

fn func(item: &ItemFn) -> Result<TokenStream> {
    let ItemFn { attrs, vis, sig, block, .. } = item;
    let name = &sig.ident;
    if !sig.generics.params.is_empty() {
        return Err(Error::new_spanned(&sig.generics, "any type is `impl Copy`"));
    }
    let mut inputs = Vec::new();
    let mut bindings = Vec::new();
    for Parameter { name, ty, template } in &parameters(item)? {
        if *template {
            return Err(Error::new_spanned(name, "functions are inlined, and have no templates"));
        }
        let given = format_ident!("__given_{}", name);
        inputs.push(quote!(#given: impl ::ivy_taichi::front::AsValue));
        let ty = option(named(ty));
        bindings.push(quote! {
            let #name = __b.value(&#given)?;
            let #name = __b.take(&#name, #ty)?;
        });
    }
    let result = match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(&**ty),
    };
    let early = Writer::returns_early(block);
    let ty = option(result.and_then(named));
    if early && result.is_some_and(|ty| named(ty).is_none()) {
        return Err(Error::new_spanned(
            &sig.output,
            "a function that returns early gives a number of a named type",
        ));
    }
    let body = Writer::func(result.is_some()).body(block)?;
    let source = span::source(block);
    Ok(quote! {
        #(#attrs)*
        #[allow(clippy::all)]
        #vis fn #name(
            __b: &mut ::ivy_taichi::front::Scope,
            #(#inputs),*
        ) -> ::ivy_taichi::Result<::ivy_taichi::front::Value> {
            #source
            #(#bindings)*
            __b.function(#ty, #early, &mut |__b: &mut ::ivy_taichi::front::Scope| {
                #body
            })
        }
    })
}

fn option(name: Option<String>) -> TokenStream {
    match name {
        Some(name) => quote!(::core::option::Option::Some(#name)),
        None => quote!(::core::option::Option::None),
    }
}
