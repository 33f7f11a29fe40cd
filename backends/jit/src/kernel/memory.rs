//! Memory of a kernel: that of arrays, of an element alone, and of a block of elements.

use super::builder::SharedBody;
use super::value::{KernelOperand, KernelValue};
use super::{KernelError, SourceLocation};
use crate::ir::{Code, Id};
use ivy_core::Dtype;
use std::panic::Location;

/// Whose memory it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// An array's that is read.
    Input,
    /// An array's that is read and written.
    InOut,
    /// An element's, or a block's.
    Kernel,
}

/// Memory of elements of one dtype, which are named by their numbers in row-major order: an array's, a local
/// array, or memory that a block of elements shares.
///
/// A number out of range is an error of the launch, and touches nothing
/// ([`KernelBuilder::unchecked`](super::KernelBuilder::unchecked)).
#[derive(Clone)]
pub struct KernelMemory {
    pub(super) body: SharedBody,
    pub(super) name: String,
    pub(super) dtype: Dtype,
    pub(super) memory: Id,
    pub(super) owner: Owner,
    /// The parameter, of an array's memory; else how many elements there are.
    pub(super) place: ViewOf,
}

/// Where memory is.
#[derive(Clone, Copy)]
pub(super) enum ViewOf {
    Parameter(usize),
    /// So many elements, of a function or of the kernel itself.
    Local {
        elements: u64,
        function: Option<usize>,
    },
}

macro_rules! atomics {
    ($($(#[$doc:meta])* $name:ident $code:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self, index: impl KernelOperand, value: impl KernelOperand) -> KernelValue {
            self.atomic(Code::$code, stringify!($name), index, value, Location::caller())
        }
    )*};
}

impl KernelMemory {
    /// The dtype of its elements.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The element with a number, an int64.
    #[track_caller]
    pub fn load(&self, index: impl KernelOperand) -> KernelValue {
        let location = Location::caller();
        let index = self.index(index, location);
        let mut body = self.body.borrow_mut();
        let memory = body.memory_of(self, location);
        let id = body.builder.load_at(memory, index);
        let scope = body.scope();
        drop(body);
        KernelValue { body: self.body.clone(), dtype: self.dtype, id, scope }
    }

    /// Writes the element with a number, an int64.
    #[track_caller]
    pub fn store(&self, index: impl KernelOperand, value: impl KernelOperand) {
        let location = Location::caller();
        self.writes(location);
        let index = self.index(index, location);
        let value = self.operand("store", value, location);
        let mut body = self.body.borrow_mut();
        let memory = body.memory_of(self, location);
        body.builder.store_at(memory, index, value);
    }

    atomics! {
        /// Adds to the element with a number, as one step that no other element sees a part of, and gives what was
        /// there before, as all atomics do. They are of int32, int64, uint32, uint64, float32 and float64.
        atomic_add AtomicAdd;
        /// Subtracts from an element.
        atomic_sub AtomicSub;
        /// The lesser stays; of floats a NaN that is there stays, and -0 is less than 0. Where a device lacks it, it
        /// is made of compare-and-exchange.
        atomic_min AtomicMin;
        /// The greater stays; likewise.
        atomic_max AtomicMax;
        /// The bits in both stay; of integers.
        atomic_and AtomicAnd;
        /// The bits in either; of integers.
        atomic_or AtomicOr;
        /// The bits in one only; of integers.
        atomic_xor AtomicXor;
        /// The value takes the element's place.
        atomic_exchange AtomicExchange;
    }

    /// Replaces the element with a number if its bits are those of `expected`; gives what was there before.
    #[track_caller]
    pub fn compare_exchange(
        &self,
        index: impl KernelOperand,
        expected: impl KernelOperand,
        value: impl KernelOperand,
    ) -> KernelValue {
        let location = Location::caller();
        self.takes_atomics(Code::AtomicCas, "compare_exchange", location);
        let index = self.index(index, location);
        let expected = self.operand("compare_exchange", expected, location);
        let value = self.operand("compare_exchange", value, location);
        self.given(location, |b, memory| b.compare_and_swap(memory, index, expected, value))
    }

