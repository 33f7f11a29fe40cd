//! Programs over rows as one function: for each row its pieces one after the other, so that a row comes
//! from memory once.
//!
//! A row has a team of threads: a part of a warp, a warp, or a block. 32 threads, or with vectors of four
//! elements 8 of them, are the lanes of [`crate::ir::fold`], several or one each, and fold a block of
//! 256 elements at a time; then the blocks meet in pairs, by shuffles within a warp, and beyond it by
//! memory that the block's threads share. In that memory is also what pieces keep of a row, which a
//! thread reads only where it has written it. All threads of a warp go round together, those without a
//! row or an element too: they meet in shuffles and barriers.

mod elements;
mod folds;
mod memory;

use super::slots::Slots;
use super::text::{Bank, Text, Values};
use super::{Form, WARP};
use crate::codegen::From;
use crate::ir::fold::{BLOCK, LANES};
use crate::ir::{Access, Code, Id, Kernel, Param};
use std::collections::HashMap;

/// One kernel of a program.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'k> {
    /// What it computes of the rows' elements: inputs, and results in order.
    pub kernel: &'k Kernel,
    /// For each input.
    pub from: &'k [From],
    /// The number of each result among the values of all pieces.
    pub gives: &'k [usize],
}

/// Who computes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// So many threads of a warp, of rows of which each of their groups has one block, in so many steps of
    /// [`LANES`] elements.
    Part {
        /// The threads of a row.
        threads: u32,
        /// The steps.
        steps: u32,
    },
    /// A block of threads, of rows of any length.
    Block {
        /// The threads of a block, at most.
        most: u32,
        /// True if a row has more parts than a warp has threads.
        many: bool,
    },
}

/// How the elements of a step stand that a thread takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stand {
    /// Side by side: they are read and written together.
    Beside,
    /// [`APART`] from each other: most of a fold is done before threads meet, which is most of the work where a row
    /// has few steps, and they need not be aligned.
    Apart,
}

/// How the elements of an input are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// It has one element for all rows.
    Fixed,
    /// Each by itself.
    Walked,
    /// Side by side, and vectors of them are aligned.
    Aligned,
}

/// What a text is made for besides its pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowsForm {
    /// Axes around a row.
    pub outer: usize,
    /// Elements of a step that a thread takes: 1 or [`ABREAST`] side by side, up to as many if they are apart.
    pub abreast: u32,
    /// How they stand.
    pub stand: Stand,
    /// Who computes a row.
    pub team: Team,
    /// For each input of the program.
    pub ways: Vec<Way>,
    /// What is kept.
    pub slots: Slots,
}

/// Elements that a thread takes side by side.
pub const ABREAST: u32 = 4;
/// Threads of a step whose elements are apart, and how far that is.
pub const APART: u32 = LANES as u32 / ABREAST;
/// Bytes of an access, at most.
pub const WIDEST: usize = 16;
/// Bytes for a part of a fold in shared memory.
pub const PARTIAL: usize = 8;
/// Registers that wait for memory, at most.
const AHEAD: usize = 16;
/// Statements of elements that a thread computes without a loop, at most: with elements from memory, and with
/// those that are near.
const LONG: usize = 192;
const NEAR: usize = 32;

/// Where the words of a launch's argument are, 8 bytes each: the rows, the elements of a row, its parts of
/// warps, and the shared bytes of a team; the length of each axis around a row; for each input the address
/// of its first element, and the bytes that a step along each axis moves, the row the last one; the address
/// of each value that is in memory; where each slot begins in a team's memory.
#[derive(Clone, Copy, Debug)]
pub struct RowWords {
    outer: usize,
    inputs: usize,
}

impl RowsForm {
    /// The threads that a step's elements are shared out among.
    pub fn group(&self) -> u32 {
        match self.stand {
            Stand::Beside => LANES as u32 / self.abreast,
            Stand::Apart => APART,
        }
    }

    /// How far a thread's elements of a step are from each other.
    fn distance(&self) -> usize {
        match self.stand {
            Stand::Beside => 1,
            Stand::Apart => APART as usize,
        }
    }

    /// Rows of one step, a thread's elements of which stay in its registers.
    fn is_held(&self) -> bool {
        self.stand == Stand::Apart && matches!(self.team, Team::Part { steps: 1, .. })
    }
}

