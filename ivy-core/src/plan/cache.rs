//! Plans by their small key. Each thread has a table of its own, looked up without a lock;
//! behind it stands one table for the process.

use super::{OperandSpec, Plan, Question, plan, support};
use crate::context::Interned;
use crate::hash::WordHash;
use crate::{Result, Scalar};
use once_cell::sync::Lazy;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// What a plan depends on, in 32 bytes: no shapes, axes or values.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    function: usize,
    settings: u32,
    backend: u32,
    operands: u64,
    params: u64,
}

/// Bits of one operand: whether it is there, its class, kind and dtype.
fn code(spec: OperandSpec) -> u64 {
    match spec {
        OperandSpec::Absent => 0,
        OperandSpec::Array(d) => 1 + d.index() as u64,
        OperandSpec::ZeroD(d) => 33 + d.index() as u64,
        OperandSpec::Weak(kind, fit) => 65 + 32 * kind as u64 + fit.index() as u64,
        OperandSpec::WeakArray(d) => 193 + d.index() as u64,
        // No code is given: such operands have no key.
        OperandSpec::Valued { .. } => 255,
    }
}

impl Key {
    #[inline]
    pub(crate) fn new(
        function: &'static crate::Function,
        settings: u32,
        backend: u32,
        specs: impl Iterator<Item = OperandSpec>,
        params: &dyn crate::function::Params,
    ) -> Option<Key> {
        let mut operands = 0u64;
        for (i, spec) in specs.enumerate() {
            // More operands than fit (long concatenations), and values that count, are planned anew.
            if i == 8 || matches!(spec, OperandSpec::Valued { .. }) {
                return None;
            }
            operands = operands << 8 | code(spec);
        }
        let dtype = params.dtype().map_or(0, |d| 1 + d.index() as u64);
        Some(Key {
            function: std::ptr::from_ref(function) as usize,
            settings,
            backend,
            operands,
            params: params.variant() << 8 | dtype,
        })
    }

    /// The key of arrays without parameters: the path of every operator.
    #[inline]
    pub(crate) fn of_arrays<const N: usize>(
        function: &'static crate::Function,
        settings: u32,
        backend: u32,
        arrays: [&crate::Array; N],
    ) -> Key {
        const { assert!(N <= 8) };
        let function = std::ptr::from_ref(function) as usize;
        let operands = arrays.iter().fold(0, |bits, x| bits << 8 | code(x.spec()));
        Key { function, settings, backend, operands, params: 0 }
    }

    /// The key of an array and a host scalar, the scalar before it if `first`, without parameters.
    #[inline]
    pub(crate) fn of_scalar(
        function: &'static crate::Function,
        settings: &Interned,
        backend: u32,
        array: &crate::Array,
        scalar: Scalar,
        first: bool,
    ) -> Key {
        let function = std::ptr::from_ref(function) as usize;
        let weak = OperandSpec::Weak(scalar.kind(), settings.settings.defaults.of_values(&[scalar]));
        let (array, weak) = (code(array.spec()), code(weak));
        let operands = if first { weak << 8 | array } else { array << 8 | weak };
        Key { function, settings: settings.id, backend, operands, params: 0 }
    }

