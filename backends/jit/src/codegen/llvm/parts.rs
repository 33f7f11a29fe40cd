//! Elements of several parts: between their order in memory and a vector for each part.
//!
//! Of an even number of parts, every second element of memory is apart from the others first. Of an odd
//! number, what is in memory of a part stands in other lanes of each vector: in each lane, vectors change
//! places in a ring, by as many as the lane says, and then each has one part, in an order of its own.

use super::names::{mask, stored};
use super::text::Text;
use crate::ir::{Access, Type};

/// How vectors of an odd number of parts go round in each lane.
struct Ring {
    parts: usize,
    lanes: usize,
    /// What times the number of lanes leaves 1 over parts.
    inverse: usize,
}

impl Ring {
    fn new(parts: usize, lanes: usize) -> Ring {
        let inverse = (1..parts).find(|i| i * lanes % parts == 1).unwrap_or(0);
        Ring { parts, lanes, inverse }
    }

    /// Which vector has a part's elements when lanes have gone round.
    fn of(&self, part: usize) -> usize {
        part * self.inverse % self.parts
    }

    /// In which lane the element of a part is that belongs to lane `i`.
    fn lane(&self, part: usize, i: usize) -> usize {
        (i * self.parts + part) % self.lanes
    }

    /// The rounds, each by how many places, and which lanes take part.
    fn rounds(&self) -> impl Iterator<Item = (usize, Vec<bool>)> + '_ {
        let rounds = std::iter::successors(Some(1), |by| Some(by * 2)).take_while(|&by| by < self.parts);
        rounds.map(|by| (by, (0..self.lanes).map(|lane| self.of(lane) & by > 0).collect()))
    }
}

impl Text<'_> {
    /// A vector for each part of the elements at hand of a parameter that is read in order.
    pub(super) fn load_parts(&mut self, n: u32) -> Vec<String> {
        let p = self.kernel.params[n as usize];
        let (row, index, lanes) = (self.rows[n as usize].clone(), self.index.clone(), self.lanes);
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let all = self.shaped(name, true);
        let first = self.put(format_args!("mul i64 {index}, {}", p.parts));
        let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {first}"));
        let vectors = (0..p.parts as usize).map(|v| {
            let at = self.put(format_args!("getelementptr {name}, ptr {at}, i64 {}", v * lanes));
            self.put(format_args!("load {all}, ptr {at}, align {align}"))
        });
        let vectors = vectors.collect();
        self.taken_apart(vectors, &all)
    }

    /// Writes the parts of as many elements as there are lanes, from the place `index` on.
    pub(super) fn write_parts(&mut self, n: usize, parts: &[String], index: &str) {
        let (p, row, lanes) = (self.kernel.params[n], self.rows[n].clone(), self.lanes);
        let (name, align) = (stored(p.ty), p.ty.bytes());
        let all = self.shaped(name, true);
        let parts = parts.iter().map(|part| match p.ty {
            Type::Bool => self.put(format_args!("zext {} {part} to {all}", self.shaped("i1", true))),
            _ => part.clone(),
        });
        let parts = parts.collect();
        let vectors = self.put_together(parts, &all);
        let first = self.put(format_args!("mul i64 {index}, {}", p.parts));
        let at = self.put(format_args!("getelementptr {name}, ptr {row}, i64 {first}"));
        let places: Vec<String> = (0..vectors.len())
            .map(|v| self.put(format_args!("getelementptr {name}, ptr {at}, i64 {}", v * lanes)))
            .collect();
        let write = |text: &mut Self, how: &str| {
            for (vector, at) in vectors.iter().zip(&places) {
                text.lines(format_args!("  store {all} {vector}, ptr {at}, {how}"));
            }
        };
        if p.access != Access::Stream {
            return write(self, &format!("align {align}"));
        }
        let whole = align * lanes;
        let address = self.put(format_args!("ptrtoint ptr {at} to i64"));
        let low = self.put(format_args!("and i64 {address}, {}", whole - 1));
        let fits = self.put(format_args!("icmp eq i64 {low}, 0"));
        let [past, usual, after] = ["past", "usual", "written"].map(|name| format!("{name}{}", self.next));
        self.label(&format!("br i1 {fits}, label %{past}, label %{usual}"), &past);
        write(self, &format!("align {whole}, !nontemporal !{{i32 1}}"));
        self.label(&format!("br label %{after}"), &usual);
        write(self, &format!("align {align}"));
        self.label(&format!("br label %{after}"), &after);
    }

    fn shuffled(&mut self, ty: &str, [a, b]: [&str; 2], lanes: impl Iterator<Item = usize>) -> String {
        self.put(format_args!("shufflevector {ty} {a}, {ty} {b}, {}", mask(lanes)))
    }

    /// Vectors as memory has them as one for each part.
    fn taken_apart(&mut self, mut all: Vec<String>, ty: &str) -> Vec<String> {
        let (parts, lanes) = (all.len(), self.lanes);
        if parts == 1 {
            return all;
        }
        if parts.is_multiple_of(2) {
            let [even, odd] = [0, 1].map(|from| {
                let halves = all.chunks(2).map(|pair| {
                    self.shuffled(ty, [&pair[0], &pair[1]], (0..lanes).map(|lane| 2 * lane + from))
                });
                let halves = halves.collect();
                self.taken_apart(halves, ty)
            });
            return even.into_iter().zip(odd).flat_map(|(a, b)| [a, b]).collect();
        }
        let ring = Ring::new(parts, lanes);
        for (by, at_work) in ring.rounds() {
            let turned = (0..parts).map(|v| {
                let before = &all[(v + parts - by) % parts];
                let lane = |lane: usize| if at_work[lane] { lanes + lane } else { lane };
                self.shuffled(ty, [&all[v], before], (0..lanes).map(lane))
            });
            all = turned.collect();
        }
        let in_order = |part: usize| {
            self.shuffled(ty, [&all[ring.of(part)], "poison"], (0..lanes).map(|i| ring.lane(part, i)))
        };
        (0..parts).map(in_order).collect()
    }

    /// A vector for each part as memory has them: back again.
    fn put_together(&mut self, parts: Vec<String>, ty: &str) -> Vec<String> {
        let (count, lanes) = (parts.len(), self.lanes);
        if count == 1 {
            return parts;
        }
        if count.is_multiple_of(2) {
            let [even, odd] = [0, 1].map(|from| {
                let some = parts.iter().skip(from).step_by(2).cloned().collect();
                self.put_together(some, ty)
            });
            let both = even.iter().zip(&odd).flat_map(|(a, b)| {
                [0, lanes / 2].map(|from| {
                    let lane = |lane: usize| from + lane / 2 + if lane.is_multiple_of(2) { 0 } else { lanes };
                    self.shuffled(ty, [a, b], (0..lanes).map(lane))
                })
            });
            return both.collect();
        }
        let ring = Ring::new(count, lanes);
        let mut all = vec![String::new(); count];
        for (part, value) in parts.iter().enumerate() {
            let from = |lane: usize| (0..lanes).find(|&i| ring.lane(part, i) == lane).unwrap_or(0);
            all[ring.of(part)] = self.shuffled(ty, [value, "poison"], (0..lanes).map(from));
        }
        for (by, at_work) in ring.rounds() {
            let turned = (0..count).map(|v| {
                let after = &all[(v + by) % count];
                let lane = |lane: usize| if at_work[lane] { lanes + lane } else { lane };
                self.shuffled(ty, [&all[v], after], (0..lanes).map(lane))
            });
            all = turned.collect();
        }
        all
    }
}
