//! A result that goes past the caches goes in whole lines, whatever the length of a row: its vectors begin
//! with the first line of its row. What a row has before that line and after its last vector is written
//! first, so that the loop over vectors has no masks.
//!
//! So does what a program over rows ends with, beside the folds of the rows that follow, whose vectors begin
//! with their row, as their order says.

use super::names::{mask, stored};
use super::text::Text;
use crate::ir::{Access, Code, Id, Kernel};
use std::collections::{BTreeSet, HashMap};

/// Statements of a kernel that is not worth a body for whole vectors and one for the ends of rows.
const LONG: usize = 128;

/// The statements of a body by what they are for, each in order.
pub(super) struct Apart {
    /// For the result that goes past the caches, which has this number.
    result: u32,
    past: Vec<Id>,
    /// For the folds.
    folds: Vec<Id>,
}

impl Apart {
    /// Of a kernel that folds rows; `None` if nothing goes past the caches, or both need the same.
    fn of(kernel: &Kernel) -> Option<Apart> {
        let result = kernel.params.iter().position(|p| p.access == Access::Stream)? as u32;
        let body = kernel.body();
        let ends = |past: bool| {
            let is_end = |id: &Id| {
                let s = kernel.statement(*id);
                matches!(s.code, Code::Store | Code::Check)
                    && (s.code == Code::Store && s.imm == u64::from(result)) == past
            };
            needed(kernel, body.iter().copied().filter(is_end).collect(), None)
        };
        let (past, folds) = (ends(true), ends(false));
        let some = |of: &BTreeSet<Id>| body.iter().copied().filter(|id| of.contains(id)).collect();
        let apart = body.iter().all(|id| !(past.contains(id) && folds.contains(id)));
        apart.then(|| Apart { result, past: some(&past), folds: some(&folds) })
    }

    /// All of a body, for its only result, which goes past the caches; `None` if there is more to it, or too
    /// much to be there twice.
    fn whole(kernel: &Kernel) -> Option<Apart> {
        let result = kernel.params.iter().position(|p| p.access == Access::Stream)? as u32;
        let one = kernel.params.iter().filter(|p| p.access.is_result()).count() == 1;
        let one = one && kernel.len() <= LONG;
        one.then(|| Apart { result, past: kernel.body().to_vec(), folds: Vec::new() })
    }

    /// The statements for the folds.
    pub(super) fn folds(&self) -> &[Id] {
        &self.folds
    }
}

/// These statements, and all that they need beside one that is there.
pub(super) fn needed(kernel: &Kernel, mut stack: Vec<Id>, there: Option<Id>) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    while let Some(id) = stack.pop() {
        if Some(id) != there && found.insert(id) {
            stack.extend(&kernel.statement(id).operands);
            stack.extend(kernel.held(id).into_iter().flat_map(|block| &kernel.blocks[block]));
        }
    }
    found
}

