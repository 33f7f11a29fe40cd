//! Loops whose results are folds; [`crate::ir::fold`] has the order.

use super::ends::Apart;
use super::names::{alike, literal, mask, scalar, stored};
use super::text::{Text, runs};
use crate::ir::fold::{BLOCK, Join, LANES};
use crate::ir::{Access, Type};
use std::ops::Range;

/// An accumulator: a parameter and a part of it.
#[derive(Clone, Copy)]
pub(super) struct Total {
    param: usize,
    pub(super) ty: Type,
    join: Join,
    part: usize,
    /// What a NaN is to be of is noted beside it, and not asked of each join.
    watched: bool,
    /// It is such a note: for each two lanes, half of all apart, whether one has had a NaN.
    notes: bool,
}

impl Total {
    /// How many lanes it has of so many.
    fn lanes(&self, lanes: usize) -> usize {
        if self.notes { lanes / 2 } else { lanes }
    }
}

/// A way to where ways meet: the label that it comes from, and the accumulators, unless they are what a
/// fold begins with.
type Way<'a> = (&'a str, Option<&'a [String]>);

/// What an accumulator begins with.
pub(super) fn identity(total: &Total, lanes: usize) -> String {
    match total.notes {
        true => "zeroinitializer".into(),
        false => alike(total.ty, total.join.identity(total.ty), lanes),
    }
}

/// The accumulators' names, of a place.
fn named(place: &str, totals: &[Total]) -> Vec<String> {
    (0..totals.len()).map(|k| format!("%{place}{k}")).collect()
}

