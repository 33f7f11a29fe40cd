//! Elements at places, and updates put there: values, dtypes and errors, by hand.

use ivy::prelude::*;
use ivy::{Cumsum, Gather, GatherNd, Reduction, Result, ScatterFlat, ScatterNd};

fn refused(result: Result<Array>) -> String {
    let error = result.and_then(|x| x.to_vec::<f32>()).expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

fn ints<const N: usize>(values: [i64; N]) -> Array {
    Array::try_from(values).unwrap()
}

#[test]
fn updates_of_one_place_are_combined_in_order() -> Result<()> {
    let (places, x) = (ints([0, 0, -1, 0]), Array::try_from([3i32, 5, 4, 6])?);
    let of = |reduction: Reduction| -> Result<Vec<i32>> {
        ivy::scatter_flat(&places, &x, ScatterFlat::new().size(3usize).reduction(reduction))?.to_vec()
    };
    assert_eq!(of(Reduction::Sum)?, [14, 0, 4]);
    assert_eq!(of(Reduction::Replace)?, [6, 0, 4]);
    assert_eq!(of(Reduction::Mul)?, [90, 0, 4]);
    assert_eq!(of(Reduction::Min)?, [3, 0, 4]);
    assert_eq!(of(Reduction::Max)?, [6, 0, 4]);
    assert_eq!(of(Reduction::And)?, [3 & 5 & 6, 0, 4]);
    assert_eq!(of(Reduction::Or)?, [3 | 5 | 6, 0, 4]);
    // The sign of what is least and greatest among none is no number's.
    let negative = Array::try_from([-7.5f32])?;
    let greatest = ScatterFlat::new().size(2usize).reduction(Reduction::Max);
    assert_eq!(ivy::scatter_flat(ints([1]), &negative, greatest)?.to_vec::<f32>()?, [0.0, -7.5]);
    // 4096 ones in float16: the sum is rounded once (decisions S18, D-44).
    let ones = ivy::ones(4096, Dtype::FLOAT16)?;
    let sum = ivy::scatter_flat(ivy::zeros(4096, Dtype::INT8)?, ones, ScatterFlat::new().size(1usize))?;
    assert_eq!((sum.dtype(), ivy::astype(&sum, Dtype::FLOAT32)?.item::<f32>()?), (Dtype::FLOAT16, 4096.0));
    Ok(())
}

#[test]
fn an_array_that_is_given_stays_as_it_is() -> Result<()> {
    let base = Array::try_from([[1i16, 2], [3, 4], [5, 6]])?;
    let places = Array::try_from([[2u8], [0], [2]])?;
    let rows = Array::try_from([[10i16, 20], [30, 40], [50, 60]])?;
    let sum = ivy::scatter_nd(&places, &rows, ScatterNd::new().out(&base))?;
    assert_eq!(sum.to_vec::<i16>()?, [31, 42, 3, 4, 65, 86]);
    let last = ScatterNd::new().out(&base).reduction(Reduction::Replace);
    assert_eq!(ivy::scatter_nd(&places, &rows, last)?.to_vec::<i16>()?, [30, 40, 3, 4, 50, 60]);
    assert_eq!(base.to_vec::<i16>()?, [1, 2, 3, 4, 5, 6]);
    // One number for every place, and the dtype that both promote to.
    let counts = ivy::scatter_nd(&places, 1, ScatterNd::new().out(&base))?;
    assert_eq!((counts.dtype(), counts.to_vec::<i16>()?), (Dtype::INT16, vec![2, 3, 3, 4, 7, 8]));
    let wide = ivy::scatter_nd(&places, ivy::ones([3, 2], Dtype::INT32)?, ScatterNd::new().out(&base))?;
    assert_eq!(wide.dtype(), Dtype::INT32);
    Ok(())
}

#[test]
fn elements_at_places() -> Result<()> {
    let x = ivy::reshape(ivy::arange(24, Dtype::INT32)?, [2, 3, 4], ())?;
    let which = Array::try_from([[0i64, -1], [2, 1]])?;
    let between = ivy::gather(&x, &which, Gather::new().axis(-1).batch_dims(1usize))?;
    assert_eq!(between.shape().to_vec(), [2, 3, 2]);
    assert_eq!(between.to_vec::<i32>()?, [0, 3, 4, 7, 8, 11, 14, 13, 18, 17, 22, 21]);
    let places = Array::try_from([[[1i64, 3]], [[0, 0]]])?;
    let batches = ivy::gather_nd(&x, &places, GatherNd::new().batch_dims(1usize))?;
    assert_eq!((batches.shape().to_vec(), batches.to_vec::<i32>()?), (vec![2, 1], vec![7, 12]));
    let reversed = ivy::cumsum(&x, Cumsum::new().axis(1).exclusive().reverse())?;
    assert_eq!(reversed.to_vec::<i32>()?[..4], [12, 14, 16, 18]);
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() -> Result<()> {
    let (x, one) = (ivy::ones([4, 3], ())?, ivy::ones(2, ())?);
    let flat = |places: Array, size: usize| ivy::scatter_flat(places, &one, ScatterFlat::new().size(size));
    let error = refused(flat(ints([1, -5]), 4));
    assert_eq!(error, "IndexOutOfRange function=scatter_flat index=-5 axis=0 length=4 position=1");
    assert!(
        refused(flat(ints([0, 1, 2]), 4)).starts_with("ShapeMismatch function=scatter_flat argument=updates")
    );
    assert!(refused(flat(ints([0, 1]), 0)).starts_with("IndexOutOfRange"));
    let halves = ivy::scatter_flat(Array::try_from([0.5f32, 1.0])?, &one, ScatterFlat::new().size(4usize));
    assert!(refused(halves).starts_with("OutsideDomain function=scatter_flat operand=indices"));
    let nd = |places: &Array, params: ScatterNd| ivy::scatter_nd(places, &x, params);
    let places = Array::try_from([[0i64], [1]])?;
    assert!(
        refused(nd(&places, ScatterNd::new()))
            .starts_with("InvalidArgument function=scatter_nd argument=shape")
    );
    let both = ScatterNd::new().shape([4, 4]).out(&x);
    assert!(refused(nd(&places, both)).starts_with("ShapeMismatch function=scatter_nd argument=out"));
    for shape in [vec![], vec![0usize], vec![2, 0], vec![2, 3]] {
        let places = ivy::zeros(ivy::Shape::from(shape.as_slice()), Dtype::INT64)?;
        let error = refused(nd(&places, ScatterNd::new().shape([4, 3])));
        assert!(
            error.starts_with("ShapeMismatch function=scatter_nd argument=indices"),
            "{shape:?}: {error}"
        );
    }
    let z = ivy::ones(2, Dtype::COMPLEX64)?;
    let least = ScatterFlat::new().size(2usize).reduction(Reduction::Min);
    assert!(
        refused(ivy::scatter_flat(ints([0, 1]), z, least))
            .starts_with("WrongDtypeKind function=scatter_flat")
    );
    let bits = ScatterFlat::new().size(2usize).reduction(Reduction::And);
    assert!(refused(ivy::scatter_flat(ints([0, 1]), &one, bits)).starts_with("WrongDtypeKind"));
    let gather = |axis: i64, batches: usize| {
        ivy::gather(&x, ivy::zeros([4, 2], Dtype::INT64)?, Gather::new().axis(axis).batch_dims(batches))
    };
    assert!(refused(gather(0, 1)).starts_with("InvalidArgument function=gather argument=axis"));
    assert!(refused(gather(1, 2)).starts_with("ShapeMismatch function=gather argument=indices"));
    assert!(refused(gather(1, 3)).starts_with("InvalidArgument function=gather argument=batch_dims"));
    assert!(refused(gather(2, 0)).starts_with("AxisOutOfRange function=gather"));
    let far = ivy::gather_nd(&x, Array::try_from([[0i64, 3]])?, ());
    assert_eq!(refused(far), "IndexOutOfRange function=gather_nd index=3 axis=1 length=3 position=0");
    let none = ivy::gather_nd(&x, ints([0]), GatherNd::new().batch_dims(1usize));
    assert!(refused(none).starts_with("ShapeMismatch function=gather_nd argument=indices"));
    Ok(())
}
