//! The loop over vectors of which more is known than of others: that they are inside of all windows, so that
//! they need no masks; and that another one follows, so that what is beside each other is read once.

use super::names::stored;
use super::text::Text;
use super::windows::{Inside, Windows};
use crate::ir::{Access, Code, Id, Param, Place};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

impl Text<'_> {
    /// The inputs that others are beside, if that is worth a loop of its own: where little is computed. What
    /// is guarded is read only where that may be: where its guard is among the windows.
    pub(super) fn leaders(&self, windows: &BTreeSet<Id>) -> BTreeSet<u32> {
        let kernel = self.kernel;
        let waits = kernel.blocks.len() > 2 || kernel.has(Code::Fma);
        let is_there = |n: u32| {
            let reads = |id: &&Id| {
                let s = kernel.statement(**id);
                s.code == Code::LoadWhere && Place::of(s.imm).param == n
            };
            let mut guards = kernel.body().iter().filter(reads).map(|&id| kernel.statement(id).operands[0]);
            let guarded = |a: Access| a.guarded().is_some();
            let access = kernel.params[n as usize].access;
            !guarded(access)
                || guards.clone().next().is_some() && guards.all(|guard| windows.contains(&guard))
        };
        let pair = |(n, p): (usize, &Param)| Some((n as u32, u32::from(p.access.beside()?.0)));
        let pairs = kernel.params.iter().enumerate().filter_map(pair).filter(|_| !waits);
        pairs.filter(|&(n, leader)| is_there(n) && is_there(leader)).map(|(_, leader)| leader).collect()
    }

    /// The loop over vectors of which the windows are known, up to an element behind which not all are inside;
    /// where there are leaders, these are loaded once: their vector at hand, and the next, go from one repetition
    /// to the following. Its text, and the way from it to the loop over all vectors.
    pub(super) fn whole(
        &mut self,
        leaders: &BTreeSet<u32>,
        inside: Option<(String, Inside)>,
        values: &HashMap<Id, String>,
    ) -> (String, String) {
        let (outer, lanes) = (std::mem::take(&mut self.out), self.lanes);
        let (windows, first, stop) = match inside {
            Some((stop, Inside { windows, first, .. })) => (windows, first, stop),
            None => (Windows::default(), "0".into(), "%end".into()),
        };
        let needed = if leaders.is_empty() { lanes } else { 2 * lanes };
        self.lines(format_args!("enter:"));
        let truths = self.truths(&windows, "%next", &stop);
        let stop = truths.stop;
        self.lines(format_args!(
            "  %far = add i64 %next, {needed}\n  %fits = icmp ule i64 %far, {stop}\n  \
             %begun = icmp uge i64 %next, {first}\n  %room = and i1 %fits, %begun\n  \
             br i1 %room, label %before, label %body\nbefore:"
        ));
        let vector = |text: &mut Self, n: u32, name: &str, index: &str| {
            let p = text.kernel.params[n as usize];
            let row = text.rows[n as usize].clone();
            let at = text.put(format_args!("getelementptr {}, ptr {row}, i64 {index}", stored(p.ty)));
            let all = text.shaped(stored(p.ty), true);
            text.lines(format_args!("  {name} = load {all}, ptr {at}, align {}", p.ty.bytes()));
            all
        };
        for &n in leaders {
            vector(self, n, &format!("%first{n}"), "%next");
        }
        let (rest, known) = self.settled(&windows, &truths.values, values);
        let before = std::mem::take(&mut self.out);
        let mut carried = String::new();
        for &n in leaders {
            let all = vector(self, n, &format!("%later{n}"), "%jn");
            let _ = writeln!(carried, "  %here{n} = phi {all} [ %first{n}, %before ], [ %later{n}, %LAST ]");
            self.carried.insert(n, [format!("%here{n}"), format!("%later{n}")]);
        }
        let loads = std::mem::take(&mut self.out);
        self.index = "%j".into();
        let (body, last) = self.part("whole", &rest, &known);
        self.index = "%i".into();
        self.carried.clear();
        self.alike.clear();
        let carried = carried.replace("%LAST", &format!("%{last}"));
        self.out = before;
        // What is left of a row with leaders is more than a vector.
        let (then, way) = match leaders.is_empty() {
            true => ("leave", "[ %back, %leave ]".to_string()),
            false => ("body", format!("[ %jn, %{last} ]")),
        };
        self.lines(format_args!(
            "  br label %whole\nwhole:\n  %j = phi i64 [ %next, %before ], [ %jn, %{last} ]\n{carried}  \
             %jn = add i64 %j, {lanes}\n{loads}{body}  %jfar = add i64 %jn, {needed}\n  \
             %jroom = icmp ule i64 %jfar, {stop}\n  br i1 %jroom, label %whole, label %{then}"
        ));
        if leaders.is_empty() {
            self.lines(format_args!(
                "leave:\n  %over = icmp ult i64 %fit, %jn\n  %back = select i1 %over, i64 %fit, i64 %jn\n  \
                 %left = icmp ult i64 %jn, %end\n  br i1 %left, label %body, label %rowend"
            ));
        }
        (std::mem::replace(&mut self.out, outer), way)
    }
}
