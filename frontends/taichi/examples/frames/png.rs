//! PNG (RFC 2083), with the pixels as they are: zlib's stored blocks (RFC 1950, 1951).

/// A picture of colours by rows.
pub fn encode(width: usize, colours: &[[u8; 3]]) -> Vec<u8> {
    let mut rows = Vec::new();
    for row in colours.chunks(width.max(1)) {
        // Each row begins with the filter that it went through: none.
        rows.push(0);
        rows.extend(row.as_flattened());
    }
    let height = colours.len() / width.max(1);
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    // 8 bits, of colours; the only compression and filters that there are; rows in order.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &zlib(&rows));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let from = file.len();
    file.extend(name);
    file.extend(data);
    let sum = crc(&file[from..]);
    file.extend(sum.to_be_bytes());
}

fn zlib(data: &[u8]) -> Vec<u8> {
    const MOST: usize = 0xffff;
    let mut out = vec![0x78, 0x01];
    let count = data.len().div_ceil(MOST).max(1);
    for (n, block) in data.chunks(MOST).enumerate() {
        let length = block.len() as u16;
        out.push(u8::from(n + 1 == count));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend(adler(data).to_be_bytes());
    out
}

fn adler(data: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    let (mut a, mut b) = (1, 0);
    for &byte in data {
        a = (a + u32::from(byte)) % MODULUS;
        b = (b + a) % MODULUS;
    }
    b << 16 | a
}

fn crc(data: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |sum: u32, byte: &u8| {
        let bit = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ POLYNOMIAL } else { sum >> 1 };
        (0..8).fold(sum ^ u32::from(*byte), bit)
    };
    !data.iter().fold(u32::MAX, step)
}
