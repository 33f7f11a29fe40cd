//! Arrays as text by options that Python gives: NumPy's names of them.

use crate::array::PyArray;
use crate::error::{Failure, Fallible};
use crate::value;
use ivy::print::{
    FloatMode, PrintOptions, Sign, WriteElement, format_array, format_elements, format_repr_as,
};
use ivy::{Dtype, Scalar};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;

fn options(given: &Bound<'_, PyDict>) -> Fallible<PrintOptions> {
    let mut options = PrintOptions::default();
    for (name, value) in given {
        let name: String = name.extract()?;
        let unknown = |what: &str| Failure::from(PyValueError::new_err(format!("{name}: {what}")));
        match name.as_str() {
            "precision" => options.precision = value.extract()?,
            "threshold" => options.threshold = value.extract()?,
            "edgeitems" => options.edge_items = value.extract()?,
            "linewidth" => options.line_width = value.extract()?,
            "suppress" => options.suppress = value.extract()?,
            "nanstr" => options.nan = value.extract::<String>()?.into(),
            "infstr" => options.infinity = value.extract::<String>()?.into(),
            "sign" => {
                options.sign = match value.extract::<String>()?.as_str() {
                    "-" => Sign::Minus,
                    "+" => Sign::Plus,
                    " " => Sign::Space,
                    other => return Err(unknown(&format!("'{other}' is none of ' ', '+' and '-'"))),
                }
            }
            "floatmode" => {
                options.float_mode = match value.extract::<String>()?.as_str() {
                    "maxprec" => FloatMode::MaxPrecision,
                    "maxprec_equal" => FloatMode::MaxPrecisionEqual,
                    "fixed" => FloatMode::Fixed,
                    "unique" => FloatMode::Unique,
                    other => return Err(unknown(&format!("there is no mode '{other}'"))),
                }
            }
            "implied" => {
                let names: Vec<String> = value.extract()?;
                let dtypes =
                    names.iter().map(|name| name.parse::<Dtype>()).collect::<ivy::Result<Vec<_>>>()?;
                options.implied = dtypes.into_iter().collect();
            }
            _ => return Err(unknown("it is no option of printing")),
        }
    }
    Ok(options)
}

/// The elements of an array as text: as `repr` of a type of a name, as `str` for no name.
///
/// `around` is a separator and how many characters stand before and behind the elements, whose text alone is then given.
/// `write` is called with each element as a Python number, and gives its text.
#[pyfunction]
#[pyo3(signature = (array, given, name=None, around=None, write=None))]
pub(crate) fn array_text(
    py: Python<'_>,
    array: &Bound<'_, PyArray>,
    given: &Bound<'_, PyDict>,
    name: Option<&str>,
    around: Option<(String, usize, usize)>,
    write: Option<&Bound<'_, PyAny>>,
) -> Fallible<String> {
    let options = options(given)?;
    let host = array.borrow().host(py, "repr")?;
    // The first exception of the function that writes; the text is then not used.
    let failed = RefCell::new(None);
    let by_function = |element: Scalar| {
        let text = || -> PyResult<String> {
            let element = value::to_python(py, element)?;
            write.map_or_else(|| Ok(String::new()), |write| write.call1((element,))?.extract())
        };
        text().unwrap_or_else(|error| {
            failed.borrow_mut().get_or_insert(error);
            String::new()
        })
    };
    let by_function: Option<&WriteElement<'_>> = write.map(|_| &by_function as _);
    let text = match (name, around) {
        (_, Some((separator, before, behind))) => {
            format_elements(&host, &options, &separator, [before, behind], by_function)
        }
        (Some(name), None) => format_repr_as(name, &host, &options, by_function),
        (None, None) if by_function.is_some() => format_elements(&host, &options, " ", [0, 0], by_function),
        (None, None) => format_array(&host, &options),
    };
    match failed.into_inner() {
        Some(error) => Err(error.into()),
        None => Ok(text),
    }
}
