//! Kernels with inputs whose rows stand side by side: a tile of as many rows as lanes is transposed
//! in registers, and used row by row; from memory, unless little is computed.

use super::names::{mask, stored};
use super::text::{FEW, Text};
use crate::ir::Access;

impl Text<'_> {
    /// Tiles, and in a tile rows. The last tile overlaps the one before, in both directions.
    pub(super) fn tiles(&mut self) {
        let lanes = self.lanes;
        let transposed: Vec<usize> = (0..self.kernel.params.len())
            .filter(|&n| self.kernel.params[n].access == Access::Transposed)
            .collect();
        for &n in &transposed {
            let all = self.shaped(stored(self.kernel.params[n].ty), true);
            if !self.stays(&transposed) {
                self.lines(format_args!("  %tile{n} = alloca [{lanes} x {all}], align 64"));
            }
        }
        let down = self.first_row(transposed[0]);
        self.lines(format_args!(
            "  %last = sub i64 %rows, {lanes}\n  br label %rowtile\nrowtile:\n  \
             %at = phi i64 [ 0, %entry ], [ %later, %rowend ]\n  br label %column\ncolumn:\n  \
             %i = phi i64 [ %begin, %rowtile ], [ %next, %columnend ]"
        ));
        self.first_line("%at");
        match transposed.as_slice() {
            [n] if self.stays(&transposed) => self.rows_in_registers(*n),
            _ => self.rows_in_memory(&transposed),
        }
        self.lines(format_args!(
            "  %after = add i64 %i, {lanes}\n  %more = icmp ult i64 %after, %end\n  \
             %head = icmp ult i64 %i, %from\n  %then = select i1 %head, i64 %from, i64 %after\n  \
             %fit = sub i64 %end, {lanes}\n  %short = icmp ult i64 %fit, %then\n  \
             %next = select i1 %short, i64 %fit, i64 %then\n  br i1 %more, label %column, label %rowend\nrowend:"
        ));
        self.lines(format_args!(
            "  %below = add i64 %at, {lanes}\n  %again = icmp ult i64 %below, %rows\n  \
             %top = icmp ult i64 %at, {down}\n  %under = select i1 %top, i64 {down}, i64 %below\n  \
             %over = icmp ult i64 %last, %under\n  %later = select i1 %over, i64 %last, i64 %under\n  \
             br i1 %again, label %rowtile, label %done\ndone:"
        ));
        self.lines(format_args!("  ret void\n}}"));
    }

    /// True if the rows of a tile have a register each, and what is computed has the rest: little.
    fn stays(&self, transposed: &[usize]) -> bool {
        let kernel = self.kernel;
        let narrow = |n: &usize| kernel.params[*n].ty.bytes() <= 4;
        transposed.len() == 1
            && transposed.iter().all(narrow)
            && kernel.blocks.len() == 2
            && kernel.body().len() <= FEW
    }

    /// A tile's rows, one after the other.
    fn rows_in_registers(&mut self, n: usize) {
        let mut label = "column".to_string();
        for (k, vector) in self.turn(n).into_iter().enumerate() {
            self.transposed.insert(n as u32, vector);
            let number = self.put(format_args!("add i64 %at, {k}"));
            let values = self.row_of(&number);
            let (body, last) = self.body(&label, &values);
            self.out.push_str(&body);
            label = last;
        }
        self.transposed.clear();
        self.lines(format_args!("  br label %columnend\ncolumnend:"));
    }

    /// A tile's rows, in a loop.
    fn rows_in_memory(&mut self, transposed: &[usize]) {
        let lanes = self.lanes;
        for &n in transposed {
            let (p, vectors) = (self.kernel.params[n], self.turn(n));
            let (all, align) = (self.shaped(stored(p.ty), true), (p.ty.bytes() * lanes).min(64));
            for (k, vector) in vectors.iter().enumerate() {
                let at = self.put(format_args!("getelementptr {all}, ptr %tile{n}, i64 {k}"));
                self.lines(format_args!("  store {all} {vector}, ptr {at}, align {align}"));
            }
        }
        let before = std::mem::take(&mut self.out);
        let values = self.row();
        let row = std::mem::replace(&mut self.out, before);
        let (body, last) = self.body("body", &values);
        self.lines(format_args!(
            "  br label %body\nbody:\n  %k = phi i64 [ 0, %column ], [ %kn, %{last} ]\n  \
             %r = add i64 %at, %k\n{row}{body}  %kn = add i64 %k, 1\n  \
             %rest = icmp ult i64 %kn, {lanes}\n  br i1 %rest, label %body, label %columnend\ncolumnend:"
        ));
    }

    /// The first row whose tile begins a line of an input that is transposed: the second tile begins there,
    /// and overlaps the first one.
    fn first_row(&mut self, n: usize) -> String {
        let bytes = self.kernel.params[n].bytes();
        let address = self.put(format_args!("ptrtoint ptr %p{n} to i64"));
        self.lead(&address, bytes)
    }

    /// Turns a tile of an input: vectors down its columns become rows.
    fn turn(&mut self, n: usize) -> Vec<String> {
        let (lanes, p) = (self.lanes, self.kernel.params[n]);
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let all = self.shaped(name, true);
        let mut vectors: Vec<String> = Vec::new();
        for c in 0..lanes {
            let column = self.put(format_args!("add i64 %i, {c}"));
            let offset = self.put(format_args!("mul i64 {column}, %d{n}"));
            let offset = self.put(format_args!("add i64 {offset}, %at"));
            let at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 {offset}"));
            vectors.push(self.put(format_args!("load {all}, ptr {at}, align {align}")));
            // The tiles below read what stands beside it, of as many rows again: the next but one is
            // asked for. Its last line: a vector may begin within the first.
            self.ask_for(&at, align * (2 * lanes - 1) + 64, align * lanes, 2);
        }
        // Blocks of half a vector change places, then of a quarter, and so on.
        let mut step = lanes / 2;
        while step > 0 {
            for i in (0..lanes).filter(|i| i & step == 0) {
                let (a, b) = (vectors[i].clone(), vectors[i + step].clone());
                let low = mask((0..lanes).map(|e| if e & step == 0 { e } else { lanes + e - step }));
                let high = mask((0..lanes).map(|e| if e & step == 0 { e + step } else { lanes + e }));
                vectors[i] = self.put(format_args!("shufflevector {all} {a}, {all} {b}, {low}"));
                vectors[i + step] = self.put(format_args!("shufflevector {all} {a}, {all} {b}, {high}"));
            }
            step /= 2;
        }
        vectors
    }
}
