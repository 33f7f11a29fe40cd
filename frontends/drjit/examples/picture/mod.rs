//! Pictures as PNG files, without compression: the format's frame around rows of bytes (W3C PNG, RFC 1950 and 1951).

use ivy_drjit::{AnyArray, Error, Result};
use std::io;
use std::path::Path;

/// The sum by which each part of a file is checked: the polynomial of ISO 3309, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

/// The sum by which uncompressed bytes are checked.
fn adler(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65521;
        (low, (high + low) % 65521)
    });
    high << 16 | low
}

fn part(file: &mut Vec<u8>, name: &[u8; 4], bytes: &[u8]) {
    file.extend((bytes.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(bytes);
    let sum = crc(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// The bytes of a file of rows of so many pixels, of red, green and blue.
pub fn png(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let rows = pixels.chunks(width.max(1));
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((rows.len() as u32).to_be_bytes());
    // Eight bits, three colours.
    header.extend([8, 2, 0, 0, 0]);
    // Each row begins with how it is filtered: not at all.
    let bytes: Vec<u8> =
        rows.flat_map(|row| std::iter::once(0).chain(row.iter().copied().flatten())).collect();
    let mut stream = vec![0x78, 0x01];
    let blocks = bytes.chunks(0xffff);
    let count = blocks.len();
    for (number, block) in (1..).zip(blocks) {
        let len = block.len() as u16;
        stream.push(u8::from(number == count));
        stream.extend(len.to_le_bytes());
        stream.extend((!len).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler(&bytes).to_be_bytes());
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    part(&mut file, b"IHDR", &header);
    part(&mut file, b"IDAT", &stream);
    part(&mut file, b"IEND", &[]);
    file
}

/// Colours, an array of three from 0 to 1, as pixels: brighter than they are by the gamma of screens.
///
/// # Errors
/// Those of the evaluation.
pub fn pixels(colours: &AnyArray) -> Result<Vec<[u8; 3]>> {
    let shown = ivy_drjit::power(ivy_drjit::clip(colours, 0.0, 1.0)?, 1.0 / 2.2)?;
    ivy_drjit::eval(&shown)?;
    let channels = shown.entries().iter().map(AnyArray::to_scalars).collect::<Result<Vec<_>>>()?;
    let [red, green, blue] = &channels[..] else {
        return Err(Error::NotSupported { function: "pixels", ty: colours.ty() });
    };
    let byte = |x: &ivy_core::Scalar| (x.to_f64() * 255.0).round() as u8;
    Ok(red.iter().zip(green).zip(blue).map(|((r, g), b)| [byte(r), byte(g), byte(b)]).collect())
}

/// Writes colours into a file, in rows of so many pixels.
///
/// # Errors
/// Those of the evaluation, and of the file.
pub fn write(
    path: &Path,
    width: usize,
    colours: &AnyArray,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    std::fs::write(path, png(width, &pixels(colours)?)).map_err(|error: io::Error| error.into())
}
