//! Sparse nodes in kernels: they do what the host's model of such trees does, on every target.

use crate::support::on_all;
use ivy_taichi::ir::TaskKind;
use ivy_taichi::types::layout::{FieldId, HostMemory, NodeId, NodeKind, SNodeTree};
use ivy_taichi::types::{Constant, PrimitiveType};
use ivy_taichi::{Config, Error, Field, FieldNode, FieldTree, Program, Result, kernel, stages};

/// Pseudo-random numbers by the step of SplitMix64 (Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % end as u64) as usize
    }
}

#[kernel]
fn put(x: &Field<i32>, i: i32, j: i32, value: i32) {
    x[(i, j)] = value;
}

#[kernel]
fn add(x: &Field<f64>, i: i32, j: i32, value: f64) {
    x[(i, j)] += value;
}

/// Counts the visits of each element, and adds its value.
#[kernel]
fn visit(x: &Field<i32>, seen: &Field<i32>) {
    for (i, j) in x {
        seen[(i, j)] += 1 + 1000 * x[(i, j)];
    }
}

#[kernel]
fn visit_in_order(x: &Field<i32>, seen: &Field<i32>) {
    for (i, j) in serial(x) {
        seen[(i, j)] += 1 + 1000 * x[(i, j)];
    }
}

#[kernel]
fn visit_cells(node: &FieldNode, seen: &Field<i32>) {
    for index in grouped(node) {
        seen[index] += 1;
    }
}

#[kernel]
fn activate_cell(node: &FieldNode, i: i32, j: i32) {
    activate(node, i, j);
}

#[kernel]
fn deactivate_cell(node: &FieldNode, i: i32, j: i32) {
    deactivate(node, i, j);
}

#[kernel]
fn ask(node: &FieldNode, answers: &Field<i32>) {
    for (i, j) in ndrange(16, 16) {
        answers[(i, j)] = is_active(node, i, j);
    }
}

/// A random tree over two axes of 16, with two fields at its end and one in a cell on the way, and its sparse nodes of two axes.
struct Random {
    tree: SNodeTree,
    x: FieldId,
    y: FieldId,
    nodes: Vec<NodeId>,
}

fn random(program: &Program, numbers: &mut Numbers) -> Result<Random> {
    const SPLITS: [&[i64]; 6] = [&[16], &[4, 4], &[2, 8], &[8, 2], &[2, 4, 2], &[2, 2, 2, 2]];
    let mut builder = program.fields_builder();
    let x = builder.field("x", PrimitiveType::I32)?;
    let y = builder.field("y", PrimitiveType::F64)?;
    let levels = SPLITS[numbers.below(SPLITS.len())];
    let (mut at, mut nodes) = (builder.root().id(), Vec::new());
    let apart = numbers.below(2) == 0;
    for (n, &size) in levels.iter().enumerate() {
        let sparse = ["dense", "pointer", "bitmasked", "hash"][numbers.below(if n == 0 { 4 } else { 3 })];
        let above = builder.at(at)?;
        let made = match sparse {
            "dense" => above.dense("ij", &[size])?,
            "pointer" => above.pointer("ij", &[size])?,
            "hash" => above.hash("ij", &[size])?,
            _ => above.bitmasked("ij", &[size])?,
        };
        at = made.id();
        if sparse != "dense" {
            nodes.push(at);
        }
        // A number of another type in a cell on the way, so that what goes out of use has holes.
        if n == 0 && levels.len() > 1 && numbers.below(2) == 0 {
            let z = builder.field("z", PrimitiveType::U8)?;
            builder.at(at)?.place(&[z])?;
        }
    }
    if apart {
        builder.at(at)?.place(&[y])?;
        builder.at(at)?.place(&[x])?;
    } else {
        builder.at(at)?.place(&[x, y])?;
    }
    Ok(Random { tree: builder.finalize()?, x, y, nodes })
}

#[test]
fn t_35_kernels_do_as_the_model_of_the_host() {
    for packed in [false, true] {
        on_all(Config::new().packed(packed), |program| {
            let seen = program.field::<i32>(&[16, 16])?;
            let mut numbers = Numbers(7);
            for _ in 0..12 {
                let own = random(program, &mut numbers)?;
                let mut model = HostMemory::new(own.tree.clone())?;
                let tree = program.build(own.tree.clone())?;
                for _ in 0..3 {
                    change(&own, &tree, &mut model, &mut numbers)?;
                    compare(&own, &tree, &model, &seen)?;
                }
                tree.destroy();
            }
            Ok(())
        });
    }
}

