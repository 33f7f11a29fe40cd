//! Square roots of float32: a processor divides for them, a vector after the other, while its multiplications
//! wait. So some of the vectors that stand side by side are multiplied, with the same bits.
//!
//! An estimate with a relative error of at most 1.5 / 4096, as the processor gives one, becomes the root and its half
//! inverse in two steps, whose last rounding is that of the root. All pairs of a number in 1..4 and such an
//! estimate were tried, and two were wrong, of one number; others have the same digits, if what is left of them is
//! not below float32's exponents. Vectors with that number's digits, or beyond these, are divided for. The test
//! `whatever_is_estimated` (`tests/roots.rs`) tries some of these pairs each time, and all on demand.

use super::ends::needed;
use super::text::Text;
use super::{LONG, Style};
use crate::ir::{Access, Code, Id, Kernel, Type};
use std::collections::HashMap;

/// Vectors of the processor's that stand side by side in a kernel's, of which all but one are divided for.
pub const SHARED: usize = 4;
/// Elements that the processor estimates at a time.
const ESTIMATED: usize = 8;
/// The bits of the least number whose root is found by multiplications, 2^-101, and of the first beyond.
const RANGE: [u32; 2] = [0x0d00_0000, 0x7f80_0000];
/// Which bits are those of a number just above a power of four, whose root is so close to the middle of two numbers
/// that two estimates of it are not enough.
const CLOSE: [u32; 2] = [0x00ff_ffff, 0x0080_0001];

/// True if a kernel has roots to share out: within the caches, since memory is slower than either way, and where
/// nothing else is multiplied for long.
pub(super) fn shares(kernel: &Kernel, style: Style) -> bool {
    let plain = |a: Access| matches!(a, Access::Uniform | Access::Linear | Access::Out);
    let body = kernel.body();
    style.roots > 0
        && style.abreast
        && !style.short
        && kernel.blocks.len() == 2
        && body.len() < LONG
        && !kernel.has(Code::Fma)
        && kernel.params.iter().all(|p| plain(p.access) && p.parts == 1 && p.ty.bytes() <= 4)
        && roots(kernel).count() == 1
}

/// The roots that a kernel's body takes.
fn roots(kernel: &Kernel) -> impl Iterator<Item = Id> + '_ {
    let is_root = |&id: &Id| {
        let s = kernel.statement(id);
        s.code == Code::Sqrt && s.ty == Type::F32
    };
    kernel.body().iter().copied().filter(is_root)
}

