//! Nodes: sizes, extractors, counts, places of axes, and large fields.

use crate::rows;
use ivy_taichi_types::PrimitiveType;
use ivy_taichi_types::layout::{FieldOptions, FieldsBuilder, NodeId, Packing, SNodeTree};

use PrimitiveType::{F32, I8, I32};

#[test]
fn t_27_sizes_of_recorded_nodes() {
    let mut compared = 0;
    for row in rows(include_str!("../data/nodes-1.7.4.tsv")) {
        let mut builder = FieldsBuilder::new(Packing::Packed);
        let types = row[1].split(' ').map(|name| name.parse::<PrimitiveType>().unwrap());
        let fields: Vec<_> = types.map(|ty| builder.field("x", ty).unwrap()).collect();
        let root = builder.root();
        let node = match row[0] {
            "dense" => root.dense("i", &[5]),
            "bitmasked" => root.bitmasked("i", &[70]),
            "pointer" => root.pointer("ij", &[3, 5]),
            _ => root.dynamic("i", 100, Some(8)),
        };
        let node = node.unwrap().place(&fields).unwrap().id();
        let behind = builder.field("y", I8).unwrap();
        let behind = builder.root().dense("i", &[1]).unwrap().place(&[behind]).unwrap().id();
        let tree = builder.finalize().unwrap();
        let in_cell = |id: NodeId| tree.node(id).unwrap().offset_bytes_in_parent_cell();
        let offsets: Vec<String> =
            fields.iter().map(|&x| in_cell(tree.field(x).unwrap().places()[0]).to_string()).collect();
        assert_eq!(offsets.join(" "), row[2]);
        assert_eq!(tree.node(node).unwrap().cell_bytes().to_string(), row[3], "{} {}", row[0], row[1]);
        assert_eq!(in_cell(behind).to_string(), row[4], "{} {}", row[0], row[1]);
        compared += 1;
    }
    assert_eq!(compared, 16);
}

/// A 2-D field of a shape.
fn field(shape: [i64; 2], packing: Packing) -> SNodeTree {
    let mut builder = FieldsBuilder::new(packing);
    builder.dense_field("a", I32, &shape, FieldOptions::new()).unwrap();
    builder.finalize().unwrap()
}

#[test]
fn t_28_padded_to_powers_of_two() {
    let shape = |shape| {
        let tree = field(shape, Packing::Padded);
        let node = &tree.nodes()[1];
        let own = node.extractors();
        assert_eq!(node.num_cells_per_container(), own[0].shape * own[1].shape);
        assert_eq!((own[0].size as i64, own[1].size as i64), (shape[0], shape[1]));
        [own[0].shape, own[1].shape]
    };
    assert_eq!(shape([18, 65]), [32, 128]);
    assert_eq!(shape([129, 6553600]), [256, 8388608]);
    assert_eq!(shape([1, 1]), [1, 1]);
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let error = builder.root().dense("ij", &[1 << 31, (1 << 32) + 1]).unwrap_err().to_string();
    assert_eq!(error, "SNode=S1dense: total_num_bits=64 exceeded limit=64: the shape is too large");
    let error = builder.root().dense("i", &[i64::MAX]).unwrap_err().to_string();
    assert_eq!(error, "S1dense is too large to be addressed with 64 bits");
    let outer = builder.root().pointer("i", &[(1 << 31) + 1]).unwrap().id();
    let error = builder.at(outer).unwrap().dense("i", &[(1 << 31) + 1]).unwrap_err().to_string();
    assert_eq!(error, "S2dense is too large to be addressed with 64 bits");
    let x = builder.field("x", F32).unwrap();
    builder.at(outer).unwrap().dense("j", &[1 << 62]).unwrap().place(&[x]).unwrap();
    assert_eq!(
        builder.finalize().unwrap_err().to_string(),
        "S2dense is too large to be addressed with 64 bits"
    );
}

#[test]
fn t_29_packed_to_the_shape() {
    let (packed, padded) = (field([18, 65], Packing::Packed), field([18, 65], Packing::Padded));
    assert_eq!(packed.nodes()[1].num_cells_per_container(), 1170);
    assert_eq!((packed.root_bytes(), padded.root_bytes()), (1170 * 4, 32 * 128 * 4));
    for tree in [packed, padded] {
        let mut visited = Vec::new();
        tree.for_each_index(NodeId::ROOT, |_| visited.push(Vec::new())).unwrap();
        assert_eq!(visited, [Vec::<i64>::new()], "the root has one cell");
        visited.clear();
        let x = tree.fields().next().unwrap();
        let place = tree.field(x).unwrap().places()[0];
        tree.for_each_index(place, |index| visited.push(index.to_vec())).unwrap();
        assert_eq!(visited, crate::layouts::indices(&[18, 65]), "exactly the shape");
    }
}

/// The example of containers and cells: `S1 = root.pointer(i, 4)`, `S2 = S1.dense(i, 2)` with x and y, `S5 = S1.dense(i, 2)` with z.
fn example() -> SNodeTree {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let [x, y, z] = ["x", "y", "z"].map(|name| builder.field(name, I32).unwrap());
    let s1 = builder.root().pointer("i", &[4]).unwrap().id();
    builder.at(s1).unwrap().dense("i", &[2]).unwrap().place(&[x, y]).unwrap();
    builder.at(s1).unwrap().dense("i", &[2]).unwrap().place(&[z]).unwrap();
    builder.finalize().unwrap()
}

