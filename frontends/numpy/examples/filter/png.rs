//! Pictures of three colours with 8 bits each, in the file format PNG (RFC 2083), without interlacing.

use super::inflate::inflate;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture: rows of pixels, three bytes each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Rows.
    pub height: usize,
    /// Pixels of a row.
    pub width: usize,
    /// `3 * width * height` bytes.
    pub pixels: Vec<u8>,
}

fn number(bytes: &[u8]) -> Option<usize> {
    usize::try_from(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?)).ok()
}

/// The picture of a file.
///
/// # Errors
/// What is wrong with the file, or that it is one of another kind of pixels.
pub fn read(file: &[u8]) -> Result<Picture, &'static str> {
    let mut rest = file.strip_prefix(SIGNATURE).ok_or("the file is no PNG")?;
    let (mut form, mut stream) = (None, Vec::new());
    while let Some(length) = number(rest) {
        let body = rest.get(8..).and_then(|body| body.get(..length)).ok_or("a chunk is cut short")?;
        match &rest[4..8] {
            b"IHDR" if body.get(8..) == Some(&[8, 2, 0, 0, 0]) => form = number(&body[4..]).zip(number(body)),
            b"IHDR" => return Err("pixels of three colours with 8 bits are needed, not interlaced"),
            b"IDAT" => stream.extend_from_slice(body),
            _ => {}
        }
        rest = rest.get(12 + length..).ok_or("a chunk has no check sum")?;
    }
    let (height, width) = form.ok_or("the file has no header")?;
    let stride = width.checked_mul(3).filter(|&stride| stride > 0).ok_or("the rows are too long")?;
    // Two bytes of a zlib stream's header, which say nothing that is needed.
    let lines = inflate(stream.get(2..).ok_or("the file has no pixels")?)?;
    if height.checked_mul(stride + 1) != Some(lines.len()) {
        return Err("the number of bytes is not that of the pixels");
    }
    let mut pixels: Vec<u8> = Vec::with_capacity(lines.len());
    let mut above = vec![0; stride];
    for line in lines.chunks_exact(stride + 1) {
        let mut row = line[1..].to_vec();
        restore(line[0], &mut row, &above)?;
        pixels.extend_from_slice(&row);
        above = row;
    }
    Ok(Picture { height, width, pixels })
}

/// The bytes of a row from their differences: the five filters.
fn restore(filter: u8, row: &mut [u8], above: &[u8]) -> Result<(), &'static str> {
    for i in 0..row.len() {
        let (left, corner) = if i < 3 { (0, 0) } else { (row[i - 3], above[i - 3]) };
        let up = above[i];
        let guess = match filter {
            0 => 0,
            1 => left,
            2 => up,
            3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
            4 => nearest(left, up, corner),
            _ => return Err("there is no such filter of rows"),
        };
        row[i] = row[i].wrapping_add(guess);
    }
    Ok(())
}

/// Paeth's choice: of three neighbours the one that is nearest to `left + up - corner`.
fn nearest(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let apart = |byte: u8| (guess - i16::from(byte)).abs();
    let first = if apart(left) <= apart(up) { left } else { up };
    if apart(first) <= apart(corner) { first } else { corner }
}

/// The file of a picture; its bytes are not compressed.
pub fn write(picture: &Picture) -> Vec<u8> {
    let length = |n: usize| (n as u32).to_be_bytes();
    let mut header = [length(picture.width), length(picture.height)].concat();
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    let rows = picture.pixels.chunks(3 * picture.width);
    let lines: Vec<u8> = rows.flat_map(|row| std::iter::once(&0).chain(row)).copied().collect();
    let mut stream = vec![0x78, 0x01];
    let mut blocks = lines.chunks(usize::from(u16::MAX)).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend_from_slice(&length.to_le_bytes());
        stream.extend_from_slice(&(!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend_from_slice(&adler32(&lines).to_be_bytes());
    let mut file = SIGNATURE.to_vec();
    for (kind, body) in [(b"IHDR", &header), (b"IDAT", &stream), (b"IEND", &Vec::new())] {
        let named = [&kind[..], body].concat();
        file.extend_from_slice(&length(body.len()));
        file.extend_from_slice(&named);
        file.extend_from_slice(&crc32(&named).to_be_bytes());
    }
    file
}

fn adler32(bytes: &[u8]) -> u32 {
    let add = |(a, b): (u32, u32), &byte: &u8| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    };
    let (a, b) = bytes.iter().fold((1, 0), add);
    b << 16 | a
}

/// The check sum of PNG's chunks.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xEDB8_8320 };
    !bytes.iter().fold(!0u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}
