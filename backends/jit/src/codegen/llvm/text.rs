//! Kernels as LLVM's text. Only forms that LLVM 19 to 22 all read, and only operations that
//! they lower on every processor: vectors of integers, float and double; and float16's conversions
//! on those that have them.
//!
//! A function loops over rows, and in a row over vectors. The last vector of a row overlaps the
//! one before, so that nothing is masked and nothing beyond the row is touched. Of what goes past the caches
//! the ends of a row have masks ([`super::ends`]), and so have rows that are shorter than a vector.

use super::estimates::Roots;
use super::names::{alike, literal, scalar, stored};
use super::packed::{Packing, Spread};
use super::space::IterationSpace;
use super::windows::Inside;
use super::{Style, roots};
use crate::ir::fold::{self, COLUMNS};
use crate::ir::{Access, Code, Effects, Id, Kernel, Param, Steps, Type};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::rc::Rc;

/// Elements that are computed at a time. LLVM splits vectors that are wider than the machine's.
pub const LANES: usize = 16;

/// Elements of four bytes each that are computed at a time, of kernels with loops or elementary functions, whose steps wait each
/// for the one before: several vectors side by side wait together.
pub const SIDE_BY_SIDE: usize = 64;

/// The name of the only function of a module.
pub const FUNCTION: &str = "ivy_kernel";

/// The module of a kernel that [`crate::ir::verify`] accepts, with one function of a name:
/// `void (ptr arguments, i64 begin, i64 end, i64 rows)`.
pub fn module(kernel: &Kernel, style: Style, function: &str) -> String {
    let effects = kernel.effects.is_some();
    let mut text = Text {
        kernel,
        out: String::new(),
        declared: BTreeSet::new(),
        next: 0,
        label: String::new(),
        parts: HashMap::new(),
        lanes: lanes(kernel, style),
        shares_roots: style.roots.filter(|_| roots::shares(kernel, style) && !effects),
        pipelined: style.pipelined,
        notes: style.notes,
        twins: twins(kernel, style),
        short: style.short,
        ends_apart: style.apart,
        packing: if effects || style.short || !style.packed {
            None
        } else {
            Packing::of(kernel).map(Rc::new)
        },
        spread: None,
        index: "%i".into(),
        limit: None,
        mask: None,
        varies: Vec::new(),
        space: IterationSpace::default(),
        lane_0_active: false,
        escape: None,
        given: HashMap::new(),
        folded: Vec::new(),
        carried: HashMap::new(),
        far: HashMap::new(),
        rows: Vec::new(),
        once: HashMap::new(),
        inside: None,
        alike: HashMap::new(),
        transposed: HashMap::new(),
        in_lines: false,
    };
    text.function(function);
    let mut out = text.out;
    for signature in &text.declared {
        let _ = writeln!(out, "declare {signature}");
    }
    out
}

/// Bytes of a row that are read at a time where columns are folded, and memory is asked ahead: some
/// lines one after the other, of few enough rows in turn that none drives another out of the caches.
const RUN: usize = 256;

/// Bytes of a vector of a kernel whose elements have several parts.
const LINE: usize = 64;

/// Statements of a kernel that has no registers left for more vectors, and takes long to compile.
pub(super) const LONG: usize = 1000;

/// Statements of a body that leaves most registers free.
pub(super) const FEW: usize = 8;

/// True if an element is a row of a few: its parts are neither one, nor those of a complex number or like them.
pub(super) fn is_row(p: &Param) -> bool {
    p.parts > 2 || p.parts == 2 && p.ty == Type::Bool
}

/// How many elements the vectors of a kernel hold; more for what waits, if that is wanted.
pub(super) fn lanes(kernel: &Kernel, style: Style) -> usize {
    match kernel.effects {
        Some(Effects { serial: true, .. }) => return 1,
        Some(Effects { block: 1, .. }) if style.scalar && super::effects::is_scattered(kernel) => return 1,
        Some(Effects { block: 1, .. }) => return LANES,
        Some(Effects { block, .. }) => return block as usize,
        None => {}
    }
    let has = |access: fn(&Access) -> bool| kernel.params.iter().any(|p| access(&p.access));
    if has(|a| matches!(a, Access::Across(_))) {
        let widest = kernel.statements.iter().map(|s| s.ty.bytes()).max().unwrap_or(1);
        return if runs(kernel) { (RUN / widest).min(COLUMNS) } else { fold::LANES };
    }
    // Registers are full of parts.
    if kernel.params.iter().any(is_row) {
        let widest = kernel.params.iter().map(|p| p.ty.bytes()).max().unwrap_or(4).max(4);
        return LINE / widest;
    }
    if let Some(roots) = style.roots.filter(|_| roots::shares(kernel, style)) {
        return roots::SHARED * roots.wide;
    }
    let waits = style.abreast && (kernel.has(Code::Loop) || kernel.has(Code::Fma)) && kernel.len() < LONG;
    let widest = kernel.params.iter().map(|p| p.ty.bytes()).max().unwrap_or(4).max(4);
    let wide = if waits && !has(|a| *a == Access::Transposed) { SIDE_BY_SIDE * 4 / widest } else { LANES };
    // Whole rows of the lanes that are folded.
    if has(|a| a.along().is_some()) { wide.max(fold::LANES) } else { wide }
}