    #[inline]
    fn slot(&self, bits: u32) -> usize {
        let mix = (self.function as u64 >> 4)
            ^ self.operands.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (u64::from(self.settings) << 32 | u64::from(self.backend)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ self.params.wrapping_mul(0x1656_67B1_9E37_79F9);
        (mix.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
    }
}

const SLOT_BITS: u32 = 10;
const DIRECT_BITS: u32 = 7;
/// Above this many plans the table is emptied; programs have a few hundred.
const MOST_PLANS: usize = 1 << 16;

type Slots = Vec<Option<(Key, Arc<Plan>)>>;

thread_local! {
    /// Keys whose plans are direct: all that the shortest way has to know of a plan. What is
    /// written here stays true, since a plan depends on nothing but its key.
    static DIRECT: [Cell<Option<Key>>; 1 << DIRECT_BITS] =
        const { [const { Cell::new(None) }; 1 << DIRECT_BITS] };
    static SLOTS: RefCell<Slots> = const { RefCell::new(Vec::new()) };
    /// The [`EPOCH`] that the slots are of.
    static SLOTS_EPOCH: Cell<u64> = const { Cell::new(0) };
    static STATS: Cell<CacheStats> = const { Cell::new(CacheStats { hits: 0, misses: 0 }) };
}

type Plans = HashMap<Key, Arc<Plan>, WordHash>;

static PLANS: Lazy<RwLock<Plans>> = Lazy::new(Default::default);

/// How often the plans were forgotten.
static EPOCH: AtomicU64 = AtomicU64::new(0);

/// Forgets the plans of every thread, after a change of what declared backends are said to support. Direct
/// ways stay: they are of installed backends, which answer for themselves.
pub(crate) fn forget_plans() {
    let mut plans = PLANS.write().unwrap_or_else(PoisonError::into_inner);
    EPOCH.fetch_add(1, Ordering::AcqRel);
    plans.clear();
}

/// The epoch, with the thread's slots emptied if they are of an earlier one.
#[inline]
fn epoch() -> u64 {
    let epoch = EPOCH.load(Ordering::Acquire);
    if SLOTS_EPOCH.get() != epoch {
        SLOTS.with_borrow_mut(Vec::clear);
        SLOTS_EPOCH.set(epoch);
    }
    epoch
}

/// How often this thread found a plan, and how often it had to make one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Plans that were found.
    pub hits: u64,
    /// Plans that were made.
    pub misses: u64,
}

/// The counters of this thread's plan look-ups.
pub fn plan_cache_stats() -> CacheStats {
    STATS.get()
}

/// True if a call of this key is known to have a direct plan, which counts as a hit.
#[inline]
pub(crate) fn is_direct(key: Key) -> bool {
    let known = DIRECT.with(|direct| direct[key.slot(DIRECT_BITS)].get() == Some(key));
    if known {
        count(true);
    }
    known
}

fn note_direct(key: Key, plan: &Plan) {
    // Abstract evaluation notes each call as a step, and so looks at each plan.
    if plan.direct && !plan.is_abstract {
        DIRECT.with(|direct| direct[key.slot(DIRECT_BITS)].set(Some(key)));
    }
}

#[inline]
fn count(hit: bool) {
    STATS.with(|stats| {
        let CacheStats { hits, misses } = stats.get();
        stats.set(CacheStats { hits: hits + u64::from(hit), misses: misses + u64::from(!hit) });
    });
}

/// The plan of a key, made with `question` where it is not known yet.
#[inline]
pub(crate) fn lookup<'a>(key: Option<Key>, question: impl FnOnce() -> Question<'a>) -> Result<Arc<Plan>> {
    let epoch = epoch();
    if let Some(key) = key {
        let found = SLOTS.with_borrow(|slots| match slots.get(key.slot(SLOT_BITS)) {
            Some(Some((known, plan))) if *known == key => Some(plan.clone()),
            _ => None,
        });
        if let Some(plan) = found {
            count(true);
            note_direct(key, &plan);
            // Only abstract evaluation notes steps.
            if plan.is_abstract {
                support::note_plan(&plan);
            }
            return Ok(plan);
        }
    }
    find_or_make(key, epoch, question())
}

/// Puts a plan into the table of the process; false if it was made before others forgot theirs, and is not kept.
fn keep(key: Key, plan: &Arc<Plan>, epoch: u64) -> bool {
    let mut plans = PLANS.write().unwrap_or_else(PoisonError::into_inner);
    if EPOCH.load(Ordering::Acquire) != epoch {
        return false;
    }
    if plans.len() >= MOST_PLANS {
        plans.clear();
    }
    plans.insert(key, plan.clone());
    true
}

#[cold]
fn find_or_make(key: Option<Key>, epoch: u64, question: Question<'_>) -> Result<Arc<Plan>> {
    let known = key.and_then(|k| PLANS.read().unwrap_or_else(PoisonError::into_inner).get(&k).cloned());
    let is_new = known.is_none();
    let plan = match known {
        Some(plan) => {
            count(true);
            support::note_plan(&plan);
            plan
        }
        None => {
            count(false);
            Arc::new(plan(&question)?)
        }
    };
    if let Some(key) = key {
        note_direct(key, &plan);
        if is_new && !keep(key, &plan, epoch) {
            return Ok(plan);
        }
        SLOTS.with_borrow_mut(|slots| {
            if slots.is_empty() {
                slots.resize(1 << SLOT_BITS, None);
            }
            slots[key.slot(SLOT_BITS)] = Some((key, plan.clone()));
        });
    }
    Ok(plan)
}
