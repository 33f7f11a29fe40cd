//! Results whose roots take long: what the next vector's are taken of is computed before the roots at hand. A
//! processor whose queues are shared with another thread does not look that far ahead by itself, and would wait for
//! what it reads.

use super::ends::needed;
use super::estimates::Roots;
use super::roots::roots;
use super::text::Text;
use crate::ir::Id;
use std::collections::HashMap;

impl Text<'_> {
    /// Results that have every element, where roots are shared out. Of a row's last vector, what its roots are
    /// taken of is computed twice.
    pub(super) fn pipelined_elements(&mut self, how: Roots) {
        let kernel = self.kernel;
        let root = roots(kernel).next().expect("a kernel that shares roots has one");
        let of = kernel.statement(root).operands[0];
        let sooner = needed(kernel, vec![of], None);
        let ends = kernel.body().iter().copied().filter(|&id| !kernel.statement(id).has_value());
        let later = needed(kernel, ends.collect(), Some(of));
        let [sooner, later] = [sooner, later].map(|ids| {
            let some = kernel.body().iter().copied().filter(|id| ids.contains(id));
            some.collect::<Vec<Id>>()
        });
        self.lines(format_args!("  br label %row\nrow:\n  %r = phi i64 [ 0, %entry ], [ %rn, %rowend ]"));
        let mut values = self.row();
        let lanes = self.lanes;
        let first = self.value_at("%begin", &sooner, of, &values);
        self.lines(format_args!("  %fit = sub i64 %end, {lanes}\n  br label %body"));
        let before = std::mem::take(&mut self.out);
        let next = self.value_at("%next", &sooner, of, &values);
        self.keep(&next, how.wide);
        let sooner = std::mem::replace(&mut self.out, before);
        self.index = "%i".into();
        values.insert(of, "%of".into());
        let (later, last) = self.part("body", &later, &values);
        let all = self.shaped("float", true);
        self.lines(format_args!(
            "body:\n  %i = phi i64 [ %begin, %row ], [ %next, %{last} ]\n  \
             %of = phi {all} [ {first}, %row ], [ {next}, %{last} ]\n  %after = add i64 %i, {lanes}\n  \
             %more = icmp ult i64 %after, %end\n  %short = icmp ult i64 %fit, %after\n  \
             %next = select i1 %short, i64 %fit, i64 %after\n{sooner}{later}  \
             br i1 %more, label %body, label %rowend\nrowend:\n  %rn = add i64 %r, 1\n  \
             %again = icmp ult i64 %rn, %rows\n  br i1 %again, label %row, label %done\ndone:\n  ret void\n}}"
        ));
    }

    /// The value of a statement that needs these, of the vector that begins with an element.
    fn value_at(&mut self, index: &str, ids: &[Id], of: Id, values: &HashMap<Id, String>) -> String {
        self.index = index.into();
        self.parts.clear();
        let mut values = values.clone();
        self.block(ids, &mut values);
        values.remove(&of).expect("a root is taken of what its statements compute")
    }

    /// Has a value computed where the text stands, and not only where it is used: nothing is done with the
    /// registers that hold it.
    fn keep(&mut self, x: &str, wide: usize) {
        let vectors: Vec<String> =
            self.split(x, wide).iter().map(|part| format!("<{wide} x float> {part}")).collect();
        let registers = vec!["v"; vectors.len()].join(",");
        self.lines(format_args!("  call void asm sideeffect \"\", \"{registers}\"({})", vectors.join(", ")));
    }
}
