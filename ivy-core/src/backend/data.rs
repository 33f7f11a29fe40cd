//! A backend's handle to the elements of one array, with its type forgotten.
//!
//! The handle is one word, kept in place: a counted reference such as an `Arc`, a
//! [`Buffer`](crate::host::Buffer), or an engine's own tensor type. So an array costs no memory
//! besides what the backend itself allocates.
//!
//! # Invariants
//!
//! - `word` holds a valid `T` that this `Data` owns, where `table` is the table of `T`.
//! - `T` is `Clone`, `Send`, `Sync` and `'static`, and fits in a word.

use std::any::{TypeId, type_name};
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;

/// Room for a handle, which may change behind a shared reference as atomics do.
struct Word(UnsafeCell<MaybeUninit<*mut ()>>);

impl Word {
    #[inline]
    fn uninit() -> Word {
        Word(UnsafeCell::new(MaybeUninit::uninit()))
    }

    #[inline]
    fn at<T>(&self) -> *mut T {
        self.0.get().cast()
    }
}

/// What can be done with a `T` in a word.
struct Table {
    id: fn() -> TypeId,
    name: fn() -> &'static str,
    clone: unsafe fn(&Word) -> Word,
    drop: unsafe fn(&Word),
}

/// A backend's handle to the elements of one array: any type of at most a word that is cheap to
/// clone. Larger data stands behind an `Arc`.
///
/// ```
/// use ivy_core::backend::Data;
/// use std::sync::Arc;
/// let data = Data::new(Arc::new([1.0f32, 2.0]));
/// assert_eq!(data.get::<Arc<[f32; 2]>>().map(|elements| elements[1]), Some(2.0));
/// assert!(data.get::<Arc<[f64; 2]>>().is_none());
/// ```
pub struct Data {
    table: &'static Table,
    word: Word,
}

// SAFETY: the handle in it is Send and Sync.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

trait Handle: Clone + Send + Sync + Sized + 'static {
    const TABLE: &'static Table = &Table {
        id: TypeId::of::<Self>,
        name: type_name::<Self>,
        clone: clone::<Self>,
        drop: drop_in::<Self>,
    };
    const FITS: () = assert!(
        size_of::<Self>() <= size_of::<Word>() && align_of::<Self>() <= align_of::<Word>(),
        "a handle is at most one word: put the data behind an `Arc`"
    );
}
impl<T: Clone + Send + Sync + 'static> Handle for T {}

/// # Safety
/// The word holds a `T`.
unsafe fn clone<T: Handle>(word: &Word) -> Word {
    let copy = Word::uninit();
    // SAFETY: the caller's promise; a `T` fits in a word.
    unsafe { copy.at::<T>().write((*word.at::<T>()).clone()) };
    copy
}

/// # Safety
/// The word holds a `T`, which is not used again.
unsafe fn drop_in<T: Handle>(word: &Word) {
    // SAFETY: the caller's promise.
    unsafe { word.at::<T>().drop_in_place() }
}

impl Data {
    /// The handle with its type forgotten. A type of more than a word does not compile.
    #[inline]
    pub fn new<T: Clone + Send + Sync + 'static>(handle: T) -> Data {
        let () = T::FITS;
        let word = Word::uninit();
        // SAFETY: it fits, as was just asserted.
        unsafe { word.at::<T>().write(handle) };
        Data { table: T::TABLE, word }
    }

    /// The handle, if it is a `T`.
    #[inline]
    pub fn get<T: Clone + Send + Sync + 'static>(&self) -> Option<&T> {
        // SAFETY: the word holds the type that the table is of.
        self.is::<T>().then(|| unsafe { &*self.word.at::<T>() })
    }

    /// The handle for a change in place, if it is a `T`.
    #[inline]
    pub fn get_mut<T: Clone + Send + Sync + 'static>(&mut self) -> Option<&mut T> {
        // SAFETY: as in `get`, and `self` is borrowed for itself.
        self.is::<T>().then(|| unsafe { &mut *self.word.at::<T>() })
    }

    #[inline]
    fn is<T: Clone + Send + Sync + 'static>(&self) -> bool {
        // Mostly the same table; it need not be the only one of its type.
        std::ptr::eq(self.table, T::TABLE) || (self.table.id)() == TypeId::of::<T>()
    }
}

impl Clone for Data {
    #[inline]
    fn clone(&self) -> Data {
        // SAFETY: the word holds the type that the table is of.
        Data { table: self.table, word: unsafe { (self.table.clone)(&self.word) } }
    }
}

impl Drop for Data {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the word holds the type that the table is of, and this is its end.
        unsafe { (self.table.drop)(&self.word) }
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Data({})", (self.table.name)())
    }
}
