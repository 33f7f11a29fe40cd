//! Instances under numbers, and calls of the instance that each thread has.

use super::{Mode, active_mask, masked, switch};
use crate::array::{AnyArray, IntoArg, Traverse, common_size};
use crate::flow::Branch;
use crate::ops::array;
use crate::types::{JitBackend, Kind, VarType};
use crate::{Error, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

const NAME: &str = "dispatch";

/// Instances of a trait, each with a number from 1 on, by which arrays refer to them; 0 is none. The registry does not keep them: who
/// drops an instance must not use arrays that refer to it.
///
/// ```
/// use ivy_drjit::{Registry, Result, dispatch, llvm::{Float, UInt}};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// use std::sync::Arc;
/// #[dispatch]
/// trait Curve {
///     fn at(&self, x: &Float) -> Result<Float>;
/// }
/// struct Line(f64);
/// impl Curve for Line {
///     fn at(&self, x: &Float) -> Result<Float> { (x * self.0).get() }
/// }
/// struct Parabola;
/// impl Curve for Parabola {
///     fn at(&self, x: &Float) -> Result<Float> { (x * x).get() }
/// }
/// let curves = Registry::new();
/// let (line, parabola): (Arc<dyn Curve>, Arc<dyn Curve>) = (Arc::new(Line(10.0)), Arc::new(Parabola));
/// let numbers = UInt::new([curves.put(&line), curves.put(&parabola), 0])?;
/// let curve = CurvePtr::new(&curves, &numbers)?;
/// assert_eq!(curve.at(&Float::new([2, 3, 4])?)?.to_string(), "[20, 9, 0]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub struct Registry<T: ?Sized> {
    instances: Mutex<Vec<Weak<T>>>,
}

impl<T: ?Sized> Registry<T> {
    /// A registry without instances.
    pub fn new() -> Arc<Registry<T>> {
        Arc::new(Registry { instances: Mutex::new(Vec::new()) })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<T>>> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an instance, and gives its number; one that is there already has its own. Numbers are not used again.
    pub fn put(&self, instance: &Arc<T>) -> u32 {
        let mut instances = self.lock();
        let own = Arc::downgrade(instance);
        let place = instances.iter().position(|other| other.ptr_eq(&own)).unwrap_or_else(|| {
            instances.push(own);
            instances.len() - 1
        });
        u32::try_from(place + 1).unwrap_or(u32::MAX)
    }

    /// The instance of a number, if it is there still.
    pub fn get(&self, number: u32) -> Option<Arc<T>> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.lock().get(place)?.upgrade()
    }

    /// All instances that are there, with their numbers.
    fn live(&self) -> Vec<(u32, Arc<T>)> {
        (1..).zip(self.lock().iter()).filter_map(|(number, own)| Some((number, own.upgrade()?))).collect()
    }

    /// The greatest number.
    fn bound(&self) -> u32 {
        u32::try_from(self.lock().len()).unwrap_or(u32::MAX)
    }
}

/// Numbers of instances, one for each thread: what the types that [`dispatch`](macro@crate::dispatch) makes hold.
pub struct Instances<T: ?Sized> {
    registry: Arc<Registry<T>>,
    index: AnyArray,
    mode: Mode,
}

impl<T: ?Sized> Clone for Instances<T> {
    fn clone(&self) -> Instances<T> {
        Instances { registry: self.registry.clone(), index: self.index.clone(), mode: self.mode }
    }
}

impl<T: ?Sized> Instances<T> {
    /// The instances of these numbers.
    ///
    /// # Errors
    /// [`Error::WrongType`] for what is no flat array of integers.
    pub fn new(registry: &Arc<Registry<T>>, index: impl IntoArg) -> Result<Instances<T>> {
        let index = array(NAME, index.into_arg())?;
        if index.ty().kind() != Kind::Flat || !index.ty().is_integral_v() {
            let expected = "a flat array of integers".into();
            return Err(Error::WrongType { function: NAME, argument: "index", expected, actual: index.ty() });
        }
        Ok(Instances { registry: registry.clone(), index, mode: Mode::Auto })
    }

    /// The same, with calls done in a mode.
    #[must_use]
    pub fn with_mode(self, mode: Mode) -> Instances<T> {
        Instances { mode, ..self }
    }

    /// The numbers.
    pub fn index(&self) -> &AnyArray {
        &self.index
    }

    /// The instances that can be called, and for each thread which of them that is and whether it has one.
    fn places(&self) -> Result<Places<T>> {
        let live = self.registry.live();
        if live.is_empty() {
            return Err(nobody());
        }
        self.check(&live)?;
        let valid = crate::neq(&self.index, 0)?;
        let table: Vec<u32> = (0..=self.registry.bound())
            .map(|number| live.iter().position(|(own, _)| *own == number).unwrap_or(0) as u32)
            .collect();
        let place = match self.index.ty().backend_v() == JitBackend::None {
            true => {
                let number = usize::try_from(self.index.item(0)?.to_i128()).unwrap_or(0);
                self.index.ty().make(table.get(number).copied().unwrap_or(0))?
            }
            // Without gaps the number itself says the place.
            false if live.len() as u32 == self.registry.bound() => {
                (crate::maximum(&self.index, 1)? - 1).ok()?
            }
            false => {
                let ty = self.index.ty().with_dtype(VarType::UInt32);
                crate::gather(ty, ty.make(table)?, &self.index, true)?
            }
        };
        Ok(Places { live: live.into_iter().map(|(_, instance)| instance).collect(), place, valid })
    }

