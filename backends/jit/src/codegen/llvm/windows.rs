//! Kernels that read elements where what they count is inside of lengths: the vectors that are inside
//! of all of them, nearly all, have a body of their own without masks, for which a processor would wait.

use super::text::Text;
use crate::ir::{Access, Code, Id, Place, Steps, Type};
use std::collections::{BTreeSet, HashMap};

/// Statements of a body that is worth to be there twice.
const SHORT: usize = 64;

impl Text<'_> {
    /// The comparisons of what is counted with a length, which is one value, and what is made of them
    /// alone; none where there is to be one body.
    pub(super) fn windows(&self) -> BTreeSet<Id> {
        let kernel = self.kernel;
        let plain = |a: Access| !matches!(a, Access::Turned | Access::Across(_)) && a.along().is_none();
        let mut known = BTreeSet::new();
        let short = kernel.blocks.len() == 2 && kernel.body().len() <= SHORT;
        if !short || !kernel.has(Code::LoadWhere) || !kernel.params.iter().all(|p| plain(p.access)) {
            return known;
        }
        for &id in kernel.top().iter().chain(kernel.body()) {
            let s = kernel.statement(id);
            let one = || s.operands.get(1).is_some_and(|o| kernel.top().contains(o));
            let inside = s.code == Code::Lt && one() && self.counter(id).is_some();
            let both = s.code == Code::And && s.operands.iter().all(|o| known.contains(o));
            if inside || both {
                known.insert(id);
            }
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

    /// For the row at hand, the number of the first vector that is inside of all windows, and how many
    /// elements the numbers of such vectors span.
    pub(super) fn span(&mut self) {
        let (kernel, windows) = (self.kernel, self.windows());
        let (mut first, mut last) = ("0".to_string(), (i64::MAX / 2).to_string());
        let mut all = "true".to_string();
        for &id in windows.iter().filter(|&&id| kernel.statement(id).code == Code::Lt) {
            if kernel.top().contains(&id) {
                let here = self.once[&id].clone();
                all = self.put(format_args!("and i1 {all}, {here}"));
                continue;
            }
            let Some(n) = self.counter(id) else { continue };
            let (row, length) =
                (self.rows[n as usize].clone(), self.once[&kernel.statement(id).operands[1]].clone());
            let place = self.put(format_args!("ptrtoint ptr {row} to i64"));
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
            (windows, [first, span])
        });
    }

    /// Likewise, where such vectors have a loop of their own: where it begins, and behind which element it ends.
    pub(super) fn stretch(&mut self, [first, span]: [String; 2]) -> [String; 2] {
        let behind = self.put(format_args!("add i64 {first}, {span}"));
        let behind = self.put(format_args!("add i64 {behind}, {}", self.lanes - 1));
        let fits = self.put(format_args!("icmp ult i64 {behind}, %end"));
        let stop = self.put(format_args!("select i1 {fits}, i64 {behind}, i64 %end"));
        let none = self.put(format_args!("icmp eq i64 {span}, 0"));
        [first, self.put(format_args!("select i1 {none}, i64 0, i64 {stop}"))]
    }

    /// Both bodies: for a vector that is inside of all windows, and for any other.
    pub(super) fn both(
        &mut self,
        windows: &BTreeSet<Id>,
        [first, span]: &[String; 2],
        values: &HashMap<Id, String>,
    ) {
        let (kernel, index) = (self.kernel, self.index.clone());
        let at = self.put(format_args!("sub i64 {index}, {first}"));
        let inside = self.put(format_args!("icmp ult i64 {at}, {span}"));
        let [within, border, beyond] =
            ["within", "border", "beyond"].map(|name| format!("{name}{}", self.next));
        self.label(&format!("br i1 {inside}, label %{within}, label %{border}"), &within);
        let mut known = values.clone();
        let yes = self.constant(Type::Bool, 1, true);
        known.extend(windows.iter().map(|&id| (id, yes.clone())));
        let rest: Vec<Id> = kernel.body().iter().copied().filter(|id| !windows.contains(id)).collect();
        self.block(&rest, &mut known);
        self.label(&format!("br label %{beyond}"), &border);
        self.wide.clear();
        self.block(kernel.body(), &mut values.clone());
        self.label(&format!("br label %{beyond}"), &beyond);
    }
}
