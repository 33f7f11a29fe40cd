//! Arrays of two places of one device mix, those of two devices do not (decision S38).

use ivy::prelude::*;
use ivy::{ErrorKind, s};

const INTERP: &str = "jit:interp";
const LLVM: &str = "jit:llvm";

fn on(place: &str, values: [f32; 3]) -> Array {
    ivy::with_backend(place, || Array::try_from(values)).unwrap().unwrap()
}

fn place(x: &Array) -> String {
    ivy::backend::registered_name(x.backend()).unwrap()
}

#[test]
fn a_result_is_where_the_first_operand_is() -> ivy::Result<()> {
    let (a, b) = (on(INTERP, [1.0, 2.0, 3.0]), on(LLVM, [10.0, 20.0, 30.0]));
    for (x, y) in [(&a, &b), (&b, &a)] {
        let sum = ivy::add(x, y)?;
        assert_eq!((place(&sum), sum.to_vec::<f32>()?), (place(x), vec![11.0, 22.0, 33.0]));
        // What is pending there is computed there.
        let all = ivy::concat([x, &(y * 2.0).ok()?], ())?;
        assert_eq!((place(&all), all.shape()[0]), (place(x), 6));
        let sums = [ivy::sum(&all, ())?.item::<f32>()?, ivy::sum(x, ())?.item::<f32>()?];
        assert_eq!(sums[0] - sums[1], 2.0 * ivy::sum(y, ())?.item::<f32>()?);
    }
    let default = ivy::with_backend("jit", || Array::try_from([0.5f32, 0.5, 0.5]))??;
    assert_eq!(ivy::multiply(&default, &a)?.to_vec::<f32>()?, [0.5, 1.0, 1.5]);
    Ok(())
}

#[test]
fn elements_of_the_same_device_are_not_copied() -> ivy::Result<()> {
    let a = on(INTERP, [1.0, 2.0, 3.0]);
    let there = a.to_backend(on(LLVM, [0.0; 3]).backend())?;
    let address = |x: &Array| Ok::<_, ivy::Error>(x.to_host()?.view().contiguous_bytes().map(<[u8]>::as_ptr));
    assert_eq!(address(&a)?, address(&there)?);
    Ok(())
}

#[test]
fn indices_values_targets_and_loops_take_them_too() -> ivy::Result<()> {
    let (a, b) = (on(INTERP, [1.0, 2.0, 3.0]), on(LLVM, [10.0, 20.0, 30.0]));
    let order = ivy::astype(&(&b / 10.0 - 1.0).ok()?, ivy::Dtype::INT64)?;
    assert_eq!(a.get(s![order])?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    assert_eq!(a.get(s![ivy::greater(&b, 15.0)?])?.to_vec::<f32>()?, [2.0, 3.0]);
    let mut c = a.clone();
    c.set(s![1..], b.get(s![1..])?)?;
    assert_eq!((place(&c), c.to_vec::<f32>()?), (place(&a), vec![1.0, 20.0, 30.0]));
    ivy::out(&mut c, &b)?;
    assert_eq!((place(&c), c.to_vec::<f32>()?), (place(&a), vec![10.0, 20.0, 30.0]));
    let [x, _] = ivy::while_loop(
        |[x, limit]| ivy::less(x, limit),
        |[x, limit]| Ok([(x * 2.0).ok()?, limit.clone()]),
        [a.clone(), b.clone()],
    )?;
    assert_eq!((place(&x), x.to_vec::<f32>()?), (place(&a), vec![16.0, 32.0, 48.0]));
    let [y] = ivy::if_else(|[x]| ivy::less(x, 2.0), |[x]| Ok([x.clone()]), |_| Ok([b.clone()]), [a.clone()])?;
    assert_eq!((place(&y), y.to_vec::<f32>()?), (place(&a), vec![1.0, 20.0, 30.0]));
    Ok(())
}

#[test]
fn arrays_of_two_devices_do_not_mix() {
    let (a, b) = (on(INTERP, [1.0, 2.0, 3.0]), on("ndarray", [1.0, 2.0, 3.0]));
    let mut c = a.clone();
    let errors = [
        ivy::add(&a, &b).unwrap_err(),
        ivy::concat([&a, &b], ()).unwrap_err(),
        a.get(s![ivy::greater(&b, 1.0).unwrap()]).unwrap_err(),
        c.set(s![..], &b).unwrap_err(),
        ivy::out(&mut c, &b).unwrap_err(),
        ivy::while_loop(|[x, y]| ivy::less(x, y), |v: &[Array; 2]| Ok(v.clone()), [a.clone(), b.clone()])
            .unwrap_err(),
        ivy::if_else(|_| ivy::less(&a, 2.0), |_| Ok([b.clone()]), |_| Ok([b.clone()]), [a.clone()])
            .unwrap_err(),
    ];
    for error in errors {
        let ErrorKind::BackendMismatch { left, right, .. } = error.kind() else { panic!("{error}") };
        assert_eq!((left.as_str(), right.as_str()), ("jit:cpu", "ndarray:cpu"), "{error}");
    }
    assert_eq!(c.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn lists_are_where_the_arrays_of_a_call_are() -> ivy::Result<()> {
    for place in ["candle", LLVM, INTERP] {
        let x = on(place, [1.0, 2.0, 3.0]);
        for sum in [ivy::add(&x, [1.0f32, 1.0, 1.0])?, ivy::add(vec![1.0f32; 3], &x)?] {
            assert_eq!((self::place(&sum).as_str(), sum.to_vec::<f32>()?), (place, vec![2.0, 3.0, 4.0]));
        }
        let chosen = ivy::where_([true, false, true], &x, [[7.0f32], [8.0]])?;
        assert_eq!(self::place(&chosen), place);
        assert_eq!(chosen.to_vec::<f32>()?, [1.0, 7.0, 3.0, 1.0, 8.0, 3.0]);
        let chosen = ivy::select([ivy::greater(&x, 2.0)?], [[9.0f32, 9.0, 9.0]], [0.5f32, 0.5, 0.5])?;
        assert_eq!((self::place(&chosen).as_str(), chosen.to_vec::<f32>()?), (place, vec![0.5, 0.5, 9.0]));
        let mut written = x.clone();
        written.set(s![1..], [5.0f32, 6.0])?;
        assert_eq!((self::place(&written).as_str(), written.to_vec::<f32>()?), (place, vec![1.0, 5.0, 6.0]));
        // In a transformation the list is a constant.
        let gradient = ivy::grad(|x: &Array| ivy::sum(ivy::multiply(x, [1.0f32, 10.0, 100.0])?, ()))(&x)?;
        assert_eq!(
            (self::place(&gradient).as_str(), gradient.to_vec::<f32>()?),
            (place, vec![1.0, 10.0, 100.0])
        );
    }
    let ragged = ivy::add(on("candle", [0.0; 3]), vec![vec![1.0f32], vec![1.0, 2.0]]);
    assert!(ragged.is_err());
    Ok(())
}
