//! Running kernels on a device.

pub mod cpu;
pub mod cuda;
mod elements;
mod held;
mod reading;

pub use elements::Elements;
pub use held::Held;
pub use reading::Reading;

use ivy_core::{ErrorKind, Result};

/// What the checks of a kernel found, as its flag says; whoever has made the kernel knows which index it
/// was. Indices are without more then, and loops that have not ended are a kind of them.
fn fault(flag: [u8; 2]) -> Result<()> {
    let function = match flag {
        [0, 0] => return Ok(()),
        [0, _] => UNFINISHED,
        _ => "launch",
    };
    let (index, axis, length, position) = (0, 0, 0, None);
    Err(ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into())
}

const UNFINISHED: &str = "while_loop (unfinished)";

/// True if loops have gone round as often as they were to, and no index was out of range.
pub(crate) fn is_unfinished(error: &ivy_core::Error) -> bool {
    matches!(error.kind(), ErrorKind::IndexOutOfRange { function: UNFINISHED, .. })
}
