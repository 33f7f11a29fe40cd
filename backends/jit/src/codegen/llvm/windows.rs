//! Kernels that read elements where what they count is inside of lengths: nearly all vectors are inside of all
//! of them, and have a body of their own without masks, for which a processor would wait. Of what is joined a
//! vector is in one part or in the other, which is known for many of them at once.

use super::text::Text;
use crate::ir::{Access, Code, Id, Place, Steps, Type};
use std::collections::{BTreeSet, HashMap};

/// Statements of a body that is worth to be there twice.
const SHORT: usize = 64;

/// The comparisons of what is counted with a length, which is one value, and what is made of them alone.
#[derive(Clone, Default)]
pub(super) struct Windows {
    /// Those that are true for nearly all vectors, and what is true there.
    pub(super) sure: BTreeSet<Id>,
    /// Those whose contrary is asked for as well: they are true or false for all of nearly every vector; and
    /// what is made of such.
    pub(super) either: BTreeSet<Id>,
}

impl Windows {
    pub(super) fn is_empty(&self) -> bool {
        self.sure.is_empty() && self.either.is_empty()
    }

    fn has(&self, id: Id) -> bool {
        self.sure.contains(&id) || self.either.contains(&id)
    }
}

/// Where the vectors of a row stand that have a body of their own.
#[derive(Clone)]
pub(super) struct Inside {
    pub(super) windows: Windows,
    /// The number of the first one that is inside of all windows that are sure.
    pub(super) first: String,
    /// How many elements the numbers of such vectors span.
    span: String,
}

/// What is known of a vector about windows of which it may be in either part: the truth values; whether all of
/// its elements have the same; up to which element those that follow do.
pub(super) struct Truths {
    pub(super) values: HashMap<Id, String>,
    alike: String,
    pub(super) stop: String,
}

