//! Trees: kinds of nodes, axes, what is refused, and building again.

use ivy_taichi_types::layout::{
    FieldOptions, FieldsBuilder, LayoutError, LayoutWarning, NodeId, NodeKind, Packing, rescale_index,
};
use ivy_taichi_types::{PrimitiveType, QuantFixed, QuantInt, Type};

use PrimitiveType::{F32, F64, I8, I32};

fn padded() -> FieldsBuilder {
    FieldsBuilder::new(Packing::Padded)
}

fn text<T: std::fmt::Debug>(result: Result<T, LayoutError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn t_22_the_short_way_is_one_dense_node() {
    let mut short = padded();
    let y = short.dense_field("x", F32, &[3, 4], FieldOptions::new()).unwrap();
    let mut long = padded();
    let x = long.field("x", F32).unwrap();
    long.root().dense("ij", &[3, 4]).unwrap().place(&[x]).unwrap();
    let (short, long) = (short.finalize().unwrap(), long.finalize().unwrap());
    assert_eq!(short.to_string(), long.to_string());
    assert_eq!(short.linear(y, 0), long.linear(x, 0));
}

#[test]
fn t_22_every_kind_of_node() {
    let mut builder = padded();
    let fields: Vec<_> = (0..6).map(|n| builder.field(&format!("f{n}"), I32).unwrap()).collect();
    let root = |builder: &mut FieldsBuilder, kind: usize, field| {
        let root = builder.root();
        let node = match kind {
            0 => root.dense("i", &[4]),
            1 => root.pointer("i", &[4]),
            2 => root.bitmasked("i", &[4]),
            3 => root.dynamic("i", 4, None),
            _ => root.hash("i", &[4]),
        };
        node.unwrap().place(&[field]).unwrap().id()
    };
    let ids: Vec<NodeId> = (0..5).map(|kind| root(&mut builder, kind, fields[kind])).collect();
    builder.root().place(&[fields[5]]).unwrap();
    let tree = builder.finalize().unwrap();
    let kinds: Vec<NodeKind> = ids.iter().map(|&id| tree.node(id).unwrap().kind()).collect();
    let dynamic = NodeKind::Dynamic { chunk: 4 };
    assert_eq!(kinds, [NodeKind::Dense, NodeKind::Pointer, NodeKind::Bitmasked, dynamic, NodeKind::Hash]);
    let names: Vec<String> = ids.iter().map(|&id| tree.node(id).unwrap().to_string()).collect();
    assert_eq!(names, ["S1dense", "S3pointer", "S5bitmasked", "S7dynamic", "S9hash"]);
    let linear: Vec<bool> = fields.iter().map(|&field| tree.linear(field, 0).is_ok()).collect();
    assert_eq!(linear, [true, false, true, false, false, true]);
    assert_eq!(text(tree.linear(fields[1], 0)), "S3pointer: the address of what stands below it is no sum");
}

#[test]
fn t_23_axes_and_sizes() {
    let dense = |axes: &str, sizes: &[i64]| padded().root().dense(axes, sizes).map(|cursor| cursor.id());
    let positive = "Every dimension of a Taichi field should be positive, got";
    assert_eq!(text(dense("i", &[0])), format!("{positive} 0 in dimension 0"));
    assert_eq!(text(dense("ij", &[2, -3])), format!("{positive} -3 in dimension 1"));
    assert_eq!(
        text(dense("ij", &[2, 3, 4])),
        "2 axes and 3 sizes: give as many sizes as axes, or one for all"
    );
    assert_eq!(text(dense("h", &[2])), "no axis is called `h`: axes are `i` to `t`");
    assert_eq!(text(dense("u", &[2])), "no axis is called `u`: axes are `i` to `t`");
    assert_eq!(text(dense("ii", &[2])), "the axis `i` is there twice");
    assert_eq!(text(dense("", &[2])), "dense takes at least one axis");
    let field = |shape: &[i64]| padded().dense_field("x", F32, shape, FieldOptions::new());
    assert_eq!(text(field(&[0])), format!("{positive} 0 in dimension 0"));
    assert_eq!(text(field(&[2; 13])), "a field has at most 12 axes, got 13");
    assert!(field(&[2; 12]).is_ok());
    let mut one_for_all = padded();
    let x = one_for_all.field("x", F32).unwrap();
    one_for_all.root().dense("ijk", &[3]).unwrap().place(&[x]).unwrap();
    assert_eq!(one_for_all.finalize().unwrap().field(x).unwrap().shape(), [3, 3, 3]);
    let mut many = padded();
    let full = (0..1024).find_map(|_| many.root().dense("i", &[2]).err());
    assert_eq!(full, Some(LayoutError::TooManyNodes));
    let order = |order: &str| padded().dense_field("x", F32, &[3, 4], FieldOptions::new().order(order));
    for wrong in ["i", "ik", "ijk"] {
        assert_eq!(text(order(wrong)), format!("the order `{wrong}` names not each of the 2 axes once"));
    }
    let offset = FieldOptions::new().offset(&[1]);
    assert_eq!(text(padded().dense_field("x", F32, &[3, 4], offset)), "1 offsets for 2 axes");
}

#[test]
fn t_24_hash_and_dynamic_nodes() {
    let mut builder = padded();
    let dense = builder.root().dense("i", &[4]).unwrap().id();
    assert_eq!(text(builder.at(dense).unwrap().hash("j", &[4])), "hash nodes stand below the root only");
    assert_eq!(
        text(builder.at(dense).unwrap().dynamic("i", 4, None)),
        "Dynamic SNode must have a standalone dimensionality: the axis `i` is divided above it"
    );
    assert_eq!(
        text(builder.root().dynamic("ij", 4, None)),
        "Dynamic SNode can have only one index extractor, got 2"
    );
    assert_eq!(
        text(builder.root().dynamic("j", 4, Some(0))),
        "a chunk of a dynamic node has at least one cell, got 0"
    );
    assert!(text(builder.root().dynamic("j", 0, None)).ends_with("got 0 in dimension 0"));
    assert!(builder.at(dense).unwrap().dynamic("j", 4, Some(2)).is_ok());
}

#[test]
fn t_29_slow_divisions_are_told_of() {
    let tree = |packing| {
        let mut builder = FieldsBuilder::new(packing);
        let x = builder.field("x", I32).unwrap();
        builder.root().dense("i", &[3]).unwrap().dense("ij", &[5, 7]).unwrap().place(&[x]).unwrap();
        builder.finalize().unwrap()
    };
    let expected = LayoutWarning::SlowDivision { node: "S2dense".to_owned(), size: 5, letter: 'i' };
    assert_eq!(
        expected.to_string(),
        "Shape 5 is detected on non-first division of axis i. For best performance, we recommend that you set it to a power of two."
    );
    assert_eq!(tree(Packing::Packed).warnings(), [expected]);
    assert!(tree(Packing::Padded).warnings().is_empty());
}

#[test]
fn t_33_builders_finish_once() {
    let mut builder = padded();
    let x = builder.field("x", F32).unwrap();
    builder.root().dense("ij", &[5, 5]).unwrap().place(&[x]).unwrap();
    let first = builder.finalize().unwrap();
    assert_eq!(text(builder.finalize()), "FieldsBuilder finalized");
    assert_eq!(text(builder.root().place(&[x])), "FieldsBuilder finalized");
    assert_eq!(text(builder.root().dense("i", &[2])), "FieldsBuilder finalized");
    assert_eq!(text(builder.field("y", F32)), "FieldsBuilder finalized");
    let mut again = padded();
    let y = again.field("y", F32).unwrap();
    again.root().dense("i", &[5]).unwrap().place(&[y]).unwrap();
    assert_eq!(first.field(x).unwrap().shape(), [5, 5]);
    assert_eq!(again.finalize().unwrap().field(y).unwrap().shape(), [5]);
}

#[test]
fn t_33_what_is_not_placed_and_what_is_empty() {
    let mut builder = padded();
    let x = builder.field("x", F32).unwrap();
    let line = line!() - 1;
    let message = text(builder.finalize());
    let begin = "These field(s) are not placed:\n`x`, made at ";
    assert!(message.starts_with(begin) && message.contains(&format!("trees.rs:{line}:")), "{message}");
    let empty = builder.root().dense("i", &[3]).unwrap().id();
    builder.root().place(&[x]).unwrap();
    assert_eq!(text(builder.finalize()), "dense node must have at least one child.");
    assert_eq!(text(builder.at(empty).unwrap().place(&[x])), "the field `x` is placed already");
    let y = builder.field("y", F32).unwrap();
    builder.at(empty).unwrap().place(&[y]).unwrap();
    assert!(builder.finalize().is_ok(), "a builder that was refused goes on");
    assert_eq!(text(padded().finalize()), "root node must have at least one child.");
    let mut other = padded();
    assert_eq!(text(other.at(empty)), "the node is of another builder");
    assert_eq!(text(other.root().place(&[x])), "the field is of another builder");
    let own = other.dense_field("x", F32, &[2], FieldOptions::new()).unwrap();
    assert_eq!(text(other.root().place(&[x])), "the field is of another builder");
    let tree = other.finalize().unwrap();
    assert_eq!(text(tree.field(x)), "the field is of another builder");
    assert_eq!(text(tree.linear(own, 1)), "the number is of another builder");
    assert_eq!(tree.fields().collect::<Vec<_>>(), [own]);
}

#[test]
fn t_33_types_of_fields_and_words() {
    let int: Type = QuantInt::new(5, true, None).unwrap().into();
    let fixed: Type = QuantFixed::with_max(9, true, 1.0, None).unwrap().into();
    let mut builder = padded();
    assert_eq!(text(builder.field("p", Type::pointer(I32.into()))), "*i32 is no type of a field");
    let (a, b, c) = (
        builder.field("a", int).unwrap(),
        builder.field("b", Type::vector(2, fixed).unwrap()).unwrap(),
        builder.field("c", int).unwrap(),
    );
    let refused = text(builder.root().place(&[a]));
    assert_eq!(refused, "qi5 is packed in words: place it by a bit struct or in a quant array");
    let whole = builder.field("w", F32).unwrap();
    let refused = text(builder.root().place_bits(32, &[(&[whole], false)]));
    assert_eq!(refused, "f32 is no quantised type that can be packed here");
    builder
        .root()
        .dense("i", &[3])
        .unwrap()
        .place_bits(32, &[(&[a, b], false)])
        .unwrap()
        .place(&[whole])
        .unwrap();
    let array = builder.root().dense("i", &[3]).unwrap().quant_array("i", &[6], 64).unwrap().id();
    assert_eq!(
        text(builder.at(array).unwrap().dense("j", &[2])),
        "a quant_array node has no dense node below it"
    );
    builder.at(array).unwrap().place(&[c]).unwrap();
    let tree = builder.finalize().unwrap();
    let word = tree.node(tree.field(b).unwrap().places()[1]).unwrap();
    assert_eq!(word.bit_member().unwrap().offset, 14);
    assert_eq!(tree.linear(b, 1).unwrap().offset_of(&[2]).unwrap(), 16, "the address of the word");
    assert_eq!(tree.node(array).unwrap().dtype().unwrap().to_string(), "quant_array u64[8 x qi5]");
}

#[test]
fn t_35_what_needs_activation() {
    let needs = |kind: NodeKind| kind.needs_activation();
    let dynamic = NodeKind::Dynamic { chunk: 1 };
    assert!([NodeKind::Pointer, NodeKind::Hash, NodeKind::Bitmasked, dynamic].into_iter().all(needs));
    assert!(![NodeKind::Root, NodeKind::Dense, NodeKind::Place, NodeKind::BitStruct].into_iter().any(needs));
    assert_eq!(rescale_index(&[128, 64], &[16, 256], &[100, 3]), [12, 12]);
    assert_eq!(rescale_index(&[8], &[8, 4], &[7, 3]), [7, 3]);
    assert_eq!(rescale_index(&[8], &[2], &[-1]), [-1]);
}

#[test]
fn t_27_cells_of_structs() {
    let mut builder = padded();
    let s = Type::structure([("a", Type::from(F32)), ("b", I8.into()), ("c", F64.into())]).unwrap();
    let s = builder.dense_field("s", s, &[3], FieldOptions::new()).unwrap();
    let tree = builder.finalize().unwrap();
    let offsets: Vec<u64> = tree
        .field(s)
        .unwrap()
        .places()
        .iter()
        .map(|&place| tree.node(place).unwrap().offset_bytes_in_parent_cell())
        .collect();
    assert_eq!(offsets, [0, 4, 8]);
    assert_eq!(tree.nodes()[1].cell_bytes(), 16);
}
