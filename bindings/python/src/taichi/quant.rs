//! Quantised types.

use super::error::failure;
use super::program::primitive;
use crate::error::{Fallible, value_error};
use ivy_taichi::types::{PrimitiveType, QuantFixed, QuantFloat, QuantInt, Type, TypeError};
use pyo3::prelude::*;

/// A quantised type of numbers.
#[pyclass(module = "ivyrs._ivyrs", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct TaichiQuantType(pub(super) Type);

fn made<T: Into<Type>>(ty: Result<T, TypeError>) -> Fallible<TaichiQuantType> {
    ty.map(|ty| TaichiQuantType(ty.into())).map_err(|error| failure(error.into()))
}

fn compute(name: Option<&str>) -> Fallible<Option<PrimitiveType>> {
    name.map(primitive).transpose()
}

#[pymethods]
impl TaichiQuantType {
    /// An integer of so many bits.
    #[staticmethod]
    fn integer(bits: u32, signed: bool, computed: Option<&str>) -> Fallible<TaichiQuantType> {
        made(QuantInt::new(bits, signed, compute(computed)?))
    }

    /// A number of fixed point, by its greatest value or by its scale.
    #[staticmethod]
    fn fixed(
        bits: u32,
        signed: bool,
        max_value: Option<f64>,
        scale: Option<f64>,
        computed: Option<&str>,
    ) -> Fallible<TaichiQuantType> {
        let computed = compute(computed)?;
        match (max_value, scale) {
            (_, Some(scale)) => made(QuantFixed::with_scale(bits, signed, scale, computed)),
            (Some(most), None) => made(QuantFixed::with_max(bits, signed, most, computed)),
            (None, None) => value_error("quant.fixed: `max_value` or `scale` is given"),
        }
    }

    /// A number of floating point.
    #[staticmethod]
    fn floating(
        exponent: u32,
        digits: u32,
        signed: bool,
        computed: Option<&str>,
    ) -> Fallible<TaichiQuantType> {
        made(QuantFloat::new(exponent, digits, signed, compute(computed)?))
    }

    /// The name of the type that it is computed in.
    #[getter]
    fn computed(&self) -> &'static str {
        self.0.computed().primitive().map_or("i32", PrimitiveType::name)
    }

    /// As Taichi prints it.
    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}
