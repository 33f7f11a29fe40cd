//! Atomics: the lanes at work do theirs one after the other, the first one first.

use super::names::scalar;
use super::text::Text;
use crate::ir::{Code, Statement, Type};

impl Text<'_> {
    /// An atomic of the lanes at work; gives what was there before, zero for the others.
    pub(super) fn atomic(&mut self, s: &Statement, index: &str, values: &[String]) -> String {
        let (lanes, number) = (self.lanes, self.next);
        let (all, truth, name) = (self.shaped(scalar(s.ty), true), self.shaped("i1", true), scalar(s.ty));
        let valid = self.valid(s.operands[0], s.operands[1], index);
        let base = self.base(s.operands[0]);
        let bits = self.put(format_args!("bitcast {truth} {valid} to i{lanes}"));
        let first = match lanes {
            64 => bits,
            _ => self.put(format_args!("zext i{lanes} {bits} to i64")),
        };
        let [head, one, after] = ["lanes", "lane", "atomic"].map(|name| format!("{name}{number}"));
        let before = self.label(&format!("br label %{head}"), &head);
        let text = std::mem::take(&mut self.out);
        let none = self.put(format_args!("icmp eq i64 %{head}left, 0"));
        self.label(&format!("br i1 {none}, label %{after}, label %{one}"), &one);
        self.declared.insert("i64 @llvm.cttz.i64(i64, i1)".into());
        let lane = self.put(format_args!("call i64 @llvm.cttz.i64(i64 %{head}left, i1 true)"));
        let less = self.put(format_args!("sub i64 %{head}left, 1"));
        let rest = self.put(format_args!("and i64 %{head}left, {less}"));
        let at = self.put(format_args!("extractelement {} {index}, i64 {lane}", self.shaped("i64", true)));
        let at = self.put(format_args!("getelementptr {name}, ptr {base}, i64 {at}"));
        let values: Vec<String> =
            values.iter().map(|x| self.put(format_args!("extractelement {all} {x}, i64 {lane}"))).collect();
        let old = self.single(s, &at, &values);
        let next = self.put(format_args!("insertelement {all} %{head}old, {name} {old}, i64 {lane}"));
        let last = self.label(&format!("br label %{head}"), &after);
        let block = std::mem::replace(&mut self.out, text);
        self.lines(format_args!(
            "  %{head}left = phi i64 [ {first}, %{before} ], [ {rest}, %{last} ]\n  \
             %{head}old = phi {all} [ zeroinitializer, %{before} ], [ {next}, %{last} ]"
        ));
        self.out.push_str(&block);
        format!("%{head}old")
    }

    /// An atomic of one lane; gives what was there before.
    fn single(&mut self, s: &Statement, at: &str, values: &[String]) -> String {
        let (name, align, x) = (scalar(s.ty), s.ty.bytes(), &values[values.len() - 1]);
        if self.kernel.effects.is_some_and(|effects| effects.serial) {
            return self.nonatomic(s, at, values);
        }
        let word = match (s.code, s.ty.is_float()) {
            (Code::AtomicCas, _) => return self.swap(s.ty, at, values),
            (Code::AtomicMin | Code::AtomicMax, true) => return self.extreme(s.code, s.ty, at, x),
            (Code::AtomicExchange, _) => {
                return self.put(format_args!("atomicrmw xchg ptr {at}, {name} {x} acq_rel, align {align}"));
            }
            (Code::AtomicAdd, true) => "fadd",
            (Code::AtomicSub, true) => "fsub",
            (Code::AtomicAdd, _) => "add",
            (Code::AtomicSub, _) => "sub",
            (Code::AtomicMin, _) if s.ty.is_signed() => "min",
            (Code::AtomicMax, _) if s.ty.is_signed() => "max",
            (Code::AtomicMin, _) => "umin",
            (Code::AtomicMax, _) => "umax",
            (Code::AtomicAnd, _) => "and",
            (Code::AtomicOr, _) => "or",
            _ => "xor",
        };
        self.put(format_args!("atomicrmw {word} ptr {at}, {name} {x} monotonic, align {align}"))
    }

    /// The second value takes the place of the first, by their bits.
    fn swap(&mut self, ty: Type, at: &str, values: &[String]) -> String {
        let (name, bits) = (scalar(ty), format!("i{}", ty.bits()));
        let words: Vec<String> = match ty.is_float() {
            true => values.iter().map(|x| self.put(format_args!("bitcast {name} {x} to {bits}"))).collect(),
            false => values.to_vec(),
        };
        let (expected, x, align) = (&words[0], &words[1], ty.bytes());
        let both = self.put(format_args!(
            "cmpxchg ptr {at}, {bits} {expected}, {bits} {x} acq_rel monotonic, align {align}"
        ));
        let old = self.put(format_args!("extractvalue {{ {bits}, i1 }} {both}, 0"));
        if ty.is_float() { self.put(format_args!("bitcast {bits} {old} to {name}")) } else { old }
    }

    /// An atomic as a load and a store, where elements run one after the other on one thread.
    fn nonatomic(&mut self, s: &Statement, at: &str, values: &[String]) -> String {
        let (name, align, x) = (scalar(s.ty), s.ty.bytes(), &values[values.len() - 1]);
        let old = self.put(format_args!("load {name}, ptr {at}, align {align}"));
        let next = match (s.code, s.ty.is_float()) {
            (Code::AtomicExchange, _) => x.clone(),
            (Code::AtomicCas, float) => {
                let bits = format!("i{}", s.ty.bits());
                let mut words = [old.clone(), values[0].clone()];
                if float {
                    words = words.map(|w| self.put(format_args!("bitcast {name} {w} to {bits}")));
                }
                let same = self.put(format_args!("icmp eq {bits} {}, {}", words[0], words[1]));
                self.put(format_args!("select i1 {same}, {name} {x}, {name} {old}"))
            }
            (Code::AtomicMin | Code::AtomicMax, true) => {
                let bits = format!("i{}", s.ty.bits());
                let word = self.put(format_args!("bitcast {name} {old} to {bits}"));
                self.kept(s.code, s.ty, (&old, &word), x)
            }
            (Code::AtomicMin | Code::AtomicMax, false) => {
                let sign = if s.ty.is_signed() { "s" } else { "u" };
                let order = if s.code == Code::AtomicMin { "lt" } else { "gt" };
                let kept = self.put(format_args!("icmp {sign}{order} {name} {old}, {x}"));
                self.put(format_args!("select i1 {kept}, {name} {old}, {name} {x}"))
            }
            (code, float) => {
                let word = match (code, float) {
                    (Code::AtomicAdd, true) => "fadd",
                    (Code::AtomicSub, true) => "fsub",
                    (Code::AtomicAdd, _) => "add",
                    (Code::AtomicSub, _) => "sub",
                    (Code::AtomicAnd, _) => "and",
                    (Code::AtomicOr, _) => "or",
                    _ => "xor",
                };
                self.put(format_args!("{word} {name} {old}, {x}"))
            }
        };
        self.lines(format_args!("  store {name} {next}, ptr {at}, align {align}"));
        old
    }

    /// The less or the greater of a float that is there, of which the bits are known, and another one.
    fn kept(&mut self, code: Code, ty: Type, (old, word): (&str, &str), x: &str) -> String {
        let (name, bits) = (scalar(ty), format!("i{}", ty.bits()));
        let (order, sign) = if code == Code::AtomicMin { ("olt", "slt") } else { ("ogt", "sge") };
        let first = self.put(format_args!("fcmp {order} {name} {old}, {x}"));
        let nan = self.put(format_args!("fcmp uno {name} {old}, {old}"));
        let equal = self.put(format_args!("fcmp oeq {name} {old}, {x}"));
        // Of zeros the sign decides.
        let signed = self.put(format_args!("icmp {sign} {bits} {word}, 0"));
        let kept = self.put(format_args!("and i1 {equal}, {signed}"));
        let kept = self.put(format_args!("or i1 {kept}, {first}"));
        let kept = self.put(format_args!("or i1 {kept}, {nan}"));
        self.put(format_args!("select i1 {kept}, {name} {old}, {name} {x}"))
    }

    /// The less or the greater of floats stays: tried again where another thread was faster.
    fn extreme(&mut self, code: Code, ty: Type, at: &str, x: &str) -> String {
        let (name, bits, align) = (scalar(ty), format!("i{}", ty.bits()), ty.bytes());
        let number = self.next;
        let [again, after] = ["again", "held"].map(|name| format!("{name}{number}"));
        let first = self.put(format_args!("load atomic {bits}, ptr {at} monotonic, align {align}"));
        let before = self.label(&format!("br label %{again}"), &again);
        self.lines(format_args!("  %{again}x = phi {bits} [ {first}, %{before} ], [ %{again}y, %{again} ]"));
        let old = self.put(format_args!("bitcast {bits} %{again}x to {name}"));
        let next = self.kept(code, ty, (&old, &format!("%{again}x")), x);
        let next = self.put(format_args!("bitcast {name} {next} to {bits}"));
        let both = self.put(format_args!(
            "cmpxchg ptr {at}, {bits} %{again}x, {bits} {next} monotonic monotonic, align {align}"
        ));
        self.lines(format_args!("  %{again}y = extractvalue {{ {bits}, i1 }} {both}, 0"));
        let done = self.put(format_args!("extractvalue {{ {bits}, i1 }} {both}, 1"));
        self.label(&format!("br i1 {done}, label %{after}, label %{again}"), &after);
        old
    }
}
