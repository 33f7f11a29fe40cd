//! From kernels to something that runs: three generators with the same results, bit for bit but
//! for the payloads and signs of NaN.

pub mod interp;
pub mod llvm;
pub mod ptx;
mod ready;
mod tiered;

pub use ready::Ready;
pub use tiered::Tiered;

/// An argument of a launch: where a parameter's elements are.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Argument {
    /// Address of element 0; of what is counted, its number.
    pub base: *mut u8,
    /// Elements from one to the next, of strided inputs; of memory that is written anywhere, how many
    /// elements there are; of inputs that are asked for ahead, how many
    /// elements; of results that fold across rows, how many values from there to those that come
    /// before what is folded, or 0 if there are none; of no meaning for others.
    pub stride: i64,
    /// Elements from one row to the next; for results that fold across rows it is 0.
    pub row: i64,
}

/// Where an input of a piece of a program over rows comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum From {
    /// An input of the program.
    Outside(usize),
    /// What a piece gives.
    Value(usize),
}

/// Code made of a kernel.
pub trait Code: Send + Sync {
    /// Ranges that are run have at least this many elements.
    fn least(&self) -> usize;

    /// And at least this many rows.
    fn least_rows(&self) -> usize {
        1
    }

    /// True if it folds rows two at a time.
    fn twins(&self) -> bool {
        false
    }

    /// About how many vector instructions an element takes: what threads are chosen by.
    fn cost(&self) -> usize;

    /// Computes the elements from `begin` to before `end` of `rows` rows, one at least. A fold
    /// along rows has its blocks counted from element 0, where element `b` of the result is that of
    /// block `b`.
    ///
    /// # Safety
    /// There is one argument for each parameter of the kernel, and for every row and every `i` of
    /// the range: its memory holds the element `i` that the parameter's access names (element 0 of
    /// uniform ones), initialized, for an input; for one that is guarded, where the kernel reads it; it is
    /// writable and nobody else's for a result, which is an input's memory only where rows are folded, and
    /// element by element: a row's elements are read before those of the same numbers are written, and what
    /// is the same along a row before its fold is; what a fold across rows goes on from is there, too, and is
    /// not the result's memory; and all addresses are aligned for the parameter's type.
    /// Memory of a kernel with effects has as many elements as its argument says, initialized, and none of what the
    /// kernel writes to is another parameter's or borrowed elsewhere; other threads read and write it at the same time
    /// only by running the same code, on other elements, and two elements write to the same place, or one reads what
    /// another writes, by atomics only, or where elements run in order, on one thread. There is one row, and whole
    /// blocks, which begin at `begin`; what the kernel's [`Guarantees`](crate::ir::Guarantees) say holds.
    /// The range has [`Code::least`] elements and [`Code::least_rows`] rows at least, and `begin` is
    /// a multiple of a block for folds along rows. What went past the caches is there for other
    /// threads after a fence.
    unsafe fn run(&self, arguments: &[Argument], begin: usize, end: usize, rows: usize);
}
