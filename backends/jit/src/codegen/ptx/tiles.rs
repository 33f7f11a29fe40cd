//! Tiles of rows and columns, where what stands side by side in rows and what stands side by side in
//! columns meet. A warp reads elements that stand side by side, of either kind; those of columns go
//! through shared memory, where each thread finds its own.
//!
//! A thread computes elements of one column, every so many rows. Beyond the last row or column it
//! computes the last one's again, and does not write them: all threads go the same way.

use super::abreast::{is_in, loaded};
use super::text::{Bank, Loop, Text, Values};
use super::{TILE, TILE_DEPTH, Words};
use crate::ir::{Access, Id, Param, Type};

/// The values from one row of a tile in shared memory to the next: an odd number, so that a column is
/// spread over the memory's banks as a row is.
const PITCH: usize = TILE as usize + 1;

/// The bytes that the tile of an input has in shared memory.
pub fn shared_bytes(p: &Param) -> usize {
    p.parts as usize * TILE as usize * PITCH * slot(p.ty)
}

/// The bytes of a value in shared memory.
fn slot(ty: Type) -> usize {
    Bank::of(ty).memory().bytes()
}

/// A part of an input that is transposed.
struct Transposed {
    param: usize,
    part: usize,
    ty: Type,
    /// Where its tile begins in shared memory.
    first: usize,
}

/// A coordinate that is none beyond the last one, and whether it would not have been.
struct Within {
    at: String,
    inside: String,
}

