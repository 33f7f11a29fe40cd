//! The stable order of numbers by their digits, one of 8 bits after the other, the lowest first.
//!
//! A digit takes three launches, two of them of the same blocks, each of which has a part of the numbers. The first
//! counts how often each digit is there in each part, and the one between makes of a count how many there are in the
//! parts before. In the last, a block knows from that where its own numbers of each digit begin, and takes its part
//! tile by tile: its warps count the digits of their shares, a thread for each digit hands out places in the tile to
//! them, and each warp puts its numbers there, in shared memory, 32 at a time; lanes of the same digit find each
//! other, and stand in their order. From there the tile goes to the rest, a digit's numbers side by side.

use super::text::{Bank, Text};
use super::{Form, WARP};

/// What a digit may be.
pub const DIGITS: u32 = 256;
/// Threads of a block: one for each digit.
pub const THREADS: u32 = DIGITS;
/// Numbers of a tile: of so many a part is made.
pub const TILE: u32 = THREADS * ROUNDS;

const WARPS: u32 = THREADS / WARP;
/// Numbers of a thread in a tile.
const ROUNDS: u32 = 16;
/// Counts that a thread reads at once.
const AT_ONCE: u32 = 32;
/// Words from a warp's counts to those of the next.
const STRIDE: u32 = DIGITS + 1;
/// Where shared memory has, in words, how far a digit's numbers go from where they stand in the tile, the sums of
/// warps, and the tile.
const FURTHER: u32 = WARPS * STRIDE;
const SUMS: u32 = FURTHER + DIGITS;
const ROOM: u32 = SUMS + WARPS;

/// The words of a launch's argument, 8 bytes each, for both functions.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// How many numbers there are: fewer than 2^31.
    pub count: usize,
    /// How many a block takes: some tiles.
    pub part: usize,
    /// The digit's lowest bit.
    pub shift: u32,
    /// The numbers, of 32 or of 64 bits.
    pub keys: u64,
    /// What goes with each, of 32 bits; 0 for its place.
    pub values: u64,
    /// A count for each block and digit, and after them for all blocks.
    pub counts: u64,
    /// Where the numbers go, and what goes with them.
    pub ordered: [u64; 2],
}

impl Numbers {
    /// In order.
    pub fn words(&self) -> [u64; 8] {
        let Numbers { count, part, shift, keys, values, counts, ordered: [to, with] } = *self;
        [count as u64, part as u64, u64::from(shift), keys, values, counts, to, with]
    }
}

/// Which of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// That which counts, of numbers of 64 bits or of 32.
    Count(bool),
    /// That which sums the counts, of as many threads as there are digits.
    Sum,
    /// That which puts in order.
    Place(bool),
}

impl Radix {
    /// The function. Its argument are [`Numbers::words`].
    pub fn function(self, name: &str) -> String {
        let mut text = Text::new(&[], Form::new(0, false));
        text.arguments(8);
        let [tid, cta] = ["%tid.x", "%ctaid.x"].map(|special| text.put(Bank::Word, "mov.u32", &[special]));
        let [count, part, shift] = [0, 1, 2].map(|word| text.word(word));
        let first = text.number("mul.lo", 'u', &[&cta, &part]);
        let end = text.number("add", 'u', &[&first, &part]);
        let end = text.number("min", 'u', &[&end, &count]);
        let keys = text.address(3);
        let wide = matches!(self, Radix::Count(true) | Radix::Place(true));
        let mut writer = Writer { text, wide, tid, cta, shift, first, end, keys };
        match self {
            Radix::Count(_) => writer.count(),
            Radix::Sum => writer.sum(&count, &part),
            Radix::Place(_) => writer.order(),
        }
        writer.text.finish(name)
    }
}

struct Writer<'k> {
    text: Text<'k>,
    wide: bool,
    tid: String,
    cta: String,
    shift: String,
    /// Where the block's part begins, and where it ends.
    first: String,
    end: String,
    keys: String,
}

