//! Expressions of Python, as far as the tables of answers have them.

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    Int(i128),
    Float(f64),
    Text(String),
    Name(String),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    Attribute(Box<Expr>, String),
    Call(Box<Expr>, Vec<Expr>, Vec<(String, Expr)>),
    Item(Box<Expr>, Vec<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

/// Operators by their binding, the loosest first.
const LEVELS: [&[&str]; 7] = [
    &["==", "!=", "<=", ">=", "<", ">"],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["//", "*", "/", "%", "@"],
];

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

/// The expression of a text.
pub fn parse(text: &str) -> Expr {
    let mut parser = Parser { text, at: 0 };
    let expr = parser.level(0);
    parser.blank();
    assert_eq!(parser.at, text.len(), "`{text}` goes on behind {}", parser.at);
    expr
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.take(token), "`{}`: `{token}` is missing at {}", self.text, self.at);
    }

    fn level(&mut self, level: usize) -> Expr {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1);
        loop {
            self.blank();
            let rest = self.rest();
            // `**` binds closer than all of these, and `<<` is not `<`.
            let longer = |op: &str| {
                op == "*" && rest.starts_with("**")
                    || op == "<" && rest.starts_with("<<")
                    || op == ">" && rest.starts_with(">>")
            };
            let found = operators.iter().find(|op| rest.starts_with(**op) && !longer(op)).copied();
            let Some(op) = found else { return left };
            self.at += op.len();
            left = Expr::Binary(op, Box::new(left), Box::new(self.level(level + 1)));
        }
    }

    fn unary(&mut self) -> Expr {
        for op in ["-", "+", "~"] {
            if self.take(op) {
                return Expr::Unary(op, Box::new(self.unary()));
            }
        }
        let base = self.postfix();
        match self.take("**") {
            true => Expr::Binary("**", Box::new(base), Box::new(self.unary())),
            false => base,
        }
    }

    fn list(&mut self, end: &str) -> Vec<Expr> {
        let mut list = Vec::new();
        while !self.take(end) {
            list.push(self.level(0));
            if !self.take(",") {
                self.expect(end);
                break;
            }
        }
        list
    }

    fn postfix(&mut self) -> Expr {
        let mut expr = self.atom();
        loop {
            if self.take(".") {
                expr = Expr::Attribute(Box::new(expr), self.word());
            } else if self.take("(") {
                let (mut args, mut named) = (Vec::new(), Vec::new());
                while !self.take(")") {
                    let start = self.at;
                    let word = self.word();
                    if !word.is_empty() && !self.rest().starts_with("==") && self.take("=") {
                        named.push((word, self.level(0)));
                    } else {
                        self.at = start;
                        args.push(self.level(0));
                    }
                    if !self.take(",") {
                        self.expect(")");
                        break;
                    }
                }
                expr = Expr::Call(Box::new(expr), args, named);
            } else if self.take("[") {
                expr = Expr::Item(Box::new(expr), self.list("]"));
            } else {
                return expr;
            }
        }
    }

    fn word(&mut self) -> String {
        self.blank();
        let end = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_owned();
        let name = !word.starts_with(|c: char| c.is_ascii_digit());
        self.at += if name { end } else { 0 };
        if name { word } else { String::new() }
    }

    fn atom(&mut self) -> Expr {
        if self.take("(") {
            let start = self.at;
            let mut list = self.list(")");
            let comma = self.text[start..self.at].trim_end_matches(')').trim_end().ends_with(',');
            return match list.len() {
                1 if !comma => list.swap_remove(0),
                _ => Expr::Tuple(list),
            };
        }
        if self.take("[") {
            return Expr::List(self.list("]"));
        }
        if self.take("{") {
            let mut entries = Vec::new();
            while !self.take("}") {
                let key = self.level(0);
                self.expect(":");
                entries.push((key, self.level(0)));
                self.take(",");
            }
            return Expr::Map(entries);
        }
        if self.take("'") {
            let end = self.rest().find('\'').expect("a text ends");
            let text = self.rest()[..end].to_owned();
            self.at += end + 1;
            return Expr::Text(text);
        }
        let word = self.word();
        if !word.is_empty() {
            return Expr::Name(word);
        }
        self.number()
    }

    fn number(&mut self) -> Expr {
        let bytes = self.rest().as_bytes();
        let mut end = 0;
        while end < bytes.len() {
            let c = bytes[end];
            let sign = matches!(c, b'+' | b'-') && matches!(bytes[end.max(1) - 1], b'e') && end > 0;
            if !(c.is_ascii_digit() || c == b'.' || c == b'e' || sign) {
                break;
            }
            end += 1;
        }
        let number = self.rest()[..end].to_owned();
        self.at += end;
        match number.parse::<i128>() {
            Ok(value) => Expr::Int(value),
            Err(_) => {
                Expr::Float(number.parse().unwrap_or_else(|_| panic!("`{}` at {}", self.text, self.at)))
            }
        }
    }
}
