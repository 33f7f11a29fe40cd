//! Sparse trees on the host: activation, lists, garbage.

use crate::layouts::indices;
use ivy_taichi_types::layout::{
    FieldId, FieldOptions, FieldsBuilder, HostMemory, LayoutError, ListElement, NodeId, Packing,
};
use ivy_taichi_types::{Constant, PrimitiveType, QuantInt, Type};

use PrimitiveType::{F32, F64, I32};

fn int(value: i128) -> Constant {
    Constant::int(I32, value)
}

/// A field of i32 below blocks of some kind and dense cells: 4 blocks of 4.
fn blocks(kind: &str) -> (HostMemory, FieldId, NodeId) {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let x = builder.field("x", I32).unwrap();
    let root = builder.root();
    let block = match kind {
        "pointer" => root.pointer("i", &[4]),
        "hash" => root.hash("i", &[4]),
        "bitmasked" => root.bitmasked("i", &[4]),
        _ => root.dynamic("i", 4, Some(2)),
    };
    let block = block.unwrap().id();
    builder.at(block).unwrap().dense("j", &[4]).unwrap().place(&[x]).unwrap();
    (HostMemory::new(builder.finalize().unwrap()).unwrap(), x, block)
}

#[test]
fn t_35_writes_activate_and_reads_do_not() {
    for kind in ["pointer", "hash", "bitmasked", "dynamic"] {
        let (mut memory, x, block) = blocks(kind);
        let active = |memory: &HostMemory| [0, 1, 2, 3].map(|i| memory.is_active(block, &[i]).unwrap());
        assert_eq!(memory.read(x, 0, &[2, 1]).unwrap(), int(0), "{kind}");
        assert_eq!(active(&memory), [false; 4], "{kind}");
        memory.write(x, 0, &[2, 1], int(7)).unwrap();
        let list = kind == "dynamic";
        assert_eq!(active(&memory), [list, list, true, false], "{kind}: a list has all before its end");
        assert_eq!(memory.read(x, 0, &[2, 1]).unwrap(), int(7));
        assert_eq!(memory.read(x, 0, &[2, 0]).unwrap(), int(0));
        memory.activate(block, &[0]).unwrap();
        let mut visited = Vec::new();
        let place = memory.tree().field(x).unwrap().places()[0];
        memory.for_each_active(place, |index| visited.push(index.to_vec())).unwrap();
        let rows = if list { vec![0, 1, 2] } else { vec![0, 2] };
        let expected: Vec<Vec<i64>> = rows.iter().flat_map(|&i| (0..4).map(move |j| vec![i, j])).collect();
        assert_eq!(visited, expected, "{kind}");
    }
}

#[test]
fn t_35_cells_out_of_use_read_as_0() {
    for kind in ["pointer", "hash", "bitmasked"] {
        let (mut memory, x, block) = blocks(kind);
        memory.write(x, 0, &[3, 0], int(5)).unwrap();
        memory.deactivate(block, &[3]).unwrap();
        memory.deactivate(block, &[1]).unwrap();
        assert_eq!(memory.read(x, 0, &[3, 0]).unwrap(), int(0), "{kind}");
        memory.activate(block, &[3]).unwrap();
        assert_eq!(memory.read(x, 0, &[3, 0]).unwrap(), int(0), "{kind}: also once it is in use again");
        memory.write(x, 0, &[0, 0], int(1)).unwrap();
        memory.deactivate_all(block).unwrap();
        let active = (0..4).filter(|&i| memory.is_active(block, &[i]).unwrap()).count();
        assert_eq!(active, 0, "{kind}");
    }
    let (mut memory, x, block) = blocks("pointer");
    let dense = memory.tree().node(block).unwrap().children()[0];
    let refused = |result: Result<(), LayoutError>| result.unwrap_err().to_string();
    assert_eq!(
        refused(memory.deactivate(dense, &[0, 0])),
        "deactivate: the cells of S2dense are always in use"
    );
    assert_eq!(
        refused(memory.deactivate_all(dense)),
        "deactivate_all: the cells of S2dense are always in use"
    );
    assert_eq!(
        refused(memory.activate(block, &[4])),
        "Accessing field (S1pointer) of size (4) with indices (4)"
    );
    assert!(memory.length(block, &[]).is_err() && memory.read(x, 1, &[0, 0]).is_err());
}

