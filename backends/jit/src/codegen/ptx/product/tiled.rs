//! A tile for each block of threads, from strips of the operands that the block copies to shared
//! memory, so that an element is read from far away once for each tile that needs it.
//!
//! While a strip is multiplied, the next one is on its way, or two are: to registers first, and then to the
//! other one of two buffers, so that a strip costs one barrier. In the same way, a thread reads its rows
//! and columns at the next place along `k` before it multiplies those at this one.

use super::super::Words;
use super::super::text::{Bank, Text};
use super::super::values::{literal, named};
use super::tile::{DEEP, FRAGMENT, STEP, VECTOR, WARP};
use super::{DEPTH, Operand, Product, Reach, Tile, Tiled, Unit, Word};

/// Products of two times 8 rows by 8 columns, of 4 places along `k`, by a warp: of each lane twice two sums, two
/// elements of the left operand and one of the right. Devices of the capabilities that it is used on add upwards
/// along `k`, with fused multiply-add; of 8 rows at a time they reach half the rate.
const MULTIPLY: &str = "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64";

/// An operand's strip, and a thread's part in copying it: some lines (rows of the left operand,
/// columns of the right one), and some places along `k` of each.
struct Strip {
    reach: Reach,
    /// Elements that are copied at once.
    vector: usize,
    /// Elements from a place along `k` to the next, in shared memory.
    stride: usize,
    /// How many times it copies for other lines, and then for other places along `k`, and by how
    /// many these are apart.
    lines: (usize, usize),
    ks: (usize, usize),
    /// The first line and the first place along `k`, from the strip's.
    line: String,
    along: String,
    /// The address of that element, which moves along `k`; bytes to the next lines, to the next place
    /// along `k`, and to the next strip.
    from: String,
    further: String,
    k: String,
    next: String,
    /// Truth values: which of its lines there are.
    inside: Vec<String>,
    /// What is multiplied beyond the end of `k`: -0 of the left operand and 0 of the right one,
    /// whose product changes no sum, not even -0.
    nothing: String,
    /// Registers between the memories, for each strip that is on its way.
    held: Vec<Vec<Vec<String>>>,
    /// Where it writes in shared memory, and where it reads.
    to: String,
    reads: String,
}

/// What of a strip there is.
#[derive(Clone, Copy)]
enum Extent<'a> {
    /// All of it, or nothing.
    Where(&'a str),
    /// So many places along `k`.
    Ends(&'a str),
}

struct Writer<'k> {
    kind: Product,
    tiled: Tiled,
    text: Text<'k>,
    /// From the buffer that is written to the other one, in bytes: added to where is written.
    offset: String,
    sums: Vec<Vec<String>>,
    /// The rows and the columns of a thread, for even and odd places along `k`.
    factors: [[Vec<String>; 2]; 2],
}

pub(super) fn write(kind: Product, tiled: Tiled, text: Text<'_>, name: &str) -> String {
    let (offset, sums, factors) = (String::new(), Vec::new(), Default::default());
    Writer { kind, tiled, text, offset, sums, factors }.write(name)
}