    fn atomic(
        &self,
        code: Code,
        name: &'static str,
        index: impl KernelOperand,
        value: impl KernelOperand,
        location: SourceLocation,
    ) -> KernelValue {
        self.takes_atomics(code, name, location);
        let index = self.index(index, location);
        let value = self.operand(name, value, location);
        self.given(location, |b, memory| b.atomic(code, memory, index, value))
    }

    /// Notes where an atomic is of a dtype that has none, or of memory that no other element sees.
    fn takes_atomics(&self, code: Code, operation: &'static str, location: SourceLocation) {
        self.writes(location);
        let float = matches!(self.dtype, Dtype::FLOAT32 | Dtype::FLOAT64);
        let bits = matches!(code, Code::AtomicAnd | Code::AtomicOr | Code::AtomicXor);
        let int = matches!(self.dtype, Dtype::INT32 | Dtype::INT64 | Dtype::UINT32 | Dtype::UINT64);
        if !(int || float && !bits) {
            let dtype = self.dtype;
            self.body.borrow_mut().note(|| KernelError::Domain { operation, dtype, location });
        }
        if self.name == super::builder::LOCAL {
            let what = "atomics are for memory that other elements see, and not for an element's own";
            self.body.borrow_mut().note(|| KernelError::Scope { what, location });
        }
    }

    fn given(
        &self,
        location: SourceLocation,
        make: impl FnOnce(&mut crate::ir::Builder, Id) -> Id,
    ) -> KernelValue {
        let mut body = self.body.borrow_mut();
        let memory = body.memory_of(self, location);
        let id = if body.error.is_none() { make(&mut body.builder, memory) } else { body.any(self.dtype) };
        let scope = body.scope();
        drop(body);
        KernelValue { body: self.body.clone(), dtype: self.dtype, id, scope }
    }

    fn writes(&self, location: SourceLocation) {
        if self.owner == Owner::Input {
            let parameter = self.name.clone();
            self.body.borrow_mut().note(|| KernelError::ReadOnly { parameter, location });
        }
    }

    /// A value of this memory's dtype.
    fn operand(&self, operation: &'static str, value: impl KernelOperand, location: SourceLocation) -> Id {
        let value = value.value(&self.body, self.dtype, location);
        let mut body = self.body.borrow_mut();
        body.sees(&self.body, &value, location);
        if value.dtype != self.dtype {
            let [left, right] = [self.dtype, value.dtype];
            body.note(|| KernelError::Operands { operation, left, right, location });
        }
        if body.error.is_some() { body.any(self.dtype) } else { value.id }
    }

    /// A number of an element, which is checked where that is wanted.
    fn index(&self, index: impl KernelOperand, location: SourceLocation) -> Id {
        let index = index.value(&self.body, Dtype::INT64, location);
        let mut body = self.body.borrow_mut();
        body.sees(&self.body, &index, location);
        if index.dtype != Dtype::INT64 {
            let [left, right] = [Dtype::INT64, index.dtype];
            body.note(|| KernelError::Operands { operation: "an index", left, right, location });
        }
        if body.error.is_some() {
            return body.any(Dtype::INT64);
        }
        body.check_index(self, index.id, location);
        index.id
    }
}

/// A variable of each element.
#[derive(Clone)]
pub struct Local {
    pub(super) view: KernelMemory,
}

impl Local {
    /// Its value.
    #[track_caller]
    pub fn get(&self) -> KernelValue {
        let mut body = self.view.body.borrow_mut();
        let memory = body.memory_of(&self.view, Location::caller());
        let id = body.builder.get(memory);
        let scope = body.scope();
        drop(body);
        KernelValue { body: self.view.body.clone(), dtype: self.view.dtype, id, scope }
    }

    /// Sets it.
    #[track_caller]
    pub fn set(&self, value: impl KernelOperand) {
        let value = self.view.operand("set", value, Location::caller());
        let mut body = self.view.body.borrow_mut();
        let memory = body.memory_of(&self.view, Location::caller());
        body.builder.set(memory, value);
    }
}
