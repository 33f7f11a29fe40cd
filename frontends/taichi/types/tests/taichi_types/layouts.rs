//! Layouts, against the answers of Taichi 1.3.0 (padded and packed) and 1.7.4 (packed).

use crate::rows;
use ivy_taichi_types::layout::{
    FieldId, FieldOptions, FieldsBuilder, Interleaving, NodeId, Packing, SNodeTree,
};
use ivy_taichi_types::{PrimitiveType, Type};
use std::collections::BTreeMap;

/// The recorded answers.
const RECORDED: [(&str, Packing); 3] = [
    (include_str!("../data/layout-1.3.0-padded.tsv"), Packing::Padded),
    (include_str!("../data/layout-1.3.0-packed.tsv"), Packing::Packed),
    (include_str!("../data/layout-1.7.4-packed.tsv"), Packing::Packed),
];

fn type_of(text: &str) -> Type {
    let primitive = |name: &str| name.parse::<PrimitiveType>().unwrap();
    let size = |text: &str| text.parse::<usize>().unwrap();
    match text.split(':').collect::<Vec<_>>()[..] {
        ["vector", n, element] => Type::vector(size(n), primitive(element)).unwrap(),
        ["matrix", n, m, element] => Type::matrix(size(n), size(m), primitive(element)).unwrap(),
        ["struct", ref members @ ..] => {
            let members = members.iter().map(|member| member.split_once('=').unwrap());
            Type::structure(members.map(|(name, ty)| (name, primitive(ty)))).unwrap()
        }
        _ => primitive(text).into(),
    }
}

fn numbers(text: &str) -> Vec<i64> {
    text.split(',').map(|number| number.parse().unwrap()).collect()
}

/// A tree of recorded steps, and its fields by name.
pub fn tree_of(steps: &str, packing: Packing) -> (SNodeTree, BTreeMap<String, FieldId>) {
    let mut builder = FieldsBuilder::new(packing);
    let mut nodes = BTreeMap::from([("root", NodeId::ROOT)]);
    let mut fields = BTreeMap::new();
    for step in steps.split("; ") {
        match step.split(' ').collect::<Vec<_>>()[..] {
            ["field", name, ty, ref options @ ..] => {
                let (ty, mut shape, mut own) = (type_of(ty), None, FieldOptions::new());
                for option in options {
                    match option.split_once('=') {
                        Some(("shape", sizes)) => shape = Some(numbers(sizes)),
                        Some(("order", order)) => own = own.order(order),
                        Some(("offset", offset)) => own = own.offset(&numbers(offset)),
                        _ => own = own.interleaving(Interleaving::Soa),
                    }
                }
                let field = match shape {
                    Some(shape) => builder.dense_field(name, ty, &shape, own),
                    None => builder.field(name, ty),
                };
                fields.insert(name.to_owned(), field.unwrap());
            }
            ["alias", name, node] => drop(nodes.insert(name, nodes[node])),
            ["place", node, ref placed @ ..] => {
                let placed: Vec<FieldId> = placed.iter().map(|name| fields[*name]).collect();
                builder.at(nodes[node]).unwrap().place(&placed).unwrap();
            }
            [kind, name, above, axes, sizes] => {
                let cursor = builder.at(nodes[above]).unwrap();
                let sizes = numbers(sizes);
                let cursor = match kind {
                    "dense" => cursor.dense(axes, &sizes),
                    "bitmasked" => cursor.bitmasked(axes, &sizes),
                    _ => panic!("{kind}"),
                };
                nodes.insert(name, cursor.unwrap().id());
            }
            _ => panic!("{step}"),
        }
    }
    (builder.finalize().unwrap(), fields)
}

