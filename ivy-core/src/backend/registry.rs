//! The registered backends: factories, and one shared instance of each name and place.

use super::{BackendRef, Device, Place};
use crate::{Error, ErrorKind, Result, support};
use once_cell::sync::Lazy;
use std::sync::{PoisonError, RwLock};

/// How a backend is made. Crates submit one with [`inventory::submit!`], or call [`register`].
pub struct Factory {
    /// The name that users give.
    pub name: &'static str,
    /// Makes an instance for a place (a device or code generator), or says why it cannot.
    pub create: fn(place: Option<&str>) -> Result<BackendRef>,
    /// Lower is asked first when a program names no backend.
    pub priority: u32,
    /// Other devices' names, such as `mine:cuda`, which [`backends`] lists besides.
    pub places: &'static [&'static str],
}

inventory::collect!(Factory);

struct Registry {
    factories: Vec<&'static Factory>,
    instances: Vec<(String, BackendRef)>,
}

static REGISTRY: Lazy<RwLock<Registry>> = Lazy::new(|| {
    let mut factories: Vec<_> = inventory::iter::<Factory>.into_iter().collect();
    factories.sort_by_key(|f| (f.priority, f.name));
    RwLock::new(Registry { factories, instances: Vec::new() })
});

/// Adds a backend by hand, for crates that are linked without being named.
/// A factory of the same name takes the place of the older one.
pub fn register(factory: &'static Factory) {
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    registry.factories.retain(|f| f.name != factory.name);
    let same = |name: &str| name.split(':').next() == Some(factory.name);
    registry.instances.retain(|(name, _)| !same(name));
    registry.factories.push(factory);
    registry.factories.sort_by_key(|f| (f.priority, f.name));
}

/// What is known of a registered backend.
#[derive(Clone, Debug)]
pub struct BackendInfo {
    /// The name that users give.
    pub name: &'static str,
    /// The instance, or why there is none.
    pub instance: Result<BackendRef>,
}

/// Every registered backend, the preferred one first, and other devices of each.
pub fn backends() -> Vec<BackendInfo> {
    let names: Vec<_> = {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        registry.factories.iter().flat_map(|f| [f.name].into_iter().chain(f.places.iter().copied())).collect()
    };
    names.into_iter().map(|name| BackendInfo { name, instance: backend(name) }).collect()
}

/// The shared instance of a backend, by `BACKEND[:PLACE][@VERSION]`.
///
/// # Errors
/// [`ErrorKind::UnknownBackend`] for a name that is not registered,
/// [`ErrorKind::BackendUnavailable`] where it cannot run or has another version.
pub fn backend(name: &str) -> Result<BackendRef> {
    let place: Place = name.parse()?;
    let key = Place { version: None, ..place.clone() }.to_string();
    let instance = match instance(&place, key) {
        Err(error) if place.version.is_some() && support::is_described(&place.backend) => {
            let known = matches!(error.kind(), ErrorKind::UnknownBackend { .. });
            return Err(if known { tables_only(name) } else { error });
        }
        instance => instance?,
    };
    match &place.version {
        Some(version) if !covers(version, &instance.version().to_string()) => {
            Err(ErrorKind::BackendUnavailable {
                name: name.into(),
                reason: format!("the installed version is {}", instance.version()),
                remedy: "Other versions can be asked about, not run".into(),
            }
            .into())
        }
        _ => Ok(instance),
    }
}

/// The name by which [`backend`] gives an instance; `None` for one that was made by hand.
///
/// ```
/// let ndarray = ivy::backend::backend("ndarray")?;
/// assert_eq!(ivy::backend::registered_name(&ndarray).as_deref(), Some("ndarray"));
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn registered_name(instance: &BackendRef) -> Option<String> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.instances.iter().find(|(_, known)| known == instance).map(|(name, _)| name.clone())
}

/// The instance of a backend on a device: itself where it is there already.
pub(crate) fn on_device(instance: &BackendRef, device: Device) -> Result<BackendRef> {
    match instance.devices().first() == Some(&device) {
        true => Ok(instance.clone()),
        false => backend(
            &Place { backend: instance.name().into(), place: Some(device.to_string()), version: None }
                .to_string(),
        ),
    }
}

/// A version of a backend that only the support tables know.
fn tables_only(name: &str) -> Error {
    ErrorKind::BackendUnavailable {
        name: name.into(),
        reason: "it is known by its support tables only".into(),
        remedy: "It can be asked about (`ivy support`, `ivy explain`), not run".into(),
    }
    .into()
}

fn instance(place: &Place, key: String) -> Result<BackendRef> {
    let factory = {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = registry.instances.iter().find(|(name, _)| *name == key) {
            return Ok(found.clone());
        }
        let found = registry.factories.iter().find(|f| f.name == place.backend).copied();
        found.ok_or_else(|| unknown(&registry, &place.backend))?
    };
    let made = (factory.create)(place.place.as_deref())?;
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    // Another thread may have been faster: there is one shared instance.
    if let Some((_, found)) = registry.instances.iter().find(|(name, _)| *name == key) {
        return Ok(found.clone());
    }
    registry.instances.push((key, made.clone()));
    Ok(made)
}

/// A version with fewer parts covers all that begin with it.
pub(super) fn covers(asked: &str, installed: &str) -> bool {
    installed == asked || installed.strip_prefix(asked).is_some_and(|rest| rest.starts_with(['.', '+', '-']))
}

fn unknown(registry: &Registry, name: &str) -> Error {
    let known: Vec<String> = registry.factories.iter().map(|f| f.name.to_string()).collect();
    let remedy = match known.is_empty() {
        true => "Name a backend crate in the program, such as `use ivy_backend_ndarray as _;`".into(),
        false => format!(
            "If a crate provides `{name}`, name it in the program (`use the_crate as _;`) or call `ivy::register`"
        ),
    };
    ErrorKind::UnknownBackend { name: name.into(), known, remedy }.into()
}

/// The backend of a program that names none.
pub(crate) fn default_backend() -> Result<BackendRef> {
    let names: Vec<_> = {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        registry.factories.iter().map(|f| f.name).collect()
    };
    let mut last = None;
    for name in names {
        match backend(name) {
            Ok(found) => return Ok(found),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        unknown(&registry, "(any)")
    }))
}