impl Text<'_> {
    /// The accumulators, and behind them notes of NaN for those along rows whose joins would ask for it.
    fn totals(&self) -> Vec<Total> {
        let (mut totals, mut notes) = (Vec::new(), Vec::new());
        for (param, p) in self.kernel.params.iter().enumerate() {
            let along = p.access.along().is_some();
            if let Access::Along(join) | Access::Row(join) | Access::Across(join) = p.access {
                let extreme = p.ty.is_float() && matches!(join, Join::Max | Join::Min);
                let watched = self.notes && along && extreme;
                let part = |part| Total { param, ty: p.ty, join, part, watched, notes: false };
                totals.extend((0..p.parts as usize).map(part));
                if watched {
                    notes.push(Total {
                        param,
                        ty: Type::Bool,
                        join: Join::Or,
                        part: 0,
                        watched,
                        notes: true,
                    });
                }
            }
        }
        totals.extend(notes);
        totals
    }

    /// Both together, of `count` lanes.
    fn join(&mut self, total: &Total, a: &str, b: &str, count: usize) -> String {
        let ty = format!("<{count} x {}>", scalar(total.ty));
        let truth = format!("<{count} x i1>");
        let float = total.ty.is_float();
        let word = match (total.join, float) {
            (Join::Add, true) => "fadd",
            (Join::Add, false) => "add",
            (Join::Mul, true) => "fmul",
            (Join::Mul, false) => "mul",
            (Join::And, _) => "and",
            (Join::Or, _) => "or",
            (Join::Max | Join::Min, _) => {
                let greater = total.join == Join::Max;
                let word = match (float, total.ty.is_signed()) {
                    (true, _) => {
                        if greater {
                            "fcmp ogt"
                        } else {
                            "fcmp olt"
                        }
                    }
                    (_, true) => {
                        if greater {
                            "icmp sgt"
                        } else {
                            "icmp slt"
                        }
                    }
                    _ => {
                        if greater {
                            "icmp ugt"
                        } else {
                            "icmp ult"
                        }
                    }
                };
                let mut first = self.put(format_args!("{word} {ty} {a}, {b}"));
                if float && !total.watched {
                    let is_nan = self.put(format_args!("fcmp uno {ty} {a}, {a}"));
                    first = self.put(format_args!("or {truth} {first}, {is_nan}"));
                }
                return self.put(format_args!("select {truth} {first}, {ty} {a}, {ty} {b}"));
            }
        };
        self.put(format_args!("{word} {ty} {a}, {b}"))
    }

    /// The value that the body has stored for an accumulator.
    fn new_part(&self, total: &Total) -> String {
        let stored = self.folded.iter().find(|(n, _)| *n == total.param);
        stored.map_or_else(String::new, |(_, parts)| parts[total.part].clone())
    }

    /// The accumulators joined with what the body has stored; where not all lanes have an element, these
    /// are the ones.
    pub(super) fn joined(&mut self, totals: &[Total], before: &[String], valid: Option<&str>) -> Vec<String> {
        let mut joined = Vec::new();
        for (t, before) in totals.iter().zip(before) {
            let mut value = before.clone();
            // Wider vectors are so many rows of lanes, one after the other.
            for first in (0..self.lanes).step_by(LANES) {
                let name = scalar(self.kernel.params[t.param].ty);
                let new = self.some_of(name, &self.new_part(t), first..first + LANES);
                let valid = valid.map(|valid| self.some_of("i1", valid, first..first + LANES));
                value = self.joined_once(t, &value, new, valid.as_deref());
            }
            joined.push(value);
        }
        joined
    }

    /// Some lanes of a vector of all.
    fn some_of(&mut self, name: &str, all: &str, lanes: Range<usize>) -> String {
        if lanes == (0..self.lanes) {
            return all.to_string();
        }
        let ty = self.shaped(name, true);
        self.put(format_args!("shufflevector {ty} {all}, {ty} poison, {}", mask(lanes)))
    }

    /// An accumulator joined with an element for each of its lanes.
    fn joined_once(&mut self, t: &Total, old: &str, mut new: String, valid: Option<&str>) -> String {
        let of = self.kernel.params[t.param];
        let chosen = |text: &mut Self, valid: &str, a: &str, b: &str| {
            let (ty, truth) = (format!("<{LANES} x {}>", scalar(of.ty)), format!("<{LANES} x i1>"));
            text.put(format_args!("select {truth} {valid}, {ty} {a}, {ty} {b}"))
        };
        if let (Some(valid), true, Some(join)) = (valid, t.watched, of.access.along()) {
            new = chosen(self, valid, &new, &alike(of.ty, join.identity(of.ty), LANES));
        }
        if t.notes {
            let (half, name) = (LANES / 2, scalar(of.ty));
            let [low, high] = [0, half].map(|from| {
                let lanes = mask(from..from + half);
                let ty = format!("<{LANES} x {name}>");
                self.put(format_args!("shufflevector {ty} {new}, {ty} poison, {lanes}"))
            });
            new = self.put(format_args!("fcmp uno <{half} x {name}> {low}, {high}"));
        }
        let value = self.join(t, old, &new, t.lanes(LANES));
        match valid {
            Some(valid) if !t.watched => chosen(self, valid, &value, old),
            _ => value,
        }
    }

    /// Blocks of the rows from one on, of which there is one, to before another; from a label to the label `done`.
    pub(super) fn along(&mut self, label: &str, first: &str, end: &str) {
        let (lanes, of_row) = (self.lanes, self.totals());
        // Those of all rows at hand, and without the notes.
        let count = if self.twins { 2 } else { 1 };
        let each = of_row.len();
        let plain: Vec<Total> = of_row.iter().filter(|t| !t.notes).copied().collect();
        let [totals, folds] = [&of_row, &plain].map(|t| t.repeat(count));
        let whole = self.kernel.params.iter().any(|p| matches!(p.access, Access::Row(_)));
        if whole {
            self.runs(&folds);
        }
        let (block, row) = if whole { ("push", "folded") } else { ("tree", "rowend") };
        self.lines(format_args!(
            "  br label %row\nrow:\n  %r = phi i64 [ {first}, %{label} ], [ %rn, %{row} ]"
        ));
        let rows = self.rows_at_hand();
        let apart = self.apart();
        let before = apart.as_ref().map_or("row", |apart| self.ends(apart, &rows[0].values));
        self.lines(format_args!(
            "  br label %block\nblock:\n  %j = phi i64 [ %begin, %{before} ], [ %jn, %{block} ]"
        ));
        if whole {
            self.lines(format_args!("  %runs = phi i64 [ 0, %{before} ], [ %more_runs, %push ]"));
        }
        self.lines(format_args!("  %left = sub i64 %end, %j\n  %partial = icmp ult i64 %left, {BLOCK}"));
        let straight = (apart.is_none() && runs(self.kernel)).then(|| self.straight(&of_row, &rows));
        let before = if straight.is_some() { "some" } else { "block" };
        self.lines(format_args!(
            "  %size = select i1 %partial, i64 %left, i64 {BLOCK}\n  %full = and i64 %size, {}\n  \
             %stop = add i64 %j, %full\n  %whole = icmp ne i64 %full, 0\n  \
             br i1 %whole, label %body, label %tail",
            -(lanes as i64)
        ));
        let outer = std::mem::take(&mut self.out);
        let (mut last, mut next) = ("body".to_string(), Vec::new());
        for (row, acc) in rows.iter().zip(named("acc", &totals).chunks(each)) {
            self.take(row);
            let (body, label) = match &apart {
                Some(apart) => self.past_and_folds(&last, apart, &row.values),
                None => self.body(&last, &row.values),
            };
            self.out.push_str(&body);
            next.extend(self.joined(&of_row, acc, None));
            last = label;
        }
        let body = std::mem::replace(&mut self.out, outer);
        self.lines(format_args!("body:\n  %i = phi i64 [ %j, %{before} ], [ %in, %{last} ]"));
        self.phis("acc", &totals, LANES, &[(before, None), (&last, Some(&next))]);
        self.lines(format_args!(
            "{body}  %in = add i64 %i, {lanes}\n  %more = icmp ult i64 %in, %stop\n  \
             br i1 %more, label %body, label %tail\ntail:"
        ));
        self.phis("half", &totals, LANES, &[(before, None), (&last, Some(&next))]);
        self.lines(format_args!(
            "  %rest = icmp ne i64 %full, %size\n  br i1 %rest, label %masked, label %tree\nmasked:"
        ));
        // Fewer elements than lanes.
        self.lines(format_args!("  %edge = add i64 %j, %size\n  %final = sub i64 %edge, 1"));
        let few = self.put(format_args!("sub i64 %size, %full"));
        let valid = self.first_lanes(&few, lanes);
        self.limit = Some(("%final".into(), valid.clone()));
        self.mask = Some(valid.clone());
        self.index = "%stop".into();
        let ids = apart.as_ref().map_or(self.kernel.body(), Apart::folds);
        let halves = named("half", &totals);
        let (mut last, mut joined) = ("masked".to_string(), Vec::new());
        for (row, half) in rows.iter().zip(halves.chunks(each)) {
            self.take(row);
            let (body, label) = self.part(&last, ids, &row.values);
            self.out.push_str(&body);
            joined.extend(self.joined(&of_row, half, Some(&valid)));
            last = label;
        }
        (self.limit, self.mask) = (None, None);
        self.index = "%i".into();
        self.lines(format_args!("  br label %tree\ntree:"));
        let mut ways: Vec<Way<'_>> = vec![("tail", Some(&halves)), (&last, Some(&joined))];
        ways.extend(straight.as_ref().map(|(last, folded)| (&last[..], Some(&folded[..]))));
        self.phis("all", &totals, LANES, &ways);
        let all = named("all", &totals);
        let mut values: Vec<String> = all.chunks(each).flat_map(|lanes| self.tree(&of_row, lanes)).collect();
        let block = BLOCK.trailing_zeros();
        match whole {
            // A row begins where the code is called for.
            true => self
                .lines(format_args!("  %since = sub i64 %j, %begin\n  %number = lshr i64 %since, {block}")),
            false => self.lines(format_args!("  %number = lshr i64 %j, {block}")),
        }
        let write = |text: &mut Self, values: &[String], index: &str| {
            for (row, values) in rows.iter().zip(values.chunks(plain.len())) {
                text.take(row);
                text.write_totals(&plain, values, index, 1);
            }
        };
        match whole {
            true => values = self.pushed(&folds, &values),
            false => write(self, &values, "%number"),
        }
        self.lines(format_args!(
            "  %jn = add i64 %j, {BLOCK}\n  %blocks = icmp ult i64 %jn, %end\n  \
             br i1 %blocks, label %block, label %rowend\nrowend:"
        ));
        if whole {
            let folded = self.popped(&folds, &values);
            write(self, &folded, "0");
        }
        self.lines(format_args!(
            "  %rn = add i64 %r, {count}\n  %again = icmp ult i64 %rn, {end}\n  \
             br i1 %again, label %row, label %done\ndone:"
        ));
    }

    /// What the lanes of the accumulators fold to, halves of halves.
    pub(super) fn tree(&mut self, totals: &[Total], lanes: &[String]) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for (t, all) in totals.iter().zip(lanes) {
            let mut all = all.clone();
            if t.notes {
                self.note(totals, t, &all, &mut values);
                continue;
            }
            let mut half = LANES / 2;
            while half > 0 {
                let ty = format!("<{} x {}>", half * 2, scalar(t.ty));
                let [low, high] = [0, half].map(|from| {
                    let chosen = mask(from..from + half);
                    self.put(format_args!("shufflevector {ty} {all}, {ty} poison, {chosen}"))
                });
                all = self.join(t, &low, &high, half);
                half /= 2;
            }
            values.push(all);
        }
        values
    }

    /// Memory for what runs of a power of two of blocks fold to, of a row whose length any number may be.
    fn runs(&mut self, totals: &[Total]) {
        for (k, t) in totals.iter().enumerate().filter(|(_, t)| !t.notes) {
            self.lines(format_args!("  %run{k} = alloca [64 x <1 x {}>], align 8", scalar(t.ty)));
        }
    }

    /// The last of the runs, of which there are so many, joined with what comes after it.
    fn after_run(&mut self, totals: &[Total], count: &str, values: impl Fn(usize) -> String) -> Vec<String> {
        let mut joined = Vec::new();
        for (k, t) in totals.iter().enumerate() {
            // Blocks are few: each join asks for NaN.
            let t = Total { watched: false, ..*t };
            let ty = format!("<1 x {}>", scalar(t.ty));
            let at = self.put(format_args!("getelementptr {ty}, ptr %run{k}, i64 {count}"));
            let before = self.put(format_args!("load {ty}, ptr {at}, align {}", t.ty.bytes()));
            joined.push(self.join(&t, &before, &values(k), 1));
        }
        joined
    }

    /// Joins a block's values with the runs that are as long, pairs of pairs, and makes a run of that.
    fn pushed(&mut self, totals: &[Total], values: &[String]) -> Vec<String> {
        self.lines(format_args!("  br label %merge\nmerge:"));
        let outer = std::mem::take(&mut self.out);
        let joined = self.after_run(totals, "%fewer", |k| format!("%value{k}"));
        let text = std::mem::replace(&mut self.out, outer);
        self.lines(format_args!(
            "  %bits = phi i64 [ %number, %tree ], [ %higher, %pop ]\n  \
             %many = phi i64 [ %runs, %tree ], [ %fewer, %pop ]"
        ));
        for (k, t) in totals.iter().enumerate() {
            let (ty, value, joined) = (scalar(t.ty), &values[k], &joined[k]);
            self.lines(format_args!("  %value{k} = phi <1 x {ty}> [ {value}, %tree ], [ {joined}, %pop ]"));
        }
        self.lines(format_args!(
            "  %odd = trunc i64 %bits to i1\n  br i1 %odd, label %pop, label %push\npop:\n  \
             %fewer = sub i64 %many, 1\n{text}  %higher = lshr i64 %bits, 1\n  br label %merge\npush:\n  \
             %more_runs = add i64 %many, 1"
        ));
        for (k, t) in totals.iter().enumerate() {
            let ty = format!("<1 x {}>", scalar(t.ty));
            let at = self.put(format_args!("getelementptr {ty}, ptr %run{k}, i64 %many"));
            self.lines(format_args!("  store {ty} %value{k}, ptr {at}, align {}", t.ty.bytes()));
        }
        (0..totals.len()).map(|k| format!("%value{k}")).collect()
    }

    /// The last block's values, joined with all runs, the last one first. A sum begins at 0.
    fn popped(&mut self, totals: &[Total], values: &[String]) -> Vec<String> {
        let outer = std::mem::take(&mut self.out);
        let joined = self.after_run(totals, "%less", |k| format!("%all_of{k}"));
        let text = std::mem::replace(&mut self.out, outer);
        self.lines(format_args!(
            "  br label %rest_of\nrest_of:\n  %those = phi i64 [ %many, %rowend ], [ %less, %take ]"
        ));
        for (k, t) in totals.iter().enumerate() {
            let (ty, value, joined) = (scalar(t.ty), &values[k], &joined[k]);
            self.lines(format_args!(
                "  %all_of{k} = phi <1 x {ty}> [ {value}, %rowend ], [ {joined}, %take ]"
            ));
        }
        self.lines(format_args!(
            "  %any = icmp ne i64 %those, 0\n  br i1 %any, label %take, label %folded\ntake:\n  \
             %less = sub i64 %those, 1\n{text}  br label %rest_of\nfolded:"
        ));
        let settled = |(k, t): (usize, &Total)| {
            let value = format!("%all_of{k}");
            if t.join != Join::Add || !t.ty.is_float() {
                return value;
            }
            let name = scalar(t.ty);
            self.put(format_args!("fadd <1 x {name}> {value}, <{name} {}>", literal(t.ty, 0)))
        };
        totals.iter().enumerate().map(settled).collect()
    }

    /// The value that notes are of becomes NaN if there are any.
    fn note(&mut self, totals: &[Total], notes: &Total, all: &str, values: &mut [String]) {
        let half = notes.lanes(LANES);
        let word = self.put(format_args!("bitcast <{half} x i1> {all} to i{half}"));
        let any = self.put(format_args!("icmp ne i{half} {word}, 0"));
        for (t, value) in totals.iter().zip(values) {
            if t.param == notes.param {
                let ty = format!("<1 x {}>", scalar(t.ty));
                let name = scalar(t.ty);
                let nan = literal(t.ty, if t.ty == Type::F32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 });
                *value = self.put(format_args!("select i1 {any}, {ty} <{name} {nan}>, {ty} {value}"));
            }
        }
    }

    /// Vectors of columns, each folded down its rows.
    pub(super) fn across(&mut self) {
        let (lanes, totals) = (self.lanes, self.totals());
        self.lines(format_args!(
            "  br label %column\ncolumn:\n  %i = phi i64 [ %begin, %entry ], [ %next, %both ]"
        ));
        // The usual rows, one after the other: each load has a place of its own in the code, by which
        // the processor finds out what it reads next.
        let whole = runs(self.kernel).then(|| self.rows_in_turn(&totals, BLOCK / LANES));
        let before = std::mem::take(&mut self.out);
        let values = self.row();
        let row = std::mem::take(&mut self.out);
        let (body, last) = self.body("body", &values);
        self.out = body;
        let next: Vec<String> = (totals.iter().enumerate())
            .map(|(k, t)| {
                let new = self.new_part(t);
                self.join(t, &format!("%x{k}"), &new, lanes)
            })
            .collect();
        let body = std::mem::replace(&mut self.out, before);
        let from = if whole.is_some() { "some" } else { "column" };
        self.lines(format_args!("  br label %body\nbody:\n  %r = phi i64 [ 0, %{from} ], [ %rn, %{last} ]"));
        self.phis("x", &totals, lanes, &[(from, None), (&last, Some(&next))]);
        self.lines(format_args!(
            "{row}{body}  %rn = add i64 %r, 1\n  %again = icmp ult i64 %rn, %rows\n  \
             br i1 %again, label %body, label %both\nboth:"
        ));
        let folded = match &whole {
            None => next,
            Some(whole) => {
                self.phis("z", &totals, lanes, &[("whole", Some(whole)), (&last, Some(&next))]);
                (0..totals.len()).map(|k| format!("%z{k}")).collect()
            }
        };
        let mut values: Vec<String> = Vec::new();
        for (k, t) in totals.iter().enumerate() {
            let first = self.earlier(t);
            values.push(self.join(t, &first, &folded[k], lanes));
        }
        self.write_totals(&totals, &values, "%i", lanes);
        self.lines(format_args!(
            "  %after = add i64 %i, {lanes}\n  %more = icmp ult i64 %after, %end\n  \
             %fit = sub i64 %end, {lanes}\n  %short = icmp ult i64 %fit, %after\n  \
             %next = select i1 %short, i64 %fit, i64 %after\n  br i1 %more, label %column, label %done\n\
             done:\n  ret void\n}}"
        ));
    }

    /// So many rows without a loop, if there are as many; what they fold to.
    fn rows_in_turn(&mut self, totals: &[Total], rows: usize) -> Vec<String> {
        let lanes = self.lanes;
        self.lines(format_args!(
            "  %usual = icmp eq i64 %rows, {rows}\n  br i1 %usual, label %whole, label %some\nwhole:"
        ));
        let identity = |t: &Total| self.constant(t.ty, t.join.identity(t.ty), true);
        let mut folded: Vec<String> = totals.iter().map(identity).collect();
        for r in 0..rows {
            let values = self.row_of(&r.to_string());
            let (body, _) = self.body("whole", &values);
            self.out.push_str(&body);
            for (k, t) in totals.iter().enumerate() {
                let new = self.new_part(t);
                folded[k] = self.join(t, &folded[k], &new, lanes);
            }
        }
        self.lines(format_args!("  br label %both\nsome:"));
        folded
    }

    /// What an earlier call gave for the columns at hand, or what changes nothing if there was none. The
    /// result's own memory is read in its place then.
    fn earlier(&mut self, total: &Total) -> String {
        let (n, lanes, ty) = (total.param, self.lanes, total.ty);
        let (parts, name) = (self.kernel.params[n].parts as usize, stored(ty));
        let first = self.put(format_args!("mul i64 %i, {parts}"));
        let first = self.put(format_args!("add i64 {first}, %c{n}"));
        let at = self.put(format_args!("getelementptr {name}, ptr %p{n}, i64 {first}"));
        let wide = format!("<{} x {name}>", lanes * parts);
        let mut value = self.put(format_args!("load {wide}, ptr {at}, align {}", ty.bytes()));
        if parts > 1 {
            let chosen = mask((0..lanes).map(|i| i * parts + total.part));
            value = self.put(format_args!("shufflevector {wide} {value}, {wide} poison, {chosen}"));
        }
        let value = self.loaded(ty, value, true);
        let none = self.put(format_args!("icmp eq i64 %c{n}, 0"));
        let identity = self.constant(ty, total.join.identity(ty), true);
        let all = self.shaped(scalar(ty), true);
        self.put(format_args!("select i1 {none}, {all} {identity}, {all} {value}"))
    }

    /// The accumulators where ways meet.
    fn phis(&mut self, name: &str, totals: &[Total], lanes: usize, ways: &[Way<'_>]) {
        for (k, t) in totals.iter().enumerate() {
            let (ty, first) = (scalar(t.ty), identity(t, lanes));
            let came = |(from, values): &Way<'_>| {
                format!("[ {}, %{from} ]", values.map_or(&first, |values| &values[k]))
            };
            let ways: Vec<String> = ways.iter().map(came).collect();
            let (lanes, ways) = (t.lanes(lanes), ways.join(", "));
            self.lines(format_args!("  %{name}{k} = phi <{lanes} x {ty}> {ways}"));
        }
    }

    pub(super) fn write_totals(&mut self, totals: &[Total], values: &[String], index: &str, count: usize) {
        // Of a row, the first has its place; columns have no rows of results.
        let mut k = 0;
        while k < totals.len() {
            let n = totals[k].param;
            let parts = self.kernel.params[n].parts as usize;
            self.write(n, &values[k..k + parts], index, count);
            k += parts;
        }
    }
}