impl RowWords {
    /// The rows.
    pub const ROWS: usize = 0;
    /// The elements of a row.
    pub const LENGTH: usize = 1;
    /// Parts of a row that a warp computes.
    pub const PARTS: usize = 2;
    /// The bytes that a team has in shared memory.
    pub const BYTES: usize = 3;

    fn axis(self, axis: usize) -> usize {
        4 + axis
    }

    fn input(self, input: usize) -> usize {
        4 + self.outer + input * (2 + self.outer)
    }

    fn value(self, number: usize) -> usize {
        self.input(self.inputs) + number
    }
}

/// A value of the program.
enum Known {
    /// It is a number for each row, in registers where it is known.
    Fold(Vec<String>),
    /// It is kept, or the result.
    Elements,
}

/// An element that statements are written for: their values, what is loaded by parameter and part, and what they
/// store.
#[derive(Default)]
struct Element {
    values: Values,
    known: HashMap<(usize, usize), String>,
    stores: Vec<(usize, Vec<String>)>,
}

struct Writer<'k> {
    text: Text<'k>,
    form: &'k RowsForm,
    pieces: &'k [Piece<'k>],
    words: RowWords,
    /// Values that are in memory: their places among the words.
    places: Vec<Option<usize>>,
    values: Vec<Known>,
    /// By input and part: elements that are the same for all rows.
    fixed: HashMap<(usize, usize), String>,
    /// Where each input's row begins.
    rows: Vec<String>,
    /// Where the result's row begins.
    result: String,
    /// Where each slot begins.
    slots: Vec<String>,
    /// By slot: registers by step, of a row that is held in them.
    held: HashMap<usize, Vec<Vec<String>>>,
    /// Where a team's shared memory begins.
    shared: String,
    /// The elements of the row at hand; the first one of this thread in its warp's part.
    length: String,
    first: String,
    /// The last element of a row.
    last: String,
    /// Whether this thread writes what there is one of for a row.
    writes: String,
    /// The row at hand, with 64 bits.
    row: String,
    /// The thread's number in its warp, and the one whose value a team takes.
    lane: String,
    leader: String,
    /// The warp's number in its block, and how many there are, of teams that are a block.
    warps: Option<(String, String)>,
    /// Parts of folds so far.
    parts: usize,
}

/// True if the pieces are of a kind that there is a function for.
pub fn takes(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().all(|piece| {
        let kernel = piece.kernel;
        let results = kernel.params.len() == piece.from.len() + piece.gives.len();
        let here = |ids: &[Id]| ids.iter().filter(|&&id| moves(kernel.statement(id).code)).count();
        let all = kernel.blocks.iter().map(|ids| here(ids)).sum::<usize>();
        let takes = |p: &Param| {
            matches!(
                p.access,
                Access::Uniform
                    | Access::Linear
                    | Access::Strided
                    | Access::Guarded(_)
                    | Access::Counter(_)
                    | Access::Out
                    | Access::Along(_)
            )
        };
        results && all == here(kernel.top()) + here(kernel.body()) && kernel.params.iter().all(takes)
    })
}

fn moves(code: Code) -> bool {
    matches!(code, Code::Load | Code::Store)
}

