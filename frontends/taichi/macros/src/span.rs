//! Places in the source, as the code that is written has them.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The first and last tokens' spans.
fn ends(tokens: TokenStream) -> Option<(proc_macro::Span, proc_macro::Span)> {
    let mut spans = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        other => (other.span(), other.span()),
    });
    let (first, mut last) = spans.next()?;
    for (_, end) in spans {
        last = end;
    }
    Some((first.unwrap(), last.unwrap()))
}

/// A `Span` of the frontend for a piece of syntax.
pub fn of(syntax: &impl ToTokens) -> TokenStream {
    let Some((first, last)) = ends(syntax.to_token_stream()) else {
        return quote!(::ivy_taichi::Span { source: &__SOURCE, line: 1, column: 1, width: 1 });
    };
    let (line, column) = (first.start().line() as u32, first.start().column() as u32);
    let (end_line, end_column) = (last.end().line() as u32, last.end().column() as u32);
    // Of what has several lines, all that stands on the first.
    let width = if end_line == line { end_column.saturating_sub(column).max(1) } else { u32::MAX };
    quote!(::ivy_taichi::Span { source: &__SOURCE, line: #line, column: #column, width: #width })
}

/// The static `__SOURCE` of a body.
pub fn source(body: &syn::Block) -> TokenStream {
    let whole = body.brace_token.span.join().unwrap();
    let (line, column) = (whole.start().line() as u32, whole.start().column() as u32);
    let text = whole.source_text().unwrap_or_default();
    quote! {
        #[allow(dead_code)]
        static __SOURCE: ::ivy_taichi::Source = ::ivy_taichi::Source {
            file: ::core::file!(),
            line: #line,
            column: #column,
            text: #text,
        };
    }
}
