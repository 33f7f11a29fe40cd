//! Patterns of einops as they are read.

use ivy_core::Result;
use ivy_core::internals::Text;
use ivy_core::internals::einops::{Axis, Group, Pattern, Placed, parse};

fn read(text: &str) -> Result<Pattern> {
    parse(Text { function: "einops_rearrange", argument: "pattern", text })
}

#[test]
fn axes_know_their_places() {
    let pattern = read("b (h1 w) ... 1 -> () b(w 3)").unwrap();
    let named = |name: &str, at| Placed { axis: Axis::Named(name.into()), at };
    let group = |axes: &[Placed], at, composed| Group { axes: axes.to_vec(), at, composed };
    let left = [
        group(&[named("b", 0)], 0, false),
        group(&[named("h1", 3), named("w", 6)], 2, true),
        group(&[Placed { axis: Axis::Rest, at: 9 }], 9, false),
        group(&[], 13, true),
    ];
    assert_eq!(pattern.left, left);
    let right = [
        group(&[], 18, true),
        group(&[named("b", 21)], 21, false),
        group(&[named("w", 23), Placed { axis: Axis::Length(3), at: 25 }], 22, true),
    ];
    assert_eq!(pattern.right, right);
    assert_eq!(read("->").unwrap(), Pattern { left: vec![], right: vec![] });
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, place) in [
        ("a b", "at its end"),
        ("a -> a -> a", "at character 7, `-`"),
        ("a - b", "at character 2, `-`"),
        ("(a -> b", "at character 3, `-`"),
        ("a -> (b", "at character 5, `(`"),
        ("a) -> b", "at character 1, `)`"),
        ("((a) b) -> a", "at character 1, `(`"),
        ("a .. -> a", "at character 2, `.`"),
        ("... a ... -> a", "at character 6, `.`"),
        ("a b a -> b", "at character 4, `a`"),
        ("_a -> _a", "at character 0, `_`"),
        ("a_ -> a_", "at character 0, `a`"),
        ("_ -> _", "at character 0, `_`"),
        ("2a -> a", "at character 0, `2`"),
        ("a 0 -> a", "at character 2, `0`"),
        ("a 99999999999999999999999 -> a", "at character 2, `9`"),
        ("a, b -> a", "at character 1, `,`"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(place), "{text}: {error}");
    }
}
