//! Layers: what a library over the functions puts in force for each of its calls, whatever else is.

use super::frame::{Frame, with_top};
use super::{Defaults, Interned, Settings, intern};
use crate::Rules;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many layers the settings under them keep a place for.
pub(super) const LAYERS: usize = 32;

/// Promotion rules and default dtypes that are put over the settings in force: a frontend's. Entering one costs a few
/// nanoseconds, since the settings that come of it are kept beside those under it. Make few, and keep them.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    slot: usize,
    rules: Rules,
    defaults: Defaults,
}

impl Layer {
    /// A layer of rules and default dtypes.
    pub fn new(rules: Rules, defaults: Defaults) -> Layer {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Layer { slot: NEXT.fetch_add(1, Ordering::Relaxed), rules, defaults }
    }

    /// The promotion rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The default dtypes.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The settings that come of putting it over some.
    pub(super) fn over(&self, under: &'static Interned) -> &'static Interned {
        let (rules, defaults) = (self.rules, Defaults { rules: self.rules, ..self.defaults });
        let made = || intern(&Settings { rules, defaults, ..under.settings.clone() });
        match under.layered.get(self.slot) {
            Some(kept) => kept.get_or_init(made),
            None => made(),
        }
    }
}

/// A layer in force until the guard is dropped. It stays on its thread.
#[must_use = "the layer is in force until the guard is dropped"]
pub struct LayerScope {
    frame: u64,
    previous: Option<Layer>,
    not_send: PhantomData<*const ()>,
}

/// Puts a layer over the settings in force until the guard is dropped. Backend and generator stay as they are.
///
/// ```
/// use ivy_core::{Defaults, Rules, context::{Layer, current, enter_layer}};
/// let layer = Layer::new(Rules::ArrayApi, Defaults::default());
/// let guard = enter_layer(&layer);
/// assert_eq!(current().settings.rules, Rules::ArrayApi);
/// drop(guard);
/// assert_eq!(current().settings.rules, Rules::Precise);
/// ```
#[inline]
pub fn enter_layer(layer: &Layer) -> LayerScope {
    with_top(|top: &mut Frame| {
        let previous = top.put_layer(Some(*layer));
        LayerScope { frame: top.id(), previous, not_send: PhantomData }
    })
}

impl Drop for LayerScope {
    #[inline]
    fn drop(&mut self) {
        super::frame::restore_layer(self.frame, self.previous);
    }
}
