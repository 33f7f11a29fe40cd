//! Square roots of float32: a processor divides for them, a vector after the other, while its multiplications
//! wait. So some of the vectors that stand side by side are multiplied, with the same bits.
//!
//! An estimate of the inverse becomes the root in one step or two, as the processor's estimates are
//! ([`super::estimates`]). Vectors with numbers for which that does not hold are divided for.

use super::estimates::Roots;
use super::text::Text;
use super::{LONG, Style};
use crate::ir::{Access, Code, Id, Kernel, Type};

/// Vectors of the processor's that stand side by side in a kernel's, of which all but one are divided for.
pub const SHARED: usize = 4;
/// Elements that the processor estimates at a time.
const ESTIMATED: usize = 8;
/// The bits of the least number whose root is found by multiplications, 2^-101, and of the first beyond.
pub const RANGE: [u32; 2] = [0x0d00_0000, 0x7f80_0000];
/// Which bits are those of a number just above a power of four, whose root is so close to the middle of two numbers
/// that two steps are not enough from two estimates of it.
pub const CLOSE: [u32; 2] = [0x00ff_ffff, 0x0080_0001];

/// True if a kernel has roots to share out: within the caches, since memory is slower than either way, and where
/// nothing else is multiplied for long.
pub(super) fn shares(kernel: &Kernel, style: Style) -> bool {
    let plain = |a: Access| matches!(a, Access::Uniform | Access::Linear | Access::Out);
    let body = kernel.body();
    style.roots.is_some()
        && style.abreast
        && !style.short
        && kernel.blocks.len() == 2
        && body.len() < LONG
        && !kernel.has(Code::Fma)
        && kernel.params.iter().all(|p| plain(p.access) && p.parts == 1 && p.ty.bytes() <= 4)
        && roots(kernel).count() == 1
}

/// The roots that a kernel's body takes.
pub(super) fn roots(kernel: &Kernel) -> impl Iterator<Item = Id> + '_ {
    let is_root = |&id: &Id| {
        let s = kernel.statement(id);
        s.code == Code::Sqrt && s.ty == Type::F32
    };
    kernel.body().iter().copied().filter(is_root)
}

impl Text<'_> {
    /// The processor's vectors of all lanes, of so many elements.
    pub(super) fn split(&mut self, x: &str, wide: usize) -> Vec<String> {
        let all = self.shaped("float", true);
        let part = |first: usize| {
            let lanes = super::names::mask(first..first + wide);
            self.put(format_args!("shufflevector {all} {x}, {all} poison, {lanes}"))
        };
        (0..SHARED * wide).step_by(wide).map(part).collect()
    }

    /// The roots of all lanes.
    pub(super) fn shared_roots(&mut self, x: &str, how: Roots) -> String {
        let wide = how.wide;
        let mut parts = self.split(x, wide);
        let last = parts.pop().expect("several vectors stand side by side");
        let mut roots: Vec<String> = parts.iter().map(|x| self.divided(x, wide)).collect();
        roots.push(self.multiplied(&last, how));
        self.concatenate(roots, wide)
    }

    /// Vectors one after the other, each of so many elements.
    fn concatenate(&mut self, mut some: Vec<String>, mut width: usize) -> String {
        while some.len() > 1 {
            let both = super::names::mask(0..2 * width);
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
    fn multiplied(&mut self, x: &str, how: Roots) -> String {
        let (number, wide) = (self.next, how.wide);
        let alike = |bits: u32| super::names::alike(Type::U32, bits.into(), wide);
        let [begin, end] = RANGE;
        // The range comes first of all signed numbers: one comparison is an instruction.
        let first = begin.wrapping_sub(1 << 31);
        let bits = self.put(format_args!("bitcast <{wide} x float> {x} to <{wide} x i32>"));
        let above = self.put(format_args!("sub <{wide} x i32> {bits}, {}", alike(first)));
        let last = alike((end - 1).wrapping_sub(first));
        let mut beyond = self.put(format_args!("icmp sgt <{wide} x i32> {above}, {last}"));
        if how.steps > 1 {
            let [digits, close] = CLOSE.map(alike);
            let digits = self.put(format_args!("and <{wide} x i32> {bits}, {digits}"));
            let close = self.put(format_args!("icmp eq <{wide} x i32> {digits}, {close}"));
            beyond = self.put(format_args!("or <{wide} x i1> {beyond}, {close}"));
        }
        let beyond = self.put(format_args!("bitcast <{wide} x i1> {beyond} to i{wide}"));
        let any = self.put(format_args!("icmp ne i{wide} {beyond}, 0"));
        let [steps, divide, after] = ["steps", "divide", "root"].map(|name| format!("{name}{number}"));
        let seldom = "!prof !{!\"branch_weights\", i32 1, i32 1048576}";
        self.label(&format!("br i1 {any}, label %{divide}, label %{steps}, {seldom}"), &steps);
        let near = self.steps(x, how);
        let from = self.label(&format!("br label %{after}"), &divide);
        let exact = self.divided(x, wide);
        let other = self.label(&format!("br label %{after}"), &after);
        self.put(format_args!("phi <{wide} x float> [ {near}, %{from} ], [ {exact}, %{other} ]"))
    }

    /// The root `g` and half of its inverse `h`, nearer in each step; in the end the root of what is left.
    fn steps(&mut self, x: &str, Roots { wide, steps }: Roots) -> String {
        let half = super::names::alike(Type::F32, 0.5f32.to_bits().into(), wide);
        let vector = format!("<{wide} x float>");
        let inverse = self.estimate(x, wide);
        let mut g = self.put(format_args!("fmul {vector} {x}, {inverse}"));
        let mut h = self.put(format_args!("fmul {vector} {half}, {inverse}"));
        for _ in 0..steps {
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
            let lanes = super::names::mask(first..first + ESTIMATED);
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
