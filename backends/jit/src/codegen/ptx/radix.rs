//! The stable order of numbers by their digits, one of 8 bits after the other, the lowest first.
//!
//! A digit takes two launches of the same blocks, each of which has a part of the numbers. The first counts
//! how often each digit is there in each part. In the second, a block knows from all counts where its own
//! numbers of each digit begin, and takes its part tile by tile: its warps count the digits of their
//! shares, a thread for each digit hands out places to them, and each warp puts its numbers there, 32 at a
//! time; lanes of the same digit find each other, and stand in their order.

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
/// Words from a warp's counts to those of the next.
const STRIDE: u32 = DIGITS + 1;

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
    /// A count for each block and digit.
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

/// Which of the two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// That which counts, of numbers of 64 bits or of 32.
    Count(bool),
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
        let (Radix::Count(wide) | Radix::Place(wide)) = self;
        let mut writer = Writer { text, wide, tid, cta, shift, first, end, keys };
        match self {
            Radix::Count(_) => writer.count(),
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

/// A number that a thread has read.
struct Held {
    key: String,
    /// The digit, or one more than there are for a number beyond the end.
    digit: String,
    /// Where it stands, and whether it is there.
    at: String,
    inside: String,
    /// Where its digit's count is.
    slot: String,
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

    /// Adds the counts of a thread's digit in some blocks.
    fn counted(&mut self, counts: &str, first: &str, last: &str) -> String {
        let sum = self.text.copy(Bank::Word, "0");
        let blocks = self.text.open("block", first, last, "1");
        let at = self.word("mad.lo.u32", &[&blocks.i, &DIGITS.to_string(), &self.tid.clone()]);
        let from = self.text.element(counts, &at, 4);
        let count = self.word("ld.global.nc.u32", &[&format!("[{from}]")]);
        self.text.set(&sum, "add.u32", &[&sum, &count]);
        self.text.close(blocks);
        sum
    }

    /// Where the first number of a thread's digit goes that is in this part.
    fn begin(&mut self, shared: &str) -> String {
        let counts = self.text.address(5);
        let (tid, cta) = (self.tid.clone(), self.cta.clone());
        let blocks = self.word("mov.u32", &["%nctaid.x"]);
        let before = self.counted(&counts, "0", &cta);
        let after = self.counted(&counts, &cta, &blocks);
        // Those of lesser digits, by sums of doubled length.
        let own = self.slot(shared, &tid);
        let all = self.word("add.u32", &[&before, &after]);
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
        let shared = self.shared(WARPS * STRIDE);
        let next = self.begin(&shared);
        let tid = self.tid.clone();
        let lane = self.word("and.b32", &[&tid, &(WARP - 1).to_string()]);
        let warp = self.word("shr.u32", &[&tid, &WARP.trailing_zeros().to_string()]);
        let bit = self.word("shl.b32", &["1", &lane]);
        let below = self.word("sub.u32", &[&bit, "1"]);
        let counts = self.word("mad.lo.u32", &[&warp, &(STRIDE * 4).to_string(), &shared]);
        let column = self.slot(&shared, &tid);
        let share = self.word("mad.lo.u32", &[&warp, &(WARP * ROUNDS).to_string(), &lane]);
        let (first, end) = (self.first.clone(), self.end.clone());
        let tile = self.text.open("tile", &first, &end, &TILE.to_string());
        // Until the tile before has no use of the counts.
        self.meet();
        for warp in 0..WARPS {
            self.text.line(format_args!("st.shared.u32 [{column}+{}], 0;", warp * STRIDE * 4));
        }
        self.meet();
        let from = self.word("add.u32", &[&tile.i, &share]);
        let held: Vec<Held> = (0..ROUNDS).map(|round| self.hold(round, &from, &counts)).collect();
        self.meet();
        for warp in 0..WARPS {
            let at = format!("[{column}+{}]", warp * STRIDE * 4);
            let count = self.word("ld.shared.u32", &[&at]);
            self.text.line(format_args!("st.shared.u32 {at}, {next};"));
            self.text.set(&next, "add.u32", &[&next, &count]);
        }
        self.meet();
        let values = self.text.argument_address(4);
        let given = self.text.test("setp.ne.u64", &[&values, "0"]);
        let [to, with] = [6, 7].map(|word| self.text.address(word));
        for one in &held {
            self.put(one, &below, (&values, &given), [&to, &with]);
        }
        self.text.close(tile);
    }

    /// Reads a number of a thread's share, and counts its digit.
    fn hold(&mut self, round: u32, from: &str, counts: &str) -> Held {
        let at = self.word("add.u32", &[from, &(round * WARP).to_string()]);
        let inside = self.text.compare("lt", &at, &self.end.clone());
        let key = self.key(&at, &inside);
        let digit = self.digit(&key);
        let digit = self.word("selp.b32", &[&digit, &DIGITS.to_string(), &inside]);
        let slot = self.slot(counts, &digit);
        self.text.line(format_args!("@{inside} red.shared.add.u32 [{slot}], 1;"));
        Held { key, digit, at, inside, slot }
    }

    /// Puts a number where it goes.
    fn put(&mut self, one: &Held, below: &str, (values, given): (&str, &str), to: [&str; 2]) {
        let Held { key, digit, at, inside, slot } = one;
        let alike = self.word("match.any.sync.b32", &[digit, "0xffffffff"]);
        let before = self.word("and.b32", &[&alike, below]);
        let before = self.word("popc.b32", &[&before]);
        let base = self.text.copy(Bank::Word, "0");
        self.text.line(format_args!("@{inside} ld.shared.u32 {base}, [{slot}];"));
        self.text.line(format_args!("bar.warp.sync 0xffffffff;"));
        let leads = self.text.test("setp.eq.u32", &[&before, "0"]);
        let leads = self.text.test("and.pred", &[&leads, inside]);
        let many = self.word("popc.b32", &[&alike]);
        let after = self.word("add.u32", &[&base, &many]);
        self.text.line(format_args!("@{leads} st.shared.u32 [{slot}], {after};"));
        self.text.line(format_args!("bar.warp.sync 0xffffffff;"));
        let place = self.word("add.u32", &[&base, &before]);
        let value = self.text.copy(Bank::Word, at);
        let reads = self.text.test("and.pred", &[inside, given]);
        let from = self.text.element(values, at, 4);
        self.text.line(format_args!("@{reads} ld.global.nc.b32 {value}, [{from}];"));
        let bytes = if self.wide { 8 } else { 4 };
        let bits = self.bank().bits();
        let there = self.text.element(to[0], &place, bytes);
        self.text.line(format_args!("@{inside} st.global.{bits} [{there}], {key};"));
        let there = self.text.element(to[1], &place, 4);
        self.text.line(format_args!("@{inside} st.global.b32 [{there}], {value};"));
    }
}
