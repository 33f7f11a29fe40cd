//! Expressions from text: Python's grammar and precedence, of which only what [`Expr`] has.

use crate::expr::{ArithmeticOp, Builtin, Call, Callee, CompareOp, Expr, Named};
use crate::lexer::{Placed, Token, lex};
use crate::{Fault, Signature};

/// What a bare name may be.
#[derive(Clone, Copy)]
enum Names<'a> {
    /// A parameter of a signature.
    Of(&'a Signature),
    /// Any word: a default.
    Words,
}

/// The body of a row, whose names are those of its signature.
///
/// # Errors
/// What is no expression, a name that the signature does not have, a function of the machine that is called with
/// another number of arguments.
pub fn parse_expr(text: &str, signature: &Signature) -> Result<Expr, Fault> {
    let tokens = lex(text)?;
    let mut parser = Parser { tokens: &tokens, next: 0, names: Names::Of(signature) };
    let expr = parser.expression()?;
    parser.end()?;
    Ok(expr)
}

/// A default at the start of tokens, and how many tokens it took.
pub(crate) fn parse_default(tokens: &[Placed]) -> Result<(Expr, usize), Fault> {
    let mut parser = Parser { tokens, next: 0, names: Names::Words };
    let expr = parser.sum()?;
    Ok((expr, parser.next))
}

