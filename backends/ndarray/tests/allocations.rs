//! How often the smallest calls ask the allocator: once, for the elements.

use ivy_backend_ndarray::NdarrayBackend;
use ivy_core::backend::BackendRef;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Op, UnaryOp};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator, with a count on the side.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(address, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn one_operation_allocates_its_result_and_no_more() {
    let ndarray = BackendRef::new(NdarrayBackend);
    let array = |values: Vec<f32>, shape: &[usize]| {
        ndarray.from_host(HostArray::from_vec(values, shape.into()).unwrap()).unwrap()
    };
    for shape in [&[][..], &[1], &[2, 3], &[1, 2, 1, 3]] {
        let size = shape.iter().product();
        let (x, y) = (array(vec![1.0; size], shape), array(vec![2.0; size], shape));
        let ops = [Op::Binary(BinaryOp::Add), Op::Unary(UnaryOp::Negative)];
        for (op, operands) in ops.iter().zip([&[&x, &y][..], &[&x]]) {
            // The first run may set up what later runs share.
            ndarray.execute_one(op, operands).unwrap();
            let before = COUNT.get();
            let result = ndarray.execute_one(op, operands).unwrap();
            assert_eq!(COUNT.get() - before, 1, "{} of {shape:?}", op.name());
            assert_eq!(*result.shape, *shape);
        }
    }
}
