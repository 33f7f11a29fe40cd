//! Words, numbers, texts and signs of a line of Python.

use crate::Fault;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Name(String),
    Int(i64),
    Float(f64),
    Imaginary(f64),
    Text(String),
    /// What a framework's documentation writes for a default that has no form: `<no value>`.
    NoValue,
    Sign(&'static str),
    End,
}

/// A token and the bytes before it.
pub(crate) type Placed = (Token, usize);

/// Longer ones first.
const SIGNS: [&str; 26] = [
    "**", "//", "==", "!=", "<=", ">=", "(", ")", "[", "]", ",", ".", "+", "-", "*", "/", "%", "<", ">", "=",
    "~", ":", "@", "{", "}", "|",
];

pub(crate) fn lex(text: &str) -> Result<Vec<Placed>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c.is_alphabetic() || c == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (Token::Name(rest[..length].into()), length)
        } else if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit()) {
            number(rest).map_err(|rule| Fault::new(at, rule))?
        } else if c == '\'' || c == '"' {
            quoted(rest, c).ok_or_else(|| Fault::new(at, "the text has no end"))?
        } else if rest.starts_with("...") {
            (Token::NoValue, 3)
        } else if let Some(length) = no_value(rest) {
            (Token::NoValue, length)
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| Fault::new(at, format!("`{c}` has no meaning here")))?;
            (Token::Sign(sign), sign.len())
        };
        tokens.push((token, at));
        at += length;
    }
    tokens.push((Token::End, text.len()));
    Ok(tokens)
}

/// `<no value>` and the like: words in angles.
fn no_value(rest: &str) -> Option<usize> {
    let end = rest.strip_prefix('<')?.find('>')?;
    let inner = &rest[1..=end];
    let words =
        inner.chars().all(|c| c.is_alphabetic() || c == ' ') && inner.starts_with(char::is_alphabetic);
    words.then_some(end + 2)
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    let mut length = 0;
    let bytes = rest.as_bytes();
    let mut real = false;
    while let Some(&b) = bytes.get(length) {
        let sign_of_exponent = (b == b'-' || b == b'+') && matches!(bytes[length - 1], b'e' | b'E');
        match b {
            b'0'..=b'9' | b'_' => {}
            b'.' | b'e' | b'E' => real = true,
            _ if sign_of_exponent => {}
            _ => break,
        }
        length += 1;
    }
    let digits = rest[..length].replace('_', "");
    let float = || digits.parse::<f64>().map_err(|_| format!("`{digits}` is no number"));
    if bytes.get(length) == Some(&b'j') {
        return Ok((Token::Imaginary(float()?), length + 1));
    }
    if real {
        return Ok((Token::Float(float()?), length));
    }
    let whole = digits.parse().map_err(|_| format!("`{digits}` is beyond 64 bits"))?;
    Ok((Token::Int(whole), length))
}

fn quoted(rest: &str, quote: char) -> Option<(Token, usize)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => text.push(chars.next()?.1),
            c if c == quote => return Some((Token::Text(text), i + 1)),
            c => text.push(c),
        }
    }
    None
}
