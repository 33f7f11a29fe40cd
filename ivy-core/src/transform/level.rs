//! Backends one around the other, and which of them calls inside a transformed function work on.

use super::batch::BatchBackend;
use super::dual::DualBackend;
use super::linear::LinearBackend;
use crate::backend::{BackendRef, WeakBackendRef};
use crate::{Array, Result, context};
use std::cell::RefCell;

/// The transformations that are backends.
#[derive(Clone, Copy)]
pub(crate) enum Wrapper {
    /// Arrays with tangents.
    Dual,
    /// Places on a tape.
    Linear,
    /// Arrays with a batch axis.
    Batch,
}

impl Wrapper {
    /// How many there are.
    pub(crate) const COUNT: usize = 3;

    /// The backend around another one, which is given twice: to be asked now, and to be kept.
    pub(crate) fn around(self, base: &BackendRef, kept: WeakBackendRef) -> BackendRef {
        let below = Below { name: base.name().into(), base: kept };
        match self {
            Wrapper::Dual => BackendRef::new(DualBackend { below }),
            Wrapper::Linear => BackendRef::new(LinearBackend { below }),
            Wrapper::Batch => BackendRef::new(BatchBackend { below }),
        }
    }
}

/// The backend below, which owns the one around it and is not owned by it.
pub(super) struct Below {
    pub(super) name: String,
    base: WeakBackendRef,
}

impl Below {
    pub(super) fn get(&self) -> Option<BackendRef> {
        self.base.upgrade()
    }

    /// The backend, which every array around has a handle of.
    pub(super) fn require(&self) -> Result<BackendRef> {
        self.get().ok_or_else(|| {
            let (reason, remedy) =
                ("the backend below a transformation is gone".into(), "Keep a handle of it".into());
            crate::ErrorKind::BackendUnavailable { name: self.name.clone(), reason, remedy }.into()
        })
    }
}

/// What a wrapping backend says as the one below does.
macro_rules! as_below {
    () => {
        fn name(&self) -> &str {
            &self.below.name
        }

        fn version(&self) -> semver::Version {
            self.below.get().map_or(semver::Version::new(0, 0, 0), |b| b.version())
        }

        fn devices(&self) -> Vec<crate::Device> {
            self.below.get().map_or(Vec::new(), |b| b.devices())
        }

        fn storage(&self, dtype: crate::Dtype) -> crate::backend::Storage {
            self.below.get().map_or(crate::backend::Storage::None, |b| b.storage(dtype))
        }

        fn support(&self, op: &crate::Op, operands: &[crate::Dtype]) -> crate::backend::Support {
            let gone = crate::backend::Support::Unsupported("the backend is gone");
            self.below.get().map_or(gone, |b| b.support(op, operands))
        }

        fn is_lazy(&self) -> bool {
            self.below.get().is_some_and(|b| b.is_lazy())
        }

        fn is_abstract(&self) -> bool {
            self.below.get().is_some_and(|b| b.is_abstract())
        }

        fn synchronize(&self) -> crate::Result<()> {
            self.below.get().map_or(Ok(()), |b| b.synchronize())
        }

        fn wraps(&self) -> Option<crate::backend::BackendRef> {
            self.below.get()
        }

        fn from_host(&self, array: crate::host::HostArray) -> crate::Result<crate::backend::Value> {
            let base = self.below.require()?;
            let value = base.from_host(array)?;
            self.lift(crate::Array::from_value(base, value))
        }

        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
    };
}
pub(super) use as_below;

/// The backend of some arrays that wraps most others; of several such, the first.
pub(crate) fn outermost<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Option<&'a BackendRef> {
    let mut found: Option<&BackendRef> = None;
    for array in arrays {
        match found {
            Some(known) if known == array.backend() || known.level() >= array.backend().level() => {}
            _ => found = Some(array.backend()),
        }
    }
    found
}

/// A transformation that runs on this thread.
#[derive(Clone)]
pub(crate) struct Running {
    /// The backend that its function computes on.
    pub(crate) backend: BackendRef,
    /// The call of `vmap` that it is, and how many entries its batch has.
    pub(crate) batch: Option<(u64, usize)>,
}

thread_local! {
    /// The transformations that run on this thread, the innermost last.
    static RUNNING: RefCell<Vec<Running>> = const { RefCell::new(Vec::new()) };
}

/// The transformations around a backend, from the outermost one to the innermost that maps over a batch; empty where
/// none does. One that calls a function of what is below it is not around it meanwhile.
pub(crate) fn batches_around(backend: &BackendRef) -> Vec<Running> {
    let mut around: Vec<Running> = Vec::new();
    RUNNING.with_borrow(|running| {
        for each in running.iter().filter(|each| root(&each.backend) == *backend) {
            around.retain(|other| other.backend.level() < each.backend.level());
            around.push(each.clone());
        }
    });
    let mapped = around.iter().rposition(|each| each.batch.is_some()).map_or(0, |last| last + 1);
    around.truncate(mapped);
    around
}

pub(crate) fn root(backend: &BackendRef) -> BackendRef {
    backend.wraps().map_or_else(|| backend.clone(), |below| root(&below))
}

/// The backend that a transformation of a function of these arrays wraps: that of the arrays, or that of the
/// transformation it runs in, whose arrays the function may use. So no two that run one in the other are the
/// same backend, and none takes the other's tangents for its own.
pub(crate) fn base_of<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<BackendRef> {
    let own = outermost(arrays).map_or_else(context::current_backend, |backend| Ok(backend.clone()))?;
    let around = RUNNING.with_borrow(|running| running.last().map(|each| each.backend.clone()));
    Ok(match around {
        Some(around) if around.level() > own.level() && root(&around) == root(&own) => around,
        _ => own,
    })
}

/// Takes the innermost transformation away, in a panic too.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| running.pop());
    }
}

/// Calls a function that a transformation transforms.
pub(super) fn running<T>(backend: &BackendRef, f: impl FnOnce() -> T) -> T {
    within(Running { backend: backend.clone(), batch: None }, f)
}

/// Calls a function that a call of `vmap` maps over a batch of so many entries.
pub(super) fn running_batch<T>(backend: &BackendRef, batch: (u64, usize), f: impl FnOnce() -> T) -> T {
    within(Running { backend: backend.clone(), batch: Some(batch) }, f)
}

fn within<T>(running: Running, f: impl FnOnce() -> T) -> T {
    RUNNING.with_borrow_mut(|all| all.push(running));
    let _ended = Ended;
    f()
}
