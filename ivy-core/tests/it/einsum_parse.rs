//! Equations of einsum as they are read.

use ivy_core::Result;
use ivy_core::internals::Text;
use ivy_core::internals::einsum::{Equation, Placed, Term, parse};

fn read(text: &str) -> Result<Equation> {
    parse(Text { function: "einsum", argument: "equation", text })
}

#[test]
fn terms_know_their_places() {
    let equation = read(" a... , b->a").unwrap();
    let index = |c, at| Placed { term: Term::Index(c), at };
    let first = vec![index('a', 1), Placed { term: Term::Rest, at: 2 }];
    assert_eq!(equation.operands, [first, vec![index('b', 8)]]);
    assert_eq!(equation.output, Some(vec![index('a', 11)]));
    assert_eq!(read("").unwrap(), Equation { operands: vec![vec![]], output: None });
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, place) in [
        ("ij,j1", "at character 4, `1`"),
        ("i.j", "at character 1, `.`"),
        ("i-j", "at character 1, `-`"),
        ("i->j->k", "at character 4, `-`"),
        ("...i...", "at character 4, `.`"),
        ("i->j,k", "at character 4, `,`"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(place), "{text}: {error}");
    }
}
