//! Texts with places for values, and values by the conversions of C's `printf`.

use crate::ir::Type;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// What is said as it stands.
    Text(String),
    /// The next value: empty for the shortest text that gives it back, or flags, width, precision and conversion.
    Place(String),
}

/// The parts of a text. `{}` and `{:.3f}` are places, `{{` and `}}` are braces.
///
/// ```
/// use ivy_backend_jit::program::{Piece, pieces};
/// let place = |spec: &str| Piece::Place(spec.to_owned());
/// assert_eq!(pieces("{} = {:.3f}"), [place(""), Piece::Text(" = ".to_owned()), place(".3f")]);
/// ```
pub fn pieces(text: &str) -> Vec<Piece> {
    let (mut found, mut said) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        said.push_str(&rest[..at]);
        let tail = &rest[at..];
        let place = tail.strip_prefix('{').and_then(|inner| {
            let (spec, after) = inner.split_once('}')?;
            let spec = if spec.is_empty() { spec } else { spec.strip_prefix(':')? };
            Some((spec, after))
        });
        if let Some(after) = tail.strip_prefix("{{").or_else(|| tail.strip_prefix("}}")) {
            said.push_str(&tail[..1]);
            rest = after;
        } else if let Some((spec, after)) = place {
            if !said.is_empty() {
                found.push(Piece::Text(std::mem::take(&mut said)));
            }
            found.push(Piece::Place(spec.to_owned()));
            rest = after;
        } else {
            said.push_str(&tail[..1]);
            rest = &tail[1..];
        }
    }
    said.push_str(rest);
    if !said.is_empty() {
        found.push(Piece::Text(said));
    }
    found
}

/// A text in which no brace is a place.
pub fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// How a value is written.
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// The letter; of none, `f` for reals where there is a precision.
    letter: Option<char>,
}

impl Conversion {
    /// `None` for what is no conversion.
    fn parse(spec: &str) -> Option<Conversion> {
        let mut rest = spec;
        let mut own = Conversion {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zeros: false,
            width: 0,
            precision: None,
            letter: None,
        };
        while let Some(flag) = rest.chars().next().filter(|c| "-+ #0<>".contains(*c)) {
            match flag {
                '-' | '<' => own.left = true,
                '+' => own.plus = true,
                ' ' => own.space = true,
                '#' => own.alternate = true,
                '0' => own.zeros = true,
                _ => {}
            }
            rest = &rest[1..];
        }
        let number = |rest: &mut &str| {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let digits = &rest[..end];
            *rest = &rest[end..];
            digits.parse::<usize>().ok()
        };
        const MOST: usize = 400;
        own.width = number(&mut rest).unwrap_or(0).min(MOST);
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            own.precision = Some(number(&mut rest).unwrap_or(0).min(MOST));
        }
        let mut letters = rest.chars();
        own.letter = letters.next();
        let known = own.letter.is_none_or(|letter| "diuxXofFeEgG".contains(letter));
        (known && letters.next().is_none()).then_some(own)
    }

    /// A text of digits with its sign, filled to the width.
    fn filled(&self, negative: bool, digits: &str, is_number: bool) -> String {
        let sign = match negative {
            true => "-",
            false if self.plus => "+",
            false if self.space => " ",
            false => "",
        };
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        match (self.left, self.zeros && is_number) {
            (true, _) => format!("{sign}{digits}{}", " ".repeat(missing)),
            (false, true) => format!("{sign}{}{digits}", "0".repeat(missing)),
            (false, false) => format!("{}{sign}{digits}", " ".repeat(missing)),
        }
    }

    fn real(&self, x: f64) -> String {
        let letter = self.letter.unwrap_or('f');
        let upper = letter.is_ascii_uppercase();
        let x_abs = x.abs();
        let digits = if x.is_nan() {
            "nan".to_owned()
        } else if x.is_infinite() {
            "inf".to_owned()
        } else {
            let precision = self.precision.unwrap_or(6);
            match letter.to_ascii_lowercase() {
                'e' => exponential(x_abs, precision),
                'g' => self.general(x_abs, precision.max(1)),
                _ => format!("{x_abs:.precision$}"),
            }
        };
        let digits = if upper { digits.to_uppercase() } else { digits };
        self.filled(x.is_sign_negative() && !x.is_nan(), &digits, x.is_finite())
    }

    /// The shorter of both forms: exponential below 1e-4 and from as many digits on as there are.
    fn general(&self, x: f64, digits: usize) -> String {
        let form = exponential(x, digits - 1);
        let exponent: i64 = form.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
        let fixed = exponent >= -4 && exponent < digits as i64;
        let form = match fixed {
            true => format!("{x:.*}", (digits as i64 - 1 - exponent).max(0) as usize),
            false => form,
        };
        if self.alternate || !form.contains('.') {
            return form;
        }
        let (number, exponent) = form.split_once('e').map_or((&form[..], None), |(n, e)| (n, Some(e)));
        let number = number.trim_end_matches('0').trim_end_matches('.');
        exponent.map_or_else(|| number.to_owned(), |exponent| format!("{number}e{exponent}"))
    }

    fn whole(&self, x: i128, bits: u32) -> String {
        let code = (x as u128) & (u128::MAX >> (128 - bits));
        let (digits, prefix) = match self.letter {
            Some('x') => (format!("{code:x}"), "0x"),
            Some('X') => (format!("{code:X}"), "0X"),
            Some('o') => (format!("{code:o}"), "0"),
            Some('u') => (code.to_string(), ""),
            _ => return self.filled(x < 0, &self.at_least(x.unsigned_abs().to_string()), true),
        };
        let prefix = if self.alternate && code != 0 { prefix } else { "" };
        Conversion { plus: false, space: false, ..*self }.filled(
            false,
            &format!("{prefix}{}", self.at_least(digits)),
            true,
        )
    }

    /// Digits with zeros before them, as many as the precision asks for.
    fn at_least(&self, digits: String) -> String {
        let missing = self.precision.unwrap_or(0).saturating_sub(digits.len());
        format!("{}{digits}", "0".repeat(missing))
    }
}

/// A digit, a fraction, and an exponent of at least two digits with its sign.
fn exponential(x: f64, precision: usize) -> String {
    let form = format!("{x:.precision$e}");
    let (number, exponent) = form.split_once('e').unwrap_or((&form, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{number}e{sign}{digits:0>2}")
}

/// A value of a record as a place says.
pub fn shown(ty: Type, word: i64, spec: &str) -> String {
    let real = f64::from_bits(word as u64);
    let is_real = matches!(ty, Type::F32 | Type::F64);
    let conversion = if spec.is_empty() { None } else { Conversion::parse(spec) };
    match (conversion, ty) {
        (Some(own), _) if is_real || own.letter.is_some_and(|letter| "fFeEgG".contains(letter)) => {
            own.real(if is_real { real } else { whole(ty, word) as f64 })
        }
        (Some(own), _) => own.whole(whole(ty, word), ty.bits()),
        (None, Type::Bool) => (word != 0).to_string(),
        (None, Type::F32) => (real as f32).to_string(),
        (None, Type::F64) => real.to_string(),
        (None, _) => whole(ty, word).to_string(),
    }
}

/// An integer of a record.
fn whole(ty: Type, word: i64) -> i128 {
    match ty {
        Type::U64 => i128::from(word as u64),
        Type::Bool => i128::from(word != 0),
        _ => i128::from(word),
    }
}
