//! The header of an `.npy` file: a Python dictionary of three entries.

use super::descr::Descr;
use crate::{Dims, Dtype};
use std::ops::Range;

/// What a header says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub descr: Descr,
    /// Whether the first axis runs fastest.
    pub fortran_order: bool,
    pub shape: Dims,
}

/// A rule that a header breaks, and where in its text.
#[derive(Debug)]
pub(super) struct Broken {
    pub at: usize,
    pub rule: String,
}

/// As many axes as NumPy's arrays can have.
const MOST_AXES: usize = 64;

impl Header {
    /// Reads the text of a header.
    pub fn parse(text: &[u8]) -> Result<Header, Broken> {
        let mut parser = Parser { text, at: 0 };
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        parser.expect(b'{', "the header is a dictionary")?;
        while !parser.accept(b'}') {
            let key_at = parser.skip_space();
            let key = parser.string()?;
            parser.expect(b':', "a key and its value are separated by `:`")?;
            let twice = match &text[key] {
                b"descr" => descr.replace(parser.descr()?).is_some(),
                b"fortran_order" => fortran_order.replace(parser.truth()?).is_some(),
                b"shape" => shape.replace(parser.shape()?).is_some(),
                _ => return Err(broken(key_at, "the keys are descr, fortran_order and shape")),
            };
            if twice {
                return Err(broken(key_at, "each key stands once"));
            }
            if !parser.accept(b',') {
                parser.expect(b'}', "entries are separated by `,`")?;
                break;
            }
        }
        let end = parser.skip_space();
        match (descr, fortran_order, shape) {
            _ if end != text.len() => Err(broken(end, "nothing follows the dictionary")),
            (Some(descr), Some(fortran_order), Some(shape)) => Ok(Header { descr, fortran_order, shape }),
            _ => Err(broken(end, "descr, fortran_order and shape are all there")),
        }
    }

    /// The text of a header, with room for the first (or last) length to grow, as NumPy leaves.
    pub fn text(dtype: Dtype, fortran_order: bool, shape: &[usize]) -> String {
        const LONGEST_LENGTH: usize = 21;
        let order = if fortran_order { "True" } else { "False" };
        let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
        let tuple = match lengths.as_slice() {
            [one] => format!("({one},)"),
            many => format!("({})", many.join(", ")),
        };
        let growing = if fortran_order { lengths.last() } else { lengths.first() };
        let room = growing.map_or(0, |length| LONGEST_LENGTH - length.len());
        let descr = dtype.typestr();
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple}, }}{:room$}", "")
    }
}

fn broken(at: usize, rule: impl Into<String>) -> Broken {
    Broken { at, rule: rule.into() }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn skip_space(&mut self) -> usize {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.at
    }

    fn peek(&mut self) -> Option<u8> {
        let at = self.skip_space();
        self.text.get(at).copied()
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, rule: &str) -> Result<(), Broken> {
        if self.accept(byte) { Ok(()) } else { Err(broken(self.at, rule)) }
    }

    /// A string without escapes: where its characters stand.
    fn string(&mut self) -> Result<Range<usize>, Broken> {
        let Some(quote @ (b'\'' | b'"')) = self.peek() else {
            return Err(broken(self.at, "a string in quotes stands here"));
        };
        let start = self.at + 1;
        let len = self.text[start..].iter().position(|&c| c == quote || c == b'\\' || c == b'\n');
        match len.map(|len| start + len).filter(|&end| self.text[end] == quote) {
            Some(end) => {
                self.at = end + 1;
                Ok(start..end)
            }
            None => Err(broken(self.at, "a string ends with its quote and has no escapes")),
        }
    }

    fn descr(&mut self) -> Result<Descr, Broken> {
        if matches!(self.peek(), Some(b'[' | b'(')) {
            return Err(broken(self.at, "structured dtypes have no counterpart"));
        }
        let at = self.at;
        let text = self.string()?;
        let text = std::str::from_utf8(&self.text[text]).unwrap_or("?");
        Descr::parse(text).map_err(|rule| broken(at, rule))
    }

    fn truth(&mut self) -> Result<bool, Broken> {
        let at = self.skip_space();
        for (word, value) in [(b"True".as_slice(), true), (b"False".as_slice(), false)] {
            if self.text[at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(broken(at, "fortran_order is True or False"))
    }

    fn shape(&mut self) -> Result<Dims, Broken> {
        self.expect(b'(', "the shape is a tuple")?;
        let mut shape = Dims::new();
        let mut comma = true;
        while !self.accept(b')') {
            if !comma {
                return Err(broken(self.at, "lengths are separated by `,`"));
            }
            if shape.len() == MOST_AXES {
                return Err(broken(self.at, format!("an array has at most {MOST_AXES} axes")));
            }
            shape.push(self.length()?);
            comma = self.accept(b',');
        }
        if shape.len() == 1 && !comma {
            return Err(broken(self.at, "a tuple of one length has a comma"));
        }
        Ok(shape)
    }

    fn length(&mut self) -> Result<usize, Broken> {
        let at = self.skip_space();
        let digits = self.text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let mut length = 0usize;
        for &digit in &self.text[at..at + digits] {
            let longer = length.checked_mul(10).and_then(|n| n.checked_add(usize::from(digit - b'0')));
            length = longer.ok_or_else(|| broken(at, "a length is too large for this machine"))?;
        }
        if digits == 0 {
            return Err(broken(at, "a length is a whole number"));
        }
        self.at = at + digits;
        // Python 2 wrote its long integers so.
        if self.text.get(self.at) == Some(&b'L') {
            self.at += 1;
        }
        Ok(length)
    }
}
