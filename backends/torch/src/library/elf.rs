//! Whether the file of a shared library is all there.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What is wrong with a library's file, by the lengths in its own header (ELF, 64 bits, little endian).
pub(super) fn is_whole(path: &Path) -> Result<(), String> {
    let mut file = File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let mut header = [0u8; 64];
    let read = file.read_exact(&mut header);
    if read.is_err() || header[..6] != *b"\x7fELF\x02\x01" {
        return Err("is not a shared library of this system, or only its beginning".into());
    }
    let number = |at: usize, size: usize| {
        header[at..at + size].iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte))
    };
    // The table of sections: linkers write it last, behind everything that is loaded.
    let (start, size, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let end = start.saturating_add(size * count);
    if length < end {
        return Err(format!("has {length} of at least {end} bytes: it was not written to its end"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_file_is_refused_wherever_it_ends() {
        let whole = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let path = std::env::temp_dir().join(format!("ivy-torch-elf-{}", std::process::id()));
        let told = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            is_whole(&path)
        };
        assert_eq!(told(&whole), Ok(()));
        for (length, part) in [(0, "only its beginning"), (63, "only its beginning"), (64, "not written")] {
            assert!(told(&whole[..length]).unwrap_err().contains(part));
        }
        assert!(told(&whole[..whole.len() / 2]).unwrap_err().contains("not written to its end"));
        assert!(told(&whole[..whole.len() - 1]).is_err());
        assert!(told(&[b'#'; 100]).unwrap_err().contains("not a shared library"));
        std::fs::remove_file(&path).unwrap();
        assert!(is_whole(&path).unwrap_err().contains("cannot be opened"));
    }
}