impl Text<'_> {
    /// The windows; none where there is to be one body.
    pub(super) fn windows(&self) -> Windows {
        let kernel = self.kernel;
        let plain = |a: Access| !matches!(a, Access::Transposed | Access::Across(_)) && a.along().is_none();
        let mut known = Windows::default();
        let short = kernel.blocks.len() == 2 && kernel.body().len() <= SHORT;
        if !short || !kernel.has(Code::LoadWhere) || !kernel.params.iter().all(|p| plain(p.access)) {
            return known;
        }
        let all = || kernel.top().iter().chain(kernel.body()).copied();
        let denied =
            |id: &Id| (kernel.statement(*id).code == Code::Not).then(|| kernel.statement(*id).operands[0]);
        let denied: BTreeSet<Id> = all().filter_map(|id| denied(&id)).collect();
        for id in all() {
            let s = kernel.statement(id);
            let one = || s.operands.get(1).is_some_and(|o| kernel.top().contains(o));
            match s.code {
                Code::Lt if one() && self.counter(id).is_some() => match denied.contains(&id) {
                    true => known.either.insert(id),
                    false => known.sure.insert(id),
                },
                Code::And if s.operands.iter().all(|o| known.sure.contains(o)) => known.sure.insert(id),
                Code::And if s.operands.iter().all(|&o| known.has(o)) => known.either.insert(id),
                Code::Not if known.either.contains(&s.operands[0]) => known.either.insert(id),
                _ => continue,
            };
        }
        known
    }

    /// The parameter that a comparison is of, as an unsigned number, if it counts without steps.
    fn counter(&self, id: Id) -> Option<u32> {
        let number = self.kernel.statement(*self.kernel.statement(id).operands.first()?);
        let bits = (number.code == Code::Bitcast && number.ty == Type::U64).then_some(number)?;
        let load = self.kernel.statement(*bits.operands.first()?);
        let param = Place::of(load.imm).param;
        let access = self.kernel.params.get(param as usize)?.access;
        let counts = matches!(access, Access::Counter(Steps::None | Steps::One));
        (load.code == Code::Load && counts).then_some(param)
    }

    /// Where a counter of a window stands in the row at hand, as the number of its element 0, and the length.
    fn counted(&mut self, id: Id) -> Option<[String; 2]> {
        let n = self.counter(id)? as usize;
        let (row, length) = (self.rows[n].clone(), self.once[&self.kernel.statement(id).operands[1]].clone());
        Some([self.put(format_args!("ptrtoint ptr {row} to i64")), length])
    }

    /// Finds, for the row at hand, where the vectors are that are inside of all sure windows.
    pub(super) fn span(&mut self) {
        let (kernel, windows) = (self.kernel, self.windows());
        let (mut first, mut last) = ("0".to_string(), (i64::MAX / 2).to_string());
        let mut all = "true".to_string();
        for &id in windows.sure.iter().filter(|&&id| kernel.statement(id).code == Code::Lt) {
            if kernel.top().contains(&id) {
                let here = self.once[&id].clone();
                all = self.put(format_args!("and i1 {all}, {here}"));
                continue;
            }
            let Some([place, length]) = self.counted(id) else { continue };
            let begin = self.put(format_args!("sub i64 0, {place}"));
            let end = self.put(format_args!("add i64 {length}, {begin}"));
            let end = self.put(format_args!("sub i64 {end}, {}", self.lanes - 1));
            let later = self.put(format_args!("icmp sgt i64 {begin}, {first}"));
            first = self.put(format_args!("select i1 {later}, i64 {begin}, i64 {first}"));
            let earlier = self.put(format_args!("icmp slt i64 {end}, {last}"));
            last = self.put(format_args!("select i1 {earlier}, i64 {end}, i64 {last}"));
        }
        self.inside = (!windows.is_empty()).then(|| {
            let some = self.put(format_args!("icmp sgt i64 {last}, {first}"));
            let some = self.put(format_args!("and i1 {some}, {all}"));
            let span = self.put(format_args!("sub i64 {last}, {first}"));
            let span = self.put(format_args!("select i1 {some}, i64 {span}, i64 0"));
            Inside { windows, first, span }
        });
    }

    /// Behind which element the vectors end that are inside of all sure windows, from the first one on.
    pub(super) fn stop(&mut self, Inside { first, span, .. }: &Inside) -> String {
        let behind = self.put(format_args!("add i64 {first}, {span}"));
        let behind = self.put(format_args!("add i64 {behind}, {}", self.lanes - 1));
        let stop = self.lesser(&behind, "%end");
        let none = self.put(format_args!("icmp eq i64 {span}, 0"));
        self.put(format_args!("select i1 {none}, i64 0, i64 {stop}"))
    }

    /// The lesser one of two unsigned numbers.
    fn lesser(&mut self, a: &str, b: &str) -> String {
        let less = self.put(format_args!("icmp ult i64 {a}, {b}"));
        self.put(format_args!("select i1 {less}, i64 {a}, i64 {b}"))
    }

    /// What is known of the vector that begins with an element, and of those after it up to `stop`.
    pub(super) fn truths(&mut self, windows: &Windows, index: &str, stop: &str) -> Truths {
        let kernel = self.kernel;
        let mut found = Truths { values: HashMap::new(), alike: "true".into(), stop: stop.into() };
        for &id in &windows.either {
            let s = kernel.statement(id);
            let operand = |found: &Truths, o: Id| match windows.sure.contains(&o) {
                true => "true".to_string(),
                false => found.values[&o].clone(),
            };
            let value = match s.code {
                _ if kernel.top().contains(&id) => self.once[&id].clone(),
                Code::Not => {
                    let x = operand(&found, s.operands[0]);
                    self.put(format_args!("xor i1 {x}, true"))
                }
                Code::And => {
                    let [x, y] = [0, 1].map(|i| operand(&found, s.operands[i]));
                    self.put(format_args!("and i1 {x}, {y}"))
                }
                _ => {
                    let Some([place, length]) = self.counted(id) else { continue };
                    let begin = self.put(format_args!("sub i64 0, {place}"));
                    let end = self.put(format_args!("add i64 {length}, {begin}"));
                    let here = self.put(format_args!("add i64 {index}, {place}"));
                    let last = self.put(format_args!("add i64 {here}, {}", self.lanes - 1));
                    let value = self.put(format_args!("icmp ult i64 {here}, {length}"));
                    let other = self.put(format_args!("icmp ult i64 {last}, {length}"));
                    let before = self.put(format_args!("icmp slt i64 {here}, 0"));
                    // The next change: where it begins, or ends; there is none behind its end.
                    let next = self.put(format_args!("select i1 {before}, i64 {begin}, i64 {}", i64::MAX));
                    let next = self.put(format_args!("select i1 {value}, i64 {end}, i64 {next}"));
                    found.stop = self.lesser(&next, &found.stop);
                    let over = self.put(format_args!("icmp sge i64 {last}, 0"));
                    let over = self.put(format_args!("and i1 {before}, {over}"));
                    let apart = self.put(format_args!("xor i1 {value}, {other}"));
                    let apart = self.put(format_args!("or i1 {apart}, {over}"));
                    let same = self.put(format_args!("xor i1 {apart}, true"));
                    found.alike = self.put(format_args!("and i1 {}, {same}", found.alike));
                    value
                }
            };
            found.values.insert(id, value);
        }
        found
    }

    /// The statements of a body for vectors of which the windows are known, with what is known of them.
    pub(super) fn settled(
        &mut self,
        windows: &Windows,
        truths: &HashMap<Id, String>,
        values: &HashMap<Id, String>,
    ) -> (Vec<Id>, HashMap<Id, String>) {
        let mut known = values.clone();
        let yes = self.constant(Type::Bool, 1, true);
        known.extend(windows.sure.iter().map(|&id| (id, yes.clone())));
        self.alike.clear();
        for &id in &windows.either {
            let all = self.splat("i1", &truths[&id]);
            self.alike.insert(all.clone(), truths[&id].clone());
            known.insert(id, all);
        }
        (self.kernel.body().iter().copied().filter(|&id| !windows.has(id)).collect(), known)
    }

    /// Both bodies: for a vector of which the windows are known, and for any other.
    pub(super) fn both(&mut self, known: &Inside, values: &HashMap<Id, String>) {
        let (kernel, index) = (self.kernel, self.index.clone());
        let Inside { windows, first, span } = known;
        let at = self.put(format_args!("sub i64 {index}, {first}"));
        let inside = self.put(format_args!("icmp ult i64 {at}, {span}"));
        let truths = self.truths(windows, &index, "%end");
        let inside = self.put(format_args!("and i1 {inside}, {}", truths.alike));
        let [within, border, beyond] =
            ["within", "border", "beyond"].map(|name| format!("{name}{}", self.next));
        self.label(&format!("br i1 {inside}, label %{within}, label %{border}"), &within);
        let (rest, mut settled) = self.settled(windows, &truths.values, values);
        self.block(&rest, &mut settled);
        self.alike.clear();
        self.label(&format!("br label %{beyond}"), &border);
        self.parts.clear();
        self.block(kernel.body(), &mut values.clone());
        self.label(&format!("br label %{beyond}"), &beyond);
    }
}