/// A number that a thread reads, what goes with it, and whether it is there.
struct Read {
    key: String,
    value: String,
    inside: String,
}

/// A number of a warp's share.
struct Held {
    read: Read,
    /// The digit, or one more than there are for a number beyond the end.
    digit: String,
    /// Where its digit's count is.
    slot: String,
}

/// A number among those of its digit that the warp has at hand: how many are before it, how many there are, and
/// whether it is the first, which hands out their places.
struct Rank {
    before: String,
    all: String,
    leads: String,
}

impl Writer<'_> {
    fn bank(&self) -> Bank {
        if self.wide { Bank::Double } else { Bank::Word }
    }

    fn shared(&mut self, words: u32) -> String {
        self.text.outside = format!("  .shared .align 8 .b8 shared[{}];\n", words * 4);
        self.text.put(Bank::Word, "mov.u32", &["shared"])
    }

    fn word(&mut self, instruction: &str, operands: &[&str]) -> String {
        self.text.put(Bank::Word, instruction, operands)
    }

    /// The address of a word of shared memory.
    fn slot(&mut self, base: &str, number: &str) -> String {
        self.word("mad.lo.u32", &[number, "4", base])
    }

    fn meet(&mut self) {
        self.text.line(format_args!("bar.sync 0;"));
    }

    /// The number at a place, if it is one of the part: else zero.
    fn key(&mut self, at: &str, inside: &str) -> String {
        let (bank, bytes) = (self.bank(), if self.wide { 8 } else { 4 });
        let from = self.text.element(&self.keys.clone(), at, bytes);
        let key = self.text.copy(bank, "0");
        self.text.line(format_args!("@{inside} ld.global.nc.{} {key}, [{from}];", bank.bits()));
        key
    }

    fn digit(&mut self, key: &str) -> String {
        let shift = self.shift.clone();
        let mut digit = match self.wide {
            true => {
                let down = self.text.put(Bank::Double, "shr.u64", &[key, &shift]);
                self.word("cvt.u32.u64", &[&down])
            }
            false => self.word("shr.u32", &[key, &shift]),
        };
        digit = self.word("and.b32", &[&digit, &(DIGITS - 1).to_string()]);
        digit
    }

    /// Counts the digits of the part.
    fn count(&mut self) {
        let shared = self.shared(DIGITS);
        let (tid, end) = (self.tid.clone(), self.end.clone());
        let own = self.slot(&shared, &tid);
        self.text.line(format_args!("st.shared.u32 [{own}], 0;"));
        self.meet();
        let first = self.text.number("add", 'u', &[&self.first.clone(), &tid]);
        let each = self.text.open("number", &first, &end, &THREADS.to_string());
        let inside = self.text.compare("lt", &each.i, &end);
        let key = self.key(&each.i.clone(), &inside);
        let digit = self.digit(&key);
        let slot = self.slot(&shared, &digit);
        self.text.line(format_args!("red.shared.add.u32 [{slot}], 1;"));
        self.text.close(each);
        self.meet();
        let counted = self.word("ld.shared.u32", &[&format!("[{own}]")]);
        let at = self.word("mad.lo.u32", &[&self.cta.clone(), &DIGITS.to_string(), &tid]);
        let counts = self.text.address(5);
        let to = self.text.element(&counts, &at, 4);
        self.text.line(format_args!("st.global.u32 [{to}], {counted};"));
    }

    /// Makes of each block's count of a thread's digit what the blocks before it have, and after the last one what all
    /// have.
    fn sum(&mut self, count: &str, part: &str) {
        let counts = self.text.address(5);
        let digit = self.word("mad.lo.u32", &[&self.cta.clone(), &WARP.to_string(), &self.tid.clone()]);
        let at = self.text.element(&counts, &digit, 4);
        let at = self.text.copy(Bank::Double, &at);
        let blocks = self.word("add.u32", &[count, part]);
        let blocks = self.word("sub.u32", &[&blocks, "1"]);
        let blocks = self.word("div.u32", &[&blocks, part]);
        let sum = self.text.copy(Bank::Word, "0");
        let each = self.text.open("block", "0", &blocks, &AT_ONCE.to_string());
        let left = self.word("sub.u32", &[&blocks, &each.i]);
        let row = |i: u32| i * DIGITS * 4;
        let some: Vec<(String, String)> = (0..AT_ONCE)
            .map(|i| {
                let inside = self.text.test("setp.gt.u32", &[&left, &i.to_string()]);
                let count = self.text.copy(Bank::Word, "0");
                self.text.line(format_args!("@{inside} ld.global.u32 {count}, [{at}+{}];", row(i)));
                (inside, count)
            })
            .collect();
        for (i, (inside, count)) in (0..).zip(&some) {
            self.text.line(format_args!("@{inside} st.global.u32 [{at}+{}], {sum};", row(i)));
            self.text.set(&sum, "add.u32", &[&sum, count]);
        }
        self.text.set(&at, "add.u64", &[&at, &row(AT_ONCE).to_string()]);
        self.text.close(each);
        let last = self.word("mad.lo.u32", &[&blocks, &DIGITS.to_string(), &digit]);
        let to = self.text.element(&counts, &last, 4);
        self.text.line(format_args!("st.global.u32 [{to}], {sum};"));
    }

    /// Where the first number of a thread's digit goes that is in this part.
    fn begin(&mut self, shared: &str) -> String {
        let counts = self.text.address(5);
        let (tid, cta) = (self.tid.clone(), self.cta.clone());
        let blocks = self.word("mov.u32", &["%nctaid.x"]);
        let [before, all] = [&cta, &blocks].map(|block| {
            let at = self.word("mad.lo.u32", &[block, &DIGITS.to_string(), &tid]);
            let from = self.text.element(&counts, &at, 4);
            self.word("ld.global.nc.u32", &[&format!("[{from}]")])
        });
        // Those of lesser digits, by sums of doubled length.
        let own = self.slot(shared, &tid);
        let sum = self.text.copy(Bank::Word, &all);
        let mut distance = 1;
        while distance < DIGITS {
            self.text.line(format_args!("st.shared.u32 [{own}], {sum};"));
            self.meet();
            let there = self.text.compare("ge", &tid, &distance.to_string());
            let less = self.text.copy(Bank::Word, "0");
            let from = self.word("sub.u32", &[&own, &(distance * 4).to_string()]);
            self.text.line(format_args!("@{there} ld.shared.u32 {less}, [{from}];"));
            self.text.set(&sum, "add.u32", &[&sum, &less]);
            self.meet();
            distance *= 2;
        }
        let lesser = self.word("sub.u32", &[&sum, &all]);
        self.word("add.u32", &[&lesser, &before])
    }

    /// Puts the part in order.
    fn order(&mut self) {
        let bytes = if self.wide { 8 } else { 4 };
        let shared = self.shared(ROOM + TILE * bytes / 4);
        let next = self.begin(&shared);
        let tid = self.tid.clone();
        let lane = self.word("and.b32", &[&tid, &(WARP - 1).to_string()]);
        let warp = self.word("shr.u32", &[&tid, &WARP.trailing_zeros().to_string()]);
        let bit = self.word("shl.b32", &["1", &lane]);
        let below = self.word("sub.u32", &[&bit, "1"]);
        let counts = self.word("mad.lo.u32", &[&warp, &(STRIDE * 4).to_string(), &shared]);
        let column = self.slot(&shared, &tid);
        let further = self.word("add.u32", &[&shared, &(FURTHER * 4).to_string()]);
        let tiled = self.word("add.u32", &[&shared, &(ROOM * 4).to_string()]);
        let share = self.word("mad.lo.u32", &[&warp, &(WARP * ROUNDS).to_string(), &lane]);
        let (first, end) = (self.first.clone(), self.end.clone());
        let [to, with] = [6, 7].map(|word| self.text.address(word));
        let tile = self.text.open("tile", &first, &end, &TILE.to_string());
        // Until the tile before has no use of the counts.
        self.meet();
        for warp in 0..WARPS {
            self.text.line(format_args!("st.shared.u32 [{column}+{}], 0;", warp * STRIDE * 4));
        }
        self.meet();
        let from = self.word("add.u32", &[&tile.i, &share]);
        // All that comes from far away is asked for at first.
        let values = self.text.argument_address(4);
        let given = self.text.test("setp.ne.u64", &[&values, "0"]);
        let read: Vec<Read> = (0..ROUNDS).map(|round| self.read(round, &from, (&values, &given))).collect();
        let held: Vec<Held> = read.into_iter().map(|read| self.hold(read, &counts)).collect();
        self.meet();
        self.hand_out(&column, &shared, (&warp, &lane), &next);
        let ranks: Vec<Rank> = held.iter().map(|one| self.rank(one, &below)).collect();
        self.meet();
        let places: Vec<String> = held.iter().zip(&ranks).map(|(one, rank)| self.place(one, rank)).collect();
        let kind = self.bank().bits();
        for (one, place) in held.iter().zip(&places) {
            let at = self.word("mad.lo.u32", &[place, &bytes.to_string(), &tiled]);
            self.text.line(format_args!("@{} st.shared.{kind} [{at}], {};", one.read.inside, one.read.key));
        }
        self.meet();
        let left = self.text.number("sub", 'u', &[&end, &tile.i]);
        let ordered: Vec<(String, String)> = (0..ROUNDS)
            .map(|round| {
                let at = self.word("add.u32", &[&tid, &(round * THREADS).to_string()]);
                let inside = self.text.compare("lt", &at, &left);
                let from = self.word("mad.lo.u32", &[&at, &bytes.to_string(), &tiled]);
                let key = self.text.copy(self.bank(), "0");
                self.text.line(format_args!("@{inside} ld.shared.{kind} {key}, [{from}];"));
                let digit = self.digit(&key);
                let slot = self.slot(&further, &digit);
                let further = self.word("ld.shared.u32", &[&format!("[{slot}]")]);
                let place = self.word("add.u32", &[&at, &further]);
                let there = self.text.element(&to, &place, bytes as usize);
                self.text.line(format_args!("@{inside} st.global.{kind} [{there}], {key};"));
                (place, inside)
            })
            .collect();
        self.meet();
        for (one, place) in held.iter().zip(&places) {
            let at = self.slot(&tiled, place);
            self.text.line(format_args!("@{} st.shared.u32 [{at}], {};", one.read.inside, one.read.value));
        }
        self.meet();
        let from = self.slot(&tiled, &tid);
        for (round, (place, inside)) in (0..).zip(&ordered) {
            let value = self.text.copy(Bank::Word, "0");
            let at = round * THREADS * 4;
            self.text.line(format_args!("@{inside} ld.shared.u32 {value}, [{from}+{at}];"));
            let there = self.text.element(&with, place, 4);
            self.text.line(format_args!("@{inside} st.global.b32 [{there}], {value};"));
        }
        self.text.close(tile);
    }

    /// Makes of the warps' counts of a thread's digit where each warp's first number of it stands in the tile, and of
    /// where its next number goes how far that is from there.
    fn hand_out(&mut self, column: &str, shared: &str, (warp, lane): (&str, &str), next: &str) {
        let at = |warp: u32| format!("[{column}+{}]", warp * STRIDE * 4);
        let some: Vec<String> = (0..WARPS).map(|w| self.word("ld.shared.u32", &[&at(w)])).collect();
        let all = self.text.copy(Bank::Word, "0");
        some.iter().for_each(|count| self.text.set(&all, "add.u32", &[&all, count]));
        // What digits of the warp have up to this one, by sums of doubled length, and those of the warps before.
        let sum = self.text.copy(Bank::Word, &all);
        let mut distance = 1;
        while distance < WARP {
            let from = self.word("sub.u32", &[lane, &distance.to_string()]);
            let from = self.word("and.b32", &[&from, &(WARP - 1).to_string()]);
            let less = self.word("shfl.sync.idx.b32", &[&sum, &from, "31", "0xffffffff"]);
            let there = self.text.test("setp.ge.u32", &[lane, &distance.to_string()]);
            let less = self.word("selp.u32", &[&less, "0", &there]);
            self.text.set(&sum, "add.u32", &[&sum, &less]);
            distance *= 2;
        }
        let sums = self.word("add.u32", &[shared, &(SUMS * 4).to_string()]);
        let own = self.slot(&sums, warp);
        let last = self.text.test("setp.eq.u32", &[lane, &(WARP - 1).to_string()]);
        self.text.line(format_args!("@{last} st.shared.u32 [{own}], {sum};"));
        self.meet();
        for before in 0..WARPS - 1 {
            let less = self.word("ld.shared.u32", &[&format!("[{sums}+{}]", before * 4)]);
            let there = self.text.test("setp.gt.u32", &[warp, &before.to_string()]);
            let less = self.word("selp.u32", &[&less, "0", &there]);
            self.text.set(&sum, "add.u32", &[&sum, &less]);
        }
        self.text.set(&sum, "sub.u32", &[&sum, &all]);
        let further = self.word("sub.u32", &[next, &sum]);
        self.text.line(format_args!("st.shared.u32 [{column}+{}], {further};", FURTHER * 4));
        self.text.set(next, "add.u32", &[next, &all]);
        for (w, count) in (0..).zip(&some) {
            self.text.line(format_args!("st.shared.u32 {}, {sum};", at(w)));
            self.text.set(&sum, "add.u32", &[&sum, count]);
        }
    }

    /// Reads a number of a thread's share, and what goes with it.
    fn read(&mut self, round: u32, from: &str, (values, given): (&str, &str)) -> Read {
        let at = self.word("add.u32", &[from, &(round * WARP).to_string()]);
        let inside = self.text.compare("lt", &at, &self.end.clone());
        let key = self.key(&at, &inside);
        let value = self.text.copy(Bank::Word, &at);
        let reads = self.text.test("and.pred", &[&inside, given]);
        let from = self.text.element(values, &at, 4);
        self.text.line(format_args!("@{reads} ld.global.nc.b32 {value}, [{from}];"));
        Read { key, value, inside }
    }

    /// Counts the digit of a number.
    fn hold(&mut self, read: Read, counts: &str) -> Held {
        let digit = self.digit(&read.key);
        let digit = self.word("selp.b32", &[&digit, &DIGITS.to_string(), &read.inside]);
        let slot = self.slot(counts, &digit);
        self.text.line(format_args!("@{} red.shared.add.u32 [{slot}], 1;", read.inside));
        Held { read, digit, slot }
    }

    fn rank(&mut self, one: &Held, below: &str) -> Rank {
        let alike = self.word("match.any.sync.b32", &[&one.digit, "0xffffffff"]);
        let before = self.word("and.b32", &[&alike, below]);
        let before = self.word("popc.b32", &[&before]);
        let all = self.word("popc.b32", &[&alike]);
        let leads = self.text.test("setp.eq.u32", &[&before, "0"]);
        let leads = self.text.test("and.pred", &[&leads, &one.read.inside]);
        Rank { before, all, leads }
    }

    /// Where a number stands in the tile.
    fn place(&mut self, one: &Held, rank: &Rank) -> String {
        let (slot, base) = (&one.slot, self.text.copy(Bank::Word, "0"));
        self.text.line(format_args!("@{} ld.shared.u32 {base}, [{slot}];", one.read.inside));
        self.text.line(format_args!("bar.warp.sync 0xffffffff;"));
        let after = self.word("add.u32", &[&base, &rank.all]);
        self.text.line(format_args!("@{} st.shared.u32 [{slot}], {after};", rank.leads));
        self.text.line(format_args!("bar.warp.sync 0xffffffff;"));
        self.word("add.u32", &[&base, &rank.before])
    }
}
