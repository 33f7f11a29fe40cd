//! The tests that a backend of the project runs: every op on every dtype that it takes, against the
//! reference kernels, on edge values, with broadcasting, strided and empty operands, and arrays
//! without axes. [`suite!`] makes test functions of them; what may differ, and how far, is the
//! backend's to say, in [`Bounds`].
//!
//! The operands with edge values and the comparison are here for a backend's other tests, too.

mod casts;
mod compare;
mod contract;
mod elementwise;
mod layout;
mod operands;
mod order;
mod part;
mod reduce;
mod softmax;
mod subject;

pub use casts::*;
pub use compare::{Near, difference};
pub use contract::*;
pub use elementwise::*;
pub use layout::{creation, layout_and_movement};
pub use operands::{FLOATS, MILD, edges, grid, mild};
pub use order::order;
pub use part::{Counted, in_part, least, share};
pub use reduce::*;
pub use softmax::own_softmax;
use subject::bound;
pub use subject::{Bounds, Subject, reference};

/// A test function for each part of the suite. The argument gives the [`Subject`], anew for each.
///
/// ```
/// use ivy_backend_suite::{Bounds, Near, Subject};
/// # fn subject() -> Subject {
/// #     unreachable!()
/// # }
/// mod reference_kernels {
///     ivy_backend_suite::suite!(super::subject());
/// }
/// ```
#[macro_export]
macro_rules! suite {
    ($subject:expr) => {
        $crate::suite!(@ $subject;
            unary_ops binary_ops every_small_float_through_every_unary_op where_chooses
            casts_between_all_dtypes float64_rounds_once integers_round_once
            creation layout_and_movement
            reductions a_sum_of_4096_ones_is_4096 matrix_products reductions_of_broadcast_operands
            order own_softmax
            values_come_back_as_they_went an_index_out_of_range_is_named a_value_of_another_backend_is_refused);
    };
    (@ $subject:expr; $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                $crate::$name(&$subject);
            }
        )*
    };
}
