//! Loops whose results are folds; [`crate::ir::fold`] has the order.

use super::text::{Text, literal, mask, runs, scalar, stored};
use crate::ir::fold::{BLOCK, Join, LANES};
use crate::ir::{Access, Type};

/// An accumulator: a parameter and a part of it.
struct Total {
    param: usize,
    ty: Type,
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

impl Text<'_> {
    /// The accumulators, and behind them notes of NaN for those along rows whose joins would ask for it.
    fn totals(&self) -> Vec<Total> {
        let (mut totals, mut notes) = (Vec::new(), Vec::new());
        for (param, p) in self.kernel.params.iter().enumerate() {
            if let Access::Along(join) | Access::Across(join) = p.access {
                let along = matches!(p.access, Access::Along(_));
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
    fn joined(&mut self, totals: &[Total], before: &str, valid: Option<&str>) -> Vec<String> {
        let mut joined = Vec::new();
        for (k, t) in totals.iter().enumerate() {
            let (old, mut new) = (format!("%{before}{k}"), self.new_part(t));
            if let (Some(valid), true) = (valid, t.watched) {
                let of = self.kernel.params[t.param];
                let Access::Along(join) = of.access else { continue };
                let identity = self.constant(of.ty, join.identity(of.ty), true);
                new = self.select(of.ty, valid, &new, &identity, true);
            }
            if t.notes {
                let half = self.lanes / 2;
                let ty = self.shaped(scalar(self.kernel.params[t.param].ty), true);
                let [low, high] = [0, half].map(|from| {
                    let chosen = mask(from..from + half);
                    self.put(format_args!("shufflevector {ty} {new}, {ty} poison, {chosen}"))
                });
                let part = format!("<{half} x {}>", scalar(self.kernel.params[t.param].ty));
                new = self.put(format_args!("fcmp uno {part} {low}, {high}"));
            }
            let value = self.join(t, &old, &new, t.lanes(self.lanes));
            joined.push(match valid {
                Some(valid) if !t.watched => self.select(t.ty, valid, &value, &old, true),
                _ => value,
            });
        }
        joined
    }

    /// Blocks of each row.
    pub(super) fn along(&mut self) {
        let (lanes, totals) = (self.lanes, self.totals());
        self.lines(format_args!("  br label %row\nrow:\n  %r = phi i64 [ 0, %entry ], [ %rn, %rowend ]"));
        let values = self.row();
        self.lines(format_args!(
            "  br label %block\nblock:\n  %j = phi i64 [ %begin, %row ], [ %jn, %tree ]\n  \
             %left = sub i64 %end, %j\n  %long = icmp ugt i64 %left, {BLOCK}\n  \
             %size = select i1 %long, i64 {BLOCK}, i64 %left\n  %full = and i64 %size, {}\n  \
             %stop = add i64 %j, %full\n  %whole = icmp ne i64 %full, 0\n  \
             br i1 %whole, label %body, label %tail",
            -(lanes as i64)
        ));
        let (body, last) = self.body("body", &values);
        let before = std::mem::replace(&mut self.out, body);
        let next = self.joined(&totals, "acc", None);
        let body = std::mem::replace(&mut self.out, before);
        self.lines(format_args!("body:\n  %i = phi i64 [ %j, %block ], [ %in, %{last} ]"));
        self.phis("acc", &totals, lanes, ("block", None), (&last, &next));
        self.lines(format_args!(
            "{body}  %in = add i64 %i, {lanes}\n  %more = icmp ult i64 %in, %stop\n  \
             br i1 %more, label %body, label %tail\ntail:"
        ));
        self.phis("half", &totals, lanes, ("block", None), (&last, &next));
        self.lines(format_args!(
            "  %rest = icmp ne i64 %full, %size\n  br i1 %rest, label %masked, label %tree\nmasked:"
        ));
        // Fewer elements than lanes.
        self.lines(format_args!("  %edge = add i64 %j, %size\n  %final = sub i64 %edge, 1"));
        let numbers: Vec<String> = (0..lanes).map(|i| format!("i64 {i}")).collect();
        let few = self.put(format_args!("sub i64 %size, %full"));
        let few = self.splat("i64", &few);
        let valid = self.put(format_args!("icmp ult <{lanes} x i64> <{}>, {few}", numbers.join(", ")));
        self.limit = Some(("%final".into(), valid.clone()));
        self.mask = Some(valid.clone());
        self.index = "%stop".into();
        let (body, last) = self.body("masked", &values);
        self.out.push_str(&body);
        let joined = self.joined(&totals, "half", Some(&valid));
        (self.limit, self.mask) = (None, None);
        self.index = "%i".into();
        self.lines(format_args!("  br label %tree\ntree:"));
        let halves: Vec<String> = (0..totals.len()).map(|k| format!("%half{k}")).collect();
        self.phis("all", &totals, lanes, ("tail", Some(&halves)), (&last, &joined));
        let mut values: Vec<String> = Vec::new();
        for (k, t) in totals.iter().enumerate() {
            let mut all = format!("%all{k}");
            if t.notes {
                self.note(&totals, t, &all, &mut values);
                continue;
            }
            let mut half = lanes / 2;
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
        self.lines(format_args!("  %number = lshr i64 %j, {}", BLOCK.trailing_zeros()));
        self.write_totals(&totals[..values.len()], &values, "%number", 1);
        self.lines(format_args!(
            "  %jn = add i64 %j, {BLOCK}\n  %blocks = icmp ult i64 %jn, %end\n  \
             br i1 %blocks, label %block, label %rowend\nrowend:\n  %rn = add i64 %r, 1\n  \
             %again = icmp ult i64 %rn, %rows\n  br i1 %again, label %row, label %done\ndone:\n  ret void\n}}"
        ));
    }

    /// The value that notes are of becomes NaN if there are any.
    fn note(&mut self, totals: &[Total], notes: &Total, all: &str, values: &mut [String]) {
        let half = notes.lanes(self.lanes);
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
        self.phis("x", &totals, lanes, (from, None), (&last, &next));
        self.lines(format_args!(
            "{row}{body}  %rn = add i64 %r, 1\n  %again = icmp ult i64 %rn, %rows\n  \
             br i1 %again, label %body, label %both\nboth:"
        ));
        let folded = match &whole {
            None => next,
            Some(whole) => {
                self.phis("z", &totals, lanes, ("whole", Some(whole)), (&last, &next));
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

    /// The accumulators where two ways meet: what they begin with by the first, unless given, and
    /// values by the second.
    fn phis(
        &mut self,
        name: &str,
        totals: &[Total],
        lanes: usize,
        (from, first): (&str, Option<&[String]>),
        (last, second): (&str, &[String]),
    ) {
        for (k, t) in totals.iter().enumerate() {
            let identity = match t.notes {
                true => "zeroinitializer".to_string(),
                false => self.constant(t.ty, t.join.identity(t.ty), true),
            };
            let first = first.map_or(&identity, |values| &values[k]);
            let (ty, lanes) = (scalar(t.ty), t.lanes(lanes));
            let second = &second[k];
            let line =
                format!("  %{name}{k} = phi <{lanes} x {ty}> [ {first}, %{from} ], [ {second}, %{last} ]");
            self.lines(format_args!("{line}"));
        }
    }

    fn write_totals(&mut self, totals: &[Total], values: &[String], index: &str, count: usize) {
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
