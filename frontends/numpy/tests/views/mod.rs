//! Writing through views in Rust: the same methods on the array of positions say which elements a view has.

use ivy_core::host::Element;
use ivy_core::{Index, s};
use ivy_frontend_numpy::{NdArray, Operator, Value, kw};
use proptest::prelude::*;

/// What is made of a view, of any shape.
#[derive(Clone, Debug)]
enum Step {
    Transpose,
    Flat,
    Split(usize),
    Swap(usize, usize),
    Axis(usize),
    Slice { axis: usize, start: Option<i64>, stop: Option<i64>, step: i64 },
    Position(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bound = || proptest::option::of(-7..8i64);
    let step = prop_oneof![
        Just(Step::Transpose),
        Just(Step::Flat),
        (1..4usize).prop_map(Step::Split),
        (0..3usize, 0..3usize).prop_map(|(a, b)| Step::Swap(a, b)),
        (0..3usize).prop_map(Step::Axis),
        (0..3usize, bound(), bound(), prop_oneof![-3..0i64, 1..4i64])
            .prop_map(|(axis, start, stop, step)| Step::Slice { axis, start, stop, step }),
        (-6..6i64).prop_map(Step::Position),
    ];
    proptest::collection::vec(step, 0..6)
}

/// A step for an array of a shape.
enum Arranged {
    Index(Vec<Index>),
    Method(&'static str, Vec<Vec<i64>>),
}

/// A step as an index expression, or as a method with an argument, for an array of this shape; `None` where it has no
/// meaning for it.
fn arranged(step: &Step, shape: &[usize]) -> Option<Arranged> {
    let ndim = shape.len();
    Some(match step {
        Step::Transpose => Arranged::Method("transpose", vec![]),
        Step::Flat => Arranged::Method("reshape", vec![vec![-1]]),
        Step::Split(n) if ndim > 0 && shape[0].is_multiple_of(*n) => {
            let rest = shape[1..].iter().map(|&d| d as i64);
            let first = [*n as i64, (shape[0] / n) as i64];
            Arranged::Method("reshape", vec![first.into_iter().chain(rest).collect()])
        }
        Step::Swap(a, b) if *a < ndim && *b < ndim => {
            Arranged::Method("swapaxes", vec![vec![*a as i64], vec![*b as i64]])
        }
        Step::Axis(at) if *at <= ndim => {
            let all = std::iter::repeat_n(Index::from(..), *at);
            Arranged::Index(all.chain([Index::NewAxis, Index::Ellipsis]).collect())
        }
        Step::Slice { axis, start, stop, step } if *axis < ndim => {
            let slice = Index::Slice { start: *start, stop: *stop, step: *step };
            Arranged::Index(std::iter::repeat_n(Index::from(..), *axis).chain([slice]).collect())
        }
        Step::Position(at) if ndim > 0 && shape[0] as i64 > at.max(&(-at - 1)).abs() => {
            Arranged::Index(vec![Index::Int(*at)])
        }
        _ => return None,
    })
}

fn arguments(lists: Vec<Vec<i64>>) -> Vec<Value<'static>> {
    let one = |list: Vec<i64>| match list[..] {
        [only] => Value::from(only),
        _ => Value::Tuple(list.into_iter().map(Value::from).collect()),
    };
    lists.into_iter().map(one).collect()
}

fn numbers<T: Element>(x: &NdArray) -> Vec<T> {
    x.to_vec().expect("its own dtype")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]
    #[test]
    fn a_write_changes_the_elements_that_the_view_has(
        shape in proptest::collection::vec(0..5usize, 0..4),
        steps in steps(),
    ) {
        let size: usize = shape.iter().product();
        let lengths: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
        let flat = NdArray::from(ivy_core::functional::astype(ivy_core::functional::arange(size as i64, ())?, ivy_core::Dtype::INT64)?);
        let reshaped = |x: &NdArray| x.method("reshape", &[Value::Tuple(lengths.iter().map(|&d| d.into()).collect())], ().into());
        let Value::Array(whole) = reshaped(&flat)? else { panic!("an array") };
        let mut positions = NdArray::from(whole.into_owned());
        let mut x = positions.clone();
        let mut view = x.view_mut();
        for step in &steps {
            let shape: Vec<usize> = positions.shape().to_vec();
            match arranged(step, &shape) {
                None => continue,
                Some(Arranged::Index(index)) => {
                    positions = positions.get(&index)?;
                    view = view.index(&index)?;
                }
                Some(Arranged::Method(method, lists)) => {
                    let given = arguments(lists);
                    let Value::Array(found) = positions.method(method, &given, ().into())? else { panic!("an array") };
                    positions = NdArray::from(found.into_owned());
                    match view.by(method, &given, ()) {
                        Ok(next) => view = next,
                        // NumPy copies there, too: the elements are not evenly spaced.
                        Err(_) if method == "reshape" => return Ok(()),
                        Err(error) => panic!("{error}"),
                    }
                }
            }
        }
        prop_assert_eq!(numbers::<i64>(&view.read()?), numbers::<i64>(&positions));
        prop_assert_eq!(view.view().shape(), positions.shape());
        view.operate_in_place(Operator::Multiply, -1)?;
        let mut expected: Vec<i64> = (0..size as i64).collect();
        numbers::<i64>(&positions).iter().for_each(|&at| expected[at as usize] = -at);
        prop_assert_eq!(numbers::<i64>(&x), expected);
    }
}