/// The field and number of a recorded name: a field, a member of the one struct, or an entry of the one vector or matrix.
fn number_of(tree: &SNodeTree, fields: &BTreeMap<String, FieldId>, name: &str) -> (FieldId, usize) {
    if let Some(&field) = fields.get(name) {
        return (field, 0);
    }
    let field = *fields.values().next().unwrap();
    let ty = tree.field(field).unwrap().ty();
    if let Some(member) = ty.members().iter().position(|member| member.name == name) {
        return (field, member);
    }
    let columns = ty.shape().get(1).copied().unwrap_or(0);
    let entry = name.split(',').fold(0, |entry, index| entry * columns + index.parse::<usize>().unwrap());
    (field, entry)
}

/// Every index of a shape, the last fastest.
pub fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    shape.iter().fold(vec![Vec::new()], |before, &size| {
        let longer = |index: &Vec<i64>| (0..size).map(|i| [&index[..], &[i]].concat()).collect::<Vec<_>>();
        before.iter().flat_map(longer).collect()
    })
}

#[test]
fn t_26_addresses_of_every_recorded_declaration() {
    for (text, packing) in RECORDED {
        let mut layouts: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
        for row in rows(text).filter(|row| row[0] == "layout") {
            layouts.entry(row[1]).or_default().push(row);
        }
        assert_eq!(layouts.len(), 35);
        for (name, rows) in layouts {
            let (tree, fields) = tree_of(rows[0][2], packing);
            let mut offsets = Vec::new();
            for row in &rows {
                let (field, number) = number_of(&tree, &fields, row[3]);
                let linear = tree.linear(field, number).unwrap();
                let first = tree.field(field).unwrap().offset().to_vec();
                let shift = |index: &Vec<i64>| -> Vec<i64> {
                    let first = |axis: usize| first.get(axis).copied().unwrap_or(0);
                    index.iter().enumerate().map(|(axis, i)| i + first(axis)).collect()
                };
                let shape: Vec<i64> = linear.shape.iter().map(|&size| size as i64).collect();
                assert_eq!(shape, numbers(row[6]), "{name}");
                let own: Vec<u64> =
                    indices(&shape).iter().map(|index| linear.offset_of(&shift(index)).unwrap()).collect();
                offsets.push(own);
            }
            let least = *offsets.iter().flatten().min().unwrap();
            for (row, own) in rows.iter().zip(&offsets) {
                let own: Vec<String> = own.iter().map(|offset| (offset - least).to_string()).collect();
                assert_eq!(own.join(","), row[4], "{name} {packing:?} {}", row[3]);
            }
        }
    }
}

#[test]
fn t_26_addresses_lead_back_to_elements() {
    for (text, packing) in RECORDED {
        for row in rows(text).filter(|row| row[0] == "layout") {
            let (tree, _) = tree_of(row[2], packing);
            let mut found = 0;
            for field in tree.fields() {
                let layout = tree.field(field).unwrap();
                let first = |axis: usize| layout.offset().get(axis).copied().unwrap_or(0);
                for number in 0..layout.places().len() {
                    let linear = tree.linear(field, number).unwrap();
                    let shape: Vec<i64> = linear.shape.iter().map(|&size| size as i64).collect();
                    for index in indices(&shape) {
                        let index: Vec<i64> = index.iter().enumerate().map(|(a, i)| i + first(a)).collect();
                        let located = tree.locate(linear.offset_of(&index).unwrap()).unwrap();
                        assert_eq!((located.field, located.number), (field, number), "{}", row[1]);
                        assert_eq!((located.index, located.byte), (index, 0), "{}", row[1]);
                        found += linear.dtype.primitive().unwrap().bytes();
                    }
                }
            }
            // Every other byte is padding, a mask, or beyond the end.
            let bytes = (0..tree.root_bytes() + 8).filter(|&at| tree.locate(at).is_some()).count();
            assert_eq!(bytes, found, "{}", row[1]);
        }
    }
}