impl Text<'_> {
    /// Results that have every element, where roots are shared out: what the next vector's roots are taken of is
    /// computed before the roots at hand, which take long. A processor whose queues are shared with another
    /// thread does not look that far ahead by itself. Of the last vector that is computed once more.
    pub(super) fn pipelined_elements(&mut self) {
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
        self.keep(&next, self.shares_roots);
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

    /// The processor's vectors of all lanes, of so many elements.
    fn split(&mut self, x: &str, wide: usize) -> Vec<String> {
        let all = self.shaped("float", true);
        let part = |first: usize| {
            let lanes = super::text::mask(first..first + wide);
            self.put(format_args!("shufflevector {all} {x}, {all} poison, {lanes}"))
        };
        (0..SHARED * wide).step_by(wide).map(part).collect()
    }

    /// The roots of all lanes, in vectors of so many elements of the processor's.
    pub(super) fn shared_roots(&mut self, x: &str, wide: usize) -> String {
        let mut parts = self.split(x, wide);
        let last = parts.pop().expect("several vectors stand side by side");
        let mut roots: Vec<String> = parts.iter().map(|x| self.divided(x, wide)).collect();
        roots.push(self.multiplied(&last, wide));
        self.concatenate(roots, wide)
    }

    /// Vectors one after the other, each of so many elements.
    fn concatenate(&mut self, mut some: Vec<String>, mut width: usize) -> String {
        while some.len() > 1 {
            let both = super::text::mask(0..2 * width);
            let join = |text: &mut Self, pair: &[String]| {
                let [a, b] = [&pair[0], &pair[1]];
                text.put(format_args!("shufflevector <{width} x float> {a}, <{width} x float> {b}, {both}"))
            };
            some = some.chunks(2).map(|pair| join(self, pair)).collect();
            width *= 2;
        }
        some.remove(0)
    }

    /// The roots of a vector by the processor.
    fn divided(&mut self, x: &str, wide: usize) -> String {
        self.of_one("sqrt", &[x], wide)
    }

    /// Those by multiplications, where all numbers are of the range.
    fn multiplied(&mut self, x: &str, wide: usize) -> String {
        let number = self.next;
        let [begin, end] = RANGE;
        let least = super::text::alike(Type::U32, begin.into(), wide);
        let count = super::text::alike(Type::U32, (end - begin).into(), wide);
        let bits = self.put(format_args!("bitcast <{wide} x float> {x} to <{wide} x i32>"));
        let above = self.put(format_args!("sub <{wide} x i32> {bits}, {least}"));
        let beyond = self.put(format_args!("icmp uge <{wide} x i32> {above}, {count}"));
        let [digits, close] = CLOSE.map(|bits| super::text::alike(Type::U32, bits.into(), wide));
        let digits = self.put(format_args!("and <{wide} x i32> {bits}, {digits}"));
        let close = self.put(format_args!("icmp eq <{wide} x i32> {digits}, {close}"));
        let beyond = self.put(format_args!("or <{wide} x i1> {beyond}, {close}"));
        let beyond = self.put(format_args!("bitcast <{wide} x i1> {beyond} to i{wide}"));
        let any = self.put(format_args!("icmp ne i{wide} {beyond}, 0"));
        let [steps, divide, after] = ["steps", "divide", "root"].map(|name| format!("{name}{number}"));
        let seldom = "!prof !{!\"branch_weights\", i32 1, i32 1048576}";
        self.label(&format!("br i1 {any}, label %{divide}, label %{steps}, {seldom}"), &steps);
        let near = self.steps(x, wide);
        let from = self.label(&format!("br label %{after}"), &divide);
        let exact = self.divided(x, wide);
        let other = self.label(&format!("br label %{after}"), &after);
        self.put(format_args!("phi <{wide} x float> [ {near}, %{from} ], [ {exact}, %{other} ]"))
    }

    /// The root `g` and half of its inverse `h`, nearer in each step; in the end the root of what is left.
    fn steps(&mut self, x: &str, wide: usize) -> String {
        let half = super::text::alike(Type::F32, 0.5f32.to_bits().into(), wide);
        let vector = format!("<{wide} x float>");
        let inverse = self.estimate(x, wide);
        let mut g = self.put(format_args!("fmul {vector} {x}, {inverse}"));
        let mut h = self.put(format_args!("fmul {vector} {half}, {inverse}"));
        for _ in 0..2 {
            let less = self.put(format_args!("fneg {vector} {h}"));
            let off = self.of_one("fma", &[&less, &g, &half], wide);
            g = self.of_one("fma", &[&g, &off, &g], wide);
            h = self.of_one("fma", &[&h, &off, &h], wide);
        }
        let less = self.put(format_args!("fneg {vector} {g}"));
        let left = self.of_one("fma", &[&less, &g, x], wide);
        self.of_one("fma", &[&left, &h, &g], wide)
    }

    /// The processor's estimates of the inverse roots.
    fn estimate(&mut self, x: &str, wide: usize) -> String {
        let (all, some) = (format!("<{wide} x float>"), format!("<{ESTIMATED} x float>"));
        let function = "llvm.x86.avx.rsqrt.ps.256";
        self.declared.insert(format!("{some} @{function}({some})"));
        let parts = (0..wide).step_by(ESTIMATED).map(|first| {
            let lanes = super::text::mask(first..first + ESTIMATED);
            let part = self.put(format_args!("shufflevector {all} {x}, {all} poison, {lanes}"));
            self.put(format_args!("call {some} @{function}({some} {part})"))
        });
        let parts = parts.collect();
        self.concatenate(parts, ESTIMATED)
    }

    /// An intrinsic function of the processor's vectors.
    fn of_one(&mut self, name: &str, operands: &[&str], wide: usize) -> String {
        let vector = format!("<{wide} x float>");
        let types = vec![vector.as_str(); operands.len()].join(", ");
        let function = format!("llvm.{name}.v{wide}f32");
        self.declared.insert(format!("{vector} @{function}({types})"));
        let operands: Vec<String> = operands.iter().map(|x| format!("{vector} {x}")).collect();
        self.put(format_args!("call {vector} @{function}({})", operands.join(", ")))
    }
}