impl Writer<'_> {
    fn bank(&self) -> Bank {
        Bank::of(self.kind.ty)
    }

    fn bytes(&self) -> usize {
        self.kind.ty.bytes()
    }

    fn tile(&self) -> Tile {
        self.tiled.tile
    }

    /// Elements of a vector in shared memory.
    fn vector(&self) -> usize {
        VECTOR / self.bytes()
    }

    /// Elements from a place along `k` to the next: threads that write down a column, or read along
    /// `k`, do not meet in a bank, and vectors stay where they can be read.
    fn stride(&self, axis: usize) -> usize {
        let apart = if self.tile().tensor { DEEP } else { self.vector() };
        self.tile().sides(self.kind.ty)[axis] + apart
    }

    /// Bytes of an operand's strip.
    fn strip(&self, axis: usize) -> usize {
        STEP * self.stride(axis) * self.bytes()
    }

    /// Where the elements of a thread are among those of the tile, from its first on.
    fn places(&self, axis: usize) -> Vec<usize> {
        let (tile, ty) = (self.tile(), self.kind.ty);
        let (group, apart) = (tile.group(axis, ty), tile.apart(axis, ty));
        (0..tile.each[axis] as usize).map(|i| i / group * apart + i % group).collect()
    }

    fn times(&mut self, a: &str, b: &str) -> String {
        self.text.number("mul.lo", 's', &[a, b])
    }

    fn plus(&mut self, a: &str, b: &str) -> String {
        self.text.number("add", 's', &[a, b])
    }

    /// A word's bits from one on, so many of them.
    fn bits(&mut self, word: &str, from: u32, count: u32) -> String {
        let shifted = match from {
            0 => word.to_string(),
            _ => self.text.put(Bank::Word, "shr.u32", &[word, &from.to_string()]),
        };
        self.text.put(Bank::Word, "and.b32", &[&shifted, &((1u32 << count) - 1).to_string()])
    }

    fn write(mut self, name: &str) -> String {
        let (kind, tile) = (self.kind, self.tile());
        let buffer = self.strip(0) + self.strip(1);
        self.text.outside = format!("  .shared .align 16 .b8 shared[{}];\n", 2 * buffer);
        self.text.bounds = format!(".maxntid {}\n.minnctapersm {}\n", tile.threads(), tile.resident);
        let [thread, cta, ctas] = ["%tid.x", "%ctaid.x", "%nctaid.x"]
            .map(|special| self.text.put(Bank::Word, "mov.u32", &[special]));
        let shared = self.text.put(Bank::Word, "mov.u32", &["shared"]);
        let own = self.own(&thread);
        let [cta, ctas] = [cta, ctas].map(|word| self.text.widened(&word));
        self.offset = self.text.copy(Bank::Word, &buffer.to_string());
        self.sums = (0..tile.each[0]).map(|_| self.zeros(tile.each[1])).collect();
        let factors = if tile.tensor { [tile.each[0], tile.each[1] / 2] } else { tile.each };
        self.factors = [0, 1].map(|_| factors.map(|count| self.zeros(count)));
        let mut strips = [0, 1].map(|axis| self.part(axis, &thread, &shared, &own[axis][1], buffer));
        let units = self.text.word(Words::UNITS);
        let each = self.text.open("tile", &cta, &units, &ctas);
        let unit = kind.unit(&mut self.text, &each.i);
        let first = [0, 1].map(|axis| {
            let size = tile.sides(kind.ty)[axis].to_string();
            self.times(&unit.at[axis], &size)
        });
        for (axis, strip) in strips.iter_mut().enumerate() {
            let operand = kind.operand(&mut self.text, &unit, axis == 0);
            self.begin(strip, &operand, &first[axis], axis);
        }
        let own = own.map(|[own, _]| own);
        self.sum(&unit, &strips, &own, &first);
        self.text.close(each);
        self.text.finish(name)
    }

    fn zeros(&mut self, count: u32) -> Vec<String> {
        (0..count).map(|_| self.text.constant(self.kind.ty, 0)).collect()
    }

    /// A thread's first row and first column among those of the tile, and where it reads a strip's
    /// rows or columns, in elements.
    fn own(&mut self, thread: &str) -> [[String; 2]; 2] {
        let warp = self.text.put(Bank::Word, "shr.u32", &[thread, "5"]);
        let across = self.tile().warps[1].trailing_zeros();
        let down = self.text.put(Bank::Word, "shr.u32", &[&warp, &across.to_string()]);
        let right = self.bits(&warp, 0, across);
        if self.tile().tensor {
            // A result's row and a factor's place are a lane's upper bits; a result's pair of columns
            // and a factor's place along `k` are its lower ones.
            let (high, low) = (self.bits(thread, 2, 3), self.bits(thread, 0, 2));
            return [(0, down), (1, right)].map(|(axis, warp)| {
                let first = self.text.put(Bank::Word, "mul.lo.u32", &[&warp, &FRAGMENT.to_string()]);
                let (scale, lane) = if axis == 0 { ("1", &high) } else { ("2", &low) };
                let own = self.text.put(Bank::Word, "mad.lo.u32", &[lane, scale, &first]);
                let reads = self.text.put(Bank::Word, "add.u32", &[&first, &high]);
                let stride = self.stride(axis).to_string();
                [own, self.text.put(Bank::Word, "mad.lo.u32", &[&low, &stride, &reads])]
            });
        }
        // Of four threads that follow each other, two have the same rows and two the same columns:
        // what they read of shared memory is given to both at once. So a lane's bits are those of
        // its column, row, column, column, row.
        let [column, row, columns, rows] =
            [(0, 1), (1, 1), (2, 2), (4, 1)].map(|(from, count)| self.bits(thread, from, count));
        [(down, WARP[0], rows, row), (right, WARP[1], columns, column)].map(|(warp, warps, high, low)| {
            let inner = self.text.put(Bank::Word, "mad.lo.u32", &[&high, "2", &low]);
            let number = self.text.put(Bank::Word, "mad.lo.u32", &[&warp, &warps.to_string(), &inner]);
            let own = self.text.put(Bank::Word, "mul.lo.u32", &[&number, &self.vector().to_string()]);
            [own.clone(), own]
        })
    }

    /// What a thread copies of an operand's strips.
    fn part(&mut self, axis: usize, thread: &str, shared: &str, place: &str, buffer: usize) -> Strip {
        let (threads, side) = (self.tile().threads() as usize, self.tile().sides(self.kind.ty)[axis]);
        let (reach, stride, bytes) = (self.tiled.reach[axis], self.stride(axis), self.bytes());
        let vector = if reach.vectors { self.vector() } else { 1 };
        // A thread's bits are its line and its place along `k`, the nearer in memory below.
        let (line, along, lines, ks) = if reach.along {
            let low = (STEP / vector).trailing_zeros();
            let line = self.text.put(Bank::Word, "shr.u32", &[thread, &low.to_string()]);
            let along = self.bits(thread, 0, low);
            let along = self.text.put(Bank::Word, "mul.lo.u32", &[&along, &vector.to_string()]);
            (line, along, threads >> low, STEP)
        } else {
            let wide = side / vector;
            let line = self.bits(thread, 0, wide.trailing_zeros());
            let line = self.text.put(Bank::Word, "mul.lo.u32", &[&line, &vector.to_string()]);
            let along = self.text.put(Bank::Word, "shr.u32", &[thread, &wide.trailing_zeros().to_string()]);
            (line, along, threads.min(wide) * vector, threads.div_ceil(wide))
        };
        let base = if axis == 0 { 0 } else { self.strip(0) };
        let to = self.text.put(Bank::Word, "mad.lo.u32", &[&along, &stride.to_string(), &line]);
        let to = self.text.put(Bank::Word, "mad.lo.u32", &[&to, &bytes.to_string(), shared]);
        let to = self.text.put(Bank::Word, "add.u32", &[&to, &base.to_string()]);
        let reads = self.text.put(Bank::Word, "mad.lo.u32", &[place, &bytes.to_string(), shared]);
        let reads = self.text.put(Bank::Word, "add.u32", &[&reads, &(base + buffer).to_string()]);
        let sign = if axis == 0 { 1 << (self.kind.ty.bits() - 1) } else { 0 };
        let nothing = literal(self.kind.ty, sign);
        let lines = (side / lines, lines);
        let ks = (STEP / ks, ks);
        let ahead = self.tile().ahead;
        let mut held = || (0..lines.0 * ks.0).map(|_| self.zeros(vector as u32)).collect();
        let held = (0..ahead).map(|_| held()).collect();
        let line = self.text.widened(&line);
        Strip {
            reach,
            vector,
            stride,
            lines,
            ks,
            line,
            along,
            from: String::new(),
            further: String::new(),
            k: String::new(),
            next: String::new(),
            inside: Vec::new(),
            nothing,
            held,
            to,
            reads,
        }
    }

    /// Finds the part of an operand that a tile needs, whose first line is given.
    fn begin(&mut self, strip: &mut Strip, operand: &Operand, first: &str, axis: usize) {
        let line = self.plus(first, &strip.line);
        let from = self.text.number("mad.lo", 's', &[&line, &operand.line, &operand.from]);
        let along = self.text.widened(&strip.along);
        let from = self.text.number("mad.lo", 's', &[&along, &operand.k, &from]);
        strip.from = self.text.copy(Bank::Double, &from);
        let length = self.text.word(self.kind.word(if axis == 0 { Word::Rows } else { Word::Columns }));
        strip.inside = (0..strip.lines.0)
            .map(|i| {
                let line = self.plus(&line, &(i * strip.lines.1).to_string());
                self.text.compare("lt", &line, &length)
            })
            .collect();
        strip.next = self.times(&operand.k, &STEP.to_string());
        strip.further = self.times(&operand.line, &strip.lines.1.to_string());
        strip.k = operand.k.clone();
    }

    /// Reads a thread's part of a strip from far away, where that is true, or of a strip that ends
    /// after so many places along `k`, with what adds nothing in place of those beyond.
    fn fetch(&mut self, strip: &Strip, stage: usize, extent: Extent<'_>) {
        let bits = self.bank().bits();
        let mut row = strip.from.clone();
        // Neighbours along `k` are at a distance that is known.
        let near = strip.reach.along && strip.reach.vectors;
        let far = self.times(&strip.k, &strip.ks.1.to_string());
        // Vectors along `k` may reach beyond its end.
        let single = matches!(extent, Extent::Ends(_)) && strip.reach.along;
        for i in 0..strip.lines.0 {
            let mut at = row.clone();
            for j in 0..strip.ks.0 {
                let held = &strip.held[stage][i * strip.ks.0 + j];
                let offset = if near { j * strip.ks.1 * self.bytes() } else { 0 };
                for (piece, registers) in held.chunks(if single { 1 } else { strip.vector }).enumerate() {
                    let there = match extent {
                        Extent::Where(there) => self.text.test("and.pred", &[there, &strip.inside[i]]),
                        Extent::Ends(left) => {
                            let instruction = format!("mov.{bits}");
                            registers.iter().for_each(|r| self.text.set(r, &instruction, &[&strip.nothing]));
                            let k = (j * strip.ks.1 + piece).to_string();
                            let left = self.text.put(Bank::Word, "sub.s32", &[left, &k]);
                            let there = self.text.test("setp.lt.s32", &[&strip.along, &left]);
                            self.text.test("and.pred", &[&there, &strip.inside[i]])
                        }
                    };
                    let (kind, to) = several(registers);
                    let offset = offset + piece * self.bytes();
                    self.text.line(format_args!("@{there} ld.global.nc{kind}.{bits} {to}, [{at}+{offset}];"));
                }
                if !near && j + 1 < strip.ks.0 {
                    at = self.plus(&at, &far);
                }
            }
            if i + 1 < strip.lines.0 {
                row = self.plus(&row, &strip.further);
            }
        }
    }

    /// Puts what [`Writer::fetch`] has read into shared memory.
    fn place(&mut self, strip: &Strip, stage: usize) {
        let bits = self.bank().bits();
        for i in 0..strip.lines.0 {
            for j in 0..strip.ks.0 {
                let held = &strip.held[stage][i * strip.ks.0 + j];
                let at = j * strip.ks.1 * strip.stride + i * strip.lines.1;
                // Neighbours along `k` stand in other rows there.
                let apart = if strip.reach.along { 1 } else { strip.vector };
                for (piece, registers) in held.chunks(apart).enumerate() {
                    let (kind, from) = several(registers);
                    let at = (at + piece * strip.stride) * self.bytes();
                    self.text.line(format_args!("st.shared{kind}.{bits} [{}+{at}], {from};", strip.to));
                }
            }
        }
    }

    /// After a barrier: what was written is read, and the next strip goes where this one was.
    fn swap_buffers(&mut self, strips: &[Strip; 2]) {
        self.text.line(format_args!("bar.sync 0;"));
        let offset = self.offset.clone();
        for strip in strips {
            self.text.set(&strip.to, "add.u32", &[&strip.to, &offset]);
            self.text.set(&strip.reads, "sub.u32", &[&strip.reads, &offset]);
        }
        self.text.set(&offset, "sub.u32", &["0", &offset]);
    }

    /// Places of a strip, of one or more places along `k`, that are multiplied at once.
    fn count(&self) -> usize {
        STEP / if self.tile().tensor { DEEP } else { 1 }
    }

    /// Reads what a thread multiplies at a place of the strips.
    fn read(&mut self, strips: &[Strip; 2], place: usize) {
        let (bits, bytes, tensor) = (self.bank().bits(), self.bytes(), self.tile().tensor);
        let (vector, deep) = if tensor { (1, DEEP) } else { (self.vector(), 1) };
        for (axis, strip) in strips.iter().enumerate() {
            let apart = self.tile().apart(axis, self.kind.ty);
            let factors = self.factors[place % 2][axis].clone();
            for (group, registers) in factors.chunks(vector).enumerate() {
                let at = (place * deep * strip.stride + group * apart) * bytes;
                let (kind, to) = several(registers);
                self.text.line(format_args!("ld.shared{kind}.{bits} {to}, [{}+{at}];", strip.reads));
            }
        }
    }

    /// Adds the products at a place of the strips.
    fn multiply(&mut self, place: usize) {
        let [rows, columns] = &self.factors[place % 2];
        if self.tile().tensor {
            for (a, sums) in rows.chunks(2).zip(self.sums.chunks(2)) {
                let a = a.join(", ");
                for (i, b) in columns.iter().enumerate() {
                    let sums: Vec<&str> =
                        sums.iter().flat_map(|row| &row[2 * i..2 * i + 2]).map(String::as_str).collect();
                    let sums = sums.join(", ");
                    self.text.line(format_args!("{MULTIPLY} {{{sums}}}, {{{a}}}, {{{b}}}, {{{sums}}};"));
                }
            }
            return;
        }
        let instruction = format!("fma.rn.{}", named(self.kind.ty));
        for (a, sums) in rows.iter().zip(&self.sums) {
            for (b, sum) in columns.iter().zip(sums) {
                self.text.set(sum, &instruction, &[a, b, sum]);
            }
        }
    }

    /// Reads the strips that begin at a place along `k`, if one does, to one of the sets of registers.
    fn fetch_at(&mut self, strips: &[Strip; 2], stage: usize, k: &str, last: &str) {
        let end = self.plus(k, &STEP.to_string());
        let whole = self.text.compare("le", &end, last);
        strips.iter().for_each(|strip| self.fetch(strip, stage, Extent::Where(&whole)));
        let skip = self.text.label("whole");
        let none = self.text.compare("ge", k, last);
        let skips = self.text.test("or.pred", &[&whole, &none]);
        self.text.line(format_args!("@{skips} bra {skip};"));
        let left = self.text.number("sub", 'u', &[last, k]);
        let left = self.text.put(Bank::Word, "cvt.u32.u64", &[&left]);
        strips.iter().for_each(|strip| self.fetch(strip, stage, Extent::Ends(&left)));
        self.text.place(&skip);
    }

    /// To the strips after the ones that were read.
    fn go_on(&mut self, strips: &[Strip; 2], next: &str) {
        self.text.set(next, "add.u64", &[next, &STEP.to_string()]);
        for strip in strips {
            self.text.set(&strip.from, "add.s64", &[&strip.from, &strip.next]);
        }
    }

    /// Computes a tile.
    fn sum(&mut self, unit: &Unit, strips: &[Strip; 2], own: &[String; 2], first: &[String; 2]) {
        let (step, depth) = (STEP.to_string(), DEPTH.to_string());
        let [k, block] = [0, 1].map(|_| self.text.copy(Bank::Double, &unit.first));
        let ahead = self.tile().ahead;
        // The place of the strip that is to be read next.
        let next = self.text.copy(Bank::Double, &unit.first);
        self.fetch_at(strips, 0, &next, &unit.last);
        strips.iter().for_each(|strip| self.place(strip, 0));
        for stage in 1..ahead {
            self.go_on(strips, &next);
            self.fetch_at(strips, stage, &next, &unit.last);
        }
        self.swap_buffers(strips);
        self.read(strips, 0);

        let [begin, strip, end, store] = ["block", "strip", "end", "store"].map(|name| self.text.label(name));
        self.text.place(&begin);
        for sum in self.sums.concat() {
            self.text.set(&sum, &format!("mov.{}", self.bank().bits()), &["0"]);
        }
        let until = self.text.number("add", 'u', &[&block, &depth]);
        let until = self.text.number("min", 'u', &[&until, &unit.last]);
        let none = self.text.compare("ge", &k, &until);
        self.text.line(format_args!("@{none} bra {end};"));
        self.text.place(&strip);
        // Blocks but the last one are of so many strips that each begins with the first set of registers.
        for stage in 0..ahead {
            self.text.set(&k, "add.u64", &[&k, &step]);
            self.go_on(strips, &next);
            self.fetch_at(strips, stage, &next, &unit.last);
            for place in 0..self.count() {
                if place + 1 < self.count() {
                    self.read(strips, place + 1);
                } else {
                    strips.iter().for_each(|strip| self.place(strip, (stage + 1) % ahead));
                    self.swap_buffers(strips);
                    self.read(strips, 0);
                }
                self.multiply(place);
            }
            let more = self.text.compare("lt", &k, &until);
            match stage + 1 == ahead {
                true => self.text.line(format_args!("@{more} bra {strip};")),
                false => self.text.line(format_args!("@!{more} bra {end};")),
            }
        }
        self.text.place(&end);

        let begins = self.text.compare("eq", &block, &unit.first);
        self.text.line(format_args!("@{begins} bra {store};"));
        self.each(&unit.matrix, own, first, false);
        self.text.place(&store);
        self.each(&unit.matrix, own, first, true);
        self.text.set(&block, "add.u64", &[&block, &depth]);
        let more = self.text.compare("lt", &block, &unit.last);
        self.text.line(format_args!("@{more} bra {begin};"));
    }

    /// Writes a thread's sums to the result, or adds what is there to them.
    fn each(&mut self, matrix: &str, own: &[String; 2], first: &[String; 2], stores: bool) {
        let own = own.each_ref().map(|own| self.text.widened(own));
        let first = [0, 1].map(|axis| self.plus(&first[axis], &own[axis]));
        let (bits, name, bytes) = (self.bank().bits(), named(self.kind.ty), self.bytes());
        let [m, n] = [Word::Rows, Word::Columns].map(|word| self.text.word(self.kind.word(word)));
        let result = self.text.address(self.kind.word(Word::Result));
        let row = self.text.number("mad.lo", 's', &[matrix, &m, &first[0]]);
        let index = self.text.number("mad.lo", 's', &[&row, &n, &first[1]]);
        let start = self.text.element(&result, &index, bytes);
        let pitch = self.times(&n, &bytes.to_string());
        let (rows, columns) = (self.places(0), self.places(1));
        let apart = if self.tiled.whole { self.tile().group(1, self.kind.ty) } else { 1 };
        let columns: Vec<(usize, String)> = columns
            .iter()
            .step_by(apart)
            .map(|&place| {
                let column = self.plus(&first[1], &place.to_string());
                (place, self.text.compare("lt", &column, &n))
            })
            .collect();
        for (i, place) in rows.into_iter().enumerate() {
            let row = self.plus(&first[0], &place.to_string());
            let there = self.text.compare("lt", &row, &m);
            let at = self.text.number("mad.lo", 's', &[&pitch, &place.to_string(), &start]);
            let sums = self.sums[i].clone();
            for ((place, inside), sums) in columns.iter().zip(sums.chunks(apart)) {
                let inside = self.text.test("and.pred", &[&there, inside]);
                let at = format!("[{at}+{}]", place * bytes);
                let (kind, registers) = several(sums);
                if stores {
                    self.text.line(format_args!("@{inside} st.global{kind}.{bits} {at}, {registers};"));
                    continue;
                }
                let before = self.zeros(apart as u32);
                let (kind, registers) = several(&before);
                self.text.line(format_args!("@{inside} ld.global{kind}.{bits} {registers}, {at};"));
                for (before, sum) in before.iter().zip(sums) {
                    self.text.set(sum, &format!("add.rn.{name}"), &[before, sum]);
                }
            }
        }
    }
}

/// Registers of an instruction that moves several, and what it is called.
fn several(registers: &[String]) -> (String, String) {
    match registers {
        [one] => (String::new(), one.clone()),
        all => (format!(".v{}", all.len()), format!("{{{}}}", all.join(", "))),
    }
}