#[test]
fn t_35_lists_append_and_have_a_length() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let z = builder.field("z", F32).unwrap();
    let rows = builder.root().dense("i", &[2]).unwrap().id();
    let list = builder.at(rows).unwrap().dynamic("j", 16, Some(4)).unwrap().place(&[z]).unwrap().id();
    let mut memory = HostMemory::new(builder.finalize().unwrap()).unwrap();
    for k in 0..6 {
        assert_eq!(memory.append(list, &[0], int(k + 10)).unwrap(), k as u64);
    }
    let length = |memory: &HostMemory| [0, 1].map(|i| memory.length(list, &[i]).unwrap());
    let read = |memory: &HostMemory, index: [i64; 2]| memory.read(z, 0, &index).unwrap().to_f64();
    assert_eq!((length(&memory), read(&memory, [0, 5])), ([6, 0], 15.0));
    assert_eq!(memory.slots_in_use(list).unwrap(), 2, "two chunks of four");
    memory.write(z, 0, &[1, 9], int(7)).unwrap();
    assert_eq!((length(&memory), read(&memory, [1, 9]), read(&memory, [1, 8])), ([6, 10], 7.0, 0.0));
    memory.deactivate(list, &[0]).unwrap();
    assert_eq!((length(&memory), read(&memory, [0, 5])), ([0, 10], 0.0));
    let full = (10..17).find_map(|_| memory.append(list, &[1], int(1)).err()).unwrap().to_string();
    assert_eq!(full, "S2dynamic is full: its limit is 16");
    assert_eq!(
        memory.append(list, &[2], int(0)).unwrap_err().to_string().split(' ').next(),
        Some("Accessing")
    );
}

#[test]
fn t_34_cycles_hold_no_more_memory() {
    let (mut memory, x, block) = blocks("pointer");
    let mut held = Vec::new();
    for _ in 0..100 {
        for index in indices(&[4, 4]) {
            memory.write(x, 0, &index, int(1)).unwrap();
        }
        memory.deactivate_all(block).unwrap();
        memory.collect_garbage();
        held.push(memory.bytes_held());
    }
    assert!(held.iter().all(|&bytes| bytes == held[0]), "{held:?}");
}

#[test]
fn t_36_garbage_is_zeroed_and_taken_again() {
    // Lists below pointers: what is below a cell goes out of use with it.
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let x = builder.field("x", I32).unwrap();
    let block = builder.root().pointer("i", &[4]).unwrap().id();
    let list = builder.at(block).unwrap().dynamic("j", 8, Some(2)).unwrap().place(&[x]).unwrap().id();
    let mut memory = HostMemory::with_limit(builder.finalize().unwrap(), 4).unwrap();
    for index in [[0, 7], [1, 1]] {
        let error = memory.write(x, 0, &index, int(9)).err().map(|error| error.to_string());
        let full = (index[0] == 1).then(|| "S2dynamic is full: its limit is 4".to_owned());
        assert_eq!(error, full, "four chunks are all that there are");
    }
    assert_eq!(memory.read(x, 0, &[0, 7]).unwrap(), int(9), "the other values stay");
    let used = |memory: &HostMemory| [block, list].map(|node| memory.slots_in_use(node).unwrap());
    assert_eq!(used(&memory), [2, 4]);
    memory.deactivate(block, &[0]).unwrap();
    assert_eq!(used(&memory), [1, 0]);
    assert_eq!(memory.collect_garbage(), 5);
    let held = memory.bytes_held();
    for j in 0..8 {
        memory.activate(list, &[2, j]).unwrap();
        assert_eq!(memory.read(x, 0, &[2, j]).unwrap(), int(0));
    }
    assert_eq!((used(&memory), memory.bytes_held()), ([2, 4], held));
}

#[test]
fn t_40_lists_of_the_documents() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let x = builder.field("x", I32).unwrap();
    let s1 = builder.root().dense("i", &[4]).unwrap().id();
    let s2 = builder.at(s1).unwrap().bitmasked("i", &[4]).unwrap().place(&[x]).unwrap().id();
    let memory = HostMemory::new(builder.finalize().unwrap()).unwrap();
    let count = |node| memory.list(node).unwrap().len();
    assert_eq!([NodeId::ROOT, s1, s2].map(count), [1, 1, 4]);
    let element = |index: Vec<i64>, to| ListElement { index, from: 0, to };
    assert_eq!(memory.list(s1).unwrap(), [element(vec![], 4)]);
    assert_eq!(memory.list(s2).unwrap()[2], element(vec![2], 4));
}

#[test]
fn t_41_elements_of_at_most_1024_cells() {
    let mut builder = FieldsBuilder::new(Packing::Packed);
    let x = builder.dense_field("x", I32, &[5000], FieldOptions::new()).unwrap();
    let tree = builder.finalize().unwrap();
    let dense = tree.node(tree.field(x).unwrap().places()[0]).unwrap().parent().unwrap();
    let list = HostMemory::new(tree).unwrap().list(dense).unwrap();
    let bounds: Vec<(u64, u64)> = list.iter().map(|element| (element.from, element.to)).collect();
    assert_eq!(bounds, [(0, 1024), (1024, 2048), (2048, 3072), (3072, 4096), (4096, 5000)]);
}