impl Text<'_> {
    /// Results that have every element, in tiles of rows and of columns along an axis.
    pub(super) fn tiles(&mut self, axis: usize, transposed: u32, mirrored: bool) {
        let Some(kernel) = self.kernel else { return };
        let transposed = self.inputs(transposed, |a| matches!(a, Access::Linear | Access::Strided));
        let row = self.form.outer;
        let [x, y, cta, ctas] = ["%tid.x", "%tid.y", "%ctaid.x", "%nctaid.x"]
            .map(|special| self.put(Bank::Word, "mov.u32", &[special]));
        let parts = self.shared(transposed);
        let pitch = PITCH.to_string();
        let [to, from] =
            [(&y, &x), (&x, &y)].map(|(a, b)| self.put(Bank::Word, "mad.lo.u32", &[a, &pitch, b]));
        let [x, y, cta, ctas] = [x, y, cta, ctas].map(|word| self.widened(&word));
        let units = self.word(Words::UNITS);
        let [width, height] = [row, axis].map(|axis| self.word(self.words.length(axis)));
        let [wide, high] = [&width, &height].map(|length| {
            let more = self.number("add", 'u', &[length, &(TILE - 1).to_string()]);
            self.number("div", 'u', &[&more, &TILE.to_string()])
        });
        let each = self.open("tile", &cta, &units, &ctas);
        let (number, [column, line], passes) = match mirrored {
            false => {
                let (rest, column) = self.split(&each.i, &wide);
                let (number, line) = self.split(&rest, &high);
                (number, [column, line], None)
            }
            true => self.pair(&each.i, &wide),
        };
        let others: Vec<usize> = (0..row).filter(|&a| a != axis).collect();
        let mut at = self.coordinates_along(&number, &others);
        at.insert(axis, String::new());
        at.push(String::new());
        let lanes = (TILE / TILE_DEPTH) as usize;
        // Along the column and along the row, for what is transposed, and for all else.
        let down = self.within(&line, &x, 0, &height);
        let across = self.within(&column, &x, 0, &width);
        let is_transposed = |n: usize| is_in(transposed, n);
        let mut given = Vec::new();
        for lane in 0..lanes {
            self.lane = lane;
            at[axis] = down.at.clone();
            at[row] = self.within(&column, &y, lane, &width).at;
            self.addresses_of(&at, |n, _| is_transposed(n));
            for t in &parts {
                let (address, _) = self.at(t.param);
                let offset = t.part * t.ty.bytes();
                given.push(self.raw(t.ty, "global.nc", &format!("[{address}+{offset}]")));
            }
        }
        for lane in 0..lanes {
            self.lane = lane;
            let within = self.within(&line, &y, lane, &height);
            (at[axis], at[row]) = (within.at, across.at.clone());
            self.addresses_of(&at, |n, p| !p.access.is_written() && !is_transposed(n));
            let inside = self.test("and.pred", &[&within.inside, &across.inside]);
            let index = self.row_major(&at);
            self.places.push((inside, index));
        }
        let mut values = vec![Values::new(); lanes];
        let all = || kernel.top().iter().chain(kernel.body()).copied();
        let alone = |id: &Id| loaded(kernel, *id).is_some_and(|n| !is_transposed(n));
        self.in_lanes(kernel, all().filter(alone), &mut values);
        self.exchange(&parts, &given, &to, &from);
        self.in_lanes(kernel, all().filter(|id| !alone(id)), &mut values);
        self.places.clear();
        // Before the next tile takes the place of this one.
        self.line(format_args!("bar.sync 0;"));
        if let Some(passes) = passes {
            self.close(passes);
        }
        self.close(each);
    }

    /// The parts of inputs that are transposed, with shared memory for their tiles.
    fn shared(&mut self, transposed: u32) -> Vec<Transposed> {
        let (mut parts, mut first) = (Vec::new(), 0);
        for (param, p) in self.params.iter().enumerate().filter(|(n, _)| is_in(transposed, *n)) {
            for part in 0..p.parts as usize {
                parts.push(Transposed { param, part, ty: p.ty, first });
                first += TILE as usize * PITCH * slot(p.ty);
            }
        }
        self.outside = format!("  .shared .align 8 .b8 shared[{first}];\n");
        parts
    }

    /// The number of what is around the pair of tiles with a number, and of a square of so many on each
    /// side the numbers of one, and then of its mirror's: a multiprocessor reads each once.
    fn pair(&mut self, i: &str, side: &str) -> (String, [String; 2], Option<Loop>) {
        // Pairs of numbers go by their distance, up to half of all. What is its own mirror is
        // done once, and so is each half of what comes twice, at just half.
        let half = self.number("div", 'u', &[side, "2"]);
        let distances = self.number("add", 'u', &[&half, "1"]);
        let (rest, distance) = self.split(i, &distances);
        let (number, one) = self.split(&rest, side);
        let other = self.number("add", 'u', &[&one, &distance]);
        let (_, other) = self.split(&other, side);
        let twice = self.number("add", 'u', &[&distance, &distance]);
        let [same, middle] = ["0", side].map(|what| self.compare("eq", &twice, what));
        let once = self.test("or.pred", &[&same, &middle]);
        let select = format!("selp.{}", self.bank().bits());
        let count = self.put(self.bank(), &select, &["1", "2", &once]);
        let passes = self.open("pass", "0", &count, "1");
        let first = self.compare("eq", &passes.i, "0");
        let [column, line] =
            [[&other, &one], [&one, &other]].map(|[a, b]| self.put(self.bank(), &select, &[a, b, &first]));
        (number, [column, line], Some(passes))
    }

    /// A thread's coordinate in a tile, for one of its elements.
    fn within(&mut self, tile: &str, thread: &str, lane: usize, length: &str) -> Within {
        let begin = self.number("mad.lo", 'u', &[tile, &TILE.to_string(), thread]);
        let at = self.number("add", 'u', &[&begin, &(lane as u32 * TILE_DEPTH).to_string()]);
        let inside = self.compare("lt", &at, length);
        let last = self.number("sub", 'u', &[length, "1"]);
        Within { at: self.number("min", 'u', &[&at, &last]), inside }
    }

    /// The number of an element in row-major order.
    fn row_major(&mut self, at: &[String]) -> String {
        let mut number = at[0].clone();
        for (axis, x) in at.iter().enumerate().skip(1) {
            let length = self.word(self.words.length(axis));
            number = self.number("mad.lo", 'u', &[&number, &length, x]);
        }
        number
    }

    /// Gives the threads what others have read for them.
    fn exchange(&mut self, parts: &[Transposed], given: &[String], to: &str, from: &str) {
        let each = TILE_DEPTH as usize;
        let shared = self.put(Bank::Word, "mov.u32", &["shared"]);
        for (k, t) in parts.iter().enumerate() {
            let to = self.put(Bank::Word, "mad.lo.u32", &[to, &slot(t.ty).to_string(), &shared]);
            let word = Bank::of(t.ty).memory().bits();
            for (lane, value) in given.iter().skip(k).step_by(parts.len()).enumerate() {
                let offset = t.first + lane * each * PITCH * slot(t.ty);
                self.line(format_args!("st.shared.{word} [{to}+{offset}], {value};"));
            }
        }
        self.line(format_args!("bar.sync 0;"));
        for t in parts {
            let from = self.put(Bank::Word, "mad.lo.u32", &[from, &slot(t.ty).to_string(), &shared]);
            let bank = Bank::of(t.ty).memory();
            for lane in 0..TILE as usize / each {
                let offset = t.first + lane * each * slot(t.ty);
                let from = format!("[{from}+{offset}]");
                let value = self.put(bank, &format!("ld.shared.{}", bank.bits()), &[&from]);
                let value = if t.ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value };
                self.read.entry((t.param, lane)).or_default().push(value);
            }
        }
    }
}