impl Text<'_> {
    /// The kernel's statements by what they are for, if a part of them is for what goes past the caches.
    pub(super) fn apart(&self) -> Option<Apart> {
        Apart::of(self.kernel).filter(|_| self.ends_apart)
    }

    /// Writes what the row at hand has before its first line and after its last whole vector, in two rounds
    /// of the same code; from the label `row` on, to the label that it gives. `%lead` is how many elements
    /// stand before that line.
    pub(super) fn ends(&mut self, apart: &Apart, values: &HashMap<Id, String>) -> &'static str {
        let (p, lanes) = (self.kernel.params[apart.result as usize], self.lanes);
        let row = self.rows[apart.result as usize].clone();
        let begin = self.put(format_args!("mul i64 %begin, {}", p.parts));
        let first = self.put(format_args!("getelementptr {}, ptr {row}, i64 {begin}", stored(p.ty)));
        let address = self.put(format_args!("ptrtoint ptr {first} to i64"));
        let lead = self.lead(&address, p.bytes());
        self.lines(format_args!(
            "  %length = sub i64 %end, %begin\n  %short = icmp ult i64 %length, {lead}\n  \
             %lead = select i1 %short, i64 %length, i64 {lead}\n  %from = add i64 %begin, %lead\n  \
             %after_lead = sub i64 %end, %from\n  %vectors = and i64 %after_lead, {}\n  \
             %to = add i64 %from, %vectors\n  br label %ends\nends:\n  \
             %ends_at = phi i64 [ %begin, %row ], [ %to, %ended ]\n  \
             %ends_stop = phi i64 [ %from, %row ], [ %end, %ended ]\n  \
             %ends_count = sub i64 %ends_stop, %ends_at\n  %ends_none = icmp eq i64 %ends_count, 0\n  \
             br i1 %ends_none, label %ended, label %ends_some\nends_some:\n  \
             %ends_last = sub i64 %ends_stop, 1",
            -(lanes as i64)
        ));
        let valid = self.first_lanes("%ends_count", lanes);
        self.limit = Some(("%ends_last".into(), valid.clone()));
        self.mask = Some(valid);
        self.past("ends_some", "%ends_at", apart, values);
        (self.limit, self.mask) = (None, None);
        self.label("br label %ended", "ended");
        self.lines(format_args!(
            "  %ends_over = icmp eq i64 %ends_stop, %end\n  br i1 %ends_over, label %ends_done, label %ends\n\
             ends_done:"
        ));
        "ends_done"
    }

    /// The text of the loop's body and its last label, as [`Text::body`] gives it: of the result the vector
    /// that begins a line, if the row has all of it, and then the folds of the one at hand. What is kept of
    /// the rows before is read in time: it is written again behind that.
    pub(super) fn past_and_folds(
        &mut self,
        label: &str,
        apart: &Apart,
        values: &HashMap<Id, String>,
    ) -> (String, String) {
        let (before, lanes) = (std::mem::take(&mut self.out), self.lanes);
        self.lines(format_args!(
            "  %past_at = add i64 %i, %lead\n  %past_end = add i64 %past_at, {lanes}\n  \
             %past_fits = icmp ule i64 %past_end, %end"
        ));
        self.label = label.into();
        self.label("br i1 %past_fits, label %past, label %passed", "past");
        self.past("past", "%past_at", apart, values);
        self.label("br label %passed", "passed");
        let past = std::mem::replace(&mut self.out, before);
        let (folds, last) = self.part("passed", &apart.folds, values);
        (past + &folds, last)
    }

    /// Results that have every element, in whole lines; false, and nothing is written, where that is for
    /// other code.
    pub(super) fn elements_in_lines(&mut self) -> bool {
        // These have bodies of other kinds.
        let windows = self.windows();
        let plain = self.ends_apart
            && self.packing.is_none()
            && self.edged().is_some()
            && windows.is_empty()
            && self.leaders(&windows.sure).is_empty();
        let Some(apart) = Apart::whole(self.kernel).filter(|_| plain) else { return false };
        let lanes = self.lanes;
        self.lines(format_args!("  br label %row\nrow:\n  %r = phi i64 [ 0, %entry ], [ %rn, %rowend ]"));
        let values = self.row();
        let before = self.ends(&apart, &values);
        let outer = std::mem::take(&mut self.out);
        self.past("body", "%i", &apart, &values);
        let (body, last) = (std::mem::replace(&mut self.out, outer), self.label.clone());
        self.lines(format_args!(
            "  %lined = icmp ult i64 %from, %to\n  br i1 %lined, label %body, label %rowend\nbody:\n  \
             %i = phi i64 [ %from, %{before} ], [ %in, %{last} ]\n{body}  %in = add i64 %i, {lanes}\n  \
             %more = icmp ult i64 %in, %to\n  br i1 %more, label %body, label %rowend\nrowend:\n  \
             %rn = add i64 %r, 1\n  %again = icmp ult i64 %rn, %rows\n  \
             br i1 %again, label %row, label %done\ndone:\n  ret void\n}}"
        ));
        true
    }

    /// Writes the statements for the result, for the vector that begins with an element.
    fn past(&mut self, label: &str, index: &str, apart: &Apart, values: &HashMap<Id, String>) {
        self.label = label.into();
        self.parts.clear();
        let usual = std::mem::replace(&mut self.index, index.into());
        self.in_lines = true;
        self.block(&apart.past, &mut values.clone());
        (self.index, self.in_lines) = (usual, false);
    }

    /// Writes a vector that begins a line, or, where there is a limit, so many of its elements: what of them
    /// is a whole line goes past the caches, the rest as usual.
    pub(super) fn write_lines(&mut self, n: usize, ty: &str, value: &str, at: &str) {
        let (p, lanes) = (self.kernel.params[n], self.lanes);
        let line = (p.bytes() * lanes).min(64);
        let past = format!("align {line}, !nontemporal !{{i32 1}}");
        if self.limit.is_none() {
            return self.lines(format_args!("  store {ty} {value}, ptr {at}, {past}"));
        }
        let (each, name) = (line / p.ty.bytes(), stored(p.ty));
        let piece = format!("<{each} x {name}>");
        let count = self.put(format_args!("mul i64 %ends_count, {}", p.parts));
        let number = self.next;
        let done = format!("written{number}");
        for (k, first) in (0..lanes * p.parts as usize).step_by(each).enumerate() {
            let [whole, some, last, next] =
                ["whole", "some", "last", "next"].map(|name| format!("{name}{number}_{k}"));
            let part = self
                .put(format_args!("shufflevector {ty} {value}, {ty} poison, {}", mask(first..first + each)));
            let to = self.put(format_args!("getelementptr {name}, ptr {at}, i64 {first}"));
            let left = self.put(format_args!("sub i64 {count}, {first}"));
            let fits = self.put(format_args!("icmp sge i64 {left}, {each}"));
            let ends = self.put(format_args!("icmp sgt i64 {left}, 0"));
            self.label(&format!("br i1 {fits}, label %{whole}, label %{some}"), &some);
            self.label(&format!("br i1 {ends}, label %{last}, label %{done}"), &last);
            let wanted = self.first_lanes(&left, each);
            self.masked_store(p.ty, each, &part, &to, &wanted);
            // The end of the row, in this line or before it.
            self.label(&format!("br label %{done}"), &whole);
            self.lines(format_args!("  store {piece} {part}, ptr {to}, {past}"));
            self.label(&format!("br label %{next}"), &next);
        }
        self.label(&format!("br label %{done}"), &done);
    }
}
