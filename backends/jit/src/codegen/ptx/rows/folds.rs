//! A row's folds: by each warp, and by all of its team.

use super::{Element, Known, PARTIAL, Piece, RowWords, Team, Writer};
use crate::codegen::From;
use crate::codegen::ptx::WARP;
use crate::codegen::ptx::folds::Total;
use crate::codegen::ptx::text::Bank;
use crate::ir::Type;
use crate::ir::fold::BLOCK;
use std::collections::HashMap;

impl<'k> Writer<'k> {
    pub(super) fn piece(&mut self, piece: &'k Piece<'k>) {
        let kernel = piece.kernel;
        (self.text.kernel, self.text.params) = (Some(kernel), &kernel.params);
        self.text.at.clear();
        let mut known = HashMap::new();
        for (i, (from, p)) in piece.from.iter().zip(&kernel.params).enumerate() {
            for part in 0..p.parts as usize {
                let value = match *from {
                    From::Value(value) => match &self.values[value] {
                        Known::Fold(parts) => parts.get(part).cloned(),
                        Known::Elements => None,
                    },
                    From::Outside(input) => self.fixed.get(&(input, part)).cloned(),
                };
                value.map(|value| known.insert((i, part), value));
            }
            if let (From::Outside(input), true) = (*from, p.access.is_uniform()) {
                self.text.at.insert((i, 0), (self.rows[input].clone(), 0));
            }
        }
        let mut row = Element { known, ..Element::default() };
        self.abreast(kernel, kernel.top(), std::slice::from_mut(&mut row));
        let Element { values: top, known, .. } = row;
        let totals = self.text.totals();
        let Some((warp, warps)) = self.warps.clone() else {
            let first = self.first.clone();
            let folded = self.part(piece, &totals, &top, &known, &first);
            let Team::Part { threads, .. } = self.form.team else { return };
            let folded = self.pairs(&totals, folded, threads);
            self.give(piece, &totals, folded);
            return;
        };
        let parts = self.text.word(RowWords::PARTS);
        let each = self.text.open("part", &warp, &parts, &warps);
        let long = (BLOCK as u32 * self.form.abreast).to_string();
        let first = self.text.put(Bank::Word, "mad.lo.u32", &[&each.i.clone(), &long, &self.first.clone()]);
        let folded = self.part(piece, &totals, &top, &known, &first);
        let folded = self.pairs(&totals, folded, WARP);
        if !totals.is_empty() {
            let after = self.text.label("after");
            let leads = self.text.test("setp.ne.u32", &[&self.lane.clone(), "0"]);
            self.text.line(format_args!("@{leads} bra {after};"));
            for (k, (t, value)) in totals.iter().zip(&folded).enumerate() {
                let to = self.partial(&parts, k, &each.i.clone());
                self.text.keep(t.ty, "shared", &to, std::slice::from_ref(value));
            }
            self.text.place(&after);
        }
        self.text.close(each);
        if totals.is_empty() {
            return;
        }
        self.text.line(format_args!("bar.sync 0;"));
        let folded = totals.iter().enumerate().map(|(k, t)| self.parts_of(t, k, &parts)).collect();
        self.parts += totals.len();
        self.give(piece, &totals, folded);
    }

    /// Where a part of a row's fold is, in shared memory.
    fn partial(&mut self, parts: &str, total: usize, part: &str) -> String {
        let before = (self.parts + total).to_string();
        let at = self.text.put(Bank::Word, "mad.lo.u32", &[parts, &before, part]);
        self.text.put(Bank::Word, "mad.lo.u32", &[&at, &PARTIAL.to_string(), &self.shared.clone()])
    }

    /// The parts of a row together, in every thread.
    fn parts_of(&mut self, t: &Total, total: usize, parts: &str) -> String {
        let some = |all: &mut Self, at: &str| {
            let value = all.text.identity(t);
            let after = all.text.label("after");
            let none = all.text.test("setp.ge.u32", &[at, parts]);
            all.text.line(format_args!("@{none} bra {after};"));
            let from = all.partial(parts, total, at);
            let one = all.text.fetch(t.ty, "shared", &format!("[{from}]"));
            all.text.assign(t.bank(), &value, &one);
            all.text.place(&after);
            value
        };
        let pairs = [1, 2, 4, 8, 16];
        let lane = self.lane.clone();
        if !matches!(self.form.team, Team::Block { many: true, .. }) {
            let value = some(self, &lane);
            return self.text.shuffled(std::slice::from_ref(t), &[value], &pairs).remove(0);
        }
        let groups = self.text.put(Bank::Word, "add.u32", &[parts, &(WARP - 1).to_string()]);
        let groups = self.text.put(Bank::Word, "shr.u32", &[&groups, "5"]);
        let all = self.text.identity(t);
        let zero = self.text.copy(Bank::Word, "0");
        let each = self.text.open("parts", &zero, &groups, "1");
        let at = self.text.put(Bank::Word, "mad.lo.u32", &[&each.i.clone(), &WARP.to_string(), &lane]);
        let value = some(self, &at);
        let value = self.text.shuffled(std::slice::from_ref(t), &[value], &pairs).remove(0);
        let value = self.text.shuffle(t.bank(), &value, "idx", "0");
        let mine = self.text.test("setp.eq.u32", &[&lane, &each.i.clone()]);
        let value = self.text.select(t.ty, &mine, &value, &all);
        self.text.assign(t.bank(), &all, &value);
        self.text.close(each);
        self.text.shuffled(std::slice::from_ref(t), &[all], &pairs).remove(0)
    }

    /// The blocks of some threads in pairs, pairs of pairs and so on: in the first of them.
    fn pairs(&mut self, totals: &[Total], folded: Vec<String>, threads: u32) -> Vec<String> {
        let group = self.form.group();
        let distances: Vec<u32> =
            std::iter::successors(Some(group), |d| Some(d * 2)).take_while(|&d| d < threads).collect();
        self.text.shuffled(totals, &folded, &distances)
    }

    /// Makes a row's folds known to its threads, and writes them.
    fn give(&mut self, piece: &Piece<'_>, totals: &[Total], folded: Vec<String>) {
        if totals.is_empty() {
            return;
        }
        let always = self.text.constant(Type::Bool, 1);
        let folded = self.text.whole(totals, folded, &always);
        let leader = self.leader.clone();
        let all: Vec<String> = (totals.iter().zip(&folded))
            .map(|(t, value)| self.text.shuffle(t.bank(), value, "idx", &leader))
            .collect();
        let after = self.text.label("after");
        let writes = self.writes.clone();
        self.text.line(format_args!("@!{writes} bra {after};"));
        for (i, &value) in piece.gives.iter().enumerate() {
            let param = piece.from.len() + i;
            let parts: Vec<String> =
                totals.iter().zip(&all).filter(|(t, _)| t.param == param).map(|(_, v)| v.clone()).collect();
            if let (false, Some(place)) = (parts.is_empty(), self.places[value]) {
                let p = piece.kernel.params[param];
                let base = self.text.address(place);
                let row = self.row.clone();
                let to = self.text.put(Bank::Double, "mad.lo.s64", &[&row, &p.bytes().to_string(), &base]);
                self.text.keep(p.ty, "global", &to, &parts);
                self.values[value] = Known::Fold(parts);
            }
        }
        self.text.place(&after);
    }
}
