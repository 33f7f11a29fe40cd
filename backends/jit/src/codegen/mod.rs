//! From kernels to something that runs: two generators with the same results, bit for bit but
//! for the payloads and signs of NaN.

pub mod interp;
pub mod llvm;

/// An argument of a launch: where a parameter's elements are.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Argument {
    /// Address of element 0.
    pub base: *mut u8,
    /// Elements from one to the next, of strided inputs; of no meaning for others.
    pub stride: i64,
}

/// Code made of a kernel.
pub trait Code: Send + Sync {
    /// Ranges that are run begin and end at multiples of this many elements.
    fn block(&self) -> usize;

    /// Computes the elements from `begin` to before `end`.
    ///
    /// # Safety
    /// There is one argument for each parameter of the kernel, and for every `i` of the range:
    /// its memory holds the element `i` that the parameter's access names (element 0 of uniform
    /// ones), initialized, for an input; it is writable and nobody else's for a result; and all
    /// addresses are aligned for the parameter's type. `begin` and `end` are multiples of
    /// [`Code::block`].
    unsafe fn run(&self, arguments: &[Argument], begin: usize, end: usize);
}