#[test]
fn t_30_extractors_of_the_example() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let x = builder.field("x", I32).unwrap();
    builder.root().dense("ij", &[3, 5]).unwrap().dense("jk", &[2, 9]).unwrap().place(&[x]).unwrap();
    let tree = builder.finalize().unwrap();
    let table = |node: usize| -> Vec<(char, u32, u64, u64, u32, u64)> {
        let node = &tree.nodes()[node];
        let row = |axis: u8| {
            let own = node.extractors()[usize::from(axis)];
            let letter = char::from(b'i' + axis);
            (letter, own.num_bits, own.shape, own.acc_shape, own.acc_offset, own.num_elements_from_root)
        };
        node.active_axes().map(row).collect()
    };
    assert_eq!(table(1), [('i', 2, 4, 8, 3, 3), ('j', 3, 8, 1, 0, 5)]);
    assert_eq!(table(2), [('j', 1, 2, 16, 4, 10), ('k', 4, 16, 1, 0, 9)]);
    assert_eq!(tree.nodes()[2].total_num_bits(), 5);
    assert_eq!(tree.field(x).unwrap().shape(), [3, 10, 9]);
    let tree = example();
    let elements = |node: usize| tree.nodes()[node].extractors()[0].num_elements_from_root;
    assert_eq!([1, 2, 5].map(elements), [4, 8, 8]);
}

#[test]
fn t_31_containers_cells_and_components() {
    let tree = example();
    let names: Vec<String> = tree.nodes().iter().map(ToString::to_string).collect();
    let expected =
        ["S0root", "S1pointer", "S2dense", "S3place<i32>", "S4place<i32>", "S5dense", "S6place<i32>"];
    assert_eq!(names, expected);
    let counts: Vec<(u64, u64)> = tree
        .nodes()
        .iter()
        .map(|node| tree.counts(node.id()).unwrap().unwrap())
        .map(|counts| (counts.containers, counts.cells))
        .collect();
    assert_eq!(counts, [(1, 1), (1, 4), (4, 8), (8, 0), (8, 0), (4, 8), (8, 0)]);
    let components: Vec<usize> = tree.nodes().iter().map(|node| node.children().len()).collect();
    assert_eq!(components, [1, 2, 2, 0, 0, 1, 0]);
}

#[test]
fn t_32_places_of_axes_in_memory() {
    let place = |tree: &SNodeTree| tree.field(tree.fields().next().unwrap()).unwrap().places()[0];
    let positions = |tree: SNodeTree| tree.node(place(&tree)).unwrap().physical_index_position();
    let mut builder = FieldsBuilder::new(Packing::Padded);
    builder.dense_field("a", F32, &[128, 32, 8], FieldOptions::new()).unwrap();
    let mut expected = [-1; 12];
    expected[..3].copy_from_slice(&[0, 1, 2]);
    assert_eq!(positions(builder.finalize().unwrap()), expected);
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let b = builder.field("b", F32).unwrap();
    builder.root().dense("j", &[32]).unwrap().dense("i", &[16]).unwrap().place(&[b]).unwrap();
    let mut expected = [-1; 12];
    expected[..2].copy_from_slice(&[1, 0]);
    assert_eq!(positions(builder.finalize().unwrap()), expected);
    let mut builder = FieldsBuilder::new(Packing::Padded);
    builder.dense_field("c", F32, &[2, 3, 5], FieldOptions::new().order("kij")).unwrap();
    let mut expected = [-1; 12];
    expected[..3].copy_from_slice(&[1, 2, 0]);
    assert_eq!(positions(builder.finalize().unwrap()), expected);
}

#[test]
fn t_37_indices_out_of_range() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let x = builder.dense_field("x", I32, &[4], FieldOptions::new()).unwrap();
    let single = builder.field("single", F32).unwrap();
    builder.root().place(&[single]).unwrap();
    let shifted = builder.dense_field("s", I32, &[3], FieldOptions::new().offset(&[-1])).unwrap();
    let tree = builder.finalize().unwrap();
    let of =
        |field, index: &[i64]| tree.linear(field, 0).unwrap().offset_of(index).map_err(|e| e.to_string());
    let error =
        |numbers: &str| Err(format!("Accessing field (S2place<i32>) of size (4) with indices ({numbers})"));
    assert_eq!(of(x, &[3]), Ok(12));
    assert_eq!(of(x, &[4]), error("4"));
    assert_eq!(of(x, &[-1]), error("-1"));
    assert_eq!(of(x, &[0, 0]), Err("S2place<i32> has 1 axes, got 2 indices".to_owned()));
    assert_eq!(of(single, &[]), Ok(16), "a field without axes");
    assert!(of(single, &[0]).is_err());
    assert_eq!((of(shifted, &[-1]), of(shifted, &[1])), (Ok(20), Ok(28)));
    assert!(of(shifted, &[2]).is_err() && of(shifted, &[i64::MIN]).is_err());
}

#[test]
fn t_38_addresses_of_64_bits() {
    for (packing, bytes) in [(Packing::Packed, 3_000_000_000), (Packing::Padded, 1u64 << 32)] {
        let mut builder = FieldsBuilder::new(packing);
        let x = builder.dense_field("x", I8, &[3_000_000_000], FieldOptions::new()).unwrap();
        let y = builder.dense_field("y", F32, &[1 << 20, 1 << 20], FieldOptions::new()).unwrap();
        let tree = builder.finalize().unwrap();
        assert_eq!(tree.linear(x, 0).unwrap().offset_of(&[2_999_999_999]), Ok(2_999_999_999));
        let last = tree.linear(y, 0).unwrap().offset_of(&[(1 << 20) - 1, (1 << 20) - 1]).unwrap();
        assert_eq!(last, bytes + (1 << 42) - 4);
        assert_eq!(tree.root_bytes(), last + 4);
        assert_eq!(tree.locate(last).unwrap().index, [(1 << 20) - 1, (1 << 20) - 1]);
    }
}