/// True if a kernel folds columns in runs, and has so little to do that the rows of a lane stand one
/// after the other in its text.
pub(super) fn runs(kernel: &Kernel) -> bool {
    let plain = |a: Access| a.is_result() || matches!(a, Access::Ahead | Access::Uniform);
    kernel.params.iter().any(|p| p.access == Access::Ahead)
        && kernel.params.iter().all(|p| plain(p.access))
        && kernel.body().len() <= FEW
        && kernel.blocks.len() == 2
}

/// True if a kernel's rows are folded two at a time.
pub(super) fn twins(kernel: &Kernel, style: Style) -> bool {
    style.twins && runs(kernel) && kernel.params.iter().any(|p| p.access.along().is_some())
}

pub(super) struct Text<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) out: String,
    pub(super) declared: BTreeSet<String>,
    pub(super) next: u32,
    /// The label of the block that is being written.
    pub(super) label: String,
    /// The parts of elements that the body has loaded, by parameter.
    pub(super) parts: HashMap<u32, Vec<String>>,
    /// How many elements a vector holds.
    pub(super) lanes: usize,
    /// How some of the processor's vectors have their square roots multiplied, if the kernel shares these out.
    pub(super) shares_roots: Option<Roots>,
    /// Whether what the next vector's are taken of is computed before them.
    pipelined: bool,
    /// Whether NaN is noted beside what is greatest or least.
    pub(super) notes: bool,
    /// Whether rows are folded two at a time.
    pub(super) twins: bool,
    /// Whether rows have fewer elements than lanes.
    short: bool,
    /// Whether the ends of rows that go past the caches are written apart.
    pub(super) ends_apart: bool,
    /// The loop whose lanes are put together when few go on.
    pub(super) packing: Option<Rc<Packing>>,
    /// Where the lanes at hand stand, if not side by side.
    pub(super) spread: Option<Spread>,
    /// The number of the element in lane 0.
    pub(super) index: String,
    /// Where fewer elements than lanes are left: the number of the last one, and which lanes
    /// have one.
    pub(super) limit: Option<(String, String)>,
    /// Which lanes are at work, if not all are.
    pub(super) mask: Option<String>,
    /// Of a kernel with effects, by statement, whether its value may differ between lanes that are at work.
    pub(super) varies: Vec<bool>,
    /// Of a kernel with effects, what is known of its elements.
    pub(super) space: IterationSpace,
    /// Whether lane 0 is at work wherever one is.
    pub(super) lane_0_active: bool,
    /// Where the outermost loop around ends.
    pub(super) escape: Option<String>,
    /// What loops and conditionals give.
    pub(super) given: HashMap<Id, Vec<String>>,
    /// What the body has stored to be folded: parameter, and parts.
    pub(super) folded: Vec<(usize, Vec<String>)>,
    /// By parameter, its vector at hand and the one after that, if they are carried from vector to
    /// vector: what is beside the parameter is in them.
    pub(super) carried: HashMap<u32, [String; 2]>,
    /// By parameter, where memory is asked for that is read later, for element 0 of those at hand, if it is
    /// known.
    pub(super) far: HashMap<u32, String>,
    /// Where the parameters' rows begin.
    pub(super) rows: Vec<String>,
    /// What is known for all of the row at hand, as one value.
    pub(super) once: HashMap<Id, String>,
    /// Where vectors of the row at hand stand that are inside of what is asked for.
    pub(super) inside: Option<Inside>,
    /// Truth values of all lanes that are one value, and that one.
    pub(super) alike: HashMap<String, String>,
    /// The row at hand of inputs that are transposed, if a tile's rows are in registers.
    pub(super) transposed: HashMap<u32, String>,
    /// What goes past the caches is at hand by whole lines.
    pub(super) in_lines: bool,
}