/// The function of a program that [`takes`] accepts; it has memory of the name's own.
pub fn program(pieces: &[Piece<'_>], form: &RowsForm, name: &str) -> String {
    let values = pieces.iter().flat_map(|p| p.gives).map(|&v| v + 1).max().unwrap_or(0);
    let inputs = form.ways.len();
    let words = RowWords { outer: form.outer, inputs };
    let mut places = vec![None; values];
    let mut known: Vec<Known> = (0..values).map(|_| Known::Elements).collect();
    for piece in pieces {
        for (p, &value) in piece.kernel.params[piece.from.len()..].iter().zip(piece.gives) {
            if p.access.along().is_some() {
                known[value] = Known::Fold(Vec::new());
            }
        }
    }
    let written = |v: &usize| matches!(known[*v], Known::Fold(_)) || v + 1 == values;
    for (number, value) in (0..values).filter(written).enumerate() {
        places[value] = Some(words.value(number));
    }
    let count = words.value(places.iter().flatten().count()) + form.slots.bytes.len();
    let mut text = Text::new(&[], Form::new(form.outer, false));
    text.arguments(count);
    let none = String::new;
    let mut writer = Writer {
        text,
        form,
        pieces,
        words,
        places,
        values: known,
        fixed: HashMap::new(),
        rows: Vec::new(),
        result: none(),
        slots: Vec::new(),
        held: HashMap::new(),
        shared: none(),
        length: none(),
        first: none(),
        last: none(),
        writes: none(),
        row: none(),
        lane: none(),
        leader: none(),
        warps: None,
        parts: 0,
    };
    let memory = format!("{name}_shared");
    writer.whole(&memory);
    let most = match form.team {
        Team::Part { .. } => PART,
        Team::Block { most, .. } => most,
    };
    writer.text.bounds = format!(".maxntid {most}\n");
    let function = writer.text.finish(name);
    format!(".extern .shared .align 16 .b8 {memory}[];\n{function}")
}

/// Threads of a block whose warps have rows of their own.
pub const PART: u32 = 128;

impl<'k> Writer<'k> {
    fn whole(&mut self, memory: &str) {
        let group = self.form.group();
        let [thread, threads, block, blocks] = ["%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x"]
            .map(|special| self.text.put(Bank::Word, "mov.u32", &[special]));
        self.lane = self.text.put(Bank::Word, "and.b32", &[&thread, &(WARP - 1).to_string()]);
        let warp = self.text.put(Bank::Word, "shr.u32", &[&thread, "5"]);
        let warps = self.text.put(Bank::Word, "shr.u32", &[&threads, "5"]);
        let [rows, length] = [RowWords::ROWS, RowWords::LENGTH].map(|word| self.text.word(word));
        self.shared = self.text.put(Bank::Word, "mov.u32", &[memory]);
        // The thread in its team, and the first element that it has.
        let (own, units, unit, each) = match self.form.team {
            Team::Block { .. } => {
                self.leader = self.text.copy(Bank::Word, "0");
                self.warps = Some((warp, warps));
                (self.lane.clone(), blocks, block, 1)
            }
            Team::Part { threads, .. } => {
                let own = self.text.put(Bank::Word, "and.b32", &[&self.lane, &(threads - 1).to_string()]);
                self.leader = self.text.put(Bank::Word, "sub.u32", &[&self.lane, &own]);
                let bits = threads.trailing_zeros().to_string();
                let team = self.text.put(Bank::Word, "shr.u32", &[&thread, &bits]);
                let bytes = self.text.word(RowWords::BYTES);
                self.shared = self.text.put(Bank::Word, "mad.lo.u32", &[&team, &bytes, &self.shared.clone()]);
                let unit = self.text.put(Bank::Word, "mad.lo.u32", &[&block, &warps, &warp]);
                let units = self.text.put(Bank::Word, "mul.lo.u32", &[&blocks, &warps]);
                (own, units, unit, WARP / threads)
            }
        };
        let bits = group.trailing_zeros().to_string();
        let number = self.text.put(Bank::Word, "shr.u32", &[&own, &bits]);
        let within = self.text.put(Bank::Word, "and.b32", &[&own, &(group - 1).to_string()]);
        let first = self.text.put(Bank::Word, "mul.lo.u32", &[&number, &BLOCK.to_string()]);
        let wide = if self.form.stand == Stand::Beside { self.form.abreast } else { 1 };
        self.first = self.text.put(Bank::Word, "mad.lo.u32", &[&within, &wide.to_string(), &first]);
        let own_thread = if self.warps.is_some() { &thread } else { &own };
        let leads = self.text.test("setp.eq.u32", &[own_thread, "0"]);
        let base = self.words.value(self.places.iter().flatten().count());
        for slot in 0..self.form.slots.bytes.len() {
            let offset = self.text.word(base + slot);
            self.slots.push(self.text.put(Bank::Word, "add.u32", &[&self.shared.clone(), &offset]));
        }
        self.fixed_elements();
        let [first, step] = [unit, units]
            .map(|number| self.text.put(Bank::Word, "mul.lo.u32", &[&number, &each.to_string()]));
        let each_row = self.text.open("row", &first, &rows, &step);
        let mut row = each_row.i.clone();
        (self.length, self.writes) = (length.clone(), leads.clone());
        self.last = self.text.put(Bank::Word, "sub.u32", &[&length, "1"]);
        if let Team::Part { threads, .. } = self.form.team {
            // Those beyond the last row have no elements.
            let bits = threads.trailing_zeros().to_string();
            let number = self.text.put(Bank::Word, "shr.u32", &[&self.lane, &bits]);
            row = self.text.put(Bank::Word, "add.u32", &[&row, &number]);
            let inside = self.text.test("setp.lt.u32", &[&row, &rows]);
            let last = self.text.put(Bank::Word, "sub.u32", &[&rows, "1"]);
            row = self.text.put(Bank::Word, "min.u32", &[&row, &last]);
            self.length = self.text.put(Bank::Word, "selp.b32", &[&length, "0", &inside]);
            self.writes = self.text.test("and.pred", &[&leads, &inside]);
        }
        self.begin(&row, &length);
        let folding = |piece: &&Piece<'_>| piece.kernel.params.iter().any(|p| p.access.along().is_some());
        let barriers = self.pieces.iter().filter(folding).count();
        for piece in self.pieces {
            self.piece(piece);
        }
        if self.warps.is_some() && barriers < 2 {
            // Before the next row's parts take the place of these; two folds wait for each other.
            self.text.line(format_args!("bar.sync 0;"));
        }
        self.text.close(each_row);
    }

    /// Reads what is the same for all rows.
    fn fixed_elements(&mut self) {
        for piece in self.pieces {
            for (from, p) in piece.from.iter().zip(&piece.kernel.params) {
                let From::Outside(input) = *from else { continue };
                let fixed = self.form.ways[input] == Way::Fixed && p.access == Access::Uniform;
                if !fixed || self.fixed.contains_key(&(input, 0)) {
                    continue;
                }
                let address = self.text.address(self.words.input(input));
                for part in 0..p.parts as usize {
                    let at = format!("[{address}+{}]", part * p.ty.bytes());
                    let value = self.text.fetch(p.ty, "global.nc", &at);
                    self.fixed.insert((input, part), value);
                }
            }
        }
    }

    /// Finds where a row begins in inputs and the result.
    fn begin(&mut self, row: &str, length: &str) {
        let mut at = Vec::new();
        let mut left = row.to_string();
        for axis in (1..self.form.outer).rev() {
            let long = self.text.word(self.words.axis(axis));
            let (quotient, rest) = self.text.split(&left, &long);
            at.push(rest);
            left = quotient;
        }
        at.push(left);
        at.reverse();
        at.truncate(self.form.outer);
        let at: Vec<String> = at.iter().map(|x| self.text.put(Bank::Double, "cvt.u64.u32", &[x])).collect();
        self.rows = (0..self.form.ways.len())
            .map(|input| {
                let first = self.words.input(input);
                let counted = self.counts(input);
                let mut address = if counted { self.text.counter(first) } else { self.text.address(first) };
                for (axis, x) in at.iter().enumerate() {
                    let step = self.text.counter(first + 1 + axis);
                    address = self.text.put(Bank::Double, "mad.lo.s64", &[x, &step, &address]);
                }
                address
            })
            .collect();
        self.row = self.text.put(Bank::Double, "cvt.u64.u32", &[row]);
        if let (Some(Known::Elements), Some(Some(place))) = (self.values.last(), self.places.last()) {
            let bytes = self.result_param().map_or(1, Param::bytes).to_string();
            let base = self.text.address(*place);
            let length = self.text.put(Bank::Double, "cvt.u64.u32", &[length]);
            let distance = self.text.put(Bank::Double, "mul.lo.u64", &[&self.row.clone(), &length]);
            self.result = self.text.put(Bank::Double, "mad.lo.s64", &[&distance, &bytes, &base]);
        }
    }

    /// True if an input is what is counted, which has no memory.
    fn counts(&self, input: usize) -> bool {
        let counted = |(from, p): (&From, &Param)| {
            *from == From::Outside(input) && matches!(p.access, Access::Counter(_))
        };
        self.pieces.iter().any(|piece| piece.from.iter().zip(&piece.kernel.params).any(counted))
    }

    fn result_param(&self) -> Option<Param> {
        let last = self.values.len().checked_sub(1)?;
        self.pieces.iter().find_map(|piece| {
            let at = piece.gives.iter().position(|&v| v == last)?;
            piece.kernel.params.get(piece.from.len() + at).copied()
        })
    }
}
