//! The forms of an index that `s!` takes.

use ivy_core::array::*;

fn show(indices: &[Index]) -> String {
    format!("{indices:?}")
}

#[test]
fn the_macro_takes_every_form() {
    let (a, b, step) = (2usize, -1i64, 3u8);
    assert_eq!(show(&ivy_core::s![.., 1..;2, -1, New]), "[.., 1..;2, -1, New]");
    assert_eq!(show(&ivy_core::s![Ellipsis, ..;-1, a..9;step, 5..2;-1,]), {
        "[Ellipsis, ..;-1, 2..9;3, 5..2;-1]"
    });
    assert_eq!(show(&ivy_core::s![-3.., ..b, a + 1, ..=4, 1..=-1, 4..=0;-1]), {
        "[-3.., ..-1, 3, ..5, 1.., 4..;-1]"
    });
    assert_eq!(
        show(&ivy_core::s![..=-1;-2, u64::MAX, Index::NewAxis]),
        "[..-2;-2, 9223372036854775807, New]"
    );
    assert_eq!(show(&ivy_core::s![]), "[]");
}

#[test]
fn inclusive_bounds_never_overflow() {
    assert_eq!(show(&ivy_core::s![..=i64::MAX, ..=i64::MIN;-1]), "[.., ..;-1]");
}
