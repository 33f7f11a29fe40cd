//! What is kept on a device between launches, besides the pool.

use super::device::{Device, Kernel, lock};
use super::failure::Failure;
use super::own::Own;
use super::pool::Memory;
use crate::codegen::ptx::{self, FUNCTION, HEADER, Product};
use crate::ir::{Join, Type};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Literals that are kept; all go when there are more.
const LITERALS: usize = 4096;

/// What folds in pairs: the type, the parts, how they join, and the index form.
type Pairs = (Type, u32, Join, bool);

/// A kernel that comes from no trace, and what the history tells of it.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) kernel: Arc<Kernel>,
    /// The number of its text.
    pub(super) hash: u64,
    /// The instructions of its text.
    pub(super) instructions: usize,
}

/// How long it took to make something that was not there.
type Time = Option<Duration>;

/// Literals, and the kernels that come from no trace.
pub struct Kept {
    device: Arc<Device>,
    literals: Mutex<HashMap<[u64; 2], Arc<Memory>>>,
    pairs: Mutex<HashMap<Pairs, Made>>,
    products: Mutex<HashMap<Product, Made>>,
    own: Mutex<HashMap<Own, Made>>,
    parts: Mutex<HashMap<Type, Made>>,
}

impl Kept {
    /// Nothing yet, on a device.
    pub fn new(device: Arc<Device>) -> Kept {
        Kept {
            device,
            literals: Mutex::default(),
            pairs: Mutex::default(),
            products: Mutex::default(),
            own: Mutex::default(),
            parts: Mutex::default(),
        }
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The memory of a literal, by its bytes.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn literal(&self, words: [u64; 2]) -> Result<Arc<Memory>, Failure> {
        if let Some(found) = lock(&self.literals).get(&words) {
            return Ok(found.clone());
        }
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        let memory = Arc::new(self.device.upload(&bytes)?);
        let mut literals = lock(&self.literals);
        if literals.len() >= LITERALS {
            literals.clear();
        }
        literals.insert(words, memory.clone());
        Ok(memory)
    }

    /// The kernel that folds values of a type in pairs.
    pub(super) fn pairs(&self, key: Pairs) -> Result<Arc<Kernel>, Failure> {
        let (ty, parts, join, wide) = key;
        let made = self.kernel(&self.pairs, key, HEADER, || ptx::pairs(ty, parts, join, wide, FUNCTION));
        made.map(|(made, _)| made.kernel)
    }

    /// The kernel for products.
    pub(super) fn product(&self, key: Product) -> Result<(Made, Time), Failure> {
        self.kernel(&self.products, key, key.header(), || key.function(FUNCTION))
    }

    /// The kernel that adds parts of products.
    pub(super) fn parts(&self, ty: Type) -> Result<(Made, Time), Failure> {
        self.kernel(&self.parts, ty, HEADER, || ptx::parts(ty, FUNCTION))
    }

    /// A kernel that comes from no trace.
    pub(super) fn own(&self, key: Own) -> Result<(Made, Time), Failure> {
        self.kernel(&self.own, key, HEADER, || key.function(FUNCTION))
    }

    fn kernel<K: Hash + Eq>(
        &self,
        all: &Mutex<HashMap<K, Made>>,
        key: K,
        header: &str,
        function: impl FnOnce() -> String,
    ) -> Result<(Made, Time), Failure> {
        if let Some(found) = lock(all).get(&key) {
            return Ok((found.clone(), None));
        }
        let start = Instant::now();
        let text = format!("{header}\n{}", function());
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let instructions = text.lines().filter(|line| line.trim_end().ends_with(';')).count();
        let kernel = Arc::new(self.device.kernel(&text)?);
        let made = Made { kernel, hash: hasher.finish(), instructions };
        lock(all).insert(key, made.clone());
        Ok((made, Some(start.elapsed())))
    }
}