#[test]
fn what_is_no_view_says_so_and_a_failed_write_changes_nothing() -> ivy_core::Result<()> {
    let mut x = NdArray::new([[1, 2], [3, 4]])?;
    let error = x.view_mut().by("flatten", &[], ()).expect_err("a copy");
    assert!(error.to_string().contains("copy"), "{error}");
    let places = NdArray::new([0])?;
    assert!(x.view_mut().index([Index::from(places.ivy_array())]).is_err());
    assert!(x.view_mut().index(s![0])?.write([1, 2, 3]).is_err());
    assert!(x.view_mut().index(s![0])?.operate_in_place(Operator::Add, 0.5).is_err());
    assert_eq!(x.to_vec::<i64>()?, [1, 2, 3, 4]);
    x.view_mut().by("T", &[], ())?.index(s![1])?.write(9)?;
    assert_eq!(x.to_vec::<i64>()?, [1, 9, 3, 9]);
    Ok(())
}

#[test]
fn parts_of_complex_numbers() -> ivy_core::Result<()> {
    let mut z = NdArray::new([1, 2])?.method("astype", &["complex64".into()], kw! {})?;
    let Value::Array(array) = &mut z else { panic!("an array") };
    let mut z = NdArray::from(array.as_ref().clone());
    z.view_mut().by("imag", &[], ())?.index(s![..;-1])?.write([f32::NAN, f32::INFINITY])?;
    let found = z.to_vec::<num_complex::Complex32>()?;
    assert!(found[0].re == 1.0 && found[0].im.is_infinite() && found[1].re == 2.0 && found[1].im.is_nan());
    Ok(())
}

/// Layouts that arguments say are those that calls of the functions give.
#[test]
fn layouts_without_calls() -> ivy_core::Result<()> {
    let x = NdArray::new([[[0, 1, 2], [3, 4, 5]]])?;
    let array = x.ivy_array();
    let whole = ivy_frontend::View::whole(array);
    let parts = [
        whole.clone(),
        whole.reversed(),
        whole.select(&s![0, .., ..;2])?.expect("no arrays are among the indices"),
    ];
    for view in parts {
        let read = view.read(array)?;
        let reversed: Vec<i64> = (0..read.ndim() as i64).rev().collect();
        assert_eq!(
            elements(&view.reversed().read(array)?)?,
            elements(&ivy_core::functional::permute_dims(&read, reversed)?)?
        );
        for shape in [vec![-1], vec![2, -1], vec![read.size() as i64], vec![1, -1, 1]] {
            let wanted = ivy_core::functional::reshape(&read, shape.clone(), ())?;
            if let Some(found) = view.reshaped(&shape) {
                assert_eq!(found.shape(), wanted.shape());
                assert_eq!(elements(&found.read(array)?)?, elements(&wanted)?);
            }
        }
        for shape in [vec![5], vec![-1, -1], vec![-2, 3], vec![0, -1], vec![i64::MAX, 3]] {
            assert!(view.reshaped(&shape).is_none(), "{shape:?}");
        }
    }
    assert!(whole.reshaped(&[3, -1]).is_some() && whole.reversed().reshaped(&[-1]).is_none());
    Ok(())
}

fn elements(x: &ivy_core::Array) -> ivy_core::Result<(Vec<usize>, Vec<i64>)> {
    Ok((x.shape().to_vec(), x.to_vec()?))
}