#[test]
fn t_27_chains_of_every_recorded_declaration() {
    for (text, packing) in RECORDED {
        for row in rows(text).filter(|row| row[0] == "layout" && row[5] != "-") {
            let (tree, fields) = tree_of(row[2], packing);
            let (field, number) = number_of(&tree, &fields, row[3]);
            let chain = tree.chain(tree.field(field).unwrap().places()[number]).unwrap();
            let one = |id: &NodeId| {
                let node = tree.node(*id).unwrap();
                format!("{}:{}:{}", node.kind().name(), node.cell_bytes(), node.offset_bytes_in_parent_cell())
            };
            let own: Vec<String> = chain[1..chain.len() - 1].iter().rev().map(one).collect();
            assert_eq!(own.join(" "), row[5], "{} {packing:?}", row[1]);
        }
    }
}

#[test]
fn t_25_rows_and_columns_by_one_accessor() {
    let mut builder = FieldsBuilder::new(Packing::Packed);
    let (x, y) =
        (builder.field("x", PrimitiveType::I8).unwrap(), builder.field("y", PrimitiveType::I8).unwrap());
    builder.root().dense("i", &[2]).unwrap().dense("j", &[3]).unwrap().place(&[x]).unwrap();
    builder.root().dense("j", &[3]).unwrap().dense("i", &[2]).unwrap().place(&[y]).unwrap();
    let tree = builder.finalize().unwrap();
    let order = |field: FieldId| {
        let base = tree.linear(field, 0).unwrap().base;
        (base..base + 6).map(|at| tree.locate(at).unwrap().index).collect::<Vec<_>>()
    };
    assert_eq!(order(x), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    assert_eq!(order(y), [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]]);
    for index in indices(&[2, 3]) {
        let of = |field| tree.linear(field, 0).unwrap().offset_of(&index).unwrap() as i64;
        assert_eq!((of(x), of(y)), (index[0] * 3 + index[1], 6 + index[1] * 2 + index[0]));
    }
    let strides = |field| tree.linear(field, 0).unwrap().strides();
    assert_eq!((strides(x), strides(y)), (Some(vec![3, 1]), Some(vec![1, 2])));
}

#[test]
fn t_26_strides_of_what_stands_evenly() {
    let strides = |steps: &str, packing| {
        let (tree, fields) = tree_of(steps, packing);
        tree.linear(fields["x"], 0).unwrap().strides()
    };
    let blocks = "field x f32; dense n1 root ij 2,2; dense n2 n1 ij 4,4; place n2 x";
    assert_eq!(strides(blocks, Packing::Padded), None);
    let nested = "field x f32; dense n1 root i 3; dense n2 n1 i 5; place n2 x";
    assert_eq!(strides(nested, Packing::Packed), Some(vec![4]));
    assert_eq!(strides(nested, Packing::Padded), Some(vec![4]));
    assert_eq!(strides("field x f32 shape=3,5", Packing::Padded), Some(vec![32, 4]));
    let pair = "field x f32; field y f32; dense n1 root i 3; place n1 x y";
    assert_eq!(strides(pair, Packing::Packed), Some(vec![8]));
}

#[test]
fn t_39_struct_fors_visit_in_the_order_of_memory() {
    for (text, packing) in RECORDED {
        let mut compared = 0;
        for row in rows(text).filter(|row| row[0] == "order") {
            let (tree, fields) = tree_of(row[2], packing);
            let place = tree.field(fields["x"]).unwrap().places()[0];
            let mut visited = Vec::new();
            tree.for_each_index(place, |index| {
                visited.push(index.iter().map(i64::to_string).collect::<Vec<_>>().join(","));
            })
            .unwrap();
            assert_eq!(visited.join(" "), row[4], "{}", row[1]);
            compared += 1;
        }
        assert_eq!(compared, 4);
    }
}

#[test]
fn t_43_cells_at_an_intermediate_level() {
    let (tree, _) =
        tree_of("field x i32; dense n1 root ij 2,3; dense n2 n1 ij 4,4; place n2 x", Packing::Padded);
    let mut visited = Vec::new();
    tree.for_each_index(tree.nodes()[1].id(), |index| visited.push(index.to_vec())).unwrap();
    assert_eq!(visited, indices(&[2, 3]));
}