impl Text<'_> {
    /// A type's name, of one value or of all lanes.
    pub(super) fn shaped(&self, name: &str, vector: bool) -> String {
        if vector { format!("<{} x {name}>", self.lanes) } else { name.to_string() }
    }

    pub(super) fn constant(&self, ty: Type, bits: u64, vector: bool) -> String {
        if vector { alike(ty, bits, self.lanes) } else { literal(ty, bits) }
    }

    /// A float type's constant of a value.
    pub(super) fn float(&self, ty: Type, value: f64, vector: bool) -> String {
        let bits = if ty == Type::F32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        self.constant(ty, bits, vector)
    }

    /// Writes an instruction with a new name for its value.
    pub(super) fn put(&mut self, instruction: std::fmt::Arguments<'_>) -> String {
        self.next += 1;
        let _ = writeln!(self.out, "  %t{} = {instruction}", self.next);
        format!("%t{}", self.next)
    }

    /// Writes lines as they are.
    pub(super) fn lines(&mut self, lines: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{lines}");
    }

    /// The beginning of a function, which may have more arguments.
    pub(super) fn begin(&mut self, name: &str, more: &str) {
        let kernel = self.kernel;
        let linkage = if more.is_empty() { "" } else { "internal " };
        self.lines(format_args!(
            "define {linkage}void @{name}(ptr %arguments, i64 %begin, i64 %end, i64 %rows{more}) nounwind {{\nentry:"
        ));
        if kernel.params.iter().any(|p| p.access == Access::Guarded(Steps::None)) {
            self.lines(format_args!(
                "  %nothing = alloca i64, align 8\n  store i64 0, ptr %nothing, align 8"
            ));
        }
        for (i, p) in kernel.params.iter().enumerate() {
            let parts = p.parts;
            self.lines(format_args!("  %a{i} = getelementptr i8, ptr %arguments, i64 {}", i * 24));
            self.lines(format_args!("  %p{i} = load ptr, ptr %a{i}, align 8"));
            self.lines(format_args!("  %b{i} = getelementptr i8, ptr %a{i}, i64 8"));
            self.lines(format_args!(
                "  %c{i} = load i64, ptr %b{i}, align 8\n  %d{i} = mul i64 %c{i}, {parts}"
            ));
            self.lines(format_args!("  %e{i} = getelementptr i8, ptr %a{i}, i64 16"));
            self.lines(format_args!(
                "  %f{i} = load i64, ptr %e{i}, align 8\n  %g{i} = mul i64 %f{i}, {parts}"
            ));
        }
    }

    fn function(&mut self, name: &str) {
        if self.twins {
            return self.twin_functions(name);
        }
        let kernel = self.kernel;
        self.begin(name, "");
        if kernel.effects.is_some() {
            return self.with_effects();
        }
        if let Some(packing) = self.packing.clone() {
            self.queue(&packing);
        }
        let folds = |a: &Access| a.along().is_some() || matches!(a, Access::Across(_));
        match kernel.params.iter().map(|p| p.access).find(folds) {
            Some(Access::Across(_)) => self.across(),
            Some(_) => {
                self.along("entry", "0", "%rows");
                self.lines(format_args!("  ret void\n}}"));
            }
            None if kernel.params.iter().any(|p| p.access == Access::Transposed) => self.tiles(),
            None if self.short => self.short_rows(),
            None if self.elements_in_lines() => {}
            None => match self.shares_roots.filter(|_| self.pipelined) {
                Some(how) => self.pipelined_elements(how),
                None => self.elements(),
            },
        }
    }

    /// Where the parameters' rows begin, for the row `%r`, and what is known for all of it.
    pub(super) fn row(&mut self) -> HashMap<Id, String> {
        self.row_of("%r")
    }

    /// Where the parameters' rows begin, for a row of this number.
    pub(super) fn row_of(&mut self, number: &str) -> HashMap<Id, String> {
        let kernel = self.kernel;
        self.rows.clear();
        for (i, p) in kernel.params.iter().enumerate() {
            let name = if matches!(p.access, Access::Counter(_)) { "i8" } else { stored(p.ty) };
            let distance = self.put(format_args!("mul i64 {number}, %g{i}"));
            let row = self.put(format_args!("getelementptr {name}, ptr %p{i}, i64 {distance}"));
            self.rows.push(row);
        }
        let mut values: HashMap<Id, String> = HashMap::new();
        for &id in kernel.top() {
            if kernel.statement(id).has_value() {
                let value = self.statement(id, &values, false);
                values.insert(id, value);
            }
        }
        self.once = values.clone();
        self.span();
        // What the body reads of it goes to all lanes.
        let inner = kernel.blocks.iter().skip(1).flatten();
        let used: BTreeSet<Id> =
            inner.flat_map(|&id| kernel.statement(id).operands.iter().copied()).collect();
        for id in used {
            let Some(one) = values.get(&id) else { continue };
            let s = kernel.statement(id);
            let all = if s.code == Code::Constant {
                self.constant(s.ty, s.imm, true)
            } else {
                self.splat(scalar(s.ty), &one.clone())
            };
            values.insert(id, all);
        }
        values
    }

    /// The text of the body, and the label that it ends with; it begins with another.
    pub(super) fn body(&mut self, label: &str, values: &HashMap<Id, String>) -> (String, String) {
        self.part(label, self.kernel.body(), values)
    }

    /// The text of some of the body's statements, of all where some count, and the label that it ends with.
    pub(super) fn part(&mut self, label: &str, ids: &[Id], values: &HashMap<Id, String>) -> (String, String) {
        let before = std::mem::take(&mut self.out);
        self.label = label.into();
        self.parts.clear();
        self.folded.clear();
        match (self.inside.clone(), self.packing.clone()) {
            (Some(inside), _) => self.both(&inside, values),
            (None, Some(packing)) => self.packed(ids, &packing, &mut values.clone()),
            (None, None) => self.block(ids, &mut values.clone()),
        }
        (std::mem::replace(&mut self.out, before), self.label.clone())
    }

    /// Results that have every element, of rows that have fewer than there are lanes: a vector for each, of
    /// which only those elements are read and written.
    fn short_rows(&mut self) {
        let lanes = self.lanes;
        self.lines(format_args!("  %count = sub i64 %end, %begin\n  %final = sub i64 %end, 1"));
        let valid = self.first_lanes("%count", lanes);
        let before = std::mem::take(&mut self.out);
        let values = self.row();
        let row = std::mem::replace(&mut self.out, before);
        self.inside = None;
        (self.limit, self.mask) = (Some(("%final".into(), valid.clone())), Some(valid));
        self.index = "%begin".into();
        let (body, last) = self.body("body", &values);
        self.lines(format_args!(
            "  br label %row\nrow:\n  %r = phi i64 [ 0, %entry ], [ %rn, %{last} ]\n{row}  br label %body\n\
             body:\n{body}  %rn = add i64 %r, 1\n  %again = icmp ult i64 %rn, %rows\n  \
             br i1 %again, label %row, label %done\ndone:\n  ret void\n}}"
        ));
    }

    /// Results that have every element.
    fn elements(&mut self) {
        if let Some(n) = self.edged() {
            let (p, lanes) = (self.kernel.params[n], self.lanes);
            let count = 2 * lanes * p.parts as usize;
            self.lines(format_args!("  %edge = alloca [{count} x {}], align 64", stored(p.ty)));
        }
        self.lines(format_args!("  br label %row\nrow:\n  %r = phi i64 [ 0, %entry ], [ %rn, %rowend ]"));
        let values = self.row();
        let inside = self.inside.take().map(|inside| (self.stop(&inside), inside));
        // The body comes first: its last label is known then.
        let (body, last) = self.body("body", &values);
        let lanes = self.lanes;
        self.first_line("%r");
        let leaders = self.leaders(&self.windows().sure);
        let (again, whole) = match leaders.is_empty() && inside.is_none() {
            true => (format!("[ %next, %{last} ]"), None),
            false => {
                let (whole, way) = self.whole(&leaders, inside, &values);
                (format!("[ %next, %enter ], {way}"), Some(whole))
            }
        };
        let then = if whole.is_some() { "enter" } else { "body" };
        self.lines(format_args!(
            "  br label %body\nbody:\n  %i = phi i64 [ %begin, %row ], {again}\n{body}  \
             %after = add i64 %i, {lanes}\n  %more = icmp ult i64 %after, %end\n  \
             %head = icmp ult i64 %i, %from\n  %then = select i1 %head, i64 %from, i64 %after\n  \
             %fit = sub i64 %end, {lanes}\n  %short = icmp ult i64 %fit, %then\n  \
             %next = select i1 %short, i64 %fit, i64 %then\n  br i1 %more, label %{then}, label %rowend\n{}rowend:",
            whole.unwrap_or_default()
        ));
        self.lines(format_args!(
            "  %rn = add i64 %r, 1\n  %again = icmp ult i64 %rn, %rows\n  \
             br i1 %again, label %row, label %done\ndone:"
        ));
        self.lines(format_args!("  ret void\n}}"));
    }

    /// The result whose rows begin and end within lines of the caches, while whole lines go past them.
    pub(super) fn edged(&self) -> Option<usize> {
        let params = &self.kernel.params;
        // Vectors that are folded stand where their order says.
        let is_fixed = |p: &Param| p.access == Access::Transposed || p.access.along().is_some() || is_row(p);
        let fixed = params.iter().any(is_fixed);
        params.iter().position(|p| p.access == Access::Stream).filter(|_| !fixed)
    }

    /// `%from`: the first element of a row whose vector begins a line of the caches, if a result goes
    /// past them: the second vector begins there, and overlaps the first one. `%to`: the first one that
    /// no such vector has.
    pub(super) fn first_line(&mut self, row: &str) {
        let Some(n) = self.kernel.params.iter().position(|p| p.access == Access::Stream && !is_row(p)) else {
            return self.lines(format_args!("  %from = add i64 %begin, 0"));
        };
        let p = self.kernel.params[n];
        let start = self.put(format_args!("mul i64 {row}, %g{n}"));
        let first = self.put(format_args!("mul i64 %begin, {}", p.parts));
        let first = self.put(format_args!("add i64 {start}, {first}"));
        let at = self.put(format_args!("getelementptr {}, ptr %p{n}, i64 {first}", stored(p.ty)));
        let address = self.put(format_args!("ptrtoint ptr {at} to i64"));
        let lead = self.lead(&address, p.bytes());
        self.lines(format_args!("  %from = add i64 %begin, {lead}"));
        let left = self.put(format_args!("sub i64 %end, %from"));
        let whole = self.put(format_args!("and i64 {left}, {}", -(self.lanes as i64)));
        self.lines(format_args!("  %to = add i64 %from, {whole}"));
    }

    /// How many elements of so many bytes stand before the next vector that begins a line.
    pub(super) fn lead(&mut self, address: &str, bytes: usize) -> String {
        let before = self.put(format_args!("sub i64 0, {address}"));
        let before = self.put(format_args!("and i64 {before}, {}", (bytes * self.lanes).min(64) - 1));
        self.put(format_args!("lshr i64 {before}, {}", bytes.trailing_zeros()))
    }

    /// Writes the statements of a block, for all lanes.
    pub(super) fn block(&mut self, ids: &[Id], values: &mut HashMap<Id, String>) {
        ids.iter().for_each(|&id| self.one(id, values));
    }

    /// Writes a statement, for all lanes.
    pub(super) fn one(&mut self, id: Id, values: &mut HashMap<Id, String>) {
        let s = self.kernel.statement(id);
        if self.space.is_uniform(id) && values.contains_key(&id) {
            return;
        }
        let value = match s.code {
            Code::Rare => self.rare(id, values),
            Code::Loop => return self.repeated(id, values),
            Code::If => return self.branches(id, values),
            Code::Result => self.given[&s.operands[0]][s.imm as usize].clone(),
            _ => self.column(id).unwrap_or_else(|| self.statement(id, values, true)),
        };
        values.insert(id, value);
    }

    /// The mask of the first lanes, at least one of so many.
    pub(super) fn first_lanes(&mut self, count: &str, lanes: usize) -> String {
        let none = self.put(format_args!("sub i64 {lanes}, {count}"));
        let none = match lanes {
            64 => none,
            _ => self.put(format_args!("trunc i64 {none} to i{lanes}")),
        };
        let bits = self.put(format_args!("lshr i{lanes} -1, {none}"));
        self.put(format_args!("bitcast i{lanes} {bits} to <{lanes} x i1>"))
    }

    pub(super) fn splat(&mut self, name: &str, one: &str) -> String {
        let (all, lanes) = (self.shaped(name, true), self.lanes);
        let first = self.put(format_args!("insertelement {all} poison, {name} {one}, i64 0"));
        self.put(format_args!("shufflevector {all} {first}, {all} poison, <{lanes} x i32> zeroinitializer"))
    }
}