    /// Every number is that of an instance: asked before anything is called, outside of recorded code.
    fn check(&self, live: &[(u32, Arc<T>)]) -> Result<()> {
        if crate::ad::is_recording() {
            return Ok(());
        }
        let bound = self.registry.bound();
        let active = active_mask(self.index.len())?;
        let some = |wrong: AnyArray| {
            let wrong = match &active {
                Some(active) => crate::bitwise_and(active, wrong)?,
                None => wrong,
            };
            crate::any(wrong, ())?.to_bool()
        };
        let beyond = crate::bitwise_or(crate::gt(&self.index, bound)?, crate::lt(&self.index, 0)?)?;
        if some(beyond)? {
            let (argument, rule) = ("index", "0, or the number of an instance");
            let value = format!("above {bound} for some thread");
            return Err(Error::InvalidArgument { function: NAME, argument, value, rule });
        }
        let gone = (1..=bound).filter(|number| live.iter().all(|(own, _)| own != number));
        for number in gone {
            if some(crate::eq(&self.index, number)?)? {
                return Err(Error::InstanceDropped { function: NAME, number });
            }
        }
        Ok(())
    }

    /// What a function gives of the instance that each thread has, as [`switch`] does; zeros for threads without one.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a number that no instance has had, or a registry without instances; [`Error::InstanceDropped`];
    /// those of [`switch`]. In recorded code, numbers are not looked at: what is no instance is the first one.
    pub fn call<A: Traverse + Clone, R: Traverse>(
        &self,
        function: impl Fn(&T, &A) -> Result<R>,
        arguments: A,
    ) -> Result<R> {
        let Places { live, place, valid } = self.places()?;
        let calls: Vec<_> =
            live.iter().map(|instance| |arguments: &A| function(instance, arguments)).collect();
        let calls: Vec<Branch<'_, A, R>> = calls.iter().map(|call| call as _).collect();
        let result = masked(&valid, || switch(place, &calls, arguments, self.mode))??;
        result.map(&mut |x| {
            let fits = x.width().is_some_and(|width| common_size(&[valid.len(), width]).is_some());
            match fits {
                true => crate::select(&valid, x, crate::zeros_like(x)?)?.cast_to(x.ty()),
                false => Ok(x.clone()),
            }
        })
    }

    /// What a function gives of each instance, single values, for each thread of its own: it is called once an instance, and threads
    /// gather from the table of what it gave; zeros for threads without an instance.
    ///
    /// # Errors
    /// As [`call`](Self::call); [`Error::VariableChanged`] for instances that give different types, or vectors.
    pub fn getter<R: Traverse>(&self, function: impl Fn(&T) -> Result<R>) -> Result<R> {
        let Places { live, place, valid } = self.places()?;
        let values = live.iter().map(|instance| function(instance)).collect::<Result<Vec<R>>>()?;
        let first = values.first().ok_or_else(nobody)?;
        let names = super::names(first);
        let arrays: Vec<Vec<AnyArray>> = values.iter().map(Traverse::arrays).collect();
        let mut number = 0;
        first.map(&mut |x| {
            let column: Vec<&AnyArray> = arrays.iter().filter_map(|own| own.get(number)).collect();
            if let Some(other) = column.iter().find(|other| other.ty() != x.ty() || other.width() != Some(1))
            {
                return Err(Error::VariableChanged {
                    function: NAME,
                    variable: names.get(number).cloned().unwrap_or_default(),
                    before: format!("{} of size 1", x.ty()),
                    after: format!("{} of size {}", other.ty(), other.width().unwrap_or(0)),
                });
            }
            number += 1;
            crate::gather(x.ty(), table(&column)?, &place, &valid)
        })
    }
}

/// The error of a call of nobody.
fn nobody() -> Error {
    let (argument, value, rule) = ("instances", "none".into(), "one registered at least");
    Error::InvalidArgument { function: NAME, argument, value, rule }
}

struct Places<T: ?Sized> {
    live: Vec<Arc<T>>,
    place: AnyArray,
    valid: AnyArray,
}

/// Arrays of one type, of single values, one after the other in each of the flat arrays within.
fn table(parts: &[&AnyArray]) -> Result<AnyArray> {
    let first = parts.first().ok_or_else(nobody)?;
    if first.ty().depth() == 0 {
        return crate::shape::concat(first.ty(), &parts.iter().map(|&part| part.clone()).collect::<Vec<_>>());
    }
    let entry = |i: usize| {
        let entries: Vec<&AnyArray> = parts.iter().filter_map(|part| part.entries().get(i)).collect();
        table(&entries)
    };
    Ok(AnyArray::from_entries(first.ty(), (0..first.len()).map(entry).collect::<Result<_>>()?))
}

/// The numbers.
impl<T: ?Sized> Traverse for Instances<T> {
    fn visit(&self, visit: &mut dyn FnMut(&AnyArray)) {
        visit(&self.index);
    }

    fn map(&self, change: &mut dyn FnMut(&AnyArray) -> Result<AnyArray>) -> Result<Instances<T>> {
        Ok(Instances { index: change(&self.index)?, ..self.clone() })
    }
}
