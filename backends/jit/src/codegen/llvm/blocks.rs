//! Whole blocks of rows that are folded with so little to do that their vectors stand one after the other in
//! the text, each load at a place of its own.

use super::folds::{Total, identity};
use super::names::stored;
use super::text::Text;
use crate::ir::fold::{BLOCK, LANES};
use crate::ir::{Access, Id, Param};
use std::collections::HashMap;

/// The name of the function that folds a last row by itself.
const LAST: &str = "last_row";

/// A row that is walked.
pub(super) struct AtHand {
    /// Where the parameters' rows begin.
    rows: Vec<String>,
    /// What is known for all of it, as one value.
    once: HashMap<Id, String>,
    /// The same in all lanes, where the body needs it.
    pub(super) values: HashMap<Id, String>,
}

impl Text<'_> {
    /// A block of each row at hand, as the text of a label that goes to the tree, and else goes on; the label that
    /// it ends with, and what the rows fold to.
    pub(super) fn straight(&mut self, totals: &[Total], rows: &[AtHand]) -> (String, Vec<String>) {
        self.lines(format_args!("  br i1 %partial, label %some, label %straight\nstraight:"));
        let (mut last, mut folded) = ("straight".to_string(), Vec::new());
        for row in rows {
            self.take(row);
            folded.extend(self.vectors(&mut last, totals, &row.values));
        }
        self.lines(format_args!("  br label %tree\nsome:"));
        (last, folded)
    }

    /// The vectors of the block of a row that begins with element `%j`; what they fold to. The text begins and
    /// ends with labels.
    fn vectors(&mut self, label: &mut String, totals: &[Total], values: &HashMap<Id, String>) -> Vec<String> {
        // Elements are counted from the block's first one on.
        let walked = |p: &Param| matches!(p.access, Access::Ahead | Access::Out | Access::Stream);
        for (n, p) in self.kernel.params.iter().enumerate().filter(|(_, p)| walked(p)) {
            let (name, row, parts) = (stored(p.ty), self.rows[n].clone(), p.parts);
            let first = self.put(format_args!("mul i64 %j, {parts}"));
            let here = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {first}"));
            if self.asks(p) {
                let far = self.put(format_args!("getelementptr {name}, ptr {here}, i64 %c{n}"));
                self.far.insert(n as u32, far);
            }
            self.rows[n] = here;
        }
        let mut folded: Vec<String> = totals.iter().map(|t| identity(t, LANES)).collect();
        for first in (0..BLOCK).step_by(self.lanes) {
            self.index = first.to_string();
            let (body, last) = self.body(label, values);
            self.out.push_str(&body);
            folded = self.joined(totals, &folded, None);
            *label = last;
        }
        self.index = "%i".into();
        self.far.clear();
        folded
    }

    /// The row `%r`; and where rows are folded two at a time, a block of each in turn, the one after it. A
    /// processor that looks ahead in what it reads then does so in two places.
    pub(super) fn rows_at_hand(&mut self) -> Vec<AtHand> {
        let mut numbers = vec!["%r".to_string()];
        if self.twins {
            numbers.push(self.put(format_args!("add i64 %r, 1")));
        }
        let row = |number: &String| {
            let values = self.row_of(number);
            AtHand { rows: self.rows.clone(), once: self.once.clone(), values }
        };
        numbers.iter().map(row).collect()
    }

    /// The function of a kernel whose rows are folded two at a time: it folds the last row of an odd number by
    /// another, which follows it.
    pub(super) fn twin_functions(&mut self, name: &str) {
        self.begin(name, "");
        self.lines(format_args!(
            "  %paired = and i64 %rows, -2\n  %no_pair = icmp eq i64 %paired, 0\n  \
             br i1 %no_pair, label %done, label %pairs\npairs:"
        ));
        self.along("pairs", "0", "%paired");
        self.lines(format_args!(
            "  %is_odd = icmp ne i64 %paired, %rows\n  br i1 %is_odd, label %one_left, label %all_folded\none_left:\n  \
             call void @{LAST}(ptr %arguments, i64 %begin, i64 %end, i64 %rows, i64 %paired)\n  \
             br label %all_folded\nall_folded:\n  ret void\n}}"
        ));
        self.twins = false;
        self.begin(LAST, ", i64 %first");
        self.along("entry", "%first", "%rows");
        self.lines(format_args!("  ret void\n}}"));
    }

    /// Goes on with one of the rows at hand.
    pub(super) fn take(&mut self, row: &AtHand) {
        (self.rows, self.once) = (row.rows.clone(), row.once.clone());
    }
}
