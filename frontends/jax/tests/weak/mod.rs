//! Weakly typed arrays, as JAX's promotion lattice has them.

use ivy_core::Dtype;
use ivy_frontend_jax::{Array, JAX, jit, numpy, tree};

fn short(values: [i32; 2]) -> Array {
    numpy::astype(Array::new(values).unwrap(), Dtype::INT8, ()).unwrap()
}

#[test]
fn numbers_are_weak_and_lists_are_not() {
    for (made, dtype, weak) in [
        (Array::new(2), Dtype::INT32, true),
        (Array::new(2.5), Dtype::FLOAT32, true),
        (Array::new(true), Dtype::BOOL, false),
        (Array::new([2, 3]), Dtype::INT32, false),
    ] {
        let made = made.unwrap();
        assert_eq!((made.dtype(), made.weak_type()), (dtype, weak));
    }
    let _x64 = JAX.version_scope("0.10-x64").unwrap();
    assert_eq!(Array::new(2).unwrap().dtype(), Dtype::INT64);
}

#[test]
fn a_weak_array_takes_the_dtype_beside_it() {
    let (x, weak) = (short([1, 2]), Array::new(3).unwrap());
    let sum = (&x + &weak).ok().unwrap();
    assert_eq!((sum.dtype(), sum.weak_type()), (Dtype::INT8, false));
    let strong = numpy::astype(&weak, Dtype::INT32, ()).unwrap();
    assert!(!strong.weak_type());
    assert_eq!((&x + &strong).ok().unwrap().dtype(), Dtype::INT32);
    // A kind above that of the array: a float without a width of its own.
    let halves = (&x * 0.5).ok().unwrap();
    assert_eq!((halves.dtype(), halves.weak_type()), (Dtype::FLOAT32, true));
    let narrow = numpy::astype(&halves, Dtype::FLOAT16, ()).unwrap();
    let both = (&halves + &narrow).ok().unwrap();
    assert_eq!((both.dtype(), both.weak_type()), (Dtype::FLOAT16, false));
}

#[test]
fn shapes_keep_it_and_sums_do_not() {
    let weak = Array::new(2.5).unwrap();
    let row = numpy::broadcast_to(&weak, [3], ()).unwrap();
    assert!(row.weak_type());
    assert!(numpy::reshape(&row, (3, 1), ()).unwrap().weak_type());
    assert!(row.get([ivy_core::Index::Int(0)]).unwrap().weak_type());
    assert!(!numpy::sum(&row, ()).unwrap().weak_type());
    assert!(tree::map(|x| numpy::negative(x, ()), &row).unwrap().weak_type());
}

#[test]
fn a_compiled_function_tells_weak_arguments_from_others() {
    let x = short([4, 5]);
    let plus = jit(|y: &Array| (&x + y).ok());
    let weak = Array::new(1).unwrap();
    let strong = numpy::astype(&weak, Dtype::INT32, ()).unwrap();
    for _ in 0..2 {
        assert_eq!(plus(&weak).unwrap().dtype(), Dtype::INT8);
        assert_eq!(plus(&strong).unwrap().dtype(), Dtype::INT32);
    }
    let halves = jit(|y: &Array| numpy::multiply(y, 0.5, ()));
    assert!(halves(&weak).unwrap().weak_type());
}
