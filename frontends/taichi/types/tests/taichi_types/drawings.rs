//! Layouts as text and as drawings.

use ivy_taichi_types::layout::{FieldOptions, FieldsBuilder, Packing, SNodeTree};
use ivy_taichi_types::{PrimitiveType, QuantInt, Type};

/// A particle in blocks of pointers, a word of quantised numbers, and a number without axes.
fn tree() -> SNodeTree {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let vector = Type::vector(2, PrimitiveType::F32).unwrap();
    let x = builder.field("x", vector).unwrap();
    let m = builder.field("m", PrimitiveType::I8).unwrap();
    let five: Type = QuantInt::new(5, true, None).unwrap().into();
    let [q, r] = ["q", "r"].map(|name| builder.field(name, five).unwrap());
    let blocks = builder.root().pointer("ij", &[3, 4]).unwrap();
    blocks.dense("ij", &[4, 4]).unwrap().place(&[x, m]).unwrap();
    builder.root().dense("i", &[6]).unwrap().place_bits(16, &[(&[q, r], false)]).unwrap();
    builder.dense_field("t", PrimitiveType::F64, &[], FieldOptions::new()).unwrap();
    builder.finalize().unwrap()
}

#[test]
fn t_27_a_tree_as_text() {
    let text = "\
S0root: 280 bytes
  S1pointer i 3 of 4, j 4: 16 cells of 192 bytes, 256 bytes at 0
    S2dense i 4, j 4: 16 cells of 12 bytes (3 of padding), 192 bytes at 0
      S3place<f32> x.0: 4 bytes at 0
      S4place<f32> x.1: 4 bytes at 4
      S5place<i8> m: 1 byte at 8
  S6dense i 6 of 8: 8 cells of 2 bytes, 16 bytes at 256
    S7bit_struct: 2 bytes at 0
      S8place<qi5> q: bit 0
      S9place<qi5> r: bit 5
  S10place<f64> t: 8 bytes at 272
";
    assert_eq!(tree().to_string(), text);
}

#[test]
fn t_27_a_tree_as_a_drawing() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let pair = Type::structure([("a", PrimitiveType::I8), ("b", PrimitiveType::F64)]).unwrap();
    builder.dense_field("<s>", pair, &[3], FieldOptions::new()).unwrap();
    let drawn = builder.finalize().unwrap().to_svg();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    let count = |part: &str| drawn.matches(part).count();
    assert_eq!((count("<rect"), count("<text")), (count("/>") - count("<path"), count("</text>")));
    assert_eq!(count("<s>"), 0, "names are escaped");
    // Of the elements of b, whose boxes are wide enough, each has its label.
    for element in 0..3 {
        assert_eq!(count(&format!(">&lt;s&gt;.1[{element}]<")), 1);
    }
    // Three elements of two numbers in memory; below them the cells of the root and of the dense node.
    assert_eq!(count("class=\"component\""), 3 * 2 + 1 + 2);
    // Behind each a, and the fourth cell, of which the half that is a line's; behind both cells' boxes.
    assert_eq!(count("class=\"padding\""), 3 + 1 + 2);
    let sparse = tree().to_svg();
    assert!(sparse.contains("S1pointer i 3 of 4, j 4<") && sparse.contains("16 x 192 bytes"));
    // The cells of pointers are not in the memory that is drawn; the words and the number without axes are.
    assert_eq!(sparse.matches("class=\"elsewhere\"").count(), 1);
    assert_eq!((sparse.matches(">q[0]<").count(), sparse.matches(">t<").count()), (1, 1));
}
