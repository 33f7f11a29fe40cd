//! The variables of the outside that a piece of code changes, and what recorded code must not do.

use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Error, Expr, Ident, Local, Pat, Stmt};

/// True for `+=` and the like.
pub fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// The variable of which an expression is, or is a part of.
pub fn root(place: &Expr) -> Option<&Ident> {
    match place {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Paren(inner) => root(&inner.expr),
        _ => None,
    }
}

/// Walks through code in order, and knows which names are its own.
#[derive(Default)]
struct Finder {
    own: Vec<HashSet<Ident>>,
    found: Vec<Ident>,
    /// How many loops of the code's own are around, and closures.
    loops: usize,
    closures: usize,
    errors: Vec<Error>,
}

impl Finder {
    fn change(&mut self, place: &Expr) {
        match place {
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|place| self.change(place)),
            place => {
                let Some(name) = root(place) else { return };
                let own = self.own.iter().any(|scope| scope.contains(name));
                if !own && !self.found.contains(name) {
                    self.found.push(name.clone());
                }
            }
        }
    }

    fn declare(&mut self, pattern: &mut Pat) {
        struct Names<'a>(&'a mut HashSet<Ident>);
        impl VisitMut for Names<'_> {
            fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
                self.0.insert(pattern.ident.clone());
                visit_mut::visit_pat_ident_mut(self, pattern);
            }
        }
        if let Some(scope) = self.own.last_mut() {
            Names(scope).visit_pat_mut(pattern);
        }
    }

    fn refuse(&mut self, place: &Expr, what: &str) {
        let message = format!(
            "recorded code has no `{what}`: mark what it leaves with `#[host]`, or write it otherwise"
        );
        self.errors.push(Error::new_spanned(place, message));
    }

    fn within(&mut self, walk: impl FnOnce(&mut Finder)) {
        self.own.push(HashSet::new());
        walk(self);
        self.own.pop();
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Finder)) {
        self.loops += 1;
        self.within(walk);
        self.loops -= 1;
    }
}

impl VisitMut for Finder {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.within(|finder| visit_mut::visit_block_mut(finder, block));
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        self.declare(&mut local.pat);
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.within(|finder| {
            finder.declare(&mut arm.pat);
            visit_mut::visit_arm_mut(finder, arm);
        });
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Assign(assign) => {
                self.visit_expr_mut(&mut assign.right);
                self.change(&assign.left);
                return;
            }
            Expr::Binary(binary) if is_compound(&binary.op) => self.change(&binary.left),
            Expr::Reference(reference) if reference.mutability.is_some() => self.change(&reference.expr),
            Expr::Return(_) if self.closures == 0 => self.refuse(expr, "return"),
            Expr::Break(jump) if self.loops == 0 && jump.label.is_none() => self.refuse(expr, "break"),
            Expr::Continue(jump) if self.loops == 0 && jump.label.is_none() => self.refuse(expr, "continue"),
            Expr::Closure(closure) => {
                self.closures += 1;
                self.within(|finder| {
                    closure.inputs.iter_mut().for_each(|input| finder.declare(input));
                    finder.visit_expr_mut(&mut closure.body);
                });
                self.closures -= 1;
                return;
            }
            Expr::ForLoop(turns) => {
                self.visit_expr_mut(&mut turns.expr);
                self.in_loop(|finder| {
                    finder.declare(&mut turns.pat);
                    finder.visit_block_mut(&mut turns.body);
                });
                return;
            }
            Expr::Let(condition) => self.declare(&mut condition.pat),
            Expr::Loop(_) | Expr::While(_) => {
                self.in_loop(|finder| visit_mut::visit_expr_mut(finder, expr));
                return;
            }
            _ => (),
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// The variables that blocks change and do not declare, in the order in which they are found; errors for ways out of them.
pub fn changed(blocks: &[&Block]) -> Result<Vec<Ident>, Error> {
    let mut finder = Finder::default();
    for block in blocks {
        finder.visit_block_mut(&mut (*block).clone());
    }
    match finder.errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    }) {
        Some(error) => Err(error),
        None => Ok(finder.found),
    }
}

/// True for a block that ends with a value.
pub fn has_value(block: &Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(expr, None)) => match expr {
            Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::Assign(_) => false,
            Expr::Binary(binary) => !is_compound(&binary.op),
            Expr::If(branch) => branch.else_branch.is_some() && has_value(&branch.then_branch),
            Expr::Block(block) => has_value(&block.block),
            _ => true,
        },
        _ => false,
    }
}
