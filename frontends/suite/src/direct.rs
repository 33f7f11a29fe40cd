//! Rows that are one call of the core, with and without the path that is taken for them.

use ivy_core::backend::BackendRef;
use ivy_core::functional::{arange, astype, reshape};
use ivy_core::{Array, Context, Dtype};
use ivy_frontend::{Frontend, Keywords, Value};

/// The operands of calls: of each dtype, square and of several axes; numbers small enough for every function's table.
fn operands() -> ivy_core::Result<Vec<Array>> {
    let dtypes = [
        Dtype::BOOL,
        Dtype::UINT8,
        Dtype::INT32,
        Dtype::INT64,
        Dtype::FLOAT16,
        Dtype::FLOAT32,
        Dtype::FLOAT64,
        Dtype::COMPLEX64,
    ];
    let shapes: [&[i64]; 3] = [&[2, 2], &[3], &[2, 3, 2]];
    let of = |dtype: Dtype, shape: &[i64]| {
        let numbers = arange(shape.iter().product::<i64>(), ())?;
        reshape(astype(numbers, dtype)?, shape, ())
    };
    dtypes.iter().flat_map(|&dtype| shapes.map(|shape| of(dtype, shape))).collect()
}

/// What a result is, for comparison: dtype, shape and bytes as text; of a failure that it is one.
fn told(result: ivy_core::Result<Array>) -> String {
    let bytes = |array: &Array| -> ivy_core::Result<Option<Vec<u8>>> {
        let host = reshape(array, [-1], ())?.to_host()?;
        Ok(host.view().contiguous_bytes().map(<[u8]>::to_vec))
    };
    match result {
        Ok(array) => {
            format!("{} {} {array} {:x?}", array.dtype(), array.shape(), bytes(&array).ok().flatten())
        }
        Err(_) => "an error".into(),
    }
}

/// How many calls go that path, and those whose result is another one without it.
///
/// # Errors
/// Where the operands cannot be made.
pub fn direct_calls(
    frontend: &'static Frontend,
    backend: &BackendRef,
) -> ivy_core::Result<(usize, Vec<String>)> {
    let context = Context::new().backend(backend);
    ivy_core::context::with(&context, || {
        let operands = operands()?;
        let (mut count, mut different) = (0, Vec::new());
        for row in &frontend.table().rows {
            let entry = frontend.find(&row.path)?;
            let mut compare = |direct: Option<ivy_core::Result<Array>>, given: &[&Array]| {
                let Some(direct) = direct else { return };
                let evaluated = || {
                    let values = given.iter().map(|x| Value::from(*x)).collect();
                    match frontend.call_entry(entry, values, Keywords::new()) {
                        Ok(Value::Array(array)) => told(Ok(array.into_owned())),
                        Ok(other) => other.told(),
                        Err(error) => told(Err(error)),
                    }
                };
                count += 1;
                let (got, want) = (told(direct), evaluated());
                // What is drawn at random is another one each time.
                if got != want && (0..16).all(|_| want == evaluated()) {
                    let dtypes: Vec<_> =
                        given.iter().map(|x| format!("{} {}", x.dtype(), x.shape())).collect();
                    different.push(format!("{} of {}: {got}, and not {want}", row.path, dtypes.join(", ")));
                }
            };
            for x in &operands {
                compare(frontend.call_arrays(entry, [x]), &[x]);
                let like = operands.iter().filter(|y| y.dtype() == x.dtype() || y.shape() == x.shape());
                like.for_each(|y| compare(frontend.call_arrays(entry, [x, y]), &[x, y]));
            }
        }
        Ok((count, different))
    })
}