#[test]
fn t_35_padding_is_never_visited() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let x = builder.field("x", I32).unwrap();
    let block = builder.root().pointer("ij", &[3, 3]).unwrap().id();
    builder.at(block).unwrap().bitmasked("ij", &[3, 5]).unwrap().place(&[x]).unwrap();
    let mut memory = HostMemory::new(builder.finalize().unwrap()).unwrap();
    let shape: Vec<i64> = memory.tree().field(x).unwrap().shape().iter().map(|&size| size as i64).collect();
    assert_eq!(shape, [9, 15]);
    let all = indices(&shape);
    for (n, index) in all.iter().enumerate() {
        memory.write(x, 0, index, int(n as i128)).unwrap();
    }
    let place = memory.tree().field(x).unwrap().places()[0];
    let mut visited = Vec::new();
    memory.for_each_active(place, |index| visited.push(index.to_vec())).unwrap();
    for (n, index) in all.iter().enumerate() {
        assert_eq!(memory.read(x, 0, index).unwrap(), int(n as i128));
    }
    visited.sort_unstable();
    assert_eq!(visited, all);
}

#[test]
fn t_26_values_are_the_same_in_every_layout() {
    let trees = ["aos", "soa", "blocks", "columns"].map(|kind| {
        let mut builder = FieldsBuilder::new(Packing::Padded);
        let (x, y) = (builder.field("x", F32).unwrap(), builder.field("y", F64).unwrap());
        match kind {
            "aos" => drop(builder.root().dense("ij", &[4, 6]).unwrap().place(&[x, y]).unwrap()),
            "soa" => {
                builder.root().dense("ij", &[4, 6]).unwrap().place(&[x]).unwrap();
                builder.root().dense("ij", &[4, 6]).unwrap().place(&[y]).unwrap();
            }
            "blocks" => {
                let outer = builder.root().dense("ij", &[2, 3]).unwrap();
                outer.dense("ij", &[2, 2]).unwrap().place(&[x, y]).unwrap();
            }
            _ => {
                let outer = builder.root().dense("j", &[6]).unwrap();
                outer.dense("i", &[4]).unwrap().place(&[x, y]).unwrap();
            }
        }
        let mut memory = HostMemory::new(builder.finalize().unwrap()).unwrap();
        for index in indices(&[4, 6]) {
            let value = Constant::float(F64, index[0] as f64 + 0.1 * index[1] as f64);
            memory.write(x, 0, &index, value).unwrap();
            memory.write(y, 0, &index, value).unwrap();
        }
        let read =
            |field| indices(&[4, 6]).iter().map(|i| memory.read(field, 0, i).unwrap()).collect::<Vec<_>>();
        (read(x), read(y))
    });
    assert!(trees.iter().all(|values| *values == trees[0]));
    assert_eq!(trees[0].1[7].to_f64(), 1.1);
}

#[test]
fn t_22_words_below_dense_nodes() {
    let mut builder = FieldsBuilder::new(Packing::Padded);
    let five: Type = QuantInt::new(5, true, None).unwrap().into();
    let [a, b, c] = ["a", "b", "c"].map(|name| builder.field(name, five).unwrap());
    builder.root().dense("i", &[3]).unwrap().place_bits(16, &[(&[a, b], false)]).unwrap();
    builder.root().dense("i", &[3]).unwrap().quant_array("i", &[6], 64).unwrap().place(&[c]).unwrap();
    let mut memory = HostMemory::new(builder.finalize().unwrap()).unwrap();
    for i in 0..3 {
        memory.write(a, 0, &[i], int(i128::from(i))).unwrap();
        memory.write(b, 0, &[i], int(-i128::from(i))).unwrap();
    }
    for i in 0..18 {
        memory.write(c, 0, &[i], int(i128::from(i) - 9)).unwrap();
    }
    let read = |field, size: i64| -> Vec<i128> {
        (0..size).map(|i| memory.read(field, 0, &[i]).unwrap().to_i128()).collect()
    };
    assert_eq!((read(a, 3), read(b, 3)), (vec![0, 1, 2], vec![0, -1, -2]));
    assert_eq!(read(c, 18), (-9..9).collect::<Vec<i128>>());
    let place = memory.tree().field(c).unwrap().places()[0];
    let mut visited = Vec::new();
    memory.for_each_active(place, |index| visited.push(index[0])).unwrap();
    assert_eq!(visited, (0..18).collect::<Vec<i64>>());
}
