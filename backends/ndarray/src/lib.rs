//! The reference backend: every op and all 15 dtypes on host memory, by the kernels of
//! `ivy-kernels`.
//!
//! Linking this crate registers the backend under the name `ndarray`. Its arrays and those of
//! the [`ndarray`] crate convert into each other by [`convert`], without a copy where that is
//! possible.
//!
//! ```
//! use ivy_backend_ndarray::{convert, ndarray::array};
//! let x = convert::from_ndarray(array![[1.0f32, 2.0], [3.0, 4.0]])?;
//! assert_eq!(x.backend().name(), "ndarray");
//! assert_eq!(convert::view::<f32>(&x)?[[1, 0]], 3.0);
//! # Ok::<(), ivy_core::Error>(())
//! ```

mod backend;
pub mod convert;
mod data;
mod storage;

pub use backend::NdarrayBackend;
pub use ndarray;

use ivy_core::ErrorKind;
use ivy_core::backend::{BackendRef, Factory};

/// How the backend is made; submitted to the registry, and there for registering by hand.
pub static FACTORY: Factory = Factory { name: backend::NAME, create, priority: 0, places: &[] };

inventory::submit! { Factory { name: backend::NAME, create, priority: 0, places: &[] } }

fn create(place: Option<&str>) -> ivy_core::Result<BackendRef> {
    match place {
        None | Some("cpu" | "cpu:0") => Ok(BackendRef::new(NdarrayBackend)),
        Some(place) => Err(ErrorKind::BackendUnavailable {
            name: backend::NAME.into(),
            reason: format!("it runs on cpu, not on `{place}`"),
            remedy: "Name it `ndarray` or `ndarray:cpu`".into(),
        }
        .into()),
    }
}
