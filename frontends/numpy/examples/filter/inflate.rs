//! Bytes from a stream of the format DEFLATE (RFC 1951).

type Result<T> = std::result::Result<T, &'static str>;

const CUT_SHORT: &str = "the stream is cut short";
const WRONG: &str = "the stream is none of the format";

/// In which order the lengths of the codes of code lengths come.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The stream, from its lowest bits.
struct Bits<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Bits<'_> {
    fn bit(&mut self) -> Result<usize> {
        let byte = *self.bytes.get(self.place / 8).ok_or(CUT_SHORT)?;
        let bit = byte >> (self.place % 8) & 1;
        self.place += 1;
        Ok(bit.into())
    }

    fn number(&mut self, bits: u8) -> Result<usize> {
        (0..bits).try_fold(0, |number, i| Ok(number | self.bit()? << i))
    }

    /// The bytes of a block that is not compressed.
    fn stored(&mut self) -> Result<&[u8]> {
        let start = self.place.div_ceil(8);
        let length = self.bytes.get(start..start + 2).ok_or(CUT_SHORT)?;
        let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
        let end = start + 4 + length;
        self.place = 8 * end;
        self.bytes.get(start + 4..end).ok_or(CUT_SHORT)
    }
}

/// Codes of symbols: how many there are of each length, and the symbols in the order of their codes.
struct Codes {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Codes {
    fn new(lengths: &[usize]) -> Codes {
        let mut counts = [0; 16];
        lengths.iter().for_each(|&length| counts[length] += 1);
        counts[0] = 0;
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[symbol]);
        Codes { counts, symbols }
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Result<usize> {
        // Codes of one length are numbers in a row, the first of which follows from the shorter ones.
        let (mut code, mut first, mut before) = (0, 0, 0);
        for count in &self.counts[1..] {
            code = code << 1 | bits.bit()?;
            if code < first + count {
                return self.symbols.get(before + code - first).copied().ok_or(WRONG);
            }
            before += count;
            first = (first + count) << 1;
        }
        Err(WRONG)
    }
}

/// The codes of a block that has none of its own.
fn fixed() -> (Codes, Codes) {
    let lengths: Vec<usize> = [(144, 8), (112, 9), (24, 7), (8, 8)]
        .into_iter()
        .flat_map(|(count, length)| std::iter::repeat_n(length, count))
        .collect();
    (Codes::new(&lengths), Codes::new(&[5; 30]))
}

/// The codes that a block begins with.
fn own(bits: &mut Bits<'_>) -> Result<(Codes, Codes)> {
    let (literals, distances) = (bits.number(5)? + 257, bits.number(5)? + 1);
    let mut lengths = [0; 19];
    for &place in &ORDER[..bits.number(4)? + 4] {
        lengths[place] = bits.number(3)?;
    }
    let codes = Codes::new(&lengths);
    let mut lengths = Vec::new();
    while lengths.len() < literals + distances {
        let (length, times) = match codes.symbol(bits)? {
            16 => (*lengths.last().ok_or(WRONG)?, 3 + bits.number(2)?),
            17 => (0, 3 + bits.number(3)?),
            18 => (0, 11 + bits.number(7)?),
            length => (length, 1),
        };
        lengths.extend(std::iter::repeat_n(length, times));
    }
    let of_distances = lengths.get(literals..literals + distances).ok_or(WRONG)?;
    Ok((Codes::new(&lengths[..literals]), Codes::new(of_distances)))
}

/// How many bytes a code repeats: where the code begins, and what further bits say.
fn length(code: usize, bits: &mut Bits<'_>) -> Result<usize> {
    match code {
        0..8 => Ok(code + 3),
        8..28 => {
            let more = code / 4 - 1;
            Ok(((4 + code % 4) << more) + 3 + bits.number(more as u8)?)
        }
        28 => Ok(258),
        _ => Err(WRONG),
    }
}

/// How far back they are: where a code begins, and what further bits say.
fn distance(code: usize, bits: &mut Bits<'_>) -> Result<usize> {
    match code {
        0..4 => Ok(code + 1),
        4..30 => {
            let more = code / 2 - 1;
            Ok(((2 + code % 2) << more) + 1 + bits.number(more as u8)?)
        }
        _ => Err(WRONG),
    }
}

/// The bytes of a stream.
///
/// # Errors
/// For what is no stream of the format, or only the beginning of one.
pub fn inflate(stream: &[u8]) -> Result<Vec<u8>> {
    let mut bits = Bits { bytes: stream, place: 0 };
    let mut out = Vec::new();
    loop {
        let last = bits.bit()? == 1;
        let (literals, distances) = match bits.number(2)? {
            0 => {
                out.extend_from_slice(bits.stored()?);
                if last {
                    return Ok(out);
                }
                continue;
            }
            1 => fixed(),
            2 => own(&mut bits)?,
            _ => return Err(WRONG),
        };
        loop {
            match literals.symbol(&mut bits)? {
                byte @ 0..256 => out.push(byte as u8),
                256 => break,
                code => {
                    let length = length(code - 257, &mut bits)?;
                    let code = distances.symbol(&mut bits)?;
                    let start = out.len().checked_sub(distance(code, &mut bits)?).ok_or(WRONG)?;
                    // What is repeated may be what is written here.
                    (start..start + length).for_each(|from| out.push(out[from]));
                }
            }
        }
        if last {
            return Ok(out);
        }
    }
}