struct Parser<'a> {
    tokens: &'a [Placed],
    next: usize,
    names: Names<'a>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> usize {
        self.tokens[self.next].1
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(n) if n == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.next += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take_sign(sign) {
            return Ok(());
        }
        Err(Fault::new(self.at(), format!("`{sign}` is missing")))
    }

    fn end(&self) -> Result<(), Fault> {
        match self.peek() {
            Token::End => Ok(()),
            _ => Err(Fault::new(self.at(), "the expression should end here")),
        }
    }

    fn expression(&mut self) -> Result<Expr, Fault> {
        let then = self.disjunction()?;
        if !self.take_word("if") {
            return Ok(then);
        }
        let condition = Box::new(self.disjunction()?);
        if !self.take_word("else") {
            return Err(Fault::new(self.at(), "`if` needs an `else`"));
        }
        let otherwise = Box::new(self.expression()?);
        Ok(Expr::If { condition, then: Box::new(then), otherwise })
    }

    fn disjunction(&mut self) -> Result<Expr, Fault> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            left = Expr::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expr, Fault> {
        let mut left = self.inversion()?;
        while self.take_word("and") {
            left = Expr::And(Box::new(left), Box::new(self.inversion()?));
        }
        Ok(left)
    }

    fn inversion(&mut self) -> Result<Expr, Fault> {
        if self.take_word("not") {
            return Ok(Expr::Not(Box::new(self.inversion()?)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expr, Fault> {
        let left = self.sum()?;
        if self.take_word("is") {
            let positive = !self.take_word("not");
            if !self.take_word("None") {
                return Err(Fault::new(self.at(), "`is` compares with None only"));
            }
            return Ok(Expr::IsNone(Box::new(left), positive));
        }
        if self.take_word("in") {
            return Ok(Expr::In(Box::new(left), Box::new(self.sum()?), true));
        }
        if self.is_word("not") {
            self.next += 1;
            if !self.take_word("in") {
                return Err(Fault::new(self.at(), "`in` is missing after `not`"));
            }
            return Ok(Expr::In(Box::new(left), Box::new(self.sum()?), false));
        }
        const OPS: [(&str, CompareOp); 6] = [
            ("==", CompareOp::Equal),
            ("!=", CompareOp::NotEqual),
            ("<=", CompareOp::LessEqual),
            (">=", CompareOp::GreaterEqual),
            ("<", CompareOp::Less),
            (">", CompareOp::Greater),
        ];
        for (sign, op) in OPS {
            if self.take_sign(sign) {
                return Ok(Expr::Compare(op, Box::new(left), Box::new(self.sum()?)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expr, Fault> {
        let mut left = self.product()?;
        loop {
            let op = match () {
                () if self.take_sign("+") => ArithmeticOp::Add,
                () if self.take_sign("-") => ArithmeticOp::Subtract,
                () => return Ok(left),
            };
            left = Expr::Arithmetic(op, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expr, Fault> {
        let mut left = self.negation()?;
        loop {
            let op = match () {
                () if self.take_sign("//") => ArithmeticOp::FloorDivide,
                () if self.take_sign("*") => ArithmeticOp::Multiply,
                () if self.take_sign("/") => ArithmeticOp::Divide,
                () if self.take_sign("%") => ArithmeticOp::Remainder,
                () => return Ok(left),
            };
            left = Expr::Arithmetic(op, Box::new(left), Box::new(self.negation()?));
        }
    }

    fn negation(&mut self) -> Result<Expr, Fault> {
        if self.take_sign("-") {
            return Ok(match self.negation()? {
                Expr::Int(i) => Expr::Int(-i),
                Expr::Float(x) => Expr::Float(-x),
                other => Expr::Negate(Box::new(other)),
            });
        }
        self.power()
    }

    fn power(&mut self) -> Result<Expr, Fault> {
        let base = self.item()?;
        if self.take_sign("**") {
            let exponent = self.negation()?;
            return Ok(Expr::Arithmetic(ArithmeticOp::Power, Box::new(base), Box::new(exponent)));
        }
        Ok(base)
    }

    fn item(&mut self) -> Result<Expr, Fault> {
        let mut value = self.atom()?;
        while self.take_sign("[") {
            let index = self.expression()?;
            self.expect("]")?;
            value = Expr::Item(Box::new(value), Box::new(index));
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Expr, Fault> {
        let at = self.at();
        let token = self.peek().clone();
        self.next += 1;
        match token {
            Token::Int(i) => Ok(Expr::Int(i)),
            Token::Float(x) => Ok(Expr::Float(x)),
            Token::Imaginary(x) => Ok(Expr::Imaginary(x)),
            Token::Text(text) => Ok(Expr::Text(text)),
            Token::NoValue if matches!(self.names, Names::Words) => Ok(Expr::None),
            Token::Name(name) => self.name(name, at),
            Token::Sign("(") => {
                let (items, comma) = self.entries(")")?;
                match (items.len(), comma) {
                    (1, false) => Ok(items.into_iter().next().expect("there is one")),
                    _ => Ok(Expr::Tuple(items)),
                }
            }
            Token::Sign("[") => Ok(Expr::List(self.entries("]")?.0)),
            _ => {
                self.next -= 1;
                Err(Fault::new(at, "a value is missing here"))
            }
        }
    }

    /// Entries up to a closing sign, and whether a comma stands after the last one or between them.
    fn entries(&mut self, close: &str) -> Result<(Vec<Expr>, bool), Fault> {
        let (mut items, mut comma) = (Vec::new(), false);
        while !self.take_sign(close) {
            items.push(self.entry()?);
            if !self.take_sign(",") {
                self.expect(close)?;
                break;
            }
            comma = true;
        }
        Ok((items, comma))
    }

    fn entry(&mut self) -> Result<Expr, Fault> {
        if self.take_sign("*") {
            return Ok(Expr::Spread(Box::new(self.sum()?)));
        }
        self.expression()
    }

    fn name(&mut self, name: String, at: usize) -> Result<Expr, Fault> {
        match name.as_str() {
            "None" => return Ok(Expr::None),
            "True" => return Ok(Expr::Bool(true)),
            "False" => return Ok(Expr::Bool(false)),
            "if" | "else" | "and" | "or" | "not" | "in" | "is" => {
                return Err(Fault::new(at, format!("a value is missing before `{name}`")));
            }
            _ => {}
        }
        let mut path = name;
        while self.take_sign(".") {
            let Token::Name(part) = self.peek().clone() else {
                return Err(Fault::new(self.at(), "a name is missing after the point"));
            };
            self.next += 1;
            path = format!("{path}.{part}");
        }
        let Names::Of(signature) = self.names else { return Ok(Expr::Word(path)) };
        if self.take_sign("(") {
            return self.call(path, at);
        }
        if let Some(place) = signature.parameters.iter().position(|p| p.name == path) {
            return Ok(Expr::Parameter(place));
        }
        match path.as_str() {
            "inf" => Ok(Expr::Float(f64::INFINITY)),
            "nan" => Ok(Expr::Float(f64::NAN)),
            "pi" => Ok(Expr::Float(std::f64::consts::PI)),
            _ => Err(Fault::new(at, format!("the signature has no argument `{path}`"))),
        }
    }

    fn call(&mut self, path: String, at: usize) -> Result<Expr, Fault> {
        let (mut positional, mut named): (Vec<Expr>, Vec<Named>) = (Vec::new(), Vec::new());
        while !self.take_sign(")") {
            let start = self.at();
            let is_named = matches!(
                (self.peek(), self.tokens.get(self.next + 1)),
                (Token::Name(_), Some((Token::Sign("="), _)))
            );
            if let (true, Token::Name(name)) = (is_named, self.peek().clone()) {
                if named.iter().any(|n| n.name == name) {
                    return Err(Fault::new(start, format!("`{name}` is given twice")));
                }
                self.next += 2;
                named.push(Named { name, value: self.expression()?, at: start });
            } else if named.is_empty() {
                positional.push(self.entry()?);
            } else {
                return Err(Fault::new(start, "arguments by position come before those by name"));
            }
            if !self.take_sign(",") {
                self.expect(")")?;
                break;
            }
        }
        let callee = callee(&path, &positional, &named, at)?;
        Ok(Expr::Call(Box::new(Call { callee, positional, named, at })))
    }
}

/// What a name stands for: functions of the machine first, then the other rows and the crate's code by their
/// prefixes, else the core's functions.
fn callee(path: &str, positional: &[Expr], named: &[Named], at: usize) -> Result<Callee, Fault> {
    if let Some(row) = path.strip_prefix("fn.") {
        return Ok(Callee::Row(row.into()));
    }
    if let Some(special) = path.strip_prefix("special.") {
        return Ok(Callee::Special(special.into()));
    }
    let Some((builtin, least, most)) = Builtin::find(path) else {
        return Ok(Callee::Core(path.into()));
    };
    // The product along axes is the core's.
    if builtin == Builtin::Prod && !named.is_empty() {
        return Ok(Callee::Core(path.into()));
    }
    if let Some(first) = named.first() {
        return Err(Fault::new(first.at, format!("{path}() takes no arguments by name")));
    }
    let spread = positional.iter().any(|e| matches!(e, Expr::Spread(_)));
    if !spread && !(least..=most).contains(&positional.len()) {
        let rule = format!("{path}() takes {least} to {most} arguments, {} are given", positional.len());
        return Err(Fault::new(at, rule));
    }
    Ok(Callee::Builtin(builtin))
}
