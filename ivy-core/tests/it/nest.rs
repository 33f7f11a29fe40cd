//! Nests and trees: order, paths, structures, depth, and what the derive macro makes.

use ivy::nest::{MAX_DEPTH, Path, Step};
use ivy::prelude::*;
use ivy::{ErrorKind, Nest, Result, Tree};
use std::collections::BTreeMap;

fn array(x: i32) -> Array {
    ivy::asarray(x, ()).unwrap()
}

fn numbers<T: Tree>(tree: &T) -> Vec<i32> {
    tree.arrays().unwrap().iter().map(|x| x.item::<i32>().unwrap()).collect()
}

fn paths<T: Tree>(tree: &T) -> Vec<String> {
    tree.paths().unwrap().iter().map(ToString::to_string).collect()
}

fn path(steps: &[&str]) -> Path {
    let step = |s: &&str| s.parse::<usize>().map_or_else(|_| Step::from(*s), Step::from);
    steps.iter().map(step).collect()
}

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
    error.to_string()
}

fn sample() -> Nest<i32> {
    let layers = Nest::list([Nest::dict([("w", Nest::from([1, 2])), ("b", Nest::Leaf(3))]), Nest::list([])]);
    Nest::dict([("layers", layers), ("step", Nest::Leaf(4))])
}