fn int(value: i32) -> Constant {
    Constant::from_bits(PrimitiveType::I32, value as u32 as u64)
}

/// A few writes, and cells that come into use and go out of it, in kernels and in the model.
fn change(own: &Random, tree: &FieldTree, model: &mut HostMemory, numbers: &mut Numbers) -> Result<()> {
    let (x, y) = (tree.field::<i32>(own.x)?, tree.field::<f64>(own.y)?);
    for _ in 0..6 {
        let [i, j] = [0; 2].map(|_| numbers.below(16) as i32);
        let index = [i64::from(i), i64::from(j)];
        let value = 1 + numbers.below(99) as i32;
        match numbers.below(6) {
            0 => {
                x.set(&index, value)?;
                model.write(own.x, 0, &index, int(value))?;
            }
            1 => {
                add(&y, i, j, f64::from(value))?;
                let before = model.read(own.y, 0, &index)?.to_f64();
                let after = (before + f64::from(value)).to_bits();
                model.write(own.y, 0, &index, Constant::from_bits(PrimitiveType::F64, after))?;
            }
            2 | 3 => {
                put(&x, i, j, value)?;
                model.write(own.x, 0, &index, int(value))?;
            }
            change if !own.nodes.is_empty() => {
                let id = own.nodes[numbers.below(own.nodes.len())];
                let node = tree.node(id)?;
                let cells = node.shape();
                let index = [i as usize % cells[0], j as usize % cells[1]].map(|n| n as i64);
                if change == 4 {
                    activate_cell(&node, index[0] as i32, index[1] as i32)?;
                    model.activate(id, &index)?;
                } else {
                    deactivate_cell(&node, index[0] as i32, index[1] as i32)?;
                    model.deactivate(id, &index)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Every element, every cell, and what loops visit.
fn compare(own: &Random, tree: &FieldTree, model: &HostMemory, seen: &Field<i32>) -> Result<()> {
    let (x, y) = (tree.field::<i32>(own.x)?, tree.field::<f64>(own.y)?);
    let place = own.tree.field(own.x)?.places()[0];
    let mut visits = vec![0; 256];
    model.for_each_active(place, |index| visits[(index[0] * 16 + index[1]) as usize] += 1)?;
    let all = || (0..256).map(|n| [n / 16, n % 16]);
    for (n, index) in all().enumerate() {
        let value = model.read(own.x, 0, &index)?.bits() as i32;
        assert_eq!(x.get(&index)?, value, "{index:?} in {}", own.tree);
        assert_eq!(y.get(&index)?, model.read(own.y, 0, &index)?.to_f64(), "{index:?} in {}", own.tree);
        visits[n] *= 1 + 1000 * value;
    }
    for in_order in [false, true] {
        seen.fill(0)?;
        if in_order {
            visit_in_order(&x, seen)?
        } else {
            visit(&x, seen)?
        }
        assert_eq!(seen.to_vec()?, visits, "in order: {in_order}; {}", own.tree);
    }
    for &id in &own.nodes {
        let node = tree.node(id)?;
        let cells = node.shape();
        let inside = |index: &[i64; 2]| (index[0] as usize) < cells[0] && (index[1] as usize) < cells[1];
        let active: Vec<i32> =
            all().map(|index| i32::from(inside(&index) && model.is_active(id, &index).unwrap())).collect();
        seen.fill(0)?;
        ask(&node, seen)?;
        assert_eq!(seen.to_vec()?, active, "{} in {}", node.name(), own.tree);
        seen.fill(0)?;
        visit_cells(&node, seen)?;
        assert_eq!(seen.to_vec()?, active, "{} in {}", node.name(), own.tree);
    }
    Ok(())
}

/// A list in each of three rows, with a number and a pair of it in its cells.
fn lists(program: &Program) -> Result<(FieldTree, Field<i32>, FieldNode)> {
    let mut builder = program.fields_builder();
    let x = builder.field("x", PrimitiveType::I32)?;
    let rows = builder.root().pointer("i", &[3])?.id();
    let list = builder.at(rows)?.dynamic("j", 8, Some(4))?.place(&[x])?.id();
    let tree = program.build(builder.finalize()?)?;
    let (x, list) = (tree.field(x)?, tree.node(list)?);
    Ok((tree, x, list))
}

/// Appends so many times to the first list, and twice to the last one.
#[kernel]
fn append_all(x: &Field<i32>, list: &FieldNode, count: i32) {
    for n in 0..count {
        let place = append(list, 0);
        x[(0, place)] = 10 + n;
    }
    for n in serial(range(0, 2)) {
        x[(2, append(list, 2))] = n + 1;
    }
}

#[kernel]
fn lengths(list: &FieldNode, answers: &Field<i32>) {
    for i in answers {
        answers[i] = length(list, i);
    }
}

#[test]
fn t_35_lists_of_kernels() {
    on_all(Config::new(), |program| {
        let (tree, x, list) = lists(program)?;
        let answers = program.field::<i32>(&[3])?;
        append_all(&x, &list, 5)?;
        lengths(&list, &answers)?;
        assert_eq!(answers.to_vec()?, [5, 0, 2]);
        let row = |row: i64| (0..8).map(|j| x.get(&[row, j])).collect::<Result<Vec<_>>>();
        let mut first = row(0)?;
        // Threads append in any order.
        first.sort_unstable();
        assert_eq!(first, [0, 0, 0, 10, 11, 12, 13, 14]);
        assert_eq!(row(2)?, [1, 2, 0, 0, 0, 0, 0, 0]);
        x.set(&[1, 6], 9)?;
        assert_eq!((list.length(&[1])?, list.length(&[0])?), (7, 5));
        list.deactivate(&[0])?;
        assert_eq!((list.length(&[0])?, row(0)?), (0, vec![0; 8]));
        tree.deactivate_all()?;
        assert_eq!((list.length(&[1])?, row(1)?, row(2)?), (0, vec![0; 8], vec![0; 8]));
        Ok(())
    });
}

#[test]
fn t_35_a_list_below_the_root_has_no_index() {
    on_all(Config::new(), |program| {
        let mut builder = program.fields_builder();
        let x = builder.field("x", PrimitiveType::I32)?;
        let list = builder.root().dynamic("i", 8, None)?.place(&[x])?.id();
        let tree = program.build(builder.finalize()?)?;
        let (x, list) = (tree.field::<i32>(x)?, tree.node(list)?);
        x.set(&[3], 7)?;
        assert_eq!(list.length(&[])?, 4);
        assert!(list.length(&[0]).is_err() && list.activate(&[8]).is_err());
        list.activate(&[5])?;
        assert_eq!(list.length(&[])?, 6);
        list.deactivate(&[])?;
        assert_eq!((list.length(&[])?, x.get(&[3])?), (0, 0));
        x.set(&[0], 1)?;
        list.deactivate_all()?;
        assert_eq!((list.length(&[])?, x.get(&[0])?), (0, 0));
        Ok(())
    });
}

#[kernel]
fn write_far(x: &Field<i8>, at: i32) {
    x[at] = 5;
}

/// An axis beyond the range of indices of 32 bits; its pages are the system's until they are written.
#[test]
fn t_35_axes_longer_than_indices_reach() {
    let program = Program::new(Config::new().packed(true)).unwrap();
    let mut builder = program.fields_builder();
    let x = builder.field("x", PrimitiveType::I8).unwrap();
    let block = builder.root().pointer("i", &[3]).unwrap().id();
    builder.at(block).unwrap().dense("i", &[1 << 30]).unwrap().place(&[x]).unwrap();
    let tree = program.build(builder.finalize().unwrap()).unwrap();
    let (x, block) = (tree.field::<i8>(x).unwrap(), tree.node(block).unwrap());
    write_far(&x, i32::MAX).unwrap();
    assert!(block.is_active(&[1]).unwrap() && !block.is_active(&[0]).unwrap());
    assert_eq!(x.get(&[i64::from(i32::MAX)]).unwrap(), 5);
    x.set(&[3 * (1 << 30) - 1], 6).unwrap();
    assert!(block.is_active(&[2]).unwrap());
}

#[test]
fn t_35_a_full_list_is_said() {
    on_all(Config::new(), |program| {
        let (_tree, x, list) = lists(program)?;
        let fault = append_all(&x, &list, 9).unwrap_err();
        assert!(fault.to_string().contains("S2dynamic: a list of all its 8 cells is appended to"), "{fault}");
        assert_eq!((list.length(&[0])?, list.length(&[2])?), (8, 2), "the others keep theirs");
        Ok(())
    });
}

#[kernel]
fn nowhere(node: &FieldNode, x: &Field<i32>) {
    activate(node, 5);
    deactivate(node, -1);
    x[9] = 1;
}

#[test]
fn t_35_indices_out_of_range_touch_nothing() {
    on_all(Config::new(), |program| {
        let mut builder = program.fields_builder();
        let x = builder.field("x", PrimitiveType::I32)?;
        let (y, node) = (builder.field("y", PrimitiveType::I32)?, builder.root().pointer("i", &[4])?.id());
        builder.at(node)?.place(&[x])?;
        builder.root().bitmasked("i", &[4])?.place(&[y])?;
        let tree = program.build(builder.finalize()?)?;
        let (x, y, node) = (tree.field::<i32>(x)?, tree.field::<i32>(y)?, tree.node(node)?);
        x.set(&[3], 7)?;
        nowhere(&node, &x)?;
        assert_eq!((x.to_vec()?, y.to_vec()?), (vec![0, 0, 0, 7], vec![0; 4]));
        for index in [-1, 4] {
            let error = node.activate(&[index]).unwrap_err();
            assert!(matches!(error, Error::Layout(_)), "{error}");
        }
        assert!(node.is_active(&[3])? && !node.is_active(&[0])?);
        tree.destroy();
        assert!(matches!(node.deactivate_all(), Err(Error::Destroyed)));
        Ok(())
    });
}

#[kernel]
fn clear(node: &FieldNode) {
    for i in node {
        deactivate(node, i);
    }
}

#[test]
fn t_36_cells_that_come_back_are_zero() {
    on_all(Config::new(), |program| {
        let mut builder = program.fields_builder();
        let x = builder.field("x", PrimitiveType::I32)?;
        let node = builder.root().pointer("i", &[64])?.id();
        let inner = builder.at(node)?.bitmasked("i", &[4])?.id();
        builder.at(inner)?.place(&[x])?;
        let tree = program.build(builder.finalize()?)?;
        let (x, node, inner) = (tree.field::<i32>(x)?, tree.node(node)?, tree.node(inner)?);
        for index in [5, 100, 255] {
            x.set(&[index], 1)?;
        }
        clear(&node)?;
        assert!(x.to_vec()?.iter().all(|&own| own == 0));
        node.activate(&[1])?;
        assert!(!inner.is_active(&[5])?, "what stood below is out of use as well");
        assert_eq!(x.get(&[5])?, 0);
        Ok(())
    });
}

#[test]
fn t_40_lists_are_made_level_by_level() {
    let program = Program::new(Config::new()).unwrap();
    let mut builder = program.fields_builder();
    let x = builder.field("x", PrimitiveType::I32).unwrap();
    let node = builder.root().pointer("ij", &[4]).unwrap().dense("ij", &[2]).unwrap().id();
    builder.at(node).unwrap().bitmasked("ij", &[2]).unwrap().place(&[x]).unwrap();
    let tree = program.build(builder.finalize().unwrap()).unwrap();
    let (x, seen) = (tree.field::<i32>(x).unwrap(), program.field::<i32>(&[16, 16]).unwrap());
    let found = stages(|| visit(&x, &seen)).unwrap();
    let (_, last) = found.last().unwrap();
    let kinds: Vec<String> = last
        .tasks()
        .map(|(_, kind)| match kind {
            TaskKind::Serial => "serial".to_owned(),
            TaskKind::ListGen { level, .. } => format!("listgen {level}"),
            _ => "for".to_owned(),
        })
        .collect();
    assert_eq!(kinds, ["listgen 0", "serial", "listgen 1", "serial", "for"]);
    let text = last.to_string();
    for line in ["listgen S0root->S1pointer", "listgen S1pointer->S3bitmasked"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn t_49_lookups_of_sparse_nodes() {
    let program = Program::new(Config::new()).unwrap();
    let mut builder = program.fields_builder();
    let x = builder.field("x", PrimitiveType::I32).unwrap();
    builder.root().pointer("ij", &[16]).unwrap().place(&[x]).unwrap();
    let tree = program.build(builder.finalize().unwrap()).unwrap();
    let (x, seen) = (tree.field::<i32>(x).unwrap(), program.field::<i32>(&[16, 16]).unwrap());
    let codes = |found: &[(&'static str, ivy_taichi::ir::Ir)], stage: &str| {
        let (_, ir) = found.iter().find(|(name, _)| *name == stage).unwrap();
        ir.in_order().iter().filter(|&&id| ir.statement(id).code.name() == "activate").count()
    };
    let written = stages(|| put(&x, 1, 2, 3)).unwrap();
    assert_eq!((codes(&written, "insert_activation"), codes(&written, "lower_sparse")), (1, 0));
    let read = stages(|| visit(&x, &seen)).unwrap();
    assert_eq!(codes(&read, "insert_activation"), 0, "reads activate nothing");
    assert_eq!(x.tree().node(NodeId::ROOT).unwrap().kind(), NodeKind::Root);
}
