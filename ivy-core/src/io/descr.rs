//! NumPy's type strings.

use crate::Dtype;

/// A dtype as a file holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Descr {
    pub dtype: Dtype,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
}

impl Descr {
    /// The dtype that a type string names; else the rule that refuses it.
    pub fn parse(text: &str) -> Result<Descr, String> {
        let (order, name) = match text.as_bytes() {
            [order @ (b'<' | b'>' | b'|' | b'='), ..] => (*order, &text[1..]),
            _ => (b'=', text),
        };
        if name.starts_with('O') {
            return Err(format!("`{text}` holds pickled Python objects, which are not read"));
        }
        // `?` is the short form of bool.
        let name = if name == "?" { "b1" } else { name };
        let Some(dtype) = Dtype::all().find(|d| d.typestr()[1..] == *name) else {
            return Err(format!("the dtype `{text}` has no counterpart"));
        };
        let big_endian = match order {
            b'>' => true,
            b'<' => false,
            _ => cfg!(target_endian = "big"),
        };
        Ok(Descr { dtype, big_endian: big_endian && dtype.bytes() > 1 })
    }

    /// Turns the file's bytes into this machine's, or this machine's into the file's.
    pub fn swap(self, bytes: &mut [u8]) {
        if self.big_endian == cfg!(target_endian = "big") {
            return;
        }
        // The parts of a complex number are numbers of their own.
        let width = self.dtype.real_part().bytes();
        bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
    }
}