#[test]
fn leaves_and_paths_in_order() {
    let nest = sample();
    assert_eq!(nest.leaves(), [&1, &2, &3, &4]);
    let said: Vec<String> = nest.paths().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["layers[0].w[0]", "layers[0].w[1]", "layers[0].b", "step"]);
    assert_eq!(format!("{:?}", Nest::from([5, 6])), r#"{"[0]": 5, "[1]": 6}"#);
    assert_eq!(format!("{:?}", Nest::Leaf(5)), r#"{"": 5}"#);
    assert_eq!(nest.argwhere(|x| x % 2 == 0), [path(&["layers", "0", "w", "1"]), path(&["step"])]);
    for (path, leaf) in nest.paths().iter().zip(nest.leaves()) {
        assert!(matches!(nest.get(path).unwrap(), Nest::Leaf(x) if x == leaf));
    }
    assert_eq!(nest.into_leaves(), [1, 2, 3, 4]);
}

#[test]
fn structures() {
    let nest = sample();
    let (structure, leaves) = nest.flatten();
    assert_eq!(structure.leaves(), 4);
    assert_eq!(structure.unflatten(leaves.iter().map(|x| **x)).unwrap(), nest);
    assert!(refused(structure.unflatten([1])).contains("1 for 4 places"));
    assert_ne!(Nest::dict([("a", Nest::Leaf(1))]), Nest::dict([("b", Nest::Leaf(1))]));
    assert_ne!(Nest::from([1, 2]), Nest::from([1, 3]));
    assert_eq!(nest.clone(), nest);
    let empty: Nest<i32> = Nest::list([]);
    assert_eq!(empty.map(|x| x + 1), empty);
    let squares = nest.zip_map(&nest, |a, b| a * b).unwrap();
    assert_eq!(squares.leaves(), [&1, &4, &9, &16]);
    let mut other = sample();
    *other.get_mut(&path(&["layers", "0", "w"])).unwrap() = Nest::from([1]);
    assert!(
        refused(nest.zip_map(&other, |a, b| a * b)).contains("a list of 1 for a list of 2 at layers[0].w")
    );
    assert!(refused(Nest::Leaf(1).zip_map(&nest, |a, b| a * b)).contains("at itself"));
    let failed = nest.try_map(|path, x| match x {
        3 => Err(refused_at(path)),
        x => Ok(*x),
    });
    assert!(refused(failed).contains("layers[0].b"));
    assert!(refused(nest.get(&path(&["layers", "7"])).map(|_| ())).contains("layers has no such entry"));
    assert!(refused(other.get_mut(&path(&["step", "x"])).map(|_| ())).contains("step has no such entry"));
}

fn refused_at(path: &Path) -> ivy::Error {
    let (function, argument) = ("test", "leaf");
    ErrorKind::InvalidArgument { function, argument, value: path.to_string(), rule: "not three" }.into()
}

#[test]
fn dicts_keep_each_key_once() {
    let Nest::Dict(mut dict) = Nest::dict([("a", Nest::Leaf(1)), ("b", Nest::Leaf(2)), ("a", Nest::Leaf(3))])
    else {
        panic!("a dict");
    };
    assert_eq!(dict.iter().map(|e| e.0).collect::<Vec<_>>(), ["a", "b"]);
    assert!(matches!(dict.insert("a", Nest::Leaf(9)), Some(Nest::Leaf(3))));
    assert!(dict.insert("c", Nest::Leaf(0)).is_none());
    assert!((dict.len(), dict.is_empty()) == (3, false) && dict.get("z").is_none());
    assert_eq!(Nest::from(dict).into_leaves(), [9, 2, 0]);
}

#[test]
fn no_depth_is_too_great_for_a_nest() {
    let mut nest = Nest::Leaf(array(1));
    for i in 0..10_000 {
        nest = if i % 2 == 0 { Nest::list([nest]) } else { Nest::dict([("k", nest)]) };
    }
    let more = ivy::nested_map(|x| ivy::add(x, 1), &nest).unwrap();
    assert_eq!(numbers(&more), [2]);
    assert_eq!(more.paths()[0].steps().len(), 10_000);
    let copy = nest.map(|x| x.dtype());
    assert!(copy.clone() == copy && copy.zip_map(&nest, |d, x| *d == x.dtype()).unwrap().into_leaves()[0]);
}

#[derive(Tree, Clone, Debug)]
struct Linear<T = Array> {
    weight: T,
    bias: Option<T>,
    #[tree(skip)]
    name: &'static str,
    r#type: usize,
}

#[derive(Tree)]
enum Layer {
    Linear(Linear),
    Scale { by: Array, each: [Array; 2] },
    Identity,
}

#[derive(Tree)]
struct Model {
    layers: Vec<Layer>,
    named: BTreeMap<String, Array>,
    pair: (f64, Box<Array>),
}

#[derive(Tree)]
struct Unit;

#[derive(Tree)]
struct Chain(Array, Option<Box<Chain>>);

fn linear(first: i32) -> Linear {
    Linear { weight: array(first), bias: Some(array(first + 1)), name: "linear", r#type: 7 }
}

fn model() -> Model {
    Model {
        layers: vec![
            Layer::Linear(linear(1)),
            Layer::Identity,
            Layer::Scale { by: array(3), each: [array(4), array(5)] },
        ],
        named: BTreeMap::from([("z".into(), array(7)), ("a".into(), array(6))]),
        pair: (0.5, Box::new(array(8))),
    }
}

#[test]
fn derived_trees() {
    let model = model();
    assert_eq!(numbers(&model), [1, 2, 3, 4, 5, 6, 7, 8]);
    let expected = [
        "layers[0][0].weight",
        "layers[0][0].bias",
        "layers[2].by",
        "layers[2].each[0]",
        "layers[2].each[1]",
        "named.a",
        "named.z",
        "pair[1]",
    ];
    assert_eq!(paths(&model), expected);
    let doubled = ivy::nested_map(|x| ivy::multiply(x, 2), &model).unwrap();
    assert_eq!(numbers(&doubled), [2, 4, 6, 8, 10, 12, 14, 16]);
    assert!(matches!(&doubled.layers[0], Layer::Linear(l) if l.name == "linear" && l.r#type == 7));
    assert!(matches!(doubled.layers[1], Layer::Identity) && doubled.pair.0 == 0.5);
    let back = doubled.with_arrays(model.arrays().unwrap()).unwrap();
    assert_eq!(numbers(&back), numbers(&model));
    assert!(refused(model.with_arrays([array(1)]).map(|_| ())).contains("too few"));
    assert!(refused(Unit.with_arrays([array(1)]).map(|_| ())).contains("too many"));
    // Of other parameters than arrays.
    let several = Linear { weight: vec![array(1)], bias: None, name: "several", r#type: 0 };
    assert_eq!(paths(&several), ["weight[0]"]);
    assert!(paths(&(1u8, String::new(), (), true, 1.5f32)).is_empty());
}

#[test]
fn errors_of_functions_go_through() {
    let wrong = ivy::nested_map(|x| ivy::reshape(x, [2], ()), &model()).map(|_| ());
    assert!(matches!(wrong.unwrap_err().kind(), ErrorKind::ShapeMismatch { .. }));
    let stopped = ivy::nested_any(&model(), |_| Err(refused_at(&Path::new())));
    assert!(refused(stopped).contains("not three"));
}

#[test]
fn functions_of_nests() {
    let model = model();
    let even = ivy::nested_argwhere(&model, |x| Ok(x.item::<i32>()? % 4 == 0)).unwrap();
    assert_eq!(even.iter().map(ToString::to_string).collect::<Vec<_>>(), ["layers[2].each[0]", "pair[1]"]);
    assert!(ivy::nested_any(&model, |x| Ok(x.item::<i32>()? == 7)).unwrap());
    assert!(!ivy::nested_any(&model, |x| Ok(x.dtype().is_float())).unwrap());
    assert_eq!(ivy::index_nest(&model, &even[1]).unwrap().item::<i32>().unwrap(), 8);
    let changed = ivy::set_nest_at_index(&model, &even[0], &array(40)).unwrap();
    assert_eq!(numbers(&changed), [1, 2, 3, 40, 5, 6, 7, 8]);
    let changed = ivy::map_nest_at_index(&model, &even[0], |x| ivy::negative(x)).unwrap();
    assert_eq!(numbers(&changed), [1, 2, 3, -4, 5, 6, 7, 8]);
    let nowhere = path(&["layers", "1"]);
    assert!(refused(ivy::index_nest(&model, &nowhere)).contains("layers[1]"));
    assert!(refused(ivy::set_nest_at_index(&model, &nowhere, &array(0)).map(|_| ())).contains("layers[1]"));
}

#[test]
fn trees_that_are_too_deep_are_refused() {
    let chain = |len: usize| {
        (0..len).fold(Chain(array(0), None), |inner, i| Chain(array(i as i32), Some(Box::new(inner))))
    };
    let inside = chain(MAX_DEPTH - 1);
    assert_eq!(inside.arrays().unwrap().len(), MAX_DEPTH);
    assert_eq!(ivy::nested_map(|x| Ok(x.clone()), &inside).unwrap().arrays().unwrap().len(), MAX_DEPTH);
    let beyond = chain(MAX_DEPTH);
    assert!(refused(beyond.arrays()).contains("depth"));
    assert!(refused(ivy::nested_map(|x| Ok(x.clone()), &beyond).map(|_| ())).contains("depth"));
}
